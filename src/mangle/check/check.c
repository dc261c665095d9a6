/* Tools for checking one clause: reporting, and which variables are bound. `X = Y` makes two
 * variables one (union-find): a class is bound as soon as one of its members is. */
#include <stdarg.h>

#include "mangle/check/check_int.h"

void mgi_check_error(struct check *k, const char *code, struct span span, const char *hint,
                     const char *format, ...)
{
    const struct source *source = k->source ? k->source : &k->p->sources[span.source];
    va_list args;
    va_start(args, format);
    mgi_diag_va(k->diags, source, MANGLE_ERROR, code, span, hint, format, args);
    va_end(args);
    k->failed = true;
}

bool mgi_check_begin(struct check *k, struct clause *c)
{
    size_t count = (size_t)c->var_count + 1;
    k->c = c;
    k->bound = mgi_arena_calloc(&k->scratch, count, sizeof *k->bound);
    k->told = mgi_arena_calloc(&k->scratch, count, sizeof *k->told);
    k->alias = mgi_arena_calloc(&k->scratch, count, sizeof *k->alias);
    if (!k->bound || !k->told || !k->alias) {
        k->oom = true;
        return false;
    }
    for (uint32_t i = 0; i < c->var_count; i++)
        k->alias[i] = i;
    return true;
}

void mgi_inputs_bind(struct check *k)
{
    const struct atom *head = &k->c->head;
    if (head->pred == MANGLE_NO_PRED || k->c->premise_count == 0)
        return;
    const bool *input = k->p->preds[head->pred].input;
    for (uint32_t i = 0; input && i < head->count; i++)
        if (input[i] && head->args[i].kind == TERM_VAR && !k->c->vars[head->args[i].var].wildcard)
            mgi_var_bind(k, head->args[i].var);
}

void mgi_each_var(struct check *k, const struct term *t, term_visit *visit, void *context)
{
    if (t->kind == TERM_VAR)
        visit(k, t, context);
    for (uint32_t i = 0; t->kind == TERM_APPLY && i < t->apply.count; i++)
        mgi_each_var(k, &t->apply.args[i], visit, context);
}

static uint32_t class_of(const struct check *k, uint32_t var)
{
    while (k->alias[var] != var) {
        k->alias[var] = k->alias[k->alias[var]];
        var = k->alias[var];
    }
    return var;
}

bool mgi_var_bound(const struct check *k, uint32_t var)
{
    return k->bound[class_of(k, var)];
}

void mgi_var_bind(struct check *k, uint32_t var)
{
    k->bound[class_of(k, var)] = true;
}

void mgi_var_unify(struct check *k, uint32_t a, uint32_t b)
{
    a = class_of(k, a);
    b = class_of(k, b);
    k->alias[a] = b;
    k->bound[b] |= k->bound[a];
}

static void find_unbound(struct check *k, const struct term *var, void *context)
{
    if (!mgi_var_bound(k, var->var))
        *(bool *)context = false;
}

bool mgi_vars_bound(struct check *k, const struct term *t)
{
    bool all = true;
    mgi_each_var(k, t, find_unbound, &all);
    return all;
}

static void bind_visited(struct check *k, const struct term *var, void *context)
{
    (void)context;
    mgi_var_bind(k, var->var);
}

void mgi_vars_bind(struct check *k, const struct term *t)
{
    mgi_each_var(k, t, bind_visited, NULL);
}

static void bind_atom(struct check *k, const struct atom *a)
{
    const bool *input = a->pred == MANGLE_NO_PRED ? NULL : k->p->preds[a->pred].input;
    for (uint32_t i = 0; i < a->count; i++)
        if (!input || !input[i])
            mgi_vars_bind(k, &a->args[i]);
}

/* A built-in nobody knows binds everything: one complaint is enough. */
static void bind_builtin(struct check *k, const struct atom *a)
{
    bool known = a->builtin && a->builtin->arity == a->count;
    for (uint32_t i = 0; i < a->count; i++)
        if (!known || (a->builtin->modes[i] == MODE_OUT && a->args[i].kind == TERM_VAR))
            mgi_vars_bind(k, &a->args[i]);
}

static void bind_equality(struct check *k, const struct term *left, const struct term *right)
{
    if (left->kind == TERM_VAR && right->kind == TERM_VAR) {
        mgi_var_unify(k, left->var, right->var);
    } else {
        mgi_vars_bind(k, left);
        mgi_vars_bind(k, right);
    }
}

void mgi_premise_bind(struct check *k, const struct premise *premise)
{
    if (premise->kind == PREMISE_EQ) {
        bind_equality(k, &premise->left, &premise->right);
        return;
    }
    if (premise->kind == PREMISE_NE || premise->negated)
        return;
    if (premise->kind == PREMISE_BUILTIN) {
        bind_builtin(k, &premise->atom);
        return;
    }
    bind_atom(k, &premise->atom);
    if (premise->annotation.present && premise->annotation.start.kind == BOUND_VAR)
        mgi_var_bind(k, premise->annotation.start.var);
    if (premise->annotation.present && premise->annotation.end.kind == BOUND_VAR)
        mgi_var_bind(k, premise->annotation.end.var);
}
