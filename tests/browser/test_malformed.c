/* Captures that are broken, missing, empty, hostile or very large: a precise error, or an answer,
 * and never anything else. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "browser/fake_host.h"
#include "browser/made.h"
#include "sys/clock.h"

static int begin(void **state)
{
    (void)state;
    plugin_load();
    return 0;
}

static int end(void **state)
{
    (void)state;
    plugin_unload();
    return 0;
}

static th_status run_on(th_call *call, const struct made *m, const char *tool)
{
    char input[200];
    snprintf(input, sizeof input, "{\"capture\":\"%s\"}", m->dir);
    return plugin_call(call, tool, input);
}

/* The capture is refused, and the message holds `said`. */
static void assert_refused(const char *har, const char *console, const char *said)
{
    struct made m;
    th_call call;
    made_begin(&m, har, console);
    th_status status = run_on(&call, &m, "observe_page");
    made_end(&m);
    assert_int_equal(status, TH_TOOL_ERROR);
    if (!strstr(call.error.ptr, said))
        fail_msg("\"%s\" does not say \"%s\"", call.error.ptr, said);
    assert_int_equal(call.output.len, 0);
    assert_int_equal(call.delta.len, 0);
    call_fini(&call);
}

static void test_a_broken_har_is_refused_with_the_place(void **state)
{
    (void)state;
    static const struct {
        const char *har, *said;
    } cases[] = {
        { "", "network.har:1:1" },
        { "{\"log\":\n {\"entries\": [}}", "network.har:2:" },
        { "[]", "log.entries is missing" },
        { "{}", "log.entries is missing" },
        { "{\"log\":[]}", "log.entries is missing" },
        { "{\"log\":{\"entries\":{}}}", "log.entries is missing or no array" },
        { HAR("null"), "log.entries[0].startedDateTime is missing" },
        { HAR("{\"request\":{\"url\":\"x\",\"method\":\"GET\"}}"), "startedDateTime is missing" },
        { HAR(ENTRY("00", "1", "GET", "http://h/", "200", "",
                    "") ",{\"startedDateTime\":\"yesterday\"}"),
          "log.entries[1].startedDateTime" },
        { HAR("{\"startedDateTime\":\"2026-03-01T12:00:00Z\"}"), "request.url is missing" },
        { HAR(ENTRY("00", "1", "GET", "http://h/", "1404", "", "")), "status 1404 is no status" },
        { HAR(ENTRY("00", "1", "GET", "http://h/", "-1", "", "")), "status -1 is no status" },
        { "{\"log\":1,\"log\":2}", "network.har:1:" },
        { "{\"log\":{\"entries\":[\"\xff\"]}}", "network.har:1:" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(cases[i].har, "", cases[i].said);
}

static void test_a_broken_console_is_refused_with_the_line(void **state)
{
    (void)state;
    static const struct {
        const char *console, *said;
    } cases[] = {
        { "{\"ts\":1", "console.jsonl:1:" },
        { "\n\n[1]\n", "console.jsonl:3: the line holds no JSON object" },
        { "{}\n", "console.jsonl:1: ts is no time" },
        { "{\"ts\":\"1\",\"level\":\"error\",\"text\":\"x\"}", "ts is no time" },
        { "{\"ts\":-1,\"level\":\"error\",\"text\":\"x\"}", "ts is no time" },
        { "{\"ts\":9223372036855,\"level\":\"error\",\"text\":\"x\"}", "ts is no time" },
        { "{\"ts\":1e300,\"level\":\"error\",\"text\":\"x\"}", "ts is no time" },
        { "{\"ts\":1,\"level\":\"fatal\",\"text\":\"x\"}", "level is none of" },
        { "{\"ts\":1,\"level\":\"error\"}", "text is missing" },
        { "{\"ts\":1,\"level\":\"error\",\"text\":\"x\",\"url\":7}", "url is no string" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(HAR(""), cases[i].console, cases[i].said);
}

static void test_all_faults_are_told_at_once(void **state)
{
    (void)state;
    struct made m;
    th_call call;
    made_begin(&m, HAR("{},{}"), "{}\nx\n");
    assert_int_equal(run_on(&call, &m, "observe_page"), TH_TOOL_ERROR);
    made_end(&m);
    assert_non_null(strstr(call.error.ptr, "log.entries[0]."));
    assert_non_null(strstr(call.error.ptr, "log.entries[1]."));
    assert_non_null(strstr(call.error.ptr, "console.jsonl:1: ts"));
    assert_non_null(strstr(call.error.ptr, "console.jsonl:2:"));
    call_fini(&call);
}

static void test_thousands_of_faults_make_a_short_message(void **state)
{
    (void)state;
    struct made m;
    th_call call;
    char console[8000];
    memset(console, '\n', sizeof console - 1);
    console[sizeof console - 1] = '\0';
    for (size_t i = 0; i < sizeof console - 1; i += 2)
        console[i] = 'x';
    made_begin(&m, HAR(""), console);
    assert_int_equal(run_on(&call, &m, "observe_page"), TH_TOOL_ERROR);
    made_end(&m);
    assert_non_null(strstr(call.error.ptr, "and 3988 more"));
    assert_in_range(call.error.len, 1, 4096); /* T-RSP-5 */
    call_fini(&call);
}

static void test_a_missing_file_is_named(void **state)
{
    (void)state;
    assert_refused(NULL, "", "network.har is missing");
    assert_refused(HAR(""), NULL, "console.jsonl is missing");
    assert_refused(NULL, NULL, "network.har is missing; console.jsonl is missing");
}

static void assert_path_refused(const char *path, const char *said)
{
    th_call call;
    char input[400];
    snprintf(input, sizeof input, "{\"capture\":%s}", path);
    assert_int_equal(plugin_call(&call, "observe_page", input), TH_TOOL_ERROR);
    if (!strstr(call.error.ptr, said))
        fail_msg("\"%s\" does not say \"%s\"", call.error.ptr, said);
    call_fini(&call);
}

static void test_only_a_folder_is_a_capture(void **state)
{
    (void)state;
    assert_path_refused("\"/dev/null\"", "is not a folder");
    assert_path_refused("\"/etc/hostname\"", "\"hostname\" is not a folder");
    assert_path_refused("\"/nowhere/at-all\"", "could not be opened");
    assert_path_refused("\"\"", "no capture is chosen");
    assert_path_refused("null", "no capture is chosen");
    assert_path_refused("7", "capture is an integer, a string is needed");
    assert_path_refused("\"/tmp\\u0000/x\"", "zero byte");
    th_call call;
    assert_int_equal(plugin_call(&call, "observe_page", "{"), TH_TOOL_ERROR);
    call_fini(&call);
}

/* A pipe would wait for a writer that never comes; a directory and a huge file are refused unread.
 */
static void test_only_regular_files_of_a_bearable_size_are_read(void **state)
{
    (void)state;
    struct made m;
    th_call call;
    char path[160];
    made_begin(&m, NULL, "");
    snprintf(path, sizeof path, "%s/network.har", m.dir);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(run_on(&call, &m, "observe_page"), TH_TOOL_ERROR);
    assert_non_null(strstr(call.error.ptr, "network.har is not a regular file"));
    call_fini(&call);
    unlink(path);

    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(run_on(&call, &m, "observe_page"), TH_TOOL_ERROR);
    assert_non_null(strstr(call.error.ptr, "network.har is not a regular file"));
    call_fini(&call);
    rmdir(path);

    made_text(&m, "network.har", "{}");
    assert_int_equal(truncate(path, (off_t)CAPTURE_MAX_FILE_BYTES + 1), 0);
    assert_int_equal(run_on(&call, &m, "observe_page"), TH_TOOL_ERROR);
    assert_non_null(
        strstr(call.error.ptr, "network.har has 67108865 bytes, the limit is 67108864"));
    call_fini(&call);
    made_end(&m);
}

static void test_an_empty_capture_answers_every_question(void **state)
{
    (void)state;
    struct made m;
    made_begin(&m, HAR(""), "");
    for (size_t i = 0; i < plugin_tools.count; i++) {
        th_call call;
        const char *tool = plugin_tools.tools[i].name;
        th_status status = run_on(&call, &m, tool);
        /* Either an answer, or a sentence on what is not there. */
        assert_true(status == TH_OK ? call.output.len > 1 : call.error.len > 10);
        if (strcmp(tool, "observe_page") == 0)
            assert_int_equal(status, TH_OK);
        call_fini(&call);
    }
    made_end(&m);
}

static void test_broken_optional_files_spoil_only_their_questions(void **state)
{
    (void)state;
    struct made m;
    th_call call;
    made_begin(&m, HAR(""), "");
    made_text(&m, "dom.json", "[");
    made_text(&m, "storage.json", "[]");
    made_text(&m, "performance.json", "{\"marks\":7,\"navigation\":[]}");
    made_text(&m, "screenshot.png", "GIF89a");
    static const struct {
        const char *tool, *said;
    } cases[] = {
        { "read_forms", "dom.json:1:" },
        { "trace_dom_impact", "dom.json:1:" },
        { "read_cookies", "storage.json: the file holds no JSON object" },
        { "read_screenshot", "screenshot.png is no PNG picture" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(run_on(&call, &m, cases[i].tool), TH_TOOL_ERROR);
        assert_non_null(strstr(call.error.ptr, cases[i].said));
        call_fini(&call);
    }
    assert_int_equal(run_on(&call, &m, "performance_marks"), TH_OK);
    assert_non_null(strstr(call.output.ptr, "\"marks\":[]"));
    call_fini(&call);
    assert_int_equal(run_on(&call, &m, "summarize_network"), TH_OK);
    call_fini(&call);
    made_end(&m);
}

static void test_what_browsers_really_export_is_read(void **state)
{
    (void)state;
    struct made m;
    th_call call;
    /* A byte order mark, an offset instead of Z, -1 for what does not apply, half a character. */
    made_begin(
        &m,
        "\xef\xbb\xbf{\"log\":{\"pages\":[{\"id\":\"page_7\",\"title\":\"\\ud83d\"}],\"entries\":["
        "{\"startedDateTime\":\"2026-03-01T13:00:00.5+01:00\",\"time\":-1,\"request\":{\"method\":"
        "\"GET\",\"url\":\"http://h/\\ud83d\\ude00\"},\"response\":{\"status\":200}}]}}",
        "\r\n{\"ts\":1772366400000.25,\"level\":\"warn\",\"text\":\"x\"}\r\n");
    assert_int_equal(run_on(&call, &m, "observe_page"), TH_OK);
    made_end(&m);
    assert_non_null(strstr(call.output.ptr, "\"session_id\":\"page_7\""));
    assert_non_null(strstr(call.output.ptr, "\"first_event\":\"2026-03-01T12:00:00Z\""));
    assert_non_null(strstr(call.delta.ptr, "1772366400500"));
    assert_non_null(strstr(call.delta.ptr, "http://h/\xf0\x9f\x98\x80"));
    call_fini(&call);
}

static void test_wrong_arguments_are_explained(void **state)
{
    (void)state;
    struct made m;
    made_begin(&m, HAR(""), "");
    static const struct {
        const char *tool, *more, *said;
    } cases[] = {
        { "query_console", "\"limit\":0", "limit is 0, it may be 1 to 200" },
        { "query_console", "\"limit\":\"9\"", "limit is a string, an integer is needed" },
        { "query_console", "\"level\":\"fatal\"", "level is \"fatal\"" },
        { "query_console", "\"contains\":[]", "contains is an array, a string is needed" },
        { "observe_page", "\"focus\":\"dom\"", "focus is \"dom\"" },
        { "trace_dom_impact", "\"error_id\":\"console-error-1\"", "there is no error" },
        { "request_headers", "\"request_id\":\"r1\"", "there is no request \"r1\"" },
        { "navigate", "\"url\":\"javascript:alert(1)\"", "no http or https address" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        th_call call;
        char input[300];
        snprintf(input, sizeof input, "{\"capture\":\"%s\",%s}", m.dir, cases[i].more);
        assert_int_equal(plugin_call(&call, cases[i].tool, input), TH_TOOL_ERROR);
        if (!strstr(call.error.ptr, cases[i].said))
            fail_msg("\"%s\" does not say \"%s\"", call.error.ptr, cases[i].said);
        call_fini(&call);
    }
    made_end(&m);
}

static void test_a_long_address_is_cut_where_it_is_read(void **state)
{
    (void)state;
    struct made m;
    struct buf har = { 0 };
    th_call call;
    mgi_buf_puts(&har,
                 "{\"log\":{\"entries\":[{\"startedDateTime\":\"2026-03-01T12:00:00Z\",\"time\":1,"
                 "\"_resourceType\":\"document\",\"request\":{\"method\":\"GET\",\"url\":"
                 "\"http://h/");
    for (int i = 0; i < 60; i++)
        mgi_buf_puts(&har, "0123456789");
    mgi_buf_puts(&har, "\"},\"response\":{\"status\":200}}]}}");
    made_begin(&m, har.ptr, "");
    assert_int_equal(run_on(&call, &m, "observe_page"), TH_OK);
    mgi_buf_putc(&call.output, '\0');
    assert_non_null(strstr(call.output.ptr, "\"short_url\":\"http://h/0123"));
    const char *summary = strstr(call.output.ptr, "\"summary\":");
    assert_in_range(strlen(summary), 20, 200);
    call_fini(&call);
    made_end(&m);
    mgi_buf_fini(&har);
}

/* A recording of a browser's own export has everything in it. */
static void test_what_an_export_holds_of_credentials_is_not_shown(void **state)
{
    (void)state;
    struct made m;
    static const char *const tools[] = { "response_body", "request_headers" };
    made_begin(
        &m,
        HAR("{\"startedDateTime\":\"2026-03-01T12:00:00Z\",\"time\":1,\"request\":{\"method\":"
            "\"GET\","
            "\"url\":\"http://h/api\",\"headers\":[{\"name\":\"Referer\",\"value\":"
            "\"http://h/"
            "?access_token=geheim\"}]},\"response\":{\"status\":302,\"headers\":[{\"name\":"
            "\"Location\",\"value\":\"http://h/cb?token=geheim&a=1\"}],\"content\":{\"mimeType\":"
            "\"application/"
            "json\",\"text\":\"{\\\"access_token\\\":\\\"geheim\\\",\\\"a\\\":\\\"b\\\"}\"}}}"),
        "");
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        char input[200];
        th_call call;
        snprintf(input, sizeof input, "{\"capture\":\"%s\",\"request_id\":\"r1\"}", m.dir);
        assert_int_equal(plugin_call(&call, tools[i], input), TH_OK);
        mgi_buf_putc(&call.output, '\0');
        if (strstr(call.output.ptr, "geheim") || !strstr(call.output.ptr, "***"))
            fail_msg("%s: %s", tools[i], call.output.ptr);
        call_fini(&call);
    }
    made_end(&m);
}

/* Places that no file has. */
static void test_a_line_beyond_all_files_is_no_place(void **state)
{
    (void)state;
    static const char *const numbers[] = { "9223372036854775807", "-9223372036854775808", "1e300" };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct made m;
        char har[600];
        th_call call;
        snprintf(har, sizeof har,
                 HAR("{\"startedDateTime\":\"2026-03-01T12:00:00Z\",\"time\":1,\"_initiator\":{"
                     "\"stack\":{\"callFrames\":[{\"functionName\":\"f\",\"url\":\"http://h/a.js\","
                     "\"lineNumber\":%s,\"columnNumber\":%s}]}},\"request\":{\"method\":\"GET\","
                     "\"url\":\"http://h/api\"},\"response\":{\"status\":500}}"),
                 numbers[i], numbers[i]);
        made_begin(&m, har, "");
        assert_int_equal(run_on(&call, &m, "observe_page"), TH_OK);
        call_fini(&call);
        made_end(&m);
    }
}

/* Six thousand failed requests and as many errors: answers stay small, and come soon. */
static void test_a_very_large_capture_is_answered_in_bounds(void **state)
{
    (void)state;
    struct made m;
    struct buf har, console;
    mgi_buf_init(&har);
    mgi_buf_init(&console);
    mgi_buf_puts(&har, "{\"log\":{\"entries\":[");
    for (int i = 0; i < 6000; i++) {
        mgi_buf_printf(&har,
                       "%s{\"startedDateTime\":\"2026-03-01T12:00:%02d.%03dZ\",\"time\":1,"
                       "\"_initiator\":{\"stack\":{\"callFrames\":[{\"functionName\":\"f%d\","
                       "\"url\":\"http://h/a.js\"}]}},\"request\":{\"method\":\"GET\",\"url\":"
                       "\"http://h/api/thing%d\"},\"response\":{\"status\":500}}",
                       i ? "," : "", i / 1000, i % 1000, i % 7, i);
        mgi_buf_printf(&console,
                       "{\"ts\":%lld,\"level\":\"error\",\"text\":\"TypeError: x is null %d\","
                       "\"stack\":[\"at f1 (http://h/a.js:1:1)\",\"at g (http://h/a.js:2:1)\"]}\n",
                       1772366400010LL + i, i);
    }
    mgi_buf_puts(&har, "]}}");
    made_begin(&m, har.ptr, console.ptr);
    for (size_t i = 0; i < plugin_tools.count; i++) {
        th_call call;
        int64_t before = mgi_clock_mono_ns();
        run_on(&call, &m, plugin_tools.tools[i].name);
        int64_t took_ms = (mgi_clock_mono_ns() - before) / NS_PER_MS;
        assert_in_range(call.output.len, 0, 200000);
        assert_in_range(call.delta.len, 0, 200000);
        assert_in_range(took_ms, 0, 20000); /* sanitizers and a busy machine included */
        call_fini(&call);
    }
    made_end(&m);
    mgi_buf_fini(&har);
    mgi_buf_fini(&console);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_broken_har_is_refused_with_the_place),
        cmocka_unit_test(test_a_broken_console_is_refused_with_the_line),
        cmocka_unit_test(test_all_faults_are_told_at_once),
        cmocka_unit_test(test_thousands_of_faults_make_a_short_message),
        cmocka_unit_test(test_a_missing_file_is_named),
        cmocka_unit_test(test_only_a_folder_is_a_capture),
        cmocka_unit_test(test_only_regular_files_of_a_bearable_size_are_read),
        cmocka_unit_test(test_an_empty_capture_answers_every_question),
        cmocka_unit_test(test_broken_optional_files_spoil_only_their_questions),
        cmocka_unit_test(test_what_browsers_really_export_is_read),
        cmocka_unit_test(test_wrong_arguments_are_explained),
        cmocka_unit_test(test_a_long_address_is_cut_where_it_is_read),
        cmocka_unit_test(test_what_an_export_holds_of_credentials_is_not_shown),
        cmocka_unit_test(test_a_line_beyond_all_files_is_no_place),
        cmocka_unit_test(test_a_very_large_capture_is_answered_in_bounds),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
