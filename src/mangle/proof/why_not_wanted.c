/* Which facts would take a rule past the premise that it failed.
 *
 * Of a premise that found no fact, the fact that it looked for; and, as of a test that does not
 * hold, facts in the place of those that gave its variables their values, with these left open. A
 * column that is left open gets hints: what the rule compares its variable with, and what stands in
 * its place in facts of other premises. They are hints, no more: who adds such a fact evaluates
 * again. */
#include <string.h>

#include "mangle/proof/why_not.h"

#define MAX_WANTED 8
#define MAX_ROWS   64 /* that are looked at for hints, of a premise */

struct hints {
    mangle_value values[MANGLE_WANTED_TRIES + 1];
    size_t count;
    bool nomem;
};

static void add_hint(struct hints *h, mangle_value v)
{
    for (size_t i = 0; i < h->count; i++)
        if (h->values[i] == v)
            return;
    h->nomem |= v == MANGLE_NONE;
    if (v != MANGLE_NONE && h->count < MANGLE_WANTED_TRIES)
        h->values[h->count++] = v;
}

/* A number that something is compared with, and its neighbours. */
static void add_constant(const struct why_stuck *at, struct hints *h, mangle_value v)
{
    mangle_values *t = at->goal->o->values;
    add_hint(h, v);
    if (mangle_kind_of(t, v) != MANGLE_NUMBER)
        return;
    int64_t n = mangle_int_of(t, v);
    if (n < INT64_MAX)
        add_hint(h, mangle_number(t, n + 1));
    if (n > INT64_MIN)
        add_hint(h, mangle_number(t, n - 1));
}

static bool is_var(const struct term *t, uint32_t var)
{
    return t->kind == TERM_VAR && t->var == var;
}

/* What stands opposite the variable: a constant, or a variable with a value. */
static void add_term(const struct why_stuck *at, struct hints *h, const struct term *t)
{
    if (t->kind == TERM_CONST)
        add_constant(at, h, t->value);
    else if (t->kind == TERM_VAR && at->known[t->var] && at->regs[t->var] != MANGLE_NONE)
        add_constant(at, h, at->regs[t->var]);
}

static void hint_from_test(const struct why_stuck *at, struct hints *h, const struct premise *p,
                           uint32_t var)
{
    bool named = false;
    if (p->kind == PREMISE_EQ || p->kind == PREMISE_NE) {
        if (is_var(&p->left, var))
            add_term(at, h, &p->right);
        if (is_var(&p->right, var))
            add_term(at, h, &p->left);
        return;
    }
    for (uint32_t i = 0; i < p->atom.count; i++)
        named |= is_var(&p->atom.args[i], var);
    for (uint32_t i = 0; named && i < p->atom.count; i++)
        if (!is_var(&p->atom.args[i], var))
            add_term(at, h, &p->atom.args[i]);
}

static void hint_from_facts(const struct why_stuck *at, struct hints *h, const struct atom *atom,
                            uint32_t var)
{
    const struct rel *rel = &at->goal->o->rels[atom->pred];
    for (uint32_t i = 0; i < atom->count; i++)
        for (uint32_t row = 0;
             is_var(&atom->args[i], var) && row < mgi_rel_end(rel) && row < MAX_ROWS; row++)
            if (mgi_rel_live(rel, row))
                add_hint(h, mgi_rel_row(rel, row)[i]);
}

static bool is_atom(const struct premise *p)
{
    return (p->kind == PREMISE_ATOM || p->kind == PREMISE_TEMPORAL) &&
           p->atom.pred != MANGLE_NO_PRED;
}

/* Tests first: they are about this very variable. */
static void find_hints(const struct why_stuck *at, uint32_t from, uint32_t var, struct hints *h)
{
    const struct clause *c = at->clause;
    for (uint32_t i = 0; i < c->premise_count; i++)
        if (!is_atom(&c->premises[i]))
            hint_from_test(at, h, &c->premises[i], var);
    for (uint32_t i = 0; i < c->premise_count; i++)
        if (i != from && is_atom(&c->premises[i]) && !c->premises[i].negated)
            hint_from_facts(at, h, &c->premises[i].atom, var);
}

