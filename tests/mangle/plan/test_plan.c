/* What the planner makes of a rule, as the dump shows it: delta first, filters early, early exit.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <time.h>

#include "mangle/plan/plan.h"
#include "support/mangle_run.h"

static mangle_program *compile(const char *text, bool open)
{
    struct mangle_source source = { "p.mg", text, strlen(text) };
    struct mangle_compile_options options = { .changeable =
                                                  open ? run_changes_all : run_changes_nothing };
    mangle_program *p;
    assert_int_equal(mangle_compile(&source, 1, &options, &p, NULL), MANGLE_OK);
    return p;
}

static void expect(const mangle_program *p, const struct code *code, const char *expected)
{
    struct buf out;
    mgi_buf_init(&out);
    mgi_code_dump(&out, p, code);
    assert_string_equal(out.ptr, expected);
    mgi_buf_fini(&out);
}

static void test_the_delta_goes_first_and_the_rest_is_looked_up(void **state)
{
    (void)state;
    mangle_program *p =
        compile("Decl e(X, Y). p(X, Y) :- e(X, Y). p(X, Z) :- e(X, Y), p(Y, Z).", false);
    const struct rule *rule = &p->plan->rules[1];
    assert_int_equal(rule->delta_count, 1);
    expect(p, rule->deltas[0],
           "  0  scan p new bind 0:Y bind 1:Z\n"
           "  1  scan e index 0 Y bind 0:X  else 0\n"
           "  2  emit X Z  else 1\n");
    mangle_program_unref(p);
}

/* Constants find rows, too, but without a variable in common each row meets every other. */
static void test_what_shares_a_variable_comes_before_what_has_a_constant(void **state)
{
    (void)state;
    mangle_program *p = compile("Decl seen(X). Decl e(X, Y). Decl kind(Z, K).\n"
                                "near(X, Z) :- kind(Z, 7), e(Y, Z), e(X, Y), seen(X).",
                                true);
    const struct rule *rule = &p->plan->rules[0];
    assert_int_equal(rule->delta_count, 4);
    expect(p, rule->deltas[3],
           "  0  scan seen new bind 0:X\n"
           "  1  scan e old index 1 X bind 1:Y  else 0\n"
           "  2  scan e old index 1 Y bind 1:Z  else 1\n"
           "  3  scan kind old whole Z r3  else 2  once\n"
           "  4  emit X Z  else 2\n");
    mangle_program_unref(p);
}

static void test_filters_come_early_but_never_across_what_may_fail(void **state)
{
    (void)state;
    mangle_program *p = compile("Decl a(X). Decl b(X, Y). Decl c(X). Decl d(X).\n"
                                "r(X) :- a(X), b(X, Y), c(X), X != Y, Y < 3, d(Y).",
                                false);
    expect(p, p->plan->rules[0].full, /* M-EVAL-14 */
           "  0  scan a bind 0:X\n"
           "  1  scan c whole X  else 0  once\n"
           "  2  scan b index 0 X bind 1:Y  else 0\n"
           "  3  ne X Y  else 2\n"
           "  4  builtin :lt Y r2  else 2  once\n"
           "  5  scan d whole Y  else 2  once\n"
           "  6  emit X  else 2\n");
    mangle_program_unref(p);
}

static void test_an_atom_that_binds_nothing_needed_is_tried_once(void **state)
{
    (void)state;
    mangle_program *p = compile("Decl a(X). Decl b(X, Y). r(X) :- a(X), b(X, Y), b(_, X).", false);
    expect(p, p->plan->rules[0].full,
           "  0  scan a bind 0:X\n"
           "  1  scan b index 0 X  else 0  once\n"
           "  2  scan b index 1 X  else 0  once\n"
           "  3  emit X  else 0\n");
    mangle_program_unref(p);
}

static void test_a_rule_open_to_requests_has_a_delta_for_each_premise(void **state)
{
    (void)state;
    mangle_program *p = compile("Decl a(X). Decl b(X, Y). r(X) :- a(X), b(X, Y).", true);
    const struct rule *rule = &p->plan->rules[0];
    assert_false(rule->per_request);
    assert_int_equal(rule->delta_count, 2);
    expect(p, rule->deltas[1],
           "  0  scan b new bind 0:X\n"
           "  1  scan a old whole X  else 0  once\n"
           "  2  emit X  else 0\n");
    mangle_program_unref(p);
}

static void test_intervals_wait_for_what_they_must_not_know(void **state)
{
    (void)state;
    /* b first would bind T, and turn binding into containment (M-TEMP-34). */
    mangle_program *p = compile("Decl a(X) temporal. Decl b(T). r(X) :- a(X)@[T], b(T).", true);
    const struct rule *rule = &p->plan->rules[0];
    assert_true(rule->per_request);
    expect(p, rule->deltas[1],
           "  0  scan a bind 0:X early\n"
           "  1  span  else 0\n"
           "  2  scan b new whole T  else 1  once\n"
           "  3  emit X  else 0\n");
    mangle_program_unref(p);
}

