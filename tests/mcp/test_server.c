/* Descriptions that are refused, pages and cursors, arguments as headers, bounds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "mcp/server_int.h"
#include "support/mcp_talk.h"

static void run_nothing(void *context, struct mcp_call *c)
{
    (void)context;
    mgi_mcp_answer_text(c, STR_LIT("ok"), false);
}

static struct mcp_server *with_tools(const struct mcp_tool *tools, size_t count, struct buf *why)
{
    struct mcp_description d = { .self = { STR_LIT("s"), STR_LIT("1"), { 0 } },
                                 .tools = tools,
                                 .tool_count = count,
                                 .handlers = { .tool = run_nothing },
                                 .tools_change = true };
    return mgi_mcp_server_new(&d, why);
}

static void is_refused(const char *schema, const char *because)
{
    struct buf why = { 0 };
    struct mcp_tool t = { .name = STR_LIT("t"), .input_schema = str_of(schema) };
    assert_null(with_tools(&t, 1, &why));
    const char *said = mgi_buf_view(&why).ptr;
    if (!strstr(said, because))
        print_error("%s: %s\n", schema, said);
    assert_non_null(strstr(said, because));
    mgi_buf_fini(&why);
}

#define PROPERTY(text) "{\"type\":\"object\",\"properties\":{" text "}}"

/* X-TOOL-2, X-TOOL-6, X-HTTP-36 */
static void test_what_no_client_could_use_is_refused(void **state)
{
    (void)state;
    is_refused("", "type \"object\"");
    is_refused("[]", "type \"object\"");
    is_refused("{\"type\":\"string\"}", "type \"object\"");
    is_refused("{", "JSON");
    is_refused(PROPERTY("\"a\":{\"type\":\"number\",\"x-mcp-header\":\"A\"}"), "integer");
    is_refused(PROPERTY("\"a\":{\"type\":[\"string\"],\"x-mcp-header\":\"A\"}"), "integer");
    is_refused(PROPERTY("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A B\"}"), "no name");
    is_refused(PROPERTY("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"\"}"), "no name");
    is_refused(PROPERTY("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"},"
                        "\"b\":{\"type\":\"string\",\"x-mcp-header\":\"a\"}"),
               "twice");
    is_refused(PROPERTY("\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string\","
                        "\"x-mcp-header\":\"A\"}}"),
               "properties alone");
    is_refused("{\"type\":\"object\",\"x-mcp-header\":\"A\"}", "properties alone");
    struct buf why = { 0 };
    struct mcp_tool twice[] = {
        { .name = STR_LIT("t"), .input_schema = STR_LIT("{\"type\":\"object\"}") },
        { .name = STR_LIT("t"), .input_schema = STR_LIT("{\"type\":\"object\"}") }
    };
    assert_null(with_tools(twice, 2, &why));
    assert_string_equal(why.ptr, "tool \"t\": is there twice");
    mgi_buf_fini(&why);
}

/* X-HTTP-36: nested properties count, names in data do not. */
static void test_headers_are_found_by_properties(void **state)
{
    (void)state;
    struct mcp_tool t = {
        .name = STR_LIT("t"),
        .input_schema = STR_LIT(PROPERTY(
            "\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"},\"b\":{\"type\":\"object\","
            "\"properties\":{\"c\":{\"type\":\"integer\",\"x-mcp-header\":\"C\","
            "\"default\":{\"x-mcp-header\":7}}}},\"x-mcp-header\":{\"type\":\"string\"}"))
    };
    struct mcp_server *s = with_tools(&t, 1, NULL);
    assert_non_null(s);
    const struct header_rules *rules = mgi_mcp_rules_of(s, STR_LIT("t"));
    assert_int_equal(rules->count, 2);
    assert_true(str_is(rules->items[1].name, "C"));
    assert_int_equal(rules->items[1].depth, 2);
    assert_true(str_is(rules->items[1].path[0], "b") && str_is(rules->items[1].path[1], "c"));
    assert_int_equal(rules->items[1].type, HEADER_INT);
    mgi_mcp_server_unref(s);
}

