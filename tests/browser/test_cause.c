/* Causes in captures that were made up: other sites, other errors, other browsers. Each case is a
 * capture in a few lines and what must be said of it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "browser/made.h"
#include "browser/rules_fixture.h"

static struct json diagnose(const struct made *m, const char *error_id)
{
    return diagnosis("diagnose_causal_chain", m->dir, error_id);
}

/* The first step of the chain, or "" if there is none. */
static const char *first_event(const struct json *answer)
{
    const struct json *chain = mgi_json_get(answer, "causal_chain");
    return !chain || chain->count == 0
               ? ""
               : mgi_arena_printf(&arena, "%.*s",
                                  STR_ARG(mgi_member_string(&chain->items[0], "event")));
}

static double confidence(const struct json *answer)
{
    const struct json *sure = mgi_json_get(answer, "confidence");
    return sure ? sure->number : 0;
}

/* The chain begins with `event`, and the fault is of the kind `cause`; "" and NULL: nothing is
 * connected, and that is said. */
static void assert_cause(const char *har, const char *console, const char *error_id,
                         const char *event, const char *cause)
{
    struct made m;
    made_begin(&m, har, console);
    struct json a = diagnose(&m, error_id);
    made_end(&m);
    assert_string_equal(first_event(&a), event);
    if (cause)
        assert_string_equal(
            mgi_arena_printf(&arena, "%.*s", STR_ARG(mgi_member_string(&a, "cause"))), cause);
    else
        assert_non_null(mgi_json_get(&a, "note"));
}

/* ---- the captures of the repository ------------------------------------------------------------
 */

static void test_the_type_error_is_traced_to_the_missing_route(void **state)
{
    (void)state;
    struct json a = diagnosis("diagnose_causal_chain", CAPTURE "users-404", "console-error-3");
    const struct json *chain = mgi_json_get(&a, "causal_chain");
    assert_int_equal(chain->count, 2);
    assert_string_equal(first_event(&a), "GET /api/users answered 404");
    for (uint32_t i = 0; i < chain->count; i++) {
        int64_t ns;
        assert_int_equal(mgi_json_get(&chain->items[i], "step")->integer, i + 1);
        assert_int_equal(mgi_time_parse(mgi_member_string(&chain->items[i], "timestamp"), 0, &ns),
                         TIME_OK);
    }
    assert_true(str_is(mgi_member_string(&a, "cause"), "missing_route"));
    assert_true(mgi_contains(mgi_member_string(&a, "root_cause"), "/api/users"));
    assert_true(confidence(&a) > 0.7 && confidence(&a) < 1);
}

static void test_the_unrelated_error_is_said_to_be_unconnected(void **state)
{
    (void)state;
    struct json a = diagnosis("diagnose_causal_chain", CAPTURE "users-404", "console-error-4");
    assert_string_equal(first_event(&a), "");
    assert_non_null(mgi_json_get(&a, "note"));
    assert_null(mgi_json_get(&a, "root_cause"));
    assert_null(mgi_json_get(&a, "confidence"));
}

static void test_a_page_is_faulty_or_healthy(void **state)
{
    (void)state;
    struct json bad = diagnosis("diagnose_page", CAPTURE "users-404", NULL);
    struct json good = diagnosis("diagnose_page", CAPTURE "healthy", NULL);
    assert_true(str_is(mgi_member_string(&bad, "verdict"), "faulty"));
    const struct json *first = &mgi_json_get(&bad, "findings")->items[0];
    assert_true(
        mgi_contains(mgi_member_string(mgi_json_get(first, "cause"), "text"), "/api/users"));
    assert_true(str_is(mgi_member_string(&good, "verdict"), "healthy"));
    assert_int_equal(mgi_json_get(&good, "findings")->count, 0);
}

/* ---- other failures -------------------------------------------------------------------------- */

