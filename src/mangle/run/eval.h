/* One evaluation: codes (plan.h) run over relations (rel.h), stratum by stratum, within limits.
 *
 * A base evaluates every rule that no request can change; an overlay starts from a closed base and
 * goes on with what was added. mgi_eval_strata() is the main line. The same machine answers, with
 * goal codes and a sink of its own, how a fact was derived (proof/). */
#ifndef MGI_MANGLE_EVAL_H
#define MGI_MANGLE_EVAL_H

#include "mangle/plan/plan.h"
#include "mangle/run/rel.h"

#define STEPS_PER_CHECK 1024 /* candidates and operations between two looks at clock and flag */

enum phase {
    PHASE_BELOW,
    PHASE_CHAIN,
    PHASE_LIST, /* in place of the chain; only of fused scans */
    PHASE_RANGE,
    PHASE_SIFT,
    PHASE_NEWS,
    PHASE_MET,
    PHASE_DONE
};

struct frame { /* where an operation is in its solutions */
    uint32_t row;
    uint8_t phase;
    bool handed; /* where solutions are chosen: an interval of the scan was worth it */
    const uint32_t *perm;
    const uint32_t *copies; /* of the rows at perm, or NULL */
    uint32_t width;         /* words from one copy to the next */
    uint32_t at, end; /* of the frozen rows, or a range of own ones; sifting goes down to lo */
    uint32_t link;    /* the next own row of a chain */
    uint32_t lo, hi;  /* own rows (or entries) that count */
    uint32_t met_end; /* of this operation's part of eval.met */
    struct mangle_interval span;
    int64_t max_start, min_end; /* an interval counts if it starts by then, and ends not before */
    int64_t min_start, max_end; /* and as comparisons have it */
    const struct zones *zones;  /* of the rows at hand, or NULL */
    const struct mangle_interval *run;
    uint32_t run_at, run_end;
    struct span_walk walk;
    uint64_t cursor;
};

#define QUEUE_HEADS 512
#define BROAD_ROWS  64

struct queue { /* heads of one rule that wait to become rows (eval_queue.c) */
    uint32_t *words;
    uint64_t *hashed; /* while they go in */
    uint32_t count, room;
    uint32_t most; /* QUEUE_HEADS; a test may say less, but at least one */
    const struct rule *rule;
};

struct eval;
typedef enum mangle_status eval_sink(struct eval *x, const struct code *code, const struct op *op);

/* What lies above those who need it, as a table: a call of a deferred predicate runs codes, whose
 * operations may be such calls; a question to the host is prepared by running the code up to it;
 * before limits are looked at, heads that wait go in. */
struct machine {
    enum mangle_status (*drain)(struct eval *x); /* mgi_queue_drain(); of helpers: eval_parts.c */
    enum mangle_status (*code)(struct eval *x, const struct code *code);  /* mgi_eval_code() */
    enum mangle_status (*run)(struct eval *x, const struct code *code);   /* mgi_eval_run() */
    enum mangle_status (*broad)(struct eval *x, const struct code *code); /* mgi_eval_broad() */
    enum mangle_status (*aggregate)(struct eval *x, const struct code *body, eval_sink *on_head,
                                    void *context); /* mgi_eval_aggregate_call() */
};

struct level { /* one call of a deferred predicate; kept for the next one as deep (deferred.c) */
    uint32_t *regs, *args;
    struct frame *frames;
    uint32_t *rows; /* its solutions, without duplicates */
    size_t rows_cap;
    uint32_t count, width;
    struct table known; /* row number + 1 */
};

struct asked {         /* what the host was asked of one external predicate (external.c) */
    struct rel rows;   /* the arguments; MANGLE_NONE where they were free */
    uint8_t *patterns; /* which arguments were known, each once: a byte per column */
    size_t patterns_cap;
    uint32_t pattern_count;
};

enum lists_use { LISTS_AUTO, LISTS_ALWAYS, LISTS_NEVER }; /* those of rel_lists.c */
enum demand_use { DEMAND_AUTO, DEMAND_ALWAYS, DEMAND_NEVER };

/* Strata that sleep until a predicate gets its first row (wake.c). */
struct wakes {
    uint32_t *begin;      /* per predicate: where those that it wakes begin in `strata` */
    uint32_t *strata;     /* NULL: all are awake */
    bool *always, *awake; /* per stratum */
};

