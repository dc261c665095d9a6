/* The client over a scripted session: when it sends, when it sends again, and when it opens anew.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_link.h"

static const struct manglecp_options patient = { .ready_timeout_ms = 2000, .timeout_ms = 1000 };

static manglecp_client *client_of(struct fake *f, const struct manglecp_options *options)
{
    manglecp_client *c;
    struct buf why = { 0 };
    assert_int_equal(mgi_client_open(&f->link, options, &c, &why), MANGLECP_OK);
    mgi_buf_fini(&why);
    return c;
}

static bool is_type(const struct fake *f, size_t i, const char *type)
{
    char member[64];
    snprintf(member, sizeof member, "\"type\":\"%s\"", type);
    return i < f->sent_count && strstr(f->sent[i], member);
}

static const struct manglecp_intent work = { .name = "work" };

static enum manglecp_status evaluate(manglecp_client *c)
{
    manglecp_tools *tools;
    enum manglecp_status status = manglecp_evaluate(c, &work, NULL, &tools);
    assert_true((status == MANGLECP_OK) == (tools != NULL));
    manglecp_tools_free(tools);
    return status;
}

static enum manglecp_status invoke(manglecp_client *c)
{
    manglecp_tools *tools;
    manglecp_result *result = NULL;
    enum manglecp_status status = manglecp_evaluate(c, &work, NULL, &tools);
    if (!status)
        status = manglecp_invoke(c, &(struct manglecp_invocation){ .tools = tools, .tool = "mark" },
                                 &result);
    assert_true((status == MANGLECP_OK) == (result != NULL));
    manglecp_result_free(result);
    manglecp_tools_free(tools);
    return status;
}

static size_t count_of(const struct fake *f, const char *type)
{
    size_t count = 0;
    for (size_t i = 0; i < f->sent_count; i++)
        count += is_type(f, i, type);
    return count;
}

/* ---- ids ------------------------------------------------------------------------------------ */

static void lose_now_and_then(struct fake *f, const char *request)
{
    if (f->sent_count % 100 == 50) {
        f->gone = true;
        return;
    }
    fake_default(f, request);
}

static void test_no_id_is_used_twice_in_a_thousand_requests(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.answer = lose_now_and_then; /* also over several connections */
    manglecp_client *c = client_of(&f, &patient);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(evaluate(c), MANGLECP_OK);
    assert_true(f.opened > 5);
    assert_true(f.sent_count >= 1000);
    for (size_t i = 0; i < f.sent_count; i++) {
        unsigned long number;
        const char *id = strstr(f.sent[i], "\"id\":\"c-"); /* P-ENV-4, P-ENV-5: a rising counter */
        assert_non_null(id);
        assert_int_equal(sscanf(id, "\"id\":\"c-%lu\"", &number), 1);
        assert_int_equal(number, i + 1);
        assert_non_null(strstr(f.sent[i], "\"manglecp\":\"2026-02-draft\"")); /* P-ENV-7 */
    }
    fake_forget(&f);
    manglecp_close(c);
}

/* ---- lost connections -------------------------------------------------------------------------
 */

static void lose_once(struct fake *f, const char *request)
{
    if (f->opened == 1)
        f->gone = true;
    else
        fake_default(f, request);
}

static void test_a_lost_intent_is_asked_again_over_a_new_connection(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.answer = lose_once;
    manglecp_client *c = client_of(&f, &patient);
    assert_int_equal(evaluate(c), MANGLECP_OK); /* P-WS-7: it waits for the new manifest */
    assert_int_equal(f.opened, 2);
    assert_int_equal(f.sent_count, 2);
    fake_forget(&f);
    manglecp_close(c);
}

static void lose_always(struct fake *f, const char *request)
{
    (void)request;
    f->gone = true;
}

static void test_a_server_that_is_lost_again_and_again_is_given_up(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.answer = lose_always;
    manglecp_client *c = client_of(&f, &patient);
    assert_int_equal(evaluate(c), MANGLECP_ERR_TRANSPORT);
    assert_int_equal(f.sent_count, 2);
    assert_string_equal(manglecp_message(c), "gone");
    fake_forget(&f);
    manglecp_close(c);
}

static void lose_invocations(struct fake *f, const char *request)
{
    if (strstr(request, "invoke_request"))
        f->gone = true;
    else
        fake_default(f, request);
}

