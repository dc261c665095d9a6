/* One rule becomes one code: the order of its premises, the columns that are known when an atom is
 * looked up, and where to go on when an operation has no more solutions.
 *
 * Order (M-EVAL-14): premises that may fail (they have a function call, a comparison, or interval
 * variables, whose meaning depends on what is bound before) are barriers and stay where they are
 * written. Between two barriers: filters as soon as they can be tested, then the atom with the most
 * known columns, then as written. The delta premise goes first if nothing before it would read
 * another meaning into an interval variable. */
#include <string.h>

#include "mangle/plan.h"

struct planner {
    mangle_program *p;
    struct plan *plan;
    struct rule *rule;
    const struct clause *c;
    struct code *code;
    enum code_kind kind;
    uint32_t delta;    /* premise, or UINT32_MAX */
    bool *bound;       /* per variable: has a value here */
    bool *placed;      /* per premise */
    uint32_t *scan_of; /* per premise: its OP_SCAN if that went ahead of its OP_SPAN, else NO_OP */
    bool wildcards;    /* `_` takes part in rows (M-AGG-5) */
    bool oom;
};

/* ---- making operations ---------------------------------------------------------------------- */

static void *take(struct planner *pl, size_t count, size_t size)
{
    void *ptr = mgi_arena_calloc(&pl->p->arena, count ? count : 1, size);
    pl->oom |= !ptr;
    return ptr;
}

/* A place to write to even when memory is short: `oom` then spoils the whole code. */
static struct op *add_op(struct planner *pl, enum op_kind kind, uint32_t premise)
{
    static const struct op zero;
    struct code *code = pl->code;
    if (!mgi_arena_grow(&pl->p->arena, &code->ops, &code->op_cap, code->op_count + 1,
                        sizeof *code->ops)) {
        pl->oom = true;
        return NULL;
    }
    struct op *op = &code->ops[code->op_count++];
    *op = zero;
    op->kind = kind;
    op->premise = premise;
    op->fail = NO_OP;
    for (int i = 0; i < BUILTIN_MAX_PRED_ARGS; i++)
        op->outs[i] = op->tests[i] = NO_REG;
    return op;
}

static uint32_t const_reg(struct planner *pl, mangle_value value)
{
    struct code *code = pl->code;
    for (size_t i = 0; i < code->constant_count; i++)
        if (code->constants[i].value == value)
            return code->constants[i].reg;
    if (!mgi_arena_grow(&pl->p->arena, &code->constants, &code->constant_cap,
                        code->constant_count + 1, sizeof *code->constants)) {
        pl->oom = true;
        return 0;
    }
    uint32_t reg = code->reg_count++;
    code->constants[code->constant_count++] = (struct constant){ reg, value };
    return reg;
}

static bool known(const struct planner *pl, const struct term *t)
{
    return t->kind != TERM_VAR || pl->bound[t->var];
}

/* The register that will hold the term's value. Expressions become calls, innermost first; terms
 * nest at most 200 deep (M-LIM-13), so recursion is fine. */
static uint32_t operand(struct planner *pl, const struct term *t, uint32_t premise)
{
    struct op *op;
    switch (t->kind) {
    case TERM_CONST:
        return const_reg(pl, t->value);
    case TERM_VAR:
        if (!pl->bound[t->var] && (op = add_op(pl, OP_UNBOUND, premise)))
            op->a = t->var;
        return t->var;
    case TERM_APPLY:
        break;
    }
    uint32_t *args = take(pl, t->apply.count, sizeof *args);
    if (!args)
        return 0;
    for (uint32_t i = 0; i < t->apply.count; i++)
        args[i] = operand(pl, &t->apply.args[i], premise);
    op = add_op(pl, OP_CALL, premise);
    if (!op)
        return 0;
    op->function = t->apply.row;
    op->args = args;
    op->arg_count = t->apply.count;
    return op->a = pl->code->reg_count++;
}

/* ---- atoms ---------------------------------------------------------------------------------- */

static bool is_wildcard(const struct planner *pl, const struct term *t)
{
    return t->kind == TERM_VAR && pl->c->vars[t->var].wildcard;
}

static bool has_delta(const struct planner *pl, const struct premise *m)
{
    const struct pred *pred = &pl->p->preds[m->atom.pred];
    return !m->negated && (pred->stratum == pl->rule->stratum || pred->changeable);
}

static enum reach reach_of(const struct planner *pl, uint32_t premise)
{
    const struct premise *m = &pl->c->premises[premise];
    if (premise == pl->delta)
        return REACH_NEW;
    /* What is old in a temporal relation is not kept apart: finding something twice is no fault. */
    if (premise < pl->delta && pl->delta != UINT32_MAX && has_delta(pl, m) &&
        !pl->p->preds[m->atom.pred].temporal)
        return REACH_OLD;
    return REACH_ALL;
}

