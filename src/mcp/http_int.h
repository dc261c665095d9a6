/* Inside of the HTTP rules. From below: http_head, http_exchange <- http_session, http_mirror <-
 * http. An exchange is one HTTP request that has not ended; it lives until its answer. */
#ifndef MGI_MCP_HTTP_INT_H
#define MGI_MCP_HTTP_INT_H

#include "mcp/http.h"
#include "mcp/server_int.h"

/* The one header of this name, in any case; ptr NULL: none. *twice (may be NULL): there are more.
 */
struct str mgi_mcp_header(const struct mcp_request *r, const char *name, bool *twice);

bool mgi_mcp_host_is_ours(const struct mcp_http_options *o, struct str host);
bool mgi_mcp_origin_is_ours(const struct mcp_http_options *o, struct str origin);
bool mgi_mcp_is_json(struct str content_type);

#define ID_BYTES 16

struct session {
    struct session *next;
    struct mcp_http *h;
    struct mcp_peer *peer;
    struct exchange *get; /* for what belongs to no request; or NULL */
    size_t exchanges;     /* open ones, that one, too */
    int64_t used_ms;
    struct buf principal;
    char id[2 * ID_BYTES + 1];
};

struct exchange {
    struct exchange *next, *before;
    struct mcp_http *h;
    struct session *session; /* legacy */
    struct mcp_peer *peer;   /* r5: its own */
    void *tag;
    struct buf principal; /* r5 */
    bool can_stream, is_open;
    int64_t due_ms;   /* a stream, or a comment on it */
    int64_t until_ms; /* its credential counts; 0: for good */
};

struct mcp_http {
    struct mcp_server *server;
    struct mcp_http_options o;
    struct session *sessions;
    struct exchange *exchanges;
    struct exchange *next_up; /* while all are gone through, any of which may end */
    size_t session_count, exchange_count, modern_count; /* modern: of the exchanges */
    bool draining;
};

/* ---- http_exchange.c ------------------------------------------------------------------------ */

int64_t mgi_mcp_http_now(const struct mcp_http *h);
void mgi_mcp_answer_plain(struct mcp_http *h, void *tag, int status, struct str body,
                          const char *allow);
void mgi_mcp_answer_error(struct mcp_http *h, void *tag, int status, const struct rpc_id *id,
                          enum rpc_code code, const char *message);
/* `session` NULL: of r5. NULL: memory, and it was answered. */
struct exchange *mgi_mcp_add_exchange(struct mcp_http *h, const struct mcp_request *r,
                                      struct session *session);
void mgi_mcp_drop_exchange(struct exchange *x);
size_t mgi_mcp_exchanges_of(const struct mcp_http *h, struct str principal); /* r5 */
void mgi_mcp_open_stream(struct exchange *x);
void mgi_mcp_write_event(struct exchange *x, struct str message);
void mgi_mcp_write_comment(struct exchange *x);
void mgi_mcp_end_stream(struct exchange *x);
void mgi_mcp_refuse_exchange(struct exchange *x);
void mgi_mcp_deliver(struct exchange *x, const struct mcp_outgoing *m);

/* ---- http_session.c ------------------------------------------------------------------------- */

struct session *mgi_mcp_add_session(struct mcp_http *h, const struct mcp_request *r); /* or NULL */
struct session *mgi_mcp_find_session(struct mcp_http *h, struct str id, struct str principal);
size_t mgi_mcp_sessions_of(const struct mcp_http *h, struct str principal);
void mgi_mcp_drop_session(struct session *s); /* that has no exchanges */
void mgi_mcp_end_session(struct session *s);

/* ---- http_head.c ---------------------------------------------------------------------------- */

struct accepts {
    bool json, stream;
};
struct accepts mgi_mcp_accepts(const struct mcp_request *r);

/* ---- http_mirror.c -------------------------------------------------------------------------- */

/* Rows 9 to 14 of X-HTTP-28. RPC_FINE, or the error and, in `why`, its sentence; -32022 gets its
 * data from the version. */
enum rpc_code mgi_mcp_check_modern(const struct mcp_server *s, const struct mcp_request *r,
                                   const struct rpc_message *m, const struct mcp_envelope *e,
                                   struct buf *why);

#endif
