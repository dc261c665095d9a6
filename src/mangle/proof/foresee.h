/* When may there be more? If nothing but time passes: the next instants at which facts may appear
 * or disappear. All answers are on the safe side: never later than it happens. */
#ifndef MGI_MANGLE_FORESEE_H
#define MGI_MANGLE_FORESEE_H

#include "mangle/proof/explain.h"

/* The next instants at which there may be more, or less; MANGLE_MAX_TIME: never. */
struct change {
    int64_t gain, loss;
};

static inline int64_t mgi_next_instant(const struct eval *x)
{
    return x->now_ns == MANGLE_MAX_TIME ? x->now_ns : x->now_ns + 1;
}

/* Whatever the arguments: per predicate, and per rule for the solutions of its body. Worked out for
 * what is asked about, with all that it rests on; the rules of others cost nothing. */
struct changes {
    struct change *preds, *rules;
    bool *known;               /* per predicate: it is worked out; those time leaves alone are */
    mangle_pred *cone;         /* being worked out */
    struct literals *literals; /* the answers to what temporal literals ask */
};

/* changes.c: makes o->changes, unless it is there. MANGLE_OK, or why not. */
enum mangle_status mgi_changes_make(mangle_overlay *o);
/* What o->changes, once it is made, has to say. If *st is not MANGLE_OK, or what comes up meanwhile
 * goes there, the answer is the next instant. */
struct change mgi_changes_pred(mangle_overlay *o, mangle_pred pred, enum mangle_status *st);
struct change mgi_changes_rule(mangle_overlay *o, const struct rule *rule, enum mangle_status *st);

/* changes_literal.c: when an interval enters or leaves a temporal literal, whatever the rows. Rules
 * ask few different questions, so each is answered once. */
struct literals *mgi_literals_new(mangle_overlay *o); /* in its arena; NULL: memory */
/* False: memory. */
bool mgi_literals_take(mangle_overlay *o, struct literals *all, const struct spans *s,
                       mangle_pred pred, struct change *out);
/* The same of a literal that is of no rule. */
struct change mgi_changes_literal(mangle_overlay *o, const struct spans *s, mangle_pred pred);

/* May the head of this rule have these arguments (MANGLE_NONE: any)? Constants alone are compared,
 * which tells most rules of a predicate apart without running them. */
static inline bool mgi_rule_may_make(const struct rule *rule, const mangle_value *args)
{
    const struct atom *head = &rule->clause->head;
    for (uint32_t i = 0; i < head->count; i++)
        if (head->args[i].kind == TERM_CONST && args[i] != MANGLE_NONE &&
            args[i] != head->args[i].value)
            return false;
    return true;
}

/* What one question to the future may use, with all that it asks on the way. */
struct foresight {
    /* explain_valid.c, which is above: until when does a fact stand? */
    enum mangle_status (*place_until)(mangle_overlay *o, const struct place *place,
                                      struct foresight *f, int64_t *until_ns);
    int64_t steps;  /* left: rows and intervals looked at, about */
    unsigned depth; /* of questions within questions */
};
#define FORESIGHT_STEPS 200000 /* about a millisecond */

/* The next instant at which a fact of `pred` that matches `pattern` (per column a value, or
 * MANGLE_NONE) may appear that is not there now. Rules are followed from their heads, with the
 * values that are known; where that gets too long, or goes round in a circle, what
 * mgi_changes_make() knows of the predicate is the answer. Else memory, or what of the
 * overlay's limits has ended it. */
enum mangle_status mgi_foresee(mangle_overlay *o, struct foresight *f, mangle_pred pred,
                               const mangle_value *pattern, int64_t *appears);

/* The same for the body of a rule, of whose variables some have values (x->regs layout: by number;
 * MANGLE_NONE: none): the next instant at which it may have a solution that it has not now. */
enum mangle_status mgi_foresee_body(mangle_overlay *o, struct foresight *f, const struct rule *rule,
                                    const mangle_value *vars, int64_t *appears);

#endif
