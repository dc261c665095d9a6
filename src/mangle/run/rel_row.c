/* Which row it is that stands at a place of a frozen index. Apart from what makes the index,
 * because it asks the set of rows, which stands above that. */
#include <string.h>

#include "mangle/run/rel_key.h"

uint32_t mgi_index_row(const struct rel *frozen, uint32_t index, uint32_t at, const uint32_t *key)
{
    const struct index *ix = &frozen->indexes[index];
    uint32_t words[COPY_MAX_ARITY], from = mgi_first_free(ix->search);
    if (ix->perm)
        return ix->perm[at];
    memcpy(words + from, ix->copies + (size_t)at * ix->width + from, ix->width * sizeof *words);
    for (uint32_t i = 0; i < ix->search->count; i++)
        words[ix->search->columns[i]] = key[i];
    return mgi_rel_find(frozen, words);
}
