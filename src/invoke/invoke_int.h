/* Shared inside src/invoke: one invocation and its parts, from above.
 *
 *     outcome.c   result, delta, observability, next -> payload; failures -> details
 *     invoke.c    gates: what an invocation is, and whether it may run
 *     dry_run.c   what a run would be, told instead of it
 *     confirm.c   challenges and the tokens that answer them
 *     chain*.c    the steps, as a graph, and those that are menus (chain_int.h)
 *     effects.c, menu_rules.c     what the rules say about the outcome; what they pick from a menu
 *     telling.c   what rules are told of what has run
 *     evidence.c  what actions tell the effects rules, and nobody else hears of
 *     graph.c     what needs what, and the working state that follows
 *     delta_tools.c, delta.c      what changed: read from tools, and merged
 *     observed.c  observability: what ran, and what came of it
 *     record.c    what a decision log is told, and what masking hides from logs
 *     arguments.c what steps, rules and who consents see of the arguments
 *     sources.c   where inputs and results come from
 *
 * An invocation is in the hands of one thread at a time, that of its caller's step (invoke.h).
 * While the chain runs that is the loop, and what is not brief of a call (struct step_call) is a
 * worker's meanwhile: the call itself, its arena, and of its run what chain_int.h says. So `arena`
 * is the loop's while the chain runs, and a call has an arena of its own. All other memory is the
 * arena's, but for the sessions, which go back to the pool when the chain is over, and an overlay
 * of its own: mgi_invocation_free() gives up all of it. */
#ifndef MGI_INVOKE_INVOKE_INT_H
#define MGI_INVOKE_INVOKE_INT_H

#include "invoke/invoke.h"

#define DELTA_MAX_ENTRIES  20000 /* of all deltas of an invocation */
#define EVIDENCE_MAX_FACTS 20000 /* of all that its steps tell as evidence */

enum step_state { STEP_PENDING, STEP_SUCCESS, STEP_FAILURE, STEP_SKIPPED };

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

/* What an action tells the effects rules. */
struct evidence_fact {
    const struct pred_schema *schema;
    const mangle_value *args;
    bool has_t;
    struct mangle_interval t;
};

struct evidence_list {
    const struct evidence_fact *items;
    size_t count;
};

/* What a run changed of the working state of one provider. */
struct state_change {
    const struct action_provider *provider;
    struct tool_slots slots;
};

/* One step of the chain; chain_int.h says who writes what when. */
struct step_run {
    const struct step *step;
    const uint64_t *needs; /* mgi_run_needs(): places in the chain, directly or not */
    enum step_state state;
    bool has_output;
    bool indeterminate; /* it may have had an effect that is not known */
    struct json output;
    struct str detail; /* for people, at most 200 bytes of one line */
    int64_t duration_ms;
    uint32_t attempts;         /* calls that were sent, of all items */
    struct tool_slots changes; /* of the working state; what is set here was changed by it. Of a
                                  menu it is menu_run.changes */
    uint8_t clashes;           /* slots that items of it changed to different contents */
    struct fact_vec asserts, retracts; /* what it reported itself */
    struct evidence_list evidence;

    size_t waits_for; /* all before that place that it needs are over */
    bool begun;       /* it was its turn */
    bool opened;      /* `verdict` is there; a worker's while it is made */
    bool known;       /* and the loop has heard of it */
    enum { VERDICT_RUN, VERDICT_NOT_NEEDED, VERDICT_FAULT } verdict;
    bool stopped; /* foreach: no further item begins */
    bool cut;     /* not all of it ran that would have: the chain had ended, or was cancelled */
    int64_t began_ns;
    struct step_call *calls; /* as many as may be under way at once */
    size_t call_count;
    struct menu_run *menu;  /* NULL: it is no menu, or it has not begun */
    struct item_run *items; /* one, if there is no foreach; of a menu, as many as it may have steps,
                               of which item_count have begun */
    size_t item_count, item_next, item_done;
    size_t item_failed;      /* how many */
    size_t output_bytes;     /* of its items */
    const struct json *list; /* foreach: what the items are */
    struct arena arena;      /* of what belongs to no item */
};

