/* Pointers, equality, writing, canonical text and doubles. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "sys/digest.h"
#include "base/encode.h"

static int open_arena(void **state)
{
    static struct arena arena;
    mgi_arena_init(&arena, 0);
    *state = &arena;
    return 0;
}

static int close_arena(void **state)
{
    mgi_arena_fini(*state);
    return 0;
}

static struct json parse(struct arena *a, const char *text)
{
    struct json v = { 0 };
    struct json_options deep = { .max_depth = JSON_MAX_DEPTH };
    assert_int_equal(mgi_json_parse(a, str_of(text), &deep, &v, NULL), JSON_OK);
    return v;
}

static void test_pointers_follow_rfc_6901(void **state)
{
    struct arena *a = *state;
    struct json v =
        parse(a, "{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"m~n\":8,\"~1\":9,\"o\":{\"0\":5}}");
    assert_ptr_equal(mgi_json_pointer_get(&v, STR_LIT("")), &v);
    assert_int_equal(mgi_json_pointer_get(&v, STR_LIT("/foo"))->count, 2);
    assert_true(str_is(mgi_json_pointer_get(&v, STR_LIT("/foo/1"))->string, "baz"));
    assert_int_equal(mgi_json_pointer_get(&v, STR_LIT("/"))->integer, 0);
    assert_int_equal(mgi_json_pointer_get(&v, STR_LIT("/a~1b"))->integer, 1);
    assert_int_equal(mgi_json_pointer_get(&v, STR_LIT("/m~0n"))->integer, 8);
    assert_int_equal(mgi_json_pointer_get(&v, STR_LIT("/~01"))->integer, 9);
    assert_int_equal(mgi_json_pointer_get(&v, STR_LIT("/o/0"))->integer, 5);
    static const char *const nothing[] = { "foo",
                                           "/foo/2",
                                           "/foo/-",
                                           "/foo/01",
                                           "/foo/",
                                           "/foo/x",
                                           "/m~2n",
                                           "/m~",
                                           "/fo",
                                           "/fooo",
                                           "/foo/0/x",
                                           "/foo/99999999999",
                                           "/foo/18446744073709551616" };
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++)
        assert_null(mgi_json_pointer_get(&v, str_of(nothing[i])));

    struct buf path = { 0 };
    mgi_json_pointer_push(&path, STR_LIT("m~n"));
    mgi_json_pointer_push(&path, STR_LIT("a/b"));
    mgi_json_pointer_index(&path, 12);
    assert_string_equal(path.ptr, "/m~0n/a~1b/12");
    mgi_buf_fini(&path);
}

static void test_equality_is_of_values_not_of_spelling(void **state)
{
    struct arena *a = *state;
    static const struct {
        const char *a, *b;
        bool equal, typed;
    } cases[] = {
        { "1", "1", true, true },
        { "1", "1.0", true, false },
        { "1", "10e-1", true, false },
        { "1.0", "10e-1", true, true },
        { "0", "-0.0", true, false },
        { "0.0", "-0.0", true, true },
        { "1", "2", false, false },
        { "9007199254740993", "9007199254740992.0", false, false },
        { "9223372036854775807", "9223372036854775808.0", false, false },
        { "-9223372036854775808", "-9223372036854775808.0", true, false },
        { "10000000000000000000000", "1e22", true, false },
        { "10000000000000000000000", "10000000000000000000001", false, false },
        { "10000000000000000000000", "10000000000000000000000", true, true },
        { "1e400", "10.0e399", true, true },
        { "1e400", "0.0001e404", true, true },
        { "1e400", "1e401", false, false },
        { "1e400", "-1e400", false, false },
        { "1.00e400", "1e400", true, true },
        { "12e400", "1.2e401", true, true },
        { "1", "\"1\"", false, false },
        { "true", "true", true, true },
        { "true", "false", false, false },
        { "null", "false", false, false },
        { "\"\\u0061\"", "\"a\"", true, true },
        { "[1,2]", "[2,1]", false, false },
        { "[1,2]", "[1,2]", true, true },
        { "[1]", "[1,1]", false, false },
        { "[]", "{}", false, false },
        { "{\"a\":1,\"b\":[{}]}", "{\"b\":[{}],\"a\":1.0}", true, false },
        { "{\"a\":1}", "{\"b\":1}", false, false },
        { "{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}", false, false },
        { "[[[]],[]]", "[[[]],[]]", true, true },
        { "[[[]],[]]", "[[],[[]]]", false, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct json x = parse(a, cases[i].a), y = parse(a, cases[i].b);
        if (mgi_json_equal(&x, &y, false) != cases[i].equal ||
            mgi_json_equal(&y, &x, false) != cases[i].equal ||
            mgi_json_equal(&x, &y, true) != cases[i].typed ||
            mgi_json_equal(&y, &x, true) != cases[i].typed)
            fail_msg("%s and %s", cases[i].a, cases[i].b);
    }
}

static void test_the_deepest_dom_can_be_compared_and_written(void **state)
{
    struct arena *a = *state;
    char text[2 * JSON_MAX_DEPTH + 1] = { 0 };
    memset(text, '[', JSON_MAX_DEPTH);
    memset(text + JSON_MAX_DEPTH, ']', JSON_MAX_DEPTH);
    struct json v = parse(a, text);
    assert_true(mgi_json_equal(&v, &v, true));
    struct buf out = { 0 };
    mgi_json_canonical(&out, &v);
    assert_string_equal(out.ptr, text);
    mgi_buf_fini(&out);
}

static void expect_canonical(struct arena *a, const char *text, const char *expected)
{
    struct json v = parse(a, text);
    struct buf out = { 0 };
    mgi_json_canonical(&out, &v);
    assert_string_equal(out.ptr, expected);
    struct json again = parse(a, out.ptr);
    assert_true(mgi_json_equal(&v, &again, true));
    mgi_buf_fini(&out);
}

static void test_canonical_text_sorts_members_and_keeps_numbers(void **state)
{
    struct arena *a = *state;
    /* T-INP-6 */
    expect_canonical(a, "{ \"b\" : 1, \"a\":[true,null]}", "{\"a\":[true,null],\"b\":1}");
    expect_canonical(a, "[ 1.50, -0, 1E+2, 1e400 ]", "[1.50,-0,1E+2,1e400]");
    expect_canonical(a, "\"\\/\\u0041\\u001F\\b\\f\\n\\r\\t\\u007f\\u00E9\\\"\\\\\"",
                     "\"/A\\u001f\\b\\f\\n\\r\\t\x7f\xc3\xa9\\\"\\\\\"");
    expect_canonical(a, "{\"\\u00e9\":1,\"z\":2,\"\":3,\"aa\":4,\"a\":{\"d\":{},\"c\":[]}}",
                     "{\"\":3,\"a\":{\"c\":[],\"d\":{}},\"aa\":4,\"z\":2,\"\xc3\xa9\":1}");

    struct json v = parse(a, "{ \"b\" : 1, \"a\":[true,null]}");
    struct buf out = { 0 };
    mgi_json_canonical(&out, &v);
    uint8_t digest[SHA256_BYTES];
    char hex[2 * SHA256_BYTES + 1];
    assert_true(mgi_sha256(out.ptr, out.len, digest));
    mgi_hex(digest, sizeof digest, hex);
    /* T-INP-6 */
    assert_string_equal(hex, "51705a2c9eb3e7e410a58f696a770c3ac3885a0cf43eb7fc88f5e47c11d4d30d");
    mgi_buf_fini(&out);
}

