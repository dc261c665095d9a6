/* Whether the first atoms of a code are run breadth first, and in tiers of how many rows, must not
 * show, not even in the order of the rows that are derived; and it stops when it is told to. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/buf.h"
#include "mangle/run/base.h"
#include "support/mangle_run.h"

static uint64_t seed = 23;

static uint32_t roll(uint32_t sides)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 33) % sides;
}

/* Rows of the base, of the request, and of both; tests, constants, what is absent, a recursion that
 * adds to what it reads, families, a part of which one witness is enough, rows of do-rules. */
static const char program[] =
    "Decl e(X, Y). Decl kind(X, K). Decl wide(A, B, C, D, E). Decl s(X). Decl t(X, Y).\n"
    "far(X, Z) :- s(X), e(X, Y), e(Y, Z).\n"
    "far(X, Z) :- far(X, Y), e(Y, Z), kind(Z, 1), !t(X, Z).\n"
    "of1(X, Z) :- s(X), e(X, Y), e(Y, Z), kind(Z, 1). of2(X, Z) :- s(X), e(X, Y), e(Y, Z), "
    "kind(Z, 2).\n"
    "of3(X, Z) :- s(X), e(X, Y), e(Y, Z), kind(Z, 3). of4(X, Z) :- s(X), e(X, Y), e(Y, Z), "
    "kind(Z, 4).\n"
    "long(X, C) :- s(X), wide(X, B, C, B, E), e(E, F), e(F, _), X != F.\n"
    "round(X, Y) :- t(X, Y), e(Y, Z), e(Z, X), t(Z, _).\n"
    "linked(X) :- s(X), e(X, Y), kind(Y, K), e(_, K).\n"
    "apart(X, Y) :- s(X), s(Y), X != Y, e(X, Z), e(Y, Z), !far(X, Y).\n"
    "count(K, N) :- s(X), e(X, Y), kind(Y, K), !t(X, Y) |> do fn:group_by(K), "
    "let N = fn:count().\n";

static void add_facts(struct buf *text, uint32_t count, bool all)
{
    for (uint32_t i = 0; i < count; i++) {
        mgi_buf_printf(text, "s(%u). t(%u, %u).\n", roll(60), roll(60), roll(60));
        if (!all)
            continue;
        mgi_buf_printf(text, "e(%u, %u). e(%u, %u).\n", roll(60), roll(60), roll(3), roll(300));
        mgi_buf_printf(text, "kind(%u, %u).\n", roll(60), roll(6));
        mgi_buf_printf(text, "wide(%u, %u, %u, %u, %u).\n", roll(60), roll(3), roll(9), roll(3),
                       roll(60));
    }
}

static void force(struct eval *x, uint32_t rows, bool fetch)
{
    x->broad_rows = rows;
    x->fetch_always = fetch;
}

