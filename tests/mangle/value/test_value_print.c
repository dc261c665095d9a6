/* Values as text: the three forms, and what has none. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mangle/value/value_table.h"

static void assert_text(mangle_value v, enum mangle_text_form form, const char *expected)
{
    struct buf out = { 0 };
    bool ok = mgi_value_print(&out, t, v, form);
    if (!ok)
        fail_msg("no text, expected %s", expected);
    if (!str_is(mgi_buf_view(&out), expected))
        fail_msg("got %.*s, expected %s", STR_ARG(mgi_buf_view(&out)), expected);
    mgi_buf_fini(&out);
}

static void assert_no_text(mangle_value v)
{
    size_t len;
    assert_null(mangle_value_print(t, v, MANGLE_FILE, &len));
}

static void assert_forms(mangle_value v, const char *canonical, const char *display,
                         const char *file)
{
    assert_text(v, MANGLE_CANONICAL, canonical);
    assert_text(v, MANGLE_DISPLAY, display);
    assert_text(v, MANGLE_FILE, file);
}

static void test_scalars(void **state)
{
    (void)state;
    assert_forms(name("/a/b"), "/a/b", "/a/b", "/a/b"); /* M-VAL-50 */
    assert_forms(mangle_number(t, INT64_MIN), "-9223372036854775808", "-9223372036854775808",
                 "-9223372036854775808"); /* M-VAL-53 */
    assert_forms(mangle_time(t, 1705314600120000000),
                 "fn:time:parse_rfc3339(\"2024-01-15T10:30:00.12Z\")", "2024-01-15T10:30:00.12Z",
                 "fn:time:parse_rfc3339(\"2024-01-15T10:30:00.12Z\")"); /* M-VAL-55, M-VAL-61 */
    assert_forms(mangle_duration(t, 90000000000), "fn:duration:parse(\"1m30s\")", "1m30s",
                 "fn:duration:parse(\"1m30s\")"); /* M-VAL-56, M-VAL-62 */
}

static void test_strings_are_escaped(void **state)
{
    (void)state; /* M-VAL-51, M-VAL-63, M-VAL-69 */
    assert_forms(string("a\n\t\"'\\\r\x7f"), "\"a\\n\\t\\\"\\'\\\\\r\x7f\"", "\"a\n\t\"'\\\r\x7f\"",
                 "\"a\\n\\t\\\"\\'\\\\\\x0d\\x7f\"");
    assert_forms(string("\xc3\xa4\xf0\x9f\x98\x80"), "\"\\u{0000e4}\\u{01f600}\"",
                 "\"\xc3\xa4\xf0\x9f\x98\x80\"", "\"\\u{0000e4}\\u{01f600}\"");
    assert_text(mangle_string(t, "\0z", 2), MANGLE_FILE, "\"\\x00z\""); /* M-LEX-36 */
    assert_text(string("\xff"), MANGLE_CANONICAL, "<bad>");
    assert_no_text(string("\xff"));
}

static void test_bytes_are_escaped(void **state)
{
    (void)state; /* M-VAL-52, M-VAL-64 */
    assert_forms(mangle_bytes(t, "\n\"'\\\xffz\x01", 7), "b\"\\x0a\\x22\\x27\\x5c\\xffz\x01\"",
                 "b\"\n\"'\\\xffz\x01\"", "b\"\\x0a\\x22\\x27\\x5c\\xffz\\x01\"");
}