struct eval {
    const mangle_program *program;
    const struct plan *plan;
    struct rel *rels; /* per predicate */
    mangle_values *values;
    bool overlay;       /* above a closed base */
    const bool *wanted; /* per predicate: whose rules are evaluated; NULL: all */
    const struct machine *machine;
    struct call call;
    struct arena scratch;

    struct mangle_limits limits; /* defaults filled in; negative: none */
    int64_t started_ns;
    int64_t now_ns;
    int32_t steps;
    int64_t work; /* steps that were made before the last look: mgi_eval_work() */
    int64_t derived, firings, rounds;
    int64_t *fired;             /* per rule, while strata are evaluated: its share of `firings` */
    const struct rule *charged; /* of these, the rule that has those since charged_at */
    int64_t charged_at;
    bool counting;
    mangle_profile
        *profile; /* while strata are evaluated: what rules cost; or NULL (rule_costs.h) */
    size_t bytes; /* rows and entries; values are asked for */
    size_t peak_bytes;
    uint32_t birth;     /* number of the current round over everything, for proofs */
    uint32_t iteration; /* within the stratum */

    uint32_t *regs, *words, *key;
    struct frame *frames;
    uint32_t *merged;      /* the fact that goes into a lattice relation */
    struct level **levels; /* calls of deferred predicates, the outermost first */
    size_t level_cap;
    uint32_t level_count, depth; /* made; in use */
    uint32_t *answers;           /* of the calls that are being read: a stack */
    size_t answers_cap;
    uint32_t max_depth;              /* M-EXT-24 */
    bool asking;                     /* the host may be asked: only while rules are evaluated */
    struct asked *asked;             /* per external of the program; borrowed */
    const struct asked *asked_below; /* of the base, or NULL */
    void *host;                      /* for callbacks */
    struct batch *batch; /* requests being gathered for the operation `ask_at`, or NULL */
    uint32_t ask_at;
    uint32_t floor;                /* where the answers of this call's own premises begin */
    struct mangle_interval *merge; /* scratch for the union of a row's intervals */
    size_t merge_cap;
    uint32_t *met; /* rows that atoms agree on: a stack (eval_meet.c) */
    size_t met_cap;
    bool *families_ran;     /* per family of the plan: found its solutions already */
    bool meet_always;       /* a test: also where it does not pay */
    uint32_t broad_rows;    /* of a tier (eval_broad.c); a test may say less, 0: depth first */
    bool fetch_always;      /* a test: also from a small base */
    enum lists_use lists;   /* a test may say other than LISTS_AUTO */
    bool later_always;      /* a test: code.later wherever there is one */
    bool zones_always;      /* a test: at once, and for one row */
    enum demand_use demand; /* a test may say other than DEMAND_AUTO */
    bool demanding;         /* of demanded predicates only what is asked for is there */
    bool put_off;           /* predicates that are put off have not been derived */
    bool catching_up;       /* now they are: an overlay looks for all solutions of their rules */
    bool least_never;       /* a test: keepers give up at once */
    bool merge_by_rules;    /* a test: merge predicates are asked, whatever they come to */
    /* A code whose rows several threads may share (eval_parts.c); NULL: this one runs all. */
    enum mangle_status (*divide)(struct eval *x, const struct code *code);
    struct crew *crew;
    uint32_t divide_from;     /* rows; a test may say less, but at least one */
    uint32_t part_heads;      /* that one part may gather; the same */
    const struct rule *fresh; /* its heads are new: nobody need look; or NULL */
    bool sift_never;          /* a test: every index is made that a plan asks for */
    bool fresh_never;         /* a test: somebody looks */
    bool fuse_never;          /* a test: the innermost loop goes operation by operation */
    bool fold_never;          /* a test: do-rules gather their rows also where one pass would do */
    enum mangle_status stopped; /* why the pace said stop */
    struct wakes wakes;         /* of an overlay; of a base, nothing */
    mangle_pred *touched;       /* relations to reset; room for all */
    uint32_t touched_count;

