/* What a request may look like, and what its answer does (toolhost.md 12.3 and parts of 12.12). */
#include "host_session.h"

#include "base/alloc.h"
#include "base/utf8.h"

static char count_path[512];

static void start_counting(struct session *s)
{
    char setting[600];
    snprintf(count_path, sizeof count_path, "%s", test_path("count"));
    snprintf(setting, sizeof setting, "MACHINA_TEST_COUNT=%s", count_path);
    const char *const env[] = { setting, "MACHINA_TOOLHOST_PASS_ENV=MACHINA_TEST_COUNT", NULL };
    session_start(s, "ok.so", env, PLAIN);
}

static const struct exchange_row rows[] = {
    { "C-026 T-JSON-5", "[]", REFUSAL("request must be a JSON object") },
    { "C-026 T-JSON-5", "\"x\"", REFUSAL("request must be a JSON object") },
    { "C-026 T-JSON-5", "5", REFUSAL("request must be a JSON object") },
    { "C-027 T-REQ-1", "{}", REFUSAL("missing aid") },
    { "C-027 T-REQ-1", "{\"aid\":5}", REFUSAL("missing aid") },
    { "C-027 T-REQ-1", "{\"aid\":\"\"}", REFUSAL("missing aid") },
    { "C-029 T-JSON-3", "{\"aid\":\"AID.TEST.ECHO.v1\",\"x\":\"\xff\"}", REFUSAL("invalid JSON") },
    { "C-030 T-JSON-1", "{'aid':\"AID.TEST.COUNT.v1\"}", REFUSAL("invalid JSON") },
    { "C-030 T-JSON-1", "{\"aid\":\"AID.TEST.COUNT.v1\",}", REFUSAL("invalid JSON") },
    { "C-030 T-JSON-1", "{\"aid\":\"AID.TEST.COUNT.v1\",\"x\":NaN}", REFUSAL("invalid JSON") },
    { "C-030 T-JSON-1", "{\"aid\":\"AID.TEST.COUNT.v1\"/**/}", REFUSAL("invalid JSON") },
    { "C-031 T-JSON-3", "{\"aid\":\"AID.TEST.ECHO.v1\",\"aid\":\"AID.TEST.COUNT.v1\"}",
      REFUSAL("invalid JSON") },
    { "C-032 T-JSON-2", ASK("COUNT") ASK("COUNT"), REFUSAL("invalid JSON") },
    { "T-JSON-3 (byte order mark)", "\xef\xbb\xbf" ASK("COUNT"), REFUSAL("invalid JSON") },
    { "C-034 T-INP-4", ASK_WITH("ECHO", "\"inputs\":{\"a\":1,\"b\": 1.50}"),
      "~\"output_json\":\"{\\\"a\\\":1,\\\"b\\\": 1.50}\"" },
    { "T-INP-5",
      ASK_WITH("ECHO",
               "\"input_json\":\"{\\\"b\\\": 2,\\\"a\\\":1}\",\"inputs\":{\"a\":1,\"b\":2}"),
      "~\"output_json\":\"{\\\"b\\\": 2,\\\"a\\\":1}\"" },
    { "C-035 T-INP-5", ASK_WITH("ECHO", "\"input_json\":\"{\\\"a\\\":1}\",\"inputs\":{\"a\":1.0}"),
      "~\"output_json\":\"{\\\"a\\\":1}\"" },
    { "T-INP-5", ASK_WITH("SPAWN", "\"input_json\":\"[]\",\"inputs\":{}"),
      REFUSAL("invalid input_json: not a JSON object") },
    { "T-INP-5: exact, not rounded",
      ASK_WITH("COUNT", "\"input_json\":\"{\\\"a\\\":0.1}\",\"inputs\":{\"a\":"
                        "0.10000000000000001}"),
      REFUSAL("conflicting inputs and input_json") },
    { "C-036 T-INP-5", ASK_WITH("COUNT", "\"input_json\":\"{\\\"a\\\":1}\",\"inputs\":{\"a\":2}"),
      REFUSAL("conflicting inputs and input_json") },
    { "C-037 T-REQ-4", ASK_WITH("COUNT", "\"input_json\":{\"a\":1}"),
      REFUSAL("invalid input_json: not a string") },
    { "C-038 T-REQ-4", ASK_WITH("COUNT", "\"inputs\":\"{}\""),
      REFUSAL("invalid inputs: not an object") },
    { "C-039 T-INP-3", ASK_WITH("COUNT", "\"input_json\":\"{not json\""),
      "{\"ok\":false,\"error\":\"invalid input_json: *" },
    { "C-039 T-INP-3", ASK_WITH("COUNT", "\"input_json\":\"[1]\""),
      REFUSAL("invalid input_json: not a JSON object") },
    { "C-040 T-INP-2", ASK_WITH("ECHO", "\"input_json\":\" \""), "~\"output_json\":\"{}\"" },
    { "C-040 T-JSON-7", ASK_WITH("ECHO", "\"inputs\":null"), "~\"output_json\":\"{}\"" },
    { "C-041 T-JSON-3 T-ABI-15",
      ASK_WITH("ECHO", "\"input_json\":\"{\\\"s\\\":\\\"a\\\\u0000b\\\"}\""),
      "~\"output_json\":\"{\\\"s\\\":\\\"a\\\\u0000b\\\"}\"" },
    { "C-044 T-REQ-5", "{\"aid\":\"_lease.zzz\"}", REFUSAL("tool not found: _lease.zzz") },
    { "C-199 T-REQ-5", "{\"aid\":\"_stats\"}", REFUSAL("tool not found: _stats") },
    { "T-REQ-5", "{\"aid\":\"_cancel\",\"request_id\":\"\"}", REFUSAL("tool not found: _cancel") },
    { "T-REQ-2", "{\"aid\":\"AID.NOPE.v1\"}", REFUSAL("tool not found: AID.NOPE.v1") },
    { "C-047 T-RSP-1", ASK_WITH("STATUS", "\"inputs\":{\"status\":0}"), OUTPUT("{}") },
    { "C-047 T-RSP-5 T-RSP-8", ASK_WITH("STATUS", "\"inputs\":{\"status\":1}"),
      "{\"ok\":false,\"status\":\"INVALID_PICK\",\"output_json\":\"{}\",\"error\":\"tool failed "
      "without a message\"," NO_CHANGE "}" },
    { "C-047 T-RSP-1", ASK_WITH("STATUS", "\"inputs\":{\"status\":2}"),
      FAILURE("tool failed without a message") },
    { "C-047 T-RSP-8", ASK_WITH("STATUS", "\"inputs\":{\"status\":3}"),
      "{\"ok\":false,\"status\":\"BREAKER_TRIP\"*" },
    { "C-047 T-RSP-6", ASK_WITH("STATUS", "\"inputs\":{\"status\":7}"),
      FAILURE("tool returned unknown status 7") },
    { "C-203 T-REQ-4", ASK_WITH("COUNT", "\"timeout_ms\":0"),
      REFUSAL("invalid timeout_ms: not an integer from 1 to 86400000") },
    { "C-203 T-REQ-4", ASK_WITH("COUNT", "\"timeout_ms\":-1"), "~invalid timeout_ms: " },
    { "C-203 T-REQ-4", ASK_WITH("COUNT", "\"timeout_ms\":\"5\""), "~invalid timeout_ms: " },
    { "T-REQ-4", ASK_WITH("COUNT", "\"step\":-1"), "~invalid step: " },
    { "T-REQ-4", ASK_WITH("COUNT", "\"run_id\":\"a b\""), "~invalid run_id: " },
    { "T-REQ-4", ASK_WITH("COUNT", "\"request_id\":\"\""), "~invalid request_id: " },
    { "T-REQ-4", ASK_WITH("COUNT", "\"progress\":1"), "~invalid progress: " },
    { "T-REQ-4", ASK_WITH("COUNT", "\"_lease_token\":7"), "~invalid _lease_token: " },
    { "T-JSON-7", ASK_WITH("SPAWN", "\"unknown\":1,\"step\":3,\"run_id\":\"r_1\""), OUTPUT("{}") },
    { "C-205 T-JSON-6", ASK_WITH("ECHO", "\"inputs\":{\"s\":\"/\xc3\xa9\\u0001\\n\"}"),
      "~\"output_json\":\"{\\\"s\\\":\\\"/\xc3\xa9\\\\u0001\\\\n\\\"}\"" },
    { "C-203 T-LIM-2", ASK_WITH("SLEEP", "\"inputs\":{\"ms\":5000},\"timeout_ms\":200"),
      FAILURE("tool timed out after 200 ms") },
    { "C-237 T-STATE-7 T-LEASE-13",
      ASK_WITH("SPAWN", "\"input_json\":\"{\\\"query\\\": \\\"test\\\"}\",\"ds_state\":{\"delta\":"
                        "true},\"idempotency_key\":\"req-abc-123\",\"_lease_token\":\"tok_x\""),
      OUTPUT("{}") },
    { "C-237 T-IDEMP-11",
      ASK_WITH("SPAWN", "\"input_json\":\"{\\\"query\\\": \\\"test\\\"}\",\"ds_state\":{\"delta\":"
                        "true},\"idempotency_key\":\"req-abc-123\",\"_lease_token\":\"tok_x\""),
      "{\"ok\":true,\"status\":\"OK\",\"output_json\":\"{}\",\"error\":\"\",\"idempotent_hit\":"
      "true," NO_CHANGE "}" },
};

