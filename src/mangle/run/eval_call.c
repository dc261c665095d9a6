/* Calls of built-in functions, from codes and from terms. */
#include "mangle/run/eval.h"

#include <assert.h>

#include "base/alloc.h"

#define SCRATCH_KEEP ((size_t)64 * 1024) /* bytes of scratch before it is given back */

enum mangle_status mgi_eval_call_failed(struct eval *x, enum call_status cs, bool soft)
{
    if (cs == CALL_NOMEM)
        return mgi_eval_nomem(x);
    return soft ? MANGLE_ERR_EVAL : mgi_eval_fail(x, x->call.error);
}

enum mangle_status mgi_eval_call(struct eval *x, const struct function *fn,
                                 const mangle_value *args, uint32_t count, bool soft,
                                 mangle_value *out)
{
    assert(fn->apply); /* a reducer of rows alone stands after group_by only (M-ANA-60) */
    enum call_status cs = fn->apply(&x->call, args, count, out);
    if (x->scratch.used > SCRATCH_KEEP)
        mgi_arena_reset(&x->scratch);
    if (cs == CALL_OK && mgi_value_is_small(*out)) /* nothing was stored */
        return MANGLE_OK;
    return cs == CALL_OK ? mgi_eval_memory(x) : mgi_eval_call_failed(x, cs, soft);
}

enum mangle_status mgi_eval_call_op(struct eval *x, const struct op *op, bool soft)
{
    for (uint32_t i = 0; i < op->arg_count; i++)
        x->words[i] = x->regs[op->args[i]];
    return mgi_eval_call(x, op->function, x->words, op->arg_count, soft, &x->regs[op->a]);
}

enum mangle_status mgi_eval_straight(struct eval *x, const struct code *code, bool soft)
{
    for (size_t i = 0; i < code->op_count; i++) {
        enum mangle_status st = mgi_eval_call_op(x, &code->ops[i], soft);
        if (st)
            return st;
    }
    return MANGLE_OK;
}

void mgi_eval_constants(struct eval *x, const struct code *code)
{
    for (size_t i = 0; i < code->constant_count; i++)
        x->regs[code->constants[i].reg] = code->constants[i].value;
}

/* Terms nest at most 200 deep (M-LIM-13), so recursion is fine. */
enum mangle_status mgi_eval_term(struct eval *x, const struct term *t, mangle_value *out)
{
    if (t->kind == TERM_CONST) {
        *out = t->value;
        return MANGLE_OK;
    }
    if (t->kind == TERM_VAR)
        return mgi_eval_fail(x, "a variable has no value here");
    mangle_value *args = mgi_alloc((t->apply.count + 1) * sizeof *args);
    if (!args)
        return mgi_eval_nomem(x);
    enum mangle_status st = MANGLE_OK;
    for (uint32_t i = 0; i < t->apply.count && !st; i++)
        st = mgi_eval_term(x, &t->apply.args[i], &args[i]);
    if (!st)
        st = mgi_eval_call(x, t->apply.row, args, t->apply.count, false, out);
    mgi_free(args);
    return st;
}
