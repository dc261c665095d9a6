/* What an OpenAPI document may have of everything, and what becomes of the rest. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "actions/openapi_case.h"

static struct buf document, requests, told;

static int begin(void **state)
{
    (void)state;
    mgi_buf_clear(&document);
    mgi_buf_puts(&document,
                 "{\"openapi\":\"3.0.3\",\"servers\":[{\"url\":\"https://a.example\"}],");
    return 0;
}

static int end(void **state)
{
    (void)state;
    mgi_buf_fini(&document);
    mgi_buf_fini(&requests);
    mgi_buf_fini(&told);
    return 0;
}

/* What `document` gives, in `requests` and `told`. */
static bool load(const char *entry)
{
    struct openapi_case c = { .json = true,
                              .entry = str_of(entry),
                              .document = mgi_buf_view(&document) };
    struct findings *findings = mgi_findings_new();
    mgi_buf_clear(&requests);
    mgi_buf_clear(&told);
    mgi_buf_puts(&told, "");
    case_make(&c);
    struct snapshot *s = case_load(&c, &requests, findings);
    case_show_findings(&told, findings);
    bool good = s != NULL;
    mgi_snapshot_unref(s);
    mgi_findings_free(findings);
    case_close(&c);
    return good;
}

static size_t count_of(const struct buf *in, const char *text)
{
    size_t count = 0;
    for (const char *at = in->ptr; at && (at = strstr(at, text)); at += strlen(text))
        count++;
    return count;
}

static void expect_told(const char *text)
{
    if (!told.ptr || !strstr(told.ptr, text))
        fail_msg("not told: %s\ngot %s", text, told.ptr ? told.ptr : "");
}

static void test_an_operation_has_256_arguments(void **state)
{
    (void)state;
    mgi_buf_puts(&document, "\"paths\":{\"/a\":{\"get\":{\"parameters\":[");
    for (int i = 0; i < 257; i++)
        mgi_buf_printf(&document, "%s{\"name\":\"p%d\",\"in\":\"query\"}", i ? "," : "", i);
    mgi_buf_puts(&document, "]},\"put\":{\"operationId\":\"good\",\"parameters\":[");
    for (int i = 0; i < 56; i++)
        mgi_buf_printf(&document, "%s{\"name\":\"p%d\",\"in\":\"query\"}", i ? "," : "", i);
    mgi_buf_puts(&document, "],\"requestBody\":{\"content\":{\"application/json\":{\"schema\":{"
                            "\"type\":\"object\",\"properties\":{");
    for (int i = 0; i < 200; i++)
        mgi_buf_printf(&document, "%s\"m%d\":{}", i ? "," : "", i);
    mgi_buf_puts(&document, "}}}}}}}}}");
    assert_true(load(""));
    expect_told("GET /a is left out: it has more than 256 parameters");
    assert_int_equal(count_of(&told, "\n"), 1);
    assert_non_null(strstr(requests.ptr, "\"m199\":{}"));
}

static void test_a_body_of_more_members_is_one_argument(void **state)
{
    (void)state;
    mgi_buf_puts(&document,
                 "\"paths\":{\"/a\":{\"put\":{\"requestBody\":{\"content\":{"
                 "\"application/json\":{\"schema\":{\"type\":\"object\",\"properties\":{");
    for (int i = 0; i < 201; i++)
        mgi_buf_printf(&document, "%s\"m%d\":{}", i ? "," : "", i);
    mgi_buf_puts(&document, "}}}}}}}}}");
    assert_true(load(""));
    assert_non_null(strstr(requests.ptr, "body {\"json\":{\"arg\":\"body\"},\"optional\":true}"));
}

static void test_warnings_are_told_up_to_50(void **state)
{
    (void)state;
    mgi_buf_puts(&document, "\"paths\":{\"/good\":{\"get\":{}}");
    for (int i = 0; i < 77; i++)
        mgi_buf_printf(&document, ",\"/a%d\":{\"get\":{\"parameters\":3}}", i);
    mgi_buf_puts(&document, "}}");
    assert_true(load(""));
    assert_int_equal(count_of(&told, "is left out"), 50);
    expect_told(
        "there are 27 warnings more about this document [Choose what is of use with only.]");
}

