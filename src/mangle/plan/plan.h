/* A program made ready to run: for every rule, flat lists of operations over a register file.
 *
 * A *code* is one way to evaluate one rule: nested loops written as a list, where an operation that
 * has no (more) solution continues at the nearest operation before it that may have another one
 * (`fail`). Registers are words: first the clause's variables, then constants and temporaries. A
 * rule has
 *
 *   full     every solution
 *   deltas   the solutions that use something new in one premise, that premise first if possible;
 *            the premises before it read only what is old, so nothing is found twice
 *   goal     the solutions for a given head, for proofs
 *   tail     of a do-rule: what happens to each group; the other codes then yield rows
 *
 * Evaluation errors decide what may be reordered (M-EVAL-14): only premises that cannot fail, and
 * never across one that can. A delta premise may go first nevertheless: what it leaves out was or
 * will be evaluated by the full code or another delta.
 *
 * Made by plan*.c while the program is compiled; immutable afterwards. Lives in the program's
 * arena. */
#ifndef MGI_MANGLE_PLAN_H
#define MGI_MANGLE_PLAN_H

#include "mangle/program/program.h"
#include "mangle/plan/search.h"

#define NO_OP  UINT32_MAX
#define NO_REG UINT32_MAX

enum op_kind {
    OP_SCAN,     /* rows of an atom */
    OP_INSTANT,  /* an evaluation error if register a holds no bound of an interval (M-TEMP-37) */
    OP_SPAN,     /* intervals of the row that OP_SCAN `scan` found */
    OP_ABSENT,   /* a negated atom, temporal or not */
    OP_DEFERRED, /* solutions of a call of a deferred predicate, or none if negated */
    OP_ASK,      /* the host is asked for what an external atom needs, unless it was before */
    OP_CALL,     /* registers -> register */
    OP_AMONG,   /* a parameter for each constant in which a family differs: some member has these */
    OP_COPY,    /* a -> b */
    OP_EQ,      /* a equals b */
    OP_NE,      /* a differs from b */
    OP_BUILTIN, /* solutions of a built-in predicate, or none if negated */
    OP_NEVER,   /* no solution */
    OP_UNBOUND, /* an evaluation error: a variable without a value (M-EVAL-7) */
    OP_REDUCE,  /* the rows of a group -> register; only in a tail */
    OP_EMIT,    /* the head */
    OP_ROW      /* a row of a do-rule */
};

enum reach { REACH_ALL, REACH_OLD, REACH_NEW }; /* relative to this round's news */

struct column {
    uint32_t column, reg;
};

struct meet { /* the atom behind one that binds a single variable, with that variable unknown */
    mangle_pred pred;
    uint32_t index; /* over all columns but: */
    uint32_t column;
    uint32_t *key;
    uint32_t key_count;
    uint32_t before; /* the operation before that has a meet, too, or NO_OP */
};

struct look { /* how an atom finds its rows */
    mangle_pred pred;
    enum reach reach;
    bool component; /* the predicate is of the rule's own stratum */
    bool whole;     /* the key has every column: one probe, at most one row */
    bool lattice;   /* rows that were replaced do not count */
    bool row_used;  /* which row it is matters, not only what is in it: intervals, proofs */
    uint32_t index; /* or NO_INDEX: every row */
    uint32_t *key;  /* registers */
    uint32_t key_count;
    struct column *tests; /* must equal a register */
    uint32_t test_count;
    struct column *binds; /* go to a register */
    uint32_t bind_count;
    struct column *repeats; /* a variable again: compared after the binds */
    uint32_t repeat_count;
    struct meet *meet; /* rows that the next atom excludes may be left out; or NULL */
};

struct bound {
    enum bound_kind kind;
    int64_t ns;
    uint32_t reg; /* BOUND_VAR */
    bool free;    /* BOUND_VAR without a value here: binds */
};

/* A comparison with a time that is known before: of the interval's start, or of its end. */
struct narrow {
    uint32_t reg; /* holds a time */
    bool end;     /* the interval's end is compared, not its start */
    bool least;   /* it is not earlier than the register, else not later */
    bool strict;  /* and not equal */
};

