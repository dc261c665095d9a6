/* The inner doll from end to end: gates, confirmation, a chain in real toolhost processes, what
 * changed and what comes next, on a snapshot made by hand. Skipped where toolhost is not built. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <time.h>

/* What rules put into the result: only where zone "r" is vented. */
#define FIXTURE_RULES                                                                              \
    "result_member(\"why\", [S]) :- invoke_arg(\"zone\", \"r\"), step_status(S, \"success\").\n"   \
    "result_member(\"pct\", P) :- invoke_arg(\"zone\", \"r\"), result(R),\n"                       \
    "    :match_entry(R, \"pct\", Q), P = fn:minus(Q, 1).\n"                                       \
    "result_member(\"pct\", P) :- invoke_arg(\"zone\", \"r\"), result(R),\n"                       \
    "    :match_entry(R, \"pct\", Q), P = fn:plus(Q, 1).\n"                                        \
    "result_member(/no, 1) :- invoke_arg(\"zone\", \"r\").\n"
#include "invoke/invoke_fixture.h"
#include "sys/digest.h"
#include "base/encode.h"

/* ---- gates --------------------------------------------------------------------------------- */

static void test_gates_answer_in_their_order(void **state)
{
    (void)state;
    static const struct {
        const char *what, *payload;
        enum wire_code code;
    } rows[] = {
        { "row 113, P-INV-1", "{}", WIRE_MALFORMED_MESSAGE },
        { "row 113", "{\"macro_id\":7,\"args\":{}}", WIRE_MALFORMED_MESSAGE },
        { "row 113", "{\"macro_id\":\"t-1\",\"args\":[]}", WIRE_MALFORMED_MESSAGE },
        { "row 121", "{\"macro_id\":\"t-1\",\"args\":{},\"confirmation_token\":7}",
          WIRE_MALFORMED_MESSAGE },
        { "D-23", "{\"macro_id\":\"t-1\",\"args\":{},\"eval_time\":\"_\"}",
          WIRE_MALFORMED_MESSAGE },
        { "row 114, P-INV-2", "{\"macro_id\":\"t-9\",\"args\":{}}", WIRE_MACRO_NOT_FOUND },
        { "row 118, P-INV-4", "{\"macro_id\":\"t-1\",\"args\":{}}", WIRE_SCHEMA_VALIDATION_FAILED },
        { "row 119: before confirmation", "{\"macro_id\":\"t-1\",\"args\":{\"zone\":1}}",
          WIRE_SCHEMA_VALIDATION_FAILED },
        { "row 120, P-INV-5", CALL, WIRE_CONFIRMATION_REQUIRED },
        { "row 120", "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"},\"confirmation_token\":\"\"}",
          WIRE_CONFIRMATION_REQUIRED },
        { "row 122, P-CONF-1",
          "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"},\"confirmation_token\":\"v1.x\"}",
          WIRE_CONFIRMATION_INVALID },
    };
    struct fixture f;
    open_with_echo(&f, true);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        run(&f, rows[i].payload);
        if (f.code != rows[i].code)
            fail_msg("%s: %s, not %s", rows[i].what, mgi_wire_code(f.code)->name,
                     mgi_wire_code(rows[i].code)->name);
    }
    f.who.identity = STR_LIT("bob"); /* row 115, D-57 */
    run(&f, "{\"macro_id\":\"t-1\",\"args\":{}}");
    assert_int_equal(f.code, WIRE_MACRO_NOT_FOUND);
    close_fixture(&f);
}

static void test_all_faults_of_the_arguments_are_reported(void **state)
{
    (void)state;
    struct fixture f;
    open_with_echo(&f, false);
    run(&f, "{\"macro_id\":\"t-1\",\"args\":{\"pct\":90,\"more\":1}}");
    assert_int_equal(f.code, WIRE_SCHEMA_VALIDATION_FAILED);
    assert_int_equal(at(&f, "/schema_errors")->count, 3); /* P-ERR-8 */
    close_fixture(&f);
}

static void test_the_window_is_judged_by_the_servers_clock(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    offer(&f, make_tool(&f, "echo", echo_plan, 1), false, NOW + NS_PER_SEC, NOW + 2 * NS_PER_SEC);
    run(&f, CALL);
    assert_int_equal(f.code, WIRE_MACRO_EXPIRED); /* row 117 */
    assert_text(&f, "/reason", "\"not_yet_valid\"");
    f.clock_ns = NOW + 2 * NS_PER_SEC;
    run(&f, "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"},"
            "\"eval_time\":\"2026-07-04T06:00:01Z\"}");
    assert_int_equal(f.code, WIRE_MACRO_EXPIRED); /* row 116, D-41: equality counts as expired */
    assert_text(&f, "/reason", "\"expired\"");
    f.clock_ns = NOW + NS_PER_SEC;
    run(&f, CALL);
    assert_int_equal(f.code, WIRE_OK);
    f.snapshot->rules_version = STR_LIT("v2");
    run(&f, CALL);
    assert_text(&f, "/reason", "\"superseded\""); /* D-44 */
    close_fixture(&f);
}

