/* The innermost loop of a code: a scan, comparisons and absent atoms behind it, heads. What it does
 * in one go must be what its operations do one after the other, and it must be stopped as they are.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "mangle/run/base.h"
#include "support/mangle_run.h"

#define NODES "n(0). n(Y) :- n(X), X < 99, Y = fn:plus(X, 1).\n"

static void count(void *context, const struct code *code)
{
    uint32_t *tests = context;
    for (size_t i = 0; i < code->op_count; i++)
        if (code->ops[i].fuse)
            *tests += 1 + code->ops[i].fuse->test_count;
}

/* The tests of fused scans of the last rule's full code, and one more for each scan. */
static uint32_t fused_tests(const mangle_program *program)
{
    uint32_t tests = 0;
    count(&tests, program->plan->rules[program->plan->rule_count - 1].full);
    return tests;
}

static char *run(const char *program, bool never, uint32_t fused, int64_t *firings)
{
    struct mangle_run run = { 0 };
    struct mangle_compile_options options = { .changeable = run_changes_nothing };
    struct mangle_source source = { "p.mg", program, strlen(program) };
    struct mangle_stats stats;
    assert_int_equal(mangle_compile(&source, 1, &options, &run.program, NULL), MANGLE_OK);
    assert_int_equal(fused_tests(run.program), fused);
    assert_int_equal(mangle_base_new(run.program, &run.base), MANGLE_OK);
    run.base->eval.fuse_never = never;
    assert_int_equal(mangle_base_close(run.base, NULL, &stats, &run.error), MANGLE_OK);
    *firings = stats.rule_firings;
    assert_int_equal(mangle_overlay_new(run.base, &run.overlay), MANGLE_OK);
    assert_int_equal(mangle_overlay_eval(run.overlay, RUN_NOW, NULL, NULL, &run.error), MANGLE_OK);
    char *text = mangle_run_text(&run);
    mangle_run_end(&run);
    return text;
}

static void expect(const char *rules, uint32_t fused)
{
    char program[1000];
    int64_t firings, plain_firings;
    snprintf(program, sizeof program, NODES "%s", rules);
    char *text = run(program, false, fused, &firings);
    char *plain = run(program, true, fused, &plain_firings);
    assert_string_equal(text, plain); /* M-EVAL-20 */
    assert_int_equal(firings, plain_firings);
    mangle_free(text);
    mangle_free(plain);
}

static void test_tests_behind_the_last_scan_are_fused(void **state)
{
    (void)state;
    expect("p(X, Y) :- n(X), n(Y).", 1);
    expect("p(X, Y) :- n(X), n(Y), X != Y.", 2);
    expect("p(Y, X) :- n(X), n(Y), Y != 7, X != Y.", 3);
    expect("e(X, Y) :- n(X), n(Y), X != Y. p(X, Y) :- n(X), n(Y), !e(X, Y).", 2); /* dense */
    expect("e(X, 7) :- n(X), X != 3. p(X, Y) :- n(X), n(Y), !e(X, Y), X != Y.", 3);
    expect("e(X, X, 1) :- n(X). p(X, Y) :- n(X), n(Y), !e(X, Y, 1), !e(Y, Y, X).", 3);
    expect("e(X) :- n(X), X != 5. p(X) :- n(X), !e(X).", 2);
    expect("e(X) :- n(X), X < 50. p(X, Y) :- n(X), !e(X), n(Y), !e(Y).", 2);
    expect("e(X, X) :- n(X). p(X, Y) :- n(X), e(X, Y), e(Y, X).", 2);
    expect("e(X, 7, Y) :- n(X), n(Y), X != Y. p(Y) :- n(X), X < 3, e(X, 7, Y), e(Y, 7, X).", 2);
}

static void test_what_has_a_choice_or_can_fail_is_not(void **state)
{
    (void)state;
    expect("e(X, X) :- n(X). p(X) :- n(X), !e(X, _).", 0);
    expect("p(X, Y) :- n(X), n(Y), X < Y.", 0);
}

