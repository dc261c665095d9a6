/* Depth of JSON by its text, and what is left when the deep of it is cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/json.h"
#include "mcp/deep.h"

static void put_nested(struct buf *out, size_t levels)
{
    for (size_t i = 0; i < levels; i++)
        mgi_buf_puts(out, i % 2 ? "[" : "{\"a\":");
    mgi_buf_puts(out, "1");
    for (size_t i = levels; i > 0; i--)
        mgi_buf_putc(out, (i - 1) % 2 ? ']' : '}');
}

static void test_levels_are_counted_outside_of_strings(void **state)
{
    (void)state;
    assert_int_equal(mgi_mcp_depth(STR_LIT("")), 0);
    assert_int_equal(mgi_mcp_depth(STR_LIT("17")), 0);
    assert_int_equal(mgi_mcp_depth(STR_LIT("\"[[[\"")), 0);
    assert_int_equal(mgi_mcp_depth(STR_LIT("[\"\\\"[[\", {}, [[1], 2]]")), 3);
    assert_int_equal(mgi_mcp_depth(STR_LIT("]]]]{\"a\":[")), 2);
    assert_int_equal(mgi_mcp_depth(STR_LIT("\"\\")), 0);
}

static void test_what_is_too_deep_is_null(void **state)
{
    static const char *const rows[][2] = {
        { "{\"a\":[1,[2,\"]\"],{}],\"b\":3}", "{\"a\":[1,null,null],\"b\":3}" },
        { "[[1],[2]]", "[[1],[2]]" },
        { "[[[[\"]]\"]]],4]", "[[null],4]" },
        { "7", "7" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf out = { 0 };
        mgi_mcp_cut_deep(&out, str_of(rows[i][0]), 2);
        assert_string_equal(out.ptr, rows[i][1]);
        mgi_buf_fini(&out);
    }
}

/* Whatever the depth, what is left is JSON of `most` levels. */
static void test_what_is_left_is_as_deep_as_it_may_be(void **state)
{
    (void)state;
    for (size_t levels = 60; levels < 100000; levels = levels < 70 ? levels + 1 : levels * 7) {
        struct buf text = { 0 }, out = { 0 };
        struct arena a;
        struct json v;
        mgi_arena_init(&a, 0);
        put_nested(&text, levels);
        assert_int_equal(mgi_mcp_depth(mgi_buf_view(&text)), levels);
        mgi_mcp_cut_deep(&out, mgi_buf_view(&text), MCP_MESSAGE_DEPTH);
        assert_int_equal(mgi_json_parse(&a, mgi_buf_view(&out), NULL, &v, NULL), JSON_OK);
        assert_int_equal(mgi_mcp_depth(mgi_buf_view(&out)),
                         levels < MCP_MESSAGE_DEPTH ? levels : MCP_MESSAGE_DEPTH);
        mgi_buf_fini(&text);
        mgi_buf_fini(&out);
        mgi_arena_fini(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_are_counted_outside_of_strings),
        cmocka_unit_test(test_what_is_too_deep_is_null),
        cmocka_unit_test(test_what_is_left_is_as_deep_as_it_may_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
