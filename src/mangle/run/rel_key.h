/* Keys of indexes: what rel.c and rel_freeze.c know of them. */
#ifndef MGI_MANGLE_REL_KEY_H
#define MGI_MANGLE_REL_KEY_H

#include "mangle/run/rel.h"

#define KEY_MAX    64 /* columns of a key; wider searches use the first ones (plan_index.c) */
#define ROWS_AHEAD 16 /* rows whose slots are fetched together */

#define ROWS_A_PACE 16384 /* rows of a long loop between two looks at the clock */

/* May a loop over all rows go on behind this one? */
static inline bool mgi_rows_go_on(const struct pace *pace, uint32_t row)
{
    return row % ROWS_A_PACE != ROWS_A_PACE - 1 || mgi_pace(pace, ROWS_A_PACE);
}

/* What a slot has of a key: the key, or the upper half of its hash. */
static inline uint32_t mgi_key_tag(const uint32_t *key, uint32_t count, uint64_t hash)
{
    return count == 1 ? key[0] : (uint32_t)(hash >> 32);
}

static inline bool mgi_key_equals(const struct search *search, const uint32_t *row,
                                  const uint32_t *key)
{
    for (uint32_t i = 0; i < search->count; i++)
        if (row[search->columns[i]] != key[i])
            return false;
    return true;
}

static inline void mgi_key_of(const struct search *search, const uint32_t *row, uint32_t *key)
{
    for (uint32_t i = 0; i < search->count; i++)
        key[i] = row[search->columns[i]];
}

static inline uint64_t mgi_row_key_hash(const struct rel *rel, const struct search *search,
                                        uint32_t row)
{
    uint32_t key[KEY_MAX];
    mgi_key_of(search, mgi_rel_row(rel, row), key);
    return mgi_words_hash(key, search->count);
}

/* The slot of a key, or the empty one where it would go; there are slots. */
static inline uint32_t *mgi_head_slot(const struct rel *rel, const struct index *ix,
                                      const uint32_t *key, uint64_t hash)
{
    const struct table *t = &ix->heads;
    uint32_t tag = mgi_key_tag(key, ix->search->count, hash);
    uint32_t mask = t->cap - 1;
    for (uint32_t at = (uint32_t)(hash >> 32) & mask;; at = (at + 1) & mask) {
        uint32_t *s = t->slots + (size_t)at * 3;
        if (s[0] == 0)
            return s;
        if (s[1] == tag &&
            (ix->search->count == 1 || mgi_key_equals(ix->search, mgi_rel_row(rel, s[0] - 1), key)))
            return s;
    }
}

static inline void mgi_table_prefetch(const struct table *t, uint64_t hash)
{
    if (t->cap)
        __builtin_prefetch(t->slots + (size_t)((uint32_t)(hash >> 32) & (t->cap - 1)) * t->stride);
}

#endif
