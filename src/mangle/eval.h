/* One evaluation: codes (plan.h) run over relations (rel.h), stratum by stratum, within limits.
 *
 * A base evaluates every rule that no request can change; an overlay starts from a closed base and
 * goes on with what was added. mgi_eval_strata() is the main line. The same machine answers, with
 * goal codes and a sink of its own, how a fact was derived (explain.c). */
#ifndef MGI_MANGLE_EVAL_H
#define MGI_MANGLE_EVAL_H

#include "mangle/plan.h"

#define STEPS_PER_CHECK 1024 /* candidates and operations between two looks at clock and flag */

struct frame { /* where an operation is in its solutions */
    uint32_t row;
    uint8_t phase;
    const uint32_t *perm;
    const uint32_t *copies; /* of the rows at perm, or NULL */
    uint32_t at, end;       /* of the frozen rows, or a range of own ones */
    uint32_t link;          /* the next own row of a chain */
    uint32_t lo, hi;        /* own rows (or entries) that count */
    struct mangle_interval span;
    int64_t max_start, min_end; /* an interval counts if it starts by then, and ends not before */
    const struct mangle_interval *run;
    uint32_t run_at, run_end;
    struct span_walk walk;
    uint64_t cursor;
};

struct eval;
typedef enum mangle_status eval_sink(struct eval *x, const struct code *code, const struct op *op);

struct eval {
    const mangle_program *program;
    const struct plan *plan;
    struct rel *rels; /* per predicate */
    mangle_values *values;
    bool overlay; /* above a closed base */
    struct call call;
    struct arena scratch;

    struct mangle_limits limits; /* defaults filled in; negative: none */
    int64_t started_ns;
    int64_t now_ns;
    int32_t steps;
    int64_t derived, firings, rounds;
    int64_t *fired;             /* per rule, while strata are evaluated: its share of `firings` */
    const struct rule *charged; /* of these, the rule that has those since charged_at */
    int64_t charged_at;
    bool counting;
    size_t bytes; /* rows and entries; values are asked for */
    size_t peak_bytes;
    uint32_t birth;     /* number of the current round over everything, for proofs */
    uint32_t iteration; /* within the stratum */

    uint32_t *regs, *words, *key;
    struct frame *frames;
    struct mangle_interval *merge; /* scratch for the union of a row's intervals */
    size_t merge_cap;
    enum mangle_status stopped; /* why the pace said stop */
    mangle_pred *touched;       /* relations to reset; room for all */
    uint32_t touched_count;

    const struct rule *rule; /* being run, for messages */
    eval_sink *sink;         /* NULL: derive facts */
    void *sink_context;
    struct mangle_error *err; /* may be NULL */
};

/* `rels`, `values` and `program` are borrowed. False: memory. */
bool mgi_eval_init(struct eval *x, const mangle_program *program, struct rel *rels,
                   mangle_values *values, bool overlay);
void mgi_eval_fini(struct eval *x);
void mgi_eval_begin(struct eval *x, int64_t now_ns, const struct mangle_limits *limits,
                    struct mangle_error *err);

/* What was given stands in the relations. Everything that follows is added. (eval_strata.c) */
enum mangle_status mgi_eval_strata(struct eval *x);

/* Run one code; solutions go to x->sink or become facts. (eval.c) */
enum mangle_status mgi_eval_code(struct eval *x, const struct code *code);
/* The same, and tells `stuck` of each operation that has no solution at all where it is reached,
 * and of the one that fails with `st`. x->sink_context is for both. */
typedef void eval_watch(struct eval *x, const struct code *code, uint32_t pc,
                        enum mangle_status st);
enum mangle_status mgi_eval_watched(struct eval *x, const struct code *code, eval_watch *stuck);
/* The first or next row of an atom under the current registers. */
bool mgi_eval_scan(struct eval *x, const struct look *look, struct frame *f, bool resume,
                   enum mangle_status *st);
/* The body of a do-rule, its groups, their heads. (aggregate.c) */
enum mangle_status mgi_eval_aggregate(struct eval *x, const struct rule *rule);
/* The same for one head: the rows come from the goal, whose given registers are set; on_head is
 * called for each group's head and may return MANGLE_ERR_INPUT to stop; the key registers then hold
 * the keys of that group. */