struct spans {     /* which intervals of a row count */
    uint32_t scan; /* the operation that found the row */
    enum window_op window;
    struct bound near, far;
    bool annotated;
    struct bound start, end;
    bool merged;                 /* looks at the union of the intervals: containment and box */
    uint32_t start_reg, end_reg; /* where the interval's ends go, or NO_REG */
    struct narrow *narrows;      /* comparisons that followed (plan_time.c) */
    uint32_t narrow_count;
};

struct asks { /* a request to the host */
    mangle_pred pred;
    uint32_t *args; /* per column, or NO_REG */
    struct pushed { /* an atom that restricts the answer */
        mangle_pred pred;
        uint32_t *args;    /* or NO_REG */
        uint32_t *columns; /* or MANGLE_NO_COLUMN */
    } * pushed;
    uint32_t pushed_count;
    uint32_t pushed_words; /* their arguments together */
    uint32_t number;       /* with pushed atoms: of plan.pushing */
};

#define FUSE_MAX   8 /* columns of a head, or of an atom that is looked up */
#define FUSE_TESTS 4 /* between the scan and the end */

struct fuse_value { /* of the row's column, or with NO_REG what the register holds */
    uint32_t column, reg;
};

struct fuse_test {     /* OP_EQ, OP_NE, or OP_ABSENT of a whole atom */
    enum op_kind kind; /* for the first two, the first two values are compared */
    mangle_pred pred;
    uint32_t count;
    struct fuse_value values[FUSE_MAX];
};

struct fuse { /* of the last scan, if only tests follow: how rows become heads (run/eval_fused.c) */
    uint32_t arity;
    struct fuse_value head[FUSE_MAX];
    uint32_t test_count;
    struct fuse_test tests[FUSE_TESTS];
};

struct op {
    enum op_kind kind;
    bool negated;      /* OP_BUILTIN, OP_DEFERRED */
    bool window;       /* OP_INSTANT: a duration is a bound, too */
    bool input;        /* OP_UNBOUND: of an external predicate */
    bool apart;        /* SCAN: its OP_SPAN does not follow at once */
    bool once;         /* its further solutions cannot change anything */
    bool cannot_fail;  /* INSTANT, SPAN, ABSENT with intervals, BUILTIN: with what is bound here */
    uint32_t fail;     /* where to go on without a solution; NO_OP: the code is done */
    uint32_t premise;  /* of the clause, or premise_count: transform and head */
    struct look *look; /* SCAN, ABSENT */
    struct fuse *fuse; /* SCAN: or NULL */
    struct spans *spans; /* SPAN, ABSENT */
    /* SCAN, ABSENT: rows of which no interval counts here may be left out; or NULL */
    const struct spans *early;
    const struct function *function;
    const struct builtin_pred *builtin;
    /* CALL, BUILTIN (NO_REG where it writes), REDUCE, EMIT, ROW, AMONG, DEFERRED (inputs):
     * registers */
    uint32_t *args;
    uint32_t arg_count;
    uint32_t outs[BUILTIN_MAX_PRED_ARGS];  /* BUILTIN: register that gets it, or NO_REG */
    uint32_t tests[BUILTIN_MAX_PRED_ARGS]; /* BUILTIN: register it must equal, or NO_REG */
    uint32_t a, b;                         /* COPY, EQ, NE; CALL, REDUCE: a is the result */
    uint32_t
        before; /* DEFERRED, EMIT: the call before it, whose answers are still read, or NO_OP */
    struct asks *asks; /* ASK */
    struct code *each; /* REDUCE: computes the arguments of one row, or NULL */
    uint32_t fold;     /* REDUCE: if rule.folds, which fold of the rule it is */
};

struct constant {
    uint32_t reg;
    mangle_value value;
};

#define BROAD_MAX   6 /* scans of a code that are run breadth first (plan_broad.c) */
#define BROAD_BINDS 4 /* variables that each of them binds */

struct code {
    const struct rule *rule;
    struct op *ops;
    size_t op_count, op_cap;
    struct constant *constants;
    size_t constant_count, constant_cap;
    uint32_t reg_count;
    bool asks;            /* has an OP_ASK */
    uint32_t broad;       /* so many operations, from the first one, may be run breadth first */
    uint32_t sure;        /* so many operations, from the first one, can neither fail nor ask */
    mangle_pred delta;    /* the predicate whose news it reads, or MANGLE_NO_PRED */
    bool delta_component; /* that predicate is of the rule's own stratum */
    struct code *later;   /* the same solutions with the news not first, for many news; or NULL */
    /* of a goal, or a deferred rule: head columns whose values are known from the start */
    struct column *given;
    uint32_t given_count;
};