/* M-EVAL-14: what cannot fail may move, and what is not a time for certain stays where it is. */
static void test_comparisons_of_times_join_the_interval_they_speak_of(void **state)
{
    (void)state;
    mangle_program *p = compile("Decl a(X) temporal. Decl b(X, Z). Decl c(X) temporal.\n"
                                "r(X, Y) :- a(X)@[S, E], c(Y)@[T, F], :time:lt(E, T),"
                                " :time:ge(S, F), :time:le(S, E).\n"
                                "s(X) :- a(X)@[S, _], b(X, Z), c(Y)@[T, _], :time:gt(Z, T),"
                                " :time:gt(T, S).\n"
                                "t(X) :- a(X)@[S, _], c(Y)@[T, _], !:time:lt(T, S).",
                                false);
    expect(p, p->plan->rules[0].full,
           "  0  scan a bind 0:X early\n"
           "  1  span  else 0\n"
           "  2  scan c bind 0:Y early  else 1\n"
           "  3  span start > E end <= S  else 2  once\n"
           "  4  builtin :time:le S E  else 2  once\n"
           "  5  emit X Y  else 2\n");
    expect(p, p->plan->rules[1].full,
           "  0  scan a bind 0:X early\n"
           "  1  span  else 0\n"
           "  2  scan b index 0 X bind 1:Z  else 1\n"
           "  3  scan c early  else 2  once\n"
           "  4  span  else 3\n"
           "  5  builtin :time:gt Z T  else 4  once\n"
           "  6  builtin :time:gt T S  else 4  once\n"
           "  7  emit X  else 4\n");
    expect(p, p->plan->rules[2].full,
           "  0  scan a bind 0:X early\n"
           "  1  span  else 0\n"
           "  2  scan c early  else 1  once\n"
           "  3  span  else 2\n"
           "  4  builtin !:time:lt T S  else 3  once\n"
           "  5  emit X  else 0\n");
    mangle_program_unref(p);
}

static bool is_hit(void *context, const mangle_program *program, mangle_pred pred)
{
    (void)context;
    return strcmp(mangle_program_pred(program, pred).name, "hit") == 0;
}

static bool comes_with_requests(void *context, const mangle_program *program, mangle_pred pred)
{
    const char *name = mangle_program_pred(program, pred).name;
    (void)context;
    return strcmp(name, "seen") == 0 || strcmp(name, "tie") == 0;
}

/* The dump calls what is asked for by the name of the predicate (plan/demand.h). */
static void test_what_outputs_ask_for_guards_codes_for_news(void **state)
{
    (void)state;
    static const char text[] = "Decl seen(X). Decl tie(X, Y). Decl e(X, Y). Decl kind(Y, K).\n"
                               "p(X, Y) :- tie(X, Y). p(X, Z) :- e(X, Y), p(Y, Z).\n"
                               "hit(Z) :- kind(Y, 1), p(Y, Z), e(X, Y), seen(X).\n";
    struct mangle_source source = { "p.mg", text, sizeof text - 1 };
    struct mangle_compile_options options = { .changeable = comes_with_requests,
                                              .outputs = is_hit };
    mangle_program *p;
    assert_int_equal(mangle_compile(&source, 1, &options, &p, NULL), MANGLE_OK);
    const struct plan *plan = p->plan;
    const struct pred_plan *path = &plan->preds[mangle_pred_find(p, "p", 2)];
    assert_true(path->demanded);
    assert_int_equal(path->bound, 1); /* the first column */
    assert_int_equal(plan->demand->seed_count, 1);
    assert_int_equal(plan->demand->seeds[0], mangle_pred_find(p, "seen", 1));
    assert_int_equal(plan->asking_count, 2);
    expect(p, plan->rules[plan->rule_count].deltas[0],
           "  0  scan p new bind 0:X\n"
           "  1  scan e index 1 X bind 1:Y  else 0\n"
           "  2  emit Y  else 1\n");
    expect(p, plan->rules[plan->rule_count + 1].full,
           "  0  scan seen bind 0:X\n"
           "  1  scan e index 1 X bind 1:Y  else 0\n"
           "  2  scan kind whole Y r3  else 1  once\n"
           "  3  emit Y  else 1\n");
    expect(p, plan->rules[0].guarded[0],
           "  0  scan tie new bind 0:X bind 1:Y\n"
           "  1  scan p whole X  else 0  once\n"
           "  2  emit X Y  else 0\n");
    expect(p, plan->rules[1].guarded[0],
           "  0  scan p new bind 0:Y bind 1:Z\n"
           "  1  scan e index 0 Y bind 0:X  else 0\n"
           "  2  scan p whole X  else 1  once\n"
           "  3  emit X Z  else 1\n");
    mangle_program_unref(p);
}

/* Thirty thousand premises take a second at most; looking at each for each took a minute. */
static void test_a_long_body_is_planned_at_once(void **state)
{
    (void)state;
    struct buf text = { 0 };
    mgi_buf_puts(&text, "Decl d(X) descr [mode('+'), deferred()]. q(1). d(X) :- q(X)");
    for (int i = 0; i < 30000; i++)
        mgi_buf_printf(&text, ", q(X%d)", i);
    mgi_buf_puts(&text, ".\n");
    clock_t began = clock();
    mangle_program *p = compile(mgi_buf_view(&text).ptr, false);
    assert_true(clock() - began < 8 * CLOCKS_PER_SEC);
    assert_int_equal(p->plan->rules[0].full->op_count, 30002);
    mangle_program_unref(p);
    mgi_buf_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_delta_goes_first_and_the_rest_is_looked_up),
        cmocka_unit_test(test_what_shares_a_variable_comes_before_what_has_a_constant),
        cmocka_unit_test(test_filters_come_early_but_never_across_what_may_fail),
        cmocka_unit_test(test_an_atom_that_binds_nothing_needed_is_tried_once),
        cmocka_unit_test(test_a_rule_open_to_requests_has_a_delta_for_each_premise),
        cmocka_unit_test(test_intervals_wait_for_what_they_must_not_know),
        cmocka_unit_test(test_comparisons_of_times_join_the_interval_they_speak_of),
        cmocka_unit_test(test_what_outputs_ask_for_guards_codes_for_news),
        cmocka_unit_test(test_a_long_body_is_planned_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
