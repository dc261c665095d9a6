/* What the files of the WebSocket transport share: ws_upgrade.c (the request that becomes a
 * session) and ws_session.c (the session). */
#ifndef MGI_TRANSPORT_WS_INT_H
#define MGI_TRANSPORT_WS_INT_H

#include "transport/ws.h"

struct ws_session;

struct ws_api {
    struct ws_options options;
    struct http_route row;
    struct ws_session *sessions;
    uint32_t count;
    bool stopping;
};

/* A session over `stream`, which is its own, also on failure. `who` may be NULL: nobody yet.
 * `token`: by which another issuer says so; copied. `rest` is what the client has sent already;
 * taken. False: memory is short, the stream is closed. */
bool mgi_ws_session_begin(struct ws_api *api, struct stream *stream, const struct principal *who,
                          struct str token, struct buf *rest);

/* Another limit for messages, from the next frame on. */
void mgi_ws_session_limit(struct ws_session *s, size_t max_message_bytes);

/* Answer what is owed, then close with 1001. */
void mgi_ws_session_stop(struct ws_session *s);
void mgi_ws_session_cut(struct ws_session *s);
struct ws_session *mgi_ws_session_next(const struct ws_session *s);

#endif
