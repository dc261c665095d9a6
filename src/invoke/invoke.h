/* The inner doll: one macro-tool, its chain of actions, the result and what changed (protocol.md
 * §2.14, gate 11; toolhost.md chapter 11).
 *
 * An invocation is an object that is started and later finishes: steps run in toolhost processes
 * while the event loop goes on. invoke.c holds the states. */
#ifndef MGI_INVOKE_INVOKE_H
#define MGI_INVOKE_INVOKE_H

#include "intent/macro.h"
#include "protocol/error.h"
#include "security/principal.h"
#include "store/macro_store.h"
#include "toolpool/toolpool.h"

struct invocation; /* one running invocation */

/* How confirmation tokens are judged (design section 8, D-45, D-46). */
struct confirmation_keys {
    struct str server_key; /* HMAC key that binds challenges; random per start, or configured */
    /* The host program's key of a principal; len 0: none, so only out-of-band approval works. */
    struct str (*principal_key)(void *context, const struct principal *who);
    /* True if a person approved this challenge out of band (`manglecp confirm`). */
    bool (*approved)(void *context, struct str challenge);
    void *context;
    bool client_made; /* the specification's client-made form is accepted */
};

struct invoke_call {
    uv_loop_t *loop;             /* the pool's */
    struct snapshot *snapshot;   /* the invocation takes its own reference */
    const struct principal *who; /* copied */
    const struct json *payload;
    struct str request_id; /* envelope id, for tracing */
    int64_t clock_ns;      /* the server's real (or --clock) time */
    struct macro_store *store;
    const struct confirmation_keys *keys;
    struct toolpool *pool;
    const struct logger *log;
    struct str invocation_id; /* 32 hex digits, from the caller's randomness */
    bool wants_progress;      /* session transports */

    /* Progress (P-PROG-*): status, detail (may be empty), percent (negative: unknown). May be NULL.
     */
    void (*progress)(void *context, const char *status, struct str detail, double percent);
    /* Called exactly once, on the event loop, never from inside mgi_invoke_start: `payload` is the
     * payload object text of the invoke_response, or e->code is set. Both are valid during the
     * call. */
    void (*done)(void *context, struct str payload, const struct wire_error *e);
    void *context;
};

/*
 * Check (gates 9 and 11, all before any action: P-INV-6) and start the chain. NULL: *e says why and
 * `done` will not be called. Otherwise the invocation ends by calling `done`, after which the
 * handle is gone.
 */
struct invocation *mgi_invoke_start(const struct invoke_call *call, struct arena *arena,
                                    struct wire_error *e);

/* Stop it: the running step is cancelled, the rest skipped; `done` gets WIRE_CANCELLED (or the
 * normal end, if it came first). */
void mgi_invoke_cancel(struct invocation *inv);

/* True while every step still to come and the running one have tier 0 (T-MCP-29). */
bool mgi_invoke_harmless(const struct invocation *inv);

/* The token that answers `challenge` with a principal's key:
 * "<challenge>.<base64url(HMAC-SHA256)>". For the program the user sits before. ptr NULL when
 * memory is short. */
struct str mgi_confirmation_sign(struct arena *arena, struct str challenge, struct str key);

#endif
