/* Until when a fact holds if nothing but time passes: the last instant of its longest derivation.
 * On random programs the answer is checked by evaluating again at later times. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "support/mangle_gen.h"
#include "support/mangle_run.h"

#define CASES 400
#define SEC   INT64_C(1000000000)
#define HOUR  (3600 * SEC)

static int64_t until(const char *program, const char *query)
{
    struct mangle_run run = mangle_run(program, NULL);
    const struct mangle_fact *facts;
    size_t count;
    int64_t ns = 0;
    assert_int_equal(run.status, MANGLE_OK);
    assert_int_equal(mangle_overlay_query(run.overlay, query, strlen(query), &facts, &count, NULL),
                     MANGLE_OK);
    assert_int_equal(count, 1);
    assert_int_equal(mangle_overlay_valid_until(run.overlay, facts, NULL, &ns), MANGLE_OK);
    mangle_run_end(&run);
    return ns;
}

#define EVENTS                                                                                     \
    "Decl ev(X) temporal. ev(/a)@[2024-06-10T11:57:00]. ev(/a)@[2024-06-10T11:58:00].\n"           \
    "ev(/b)@[2024-06-10T11:00:00, 2024-06-10T13:00:00].\n"                                         \
    "ev(/c)@[2024-06-10T12:30:00]. ev(/d)@[_, _].\n"

static void test_a_window_stands_until_its_event_leaves_it(void **state)
{
    (void)state;
    /* the later of two events; P-TOOL-17 */
    assert_int_equal(until(EVENTS "r() :- <-[5m] ev(/a).", "r()"), RUN_NOW + 180 * SEC);
    assert_int_equal(until(EVENTS "r() :- <-[5m] ev(/b).", "r()"), RUN_NOW + HOUR + 300 * SEC);
    assert_true(until(EVENTS "r() :- <-[5m] ev(/d).", "r()") == MANGLE_MAX_TIME);
    assert_true(until(EVENTS "r() :- <-[0s, _] ev(/a).", "r()") == MANGLE_MAX_TIME);
    assert_int_equal(until(EVENTS "r() :- <+[0s, 1h] ev(/c).", "r()"), RUN_NOW + HOUR / 2);
}

static void test_boxes_and_containment_stand_until_the_interval_ends(void **state)
{
    (void)state;
    assert_int_equal(until(EVENTS "r() :- [-[0s, 30m] ev(/b).", "r()"), RUN_NOW + HOUR);
    assert_int_equal(until(EVENTS "r() :- [-[10m, 30m] ev(/b).", "r()"),
                     RUN_NOW + HOUR + 600 * SEC);
    assert_int_equal(until(EVENTS "r() :- [+[0s, 30m] ev(/b).", "r()"), RUN_NOW + HOUR / 2);
    assert_int_equal(until(EVENTS "r() :- ev(/b)@[now].", "r()"), RUN_NOW + HOUR);
    assert_true(until(EVENTS "r() :- ev(/b)@[2024-06-10T11:30:00].", "r()") == MANGLE_MAX_TIME);
}

static void test_negated_literals_stand_until_something_enters(void **state)
{
    (void)state;
    assert_int_equal(until(EVENTS "r() :- ev(/d)@[_, _], !<-[5m] ev(/c).", "r()"),
                     RUN_NOW + HOUR / 2 - 1);
    assert_true(until(EVENTS "r() :- ev(/d)@[_, _], !<-[1m] ev(/a).", "r()") == MANGLE_MAX_TIME);
}

static void test_all_premises_must_stand_and_one_derivation_is_enough(void **state)
{
    (void)state;
    static const char both[] = EVENTS "n(X) :- <-[5m] ev(X). r() :- n(/a), n(/b).";
    assert_int_equal(until(both, "r()"), RUN_NOW + 180 * SEC);
    static const char either[] = EVENTS "n(X) :- <-[5m] ev(X). r() :- n(/a). r() :- n(/b).";
    assert_int_equal(until(either, "r()"), RUN_NOW + HOUR + 300 * SEC);
    static const char lasting[] = EVENTS "s(1). r() :- <-[5m] ev(/a). r() :- s(1).";
    assert_true(until(lasting, "r()") == MANGLE_MAX_TIME);
    static const char circle[] = EVENTS "p() :- q(). q() :- p(). q() :- <-[5m] ev(/a).";
    assert_int_equal(until(circle, "p()"), RUN_NOW + 180 * SEC);
}