    struct rel *called;      /* per predicate: answers of deferred ones, for proofs; or NULL */
    const struct rule *rule; /* being run, for messages */
    struct queue queue;
    eval_sink *sink; /* NULL: derive facts */
    void *sink_context;
    struct mangle_error *err; /* may be NULL */
};

/* ---- what has nothing to do (wake.c) ----------------------------------------------------------
 */

/* Of an overlay, whose relations are made. False: memory; mgi_wakes_fini() all the same. */
bool mgi_wakes_init(struct eval *x);
void mgi_wakes_fini(struct eval *x);
void mgi_wakes_reset(struct eval *x);
/* The predicate has its first row. */
void mgi_wake(struct eval *x, mangle_pred pred);
/* May the stratum have anything to do, by what is there now? Of a base, always. */
bool mgi_is_awake(const struct eval *x, size_t stratum);

/* ---- life (eval_life.c) --------------------------------------------------------------------- */

/* All are borrowed; `plan` is one of `program`, whose searches are those of `rels`. False: memory.
 */
bool mgi_eval_init(struct eval *x, const mangle_program *program, const struct plan *plan,
                   struct rel *rels, mangle_values *values, bool overlay);
void mgi_eval_fini(struct eval *x);
void mgi_called_forget(struct eval *x); /* the answers of deferred predicates, kept for proofs */
void mgi_eval_begin(struct eval *x, int64_t now_ns, const struct mangle_limits *limits,
                    struct mangle_error *err);

/* ---- errors and limits (eval_limit.c) -------------------------------------------------------- */

enum mangle_status mgi_eval_check(struct eval *x);  /* clock, cancel flag, memory */
enum mangle_status mgi_eval_memory(struct eval *x); /* memory alone */
/* For work that knows nothing of evaluations: x->stopped says why it was stopped. */
struct pace mgi_eval_pace(struct eval *x);
/* Sort and merge x->merge[*count]. */
enum mangle_status mgi_eval_merge(struct eval *x, uint32_t *count);
enum mangle_status mgi_eval_fail(struct eval *x,
                                 const char *text); /* MANGLE_ERR_EVAL, with the rule */
enum mangle_status mgi_eval_limit(struct eval *x, enum mangle_limit_kind kind, int64_t limit,
                                  int64_t consumed, mangle_pred pred);
enum mangle_status mgi_eval_nomem(struct eval *x);

/* Count one more piece of work. */
static inline enum mangle_status mgi_eval_step(struct eval *x)
{
    return --x->steps > 0 ? MANGLE_OK : mgi_eval_check(x);
}

/* The pieces of work so far. */
static inline int64_t mgi_eval_work(const struct eval *x)
{
    return x->work + (STEPS_PER_CHECK - x->steps);
}

/* ---- facts (eval_fact.c) --------------------------------------------------------------------- */

/* Add a fact that was given (not counted as derived). */
enum mangle_status mgi_eval_give(struct eval *x, mangle_pred pred, const uint32_t *words,
                                 struct mangle_interval t);
/* The same for many that hold always, row after row. */
enum mangle_status mgi_eval_give_rows(struct eval *x, mangle_pred pred, const uint32_t *rows,
                                      size_t count);
/* Add a head of `rule`, which counts as derived if it is new. */
enum mangle_status mgi_eval_derive(struct eval *x, const struct rule *rule, const uint32_t *words,
                                   struct mangle_interval t);
/* The same for a relation without intervals, where the hash of the words is known. */
enum mangle_status mgi_eval_derive_hashed(struct eval *x, const struct rule *rule,
                                          const uint32_t *words, uint64_t hash);
/* Heads that nobody has to look up in the set of rows: all of x->fresh, or pairs as long as they
 * are dense. *count is how many are done with. */
enum mangle_status mgi_eval_derive_plain(struct eval *x, const struct rule *rule,
                                         const uint32_t *words, uint32_t *count);
/* The set of rows brought up to date, so that rows are found by their words. */
enum mangle_status mgi_eval_known(struct eval *x, mangle_pred pred);
/* Bits for the relation's rows and `count` heads, if it is time to look and they are dense. */
enum mangle_status mgi_eval_dense(struct eval *x, mangle_pred pred, const uint32_t *words,
                                  uint32_t count);
