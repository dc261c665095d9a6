/* Why not, inside: why_not_goal.c reads the goal and chooses the rules, why_not.c runs one of them,
 * why_not_near.c finds facts that come near, why_not_wanted.c says which would help,
 * why_not_text.c prints. */
#ifndef MGI_MANGLE_WHY_NOT_H
#define MGI_MANGLE_WHY_NOT_H

#include "mangle/run/base.h"

struct why_goal {
    mangle_overlay *o;
    struct arena *arena; /* the overlay's */
    mangle_pred pred;
    const mangle_value *pattern; /* per column a value, or MANGLE_NONE */
};

/* How `rule`, whose head matches the goal, fails. */
enum mangle_status mgi_why_rule(struct why_goal *goal, const struct rule *rule,
                                struct mangle_failed_rule *out);

/* A partial solution of a rule, and the premise (in the order of evaluation) that it failed. */
struct why_stuck {
    struct why_goal *goal;
    const struct clause *clause;
    const uint32_t *regs; /* values of the variables, */
    const bool *known;    /* of those that have one */
    uint32_t premise;
};

/* What would take it further: out->wanted. */
enum mangle_status mgi_why_wanted(const struct why_stuck *at, struct mangle_failed_rule *out);

/* Facts of `pred` that differ from the pattern in the fewest of its values, and agree in one at
 * least (where there is but one value: that are spelled almost so); at most 3. */
enum mangle_status mgi_near_facts(mangle_overlay *o, mangle_pred pred, const mangle_value *pattern,
                                  const struct mangle_fact **facts, size_t *count);

#endif