static void test_a_503_behind_undefined_data(void **state)
{
    (void)state;
    assert_cause(
        HAR(ENTRY("00.100", "200", "GET", "https://shop.example/v2/basket?x=1", "503", "text/plain",
                  "")),
        ERROR_AT("00350",
                 "Uncaught TypeError: Cannot read properties of undefined (reading 'total')",
                 ",\"stack\":[\"at renderBasket (https://shop.example/js/basket.js:8:3)\"]"),
        "console-error-1", "GET /v2/basket answered 503", "server_error");
}

static void test_a_request_without_an_answer(void **state)
{
    (void)state;
    assert_cause(HAR("{\"startedDateTime\":\"2026-03-01T12:00:00.1Z\",\"time\":20,\"request\":{"
                     "\"method\":\"GET\",\"url\":\"https://a.example/api/prices\"},\"response\":{"
                     "\"status\":0,\"_error\":\"net::ERR_CONNECTION_REFUSED\"}}"),
                 ERROR_AT("00130", "Uncaught (in promise) TypeError: Failed to fetch", ""),
                 "console-error-1", "GET /api/prices failed: nobody listens at its host and port",
                 "unreachable");
}

static void test_a_page_of_html_where_json_was_expected(void **state)
{
    (void)state;
    assert_cause(
        HAR(ENTRY("00.000", "50", "GET", "https://a.example/api/me", "200", "text/html",
                  ",\"text\":\"<!doctype html><title>Sign in</title>\"")),
        ERROR_AT("00060",
                 "SyntaxError: Unexpected token '<', \\\"<!doctype \\\"... is not valid JSON", ""),
        "console-error-1", "GET /api/me answered a page (HTML) in place of data",
        "wrong_content_type");
}

static void test_a_success_whose_body_is_null(void **state)
{
    (void)state;
    assert_cause(HAR(ENTRY("00.000", "50", "GET", "https://a.example/api/orders/7", "200",
                           "application/json", ",\"text\":\" null\\n\"")),
                 ERROR_AT("00060", "TypeError: null is not an object (evaluating 'order.lines')",
                          ",\"stack\":\"showOrder@https://a.example/order-page.js:20:9\""),
                 "console-error-1", "GET /api/orders/7 answered null", "empty_data");
}

static void test_null_in_a_body_is_enough_when_it_is_alone(void **state)
{
    (void)state;
    assert_cause(
        HAR(ENTRY("00.000", "50", "GET", "https://a.example/api/profile", "200", "application/json",
                  ",\"text\":\"null\"")),
        ERROR_AT("00060", "TypeError: Cannot read properties of null (reading 'avatar')", ""),
        "console-error-1", "GET /api/profile answered null", "empty_data");
}

/* Nothing specific: of two failures the one right before the error, or, if both are near, neither.
 */
static void test_of_two_failures_the_nearest_by_far(void **state)
{
    (void)state;
    static const char error[] =
        ERROR_AT("02060", "TypeError: Cannot read properties of null (reading 'avatar')", "");
    assert_cause(
        HAR(ENTRY("00.000", "50", "GET", "https://a.example/api/one", "500", "",
                  "") "," ENTRY("02.000", "50", "GET", "https://a.example/api/two", "500", "", "")),
        error, "console-error-1", "GET /api/two answered 500", "server_error");
    assert_cause(
        HAR(ENTRY("01.990", "50", "GET", "https://a.example/api/one", "500", "",
                  "") "," ENTRY("02.000", "50", "GET", "https://a.example/api/two", "500", "", "")),
        error, "console-error-1", "", NULL);
}

static void test_a_graphql_answer_with_errors(void **state)
{
    (void)state;
    assert_cause(
        HAR(ENTRY(
            "00.000", "50", "POST", "https://a.example/graphql", "200", "application/json",
            ",\"text\":\"{\\\"data\\\":null,\\\"errors\\\":[{\\\"message\\\":\\\"x\\\"}]}\"")),
        ERROR_AT("00060", "TypeError: Cannot read properties of null (reading 'viewer')", ""),
        "console-error-1", "POST /graphql answered 200 with an error in it: x", "error_in_body");
}