/* Add a fact that counts as derived, at once visible. */
enum mangle_status mgi_eval_found(struct eval *x, mangle_pred pred, const uint32_t *words);
enum mangle_status mgi_eval_count(struct eval *x, mangle_pred pred); /* one row more, derived */
enum mangle_status mgi_eval_count_many(struct eval *x, mangle_pred pred, uint32_t count);
void mgi_eval_touch(struct eval *x, mangle_pred pred); /* the relation has something to reset */

/* ---- heads that wait (eval_queue.c) ---------------------------------------------------------- */

bool mgi_queue_init(struct queue *q); /* false: memory; to be ended all the same */
void mgi_queue_fini(struct queue *q);
bool mgi_queue_takes(const struct eval *x, const struct rule *rule); /* do its heads wait? */
/* The head of `op` under the current registers; only of rules whose heads wait. */
enum mangle_status mgi_queue_put(struct eval *x, const struct rule *rule, const struct op *op);
/* The queue for heads of such a rule; *room for so many more before one has to go in, at least one.
 */
enum mangle_status mgi_queue_room(struct eval *x, const struct rule *rule, uint32_t *room);
enum mangle_status mgi_queue_drain(struct eval *x); /* none waits any more, whatever is returned */

/* ---- functions (eval_call.c) ----------------------------------------------------------------- */

enum mangle_status mgi_eval_call(struct eval *x, const struct function *fn,
                                 const mangle_value *args, uint32_t count, bool soft,
                                 mangle_value *out);
enum mangle_status mgi_eval_call_op(struct eval *x, const struct op *op, bool soft); /* OP_CALL */
/* What a built-in's refusal means: reported, or, if `soft`, only returned as MANGLE_ERR_EVAL. */
enum mangle_status mgi_eval_call_failed(struct eval *x, enum call_status cs, bool soft);
void mgi_eval_constants(struct eval *x, const struct code *code);
/* Run the operations of `code` with the registers as they are; they have no choices. */
enum mangle_status mgi_eval_straight(struct eval *x, const struct code *code, bool soft);
/* A term without variables; regs may be NULL then. */
enum mangle_status mgi_eval_term(struct eval *x, const struct term *t, mangle_value *out);

/* ---- calls of deferred predicates (deferred.c) ----------------------------------------------- */

/* OP_DEFERRED: the next answer of a call, which is made first unless `resume`. */
bool mgi_eval_deferred(struct eval *x, const struct op *op, struct frame *f, bool resume,
                       enum mangle_status *st);
void mgi_levels_fini(struct eval *x);
/* The answer of the merge predicate, the smallest if there are several, or MANGLE_NONE. */
enum mangle_status mgi_eval_merged(struct eval *x, mangle_pred merge, mangle_value old,
                                   mangle_value new, mangle_value *merged);

/* ---- lattice relations (lattice.c) ----------------------------------------------------------- */

/* Put a fact into a lattice relation: *added if it, or what came of it, is new. */
enum mangle_status mgi_lattice_derive(struct eval *x, mangle_pred pred, const uint32_t *words,
                                      uint32_t *row, bool *added);
enum mangle_status mgi_lattice_settle_given(struct eval *x, mangle_pred pred);

/* The same where the least or the greatest stays (best.c). Derived facts wait until they are
 * released: the best of them (at least one if there are any), or all. */
enum mangle_status mgi_best_begin(struct eval *x, mangle_pred pred); /* decides whether it is so */
enum mangle_status mgi_best_derive(struct eval *x, mangle_pred pred, const uint32_t *words);
enum mangle_status mgi_best_settle_given(struct eval *x, mangle_pred pred);
enum mangle_status mgi_best_release(struct eval *x, mangle_pred pred, bool all);

/* ---- questions to the host (external.c) ------------------------------------------------------ */

/* What was asked of the host, for each external predicate of the program; NULL: memory. */
struct asked *mgi_asked_new(const mangle_program *p);
void mgi_asked_reset(const mangle_program *p, struct asked *asked);
void mgi_asked_free(const mangle_program *p, struct asked *asked);
/* Before a code runs: all that its OP_ASKs will need is asked for, in few calls. */
enum mangle_status mgi_eval_ask_ahead(struct eval *x, const struct code *code);
enum mangle_status mgi_eval_ask(struct eval *x, const struct op *op); /* this one request */
/* OP_ASK while requests are gathered: notes this one, and has no solution. */
bool mgi_eval_gather(struct eval *x, const struct op *op, enum mangle_status *st);

