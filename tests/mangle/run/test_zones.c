/* Windows over many rows pass over those that cannot count: what they find is what looking at every
 * interval finds, whatever the order of the rows, in the base, above it, and where a request adds
 * to atoms of the base. */
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
#include "support/rounds.h"

#define SEC INT64_C(1000000000)

enum { KEYS = 7, ROWS_MOST = 6000 };

static uint64_t seed;

static uint32_t roll(uint32_t sides)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % sides;
}

struct event {
    uint32_t key, id;
    struct mangle_interval t;
};

static struct event events[2 * ROWS_MOST];

/* By the number of the case: in the order of time, against it, at random; points or long ones. */
static struct mangle_interval some_time(uint32_t number, uint32_t i, uint32_t count)
{
    int64_t at = number % 3 == 2 ? roll(2 * count) : number % 3 ? 2 * (count - i) : 2 * i;
    int64_t start = RUN_NOW + (at - (int64_t)count) * SEC;
    struct mangle_interval t = { start, start + roll(number % 2 ? 1 + count / 4 : 3) * SEC };
    if (roll(200) == 0)
        t.start_ns = MANGLE_MIN_TIME;
    if (roll(200) == 0)
        t.end_ns = MANGLE_MAX_TIME;
    return t;
}

static const char program_text[] =
    "Decl ev(K, I) temporal. Decl key(K).\n"
    "now_on(I) :- <-[0s, 0s] ev(_, I).\n"
    "late(I) :- <-[9s] ev(_, I).\n"
    "soon(I) :- <+[1s, 9s] ev(_, I).\n"
    "box(I) :- [-[0s, 5s] ev(_, I).\n"
    "mine(I) :- key(K), <-[5s, 20s] ev(K, I).\n"
    "quiet(K) :- key(K), !<-[4s, 6s] ev(K, _).\n"
    "still(K) :- key(K), !<-[4s, 6s] ev(_, _).\n"
    "next(I) :- key(_), ev(3, 5)@[S, _], ev(_, I)@[T, _], :time:gt(T, S).\n";

enum window { NOW_ON, LATE, SOON, BOX, MINE };

/* Does this rule find the interval? After and before in seconds from now. */
static bool counts(enum window window, struct mangle_interval t)
{
    static const int64_t lo[] = { 0, -9, 1, -5, -20 }, hi[] = { 0, 0, 9, 0, -5 };
    int64_t from = RUN_NOW + lo[window] * SEC, to = RUN_NOW + hi[window] * SEC;
    if (window == BOX)
        return t.start_ns <= from && t.end_ns >= to;
    return t.start_ns <= to && t.end_ns >= from;
}

