/* Lists wait for the domain, for a bounded time; who waits is answered when it is known that
 * nothing will come, when the bridge ends, or not at all where nobody listens any more. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>

#include "bridge/bridge_int.h"
#include "bridge/shelf.h"

#define LIST(id) "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"method\":\"tools/list\"}"
#define CANCEL(id)                                                                                 \
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{"                     \
    "\"requestId\":" #id "}}"
#define LONG_MS         (60 * 60 * 1000) /* nobody waits for that */
#define ANSWERED(f, id) (strstr((f)->heard, "\"id\":" #id ",\"result\"") != NULL)

struct fixture {
    uv_loop_t loop;
    struct bridge *bridge;
    struct mcp_peer *peer;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool released; /* who connects may go on, and fail */
    int connects;
    char heard[32768];
};

static manglecp_client *connect_late(void *context, const struct principal *who,
                                     struct manglecp_options *o, struct buf *why)
{
    struct fixture *f = context;
    (void)who, (void)o;
    pthread_mutex_lock(&f->lock);
    f->connects++;
    pthread_cond_broadcast(&f->changed);
    while (!f->released)
        pthread_cond_wait(&f->changed, &f->lock);
    pthread_mutex_unlock(&f->lock);
    mgi_buf_puts(why, "there is no server");
    return NULL;
}

static void release(struct fixture *f)
{
    pthread_mutex_lock(&f->lock);
    f->released = true;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
}

static void hear_line(void *context, const struct mcp_outgoing *m)
{
    struct fixture *f = context;
    size_t len = strlen(f->heard);
    assert_true(len + m->text.len < sizeof f->heard);
    memcpy(f->heard + len, m->text.ptr, m->text.len);
    f->heard[len + m->text.len] = '\0';
}

static int64_t fixed_time(void *context)
{
    (void)context;
    return 1000;
}

static void say_line(struct fixture *f, const char *line)
{
    struct mcp_route route = { 0 };
    mgi_mcp_receive(f->peer, str_of(line), &route);
}

static void set_up(struct fixture *f, int64_t lists_ms)
{
    *f = (struct fixture){ 0 };
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->changed, NULL);
    assert_int_equal(uv_loop_init(&f->loop), 0);
    struct bridge_options o = {
        .loop = &f->loop, .connect = connect_late, .context = f, .threads = 1, .lists_ms = lists_ms
    };
    struct mcp_peer_options p = { .context = f, .send = hear_line, .now_ms = fixed_time };
    f->bridge = mgi_bridge_new(&o);
    assert_non_null(f->bridge);
    f->peer = mgi_mcp_peer_new(mgi_bridge_server(f->bridge), &p);
    assert_non_null(f->peer);
    say_line(f, "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"initialize\",\"params\":{"
                "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{"
                "\"name\":\"c\",\"version\":\"1\"}}}");
    assert_non_null(strstr(f->heard, "\"logging\":{}")); /* X-BRIDGE-12 */
}

static void tear_down(struct fixture *f)
{
    release(f);
    mgi_mcp_peer_free(f->peer);
    mgi_bridge_cancel(f->bridge);
    while (mgi_bridge_busy(f->bridge) > 0)
        uv_run(&f->loop, UV_RUN_ONCE);
    mgi_bridge_free(f->bridge);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&f->loop), 0);
    pthread_cond_destroy(&f->changed);
    pthread_mutex_destroy(&f->lock);
}

/* X-BRIDGE-11: the timer alone ends the wait. A turn that finds it due waits for something else
 * after it, and nothing else comes: so no turn waits. */
static void test_a_list_is_answered_though_the_domain_never_comes(void **state)
{
    struct fixture f;
    (void)state;
    set_up(&f, 5);
    say_line(&f, LIST(1));
    assert_false(ANSWERED(&f, 1));
    while (!ANSWERED(&f, 1))
        uv_run(&f.loop, UV_RUN_NOWAIT);
    assert_non_null(strstr(f.heard, "\"destructiveHint\":true,\"idempotentHint\":false,"
                                    "\"openWorldHint\":true"));
    say_line(&f, LIST(2)); /* the same look is still under way */
    while (!ANSWERED(&f, 2))
        uv_run(&f.loop, UV_RUN_NOWAIT);
    pthread_mutex_lock(&f.lock);
    assert_in_range(f.connects, 0, 1);
    pthread_mutex_unlock(&f.lock);
    tear_down(&f);
}

static void test_who_waits_is_answered_once_it_is_known_that_nothing_comes(void **state)
{
    struct fixture f;
    (void)state;
    set_up(&f, LONG_MS);
    say_line(&f, LIST(1));
    say_line(&f, LIST(2));
    release(&f);
    while (!ANSWERED(&f, 1) || !ANSWERED(&f, 2))
        uv_run(&f.loop, UV_RUN_ONCE);
    say_line(&f, LIST(3)); /* nobody looks again so soon */
    assert_true(ANSWERED(&f, 3));
    assert_int_equal(f.connects, 1);
    tear_down(&f);
}

static void test_who_does_not_wait_any_more_hears_nothing(void **state)
{
    struct fixture f;
    (void)state;
    set_up(&f, LONG_MS);
    say_line(&f, LIST(1));
    say_line(&f, LIST(2));
    say_line(&f, CANCEL(1));
    mgi_bridge_cancel(f.bridge); /* it ends: what waits is answered */
    assert_false(ANSWERED(&f, 1));
    assert_true(ANSWERED(&f, 2));
    say_line(&f, LIST(4));
    mgi_mcp_peer_free(f.peer);
    f.peer = NULL;
    tear_down(&f);
    assert_false(ANSWERED(&f, 4));
}

