/* Rows, their deduplication, and hash indexes on what grows. See rel.h for the idea. Hash
 * tables are in rel_table.c, the frozen form in rel_freeze.c, intervals in rel_times.c, which rows
 * are alive in rel_lattice.c.
 *
 * A slot of `known` holds the row's number + 1 and, for one or two columns, the row itself, so that
 * a probe touches one cache line; wider rows have the upper half of their hash there instead, which
 * also says where they belong: a table that grows never looks at rows. */
#include "mangle/run/rel.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "mangle/run/rel_key.h"

static uint32_t known_stride(uint32_t arity)
{
    return arity <= 2 ? 1 + arity : 2;
}

bool mgi_rel_init(struct rel *rel, uint32_t arity, bool temporal, const struct search *searches,
                  uint32_t search_count, const struct rel *below)
{
    *rel = (struct rel){ .arity = arity, .temporal = temporal, .below = below, .settled = true };
    rel->first = below ? mgi_rel_end(below) : 0;
    rel->lo = rel->hi = temporal ? 0 : rel->first;
    rel->known.stride = known_stride(arity);
    rel->times.shadow_index.stride = 2;
    rel->times.exact.stride = 2;
    return mgi_rel_add_searches(rel, searches, search_count);
}

bool mgi_rel_add_searches(struct rel *rel, const struct search *searches, uint32_t search_count)
{
    assert(!rel->frozen && search_count >= rel->index_count);
    if (search_count > rel->index_count) {
        struct index *more = mgi_realloc(rel->indexes, search_count * sizeof *more);
        if (!more)
            return false;
        rel->indexes = more;
    }
    for (uint32_t i = 0; i < search_count; i++) {
        if (i >= rel->index_count)
            rel->indexes[i] = (struct index){ .heads.stride = 3, .upto = rel->first };
        rel->indexes[i].search = &searches[i];
    }
    rel->index_count = search_count;
    return true;
}

void mgi_rel_fini(struct rel *rel)
{
    for (uint32_t i = 0; i < rel->index_count; i++) {
        mgi_free(rel->indexes[i].heads.slots);
        mgi_free(rel->indexes[i].next);
        mgi_free(rel->indexes[i].starts);
        mgi_free(rel->indexes[i].groups);
        mgi_free(rel->indexes[i].perm);
        mgi_free(rel->indexes[i].copies);
        mgi_free(rel->indexes[i].zones.hulls);
        mgi_lists_drop(&rel->indexes[i].lists);
    }
    mgi_free(rel->indexes);
    mgi_free(rel->rows);
    mgi_free(rel->known.slots);
    mgi_free(rel->packed.slots);
    mgi_bits_drop(&rel->bits);
    mgi_free(rel->marks);
    mgi_free(rel->zones.hulls);
    mgi_times_fini(&rel->times);
    mgi_lattice_free(rel->lattice);
    *rel = (struct rel){ 0 };
}

static void table_clear(struct table *t)
{
    t->cap = 0; /* the next grow clears as much as it takes into use */
    t->used = 0;
}

void mgi_rel_reset(struct rel *rel)
{
    assert(!rel->frozen);
    rel->count = 0;
    rel->given = 0;
    rel->mark_count = 0;
    rel->touched = false;
    rel->settled = true;
    rel->lo = rel->hi = rel->temporal ? 0 : rel->first;
    table_clear(&rel->known);
    mgi_bits_drop(&rel->bits);
    for (uint32_t i = 0; i < rel->index_count; i++) {
        table_clear(&rel->indexes[i].heads);
        rel->indexes[i].upto = rel->first;
        rel->indexes[i].lists.upto = rel->indexes[i].lists.asked = 0;
    }
    mgi_times_reset(&rel->times);
    rel->zones.count = rel->zones.asked = 0;
    if (rel->lattice)
        mgi_lattice_reset(rel->lattice);
}

/* ---- the set of rows ------------------------------------------------------------------------ */

