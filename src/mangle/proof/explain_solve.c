/* What in the facts makes a rule derive one of them: the solutions of its body, smallest first, or
 * the inputs of a group.
 *
 * Solutions are compared by the variables in the order of their first occurrence in the body, then
 * by the rows of the premises (M-EVAL-31). A premise of the same stratum must have been born in an
 * earlier round than the fact. */
#include "mangle/proof/explain_solve.h"

#include <stdlib.h>
#include <string.h>

void *mgi_explain_take(struct explainer *e, size_t count, size_t size)
{
    return mgi_arena_calloc(e->arena, count ? count : 1, size);
}

/* ---- the solutions of a rule ----------------------------------------------------------------- */

struct search_goal {
    struct explainer *e;
    const struct rule *rule;
    const struct place *head;
    uint32_t born;
    bool relaxed; /* a value of a lattice relation may rest on one that was improved since */
    const uint32_t *order; /* variables by first occurrence in the body */
    uint32_t order_count;
    const struct solution *after; /* only solutions that are larger; NULL: all */
    bool loose;                   /* born later is fine, too */
    struct solution best, next;
};

static void note_var(const struct clause *c, const struct term *t, uint32_t *order, uint32_t *count)
{
    if (t->kind == TERM_APPLY)
        for (uint32_t i = 0; i < t->apply.count; i++)
            note_var(c, &t->apply.args[i], order, count);
    if (t->kind != TERM_VAR || c->vars[t->var].wildcard)
        return;
    for (uint32_t i = 0; i < *count; i++)
        if (order[i] == t->var)
            return;
    order[(*count)++] = t->var;
}

static void list_vars(const struct clause *c, uint32_t *order, uint32_t *count)
{
    for (uint32_t i = 0; i < c->premise_count; i++) {
        const struct premise *m = mgi_premise_written(c, i);
        if (m->kind == PREMISE_EQ || m->kind == PREMISE_NE) {
            note_var(c, &m->left, order, count);
            note_var(c, &m->right, order, count);
            continue;
        }
        for (uint32_t a = 0; a < m->atom.count; a++)
            note_var(c, &m->atom.args[a], order, count);
    }
}

static int compare_values(const mangle_values *t, mangle_value a, mangle_value b)
{
    if (a == b)
        return 0;
    if (a == MANGLE_NONE || b == MANGLE_NONE)
        return a == MANGLE_NONE ? -1 : 1;
    return mangle_compare(t, a, b);
}

static int compare_places(const struct eval *x, const struct place *a, const struct place *b)
{
    const uint32_t *u = mgi_place_words(x, a), *v = mgi_place_words(x, b);
    for (uint32_t i = 0; i < x->program->preds[a->pred].arity; i++) {
        int order = compare_values(x->values, u[i], v[i]);
        if (order)
            return order;
    }
    return (a->t.start_ns > b->t.start_ns) - (a->t.start_ns < b->t.start_ns);
}

/* The solution at hand compared with another. */
static int compare_next(const struct eval *x, const struct search_goal *g,
                        const struct solution *other)
{
    for (uint32_t i = 0; i < g->order_count; i++) {
        uint32_t v = g->order[i];
        int order = compare_values(x->values, g->next.regs[v], other->regs[v]);
        if (order)
            return order;
    }
    for (uint32_t i = 0; i < g->rule->clause->premise_count; i++) {
        if (!g->next.positive[i])
            continue;
        int order = compare_places(x, &g->next.places[i], &other->places[i]);
        if (order)
            return order;
    }
    return 0;
}

/* Only what was there before the fact may support it. */
static bool is_admissible(const struct eval *x, const struct search_goal *g,
                          const struct place *premise)
{
    const struct pred *pred = &x->program->preds[premise->pred];
    if (pred->stratum != g->rule->stratum)
        return true;
    if (g->loose || pred->temporal || pred->deferred || x->program->preds[g->head->pred].temporal)
        return !mgi_place_same(premise, g->head);
    if (g->relaxed)
        return !mgi_place_same(premise, g->head);
    return mgi_rel_born(&x->rels[premise->pred], premise->row) < g->born;
}

