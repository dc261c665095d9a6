/* The program from outside: arguments, framing, ends and exit codes (toolhost.md 12.2). */
#include "host_session.h"

#include <sys/resource.h>

#include "base/alloc.h"

#define FULL_ECHO                                                                                  \
    "{\"ok\":true,\"status\":\"OK\",\"output_json\":\"{\\\"x\\\":1}\",\"error\":\"\","             \
    "\"ds_state\":{\"slots\":{\"6\":{\"type\":\"echo\",\"provenance\":\"test\","                   \
    "\"content_json\":\"{\\\"echo\\\":{\\\"x\\\":1}}\",\"size_bytes\":16}}}}"
#define GIVEN_STATE "{\"ds_state\":{\"slots\":{\"6\":{\"type\":\"x\",\"content_json\":\"{}\"}}}}"
#define KEPT_STATE                                                                                 \
    "{\"ok\":false,\"status\":\"TOOL_ERROR\",\"output_json\":\"{\\\"partial\\\":true}\","          \
    "\"error\":\"boom\",\"ds_state\":{\"slots\":{\"6\":{\"type\":\"x\",\"provenance\":\"\","       \
    "\"content_json\":\"{}\",\"size_bytes\":2}}}}"

static const struct run_row one_shot_rows[] = {
    { "C-001 T-CLI-2", { NULL }, NULL, "", 2 },
    { "C-002 T-CLI-3", { "--bogus", "@ok.so" }, NULL, REFUSAL("unknown mode: --bogus"), 2 },
    { "C-003 T-CLI-4", { "--run", "@ok.so" }, NULL, REFUSAL("missing aid"), 2 },
    { "C-004 T-CLI-6",
      { "--list", "missing.so" },
      NULL,
      REFUSAL("plugin not found: missing.so"),
      3 },
    { "C-007 T-CLI-1 T-CLI-10 T-RSP-3 T-STATE-13",
      { "--run", "@ok.so", "AID.TEST.ECHO.v1" },
      "{\"input_json\":\"{\\\"x\\\":1}\"}",
      FULL_ECHO,
      0 },
    { "C-008 T-REQ-2",
      { "--run", "@ok.so", "AID.NOPE.v1" },
      "{}",
      REFUSAL("tool not found: AID.NOPE.v1"),
      4 },
    { "C-009 T-JSON-4",
      { "--run", "@ok.so", "AID.TEST.ECHO.v1" },
      "",
      REFUSAL("invalid JSON request on stdin"),
      5 },
    { "C-010 T-JSON-2",
      { "--run", "@ok.so", "AID.TEST.ECHO.v1" },
      "{} x",
      REFUSAL("invalid JSON request on stdin"),
      5 },
    { "T-JSON-5",
      { "--run", "@ok.so", "AID.TEST.ECHO.v1" },
      "[]",
      REFUSAL("request must be a JSON object"),
      5 },
    { "C-011 T-TX-2 T-RSP-1",
      { "--run", "@ok.so", "AID.TEST.FAIL.v1" },
      GIVEN_STATE,
      KEPT_STATE,
      0 },
    { "C-025 T-CLI-5", { "--run", "@ok.so", "AID.A.v1", "AID.B.v1" }, NULL, "", 2 },
    { "C-042 T-REQ-3",
      { "--run", "@ok.so", "AID.TEST.ECHO.v1" },
      "{\"aid\":\"AID.TEST.COUNT.v1\",\"inputs\":{}}",
      REFUSAL("aid mismatch"),
      5 },
    { "C-043 C-238 T-INP-1",
      { "--run", "@ok.so", "AID.TEST.ECHO.v1" },
      "{\"aid\":\"AID.TEST.ECHO.v1\",\"inputs\":{\"k\":\"v\"}}",
      "~\"output_json\":\"{\\\"k\\\":\\\"v\\\"}\"",
      0 },
    { "C-099 T-CLI-20",
      { "--run", "@hostile.so", "AID.HOSTILE.SEGV.v1" },
      "{}",
      "~\"error\":\"tool crashed: signal 11 (SIGSEGV)\",\"ds_state\":{\"slots\":{}}",
      6 },
    { "C-103 T-CLI-20",
      { "--run", "@hostile.so", "AID.HOSTILE.HANG.v1" },
      "{\"timeout_ms\":300}",
      "~\"error\":\"tool timed out after 300 ms\"",
      7 },
    { "T-CLI-8", { "--list", "@ok.so", "--control-fd", "5" }, NULL, "", 2 },
    { "C-209 T-CLI-8", { "--serve", "@ok.so", "--control-fd", "77" }, NULL, "", 2 },
    { "T-CLI-8", { "--serve", "@ok.so", "--control-fd", "2" }, NULL, "", 2 },
    { "T-ISO-1", { "--worker" }, NULL, "", 2 },
};

