/* Which predicates are demanded (demand.h): those that may be, less those that some rule reads
 * without knowing what for. Twice: hoping first that demanded predicates can say what is asked for
 * of others; then without, when most that never can be demanded are known not to be. */
#include "mangle/plan/demand.h"

/* ---- what may be demanded -------------------------------------------------------------------- */

static bool is_comparison(const struct premise *m)
{
    return (m->kind == PREMISE_EQ || m->kind == PREMISE_NE) && !mgi_premise_calls(m);
}

static bool head_calls(const struct clause *c)
{
    for (uint32_t i = 0; i < c->head.count; i++)
        if (mgi_term_has_call(&c->head.args[i]))
            return true;
    return false;
}

/* Nothing of it can fail but the reducers of a group, which see whole solutions. */
static bool cannot_fail(const mangle_program *p, const struct rule *rule)
{
    const struct clause *c = rule->clause;
    if (c->premise_count > DEMAND_MAX_PREMISES || rule->deferred || rule->recalls ||
        rule->annotated || head_calls(c) || (c->transform && !c->transform->is_do))
        return false;
    for (uint32_t i = 0; i < c->premise_count; i++)
        if (!mgi_demand_is_plain(p, &c->premises[i]) && !is_comparison(&c->premises[i]))
            return false;
    return true;
}

static uint32_t count_atoms(const mangle_program *p, const struct clause *c)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->premise_count; i++)
        count += mgi_demand_is_plain(p, &c->premises[i]);
    return count;
}

static bool may_be_demanded(const mangle_program *p, const struct plan *plan, mangle_pred pred)
{
    const struct pred *at = &p->preds[pred];
    const struct pred_plan *of = &plan->preds[pred];
    if (!at->derived || !at->changeable || at->assertable || at->temporal || at->lattice ||
        at->external || at->deferred || at->arity == 0 || at->arity > 64 ||
        mgi_is_put_off(p, pred) || p->preds[mgi_pred_shown(p, pred)].output)
        return false;
    for (uint32_t i = 0; i < of->rule_count; i++) {
        const struct rule *rule = &plan->rules[of->rules[i]];
        if (rule->per_request || rule->is_do || !cannot_fail(p, rule))
            return false;
    }
    return true;
}

/* A component as a whole, if one of its rules joins: else it derives no more than it reads. */
static void hope(struct demands *d, const struct stratum *s)
{
    bool all = true, joins = false;
    for (uint32_t i = 0; i < s->pred_count; i++)
        all &= may_be_demanded(d->p, d->plan, s->preds[i]);
    for (uint32_t i = 0; i < s->rule_count; i++)
        joins |= count_atoms(d->p, d->plan->rules[s->rules[i]].clause) > 1;
    for (uint32_t i = 0; i < s->pred_count && all && joins; i++) {
        struct pred_plan *pred = &d->plan->preds[s->preds[i]];
        uint32_t arity = d->p->preds[s->preds[i]].arity;
        pred->demanded = true;
        pred->bound = arity == 64 ? UINT64_MAX : (UINT64_C(1) << arity) - 1;
    }
}

/* What the engine reads by itself, or gives, is never demanded. */
static void leave_out(struct demands *d)
{
    for (size_t i = 0; i < d->p->pred_count; i++)
        if (d->p->preds[i].lattice && d->p->preds[i].lattice->merge != MANGLE_NO_PRED)
            d->plan->preds[d->p->preds[i].lattice->merge].bound = 0;
    for (size_t i = 0; i < d->p->fact_count; i++)
        if (d->p->facts[i].reads_now)
            d->plan->preds[d->p->facts[i].pred].bound = 0;
}

/* ---- what a base has none of ----------------------------------------------------------------- */

static bool has_empty_premise(const struct demands *d, const struct clause *c)
{
    for (uint32_t i = 0; i < c->premise_count; i++) {
        const struct premise *m = &c->premises[i];
        if (m->kind == PREMISE_ATOM && !m->negated && d->empty[m->atom.pred])
            return true;
    }
    return false;
}

/* Least: what has a fact or a rule that the base can use is not empty. */
static void find_empty(struct demands *d)
{
    const mangle_program *p = d->p;
    for (size_t i = 0; i < p->pred_count; i++)
        d->empty[i] = (p->preds[i].derived || p->preds[i].assertable) && !p->preds[i].external &&
                      !p->preds[i].deferred && !p->preds[i].lattice && !p->preds[i].temporal;
    for (size_t i = 0; i < p->fact_count; i++)
        d->empty[p->facts[i].pred] = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t r = 0; r < d->plan->rule_count; r++) {
            const struct rule *rule = &d->plan->rules[r];
            if (!d->empty[rule->head] || rule->per_request || has_empty_premise(d, rule->clause))
                continue;
            d->empty[rule->head] = false;
            changed = true;
        }
    }
}

