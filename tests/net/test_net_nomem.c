/* Memory runs out: at each allocation in turn, while streams and requests live. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/http1.h"
#include "net/listener.h"
#include "net/net.h"
#include "support/nomem.h"

static void count_close(void *owner)
{
    ++*(int *)owner;
}

static void ignore_bytes(void *owner, struct str bytes)
{
    (void)owner, (void)bytes;
}

static void ignore_end(void *owner)
{
    (void)owner;
}

static void ignore_failure(void *owner, enum stream_fault why)
{
    (void)owner, (void)why;
}

static const struct stream_events counted = { ignore_bytes, NULL, ignore_end, ignore_failure,
                                              count_close };

static void net_is_closed(void *context)
{
    ++*(int *)context;
}

/* A stream that writes more than the kernel takes, shuts down and closes. True: nothing failed. */
static bool stream_life(struct net *net, const char *text, size_t len)
{
    int fds[2], closes = 0;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
    struct stream *s = mgi_stream_open(net, fds[0], &counted, &closes);
    if (!s) {
        close(fds[0]); /* still ours */
        close(fds[1]);
        return false;
    }
    struct str part = { text, len };
    bool good = mgi_stream_write(s, &part, 1);
    mgi_stream_shutdown(s);
    mgi_stream_close(s);
    while (closes == 0)
        uv_run(net->loop, UV_RUN_ONCE);
    assert_int_equal(net->budget.used, 0);
    close(fds[1]);
    return good;
}

static void test_a_stream_survives_any_failing_allocation(void **state)
{
    const size_t len = (size_t)4 * 1024 * 1024;
    uv_loop_t loop;
    int closes = 0;
    (void)state;
    assert_int_equal(uv_loop_init(&loop), 0);
    nomem_fail_at(1);
    assert_null(mgi_net_new(&loop, NULL));
    nomem_fail_at(0);
    struct net *net = mgi_net_new(&loop, NULL);
    char *text = calloc(1, len);
    assert_non_null(net);
    assert_non_null(text);
    for (size_t n = 1;; n++) {
        nomem_fail_at(n);
        bool good = stream_life(net, text, len);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (!failed) {
            assert_true(good);
            assert_true(n > 2);
            break;
        }
    }
    free(text);
    mgi_net_close(net, net_is_closed, &closes);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(closes, 1);
    assert_int_equal(uv_loop_close(&loop), 0);
}

static void test_a_listener_survives_any_failing_allocation(void **state)
{
    uv_loop_t loop;
    int port;
    const char *why = NULL;
    (void)state;
    assert_int_equal(uv_loop_init(&loop), 0);
    struct net *net = mgi_net_new(&loop, NULL);
    assert_non_null(net);
    struct listener_options options = { .net = net, .host = "127.0.0.1" };
    nomem_fail_at(1);
    assert_null(mgi_listener_new(&options, &port, &why));
    assert_non_null(why);
    nomem_fail_at(0);
    mgi_net_close(net, NULL, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
}

/* True: nothing failed. */
static bool request_life(const char *text)
{
    struct http1 h;
    bool good = true;
    mgi_http1_init(&h);
    for (const char *at = text; *at && good; at++) {
        struct str input = { at, 1 }, body;
        enum http1_event event;
        while (good && (event = mgi_http1_next(&h, &input, &body)) != HTTP1_MORE) {
            if (event == HTTP1_FAULT)
                assert_int_equal(h.fault, HTTP1_NO_MEMORY);
            good = event != HTTP1_FAULT && (event != HTTP1_HEAD || mgi_http1_keep(&h));
        }
    }
    mgi_http1_fini(&h);
    return good;
}

static void test_a_request_survives_any_failing_allocation(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        nomem_fail_at(n);
        bool good = request_life("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc");
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(good, !failed);
        if (!failed) {
            assert_true(n > 2);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_stream_survives_any_failing_allocation),
        cmocka_unit_test(test_a_listener_survives_any_failing_allocation),
        cmocka_unit_test(test_a_request_survives_any_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
