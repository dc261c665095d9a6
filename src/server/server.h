/* The request's life: sessions, workers, limits, drain (design section 5).
 *
 * One event loop thread owns peers, the tool pool and this object; worker threads own evaluations.
 * Nothing blocks the loop: intents are queued to workers and come back through a uv_async. */
#ifndef MGI_SERVER_SERVER_H
#define MGI_SERVER_SERVER_H

#include <uv.h>

#include "base/log.h"
#include "domain/domain.h"
#include "invoke/invoke.h"
#include "manifest/manifest.h"
#include "security/auth.h"

struct server;

struct server_options {
    uv_loop_t *loop;
    struct snapshot *snapshot; /* the server takes its own reference */
    struct toolpool *pool;     /* borrowed; outlives the server */
    struct macro_store *store; /* borrowed */
    const struct auth *auth;   /* borrowed */
    const struct confirmation_keys *keys;
    const struct logger *log;
    uint32_t workers;           /* 0 means 2 */
    uint32_t max_open_requests; /* per peer; 0 means 64 */
    bool fixed_clock;           /* --clock */
    int64_t clock_ns;
    const char *intent_eval, *macro_invoke; /* endpoint URIs of the HTTP transport, or NULL */
};

struct server *mgi_server_new(const struct server_options *options);

/* No new requests (server_not_ready); running ones finish; then `drained` is called once. */
void mgi_server_drain(struct server *s, void (*drained)(void *context), void *context);
void mgi_server_free(struct server *s); /* after drained, when no peer is left */

enum server_status mgi_server_status(const struct server *s);
int64_t mgi_server_now_ns(const struct server *s); /* the real or the fixed clock */

/* The manifest payload as this transport shows it (envelope included), appended to out. */
void mgi_server_manifest(const struct server *s, bool session, bool auth_required, struct buf *out);

#endif
