/* The endpoint: statuses, sessions, mirrored headers, streams. A listener that only writes down. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "mcp/http.h"
#include "mcp/param_headers.h"
#include "support/mcp_talk.h"

struct site {
    struct talk talk; /* its server and its tools alone */
    struct mcp_http *http;
    struct buf log; /* what went out */
    char session[64];
    uint8_t next_random;
    const char *principal;
    int64_t until_ms; /* of the requests' credential; 0: for good */
};

static void put_head(struct site *s, const struct mcp_response *r)
{
    mgi_buf_printf(&s->log, "%d", r->status);
    for (size_t i = 0; i < r->header_count; i++) {
        const struct mcp_header *h = &r->headers[i];
        if (str_is(h->name, "Mcp-Session-Id")) {
            snprintf(s->session, sizeof s->session, "%.*s", STR_ARG(h->value));
            mgi_buf_puts(&s->log, " session");
        } else if (str_is(h->name, "Allow")) {
            mgi_buf_printf(&s->log, " allow=%.*s", STR_ARG(h->value));
        } else if (str_is(h->value, "text/event-stream")) {
            mgi_buf_puts(&s->log, " stream");
        }
    }
}

static void put_answer(void *context, void *tag, const struct mcp_response *r)
{
    struct site *s = context;
    (void)tag;
    put_head(s, r);
    mgi_buf_printf(&s->log, "%s%.*s\n", r->body.len ? " " : "", STR_ARG(r->body));
}

static void put_open(void *context, void *tag, const struct mcp_response *r)
{
    struct site *s = context;
    (void)tag;
    put_head(s, r);
    mgi_buf_putc(&s->log, '\n');
}

static void put_bytes(void *context, void *tag, struct str bytes)
{
    struct site *s = context;
    (void)tag;
    mgi_buf_str(&s->log, mgi_str_trim(bytes, "\n"));
    mgi_buf_putc(&s->log, '\n');
}

static void put_end(void *context, void *tag)
{
    struct site *s = context;
    (void)tag;
    mgi_buf_puts(&s->log, "end\n");
}

static int64_t tell_time(void *context)
{
    struct site *s = context;
    return s->talk.now_ms;
}

static bool count_up(void *context, void *bytes, size_t len)
{
    struct site *s = context;
    memset(bytes, ++s->next_random, len);
    return true;
}

static void open_site(struct site *s)
{
    memset(s, 0, sizeof *s);
    talk_init(&s->talk);
    s->talk.drops = true;
    static const char *const hosts[] = { "tools.example" };
    static const char *const origins[] = { "https://app.example" };
    struct mcp_http_options o = {
        .out = { s, put_answer, put_open, put_bytes, put_end, tell_time, count_up },
        .hosts = hosts,
        .host_count = 1,
        .origins = origins,
        .origin_count = 1,
    };
    s->http = mgi_mcp_http_new(s->talk.server, &o);
    assert_non_null(s->http);
}

static void close_site(struct site *s)
{
    mgi_mcp_http_free(s->http);
    talk_fini(&s->talk);
    mgi_buf_fini(&s->log);
}

/* ---- requests ------------------------------------------------------------------------------- */

/* `more`: headers, "Name: value" a line; one that is there takes the place of the usual one. */
static void send_tagged(struct site *s, const char *method, const char *more, const char *body,
                        void *tag)
{
    struct mcp_header headers[20];
    size_t count = 0;
    struct str rest = str_of(more);
    while (rest.len > 0) {
        size_t n = mgi_str_find(rest, STR_LIT("\n")), colon = mgi_str_find(rest, STR_LIT(":"));
        n = n == SIZE_MAX ? rest.len : n;
        struct str value = { rest.ptr + colon + 1, n - colon - 1 };
        headers[count++] = (struct mcp_header){ { rest.ptr, colon }, mgi_str_trim(value, " ") };
        n += n < rest.len;
        rest = (struct str){ rest.ptr + n, rest.len - n };
    }
    if (!strstr(more, "Host:"))
        headers[count++] = (struct mcp_header){ STR_LIT("host"), STR_LIT("localhost:81") };
    if (!strstr(more, "Content-Type:"))
        headers[count++] =
            (struct mcp_header){ STR_LIT("content-type"), STR_LIT("application/json; charset=x") };
    if (!strstr(more, "Accept:"))
        headers[count++] = (struct mcp_header){ STR_LIT("Accept"),
                                                STR_LIT("application/json, text/event-stream") };
    struct mcp_request r = { .method = str_of(method),
                             .headers = headers,
                             .header_count = count,
                             .body = str_of(body),
                             .principal = str_of(s->principal),
                             .until_ms = s->until_ms,
                             .tag = tag };
    mgi_mcp_http_request(s->http, &r);
}