struct rule {
    const struct clause *clause;
    const struct clause *guarded_clause; /* the same, and its head is asked for; or NULL */
    uint32_t number;                     /* in plan.rules */
    uint32_t shown;                      /* in program.rules: itself, or for which it asks */
    mangle_pred head;
    uint32_t stratum;
    bool per_request; /* needs now, or is not monotone in what overlays add: never run in a base */
    bool reads_now;   /* itself */
    bool calls_now;   /* through fn:time:now: how long it holds is not known */
    bool is_do;
    bool deferred;           /* of a deferred predicate: `full` starts from the inputs of a call */
    bool recalls;            /* calls what may read its own stratum: run in full in each round */
    bool annotated;          /* the head goes into a temporal relation */
    struct bound start, end; /* of the head */
    struct code *full, *goal;
    struct code **deltas;
    uint32_t delta_count;
    struct code **guarded; /* the deltas again, of guarded_clause; or NULL */
    bool asks_for;         /* derives what is asked for (demand.h): run in overlays alone */
    struct code *tail;     /* is_do */
    bool row_order;        /* is_do: the order of rows shows in the result (M-EVAL-31) */
    uint32_t *row_regs;    /* is_do: what makes a row, in the order that rows are sorted by */
    uint32_t row_count;
    uint32_t *key_regs;
    uint32_t key_count;
    bool rows_are_stored; /* is_do: the body is one atom, and the rows are those of its relation */
    bool folds;           /* rows_are_stored, and every OP_REDUCE of the tail can be a fold */
    uint32_t fold_count;
    const struct family *family; /* overlays run its code in place of the deltas; or NULL */
};

struct member {
    const struct rule *rule;
    const mangle_value *key; /* its constants where the family has parameters */
    uint32_t next;           /* the next member with the same ones + 1, or 0 */
};

/* Rules that differ in constants alone, of atoms of lower strata, as one rule (plan_family.c). */
struct family {
    struct rule shared; /* its deltas; the arguments of their OP_EMIT: the parameters, then the
                           head's variables */
    uint32_t param_count;
    uint32_t *head_args; /* per column of a head: which of these arguments, or NO_REG: the member's
                            constant */
    struct member *members; /* by number of the rule */
    uint32_t member_count;
    uint32_t *slots, mask; /* by the hash of a key: member + 1 */
    uint32_t number;       /* among the families of the plan */
};

struct pred_plan {
    struct search *searches;
    size_t search_count, search_cap;
    uint32_t *rules; /* with this head */
    uint32_t rule_count;
    bool timed;          /* overlays ask for all its rows, by their intervals */
    bool depends_on_now; /* itself or through anything it is derived from */
    bool moves;          /* ends of its intervals are `now`, directly or through variables */
    bool demanded;       /* overlays may derive of it only what is asked for */
    uint64_t bound;      /* demanded: the columns that say what is asked for, a bit each */
    mangle_pred demand;  /* demanded: what is asked for, a value for each of these columns */
};

struct demand {             /* demand.h; what overlays derive if only outputs are read */
    struct stratum stratum; /* what is asked for, and the rules that ask */
    bool *waits;            /* per stratum of the program: behind that one */
    mangle_pred *seeds;     /* where asking begins: it pays while the base has none of them */
    uint32_t seed_count;
};

/* What is known of relations when codes are planned with facts at hand. */
struct sizes {
    /* About how many rows of `pred` have some given value in each of these columns (ascending): all
     * its rows for none. Does not rise with the number of columns. */
    double (*matching)(void *context, mangle_pred pred, const uint32_t *columns, uint32_t count);
    void *context;
    double least; /* rows of some atom, from which on an order is looked for */
};

struct plan {
    struct arena *arena;       /* where all of it lives */
    const struct sizes *sizes; /* NULL: no facts are at hand */
    struct rule *rules;        /* program order; behind them those that ask */
    uint32_t rule_count, asking_count;
    struct pred_plan *preds;
    uint32_t literal_count;             /* temporal ones, of full codes */
    uint32_t reg_max, op_max;           /* over all codes */
    uint32_t words_max;                 /* the longest row or list of arguments */
    uint32_t call_reg_max, call_op_max; /* over the codes of deferred rules */
    uint32_t *pushing; /* per OP_ASK with pushed atoms: how many words a request has */
    size_t pushing_count, pushing_cap;
    uint32_t family_count;
    bool has_now_facts;
    const char *refused;   /* what this engine cannot evaluate, or NULL */
    struct demand *demand; /* or NULL */
};

