/* Transports: bytes <-> messages. Each is one file and one row of the table in transport.c. */
#ifndef MGI_TRANSPORT_TRANSPORT_H
#define MGI_TRANSPORT_TRANSPORT_H

#include "server/peer.h"
#include "server/server.h"

struct stdio_options {
    struct server *server;
    uv_loop_t *loop;
    bool token_required; /* a token was configured for stdio (P-STDIO-8) */
    size_t max_message_bytes;
    /* Called once when the session is over (the handle is gone): the program exits 0 (P-STDIO-5).
     */
    void (*closed)(void *context);
    void *context;
};
struct stdio_transport;
/* Reads descriptor 0, writes descriptor 1; the manifest line goes out at once (P-STDIO-4). NULL
 * when the descriptors cannot be used or memory is short. */
struct stdio_transport *mgi_stdio_start(const struct stdio_options *options);
/* End the session from this side: what was sent goes out, then `closed`. */
void mgi_stdio_stop(struct stdio_transport *t);

struct http_options {
    struct server *server;
    uv_loop_t *loop;
    const struct auth *auth;
    bool open_demo;
    const char *host; /* loopback by default */
    int port;         /* 0: any */
    size_t max_message_bytes;
    uint32_t max_connections; /* 0 means 1024 */
    const char *cors_origin;  /* or NULL */
    const struct logger *log;
};
struct http_listener;
/* NULL: *why says what failed (static or in `why_buffer`). *port_out is the bound port. */
struct http_listener *mgi_http_listen(const struct http_options *options, int *port_out,
                                      const char **why);
/* Stop accepting; connections finish what they have; then `closed`, then the listener is freed. */
void mgi_http_close(struct http_listener *l, void (*closed)(void *context), void *context);

#endif