static void test_a_lost_invocation_is_not_sent_again(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.answer = lose_invocations;
    manglecp_client *c = client_of(&f, &patient);
    assert_int_equal(invoke(c), MANGLECP_ERR_INDETERMINATE);
    assert_int_equal(count_of(&f, "invoke_request"), 1);
    assert_true(strlen(manglecp_key(c)) >= 16);
    assert_string_equal(manglecp_macro_id(c), "mark-1");
    assert_string_equal(manglecp_args(c), "{}");
    assert_int_equal(evaluate(c), MANGLECP_OK); /* the client goes on over a new connection */
    assert_int_equal(count_of(&f, "invoke_request"), 1);
    fake_forget(&f);
    manglecp_close(c);
}

static void gone_before_invocation(struct fake *f, const char *request)
{
    fake_default(f, request);
    f->gone_before_sending = f->opened == 1;
}

static void test_a_dry_run_is_sent_only_where_it_is_known_and_is_never_indeterminate(void **state)
{
    (void)state;
    static const struct {
        const char *manifest;
        void (*answer)(struct fake *f, const char *request);
        enum manglecp_status status;
        size_t sent;
    } rows[] = {
        { FAKE_MANIFEST, fake_default, MANGLECP_ERR_USAGE, 0 },
        { FAKE_MANIFEST_WITH("ready", "\"auth\":{\"required\":false},"
                                      "\"extensions\":{\"x-dry-run\":true}"),
          fake_default, MANGLECP_ERR_PROTOCOL, 1 }, /* it says that it knows, and ran it */
        { FAKE_MANIFEST_WITH("ready", "\"auth\":{\"required\":false},"
                                      "\"extensions\":{\"x-dry-run\":true}"),
          lose_invocations, MANGLECP_ERR_TIMEOUT, 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fake f;
        manglecp_tools *tools;
        manglecp_result *result;
        fake_init(&f);
        f.manifest = rows[i].manifest;
        f.answer = rows[i].answer;
        manglecp_client *c = client_of(&f, &patient);
        assert_int_equal(manglecp_evaluate(c, &work, NULL, &tools), MANGLECP_OK);
        struct manglecp_invocation call = { .tools = tools, .tool = "mark", .dry_run = true };
        enum manglecp_status status = manglecp_invoke(c, &call, &result);
        if (rows[i].status == MANGLECP_ERR_TIMEOUT)
            assert_true(status == MANGLECP_ERR_TIMEOUT || status == MANGLECP_ERR_TRANSPORT);
        else
            assert_int_equal(status, rows[i].status);
        assert_null(result);
        assert_int_equal(count_of(&f, "invoke_request"), rows[i].sent);
        for (size_t k = 0; k < f.sent_count; k++)
            if (is_type(&f, k, "invoke_request")) {
                assert_non_null(strstr(f.sent[k], "\"extensions\":{\"x-dry-run\":true}"));
                assert_string_equal(manglecp_key(c), "");
            }
        manglecp_tools_free(tools);
        fake_forget(&f);
        manglecp_close(c);
    }
}

static void test_what_had_not_left_is_sent_over_a_new_connection(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.answer = gone_before_invocation;
    manglecp_client *c = client_of(&f, &patient);
    assert_int_equal(invoke(c), MANGLECP_OK);
    assert_int_equal(f.opened, 2);
    assert_int_equal(count_of(&f, "invoke_request"), 1);
    fake_forget(&f);
    manglecp_close(c);
}

static void test_nothing_of_an_earlier_session_is_relied_on(void **state)
{
    (void)state;
    struct fake f;
    struct manglecp_options o = patient;
    fake_init(&f);
    o.token = "tok";
    f.manifest =
        FAKE_MANIFEST_WITH("ready", "\"auth\":{\"required\":true,\"schemes\":[\"bearer\"]}");
    f.answer = fake_default;
    manglecp_client *c = client_of(&f, &o);
    assert_int_equal(evaluate(c), MANGLECP_OK);
    f.gone = true;
    assert_int_equal(evaluate(c), MANGLECP_OK);
    assert_int_equal(f.opened, 2);
    assert_int_equal(f.sent_count, 4);
    assert_true(is_type(&f, 0, "authenticate"));
    assert_true(is_type(&f, 2, "authenticate")); /* P-WS-8 */
    assert_true(is_type(&f, 3, "intent_request"));
    fake_forget(&f);
    manglecp_close(c);
}

static void test_a_connection_that_cannot_be_made_anew_is_said_to_be_gone(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    manglecp_client *c = client_of(&f, &patient);
    f.gone = f.refuse_open = true;
    assert_int_equal(evaluate(c), MANGLECP_ERR_TRANSPORT);
    assert_int_equal(f.sent_count, 0);
    f.refuse_open = false;
    assert_int_equal(evaluate(c), MANGLECP_OK);
    fake_forget(&f);
    manglecp_close(c);
}

/* ---- manifests ----------------------------------------------------------------------------------
 */

static void test_a_draining_server_is_opened_anew_once(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    manglecp_client *c = client_of(&f, &patient);
    assert_int_equal(manglecp_server_state(c), MANGLECP_READY);
    fake_say(&f, FAKE_MANIFEST_WITH("draining", "\"auth\":{\"required\":false}"));
    assert_int_equal(evaluate(c), MANGLECP_OK);
    assert_int_equal(f.opened, 2);
    f.manifest = FAKE_MANIFEST_WITH("draining", "\"auth\":{\"required\":false}");
    fake_say(&f, f.manifest);
    assert_int_equal(evaluate(c), MANGLECP_ERR_NOT_READY);
    assert_int_equal(f.opened, 3);
    assert_int_equal(f.sent_count, 1); /* P-READY-8 */
    assert_int_equal(manglecp_server_state(c), MANGLECP_DRAINING);
    fake_forget(&f);
    manglecp_close(c);
}

static void test_the_newest_manifest_replaces_all_earlier_ones(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    manglecp_client *c = client_of(&f, &patient);
    fake_say(&f, FAKE_MANIFEST_WITH("degraded", "\"auth\":{\"required\":false}"));
    fake_say(&f, FAKE_MANIFEST_WITH("ready", "\"auth\":{\"required\":false},\"extensions\":"
                                             "{\"x-third\":true}"));
    assert_int_equal(manglecp_refresh(c), MANGLECP_OK); /* P-MAN-31 */
    assert_non_null(strstr(manglecp_manifest(c, NULL), "x-third"));
    fake_say(&f,
             "{\"type\":\"manifest\",\"id\":null,\"manglecp\":\"2026-02-draft\",\"payload\":{}}");
    assert_int_equal(evaluate(c), MANGLECP_ERR_PROTOCOL);
    assert_int_equal(f.sent_count, 0);
    fake_forget(&f);
    manglecp_close(c);
}

static void test_a_session_that_begins_otherwise_is_none(void **state)
{
    static const char *const beginnings[] = {
        "hello",
        "{}",
        "{\"type\":\"intent_response\",\"id\":\"x\",\"manglecp\":\"2026-02-draft\",\"payload\":{}}",
        "{\"type\":\"manifest\",\"id\":null,\"manglecp\":\"1999\",\"payload\":{\"status\":"
        "\"ready\"}}",
        FAKE_MANIFEST_WITH("sleepy", "\"auth\":{\"required\":false}"),
    };
    (void)state;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        struct fake f;
        manglecp_client *c;
        struct buf why = { 0 };
        bool closed = false;
        fake_init(&f);
        f.closed = &closed;
        f.manifest = beginnings[i];
        assert_int_equal(mgi_client_open(&f.link, &patient, &c, &why), MANGLECP_ERR_PROTOCOL);
        assert_null(c);
        assert_true(closed);
        assert_true(why.len > 0);
        mgi_buf_fini(&why);
    }
}

