/* The client's state machine: X-INIT-7, X-COMPAT-5, -7, X-STDIO-3, X-RPC-2, -9, X-PAGE-3, X-PROG-1,
 * -2, X-CANCEL-2, X-MRTR-5, -12, X-TASK-4, X-ACT-9. What goes over a pipe is
 * tests/actions/test_mcp_*.sh. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "mcp/client.h"

static int progresses, changes, logs;
static double last_progress;

static void on_progress(void *context, double progress, double total, struct str message)
{
    (void)context, (void)total, (void)message;
    progresses++;
    last_progress = progress;
}

static void on_log(void *context, struct str level, struct str text)
{
    (void)context, (void)level, (void)text;
    logs++;
}

static void on_changed(void *context)
{
    (void)context;
    changes++;
}

static void init(struct mcp_client *c)
{
    const struct mcp_client_events events = { on_progress, on_log, on_changed, NULL };
    progresses = changes = logs = 0;
    mgi_mcp_client_init(c, &events);
}

static void take(struct mcp_client *c, const char *line)
{
    mgi_mcp_client_take(c, str_of(line), 1000);
}

/* What it has sent since the last time is this, with %d for the id of the last request. */
static void sent(struct mcp_client *c, const char *part)
{
    if (mgi_str_find(mgi_buf_view(&c->out), str_of(part)) == SIZE_MAX)
        fail_msg("%s is not in %s", part, c->out.ptr ? c->out.ptr : "");
    mgi_buf_clear(&c->out);
}

/* The answer to the request under way. */
static void answer(struct mcp_client *c, const char *members)
{
    char line[1024];
    snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":%lld,%s}", (long long)c->last_id,
             members);
    mgi_buf_clear(&c->out);
    take(c, line);
}

static const char legacy[] = "\"result\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":"
                             "{\"tools\":{}},\"serverInfo\":{\"name\":\"s\",\"version\":\"2\"}}";
static const char modern[] =
    "\"result\":{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],"
    "\"capabilities\":{\"tools\":{}},\"ttlMs\":0,\"cacheScope\":\"public\"}";

static void open_legacy(struct mcp_client *c)
{
    init(c);
    mgi_mcp_client_open(c, MCP_ERA_LEGACY, 1);
    answer(c, legacy);
    assert_int_equal(c->state, MCP_READY);
    sent(c, "notifications/initialized");
}

static void open_modern(struct mcp_client *c)
{
    init(c);
    mgi_mcp_client_open(c, MCP_ERA_MODERN, 1);
    assert_int_equal(c->state, MCP_READY);
}

static void test_the_era_is_found(void **state)
{
    (void)state;
    static const struct {
        const char *reply; /* to the probe; NULL: none within its time */
        enum mcp_client_state becomes;
    } cases[] = {
        { modern, MCP_READY },
        { "\"error\":{\"code\":-32022,\"message\":\"m\",\"data\":{\"supported\":[\"2026-07-28\"]}}",
          MCP_READY },
        { "\"error\":{\"code\":-32022,\"message\":\"m\",\"data\":{\"supported\":[\"2025-11-25\"]}}",
          MCP_OPENING },
        { "\"error\":{\"code\":-32601,\"message\":\"m\"}", MCP_OPENING },
        { "\"error\":{\"code\":-32000,\"message\":\"m\"}", MCP_OPENING },
        { "\"result\":{}", MCP_OPENING },
        { NULL, MCP_OPENING },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mcp_client c;
        init(&c);
        mgi_mcp_client_open(&c, MCP_ERA_UNKNOWN, 1);
        assert_int_equal(c.state, MCP_PROBING);
        sent(&c, "\"method\":\"server/discover\"");
        if (cases[i].reply)
            answer(&c, cases[i].reply);
        mgi_mcp_client_tick(&c, MCP_PROBE_MS);
        assert_int_equal(c.state, cases[i].reply ? cases[i].becomes : MCP_PROBING);
        mgi_mcp_client_tick(&c, MCP_PROBE_MS + 1);
        assert_int_equal(c.state, cases[i].becomes);
        if (c.state == MCP_OPENING)
            sent(&c, "\"protocolVersion\":\"2025-11-25\"");
        mgi_mcp_client_fini(&c);
    }
}

