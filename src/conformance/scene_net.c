/* Scenes over HTTP and WebSocket: a small server on loopback, in this process, that has one client,
 * a few connections and one scene at a time (scene.h).
 *
 * Over HTTP it answers reads of the manifest by itself, with the last one that the scene has
 * spoken; a POST waits for what the scene says next. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/time.h"
#include "client/sigpipe.h"
#include "conformance/conformance_int.h"
#include "conformance/scene.h"
#include "net/http1.h"
#include "net/ws.h"
#include "net/ws_upgrade.h"
#include "protocol/error.h"
#include "sys/clock.h"

#define CONNECTIONS 16
#define CHUNK       16384
#define BODY_BYTES  ((size_t)1 << 24)
#define WRITE_MS    2000
#define TICK_MS     20

struct guest {  /* a connection */
    int fd;     /* -1: none */
    bool talks; /* it is a WebSocket */
    bool waits; /* its POST has no answer yet */
    struct http1 http;
    struct ws ws;
    struct buf body, in;
    size_t at; /* in `in`: what lies before it was read */
};

struct scene_net {
    struct scene_way way; /* first: they are one */
    char url[96];
    int listener;
    long client; /* 0: it has ended */
    bool killed;
    int64_t until_ns;
    struct buf manifest, message;
    struct guest guests[CONNECTIONS];
};

static void fault(struct scene_net *n, const char *what)
{
    n->way.fault = n->way.fault ? n->way.fault : what;
}

/* ---- connections ----------------------------------------------------------------------------- */

static void close_guest(struct guest *g)
{
    if (g->fd >= 0)
        close(g->fd);
    g->fd = -1;
    if (g->talks)
        mgi_ws_fini(&g->ws);
    mgi_http1_fini(&g->http);
    mgi_buf_fini(&g->body);
    mgi_buf_fini(&g->in);
    *g = (struct guest){ .fd = -1 };
}

static bool write_all(int fd, struct str bytes)
{
    struct sigpipe_hold hold;
    int64_t until_ns = mgi_clock_mono_ns() + WRITE_MS * NS_PER_MS;
    bool good = true;
    mgi_sigpipe_hold(&hold);
    while (good && bytes.len > 0) {
        ssize_t sent = write(fd, bytes.ptr, bytes.len);
        if (sent > 0) {
            bytes = (struct str){ bytes.ptr + sent, bytes.len - (size_t)sent };
            continue;
        }
        struct pollfd p = { .fd = fd, .events = POLLOUT };
        good = (errno == EAGAIN || errno == EINTR) && mgi_clock_mono_ns() < until_ns &&
               poll(&p, 1, TICK_MS) >= 0;
    }
    mgi_sigpipe_release(&hold);
    return good;
}

