/* Bases and overlays as their users see them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "mangle/run/base.h"
#include "support/mangle_run.h"

static bool is_open(void *context, const mangle_program *program, mangle_pred pred)
{
    const char *name = mangle_program_pred(program, pred).name;
    (void)context;
    return strcmp(name, "seen") == 0 || strcmp(name, "log") == 0;
}

#define PROGRAM                                                                                    \
    "Decl edge(X, Y). Decl seen(X). Decl log(X) temporal.\n"                                       \
    "edge(/a, /b). edge(/b, /c).\n"                                                                \
    "path(X, Y) :- edge(X, Y). path(X, Z) :- path(X, Y), edge(Y, Z).\n"                            \
    "reach(Y) :- seen(X), path(X, Y).\n"                                                           \
    "left(X) :- path(_, X), !seen(X).\n"                                                           \
    "hot(X) :- <-[5m] log(X).\n"

static struct mangle_run open_run(const char *request)
{
    struct run_options options = { .changeable = is_open, .request = request };
    return mangle_run(PROGRAM, &options);
}

static void expect(struct mangle_run *run, const char *query, const char *answers)
{
    char *text = mangle_run_query(run, query);
    assert_string_equal(text, answers);
    mangle_free(text);
}

static mangle_value name(struct mangle_run *run, const char *text)
{
    return mangle_name(mangle_overlay_values(run->overlay), text, strlen(text));
}

static void test_requests_see_base_and_their_own_facts(void **state)
{
    (void)state;
    struct mangle_run run = open_run("seen(/b). log(/x)@[2024-06-10T11:59:00].");
    expect(&run, "reach", "reach(/c).\n");
    expect(&run, "left(X)", "left(/c).\n");
    expect(&run, "hot(_)", "hot(/x).\n");
    expect(&run, "path(/a, X)", "path(/a,/b).\npath(/a,/c).\n");
    mangle_run_end(&run);
}

static void test_nothing_of_a_request_is_left_after_reset(void **state)
{
    (void)state;
    struct mangle_run run = open_run("seen(/b). log(/x)@[2024-06-10T11:59:00].");
    mangle_overlay_reset(run.overlay);
    assert_int_equal(mangle_overlay_eval(run.overlay, RUN_NOW, NULL, &run.stats, NULL), MANGLE_OK);
    expect(&run, "reach", "");
    expect(&run, "left", "left(/b).\nleft(/c).\n");
    expect(&run, "hot", "");
    expect(&run, "log", "");
    mangle_run_end(&run);
}

static void test_what_cannot_change_is_in_the_base(void **state)
{
    (void)state;
    struct mangle_run run = open_run("seen(/b).");
    const struct rel *path = &run.base->rels[mangle_pred_find(run.program, "path", 2)];
    assert_int_equal(path->count, 3);
    assert_false(
        mangle_program_pred(run.program, mangle_pred_find(run.program, "path", 2)).changeable);
    assert_true(
        mangle_program_pred(run.program, mangle_pred_find(run.program, "hot", 1)).changeable);
    for (size_t i = 0; i < mangle_program_rule_count(run.program); i++) {
        struct mangle_rule_view v = mangle_program_rule(run.program, i);
        const char *head = mangle_program_pred(run.program, v.head).name;
        assert_int_equal(v.per_request, strcmp(head, "left") == 0 || strcmp(head, "hot") == 0);
    }
    mangle_run_end(&run);
}

static void test_facts_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    struct mangle_run run = open_run(NULL);
    mangle_overlay_reset(run.overlay);
    mangle_value a = name(&run, "/a"), two[2] = { a, a };
    struct mangle_interval t = { 1, 2 }, back = { 2, 1 };
    mangle_pred seen = mangle_pred_find(run.program, "seen", 1);
    mangle_pred log = mangle_pred_find(run.program, "log", 1);
    mangle_pred edge = mangle_pred_find(run.program, "edge", 2);
    struct mangle_error err;
    assert_int_equal(mangle_overlay_add(run.overlay, 9999, &a, 1, NULL, &err), MANGLE_ERR_INPUT);
    assert_int_equal(mangle_overlay_add(run.overlay, seen, two, 2, NULL, &err), MANGLE_ERR_INPUT);
    assert_int_equal(mangle_overlay_add(run.overlay, seen, &a, 1, &t, &err), MANGLE_ERR_INPUT);
    assert_int_equal(mangle_overlay_add(run.overlay, log, &a, 1, &back, &err), MANGLE_ERR_INPUT);
    assert_int_equal(mangle_overlay_add(run.overlay, edge, two, 2, NULL, &err), MANGLE_ERR_INPUT);
    assert_string_equal(err.message, "edge is not open to facts of a request");
    assert_int_equal(mangle_overlay_add(run.overlay, log, &a, 1, NULL, &err), MANGLE_OK);
    assert_int_equal(mangle_overlay_eval(run.overlay, RUN_NOW, NULL, NULL, NULL), MANGLE_OK);
    expect(&run, "hot", "hot(/a).\n"); /* M-SYN-56: without an interval it always holds */
    assert_int_equal(mangle_overlay_add(run.overlay, seen, &a, 1, NULL, &err), MANGLE_ERR_INPUT);
    mangle_run_end(&run);
}

