/* Interval sets: see interval.h for what holds. Searching is binary, inserting moves the tail, and
 * coalescing sorts in place (heap sort: no memory, no bad case) unless the input is sorted already,
 * as facts that arrive in time order are. */
#include "mangle/value/interval.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

/* Does an interval that starts at `start` overlap or touch one before it that ends at `end`? */
static bool interval_joins(int64_t end, int64_t start)
{
    return end == INT64_MAX || start <= end + 1;
}

static bool interval_before(struct mangle_interval a, struct mangle_interval b)
{
    return a.start_ns < b.start_ns || (a.start_ns == b.start_ns && a.end_ns < b.end_ns);
}

static bool intervals_sorted(const struct mangle_interval *items, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (interval_before(items[i], items[i - 1]))
            return false;
    return true;
}

static void interval_swap(struct mangle_interval *a, struct mangle_interval *b)
{
    struct mangle_interval old = *a;
    *a = *b;
    *b = old;
}

static void interval_sift_down(struct mangle_interval *items, size_t root, size_t count)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && interval_before(items[child], items[child + 1]))
            child++;
        if (!interval_before(items[root], items[child]))
            return;
        interval_swap(&items[root], &items[child]);
    }
}

#define SIFT_WORK 16 /* steps down a heap, about */

static bool intervals_sort(struct mangle_interval *items, size_t count, const struct pace *pace)
{
    if (intervals_sorted(items, count))
        return true;
    for (size_t root = count / 2; root-- > 0;) {
        if (!mgi_pace(pace, SIFT_WORK))
            return false;
        interval_sift_down(items, root, count);
    }
    for (size_t last = count; last-- > 1;) {
        if (!mgi_pace(pace, SIFT_WORK))
            return false;
        interval_swap(&items[0], &items[last]);
        interval_sift_down(items, 0, last);
    }
    return true;
}

size_t mgi_interval_coalesce(struct mangle_interval *items, size_t count, const struct pace *pace)
{
    if (!intervals_sort(items, count, pace))
        return SIZE_MAX;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!mgi_pace(pace, 1))
            return SIZE_MAX;
        if (kept > 0 && interval_joins(items[kept - 1].end_ns, items[i].start_ns)) {
            if (items[i].end_ns > items[kept - 1].end_ns)
                items[kept - 1].end_ns = items[i].end_ns;
        } else {
            items[kept++] = items[i];
        }
    }
    return kept;
}

/* The first interval whose end is at or after `ns`, or count. */
static size_t interval_ending_from(const struct mangle_interval *items, size_t count, int64_t ns)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (items[middle].end_ns < ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool mgi_interval_insert(struct interval_set *set, struct mangle_interval t)
{
    assert(t.start_ns <= t.end_ns && set->count < set->cap);
    struct mangle_interval *items = set->items;
    int64_t touch = t.start_ns == INT64_MIN ? INT64_MIN : t.start_ns - 1;
    size_t first = interval_ending_from(items, set->count, touch);
    if (first < set->count && items[first].start_ns <= t.start_ns &&
        items[first].end_ns >= t.end_ns)
        return false;

    size_t end = first; /* [first, end) melt into the new one */
    for (; end < set->count && interval_joins(t.end_ns, items[end].start_ns); end++) {
        if (items[end].start_ns < t.start_ns)
            t.start_ns = items[end].start_ns;
        if (items[end].end_ns > t.end_ns)
            t.end_ns = items[end].end_ns;
    }
    memmove(items + first + 1, items + end, (set->count - end) * sizeof *items);
    items[first] = t;
    set->count = set->count - (end - first) + 1;
    return true;
}

size_t mgi_interval_covering(const struct mangle_interval *items, size_t count, int64_t lo,
                             int64_t hi)
{
    size_t i = interval_ending_from(items, count, hi);
    return i < count && items[i].start_ns <= lo ? i : SIZE_MAX;
}

size_t mgi_interval_overlapping(const struct mangle_interval *items, size_t count, int64_t lo,
                                int64_t hi)
{
    size_t i = interval_ending_from(items, count, lo);
    return i < count && items[i].start_ns <= hi ? i : count;
}

void mgi_interval_check(const struct mangle_interval *items, size_t count)
{
    (void)items; /* only read by the assertions */
    for (size_t i = 0; i < count; i++) {
        assert(items[i].start_ns <= items[i].end_ns);
        assert(i == 0 || !interval_joins(items[i - 1].end_ns, items[i].start_ns));
    }
}

int64_t mgi_instant_forth(int64_t ns, int64_t duration_ns)
{
    int64_t sum;
    if (ns == INT64_MIN || ns == INT64_MAX)
        return ns;
    if (__builtin_add_overflow(ns, duration_ns, &sum))
        return duration_ns < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

int64_t mgi_instant_back(int64_t ns, int64_t duration_ns)
{
    int64_t difference;
    if (ns == INT64_MIN || ns == INT64_MAX)
        return ns;
    if (__builtin_sub_overflow(ns, duration_ns, &difference))
        return duration_ns < 0 ? INT64_MAX : INT64_MIN;
    return difference;
}
