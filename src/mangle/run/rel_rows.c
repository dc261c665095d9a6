/* Rows that are added together, and of which nobody asks whether they are new: either that is known
 * (plan/plan_distinct.c), or bits say it (rel_bits.c). */
#include <assert.h>

#include "base/alloc.h"
#include "mangle/run/rel.h"

uint32_t *mgi_rel_extend(struct rel *rel, uint32_t count)
{
    size_t width = rel->arity ? rel->arity : 1, need = (size_t)rel->count + count;
    assert(!rel->frozen && !rel->temporal);
    if (need >= REL_NONE - 1 - rel->first)
        return NULL;
    if (need > rel->rows_cap &&
        !mgi_grow(&rel->rows, &rel->rows_cap, need, width * sizeof(uint32_t)))
        return NULL;
    return rel->rows + (size_t)rel->count * rel->arity;
}

void mgi_rel_took(struct rel *rel, uint32_t count)
{
    rel->count += count;
}
