/* mcp_everything           over stdin and stdout
 * mcp_everything --http    on a free port of 127.0.0.1, which it prints; until stdin ends
 *
 * One loop of poll(2). A program of the tests: it may block, and its connections are few. */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/lines.h"
#include "everything.h"
#include "mcp/http.h"
#include "net/http1.h"
#include "sys/clock.h"
#include "sys/random.h"

#define CONNECTIONS_MOST 64

struct connection {
    int fd; /* -1: free */
    struct http1 codec;
    struct buf in, body;
    bool busy, streams, broken;
};

struct program {
    struct things things;
    struct mcp_server *server;
    struct mcp_http *http;
    struct mcp_peer *peer; /* stdio */
    struct connection connections[CONNECTIONS_MOST];
    bool more_tools, more_prompts;
};

static int64_t now_ms(void *context)
{
    struct program *p = context;
    p->things.now_ms = mgi_clock_mono_ns() / 1000000;
    return p->things.now_ms;
}

static bool random_bytes(void *context, void *bytes, size_t len)
{
    (void)context;
    return mgi_random(bytes, len);
}

/* ---- what goes out -------------------------------------------------------------------------- */

static void send_all(struct connection *c, struct str bytes)
{
    while (bytes.len > 0 && !c->broken) {
        ssize_t n = send(c->fd, bytes.ptr, bytes.len, MSG_NOSIGNAL);
        if (n <= 0) {
            c->broken = true;
            return;
        }
        bytes = (struct str){ bytes.ptr + n, bytes.len - (size_t)n };
    }
}

static void send_head(struct connection *c, const struct mcp_response *r, bool stream)
{
    struct buf out = { 0 };
    char length[32];
    snprintf(length, sizeof length, "%zu", r->body.len);
    mgi_http1_begin(&out, r->status);
    for (size_t i = 0; i < r->header_count; i++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", STR_ARG(r->headers[i].name));
        mgi_http1_put(&out, name, r->headers[i].value);
    }
    if (stream)
        mgi_http1_put(&out, "Connection", STR_LIT("close"));
    else
        mgi_http1_put(&out, "Content-Length", str_of(length));
    mgi_http1_done(&out);
    mgi_buf_str(&out, r->body);
    send_all(c, mgi_buf_view(&out));
    mgi_buf_fini(&out);
}

static void answer(void *context, void *tag, const struct mcp_response *r)
{
    struct connection *c = tag;
    (void)context;
    send_head(c, r, false);
    c->busy = false;
}

static void open_stream(void *context, void *tag, const struct mcp_response *r)
{
    struct connection *c = tag;
    (void)context;
    c->streams = true;
    send_head(c, r, true);
}

static void write_stream(void *context, void *tag, struct str bytes)
{
    (void)context;
    send_all(tag, bytes);
}

static void end_stream(void *context, void *tag)
{
    struct connection *c = tag;
    (void)context;
    c->busy = false;
    c->broken = true; /* its end is the end of the connection */
}

static void write_line(void *context, const struct mcp_outgoing *m)
{
    (void)context;
    if (m->text.len == 0)
        return;
    fwrite(m->text.ptr, 1, m->text.len, stdout);
    putchar('\n');
    fflush(stdout);
}

/* ---- HTTP ----------------------------------------------------------------------------------- */

static void close_connection(struct program *p, struct connection *c)
{
    if (c->busy)
        mgi_mcp_http_gone(p->http, c);
    close(c->fd);
    mgi_http1_fini(&c->codec);
    mgi_buf_fini(&c->in);
    mgi_buf_fini(&c->body);
    *c = (struct connection){ .fd = -1 };
}

static void run_request(struct program *p, struct connection *c)
{
    struct mcp_header headers[HTTP1_FIELDS_MAX];
    struct mcp_request r = { .method = c->codec.request.method,
                             .headers = headers,
                             .body = mgi_buf_view(&c->body),
                             .tag = c };
    struct str rest = { 0 };
    while (r.header_count < HTTP1_FIELDS_MAX &&
           mgi_http1_field(&c->codec.request, &rest, &headers[r.header_count].name,
                           &headers[r.header_count].value))
        r.header_count++;
    c->busy = true;
    mgi_mcp_http_request(p->http, &r);
}

/* One request at a time: what comes behind it waits. */
static void read_requests(struct program *p, struct connection *c)
{
    struct str input = mgi_buf_view(&c->in), piece;
    size_t all = input.len;
    while (!c->busy && !c->broken) {
        enum http1_event e = mgi_http1_next(&c->codec, &input, &piece);
        if (e == HTTP1_MORE)
            break;
        if (e == HTTP1_HEAD && !mgi_http1_keep(&c->codec))
            c->broken = true;
        if (e == HTTP1_BODY)
            mgi_buf_str(&c->body, piece);
        if (e == HTTP1_END) {
            run_request(p, c);
            mgi_buf_clear(&c->body);
        }
        if (e == HTTP1_FAULT || c->body.len > MCP_MESSAGE_BYTES)
            c->broken = true;
    }
    if (all - input.len > 0) {
        memmove(c->in.ptr, input.ptr, input.len);
        c->in.len = input.len;
    }
}

static void read_some(struct program *p, struct connection *c)
{
    char bytes[65536];
    ssize_t n = recv(c->fd, bytes, sizeof bytes, 0);
    if (n > 0)
        mgi_buf_append(&c->in, bytes, (size_t)n);
    else
        c->broken = true;
    if (!c->broken)
        read_requests(p, c);
}

