/* What rules cost: rows looked at, heads, what was new, the orders used, and a share of the host's
 * clock; nothing of it changes what is derived. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "mangle/run/base.h"
#include "support/mangle_gen.h"
#include "support/mangle_run.h"
#include "support/rounds.h"

struct profiled {
    struct mangle_run run;
    mangle_profile *profile;
    struct mangle_stats in_base;
};

static int64_t ticks;

static int64_t tick(void *context)
{
    (void)context;
    return ++ticks;
}

static bool is_open(void *context, const mangle_program *program, mangle_pred pred)
{
    (void)context;
    return strcmp(mangle_program_pred(program, pred).name, "seen") == 0;
}

static struct mangle_limits limits_of(const struct profiled *p)
{
    return (struct mangle_limits){ .profile = p->profile, .clock = tick };
}

/* `text`, then a request that says `facts`. */
static struct profiled profiled(const char *text, const char *facts)
{
    struct profiled p = { 0 };
    struct mangle_compile_options options = { .changeable = is_open };
    struct mangle_source source = { "p.mg", text, strlen(text) };
    assert_int_equal(mangle_compile(&source, 1, &options, &p.run.program, NULL), MANGLE_OK);
    assert_int_equal(mangle_profile_new(p.run.program, &p.profile), MANGLE_OK);
    assert_int_equal(mangle_base_new(p.run.program, &p.run.base), MANGLE_OK);
    struct mangle_limits limits = limits_of(&p);
    assert_int_equal(mangle_base_close(p.run.base, &limits, &p.in_base, NULL), MANGLE_OK);
    assert_int_equal(mangle_overlay_new(p.run.base, &p.run.overlay), MANGLE_OK);
    assert_int_equal(mangle_run_give(&p.run, p.run.overlay, facts), MANGLE_OK);
    assert_int_equal(mangle_overlay_eval(p.run.overlay, RUN_NOW, &limits, &p.run.stats, NULL),
                     MANGLE_OK);
    return p;
}

static void end(struct profiled *p)
{
    mangle_profile_free(p->profile);
    mangle_run_end(&p->run);
}

static void expect_order(const struct profiled *p, size_t rule, size_t plan, const char *order)
{
    assert_true(plan < mangle_profile_rule(p->profile, rule).plan_count);
    assert_string_equal(mangle_profile_plan(p->profile, rule, plan).order, order);
}

static void expect_heads(const struct profiled *p, size_t rule, int64_t derived, int64_t duplicates)
{
    struct mangle_rule_cost cost = mangle_profile_rule(p->profile, rule);
    assert_int_equal(cost.derived, derived);
    assert_int_equal(cost.duplicates, duplicates);
    assert_int_equal(cost.heads, derived + duplicates);
}

#define RING "edge(1, 2). edge(2, 3). edge(3, 1). edge(1, 3).\n"

/* M-EVAL-35. Of the ring's nine paths four are edges; the other five are found once or more. */
static void test_rows_heads_and_duplicates_are_counted(void **state)
{
    (void)state;
    struct profiled p = profiled(RING "path(X, Y) :- edge(X, Y).\n"
                                      "path(X, Z) :- path(X, Y), edge(Y, Z).\n",
                                 "");
    expect_heads(&p, 0, 4, 0);
    struct mangle_rule_cost copy = mangle_profile_rule(p.profile, 0);
    assert_int_equal(copy.runs, 1);
    assert_int_equal(copy.rounds, 1);
    assert_int_equal(copy.tried, 4);
    expect_order(&p, 0, 0, "edge");
    expect_heads(&p, 1, 5, 7); /* each path goes on over each edge: 3 * (2 + 1 + 1) */
    assert_int_equal(mangle_profile_premise(p.profile, 1, 0).tried, 9);
    assert_int_equal(mangle_profile_premise(p.profile, 1, 0).found, 9);
    assert_int_equal(mangle_profile_premise(p.profile, 1, 1).tried, 12);
    assert_int_equal(mangle_profile_rule(p.profile, 1).tried, 21);
    expect_order(&p, 1, 0, "new path -> edge[1]");
    assert_int_equal(mangle_profile_rule(p.profile, 1).shared_with, 1);
    end(&p);
}

