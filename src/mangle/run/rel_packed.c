/* The rows of a frozen relation as a set: one word a slot, three quarters of them full. The lower
 * bits of a slot are the row's number + 1, as many as the largest number needs; what is left above
 * is of the row's hash, so that rows are looked at where they are most likely equal. Five bytes a
 * row, where the table that grows (rel.c) has up to 36 and is found with one line of memory less.
 */
#include <string.h>

#include "base/alloc.h"
#include "mangle/run/rel_key.h"

static bool same_words(const uint32_t *a, const uint32_t *b, uint32_t arity)
{
    for (uint32_t i = 0; i < arity; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static uint32_t slot_after(const struct packed *p, uint32_t at)
{
    return at + 1 == p->cap ? 0 : at + 1;
}

/* The part of a slot above the row's number. */
static uint32_t tag_of(const struct packed *p, uint64_t hash)
{
    return (uint32_t)hash & ~p->row_mask;
}

uint32_t mgi_packed_find(const struct rel *rel, const uint32_t *words, uint64_t hash)
{
    const struct packed *p = &rel->packed;
    uint32_t tag = tag_of(p, hash);
    for (uint32_t at = mgi_packed_home(p, hash);; at = slot_after(p, at)) {
        uint32_t slot = p->slots[at];
        if (slot == 0)
            return REL_NONE;
        uint32_t row = (slot & p->row_mask) - 1;
        if ((slot & ~p->row_mask) == tag &&
            same_words(rel->rows + (size_t)row * rel->arity, words, rel->arity))
            return row;
    }
}

/* Rows are different, but where facts are merged: of equal rows the last one is found. */
static void put_row(const struct rel *rel, struct packed *p, uint32_t row, uint64_t hash)
{
    const uint32_t *words = rel->rows + (size_t)row * rel->arity;
    uint32_t tag = tag_of(p, hash), at = mgi_packed_home(p, hash);
    for (; p->slots[at]; at = slot_after(p, at)) {
        uint32_t before = (p->slots[at] & p->row_mask) - 1;
        if (rel->lattice && (p->slots[at] & ~p->row_mask) == tag &&
            same_words(rel->rows + (size_t)before * rel->arity, words, rel->arity))
            break;
    }
    p->slots[at] = tag | (row + 1);
}

bool mgi_packed_make(struct rel *rel, const struct pace *pace)
{
    struct packed p = { .row_mask = UINT32_MAX };
    uint64_t cap = (uint64_t)rel->count + rel->count / 3 + 1;
    if (cap > UINT32_MAX || rel->count == 0)
        return true; /* `known` stays */
    while (p.row_mask / 2 >= rel->count)
        p.row_mask /= 2;
    p.cap = (uint32_t)cap;
    p.slots = mgi_calloc(p.cap, sizeof *p.slots);
    if (!p.slots)
        return false;
    for (uint32_t from = 0; from < rel->count; from += ROWS_AHEAD) {
        uint64_t hashes[ROWS_AHEAD];
        uint32_t left = rel->count - from, count = left < ROWS_AHEAD ? left : ROWS_AHEAD;
        for (uint32_t i = 0; i < count; i++) {
            hashes[i] = mgi_words_hash(rel->rows + (size_t)(from + i) * rel->arity, rel->arity);
            __builtin_prefetch(p.slots + mgi_packed_home(&p, hashes[i]), 1);
        }
        for (uint32_t i = 0; i < count; i++)
            put_row(rel, &p, from + i, hashes[i]);
        if (!mgi_rows_go_on(pace, from + count - 1)) {
            mgi_free(p.slots);
            return false;
        }
    }
    rel->packed = p;
    mgi_free(rel->known.slots);
    rel->known = (struct table){ .stride = rel->known.stride };
    return true;
}
