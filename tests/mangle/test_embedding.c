/* What a host may set when it evaluates, and what evaluating again comes to. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "support/mangle_gen.h"
#include "support/mangle_run.h"

static const char program[] = "e(1, 2). e(2, 3). e(3, 1).\n"
                              "p(X, Y) :- e(X, Y). p(X, Z) :- p(X, Y), e(Y, Z).\n"
                              "n(C) :- p(_, _) |> do fn:group_by(), let C = fn:count().\n"
                              "none(X) :- e(X, _), !p(X, X).\n";

/* M-EVAL-35: the limit of created facts, and the time; a proof afterwards stands for the recorder.
 */
static void test_a_host_sets_limit_and_time(void **state)
{
    (void)state;
    struct run_options options = { .limits.max_facts = 9 };
    struct mangle_run run = mangle_run(program, &options);
    assert_int_equal(run.status, MANGLE_ERR_LIMIT);
    assert_int_equal(run.error.limit.kind, MANGLE_LIMIT_FACTS);
    assert_int_equal(run.error.limit.limit, 9);
    mangle_run_end(&run);
    options.limits.max_facts = 10; /* nine paths and their count */
    run = mangle_run(program, &options);
    assert_int_equal(run.status, MANGLE_OK);
    mangle_run_end(&run);
    options = (struct run_options){ .now_ns = 7 };
    char *text = run_text("t(N) :- N = fn:time:to_unix_nanos(fn:time:now()).\n", &options);
    assert_string_equal(text, "t(7).\n");
    mangle_free(text);
}

/* M-EVAL-35: without a clock nothing is measured; with one, each stratum has its share. */
static int64_t tick(void *context)
{
    int64_t *now = context;
    return (*now += 1000);
}

static void test_strata_are_measured_with_the_hosts_clock(void **state)
{
    (void)state;
    int64_t now = 0, spent[8] = { 0 };
    struct run_options options = { .limits = { .stratum_ns = spent } };
    struct mangle_run run = mangle_run(program, &options);
    size_t strata = mangle_program_stratum_count(run.program);
    assert_true(strata == 3);
    for (size_t i = 0; i < strata; i++)
        assert_int_equal(spent[i], 0);
    mangle_run_end(&run);
    options.limits.clock = tick;
    options.limits.clock_context = &now;
    run = mangle_run(program, &options);
    mangle_pred e = mangle_pred_find(run.program, "e", 2),
                p = mangle_pred_find(run.program, "p", 2);
    assert_int_equal(mangle_program_pred(run.program, e).stratum, UINT32_MAX);
    assert_true(mangle_program_pred(run.program, p).stratum <
                mangle_program_pred(run.program, mangle_pred_find(run.program, "n", 1)).stratum);
    for (size_t i = 0; i < strata; i++)
        assert_true(spent[i] >= 1000);
    mangle_run_end(&run);
}

/* M-EVAL-35: the same for the stages of a compilation; those that are not reached take nothing. */
static void test_stages_of_a_compilation_are_measured(void **state)
{
    (void)state;
    int64_t now = 0;
    struct mangle_compile_times times = { 0 };
    struct mangle_compile_options options = { .times = &times };
    struct mangle_source source = { "p.mg", program, strlen(program) };
    mangle_program *p;
    assert_int_equal(mangle_compile(&source, 1, &options, &p, NULL), MANGLE_OK);
    mangle_program_unref(p);
    assert_int_equal(times.parse_ns + times.check_ns + times.plan_ns, 0); /* no clock */
    options.clock = tick;
    options.clock_context = &now;
    for (int64_t again = 1; again <= 2; again++) {
        assert_int_equal(mangle_compile(&source, 1, &options, &p, NULL), MANGLE_OK);
        mangle_program_unref(p);
        assert_int_equal(times.parse_ns, 1000 * again);
        assert_int_equal(times.check_ns, 1000 * again);
        assert_int_equal(times.plan_ns, 1000 * again);
    }
}