/* Settings and lists around it are read to 64 levels: what is deeper is any value. */
static void test_deep_schemas_end(void **state)
{
    (void)state;
    mgi_buf_puts(&document, "\"paths\":{\"/a\":{\"put\":{\"requestBody\":{\"content\":{"
                            "\"application/json\":{\"schema\":");
    for (int i = 0; i < 110; i++)
        mgi_buf_puts(&document, "{\"items\":");
    mgi_buf_puts(&document, "{\"default\":");
    for (int i = 0; i < 9; i++)
        mgi_buf_putc(&document, '[');
    for (int i = 0; i < 9; i++)
        mgi_buf_putc(&document, ']');
    mgi_buf_puts(&document, "}");
    for (int i = 0; i < 110; i++)
        mgi_buf_puts(&document, "}");
    mgi_buf_puts(&document, "}}}}}}}");
    assert_true(load(""));
    assert_int_equal(told.len, 0);
    size_t levels = count_of(&requests, "\"items\":");
    assert_in_range(levels, 30, 40);
}

static void test_nested_deeper_than_128_is_no_document(void **state)
{
    (void)state;
    mgi_buf_puts(&document, "\"paths\":");
    for (int i = 0; i < 128; i++)
        mgi_buf_puts(&document, "[");
    assert_false(load(""));
    expect_told("error JSON openapi/doc.json:1:");
}

static void put_order(int i, int next)
{
    mgi_buf_printf(&document,
                   "%s\"Order%d\":{\"type\":\"object\",\"properties\":{\"next\":{\"$ref\":\"#/"
                   "components/schemas/Order%d\"},\"words\":{\"enum\":[\"%0200d\"],\"description\":"
                   "\"%0500d\"}}}",
                   i ? "," : "", i, next, i, i);
}

/* A chain of schemas, each of which refers to the next one. */
static void test_what_is_referred_to_is_cut(void **state)
{
    (void)state;
    mgi_buf_puts(&document, "\"components\":{\"schemas\":{");
    for (int i = 0; i < 500; i++)
        put_order(i, (i + 1) % 500);
    mgi_buf_puts(
        &document,
        "}},\"paths\":{\"/a\":{\"put\":{\"requestBody\":{\"content\":{\"application/json\":"
        "{\"schema\":{\"type\":\"object\",\"properties\":{\"order\":{\"$ref\":\"#/"
        "components/schemas/Order0\"}}}}}},\"responses\":{\"200\":{\"content\":{"
        "\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Order0\"}}}}}}}}}");
    assert_true(load(""));
    assert_int_equal(told.len, 0);
    const char *input = strstr(requests.ptr, "  input_schema "), *output;
    output = strstr(requests.ptr, "  output_schema ");
    assert_non_null(input);
    assert_non_null(output);
    assert_in_range(output - input, 30 << 10, 33 << 10);
    assert_in_range(strcspn(output, "\n"), 7 << 10, 9 << 10);
    assert_int_equal(count_of(&requests, ":{}"), 2); /* where each of them ends */
    assert_null(strstr(requests.ptr,
                       "0000000000000000000000000000000000000000000000000000000000000"
                       "000000000000000000000000000000000000000000000000000000000000"
                       "000000000000000000000000000000000000000000000000000000000000"
                       "000000000000000000000000000000000000000000000000000000000000"
                       "000000000000000000000000000000000000000000000000000000000000"));
}

static void test_a_large_member_is_any_value(void **state)
{
    (void)state;
    mgi_buf_puts(&document, "\"paths\":{\"/a\":{\"put\":{\"requestBody\":{\"content\":{"
                            "\"application/json\":{\"schema\":{\"type\":\"object\",\"properties\":{"
                            "\"large\":{\"description\":\"of many\",\"enum\":[0");
    for (int i = 1; i < 5000; i++)
        mgi_buf_printf(&document, ",%d", i);
    mgi_buf_puts(&document, "]},\"small\":{\"enum\":[1]}}}}}},\"responses\":{\"200\":{\"content\":{"
                            "\"application/json\":{\"schema\":{\"enum\":[0");
    for (int i = 1; i < 5000; i++)
        mgi_buf_printf(&document, ",%d", i);
    mgi_buf_puts(&document, "]}}}}}}}}}");
    assert_true(load(""));
    assert_non_null(strstr(requests.ptr, "{\"large\":{},\"small\":{\"enum\":[1]}}"));
    assert_null(strstr(requests.ptr, "output_schema"));
}

static void put_operations(int count)
{
    mgi_buf_puts(&document, "\"paths\":{");
    for (int i = 0; i < count; i++)
        mgi_buf_printf(&document,
                       "%s\"/a%d\":{\"get\":{\"tags\":[\"t%d\"],\"operationId\":\"get%d\"}}",
                       i ? "," : "", i, i % 7, i);
    mgi_buf_puts(&document, "}}");
}

static void test_a_thousand_operations_are_several_providers(void **state)
{
    (void)state;
    put_operations(2100);
    assert_true(load(""));
    assert_int_equal(count_of(&requests, "\n  aid "), 2100);
    assert_int_equal(told.len, 0);
    assert_true(load("- {openapi: openapi/doc.json, only: [t3, get1000], except: get3}"));
    assert_int_equal(count_of(&requests, "\n  aid "), 300);
}