static const char *heard(struct site *s)
{
    mgi_buf_clear(&s->talk.actual);
    mgi_buf_str(&s->talk.actual, mgi_buf_view(&s->log));
    mgi_buf_clear(&s->log);
    return mgi_buf_view(&s->talk.actual).ptr;
}

static void sends(struct site *s, const char *method, const char *more, const char *body,
                  const char *expected)
{
    send_tagged(s, method, more, body, NULL);
    const char *got = heard(s);
    if (strncmp(got, expected, strlen(expected)) != 0)
        print_error("%s\n%s\n%s\n", method, more, body);
    assert_int_equal(strncmp(got, expected, strlen(expected)), 0);
}

#define INIT(version)                                                                              \
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"     \
    "\"" version                                                                                   \
    "\",\"capabilities\":{\"elicitation\":{}},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}"
#define PING "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}"
#define META                                                                                       \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                       \
    "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{}}}"
#define MODERN(method, params)                                                                     \
    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"" method "\",\"params\":{" params META "}}"
#define HEAD(method)       "MCP-Protocol-Version: 2026-07-28\nMcp-Method: " method
#define CALL(method, name) HEAD(method) "\nMcp-Name: " name

static const char *with_session(struct site *s, const char *more)
{
    static char text[200];
    snprintf(text, sizeof text, "Mcp-Session-Id: %s%s%s", s->session, *more ? "\n" : "", more);
    return text;
}

/* ---- tests ---------------------------------------------------------------------------------- */

/* X-HTTP-3, X-HTTP-4, X-HTTP-5, X-HTTP-6, X-HTTP-24 */
static void test_heads_are_judged_first(void **state)
{
    (void)state;
    struct site s;
    open_site(&s);
    sends(&s, "POST", "Host: evil.example", PING, "403 ");
    sends(&s, "POST", "Host: localhost.evil.example", PING, "403 ");
    sends(&s, "POST", "Host: localhost:x", PING, "403 ");
    sends(&s, "POST", "Origin: http://evil.example", PING, "403 ");
    sends(&s, "POST", "Origin: null", PING, "403 ");
    sends(&s, "POST", "Origin: http://localhost:3\nMcp-Session-Id: x", PING, "404 ");
    sends(&s, "POST", "Host: tools.example\nOrigin: https://app.example", PING, "400 ");
    sends(&s, "POST", "Host: [::1]:80", PING, "400 ");
    sends(&s, "PUT", "", "", "405 allow=POST ");
    sends(&s, "GET", "MCP-Protocol-Version: 2026-07-28", "", "405 allow=POST ");
    sends(&s, "POST", "Content-Type: text/plain", PING, "415 ");
    sends(&s, "POST", "Accept: text/html", PING, "406 ");
    const char *why, *allow;
    struct mcp_header headers[] = { { STR_LIT("Host"), STR_LIT("localhost") },
                                    { STR_LIT("Content-Type"), STR_LIT("application/json") } };
    struct mcp_request r = { .method = STR_LIT("POST"), .headers = headers, .header_count = 2 };
    assert_int_equal(mgi_mcp_http_judge(s.http, &r, MCP_MESSAGE_BYTES + 1, &why, &allow), 413);
    assert_int_equal(mgi_mcp_http_judge(s.http, &r, 5, &why, &allow), 0);
    static char long_one[MCP_HTTP_HEAD_BYTES];
    memset(long_one, 'x', sizeof long_one);
    headers[1].value = (struct str){ long_one, sizeof long_one };
    assert_int_equal(mgi_mcp_http_judge(s.http, &r, 5, &why, &allow), 431);
    close_site(&s);
}