static void test_requests_are_read_strictly(void **state)
{
    (void)state;
    struct session s;
    start_counting(&s);
    CHECK_ROWS(&s, rows);
    assert_int_equal(test_file_size(count_path), -1); /* T-FLOW-1: no refused request ran */
    assert_int_equal(session_end(&s), 0);
}

static void test_a_nul_byte_does_not_end_a_request(void **state)
{
    (void)state;
    static const char line[] = ASK("ECHO") "\0" ASK("COUNT") "\n";
    struct session s;
    start_counting(&s);
    test_write(&s, s.in, line, sizeof line - 1);
    check_text("C-028 T-JSON-3", line, session_read(&s), REFUSAL("invalid JSON"));
    assert_int_equal(test_file_size(count_path), -1);
    assert_int_equal(session_end(&s), 0);
}

static void test_sixty_four_levels_are_deep_enough(void **state)
{
    (void)state;
    struct session s;
    struct buf line = { 0 };
    session_start(&s, "ok.so", NULL, PLAIN);
    for (int levels = 64; levels <= 65; levels++) { /* C-033 T-JSON-3: the request is level 1 */
        mgi_buf_clear(&line);
        mgi_buf_puts(&line, "{\"aid\":\"AID.TEST.SPAWN.v1\",\"x\":");
        for (int i = 1; i < levels; i++)
            mgi_buf_putc(&line, '[');
        for (int i = 1; i < levels; i++)
            mgi_buf_putc(&line, ']');
        mgi_buf_putc(&line, '}');
        check(&s, "C-033", line.ptr, levels == 64 ? OUTPUT("{}") : REFUSAL("invalid JSON"));
    }
    mgi_buf_fini(&line);
    assert_int_equal(session_end(&s), 0);
}

