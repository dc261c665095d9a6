/* Rows, graphs and sets of pairs. The programs that use them end soon: nothing is given back. */
#include "limit.h"

#include <stdlib.h>
#include <string.h>

static void *must(void *p)
{
    if (!p)
        give_up("limit", "out of memory");
    return p;
}

void rows_add(struct rows *rows, const int64_t *cells)
{
    if (rows->count == rows->capacity) {
        rows->capacity = rows->capacity ? 2 * rows->capacity : 1024;
        rows->cells = must(
            realloc(rows->cells, (size_t)rows->capacity * rows->columns * sizeof *rows->cells));
    }
    memcpy(rows->cells + (size_t)rows->count++ * rows->columns, cells,
           rows->columns * sizeof *cells);
}

uint32_t rows_bound(const struct rows *rows, uint32_t column)
{
    int64_t bound = 0;
    for (uint32_t r = 0; r < rows->count; r++)
        if (cell(rows, r, column) >= bound)
            bound = cell(rows, r, column) + 1;
    return (uint32_t)bound;
}

static int by_id(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

struct graph graph_of(const struct rows *rows, uint32_t column, uint32_t other, uint32_t nodes)
{
    struct graph g = { nodes, must(calloc(nodes + 2, sizeof *g.from)),
                       must(malloc((rows->count + 1) * sizeof *g.to)) };
    uint32_t *next = g.from + 1;
    for (uint32_t r = 0; r < rows->count; r++)
        next[cell(rows, r, column) + 1]++;
    for (uint32_t n = 0; n < nodes; n++)
        next[n + 1] += next[n];
    for (uint32_t r = 0; r < rows->count; r++)
        g.to[next[cell(rows, r, column)]++] = (uint32_t)cell(rows, r, other);
    for (uint32_t n = 0; n < nodes; n++)
        qsort(g.to + g.from[n], g.from[n + 1] - g.from[n], sizeof *g.to, by_id);
    return g;
}

struct pairs pairs_new(uint32_t nodes, bool partners)
{
    struct pairs set = { .nodes = nodes };
    set.bits = must(calloc((size_t)nodes * nodes / 64 + 1, sizeof *set.bits));
    if (partners) {
        set.from = must(calloc(nodes, sizeof *set.from));
        set.to = must(calloc(nodes, sizeof *set.to));
    }
    return set;
}

bool pairs_has(const struct pairs *set, uint32_t a, uint32_t b)
{
    size_t bit = (size_t)a * set->nodes + b;
    return set->bits[bit / 64] >> (bit % 64) & 1;
}

static void push(struct list *list, uint32_t item)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 8;
        list->items = must(realloc(list->items, list->capacity * sizeof *list->items));
    }
    list->items[list->count++] = item;
}

void pairs_add(struct pairs *set, uint32_t a, uint32_t b)
{
    size_t bit = (size_t)a * set->nodes + b;
    uint64_t one = UINT64_C(1) << (bit % 64);
    if (set->bits[bit / 64] & one)
        return;
    set->bits[bit / 64] |= one;
    if (set->count == set->capacity) {
        set->capacity = set->capacity ? 2 * set->capacity : 1024;
        set->items = must(realloc(set->items, (size_t)set->capacity * 2 * sizeof *set->items));
    }
    set->items[2 * (size_t)set->count] = a;
    set->items[2 * (size_t)set->count++ + 1] = b;
    if (set->from) {
        push(&set->from[a], b);
        push(&set->to[b], a);
    }
}