/* ---- results ------------------------------------------------------------------------------- */

static void test_a_chain_answers_with_result_delta_and_next(void **state)
{
    (void)state;
    struct fixture f;
    open_with_echo(&f, false);
    run(&f, "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"},"
            "\"eval_time\":\"2026-07-04T05:00:00Z\"}");
    if (f.code)
        fail_msg("%s %s", f.message, f.payload);
    assert_text(&f, "/result", "{\"pct\":40,\"zone\":\"b\"}"); /* D-43: the default */
    assert_text(&f, "/state_delta/retract", "[{\"args\":[\"b\",null],\"pred\":\"vent\"}]");
    assert_text(&f, "/state_delta/assert/0/args", "[\"b\",40]"); /* P-DELTA-2, P-PROV-5 */
    assert_text(&f, "/state_delta/assert/0/category", "\"server\"");
    assert_text(&f, "/state_delta/assert/0/source", "{\"source_type\":\"server\"}");
    assert_text(&f, "/state_delta/assert/1/source", "{\"source_type\":\"derived\"}");
    assert_text(&f, "/state_delta/assert/1/t", /* P-INV-7 */
                "{\"end\":\"_\",\"start\":\"2026-07-04T05:00:00Z\"}");
    assert_int_equal(at(&f, "/state_delta/assert")->count, 2); /* P-DELTA-10: not `secret` */
    assert_text(&f, "/observability/summary", "\"Vented.\"");
    assert_text(&f, "/observability/events/0/action", "\"echo_it\""); /* T-MCP-10 */
    assert_text(&f, "/observability/events/0/status", "\"success\"");
    assert_text(&f, "/next/suggested_intents",
                "[{\"description\":\"Look again.\",\"name\":\"inspect\","
                "\"params\":{\"zone\":\"b\"}}]");
    assert_text(&f, "/next/continuation_facts",
                "[{\"args\":[\"b\",1],\"pred\":\"vent\"}]");              /* D-49 */
    assert_string_equal(f.progress_words, "started running finalizing "); /* T-MCP-30 */
    close_fixture(&f);
}

static void test_facts_of_tools_are_merged_in_step_order(void **state)
{
    (void)state;
    static const struct plan plan[] = {
        { "a", ACT_PUT,
          "{\"slot\":0,\"type\":\"manglecp.state_delta\",\"content\":\"{\\\"assert\\\":[{"
          "\\\"pred\\\":"
          "\\\"vent\\\",\\\"args\\\":[\\\"x\\\",1],\\\"category\\\":\\\"server\\\"},{\\\"pred\\\":"
          "\\\"vent\\\",\\\"args\\\":[\\\"y\\\",1],\\\"category\\\":\\\"server\\\"}]}\"}",
          ON_FAILURE_STOP },
        { "b", ACT_PUT,
          "{\"slot\":1,\"type\":\"manglecp.state_delta\",\"content\":\"{\\\"retract\\\":[{"
          "\\\"pred\\\":"
          "\\\"vent\\\",\\\"args\\\":[\\\"x\\\",null]}],\\\"assert\\\":[{\\\"pred\\\":\\\"vent\\\","
          "\\\"args\\\":[\\\"y\\\",1],\\\"category\\\":\\\"server\\\"}]}\"}",
          ON_FAILURE_STOP },
        { "c", ACT_PUT,
          "{\"slot\":1,\"type\":\"manglecp.state_delta\",\"content\":\"{\\\"assert\\\":[{"
          "\\\"pred\\\":"
          "\\\"vent\\\",\\\"args\\\":[1]}]}\"}",
          ON_FAILURE_CONTINUE },
        { "d", ACT_PUT, "{\"slot\":1,\"type\":\"manglecp.state_delta\",\"content\":\"[]\"}",
          ON_FAILURE_CONTINUE },
    };
    struct fixture f;
    open_fixture(&f);
    offer_always(&f, make_tool(&f, "put", plan, 4), false);
    run(&f, CALL);
    if (f.code)
        fail_msg("%s %s", f.message, f.payload);
    assert_int_equal(at(&f, "/state_delta/assert")->count, 1); /* T-MCP-24, T-MCP-25 */
    assert_text(&f, "/state_delta/assert/0/args", "[\"y\",1]");
    assert_text(&f, "/state_delta/retract/0/args", "[\"x\",null]");
    assert_text(&f, "/observability/events/1/status", "\"success\"");
    assert_text(&f, "/observability/events/2/status", "\"failure\""); /* invalid facts */
    assert_text(&f, "/observability/events/3/status", "\"failure\"");
    close_fixture(&f);
}

