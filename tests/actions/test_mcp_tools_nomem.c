/* What a server offers, against what was accepted, and for the lock file; and that it survives the
 * failure of any one allocation. X-ACT-3, X-ACT-6, X-ACT-7, X-HTTP-37. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "support/nomem.h"

#include "../../plugins/mcp/tools.c"

static const char offered[] =
    "[{\"name\":\"get_a\",\"description\":\"x\\u202ey\",\"inputSchema\":{\"type\":\"object\"},"
    "\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false}},"
    "{\"name\":\"b\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"p\":{\"type\":"
    "\"number\",\"x-mcp-header\":\"P\\u200b\"}}},\"outputSchema\":{}},"
    "{\"name\":\"get_delete\",\"inputSchema\":{},\"annotations\":{\"readOnlyHint\":false}},"
    "{\"name\":\"c\"},{\"name\":\"\"},7,{\"name\":\"get_a\\u0430\",\"inputSchema\":{}}]";

struct offer {
    struct arena arena;
    struct json list;
    struct mcp_client client;
};

static void begin(struct offer *o)
{
    memset(o, 0, sizeof *o);
    mgi_arena_init(&o->arena, 0);
    struct str text = mgi_arena_str(&o->arena, str_of(offered));
    assert_int_equal(mgi_json_parse(&o->arena, text, NULL, &o->list, NULL), JSON_OK);
    o->client.era = MCP_ERA_LEGACY;
    o->client.revision = MCP_R4;
    o->client.name = o->client.version = STR_LIT("");
    o->client.tools = o->list.items;
    o->client.tool_count = o->list.count;
}

static struct json value_of(struct arena *a, const char *text)
{
    struct json v;
    assert_int_equal(mgi_json_parse(a, mgi_arena_str(a, str_of(text)), NULL, &v, NULL), JSON_OK);
    return v;
}

static void test_tools_are_described_or_left_out_with_a_reason(void **state)
{
    struct offer o;
    struct buf out = { 0 };
    (void)state;
    begin(&o);
    tools_describe(&out, &o.client, "h", (struct tool_choice){ .over_http = true });
    assert_non_null(strstr(out.ptr, "\"description\":\"xy\",\"hidden_characters\":1,"
                                    "\"side_effects\":[\"none\"],\"idempotent\":true"));
    assert_non_null(strstr(out.ptr, "\"side_effects\":[\"destructive\",\"network\"]"));
    assert_non_null(strstr(out.ptr, "{\"name\":\"b\",\"why\":\"its x-mcp-header \\\"P\\\" is no "
                                    "name of a header\"}"));
    assert_non_null(strstr(out.ptr, "{\"name\":\"c\",\"why\":\"it has no inputSchema\"}"));
    assert_non_null(strstr(out.ptr, "{\"name\":\"\",\"why\":\"it has no name\"}"));
    assert_non_null(strstr(out.ptr, "\"why\":\"its name has characters that are not plain\"}"));
    mgi_buf_fini(&out);
    mgi_arena_fini(&o.arena);
}

static void test_a_word_that_all_names_begin_with_is_no_verb(void **state)
{
    static const struct {
        const char *tools;
        const char *effects; /* of the first */
    } cases[] = {
        { "[{\"name\":\"git_log\",%s},{\"name\":\"git_push\",%s}]", "[\"none\"]" },
        { "[{\"name\":\"git_push\",%s},{\"name\":\"git_log\",%s}]", "[\"destructive\"]" },
        { "[{\"name\":\"git_log\",%s},{\"name\":\"gitlog\",%s}]", "[\"destructive\"]" },
        { "[{\"name\":\"git_log\",%s},{\"name\":\"git_\",%s}]", "[\"destructive\"]" },
        { "[{\"name\":\"get_push\",%s},{\"name\":\"get_log\",%s}]", "[\"none\"]" },
        { "[{\"name\":\"new_log\",%s},{\"name\":\"new_get\",%s}]", "[\"destructive\"]" },
        { "[{\"name\":\"_log\",%s},{\"name\":\"_get\",%s}]", "[\"destructive\"]" },
    };
    static const char rest[] =
        "\"inputSchema\":{},\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false}";
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct offer o;
        struct buf out = { 0 }, text = { 0 };
        begin(&o);
        const char *from = cases[i].tools;
        for (const char *at; (at = strstr(from, "%s")) != NULL; from = at + 2) {
            mgi_buf_append(&text, from, (size_t)(at - from));
            mgi_buf_puts(&text, rest);
        }
        mgi_buf_puts(&text, from);
        struct json list = value_of(&o.arena, text.ptr);
        o.client.tools = list.items;
        o.client.tool_count = list.count;
        tools_describe(&out, &o.client, "h", (struct tool_choice){ 0 });
        const struct str key = STR_LIT("\"side_effects\":");
        const char *effects = strstr(out.ptr, key.ptr);
        assert_non_null(effects);
        if (strncmp(effects + key.len, cases[i].effects, strlen(cases[i].effects)) != 0)
            fail_msg("%s: %.40s", cases[i].tools, effects);
        mgi_buf_fini(&text);
        mgi_buf_fini(&out);
        mgi_arena_fini(&o.arena);
    }
}

