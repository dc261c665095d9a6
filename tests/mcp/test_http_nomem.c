/* The endpoint survives the failure of any allocation: every request is answered, waits or streams,
 * and nothing is left behind. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "mcp/http.h"
#include "support/mcp_talk.h"
#include "support/nomem.h"

#define REQUESTS 7

struct trial {
    struct talk talk;
    struct mcp_http *http;
    char session[33];
    int answered[REQUESTS], opened[REQUESTS], ended[REQUESTS];
};

static void note_answer(void *context, void *tag, const struct mcp_response *r)
{
    struct trial *t = context;
    for (size_t i = 0; i < r->header_count; i++)
        if (str_is(r->headers[i].name, "Mcp-Session-Id"))
            memcpy(t->session, r->headers[i].value.ptr, 32);
    ++*(int *)tag;
}

static void note_open(void *context, void *tag, const struct mcp_response *r)
{
    (void)context;
    (void)r;
    ((int *)tag)[REQUESTS]++;
}

static void note_write(void *context, void *tag, struct str bytes)
{
    (void)context;
    (void)tag;
    assert_true(mgi_str_ends(bytes, STR_LIT("\n\n")));
}

static void note_end(void *context, void *tag)
{
    (void)context;
    ((int *)tag)[(ptrdiff_t)2 * REQUESTS]++;
}

static int64_t tell_time(void *context)
{
    struct trial *t = context;
    return t->talk.now_ms;
}

static bool fixed_bytes(void *context, void *bytes, size_t len)
{
    (void)context;
    memset(bytes, 7, len);
    return true;
}

#define META                                                                                       \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                       \
    "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{}}}"

static const struct {
    const char *method, *rpc_method, *name, *body;
} requests[REQUESTS] = {
    { "POST", NULL, NULL,
      "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
      "\"2025-03-26\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}" },
    { "POST", NULL, NULL, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}" },
    { "GET", NULL, NULL, "" },
    { "POST", NULL, NULL, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}]" },
    { "POST", "tools/call", "=?base64?Y29uc2VudA==?=",
      "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/"
      "call\",\"params\":{\"name\":\"consent\"," META "}}" },
    { "POST", "subscriptions/listen", NULL,
      "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"subscriptions/listen\",\"params\":{"
      "\"notifications\":{\"toolsListChanged\":true}," META "}}" },
    { "DELETE", NULL, NULL, "" },
};

static void send_request(struct trial *t, int i)
{
    struct mcp_header headers[8] = {
        { STR_LIT("Host"), STR_LIT("localhost") },
        { STR_LIT("Content-Type"), STR_LIT("application/json") },
        { STR_LIT("Accept"), STR_LIT("application/json, text/event-stream") },
    };
    struct mcp_request r = { .method = str_of(requests[i].method),
                             .headers = headers,
                             .header_count = 3,
                             .body = str_of(requests[i].body),
                             .principal = STR_LIT("ann"),
                             .tag = &t->answered[i] };
    if (requests[i].rpc_method) {
        headers[r.header_count++] =
            (struct mcp_header){ STR_LIT("MCP-Protocol-Version"), STR_LIT("2026-07-28") };
        headers[r.header_count++] =
            (struct mcp_header){ STR_LIT("Mcp-Method"), str_of(requests[i].rpc_method) };
    } else if (t->session[0]) {
        headers[r.header_count++] =
            (struct mcp_header){ STR_LIT("Mcp-Session-Id"), str_of(t->session) };
    }
    if (requests[i].name)
        headers[r.header_count++] =
            (struct mcp_header){ STR_LIT("Mcp-Name"), str_of(requests[i].name) };
    mgi_mcp_http_request(t->http, &r);
}

static void test_each_failure_answers_and_leaves_nothing(void **state)
{
    (void)state;
    size_t n = 1;
    for (;; n++) {
        struct trial t = { 0 };
        struct mcp_http_options o = {
            .out = { &t, note_answer, note_open, note_write, note_end, tell_time, fixed_bytes },
        };
        talk_init(&t.talk);
        t.talk.drops = true;
        nomem_fail_at(n);
        t.http = mgi_mcp_http_new(t.talk.server, &o);
        for (int i = 0; t.http && i < REQUESTS; i++)
            send_request(&t, i);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        for (int i = 0; t.http && i < REQUESTS; i++) {
            assert_int_equal(t.answered[i] + t.opened[i], 1);
            assert_true(t.ended[i] <= t.opened[i]);
        }
        assert_true(t.http || failed);
        mgi_mcp_http_free(t.http);
        talk_fini(&t.talk);
        if (!failed)
            break;
    }
    assert_true(n > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_failure_answers_and_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
