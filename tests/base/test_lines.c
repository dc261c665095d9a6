/* Lines out of chunks, however the chunks are cut. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "base/lines.h"

#define MAX 10

/* Everything that comes out of `text` fed in pieces of `step` bytes, as "line|line|!|". */
static void run(const char *text, size_t step, bool keep_blank, char *out, size_t cap)
{
    struct lines l;
    struct str line;
    size_t used = 0, len = strlen(text);
    mgi_lines_init(&l, MAX);
    l.keep_blank = keep_blank;
    out[0] = '\0';
    for (size_t at = 0; at < len; at += step) {
        struct str piece = { text + at, len - at < step ? len - at : step };
        for (;;) {
            enum line_event e = mgi_lines_next(&l, &piece, &line);
            if (e == LINE_NONE)
                break;
            used += (size_t)snprintf(out + used, cap - used, "%.*s|",
                                     e == LINE_TEXT ? (int)line.len : 1,
                                     e == LINE_TEXT ? line.ptr : "!");
        }
    }
    enum line_event e = mgi_lines_end(&l, &line);
    if (e != LINE_NONE)
        snprintf(out + used, cap - used, "%.*s|", e == LINE_TEXT ? (int)line.len : 1,
                 e == LINE_TEXT ? line.ptr : "!");
    mgi_lines_fini(&l);
}

static void assert_cut(const char *text, bool keep_blank, const char *expected)
{
    char out[256];
    for (size_t step = 1; step <= strlen(text) + 1; step++) {
        run(text, step, keep_blank, out, sizeof out);
        assert_string_equal(out, expected);
    }
}

static void assert_lines(const char *text, const char *expected)
{
    assert_cut(text, false, expected);
}

static void test_a_line_ends_at_lf_and_one_cr_before_it_goes(void **state)
{
    (void)state;
    assert_lines("a\nbc\r\nd\r\r\n", "a|bc|d\r|"); /* D-60, P-STDIO-2 */
}

static void test_blank_lines_are_skipped(void **state)
{
    (void)state;
    assert_lines("\n\r\n \t\nx\n\n", "x|"); /* D-60 */
}

static void test_blank_lines_are_kept_for_who_asks(void **state)
{
    (void)state;
    assert_cut("\n\r\n \nx\n\n", true, "|| |x||"); /* T-CLI-14, T-CLI-15 */
    assert_cut("x\n", true, "x|");
    assert_cut("0123456789a\n\n", true, "!||");
}

static void test_a_last_line_without_lf_counts(void **state)
{
    (void)state;
    assert_lines("a\nb\r", "a|b\r|");   /* a CR goes before an LF alone */
    assert_lines("a\nlast", "a|last|"); /* D-60 */
    assert_lines("a\n", "a|");
}

static void test_a_line_of_exactly_the_limit_passes_and_one_byte_more_does_not(void **state)
{
    (void)state;
    assert_lines("0123456789\n0123456789a\nok\n", "0123456789|!|ok|"); /* D-8 */
    assert_lines("0123456789\r\nok\n", "0123456789|ok|");
    assert_lines("0123456789abcdefghijklmnop\nok\n", "!|ok|");
    assert_lines("0123456789abc", "!|");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_line_ends_at_lf_and_one_cr_before_it_goes),
        cmocka_unit_test(test_blank_lines_are_skipped),
        cmocka_unit_test(test_blank_lines_are_kept_for_who_asks),
        cmocka_unit_test(test_a_last_line_without_lf_counts),
        cmocka_unit_test(test_a_line_of_exactly_the_limit_passes_and_one_byte_more_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
