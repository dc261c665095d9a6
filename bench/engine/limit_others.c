/* Programs' pointers and flows, groups, joins, intervals. */
#include "limit.h"

#include <stdlib.h>
#include <string.h>

static uint32_t bound_of_all(const struct rows *in, uint32_t relations)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < relations; i++)
        for (uint32_t c = 0; c < 2; c++)
            if (rows_bound(&in[i], c) > most)
                most = rows_bound(&in[i], c);
    return most;
}

static void *zeros(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    if (!p)
        give_up("limit", "out of memory");
    return p;
}

static void add_pairs(struct rows *out, const struct pairs *set)
{
    for (size_t i = 0; i < set->count; i++)
        rows_add(out, (int64_t[]){ set->items[2 * i], set->items[2 * i + 1] });
}

#define EACH(item, list)                                                                           \
    for (uint32_t item##_i = 0, item;                                                              \
         item##_i < (list).count && ((item = (list).items[item##_i]), true); item##_i++)
#define NEAR(item, g, n)                                                                           \
    for (uint32_t item##_i = (g).from[n], item;                                                    \
         item##_i < (g).from[(n) + 1] && ((item = (g).to[item##_i]), true); item##_i++)

struct pointers {
    struct graph assign, load, store,
        stored; /* by the right side; store by the left, stored by the right */
    struct pairs points, holds, loads; /* loads(p, v): v is loaded from what may be p */
};

static void pointed(struct pointers *p, uint32_t w, uint32_t o)
{
    NEAR (v, p->assign, w)
        pairs_add(&p->points, v, o);
    NEAR (v, p->load, w)
        pairs_add(&p->loads, o, v);
    NEAR (x, p->store, w)
        EACH (t, p->points.from[x])
            pairs_add(&p->holds, o, t);
    NEAR (v, p->stored, w)
        EACH (t, p->points.from[v])
            pairs_add(&p->holds, t, o);
}

void limit_pointers(const struct rows *in, struct rows *out)
{
    uint32_t n = bound_of_all(in, 4);
    struct pointers p = { graph_of(&in[1], 1, 0, n), graph_of(&in[2], 1, 0, n),
                          graph_of(&in[3], 0, 1, n), graph_of(&in[3], 1, 0, n),
                          pairs_new(n, true),        pairs_new(n, true),
                          pairs_new(n, true) };
    for (uint32_t r = 0; r < in[0].count; r++)
        pairs_add(&p.points, (uint32_t)cell(&in[0], r, 0), (uint32_t)cell(&in[0], r, 1));
    for (size_t a = 0, b = 0, c = 0; a < p.points.count || b < p.holds.count || c < p.loads.count;)
        if (a < p.points.count) {
            pointed(&p, p.points.items[2 * a], p.points.items[2 * a + 1]);
            a++;
        } else if (b < p.holds.count) {
            EACH (v, p.loads.from[p.holds.items[2 * b]])
                pairs_add(&p.points, v, p.holds.items[2 * b + 1]);
            b++;
        } else {
            EACH (o, p.holds.from[p.loads.items[2 * c]])
                pairs_add(&p.points, p.loads.items[2 * c + 1], o);
            c++;
        }
    add_pairs(out, &p.points);
}

struct flows {
    struct graph assign, dereference; /* assign by the right side */
    struct pairs flow, memory, value;
};

static void flowed(struct flows *f, uint32_t x, uint32_t y)
{
    EACH (z, f->flow.from[y])
        pairs_add(&f->flow, x, z);
    EACH (w, f->flow.to[x])
        pairs_add(&f->flow, w, y);
    EACH (z, f->flow.from[x]) {
        pairs_add(&f->value, y, z);
        pairs_add(&f->value, z, y);
    }
    EACH (w, f->memory.from[x])
        EACH (z, f->flow.from[w])
            pairs_add(&f->value, y, z);
    EACH (v, f->memory.to[x])
        EACH (z, f->flow.from[v])
            pairs_add(&f->value, z, y);
}

static void aliased(struct flows *f, uint32_t z, uint32_t y)
{
    NEAR (x, f->assign, z)
        pairs_add(&f->flow, x, y);
    EACH (a, f->flow.from[z])
        EACH (b, f->flow.from[y])
            pairs_add(&f->value, a, b);
}

void limit_flows(const struct rows *in, struct rows *out)
{
    uint32_t n = bound_of_all(in, 2);
    struct flows f = { graph_of(&in[0], 1, 0, n), graph_of(&in[1], 0, 1, n), pairs_new(n, true),
                       pairs_new(n, true), pairs_new(n, false) };
    for (uint32_t r = 0; r < in[0].count; r++) {
        uint32_t x = (uint32_t)cell(&in[0], r, 0), y = (uint32_t)cell(&in[0], r, 1);
        pairs_add(&f.flow, x, x);
        pairs_add(&f.flow, y, y);
        pairs_add(&f.flow, x, y);
        pairs_add(&f.memory, x, x);
        pairs_add(&f.memory, y, y);
    }
    for (size_t a = 0, b = 0, c = 0; a < f.flow.count || b < f.memory.count || c < f.value.count;)
        if (a < f.flow.count) {
            flowed(&f, f.flow.items[2 * a], f.flow.items[2 * a + 1]);
            a++;
        } else if (b < f.memory.count) {
            aliased(&f, f.memory.items[2 * b], f.memory.items[2 * b + 1]);
            b++;
        } else {
            NEAR (x, f.dereference, f.value.items[2 * c])
                NEAR (w, f.dereference, f.value.items[2 * c + 1])
                    pairs_add(&f.memory, x, w);
            c++;
        }
    add_pairs(out, &f.flow);
}

void limit_totals(const struct rows *in, struct rows *out)
{
    uint32_t items = rows_bound(&in[0], 0);
    int64_t(*totals)[5] = zeros(items, sizeof *totals);
    for (uint32_t r = 0; r < in[0].count; r++) {
        int64_t *t = totals[cell(&in[0], r, 0)], amount = cell(&in[0], r, 2);
        if (t[1]++ == 0 || amount < t[3])
            t[3] = amount;
        if (amount > t[4])
            t[4] = amount;
        t[2] += amount;
    }
    for (uint32_t i = 0; i < items; i++) {
        totals[i][0] = i;
        if (totals[i][1])
            rows_add(out, totals[i]);
    }
}

static int64_t *column_by_key(const struct rows *rows)
{
    int64_t *column = zeros(rows_bound(rows, 0), sizeof *column);
    for (uint32_t r = 0; r < rows->count; r++)
        column[cell(rows, r, 0)] = cell(rows, r, 1);
    return column;
}

/* Each order's customer and product are there: they are drawn so. */
void limit_orders(const struct rows *in, struct rows *out)
{
    int64_t *country = column_by_key(&in[1]), *kind = column_by_key(&in[2]);
    for (uint32_t r = 0; r < in[0].count; r++)
        if (cell(&in[0], r, 4) == 7 && country[cell(&in[0], r, 1)] == 3 &&
            kind[cell(&in[0], r, 2)] < 20)
            rows_add(out,
                     (int64_t[]){ cell(&in[0], r, 0), cell(&in[0], r, 1), cell(&in[0], r, 5) });
}

static void meet(struct rows *out, const int64_t *city, uint32_t *met, uint32_t a, uint32_t b)
{
    if (met[b] == a + 1 || city[a] != city[b])
        return;
    met[b] = a + 1;
    rows_add(out, (int64_t[]){ a, b });
}

/* Everybody lives in one city. */
void limit_people(const struct rows *in, struct rows *out)
{
    uint32_t n = bound_of_all(in, 2);
    struct graph follows = graph_of(&in[0], 0, 1, n);
    int64_t *city = zeros(n, sizeof *city);
    for (uint32_t r = 0; r < in[1].count; r++)
        city[cell(&in[1], r, 0)] = cell(&in[1], r, 1);
    uint32_t *met = zeros(n, sizeof *met);
    for (uint32_t a = 0; a < n; a++)
        NEAR (b, follows, a) {
            meet(out, city, met, a, b);
            NEAR (c, follows, b)
                meet(out, city, met, a, c);
        }
}

enum { PERSON = 1, ROOM, BEGIN, END };

/* All who were in a room at the same time, one of them lately and with the lower number. */
void limit_stays(const struct rows *in, struct rows *out)
{
    const int64_t now = INT64_C(1718020800000000000), window = INT64_C(48) * 3600 * 1000000000;
    const struct rows *stay = &in[0];
    uint32_t people = rows_bound(stay, PERSON), rooms = rows_bound(stay, ROOM);
    bool *lately = zeros(people, sizeof *lately);
    struct rows numbered = { .columns = 2 };
    struct pairs met = pairs_new(people, false);
    for (uint32_t r = 0; r < stay->count; r++) {
        if (cell(stay, r, BEGIN) <= now && cell(stay, r, END) >= now - window)
            lately[cell(stay, r, PERSON)] = true;
        rows_add(&numbered, (int64_t[]){ cell(stay, r, ROOM), r });
    }
    struct graph by_room = graph_of(&numbered, 0, 1, rooms);
    for (uint32_t room = 0; room < rooms; room++)
        NEAR (r, by_room, room) {
            int64_t p = cell(stay, r, PERSON);
            if (!lately[p])
                continue;
            NEAR (s, by_room, room)
                if (cell(stay, r, BEGIN) <= cell(stay, s, END) &&
                    cell(stay, s, BEGIN) <= cell(stay, r, END) && p < cell(stay, s, PERSON))
                    pairs_add(&met, (uint32_t)p, (uint32_t)cell(stay, s, PERSON));
        }
    add_pairs(out, &met);
}
