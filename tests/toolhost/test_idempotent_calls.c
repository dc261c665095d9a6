/* Idempotency keys, from outside (toolhost.md 12.6). Lifetimes and sizes are tested on the cache
 * itself, with a clock that can be set, in test_units.c. */
#include "host_session.h"

#define KEYED(name, key, more) ASK_WITH(name, "\"idempotency_key\":\"" key "\"" more)
#define COUNTED(n)             "~\"output_json\":\"{\\\"n\\\":" n "}\",\"error\":\"\",\"ds_state\""
#define HIT(n)                 "~\"output_json\":\"{\\\"n\\\":" n "}\",\"error\":\"\",\"idempotent_hit\":true"
#define REUSED                 REFUSAL("idempotency_key reused with different input")

static const struct exchange_row rows[] = {
    { "C-085 T-IDEMP-11", KEYED("COUNT", "k", ""), COUNTED("1") },
    { "C-085 T-IDEMP-11", KEYED("COUNT", "k", ""), HIT("1") "," NO_CHANGE },
    { "C-086 T-IDEMP-2", KEYED("ECHO", "k", ""),
      "{\"ok\":true,\"status\":\"OK\",\"output_json\":"
      "\"{}\",\"error\":\"\",\"ds_state\"*" },
    { "C-087 T-IDEMP-3", KEYED("COUNT", "k", ",\"inputs\":{\"a\":1}"), REUSED },
    { "C-087 T-IDEMP-3", KEYED("COUNT", "k", ",\"inputs\":{ }"), HIT("1") },
    { "T-IDEMP-11: one execution so far", KEYED("COUNT", "k2", ""), COUNTED("2") },
    { "C-088 T-IDEMP-9", KEYED("FAIL", "f", ""), "~\"error\":\"boom\",\"ds_state\"" },
    { "C-088 T-IDEMP-9", KEYED("FAIL", "f", ""),
      "{\"ok\":false,\"status\":\"TOOL_ERROR\",\"output_json\":\"{\\\"partial\\\":true}\","
      "\"error\":"
      "\"boom\",\"idempotent_hit\":true*" },
    { "C-091 T-IDEMP-9", ASK_HOSTILE_WITH("SEGV", "\"idempotency_key\":\"s\""),
      FAILURE("tool crashed: signal 11 (SIGSEGV)") },
    { "C-091 T-IDEMP-9", ASK_HOSTILE_WITH("SEGV", "\"idempotency_key\":\"s\""),
      "~SIGSEGV)\",\"idempotent_hit\":true" },
    { "C-223 T-IDEMP-4: the cache outlives the worker", KEYED("COUNT", "k", ""), HIT("1") },
    { "C-092 T-IDEMP-1", ASK_WITH("COUNT", "\"idempotency_key\":7"),
      REFUSAL("invalid idempotency_key: not a string") },
    { "C-092 T-IDEMP-1", KEYED("COUNT", "", ""), COUNTED("3") },
    { "C-092 T-IDEMP-1", KEYED("COUNT", "", ""), COUNTED("4") },
    { "C-095 T-IDEMP-10", KEYED("COUNT", "n", ",\"input_json\":\"{bad\""), "~invalid input_json" },
    { "C-095 T-IDEMP-10", KEYED("COUNT", "n", ""), COUNTED("5") },
    { "C-093 T-IDEMP-13", KEYED("ECHO", "e", ",\"ds_state\":{\"slots\":{}}"),
      "~\"slots\":{\"6\":{\"type\":\"echo\"" },
    { "C-093", ASK_WITH("PUT", "\"inputs\":{\"slot\":6,\"type\":\"t\",\"content\":\"[7]\"}"),
      "{\"ok\":true*" },
    { "C-093 T-IDEMP-12 T-IDEMP-13: what the slot holds now",
      KEYED("ECHO", "e", ",\"ds_state\":{\"slots\":{}}"),
      "~\"idempotent_hit\":true,\"ds_state\":{\"delta\":true,\"slots\":{\"6\":{\"type\":\"t\","
      "\"provenance\":\"\",\"content_json\":\"[7]\",\"size_bytes\":3}},\"removed_slots\":[]}}" },
    { "T-IDEMP-13: emptied since", ASK_WITH("SPAWN", "\"ds_state\":{\"slots\":{}}"), OUTPUT("{}") },
    { "T-IDEMP-13", KEYED("ECHO", "e", ""),
      "~\"idempotent_hit\":true,\"ds_state\":{\"delta\":true,\"slots\":{},\"removed_slots\":[6]}"
      "}" },
    { "T-IDEMP-9: a timeout is remembered",
      KEYED("SLEEP", "t", ",\"timeout_ms\":100,\"inputs\":{\"ms\":2000,\"poll\":true}"),
      FAILURE("tool timed out after 100 ms") },
    { "T-IDEMP-9",
      KEYED("SLEEP", "t", ",\"timeout_ms\":100,\"inputs\":{\"ms\":2000,\"poll\":true}"),
      "~tool timed out after 100 ms\",\"idempotent_hit\":true" },
};

