/* The breaker of a tool and the budget of worker starts: their rules on a clock that can be set,
 * then from outside (toolhost.md 7.5, 7.6). */
#include "host_session.h"

#include "toolhost/breaker.c"

#define CRASH FAILURE("tool crashed: signal 11 (SIGSEGV)")
#define TRIPPED(why)                                                                               \
    "~\"status\":\"BREAKER_TRIP\",\"output_json\":\"{}\",\"error\":\"" why ": retry in "
#define EXIT_WITH(n)  ASK_HOSTILE_WITH("EXIT", "\"inputs\":{\"code\":" n "}")
#define BREAKER_QUICK "MACHINA_TOOLHOST_BREAKER_COOLDOWN_MS=700"
#define BREAKER_OFF   "MACHINA_TOOLHOST_BREAKER_THRESHOLD=0"

/* ---- rules ---------------------------------------------------------------------------------- */

enum { THRESHOLD = 3, WINDOW = 1000, COOLDOWN = 100 };

struct note_row {
    const char *label;
    int64_t now;
    enum breaker_mark mark;
    enum breaker_news news;
    int64_t wait; /* afterwards, at that moment */
};

static const struct note_row note_rows[] = {
    { "T-BRK-1: two failures are not enough", 10, BREAKER_FAILED, BREAKER_SAME, 0 },
    { "T-BRK-1", 20, BREAKER_FAILED, BREAKER_SAME, 0 },
    { "T-BRK-1 C-221: what returns resets the count", 30, BREAKER_RETURNED, BREAKER_SAME, 0 },
    { "T-BRK-1", 40, BREAKER_FAILED, BREAKER_SAME, 0 },
    { "T-BRK-1", 50, BREAKER_FAILED, BREAKER_SAME, 0 },
    { "T-BRK-5: undecided is neither", 60, BREAKER_UNDECIDED, BREAKER_SAME, 0 },
    { "T-BRK-1: the first of three is too long ago", 1041, BREAKER_FAILED, BREAKER_SAME, 0 },
    { "T-BRK-2: now the last three are within the window", 1050, BREAKER_FAILED, BREAKER_OPENED,
      COOLDOWN },
    { "T-BRK-3: half open, undecided, still half open", 1150, BREAKER_UNDECIDED, BREAKER_SAME, 0 },
    { "T-BRK-3: it fails: open again", 1160, BREAKER_FAILED, BREAKER_OPENED, COOLDOWN },
    { "T-BRK-3: it succeeds: closed", 1270, BREAKER_RETURNED, BREAKER_CLOSED, 0 },
    { "T-BRK-3: and the count begins anew", 1280, BREAKER_FAILED, BREAKER_SAME, 0 },
    { "T-BRK-3", 1281, BREAKER_FAILED, BREAKER_SAME, 0 },
    { "T-BRK-2", 1282, BREAKER_FAILED, BREAKER_OPENED, COOLDOWN },
};

static void test_a_breaker_follows_its_states(void **state)
{
    (void)state;
    struct arena arena;
    struct breakers b;
    mgi_arena_init(&arena, 0);
    assert_true(mgi_breakers_init(&b, &arena, 2, THRESHOLD, WINDOW, COOLDOWN));
    for (size_t i = 0; i < sizeof note_rows / sizeof *note_rows; i++) {
        const struct note_row *row = &note_rows[i];
        enum breaker_news news = mgi_breaker_note(&b, 1, row->mark, row->now);
        int64_t wait = mgi_breaker_wait(&b, 1, row->now);
        if (news != row->news || wait != row->wait)
            fail_msg("%s: news %d, wait %lld", row->label, (int)news, (long long)wait);
        assert_int_equal(mgi_breaker_wait(&b, 0, row->now), 0); /* T-BRK-1: per AID */
    }
    assert_int_equal(mgi_breaker_wait(&b, 1, 1282 + COOLDOWN - 1), 1);
    assert_int_equal(mgi_breaker_wait(&b, 1, 1282 + COOLDOWN), 0);
    assert_int_equal(mgi_breakers_open(&b), 1);
    mgi_arena_fini(&arena);
}

