/* An answer is made in time that grows with what was sent, and with the tools there are, not with
 * their squares: after the rules have run, no time limit holds any more. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/temp_domain.h"
#include "intent/intent.h"
#include "support/growth.h"

static struct temp_domain domain;
static struct intent_worker *worker;
static struct snapshot *snapshot;
static size_t tools; /* of `snapshot`, besides the one there always is */

static const char rules[] =
    "tool_relevant_to_intent(\"one\", \"go\", 90) :- seen_count(N), N > 0.\n"
    "seen_count(N) :- seen(What) |> do fn:group_by(), let N = fn:count().\n"
    "needs_file(\"one\", What, \"It was seen.\", 50) :- seen(What).\n"
    "tool_relevant_to_intent(T, \"all\", 90) :- tool(T).\n";

static void load_with(size_t count)
{
    struct buf text = { 0 }, findings = { 0 };
    if (snapshot && tools == count)
        return;
    mgi_snapshot_unref(snapshot);
    for (size_t i = 0; i < count; i++)
        mgi_buf_printf(&text,
                       "- {tool: t%zu, summary: s, description: d, input_schema: {type: "
                       "object, properties: {q: {type: string}}}}\n",
                       i);
    if (count > 0)
        temp_write(&domain, "tools/more.yaml", text.ptr);
    snapshot = temp_load(&domain, NULL, false, &findings);
    if (!snapshot)
        fail_msg("%s", findings.ptr);
    tools = count;
    mgi_buf_fini(&text);
    mgi_buf_fini(&findings);
}

static int set_up(void **state)
{
    (void)state;
    temp_make(&domain);
    temp_write(&domain, "rules/domain/d.mg", rules);
    worker = mgi_intent_worker_new();
    return worker ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    mgi_intent_worker_free(worker);
    mgi_snapshot_unref(snapshot);
    temp_remove(&domain);
    return 0;
}

/* Evaluate an intent with so many facts. */
static void ask(const char *intent, const char *pred, size_t facts, const char *members)
{
    static const struct principal local = { .kind = PRINCIPAL_LOCAL, .identity = { "local", 5 } };
    struct buf text = { 0 }, out = { 0 };
    struct arena arena;
    struct json payload;
    struct wire_error e = { .retry_after_ms = -1 };
    mgi_arena_init(&arena, 0);
    mgi_buf_printf(&text, "{\"intent\":{\"name\":\"%s\"},%s,\"facts\":[", intent, members);
    for (size_t i = 0; i < facts; i++)
        mgi_buf_printf(&text, "%s{\"pred\":\"%s\",\"args\":[\"what-%zu\"]}", i > 0 ? "," : "", pred,
                       i);
    mgi_buf_puts(&text, "]}");
    assert_int_equal(mgi_json_parse(&arena, mgi_buf_view(&text), NULL, &payload, NULL), JSON_OK);
    struct intent_call call = {
        .snapshot = snapshot, .who = &local, .payload = &payload, .clock_ns = 1000
    };
    if (!mgi_intent_evaluate(worker, &call, &arena, &out, &e))
        fail_msg("%s", e.message);
    mgi_arena_fini(&arena);
    mgi_buf_fini(&text);
    mgi_buf_fini(&out);
}

static void explain_many_facts(size_t count)
{
    load_with(0);
    ask("go", "seen", count, "\"options\":{\"include_proof_hints\":true}");
}

static void give_up_resources(size_t count)
{
    load_with(0);
    ask("go", "seen", count, "\"constraints\":{\"max_tokens_budget\":40}");
}

static void give_up_tools(size_t count)
{
    load_with(count);
    ask("all", "disclosure_upgrade", 1, "\"constraints\":{\"max_tokens_budget\":0}");
}

static void upgrade_many(size_t count)
{
    load_with(50);
    ask("all", "disclosure_upgrade", count, "\"options\":{}");
}

static void test_proofs_of_many_facts(void **state)
{
    (void)state;
    assert_near_linear(explain_many_facts, 2000);
}

static void test_a_budget_for_many_resources(void **state)
{
    (void)state;
    assert_near_linear(give_up_resources, 2000);
}

static void test_a_budget_for_many_tools(void **state)
{
    (void)state;
    assert_near_linear(give_up_tools, 100);
}

static void test_many_upgrades(void **state)
{
    (void)state;
    assert_near_linear(upgrade_many, 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_proofs_of_many_facts),
        cmocka_unit_test(test_a_budget_for_many_resources),
        cmocka_unit_test(test_a_budget_for_many_tools),
        cmocka_unit_test(test_many_upgrades),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
