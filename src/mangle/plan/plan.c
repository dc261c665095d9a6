/* The last stage of compilation: rules become codes (plan.h). The main line is mgi_plan(). */
#include "mangle/plan/demand.h"

#include <string.h>

bool mgi_plan_per_request(const mangle_program *p, size_t rule)
{
    return p->plan && p->plan->rules[rule].per_request;
}

/* Closing a base over such a program is an error (M-EVAL-40). */
static const char *find_refused(const mangle_program *p)
{
    for (size_t i = 0; i < p->pred_count; i++)
        if (p->preds[i].lattice && p->preds[i].lattice->target_count != 1)
            return "a lattice relation merges one column: its fundep has another number of targets";
    return NULL;
}

static bool list_rules_by_head(const mangle_program *p, struct plan *plan)
{
    for (uint32_t r = 0; r < plan->rule_count; r++)
        plan->preds[plan->rules[r].head].rule_count++;
    for (size_t i = 0; i < p->pred_count; i++) {
        struct pred_plan *pred = &plan->preds[i];
        pred->rules = mgi_arena_alloc(plan->arena, pred->rule_count * sizeof *pred->rules);
        if (!pred->rules)
            return false;
        pred->rule_count = 0;
    }
    for (uint32_t r = 0; r < plan->rule_count; r++) {
        struct pred_plan *pred = &plan->preds[plan->rules[r].head];
        pred->rules[pred->rule_count++] = r;
    }
    return true;
}

static bool recalls(const mangle_program *p, const struct rule *rule)
{
    for (uint32_t i = 0; i < rule->clause->premise_count; i++) {
        const struct premise *m = &rule->clause->premises[i];
        if (m->kind != PREMISE_ATOM && m->kind != PREMISE_TEMPORAL)
            continue;
        const struct pred *pred = &p->preds[m->atom.pred];
        if (pred->deferred && pred->stratum == rule->stratum)
            return true;
    }
    return false;
}

static bool plan_begin(const mangle_program *p, struct plan *plan)
{
    plan->rule_count = (uint32_t)p->rule_count;
    plan->rules = mgi_arena_calloc(plan->arena, p->rule_count, sizeof *plan->rules);
    plan->preds = mgi_arena_calloc(plan->arena, p->pred_count, sizeof *plan->preds);
    if (!plan->rules || !plan->preds)
        return false;
    for (uint32_t r = 0; r < plan->rule_count; r++) {
        struct rule *rule = &plan->rules[r];
        const struct clause *c = p->rules[r];
        *rule = (struct rule){ .clause = c, .number = r, .shown = r, .head = c->head.pred };
        rule->stratum = p->preds[rule->head].stratum;
        rule->is_do = c->transform && c->transform->is_do;
        rule->annotated = p->preds[rule->head].temporal;
        rule->deferred = p->preds[rule->head].deferred;
        rule->recalls = !rule->deferred && recalls(p, rule);
    }
    for (size_t i = 0; i < p->pred_count; i++)
        if (p->preds[i].arity > plan->words_max)
            plan->words_max = p->preds[i].arity; /* arguments of calls join in measure() */
    for (size_t i = 0; i < p->fact_count; i++)
        plan->has_now_facts |= p->facts[i].reads_now;
    return list_rules_by_head(p, plan);
}

/* Something of this premise can be new: in a round of its own stratum, or in an overlay. */
static bool wants_delta(const mangle_program *p, const struct rule *rule,
                        const struct premise *prem)
{
    if ((prem->kind != PREMISE_ATOM && prem->kind != PREMISE_TEMPORAL) || prem->negated)
        return false;
    const struct pred *pred = &p->preds[prem->atom.pred];
    return !pred->deferred &&
           (pred->stratum == rule->stratum || (pred->changeable && !rule->asks_for));
}

static bool plan_guarded(const mangle_program *p, struct plan *plan, struct rule *rule)
{
    const struct clause *c = rule->clause;
    uint32_t count = 0;
    rule->guarded = mgi_arena_calloc(plan->arena, rule->delta_count + 1, sizeof *rule->guarded);
    if (!rule->guarded)
        return false;
    for (uint32_t i = 0; i < c->premise_count; i++) {
        if (!wants_delta(p, rule, &c->premises[i]))
            continue;
        rule->guarded[count] = mgi_plan_code(p, plan, rule, CODE_GUARDED, i);
        if (!rule->guarded[count++])
            return false;
    }
    return true;
}