static void test_a_sign_of_life_shortens_the_probe(void **state)
{
    (void)state;
    struct mcp_client c;
    init(&c);
    mgi_mcp_client_open(&c, MCP_ERA_UNKNOWN, 1);
    mgi_mcp_client_alive(&c, 100);
    mgi_mcp_client_tick(&c, 100 + MCP_PROBE_SILENCE_MS - 1);
    assert_int_equal(c.state, MCP_PROBING);
    mgi_mcp_client_tick(&c, 100 + MCP_PROBE_SILENCE_MS);
    assert_int_equal(c.state, MCP_OPENING);
    int64_t probe = c.last_id - 1;
    char late[256]; /* the answer to the probe comes after all: dropped */
    snprintf(late, sizeof late, "{\"jsonrpc\":\"2.0\",\"id\":%lld,%s}", (long long)probe, modern);
    take(&c, late);
    assert_int_equal(c.state, MCP_OPENING);
    answer(&c, "\"error\":{\"code\":-32022,\"message\":\"m\"}"); /* X-COMPAT-7 */
    assert_int_equal(c.state, MCP_PROBING);
    answer(&c, modern);
    assert_int_equal(c.state, MCP_READY);
    assert_int_equal(c.era, MCP_ERA_MODERN);
    mgi_mcp_client_fini(&c);
}

static void test_a_version_nobody_speaks_ends_it(void **state)
{
    (void)state;
    static const char *const versions[] = { "2026-07-28", "2024-10-07", "", "v999.0.0" };
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        struct mcp_client c;
        char text[256];
        init(&c);
        mgi_mcp_client_open(&c, MCP_ERA_LEGACY, 1);
        snprintf(text, sizeof text,
                 "\"result\":{\"protocolVersion\":\"%s\",\"capabilities\":{},\"serverInfo\":{}}",
                 versions[i]);
        answer(&c, text);
        assert_int_equal(c.state, MCP_BROKEN);
        assert_non_null(strstr(c.why, "2025-11-25"));
        assert_non_null(strstr(c.why, versions[i]));
        mgi_mcp_client_fini(&c);
    }
}

static void test_pages(void **state)
{
    (void)state;
    struct mcp_client c;
    open_legacy(&c);
    mgi_mcp_client_list(&c);
    answer(&c, "\"result\":{\"tools\":[{\"name\":\"a\"}],\"nextCursor\":\"x\"}");
    sent(&c, "\"cursor\":\"x\"");
    answer(&c, "\"result\":{\"tools\":[],\"nextCursor\":\"y\"}");
    answer(&c, "\"result\":{\"tools\":[{\"name\":\"b\"}]}");
    assert_int_equal(c.end, MCP_DONE);
    assert_int_equal(c.tool_count, 2);
    assert_true(str_is(mgi_json_get(&c.tools[1], "name")->string, "b"));
    mgi_mcp_client_list(&c);
    answer(&c, "\"result\":{\"tools\":[],\"nextCursor\":\"x\"}");
    answer(&c, "\"result\":{\"tools\":[],\"nextCursor\":\"x\"}");
    assert_int_equal(c.end, MCP_BAD);
    mgi_mcp_client_list(&c);
    for (int i = 0; c.end == MCP_PENDING && i < 200; i++) {
        char page[64];
        snprintf(page, sizeof page, "\"result\":{\"tools\":[],\"nextCursor\":\"%d\"}", i);
        answer(&c, page);
    }
    assert_int_equal(c.end, MCP_BAD);
    assert_non_null(strstr(c.why, "100 pages"));
    mgi_mcp_client_fini(&c);
}

