/* The bounds check (mangle.md section 5.5): facts by value, rules by the types that their premises
 * leave to the variables. A premise splits what is known into alternatives, one for each `bound`
 * row it fits; a rule is wrong if a premise leaves none, or if one of them yields a head that fits
 * no row.
 *
 * Predicates without Decl get the types of their facts and rules, worked out stratum by stratum;
 * inside their own recursion they are /any. To stay finite, alternatives beyond MAX_STATES are
 * joined into one, and rows beyond MAX_ROWS too: that can only make types wider. */
#include "base/alloc.h"
#include "mangle/check/check.h"
#include "mangle/check/types_int.h"

#define MAX_STATES 64
#define MAX_ROWS   16

struct rows {
    const struct term **cells; /* row after row, arity cells each */
    size_t count, cap;
    bool known;
};

struct bounds {
    mangle_program *p;
    mangle_diags *diags;
    struct arena arena;
    struct types types;
    struct rows *rows; /* per predicate */
    /* of the clause at hand */
    const struct clause *c;
    struct infer *states;
    size_t state_count;
    struct mismatch *why;                 /* of the premise at hand */
    const struct type_listener *listener; /* or NULL: then errors are reported */
    bool growing; /* a recursion is being worked out: no row means nothing is derived yet */
};

/* Only a listener sees programs with errors. */
static bool is_faulty(const struct bounds *k, struct span span)
{
    return k->listener && k->listener->blamed(k->listener->context, span);
}

/* ---- rows -------------------------------------------------------------------------------- */

static const struct term *const *row_at(const struct rows *r, size_t i, uint32_t arity)
{
    return r->cells + i * arity;
}

static bool push_row(struct bounds *k, struct rows *r, uint32_t arity)
{
    if (mgi_arena_grow(&k->arena, &r->cells, &r->cap, (r->count + 1) * (arity ? arity : 1),
                       sizeof *r->cells)) {
        r->count++;
        return true;
    }
    k->types.oom = true;
    return false;
}

static void add_any_row(struct bounds *k, struct rows *r, uint32_t arity)
{
    if (push_row(k, r, arity))
        for (uint32_t j = 0; j < arity; j++)
            r->cells[(r->count - 1) * arity + j] = k->types.any_type;
}

/* Add a row unless one that is there covers it. True if it was kept. */
static bool add_row_types(struct bounds *k, struct rows *r, const struct term *const *cells,
                          uint32_t arity)
{
    for (size_t i = 0; i < r->count; i++) {
        bool covered = true;
        for (uint32_t j = 0; j < arity && covered; j++)
            covered = mgi_type_covers(&k->types, row_at(r, i, arity)[j], cells[j]);
        if (covered)
            return false;
    }
    if (r->count >= MAX_ROWS) {
        for (uint32_t j = 0; j < arity; j++) {
            for (size_t i = 1; i < r->count; i++)
                r->cells[j] = mgi_type_join(&k->types, r->cells[j], row_at(r, i, arity)[j]);
            r->cells[j] = mgi_type_join(&k->types, r->cells[j], cells[j]);
        }
        r->count = 1;
        return true;
    }
    if (!push_row(k, r, arity))
        return false;
    for (uint32_t j = 0; j < arity; j++)
        r->cells[(r->count - 1) * arity + j] = cells[j];
    return true;
}

/* The declaration that says the types of a predicate: a generated one does not, unless the facts
 * come from outside (M-DECL-21). */
static const struct decl *typing(const struct pred *pred)
{
    const struct decl *d = pred->decl;
    bool generated = d && mgi_decl_says(d, "synthetic") && !mgi_decl_says(d, "extensional");
    return generated ? NULL : d;
}

static void rows_of_decl(struct bounds *k, const struct pred *pred, struct rows *r)
{
    const struct decl *d = pred->decl;
    for (uint32_t i = 0; i < d->bound_row_count && !is_faulty(k, d->span); i++) {
        if (!push_row(k, r, pred->arity))
            return;
        for (uint32_t j = 0; j < pred->arity; j++)
            r->cells[(r->count - 1) * pred->arity + j] =
                mgi_type_of_bound(&k->types, &d->bounds[i][j]);
    }
    if (!r->count)
        add_any_row(k, r, pred->arity);
    r->known = true;
}

