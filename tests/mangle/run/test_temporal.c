/* Section 14 beyond the acceptance set: what each form of a temporal premise binds and tests. Every
 * program runs twice, in a base and with everything open to requests. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "support/mangle_run.h"

static void expect(const char *program, const char *expected)
{
    struct run_options open = { .changeable = run_changes_all };
    char *text = run_text(program, NULL);
    assert_string_equal(text, expected);
    mangle_free(text);
    text = run_text(program, &open);
    assert_string_equal(text, expected);
    mangle_free(text);
}

#define UP                                                                                         \
    "Decl up(X) temporal.\n"                                                                       \
    "up(/a)@[2024-06-09T12:00:00, 2024-06-10T12:00:00]. up(/b)@[2024-06-10T11:00:00].\n"

static void test_one_bound_binds_the_start(void **state)
{
    (void)state;
    expect(UP "r(S) :- up(/a)@[S].", /* M-TEMP-33 */
           "r(fn:time:parse_rfc3339(\"2024-06-09T12:00:00Z\")).\n");
    expect(UP "r(X) :- up(X)@[S], S = fn:time:parse_rfc3339(\"2024-06-09T12:00:00Z\").",
           "r(/a).\n");
}

static void test_a_bound_variable_means_containment(void **state)
{
    (void)state;
    expect(UP "at(fn:time:parse_rfc3339(\"2024-06-10T11:00:00Z\")).\n"
              "r(X) :- at(T), up(X)@[T].", /* M-TEMP-34 */
           "r(/a).\nr(/b).\n");
    expect(UP "at(fn:time:parse_rfc3339(\"2024-06-10T11:00:00Z\")).\n"
              "r(X) :- up(X)@[T], at(T).", /* premise order matters */
           "r(/b).\n");
    expect(UP "at(1). r(X) :- at(T), up(X)@[T].", ""); /* a number of nanoseconds */
    expect(UP "at(\"x\"). r(X) :- at(T), up(X)@[T].", "error: EVAL_ERROR\n"); /* M-TEMP-37 */
}

static void test_windows_between_instants_may_be_written_either_way(void **state)
{
    (void)state;
    expect(UP "r(X) :- <-[2024-06-10T10:00:00, 2024-06-10T11:30:00] up(X).\n"
              "s(X) :- <-[2024-06-10T11:30:00, 2024-06-10T10:00:00] up(X).", /* M-TEMP-52 */
           "r(/a).\nr(/b).\ns(/a).\ns(/b).\n");
    expect(UP "r(X) :- [-[2024-06-10T10:00:00, 2024-06-10T11:30:00] up(X).", "r(/a).\n");
}

static void test_open_bounds_of_windows_are_infinite(void **state)
{
    (void)state;
    expect(UP "r(X) :- <-[30m, _] up(X).", "r(/a).\nr(/b).\n"); /* M-TEMP-50 */
    expect(UP "r(X) :- [-[0s, _] up(X).", "");
    expect(UP "up(/c)@[_, _]. r(X) :- [-[0s, _] up(X). s(X) :- [+[0s, _] up(X).",
           "r(/c).\ns(/c).\n");
}

static void test_a_window_that_is_open_on_both_sides_is_ever(void **state)
{
    (void)state; /* M-TEMP-50, M-SYN-15 */
    expect(UP "r(X) :- <-[_, _] up(X). s(X) :- <+[_, _] up(X).",
           "r(/a).\nr(/b).\ns(/a).\ns(/b).\n");
    expect(UP "r(X) :- <-[\"_\", _] up(X)@[S, _].", "r(/a).\nr(/b).\n");
    expect(UP "up(/c)@[_, _]. r(X) :- [-[_, _] up(X). s(X) :- [+[_, _] up(X).", "r(/c).\ns(/c).\n");
    expect(UP "h(/a). h(/z). r(X) :- h(X), !<-[_, _] up(X).", "r(/z).\n");
    expect(UP "up(/later)@[2030-01-01]. r(X) :- <-[_] up(X).", "r(/a).\nr(/b).\n"); /* until now */
    expect(UP "up(/later)@[2030-01-01]. r(X) :- <+[_] up(X).", "r(/a).\nr(/later).\n");
}

