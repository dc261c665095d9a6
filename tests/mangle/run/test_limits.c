/* Limits stop an evaluation, say which one it was, and leave nothing behind (section 16). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "mangle/run/base.h"
#include "support/mangle_run.h"

#define COUNT_UP "n(0). n(Y) :- n(X), Y = fn:plus(X, 1)."

static void expect_limit(const char *program, struct mangle_limits limits, bool overlay,
                         enum mangle_limit_kind kind, int64_t limit)
{
    struct run_options options = { .limits = limits };
    options.changeable = overlay ? run_changes_all : NULL;
    struct mangle_run run = mangle_run(program, &options);
    assert_int_equal(run.status, MANGLE_ERR_LIMIT);
    assert_int_equal(run.error.limit.kind, kind);
    assert_int_equal(run.error.limit.limit, limit);
    assert_true(run.error.limit.consumed > limit);
    mangle_run_end(&run);
}

static void test_fact_limit_counts_what_is_derived(void **state)
{
    (void)state;
    struct mangle_limits limits = { .max_facts = 100 };
    expect_limit(COUNT_UP, limits, false, MANGLE_LIMIT_FACTS, 100); /* */
    expect_limit(COUNT_UP, limits, true, MANGLE_LIMIT_FACTS, 100);
    /* M-LIM-12: exactly as many are allowed; given facts and repetitions do not count */
    struct run_options options = { .limits = { .max_facts = 3 } };
    char *text = run_text("a(1). a(2). a(3). b(X) :- a(X). b(X) :- a(X), a(Y).", &options);
    assert_string_equal(text, "b(1).\nb(2).\nb(3).\n");
    mangle_free(text);
    options.limits.max_facts = 2;
    text = run_text("a(1). a(2). a(3). b(X) :- a(X).", &options);
    assert_string_equal(text, "error: FACT_LIMIT\n");
    mangle_free(text);
}

/* M-LIM-1: what one round or all of them create counts. M-LIM-2: joins on the way do not. M-LIM-3:
 * the results of aggregates and new intervals do. */
static void test_fact_limit_counts_results_not_joins(void **state)
{
    (void)state;
    static const char facts[] = "a(1). a(2). a(3). a(4). a(5). a(6). a(7). a(8).\n";
    struct run_options options = { .limits = { .max_facts = 1 } };
    char program[512];
    snprintf(program, sizeof program, "%sr(S) :- a(X), a(Y), a(Z), S = 1, X != 9.", facts);
    char *text = run_text(program, &options); /* 512 solutions, one fact */
    assert_string_equal(text, "r(1).\n");
    mangle_free(text);
    struct mangle_limits limits = { .max_facts = 7 };
    snprintf(program, sizeof program, "%sr(X) :- a(X).", facts);
    expect_limit(program, limits, false, MANGLE_LIMIT_FACTS, 7);
    snprintf(program, sizeof program, "%sn(X, N) :- a(X) |> do fn:group_by(X), let N = fn:count().",
             facts);
    expect_limit(program, limits, false, MANGLE_LIMIT_FACTS, 7);
    snprintf(program, sizeof program, "Decl t(X) temporal. %st(X)@[now] :- a(X).", facts);
    expect_limit(program, limits, false, MANGLE_LIMIT_FACTS, 7);
}

/* Heads wait before they are counted, but what is told is what came first. */
static void test_of_limit_and_error_the_first_is_told(void **state)
{
    (void)state;
    static const char program[] = "a(1). a(2). a(3). a(4).\n"
                                  "b(X, Y) :- a(X), Y = fn:div(6, fn:minus(3, X)).";
    struct run_options options = { .limits = { .max_facts = 1 } };
    char *text = run_text(program, &options);
    assert_string_equal(text, "error: FACT_LIMIT\n"); /* M-LIM-12: the second head, before a(3) */
    mangle_free(text);
    options.limits.max_facts = 2;
    text = run_text(program, &options);
    assert_string_equal(text, "error: EVAL_ERROR\n"); /* M-EVAL-14 */
    mangle_free(text);
}

