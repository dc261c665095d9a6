/* Why a tool did not come out of an evaluation, and what would have brought it. Inside src/intent.
 *
 *     why_not.c         a tool after the other: what may be told of it, as JSON
 *     why_not_reasons.c why, as JSON: rules with their places, facts of the client
 *     why_not_phase.c   where the pipeline lost it
 *     why_not_search.c  sets of changes to the facts, by size; each is tried by evaluating it
 *     why_not_goals.c   how far that is followed
 *     why_not_propose.c from an evaluation in which the tool is lost to changes that may help
 *     why_not_values.c  facts that a client could send, where a rule leaves values open
 *
 * What is told to have brought the tool was evaluated, and brought it: what proposes may be wrong
 * and never matters but for what is not found. All of it is bounded, and says so where a bound was
 * hit. */
#ifndef MGI_INTENT_WHY_NOT_H
#define MGI_INTENT_WHY_NOT_H

#include "base/strmap.h"
#include "intent/intent_int.h"

#define WHY_NOT_CHANGES     3  /* of one set */
#define WHY_NOT_SETS        5  /* that are told, of one tool */
#define WHY_NOT_EVALUATIONS 64 /* of one tool */
#define WHY_NOT_POOL        96 /* different changes that are thought of, of one tool */
#define WHY_NOT_PROPOSALS   16 /* from one evaluation */
#define WHY_NOT_GOALS       64 /* that are followed for the phase, and for the reasons, of one tool */

/* One fact more, or one less (all that have its predicate and arguments). */
struct why_change {
    bool add;
    uint32_t fact;     /* of the request, the first such one: to remove */
    struct json value; /* to add: a fact object, with its text */
};

/* Indexes of changes, ascending. */
struct why_set {
    uint8_t count, at[WHY_NOT_CHANGES];
};

/* Missing facts of which the engine was asked why they are: each once, so many at most. */
struct why_goals {
    struct strmap seen;
    size_t count, most;
};

struct why_search {
    struct evaluation *ev; /* the one that is asked about */
    const struct tool *tool;
    mangle_overlay *overlay; /* for trying: another one over the same base */
    struct arena scratch;    /* of one trial */
    struct intent_call call; /* of trials: without notes and log */
    struct wire_error fault; /* of the last trial */
    int64_t deadline_ns;     /* monotonic; INT64_MAX: none */
    int64_t facts_left;      /* that trials may derive, together */

    struct why_change *pool;
    size_t pool_count;
    bool pool_full;
    struct why_set found[WHY_NOT_SETS];
    size_t found_count;
    size_t evaluations;
    const char *limit; /* the bound that was hit, as it is told; NULL: none */
};

/* What an evaluation proposes, best first: indexes into the pool. */
struct why_proposals {
    uint8_t items[WHY_NOT_PROPOSALS];
    size_t count;
};

/* ---- why_not_values.c --------------------------------------------------------------------- */

/* The schema under which a client may send facts of `pred`, or NULL. */
const struct pred_schema *mgi_why_sendable(const struct snapshot *s, mangle_pred pred);

/* Give each column of `wanted` that is open a value, in several ways; `each` is called for every
 * one. Values are of ev->values. */
void mgi_why_instances(struct evaluation *ev, const struct pred_schema *schema,
                       const struct mangle_wanted *wanted,
                       void (*each)(void *context, const mangle_value *args), void *context);

/* Is it among those that come out? */
bool mgi_why_is_chosen(const struct evaluation *ev, const struct tool *tool);
/* May a caller that is not told in full see this value (of node->values) in an answer about `tool`?
 * What it sent, what rules name that may be quoted, and tools that it is shown; nothing else that
 * the server knows, numbers neither. */
bool mgi_why_may_tell(struct evaluation *node, const struct evaluation *asked,
                      const struct tool *tool, mangle_value v);

/* May its words be told to such a caller? Those of the policy may not. */
bool mgi_why_may_quote(const struct evaluation *ev, size_t rule);

/* ---- why_not_goals.c ----------------------------------------------------------------------- */

/* May the engine be asked about this fact of s->ev or a trial? False as well when it is late, or
 * nobody waits any more; but the first of `goals` is never late. */
bool mgi_why_may_follow(struct why_search *s, struct why_goals *goals, mangle_pred pred,
                        const mangle_value *args);

/* ---- why_not_propose.c -------------------------------------------------------------------- */

/* Is this fact of the request taken away by a change of the set? */
bool mgi_why_removes(const struct why_search *s, const struct why_set *set, size_t fact);
/* From `node`, which is s->ev or a trial of the set `made`. Changes are added to the pool. */
void mgi_why_propose(struct why_search *s, struct evaluation *node, const struct why_set *made,
                     struct why_proposals *out);

/* ---- why_not_search.c --------------------------------------------------------------------- */

/* False: memory (ev->nomem), or cancelled (*ev->e). Sets that bring s->tool are in s->found. */
bool mgi_why_search(struct why_search *s);
/* Evaluate as it is, and look for what may help some tool or other, until there were as many trials
 * as there may be. */
bool mgi_why_search_in_vain(struct why_search *s);

/* ---- why_not_phase.c ---------------------------------------------------------------------- */

enum why_phase {
    WHY_SELECTED,
    WHY_INTENT,      /* the intent is not permitted */
    WHY_CANDIDATE,   /* no rule speaks for it */
    WHY_PERMISSION,  /* barred for this caller */
    WHY_PROHIBITION, /* barred */
    WHY_DEPENDENCY,
    WHY_CONFLICT,
    WHY_CUTOFF,
    WHY_CAP,
    WHY_BUDGET
};

/* Of s->tool. */
enum why_phase mgi_why_phase(struct why_search *s);
/* The first fact of `pred` whose first column is this tool, or NULL. */
const struct mangle_fact *mgi_why_about(struct evaluation *ev, const char *pred, uint32_t arity,
                                        const struct tool *tool);
/* A tool that needs it, for which rules speak: it was lost itself. NULL: there is none. */
const struct tool *mgi_why_lost_with(struct evaluation *ev, const struct tool *tool);
const struct root *mgi_why_root(const struct evaluation *ev, const struct tool *tool);

/* ---- why_not_reasons.c -------------------------------------------------------------------- */

/* The reasons for s->tool, an array. */
void mgi_why_reasons_write(struct why_search *s, struct json_writer *w, enum why_phase phase);

/* ---- why_not.c ---------------------------------------------------------------------------- */

/* The array that answers call->why_not. False as mgi_why_search(). */
bool mgi_why_not_write(struct evaluation *ev, mangle_overlay *other, struct buf *out);

#endif
