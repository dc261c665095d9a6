/* The works of a bridge: handles, owners, defaults, bounds, and one call after the other. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "bridge/work.h"

#define MINUTE (INT64_C(60) * 1000000000)

static const struct works_options random_names;
static const struct works_options countable = { .countable = true };

static struct bridge_work *begin(struct works *works, const char *owner, uint64_t connection,
                                 int64_t now)
{
    struct bridge_work *work;
    assert_int_equal(mgi_works_begin(works, owner, connection, now, &work), WORK_FINE);
    return work;
}

static enum work_fault find(struct works *works, const char *owner, uint64_t connection,
                            const char *handle, struct bridge_work **out)
{
    return mgi_works_find(works, owner, connection, str_of(handle), 0, out);
}

/* X-BRIDGE-2: 128 random bits, base32. */
static void test_a_handle_is_random_unless_the_process_has_one_user(void **state)
{
    (void)state;
    struct works *works = mgi_works_new(&random_names);
    struct bridge_work *a = begin(works, "ann", 0, 0), *b = begin(works, "ann", 0, 0);
    assert_int_equal(strlen(a->handle), 26);
    assert_int_equal(strspn(a->handle, "abcdefghijklmnopqrstuvwxyz234567"), 26);
    assert_string_not_equal(a->handle, b->handle);
    mgi_works_free(works);
    works = mgi_works_new(&countable);
    assert_string_equal(begin(works, "", 0, 0)->handle, "w1");
    assert_string_equal(begin(works, "", 0, 0)->handle, "w2");
    mgi_works_free(works);
}

/* X-BRIDGE-2: bound to the principal; what is not theirs is answered like what never was. */
static void test_a_handle_is_good_for_its_owner_alone(void **state)
{
    (void)state;
    struct works *works = mgi_works_new(&random_names);
    struct bridge_work *mine = begin(works, "ann", 7, 0), *out;
    assert_int_equal(find(works, "ann", 9, mine->handle, &out), WORK_FINE);
    assert_ptr_equal(out, mine);
    assert_int_equal(find(works, "bob", 7, mine->handle, &out), WORK_UNKNOWN);
    assert_null(out);
    assert_int_equal(find(works, "ann", 7, "nonsense", &out), WORK_UNKNOWN);
    assert_int_equal(find(works, "bob", 0, "", &out), WORK_NONE);
    mgi_works_free(works);
}

static void test_without_a_handle_it_is_the_latest_of_a_connection_or_the_only_one(void **state)
{
    (void)state;
    struct works *works = mgi_works_new(&random_names);
    struct bridge_work *out;
    assert_int_equal(find(works, "ann", 0, "", &out), WORK_NONE);
    struct bridge_work *first = begin(works, "ann", 1, 0);
    assert_int_equal(find(works, "ann", 0, "", &out), WORK_FINE);
    assert_ptr_equal(out, first);
    struct bridge_work *second = begin(works, "ann", 1, 0);
    (void)begin(works, "ann", 2, 0);
    assert_int_equal(find(works, "ann", 1, "", &out), WORK_FINE);
    assert_ptr_equal(out, second);
    assert_int_equal(find(works, "ann", 3, "", &out), WORK_NONE);
    assert_int_equal(find(works, "ann", 0, "", &out), WORK_AMBIGUOUS);
    assert_null(out);
    assert_string_equal(mgi_works_name(works, "ann", 1), second->handle);
    assert_null(mgi_works_name(works, "ann", 3));
    mgi_works_free(works);
}

/* X-BRIDGE-2: what a call names is what the next one means that names none. */
static void test_the_latest_is_the_one_that_was_named_last(void **state)
{
    (void)state;
    struct works *works = mgi_works_new(&countable);
    struct bridge_work *out, *first = begin(works, "", 1, 0), *second = begin(works, "", 1, 0);
    struct bridge_work *third = begin(works, "", 1, 0);
    for (int round = 0; round < 2; round++) { /* the last, the middle, the first of the list */
        assert_int_equal(find(works, "", 1, "w1", &out), WORK_FINE);
        assert_ptr_equal(out, first);
        assert_int_equal(find(works, "", 1, "", &out), WORK_FINE);
        assert_ptr_equal(out, first);
    }
    assert_int_equal(find(works, "", 1, "w2", &out), WORK_FINE);
    assert_int_equal(find(works, "", 1, "", &out), WORK_FINE);
    assert_ptr_equal(out, second);
    assert_string_equal(mgi_works_name(works, "", 2), third->handle);
    assert_int_equal(mgi_works_count(works), 3);
    mgi_works_free(works);
}

static void test_what_nobody_uses_for_half_an_hour_is_forgotten(void **state)
{
    (void)state;
    struct works *works = mgi_works_new(&countable);
    struct bridge_work *out;
    struct work_turn turn;
    (void)begin(works, "", 0, 0);
    struct bridge_work *busy = begin(works, "", 0, 0);
    assert_int_equal(mgi_works_enter(busy, &turn, 0), WORK_ENTERED);
    assert_int_equal(mgi_works_find(works, "", 0, str_of("w1"), 30 * MINUTE, &out), WORK_FINE);
    assert_int_equal(mgi_works_find(works, "", 0, str_of("w1"), 31 * MINUTE, &out), WORK_UNKNOWN);
    assert_int_equal(mgi_works_find(works, "", 0, str_of("w2"), 99 * MINUTE, &out), WORK_FINE);
    assert_null(mgi_works_leave(busy, 99 * MINUTE));
    mgi_works_free(works);
}