static void test_premises_have_their_text(void **state)
{
    (void)state;
    struct profiled p = profiled(RING "a(X) :- edge(X, Y), X < Y, !edge(Y, X), !edge(X, _).\n"
                                      "b(X) :- edge(X, 3), edge(3, X).\n",
                                 "");
    char *text = mangle_profile_premise_text(p.profile, 0, 0);
    assert_string_equal(text, "edge(X,Y)");
    mangle_free(text);
    size_t last = mangle_profile_rule(p.profile, 0).premise_count - 1;
    assert_int_equal(last, 4);
    text = mangle_profile_premise_text(p.profile, 0, last);
    assert_string_equal(text, "what is asked for");
    mangle_free(text);
    expect_order(&p, 0, 0, "edge -> !edge[*] -> !edge[1]");
    assert_int_equal(mangle_profile_premise(p.profile, 0, 2).tried, 3); /* of X < Y */
    assert_int_equal(mangle_profile_premise(p.profile, 0, 2).found,
                     2); /* 1 has a way back from 3 */
    expect_order(&p, 1, 0, "edge[2] & edge[*]");
    end(&p);
}

/* Rows of a do-rule are no heads, whether they are gathered, sorted or folded. */
static void test_groups_are_the_heads_of_do_rules(void **state)
{
    (void)state;
    struct profiled p = profiled(
        RING "folded(X, N) :- edge(X, _) |> do fn:group_by(X), let N = fn:count().\n"
             "sorted(X, L) :- edge(X, Y) |> do fn:group_by(X), let L = fn:collect(Y).\n"
             "joined(X, N) :- edge(X, Y), edge(Y, _) |> do fn:group_by(X), let N = fn:count().\n",
        "");
    for (size_t rule = 0; rule < 3; rule++) {
        expect_heads(&p, rule, 3, 0);
        assert_int_equal(mangle_profile_rule(p.profile, rule).runs, 1);
        assert_int_equal(mangle_profile_rule(p.profile, rule).plan_count, 1);
        assert_true(mangle_profile_rule(p.profile, rule).ns > 0);
    }
    assert_int_equal(mangle_profile_rule(p.profile, 0).tried, 4);
    assert_int_equal(mangle_profile_premise(p.profile, 2, 1).tried, 4); /* one is enough */
    end(&p);
}

/* The rule that is called pays for its rows; its answers are no facts. */
static void test_a_call_is_paid_by_the_rule_that_is_called(void **state)
{
    (void)state;
    struct profiled p = profiled(RING "Decl next(X, Y) descr [mode('+', '-'), deferred()].\n"
                                      "next(X, Y) :- edge(X, Y).\n"
                                      "two(X, Z) :- edge(X, Y), next(Y, Z).\n",
                                 "");
    struct mangle_rule_cost called = mangle_profile_rule(p.profile, 0);
    assert_int_equal(called.runs, 4);
    assert_int_equal(called.heads, 5);
    assert_int_equal(called.derived + called.duplicates, 0);
    assert_int_equal(called.tried, 5);
    assert_true(called.ns >= 4);
    expect_order(&p, 1, 0, "edge -> next()");
    assert_int_equal(mangle_profile_rule(p.profile, 1).tried, 4);
    end(&p);
}

static void test_members_of_a_family_share_a_search_and_have_their_own_heads(void **state)
{
    (void)state;
    struct profiled p = profiled("Decl seen(X). kind(1, /a). kind(2, /b). kind(3, /a).\n"
                                 "one(X) :- seen(X), kind(X, /a).\n"
                                 "two(X) :- seen(X), kind(X, /b).\n"
                                 "one(X) :- seen(X), kind(X, /c).\n"
                                 "ten(X) :- seen(X), kind(X, /d).\n",
                                 "seen(1). seen(2). seen(3).");
    assert_non_null(p.run.base->plan->rules[0].family);
    expect_heads(&p, 0, 2, 0);
    expect_heads(&p, 1, 1, 0);
    expect_heads(&p, 2, 0, 0);
    assert_int_equal(mangle_profile_premise(p.profile, 0, 0).tried, 3);
    for (size_t rule = 0; rule < 4; rule++)
        assert_int_equal(mangle_profile_rule(p.profile, rule).shared_with, 0);
    assert_int_equal(mangle_profile_rule(p.profile, 0).runs, 1); /* nothing is seen in the base */
    assert_int_equal(mangle_profile_rule(p.profile, 1).runs, 0);
    end(&p);
}

static bool is_shortest(void *context, const mangle_program *program, mangle_pred pred)
{
    (void)context;
    return strcmp(mangle_program_pred(program, pred).name, "shortest") == 0;
}

/* Where nobody reads `way`, a copy of it that keeps the least is derived instead (check/least.h).
 */
