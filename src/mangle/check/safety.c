/* The clause check (mangle.md section 8.3): every variable gets a value before it is needed, and
 * time, transforms, predicates and functions are used as they may be.
 *
 * The first error reported for a clause is the one that M-ANA-53 names: the steps of check_clause()
 * stand in that order. Later steps go on, but do not speak of a variable that was complained of. */
#include "mangle/check/check_int.h"
#include "mangle/check/suggest.h"

static struct str name_of_var(const struct check *k, uint32_t var)
{
    return k->c->vars[var].name;
}

static const struct pred *pred_of(const struct check *k, const struct atom *a)
{
    return a->pred == MANGLE_NO_PRED ? NULL : &k->p->preds[a->pred];
}

/* ---- unbound variables ------------------------------------------------------------------- */

/* Report `var` once, and take it for bound from then on. */
static void tell_unbound(struct check *k, const char *code, const struct term *var,
                         const char *hint, const char *what)
{
    if (k->told[var->var])
        return;
    k->told[var->var] = true;
    struct str name = name_of_var(k, var->var);
    if (k->c->vars[var->var].wildcard)
        mgi_check_error(k, code, var->span,
                        k->c->premise_count ? "Use a variable that a positive premise binds."
                                            : "Write a value.",
                        "\"_\" has no value here");
    else
        mgi_check_error(k, code, var->span, hint, "variable \"%.*s\" %s", STR_ARG(name), what);
}

static const char *hint_bind(struct check *k, uint32_t var)
{
    struct str name = name_of_var(k, var);
    const char *near = mgi_hint_var(k, var);
    if (near)
        return near;
    return mgi_diag_text(k->diags,
                         "Bind it in a positive premise first, for example some_fact(%.*s).",
                         STR_ARG(name));
}

static bool is_var(const struct term *t, uint32_t var)
{
    return t->kind == TERM_VAR && t->var == var;
}

static bool is_bound_var(const struct time_bound *b, uint32_t var)
{
    return b->kind == BOUND_VAR && b->var == var;
}

/* Is the variable an argument of the atom itself, or an end of its interval? */
static bool binds(const struct premise *premise, uint32_t var)
{
    const struct annotation *when = &premise->annotation;
    bool found =
        when->present && (is_bound_var(&when->start, var) || is_bound_var(&when->end, var));
    for (uint32_t i = 0; i < premise->atom.count; i++)
        found |= is_var(&premise->atom.args[i], var);
    return found;
}

/* Does a positive atom anywhere in the body bind this variable? */
static bool bound_somewhere(const struct check *k, const struct term *var)
{
    for (uint32_t i = 0; i < k->c->premise_count; i++) {
        const struct premise *premise = &k->c->premises[i];
        bool atom = premise->kind == PREMISE_ATOM || premise->kind == PREMISE_TEMPORAL;
        if (atom && !premise->negated && binds(premise, var->var))
            return true;
    }
    return false;
}

/* A variable that must have a value when this premise is reached. */
struct needed {
    const char *code;
};

static void need(struct check *k, const struct term *var, void *context)
{
    const struct needed *needed = context;
    if (mgi_var_bound(k, var->var))
        return;
    if (bound_somewhere(k, var))
        tell_unbound(k, needed->code, var,
                     "Move the premise that binds it to the left of this one.",
                     "is not bound yet where it is needed");
    else
        tell_unbound(k, needed->code, var, hint_bind(k, var->var), "is not bound in this rule");
}

/* ---- premises, left to right ------------------------------------------------------------- */

static void check_builtin(struct check *k, const struct premise *premise)
{
    const struct atom *a = &premise->atom;
    if (!a->builtin) {
        const char *near = mgi_builtin_pred_suggest(a->name);
        mgi_check_error(k, "BUILTIN_MODE", a->span,
                        near ? mgi_diag_text(k->diags, "Did you mean %s?", near)
                             : "Only built-in predicates begin with ':'.",
                        "there is no built-in \"%.*s\"", STR_ARG(a->name));
        return;
    }
    if (a->builtin->arity != a->count) {
        mgi_check_error(k, "BUILTIN_MODE", a->span,
                        mgi_hint_builtin(a->builtin->doc, a->builtin->example[0], k->diags),
                        "%s needs %u argument%s, not %u", a->builtin->name, a->builtin->arity,
                        a->builtin->arity == 1 ? "" : "s", a->count);
        return;
    }
    if (premise->negated)
        return;
    struct needed mode = { "BUILTIN_MODE" }, late = { "BUILTIN_LATE" };
    for (uint32_t i = 0; i < a->count; i++)
        if (a->args[i].kind == TERM_VAR && a->builtin->modes[i] == MODE_IN)
            need(k, &a->args[i], &mode);
    for (uint32_t i = 0; i < a->count; i++)
        if (a->args[i].kind == TERM_APPLY)
            mgi_each_var(k, &a->args[i], need, &late);
}

