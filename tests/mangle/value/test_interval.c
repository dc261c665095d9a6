/* Interval sets against a bitmap: every operation on a small stretch of time, at both ends of the
 * range too, must say what the single instants say. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "mangle/value/interval.h"

#define INSTANTS 48

/* A stretch of INSTANTS nanoseconds from `from`, as intervals and as a bitmap. */
struct stretch {
    int64_t from;
    bool on[INSTANTS];
    struct mangle_interval items[INSTANTS + 1];
    struct interval_set set;
};

static uint32_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 16) % limit;
}

static struct mangle_interval random_interval(int64_t from)
{
    uint32_t a = random_below(INSTANTS), b = random_below(INSTANTS);
    if (random_below(2)) /* mostly short ones, or all soon melts into one */
        b = a + random_below(3) < INSTANTS ? a + random_below(3) : a;
    if (b >= INSTANTS)
        b = INSTANTS - 1;
    return (struct mangle_interval){ from + (a < b ? a : b), from + (a < b ? b : a) };
}

static bool set_on(struct stretch *s, struct mangle_interval t)
{
    bool changed = false;
    for (int64_t i = t.start_ns - s->from; i <= t.end_ns - s->from; i++) {
        changed |= !s->on[i];
        s->on[i] = true;
    }
    return changed;
}

static void assert_same(const struct stretch *s, const struct mangle_interval *items, size_t count)
{
    mgi_interval_check(items, count);
    bool on[INSTANTS] = { false };
    for (size_t i = 0; i < count; i++)
        for (int64_t at = items[i].start_ns - s->from; at <= items[i].end_ns - s->from; at++)
            on[at] = true;
    assert_memory_equal(on, s->on, sizeof on);
}

static void assert_lookups(const struct stretch *s)
{
    const struct mangle_interval *items = s->set.items;
    size_t count = s->set.count;
    for (int lo = 0; lo < INSTANTS; lo++)
        for (int hi = lo; hi < INSTANTS; hi++) {
            bool all = true, any = false;
            for (int i = lo; i <= hi; i++) {
                all &= s->on[i];
                any |= s->on[i];
            }
            int64_t from = s->from + lo, to = s->from + hi;
            size_t covering = mgi_interval_covering(items, count, from, to);
            assert_int_equal(covering != SIZE_MAX, all);
            size_t overlapping = mgi_interval_overlapping(items, count, from, to);
            assert_int_equal(overlapping != count, any);
            if (any) /* the first one: the one before it ends too early */
                assert_true(overlapping == 0 || items[overlapping - 1].end_ns < from);
        }
}

static void insert_and_compare(int64_t from)
{
    struct stretch s = { .from = from };
    s.set = (struct interval_set){ s.items, 0, INSTANTS + 1 };
    for (int i = 0; i < 24; i++) {
        struct mangle_interval t = random_interval(from);
        assert_int_equal(mgi_interval_insert(&s.set, t), set_on(&s, t));
        assert_same(&s, s.set.items, s.set.count); /* M-TEMP-70 */
    }
    assert_lookups(&s);
}

static void coalesce_and_compare(int64_t from)
{
    struct stretch s = { .from = from };
    size_t count = random_below(INSTANTS);
    for (size_t i = 0; i < count; i++) {
        s.items[i] = random_interval(from);
        set_on(&s, s.items[i]);
    }
    count = mgi_interval_coalesce(s.items, count, NULL);
    assert_same(&s, s.items, count); /* M-TEMP-70 */
}

static void test_interval_sets_say_what_a_bitmap_says(void **state)
{
    (void)state;
    const int64_t from[] = { 0, -20, INT64_MIN, INT64_MAX - INSTANTS + 1 };
    for (random_state = 1; random_state < 200; random_state++) {
        uint32_t seed = random_state;
        for (size_t i = 0; i < 4; i++) {
            insert_and_compare(from[i]);
            coalesce_and_compare(from[i]);
        }
        random_state = seed;
    }
}

static void test_days_that_end_at_midnight_do_not_touch_the_next(void **state)
{
    (void)state; /* M-TEMP-71: only a nanosecond is adjacent */
    struct mangle_interval items[] = { { 100, 200 }, { 202, 300 }, { 301, 400 } };
    assert_int_equal(mgi_interval_coalesce(items, 3, NULL), 2);
    assert_int_equal(items[1].start_ns, 202);
    assert_int_equal(items[1].end_ns, 400);
}

static void test_unbounded_intervals_take_part_in_merging(void **state)
{
    (void)state; /* M-TEMP-70 */
    struct mangle_interval items[] = { { 5, INT64_MAX }, { INT64_MIN, 4 }, { 7, 8 } };
    assert_int_equal(mgi_interval_coalesce(items, 3, NULL), 1);
    assert_int_equal(items[0].start_ns, INT64_MIN);
    assert_int_equal(items[0].end_ns, INT64_MAX);
}

static void test_instants_beyond_the_range_are_unbounded(void **state)
{
    (void)state; /* M-TEMP-50 */
    assert_int_equal(mgi_instant_back(10, 3), 7);
    assert_int_equal(mgi_instant_forth(10, 3), 13);
    assert_int_equal(mgi_instant_back(INT64_MIN + 2, 3), INT64_MIN);
    assert_int_equal(mgi_instant_forth(INT64_MAX - 2, 3), INT64_MAX);
    assert_int_equal(mgi_instant_back(INT64_MAX - 2, -3), INT64_MAX);
    assert_int_equal(mgi_instant_forth(INT64_MIN + 2, -3), INT64_MIN);
    assert_int_equal(mgi_instant_back(INT64_MIN, -3), INT64_MIN); /* no bound stays no bound */
    assert_int_equal(mgi_instant_back(INT64_MAX, 3), INT64_MAX);
    assert_int_equal(mgi_instant_back(0, INT64_MIN), INT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interval_sets_say_what_a_bitmap_says),
        cmocka_unit_test(test_days_that_end_at_midnight_do_not_touch_the_next),
        cmocka_unit_test(test_unbounded_intervals_take_part_in_merging),
        cmocka_unit_test(test_instants_beyond_the_range_are_unbounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
