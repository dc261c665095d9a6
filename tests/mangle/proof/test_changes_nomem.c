/* Foreseeing survives the failure of any one allocation, also where intervals are put in order. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "mangle/proof/foresee.h"
#include "support/mangle_run.h"
#include "support/nomem.h"

#define RULES     120
#define INTERVALS 2000 /* more than a chunk of an arena holds */

static void write_program(struct buf *out)
{
    mgi_buf_puts(out, "Decl ev(X) temporal.\n");
    for (int i = 0; i < INTERVALS; i++)
        mgi_buf_printf(out, "ev(%d)@[2024-06-10T%02d:%02d:00].\n", i, i % 24, i % 60);
    for (int i = 0; i < RULES; i++)
        mgi_buf_printf(out, "r() :- <-[%dm] ev(_).\n", i + 1);
}

static enum mangle_status ask(struct mangle_run *run, struct change *c)
{
    enum mangle_status st = mgi_changes_make(run->overlay);
    struct change told = { mgi_next_instant(&run->overlay->eval), 0 };
    if (!st)
        told = mgi_changes_pred(run->overlay, mangle_pred_find(run->program, "r", 0), &st);
    *c = told;
    return st;
}

static void test_any_failure_of_memory_is_told_and_leaves_nothing(void **state)
{
    (void)state;
    struct buf text = { 0 };
    write_program(&text);
    unsigned at = 1;
    for (bool failed = true; failed; at++) {
        struct mangle_run run = mangle_run(text.ptr, NULL);
        assert_int_equal(run.status, MANGLE_OK);
        nomem_fail_at(at);
        struct change c = { 0, 0 };
        enum mangle_status st = ask(&run, &c);
        failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(st, failed ? MANGLE_ERR_NOMEM : MANGLE_OK);
        assert_true(!failed || c.gain == RUN_NOW + 1); /* on the safe side */
        assert_int_equal(ask(&run, &c), MANGLE_OK);    /* and it can be asked again */
        assert_true(c.gain > RUN_NOW + 1);
        mangle_run_end(&run);
    }
    assert_true(at > 2);
    mgi_buf_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_failure_of_memory_is_told_and_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
