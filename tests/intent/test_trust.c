/* Privileged predicates of a domain: whose word counts, and what is told of what does not. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "domains/unit.h"
#include "intent/intent.h"

static struct snapshot *snapshot;
static struct intent_worker *worker;
static struct arena arena;
static struct json root;
static char logged[2000];
static const struct principal local = { .kind = PRINCIPAL_LOCAL, .identity = { "local", 5 } };

static int set_up(void **state)
{
    (void)state;
    mgi_arena_init(&arena, 0);
    snapshot = unit_load(MGI_SOURCE_DIR "/tests/domains/trust", NULL);
    worker = mgi_intent_worker_new();
    return snapshot && worker ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    mgi_intent_worker_free(worker);
    mgi_snapshot_unref(snapshot);
    mgi_arena_fini(&arena);
    return 0;
}

static void keep_line(void *context, enum log_level level, const char *line, size_t len)
{
    size_t used = strlen(logged);
    (void)context, (void)level;
    snprintf(logged + used, sizeof logged - used, "%.*s\n", (int)len, line);
}

static void ask_as(const struct principal *who, const char *facts)
{
    struct logger log = { LOG_INFO, keep_line, NULL };
    struct wire_error e = { .retry_after_ms = -1 };
    struct buf text = { 0 }, out = { 0 };
    struct json payload;
    mgi_buf_printf(&text,
                   "{\"intent\":{\"name\":\"release\"},\"facts\":%s,"
                   "\"options\":{\"include_proof_hints\":true}}",
                   facts);
    logged[0] = 0;
    assert_int_equal(mgi_json_parse(&arena, mgi_buf_view(&text), NULL, &payload, NULL), JSON_OK);
    struct intent_call call = {
        .snapshot = snapshot, .who = who, .payload = &payload, .clock_ns = 1000, .log = &log
    };
    if (!mgi_intent_evaluate(worker, &call, &arena, &out, &e))
        fail_msg("%s %.*s", e.message, STR_ARG(e.details));
    struct str kept = mgi_arena_str(&arena, mgi_buf_view(&out));
    assert_int_equal(mgi_json_parse(&arena, kept, NULL, &root, NULL), JSON_OK);
    mgi_buf_fini(&text);
    mgi_buf_fini(&out);
}

static const struct json *at(const char *pointer)
{
    return mgi_json_pointer_get(&root, str_of(pointer));
}

static void expect_tools(const char *names)
{
    const struct json *tools = at("/macro_tools");
    struct buf text = { 0 };
    mgi_buf_puts(&text, "");
    for (uint32_t i = 0; i < tools->count; i++) {
        mgi_buf_puts(&text, i ? " " : "");
        mgi_buf_str(&text, mgi_json_get(&tools->items[i], "name")->string);
    }
    assert_string_equal(text.ptr, names);
    mgi_buf_fini(&text);
}

static void expect_text(const char *pointer, const char *expected)
{
    struct buf text = { 0 };
    if (!at(pointer))
        fail_msg("there is no %s in %.*s", pointer, STR_ARG(root.text));
    mgi_json_canonical(&text, at(pointer));
    assert_string_equal(text.ptr, expected);
    mgi_buf_fini(&text);
}

#define REVIEWED "{\"pred\":\"reviewed\",\"args\":[\"b1\"]}"

static void test_what_a_client_says_grants_nothing(void **state)
{
    (void)state;
    ask_as(&local, "[" REVIEWED "]");
    expect_tools("review");
    expect_text("/diagnostics/warnings/0/code", "\"privileged\"");
    ask_as(&local, "[{\"pred\":\"cleared\",\"args\":[\"b1\"],\"category\":\"server\","
                   "\"source\":{\"source_type\":\"server\"}}]"); /* P-PROV-6, D-12 */
    expect_tools("review");
    ask_as(&local, "[]");
    assert_null(at("/diagnostics/warnings"));
    assert_null(at("/proof_hints/refused"));
}

static void test_what_a_trusted_caller_says_counts(void **state)
{
    static const struct str may[] = { { "vouch", 5 } };
    const struct principal desk = { .kind = PRINCIPAL_LOCAL,
                                    .identity = STR_LIT("local"),
                                    .permissions = may,
                                    .permission_count = 1 };
    (void)state;
    ask_as(&desk, "[" REVIEWED "]");
    expect_tools("deploy review");
    assert_null(at("/diagnostics/warnings"));
}

/* The policy's predicates have no name for clients: they learn which of their facts is not
 * believed.
 */
static void test_what_was_refused_is_told_without_the_policy(void **state)
{
    (void)state;
    ask_as(&local, "[" REVIEWED "]");
    expect_text("/proof_hints/refused",
                "[{\"code\":\"privileged\",\"reason\":\"nobody vouches for what it rests on\","
                "\"supporting_facts\":[{\"args\":[\"b1\"],\"pred\":\"reviewed\"}]}]");
    assert_non_null(strstr(logged, "approved(\"b1\") is claimed and does not hold"));
    ask_as(&local, "[{\"pred\":\"cleared\",\"args\":[\"b1\"]}]");
    expect_text("/proof_hints/refused/0/pred", "\"cleared\"");
    expect_text("/proof_hints/refused/0/tree",
                "{\"fact\":\"cleared(\\\"b1\\\")\",\"type\":\"session\"}");
}

static void test_refusals_are_counted_beyond_the_listed(void **state)
{
    struct buf facts = { 0 };
    (void)state;
    mgi_buf_putc(&facts, '[');
    for (int i = 0; i < 30; i++)
        mgi_buf_printf(&facts, "%s{\"pred\":\"reviewed\",\"args\":[\"b%d\"]}", i ? "," : "", i);
    mgi_buf_putc(&facts, ']');
    ask_as(&local, facts.ptr);
    assert_int_equal(at("/proof_hints/refused")->count, 10);
    assert_non_null(strstr(at("/diagnostics/warnings/0/message")->string.ptr, "30 privileged"));
    mgi_buf_fini(&facts);
}

/* Of others than local callers neither counts nor the policy's predicates are spoken of: claims are
 * joined with the server's facts. */
static void test_strangers_learn_nothing_of_hidden_claims(void **state)
{
    static const struct str may[] = { { "intent:*", 8 } };
    const struct principal eve = { .kind = PRINCIPAL_KNOWN,
                                   .identity = STR_LIT("eve"),
                                   .permissions = may,
                                   .permission_count = 1 };
    (void)state;
    ask_as(&eve, "[" REVIEWED "]");
    expect_tools("review");
    assert_null(at("/diagnostics/warnings"));
    assert_null(at("/proof_hints/refused"));
    assert_non_null(strstr(logged, "approved(\"b1\") is claimed and does not hold"));
    ask_as(&eve, "[" REVIEWED ",{\"pred\":\"cleared\",\"args\":[\"b1\"]}]");
    assert_int_equal(at("/proof_hints/refused")->count, 1);
    expect_text("/proof_hints/refused/0/pred", "\"cleared\"");
    assert_int_equal(mgi_str_find(at("/diagnostics/warnings/0/message")->string,
                                  STR_LIT("Privileged facts do not hold:")),
                     0);
    assert_int_equal(at("/diagnostics/warnings")->count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_a_client_says_grants_nothing),
        cmocka_unit_test(test_what_a_trusted_caller_says_counts),
        cmocka_unit_test(test_what_was_refused_is_told_without_the_policy),
        cmocka_unit_test(test_refusals_are_counted_beyond_the_listed),
        cmocka_unit_test(test_strangers_learn_nothing_of_hidden_claims),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
