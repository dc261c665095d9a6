/* When something below a predicate changes, whatever the arguments: for every predicate and rule
 * the next instants at which there may be more of it, or less, if nothing but time passes. Worked
 * out once per evaluated overlay, when it is first asked for, for the predicate in question and
 * what is below it. */
#include "mangle/proof/foresee.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void add_change(struct change *to, int64_t gain, int64_t loss)
{
    to->gain = least(to->gain, gain);
    to->loss = least(to->loss, loss);
}

/* What the rule's own temporal literals do. */
static bool rule_change(mangle_overlay *o, struct literals *literals, const struct rule *rule,
                        struct change *to)
{
    struct change out = { MANGLE_MAX_TIME, MANGLE_MAX_TIME };
    if (rule->calls_now)
        add_change(&out, mgi_next_instant(&o->eval), mgi_next_instant(&o->eval));
    const struct code *code = rule->full;
    for (size_t i = 0; i < code->op_count; i++) {
        const struct op *op = &code->ops[i];
        if (!op->spans)
            continue;
        const struct look *look = op->look ? op->look : code->ops[op->spans->scan].look;
        struct change c;
        if (!mgi_literals_take(o, literals, op->spans, look->pred, &c))
            return false;
        if (op->kind == OP_ABSENT)
            add_change(&out, c.loss, c.gain);
        else
            add_change(&out, c.gain, c.loss);
    }
    *to = out;
    return true;
}

/* What changes in a premise's predicate does to the body. An interval that grows replaces the one
 * before, so variables bound to it change both ways. */
static struct change premise_change(const mangle_overlay *o, const struct changes *all,
                                    const struct premise *m)
{
    struct change c = all->preds[m->atom.pred];
    bool binds = m->kind == PREMISE_TEMPORAL && m->annotation.present &&
                 (m->annotation.start.kind == BOUND_VAR || m->annotation.end.kind == BOUND_VAR);
    if (binds || o->base->program->preds[m->atom.pred].lattice)
        c.gain = c.loss = least(c.gain, c.loss);
    return m->negated ? (struct change){ c.loss, c.gain } : c;
}

static bool spread_rule(const mangle_overlay *o, struct changes *all, const struct rule *rule)
{
    struct change *body = &all->rules[rule->number], *head = &all->preds[rule->head];
    struct change before = *head, from;
    for (uint32_t i = 0; i < rule->clause->premise_count; i++) {
        const struct premise *m = &rule->clause->premises[i];
        if (!mgi_premise_is_atom(m))
            continue;
        struct change c = premise_change(o, all, m);
        add_change(body, c.gain, c.loss);
    }
    from = *body;
    if (rule->is_do) /* one row more: the old sum is gone, and there is a new one */
        from.gain = from.loss = least(from.gain, from.loss);
    add_change(head, from.gain, from.loss);
    return head->gain != before.gain || head->loss != before.loss;
}

static bool make_room(mangle_overlay *o, struct changes *all)
{
    const mangle_program *p = o->base->program;
    all->preds = mgi_arena_alloc(&o->lasting, (p->pred_count + 1) * sizeof *all->preds);
    all->known = mgi_arena_alloc(&o->lasting, (p->pred_count + 1) * sizeof *all->known);
    all->cone = mgi_arena_alloc(&o->lasting, (p->pred_count + 1) * sizeof *all->cone);
    all->rules = mgi_arena_alloc(&o->lasting, (p->plan->rule_count + 1) * sizeof *all->rules);
    for (size_t i = 0; all->preds && all->known && i < p->pred_count; i++) {
        all->preds[i] = (struct change){ MANGLE_MAX_TIME, MANGLE_MAX_TIME };
        all->known[i] = !p->plan->preds[i].depends_on_now;
    }
    all->literals = mgi_literals_new(o);
    return all->preds && all->known && all->cone && all->rules && all->literals;
}

enum mangle_status mgi_changes_make(mangle_overlay *o)
{
    if (o->changes)
        return MANGLE_OK;
    struct changes *all = mgi_arena_alloc(&o->lasting, sizeof *all);
    if (!all || !make_room(o, all))
        return MANGLE_ERR_NOMEM;
    o->changes = all;
    return MANGLE_OK;
}

