/* Hash indexes on what grows: of each key the newest row, from which a chain leads to the older
 * ones. What is frozen has places instead (rel_freeze.c). */
#include <assert.h>

#include "base/alloc.h"
#include "mangle/run/rel.h"
#include "mangle/run/rel_key.h"

static bool index_put(struct rel *rel, struct index *ix, uint32_t row, uint64_t hash)
{
    uint32_t key[KEY_MAX], count = ix->search->count;
    if (mgi_table_full(&ix->heads) &&
        !mgi_table_double(&ix->heads, count == 1 ? SLOT_WORD : SLOT_TAG))
        return false;
    mgi_key_of(ix->search, mgi_rel_row(rel, row), key);
    uint32_t *slot = mgi_head_slot(rel, ix, key, hash);
    ix->next[row - rel->first] = slot[0] ? slot[0] - 1 : REL_NONE;
    if (!slot[0]) {
        ix->heads.used++;
        slot[1] = mgi_key_tag(key, count, hash);
        slot[2] = 0;
    }
    slot[2]++;
    slot[0] = row + 1;
    return true;
}

bool mgi_rel_sync(struct rel *rel, uint32_t index)
{
    struct index *ix = &rel->indexes[index];
    uint32_t end = mgi_rel_end(rel);
    if (ix->upto == end)
        return true;
    assert(!rel->frozen && ix->search->count <= KEY_MAX);
    ix->lists.upto = 0;
    if (rel->count > ix->next_cap &&
        !mgi_grow(&ix->next, &ix->next_cap, rel->rows_cap, sizeof *ix->next))
        return false;
    while (ix->upto < end) {
        uint64_t hashes[ROWS_AHEAD];
        uint32_t from = ix->upto, count = end - from < ROWS_AHEAD ? end - from : ROWS_AHEAD;
        for (uint32_t i = 0; i < count; i++) {
            hashes[i] = mgi_row_key_hash(rel, ix->search, from + i);
            mgi_table_prefetch(&ix->heads, hashes[i]);
        }
        for (uint32_t i = 0; i < count; i++, ix->upto++)
            if (!index_put(rel, ix, from + i, hashes[i]))
                return false;
    }
    return true;
}

uint32_t mgi_index_head(const struct rel *rel, uint32_t index, const uint32_t *key)
{
    const struct index *ix = &rel->indexes[index];
    if (ix->heads.cap == 0)
        return REL_NONE;
    const uint32_t *slot = mgi_head_slot(rel, ix, key, mgi_words_hash(key, ix->search->count));
    return slot[0] ? slot[0] - 1 : REL_NONE;
}

uint32_t mgi_index_count(const struct rel *rel, uint32_t index, const uint32_t *key)
{
    const struct index *ix = &rel->indexes[index];
    struct group g = { 0 };
    if (rel->first)
        g = mgi_index_group(rel->below, index, key);
    uint32_t count = g.end - g.start;
    if (ix->heads.cap == 0)
        return count;
    const uint32_t *slot = mgi_head_slot(rel, ix, key, mgi_words_hash(key, ix->search->count));
    return slot[0] ? count + slot[2] : count;
}
