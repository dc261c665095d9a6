/* Reading values: their parts, their order (M-VAL-68) and their hash (M-VAL-30 to 34).
 *
 * Nothing here recurses or allocates. Comparing follows one path down: as equal values are equal
 * words, the first pair of parts with different words decides, and the rest is not looked at. */
#include "mangle/value/value_int.h"

#include <assert.h>

/* ---- parts --------------------------------------------------------------------------------- */

enum mangle_kind mangle_kind_of(const mangle_values *t, mangle_value v)
{
    assert(v != MANGLE_NONE);
    return mgi_value_is_small(v) ? MANGLE_NUMBER : entry_kind(entry_of(t, v));
}

const char *mangle_text_of(const mangle_values *t, mangle_value v, size_t *len)
{
    assert(mangle_kind_of(t, v) <= MANGLE_BYTES);
    const struct value_entry *e = entry_of(t, v);
    *len = e->count;
    return e->text;
}

int64_t mangle_int_of(const mangle_values *t, mangle_value v)
{
    if (mgi_value_is_small(v))
        return mgi_value_small(v);
    const struct value_entry *e = entry_of(t, v);
    assert(entry_kind(e) == MANGLE_NUMBER || entry_kind(e) == MANGLE_TIME ||
           entry_kind(e) == MANGLE_DURATION);
    return e->integer;
}

double mangle_float_of(const mangle_values *t, mangle_value v)
{
    assert(mangle_kind_of(t, v) == MANGLE_FLOAT);
    return entry_of(t, v)->real;
}

void mangle_pair_of(const mangle_values *t, mangle_value v, mangle_value *first,
                    mangle_value *second)
{
    assert(mangle_kind_of(t, v) == MANGLE_PAIR);
    const struct value_entry *e = entry_of(t, v);
    *first = e->cell.first;
    *second = e->cell.second;
}

size_t mangle_count_of(const mangle_values *t, mangle_value v)
{
    assert(mangle_kind_of(t, v) >= MANGLE_LIST);
    return entry_of(t, v)->count;
}

bool mangle_next(const mangle_values *t, mangle_value *cursor, mangle_value *key,
                 mangle_value *value)
{
    const struct value_entry *e = entry_of(t, *cursor);
    if (e->count == 0)
        return false;
    if (entry_kind(e) == MANGLE_LIST) {
        *key = MANGLE_NONE;
        *value = e->cell.first;
        *cursor = e->cell.second;
    } else { /* the head of a map, or the item before the next one */
        *key = e[1].cell.first;
        *value = e[1].cell.second;
        ++*cursor;
    }
    return true;
}

bool mgi_value_uncons(const mangle_values *t, mangle_value list, mangle_value *head,
                      mangle_value *tail)
{
    assert(mangle_kind_of(t, list) == MANGLE_LIST);
    const struct value_entry *e = entry_of(t, list);
    if (e->count == 0)
        return false;
    *head = e->cell.first;
    *tail = e->cell.second;
    return true;
}

mangle_value mgi_value_list_get(const mangle_values *t, mangle_value list, uint64_t index)
{
    assert(mangle_kind_of(t, list) == MANGLE_LIST);
    const struct value_entry *e = entry_of(t, list);
    if (index >= e->count)
        return MANGLE_NONE;
    while (index-- > 0)
        e = entry_of(t, e->cell.second);
    return e->cell.first;
}

mangle_value mgi_value_entry(const mangle_values *t, mangle_value map, mangle_value key)
{
    const struct value_entry *e = entry_of(t, map);
    assert(entry_kind(e) == MANGLE_MAP || entry_kind(e) == MANGLE_STRUCT);
    uint32_t low = 0, high = e->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct value_entry *item = entry_ranked(e, middle);
        int order = mangle_compare(t, item->cell.first, key);
        if (order == 0)
            return item->cell.second;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return MANGLE_NONE;
}

uint32_t mgi_value_depth(const mangle_values *t, mangle_value v)
{
    return mgi_value_is_small(v) ? 0 : entry_depth(entry_of(t, v));
}

/* ---- order (M-VAL-68) ---------------------------------------------------------------------- */

