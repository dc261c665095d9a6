/* An HTTP listener without a server: routes of the test, plain sockets as clients, and turns of the
 * loop in between. */
#ifndef TEST_TRANSPORT_HTTP_RIG_H
#define TEST_TRANSPORT_HTTP_RIG_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/net.h"
#include "server/work.h"
#include "transport/http.h"

#define RIG_TOKEN "Bearer tok"

struct rig {
    uv_loop_t loop;
    struct net *net;
    struct http_listener *listener;
    struct work *work; /* compresses */
    int port;
    int client_room; /* of what connects from now on: bytes it takes without reading; 0: many */
    bool closed, net_closed;

    struct http_connection *waiting; /* at /later */
    int runs, goners;
    int goners_within; /* while /large answered */
    char body[1024];   /* what the last run got: its end is cut */
    size_t body_len;
    struct str large; /* what /large answers */

    struct stream *taken; /* at /raw */
    struct buf raw;       /* what came over it */
    int raw_closes;
};

static inline void rig_gone(void *context)
{
    struct rig *rig = context;
    rig->goners++;
    rig->waiting = NULL;
}

static inline void rig_note(struct rig *rig, struct http_connection *c)
{
    struct str body = mgi_http_body(c);
    rig->runs++;
    rig->body_len = body.len;
    snprintf(rig->body, sizeof rig->body, "%.*s", STR_ARG(body));
}

static inline void rig_say(struct http_connection *c, int status, struct str body)
{
    struct http_answer a = { .status = status, .body = body, .may_pack = true };
    mgi_http_answer(c, &a);
}

static inline void run_hello(void *context, struct http_connection *c)
{
    rig_note(context, c);
    rig_say(c, 200, STR_LIT("\"hello\""));
}

static inline void run_large(void *context, struct http_connection *c)
{
    struct rig *rig = context;
    rig_note(rig, c);
    int before = rig->goners;
    rig_say(c, 200, rig->large);
    rig->goners_within += rig->goners - before;
}

/* Says what it was sent, or that the credential was refused. */
static inline void run_post(void *context, struct http_connection *c)
{
    rig_note(context, c);
    if (mgi_http_refusal(c)) {
        mgi_http_error(c, mgi_http_refusal(c)->code, NULL, "refused, and heard");
        return;
    }
    rig_say(c, 200, mgi_http_body(c));
}

static inline void run_later(void *context, struct http_connection *c)
{
    struct rig *rig = context;
    rig_note(rig, c);
    rig->waiting = c;
    mgi_http_wait(c, rig_gone, rig);
}

static inline void raw_bytes(void *owner, struct str bytes)
{
    mgi_buf_str(&((struct rig *)owner)->raw, bytes);
}

static inline void raw_ended(void *owner)
{
    mgi_stream_close(((struct rig *)owner)->taken);
}

static inline void raw_failed(void *owner, enum stream_fault why)
{
    (void)why;
    raw_ended(owner);
}

static inline void raw_closed(void *owner)
{
    struct rig *rig = owner;
    rig->taken = NULL;
    rig->raw_closes++;
}

static inline void run_raw(void *context, struct http_connection *c)
{
    static const struct stream_events events = { raw_bytes, NULL, raw_ended, raw_failed,
                                                 raw_closed };
    struct rig *rig = context;
    rig->runs++;
    if (!mgi_http_request(c)->upgrade) {
        mgi_http_error(c, WIRE_MALFORMED_MESSAGE, NULL, "This path is for upgrades.");
        return;
    }
    struct buf rest;
    rig->taken = mgi_http_take_over(c, STR_LIT("Connection: Upgrade\r\nUpgrade: raw\r\n"), &rest);
    if (!rig->taken)
        return;
    mgi_stream_own(rig->taken, &events, rig);
    mgi_buf_str(&rig->raw, mgi_buf_view(&rest));
    mgi_buf_fini(&rest);
    mgi_stream_resume(rig->taken);
}

static inline const struct principal *rig_identify(void *context, const struct http1_request *r,
                                                   const struct stream *s,
                                                   struct wire_error *refusal)
{
    static const struct principal known = { .kind = PRINCIPAL_KNOWN, .expires_ns = INT64_MAX };
    (void)context, (void)s;
    if (str_is(mgi_http1_find(r, "authorization"), RIG_TOKEN))
        return &known;
    *refusal = (struct wire_error){ WIRE_AUTH_REQUIRED, "Who is it?", { NULL, 0 }, -1 };
    return NULL;
}

static const struct http_route rig_rows[] = {
    { .path = "/hello", .run = run_hello },
    { .path = "/large", .run = run_large },
    { .path = "/later", .run = run_later },
    { .path = "/open", .any_host = true, .run = run_hello },
    { .path = "/raw", .run = run_raw },
    { .path = "/later", .method = "POST", .max_body = 1024 * 1024, .run = run_later },
    { .path = "/post", .method = "POST", .max_body = 1024 * 1024, .run = run_post },
    { .path = "/secret",
      .method = "POST",
      .max_body = 1024 * 1024,
      .needs_credential = true,
      .run = run_post },
    { .path = "/heard",
      .method = "POST",
      .max_body = 1024 * 1024,
      .content_type = "application/json",
      .needs_credential = true,
      .hears_refusals = true,
      .run = run_post },
};

static inline int64_t rig_clock(void)
{
    return INT64_C(784111777) * 1000000000; /* Sun, 06 Nov 1994 08:49:37 GMT */
}