static bool plan_rule(const mangle_program *p, struct plan *plan, struct rule *rule)
{
    const struct clause *c = rule->clause;
    rule->full = mgi_plan_code(p, plan, rule, CODE_FULL, 0);
    if (!rule->full)
        return false;
    if (rule->is_do) {
        rule->tail = mgi_plan_tail(p, plan, rule);
        return rule->tail != NULL; /* its premises are complete before it runs: no deltas */
    }
    if (rule->deferred || rule->recalls)
        return true; /* always run in full */
    rule->deltas = mgi_arena_calloc(plan->arena, c->premise_count, sizeof *rule->deltas);
    if (!rule->deltas)
        return false;
    for (uint32_t i = 0; i < c->premise_count; i++) {
        if (!wants_delta(p, rule, &c->premises[i]))
            continue;
        struct code *code = mgi_plan_code(p, plan, rule, CODE_DELTA, i);
        if (!code)
            return false;
        bool oom = false;
        if (p->strata[rule->stratum].recursive && code->delta_component)
            code->later = mgi_plan_later(p, plan, rule, i, &oom);
        if (oom)
            return false;
        rule->deltas[rule->delta_count++] = code;
    }
    return !rule->guarded_clause || plan_guarded(p, plan, rule);
}

/* The ops of a code stay where they are, so the room that the machine needs is known here. */
static void measure(struct plan *plan, const struct code *code)
{
    if (!code)
        return;
    if (code->reg_count > plan->reg_max)
        plan->reg_max = code->reg_count;
    if (code->op_count > plan->op_max)
        plan->op_max = (uint32_t)code->op_count;
    if (code->rule->deferred && code->reg_count > plan->call_reg_max)
        plan->call_reg_max = code->reg_count;
    if (code->rule->deferred && code->op_count > plan->call_op_max)
        plan->call_op_max = (uint32_t)code->op_count;
    if (code->rule->row_count > plan->words_max)
        plan->words_max = code->rule->row_count;
    for (size_t i = 0; i < code->op_count; i++)
        if (code->ops[i].arg_count > plan->words_max)
            plan->words_max = code->ops[i].arg_count;
}

/* Whose code is it to make ready: of several members the first one's. */
static const struct rule *shared_of(const struct rule *rule)
{
    const struct family *f = rule->family;
    return f && f->members[0].rule == rule ? &f->shared : NULL;
}

static void measure_all(struct plan *plan)
{
    plan->literal_count = 0;
    for (uint32_t r = 0; r < plan->rule_count + plan->asking_count; r++) {
        const struct rule *rule = &plan->rules[r];
        measure(plan, rule->full);
        for (size_t i = 0; i < rule->full->op_count; i++)
            plan->literal_count += rule->full->ops[i].spans != NULL;
        measure(plan, rule->goal);
        measure(plan, rule->tail);
        for (uint32_t i = 0; i < rule->delta_count; i++) {
            measure(plan, rule->deltas[i]);
            measure(plan, rule->deltas[i]->later);
        }
        for (uint32_t i = 0; rule->guarded && i < rule->delta_count; i++)
            measure(plan, rule->guarded[i]);
        const struct rule *shared = shared_of(rule);
        for (uint32_t i = 0; shared && i < shared->delta_count; i++)
            measure(plan, shared->deltas[i]);
        for (size_t i = 0; rule->tail && i < rule->tail->op_count; i++)
            measure(plan, rule->tail->ops[i].each);
    }
}

static bool rule_meets(const mangle_program *p, struct plan *plan, const struct rule *rule)
{
    if (rule->full && rule->full->rule == rule && !mgi_plan_meets(p, plan, rule->full))
        return false;
    for (uint32_t i = 0; i < rule->delta_count; i++)
        if (rule->deltas[i]->rule == rule && !mgi_plan_meets(p, plan, rule->deltas[i]))
            return false;
    for (uint32_t i = 0; rule->guarded && i < rule->delta_count; i++)
        if (rule->guarded[i]->rule == rule && !mgi_plan_meets(p, plan, rule->guarded[i]))
            return false;
    return true;
}

/* Not in calls, whose codes run while others do; and not of a code that another plan made. */
static bool plan_meets(const mangle_program *p, struct plan *plan)
{
    for (uint32_t r = 0; r < plan->rule_count + plan->asking_count; r++) {
        const struct rule *rule = &plan->rules[r], *shared = shared_of(rule);
        if (!rule->deferred && !rule_meets(p, plan, rule))
            return false;
        if (shared && !rule_meets(p, plan, shared))
            return false;
    }
    return true;
}

enum mangle_status mgi_plan(mangle_program *p)
{
    struct plan *plan = mgi_arena_calloc(&p->arena, 1, sizeof *plan);
    if (plan)
        plan->arena = &p->arena;
    if (!plan || !plan_begin(p, plan))
        return MANGLE_ERR_NOMEM;
    plan->refused = find_refused(p);
    mgi_plan_merging(p);
    enum mangle_status st = mgi_plan_classify(p, plan);
    if (st)
        return st;
    st = mgi_demand(p, plan);
    if (st)
        return st;
    for (uint32_t r = 0; r < plan->rule_count + plan->asking_count; r++)
        if (!plan_rule(p, plan, &plan->rules[r]))
            return MANGLE_ERR_NOMEM;
    /* Last, because a goal makes do with the indexes that evaluation has anyway. */
    for (uint32_t r = 0; r < plan->rule_count; r++) {
        struct rule *rule = &plan->rules[r];
        rule->goal = mgi_plan_code(p, plan, rule, CODE_GOAL, 0);
        if (!rule->goal)
            return MANGLE_ERR_NOMEM;
    }
    if (!plan_meets(p, plan))
        return MANGLE_ERR_NOMEM;
    measure_all(plan);
    p->plan = plan;
    return MANGLE_OK;
}