static void test_an_interval_added_to_a_base_fact_joins_it(void **state)
{
    (void)state;
    struct run_options options = { .changeable = is_open,
                                   .request = "log(/x)@[2024-06-09, 2024-06-10T13:00:00]." };
    struct mangle_run run = mangle_run("Decl log(X) temporal. Decl seen(X).\n"
                                       "log(/x)@[2024-06-08, 2024-06-09].\n"
                                       "log(/y)@[2024-06-08, 2024-06-09].\n"
                                       "held(X) :- [-[0s, 24h] log(X).\n"
                                       "whole(X) :- log(X)@[2024-06-08, 2024-06-10].\n",
                                       &options);
    expect(&run, "log(/x)", "log(/x)@[2024-06-08T00:00:00Z, 2024-06-10T13:00:00Z].\n");
    expect(&run, "held", "held(/x).\n");
    expect(&run, "whole", "whole(/x).\n");
    mangle_overlay_reset(run.overlay);
    assert_int_equal(mangle_overlay_eval(run.overlay, RUN_NOW, NULL, NULL, NULL), MANGLE_OK);
    expect(&run, "log(/x)", "log(/x)@[2024-06-08T00:00:00Z, 2024-06-09T00:00:00Z].\n");
    expect(&run, "whole", "");
    mangle_run_end(&run);
}

static void test_patterns_and_queries(void **state)
{
    (void)state;
    struct mangle_run run = open_run("seen(/b).");
    const struct mangle_fact *facts;
    size_t count;
    mangle_pred path = mangle_pred_find(run.program, "path", 2);
    mangle_value pattern[2] = { name(&run, "/a"), MANGLE_NONE };
    assert_int_equal(mangle_overlay_match(run.overlay, path, pattern, &facts, &count), MANGLE_OK);
    assert_int_equal(count, 2);
    mangle_value yes[2] = { name(&run, "/a"), name(&run, "/c") };
    mangle_value no[2] = { name(&run, "/c"), name(&run, "/a") };
    assert_true(mangle_overlay_holds(run.overlay, path, yes));
    assert_false(mangle_overlay_holds(run.overlay, path, no));
    expect(&run, "path(X, X)", ""); /* M-IO-2 */
    expect(&run, "path(X, _)", "path(/a,/b).\npath(/a,/c).\npath(/b,/c).\n");
    expect(&run, "unknown(X)", "");                           /* M-IO-5 */
    expect(&run, "unknown", "error: the program is wrong\n"); /* M-IO-5 */
    mangle_run_end(&run);
}

static void test_program_facts_may_read_now(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run("Decl up(X) temporal. up(/a)@[2024-01-01, now].\n"
                                       "up(/b)@[now, _]. up(/late)@[2025-01-01, now].\n"
                                       "at(fn:time:now()). ok(X) :- up(X)@[now]. t(X) :- at(X).\n",
                                       NULL);
    expect(&run, "ok", "ok(/a).\nok(/b).\n"); /* M-TEMP-10, M-TEMP-14 */
    expect(&run, "t", "t(fn:time:parse_rfc3339(\"2024-06-10T12:00:00Z\")).\n"); /* M-ANA-4 */
    mangle_overlay_reset(run.overlay);
    assert_int_equal(mangle_overlay_eval(run.overlay, RUN_NOW + 1, NULL, NULL, NULL), MANGLE_OK);
    expect(&run, "up(/b)", "up(/b)@[2024-06-10T12:00:00.000000001Z, _].\n");
    mangle_run_end(&run);
}

/* One request of the steady-state test: facts that are new values each time. */
static void request(struct mangle_run *run, mangle_pred seen, mangle_pred log, uint32_t number)
{
    mangle_values *v = mangle_overlay_values(run->overlay);
    for (uint32_t i = 0; i < 4; i++) {
        char text[32];
        int len = snprintf(text, sizeof text, "/n%u", number * 4 + i);
        mangle_value arg = mangle_name(v, text, (size_t)len);
        struct mangle_interval t = { RUN_NOW - (int64_t)number, RUN_NOW };
        assert_int_equal(mangle_overlay_add(run->overlay, seen, &arg, 1, NULL, NULL), MANGLE_OK);
        assert_int_equal(mangle_overlay_add(run->overlay, log, &arg, 1, &t, NULL), MANGLE_OK);
    }
    assert_int_equal(mangle_overlay_eval(run->overlay, RUN_NOW, NULL, &run->stats, NULL),
                     MANGLE_OK);
    const struct mangle_fact *facts;
    size_t count;
    mangle_pred hot = mangle_pred_find(run->program, "hot", 1);
    assert_int_equal(mangle_overlay_facts(run->overlay, hot, &facts, &count), MANGLE_OK);
    assert_int_equal(count, 4);
    int64_t until;
    assert_int_equal(mangle_overlay_valid_until(run->overlay, &facts[0], NULL, &until), MANGLE_OK);
    mangle_overlay_reset(run->overlay);
}

