/* Shared inside src/invoke: one invocation and its parts, from above.
 *
 *     invoke.c    gates: what an invocation is, and whether it may run
 *     dry_run.c   what a run would be, told instead of it
 *     chain*.c    the steps, one after the other (chain_int.h)
 *     outcome.c   result, delta, observability, next -> payload; failures -> details
 *     effects.c   what the rules say about the outcome
 *     delta.c     what changed: the tools' own deltas, merged
 *     arguments.c what steps, rules and who consents see of the arguments
 *     confirm.c   challenges and the tokens that answer them
 *     sources.c   where inputs and results come from
 *
 * An invocation is in the hands of one thread at a time: that of its caller's step (invoke.h), or,
 * while the chain is COMPOSING or DIGESTING, that of the worker that its task was handed to. Then
 * the loop reads only what the worker does not write (`state`, `settled`, which steps there are)
 * and writes `cancelled` alone, which is atomic. All memory is the arena's, but for the sessions,
 * which go back to the pool when the chain is over, and an overlay of its own:
 * mgi_invocation_free() gives up both. */
#ifndef MGI_INVOKE_INVOKE_INT_H
#define MGI_INVOKE_INVOKE_INT_H

#include "invoke/invoke.h"

#define DELTA_MAX_ENTRIES 20000 /* of all deltas of an invocation */

enum step_state { STEP_PENDING, STEP_SUCCESS, STEP_FAILURE, STEP_SKIPPED };

struct step_run {
    const struct step *step;
    enum step_state state;
    bool has_output;
    struct json output;
    struct str detail; /* for people, at most 200 bytes of one line */
    int64_t duration_ms;
};

struct delta_fact {
    struct str pred;
    const mangle_value *args; /* MANGLE_NONE is the wildcard of a retraction */
    uint32_t count;
    bool has_t;
    struct mangle_interval t;
    struct str category; /* assertions: "server", "session", "derived" */
    struct str source_type;
    bool dropped; /* taken back by a later retraction, or rolled up */
};

struct fact_vec {
    struct delta_fact *items;
    size_t count, cap;
};

struct plugin_session {
    const struct action_provider *provider;
    struct toolsession *session;
    bool fresh; /* no step has run in it */
};

struct suggestion {
    struct str name, description;
    mangle_value value; /* the name, to find its parameters */
};

/* What the chain waits for. */
enum chain_state {
    CHAIN_IDLE,      /* it has not begun, or is between two callbacks */
    CHAIN_TAKING,    /* waits for a session */
    CHAIN_COMPOSING, /* the next step is prepared on a worker */
    CHAIN_CALLING,   /* an action runs */
    CHAIN_DIGESTING, /* what it answered is checked on a worker */
    CHAIN_OVER
};

/* How a person agreed to it. */
enum consent {
    CONSENT_NONE,        /* nobody had to */
    CONSENT_WAIVED,      /* nobody had to, because the operator waived it for this caller */
    CONSENT_SIGNED,      /* with the caller's confirmation key */
    CONSENT_APPROVED,    /* out of band */
    CONSENT_CLIENT_MADE, /* as the client says, with that key */
};

struct invocation {
    struct arena *arena; /* of the request: everything below */
    struct invoke_call call;
    struct snapshot *snapshot; /* call.snapshot */
    struct str macro_id;
    const struct json *sent_args, *token;
    const struct tool *tool;
    struct macro macro;
    struct json args;    /* with defaults, and with what is bound */
    int64_t now_ns;      /* evaluation time of the effects rules */
    int64_t begun_ns;    /* monotonic */
    int64_t deadline_ns; /* monotonic */
    enum consent consent;
    struct str approver; /* CONSENT_APPROVED: who it was */
    struct str nonce;    /* of the consent, to be spent; ptr NULL: none */
    int64_t nonce_issued_ns, nonce_until_ns;

    /* the chain */
    struct step_run *runs;
    size_t run_count, current; /* while a step is prepared on a worker, `current` is its */
    size_t settled;            /* the same, for the loop meanwhile */
    enum chain_state state;
    struct plugin_session *sessions;
    size_t session_count;
    struct toolticket *ticket; /* TAKING */
    void (*reserved)(void *context, const struct wire_error *e);
    void (*ran)(void *context);
    struct task task; /* COMPOSING, DIGESTING */
    struct tool_inputs inputs;
    const char *fault; /* what preparing or digesting found wrong; NULL: nothing */
    struct json state_delta;
    size_t kept_bytes; /* of the steps' outputs */
    bool reserving;    /* nothing has happened yet: only the first session is wanted */
    bool prepared;     /* inputs and fault are those of the current step */
    bool inside;       /* who reserves or runs it must not be called back */
    bool acted;
    atomic_bool cancelled; /* set on the loop, read on workers, too */
    bool chain_ended;      /* early, by a failure */
    size_t failed_step;    /* if chain_ended */
    const char *failure;   /* details.reason; NULL: none */
    bool indeterminate;
    double last_percent;
    int64_t last_progress_ns;

