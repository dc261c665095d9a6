/* Hulls over the intervals of rows. Of a row it is from its first start to its last end; of sixteen
 * rows, or of sixteen such hulls, from the earliest start to the latest end. A window in the past
 * asks for an end alone, and then a hull never says yes for nothing: what counts among n rows is
 * found in about log n steps a row, in whatever order they are. */
#include "base/alloc.h"
#include "mangle/run/rel.h"

static struct mangle_interval hull_of_row(const struct rel *rel, uint32_t row)
{
    uint32_t count;
    const struct mangle_interval *run = mgi_times_run(rel, row, &count);
    if (!run)
        return (struct mangle_interval){ MANGLE_MAX_TIME, MANGLE_MIN_TIME };
    return (struct mangle_interval){ run[0].start_ns, run[count - 1].end_ns };
}

static void widen_hull(struct mangle_interval *hull, struct mangle_interval t)
{
    if (t.start_ns < hull->start_ns)
        hull->start_ns = t.start_ns;
    if (t.end_ns > hull->end_ns)
        hull->end_ns = t.end_ns;
}

static size_t lay_out(struct zones *z, uint32_t rows)
{
    size_t all = 0, level = rows;
    for (z->levels = 0; z->levels < ZONE_LEVELS; z->levels++) {
        z->from[z->levels] = all;
        all += level;
        if (level == 1)
            return z->levels++, all;
        level = (level + (1 << ZONE_BITS) - 1) >> ZONE_BITS;
    }
    return all;
}

bool mgi_zones_make(struct zones *z, const struct rel *rel, const uint32_t *perm,
                    const struct pace *pace)
{
    z->count = 0;
    if (rel->count == 0)
        return true;
    size_t all = lay_out(z, rel->count);
    if (!mgi_grow(&z->hulls, &z->cap, all, sizeof *z->hulls))
        return false;
    for (uint32_t i = 0; i < rel->count; i++) {
        z->hulls[i] = hull_of_row(rel, rel->first + (perm ? perm[i] : i));
        if (!mgi_pace(pace, 1))
            return true;
    }
    for (uint32_t level = 1; level < z->levels; level++) {
        const struct mangle_interval *below = z->hulls + z->from[level - 1];
        struct mangle_interval *hulls = z->hulls + z->from[level];
        size_t count = z->from[level] - z->from[level - 1];
        for (size_t i = 0; i < count; i++) {
            if (i % (1 << ZONE_BITS) == 0)
                hulls[i >> ZONE_BITS] = below[i];
            else
                widen_hull(&hulls[i >> ZONE_BITS], below[i]);
        }
    }
    z->count = rel->count;
    z->entries = rel->times.count;
    return true;
}