static void test_one_request_has_one_answer_and_an_exit_code(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof one_shot_rows / sizeof *one_shot_rows; i++)
        check_run(&one_shot_rows[i], NULL);
}

static void test_a_wrong_mode_runs_no_plugin_code(void **state)
{
    (void)state;
    const char *mark = test_path("mark");
    char setting[600];
    snprintf(setting, sizeof setting, "MACHINA_TOOL_MARK=%s", mark);
    const char *const env[] = { setting, NULL };
    const struct run_row bogus = {
        "C-002 T-CLI-3", { "--bogus", "@bad_choice.so" }, NULL, REFUSAL("unknown mode: --bogus"), 2
    };
    check_run(&bogus, env);
    assert_int_equal(test_file_size(mark), -1);
}

static void test_an_unknown_aid_is_told_without_waiting_for_the_request(void **state)
{
    (void)state;
    const char *const argv[] = { "toolhost", "--run", PLUGIN_FOLDER "ok.so", "AID.NOPE.v1", NULL };
    struct session s;
    session_exec(&s, argv, NULL, PLAIN);
    assert_int_equal(session_wait_end(&s, 5000), 4); /* C-208 T-CLI-32: its input is still open */
    session_free(&s);
}

static void test_list_is_sorted_and_complete(void **state)
{
    (void)state;
    static const char *const members[] = { "aid",          "name",         "deterministic",
                                           "tags",         "side_effects", "replay_inputs",
                                           "description",  "tier",         "idempotent",
                                           "reversible",   "timeout_ms",   "input_schema",
                                           "output_schema" };
    struct session s;
    const char *const args[] = { "--list", "@ok.so", NULL };
    assert_int_equal(run_host(&s, args, "", 0, NULL), 0);
    struct arena arena;
    struct json list;
    mgi_arena_init(&arena, 0);
    assert_int_equal(mgi_json_parse(&arena, mgi_buf_view(&s.out_bytes), NULL, &list, NULL),
                     JSON_OK);
    const struct json *tools = mgi_json_get(&list, "tools");
    assert_int_equal(tools->count, 14);
    for (uint32_t i = 0; i < tools->count; i++) {
        const struct json *tool = &tools->items[i];
        for (size_t m = 0; m < sizeof members / sizeof *members; m++)
            assert_non_null(mgi_json_get(tool, members[m])); /* C-006 T-CLI-29 T-CLI-30 */
        if (i > 0)
            assert_true(mgi_str_compare(mgi_json_get(&tool[-1], "aid")->string,
                                        mgi_json_get(tool, "aid")->string) < 0); /* T-CLI-31 */
    }
    mgi_arena_fini(&arena);
    session_free(&s);
}

static void test_a_plugin_in_the_working_directory_needs_no_slash(void **state)
{
    (void)state;
    char before[4096];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(PLUGIN_FOLDER), 0);
    const struct run_row row = { "C-005 T-CLI-7", { "--list", "ok.so" }, NULL, "{\"ok\":true*", 0 };
    check_run(&row, NULL);
    assert_int_equal(chdir(before), 0);
}

