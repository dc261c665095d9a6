/* When something below a predicate changes, whatever the arguments: for every predicate and rule
 * the next instants at which there may be more of it, or less, if nothing but time passes. Worked
 * out once per evaluated overlay, when it is first asked for. */
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
    all->preds = mgi_arena_alloc(&o->arena, (p->pred_count + 1) * sizeof *all->preds);
    all->rules = mgi_arena_alloc(&o->arena, (p->plan->rule_count + 1) * sizeof *all->rules);
    for (size_t i = 0; all->preds && i < p->pred_count; i++)
        all->preds[i] = (struct change){ MANGLE_MAX_TIME, MANGLE_MAX_TIME };
    all->literals = mgi_literals_new(o);
    return all->preds && all->rules && all->literals;
}

enum mangle_status mgi_changes_make(mangle_overlay *o)
{
    enum mangle_status st = MANGLE_OK;
    if (o->changes)
        return st;
    const struct plan *plan = o->base->program->plan;
    struct changes *all = mgi_arena_alloc(&o->arena, sizeof *all);
    if (!all || !make_room(o, all))
        return MANGLE_ERR_NOMEM;
    for (uint32_t r = 0; r < plan->rule_count && !st; r++) {
        if (!rule_change(o, all->literals, &plan->rules[r], &all->rules[r]))
            st = MANGLE_ERR_NOMEM;
        if (!st)
            st = mgi_eval_check(&o->eval); /* it may have looked at every interval there is */
    }
    for (bool changed = true; changed && !st;) {
        changed = false;
        for (uint32_t r = 0; r < plan->rule_count; r++)
            changed |= spread_rule(o, all, &plan->rules[r]);
    }
    if (!st)
        o->changes = all;
    return st;
}
