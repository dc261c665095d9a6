/* The working state of a session, from outside (toolhost.md 12.4). */
#include "host_session.h"

#include "base/alloc.h"

#define ECHO_DELTA                                                                                 \
    "\"ds_state\":{\"delta\":true,\"slots\":{\"6\":{\"type\":\"echo\",\"provenance\":\"test\","    \
    "\"content_json\":\"{\\\"echo\\\":{}}\",\"size_bytes\":11}},\"removed_slots\":[]}"
#define WITH_STATE(name, json) ASK_WITH(name, "\"ds_state\":" json)
#define DIGEST(json)           ASK_WITH("STATUS", "\"request_id\":\"d\",\"ds_state\":{\"slots\":{" json "}}")

static const struct exchange_row rows[] = {
    { "C-048 T-STATE-11 T-STATE-12", ASK("ECHO"), "~" ECHO_DELTA },
    { "C-048 T-TX-4", ASK("ECHO"), "~" NO_CHANGE },
    { "C-049 T-TX-1 T-TX-2 T-ABI-18", ASK("FAIL"), "~\"error\":\"boom\"," NO_CHANGE },
    { "C-049 T-TX-2", ASK("ECHO"), "~" NO_CHANGE },
    { "C-051 T-STATE-1", WITH_STATE("FAIL", "{\"slots\":{\"8\":{}}}"),
      REFUSAL("invalid ds_state: slot 8") },
    { "C-051", WITH_STATE("FAIL", "{\"slots\":{\"300\":{}}}"), "~invalid ds_state: slot 300" },
    { "C-051", WITH_STATE("FAIL", "{\"slots\":{\"x\":{}}}"), "~invalid ds_state: slot x" },
    { "C-051", WITH_STATE("FAIL", "{\"slots\":{\"4z\":{}}}"), "~invalid ds_state: slot 4z" },
    { "C-051", WITH_STATE("FAIL", "{\"slots\":{\"07\":{}}}"), "~invalid ds_state: slot 07" },
    { "C-052 T-STATE-8",
      WITH_STATE("FAIL", "{\"delta\":true,\"slots\":{\"3\":{}},\"removed_slots\":[3]}"),
      REFUSAL("invalid ds_state: slot 3 both set and removed") },
    { "C-053", WITH_STATE("FAIL", "{\"delta\":true,\"removed_slots\":[\"2\"]}"), "~invalid ds_" },
    { "C-053", WITH_STATE("FAIL", "{\"delta\":true,\"removed_slots\":[1.5]}"), "~invalid ds_" },
    { "C-053", WITH_STATE("FAIL", "{\"delta\":true,\"removed_slots\":[8]}"), "~invalid ds_" },
    { "C-053", WITH_STATE("FAIL", "{\"delta\":true,\"removed_slots\":[1,1]}"), "~invalid ds_" },
    { "T-STATE-8", WITH_STATE("FAIL", "{\"delta\":\"yes\"}"), "~invalid ds_state: delta" },
    { "C-055 T-STATE-10", WITH_STATE("ECHO", "null"), "~" NO_CHANGE },
    { "C-055 T-STATE-10", WITH_STATE("FAIL", "[]"), REFUSAL("invalid ds_state: not an object") },
    { "C-057 T-STATE-2", WITH_STATE("FAIL", "{\"slots\":{\"1\":{\"content_json\":\"{bad\"}}}"),
      REFUSAL("invalid ds_state: slot 1 content_json is not one JSON text") },
    { "C-057 T-STATE-17", WITH_STATE("FAIL", "{\"slots\":{\"1\":{\"type\":\"a:b\"}}}"),
      "~invalid ds_state: slot 1 type" },
    { "C-057 T-STATE-17", WITH_STATE("FAIL", "{\"slots\":{\"1\":{\"provenance\":\"x|y\"}}}"),
      "~invalid ds_state: slot 1 provenance" },
    { "T-STATE-2", WITH_STATE("FAIL", "{\"slots\":{\"1\":5}}"), "~slot 1 is not an object" },
    { "T-FLOW-1: all those refusals changed nothing", ASK("ECHO"), "~" NO_CHANGE },
    { "C-063 T-ABI-17", ASK_WITH("PUT", "\"inputs\":{\"slot\":8,\"content\":\"1\"}"),
      OUTPUT("{\\\"rc\\\":-1}") },
    { "C-063 T-ABI-17", ASK_WITH("PUT", "\"inputs\":{\"slot\":1,\"content\":\"{bad\"}"),
      OUTPUT("{\\\"rc\\\":-1}") },
    { "C-063 T-TX-2", ASK_WITH("PUT", "\"inputs\":{\"slot\":1,\"content\":\"[1]\",\"fail\":true}"),
      "{\"ok\":false,\"status\":\"TOOL_ERROR\",\"output_json\":\"{\\\"rc\\\":0}\",\"error\":\"as "
      "asked\"," NO_CHANGE "}" },
    { "T-STATE-7: a delta removes", WITH_STATE("SPAWN", "{\"delta\":true,\"removed_slots\":[6,5]}"),
      OUTPUT("{}") },
    { "T-STATE-7", ASK("ECHO"), "~" ECHO_DELTA },
};

