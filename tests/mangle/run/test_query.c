/* Queries in the words of M-IO-1 to 5: their texts, their expressions, what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "support/mangle_run.h"

static const char program[] = "e(1, 1). e(1, 2). e(2, 2). t(/a)@[2024-01-01, 2024-01-03].\n"
                              "Decl t(X) temporal. ok(). Decl none(X).\n"
                              "f(X) :- e(X, _).\n";

static void assert_answers(const char *query, const char *expected)
{
    struct mangle_run run = mangle_run(program, NULL);
    assert_int_equal(run.status, MANGLE_OK);
    char *got = mangle_run_query(&run, query);
    assert_string_equal(got, expected);
    mangle_free(got);
    mangle_run_end(&run);
}

static void test_blanks_and_a_final_dot_do_not_matter(void **state)
{
    (void)state;
    assert_answers(" \t\n e(1, X) \r\n", "e(1,1).\ne(1,2).\n");
    assert_answers("e(1, X).", "e(1,1).\ne(1,2).\n");
    assert_answers("\tf", "f(1).\nf(2).\n");
    assert_answers("ok()", "ok().\n");
    assert_answers("t", "t(/a)@[2024-01-01T00:00:00Z, 2024-01-03T00:00:00Z].\n");
}

static void test_expressions_are_evaluated_and_variables_repeat(void **state)
{
    (void)state; /* */
    assert_answers("e(fn:minus(3, 1), X)", "e(2,2).\n");
    assert_answers("e(X, X)", "e(1,1).\ne(2,2).\n");
    assert_answers("e(_, _)", "e(1,1).\ne(1,2).\ne(2,2).\n");
    assert_answers("e(X, fn:list:len([7]))", "e(1,1).\n");
}

static void test_unknown_predicates_have_no_facts(void **state)
{
    (void)state; /* M-IO-5 */
    assert_answers("nobody(X)", "");
    assert_answers("e(X)", "");
    assert_answers("none", "");
}

static void assert_refused(const char *query, const char *code, const char *message)
{
    struct mangle_run run = mangle_run(program, NULL);
    mangle_diags *diags = mangle_diags_new();
    const struct mangle_fact *facts;
    size_t count;
    assert_int_equal(mangle_overlay_query(run.overlay, query, strlen(query), &facts, &count, diags),
                     MANGLE_ERR_PROGRAM);
    assert_int_equal(mangle_diags_count(diags), 1);
    const struct mangle_diag *d = mangle_diags_get(diags, 0);
    assert_string_equal(d->code, code);
    if (!strstr(d->message, message))
        fail_msg("%s: %s", query, d->message);
    /* Without anywhere to tell it is refused as well. */
    assert_int_equal(mangle_overlay_query(run.overlay, query, strlen(query), &facts, &count, NULL),
                     MANGLE_ERR_PROGRAM);
    mangle_diags_free(diags);
    mangle_run_end(&run);
}

static void test_what_is_no_query_is_refused(void **state)
{
    (void)state;
    assert_refused("e(1, X) e(2, Y)", "SYNTAX", "");
    assert_refused("e(1, fn:div(1, 0))", "EVAL_ERROR", "division by zero");
    assert_refused("e(1, fn:plus(X, 1))", "EVAL_ERROR", "has no value");
    assert_refused("e(1, fn:nothing(1))", "FN_UNKNOWN", "fn:nothing");
    assert_refused("e(1, fn:count())", "FN_UNKNOWN", "fn:count");
    assert_refused("e(1, fn:avg([1]))", "FN_UNKNOWN", "fn:avg");
    assert_refused("e(1, fn:list:get([1]))", "FN_ARITY", "fn:list:get");
}

static void test_a_closed_base_takes_nothing(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run(program, NULL);
    struct mangle_error err = { 0 };
    mangle_value one = mangle_number(mangle_overlay_values(run.overlay), 1);
    mangle_pred none = mangle_pred_find(run.program, "none", 1);
    assert_int_equal(mangle_base_add(run.base, none, &one, 1, NULL, &err), MANGLE_ERR_INPUT);
    assert_string_equal(err.message, "the base is closed");
    assert_int_equal(mangle_base_close(run.base, NULL, NULL, &err), MANGLE_ERR_INPUT);
    assert_string_equal(err.message, "the base is closed already");
    mangle_run_end(&run);
}

static void test_a_fact_needs_all_its_values(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run(program, NULL);
    struct mangle_error err = { 0 };
    mangle_base *base;
    mangle_value nothing = MANGLE_NONE;
    mangle_pred none = mangle_pred_find(run.program, "none", 1);
    assert_int_equal(mangle_base_new(run.program, &base), MANGLE_OK);
    assert_int_equal(mangle_base_add(base, none, &nothing, 1, NULL, &err), MANGLE_ERR_INPUT);
    assert_string_equal(err.message, "argument 1 of none has no value");
    mangle_base_unref(base);
    mangle_run_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blanks_and_a_final_dot_do_not_matter),
        cmocka_unit_test(test_expressions_are_evaluated_and_variables_repeat),
        cmocka_unit_test(test_unknown_predicates_have_no_facts),
        cmocka_unit_test(test_what_is_no_query_is_refused),
        cmocka_unit_test(test_a_closed_base_takes_nothing),
        cmocka_unit_test(test_a_fact_needs_all_its_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
