/* What a person would write in C for each workload, with arrays and bit matrices where ids are
 * small and dense: a limit that an engine for any program can hardly reach. */
#ifndef BENCH_ENGINE_LIMIT_H
#define BENCH_ENGINE_LIMIT_H

#include "table.h"

/* Rows of numbers; strings are ids. */
struct rows {
    uint32_t count, columns, capacity;
    int64_t *cells;
};

static inline int64_t cell(const struct rows *rows, uint32_t row, uint32_t column)
{
    return rows->cells[(size_t)row * rows->columns + column];
}

void rows_add(struct rows *rows, const int64_t *cells);
uint32_t rows_bound(const struct rows *rows, uint32_t column); /* above every number of a column */

/* The neighbours of n are to[from[n]] to to[from[n + 1]], in order. */
struct graph {
    uint32_t nodes, *from, *to;
};

/* Of two columns of rows, for that many nodes. */
struct graph graph_of(const struct rows *rows, uint32_t column, uint32_t other, uint32_t nodes);

/* A growing list. */
struct list {
    uint32_t count, capacity, *items;
};

/* A set of pairs below `nodes`: a bit matrix, and in the order of arrival; of each node the
 * partners, where `from` and `to` are kept. */
struct pairs {
    uint32_t nodes, count, capacity, *items;
    uint64_t *bits;
    struct list *from, *to;
};

struct pairs pairs_new(uint32_t nodes, bool partners);
bool pairs_has(const struct pairs *set, uint32_t a, uint32_t b);
void pairs_add(struct pairs *set, uint32_t a, uint32_t b);

/* A workload: its relations in the order of the command line; answers are added to out. */
typedef void solver(const struct rows *in, struct rows *out);
solver limit_closure, limit_generation, limit_pointers, limit_flows, limit_dominators,
    limit_complement, limit_triangles, limit_totals, limit_shortest, limit_orders, limit_people,
    limit_stays;
#endif
