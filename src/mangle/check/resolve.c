/* Names in clauses to what they mean: predicates (M-ANA-40 to 42) and functions (M-ANA-43 to 45);
 * what is said where there is none; and the values of terms (M-ANA-4). */
#include "mangle/check/check_int.h"
#include "mangle/check/suggest.h"

#include <assert.h>

/* ---- predicates -------------------------------------------------------------------------- */

static uint32_t apart(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* The predicate of that name whose arity is nearest, or NULL. */
static const struct pred *pred_named(const mangle_program *p, struct str name, uint32_t arity)
{
    const struct pred *best = NULL;
    for (size_t i = 0; i < p->pred_count; i++)
        if (str_eq(p->preds[i].name, name) &&
            (!best || apart(p->preds[i].arity, arity) < apart(best->arity, arity)))
            best = &p->preds[i];
    return best;
}

static void report_unknown(struct check *k, const struct atom *a)
{
    const struct pred *other =
        mgi_diags_full(k->diags) ? NULL : pred_named(k->p, a->name, a->count);
    if (mgi_name_broken(k->p, a->name))
        return;
    if (other) {
        mgi_check_error(k, "PRED_ARITY", a->span, mgi_hint_call(other, k->diags),
                        "\"%.*s\" has %u argument%s here, but is defined with %s", STR_ARG(a->name),
                        a->count, a->count == 1 ? "" : "s",
                        mgi_known_arities(k->p, a->name, k->diags));
        return;
    }
    const char *hint = mgi_hint_pred(k->p, a->name, a->count, k->diags);
    mgi_check_error(k, "PRED_UNKNOWN", a->span,
                    hint ? hint : "Declare it with Decl if its facts come from outside.",
                    "the predicate \"%.*s\" is not defined", STR_ARG(a->name));
}

/* Text before the last dot. */
static struct str package_part(struct str name)
{
    size_t dot = name.len;
    while (dot > 0 && name.ptr[dot - 1] != '.')
        dot--;
    return (struct str){ name.ptr, dot ? dot - 1 : 0 };
}

static void check_visible(struct check *k, const struct atom *a)
{
    const struct pred *pred = &k->p->preds[a->pred];
    if (pred->private_to_package &&
        !str_eq(package_part(pred->name), package_part(k->c->head.name)))
        mgi_check_error(k, "PRED_PRIVATE", a->span,
                        "Read a predicate that the package shows, or take private() from its Decl.",
                        "\"%.*s\" is private to its package", STR_ARG(a->name));
}

void mgi_check_predicates(struct check *k)
{
    for (uint32_t i = 0; i < k->c->premise_count; i++) {
        const struct premise *premise = &k->c->premises[i];
        if (premise->kind != PREMISE_ATOM && premise->kind != PREMISE_TEMPORAL)
            continue;
        if (premise->atom.pred == MANGLE_NO_PRED)
            report_unknown(k, &premise->atom);
        else
            check_visible(k, &premise->atom);
    }
}

/* ---- what names mean --------------------------------------------------------------------- */

static void look_up_term(struct term *t)
{
    if (t->kind != TERM_APPLY)
        return;
    t->apply.row = mgi_function_find(t->apply.name);
    for (uint32_t i = 0; i < t->apply.count; i++)
        look_up_term(&t->apply.args[i]);
}

static void look_up_args(struct atom *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        look_up_term(&a->args[i]);
}

/* Not of a grouping: fn:group_by is a word of the language. */
void mgi_resolve_functions(struct clause *c)
{
    look_up_args(&c->head);
    for (uint32_t i = 0; i < c->premise_count; i++) {
        look_up_args(&c->premises[i].atom);
        look_up_term(&c->premises[i].left);
        look_up_term(&c->premises[i].right);
    }
    for (uint32_t i = 0; c->transform && i < c->transform->let_count; i++)
        if (!str_is(c->transform->lets[i].term.apply.name, "fn:group_by"))
            look_up_term(&c->transform->lets[i].term);
}

void mgi_resolve(mangle_program *p)
{
    for (size_t i = 0; i < p->clause_count; i++) {
        struct clause *c = &p->clauses[i];
        for (uint32_t k = 0; k < c->premise_count; k++) {
            struct premise *premise = &c->premises[k];
            struct atom *a = &premise->atom;
            if (premise->kind == PREMISE_BUILTIN)
                a->builtin = mgi_builtin_pred_find(a->name);
            else if (premise->kind == PREMISE_ATOM || premise->kind == PREMISE_TEMPORAL)
                a->pred = mgi_pred_find(p, a->name, a->count);
        }
        mgi_resolve_functions(c);
    }
}

/* ---- functions --------------------------------------------------------------------------- */

static void report_unknown_function(struct check *k, const struct term *t)
{
    const char *near = mgi_function_suggest(t->apply.name);
    if (str_is(t->apply.name, "fn:group_by"))
        mgi_check_error(k, "FN_UNKNOWN", t->span, "Write |> do fn:group_by(...) behind the body.",
                        "fn:group_by stands only after 'do'");
    else
        mgi_check_error(k, "FN_UNKNOWN", t->span,
                        near ? mgi_diag_text(k->diags, "Did you mean %s?", near)
                             : "The functions are listed in docs/builtins.md.",
                        "there is no function \"%.*s\"", STR_ARG(t->apply.name));
}

static void report_arity(struct check *k, const struct term *t, const struct function *row)
{
    const char *name = row->name;
    const char *hint = mgi_hint_builtin(row->doc, row->example[0], k->diags);
    if (row->max_args == BUILTIN_VARIADIC)
        mgi_check_error(k, "FN_ARITY", t->span, hint, "%s needs at least %u argument%s, not %u",
                        name, row->min_args, row->min_args == 1 ? "" : "s", t->apply.count);
    else if (row->min_args == row->max_args)
        mgi_check_error(k, "FN_ARITY", t->span, hint, "%s needs %u argument%s, not %u", name,
                        row->min_args, row->min_args == 1 ? "" : "s", t->apply.count);
    else
        mgi_check_error(k, "FN_ARITY", t->span, hint, "%s needs %u to %u arguments, not %u", name,
                        row->min_args, row->max_args, t->apply.count);
}

enum reducers {
    REDUCERS_NONE, /* but those that take a list */
    REDUCERS_TOP,  /* over the rows of a group */
    REDUCERS_TOLD  /* complained of already (LET_REDUCER) */
};

static void check_term(struct check *k, const struct term *t, enum reducers reducers)
{
    if (t->kind != TERM_APPLY)
        return;
    const struct function *row = t->apply.row;
    if (!row)
        report_unknown_function(k, t);
    else if (!row->apply && !row->reduces_list && reducers == REDUCERS_NONE)
        mgi_check_error(k, "FN_UNKNOWN", t->span,
                        "Write |> do fn:group_by(...), let V = and the reducer after the body.",
                        "%s works on groups only, after 'do fn:group_by'", row->name);
    else if (row->even_args && t->apply.count % 2)
        mgi_check_error(k, "FN_ODD", t->span, "Write a value for each key.",
                        "%s needs an even number of arguments, not %u", row->name, t->apply.count);
    else if (t->apply.count < row->min_args || t->apply.count > row->max_args)
        report_arity(k, t, row);
    for (uint32_t i = 0; i < t->apply.count; i++)
        check_term(k, &t->apply.args[i], reducers == REDUCERS_TOLD ? REDUCERS_TOLD : REDUCERS_NONE);
}

static void check_args(struct check *k, const struct atom *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        check_term(k, &a->args[i], REDUCERS_NONE);
}

void mgi_check_functions(struct check *k)
{
    const struct clause *c = k->c;
    check_args(k, &c->head);
    for (uint32_t i = 0; i < c->premise_count; i++) {
        check_args(k, &c->premises[i].atom);
        if (c->premises[i].kind == PREMISE_EQ || c->premises[i].kind == PREMISE_NE) {
            check_term(k, &c->premises[i].left, REDUCERS_NONE);
            check_term(k, &c->premises[i].right, REDUCERS_NONE);
        }
    }
    const struct transform *t = c->transform;
    for (uint32_t i = 0; t && i < t->let_count; i++)
        if (!str_is(t->lets[i].term.apply.name, "fn:group_by")) /* GROUPBY_LET */
            check_term(k, &t->lets[i].term, t->is_do ? REDUCERS_TOP : REDUCERS_TOLD);
}

/* ---- values of facts --------------------------------------------------------------------- */

bool mgi_term_reads_now(const struct term *t)
{
    if (t->kind != TERM_APPLY)
        return false;
    bool reads = t->apply.row && t->apply.row->reads_now;
    for (uint32_t i = 0; i < t->apply.count; i++)
        reads |= mgi_term_reads_now(&t->apply.args[i]);
    return reads;
}

mangle_value mgi_term_evaluate(struct check *k, const struct term *t)
{
    if (t->kind == TERM_CONST)
        return t->value;
    uint32_t count = t->apply.count;
    mangle_value *args = mgi_arena_calloc(&k->scratch, (size_t)count + 1, sizeof *args);
    if (!args) {
        k->oom = true;
        return MANGLE_NONE;
    }
    for (uint32_t i = 0; i < count; i++)
        if ((args[i] = mgi_term_evaluate(k, &t->apply.args[i])) == MANGLE_NONE)
            return MANGLE_NONE;

    const struct function *row = t->apply.row;
    struct call call = { .values = k->values, .scratch = &k->scratch };
    call.zones = k->p->zones.find ? &k->p->zones : NULL;
    mangle_value value = MANGLE_NONE;
    assert(row->apply); /* a reducer of rows alone is refused before (M-ANA-60) */
    enum call_status status = row->apply(&call, args, count, &value);
    if (status == CALL_OK)
        return value;
    if (status == CALL_NOMEM)
        k->oom = true;
    else
        mgi_check_error(k, "FACT_EVAL", t->span, NULL, "%s", call.error);
    return MANGLE_NONE;
}