static void test_intervals_are_counted_once(void **state)
{
    (void)state;
    /* Two intervals of p, whose atoms have given ones too, and one fact of q. */
    static const char program[] = "Decl p(X) temporal. p(0)@[2024-01-01]. p(1)@[2024-01-01].\n"
                                  "n(0). n(1). p(X)@[now, _] :- n(X). q() :- p(0)@[now].";
    struct run_options options = { .limits = { .max_facts = 3 } };
    struct mangle_run run = mangle_run(program, &options);
    assert_int_equal(run.status, MANGLE_OK); /* M-LIM-12 */
    mangle_run_end(&run);
    struct mangle_limits limits = { .max_facts = 2 };
    expect_limit(program, limits, false, MANGLE_LIMIT_FACTS, 2);
    expect_limit(program, limits, true, MANGLE_LIMIT_FACTS, 2);
}

/* p@[T+1] :- p@[T], as the only temporal recursion that is not refused. */
#define RUNAWAY(step)                                                                              \
    "Decl p(X) temporal. p(1)@[2024-01-01].\n"                                                     \
    "p(X)@[U] :- p(X)@[T], U = fn:time:add(T, fn:duration:parse(\"" step "\"))."

static void test_interval_limit_stops_a_runaway_rule(void **state)
{
    (void)state;
    struct mangle_limits limits = { .max_intervals = 50 };
    expect_limit(RUNAWAY("1s"), limits, false, MANGLE_LIMIT_INTERVALS, 50); /* M-TEMP-23 */
    expect_limit(RUNAWAY("1s"), limits, true, MANGLE_LIMIT_INTERVALS, 50);
}

static void test_touching_intervals_are_stopped_by_the_fact_limit(void **state)
{
    (void)state;
    struct mangle_limits limits = { .max_facts = 5000, .max_intervals = 50 };
    expect_limit(RUNAWAY("1ns"), limits, false, MANGLE_LIMIT_FACTS, 5000); /* M-LIM-12 */
}

static void test_touching_intervals_count_as_one(void **state)
{
    (void)state;
    static const char program[] =
        "Decl q(X) temporal. Decl r(X) temporal. s(0). s(Y) :- s(X), X < 500, Y = fn:plus(X, 1).\n"
        "r(/a)@[T, U] :- s(X), T = fn:time:from_unix_nanos(X), U = fn:time:from_unix_nanos(X).\n";
    struct run_options options = { .limits = { .max_intervals = 2 } };
    struct mangle_run run = mangle_run(program, &options);
    assert_int_equal(run.status, MANGLE_OK); /* M-TEMP-23 */
    char *text = mangle_run_query(&run, "r(X)");
    assert_string_equal(text, "r(/a)@[1970-01-01T00:00:00Z, 1970-01-01T00:00:00.0000005Z].\n");
    mangle_free(text);
    mangle_run_end(&run);
}

static void test_given_intervals_count_too(void **state)
{
    (void)state;
    struct run_options options = { .limits = { .max_intervals = 1 } };
    char *text = run_text("Decl p(X) temporal. p(1)@[2024-01-01]. p(1)@[2024-02-01].\n"
                          "r() :- p(1)@[2024-01-01].",
                          &options);
    assert_string_equal(text, "error: INTERVAL_LIMIT\n"); /* M-LIM-4 */
    mangle_free(text);
}

