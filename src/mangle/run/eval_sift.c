/* The first scan of a code, if its index is not there: all rows are looked at once, in the order in
 * which the index would have them. To make it costs as much as several such looks, and is for
 * nothing if nobody asks again. */
#include "mangle/run/eval.h"

#define SIFTS 4 /* an index costs about five such looks */

bool mgi_eval_may_sift(struct eval *x, const struct code *code, const struct op *op)
{
    const struct look *look = op->look;
    if (op != code->ops || op->kind != OP_SCAN || op->early || look->meet || x->overlay ||
        look->reach != REACH_ALL || code->given_count || x->sift_never)
        return false;
    struct index *ix = &x->rels[look->pred].indexes[look->index];
    return ix->upto == x->rels[look->pred].first && ix->sifted++ < SIFTS;
}

uint32_t mgi_eval_sift(struct eval *x, const struct look *look, struct frame *f,
                       const uint32_t **rows, uint32_t most)
{
    const struct rel *rel = &x->rels[look->pred];
    const struct search *s = rel->indexes[look->index].search;
    const uint32_t first = x->regs[look->key[0]], first_column = s->columns[0];
    uint32_t n = 0, end = f->at - f->lo > SIFT_ROWS ? f->at - SIFT_ROWS : f->lo, from = f->at;
    const uint32_t *words =
        mgi_rel_row(rel, rel->first) + (size_t)(f->at - rel->first) * rel->arity;
    for (; n < most && f->at > end; f->at--) {
        words -= rel->arity;
        bool same = words[first_column] == first;
        for (uint32_t i = 1; same && i < s->count; i++)
            same = words[s->columns[i]] == x->regs[look->key[i]];
        if (same && rows)
            rows[n] = words;
        n += same;
        if (same && !rows)
            break;
    }
    x->steps -= (int32_t)((from - f->at) / 16); /* each is little work */
    return n;
}