static void test_groups_stand_as_long_as_their_rows(void **state)
{
    (void)state;
    assert_int_equal(
        until(EVENTS "n(N) :- <-[5m] ev(X) |> do fn:group_by(), let N = fn:count().", "n(N)"),
        RUN_NOW + 120 * SEC);
}

static void test_a_group_stands_until_a_row_may_join(void **state)
{
    (void)state;
    assert_int_equal(
        until(EVENTS "n(N) :- <-[0s, _] ev(X) |> do fn:group_by(), let N = fn:count().", "n(N)"),
        RUN_NOW + HOUR / 2 - 1);
}

static void test_denied_rules_change_only_one_way(void **state)
{
    (void)state;
    static const char program[] = EVENTS "recent(X) :- <-[5m] ev(X). t(/x). t(/a).\n"
                                         "t(/c). r(X) :- t(X), !recent(X).\n";
    /* what is recent grows only when the event of 12:30 comes, whatever leaves before */
    assert_int_equal(until(program, "r(/c)"), RUN_NOW + HOUR / 2 - 1);
    assert_true(until(program, "r(/x)") == MANGLE_MAX_TIME); /* and nothing ever happens to /x */
}

static void test_a_denied_rule_counts_from_below(void **state)
{
    (void)state;
    static const char program[] = EVENTS "fresh(X) :- <-[5m] ev(X). t(/a). t(/b).\n"
                                         "stale(X) :- t(X), !fresh(X). r(X) :- t(X), !stale(X).\n";
    int64_t ns = until(program, "r(/a)");
    assert_true(ns >= RUN_NOW && ns <= RUN_NOW + 180 * SEC); /* never too late */
}

/* ---- what is not there yet ---------------------------------------------------------------------
 */

/* Until when no fact of `query`'s predicate appears that matches it. */
static int64_t absent(const char *program, const char *name, const char *argument)
{
    struct mangle_run run = mangle_run(program, NULL);
    int64_t ns = 0;
    assert_int_equal(run.status, MANGLE_OK);
    mangle_values *t = mangle_overlay_values(run.overlay);
    mangle_value pattern[2] = { argument ? mangle_name(t, argument, strlen(argument))
                                         : MANGLE_NONE };
    mangle_pred pred = mangle_pred_find(run.program, name, 1);
    assert_int_not_equal(pred, MANGLE_NO_PRED);
    assert_int_equal(mangle_overlay_absent_until(run.overlay, pred, pattern, NULL, &ns), MANGLE_OK);
    mangle_run_end(&run);
    return ns;
}

static void test_what_is_absent_appears_with_its_event(void **state)
{
    (void)state;
    static const char program[] = EVENTS
        "recent(X) :- <-[5m] ev(X). bad(X) :- recent(X), deny(X). deny(/b). deny(/c). deny(/x).\n"
        "pushed(X) :- needs(X, Y), bad(Y). needs(/n, /c). needs(/m, /x). needs(/o, /n).\n"
        "pushed(X) :- needs(X, Y), pushed(Y).\n";
    int64_t half = RUN_NOW + HOUR / 2 - 1;
    assert_int_equal(absent(EVENTS
                            "ev(/e)@[2024-06-10T12:30:00, _]. r(X) :- t(X), [+[10m] ev(/e).\n"
                            "t(/a).",
                            "r", "/a"),
                     half);
    assert_int_equal(absent(program, "bad", "/c"), half);
    assert_int_equal(absent(program, "bad", NULL), half);
    assert_true(absent(program, "bad", "/x") == MANGLE_MAX_TIME);
    assert_true(absent(program, "bad", "/a") == MANGLE_MAX_TIME); /* not denied */
    assert_int_equal(absent(program, "pushed", "/n"), half);
    assert_int_equal(absent(program, "pushed", "/o"), half);
    assert_true(absent(program, "pushed", "/m") == MANGLE_MAX_TIME);
}

static void test_what_is_absent_appears_when_another_fact_goes(void **state)
{
    (void)state;
    static const char program[] = EVENTS "fresh(X) :- <-[5m] ev(X). t(/a). t(/b).\n"
                                         "stale(X) :- t(X), !fresh(X).\n";
    assert_int_equal(absent(program, "stale", "/a"), RUN_NOW + 180 * SEC);
    assert_int_equal(absent(program, "stale", "/b"), RUN_NOW + HOUR + 300 * SEC);
    assert_true(absent(program, "stale", "/c") == MANGLE_MAX_TIME);
}