/* What came of an item of a foreach, or of a call that a menu led to; of any other step there is
 * one, too. */
struct item_run {
    enum step_state state;
    bool has_output; /* foreach; else the run has it, and what is below */
    struct json output;
    struct str detail;
    struct tool_slots changes;
    struct fact_vec asserts, retracts;
    struct evidence_list evidence;
    struct arena arena; /* the call's: all of the above */

    const struct menu_option *option; /* of a menu: what was picked, what it was given, and what */
    const struct json *given;         /* selectors are told of it */
    enum select_status status;

    bool unsure; /* it failed, and may have had an effect that is not known */
    struct step_run *run;
    struct item_run *done_before; /* what was done: a list, newest first */
    struct {                      /* of its compensation */
        enum step_state state;
        bool unsure;
        struct str detail;
        int64_t duration_ms;
        const char *reason; /* why it is not undone; NULL: it is, or nobody tried */
        struct fact_vec asserts, retracts;
    } undo;
};

/* Has it items, each with what it came to? */
static inline bool mgi_run_has_items(const struct step_run *run)
{
    return run->step->has_foreach || run->step->menu;
}
/* What ran there, and what undoes it (action NULL: nothing does). */
static inline const struct action *mgi_item_action(const struct item_run *item)
{
    return item->option ? item->option->action : item->run->step->action;
}
static inline const struct compensation *mgi_item_undo(const struct item_run *item)
{
    return item->option ? &item->option->undo : &item->run->step->undo;
}
/* How events and messages call it (T-MCP-10). */
static inline struct str mgi_run_name(const struct step_run *run)
{
    return run->step->action ? run->step->action->name : run->step->id;
}

struct suggestion {
    struct str name, description;
    mangle_value value; /* the name, to find its parameters */
};

/* How a person agreed to it. */
enum consent {
    CONSENT_NONE,        /* nobody had to */
    CONSENT_WAIVED,      /* nobody had to, because the operator waived it for this caller */
    CONSENT_SIGNED,      /* with the caller's confirmation key */
    CONSENT_APPROVED,    /* out of band */
    CONSENT_CLIENT_MADE, /* as the client says, with that key */
};

#define REPORTS_A_SECOND 10 /* of progress, at most (T-MCP-30) */

struct invocation {
    struct arena *arena; /* of the request: everything below */
    struct invoke_call call;
    struct snapshot *snapshot; /* call.snapshot */
    struct str macro_id;
    const struct json *sent_args, *token;
    const struct json *said; /* what the tool said, where rules add to it; else NULL */
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
    size_t run_count;
    struct chain *chain; /* how it is going; NULL: it was not made */
    void (*reserved)(void *context, const struct wire_error *e);
    void (*ran)(void *context);
    bool inside; /* who reserves or runs it must not be called back */
    bool acted;
    atomic_bool cancelled; /* set on the loop, read on workers, too */
    bool chain_ended;      /* early, by a failure */
    size_t failed_step;    /* if chain_ended: the first in the list that ended it */
    const char *failure;   /* details.reason; NULL: none */
    bool indeterminate;
    bool undone; /* what had been done was, or should have been: there is no result */
    const struct step_run *asking; /* the chain has stopped to ask a person; NULL: it has not */
    uint32_t asks;                 /* how often it has, this time included */
    struct item_run *last_done;    /* what had effects, or can be undone; newest first */
    double last_percent;
    int64_t reported_ns[REPORTS_A_SECOND]; /* the latest ones, a ring */
    uint64_t reports;

    mangle_overlay *overlay; /* values of the delta; the effects rules */
    mangle_values *values;
    struct fact_vec asserts, retracts;
    uint32_t *known; /* assertions by hash, to find a repeated one: index + 1; open addressing */
    size_t known_cap, known_count;
    bool nomem;    /* the outcome is not told in full */
    bool overflow; /* nor is what changed: it was too much */
};

