/* toolhost_json.h: what a plugin reads of its input. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
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

static void test_other_scalars(void **state)
{
    (void)state;
    bool yes;
    double n;
    assert_true(th_json_bool(text_of("true"), &yes) && yes);
    assert_true(th_json_bool(text_of("false"), &yes) && !yes);
    assert_false(th_json_bool(text_of("1"), &yes) || th_json_bool(text_of(""), &yes));
    assert_true(th_json_double(text_of("-1.5e2"), &n) && n == -150);
    assert_true(th_json_double(text_of("7"), &n) && n == 7);
    static const char *const others[] = { "",      "-",   "1e999", "true",    "0x10",
                                          "\"1\"", "1 2", "nan",   "infinity" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(th_json_double(text_of(others[i]), &n));
    assert_int_equal(th_json_type_of(text_of("null")), TH_JSON_NULL);
    assert_int_equal(th_json_type_of(text_of("false")), TH_JSON_BOOL);
    assert_int_equal(th_json_type_of(text_of("-0")), TH_JSON_NUMBER);
    assert_int_equal(th_json_type_of(text_of("\"\"")), TH_JSON_STRING);
    assert_int_equal(th_json_type_of(text_of("[]")), TH_JSON_ARRAY);
    assert_int_equal(th_json_type_of(text_of("{}")), TH_JSON_OBJECT);
    assert_int_equal(th_json_type_of(text_of("")), TH_JSON_NONE);
    assert_int_equal(th_json_type_of((th_str){ NULL, 0 }), TH_JSON_NONE);
}

/* What a walk finds, with blanks between. */
static const char *walk(const char *list, bool members)
{
    static char out[256];
    th_str rest = text_of(list), key = { NULL, 0 }, value;
    out[0] = '\0';
    while (members ? th_json_next_member(&rest, &key, &value) : th_json_next_item(&rest, &value)) {
        size_t len = strlen(out);
        snprintf(out + len, sizeof out - len, "%.*s%s%.*s ", (int)key.len, key.ptr ? key.ptr : "",
                 members ? "=" : "", (int)value.len, value.ptr);
    }
    return out;
}

static void test_walks_end(void **state)
{
    (void)state;
    assert_string_equal(walk(" [1, [2,3] ,\"a,]\" , {\"b\":4}]", false),
                        "1 [2,3] \"a,]\" {\"b\":4} ");
    assert_string_equal(walk("[]", false), "");
    assert_string_equal(walk("[ ]", false), "");
    assert_string_equal(walk("{\"a\":1}", false), "");
    assert_string_equal(walk("[1", false), "1 ");
    assert_string_equal(walk("[1,,2]", false), "1 ");
    assert_string_equal(walk("{\"a\" : 1 , \"b\":{\"c\":[]}}", true), "\"a\"=1 \"b\"={\"c\":[]} ");
    assert_string_equal(walk("{}", true), "");
    assert_string_equal(walk("[1]", true), "");
    assert_string_equal(walk("{\"a\":}", true), "");
}

/* ---- writing -------------------------------------------------------------------------------- */

/* A host of which there is only what the writer asks for. */
static struct {
    void *blocks[64];
    size_t count, fail_at; /* the allocation that fails, from 1; 0: none */
    char output[4096], error[256];
    th_rc rc;
} fake;

static void *fake_alloc(th_call *call, size_t size)
{
    (void)call;
    if (fake.fail_at && fake.count + 1 >= fake.fail_at)
        return NULL;
    assert_true(fake.count < 64);
    return fake.blocks[fake.count++] = calloc(1, size);
}

static th_rc fake_output(th_call *call, const char *json, size_t len)
{
    (void)call;
    snprintf(fake.output, sizeof fake.output, "%.*s", (int)len, json);
    return fake.rc;
}

static th_rc fake_error(th_call *call, const char *msg, size_t len)
{
    (void)call;
    snprintf(fake.error, sizeof fake.error, "%.*s", (int)len, msg);
    return TH_RC_OK;
}

static const th_host fake_host = { .alloc = fake_alloc,
                                   .set_output = fake_output,
                                   .set_error = fake_error };

