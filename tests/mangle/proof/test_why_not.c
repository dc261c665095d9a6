/* Why a fact does not hold: for each rule the premise that stopped it, and what was there. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "support/mangle_run.h"

static const struct mangle_why_not *why_not(struct mangle_run *run, const char *goal)
{
    const struct mangle_why_not *why;
    assert_int_equal(run->status, MANGLE_OK);
    assert_int_equal(mangle_overlay_why_not(run->overlay, goal, strlen(goal), &why, NULL),
                     MANGLE_OK);
    return why;
}

/* The text for people, of one program and one goal. */
static void expect(const char *program, const char *goal, const char *expected)
{
    struct mangle_run run = mangle_run(program, NULL);
    size_t len;
    char *text = mangle_why_not_print(run.overlay, why_not(&run, goal), &len);
    assert_string_equal(text, expected);
    assert_int_equal(len, strlen(text));
    mangle_free(text);
    mangle_run_end(&run);
}

static bool contains(const char *program, const char *goal, const char *part)
{
    struct mangle_run run = mangle_run(program, NULL);
    char *text = mangle_why_not_print(run.overlay, why_not(&run, goal), NULL);
    bool found = strstr(text, part) != NULL;
    mangle_free(text);
    mangle_run_end(&run);
    return found;
}

static const char graph[] = "edge(/a, /b). edge(/b, /c). edge(/d, /e).\n"
                            "path(X, Y) :- edge(X, Y).\n"
                            "path(X, Z) :- edge(X, Y), path(Y, Z).\n";

static void test_each_rule_says_where_it_stops(void **state)
{
    (void)state;
    expect(graph, "path(/a, /e)",
           "path(/a,/e) does not hold: no rule derives it\n"
           "  near: path(/a,/b)\n"
           "  near: path(/d,/e)\n"
           "  near: path(/a,/c)\n"
           "\n"
           "  test.mg:2: path(X,Y) :- edge(X,Y).\n"
           "    with X=/a, Y=/e\n"
           "    premise 1 fails: edge(X,Y), here edge(/a,/e)\n"
           "    no such fact is given\n"
           "      near: edge(/a,/b)\n"
           "      near: edge(/d,/e)\n"
           "\n"
           "  test.mg:3: path(X,Z) :- edge(X,Y), path(Y,Z).\n"
           "    with X=/a, Y=/b, Z=/e\n"
           "    premise 2 fails: path(Y,Z), here path(/b,/e)\n"
           "    no such fact is given or derived\n"
           "      near: path(/b,/c)\n"
           "      near: path(/d,/e)\n");
}

static void test_the_furthest_solution_is_shown(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run("a(1). a(2). a(3). b(2). b(3). c(9).\n"
                                       "g(X) :- a(X), b(X), c(X).\n",
                                       NULL);
    const struct mangle_why_not *why = why_not(&run, "g(X)");
    assert_int_equal(why->rule_count, 1);
    const struct mangle_failed_rule *r = &why->rules[0];
    assert_int_equal(r->kind, MANGLE_FAILED_NO_FACT);
    assert_int_equal(r->premise, 3); /* 1 stops at b; 2 and 3 get to c, and 2 is smaller */
    assert_string_equal(r->premise_text, "c(X)");
    assert_string_equal(r->premise_with, "c(2)");
    assert_int_equal(r->binding_count, 1);
    assert_string_equal(r->bindings[0].name, "X");
    assert_int_equal(mangle_int_of(mangle_overlay_values(run.overlay), r->bindings[0].value), 2);
    assert_false(r->incomplete);
    mangle_run_end(&run);
}

static void test_a_negated_premise_shows_the_fact_that_is_there(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run("n(/a). shut(/a, 1). shut(/a, 2).\n"
                                       "open(X) :- !shut(X, _), n(X).\n",
                                       NULL);
    const struct mangle_failed_rule *r = why_not(&run, "open(/a)")->rules;
    assert_int_equal(r->kind, MANGLE_FAILED_PRESENT);
    assert_int_equal(r->premise, 1); /* as written, though it is evaluated after n(X) */
    assert_string_equal(r->premise_with, "!shut(/a,_)");
    assert_int_equal(r->fact_count, 2);
    assert_int_equal(r->facts[0].pred, mangle_pred_find(run.program, "shut", 2));
    assert_int_equal(r->more_facts, 0);
    mangle_run_end(&run);
}

