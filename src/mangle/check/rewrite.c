/* The order of premises (mangle.md section 8.2). Premises stay as written, but for those that test
 * what a later premise binds: negated atoms and `!=` wait until their variables are bound, and so
 * does `X = Y` while neither side is (so that evaluation never meets two unbound sides). */
#include "base/buf.h"
#include "mangle/check/check_int.h"

struct order {
    uint32_t *occurs; /* per variable: how often in the whole clause */
    struct premise *placed;
    uint32_t placed_count;
    const struct premise **waiting;
    uint32_t waiting_count;
};

/* ---- counting occurrences ---------------------------------------------------------------- */

static void count_var(struct check *k, const struct term *var, void *context)
{
    (void)k;
    ((uint32_t *)context)[var->var]++;
}

static void count_bound(const struct time_bound *b, uint32_t *counts)
{
    if (b->kind == BOUND_VAR)
        counts[b->var]++;
}

static void count_annotation(const struct annotation *a, uint32_t *counts)
{
    if (!a->present)
        return;
    count_bound(&a->start, counts);
    if (!a->point)
        count_bound(&a->end, counts);
}

static void count_atom(struct check *k, const struct atom *a, uint32_t *counts)
{
    for (uint32_t i = 0; i < a->count; i++)
        mgi_each_var(k, &a->args[i], count_var, counts);
}

static void count_premise(struct check *k, const struct premise *premise, uint32_t *counts)
{
    if (premise->kind == PREMISE_EQ || premise->kind == PREMISE_NE) {
        mgi_each_var(k, &premise->left, count_var, counts);
        mgi_each_var(k, &premise->right, count_var, counts);
        return;
    }
    count_atom(k, &premise->atom, counts);
    count_annotation(&premise->annotation, counts);
    if (premise->window != WINDOW_NONE) {
        count_bound(&premise->near, counts);
        count_bound(&premise->far, counts);
    }
}

static void count_clause(struct check *k, uint32_t *counts)
{
    const struct clause *c = k->c;
    count_atom(k, &c->head, counts);
    count_annotation(&c->annotation, counts);
    for (uint32_t i = 0; i < c->premise_count; i++)
        count_premise(k, &c->premises[i], counts);
    if (!c->transform)
        return;
    mgi_each_var(k, &c->transform->grouping, count_var, counts);
    for (uint32_t i = 0; i < c->transform->let_count; i++)
        mgi_each_var(k, &c->transform->lets[i].term, count_var, counts);
}

/* ---- is a premise ready? ----------------------------------------------------------------- */

static bool bound_ready(const struct check *k, const struct time_bound *b)
{
    return b->kind != BOUND_VAR || mgi_var_bound(k, b->var);
}

/* `_` as an argument is existential (M-ANA-12). */
static bool argument_ready(struct check *k, const struct term *t)
{
    return (t->kind == TERM_VAR && k->c->vars[t->var].wildcard) || mgi_vars_bound(k, t);
}

static bool atom_ready(struct check *k, const struct atom *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (!argument_ready(k, &a->args[i]))
            return false;
    return true;
}

/* Variables that occur nowhere else are existential, the others must be bound (M-TEMP-40). */
static bool temporal_ready(struct check *k, const struct order *o, const struct premise *premise)
{
    if (premise->window != WINDOW_NONE &&
        (!bound_ready(k, &premise->near) || !bound_ready(k, &premise->far)))
        return false;
    uint32_t *inside = mgi_arena_calloc(&k->scratch, (size_t)k->c->var_count + 1, sizeof *inside);
    if (!inside) {
        k->oom = true;
        return true;
    }
    count_premise(k, premise, inside);
    for (uint32_t v = 0; v < k->c->var_count; v++)
        if (inside[v] && o->occurs[v] > inside[v] && !mgi_var_bound(k, v))
            return false;
    return true;
}

static bool ready(struct check *k, const struct order *o, const struct premise *premise)
{
    switch (premise->kind) {
    case PREMISE_NE:
        return mgi_vars_bound(k, &premise->left) && mgi_vars_bound(k, &premise->right);
    case PREMISE_EQ:
        return premise->left.kind != TERM_VAR || premise->right.kind != TERM_VAR ||
               mgi_var_bound(k, premise->left.var) || mgi_var_bound(k, premise->right.var);
    case PREMISE_TEMPORAL:
        return !premise->negated || temporal_ready(k, o, premise);
    default:
        return !premise->negated || atom_ready(k, &premise->atom);
    }
}

/* ---- placing ----------------------------------------------------------------------------- */

