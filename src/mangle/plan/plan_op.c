/* The operations of one premise: which columns are known when an atom is looked up, which intervals
 * count, what a built-in reads and writes. */
#include <string.h>

#include "mangle/plan/plan_int.h"

/* ---- making operations ---------------------------------------------------------------------- */

void *mgi_planner_take(struct planner *pl, size_t count, size_t size)
{
    void *ptr = mgi_arena_calloc(pl->arena, count ? count : 1, size);
    pl->oom |= !ptr;
    return ptr;
}

/* A place to write to even when memory is short: `oom` then spoils the whole code. */
struct op *mgi_planner_op(struct planner *pl, enum op_kind kind, uint32_t premise)
{
    static const struct op zero;
    struct code *code = pl->code;
    if (!mgi_arena_grow(pl->arena, &code->ops, &code->op_cap, code->op_count + 1,
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

/* Equal constants share a register, as far as looking for one pays: literals can have thousands. */
#define CONSTANTS_SEARCHED 64

static uint32_t const_reg(struct planner *pl, mangle_value value)
{
    struct code *code = pl->code;
    for (size_t i = 0; i < code->constant_count && i < CONSTANTS_SEARCHED; i++)
        if (code->constants[i].value == value)
            return code->constants[i].reg;
    if (!mgi_arena_grow(pl->arena, &code->constants, &code->constant_cap, code->constant_count + 1,
                        sizeof *code->constants)) {
        pl->oom = true;
        return 0;
    }
    uint32_t reg = code->reg_count++;
    code->constants[code->constant_count++] = (struct constant){ reg, value };
    return reg;
}

bool mgi_planner_known(const struct planner *pl, const struct term *t)
{
    return t->kind != TERM_VAR || pl->bound[t->var];
}

/* The register that will hold the term's value. Expressions become calls, innermost first; terms
 * nest at most 200 deep (M-LIM-13), so recursion is fine. */
uint32_t mgi_planner_operand(struct planner *pl, const struct term *t, uint32_t premise)
{
    struct op *op;
    switch (t->kind) {
    case TERM_CONST:
        return const_reg(pl, t->value);
    case TERM_VAR:
        if (!pl->bound[t->var] && (op = mgi_planner_op(pl, OP_UNBOUND, premise)))
            op->a = t->var;
        return t->var;
    case TERM_APPLY:
        break;
    }
    uint32_t *args = mgi_planner_take(pl, t->apply.count, sizeof *args);
    if (!args)
        return 0;
    for (uint32_t i = 0; i < t->apply.count; i++)
        args[i] = mgi_planner_operand(pl, &t->apply.args[i], premise);
    op = mgi_planner_op(pl, OP_CALL, premise);
    if (!op)
        return 0;
    op->function = t->apply.row;
    op->args = args;
    op->arg_count = t->apply.count;
    return op->a = pl->code->reg_count++;
}

/* ---- atoms ---------------------------------------------------------------------------------- */

bool mgi_planner_wildcard(const struct planner *pl, const struct term *t)
{
    return t->kind == TERM_VAR && pl->c->vars[t->var].wildcard;
}

static bool has_delta(const struct planner *pl, const struct premise *m)
{
    const struct pred *pred = &pl->p->preds[m->atom.pred];
    return !m->negated && !pred->deferred && !pred->external &&
           (pred->stratum == pl->rule->stratum || pred->changeable);
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

bool mgi_planner_above(const struct planner *pl)
{
    return pl->kind == CODE_GOAL || pl->kind == CODE_WHY || pl->rule->per_request ||
           pl->rule->deferred || mgi_is_put_off(pl->p, pl->rule->head) ||
           (pl->kind == CODE_DELTA && pl->p->preds[pl->code->delta].changeable);
}

static void choose_index(struct planner *pl, struct look *look, const struct column *cols,
                         uint32_t count)
{
    struct pred_plan *pred = &pl->plan->preds[look->pred];
    uint32_t key_max = count < SEARCH_MAX_COLUMNS ? count : SEARCH_MAX_COLUMNS;
    uint32_t *columns = mgi_planner_take(pl, key_max, sizeof *columns);
    look->key = mgi_planner_take(pl, count, sizeof *look->key);
    look->tests = mgi_planner_take(pl, count, sizeof *look->tests);
    if (!columns || !look->key || !look->tests)
        return;
    for (uint32_t i = 0; i < key_max; i++)
        columns[i] = cols[i].column;
    /* News are own rows, except that rows of the base may have new intervals. */
    bool frozen =
        mgi_planner_above(pl) && (look->reach != REACH_NEW || pl->p->preds[look->pred].temporal);
    bool existing = pl->kind == CODE_WHY ||
                    (pl->kind == CODE_GOAL && !pl->plan->preds[pl->rule->head].depends_on_now);
    if (!mgi_plan_search(pl->plan->arena, pred, columns, key_max, frozen, existing, &look->index)) {
        pl->oom = true;
        return;
    }
    const struct search *s = look->index == NO_INDEX ? NULL : &pred->searches[look->index];
    for (uint32_t i = 0, at = 0; i < count; i++) {
        if (s && at < s->count && s->columns[at] == cols[i].column) {
            look->key[look->key_count++] = cols[i].reg;
            at++;
        } else {
            look->tests[look->test_count++] = cols[i];
        }
    }
}

/* Known columns of an atom go to `known`, new variables to the binds. A variable's second new
 * occurrence is compared with the first. `wildcards`: `_` binds, too. */
static struct look *split_columns(struct planner *pl, const struct atom *a, uint32_t premise,
                                  struct column *known, uint32_t *count)
{
    struct look *look = mgi_planner_take(pl, 1, sizeof *look);
    if (!look)
        return NULL;
    look->pred = a->pred;
    look->component = pl->p->preds[a->pred].stratum == pl->rule->stratum;
    look->index = NO_INDEX;
    look->lattice = pl->p->preds[a->pred].lattice != NULL;
    look->row_used = pl->kind == CODE_GOAL || pl->p->preds[a->pred].temporal || look->lattice;
    look->binds = mgi_planner_take(pl, a->count, sizeof *look->binds);
    look->repeats = mgi_planner_take(pl, a->count, sizeof *look->repeats);
    if (pl->oom)
        return NULL;
    *count = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        const struct term *t = &a->args[i];
        if (mgi_planner_known(pl, t)) {
            known[(*count)++] = (struct column){ i, mgi_planner_operand(pl, t, premise) };
            continue;
        }
        if (mgi_planner_wildcard(pl, t) && !pl->wildcards)
            continue;
        bool again = false;
        for (uint32_t b = 0; b < look->bind_count; b++)
            again |= look->binds[b].reg == t->var;
        if (again)
            look->repeats[look->repeat_count++] = (struct column){ i, t->var };
        else
            look->binds[look->bind_count++] = (struct column){ i, t->var };
    }
    return look;
}

/* Known columns become the key, or tests. */
static struct look *make_look(struct planner *pl, const struct atom *a, enum reach reach,
                              uint32_t premise)
{
    uint32_t count = 0;
    struct column *cols = mgi_planner_take(pl, a->count, sizeof *cols);
    struct look *look = cols ? split_columns(pl, a, premise, cols, &count) : NULL;
    if (!look)
        return NULL;
    look->reach = reach;
    look->whole = count == a->count;
    if (look->whole || (reach == REACH_NEW && pl->code->op_count == 0)) {
        uint32_t *regs = mgi_planner_take(pl, count, sizeof *regs);
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

uint32_t mgi_place_scan(struct planner *pl, uint32_t premise)
{
    struct look *look =
        make_look(pl, &pl->c->premises[premise].atom, reach_of(pl, premise), premise);
    struct op *op = look ? mgi_planner_op(pl, OP_SCAN, premise) : NULL;
    if (!op)
        return NO_OP;
    op->look = look;
    bind_all(pl, look);
    return (uint32_t)(pl->code->op_count - 1);
}

/* ---- calls of deferred predicates ------------------------------------------------------------ */

/* The register of an input, or an evaluation error where it has no value (M-EVAL-7). */
static uint32_t input_reg(struct planner *pl, const struct look *look, const struct term *t,
                          uint32_t column, uint32_t premise)
{
    for (uint32_t i = 0; i < look->test_count; i++)
        if (look->tests[i].column == column)
            return look->tests[i].reg;
    struct op *op = mgi_planner_op(pl, OP_UNBOUND, premise);
    if (op)
        op->a = t->var;
    return t->var;
}

void mgi_place_deferred(struct planner *pl, uint32_t premise)
{
    const struct premise *m = &pl->c->premises[premise];
    const struct atom *a = &m->atom;
    const bool *input = pl->p->preds[a->pred].input;
    uint32_t count = 0, inputs = 0;
    uint32_t *args = mgi_planner_take(pl, a->count, sizeof *args);
    struct column *cols = mgi_planner_take(pl, a->count, sizeof *cols);
    struct look *look = args && cols ? split_columns(pl, a, premise, cols, &count) : NULL;
    if (!look)
        return;
    look->tests = cols;
    look->test_count = count;
    for (uint32_t i = 0; i < a->count; i++)
        if (input[i])
            args[inputs++] = input_reg(pl, look, &a->args[i], i, premise);
    struct op *op = mgi_planner_op(pl, OP_DEFERRED, premise);
    if (!op)
        return;
    op->look = look;
    op->negated = m->negated;
    op->args = args;
    op->arg_count = inputs;
    op->before = pl->deferred;
    pl->deferred = (uint32_t)(pl->code->op_count - 1);
    if (!m->negated)
        bind_all(pl, look);
}

/* ---- requests to the host -------------------------------------------------------------------- */

/* Does the atom speak of an output of the external atom `asked`? Fills the columns. */
static bool restricts(const struct planner *pl, const struct atom *a, const struct atom *asked,
                      uint32_t *columns)
{
    const bool *input = pl->p->preds[asked->pred].input;
    bool any = false;
    for (uint32_t i = 0; i < a->count; i++) {
        columns[i] = MANGLE_NO_COLUMN;
        if (a->args[i].kind != TERM_VAR || mgi_planner_wildcard(pl, &a->args[i]))
            continue;
        for (uint32_t c = asked->count; c-- > 0;)
            if (!input[c] && asked->args[c].kind == TERM_VAR &&
                asked->args[c].var == a->args[i].var)
                columns[i] = c;
        any |= columns[i] != MANGLE_NO_COLUMN;
    }
    return any;
}

/* Registers of what is known of an atom's arguments; expressions are not worked out for this. */
static void known_regs(struct planner *pl, const struct atom *a, uint32_t *regs, uint32_t premise)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const struct term *t = &a->args[i];
        bool known = t->kind != TERM_APPLY && mgi_planner_known(pl, t);
        regs[i] = known ? mgi_planner_operand(pl, t, premise) : NO_REG;
    }
}

static void push_atoms(struct planner *pl, struct asks *asks, uint32_t premise)
{
    const struct clause *c = pl->c;
    asks->pushed = mgi_planner_take(pl, c->premise_count, sizeof *asks->pushed);
    for (uint32_t i = 0; asks->pushed && i < c->premise_count; i++) {
        const struct premise *m = &c->premises[i];
        if (i == premise || m->kind != PREMISE_ATOM || m->negated)
            continue;
        struct pushed *pushed = &asks->pushed[asks->pushed_count];
        pushed->pred = m->atom.pred;
        pushed->args = mgi_planner_take(pl, m->atom.count, sizeof *pushed->args);
        pushed->columns = mgi_planner_take(pl, m->atom.count, sizeof *pushed->columns);
        if (pl->oom || !restricts(pl, &m->atom, &c->premises[premise].atom, pushed->columns))
            continue;
        known_regs(pl, &m->atom, pushed->args, premise);
        asks->pushed_count++;
        asks->pushed_words += m->atom.count;
    }
}

/* What was pushed belongs to the request: the host may leave out what does not match it. */
static void number_asks(struct planner *pl, struct asks *asks, uint32_t words)
{
    struct plan *plan = pl->plan;
    if (!mgi_arena_grow(plan->arena, &plan->pushing, &plan->pushing_cap, plan->pushing_count + 1,
                        sizeof *plan->pushing)) {
        pl->oom = true;
        return;
    }
    asks->number = (uint32_t)plan->pushing_count;
    plan->pushing[plan->pushing_count++] = words;
    if (words > plan->words_max)
        plan->words_max = words;
}

void mgi_place_ask(struct planner *pl, uint32_t premise)
{
    const struct atom *a = &pl->c->premises[premise].atom;
    const struct pred *pred = &pl->p->preds[a->pred];
    struct asks *asks = mgi_planner_take(pl, 1, sizeof *asks);
    uint32_t *args = mgi_planner_take(pl, a->count, sizeof *args);
    if (!asks || !args)
        return;
    asks->pred = a->pred;
    asks->args = args;
    for (uint32_t i = 0; i < a->count; i++) {
        args[i] = NO_REG;
        if (mgi_planner_known(pl, &a->args[i])) {
            args[i] = mgi_planner_operand(pl, &a->args[i], premise);
            continue;
        }
        struct op *op = pred->input[i] ? mgi_planner_op(pl, OP_UNBOUND, premise) : NULL;
        if (op) {
            op->a = a->args[i].var;
            op->input = true;
        }
    }
    if (pred->external->wants_pushdown)
        push_atoms(pl, asks, premise);
    if (asks->pushed_count && !pl->oom)
        number_asks(pl, asks, a->count + asks->pushed_words);
    struct op *op = mgi_planner_op(pl, OP_ASK, premise);
    if (!op)
        return;
    op->asks = asks;
    pl->code->asks = true;
}

/* ---- intervals ------------------------------------------------------------------------------ */

struct bound mgi_planner_bound(const struct planner *pl, const struct time_bound *b)
{
    struct bound out = { .kind = b->kind, .ns = b->ns, .reg = b->var };
    if (b->kind == BOUND_VAR)
        out.free = !pl->bound[b->var];
    return out;
}

static void place_instant(struct planner *pl, const struct time_bound *b, bool window,
                          uint32_t premise)
{
    if (b->kind != BOUND_VAR || !pl->bound[b->var])
        return;
    struct op *op = mgi_planner_op(pl, OP_INSTANT, premise);
    if (op) {
        op->a = b->var;
        op->window = window;
    }
}

/* What earlier premises gave to interval variables is looked at before any row: the error must not
 * depend on which rows there are (M-EVAL-14). A goal is proved of what held. */
void mgi_place_instants(struct planner *pl, uint32_t premise)
{
    const struct premise *m = &pl->c->premises[premise];
    if (m->kind != PREMISE_TEMPORAL || pl->kind == CODE_GOAL || pl->kind == CODE_WHY)
        return;
    if (m->window != WINDOW_NONE) {
        place_instant(pl, &m->near, true, premise);
        place_instant(pl, &m->far, true, premise);
    }
    if (m->annotation.present) {
        place_instant(pl, &m->annotation.start, false, premise);
        place_instant(pl, &m->annotation.end, false, premise);
    }
}

static void check_window_bound(struct planner *pl, const struct bound *b, uint32_t premise)
{
    struct op *op;
    if (b->kind == BOUND_VAR && b->free && (op = mgi_planner_op(pl, OP_UNBOUND, premise)))
        op->a = b->reg;
}

/* The interval part of a premise: what is fixed, what is bound by it (M-TEMP-30 to 34, 50 to 55).
 */
static struct spans *make_spans(struct planner *pl, uint32_t premise)
{
    const struct premise *m = &pl->c->premises[premise];
    struct spans *s = mgi_planner_take(pl, 1, sizeof *s);
    if (!s)
        return NULL;
    s->scan = NO_OP;
    s->start_reg = s->end_reg = NO_REG;
    s->window = m->window;
    if (m->window != WINDOW_NONE) {
        s->near = mgi_planner_bound(pl, &m->near);
        s->far = mgi_planner_bound(pl, &m->far);
        if (s->near.kind == BOUND_OPEN && s->far.kind == BOUND_OPEN) { /* ever (M-TEMP-50) */
            s->near = (struct bound){ .kind = BOUND_TIME, .ns = MANGLE_MIN_TIME };
            s->far = (struct bound){ .kind = BOUND_TIME, .ns = MANGLE_MAX_TIME };
        }
        check_window_bound(pl, &s->near, premise);
        check_window_bound(pl, &s->far, premise);
    }
    s->annotated = m->annotation.present;
    if (s->annotated) {
        s->start = mgi_planner_bound(pl, &m->annotation.start);
        s->end = mgi_planner_bound(pl, &m->annotation.end);
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

void mgi_place_spans(struct planner *pl, uint32_t premise, uint32_t scan)
{
    struct spans *s = make_spans(pl, premise);
    struct op *op = s ? mgi_planner_op(pl, OP_SPAN, premise) : NULL;
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

void mgi_place_absent(struct planner *pl, uint32_t premise)
{
    const struct premise *m = &pl->c->premises[premise];
    struct look *look = make_look(pl, &m->atom, REACH_ALL, premise);
    struct spans *spans = NULL;
    if (m->kind == PREMISE_TEMPORAL) {
        spans = make_spans(pl, premise);
        if (spans)
            spans->start_reg = spans->end_reg = NO_REG;
    }
    struct op *op = mgi_planner_op(pl, OP_ABSENT, premise);
    if (!op)
        return;
    op->look = look;
    op->spans = spans;
}

/* ---- other premises ------------------------------------------------------------------------- */

void mgi_place_pair(struct planner *pl, enum op_kind kind, uint32_t a, uint32_t b, uint32_t premise)
{
    struct op *op = mgi_planner_op(pl, kind, premise);
    if (op) {
        op->a = a;
        op->b = b;
    }
}

void mgi_place_equal(struct planner *pl, uint32_t premise)
{
    const struct premise *m = &pl->c->premises[premise];
    const struct term *var = &m->left, *other = &m->right;
    if (mgi_planner_known(pl, var)) { /* a new variable, if there is one, on the left */
        const struct term *swap = var;
        var = other;
        other = swap;
    }
    if (mgi_planner_known(pl, var)) {
        uint32_t b = mgi_planner_operand(pl, &m->left, premise),
                 a = mgi_planner_operand(pl, &m->right, premise);
        mgi_place_pair(pl, OP_EQ, a, b, premise);
        return;
    }
    if (!mgi_planner_known(pl, other)) {
        mgi_place_pair(pl, OP_NEVER, 0, 0, premise);
        return;
    }
    uint32_t from = mgi_planner_operand(pl, other, premise);
    if (other->kind == TERM_APPLY && !pl->oom)
        pl->code->ops[pl->code->op_count - 1].a = var->var; /* the call writes it */
    else
        mgi_place_pair(pl, OP_COPY, from, var->var, premise);
    pl->bound[var->var] = true;
}

void mgi_place_unequal(struct planner *pl, uint32_t premise)
{
    const struct premise *m = &pl->c->premises[premise];
    if (!mgi_planner_known(pl, &m->left) || !mgi_planner_known(pl, &m->right)) {
        mgi_place_pair(pl, OP_NEVER, 0, 0, premise); /* M-EVAL-10 */
        return;
    }
    uint32_t a = mgi_planner_operand(pl, &m->left, premise),
             b = mgi_planner_operand(pl, &m->right, premise);
    mgi_place_pair(pl, OP_NE, a, b, premise);
}

void mgi_place_builtin(struct planner *pl, uint32_t premise)
{
    const struct premise *m = &pl->c->premises[premise];
    const struct atom *a = &m->atom;
    uint32_t outs[BUILTIN_MAX_PRED_ARGS], tests[BUILTIN_MAX_PRED_ARGS];
    uint32_t *args = mgi_planner_take(pl, BUILTIN_MAX_PRED_ARGS, sizeof *args);
    if (!args)
        return;
    for (uint32_t i = 0; i < BUILTIN_MAX_PRED_ARGS; i++)
        args[i] = outs[i] = tests[i] = NO_REG;
    for (uint32_t i = 0; i < a->count; i++) {
        const struct term *t = &a->args[i];
        if (a->builtin->modes[i] == MODE_IN) {
            args[i] = mgi_planner_operand(pl, t, premise);
        } else if (mgi_planner_known(pl, t)) {
            tests[i] = mgi_planner_operand(pl, t, premise);
        } else if (!mgi_planner_wildcard(pl, t)) {
            bool again = false;
            for (uint32_t j = 0; j < i; j++)
                again |= outs[j] == t->var;
            *(again ? &tests[i] : &outs[i]) = t->var;
        }
    }
    struct op *op = mgi_planner_op(pl, OP_BUILTIN, premise);
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
