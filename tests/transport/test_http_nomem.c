/* Memory runs out at each allocation in turn, from accepting a connection to the last byte of its
 * answers. Whatever fails, the client gets whole answers or an end, and all is given back. */
#include "support/nomem.h"
#include "transport/http_int.h"
#include "transport/http_rig.h"

static const char conversation[] =
    "POST /secret HTTP/1.1\r\nHost: localhost\r\nAuthorization: " RIG_TOKEN
    "\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n"
    "GET /later HTTP/1.1\r\nHost: localhost\r\n\r\n"
    "GET /large HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n"
    "GET /raw HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: raw\r\n\r\nfirst";

static void answer_waiting(struct rig *rig)
{
    struct http_connection *c = rig->waiting;
    rig->waiting = NULL;
    if (c)
        rig_say(c, 200, STR_LIT("\"later\""));
}

/* Every byte by itself, so that everything is kept somewhere. True: it came to its end. */
static bool converse(struct rig *rig)
{
    static char out[256 * 1024]; /* not a buf: what the test keeps must not fail */
    size_t len = 0;
    int fd = rig_connect(rig);
    bool good = true;
    for (const char *at = conversation; *at && good; at++) {
        good = rig_try_send(rig, fd, at, 1);
        answer_waiting(rig);
    }
    for (int i = 0; i < 200 && good; i++) {
        rig_turn(rig);
        answer_waiting(rig);
        ssize_t n = read(fd, out + len, sizeof out - 1 - len);
        if (n > 0) {
            len += (size_t)n;
        } else if (n == 0) {
            good = false;
        } else if (rig->raw.len == 5) {
            break;
        } else {
            usleep(500);
        }
    }
    out[len] = '\0';
    if (len > 0)
        assert_memory_equal(out, "HTTP/1.1 ", 9);
    close(fd);
    return good && rig->raw.len == 5;
}

static void test_a_conversation_survives_any_failing_allocation(void **state)
{
    char *text = malloc(64 * 1024);
    size_t n = 1;
    (void)state;
    assert_non_null(text);
    memset(text, 'x', 64 * 1024);
    for (;; n++) {
        struct rig rig;
        rig_begin(&rig, NULL, NULL);
        rig.large = (struct str){ text, 64 * 1024 };
        nomem_fail_at(n);
        bool good = converse(&rig);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        rig_pass(&rig, 5);
        rig_end(&rig);
        if (!failed) {
            assert_true(good);
            break;
        }
    }
    assert_true(n > 10);
    free(text);
}

static const struct principal *nobody_yet(void *context, const struct http1_request *r,
                                          const struct stream *stream, struct wire_error *refusal)
{
    (void)context, (void)r, (void)stream, (void)refusal;
    return NULL;
}

static struct http_connection *judged_one;

static void *judge_long(void *context, const struct http1_request *r, const struct stream *from,
                        struct http_connection *c, struct wire_error *refusal)
{
    (void)context, (void)r, (void)from, (void)refusal;
    judged_one = c;
    return &judged_one;
}

static void unjudge_it(void *context, void *judging)
{
    (void)context, (void)judging;
    judged_one = NULL;
}

/* A head that cannot be kept while it is judged is refused; the judge's word comes too late. */
static void test_nobody_is_judged_without_a_head(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        struct rig rig;
        struct http_options options = { .judge = judge_long, .unjudge = unjudge_it };
        const struct wire_error no = { WIRE_AUTH_INVALID, "No.", { NULL, 0 }, -1 };
        rig_begin(&rig, NULL, &options);
        rig.listener->options.identify = nobody_yet;
        judged_one = NULL;
        int fd = rig_connect(&rig);
        nomem_fail_at(n);
        rig_send(&rig, fd, "POST /secret HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n");
        rig_pass(&rig, 10);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (judged_one)
            mgi_http_judged(judged_one, NULL, &no);
        rig_pass(&rig, 5);
        close(fd);
        rig_end(&rig);
        if (!failed)
            break;
    }
}

static void test_a_fault_is_told_without_memory(void **state)
{
    int told = 0;
    (void)state;
    for (size_t n = 1;; n++) {
        struct rig rig;
        char out[1024] = { 0 };
        rig_begin(&rig, NULL, NULL);
        int fd = rig_connect(&rig);
        nomem_fail_at(n);
        rig_send(&rig, fd, GET("/nowhere"));
        rig_pass(&rig, 10);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        ssize_t len = read(fd, out, sizeof out - 1);
        close(fd);
        rig_pass(&rig, 5);
        rig_end(&rig);
        if (failed && len > 0) {
            assert_non_null(strstr(out, "HTTP/1.1 500 "));
            assert_non_null(strstr(out, "\"code\":\"internal_error\""));
            told++;
        }
        if (!failed) {
            assert_non_null(strstr(out, "HTTP/1.1 404 "));
            break;
        }
    }
    assert_true(told > 0);
}

static void test_a_listener_survives_any_failing_allocation_of_http(void **state)
{
    uv_loop_t loop;
    bool closed = false;
    (void)state;
    assert_int_equal(uv_loop_init(&loop), 0);
    struct net *net = mgi_net_new(&loop, NULL);
    for (size_t n = 1;; n++) {
        struct http_options options = { .net = net, .host = "127.0.0.1", .clock_ns = rig_clock };
        const char *why = NULL;
        int port;
        nomem_fail_at(n);
        struct http_listener *l = mgi_http_listen(&options, &port, &why);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(l == NULL, failed);
        uv_run(&loop, UV_RUN_NOWAIT);
        if (l) {
            mgi_http_close(l, 0, rig_is_closed, &closed);
            uv_run(&loop, UV_RUN_DEFAULT);
            assert_true(closed);
            break;
        }
        assert_non_null(why);
    }
    mgi_net_close(net, rig_is_closed, &closed);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_conversation_survives_any_failing_allocation),
        cmocka_unit_test(test_nobody_is_judged_without_a_head),
        cmocka_unit_test(test_a_fault_is_told_without_memory),
        cmocka_unit_test(test_a_listener_survives_any_failing_allocation_of_http),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
