/* Rules that have no head twice: rows of relations are different, so solutions are, and if a head
 * says all that its solution has chosen, heads are different, too. Whoever puts them into an empty
 * relation need not look whether they are there (run/eval_queue.c). */
#include "mangle/plan/plan_int.h"

/* Backwards over copies: what must have which value for the head to be what it is. */
static void follow_copies(const struct code *code, bool *said)
{
    for (size_t i = code->op_count; i-- > 0;) {
        const struct op *op = &code->ops[i];
        if (op->kind == OP_COPY && said[op->b])
            said[op->a] = true;
        if (op->kind == OP_EQ && (said[op->a] || said[op->b]))
            said[op->a] = said[op->b] = true;
    }
}

/* A row of it is known from the head, or it adds no second solution. */
static bool is_said(const struct planner *pl, const struct op *op, const bool *said)
{
    const struct look *look = op->look;
    if (look->whole || op->once)
        return true;
    uint32_t columns = look->key_count + look->test_count + look->bind_count + look->repeat_count;
    if (columns != pl->p->preds[look->pred].arity || look->lattice)
        return false;
    for (uint32_t i = 0; i < look->bind_count; i++)
        if (!said[look->binds[i].reg])
            return false;
    return true;
}

static bool adds_nothing(const struct planner *pl, const struct op *op, const bool *said)
{
    switch (op->kind) {
    case OP_SCAN:
        return !pl->p->preds[op->look->pred].temporal && is_said(pl, op, said);
    case OP_BUILTIN:
        return op->negated || op->builtin->single;
    case OP_INSTANT:
    case OP_ABSENT:
    case OP_CALL:
    case OP_COPY:
    case OP_EQ:
    case OP_NE:
    case OP_NEVER:
    case OP_UNBOUND:
    case OP_REDUCE:
    case OP_EMIT:
        return true;
    default:
        return false;
    }
}

bool mgi_code_is_distinct(struct planner *pl)
{
    const struct code *code = pl->code;
    const struct rule *rule = pl->rule;
    if (code->op_count == 0 || rule->annotated || rule->deferred ||
        pl->p->preds[rule->head].lattice || code->ops[code->op_count - 1].kind != OP_EMIT)
        return false;
    bool *said = mgi_planner_take(pl, code->reg_count, sizeof *said);
    if (!said)
        return false;
    const struct op *end = &code->ops[code->op_count - 1];
    for (uint32_t i = 0; i < end->arg_count; i++)
        said[end->args[i]] = true;
    follow_copies(code, said);
    for (uint32_t i = 0; rule->is_do && i < rule->key_count; i++)
        if (!said[rule->key_regs[i]])
            return false;
    for (size_t i = 0; i < code->op_count; i++)
        if (!adds_nothing(pl, &code->ops[i], said))
            return false;
    return true;
}