static void count_answer(void *context, const struct mcp_outgoing *m)
{
    int *answers = context;
    *answers += m->text.len > 0 && strstr(m->text.ptr, "\"tools\":[") != NULL;
}

/* Of all peers together; those beyond get what there is. */
static void test_so_many_wait_and_no_more(void **state)
{
    enum { PEERS = 5, EACH = MCP_PEER_CALLS };
    struct fixture f;
    struct mcp_peer *peers[PEERS];
    int answers = 0;
    (void)state;
    set_up(&f, LONG_MS);
    struct mcp_peer *own = f.peer;
    struct mcp_peer_options p = { .context = &answers, .send = count_answer, .now_ms = fixed_time };
    for (size_t i = 0; i < PEERS; i++) {
        f.peer = peers[i] = mgi_mcp_peer_new(mgi_bridge_server(f.bridge), &p);
        say_line(&f, "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"initialize\",\"params\":{"
                     "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{"
                     "\"name\":\"c\",\"version\":\"1\"}}}");
        for (int k = 0; k < EACH; k++) {
            char line[100];
            snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/list\"}",
                     k);
            say_line(&f, line);
        }
    }
    assert_int_equal(answers, PEERS * EACH - BRIDGE_CALLS);
    f.peer = own;
    release(&f);
    while (answers < PEERS * EACH)
        uv_run(&f.loop, UV_RUN_ONCE);
    for (size_t i = 0; i < PEERS; i++)
        mgi_mcp_peer_free(peers[i]);
    tear_down(&f);
}

/* ---- of a direct bridge (X-BRIDGE-10) -------------------------------------------------------- */

static void set_up_direct(struct fixture *f, int64_t lists_ms, manglecp_facts **facts)
{
    static const struct manglecp_intent intent = { .name = "work" };
    static struct bridge_direct direct;
    *f = (struct fixture){ 0 };
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->changed, NULL);
    assert_int_equal(uv_loop_init(&f->loop), 0);
    *facts = manglecp_facts_new();
    assert_non_null(*facts);
    direct = (struct bridge_direct){ .intent = &intent, .facts = *facts };
    struct bridge_options o = {
        .loop = &f->loop, .connect = connect_late, .context = f, .threads = 1, .lists_ms = lists_ms
    };
    f->bridge = mgi_bridge_direct_new(&o, &direct);
    assert_non_null(f->bridge);
}

static struct mcp_peer *greet(struct fixture *f, struct bridge_caller *caller)
{
    struct mcp_peer_options p = { .context = f, .send = hear_line, .now_ms = fixed_time };
    struct mcp_route route = { .caller = caller };
    f->peer = mgi_mcp_peer_new(mgi_bridge_server(f->bridge), &p);
    assert_non_null(f->peer);
    mgi_mcp_receive(
        f->peer,
        STR_LIT("{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"initialize\",\"params\":{"
                "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{"
                "\"name\":\"c\",\"version\":\"1\"}}}"),
        &route);
    return f->peer;
}

/* Nobody answers, so who asks what tools there are is told that, and not kept for ever. */
static void test_a_direct_list_that_takes_long_is_refused_with_the_reason(void **state)
{
    struct fixture f;
    manglecp_facts *facts;
    (void)state;
    set_up_direct(&f, 5, &facts);
    greet(&f, NULL);
    say_line(&f, LIST(1));
    assert_null(strstr(f.heard, "\"id\":1"));
    while (!strstr(f.heard, "\"id\":1,\"error\""))
        uv_run(&f.loop, UV_RUN_NOWAIT);
    assert_non_null(strstr(f.heard, "takes long to tell its tools"));
    say_line(&f, LIST(2)); /* behind the one that still runs */
    while (!strstr(f.heard, "\"id\":2,\"error\""))
        uv_run(&f.loop, UV_RUN_NOWAIT);
    tear_down(&f);
    manglecp_facts_free(facts);
}

/* Each who calls has a list alone: so many do, and those beyond are told. */
static void test_so_many_callers_have_a_list_and_no_more(void **state)
{
    struct fixture f;
    manglecp_facts *facts;
    struct bridge_caller *caller = NULL;
    (void)state;
    set_up_direct(&f, LONG_MS, &facts);
    release(&f); /* each is answered at once, that there is no server */
    for (unsigned i = 0; i <= SHELVES; i++) {
        struct mcp_route route;
        caller = mgi_bridge_caller_new(NULL, 0);
        assert_non_null(caller);
        snprintf(caller->owner, sizeof caller->owner, "caller %u", i);
        route = (struct mcp_route){ .caller = caller };
        f.heard[0] = '\0';
        greet(&f, caller);
        mgi_mcp_receive(f.peer, STR_LIT(LIST(1)), &route);
        while (!strstr(f.heard, "\"id\":1,"))
            uv_run(&f.loop, UV_RUN_ONCE);
        assert_int_equal(strstr(f.heard, "too much is under way") != NULL, i == SHELVES);
        mgi_bridge_caller_unref(caller);
        mgi_mcp_peer_free(f.peer); /* it has left, and its list stays its own */
    }
    f.peer = NULL;
    tear_down(&f);
    manglecp_facts_free(facts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_list_is_answered_though_the_domain_never_comes),
        cmocka_unit_test(test_who_waits_is_answered_once_it_is_known_that_nothing_comes),
        cmocka_unit_test(test_so_many_wait_and_no_more),
        cmocka_unit_test(test_who_does_not_wait_any_more_hears_nothing),
        cmocka_unit_test(test_a_direct_list_that_takes_long_is_refused_with_the_reason),
        cmocka_unit_test(test_so_many_callers_have_a_list_and_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