/* p(X) with reflects(/p) is :match_prefix(X, /p) once X is bound (M-DECL-17). */
static void reflect(struct check *k, struct premise *premise)
{
    if (premise->kind != PREMISE_ATOM || premise->atom.pred == MANGLE_NO_PRED)
        return;
    mangle_value prefix = k->p->preds[premise->atom.pred].reflects;
    struct atom *a = &premise->atom;
    if (prefix == MANGLE_NONE || a->count != 1 || !mgi_vars_bound(k, &a->args[0]))
        return;
    struct term *args = mgi_arena_calloc(k->arena, 2, sizeof *args);
    if (!args) {
        k->oom = true;
        return;
    }
    args[0] = a->args[0];
    args[1] = (struct term){ .kind = TERM_CONST, .span = a->span, .value = prefix };
    premise->kind = PREMISE_BUILTIN;
    *a = (struct atom){ .name = STR_LIT(":match_prefix"),
                        .span = a->span,
                        .pred = MANGLE_NO_PRED,
                        .builtin = mgi_builtin_pred_find(STR_LIT(":match_prefix")),
                        .args = args,
                        .count = 2 };
}

static void place_premise(struct check *k, struct order *o, const struct premise *premise)
{
    struct premise *placed = &o->placed[o->placed_count++];
    *placed = *premise;
    reflect(k, placed);
    mgi_premise_bind(k, placed);
}

/* Place what has become ready, in the order written; placing `X = Y` may free others. */
static void place_waiting(struct check *k, struct order *o)
{
    for (uint32_t i = 0; i < o->waiting_count;) {
        if (!ready(k, o, o->waiting[i])) {
            i++;
            continue;
        }
        bool binds = o->waiting[i]->kind == PREMISE_EQ;
        place_premise(k, o, o->waiting[i]);
        memmove(&o->waiting[i], &o->waiting[i + 1],
                (o->waiting_count - i - 1) * sizeof *o->waiting);
        o->waiting_count--;
        if (binds)
            i = 0;
    }
}

static bool order_clause(struct check *k)
{
    struct clause *c = k->c;
    if (c->premise_count == 0)
        return true;
    size_t count = (size_t)c->premise_count + 1;
    struct order o = {
        .occurs = mgi_arena_calloc(&k->scratch, (size_t)c->var_count + 1, sizeof *o.occurs),
        .placed = mgi_arena_calloc(&k->scratch, count, sizeof *o.placed),
        .waiting = mgi_arena_calloc(&k->scratch, count, sizeof *o.waiting),
    };
    if (!o.occurs || !o.placed || !o.waiting) {
        k->oom = true;
        return false;
    }
    count_clause(k, o.occurs);
    for (uint32_t i = 0; i < c->premise_count; i++) {
        if (ready(k, &o, &c->premises[i])) {
            place_premise(k, &o, &c->premises[i]);
            place_waiting(k, &o);
        } else {
            o.waiting[o.waiting_count++] = &c->premises[i];
        }
    }
    for (uint32_t i = 0; i < o.waiting_count; i++) /* never bound: reported by the clause check */
        place_premise(k, &o, o.waiting[i]);
    memcpy(c->premises, o.placed, c->premise_count * sizeof *c->premises);
    return !k->oom;
}

/* The text is what was written, so it is taken before anything moves. */
static const char *rule_text(mangle_program *p, const struct clause *c)
{
    struct buf text = { 0 };
    mgi_clause_print(&text, p, c);
    const char *kept = text.oom ? NULL : mgi_arena_str(&p->arena, mgi_buf_view(&text)).ptr;
    mgi_buf_fini(&text);
    return kept;
}

enum mangle_status mgi_order_premises(mangle_program *p)
{
    struct check k = { .p = p, .values = p->values, .arena = &p->arena };
    mgi_arena_init(&k.scratch, 0);
    for (size_t i = 0; i < p->clause_count && !k.oom; i++) {
        struct clause *c = &p->clauses[i];
        if (c->premise_count == 0)
            continue;
        c->text = rule_text(p, c);
        k.oom = !c->text || !mgi_check_begin(&k, c);
        if (!k.oom && c->head.pred != MANGLE_NO_PRED && p->preds[c->head.pred].deferred)
            mgi_inputs_bind(&k); /* M-ANA-10 */
        k.oom = k.oom || !order_clause(&k);
        mgi_arena_reset(&k.scratch);
    }
    mgi_arena_fini(&k.scratch);
    return k.oom ? MANGLE_ERR_NOMEM : MANGLE_OK;
}