static struct mangle_run evaluate(const struct buf facts[2], uint32_t rows, bool fetch, bool hashed)
{
    struct mangle_run run = { 0 };
    struct mangle_compile_options options = { .changeable = run_changes_all };
    struct mangle_source source = { "p.mg", program, sizeof program - 1 };
    assert_int_equal(mangle_compile(&source, 1, &options, &run.program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(run.program, &run.base), MANGLE_OK);
    run.base->plan_always = true;
    for (size_t i = 0; i < run.program->pred_count; i++)
        run.base->rels[i].hashed_always = hashed;
    struct str text = mgi_buf_view(&facts[0]);
    struct mangle_source given = { "f.mg", text.ptr, text.len };
    assert_int_equal(mangle_base_add_text(run.base, &given, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_close(run.base, NULL, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_overlay_new(run.base, &run.overlay), MANGLE_OK);
    force(&run.overlay->eval, rows, fetch);
    assert_int_equal(mangle_run_give(&run, run.overlay, mgi_buf_view(&facts[1]).ptr), MANGLE_OK);
    run.status = mangle_overlay_eval(run.overlay, RUN_NOW, NULL, &run.stats, &run.error);
    assert_int_equal(run.status, MANGLE_OK);
    return run;
}

static void expect_same_run(struct mangle_run *a, struct mangle_run *b)
{
    assert_int_equal(a->stats.facts_derived, b->stats.facts_derived);
    assert_int_equal(a->stats.rule_firings, b->stats.rule_firings);
    assert_int_equal(a->stats.rounds, b->stats.rounds);
    for (size_t i = 0; i < a->program->pred_count; i++) {
        const struct rel *x = &a->overlay->rels[i], *y = &b->overlay->rels[i];
        assert_int_equal(x->count, y->count);
        if (x->count && x->arity)
            assert_memory_equal(x->rows, y->rows, (size_t)x->count * x->arity * sizeof *x->rows);
    }
}

/* M-EVAL-20, M-EVAL-30: the same rows, in the same order. */
static void test_breadth_does_not_show(void **state)
{
    (void)state;
    static const uint32_t rows[] = { 1, 2, 7, BROAD_ROWS };
    int64_t derived = 0;
    for (uint32_t round = 0; round < 40; round++) {
        struct buf facts[2] = { { 0 }, { 0 } };
        mgi_buf_printf(&facts[0], "e(0, 0).\n");
        mgi_buf_printf(&facts[1], "s(1).\n");
        add_facts(&facts[0], roll(200), true);
        add_facts(&facts[1], roll(60), round % 2);
        struct mangle_run deep = evaluate(facts, 0, false, false);
        struct mangle_run broad = evaluate(facts, rows[round % 4], round % 3, round % 5 == 0);
        expect_same_run(&deep, &broad);
        derived += broad.stats.facts_derived;
        mangle_run_end(&deep);
        mangle_run_end(&broad);
        mgi_buf_fini(&facts[0]);
        mgi_buf_fini(&facts[1]);
    }
    assert_true(derived > 10000); /* or the test tests little */
}

/* Codes that it is made for are run that way. */
static void test_joins_are_broad(void **state)
{
    (void)state;
    struct mangle_compile_options options = { .changeable = run_changes_all };
    struct mangle_source source = { "p.mg", program, sizeof program - 1 };
    mangle_program *p;
    assert_int_equal(mangle_compile(&source, 1, &options, &p, NULL), MANGLE_OK);
    uint32_t broad = 0;
    for (uint32_t r = 0; r < p->plan->rule_count; r++)
        for (uint32_t i = 0; i < p->plan->rules[r].delta_count; i++)
            broad += p->plan->rules[r].deltas[i]->broad > 1;
    assert_true(broad > 10);
    mangle_program_unref(p);
}

struct looks { /* somebody who cancels after a while */
    int count, cancel_at;
};

static bool has_cancelled(void *context)
{
    struct looks *looks = context;
    return ++looks->count > looks->cancel_at;
}

/* M-LIM-11: a product of the base that no row comes out of. */
static void test_a_broad_code_stops_when_it_is_cancelled(void **state)
{
    (void)state;
    static const char text[] = "Decl a(X). Decl b(X, Y). Decl none(Y).\n"
                               "out(X, Z) :- a(X), b(X, Y), b(Y, Z), b(Z, W), none(W).\n";
    struct buf facts = { 0 };
    for (uint32_t x = 0; x < 40; x++)
        for (uint32_t y = 0; y < 40; y++)
            mgi_buf_printf(&facts, "b(%u, %u).\n", x, y);
    mgi_buf_printf(&facts, "none(77).");
    for (int cancel_at = 0; cancel_at < 60; cancel_at += 20) {
        struct mangle_run run = { 0 };
        struct mangle_compile_options options = { .changeable = run_changes_all };
        struct mangle_source source = { "p.mg", text, sizeof text - 1 };
        struct mangle_source given = { "f.mg", mgi_buf_view(&facts).ptr, mgi_buf_view(&facts).len };
        struct looks looks = { .cancel_at = cancel_at };
        struct mangle_limits limits = { .cancelled = has_cancelled, .cancel_context = &looks };
        assert_int_equal(mangle_compile(&source, 1, &options, &run.program, NULL), MANGLE_OK);
        assert_int_equal(mangle_base_new(run.program, &run.base), MANGLE_OK);
        assert_int_equal(mangle_base_add_text(run.base, &given, NULL), MANGLE_OK);
        assert_int_equal(mangle_base_close(run.base, NULL, NULL, NULL), MANGLE_OK);
        assert_int_equal(mangle_overlay_new(run.base, &run.overlay), MANGLE_OK);
        assert_int_equal(mangle_run_give(&run, run.overlay, "a(1). a(2)."), MANGLE_OK);
        run.status = mangle_overlay_eval(run.overlay, RUN_NOW, &limits, &run.stats, &run.error);
        assert_int_equal(run.status, MANGLE_ERR_CANCELLED);
        assert_int_equal(looks.count, cancel_at + 1);
        mangle_run_end(&run);
    }
    mgi_buf_fini(&facts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_breadth_does_not_show),
        cmocka_unit_test(test_joins_are_broad),
        cmocka_unit_test(test_a_broad_code_stops_when_it_is_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
