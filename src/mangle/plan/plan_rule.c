/* One rule becomes one code: its premises in the order that plan_order.c finds, its end, and what
 * makes a row of a do-rule. */
#include <string.h>

#include "mangle/plan/plan_int.h"

/* ---- premises -------------------------------------------------------------------------------- */

static void place(struct planner *pl, uint32_t i)
{
    const struct premise *m = &pl->c->premises[i];
    pl->placed[i] = true;
    switch (m->kind) {
    case PREMISE_EQ:
        mgi_place_equal(pl, i);
        return;
    case PREMISE_NE:
        mgi_place_unequal(pl, i);
        return;
    case PREMISE_BUILTIN:
        mgi_place_builtin(pl, i);
        return;
    case PREMISE_ATOM:
    case PREMISE_TEMPORAL:
        break;
    }
    if (mgi_premise_is_deferred(pl, m)) {
        mgi_place_deferred(pl, i);
        return;
    }
    /* News are there, and so is what a proof rests on. */
    if (mgi_premise_is_external(pl, m) && i != pl->delta && pl->kind != CODE_GOAL &&
        pl->kind != CODE_WHY)
        mgi_place_ask(pl, i);
    mgi_place_instants(pl, i);
    if (m->negated) {
        mgi_place_absent(pl, i);
        return;
    }
    uint32_t scan = pl->scan_of[i] != NO_OP ? pl->scan_of[i] : mgi_place_scan(pl, i);
    if (m->kind == PREMISE_TEMPORAL && !pl->oom)
        mgi_place_spans(pl, i, scan);
}

static bool annotates_with(const struct premise *m, uint32_t var)
{
    if (!mgi_premise_has_interval_vars(m))
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
    if (mgi_premise_calls(m))
        return false;
    for (uint32_t j = 0; j < i; j++)
        for (uint32_t a = 0; a < m->atom.count; a++)
            if (m->atom.args[a].kind == TERM_VAR &&
                annotates_with(&pl->c->premises[j], m->atom.args[a].var))
                return false;
    return true;
}

/* Of a family: what no member asks for ends as soon as that can be known. */
static void place_among(struct planner *pl)
{
    const struct family *f = pl->rule->family;
    if (pl->among || pl->oom || !f || pl->rule != &f->shared || f->param_count == 0)
        return;
    for (uint32_t i = 0; i < f->param_count; i++)
        if (!mgi_planner_known(pl, &pl->c->head.args[i]))
            return;
    uint32_t *args = mgi_planner_take(pl, f->param_count, sizeof *args);
    struct op *op = mgi_planner_op(pl, OP_AMONG, pl->c->premise_count);
    if (!args || !op)
        return;
    for (uint32_t i = 0; i < f->param_count; i++)
        args[i] = pl->c->head.args[i].var;
    op->args = args;
    op->arg_count = f->param_count;
    pl->among = true;
}

static void place_premises(struct planner *pl)
{
    if (pl->delta != UINT32_MAX && !pl->later && may_go_first(pl, pl->delta)) {
        if (mgi_premise_has_interval_vars(&pl->c->premises[pl->delta]))
            pl->scan_of[pl->delta] =
                mgi_place_scan(pl, pl->delta); /* its intervals wait their turn */
        else
            place(pl, pl->delta);
        place_among(pl);
    }
    if (pl->rule->asks_for && pl->kind == CODE_FULL)
        place(pl, 0); /* few, by construction (demand_rules.c) */
    mgi_order_begin(pl);
    for (uint32_t i; !pl->oom && (i = mgi_order_next(pl)) != UINT32_MAX;) {
        place(pl, i);
        place_among(pl);
        mgi_order_placed(pl, i);
    }
}

/* ---- the end of a code ---------------------------------------------------------------------- */

static void place_let(struct planner *pl, const struct let *let)
{
    uint32_t at = pl->c->premise_count;
    uint32_t reg = mgi_planner_operand(pl, &let->term, at);
    if (pl->oom)
        return;
    if (let->term.kind == TERM_APPLY)
        pl->code->ops[pl->code->op_count - 1].a = let->var;
    else
        mgi_place_pair(pl, OP_COPY, reg, let->var, at);
    pl->bound[let->var] = true;
}

