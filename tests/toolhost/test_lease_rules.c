/* Leases, from outside: who issues, what opens, what is refused (toolhost.md 12.5). */
#include "host_session.h"

#define EMPTY_SHA   "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
#define ISSUE(more) "{\"aid\":\"_lease.issue\"," more "}"
#define REQUIRED                                                                                   \
    "{\"ok\":false,\"error\":\"lease_required\",\"tier\":2,\"aid\":\"AID.TEST.SPAWN.v1\"}"
#define REJECTED(reason) "{\"ok\":false,\"error\":\"lease_rejected\",\"reason\":\"" reason "\"}"
#define DENIED(reason)   "{\"ok\":false,\"error\":\"lease_issue_denied\",\"reason\":\"" reason "\"}"

static const char *const enforced[] = { "MACHINA_LEASE_ENFORCE=1", "MACHINA_TEST_COUNT=/dev/null",
                                        "MACHINA_TOOLHOST_PASS_ENV=MACHINA_TEST_COUNT", NULL };

/* Issue on the control channel; the token in `token`. */
static void issue(struct session *s, const char *members, char token[64])
{
    char line[512];
    snprintf(line, sizeof line, ISSUE("%s"), members);
    const char *answer = ask_control(s, line);
    test_member(answer, "token_id", token, 64);
    assert_int_equal(strlen(token), 38); /* C-224 T-LEASE-3 */
    assert_int_equal(strncmp(token, "lease_", 6), 0);
    assert_int_equal(strspn(token + 6, "0123456789abcdef"), 32);
}

static const char *with_token(const char *name, const char *more, const char *token)
{
    static char line[512];
    snprintf(line, sizeof line, "{\"aid\":\"AID.TEST.%s.v1\",%s\"_lease_token\":\"%s\"}", name,
             more, token);
    return line;
}

static void test_a_tool_above_tier_0_needs_a_lease(void **state)
{
    (void)state;
    char token[64];
    struct session s;
    session_start(&s, "ok.so", enforced, WITH_CONTROL);
    check(&s, "C-064 T-LEASE-8", ASK("SPAWN"), REQUIRED);
    check(&s, "C-065 T-LEASE-8", with_token("SPAWN", "", ""), REQUIRED);
    check(&s, "C-065 T-LEASE-9 T-LEASE-10", with_token("SPAWN", "", "lease_x"),
          REJECTED("not found"));
    check(&s, "C-065 T-REQ-4", ASK_WITH("SPAWN", "\"_lease_token\":5"),
          "~\"error\":\"invalid _lease_token: ");
    check_alive(&s, "T-LEASE-13: tier 0 needs none");

    issue(&s, "\"tool_aid\":\"AID.TEST.SPAWN.v1\",\"tier\":2", token);
    check(&s, "C-066 T-LEASE-12", with_token("SPAWN", "", token), OUTPUT("{}"));
    check(&s, "C-066 T-LEASE-12", with_token("SPAWN", "", token), REJECTED("already consumed"));
    assert_int_equal(session_end(&s), 0);
}

static void test_a_lease_expires(void **state)
{
    (void)state;
    char early[64], late[64];
    struct session s;
    session_start(&s, "ok.so", enforced, WITH_CONTROL);
    issue(&s, "\"tool_aid\":\"AID.TEST.SPAWN.v1\",\"ttl_ms\":1", early);
    issue(&s, "\"tool_aid\":\"AID.TEST.SPAWN.v1\",\"ttl_ms\":1", late);
    test_sleep_ms(500);
    check(&s, "C-067 T-LEASE-4: 1 ms is raised to 1000", with_token("SPAWN", "", early),
          OUTPUT("{}"));
    test_sleep_ms(600);
    check(&s, "C-067 T-LEASE-9", with_token("SPAWN", "", late), REJECTED("expired"));
    check(&s, "C-067 T-LEASE-9", with_token("SPAWN", "", late), REJECTED("not found"));
    assert_int_equal(session_end(&s), 0);
}