static void test_nobody_takes_the_works_of_others(void **state)
{
    (void)state;
    struct works_options few = { .max = 2 };
    struct works *works = mgi_works_new(&few);
    struct bridge_work *hers = begin(works, "ann", 0, 0), *out;
    for (int64_t i = 1; i < 9; i++)
        (void)begin(works, "bob", 0, i);
    assert_int_equal(mgi_works_count(works), 3);
    assert_int_equal(find(works, "ann", 0, hers->handle, &out), WORK_FINE);
    for (int i = 0; i < 2 * WORK_OWNERS; i++) { /* many owners are refused in the end */
        char name[8];
        snprintf(name, sizeof name, "o%d", i);
        (void)mgi_works_begin(works, name, 0, 10, &out);
    }
    assert_int_equal(mgi_works_count(works), 2 * WORK_OWNERS);
    assert_int_equal(mgi_works_begin(works, "zoe", 0, 10, &out), WORK_FULL);
    mgi_works_drop(works, hers);
    assert_int_equal(mgi_works_begin(works, "zoe", 0, 10, &out), WORK_FINE);
    mgi_works_free(works);
}

static void test_the_one_used_longest_ago_gives_way_and_nobody_who_is_inside(void **state)
{
    (void)state;
    struct works_options few = { .max = 3, .countable = true };
    struct works *works = mgi_works_new(&few);
    struct work_turn turns[4];
    struct bridge_work *w[3], *out;
    for (int64_t i = 0; i < 3; i++)
        w[i] = begin(works, "", 0, i);
    assert_int_equal(mgi_works_enter(w[0], &turns[0], 5), WORK_ENTERED);
    struct bridge_work *fourth = begin(works, "", 0, 6);
    assert_int_equal(mgi_works_count(works), 3);
    assert_int_equal(find(works, "", 0, "w2", &out), WORK_UNKNOWN);
    assert_int_equal(find(works, "", 0, "w1", &out), WORK_FINE);
    assert_int_equal(mgi_works_enter(w[2], &turns[1], 7), WORK_ENTERED);
    assert_int_equal(mgi_works_enter(fourth, &turns[2], 7), WORK_ENTERED);
    assert_int_equal(mgi_works_begin(works, "", 0, 8, &out), WORK_FULL);
    assert_null(out);
    mgi_works_leave(w[0], 9);
    assert_int_equal(mgi_works_begin(works, "", 0, 9, &out), WORK_FINE);
    mgi_works_leave(w[2], 9);
    mgi_works_leave(fourth, 9);
    mgi_works_free(works);
}

static void test_calls_of_one_work_go_one_after_the_other(void **state)
{
    (void)state;
    struct works *works = mgi_works_new(&countable);
    struct bridge_work *work = begin(works, "", 0, 0);
    struct work_turn t[WORK_MAX_WAITING + 2];
    assert_int_equal(mgi_works_enter(work, &t[0], 0), WORK_ENTERED);
    for (size_t i = 1; i <= WORK_MAX_WAITING; i++)
        assert_int_equal(mgi_works_enter(work, &t[i], 0), WORK_WAITS);
    assert_int_equal(mgi_works_enter(work, &t[WORK_MAX_WAITING + 1], 0), WORK_CROWDED);
    assert_true(mgi_works_withdraw(work, &t[2]));
    assert_false(mgi_works_withdraw(work, &t[2]));
    assert_true(mgi_works_withdraw(work, &t[WORK_MAX_WAITING]));
    assert_int_equal(mgi_works_enter(work, &t[2], 0), WORK_WAITS);
    assert_ptr_equal(mgi_works_leave(work, 0), &t[1]);
    for (size_t i = 3; i < WORK_MAX_WAITING; i++)
        assert_ptr_equal(mgi_works_leave(work, 0), &t[i]);
    assert_ptr_equal(mgi_works_leave(work, 0), &t[2]);
    assert_null(mgi_works_leave(work, 0));
    assert_int_equal(mgi_works_enter(work, &t[5], 0), WORK_ENTERED);
    assert_null(mgi_works_leave(work, 0));
    mgi_works_free(works);
}

static void test_a_work_holds_so_many_bytes_of_facts_and_no_more(void **state)
{
    (void)state;
    struct works *works = mgi_works_new(&countable);
    struct bridge_work *work = begin(works, "", 0, 0);
    assert_true(mgi_works_reserve(work, WORK_FACT_BYTES - 1));
    assert_false(mgi_works_reserve(work, 2));
    assert_true(mgi_works_reserve(work, 1));
    assert_false(mgi_works_reserve(work, SIZE_MAX));
    mgi_works_free(works);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_handle_is_random_unless_the_process_has_one_user),
        cmocka_unit_test(test_a_handle_is_good_for_its_owner_alone),
        cmocka_unit_test(test_without_a_handle_it_is_the_latest_of_a_connection_or_the_only_one),
        cmocka_unit_test(test_the_latest_is_the_one_that_was_named_last),
        cmocka_unit_test(test_what_nobody_uses_for_half_an_hour_is_forgotten),
        cmocka_unit_test(test_nobody_takes_the_works_of_others),
        cmocka_unit_test(test_the_one_used_longest_ago_gives_way_and_nobody_who_is_inside),
        cmocka_unit_test(test_calls_of_one_work_go_one_after_the_other),
        cmocka_unit_test(test_a_work_holds_so_many_bytes_of_facts_and_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
