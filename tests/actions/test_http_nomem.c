/* The plugin "http" survives the failure of any one allocation: a table, a request and an answer,
 * or a reason; nothing in between, and nothing leaks (the sanitizer would say so). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "support/nomem.h"

#include "../../plugins/http/redact.c"
#include "../../plugins/http/table.c"

#include "../../plugins/http/answer.c"
#include "../../plugins/http/expand.c"

static const char settings[] =
    "{\"requests\":[{\"aid\":\"AID.T.A.v1\",\"name\":\"a\",\"description\":\"d\",\"method\":"
    "\"POST\",\"origin\":\"https://a.example:443\",\"path\":[\"/x/\",{\"arg\":\"v\"}],"
    "\"query\":[{\"name\":\"q\",\"value\":[\"<\",{\"arg\":\"v\"}]}],\"headers\":[{\"name\":\"X\","
    "\"value\":[{\"arg\":\"v\"}]}],\"auth\":{\"basic\":{\"user\":[\"u\"],\"password\":"
    "[{\"secret\":\"a/b\"}]}},\"body\":{\"json\":true},\"input_schema\":{},\"defaults\":{\"n\":1},"
    "\"ok\":[200],\"statuses\":[{\"from\":404,\"to\":404,\"text\":\"none\"}],\"allow\":"
    "[\"https://b.example:443\"],\"side_effects\":[\"network_io\"],\"flags\":[\"idempotent\"]}]}";

/* Lists, objects, members by other names, and more than one credential. */
static const char shapes[] =
    "{\"requests\":[{\"aid\":\"AID.T.A.v1\",\"name\":\"a\",\"description\":\"d\",\"method\":"
    "\"POST\",\"origin\":\"https://a.example:443\",\"path\":[\"/\",{\"arg\":\"list\"}],"
    "\"query\":[{\"name\":\"j\",\"value\":[{\"arg\":\"list\",\"join\":\"|\"}]},{\"name\":\"d\","
    "\"value\":[{\"arg\":\"deep\"}],\"deep\":true}],\"headers\":[{\"name\":\"X\",\"value\":"
    "[{\"arg\":\"list\"}]}],\"auth\":[{\"header\":{\"name\":\"K\",\"value\":[{\"secret\":"
    "\"a/b\"}]}},{\"query\":{\"name\":\"k\",\"value\":[{\"secret\":\"c d\"}]}}],\"body\":{\"json\":"
    "[\"list\",{\"name\":\"x\",\"value\":[\"<\",{\"arg\":\"v\"},\">\"]}],\"optional\":true},"
    "\"input_schema\":{},\"defaults\":{},\"ok\":[200],\"allow\":[],\"side_effects\":"
    "[\"network_io\"],\"flags\":[]}]}";
static const char arguments[] =
    "{\"v\":\"x y\",\"list\":[1,\"b&\"],\"deep\":{\"a\":{\"b\":[true]}}}";

/* As the transfer keeps it. */
struct str mgi_transfer_header(const struct transfer_result *result, const char *name)
{
    (void)result;
    return str_is(str_of(name), "retry-after") ? STR_LIT("17") : STR_LIT("");
}

/* NULL, or the reason. */
static const char *whole_way(struct arena *arena, const char *text, int status, char shown[1024])
{
    struct http_table table;
    struct http_expansion what;
    struct json input;
    struct buf out = { 0 };
    struct transfer_result result = { .status = status, .host = STR_LIT("a.example") };
    const char *why = mgi_http_table_read(arena, str_of(text), &table);
    if (!why && mgi_json_parse(arena, str_of(text == settings ? "{\"v\":\"x y\"}" : arguments),
                               NULL, &input, NULL) != JSON_OK)
        why = "out of memory";
    if (!why)
        why = mgi_http_expand(arena, &table.items[0], &input, &what);
    if (why)
        return why;
    mgi_buf_puts(&result.body, "{\"title\":\"a/b\",\"x\":[\"\\u00e9\",1]}");
    why =
        result.body.oom ? "out of memory" : mgi_http_answer(arena, &table.items[0], &result, &out);
    if (!why || status != 200)
        snprintf(shown, 1024, "%s|%s|%s|%.*s|%s", what.url, what.headers[0].line,
                 what.headers[1].line, STR_ARG(what.body),
                 why ? mgi_http_clean(arena, &table.items[0], why) : out.ptr);
    mgi_buf_fini(&out);
    mgi_buf_fini(&result.body);
    return status == 200 || (why && strstr(why, "memory")) ? why : NULL;
}

static void try_often(const char *text, int status, const char *want)
{
    for (size_t n = 1;; n++) {
        struct arena arena;
        char shown[1024] = "";
        mgi_arena_init(&arena, 0);
        nomem_fail_at(n);
        const char *why = whole_way(&arena, text, status, shown);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (!failed) {
            assert_null(why);
            assert_string_equal(shown, want);
            assert_true(n > 3);
        }
        /* Where an answer is a failure, half of what the server says of it may be missing. */
        if (failed && status == 200)
            assert_non_null(why);
        mgi_arena_fini(&arena);
        if (!failed)
            return;
    }
}

static const char asked[] = "https://a.example:443/x/x%20y?q=%3Cx%20y|X: x y|Authorization: Basic "
                            "dTphL2I=|{\"v\":\"x y\",\"n\":1}|";

static void test_nothing_is_made_of_half_the_memory(void **state)
{
    char want[1024];
    (void)state;
    snprintf(want, sizeof want,
             "%s{\"status\":200,\"headers\":{\"retry-after\":\"17\"},"
             "\"body\":{\"title\":\"[secret]\",\"x\":[\"é\",1]}}",
             asked);
    try_often(settings, 200, want);
    snprintf(want, sizeof want, "%snone (a.example answered 404): [secret]; it asks to wait 17 s",
             asked);
    try_often(settings, 404, want);
    try_often(shapes, 200,
              "https://a.example:443/1,b%26?j=1%7Cb%26&d%5Ba%5D%5Bb%5D%5B0%5D=true&k=c%20d|X: "
              "1,b&|K: a/b|"
              "{\"list\":[1,\"b&\"],\"x\":\"<x "
              "y>\"}|{\"status\":200,\"headers\":{\"retry-after\":\"17\"},"
              "\"body\":{\"title\":\"[secret]\",\"x\":[\"é\",1]}}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_made_of_half_the_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