/* X-HTTP-2, X-HTTP-14, X-HTTP-15, X-HTTP-16, X-HTTP-17, X-HTTP-23, X-INIT-5 */
static void test_a_session_lives_from_initialize_to_delete(void **state)
{
    (void)state;
    struct site s;
    open_site(&s);
    sends(&s, "POST", "", PING, "400 ");
    sends(&s, "POST", "Mcp-Session-Id: none", PING, "404 ");
    sends(&s, "POST", "", "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\"}", "200 {");
    assert_int_equal(mgi_mcp_http_sessions(s.http), 0); /* a handshake that failed */
    sends(&s, "POST", "MCP-Protocol-Version: 2025-11-25", INIT("2025-11-25"), "200 session {");
    assert_int_equal(mgi_mcp_http_sessions(s.http), 1);
    assert_int_equal(strlen(s.session), 32);
    sends(&s, "POST", with_session(&s, ""),
          "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", "202\n");
    sends(&s, "POST", with_session(&s, ""), PING,
          "200 session {\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}");
    sends(&s, "POST", with_session(&s, "MCP-Protocol-Version: 2025-11-25"), PING, "200 ");
    sends(&s, "POST", with_session(&s, "MCP-Protocol-Version: 2025-06-18"), PING, "400 ");
    sends(&s, "POST", with_session(&s, "MCP-Protocol-Version: 1900-01-01"), PING, "400 ");
    sends(&s, "POST", with_session(&s, ""), INIT("2025-11-25"), "400 ");
    sends(&s, "POST", with_session(&s, ""), "[" PING "]", "400 ");
    sends(&s, "POST", with_session(&s, ""), "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}",
          "202\n");
    s.principal = "somebody else";
    sends(&s, "POST", with_session(&s, ""), PING, "404 ");
    sends(&s, "DELETE", with_session(&s, ""), "", "404 ");
    s.principal = NULL;
    sends(&s, "DELETE", "", "", "400 ");
    sends(&s, "DELETE", with_session(&s, ""), "", "204\n");
    sends(&s, "POST", with_session(&s, ""), PING, "404 ");
    assert_int_equal(mgi_mcp_http_sessions(s.http), 0);
    close_site(&s);
}

/* X-RPC-9, X-RPC-11: r2's batches, and what is no message */
static void test_batches_are_answered_in_r2_alone(void **state)
{
    (void)state;
    struct site s;
    open_site(&s);
    sends(&s, "POST", "", "[" PING "]", "400 ");
    sends(&s, "POST", "", "{", "400 {\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700");
    sends(&s, "POST", "", "{\"id\":3}", "400 {\"jsonrpc\":\"2.0\",\"id\":3,");
    sends(&s, "POST", "", INIT("2025-03-26"), "200 session {");
    sends(&s, "POST", with_session(&s, ""), "[" PING "]", "200 session [{");
    sends(&s, "POST", with_session(&s, ""), "[]", "400 ");
    close_site(&s);
}

