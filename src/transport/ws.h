/* The WebSocket transport: a session of messages over a connection that HTTP hands over (P-WS-*,
 * D-55, D-59).
 *
 *     GET with Upgrade ──judged──> 101, manifest ──messages──> … ──close both ways──> gone
 *
 * One message is one text frame, both ways; whatever a client sends is put together, judged and
 * answered by the server's rules for sessions. How a connection ends:
 *
 *     1000  (or the client's own code) the client closes
 *     1001  the server stops
 *     1002  the client broke the framing (unmasked, reserved, misplaced)
 *     1007  a text that is not UTF-8; the error is sent before
 *     1008  three failed logins; a message that does not come to its end; nobody logged in in time
 *     1009  a message more than twice the limit; the error is sent before
 *     1011  the server failed
 *     1013  no room for what the client sends; or the connection is idle, nobody has logged in, and
 *           it is needed for others
 *
 * Everything happens on the thread of the loop. */
#ifndef MGI_TRANSPORT_WS_H
#define MGI_TRANSPORT_WS_H

#include "server/server.h"
#include "transport/http.h"

#define WS_PATH        "/manglecp/ws"
#define WS_SUBPROTOCOL "manglecp"

struct ws_api;

/* A credential may come with the upgrade, and is judged by the listener. One that is good is the
 * session's, one that is wrong is refused with 401, none at all is fine: `authenticate` may
 * follow. */
struct ws_options {
    struct server *server; /* borrowed, outlives the API */
    const char *path;      /* NULL: WS_PATH. Borrowed */
    bool auth_required;    /* intents need a login (P-AUTH-6) */
    size_t max_message_bytes;
    const struct logger *log; /* borrowed; may be NULL */
};

/* NULL when memory is short. */
struct ws_api *mgi_ws_api_new(const struct ws_options *options);

/* Add the row. One API may serve several listeners. False: the listener has no room. */
bool mgi_ws_api_add(struct ws_api *api, struct http_listener *l);

/* Another limit from now on (what is loaded again may say so), for open sessions, too. */
void mgi_ws_api_limit(struct ws_api *api, size_t max_message_bytes);

uint32_t mgi_ws_sessions(const struct ws_api *api);

/* Every session ends: what is owed is answered first, then it closes with 1001. No upgrade is taken
 * any more. */
void mgi_ws_api_stop(struct ws_api *api);

/* Close what is left now. */
void mgi_ws_api_cut(struct ws_api *api);

/* When no session is left (its listeners are closed). NULL is fine. */
void mgi_ws_api_free(struct ws_api *api);

#endif