/* The plain way: byte by byte. */
static void escape_plainly(struct buf *out, const char *text, size_t len)
{
    mgi_buf_putc(out, '"');
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            mgi_buf_printf(out, "\\%c", c);
        else if (c == '\n')
            mgi_buf_puts(out, "\\n");
        else if (c < 0x20)
            mgi_buf_printf(out, "\\u%04x", c);
        else if (c >= 0x80)
            mgi_buf_puts(out, "\xef\xbf\xbd"); /* alone it is no UTF-8 */
        else
            mgi_buf_putc(out, (char)c);
    }
    mgi_buf_putc(out, '"');
}

/* Texts are looked at by the word: each byte that needs thought, at each place of each length. */
static void test_a_byte_that_needs_thought_is_found_wherever_it_stands(void **state)
{
    static const char odd[] = { '"', '\\', '\n', '\x01', '\x1f', '\x7f', '\x80', '\xff', ' ' };
    char text[40];
    (void)state;
    memset(text, 'a', sizeof text);
    for (size_t len = 0; len <= sizeof text; len++)
        for (size_t at = 0; at < (len ? len : 1); at++)
            for (size_t k = 0; k < sizeof odd; k++) {
                struct buf got = { 0 }, wanted = { 0 };
                struct json_writer w;
                text[at] = len ? odd[k] : 'a';
                escape_plainly(&wanted, text, len);
                mgi_buf_puts(&wanted, ":1");
                mgi_json_writer_init(&w, &got, 0);
                mgi_jw_begin_object(&w);
                mgi_jw_key_str(&w, (struct str){ text, len });
                mgi_jw_int(&w, 1);
                mgi_jw_key(&w, "x");
                mgi_jw_string(&w, (struct str){ text, len });
                mgi_jw_end_object(&w);
                assert_memory_equal(got.ptr + 1, wanted.ptr, wanted.len);
                assert_memory_equal(got.ptr + 1 + wanted.len, ",\"x\":", 5);
                assert_memory_equal(got.ptr + 6 + wanted.len, wanted.ptr, wanted.len - 2);
                assert_int_equal(got.len, 2 * wanted.len + 5);
                mgi_buf_fini(&got);
                mgi_buf_fini(&wanted);
                text[at] = 'a';
            }
}