/* False, and *e is internal_error: memory is short. */
static inline bool mgi_invocation_nomem(struct invocation *inv, struct wire_error *e)
{
    mgi_wire_error(e, inv->arena, WIRE_INTERNAL_ERROR, "The server ran out of memory.");
    return false;
}

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
/* The chain asks: *e is confirmation_required, with the challenge, what the user is shown, and what
 * has happened so far. */
void mgi_confirm_ask_within(struct invocation *inv, struct wire_error *e);
/* Gate of an invocation that answers such a question: as mgi_confirm_check(). */
bool mgi_confirm_check_answer(struct invocation *inv, struct wire_error *e);

/* chain.c: what it asks a person, while it does. */
struct menu_step_ask;
const struct menu_step_ask *mgi_chain_ask(const struct invocation *inv);

/* graph.c ----------------------------------------------------------------------------------- */

/* The chain as composed: runs, what each needs. False: a step of the definition is not in the
 * template, or memory. */
bool mgi_graph_make(struct invocation *inv);
/* Does `run` need that of place `at`, directly or not? */
bool mgi_run_needs(const struct step_run *run, size_t at);
/* The working state that an action of `provider` begins with: what the runs that `run` needs, and
 * with `own` itself, changed by actions of that provider, in their order. NULL: it was put
 * together; else what is wrong with it, a text in `arena`. Reads runs that are over, alone. */
const char *mgi_graph_state(const struct invocation *inv, const struct step_run *run, bool own,
                            const struct action_provider *provider, struct arena *arena,
                            struct tool_slots *out);
/* Is that the very state that was there when `last` was over? Of a menu, that of its last call. */
bool mgi_graph_follows(const struct invocation *inv, const struct step_run *run,
                       const struct action_provider *provider, const struct step_run *last);
/* Does the step run actions of that provider? */
bool mgi_step_uses(const struct step *step, const struct action_provider *provider);
/* May it, or what undoes it, have an effect? */
bool mgi_step_has_effects(const struct step *step);
void mgi_slots_apply(struct tool_slots *state, const struct tool_slots *change);
bool mgi_slots_any(const struct tool_slots *change);

/* sources.c --------------------------------------------------------------------------------- */

enum source_found { SOURCE_WRITTEN, SOURCE_ABSENT, SOURCE_MISSING };
/* From where a template's references are looked at. */
struct source_view {
    const struct invocation *inv;
    struct arena *arena;             /* for words */
    const struct json *item, *index; /* of a foreach; or NULL */
    const struct step_run *own;      /* a compensation: of this run ... */
    const struct json *own_output;   /* ... the output is this; NULL: there is none */
};
/* Write the value of `src`. ABSENT: it is optional and there is nothing (nothing was written);
 * MISSING: there should be something; *what names it. */
enum source_found mgi_source_write(const struct source_view *view, struct json_writer *w,
                                   const struct value_source *src, const char **what);
bool mgi_source_truth(const struct source_view *view, const struct value_source *src);
/* The value that a leaf refers to, borrowed; NULL: there is none, or it is a map or a list. */
const struct json *mgi_source_find(const struct source_view *view, const struct value_source *src);
/* About how many bytes mgi_source_write() would write; counting ends beyond `enough`. */
size_t mgi_source_bytes(const struct source_view *view, const struct value_source *src,
                        size_t enough);

/* delta.c ----------------------------------------------------------------------------------- */

/* Read a tool's own delta into *asserts and *retracts, which live in `arena`. `before` counts what
 * is known already that it comes on top of. False: it breaks the rules, or memory is short: *why
 * says so. Values are interned in inv->values: one thread at a time. */
bool mgi_delta_read(struct invocation *inv, struct arena *arena, const struct json *delta,
                    size_t before, struct fact_vec *asserts, struct fact_vec *retracts,
                    const char **why);
/* Append what was read. False: memory, or more than DELTA_MAX_ENTRIES in all (the rest is left
 * out). */
