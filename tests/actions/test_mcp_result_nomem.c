/* What becomes of a tool's result, in all its shapes; and that it survives the failure of any one
 * allocation. X-ACT-4, X-TOOL-21, X-TOOL-22. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "support/nomem.h"

#include "../../plugins/mcp/result.c"

static struct json parsed(struct arena *a, const char *text)
{
    struct json v = { .type = JSON_NULL };
    assert_int_equal(mgi_json_parse(a, mgi_arena_str(a, str_of(text)), NULL, &v, NULL), JSON_OK);
    return v;
}

/* With so much room; the reason where there is no output. */
static const char *output_of(struct arena *a, const char *text, size_t most)
{
    struct buf out = { 0 };
    struct json v = parsed(a, text);
    const char *why = "out of memory";
    bool good = result_write(&out, &v, most, &why);
    const char *kept = mgi_arena_printf(a, "%s", good ? out.ptr : why);
    mgi_buf_fini(&out);
    return kept;
}

static void test_each_shape_has_its_output(void **state)
{
    static const struct {
        const char *result, *output;
    } cases[] = {
        { "{\"structuredContent\":{\"a\":\"b\\u200bc\",\"x\\u202ey\":1}}", "{\"a\":\"bc\"}" },
        { "{\"structuredContent\":[1,null]}", "{\"value\":[1,null]}" },
        { "{\"structuredContent\":null,\"content\":[]}", "{\"text\":\"\"}" },
        { "{}", "its result has no content" },
        { "{\"content\":[{\"type\":\"text\",\"text\":\" {\\\"a\\\":1} \"}]}", "{\"a\":1}" },
        { "{\"content\":[{\"type\":\"text\",\"text\":\"[1]\"}]}", "{\"text\":\"[1]\"}" },
        { "{\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\",\"text\":\"b\"}]}",
          "{\"text\":\"a\\nb\"}" },
        { "{\"content\":[{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"_-8\"}]}",
          "{\"text\":\"\",\"files\":[{\"kind\":\"image\",\"mime_type\":\"image/png\",\"bytes\":2,"
          "\"sha256\":\"b6e2c63144f1cd8b806ef4206dea177ec4e756614d9ee5b6521dac2136a67ba7\","
          "\"base64\":\"/+8=\"}]}" },
        { "{\"content\":[{\"type\":\"audio\",\"mimeType\":\"a/b\",\"data\":\"no base64!\"}]}",
          "{\"text\":\"\",\"files\":[{\"kind\":\"audio\",\"mime_type\":\"a/b\"}],"
          "\"notes\":[\"of 1 files the bytes are not kept\"]}" },
        { "{\"content\":[{\"type\":\"resource_link\",\"uri\":\"x:y\",\"name\":\"n\\u001b\"},7]}",
          "{\"text\":\"\",\"links\":[{\"uri\":\"x:y\",\"name\":\"n\"}],"
          "\"notes\":[\"1 blocks of an unknown kind were left out\"]}" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a;
        mgi_arena_init(&a, 0);
        const char *shown = output_of(&a, cases[i].result, RESULT_TEXT_BYTES);
        assert_string_equal(shown, cases[i].output);
        mgi_arena_fini(&a);
    }
}

static void test_what_there_is_no_room_for_is_said(void **state)
{
    struct arena a;
    (void)state;
    mgi_arena_init(&a, 0);
    const char *shown = output_of(&a,
                                  "{\"content\":[{\"type\":\"text\",\"text\":\"0123456789\"},"
                                  "{\"type\":\"image\",\"mimeType\":\"i\",\"data\":\"AAAAAAAA\"},"
                                  "{\"type\":\"image\",\"mimeType\":\"j\",\"data\":\"AAAA\"}]}",
                                  8);
    assert_non_null(strstr(shown, "{\"text\":\"01234567\""));
    assert_non_null(strstr(shown, "\"mime_type\":\"i\",\"bytes\":6"));
    assert_null(strstr(shown, "AAAAAAAA"));
    assert_non_null(strstr(shown, "\"base64\":\"AAAA\""));
    assert_non_null(strstr(shown, "[\"the text was cut\",\"of 1 files the bytes are not kept\"]"));
    mgi_arena_fini(&a);
}

static void test_an_error_is_one_line(void **state)
{
    static const struct {
        const char *result, *said;
        bool is_error;
    } cases[] = {
        { "{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"no\\n\\u001b[31msuch\"}]}",
          "no [31msuch", true },
        { "{\"isError\":true}", "the tool failed and did not say why", true },
        { "{\"isError\":\"true\"}", "the tool failed and did not say why", false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a;
        struct buf out = { 0 };
        mgi_arena_init(&a, 0);
        struct json v = parsed(&a, cases[i].result);
        assert_int_equal(result_is_error(&v), cases[i].is_error);
        result_error(&out, &v);
        assert_string_equal(out.ptr, cases[i].said);
        mgi_buf_fini(&out);
        mgi_arena_fini(&a);
    }
}

static void test_memory_that_runs_out_is_told(void **state)
{
    static const char *const results[] = {
        "{\"structuredContent\":{\"a\":[\"b\",{\"c\":1}]}}",
        "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"a\\\":1}\"}]}",
        ("{\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"image\",\"mimeType\":\"i\","
         "\"data\":\"AAAA\"},{\"type\":\"resource_link\",\"uri\":\"u\",\"name\":\"n\"},{}]}"),
    };
    (void)state;
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        struct arena a;
        mgi_arena_init(&a, 0);
        struct json v = parsed(&a, results[i]);
        for (size_t n = 1;; n++) {
            struct buf out = { 0 }, said = { 0 };
            const char *why = NULL;
            nomem_fail_at(n);
            bool good = result_write(&out, &v, RESULT_TEXT_BYTES, &why);
            result_error(&said, &v);
            bool failed = nomem_failed();
            nomem_fail_at(0);
            if (!failed)
                assert_true(good && !said.oom);
            assert_true(good || why || out.oom);
            mgi_buf_fini(&out);
            mgi_buf_fini(&said);
            if (!failed)
                break;
        }
        mgi_arena_fini(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_shape_has_its_output),
        cmocka_unit_test(test_what_there_is_no_room_for_is_said),
        cmocka_unit_test(test_an_error_is_one_line),
        cmocka_unit_test(test_memory_that_runs_out_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