/* ---- once facts are known -------------------------------------------------------------------- */

static bool is_stored(const mangle_program *p, const struct premise *m)
{
    return (m->kind == PREMISE_ATOM || m->kind == PREMISE_TEMPORAL) && !m->negated &&
           !p->preds[m->atom.pred].deferred && !p->preds[m->atom.pred].external;
}

/* Can the order of its atoms matter above these facts? What asks the host keeps the number of its
 * request. */
static bool has_choice(const mangle_program *p, const struct rule *rule, const struct sizes *sizes)
{
    const struct clause *c = rule->clause;
    uint32_t stored = 0;
    bool large = false;
    if (rule->deferred || rule->recalls)
        return false;
    for (uint32_t i = 0; i < c->premise_count; i++) {
        const struct premise *m = &c->premises[i];
        if (is_stored(p, m)) {
            stored++;
            large |= sizes->matching(sizes->context, m->atom.pred, NULL, 0) >= sizes->least;
        } else if ((m->kind == PREMISE_ATOM || m->kind == PREMISE_TEMPORAL) && !m->negated) {
            return false;
        }
    }
    return large && stored >= (rule->per_request ? 2 : 3); /* one of three is the news */
}

static bool copy_plan(const mangle_program *p, const struct plan *old, struct arena *arena,
                      struct plan *plan)
{
    *plan = *old;
    plan->arena = arena;
    uint32_t count = old->rule_count + old->asking_count;
    plan->rules = mgi_arena_alloc(arena, count * sizeof *plan->rules);
    plan->preds = mgi_arena_alloc(arena, p->pred_count * sizeof *plan->preds);
    if (!plan->rules || !plan->preds)
        return false;
    memcpy(plan->rules, old->rules, count * sizeof *plan->rules);
    memcpy(plan->preds, old->preds, p->pred_count * sizeof *plan->preds);
    for (size_t i = 0; i < p->pred_count; i++) {
        struct pred_plan *pred = &plan->preds[i];
        pred->search_cap = pred->search_count;
        pred->searches = mgi_arena_alloc(arena, pred->search_count * sizeof *pred->searches);
        if (!pred->searches)
            return false;
        if (pred->search_count)
            memcpy(pred->searches, old->preds[i].searches,
                   pred->search_count * sizeof *pred->searches);
    }
    return true;
}

static bool plan_rule_again(const mangle_program *p, struct plan *plan, struct rule *rule)
{
    const struct clause *c = rule->clause;
    if (rule->per_request && !(rule->full = mgi_plan_code(p, plan, rule, CODE_FULL, 0)))
        return false;
    struct code **old = rule->deltas;
    rule->deltas = mgi_arena_calloc(plan->arena, rule->delta_count, sizeof *rule->deltas);
    if (!rule->deltas)
        return false;
    for (uint32_t i = 0, at = 0; at < rule->delta_count; i++) {
        if (!wants_delta(p, rule, &c->premises[i]))
            continue;
        rule->deltas[at] = old[at];
        if (p->preds[c->premises[i].atom.pred].changeable &&
            !(rule->deltas[at] = mgi_plan_code(p, plan, rule, CODE_DELTA, i)))
            return false;
        at++;
    }
    return !rule->guarded || plan_guarded(p, plan, rule);
}

enum mangle_status mgi_plan_for_overlays(const mangle_program *p, const struct plan *old,
                                         struct arena *arena, const struct sizes *sizes,
                                         const struct plan **out)
{
    bool needed = mgi_plan_may_have_families(p, old, sizes);
    *out = old;
    uint32_t count = old->rule_count + old->asking_count;
    for (uint32_t r = 0; r < count && !needed; r++)
        needed = has_choice(p, &old->rules[r], sizes);
    if (!needed)
        return MANGLE_OK;
    struct plan *plan = mgi_arena_alloc(arena, sizeof *plan);
    if (!plan || !copy_plan(p, old, arena, plan))
        return MANGLE_ERR_NOMEM;
    plan->sizes = sizes;
    bool ok = mgi_plan_families(p, plan);
    for (uint32_t r = 0; r < count && ok; r++)
        if (!plan->rules[r].family && has_choice(p, &plan->rules[r], sizes))
            ok = plan_rule_again(p, plan, &plan->rules[r]);
    if (!ok || !plan_meets(p, plan))
        return MANGLE_ERR_NOMEM;
    measure_all(plan);
    plan->sizes = NULL;
    *out = plan;
    return MANGLE_OK;
}