static void test_what_follows_from_the_clock_is_dated(void **state)
{
    (void)state;
    /* it is 12:00 */
    static const char hours[] = "late(/x) :- H = fn:time:hour(fn:time:now()), 22 <= H.\n"
                                "noon(/x) :- H = fn:time:hour(fn:time:now()), H = 12.\n"
                                "r(/x) :- noon(/x), !late(/x).\n";
    assert_int_equal(absent(hours, "late", "/x"), RUN_NOW + HOUR - 1); /* safe, not sharp */
    assert_int_equal(until(hours, "r(/x)"), RUN_NOW + HOUR - 1);
    static const char lines[] =
        "Decl at(X, T) bound [/name, /time].\n"
        "at(/x, T) :- T = fn:time:parse_rfc3339(\"2024-06-10T11:50:00Z\").\n"
        "old(X) :- at(X, T), D = fn:time:sub(fn:time:now(), T), M = fn:duration:parse(\"15m\"),\n"
        "  :duration:le(M, D).\n"
        "new(X) :- at(X, T), T2 = fn:time:add(T, fn:duration:parse(\"15m\")), N = fn:time:now(),\n"
        "  :time:lt(N, T2).\n";
    assert_int_equal(absent(lines, "old", "/x"), RUN_NOW + 300 * SEC - 1);
    assert_int_equal(until(lines, "new(/x)"), RUN_NOW + 300 * SEC - 1);
    assert_true(absent(lines, "old", "/y") == MANGLE_MAX_TIME);
    static const char ages[] = /* through another predicate, whose facts move */
        "Decl at(X, T) bound [/name, /time]. Decl age(X, D) bound [/name, /duration].\n"
        "at(/x, T) :- T = fn:time:parse_rfc3339(\"2024-06-10T11:50:00Z\").\n"
        "age(X, D) :- at(X, T), D = fn:time:sub(fn:time:now(), T).\n"
        "deny(/x). old(X) :- deny(X), age(X, D), M = fn:duration:parse(\"15m\"),\n"
        "  :duration:le(M, D).\n";
    assert_int_equal(absent(ages, "old", "/x"), RUN_NOW + 300 * SEC - 1);
    assert_true(absent(ages, "old", "/y") == MANGLE_MAX_TIME);
    int64_t midnight = RUN_NOW + 12 * HOUR - 1;
    int64_t found =
        until("r(/x) :- D = fn:time:trunc(fn:time:now(), /day),\n"
              "  E = fn:time:parse_rfc3339(\"2024-06-11T00:00:00Z\"), :time:lt(D, E).\n",
              "r(/x)");
    assert_true(found <= midnight && found > midnight - SEC);
}

/* ---- random programs ------------------------------------------------------------------------- */

struct world {
    mangle_program *program;
    mangle_base *base;
};

static bool make_world(const struct gen *g, struct world *w)
{
    struct mangle_compile_options options = { .changeable = run_changes_nothing };
    struct str text = mgi_buf_view(&g->program);
    struct mangle_source source = { "p.mg", text.ptr, text.len };
    if (mangle_compile(&source, 1, &options, &w->program, NULL))
        return false;
    assert_int_equal(mangle_base_new(w->program, &w->base), MANGLE_OK);
    for (int i = 0; i < 2; i++) {
        struct str facts = mgi_buf_view(&g->facts[i]);
        struct mangle_source fs = { "f.mg", facts.ptr, facts.len };
        assert_int_equal(mangle_base_add_text(w->base, &fs, NULL), MANGLE_OK);
    }
    assert_int_equal(mangle_base_close(w->base, NULL, NULL, NULL), MANGLE_OK);
    return true;
}

static bool holds_at(const struct world *w, const struct mangle_fact *fact, int64_t now_ns)
{
    mangle_overlay *o;
    assert_int_equal(mangle_overlay_new(w->base, &o), MANGLE_OK);
    assert_int_equal(mangle_overlay_eval(o, now_ns, NULL, NULL, NULL), MANGLE_OK);
    bool holds = mangle_overlay_holds(o, fact->pred, fact->args);
    mangle_overlay_free(o);
    return holds;
}

