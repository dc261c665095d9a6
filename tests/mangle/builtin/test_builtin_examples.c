/* The example of every built-in is run: rule and facts in, the promised fact and no other out. So
 * what help and documentation print is true. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/buf.h"
#include "mangle/builtin/builtin.h"
#include "support/mangle_run.h"

/* True if it came out as promised. */
static bool run_example(const char *name, const char *const example[3])
{
    struct buf program = { 0 }, expected = { 0 };
    mgi_buf_printf(&program, "%s\n%s\n", example[0], example[1]);
    mgi_buf_printf(&expected, "%s\n", example[2]);
    char *got = run_text(program.ptr, NULL);
    bool same = strcmp(got, expected.ptr) == 0;
    if (!same)
        print_error("%s\n%sgives\n%sexpected\n%s\n", name, program.ptr, got, expected.ptr);
    mangle_free(got);
    mgi_buf_fini(&program);
    mgi_buf_fini(&expected);
    return same;
}

static void test_examples_of_functions_are_true(void **state)
{
    (void)state;
    const struct function *f;
    int wrong = 0;
    for (size_t i = 0; (f = mgi_function_at(i)) != NULL; i++)
        wrong += !run_example(f->name, f->example);
    assert_int_equal(wrong, 0);
}

static void test_examples_of_predicates_are_true(void **state)
{
    (void)state;
    const struct builtin_pred *p;
    int wrong = 0;
    for (size_t i = 0; (p = mgi_builtin_pred_at(i)) != NULL; i++)
        wrong += !run_example(p->name, p->example);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples_of_functions_are_true),
        cmocka_unit_test(test_examples_of_predicates_are_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
