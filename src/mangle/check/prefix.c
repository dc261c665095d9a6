/* Programs that come from elsewhere: `:match_prefix(X, /p)` holds for names below /p (M-PRED-4),
 * while other implementations compare the plain text, so that /pq counts there. Where a program
 * itself has such a name in a column that X is read from, it is warned: rows would be lost in
 * silence.
 *
 * X is followed back from column to column: through the positive atoms of its rule, then through
 * the heads of the rules of their predicates, to constants in facts and heads. What functions make,
 * and what a host adds, is not seen. The facts are looked at once for each prefix that is tested,
 * and a test costs what rules stand behind it. */
#include "mangle/check/check.h"
#include "mangle/program/diag.h"

struct column_at {
    mangle_pred pred;
    uint32_t column;
};

/* What facts have, for one prefix: per column, a name that only begins with it; empty: none. */
struct alike {
    mangle_value prefix;
    struct str *names;
    struct alike *next;
};

struct trace {
    mangle_program *p;
    struct arena arena;
    size_t columns;
    size_t *first;          /* per predicate: number of its first column */
    size_t *rules;          /* per predicate: 1 + its first rule in p->rules, or 0 */
    size_t *next;           /* per rule: 1 + the next one of its predicate, or 0 */
    bool *seen;             /* per column: X may come from there */
    struct column_at *from; /* those columns */
    size_t from_count;
    struct alike *alike;
    struct str prefix;
    struct str lost; /* what was found; empty: nothing */
};

static bool trace_begin(struct trace *t)
{
    const mangle_program *p = t->p;
    t->first = mgi_arena_calloc(&t->arena, p->pred_count + 1, sizeof *t->first);
    t->rules = mgi_arena_calloc(&t->arena, p->pred_count + 1, sizeof *t->rules);
    t->next = mgi_arena_calloc(&t->arena, p->rule_count + 1, sizeof *t->next);
    if (!t->first || !t->rules || !t->next)
        return false;
    for (size_t i = 0; i < p->pred_count; i++) {
        t->first[i] = t->columns;
        t->columns += p->preds[i].arity;
    }
    for (size_t i = p->rule_count; i-- > 0;) {
        t->next[i] = t->rules[p->rules[i]->head.pred];
        t->rules[p->rules[i]->head.pred] = i + 1;
    }
    t->seen = mgi_arena_calloc(&t->arena, t->columns + 1, sizeof *t->seen);
    t->from = mgi_arena_calloc(&t->arena, t->columns + 1, sizeof *t->from);
    return t->seen && t->from;
}

static void look_at(const struct trace *t, mangle_value v, struct str *lost)
{
    if (lost->len || mangle_kind_of(t->p->values, v) != MANGLE_NAME)
        return;
    struct str name;
    name.ptr = mangle_text_of(t->p->values, v, &name.len);
    if (name.len > t->prefix.len && name.ptr[t->prefix.len] != '/' &&
        mgi_str_starts(name, t->prefix))
        *lost = name;
}

/* NULL: memory was short. */
static const struct alike *alike_of(struct trace *t, mangle_value prefix)
{
    for (const struct alike *a = t->alike; a; a = a->next)
        if (a->prefix == prefix)
            return a;
    struct alike *a = mgi_arena_calloc(&t->arena, 1, sizeof *a);
    struct str *names = mgi_arena_calloc(&t->arena, t->columns + 1, sizeof *names);
    if (!a || !names)
        return NULL;
    for (size_t i = 0; i < t->p->fact_count; i++) {
        const struct fact *fact = &t->p->facts[i];
        for (uint32_t j = 0; fact->args && j < t->p->preds[fact->pred].arity; j++)
            look_at(t, fact->args[j], &names[t->first[fact->pred] + j]);
    }
    *a = (struct alike){ prefix, names, t->alike };
    return t->alike = a;
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
            t->from[t->from_count++] = (struct column_at){ m->atom.pred, j };
        }
    }
}

static void follow_rules(struct trace *t, struct column_at at)
{
    for (size_t i = t->rules[at.pred]; i; i = t->next[i - 1]) {
        const struct clause *c = t->p->rules[i - 1];
        const struct term *arg = &c->head.args[at.column];
        if (arg->kind == TERM_CONST)
            look_at(t, arg->value, &t->lost);
        else if (arg->kind == TERM_VAR)
            follow_var(t, c, arg->var);
    }
}

static bool find_lost(struct trace *t, const struct clause *c, const struct atom *test)
{
    mangle_value prefix = test->args[1].value;
    t->prefix.ptr = mangle_text_of(t->p->values, prefix, &t->prefix.len);
    t->lost = (struct str){ 0 };
    t->from_count = 0;
    const struct alike *alike = alike_of(t, prefix);
    if (!alike)
        return false;
    follow_var(t, c, test->args[0].var);
    for (size_t i = 0; i < t->from_count; i++) {
        size_t column = t->first[t->from[i].pred] + t->from[i].column;
        if (!t->lost.len)
            t->lost = alike->names[column];
        follow_rules(t, t->from[i]);
    }
    for (size_t i = 0; i < t->from_count; i++)
        t->seen[t->first[t->from[i].pred] + t->from[i].column] = false;
    return true;
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

/* The tests of one rule. False: memory was short. */
static bool check_rule_prefixes(struct trace *t, const struct clause *c, mangle_diags *diags)
{
    for (uint32_t i = 0; i < c->premise_count; i++) {
        if (!is_prefix_test(t->p, &c->premises[i]))
            continue;
        if ((!t->seen && !trace_begin(t)) || !find_lost(t, c, &c->premises[i].atom))
            return false;
        if (t->lost.len)
            tell_lost(t, c, &c->premises[i], diags);
    }
    return true;
}

enum mangle_status mgi_check_prefixes(mangle_program *p, mangle_diags *diags)
{
    struct trace t = { .p = p };
    bool ok = true;
    mgi_arena_init(&t.arena, 0);
    for (size_t i = 0; i < p->rule_count && ok; i++) {
        mgi_diags_anchor(diags, &p->rules[i]->span);
        ok = p->rules[i]->faulty || check_rule_prefixes(&t, p->rules[i], diags);
    }
    mgi_diags_anchor(diags, NULL);
    mgi_arena_fini(&t.arena);
    return ok ? MANGLE_OK : MANGLE_ERR_NOMEM;
}