static void test_how_long_a_list_is_fresh(void **state)
{
    (void)state;
    struct mcp_client c;
    open_modern(&c);
    mgi_mcp_client_list(&c);
    answer(&c, "\"result\":{\"tools\":[],\"ttlMs\":5000,\"nextCursor\":\"x\"}");
    answer(&c, "\"result\":{\"tools\":[],\"ttlMs\":300,\"nextCursor\":\"y\"}");
    answer(&c, "\"result\":{\"tools\":[],\"ttlMs\":-7}");
    assert_int_equal(c.ttl_ms, 300); /* X-CACHE-1, X-CACHE-2: the page that is the first to go */
    mgi_mcp_client_list(&c);
    answer(&c, "\"result\":{\"tools\":[]}");
    assert_int_equal(c.ttl_ms, -1);
    mgi_mcp_client_fini(&c);
}

/* X-PAGE-3: a hundred pages of megabytes are not kept, nor is a cursor of one. */
static void test_a_list_has_a_size(void **state)
{
    (void)state;
    struct mcp_client c;
    struct buf page = { 0 };
    const size_t part = (size_t)4 * 1024 * 1024;
    open_legacy(&c);
    mgi_mcp_client_list(&c);
    for (int i = 0; c.end == MCP_PENDING && i < MCP_MOST_PAGES; i++) {
        mgi_buf_clear(&c.out);
        mgi_buf_clear(&page);
        mgi_buf_printf(&page,
                       "{\"jsonrpc\":\"2.0\",\"id\":%lld,\"result\":{\"nextCursor\":\"%d\","
                       "\"tools\":[{\"name\":\"t%d\",\"description\":\"",
                       (long long)c.last_id, i, i);
        for (size_t n = 0; n < part; n++)
            mgi_buf_putc(&page, 'x');
        mgi_buf_puts(&page, "\"}]}}");
        take(&c, page.ptr);
    }
    assert_int_equal(c.end, MCP_BAD);
    assert_non_null(strstr(c.why, "too much"));
    assert_in_range(c.pages, 10, MCP_READ_BYTES / part);
    assert_int_equal(c.state, MCP_READY); /* that list alone has failed */
    mgi_mcp_client_list(&c);
    mgi_buf_clear(&page);
    mgi_buf_printf(&page,
                   "{\"jsonrpc\":\"2.0\",\"id\":%lld,\"result\":{\"tools\":[],\"nextCursor\":\"",
                   (long long)c.last_id);
    for (size_t n = 0; n <= MCP_CURSOR_BYTES; n++)
        mgi_buf_putc(&page, 'x');
    mgi_buf_puts(&page, "\"}}");
    take(&c, page.ptr);
    assert_int_equal(c.end, MCP_BAD);
    assert_non_null(strstr(c.why, "cursor"));
    mgi_buf_fini(&page);
    mgi_mcp_client_fini(&c);
}

/* Millions of values in 10 MiB would be half a gigabyte. */
static void test_a_message_has_a_size_when_it_is_read(void **state)
{
    (void)state;
    struct mcp_client c;
    struct buf line = { 0 };
    open_legacy(&c);
    mgi_mcp_client_call(&c, STR_LIT("t"), STR_LIT("{}"));
    mgi_buf_printf(&line, "{\"jsonrpc\":\"2.0\",\"id\":%lld,\"result\":{\"content\":[1",
                   (long long)c.last_id);
    while (line.len < MCP_MESSAGE_BYTES - 10)
        mgi_buf_puts(&line, ",1");
    mgi_buf_puts(&line, "]}}");
    take(&c, line.ptr);
    assert_int_equal(c.state, MCP_BROKEN);
    assert_non_null(strstr(c.why, "too much"));
    mgi_buf_fini(&line);
    mgi_mcp_client_fini(&c);
}

