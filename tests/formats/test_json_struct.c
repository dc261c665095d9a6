/* Whole JSON documents as structs: the mapping, and what is refused where. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "mangle/value/value.h"
#include "formats/json_struct.h"

/* The struct as file text, or "line:column path: message". The caller's (mangle_free). */
static char *struct_text(const char *json, size_t len)
{
    mangle_values *t = mgi_values_new(NULL, 0);
    struct json_struct_error e;
    mangle_value v = mgi_struct_from_json(t, (struct str){ json, len }, &e);
    char *text = NULL;
    if (v != MANGLE_NONE) {
        text = mangle_value_print(t, v, MANGLE_FILE, NULL);
    } else {
        struct buf out = { 0 };
        mgi_buf_printf(&out, "%u:%u %s: %s", e.line, e.column, e.path, e.message);
        text = mgi_buf_take(&out, NULL);
    }
    mgi_values_free(t);
    return text;
}

static void becomes(const char *json, const char *want)
{
    char *got = struct_text(json, strlen(json));
    assert_string_equal(got, want);
    mangle_free(got);
}

static void test_the_example(void **state) /* M-IO-67 */
{
    (void)state;
    mangle_values *t = mgi_values_new(NULL, 0);
    struct json_struct_error e;
    mangle_value x = mangle_string(t, "x", 1);
    mangle_value labels[] = { mangle_name(t, "/id", 3), mangle_name(t, "/ok", 3),
                              mangle_name(t, "/tags", 5) };
    mangle_value values[] = { mangle_float(t, 7), mangle_bool(t, true), mangle_list(t, &x, 1) };
    assert_int_equal(
        mgi_struct_from_json(t, STR_LIT("{\"id\": 7, \"ok\": true, \"tags\": [\"x\"]}"), &e),
        mangle_struct(t, labels, values, 3));
    mgi_values_free(t);
}

static void test_keys_become_labels(void **state) /* M-IO-60 */
{
    (void)state;
    becomes("{}", "{}");
    becomes("{\"a/b\": {\"c\": {}}}", "{/a/b : {/c : {}}}");
    becomes("{\"a b\": 1}", "{/a b : 1.0}");
    becomes("{\"a\": 1, \"b\": 2, \"a\": 3, \"\\u0061\": 4}", "{/b : 2.0, /a : 4.0}");
    becomes("{\"\": 1}", "1:2 /: an empty key makes no label");
    becomes("{\"x\": [0, {\"a\\\"b\": 1}]}",
            "1:12 /x/1/a\"b: a key with a quotation mark makes no label");
    becomes("{\"/a\": 1}", "1:2 /~1a: a key with an empty part between slashes makes no label");
    becomes("{\"a/\": 1}", "1:2 /a~1: a key with an empty part between slashes makes no label");
    becomes("{\"a//b\": 1}",
            "1:2 /a~1~1b: a key with an empty part between slashes makes no label");
}

static void test_strings_stay(void **state) /* M-IO-61 */
{
    (void)state;
    becomes("{\"s\": \"a\\n\\u00e9/x\"}", "{/s : \"a\\n\\u{0000e9}/x\"}");
    becomes("{\"s\": \"/name\"}", "{/s : \"/name\"}");
}

static void test_numbers_are_floats(void **state) /* M-IO-62 */
{
    (void)state;
    becomes("{\"n\": [7, -0, 0.5, 1e2, 9223372036854775808, 123456789012345678901234567890]}",
            "{/n : [7.0, -0.0, 0.5, 100.0, 9223372036854776000.0, "
            "123456789012345680000000000000.0]}");
    becomes("{\"n\": 1e999}", "1:7 /n: the number is beyond a float64");
}

static void test_truth_is_a_name(void **state) /* M-IO-63 */
{
    (void)state;
    becomes("{\"b\": [true, false]}", "{/b : [/true, /false]}");
}

static void test_arrays_are_lists(void **state) /* M-IO-64 */
{
    (void)state;
    becomes("{\"l\": [[], [\"x\", [{}]]]}", "{/l : [[], [\"x\", [{}]]]}");
}

static void test_null_is_refused(void **state) /* M-IO-65 */
{
    (void)state;
    becomes("null", "1:1 : the document must be an object");
    becomes("{\"a\": [1,\n  {\"b/c\": null}]}", "2:11 /a/1/b~1c: null has no value in Mangle");
    becomes("{\"a\": [1, [2, null]]}", "1:15 /a/1/1: null has no value in Mangle");
}

static void test_the_document_is_an_object(void **state) /* M-IO-66 */
{
    (void)state;
    becomes("[{}]", "1:1 : the document must be an object");
    becomes(" 7", "1:2 : the document must be an object");
    becomes("\"x\"", "1:1 : the document must be an object");
    becomes("true", "1:1 : the document must be an object");
}

static void test_what_is_no_json_is_refused(void **state)
{
    (void)state;
    char *got = struct_text("{\"a\": 1} x", 10);
    assert_true(strncmp(got, "1:10 : ", 7) == 0);
    mangle_free(got);
    got = struct_text("", 0);
    assert_true(strncmp(got, "1:1 : ", 6) == 0);
    mangle_free(got);
    char deep[2 * 300 + 16] = "{\"a\":";
    for (int i = 0; i < 300; i++)
        strcat(deep, "[");
    got = struct_text(deep, strlen(deep));
    assert_non_null(strstr(got, "deep"));
    mangle_free(got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_example),
        cmocka_unit_test(test_keys_become_labels),
        cmocka_unit_test(test_strings_stay),
        cmocka_unit_test(test_numbers_are_floats),
        cmocka_unit_test(test_truth_is_a_name),
        cmocka_unit_test(test_arrays_are_lists),
        cmocka_unit_test(test_null_is_refused),
        cmocka_unit_test(test_the_document_is_an_object),
        cmocka_unit_test(test_what_is_no_json_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