/* What an action found is not what the server says, whatever the action calls it. */
static void test_an_action_does_not_speak_for_the_server(void **state)
{
    (void)state;
#define SAYS(who)                                                                                  \
    "{\\\"pred\\\":\\\"vent\\\",\\\"args\\\":[\\\"" who "\\\",1],\\\"category\\\":\\\"server\\\"," \
    "\\\"source\\\":{\\\"source_type\\\":\\\"" who "\\\"}}"
    static const struct plan plan[] = {
        { "a", ACT_PUT,
          "{\"slot\":0,\"type\":\"manglecp.state_delta\",\"content\":\"{\\\"assert\\\":"
          "[" SAYS("server") "," SAYS("client") "," SAYS("scan") "," SAYS(
              "x-plc") ","
                       "{\\\"pred\\\":\\\"vent\\\",\\\"args\\\":[\\\"none\\\",1],"
                       "\\\"category\\\":\\\"server\\\"}"
                       "]}\"}",
          ON_FAILURE_STOP },
    };
#undef SAYS
    static const char *const expected[] = { "external", "external", "scan", "x-plc", "external" };
    struct fixture f;
    open_fixture(&f);
    offer_always(&f, make_tool(&f, "put", plan, 1), false);
    run(&f, CALL);
    const struct json *facts = at(&f, "/state_delta/assert");
    assert_int_equal(facts->count, 5);
    for (uint32_t i = 0; i < 5; i++) { /* P-PROV-5 */
        const struct json *type =
            mgi_json_get(mgi_json_get(&facts->items[i], "source"), "source_type");
        if (!str_is(type->string, expected[i]))
            fail_msg("%u: %.*s", i, STR_ARG(type->string));
    }
    close_fixture(&f);
}

static void test_many_facts_are_rolled_up(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    f.snapshot->settings.max_asserts = 5;
    struct buf content = { 0 }, inputs = { 0 };
    mgi_buf_puts(&content, "{\"assert\":[");
    for (int i = 0; i < 40; i++)
        mgi_buf_printf(&content,
                       "%s{\"pred\":\"vent\",\"args\":[\"z%d\",1],\"category\":\"server\"}",
                       i ? "," : "", i);
    mgi_buf_puts(&content, "]}");
    struct json_writer w;
    mgi_json_writer_init(&w, &inputs, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_int(&w, "slot", 0);
    mgi_jw_member_cstr(&w, "type", "manglecp.state_delta");
    mgi_jw_member_str(&w, "content", mgi_buf_view(&content));
    mgi_jw_end_object(&w);
    struct plan plan = { "a", ACT_PUT, inputs.ptr, ON_FAILURE_STOP };
    offer_always(&f, make_tool(&f, "put", &plan, 1), false);
    run(&f, CALL);
    if (f.code)
        fail_msg("%s %s", f.message, f.payload);
    assert_int_equal(at(&f, "/state_delta/assert")->count, 1); /* P-OBS-3, P-OBS-4 */
    assert_text(&f, "/state_delta/assert/0/pred", "\"bulk_change\"");
    assert_text(&f, "/state_delta/assert/0/args", "[\"vent\",40]");
    assert_text(&f, "/state_delta/assert/0/source/source_type", "\"external\""); /* as they were */
    mgi_buf_fini(&content);
    mgi_buf_fini(&inputs);
    close_fixture(&f);
}

static void test_a_delta_without_end_is_a_failed_step(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    struct buf content = { 0 };
    struct plan plan = { "a", ACT_ECHO, NULL, ON_FAILURE_STOP };
    struct tool *t = make_tool(&f, "echo", &plan, 1);
    offer_always(&f, t, false);
    mgi_buf_puts(&content, "{\"assert\":[");
    for (int i = 0; i < 20001; i++)
        mgi_buf_printf(&content, "%s{\"pred\":\"vent\",\"args\":[%d,1],\"category\":\"server\"}",
                       i ? "," : "", i);
    mgi_buf_puts(&content, "]}");
    struct json delta = parse(&f, content.ptr);
    struct invocation *inv = mgi_arena_calloc(&f.arena, 1, sizeof *inv);
    const char *why = NULL;
    inv->arena = &f.request;
    inv->snapshot = f.snapshot;
    inv->tool = t;
    struct fact_vec asserts, retracts;
    assert_false(mgi_delta_read(inv, &f.arena, &delta, 0, &asserts, &retracts, &why));
    assert_non_null(strstr(why, "too long"));
    delta.members[0].value.count = 15000; /* the same, but within the cap: quick */
    struct buf shorter = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &shorter, 0);
    mgi_jw_value(&w, &delta);
    delta = parse(&f, shorter.ptr);
    clock_t start_of_it = clock();
    assert_true(mgi_delta_read(inv, &f.arena, &delta, 0, &asserts, &retracts, &why));
    assert_false(mgi_delta_read(inv, &f.arena, &delta, 6000, &asserts, &retracts, &why));
    assert_true(mgi_delta_read(inv, &f.arena, &delta, 0, &asserts, &retracts, &why));
    assert_true(mgi_delta_merge(inv, &asserts, &retracts));
    assert_false(mgi_delta_merge(inv, &asserts, &retracts)); /* too much, as far as it can tell */
    assert_true(inv->overflow && inv->asserts.count == 15000);
    mgi_delta_finish(inv);
    assert_true(clock() - start_of_it < 5 * CLOCKS_PER_SEC);
    mgi_buf_clear(&shorter);
    mgi_json_writer_init(&w, &shorter, 0);
    mgi_delta_write(inv, &w);
    assert_non_null(strstr(shorter.ptr, "\"args\":[\"vent\",15000]"));
    mgi_invocation_free(inv);
    mgi_buf_fini(&shorter);
    mgi_buf_fini(&content);
    close_fixture(&f);
}