/* `len` bytes: a request, padded with blanks. */
static char *padded(size_t len)
{
    char *text = mgi_alloc(len + 1);
    assert_non_null(text);
    memset(text, ' ', len);
    text[0] = '{';
    text[len - 1] = '}';
    text[len] = '\0';
    return text;
}

static void test_run_takes_ten_megabytes_and_not_one_byte_more(void **state)
{
    (void)state;
    struct session s;
    char *text = padded(10485761);
    const char *const echo[] = { "--run", "@ok.so", "AID.TEST.ECHO.v1", NULL };
    const char *const count[] = { "--run", "@ok.so", "AID.TEST.COUNT.v1", NULL };
    const char *path = test_path("count");
    char setting[600];
    snprintf(setting, sizeof setting, "MACHINA_TEST_COUNT=%s", path);
    const char *const env[] = { setting, "MACHINA_TOOLHOST_PASS_ENV=MACHINA_TEST_COUNT", NULL };

    assert_int_equal(run_host(&s, count, text, 10485761, env), 5); /* C-013 T-CLI-18 */
    assert_string_equal(s.out_bytes.ptr, REFUSAL("stdin exceeds 10MB limit") "\n");
    assert_int_equal(test_file_size(path), -1);
    session_free(&s);

    text[10485759] = '}';
    assert_int_equal(run_host(&s, echo, text, 10485760, NULL), 0); /* C-012 T-CLI-19 */
    session_free(&s);
    mgi_free(text);
}

struct stream_row {
    const char *label, *input;
    const char *want[4]; /* one per answer */
};

static const struct stream_row stream_rows[] = {
    { "C-014 T-CLI-14", ASK("SPAWN") "\n\n" ASK("SPAWN") "\n", { OUTPUT("{}") } },
    { "C-015 T-CLI-15",
      ASK("SPAWN") "\n  \n" ASK("SPAWN") "\n",
      { OUTPUT("{}"), REFUSAL("invalid JSON"), OUTPUT("{}") } },
    { "C-016 T-CLI-16", ASK("SPAWN"), { OUTPUT("{}") } },
    { "C-017 T-CLI-16", "{\"aid\":\"AID.TEST.SPAWN.v1\"", { REFUSAL("invalid JSON") } },
    { "C-018 T-CLI-13", ASK("SPAWN") "\r\n\r\n" ASK("SPAWN") "\n", { OUTPUT("{}") } },
    { "T-CLI-21", "", { NULL } },
};

static void test_serve_frames_by_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof stream_rows / sizeof *stream_rows; i++) {
        const struct stream_row *row = &stream_rows[i];
        struct session s;
        session_start(&s, "ok.so", NULL, PLAIN);
        test_write(&s, s.in, row->input, strlen(row->input));
        session_close_input(&s);
        for (size_t n = 0; n < 4 && row->want[n]; n++)
            check_text(row->label, row->input, session_read(&s), row->want[n]);
        assert_null(session_read(&s));
        assert_int_equal(session_wait_end(&s, 5000), 0);
        session_free(&s);
    }
}

static long resident_kb(pid_t pid)
{
    char path[64], text[4096] = "";
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = '\0';
    const char *peak = strstr(text, "VmHWM:");
    return peak ? strtol(peak + 6, NULL, 10) : 0;
}

static void test_a_line_that_is_too_long_is_dropped_and_the_session_goes_on(void **state)
{
    (void)state;
    struct session s;
    session_start(&s, "ok.so", NULL, PLAIN);
    check_alive(&s, "C-019");
    long before = resident_kb(s.pid);
    char *text = padded(11 << 20);
    check(&s, "C-019 T-CLI-17", text, REFUSAL("request exceeds 10MB limit"));
    mgi_free(text);
    check_alive(&s, "C-019 T-CLI-17");
#ifndef UNDER_ASAN
    assert_true(resident_kb(s.pid) - before < 16 * 1024);
#else
    (void)before;
#endif
    text = padded(10485760);
    memcpy(text, ASK("SPAWN"), strlen(ASK("SPAWN")));
    text[10485759] = ' ';
    check(&s, "T-CLI-19", text, OUTPUT("{}"));
    mgi_free(text);
    assert_int_equal(session_end(&s), 0);
}

