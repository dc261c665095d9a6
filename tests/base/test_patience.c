/* Waiting awake pays where it did the last time, and costs little where it does not. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/patience.h"

/* Waits of `took_ns` each, until one is awake: how many were slept through. */
static unsigned slept_before_awake(struct patience *p, int64_t took_ns)
{
    static int64_t now = 1;
    unsigned slept = 0;
    for (;; slept++) {
        now += 1000;
        int64_t until = mgi_patience_begin(p, true, now);
        if (until)
            assert_int_equal(until, now + PATIENCE_NS);
        now += took_ns;
        mgi_patience_end(p, now);
        if (until)
            return slept;
    }
}

static void test_short_waits_are_awake(void **state)
{
    (void)state;
    struct patience p = { 0 };
    for (int i = 0; i < 100; i++)
        assert_int_equal(slept_before_awake(&p, i % 2 ? PATIENCE_NS : 1), 0);
}

static void test_long_waits_are_slept_through(void **state)
{
    (void)state;
    struct patience p = { 0 };
    static const unsigned slept[] = { 0, 2, 4, 8, 16, 32, 32, 32 };
    for (size_t i = 0; i < sizeof slept / sizeof *slept; i++)
        assert_int_equal(slept_before_awake(&p, PATIENCE_NS + 1), slept[i]);
    assert_int_equal(slept_before_awake(&p, 1), 32); /* short, but asleep: who knows why */
    assert_int_equal(slept_before_awake(&p, 1), 0);  /* and in time when it was awake */
    assert_int_equal(slept_before_awake(&p, PATIENCE_NS + 1), 0);
    assert_int_equal(slept_before_awake(&p, 1), 2);
}

static void test_no_wait_is_awake_where_others_need_the_processor(void **state)
{
    (void)state;
    struct patience p = { 0 };
    assert_int_equal(mgi_patience_begin(&p, false, 1), 0);
    mgi_patience_end(&p, 2 + PATIENCE_NS); /* long, but nobody was awake */
    assert_int_not_equal(mgi_patience_begin(&p, true, 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_waits_are_awake),
        cmocka_unit_test(test_long_waits_are_slept_through),
        cmocka_unit_test(test_no_wait_is_awake_where_others_need_the_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
