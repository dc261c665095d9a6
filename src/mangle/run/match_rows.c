/* See match_rows.h. */
#include "mangle/run/match_rows.h"

#include <stdlib.h>

#include "base/alloc.h"

#define ASKED_BEFORE 4     /* times that all rows are looked at */
#define LEAST_ROWS   32    /* fewer are looked at as fast */
#define MOST_ROWS    65536 /* of more, sorting them would be felt by the one who asks */

struct match_rows {
    uint32_t pred_count;
    struct of_pred {
        uint32_t *rows; /* NULL: not made */
        uint32_t asked;
    } of[];
};

struct keyed {
    uint32_t word, row;
};

struct match_rows *mgi_match_rows_new(uint32_t pred_count)
{
    struct match_rows *m = mgi_calloc(1, sizeof *m + pred_count * sizeof *m->of);
    if (m)
        m->pred_count = pred_count;
    return m;
}

void mgi_match_rows_free(struct match_rows *m)
{
    for (uint32_t i = 0; m && i < m->pred_count; i++)
        mgi_free(m->of[i].rows);
    mgi_free(m);
}

static int by_word(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    if (x->word != y->word)
        return x->word < y->word ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* NULL: memory is short, which costs time and nothing else. */
static uint32_t *sorted(const struct rel *rel)
{
    struct keyed *keyed = mgi_alloc(rel->first * sizeof *keyed);
    uint32_t *rows = keyed ? mgi_alloc(rel->first * sizeof *rows) : NULL;
    for (uint32_t row = 0; rows && row < rel->first; row++)
        keyed[row] = (struct keyed){ mgi_rel_row(rel, row)[0], row };
    if (rows)
        qsort(keyed, rel->first, sizeof *keyed, by_word);
    for (uint32_t i = 0; rows && i < rel->first; i++)
        rows[i] = keyed[i].row;
    mgi_free(keyed);
    return rows;
}

/* The first place whose word is not below `value`. */
static uint32_t first_place(const struct rel *rel, const uint32_t *rows, uint32_t value)
{
    uint32_t low = 0, high = rel->first;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (mgi_rel_row(rel, rows[middle])[0] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const uint32_t *mgi_match_rows(struct match_rows *m, uint32_t pred, const struct rel *rel,
                               uint32_t value, uint32_t *begin, uint32_t *end)
{
    struct of_pred *of = &m->of[pred];
    if (rel->first < LEAST_ROWS || rel->first > MOST_ROWS)
        return NULL;
    if (!of->rows && of->asked++ >= ASKED_BEFORE)
        of->rows = sorted(rel);
    if (!of->rows)
        return NULL;
    *begin = first_place(rel, of->rows, value);
    *end = *begin;
    while (*end < rel->first && mgi_rel_row(rel, of->rows[*end])[0] == value)
        ++*end;
    return of->rows;
}
