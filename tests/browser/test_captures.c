/* What the plugin says of the two captures that were recorded from Chromium. The figures below were
 * counted in the files by other means; recording anew changes times, and with them some of these.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "browser/plugin_fixture.h"

#define USERS_404 MGI_SOURCE_DIR "/domains/browser/captures/users-404"
#define HEALTHY   MGI_SOURCE_DIR "/domains/browser/captures/healthy"

/* A tool's answer on a capture; `more` are further members of the input. */
static struct json ask(const char *tool, const char *capture, const char *more, struct json *delta)
{
    th_call call;
    char input[1024];
    snprintf(input, sizeof input, "{\"capture\":\"%s\"%s}", capture, more);
    th_status status = plugin_call(&call, tool, input);
    if (status != TH_OK)
        fail_msg("%s: %.*s", tool, (int)call.error.len, call.error.ptr);
    struct json answer = parse(&call.output);
    if (delta) {
        assert_string_equal(call.delta_type, "manglecp.state_delta"); /* T-MCP-24 */
        *delta = parse(&call.delta);
    }
    call_fini(&call);
    return answer;
}

static int64_t number(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    assert_non_null(v);
    assert_int_equal(v->type, JSON_INT);
    return v->integer;
}

static void assert_text(const struct json *object, const char *name, const char *expected)
{
    const struct json *v = mgi_json_get(object, name);
    assert_non_null(v);
    assert_int_equal(v->type, JSON_STRING);
    char got[600];
    snprintf(got, sizeof got, "%.*s", STR_ARG(v->string));
    assert_string_equal(got, expected);
}

static const struct json *item(const struct json *object, const char *name, uint32_t index)
{
    const struct json *v = mgi_json_get(object, name);
    assert_non_null(v);
    assert_int_equal(v->type, JSON_ARRAY);
    assert_in_range(index, 0, v->count - 1);
    return &v->items[index];
}

/* ---- what an error did to the page -------------------------------------------------------------
 */

static void test_the_empty_element_is_found(void **state)
{
    (void)state;
    struct json a = ask("trace_dom_impact", USERS_404, ",\"error_id\":\"console-error-3\"", NULL);
    assert_text(&a, "component", "UserList");
    assert_text(&a, "summary", "<user-list> is empty");
}

static void test_an_error_may_be_named_by_its_time_or_text(void **state)
{
    (void)state;
    struct json named = ask("error_details", USERS_404, ",\"error_id\":\"console-error-3\"", NULL);
    const char *text = "Uncaught TypeError: Cannot read properties of null (reading 'map')";
    int64_t ns;
    assert_int_equal(
        mgi_time_parse(mgi_member_string(mgi_json_get(&named, "error"), "timestamp"), 0, &ns),
        TIME_OK);
    char more[200];
    snprintf(more, sizeof more, ",\"error_id\":\"error-%lld\"", (long long)(ns / NS_PER_MS));
    struct json by_time = ask("error_details", USERS_404, more, NULL);
    assert_text(mgi_json_get(&by_time, "error"), "text", text);
    snprintf(more, sizeof more, ",\"error_id\":\"%s\"", text);
    struct json by_text = ask("error_details", USERS_404, more, NULL);
    assert_text(mgi_json_get(&by_text, "error"), "error_id", "console-error-3");
}

/* ---- observation ----------------------------------------------------------------------------- */

static size_t count_facts(const struct json *delta, const char *pred)
{
    const struct json *facts = mgi_json_get(delta, "assert");
    size_t count = 0;
    for (uint32_t i = 0; i < facts->count; i++)
        count += str_is(mgi_member_string(&facts->items[i], "pred"), pred);
    return count;
}

static void test_observing_brings_the_facts_of_the_page(void **state)
{
    (void)state;
    struct json delta;
    struct json a = ask("observe_page", USERS_404, "", &delta);
    assert_int_equal(number(&a, "console_errors"), 4);
    assert_int_equal(number(&a, "failed_requests"), 2);
    assert_int_equal(count_facts(&delta, "current_url"), 1);
    assert_int_equal(count_facts(&delta, "console_event"), 10);
    assert_int_equal(count_facts(&delta, "console_error"), 4);
    assert_int_equal(count_facts(&delta, "net_request"), 14);
    assert_int_equal(count_facts(&delta, "net_response"), 14);
    assert_int_equal(count_facts(&delta, "dom_error"), 1);
    assert_int_equal(count_facts(&delta, "capture_rollup"), 0);
}