bool mgi_delta_merge(struct invocation *inv, const struct fact_vec *asserts,
                     const struct fact_vec *retracts);
/* What the steps reported, in their order, without those that were undone; then what the
 * compensations did. Once, when the chain is over. False as above. */
bool mgi_delta_merge_steps(struct invocation *inv);
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

/* observed.c -------------------------------------------------------------------------------- */

size_t mgi_count_state(const struct invocation *inv, enum step_state state);
/* The member "completed_steps": ids. */
void mgi_completed_write(const struct invocation *inv, struct json_writer *w);
/* Cancelled before all of it had run? */
bool mgi_was_cut(const struct invocation *inv);
/* The member `observability`. `summary`: len 0: one is made; `incomplete`: a warning, or NULL. */
void mgi_observability_write(struct invocation *inv, struct json_writer *w, struct str summary,
                             const char *incomplete);

/* telling.c --------------------------------------------------------------------------------- */

/* To whom facts are told. Who has it has what it points to: `inv` is only read. */
struct telling {
    const struct invocation *inv;
    mangle_overlay *overlay;
    mangle_values *values; /* the overlay's */
    struct arena *arena;   /* scratch */
    bool nomem;            /* not all of it was told */
};
/* Facts of a predicate that this program lacks, or that a rule computes, are simply not told. */
void mgi_tell(struct telling *t, mangle_pred pred, const mangle_value *args, uint32_t count,
              const struct mangle_interval *during);
mangle_value mgi_tell_text(struct telling *t, struct str s);
/* MANGLE_NONE: it has no counterpart (null, numbers out of range); or memory. */
mangle_value mgi_tell_value(struct telling *t, const struct json *v);
/* The same of an object, of which members without a counterpart are left out. */
mangle_value mgi_tell_object(struct telling *t, const struct json *object);
/* pred(Name, Value) of each member of `object`, but for one. */
void mgi_tell_members(struct telling *t, mangle_pred pred, const struct json *object,
                      const char *except);
void mgi_tell_arguments(struct telling *t);
/* What came of a run that is over. */
void mgi_tell_run(struct telling *t, const struct step_run *run);
/* Evaluate the rules on what was told, within the server's limits, and note which fired. */
enum mangle_status mgi_tell_rules(const struct invocation *inv, mangle_overlay *overlay,
                                  bool (*cancelled)(void *context), void *context,
                                  struct mangle_error *err);
int64_t mgi_invocation_mono(void *context); /* monotonic nanoseconds, for limits of rules */

/* evidence.c -------------------------------------------------------------------------------- */

/* Read what an answer tells as evidence into *out, which lives in `arena`. `before` counts what is
 * known already that it comes on top of. False: it breaks the rules, or memory is short: *why says
 * so. Values are interned in inv->values: one thread at a time. */
bool mgi_step_evidence_read(struct invocation *inv, struct arena *arena,
                            const struct tool_result *r, size_t before, struct evidence_list *out,
                            const char **why);
/* All that the steps told, up to EVIDENCE_MAX_FACTS. False: there was more. A chain that is undone
 * has no rules to tell. */
bool mgi_step_evidence_tell(struct telling *t);

/* effects.c --------------------------------------------------------------------------------- */

struct effects {
    struct suggestion *suggestions;
    size_t suggestion_count;
    struct fact_vec continuation;
    const struct json *members; /* an object: what rules put into the result; NULL: nothing */
    struct str summary;         /* "" if no rule says one */
    const char *incomplete;     /* what a client is told if not all of it is there; NULL: it is */
    bool partly_told;           /* that is so of what rules put into the result, too */
    bool cancelled;
};
/* Evaluate the rules on the outcome: adds to the delta, fills *out. What failed is in the log. */
void mgi_effects(struct invocation *inv, const struct json *result, struct effects *out);
void mgi_suggestion_write(struct invocation *inv, struct json_writer *w,
                          const struct suggestion *s);

#endif
