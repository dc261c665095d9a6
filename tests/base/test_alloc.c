/* The heap's door and the array helpers on it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/alloc.h"

static void test_size_zero_yields_a_pointer_that_can_be_freed(void **state)
{
    (void)state;
    void *p = mgi_alloc(0);
    assert_non_null(p);
    p = mgi_realloc(p, 0);
    assert_non_null(p);
    mgi_free(p);
    mgi_free(NULL);
}

static void test_calloc_zeroes_and_refuses_an_overflowing_product(void **state)
{
    (void)state;
    unsigned char *p = mgi_calloc(100, 3);
    assert_non_null(p);
    for (size_t i = 0; i < 300; i++)
        assert_int_equal(p[i], 0);
    mgi_free(p);
    assert_null(mgi_calloc(SIZE_MAX / 2, 3));
}

static void test_grow_keeps_content_and_grows_by_half(void **state)
{
    (void)state;
    int *items = NULL;
    size_t cap = 0, growths = 0;
    for (size_t i = 0; i < 10000; i++) {
        size_t before = cap;
        assert_true(mgi_grow(&items, &cap, i + 1, sizeof *items));
        growths += cap != before;
        items[i] = (int)i;
    }
    for (size_t i = 0; i < 10000; i++)
        assert_int_equal(items[i], i);
    assert_in_range(growths, 10, 25);
    mgi_free(items);
}

static void test_grow_that_overflows_changes_nothing(void **state)
{
    (void)state;
    int *items = NULL;
    size_t cap = 0;
    assert_true(mgi_grow(&items, &cap, 1, sizeof *items));
    int *before = items;
    size_t cap_before = cap;
    assert_false(mgi_grow(&items, &cap, SIZE_MAX / 2, sizeof *items));
    assert_ptr_equal(items, before);
    assert_int_equal(cap, cap_before);
    mgi_free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_size_zero_yields_a_pointer_that_can_be_freed),
        cmocka_unit_test(test_calloc_zeroes_and_refuses_an_overflowing_product),
        cmocka_unit_test(test_grow_keeps_content_and_grows_by_half),
        cmocka_unit_test(test_grow_that_overflows_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
