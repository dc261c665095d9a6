/* Bytes to and from a server under test, over one transport: whole messages as the transport frames
 * them, or bytes that break its rules. Every wait has a deadline. A wire never interprets a
 * message.
 *
 * Over HTTP there is no conversation, and mgi_wire_exchange() is all there is. */
#ifndef MGI_CONFORMANCE_WIRE_H
#define MGI_CONFORMANCE_WIRE_H

#include "base/arena.h"
#include "client/origin.h"
#include "conformance/conformance.h"
#include "conformance/frames.h"

#define HEARD_BYTES FRAMES_BYTES /* of one message, at most */

enum heard { HEARD_MESSAGE, HEARD_NOTHING, HEARD_END };

struct wire {
    enum carrier carrier;
    int in, out; /* stdio: the child's streams; -1: closed */
    long child;  /* stdio */
    struct ws_wire *ws;
    struct buf kept;      /* stdio: what came and was not handed out */
    size_t read;          /* …of which so much was */
    struct frames frames; /* WebSocket */
    struct buf pong;      /* the bytes of the last one */
};

/* Start the command, or shake hands at `url` (http or https, as an upgrade begins). `token`: in the
 * upgrade's head; NULL: none. NULL: `why` says so. */
struct wire *mgi_wire_spawn(const char *const *command, struct buf *why);
struct wire *mgi_wire_upgrade(const char *url, const char *ca_file, const char *token,
                              int64_t wait_ms, struct buf *why);
void mgi_wire_close(struct wire *w);

/* One message: a line, or a text frame. False: the other side does not take it. */
bool mgi_wire_send(struct wire *w, struct str message, int64_t wait_ms);
/* These bytes, as they are. */
bool mgi_wire_send_raw(struct wire *w, struct str bytes, int64_t wait_ms);
/* The next message. HEARD_END: the server closed
 * (frames.close_code), ended, or said what nobody has to hear on (mgi_wire_wrong). */
enum heard mgi_wire_hear(struct wire *w, int64_t wait_ms, struct buf *message);

/* Why the other side is not heard any more, where it is its fault; NULL. Static. */
const char *mgi_wire_wrong(const struct wire *w);

void mgi_wire_end_input(struct wire *w);                            /* stdio */
bool mgi_wire_exited(struct wire *w, int64_t wait_ms, int *status); /* stdio: reaped */

/* One WebSocket frame of a client, with whatever is wrong with it. */
struct frame_shape {
    uint8_t opcode, reserved; /* reserved: bits 4, 2, 1 */
    bool unmasked, unfinished;
    uint64_t announced; /* 0: the payload's own length */
};
void mgi_wire_put_frame(struct buf *out, struct str payload, const struct frame_shape *shape);

/* ---- HTTP ---- */

struct http_call {
    const char *method, *url;
    struct str body;
    const char *headers[8]; /* "Name: value"; "Name:" takes one away that would be sent */
    const char *ca_file;
    int64_t wait_ms;
};

struct http_reply {
    int status;
    struct buf head, body; /* head: the lines, each ended by CR LF */
};

/* False: no whole answer came, and `why` says so. */
bool mgi_wire_exchange(const struct http_call *call, struct http_reply *reply, struct buf *why);
void mgi_wire_reply_fini(struct http_reply *reply);
/* The value of a header; ptr NULL: it is not there. */
struct str mgi_wire_header(const struct http_reply *reply, const char *name);

#endif