/* ---- the machine (eval.c) -------------------------------------------------------------------- */

/* Which own rows count: fills f->lo and f->hi. Rows of a temporal relation always do: their entries
 * are what is new. */
static inline void mgi_eval_limit_rows(const struct eval *x, const struct rel *rel,
                                       const struct look *look, struct frame *f)
{
    f->lo = rel->first;
    f->hi = rel->temporal ? mgi_rel_end(rel) : rel->hi;
    if (rel->temporal)
        return;
    if (look->reach == REACH_NEW)
        f->lo = rel->lo;
    else if (look->reach == REACH_OLD && (x->iteration == 0 || look->component))
        f->hi = rel->lo; /* after the first round the news of lower strata are old */
}

/* Has it no solution because an atom has no rows that count? Not if it could fail before that. */
bool mgi_eval_idle(const struct eval *x, const struct code *code);
/* `rule` has fired without a code. */
void mgi_eval_fired(struct eval *x, const struct rule *rule, int64_t count);
/* Of a code whose first operations were run otherwise, with the registers as they left them: what
 * follows from operation `from` on; and whether a test among them holds, which has no choices. */
enum mangle_status mgi_eval_rest(struct eval *x, const struct code *code, uint32_t from);
bool mgi_eval_test(struct eval *x, const struct code *code, uint32_t pc, enum mangle_status *st);
/* The rows that an atom finds, which has no intervals: first a phase is begun, then, if that was
 * the base's, the own rows. False: it was not, or there are none. */
void mgi_scan_begin(struct eval *x, const struct look *look, struct frame *f);
bool mgi_scan_own(struct eval *x, const struct look *look, struct frame *f);
enum mangle_status mgi_scan_fused(struct eval *x, const struct op *op,
                                  struct frame *f); /* all of them, as heads */
/* Run one code; solutions go to x->sink or become facts. */
enum mangle_status mgi_eval_code(struct eval *x, const struct code *code);
enum mangle_status mgi_eval_run(struct eval *x, const struct code *code); /* constants are set */
/* Does the code begin with a scan of own rows from *lo to *hi? Then its solutions are, in this
 * order, those of mgi_eval_part() of the ranges that these are divided into. */
bool mgi_eval_range(const struct eval *x, const struct code *code, uint32_t *lo, uint32_t *hi);
enum mangle_status mgi_eval_part(struct eval *x, const struct code *code, uint32_t lo, uint32_t hi);
/* The same, and tells `stuck` of each operation that has no solution at all where it is reached,
 * and of the one that fails with `st`. x->sink_context is for both. */
typedef void eval_watch(struct eval *x, const struct code *code, uint32_t pc,
                        enum mangle_status st);
enum mangle_status mgi_eval_watched(struct eval *x, const struct code *code, eval_watch *stuck);
/* The same, where only some solutions are wanted: `worth` says whether such a one may have the
 * interval that OP_SPAN `pc` has found. The sink may set `back`: to the OP_SPAN that goes on. */
struct choice {
    bool (*worth)(struct eval *x, const struct code *code, uint32_t pc);
    uint32_t back;
};
enum mangle_status mgi_eval_chosen(struct eval *x, const struct code *code, struct choice *choice);
/* eval_choice.c: is what operation `pc` found to be followed? *fail: where to go on if not. */
bool mgi_choice_keeps(struct eval *x, const struct code *code, struct choice *choice, uint32_t pc,
                      bool found, bool resumed, uint32_t *fail);
/* The first or next row of an atom under the current registers; rows of which no interval counts by
 * `early` may be left out (NULL: none is). */
bool mgi_eval_scan(struct eval *x, const struct look *look, const struct spans *early,
                   struct frame *f, bool resume, enum mangle_status *st);
enum mangle_status mgi_eval_emit(struct eval *x, const struct op *op); /* add the head */

/* eval_sift.c: are all rows looked at for the scan `op`, instead of making its index? Only for the
 * first one of a code, which is entered once, and of a base. */
