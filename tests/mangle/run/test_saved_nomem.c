/* Saving and opening a base survive the failure of any one allocation. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "mangle.h"
#include "support/nomem.h"

static const char rules[] =
    "Decl up(X) temporal. edge(1, 2). edge(2, [3, \"x\"]). up({/a: 1})@[2024-01-01].\n"
    "path(X, Y) :- edge(X, Y). path(X, Z) :- path(X, Y), edge(Y, Z).\n";

static void saving_and_opening_survive_any_failure(void **state)
{
    (void)state;
    struct mangle_source source = { "rules.mg", rules, sizeof rules - 1 };
    mangle_program *program;
    mangle_base *base;
    char *bytes;
    size_t len, n;
    assert_int_equal(mangle_compile(&source, 1, NULL, &program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(program, &base), MANGLE_OK);
    mangle_value args[] = { mangle_string(mangle_base_values(base), "y", 1), 0 };
    args[1] = mangle_map(mangle_base_values(base), args, args, 1);
    assert_int_equal(
        mangle_base_add(base, mangle_pred_find(program, "edge", 2), args, 2, NULL, NULL),
        MANGLE_OK);
    assert_int_equal(mangle_base_close(base, NULL, NULL, NULL), MANGLE_OK);
    for (n = 1;; n++) {
        nomem_fail_at(n);
        enum mangle_status st = mangle_base_save(base, "n", 1, &bytes, &len, NULL);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(st, failed ? MANGLE_ERR_NOMEM : MANGLE_OK);
        assert_true((bytes != NULL) == !failed);
        if (!failed)
            break;
    }
    assert_true(n > 3);
    mangle_base_unref(base);
    for (n = 1;; n++) {
        nomem_fail_at(n);
        enum mangle_status st = mangle_base_open(program, bytes, len, NULL, &base, NULL, NULL);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(st, failed ? MANGLE_ERR_NOMEM : MANGLE_OK);
        assert_true((base != NULL) == !failed);
        if (!failed)
            break;
    }
    assert_true(n > 20);
    mangle_base_unref(base);
    mangle_free(bytes);
    mangle_program_unref(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(saving_and_opening_survive_any_failure) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