/* ---- giving up ----------------------------------------------------------------------------------
 */

static bool at_once(void *context)
{
    (void)context;
    return true;
}

static void cancelled_when_asked(struct fake *f, const char *request)
{
    if (strstr(request, "\"type\":\"cancel\"")) {
        assert_non_null(strstr(request, "\"request_id\":\"c-2\"")); /* P-CONC-5 */
        fake_say(f, "{\"type\":\"error\",\"id\":\"c-2\",\"manglecp\":\"2026-02-draft\",\"payload\":"
                    "{\"code\":\"cancelled\",\"message\":\"It was.\",\"recoverable\":false}}");
    } else if (!strstr(request, "invoke_request")) {
        fake_default(f, request);
    }
}

static void test_an_invocation_can_be_abandoned(void **state)
{
    (void)state;
    struct fake f;
    struct manglecp_options o = patient;
    fake_init(&f);
    o.abandon = at_once;
    f.answer = cancelled_when_asked;
    manglecp_client *c = client_of(&f, &o);
    assert_int_equal(invoke(c), MANGLECP_ERR_ANSWER);
    assert_string_equal(manglecp_error(c)->code, "cancelled");
    assert_int_equal(count_of(&f, "cancel"), 1);
    fake_forget(&f);
    manglecp_close(c);
}

