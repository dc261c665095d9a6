/* The inner doll: one macro-tool, its chain of actions, the result and what changed (protocol.md
 * §2.14, gates 9 and 11; toolhost.md chapter 11).
 *
 * An invocation is a thing that goes from step to step, each of which has its place:
 *
 *     worker  new       its payload is of the right shape (gate 9)
 *     worker  check     the tool is there, valid, and the arguments and consent fit (gate 11)
 *     loop    reserve   a session for its first action, or a refusal: nothing has happened yet
 *     worker  spend     the consent is used up, if it took one
 *     loop    run       the chain, in toolhost processes; what was done is undone, if it must be
 *     worker  conclude  result, effects rules, what changed: the answer
 *     loop    free
 *
 * A dry run (invoke_call.dry_run) ends behind check, with rehearse in the place of all that
 * follows.
 *
 * Whoever makes one calls these in this order, one at a time; what does not come to its turn is
 * left out. Everything lives in the arena that it was made in, which is the invocation's until it
 * is freed, and whatever `call` points to stays as long. */
#ifndef MGI_INVOKE_INVOKE_H
#define MGI_INVOKE_INVOKE_H

#include "actions/toolpool.h"
#include "intent/intent.h"
#include "invoke/run_journal.h"
#include "journal/header.h"
#include "macro/macro.h"
#include "protocol/error.h"
#include "security/principal.h"
#include "security/signing.h"
#include "store/store.h"

struct invocation;

/* How confirmation tokens are judged (design section 8, D-45, D-46). The host program's key of a
 * principal is its `confirm_key`. */
struct confirmation_keys {
    struct str server_key; /* HMAC key that binds challenges; random per start, or configured */
    /* Somebody was told this challenge. `shown`: what a person has to see before consent to it, a
     * JSON object made of what is known here. On a worker; may be NULL. */
    void (*asked)(void *context, const struct principal *who, struct str challenge,
                  struct str shown, int64_t now_ns, int64_t until_ns);
    /* True if a person approved this challenge out of band; who it was, is appended to `by`. On a
     * worker; may be NULL. */
    bool (*approved)(void *context, struct str challenge, struct buf *by);
    void *context;
    /* Where a client may make its own tokens (principal.h), those from before are not taken:
     * whether they were used, only the server that ran then would know. */
    int64_t started_ns;
};

struct invoke_notes {        /* what happened besides; read when the invocation is over */
    bool asked;              /* the store was asked for something */
    enum store_status store; /* not STORE_OK: it did not answer the last time */
    bool concluded;          /* the effects rules ran, perhaps in vain */
    bool effects_failed;
    int64_t effects_ns;
    int64_t *fired; /* by rule of the program: how often it fired is added; NULL: nobody asks */
};

struct policy;
struct policy_answer;

/* Who picks from menus, beside rules and the heuristic. */
struct menu_pickers {
    struct policy *const *policies; /* in the order of snapshot.policies; NULL: there are none */
    /* What a policy says is played: of the step `step`, the how manyth time (from 1). Its texts
     * stay as long as `arena`. On the loop. False: memory. NULL: policies are asked. */
    bool (*say)(void *context, struct str step, uint32_t turn, struct arena *arena,
                struct policy_answer *out);
    void *context;
    struct external_player *external; /* who answers rules in place of actions; NULL: those do */
};

struct invoke_call {
    struct snapshot *snapshot;
    const struct principal *who;
    uint64_t owner; /* the principal, as a number: takes turns for hosts and workers */
    const struct json *payload;
    struct str request_id;             /* envelope id, for tracing */
    struct str invocation_id;          /* 32 hex digits, from the caller's randomness */
    const struct run_header *header;   /* of the run, for the logs; NULL: none */
    const struct run_journal *journal; /* who writes down what runs; NULL: nobody */
    int64_t clock_ns;                  /* the server's real (or --clock) time */
    const struct store *store;
    const struct confirmation_keys *keys;
    const struct invocation *answers;   /* this one asks a person, and the token of this call is to
                                           answer that; NULL: it begins anew. Borrowed for `check` */
    const struct signing_keys *signing; /* of facts that the server says; NULL: unsigned */
    const struct menu_pickers *pickers; /* NULL: menus have rules and the heuristic alone */
    struct toolpool *pool;
    uv_loop_t *loop;          /* for waits between attempts; NULL: nobody waits */
    struct task_runner tasks; /* hand NULL: everything is done where it stands */
    const struct logger *log;
    bool wants_progress; /* session transports */
    bool dry_run;        /* it is judged and told, and nothing is done */

    /* Has somebody asked for its end? Asked on workers, now and then. May be NULL. */
    bool (*cancelled)(void *context);
    /* Progress (P-PROG-*), on the loop: status, detail (may be empty), percent (negative: unknown).
     * May be NULL. */
    void (*progress)(void *context, const char *status, struct str detail, double percent);
    void *context;
    struct invoke_notes *notes; /* or NULL */
};

/* Another fault of the request's shape that the caller has found, to be told with the others: the
 * JSON Pointer from the message's root and what is wrong. */
struct invoke_fault {
    const char *pointer, *message;
};

/* Worker. `faults` end with one whose message is NULL; NULL: none. NULL: *e is malformed_message
 * with every fault, or internal_error. */
struct invocation *mgi_invocation_new(struct arena *arena, const struct invoke_call *call,
                                      const struct invoke_fault *faults, struct wire_error *e);

/* What it asks for, as sent: for a fingerprint. Borrowed. */
struct str mgi_invocation_macro_id(const struct invocation *inv);
const struct json *mgi_invocation_args(const struct invocation *inv);