static void fake_end(void)
{
    for (size_t i = 0; i < fake.count; i++)
        free(fake.blocks[i]);
    memset(&fake, 0, sizeof fake);
}

static th_status write_some(th_json_writer *w)
{
    th_json_open(w, '{');
    th_json_key(w, "a \"key\"");
    th_json_open(w, '[');
    th_json_put_int(w, INT64_MIN);
    th_json_put_double(w, 0.5);
    th_json_put_double(w, NAN);
    th_json_put_bool(w, true);
    th_json_put_bool(w, false);
    th_json_put_text(w, NULL);
    th_json_put_text(w, "");
    th_json_put_text(w, "\x01\n\t\"\\/\x7f \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    th_json_put_bytes(w, "a\0b", 3);
    th_json_put_value(w, text_of("{\"x\":[]}"));
    th_json_put_value(w, (th_str){ NULL, 0 });
    th_json_open(w, '[');
    th_json_close(w, ']');
    th_json_open(w, '{');
    th_json_close(w, '}');
    th_json_close(w, ']');
    th_json_key(w, "n");
    th_json_put_int(w, 7);
    th_json_close(w, '}');
    return th_json_answer(w);
}

static void test_what_is_written_is_json(void **state)
{
    (void)state;
    th_json_writer w = th_json_writer_of(&fake_host, NULL);
    assert_int_equal(write_some(&w), TH_OK);
    assert_string_equal(fake.output,
                        "{\"a \\\"key\\\"\":[-9223372036854775808,0.5,null,true,false,null,\"\","
                        "\"\\u0001\\u000a\\u0009\\\"\\\\/\x7f \xc3\xa9 \xe2\x82\xac "
                        "\xf0\x9f\x98\x80\",\"a\\u0000b\","
                        "{\"x\":[]},null,[],{}],\"n\":7}");
    assert_int_equal(th_json_written(&w).len, strlen(fake.output));
    fake_end();
    w = th_json_writer_of(&fake_host, NULL);
    assert_int_equal(th_json_answer(&w), TH_OK);
    assert_string_equal(fake.output, "{}"); /* nothing was written */
    fake_end();
}

static void test_bytes_that_are_no_text_are_replaced(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "\xff",         "\x80",         "\xc0\xaf",         "\xc3",
        "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80",
        "\xf8"
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        th_json_writer w = th_json_writer_of(&fake_host, NULL);
        char want[64] = "\"";
        for (size_t n = 0; n < strlen(bad[i]); n++)
            strcat(want, "\xef\xbf\xbd");
        th_json_put_text(&w, bad[i]);
        th_json_answer(&w);
        assert_string_equal(fake.output, strcat(want, "\""));
        fake_end();
    }
}

static void test_a_lack_of_memory_shows_at_the_end(void **state)
{
    (void)state;
    char large[1200];
    memset(large, 'x', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    for (size_t n = 1;; n++) {
        th_json_writer w = th_json_writer_of(&fake_host, NULL);
        fake.fail_at = n;
        th_json_open(&w, '[');
        th_json_put_text(&w, large);
        th_json_close(&w, ']');
        th_status status = write_some(&w);
        bool failed = w.failed;
        assert_int_equal(status, failed ? TH_TOOL_ERROR : TH_OK);
        assert_int_equal(strlen(fake.error) > 0, failed);
        fake_end();
        if (!failed)
            break;
    }
    th_json_writer w = th_json_writer_of(&fake_host, NULL);
    fake.rc = TH_RC_LIMIT; /* more than an answer may be */
    assert_int_equal(th_json_answer(&w), TH_TOOL_ERROR);
    fake_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_are_found_by_name),
        cmocka_unit_test(test_what_is_no_object_has_no_members),
        cmocka_unit_test(test_texts_are_decoded),
        cmocka_unit_test(test_texts_that_are_none_are_refused),
        cmocka_unit_test(test_whole_numbers_are_read_to_their_ends),
        cmocka_unit_test(test_other_scalars),
        cmocka_unit_test(test_walks_end),
        cmocka_unit_test(test_what_is_written_is_json),
        cmocka_unit_test(test_bytes_that_are_no_text_are_replaced),
        cmocka_unit_test(test_a_lack_of_memory_shows_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
