/* What rules cost (mangle.h): time and counters of each, taken while strata are evaluated for
 * somebody who asked. x->profile is NULL otherwise, and a code is all that looks at it. */
#ifndef MGI_MANGLE_RULE_COSTS_H
#define MGI_MANGLE_RULE_COSTS_H

#include "mangle/run/eval.h"

struct spot { /* who pays for what happens */
    size_t rule;
    uint32_t variant;
};

/* x->limits.profile, if there is one, is filled from here on to mgi_costs_end(). */
void mgi_costs_begin(struct eval *x);
void mgi_costs_end(struct eval *x);

/* From now on the rule of `code` pays; *outer: who did before. `runs`: it is run now, else parts of
 * it will be. False: memory, nothing changed. */
bool mgi_costs_enter(struct eval *x, const struct code *code, bool runs, struct spot *outer);
void mgi_costs_leave(struct eval *x, struct spot outer);

/* Operation `pc` was begun, or resumed, when the work done was `before`. */
void mgi_costs_op(struct eval *x, const struct code *code, uint32_t pc, bool resumed, bool found,
                  int64_t before);
/* The rows of a do-rule are all there, `stored` of them without a code: what fires are groups. */
void mgi_costs_rows(struct eval *x, const struct rule *rule, uint32_t stored);
/* Facts that the rule which pays has derived since `before` are those of `rule`. */
void mgi_costs_derived(struct eval *x, const struct rule *rule, int64_t before);

#endif