static void test_a_script_that_was_not_loaded(void **state)
{
    (void)state;
    assert_cause(HAR(ENTRY("00.000", "50", "GET", "https://cdn.example/chartlib.min.js", "404",
                           "text/html", "")),
                 ERROR_AT("00080", "Uncaught ReferenceError: ChartLib is not defined", ""),
                 "console-error-1", "GET /chartlib.min.js answered 404", "missing_script");
}

static void test_a_message_that_tells_the_status(void **state)
{
    (void)state;
    assert_cause(HAR(ENTRY("00.000", "50", "GET", "https://a.example/q/1", "429", "text/plain",
                           "") "," ENTRY("00.010", "50", "GET", "https://a.example/z/1", "500",
                                         "text/plain", "")),
                 ERROR_AT("00080", "AxiosError: Request failed with status code 429", ""),
                 "console-error-1", "GET /q/1 answered 429", "rate_limited");
}

static void test_the_browsers_own_report_belongs_to_its_request(void **state)
{
    (void)state;
    assert_cause(
        HAR(ENTRY("00.000", "50", "GET", "https://a.example/one.png", "404", "",
                  "") "," ENTRY("00.000", "50", "GET", "https://a.example/two.png", "403", "", "")),
        ERROR_AT("00040", "Failed to load resource: the server responded with a status of 403 ()",
                 ",\"source\":\"network\",\"url\":\"https://a.example/two.png\""),
        "console-error-1", "GET /two.png answered 403", "not_authorized");
}

/* ---- what does not connect ------------------------------------------------------------------- */

#define TWO_FAILURES                                                                               \
    HAR(ENTRY("00.000", "50", "GET", "https://a.example/api/users", "404", "application/json",     \
              "") "," ENTRY("00.020", "50", "GET", "https://a.example/api/invoices", "500",        \
                            "application/json", ""))

static void test_two_errors_have_two_causes(void **state)
{
    (void)state;
    static const char console[] =
        ERROR_AT("00090", "TypeError: Cannot read properties of null (reading 'map')",
                 ",\"stack\":[\"at UserTable (https://a.example/app.js:1:1)\"]")
            ERROR_AT("00095", "TypeError: Cannot read properties of null (reading 'sum')",
                     ",\"stack\":[\"at InvoicePanel (https://a.example/app.js:2:1)\"]");
    assert_cause(TWO_FAILURES, console, "console-error-1", "GET /api/users answered 404",
                 "missing_route");
    assert_cause(TWO_FAILURES, console, "console-error-2", "GET /api/invoices answered 500",
                 "server_error");
}

/* One failed request, two errors: the second is of another making, whatever it looks like. */
static void test_of_two_errors_only_one_is_connected(void **state)
{
    (void)state;
    static const char har[] = HAR(ENTRY("00.000", "50", "GET", "https://a.example/api/orders",
                                        "503", "application/json", ""));
    static const char *const others[] = {
        ERROR_AT("00070", "ReferenceError: gtag is not defined", ""),
        ERROR_AT("00070", "TypeError: this.focus is not a function", ""),
        ERROR_AT("00070", "TypeError: Cannot set properties of null (setting 'innerHTML')", ""),
        ERROR_AT("00070", "TypeError: Cannot read properties of null (reading 'addEventListener')",
                 ""),
        ERROR_AT("00070", "ResizeObserver loop completed with undelivered notifications.", ""),
        ERROR_AT("00070", "TypeError: Cannot read properties of undefined (reading 'dpr')",
                 ",\"stack\":[\"at tick (https://a.example/clock.js:1:1)\"]"),
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char console[1000];
        snprintf(console, sizeof console, "%s%s",
                 ERROR_AT("00060", "TypeError: Cannot read properties of null (reading 'length')",
                          ",\"stack\":[\"at OrderList (https://a.example/orders.js:3:1)\"]"),
                 others[i]);
        assert_cause(har, console, "console-error-1", "GET /api/orders answered 503",
                     "server_error");
        assert_cause(har, console, "console-error-2", "", NULL);
    }
}