static void test_a_request_id_brings_the_extended_members(void **state)
{
    (void)state;
    char text[128];
    struct session s;
    session_start(&s, "ok.so", NULL, PLAIN);
    const char *answer = ask(&s, ASK_WITH("SPAWN", "\"request_id\":\"r1\""));
    test_member(answer, "request_id", text, sizeof text); /* C-045 T-RSP-9 */
    assert_string_equal(text, "r1");
    test_member(answer, "duration_ms", text, sizeof text);
    assert_true(strspn(text, "0123456789") == strlen(text));
    test_member(answer, "ds_digest", text, sizeof text);
    assert_string_equal(text, /* T-STATE-15: the empty state's */
                        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check(&s, "C-045 T-RSP-9", ASK("SPAWN"), OUTPUT("{}"));

    answer = ask(&s, "{\"aid\":\"AID.NOPE.v1\",\"request_id\":\"r2\"}");
    assert_null(strstr(answer, "status")); /* C-046 T-RSP-2 */
    test_member(answer, "code", text, sizeof text);
    assert_string_equal(text, "not_found");
    answer = ask(&s, ASK_WITH("SLEEP", "\"timeout_ms\":1,\"inputs\":{\"ms\":3000},"
                                       "\"request_id\":\"r3\""));
    test_member(answer, "code", text, sizeof text);
    assert_string_equal(text, "timeout"); /* 3.6 */
    assert_int_equal(session_end(&s), 0);
}

static void test_an_error_text_is_cut(void **state)
{
    (void)state;
    size_t len = 2000000;
    char *line = mgi_alloc(len + 64), *text = mgi_alloc(len);
    struct session s;
    assert_true(line && text);
    memcpy(line, "{\"aid\":\"", 8);
    memset(line + 8, 'A', len);
    memcpy(line + 8 + len, "\"}", 3);
    session_start(&s, "ok.so", NULL, PLAIN);
    test_member(ask(&s, line), "error", text, len);
    assert_int_equal(strlen(text), 4096); /* C-240 T-RSP-5 */
    check_alive(&s, "C-240");
    check(&s, "C-111 T-RSP-6", ASK_WITH("BLOB", "\"inputs\":{\"count\":400000,\"char\":\"\\\"\"}"),
          "{\"ok\":false,\"status\":\"TOOL_ERROR\",\"output_json\":\"{}\",\"error\":\"response too "
          "large: *");
    check_alive(&s, "C-111");
    assert_int_equal(session_end(&s), 0);
    mgi_free(line);
    mgi_free(text);
}

static void test_large_states_come_back_from_run(void **state)
{
    (void)state;
    static const char *const aids[] = { "AID.TEST.ECHO.v1", "AID.TEST.FAIL.v1" };
    struct buf input = { 0 };
    mgi_buf_puts(&input, "{\"ds_state\":{\"slots\":{");
    for (int slot = 0; slot < 2; slot++) {
        mgi_buf_printf(&input, "%s\"%d\":{\"content_json\":\"\\\"", slot ? "," : "", slot);
        for (int i = 0; i < 700000; i++)
            mgi_buf_putc(&input, 'c');
        mgi_buf_puts(&input, "\\\"\"}");
    }
    mgi_buf_puts(&input, "}}}");
    for (int i = 0; i < 2; i++) { /* C-239 T-RSP-7 T-TX-2 */
        const char *const args[] = { "--run", "@ok.so", aids[i], NULL };
        struct session s;
        assert_int_equal(run_host(&s, args, input.ptr, input.len, NULL), 0);
        check_text("C-239", aids[i], s.out_bytes.ptr, i ? "~\"error\":\"boom\"" : "{\"ok\":true*");
        assert_true(s.out_bytes.len > 1400000);
        session_free(&s);
    }
    mgi_buf_fini(&input);
}

static void test_the_writer_is_held_back_while_a_tool_runs(void **state)
{
    (void)state;
    enum { LINES = 5000 };
    struct session s;
    struct buf all = { 0 };
    session_start(&s, "ok.so", NULL, PLAIN);
    check_alive(&s, "C-202");
    session_send(&s, ASK_WITH("SLEEP", "\"inputs\":{\"ms\":500}"));
    for (int i = 0; i < LINES; i++) {
        mgi_buf_printf(&all, "{\"aid\":\"AID.TEST.ECHO.v1\",\"inputs\":{\"n\":%d},\"x\":\"", i);
        for (int k = 0; k < 1000; k++)
            mgi_buf_putc(&all, 'x');
        mgi_buf_puts(&all, "\"}\n");
    }
    int64_t before = test_now_ms();
    test_write(&s, s.in, all.ptr, all.len);
    assert_true(test_now_ms() - before >= 300); /* C-202 T-REQ-7: the pipe was full meanwhile */
    check_text("C-202", "", session_read(&s), OUTPUT("{}"));
    for (int i = 0; i < LINES; i++) {
        char want[64];
        snprintf(want, sizeof want, "~\"output_json\":\"{\\\"n\\\":%d}\"", i);
        check_text("C-202 T-FLOW-3", "", session_read(&s), want);
    }
    mgi_buf_fini(&all);
    assert_int_equal(session_end(&s), 0);
}

static void test_diagnostics_hold_nothing_of_a_request(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "{\"needle\":1,\"needle\":2}",
        "{\"aid\":\"needle",
        ASK_WITH("ECHO", "\"inputs\":{\"needle\":1},\"_lease_token\":\"needle\""),
        ASK_WITH("COUNT", "\"input_json\":\"needle\""),
    };
    struct session s;
    session_start(&s, "ok.so", NULL, PLAIN);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_non_null(ask(&s, lines[i]));
    session_close_input(&s);
    assert_int_equal(session_wait_end(&s, 5000), 0);
    assert_non_null(strstr(s.err_bytes.ptr, "toolhost: info: ")); /* T-CLI-27 T-LEASE-14 */
    assert_null(strstr(s.err_bytes.ptr, "needle"));
    session_free(&s);
}