static void check_fact(const struct gen *g, const struct world *w, mangle_overlay *o,
                       const struct mangle_fact *fact)
{
    int64_t ns;
    const struct mangle_proof *proof;
    assert_int_equal(mangle_overlay_valid_until(o, fact, NULL, &ns), MANGLE_OK);
    assert_true(ns >= RUN_NOW);
    assert_int_equal(mangle_overlay_explain(o, fact, 0, &proof, NULL), MANGLE_OK);
    for (uint32_t i = 0; i < fact->count; i++)
        if (mangle_kind_of(mangle_overlay_values(o), fact->args[i]) == MANGLE_TIME)
            return; /* made in the overlay, so another one does not know it */
    for (int64_t at = RUN_NOW + HOUR / 2; at <= RUN_NOW + 12 * HOUR && at <= ns; at += HOUR / 2) {
        if (holds_at(w, fact, at))
            continue;
        char *text =
            mangle_fact_print(w->program, mangle_overlay_values(o), fact, MANGLE_CANONICAL, NULL);
        print_error("%s\n%s%s: does not hold %d minutes later, though %g minutes were promised\n",
                    mgi_buf_view(&g->program).ptr, mgi_buf_view(&g->facts[0]).ptr,
                    mgi_buf_view(&g->facts[1]).ptr ? mgi_buf_view(&g->facts[1]).ptr : "",
                    (int)((at - RUN_NOW) / (60 * SEC)), (double)(ns - RUN_NOW) / 6e10);
        print_error("%s\n", text);
        mangle_free(text);
        fail();
    }
}

/* No fact of a predicate appears before it is said that one may. */
static void check_absent(const struct gen *g, const struct world *w, mangle_overlay *o,
                         mangle_pred pred)
{
    int64_t ns;
    mangle_value any[8] = { MANGLE_NONE };
    assert_int_equal(mangle_overlay_absent_until(o, pred, any, NULL, &ns), MANGLE_OK);
    assert_true(ns >= RUN_NOW);
    for (int64_t at = RUN_NOW + HOUR / 2; at <= RUN_NOW + 6 * HOUR && at <= ns; at += HOUR / 2) {
        mangle_overlay *then;
        const struct mangle_fact *facts;
        size_t count;
        assert_int_equal(mangle_overlay_new(w->base, &then), MANGLE_OK);
        assert_int_equal(mangle_overlay_eval(then, at, NULL, NULL, NULL), MANGLE_OK);
        assert_int_equal(mangle_overlay_facts(then, pred, &facts, &count), MANGLE_OK);
        for (size_t i = 0; i < count && !facts[i].temporal; i++) {
            bool told = true;
            for (uint32_t k = 0; k < facts[i].count; k++) /* made in the overlay */
                told &=
                    mangle_kind_of(mangle_overlay_values(then), facts[i].args[k]) != MANGLE_TIME;
            if (told && !mangle_overlay_holds(o, pred, facts[i].args)) {
                print_error(
                    "%s\n%s%s: %s gains after %d minutes, though none were promised for %g\n",
                    mgi_buf_view(&g->program).ptr, mgi_buf_view(&g->facts[0]).ptr,
                    mgi_buf_view(&g->facts[1]).ptr ? mgi_buf_view(&g->facts[1]).ptr : "",
                    mangle_program_pred(w->program, pred).name, (int)((at - RUN_NOW) / (60 * SEC)),
                    (double)(ns - RUN_NOW) / 6e10);
                fail();
            }
        }
        mangle_overlay_free(then);
    }
}

static void test_the_promise_is_kept_on_random_programs(void **state)
{
    (void)state;
    const char *only = getenv("CASE");
    uint32_t checked = 0;
    for (uint32_t i = only ? (uint32_t)atoi(only) : 0; i < CASES; i++) {
        struct gen g;
        struct world w;
        mangle_overlay *o;
        mangle_gen(&g, i + 100000);
        if (!make_world(&g, &w)) {
            mangle_gen_end(&g);
            continue;
        }
        assert_int_equal(mangle_overlay_new(w.base, &o), MANGLE_OK);
        assert_int_equal(mangle_overlay_eval(o, RUN_NOW, NULL, NULL, NULL), MANGLE_OK);
        for (mangle_pred p = 0; p < mangle_program_pred_count(w.program); p++) {
            const struct mangle_fact *facts;
            size_t count;
            assert_int_equal(mangle_overlay_facts(o, p, &facts, &count), MANGLE_OK);
            for (size_t f = 0; f < count && !facts[f].temporal && f < 3; f++, checked++)
                check_fact(&g, &w, o, &facts[f]);
            if (mangle_program_pred(w.program, p).reads_now &&
                mangle_program_pred(w.program, p).arity <= 8)
                check_absent(&g, &w, o, p);
        }
        mangle_overlay_free(o);
        mangle_base_unref(w.base);
        mangle_program_unref(w.program);
        mangle_gen_end(&g);
        if (only)
            break;
    }
    assert_true(only || checked > CASES);
}

