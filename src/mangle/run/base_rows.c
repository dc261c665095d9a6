/* Many facts of one predicate into a base. */
#include <stdio.h>

#include "mangle/run/base.h"

enum mangle_status mgi_base_give_rows(mangle_base *base, mangle_pred pred, const mangle_value *rows,
                                      size_t count)
{
    mangle_pred copy = base->program->preds[pred].vouched;
    enum mangle_status st = mgi_eval_give_rows(&base->eval, pred, rows, count);
    return st || copy == MANGLE_NO_PRED ? st : mgi_eval_give_rows(&base->eval, copy, rows, count);
}

enum mangle_status mangle_base_add_rows(mangle_base *base, mangle_pred pred,
                                        const mangle_value *rows, size_t count,
                                        struct mangle_error *err)
{
    const mangle_program *p = base->program;
    bool known = pred < p->pred_count;
    size_t arity = known ? p->preds[pred].arity : 0, words = count * arity;
    if (base->closed || base->failed) {
        if (err)
            snprintf(err->message, sizeof err->message, "the base is closed");
        return MANGLE_ERR_INPUT;
    }
    size_t bad = 0;
    while (bad < words && rows[bad] != MANGLE_NONE)
        bad++;
    if (!known || bad < words) /* told as of that row alone */
        return mgi_fact_check(p, pred, known ? rows + bad / arity * arity : rows, (uint32_t)arity,
                              NULL, err);
    base->eval.err = err;
    enum mangle_status st = mgi_base_give_rows(base, pred, rows, count);
    base->eval.err = NULL;
    base->failed = st != MANGLE_OK; /* half added */
    return st;
}