static void test_a_copy_that_the_engine_made_counts_as_the_rule(void **state)
{
    (void)state;
    const char *text = "road(1, 2, 5). road(2, 3, 1). road(1, 3, 9). road(3, 1, 1).\n"
                       "way(X, 0) :- road(X, 2, _).\n"
                       "way(Y, D) :- way(X, C), road(X, Y, L), D = fn:plus(C, L), D < 60.\n"
                       "shortest(Y, M) :- way(Y, D) |> do fn:group_by(Y), let M = fn:min(D).\n";
    struct mangle_compile_options options = { .outputs = is_shortest };
    struct mangle_source source = { "p.mg", text, strlen(text) };
    struct profiled p = { 0 };
    assert_int_equal(mangle_compile(&source, 1, &options, &p.run.program, NULL), MANGLE_OK);
    assert_int_equal(mangle_profile_new(p.run.program, &p.profile), MANGLE_OK);
    assert_int_equal(mangle_base_new(p.run.program, &p.run.base), MANGLE_OK);
    struct mangle_limits limits = limits_of(&p);
    assert_int_equal(mangle_base_close(p.run.base, &limits, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_overlay_new(p.run.base, &p.run.overlay), MANGLE_OK);
    assert_int_equal(mangle_overlay_eval(p.run.overlay, RUN_NOW, &limits, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_program_rule_count(p.run.program), 3);
    assert_int_equal(mangle_profile_rule(p.profile, 0).heads, 1);
    struct mangle_rule_cost far = mangle_profile_rule(p.profile, 1);
    assert_true(far.heads >= 3 && far.heads < 30); /* not every length */
    assert_int_equal(far.derived + far.duplicates, 0);
    assert_true(far.tried > 0 && far.ns > 0);
    expect_heads(&p, 2, 3, 0);
    end(&p);
}

/* A request's costs come to those of the base, until the counters are put back. */
static void test_counters_add_up_until_they_are_reset(void **state)
{
    (void)state;
    struct profiled p = profiled("Decl seen(X). near(1, 2). near(2, 3).\n"
                                 "far(X, Z) :- near(X, Y), near(Y, Z).\n"
                                 "met(Y) :- seen(X), far(X, Y).\n",
                                 "seen(1).");
    expect_heads(&p, 0, 1, 0);
    expect_heads(&p, 1, 1, 0);
    mangle_profile_reset(p.profile);
    expect_heads(&p, 0, 0, 0);
    struct mangle_limits limits = limits_of(&p);
    for (int again = 1; again <= 2; again++) {
        mangle_overlay_reset(p.run.overlay);
        assert_int_equal(mangle_run_give(&p.run, p.run.overlay, "seen(1). seen(7)."), MANGLE_OK);
        assert_int_equal(mangle_overlay_eval(p.run.overlay, RUN_NOW, &limits, NULL, NULL),
                         MANGLE_OK);
        expect_heads(&p, 0, 0, 0);
        expect_heads(&p, 1, again, 0);
        assert_int_equal(mangle_profile_rule(p.profile, 1).rounds, again);
        assert_int_equal(mangle_profile_premise(p.profile, 1, 0).tried, 2 * again);
    }
    end(&p);
}

/* M-LIM: what was counted until then says which rule it was. */
static void test_a_limit_leaves_what_was_counted(void **state)
{
    (void)state;
    const char *text = "n(0). n(Y) :- n(X), Y = fn:plus(X, 1). m(X) :- k(X). k(7).\n";
    struct mangle_source source = { "p.mg", text, strlen(text) };
    struct profiled p = { 0 };
    assert_int_equal(mangle_compile(&source, 1, NULL, &p.run.program, NULL), MANGLE_OK);
    assert_int_equal(mangle_profile_new(p.run.program, &p.profile), MANGLE_OK);
    assert_int_equal(mangle_base_new(p.run.program, &p.run.base), MANGLE_OK);
    struct mangle_limits limits = limits_of(&p);
    limits.max_facts = 100;
    struct mangle_error error;
    assert_int_equal(mangle_base_close(p.run.base, &limits, NULL, &error), MANGLE_ERR_LIMIT);
    assert_true(mangle_profile_rule(p.profile, 0).derived >= 99);
    assert_true(mangle_profile_rule(p.profile, 0).rounds >= 99);
    end(&p);
}

/* No clock: no time. Nobody asks: no clock. */
static void test_a_clock_is_read_only_for_who_asks(void **state)
{
    (void)state;
    const char *text = RING "path(X, Y) :- edge(X, Y). path(X, Z) :- path(X, Y), edge(Y, Z).\n";
    struct run_options options = { .limits.clock = tick };
    ticks = 0;
    struct mangle_run run = mangle_run(text, &options);
    assert_int_equal(ticks, 0);
    mangle_run_end(&run);
    struct profiled p = profiled(text, "");
    int64_t spent = 0;
    for (size_t rule = 0; rule < 2; rule++) {
        assert_true(mangle_profile_rule(p.profile, rule).ns > 0);
        spent += mangle_profile_rule(p.profile, rule).ns;
    }
    assert_true(spent <= ticks);
    end(&p);
}

/* ---- random programs ------------------------------------------------------------------------- */

struct measured {
    char *text;
    struct mangle_stats stats;
    int64_t fired;
};

static struct measured measure(const struct gen *g, bool asks)
{
    struct measured m = { 0 };
    struct mangle_compile_options options = { .changeable = mangle_gen_assertable,
                                              .changeable_context = (void *)(uintptr_t)g,
                                              .allow_dangerous = true };
    struct mangle_run run = { 0 };
    mangle_profile *profile = NULL;
    struct str program = mgi_buf_view(&g->program), facts = mgi_buf_view(&g->facts[0]);
    struct mangle_source source = { "p.mg", program.ptr, program.len },
                         given = { "f.mg", facts.ptr, facts.len };
    if (mangle_compile(&source, 1, &options, &run.program, NULL))
        return m;
    if (asks)
        assert_int_equal(mangle_profile_new(run.program, &profile), MANGLE_OK);
    struct mangle_limits limits = { .profile = profile, .clock = tick, .max_facts = 2000 };
    struct mangle_stats in_base = { 0 };
    run.status = mangle_base_new(run.program, &run.base);
    if (!run.status)
        run.status = mangle_base_add_text(run.base, &given, NULL);
    if (!run.status)
        run.status = mangle_base_close(run.base, &limits, &in_base, NULL);
    if (!run.status)
        run.status = mangle_overlay_new(run.base, &run.overlay);
    if (!run.status)
        run.status = mangle_run_give(&run, run.overlay, mgi_buf_view(&g->facts[1]).ptr);
    if (!run.status)
        run.status = mangle_overlay_eval(run.overlay, RUN_NOW, &limits, &m.stats, NULL);
    m.stats.rule_firings += in_base.rule_firings;
    int64_t heads = 0;
    for (size_t r = 0; !run.status && r < mangle_program_rule_count(run.program); r++) {
        m.fired += mangle_overlay_firings(run.overlay, r);
        if (!asks)
            continue;
        struct mangle_rule_cost cost = mangle_profile_rule(profile, r);
        int64_t tried = 0;
        heads += cost.heads;
        assert_true(cost.derived >= 0 && cost.duplicates >= 0);
        assert_true(cost.heads <= mangle_overlay_firings(run.overlay, r));
        assert_true(cost.heads == 0 || cost.runs > 0 || cost.shared_with != r);
        for (size_t i = 0; i < cost.premise_count; i++)
            tried += mangle_profile_premise(profile, r, i).tried;
        assert_int_equal(tried, cost.tried);
    }
    if (!run.status && asks)
        assert_true(heads <= m.fired);
    m.text = mangle_run_text(&run);
    mangle_profile_free(profile);
    mangle_run_end(&run);
    return m;
}

/* M-EVAL-1: same facts, same figures. */
static void test_counting_changes_nothing(void **state)
{
    (void)state;
    for (uint64_t number = 1; number <= test_rounds(300); number++) {
        struct gen g;
        mangle_gen(&g, number);
        struct measured without = measure(&g, false), with = measure(&g, true);
        if (without.text) {
            assert_string_equal(with.text, without.text);
            assert_int_equal(with.stats.facts_derived, without.stats.facts_derived);
            assert_int_equal(with.stats.rounds, without.stats.rounds);
            assert_int_equal(with.stats.rule_firings, without.stats.rule_firings);
            assert_int_equal(with.fired, without.fired);
        }
        mangle_free(without.text);
        mangle_free(with.text);
        mangle_gen_end(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_heads_and_duplicates_are_counted),
        cmocka_unit_test(test_premises_have_their_text),
        cmocka_unit_test(test_groups_are_the_heads_of_do_rules),
        cmocka_unit_test(test_a_call_is_paid_by_the_rule_that_is_called),
        cmocka_unit_test(test_members_of_a_family_share_a_search_and_have_their_own_heads),
        cmocka_unit_test(test_a_copy_that_the_engine_made_counts_as_the_rule),
        cmocka_unit_test(test_counters_add_up_until_they_are_reset),
        cmocka_unit_test(test_a_limit_leaves_what_was_counted),
        cmocka_unit_test(test_a_clock_is_read_only_for_who_asks),
        cmocka_unit_test(test_counting_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
