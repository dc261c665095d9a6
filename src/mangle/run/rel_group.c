/* Looking a key up in a frozen index whose keys are hashed. */
#include "mangle/run/rel_key.h"

struct group_slot *mgi_index_slot(const struct rel *rel, const struct index *ix,
                                  const uint32_t *key)
{
    uint64_t hash = mgi_words_hash(key, ix->search->count);
    uint32_t tag = mgi_key_tag(key, ix->search->count, hash);
    uint32_t mask = ix->group_cap - 1;
    for (uint32_t at = (uint32_t)(hash >> 32) & mask;; at = (at + 1) & mask) {
        struct group_slot *s = &ix->groups[at];
        if (s->rows.end == 0)
            return s;
        if (s->tag == tag &&
            (ix->search->count == 1 ||
             mgi_key_equals(ix->search, rel->rows + (size_t)s->row * rel->arity, key)))
            return s;
    }
}

struct group mgi_index_hashed(const struct rel *frozen, uint32_t index, const uint32_t *key)
{
    const struct index *ix = &frozen->indexes[index];
    return ix->group_cap ? mgi_index_slot(frozen, ix, key)->rows : (struct group){ 0 };
}

void mgi_index_prefetch(const struct rel *frozen, uint32_t index, const uint32_t *key)
{
    const struct index *ix = &frozen->indexes[index];
    uint32_t at = key[0] - ix->low;
    if (ix->starts && at < ix->range)
        __builtin_prefetch(ix->starts + at);
    else if (ix->group_cap)
        __builtin_prefetch(ix->groups + ((uint32_t)(mgi_words_hash(key, ix->search->count) >> 32) &
                                         (ix->group_cap - 1)));
}
