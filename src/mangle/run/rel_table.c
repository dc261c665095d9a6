/* The hash tables of relations: open addressing over words, of any stride. */
#include "mangle/run/rel.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"

bool mgi_table_grow(struct table *t, uint32_t need)
{
    uint64_t cap = t->cap ? (uint64_t)t->cap * 2 : TABLE_MIN;
    while ((uint64_t)need * 3 > cap * 2)
        cap *= 2;
    if (cap > UINT32_C(1) << 31)
        return false;
    size_t words = (size_t)cap * t->stride;
    if (words > t->room) {
        uint32_t *slots = mgi_alloc(words * sizeof *slots);
        if (!slots)
            return false;
        mgi_free(t->slots);
        t->slots = slots;
        t->room = words;
    }
    memset(t->slots, 0, words * sizeof *t->slots);
    t->cap = (uint32_t)cap;
    t->used = 0;
    return true;
}

static uint32_t home_of(const uint32_t *slot, enum slot_form form)
{
    switch (form) {
    case SLOT_WORD:
        return (uint32_t)(mgi_words_hash(slot + 1, 1) >> 32);
    case SLOT_PAIR:
        return (uint32_t)(mgi_words_hash(slot + 1, 2) >> 32);
    default:
        return slot[1];
    }
}

/* In place. Slots are emptied one after the other, beginning behind an empty one, so that whatever
 * stood before a slot has moved already: its content finds room there at the latest, in the lower
 * half or, as far from its new home, in the upper one. */
static void spread(struct table *t, enum slot_form form)
{
    uint32_t old = t->cap / 2, mask = t->cap - 1, start = 0, last = t->stride - 1;
    while (t->slots[(size_t)start * t->stride])
        start++;
    for (uint32_t i = 1; i < old; i++) {
        uint32_t *from = t->slots + (size_t)((start + i) & (old - 1)) * t->stride;
        if (from[0] == 0)
            continue;
        uint32_t at = home_of(from, form) & mask, first = from[0], second = from[1];
        uint32_t third = from[last];
        from[0] = 0;
        while (t->slots[(size_t)at * t->stride])
            at = (at + 1) & mask;
        uint32_t *to = t->slots + (size_t)at * t->stride;
        to[0] = first;
        to[1] = second;
        to[last] = third;
    }
}

bool mgi_table_double(struct table *t, enum slot_form form)
{
    if (t->cap == 0)
        return mgi_table_grow(t, 1);
    assert(t->stride == 2 || t->stride == 3);
    if (t->cap >= UINT32_C(1) << 31)
        return false;
    size_t half = (size_t)t->cap * t->stride;
    if (half * 2 > t->room) {
        uint32_t *slots = mgi_realloc(t->slots, half * 2 * sizeof *slots);
        if (!slots)
            return false;
        t->slots = slots;
        t->room = half * 2;
    }
    memset(t->slots + half, 0, half * sizeof *t->slots);
    t->cap *= 2;
    spread(t, form);
    return true;
}
