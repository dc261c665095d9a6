/* Rows that are asked for by their intervals: those that cannot count are passed over, many at once
 * where hulls say so (rel_zones.c). What is found is found in the same order. */
#include "mangle/run/eval.h"

#define ZONES_ROWS  64 /* fewer are looked at one by one */
#define ZONES_AFTER 3  /* times that somebody looked: making hulls takes about as long as that */

enum mangle_status mgi_eval_want_zones(struct eval *x, const struct look *look)
{
    struct rel *rel = &x->rels[look->pred];
    struct zones *z = &rel->zones;
    if (look->index != NO_INDEX || look->reach == REACH_NEW || !rel->settled || rel->count == 0 ||
        (rel->count < ZONES_ROWS && !x->zones_always))
        return MANGLE_OK;
    if (mgi_zones_hold(rel))
        return MANGLE_OK;
    z->count = 0;
    if (++z->asked < ZONES_AFTER && !x->zones_always)
        return MANGLE_OK;
    size_t before = z->cap;
    z->asked = 0;
    mgi_eval_touch(x, look->pred);
    struct pace pace = mgi_eval_pace(x);
    if (!mgi_zones_make(z, rel, NULL, &pace))
        return mgi_eval_nomem(x);
    if (!z->count)
        return x->stopped;
    x->bytes += (z->cap - before) * sizeof *z->hulls;
    return mgi_eval_memory(x);
}

/* How many rows the largest hull has that begins at `at` and excludes all of them. */
static uint64_t excluded_at(const struct zones *z, uint32_t at, const struct frame *f)
{
    uint32_t level = 0;
    while (level + 1 < z->levels && (at & ((UINT32_C(1) << ((level + 1) * ZONE_BITS)) - 1)) == 0 &&
           !mgi_zone_may_count(z, level + 1, at, f->max_start, f->min_end))
        level++;
    return UINT64_C(1) << (level * ZONE_BITS);
}

bool mgi_eval_pass_over(struct eval *x, struct frame *f, uint32_t first, uint32_t end,
                        enum mangle_status *st)
{
    uint64_t at = f->at;
    bool found = false;
    while (at < end && !*st) {
        uint32_t row = (uint32_t)at - first;
        found = mgi_zone_may_count(f->zones, 0, row, f->max_start, f->min_end);
        if (found)
            break;
        at += excluded_at(f->zones, row, f);
        *st = mgi_eval_step(x);
    }
    f->at = at < end ? (uint32_t)at : end;
    return found;
}
