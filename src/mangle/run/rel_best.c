/* Merged relations in which the least or the greatest value of a key stays: the best fact of each
 * key, and which of them are rows. See rel.h for the idea.
 *
 * Only what improves on a key comes in. It waits until it is released: then it becomes a row, which
 * is news. One that is improved on while it waits never was a row, so nothing follows from it.
 * Those with the best values are released first, for what follows from others is likely to be
 * improved on; not one by one, for a round costs something, too: the nearest quarter of the range
 * in which the values stand. Where lengths add up, that is a shortest-path search with buckets. */
#include <string.h>

#include "base/alloc.h"
#include "mangle/run/rel_key.h"
#include "mangle/value/value.h"

#define RELEASE_ALL 32 /* so few are released together */
#define RANGE_SHIFT 2  /* of the range of values: the best quarter */

bool mgi_rel_make_best(struct rel *rel, uint32_t target, bool greatest)
{
    struct lattice *l = rel->lattice;
    l->best = mgi_calloc(1, sizeof *l->best);
    if (!l->best)
        return false;
    l->best->target = target;
    l->best->greatest = greatest;
    l->best->heads.stride = l->source_count == 2 ? 3 : 2;
    return true;
}

void mgi_best_reset(struct best *b)
{
    b->heads.cap = b->heads.used = 0;
    b->count = b->waiting_count = 0;
}

void mgi_best_free(struct best *b)
{
    if (!b)
        return;
    mgi_free(b->heads.slots);
    mgi_free(b->facts);
    mgi_free(b->rows);
    mgi_free(b->waiting);
    mgi_free(b);
}

/* ---- keys ------------------------------------------------------------------------------------ */

static uint64_t source_hash(const struct lattice *l, const uint32_t *words, uint32_t *key)
{
    uint64_t h = l->source_count;
    if (l->source_count <= 2) {
        for (uint32_t i = 0; i < l->source_count; i++)
            key[i] = words[l->source[i]];
        return mgi_words_hash(key, l->source_count);
    }
    for (uint32_t i = 0; i < l->source_count; i++)
        h = mgi_mix(h ^ words[l->source[i]]) + UINT64_C(0x9e3779b97f4a7c15);
    key[0] = (uint32_t)(h >> 32);
    return h;
}

static bool same_source(const struct lattice *l, const uint32_t *a, const uint32_t *b)
{
    for (uint32_t i = 0; i < l->source_count; i++)
        if (a[l->source[i]] != b[l->source[i]])
            return false;
    return true;
}

/* The slot of the key of `words`, or the empty one where it would go. Slots of one or two source
 * columns hold these themselves. */
static uint32_t *entry_slot(const struct rel *rel, const uint32_t *words, const uint32_t *key,
                            uint64_t hash)
{
    const struct lattice *l = rel->lattice;
    const struct table *t = &l->best->heads;
    uint32_t mask = t->cap - 1;
    for (uint32_t at = (uint32_t)(hash >> 32) & mask;; at = (at + 1) & mask) {
        uint32_t *s = t->slots + (size_t)at * t->stride;
        if (s[0] == 0 || l->source_count == 0)
            return s;
        if (s[1] != key[0] || (l->source_count == 2 && s[2] != key[1]))
            continue;
        if (l->source_count <= 2 || same_source(l, mgi_best_fact(rel, s[0] - 1), words))
            return s;
    }
}

uint32_t mgi_best_find(const struct rel *rel, const uint32_t *words)
{
    uint32_t key[2] = { 0 };
    const struct best *b = rel->lattice->best;
    if (!b || b->heads.cap == 0)
        return REL_NONE;
    uint64_t hash = source_hash(rel->lattice, words, key);
    const uint32_t *s = entry_slot(rel, words, key, hash);
    return s[0] ? s[0] - 1 : REL_NONE;
}