static void test_a_key_runs_a_tool_once(void **state)
{
    (void)state;
    char path[512], setting[600];
    snprintf(path, sizeof path, "%s", test_path("count"));
    snprintf(setting, sizeof setting, "MACHINA_TEST_COUNT=%s", path);
    const char *const env[] = { setting, "MACHINA_TOOLHOST_PASS_ENV=X,MACHINA_TEST_COUNT", NULL };
    struct session s;
    session_start(&s, "hostile.so", env, PLAIN);
    CHECK_ROWS(&s, rows);
    assert_int_equal(test_file_size(path), 5);
    assert_int_equal(session_end(&s), 0);
    unlink(path);
}

/* Both are written before the first is answered. */
static void test_duplicates_do_not_overlap(void **state)
{
    (void)state;
    static const char twice[] = KEYED("SLEEP", "twin", ",\"inputs\":{\"ms\":300}") "\n" KEYED(
        "SLEEP", "twin", ",\"inputs\":{\"ms\":300}") "\n";
    struct session s;
    session_start(&s, "ok.so", NULL, PLAIN);
    int64_t before = test_now_ms();
    test_write(&s, s.in, twice, sizeof twice - 1);
    check_text("T-IDEMP-16", twice, session_read(&s), OUTPUT("{}"));
    check_text("T-IDEMP-16", twice, session_read(&s), "~\"idempotent_hit\":true");
    assert_true(test_now_ms() - before < 10000);
    assert_int_equal(session_end(&s), 0);
}

/* 70 outputs of a megabyte: more than the cache holds. */
static void test_remembered_bytes_are_bounded(void **state)
{
    (void)state;
    char line[256], bytes[32];
    struct session s;
    session_start(&s, "ok.so", NULL, WITH_CONTROL);
    for (int i = 0; i < 70; i++) {
        snprintf(line, sizeof line,
                 ASK_WITH("BLOB", "\"inputs\":{\"count\":999998,\"char\":\"x\"},"
                                  "\"idempotency_key\":\"b%d\""),
                 i);
        check(&s, "C-096", line, "{\"ok\":true*");
    }
    test_member(ask_control(&s, "{\"aid\":\"_stats\"}"), "cache_bytes", bytes, sizeof bytes);
    assert_true(strtol(bytes, NULL, 10) <= 67108864); /* C-096 T-IDEMP-7 T-LIM-9 */
    assert_true(strtol(bytes, NULL, 10) > 66000000);
    check(&s, "C-096: the newest is remembered", line, "~\"idempotent_hit\":true");
    check(
        &s, "C-096: the oldest is not",
        ASK_WITH("BLOB", "\"inputs\":{\"count\":999998,\"char\":\"x\"},\"idempotency_key\":\"b0\""),
        "{\"ok\":true,\"status\":\"OK\",\"output_json\":\"\\\"xxx*");
    assert_null(strstr(s.line.ptr, "idempotent_hit"));
    assert_int_equal(session_end(&s), 0);
}

static void test_knowing_a_key_is_not_enough(void **state)
{
    (void)state;
    static const char *const env[] = { "MACHINA_LEASE_ENFORCE=1", NULL };
    char token[64], line[512];
    struct session s;
    session_start(&s, "ok.so", env, WITH_CONTROL);
    test_member(ask_control(&s, "{\"aid\":\"_lease.issue\",\"tool_aid\":\"AID.TEST.SPAWN.v1\"}"),
                "token_id", token, sizeof token);
    snprintf(line, sizeof line, KEYED("SPAWN", "p", ",\"_lease_token\":\"%s\""), token);
    check(&s, "C-094 T-IDEMP-14", line, OUTPUT("{}"));
    check(&s, "C-094 T-IDEMP-14: the token that paid", line, "~\"idempotent_hit\":true");
    check(&s, "C-094 T-IDEMP-14", KEYED("SPAWN", "p", ""), "~\"error\":\"lease_required\"");
    check(&s, "C-094 T-IDEMP-14", KEYED("SPAWN", "p", ",\"_lease_token\":\"lease_x\""),
          "~\"reason\":\"not found\"");

    test_member(ask_control(&s, "{\"aid\":\"_lease.issue\",\"tool_aid\":\"*\",\"tier\":2}"),
                "token_id", token, sizeof token);
    snprintf(line, sizeof line, KEYED("SPAWN", "p", ",\"_lease_token\":\"%s\""), token);
    check(&s, "T-IDEMP-14: another good one, not consumed", line, "~\"idempotent_hit\":true");
    check(&s, "T-IDEMP-14", line, "~\"idempotent_hit\":true");
    assert_int_equal(session_end(&s), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_key_runs_a_tool_once),
        cmocka_unit_test(test_duplicates_do_not_overlap),
        cmocka_unit_test(test_remembered_bytes_are_bounded),
        cmocka_unit_test(test_knowing_a_key_is_not_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