static void test_a_threshold_of_one_and_of_none(void **state)
{
    (void)state;
    struct arena arena;
    struct breakers one, none;
    mgi_arena_init(&arena, 0);
    assert_true(mgi_breakers_init(&one, &arena, 1, 1, WINDOW, COOLDOWN));
    assert_true(mgi_breakers_init(&none, &arena, 1, 0, WINDOW, COOLDOWN)); /* T-BRK-4 */
    assert_int_equal(mgi_breaker_note(&one, 0, BREAKER_FAILED, 5), BREAKER_OPENED);
    for (int i = 0; i < 100; i++)
        assert_int_equal(mgi_breaker_note(&none, 0, BREAKER_FAILED, 5), BREAKER_SAME);
    assert_int_equal(mgi_breaker_wait(&none, 0, 5), 0);
    assert_int_equal(mgi_breakers_open(&none), 0);
    mgi_arena_fini(&arena);
}

static void test_five_starts_in_a_minute(void **state)
{
    (void)state;
    struct restarts r = { 0 };
    for (int i = 0; i < 5; i++) { /* T-ISO-15 */
        assert_int_equal(mgi_restarts_wait(&r, 100 * i), 0);
        mgi_restarts_note(&r, true, 100 * i);
        mgi_restarts_note(&r, false, 100 * i); /* planned: it does not count */
        assert_int_equal(mgi_restarts_in_window(&r, 100 * i), i + 1);
    }
    assert_int_equal(r.all, 10);
    assert_int_equal(mgi_restarts_wait(&r, 500), 59500);
    assert_int_equal(mgi_restarts_wait(&r, 59999), 1);
    assert_int_equal(mgi_restarts_wait(&r, 60000), 0);
    mgi_restarts_note(&r, true, 60000);
    assert_int_equal(mgi_restarts_wait(&r, 60000), 100); /* until the second one is a minute old */
    assert_int_equal(mgi_restarts_in_window(&r, 60050), 5);
}

/* ---- from outside --------------------------------------------------------------------------- */

static void test_a_tool_that_crashes_is_switched_off_and_tried_again(void **state)
{
    (void)state;
    static const char *const env[] = { BREAKER_QUICK, NULL };
    pid_t worker;
    struct session s;
    session_start(&s, "hostile.so", env, WITH_CONTROL);
    for (int i = 0; i < 3; i++)
        check(&s, "C-124 T-BRK-1", ASK_HOSTILE("SEGV"), CRASH);
    check(&s, "C-124 T-BRK-2", ASK_HOSTILE("SEGV"),
          TRIPPED("circuit open for AID.HOSTILE.SEGV.v1"));
    assert_int_equal(test_children(s.pid, &worker), 0); /* C-124: no worker was started */
    check(&s, "T-BRK-2 T-RSP-10: nothing of the request is applied",
          ASK_HOSTILE_WITH("SEGV", "\"request_id\":\"r\",\"ds_state\":{\"delta\":true,\"slots\":{"
                                   "\"1\":{\"content_json\":\"[]\"}}}"),
          "~\"ds_digest\":\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\","
          "\"code\":\"breaker_open\"");
    check_alive(&s, "T-BRK-1: others are not concerned");
    check_control(&s, "T-LIM-9", "{\"aid\":\"_stats\"}", "~\"breakers_open\":1,");
    test_sleep_ms(750);
    check(&s, "C-124 T-BRK-3: one is let through, and fails", ASK_HOSTILE("SEGV"), CRASH);
    check(&s, "C-124 T-BRK-3", ASK_HOSTILE("SEGV"),
          TRIPPED("circuit open for AID.HOSTILE.SEGV.v1"));
    test_sleep_ms(750);
    check(&s, "C-124 T-BRK-3: one is let through, and succeeds",
          ASK_HOSTILE_WITH("SEGV", "\"inputs\":{\"well\":true}"), OUTPUT("{}"));
    check_control(&s, "C-124 T-BRK-3: closed", "{\"aid\":\"_stats\"}", "~\"breakers_open\":0,");
    assert_int_equal(session_end(&s), 0);
}

static void test_a_breaker_that_is_off(void **state)
{
    (void)state;
    static const char *const env[] = { BREAKER_OFF, NULL };
    struct session s;
    session_start(&s, "hostile.so", env, PLAIN);
    for (int i = 0; i < 4; i++)
        check(&s, "C-220 T-BRK-4", ASK_HOSTILE("SEGV"), CRASH);
    assert_int_equal(session_end(&s), 0);
}

