/* Codes as text, for people who look for a fault in a plan: one line per operation. */
#include "mangle/plan/plan.h"

static void put_reg(struct buf *out, const struct code *code, uint32_t reg)
{
    const struct clause *c = code->rule->clause;
    if (reg == NO_REG)
        mgi_buf_puts(out, "-");
    else if (reg < c->var_count)
        mgi_buf_printf(out, "%.*s", STR_ARG(c->vars[reg].name));
    else
        mgi_buf_printf(out, "r%u", reg);
}

static void put_regs(struct buf *out, const struct code *code, const uint32_t *regs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        mgi_buf_putc(out, ' ');
        put_reg(out, code, regs[i]);
    }
}

static void put_columns(struct buf *out, const struct code *code, const char *what,
                        const struct column *columns, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        mgi_buf_printf(out, "%s%u:", what, columns[i].column);
        put_reg(out, code, columns[i].reg);
    }
}

static void put_look(struct buf *out, const mangle_program *p, const struct code *code,
                     const struct look *look)
{
    static const char *const reaches[] = { "", " old", " new" };
    mgi_buf_printf(out, " %.*s%s", STR_ARG(p->preds[look->pred].name), reaches[look->reach]);
    if (look->whole)
        mgi_buf_puts(out, " whole");
    else if (look->index != NO_INDEX)
        mgi_buf_printf(out, " index %u", look->index);
    put_regs(out, code, look->key, look->key_count);
    put_columns(out, code, " test ", look->tests, look->test_count);
    put_columns(out, code, " bind ", look->binds, look->bind_count);
    put_columns(out, code, " again ", look->repeats, look->repeat_count);
}

static void put_narrows(struct buf *out, const struct code *code, const struct spans *s)
{
    for (uint32_t i = 0; i < s->narrow_count; i++) {
        const struct narrow *n = &s->narrows[i];
        mgi_buf_printf(out, " %s %c%s ", n->end ? "end" : "start", n->least ? '>' : '<',
                       n->strict ? "" : "=");
        put_reg(out, code, n->reg);
    }
}

static void put_op(struct buf *out, const mangle_program *p, const struct code *code,
                   const struct op *op)
{
    static const char *const names[] = { "scan", "instant", "span",  "absent",  "deferred",
                                         "ask",  "call",    "among", "copy",    "eq",
                                         "ne",   "builtin", "never", "unbound", "reduce",
                                         "emit", "row" };
    mgi_buf_puts(out, names[op->kind]);
    if (op->look)
        put_look(out, p, code, op->look);
    if (op->early)
        mgi_buf_puts(out, " early");
    if (op->spans)
        put_narrows(out, code, op->spans);
    if (op->function)
        mgi_buf_printf(out, " %s", op->function->name);
    if (op->builtin)
        mgi_buf_printf(out, " %s%s", op->negated ? "!" : "", op->builtin->name);
    put_regs(out, code, op->args, op->arg_count);
    if (op->kind == OP_INSTANT) {
        put_regs(out, code, &op->a, 1);
    } else if (op->kind == OP_CALL || op->kind == OP_REDUCE || op->kind == OP_UNBOUND) {
        mgi_buf_puts(out, " -> ");
        put_reg(out, code, op->a);
    } else if (op->kind == OP_COPY || op->kind == OP_EQ || op->kind == OP_NE) {
        put_regs(out, code, &op->a, 1);
        put_regs(out, code, &op->b, 1);
    }
    if (op->fail != NO_OP)
        mgi_buf_printf(out, "  else %u", op->fail);
    mgi_buf_puts(out, op->once ? "  once\n" : "\n");
}

void mgi_code_dump(struct buf *out, const mangle_program *p, const struct code *code)
{
    for (size_t i = 0; i < code->op_count; i++) {
        mgi_buf_printf(out, "%3zu  ", i);
        put_op(out, p, code, &code->ops[i]);
    }
}
