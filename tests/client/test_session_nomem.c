/* A whole conversation survives the failure of any one allocation: the right status, nothing half
 * made, nothing left behind. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_link.h"
#include "support/nomem.h"

struct conversation {
    manglecp_client *client;
    manglecp_facts *facts;
    manglecp_tools *tools;
    manglecp_result *result;
};

static void asked(struct fake *f, const char *request)
{
    bool confirmed = strstr(request, "confirmation_token") != NULL;
    if (strstr(request, "invoke_request") && !confirmed)
        fake_error(f, "confirmation_required",
                   ",\"details\":{\"challenge\":\"v1.1.n.t\",\"side_effects\":[\"none\"],"
                   "\"reversible\":false,\"show\":{\"tool\":\"mark\",\"description\":\"Marks.\","
                   "\"args\":{\"label\":\"x\"}}}");
    else
        fake_default(f, request);
}

static bool yes(void *context, const struct manglecp_consent *what)
{
    (void)context;
    assert_string_equal(what->tool, "mark");
    return true;
}

static enum manglecp_status converse(struct fake *f, struct conversation *t)
{
    static const struct manglecp_options options = {
        .token = "tok", .confirm_key = "a2V5", .consent = yes, .timeout_ms = 1000
    };
    struct manglecp_member params[] = { { "k", manglecp_word("v") } };
    struct manglecp_member args[] = { { "label", manglecp_word("x") } };
    struct manglecp_intent intent = { .name = "work", .params = params, .param_count = 1 };
    struct buf why = { 0 };
    enum manglecp_status status = mgi_client_open(&f->link, &options, &t->client, &why);
    mgi_buf_fini(&why);
    if (status)
        return status;
    t->facts = manglecp_facts_new();
    if (!t->facts)
        return MANGLECP_ERR_NOMEM;
    status = manglecp_facts_add(t->facts, "[{\"pred\":\"noted\",\"args\":[\"a\",1]},"
                                          "{\"pred\":\"other\",\"args\":[\"a\",1]},"
                                          "{\"pred\":\"noted\",\"named_args\":{\"what\":\"q\","
                                          "\"n\":12345678901234567}}]");
    if (!status)
        status = manglecp_evaluate(t->client, &intent, t->facts, &t->tools);
    if (!status)
        status =
            manglecp_invoke(t->client,
                            &(struct manglecp_invocation){
                                .tools = t->tools, .tool = "mark", .args = args, .arg_count = 1 },
                            &t->result);
    if (!status)
        status = manglecp_learn(t->client, t->facts, t->result, NULL);
    return status;
}

static void put_away(struct conversation *t)
{
    manglecp_result_free(t->result);
    manglecp_tools_free(t->tools);
    manglecp_facts_free(t->facts);
    manglecp_close(t->client);
}

static void test_a_conversation_survives_the_failure_of_any_allocation(void **state)
{
    (void)state;
    size_t harmless = 0, n = 1;
    for (;; n++) {
        struct fake f;
        struct conversation t = { 0 };
        fake_init(&f);
        f.manifest =
            FAKE_MANIFEST_WITH("ready", "\"auth\":{\"required\":true,\"schemes\":[\"bearer\"]}");
        f.answer = asked;
        nomem_fail_at(n);
        enum manglecp_status status = converse(&f, &t);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(status == MANGLECP_OK || (failed && status == MANGLECP_ERR_NOMEM));
        harmless += failed && status == MANGLECP_OK;
        if (status == MANGLECP_OK) {
            char *json = manglecp_facts_json(t.facts, NULL);
            assert_string_equal(json, "[{\"pred\":\"other\",\"args\":[\"a\",1]},"
                                      "{\"pred\":\"noted\",\"args\":[\"q\",{\"_type\":\"int64\","
                                      "\"value\":\"12345678901234567\"}]},"
                                      "{\"pred\":\"noted\",\"args\":[\"b\",2]}]");
            manglecp_free(json);
        }
        put_away(&t);
        fake_forget(&f);
        if (!failed)
            break;
    }
    assert_true(n > 50);
    assert_true(harmless < n / 4); /* texts for people may be short; what counts is not */
}