/* Does this code run in overlays, above a frozen base? */
static bool runs_in_overlay(const struct planner *pl)
{
    return pl->kind == CODE_GOAL || pl->rule->per_request ||
           (pl->kind == CODE_DELTA && pl->p->preds[pl->code->delta].changeable);
}

static void choose_index(struct planner *pl, struct look *look, const struct column *cols,
                         uint32_t count)
{
    struct pred_plan *pred = &pl->plan->preds[look->pred];
    uint32_t key_max = count < SEARCH_MAX_COLUMNS ? count : SEARCH_MAX_COLUMNS;
    uint32_t *columns = take(pl, key_max, sizeof *columns);
    look->key = take(pl, count, sizeof *look->key);
    look->tests = take(pl, count, sizeof *look->tests);
    if (!columns || !look->key || !look->tests)
        return;
    for (uint32_t i = 0; i < key_max; i++)
        columns[i] = cols[i].column;
    /* News are own rows, except that rows of the base may have new intervals. */
    bool frozen =
        runs_in_overlay(pl) && (look->reach != REACH_NEW || pl->p->preds[look->pred].temporal);
    bool existing = pl->kind == CODE_GOAL && !pl->plan->preds[pl->rule->head].depends_on_now;
    if (!mgi_plan_search(pl->p, pred, columns, key_max, frozen, existing, &look->index)) {
        pl->oom = true;
        return;
    }
    const struct search *s = look->index == REL_NONE ? NULL : &pred->searches[look->index];
    for (uint32_t i = 0, at = 0; i < count; i++) {
        if (s && at < s->count && s->columns[at] == cols[i].column) {
            look->key[look->key_count++] = cols[i].reg;
            at++;
        } else {
            look->tests[look->test_count++] = cols[i];
        }
    }
}

/* Known columns become the key (or tests), new variables binds. A variable's second new occurrence
 * is compared with the first. `binds_all`: named variables of a negated atom stay unknown after it.
 */
static struct look *make_look(struct planner *pl, const struct atom *a, enum reach reach,
                              uint32_t premise)
{
    struct look *look = take(pl, 1, sizeof *look);
    struct column *cols = take(pl, a->count, sizeof *cols);
    if (!look || !cols)
        return NULL;
    look->pred = a->pred;
    look->reach = reach;
    look->component = pl->p->preds[a->pred].stratum == pl->rule->stratum;
    look->index = REL_NONE;
    look->row_used = pl->kind == CODE_GOAL || pl->p->preds[a->pred].temporal;
    look->binds = take(pl, a->count, sizeof *look->binds);
    look->repeats = take(pl, a->count, sizeof *look->repeats);
    if (pl->oom)
        return NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        const struct term *t = &a->args[i];
        if (known(pl, t)) {
            cols[count++] = (struct column){ i, operand(pl, t, premise) };
            continue;
        }
        if (is_wildcard(pl, t) && !pl->wildcards)
            continue;
        bool again = false;
        for (uint32_t b = 0; b < look->bind_count; b++)
            again |= look->binds[b].reg == t->var;
        if (again)
            look->repeats[look->repeat_count++] = (struct column){ i, t->var };
        else
            look->binds[look->bind_count++] = (struct column){ i, t->var };
    }
    look->whole = count == a->count;
    if (look->whole || (reach == REACH_NEW && pl->code->op_count == 0)) {
        uint32_t *regs = take(pl, count, sizeof *regs);
        for (uint32_t i = 0; regs && i < count; i++)
            regs[i] = cols[i].reg;
        look->key = look->whole ? regs : NULL;
        look->key_count = look->whole ? count : 0;
        look->tests = cols;
        look->test_count = look->whole ? 0 : count;
    } else if (count) {
        choose_index(pl, look, cols, count);
    }
    return look;
}

static void bind_all(struct planner *pl, const struct look *look)
{
    for (uint32_t i = 0; i < look->bind_count; i++)
        pl->bound[look->binds[i].reg] = true;
}

static uint32_t place_scan(struct planner *pl, uint32_t premise)
{
    struct look *look =
        make_look(pl, &pl->c->premises[premise].atom, reach_of(pl, premise), premise);
    struct op *op = look ? add_op(pl, OP_SCAN, premise) : NULL;
    if (!op)
        return NO_OP;
    op->look = look;
    bind_all(pl, look);
    return (uint32_t)(pl->code->op_count - 1);
}

/* ---- intervals ------------------------------------------------------------------------------ */

