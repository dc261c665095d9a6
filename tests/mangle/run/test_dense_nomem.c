/* Dense relations, rows that nobody looked up, and sets that are made late survive the failure of
 * any one allocation: either it is told, and nothing is left alive (the sanitizer looks), or what
 * needs no memory does the same more slowly. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "mangle/run/base.h"
#include "support/mangle_run.h"
#include "support/nomem.h"

static const char text[] = "n(0). n(Y) :- n(X), X < 24, Y = fn:plus(X, 1).\n"
                           "edge(X, Y) :- n(X), n(Y), Y = fn:plus(X, 1).\n"
                           "path(X, Y) :- edge(X, Y). path(X, Z) :- path(X, Y), edge(Y, Z).\n"
                           "apart(X, Y) :- n(X), n(Y), !path(X, Y), X != Y.\n"
                           "both(X, Y) :- path(X, Y), apart(Y, X).\n"
                           "seven(X) :- path(X, 7). seven(X) :- apart(X, 7).\n"
                           "count(X, N) :- path(X, Y) |> do fn:group_by(X), let N = fn:count().\n";

static mangle_program *compile(void)
{
    struct mangle_source source = { "p.mg", text, sizeof text - 1 };
    struct mangle_compile_options options = { .changeable = run_changes_nothing };
    mangle_program *p;
    assert_int_equal(mangle_compile(&source, 1, &options, &p, NULL), MANGLE_OK);
    return p;
}

static mangle_base *begin(mangle_program *p)
{
    mangle_base *base;
    assert_int_equal(mangle_base_new(p, &base), MANGLE_OK);
    for (size_t i = 0; i < mangle_program_pred_count(p); i++)
        base->rels[i].bits_always = true;
    return base;
}

static void check(const mangle_base *base, const mangle_program *p)
{
    const struct rel *path = &base->rels[mangle_pred_find(p, "path", 2)];
    assert_int_equal(path->count, 24 * 25 / 2);
    assert_int_equal(base->rels[mangle_pred_find(p, "apart", 2)].count, 24 * 25 / 2);
    assert_int_equal(base->rels[mangle_pred_find(p, "both", 2)].count, 24 * 25 / 2);
    assert_int_equal(base->rels[mangle_pred_find(p, "seven", 1)].count, 24);
    assert_int_equal(base->rels[mangle_pred_find(p, "count", 2)].count, 24);
}

static void test_a_base_survives_any_failure(void **state)
{
    (void)state;
    mangle_program *p = compile();
    bool failed = true;
    size_t n = 1, told = 0;
    for (; failed; n++) {
        mangle_base *base = begin(p);
        nomem_fail_at(n);
        enum mangle_status st = mangle_base_close(base, NULL, NULL, NULL);
        failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(st == MANGLE_OK || (failed && st == MANGLE_ERR_NOMEM));
        told += st != MANGLE_OK;
        if (!st)
            check(base, p);
        mangle_base_unref(base);
    }
    assert_true(n > 30 && told > 20);
    mangle_program_unref(p);
}

static void test_a_set_that_cannot_be_made_is_searched(void **state)
{
    (void)state;
    mangle_program *p = compile();
    for (size_t n = 0; n <= 3; n++) {
        mangle_base *base = begin(p);
        assert_int_equal(mangle_base_close(base, NULL, NULL, NULL), MANGLE_OK);
        const struct rel *apart = &base->rels[mangle_pred_find(p, "apart", 2)];
        assert_true(apart->known_count < apart->count);
        nomem_fail_at(n);
        assert_int_equal(mgi_rel_find(apart, mgi_rel_row(apart, 77)), 77);
        assert_int_equal(nomem_failed(), n == 1 || n == 2);
        nomem_fail_at(0);
        assert_int_equal(apart->late == NULL, n == 1 || n == 2);
        mangle_base_unref(base);
    }
    mangle_program_unref(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_base_survives_any_failure),
        cmocka_unit_test(test_a_set_that_cannot_be_made_is_searched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