/* ---- failures ------------------------------------------------------------------------------ */

static void test_a_failed_step_is_told_by_its_rule(void **state)
{
    (void)state;
    struct plan plan[] = { { "a", ACT_ECHO, NULL, ON_FAILURE_STOP },
                           { "b", ACT_FAIL, "{}", ON_FAILURE_CONTINUE },
                           { "c", ACT_ECHO, "{}", ON_FAILURE_STOP } };
    struct fixture f;
    open_fixture(&f);
    struct tool *t = make_tool(&f, "echo", plan, 3);
    offer_always(&f, t, false);
    run(&f, CALL);
    assert_int_equal(f.code, WIRE_OK);                                /* T-MCP-9 */
    assert_text(&f, "/observability/events/1/status", "\"failure\""); /* P-OBS-11 */
    assert_text(&f, "/observability/events/2/status", "\"success\"");

    t->steps[1].on_failure = ON_FAILURE_STOP;
    run(&f, CALL);
    assert_int_equal(f.code, WIRE_EXECUTION_FAILED); /* row 124, T-MCP-8 */
    assert_text(&f, "/reason", "\"tool_error\"");
    assert_text(&f, "/failed_step", "1");
    assert_text(&f, "/completed_steps", "[\"a\"]");
    assert_text(&f, "/observability/events/2/status", "\"skipped\"");
    close_fixture(&f);
}

/* A tool may say "/etc/shadow: permission denied", or what it was told by a page. */
static void test_what_an_action_says_of_its_failure_is_for_the_log(void **state)
{
    (void)state;
    const struct plan plan = { "b", ACT_FAIL, "{}", ON_FAILURE_STOP };
    struct fixture f;
    open_fixture(&f);
    struct tool *t = make_tool(&f, "fail", &plan, 1);
    offer_always(&f, t, false);
    run(&f, CALL);
    assert_int_equal(f.code, WIRE_EXECUTION_FAILED);
    assert_string_equal(f.message, "The action fail_it failed.");
    assert_null(strstr(f.payload, "boom"));
    assert_non_null(strstr(f.logged, "fail: step b, action AID.TEST.FAIL.v1, failed: boom"));
    close_fixture(&f);
}

static void test_a_template_says_what_clients_are_told_of_a_failure(void **state)
{
    (void)state;
    const struct plan plan = { "b", ACT_FAIL, "{}", ON_FAILURE_STOP };
    struct fixture f;
    open_fixture(&f);
    struct tool *t = make_tool(&f, "fail", &plan, 1);
    offer_always(&f, t, false);
    t->steps[0].failure_text = STR_LIT("The vents are stuck.");
    run(&f, CALL);
    assert_string_equal(f.message, "The action fail_it failed: The vents are stuck.");
    assert_text(&f, "/observability/events/0/detail", "\"The vents are stuck.\"");
    assert_null(strstr(f.payload, "boom"));

    t->steps[0].failure_text = (struct str){ 0 };
    t->steps[0].tells_failure = true;
    run(&f, CALL);
    assert_string_equal(f.message, "The action fail_it failed: boom");
    assert_text(&f, "/observability/events/0/detail", "\"boom\"");

    /* T-MCP-10: what is longer is cut between two characters, and one sees it. */
    char said[300], want[256];
    memset(said, 'x', sizeof said);
    memcpy(said + 196, "é", 2);
    snprintf(want, sizeof want, "\"%.196s…\"", said);
    t->steps[0].tells_failure = false;
    t->steps[0].failure_text = (struct str){ said, sizeof said };
    run(&f, CALL);
    assert_text(&f, "/observability/events/0/detail", want);
    assert_true(mgi_str_ends(str_of(f.message), STR_LIT("x…")));
    memset(said, 'x', sizeof said);
    snprintf(want, sizeof want, "\"%.200s\"", said);
    t->steps[0].failure_text = (struct str){ said, 200 };
    run(&f, CALL);
    assert_text(&f, "/observability/events/0/detail", want);
    close_fixture(&f);
}

/* Only what the tool says is its author's: what a host or the server says of a call is not. */
static void test_words_of_a_host_are_not_passed_on_as_those_of_a_tool(void **state)
{
    (void)state;
    const struct plan plan = { "b", ACT_SLEEP, "{\"ms\":5000}", ON_FAILURE_STOP };
    struct fixture f;
    open_fixture(&f);
    struct tool *t = make_tool(&f, "sleep", &plan, 1);
    t->steps[0].timeout_ms = 300;
    t->steps[0].tells_failure = true;
    offer_always(&f, t, false);
    run(&f, CALL);
    assert_int_equal(f.code, WIRE_EXECUTION_FAILED);
    assert_string_equal(f.message, "The action sleep_it took too long.");
    assert_null(mgi_json_pointer_get(&f.answer, STR_LIT("/observability/events/0/detail")));
    close_fixture(&f);
}

