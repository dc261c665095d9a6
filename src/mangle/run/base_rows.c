/* Many facts of one predicate into a base. Whether a fact is known already is one probe of a table
 * that is far larger than any cache; so the slots of the facts to come are fetched meanwhile. */
#include <stdio.h>

#include "mangle/run/base.h"

#define FACTS_AHEAD 16 /* about as many fetches as a core has under way */

static enum mangle_status give_rows(mangle_base *base, mangle_pred pred, const mangle_value *rows,
                                    size_t count)
{
    const struct rel *rel = &base->rels[pred];
    enum mangle_status st = MANGLE_OK;
    for (size_t i = 0; i < count && i < FACTS_AHEAD; i++)
        mgi_rel_prefetch(rel, mgi_words_hash(rows + i * rel->arity, rel->arity));
    for (size_t i = 0; i < count && !st; i++) {
        if (count - i > FACTS_AHEAD)
            mgi_rel_prefetch(rel,
                             mgi_words_hash(rows + (i + FACTS_AHEAD) * rel->arity, rel->arity));
        st = mgi_base_give(base, pred, rows + i * rel->arity, MANGLE_ALWAYS);
    }
    return st;
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
    enum mangle_status st = give_rows(base, pred, rows, count);
    base->eval.err = NULL;
    base->failed = st != MANGLE_OK; /* half added */
    return st;
}