/* ---- what is asked about --------------------------------------------------------------------- */

/* A predicate goes into the cone once. If it does not get through, nothing of the cone is known. */
static void reach(struct changes *all, mangle_pred pred, uint32_t *count)
{
    if (all->known[pred])
        return;
    all->known[pred] = true;
    all->cone[(*count)++] = pred;
}

static enum mangle_status take_rules(mangle_overlay *o, mangle_pred pred, uint32_t *count)
{
    const struct plan *plan = o->base->program->plan;
    enum mangle_status st = MANGLE_OK;
    for (uint32_t r = 0; r < plan->preds[pred].rule_count && !st; r++) {
        const struct rule *rule = &plan->rules[plan->preds[pred].rules[r]];
        if (!rule_change(o, o->changes->literals, rule, &o->changes->rules[rule->number]))
            return MANGLE_ERR_NOMEM;
        for (uint32_t i = 0; i < rule->clause->premise_count; i++)
            if (mgi_premise_is_atom(&rule->clause->premises[i]))
                reach(o->changes, rule->clause->premises[i].atom.pred, count);
        st = mgi_eval_check(&o->eval); /* it may have looked at every interval there is */
    }
    return st;
}

/* What is reached later stands below, as a rule, so sweeping backwards needs few rounds. */
static enum mangle_status settle_cone(mangle_overlay *o, uint32_t count)
{
    const struct plan *plan = o->base->program->plan;
    enum mangle_status st = MANGLE_OK;
    for (bool changed = true; changed && !st;) {
        changed = false;
        for (uint32_t i = count; i-- > 0;) {
            const struct pred_plan *pred = &plan->preds[o->changes->cone[i]];
            for (uint32_t r = 0; r < pred->rule_count; r++)
                changed |= spread_rule(o, o->changes, &plan->rules[pred->rules[r]]);
        }
        st = mgi_eval_check(&o->eval);
    }
    return st;
}

static enum mangle_status work_out(mangle_overlay *o, mangle_pred pred)
{
    struct changes *all = o->changes;
    uint32_t count = 0;
    enum mangle_status st = MANGLE_OK;
    reach(all, pred, &count);
    for (uint32_t i = 0; i < count && !st; i++)
        st = take_rules(o, all->cone[i], &count);
    if (!st && count)
        st = settle_cone(o, count);
    for (uint32_t i = 0; st && i < count; i++) {
        all->known[all->cone[i]] = false;
        all->preds[all->cone[i]] = (struct change){ MANGLE_MAX_TIME, MANGLE_MAX_TIME };
    }
    return st;
}

struct change mgi_changes_pred(mangle_overlay *o, mangle_pred pred, enum mangle_status *st)
{
    int64_t next = mgi_next_instant(&o->eval);
    if (!*st && !o->changes->known[pred])
        *st = work_out(o, pred);
    return *st ? (struct change){ next, next } : o->changes->preds[pred];
}

struct change mgi_changes_rule(mangle_overlay *o, const struct rule *rule, enum mangle_status *st)
{
    struct change body = { MANGLE_MAX_TIME, MANGLE_MAX_TIME };
    int64_t next = mgi_next_instant(&o->eval);
    const struct clause *c = rule->clause;
    if (!*st && o->changes->known[rule->head] &&
        o->base->program->plan->preds[rule->head].depends_on_now)
        return o->changes->rules[rule->number];
    if (!*st && !rule_change(o, o->changes->literals, rule, &body))
        *st = MANGLE_ERR_NOMEM;
    for (uint32_t i = 0; i < c->premise_count && !*st; i++) {
        if (!mgi_premise_is_atom(&c->premises[i]))
            continue;
        mgi_changes_pred(o, c->premises[i].atom.pred, st);
        struct change one = premise_change(o, o->changes, &c->premises[i]);
        add_change(&body, one.gain, one.loss);
    }
    return *st ? (struct change){ next, next } : body;
}