static void test_calls(void **state)
{
    (void)state;
    struct mcp_client c;
    open_legacy(&c);
    mgi_mcp_client_call(&c, STR_LIT("t"), STR_LIT("{\"a\":\n1}"));
    sent(&c, "\"params\":{\"name\":\"t\",\"arguments\":{\"a\": 1},\"_meta\":{\"progressToken\":");
    char line[200];
    for (int i = 0; i < 3; i++) { /* 5 grows, 5 and 4 do not */
        static const int values[] = { 5, 5, 4 };
        snprintf(line, sizeof line,
                 "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
                 "{\"progressToken\":%lld,\"progress\":%d}}",
                 (long long)c.last_id, values[i]);
        take(&c, line);
    }
    take(&c, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
             "{\"progressToken\":\"x\",\"progress\":50}}");
    assert_int_equal(progresses, 1);
    assert_true(last_progress > 4.9);
    snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":\"%lld\",\"result\":{}}",
             (long long)c.last_id); /* a text is another id */
    take(&c, line);
    assert_int_equal(c.end, MCP_PENDING);
    answer(&c, "\"result\":{\"content\":[]}");
    assert_int_equal(c.end, MCP_DONE);
    assert_non_null(mgi_json_get(c.result, "content"));
    answer(&c, "\"result\":{\"content\":[1]}"); /* twice: dropped */
    assert_int_equal(c.end, MCP_DONE);
    mgi_mcp_client_call(&c, STR_LIT("t"), STR_LIT("{}"));
    answer(&c, "\"error\":{\"code\":-32602,\"message\":\"un\\u001b[31mknown\"}");
    assert_int_equal(c.end, MCP_REFUSED);
    assert_int_equal(c.code, -32602);
    assert_null(strchr(c.why, '\033'));
    mgi_mcp_client_call(&c, STR_LIT("t"), STR_LIT("{}"));
    answer(&c, "\"result\":{\"task\":{\"taskId\":\"T\"}}");
    assert_int_equal(c.end, MCP_BAD);
    assert_non_null(strstr(c.why, "T"));
    mgi_mcp_client_call(&c, STR_LIT("t"), STR_LIT("{}"));
    answer(&c, "\"result\":{\"resultType\":\"banana\",\"content\":[]}"); /* X-MRTR-2 */
    assert_int_equal(c.end, MCP_BAD);
    assert_non_null(strstr(c.why, "banana"));
    assert_null(strstr(c.why, "task"));
    mgi_mcp_client_fini(&c);
}