/* Six facts of trip and, in between, pieces that are merged. */
static const char ferries[] =
    "Decl ferry(X, Y) temporal. Decl trip(X, Y) temporal. Decl part(X) temporal.\n"
    "ferry(/k, /l)@[2024-03-01, 2024-03-20]. ferry(/l, /m)@[2024-03-07, 2024-03-25].\n"
    "ferry(/m, /n)@[2024-03-11, 2024-03-30].\n"
    "trip(X, Y)@[S, F] :- ferry(X, Y)@[S, F].\n"
    "trip(X, Z)@[S2, F1] :- trip(X, Y)@[S1, F1], ferry(Y, Z)@[S2, F2], :time:lt(S1, S2),\n"
    "    :time:le(F1, F2).\n"
    "part(X)@[S, now] :- trip(X, _)@[S, _].\n"
    "part(X)@[_, F] :- part(X)@[S, _], trip(_, X)@[S, F].\n";

/* Either everything or the limit, never a part of the answer. */
static void test_recursion_ends_whole_or_at_the_limit(void **state)
{
    (void)state;
    char *whole = run_text(ferries, NULL);
    int wholes = 0, stops = 0;
    for (int i = 0; i < 2 * 4 * 30; i++) {
        struct run_options options = { .changeable = i % 2 ? run_changes_all : NULL };
        options.limits.max_facts = 1 + i / 8;
        options.limits.max_intervals = 1 + i / 2 % 4;
        struct mangle_run run = mangle_run(ferries, &options);
        if (run.status) {
            assert_int_equal(run.status, MANGLE_ERR_LIMIT); /* M-LIM-10, M-EVAL-12 */
            stops++;
        } else {
            char *text = mangle_run_text(&run);
            assert_string_equal(text, whole);
            mangle_free(text);
            wholes++;
        }
        mangle_run_end(&run);
    }
    assert_true(wholes > 20 && stops > 20);
    mangle_free(whole);
}

static int64_t ticking(void *context)
{
    int64_t *now = context;
    return *now += 1000000; /* a millisecond passes between two looks */
}

static void test_deadline_is_kept(void **state)
{
    (void)state;
    int64_t now = 0;
    struct mangle_limits limits = { .timeout_ns = 20000000 };
    limits.clock = ticking;
    limits.clock_context = &now;
    limits.max_facts = -1;
    expect_limit(COUNT_UP, limits, false, MANGLE_LIMIT_TIME, 20000000); /* M-LIM-11 */
    assert_true(now < 100 * 1000000);
}

static void test_joins_that_derive_nothing_are_stopped_too(void **state)
{
    (void)state;
    int64_t now = 0;
    struct mangle_limits limits = { .timeout_ns = 20000000 };
    limits.clock = ticking;
    limits.clock_context = &now;
    expect_limit("n(0). n(Y) :- n(X), X < 2000, Y = fn:plus(X, 1).\n"
                 "m() :- n(A), n(B), n(C), :lt(fn:plus(A, B, C), 0).",
                 limits, false, MANGLE_LIMIT_TIME, 20000000);
}

struct late { /* a clock that stands still until the deadline has passed, at one look */
    int looks, at;
};

static int64_t late(void *context)
{
    struct late *clock = context;
    return ++clock->looks >= clock->at ? 10 : 0;
}

/* 90,000 heads, which wait and go in together. What has gone in when the deadline has passed. */
static int64_t derive_pairs(int64_t max_facts, struct late *clock, enum mangle_limit_kind expected)
{
    struct run_options options = { .changeable = run_changes_all,
                                   .limits = { .max_facts = max_facts, .timeout_ns = 5 },
                                   .request = "n(0)." };
    options.limits.clock = late;
    options.limits.clock_context = clock;
    struct mangle_run run = mangle_run("Decl n(X). n(Y) :- n(X), X < 299, Y = fn:plus(X, 1).\n"
                                       "b(X, Y) :- n(X), n(Y).",
                                       &options);
    assert_int_equal(run.status, expected == MANGLE_LIMIT_NONE ? MANGLE_OK : MANGLE_ERR_LIMIT);
    assert_int_equal(run.error.limit.kind, expected);
    int64_t derived = run.overlay->eval.derived;
    mangle_run_end(&run);
    return derived;
}

/* M-LIM-11: heads that wait keep nobody from the clock, and what waits goes in before the deadline
 * is told, so that the fact limit, if they pass it, is told instead. */
