/* Shared inside src/intent: one evaluation and its parts, in the order they are made (intent.c). */
#ifndef MGI_INTENT_INTENT_INT_H
#define MGI_INTENT_INTENT_INT_H

#include "intent/intent.h"
#include "intent/offer_memo.h"
#include "macro/macro.h"
#include "protocol/error.h"
#include "protocol/fact.h"

enum preference { PREFER_ADAPTIVE, PREFER_FULL, PREFER_CONDENSED, PREFER_MINIMAL };

#define NO_LIMIT (-1) /* of max_tools, max_tokens */

/* The payload, checked for shape (gate 9). */
struct intent_request {
    struct str name;
    const struct json *params; /* NULL: none */
    const struct json *facts;  /* an array; count 0 if absent */
    int64_t now_ns;            /* evaluation time: asked for, or the server's clock */
    int64_t max_facts, max_intervals, max_ms; /* the stricter of client and server */
    int64_t max_tools, max_tokens;
    bool want_proof;
    enum preference preference;
};

/* False: *e is malformed_message with every fault. */
bool mgi_intent_request_read(const struct intent_call *call, struct arena *arena,
                             struct intent_request *out, struct wire_error *e);

enum level { LEVEL_NONE, LEVEL_MINIMAL, LEVEL_CONDENSED, LEVEL_FULL };
const char *mgi_level_name(enum level level);

struct root;
struct choice; /* a tool that may be shown */

struct evaluation {
    const struct intent_call *call;
    const struct snapshot *s;
    struct arena *arena;
    struct intent_request request;
    const struct intent_entry *listed; /* NULL: the manifest does not list this intent */
    mangle_overlay *overlay;
    mangle_values *values;
    struct digest_memo *digests; /* of the worker */
    struct offer_memo *offers;   /* NULL: none is remembered */
    struct fact_list facts;
    const struct wire_fact **sent; /* the same, sorted, once it was asked for: sent.c */
    const struct str *upgrades;    /* macro ids of disclosure_upgrade */
    size_t upgrade_count;
    uint8_t *upgraded; /* by rank of tool, once it was asked for: mgi_is_upgraded() */
    struct mangle_stats stats;
    int64_t started_ns;                       /* of call->mono */
    mangle_profile *profile;                  /* of the worker; NULL: nobody asks */
    int64_t lap_ns, stages_ns[INTENT_STAGES]; /* where somebody does */

    struct refusal *refusals;            /* see refused.c */
    size_t refusal_count, refused_count; /* listed; all */
    bool refused_told;                   /* the caller may know of one */
    size_t foreign_signatures;           /* of facts whose signature does not hold */
    int64_t vouched_until_ns; /* when the first signature that counts is too old; else the end of
                                 time */

    struct root *roots; /* contenders in rank order */
    size_t root_count;
    struct choice *choices; /* tools that come out; order D-30 at the end */
    size_t choice_count;
    bool until_known;
    int64_t until_ns;  /* of what all choices depend on together: window.c */
    bool brief_skills; /* required_skills carry summaries: the budget is tight */
    bool no_overview;  /* and the lines about what there is are left out */
    struct wire_error *e;
    bool nomem; /* memory ran out: the caller answers internal_error */
};

/* intent.c: what passed since the last time was `stage`. */
void mgi_ev_lap(struct evaluation *ev, enum intent_stage stage);

/* intent.c: of the snapshot whose overlay the worker has. */
struct digest_memo *mgi_intent_worker_digests(struct intent_worker *w);
/* NULL: whether an offer stands is to be asked of the rules every time, as it is from now on with
 * mgi_intent_worker_asks_always(), for tests. */
bool mgi_intent_worker_is_of(const struct intent_worker *w, const struct snapshot *s);
struct offer_memo *mgi_intent_worker_offers(struct intent_worker *w);
void mgi_intent_worker_asks_always(struct intent_worker *w, bool always);

