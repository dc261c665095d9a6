/* Codes as people see them in a profile: which atoms, in which order, and how their rows are found.
 */
#include "mangle/plan/plan.h"

/* The columns of an index, counted from 1. */
static void put_index(struct buf *out, const struct plan *plan, mangle_pred pred, uint32_t index)
{
    const struct search *s = &plan->preds[pred].searches[index];
    mgi_buf_putc(out, '[');
    for (uint32_t i = 0; i < s->count; i++)
        mgi_buf_printf(out, i ? ",%u" : "%u", s->columns[i] + 1);
    mgi_buf_putc(out, ']');
}

static void put_atom(struct buf *out, const mangle_program *p, const struct plan *plan,
                     const struct op *op)
{
    const struct look *look = op->look;
    if (op->kind == OP_ABSENT || op->negated)
        mgi_buf_putc(out, '!');
    if (look->reach == REACH_NEW)
        mgi_buf_puts(out, "new ");
    mgi_buf_str(out, p->preds[look->pred].name);
    if (op->kind == OP_DEFERRED)
        mgi_buf_puts(out, "()");
    else if (look->whole)
        mgi_buf_puts(out, "[*]");
    else if (look->index != NO_INDEX)
        put_index(out, plan, look->pred, look->index);
}

void mgi_code_order(struct buf *out, const mangle_program *p, const struct plan *plan,
                    const struct code *code)
{
    const char *between = "";
    for (size_t i = 0; i < code->op_count; i++) {
        const struct op *op = &code->ops[i];
        if (op->kind != OP_SCAN && op->kind != OP_ABSENT && op->kind != OP_DEFERRED)
            continue;
        mgi_buf_puts(out, between);
        put_atom(out, p, plan, op);
        between = op->kind == OP_SCAN && op->look->meet ? " & " : " -> ";
    }
}