static void test_an_error_before_the_answer_is_not_its_effect(void **state)
{
    (void)state;
    assert_cause(
        HAR(ENTRY("05.000", "50", "GET", "https://a.example/api/users", "404", "", "")),
        ERROR_AT("00090", "TypeError: Cannot read properties of null (reading 'users')", ""),
        "console-error-1", "", NULL);
}

static void test_an_error_long_after_is_not_its_effect(void **state)
{
    (void)state;
    assert_cause(
        HAR(ENTRY("00.000", "50", "GET", "https://a.example/api/users", "404", "", "")),
        ERROR_AT("40000", "TypeError: Cannot read properties of null (reading 'users')", ""),
        "console-error-1", "", NULL);
}

static void test_scripts_that_have_nothing_in_common_do_not_connect(void **state)
{
    (void)state;
    assert_cause(
        HAR("{\"startedDateTime\":\"2026-03-01T12:00:00Z\",\"time\":50,\"_initiator\":{\"type\":"
            "\"script\",\"stack\":{\"callFrames\":[{\"functionName\":\"beat\",\"url\":"
            "\"https://a.example/heartbeat.js\",\"lineNumber\":1,\"columnNumber\":1}]}},"
            "\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/api/beat\"},"
            "\"response\":{\"status\":500}}"),
        ERROR_AT("00060", "TypeError: Cannot read properties of null (reading 'x')",
                 ",\"stack\":[\"at draw (https://a.example/canvas.js:1:1)\"]"),
        "console-error-1", "", NULL);
}

static void test_an_answer_without_a_fault_causes_nothing(void **state)
{
    (void)state;
    assert_cause(
        HAR(ENTRY("00.000", "50", "GET", "https://a.example/api/users", "200", "application/json",
                  ",\"text\":\"[1]\"") "," ENTRY("00.000", "50", "POST",
                                                 "https://a.example/api/users", "204", "", "")),
        ERROR_AT("00060", "TypeError: Cannot read properties of null (reading 'users')", ""),
        "console-error-1", "", NULL);
}

/* ---- confidence ------------------------------------------------------------------------------ */

static void test_more_evidence_gives_more_confidence(void **state)
{
    (void)state;
    static const char har[] = HAR(
        ENTRY("00.000", "50", "GET", "https://a.example/api/users", "404", "application/json", ""));
    static const char *const consoles[] = {
        ERROR_AT("00060", "TypeError: Cannot read properties of null (reading 'x')", ""),
        ERROR_AT("00060", "TypeError: Cannot read properties of null (reading 'users')", ""),
        ERROR_AT("00060", "TypeError: Cannot read properties of null: /api/users gave 404", ""),
    };
    double before = 0, first = 0;
    for (size_t i = 0; i < sizeof consoles / sizeof consoles[0]; i++) {
        struct made m;
        made_begin(&m, har, consoles[i]);
        struct json a = diagnose(&m, "console-error-1");
        made_end(&m);
        assert_true(confidence(&a) >= before);
        assert_true(confidence(&a) < 1);
        before = confidence(&a);
        first = i == 0 ? before : first;
    }
    assert_true(before > first);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void test_frames_of_all_browsers_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *line, *function, *url;
        int64_t at, column;
    } cases[] = {
        { "at UserList.render (http://h:80/a.js:11:24)", "UserList.render", "http://h:80/a.js", 11,
          24 },
        { "    at async load (http://h/a.js:1:2)", "load", "http://h/a.js", 1, 2 },
        { "at http://h/a.js:7:38", "", "http://h/a.js", 7, 38 },
        { "at new Map2 (<anonymous>)", "Map2", "<anonymous>", 0, 0 },
        { "render@http://h/a.js:14:23", "render", "http://h/a.js", 14, 23 },
        { "@http://h/a.js:14", "", "http://h/a.js", 14, 0 },
        { "http://h/a.js", "", "http://h/a.js", 0, 0 },
        { "at x [as y] (http://h/a.js:1:999999999999)", "x", "http://h/a.js:1:999999999999", 0, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct frame f;
        assert_true(mgi_frame_parse(str_of(cases[i].line), &f));
        assert_true(str_is(f.function, cases[i].function));
        if (i != 7)
            assert_true(str_is(f.url, cases[i].url));
        assert_int_equal(f.line, cases[i].at);
        assert_int_equal(f.column, cases[i].column);
    }
    struct frame f;
    assert_false(mgi_frame_parse(STR_LIT("   "), &f));
}