bool mgi_best_open(struct rel *rel, const uint32_t *words, uint32_t *entry)
{
    static const enum slot_form forms[] = { SLOT_WORD, SLOT_WORD, SLOT_PAIR };
    struct lattice *l = rel->lattice;
    struct best *b = l->best;
    uint32_t key[2] = { 0 };
    size_t width = rel->arity;
    if (!mgi_grow(&b->facts, &b->facts_cap, (size_t)b->count + 1, width * sizeof *b->facts) ||
        !mgi_grow(&b->rows, &b->rows_cap, (size_t)b->count + 1, sizeof *b->rows) ||
        (mgi_table_full(&b->heads) &&
         !mgi_table_double(&b->heads, l->source_count <= 2 ? forms[l->source_count] : SLOT_TAG)))
        return false;
    uint64_t hash = source_hash(l, words, key);
    uint32_t *s = entry_slot(rel, words, key, hash);
    *entry = b->count++;
    memcpy(b->facts + *entry * width, words, width * sizeof *words);
    b->rows[*entry] = REL_NONE;
    s[0] = *entry + 1;
    s[1] = key[0];
    if (l->source_count == 2)
        s[2] = key[1];
    b->heads.used++;
    return true;
}

/* ---- what waits ------------------------------------------------------------------------------ */

bool mgi_best_wait(struct rel *rel, uint32_t entry)
{
    struct best *b = rel->lattice->best;
    if (!mgi_grow(&b->waiting, &b->waiting_cap, (size_t)b->waiting_count + 1, sizeof *b->waiting))
        return false;
    b->rows[entry] = REL_NONE;
    b->waiting[b->waiting_count++] = entry;
    return true;
}

/* A value's place in the order of release: what is no number goes first. */
static int64_t rank(const struct rel *rel, const mangle_values *values, uint32_t entry)
{
    const struct best *b = rel->lattice->best;
    mangle_value v = mgi_best_fact(rel, entry)[b->target];
    int64_t n = INT64_MIN;
    if (mgi_value_is_small(v))
        n = mgi_value_small(v);
    else if (mangle_kind_of(values, v) == MANGLE_NUMBER)
        n = mangle_int_of(values, v);
    else
        return n;
    return b->greatest ? ~n : n;
}

struct ranks {
    int64_t low, high;
};

static bool ranks_of(const struct rel *rel, const mangle_values *values, const struct pace *pace,
                     struct ranks *r)
{
    const struct best *b = rel->lattice->best;
    *r = (struct ranks){ INT64_MAX, INT64_MIN };
    for (uint32_t i = 0; i < b->waiting_count; i++) {
        int64_t at = rank(rel, values, b->waiting[i]);
        r->low = at < r->low ? at : r->low;
        r->high = at > r->high ? at : r->high;
        if (!mgi_pace(pace, 1))
            return false;
    }
    return true;
}

bool mgi_best_choose(struct rel *rel, const mangle_values *values, const struct pace *pace,
                     uint32_t *chosen)
{
    struct best *b = rel->lattice->best;
    struct ranks r;
    *chosen = b->waiting_count;
    if (b->waiting_count <= RELEASE_ALL)
        return true;
    if (!ranks_of(rel, values, pace, &r))
        return false;
    uint64_t range = ((uint64_t)r.high - (uint64_t)r.low) >> RANGE_SHIFT;
    *chosen = 0;
    for (uint32_t i = 0; i < b->waiting_count; i++) { /* they go to the front, in their order */
        uint32_t entry = b->waiting[i];
        if ((uint64_t)rank(rel, values, entry) - (uint64_t)r.low > range)
            continue;
        b->waiting[i] = b->waiting[*chosen];
        b->waiting[(*chosen)++] = entry;
        if (!mgi_pace(pace, 1))
            return false;
    }
    return true;
}

void mgi_best_released(struct rel *rel, uint32_t chosen)
{
    struct best *b = rel->lattice->best;
    b->waiting_count -= chosen;
    memmove(b->waiting, b->waiting + chosen, b->waiting_count * sizeof *b->waiting);
}