static void test_variables_in_windows_are_instants_or_durations(void **state)
{
    (void)state;
    expect(UP "d(fn:duration:parse(\"30m\")). r(X) :- d(D), <-[0s, D] up(X).", /* M-TEMP-50 */
           "r(/a).\n");
    expect(UP "d(fn:time:parse_rfc3339(\"2024-06-10T11:00:00Z\")). r(X) :- d(D), <-[0s, D] up(X).",
           "r(/a).\nr(/b).\n");
    expect(UP "d(\"x\"). r(X) :- d(D), <-[0s, D] up(X).", "error: EVAL_ERROR\n");
}

static void test_annotations_after_windows_bind_the_whole_interval(void **state)
{
    (void)state;
    expect(UP "r(X, S) :- <-[0s, 30m] up(X)@[S, _].", /* M-TEMP-55 */
           "r(/a,fn:time:parse_rfc3339(\"2024-06-09T12:00:00Z\")).\n");
    expect(UP "r(X) :- <-[0s, 2h] up(X)@[_, 2024-06-10T11:30:00].", "");
    expect(UP "r(X) :- <-[0s, 2h] up(X)@[2024-06-10T10:00:00, 2024-06-10T11:30:00].", "r(/a).\n");
}

static void test_infinite_ends_survive_variables(void **state)
{
    (void)state;
    expect("Decl p(X) temporal. Decl q(X) temporal. p(1)@[2024-01-01, _]. p(2)@[_, _].\n"
           "q(X)@[S, F] :- p(X)@[S, F].", /* M-TEMP-12 */
           "q(1)@[2024-01-01T00:00:00Z, _].\nq(2).\n");
}

static void test_jobs_until_now(void **state)
{
    (void)state;
    struct run_options options = { .now_ns = INT64_C(1715299200000000000) }; /* 2024-05-10 */
    char *text = run_text("Decl job(J) temporal. Decl busy(J) temporal.\n"   /* M-TEMP-102 */
                          "job(/x)@[2024-05-01, 2024-05-04]. job(/y)@[2024-05-03, _].\n"
                          "busy(J)@[S, now] :- job(J)@[S, _]. open(J) :- job(J)@[now].",
                          &options);
    assert_string_equal(text, "busy(/x)@[2024-05-01T00:00:00Z, 2024-05-10T00:00:00Z].\n"
                              "busy(/y)@[2024-05-03T00:00:00Z, 2024-05-10T00:00:00Z].\n"
                              "open(/y).\n");
    mangle_free(text);
}

static void test_empty_intervals_derive_nothing(void **state)
{
    (void)state;
    expect("Decl p(X) temporal. Decl q(X) temporal. p(1)@[2024-01-01, 2024-01-02].\n"
           "q(X)@[F, S] :- p(X)@[S, F].", /* M-TEMP-14 */
           "");
}

static void test_recursion_keeps_intervals(void **state)
{
    (void)state;
    expect("Decl hop(X, Y) temporal. Decl far(X, Y) temporal.\n" /* M-TEMP-44 */
           "hop(/a, /b)@[2024-01-01]. hop(/b, /c)@[2024-01-01]. hop(/c, /d)@[2024-01-01].\n"
           "far(A, B)@[W] :- hop(A, B)@[W]. far(A, C)@[W] :- hop(A, B)@[W], far(B, C)@[W].",
           "far(/a,/b)@[2024-01-01T00:00:00Z].\nfar(/a,/c)@[2024-01-01T00:00:00Z].\n"
           "far(/a,/d)@[2024-01-01T00:00:00Z].\nfar(/b,/c)@[2024-01-01T00:00:00Z].\n"
           "far(/b,/d)@[2024-01-01T00:00:00Z].\nfar(/c,/d)@[2024-01-01T00:00:00Z].\n");
}

static void test_a_fixpoint_reads_intervals_as_derived(void **state)
{
    (void)state;
    /* [1, 5] and [4, 8] are one interval in the end, but bind twice inside (M-TEMP-72). */
    expect("Decl p(X) temporal. Decl g(X, Y) temporal.\n"
           "g(/a, /b)@[2024-01-01, 2024-01-05]. g(/c, /b)@[2024-01-04, 2024-01-08].\n"
           "p(X)@[S, F] :- g(_, X)@[S, F]. p(/out)@[S, S] :- p(/b)@[S, _].",
           "p(/b)@[2024-01-01T00:00:00Z, 2024-01-08T00:00:00Z].\n"
           "p(/out)@[2024-01-01T00:00:00Z].\np(/out)@[2024-01-04T00:00:00Z].\n");
}