/* As large APIs are: a thousand operations over hundreds of schemas that refer to each other. */
static void test_ten_megabytes_load(void **state)
{
    (void)state;
    mgi_buf_puts(&document, "\"components\":{\"schemas\":{");
    for (int i = 0; i < 3000; i++) {
        mgi_buf_printf(&document,
                       "%s\"S%d\":{\"type\":\"object\",\"properties\":{\"next\":{\"$ref\":\"#/"
                       "components/schemas/S%d\"}",
                       i ? "," : "", i, i % 2 ? i - 1 : i + 1);
        for (int k = 0; k < 10; k++)
            mgi_buf_printf(&document, ",\"m%d\":{\"type\":\"string\",\"description\":\"%0200d\"}",
                           k, k);
        mgi_buf_puts(&document, "}}");
    }
    mgi_buf_puts(&document, "}},\"paths\":{");
    for (int i = 0; i < 1000; i++)
        mgi_buf_printf(
            &document,
            "%s\"/a%d/{id}\":{\"put\":{\"operationId\":\"put%d\",\"description\":\"%02800d\","
            "\"parameters\":[{\"name\":\"id\",\"in\":\"path\",\"required\":true}],\"requestBody\":{"
            "\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/"
            "S%d\"}}}},"
            "\"responses\":{\"200\":{\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/"
            "components/schemas/S%d\"}}}}}}}",
            i ? "," : "", i, i, i, i * 3 % 3000, i * 7 % 3000);
    mgi_buf_puts(&document, "}}");
    assert_in_range(document.len, 10 << 20, 12 << 20);
    assert_true(load(""));
    assert_int_equal(told.len, 0);
    assert_int_equal(count_of(&requests, "\n  aid "), 1000);
    assert_int_equal(count_of(&requests, "\n  output_schema "), 1000);
}

static void test_schemas_of_all_have_24_mebibytes(void **state)
{
    (void)state;
    mgi_buf_puts(&document, "\"components\":{\"schemas\":{\"Large\":{\"enum\":[0");
    for (int i = 0; i < 19; i++)
        mgi_buf_printf(&document, ",\"%01000d\"", i);
    mgi_buf_puts(&document, "]}}},\"paths\":{");
    for (int i = 0; i < 1400; i++)
        mgi_buf_printf(
            &document,
            "%s\"/a%d\":{\"put\":{\"operationId\":\"put%d\",\"requestBody\":{\"content\":{"
            "\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Large\"}}}}}}",
            i ? "," : "", i, i);
    mgi_buf_puts(&document, "}}");
    assert_false(load(""));
    expect_told("there are requests and schemas of more than 24 MiB [Choose those of a document");
    assert_true(load("- {openapi: openapi/doc.json, only: put1*}"));
}

static void test_a_domain_has_4096_requests(void **state)
{
    (void)state;
    put_operations(4097);
    assert_false(load(""));
    expect_told("there are 4097 requests, of at most 4096 [Choose those of a document that are of "
                "use with only.]");
    assert_true(load("- {openapi: openapi/doc.json, except: get7}"));
}

static void test_a_file_has_32_mebibytes(void **state)
{
    (void)state;
    put_operations(1);
    size_t len = document.len;
    assert_true(mgi_buf_reserve(&document, (32 << 20) - len + 1));
    memset(document.ptr + len, ' ', (32 << 20) - len + 1);
    document.len = (32 << 20) + 1;
    assert_false(load(""));
    expect_told("it has more than 32 MiB");
    document.len--;
    assert_true(load(""));
}

static void test_twins_are_told_up_to_20(void **state)
{
    (void)state;
    put_operations(100);
    assert_false(load("- openapi/doc.json\n- openapi/doc.json"));
    assert_int_equal(count_of(&told, "error DUPLICATE"), 20);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(test_an_operation_has_256_arguments),
        TEST(test_a_body_of_more_members_is_one_argument),
        TEST(test_warnings_are_told_up_to_50),
        TEST(test_deep_schemas_end),
        TEST(test_nested_deeper_than_128_is_no_document),
        TEST(test_what_is_referred_to_is_cut),
        TEST(test_a_large_member_is_any_value),
        TEST(test_a_thousand_operations_are_several_providers),
        TEST(test_ten_megabytes_load),
        TEST(test_schemas_of_all_have_24_mebibytes),
        TEST(test_a_domain_has_4096_requests),
        TEST(test_a_file_has_32_mebibytes),
        TEST(test_twins_are_told_up_to_20),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
