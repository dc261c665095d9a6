/* A program full of faults is judged in time that grows with its size, not with the product of its
 * faults and its names: errors beyond those that are kept get no hints. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/buf.h"
#include "mangle.h"
#include "support/growth.h"

static void compile(struct buf *text, size_t errors)
{
    struct mangle_source source = { "test.mg", text->ptr, text->len };
    mangle_diags *diags = mangle_diags_new();
    mangle_program *p;
    assert_false(text->oom);
    assert_int_equal(mangle_compile(&source, 1, NULL, &p, diags), MANGLE_ERR_PROGRAM);
    assert_int_equal(mangle_diags_errors(diags), errors);
    assert_int_equal(mangle_diags_count(diags), 100);
    mangle_diags_free(diags);
    mgi_buf_fini(text);
}

static void compile_unknown_predicates(size_t count)
{
    struct buf text = { 0 };
    for (size_t i = 0; i < count; i++)
        mgi_buf_printf(&text, "Decl declared_%zu(X).\nr(X) :- declraed_%zu(X).\n", i, i);
    compile(&text, count);
}

static void compile_wrong_arities(size_t count)
{
    struct buf text = { 0 };
    for (size_t i = 0; i < count; i++)
        mgi_buf_printf(&text, "Decl declared_%zu(X).\nr(X) :- declared_%zu(X, 1).\n", i, i);
    compile(&text, count);
}

static void compile_unbound_variables(size_t count)
{
    struct buf text = { 0 };
    for (size_t i = 0; i < count; i++)
        mgi_buf_printf(&text, "q%zu(1). r%zu(Y) :- q%zu(X).\n", i, i, i);
    compile(&text, count);
}

static void test_names_that_nothing_has(void **state)
{
    (void)state;
    assert_near_linear(compile_unknown_predicates, 1500);
}

static void test_wrong_arities(void **state)
{
    (void)state;
    assert_near_linear(compile_wrong_arities, 1500);
}

static void test_unbound_variables(void **state)
{
    (void)state;
    assert_near_linear(compile_unbound_variables, 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_that_nothing_has),
        cmocka_unit_test(test_wrong_arities),
        cmocka_unit_test(test_unbound_variables),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("mangle/growth", tests, NULL, NULL);
}