/* Each fact has what P-2.14 asks of an assertion, and its time twice: as an argument in
 * milliseconds and as the instant at which it holds. */
static void test_facts_are_complete_and_their_times_agree(void **state)
{
    (void)state;
    struct json delta;
    ask("observe_page", USERS_404, "", &delta);
    const struct json *facts = mgi_json_get(&delta, "assert");
    for (uint32_t i = 0; i < facts->count; i++) {
        const struct json *fact = &facts->items[i], *t = mgi_json_get(fact, "t");
        struct str pred = mgi_member_string(fact, "pred");
        assert_text(fact, "category", "session");
        assert_text(mgi_json_get(fact, "source"), "source_type", "scan");
        bool timed = str_is(pred, "console_event") || str_is(pred, "net_request") ||
                     str_is(pred, "net_response") || str_is(pred, "dom_error") ||
                     str_is(pred, "console_error");
        assert_int_equal(t != NULL, timed);
        if (!timed || str_is(pred, "dom_error"))
            continue;
        const struct json *args = mgi_json_get(fact, "args");
        int64_t ns;
        assert_int_equal(mgi_time_parse(mgi_member_string(t, "at"), 0, &ns), TIME_OK);
        assert_int_equal(ns, args->items[args->count - 1].integer * NS_PER_MS);
    }
}

static void test_what_does_not_fit_is_rolled_up_and_errors_come_first(void **state)
{
    (void)state;
    struct json delta;
    struct json a = ask("observe_page", USERS_404, ",\"max_facts\":14", &delta);
    assert_int_equal(mgi_json_get(&delta, "assert")->count, 15);
    assert_int_equal(count_facts(&delta, "console_error"), 3);
    assert_int_equal(count_facts(&delta, "net_request"), 1);
    assert_int_equal(count_facts(&delta, "capture_rollup"), 1);
    assert_int_equal(number(&a, "facts_left_out"), 34);
}

static void test_the_focus_narrows_the_facts(void **state)
{
    (void)state;
    struct json delta;
    ask("observe_page", USERS_404, ",\"focus\":\"network\"", &delta);
    assert_int_equal(count_facts(&delta, "console_event"), 0);
    assert_int_equal(count_facts(&delta, "net_request"), 14);
}

/* ---- the other questions --------------------------------------------------------------------- */

static void test_the_two_captures_are_told_apart(void **state)
{
    (void)state;
    struct json sick = ask("summarize_network", USERS_404, "", NULL);
    struct json well = ask("summarize_network", HEALTHY, "", NULL);
    assert_int_equal(number(&sick, "failed"), 2);
    assert_int_equal(number(&well, "failed"), 0);
    assert_int_equal(number(&sick, "slow"), 1);
    struct json said = ask("summarize_console", HEALTHY, "", NULL);
    assert_int_equal(number(mgi_json_get(&said, "by_level"), "error"), 0);
    assert_int_equal(number(mgi_json_get(&said, "by_level"), "warning"), 1);
}

static void test_questions_about_requests(void **state)
{
    (void)state;
    struct json failed = ask("failed_requests", USERS_404, "", NULL);
    assert_text(item(&failed, "failed", 0), "url", "/img/avatar.png");
    assert_text(item(&failed, "failed", 1), "url", "/api/users");
    struct json slow = ask("slow_requests", USERS_404, "", NULL);
    assert_text(item(&slow, "slow", 0), "url", "/api/reports");
    struct json none = ask("slow_requests", USERS_404, ",\"threshold_ms\":60000", NULL);
    assert_int_equal(number(&none, "total"), 0);
    struct json data = ask("query_network", USERS_404, ",\"kind\":\"data\",\"limit\":2", NULL);
    assert_int_equal(number(&data, "total"), 6);
    assert_int_equal(mgi_json_get(&data, "requests")->count, 2);
    struct json codes = ask("group_requests_by_status", USERS_404, "", NULL);
    assert_int_equal(number(item(&codes, "by_status", 2), "status"), 404);
    assert_int_equal(number(item(&codes, "by_status", 2), "count"), 2);
}

