/* Where two atoms bind one variable, the shorter list may be walked, or lists with filters gone
 * through: whether they are must not show, not even in the order of the rows that are derived. */
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

enum form { PLAIN, WALKED, LISTED };

static void force(struct eval *x, enum form form, uint32_t queue)
{
    x->meet_always = form == WALKED;
    x->lists = form == LISTED ? LISTS_ALWAYS : LISTS_NEVER;
    x->fuse_never = form == PLAIN;
    x->queue.most = queue;
}

static struct mangle_run evaluate(const struct buf facts[2], enum form form, uint32_t queue)
{
    struct mangle_run run = { 0 };
    struct mangle_compile_options options = { .changeable = run_changes_all };
    struct mangle_source source = { "p.mg", program, sizeof program - 1 };
    assert_int_equal(mangle_compile(&source, 1, &options, &run.program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(run.program, &run.base), MANGLE_OK);
    force(&run.base->eval, form, queue);
    struct str text = mgi_buf_view(&facts[0]);
    struct mangle_source given = { "f.mg", text.ptr, text.len };
    assert_int_equal(mangle_base_add_text(run.base, &given, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_close(run.base, NULL, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_overlay_new(run.base, &run.overlay), MANGLE_OK);
    force(&run.overlay->eval, form, queue);
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

static void expect_same_run(struct mangle_run *a, struct mangle_run *b)
{
    assert_int_equal(a->stats.facts_derived, b->stats.facts_derived);
    assert_int_equal(a->stats.rule_firings, b->stats.rule_firings);
    assert_int_equal(a->stats.rounds, b->stats.rounds);
    for (size_t i = 0; i < a->program->pred_count; i++) {
        expect_same_rows(&a->base->rels[i], &b->base->rels[i]);
        expect_same_rows(&a->overlay->rels[i], &b->overlay->rels[i]);
    }
    char *one = mangle_run_text(a), *other = mangle_run_text(b);
    assert_string_equal(one, other);
    mangle_free(one);
    mangle_free(other);
}

static size_t rows_listed(const struct mangle_run *run)
{
    size_t rows = 0;
    for (size_t i = 0; i < run->program->pred_count; i++)
        for (uint32_t k = 0; k < run->overlay->rels[i].index_count; k++)
            rows += run->overlay->rels[i].indexes[k].lists.rows_cap;
    return rows;
}

/* M-EVAL-20, M-EVAL-30: the same rows, in the same order. */
static void test_which_list_is_walked_does_not_show(void **state)
{
    (void)state;
    size_t walked = 0, listed = 0; /* or the test tests nothing */
    for (uint32_t round = 0; round < 40; round++) {
        struct buf facts[2] = { { 0 }, { 0 } };
        mgi_buf_printf(&facts[0], round % 4 ? "e(0, 0)." : "\n");
        mgi_buf_printf(&facts[1], "e(1, 1).");
        add_edges(&facts[0], round % 4 ? roll(300) : 0);
        add_edges(&facts[1], roll(round % 4 ? 60 : 300));
        struct mangle_run plain = evaluate(facts, PLAIN, QUEUE_HEADS);
        struct mangle_run met = evaluate(facts, WALKED, round % 2 ? 1 : QUEUE_HEADS);
        struct mangle_run lists = evaluate(facts, LISTED, round % 2 ? QUEUE_HEADS : 1);
        walked += met.overlay->eval.met_cap;
        listed += rows_listed(&lists);
        expect_same_run(&plain, &met);
        expect_same_run(&plain, &lists);
        mangle_run_end(&plain);
        mangle_run_end(&met);
        mangle_run_end(&lists);
        mgi_buf_fini(&facts[0]);
        mgi_buf_fini(&facts[1]);
    }
    assert_true(walked > 0);
    assert_true(listed > 0);
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
    struct mangle_run run = evaluate(facts, PLAIN, QUEUE_HEADS);
    char *found = mangle_run_query(&run, "tri(X, Y, Z)");
    assert_string_equal(found, "tri(7,0,5001).\n");
    mangle_free(found);
    mangle_run_end(&run);
    mgi_buf_fini(&facts[0]);
    mgi_buf_fini(&facts[1]);
}

/* ---- lists that are long --------------------------------------------------------------------- */

enum { LONG = 100000, THIRD = LONG / 3 };

struct looks { /* a clock that stands still, and somebody who cancels at the `cancel_at`th look */
    int count, cancel_at;
};

static int64_t look_at_clock(void *context)
{
    ((struct looks *)context)->count++;
    return 0;
}

static bool has_cancelled(void *context)
{
    const struct looks *looks = context;
    return looks->count >= looks->cancel_at;
}

static void give_pair(struct mangle_run *run, const char *name, const mangle_value args[2])
{
    mangle_pred pred = mangle_pred_find(run->program, name, 2);
    assert_int_equal(mangle_base_add(run->base, pred, args, 2, NULL, NULL), MANGLE_OK);
}

/* One pair has two long lists with nothing in common: what is work here is lists and filters. */
static struct mangle_run meet_once(struct mangle_limits *limits, enum form form)
{
    static const char text[] = "Decl e(X, Y). Decl f(X, Y). Decl pair(X, Y). pair(0, 1).\n"
                               "both(Z) :- pair(X, Y), e(Y, Z), f(X, Z).\n"
                               "some(Z) :- pair(X, Y), f(X, Z), e(Y, Z).";
    struct mangle_source source = { "p.mg", text, sizeof text - 1 };
    struct mangle_run run = { 0 };
    assert_int_equal(mangle_compile(&source, 1, NULL, &run.program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(run.program, &run.base), MANGLE_OK);
    force(&run.base->eval, form, QUEUE_HEADS);
    for (int64_t i = 0; i < LONG; i++) {
        mangle_values *values = mangle_base_values(run.base);
        mangle_value e[2] = { mangle_number(values, 1), mangle_number(values, i) };
        mangle_value f[2] = { mangle_number(values, 0), mangle_number(values, i + LONG) };
        give_pair(&run, "e", e);
        if (i < THIRD)
            give_pair(&run, "f", f);
    }
    run.status = mangle_base_close(run.base, limits, &run.stats, NULL);
    return run;
}

/* M-LIM-11: making lists is work, and going through them. */
static void test_lists_look_at_clock_and_flag(void **state)
{
    (void)state;
    for (int at = 1, most = INT32_MAX; at < most; at += at == 1 ? 30 : 60) {
        struct looks looks = { .cancel_at = at == 1 ? INT32_MAX : at };
        struct mangle_limits limits = { .timeout_ns = INT64_MAX, .clock = look_at_clock };
        limits.clock_context = &looks;
        limits.cancelled = has_cancelled;
        limits.cancel_context = &looks;
        struct mangle_run run = meet_once(&limits, LISTED);
        assert_int_equal(run.status, at == 1 ? MANGLE_OK : MANGLE_ERR_CANCELLED);
        if (at == 1)
            most = looks.count;
        else
            assert_int_equal(looks.count, at);
        /* both lists are made, and the shorter one is read in both ways */
        assert_true(most > (LONG + 3 * THIRD) / STEPS_PER_CHECK - 5);
        mangle_run_end(&run);
    }
}

/* M-LIM-11: lists count as memory: eight bytes a row, and at least two of a filter. */
static void test_lists_count_as_memory(void **state)
{
    (void)state;
    struct mangle_limits limits = { 0 };
    struct mangle_run plain = meet_once(&limits, PLAIN), lists = meet_once(&limits, LISTED);
    size_t less = plain.stats.bytes, more = lists.stats.bytes;
    assert_true(more - less >= (size_t)(LONG + THIRD) * 10);
    mangle_run_end(&plain);
    mangle_run_end(&lists);
    limits.max_bytes = (int64_t)more - LONG;
    struct mangle_run run = meet_once(&limits, LISTED);
    assert_int_equal(run.status, MANGLE_ERR_LIMIT);
    mangle_run_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_list_is_walked_does_not_show),
        cmocka_unit_test(test_a_hub_costs_its_smaller_side),
        cmocka_unit_test(test_lists_look_at_clock_and_flag),
        cmocka_unit_test(test_lists_count_as_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
