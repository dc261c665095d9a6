/* Sorting row numbers by the values in the rows (M-VAL-68): a merge sort from below, because it
 * needs a context and must not depend on the C library for its order. */
#include <string.h>

#include "mangle/run/eval.h"

static bool row_before(const mangle_values *t, const struct rel *rel, uint32_t a, uint32_t b)
{
    const uint32_t *x = mgi_rel_row(rel, a), *y = mgi_rel_row(rel, b);
    for (uint32_t i = 0; i < rel->arity; i++) {
        if (x[i] == y[i])
            continue;
        if (mgi_value_is_small(x[i]) && mgi_value_is_small(y[i]))
            return mgi_value_small(x[i]) < mgi_value_small(y[i]);
        return mangle_compare(t, x[i], y[i]) < 0;
    }
    return false;
}

#define SHORT_RUN 8

/* Rows order[from..end), a few: each goes before those that it is less than. */
static void sort_run(const mangle_values *t, const struct rel *rel, uint32_t *order, size_t from,
                     size_t end)
{
    for (size_t i = from + 1; i < end; i++) {
        uint32_t row = order[i];
        size_t at = i;
        for (; at > from && row_before(t, rel, row, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = row;
    }
}

enum mangle_status mgi_sort_rows(struct eval *x, const struct rel *rel, uint32_t *order,
                                 uint32_t *spare, size_t count)
{
    for (size_t from = 0; from < count; from += SHORT_RUN) {
        size_t end = from + SHORT_RUN < count ? from + SHORT_RUN : count;
        sort_run(x->values, rel, order, from, end);
        x->steps -= SHORT_RUN;
        enum mangle_status st = mgi_eval_step(x);
        if (st)
            return st;
    }
    for (size_t run = SHORT_RUN; run < count; run *= 2) {
        for (size_t from = 0; from < count; from += 2 * run) {
            size_t mid = from + run < count ? from + run : count;
            size_t end = from + 2 * run < count ? from + 2 * run : count;
            size_t a = from, b = mid;
            for (size_t at = from; at < end; at++) {
                bool second =
                    a == mid || (b < end && row_before(x->values, rel, order[b], order[a]));
                spare[at] = second ? order[b++] : order[a++];
                enum mangle_status st = mgi_eval_step(x);
                if (st)
                    return st;
            }
        }
        memcpy(order, spare, count * sizeof *order);
    }
    return MANGLE_OK;
}
