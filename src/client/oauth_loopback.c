/* Waiting for a browser's redirect; see oauth_loopback.h. */
#include "client/oauth_loopback.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/time.h"
#include "net/http1.h"
#include "sys/clock.h"

#define PATIENCE_MS 5000 /* for a head: browsers open connections that they may never use */
#define CHUNK_BYTES 4096

struct visitor {
    int fd; /* -1: none */
    int64_t since_ns;
    struct http1 codec;
};

struct loopback {
    int listener;
    struct visitor visitors[LOOPBACK_CONNECTIONS];
    const struct oauth_attempt *attempt;
    struct arena *arena;
    unsigned strangers; /* sent away */
};

int mgi_loopback_open(unsigned *port, struct buf *why)
{
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&address, size) == 0 &&
        listen(fd, LOOPBACK_CONNECTIONS) == 0 &&
        getsockname(fd, (struct sockaddr *)&address, &size) == 0) {
        *port = ntohs(address.sin_port);
        return fd;
    }
    mgi_buf_printf(why, "no port of 127.0.0.1 can be listened at: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

void mgi_loopback_close(int listener)
{
    if (listener >= 0)
        close(listener);
}

static void dismiss(struct visitor *v)
{
    close(v->fd);
    v->fd = -1;
    mgi_http1_fini(&v->codec);
}

/* False: errno says why nobody can come in. */
static bool let_in(struct loopback *l)
{
    int fd = accept4(l->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    struct visitor *place = &l->visitors[0];
    if (fd < 0)
        return errno == EAGAIN || errno == EINTR || errno == ECONNABORTED;
    for (size_t i = 0; i < LOOPBACK_CONNECTIONS && place->fd >= 0; i++)
        if (l->visitors[i].fd < 0 || l->visitors[i].since_ns < place->since_ns)
            place = &l->visitors[i];
    if (place->fd >= 0)
        dismiss(place);
    *place = (struct visitor){ .fd = fd, .since_ns = mgi_clock_mono_ns() };
    mgi_http1_init(&place->codec);
    return true;
}

/* A page for the person before the browser. What it says is ours alone: nothing of the request. */
static void reply(const struct visitor *v, int status, const char *text)
{
    struct buf out = { 0 }, page = { 0 };
    char length[24];
    mgi_buf_printf(&page, "<!doctype html><meta charset=utf-8><title>manglecp</title><p>%s</p>\n",
                   text);
    snprintf(length, sizeof length, "%zu", page.len);
    mgi_http1_begin(&out, status);
    mgi_http1_put(&out, "Content-Type", STR_LIT("text/html; charset=utf-8"));
    mgi_http1_put(&out, "Content-Length", str_of(length));
    mgi_http1_put(&out, "Cache-Control", STR_LIT("no-store"));
    mgi_http1_put(&out, "Referrer-Policy", STR_LIT("no-referrer"));
    mgi_http1_put(&out, "Connection", STR_LIT("close"));
    mgi_http1_done(&out);
    mgi_buf_str(&out, mgi_buf_view(&page));
    if (!out.oom) /* it fits into an empty socket; who does not read it has the terminal */
        (void)send(v->fd, out.ptr, out.len, MSG_NOSIGNAL);
    mgi_buf_fini(&page);
    mgi_buf_fini(&out);
}

/* A request that is there whole. */
static enum oauth_redirect answer(struct loopback *l, struct visitor *v, const char **code,
                                  struct buf *why)
{
    const struct http1_request *r = &v->codec.request;
    struct arena_mark mark = mgi_arena_mark(l->arena);
    enum oauth_redirect what =
        str_is(r->method, "GET")
            ? mgi_oauth_redirect_read(l->arena, l->attempt, r->target, code, why)
            : OAUTH_ELSEWHERE;
    if (what != OAUTH_CODE)
        mgi_arena_rewind(l->arena, mark);
    if (what == OAUTH_ELSEWHERE) {
        reply(v, 404, "There is nothing here.");
    } else if (what == OAUTH_STRANGER) {
        l->strangers++;
        reply(v, 400, "This does not belong to the login that is waited for.");
    } else if (what == OAUTH_CODE) {
        reply(v, 200,
              "The login went back to manglecp: its terminal says what came of it. This "
              "window may be closed.");
    } else {
        reply(v, 400, "The login failed: the terminal says why. This window may be closed.");
    }
    return what;
}

/* Read what is there. OAUTH_ELSEWHERE: nothing came of it yet. */
static enum oauth_redirect hear(struct loopback *l, struct visitor *v, const char **code,
                                struct buf *why)
{
    char bytes[CHUNK_BYTES];
    ssize_t got = recv(v->fd, bytes, sizeof bytes, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return OAUTH_ELSEWHERE;
    struct str input = { bytes, got > 0 ? (size_t)got : 0 }, body;
    enum http1_event event = got > 0 ? mgi_http1_next(&v->codec, &input, &body) : HTTP1_FAULT;
    enum oauth_redirect what = OAUTH_ELSEWHERE;
    if (event == HTTP1_MORE)
        return what;
    if (event == HTTP1_HEAD)
        what = answer(l, v, code, why);
    else if (got > 0)
        reply(v, 400, "This is no request that can be read.");
    dismiss(v);
    return what;
}

/* Until somebody speaks, or the next of the deadlines. */
static bool wait_for_somebody(struct loopback *l, int64_t deadline_ns, struct pollfd *polled)
{
    int64_t now_ns = mgi_clock_mono_ns(), until_ns = deadline_ns;
    polled[LOOPBACK_CONNECTIONS] = (struct pollfd){ .fd = l->listener, .events = POLLIN };
    for (size_t i = 0; i < LOOPBACK_CONNECTIONS; i++) {
        struct visitor *v = &l->visitors[i];
        int64_t end_ns = v->since_ns + PATIENCE_MS * NS_PER_MS;
        if (v->fd >= 0 && end_ns <= now_ns)
            dismiss(v);
        if (v->fd >= 0 && end_ns < until_ns)
            until_ns = end_ns;
        polled[i] = (struct pollfd){ .fd = v->fd, .events = POLLIN };
    }
    int64_t wait_ms = until_ns > now_ns ? (until_ns - now_ns) / NS_PER_MS + 1 : 0;
    int found = poll(polled, LOOPBACK_CONNECTIONS + 1, (int)wait_ms);
    return found >= 0 || errno == EINTR;
}

static enum manglecp_status fail_listening(struct buf *why)
{
    mgi_buf_printf(why, "the port of 127.0.0.1 cannot be listened at: %s", strerror(errno));
    return MANGLECP_ERR_TRANSPORT;
}

static enum manglecp_status await(struct loopback *l, int64_t deadline_ns, const char **code,
                                  struct buf *why)
{
    struct pollfd polled[LOOPBACK_CONNECTIONS + 1];
    while (mgi_clock_mono_ns() < deadline_ns) {
        if (!wait_for_somebody(l, deadline_ns, polled))
            return fail_listening(why);
        for (size_t i = 0; i < LOOPBACK_CONNECTIONS; i++) {
            enum oauth_redirect what = OAUTH_ELSEWHERE;
            if (polled[i].fd >= 0 && polled[i].revents)
                what = hear(l, &l->visitors[i], code, why);
            if (what == OAUTH_CODE)
                return MANGLECP_OK;
            if (what == OAUTH_REFUSED || what == OAUTH_NOMEM)
                return what == OAUTH_NOMEM ? MANGLECP_ERR_NOMEM : MANGLECP_ERR_CREDENTIALS;
        }
        if (polled[LOOPBACK_CONNECTIONS].revents && !let_in(l))
            return fail_listening(why);
    }
    mgi_buf_puts(why, "nobody came back from the browser in time");
    if (l->strangers > 0)
        mgi_buf_printf(why, "; %u who came knew nothing of this login (wrong state)", l->strangers);
    return MANGLECP_ERR_TIMEOUT;
}

enum manglecp_status mgi_loopback_await(int listener, const struct oauth_attempt *attempt,
                                        int64_t deadline_ns, struct arena *a, const char **code,
                                        struct buf *why)
{
    struct loopback l = { .listener = listener, .attempt = attempt, .arena = a };
    for (size_t i = 0; i < LOOPBACK_CONNECTIONS; i++)
        l.visitors[i].fd = -1;
    enum manglecp_status status = await(&l, deadline_ns, code, why);
    for (size_t i = 0; i < LOOPBACK_CONNECTIONS; i++)
        if (l.visitors[i].fd >= 0)
            dismiss(&l.visitors[i]);
    mgi_loopback_close(listener);
    return status;
}