/* ---- what waits ------------------------------------------------------------------------------ */

static bool waits_for(const struct demands *d, mangle_pred pred)
{
    uint32_t stratum = pred == MANGLE_NO_PRED ? UINT32_MAX : d->p->preds[pred].stratum;
    return stratum < d->p->stratum_count && d->waits[stratum];
}

static bool reads_what_waits(const struct demands *d, const struct clause *c)
{
    for (uint32_t i = 0; i < c->premise_count; i++) {
        const struct premise *m = &c->premises[i];
        if ((m->kind == PREMISE_ATOM || m->kind == PREMISE_TEMPORAL) && waits_for(d, m->atom.pred))
            return true;
    }
    return false;
}

static void find_waiting(struct demands *d)
{
    const mangle_program *p = d->p;
    for (size_t s = 0; s < p->stratum_count; s++) {
        const struct stratum *stratum = &p->strata[s];
        bool waits = false;
        for (uint32_t i = 0; i < stratum->pred_count; i++) {
            const struct pred *pred = &p->preds[stratum->preds[i]];
            waits |= d->plan->preds[stratum->preds[i]].demanded;
            waits |= pred->lattice && waits_for(d, pred->lattice->merge);
        }
        for (uint32_t i = 0; i < stratum->rule_count && !waits; i++)
            waits = reads_what_waits(d, p->rules[stratum->rules[i]]);
        d->waits[s] = waits;
    }
}

/* ---- who reads it, and what is known then ---------------------------------------------------- */

static bool look_at_reader(struct demands *d, const struct rule *rule, bool *changed)
{
    bool sure = cannot_fail(d->p, rule);
    for (uint32_t i = 0; i < rule->clause->premise_count; i++) {
        const struct premise *m = &rule->clause->premises[i];
        if ((m->kind != PREMISE_ATOM && m->kind != PREMISE_TEMPORAL) ||
            !d->plan->preds[m->atom.pred].demanded)
            continue;
        struct sides s = { 0 };
        if (sure && !mgi_demand_sides(d, rule, i, &s))
            return false;
        struct pred_plan *pred = &d->plan->preds[m->atom.pred];
        *changed |= (pred->bound & ~s.columns) != 0;
        pred->bound &= s.columns;
    }
    return true;
}

static bool give_up_the_unbound(struct demands *d)
{
    bool changed = false;
    for (size_t s = 0; s < d->p->stratum_count; s++) {
        const struct stratum *stratum = &d->p->strata[s];
        bool all = true;
        for (uint32_t i = 0; i < stratum->pred_count; i++)
            all &= d->plan->preds[stratum->preds[i]].bound != 0;
        for (uint32_t i = 0; i < stratum->pred_count && !all; i++) {
            changed |= d->plan->preds[stratum->preds[i]].demanded;
            d->plan->preds[stratum->preds[i]].demanded = false;
        }
    }
    return changed;
}

/* To the greatest set that is as it has to be. False: memory. */
static bool settle(struct demands *d, bool hoping)
{
    d->hoping = hoping;
    for (bool changed = true; changed;) {
        changed = false;
        find_waiting(d);
        for (uint32_t r = 0; r < d->plan->rule_count; r++)
            if (!look_at_reader(d, &d->plan->rules[r], &changed))
                return false;
        changed |= give_up_the_unbound(d);
    }
    return true;
}

/* ---- the stage ------------------------------------------------------------------------------- */

static bool is_any_demanded(const struct demands *d)
{
    for (size_t i = 0; i < d->p->pred_count; i++)
        if (d->plan->preds[i].demanded)
            return true;
    return false;
}

static enum mangle_status find_demanded(struct demands *d)
{
    for (size_t s = 0; s < d->p->stratum_count; s++)
        hope(d, &d->p->strata[s]);
    leave_out(d);
    (void)give_up_the_unbound(d);
    if (!is_any_demanded(d))
        return MANGLE_OK;
    find_empty(d);
    if (!settle(d, true) || !settle(d, false))
        return MANGLE_ERR_NOMEM;
    return is_any_demanded(d) ? mgi_demand_rules(d) : MANGLE_OK;
}

enum mangle_status mgi_demand(mangle_program *p, struct plan *plan)
{
    struct demands d = { .p = p, .plan = plan };
    enum mangle_status st = MANGLE_ERR_NOMEM;
    if (!p->outputs_known || plan->refused)
        return MANGLE_OK;
    mgi_arena_init(&d.scratch, 0);
    d.empty = mgi_arena_calloc(&d.scratch, p->pred_count + 1, sizeof *d.empty);
    d.waits = mgi_arena_calloc(&p->arena, p->stratum_count + 1, sizeof *d.waits);
    if (d.empty && d.waits)
        st = find_demanded(&d);
    mgi_arena_fini(&d.scratch);
    return st;
}