static void test_deadline_is_kept_while_heads_wait(void **state)
{
    (void)state;
    struct late never = { 0, INT32_MAX };
    int64_t before = 0, all = derive_pairs(-1, &never, MANGLE_LIMIT_NONE);
    assert_int_equal(all, 299 + 90000);
    assert_true(never.looks > all / (STEPS_PER_CHECK + QUEUE_HEADS));
    for (int at = 10; at < 60; at += 7) {
        struct late first = { 0, at }, second = first, third = first;
        int64_t derived = derive_pairs(-1, &first, MANGLE_LIMIT_TIME);
        assert_int_equal(first.looks, at); /* and then no more */
        assert_true(derived > before);
        assert_true(derived <= (int64_t)at * (STEPS_PER_CHECK + QUEUE_HEADS));
        before = derived;
        derive_pairs(derived, &second, MANGLE_LIMIT_TIME);
        derive_pairs(derived - 1, &third, MANGLE_LIMIT_FACTS);
    }
}

/* Intervals of one atom that arrive in no order: merging them is the only work there is. */
static void give_scattered(struct mangle_run *run, int64_t count, int64_t gap)
{
    mangle_pred pred = mangle_pred_find(run->program, "p", 1);
    assert_int_equal(mangle_base_new(run->program, &run->base), MANGLE_OK);
    mangle_value one = mangle_number(mangle_base_values(run->base), 1);
    for (int64_t i = 0; i < count; i++) {
        int64_t at = i * 7919 % count * gap;
        struct mangle_interval t = { at, at };
        assert_int_equal(mangle_base_add(run->base, pred, &one, 1, &t, NULL), MANGLE_OK);
    }
}

struct looks { /* a clock that stands still, and somebody who cancels after a while */
    int count, cancel_at;
    bool cancel;
};

static int64_t looked_at(void *context)
{
    struct looks *looks = context;
    looks->count++;
    if (looks->count >= looks->cancel_at)
        looks->cancel = true;
    return 0;
}

static bool has_cancelled(void *context)
{
    const struct looks *looks = context;
    return looks->cancel;
}

static enum mangle_status merge_scattered(int64_t count, struct looks *looks)
{
    static const char text[] = "Decl p(X) temporal.";
    struct mangle_source source = { "p.mg", text, sizeof text - 1 };
    struct mangle_run run = { 0 };
    assert_int_equal(mangle_compile(&source, 1, NULL, &run.program, NULL), MANGLE_OK);
    give_scattered(&run, count, 2);
    struct mangle_limits limits = { .max_intervals = -1, .timeout_ns = INT64_MAX };
    limits.clock = looked_at;
    limits.clock_context = looks;
    limits.cancelled = has_cancelled;
    limits.cancel_context = looks;
    enum mangle_status st = mangle_base_close(run.base, &limits, NULL, NULL);
    mangle_base_unref(run.base);
    mangle_program_unref(run.program);
    return st;
}

static void test_merging_looks_at_clock_and_flag(void **state)
{
    (void)state;
    enum { COUNT = 100003 };
    struct looks all = { .cancel_at = INT32_MAX };
    assert_int_equal(merge_scattered(COUNT, &all), MANGLE_OK);
    assert_true(all.count >= COUNT / 1024 * 16); /* a look for each thousand steps of sorting */
    for (int at = 1; at < all.count - 2; at = at * 3 + 1) {
        struct looks some = { .cancel_at = at };
        assert_int_equal(merge_scattered(COUNT, &some), MANGLE_ERR_CANCELLED); /* M-LIM-11 */
        assert_int_equal(some.count, at);
    }
}

