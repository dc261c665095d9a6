/* Transforms: |> let … and |> do fn:group_by(…), let … (M-ANA-31 to M-ANA-39, M-ANA-59). */
#include "mangle/check/check_int.h"

static struct str var_name(const struct check *k, uint32_t var)
{
    return k->c->vars[var].name;
}

static bool is_group_by(const struct term *t)
{
    return t->kind == TERM_APPLY && str_is(t->apply.name, "fn:group_by");
}

static bool is_reducer(const struct term *t)
{
    const struct function *row = mgi_function_find(t->apply.name);
    return row && row->reduce;
}

static bool is_key(const struct transform *t, uint32_t var)
{
    for (uint32_t i = 0; i < t->grouping.apply.count; i++)
        if (t->grouping.apply.args[i].kind == TERM_VAR && t->grouping.apply.args[i].var == var)
            return true;
    return false;
}

/* One of the first `before` let statements defines it. */
static bool is_let(const struct transform *t, uint32_t var, uint32_t before)
{
    for (uint32_t i = 0; i < before; i++)
        if (t->lets[i].var == var)
            return true;
    return false;
}

void mgi_check_redefinitions(struct check *k)
{
    const struct transform *t = k->c->transform;
    for (uint32_t i = 0; t && i < t->let_count; i++) {
        uint32_t var = t->lets[i].var;
        if (mgi_var_bound(k, var) || is_let(t, var, i))
            mgi_check_error(k, "TRANSFORM_REDEFINES", t->lets[i].span, "Use a new variable.",
                            "'let' gives \"%.*s\" a second value", STR_ARG(var_name(k, var)));
    }
}

/* ---- TRANSFORM_VAR, GROUPBY_USE ---------------------------------------------------------- */

struct use {
    const struct transform *t;
    uint32_t before; /* let statements already done */
    const char *code;
    bool lets, body, keys; /* what may be used: earlier lets, the body, group keys */
};

static void check_use(struct check *k, const struct term *var, void *context)
{
    const struct use *use = context;
    bool wildcard = k->c->vars[var->var].wildcard;
    if (!wildcard &&
        ((use->lets && is_let(use->t, var->var, use->before)) ||
         (use->keys && is_key(use->t, var->var)) || (use->body && mgi_var_bound(k, var->var))))
        return;
    if (k->told[var->var])
        return;
    k->told[var->var] = true;
    bool in_body = !wildcard && mgi_var_bound(k, var->var);
    if (in_body)
        mgi_check_error(k, "GROUPBY_USE", var->span,
                        "Make it a group key, or use it inside a reducer such as fn:sum.",
                        "variable \"%.*s\" has no single value in a group",
                        STR_ARG(var_name(k, var->var)));
    else
        mgi_check_error(k, wildcard ? "TRANSFORM_VAR" : use->code, var->span,
                        "Bind it in the body, or define it with 'let' before it is used.",
                        "variable \"%.*s\" has no value in this transform",
                        STR_ARG(var_name(k, var->var)));
}

/* A variable that the clause does not know at all is TRANSFORM_VAR; one that a later let defines,
 * in a group, is GROUPBY_USE. `pass` 0 looks for the former only, so that it is reported first. */
static void check_let_vars(struct check *k, const struct transform *t, uint32_t i, int pass)
{
    struct use use = { .t = t, .before = i, .code = "TRANSFORM_VAR", .lets = true };
    bool grouped = t->is_do && is_group_by(&t->grouping);
    if (!grouped) {
        use.body = true;
        if (pass == 0)
            mgi_each_var(k, &t->lets[i].term, check_use, &use);
    } else if (is_reducer(&t->lets[i].term)) {
        use.body = true;
        use.lets = false;
        if (pass == 0)
            mgi_each_var(k, &t->lets[i].term, check_use, &use);
    } else if (pass == 0) {
        use.body = true;
        use.before = t->let_count;
        mgi_each_var(k, &t->lets[i].term, check_use, &use);
    } else {
        use.keys = true;
        use.code = "GROUPBY_USE";
        mgi_each_var(k, &t->lets[i].term, check_use, &use);
    }
}

static void check_keys_known(struct check *k, const struct transform *t)
{
    struct use use = { .t = t, .code = "TRANSFORM_VAR", .body = true };
    mgi_each_var(k, &t->grouping, check_use, &use);
}

