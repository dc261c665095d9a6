/* A direct bridge survives the failure of any allocation: its list is made or not, whole; without a
 * server behind it each request gets one answer or, for want of memory, none, and it ends. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "bridge/bridge.h"
#include "bridge/direct_case.h"
#include "support/nomem.h"

static const char answer[] =
    DIRECT_ANSWER(DIRECT_TOOL("a-1", "a", "") "," DIRECT_TOOL("a-2", "a", "") "," DIRECT_TOOL(
        "b-1", "a name with blanks",
        ",\"context_injection\":{\"instructions\":\"Do it.\",\"skills\":[{\"skill_id\":\"s\","
        "\"inline\":true,\"content\":\"Text.\"}]},\"safety\":{\"requires_user_confirmation\":true,"
        "\"side_effects\":[\"network\"],\"reversible\":false}"));

static void test_a_list_is_made_whole_or_not(void **state)
{
    (void)state;
    struct mcp_description face = direct_face();
    manglecp_tools *tools = direct_tools(answer);
    size_t n = 1;
    assert_non_null(tools);
    for (bool failed = true; failed; n++) {
        struct buf why = { 0 };
        nomem_fail_at(n);
        struct direct_list *l = mgi_direct_list_new(tools, &face, &why);
        failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(!failed == (l != NULL));
        assert_int_equal(why.len, 0);
        if (l)
            assert_int_equal(l->count, 3);
        mgi_direct_list_free(l);
        mgi_buf_fini(&why);
    }
    assert_true(n > 20);
    manglecp_tools_free(tools);
}

static const char *const lines[] = {
    ("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
     "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}"),
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"a\"}}",
};
#define LINES    4
#define REQUESTS 3

struct fixture {
    uv_loop_t loop;
    struct bridge *bridge;
    struct mcp_peer *peer;
    int answers, complaints;
};

static manglecp_client *refuse(void *context, const struct principal *who,
                               struct manglecp_options *o, struct buf *why)
{
    (void)context, (void)who, (void)o;
    mgi_buf_puts(why, "there is no server");
    return NULL;
}

static int64_t tell_time(void *context)
{
    (void)context;
    return 1000;
}

static void count_sent(void *context, const struct mcp_outgoing *m)
{
    struct fixture *f = context;
    f->answers += m->what == MCP_SENT_ANSWER && m->text.len > 0;
}

static void count_complaint(void *context, const char *what)
{
    struct fixture *f = context;
    assert_non_null(what);
    f->complaints++;
}

static void wait_until_idle(struct fixture *f)
{
    while (mgi_bridge_busy(f->bridge) > 0)
        uv_run(&f->loop, UV_RUN_ONCE);
}

static void converse(struct fixture *f)
{
    for (size_t i = 0; i < LINES; i++) {
        struct mcp_route route = { 0 };
        mgi_mcp_receive(f->peer, str_of(lines[i]), &route);
        wait_until_idle(f);
    }
    mgi_bridge_loaded(f->bridge);
    wait_until_idle(f);
}

static void test_each_failure_of_a_direct_bridge_leaves_nothing_behind(void **state)
{
    (void)state;
    static struct fixture f;
    const struct manglecp_intent intent = { .name = "work" };
    manglecp_facts *facts = manglecp_facts_new();
    assert_int_equal(manglecp_facts_add(facts, "{\"pred\":\"p\",\"args\":[1]}"), MANGLECP_OK);
    struct bridge_direct direct = {
        .intent = &intent, .facts = facts, .complain = count_complaint, .context = &f
    };
    size_t n = 1;
    for (bool failed = true; failed; n++) {
        struct bridge_options o = {
            .loop = &f.loop, .connect = refuse, .threads = 1, .one_user = true
        };
        struct mcp_peer_options p = { .context = &f, .send = count_sent, .now_ms = tell_time };
        f.answers = f.complaints = 0;
        f.peer = NULL;
        assert_int_equal(uv_loop_init(&f.loop), 0);
        nomem_fail_at(n);
        f.bridge = mgi_bridge_direct_new(&o, &direct);
        if (f.bridge)
            f.peer = mgi_mcp_peer_new(mgi_bridge_server(f.bridge), &p);
        if (f.peer)
            converse(&f);
        failed = nomem_failed();
        nomem_fail_at(0);
        /* What could not be read, which may be the notification, is answered all the same. */
        assert_in_range(f.answers, failed ? 0 : REQUESTS, failed ? LINES : REQUESTS);
        assert_true(failed || f.complaints == 2); /* at the start, and when it was loaded */
        mgi_mcp_peer_free(f.peer);
        mgi_bridge_free(f.bridge);
        uv_run(&f.loop, UV_RUN_DEFAULT);
        assert_int_equal(uv_loop_close(&f.loop), 0);
    }
    assert_true(n > 30);
    manglecp_facts_free(facts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_list_is_made_whole_or_not),
        cmocka_unit_test(test_each_failure_of_a_direct_bridge_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
