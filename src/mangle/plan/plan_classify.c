/* What can depend on a request, decided per rule when the program is compiled.
 *
 * A rule is evaluated once, in the base, if everything it derives there stays derived whatever an
 * overlay adds: it does not read `now`, and it is monotone in what can change. Monotone are
 * positive atoms, containment and windows between fixed instants; not monotone are negation,
 * aggregation, variables bound to the ends of intervals (a wider interval replaces the narrower
 * one), calls of deferred predicates, which have no news, external predicates whose answers differ
 * from time to time, and lattice relations that others read (a better value replaces the one
 * before). Every other rule is a request rule,
 * evaluated in each overlay and never in the base.
 *
 * A predicate is changeable if overlays may add facts to it, if a request rule derives it, or if
 * something it is derived from is changeable. Both are one least fixpoint. */
#include <string.h>

#include "mangle/plan/plan.h"

static bool bound_reads_now(const struct time_bound *b)
{
    return b->kind == BOUND_NOW || b->kind == BOUND_DURATION;
}

static bool annotation_reads_now(const struct annotation *a)
{
    return a->present && (bound_reads_now(&a->start) || bound_reads_now(&a->end));
}

/* Terms nest at most 200 deep (M-LIM-13), so recursion is fine. */
static bool term_reads_now(const struct term *t)
{
    if (t->kind != TERM_APPLY)
        return false;
    if (t->apply.row && t->apply.row->reads_now)
        return true;
    for (uint32_t i = 0; i < t->apply.count; i++)
        if (term_reads_now(&t->apply.args[i]))
            return true;
    return false;
}

static bool atom_reads_now(const struct atom *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (term_reads_now(&a->args[i]))
            return true;
    return false;
}

static bool window_reads_now(const struct premise *m)
{
    if (m->window == WINDOW_NONE)
        return false;
    /* A variable may hold a duration, which counts from now. */
    return bound_reads_now(&m->near) || bound_reads_now(&m->far) || m->near.kind == BOUND_VAR ||
           m->far.kind == BOUND_VAR;
}

static bool premise_calls_now(const struct premise *m)
{
    if (m->kind == PREMISE_EQ || m->kind == PREMISE_NE)
        return term_reads_now(&m->left) || term_reads_now(&m->right);
    return atom_reads_now(&m->atom);
}

static bool rule_calls_now(const struct clause *c)
{
    bool now = atom_reads_now(&c->head);
    for (uint32_t i = 0; i < c->premise_count; i++)
        now |= premise_calls_now(&c->premises[i]);
    for (uint32_t i = 0; c->transform && i < c->transform->let_count; i++)
        now |= term_reads_now(&c->transform->lets[i].term);
    return now;
}

static bool rule_reads_now(const struct clause *c)
{
    bool now = rule_calls_now(c) || annotation_reads_now(&c->annotation);
    for (uint32_t i = 0; i < c->premise_count; i++)
        if (c->premises[i].kind == PREMISE_TEMPORAL)
            now |= annotation_reads_now(&c->premises[i].annotation) ||
                   window_reads_now(&c->premises[i]);
    return now;
}

static const struct pred *premise_pred(const mangle_program *p, const struct premise *m)
{
    if (m->kind != PREMISE_ATOM && m->kind != PREMISE_TEMPORAL)
        return NULL;
    return m->atom.pred == MANGLE_NO_PRED ? NULL : &p->preds[m->atom.pred];
}

/* Any variable in the annotation counts, also one that has a value there: whether it has may depend
 * on the order of premises, and being careful costs only speed. */
static bool binds_interval(const struct premise *m)
{
    return m->kind == PREMISE_TEMPORAL && m->annotation.present &&
           (m->annotation.start.kind == BOUND_VAR || m->annotation.end.kind == BOUND_VAR);
}

static bool not_monotone(const mangle_program *p, const struct rule *rule)
{
    const struct clause *c = rule->clause;
    for (uint32_t i = 0; i < c->premise_count; i++) {
        const struct premise *m = &c->premises[i];
        const struct pred *pred = premise_pred(p, m);
        if (pred && pred->external && !pred->external->deterministic)
            return true;
        if (pred && pred->changeable && pred->lattice && pred->stratum != rule->stratum)
            return true;
        if (pred && pred->changeable &&
            (m->negated || rule->is_do || binds_interval(m) || pred->deferred))
            return true;
    }
    return false;
}