static struct bound make_bound(const struct planner *pl, const struct time_bound *b)
{
    struct bound out = { .kind = b->kind, .ns = b->ns, .reg = b->var };
    if (b->kind == BOUND_VAR)
        out.free = !pl->bound[b->var];
    return out;
}

static void check_window_bound(struct planner *pl, const struct bound *b, uint32_t premise)
{
    struct op *op;
    if (b->kind == BOUND_VAR && b->free && (op = add_op(pl, OP_UNBOUND, premise)))
        op->a = b->reg;
}

/* The interval part of a premise: what is fixed, what is bound by it (M-TEMP-30 to 34, 50 to 55).
 */
static struct spans *make_spans(struct planner *pl, uint32_t premise)
{
    const struct premise *m = &pl->c->premises[premise];
    struct spans *s = take(pl, 1, sizeof *s);
    if (!s)
        return NULL;
    s->scan = NO_OP;
    s->start_reg = s->end_reg = NO_REG;
    s->window = m->window;
    if (m->window != WINDOW_NONE) {
        s->near = make_bound(pl, &m->near);
        s->far = make_bound(pl, &m->far);
        check_window_bound(pl, &s->near, premise);
        check_window_bound(pl, &s->far, premise);
    }
    s->annotated = m->annotation.present;
    if (s->annotated) {
        s->start = make_bound(pl, &m->annotation.start);
        s->end = make_bound(pl, &m->annotation.end);
        if (s->start.free && s->end.kind == BOUND_VAR && s->end.reg == s->start.reg) {
            s->end = (struct bound){ .kind = BOUND_OPEN }; /* @[T]: the start only (M-TEMP-33) */
        }
        if (s->start.free)
            s->start_reg = s->start.reg;
        if (s->end.free)
            s->end_reg = s->end.reg;
    }
    bool free = s->start.free || s->end.free;
    s->merged =
        m->window == WINDOW_ALL_PAST || m->window == WINDOW_ALL_FUTURE || (s->annotated && !free);
    return s;
}

static void place_spans(struct planner *pl, uint32_t premise, uint32_t scan)
{
    struct spans *s = make_spans(pl, premise);
    struct op *op = s ? add_op(pl, OP_SPAN, premise) : NULL;
    if (!op)
        return;
    op->spans = s;
    s->scan = scan;
    if (s->start_reg != NO_REG)
        pl->bound[s->start_reg] = true;
    if (s->end_reg != NO_REG)
        pl->bound[s->end_reg] = true;
    if (pl->wildcards) { /* rows of a do-rule over one temporal atom: a row per stored interval */
        if (s->start_reg == NO_REG)
            s->start_reg = pl->code->reg_count++;
        if (s->end_reg == NO_REG)
            s->end_reg = pl->code->reg_count++;
    }
}

static void place_absent(struct planner *pl, uint32_t premise)
{
    const struct premise *m = &pl->c->premises[premise];
    struct look *look = make_look(pl, &m->atom, REACH_ALL, premise);
    struct spans *spans = NULL;
    if (m->kind == PREMISE_TEMPORAL) {
        spans = make_spans(pl, premise);
        if (spans)
            spans->start_reg = spans->end_reg = NO_REG;
    }
    struct op *op = add_op(pl, OP_ABSENT, premise);
    if (!op)
        return;
    op->look = look;
    op->spans = spans;
}

/* ---- other premises ------------------------------------------------------------------------- */

static void place_pair(struct planner *pl, enum op_kind kind, uint32_t a, uint32_t b,
                       uint32_t premise)
{
    struct op *op = add_op(pl, kind, premise);
    if (op) {
        op->a = a;
        op->b = b;
    }
}

static void place_equal(struct planner *pl, uint32_t premise)
{
    const struct premise *m = &pl->c->premises[premise];
    const struct term *var = &m->left, *other = &m->right;
    if (known(pl, var)) { /* a new variable, if there is one, on the left */
        const struct term *swap = var;
        var = other;
        other = swap;
    }
    if (known(pl, var)) {
        uint32_t b = operand(pl, &m->left, premise), a = operand(pl, &m->right, premise);
        place_pair(pl, OP_EQ, a, b, premise);
        return;
    }
    if (!known(pl, other)) {
        place_pair(pl, OP_NEVER, 0, 0, premise);
        return;
    }
    uint32_t from = operand(pl, other, premise);
    if (other->kind == TERM_APPLY && !pl->oom)
        pl->code->ops[pl->code->op_count - 1].a = var->var; /* the call writes it */
    else
        place_pair(pl, OP_COPY, from, var->var, premise);
    pl->bound[var->var] = true;
}