    mangle_overlay *overlay; /* values of the delta; the effects rules */
    mangle_values *values;
    struct fact_vec asserts, retracts;
    uint32_t *known; /* assertions by hash, to find a repeated one: index + 1; open addressing */
    size_t known_cap, known_count;
    bool nomem; /* the outcome is not told in full */
};

/* False, and *e is internal_error: memory is short. */
static inline bool mgi_invocation_nomem(struct invocation *inv, struct wire_error *e)
{
    mgi_wire_error(e, inv->arena, WIRE_INTERNAL_ERROR, "The server ran out of memory.");
    return false;
}

int64_t mgi_invocation_mono(void *context); /* monotonic nanoseconds, for limits of rules */

/* arguments.c ------------------------------------------------------------------------------- */

/* inv->args: what was sent, with defaults; what was fixed at evaluation stands above an argument of
 * its name (D-43). False: memory. */
bool mgi_args_settle(struct invocation *inv);
/* Did a rule fill it in? */
bool mgi_args_is_bound(const struct invocation *inv, struct str name);
/* The members "args", without what rules filled in, and "bound": [{name, value}]; without `values`
 * the names alone. */
void mgi_args_write(const struct invocation *inv, struct json_writer *w);
void mgi_args_write_bound(const struct invocation *inv, struct json_writer *w, bool values);

/* confirm.c --------------------------------------------------------------------------------- */

/* Did the caller send a token? */
bool mgi_confirm_is_given(const struct invocation *inv);
/* Gate: does inv->token (absent, null or text) answer for inv->sent_args? Notes the nonce. */
bool mgi_confirm_check(struct invocation *inv, struct wire_error *e);
/* What the user is shown before consent (P-CONF-3): an object. The arguments are settled. */
void mgi_confirm_write_show(const struct invocation *inv, struct json_writer *w);
bool mgi_confirm_refuse(struct invocation *inv, const char *reason, struct wire_error *e);

/* sources.c --------------------------------------------------------------------------------- */

enum source_found { SOURCE_WRITTEN, SOURCE_ABSENT, SOURCE_MISSING };
/* Write the value of `src`. ABSENT: it is optional and there is nothing (nothing was written);
 * MISSING: there should be something; *what names it. */
enum source_found mgi_source_write(struct invocation *inv, struct json_writer *w,
                                   const struct value_source *src, const char **what);
bool mgi_source_truth(struct invocation *inv, const struct value_source *src);
/* About how many bytes mgi_source_write() would write; counting ends beyond `enough`. */
size_t mgi_source_bytes(const struct invocation *inv, const struct value_source *src,
                        size_t enough);

/* delta.c ----------------------------------------------------------------------------------- */

/* Take a tool's own delta. False: it breaks the rules, and *why says how (then nothing was taken);
 * or memory is short (then part of it may have been). */
bool mgi_delta_take(struct invocation *inv, const struct json *delta, const char **why);
bool mgi_delta_assert(struct invocation *inv, const struct delta_fact *fact);
bool mgi_delta_retract(struct invocation *inv, const struct delta_fact *pattern);
/* Drop what a client could not send back, then roll up what is too much. */
void mgi_delta_finish(struct invocation *inv);
void mgi_delta_write(struct invocation *inv, struct json_writer *w);
/* Would the server accept this fact in a request (D-49)? */
bool mgi_delta_acceptable(struct invocation *inv, const struct delta_fact *fact);
/* The overlay whose values deltas are made of. False: memory. */
bool mgi_delta_ready(struct invocation *inv);

/* record.c ---------------------------------------------------------------------------------- */

/* Text for the server's log, without what the domain masks of arguments and `result` (or NULL). */
const char *mgi_invocation_masked(struct invocation *inv, const struct json *result,
                                  const char *text);

/* effects.c --------------------------------------------------------------------------------- */

struct effects {
    struct suggestion *suggestions;
    size_t suggestion_count;
    struct fact_vec continuation;
    struct str summary;     /* "" if no rule says one */
    const char *incomplete; /* what a client is told if not all of it is there; NULL: it is */
    bool cancelled;
};
/* Evaluate the rules on the outcome: adds to the delta, fills *out. What failed is in the log. */
void mgi_effects(struct invocation *inv, const struct json *result, struct effects *out);
void mgi_suggestion_write(struct invocation *inv, struct json_writer *w,
                          const struct suggestion *s);

#endif
