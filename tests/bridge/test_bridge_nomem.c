/* A bridge, its crew and every kind of request survive the failure of any allocation, where there
 * is no server behind it: what goes out is whole messages, each request is answered once or, for
 * want of memory, not at all, and the bridge ends. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/json.h"
#include "bridge/bridge_int.h"
#include "support/nomem.h"

static const char *const lines[] = {
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
    "\"2025-11-25\",\"capabilities\":{\"elicitation\":{}},\"clientInfo\":{\"name\":\"c\","
    "\"version\":\"1\"}}}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"prompts/get\",\"params\":{\"name\":\"intent\","
    "\"arguments\":{\"goal\":\"look\",\"facts\":\"it is there\"}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"resources/read\",\"params\":{\"uri\":"
    "\"manglecp://manifest\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"completion/complete\",\"params\":{\"ref\":{"
    "\"type\":\"ref/prompt\",\"name\":\"intent\"},\"argument\":{\"name\":\"goal\",\"value\":"
    "\"l\"}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"intent\","
    "\"arguments\":{\"intent\":\"look\",\"facts\":{\"at\":[\"x\",1]}}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tools/call\",\"params\":{\"name\":\"run\","
    "\"arguments\":{\"tool\":\"look_at\",\"args\":{\"x\":1}}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"state\","
    "\"arguments\":{\"show\":\"facts\"}}}",
};
#define REQUESTS 8

struct fixture {
    uv_loop_t loop;
    struct bridge *bridge;
    struct mcp_peer *peer;
    char out[65536]; /* what came out, a line each; it takes no allocation */
    size_t len;
};

static manglecp_client *refuse(void *context, const struct principal *who,
                               struct manglecp_options *o, struct buf *why)
{
    (void)context;
    (void)who;
    (void)o;
    mgi_buf_puts(why, "there is no server");
    return NULL;
}

static int64_t tell_time(void *context)
{
    (void)context;
    return 1000;
}

static void keep_sent(void *context, const struct mcp_outgoing *m)
{
    struct fixture *f = context;
    if (m->text.len == 0)
        return;
    assert_true(f->len + m->text.len < sizeof f->out);
    memcpy(f->out + f->len, m->text.ptr, m->text.len);
    f->len += m->text.len;
    f->out[f->len++] = '\n';
}

static void converse(struct fixture *f)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct mcp_route route = { 0 };
        mgi_mcp_receive(f->peer, str_of(lines[i]), &route);
        while (mgi_bridge_busy(f->bridge) > 0)
            uv_run(&f->loop, UV_RUN_ONCE);
    }
}

/* Each is a message, and answers a request that nothing answered before, or says that memory is
 * short. How many there are. */
static int all_are_answers(const struct fixture *f)
{
    int answers[REQUESTS] = { 0 }, count = 0;
    struct str text = { f->out, f->len };
    while (text.len > 0) {
        struct arena a;
        struct json v;
        size_t n = mgi_str_find(text, STR_LIT("\n"));
        mgi_arena_init(&a, 0);
        assert_int_equal(mgi_json_parse(&a, (struct str){ text.ptr, n }, NULL, &v, NULL), JSON_OK);
        const struct json *id = mgi_json_get(&v, "id");
        if (id) {
            assert_int_equal(id->text.len, 1);
            assert_in_range(id->text.ptr[0], '0', '0' + REQUESTS - 1);
            assert_int_equal(answers[id->text.ptr[0] - '0']++, 0);
        } else { /* the request could not be read */
            const struct json *error = mgi_json_get(&v, "error");
            assert_non_null(error);
            assert_int_equal(mgi_json_get(error, "code")->integer, RPC_INTERNAL);
        }
        count++;
        mgi_arena_fini(&a);
        text = (struct str){ text.ptr + n + 1, text.len - n - 1 };
    }
    return count;
}

static void begin(struct fixture *f)
{
    f->len = 0;
    f->peer = NULL;
    struct bridge_options o = {
        .loop = &f->loop, .connect = refuse, .threads = 1, .one_user = true
    };
    struct mcp_peer_options p = { .context = f, .send = keep_sent, .now_ms = tell_time };
    f->bridge = mgi_bridge_new(&o);
    if (f->bridge)
        f->peer = mgi_mcp_peer_new(mgi_bridge_server(f->bridge), &p);
}

static void end(struct fixture *f)
{
    mgi_mcp_peer_free(f->peer);
    mgi_bridge_free(f->bridge);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&f->loop), 0);
}

static void test_each_failure_leaves_nothing_behind(void **state)
{
    (void)state;
    static struct fixture f;
    size_t n = 1;
    for (;; n++) {
        assert_int_equal(uv_loop_init(&f.loop), 0);
        nomem_fail_at(n);
        begin(&f);
        if (f.peer)
            converse(&f);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        int answers = all_are_answers(&f);
        assert_true(failed || answers == REQUESTS);
        end(&f);
        if (!failed)
            break;
    }
    assert_true(n > 40);
}

/* Does a call with `meta` wake the loop for each step of its tool? */
static bool is_told_of_progress(const char *meta)
{
    static struct fixture f;
    char line[300];
    struct mcp_route route = { 0 };
    assert_int_equal(uv_loop_init(&f.loop), 0);
    begin(&f);
    mgi_mcp_receive(f.peer, str_of(lines[0]), &route);
    mgi_mcp_receive(f.peer, str_of(lines[1]), &route);
    snprintf(
        line, sizeof line,
        "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tools/call\",\"params\":{\"name\":\"intent\","
        "\"arguments\":{\"intent\":\"look\"}%s}}",
        meta);
    mgi_mcp_receive(f.peer, str_of(line), &route);
    assert_non_null(f.bridge->calls); /* it ends on the loop, which has not run */
    bool told = f.bridge->calls->job.progress != NULL;
    while (mgi_bridge_busy(f.bridge) > 0)
        uv_run(&f.loop, UV_RUN_ONCE);
    end(&f);
    return told;
}

static void test_progress_wakes_only_for_who_hears_it(void **state)
{
    (void)state;
    assert_false(is_told_of_progress(""));
    assert_true(is_told_of_progress(",\"_meta\":{\"progressToken\":1}"));
}

static void test_a_caller_is_made_or_not(void **state)
{
    (void)state;
    nomem_fail_at(1);
    assert_null(mgi_bridge_caller_new(NULL, 1));
    assert_true(nomem_failed());
    nomem_fail_at(0);
    struct bridge_caller *c = mgi_bridge_caller_new(NULL, 1);
    assert_non_null(c);
    mgi_bridge_caller_unref(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_failure_leaves_nothing_behind),
        cmocka_unit_test(test_progress_wakes_only_for_who_hears_it),
        cmocka_unit_test(test_a_caller_is_made_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