bool mgi_eval_may_sift(struct eval *x, const struct code *code, const struct op *op);
/* On from f->at down to f->lo, SIFT_ROWS at most: up to `most` rows that have the key go to `rows`;
 * if that is NULL, the first one is left right below f->at. Returns how many. */
#define SIFT_ROWS 1024
uint32_t mgi_eval_sift(struct eval *x, const struct look *look, struct frame *f,
                       const uint32_t **rows, uint32_t most);

/* eval_early.c: own rows that are asked for by their intervals get hulls, if that pays. */
enum mangle_status mgi_eval_want_zones(struct eval *x, const struct look *look);
/* f->at goes on to the next row whose hull may count, by f->zones, of which `first` is the first
 * row; f->at reaches `end` if there is none. True: it does count, as far as hulls tell. */
bool mgi_eval_pass_over(struct eval *x, struct frame *f, uint32_t first, uint32_t end,
                        enum mangle_status *st);

/* Rows of `look` that its meet agrees on: x->met[f->at..f->end), as mgi_met_row() writes them.
 * False if that does not pay. f->lo and f->hi are set. */
bool mgi_eval_meet(struct eval *x, const struct look *look, struct frame *f,
                   enum mangle_status *st);
/* Lists for an index of own rows (rel_lists.c), if they are not there. */
enum mangle_status mgi_eval_make_lists(struct eval *x, mangle_pred pred, uint32_t index);
/* Rows as numbers that ascend in the order of a scan, and back: those of the base from the oldest,
 * own ones from the newest. */
static inline uint32_t mgi_met_row(const struct rel *rel, const struct frame *f, uint32_t row)
{
    return row < rel->first ? row : rel->first + (f->hi - 1 - row);
}

/* Compare and bind the columns that were not part of a key. Inline: once per candidate. */
static inline bool mgi_eval_fits(struct eval *x, const struct look *look, const uint32_t *words)
{
    for (uint32_t i = 0; i < look->test_count; i++)
        if (words[look->tests[i].column] != x->regs[look->tests[i].reg])
            return false;
    for (uint32_t i = 0; i < look->bind_count; i++)
        x->regs[look->binds[i].reg] = words[look->binds[i].column];
    for (uint32_t i = 0; i < look->repeat_count; i++)
        if (words[look->repeats[i].column] != x->regs[look->repeats[i].reg])
            return false;
    return true;
}

/* ---- several threads (eval_parts.c) ------------------------------------------------------------
 */

/* From now on, until it is dismissed, the crew helps where rounds are large. Without memory for it
 * nobody does. */
void mgi_crew_hire(struct eval *x, const struct mangle_workers *workers);
void mgi_crew_dismiss(struct eval *x);

/* ---- do-rules (aggregate.c) ------------------------------------------------------------------ */

/* The body of a do-rule, its groups, their heads. */
enum mangle_status mgi_eval_aggregate(struct eval *x, const struct rule *rule);
/* The same from `body`, with its given registers set; on_head is called for each group's head. */
enum mangle_status mgi_eval_aggregate_call(struct eval *x, const struct code *body,
                                           eval_sink *on_head, void *context);
/* The same for one head: the rows come from the goal, whose given registers are set; on_head is
 * called for each group's head and may return MANGLE_ERR_INPUT to stop; the key registers then hold
 * the keys of that group. */
enum mangle_status mgi_eval_aggregate_goal(struct eval *x, const struct rule *rule,
                                           eval_sink *on_head, void *context);

/* ---- do-rules in one pass (aggregate_fold.c) ------------------------------------------------- */

struct folded {      /* the groups of a do-rule, without their rows */
    struct rel keys; /* a row per group, in the order of their first rows */
    uint32_t *first; /* group -> a row of the body's relation */
    int64_t *so_far; /* group and fold -> its value */
    size_t first_cap, so_far_cap;
    uint32_t rows; /* that count */
};
/* What a rule's reducers come to over the first `count` rows of `rel`; *done is false if that takes
 * more than small integers. To be ended in any case. */
enum mangle_status mgi_fold_rows(struct eval *x, const struct rule *rule, const struct rel *rel,
                                 uint32_t count, struct folded *f, bool *done);
void mgi_folded_fini(struct folded *f);