static enum mangle_status close_pairs(bool narrow, uint32_t count, struct looks *looks)
{
    static const char text[] = "Decl p(X, Y). Decl s(X). r(Y) :- s(X), p(X, Y).";
    struct mangle_source source = { "p.mg", text, sizeof text - 1 };
    struct mangle_compile_options options = { .changeable = run_changes_all };
    struct mangle_run run = { 0 };
    assert_int_equal(mangle_compile(&source, 1, &options, &run.program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(run.program, &run.base), MANGLE_OK);
    mangle_values *v = mangle_base_values(run.base);
    for (uint32_t i = 0; i < count; i++) {
        mangle_value args[2] = { mangle_number(v, narrow ? i / 4 : i * 16), mangle_number(v, i) };
        assert_int_equal(
            mangle_base_add(run.base, mangle_pred_find(run.program, "p", 2), args, 2, NULL, NULL),
            MANGLE_OK);
    }
    struct mangle_limits limits = { .timeout_ns = INT64_MAX, .clock = looked_at };
    limits.clock_context = looks;
    limits.cancelled = has_cancelled;
    limits.cancel_context = looks;
    enum mangle_status st = mangle_base_close(run.base, &limits, NULL, NULL);
    mangle_run_end(&run);
    return st;
}

/* M-LIM-11: its set is packed, keys are counted, rows placed. */
static void test_freezing_looks_at_clock_and_flag(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    for (int narrow = 0; narrow < 2; narrow++) {
        struct looks all = { .cancel_at = INT32_MAX };
        assert_int_equal(close_pairs(narrow, COUNT, &all), MANGLE_OK);
        assert_true(all.count > COUNT / 16384 * 3);
        for (int at = 2; at < all.count; at += at < all.count / 2 ? 7 : 3) {
            struct looks some = { .cancel_at = at };
            assert_int_equal(close_pairs(narrow, COUNT, &some), MANGLE_ERR_CANCELLED);
            assert_in_range(some.count, at, at + 1);
        }
    }
}

/* A box inside a fixpoint merges what is derived so far, again and again. */
static void test_merging_in_a_fixpoint_is_work_too(void **state)
{
    (void)state;
    struct looks looks = { .cancel_at = INT32_MAX };
    struct run_options options = { .limits = { .max_intervals = -1, .timeout_ns = INT64_MAX } };
    options.limits.clock = looked_at;
    options.limits.clock_context = &looks;
    struct mangle_run run =
        mangle_run("Decl p(X) temporal. n(0). n(Y) :- n(X), X < 1000, Y = fn:plus(X, 1).\n"
                   "p(0)@[T] :- n(X), T = fn:time:from_unix_nanos(fn:mult(X, 2)).\n"
                   "p(Y)@[_, _] :- p(X)@[1970-01-01], X < 300, p(0)@[1970-01-01],\n"
                   "               Y = fn:plus(X, 1).",
                   &options);
    assert_int_equal(run.status, MANGLE_OK);
    mangle_run_end(&run);
    assert_true(looks.count > 300); /* 300 times a thousand intervals */
}

static void test_memory_limit_is_kept(void **state)
{
    (void)state;
    struct mangle_limits limits = { .max_bytes = 1 << 20, .max_facts = -1 };
    expect_limit(COUNT_UP, limits, false, MANGLE_LIMIT_MEMORY, 1 << 20);
    expect_limit(COUNT_UP, limits, true, MANGLE_LIMIT_MEMORY, 1 << 20);
    /* one value that doubles */
    expect_limit("s(\"ab\"). s(Y) :- s(X), Y = fn:string:concat(X, X).", limits, false,
                 MANGLE_LIMIT_MEMORY, 1 << 20);
}

/* M-LIM-11: what waits counts: it goes in before the memory is looked at. */
static void test_memory_of_heads_that_wait_is_counted(void **state)
{
    (void)state;
    struct run_options options = { .changeable = run_changes_all,
                                   .limits = { .max_bytes = 1 << 20, .max_facts = -1 },
                                   .request = "n(0)." };
    struct mangle_run run = mangle_run("Decl n(X). n(Y) :- n(X), X < 299, Y = fn:plus(X, 1).\n"
                                       "b(X, Y) :- n(X), n(Y).",
                                       &options);
    const struct eval *x = &run.overlay->eval;
    assert_int_equal(run.status, MANGLE_ERR_LIMIT);
    assert_int_equal(run.error.limit.kind, MANGLE_LIMIT_MEMORY);
    assert_int_equal(run.error.limit.consumed, x->bytes + mgi_values_bytes(x->values));
    mangle_run_end(&run);
}

/* A base of rows 0..99 x 0..99 of p, of which nobody has looked whether they are known. */
static mangle_base *base_of_pairs(int64_t max_bytes, mangle_pred *pred)
{
    struct mangle_source source = { "p.mg", "Decl p(X, Y).", 13 };
    struct mangle_compile_options options = { .changeable = run_changes_nothing };
    struct mangle_limits limits = { .max_bytes = max_bytes, .max_facts = -1 };
    mangle_program *program;
    mangle_base *base;
    assert_int_equal(mangle_compile(&source, 1, &options, &program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(program, &base), MANGLE_OK);
    *pred = mangle_pred_find(program, "p", 2);
    mangle_program_unref(program);
    mgi_eval_begin(&base->eval, 0, &limits, NULL);
    uint32_t *to = mgi_rel_extend(&base->rels[*pred], 10000);
    assert_non_null(to);
    for (uint32_t i = 0; i < 10000; i++) {
        to[i * 2] = i / 100;
        to[i * 2 + 1] = i % 100;
    }
    mgi_rel_took(&base->rels[*pred], 10000);
    return base;
}

/* M-LIM-11: what the set of rows and the bits take is counted when they are made. */
static void test_sets_and_bits_are_counted(void **state)
{
    (void)state;
    mangle_pred p;
    mangle_base *base = base_of_pairs(-1, &p);
    struct eval *x = &base->eval;
    size_t before = x->bytes;
    assert_int_equal(mgi_eval_dense(x, p, NULL, 0), MANGLE_OK);
    assert_true(mgi_bits_bytes(&base->rels[p].bits) >= 10000 / 8);
    assert_int_equal(x->bytes - before, mgi_bits_bytes(&base->rels[p].bits));
    before = x->bytes;
    assert_int_equal(mgi_eval_known(x, p), MANGLE_OK);
    assert_int_equal(x->bytes - before, 10000 * 24);
    mangle_base_unref(base);
    base = base_of_pairs(1000, &p);
    assert_int_equal(mgi_eval_dense(&base->eval, p, NULL, 0), MANGLE_ERR_LIMIT);
    mangle_base_unref(base);
    base = base_of_pairs(100000, &p);
    assert_int_equal(mgi_eval_known(&base->eval, p), MANGLE_ERR_LIMIT);
    mangle_base_unref(base);
}

static bool always(void *context)
{
    (void)context;
    return true;
}

static void test_who_cancels_stops_it(void **state)
{
    (void)state;
    struct run_options options = { .limits = { .cancelled = always, .max_facts = -1 } };
    struct mangle_run run = mangle_run(COUNT_UP, &options);
    assert_int_equal(run.status, MANGLE_ERR_CANCELLED);
    mangle_run_end(&run);
}

static void test_nothing_partial_escapes_and_reset_makes_usable_again(void **state)
{
    (void)state;
    struct run_options options = { .changeable = run_changes_all,
                                   .limits = { .max_facts = 10 },
                                   .request = "n(1)." };
    struct mangle_run run = mangle_run("Decl n(X). m(X) :- n(X). m(Y) :- m(X), X < 100, "
                                       "Y = fn:plus(X, 1).",
                                       &options);
    const struct mangle_fact *facts;
    size_t count;
    mangle_pred m = mangle_pred_find(run.program, "m", 1);
    assert_int_equal(run.status, MANGLE_ERR_LIMIT);
    assert_int_equal(mangle_overlay_facts(run.overlay, m, &facts, &count), MANGLE_ERR_INPUT);
    mangle_overlay_reset(run.overlay);
    assert_int_equal(mangle_run_give(&run, run.overlay, "n(99)."), MANGLE_OK);
    assert_int_equal(mangle_overlay_eval(run.overlay, RUN_NOW, NULL, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_overlay_facts(run.overlay, m, &facts, &count), MANGLE_OK);
    assert_int_equal(count, 2);
    mangle_run_end(&run);
}

static void test_evaluation_errors_name_rule_and_function(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run("n(4). n(0).\n\nh(Y) :- n(X), Y = fn:div(8, X).", NULL);
    assert_int_equal(run.status, MANGLE_ERR_EVAL);
    assert_non_null(strstr(run.error.message, "test.mg:3: fn:div")); /* M-EVAL-12 */
    mangle_run_end(&run);
}

static void test_errors_are_those_of_the_written_order(void **state)
{
    (void)state;
    /* M-EVAL-14: the second premise fails for "a" before the third could filter it out. */
    char *text = run_text("n(1). n(\"a\"). num(1). r(X) :- n(X), X < 3, num(X).", NULL);
    assert_string_equal(text, "error: EVAL_ERROR\n");
    mangle_free(text);
    struct run_options options = { .changeable = run_changes_all, .request = "num(1)." };
    text = run_text("n(1). n(\"a\"). Decl num(X). r(X) :- n(X), X < 3, num(X).", &options);
    assert_string_equal(text, "error: EVAL_ERROR\n");
    mangle_free(text);
    /* An atom without rows spares what stands behind it, not what stands before. */
    options.request = "n(\"a\").";
    text = run_text("Decl n(X). Decl num(X). r(X) :- n(X), X < 3, num(X).", &options);
    assert_string_equal(text, "error: EVAL_ERROR\n"); /* M-EVAL-14 */
    mangle_free(text);
    text = run_text("Decl n(X). Decl num(X). r(X) :- n(X), num(X), X < 3.", &options);
    assert_string_equal(text, "");
    mangle_free(text);
    text = run_text("f(M) :- g(fn:minus(I, 1), M), n(I). g(1, 2). n(2).", NULL);
    assert_string_equal(text, "error: APPLY_UNBOUND\n"); /* M-EVAL-7 */
    mangle_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fact_limit_counts_what_is_derived),
        cmocka_unit_test(test_interval_limit_stops_a_runaway_rule),
        cmocka_unit_test(test_touching_intervals_are_stopped_by_the_fact_limit),
        cmocka_unit_test(test_touching_intervals_count_as_one),
        cmocka_unit_test(test_given_intervals_count_too),
        cmocka_unit_test(test_deadline_is_kept),
        cmocka_unit_test(test_deadline_is_kept_while_heads_wait),
        cmocka_unit_test(test_joins_that_derive_nothing_are_stopped_too),
        cmocka_unit_test(test_fact_limit_counts_results_not_joins),
        cmocka_unit_test(test_of_limit_and_error_the_first_is_told),
        cmocka_unit_test(test_intervals_are_counted_once),
        cmocka_unit_test(test_recursion_ends_whole_or_at_the_limit),
        cmocka_unit_test(test_merging_looks_at_clock_and_flag),
        cmocka_unit_test(test_freezing_looks_at_clock_and_flag),
        cmocka_unit_test(test_merging_in_a_fixpoint_is_work_too),
        cmocka_unit_test(test_memory_limit_is_kept),
        cmocka_unit_test(test_memory_of_heads_that_wait_is_counted),
        cmocka_unit_test(test_sets_and_bits_are_counted),
        cmocka_unit_test(test_who_cancels_stops_it),
        cmocka_unit_test(test_nothing_partial_escapes_and_reset_makes_usable_again),
        cmocka_unit_test(test_evaluation_errors_name_rule_and_function),
        cmocka_unit_test(test_errors_are_those_of_the_written_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
