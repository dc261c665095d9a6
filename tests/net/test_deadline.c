/* Deadlines of many connections, and the budget of bytes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "net/budget.h"
#include "net/deadline.h"

static const int64_t durations[DEADLINE_KINDS] = {
    [DEADLINE_NEW] = 75,  [DEADLINE_GUEST] = 1000,  [DEADLINE_IDLE] = 75,  [DEADLINE_HEAD] = 20,
    [DEADLINE_BODY] = 60, [DEADLINE_STRANGER] = 60, [DEADLINE_WRITE] = 30, [DEADLINE_LINGER] = 5,
    [DEADLINE_PROBE] = 1, [DEADLINE_PING] = 90,
};

static void nothing(struct deadline *d)
{
    (void)d;
}

static void test_what_was_set_first_passes_first(void **state)
{
    struct deadlines all;
    struct deadline a = { .passed = nothing }, b = { .passed = nothing };
    (void)state;
    mgi_deadlines_init(&all, durations);
    assert_true(mgi_deadlines_next_ms(&all) == INT64_MAX);
    mgi_deadline_set(&all, &a, DEADLINE_HEAD, 100);
    mgi_deadline_set(&all, &b, DEADLINE_HEAD, 110);
    assert_true(mgi_deadlines_next_ms(&all) == 120);
    assert_null(mgi_deadlines_take(&all, 119));
    assert_ptr_equal(mgi_deadlines_take(&all, 120), &a);
    assert_false(mgi_deadline_is_set(&a));
    assert_null(mgi_deadlines_take(&all, 129));
    assert_ptr_equal(mgi_deadlines_take(&all, 500), &b);
    assert_null(mgi_deadlines_take(&all, 500));
}

static void test_setting_again_replaces_kind_and_time(void **state)
{
    struct deadlines all;
    struct deadline a = { .passed = nothing };
    (void)state;
    mgi_deadlines_init(&all, durations);
    mgi_deadline_set(&all, &a, DEADLINE_HEAD, 0);
    mgi_deadline_set(&all, &a, DEADLINE_IDLE, 10);
    assert_null(mgi_deadlines_oldest(&all, DEADLINE_HEAD));
    assert_ptr_equal(mgi_deadlines_oldest(&all, DEADLINE_IDLE), &a);
    assert_null(mgi_deadlines_take(&all, 84));
    mgi_deadline_clear(&a);
    mgi_deadline_clear(&a);
    assert_null(mgi_deadlines_take(&all, 1000));
}

/* Held against a plain array on random operations. */
static void test_the_lists_agree_with_looking_at_each(void **state)
{
    enum { COUNT = 40, STEPS = 20000 };
    struct deadlines all;
    struct deadline some[COUNT] = { 0 };
    int64_t at[COUNT], now = 0;
    (void)state;
    srand(7);
    mgi_deadlines_init(&all, durations);
    for (int i = 0; i < COUNT; i++)
        at[i] = INT64_MAX;
    for (int step = 0; step < STEPS; step++) {
        int i = rand() % COUNT, kind = rand() % DEADLINE_KINDS;
        now += rand() % 3;
        if (rand() % 4 == 0) {
            mgi_deadline_clear(&some[i]);
            at[i] = INT64_MAX;
        } else {
            mgi_deadline_set(&all, &some[i], (enum deadline_kind)kind, now);
            at[i] = now + durations[kind];
        }
        int64_t least = INT64_MAX;
        for (int k = 0; k < COUNT; k++)
            least = at[k] < least ? at[k] : least;
        assert_true(mgi_deadlines_next_ms(&all) == least);
        struct deadline *d;
        while ((d = mgi_deadlines_take(&all, now)) != NULL) {
            assert_true(at[d - some] <= now);
            at[d - some] = INT64_MAX;
        }
        for (int k = 0; k < COUNT; k++)
            assert_true(at[k] > now);
    }
}

static void test_strangers_and_large_messages_leave_room(void **state)
{
    struct budget b = { .limit = 1000 };
    (void)state;
    assert_true(mgi_budget_take(&b, 250, BUDGET_STRANGER));
    assert_false(mgi_budget_take(&b, 1, BUDGET_STRANGER));
    assert_true(mgi_budget_take(&b, 500, BUDGET_LARGE));
    assert_false(mgi_budget_take(&b, 1, BUDGET_LARGE));
    assert_false(mgi_budget_take(&b, SIZE_MAX, BUDGET_SMALL));
    assert_true(mgi_budget_take(&b, 250, BUDGET_SMALL));
    assert_false(mgi_budget_take(&b, 1, BUDGET_SMALL));
    mgi_budget_give(&b, 1000);
    assert_int_equal(b.used, 0);
    assert_int_equal(mgi_budget_share(BUDGET_SMALL_BYTES), BUDGET_SMALL);
    assert_int_equal(mgi_budget_share(BUDGET_SMALL_BYTES + 1), BUDGET_LARGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_set_first_passes_first),
        cmocka_unit_test(test_setting_again_replaces_kind_and_time),
        cmocka_unit_test(test_the_lists_agree_with_looking_at_each),
        cmocka_unit_test(test_strangers_and_large_messages_leave_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