static void place_head(struct planner *pl)
{
    const struct atom *head = &pl->c->head;
    uint32_t at = pl->c->premise_count;
    uint32_t *args = mgi_planner_take(pl, head->count, sizeof *args);
    for (uint32_t i = 0; args && i < head->count; i++)
        args[i] = mgi_planner_operand(pl, &head->args[i], at);
    struct op *op = mgi_planner_op(pl, OP_EMIT, at);
    if (!op)
        return;
    op->args = args;
    op->arg_count = head->count;
    op->before = pl->deferred;
}

static void place_row(struct planner *pl)
{
    struct op *op = mgi_planner_op(pl, OP_ROW, pl->c->premise_count);
    if (!op)
        return;
    op->args = pl->rule->row_regs;
    op->arg_count = pl->rule->row_count;
}

/* Of a deferred rule: a head column that the call gives. */
static bool is_input(const struct planner *pl, uint32_t column)
{
    return pl->rule->deferred && pl->p->preds[pl->rule->head].input[column];
}

/* ---- what makes a row of a do-rule (M-AGG-5) ----------------------------------------------- */

static bool is_positive_atom(const struct premise *m)
{
    return (m->kind == PREMISE_ATOM || m->kind == PREMISE_TEMPORAL) && !m->negated;
}

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
    if (t->kind == TERM_VAR && pl->bound[t->var] && (pl->wildcards || !mgi_planner_wildcard(pl, t)))
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
    rule->row_regs = mgi_planner_take(pl, (size_t)c->var_count + 2, sizeof *rule->row_regs);
    if (!rule->row_regs)
        return;
    for (uint32_t i = 0; rule->deferred && i < c->head.count;
         i++) /* inputs, the same in each row */
        if (is_input(pl, i))
            add_row_term(pl, &c->head.args[i]);
    for (uint32_t i = 0; i < c->premise_count; i++) {
        const struct premise *m = mgi_premise_written(c, i);
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

/* ---- public --------------------------------------------------------------------------------- */

static bool code_begin(struct planner *pl, struct code *code)
{
    const struct clause *c = pl->c;
    *code = (struct code){ .rule = pl->rule, .reg_count = c->var_count, .delta = MANGLE_NO_PRED };
    pl->code = code;
    pl->deferred = NO_OP;
    pl->bound = mgi_planner_take(pl, c->var_count, sizeof *pl->bound);
    pl->placed = mgi_planner_take(pl, c->premise_count, sizeof *pl->placed);
    pl->scan_of = mgi_planner_take(pl, c->premise_count, sizeof *pl->scan_of);
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

/* An input whose value the rule states already, by a constant or a variable that stands twice: the
 * rule is for other calls if they differ, and nothing of its body is evaluated (M-EXT-21). */
static void test_input(struct planner *pl, uint32_t column)
{
    struct code *code = pl->code;
    uint32_t given = code->reg_count++;
    code->given[code->given_count++] = (struct column){ column, given };
    uint32_t stated = mgi_planner_operand(pl, &pl->c->head.args[column], 0);
    mgi_place_pair(pl, OP_EQ, given, stated, 0);
}

/* The inputs of a call are known from the start. */
static void give_inputs(struct planner *pl)
{
    const struct atom *head = &pl->c->head;
    struct code *code = pl->code;
    code->given = mgi_planner_take(pl, head->count, sizeof *code->given);
    for (uint32_t i = 0; code->given && i < head->count; i++) {
        const struct term *t = &head->args[i];
        if (!is_input(pl, i) || t->kind == TERM_APPLY ||
            (t->kind == TERM_VAR && is_let_var(pl->c, t->var)))
            continue;
        if (mgi_planner_known(pl, t)) {
            test_input(pl, i);
            continue;
        }
        pl->bound[t->var] = true;
        code->given[code->given_count++] = (struct column){ i, t->var };
    }
}

/* Head variables are known from the start, except where knowing them would change the meaning of an
 * annotation from "bind" to "contain". `goal` NULL: all of them. */
static void give_head(struct planner *pl, const mangle_value *goal)
{
    const struct atom *head = &pl->c->head;
    struct code *code = pl->code;
    code->given = mgi_planner_take(pl, head->count, sizeof *code->given);
    for (uint32_t i = 0; code->given && i < head->count; i++) {
        if (head->args[i].kind != TERM_VAR || pl->bound[head->args[i].var] ||
            (goal && goal[i] == MANGLE_NONE))
            continue;
        uint32_t var = head->args[i].var;
        bool interval = is_let_var(pl->c, var);
        for (uint32_t m = 0; m < pl->c->premise_count; m++)
            interval |= !is_input(pl, i) && annotates_with(&pl->c->premises[m], var);
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
        rule->start = mgi_planner_bound(pl, &a->start);
        rule->end = mgi_planner_bound(pl, &a->end);
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

static struct code *plan_code(const mangle_program *p, struct plan *plan, struct rule *rule,
                              enum code_kind kind, uint32_t premise, bool later)
{
    struct planner pl = {
        .p = p, .arena = plan->arena, .plan = plan, .rule = rule, .c = rule->clause, .kind = kind
    };
    pl.later = later;
    if (kind == CODE_GUARDED) {
        pl.c = rule->guarded_clause;
        pl.kind = kind = CODE_DELTA;
    }
    struct code *code = mgi_planner_take(&pl, 1, sizeof *code);
    if (!code || !code_begin(&pl, code))
        return NULL;
    pl.delta = kind == CODE_DELTA ? premise : UINT32_MAX;
    pl.wildcards = rule->is_do && is_single_atom(pl.c);
    if (kind == CODE_DELTA) {
        code->delta = pl.c->premises[premise].atom.pred;
        code->delta_component = p->preds[code->delta].stratum == rule->stratum;
    }
    if (kind == CODE_GOAL)
        give_head(&pl, NULL);
    else if (rule->deferred)
        give_inputs(&pl);
    place_premises(&pl);
    place_end(&pl);
    if (pl.oom)
        return NULL;
    mgi_code_times(&pl);
    if (pl.oom)
        return NULL;
    mgi_code_needed(&pl);
    if (pl.oom)
        return NULL;
    mgi_code_link(code);
    if (kind != CODE_GOAL)
        mgi_code_one_witness(&pl);
    if (kind != CODE_GOAL && !pl.oom)
        mgi_code_fuse(&pl);
    if (kind != CODE_GOAL && !pl.oom)
        mgi_code_broad(&pl);
    return pl.oom ? NULL : code;
}

struct code *mgi_plan_code(const mangle_program *p, struct plan *plan, struct rule *rule,
                           enum code_kind kind, uint32_t premise)
{
    return plan_code(p, plan, rule, kind, premise, false);
}

#define ATOMS_MIN 3 /* of two, each is as good a start as the other */

struct code *mgi_plan_later(const mangle_program *p, struct plan *plan, struct rule *rule,
                            uint32_t premise, bool *oom)
{
    uint32_t atoms = 0;
    for (uint32_t i = 0; i < rule->clause->premise_count; i++)
        atoms += is_positive_atom(&rule->clause->premises[i]);
    if (atoms < ATOMS_MIN || p->preds[rule->clause->premises[premise].atom.pred].changeable)
        return NULL;
    struct code *code = plan_code(p, plan, rule, CODE_DELTA, premise, true);
    *oom |= !code;
    bool useful = code && code->sure + 1 >= code->op_count && code->ops[0].kind == OP_SCAN &&
                  code->ops[0].look->reach != REACH_NEW;
    return useful ? code : NULL;
}

struct code *mgi_plan_why(const mangle_program *p, struct arena *arena, const struct rule *rule,
                          const mangle_value *goal)
{
    struct planner pl = {
        .p = p, .arena = arena, .plan = p->plan, .c = rule->clause, .kind = CODE_WHY
    };
    struct rule *copy = mgi_planner_take(&pl, 1, sizeof *copy);
    struct code *code = mgi_planner_take(&pl, 1, sizeof *code);
    if (!copy || !code)
        return NULL;
    *copy = *rule;
    pl.rule = copy;
    pl.delta = UINT32_MAX;
    pl.wildcards = rule->is_do && is_single_atom(pl.c);
    if (!code_begin(&pl, code))
        return NULL;
    give_head(&pl, goal);
    place_premises(&pl);
    place_end(&pl);
    if (pl.oom)
        return NULL;
    mgi_code_needed(&pl);
    mgi_code_link(code);
    return pl.oom ? NULL : code;
}

/* A reducer's arguments, computed for one row; NULL if they are variables. */
static struct code *plan_each(struct planner *pl, const struct term *t, uint32_t *args)
{
    bool calls = false;
    for (uint32_t i = 0; i < t->apply.count; i++)
        calls |= t->apply.args[i].kind == TERM_APPLY;
    struct code *outer = pl->code, *each = NULL;
    if (calls) {
        each = mgi_planner_take(pl, 1, sizeof *each);
        if (!each)
            return NULL;
        *each = (struct code){ .rule = pl->rule, .reg_count = outer->reg_count };
        pl->code = each;
    }
    for (uint32_t i = 0; i < t->apply.count; i++)
        args[i] = mgi_planner_operand(pl, &t->apply.args[i], pl->c->premise_count);
    pl->code = outer;
    if (each) { /* temporaries of the outer code must not be overwritten */
        if (each->reg_count > outer->reg_count)
            outer->reg_count = each->reg_count;
        mgi_code_link(each);
    }
    return each;
}

/* One atom with a variable of its own in every column: its rows are distinct, and in the form that
 * rows of do-rules have. */
static bool rows_are_stored(const mangle_program *p, const struct rule *rule)
{
    const struct code *code = rule->full;
    if (rule->deferred || code->op_count != 2 || code->ops[0].kind != OP_SCAN)
        return false;
    const struct look *look = code->ops[0].look;
    const struct pred *pred = &p->preds[look->pred];
    if (pred->temporal || pred->lattice || look->bind_count != pred->arity ||
        look->bind_count != rule->row_count || look->bind_count == 0)
        return false;
    for (uint32_t i = 0; i < look->bind_count; i++)
        if (look->binds[i].column != i || look->binds[i].reg != rule->row_regs[i])
            return false;
    return true;
}

static bool is_row_reg(const struct rule *rule, uint32_t reg)
{
    for (uint32_t i = 0; i < rule->row_count; i++)
        if (rule->row_regs[i] == reg)
            return true;
    return false;
}

static bool can_fold(const struct rule *rule, const struct op *reduce)
{
    if (reduce->each || reduce->function->fold == FOLD_NONE)
        return false;
    for (uint32_t i = 0; i < reduce->arg_count; i++)
        if (!is_row_reg(rule, reduce->args[i]))
            return false;
    return true;
}

static void plan_folds(const mangle_program *p, struct rule *rule, struct code *tail)
{
    rule->rows_are_stored = rows_are_stored(p, rule);
    rule->folds = rule->rows_are_stored && !rule->row_order;
    for (size_t i = 0; i < tail->op_count; i++) {
        if (tail->ops[i].kind != OP_REDUCE)
            continue;
        rule->folds &= can_fold(rule, &tail->ops[i]);
        tail->ops[i].fold = rule->fold_count++;
    }
}

static void place_reduce(struct planner *pl, const struct let *let)
{
    const struct term *t = &let->term;
    uint32_t *args = mgi_planner_take(pl, t->apply.count, sizeof *args);
    if (!args)
        return;
    struct code *each = plan_each(pl, t, args);
    struct op *op = mgi_planner_op(pl, OP_REDUCE, pl->c->premise_count);
    if (!op)
        return;
    pl->rule->row_order |= !t->apply.row->any_order;
    op->function = t->apply.row;
    op->args = args;
    op->arg_count = t->apply.count;
    op->a = let->var;
    op->each = each;
    pl->bound[let->var] = true;
}

struct code *mgi_plan_tail(const mangle_program *p, struct plan *plan, struct rule *rule)
{
    struct planner pl = {
        .p = p, .arena = plan->arena, .plan = plan, .rule = rule, .c = rule->clause
    };
    struct code *code = mgi_planner_take(&pl, 1, sizeof *code);
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
    plan_folds(p, rule, code);
    mgi_code_link(code);
    return code;
}
