/* What a client's log gets of a call is bounded, clean, and whole entries or none. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/json.h"
#include "bridge/tell.h"
#include "support/nomem.h"

static const char failed[] =
    "{\"type\":\"error\",\"payload\":{\"code\":\"execution_failed\",\"message\":\"It failed.\","
    "\"details\":{\"observability\":{\"summary\":\"Ran 1 of 2.\",\"events\":[{\"action\":\"a\","
    "\"status\":\"success\",\"duration_ms\":7},{\"action\":\"b\",\"status\":\"failure\",\"detail\":"
    "\"no\"},7]}}}}";

/* The entry in place `i`, as text; valid until the next call. */
static const char *entry(const struct tell *t, size_t i)
{
    static char text[1024];
    size_t from = i > 0 ? t->entries[i - 1].end : 0, len = t->entries[i].end - from;
    assert_true(i < t->count && len < sizeof text);
    memcpy(text, t->text.ptr + from, len);
    text[len] = '\0';
    return text;
}

/* X-LOG-5, X-BRIDGE-9 */
static void test_an_error_is_told_with_what_had_happened(void **state)
{
    (void)state;
    struct tell t = { .least = MCP_DEBUG };
    mgi_tell_answer(&t, "burn", str_of(failed));
    assert_int_equal(t.count, 4);
    assert_string_equal(entry(&t, 0), "{\"tool\":\"burn\",\"action\":\"a\",\"status\":\"success\","
                                      "\"duration_ms\":7}");
    assert_string_equal(entry(&t, 1), "{\"tool\":\"burn\",\"action\":\"b\",\"status\":\"failure\","
                                      "\"detail\":\"no\"}");
    assert_int_equal(t.entries[1].level, MCP_WARNING);
    assert_string_equal(entry(&t, 2), "{\"tool\":\"burn\",\"summary\":\"Ran 1 of 2.\"}");
    assert_string_equal(entry(&t, 3), "{\"tool\":\"burn\",\"code\":\"execution_failed\","
                                      "\"message\":\"It failed.\"}");
    assert_int_equal(t.entries[3].level, MCP_LEVEL_ERROR);
    mgi_tell_fini(&t);
}

static void test_nothing_is_kept_below_the_level_and_of_what_cannot_be_read(void **state)
{
    (void)state;
    struct tell t = { .least = MCP_LEVEL_ERROR };
    mgi_tell_answer(&t, "burn", str_of(failed));
    assert_int_equal(t.count, 1);
    mgi_tell_fini(&t);
    t = (struct tell){ 0 };
    mgi_tell_answer(&t, "burn", str_of(failed));
    mgi_tell_one(&t, MCP_EMERGENCY, "burn", "consent", STR_LIT("agreed"));
    assert_int_equal(t.count, 0);
    t.least = MCP_DEBUG;
    static const char *const odd[] = { "",
                                       "{",
                                       "7",
                                       "[]",
                                       "{}",
                                       "{\"payload\":7}",
                                       "{\"payload\":{\"observability\":{\"events\":{}}}}",
                                       "{\"payload\":{\"observability\":{\"events\":[7,[]]}}}" };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        mgi_tell_answer(&t, "burn", str_of(odd[i]));
    assert_int_equal(t.count, 0);
    mgi_tell_fini(&t);
}

static void test_texts_and_entries_have_an_end(void **state)
{
    (void)state;
    static char text[5000];
    struct tell t = { .least = MCP_DEBUG };
    memset(text, 'x', sizeof text - 1);
    memcpy(text, "a\x1b[2J\xe2\x80\xae", 8);
    for (size_t i = 0; i < TELL_ENTRIES + 9; i++)
        mgi_tell_one(&t, MCP_INFO, "burn", "progress", str_of(text));
    assert_int_equal(t.count, TELL_ENTRIES);
    assert_int_equal(t.left_out, 9);
    assert_in_range(t.text.len, 1, TELL_ENTRIES * (TELL_TEXT + 100));
    assert_null(strchr(entry(&t, 0), '\x1b'));
    assert_non_null(strstr(entry(&t, 0), "\"a[2Jxxx"));
    mgi_tell_fini(&t);
}

static void test_short_memory_costs_entries_and_nothing_else(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        struct tell t = { .least = MCP_DEBUG };
        nomem_fail_at(n);
        mgi_tell_answer(&t, "burn", str_of(failed));
        bool short_of_memory = nomem_failed();
        nomem_fail_at(0);
        for (size_t i = 0; i < t.count; i++) {
            struct arena arena;
            struct json v;
            mgi_arena_init(&arena, 0);
            assert_int_equal(mgi_json_parse(&arena, str_of(entry(&t, i)), NULL, &v, NULL), JSON_OK);
            mgi_arena_fini(&arena);
        }
        mgi_tell_fini(&t);
        if (!short_of_memory) {
            assert_true(n > 4);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_error_is_told_with_what_had_happened),
        cmocka_unit_test(test_nothing_is_kept_below_the_level_and_of_what_cannot_be_read),
        cmocka_unit_test(test_texts_and_entries_have_an_end),
        cmocka_unit_test(test_short_memory_costs_entries_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