static void write_sample(struct json_writer *w)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "s", "a\"b\\c/\n\x01");
    mgi_jw_member_cstr(w, "none", NULL);
    mgi_jw_member_int(w, "min", INT64_MIN);
    mgi_jw_member_bool(w, "yes", true);
    mgi_jw_member_str(w, "nul", (struct str){ "\0", 1 });
    mgi_jw_member_strs(w, "words", (struct str[]){ STR_LIT("a"), STR_LIT("\"") }, 2);
    mgi_jw_member_strs(w, "no_words", NULL, 0);
    mgi_jw_key(w, "list");
    mgi_jw_begin_array(w);
    mgi_jw_float(w, 1);
    mgi_jw_float(w, 0.1);
    mgi_jw_float(w, 1e300);
    mgi_jw_float(w, (double)NAN);
    mgi_jw_raw(w, STR_LIT("{\"raw\":1}"));
    mgi_jw_begin_object(w);
    mgi_jw_end_object(w);
    mgi_jw_begin_array(w);
    mgi_jw_end_array(w);
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
}

static void test_writer_places_commas_and_escapes(void **state)
{
    (void)state;
    struct buf out = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &out, 0);
    write_sample(&w);
    /* T-JSON-6 */
    assert_string_equal(out.ptr, "{\"s\":\"a\\\"b\\\\c/\\n\\u0001\",\"none\":null,"
                                 "\"min\":-9223372036854775808,\"yes\":true,\"nul\":\"\\u0000\","
                                 "\"words\":[\"a\",\"\\\"\"],\"no_words\":[],"
                                 "\"list\":[1.0,0.1,1e+300,null,{\"raw\":1},{},[]]}");
    mgi_buf_fini(&out);
}

static void test_what_was_written_is_taken_as_a_value(void **state)
{
    struct arena *arena = *state;
    struct buf out = { 0 };
    struct json_writer w;
    struct json v = { .type = JSON_INT };
    mgi_json_writer_init(&w, &out, 0);
    write_sample(&w);
    assert_true(mgi_json_take(arena, &out, &v));
    assert_int_equal(mgi_json_get(&v, "words")->count, 2);
    assert_null(out.ptr);

    struct json before = v;
    mgi_buf_puts(&out, "{");
    assert_false(mgi_json_take(arena, &out, &v));
    assert_null(out.ptr);
    mgi_buf_puts(&out, "1");
    out.oom = true;
    assert_false(mgi_json_take(arena, &out, &v));
    assert_null(out.ptr);
    assert_memory_equal(&v, &before, sizeof v); /* untouched */
}

static void test_writer_indents_on_request(void **state)
{
    (void)state;
    struct buf out = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &out, 2);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "a");
    mgi_jw_begin_array(&w);
    mgi_jw_int(&w, 1);
    mgi_jw_int(&w, -2);
    mgi_jw_end_array(&w);
    mgi_jw_key(&w, "b");
    mgi_jw_begin_object(&w);
    mgi_jw_end_object(&w);
    mgi_jw_end_object(&w);
    assert_string_equal(out.ptr, "{\n  \"a\": [\n    1,\n    -2\n  ],\n  \"b\": {}\n}");
    mgi_buf_fini(&out);
}

static void test_writer_output_is_always_valid_utf8(void **state)
{
    (void)state;
    struct buf out = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &out, 0);
    mgi_jw_string(&w, STR_LIT("a\xff\xe2\x82z\xed\xa0\x80\xf0\x9f\x98\x80"));
    /* T-JSON-6 */
    assert_string_equal(out.ptr, "\"a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz\xef\xbf\xbd\xef\xbf\xbd"
                                 "\xef\xbf\xbd\xf0\x9f\x98\x80\"");
    mgi_buf_fini(&out);
}