static void test_memory_is_steady_over_many_requests(void **state)
{
    (void)state;
    struct mangle_run run = open_run(NULL);
    mangle_pred seen = mangle_pred_find(run.program, "seen", 1);
    mangle_pred log = mangle_pred_find(run.program, "log", 1);
    mangle_overlay_reset(run.overlay);
    for (uint32_t i = 0; i < 1000; i++)
        request(&run, seen, log, i);
    size_t bytes = run.stats.bytes, arena = run.overlay->arena.high_water;
    size_t room = run.overlay->rels[log].times.spans_cap + run.overlay->rels[log].known.room;
    for (uint32_t i = 1000; i < 100000; i++)
        request(&run, seen, log, i);
    assert_true(run.stats.bytes <= bytes + 64); /* longer names, no more */
    assert_int_equal(run.overlay->arena.high_water, arena);
    assert_int_equal(run.overlay->rels[log].times.spans_cap + run.overlay->rels[log].known.room,
                     room);
    mangle_run_end(&run);
}

static int64_t firings_of(const mangle_overlay *o, const char *rule)
{
    const mangle_program *p = mangle_base_program(o->base);
    int64_t fired = 0;
    bool found = false;
    for (size_t i = 0; i < mangle_program_rule_count(p); i++) {
        if (strncmp(mangle_program_rule(p, i).text, rule, strlen(rule)) != 0)
            continue;
        fired += mangle_overlay_firings(o, i);
        found = true;
    }
    assert_true(found);
    return fired;
}

static void test_every_rule_has_its_own_firings(void **state)
{
    (void)state;
    struct run_options options = { .changeable = is_open };
    struct mangle_run run = mangle_run(PROGRAM "many(N) :- path(_, _) |> do fn:group_by(), "
                                               "let N = fn:count().\n"
                                               "dark(X) :- hot(X), !seen(X).\n",
                                       &options);
    mangle_base *base;
    mangle_overlay *o;
    struct mangle_stats closed, evaluated;
    assert_int_equal(mangle_base_new(run.program, &base), MANGLE_OK);
    assert_int_equal(mangle_base_close(base, NULL, &closed, NULL), MANGLE_OK);
    assert_int_equal(mangle_overlay_new(base, &o), MANGLE_OK);
    for (int round = 0; round < 2; round++) { /* the second time nothing is left of the first */
        int64_t sum = 0;
        assert_int_equal(mangle_run_give(&run, o, "seen(/a). seen(/b)."), MANGLE_OK);
        assert_int_equal(mangle_overlay_eval(o, RUN_NOW, NULL, &evaluated, NULL), MANGLE_OK);
        assert_int_equal(firings_of(o, "path(X,Y)"), 2);   /* in the base */
        assert_int_equal(firings_of(o, "path(X,Z)"), 1);   /* a round later */
        assert_int_equal(firings_of(o, "reach(Y)"), 3);    /* b from a; c from a and from b */
        assert_int_equal(firings_of(o, "many(N)"), 3 + 1); /* rows, and the head */
        assert_int_equal(firings_of(o, "hot(X)"), 0);
        assert_int_equal(firings_of(o, "dark(X)"), 0);
        for (size_t i = 0; i < mangle_program_rule_count(run.program); i++)
            sum += mangle_overlay_firings(o, i);
        assert_int_equal(sum, closed.rule_firings + evaluated.rule_firings);
        assert_int_equal(mangle_overlay_firings(o, mangle_program_rule_count(run.program)), 0);
        mangle_overlay_reset(o);
    }
    mangle_overlay_free(o);
    mangle_base_unref(base);
    mangle_run_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests_see_base_and_their_own_facts),
        cmocka_unit_test(test_nothing_of_a_request_is_left_after_reset),
        cmocka_unit_test(test_what_cannot_change_is_in_the_base),
        cmocka_unit_test(test_facts_that_do_not_fit_are_refused),
        cmocka_unit_test(test_an_interval_added_to_a_base_fact_joins_it),
        cmocka_unit_test(test_patterns_and_queries),
        cmocka_unit_test(test_program_facts_may_read_now),
        cmocka_unit_test(test_memory_is_steady_over_many_requests),
        cmocka_unit_test(test_every_rule_has_its_own_firings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