static void test_a_result_that_breaks_its_schema_is_a_failure(void **state)
{
    (void)state;
    struct fixture f;
    struct schema_issues issues;
    open_fixture(&f);
    mgi_schema_issues_init(&issues, &f.arena, 0);
    struct json text = parse(&f, "{\"required\":[\"final\"]}");
    struct schema *schema = mgi_schema_compile(&text, 0, &issues);
    struct tool *t = make_tool(&f, "echo", echo_plan, 1);
    t->output = schema;
    offer_always(&f, t, false);
    run(&f, CALL);
    assert_int_equal(f.code, WIRE_EXECUTION_FAILED); /* P-INV-9, D-50 */
    assert_text(&f, "/reason", "\"bad_output\"");
    assert_non_null(strstr(f.logged, "breaks its output schema"));

    struct action strict = actions[ACT_ECHO]; /* T-INP-7: the server checks for the host */
    strict.input_schema = schema;
    t->steps[0].action = &strict;
    run(&f, CALL); /* a step that failed is told as that, not as a fault of the tool */
    assert_text(&f, "/reason", "\"tool_error\"");
    assert_null(strstr(f.logged, "breaks its output schema"));
    t->output = NULL;
    run(&f, CALL);
    assert_int_equal(f.code, WIRE_EXECUTION_FAILED);
    assert_text(&f, "/reason", "\"tool_error\"");
    strict.input_schema = NULL;
    strict.output_schema = schema;
    run(&f, CALL);
    assert_text(&f, "/reason", "\"bad_output\"");
    mgi_schema_free(schema);
    close_fixture(&f);
}

static void test_rules_add_to_the_result(void **state)
{
    (void)state;
    static const char at_r[] = "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"r\"}}";
    struct fixture f;
    struct schema_issues issues;
    open_fixture(&f);
    struct tool *t = make_tool(&f, "echo", echo_plan, 1);
    offer_always(&f, t, false);
    f.snapshot->rules_answer = true; /* as the load finds out */
    run(&f, at_r);
    assert_int_equal(f.code, 0);
    assert_text(&f, "/result",
                "{\"pct\":39,\"why\":[\"a\"],\"zone\":\"r\"}");              /* the first counts */
    assert_non_null(strstr(f.logged, "a result_member is not of the form")); /* /no is no string */
    run(&f, CALL);
    assert_text(&f, "/result", "{\"pct\":40,\"zone\":\"b\"}");

    /* The schema is asked about what a client gets, not about what the tool said before. */
    mgi_schema_issues_init(&issues, &f.arena, 0);
    struct json text =
        parse(&f, "{\"required\":[\"why\"],\"properties\":{\"pct\":{\"maximum\":39}}}");
    struct schema *schema = mgi_schema_compile(&text, 0, &issues);
    t->output = schema;
    run(&f, at_r);
    assert_int_equal(f.code, 0);
    run(&f, CALL);
    assert_int_equal(f.code, WIRE_EXECUTION_FAILED);
    assert_text(&f, "/reason", "\"bad_output\"");
    assert_text(&f, "/state_delta", "{\"assert\":[],\"retract\":[]}"); /* of steps, not of rules */
    t->output = NULL;
    mgi_schema_free(schema);
    close_fixture(&f);
}

static void test_time_runs_out(void **state)
{
    (void)state;
    struct plan plan[] = { { "a", ACT_SLEEP, "{\"ms\":20000,\"poll\":1}", ON_FAILURE_CONTINUE },
                           { "b", ACT_ECHO, "{}", ON_FAILURE_STOP } };
    struct fixture f;
    open_fixture(&f);
    f.snapshot->settings.invocation_timeout_ms = 700;
    struct tool *t = make_tool(&f, "sleep", plan, 2);
    offer_always(&f, t, false);
    run(&f, CALL);
    assert_int_equal(f.code, WIRE_EXECUTION_FAILED); /* T-MCP-28 */
    assert_text(&f, "/reason", "\"timeout\"");
    assert_text(&f, "/observability/events/1/status", "\"skipped\"");
    assert_text(&f, "/indeterminate", "false"); /* it changes nothing */

    struct action writes = actions[ACT_SLEEP];
    writes.tier = 1;
    t->steps[0].action = &writes;
    run(&f, CALL);
    assert_text(&f, "/reason", "\"timeout\""); /* C-181 */
    assert_text(&f, "/indeterminate", "true");
    assert_text(&f, "/indeterminate_steps", "[\"a\"]");
    close_fixture(&f);
}