static void test_floats_are_shortest_without_exponent(void **state)
{
    (void)state; /* M-VAL-54, M-VAL-69 */
    static const struct {
        double d;
        const char *canonical, *file;
    } cases[] = {
        { 1, "1", "1.0" },
        { -0.0, "-0", "-0.0" },
        { 0, "0", "0.0" },
        { 0.1, "0.1", "0.1" },
        { 0.1 + 0.2, "0.30000000000000004", "0.30000000000000004" },
        { 1e23, "100000000000000000000000", "100000000000000000000000.0" },
        { 1e-7, "0.0000001", "0.0000001" },
        { 123.456, "123.456", "123.456" },
        { -2.5e10, "-25000000000", "-25000000000.0" },
        { 5e-324, NULL, NULL }, /* too long to write down: read back below */
        { DBL_MAX, NULL, NULL },
        { DBL_MIN, NULL, NULL },
        { 9007199254740993.0, "9007199254740992", "9007199254740992.0" },
        { 1.0 / 3, "0.3333333333333333", "0.3333333333333333" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (cases[i].canonical) {
            assert_text(mangle_float(t, cases[i].d), MANGLE_CANONICAL, cases[i].canonical);
            assert_text(mangle_float(t, cases[i].d), MANGLE_DISPLAY, cases[i].canonical);
            assert_text(mangle_float(t, cases[i].d), MANGLE_FILE, cases[i].file);
        }
        struct buf out = { 0 };
        mgi_float_print(&out, cases[i].d);
        assert_true(strtod(out.ptr, NULL) == cases[i].d);
        mgi_buf_fini(&out);
    }
    struct buf denormal = { 0 };
    mgi_float_print(&denormal, 5e-324);
    assert_int_equal(denormal.len, 326); /* 0. and 323 zeros and one digit */
    mgi_buf_fini(&denormal);
    assert_text(mangle_float(t, (double)NAN), MANGLE_CANONICAL, "NaN");
    assert_text(mangle_float(t, (double)INFINITY), MANGLE_CANONICAL, "+Inf");
    assert_text(mangle_float(t, -(double)INFINITY), MANGLE_CANONICAL, "-Inf");
    assert_no_text(mangle_float(t, (double)NAN));
    assert_no_text(mangle_float(t, -(double)INFINITY));
}

static void test_every_float_reads_back(void **state)
{
    (void)state; /* M-VAL-54 */
    uint64_t bits = 1;
    for (int i = 0; i < 20000; i++) {
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double d;
        memcpy(&d, &bits, sizeof d);
        if (!isfinite(d))
            continue;
        struct buf out = { 0 };
        mgi_float_print(&out, d);
        if (strtod(out.ptr, NULL) != d)
            fail_msg("%a printed as %s", d, out.ptr);
        assert_null(strpbrk(out.ptr, "eE"));
        mgi_buf_fini(&out);
    }
}

static void test_structures(void **state)
{
    (void)state;
    mangle_value one = mangle_number(t, 1), two = mangle_number(t, 2), s = string("a");
    mangle_value pair = mangle_pair(t, one, mangle_pair(t, s, two));
    assert_text(pair, MANGLE_CANONICAL, "fn:pair(1, fn:pair(\"a\", 2))"); /* M-VAL-57 */
    mangle_value list = mangle_list(t, (mangle_value[]){ one, VALUE_NIL, pair }, 3);
    assert_text(list, MANGLE_CANONICAL, "[1, [], fn:pair(1, fn:pair(\"a\", 2))]"); /* M-VAL-58 */
    mangle_value map =
        mangle_map(t, (mangle_value[]){ two, mangle_number(t, 3), mangle_number(t, -1) },
                   (mangle_value[]){ list, VALUE_EMPTY_MAP, VALUE_EMPTY_STRUCT }, 3);
    assert_text(map, MANGLE_CANONICAL, /* M-VAL-33, M-VAL-59 */
                "[-1 : {}, 3 : fn:map(), 2 : [1, [], fn:pair(1, fn:pair(\"a\", 2))]]");
    mangle_value st = mangle_struct(t, (mangle_value[]){ name("/x"), name("/y") },
                                    (mangle_value[]){ one, map }, 2);
    assert_text(
        st, MANGLE_CANONICAL, /* M-VAL-43, M-VAL-60 */
        "{/y : [-1 : {}, 3 : fn:map(), 2 : [1, [], fn:pair(1, fn:pair(\"a\", 2))]], /x : 1}");
    mangle_value bad = mangle_list(t, (mangle_value[]){ one, mangle_float(t, (double)NAN) }, 2);
    assert_no_text(bad);
    assert_text(bad, MANGLE_CANONICAL, "[1, NaN]");
}

static void assert_key_order(mangle_value a, mangle_value b, mangle_value c, const char *expected)
{
    mangle_value one = mangle_number(t, 1);
    assert_text(mangle_map(t, (mangle_value[]){ a, b, c }, (mangle_value[]){ one, one, one },
                           c == MANGLE_NONE ? 2 : 3),
                MANGLE_CANONICAL, expected);
}

static void test_entries_come_in_descending_order_of_their_hash(void **state)
{
    (void)state;
    assert_key_order(name("/id"), name("/name"), name("/age"),
                     "[/name : 1, /age : 1, /id : 1]"); /* M-VAL-44 */
    assert_key_order(name("/city"), name("/zip"), name("/street"),
                     "[/zip : 1, /city : 1, /street : 1]"); /* M-VAL-45 */
    assert_key_order(string("one"), string("two"), string("three"),
                     "[\"three\" : 1, \"one\" : 1, \"two\" : 1]"); /* M-VAL-46 */
    assert_key_order(mangle_number(t, 10), mangle_number(t, 2), mangle_number(t, -3),
                     "[-3 : 1, 10 : 1, 2 : 1]"); /* M-VAL-47 */
    /* Of the same hash the smaller canonical text comes first. */
    assert_key_order(mangle_duration(t, 5), mangle_number(t, 5), MANGLE_NONE,
                     "[5 : 1, fn:duration:parse(\"5ns\") : 1]"); /* M-VAL-33 */
    assert_key_order(string("/a"), name("/a"), MANGLE_NONE, "[\"/a\" : 1, /a : 1]");
}

static void test_deep_values_print_without_recursion(void **state)
{
    (void)state; /* M-LIM-13 */
    mangle_value v = VALUE_NIL;
    for (int i = 1; i < VALUE_MAX_DEPTH; i++)
        v = mangle_list(t, &v, 1);
    struct buf out = { 0 };
    assert_true(mgi_value_print(&out, t, v, MANGLE_FILE));
    assert_int_equal(out.len, 2 * VALUE_MAX_DEPTH);
    mgi_buf_fini(&out);
}

static void test_shared_parts_stop_at_the_limit(void **state)
{
    (void)state; /* M-LIM-13: 2^100 elements */
    mangle_value v = mangle_number(t, 1);
    for (int i = 0; i < 100; i++)
        v = mangle_pair(t, v, v);
    struct buf out = { .limit = 10000 };
    mgi_value_print(&out, t, v, MANGLE_CANONICAL);
    assert_true(out.oom);
    assert_true(out.len <= 10000);
    mgi_buf_fini(&out);
}

static void assert_interval(int64_t start, int64_t end, bool always, const char *expected)
{
    struct buf out = { 0 };
    mgi_interval_print(&out, (struct mangle_interval){ start, end }, always);
    assert_string_equal(out.ptr ? out.ptr : "", expected);
    mgi_buf_fini(&out);
}

static void test_intervals(void **state)
{
    (void)state; /* M-TEMP-60 */
    assert_interval(MANGLE_MIN_TIME, MANGLE_MAX_TIME, false, "");
    assert_interval(MANGLE_MIN_TIME, MANGLE_MAX_TIME, true, "@[_, _]");
    assert_interval(0, 0, false, "@[1970-01-01T00:00:00Z]");
    assert_interval(0, 1500000000, false, "@[1970-01-01T00:00:00Z, 1970-01-01T00:00:01.5Z]");
    assert_interval(MANGLE_MIN_TIME, 0, false, "@[_, 1970-01-01T00:00:00Z]");
    assert_interval(0, MANGLE_MAX_TIME, true, "@[1970-01-01T00:00:00Z, _]");
}

int main(void)
{
#define PRINT_TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        PRINT_TEST(test_scalars),
        PRINT_TEST(test_strings_are_escaped),
        PRINT_TEST(test_bytes_are_escaped),
        PRINT_TEST(test_floats_are_shortest_without_exponent),
        PRINT_TEST(test_every_float_reads_back),
        PRINT_TEST(test_structures),
        PRINT_TEST(test_entries_come_in_descending_order_of_their_hash),
        PRINT_TEST(test_deep_values_print_without_recursion),
        PRINT_TEST(test_shared_parts_stop_at_the_limit),
        PRINT_TEST(test_intervals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