static void test_tests_say_the_values(void **state)
{
    (void)state;
    const char *program = "n(3).\n"
                          "lt(X) :- n(X), fn:plus(X, 1) < 2.\n"
                          "ge(X) :- n(X), X >= 4.\n"
                          "eq(X) :- n(X), fn:plus(X, 1) = 5.\n"
                          "ne(X) :- n(X), X != 3.\n"
                          "in(X) :- n(X), :list:member(X, [1, 2]).\n"
                          "no(X) :- n(X), !:le(X, 3).\n";
    static const char *const rows[][3] = {
        { "lt(3)", ":lt(fn:plus(3,1),2)", "4 < 2 is false" },
        { "ge(X)", ":ge(3,4)", "3 >= 4 is false" },
        { "eq(3)", "fn:plus(3,1) = 5", "4 is not equal to 5" },
        { "ne(3)", "3 != 3", "both sides are 3" },
        { "in(3)", ":list:member(3,fn:list(1,2))", ":list:member does not hold of these values" },
        { "no(3)", "!:le(3,3)", "3 <= 3 is true" },
    };
    struct mangle_run run = mangle_run(program, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct mangle_failed_rule *r = why_not(&run, rows[i][0])->rules;
        assert_non_null(r);
        assert_int_equal(r->kind, MANGLE_FAILED_TEST);
        assert_int_equal(r->premise, 2);
        assert_string_equal(r->premise_with, rows[i][1]);
        assert_string_equal(r->why, rows[i][2]);
    }
    mangle_run_end(&run);
}

static void test_intervals_that_do_not_count_are_listed(void **state)
{
    (void)state;
    struct mangle_run run =
        mangle_run("Decl up(X) temporal. up(/a)@[2024-06-10T09:00:00, 2024-06-10T10:00:00].\n"
                   "up(/a)@[2024-06-10T11:00:00, 2024-06-10T11:30:00].\n"
                   "ok(X) :- <-[0s, 5m] up(X).\n"
                   "all(X) :- [-[0s, 5m] up(X).\n"
                   "at(X) :- up(X)@[2024-06-10T10:30:00].\n",
                   NULL);
    const struct mangle_failed_rule *r = why_not(&run, "ok(/a)")->rules;
    assert_int_equal(r->kind, MANGLE_FAILED_INTERVAL);
    assert_int_equal(r->fact_count, 2);
    assert_true(r->facts[0].t.end_ns < r->facts[1].t.start_ns);
    assert_string_equal(r->why, "there is such a fact, but no interval of it meets the window, as "
                                "of 2024-06-10T12:00:00Z");
    assert_non_null(strstr(why_not(&run, "all(/a)")->rules->why, "covers the window"));
    assert_non_null(strstr(why_not(&run, "at(/a)")->rules->why, "contains these bounds"));
    r = why_not(&run, "ok(/b)")->rules;
    assert_int_equal(r->kind, MANGLE_FAILED_NO_FACT);
    mangle_run_end(&run);
}

static void test_heads_and_groups_that_come_out_different(void **state)
{
    (void)state;
    struct mangle_run run =
        mangle_run("t(/a, 3). t(/a, 4). t(/b, 5).\n"
                   "s(K, S) :- t(K, V) |> do fn:group_by(K), let S = fn:sum(V).\n"
                   "d(K, D) :- t(K, V) |> let D = fn:mult(V, 2).\n"
                   "same(X, Y) :- t(X, _), t(Y, _).\n",
                   NULL);
    const mangle_values *values = mangle_overlay_values(run.overlay);
    const struct mangle_failed_rule *r = why_not(&run, "s(/a, 8)")->rules;
    assert_int_equal(r->kind, MANGLE_FAILED_GROUP);
    assert_int_equal(r->premise, 0);
    assert_null(r->premise_text);
    assert_int_equal(r->binding_count, 1); /* the key, not a row */
    assert_int_equal(r->fact_count, 1);
    assert_int_equal(mangle_int_of(values, r->facts[0].args[1]), 7);
    r = why_not(&run, "s(/c, X)")->rules;
    assert_int_equal(r->kind, MANGLE_FAILED_NO_FACT);
    r = why_not(&run, "d(/a, 7)")->rules;
    assert_int_equal(r->kind, MANGLE_FAILED_HEAD);
    assert_int_equal(mangle_int_of(values, r->facts[0].args[1]), 6);
    mangle_run_end(&run);
}