/* Whether the last rule has no head twice. */
static void expect_distinct(const char *rules, bool distinct)
{
    char text[1000];
    snprintf(text, sizeof text, "e(1, 2). f(1). g(1)@[2024-01-01, _]. w(1, 2, 3).\n%s", rules);
    struct mangle_source source = { "p.mg", text, strlen(text) };
    struct mangle_compile_options options = { .changeable = run_changes_nothing };
    mangle_program *p;
    assert_int_equal(mangle_compile(&source, 1, &options, &p, NULL), MANGLE_OK);
    assert_int_equal(p->plan->rules[p->plan->rule_count - 1].distinct, distinct);
    mangle_program_unref(p);
}

/* M-EVAL-20: what a head does not say may have other values, and then it comes again. */
static void test_heads_that_say_all_are_distinct(void **state)
{
    (void)state;
    expect_distinct("p(X, Y) :- e(X, Y).", true);
    expect_distinct("p(X) :- e(X, Y).", false);
    expect_distinct("p(X) :- e(X, _).", false);
    expect_distinct("p(X) :- e(X, 2).", true);
    expect_distinct("p(X) :- e(X, X).", true);
    expect_distinct("p(X, Y) :- f(X), f(Y), !e(X, Y), X != Y.", true);
    expect_distinct("p(X, Z) :- e(X, Y), e(Y, Z).", false);
    expect_distinct("p(X, Y, Z) :- e(X, Y), e(Y, Z).", true);
    expect_distinct("p(X) :- f(X), e(X, _).", true); /* one witness is looked for */
    expect_distinct("p(X) :- f(X), e(X, Y), f(Y).", false);
    expect_distinct("p(X, Y) :- f(X), e(X, Y), f(Y).", true);
    expect_distinct("p(X, Z) :- f(X), Z = fn:plus(X, 1).", true);
    expect_distinct("p(Z) :- f(X), Z = fn:minus(X, X).", false);
    expect_distinct("p(Z) :- f(X), Z = X.", true);
    expect_distinct("p(X, Z) :- f(X), :list:member(Z, [1, 1]).", false);
    expect_distinct("p(X) :- w(X, Y, _), e(X, Y).", false);
    expect_distinct("p(X, Y, Z) :- w(X, Y, Z), X < Y.", true);
    expect_distinct("Decl g(X) temporal. p(X) :- g(X)@[S, E].", false);
    expect_distinct("p(X, N) :- e(X, Y) |> do fn:group_by(X), let N = fn:count().", true);
    expect_distinct("p(N) :- e(X, Y) |> do fn:group_by(X), let N = fn:count().", false);
    expect_distinct("p(X) :- e(X, Y) |> do fn:group_by(X, Y), let N = fn:count().", false);
    expect_distinct("p(N) :- e(X, Y) |> do fn:group_by(), let N = fn:count().", true);
}

struct looks {
    int count, at;
};

static int64_t late(void *context)
{
    struct looks *looks = context;
    return ++looks->count >= looks->at ? 10 : 0;
}

/* M-LIM-11: a million pairs of which none passes. */
static void test_a_loop_without_heads_looks_at_the_clock(void **state)
{
    (void)state;
    struct looks looks = { 0, 500 };
    struct run_options options = { .changeable = run_changes_all,
                                   .limits = { .timeout_ns = 5 },
                                   .request = "n(0)." };
    options.limits.clock = late;
    options.limits.clock_context = &looks;
    struct mangle_run run = mangle_run("Decl n(X). n(Y) :- n(X), X < 999, Y = fn:plus(X, 1).\n"
                                       "b(X, Y) :- n(X), n(Y), !n(Y).",
                                       &options);
    assert_int_equal(run.status, MANGLE_ERR_LIMIT);
    assert_int_equal(run.error.limit.kind, MANGLE_LIMIT_TIME);
    assert_int_equal(looks.count, 500);
    assert_int_equal(run.overlay->eval.derived, 999);
    mangle_run_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tests_behind_the_last_scan_are_fused),
        cmocka_unit_test(test_what_has_a_choice_or_can_fail_is_not),
        cmocka_unit_test(test_heads_that_say_all_are_distinct),
        cmocka_unit_test(test_a_loop_without_heads_looks_at_the_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