/* plan.c, the last stage: join orders, indexes, what is for the base and what for overlays. */
enum mangle_status mgi_plan(mangle_program *p);

/* The same program, now that the facts below all overlays are known: a copy of `old` in `arena`, in
 * which the codes that overlays run have their atoms ordered by `sizes` (borrowed until this
 * returns), where there is a choice and enough rows that it matters. Goals, tails and the numbers
 * of searches stay what they are; new searches follow the old ones. *out is `old` itself if nothing
 * was to be chosen. Reads the program, which others may read meanwhile. MANGLE_ERR_NOMEM, or
 * MANGLE_OK. */
enum mangle_status mgi_plan_for_overlays(const mangle_program *p, const struct plan *old,
                                         struct arena *arena, const struct sizes *sizes,
                                         const struct plan **out);

/* plan_classify.c: which rules and predicates depend on requests. Fills rule.per_request,
 * .reads_now, pred.changeable, pred_plan.depends_on_now. */
enum mangle_status mgi_plan_classify(mangle_program *p, struct plan *plan);

enum code_kind { CODE_FULL, CODE_DELTA, CODE_GUARDED, CODE_GOAL, CODE_WHY };
/* plan_rule.c: one code of a rule. `premise` is the delta premise of CODE_DELTA, and of
 * CODE_GUARDED: the same of rule.guarded_clause. NULL: memory. */
struct code *mgi_plan_code(const mangle_program *p, struct plan *plan, struct rule *rule,
                           enum code_kind kind, uint32_t premise);
/* The same as CODE_DELTA, but the news wait their turn; NULL and no *oom: not worth having. Only of
 * rules that run in a base. */
struct code *mgi_plan_later(const mangle_program *p, struct plan *plan, struct rule *rule,
                            uint32_t premise, bool *oom);
/* For "why not": the body in its own order, for heads that match `goal` (per column a value, or
 * MANGLE_NONE). Changes nothing of the program; code and a copy of the rule live in `arena`. */
struct code *mgi_plan_why(const mangle_program *p, struct arena *arena, const struct rule *rule,
                          const mangle_value *goal);
struct code *mgi_plan_tail(const mangle_program *p, struct plan *plan, struct rule *rule);

/* plan_meet.c: fills look.meet, when all searches are known. False: memory. */
bool mgi_plan_meets(const mangle_program *p, struct plan *plan, struct code *code);

/* plan_family.c: fills rule.family; plan.sizes must be there. False: memory. */
bool mgi_plan_families(const mangle_program *p, struct plan *plan);
bool mgi_plan_may_have_families(const mangle_program *p, const struct plan *plan,
                                const struct sizes *sizes);
/* The first member with the values of regs[args[0]], … as its constants, or NULL. */
const struct member *mgi_family_find(const struct family *f, const uint32_t *regs,
                                     const uint32_t *args);

/* plan_index.c: the number of a search in pred_plan.searches, added if it is new, unless
 * `existing_only`: then the best that is there, or NO_INDEX. False: memory. */
bool mgi_plan_search(struct arena *arena, struct pred_plan *pred, const uint32_t *columns,
                     uint32_t count, bool frozen, bool existing_only, uint32_t *index);
#define SEARCH_MAX_COLUMNS 64
/* The number of the search for exactly these columns, ascending, or NO_INDEX. */
uint32_t mgi_plan_find_search(const struct pred_plan *pred, const uint32_t *columns,
                              uint32_t count);

bool mgi_plan_per_request(const mangle_program *p, size_t rule); /* for mangle_program_rule() */

/* For people: "new path -> edge[1]", as mangle_profile_plan() tells it; empty without an atom. */
void mgi_code_order(struct buf *out, const mangle_program *p, const struct plan *plan,
                    const struct code *code);
/* The same, more closely: one line per operation. */
void mgi_code_dump(struct buf *out, const mangle_program *p, const struct code *code);

#endif