/* ---- answers --------------------------------------------------------------------------------- */

static void answer_wrong_type(struct fake *f, const char *request)
{
    fake_answer(f, strstr(request, "intent_request") ? "invoke_response" : "intent_response",
                FAKE_RESULT);
}

static void test_an_answer_of_another_type_breaks_the_protocol(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.answer = answer_wrong_type;
    manglecp_client *c = client_of(&f, &patient);
    assert_int_equal(evaluate(c), MANGLECP_ERR_PROTOCOL);
    assert_string_equal(manglecp_message(c),
                        "the server answered intent_request with invoke_response");
    fake_forget(&f);
    manglecp_close(c);
}

static void answer_no_tools(struct fake *f, const char *request)
{
    (void)request;
    fake_answer(f, "intent_response",
                f->sent_count == 1   ? "{\"macro_tools\":7}"
                : f->sent_count == 2 ? "{\"macro_tools\":[{\"name\":\"x\"}]}"
                                     : "{\"macro_tools\":[{\"macro_id\":\"x\",\"name\":7}]}");
}

static void test_tools_without_names_break_the_protocol(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.answer = answer_no_tools;
    manglecp_client *c = client_of(&f, &patient);
    for (int i = 0; i < 3; i++)
        assert_int_equal(evaluate(c), MANGLECP_ERR_PROTOCOL);
    fake_forget(&f);
    manglecp_close(c);
}

static void answer_details(struct fake *f, const char *request)
{
    (void)request;
    fake_error(f, "derivation_limit_exceeded", ",\"details\":{\"budget\":{\"limit\":7}}");
}

static void test_an_error_can_be_looked_at(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.answer = answer_details;
    manglecp_client *c = client_of(&f, &patient);
    assert_int_equal(evaluate(c), MANGLECP_ERR_ANSWER);
    const struct manglecp_error *e = manglecp_error(c);
    assert_string_equal(e->code, "derivation_limit_exceeded");
    assert_string_equal(e->message, "It is derivation_limit_exceeded.");
    assert_string_equal(e->details, "{\"budget\":{\"limit\":7}}");
    assert_true(e->recoverable);
    assert_int_equal(e->retry_after_ms, -1);
    assert_non_null(strstr(e->json, "\"type\":\"error\""));
    assert_string_equal(manglecp_message(c), e->message);
    assert_int_equal(manglecp_refresh(c), MANGLECP_OK);
    assert_string_equal(manglecp_error(c)->code, ""); /* of the last call alone */
    fake_forget(&f);
    manglecp_close(c);
}

/* ---- the typed path -------------------------------------------------------------------------- */