static void place_unequal(struct planner *pl, uint32_t premise)
{
    const struct premise *m = &pl->c->premises[premise];
    if (!known(pl, &m->left) || !known(pl, &m->right)) {
        place_pair(pl, OP_NEVER, 0, 0, premise); /* M-EVAL-10 */
        return;
    }
    uint32_t a = operand(pl, &m->left, premise), b = operand(pl, &m->right, premise);
    place_pair(pl, OP_NE, a, b, premise);
}

static void place_builtin(struct planner *pl, uint32_t premise)
{
    const struct premise *m = &pl->c->premises[premise];
    const struct atom *a = &m->atom;
    uint32_t outs[BUILTIN_MAX_PRED_ARGS], tests[BUILTIN_MAX_PRED_ARGS];
    uint32_t *args = take(pl, BUILTIN_MAX_PRED_ARGS, sizeof *args);
    if (!args)
        return;
    for (uint32_t i = 0; i < BUILTIN_MAX_PRED_ARGS; i++)
        args[i] = outs[i] = tests[i] = NO_REG;
    for (uint32_t i = 0; i < a->count; i++) {
        const struct term *t = &a->args[i];
        if (a->builtin->modes[i] == MODE_IN) {
            args[i] = operand(pl, t, premise);
        } else if (known(pl, t)) {
            tests[i] = operand(pl, t, premise);
        } else if (!is_wildcard(pl, t)) {
            bool again = false;
            for (uint32_t j = 0; j < i; j++)
                again |= outs[j] == t->var;
            *(again ? &tests[i] : &outs[i]) = t->var;
        }
    }
    struct op *op = add_op(pl, OP_BUILTIN, premise);
    if (!op)
        return;
    op->builtin = a->builtin;
    op->negated = m->negated;
    op->args = args;
    op->arg_count = a->count;
    memcpy(op->outs, outs, sizeof outs);
    memcpy(op->tests, tests, sizeof tests);
    for (uint32_t i = 0; !m->negated && i < a->count; i++)
        if (outs[i] != NO_REG)
            pl->bound[outs[i]] = true;
}

/* ---- the order ------------------------------------------------------------------------------ */

static bool any_call(const struct premise *m)
{
    if (m->kind == PREMISE_EQ || m->kind == PREMISE_NE)
        return mgi_term_has_call(&m->left) || mgi_term_has_call(&m->right);
    for (uint32_t i = 0; i < m->atom.count; i++)
        if (mgi_term_has_call(&m->atom.args[i]))
            return true;
    return false;
}

static bool has_interval_vars(const struct premise *m)
{
    if (m->kind != PREMISE_TEMPORAL)
        return false;
    if (m->annotation.present &&
        (m->annotation.start.kind == BOUND_VAR || m->annotation.end.kind == BOUND_VAR))
        return true;
    return m->window != WINDOW_NONE && (m->near.kind == BOUND_VAR || m->far.kind == BOUND_VAR);
}

static bool is_barrier(const struct premise *m)
{
    if (any_call(m) || has_interval_vars(m))
        return true;
    return m->kind == PREMISE_BUILTIN && !m->atom.builtin->cannot_fail_on_kind;
}

static bool is_positive_atom(const struct premise *m)
{
    return (m->kind == PREMISE_ATOM || m->kind == PREMISE_TEMPORAL) && !m->negated;
}

static bool all_known(const struct planner *pl, const struct premise *m, bool inputs_only)
{
    for (uint32_t i = 0; i < m->atom.count; i++) {
        const struct term *t = &m->atom.args[i];
        if (inputs_only && m->atom.builtin->modes[i] == MODE_OUT)
            continue;
        if (!known(pl, t) && !is_wildcard(pl, t))
            return false;
    }
    return true;
}

#define SCORE_FILTER    (INT64_C(1) << 40)
#define SCORE_LOOKUP    (INT64_C(1) << 39)
#define SCORE_NOT_READY (-1)

/* How soon a premise that is no barrier should be placed. */
static int64_t score(const struct planner *pl, const struct premise *m)
{
    if (m->kind == PREMISE_EQ)
        return known(pl, &m->left) || known(pl, &m->right) ? SCORE_FILTER : SCORE_NOT_READY;
    if (m->kind == PREMISE_NE)
        return known(pl, &m->left) && known(pl, &m->right) ? SCORE_FILTER : SCORE_NOT_READY;
    if (m->kind == PREMISE_BUILTIN)
        return all_known(pl, m, !m->negated) ? SCORE_FILTER : SCORE_NOT_READY;
    if (m->negated)
        return all_known(pl, m, false) ? SCORE_FILTER : SCORE_NOT_READY;
    int64_t count = 0;
    for (uint32_t i = 0; i < m->atom.count; i++)
        count += known(pl, &m->atom.args[i]);
    if (count == m->atom.count)
        return SCORE_LOOKUP;
    /* In an overlay what requests bring is small, what the base has may be large. */
    const struct pred *pred = &pl->p->preds[m->atom.pred];
    int64_t small = pl->rule->per_request ? pred->assertable * 2 + pred->changeable : 0;
    return count * 4 + small;
}