static void test_a_cancelled_invocation_says_what_it_did(void **state)
{
    (void)state;
    struct plan plan[] = { { "a", ACT_ECHO, NULL, ON_FAILURE_STOP },
                           { "b", ACT_SLEEP, "{\"ms\":20000,\"poll\":1}", ON_FAILURE_STOP },
                           { "c", ACT_ECHO, "{}", ON_FAILURE_STOP } };
    struct fixture f;
    open_fixture(&f);
    offer_always(&f, make_tool(&f, "echo", plan, 3), false);
    assert_true(start(&f, CALL));
    assert_true(mgi_invocation_is_harmless(f.running)); /* T-MCP-29 */
    for (int i = 0; i < 100 && f.percent < 30; i++) {
        uv_run(&f.loop, UV_RUN_NOWAIT);
        usleep(10000);
    }
    mgi_invocation_cancel(f.running);
    while (!f.done)
        uv_run(&f.loop, UV_RUN_ONCE);
    assert_int_equal(f.code, WIRE_CANCELLED); /* P-CONC-7, D-24 */
    assert_text(&f, "/completed_steps", "[\"a\"]");

    assert_true(start(&f, CALL));
    mgi_invocation_cancel(f.running); /* before it began */
    while (!f.done)
        uv_run(&f.loop, UV_RUN_ONCE);
    assert_int_equal(f.code, WIRE_CANCELLED);
    close_fixture(&f);
}

/* ---- confirmation -------------------------------------------------------------------------- */

static struct str challenge(struct fixture *f)
{
    run(f, CALL);
    assert_int_equal(f->code, WIRE_CONFIRMATION_REQUIRED);
    assert_text(f, "/side_effects", "[\"process\"]");
    assert_text(f, "/reversible", "false");
    assert_text(f, "/show/args", "{\"pct\":40,\"zone\":\"b\"}"); /* P-CONF-3 */
    assert_text(f, "/show/description", "\"What the user is shown.\"");
    return at(f, "/challenge")->string;
}

static void run_with(struct fixture *f, const char *zone, struct str token)
{
    char payload[900];
    snprintf(payload, sizeof payload,
             "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"%s\"},\"confirmation_token\":\"%.*s\"}",
             zone, STR_ARG(token));
    run(f, payload);
}

static void test_a_signed_challenge_confirms_once(void **state)
{
    (void)state;
    struct plan plan[] = { { "a", ACT_ECHO, NULL, ON_FAILURE_STOP },
                           { "b", ACT_SPAWN, "{}", ON_FAILURE_STOP } };
    struct fixture f;
    open_fixture(&f);
    f.who.confirm_key = STR_LIT(KEY);
    offer_always(&f, make_tool(&f, "echo", plan, 2), true);
    struct str c = challenge(&f);
    run_with(&f, "b", c); /* the challenge alone proves nothing */
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID);
    struct str token = mgi_confirmation_sign(&f.arena, c, STR_LIT(KEY));
    run_with(&f, "c", token); /* row 122: other arguments */
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID);
    assert_text(&f, "/reason", "\"mismatch\"");
    f.who.identity = STR_LIT("bob"); /* somebody else's tool of the same id */
    offer_always(&f, f.snapshot->tools, true);
    run_with(&f, "b", token);
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID);
    f.who.identity = STR_LIT("ann");
    run_with(&f, "b", mgi_confirmation_sign(&f.arena, c, STR_LIT("another key of this length")));
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID);
    run_with(&f, "b", token); /* P-CONF-2; rejections did not spend it (D-46) */
    if (f.code)
        fail_msg("%s %s", f.message, f.payload);
    run_with(&f, "b", token); /* row 123, P-CONF-4 */
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID);
    assert_text(&f, "/reason", "\"used\"");

    token = mgi_confirmation_sign(&f.arena, challenge(&f), STR_LIT(KEY));
    f.clock_ns += 301 * NS_PER_SEC;
    run_with(&f, "b", token);
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID);
    assert_text(&f, "/reason", "\"expired\"");
    close_fixture(&f);
}

static void test_a_clock_that_goes_forward_and_back_confirms_nothing_again(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    f.who.confirm_key = STR_LIT(KEY);
    const struct tool *echo = make_tool(&f, "echo", echo_plan, 1);
    offer_always(&f, echo, true);
    struct str token = mgi_confirmation_sign(&f.arena, challenge(&f), STR_LIT(KEY));
    run_with(&f, "b", token);
    assert_int_equal(f.code, WIRE_OK);
    f.clock_ns += 3600 * NS_PER_SEC;
    offer_always(&f, echo, true); /* the store forgets what is over */
    f.clock_ns -= 3590 * NS_PER_SEC;
    run_with(&f, "b", token); /* P-CONF-4 */
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID);
    assert_text(&f, "/reason", "\"used\"");
    f.snapshot->settings.confirmation_ttl_ms = 7200000; /* loaded again, with another life */
    f.clock_ns += 3600 * NS_PER_SEC;
    run_with(&f, "b", token);
    assert_text(&f, "/reason", "\"used\"");
    token = mgi_confirmation_sign(&f.arena, challenge(&f), STR_LIT(KEY));
    run_with(&f, "b", token); /* a new one counts as ever */
    assert_int_equal(f.code, WIRE_OK);
    close_fixture(&f);
}