/* ---- group_by ---------------------------------------------------------------------------- */

static void check_keys(struct check *k, struct transform *t)
{
    const struct term *args = t->grouping.apply.args;
    uint32_t count = t->grouping.apply.count;
    t->keys = mgi_arena_calloc(k->arena, (size_t)count + 1, sizeof *t->keys);
    if (!t->keys) {
        k->oom = true;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool again = false;
        for (uint32_t j = 0; args[i].kind == TERM_VAR && j < i; j++)
            again |= args[j].kind == TERM_VAR && args[j].var == args[i].var;
        if (args[i].kind != TERM_VAR)
            mgi_check_error(k, "GROUPBY_KEYS", args[i].span,
                            "Compute it in the body first: K = ..., then group by K.",
                            "a group key must be a variable");
        else if (again)
            mgi_check_error(k, "GROUPBY_KEYS", args[i].span, NULL,
                            "the group key \"%.*s\" is repeated",
                            STR_ARG(var_name(k, args[i].var)));
        else
            t->keys[t->key_count++] = args[i].var;
    }
}

static void check_grouped_head_var(struct check *k, const struct term *var, void *context)
{
    const struct transform *t = context;
    if (k->told[var->var] || is_key(t, var->var) || is_let(t, var->var, t->let_count))
        return;
    k->told[var->var] = true;
    mgi_check_error(k, "GROUPBY_HEAD", var->span, "Add it to fn:group_by, or define it with 'let'.",
                    "variable \"%.*s\" of the head has no single value in a group",
                    STR_ARG(var_name(k, var->var)));
}

static void check_grouped_head(struct check *k, struct transform *t)
{
    const struct clause *c = k->c;
    for (uint32_t i = 0; i < c->head.count; i++)
        mgi_each_var(k, &c->head.args[i], check_grouped_head_var, t);
    for (int side = 0; c->annotation.present && side < 2; side++) {
        const struct time_bound *b = side ? &c->annotation.end : &c->annotation.start;
        struct term var = { .kind = TERM_VAR, .span = b->span, .var = b->var };
        if (b->kind == BOUND_VAR)
            check_grouped_head_var(k, &var, t);
    }
}

/* ---- reducers outside groups ------------------------------------------------------------- */

static void check_no_reducer(struct check *k, const struct term *t)
{
    if (t->kind != TERM_APPLY)
        return;
    const struct function *row = mgi_function_find(t->apply.name);
    if (row && !row->apply && !row->reduces_list)
        mgi_check_error(k, "LET_REDUCER", t->span, "Put do fn:group_by(...) before it.",
                        "%s works on groups only, after 'do fn:group_by'", row->name);
    for (uint32_t i = 0; i < t->apply.count; i++)
        check_no_reducer(k, &t->apply.args[i]);
}

void mgi_check_transform(struct check *k)
{
    struct transform *t = k->c->transform;
    if (!t)
        return;
    bool grouped = t->is_do && is_group_by(&t->grouping);
    if (t->is_do)
        check_keys_known(k, t);
    for (uint32_t i = 0; i < t->let_count; i++)
        check_let_vars(k, t, i, 0);
    if (k->c->stage_count > 1)
        mgi_check_error(k, "TRANSFORM_MULTI", k->c->second_stage,
                        "Join the statements with commas, or split the rule in two.",
                        "a rule has at most one transform");
    for (uint32_t i = 0; i < t->let_count; i++)
        if (is_group_by(&t->lets[i].term))
            mgi_check_error(k, "GROUPBY_LET", t->lets[i].span, "Write |> do fn:group_by(...).",
                            "fn:group_by gives no value");
    for (uint32_t i = 0; i < t->let_count; i++)
        check_let_vars(k, t, i, 1);
    if (grouped) {
        check_keys(k, t);
        check_grouped_head(k, t);
    } else if (t->is_do) {
        mgi_check_error(k, "DO_NOT_GROUPBY", t->grouping.span,
                        "Write do fn:group_by(...), or 'let' for a plain computation.",
                        "'do' takes fn:group_by only");
    } else {
        for (uint32_t i = 0; i < t->let_count; i++)
            check_no_reducer(k, &t->lets[i].term);
    }
}
