/* "Did you mean": distances and choices. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/near.h"

static size_t distance(const char *a, const char *b)
{
    size_t there = mgi_edit_distance(str_of(a), str_of(b), 100);
    assert_int_equal(there, mgi_edit_distance(str_of(b), str_of(a), 100));
    return there;
}

static void test_distance_counts_slips_of_the_pen(void **state)
{
    (void)state;
    assert_int_equal(distance("edge", "edge"), 0);
    assert_int_equal(distance("edge", "edges"), 1);
    assert_int_equal(distance("edge", "ege"), 1);
    assert_int_equal(distance("edge", "edgy"), 1);
    assert_int_equal(distance("egde", "edge"), 1); /* a swap is one slip */
    assert_int_equal(distance("Edge", "eDGE"), 0); /* case does not count */
    assert_int_equal(distance("", "edge"), 4);
    assert_int_equal(distance("kitten", "sitting"), 3);
    assert_int_equal(distance("ca", "abc"), 3); /* no letter between the two of a swap */
}

static void test_distance_is_bounded(void **state)
{
    (void)state;
    assert_int_equal(mgi_edit_distance(STR_LIT("edge"), STR_LIT("node"), 3), 3);
    assert_true(mgi_edit_distance(STR_LIT("edge"), STR_LIT("node"), 2) == SIZE_MAX);
    char a[66];
    memset(a, 'a', sizeof a);
    struct str longest = { a, 64 }, too_long = { a, 65 };
    assert_int_equal(mgi_edit_distance(longest, longest, 3), 0);
    assert_true(mgi_edit_distance(too_long, too_long, 3) == SIZE_MAX);
}

static void expect_near(const char *wanted, const char *const *names, size_t count,
                        const char *best)
{
    struct near forwards = mgi_near(str_of(wanted)), backwards = forwards;
    for (size_t i = 0; i < count; i++) {
        mgi_near_try(&forwards, str_of(names[i]));
        mgi_near_try(&backwards, str_of(names[count - 1 - i]));
    }
    assert_int_equal(forwards.best.len, strlen(best));
    assert_true(!forwards.best.len || str_is(forwards.best, best));
    assert_true(str_eq(forwards.best, backwards.best)); /* whatever the order */
}

static void test_the_nearest_is_chosen_whatever_the_order(void **state)
{
    (void)state;
    static const char *const names[] = { "edges", "edga", "edge", "wedge", "a.edg", "edgb" };
    expect_near("edg", names, 6,
                "edga"); /* edga, edgb and edge are equally near: the first by bytes */
    expect_near("edges2", names, 6, "edges");
    expect_near("node", names, 6, "");
    expect_near("", names, 6, "");
    static const char *const packages[] = { "lib.book", "app.books", "lib.boot" };
    expect_near("book", packages, 3, "lib.book"); /* the right word in another package */
    expect_near("lib.bok", packages, 3, "lib.book");
    static const char *const self[] = { "same" };
    expect_near("same", self, 1, ""); /* a name is not near to itself */
    static const char *const shorts[] = { "ab", "X" };
    expect_near("ac", shorts, 2, ""); /* two letters are no hint */
    expect_near("x", shorts, 2, "X");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance_counts_slips_of_the_pen),
        cmocka_unit_test(test_distance_is_bounded),
        cmocka_unit_test(test_the_nearest_is_chosen_whatever_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
