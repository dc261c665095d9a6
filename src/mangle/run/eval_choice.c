/* Solutions of which only some are wanted: those that a `worth` lets through, asked at each
 * interval (eval.h). An atom none of whose intervals is worth it will have none either until
 * something else is looked for, so what found its keys goes on, not what was found since: two
 * windows over n facts each take about 2 n steps, not n squared, if one of them decides. */
#include "mangle/run/eval.h"

struct used { /* the registers that decide what an atom finds, and which of its intervals count */
    const struct look *look;
    const struct spans *spans;
};

static bool is_bound_by(const struct bound *b, uint32_t reg)
{
    return b->kind == BOUND_VAR && !b->free && b->reg == reg;
}

static bool is_used(const struct used *u, uint32_t reg)
{
    const struct spans *s = u->spans;
    for (uint32_t i = 0; i < u->look->key_count; i++)
        if (u->look->key[i] == reg)
            return true;
    for (uint32_t i = 0; i < u->look->test_count; i++)
        if (u->look->tests[i].reg == reg)
            return true;
    for (uint32_t i = 0; i < s->narrow_count; i++)
        if (s->narrows[i].reg == reg)
            return true;
    if (s->window != WINDOW_NONE && (is_bound_by(&s->near, reg) || is_bound_by(&s->far, reg)))
        return true;
    return s->annotated && (is_bound_by(&s->start, reg) || is_bound_by(&s->end, reg));
}

/* What it binds decides; or nobody looked closely enough. */
static bool decides(const struct op *op, const struct used *u)
{
    switch (op->kind) {
    case OP_SCAN:
        for (uint32_t i = 0; i < op->look->bind_count; i++)
            if (is_used(u, op->look->binds[i].reg))
                return true;
        return false;
    case OP_SPAN:
        return is_used(u, op->spans->start_reg) || is_used(u, op->spans->end_reg);
    case OP_INSTANT:
    case OP_ABSENT:
    case OP_EQ:
    case OP_NE:
        return false;
    default:
        return true;
    }
}

/* Where to go on when the scan has nothing for what its registers hold. */
static uint32_t back_from(const struct code *code, uint32_t scan)
{
    struct used u = { code->ops[scan].look, code->ops[scan + 1].spans };
    uint32_t at = scan;
    while (at > 0 && !decides(&code->ops[at - 1], &u))
        at--;
    return code->ops[at].fail;
}

static bool has_span(const struct code *code, uint32_t pc)
{
    const struct op *op = &code->ops[pc], *next = op + 1;
    return op->kind == OP_SCAN && pc + 1 < code->op_count && next->kind == OP_SPAN &&
           next->spans->scan == pc;
}

bool mgi_choice_keeps(struct eval *x, const struct code *code, struct choice *choice, uint32_t pc,
                      bool found, bool resumed, uint32_t *fail)
{
    const struct op *op = &code->ops[pc];
    if (choice->back != NO_OP) {
        *fail = choice->back;
        choice->back = NO_OP;
        return false;
    }
    if (has_span(code, pc)) {
        if (!resumed)
            x->frames[pc].handed = false;
        if (!found && !x->frames[pc].handed)
            *fail = back_from(code, pc);
        return found;
    }
    if (op->kind != OP_SPAN || !has_span(code, op->spans->scan))
        return found;
    uint32_t scan = op->spans->scan;
    if (!found) {
        if (code->ops[scan].look->whole && !x->frames[scan].handed)
            *fail = back_from(code, scan);
        return false;
    }
    if (choice->worth(x, code, pc))
        return x->frames[scan].handed = true;
    *fail = pc; /* its next interval */
    return false;
}