static uint32_t choose(const struct planner *pl)
{
    uint32_t best = UINT32_MAX, first = UINT32_MAX;
    int64_t best_score = SCORE_NOT_READY;
    for (uint32_t i = 0; i < pl->c->premise_count; i++) {
        const struct premise *m = &pl->c->premises[i];
        if (pl->placed[i])
            continue;
        if (first == UINT32_MAX)
            first = i;
        if (is_barrier(m))
            return best != UINT32_MAX ? best : i;
        int64_t s = score(pl, m);
        if (s > best_score) {
            best = i;
            best_score = s;
        }
    }
    return best != UINT32_MAX ? best : first;
}

static void place(struct planner *pl, uint32_t i)
{
    const struct premise *m = &pl->c->premises[i];
    pl->placed[i] = true;
    switch (m->kind) {
    case PREMISE_EQ:
        place_equal(pl, i);
        return;
    case PREMISE_NE:
        place_unequal(pl, i);
        return;
    case PREMISE_BUILTIN:
        place_builtin(pl, i);
        return;
    case PREMISE_ATOM:
    case PREMISE_TEMPORAL:
        break;
    }
    if (m->negated) {
        place_absent(pl, i);
        return;
    }
    uint32_t scan = pl->scan_of[i] != NO_OP ? pl->scan_of[i] : place_scan(pl, i);
    if (m->kind == PREMISE_TEMPORAL && !pl->oom)
        place_spans(pl, i, scan);
}

static bool annotates_with(const struct premise *m, uint32_t var)
{
    if (!has_interval_vars(m))
        return false;
    const struct time_bound *all[] = { &m->annotation.start, &m->annotation.end, &m->near,
                                       &m->far };
    for (int i = m->annotation.present ? 0 : 2; i < (m->window == WINDOW_NONE ? 2 : 4); i++)
        if (all[i]->kind == BOUND_VAR && all[i]->var == var)
            return true;
    return false;
}

static bool may_go_first(const struct planner *pl, uint32_t i)
{
    const struct premise *m = &pl->c->premises[i];
    if (any_call(m))
        return false;
    for (uint32_t j = 0; j < i; j++)
        for (uint32_t a = 0; a < m->atom.count; a++)
            if (m->atom.args[a].kind == TERM_VAR &&
                annotates_with(&pl->c->premises[j], m->atom.args[a].var))
                return false;
    return true;
}

static void place_premises(struct planner *pl)
{
    if (pl->delta != UINT32_MAX && may_go_first(pl, pl->delta)) {
        if (has_interval_vars(&pl->c->premises[pl->delta]))
            pl->scan_of[pl->delta] = place_scan(pl, pl->delta); /* its intervals wait their turn */
        else
            place(pl, pl->delta);
    }
    for (uint32_t left = pl->c->premise_count; left && !pl->oom; left--) {
        uint32_t i = choose(pl);
        if (i == UINT32_MAX)
            return;
        place(pl, i);
    }
}

/* ---- the end of a code ---------------------------------------------------------------------- */

static void place_let(struct planner *pl, const struct let *let)
{
    uint32_t at = pl->c->premise_count;
    uint32_t reg = operand(pl, &let->term, at);
    if (pl->oom)
        return;
    if (let->term.kind == TERM_APPLY)
        pl->code->ops[pl->code->op_count - 1].a = let->var;
    else
        place_pair(pl, OP_COPY, reg, let->var, at);
    pl->bound[let->var] = true;
}

static void place_head(struct planner *pl)
{
    const struct atom *head = &pl->c->head;
    uint32_t at = pl->c->premise_count;
    uint32_t *args = take(pl, head->count, sizeof *args);
    for (uint32_t i = 0; args && i < head->count; i++)
        args[i] = operand(pl, &head->args[i], at);
    struct op *op = add_op(pl, OP_EMIT, at);
    if (!op)
        return;
    op->args = args;
    op->arg_count = head->count;
}

static void place_row(struct planner *pl)
{
    struct op *op = add_op(pl, OP_ROW, pl->c->premise_count);
    if (!op)
        return;
    op->args = pl->rule->row_regs;
    op->arg_count = pl->rule->row_count;
}

/* ---- what makes a row of a do-rule (M-AGG-5) --------------------------------------------------
 */