static void test_later_strata_read_merged_intervals(void **state)
{
    (void)state;
    expect("Decl p(X) temporal. Decl g(X) temporal. Decl q(X) temporal.\n"
           "g(/a)@[2024-01-01, 2024-01-05]. q(/a)@[2024-01-05, 2024-01-08].\n"
           "p(X)@[S, F] :- g(X)@[S, F]. p(X)@[S, F] :- q(X)@[S, F].\n"
           "r(N) :- p(_)@[S, F] |> do fn:group_by(), let N = fn:count().\n"
           "w(X) :- p(X)@[2024-01-02, 2024-01-07].", /* M-TEMP-72 */
           "p(/a)@[2024-01-01T00:00:00Z, 2024-01-08T00:00:00Z].\nr(1).\nw(/a).\n");
}

static void test_negated_literals_are_existential(void **state)
{
    (void)state;
    expect(UP "t(/a). t(/b). t(/c). r(X) :- t(X), !up(X)@[_, _].\n" /* M-TEMP-31, M-TEMP-40 */
              "s(X) :- t(X), !<-[0s, 30m] up(X). u() :- t(/a), !<-[0s, 1s] up(/b).",
           "r(/a).\nr(/b).\nr(/c).\ns(/b).\ns(/c).\nu().\n");
    expect(UP "off(/a). live(X) :- up(X)@[_, F], !off(X).", "live(/b).\n"); /* M-TEMP-43 */
}

static void test_event_at_the_edge_of_the_window_counts(void **state)
{
    (void)state;
    static const char program[] =
        "Decl console_event(S, L) temporal.\n"
        "console_event(\"s1\", \"error\")@[\"2026-02-19T14:30:00Z\"].\n"
        "macro_tool(\"diagnose\", \"full\") :- <-[5m] console_event(_, \"error\").\n";
    const int64_t event = INT64_C(1771511400000000000), minute = INT64_C(60000000000);
    const int64_t times[] = { event + 4 * minute, event + 5 * minute, event + 5 * minute + 1,
                              event - minute };
    const bool holds[] = { true, true, false, false }; /* M-TEMP-100 */
    for (int i = 0; i < 4; i++) {
        struct run_options options = { .now_ns = times[i] };
        char *text = run_text(program, &options);
        assert_int_equal(*text != '\0', holds[i]);
        mangle_free(text);
    }
}

static void test_do_rules_may_have_intervals(void **state)
{
    (void)state;
    expect("Decl on(X, Y) temporal. Decl n(X) temporal. on(/a, 1)@[2024-01-01].\n"
           "on(/a, 2)@[2024-01-01]. on(/a, 2)@[2024-02-01].\n"
           "n(N)@[S, _] :- on(X, _)@[S, _] |> do fn:group_by(S), let N = fn:count().\n"
           "all(N) :- on(_, _)@[S, F] |> do fn:group_by(), let N = fn:count().", /* M-AGG-12 */
           "all(3).\nn(1)@[2024-02-01T00:00:00Z, _].\nn(2)@[2024-01-01T00:00:00Z, _].\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_bound_binds_the_start),
        cmocka_unit_test(test_a_bound_variable_means_containment),
        cmocka_unit_test(test_windows_between_instants_may_be_written_either_way),
        cmocka_unit_test(test_open_bounds_of_windows_are_infinite),
        cmocka_unit_test(test_a_window_that_is_open_on_both_sides_is_ever),
        cmocka_unit_test(test_variables_in_windows_are_instants_or_durations),
        cmocka_unit_test(test_annotations_after_windows_bind_the_whole_interval),
        cmocka_unit_test(test_infinite_ends_survive_variables),
        cmocka_unit_test(test_jobs_until_now),
        cmocka_unit_test(test_empty_intervals_derive_nothing),
        cmocka_unit_test(test_recursion_keeps_intervals),
        cmocka_unit_test(test_a_fixpoint_reads_intervals_as_derived),
        cmocka_unit_test(test_later_strata_read_merged_intervals),
        cmocka_unit_test(test_negated_literals_are_existential),
        cmocka_unit_test(test_event_at_the_edge_of_the_window_counts),
        cmocka_unit_test(test_do_rules_may_have_intervals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
