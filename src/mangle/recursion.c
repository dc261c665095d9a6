/* Recursion through time that may run away (mangle.md section 8.5). The strata are the strongly
 * connected components already; what is dangerous is a temporal predicate in a circle. */
#include "mangle/front_int.h"

static bool in_stratum(const mangle_program *p, const struct premise *premise, uint32_t stratum)
{
    return (premise->kind == PREMISE_ATOM || premise->kind == PREMISE_TEMPORAL) &&
           premise->atom.pred != MANGLE_NO_PRED && p->preds[premise->atom.pred].derived &&
           p->preds[premise->atom.pred].stratum == stratum;
}

/* The first premise, in program order, that goes round in this stratum; NULL if none does. */
static const struct premise *circular(const mangle_program *p, uint32_t stratum,
                                      const struct clause **rule)
{
    const struct stratum *s = &p->strata[stratum];
    for (uint32_t r = 0; r < s->rule_count; r++) {
        *rule = p->rules[s->rules[r]];
        for (uint32_t i = 0; i < (*rule)->premise_count; i++)
            if (in_stratum(p, &(*rule)->premises[i], stratum))
                return &(*rule)->premises[i];
    }
    return NULL;
}

static const struct pred *first_temporal(const mangle_program *p, const struct stratum *s)
{
    const struct pred *first = NULL;
    for (uint32_t i = 0; i < s->pred_count; i++) {
        const struct pred *pred = &p->preds[s->preds[i]];
        if (pred->temporal && (!first || pred < first))
            first = pred;
    }
    return first;
}

static void check_circle(const mangle_program *p, uint32_t stratum, mangle_diags *diags)
{
    const struct stratum *s = &p->strata[stratum];
    const struct pred *temporal = first_temporal(p, s);
    const struct clause *rule = NULL;
    const struct premise *premise = temporal ? circular(p, stratum, &rule) : NULL;
    if (!premise)
        return;
    mgi_diags_anchor(diags, &rule->span);
    if (s->pred_count == 1)
        mgi_diag(diags, p, MANGLE_WARNING, "TEMP_SELF_REC", premise->span,
                 "Make sure that each round yields fewer or shorter intervals.",
                 "the temporal predicate \"%.*s\" reads itself and may derive without end",
                 STR_ARG(temporal->name));
    else
        mgi_diag(diags, p, p->allow_dangerous ? MANGLE_WARNING : MANGLE_ERROR, "TEMP_MUTUAL_REC",
                 premise->span, "Join them into one predicate, or allow dangerous recursion.",
                 "the temporal predicate \"%.*s\" is in a circle of %u predicates and may derive "
                 "without end",
                 STR_ARG(temporal->name), s->pred_count);
    mgi_diags_anchor(diags, NULL);
}

static void check_future(const mangle_program *p, const struct clause *rule, mangle_diags *diags)
{
    const struct pred *head = &p->preds[rule->head.pred];
    if (!head->temporal)
        return;
    mgi_diags_anchor(diags, &rule->span);
    for (uint32_t i = 0; i < rule->premise_count; i++) {
        const struct premise *premise = &rule->premises[i];
        if (premise->window != WINDOW_SOME_FUTURE && premise->window != WINDOW_ALL_FUTURE)
            continue;
        if (in_stratum(p, premise, head->stratum))
            mgi_diag(diags, p, p->allow_dangerous ? MANGLE_WARNING : MANGLE_ERROR,
                     "TEMP_FUTURE_REC", premise->span,
                     "Read a predicate that does not depend on this one, or allow dangerous "
                     "recursion.",
                     "\"%.*s\" depends on its own future", STR_ARG(head->name));
    }
    mgi_diags_anchor(diags, NULL);
}

enum mangle_status mgi_check_time(mangle_program *p, mangle_diags *diags)
{
    for (size_t r = 0; r < p->rule_count; r++)
        check_future(p, p->rules[r], diags);
    for (size_t s = 0; s < p->stratum_count; s++)
        check_circle(p, (uint32_t)s, diags);
    return MANGLE_OK;
}