static bool is_single_atom(const struct clause *c)
{
    return c->premise_count == 1 && is_positive_atom(&c->premises[0]);
}

static void add_row_reg(struct rule *rule, uint32_t reg)
{
    for (uint32_t i = 0; i < rule->row_count; i++)
        if (rule->row_regs[i] == reg)
            return;
    rule->row_regs[rule->row_count++] = reg;
}

static void add_row_term(struct planner *pl, const struct term *t)
{
    if (t->kind == TERM_VAR && pl->bound[t->var] && (pl->wildcards || !is_wildcard(pl, t)))
        add_row_reg(pl->rule, t->var);
    for (uint32_t i = 0; t->kind == TERM_APPLY && i < t->apply.count; i++)
        add_row_term(pl, &t->apply.args[i]);
}

static void add_row_bound(struct planner *pl, const struct time_bound *b)
{
    if (b->kind == BOUND_VAR && pl->bound[b->var] && !pl->c->vars[b->var].wildcard)
        add_row_reg(pl->rule, b->var);
}

/* Variables in the order of their first occurrence: rows are sorted by them (M-EVAL-31). */
static void list_row(struct planner *pl)
{
    struct rule *rule = pl->rule;
    const struct clause *c = pl->c;
    rule->row_regs = take(pl, (size_t)c->var_count + 2, sizeof *rule->row_regs);
    if (!rule->row_regs)
        return;
    for (uint32_t i = 0; i < c->premise_count; i++) {
        const struct premise *m = &c->premises[i];
        if (m->kind == PREMISE_EQ || m->kind == PREMISE_NE) {
            add_row_term(pl, &m->left);
            add_row_term(pl, &m->right);
            continue;
        }
        for (uint32_t a = 0; a < m->atom.count; a++)
            add_row_term(pl, &m->atom.args[a]);
        if (m->kind == PREMISE_TEMPORAL && m->annotation.present) {
            add_row_bound(pl, &m->annotation.start);
            add_row_bound(pl, &m->annotation.end);
        }
    }
    if (!pl->wildcards)
        return;
    for (size_t i = 0; i < pl->code->op_count; i++) { /* a row per interval */
        const struct spans *s = pl->code->ops[i].spans;
        if (s && pl->code->ops[i].kind == OP_SPAN) {
            add_row_reg(rule, s->start_reg);
            add_row_reg(rule, s->end_reg);
        }
    }
}

/* ---- what is needed, and where to go on --------------------------------------------------------
 */

static void use(bool *live, uint32_t reg)
{
    if (reg != NO_REG)
        live[reg] = true;
}

static void use_bound(bool *live, const struct bound *b)
{
    if (b->kind == BOUND_VAR && !b->free)
        use(live, b->reg);
}

static void use_look(bool *live, struct look *look, bool keep)
{
    for (uint32_t i = 0; i < look->repeat_count; i++)
        use(live, look->repeats[i].reg);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < look->bind_count; i++)
        if (keep || live[look->binds[i].reg])
            look->binds[kept++] = look->binds[i];
    look->bind_count = kept;
    for (uint32_t i = 0; i < look->key_count; i++)
        use(live, look->key[i]);
    for (uint32_t i = 0; i < look->test_count; i++)
        use(live, look->tests[i].reg);
}

static void use_spans(bool *live, struct spans *s, bool keep)
{
    if (s->start_reg != NO_REG && !keep && !live[s->start_reg])
        s->start_reg = NO_REG;
    if (s->end_reg != NO_REG && !keep && !live[s->end_reg])
        s->end_reg = NO_REG;
    if (s->window != WINDOW_NONE) {
        use_bound(live, &s->near);
        use_bound(live, &s->far);
    }
    if (s->annotated) {
        use_bound(live, &s->start);
        use_bound(live, &s->end);
    }
}

/* Does nothing later read what this operation finds? (Asked before its own uses are counted.) */
static bool is_dead(const struct op *op, const bool *live)
{
    switch (op->kind) {
    case OP_SCAN:
        for (uint32_t i = 0; i < op->look->bind_count; i++)
            if (live[op->look->binds[i].reg])
                return false;
        return true;
    case OP_SPAN:
        return (op->spans->start_reg == NO_REG || !live[op->spans->start_reg]) &&
               (op->spans->end_reg == NO_REG || !live[op->spans->end_reg]);
    case OP_BUILTIN:
        for (uint32_t i = 0; i < BUILTIN_MAX_PRED_ARGS; i++)
            if (op->outs[i] != NO_REG && live[op->outs[i]])
                return false;
        return true;
    default:
        return false;
    }
}