static void accept_one(struct program *p, int listener)
{
    int fd = accept(listener, NULL, NULL);
    for (int i = 0; fd >= 0 && i < CONNECTIONS_MOST; i++) {
        if (p->connections[i].fd >= 0)
            continue;
        p->connections[i].fd = fd;
        return;
    }
    if (fd >= 0)
        close(fd);
}

static int listen_somewhere(void)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof a;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) || listen(fd, 64) ||
        getsockname(fd, (struct sockaddr *)&a, &len)) {
        perror("mcp_everything");
        return -1;
    }
    printf("%d\n", ntohs(a.sin_port));
    fflush(stdout);
    return fd;
}

/* ---- the loop ------------------------------------------------------------------------------- */

static void swap_lists(struct program *p)
{
    if (!p->things.tools_changed && !p->things.prompts_changed)
        return;
    p->more_tools ^= p->things.tools_changed;
    p->more_prompts ^= p->things.prompts_changed;
    p->things.tools_changed = p->things.prompts_changed = false;
    struct mcp_server *s = everything_server(&p->things, p->more_tools, p->more_prompts);
    if (!s)
        return;
    if (p->http)
        mgi_mcp_http_serve(p->http, s);
    if (p->peer)
        mgi_mcp_serve(p->peer, s);
    mgi_mcp_server_unref(p->server);
    p->server = s;
}

static int time_left(struct program *p)
{
    int64_t next = everything_next(&p->things);
    int64_t other = p->http ? mgi_mcp_http_next_tick(p->http) : mgi_mcp_next_tick(p->peer);
    next = other < next ? other : next;
    int64_t now = now_ms(p);
    if (next == INT64_MAX)
        return -1;
    return next <= now ? 0 : next - now > 60000 ? 60000 : (int)(next - now);
}

static void pass_time(struct program *p)
{
    now_ms(p);
    everything_step(&p->things);
    if (p->http)
        mgi_mcp_http_tick(p->http);
    if (p->peer)
        mgi_mcp_tick(p->peer);
    swap_lists(p);
}

static void serve_http(struct program *p, int listener)
{
    bool over = false;
    while (!over) {
        struct pollfd fds[CONNECTIONS_MOST + 2] = { { .fd = listener, .events = POLLIN },
                                                    { .fd = 0, .events = POLLIN } };
        for (int i = 0; i < CONNECTIONS_MOST; i++)
            fds[i + 2] = (struct pollfd){ .fd = p->connections[i].fd, .events = POLLIN };
        if (poll(fds, CONNECTIONS_MOST + 2, time_left(p)) < 0 && errno != EINTR)
            return;
        char rest[256];
        over = fds[1].revents && read(0, rest, sizeof rest) <= 0;
        for (int i = 0; i < CONNECTIONS_MOST; i++)
            if (fds[i + 2].revents)
                read_some(p, &p->connections[i]);
        if (fds[0].revents)
            accept_one(p, listener);
        pass_time(p);
        for (int i = 0; i < CONNECTIONS_MOST; i++) {
            struct connection *c = &p->connections[i];
            if (c->fd >= 0 && !c->broken && !c->busy)
                read_requests(p, c);
            if (c->fd >= 0 && c->broken)
                close_connection(p, c);
        }
    }
}

static void serve_lines(struct program *p)
{
    struct lines lines;
    struct mcp_route route = { 0 };
    char bytes[65536];
    mgi_lines_init(&lines, MCP_MESSAGE_BYTES);
    for (;;) {
        struct pollfd fd = { .fd = 0, .events = POLLIN };
        if (poll(&fd, 1, time_left(p)) < 0 && errno != EINTR)
            break;
        if (fd.revents) {
            ssize_t n = read(0, bytes, sizeof bytes);
            if (n <= 0)
                break;
            struct str input = { bytes, (size_t)n }, line;
            for (enum line_event e; (e = mgi_lines_next(&lines, &input, &line)) != LINE_NONE;)
                if (e == LINE_TEXT)
                    mgi_mcp_receive(p->peer, line, &route);
        }
        pass_time(p);
    }
    mgi_lines_fini(&lines);
}

int main(int argc, char **argv)
{
    static struct program p;
    bool http = argc == 2 && strcmp(argv[1], "--http") == 0;
    struct mcp_http_options o = { .out = { &p, answer, open_stream, write_stream, end_stream,
                                           now_ms, random_bytes } };
    struct mcp_peer_options lines = { .context = &p, .send = write_line, .now_ms = now_ms };
    if (argc > 1 && !http) {
        fprintf(stderr, "usage: mcp_everything [--http]\n");
        return 2;
    }
    for (int i = 0; i < CONNECTIONS_MOST; i++)
        p.connections[i].fd = -1;
    now_ms(&p);
    p.server = everything_server(&p.things, false, false);
    if (p.server && http)
        p.http = mgi_mcp_http_new(p.server, &o);
    else if (p.server)
        p.peer = mgi_mcp_peer_new(p.server, &lines);
    int listener = p.http ? listen_somewhere() : -1;
    bool fine = p.peer || listener >= 0;
    if (listener >= 0)
        serve_http(&p, listener);
    else if (p.peer)
        serve_lines(&p);
    for (int i = 0; i < CONNECTIONS_MOST; i++)
        if (p.connections[i].fd >= 0)
            close_connection(&p, &p.connections[i]);
    mgi_mcp_http_free(p.http);
    mgi_mcp_peer_free(p.peer);
    mgi_mcp_server_unref(p.server);
    return fine ? 0 : 1;
}