static void let_in(struct scene_net *n)
{
    int fd = accept4(n->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    for (size_t i = 0; fd >= 0 && i < CONNECTIONS; i++)
        if (n->guests[i].fd < 0) {
            n->guests[i].fd = fd;
            return;
        }
    if (fd >= 0)
        close(fd);
}

/* ---- HTTP ------------------------------------------------------------------------------------ */

static void reply(struct guest *g, int status, struct str body)
{
    char length[24];
    struct buf out = { 0 };
    snprintf(length, sizeof length, "%zu", body.len);
    mgi_http1_begin(&out, status);
    mgi_http1_put(&out, "Content-Type", STR_LIT("application/json"));
    mgi_http1_put(&out, "Content-Length", str_of(length));
    mgi_http1_done(&out);
    mgi_buf_str(&out, body);
    if (out.oom || !write_all(g->fd, mgi_buf_view(&out)))
        close_guest(g);
    mgi_buf_fini(&out);
}

static void serve_manifest(struct scene_net *n, struct guest *g)
{
    n->way.reads++;
    if (n->manifest.len)
        reply(g, 200, mgi_buf_view(&n->manifest));
    else
        reply(g, 404, STR_LIT("{}"));
}

/* A bearer token in the head; where one is asked for, the lack of it is a fault. */
static bool is_authorized(struct scene_net *n, const struct http1_request *r)
{
    n->way.authorized = mgi_str_starts(mgi_http1_find(r, "Authorization"), STR_LIT("Bearer "));
    return n->way.authorized;
}

/* True: the body is a message for the scene. */
static bool take_request(struct scene_net *n, struct guest *g)
{
    const struct http1_request *r = &g->http.request;
    if (str_is(r->method, "GET") && str_is(r->path, SCENE_MANIFEST)) {
        serve_manifest(n, g);
        return false;
    }
    if (n->way.reads == 0)
        fault(n, "its first request is not for the manifest");
    bool posted = str_is(r->method, "POST");
    if (!posted || (!str_is(r->path, SCENE_EVALUATE) && !str_is(r->path, SCENE_INVOKE))) {
        fault(n, "it asks for a path that the manifest does not name");
        reply(g, 404, STR_LIT("{}"));
        return false;
    }
    (void)is_authorized(n, r);
    mgi_buf_clear(&n->message);
    mgi_buf_str(&n->message, mgi_buf_view(&g->body));
    g->waits = true;
    return true;
}

static void upgrade(struct scene_net *n, struct guest *g)
{
    static const struct ws_codec_options options = { WS_SERVER, false, BODY_BYTES, 0 };
    const struct http1_request *r = &g->http.request;
    struct str offered = mgi_http1_find(r, "Sec-WebSocket-Protocol");
    struct buf out = { 0 };
    (void)is_authorized(n, r);
    mgi_http1_begin(&out, 101);
    mgi_http1_put(&out, "Connection", STR_LIT("Upgrade"));
    mgi_ws_put_acceptance(&out, mgi_http1_find(r, "Sec-WebSocket-Key"),
                          mgi_ws_offers(offered, "manglecp") ? "manglecp" : NULL);
    mgi_http1_done(&out);
    g->talks = true;
    mgi_ws_init(&g->ws, &options);
    if (out.oom || !write_all(g->fd, mgi_buf_view(&out)))
        close_guest(g);
    mgi_buf_fini(&out);
}

/* What reading has come to: nothing is left to read, something was read, a message is there. */
enum step { IDLE, GOING, TOLD };

static enum step read_http(struct scene_net *n, struct guest *g, struct str *input)
{
    struct str body;
    switch (mgi_http1_next(&g->http, input, &body)) {
    case HTTP1_HEAD:
        mgi_buf_clear(&g->body);
        g->body.limit = BODY_BYTES;
        if (!mgi_http1_keep(&g->http))
            close_guest(g);
        else if (g->http.request.upgrade && str_is(g->http.request.path, SCENE_WEBSOCKET))
            upgrade(n, g);
        return GOING;
    case HTTP1_BODY:
        mgi_buf_str(&g->body, body);
        return GOING;
    case HTTP1_END:
        return take_request(n, g) ? TOLD : GOING;
    case HTTP1_FAULT:
        fault(n, "its HTTP is wrong");
        close_guest(g);
        return IDLE;
    case HTTP1_MORE:
        return IDLE;
    }
    return IDLE;
}

/* ---- WebSocket ------------------------------------------------------------------------------- */

static bool send_frame(struct guest *g, enum ws_opcode opcode, struct str payload)
{
    struct buf out = { 0 };
    mgi_ws_put(&out, opcode, payload, NULL);
    bool good = !out.oom && write_all(g->fd, mgi_buf_view(&out));
    mgi_buf_fini(&out);
    return good;
}

static enum step read_client(struct scene_net *n, struct guest *g, struct str *input)
{
    struct ws_event e;
    mgi_ws_next(&g->ws, input, &e);
    if (e.kind == WS_TEXT) {
        mgi_buf_clear(&n->message);
        mgi_buf_str(&n->message, e.bytes);
        return TOLD;
    }
    if (e.kind == WS_PING)
        (void)send_frame(g, WS_OP_PONG, e.bytes);
    if (e.kind == WS_FAULT)
        fault(n, "its WebSocket frames are wrong");
    if (e.kind == WS_CLOSE)
        (void)send_frame(g, WS_OP_CLOSE, STR_LIT("\x03\xe8"));
    if (e.kind == WS_FAULT || e.kind == WS_CLOSE)
        close_guest(g);
    return e.kind == WS_NONE ? IDLE : GOING;
}

/* ---- the way --------------------------------------------------------------------------------- */

/* What this connection has sent already. True: a message is there. */
static bool read_guest(struct scene_net *n, struct guest *g)
{
    enum step step = g->fd >= 0 && !g->waits ? GOING : IDLE;
    while (step == GOING) {
        struct str input = { g->in.len ? g->in.ptr + g->at : "", g->in.len - g->at };
        size_t before = input.len;
        step = g->talks ? read_client(n, g, &input) : read_http(n, g, &input);
        if (g->fd < 0)
            return false;
        g->at += before - input.len;
    }
    return step == TOLD;
}

static void receive(struct guest *g)
{
    if (g->at == g->in.len) {
        mgi_buf_clear(&g->in);
        g->at = 0;
    }
    bool room = g->in.len < BODY_BYTES && mgi_buf_reserve(&g->in, CHUNK);
    ssize_t got = room ? read(g->fd, g->in.ptr + g->in.len, CHUNK) : 0;
    if (got > 0)
        g->in.len += (size_t)got;
    else if (got == 0 || (errno != EAGAIN && errno != EINTR))
        close_guest(g);
}

static void look_after(struct scene_net *n)
{
    if (n->client > 0 && mgi_clock_mono_ns() > n->until_ns) {
        kill((pid_t)n->client, SIGKILL);
        n->killed = true;
    }
    if (n->client > 0 && waitpid((pid_t)n->client, NULL, n->killed ? 0 : WNOHANG) != 0)
        n->client = 0;
}

static void pump(struct scene_net *n, int wait_ms)
{
    struct pollfd p[CONNECTIONS + 1] = { { .fd = n->listener, .events = POLLIN } };
    for (size_t i = 0; i < CONNECTIONS; i++)
        p[i + 1] = (struct pollfd){ .fd = n->guests[i].fd, .events = POLLIN };
    if (poll(p, CONNECTIONS + 1, wait_ms) <= 0)
        return;
    for (size_t i = 0; i < CONNECTIONS; i++)
        if (p[i + 1].revents)
            receive(&n->guests[i]);
    if (p[0].revents)
        let_in(n);
}

static enum heard hear_net(struct scene_way *way, int64_t wait_ms, struct str *message)
{
    struct scene_net *n = (struct scene_net *)way;
    int64_t until_ns = mgi_clock_mono_ns() + wait_ms * NS_PER_MS;
    for (;;) {
        for (size_t i = 0; i < CONNECTIONS; i++)
            if (read_guest(n, &n->guests[i])) {
                *message = mgi_buf_view(&n->message);
                return HEARD_MESSAGE;
            }
        look_after(n);
        if (n->client == 0)
            return HEARD_END;
        if (mgi_clock_mono_ns() >= until_ns)
            return HEARD_NOTHING;
        pump(n, TICK_MS);
    }
}

static struct guest *find_guest(struct scene_net *n, bool talks)
{
    for (size_t i = 0; i < CONNECTIONS; i++)
        if (n->guests[i].fd >= 0 && (talks ? n->guests[i].talks : n->guests[i].waits))
            return &n->guests[i];
    return NULL;
}

static int status_of(const struct json *m)
{
    const struct wire_code_row *row = mgi_wire_code_by_name(mgi_text_at(m, "/payload/code"));
    return mgi_is_at(m, "/type", "error") && row ? row->http_status : 200;
}

static bool say_http(struct scene_net *n, struct str message)
{
    struct arena arena;
    struct json m;
    mgi_arena_init(&arena, 0);
    bool good = mgi_json_parse(&arena, message, NULL, &m, NULL) == JSON_OK;
    struct guest *g = find_guest(n, false);
    if (good && mgi_is_at(&m, "/type", "manifest")) {
        mgi_buf_clear(&n->manifest);
        mgi_buf_str(&n->manifest, message);
    } else if (good && g) {
        g->waits = false;
        reply(g, status_of(&m), message);
    }
    mgi_arena_fini(&arena);
    return good;
}

/* A session begins with what the scene says: so it is waited for. */
static bool say_net(struct scene_way *way, struct str message)
{
    struct scene_net *n = (struct scene_net *)way;
    if (way->over == OVER_HTTP)
        return say_http(n, message);
    struct guest *g;
    while (!(g = find_guest(n, true))) {
        for (size_t i = 0; i < CONNECTIONS; i++)
            if (read_guest(n, &n->guests[i]))
                fault(n, "a request came before the manifest");
        look_after(n);
        if (n->client == 0)
            return false;
        pump(n, TICK_MS);
    }
    return send_frame(g, WS_OP_TEXT, message);
}

/* ---- life ------------------------------------------------------------------------------------ */

static bool listen_here(struct scene_net *n, struct buf *why)
{
    struct sockaddr_in at = { .sin_family = AF_INET };
    socklen_t len = sizeof at;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    n->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool good = n->listener >= 0 && bind(n->listener, (struct sockaddr *)&at, len) == 0 &&
                listen(n->listener, CONNECTIONS) == 0 &&
                getsockname(n->listener, (struct sockaddr *)&at, &len) == 0;
    if (!good)
        mgi_buf_printf(why, "could not listen on loopback: %s", strerror(errno));
    bool session = n->way.over == OVER_WS;
    snprintf(n->url, sizeof n->url, "%s://127.0.0.1:%d%s", session ? "ws" : "http",
             ntohs(at.sin_port), session ? SCENE_WEBSOCKET : "");
    return good;
}

struct scene_net *mgi_scene_net_new(enum carrier over, struct buf *why)
{
    struct scene_net *n = mgi_calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->way = (struct scene_way){ .over = over, .say = say_net, .hear = hear_net };
    for (size_t i = 0; i < CONNECTIONS; i++)
        n->guests[i].fd = -1;
    if (listen_here(n, why))
        return n;
    mgi_scene_net_free(n);
    return NULL;
}

void mgi_scene_net_free(struct scene_net *n)
{
    if (!n)
        return;
    for (size_t i = 0; i < CONNECTIONS; i++)
        close_guest(&n->guests[i]);
    if (n->listener >= 0)
        close(n->listener);
    mgi_buf_fini(&n->manifest);
    mgi_buf_fini(&n->message);
    mgi_free(n);
}

const char *mgi_scene_net_url(const struct scene_net *n)
{
    return n->url;
}

bool mgi_scene_net_play(struct scene_net *n, const struct scene *scene, long client,
                        int64_t wait_ms, bool *passed, struct buf *why)
{
    struct str ignored;
    n->client = client;
    n->killed = false;
    n->until_ns = mgi_clock_mono_ns() + wait_ms * NS_PER_MS;
    n->way.fault = NULL;
    n->way.authorized = false;
    n->way.reads = 0;
    mgi_buf_clear(&n->manifest);
    *passed = mgi_scene_play(scene, &n->way, why);
    for (size_t i = 0; i < CONNECTIONS; i++)
        close_guest(&n->guests[i]);
    while (n->client > 0) /* it may say what it likes now */
        (void)hear_net(&n->way, TICK_MS, &ignored);
    for (size_t i = 0; i < CONNECTIONS; i++)
        close_guest(&n->guests[i]);
    return !n->killed;
}
