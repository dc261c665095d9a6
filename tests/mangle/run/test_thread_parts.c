/* Rounds on several threads: whatever a base holds is the same, to the row, with one thread, two
 * and eight, and what ends an evaluation before its time does so in the same place. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mangle/run/base.h"
#include "support/base_dump.h"
#include "support/mangle_gen.h"
#include "support/mangle_run.h"
#include "support/rounds.h"
#include "sys/workers.h"

#define CASES test_rounds(300)
#define NODES 500
#define DENSE 9000 /* rows enough for the usual size of a round that is divided */

struct closing {
    uint32_t threads;     /* 0: nobody helps */
    uint32_t divide_from; /* 0: as always */
    uint32_t part_heads;  /* the same */
    struct mangle_limits limits;
    enum mangle_status status;
    struct mangle_error error;
};

static mangle_program *compile(struct str text)
{
    struct mangle_source source = { "p.mg", text.ptr, text.len };
    struct mangle_compile_options options = { .changeable = run_changes_nothing };
    mangle_program *program;
    return mangle_compile(&source, 1, &options, &program, NULL) ? NULL : program;
}

static void add_text(mangle_base *base, struct str text)
{
    struct mangle_source source = { "f.mg", text.ptr, text.len };
    assert_int_equal(mangle_base_add_text(base, &source, NULL), MANGLE_OK);
}

/* What the base holds, or NULL: c->status and c->error say why. */
static char *close_base(mangle_program *program, const struct buf *facts, size_t count,
                        struct closing *c)
{
    struct workers *w = mgi_workers_new(c->threads);
    struct mangle_workers workers = { c->threads, mgi_workers_run, w };
    struct mangle_stats stats = { 0 };
    mangle_base *base;
    assert_non_null(w);
    assert_int_equal(mangle_base_new(program, &base), MANGLE_OK);
    if (c->divide_from)
        base->eval.divide_from = c->divide_from;
    if (c->part_heads)
        base->eval.part_heads = c->part_heads;
    if (c->divide_from % 2)
        base->eval.lists = LISTS_ALWAYS;
    for (size_t i = 0; i < count; i++)
        add_text(base, mgi_buf_view(&facts[i]));
    if (c->threads)
        c->limits.workers = &workers;
    c->error = (struct mangle_error){ 0 };
    c->status = mangle_base_close(base, &c->limits, &stats, &c->error);
    char *text = c->status ? NULL : mangle_base_dump(base, &stats);
    mangle_base_unref(base);
    mgi_workers_free(w);
    return text;
}

/* ---- the same rows --------------------------------------------------------------------------- */

static void same_with_any_number(struct str program_text, const struct buf *facts, size_t count,
                                 struct closing forms)
{
    static const uint32_t threads[] = { 1, 2, 8 };
    mangle_program *program = compile(program_text);
    if (!program)
        return;
    struct closing alone = { .limits = forms.limits };
    char *a = close_base(program, facts, count, &alone);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct closing c = forms;
        c.threads = threads[i];
        char *b = close_base(program, facts, count, &c);
        if (alone.status != c.status || strcmp(a ? a : "", b ? b : "") != 0)
            fail_msg("%u threads:\n%.*s\n%s\nalone:\n%s\n", threads[i], STR_ARG(program_text), b,
                     a);
        assert_string_equal(alone.error.message, c.error.message);
        assert_int_equal(alone.error.limit.kind, c.error.limit.kind);
        if (c.error.limit.kind != MANGLE_LIMIT_NONE)
            assert_int_equal(alone.error.limit.consumed, c.error.limit.consumed);
        mangle_free(b);
    }
    mangle_free(a);
    mangle_program_unref(program);
}

static void test_random_programs_give_the_same_rows(void **state)
{
    (void)state;
    const char *only = getenv("CASE");
    for (uint32_t i = only ? (uint32_t)atoi(only) : 0; i < CASES; i++) {
        struct gen g;
        mangle_gen(&g, i);
        struct closing forms = { .divide_from = 1 + i % 3, .part_heads = i % 2 ? 0 : 1 + i % 5 };
        same_with_any_number(mgi_buf_view(&g.program), g.facts, 2, forms);
        mangle_gen_end(&g);
        if (only)
            break;
    }
}

static uint32_t roll(uint64_t *seed, uint32_t sides)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % sides;
}

static struct buf some_edges(uint32_t nodes, uint32_t edges)
{
    struct buf facts;
    uint64_t seed = 7;
    mgi_buf_init(&facts);
    for (uint32_t i = 0; i < edges; i++)
        mgi_buf_printf(&facts, "e(%u, %u).\n", roll(&seed, nodes), roll(&seed, nodes));
    return facts;
}