/* X-PAGE-1, X-PAGE-2, X-PAGE-3, X-TOOL-1 */
static void test_long_lists_come_in_pages(void **state)
{
    (void)state;
    struct mcp_tool tools[401] = { 0 };
    char names[401][8];
    for (size_t i = 0; i < 401; i++) {
        snprintf(names[i], sizeof names[i], "t%zu", i);
        tools[i].name = str_of(names[i]);
        tools[i].input_schema = STR_LIT("{\"type\":\"object\"}");
    }
    struct mcp_server *s = with_tools(tools, 401, NULL), *other = with_tools(tools, 400, NULL);
    struct str cursor = { 0 };
    size_t pages = 0;
    do {
        struct str page = mgi_mcp_page(s, MCP_R4, LIST_TOOLS, cursor);
        assert_non_null(page.ptr);
        size_t at = mgi_str_find(page, STR_LIT("\"nextCursor\":\""));
        pages++;
        assert_ptr_equal(page.ptr, mgi_mcp_page(s, MCP_R4, LIST_TOOLS, cursor).ptr);
        cursor = at == SIZE_MAX ? (struct str){ 0 }
                                : (struct str){ page.ptr + at + 14, page.len - at - 15 };
        if (cursor.len > 0) /* of another list, or another revision's */
            assert_null(mgi_mcp_page(other, MCP_R4, LIST_TOOLS, cursor).ptr);
    } while (cursor.len > 0);
    assert_int_equal(pages, 3);
    assert_null(mgi_mcp_page(s, MCP_R4, LIST_TOOLS, STR_LIT("3")).ptr);
    mgi_mcp_server_unref(s);
    mgi_mcp_server_unref(other);
}

static const char ready[] =
    "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
    "\"2025-11-25\",\"capabilities\":{\"elicitation\":{}},\"clientInfo\":{\"name\":\"c\","
    "\"version\":\"1\"}}}";