static void test_a_dom_is_written_as_it_was_read(void **state)
{
    struct arena *a = *state;
    const char *text = "{\"z\":[1.50,\"\\u0000\",{\"a\":{}}],\"a\":1e400}";
    struct json v = parse(a, text);
    struct buf out = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &out, 0);
    mgi_jw_value(&w, &v);
    assert_string_equal(out.ptr, text);
    mgi_buf_fini(&out);
}

static void test_doubles_print_shortest(void **state)
{
    (void)state;
    static const struct {
        double d;
        const char *text;
    } cases[] = {
        { 0, "0" },
        { -0.0, "-0" },
        { 1, "1" },
        { 100, "100" },
        { 0.1, "0.1" },
        { 0.3, "0.3" },
        { 1e15, "1000000000000000" },
        { 1e17, "1e+17" },
        { 1e22, "1e+22" },
        { 1.5e-7, "1.5e-07" },
        { 0.0001, "0.0001" },
        { 0.00001, "1e-05" },
        { -2.5, "-2.5" },
        { 5e-324, "5e-324" },
        { 9007199254740993.0, "9007199254740992" },
        { 1.0 / 3, "0.3333333333333333" },
        { DBL_MAX, "1.7976931348623157e+308" },
        { DBL_MIN, "2.2250738585072014e-308" },
        { 0.1 + 0.2, "0.30000000000000004" },
        { -(double)INFINITY, "-inf" },
        { (double)NAN, "nan" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[32];
        size_t len = mgi_double_print(cases[i].d, text);
        assert_string_equal(text, cases[i].text);
        assert_int_equal(len, strlen(text));
    }
}

static void test_doubles_agree_with_the_c_library_on_random_values(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 50000; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double d, back;
        memcpy(&d, &seed, sizeof d);
        if (!isfinite(d))
            continue;
        char text[64];
        size_t len = mgi_double_print(d, text);
        assert_true(len < 32);
        assert_true(mgi_double_parse((struct str){ text, len }, &back));
        if (memcmp(&d, &back, sizeof d) != 0 || strtod(text, NULL) != d)
            fail_msg("%a printed as %s", d, text);
        (void)snprintf(text, sizeof text, "%.*e", (int)(seed >> 40) % 30, d);
        (void)mgi_double_parse(str_of(text), &back);
        if (strtod(text, NULL) != back)
            fail_msg("%s read as %a", text, back);
    }
}

static void test_doubles_with_very_many_digits_round_correctly(void **state)
{
    (void)state;
    /* Half way between 1 and the next double, exactly: to even, down. */
    char text[1500] = "1.00000000000000011102230246251565404236316680908203125";
    double d;
    assert_true(mgi_double_parse(str_of(text), &d));
    assert_true(d == 1);
    /* A last digit a thousand places behind makes it more than half. */
    size_t len = strlen(text);
    memset(text + len, '0', 1000);
    text[len + 1000] = '1';
    assert_true(mgi_double_parse((struct str){ text, len + 1001 }, &d));
    assert_true(d == 1 + DBL_EPSILON);
    /* Twenty digits do not fit 64 bits: 2^64 + 1 must not come out as 1. */
    assert_true(mgi_double_parse(STR_LIT("18446744073709551617"), &d));
    assert_true(d == 18446744073709551616.0);
    memset(text, '9', sizeof text);
    assert_false(mgi_double_parse((struct str){ text, sizeof text }, &d));
    memset(text, '0', sizeof text);
    assert_true(mgi_double_parse((struct str){ text, sizeof text }, &d));
    assert_true(d == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_pointers_follow_rfc_6901, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(test_equality_is_of_values_not_of_spelling, open_arena,
                                        close_arena),
        cmocka_unit_test_setup_teardown(test_the_deepest_dom_can_be_compared_and_written,
                                        open_arena, close_arena),
        cmocka_unit_test_setup_teardown(test_canonical_text_sorts_members_and_keeps_numbers,
                                        open_arena, close_arena),
        cmocka_unit_test(test_writer_places_commas_and_escapes),
        cmocka_unit_test_setup_teardown(test_what_was_written_is_taken_as_a_value, open_arena,
                                        close_arena),
        cmocka_unit_test(test_writer_indents_on_request),
        cmocka_unit_test(test_writer_output_is_always_valid_utf8),
        cmocka_unit_test_setup_teardown(test_a_dom_is_written_as_it_was_read, open_arena,
                                        close_arena),
        cmocka_unit_test(test_doubles_print_shortest),
        cmocka_unit_test(test_doubles_agree_with_the_c_library_on_random_values),
        cmocka_unit_test(test_doubles_with_very_many_digits_round_correctly),
        cmocka_unit_test(test_a_byte_that_needs_thought_is_found_wherever_it_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
