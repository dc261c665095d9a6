/* What overlays run above this base: the program's codes, those with a choice planned again now
 * that the base has all its rows. How many rows an atom finds is estimated from the number of
 * different values in each known column, as if columns were independent; the values are counted
 * once a column, and only of relations that some rule with a choice reads. */
#include <math.h>

#include "base/alloc.h"
#include "mangle/run/base.h"

#define UNKNOWN          (-1.0)
#define ROWS_THAT_MATTER 64.0
#define MAP_BITS_MIN     10
#define MAP_BITS_MAX     20

struct counting {
    mangle_base *base;
    double *
        *distinct; /* per predicate: per column how many values, or UNKNOWN; in the base's arena */
    enum mangle_status st;
};

/* How many different words stand in a column, by linear counting: a bit for each hash, and how many
 * bits stayed zero. */
static double count_values(struct counting *c, const struct rel *rel, uint32_t column)
{
    unsigned bits = MAP_BITS_MIN;
    while (bits < MAP_BITS_MAX && (UINT32_C(1) << bits) < rel->count)
        bits++;
    uint32_t size = UINT32_C(1) << bits, ones = 0;
    uint64_t *map = mgi_calloc(size / 64, sizeof *map);
    if (!map) {
        c->st = MANGLE_ERR_NOMEM;
        return 1.0;
    }
    for (uint32_t row = 0; row < rel->count && !c->st; row++) {
        uint32_t at = (uint32_t)(mgi_words_hash(mgi_rel_row(rel, row) + column, 1) >> (64 - bits));
        uint64_t bit = UINT64_C(1) << (at % 64);
        ones += (map[at / 64] & bit) == 0;
        map[at / 64] |= bit;
        c->st = mgi_eval_step(&c->base->eval);
    }
    mgi_free(map);
    if (ones == size)
        return rel->count;
    double values = -(double)size * log1p(-(double)ones / (double)size);
    return values < 1.0 ? 1.0 : values;
}

static double values_of(struct counting *c, mangle_pred pred, uint32_t column)
{
    const struct rel *rel = &c->base->rels[pred];
    if (!c->distinct[pred]) {
        c->distinct[pred] = mgi_arena_alloc(&c->base->arena, rel->arity * sizeof **c->distinct);
        if (!c->distinct[pred]) {
            c->st = MANGLE_ERR_NOMEM;
            return 1.0;
        }
        for (uint32_t i = 0; i < rel->arity; i++)
            c->distinct[pred][i] = UNKNOWN;
    }
    double *known = &c->distinct[pred][column];
    if (*known == UNKNOWN)
        *known = count_values(c, rel, column);
    return *known;
}

static double matching(void *context, mangle_pred pred, const uint32_t *columns, uint32_t count)
{
    struct counting *c = context;
    double rows = c->base->rels[pred].count;
    for (uint32_t i = 0; i < count && rows > 0.0 && !c->st; i++)
        rows /= values_of(c, pred, columns[i]);
    return rows;
}

enum mangle_status mgi_base_plan(mangle_base *base)
{
    const mangle_program *p = base->program;
    struct counting c = { .base = base };
    c.distinct = mgi_arena_calloc(&base->arena, p->pred_count + 1, sizeof *c.distinct);
    if (!c.distinct)
        return mgi_eval_nomem(&base->eval);
    struct sizes sizes = { matching, &c, base->plan_always ? 0.0 : ROWS_THAT_MATTER };
    enum mangle_status st = mgi_plan_for_overlays(p, p->plan, &base->arena, &sizes, &base->plan);
    st = c.st ? c.st : st;
    for (size_t i = 0; i < p->pred_count && !st && base->plan != p->plan; i++)
        if (!mgi_rel_add_searches(&base->rels[i], base->plan->preds[i].searches,
                                  (uint32_t)base->plan->preds[i].search_count))
            st = MANGLE_ERR_NOMEM;
    if (st)
        base->plan = p->plan;
    return st == MANGLE_ERR_NOMEM ? mgi_eval_nomem(&base->eval) : st;
}