static void test_only_what_is_meant_is_told(void **state)
{
    struct offer o;
    struct buf out = { 0 };
    (void)state;
    begin(&o);
    struct json only = value_of(&o.arena, "[[\"get_a\",\"c\"],[\"*\"]]");
    struct json without = value_of(&o.arena, "[[\"c\"]]");
    struct tool_choice choice = { .only = &only, .without = &without };
    tools_describe(&out, &o.client, "h", choice);
    assert_non_null(strstr(out.ptr, "\"name\":\"get_a\""));
    assert_null(strstr(out.ptr, "get_delete"));
    assert_non_null(strstr(out.ptr, "\"left_out\":[]"));
    assert_int_equal(tools_compare(NULL, 0, &o.client, choice), 1);
    assert_int_equal(tools_compare(NULL, 0, &o.client, (struct tool_choice){ 0 }), 7);
    mgi_buf_fini(&out);
    mgi_arena_fini(&o.arena);
}

static void test_a_name_that_comes_twice_is_what_was_accepted_only_if_both_are(void **state)
{
    struct offer o;
    char hash[TOOL_HASH_TEXT];
    (void)state;
    begin(&o);
    assert_true(tool_hash(&o.list.items[0], hash));
    struct accepted_tool a = { .tool = "get_a", .sha256 = hash };
    struct json twice[3] = { o.list.items[0], o.list.items[0], o.list.items[2] };
    o.client.tools = twice;
    o.client.tool_count = 2;
    assert_int_equal(tools_compare(&a, 1, &o.client, (struct tool_choice){ 0 }), 0);
    assert_int_equal(a.standing, TOOL_ACCEPTED);
    struct json other = value_of(&o.arena, "{\"name\":\"get_a\",\"inputSchema\":{}}");
    for (int first = 0; first < 2; first++) {
        twice[first] = other;
        twice[1 - first] = o.list.items[0];
        assert_int_equal(tools_compare(&a, 1, &o.client, (struct tool_choice){ 0 }), 0);
        assert_int_equal(a.standing, TOOL_CHANGED);
    }
    mgi_arena_fini(&o.arena);
}

static void test_memory_that_runs_out_accepts_nothing(void **state)
{
    struct offer o;
    char hash[TOOL_HASH_TEXT];
    (void)state;
    begin(&o);
    assert_true(tool_hash(&o.list.items[0], hash));
    for (size_t n = 1;; n++) {
        struct buf out = { 0 };
        struct accepted_tool a = { .tool = "get_a", .sha256 = hash };
        nomem_fail_at(n);
        tools_compare(&a, 1, &o.client, (struct tool_choice){ 0 });
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(a.standing, failed ? TOOL_CHANGED : TOOL_ACCEPTED);
        nomem_fail_at(n);
        tools_describe(&out, &o.client, "h", (struct tool_choice){ .over_http = true });
        failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(out.oom, failed);
        mgi_buf_fini(&out);
        if (!failed)
            break;
    }
    mgi_arena_fini(&o.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tools_are_described_or_left_out_with_a_reason),
        cmocka_unit_test(test_a_word_that_all_names_begin_with_is_no_verb),
        cmocka_unit_test(test_only_what_is_meant_is_told),
        cmocka_unit_test(test_a_name_that_comes_twice_is_what_was_accepted_only_if_both_are),
        cmocka_unit_test(test_memory_that_runs_out_accepts_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