static inline void rig_forget(void *local)
{
    (void)local;
}

/* Of `options`, what is about names, connections and tasks counts; may be NULL. */
static inline void rig_begin(struct rig *rig, const struct net_limits *limits,
                             const struct http_options *options)
{
    const char *why = NULL;
    *rig = (struct rig){ 0 };
    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(uv_loop_init(&rig->loop), 0);
    rig->net = mgi_net_new(&rig->loop, limits);
    assert_non_null(rig->net);
    struct http_options o = options ? *options : (struct http_options){ 0 };
    o.net = rig->net;
    o.host = "127.0.0.1";
    o.identify = rig_identify;
    o.clock_ns = rig_clock;
    struct work_options work = {
        .loop = &rig->loop, .quick = 2, .slow = 1, .max_waiting = 1024, .forget = rig_forget
    };
    rig->work = o.tasks.hand ? NULL : mgi_work_new(&work);
    if (!o.tasks.hand)
        o.tasks = mgi_work_runner(rig->work);
    rig->listener = mgi_http_listen(&o, &rig->port, &why);
    assert_null(why);
    assert_true(mgi_http_add(rig->listener, rig_rows, sizeof rig_rows / sizeof *rig_rows, rig));
}

static inline int64_t rig_now_ms(void)
{
    return (int64_t)(uv_hrtime() / 1000000);
}

static inline void rig_turn(struct rig *rig)
{
    uv_run(&rig->loop, UV_RUN_NOWAIT);
}

/* Turns for so long. */
static inline void rig_pass(struct rig *rig, int64_t ms)
{
    for (int64_t end = rig_now_ms() + ms; rig_now_ms() < end; usleep(500))
        rig_turn(rig);
}

static inline void rig_is_closed(void *context)
{
    *(bool *)context = true;
}

/* All is given back at the end. */
static inline void rig_end(struct rig *rig)
{
    if (rig->listener)
        mgi_http_close(rig->listener, 200, rig_is_closed, &rig->closed);
    if (rig->taken)
        mgi_stream_close(rig->taken);
    for (int i = 0; i < 4000 && rig->listener && !rig->closed; i++) {
        rig_turn(rig);
        usleep(500);
    }
    assert_true(!rig->listener || rig->closed);
    assert_int_equal(rig->net->budget.used, 0);
    mgi_work_free(rig->work);
    mgi_net_close(rig->net, rig_is_closed, &rig->net_closed);
    uv_run(&rig->loop, UV_RUN_DEFAULT);
    assert_true(rig->net_closed);
    assert_int_equal(uv_loop_close(&rig->loop), 0);
    mgi_buf_fini(&rig->raw);
}

/* ---- clients ----------------------------------------------------------------------------- */

static inline int rig_connect(struct rig *rig)
{
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)rig->port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    if (rig->client_room > 0)
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &rig->client_room, sizeof rig->client_room);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int));
    rig_turn(rig);
    return fd;
}

static inline bool rig_try_send(struct rig *rig, int fd, const void *bytes, size_t len)
{
    const char *at = bytes;
    int64_t end = rig_now_ms() + 5000;
    while (len > 0) {
        ssize_t n = send(fd, at, len, MSG_NOSIGNAL);
        if (n < 0 && errno != EAGAIN)
            return false;
        if (n > 0) {
            at += n;
            len -= (size_t)n;
        }
        if (rig_now_ms() > end)
            return false;
        rig_turn(rig);
    }
    return true;
}

static inline void rig_send(struct rig *rig, int fd, const char *text)
{
    assert_true(rig_try_send(rig, fd, text, strlen(text)));
}

/* Read into `out` until it holds `wanted`, the peer ends, or time is up. True: `wanted` is there.
 */
static inline bool rig_read_until(struct rig *rig, int fd, struct buf *out, const char *wanted)
{
    static char chunk[65536];
    for (int64_t end = rig_now_ms() + 5000; rig_now_ms() < end;) {
        rig_turn(rig);
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n > 0)
            mgi_buf_append(out, chunk, (size_t)n);
        if (out->len > 0 && mgi_str_find(mgi_buf_view(out), str_of(wanted)) != SIZE_MAX)
            return true;
        if (n == 0 || (n < 0 && errno != EAGAIN))
            return false;
        if (n < 0)
            usleep(200);
    }
    return false;
}

/* One exchange on its own connection; what came until the server ended or `wanted` was there. */
static inline struct buf rig_ask(struct rig *rig, const char *request, const char *wanted)
{
    struct buf out = { 0 };
    int fd = rig_connect(rig);
    rig_send(rig, fd, request);
    if (!rig_read_until(rig, fd, &out, wanted))
        fail_msg("no \"%s\" in the answer to:\n%s\nbut: %s", wanted, request,
                 out.ptr ? out.ptr : "nothing");
    close(fd);
    return out;
}

/* Has the server ended this connection? Reads what is left. */
static inline bool rig_ended(struct rig *rig, int fd, int64_t within_ms)
{
    static char chunk[65536];
    for (int64_t end = rig_now_ms() + within_ms; rig_now_ms() < end; usleep(200)) {
        rig_turn(rig);
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n == 0 || (n < 0 && errno != EAGAIN))
            return true;
    }
    return false;
}

#define GET(path) "GET " path " HTTP/1.1\r\nHost: localhost\r\n\r\n"

#endif