static void rows_of_facts(struct bounds *k)
{
    for (size_t i = 0; i < k->p->fact_count && !k->types.oom; i++) {
        const struct fact *fact = &k->p->facts[i];
        const struct pred *pred = &k->p->preds[fact->pred];
        if (typing(pred))
            continue;
        struct arena_mark mark = mgi_arena_mark(&k->arena);
        const struct term **cells =
            mgi_arena_calloc(&k->arena, (size_t)pred->arity + 1, sizeof *cells);
        if (!cells) {
            k->types.oom = true;
            return;
        }
        for (uint32_t j = 0; j < pred->arity; j++)
            cells[j] = fact->args ? mgi_type_of_value(&k->types, fact->args[j]) : k->types.any_type;
        if (!add_row_types(k, &k->rows[fact->pred], cells, pred->arity))
            mgi_arena_rewind(&k->arena, mark); /* most facts are like others */
    }
}

static bool prepare_rows(struct bounds *k)
{
    k->rows = mgi_arena_calloc(&k->arena, k->p->pred_count + 1, sizeof *k->rows);
    if (!k->rows || !mgi_types_init(&k->types, k->p, &k->arena))
        return false;
    for (size_t i = 0; i < k->p->pred_count; i++) {
        const struct pred *pred = &k->p->preds[i];
        if (typing(pred)) {
            rows_of_decl(k, pred, &k->rows[i]);
        } else if (pred->host) {
            add_any_row(k, &k->rows[i], pred->arity);
            k->rows[i].known = true;
        }
    }
    rows_of_facts(k);
    for (size_t i = 0; i < k->p->pred_count; i++)
        k->rows[i].known |= !k->p->preds[i].derived;
    return !k->types.oom;
}

/* ---- facts ------------------------------------------------------------------------------- */

/* *column: the argument that fails, if it is the same in all rows. */
static bool fact_fits(struct bounds *k, const struct fact *fact, const struct term *values,
                      struct mismatch *why, uint32_t *column)
{
    const struct rows *r = &k->rows[fact->pred];
    uint32_t arity = k->p->preds[fact->pred].arity;
    struct infer f = { .k = &k->types, .why = why };
    for (size_t i = 0; i < r->count; i++) {
        const struct term *const *row = row_at(r, i, arity);
        uint32_t j = 0;
        while (j < arity && mgi_type_has(&k->types, row[j], fact->args[j]))
            j++;
        if (j == arity)
            return true;
        mgi_mismatch(&f, &values[j], NULL, row[j]);
        *column = j;
    }
    return false;
}

static void check_fact_bounds(struct bounds *k, const struct fact *fact)
{
    const struct pred *pred = &k->p->preds[fact->pred];
    struct term *values = mgi_arena_calloc(&k->arena, (size_t)pred->arity + 1, sizeof *values);
    if (!values) {
        k->types.oom = true;
        return;
    }
    for (uint32_t j = 0; j < pred->arity; j++)
        values[j] = (struct term){ .kind = TERM_CONST, .value = fact->args[j] };
    struct mismatch why = { 0 };
    uint32_t column = 0;
    if (fact_fits(k, fact, values, &why, &column) || k->types.oom)
        return;
    struct type_report report = { &k->types, NULL, k->diags };
    mgi_diags_anchor(k->diags, &fact->clause->span);
    mgi_report_fact(&report, &fact->clause->head, column, &why);
}

static void check_facts(struct bounds *k)
{
    for (size_t i = 0; i < k->p->fact_count && !k->types.oom; i++) {
        const struct fact *fact = &k->p->facts[i];
        const struct pred *pred = &k->p->preds[fact->pred];
        if (!typing(pred) || !pred->decl->bound_row_count || !fact->args)
            continue;
        struct arena_mark mark = mgi_arena_mark(&k->arena);
        check_fact_bounds(k, fact);
        mgi_arena_rewind(&k->arena, mark);
    }
    mgi_diags_anchor(k->diags, NULL);
}

/* ---- premises ---------------------------------------------------------------------------- */

static bool copy_state(struct bounds *k, const struct infer *from, struct infer *to)
{
    size_t size = (size_t)k->c->var_count * sizeof *from->vars;
    *to = (struct infer){ &k->types, mgi_arena_alloc(&k->arena, size + 1), k->why };
    if (!to->vars) {
        k->types.oom = true;
        return false;
    }
    if (size)
        memcpy(to->vars, from->vars, size);
    return true;
}

