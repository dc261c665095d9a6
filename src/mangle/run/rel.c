/* Rows, their deduplication, and hash indexes on what grows. See rel.h for the idea. Hash
 * tables are in rel_table.c, intervals in rel_times.c, which rows are alive in rel_lattice.c.
 *
 * A slot of `known` holds the row's number + 1 and, for one or two columns, the row itself, so that
 * a probe touches one cache line; wider rows have 32 bits of their hash there instead. */
#include "mangle/run/rel.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"

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
    if (search_count == 0)
        return true;
    rel->indexes = mgi_calloc(search_count, sizeof *rel->indexes);
    if (!rel->indexes)
        return false;
    rel->index_count = search_count;
    for (uint32_t i = 0; i < search_count; i++) {
        rel->indexes[i].search = &searches[i];
        rel->indexes[i].heads.stride = 2;
        rel->indexes[i].upto = rel->first;
    }
    return true;
}

void mgi_rel_fini(struct rel *rel)
{
    for (uint32_t i = 0; i < rel->index_count; i++) {
        mgi_free(rel->indexes[i].heads.slots);
        mgi_free(rel->indexes[i].next);
        mgi_free(rel->indexes[i].groups);
        mgi_free(rel->indexes[i].perm);
        mgi_free(rel->indexes[i].copies);
    }
    mgi_free(rel->indexes);
    mgi_free(rel->rows);
    mgi_free(rel->known.slots);
    mgi_free(rel->marks);
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
    for (uint32_t i = 0; i < rel->index_count; i++) {
        table_clear(&rel->indexes[i].heads);
        rel->indexes[i].upto = rel->first;
    }
    mgi_times_reset(&rel->times);
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
            if (s[1] == (uint32_t)hash &&
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
        slot[1] = (uint32_t)hash;
}

static bool known_grow(struct rel *rel)
{
    if (!mgi_table_grow(&rel->known, rel->count + 1)) {
        return false;
    }
    for (uint32_t i = 0; i < rel->count; i++) {
        const uint32_t *words = rel->rows + (size_t)i * rel->arity;
        uint64_t hash = mgi_words_hash(words, rel->arity);
        known_fill(rel, known_slot(rel, words, hash), words, hash, rel->first + i);
    }
    rel->known.used = rel->count;
    return true;
}

static uint32_t find_hashed(const struct rel *rel, const uint32_t *words, uint64_t hash)
{
    if (rel->known.cap == 0)
        return REL_NONE;
    const uint32_t *slot = known_slot(rel, words, hash);
    return slot[0] ? slot[0] - 1 : REL_NONE;
}

uint32_t mgi_rel_find(const struct rel *rel, const uint32_t *words)
{
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

bool mgi_rel_insert(struct rel *rel, const uint32_t *words, uint32_t *row, bool *added)
{
    assert(!rel->frozen);
    uint64_t hash = mgi_words_hash(words, rel->arity);
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
    return true;
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

static uint32_t key_tag(const uint32_t *key, uint32_t count, uint64_t hash)
{
    return count == 1 ? key[0] : (uint32_t)hash;
}

static bool key_equals(const struct search *search, const uint32_t *row, const uint32_t *key)
{
    for (uint32_t i = 0; i < search->count; i++)
        if (row[search->columns[i]] != key[i])
            return false;
    return true;
}

static uint32_t *head_slot(const struct rel *rel, const struct index *ix, const uint32_t *key,
                           uint64_t hash)
{
    const struct table *t = &ix->heads;
    uint32_t tag = key_tag(key, ix->search->count, hash);
    uint32_t mask = t->cap - 1;
    for (uint32_t at = (uint32_t)(hash >> 32) & mask;; at = (at + 1) & mask) {
        uint32_t *s = t->slots + (size_t)at * 2;
        if (s[0] == 0)
            return s;
        if (s[1] == tag &&
            (ix->search->count == 1 || key_equals(ix->search, mgi_rel_row(rel, s[0] - 1), key)))
            return s;
    }
}

#define KEY_MAX 64 /* columns of a key; wider searches use the first ones (plan_index.c) */

static void key_of(const struct search *search, const uint32_t *row, uint32_t *key)
{
    for (uint32_t i = 0; i < search->count; i++)
        key[i] = row[search->columns[i]];
}

static void index_put(struct rel *rel, struct index *ix, uint32_t row)
{
    uint32_t key[KEY_MAX];
    key_of(ix->search, mgi_rel_row(rel, row), key);
    uint64_t hash = mgi_words_hash(key, ix->search->count);
    uint32_t *slot = head_slot(rel, ix, key, hash);
    ix->next[row - rel->first] = slot[0] ? slot[0] - 1 : REL_NONE;
    if (!slot[0]) {
        ix->heads.used++;
        slot[1] = key_tag(key, ix->search->count, hash);
    }
    slot[0] = row + 1;
}

bool mgi_rel_sync(struct rel *rel, uint32_t index)
{
    struct index *ix = &rel->indexes[index];
    uint32_t end = mgi_rel_end(rel);
    if (ix->upto == end)
        return true;
    assert(!rel->frozen && ix->search->count <= KEY_MAX);
    if (rel->count > ix->next_cap &&
        !mgi_grow(&ix->next, &ix->next_cap, rel->rows_cap, sizeof *ix->next))
        return false;
    for (; ix->upto < end; ix->upto++) {
        if (mgi_table_full(&ix->heads)) {
            if (!mgi_table_grow(&ix->heads, ix->heads.used + 1))
                return false;
            for (uint32_t row = rel->first; row < ix->upto; row++)
                index_put(rel, ix, row);
        }
        index_put(rel, ix, ix->upto);
    }
    return true;
}

uint32_t mgi_index_head(const struct rel *rel, uint32_t index, const uint32_t *key)
{
    const struct index *ix = &rel->indexes[index];
    if (ix->heads.cap == 0)
        return REL_NONE;
    const uint32_t *slot = head_slot(rel, ix, key, mgi_words_hash(key, ix->search->count));
    return slot[0] ? slot[0] - 1 : REL_NONE;
}

/* ---- the frozen form ------------------------------------------------------------------------ */

static struct group *group_slot(const struct rel *rel, const struct index *ix, const uint32_t *key)
{
    uint64_t hash = mgi_words_hash(key, ix->search->count);
    uint32_t tag = key_tag(key, ix->search->count, hash);
    uint32_t mask = ix->group_cap - 1;
    for (uint32_t at = (uint32_t)(hash >> 32) & mask;; at = (at + 1) & mask) {
        struct group *g = &ix->groups[at];
        if (g->end == 0)
            return g;
        if (g->tag == tag && (ix->search->count == 1 ||
                              key_equals(ix->search, mgi_rel_row(rel, ix->perm[g->start]), key)))
            return g;
    }
}

const struct group *mgi_index_group(const struct rel *frozen, uint32_t index, const uint32_t *key)
{
    const struct index *ix = &frozen->indexes[index];
    if (ix->group_cap == 0)
        return NULL;
    const struct group *g = group_slot(frozen, ix, key);
    return g->end ? g : NULL;
}

static bool copy_rows(const struct rel *rel, struct index *ix)
{
    if (rel->arity == 0 || rel->arity > COPY_MAX_ARITY)
        return true;
    ix->copies = mgi_alloc((size_t)rel->count * rel->arity * sizeof *ix->copies);
    for (uint32_t i = 0; ix->copies && i < rel->count; i++)
        memcpy(ix->copies + (size_t)i * rel->arity, mgi_rel_row(rel, ix->perm[i]),
               rel->arity * sizeof *ix->copies);
    return ix->copies != NULL;
}

/* Rows of one key next to each other: the chains of the growing index already group them, so each
 * is written out once, oldest first. */
static bool freeze_index(struct rel *rel, uint32_t index)
{
    struct index *ix = &rel->indexes[index];
    if (!mgi_rel_sync(rel, index))
        return false;
    uint32_t cap = TABLE_MIN;
    while ((uint64_t)ix->heads.used * 3 > (uint64_t)cap * 2)
        cap *= 2;
    ix->groups = mgi_calloc(cap, sizeof *ix->groups);
    ix->perm = mgi_alloc((size_t)rel->count * sizeof *ix->perm);
    if (!ix->groups || !ix->perm)
        return false;
    ix->group_cap = cap;
    uint32_t at = 0;
    for (uint32_t i = 0; i < ix->heads.cap; i++) {
        const uint32_t *slot = ix->heads.slots + (size_t)i * 2;
        if (slot[0] == 0)
            continue;
        uint32_t key[KEY_MAX];
        key_of(ix->search, mgi_rel_row(rel, slot[0] - 1), key);
        struct group *g = group_slot(rel, ix, key);
        uint32_t start = at;
        for (uint32_t row = slot[0] - 1; row != REL_NONE; row = ix->next[row])
            ix->perm[at++] = row;
        for (uint32_t a = start, b = at - 1; a < b; a++, b--) {
            uint32_t swap = ix->perm[a];
            ix->perm[a] = ix->perm[b];
            ix->perm[b] = swap;
        }
        *g = (struct group){ slot[1], start, at };
    }
    return copy_rows(rel, ix);
}

bool mgi_rel_freeze(struct rel *rel)
{
    for (uint32_t i = 0; i < rel->index_count; i++) {
        struct index *ix = &rel->indexes[i];
        if (ix->search->frozen && rel->count && !freeze_index(rel, i))
            return false;
        mgi_free(ix->heads.slots);
        mgi_free(ix->next);
        ix->heads = (struct table){ .stride = 2 };
        ix->next = NULL;
        ix->next_cap = 0;
    }
    mgi_free(rel->times.exact.slots);
    rel->times.exact = (struct table){ .stride = 2 };
    rel->frozen = true;
    return true;
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
