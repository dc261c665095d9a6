/* Programs that come from elsewhere: `:match_prefix(X, /p)` holds for names below /p (M-PRED-4),
 * while other implementations compare the plain text, so that /pq counts there. Where a program
 * itself has such a name in a column that X is read from, it is warned: rows would be lost in
 * silence.
 *
 * X is followed back from column to column: through the positive atoms of its rule, then through
 * the heads of the rules of their predicates, to constants in facts and heads. What functions make,
 * and what a host adds, is not seen. A premise costs what rules and facts the program has. */
#include "mangle/check/check.h"
#include "mangle/program/diag.h"

struct column_at {
    mangle_pred pred;
    uint32_t column;
};

struct trace {
    const mangle_program *p;
    struct arena arena;
    size_t *first;             /* per predicate: number of its first column */
    bool *seen;                /* per column: X may come from there */
    struct column_at *waiting; /* seen, to be followed further */
    size_t waiting_count;
    struct str prefix;
    struct str lost; /* a name that only begins with the prefix; empty: none found */
    bool oom;
};

static bool trace_begin(struct trace *t)
{
    size_t columns = 0;
    t->first = mgi_arena_calloc(&t->arena, t->p->pred_count + 1, sizeof *t->first);
    for (size_t i = 0; t->first && i < t->p->pred_count; i++) {
        t->first[i] = columns;
        columns += t->p->preds[i].arity;
    }
    t->seen = mgi_arena_calloc(&t->arena, columns + 1, sizeof *t->seen);
    t->waiting = mgi_arena_calloc(&t->arena, columns + 1, sizeof *t->waiting);
    return t->first && t->seen && t->waiting;
}

static void look_at(struct trace *t, mangle_value v)
{
    if (t->lost.len || mangle_kind_of(t->p->values, v) != MANGLE_NAME)
        return;
    struct str name;
    name.ptr = mangle_text_of(t->p->values, v, &name.len);
    if (name.len > t->prefix.len && name.ptr[t->prefix.len] != '/' &&
        mgi_str_starts(name, t->prefix))
        t->lost = name;
}

/* The columns that positive atoms of the clause bind the variable from. */
static void follow_var(struct trace *t, const struct clause *c, uint32_t var)
{
    for (uint32_t i = 0; i < c->premise_count; i++) {
        const struct premise *m = &c->premises[i];
        bool atom = m->kind == PREMISE_ATOM || m->kind == PREMISE_TEMPORAL;
        if (!atom || m->negated || m->atom.pred == MANGLE_NO_PRED)
            continue;
        for (uint32_t j = 0; j < m->atom.count; j++) {
            bool *seen = &t->seen[t->first[m->atom.pred] + j];
            if (m->atom.args[j].kind != TERM_VAR || m->atom.args[j].var != var || *seen)
                continue;
            *seen = true;
            t->waiting[t->waiting_count++] = (struct column_at){ m->atom.pred, j };
        }
    }
}

static void follow_rules(struct trace *t, struct column_at at)
{
    for (size_t i = 0; i < t->p->rule_count; i++) {
        const struct clause *c = t->p->rules[i];
        if (c->head.pred != at.pred)
            continue;
        const struct term *arg = &c->head.args[at.column];
        if (arg->kind == TERM_CONST)
            look_at(t, arg->value);
        else if (arg->kind == TERM_VAR)
            follow_var(t, c, arg->var);
    }
}

static void look_at_facts(struct trace *t)
{
    for (size_t i = 0; i < t->p->fact_count && !t->lost.len; i++) {
        const struct fact *fact = &t->p->facts[i];
        const bool *seen = &t->seen[t->first[fact->pred]];
        for (uint32_t j = 0; fact->args && j < t->p->preds[fact->pred].arity; j++)
            if (seen[j])
                look_at(t, fact->args[j]);
    }
}

static void find_lost(struct trace *t, const struct clause *c, const struct atom *test)
{
    t->prefix.ptr = mangle_text_of(t->p->values, test->args[1].value, &t->prefix.len);
    mgi_arena_reset(&t->arena);
    if (!trace_begin(t)) {
        t->oom = true;
        return;
    }
    t->waiting_count = 0;
    t->lost = (struct str){ 0 };
    follow_var(t, c, test->args[0].var);
    while (t->waiting_count)
        follow_rules(t, t->waiting[--t->waiting_count]);
    look_at_facts(t);
}

static bool is_prefix_test(const mangle_program *p, const struct premise *m)
{
    const struct atom *a = &m->atom;
    return m->kind == PREMISE_BUILTIN && a->builtin && a->builtin->typing == TYPING_PREFIX &&
           a->count == 2 && a->args[0].kind == TERM_VAR && a->args[1].kind == TERM_CONST &&
           mangle_kind_of(p->values, a->args[1].value) == MANGLE_NAME;
}

static void tell_lost(const struct trace *t, const struct clause *c, const struct premise *m,
                      mangle_diags *diags)
{
    struct str var = c->vars[m->atom.args[0].var].name;
    mgi_diag(diags, t->p, MANGLE_WARNING, "NAME_PREFIX", m->atom.span,
             mgi_diag_text(diags,
                           "If the plain text is meant, write S = fn:name:to_string(%.*s), "
                           ":string:starts_with(S, \"%.*s\").",
                           STR_ARG(var), STR_ARG(t->prefix)),
             "names are compared by whole parts: %.*s begins with %.*s, but is not below it",
             STR_ARG(t->lost), STR_ARG(t->prefix));
}

enum mangle_status mgi_check_prefixes(mangle_program *p, mangle_diags *diags)
{
    struct trace t = { .p = p };
    mgi_arena_init(&t.arena, 0);
    for (size_t i = 0; i < p->rule_count && !t.oom; i++) {
        const struct clause *c = p->rules[i];
        mgi_diags_anchor(diags, &c->span);
        for (uint32_t j = 0; j < c->premise_count && !c->faulty && !t.oom; j++) {
            if (!is_prefix_test(p, &c->premises[j]))
                continue;
            find_lost(&t, c, &c->premises[j].atom);
            if (t.lost.len)
                tell_lost(&t, c, &c->premises[j], diags);
        }
    }
    mgi_diags_anchor(diags, NULL);
    mgi_arena_fini(&t.arena);
    return t.oom ? MANGLE_ERR_NOMEM : MANGLE_OK;
}