/* One state that covers all. A variable of which one alternative knows nothing is unknown. */
static void join_states(struct bounds *k)
{
    struct infer all; /* states may share their variables: joined in a copy */
    if (!copy_state(k, &k->states[0], &all))
        return;
    for (size_t i = 1; i < k->state_count; i++)
        for (uint32_t v = 0; v < k->c->var_count; v++)
            all.vars[v] = all.vars[v] && k->states[i].vars[v]
                              ? mgi_type_join(&k->types, all.vars[v], k->states[i].vars[v])
                              : NULL;
    k->states[0] = all;
    k->state_count = 1;
}

static bool narrow_to_time(struct infer *f, const struct time_bound *b)
{
    if (b->kind != BOUND_VAR)
        return true;
    struct term *var = mgi_arena_calloc(f->k->arena, 1, sizeof *var); /* a report may show it */
    if (!var) {
        f->k->oom = true;
        return false;
    }
    *var = (struct term){ .kind = TERM_VAR, .span = b->span, .var = b->var };
    return mgi_narrow(f, var, mgi_type_name(f->k, f->k->time));
}

static bool atom_fits_row(struct infer *f, const struct premise *premise,
                          const struct term *const *row)
{
    for (uint32_t j = 0; j < premise->atom.count; j++)
        if (!mgi_narrow(f, &premise->atom.args[j], row[j]))
            return false;
    const struct annotation *when = &premise->annotation;
    return !when->present || (narrow_to_time(f, &when->start) && narrow_to_time(f, &when->end));
}

static bool equality_fits(struct infer *f, const struct term *left, const struct term *right)
{
    const struct term *a = mgi_infer(f, left), *b = mgi_infer(f, right);
    return a && b && mgi_narrow(f, left, b) && mgi_narrow(f, right, mgi_infer(f, left));
}

/* Both sides must be able to differ and to be compared at all (M-TYPE-66). */
static bool inequality_fits(struct infer *f, const struct term *left, const struct term *right)
{
    const struct term *a = mgi_infer(f, left), *b = mgi_infer(f, right);
    if (!a || !b)
        return false;
    if (mgi_type_meet(f->k, a, b))
        return true;
    mgi_mismatch(f, left, a, b);
    return false;
}

static void keep_state(struct bounds *k, struct infer *next, size_t *count, const struct infer *f)
{
    next[(*count)++] = *f;
    if (*count == MAX_STATES) {
        struct infer *old = k->states;
        size_t old_count = k->state_count;
        k->states = next;
        k->state_count = *count;
        join_states(k);
        *count = 1;
        k->states = old;
        k->state_count = old_count;
    }
}

/* The alternatives of one state after the premise, appended to `next`. */
static void step_state(struct bounds *k, const struct infer *from, const struct premise *premise,
                       struct infer *next, size_t *count)
{
    struct infer f;
    if (premise->kind == PREMISE_ATOM || premise->kind == PREMISE_TEMPORAL) {
        const struct rows *r = &k->rows[premise->atom.pred];
        struct rows any = { 0 };
        if (!r->known) { /* its own recursion (M-TYPE-63) */
            add_any_row(k, &any, premise->atom.count);
            r = &any;
        }
        bool fits = false;
        for (size_t i = 0; i < r->count && !k->types.oom; i++) {
            if (!copy_state(k, from, &f) ||
                !atom_fits_row(&f, premise, row_at(r, i, premise->atom.count)))
                continue;
            if (!premise->negated)
                keep_state(k, next, count, &f);
            fits = true;
        }
        if (premise->negated && fits)
            keep_state(k, next, count, from);
        return;
    }
    if (!copy_state(k, from, &f))
        return;
    bool fits = premise->kind == PREMISE_EQ ? equality_fits(&f, &premise->left, &premise->right)
                : premise->kind == PREMISE_NE
                    ? inequality_fits(&f, &premise->left, &premise->right)
                    : mgi_infer_builtin(&f, &premise->atom, premise->negated);
    const struct builtin_pred *row = premise->atom.builtin;
    bool refines = !premise->negated || (row && row->typing == TYPING_PREFIX);
    if (fits)
        keep_state(k, next, count, refines ? &f : from);
}

/* A predicate without facts or rules has no row: nothing is known to be wrong with reading it. */
static bool has_rows(const struct bounds *k, const struct premise *premise)
{
    if (premise->kind != PREMISE_ATOM && premise->kind != PREMISE_TEMPORAL)
        return true;
    if (premise->atom.pred == MANGLE_NO_PRED)
        return false;
    const struct rows *r = &k->rows[premise->atom.pred];
    return r->count > 0 || !r->known || k->growing;
}