static void test_an_approved_challenge_confirms_once(void **state)
{
    (void)state;
    struct fixture f;
    open_with_echo(&f, true);
    struct str c = challenge(&f);
    assert_string_equal(
        f.shown, /* P-CONF-3 */
        "{\"who\":\"ann\",\"tool\":\"echo\",\"description\":\"What the user is "
        "shown.\",\"args\":{\"zone\":\"b\",\"pct\":40},\"side_effects\":[\"process\"],"
        "\"reversible\":false,\"macro_id\":\"t-1\","
        "\"expires_at\":\"2026-07-04T06:05:00Z\"}");
    assert_true(f.shown_until_ns == f.clock_ns + 300 * NS_PER_SEC);
    run_with(&f, "b", c);
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID); /* nobody approved it */
    f.approve = true;
    f.digest = STR_LIT("another");
    offer_always(&f, &f.snapshot->tools[0], true);
    run_with(&f, "b", c);
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID); /* it was another tool of that id */
    f.digest = STR_LIT("");
    offer_always(&f, &f.snapshot->tools[0], true);
    char *forged = mgi_arena_printf(&f.arena, "%.*s", STR_ARG(c));
    forged[c.len - 1] = forged[c.len - 1] == 'A' ? 'E' : 'A';
    run_with(&f, "b", str_of(forged));
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID);
    run_with(&f, "b", str_of(mgi_arena_printf(&f.arena, "%.*s.", STR_ARG(c))));
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID); /* an answer that says nothing */
    run_with(&f, "b", c);
    assert_int_equal(f.code, WIRE_OK);
    run_with(&f, "b", c);
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID);
    close_fixture(&f);
}

/* The form of D-45 that a confirmation UI makes with a shared key. */
static struct str client_made(struct fixture *f, const char *zone, const char *nonce)
{
    char args[60], bound[300], tag[64];
    uint8_t mac[SHA256_BYTES];
    long long ms = (long long)(f->clock_ns / NS_PER_MS);
    snprintf(args, sizeof args, "{\"zone\":\"%s\"}", zone);
    snprintf(bound, sizeof bound, "3:t-1%zu:%s3:ann13:%lld%zu:%s", strlen(args), args, ms,
             strlen(nonce), nonce);
    assert_true(mgi_hmac_sha256(STR_LIT(KEY), bound, strlen(bound), mac));
    mgi_base64url_encode(mac, sizeof mac, tag);
    return str_of(mgi_arena_printf(&f->arena, "v1.%lld.%s.%s", ms, nonce, tag));
}

/* Where rules choose who receives it, a consent to the amount alone is none. */
static void test_who_approves_sees_what_rules_filled_in(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    const struct macro_param to = { STR_LIT("to"), parse(&f, "\"eve\"") };
    f.bound = &to;
    offer_always(&f, make_tool(&f, "echo", echo_plan, 1), true);
    challenge(&f);
    assert_non_null(strstr(f.shown, "\"args\":{\"zone\":\"b\",\"pct\":40},"
                                    "\"bound\":[{\"name\":\"to\",\"value\":\"eve\"}],"));
    assert_text(&f, "/show/bound",
                "[{\"name\":\"to\"}]"); /* the value may be the server's secret */
    f.who.kind = PRINCIPAL_LOCAL;
    f.who.identity = (struct str){ 0 };
    offer_always(&f, &f.snapshot->tools[0], true);
    challenge(&f);
    assert_text(&f, "/show/bound", "[{\"name\":\"to\",\"value\":\"eve\"}]");
    close_fixture(&f);
}

/* The window and the credentials were open when it was judged, and closed while it waited. */
static void test_what_waited_for_too_long_does_not_run(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    offer(&f, make_tool(&f, "echo", echo_plan, 1), true, NOW, NOW + 2 * NS_PER_SEC);
    struct str c = challenge(&f);
    f.approve = true;
    f.waited_ns = 2 * NS_PER_SEC;
    run_with(&f, "b", c);
    assert_int_equal(f.code, WIRE_MACRO_EXPIRED);
    assert_text(&f, "/reason", "\"expired\"");
    assert_false(f.acted);
    f.waited_ns--;
    f.who.expires_ns = NOW + NS_PER_SEC;
    run_with(&f, "b", c);
    assert_int_equal(f.code, WIRE_AUTH_INVALID);
    assert_false(f.acted);
    f.who.expires_ns = INT64_MAX;
    run_with(&f, "b", c);
    assert_int_equal(f.code, WIRE_OK); /* the consent was not used up */
    close_fixture(&f);
}

