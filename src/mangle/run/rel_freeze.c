/* The frozen form of an index: the rows of a key lie together, ascending, and are found by one
 * probe.
 *
 * It is made in three passes, none of which follows a pointer: each row gets the number of its key,
 * keys get their place by how many rows they have, rows go there. */
#include <string.h>

#include "base/alloc.h"
#include "mangle/run/rel_key.h"

static struct group *group_slot(const struct rel *rel, const struct index *ix, const uint32_t *key)
{
    uint64_t hash = mgi_words_hash(key, ix->search->count);
    uint32_t tag = mgi_key_tag(key, ix->search->count, hash);
    uint32_t mask = ix->group_cap - 1;
    for (uint32_t at = (uint32_t)(hash >> 32) & mask;; at = (at + 1) & mask) {
        struct group *g = &ix->groups[at];
        if (g->end == 0)
            return g;
        if (g->tag == tag &&
            (ix->search->count == 1 ||
             mgi_key_equals(ix->search, mgi_rel_row(rel, ix->perm[g->start]), key)))
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

/* ---- making it ------------------------------------------------------------------------------- */

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

static bool make_tables(const struct rel *rel, struct index *ix, uint32_t key_count)
{
    uint32_t cap = TABLE_MIN;
    while ((uint64_t)key_count * 3 > (uint64_t)cap * 2)
        cap *= 2;
    ix->groups = mgi_calloc(cap, sizeof *ix->groups);
    ix->perm = mgi_alloc((size_t)rel->count * sizeof *ix->perm);
    if (!ix->groups || !ix->perm)
        return false;
    ix->group_cap = cap;
    if (rel->arity == 0 || rel->arity > COPY_MAX_ARITY)
        return true;
    ix->copies = mgi_alloc((size_t)rel->count * rel->arity * sizeof *ix->copies);
    return ix->copies != NULL;
}

static void place_rows(const struct rel *rel, struct index *ix, struct grouping *g)
{
    for (uint32_t row = 0; row < rel->count; row++) {
        uint32_t at = g->keys[g->of[row]].at++;
        ix->perm[at] = row;
        if (ix->copies)
            memcpy(ix->copies + (size_t)at * rel->arity, mgi_rel_row(rel, row),
                   rel->arity * sizeof *ix->copies);
    }
    for (uint32_t k = 0; k < g->key_count; k++) {
        uint32_t key[KEY_MAX], end = g->keys[k].at;
        mgi_key_of(g->search, mgi_rel_row(rel, g->keys[k].row), key);
        uint64_t hash = mgi_words_hash(key, g->search->count);
        *group_slot(rel, ix, key) =
            (struct group){ mgi_key_tag(key, g->search->count, hash), end - g->keys[k].count, end };
    }
}

static bool freeze_index(const struct rel *rel, struct index *ix)
{
    struct grouping g = { .rel = rel, .search = ix->search, .table = { .stride = 2 } };
    bool ok = number_rows(&g) && make_tables(rel, ix, g.key_count);
    if (ok)
        place_rows(rel, ix, &g);
    mgi_free(g.table.slots);
    mgi_free(g.keys);
    mgi_free(g.of);
    return ok;
}

bool mgi_rel_freeze(struct rel *rel)
{
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
