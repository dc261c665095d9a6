/* A TLS stream and its conversation survive the failure of any one of our allocations: it ends, and
 * everything is given back. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/net.h"
#include "net/stream_tls.h"
#include "net/tls_made.h"
#include "support/nomem.h"

static struct made authority, server, client;

struct talk {
    struct stream *stream;
    struct buf got;
    bool ended, closed;
};

static void talk_bytes(void *owner, struct str bytes)
{
    struct talk *t = owner;
    mgi_buf_str(&t->got, bytes);
    mgi_stream_pause(t->stream);
    mgi_stream_resume(t->stream);
    if (!mgi_stream_write(t->stream, &bytes, 1))
        mgi_stream_close(t->stream);
}

static void talk_end(void *owner)
{
    ((struct talk *)owner)->ended = true;
}

static void talk_failure(void *owner, enum stream_fault why)
{
    (void)why;
    talk_end(owner);
}

static void talk_closed(void *owner)
{
    ((struct talk *)owner)->closed = true;
}

static const struct stream_events events = { talk_bytes, NULL, talk_end, talk_failure,
                                             talk_closed };

static bool pass(struct tls *tls, int fd)
{
    char chunk[16384];
    struct str out = mgi_tls_output(tls);
    if (out.len > 0 && write(fd, out.ptr, out.len) < 0)
        return false;
    mgi_tls_sent(tls);
    ssize_t n = read(fd, chunk, sizeof chunk);
    return n != 0 && (n < 0 || mgi_tls_feed(tls, (struct str){ chunk, (size_t)n }));
}

/* True if the words went there and came back. */
static bool converse(struct net *net, struct tls_context *s, struct tls_context *c)
{
    int fds[2];
    char back[16];
    size_t len = 0;
    struct talk talk = { 0 };
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
    struct stream *under = mgi_stream_open(net, fds[0], &events, &talk);
    if (!under) {
        close(fds[0]);
        close(fds[1]);
        return false;
    }
    struct stream_tls_options options = { .context = s, .now_ns = NOW_NS };
    talk.stream = mgi_stream_tls_new(under, &options, &events, &talk);
    struct tls *tls = mgi_tls_new(c, "example.test", NOW_NS);
    if (talk.stream)
        mgi_stream_resume(talk.stream);
    bool said = false;
    uint64_t until = uv_hrtime() + UINT64_C(10000000000);
    while (talk.stream && tls && !talk.ended && !talk.closed && len == 0 && uv_hrtime() < until) {
        enum tls_status status = mgi_tls_handshake(tls); /* the server's side is a worker's */
        if (status == TLS_FAILED || status == TLS_NOMEM)
            break;
        if (status == TLS_OK && !said)
            said = mgi_tls_write(tls, STR_LIT("words")) == TLS_OK;
        if (!pass(tls, fds[1]))
            break;
        uv_run(net->loop, UV_RUN_NOWAIT);
        status = mgi_tls_read(tls, back, sizeof back, &len);
        if (status == TLS_FAILED || status == TLS_NOMEM)
            break;
    }
    if (!talk.closed)
        mgi_stream_close(talk.stream ? talk.stream : under);
    while (!talk.closed)
        uv_run(net->loop, UV_RUN_ONCE);
    mgi_tls_free(tls);
    mgi_buf_fini(&talk.got);
    close(fds[1]);
    return len == 5;
}

static void net_gone(void *context)
{
    (void)context;
}

static void test_any_allocation_of_ours_may_fail(void **state)
{
    (void)state;
    uv_loop_t loop;
    assert_int_equal(uv_loop_init(&loop), 0);
    struct net *net = mgi_net_new(&loop, NULL);
    struct tls_context *s = serve_made(&server, authority.certificate_pem, false);
    struct tls_context *c = trust_made(authority.certificate_pem, &client);
    assert_true(net && s && c);
    for (size_t n = 1;; n++) {
        nomem_fail_at(n);
        bool heard = converse(net, s, c), failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(net->budget.used, 0);
        if (!failed) {
            assert_true(heard);
            assert_true(n > 10);
            break;
        }
    }
    mgi_tls_context_unref(s);
    mgi_tls_context_unref(c);
    mgi_net_close(net, net_gone, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_allocation_of_ours_may_fail),
    };
    signal(SIGPIPE, SIG_IGN);
    authority =
        make_certificate(&(struct made_options){ .name = "Authority", .is_authority = true });
    server = make_certificate(&(struct made_options){
        .name = "server", .names = "DNS:example.test", .issuer = &authority });
    client = make_certificate(&(struct made_options){ .name = "client", .issuer = &authority });
    int failures = cmocka_run_group_tests_name("net/test_stream_tls_nomem", tests, NULL, NULL);
    made_free(&authority);
    made_free(&server);
    made_free(&client);
    return failures;
}