static void test_a_lease_opens_what_it_was_issued_for(void **state)
{
    (void)state;
    char token[64];
    struct session s;
    session_start(&s, "ok.so", enforced, WITH_CONTROL);
    issue(&s, "\"tool_aid\":\"AID.TEST.SPAWN.v1\"", token);
    check(&s, "C-069 T-LEASE-9", with_token("COUNT", "", token), REJECTED("tool mismatch"));
    check(&s, "C-069 T-LEASE-12: a rejection consumes nothing", with_token("SPAWN", "", token),
          OUTPUT("{}"));
    issue(&s, "\"tool_aid\":\"*\"", token);
    check(&s, "C-070 T-LEASE-11", with_token("SPAWN", "", token), REJECTED("tier too low"));
    issue(&s, "\"tool_aid\":\"*\",\"tier\":2", token);
    check(&s, "C-070 T-LEASE-11", with_token("SPAWN", "", token), OUTPUT("{}"));
    issue(&s, "\"tool_aid\":\"AID.TEST.SPAWN.v1\",\"input_sha256\":\"" EMPTY_SHA "\"", token);
    check(&s, "C-072 T-LEASE-9", with_token("SPAWN", "\"inputs\":{\"a\":1},", token),
          REJECTED("input mismatch"));
    check(&s, "C-072 T-INP-6", with_token("SPAWN", "\"input_json\":\"{ }\",", token), OUTPUT("{}"));
    issue(&s, "\"tool_aid\":\"AID.TEST.SPAWN.v1\"", token);
    check(&s, "C-077 T-FLOW-2", with_token("SPAWN", "\"input_json\":\"{bad\",", token),
          "~invalid input_json");
    check(&s, "C-077 T-FLOW-1", with_token("SPAWN", "", token), OUTPUT("{}"));
    assert_int_equal(session_end(&s), 0);
}

static const struct exchange_row issue_rows[] = {
    { "C-068 T-LEASE-4", ISSUE("\"tool_aid\":\"*\",\"ttl_ms\":-5"), "~\"ttl_ms\":1000}" },
    { "C-068 T-LEASE-4", ISSUE("\"tool_aid\":\"*\",\"ttl_ms\":999999999"), "~\"ttl_ms\":300000}" },
    { "T-LEASE-4", ISSUE("\"tool_aid\":\"*\",\"ttl_ms\":99999999999999999999999"),
      "~\"ttl_ms\":300000}" },
    { "T-LEASE-4", ISSUE("\"tool_aid\":\"*\",\"ttl_ms\":\"5\""), "~invalid ttl_ms: " },
    { "5.3", ISSUE("\"tool_aid\":\"*\""), "~\"tool_aid\":\"*\",\"tier\":0,\"ttl_ms\":10000}" },
    { "C-071 T-LEASE-5", ISSUE("\"tool_aid\":\"*\",\"tier\":3"),
      REFUSAL("invalid tier: wildcard not allowed at tier 3") },
    { "C-071 T-LEASE-4", ISSUE("\"tool_aid\":\"*\",\"tier\":4"), "~invalid tier: " },
    { "C-071 T-LEASE-5", ISSUE("\"tier\":1"), REFUSAL("invalid tool_aid: missing") },
    { "C-071 T-LEASE-5", ISSUE("\"tool_aid\":\"AID.X.v1\""), REFUSAL("invalid tool_aid: unknown") },
    { "5.3", ISSUE("\"tool_aid\":\"*\",\"input_sha256\":\"ABC\""), "~invalid input_sha256: " },
    { "5.3", ISSUE("\"tool_aid\":\"*\",\"issuer\":5"), "~invalid issuer: " },
    { "T-REQ-5", ASK("ECHO"), REFUSAL("tool not found: AID.TEST.ECHO.v1") },
    { "T-REQ-5", "{\"aid\":\"_lease.open\"}", REFUSAL("tool not found: _lease.open") },
    { "T-REQ-6", "{bad", REFUSAL("invalid JSON") },
    { "C-201 T-LIM-7", "{\"aid\":\"_cancel\",\"request_id\":\"r\"}",
      "{\"ok\":true,\"cancelled\":false}" },
};

