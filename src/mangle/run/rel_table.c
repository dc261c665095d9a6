/* The hash tables of relations: open addressing over words, of any stride. */
#include "mangle/run/rel.h"

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