static void test_a_tool_that_reports_its_own_failure_works(void **state)
{
    (void)state;
    struct session s;
    session_start(&s, "hostile.so", NULL, PLAIN);
    check(&s, "C-221", EXIT_WITH("3"), FAILURE("tool exited: code 3"));
    check(&s, "C-221", EXIT_WITH("3"), FAILURE("tool exited: code 3"));
    check(&s, "C-221 T-BRK-1", ASK_HOSTILE_WITH("EXIT", "\"inputs\":{\"fail\":true}"),
          FAILURE("as asked"));
    check(&s, "C-221", EXIT_WITH("3"), FAILURE("tool exited: code 3"));
    check(&s, "C-221 T-BRK-1: still closed", EXIT_WITH("3"), FAILURE("tool exited: code 3"));
    check_alive(&s, "C-221");
    assert_int_equal(session_end(&s), 0);
}

/* A timeout, an output that is none, one that is too large: failures too, without a dead worker. */
static void test_what_else_counts_as_a_failure(void **state)
{
    (void)state;
    static const char *const tools[][2] = { { "BADJSON", "tool returned invalid JSON output" },
                                            { "BADUTF8", "tool output is not valid UTF-8" },
                                            { "OUT_2MB", "tool output too large: " } };
    struct session s;
    session_start(&s, "hostile.so", NULL, PLAIN);
    for (size_t i = 0; i < 3; i++) { /* T-RSP-6 T-BRK-1 */
        char line[256], want[256];
        snprintf(line, sizeof line, "{\"aid\":\"AID.HOSTILE.%s.v1\"}", tools[i][0]);
        snprintf(want, sizeof want, "~\"error\":\"%s", tools[i][1]);
        for (int n = 0; n < 3; n++)
            check(&s, tools[i][0], line, want);
        check(&s, tools[i][0], line, "~circuit open for AID.HOSTILE.");
    }
    for (int n = 0; n < 4; n++) { /* T-BRK-5: a result that fits into no response */
        check(&s, "T-BRK-5", ASK_WITH("BLOB", "\"inputs\":{\"count\":400000,\"char\":\"\\\"\"}"),
              "~response too large");
        check(&s, "T-BRK-5: a refusal", ASK_WITH("ECHO", "\"inputs\":5"), "~invalid inputs");
        check(&s, "T-BRK-1: its own BREAKER_TRIP", ASK_WITH("STATUS", "\"inputs\":{\"status\":3}"),
              "~tool failed without a message");
    }
    check_alive(&s, "T-BRK-5");
    assert_int_equal(session_end(&s), 0);
}

static void test_cancelled_calls_do_not_count(void **state)
{
    (void)state;
    struct session s;
    session_start(&s, "ok.so", NULL, WITH_CONTROL);
    for (int i = 0; i < 7; i++) { /* T-BRK-5; and T-ISO-15: nor do the workers that follow */
        session_send(&s, ASK_WITH("SLEEP", "\"inputs\":{\"ms\":60000},\"request_id\":\"long\""));
        for (int n = 0; n < 200; n++) {
            const char *answer = ask_control(&s, "{\"aid\":\"_cancel\",\"request_id\":\"long\"}");
            if (strstr(answer, "true}"))
                break;
            test_sleep_ms(10);
        }
        check_text("T-BRK-5 T-ISO-15", "", session_read(&s), "~\"error\":\"tool cancelled\"");
    }
    check_control(&s, "T-LIM-9", "{\"aid\":\"_stats\"}", "~\"cancelled\":7,\"restarts\":6,");
    check_alive(&s, "T-ISO-15");
    assert_int_equal(session_end(&s), 0);
}

static void test_a_sixth_start_within_a_minute_is_refused(void **state)
{
    (void)state;
    static const char *const crashing[] = { ASK_HOSTILE("SEGV"), ASK_HOSTILE("ABORT"),
                                            ASK_HOSTILE("EXIT"), ASK_HOSTILE("STACK"),
                                            ASK_HOSTILE("CLOSEFDS") };
    struct session s;
    session_start(&s, "hostile.so", NULL, PLAIN);
    for (size_t i = 0; i < 5; i++)
        check(&s, "C-125", crashing[i], "{\"ok\":false,\"status\":\"TOOL_ERROR\"*");
    check(&s, "C-125 T-ISO-15", ASK_WITH("ECHO", "\"idempotency_key\":\"k\""),
          TRIPPED("worker restart limit reached"));
    check(&s, "T-IDEMP-10: and not remembered", ASK_WITH("ECHO", "\"idempotency_key\":\"k\""),
          TRIPPED("worker restart limit reached"));
    check(&s, "T-RSP-9", ASK_WITH("ECHO", "\"request_id\":\"r\""), "~\"code\":\"breaker_open\"}");
    assert_int_equal(session_end(&s), 0);
}