static void test_the_control_channel_answers_commands(void **state)
{
    (void)state;
    struct session s;
    session_start(&s, "ok.so", enforced, WITH_CONTROL);
    for (size_t i = 0; i < sizeof issue_rows / sizeof *issue_rows; i++)
        check_control(&s, issue_rows[i].label, issue_rows[i].line, issue_rows[i].want);
    close(s.control);
    s.control = -1;
    check_alive(&s, "C-200 T-REQ-6");
    assert_int_equal(session_end(&s), 0);
}

/* A question about a token, on the control channel. */
static const char *about(const char *command, const char *aid, const char *token, const char *more)
{
    static char line[512];
    snprintf(line, sizeof line,
             "{\"aid\":\"_lease.%s\",\"tool_aid\":\"%s\",\"_lease_token\":\"%s\"%s}", command, aid,
             token, more);
    return line;
}

#define COUNT_AID    "AID.TEST.COUNT.v1"
#define SPAWN_AID    "AID.TEST.SPAWN.v1"
#define EMPTY_DIGEST "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
#define INVALID(why) "{\"ok\":true,\"valid\":false,\"reason\":\"" why "\"}"

static void test_a_lease_can_be_asked_about(void **state)
{
    (void)state;
    char spawn[64], any[64], bound[64];
    struct session s;
    session_start(&s, "ok.so", enforced, WITH_CONTROL);
    issue(&s, "\"tool_aid\":\"" SPAWN_AID "\",\"ttl_ms\":59000", spawn);
    issue(&s, "\"tool_aid\":\"*\",\"tier\":1", any);
    issue(&s, "\"tool_aid\":\"" COUNT_AID "\",\"input_sha256\":\"" EMPTY_DIGEST "\"", bound);
    for (int i = 0; i < 2; i++)
        check_control(&s, "C-083 T-LEASE-7", about("verify", SPAWN_AID, spawn, ""),
                      "{\"ok\":true,\"valid\":true,\"tier\":2,\"remaining_ms\":5*");
    check_control(&s, "T-LEASE-7", about("verify", COUNT_AID, spawn, ""), INVALID("tool mismatch"));
    check_control(&s, "T-LEASE-7", about("verify", SPAWN_AID, any, ""), INVALID("tier too low"));
    check_control(&s, "T-LEASE-7", about("verify", SPAWN_AID, "lease_x", ""), INVALID("not found"));
    check_control(&s, "T-LEASE-7", about("verify", COUNT_AID, bound, ""), "~\"valid\":true");
    check_control(&s, "T-LEASE-7",
                  about("verify", COUNT_AID, bound, ",\"input_sha256\":\"" EMPTY_DIGEST "\""),
                  "~\"valid\":true");
    check_control(&s, "T-LEASE-7",
                  about("verify", COUNT_AID, bound,
                        ",\"input_sha256\":"
                        "\"0000000000000000000000000000000000000000000000000000000000000000\""),
                  INVALID("input mismatch"));
    check_control(&s, "T-LEASE-7: none of these was a rejection", "{\"aid\":\"_lease.gc\"}",
                  "{\"ok\":true,\"active\":3,\"issued\":3,\"consumed\":0,\"rejected\":0}");
    check(&s, "C-083 T-LEASE-7: and it is still good", with_token("SPAWN", "", spawn),
          OUTPUT("{}"));
    check_control(&s, "T-LEASE-7", about("verify", SPAWN_AID, spawn, ""),
                  INVALID("already consumed"));
    check_control(&s, "5.3", about("verify", "*", any, ""), REFUSAL("invalid tool_aid: unknown"));
    check_control(&s, "5.3", "{\"aid\":\"_lease.verify\",\"tool_aid\":\"" SPAWN_AID "\"}",
                  REFUSAL("invalid _lease_token: missing"));
    check_control(&s, "5.3", "{\"aid\":\"_lease.verify\",\"_lease_token\":5}",
                  REFUSAL("invalid _lease_token: not a string"));
    check_control(&s, "5.3", about("verify", SPAWN_AID, any, ",\"input_sha256\":1"),
                  "~invalid input_sha256: ");
    check(&s, "T-REQ-5: not on the data channel", about("verify", SPAWN_AID, any, ""),
          REFUSAL("tool not found: _lease.verify"));
    assert_int_equal(session_end(&s), 0);
}