static void test_a_delta_is_applied_whole_or_not_at_all(void **state)
{
    static const char before[] = "[{\"pred\":\"p\",\"args\":[1]},{\"pred\":\"p\",\"args\":[2]},"
                                 "{\"pred\":\"q\",\"args\":[1]}]";
    static const char delta[] =
        "{\"retract\":[{\"pred\":\"p\",\"args\":[null]},"
        "{\"pred\":\"q\",\"args\":[9]}],"
        "\"assert\":[{\"pred\":\"p\",\"args\":[2]},{\"pred\":\"r\",\"args\":[]}]}";
    (void)state;
    for (size_t n = 1;; n++) {
        manglecp_facts *facts = manglecp_facts_new();
        assert_int_equal(manglecp_facts_add(facts, before), MANGLECP_OK);
        nomem_fail_at(n);
        enum manglecp_status status = manglecp_facts_apply(facts, delta, NULL, NULL);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        char *json = manglecp_facts_json(facts, NULL);
        assert_true(failed == (status == MANGLECP_ERR_NOMEM));
        if (failed)
            assert_string_equal(json, before);
        else
            assert_string_equal(json,
                                "[{\"pred\":\"q\",\"args\":[1]},{\"pred\":\"p\",\"args\":[2]},"
                                "{\"pred\":\"r\",\"args\":[]}]");
        manglecp_free(json);
        manglecp_facts_free(facts);
        if (!failed)
            break;
    }
}

static void test_a_signed_fact_takes_a_place_or_does_not(void **state)
{
    static const char before[] = "[{\"pred\":\"p\",\"args\":[1]},{\"pred\":\"q\",\"args\":[1]}]";
    static const char fact[] =
        "{\"pred\":\"p\",\"args\":[1],\"source\":{\"source_type\":\"server\","
        "\"signature\":\"v1.a\"}}";
    char delta[512];
    (void)state;
    for (int with = 0; with < 2; with++) /* in the list itself, and in another beside it */
        for (size_t n = 1;; n++) {
            manglecp_facts *facts = manglecp_facts_new();
            assert_int_equal(manglecp_facts_add(facts, before), MANGLECP_OK);
            snprintf(delta, sizeof delta, "{\"retract\":[%s],\"assert\":[%s,%s,%s]}",
                     with ? "{\"pred\":\"q\",\"args\":[1]}" : "", fact, fact,
                     "{\"pred\":\"r\",\"args\":[]}");
            nomem_fail_at(n);
            enum manglecp_status status = manglecp_facts_apply(facts, delta, NULL, NULL);
            bool failed = nomem_failed();
            nomem_fail_at(0);
            char *json = manglecp_facts_json(facts, NULL);
            assert_true(failed == (status == MANGLECP_ERR_NOMEM));
            if (failed)
                assert_string_equal(json, before);
            else
                assert_non_null(strstr(json, fact));
            assert_int_equal(manglecp_facts_count(facts), failed || with ? 2 : 3);
            manglecp_free(json);
            manglecp_facts_free(facts);
            if (!failed)
                break;
        }
}

static void test_facts_are_added_all_or_none(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        manglecp_facts *facts = manglecp_facts_new();
        struct manglecp_window window = { 0, MANGLECP_OPEN };
        struct manglecp_value args[] = { manglecp_text("x"), manglecp_int(1),
                                         manglecp_json("[1]") };
        nomem_fail_at(n);
        enum manglecp_status status = manglecp_facts_add(
            facts,
            "[{\"pred\":\"p\",\"args\":[1]},{\"pred\":\"p\",\"named_args\":{\"b\":1,\"a\":2}},"
            "{\"pred\":\"p\",\"args\":[1.5],\"t\":{\"at\":\"2026-01-01T00:00:00Z\"}}]");
        if (!status)
            status = manglecp_facts_put(facts, "q", args, 3, &window);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(failed == (status == MANGLECP_ERR_NOMEM));
        size_t count = manglecp_facts_count(facts);
        assert_true(failed ? count == 0 || count == 3 : count == 4);
        manglecp_facts_free(facts);
        if (!failed)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_conversation_survives_the_failure_of_any_allocation),
        cmocka_unit_test(test_a_delta_is_applied_whole_or_not_at_all),
        cmocka_unit_test(test_a_signed_fact_takes_a_place_or_does_not),
        cmocka_unit_test(test_facts_are_added_all_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