/* evaluate.c: facts and rules (gates 10a, 12, 10b). False: ev->e is set. */
bool mgi_intent_derive(struct evaluation *ev);

/* The same once more, for facts that were told at `told_ns` (what "now" meant in them) and an
 * ev->request.now_ns of today; nobody asks what the intent needs. Facts that would not be accepted
 * any more are in ev->facts.fault_count: then no rule ran. False: as above, or memory. */
bool mgi_intent_derive_again(struct evaluation *ev, int64_t told_ns);

/* What is left of the limits, for work on the evaluated overlay; its time is that of the whole
 * evaluation, from ev->started_ns. mgi_ev_stopped(): they have ended it (the first one counts):
 * ev->e says so, or ev->nomem. */
struct mangle_limits mgi_ev_limits(const struct evaluation *ev);
void mgi_ev_stopped(struct evaluation *ev, enum mangle_status status);
static inline bool mgi_ev_goes_on(const struct evaluation *ev)
{
    return !ev->nomem && !ev->e->code;
}

/* vouch.c: whose word counts for what is privileged: marks ev->facts. False: memory. */
bool mgi_vouch_for_facts(struct evaluation *ev);

/* refused.c: what was claimed of privileged predicates, and does not hold. */
struct refusal {
    mangle_pred pred;        /* privileged */
    struct mangle_fact fact; /* of its claims: can be explained */
    bool told;               /* to the caller */
};
bool mgi_refused_find(struct evaluation *ev);                          /* false: memory */
void mgi_warnings_write(struct evaluation *ev, struct json_writer *w); /* a member, if any */

static inline int64_t mgi_add_saturated(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? (b > 0 ? INT64_MAX : INT64_MIN) : sum;
}

/* All facts of an interface predicate, or those with `first` in their first column. NULL and 0 if
 * the program lacks it or on failure (ev->nomem). */
const struct mangle_fact *mgi_ev_facts(struct evaluation *ev, mangle_pred pred, size_t *count);
const struct mangle_fact *mgi_ev_match(struct evaluation *ev, mangle_pred pred, mangle_value first,
                                       size_t *count);
struct str mgi_ev_text(const struct evaluation *ev,
                       mangle_value v); /* of a string or name, else "" */

/* sent.c: is it the client's own: a fact that it sent, or the request itself? What an action
 * answered to an external predicate and what the server knows of the caller are the server's word.
 * O(log n) after the first time. False as well when memory is short (ev->nomem). */
bool mgi_ev_was_sent(struct evaluation *ev, const struct mangle_fact *f);

/* ---- select.c ---------------------------------------------------------------------------- */

enum lost { LOST_NOT, LOST_CONFLICT, LOST_CUTOFF, LOST_CAP, LOST_BUDGET };

struct loan { /* a member of a bundle and the score the root lends it */
    const struct tool *tool;
    int64_t score;
};

struct root {
    const struct tool *tool;
    int64_t class_, score;
    struct str phase;
    struct loan *bundle;
    size_t bundle_count;
    bool decided, kept;
    enum lost lost;
    enum level floor; /* macro_tool says at least */
    bool until_known;
    int64_t until_ns; /* until when it is a root, as far as is known */
};

struct resource {
    struct str uri, relevance;
    double priority;
};

struct choice {
    const struct tool *tool;
    int64_t score;
    struct str phase;
    enum level level;
    bool upgraded;
    struct macro macro;
    bool has_window;
    /* context, for tools in full */
    struct str instructions;
    const struct skill **skills; /* sorted by id */
    bool *inlined;
    size_t skill_count;
    struct resource *resources; /* by priority, then uri */
    size_t resource_count;
    const struct root *behind; /* the one that lends the tool its place; its own, if it is one */
    const char *const *source_rules; /* names of predicates; see mgi_source_rules_find() */
    size_t source_rule_count;        /* 0: given up, there is no room */
    size_t tokens;                   /* estimate of what it costs as it stands */
};

