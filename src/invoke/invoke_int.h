/* Shared inside src/invoke: one invocation and its parts.
 *
 *     invoke.c    gates, then the life of an invocation
 *     confirm.c   challenges and the tokens that answer them
 *     sources.c   where inputs and results come from
 *     chain.c     the steps, one after the other
 *     delta.c     what changed: the tools' own deltas, merged
 *     effects.c   what the rules say about the outcome
 *     answer.c    result, delta, observability, next -> payload; failures -> details */
#ifndef MGI_INVOKE_INVOKE_INT_H
#define MGI_INVOKE_INVOKE_INT_H

#include "invoke/invoke.h"

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
    struct str plugin;
    struct toolsession *session;
    bool fresh; /* no step has run in it */
};

struct suggestion {
    struct str name, description;
    mangle_value value; /* the name, to find its parameters */
};

struct invocation {
    struct arena arena; /* of the invocation: everything below */
    struct invoke_call call;
    struct principal who;
    struct snapshot *snapshot;
    const struct tool *tool;
    struct macro macro;
    struct json args; /* with defaults */
    bool has_eval_time;
    int64_t now_ns;      /* evaluation time of the effects rules */
    int64_t begun_ns;    /* monotonic */
    int64_t deadline_ns; /* monotonic */
    uv_timer_t timer;    /* begins the chain from the loop; owned until closed */

    struct step_run *runs; /* the chain */
    size_t run_count, current;
    bool running; /* a step has been sent */
    struct plugin_session *sessions;
    size_t session_count;
    struct toolticket *ticket; /* waiting for a session */
    bool cancelled;
    bool chain_ended;    /* early, by a failure */
    size_t failed_step;  /* if chain_ended */
    const char *failure; /* details.reason; NULL: none */
    bool indeterminate;
    double last_percent;
    int64_t last_progress_ns;

    mangle_overlay *overlay; /* values of the delta; the effects rules */
    mangle_values *values;
    struct fact_vec asserts, retracts;
    uint32_t *known; /* assertions by hash, to find a repeated one: index + 1; open addressing */
    size_t known_cap, known_count;
    bool nomem;
};

/* confirm.c --------------------------------------------------------------------------------- */

/* Gate: does `token` (JSON: absent, null or text) answer for these arguments? Spends its nonce. */
bool mgi_confirm_check(const struct invoke_call *call, struct arena *a, const struct macro *m,
                       const struct tool *tool, const struct json *args, const struct json *token,
                       struct wire_error *e);

/* sources.c --------------------------------------------------------------------------------- */

enum source_found { SOURCE_WRITTEN, SOURCE_ABSENT, SOURCE_MISSING };
/* Write the value of `src`. ABSENT: it is optional and there is nothing (nothing was written);
 * MISSING: there should be something; *what names it. */
enum source_found mgi_source_write(struct invocation *inv, struct json_writer *w,
                                   const struct value_source *src, const char **what);
bool mgi_source_truth(struct invocation *inv, const struct value_source *src);

/* chain.c ----------------------------------------------------------------------------------- */

void mgi_chain_begin(struct invocation *inv);
void mgi_chain_cancel(struct invocation *inv);
void mgi_chain_release(struct invocation *inv); /* sessions back to the pool */

/* delta.c ----------------------------------------------------------------------------------- */

/* Take a tool's own delta. False: it breaks the rules; *why says how (then nothing was taken). */
bool mgi_delta_take(struct invocation *inv, const struct json *delta, const char **why);
bool mgi_delta_assert(struct invocation *inv, const struct delta_fact *fact);
bool mgi_delta_retract(struct invocation *inv, const struct delta_fact *pattern);
/* Drop what a client could not send back, then roll up what is too much. */
void mgi_delta_finish(struct invocation *inv);
void mgi_delta_write(struct invocation *inv, struct json_writer *w);
bool mgi_delta_is_empty(const struct invocation *inv);
/* Would the server accept this fact in a request (D-49)? */
bool mgi_delta_acceptable(struct invocation *inv, const struct delta_fact *fact);

/* effects.c --------------------------------------------------------------------------------- */

struct effects {
    struct suggestion *suggestions;
    size_t suggestion_count;
    struct fact_vec continuation;
    struct str summary; /* "" if no rule says one */
};
/* Evaluate the rules on the outcome: adds to the delta, fills *out. False: evaluation failed (the
 * reason was logged); the outcome is answered without what the rules would have added. */
bool mgi_effects(struct invocation *inv, const struct json *result, struct effects *out);
void mgi_suggestion_write(struct invocation *inv, struct json_writer *w,
                          const struct suggestion *s);

void mgi_overlay_drop(struct invocation *inv);

/* invoke.c: `done` has been called; give everything back. */
void mgi_invocation_end(struct invocation *inv);

/* answer.c ---------------------------------------------------------------------------------- */

/* The chain is over: compose and deliver `done`. The invocation ends. */
void mgi_invocation_finish(struct invocation *inv);

#endif