/* The slot of `words`, or the empty one where it would go. */
static uint32_t *known_slot(const struct rel *rel, const uint32_t *words, uint64_t hash)
{
    const struct table *t = &rel->known;
    uint32_t mask = t->cap - 1;
    uint32_t at = (uint32_t)(hash >> 32) & mask;
    switch (rel->arity) {
    case 0:
        return t->slots;
    case 1:
        for (;; at = (at + 1) & mask) {
            uint32_t *s = t->slots + (size_t)at * 2;
            if (s[0] == 0 || s[1] == words[0])
                return s;
        }
    case 2:
        for (;; at = (at + 1) & mask) {
            uint32_t *s = t->slots + (size_t)at * 3;
            if (s[0] == 0 || (s[1] == words[0] && s[2] == words[1]))
                return s;
        }
    default:
        for (;; at = (at + 1) & mask) {
            uint32_t *s = t->slots + (size_t)at * 2;
            if (s[0] == 0)
                return s;
            if (s[1] == (uint32_t)(hash >> 32) &&
                memcmp(mgi_rel_row(rel, s[0] - 1), words, rel->arity * sizeof *words) == 0)
                return s;
        }
    }
}

static void known_fill(const struct rel *rel, uint32_t *slot, const uint32_t *words, uint64_t hash,
                       uint32_t row)
{
    slot[0] = row + 1;
    if (rel->arity == 1 || rel->arity == 2)
        memcpy(slot + 1, words, rel->arity * sizeof *words);
    else if (rel->arity > 2)
        slot[1] = (uint32_t)(hash >> 32);
}

static enum slot_form known_form(const struct rel *rel)
{
    static const enum slot_form forms[] = { SLOT_TAG, SLOT_WORD, SLOT_PAIR };
    return rel->arity <= 2 ? forms[rel->arity] : SLOT_TAG;
}

static bool known_grow(struct rel *rel)
{
    if (!mgi_table_double(&rel->known, known_form(rel)))
        return false;
    if (rel->arity == 2)
        mgi_bits_make(rel);
    return true;
}

bool mgi_rel_room(struct rel *rel, uint64_t count)
{
    while ((rel->known.used + count) * 3 > (uint64_t)rel->known.cap * 2)
        if (!known_grow(rel))
            return false;
    return true;
}

bool mgi_rel_expect(struct rel *rel, size_t more)
{
    size_t width = rel->arity ? rel->arity : 1;
    return mgi_rel_room(rel, more) &&
           mgi_grow(&rel->rows, &rel->rows_cap, rel->count + more, width * sizeof *rel->rows);
}

void mgi_rel_prefetch(const struct rel *rel, uint64_t hash)
{
    if (rel->first && rel->below->packed.cap)
        __builtin_prefetch(rel->below->packed.slots + mgi_packed_home(&rel->below->packed, hash));
    else if (rel->first)
        mgi_table_prefetch(&rel->below->known, hash);
    mgi_table_prefetch(&rel->known, hash);
}

static uint32_t find_hashed(const struct rel *rel, const uint32_t *words, uint64_t hash)
{
    if (rel->packed.cap)
        return mgi_packed_find(rel, words, hash);
    if (rel->known.cap == 0)
        return REL_NONE;
    const uint32_t *slot = known_slot(rel, words, hash);
    return slot[0] ? slot[0] - 1 : REL_NONE;
}

bool mgi_rel_knows(const struct rel *rel, const uint32_t *words, uint64_t hash)
{
    return (rel->first && find_hashed(rel->below, words, hash) != REL_NONE) ||
           find_hashed(rel, words, hash) != REL_NONE;
}

uint32_t mgi_rel_find(const struct rel *rel, const uint32_t *words)
{
    if (mgi_bits_lack(&rel->bits, words))
        return REL_NONE;
    uint64_t hash = mgi_words_hash(words, rel->arity);
    uint32_t row = rel->first ? find_hashed(rel->below, words, hash) : REL_NONE;
    if (row != REL_NONE && mgi_rel_live(rel, row))
        return row;
    row = find_hashed(rel, words, hash);
    return row != REL_NONE && mgi_rel_live(rel, row) ? row : REL_NONE;
}