static void test_a_conversation_without_json(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    manglecp_client *c = client_of(&f, &patient);
    manglecp_facts *facts = manglecp_facts_new();
    manglecp_tools *tools;
    manglecp_result *result;
    assert_int_equal(
        manglecp_facts_put(facts, "noted",
                           (struct manglecp_value[]){ manglecp_text("a"), manglecp_float(1.5) }, 2,
                           NULL),
        MANGLECP_OK);
    struct manglecp_member params[] = { { "deep", manglecp_bool(true) },
                                        { "depth", manglecp_int(3) },
                                        { "of", manglecp_json("[1,2]") } };
    struct manglecp_intent intent = { .name = "work", .params = params, .param_count = 3 };
    assert_int_equal(manglecp_evaluate(c, &intent, facts, &tools), MANGLECP_OK);
    assert_non_null(strstr(f.sent[0], "\"params\":{\"deep\":true,\"depth\":3,\"of\":[1,2]}}"));
    assert_non_null(strstr(f.sent[0], "\"facts\":[{\"pred\":\"noted\",\"args\":[\"a\",1.5]}]"));

    assert_string_equal(manglecp_message(c), "");
    assert_int_equal(manglecp_tools_count(tools), 1);
    const struct manglecp_tool *tool = manglecp_tools_find(tools, "mark");
    assert_ptr_equal(tool, manglecp_tools_find(tools, "mark-1"));
    assert_ptr_equal(tool, manglecp_tools_get(tools, 0));
    assert_null(manglecp_tools_get(tools, 1));
    assert_int_equal(tool->level, MANGLECP_FULL);
    assert_string_equal(tool->description, "Marks.");
    assert_string_equal(tool->instructions, "Do.");
    assert_string_equal(tool->side_effects[0], "none");
    assert_int_equal(tool->resource_count, 1);
    assert_string_equal(tool->resources[0].uri, "a/b.md");
    assert_true(tool->expires_at_ns == INT64_MAX);

    struct manglecp_member args[] = { { "label", manglecp_word("9") } };
    struct manglecp_invocation invocation = {
        .tools = tools, .tool = tool->name, .args = args, .arg_count = 1, .key = "k:1"
    };
    assert_int_equal(manglecp_invoke(c, &invocation, &result), MANGLECP_OK);
    assert_non_null(strstr(f.sent[1], "\"args\":{\"label\":\"9\"}"));
    assert_non_null(strstr(f.sent[1], "\"extensions\":{\"x-idempotency-key\":\"k:1\"}"));
    assert_string_equal(manglecp_result_value(result), "{\"done\":true}");
    assert_string_equal(manglecp_result_summary(result), "Done.");
    assert_true(manglecp_result_effects_complete(result));
    assert_false(manglecp_result_replayed(result));

    struct manglecp_learned learned;
    assert_int_equal(manglecp_learn(c, facts, result, &learned), MANGLECP_OK);
    assert_int_equal(learned.retracted, 1);
    assert_int_equal(learned.asserted, 1);
    manglecp_follow(result, 0, &intent);
    manglecp_tools *more;
    assert_int_equal(manglecp_evaluate(c, &intent, facts, &more), MANGLECP_OK);
    assert_non_null(strstr(f.sent[2], "\"params\":{\"k\":\"v\"}"));
    assert_non_null(strstr(f.sent[2], "[{\"pred\":\"noted\",\"args\":[\"b\",2]},"
                                      "{\"pred\":\"noted\",\"args\":[\"c\",3]}]")); /* P-NEXT-5 */
    manglecp_tools_free(more);
    manglecp_result_free(result);
    manglecp_tools_free(tools);
    manglecp_facts_free(facts);
    fake_forget(&f);
    manglecp_close(c);
}

static void test_facts_by_name_are_known_by_position_once_the_manifest_says_which(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    manglecp_client *c = client_of(&f, &patient);
    manglecp_facts *facts = manglecp_facts_new();
    manglecp_tools *tools;
    manglecp_result *result;
    assert_int_equal(
        manglecp_facts_add(facts, "[{\"pred\":\"noted\",\"named_args\":{\"n\":1,\"what\":\"a\"}},"
                                  "{\"pred\":\"noted\",\"args\":[\"a\",1]},"
                                  "{\"pred\":\"noted\",\"named_args\":{\"n\":1,\"what\":\"z\"}}]"),
        MANGLECP_OK);
    assert_int_equal(manglecp_evaluate(c, &work, NULL, &tools), MANGLECP_OK);
    assert_int_equal(
        manglecp_invoke(c, &(struct manglecp_invocation){ .tools = tools, .tool = "mark" },
                        &result),
        MANGLECP_OK);
    assert_int_equal(manglecp_learn(c, facts, result, NULL), MANGLECP_OK); /* P-DELTA-5 */
    char *json = manglecp_facts_json(facts, NULL);
    assert_string_equal(json, "[{\"pred\":\"noted\",\"args\":[\"z\",1]},"
                              "{\"pred\":\"noted\",\"args\":[\"b\",2]}]");
    manglecp_free(json);
    manglecp_result_free(result);
    manglecp_tools_free(tools);
    manglecp_facts_free(facts);
    fake_forget(&f);
    manglecp_close(c);
}

static void test_what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    struct fake f;
    manglecp_tools *tools;
    manglecp_result *result;
    fake_init(&f);
    manglecp_client *c = client_of(&f, &patient);
    assert_int_equal(manglecp_evaluate(c, &(struct manglecp_intent){ 0 }, NULL, &tools),
                     MANGLECP_ERR_USAGE);
    assert_int_equal(
        manglecp_evaluate(c, &(struct manglecp_intent){ .name = "work", .params_json = "[1]" },
                          NULL, &tools),
        MANGLECP_ERR_INVALID);
    assert_string_equal(manglecp_problem(c, 0)->where, "/intent/params");
    assert_int_equal(
        manglecp_evaluate(
            c,
            &(struct manglecp_intent){ .name = "work", .more_facts = "[{\"pred\":\"noted\"},7]" },
            NULL, &tools),
        MANGLECP_ERR_INVALID);
    assert_int_equal(manglecp_problem_count(c), 2);
    assert_string_equal(manglecp_problem(c, 0)->where, "/facts/0");
    assert_string_equal(manglecp_problem(c, 0)->what, "args_missing");
    assert_string_equal(manglecp_problem(c, 1)->what, "invalid_fact_shape");
    assert_int_equal(manglecp_invoke(c, &(struct manglecp_invocation){ 0 }, &result),
                     MANGLECP_ERR_USAGE);
    assert_int_equal(
        manglecp_invoke(c, &(struct manglecp_invocation){ .tool = "x", .resume = true }, &result),
        MANGLECP_ERR_USAGE);
    assert_int_equal(manglecp_request(c, "cancel", "{}", NULL), MANGLECP_ERR_USAGE);
    assert_int_equal(manglecp_request(c, "intent_request", "[]", NULL), MANGLECP_ERR_USAGE);
    assert_int_equal(f.sent_count, 0);
    manglecp_close(c);
}