static void test_calls_and_merged_values(void **state)
{
    (void)state;
    static const char text[] = "Decl big(X, Y) descr [mode('+', '-'), deferred()].\n"
                               "big(X, Y) :- X > 10, Y = X.\n"
                               "Decl ok(X) descr [mode('+'), deferred()].\n"
                               "ok(X) :- X > 0.\n"
                               "n(1). r(Y) :- n(X), big(X, Y). t(X) :- n(X), !ok(X).\n"
                               "Decl least(A, B, C) descr [mode('+', '+', '-'), deferred()].\n"
                               "least(A, B, A) :- A <= B. least(A, B, B) :- B < A.\n"
                               "Decl best(X, C) descr [fundep([X], [C]), merge([C], \"least\")].\n"
                               "best(X, 9) :- n(X). best(X, 7) :- n(X).\n";
    assert_true(contains(text, "r(1)", "the call has no such answer"));
    assert_true(contains(text, "t(1)", "the call must have no answer, and it has"));
    assert_true(contains(text, "big(20, 20)", "big answers calls and has no facts of its own"));
    assert_true(contains(text, "big(20, 20)", "a call is answered so, but answers are not kept"));
    assert_false(contains(text, "big(20, 20)", "instead"));
    assert_true(contains(text, "best(1, 9)", "near: best(1,7)"));
    assert_true(contains(text, "best(1, 9)", "merging it with others made it another fact"));
    assert_false(contains(text, "best(2, 9)", "near: best(1,9)"));
}

static void test_only_rules_whose_head_matches_are_asked(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run("a(1). kind(/x, X) :- a(X), X > 1. kind(/y, X) :- a(X).\n"
                                       "pair(X, X) :- a(X).\n",
                                       NULL);
    const struct mangle_why_not *why = why_not(&run, "kind(/x, _)");
    assert_int_equal(why->rule_count, 1);
    assert_int_equal(why->other_rules, 1);
    why = why_not(&run, "kind(/z, 1)");
    assert_int_equal(why->rule_count, 0);
    assert_int_equal(why->other_rules, 2);
    assert_string_equal(why->why, "no rule of kind has such a head");
    assert_int_equal(why->near_count, 1); /* kind(/y,1) */
    assert_int_equal(why_not(&run, "pair(1, 2)")->other_rules, 1);
    mangle_run_end(&run);
}

static void test_without_rules_only_facts_count(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run("Decl empty(X). person(/anne). person(/bob). n(1).\n"
                                       "r(X) :- empty(X). loop(X) :- loop(X).\n",
                                       NULL);
    const struct mangle_why_not *why = why_not(&run, "person(/ann)");
    assert_string_equal(why->why, "person has no rules, and no such fact is given");
    assert_int_equal(why->near_count, 1); /* spelled almost so */
    assert_string_equal(why->goal, "person(/ann)");
    assert_string_equal(why_not(&run, "empty(X)")->why, "empty has no rules and no facts");
    assert_string_equal(why_not(&run, "r(1)")->rules->why,
                        "there is no fact of empty, and no rule");
    assert_string_equal(why_not(&run, "loop(1)")->rules->why, "no fact of loop is derived");
    why = why_not(&run, "persn(/ann)");
    assert_int_equal(why->pred, MANGLE_NO_PRED);
    assert_string_equal(why->why, "there is no predicate persn; did you mean person?");
    assert_string_equal(why_not(&run, "n(1, 2)")->why, "there is no predicate n with 2 arguments");
    mangle_run_end(&run);
}

static void test_a_goal_that_holds_is_said_to(void **state)
{
    (void)state;
    expect(graph, "path(/a, X)",
           "path(/a,X) holds\n  answer: path(/a,/b)\n  answer: path(/a,/c)\n");
}

static void test_a_wrong_goal_is_reported(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run(graph, NULL);
    const struct mangle_why_not *why;
    mangle_diags *diags = mangle_diags_new();
    assert_int_equal(mangle_overlay_why_not(run.overlay, "path(/a,", 8, &why, diags),
                     MANGLE_ERR_PROGRAM);
    assert_null(why);
    assert_int_equal(mangle_diags_errors(diags), 1);
    mangle_diags_free(diags);
    mangle_run_end(&run);
}

static void test_facts_of_a_request_count(void **state)
{
    (void)state;
    struct run_options options = { .changeable = run_changes_all, .request = "edge(/c, /d)." };
    struct mangle_run run = mangle_run(graph, &options);
    assert_int_equal(why_not(&run, "path(/a, /e)")->answer_count, 1);
    const struct mangle_failed_rule *r = &why_not(&run, "path(/a, /z)")->rules[1];
    assert_string_equal(r->premise_with, "path(/b,/z)");
    mangle_run_end(&run);
}

static void test_a_search_without_end_is_given_up(void **state)
{
    (void)state;
    /* Evaluation looks at `never` first and is done; "why not" keeps to the order of the rule. */
    struct buf text = { 0 };
    for (int i = 0; i < 300; i++)
        mgi_buf_printf(&text, "n(%d).\n", i);
    mgi_buf_puts(&text, "Decl never(A, B, C).\n"
                        "s(X) :- n(A), n(B), n(C), never(A, B, C), n(X).\n");
    struct mangle_run run = mangle_run(mgi_buf_view(&text).ptr, NULL);
    const struct mangle_failed_rule *r = why_not(&run, "s(1)")->rules;
    assert_true(r->incomplete);
    assert_int_equal(r->premise, 4); /* as far as it came */
    mgi_buf_fini(&text);
    mangle_run_end(&run);
}