static void test_a_cancelled_call_is_over(void **state)
{
    (void)state;
    struct mcp_client c;
    open_legacy(&c);
    mgi_mcp_client_call(&c, STR_LIT("t"), STR_LIT("{}"));
    mgi_mcp_client_cancel(&c);
    sent(&c, "\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":");
    assert_int_equal(c.state, MCP_READY);
    answer(&c, "\"result\":{\"content\":[]}");
    assert_int_equal(c.state, MCP_READY);
    assert_int_equal(c.end, MCP_BAD);
    mgi_mcp_client_fini(&c);
}

static void test_it_asks_again_and_not_for_ever(void **state)
{
    (void)state;
    struct mcp_client c;
    open_modern(&c);
    mgi_mcp_client_call(&c, STR_LIT("t"), STR_LIT("{\"a\":1}"));
    sent(&c, "io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"");
    int64_t first = c.last_id, now = 1000;
    answer(&c, "\"result\":{\"resultType\":\"input_required\",\"requestState\":\"s1\"}");
    assert_int_equal(c.state, MCP_BUSY);
    mgi_mcp_client_tick(&c, now + MCP_ROUND_MS - 1);
    assert_int_equal(c.out.len, 0);
    mgi_mcp_client_tick(&c, now + MCP_ROUND_MS);
    assert_true(c.last_id > first);
    sent(&c, "\"arguments\":{\"a\":1},\"requestState\":\"s1\"");
    answer(&c, "\"result\":{\"content\":[]}");
    assert_int_equal(c.end, MCP_DONE);
    mgi_mcp_client_call(&c, STR_LIT("t"), STR_LIT("{}"));
    mgi_buf_clear(&c.out);
    int rounds = 0;
    for (; c.end == MCP_PENDING && rounds < 50; rounds++) {
        answer(&c, "\"result\":{\"resultType\":\"input_required\",\"requestState\":\"s\"}");
        mgi_mcp_client_tick(&c, 100000);
    }
    assert_int_equal(c.end, MCP_BAD);
    assert_int_equal(rounds, MCP_MOST_ROUNDS + 1);
    mgi_mcp_client_call(&c, STR_LIT("t"), STR_LIT("{}"));
    answer(&c, "\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"q\":{\"method\":"
               "\"elicitation/create\",\"params\":{\"message\":\"May I?\"}}}}");
    assert_int_equal(c.end, MCP_ASKED);
    assert_non_null(strstr(c.why, "May I?"));
    mgi_mcp_client_fini(&c);
}

static void test_requests_of_the_server(void **state)
{
    (void)state;
    struct mcp_client c;
    open_legacy(&c);
    take(&c, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}");
    sent(&c, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}");
    take(&c,
         "{\"jsonrpc\":\"2.0\",\"id\":\"\",\"method\":\"sampling/createMessage\",\"params\":{}}");
    sent(&c, "\"id\":\"\",\"error\":{\"code\":-32601");
    take(&c, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},"
             "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}]");
    sent(&c, "\"id\":1,\"result\":{}"); /* r2 has arrays */
    assert_int_equal(changes, 1);
    for (int i = 0; i < 100000 && c.state != MCP_BROKEN; i++)
        take(&c, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
    assert_int_equal(c.state, MCP_BROKEN);
    assert_true(c.out.len < MCP_UNREAD_BYTES + 4096);
    mgi_mcp_client_fini(&c);
    open_legacy(&c);
    for (int calls = 0; calls < 3; calls++) { /* one whose answers are read, too */
        mgi_mcp_client_call(&c, STR_LIT("t"), STR_LIT("{}"));
        for (int i = 0; i < MCP_MOST_ASKED; i++) {
            take(&c, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}");
            mgi_buf_clear(&c.out);
        }
        assert_int_equal(c.state, MCP_BUSY);
        if (calls < 2)
            answer(&c, "\"result\":{\"content\":[]}");
    }
    take(&c, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
    assert_int_equal(c.state, MCP_BROKEN);
    assert_string_equal(c.why, "the server asks and asks");
    mgi_mcp_client_fini(&c);
    open_modern(&c);
    mgi_buf_clear(&c.out);
    take(&c, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"); /* X-HTTP-25 */
    assert_int_equal(c.out.len, 0);
    assert_int_equal(c.state, MCP_READY);
    mgi_mcp_client_fini(&c);
}

static void test_noise_is_counted(void **state)
{
    (void)state;
    struct mcp_client c;
    open_legacy(&c);
    for (int i = 0; i < MCP_NOISE_LINES; i++)
        take(&c, i % 2 ? "listening on 3000" : "{\"no\":\"message\"}");
    assert_int_equal(c.state, MCP_READY);
    take(&c, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}");
    for (int i = 0; i < MCP_NOISE_LINES; i++)
        take(&c, "\033[31m");
    assert_int_equal(c.state, MCP_READY);
    take(&c, "x");
    assert_int_equal(c.state, MCP_BROKEN);
    assert_int_equal(c.noise_lines, 2 * MCP_NOISE_LINES + 1);
    assert_string_equal(c.first_noise, "{\"no\":\"message\"}");
    mgi_mcp_client_fini(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_era_is_found),
        cmocka_unit_test(test_a_sign_of_life_shortens_the_probe),
        cmocka_unit_test(test_a_version_nobody_speaks_ends_it),
        cmocka_unit_test(test_pages),
        cmocka_unit_test(test_how_long_a_list_is_fresh),
        cmocka_unit_test(test_a_list_has_a_size),
        cmocka_unit_test(test_a_message_has_a_size_when_it_is_read),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_a_cancelled_call_is_over),
        cmocka_unit_test(test_it_asks_again_and_not_for_ever),
        cmocka_unit_test(test_requests_of_the_server),
        cmocka_unit_test(test_noise_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