static void check_equality(struct check *k, const struct premise *premise)
{
    struct needed apply = { "APPLY_UNBOUND" };
    const struct term *left = &premise->left, *right = &premise->right;
    if (left->kind == TERM_APPLY)
        mgi_each_var(k, left, need, &apply);
    if (right->kind == TERM_APPLY)
        mgi_each_var(k, right, need, &apply);
}

/* `p(X, fn:plus(X, 1))`: what an argument computes with must have a value before the premise is
 * looked up, and not only by it (M-EVAL-7). */
static void need_in_argument(struct check *k, const struct term *var, void *context)
{
    const struct premise *premise = context;
    struct needed late = { "APPLY_UNBOUND" };
    if (mgi_var_bound(k, var->var))
        return;
    if (!binds(premise, var->var) || k->c->vars[var->var].wildcard) {
        need(k, var, &late);
        return;
    }
    tell_unbound(k, "APPLY_UNBOUND", var,
                 mgi_diag_text(k->diags,
                               "Write a new variable in its place, and behind the premise that it "
                               "equals this: %.*s(..., V), V = ...",
                               STR_ARG(premise->atom.name)),
                 "gets its value from the premise that computes with it");
}

static void check_arguments(struct check *k, const struct premise *premise)
{
    for (uint32_t i = 0; i < premise->atom.count && !premise->negated; i++)
        if (premise->atom.args[i].kind == TERM_APPLY)
            mgi_each_var(k, &premise->atom.args[i], need_in_argument, (void *)(uintptr_t)premise);
}

static void need_window_bound(struct check *k, const struct time_bound *b)
{
    struct needed needed = { "VAR_UNBOUND" };
    struct term var = { .kind = TERM_VAR, .span = b->span, .var = b->var };
    if (b->kind == BOUND_VAR)
        need(k, &var, &needed);
}

/* Predicates of the host alone may be read with and without time (M-TEMP-96). */
static void check_time_use(struct check *k, const struct premise *premise)
{
    const struct pred *pred = pred_of(k, &premise->atom);
    if (!pred || pred->host || mgi_name_broken(k->p, pred->name))
        return;
    struct str name = premise->atom.name;
    if (premise->kind == PREMISE_ATOM && pred->temporal)
        mgi_check_error(k, "TEMP_BARE_USE", premise->atom.span,
                        mgi_diag_text(k->diags,
                                      "Say when, for example %.*s(...)@[now], or write a window "
                                      "such as <-[5m] before it.",
                                      STR_ARG(name)),
                        "\"%.*s\" is temporal and is read here without a time", STR_ARG(name));
    if (premise->kind == PREMISE_TEMPORAL && !pred->temporal)
        mgi_check_error(k, "TEMP_LITERAL", premise->span,
                        mgi_diag_text(k->diags,
                                      "Write Decl %.*s(...) temporal if its facts have a time.",
                                      STR_ARG(name)),
                        "\"%.*s\" is not temporal", STR_ARG(name));
}

static void check_premises(struct check *k)
{
    for (uint32_t i = 0; i < k->c->premise_count; i++) {
        const struct premise *premise = &k->c->premises[i];
        switch (premise->kind) {
        case PREMISE_BUILTIN:
            check_builtin(k, premise);
            break;
        case PREMISE_EQ:
            check_equality(k, premise);
            break;
        case PREMISE_NE:
            break;
        case PREMISE_ATOM:
        case PREMISE_TEMPORAL:
            check_time_use(k, premise);
            check_arguments(k, premise);
            break;
        }
        if (premise->window != WINDOW_NONE) {
            need_window_bound(k, &premise->near);
            need_window_bound(k, &premise->far);
        }
        mgi_premise_bind(k, premise);
    }
}

/* ---- every variable is bound somewhere (M-ANA-30) ---------------------------------------- */

static bool defined_by_let(const struct clause *c, uint32_t var)
{
    for (uint32_t i = 0; c->transform && i < c->transform->let_count; i++)
        if (c->transform->lets[i].var == var)
            return true;
    return false;
}