static void test_words_are_shared_when_they_mean_something(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b, *shared;
    } cases[] = {
        { "/api/users", "UserList.render", "user" },
        { "/v1/categories", "CategoryTree", "categor" },
        { "/api/list", "ItemList", "" },
        { "/api/data.json", "index.js", "" },
        { "/a/b", "b a", "" },
        { "", "x", "" },
        { "/ORDERS", "order-table", "ORDER" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_true(
            str_is(mgi_shared_word(str_of(cases[i].a), str_of(cases[i].b)), cases[i].shared));
}

static void test_parts_of_addresses(void **state)
{
    (void)state;
    assert_true(str_is(mgi_url_path(STR_LIT("https://h:1/a/b?c#d")), "/a/b"));
    assert_true(str_is(mgi_url_path(STR_LIT("https://h")), "/"));
    assert_true(str_is(mgi_url_path(STR_LIT("")), "/"));
    assert_true(str_is(mgi_url_origin(STR_LIT("https://h:1/a")), "https://h:1"));
    assert_true(str_is(mgi_url_origin(STR_LIT("/a")), ""));
    assert_true(str_is(mgi_url_file(STR_LIT("https://h/a/b.js?x")), "b.js"));
    assert_true(str_is(mgi_url_file(STR_LIT("https://h/a/b/")), "b"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_type_error_is_traced_to_the_missing_route),
        cmocka_unit_test(test_the_unrelated_error_is_said_to_be_unconnected),
        cmocka_unit_test(test_a_page_is_faulty_or_healthy),
        cmocka_unit_test(test_a_503_behind_undefined_data),
        cmocka_unit_test(test_a_request_without_an_answer),
        cmocka_unit_test(test_a_page_of_html_where_json_was_expected),
        cmocka_unit_test(test_a_success_whose_body_is_null),
        cmocka_unit_test(test_null_in_a_body_is_enough_when_it_is_alone),
        cmocka_unit_test(test_of_two_failures_the_nearest_by_far),
        cmocka_unit_test(test_a_graphql_answer_with_errors),
        cmocka_unit_test(test_a_script_that_was_not_loaded),
        cmocka_unit_test(test_a_message_that_tells_the_status),
        cmocka_unit_test(test_the_browsers_own_report_belongs_to_its_request),
        cmocka_unit_test(test_two_errors_have_two_causes),
        cmocka_unit_test(test_of_two_errors_only_one_is_connected),
        cmocka_unit_test(test_an_error_before_the_answer_is_not_its_effect),
        cmocka_unit_test(test_an_error_long_after_is_not_its_effect),
        cmocka_unit_test(test_scripts_that_have_nothing_in_common_do_not_connect),
        cmocka_unit_test(test_an_answer_without_a_fault_causes_nothing),
        cmocka_unit_test(test_more_evidence_gives_more_confidence),
        cmocka_unit_test(test_frames_of_all_browsers_are_read),
        cmocka_unit_test(test_words_are_shared_when_they_mean_something),
        cmocka_unit_test(test_parts_of_addresses),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