static void test_credentials_are_hidden(void **state)
{
    (void)state;
    th_call call;
    static const char *const asks[][2] = { { "request_headers", ",\"request_id\":\"r9\"" },
                                           { "request_headers", ",\"request_id\":\"r10\"" },
                                           { "read_cookies", "" } };
    for (size_t i = 0; i < 3; i++) {
        char input[300];
        snprintf(input, sizeof input, "{\"capture\":\"%s\"%s}", USERS_404, asks[i][1]);
        assert_int_equal(plugin_call(&call, asks[i][0], input), TH_OK);
        assert_non_null(strstr(call.output.ptr, "(hidden, "));
        assert_null(strstr(call.output.ptr, "5f1c2a7e")); /* the session id that the server set */
        call_fini(&call);
    }
}

static void test_questions_about_the_page(void **state)
{
    (void)state;
    struct json links = ask("read_links", USERS_404, "", NULL);
    assert_int_equal(number(&links, "total"), 3);
    struct json buttons = ask("query_dom", USERS_404, ",\"role\":\"button\"", NULL);
    assert_int_equal(number(&buttons, "total"), 2);
    struct json forms = ask("read_forms", USERS_404, "", NULL);
    assert_int_equal(mgi_json_get(item(&forms, "forms", 0), "fields")->count, 4);
    struct json local = ask("read_local_storage", USERS_404, "", NULL);
    assert_int_equal(number(&local, "total"), 2);
    struct json tasks = ask("long_tasks", USERS_404, "", NULL);
    assert_int_equal(number(&tasks, "total"), 1);
    struct json picture = ask("read_screenshot", USERS_404, "", NULL);
    assert_int_equal(number(&picture, "width"), 480);
    assert_null(mgi_json_get(&picture, "data"));
    struct json whole = ask("read_screenshot", USERS_404, ",\"include_data\":true", NULL);
    assert_int_equal(mgi_member_string(&whole, "data").len,
                     (size_t)(number(&whole, "bytes") + 2) / 3 * 4);
}

static void test_acting_on_a_recording_is_planned_and_not_claimed(void **state)
{
    (void)state;
    struct json a =
        ask("fill_form", USERS_404,
            ",\"values\":{\"name\":\"Eve\",\"email\":\"eve@example.com\"},\"submit\":true", NULL);
    assert_false(mgi_json_get(&a, "performed")->boolean);
    assert_int_equal(mgi_json_get(&a, "plan")->count, 3);
    struct json b = ask("click", USERS_404, ",\"ref\":\"e9\"", NULL);
    assert_false(mgi_json_get(&b, "performed")->boolean);
    assert_text(item(&b, "plan", 0), "name", "Dark colours");
}

/* What asks for consent to a deed asks for consent to its plan. */
static void test_what_a_deed_means_is_seen_in_a_recording(void **state)
{
    (void)state;
    struct json invite = ask("look", USERS_404, ",\"ref\":\"e8\"", NULL);
    const struct json *meaning = mgi_json_get(&invite, "meaning");
    const struct json *form = mgi_json_get(meaning, "form");
    assert_text(&invite, "ref", "e8");
    assert_text(meaning, "name", "Invite");
    assert_true(mgi_json_get(meaning, "submits")->boolean);
    assert_text(form, "method", "post");
    assert_string_equal(
        "invite", mgi_arena_printf(&arena, "%.*s", STR_ARG(item(form, "submit_words", 0)->string)));
    struct json dark = ask("look", USERS_404, ",\"target\":{\"name\":\"Dark colours\"}", NULL);
    meaning = mgi_json_get(&dark, "meaning");
    assert_false(mgi_json_get(meaning, "submits")->boolean);
    assert_null(mgi_json_get(meaning, "form"));
    assert_int_equal(number(meaning, "word_count"), 2);
    assert_int_equal(mgi_json_get(meaning, "words")->count, 3); /* dark, colours, dark colours */
    struct json whole = ask("look_form", USERS_404, "", NULL);
    form = mgi_json_get(mgi_json_get(&whole, "meaning"), "form");
    assert_text(form, "submit", "Invite");
    struct json away = ask("look_address", USERS_404, ",\"url\":\"http://elsewhere.test/x\"", NULL);
    assert_text(&away, "leaves", "http://elsewhere.test");
    struct json here = ask("look_address", USERS_404, ",\"url\":\"http://localhost:8080/x\"", NULL);
    assert_text(&here, "leaves", "");
}