static void test_states_are_patched_and_rolled_back(void **state)
{
    (void)state;
    struct session s;
    session_start(&s, "ok.so", NULL, PLAIN);
    CHECK_ROWS(&s, rows);
    assert_int_equal(session_end(&s), 0);
}

static void digest_of(struct session *s, const char *line, char out[128])
{
    test_member(ask(s, line), "ds_digest", out, 128);
}

static const struct exchange_row digests[] = {
    { "C-058", DIGEST(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
    { "C-058",
      DIGEST(
          "\"0\":{\"type\":\"text\",\"provenance\":\"unit\",\"content_json\":\"{\\\"v\\\":1}\"}"),
      "4fb4389d16ece3b966cf2807960e02975535a0f582610c2ba8f45c91f8135c75" },
    { "C-058",
      DIGEST(
          "\"6\":{\"type\":\"text\",\"provenance\":\"p\",\"content_json\":\"{}\"},\"0\":{\"type\""
          ":\"text\",\"provenance\":\"unit\",\"content_json\":\"{\\\"v\\\":1}\",\"size_bytes\":9}"),
      "78fd5065e66b09d101768c7ea982962a2bc1826fa707ea45807e336db0155f67" },
    { "C-058",
      DIGEST("\"3\":{\"type\":\"note\",\"provenance\":\"unit:a\",\"content_json\":\"{\\\"t\\\":"
             "\\\"\xc3\xa9\\\"}\"}"),
      "27878ec8a7719ae6a9430eaaf31d7035fbe28e1cb9eba108719f30ee4f918c18" },
};

static void test_digests_are_those_of_the_reference(void **state)
{
    (void)state;
    struct session s;
    char got[128];
    session_start(&s, "ok.so", NULL, PLAIN);
    for (size_t i = 0; i < sizeof digests / sizeof *digests; i++) { /* T-STATE-15 */
        digest_of(&s, digests[i].line, got);
        check_text(digests[i].label, digests[i].line, got, digests[i].want);
    }
    assert_int_equal(session_end(&s), 0);
}

static void test_what_the_client_put_stays_when_the_tool_fails(void **state)
{
    (void)state;
    struct session s;
    char got[128], want[128];
    session_start(&s, "ok.so", NULL, PLAIN);
    ask(&s, WITH_STATE("FAIL", "{\"delta\":true,\"slots\":{\"1\":{\"type\":\"a\",\"content_json\":"
                               "\"{}\"}},\"removed_slots\":[]}"));
    digest_of(&s, ASK_WITH("ECHO", "\"request_id\":\"r\""), got); /* C-050 T-TX-3 */
    digest_of(&s,
              DIGEST("\"1\":{\"type\":\"a\",\"content_json\":\"{}\"},\"6\":{\"type\":\"echo\","
                     "\"provenance\":\"test\",\"content_json\":\"{\\\"echo\\\":{}}\"}"),
              want);
    assert_string_equal(got, want);
    digest_of(&s, ASK_WITH("STATUS", "\"ds_state\":{\"slots\":{}},\"request_id\":\"r\""), got);
    assert_string_equal(got, digests[0].want); /* C-054 T-STATE-6 */
    assert_int_equal(session_end(&s), 0);
}

static void test_a_delta_for_another_state_is_refused(void **state)
{
    (void)state;
    struct session s;
    char digest[128], line[512];
    session_start(&s, "ok.so", NULL, PLAIN);
    digest_of(&s, ASK_WITH("ECHO", "\"request_id\":\"r\""), digest);
    snprintf(
        line, sizeof line,
        ASK_WITH("SPAWN", "\"ds_state\":{\"delta\":true,\"base\":\"%s\",\"slots\":{\"0\":{}}}"),
        digest);
    check(&s, "C-059 T-STATE-9", line, OUTPUT("{}"));
    check(&s, "C-059 T-STATE-9", line, REFUSAL("ds_state base mismatch"));
    assert_int_equal(session_end(&s), 0);
}

static void test_run_counts_bytes_itself(void **state)
{
    (void)state;
    const struct run_row row = {
        "C-056 T-STATE-3",
        { "--run", "@ok.so", "AID.TEST.SPAWN.v1" },
        "{\"ds_state\":{\"delta\":true,\"slots\":{\"2\":{\"content_json\":\"{}\",\"size_bytes\":999"
        "}}}}",
        "~\"ds_state\":{\"slots\":{\"2\":{\"type\":\"\",\"provenance\":\"\",\"content_json\":\"{}"
        "\","
        "\"size_bytes\":2}}}",
        0
    };
    check_run(&row, NULL); /* and T-STATE-13: a delta applies to nothing */
}

static void test_slots_come_out_in_order(void **state)
{
    (void)state;
    const struct run_row row = {
        "T-STATE-5",
        { "--run", "@ok.so", "AID.TEST.SPAWN.v1" },
        "{\"ds_state\":{\"slots\":{\"5\":{\"content_json\":\"1\",\"type\":\"t\"},\"2\":{}}}}",
        "~\"ds_state\":{\"slots\":{\"2\":{\"type\":\"\",\"provenance\":\"\",\"content_json\":\"\","
        "\"size_bytes\":0},\"5\":{\"type\":\"t\",\"provenance\":\"\",\"content_json\":\"1\","
        "\"size_bytes\":1}}}}",
        0
    };
    check_run(&row, NULL);
}

static void test_an_artifact_has_a_megabyte(void **state)
{
    (void)state;
    struct session s;
    struct buf line = { 0 };
    session_start(&s, "ok.so", NULL, PLAIN);
    for (int extra = 0; extra < 2; extra++) { /* C-057 T-STATE-4 */
        mgi_buf_clear(&line);
        mgi_buf_puts(&line, "{\"aid\":\"AID.TEST.SPAWN.v1\",\"ds_state\":{\"slots\":{\"1\":{"
                            "\"content_json\":\"\\\"");
        for (int i = 0; i < 1048574 + extra; i++)
            mgi_buf_putc(&line, 'c');
        mgi_buf_puts(&line, "\\\"\"}}}}");
        check(&s, "C-057 T-STATE-4", line.ptr,
              extra ? REFUSAL("invalid ds_state: slot 1 too large") : OUTPUT("{}"));
    }
    mgi_buf_fini(&line);
    assert_int_equal(session_end(&s), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_are_patched_and_rolled_back),
        cmocka_unit_test(test_digests_are_those_of_the_reference),
        cmocka_unit_test(test_what_the_client_put_stays_when_the_tool_fails),
        cmocka_unit_test(test_a_delta_for_another_state_is_refused),
        cmocka_unit_test(test_run_counts_bytes_itself),
        cmocka_unit_test(test_slots_come_out_in_order),
        cmocka_unit_test(test_an_artifact_has_a_megabyte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