static void test_a_lease_can_be_spent_elsewhere(void **state)
{
    (void)state;
    char spawn[64];
    struct session s;
    session_start(&s, "ok.so", enforced, WITH_CONTROL);
    issue(&s, "\"tool_aid\":\"" SPAWN_AID "\"", spawn);
    check(&s, "T-REQ-5", about("consume", SPAWN_AID, spawn, ""),
          REFUSAL("tool not found: _lease.consume"));
    check_control(&s, "5.3", about("consume", COUNT_AID, spawn, ""), REJECTED("tool mismatch"));
    check_control(&s, "5.3", about("consume", SPAWN_AID, spawn, ""),
                  "{\"ok\":true,\"consumed\":true}");
    check_control(&s, "5.3", about("consume", SPAWN_AID, spawn, ""), REJECTED("already consumed"));
    check(&s, "5.3", with_token("SPAWN", "", spawn), REJECTED("already consumed"));
    check_control(&s, "5.3", "{\"aid\":\"_stats\"}", "~\"leases_active\":0,");
    assert_int_equal(session_end(&s), 0);
}

static void test_gc_counts(void **state)
{
    (void)state;
    char first[64], second[64];
    struct session s;
    session_start(&s, "ok.so", enforced, WITH_CONTROL);
    issue(&s, "\"tool_aid\":\"AID.TEST.SPAWN.v1\"", first);
    issue(&s, "\"tool_aid\":\"AID.TEST.SPAWN.v1\"", second);
    ask(&s, with_token("COUNT", "", first));
    ask(&s, with_token("SPAWN", "", second));
    check_control(&s, "C-081 T-LEASE-6", "{\"aid\":\"_lease.gc\"}",
                  "{\"ok\":true,\"active\":1,\"issued\":2,\"consumed\":1,\"rejected\":1}");
    check(&s, "T-LEASE-6: it was swept", with_token("SPAWN", "", second), REJECTED("not found"));
    for (int i = 1; i < 1024; i++)
        issue(&s, "\"tool_aid\":\"*\"", second);
    check_control(&s, "C-082 T-LEASE-6", ISSUE("\"tool_aid\":\"*\""), DENIED("table full"));
    assert_int_equal(session_end(&s), 0);
}

struct switch_row {
    const char *label;
    const char *env[3];
    enum session_options options;
    const char *line, *want, *log;
};

static const struct switch_row switches[] = {
    { "C-073 T-LEASE-16",
      { "MACHINA_LEASE_ENFORCE=true" },
      WITH_CONTROL,
      ISSUE("\"tool_aid\":\"*\""),
      DENIED("in-band issuing disabled"),
      "" },
    { "T-LEASE-16",
      { "MACHINA_LEASE_ENFORCE=1" },
      WITH_CONTROL,
      "{\"aid\":\"_lease.gc\"}",
      DENIED("in-band issuing disabled"),
      "" },
    { "C-074 T-LEASE-18",
      { "MACHINA_LEASE_ENFORCE=1", "MACHINA_LEASE_ISSUE=inband" },
      WITH_CONTROL,
      ISSUE("\"tool_aid\":\"*\""),
      "{\"ok\":true,\"token_id\":\"lease_*",
      "toolhost: warn: leases are enforced, but" },
    { "C-075 T-LEASE-17",
      { "MACHINA_LEASE_ENFORCE=1" },
      PLAIN,
      ASK("SPAWN"),
      REQUIRED,
      "toolhost: warn: leases are enforced and there is no control channel" },
    { "C-076 T-LEASE-13", { NULL }, PLAIN, ISSUE("\"tool_aid\":\"*\""), "{\"ok\":true*", "" },
    { "C-076 T-LEASE-13",
      { NULL },
      PLAIN,
      ASK_WITH("SPAWN", "\"_lease_token\":\"x\""),
      OUTPUT("{}"),
      "" },
    { "T-LEASE-21",
      { "MACHINA_LEASE_ENFORCE=0", "MACHINA_LEASE_ISSUE=off" },
      PLAIN,
      ISSUE("\"tool_aid\":\"*\""),
      DENIED("in-band issuing disabled"),
      "" },
};