static bool append_row(struct rel *rel, const uint32_t *words)
{
    size_t width = rel->arity ? rel->arity : 1;
    if (rel->count >= REL_NONE - 1 - rel->first)
        return false;
    if (rel->count >= rel->rows_cap &&
        !mgi_grow(&rel->rows, &rel->rows_cap, (size_t)rel->count + 1, width * sizeof *words))
        return false;
    if (rel->temporal) {
        struct times *t = &rel->times;
        if (rel->count >= t->own_cap &&
            !mgi_grow(&t->own, &t->own_cap, (size_t)rel->count + 1, sizeof *t->own))
            return false;
        t->own[rel->count] = (struct span_list){ REL_NONE, 0 };
    }
    if (rel->arity)
        memcpy(rel->rows + (size_t)rel->count * rel->arity, words, rel->arity * sizeof *words);
    rel->count++;
    return true;
}

bool mgi_rel_insert_hashed(struct rel *rel, const uint32_t *words, uint64_t hash, uint32_t *row,
                           bool *added)
{
    assert(!rel->frozen);
    *added = false;
    /* Look up before inserting: in a closure most derived tuples are known already. */
    if (rel->first) {
        *row = find_hashed(rel->below, words, hash);
        if (*row != REL_NONE)
            return true;
    }
    if (mgi_table_full(&rel->known) && !known_grow(rel))
        return false;
    uint32_t *slot = known_slot(rel, words, hash);
    if (slot[0]) {
        *row = slot[0] - 1;
        return true;
    }
    if (!append_row(rel, words))
        return false;
    *row = mgi_rel_end(rel) - 1;
    *added = true;
    known_fill(rel, slot, words, hash, *row);
    rel->known.used++;
    mgi_bits_set(&rel->bits, words);
    return true;
}

bool mgi_rel_insert(struct rel *rel, const uint32_t *words, uint32_t *row, bool *added)
{
    return mgi_rel_insert_hashed(rel, words, mgi_words_hash(words, rel->arity), row, added);
}

bool mgi_rel_append(struct rel *rel, const uint32_t *words, uint32_t *row)
{
    assert(!rel->frozen);
    uint64_t hash = mgi_words_hash(words, rel->arity);
    if ((mgi_table_full(&rel->known) && !known_grow(rel)) || !append_row(rel, words))
        return false;
    uint32_t *slot = known_slot(rel, words, hash);
    rel->known.used += slot[0] == 0;
    *row = mgi_rel_end(rel) - 1;
    known_fill(rel, slot, words, hash, *row);
    return true;
}

/* ---- indexes on what grows ------------------------------------------------------------------ */

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

/* ---- birth, for proofs ---------------------------------------------------------------------- */

bool mgi_rel_mark(struct rel *rel, uint32_t round)
{
    uint32_t end = mgi_rel_end(rel);
    if (rel->mark_count && rel->marks[rel->mark_count - 1].end == end)
        return true;
    if (rel->mark_count == 0 && end == rel->first)
        return true;
    if (!mgi_grow(&rel->marks, &rel->mark_cap, (size_t)rel->mark_count + 1, sizeof *rel->marks))
        return false;
    rel->marks[rel->mark_count++] = (struct round_mark){ round, end };
    return true;
}

uint32_t mgi_rel_born(const struct rel *rel, uint32_t row)
{
    if (row < rel->first)
        return mgi_rel_born(rel->below, row);
    uint32_t lo = 0, hi = rel->mark_count;
    while (lo < hi) { /* the first mark whose end is beyond the row */
        uint32_t mid = lo + (hi - lo) / 2;
        if (rel->marks[mid].end > row)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo < rel->mark_count ? rel->marks[lo].round : UINT32_MAX;
}