static void test_a_message_of_the_callers_making_is_sent_as_it_is(void **state)
{
    (void)state;
    struct fake f;
    const char *json;
    fake_init(&f);
    manglecp_client *c = client_of(&f, &patient);
    assert_int_equal(
        manglecp_request(c, "invoke_request", "{\"macro_id\":\"m\",\"args\":{}}", &json),
        MANGLECP_OK);
    assert_non_null(strstr(json, "\"type\":\"invoke_response\""));
    assert_non_null(strstr(f.sent[0], "\"payload\":{\"macro_id\":\"m\",\"args\":{}},\"extensions\":"
                                      "{\"x-idempotency-key\":\""));
    fake_forget(&f);
    manglecp_close(c);
}

/* ---- resources ------------------------------------------------------------------------------- */

static void test_a_bare_path_is_one_of_a_file(void **state)
{
    static const struct {
        const char *uri, *path;
    } rows[] = { { "notes/a.md", "notes/a.md" },
                 { "file://notes/a.md", "notes/a.md" },
                 { "/x/a.md", "/x/a.md" },
                 { "file:///x/a.md", "/x/a.md" },
                 { "file:notes/a.md", "notes/a.md" },
                 { "file://localhost/x/a%20b.md", "/x/a b.md" },
                 { "a%20b.md", "a%20b.md" },
                 { "s3://bucket/a.md", NULL },
                 { "https://host/a.md", NULL },
                 { "", NULL },
                 { "file://", NULL },
                 { "file:///a%00b", NULL } };
    char path[64];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) { /* P-CTX-3 */
        bool is = manglecp_resource_path(rows[i].uri, path, sizeof path);
        assert_int_equal(is, rows[i].path != NULL);
        if (is)
            assert_string_equal(path, rows[i].path);
    }
    assert_false(manglecp_resource_path("/a/path/that/is/too/long", path, 10));
    assert_false(manglecp_resource_path("file:///a/path/that/is/too/long", path, 10));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_id_is_used_twice_in_a_thousand_requests),
        cmocka_unit_test(test_a_lost_intent_is_asked_again_over_a_new_connection),
        cmocka_unit_test(test_a_server_that_is_lost_again_and_again_is_given_up),
        cmocka_unit_test(test_a_lost_invocation_is_not_sent_again),
        cmocka_unit_test(test_a_dry_run_is_sent_only_where_it_is_known_and_is_never_indeterminate),
        cmocka_unit_test(test_what_had_not_left_is_sent_over_a_new_connection),
        cmocka_unit_test(test_nothing_of_an_earlier_session_is_relied_on),
        cmocka_unit_test(test_a_connection_that_cannot_be_made_anew_is_said_to_be_gone),
        cmocka_unit_test(test_a_draining_server_is_opened_anew_once),
        cmocka_unit_test(test_the_newest_manifest_replaces_all_earlier_ones),
        cmocka_unit_test(test_a_session_that_begins_otherwise_is_none),
        cmocka_unit_test(test_an_invocation_can_be_abandoned),
        cmocka_unit_test(test_an_answer_of_another_type_breaks_the_protocol),
        cmocka_unit_test(test_tools_without_names_break_the_protocol),
        cmocka_unit_test(test_an_error_can_be_looked_at),
        cmocka_unit_test(test_a_conversation_without_json),
        cmocka_unit_test(test_facts_by_name_are_known_by_position_once_the_manifest_says_which),
        cmocka_unit_test(test_what_makes_no_sense_is_refused),
        cmocka_unit_test(test_a_message_of_the_callers_making_is_sent_as_it_is),
        cmocka_unit_test(test_a_bare_path_is_one_of_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
