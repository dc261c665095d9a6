/* Column files survive the failure of any one allocation, and say so. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "mangle.h"
#include "support/nomem.h"

static const char rules[] = "Decl p(X). Decl q(X, Y). Decl on().";

static mangle_program *program_of(const char *text)
{
    struct mangle_source source = { "rules", text, strlen(text) };
    mangle_program *program;
    assert_int_equal(mangle_compile(&source, 1, NULL, &program, NULL), MANGLE_OK);
    return program;
}

/* Read `text` with the nth allocation failing, for every n, until none fails. */
static void read_failing_everywhere(const char *text, enum mangle_status want, bool report)
{
    struct mangle_source file = { "facts.sc", text, strlen(text) };
    mangle_program *program = program_of(rules);
    for (size_t n = 1;; n++) {
        mangle_diags *diags = report ? mangle_diags_new() : NULL;
        mangle_base *base;
        assert_int_equal(mangle_base_new(program, &base), MANGLE_OK);
        nomem_fail_at(n);
        enum mangle_status st = mangle_base_add_columns(base, &file, diags);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        mangle_diags_free(diags);
        mangle_base_unref(base);
        assert_int_equal(st, failed ? MANGLE_ERR_NOMEM : want);
        if (!failed)
            break;
    }
    mangle_program_unref(program);
}

static void test_reading_survives_any_failed_allocation(void **state)
{
    (void)state;
    const char text[] = "3\non 0 1\np 1 3\nq 2 1\n[1, {/a : \"x\\n\"}]\nfn:list:get([1, 2], 1)\n"
                        "\"\xff\"\n9000000000\n2.5\n";
    read_failing_everywhere(text, MANGLE_OK, true);
    read_failing_everywhere(text, MANGLE_OK, false);
}

static void test_refusing_survives_any_failed_allocation(void **state)
{
    (void)state;
    read_failing_everywhere("2\np 1 4\nr 1 1\nX\nq(1)\nfn:div(1, 0)\n1 2\n3\n", MANGLE_ERR_PROGRAM,
                            true);
    read_failing_everywhere("2\np 1\np 1 1\n", MANGLE_ERR_PROGRAM, true);
    read_failing_everywhere("1\np 1 2\n1\n", MANGLE_ERR_PROGRAM, true);
}

static void test_listing_survives_any_failed_allocation(void **state)
{
    (void)state;
    const char text[] = "2\np 1 1\nq 2 1\n\"\xff\"\n1\n2\n";
    struct mangle_source file = { "facts.sc", text, sizeof text - 1 };
    for (size_t n = 1;; n++) {
        struct mangle_column_pred *preds = (void *)1;
        size_t count = 7;
        mangle_diags *diags = mangle_diags_new();
        nomem_fail_at(n);
        enum mangle_status st = mangle_columns_preds(&file, &preds, &count, diags);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        mangle_diags_free(diags);
        assert_int_equal(st, failed ? MANGLE_ERR_NOMEM : MANGLE_OK);
        assert_int_equal(count, failed ? 0 : 2);
        assert_int_equal(preds == NULL, failed);
        mangle_free(preds);
        if (!failed)
            return;
    }
}

static void write_failing_everywhere(const char *text, enum mangle_status want)
{
    mangle_program *program = program_of(text);
    mangle_base *base;
    mangle_overlay *o;
    assert_int_equal(mangle_base_new(program, &base), MANGLE_OK);
    assert_int_equal(mangle_base_close(base, NULL, NULL, NULL), MANGLE_OK);
    for (size_t n = 1;; n++) {
        char *out = (char *)1;
        size_t len = 1;
        struct mangle_error err;
        assert_int_equal(mangle_overlay_new(base, &o), MANGLE_OK);
        assert_int_equal(mangle_overlay_eval(o, 0, NULL, NULL, NULL), MANGLE_OK);
        nomem_fail_at(n);
        enum mangle_status st = mangle_overlay_columns(o, NULL, 0, &out, &len, &err);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        mangle_free(out);
        mangle_overlay_free(o);
        /* the text of a fact that is refused may be left out of the message */
        assert_true(st == (failed ? MANGLE_ERR_NOMEM : want) || (failed && st == want));
        assert_int_equal(out != NULL, st == MANGLE_OK);
        if (!failed)
            break;
        assert_int_not_equal(st, MANGLE_OK);
    }
    mangle_base_unref(base);
    mangle_program_unref(program);
}

static void test_writing_survives_any_failed_allocation(void **state)
{
    (void)state;
    write_failing_everywhere("p(/x). p(\"/x\"). p([1, {/a : 2.5}]). p(fn:pair([1], [/b])). q(1, 2)."
                             " on().",
                             MANGLE_OK);
    write_failing_everywhere("p([1, [2, /x]]). q([3], 1). q(/a., 1).", MANGLE_ERR_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading_survives_any_failed_allocation),
        cmocka_unit_test(test_refusing_survives_any_failed_allocation),
        cmocka_unit_test(test_listing_survives_any_failed_allocation),
        cmocka_unit_test(test_writing_survives_any_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
