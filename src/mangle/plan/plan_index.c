/* Which indexes relations carry: exactly the sets of columns that some code looks for. */
#include "mangle/plan/plan.h"

#include <string.h>

static bool same(const struct search *s, const uint32_t *columns, uint32_t count)
{
    return s->count == count && memcmp(s->columns, columns, count * sizeof *columns) == 0;
}

/* Are the columns of `s` (ascending) all among `columns` (ascending)? */
static bool within(const struct search *s, const uint32_t *columns, uint32_t count)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < count && at < s->count; i++)
        if (columns[i] == s->columns[at])
            at++;
    return at == s->count;
}

static uint32_t best_within(const struct pred_plan *pred, const uint32_t *columns, uint32_t count)
{
    uint32_t best = NO_INDEX;
    for (size_t i = 0; i < pred->search_count; i++)
        if (pred->searches[i].frozen && within(&pred->searches[i], columns, count) &&
            (best == NO_INDEX || pred->searches[i].count > pred->searches[best].count))
            best = (uint32_t)i;
    return best;
}

uint32_t mgi_plan_find_search(const struct pred_plan *pred, const uint32_t *columns, uint32_t count)
{
    for (size_t i = 0; i < pred->search_count; i++)
        if (same(&pred->searches[i], columns, count))
            return (uint32_t)i;
    return NO_INDEX;
}

bool mgi_plan_search(struct arena *arena, struct pred_plan *pred, const uint32_t *columns,
                     uint32_t count, bool frozen, bool existing_only, uint32_t *index)
{
    if (existing_only) {
        *index = best_within(pred, columns, count);
        return true;
    }
    *index = mgi_plan_find_search(pred, columns, count);
    if (*index != NO_INDEX) {
        pred->searches[*index].frozen |= frozen;
        return true;
    }
    struct search s = { .count = count, .frozen = frozen };
    s.columns = mgi_arena_alloc(arena, count * sizeof *columns);
    if (!s.columns || !mgi_arena_grow(arena, &pred->searches, &pred->search_cap,
                                      pred->search_count + 1, sizeof *pred->searches))
        return false;
    memcpy(s.columns, columns, count * sizeof *columns);
    *index = (uint32_t)pred->search_count;
    pred->searches[pred->search_count++] = s;
    return true;
}