static void test_elements_come_as_facts_if_they_are_wanted(void **state)
{
    (void)state;
    struct json delta;
    ask("interactive_elements", USERS_404, ",\"facts\":true,\"limit\":1", &delta);
    assert_int_equal(count_facts(&delta, "element"), 9);
    assert_int_equal(count_facts(&delta, "page_form"), 1);
    assert_int_equal(count_facts(&delta, "form_field"), 4);
    assert_int_equal(mgi_json_get(&delta, "retract")->count, 3);
}

static void test_what_only_a_page_can_do_says_so(void **state)
{
    (void)state;
    static const char *const names[] = { "find",          "type",     "upload",
                                         "reload",        "evaluate", "take_screenshot",
                                         "extract_table", "sign_in",  "reproduce",
                                         "wait" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        th_call call;
        const char *input = "{\"capture\":\"" USERS_404 "\",\"ref\":\"e1\",\"text\":\"x\"}";
        assert_int_equal(plugin_call(&call, names[i], input), TH_TOOL_ERROR);
        struct str why = mgi_buf_view(&call.error);
        bool said = mgi_str_find(why, STR_LIT("this is a recording")) != SIZE_MAX ||
                    mgi_str_find(why, STR_LIT("setting `evaluate`")) != SIZE_MAX;
        if (!said)
            fail_msg("%s: %.*s", names[i], STR_ARG(why));
        call_fini(&call);
    }
}

/* ---- every action ---------------------------------------------------------------------------- */

static void test_every_tool_is_described_and_says_what_it_touches(void **state)
{
    (void)state;
    assert_in_range(plugin_tools.count, 60, TOOLS_MOST);
    for (size_t i = 0; i < plugin_tools.count; i++) {
        const th_tool *t = &plugin_tools.tools[i];
        struct json schema;
        assert_int_equal(strncmp(t->aid, "AID.BROWSER.", 12), 0); /* T-ABI-11 */
        assert_string_equal(t->aid + strlen(t->aid) - 3, ".v1");
        assert_int_equal(
            mgi_json_parse(&arena, str_of(plugin_tools.schemas[i]), NULL, &schema, NULL), JSON_OK);
        const struct json *properties = mgi_json_get(&schema, "properties");
        assert_non_null(mgi_json_get(properties, "capture"));
        bool acts = strcmp(plugin_tools.effects[i], "none") != 0;
        if (strstr(t->aid, "CLICK") || strstr(t->aid, "FILL") || strstr(t->aid, "NAVIGATE"))
            assert_string_equal(plugin_tools.effects[i], "browser");
        if (strstr(t->aid, "LOOK") || strstr(t->aid, "QUERY") || strstr(t->aid, "OBSERVE"))
            assert_false(acts);
        assert_int_equal(acts, !(t->flags & (TH_TOOL_IDEMPOTENT | TH_TOOL_REVERSIBLE)));
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(t->aid, plugin_tools.tools[j].aid);
    }
}

static void test_no_tool_accepts_a_missing_capture(void **state)
{
    (void)state;
    for (size_t i = 0; i < plugin_tools.count; i++) {
        th_call call;
        assert_int_equal(plugin_call(&call, plugin_tools.tools[i].name, "{}"), TH_TOOL_ERROR);
        assert_non_null(strstr(call.error.ptr, "no capture is chosen"));
        assert_int_equal(call.output.len, 0);
        call_fini(&call);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_empty_element_is_found),
        cmocka_unit_test(test_an_error_may_be_named_by_its_time_or_text),
        cmocka_unit_test(test_observing_brings_the_facts_of_the_page),
        cmocka_unit_test(test_facts_are_complete_and_their_times_agree),
        cmocka_unit_test(test_what_does_not_fit_is_rolled_up_and_errors_come_first),
        cmocka_unit_test(test_the_focus_narrows_the_facts),
        cmocka_unit_test(test_the_two_captures_are_told_apart),
        cmocka_unit_test(test_questions_about_requests),
        cmocka_unit_test(test_credentials_are_hidden),
        cmocka_unit_test(test_questions_about_the_page),
        cmocka_unit_test(test_acting_on_a_recording_is_planned_and_not_claimed),
        cmocka_unit_test(test_what_a_deed_means_is_seen_in_a_recording),
        cmocka_unit_test(test_elements_come_as_facts_if_they_are_wanted),
        cmocka_unit_test(test_what_only_a_page_can_do_says_so),
        cmocka_unit_test(test_every_tool_is_described_and_says_what_it_touches),
        cmocka_unit_test(test_no_tool_accepts_a_missing_capture),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