static void test_a_remembered_outcome_is_told_while_the_breaker_is_open(void **state)
{
    (void)state;
    struct session s;
    session_start(&s, "hostile.so", NULL, WITH_CONTROL);
    check(&s, "C-222",
          ASK_HOSTILE_WITH("SEGV", "\"idempotency_key\":\"k\",\"inputs\":{\"well\":1}"),
          OUTPUT("{}"));
    for (int i = 0; i < 3; i++)
        check(&s, "C-222", ASK_HOSTILE("SEGV"), CRASH);
    check(&s, "C-222", ASK_HOSTILE("SEGV"), "~circuit open");
    check(&s, "C-222 T-IDEMP-15",
          ASK_HOSTILE_WITH("SEGV", "\"idempotency_key\":\"k\",\"inputs\":{\"well\":1}"),
          "{\"ok\":true,\"status\":\"OK\",\"output_json\":\"{}\",\"error\":\"\",\"idempotent_hit\":"
          "true*");
    check_control(&s, "T-LIM-9", "{\"aid\":\"_stats\"}",
                  "~\"idempotent_hits\":1,\"cache_entries\":1,");
    assert_int_equal(session_end(&s), 0);
}

static void test_no_lease_is_spent_on_an_open_breaker(void **state)
{
    (void)state;
    static const char *const env[] = { "MACHINA_LEASE_ENFORCE=1",
                                       "MACHINA_TEST_COUNT=/dev/null",
                                       "MACHINA_TOOLHOST_PASS_ENV=MACHINA_TEST_COUNT",
                                       "MACHINA_TOOLHOST_BREAKER_THRESHOLD=1",
                                       "MACHINA_TOOLHOST_BREAKER_COOLDOWN_MS=60000",
                                       NULL };
    char token[2][64], line[256];
    struct session s;
    session_start(&s, "ok.so", env, WITH_CONTROL);
    for (int i = 0; i < 2; i++) {
        test_member(
            ask_control(&s, "{\"aid\":\"_lease.issue\",\"tool_aid\":\"AID.TEST.COUNT.v1\"}"),
            "token_id", token[i], sizeof token[i]);
    }
    snprintf(line, sizeof line,
             ASK_WITH("COUNT", "\"timeout_ms\":1,\"inputs\":{\"ms\":5000},\"_lease_token\":\"%s\""),
             token[0]);
    check(&s, "T-BRK-2", line, FAILURE("tool timed out after 1 ms"));
    snprintf(line, sizeof line, ASK_WITH("COUNT", "\"_lease_token\":\"%s\""), token[1]);
    check(&s, "T-BRK-2", line, TRIPPED("circuit open for AID.TEST.COUNT.v1"));
    snprintf(line, sizeof line,
             "{\"aid\":\"_lease.verify\",\"tool_aid\":\"AID.TEST.COUNT.v1\",\"_lease_token\":"
             "\"%s\"}",
             token[1]);
    check_control(&s, "T-BRK-2 T-FLOW-1", line, "{\"ok\":true,\"valid\":true,\"tier\":1*");
    assert_int_equal(session_end(&s), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_breaker_follows_its_states),
        cmocka_unit_test(test_a_threshold_of_one_and_of_none),
        cmocka_unit_test(test_five_starts_in_a_minute),
        cmocka_unit_test(test_a_tool_that_crashes_is_switched_off_and_tried_again),
        cmocka_unit_test(test_a_breaker_that_is_off),
        cmocka_unit_test(test_a_tool_that_reports_its_own_failure_works),
        cmocka_unit_test(test_what_else_counts_as_a_failure),
        cmocka_unit_test(test_cancelled_calls_do_not_count),
        cmocka_unit_test(test_a_sixth_start_within_a_minute_is_refused),
        cmocka_unit_test(test_a_remembered_outcome_is_told_while_the_breaker_is_open),
        cmocka_unit_test(test_no_lease_is_spent_on_an_open_breaker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