static void use_op(bool *live, struct op *op, bool keep)
{
    if (op->look)
        use_look(live, op->look, keep || op->kind == OP_ABSENT);
    if (op->spans)
        use_spans(live, op->spans, keep);
    if (op->kind == OP_COPY || op->kind == OP_EQ || op->kind == OP_NE)
        use(live, op->a);
    if (op->kind == OP_EQ || op->kind == OP_NE)
        use(live, op->b);
    for (uint32_t a = 0; a < op->arg_count; a++)
        use(live, op->args[a]);
    for (uint32_t a = 0; op->kind == OP_BUILTIN && a < BUILTIN_MAX_PRED_ARGS; a++)
        use(live, op->tests[a]);
}

/* Backwards: what does anything later read? An atom that binds nothing of it has, as far as the
 * rest is concerned, one solution at most. */
static void find_needed(struct planner *pl)
{
    struct code *code = pl->code;
    bool keep = pl->kind == CODE_GOAL;
    bool *live = take(pl, code->reg_count, sizeof *live);
    if (!live)
        return;
    if (pl->rule->annotated && !pl->rule->is_do) {
        use_bound(live, &pl->rule->start);
        use_bound(live, &pl->rule->end);
    }
    for (size_t i = code->op_count; i-- > 0;) {
        struct op *op = &code->ops[i];
        op->once = !keep && is_dead(op, live);
        use_op(live, op, keep);
    }
}

static void link_ops(struct code *code)
{
    uint32_t resume = NO_OP;
    for (uint32_t i = 0; i < code->op_count; i++) {
        struct op *op = &code->ops[i];
        op->fail = resume;
        bool spanned = i + 1 < code->op_count && code->ops[i + 1].kind == OP_SPAN &&
                       code->ops[i + 1].spans->scan == i;
        switch (op->kind) {
        case OP_SCAN: {
            bool later = false; /* its intervals are looked at elsewhere: the row matters */
            for (uint32_t j = i + 2; j < code->op_count; j++)
                later |= code->ops[j].kind == OP_SPAN && code->ops[j].spans->scan == i;
            if (!op->look->whole && (!op->once || spanned || later))
                resume = i;
            break;
        }
        case OP_SPAN:
            if (!op->once)
                resume = i;
            else if (op->spans->scan + 1 == i && code->ops[op->spans->scan].once)
                resume = code->ops[op->spans->scan].fail;
            break;
        case OP_BUILTIN:
            if (!op->negated && !op->builtin->single && !op->once)
                resume = i;
            break;
        default:
            break;
        }
    }
}

/* ---- public --------------------------------------------------------------------------------- */

static bool code_begin(struct planner *pl, struct code *code)
{
    const struct clause *c = pl->c;
    *code = (struct code){ .rule = pl->rule, .reg_count = c->var_count, .delta = MANGLE_NO_PRED };
    pl->code = code;
    pl->bound = take(pl, c->var_count, sizeof *pl->bound);
    pl->placed = take(pl, c->premise_count, sizeof *pl->placed);
    pl->scan_of = take(pl, c->premise_count, sizeof *pl->scan_of);
    for (uint32_t i = 0; pl->scan_of && i < c->premise_count; i++)
        pl->scan_of[i] = NO_OP;
    return !pl->oom;
}

static bool is_let_var(const struct clause *c, uint32_t var)
{
    for (uint32_t i = 0; c->transform && i < c->transform->let_count; i++)
        if (c->transform->lets[i].var == var)
            return true;
    return false;
}

/* Head variables are known from the start, except where knowing them would change the meaning of an
 * annotation from "bind" to "contain". */
static void give_head(struct planner *pl)
{
    const struct atom *head = &pl->c->head;
    struct code *code = pl->code;
    code->given = take(pl, head->count, sizeof *code->given);
    for (uint32_t i = 0; code->given && i < head->count; i++) {
        if (head->args[i].kind != TERM_VAR || pl->bound[head->args[i].var])
            continue;
        uint32_t var = head->args[i].var;
        bool interval = is_let_var(pl->c, var);
        for (uint32_t m = 0; m < pl->c->premise_count; m++)
            interval |= annotates_with(&pl->c->premises[m], var);
        if (interval)
            continue;
        pl->bound[var] = true;
        code->given[code->given_count++] = (struct column){ i, var };
    }
}

static void plan_head_time(struct planner *pl)
{
    const struct annotation *a = &pl->c->annotation;
    struct rule *rule = pl->rule;
    if (!rule->annotated)
        return;
    rule->start = rule->end = (struct bound){ .kind = BOUND_OPEN };
    if (a->present) {
        rule->start = make_bound(pl, &a->start);
        rule->end = make_bound(pl, &a->end);
    }
}