static mangle_base *base_of(uint32_t count, bool always)
{
    struct mangle_source source = { "p.mg", program_text, sizeof program_text - 1 };
    struct mangle_compile_options options = { .changeable = run_changes_all };
    mangle_program *p;
    mangle_base *base;
    assert_int_equal(mangle_compile(&source, 1, &options, &p, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(p, &base), MANGLE_OK);
    base->eval.zones_always = always;
    for (uint32_t i = 0; i < count; i++) {
        mangle_value args[] = { mangle_number(mangle_base_values(base), events[i].key),
                                mangle_number(mangle_base_values(base), events[i].id) };
        assert_int_equal(
            mangle_base_add(base, mangle_pred_find(p, "ev", 2), args, 2, &events[i].t, NULL),
            MANGLE_OK);
    }
    assert_int_equal(mangle_base_close(base, NULL, NULL, NULL), MANGLE_OK);
    mangle_program_unref(p);
    return base;
}

static mangle_overlay *request_of(mangle_base *base, uint32_t from, uint32_t to, bool always)
{
    mangle_overlay *o;
    const mangle_program *p = mangle_base_program(base);
    assert_int_equal(mangle_overlay_new(base, &o), MANGLE_OK);
    o->eval.zones_always = always;
    for (uint32_t k = 0; k < KEYS; k += 2) {
        mangle_value key = mangle_number(mangle_overlay_values(o), k);
        assert_int_equal(mangle_overlay_add(o, mangle_pred_find(p, "key", 1), &key, 1, NULL, NULL),
                         MANGLE_OK);
    }
    for (uint32_t i = from; i < to; i++) {
        mangle_value args[] = { mangle_number(mangle_overlay_values(o), events[i].key),
                                mangle_number(mangle_overlay_values(o), events[i].id) };
        assert_int_equal(
            mangle_overlay_add(o, mangle_pred_find(p, "ev", 2), args, 2, &events[i].t, NULL),
            MANGLE_OK);
    }
    assert_int_equal(mangle_overlay_eval(o, RUN_NOW, NULL, NULL, NULL), MANGLE_OK);
    return o;
}

static size_t found(mangle_overlay *o, const char *name)
{
    const struct mangle_fact *facts;
    size_t count;
    mangle_pred pred = mangle_pred_find(o->base->program, name, 1);
    assert_int_equal(mangle_overlay_facts(o, pred, &facts, &count), MANGLE_OK);
    return count;
}

static size_t expected(enum window window, uint32_t count)
{
    size_t n = 0;
    for (uint32_t i = 0; i < count; i++) /* ids are distinct */
        n += counts(window, events[i].t) && (window != MINE || events[i].key % 2 == 0);
    return n;
}

static size_t expected_quiet(uint32_t count, bool any_key)
{
    size_t quiet = 0;
    for (uint32_t k = 0; k < KEYS; k += 2) {
        bool heard = false;
        for (uint32_t i = 0; i < count; i++)
            heard |= (any_key || events[i].key == k) && events[i].t.start_ns <= RUN_NOW - 4 * SEC &&
                     events[i].t.end_ns >= RUN_NOW - 6 * SEC;
        quiet += !heard;
    }
    return quiet;
}

/* Those that start after (3, 5), which is the sixth. */
static size_t expected_next(uint32_t count)
{
    size_t n = 0;
    for (uint32_t i = 0; i < count; i++)
        n += events[i].t.start_ns > events[5].t.start_ns;
    return n;
}

static void check(uint32_t number)
{
    seed = UINT64_C(0x9e3779b97f4a7c15) * (number + 1);
    uint32_t count = 6 + roll(number % 8 == 7 ? ROWS_MOST - 6 : 400);
    uint32_t split = roll(4) ? roll(count + 1) : roll(2) * count;
    bool always = roll(2);
    for (uint32_t i = 0; i < count; i++)
        events[i] = (struct event){ i == 5 ? 3 : roll(KEYS), i, some_time(number, i, count) };
    mangle_base *base = base_of(split, always);
    mangle_overlay *o = request_of(base, split, count, always);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(found(o, "now_on"), expected(NOW_ON, count)); /* M-TEMP-50 */
        assert_int_equal(found(o, "late"), expected(LATE, count));
        assert_int_equal(found(o, "soon"), expected(SOON, count));
        assert_int_equal(found(o, "box"), expected(BOX, count)); /* M-TEMP-53 */
        assert_int_equal(found(o, "mine"), expected(MINE, count));
        assert_int_equal(found(o, "quiet"), expected_quiet(count, false));
        assert_int_equal(found(o, "still"), expected_quiet(count, true));
        assert_int_equal(found(o, "next"), expected_next(count));
        mangle_overlay_free(o);
        o = request_of(base, split, count, !always);
    }
    mangle_overlay_free(o);
    mangle_base_unref(base);
}

static void test_what_is_passed_over_does_not_count(void **state)
{
    (void)state;
    const char *only = getenv("CASE");
    for (uint32_t i = only ? (uint32_t)atoi(only) : 0; i < test_rounds(120); i++) {
        check(i);
        if (only)
            return;
    }
}

/* M-TEMP-72: a request may lengthen an interval of the base into the window. */
static void test_intervals_that_a_request_adds_to_the_base_are_seen(void **state)
{
    (void)state;
    seed = 1;
    for (uint32_t i = 0; i < 300; i++)
        events[i] = (struct event){ i % KEYS, i, { RUN_NOW - 900 * SEC, RUN_NOW - 800 * SEC } };
    events[300] = events[211];
    events[300].t = (struct mangle_interval){ RUN_NOW - 800 * SEC, RUN_NOW - 5 * SEC };
    mangle_base *base = base_of(300, false);
    mangle_overlay *o = request_of(base, 300, 301, false);
    assert_int_equal(found(o, "late"), 1);
    assert_int_equal(found(o, "mine"), events[300].key % 2 == 0);
    assert_int_equal(found(o, "still"), 0);
    mangle_overlay_free(o);
    mangle_base_unref(base);
}