static enum mangle_status take_solution(struct eval *x, const struct code *code,
                                        const struct op *op)
{
    struct search_goal *g = x->sink_context;
    const struct clause *c = g->rule->clause;
    if (!mgi_goal_is_head(x, op, g->head))
        return MANGLE_OK;
    for (uint32_t i = 0; i < c->premise_count; i++) {
        enum mangle_status st =
            mgi_goal_premise(x, code, i, &g->next.places[i], &g->next.positive[i]);
        if (st)
            return st;
        if (g->next.positive[i] && !is_admissible(x, g, &g->next.places[i]))
            return MANGLE_OK;
    }
    memcpy(g->next.regs, x->regs, c->var_count * sizeof *g->next.regs);
    g->next.whole = mgi_goal_makes_whole(x, g->head);
    if (g->best.found && compare_next(x, g, &g->best) >= 0)
        return MANGLE_OK;
    if (g->after && compare_next(x, g, g->after) <= 0)
        return MANGLE_OK;
    struct solution swap = g->best;
    g->best = g->next;
    g->best.found = true;
    g->next = swap;
    if (!g->next.regs)
        return MANGLE_ERR_NOMEM;
    return MANGLE_OK;
}

static bool make_solution(struct explainer *e, const struct clause *c, struct solution *s)
{
    s->found = false;
    s->regs = mgi_explain_take(e, c->var_count, sizeof *s->regs);
    s->places = mgi_explain_take(e, c->premise_count, sizeof *s->places);
    s->positive = mgi_explain_take(e, c->premise_count, sizeof *s->positive);
    return s->regs && s->places && s->positive;
}

enum mangle_status mgi_explain_solution(struct explainer *e, const struct rule *rule,
                                        const struct place *head, const struct series *series,
                                        struct solution *out)
{
    const struct clause *c = rule->clause;
    struct search_goal g = { .e = e, .rule = rule, .head = head, .loose = series->loose };
    g.after = series->last.found ? &series->last : NULL;
    uint32_t *order = mgi_explain_take(e, c->var_count, sizeof *order);
    out->found = false;
    if (!order || !make_solution(e, c, &g.best) || !make_solution(e, c, &g.next))
        return MANGLE_ERR_NOMEM;
    list_vars(c, order, &g.order_count);
    g.order = order;
    g.born = e->o->base->program->preds[head->pred].deferred
                 ? e->limit
                 : mgi_rel_born(&e->o->rels[head->pred], head->row);
    enum mangle_status st = mgi_goal_run(e->o, rule, head, take_solution, &g);
    if (!st && !g.best.found && e->o->base->program->preds[head->pred].lattice) {
        g.relaxed = true;
        st = mgi_goal_run(e->o, rule, head, take_solution, &g);
    }
    *out = g.best;
    out->born = g.born;
    return st;
}

/* ---- the inputs of a group ------------------------------------------------------------------- */

struct collecting {
    struct explainer *e;
    const struct rule *rule;
    const mangle_value *keys;
    struct group_facts *out;
    size_t cap;
};

static enum mangle_status take_inputs(struct eval *x, const struct code *code, const struct op *op)
{
    struct collecting *g = x->sink_context;
    (void)op;
    if (!mgi_goal_in_group(x, g->rule, g->keys))
        return MANGLE_OK;
    for (uint32_t i = 0; i < g->rule->clause->premise_count; i++) {
        struct place place;
        bool found;
        enum mangle_status st = mgi_goal_premise(x, code, i, &place, &found);
        if (st)
            return st;
        if (!found)
            continue;
        if (!mgi_arena_grow(g->e->arena, &g->out->places, &g->cap, g->out->count + 1, sizeof place))
            return MANGLE_ERR_NOMEM;
        g->out->places[g->out->count++] = place;
    }
    return MANGLE_OK;
}

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->pred != y->pred)
        return x->pred < y->pred ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->t.start_ns != y->t.start_ns)
        return x->t.start_ns < y->t.start_ns ? -1 : 1;
    return (x->t.end_ns > y->t.end_ns) - (x->t.end_ns < y->t.end_ns);
}

/* Several rows may share a fact. */
static void keep_distinct(struct group_facts *g)
{
    size_t kept = 0;
    if (g->count)
        qsort(g->places, g->count, sizeof *g->places, by_place);
    for (size_t i = 0; i < g->count; i++)
        if (i == 0 || !mgi_place_same(&g->places[i], &g->places[i - 1]))
            g->places[kept++] = g->places[i];
    g->count = kept;
}

enum mangle_status mgi_explain_group(struct explainer *e, const struct rule *rule,
                                     const struct place *head, const mangle_value *keys,
                                     struct group_facts *out)
{
    struct collecting g = { .e = e, .rule = rule, .keys = keys, .out = out };
    enum mangle_status st = mgi_goal_run(e->o, rule, head, take_inputs, &g);
    keep_distinct(out);
    return st;
}