static void test_the_operators_limit_cannot_be_raised(void **state)
{
    (void)state;
    static const char *const env[] = { "MACHINA_TOOLHOST_TIMEOUT_MS=300",
                                       "MACHINA_TOOLHOST_TIMEOUT=60", NULL };
    struct session s;
    session_start(&s, "ok.so", env, PLAIN);
    check(&s, "C-204 T-LIM-1 T-LIM-2",
          ASK_WITH("SLEEP", "\"inputs\":{\"ms\":60000},\"timeout_ms\":60000"),
          FAILURE("tool timed out after 300 ms"));
    assert_int_equal(session_end(&s), 0);
}

#define STRICT(input) ASK_WITH("STRICT", "\"inputs\":" input)
#define MISFIT(what)  REFUSAL("invalid input: " what)

static const struct exchange_row strict_rows[] = {
    { "C-207 T-INP-7", STRICT("{\"path\":\"/a\"}"), "{\"ok\":true*" },
    { "C-207 T-INP-7", STRICT("{\"path\":\"/a\",\"n\":9}"), "{\"ok\":true*" },
    { "C-207 T-INP-7", STRICT("{}"), MISFIT(": required") },
    { "C-207 T-INP-7", STRICT("{\"path\":7}"), MISFIT("/path: type") },
    { "T-INP-7: all that is wrong", STRICT("{\"path\":\"a\",\"n\":10}"),
      MISFIT("/path: pattern; /n: maximum") },
    { "T-INP-7: input_json", ASK_WITH("STRICT", "\"input_json\":\"{\\\"path\\\":null}\""),
      MISFIT("/path: type") },
    { "T-INP-7 T-RSP-9", ASK_WITH("STRICT", "\"request_id\":\"r\""), "~\"code\":\"bad_input\"" },
    { "T-FLOW-1: no promise was made", ASK_WITH("STRICT", "\"idempotency_key\":\"k\""),
      MISFIT(": required") },
    { "T-FLOW-1", ASK_WITH("STRICT", "\"idempotency_key\":\"k\",\"inputs\":{\"path\":\"/\"}"),
      "{\"ok\":true*" },
};