static void test_large_rounds_are_divided_and_give_the_same_rows(void **state)
{
    (void)state;
    static const char text[] = "Decl e(X, Y).\n"
                               "p(X, Y) :- e(X, Y). p(X, Z) :- p(X, Y), e(Y, Z).\n"
                               "back(X, Y) :- p(X, Y), p(Y, X), X < Y.\n"
                               "only(X, Y) :- p(X, Y), !p(Y, X).\n"
                               "wide(X, Y, Z) :- e(X, Y), e(Y, Z), e(X, Z), X != Z.\n"
                               "far(X) :- e(X, Y), p(Y, _).\n"
                               "step(X, Z) :- p(X, Y), e(Y, Z), p(X, Z).\n";
    struct buf facts = some_edges(NODES, NODES * 2);
    struct closing forms = { .limits = { .max_facts = -1 } };
    same_with_any_number((struct str){ text, sizeof text - 1 }, &facts, 1, forms);
    mgi_buf_fini(&facts);
}

/* ---- what ends it ---------------------------------------------------------------------------- */

static const char join[] = "Decl e(X, Y).\np(X, Z) :- e(X, Y), e(Y, Z).\n";

/* M-LIM-12: not one fact more than from one thread. */
static void test_the_fact_limit_is_reached_at_the_same_row(void **state)
{
    (void)state;
    struct buf facts = some_edges(60, 600);
    for (int64_t most = 1; most < 3000; most = most * 3 + 1) {
        struct closing forms = { .divide_from = 1, .limits = { .max_facts = most } };
        same_with_any_number((struct str){ join, sizeof join - 1 }, &facts, 1, forms);
    }
    mgi_buf_fini(&facts);
}

/* M-EVAL-14: the first one in the order of rows is told. */
static void test_the_first_error_is_told(void **state)
{
    (void)state;
    static const char text[] = "Decl e(X, Y).\np(X, Y) :- e(X, Y), X < 20.\n"
                               "q(X, Y) :- e(X, Y), Y < 20.\n";
    struct buf facts = some_edges(60, 100);
    mgi_buf_puts(&facts, "e(/first, 1). e(7, \"second\"). e(1, 2).\n");
    struct closing forms = { .divide_from = 1 };
    same_with_any_number((struct str){ text, sizeof text - 1 }, &facts, 1, forms);
    mgi_buf_fini(&facts);
}

static bool is_late(void *context)
{
    atomic_int *looks = context;
    return atomic_fetch_sub(looks, 1) <= 0;
}

/* One part that never ends, so to speak: the flag and the clock are looked at within it. */
static void expect_stopped(struct mangle_limits limits, enum mangle_status status)
{
    static const char text[] =
        "Decl e(X, Y).\n"
        "p(X, X) :- e(X, _), e(A, _), e(B, _), e(C, _), A < B, B < C, C < A.";
    struct buf facts = some_edges(DENSE, DENSE);
    mangle_program *program = compile((struct str){ text, sizeof text - 1 });
    struct closing c = { .threads = 2, .divide_from = 1, .limits = limits };
    assert_null(close_base(program, &facts, 1, &c));
    assert_int_equal(c.status, status);
    assert_int_equal(c.error.limit.kind,
                     status == MANGLE_ERR_LIMIT ? MANGLE_LIMIT_TIME : MANGLE_LIMIT_NONE);
    assert_true(strstr(c.error.message, status == MANGLE_ERR_LIMIT ? "too long" : "cancelled"));
    mangle_program_unref(program);
    mgi_buf_fini(&facts);
}

static int64_t ticks(void *context)
{
    atomic_int *time = context;
    return atomic_fetch_add(time, 1);
}

static void test_helpers_look_at_flag_and_clock(void **state)
{
    (void)state;
    atomic_int looks = 40, time = 0;
    expect_stopped((struct mangle_limits){ .cancelled = is_late, .cancel_context = &looks },
                   MANGLE_ERR_CANCELLED);
    expect_stopped(
        (struct mangle_limits){ .clock = ticks, .clock_context = &time, .timeout_ns = 40 },
        MANGLE_ERR_LIMIT);
}

/* M-LIM-11: what helpers gather is memory of the evaluation. */
static void test_what_helpers_gather_counts_as_memory(void **state)
{
    (void)state;
    struct buf facts = some_edges(300, 6000);
    mangle_program *program = compile((struct str){ join, sizeof join - 1 });
    struct closing c = { .limits = { .max_bytes = 1 << 20 } };
    assert_null(close_base(program, &facts, 1, &c));
    assert_int_equal(c.error.limit.kind, MANGLE_LIMIT_MEMORY);
    c.threads = 2;
    c.divide_from = 1;
    assert_null(close_base(program, &facts, 1, &c));
    assert_int_equal(c.error.limit.kind, MANGLE_LIMIT_MEMORY);
    mangle_program_unref(program);
    mgi_buf_fini(&facts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_programs_give_the_same_rows),
        cmocka_unit_test(test_large_rounds_are_divided_and_give_the_same_rows),
        cmocka_unit_test(test_the_fact_limit_is_reached_at_the_same_row),
        cmocka_unit_test(test_the_first_error_is_told),
        cmocka_unit_test(test_helpers_look_at_flag_and_clock),
        cmocka_unit_test(test_what_helpers_gather_counts_as_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
