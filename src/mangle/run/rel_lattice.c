/* Relations whose facts are merged: which rows are live, by the values of their source columns. See
 * rel.h for the idea. */
#include <string.h>

#include "base/alloc.h"
#include "mangle/run/rel.h"

bool mgi_rel_make_lattice(struct rel *rel, const uint32_t *source, uint32_t count)
{
    rel->lattice = mgi_calloc(1, sizeof *rel->lattice);
    if (!rel->lattice)
        return false;
    rel->lattice->source = source;
    rel->lattice->source_count = count;
    rel->lattice->heads.stride = 2;
    return true;
}

void mgi_lattice_reset(struct lattice *l)
{
    l->heads.cap = l->heads.used = 0;
    l->key_count = l->node_count = 0;
    if (l->dead_words)
        memset(l->dead, 0, l->dead_words * sizeof *l->dead);
    l->dead_words = 0;
    l->given_up = false;
    if (l->best)
        mgi_best_reset(l->best);
}

void mgi_lattice_free(struct lattice *l)
{
    if (!l)
        return;
    mgi_free(l->heads.slots);
    mgi_free(l->keys);
    mgi_free(l->nodes);
    mgi_free(l->dead);
    mgi_best_free(l->best);
    mgi_free(l);
}

/* ---- keys ------------------------------------------------------------------------------------ */

static uint64_t key_hash(const struct lattice *l, const uint32_t *words)
{
    uint64_t h = l->source_count;
    for (uint32_t i = 0; i < l->source_count; i++)
        h = mgi_mix(h ^ words[l->source[i]]) + UINT64_C(0x9e3779b97f4a7c15);
    return h;
}

static bool same_key(const struct lattice *l, const uint32_t *a, const uint32_t *b)
{
    for (uint32_t i = 0; i < l->source_count; i++)
        if (a[l->source[i]] != b[l->source[i]])
            return false;
    return true;
}

/* The slot of the key of `words`, or the empty one where it would go. */
static uint32_t *key_slot(const struct rel *rel, const uint32_t *words, uint64_t hash)
{
    const struct lattice *l = rel->lattice;
    uint32_t mask = l->heads.cap - 1;
    for (uint32_t at = (uint32_t)(hash >> 32) & mask;; at = (at + 1) & mask) {
        uint32_t *s = l->heads.slots + (size_t)at * 2;
        if (s[0] == 0)
            return s;
        if (s[1] == (uint32_t)hash && same_key(l, mgi_rel_row(rel, l->keys[s[0] - 1].row), words))
            return s;
    }
}

static uint32_t find_key(const struct rel *rel, const uint32_t *words)
{
    const struct lattice *l = rel->lattice;
    if (l->heads.cap == 0)
        return REL_NONE;
    const uint32_t *s = key_slot(rel, words, key_hash(l, words));
    return s[0] ? s[0] - 1 : REL_NONE;
}

/* `row` has the source columns of the new key. */
static bool add_key(struct rel *rel, uint32_t row, uint32_t *key)
{
    struct lattice *l = rel->lattice;
    if (!mgi_grow(&l->keys, &l->keys_cap, (size_t)l->key_count + 1, sizeof *l->keys))
        return false;
    if (mgi_table_full(&l->heads)) {
        if (!mgi_table_grow(&l->heads, l->key_count + 1))
            return false;
        for (uint32_t k = 0; k < l->key_count; k++) {
            const uint32_t *words = mgi_rel_row(rel, l->keys[k].row);
            uint64_t hash = key_hash(l, words);
            uint32_t *s = key_slot(rel, words, hash);
            s[0] = k + 1;
            s[1] = (uint32_t)hash;
        }
        l->heads.used = l->key_count;
    }
    const uint32_t *words = mgi_rel_row(rel, row);
    uint64_t hash = key_hash(l, words);
    uint32_t *s = key_slot(rel, words, hash);
    *key = l->key_count++;
    l->keys[*key] = (struct lattice_key){ row, REL_NONE };
    s[0] = *key + 1;
    s[1] = (uint32_t)hash;
    l->heads.used++;
    return true;
}

/* The list of the base becomes an own one. */
static bool copy_list(struct rel *rel, uint32_t below_key, uint32_t *key)
{
    const struct lattice *b = rel->below->lattice;
    if (!add_key(rel, b->keys[below_key].row, key))
        return false;
    for (uint32_t n = b->keys[below_key].head; n != REL_NONE; n = b->nodes[n].next)
        if (b->nodes[n].row != REL_NONE && !mgi_lattice_put(rel, *key, b->nodes[n].row))
            return false;
    return true;
}

bool mgi_lattice_open(struct rel *rel, const uint32_t *words, uint32_t *key)
{
    *key = find_key(rel, words);
    if (*key != REL_NONE || !rel->below)
        return true;
    uint32_t below_key = find_key(rel->below, words);
    return below_key == REL_NONE || copy_list(rel, below_key, key);
}

/* ---- rows ------------------------------------------------------------------------------------ */

bool mgi_lattice_kill(struct rel *rel, uint32_t row)
{
    struct lattice *l = rel->lattice;
    size_t words = (size_t)row / 64 + 1, before = l->dead_cap;
    if (!mgi_grow(&l->dead, &l->dead_cap, words, sizeof *l->dead))
        return false;
    if (l->dead_cap > before)
        memset(l->dead + before, 0, (l->dead_cap - before) * sizeof *l->dead);
    l->dead[row / 64] |= UINT64_C(1) << (row % 64);
    if (words > l->dead_words)
        l->dead_words = words;
    return true;
}

bool mgi_lattice_put(struct rel *rel, uint32_t key, uint32_t row)
{
    struct lattice *l = rel->lattice;
    if (key == REL_NONE && !add_key(rel, row, &key))
        return false;
    uint32_t last = REL_NONE;
    for (uint32_t n = l->keys[key].head; n != REL_NONE; last = n, n = l->nodes[n].next) {
        if (l->nodes[n].row == REL_NONE) {
            l->nodes[n].row = row;
            return true;
        }
    }
    if (!mgi_grow(&l->nodes, &l->nodes_cap, (size_t)l->node_count + 1, sizeof *l->nodes))
        return false;
    l->nodes[l->node_count] = (struct lattice_node){ row, REL_NONE };
    if (last == REL_NONE)
        l->keys[key].head = l->node_count;
    else
        l->nodes[last].next = l->node_count;
    l->node_count++;
    return true;
}