/* ---- limits ---------------------------------------------------------------------------------- */

static int64_t looks, most_looks;

static int64_t looked_at(void *context)
{
    (void)context;
    return ++looks;
}

static bool is_enough(void *context)
{
    (void)context;
    return ++looks > most_looks;
}

/* Many derivations, each of which stands for a time of its own. */
#define MANY                                                                                       \
    "Decl e(X) temporal. e(N)@[2024-06-10T11:59:00] :- n(N).\n"                                    \
    "n(1). n(N) :- n(M), N = fn:plus(M, 1), N < 4000.\n"                                           \
    "recent(N) :- <-[1h] e(N). any() :- recent(_). none() :- !recent(0).\n"

static void test_questions_end_with_time_and_flag(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run(MANY, NULL);
    const struct mangle_fact *facts;
    size_t count;
    int64_t ns = 7, all;
    mangle_value zero = mangle_number(mangle_overlay_values(run.overlay), 0);
    mangle_pred any = mangle_pred_find(run.program, "any", 0);
    mangle_pred recent = mangle_pred_find(run.program, "recent", 1);
    assert_int_equal(mangle_overlay_facts(run.overlay, any, &facts, &count), MANGLE_OK);
    assert_int_equal(count, 1);
    for (most_looks = 0; most_looks < 3; most_looks++) {
        struct mangle_limits timed = { .timeout_ns = most_looks, .clock = looked_at };
        struct mangle_limits flagged = { .cancelled = is_enough };
        looks = 0;
        assert_int_equal(mangle_overlay_valid_until(run.overlay, facts, &flagged, &ns),
                         MANGLE_ERR_CANCELLED); /* M-LIM-11 */
        assert_int_equal(looks, most_looks + 1);
        if (most_looks > 0)
            assert_int_equal(mangle_overlay_valid_until(run.overlay, facts, &timed, &ns),
                             MANGLE_ERR_LIMIT);
    }
    struct mangle_limits now = { .cancelled = is_enough };
    struct mangle_explain_options explain = { .limits = &now };
    const struct mangle_proof *const *proofs;
    looks = most_looks;
    assert_int_equal(mangle_overlay_proofs(run.overlay, facts, &explain, &proofs, &count, NULL),
                     MANGLE_ERR_CANCELLED);
    looks = most_looks;
    assert_int_equal(mangle_overlay_absent_until(run.overlay, recent, &zero, &now, &ns),
                     MANGLE_ERR_CANCELLED);
    assert_int_equal(mangle_overlay_valid_until(run.overlay, facts, NULL, &all), MANGLE_OK);
    looks = 0, most_looks = INT64_MAX;
    assert_int_equal(mangle_overlay_valid_until(run.overlay, facts, &now, &ns), MANGLE_OK);
    assert_int_equal(ns, all);
    assert_int_equal(mangle_overlay_proofs(run.overlay, facts, &explain, &proofs, &count, NULL),
                     MANGLE_OK);
    assert_int_equal(count, 1);
    mangle_run_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_window_stands_until_its_event_leaves_it),
        cmocka_unit_test(test_boxes_and_containment_stand_until_the_interval_ends),
        cmocka_unit_test(test_negated_literals_stand_until_something_enters),
        cmocka_unit_test(test_all_premises_must_stand_and_one_derivation_is_enough),
        cmocka_unit_test(test_groups_stand_as_long_as_their_rows),
        cmocka_unit_test(test_a_group_stands_until_a_row_may_join),
        cmocka_unit_test(test_denied_rules_change_only_one_way),
        cmocka_unit_test(test_a_denied_rule_counts_from_below),
        cmocka_unit_test(test_what_is_absent_appears_with_its_event),
        cmocka_unit_test(test_what_is_absent_appears_when_another_fact_goes),
        cmocka_unit_test(test_what_follows_from_the_clock_is_dated),
        cmocka_unit_test(test_the_promise_is_kept_on_random_programs),
        cmocka_unit_test(test_questions_end_with_time_and_flag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