static void test_an_input_is_held_against_its_schema(void **state)
{
    (void)state;
    static const char *const off[] = { "MACHINA_TOOLHOST_VALIDATE=0", NULL };
    struct session s;
    session_start(&s, "ok.so", NULL, PLAIN);
    CHECK_ROWS(&s, strict_rows);
    assert_int_equal(session_end(&s), 0);
    session_start(&s, "ok.so", off, PLAIN);
    check(&s, "C-207 T-INP-7", STRICT("{}"), "{\"ok\":true*"); /* executed */
    assert_int_equal(session_end(&s), 0);
    const struct run_row row = {
        "C-207 T-INP-7", { "--run", "@ok.so", "AID.TEST.STRICT.v1" }, "{}", MISFIT(": required"), 5
    };
    check_run(&row, NULL);
}

static void test_a_tool_knows_its_call(void **state)
{
    (void)state;
    struct session s;
    session_start(&s, "ok.so", NULL, PLAIN);
    check(&s, "T-ABI-15 T-ABI-19 C-214 T-ABI-5",
          ASK_WITH("FACTS", "\"request_id\":\"r9\",\"idempotency_key\":\"k9\""),
          "~{\\\"request_id\\\":\\\"r9\\\",\\\"key\\\":\\\"k9\\\",\\\"in_time\\\":1,\\\"mask\\\":"
          "63,\\\"nul\\\":0,\\\"extension\\\":0,");
    check(&s, "C-211 T-ABI-14",
          ASK_WITH("BORROW", "\"ds_state\":{\"slots\":{\"0\":{\"content_json\":\"[42]\"}}}"),
          "~\"output_json\":\"[42]\"");
    check(&s, "T-ABI-21", ASK("LOG"), "{\"ok\":true*");
    assert_int_equal((session_close_input(&s), session_wait_end(&s, 5000)), 0);
    assert_non_null(strstr(s.err_bytes.ptr, "[tool AID.TEST.LOG.v1] warn: two lines\n"));
    session_free(&s);
}

static void test_the_memory_of_a_call_ends_with_it(void **state)
{
    (void)state;
    char first[64], last[64];
    struct session s;
    session_start(&s, "ok.so", NULL, PLAIN);
    ask(&s, ASK("MEMORY"));
    test_member(ask(&s, ASK("MEMORY")), "output_json", first, sizeof first);
    for (int i = 0; i < 200; i++)
        ask(&s, ASK("MEMORY"));
    test_member(ask(&s, ASK("MEMORY")), "output_json", last, sizeof last);
    long grown = strtol(last + 6, NULL, 10) - strtol(first + 6, NULL, 10);
    assert_true(grown < 64); /* C-212 T-ABI-14: 2 GB went through it */
    assert_int_equal(session_end(&s), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests_are_read_strictly),
        cmocka_unit_test(test_a_nul_byte_does_not_end_a_request),
        cmocka_unit_test(test_sixty_four_levels_are_deep_enough),
        cmocka_unit_test(test_a_request_id_brings_the_extended_members),
        cmocka_unit_test(test_an_error_text_is_cut),
        cmocka_unit_test(test_large_states_come_back_from_run),
        cmocka_unit_test(test_the_writer_is_held_back_while_a_tool_runs),
        cmocka_unit_test(test_diagnostics_hold_nothing_of_a_request),
        cmocka_unit_test(test_the_operators_limit_cannot_be_raised),
        cmocka_unit_test(test_an_input_is_held_against_its_schema),
        cmocka_unit_test(test_a_tool_knows_its_call),
        cmocka_unit_test(test_the_memory_of_a_call_ends_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
