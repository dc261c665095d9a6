/* "Why not", alternatives and goals survive the failure of any one allocation. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "support/mangle_run.h"
#include "support/nomem.h"

static const char program[] =
    "Decl up(X) temporal. up(/a)@[2024-06-10T11:00:00, 2024-06-10T11:30:00].\n"
    "e(/a, /b). e(/b, /c). e(/a, /c). n(3). t(/a, 3).\n"
    "p(X, Y) :- e(X, Y). p(X, Z) :- p(X, Y), p(Y, Z).\n"
    "ok(X) :- <-[0s, 5m] up(X).\n"
    "q(X) :- n(X), !t(/a, X), :list:member(X, [1, 2]). q(X) :- n(X), fn:plus(X, 1) < 2.\n"
    "s(K, S) :- t(K, V) |> do fn:group_by(K), let S = fn:sum(V).\n"
    "d(X, Y) :- n(X) |> let Y = fn:mult(X, 2).\n";

static enum mangle_status deny(mangle_overlay *o, const char *goal)
{
    const struct mangle_why_not *why;
    mangle_diags *diags = mangle_diags_new();
    if (!diags)
        return MANGLE_ERR_NOMEM;
    enum mangle_status st = mangle_overlay_why_not(o, goal, strlen(goal), &why, diags);
    mangle_diags_free(diags);
    if (st) {
        assert_null(why);
        return st;
    }
    char *text = mangle_why_not_print(o, why, NULL);
    st = text ? MANGLE_OK : MANGLE_ERR_NOMEM;
    mangle_free(text);
    return st;
}

static enum mangle_status prove(mangle_overlay *o, const char *goal)
{
    const struct mangle_proof *const *proofs;
    size_t count;
    struct mangle_explain_options options = { .max_proofs = 5 };
    mangle_diags *diags = mangle_diags_new();
    if (!diags)
        return MANGLE_ERR_NOMEM;
    enum mangle_status st =
        mangle_overlay_prove(o, goal, strlen(goal), &options, &proofs, &count, diags);
    mangle_diags_free(diags);
    if (st) {
        assert_null(proofs);
        return st;
    }
    char *text = mangle_proofs_print(o, proofs, count, NULL);
    st = text ? MANGLE_OK : MANGLE_ERR_NOMEM;
    mangle_free(text);
    return st;
}

typedef enum mangle_status ask(mangle_overlay *o, const char *goal);

static void survive(ask *one, const char *goal)
{
    struct mangle_run run = mangle_run(program, NULL);
    assert_int_equal(run.status, MANGLE_OK);
    for (size_t n = 1;; n++) {
        mangle_overlay *o;
        assert_int_equal(mangle_overlay_new(run.base, &o), MANGLE_OK);
        assert_int_equal(mangle_overlay_eval(o, RUN_NOW, NULL, NULL, NULL), MANGLE_OK);
        nomem_fail_at(n);
        enum mangle_status st = one(o, goal);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (st)
            assert_int_equal(st, MANGLE_ERR_NOMEM);
        if (!failed)
            assert_int_equal(st, MANGLE_OK);
        assert_int_equal(one(o, goal), MANGLE_OK); /* and the next question is answered */
        mangle_overlay_free(o);
        if (!failed)
            break;
    }
    mangle_run_end(&run);
}

static void test_why_not(void **state)
{
    (void)state;
    static const char *const goals[] = { "p(/c, X)", "ok(/a)",    "q(3)",       "q(X)",
                                         "s(/a, 9)", "d(3, [7])", "e(/a, /bb)", "nothing(1)" };
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++)
        survive(deny, goals[i]);
}

static void test_proofs(void **state)
{
    (void)state;
    static const char *const goals[] = { "p(/a, /c)", "s(/a, 3)", "d(3, 6)" };
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++)
        survive(prove, goals[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_why_not),
        cmocka_unit_test(test_proofs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
