/* toolhost_json.h: what a plugin reads of its input. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "toolhost_json.h"

static th_str text_of(const char *z)
{
    return (th_str){ z, strlen(z) };
}

static const char *member(const char *object, const char *key)
{
    static char out[128];
    th_str value;
    if (!th_json_member(text_of(object), key, &value))
        return NULL;
    snprintf(out, sizeof out, "%.*s", (int)value.len, value.ptr);
    return out;
}

static void test_members_are_found_by_name(void **state)
{
    (void)state;
    assert_string_equal(member("{\"path\":\"/tmp\",\"n\":7}", "path"), "\"/tmp\"");
    assert_string_equal(member("{\"path\":\"/tmp\",\"n\":7}", "n"), "7");
    assert_string_equal(member(" { \"a\" : [ {\"n\": 1}, \"]}\" ] , \"n\" : {\"x\":2} } ", "n"),
                        "{\"x\":2}");
    assert_string_equal(member("{\"a\\u0062\":true}", "ab"), "true");
    assert_null(member("{\"a\":{\"n\":1}}", "n"));
    assert_null(member("{}", "n"));
}

static void test_what_is_no_object_has_no_members(void **state)
{
    (void)state;
    static const char *const others[] = { "",       "[]",        "7",         "\"n\"",
                                          "{\"n\"", "{\"n\":",   "{\"n\" 1",  "{\"m\":1 ",
                                          "{n:1}",  "{\"m\":},", "{\"m\":\"", "{\"m\":[}" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_null(member(others[i], "n"));
}

static void test_texts_are_decoded(void **state)
{
    (void)state;
    char out[16];
    assert_true(th_json_text(text_of("\"a\\n\\\"\\u00e9\\ud83d\\ude00\""), out, sizeof out));
    assert_string_equal(out, "a\n\"\xc3\xa9\xf0\x9f\x98\x80");
    assert_true(th_json_text(text_of("\"\""), out, 1));
    assert_string_equal(out, "");
}

static void test_texts_that_are_none_are_refused(void **state)
{
    (void)state;
    static const char *const others[] = { "",        "7",           "\"a",         "\"a\"b",
                                          "\"\\q\"", "\"\\u00\"",   "\"\\ud83d\"", "\"\\ude00\"",
                                          "\"\\\"",  "\"\\u0000\"", "\"four\"" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char out[4] = "old"; /* "four" does not fit */
        assert_false(th_json_text(text_of(others[i]), out, sizeof out));
        assert_string_equal(out, "");
    }
    assert_false(th_json_text(text_of("\"\""), NULL, 0));
}

static void test_whole_numbers_are_read_to_their_ends(void **state)
{
    (void)state;
    int64_t n = 0;
    assert_true(th_json_int(text_of("9223372036854775807"), &n) && n == INT64_MAX);
    assert_true(th_json_int(text_of("-9223372036854775808"), &n) && n == INT64_MIN);
    assert_true(th_json_int(text_of("0"), &n) && n == 0);
    assert_true(th_json_int(text_of("-12"), &n) && n == -12);
    static const char *const others[] = {
        "", "-", "9223372036854775808", "-9223372036854775809", "1.0", "01", "1e3", "\"1\"", "+1"
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(th_json_int(text_of(others[i]), &n));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_are_found_by_name),
        cmocka_unit_test(test_what_is_no_object_has_no_members),
        cmocka_unit_test(test_texts_are_decoded),
        cmocka_unit_test(test_texts_that_are_none_are_refused),
        cmocka_unit_test(test_whole_numbers_are_read_to_their_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