static bool step(struct bounds *k, const struct premise *premise)
{
    struct infer *next = mgi_arena_calloc(&k->arena, MAX_STATES + 1, sizeof *next);
    struct mismatch why = { 0 };
    size_t count = 0;
    if (!next) {
        k->types.oom = true;
        return false;
    }
    if (!has_rows(k, premise))
        return true;
    k->why = &why;
    for (size_t i = 0; i < k->state_count && !k->types.oom; i++)
        step_state(k, &k->states[i], premise, next, &count);
    k->why = NULL;
    for (size_t i = 0; i < count; i++)
        next[i].why = NULL;
    if (k->types.oom)
        return false;
    if (count == 0) {
        struct type_report report = { &k->types, k->c->vars, k->diags };
        if (!k->listener)
            mgi_report_premise(&report, premise, &why);
        return false;
    }
    k->states = next;
    k->state_count = count;
    return true;
}

/* ---- heads ------------------------------------------------------------------------------- */

static void infer_lets(struct bounds *k)
{
    const struct transform *t = k->c->transform;
    for (size_t i = 0; t && i < k->state_count; i++) {
        struct infer own;
        if (!copy_state(k, &k->states[i], &own))
            return;
        k->states[i] = own;
        for (uint32_t j = 0; j < t->let_count; j++) {
            const struct term *type = mgi_infer(&k->states[i], &t->lets[j].term);
            k->states[i].vars[t->lets[j].var] = type ? type : k->types.any_type; /* M-TYPE-52 */
        }
    }
}

static bool head_argument_fits(struct infer *f, const struct term *arg, const struct term *type)
{
    if (arg->kind == TERM_CONST)
        return mgi_constant_fits(f, arg, type);
    const struct term *given = mgi_infer(f, arg);
    if (given && mgi_type_conforms(f->k, given, type))
        return true;
    if (given)
        mgi_mismatch(f, arg, given, type);
    return false;
}

/* As fact_fits(). */
static bool head_fits(struct bounds *k, struct infer *f, uint32_t *column)
{
    const struct clause *c = k->c;
    const struct rows *r = &k->rows[c->head.pred];
    for (size_t i = 0; i < r->count; i++) {
        const struct term *const *row = row_at(r, i, c->head.count);
        uint32_t j = 0;
        while (j < c->head.count && head_argument_fits(f, &c->head.args[j], row[j]))
            j++;
        if (j == c->head.count)
            return true;
        *column = j;
    }
    return false;
}

/* Is there a row that some values of the inferred types can be in? */
static bool head_may_fit(struct bounds *k, const struct infer *f)
{
    const struct clause *c = k->c;
    const struct rows *r = &k->rows[c->head.pred];
    for (size_t i = 0; i < r->count; i++) {
        struct infer own;
        uint32_t j = 0;
        if (!copy_state(k, f, &own))
            return false;
        while (j < c->head.count &&
               mgi_narrow(&own, &c->head.args[j], row_at(r, i, c->head.count)[j]))
            j++;
        if (j == c->head.count)
            return true;
    }
    return false;
}

/* How one alternative of the variables goes with the head's bounds. */
struct head_fit {
    enum { HEAD_FITS, HEAD_MAY_FIT, HEAD_CANNOT } fit;
    struct infer *f;
    struct mismatch why;
    uint32_t column;
};

static struct head_fit fit_of_head(struct bounds *k, struct infer *f)
{
    struct head_fit out = { .fit = HEAD_FITS, .f = f };
    f->why = &out.why;
    bool fits = head_fits(k, f, &out.column);
    f->why = NULL;
    if (!fits && !k->types.oom)
        out.fit = k->p->doubt_warns && head_may_fit(k, f) ? HEAD_MAY_FIT : HEAD_CANNOT;
    return out;
}

/* One report: of the first alternative that cannot fit, else of the first that may not. */
static void check_head_rows(struct bounds *k)
{
    struct head_fit worst = { .fit = HEAD_FITS };
    for (size_t i = 0; i < k->state_count && worst.fit != HEAD_CANNOT; i++) {
        struct head_fit fit = fit_of_head(k, &k->states[i]);
        if (fit.fit > worst.fit)
            worst = fit;
    }
    if (worst.fit == HEAD_FITS || k->types.oom)
        return;
    struct type_report report = { &k->types, k->c->vars, k->diags };
    mgi_report_head(&report, worst.fit == HEAD_CANNOT ? MANGLE_ERROR : MANGLE_WARNING, &k->c->head,
                    worst.column, &worst.why, worst.f);
}

