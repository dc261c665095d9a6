/* The requests and answers printed in the toolhost document, against the real program: what is
 * printed as a request is understood, and what it answers has the printed members. "..." in the
 * printed text stands for anything; the printed actions become those of the fixture plugin. */
#include "toolhost/host_session.h"

#include "seed_text.h"

static const char *const enforced[] = { "MACHINA_LEASE_ENFORCE=1", NULL };

/* The printed text on one line, with what it leaves out removed. The caller's. */
static char *printed(const char *name)
{
    char *text = seed_file("text", name, strlen(name));
    assert_non_null(text);
    text = seed_replace(text, "{ ... }", "{}");
    text = seed_replace(text, ", ... }", " }");
    return seed_replace(text, "\n", " ");
}

static struct json parse(struct arena *arena, const char *text)
{
    struct json v;
    if (mgi_json_parse(arena, str_of(mgi_arena_strdup(arena, text)), NULL, &v, NULL) != JSON_OK)
        fail_msg("not JSON: %s", text);
    return v;
}

/* `got` has the members of `shape`, of these types and in this order. */
static void check_shape(const char *got_text, const char *shape_text)
{
    struct arena arena;
    mgi_arena_init(&arena, 0);
    struct json got = parse(&arena, got_text), shape = parse(&arena, shape_text);
    assert_int_equal(got.count, shape.count);
    for (uint32_t i = 0; i < shape.count; i++) {
        assert_int_equal(got.members[i].name.len, shape.members[i].name.len);
        assert_memory_equal(got.members[i].name.ptr, shape.members[i].name.ptr,
                            shape.members[i].name.len);
        assert_int_equal(got.members[i].value.type, shape.members[i].value.type);
    }
    mgi_arena_fini(&arena);
}

static void check_equal(const char *got_text, const char *want_text)
{
    struct arena arena;
    mgi_arena_init(&arena, 0);
    struct json got = parse(&arena, got_text), want = parse(&arena, want_text);
    if (!mgi_json_equal(&got, &want, true))
        fail_msg("%s is not %s", got_text, want_text);
    mgi_arena_fini(&arena);
}

/* The output is what the request put in, for the action that echoes. */
static void check_echoed(const char *answer, const char *input)
{
    char output[256];
    test_member(answer, "output_json", output, sizeof output);
    check_equal(output, input);
}

static void test_a_single_request_is_answered_and_the_program_ends(
    void **state) /* 3a, 4a; T-CLI-3 */
{
    (void)state;
    struct session s;
    const char *const args[] = { "--run", "@ok.so", "AID.TEST.ECHO.v1", NULL };
    char *request = printed("toolhost-3a.json"), *shape = printed("toolhost-4a.json");
    assert_int_equal(run_host(&s, args, request, strlen(request), NULL), 0);
    check_shape(s.out_bytes.ptr, shape);
    check_echoed(s.out_bytes.ptr, "{\"query\": \"test\"}");
    session_free(&s);
    free(request);
    free(shape);
}

static void test_requests_are_answered_line_by_line(void **state) /* 3b, 4a; T-RSP-1 */
{
    (void)state;
    struct session s;
    char *request = printed("toolhost-3b.json"), *shape = printed("toolhost-4a.json");
    request = seed_replace(request, "AID.MEMORY.QUERY.v1", "AID.TEST.ECHO.v1");
    session_start(&s, "ok.so", NULL, PLAIN);
    const char *answer = ask(&s, request);
    check_shape(answer, shape);
    check_echoed(answer, "{\"query\": \"test\", \"k\": \"3\"}");
    check_text("idempotency_key", request, ask(&s, request), "~\"idempotent_hit\":true");
    assert_int_equal(session_end(&s), 0);
    free(request);
    free(shape);
}

static void test_inputs_may_be_an_object(void **state) /* 3c; T-INP-4 */
{
    (void)state;
    struct session s;
    char *request = printed("toolhost-3c.json");
    request = seed_replace(request, "AID.XX.YY.v1", "AID.TEST.ECHO.v1");
    session_start(&s, "ok.so", NULL, PLAIN);
    check_echoed(ask(&s, request), "{\"key\": \"value\"}");
    assert_int_equal(session_end(&s), 0);
    free(request);
}

static void test_an_unknown_action_is_refused_in_the_printed_words(void **state) /* 4b; T-REQ-2 */
{
    (void)state;
    struct session s;
    char *want = printed("toolhost-4b.json");
    session_start(&s, "ok.so", NULL, PLAIN);
    check_equal(ask(&s, "{\"aid\":\"AID.XX\"}"), want);
    assert_int_equal(session_end(&s), 0);
    free(want);
}

static void test_leases_are_asked_for_and_expire_in_the_printed_words(
    void **state) /* 4c; T-LEASE-8 */
{
    (void)state;
    struct session s;
    char token[64], request[256];
    char *text = seed_file("text", "toolhost-4c.json", 16);
    char *required = seed_line(text, 1), *expired = seed_line(text, 2);
    required = seed_replace(required, "AID.XX", "AID.TEST.SPAWN.v1");
    session_start(&s, "ok.so", enforced, WITH_CONTROL);
    check_equal(ask(&s, ASK("SPAWN")), required);
    test_member(ask_control(&s, "{\"aid\":\"_lease.issue\",\"tool_aid\":\"AID.TEST.SPAWN.v1\","
                                "\"ttl_ms\":1000}"),
                "token_id", token, sizeof token);
    test_sleep_ms(1100);
    snprintf(request, sizeof request, ASK_WITH("SPAWN", "\"_lease_token\":\"%s\""), token);
    check_equal(ask(&s, request), expired);
    assert_int_equal(session_end(&s), 0);
    free(text);
    free(required);
    free(expired);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_single_request_is_answered_and_the_program_ends),
        cmocka_unit_test(test_requests_are_answered_line_by_line),
        cmocka_unit_test(test_inputs_may_be_an_object),
        cmocka_unit_test(test_an_unknown_action_is_refused_in_the_printed_words),
        cmocka_unit_test(test_leases_are_asked_for_and_expire_in_the_printed_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