/* What would take each rule of `pred` further, a line each: pred(value, [tries...]). */
static void expect_wanted(const char *program, const char *pred, uint32_t arity,
                          const char *expected)
{
    struct mangle_run run = mangle_run(program, NULL);
    const struct mangle_why_not *why;
    const mangle_value open[4] = { MANGLE_NONE };
    const mangle_values *values = mangle_overlay_values(run.overlay);
    struct buf text = { 0 };
    size_t len;
    assert_int_equal(mangle_overlay_why_not_match(
                         run.overlay, mangle_pred_find(run.program, pred, arity), open, &why),
                     MANGLE_OK);
    for (size_t i = 0; i < why->rule_count; i++)
        for (size_t k = 0; k < why->rules[i].wanted_count; k++) {
            const struct mangle_wanted *w = &why->rules[i].wanted[k];
            struct mangle_pred_view view = mangle_program_pred(run.program, w->pred);
            mgi_buf_printf(&text, "%s(", view.name);
            for (uint32_t c = 0; c < view.arity; c++) {
                char *value = w->args[c] == MANGLE_NONE
                                  ? NULL
                                  : mangle_value_print(values, w->args[c], MANGLE_CANONICAL, &len);
                mgi_buf_printf(&text, "%s%s", c ? ", " : "", value ? value : "[");
                mangle_free(value);
                for (const mangle_value *t = w->tries[c]; t && *t != MANGLE_NONE; t++) {
                    char *one = mangle_value_print(values, *t, MANGLE_CANONICAL, &len);
                    mgi_buf_printf(&text, "%s%s", t > w->tries[c] ? " " : "", one);
                    mangle_free(one);
                }
                mgi_buf_puts(&text, w->args[c] == MANGLE_NONE ? "]" : "");
            }
            mgi_buf_puts(&text, ")\n");
        }
    assert_string_equal(text.ptr ? text.ptr : "", expected);
    mgi_buf_fini(&text);
    mangle_run_end(&run);
}

static void test_a_failed_rule_says_which_fact_would_take_it_further(void **state)
{
    (void)state;
    expect_wanted("Decl a(X). Decl b(X). a(/x). r(X) :- a(X), b(X).\n", "r", 1, "b(/x)\na([])\n");
    /* what stands in its place elsewhere is tried */
    expect_wanted("Decl a(X). Decl b(X). b(/x). b(/y). r(X) :- a(X), b(X).\n", "r", 1,
                  "a([/x /y])\n");
    /* what a test compares with, and its neighbours */
    expect_wanted("Decl n(P, N). n(/p, 3). r(P) :- n(P, N), 10 < N.\n", "r", 1,
                  "n(/p, [10 11 9])\n");
    /* through what a variable is computed from */
    expect_wanted("Decl n(N). n(3). r(M) :- n(N), M = fn:plus(N, 1), M = 10.\n", "r", 1, "n([])\n");
    /* a negated premise wants nothing; its facts are listed */
    expect_wanted("Decl a(X). Decl b(X). a(/x). b(/x). r(X) :- a(X), !b(X).\n", "r", 1, "");
    /* also if the goal holds: the rules that do not */
    expect_wanted("Decl a(X). Decl b(X). a(/x). r(X) :- a(X). r(X) :- b(X).\n", "r", 1, "b([])\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_rule_says_where_it_stops),
        cmocka_unit_test(test_the_furthest_solution_is_shown),
        cmocka_unit_test(test_a_negated_premise_shows_the_fact_that_is_there),
        cmocka_unit_test(test_tests_say_the_values),
        cmocka_unit_test(test_intervals_that_do_not_count_are_listed),
        cmocka_unit_test(test_heads_and_groups_that_come_out_different),
        cmocka_unit_test(test_calls_and_merged_values),
        cmocka_unit_test(test_only_rules_whose_head_matches_are_asked),
        cmocka_unit_test(test_without_rules_only_facts_count),
        cmocka_unit_test(test_a_goal_that_holds_is_said_to),
        cmocka_unit_test(test_a_wrong_goal_is_reported),
        cmocka_unit_test(test_facts_of_a_request_count),
        cmocka_unit_test(test_a_search_without_end_is_given_up),
        cmocka_unit_test(test_a_failed_rule_says_which_fact_would_take_it_further),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