static void need_in_head(struct check *k, const struct term *var, void *context)
{
    (void)context;
    if (mgi_var_bound(k, var->var) || defined_by_let(k->c, var->var))
        return;
    if (k->c->premise_count == 0)
        tell_unbound(k, "VAR_UNBOUND", var, "Write a value, or add a body that binds it.",
                     "stands in a fact");
    else
        tell_unbound(k, "VAR_UNBOUND", var, hint_bind(k, var->var), "is not bound in this rule");
}

static void need_anywhere(struct check *k, const struct term *var, void *context)
{
    (void)context;
    if (!mgi_var_bound(k, var->var))
        tell_unbound(k, "VAR_UNBOUND", var, hint_bind(k, var->var), "is not bound in this rule");
}

static void need_bound_in_head(struct check *k, const struct time_bound *b)
{
    struct term var = { .kind = TERM_VAR, .span = b->span, .var = b->var };
    if (b->kind == BOUND_VAR)
        need_in_head(k, &var, NULL);
}

/* Occurs in another place of the clause than this premise, where it would have to be bound. */
struct elsewhere {
    const struct premise *premise;
    uint32_t var;
    bool found;
};

static void find_occurrence(struct check *k, const struct term *var, void *context)
{
    struct elsewhere *e = context;
    (void)k;
    e->found |= var->var == e->var;
}

static void find_bound(struct elsewhere *e, const struct time_bound *b)
{
    e->found |= b->kind == BOUND_VAR && b->var == e->var;
}

static bool occurs_elsewhere(struct check *k, const struct premise *premise, uint32_t var)
{
    struct elsewhere e = { .premise = premise, .var = var };
    const struct clause *c = k->c;
    for (uint32_t i = 0; i < c->head.count; i++)
        mgi_each_var(k, &c->head.args[i], find_occurrence, &e);
    if (c->annotation.present) {
        find_bound(&e, &c->annotation.start);
        find_bound(&e, &c->annotation.end);
    }
    for (uint32_t i = 0; i < c->premise_count; i++) {
        const struct premise *other = &c->premises[i];
        if (other == premise)
            continue;
        mgi_each_var(k, &other->left, find_occurrence, &e);
        mgi_each_var(k, &other->right, find_occurrence, &e);
        for (uint32_t j = 0; j < other->atom.count; j++)
            mgi_each_var(k, &other->atom.args[j], find_occurrence, &e);
        if (other->annotation.present) {
            find_bound(&e, &other->annotation.start);
            find_bound(&e, &other->annotation.end);
        }
        if (other->window != WINDOW_NONE) {
            find_bound(&e, &other->near);
            find_bound(&e, &other->far);
        }
    }
    if (c->transform) {
        mgi_each_var(k, &c->transform->grouping, find_occurrence, &e);
        for (uint32_t i = 0; i < c->transform->let_count; i++)
            mgi_each_var(k, &c->transform->lets[i].term, find_occurrence, &e);
    }
    return e.found;
}

/* Variables of a negated temporal literal that occur nowhere else are existential (M-TEMP-40). */
static void need_unless_existential(struct check *k, const struct term *var, void *context)
{
    if (!mgi_var_bound(k, var->var) && occurs_elsewhere(k, context, var->var))
        need_anywhere(k, var, NULL);
}

static void need_in_negation(struct check *k, const struct premise *premise)
{
    const struct atom *a = &premise->atom;
    for (uint32_t i = 0; i < a->count; i++) {
        const struct term *arg = &a->args[i];
        bool input = premise->kind == PREMISE_BUILTIN && a->builtin && i < a->builtin->arity &&
                     a->builtin->modes[i] == MODE_IN;
        if (arg->kind == TERM_VAR && k->c->vars[arg->var].wildcard && !input)
            continue;
        if (premise->kind == PREMISE_TEMPORAL)
            mgi_each_var(k, arg, need_unless_existential, (void *)(uintptr_t)premise);
        else
            mgi_each_var(k, arg, need_anywhere, NULL);
    }
    const struct annotation *when = &premise->annotation;
    for (int side = 0; when->present && side < 2; side++) {
        const struct time_bound *b = side ? &when->end : &when->start;
        struct term var = { .kind = TERM_VAR, .span = b->span, .var = b->var };
        if (b->kind == BOUND_VAR)
            need_unless_existential(k, &var, (void *)(uintptr_t)premise);
    }
}

