/* The estimate of tokens, against the true ones of texts of ours: tests/render/texts/counts.txt. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "render_case.h"

#define LEAST 12 /* texts */

static void test_the_error_is_within_its_bound(void **state)
{
    (void)state;
    size_t len, count = 0;
    char *table = render_read(RENDER_FOLDER "texts/counts.txt", &len), *rest = NULL;
    for (char *line = strtok_r(table, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char name[64], path[128];
        double truth, low, high;
        if (sscanf(line, "%63s %lf %lf %lf", name, &truth, &low, &high) != 4)
            continue;
        snprintf(path, sizeof path, RENDER_FOLDER "texts/%s", name);
        char *text = render_read(path, &len);
        double off = ((double)manglecp_tokens(text, len) / truth - 1) * 100;
        if (len == 0 || off < low || off > high)
            fail_msg("%s: off by %+.1f %%, may be off by %+.0f to %+.0f", name, off, low, high);
        free(text);
        count++;
    }
    assert_true(count >= LEAST);
    free(table);
}

/* Where the pattern alone decides, the count is true: a piece is a token here. */
static void test_the_split_is_that_of_the_tokenizer(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t tokens;
    } rows[] = {
        { "", 0 },    { "1", 1 },      { "123", 1 },     { "1234", 2 },     { "1234567", 3 },
        { "\n", 1 },  { "\n\n\n", 1 }, { "  \n  1", 4 }, /* up to the newline, all blanks but one,
                                                            that one, the digit */
        { "1 2", 3 }, { "1    2", 4 }, { "12\t34", 3 },  { "7\u00a08", 3 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (manglecp_tokens(rows[i].text, strlen(rows[i].text)) != rows[i].tokens)
            fail_msg("\"%s\" has %zu tokens, and not %zu", rows[i].text,
                     manglecp_tokens(rows[i].text, strlen(rows[i].text)), rows[i].tokens);
}

/* Any bytes, cut anywhere, have a count that is no more than their number. */
static void test_any_bytes_are_counted(void **state)
{
    (void)state;
    unsigned seed = 7;
    char bytes[64];
    for (int round = 0; round < 20000; round++) {
        size_t len = (size_t)(round % 64);
        for (size_t i = 0; i < len; i++) {
            seed = seed * 1103515245u + 12345u;
            bytes[i] = (char)(seed >> 16);
        }
        size_t count = manglecp_tokens(bytes, len);
        assert_true(count <= 4 * len);
        assert_true(len == 0 || count > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_error_is_within_its_bound),
        cmocka_unit_test(test_the_split_is_that_of_the_tokenizer),
        cmocka_unit_test(test_any_bytes_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