/* Copies (check/trust.c) are wanted with their originals, which are all that callers know. */
static inline bool mgi_eval_is_wanted(const struct eval *x, mangle_pred pred)
{
    return !x->wanted || x->wanted[mgi_pred_shown(x->program, pred)];
}

/* eval_cost.c: about how many rows and look-ups a code of scans takes with the relations as they
 * are; INFINITY where an index that it needs is not kept by others yet. */
double mgi_eval_cost(const struct eval *x, const struct code *code);
/* About how many rows its last scan finds in all. */
double mgi_eval_rows_found(const struct eval *x, const struct code *code);

/* eval_fused.c: before the code's fused scan runs, its index gets lists if so many rows will be
 * read. */
enum mangle_status mgi_eval_list_last(struct eval *x, const struct code *code);
/* eval_fused.c: the next rows of the scan's phase, up to `most`; 0: no more in this phase. They
 * stay where they are until something is inserted. Of the base's rows those columns may be missing
 * that the key has. */
uint32_t mgi_gather_rows(const struct rel *rel, const struct look *look, struct frame *f,
                         const uint32_t **rows, uint32_t most);
/* What is left of the scan's phase (below, chain, range or met) as heads of x->rule. */
enum mangle_status mgi_eval_fused(struct eval *x, const struct look *look, const struct fuse *fuse,
                                  struct frame *f);

/* eval_broad.c: run a code of an overlay, its first operations breadth first. */
enum mangle_status mgi_eval_broad(struct eval *x, const struct code *code);

/* eval_family.c: the family's solutions, unless they were found already; `run` runs the codes for
 * news. */
enum mangle_status mgi_eval_family(struct eval *x, const struct family *f,
                                   enum mangle_status (*run)(struct eval *x,
                                                             const struct rule *shared));

/* ---- strata (eval_strata.c) ------------------------------------------------------------------ */

/* What was given stands in the relations. Everything that follows is added. */
enum mangle_status mgi_eval_strata(struct eval *x);
/* If only what is asked for was derived of some predicates (plan/demand.h): all of it. */
enum mangle_status mgi_eval_complete(struct eval *x);
/* Merge the given intervals, mark what is given, and set what counts as news. */
enum mangle_status mgi_eval_settle_given(struct eval *x, mangle_pred pred);
/* Program facts that read `now` (M-TEMP-10, M-ANA-4). */
enum mangle_status mgi_eval_now_facts(struct eval *x);

/* ---- time (temporal.c) -------------------------------------------------------------------- */

/* OP_INSTANT: fails unless `v` is a bound of an interval, or of a window. */
enum mangle_status mgi_check_instant(struct eval *x, mangle_value v, bool window);
/* Which intervals count: fills f->max_start and f->min_end. */
enum mangle_status mgi_spans_prepare(struct eval *x, const struct spans *s, struct frame *f);
bool mgi_spans_first(struct eval *x, const struct spans *s, const struct look *look, uint32_t row,
                     struct frame *f, enum mangle_status *st);
bool mgi_spans_next(struct eval *x, const struct spans *s, const struct look *look,
                    struct frame *f);
/* The same question to whole rows: fills f->max_start and f->min_end for mgi_times_may_count(). */
enum mangle_status mgi_spans_early(struct eval *x, const struct spans *s, struct frame *f);
/* If time passes and nothing else: the last instant at which interval `t`, which counts now, still
 * counts; and the earliest at which one that does not may begin to (MANGLE_MAX_TIME: never). */
int64_t mgi_spans_stand_until(struct eval *x, const struct spans *s, struct mangle_interval t);
int64_t mgi_spans_enter_at(struct eval *x, const struct spans *s, struct mangle_interval t);
/* The interval of a head; *none if it is empty (M-TEMP-14). */
enum mangle_status mgi_head_interval(struct eval *x, const struct rule *rule,
                                     struct mangle_interval *out, bool *none);

/* ---- order (sort.c) ------------------------------------------------------------------------- */

/* Row numbers in the order of their values, M-VAL-68; `spare` has the same room. Looks at clock and
 * flag like everything that takes long. */
enum mangle_status mgi_sort_rows(struct eval *x, const struct rel *rel, uint32_t *order,
                                 uint32_t *spare, size_t count);

#endif