/* X-HTTP-18, X-HTTP-19, X-HTTP-22, X-HTTP-31, X-ELIC-9 */
static void test_a_question_opens_a_stream(void **state)
{
    (void)state;
    struct site s;
    open_site(&s);
    sends(&s, "POST", "", INIT("2025-11-25"), "200 session {");
    sends(&s, "POST", with_session(&s, ""),
          "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", "202\n");
    static const char call[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
                               "\"params\":{\"name\":\"consent\"}}";
    sends(&s, "POST", with_session(&s, ""), call,
          "200 stream session\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":"
          "\"elicitation/create\"");
    sends(
        &s, "POST", with_session(&s, ""),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\"}}",
        "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
        "\"1 st-1\"}],\"isError\":false}}\nend\n202\n");
    /* A client that reads no stream cannot be asked (X-HTTP-6). */
    sends(&s, "POST", with_session(&s, "Accept: */*"), call,
          "200 session {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\","
          "\"text\":\"nobody to ask\"");
    sends(&s, "GET", with_session(&s, "Accept: application/json"), "", "406 ");
    sends(&s, "GET", with_session(&s, ""), "", "200 stream session\n:\n");
    sends(&s, "GET", with_session(&s, ""), "", "409 ");
    struct mcp_server *more = talk_server(&s.talk, true);
    mgi_mcp_http_serve(s.http, more);
    mgi_mcp_server_unref(more);
    assert_string_equal(heard(&s), "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/"
                                   "list_changed\"}\n");
    close_site(&s);
}

/* X-HTTP-33, X-CANCEL-3: the end of a stream cancels in r5, and not before */
static void test_who_goes_cancels_in_r5_alone(void **state)
{
    (void)state;
    struct site s;
    int one, two;
    open_site(&s);
    send_tagged(&s, "POST", CALL("tools/call", "later"),
                MODERN("tools/call", "\"name\":\"later\","), &one);
    assert_string_equal(heard(&s), "");
    assert_int_equal(mgi_mcp_http_open(s.http), 1);
    mgi_mcp_http_gone(s.http, &one);
    assert_int_equal(s.talk.cancelled, 1);
    assert_int_equal(mgi_mcp_http_open(s.http), 0);
    sends(&s, "POST", "", INIT("2025-11-25"), "200 session {");
    send_tagged(&s, "POST", with_session(&s, ""),
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
                "\"later\"}}",
                &two);
    mgi_mcp_http_gone(s.http, &two);
    assert_int_equal(s.talk.cancelled, 1);
    mgi_mcp_answer_text(s.talk.held, STR_LIT("done"), false);
    s.talk.held = NULL;
    assert_string_equal(heard(&s), "");
    close_site(&s);
}

static bool stays(void *context, void *tag)
{
    return tag != context;
}

static bool is_ann(void *context, struct str principal)
{
    (void)context;
    return str_is(principal, "ann");
}

#define LATER                                                                                      \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"later\"}}"

/* X-HTTP-23: what came with a credential that is withdrawn ends in every revision; a session, when
 * its principal has none left */
static void test_a_withdrawn_credential_ends_what_came_with_it(void **state)
{
    (void)state;
    struct site s;
    int one, two;
    open_site(&s);
    s.principal = "ann";
    sends(&s, "POST", "", INIT("2025-11-25"), "200 session {");
    send_tagged(&s, "POST", with_session(&s, ""), LATER, &one);
    struct mcp_sieve sieve = { .context = &two, .stays = stays, .is_known = is_ann };
    mgi_mcp_http_sift(s.http, &sieve);
    assert_string_equal(heard(&s), "");
    assert_int_equal(mgi_mcp_http_open(s.http), 1);
    sieve.context = &one;
    mgi_mcp_http_sift(s.http, &sieve);
    assert_int_equal(strncmp(heard(&s), "401 {", 5), 0);
    assert_int_equal(s.talk.cancelled, 1);
    assert_int_equal(mgi_mcp_http_open(s.http), 0);
    sends(&s, "POST", with_session(&s, ""), PING, "200 session {");
    s.principal = "bob";
    sends(&s, "POST", "", INIT("2025-11-25"), "200 session {");
    send_tagged(&s, "GET", with_session(&s, ""), "", &two);
    assert_string_equal(heard(&s), "200 stream session\n:\n");
    mgi_mcp_http_sift(s.http, &sieve);
    assert_string_equal(heard(&s), "end\n");
    assert_int_equal(mgi_mcp_http_sessions(s.http), 1);
    sends(&s, "POST", with_session(&s, ""), PING, "404 ");
    close_site(&s);
}

/* X-HTTP-23: a stream does not outlive the credential that it was asked for with */
static void test_a_stream_ends_when_its_credential_runs_out(void **state)
{
    (void)state;
    struct site s;
    int one, two;
    open_site(&s);
    sends(&s, "POST", "", INIT("2025-11-25"), "200 session {");
    s.until_ms = s.talk.now_ms + 2000;
    send_tagged(&s, "GET", with_session(&s, ""), "", &one);
    assert_string_equal(heard(&s), "200 stream session\n:\n");
    send_tagged(&s, "POST", CALL("tools/call", "later"),
                MODERN("tools/call", "\"name\":\"later\","), &two);
    assert_true(mgi_mcp_http_next_tick(s.http) <= s.until_ms);
    s.talk.now_ms = s.until_ms - 1;
    mgi_mcp_http_tick(s.http);
    assert_int_equal(mgi_mcp_http_open(s.http), 2);
    assert_string_equal(heard(&s), "");
    s.talk.now_ms = s.until_ms;
    mgi_mcp_http_tick(s.http);
    assert_int_equal(mgi_mcp_http_open(s.http), 0);
    assert_int_equal(s.talk.cancelled, 1);
    const char *got = heard(&s);
    assert_non_null(strstr(got, "end\n"));
    assert_non_null(strstr(got, "401 {"));
    close_site(&s);
}

/* X-HTTP-25 to X-HTTP-29, X-HTTP-32, X-COMPAT-2, X-META-5, X-DISC-3 */
static void test_r5_is_checked_in_order(void **state)
{
    (void)state;
    struct site s;
    open_site(&s);
    sends(&s, "POST", HEAD("server/discover"), MODERN("server/discover", ""), "200 {");
    sends(&s, "POST", HEAD("server/discover"), MODERN("tools/list", ""),
          "400 {\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-32020");
    sends(&s, "POST", "Mcp-Method: tools/list", MODERN("tools/list", ""),
          "400 {\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-32020");
    sends(&s, "POST", "MCP-Protocol-Version: 2025-11-25\nMcp-Method: tools/list",
          MODERN("tools/list", ""), "400 {\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-32020");
    sends(&s, "POST", "MCP-Protocol-Version: 2026-07-28", MODERN("tools/list", ""),
          "400 {\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-32020");
    sends(&s, "POST", HEAD("tools/list"),
          "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/list\",\"params\":{}}",
          "400 {\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-32602");
    sends(&s, "POST", HEAD("tools/list"),
          "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
          "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}",
          "400 {\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-32602");
    sends(&s, "POST", "MCP-Protocol-Version: v999.0.0\nMcp-Method: tools/list",
          "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
          "\"io.modelcontextprotocol/protocolVersion\":\"v999.0.0\","
          "\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
          "400 {\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-32022");
    sends(&s, "POST", HEAD("nope"), MODERN("nope", ""),
          "404 {\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-32601");
    sends(&s, "POST", HEAD("initialize"), MODERN("initialize", ""), "404 {");
    sends(&s, "POST", HEAD("ping"), MODERN("ping", ""), "404 {");
    sends(&s, "POST", "MCP-Protocol-Version: 2026-07-28", INIT("2025-11-25"),
          "400 {\"jsonrpc\":\"2.0\",\"id\":0,\"error\":{\"code\":-32020");
    sends(&s, "POST", CALL("tools/call", "echo"), MODERN("tools/call", "\"name\":\"echo\","),
          "200 {");
    sends(&s, "POST", CALL("tools/call", "=?base64?ZWNobw==?="),
          MODERN("tools/call", "\"name\":\"echo\","), "200 {");
    sends(&s, "POST", CALL("tools/call", "=?base64?ZWNobw=?="),
          MODERN("tools/call", "\"name\":\"echo\","), "400 ");
    sends(&s, "POST", CALL("tools/call", "Echo"), MODERN("tools/call", "\"name\":\"echo\","),
          "400 ");
    sends(&s, "POST", HEAD("tools/call"), MODERN("tools/call", "\"name\":\"echo\","), "400 ");
    sends(&s, "POST", CALL("tools/call", "none"), MODERN("tools/call", "\"name\":\"none\","),
          "200 {\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-32602");
    sends(&s, "POST", CALL("resources/read", "x:b"), MODERN("resources/read", "\"uri\":\"x:b\","),
          "200 {\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-32602");
    sends(&s, "POST", CALL("tools/call", "sampling"),
          MODERN("tools/call", "\"name\":\"sampling\","),
          "400 {\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-32021");
    sends(&s, "POST", "MCP-Protocol-Version: 2026-07-28",
          "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":{" META "}}", "202\n");
    assert_int_equal(mgi_mcp_http_open(s.http), 0);
    close_site(&s);
}

/* X-SUB-1, X-SUB-5, X-SUB-6, X-HTTP-12, X-HTTP-13, X-HTTP-30 */
static void test_a_subscription_is_a_stream(void **state)
{
    (void)state;
    struct site s;
    open_site(&s);
    sends(&s, "POST", HEAD("subscriptions/listen"),
          MODERN("subscriptions/listen", "\"notifications\":{\"toolsListChanged\":true},"),
          "200 stream\ndata: {\"jsonrpc\":\"2.0\",\"method\":"
          "\"notifications/subscriptions/acknowledged\"");
    s.talk.now_ms += MCP_HTTP_ALIVE_MS;
    assert_int_equal(mgi_mcp_http_next_tick(s.http), s.talk.now_ms);
    mgi_mcp_http_tick(s.http);
    assert_string_equal(heard(&s), ":\n");
    sends(&s, "POST", HEAD("subscriptions/listen"),
          MODERN("subscriptions/listen", "\"notifications\":{},"), "200 stream\ndata: ");
    assert_int_equal(mgi_mcp_http_open(s.http), 1); /* that one ended by itself */
    sends(&s, "POST", HEAD("subscriptions/listen") "\nAccept: application/json",
          MODERN("subscriptions/listen", "\"notifications\":{},"), "406 ");
    mgi_mcp_http_drain(s.http);
    const char *last = heard(&s);
    assert_non_null(strstr(last, "\"resultType\":\"complete\""));
    assert_non_null(strstr(last, "\nend\n"));
    assert_int_equal(mgi_mcp_http_open(s.http), 0);
    sends(&s, "POST", HEAD("tools/list"), MODERN("tools/list", ""), "503 ");
    close_site(&s);
}

/* X-HTTP-31: a slow answer becomes a stream, for who reads one */
static void test_a_slow_answer_becomes_a_stream(void **state)
{
    (void)state;
    struct site s;
    open_site(&s);
    sends(&s, "POST", CALL("tools/call", "later"), MODERN("tools/call", "\"name\":\"later\","), "");
    s.talk.now_ms += MCP_HTTP_LATE_MS;
    mgi_mcp_http_tick(s.http);
    assert_string_equal(heard(&s), "200 stream\n:\n");
    mgi_mcp_answer_text(s.talk.held, STR_LIT("done"), false);
    s.talk.held = NULL;
    const char *end = heard(&s);
    assert_int_equal(strncmp(end, "data: {", 7), 0);
    assert_non_null(strstr(end, "\nend\n"));
    close_site(&s);
}

/* X-HTTP-7 */
static void test_sessions_and_streams_are_bounded(void **state)
{
    (void)state;
    struct site s;
    open_site(&s);
    for (int i = 0; i < MCP_HTTP_PRINCIPAL_SESSIONS; i++)
        sends(&s, "POST", "", INIT("2025-11-25"), "200 session {");
    sends(&s, "POST", "", INIT("2025-11-25"), "429 ");
    char call[200];
    for (int i = 0; i <= MCP_HTTP_SESSION_STREAMS; i++) {
        snprintf(call, sizeof call,
                 "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":"
                 "\"later\"}}",
                 i);
        sends(&s, "POST", with_session(&s, ""), call, i < MCP_HTTP_SESSION_STREAMS ? "" : "429 ");
    }
    mgi_mcp_http_free(s.http);
    s.http = NULL;
    close_site(&s);
    open_site(&s);
    sends(&s, "POST", "", INIT("2025-11-25"), "200 session {");
    s.talk.now_ms += MCP_HTTP_IDLE_MS;
    mgi_mcp_http_tick(s.http);
    assert_int_equal(mgi_mcp_http_sessions(s.http), 0);
    close_site(&s);
}

/* X-RPC-12: what a request that waits is waiting for still gets through, however many wait */
static void test_a_full_session_hears_cancellations_and_answers(void **state)
{
    (void)state;
    struct site s;
    char text[200];
    open_site(&s);
    sends(&s, "POST", "", INIT("2025-11-25"), "200 session {");
    for (int i = 0; i < MCP_HTTP_SESSION_STREAMS; i++) {
        snprintf(text, sizeof text,
                 "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":"
                 "\"later\"}}",
                 i + 1);
        sends(&s, "POST", with_session(&s, ""), text, "");
    }
    sends(&s, "POST", with_session(&s, ""), PING, "429 {\"jsonrpc\":\"2.0\",\"id\":0,");
    sends(&s, "POST", with_session(&s, ""), "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}",
          "202\n");
    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{"
             "\"requestId\":%d}}",
             MCP_HTTP_SESSION_STREAMS);
    sends(&s, "POST", with_session(&s, ""), text, "202\n202\n"); /* its own, and that of the call */
    sends(&s, "POST", with_session(&s, ""), PING, "200 ");
    close_site(&s);
}

/* X-RPC-5: an answer to a question of ours has our id, which says nothing to its sender */
static void test_what_is_wrong_with_an_answer_is_told_without_its_id(void **state)
{
    (void)state;
    struct site s;
    open_site(&s);
    sends(&s, "POST", "Mcp-Session-Id: none", "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}",
          "404 {\"jsonrpc\":\"2.0\",\"error\":");
    sends(&s, "POST", "", "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}",
          "400 {\"jsonrpc\":\"2.0\",\"error\":");
    close_site(&s);
}

/* X-HTTP-7: the half hour begins when its last stream has ended */
static void test_a_session_that_was_listened_to_is_not_idle(void **state)
{
    (void)state;
    struct site s;
    int stream;
    open_site(&s);
    sends(&s, "POST", "", INIT("2025-11-25"), "200 session {");
    send_tagged(&s, "GET", with_session(&s, ""), "", &stream);
    s.talk.now_ms += 2 * (int64_t)MCP_HTTP_IDLE_MS;
    mgi_mcp_http_tick(s.http);
    mgi_mcp_http_gone(s.http, &stream);
    mgi_mcp_http_tick(s.http);
    assert_int_equal(mgi_mcp_http_sessions(s.http), 1);
    s.talk.now_ms += MCP_HTTP_IDLE_MS;
    mgi_mcp_http_tick(s.http);
    assert_int_equal(mgi_mcp_http_sessions(s.http), 0);
    close_site(&s);
}

/* X-HTTP-7: one principal does not take the places of all */
static void test_a_principal_has_so_many_requests_open(void **state)
{
    (void)state;
    struct site s;
    static char tags[MCP_HTTP_PRINCIPAL_EXCHANGES];
    open_site(&s);
    s.principal = "ann";
    for (int i = 0; i < MCP_HTTP_PRINCIPAL_EXCHANGES; i++)
        send_tagged(&s, "POST", CALL("tools/call", "later"),
                    MODERN("tools/call", "\"name\":\"later\","), &tags[i]);
    assert_string_equal(heard(&s), "");
    sends(&s, "POST", HEAD("tools/list"), MODERN("tools/list", ""), "429 ");
    s.principal = "ben";
    sends(&s, "POST", HEAD("tools/list"), MODERN("tools/list", ""), "200 ");
    s.principal = "ann";
    mgi_mcp_http_gone(s.http, &tags[7]);
    sends(&s, "POST", HEAD("tools/list"), MODERN("tools/list", ""), "200 ");
    close_site(&s);
}

/* What legacy sessions hold open is theirs, and does not close the door to r5. */
static void test_legacy_requests_do_not_count_as_r5s(void **state)
{
    (void)state;
    struct site s;
    char text[200], name[16];
    open_site(&s);
    s.principal = name;
    for (int i = 0; i < 2 * MCP_HTTP_EXCHANGES; i++) {
        snprintf(name, sizeof name, "p%d", i / MCP_HTTP_SESSION_STREAMS);
        if (i % MCP_HTTP_SESSION_STREAMS == 0)
            sends(&s, "POST", "", INIT("2025-11-25"), "200 session {");
        snprintf(text, sizeof text,
                 "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":"
                 "\"later\"}}",
                 i);
        sends(&s, "POST", with_session(&s, ""), text, "");
    }
    sends(&s, "POST", HEAD("tools/list"), MODERN("tools/list", ""), "200 ");
    close_site(&s);
}

/* Who posts 10 MiB and waits holds them; all together hold MCP_HTTP_HELD_BYTES at most. */
static void test_what_waits_is_bounded_in_bytes(void **state)
{
    (void)state;
    struct site s;
    char name[16];
    static char tags[64];
    struct buf body = { 0 };
    int taken = 0;
    mgi_buf_puts(&body,
                 "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":"
                 "\"later\",\"x\":\"");
    while (body.len < MCP_MESSAGE_BYTES - 400)
        mgi_buf_putc(&body, 'x');
    mgi_buf_puts(&body, "\"," META "}}");
    open_site(&s);
    s.principal = name;
    for (; taken < 64; taken++) {
        snprintf(name, sizeof name, "p%d", taken);
        send_tagged(&s, "POST", CALL("tools/call", "later"), body.ptr, &tags[taken]);
        if (*heard(&s))
            break;
    }
    assert_in_range(taken, 2, MCP_HTTP_HELD_BYTES / MCP_MESSAGE_BYTES + 1);
    sends(&s, "POST", HEAD("tools/list"), MODERN("tools/list", ""), "200 "); /* a small one */
    mgi_mcp_http_gone(s.http, &tags[0]);
    send_tagged(&s, "POST", CALL("tools/call", "later"), body.ptr, &tags[taken]);
    assert_string_equal(heard(&s), "");
    close_site(&s);
    mgi_buf_fini(&body);
}

static void run_nothing(void *context, struct mcp_call *c)
{
    (void)context;
    mgi_mcp_answer_text(c, STR_LIT("ok"), false);
}

/* X-HTTP-36, X-HTTP-38, X-HTTP-39 */
static void test_arguments_are_compared_with_their_headers(void **state)
{
    (void)state;
    struct site s;
    struct mcp_tool tool = {
        .name = STR_LIT("t"),
        .input_schema = STR_LIT(
            "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":"
            "\"A\"},\"o\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\","
            "\"x-mcp-header\":\"N\"}}},\"b\":{\"type\":\"boolean\",\"x-mcp-header\":\"B\"}}}")
    };
    struct mcp_description d = { .self = { STR_LIT("s"), STR_LIT("1"), { 0 } },
                                 .tools = &tool,
                                 .tool_count = 1,
                                 .handlers = { .tool = run_nothing } };
    static const struct {
        const char *arguments, *headers;
        bool fine;
    } rows[] = {
        { "{}", "", true },
        { "{\"a\":null}", "", true },
        { "{\"a\":\"x\"}", "", false },
        { "{\"a\":\"x\"}", "\nmcp-param-a: x", true },
        { "{\"a\":\"x\"}", "\nMcp-Param-A: X", false },
        { "{\"a\":\"\"}", "\nMcp-Param-A:", true },
        { "{\"a\":\" \"}", "\nMcp-Param-A: =?base64?IA==?=", true },
        { "{\"a\":\"x\"}", "\nMcp-Param-A: =?base64?eA?=", false },
        { "{\"a\":\"x\"}", "\nMcp-Param-A: x\nMcp-Param-A: x", false },
        { "{}", "\nMcp-Param-A: x", false },
        { "{\"o\":{\"n\":42}}", "\nMcp-Param-N: 42.0", true },
        { "{\"o\":{\"n\":42}}", "\nMcp-Param-N: 43", false },
        { "{\"o\":7}", "", true },
        { "{\"b\":true}", "\nMcp-Param-B: true", true },
        { "{\"b\":true}", "\nMcp-Param-B: True", false },
    };
    open_site(&s);
    struct mcp_server *server = mgi_mcp_server_new(&d, NULL);
    assert_non_null(server);
    mgi_mcp_http_serve(s.http, server);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char head[300], body[500];
        snprintf(head, sizeof head, CALL("tools/call", "t") "%s", rows[i].headers);
        snprintf(body, sizeof body, MODERN("tools/call", "\"name\":\"t\",\"arguments\":%s,"),
                 rows[i].arguments);
        sends(&s, "POST", head, body,
              rows[i].fine ? "200 {\"jsonrpc\":\"2.0\",\"id\":4,\"result\""
                           : "400 {\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-32020");
    }
    mgi_mcp_server_unref(server);
    close_site(&s);
}

