/* A WebSocket to a browser that runs: a wire (wire.h) on which a message is text, ours in one frame
 * and the browser's in as many as it likes. net/ws.h reads frames and bounds them. */
#ifndef BROWSER_SOCKET_H
#define BROWSER_SOCKET_H

#include "net/ws.h"
#include "wire.h"

struct socket_wire {
    struct wire wire; /* the first member: the kind's functions are given it */
    struct ws codec;
};

/* Takes over a connected descriptor that does not block, of which the handshake has been read and
 * nothing behind it. */
void mgi_socket_begin(struct socket_wire *socket, int fd);

/* Says goodbye, waits for nothing, and closes it. A zeroed one is fine. */
void mgi_socket_end(struct socket_wire *socket);

#endif
