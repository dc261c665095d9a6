/* A part of a body that adds nothing to the head is looked at until it has one solution, unless an
 * operation in it could fail: an error is found whichever solution comes first. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/mangle_run.h"

#define EDGES "n(1). n(2). n(3). e(1, 4). e(1, 5). e(2, 4). e(4, 6). e(4, 7). e(5, 7).\n"

static void expect(const char *program, const char *facts, int64_t firings)
{
    struct mangle_run run = mangle_run(program, NULL);
    assert_int_equal(run.status, MANGLE_OK);
    char *text = mangle_run_text(&run);
    assert_string_equal(text, facts);
    assert_int_equal(mangle_overlay_firings(run.overlay, 0), firings);
    mangle_free(text);
    mangle_run_end(&run);
}

static void test_one_witness_is_enough(void **state)
{
    (void)state;
    /* M-EVAL-20: five ways, two heads */
    expect(EDGES "far(X) :- n(X), e(X, Y), e(Y, Z), e(_, Z).", "far(1).\nfar(2).\n", 2);
    expect(EDGES "any() :- e(X, Y), e(Y, Z).", "any().\n", 1);
    expect(EDGES "pair(X, Y) :- e(X, Y), e(Y, Z), n(W).", "pair(1,4).\npair(1,5).\npair(2,4).\n",
           3);
    expect(EDGES "all(X, Z) :- n(X), e(X, Y), e(Y, Z).",
           "all(1,6).\nall(1,7).\nall(2,6).\nall(2,7).\n", 5);
}

#define STAYS                                                                                      \
    "Decl s(X) temporal. Decl t(X) temporal. n(1). n(2)."                                          \
    "s(1)@[2024-06-10T11:30:01, 2024-06-10T11:30:02]. s(2)@[2024-06-10T11:30:03, _]."              \
    "t(1)@[2024-06-10T11:30:01, 2024-06-10T11:30:05]. t(2)@[2024-06-10T11:30:04, _]."              \
    "t(2)@[2024-06-10T11:30:00, 2024-06-10T11:30:01].\n"

/* M-EVAL-20: intervals, windows and comparisons of their ends, too, where nothing can fail. */
static void test_one_interval_is_enough(void **state)
{
    (void)state;
    expect(STAYS "any() :- s(X)@[S, E], t(Y)@[T, F], :time:le(T, E).", "any().\n", 1);
    expect(STAYS "p(X) :- s(X)@[S, E], t(Y)@[T, F], :time:le(T, E).", "p(1).\np(2).\n", 2);
    expect(STAYS "p(Y) :- n(Y), t(Y)@[T, F], <-[0s, 1h] s(X).", "p(1).\np(2).\n", 2);
    expect(STAYS "p(Y, T) :- t(Y)@[T, F], <-[0s, 1h] s(X).",
           "p(1,fn:time:parse_rfc3339(\"2024-06-10T11:30:01Z\")).\n"
           "p(2,fn:time:parse_rfc3339(\"2024-06-10T11:30:00Z\")).\n"
           "p(2,fn:time:parse_rfc3339(\"2024-06-10T11:30:04Z\")).\n",
           3);
    expect(STAYS "p(X)@[T, F] :- n(X), t(Y)@[T, F].",
           "p(1)@[2024-06-10T11:30:00Z, _].\np(2)@[2024-06-10T11:30:00Z, _].\n", 6);
}

static void test_rows_of_groups_are_all_found(void **state)
{
    (void)state;
    expect(EDGES "c(X, N) :- n(X), e(X, Y), e(Y, Z) |> do fn:group_by(X), let N = fn:count().",
           "c(1,3).\nc(2,2).\n", 7); /* M-AGG-5 */
}

static void test_errors_behind_the_first_witness_are_told(void **state)
{
    (void)state;
    char *text = run_text("n(1). e(1, 1). e(1, 0). p(X) :- n(X), e(X, Y), Z = fn:div(1, Y).", NULL);
    assert_string_equal(text, "error: EVAL_ERROR\n"); /* M-EVAL-12 */
    mangle_free(text);
    text = run_text("n(1). e(1, 1). e(1, \"a\"). p(X) :- n(X), e(X, Y), Y < 3.", NULL);
    assert_string_equal(text, "error: EVAL_ERROR\n");
    mangle_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_witness_is_enough),
        cmocka_unit_test(test_one_interval_is_enough),
        cmocka_unit_test(test_rows_of_groups_are_all_found),
        cmocka_unit_test(test_errors_behind_the_first_witness_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
