/* do-rules over rows that are stored already, held against the same rule over rows that have to be
 * gathered: counting, adding and comparing in one pass must not show. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "support/mangle_run.h"

static uint64_t seed = 5;

static uint32_t roll(uint32_t sides)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 33) % sides;
}

/* `stored` is one atom; the second body has another one, which changes no row. */
#define TWO_WAYS                                                                                   \
    "Decl s(K, L, V). one(1).\n"                                                                   \
    "t(K, N, S, A, B) :- s(K, L, V) |> do fn:group_by(K), let N = fn:count(),\n"                   \
    "    let S = fn:sum(V), let A = fn:min(V), let B = fn:max(L).\n"                               \
    "u(K, N, S, A, B) :- s(K, L, V), one(1) |> do fn:group_by(K), let N = fn:count(),\n"           \
    "    let S = fn:sum(V), let A = fn:min(V), let B = fn:max(L).\n"                               \
    "all(N, M) :- s(K, L, V) |> do fn:group_by(), let N = fn:count(), let M = fn:max(V).\n"        \
    "all_too(N, M) :- s(K, L, V), one(1) |> do fn:group_by(), let N = fn:count(),\n"               \
    "    let M = fn:max(V).\n"                                                                     \
    "pair(K, L, N) :- s(K, L, V) |> do fn:group_by(K, L), let N = fn:plus(K, L).\n"                \
    "lists(K, C) :- s(K, L, V) |> do fn:group_by(K), let C = fn:collect(V).\n"                     \
    "lists_too(K, C) :- s(K, L, V), one(1) |> do fn:group_by(K), let C = fn:collect(V).\n"         \
    "wrong(/t, K) :- t(K, N, S, A, B), !u(K, N, S, A, B).\n"                                       \
    "wrong(/u, K) :- u(K, N, S, A, B), !t(K, N, S, A, B).\n"                                       \
    "wrong(/all, N) :- all(N, M), !all_too(N, M).\n"                                               \
    "wrong(/lists, K) :- lists(K, C), !lists_too(K, C).\n"                                         \
    "wrong(/pair, N) :- pair(K, L, N), !s(K, L, _).\n"                                             \
    "fine(N) :- s(K, L, V) |> do fn:group_by(), let N = fn:count().\n"

static void add_facts(struct buf *text, uint32_t count, bool wide)
{
    for (uint32_t i = 0; i < count; i++) {
        long long value = (long long)roll(40) - 20;
        if (wide && roll(10) == 0)
            value *= INT64_C(1000000000000);
        mgi_buf_printf(text, "s(%u, %u, %lld).\n", roll(6), roll(5), value);
    }
}

/* M-AGG-5, M-AGG-6: rows are a set, whoever keeps it. */
static void test_one_pass_is_the_same_as_gathering(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 60; i++) {
        struct buf program = { 0 }, request = { 0 };
        mgi_buf_printf(&program, "%s", TWO_WAYS);
        add_facts(&program, roll(60), i % 3 == 0);
        add_facts(&request, roll(30), i % 3 == 1);
        mgi_buf_printf(&request, "s(1, 1, 1).");
        struct run_options options = { .changeable = run_changes_all };
        options.request = i % 2 ? mgi_buf_view(&request).ptr : NULL;
        struct mangle_run run = mangle_run(mgi_buf_view(&program).ptr, &options);
        assert_int_equal(run.status, MANGLE_OK);
        char *wrong = mangle_run_query(&run, "wrong(W, X)");
        assert_string_equal(wrong, "");
        mangle_free(wrong);
        mangle_run_end(&run);
        mgi_buf_fini(&program);
        mgi_buf_fini(&request);
    }
}

static void test_sums_go_beyond_small_integers(void **state)
{
    (void)state;
    /* M-AGG-20: what is summed is small, the sum is not; a wrong kind is not skipped. */
    char *text = run_text("s(1, 1000000000). s(2, 1000000000). s(3, 1000000000).\n"
                          "r(S, M) :- s(I, V) |> do fn:group_by(), let S = fn:sum(V), "
                          "let M = fn:min(V).",
                          NULL);
    assert_string_equal(text, "r(3000000000,1000000000).\n");
    mangle_free(text);
    text = run_text("s(1, 5). s(2, \"a\"). r(S) :- s(I, V) |> do fn:group_by(), "
                    "let S = fn:sum(V).",
                    NULL);
    assert_string_equal(text, "error: EVAL_ERROR\n");
    mangle_free(text);
    text = run_text("Decl s(I, V). r(S) :- s(I, V) |> do fn:group_by(), let S = fn:sum(V).", NULL);
    assert_string_equal(text, ""); /* no rows, no group */
    mangle_free(text);
}

static void test_rules_are_charged_with_their_rows(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run("s(1, 5). s(2, 6). s(3, 7). r(S) :- s(I, V) |> "
                                       "do fn:group_by(), let S = fn:sum(V).",
                                       NULL);
    assert_int_equal(run.status, MANGLE_OK);
    assert_int_equal(mangle_overlay_firings(run.overlay, 0), 4); /* three rows, one head */
    mangle_run_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_pass_is_the_same_as_gathering),
        cmocka_unit_test(test_sums_go_beyond_small_integers),
        cmocka_unit_test(test_rules_are_charged_with_their_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
