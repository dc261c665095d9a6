/* Facts that match by their first column: the same, in the same order, whether all rows of the base
 * are looked at or those that are in order, and where memory is short. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "mangle/run/base.h"
#include "support/nomem.h"

#define KEYS 40
#define ROWS 400
#define ASKS 12 /* more often than it takes until they are put in order */

static const char text[] = "Decl p(X, Y). Decl t(X) temporal. Decl few(X).\n";

struct base {
    mangle_program *program;
    mangle_base *base;
    mangle_pred p, few;
};

static void open_base(struct base *b)
{
    struct mangle_source source = { "p.mg", text, sizeof text - 1 };
    mangle_value few;
    assert_int_equal(mangle_compile(&source, 1, NULL, &b->program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(b->program, &b->base), MANGLE_OK);
    b->p = mangle_pred_find(b->program, "p", 2);
    b->few = mangle_pred_find(b->program, "few", 1);
    mangle_values *values = mangle_base_values(b->base);
    for (int i = 0; i < ROWS; i++) {
        mangle_value row[2] = { mangle_number(values, i * 7 % KEYS), mangle_number(values, -i) };
        assert_int_equal(mangle_base_add(b->base, b->p, row, 2, NULL, NULL), MANGLE_OK);
    }
    few = mangle_number(values, 1);
    assert_int_equal(mangle_base_add(b->base, b->few, &few, 1, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_close(b->base, NULL, NULL, NULL), MANGLE_OK);
}

static void close_base(struct base *b)
{
    mangle_base_unref(b->base);
    mangle_program_unref(b->program);
}

/* Of all facts, those with this first value are what matches. */
static void assert_same(const struct mangle_fact *all, size_t all_count, mangle_value first,
                        const struct mangle_fact *facts, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < all_count; i++)
        if (all[i].args[0] == first) {
            assert_true(n < count);
            assert_memory_equal(facts[n].args, all[i].args, 2 * sizeof first);
            n++;
        }
    assert_int_equal(n, count);
}

/* With a fact of the request beside those of the base. */
static enum mangle_status ask_all(mangle_overlay *o, const struct base *b)
{
    const struct mangle_fact *all, *facts;
    size_t all_count, count;
    mangle_values *values = mangle_overlay_values(o);
    mangle_value own[2] = { mangle_number(values, 3), mangle_number(values, 1000) };
    enum mangle_status st = mangle_overlay_add(o, b->p, own, 2, NULL, NULL);
    if (!st)
        st = mangle_overlay_eval(o, 0, NULL, NULL, NULL);
    if (!st)
        st = mangle_overlay_facts(o, b->p, &all, &all_count);
    for (int i = 0; !st && i < ASKS; i++) {
        mangle_value pattern[2] = { mangle_number(values, i % 2 ? 3 : i * 5), MANGLE_NONE };
        st = mangle_overlay_match(o, b->p, pattern, &facts, &count);
        if (!st)
            assert_same(all, all_count, pattern[0], facts, count);
        if (!st && count > 0) { /* and both columns */
            mangle_value whole[2] = { facts[0].args[0], facts[0].args[1] };
            st = mangle_overlay_match(o, b->p, whole, &facts, &count);
            if (!st)
                assert_int_equal(count, 1);
        }
    }
    mangle_value none = mangle_number(values, 77);
    for (int i = 0; !st && i < ASKS; i++) {
        st = mangle_overlay_match(o, b->few, &none, &facts, &count);
        if (!st)
            assert_int_equal(count, 0);
    }
    return st;
}

static void test_what_matches_is_the_same_from_request_to_request(void **state)
{
    (void)state;
    struct base b;
    mangle_overlay *o;
    open_base(&b);
    assert_int_equal(mangle_overlay_new(b.base, &o), MANGLE_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(ask_all(o, &b), MANGLE_OK);
        mangle_overlay_reset(o);
    }
    mangle_overlay_free(o);
    close_base(&b);
}

/* By then few rows are looked at, or nothing would be gained. */
static void test_a_few_questions_put_the_rows_in_order(void **state)
{
    (void)state;
    struct base b;
    mangle_overlay *o;
    uint32_t begin, end;
    open_base(&b);
    mangle_value three = mangle_number(mangle_base_values(b.base), 3);
    assert_int_equal(mangle_overlay_new(b.base, &o), MANGLE_OK);
    for (int i = 0; i < 4; i++)
        assert_null(mgi_match_rows(o->matched, b.p, &o->rels[b.p], three, &begin, &end));
    assert_non_null(mgi_match_rows(o->matched, b.p, &o->rels[b.p], three, &begin, &end));
    assert_int_equal(end - begin, ROWS / KEYS);
    for (int i = 0; i < ASKS; i++) /* one row is looked at as fast */
        assert_null(mgi_match_rows(o->matched, b.few, &o->rels[b.few], three, &begin, &end));
    mangle_overlay_free(o);
    close_base(&b);
}

static void test_any_failure_of_memory_is_survived(void **state)
{
    (void)state;
    struct base b;
    size_t n = 1;
    open_base(&b);
    for (bool failed = true; failed; n++) {
        mangle_overlay *o;
        nomem_fail_at(n);
        enum mangle_status st = mangle_overlay_new(b.base, &o);
        if (!st)
            st = ask_all(o, &b);
        failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(st == MANGLE_OK || (failed && st == MANGLE_ERR_NOMEM));
        if (o) {
            mangle_overlay_reset(o);
            assert_int_equal(ask_all(o, &b), MANGLE_OK);
        }
        mangle_overlay_free(o);
    }
    assert_true(n > 5);
    close_base(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_matches_is_the_same_from_request_to_request),
        cmocka_unit_test(test_a_few_questions_put_the_rows_in_order),
        cmocka_unit_test(test_any_failure_of_memory_is_survived),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("mangle/match_rows", tests, NULL, NULL);
}
