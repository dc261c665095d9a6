/* The rows of each key of an index, one after the other in the order of a scan, with their values
 * in the one column that is no key, and a filter of these values: so two atoms that bind one
 * variable are joined by going through the shorter list and asking the filter of the longer one,
 * where hash indexes follow a chain and ask the set of rows for each (eval_meet.c).
 *
 * A filter has at least sixteen bits a row, and a bit of it for each value. What is not in it is
 * not in the list; of what is not in the list about one in twenty is in it.
 *
 * They are made in one go, once whoever wants them has looked at so many rows for want of them that
 * it would have paid: so they may be asked for while a relation grows, too. */
#include <string.h>

#include "base/alloc.h"
#include "mangle/run/rel_key.h"

void mgi_lists_drop(struct lists *l)
{
    mgi_free(l->rows);
    mgi_free(l->of);
    mgi_free(l->filters);
    *l = (struct lists){ 0 };
}

static uint32_t other_column(const struct search *search)
{
    uint32_t column = 0;
    while (column < search->count && search->columns[column] == column)
        column++;
    return column;
}

/* A quarter of a word a row, or more: powers of two. */
static uint32_t filter_words_log2(uint32_t count)
{
    uint32_t log2 = 0;
    while (log2 < 26 && (UINT32_C(4) << log2) < count)
        log2++;
    return log2;
}

/* Where the rows and the filter of each key begin; how many words all filters have. */
static uint32_t place_keys(struct lists *l, const struct table *heads)
{
    uint32_t at = 0, words = 0;
    for (uint32_t slot = 0; slot < heads->cap; slot++) {
        const uint32_t *head = heads->slots + (size_t)slot * heads->stride;
        if (!head[0])
            continue;
        uint32_t log2 = filter_words_log2(head[2]);
        l->of[slot] = (struct list_place){ at, words, 32 - 6 - log2 };
        at += head[2];
        words += UINT32_C(1) << log2;
    }
    return words;
}

/* False: stopped. */
static bool list_key(const struct rel *rel, const struct index *ix, uint32_t newest,
                     const struct list_place *place, const struct pace *pace)
{
    uint32_t column = other_column(ix->search);
    const struct lists *l = &ix->lists;
    struct listed *to = l->rows + place->at;
    for (uint32_t row = newest; row != REL_NONE; row = ix->next[row - rel->first]) {
        uint32_t value = rel->rows[(size_t)(row - rel->first) * rel->arity + column];
        uint32_t bit = mgi_filter_bit(value, place->shift);
        *to++ = (struct listed){ value, row };
        l->filters[place->filter + bit / 64] |= UINT64_C(1) << (bit % 64);
        if (!mgi_pace(pace, 1))
            return false;
    }
    return true;
}

/* False: stopped. */
static bool list_keys(const struct rel *rel, const struct index *ix, const struct pace *pace)
{
    const struct table *heads = &ix->heads;
    for (uint32_t slot = 0; slot < heads->cap; slot++) {
        const uint32_t *head = heads->slots + (size_t)slot * heads->stride;
        if (head[0] && !list_key(rel, ix, head[0] - 1, &ix->lists.of[slot], pace))
            return false;
    }
    return true;
}

bool mgi_lists_make(struct rel *rel, uint32_t index, const struct pace *pace)
{
    struct index *ix = &rel->indexes[index];
    struct lists *l = &ix->lists;
    uint32_t count = ix->upto - rel->first;
    l->upto = l->asked = 0;
    if (count == 0)
        return true;
    if (!mgi_grow(&l->rows, &l->rows_cap, count, sizeof *l->rows) ||
        !mgi_grow(&l->of, &l->of_cap, ix->heads.cap, sizeof *l->of))
        return false;
    uint32_t words = place_keys(l, &ix->heads);
    if (!mgi_grow(&l->filters, &l->filters_cap, words, sizeof *l->filters))
        return false;
    memset(l->filters, 0, words * sizeof *l->filters);
    if (list_keys(rel, ix, pace))
        l->upto = ix->upto;
    return true;
}

struct list mgi_list_of(const struct rel *rel, uint32_t index, const uint32_t *key)
{
    const struct index *ix = &rel->indexes[index];
    const struct lists *l = &ix->lists;
    const uint32_t *head = mgi_head_slot(rel, ix, key, mgi_words_hash(key, ix->search->count));
    if (!head[0])
        return (struct list){ 0 };
    const struct list_place *place = &l->of[(size_t)(head - ix->heads.slots) / 3];
    return (struct list){ l->rows + place->at, head[2], l->filters + place->filter, place->shift };
}
