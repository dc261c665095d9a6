/* DevTools of a browser that is none: a process that listens, tells where its WebSocket is, and
 * carries messages between that and a browser of fake_browser.h. Or it says something else, as a
 * test wants it. A process, so that what a test does to this one (memory that fails) is not done to
 * it. */
#ifndef TESTS_BROWSER_FAKE_DEVTOOLS_H
#define TESTS_BROWSER_FAKE_DEVTOOLS_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "browser/fake_browser.h"
#include "net/answer_head.h"
#include "net/ws.h"

struct fake_devtools {
    const char *mode;    /* of the browser (fake_browser.h) */
    const char *version; /* in place of the answer to GET /json/version */
    const char *upgrade; /* in place of the answer to the handshake */
    const char *after;   /* frames that follow it, and nothing else */
    size_t after_len;
    unsigned port; /* 0: any */
    pid_t pid;
};

static void devtools_send(int fd, const char *text, size_t len)
{
    for (ssize_t n; len > 0; text += n, len -= (size_t)n)
        if ((n = send(fd, text, len, MSG_NOSIGNAL)) <= 0)
            _exit(0);
}

/* A message in two frames, with a question whether somebody is there between them. */
static void devtools_say(int fd, struct str text)
{
    uint8_t head[WS_HEAD_MAX];
    size_t first = text.len < 5 ? text.len : 5;
    size_t len = mgi_ws_head(head, WS_OP_TEXT, first, NULL);
    head[0] = (uint8_t)(head[0] & 0x7f);
    devtools_send(fd, (const char *)head, len);
    devtools_send(fd, text.ptr, first);
    devtools_send(fd, "\x89\x02hm", 4);
    len = mgi_ws_head(head, WS_OP_CONTINUATION, text.len - first, NULL);
    devtools_send(fd, (const char *)head, len);
    devtools_send(fd, text.ptr + first, text.len - first);
}

static void devtools_be_browser(const struct fake_devtools *d, int in, int out)
{
    char *argv[] = { (char *)(uintptr_t) "fake", (char *)(uintptr_t) "--remote-debugging-pipe" };
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setenv("LANG", d->mode, 1);
    int from = dup(in), to = dup(out);
    dup2(from, 3);
    dup2(to, 4);
    for (int fd = 5; fd < 64; fd++)
        close(fd);
    fake_browser(2, argv);
    _exit(0);
}

/* What the client says goes to the browser, with a NUL; its own end ends this. */
static bool devtools_pass_up(int fd, struct ws *codec, int to)
{
    char bytes[65536];
    struct ws_event event;
    ssize_t n = recv(fd, bytes, sizeof bytes, 0);
    struct str input = { bytes, n > 0 ? (size_t)n : 0 };
    if (n <= 0)
        return false;
    do {
        mgi_ws_next(codec, &input, &event);
        if (event.kind == WS_CLOSE || event.kind == WS_FAULT)
            return false;
        if (event.kind == WS_TEXT &&
            (write(to, event.bytes.ptr, event.bytes.len) < 0 || write(to, "", 1) < 0))
            return false;
    } while (event.kind != WS_NONE);
    return true;
}

static bool devtools_pass_down(int fd, int from, struct buf *kept)
{
    char bytes[65536], *end;
    ssize_t n = read(from, bytes, sizeof bytes);
    if (n <= 0)
        return false;
    mgi_buf_append(kept, bytes, (size_t)n);
    size_t at = 0;
    while ((end = memchr(kept->ptr + at, '\0', kept->len - at)) != NULL) {
        size_t len = (size_t)(end - kept->ptr) - at;
        devtools_say(fd, (struct str){ kept->ptr + at, len });
        at += len + 1;
    }
    memmove(kept->ptr, kept->ptr + at, kept->len - at);
    kept->len -= at;
    return true;
}

static void devtools_carry(const struct fake_devtools *d, int fd)
{
    const struct ws_codec_options options = { .role = WS_SERVER, .max_message = 1u << 24 };
    struct ws codec;
    struct buf kept = { 0 };
    int in[2], out[2];
    if (pipe(in) != 0 || pipe(out) != 0)
        _exit(1);
    pid_t pid = fork();
    if (pid == 0)
        devtools_be_browser(d, in[0], out[1]);
    close(in[0]);
    close(out[1]);
    mgi_ws_init(&codec, &options);
    bool more = true;
    while (more) {
        struct pollfd all[2] = { { .fd = fd, .events = POLLIN },
                                 { .fd = out[0], .events = POLLIN } };
        if (poll(all, 2, -1) < 0)
            break;
        more = !all[0].revents || devtools_pass_up(fd, &codec, in[1]);
        more = more && (!all[1].revents || devtools_pass_down(fd, out[0], &kept));
    }
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close(in[1]);
    close(out[0]);
    mgi_ws_fini(&codec);
    mgi_buf_fini(&kept);
}

static void devtools_shake_hands(const struct fake_devtools *d, int fd, const char *asked)
{
    struct str key = { 0 };
    struct buf answer = { 0 };
    if (d->upgrade) {
        devtools_send(fd, d->upgrade, strlen(d->upgrade));
        return;
    }
    mgi_answer_head_field(str_of(asked), "sec-websocket-key", &key);
    mgi_buf_puts(&answer, "HTTP/1.1 101 WebSocket Protocol Handshake\r\n");
    mgi_ws_put_acceptance(&answer, key, NULL);
    mgi_buf_puts(&answer, "\r\n");
    devtools_send(fd, answer.ptr, answer.len);
    mgi_buf_fini(&answer);
    if (!d->after)
        devtools_carry(d, fd);
    else
        devtools_send(fd, d->after, d->after_len);
}

static void devtools_answer(const struct fake_devtools *d, int fd)
{
    char asked[4096], text[512];
    ssize_t n, len = 0;
    while ((n = recv(fd, asked + len, sizeof asked - 1 - (size_t)len, 0)) > 0) {
        len += n;
        asked[len] = '\0';
        if (strstr(asked, "\r\n\r\n"))
            break;
    }
    if (n <= 0)
        return;
    if (strstr(asked, "Upgrade:")) {
        devtools_shake_hands(d, fd, asked);
        return;
    }
    /* The host is another one: only the path counts. */
    static const char body[] =
        "{\"webSocketDebuggerUrl\":\"ws://192.0.2.1:1/devtools/browser/B1\"}";
    snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\nContent-Length:%zu\r\n\r\n%s", strlen(body),
             body);
    const char *said = d->version ? d->version : text;
    devtools_send(fd, said, strlen(said));
}

static inline void fake_devtools_start(struct fake_devtools *d)
{
    struct sockaddr_in at = { .sin_family = AF_INET,
                              .sin_port = htons((uint16_t)d->port),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof at;
    const int one = 1;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (struct sockaddr *)&at, len) != 0 || listen(listener, 8) != 0 ||
        getsockname(listener, (struct sockaddr *)&at, &len) != 0)
        abort();
    d->port = ntohs(at.sin_port);
    d->pid = fork();
    if (d->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;) {
            int fd = accept(listener, NULL, NULL);
            char rest[256];
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
            devtools_answer(d, fd);
            shutdown(fd, SHUT_WR);
            while (recv(fd, rest, sizeof rest, 0) > 0)
                ; /* nobody is reset before he has read */
            close(fd);
        }
    }
    close(listener);
}

static inline void fake_devtools_stop(struct fake_devtools *d)
{
    kill(d->pid, SIGKILL);
    waitpid(d->pid, NULL, 0);
}

#endif
