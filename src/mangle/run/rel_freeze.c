/* The frozen form of an index: the rows of a key lie together, ascending, and are found by one
 * look.
 *
 * Places are counted key by key. A key of one column whose words stand in a narrow range, as ids
 * that are given in order mostly do, is itself where its first place is told; others are hashed.
 * At the places of short rows are their words without those at the ends that the key has: of a pair
 * the other column, four bytes. Which row it is, is asked by proofs alone, and then looked up;
 * where intervals stand beside rows, rows may be dead, or are long, the number of the row is there.
 *
 * It is made in passes, none of which follows a pointer: keys are counted, get their places, rows
 * go there. */
#include <string.h>

#include "base/alloc.h"
#include "mangle/run/rel_key.h"

#define WORDS_A_KEY 4 /* of a range of keys, at most: a slot for hashed ones takes as much */

static struct group_slot *slot_of(const struct rel *rel, const struct index *ix,
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
    return ix->group_cap ? slot_of(frozen, ix, key)->rows : (struct group){ 0 };
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

/* The first column that is not part of the key, and how many there are to the last such one. */
static uint32_t first_free(const struct search *s)
{
    uint32_t column = 0;
    while (column < s->count && s->columns[column] == column)
        column++;
    return column;
}

static uint32_t free_width(const struct search *s, uint32_t arity)
{
    uint32_t end = arity;
    for (uint32_t i = s->count; i > 0 && s->columns[i - 1] == end - 1; i--)
        end--;
    return end > first_free(s) ? end - first_free(s) : 0;
}

uint32_t mgi_index_row(const struct rel *frozen, uint32_t index, uint32_t at, const uint32_t *key)
{
    const struct index *ix = &frozen->indexes[index];
    uint32_t words[COPY_MAX_ARITY], from = first_free(ix->search);
    if (ix->perm)
        return ix->perm[at];
    memcpy(words + from, mgi_index_words(frozen, ix, at) + from, ix->width * sizeof *words);
    for (uint32_t i = 0; i < ix->search->count; i++)
        words[ix->search->columns[i]] = key[i];
    return mgi_rel_find(frozen, words);
}

/* ---- numbers for keys ------------------------------------------------------------------------ */

struct key_run {  /* a key, while its rows are counted, then placed */
    uint32_t row; /* its first one */
    uint32_t count, at;
};

struct grouping {
    const struct rel *rel;
    const struct search *search;
    struct table table; /* key -> its number + 1, tag */
    struct key_run *keys;
    size_t keys_cap;
    uint32_t key_count;
    uint32_t *of; /* row -> number of its key */
};

/* The number of the row's key, which is made if it is new. */
static bool number_key(struct grouping *g, uint32_t row, uint64_t hash)
{
    uint32_t key[KEY_MAX], count = g->search->count;
    if (mgi_table_full(&g->table) &&
        !mgi_table_double(&g->table, count == 1 ? SLOT_WORD : SLOT_TAG))
        return false;
    mgi_key_of(g->search, mgi_rel_row(g->rel, row), key);
    uint32_t tag = mgi_key_tag(key, count, hash), mask = g->table.cap - 1;
    uint32_t *s, at = (uint32_t)(hash >> 32) & mask;
    for (;; at = (at + 1) & mask) {
        s = g->table.slots + (size_t)at * 2;
        if (s[0] == 0 ||
            (s[1] == tag &&
             (count == 1 ||
              mgi_key_equals(g->search, mgi_rel_row(g->rel, g->keys[s[0] - 1].row), key))))
            break;
    }
    if (s[0] == 0) {
        if (g->key_count >= g->keys_cap &&
            !mgi_grow(&g->keys, &g->keys_cap, (size_t)g->key_count + 1, sizeof *g->keys))
            return false;
        g->keys[g->key_count] = (struct key_run){ .row = row };
        s[0] = ++g->key_count;
        s[1] = tag;
        g->table.used++;
    }
    g->of[row] = s[0] - 1;
    g->keys[s[0] - 1].count++;
    return true;
}

static bool number_rows(struct grouping *g)
{
    g->of = mgi_alloc((size_t)g->rel->count * sizeof *g->of);
    if (!g->of)
        return false;
    for (uint32_t from = 0; from < g->rel->count; from += ROWS_AHEAD) {
        uint64_t hashes[ROWS_AHEAD];
        uint32_t left = g->rel->count - from, count = left < ROWS_AHEAD ? left : ROWS_AHEAD;
        for (uint32_t i = 0; i < count; i++) {
            hashes[i] = mgi_row_key_hash(g->rel, g->search, from + i);
            mgi_table_prefetch(&g->table, hashes[i]);
        }
        for (uint32_t i = 0; i < count; i++)
            if (!number_key(g, from + i, hashes[i]))
                return false;
    }
    uint32_t at = 0;
    for (uint32_t k = 0; k < g->key_count; k++) {
        g->keys[k].at = at;
        at += g->keys[k].count;
    }
    return true;
}

/* ---- places ---------------------------------------------------------------------------------- */

static bool make_places(const struct rel *rel, struct index *ix)
{
    bool brief = rel->arity > 0 && rel->arity <= COPY_MAX_ARITY;
    uint32_t from = first_free(ix->search);
    if (brief) {
        ix->width = free_width(ix->search, rel->arity);
        ix->copies = mgi_alloc((from + (size_t)rel->count * ix->width) * sizeof *ix->copies);
        if (!ix->copies)
            return false;
        memset(ix->copies, 0, from * sizeof *ix->copies);
    }
    if (brief && !rel->temporal && !rel->lattice)
        return true;
    ix->perm = mgi_alloc((size_t)rel->count * sizeof *ix->perm);
    return ix->perm != NULL;
}

/* A copy's words stand `from` words on, so that columns count as they do in a row. */
static inline void place_row(const struct rel *rel, struct index *ix, uint32_t from, uint32_t row,
                             uint32_t at)
{
    const uint32_t *words = rel->rows + (size_t)row * rel->arity;
    if (ix->perm)
        ix->perm[at] = row;
    if (ix->width == 1)
        ix->copies[at + from] = words[from];
    else if (ix->copies)
        memcpy(ix->copies + (size_t)at * ix->width + from, words + from, ix->width * sizeof *words);
}

/* ---- keys in a narrow range ------------------------------------------------------------------ */

static void find_range(const struct rel *rel, uint32_t column, uint32_t *low, uint32_t *high)
{
    *low = UINT32_MAX;
    *high = 0;
    for (uint32_t row = 0; row < rel->count; row++) {
        uint32_t word = rel->rows[(size_t)row * rel->arity + column];
        *low = word < *low ? word : *low;
        *high = word > *high ? word : *high;
    }
}

/* Counts stand two on from their keys; their sums, then, one on, and move to where they belong
 * while rows go to their places. */
static uint32_t count_keys(const struct rel *rel, uint32_t column, uint32_t low, uint32_t *counts)
{
    uint32_t keys = 0;
    for (uint32_t row = 0; row < rel->count; row++)
        keys += counts[rel->rows[(size_t)row * rel->arity + column] - low + 2]++ == 0;
    return keys;
}

static bool is_narrow(const struct rel *rel, uint64_t range, uint64_t keys)
{
    return !rel->hashed_always && range <= keys * WORDS_A_KEY;
}

/* *done: false if the keys are not in a narrow range. */
static bool freeze_narrow(const struct rel *rel, struct index *ix, bool *done)
{
    uint32_t column = ix->search->columns[0], low, high, from = first_free(ix->search);
    find_range(rel, column, &low, &high);
    uint64_t range = (uint64_t)high - low + 1;
    *done = false;
    if (!is_narrow(rel, range, rel->count))
        return true;
    uint32_t *starts = mgi_calloc(range + 2, sizeof *starts);
    if (!starts)
        return false;
    if (!is_narrow(rel, range, count_keys(rel, column, low, starts))) {
        mgi_free(starts);
        return true;
    }
    for (uint64_t i = 2; i < range + 2; i++)
        starts[i] += starts[i - 1];
    for (uint32_t row = 0; row < rel->count; row++) {
        uint32_t key = rel->rows[(size_t)row * rel->arity + column] - low;
        place_row(rel, ix, from, row, starts[key + 1]++);
    }
    ix->starts = starts;
    ix->low = low;
    ix->range = (uint32_t)range;
    return *done = true;
}

/* ---- keys that are hashed -------------------------------------------------------------------- */

static bool make_slots(struct index *ix, uint32_t key_count)
{
    uint32_t cap = TABLE_MIN;
    while ((uint64_t)key_count * 3 > (uint64_t)cap * 2)
        cap *= 2;
    ix->groups = mgi_calloc(cap, sizeof *ix->groups);
    if (!ix->groups)
        return false;
    ix->group_cap = cap;
    return true;
}

static void place_rows(const struct rel *rel, struct index *ix, struct grouping *g)
{
    uint32_t from = first_free(ix->search);
    for (uint32_t row = 0; row < rel->count; row++)
        place_row(rel, ix, from, row, g->keys[g->of[row]].at++);
    for (uint32_t k = 0; k < g->key_count; k++) {
        uint32_t key[KEY_MAX], end = g->keys[k].at;
        mgi_key_of(g->search, mgi_rel_row(rel, g->keys[k].row), key);
        uint64_t hash = mgi_words_hash(key, g->search->count);
        *slot_of(rel, ix, key) = (struct group_slot){ mgi_key_tag(key, g->search->count, hash),
                                                      g->keys[k].row,
                                                      { end - g->keys[k].count, end } };
    }
}

static bool freeze_hashed(const struct rel *rel, struct index *ix)
{
    struct grouping g = { .rel = rel, .search = ix->search, .table = { .stride = 2 } };
    bool ok = number_rows(&g) && make_slots(ix, g.key_count);
    if (ok)
        place_rows(rel, ix, &g);
    mgi_free(g.table.slots);
    mgi_free(g.keys);
    mgi_free(g.of);
    return ok;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool freeze_index(const struct rel *rel, struct index *ix)
{
    bool done = false;
    if (!make_places(rel, ix) || (ix->search->count == 1 && !freeze_narrow(rel, ix, &done)))
        return false;
    return ix->has_groups = done || freeze_hashed(rel, ix);
}

/* What has no use any more, or more room than rows. */
static bool trim(struct rel *rel)
{
    size_t words = (size_t)rel->count * rel->arity;
    uint32_t *rows = words ? mgi_realloc(rel->rows, words * sizeof *rows) : rel->rows;
    if (words && !rows)
        return false;
    rel->rows = rows;
    rel->rows_cap = rel->count;
    mgi_bits_drop(&rel->bits);
    return mgi_packed_make(rel);
}

bool mgi_rel_freeze(struct rel *rel)
{
    if (rel->keeps && !trim(rel))
        return false;
    for (uint32_t i = 0; i < rel->index_count; i++) {
        struct index *ix = &rel->indexes[i];
        mgi_free(ix->heads.slots);
        mgi_free(ix->next);
        ix->heads = (struct table){ .stride = 3 };
        ix->next = NULL;
        ix->next_cap = 0;
        mgi_lists_drop(&ix->lists);
        if (ix->search->frozen && rel->count && !freeze_index(rel, ix))
            return false;
        if (ix->search->timed && ix->perm && !mgi_zones_make(&ix->zones, rel, ix->perm, NULL))
            return false;
    }
    mgi_free(rel->zones.hulls);
    rel->zones = (struct zones){ 0 };
    if (rel->timed && !mgi_zones_make(&rel->zones, rel, NULL, NULL))
        return false;
    mgi_free(rel->times.exact.slots);
    rel->times.exact = (struct table){ .stride = 2 };
    rel->frozen = true;
    return true;
}
