/* The stdio transport: bytes <-> messages. HTTP is transport/http.h and http_api.h. */
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
     * `output_lost`: something that was sent could not be written, and not because its reader was
     * gone: a full disk, or a reader that took nothing to the end. */
    void (*closed)(void *context, bool output_lost);
    void *context;
};
struct stdio_transport;
/* Reads descriptor 0, writes descriptor 1; the manifest line goes out at once (P-STDIO-4). NULL
 * when the descriptors cannot be used or memory is short. */
struct stdio_transport *mgi_stdio_start(const struct stdio_options *options);
/* Another limit for messages from now on: what is loaded again may say so. */
void mgi_stdio_limit(struct stdio_transport *t, size_t max_message_bytes);
/* End the session from this side: what was sent goes out, as far as its reader takes it within
 * grace_ms, then `closed`. May be called again with less patience. */
void mgi_stdio_stop(struct stdio_transport *t, int64_t grace_ms);

#endif
