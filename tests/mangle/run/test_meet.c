/* Where two atoms bind one variable, the shorter list may be walked: whether it is must not show,
 * not even in the order of the rows that are derived. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/buf.h"
#include "mangle/run/base.h"
#include "support/mangle_run.h"

static uint64_t seed = 11;

static uint32_t roll(uint32_t sides)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 33) % sides;
}

static const char program[] =
    "Decl e(X, Y). Decl w(X, Y, Z).\n"
    "tri(X, Y, Z) :- e(X, Y), e(Y, Z), e(X, Z).\n"
    "near(X, Y) :- e(X, Y).\n"
    "near(X, Z) :- near(X, Y), near(Y, Z), e(X, Z).\n"
    "near(Z, X) :- e(X, Y), e(Y, Z), near(Z, Y).\n"
    "four(A, B, C, D) :- e(A, B), e(B, C), e(A, C), e(C, D), e(A, D).\n"
    "wide(X, Y, Z, V) :- e(X, Y), w(X, Y, Z), w(Y, X, V), w(X, Z, V).\n"
    "lone(X, N) :- e(X, Y), e(Y, Z), e(X, Z), !near(Z, X) |> do fn:group_by(X), "
    "let N = fn:count().\n";

/* Nodes of small numbers have many edges. */
static void add_edges(struct buf *text, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        mgi_buf_printf(text, "e(%u, %u).\n", roll(roll(40) + 1), roll(roll(40) + 1));
        mgi_buf_printf(text, "w(%u, %u, %u).\n", roll(roll(9) + 1), roll(9), roll(9));
    }
}

static struct mangle_run evaluate(const struct buf facts[2], bool always, uint32_t queue)
{
    struct mangle_run run = { 0 };
    struct mangle_compile_options options = { .changeable = run_changes_all };
    struct mangle_source source = { "p.mg", program, sizeof program - 1 };
    assert_int_equal(mangle_compile(&source, 1, &options, &run.program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(run.program, &run.base), MANGLE_OK);
    run.base->eval.meet_always = always;
    run.base->eval.queue.most = queue;
    struct str text = mgi_buf_view(&facts[0]);
    struct mangle_source given = { "f.mg", text.ptr, text.len };
    assert_int_equal(mangle_base_add_text(run.base, &given, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_close(run.base, NULL, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_overlay_new(run.base, &run.overlay), MANGLE_OK);
    run.overlay->eval.meet_always = always;
    run.overlay->eval.queue.most = queue;
    assert_int_equal(mangle_run_give(&run, run.overlay, mgi_buf_view(&facts[1]).ptr), MANGLE_OK);
    run.status = mangle_overlay_eval(run.overlay, RUN_NOW, NULL, &run.stats, &run.error);
    assert_int_equal(run.status, MANGLE_OK);
    return run;
}

static void expect_same_rows(const struct rel *a, const struct rel *b)
{
    assert_int_equal(a->count, b->count);
    if (a->count && a->arity)
        assert_memory_equal(a->rows, b->rows, (size_t)a->count * a->arity * sizeof *a->rows);
}

/* M-EVAL-20, M-EVAL-30: the same rows, in the same order. */
static void test_which_list_is_walked_does_not_show(void **state)
{
    (void)state;
    size_t walked = 0; /* room for rows that were met; or the test tests nothing */
    for (uint32_t round = 0; round < 40; round++) {
        struct buf facts[2] = { { 0 }, { 0 } };
        mgi_buf_printf(&facts[0], "e(0, 0).");
        mgi_buf_printf(&facts[1], "e(1, 1).");
        add_edges(&facts[0], round % 4 ? roll(300) : 0);
        add_edges(&facts[1], roll(60));
        struct mangle_run plain = evaluate(facts, false, QUEUE_HEADS);
        struct mangle_run met = evaluate(facts, true, round % 2 ? 1 : QUEUE_HEADS);
        assert_int_equal(plain.stats.facts_derived, met.stats.facts_derived);
        assert_int_equal(plain.stats.rule_firings, met.stats.rule_firings);
        assert_int_equal(plain.stats.rounds, met.stats.rounds);
        walked += met.overlay->eval.met_cap;
        for (size_t i = 0; i < plain.program->pred_count; i++) {
            expect_same_rows(&plain.base->rels[i], &met.base->rels[i]);
            expect_same_rows(&plain.overlay->rels[i], &met.overlay->rels[i]);
        }
        char *a = mangle_run_text(&plain), *b = mangle_run_text(&met);
        assert_string_equal(a, b);
        mangle_free(a);
        mangle_free(b);
        mangle_run_end(&plain);
        mangle_run_end(&met);
        mgi_buf_fini(&facts[0]);
        mgi_buf_fini(&facts[1]);
    }
    assert_true(walked > 0);
}

/* Both neighbours of a hub have thousands of pairs between them, and no triangle. */
static void test_a_hub_costs_its_smaller_side(void **state)
{
    (void)state;
    struct buf facts[2] = { { 0 }, { 0 } };
    mgi_buf_printf(&facts[1], "e(1, 0).");
    for (uint32_t i = 0; i < 1500; i++)
        mgi_buf_printf(&facts[0], "e(%u, 0). e(0, %u).\n", i + 1, i + 5000);
    mgi_buf_printf(&facts[0], "e(7, 5001).");
    struct mangle_run run = evaluate(facts, false, QUEUE_HEADS);
    char *found = mangle_run_query(&run, "tri(X, Y, Z)");
    assert_string_equal(found, "tri(7,0,5001).\n");
    mangle_free(found);
    mangle_run_end(&run);
    mgi_buf_fini(&facts[0]);
    mgi_buf_fini(&facts[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_list_is_walked_does_not_show),
        cmocka_unit_test(test_a_hub_costs_its_smaller_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