/* M-EVAL-36: all that follows, given again, adds nothing. */
static void test_evaluating_a_result_again_adds_nothing(void **state)
{
    (void)state;
    char *first = run_text(program, NULL);
    struct mangle_run run = mangle_run(program, NULL);
    struct buf again = { 0 };
    mgi_buf_puts(&again, program);
    mangle_pred derived[] = { mangle_pred_find(run.program, "p", 2),
                              mangle_pred_find(run.program, "n", 1) };
    for (size_t i = 0; i < sizeof derived / sizeof *derived; i++) {
        const struct mangle_fact *facts;
        size_t count;
        assert_int_equal(mangle_overlay_facts(run.overlay, derived[i], &facts, &count), MANGLE_OK);
        assert_true(count > 0);
        for (size_t f = 0; f < count; f++) {
            char *text = mangle_fact_print(run.program, mangle_overlay_values(run.overlay),
                                           &facts[f], MANGLE_FILE, NULL);
            mgi_buf_printf(&again, "%s.\n", text);
            mangle_free(text);
        }
    }
    mangle_run_end(&run);
    struct mangle_run second = mangle_run(mgi_buf_view(&again).ptr, NULL);
    assert_int_equal(second.status, MANGLE_OK);
    assert_int_equal(second.stats.facts_derived, 0);
    char *text = mangle_run_text(&second);
    assert_string_equal(text, first);
    mangle_free(text);
    mangle_free(first);
    mgi_buf_fini(&again);
    mangle_run_end(&second);
}

/* M-EVAL-32: here facts, too, are in a fixed order, however the program is written down. */
static void test_facts_come_in_one_order(void **state)
{
    (void)state;
    char *a = run_text("b(X) :- f(X). a(X) :- f(X). f(3). f(/x). f(\"s\"). f(1).\n", NULL);
    char *b = run_text("f(1). f(\"s\"). f(3). f(/x). a(X) :- f(X). b(X) :- f(X).\n", NULL);
    assert_string_equal(a, "a(/x).\na(\"s\").\na(1).\na(3).\nb(/x).\nb(\"s\").\nb(1).\nb(3).\n");
    assert_string_equal(b, a);
    mangle_free(a);
    mangle_free(b);
}

/* M-EVAL-1: what the host gave is still there, beside what follows from it. */
static void test_given_facts_stay(void **state)
{
    (void)state;
    struct run_options options = { .changeable = run_changes_all, .request = "e(4, 5)." };
    struct mangle_run run = mangle_run(program, &options);
    assert_int_equal(run.status, MANGLE_OK);
    assert_int_equal(run.stats.facts_given, 4);
    char *given = mangle_run_query(&run, "e");
    assert_string_equal(given, "e(1,2).\ne(2,3).\ne(3,1).\ne(4,5).\n");
    mangle_free(given);
    mangle_overlay_reset(run.overlay); /* the request's own fact goes, the program's stay */
    assert_int_equal(mangle_overlay_eval(run.overlay, RUN_NOW, NULL, NULL, NULL), MANGLE_OK);
    given = mangle_run_query(&run, "e");
    assert_string_equal(given, "e(1,2).\ne(2,3).\ne(3,1).\n");
    mangle_free(given);
    mangle_run_end(&run);
}

/* The lines of a program the other way round. */
static char *backwards(struct str text, struct buf *out)
{
    size_t end = text.len;
    mgi_buf_clear(out);
    while (end > 0) {
        size_t start = end - 1;
        while (start > 0 && text.ptr[start - 1] != '\n')
            start--;
        mgi_buf_append(out, text.ptr + start, end - start);
        end = start;
    }
    mgi_buf_puts(out, "");
    return out->ptr;
}

/* M-EVAL-3: the result of random programs does not depend on the order of their clauses. */
static void test_the_order_of_clauses_does_not_matter(void **state)
{
    (void)state;
    struct buf turned = { 0 };
    size_t told = 0;
    for (uint64_t i = 0; i < 300; i++) {
        struct gen g;
        mangle_gen(&g, i);
        mgi_buf_str(&g.program, mgi_buf_view(&g.facts[0]));
        char *first = run_text(mgi_buf_view(&g.program).ptr, NULL);
        char *second = run_text(backwards(mgi_buf_view(&g.program), &turned), NULL);
        if (strncmp(first, "error", 5) != 0 && strcmp(first, second) != 0)
            fail_msg("program %u:\n%s%s%s", (unsigned)i, mgi_buf_view(&g.program).ptr, first,
                     second);
        told += strncmp(first, "error", 5) != 0 && *first != 0;
        mangle_free(first);
        mangle_free(second);
        mangle_gen_end(&g);
    }
    mgi_buf_fini(&turned);
    assert_true(told > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_host_sets_limit_and_time),
        cmocka_unit_test(test_strata_are_measured_with_the_hosts_clock),
        cmocka_unit_test(test_stages_of_a_compilation_are_measured),
        cmocka_unit_test(test_evaluating_a_result_again_adds_nothing),
        cmocka_unit_test(test_facts_come_in_one_order),
        cmocka_unit_test(test_given_facts_stay),
        cmocka_unit_test(test_the_order_of_clauses_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
