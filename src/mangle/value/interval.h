/* Sets of closed intervals on signed 64-bit nanoseconds (mangle.md section 14).
 *
 * An interval set is sorted by start, disjoint, and never touching: [1,3] and [4,9] are one
 * interval, because time is discrete in nanoseconds (M-TEMP-70, M-TEMP-71). INT64_MIN as a start
 * and INT64_MAX as an end mean "no bound". Every function here keeps this; mgi_interval_check()
 * asserts it. */
#ifndef MGI_MANGLE_INTERVAL_H
#define MGI_MANGLE_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mangle.h"

struct interval_set {
    struct mangle_interval *items;
    size_t count, cap;
};

/* Work that may take long asks from time to time whether to go on: when `work` done so far has used
 * up *steps. go_on() answers, and gives new steps. */
struct pace {
    int32_t *steps;
    bool (*go_on)(void *context);
    void *context;
};

static inline bool mgi_pace(const struct pace *pace, uint32_t work)
{
    if (!pace)
        return true;
    *pace->steps = *pace->steps > (int32_t)work ? *pace->steps - (int32_t)work : 0;
    return *pace->steps > 0 || pace->go_on(pace->context);
}

/* Sort and merge items[count] in place; the new count, or SIZE_MAX if `pace` (which may be NULL)
 * said stop: the items are in disorder then. */
size_t mgi_interval_coalesce(struct mangle_interval *items, size_t count, const struct pace *pace);

/* Insert and merge into a sorted set with room for one more (cap > count). True if anything
 * changed. */
bool mgi_interval_insert(struct interval_set *set, struct mangle_interval t);

/* The index of the interval that covers all of [lo, hi], or SIZE_MAX. Binary search. */
size_t mgi_interval_covering(const struct mangle_interval *items, size_t count, int64_t lo,
                             int64_t hi);
/* The first interval that overlaps [lo, hi], or count; the next ones follow while start <= hi. */
size_t mgi_interval_overlapping(const struct mangle_interval *items, size_t count, int64_t lo,
                                int64_t hi);
void mgi_interval_check(const struct mangle_interval *items, size_t count);

/* now - d and now + d where the ends of the range mean "no bound" (M-TEMP-50: beyond is infinite).
 */
int64_t mgi_instant_back(int64_t ns, int64_t duration_ns);
int64_t mgi_instant_forth(int64_t ns, int64_t duration_ns);

#endif