/* X-HTTP-7 */
static void test_the_endpoint_as_a_whole_is_bounded(void **state)
{
    (void)state;
    struct site s;
    char name[16];
    open_site(&s);
    s.principal = name;
    for (int i = 0; i < MCP_HTTP_SESSIONS; i++) {
        snprintf(name, sizeof name, "p%d", i / MCP_HTTP_PRINCIPAL_SESSIONS);
        sends(&s, "POST", "", INIT("2025-11-25"), "200 session {");
    }
    snprintf(name, sizeof name, "one more");
    sends(&s, "POST", "", INIT("2025-11-25"), "503 ");
    static char tags[MCP_HTTP_EXCHANGES];
    for (int i = 0; i < MCP_HTTP_EXCHANGES; i++) {
        snprintf(name, sizeof name, "p%d", i / MCP_HTTP_PRINCIPAL_EXCHANGES);
        send_tagged(&s, "POST", CALL("tools/call", "later"),
                    MODERN("tools/call", "\"name\":\"later\","), &tags[i]);
    }
    assert_string_equal(heard(&s), "");
    assert_int_equal(mgi_mcp_http_open(s.http), MCP_HTTP_EXCHANGES);
    sends(&s, "POST", HEAD("tools/list"), MODERN("tools/list", ""), "503 ");
    close_site(&s);
}