static void test_a_dry_run_gives_nothing_away_of_hidden_values(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    const struct macro_param pct = { STR_LIT("pct"), parse(&f, "0") };
    struct tool *t = make_tool(&f, "echo", echo_plan, 1);
    struct source_member input = {
        STR_LIT("in"), { .kind = SOURCE_BOUND, .name = STR_LIT("pct"), .pointer = STR_LIT("/no") }
    };
    struct step *step = &t->steps[0];
    step->inputs =
        (struct value_source){ .kind = SOURCE_OBJECT, .members = &input, .member_count = 1 };
    f.bound = &pct;
    f.dry_run = true;
    offer_always(&f, t, false);
    run(&f, CALL);
    assert_null(strstr(f.payload, "problem"));
    step->has_condition = true;
    step->condition = (struct value_source){ .kind = SOURCE_BOUND, .name = STR_LIT("pct") };
    run(&f, CALL);
    assert_text(&f, "/steps/0/runs", "\"depends\"");

    static const struct str trusted[] = { { "why_not", 7 } };
    f.who.permissions = trusted;
    f.who.permission_count = 1;
    run(&f, CALL);
    assert_text(&f, "/steps/0/runs", "\"never\"");
    step->has_condition = false;
    run(&f, CALL);
    assert_non_null(strstr(f.payload, "problem"));
    close_fixture(&f);
}

static void test_a_token_made_by_the_client_counts_only_where_configured(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    f.who.confirm_key = STR_LIT(KEY);
    offer_always(&f, make_tool(&f, "echo", echo_plan, 1), true);
    struct str token = client_made(&f, "b", "n1");
    run_with(&f, "b", token);
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID);
    f.who.makes_confirmations = true;
    f.keys.started_ns = f.clock_ns + 1; /* a server that ran before may have taken it */
    run_with(&f, "b", token);
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID);
    f.keys.started_ns = f.clock_ns;
    run_with(&f, "c", token);
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID);
    run_with(&f, "b", token); /* D-45 */
    assert_int_equal(f.code, WIRE_OK);
    run_with(&f, "b", token);
    assert_text(&f, "/reason", "\"used\"");
    close_fixture(&f);
}

static void test_events_are_capped_and_failures_kept(void **state)
{
    (void)state;
    struct plan plan[30];
    for (int i = 0; i < 30; i++)
        plan[i] = (struct plan){ "s", i == 25 ? ACT_FAIL : ACT_ECHO, i ? "{}" : NULL,
                                 ON_FAILURE_CONTINUE };
    struct fixture f;
    open_fixture(&f);
    f.snapshot->settings.max_events = 5;
    offer_always(&f, make_tool(&f, "many", plan, 30), false);
    run(&f, CALL);
    assert_int_equal(f.code, WIRE_OK);
    assert_int_equal(at(&f, "/observability/events")->count, 5); /* P-OBS-6, D-52 */
    assert_text(&f, "/observability/events/4/status", "\"failure\"");
    assert_text(&f, "/observability/summary",
                "\"Ran 29 of 30 actions of many; 1 failed. 25 events are left out.\"");
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gates_answer_in_their_order),
        cmocka_unit_test(test_all_faults_of_the_arguments_are_reported),
        cmocka_unit_test(test_the_window_is_judged_by_the_servers_clock),
        cmocka_unit_test(test_a_chain_answers_with_result_delta_and_next),
        cmocka_unit_test(test_facts_of_tools_are_merged_in_step_order),
        cmocka_unit_test(test_an_action_does_not_speak_for_the_server),
        cmocka_unit_test(test_many_facts_are_rolled_up),
        cmocka_unit_test(test_a_delta_without_end_is_a_failed_step),
        cmocka_unit_test(test_a_failed_step_is_told_by_its_rule),
        cmocka_unit_test(test_what_an_action_says_of_its_failure_is_for_the_log),
        cmocka_unit_test(test_a_template_says_what_clients_are_told_of_a_failure),
        cmocka_unit_test(test_words_of_a_host_are_not_passed_on_as_those_of_a_tool),
        cmocka_unit_test(test_a_result_that_breaks_its_schema_is_a_failure),
        cmocka_unit_test(test_rules_add_to_the_result),
        cmocka_unit_test(test_time_runs_out),
        cmocka_unit_test(test_a_cancelled_invocation_says_what_it_did),
        cmocka_unit_test(test_a_signed_challenge_confirms_once),
        cmocka_unit_test(test_a_clock_that_goes_forward_and_back_confirms_nothing_again),
        cmocka_unit_test(test_an_approved_challenge_confirms_once),
        cmocka_unit_test(test_who_approves_sees_what_rules_filled_in),
        cmocka_unit_test(test_what_waited_for_too_long_does_not_run),
        cmocka_unit_test(test_a_dry_run_gives_nothing_away_of_hidden_values),
        cmocka_unit_test(test_a_token_made_by_the_client_counts_only_where_configured),
        cmocka_unit_test(test_events_are_capped_and_failures_kept),
    };
    signal(SIGPIPE, SIG_IGN);
    setenv("MACHINA_TOOLHOST_RLIMIT_AS_MB", "0", 0); /* sanitizers reserve address space */
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
