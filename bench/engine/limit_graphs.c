/* Graphs: closures, generations, dominators, triangles, shortest paths. */
#include "limit.h"

#include <stdlib.h>

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void answer(struct rows *out, uint32_t a, uint32_t b)
{
    rows_add(out, (int64_t[]){ a, b });
}

static void answer_all(struct rows *out, const struct pairs *set)
{
    for (size_t i = 0; i < set->count; i++)
        answer(out, set->items[2 * i], set->items[2 * i + 1]);
}

static struct pairs paths(const struct rows *edges, uint32_t nodes)
{
    struct graph g = graph_of(edges, 0, 1, nodes);
    struct pairs set = pairs_new(nodes, false);
    for (uint32_t x = 0; x < nodes; x++) {
        uint32_t at = set.count;
        for (uint32_t e = g.from[x]; e < g.from[x + 1]; e++)
            pairs_add(&set, x, g.to[e]);
        for (; at < set.count; at++)
            for (uint32_t y = set.items[2 * (size_t)at + 1], e = g.from[y]; e < g.from[y + 1]; e++)
                pairs_add(&set, x, g.to[e]);
    }
    return set;
}

void limit_closure(const struct rows *in, struct rows *out)
{
    struct pairs set = paths(&in[0], larger(rows_bound(&in[0], 0), rows_bound(&in[0], 1)));
    answer_all(out, &set);
}

void limit_complement(const struct rows *in, struct rows *out)
{
    uint32_t nodes =
        larger(rows_bound(&in[1], 0), larger(rows_bound(&in[0], 0), rows_bound(&in[0], 1)));
    struct pairs set = paths(&in[0], nodes);
    for (uint32_t x = 0; x < in[1].count; x++)
        for (uint32_t y = 0; y < in[1].count; y++)
            if (!pairs_has(&set, (uint32_t)cell(&in[1], x, 0), (uint32_t)cell(&in[1], y, 0)))
                answer(out, (uint32_t)cell(&in[1], x, 0), (uint32_t)cell(&in[1], y, 0));
}

static void add_all(struct pairs *set, const struct graph *g, uint32_t p, uint32_t q)
{
    for (uint32_t x = g->from[p]; x < g->from[p + 1]; x++)
        for (uint32_t y = g->from[q]; y < g->from[q + 1]; y++)
            pairs_add(set, g->to[x], g->to[y]);
}

void limit_generation(const struct rows *in, struct rows *out)
{
    uint32_t nodes = larger(rows_bound(&in[0], 0), rows_bound(&in[0], 1));
    struct graph children = graph_of(&in[0], 1, 0, nodes);
    struct pairs set = pairs_new(nodes, false);
    for (uint32_t p = 0; p < nodes; p++)
        add_all(&set, &children, p, p);
    for (size_t at = 0; at < set.count; at++)
        add_all(&set, &children, set.items[2 * at], set.items[2 * at + 1]);
    answer_all(out, &set);
}

/* Marks what is reached from 0 with `mark`, never through `avoided`. */
static void reach(const struct graph *g, uint32_t avoided, uint32_t mark, uint32_t *seen,
                  uint32_t *queue)
{
    uint32_t count = 0;
    if (avoided == 0)
        return;
    seen[0] = mark;
    queue[count++] = 0;
    for (uint32_t at = 0; at < count; at++)
        for (uint32_t e = g->from[queue[at]]; e < g->from[queue[at] + 1]; e++) {
            uint32_t y = g->to[e];
            if (y == avoided || seen[y] == mark)
                continue;
            seen[y] = mark;
            queue[count++] = y;
        }
}

void limit_dominators(const struct rows *in, struct rows *out)
{
    uint32_t nodes = rows_bound(&in[1], 0);
    struct graph g = graph_of(&in[0], 0, 1, nodes);
    uint32_t *all = calloc(nodes, sizeof *all), *seen = calloc(nodes, sizeof *seen),
             *queue = calloc(nodes, sizeof *queue);
    if (!all || !seen || !queue)
        give_up("limit", "out of memory");
    reach(&g, nodes, 1, all, queue);
    for (uint32_t i = 0; i < in[1].count; i++) {
        uint32_t d = (uint32_t)cell(&in[1], i, 0);
        reach(&g, d, i + 1, seen, queue);
        for (uint32_t x = 0; x < nodes; x++)
            if (all[x] && seen[x] != i + 1)
                answer(out, d, x);
    }
}

static bool has(const struct graph *g, uint32_t x, uint32_t z)
{
    uint32_t low = g->from[x], high = g->from[x + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (g->to[middle] < z)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->from[x + 1] && g->to[low] == z;
}

/* The neighbours of the one that has fewer are looked up among those of the other. */
void limit_triangles(const struct rows *in, struct rows *out)
{
    struct graph g = graph_of(&in[0], 0, 1, larger(rows_bound(&in[0], 0), rows_bound(&in[0], 1)));
    for (uint32_t x = 0; x < g.nodes; x++)
        for (uint32_t e = g.from[x]; e < g.from[x + 1]; e++) {
            uint32_t y = g.to[e];
            bool less = g.from[x + 1] - g.from[x] < g.from[y + 1] - g.from[y];
            uint32_t few = less ? x : y, many = less ? y : x;
            for (uint32_t i = g.from[few]; i < g.from[few + 1]; i++)
                if (has(&g, many, g.to[i]))
                    rows_add(out, (int64_t[]){ x, y, g.to[i] });
        }
}

/* Dijkstra with a bucket for each length: lengths are small. */
void limit_shortest(const struct rows *in, struct rows *out)
{
    enum { BOUND = 60, FAR = INT32_MAX };
    uint32_t nodes =
        larger(rows_bound(&in[0], 0), larger(rows_bound(&in[0], 1), rows_bound(&in[1], 0)));
    struct rows numbered = { .columns = 2 };
    for (uint32_t r = 0; r < in[0].count; r++)
        rows_add(&numbered, (int64_t[]){ cell(&in[0], r, 0), r });
    struct graph roads = graph_of(&numbered, 0, 1, nodes);
    int32_t *best = malloc(nodes * sizeof *best);
    struct rows at[BOUND] = { 0 };
    if (!best)
        give_up("limit", "out of memory");
    for (uint32_t n = 0; n < nodes; n++)
        best[n] = FAR;
    for (int d = 0; d < BOUND; d++)
        at[d].columns = 1;
    for (uint32_t r = 0; r < in[1].count; r++) {
        best[cell(&in[1], r, 0)] = 0;
        rows_add(&at[0], (int64_t[]){ cell(&in[1], r, 0) });
    }
    for (int d = 0; d < BOUND; d++)
        for (uint32_t i = 0; i < at[d].count; i++) {
            uint32_t x = (uint32_t)cell(&at[d], i, 0);
            for (uint32_t e = best[x] == d ? roads.from[x] : roads.from[x + 1];
                 e < roads.from[x + 1]; e++) {
                int64_t y = cell(&in[0], roads.to[e], 1), to = d + cell(&in[0], roads.to[e], 2);
                if (to >= BOUND || to >= best[y])
                    continue;
                best[y] = (int32_t)to;
                rows_add(&at[to], &y);
            }
        }
    for (uint32_t n = 0; n < nodes; n++)
        if (best[n] != FAR)
            answer(out, n, (uint32_t)best[n]);
}
