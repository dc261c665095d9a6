/* Scans by a constant: a few times all rows are looked at, then an index is made. Nobody sees the
 * difference, but for the time. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "mangle/run/base.h"
#include "support/mangle_run.h"

#define ROWS 5000

static mangle_base *base_of(const char *rules, bool never, int64_t rows, mangle_program **program)
{
    struct mangle_compile_options options = { .changeable = run_changes_nothing };
    struct mangle_source source = { "p.mg", rules, strlen(rules) };
    mangle_base *base;
    assert_int_equal(mangle_compile(&source, 1, &options, program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(*program, &base), MANGLE_OK);
    base->eval.sift_never = never;
    mangle_pred e = mangle_pred_find(*program, "e", 3);
    mangle_values *values = mangle_base_values(base);
    for (int64_t i = 0; i < rows; i++) {
        mangle_value args[] = { mangle_number(values, i), mangle_number(values, i * 7 % 50),
                                mangle_number(values, i % 3) };
        assert_int_equal(mangle_base_add(base, e, args, 3, NULL, NULL), MANGLE_OK);
    }
    return base;
}

/* The rows of p, in their own order. */
static uint32_t rows_of(const mangle_base *base, const mangle_program *program, uint32_t *rows)
{
    const struct rel *rel = &base->rels[mangle_pred_find(program, "p", 1)];
    memcpy(rows, rel->rows, rel->count * sizeof *rows);
    return rel->count;
}

static uint32_t made_of(const struct rel *rel)
{
    uint32_t made = 0;
    for (uint32_t i = 0; i < rel->index_count; i++)
        made += rel->indexes[i].upto > 0;
    return made;
}

/* `made`: how many indexes are. */
static void expect(const char *rules, uint32_t made)
{
    mangle_program *programs[2];
    uint32_t rows[2][ROWS], counts[2];
    for (int never = 0; never < 2; never++) {
        mangle_base *base = base_of(rules, never, ROWS, &programs[never]);
        assert_int_equal(mangle_base_close(base, NULL, NULL, NULL), MANGLE_OK);
        const struct rel *e = &base->rels[mangle_pred_find(programs[never], "e", 3)];
        assert_int_equal(made_of(e), never ? e->index_count : made);
        counts[never] = rows_of(base, programs[never], rows[never]);
        mangle_base_unref(base);
        mangle_program_unref(programs[never]);
    }
    assert_true(counts[0] > 0);
    assert_int_equal(counts[0], counts[1]);
    assert_memory_equal(rows[0], rows[1], counts[0] * sizeof **rows); /* M-EVAL-20 */
}

#define DECL "Decl e(X, Y, Z).\n"

static void test_a_constant_needs_no_index(void **state)
{
    (void)state;
    expect(DECL "p(X) :- e(X, 7, _).", 0);
    expect(DECL "p(X) :- e(X, 7, 2).", 0);
    expect(DECL "p(X) :- e(X, 7, Z), Z > 0.", 0);
    expect(DECL "p(X) :- e(X, 7, Z), Z != 1, !q(X). q(35).", 0);
    expect(DECL "p(Z) :- e(X, 7, _), e(Z, X, _).", 1); /* another one */
}

static void test_what_is_asked_for_often_has_one(void **state)
{
    (void)state;
    expect(DECL "p(X) :- e(X, 1, _). p(X) :- e(X, 2, _). p(X) :- e(X, 3, _). p(X) :- e(X, 4, _).",
           0);
    expect(DECL "p(X) :- e(X, 1, _). p(X) :- e(X, 2, _). p(X) :- e(X, 3, _). p(X) :- e(X, 4, _)."
                "p(X) :- e(X, 5, _).",
           1);
}

struct looks {
    int count, at;
};

static int64_t late(void *context)
{
    struct looks *looks = context;
    return ++looks->count >= looks->at ? 10 : 0;
}

/* M-LIM-11: also while rows are passed over of which none has the key. */
static void test_a_look_at_all_rows_looks_at_the_clock(void **state)
{
    (void)state;
    static const char *const programs[] = { DECL "p(X) :- e(X, 77, _).",
                                            DECL "p(X) :- e(X, 77, Z), Z > 0." };
    for (int i = 0; i < 2; i++) {
        mangle_program *program;
        struct looks looks = { 0, 4 };
        struct mangle_limits limits = { .timeout_ns = 5, .clock = late, .clock_context = &looks };
        struct mangle_error err = { 0 };
        mangle_base *base = base_of(programs[i], false, 200000, &program);
        assert_int_equal(mangle_base_close(base, &limits, NULL, &err), MANGLE_ERR_LIMIT);
        assert_int_equal(err.limit.kind, MANGLE_LIMIT_TIME);
        assert_int_equal(looks.count, 4); /* at the beginning, and three of twelve times */
        mangle_base_unref(base);
        mangle_program_unref(program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_constant_needs_no_index),
        cmocka_unit_test(test_what_is_asked_for_often_has_one),
        cmocka_unit_test(test_a_look_at_all_rows_looks_at_the_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