static const char initialized[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";

static void say_call(struct talk *t, int id, const char *tool)
{
    char line[200];
    snprintf(
        line, sizeof line,
        "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\"}}",
        id, tool);
    talk_say(t, line);
}

static size_t times(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        n++;
    return n;
}

static void test_calls_and_questions_are_bounded(void **state)
{
    (void)state;
    struct talk t;
    talk_init(&t);
    talk_say(&t, ready);
    talk_say(&t, initialized);
    talk_heard(&t);
    for (int i = 0; i < MCP_PEER_QUESTIONS + 1; i++)
        say_call(&t, i, "consent");
    const char *heard = talk_heard(&t);
    assert_int_equal(times(heard, "elicitation/create"), MCP_PEER_QUESTIONS);
    assert_int_equal(times(heard, "nobody to ask"), 1);
    for (int i = 0; i < MCP_PEER_CALLS - MCP_PEER_QUESTIONS; i++)
        say_call(&t, 100 + i, "later");
    assert_string_equal(talk_heard(&t), "");
    say_call(&t, 999, "echo");
    heard = talk_heard(&t);
    assert_int_equal(times(heard, "too many requests"), 1);
    assert_int_equal(mgi_mcp_calls(t.peer), MCP_PEER_CALLS);
    talk_fini(&t);
}

/* Millions of values in one message, and megabytes that many calls hold. */
static void test_memory_of_calls_is_bounded(void **state)
{
    (void)state;
    struct talk t;
    struct buf line = { 0 };
    talk_init(&t);
    talk_say(&t, ready);
    talk_say(&t, initialized);
    talk_heard(&t);
    mgi_buf_puts(&line, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"x\":[");
    while (line.len < MCP_MESSAGE_BYTES - 100)
        mgi_buf_puts(&line, "1,");
    mgi_buf_puts(&line, "1]}}");
    talk_say(&t, line.ptr);
    assert_non_null(strstr(talk_heard(&t), "too many values"));
    mgi_buf_clear(&line);
    mgi_buf_puts(&line, "{\"jsonrpc\":\"2.0\",\"id\":100,\"method\":\"tools/call\",\"params\":{"
                        "\"name\":\"later\",\"arguments\":{\"x\":\"");
    while (line.len < MCP_MESSAGE_BYTES - 100)
        mgi_buf_putc(&line, 'x');
    mgi_buf_puts(&line, "\"}}}");
    size_t most = MCP_PEER_BYTES / MCP_MESSAGE_BYTES;
    for (size_t i = 0; i <= most; i++) {
        line.ptr[strlen("{\"jsonrpc\":\"2.0\",\"id\":10")] = (char)('0' + i);
        assert_string_equal(talk_heard(&t), "");
        talk_say(&t, line.ptr);
    }
    assert_non_null(strstr(talk_heard(&t), "too large together"));
    assert_int_equal(mgi_mcp_calls(t.peer), most);
    assert_in_range(mgi_mcp_held(t.peer), most * (MCP_MESSAGE_BYTES - 100), MCP_PEER_BYTES);
    say_call(&t, 1, "echo");
    assert_non_null(strstr(talk_heard(&t), "result"));
    mgi_buf_fini(&line);
    talk_fini(&t);
}

#define MODERN_META                                                                                \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                       \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"

/* X-SUB-6 */
static void test_subscriptions_are_bounded(void **state)
{
    (void)state;
    struct talk t;
    struct buf line = { 0 };
    talk_init(&t);
    for (int i = 0; i <= MCP_PEER_LISTENERS; i++) {
        mgi_buf_clear(&line);
        mgi_buf_printf(&line,
                       "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"subscriptions/listen\","
                       "\"params\":{\"notifications\":{}," MODERN_META "}}",
                       i);
        talk_say(&t, line.ptr);
    }
    const char *heard = talk_heard(&t);
    assert_int_equal(times(heard, "acknowledged"), MCP_PEER_LISTENERS);
    assert_int_equal(times(heard, "too many subscriptions"), 1);
    talk_fini(&t);

    talk_init(&t);
    mgi_buf_clear(&line);
    mgi_buf_puts(&line, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\","
                        "\"params\":{\"notifications\":{\"resourceSubscriptions\":[\"x:a\"");
    for (int i = 1; i < MCP_PEER_URIS; i++)
        mgi_buf_puts(&line, ",\"x:a\"");
    mgi_buf_puts(&line, "]}," MODERN_META "}}");
    talk_say(&t, line.ptr);
    assert_int_equal(times(talk_heard(&t), "acknowledged"), 1);
    line.ptr[strlen("{\"jsonrpc\":\"2.0\",\"id\":")] = '2';
    talk_say(&t, line.ptr);
    assert_int_equal(times(talk_heard(&t), "too many subscriptions"), 1);
    mgi_buf_fini(&line);
    talk_fini(&t);
}

/* X-LOG-5: twenty a second, then how many were left out */
static void test_log_messages_are_bounded(void **state)
{
    (void)state;
    struct talk t;
    talk_init(&t);
    talk_say(&t, ready);
    talk_heard(&t);
    for (int i = 0; i < 50; i++)
        mgi_mcp_peer_log(t.peer, MCP_LEVEL_ERROR, STR_LIT("l"), STR_LIT("1"));
    assert_int_equal(times(talk_heard(&t), "notifications/message"), MCP_LOG_A_SECOND);
    t.now_ms += 1000;
    mgi_mcp_peer_log(t.peer, MCP_LEVEL_ERROR, STR_LIT("l"), STR_LIT("1"));
    assert_non_null(strstr(talk_heard(&t), "30 messages were left out"));
    talk_fini(&t);
}

/* X-LOG-3: what tells that messages were left out is not below the level that was asked for */
static void test_what_was_left_out_is_told_at_the_level_asked_for(void **state)
{
    (void)state;
    struct talk t;
    talk_init(&t);
    talk_say(&t, ready);
    talk_say(&t, initialized);
    talk_say(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"logging/setLevel\",\"params\":"
                 "{\"level\":\"error\"}}");
    talk_heard(&t);
    for (int i = 0; i <= MCP_LOG_A_SECOND; i++)
        mgi_mcp_peer_log(t.peer, MCP_LEVEL_ERROR, STR_LIT("l"), STR_LIT("1"));
    t.now_ms += 1000;
    mgi_mcp_peer_log(t.peer, MCP_CRITICAL, STR_LIT("l"), STR_LIT("1"));
    const char *heard = talk_heard(&t);
    assert_non_null(strstr(heard, "1 messages were left out"));
    assert_null(strstr(heard, "warning"));
    talk_fini(&t);
}

static struct mcp_call *slow;

static void hold(void *context, struct mcp_call *c)
{
    (void)context;
    slow = c;
}

/* X-CANCEL-2, X-PROG-1: also where its owner takes his time */
static void test_nothing_more_is_said_of_a_call_that_was_cancelled(void **state)
{
    (void)state;
    struct talk t;
    const struct mcp_tool tool = { .name = STR_LIT("slow"),
                                   .input_schema = STR_LIT("{\"type\":\"object\"}") };
    struct mcp_description d = { .self = { STR_LIT("s"), STR_LIT("1"), { 0 } },
                                 .tools = &tool,
                                 .tool_count = 1,
                                 .handlers = { .tool = hold } };
    talk_init(&t);
    struct mcp_server *s = mgi_mcp_server_new(&d, NULL);
    mgi_mcp_serve(t.peer, s);
    mgi_mcp_server_unref(s);
    talk_say(&t, ready);
    talk_say(&t, initialized);
    talk_say(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
                 "\"slow\",\"_meta\":{\"progressToken\":0}}}");
    mgi_mcp_progress(slow, 1, 0, STR_LIT(""));
    mgi_mcp_progress(slow, 2, 0, STR_LIT("")); /* which waits */
    assert_int_equal(times(talk_heard(&t), "notifications/progress"), 1);
    talk_say(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":"
                 "{\"requestId\":1}}");
    t.now_ms += MCP_PROGRESS_MS;
    mgi_mcp_tick(t.peer);
    assert_string_equal(talk_heard(&t), "");
    mgi_mcp_answer_text(slow, STR_LIT("x"), false);
    assert_string_equal(talk_heard(&t), "");
    talk_fini(&t);
}

/* X-TOOL-14: whose handler knows tools of before wants to say so itself */
static void test_a_tool_that_is_not_listed_comes_to_the_handler_where_it_is_wanted(void **state)
{
    (void)state;
    struct talk t;
    struct mcp_description d = { .self = { STR_LIT("s"), STR_LIT("1"), { 0 } },
                                 .handlers = { .tool = hold } };
    for (int any = 0; any < 2; any++) {
        talk_init(&t);
        d.any_tool = any;
        struct mcp_server *s = mgi_mcp_server_new(&d, NULL);
        mgi_mcp_serve(t.peer, s);
        mgi_mcp_server_unref(s);
        talk_say(&t, ready);
        talk_say(&t, initialized);
        (void)talk_heard(&t);
        slow = NULL;
        talk_say(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
                     "\"gone\"}}");
        assert_int_equal(slow != NULL, any);
        assert_int_equal(times(talk_heard(&t), "-32602"), !any);
        if (slow)
            mgi_mcp_answer_text(slow, STR_LIT("x"), true);
        talk_fini(&t);
    }
}

/* X-SUB-3: where lists are chosen, what differs is told, to who is ready, and nothing else */
static void test_what_was_chosen_before_and_is_now_is_compared(void **state)
{
    (void)state;
    struct talk t;
    talk_init(&t);
    struct mcp_server *more = talk_server(&t, true);
    talk_say(&t, ready);
    (void)talk_heard(&t);
    mgi_mcp_changed(t.peer, t.server, t.server);
    talk_say(&t, initialized);
    assert_string_equal(talk_heard(&t), "");
    mgi_mcp_changed(t.peer, t.server, more);
    assert_int_equal(times(talk_heard(&t), "notifications/tools/list_changed"), 1);
    mgi_mcp_server_unref(more);
    talk_fini(&t);
}

static struct mcp_peer *short_lived;

static void ask_or_hold(void *context, struct mcp_call *c)
{
    if (str_is(mgi_mcp_name(c), "slow"))
        hold(context, c);
    else if (mgi_mcp_is_again(c))
        mgi_mcp_answer_text(c, STR_LIT("x"), false);
    else
        mgi_mcp_ask(c, &(struct mcp_question){ .key = "r", .kind = MCP_ASK_ROOTS }, 1,
                    (struct str){ 0 });
}

/* The first answer but that to initialize is the end of it. */
static void send_and_free(void *context, const struct mcp_outgoing *m)
{
    size_t *answers = context;
    if (m->what == MCP_SENT_ANSWER && ++*answers > 1) {
        mgi_mcp_peer_free(short_lived);
        short_lived = NULL;
    }
}

static int64_t no_time(void *context)
{
    (void)context;
    return 1;
}

/* X-RPC-10: an answer within a batch may be what ends the peer */
static void test_what_follows_the_end_of_a_peer_in_a_batch_is_dropped(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
        "\"2025-03-26\",\"capabilities\":{\"roots\":{}},\"clientInfo\":{\"name\":\"c\","
        "\"version\":\"1\"}}}",
        initialized,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"asks\"}}",
        "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"roots\":[]}},{\"jsonrpc\":\"2.0\",\"id\":2,"
        "\"method\":\"tools/call\",\"params\":{\"name\":\"slow\"}}]",
    };
    const struct mcp_tool tools[] = {
        { .name = STR_LIT("asks"), .input_schema = STR_LIT("{\"type\":\"object\"}") },
        { .name = STR_LIT("slow"), .input_schema = STR_LIT("{\"type\":\"object\"}") },
    };
    struct mcp_description d = { .self = { STR_LIT("s"), STR_LIT("1"), { 0 } },
                                 .tools = tools,
                                 .tool_count = 2,
                                 .handlers = { .tool = ask_or_hold } };
    size_t answers = 0;
    struct mcp_peer_options o = { .context = &answers, .send = send_and_free, .now_ms = no_time };
    const struct mcp_route route = { 0 };
    struct mcp_server *s = mgi_mcp_server_new(&d, NULL);
    short_lived = mgi_mcp_peer_new(s, &o);
    slow = NULL;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        (void)mgi_mcp_receive(short_lived, str_of(lines[i]), &route);
    assert_null(short_lived);
    assert_int_equal(answers, 2);
    assert_null(slow);
    mgi_mcp_server_unref(s);
}