static const mangle_value *keep_hints(const struct why_stuck *at, const struct hints *h)
{
    mangle_value *kept = mgi_arena_calloc(at->goal->arena, h->count + 1, sizeof *kept);
    if (kept)
        memcpy(kept, h->values, h->count * sizeof *kept);
    if (kept)
        kept[h->count] = MANGLE_NONE;
    return kept;
}

/* The atom of premise `from`, with the variables in `open` (NULL: none) left open. False: memory.
 */
static bool want(const struct why_stuck *at, uint32_t from, const bool *open,
                 struct mangle_wanted *out)
{
    const struct atom *atom = &at->clause->premises[from].atom;
    mangle_value *args = mgi_arena_calloc(at->goal->arena, atom->count + 1, sizeof *args);
    const mangle_value **tries =
        mgi_arena_calloc(at->goal->arena, atom->count + 1, sizeof(const mangle_value *));
    if (!args || !tries)
        return false;
    for (uint32_t i = 0; i < atom->count; i++) {
        const struct term *t = &atom->args[i];
        struct hints hints = { .count = 0 };
        args[i] = t->kind == TERM_CONST ? t->value : MANGLE_NONE;
        if (t->kind == TERM_VAR && at->known[t->var] && !(open && open[t->var]))
            args[i] = at->regs[t->var];
        if (args[i] != MANGLE_NONE)
            continue;
        if (t->kind == TERM_VAR)
            find_hints(at, from, t->var, &hints);
        tries[i] = keep_hints(at, &hints);
        if (!tries[i] || hints.nomem)
            return false;
    }
    *out = (struct mangle_wanted){ mgi_pred_shown(at->goal->o->base->program, atom->pred), args,
                                   tries };
    return true;
}

/* ---- facts in the place of others
 * --------------------------------------------------------------------------------- */

static void mark_vars(const struct term *t, bool *vars)
{
    if (t->kind == TERM_VAR)
        vars[t->var] = true;
    for (uint32_t i = 0; t->kind == TERM_APPLY && i < t->apply.count; i++)
        mark_vars(&t->apply.args[i], vars);
}

/* Also what the variables of the test were computed from. */
static bool *vars_of_test(const struct why_stuck *at)
{
    const struct clause *c = at->clause;
    bool *vars = mgi_arena_calloc(at->goal->arena, c->var_count + 1, sizeof *vars);
    for (uint32_t i = at->premise + 1; vars && i > 0; i--) {
        const struct premise *p = &c->premises[i - 1];
        bool test = i - 1 == at->premise;
        for (uint32_t k = 0; test && k < p->atom.count; k++)
            mark_vars(&p->atom.args[k], vars);
        if (p->kind != PREMISE_EQ && p->kind != PREMISE_NE)
            continue;
        bool computes = p->kind == PREMISE_EQ && p->left.kind == TERM_VAR && vars[p->left.var];
        if (test)
            mark_vars(&p->left, vars);
        if (test || computes)
            mark_vars(&p->right, vars);
    }
    return vars;
}

static bool has_any(const struct atom *atom, const bool *vars)
{
    for (uint32_t i = 0; i < atom->count; i++)
        if (atom->args[i].kind == TERM_VAR && vars[atom->args[i].var])
            return true;
    return false;
}

enum mangle_status mgi_why_wanted(const struct why_stuck *at, struct mangle_failed_rule *out)
{
    struct mangle_wanted *list = mgi_arena_calloc(at->goal->arena, MAX_WANTED, sizeof *list);
    if (!list)
        return MANGLE_ERR_NOMEM;
    out->wanted = list;
    if (out->kind == MANGLE_FAILED_NO_FACT && is_atom(&at->clause->premises[at->premise]) &&
        !want(at, at->premise, NULL, &list[out->wanted_count++]))
        return MANGLE_ERR_NOMEM;
    const bool *open = vars_of_test(at);
    for (uint32_t i = 0; open && i < at->premise && out->wanted_count < MAX_WANTED; i++) {
        const struct premise *p = &at->clause->premises[i];
        if (!is_atom(p) || p->negated || !has_any(&p->atom, open))
            continue;
        if (!want(at, i, open, &list[out->wanted_count++]))
            return MANGLE_ERR_NOMEM;
    }
    return open ? MANGLE_OK : MANGLE_ERR_NOMEM;
}