static bool head_time_fits(struct bounds *k, struct infer *f, const struct time_bound *b)
{
    struct term var = { .kind = TERM_VAR, .var = b->var };
    if (b->kind != BOUND_VAR ||
        mgi_type_conforms(&k->types, mgi_infer(f, &var), mgi_type_name(&k->types, k->types.time)))
        return true;
    mgi_diag(k->diags, k->p, MANGLE_ERROR, "HEADTIME_TYPE", b->span,
             "Bind it in the annotation of a premise, or by a time function.",
             "variable \"%.*s\" is not known to be a time", STR_ARG(k->c->vars[b->var].name));
    return false;
}

static void check_head(struct bounds *k)
{
    const struct clause *c = k->c;
    const struct pred *pred = &k->p->preds[c->head.pred];
    bool bounded = typing(pred) && pred->decl->bound_row_count;
    for (size_t i = 0; i < k->state_count; i++) {
        struct infer *f = &k->states[i];
        if (c->annotation.present && (!head_time_fits(k, f, &c->annotation.start) ||
                                      !head_time_fits(k, f, &c->annotation.end)))
            return;
    }
    if (bounded)
        check_head_rows(k);
}

/* What an undeclared predicate holds by this rule. */
static void add_head_rows(struct bounds *k, struct rows *into)
{
    const struct clause *c = k->c;
    const struct term **cells =
        mgi_arena_calloc(&k->arena, (size_t)c->head.count + 1, sizeof *cells);
    for (size_t i = 0; cells && i < k->state_count; i++) {
        for (uint32_t j = 0; j < c->head.count; j++) {
            cells[j] = mgi_infer(&k->states[i], &c->head.args[j]);
            if (!cells[j])
                cells[j] = k->types.any_type;
        }
        add_row_types(k, into, cells, c->head.count);
    }
    k->types.oom |= !cells;
}

/* ---- the check --------------------------------------------------------------------------- */

/* With one declared mode, variables of the head at `+` have the declared types (M-TYPE-69). */
static void expect_inputs(struct bounds *k, const struct clause *c)
{
    const struct pred *pred = &k->p->preds[c->head.pred];
    const struct rows *r = &k->rows[c->head.pred];
    if (!pred->input || !typing(pred) || mgi_decl_says(pred->decl, "mode") != 1)
        return;
    for (uint32_t j = 0; j < c->head.count; j++) {
        const struct term *type = NULL;
        if (!pred->input[j] || c->head.args[j].kind != TERM_VAR)
            continue;
        for (size_t i = 0; i < r->count; i++) {
            const struct term *cell = row_at(r, i, c->head.count)[j];
            type = type ? mgi_type_join(&k->types, type, cell) : cell;
        }
        k->states->vars[c->head.args[j].var] = type;
    }
}

static void check_rule(struct bounds *k, const struct clause *c, struct rows *into)
{
    k->c = c;
    k->state_count = 1;
    k->states = mgi_arena_calloc(&k->arena, 1, sizeof *k->states);
    if (k->states)
        k->states->vars =
            mgi_arena_calloc(&k->arena, (size_t)c->var_count + 1, sizeof *k->states->vars);
    if (!k->states || !k->states->vars) {
        k->types.oom = true;
        return;
    }
    k->states->k = &k->types;
    if (is_faulty(k, c->span)) {
        if (into)
            add_any_row(k, into, c->head.count);
        return;
    }
    expect_inputs(k, c);
    mgi_diags_anchor(k->diags, &c->span);
    bool feasible = true;
    for (uint32_t i = 0; i < c->premise_count && feasible; i++)
        feasible = step(k, &c->premises[i]);
    if (feasible && !k->types.oom) {
        infer_lets(k);
        if (!k->listener)
            check_head(k);
        if (into)
            add_head_rows(k, into);
    }
    mgi_diags_anchor(k->diags, NULL);
    if (k->listener && !k->types.oom) {
        join_states(k);
        k->listener->on_rule(k->listener->context, c, k->states[0].vars);
    }
}

/* Of a recursion an editor is told the least types that its rules allow: they grow round by round
 * from those of the facts and of the rules that do not recur. Types that never stop are /any. */
#define MAX_ROUNDS 8

static struct rows *found_for(struct bounds *k, const struct stratum *s, struct rows *found,
                              mangle_pred pred)
{
    for (uint32_t i = 0; i < s->pred_count; i++)
        if (s->preds[i] == pred && !typing(&k->p->preds[pred]))
            return &found[i];
    return NULL;
}

