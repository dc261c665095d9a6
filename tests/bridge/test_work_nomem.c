/* Beginning a work survives the failure of any allocation. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "bridge/work.h"
#include "support/nomem.h"

static void test_beginning_survives_the_failure_of_any_allocation(void **state)
{
    (void)state;
    static const struct works_options options = { .max = 2 };
    size_t n = 1;
    for (;; n++) {
        struct bridge_work *work = NULL;
        nomem_fail_at(n);
        struct works *works = mgi_works_new(&options);
        enum work_fault fault = works ? mgi_works_begin(works, "ann", 1, 0, &work) : WORK_NOMEM;
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (failed) {
            assert_int_equal(fault, WORK_NOMEM);
            assert_null(work);
            assert_true(!works || mgi_works_count(works) == 0);
        }
        mgi_works_free(works);
        if (!failed)
            break;
    }
    assert_true(n > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beginning_survives_the_failure_of_any_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
