/* Many rows at once, on several threads. The set of rows is shared out by its slots: whoever has a
 * share looks for heads whose slots begin in it, in the order of the heads, and claims a free slot
 * for each that is new. Which heads are the first of their kind does not depend on how many shares
 * there are. Once that is known they are numbered in their order, and their rows written.
 *
 * A look that would go on beyond a share is left to whoever comes when all shares are done. Slots
 * are never given back, so what looks for the same words goes on beyond it, too. */
#include "mangle/run/rel.h"

#include "base/alloc.h"

#define CLAIMED UINT32_MAX /* no row has the number before this one */

bool mgi_bulk_takes(const struct rel *rel)
{
    return (rel->arity == 1 || rel->arity == 2) && !rel->below && !rel->temporal && !rel->lattice;
}

bool mgi_bulk_fits(const struct rel *rel, uint64_t count)
{
    return (rel->known.used + count) * 3 <= (uint64_t)rel->known.cap * 2 &&
           rel->count + count < REL_NONE - 1;
}

uint32_t mgi_bulk_claim(struct rel *rel, const uint32_t *words, uint64_t hash, uint64_t end)
{
    const struct table *t = &rel->known;
    uint32_t mask = t->cap - 1, at = (uint32_t)(hash >> 32) & mask;
    const uint32_t stride = t->stride;
    const bool pair = rel->arity == 2;
    for (uint64_t i = at;; i++) {
        if (i == end && end != BULK_WHOLE)
            return BULK_BEYOND;
        uint32_t *s = t->slots + (size_t)(i & mask) * stride;
        if (s[0] == 0) {
            s[0] = CLAIMED;
            s[1] = words[0];
            if (pair)
                s[2] = words[1];
            return (uint32_t)(i & mask);
        }
        if (s[1] == words[0] && (!pair || s[2] == words[1]))
            return BULK_KNOWN;
    }
}

bool mgi_bulk_begin(struct rel *rel, uint32_t count)
{
    return mgi_grow(&rel->rows, &rel->rows_cap, (size_t)rel->count + count + 1,
                    rel->arity * sizeof *rel->rows);
}

void mgi_bulk_write(struct rel *rel, uint32_t row, uint32_t slot)
{
    uint32_t *s = rel->known.slots + (size_t)slot * rel->known.stride;
    uint32_t *words = rel->rows + (size_t)row * rel->arity;
    words[0] = s[1];
    if (rel->arity == 2)
        words[1] = s[2];
    s[0] = row + 1;
}

void mgi_bulk_end(struct rel *rel, uint32_t count)
{
    for (uint32_t row = rel->count; rel->bits.map && row < rel->count + count; row++)
        mgi_bits_set(&rel->bits, rel->rows + (size_t)row * 2);
    rel->count += count;
    rel->known.used += count;
}
