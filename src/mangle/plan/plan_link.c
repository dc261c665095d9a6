/* What later operations need of earlier ones, and where to go on without a solution. */
#include "mangle/plan/plan_int.h"

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
    for (uint32_t i = 0; i < s->narrow_count; i++)
        use(live, s->narrows[i].reg);
}

/* Does nothing later read what this operation finds? (Asked before its own uses are counted.) */
static bool is_dead(const struct op *op, const bool *live)
{
    switch (op->kind) {
    case OP_SCAN:
    case OP_DEFERRED:
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

static void use_asks(bool *live, const mangle_program *p, const struct asks *asks)
{
    for (uint32_t i = 0; i < p->preds[asks->pred].arity; i++)
        use(live, asks->args[i]);
    for (uint32_t n = 0; n < asks->pushed_count; n++)
        for (uint32_t i = 0; i < p->preds[asks->pushed[n].pred].arity; i++)
            use(live, asks->pushed[n].args[i]);
}

static void use_op(bool *live, struct op *op, bool keep)
{
    if (op->look)
        use_look(live, op->look, keep || op->kind == OP_ABSENT);
    if (op->spans)
        use_spans(live, op->spans, keep);
    if (op->kind == OP_COPY || op->kind == OP_EQ || op->kind == OP_NE || op->kind == OP_INSTANT)
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
void mgi_code_needed(struct planner *pl)
{
    struct code *code = pl->code;
    bool goal = pl->kind == CODE_GOAL, keep = goal || pl->kind == CODE_WHY; /* to be shown */
    bool *live = mgi_planner_take(pl, code->reg_count, sizeof *live);
    if (!live)
        return;
    if (pl->rule->annotated && !pl->rule->is_do) {
        use_bound(live, &pl->rule->start);
        use_bound(live, &pl->rule->end);
    }
    for (size_t i = code->op_count; i-- > 0;) {
        struct op *op = &code->ops[i];
        op->once = !goal && is_dead(op, live);
        use_op(live, op, keep);
        if (op->asks)
            use_asks(live, pl->p, op->asks);
    }
}

/* Rows whose intervals are looked at elsewhere than right behind them: the row matters. */
static void mark_apart(struct code *code)
{
    for (uint32_t i = 0; i < code->op_count; i++)
        if (code->ops[i].kind == OP_SPAN && code->ops[i].spans->scan + 1 < i)
            code->ops[code->ops[i].spans->scan].apart = true;
}

static bool is_sure(const struct op *op)
{
    switch (op->kind) {
    case OP_SCAN:
    case OP_AMONG:
    case OP_COPY:
    case OP_EQ:
    case OP_NE:
    case OP_NEVER:
        return true;
    case OP_ABSENT:
        return !op->spans || op->cannot_fail;
    case OP_INSTANT:
    case OP_SPAN:
    case OP_BUILTIN:
        return op->cannot_fail;
    default:
        return false;
    }
}

void mgi_code_link(struct code *code)
{
    uint32_t resume = NO_OP;
    mark_apart(code);
    while (code->sure < code->op_count && is_sure(&code->ops[code->sure]))
        code->sure++;
    for (uint32_t i = 0; i < code->op_count; i++) {
        struct op *op = &code->ops[i];
        op->fail = resume;
        bool spanned = i + 1 < code->op_count && code->ops[i + 1].kind == OP_SPAN &&
                       code->ops[i + 1].spans->scan == i;
        switch (op->kind) {
        case OP_SCAN:
            if (!op->look->whole && (!op->once || spanned || op->apart))
                resume = i;
            break;
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
        case OP_DEFERRED:
            if (!op->negated && !op->once)
                resume = i;
            break;
        default:
            break;
        }
    }
}

/* ---- no more than one witness ---------------------------------------------------------------- */

static bool defines(const struct op *op, const bool *head)
{
    if (op->kind == OP_COPY)
        return head[op->b];
    if (op->kind == OP_SPAN)
        return (op->spans->start_reg != NO_REG && head[op->spans->start_reg]) ||
               (op->spans->end_reg != NO_REG && head[op->spans->end_reg]);
    for (uint32_t i = 0; op->kind == OP_BUILTIN && i < BUILTIN_MAX_PRED_ARGS; i++)
        if (op->outs[i] != NO_REG && head[op->outs[i]])
            return true;
    for (uint32_t i = 0; op->kind == OP_SCAN && i < op->look->bind_count; i++)
        if (head[op->look->binds[i].reg])
            return true;
    return false;
}

/* Behind the last operation that defines a register of the head, one solution is as good as all of
 * them: the head is out, and the next one begins there. Not where an operation could fail or ask,
 * for that it has to be run with everything. */
void mgi_code_one_witness(struct planner *pl)
{
    struct code *code = pl->code;
    bool *head = mgi_planner_take(pl, code->reg_count, sizeof *head);
    if (!head || code->op_count == 0)
        return;
    struct op *end = &code->ops[code->op_count - 1];
    for (uint32_t i = 0; i < end->arg_count; i++)
        head[end->args[i]] = true;
    if (pl->rule->annotated && !pl->rule->is_do) {
        use_bound(head, &pl->rule->start);
        use_bound(head, &pl->rule->end);
    }
    size_t from = code->op_count - 1;
    while (from > 0 && is_sure(&code->ops[from - 1]) && !defines(&code->ops[from - 1], head))
        from--;
    end->fail = code->ops[from].fail;
}
