/* The table of values as value.c, value_read.c and value_print.c see it.
 *
 * A table is an array of entries; a value's word is the index of its entry. A map or struct is a
 * head entry followed by one item entry per key, in printed order, so that `cursor + 1` walks it.
 * The item at place r also holds the place of the key of rank r in ascending order: with it two
 * maps are compared, and keys are found, without sorting or recursion. Only text lives elsewhere,
 * in the arena.
 *
 * What a word costs: an entry of 24 bytes and, at half load, 16 to 32 bytes of slots. */
#ifndef MGI_MANGLE_VALUE_INT_H
#define MGI_MANGLE_VALUE_INT_H

#include "mangle/value/value.h"

#define VALUE_SMALL_MIN (-(INT64_C(1) << 30))
#define VALUE_SMALL_MAX ((INT64_C(1) << 30) - 1)

#define KIND_ITEM 15u /* an entry of a map or struct: no value by itself */

struct value_entry {
    uint32_t shape; /* kind in the low 8 bits, depth above */
    uint32_t count; /* text: bytes; lists, maps, structs: items; items: how many follow */
    union {
        const char *text;
        int64_t integer; /* number, time, duration */
        double real;
        struct {
            mangle_value first, second; /* pair; list: head, tail; item: key, value */
        } cell;
    };
    uint64_t hash; /* pair, list, map, struct: M-VAL-32. Text: of mgi_hash_bytes(). Items: the
                    * place of the key of this item's rank */
};

struct value_slot {
    uint32_t hash;
    mangle_value value; /* MANGLE_NONE: empty */
};

struct mangle_values {
    struct value_entry *entries; /* entries[0] is never used */
    size_t count, cap;
    struct value_slot *slots; /* cap is a power of two, at most half full */
    size_t slot_cap, slot_used;
    const struct mangle_values *shared; /* the parent of an overlay, else the table itself */
    bool overlay, frozen;
    enum values_fault fault;
    size_t limit;
    struct arena text;
};

/* What is looked for: a scalar, or a cell, or the 2 * count words of a map. */
struct value_candidate {
    struct value_entry entry;
    const mangle_value *words; /* key, value, key, value ... in printed order; maps only */
    const uint32_t *ranks;     /* the place of each rank */
};

#define VALUES_MAX_ENTRIES ((size_t)VALUE_OVERLAY) /* an index has 30 bits */

/* The word of what has this content: found, or added. MANGLE_NONE: see mgi_values_fault(). */
mangle_value mgi_values_intern(mangle_values *t, const struct value_candidate *c);
/* The same, of a candidate whose hash is known. */
mangle_value mgi_values_intern_hashed(mangle_values *t, const struct value_candidate *c,
                                      uint32_t hash);
uint32_t mgi_value_content_hash(const struct value_candidate *c);
mangle_value mgi_values_fail(mangle_values *t, enum values_fault fault); /* MANGLE_NONE */

static inline const struct value_entry *entry_of(const mangle_values *t, mangle_value v)
{
    return v & VALUE_OVERLAY ? &t->entries[v & ~VALUE_OVERLAY] : &t->shared->entries[v];
}

static inline enum mangle_kind entry_kind(const struct value_entry *e)
{
    return (enum mangle_kind)(e->shape & 0xff);
}

static inline uint32_t entry_depth(const struct value_entry *e)
{
    return e->shape >> 8;
}

static inline struct str entry_text(const struct value_entry *e)
{
    return (struct str){ e->text, e->count };
}

/* The item with the key of rank `rank`, of the map or struct at `head`. */
static inline const struct value_entry *entry_ranked(const struct value_entry *head, uint32_t rank)
{
    return &head[1 + head[1 + rank].hash];
}

uint64_t mgi_hash_pairing(uint64_t a, uint64_t b); /* M-VAL-32 */
uint64_t mgi_hash_cell(uint64_t first, uint64_t second, unsigned code);

/* Orders canonical texts, for keys of the same hash (M-VAL-33): 0 when they are equal, when memory
 * is short, or when texts as long as CANONICAL_COMPARE_MAX do not differ. */
int mgi_compare_canonical(const mangle_values *t, mangle_value a, mangle_value b);
#define CANONICAL_COMPARE_MAX ((size_t)1 << 16)

#endif
