/* Counting what rules cost survives the failure of any one allocation. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "support/mangle_run.h"
#include "support/nomem.h"

static const char text[] =
    "edge(1, 2). edge(2, 3). edge(3, 1).\n"
    "path(X, Y) :- edge(X, Y). path(X, Z) :- path(X, Y), edge(Y, Z).\n"
    "Decl next(X, Y) descr [mode('+', '-'), deferred()]. next(X, Y) :- edge(X, Y).\n"
    "n(X, N) :- path(X, Y), next(Y, _) |> do fn:group_by(X), let N = fn:count().\n"
    "none(X) :- edge(X, _), !path(X, X).\n";

static enum mangle_status evaluate(mangle_program *program, mangle_profile *profile)
{
    struct mangle_limits limits = { .profile = profile };
    mangle_base *base = NULL;
    mangle_overlay *overlay = NULL;
    enum mangle_status st = mangle_base_new(program, &base);
    if (!st)
        st = mangle_base_close(base, &limits, NULL, NULL);
    if (!st)
        st = mangle_overlay_new(base, &overlay);
    if (!st)
        st = mangle_overlay_eval(overlay, RUN_NOW, &limits, NULL, NULL);
    mangle_overlay_free(overlay);
    mangle_base_unref(base);
    return st;
}

static void test_counting_survives_any_failure(void **state)
{
    (void)state;
    struct mangle_source source = { "p.mg", text, sizeof text - 1 };
    mangle_program *program;
    size_t n = 1;
    assert_int_equal(mangle_compile(&source, 1, NULL, &program, NULL), MANGLE_OK);
    for (;; n++) {
        mangle_profile *profile = NULL;
        char *premise = NULL;
        nomem_fail_at(n);
        enum mangle_status st = mangle_profile_new(program, &profile);
        if (st)
            assert_null(profile);
        else
            st = evaluate(program, profile);
        if (!st && !(premise = mangle_profile_premise_text(profile, 1, 0)))
            st = MANGLE_ERR_NOMEM;
        bool failed = nomem_failed();
        nomem_fail_at(0);
        mangle_free(premise);
        if (!failed) {
            assert_int_equal(st, MANGLE_OK);
            assert_int_equal(mangle_profile_rule(profile, 1).derived, 6);
        } else if (st) {
            assert_int_equal(st, MANGLE_ERR_NOMEM);
        }
        mangle_profile_free(profile);
        if (!failed)
            break;
    }
    assert_true(n > 30);
    mangle_program_unref(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counting_survives_any_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
