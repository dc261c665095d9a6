/* Holding a fact against its declaration survives the failure of any one allocation. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/mangle_run.h"
#include "support/nomem.h"

static void check_failing_everywhere(const char *program, enum mangle_status want)
{
    const struct mangle_fact *facts;
    size_t count, n = 1;
    struct mangle_run run = mangle_run(program, NULL);
    mangle_pred pred = mangle_pred_find(run.program, "t", 1);
    assert_int_equal(mangle_overlay_facts(run.overlay, pred, &facts, &count), MANGLE_OK);
    assert_int_equal(count, 1);
    for (;; n++) {
        struct mangle_error error;
        nomem_fail_at(n);
        enum mangle_status st = mangle_overlay_check_fact(run.overlay, &facts[0], &error);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (!failed) {
            assert_int_equal(st, want);
            break;
        }
        if (st != want)
            assert_int_equal(st, MANGLE_ERR_NOMEM);
        assert_int_equal(mangle_overlay_check_fact(run.overlay, &facts[0], &error), want);
    }
    assert_true(n > 1);
    mangle_run_end(&run);
}

static void test_checking_a_fact_survives_any_failure(void **state)
{
    (void)state;
    check_failing_everywhere("Decl t(X) bound [.TaggedUnion</k, /a : .Struct</n : .Tuple</number, "
                             "/any, /name>>>] inclusion [q(X, 1)]. "
                             "t({/k : /a, /n : fn:tuple(1, 2, /c)}). q({/k : /a, /n : fn:tuple(1, "
                             "2, /c)}, 1).",
                             MANGLE_OK);
    check_failing_everywhere(
        "Decl t(X) bound [\"q\"]. Decl q(X) bound [/number] bound [/name]. t(1).",
        MANGLE_ERR_INPUT);
    check_failing_everywhere("Decl t(X) bound [.List</name>]. t([1]).", MANGLE_ERR_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checking_a_fact_survives_any_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
