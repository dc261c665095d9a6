/* The estimate of tokens, against the true ones of texts of ours: tests/render/texts/counts.txt. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/utf8.h"
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

/* What nobody writes, and a server may, to get around a budget: 1,500 characters of a range, each
 * the seventh. Their true tokens were counted by the tokenizer. */
static void test_what_is_no_language_is_not_counted_as_little(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t first, count;
        size_t tokens;
    } rows[] = {
        { "runes", 0x16a0, 0x4b, 4460 },
        { "cherokee", 0x13a0, 0x50, 4500 },
        { "yi", 0xa000, 0x480, 4475 },
        { "ethiopic", 0x1200, 0x140, 3000 },
        { "tibetan", 0xf40, 0x28, 2963 },
        { "combining", 0x300, 0x60, 2812 },
        { "Hangul at random", 0xac00, 0x2b00, 3208 },
        { "rare ideographs", 0x3400, 0x19b0, 4480 },
        { "rarer ones", 0x20000, 0xa000, 5934 },
        { "braille", 0x2801, 0xff, 4464 },
        { "cuneiform", 0x12000, 0x380, 6000 },
        { "pictures", 0x1f300, 0x350, 3291 },
        { "arrows", 0x2190, 0x170, 2934 },
        { "newlines", 0xa, 0x1, 95 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1500 * 4];
        size_t len = 0;
        for (uint32_t k = 0; k < 1500; k++)
            len += mgi_utf8_put(rows[i].first + k * 7 % rows[i].count, text + len);
        size_t got = manglecp_tokens(text, len);
        if (got * 5 / 2 < rows[i].tokens || got > 2 * rows[i].tokens)
            fail_msg("%s: %zu, and are %zu", rows[i].name, got, rows[i].tokens);
    }
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
        cmocka_unit_test(test_what_is_no_language_is_not_counted_as_little),
        cmocka_unit_test(test_any_bytes_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