/* The last of its intervals counts, or the first, of a row of the base that has several. */
static void test_any_interval_of_a_row_is_enough(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 300; i++)
        events[i] = (struct event){ i % KEYS, i, { RUN_NOW - 900 * SEC, RUN_NOW - 800 * SEC } };
    for (uint32_t i = 0; i < 3; i++)
        events[300 + i] = events[50 * i];
    events[300].t = (struct mangle_interval){ RUN_NOW - 7 * SEC, RUN_NOW - 6 * SEC };
    events[301].t = (struct mangle_interval){ RUN_NOW + 2 * SEC, RUN_NOW + 3 * SEC };
    events[302].t = (struct mangle_interval){ RUN_NOW - 7 * SEC, RUN_NOW + SEC };
    mangle_base *base = base_of(303, false);
    mangle_overlay *o = request_of(base, 303, 303, false);
    assert_int_equal(found(o, "late"), 2);
    assert_int_equal(found(o, "soon"), 2);
    assert_int_equal(found(o, "box"), 1);
    mangle_overlay_free(o);
    mangle_base_unref(base);
}

/* ---- limits ---------------------------------------------------------------------------------- */

struct looks { /* a clock that stands still, and somebody who cancels after a while */
    int count, cancel_at;
};

static int64_t look(void *context)
{
    ((struct looks *)context)->count++;
    return 0;
}

static bool cancels(void *context)
{
    const struct looks *looks = context;
    return looks->count >= looks->cancel_at;
}

static enum mangle_status ask(mangle_base *base, struct looks *looks, bool own)
{
    mangle_overlay *o;
    const mangle_program *p = mangle_base_program(base);
    struct mangle_limits limits = { .timeout_ns = INT64_MAX,
                                    .clock = look,
                                    .clock_context = looks };
    limits.cancelled = cancels;
    limits.cancel_context = looks;
    assert_int_equal(mangle_overlay_new(base, &o), MANGLE_OK);
    o->eval.zones_always = true;
    for (uint32_t i = 0; own && i < 50000; i++) {
        mangle_value args[] = { mangle_number(mangle_overlay_values(o), 1),
                                mangle_number(mangle_overlay_values(o), i) };
        struct mangle_interval t = { RUN_NOW + (i % 2 ? 100 : -100) * SEC,
                                     RUN_NOW + (i % 2 ? 101 : -99) * SEC };
        assert_int_equal(mangle_overlay_add(o, mangle_pred_find(p, "ev", 2), args, 2, &t, NULL),
                         MANGLE_OK);
    }
    enum mangle_status st = mangle_overlay_eval(o, RUN_NOW, &limits, NULL, NULL);
    mangle_overlay_free(o);
    return st;
}

/* M-LIM-11: hulls that never say no for many rows, as each is early or late, take as long as rows.
 */
static void test_passing_over_looks_at_clock_and_flag(void **state)
{
    (void)state;
    enum { COUNT = 2 * ROWS_MOST };
    for (uint32_t i = 0; i < COUNT; i++)
        events[i] = (struct event){
            1, i, { RUN_NOW + (i % 2 ? 100 : -100) * SEC, RUN_NOW + (i % 2 ? 101 : -99) * SEC }
        };
    mangle_base *base = base_of(COUNT, false);
    for (int own = 0; own < 2; own++) {
        struct looks all = { .cancel_at = INT32_MAX };
        assert_int_equal(ask(base, &all, own), MANGLE_OK);
        assert_true(all.count > 3 * (COUNT + 50000 * own) / 1024); /* the three windows over all */
        for (int at = 1; at < all.count - 2; at = at * 2 + 1) {
            struct looks some = { .cancel_at = at };
            assert_int_equal(ask(base, &some, own), MANGLE_ERR_CANCELLED);
        }
    }
    mangle_base_unref(base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_passed_over_does_not_count),
        cmocka_unit_test(test_intervals_that_a_request_adds_to_the_base_are_seen),
        cmocka_unit_test(test_any_interval_of_a_row_is_enough),
        cmocka_unit_test(test_passing_over_looks_at_clock_and_flag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
