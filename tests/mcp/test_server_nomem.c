/* A server, a peer and every kind of request survive the failure of any allocation: nothing is left
 * behind, and what goes out is whole messages. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/json.h"
#include "support/mcp_talk.h"
#include "support/nomem.h"

#define ENVELOPE                                                                                   \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                       \
    "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{}}}"

static const char *const lines[] = {
    "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
    "\"2025-03-26\",\"capabilities\":{\"elicitation\":{}},\"clientInfo\":{\"name\":\"c\","
    "\"version\":\"1\"}}}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
    "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"},{\"jsonrpc\":\"2.0\",\"id\":2,"
    "\"method\":\"tools/call\",\"params\":{\"name\":\"blocks\"}}]",
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"resources/"
    "subscribe\",\"params\":{\"uri\":\"x:a\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"later\","
    "\"_meta\":{\"progressToken\":1}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/"
    "call\",\"params\":{\"name\":\"consent\"," ENVELOPE "}}",
    "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"subscriptions/listen\",\"params\":{"
    "\"notifications\":{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"x:a\"]}," ENVELOPE
    "}}",
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"completion/"
    "complete\",\"params\":{\"ref\":{\"type\":"
    "\"ref/prompt\",\"name\":\"p\"},\"argument\":{\"name\":\"goal\",\"value\":\"o\"}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"resources/read\",\"params\":{\"uri\":\"x:b\"}}",
};

static void all_are_messages(struct str text)
{
    while (text.len > 0) {
        struct arena a;
        struct json v;
        size_t n = mgi_str_find(text, STR_LIT("\n"));
        mgi_arena_init(&a, 0);
        assert_int_equal(mgi_json_parse(&a, (struct str){ text.ptr, n }, NULL, &v, NULL), JSON_OK);
        mgi_arena_fini(&a);
        text = (struct str){ text.ptr + n + 1, text.len - n - 1 };
    }
}

static void converse(struct talk *t)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        talk_say(t, lines[i]);
    mgi_mcp_updated(t->peer, STR_LIT("x:a"));
    if (t->held)
        mgi_mcp_progress(t->held, 1, 2, STR_LIT("m"));
    mgi_mcp_drain(t->peer);
}

static void test_each_failure_leaves_nothing_behind(void **state)
{
    (void)state;
    size_t n = 1;
    for (;; n++) {
        struct talk t;
        struct buf out;
        nomem_fail_at(n);
        talk_init(&t);
        if (t.peer)
            converse(&t);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        out = t.out;
        if (t.peer && !out.oom)
            all_are_messages(mgi_buf_view(&out));
        talk_fini(&t);
        if (!failed)
            break;
    }
    assert_true(n > 40);
}

/* A client that was told that its handshake failed may send it again. */
static void test_a_handshake_that_failed_has_not_been(void **state)
{
    (void)state;
    size_t n = 1;
    for (bool failed = true; failed; n++) {
        struct talk t;
        talk_init(&t);
        nomem_fail_at(n);
        talk_say(&t, lines[0]);
        failed = nomem_failed();
        nomem_fail_at(0);
        t.out.oom = false; /* what the test itself could not keep */
        bool done = strstr(talk_heard(&t), "\"result\"") != NULL;
        assert_int_equal(mgi_mcp_peer_revision(t.peer) != MCP_NONE, done || t.unheard);
        talk_say(&t, lines[0]);
        if (!done && !t.unheard)
            assert_non_null(strstr(talk_heard(&t), "\"result\""));
        talk_fini(&t);
    }
    assert_true(n > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_failure_leaves_nothing_behind),
        cmocka_unit_test(test_a_handshake_that_failed_has_not_been),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
