/* Rounds that are divided survive the failure of any one allocation: for want of memory a base may
 * fail, and then says so, or nobody helps with the part in question, and nothing is different. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "mangle/run/base.h"
#include "support/base_dump.h"
#include "support/mangle_run.h"
#include "support/nomem.h"

static const char program_text[] =
    "e(1, 2). e(2, 3). e(3, 1). e(3, 4). e(4, 5). e(5, 6). e(6, 7). e(7, 4). e(1, 8). e(8, 3).\n"
    "p(X, Y) :- e(X, Y). p(X, Z) :- p(X, Y), e(Y, Z).\n"
    "t(X, Y, Z) :- e(X, Y), e(Y, Z), e(X, Z). one(X, Y) :- p(X, Y), !p(Y, X), X < Y.\n";

/* *all: no allocation has failed. */
static enum mangle_status make(mangle_program *program, bool helped, char **text, bool *all)
{
    static const struct mangle_workers workers = { 3, run_backwards, NULL };
    struct mangle_limits limits = { .workers = helped ? &workers : NULL };
    struct mangle_stats stats = { 0 };
    mangle_base *base;
    *text = NULL;
    *all = false;
    enum mangle_status st = mangle_base_new(program, &base);
    if (st)
        return st;
    base->eval.divide_from = 1;
    base->eval.meet_always = true;
    st = mangle_base_close(base, &limits, &stats, NULL);
    *all = !nomem_failed();
    nomem_fail_at(0);
    if (!st)
        *text = mangle_base_dump(base, &stats);
    mangle_base_unref(base);
    return st;
}

static void test_divided_rounds_survive_any_failure(void **state)
{
    (void)state;
    struct mangle_source source = { "p.mg", program_text, sizeof program_text - 1 };
    struct mangle_compile_options options = { .changeable = run_changes_nothing };
    mangle_program *program;
    char *alone;
    size_t without = 0;
    bool all = false;
    assert_int_equal(mangle_compile(&source, 1, &options, &program, NULL), MANGLE_OK);
    assert_int_equal(make(program, false, &alone, &all), MANGLE_OK);
    all = false;
    for (size_t n = 1; !all; n++) {
        char *text;
        nomem_fail_at(n);
        enum mangle_status st = make(program, true, &text, &all);
        if (st)
            assert_int_equal(st, MANGLE_ERR_NOMEM);
        else
            assert_string_equal(text, alone);
        without += st == MANGLE_OK;
        mangle_free(text);
    }
    assert_true(without > 10); /* helpers, their queues and what they gather */
    mangle_free(alone);
    mangle_program_unref(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_divided_rounds_survive_any_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