static int value_compare_int(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

/* IEEE total order: as a sign-magnitude integer. */
static int64_t value_float_rank(double d)
{
    int64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits < 0 ? INT64_MIN - bits - 1 : bits;
}

/* The first elements that differ. False if one list is a prefix of the other: it comes first. */
static bool step_into_lists(const mangle_values *t, mangle_value *a, mangle_value *b)
{
    const struct value_entry *x = entry_of(t, *a), *y = entry_of(t, *b);
    while (x->count && y->count && x->cell.first == y->cell.first) {
        x = entry_of(t, x->cell.second);
        y = entry_of(t, y->cell.second);
    }
    *a = x->cell.first;
    *b = y->cell.first;
    return x->count && y->count;
}

/* The same over the entries in ascending order of their keys. */
static bool step_into_maps(const mangle_values *t, mangle_value *a, mangle_value *b)
{
    const struct value_entry *x = entry_of(t, *a), *y = entry_of(t, *b);
    uint32_t count = x->count < y->count ? x->count : y->count;
    for (uint32_t rank = 0; rank < count; rank++) {
        const struct value_entry *i = entry_ranked(x, rank), *j = entry_ranked(y, rank);
        bool keys_differ = i->cell.first != j->cell.first;
        if (keys_differ || i->cell.second != j->cell.second) {
            *a = keys_differ ? i->cell.first : i->cell.second;
            *b = keys_differ ? j->cell.first : j->cell.second;
            return true;
        }
    }
    return false;
}

static int value_compare_counts(const mangle_values *t, mangle_value a, mangle_value b)
{
    return value_compare_int((int64_t)mangle_count_of(t, a), (int64_t)mangle_count_of(t, b));
}

static int value_compare_scalars(const mangle_values *t, mangle_value a, mangle_value b)
{
    const struct value_entry *x, *y;
    switch (mangle_kind_of(t, a)) {
    case MANGLE_NUMBER:
    case MANGLE_TIME:
    case MANGLE_DURATION:
        return value_compare_int(mangle_int_of(t, a), mangle_int_of(t, b));
    case MANGLE_FLOAT:
        return value_compare_int(value_float_rank(mangle_float_of(t, a)),
                                 value_float_rank(mangle_float_of(t, b)));
    default:
        x = entry_of(t, a);
        y = entry_of(t, b);
        return mgi_str_compare(entry_text(x), entry_text(y));
    }
}

int mangle_compare(const mangle_values *t, mangle_value a, mangle_value b)
{
    while (a != b) {
        enum mangle_kind kind = mangle_kind_of(t, a), other = mangle_kind_of(t, b);
        mangle_value x = a, y = b;
        if (kind != other)
            return kind < other ? -1 : 1;
        if (kind < MANGLE_PAIR)
            return value_compare_scalars(t, a, b);
        if (kind == MANGLE_PAIR) {
            const struct value_entry *i = entry_of(t, a), *j = entry_of(t, b);
            bool firsts_differ = i->cell.first != j->cell.first;
            a = firsts_differ ? i->cell.first : i->cell.second;
            b = firsts_differ ? j->cell.first : j->cell.second;
        } else if (kind == MANGLE_LIST ? !step_into_lists(t, &a, &b) : !step_into_maps(t, &a, &b)) {
            return value_compare_counts(t, x, y);
        }
    }
    return 0;
}

int mgi_fact_compare(const mangle_values *t, const struct mangle_fact *a,
                     const struct mangle_fact *b)
{
    for (uint32_t i = 0; i < a->count && i < b->count; i++) {
        int order = mangle_compare(t, a->args[i], b->args[i]);
        if (order)
            return order;
    }
    int order = value_compare_int(a->t.start_ns, b->t.start_ns);
    return order ? order : value_compare_int(a->t.end_ns, b->t.end_ns);
}

/* ---- hash ---------------------------------------------------------------------------------- */

#define FNV_START UINT64_C(14695981039346656037)
#define FNV_PRIME UINT64_C(1099511628211)

static uint64_t value_fnv(uint64_t hash, const void *bytes, size_t len)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < len; i++)
        hash = hash * FNV_PRIME ^ p[i];
    return hash;
}

uint64_t mgi_hash_pairing(uint64_t a, uint64_t b)
{
    return a >= b ? a * a + a + b : b * b + a;
}

uint64_t mgi_hash_cell(uint64_t first, uint64_t second, unsigned code)
{
    return mgi_hash_pairing(first << code, second);
}

uint64_t mgi_value_hash(const mangle_values *t, mangle_value v)
{
    if (mgi_value_is_small(v))
        return (uint64_t)(int64_t)mgi_value_small(v);
    const struct value_entry *e = entry_of(t, v);
    switch (entry_kind(e)) {
    case MANGLE_NAME:
    case MANGLE_STRING:
    case MANGLE_BYTES:
        return value_fnv(FNV_START, e->text, e->count);
    case MANGLE_NUMBER:
    case MANGLE_FLOAT: /* the bits */
    case MANGLE_TIME:
    case MANGLE_DURATION:
        return (uint64_t)e->integer;
    default:
        return e->hash;
    }
}

uint64_t mgi_atom_hash(const mangle_values *t, struct str pred, const mangle_value *args,
                       uint32_t count)
{
    uint64_t hash = value_fnv(FNV_START, pred.ptr, pred.len);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t arg = mgi_value_hash(t, args[i]);
        unsigned char bytes[8];
        for (int b = 0; b < 8; b++)
            bytes[b] = (unsigned char)(arg >> (8 * b));
        hash = value_fnv(hash, bytes, sizeof bytes);
    }
    return hash;
}