static void place_end(struct planner *pl)
{
    const struct transform *t = pl->c->transform;
    if (pl->rule->is_do) {
        if (!pl->rule->row_regs)
            list_row(pl);
        place_row(pl);
        return;
    }
    for (uint32_t i = 0; t && i < t->let_count; i++)
        place_let(pl, &t->lets[i]);
    plan_head_time(pl);
    place_head(pl);
}

struct code *mgi_plan_code(mangle_program *p, struct plan *plan, struct rule *rule,
                           enum code_kind kind, uint32_t premise)
{
    struct planner pl = { .p = p, .plan = plan, .rule = rule, .c = rule->clause, .kind = kind };
    struct code *code = take(&pl, 1, sizeof *code);
    if (!code || !code_begin(&pl, code))
        return NULL;
    pl.delta = kind == CODE_DELTA ? premise : UINT32_MAX;
    pl.wildcards = rule->is_do && is_single_atom(pl.c);
    if (kind == CODE_DELTA) {
        code->delta = pl.c->premises[premise].atom.pred;
        code->delta_component = p->preds[code->delta].stratum == rule->stratum;
    }
    if (kind == CODE_GOAL)
        give_head(&pl);
    place_premises(&pl);
    place_end(&pl);
    if (pl.oom)
        return NULL;
    find_needed(&pl);
    if (pl.oom)
        return NULL;
    link_ops(code);
    return code;
}

/* A reducer's arguments, computed for one row; NULL if they are variables. */
static struct code *plan_each(struct planner *pl, const struct term *t, uint32_t *args)
{
    bool calls = false;
    for (uint32_t i = 0; i < t->apply.count; i++)
        calls |= t->apply.args[i].kind == TERM_APPLY;
    struct code *outer = pl->code, *each = NULL;
    if (calls) {
        each = take(pl, 1, sizeof *each);
        if (!each)
            return NULL;
        *each = (struct code){ .rule = pl->rule, .reg_count = outer->reg_count };
        pl->code = each;
    }
    for (uint32_t i = 0; i < t->apply.count; i++)
        args[i] = operand(pl, &t->apply.args[i], pl->c->premise_count);
    pl->code = outer;
    if (each) { /* temporaries of the outer code must not be overwritten */
        if (each->reg_count > outer->reg_count)
            outer->reg_count = each->reg_count;
        link_ops(each);
    }
    return each;
}

/* Integers may be added and compared in any order; floats may not be added so. */
static bool shows_order(const struct function *fn)
{
    static const char *const free_of_it[] = {
        "fn:count",        "fn:count_distinct", "fn:sum",          "fn:min",      "fn:max",
        "fn:duration:sum", "fn:duration:min",   "fn:duration:max", "fn:time:min", "fn:time:max"
    };
    for (size_t i = 0; i < sizeof free_of_it / sizeof *free_of_it; i++)
        if (strcmp(fn->name, free_of_it[i]) == 0)
            return false;
    return true;
}

static void place_reduce(struct planner *pl, const struct let *let)
{
    const struct term *t = &let->term;
    uint32_t *args = take(pl, t->apply.count, sizeof *args);
    if (!args)
        return;
    struct code *each = plan_each(pl, t, args);
    struct op *op = add_op(pl, OP_REDUCE, pl->c->premise_count);
    if (!op)
        return;
    pl->rule->row_order |= shows_order(t->apply.row);
    op->function = t->apply.row;
    op->args = args;
    op->arg_count = t->apply.count;
    op->a = let->var;
    op->each = each;
    pl->bound[let->var] = true;
}

struct code *mgi_plan_tail(mangle_program *p, struct plan *plan, struct rule *rule)
{
    struct planner pl = { .p = p, .plan = plan, .rule = rule, .c = rule->clause };
    struct code *code = take(&pl, 1, sizeof *code);
    if (!code || !code_begin(&pl, code))
        return NULL;
    const struct transform *t = pl.c->transform;
    code->reg_count = rule->full->reg_count; /* hidden row registers keep their numbers */
    for (uint32_t i = 0; i < rule->row_count; i++)
        if (rule->row_regs[i] < pl.c->var_count)
            pl.bound[rule->row_regs[i]] = true;
    rule->key_regs = t->keys;
    rule->key_count = t->key_count;
    for (uint32_t i = 0; i < t->let_count; i++) {
        const struct term *term = &t->lets[i].term;
        if (term->kind == TERM_APPLY && term->apply.row->reduce)
            place_reduce(&pl, &t->lets[i]);
        else
            place_let(&pl, &t->lets[i]);
    }
    plan_head_time(&pl);
    place_head(&pl);
    if (pl.oom)
        return NULL;
    link_ops(code);
    return code;
}
