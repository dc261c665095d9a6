/* Arenas: alignment, limits, marks, releases, growing in place. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdalign.h>
#include <string.h>

#include "base/arena.h"

static int order[8];
static int order_count;

static void note(void *thing)
{
    order[order_count++] = *(int *)thing;
}

static void test_blocks_are_aligned_and_apart(void **state)
{
    (void)state;
    struct arena a;
    mgi_arena_init(&a, 0);
    char *blocks[500];
    for (size_t i = 0; i < 500; i++) {
        blocks[i] = mgi_arena_alloc(&a, i);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % alignof(max_align_t), 0);
        memset(blocks[i], (int)(i & 0x7f), i);
    }
    for (size_t i = 0; i < 500; i++)
        for (size_t j = 0; j < i; j++)
            assert_int_equal(blocks[i][j], i & 0x7f);
    mgi_arena_fini(&a);
}

static void test_releases_run_in_reverse_order_and_once(void **state)
{
    (void)state;
    struct arena a;
    int one = 1, two = 2, three = 3;
    order_count = 0;
    mgi_arena_init(&a, 0);
    assert_true(mgi_arena_defer(&a, note, &one));
    assert_true(mgi_arena_defer(&a, note, &two));
    mgi_arena_reset(&a);
    assert_int_equal(order_count, 2);
    assert_int_equal(order[0], 2);
    assert_int_equal(order[1], 1);
    assert_true(mgi_arena_defer(&a, note, &three));
    mgi_arena_fini(&a);
    assert_int_equal(order_count, 3);
    assert_int_equal(order[2], 3);
}

static void test_rewind_undoes_what_came_after_the_mark_only(void **state)
{
    (void)state;
    struct arena a;
    int early = 1, late = 2;
    order_count = 0;
    mgi_arena_init(&a, 0);
    char *kept = mgi_arena_strdup(&a, "kept");
    assert_true(mgi_arena_defer(&a, note, &early));
    struct arena_mark mark = mgi_arena_mark(&a);
    size_t used = a.used;
    for (int i = 0; i < 200; i++)
        assert_non_null(mgi_arena_alloc(&a, 1000)); /* into further chunks */
    assert_true(mgi_arena_defer(&a, note, &late));
    mgi_arena_rewind(&a, mark);
    assert_int_equal(order_count, 1);
    assert_int_equal(order[0], 2);
    assert_int_equal(a.used, used);
    assert_string_equal(kept, "kept");
    assert_non_null(mgi_arena_alloc(&a, 64));
    assert_string_equal(kept, "kept");
    mgi_arena_fini(&a);
}

static void test_a_mark_of_an_empty_arena_can_be_rewound(void **state)
{
    (void)state;
    struct arena a;
    mgi_arena_init(&a, 0);
    struct arena_mark mark = mgi_arena_mark(&a);
    assert_non_null(mgi_arena_alloc(&a, 100000));
    assert_non_null(mgi_arena_alloc(&a, 100000));
    mgi_arena_rewind(&a, mark);
    assert_int_equal(a.used, 0);
    assert_non_null(mgi_arena_alloc(&a, 10));
    mgi_arena_fini(&a);
}

static void test_reset_allocates_nothing_new_for_the_same_use(void **state)
{
    (void)state;
    struct arena a;
    mgi_arena_init(&a, 0);
    void *first = mgi_arena_alloc(&a, 100);
    size_t high = 0;
    for (int round = 0; round < 100; round++) {
        mgi_arena_reset(&a);
        assert_ptr_equal(mgi_arena_alloc(&a, 100), first);
        assert_non_null(mgi_arena_alloc(&a, 5000));
        if (round == 0)
            high = a.high_water;
        assert_int_equal(a.high_water, high);
    }
    mgi_arena_fini(&a);
}

static void test_the_limit_holds_and_is_remembered(void **state)
{
    (void)state;
    struct arena a;
    mgi_arena_init(&a, 4096);
    size_t count = 0;
    while (mgi_arena_alloc(&a, 100))
        count++;
    assert_in_range(count, 20, 40);
    assert_true(a.oom);
    assert_true(a.used <= 4096);
    mgi_arena_reset(&a);
    assert_false(a.oom);
    assert_non_null(mgi_arena_alloc(&a, 100));
    assert_null(mgi_arena_alloc(&a, SIZE_MAX - 3));
    assert_null(mgi_arena_calloc(&a, SIZE_MAX / 2, 4));
    mgi_arena_fini(&a);
}

static void test_a_failed_defer_releases_at_once(void **state)
{
    (void)state;
    struct arena a;
    int thing = 7;
    order_count = 0;
    mgi_arena_init(&a, 1);
    assert_false(mgi_arena_defer(&a, note, &thing));
    assert_int_equal(order_count, 1);
    mgi_arena_fini(&a);
    assert_int_equal(order_count, 1);
}

static void test_the_last_block_grows_in_place(void **state)
{
    (void)state;
    struct arena a;
    mgi_arena_init(&a, 0);
    int *items = NULL;
    size_t cap = 0;
    assert_true(mgi_arena_grow(&a, &items, &cap, 4, sizeof *items));
    int *before = items;
    items[3] = 42;
    assert_true(mgi_arena_grow(&a, &items, &cap, 500, sizeof *items));
    assert_ptr_equal(items, before);
    assert_int_equal(items[3], 42);
    assert_non_null(mgi_arena_alloc(&a, 1)); /* no longer the last */
    assert_true(mgi_arena_grow(&a, &items, &cap, cap + 1, sizeof *items));
    assert_ptr_not_equal(items, before);
    assert_int_equal(items[3], 42);
    for (size_t i = 0; i < 100000; i++) {
        assert_true(mgi_arena_grow(&a, &items, &cap, i + 1, sizeof *items));
        items[i] = (int)i;
    }
    assert_int_equal(items[99999], 99999);
    mgi_arena_fini(&a);
}

static void test_copies_end_in_nul_and_may_hold_nul(void **state)
{
    (void)state;
    struct arena a;
    mgi_arena_init(&a, 0);
    struct str copy = mgi_arena_str(&a, (struct str){ "a\0b", 3 });
    assert_int_equal(copy.len, 3);
    assert_memory_equal(copy.ptr, "a\0b", 4);
    copy = mgi_arena_str(&a, (struct str){ NULL, 0 });
    assert_non_null(copy.ptr);
    assert_int_equal(copy.len, 0);
    assert_string_equal(mgi_arena_printf(&a, "%s-%d", "x", 12), "x-12");
    mgi_arena_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_are_aligned_and_apart),
        cmocka_unit_test(test_releases_run_in_reverse_order_and_once),
        cmocka_unit_test(test_rewind_undoes_what_came_after_the_mark_only),
        cmocka_unit_test(test_a_mark_of_an_empty_arena_can_be_rewound),
        cmocka_unit_test(test_reset_allocates_nothing_new_for_the_same_use),
        cmocka_unit_test(test_the_limit_holds_and_is_remembered),
        cmocka_unit_test(test_a_failed_defer_releases_at_once),
        cmocka_unit_test(test_the_last_block_grows_in_place),
        cmocka_unit_test(test_copies_end_in_nul_and_may_hold_nul),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