/* The owner may finish a call when its peer is gone. */
static void test_a_call_outlives_its_peer(void **state)
{
    (void)state;
    struct talk t;
    talk_init(&t);
    talk_say(&t, ready);
    say_call(&t, 1, "later");
    assert_non_null(t.held);
    mgi_mcp_peer_free(t.peer);
    t.peer = NULL;
    assert_int_equal(t.cancelled, 1);
    assert_int_equal(t.released, 1);
    talk_fini(&t);
}

/* A message that is too long is refused before it is read. */
static void test_an_answer_has_a_size(void **state)
{
    (void)state;
    struct talk t;
    talk_init(&t);
    talk_say(&t, ready);
    talk_heard(&t);
    say_call(&t, 1, "later");
    struct buf text = { 0 };
    for (size_t i = 0; i < MCP_WRITE_BYTES; i++)
        mgi_buf_putc(&text, 'x');
    struct mcp_call *held = t.held;
    t.held = NULL;
    mgi_mcp_answer_text(held, mgi_buf_view(&text), false);
    mgi_buf_fini(&text);
    assert_non_null(strstr(talk_heard(&t), "larger than 4 MiB"));
    talk_fini(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_no_client_could_use_is_refused),
        cmocka_unit_test(test_headers_are_found_by_properties),
        cmocka_unit_test(test_long_lists_come_in_pages),
        cmocka_unit_test(test_calls_and_questions_are_bounded),
        cmocka_unit_test(test_memory_of_calls_is_bounded),
        cmocka_unit_test(test_subscriptions_are_bounded),
        cmocka_unit_test(test_log_messages_are_bounded),
        cmocka_unit_test(test_what_was_left_out_is_told_at_the_level_asked_for),
        cmocka_unit_test(test_nothing_more_is_said_of_a_call_that_was_cancelled),
        cmocka_unit_test(test_a_tool_that_is_not_listed_comes_to_the_handler_where_it_is_wanted),
        cmocka_unit_test(test_what_was_chosen_before_and_is_now_is_compared),
        cmocka_unit_test(test_what_follows_the_end_of_a_peer_in_a_batch_is_dropped),
        cmocka_unit_test(test_a_call_outlives_its_peer),
        cmocka_unit_test(test_an_answer_has_a_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