/* Roots from the rules, with the greedy choice finished. */
bool mgi_select_roots(struct evaluation *ev);
/* Cut-offs of adaptive mode, then max_tools_returned. Roots that go are marked as lost. */
void mgi_select_cut(struct evaluation *ev);
/* Does a root of this score, which no rule shows at some level, come out at all? */
bool mgi_select_is_shown(const struct evaluation *ev, int64_t score);
/* ev->choices from the roots that are left: scores, phases, levels. Keeps what is composed already.
 */
bool mgi_select_choices(struct evaluation *ev);
/* Mark the lowest-ranked root that is left as lost; NULL if there is none. */
const struct root *mgi_select_drop_lowest(struct evaluation *ev, enum lost why);

/* ---- choose.c ----------------------------------------------------------------------------- */

/* All of it: ev->choices, composed, at their levels, in order, within the budget. */
bool mgi_choose(struct evaluation *ev);
/* Which tools come out, and no more than that takes: for trials. */
bool mgi_choose_tools(struct evaluation *ev);

/* ---- compose.c, context.c, budget.c, render.c, proof.c ------------------------------------ */

/* The macro and its window. Without choices yet (upgrades), the window is left out. */
bool mgi_compose(struct evaluation *ev, const struct tool *tool, struct macro *out);
/* Has it values that rules bound, and that the caller is not shown? */
bool mgi_hides_values(const struct evaluation *ev, const struct macro *m);
/* window.c: from when until when a choice is one, and is made of this. */
bool mgi_compose_window(struct evaluation *ev, struct choice *c);
bool mgi_is_upgraded(struct evaluation *ev, const struct tool *tool);
/* keep.c: definitions, and what the rules were told, go to the store. What could not be kept will
 * be macro_not_found later, never another tool. */
void mgi_intent_keep(struct evaluation *ev);
/* All that the rules are told of a caller, so that equal texts mean equal facts. ptr NULL: memory.
 */
struct str mgi_intent_caller(struct arena *arena, const struct principal *who);
bool mgi_context_read(struct evaluation *ev); /* for every choice in full */
bool mgi_budget_fit(struct evaluation *ev);
void mgi_render_tool(struct evaluation *ev, struct json_writer *w, const struct choice *c);
void mgi_sort_choices(struct evaluation *ev); /* D-30 */
/* Skills that some tool in full refers to without carrying them, each once, by id. */
const struct skill **mgi_referenced_skills(struct evaluation *ev, size_t *count);
void mgi_render_skill(struct json_writer *w, const struct skill *skill, bool brief);
void mgi_render_response(struct evaluation *ev, struct json_writer *w);
void mgi_render_overview(struct evaluation *ev, struct json_writer *w); /* a member, if any */
void mgi_proof_write(struct evaluation *ev, struct json_writer *w);     /* the proof_hints object */
void mgi_diagnostics_write(struct evaluation *ev, struct json_writer *w); /* a member */
/* source_rules.c: the predicates that brought the tool, by name. False: memory. */
bool mgi_source_rules_find(struct evaluation *ev, struct choice *c);
void mgi_coverage_write(struct evaluation *ev,
                        struct json_writer *w); /* the rule_coverage object */

/* masked.c: text of the engine for the server's log, without what the domain masks of the facts and
 * parameters that were sent. */
const char *mgi_ev_masked(struct evaluation *ev, const char *text);
/* The same of what a failed evaluation says: no more than the place, if the domain masks a
 * predicate that others than clients speak of. */
const char *mgi_ev_masked_failure(struct evaluation *ev, const char *text);
/* repeated.c: values of masked predicates that `text` repeats, wherever the facts are from: the
 * mask's free texts will not show them. After the evaluation. */
void mgi_ev_remember_masked(struct evaluation *ev, struct mask *m, struct str text);
/* record.c: for call->record. `answer`: the payload, if there is no error. */
void mgi_intent_record(struct evaluation *ev, struct str answer);

#endif
