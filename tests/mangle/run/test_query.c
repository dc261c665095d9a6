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

/* M-EVAL-30 aside, a cursor gives what mangle_overlay_facts() gives, and the count is theirs. */
static void test_a_cursor_walks_the_same_facts(void **state)
{
    static const char text[] =
        "e(1, 1). e(2, 2). e(1, 2). Decl none(X). Decl ok(). ok().\n"
        "Decl t(X) temporal. t(/a)@[2024-01-01, 2024-01-03]. t(/a)@[2025-01-01, 2025-01-03].\n"
        "t(/b)@[2024-01-01, 2024-01-03].\n"
        "Decl best(X, Y) descr [fundep([X], [Y]), merge([Y], \"low\")].\n"
        "Decl low(A, B, C) descr [mode('+', '+', '-'), deferred()].\n"
        "low(A, B, A) :- A <= B. low(A, B, B) :- B < A.\n"
        "best(X, Y) :- e(X, Y). best(1, 0) :- best(1, 1).\n";
    struct mangle_run run = mangle_run(text, NULL);
    (void)state;
    assert_int_equal(run.status, MANGLE_OK);
    mangle_pred preds = (mangle_pred)mangle_program_pred_count(run.program);
    for (mangle_pred pred = 0; pred < preds; pred++) {
        const struct mangle_fact *facts;
        size_t count, counted, walked = 0, found = 0;
        struct mangle_cursor at;
        struct mangle_fact fact;
        assert_int_equal(mangle_overlay_facts(run.overlay, pred, &facts, &count), MANGLE_OK);
        assert_int_equal(mangle_overlay_count(run.overlay, pred, &counted), MANGLE_OK);
        assert_int_equal(mangle_overlay_cursor(run.overlay, pred, &at), MANGLE_OK);
        for (; mangle_cursor_next(&at, &fact); walked++)
            for (size_t i = 0; i < count; i++)
                found += fact.pred == pred && fact.count == facts[i].count &&
                         memcmp(fact.args, facts[i].args, fact.count * sizeof *fact.args) == 0 &&
                         fact.temporal == facts[i].temporal &&
                         fact.t.start_ns == facts[i].t.start_ns &&
                         fact.t.end_ns == facts[i].t.end_ns;
        assert_int_equal(counted, count);
        assert_int_equal(walked, count);
        assert_int_equal(found, count);
        assert_false(mangle_cursor_next(&at, &fact));
    }
    size_t none;
    struct mangle_cursor at;
    struct mangle_fact fact;
    assert_int_equal(mangle_overlay_count(run.overlay, preds, &none), MANGLE_ERR_INPUT);
    assert_int_equal(mangle_overlay_cursor(run.overlay, preds, &at), MANGLE_ERR_INPUT);
    assert_false(mangle_cursor_next(&at, &fact));
    mangle_run_end(&run);
}

/* Rows go in together or, where one is wrong, not at all. */
static void test_rows_are_added_together(void **state)
{
    static const char text[] = "Decl p(X, Y). Decl t(X) temporal. Decl z().";
    struct mangle_source source = { "rows", text, sizeof text - 1 };
    mangle_value rows[200];
    mangle_program *compiled;
    mangle_base *base;
    mangle_overlay *o;
    struct mangle_error err = { 0 };
    size_t count;
    (void)state;
    assert_int_equal(mangle_compile(&source, 1, NULL, &compiled, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(compiled, &base), MANGLE_OK);
    mangle_pred p = mangle_pred_find(compiled, "p", 2), t = mangle_pred_find(compiled, "t", 1),
                z = mangle_pred_find(compiled, "z", 0);
    for (int i = 0; i < 200; i++) /* 50 facts, each twice */
        rows[i] = mangle_number(mangle_base_values(base), i % 100);
    assert_int_equal(mangle_base_add_rows(base, p, rows, 100, &err), MANGLE_OK);
    assert_int_equal(mangle_base_add_rows(base, t, rows, 3, &err), MANGLE_OK);
    assert_int_equal(mangle_base_add_rows(base, z, rows, 2, &err), MANGLE_OK);
    assert_int_equal(mangle_base_add_rows(base, p, rows, 0, &err), MANGLE_OK);
    rows[0] = mangle_number(mangle_base_values(base), 1000);
    rows[5] = MANGLE_NONE;
    assert_int_equal(mangle_base_add_rows(base, p, rows, 100, &err), MANGLE_ERR_INPUT);
    assert_string_equal(err.message, "argument 2 of p has no value");
    assert_int_equal(mangle_base_add_rows(base, 99, rows, 1, NULL), MANGLE_ERR_INPUT);
    assert_int_equal(mangle_base_close(base, NULL, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_add_rows(base, p, rows, 1, &err), MANGLE_ERR_INPUT);
    assert_string_equal(err.message, "the base is closed");
    assert_int_equal(mangle_overlay_new(base, &o), MANGLE_OK);
    assert_int_equal(mangle_overlay_count(o, p, &count), MANGLE_ERR_INPUT); /* not evaluated */
    assert_int_equal(mangle_overlay_eval(o, 0, NULL, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_overlay_count(o, p, &count), MANGLE_OK);
    assert_int_equal(count, 50);
    assert_int_equal(mangle_overlay_count(o, t, &count), MANGLE_OK);
    assert_int_equal(count, 3);
    assert_int_equal(mangle_overlay_count(o, z, &count), MANGLE_OK);
    assert_int_equal(count, 1);
    mangle_overlay_free(o);
    mangle_base_unref(base);
    mangle_program_unref(compiled);
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
        cmocka_unit_test(test_a_cursor_walks_the_same_facts),
        cmocka_unit_test(test_rows_are_added_together),
        cmocka_unit_test(test_blanks_and_a_final_dot_do_not_matter),
        cmocka_unit_test(test_expressions_are_evaluated_and_variables_repeat),
        cmocka_unit_test(test_unknown_predicates_have_no_facts),
        cmocka_unit_test(test_what_is_no_query_is_refused),
        cmocka_unit_test(test_a_closed_base_takes_nothing),
        cmocka_unit_test(test_a_fact_needs_all_its_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
