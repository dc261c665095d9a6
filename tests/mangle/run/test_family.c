/* Rules that differ in constants alone are run as one by overlays, and nothing shows it: each rule
 * derives what is its own, and is counted by itself. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mangle/run/base.h"
#include "support/mangle_run.h"

static bool is_open(void *context, const mangle_program *program, mangle_pred pred)
{
    (void)context;
    const char *name = mangle_program_pred(program, pred).name;
    return strcmp(name, "seen") == 0 || strcmp(name, "flag") == 0;
}

/* `rules` above facts kind(0..9, n % 5), next(n, n + 1 mod 10); a request says `facts`. */
static struct mangle_run above(const char *rules)
{
    struct mangle_run run = { 0 };
    struct mangle_compile_options options = { .changeable = is_open };
    char text[4096];
    snprintf(text, sizeof text,
             "Decl seen(X). Decl flag(X, F). Decl kind(X, K). Decl next(X, Y).\n%s", rules);
    struct mangle_source source = { "p.mg", text, strlen(text) };
    assert_int_equal(mangle_compile(&source, 1, &options, &run.program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(run.program, &run.base), MANGLE_OK);
    mangle_values *v = mangle_base_values(run.base);
    for (int64_t n = 0; n < 10; n++) {
        mangle_value kind[] = { mangle_number(v, n), mangle_number(v, n % 5) };
        mangle_value next[] = { mangle_number(v, n), mangle_number(v, (n + 1) % 10) };
        assert_int_equal(mangle_base_add(run.base, mangle_pred_find(run.program, "kind", 2), kind,
                                         2, NULL, NULL),
                         MANGLE_OK);
        assert_int_equal(mangle_base_add(run.base, mangle_pred_find(run.program, "next", 2), next,
                                         2, NULL, NULL),
                         MANGLE_OK);
    }
    assert_int_equal(mangle_base_close(run.base, NULL, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_overlay_new(run.base, &run.overlay), MANGLE_OK);
    return run;
}

static void eval(struct mangle_run *run, const char *facts)
{
    assert_int_equal(mangle_run_give(run, run->overlay, facts), MANGLE_OK);
    assert_int_equal(mangle_overlay_eval(run->overlay, RUN_NOW, NULL, &run->stats, &run->error),
                     MANGLE_OK);
}

static void expect_count(const struct mangle_run *run, const char *name, uint32_t arity,
                         size_t count)
{
    mangle_pred pred = mangle_pred_find(run->program, name, arity);
    assert_int_not_equal(pred, MANGLE_NO_PRED);
    size_t there;
    assert_int_equal(mangle_overlay_count(run->overlay, pred, &there), MANGLE_OK);
    assert_int_equal(there, count);
}

static const struct family *family_of(const struct mangle_run *run, size_t rule)
{
    return run->base->plan->rules[rule].family;
}

static const char kinds[] = "a(X) :- seen(X), next(X, Y), kind(Y, 0).\n"
                            "b(X) :- seen(X), next(X, Y), kind(Y, 1).\n"
                            "c(Z) :- seen(Z), next(Z, W), kind(W, 2).\n"
                            "d(X) :- seen(X), next(X, Y), kind(Y, 0).\n"
                            "e(X) :- seen(X), next(X, Y), kind(Y, 7).\n";

/* M-EVAL-1. seen(9) and seen(4) have a next one of kind 0, seen(0) one of kind 1. */
static void test_each_rule_derives_what_is_its_own(void **state)
{
    (void)state;
    struct mangle_run run = above(kinds);
    for (size_t r = 0; r < 5; r++)
        assert_ptr_equal(family_of(&run, r), family_of(&run, 0));
    assert_non_null(family_of(&run, 0));
    eval(&run, "seen(9). seen(4). seen(0).");
    expect_count(&run, "a", 1, 2);
    expect_count(&run, "b", 1, 1);
    expect_count(&run, "c", 1, 0);
    expect_count(&run, "d", 1, 2);
    expect_count(&run, "e", 1, 0);
    assert_int_equal(run.stats.facts_derived, 5);
    static const int64_t fired[] = { 2, 1, 0, 2, 0 };
    for (size_t r = 0; r < 5; r++)
        assert_int_equal(mangle_overlay_firings(run.overlay, r), fired[r]);
    mangle_overlay_reset(run.overlay);
    eval(&run, "seen(1).");
    expect_count(&run, "a", 1, 0);
    expect_count(&run, "c", 1, 1);
    mangle_run_end(&run);
}

static void test_heads_may_have_constants_and_be_the_same(void **state)
{
    (void)state;
    struct mangle_run run = above("tool(/one, X) :- flag(X, /red), !kind(X, 9).\n"
                                  "tool(/two, X) :- flag(X, /blue), !kind(X, 9).\n"
                                  "tool(/three, X) :- flag(X, /red), !kind(X, 9).\n"
                                  "tool(/four, X) :- flag(X, /green), !kind(X, 9).\n"
                                  "tool(/five, X) :- flag(X, /green), !kind(X, 0).\n");
    assert_non_null(family_of(&run, 0));
    assert_int_equal(family_of(&run, 0)->member_count, 4);
    assert_null(family_of(&run, 4)); /* what is negated is another */
    eval(&run, "flag(1, /red). flag(2, /blue). flag(3, /unknown). flag(5, /green).");
    expect_count(&run, "tool", 2, 4);
    assert_int_equal(mangle_overlay_firings(run.overlay, 4), 0);
    mangle_run_end(&run);
}

/* What reads a member's head reads all of it. */
static void test_what_follows_from_members_is_complete(void **state)
{
    (void)state;
    char text[600];
    snprintf(text, sizeof text,
             "%sall(X) :- e(X). all(X) :- d(X). all(X) :- c(X). all(X) :- b(X). all(X) :- a(X).\n"
             "none(X) :- seen(X), !all(X).\n",
             kinds);
    struct mangle_run run = above(text);
    eval(&run, "seen(9). seen(4). seen(0). seen(2).");
    expect_count(&run, "all", 1, 3);
    expect_count(&run, "none", 1, 1);
    mangle_run_end(&run);
}

static void test_who_is_not_wanted_gets_nothing(void **state)
{
    (void)state;
    struct mangle_run run = above(kinds);
    bool *wanted = calloc(mangle_program_pred_count(run.program), sizeof *wanted);
    assert_non_null(wanted);
    wanted[mangle_pred_find(run.program, "b", 1)] = wanted[mangle_pred_find(run.program, "d", 1)] =
        true;
    mangle_overlay_focus(run.overlay, wanted);
    eval(&run, "seen(9). seen(4). seen(0).");
    expect_count(&run, "a", 1, 0);
    expect_count(&run, "b", 1, 1);
    expect_count(&run, "d", 1, 2);
    assert_int_equal(run.stats.facts_derived, 3);
    free(wanted);
    mangle_run_end(&run);
}

/* M-LIM-1 */
static void test_a_limit_stops_a_family(void **state)
{
    (void)state;
    struct mangle_run run = above(kinds);
    struct mangle_limits limits = { .max_facts = 3 };
    assert_int_equal(mangle_run_give(&run, run.overlay, "seen(9). seen(4). seen(0)."), MANGLE_OK);
    assert_int_equal(mangle_overlay_eval(run.overlay, RUN_NOW, &limits, NULL, &run.error),
                     MANGLE_ERR_LIMIT);
    assert_int_equal(run.error.limit.kind, MANGLE_LIMIT_FACTS);
    mangle_overlay_reset(run.overlay);
    eval(&run, "seen(0).");
    expect_count(&run, "b", 1, 1);
    mangle_run_end(&run);
}

/* A node of `many` has two hundred kinds: who asks for one of them had better ask for it. */
static void test_rules_stay_alone_where_a_parameter_would_read_more(void **state)
{
    (void)state;
    struct mangle_run run = { 0 };
    struct mangle_compile_options options = { .changeable = is_open };
    static const char text[] = "Decl seen(X). Decl many(X, K).\n"
                               "a(X) :- seen(X), many(X, 1). b(X) :- seen(X), many(X, 2).\n"
                               "c(X) :- seen(X), many(X, 3). d(X) :- seen(X), many(X, 4).\n";
    struct mangle_source source = { "p.mg", text, sizeof text - 1 };
    assert_int_equal(mangle_compile(&source, 1, &options, &run.program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(run.program, &run.base), MANGLE_OK);
    mangle_values *v = mangle_base_values(run.base);
    for (int64_t n = 0; n < 200; n++) {
        mangle_value args[] = { mangle_number(v, 1), mangle_number(v, n) };
        assert_int_equal(mangle_base_add(run.base, mangle_pred_find(run.program, "many", 2), args,
                                         2, NULL, NULL),
                         MANGLE_OK);
    }
    assert_int_equal(mangle_base_close(run.base, NULL, NULL, NULL), MANGLE_OK);
    for (size_t r = 0; r < 4; r++)
        assert_null(family_of(&run, r));
    mangle_run_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_rule_derives_what_is_its_own),
        cmocka_unit_test(test_heads_may_have_constants_and_be_the_same),
        cmocka_unit_test(test_what_follows_from_members_is_complete),
        cmocka_unit_test(test_who_is_not_wanted_gets_nothing),
        cmocka_unit_test(test_a_limit_stops_a_family),
        cmocka_unit_test(test_rules_stay_alone_where_a_parameter_would_read_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