/* X-HTTP-38, X-HTTP-39 */
static void test_values_of_headers_come_back(void **state)
{
    (void)state;
    static const struct {
        const char *value, *header;
    } rows[] = {
        { "eu-1", "eu-1" },
        { "", "" },
        { "a b", "a b" },
        { " a", "=?base64?IGE=?=" },
        { "a ", "=?base64?YSA=?=" },
        { "a\tb", "=?base64?YQli?=" },
        { "mem\xc3\xb3ria", "=?base64?bWVtw7NyaWE=?=" },
        { "=?base64?x?=", "=?base64?PT9iYXNlNjQ/eD89?=" },
        { "=?base64?x", "=?base64?x" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf out = { 0 }, back = { 0 };
        mgi_mcp_header_encode(&out, str_of(rows[i].value));
        assert_true(str_is(mgi_buf_view(&out), rows[i].header));
        assert_true(mgi_mcp_header_decode(&back, mgi_buf_view(&out)));
        assert_true(str_is(mgi_buf_view(&back), rows[i].value));
        mgi_buf_fini(&out);
        mgi_buf_fini(&back);
    }
    static const char *const bad[] = { "=?base64?YQ?=", "=?base64?YR==?=", "=?base64?_w==?=",
                                       "=?base64?/w==?=", "=?base64?YQ= =?=" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct buf back = { 0 };
        assert_false(mgi_mcp_header_decode(&back, str_of(bad[i])));
        mgi_buf_fini(&back);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heads_are_judged_first),
        cmocka_unit_test(test_a_session_lives_from_initialize_to_delete),
        cmocka_unit_test(test_batches_are_answered_in_r2_alone),
        cmocka_unit_test(test_a_question_opens_a_stream),
        cmocka_unit_test(test_who_goes_cancels_in_r5_alone),
        cmocka_unit_test(test_a_withdrawn_credential_ends_what_came_with_it),
        cmocka_unit_test(test_a_stream_ends_when_its_credential_runs_out),
        cmocka_unit_test(test_r5_is_checked_in_order),
        cmocka_unit_test(test_a_subscription_is_a_stream),
        cmocka_unit_test(test_a_slow_answer_becomes_a_stream),
        cmocka_unit_test(test_sessions_and_streams_are_bounded),
        cmocka_unit_test(test_the_endpoint_as_a_whole_is_bounded),
        cmocka_unit_test(test_a_full_session_hears_cancellations_and_answers),
        cmocka_unit_test(test_what_is_wrong_with_an_answer_is_told_without_its_id),
        cmocka_unit_test(test_a_session_that_was_listened_to_is_not_idle),
        cmocka_unit_test(test_a_principal_has_so_many_requests_open),
        cmocka_unit_test(test_legacy_requests_do_not_count_as_r5s),
        cmocka_unit_test(test_what_waits_is_bounded_in_bytes),
        cmocka_unit_test(test_arguments_are_compared_with_their_headers),
        cmocka_unit_test(test_values_of_headers_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