static void test_a_thousand_requests_written_at_once_are_answered_in_order(void **state)
{
    (void)state;
    struct session s;
    struct buf all = { 0 };
    char setting[600], want[32];
    snprintf(setting, sizeof setting, "MACHINA_TEST_COUNT=%s", test_path("count"));
    const char *const env[] = { setting, "MACHINA_TOOLHOST_PASS_ENV=MACHINA_TEST_COUNT", NULL };
    session_start(&s, "ok.so", env, PLAIN);
    for (int i = 0; i < 1000; i++)
        mgi_buf_puts(&all, ASK("COUNT") "\n");
    test_write(&s, s.in, all.ptr, all.len);
    session_close_input(&s);
    for (int i = 1; i <= 1000; i++) {
        snprintf(want, sizeof want, "~{\\\"n\\\":%d}", i);
        check_text("C-020 T-CLI-11 T-CLI-21", "", session_read(&s), want);
    }
    assert_int_equal(session_wait_end(&s, 5000), 0);
    session_free(&s);
    mgi_buf_fini(&all);
    test_path("count");
}

/* A session whose worker sleeps for a minute. */
static pid_t start_sleeping(struct session *s)
{
    session_start(s, "ok.so", NULL, PLAIN);
    check_alive(s, "sleeping");
    session_send(s, ASK_WITH("SLEEP", "\"inputs\":{\"ms\":60000}"));
    test_sleep_ms(200);
    pid_t worker = worker_of(s->pid);
    assert_true(worker > 0);
    return worker;
}

static void test_sigterm_cancels_the_tool_and_ends_in_order(void **state)
{
    (void)state;
    struct session s;
    pid_t worker = start_sleeping(&s);
    kill(s.pid, SIGTERM);
    check_text("C-021 T-CLI-22", "", session_read(&s), FAILURE("tool cancelled"));
    assert_int_equal(session_wait_end(&s, 2000), 0);
    test_await_gone(worker); /* T-CLI-24 */
    session_free(&s);
}

static void test_run_is_cancelled_by_a_signal(void **state)
{
    (void)state;
    const char *const argv[] = { "toolhost", "--run", PLUGIN_FOLDER "ok.so", "AID.TEST.SLEEP.v1",
                                 NULL };
    struct session s;
    session_exec(&s, argv, NULL, PLAIN);
    test_write(&s, s.in, "{\"inputs\":{\"ms\":60000}}", 23);
    session_close_input(&s);
    test_sleep_ms(300);
    kill(s.pid, SIGINT);
    check_text("T-CLI-22", "", session_read(&s), "~\"error\":\"tool cancelled\"");
    assert_int_equal(session_wait_end(&s, 2000), 7);
    session_free(&s);
}

static void test_a_lost_reader_ends_the_session(void **state)
{
    (void)state;
    struct session s;
    pid_t worker = start_sleeping(&s);
    close(s.out);
    s.out = -1;
    assert_int_equal(session_wait_end(&s, 2000), 1); /* C-022 T-CLI-23 */
    test_await_gone(worker);                         /* T-CLI-24 */
    session_free(&s);
}

static void test_a_killed_host_takes_its_worker_along(void **state)
{
    (void)state;
    struct session s;
    pid_t worker = start_sleeping(&s);
    kill(s.pid, SIGKILL);
    test_await_gone(worker); /* C-023 T-CLI-24 */
    session_wait_end(&s, 2000);
    session_free(&s);
}

static void test_a_closed_standard_error_does_no_harm(void **state)
{
    (void)state;
    struct session s;
    session_start(&s, "hostile.so", NULL, PLAIN);
    close(s.err);
    s.err = -1;
    check(&s, "C-024 T-CLI-28", ASK_HOSTILE("PRINT"), OUTPUT("{}"));
    check_alive(&s, "C-024");
    assert_int_equal(session_end(&s), 0);
}