static bool grow_stratum(struct bounds *k, const struct stratum *s)
{
    struct rows *found = mgi_arena_calloc(&k->arena, s->pred_count, sizeof *found);
    bool grown = false;
    if (!found) {
        k->types.oom = true;
        return false;
    }
    for (uint32_t r = 0; r < s->rule_count && !k->types.oom; r++) {
        const struct clause *c = k->p->rules[s->rules[r]];
        check_rule(k, c, found_for(k, s, found, c->head.pred));
    }
    for (uint32_t i = 0; i < s->pred_count && !k->types.oom; i++) {
        const struct pred *pred = &k->p->preds[s->preds[i]];
        for (size_t row = 0; row < found[i].count; row++)
            grown |= add_row_types(k, &k->rows[s->preds[i]], row_at(&found[i], row, pred->arity),
                                   pred->arity);
    }
    return grown && !k->types.oom;
}

static void infer_recursion(struct bounds *k, const struct stratum *s)
{
    int round = 0;
    for (uint32_t i = 0; i < s->pred_count; i++)
        k->rows[s->preds[i]].known = true;
    k->growing = true;
    while (grow_stratum(k, s) && ++round < MAX_ROUNDS)
        continue;
    k->growing = false;
    for (uint32_t i = 0; round == MAX_ROUNDS && i < s->pred_count; i++) {
        const struct pred *pred = &k->p->preds[s->preds[i]];
        if (typing(pred))
            continue;
        k->rows[s->preds[i]].count = 0;
        add_any_row(k, &k->rows[s->preds[i]], pred->arity);
    }
    if (round == MAX_ROUNDS)
        grow_stratum(k, s);
}

/* Rules stratum by stratum, so that the types of what a rule reads are known. */
static void check_stratum(struct bounds *k, const struct stratum *s)
{
    if (k->listener && s->recursive) {
        infer_recursion(k, s);
        return;
    }
    struct rows *found = mgi_arena_calloc(&k->arena, s->pred_count, sizeof *found);
    if (!found) {
        k->types.oom = true;
        return;
    }
    for (uint32_t r = 0; r < s->rule_count && !k->types.oom; r++) {
        const struct clause *c = k->p->rules[s->rules[r]];
        check_rule(k, c, found_for(k, s, found, c->head.pred));
    }
    for (uint32_t i = 0; i < s->pred_count && !k->types.oom; i++) {
        const struct pred *pred = &k->p->preds[s->preds[i]];
        struct rows *r = &k->rows[s->preds[i]];
        if (typing(pred))
            continue;
        for (size_t row = 0; row < found[i].count; row++)
            add_row_types(k, r, row_at(&found[i], row, pred->arity), pred->arity);
        r->known = true;
    }
}

/* Each column as one type. */
static void tell_columns(struct bounds *k)
{
    for (size_t i = 0; i < k->p->pred_count && !k->types.oom; i++) {
        uint32_t arity = k->p->preds[i].arity;
        const struct rows *r = &k->rows[i];
        for (uint32_t j = 0; j < arity && r->count && r->known; j++) {
            const struct term *type = row_at(r, 0, arity)[j];
            for (size_t row = 1; row < r->count; row++)
                type = mgi_type_join(&k->types, type, row_at(r, row, arity)[j]);
            k->listener->on_column(k->listener->context, (mangle_pred)i, j, type);
        }
    }
}

static enum mangle_status run_bounds(struct bounds *k)
{
    mgi_arena_init(&k->arena, 0);
    bool ok = prepare_rows(k);
    if (ok) {
        if (!k->listener)
            check_facts(k);
        for (size_t s = 0; s < k->p->stratum_count && !k->types.oom; s++)
            check_stratum(k, &k->p->strata[s]);
        if (k->listener)
            tell_columns(k);
    }
    ok = ok && !k->types.oom;
    mgi_arena_fini(&k->arena);
    return ok ? MANGLE_OK : MANGLE_ERR_NOMEM;
}

enum mangle_status mgi_check_bounds(mangle_program *p, mangle_diags *diags)
{
    if (mgi_diags_status(diags)) /* names and variables must be in order first */
        return MANGLE_OK;
    struct bounds k = { .p = p, .diags = diags };
    return run_bounds(&k);
}

enum mangle_status mgi_infer_types(mangle_program *p, const struct type_listener *listener)
{
    struct bounds k = { .p = p, .listener = listener };
    return run_bounds(&k);
}
