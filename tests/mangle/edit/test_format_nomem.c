/* Laying out survives the failure of any one allocation. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "mangle/edit/format_int.h"
#include "mangle.h"
#include "support/nomem.h"

static void format_failing_everywhere(const char *text, enum mangle_status want, bool report)
{
    struct mangle_source source = { "test.mg", text, strlen(text) };
    for (size_t n = 1;; n++) {
        char *out = (char *)1;
        size_t len = 1;
        mangle_diags *diags = report ? mangle_diags_new() : NULL;
        nomem_fail_at(n);
        enum mangle_status st = mangle_format(&source, &out, &len, diags);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        mangle_diags_free(diags);
        if (!failed) {
            assert_int_equal(st, want);
            assert_int_equal(out != NULL, want == MANGLE_OK);
            mangle_free(out);
            return;
        }
        assert_int_equal(st, MANGLE_ERR_NOMEM);
        assert_null(out);
        assert_int_equal(len, 0);
    }
}

static void test_laying_out_survives_any_failed_allocation(void **state)
{
    (void)state;
    static const char text[] =
        "# a\nPackage a! # b\nDecl p(X,Y) temporal descr[doc(\"d\"),arg(X, \"x\")] bound [/number, "
        ".List<.Union</number, /string>>].\n\n# c\np(1, [fn:plus(1, 2), {/k : [1 : 2]}])@[now].\n"
        "r(X, N) :- !q(Z), # d\n p(X, Y)@[S, _], X < 3, \n # e\n <-[5m] p(X, _) "
        "|> do fn:group_by(X), let N = fn:count(). # f\n";
    format_failing_everywhere(text, MANGLE_OK, true);
    format_failing_everywhere(text, MANGLE_OK, false);
}

static void test_refusing_survives_any_failed_allocation(void **state)
{
    (void)state;
    format_failing_everywhere("p(1). q(", MANGLE_ERR_PROGRAM, true);
    format_failing_everywhere("p(\"\xff\").", MANGLE_ERR_PROGRAM, true);
}

static void test_checking_a_layout_survives_any_failed_allocation(void **state)
{
    (void)state;
    struct str before = STR_LIT("p(\"a\"):-q. # x\n# y\n"),
               after = STR_LIT("p(\"a\") :- q.  # x\n# y");
    for (size_t n = 1;; n++) {
        nomem_fail_at(n);
        bool same = mgi_format_check(before, after), failed = nomem_failed();
        nomem_fail_at(0);
        if (!failed) {
            assert_true(same);
            return;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laying_out_survives_any_failed_allocation),
        cmocka_unit_test(test_refusing_survives_any_failed_allocation),
        cmocka_unit_test(test_checking_a_layout_survives_any_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
