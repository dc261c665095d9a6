/* Making maps and structs: their entries are ranked by key (M-VAL-68), the last of equal keys is
 * kept (M-VAL-26), and what is left is placed in printed order (M-VAL-33). O(n log n). */
#include "mangle/value/value_int.h"

#include "base/alloc.h"

#define MAP_INLINE_MAX 16 /* entries of a map that are sorted on the stack */

/* Scratch for one map: the entries given, ranked by key, and placed in printed order. */
struct map_sort {
    const mangle_values *t;
    const mangle_value *keys;
    uint64_t *hashes;    /* of each key given */
    uint32_t *by_key;    /* indexes in ascending order of the keys, without duplicates */
    uint32_t *by_hash;   /* ranks in printed order */
    uint32_t *place;     /* of each rank */
    mangle_value *words; /* the run */
};

/* Equal keys: the one written first comes first, so that the last one can win. */
static int map_compare_keys(const struct map_sort *m, uint32_t a, uint32_t b)
{
    int order = mangle_compare(m->t, m->keys[a], m->keys[b]);
    return order ? order : a < b ? -1 : a > b;
}

static int map_compare_hashes(const struct map_sort *m, uint32_t a, uint32_t b)
{
    uint64_t ha = m->hashes[m->by_key[a]], hb = m->hashes[m->by_key[b]];
    if (ha != hb)
        return ha > hb ? -1 : 1;
    int order = mgi_compare_canonical(m->t, m->keys[m->by_key[a]], m->keys[m->by_key[b]]);
    return order ? order : a < b ? -1 : a > b;
}

typedef int map_compare(const struct map_sort *m, uint32_t a, uint32_t b);

static void map_sift_down(const struct map_sort *m, map_compare *compare, uint32_t *items,
                          size_t root, size_t count)
{
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= count)
            return;
        if (child + 1 < count && compare(m, items[child], items[child + 1]) < 0)
            child++;
        if (compare(m, items[root], items[child]) >= 0)
            return;
        uint32_t swap = items[root];
        items[root] = items[child];
        items[child] = swap;
        root = child;
    }
}

static void map_insertion_sort(const struct map_sort *m, map_compare *compare, uint32_t *items,
                               size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint32_t item = items[i];
        size_t at = i;
        for (; at > 0 && compare(m, items[at - 1], item) > 0; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

/* Few entries, which are often in order already, by insertion; else heap sort: in place, and
 * O(n log n) whatever the keys. Both orders are strict, so stability does not matter. */
static void map_sort_indexes(const struct map_sort *m, map_compare *compare, uint32_t *items,
                             size_t count)
{
    if (count <= MAP_INLINE_MAX) {
        map_insertion_sort(m, compare, items, count);
        return;
    }
    for (size_t root = count / 2; root-- > 0;)
        map_sift_down(m, compare, items, root, count);
    for (size_t last = count; last-- > 1;) {
        uint32_t swap = items[0];
        items[0] = items[last];
        items[last] = swap;
        map_sift_down(m, compare, items, 0, last);
    }
}

/* The last of equal keys wins (M-VAL-26). */
static uint32_t map_drop_duplicates(struct map_sort *m, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (i + 1 == count || m->keys[m->by_key[i]] != m->keys[m->by_key[i + 1]])
            m->by_key[kept++] = m->by_key[i];
    return kept;
}

static uint32_t sort_map(struct map_sort *m, const mangle_value *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        m->hashes[i] = mgi_value_hash(m->t, m->keys[i]);
        m->by_key[i] = i;
    }
    map_sort_indexes(m, map_compare_keys, m->by_key, count);
    count = map_drop_duplicates(m, count);
    for (uint32_t rank = 0; rank < count; rank++)
        m->by_hash[rank] = rank;
    map_sort_indexes(m, map_compare_hashes, m->by_hash, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t given = m->by_key[m->by_hash[i]];
        m->place[m->by_hash[i]] = i;
        m->words[2 * (size_t)i] = m->keys[given];
        m->words[2 * (size_t)i + 1] = values[given];
    }
    return count;
}

#define MAP_SORT_BYTES (sizeof(uint64_t) + 5 * sizeof(uint32_t)) /* scratch for one entry */

static bool entries_complete(const mangle_value *keys, const mangle_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (keys[i] == MANGLE_NONE || values[i] == MANGLE_NONE)
            return false;
    return true;
}

static mangle_value intern_map(mangle_values *t, enum mangle_kind kind, const mangle_value *keys,
                               const mangle_value *values, size_t count)
{
    if (count == 0)
        return kind == MANGLE_MAP ? VALUE_EMPTY_MAP : VALUE_EMPTY_STRUCT;
    if (!entries_complete(keys, values, count))
        return MANGLE_NONE;
    if (count >= VALUES_MAX_ENTRIES)
        return mgi_values_fail(t, VALUES_LIMIT);
    uint64_t inlined[MAP_INLINE_MAX * MAP_SORT_BYTES / sizeof(uint64_t)];
    uint64_t *scratch = inlined;
    if (count > MAP_INLINE_MAX && !(scratch = mgi_alloc(count * MAP_SORT_BYTES)))
        return mgi_values_fail(t, VALUES_NOMEM);

    struct map_sort m = { .t = t, .keys = keys, .hashes = scratch };
    m.by_key = (uint32_t *)(void *)(scratch + count);
    m.by_hash = m.by_key + count;
    m.place = m.by_hash + count;
    m.words = m.place + count;
    uint32_t kept = sort_map(&m, values, (uint32_t)count);
    mangle_value v = mgi_values_intern(
        t, &(struct value_candidate){
               .entry = { .shape = kind, .count = kept }, .words = m.words, .ranks = m.place });
    if (scratch != inlined)
        mgi_free(scratch);
    return v;
}

mangle_value mangle_map(mangle_values *t, const mangle_value *keys, const mangle_value *values,
                        size_t count)
{
    return intern_map(t, MANGLE_MAP, keys, values, count);
}

mangle_value mangle_struct(mangle_values *t, const mangle_value *labels, const mangle_value *values,
                           size_t count)
{
    return intern_map(t, MANGLE_STRUCT, labels, values, count);
}
