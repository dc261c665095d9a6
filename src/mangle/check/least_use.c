/* How a rule uses the values of a predicate of which only the best may be kept (least.h). */
#include <string.h>

#include "mangle/check/least.h"

#define TERMS_MAX 3 /* of a sum */

static bool has_value(const struct value_use *u, const struct term *t)
{
    if (t->kind == TERM_VAR)
        return u->values[t->var];
    for (uint32_t i = 0; t->kind == TERM_APPLY && i < t->apply.count; i++)
        if (has_value(u, &t->apply.args[i]))
            return true;
    return false;
}

bool mgi_is_value_term(const struct value_use *u, const struct term *t)
{
    if (t->kind == TERM_VAR)
        return u->values[t->var];
    if (u->outside || t->kind != TERM_APPLY || !t->apply.row || t->apply.count == 0 ||
        t->apply.count > TERMS_MAX)
        return false;
    bool minus = strcmp(t->apply.row->name, "fn:minus") == 0;
    if (!minus && strcmp(t->apply.row->name, "fn:plus") != 0)
        return false;
    uint32_t values = 0;
    for (uint32_t i = 0; i < t->apply.count; i++) {
        const struct term *arg = &t->apply.args[i];
        if (!has_value(u, arg))
            continue;
        values++;
        if ((minus && (i > 0 || t->apply.count == 1)) || !mgi_is_value_term(u, arg))
            return false;
    }
    return values == 1;
}

static bool reads(const struct premise *m)
{
    return m->kind == PREMISE_ATOM || m->kind == PREMISE_TEMPORAL;
}

static bool atom_has_value(const struct value_use *u, const struct atom *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (has_value(u, &a->args[i]))
            return true;
    return false;
}

/* An atom of the predicate: a variable in the column that nothing before it has, or `_`. */
static bool use_atom(struct value_use *u, const struct clause *c, const struct premise *m,
                     const bool *seen)
{
    const struct term *v = &m->atom.args[u->column];
    if (m->kind != PREMISE_ATOM || v->kind != TERM_VAR)
        return false;
    if (c->vars[v->var].wildcard)
        return !atom_has_value(u, &m->atom);
    if (m->negated || seen[v->var])
        return false;
    for (uint32_t i = 0; i < m->atom.count; i++)
        if (i != u->column &&
            (m->atom.args[i].kind != TERM_VAR ? mgi_term_has_call(&m->atom.args[i])
                                              : m->atom.args[i].var == v->var))
            return false;
    if (atom_has_value(u, &m->atom))
        return false;
    u->values[v->var] = true;
    return true;
}

static bool use_comparison(const struct value_use *u, const struct premise *m)
{
    static const char *const names[] = { ":lt", ":le", ":gt", ":ge" };
    uint32_t which = 0;
    if (m->negated || !m->atom.builtin || m->atom.count != 2)
        return false;
    while (which < 4 && strcmp(m->atom.builtin->name, names[which]) != 0)
        which++;
    if (which == 4)
        return false;
    uint32_t side = (which >= 2) != u->greatest; /* where the value has to stand */
    return mgi_is_value_term(u, &m->atom.args[side]) && !has_value(u, &m->atom.args[1 - side]);
}

/* D = a sum, where D has no value before. */
static bool use_equation(struct value_use *u, const struct premise *m, const bool *seen)
{
    const struct term *sum = has_value(u, &m->left) ? &m->left : &m->right;
    const struct term *to = sum == &m->left ? &m->right : &m->left;
    if (m->kind != PREMISE_EQ || !mgi_is_value_term(u, sum) || to->kind != TERM_VAR ||
        u->values[to->var] || seen[to->var])
        return false;
    u->values[to->var] = true;
    return true;
}

static void see(bool *seen, const struct term *t)
{
    if (t->kind == TERM_VAR)
        seen[t->var] = true;
    for (uint32_t i = 0; t->kind == TERM_APPLY && i < t->apply.count; i++)
        see(seen, &t->apply.args[i]);
}

static void see_premise(bool *seen, const struct premise *m)
{
    see(seen, &m->left);
    see(seen, &m->right);
    for (uint32_t i = 0; i < m->atom.count; i++)
        see(seen, &m->atom.args[i]);
    if (m->annotation.present && m->annotation.start.kind == BOUND_VAR)
        seen[m->annotation.start.var] = true;
    if (m->annotation.present && m->annotation.end.kind == BOUND_VAR)
        seen[m->annotation.end.var] = true;
}

static bool use_premise(struct value_use *u, const struct clause *c, const struct premise *m,
                        const bool *seen)
{
    if (reads(m) && m->atom.pred == u->pred)
        return use_atom(u, c, m, seen);
    if (m->kind == PREMISE_EQ || m->kind == PREMISE_NE)
        return (!has_value(u, &m->left) && !has_value(u, &m->right)) || use_equation(u, m, seen);
    if (!atom_has_value(u, &m->atom))
        return true;
    return m->kind == PREMISE_BUILTIN && use_comparison(u, m);
}

static bool bounds_have_value(const struct value_use *u, const struct premise *m)
{
    const struct time_bound *bounds[] = { &m->near, &m->far, &m->annotation.start,
                                          &m->annotation.end };
    for (int i = 0; m->kind == PREMISE_TEMPORAL && i < 4; i++)
        if (bounds[i]->kind == BOUND_VAR && u->values[bounds[i]->var])
            return true;
    return false;
}

/* let D = a sum: a further equation. */
static bool use_lets(struct value_use *u, const struct clause *c, const bool *seen)
{
    for (uint32_t i = 0; i < c->transform->let_count; i++) {
        const struct let *let = &c->transform->lets[i];
        if (!has_value(u, &let->term))
            continue;
        if (!mgi_is_value_term(u, &let->term) || u->values[let->var] || seen[let->var])
            return false;
        u->values[let->var] = true;
    }
    return true;
}

/* What does not see how many rows a group has, and of the values the best one. */
static bool use_group(const struct value_use *u, const struct transform *t)
{
    for (uint32_t i = 0; i < t->key_count; i++)
        if (u->values[t->keys[i]])
            return false;
    for (uint32_t i = 0; i < t->let_count; i++) {
        const struct term *e = &t->lets[i].term;
        if (e->kind != TERM_APPLY || !e->apply.row || !e->apply.row->reduce) {
            if (has_value(u, e))
                return false;
            continue;
        }
        bool least = strcmp(e->apply.row->name, "fn:min") == 0;
        if ((!least && strcmp(e->apply.row->name, "fn:max") != 0) || e->apply.count != 1 ||
            e->apply.args[0].kind != TERM_VAR ||
            (u->values[e->apply.args[0].var] && least == u->greatest))
            return false;
    }
    return true;
}

bool mgi_uses_values(const struct clause *c, struct arena *scratch, struct value_use *u)
{
    bool *seen = mgi_arena_calloc(scratch, (size_t)c->var_count + 1, sizeof *seen);
    u->values = mgi_arena_calloc(scratch, (size_t)c->var_count + 1, sizeof *u->values);
    if (!seen || !u->values)
        return false;
    for (uint32_t i = 0; i < c->premise_count; i++) {
        if (!use_premise(u, c, &c->premises[i], seen))
            return false;
        see_premise(seen, &c->premises[i]);
    }
    for (uint32_t i = 0; i < c->premise_count; i++)
        if (bounds_have_value(u, &c->premises[i]))
            return false;
    if (!c->transform)
        return true;
    return c->transform->is_do ? use_group(u, c->transform) : use_lets(u, c, seen);
}