static const char *const bad_settings[] = {
    "MACHINA_TOOLHOST_RLIMIT_AS_MB=lots", /* C-210 T-ENV-1 */
    "MACHINA_TOOLHOST_RLIMIT_NOFILE=",
    "MACHINA_TOOLHOST_TIMEOUT_MS=0",
    "MACHINA_LEASE_ENFORCE=TRUE", /* C-079 T-LEASE-21 */
    "MACHINA_LEASE_ISSUE=everybody",
    "MACHINA_PLUGIN_CAPS=flying",
    "MACHINA_PLUGIN_SHA256=abc",
    "MACHINA_SECCOMP_ENABLE=yes",
    "MACHINA_SECCOMP_PROFILE=loose",
    "MACHINA_SECCOMP_ALLOW_NET=2",
    "MACHINA_TOOLHOST_AUDIT_REQUIRED=1", /* of which there is none: MACHINA_TOOLHOST_AUDIT */
    "MACHINA_TOOLHOST_AUDIT_REQUIRED=yes",
    "MACHINA_WAL_FSYNC=on",
    "MACHINA_DETERMINISTIC_RUN_ID=2",
    "MACHINA_TOOLHOST_BREAKER_THRESHOLD=-1", /* T-BRK-4 */
    "MACHINA_TOOLHOST_BREAKER_COOLDOWN_MS=soon",
    "MACHINA_TOOLHOST_VALIDATE=2",
};

static void test_a_wrong_setting_is_named_and_ends_the_start(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_settings / sizeof *bad_settings; i++) {
        const char *const env[] = { bad_settings[i], NULL };
        const char *const args[] = { "--serve", "@ok.so", NULL };
        struct session s;
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(bad_settings[i], "="), bad_settings[i]);
        assert_int_equal(run_host(&s, args, ASK("ECHO"), strlen(ASK("ECHO")), env), 2);
        assert_int_equal(s.out_bytes.len, 0);
        assert_non_null(strstr(s.err_bytes.ptr, name));
        session_free(&s);
    }
}

static void test_fini_runs_at_an_orderly_end(void **state)
{
    (void)state;
    const char *path = test_path("fini");
    char setting[600];
    snprintf(setting, sizeof setting, "MACHINA_TOOL_FINI=%s", path);
    const char *const env[] = { setting, NULL };
    struct session s;
    session_start(&s, "ok.so", env, PLAIN);
    check_alive(&s, "C-216");
    kill_worker_of(s.pid);
    check_alive(&s, "C-216 T-ISO-13");
    assert_int_equal(test_file_size(path), -1); /* C-216 T-ABI-23: killed, not stopped */
    assert_int_equal(session_end(&s), 0);
    assert_int_equal(test_file_size(path), 0); /* C-216 T-ABI-23 */
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_request_has_one_answer_and_an_exit_code),
        cmocka_unit_test(test_a_wrong_mode_runs_no_plugin_code),
        cmocka_unit_test(test_an_unknown_aid_is_told_without_waiting_for_the_request),
        cmocka_unit_test(test_list_is_sorted_and_complete),
        cmocka_unit_test(test_a_plugin_in_the_working_directory_needs_no_slash),
        cmocka_unit_test(test_run_takes_ten_megabytes_and_not_one_byte_more),
        cmocka_unit_test(test_serve_frames_by_lines),
        cmocka_unit_test(test_a_line_that_is_too_long_is_dropped_and_the_session_goes_on),
        cmocka_unit_test(test_a_thousand_requests_written_at_once_are_answered_in_order),
        cmocka_unit_test(test_sigterm_cancels_the_tool_and_ends_in_order),
        cmocka_unit_test(test_run_is_cancelled_by_a_signal),
        cmocka_unit_test(test_a_lost_reader_ends_the_session),
        cmocka_unit_test(test_a_killed_host_takes_its_worker_along),
        cmocka_unit_test(test_a_closed_standard_error_does_no_harm),
        cmocka_unit_test(test_a_wrong_setting_is_named_and_ends_the_start),
        cmocka_unit_test(test_fini_runs_at_an_orderly_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