enum mangle_status mgi_eval_aggregate_goal(struct eval *x, const struct rule *rule,
                                           eval_sink *on_head, void *context);
enum mangle_status mgi_eval_emit(struct eval *x, const struct op *op); /* add the head */
/* Run the operations of `code` with the registers as they are; they have no choices. A failing call
 * is reported, or, if `soft`, only returned as MANGLE_ERR_EVAL. */
enum mangle_status mgi_eval_straight(struct eval *x, const struct code *code, bool soft);
enum mangle_status mgi_eval_call(struct eval *x, const struct function *fn,
                                 const mangle_value *args, uint32_t count, bool soft,
                                 mangle_value *out);
void mgi_eval_constants(struct eval *x, const struct code *code);

/* Add a fact that was given (not counted as derived). */
enum mangle_status mgi_eval_give(struct eval *x, mangle_pred pred, const uint32_t *words,
                                 struct mangle_interval t);
/* Merge the given intervals, mark what is given, and set what counts as news. */
enum mangle_status mgi_eval_settle_given(struct eval *x, mangle_pred pred);
/* Program facts that read `now` (M-TEMP-10, M-ANA-4). */
enum mangle_status mgi_eval_now_facts(struct eval *x);

/* Errors and limits. */
enum mangle_status mgi_eval_check(struct eval *x); /* clock, cancel flag, memory */
/* For work that knows nothing of evaluations: x->stopped says why it was stopped. */
struct pace mgi_eval_pace(struct eval *x);
/* Sort and merge x->merge[*count]. */
enum mangle_status mgi_eval_merge(struct eval *x, uint32_t *count);
enum mangle_status mgi_eval_fail(struct eval *x,
                                 const char *text); /* MANGLE_ERR_EVAL, with the rule */
enum mangle_status mgi_eval_limit(struct eval *x, enum mangle_limit_kind kind, int64_t limit,
                                  int64_t consumed, mangle_pred pred);
enum mangle_status mgi_eval_nomem(struct eval *x);

/* A term without variables; regs may be NULL then. */
enum mangle_status mgi_eval_term(struct eval *x, const struct term *t, mangle_value *out);

/* ---- time (temporal.c) -------------------------------------------------------------------- */
/* Which intervals count: fills f->max_start and f->min_end. */
/* OP_INSTANT: fails unless `v` is a bound of an interval, or of a window. */
enum mangle_status mgi_check_instant(struct eval *x, mangle_value v, bool window);
enum mangle_status mgi_spans_prepare(struct eval *x, const struct spans *s, struct frame *f);
bool mgi_spans_first(struct eval *x, const struct spans *s, const struct look *look, uint32_t row,
                     struct frame *f, enum mangle_status *st);
bool mgi_spans_next(struct eval *x, const struct spans *s, const struct look *look,
                    struct frame *f);
/* If time passes and nothing else: the last instant at which interval `t`, which counts now, still
 * counts; and the earliest at which one that does not may begin to (MANGLE_MAX_TIME: never). */
int64_t mgi_spans_stand_until(struct eval *x, const struct spans *s, struct mangle_interval t);
int64_t mgi_spans_enter_at(struct eval *x, const struct spans *s, struct mangle_interval t);
/* The interval of a head; *none if it is empty (M-TEMP-14). */
enum mangle_status mgi_head_interval(struct eval *x, const struct rule *rule,
                                     struct mangle_interval *out, bool *none);

/* Row numbers in the order of their values, M-VAL-68; `spare` has the same room. Looks at clock and
 * flag like everything that takes long. (sort.c) */
enum mangle_status mgi_sort_rows(struct eval *x, const struct rel *rel, uint32_t *order,
                                 uint32_t *spare, size_t count);

/* Count one more piece of work. */
static inline enum mangle_status mgi_eval_step(struct eval *x)
{
    return --x->steps > 0 ? MANGLE_OK : mgi_eval_check(x);
}

#endif