static bool reads_changeable(const mangle_program *p, const struct clause *c)
{
    for (uint32_t i = 0; i < c->premise_count; i++) {
        const struct pred *pred = premise_pred(p, &c->premises[i]);
        if (pred && pred->changeable)
            return true;
    }
    return false;
}

/* Inside the fixpoint of a component intervals are read as derived (M-TEMP-72), so a component must
 * not be half evaluated, merged, and then go on. */
static bool spread_over_components(mangle_program *p, struct plan *plan)
{
    bool changed = false;
    for (size_t s = 0; s < p->stratum_count; s++) {
        const struct stratum *stratum = &p->strata[s];
        bool temporal = false, request = false, all = true;
        for (uint32_t i = 0; i < stratum->pred_count; i++)
            temporal |= p->preds[stratum->preds[i]].temporal;
        for (uint32_t i = 0; i < stratum->rule_count; i++) {
            request |= plan->rules[stratum->rules[i]].per_request;
            all &= plan->rules[stratum->rules[i]].per_request;
        }
        if (!temporal || !request || all)
            continue;
        for (uint32_t i = 0; i < stratum->rule_count; i++)
            plan->rules[stratum->rules[i]].per_request = true;
        changed = true;
    }
    return changed;
}

static bool spread(mangle_program *p, struct plan *plan)
{
    bool changed = false;
    for (uint32_t r = 0; r < plan->rule_count; r++) {
        struct rule *rule = &plan->rules[r];
        if (!rule->per_request && not_monotone(p, rule)) {
            rule->per_request = true;
            changed = true;
        }
        struct pred *head = &p->preds[rule->head];
        if (!head->changeable && (rule->per_request || reads_changeable(p, rule->clause))) {
            head->changeable = true;
            changed = true;
        }
    }
    return spread_over_components(p, plan) || changed;
}

static void find_now(const mangle_program *p, struct plan *plan)
{
    for (size_t i = 0; i < p->fact_count; i++)
        plan->preds[p->facts[i].pred].depends_on_now |= p->facts[i].reads_now;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t r = 0; r < plan->rule_count; r++) {
            const struct rule *rule = &plan->rules[r];
            bool now = rule->reads_now;
            for (uint32_t i = 0; i < rule->clause->premise_count; i++) {
                const struct premise *m = &rule->clause->premises[i];
                if (premise_pred(p, m))
                    now |= plan->preds[m->atom.pred].depends_on_now;
            }
            if (now && !plan->preds[rule->head].depends_on_now) {
                plan->preds[rule->head].depends_on_now = true;
                changed = true;
            }
        }
    }
}

static bool has_moving_head(const struct plan *plan, const struct clause *c)
{
    const struct annotation *a = &c->annotation;
    if (!a->present)
        return false;
    if (a->start.kind == BOUND_NOW || a->end.kind == BOUND_NOW)
        return true;
    bool moves = false;
    for (uint32_t i = 0; i < c->premise_count; i++)
        if (c->premises[i].kind == PREMISE_TEMPORAL)
            moves |= plan->preds[c->premises[i].atom.pred].moves;
    return moves && (a->start.kind == BOUND_VAR || a->end.kind == BOUND_VAR);
}

static void find_moving(const mangle_program *p, struct plan *plan)
{
    for (size_t i = 0; i < p->fact_count; i++)
        plan->preds[p->facts[i].pred].moves |= p->facts[i].reads_now;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t r = 0; r < plan->rule_count; r++) {
            struct pred_plan *head = &plan->preds[plan->rules[r].head];
            if (head->moves || !has_moving_head(plan, plan->rules[r].clause))
                continue;
            head->moves = true;
            changed = true;
        }
    }
}

enum mangle_status mgi_plan_classify(mangle_program *p, struct plan *plan)
{
    for (size_t i = 0; i < p->pred_count; i++)
        p->preds[i].changeable = p->preds[i].assertable ||
                                 (p->preds[i].external && !p->preds[i].external->deterministic);
    for (size_t i = 0; i < p->fact_count; i++)
        if (p->facts[i].reads_now)
            p->preds[p->facts[i].pred].changeable = true;
    for (uint32_t r = 0; r < plan->rule_count; r++) {
        plan->rules[r].reads_now = rule_reads_now(plan->rules[r].clause);
        plan->rules[r].calls_now = rule_calls_now(plan->rules[r].clause);
        plan->rules[r].per_request = plan->rules[r].reads_now;
    }
    while (spread(p, plan))
        ;
    find_now(p, plan);
    find_moving(p, plan);
    return MANGLE_OK;
}