static void check_all_bound(struct check *k)
{
    const struct clause *c = k->c;
    for (uint32_t i = 0; i < c->head.count; i++)
        mgi_each_var(k, &c->head.args[i], need_in_head, NULL);
    if (c->annotation.present) {
        need_bound_in_head(k, &c->annotation.start);
        need_bound_in_head(k, &c->annotation.end);
    }
    for (uint32_t i = 0; i < c->premise_count; i++) {
        const struct premise *premise = &c->premises[i];
        if (premise->negated) {
            need_in_negation(k, premise);
            continue;
        }
        for (uint32_t j = 0; j < premise->atom.count; j++)
            mgi_each_var(k, &premise->atom.args[j], need_anywhere, NULL);
        mgi_each_var(k, &premise->left, need_anywhere, NULL);
        mgi_each_var(k, &premise->right, need_anywhere, NULL);
    }
}

/* ---- time -------------------------------------------------------------------------------- */

static void check_head_time(struct check *k)
{
    const struct clause *c = k->c;
    const struct pred *pred = pred_of(k, &c->head);
    if (pred && pred->temporal && !c->annotation.present && !mgi_name_broken(k->p, pred->name))
        mgi_check_error(
            k, "TEMP_HEAD_MISSING", c->head.span,
            mgi_diag_text(k->diags, "Write %.*s(...)@[start, end]; @[_, _] means always.",
                          STR_ARG(c->head.name)),
            "\"%.*s\" is temporal, but nothing says when this holds", STR_ARG(c->head.name));
}

static void no_duration(struct check *k, const struct time_bound *b)
{
    if (b->kind == BOUND_DURATION)
        mgi_check_error(k, "TEMP_BOUND", b->span,
                        "Write a time, a variable, now or _; durations belong into windows.",
                        "a duration is no point in time");
}

static void check_time_bounds(struct check *k)
{
    const struct clause *c = k->c;
    const struct annotation *when = &c->annotation;
    if (when->present) {
        no_duration(k, &when->start);
        if (!when->point)
            no_duration(k, &when->end);
        if (c->premise_count == 0 && when->start.kind == BOUND_TIME &&
            when->end.kind == BOUND_TIME && when->start.ns > when->end.ns)
            mgi_check_error(k, "TEMP_BOUND", when->span, "Write the earlier time first.",
                            "the interval ends before it begins");
    }
    for (uint32_t i = 0; i < c->premise_count; i++) {
        const struct annotation *read = &c->premises[i].annotation;
        if (!read->present)
            continue;
        no_duration(k, &read->start);
        if (!read->point)
            no_duration(k, &read->end);
    }
}

/* ---- one clause -------------------------------------------------------------------------- */

/* Invariants: names are resolved, premises stand in their order, and nothing of the clause is
 * changed here but what the transform fills in. k->oom: memory was short. */
static void check_clause(struct check *k, struct clause *c)
{
    if (!mgi_check_begin(k, c))
        return;
    mgi_inputs_bind(k);
    check_head_time(k);         /* 49 */
    check_premises(k);          /* 20-26, 46-48, 51, 52 */
    mgi_check_redefinitions(k); /* 31 */
    check_all_bound(k);         /* 30 */
    mgi_check_transform(k);     /* 33, 32, 34, 37, 35, 36, 38, 39 */
    mgi_check_predicates(k);    /* 40-42 */
    mgi_check_functions(k);     /* 43-45 */
    check_time_bounds(k);       /* 94 */
}

void mgi_check_fact_clause(struct check *k)
{
    mgi_resolve_functions(k->c);
    check_all_bound(k);
    mgi_check_functions(k);
    check_time_bounds(k);
}

enum mangle_status mgi_check_safety(mangle_program *p, mangle_diags *diags)
{
    struct check k = { .p = p, .values = p->values, .arena = &p->arena, .diags = diags };
    mgi_arena_init(&k.scratch, 0);
    for (size_t i = 0; i < p->clause_count && !k.oom; i++) {
        struct clause *c = &p->clauses[i];
        mgi_diags_anchor(diags, &c->span);
        k.failed = false;
        check_clause(&k, c);
        c->faulty = k.failed;
        mgi_arena_reset(&k.scratch);
    }
    mgi_diags_anchor(diags, NULL);
    mgi_arena_fini(&k.scratch);
    return k.oom ? MANGLE_ERR_NOMEM : MANGLE_OK;
}
