/* What the planner's files share: plan_order.c decides the order, plan_rule.c does the rest,
 * plan_op.c makes the operations, plan_link.c finds out what is needed of them and where to go on.
 */
#ifndef MGI_MANGLE_PLAN_INT_H
#define MGI_MANGLE_PLAN_INT_H

#include "mangle/plan/plan.h"

struct planner {
    const mangle_program *p;
    struct arena *arena; /* where the code lives: the plan's, except for CODE_WHY */
    struct plan *plan;
    struct rule *rule;
    const struct clause *c;
    struct code *code;
    enum code_kind kind;
    uint32_t delta; /* premise, or UINT32_MAX */
    bool *bound;    /* per variable: has a value here */
    bool *placed;   /* per premise */
    struct order *order;
    uint32_t deferred; /* the last OP_DEFERRED so far, or NO_OP */
    uint32_t *scan_of; /* per premise: its OP_SCAN if that went ahead of its OP_SPAN, else NO_OP */
    bool among;        /* OP_AMONG is there */
    bool later;        /* the delta premise waits its turn */
    bool wildcards;    /* `_` takes part in rows (M-AGG-5) */
    bool oom;
};

/* ---- plan_order.c --------------------------------------------------------------------------- */
bool mgi_premise_calls(const struct premise *m); /* a function */
bool mgi_premise_has_interval_vars(const struct premise *m);
bool mgi_premise_is_deferred(const struct planner *pl, const struct premise *m);
bool mgi_premise_is_external(const struct planner *pl, const struct premise *m);
void mgi_order_begin(struct planner *pl);    /* after the delta premise, if that goes first */
uint32_t mgi_order_next(struct planner *pl); /* UINT32_MAX: all are placed */
void mgi_order_placed(struct planner *pl, uint32_t premise);

/* ---- plan_op.c ------------------------------------------------------------------------------ */
void *mgi_planner_take(struct planner *pl, size_t count, size_t size); /* zeroed; NULL sets oom */
struct op *mgi_planner_op(struct planner *pl, enum op_kind kind, uint32_t premise); /* or NULL */
bool mgi_planner_known(const struct planner *pl, const struct term *t); /* has a value here */
bool mgi_planner_wildcard(const struct planner *pl, const struct term *t);
/* The register that will hold the term's value. */
uint32_t mgi_planner_operand(struct planner *pl, const struct term *t, uint32_t premise);
bool mgi_planner_above(const struct planner *pl); /* does the code run above a frozen base? */
struct bound mgi_planner_bound(const struct planner *pl, const struct time_bound *b);

/* Operations of one premise; what they bind is bound afterwards. */
void mgi_place_instants(struct planner *pl, uint32_t premise);
uint32_t mgi_place_scan(struct planner *pl, uint32_t premise); /* the operation, or NO_OP: memory */
void mgi_place_spans(struct planner *pl, uint32_t premise, uint32_t scan);
void mgi_place_absent(struct planner *pl, uint32_t premise);
void mgi_place_ask(struct planner *pl, uint32_t premise); /* before the atom is looked up */
void mgi_place_deferred(struct planner *pl, uint32_t premise);
void mgi_place_pair(struct planner *pl, enum op_kind kind, uint32_t a, uint32_t b,
                    uint32_t premise);
void mgi_place_equal(struct planner *pl, uint32_t premise);
void mgi_place_unequal(struct planner *pl, uint32_t premise);
void mgi_place_builtin(struct planner *pl, uint32_t premise);

/* ---- plan_merge.c --------------------------------------------------------------------------- */
void mgi_plan_merging(mangle_program *p); /* fills lattice_decl.merging */

/* ---- plan_time.c ---------------------------------------------------------------------------- */
void mgi_code_times(struct planner *pl); /* comparisons of times join what finds the times */

/* ---- plan_link.c ---------------------------------------------------------------------------- */
void mgi_code_needed(struct planner *pl); /* drops what nothing reads; marks op.once */
void mgi_code_link(struct code *code);    /* fills op.fail */
/* After that, of codes whose solutions are counted once whatever their premises: not of goals. */
void mgi_code_one_witness(struct planner *pl);

/* ---- plan_fuse.c ---------------------------------------------------------------------------- */
/* After all that: is the last scan a loop that makes heads and nothing else? */
void mgi_code_fuse(struct planner *pl);

/* ---- plan_broad.c --------------------------------------------------------------------------- */
void mgi_code_broad(struct planner *pl); /* fills code->broad, when all else is done */

#endif