/* The tool that it is about; NULL: that is not known (yet). */
const struct tool *mgi_invocation_tool(const struct invocation *inv);
/* Members of an object that the caller has begun, for a decision log: the tool, and its steps as
 * far as they are. Not while it is running. */
void mgi_invocation_record(const struct invocation *inv, struct json_writer *w, struct mask *m);
/* Free texts that `m` writes will not show what the definition has out of facts. */
struct mask;
void mgi_invocation_hide(const struct invocation *inv, struct mask *m);

/* Worker. False: *e says which gate it did not pass; nothing was done (P-INV-6). One gate is that
 * evaluating now would still offer the tool to this principal; `judge` asks the rules. NULL: nobody
 * does, for tests of what comes behind it. In a dry run no consent is asked for: one that is
 * lacking is told by rehearse. */
bool mgi_invocation_check(struct invocation *inv, struct intent_worker *judge,
                          struct wire_error *e);

/*
 * Worker, after the check of a dry run: what the run would be, as far as it can be told beforehand.
 * No action is asked for anything, no challenge is made or used up.
 *
 *   out   the payload of an invoke_response without a result is appended
 *   plan  and the object that tells: chain, arguments, effects, consent, estimates (docs/client.md)
 *
 * False: memory, and *e says so; both are as they were.
 */
bool mgi_invocation_rehearse(struct invocation *inv, struct buf *out, struct buf *plan,
                             struct wire_error *e);

/* Loop. True: there is nothing to wait for. Else `reserved` is called later, once: e NULL: go on;
 * else nothing has been done, and e says why not (rate_limited if no host became free in time). */
bool mgi_invocation_reserve(struct invocation *inv,
                            void (*reserved)(void *context, const struct wire_error *e));

/* Loop. Judging and waiting for a host take time: are the tool's window and the caller's
 * credentials still open, now, when it is about to begin? False: *e, and nothing has been done. */
bool mgi_invocation_is_timely(struct invocation *inv, int64_t clock_ns, struct wire_error *e);

/* Does `spend` have anything to do? */
bool mgi_invocation_is_consented(const struct invocation *inv);
/* Worker. False: *e; the consent was used up before, or the store cannot say so. */
bool mgi_invocation_spend(struct invocation *inv, struct wire_error *e);

/* Loop. True: the chain is over already, or asks a person. Else `ran` is called later, once. */
bool mgi_invocation_run(struct invocation *inv, void (*ran)(void *context));

/*
 * Has the chain stopped to ask a person (a menu said ASK_SUP, or rules ask before what was picked)?
 * Nothing of it is under way then, no session is held and no time runs: the invocation can be kept,
 * concluded (which makes the challenge, and is confirmation_required), and gone on with.
 */
bool mgi_invocation_asks(const struct invocation *inv);

/*
 * Loop, while it asks. Go on where it stopped.
 *
 *   why  NULL: a person agreed, and what was asked about runs. Else nobody did: the step failed, a
 *        word for details.reason
 *
 * Returns as mgi_invocation_run() does, and calls `ran` likewise.
 */
bool mgi_invocation_go_on(struct invocation *inv, const char *why, void (*ran)(void *context));

/* While it asks: the nonce of its challenge, in `out`. */
#define INVOKE_NONCE_BYTES 48
void mgi_invocation_asked_nonce(const struct invocation *inv, char out[INVOKE_NONCE_BYTES]);
/* The nonce that a confirmation token (text from outside) is about; ptr NULL: it is none. Borrowed.
 */
struct str mgi_confirmation_nonce(struct str token);

/* While it asks: it belongs to another caller's step from now on, with its callbacks and what they
 * need.
 *
 *   arena  where inv's own was moved to (the same memory, another struct)
 *   call   as in mgi_invocation_new(); payload and invocation id stay its own
 *   by     whose consent was accepted (of call.answers); NULL: nobody's
 */
void mgi_invocation_rehost(struct invocation *inv, struct arena *arena,
                           const struct invoke_call *call, const struct invocation *by);

/* Has anything been asked of an action? If not, nothing can have happened. */
bool mgi_invocation_acted(const struct invocation *inv);

/* After `run`: is concluding so little that the loop may do it? Without rules, schemas and changes,
 * of a few short outputs; it needs no overlay then. */
bool mgi_invocation_is_plain(const struct invocation *inv);

/*
 * Worker, after `run`; the loop, if it is plain.
 *
 *   spare  an empty overlay over the snapshot's base, to be used if none was needed so far; it is
 *          empty again on return. NULL: one is made
 *   out    the payload object of the invoke_response is appended, and e->code stays WIRE_OK; or
 *   e      says how it failed, and what happened nevertheless; then `out` is untouched
 */
void mgi_invocation_conclude(struct invocation *inv, mangle_overlay *spare, struct buf *out,
                             struct wire_error *e);

/* Loop, while it is reserving or running: what runs is cancelled, the rest skipped, and what was
 * done undone if the tool is a transaction; then `ran` (or, while reserving, `reserved`) is called
 * as usual. */
void mgi_invocation_cancel(struct invocation *inv);

/* True while every step still to come and the running ones have tier 0 (T-MCP-29), and ending it
 * now would undo nothing. */
bool mgi_invocation_is_harmless(const struct invocation *inv);

/* Loop; at any time but while it is running, or while a worker has it. NULL is fine. */
void mgi_invocation_free(struct invocation *inv);

/* The answer for an invocation of which only its beginning is known: *e is
 * execution_failed, indeterminate. */
void mgi_invocation_unknown(struct arena *arena, struct wire_error *e);

/* The token that answers `challenge` with a principal's key:
 * "<challenge>.<base64url(HMAC-SHA256)>". For the program the user sits before. ptr NULL when
 * memory is short. */
struct str mgi_confirmation_sign(struct arena *arena, struct str challenge, struct str key);

#endif