static void test_the_switches_do_what_the_table_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        const struct switch_row *row = &switches[i];
        struct session s;
        session_start(&s, "ok.so", row->env, row->options);
        check(&s, row->label, row->line, row->want);
        check_alive(&s, row->label);
        session_close_input(&s);
        assert_int_equal(session_wait_end(&s, 5000), 0);
        assert_non_null(strstr(mgi_buf_view(&s.err_bytes).ptr, row->log));
        session_free(&s);
    }
}

static void test_nobody_issues_when_issuing_is_off(void **state)
{
    (void)state;
    static const char *const env[] = { "MACHINA_LEASE_ISSUE=off", NULL };
    struct session s;
    session_start(&s, "ok.so", env, WITH_CONTROL);
    check_control(&s, "T-LEASE-21", ISSUE("\"tool_aid\":\"*\""), DENIED("issuing disabled"));
    check_control(&s, "T-LEASE-16", "{\"aid\":\"_lease.gc\"}", "{\"ok\":true,\"active\":0*");
    assert_int_equal(session_end(&s), 0);
}

static void test_run_cannot_go_around_leases(void **state)
{
    (void)state;
    const struct run_row row = {
        "C-078 T-LEASE-19", { "--run", "@ok.so", "AID.TEST.SPAWN.v1" }, "{}", REQUIRED, 4
    };
    check_run(&row, enforced);
}

static void test_commands_are_served_while_a_tool_runs(void **state)
{
    (void)state;
    struct session s;
    session_start(&s, "ok.so", NULL, WITH_CONTROL);
    check_alive(&s, "C-198");
    session_send(&s, ASK_WITH("SLEEP", "\"inputs\":{\"ms\":60000,\"poll\":true},\"request_id\":"
                                       "\"long\""));
    test_sleep_ms(50);
    check_control(&s, "C-198 T-REQ-6 T-LIM-9", "{\"aid\":\"_stats\"}",
                  "{\"ok\":true,\"calls\":1,\"ok_calls\":1,\"crashes\":0,\"timeouts\":0,"
                  "\"cancelled\":0,\"restarts\":0,\"idempotent_hits\":0,\"cache_entries\":0,"
                  "\"cache_bytes\":0,\"leases_active\":0,\"breakers_open\":0,\"rss_kb\":*");
    check_control(&s, "C-198 T-REQ-6", ISSUE("\"tool_aid\":\"*\""), "~\"token_id\":\"lease_");
    check_control(&s, "T-LIM-9", "{\"aid\":\"_stats\",\"request_id\":\"s1\"}",
                  "~\"leases_active\":1,");
    check_control(&s, "C-201 T-LIM-7", "{\"aid\":\"_cancel\",\"request_id\":\"other\"}",
                  "{\"ok\":true,\"cancelled\":false}");
    int64_t before = test_now_ms();
    check_control(&s, "C-129 T-LIM-7", "{\"aid\":\"_cancel\",\"request_id\":\"long\"}",
                  "{\"ok\":true,\"cancelled\":true}");
    check_text("C-129 T-LIM-7", "", session_read(&s), "~\"error\":\"tool cancelled\"");
    assert_true(test_now_ms() - before < 500);
    check_alive(&s, "T-LIM-8");
    assert_int_equal(session_end(&s), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_tool_above_tier_0_needs_a_lease),
        cmocka_unit_test(test_a_lease_expires),
        cmocka_unit_test(test_a_lease_opens_what_it_was_issued_for),
        cmocka_unit_test(test_the_control_channel_answers_commands),
        cmocka_unit_test(test_a_lease_can_be_asked_about),
        cmocka_unit_test(test_a_lease_can_be_spent_elsewhere),
        cmocka_unit_test(test_gc_counts),
        cmocka_unit_test(test_the_switches_do_what_the_table_says),
        cmocka_unit_test(test_nobody_issues_when_issuing_is_off),
        cmocka_unit_test(test_run_cannot_go_around_leases),
        cmocka_unit_test(test_commands_are_served_while_a_tool_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
