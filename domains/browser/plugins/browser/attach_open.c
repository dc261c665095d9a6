/* Connecting to DevTools: see attach.h. Two connections, one after the other: what follows a GET on
 * the first one is the browser's affair. */
#include "attach.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>

#include "net/answer_head.h"

#define LOOK_MS 40 /* how often it is looked whether it is still wanted */

struct attempt {
    const struct attach_place *place;
    const struct talk_patience *patience;
    struct buf *why;
    int fd;
};

static bool say(const struct attempt *a, const char *text)
{
    mgi_buf_puts(a->why, text);
    return false;
}

/* False: the patience is over, which is said. */
static bool await_ready(const struct attempt *a, short events)
{
    for (;;) {
        struct pollfd one = { .fd = a->fd, .events = events };
        int64_t left = a->patience->until_ms - mgi_talk_now_ms();
        if (a->patience->cancelled && a->patience->cancelled(a->patience->context))
            return say(a, "cancelled");
        if (left <= 0)
            return say(a, "it did not answer in time");
        int n = poll(&one, 1, left < LOOK_MS ? (int)left : LOOK_MS);
        if (n > 0)
            return true;
        if (n < 0 && errno != EINTR)
            return say(a, strerror(errno));
    }
}

/* ---- connecting ----------------------------------------------------------------------------- */

/* 0, or errno; -1: the patience is over. */
static int connect_once(struct attempt *a, const struct sockaddr_storage *at)
{
    int error = 0;
    socklen_t room = sizeof error, len = at->ss_family == AF_INET ? sizeof(struct sockaddr_in)
                                                                  : sizeof(struct sockaddr_in6);
    const int one = 1;
    a->fd = socket(at->ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (a->fd < 0)
        return errno;
    setsockopt(a->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one); /* commands are small */
    if (connect(a->fd, (const struct sockaddr *)at, len) == 0)
        return 0;
    if (errno != EINPROGRESS)
        return errno;
    if (!await_ready(a, POLLOUT))
        return -1;
    getsockopt(a->fd, SOL_SOCKET, SO_ERROR, &error, &room);
    return error;
}

static void hang_up(struct attempt *a)
{
    if (a->fd >= 0)
        close(a->fd);
    a->fd = -1;
}

static bool connect_to_place(struct attempt *a)
{
    int error = ECONNREFUSED, first = 0;
    for (unsigned i = 0; i < a->place->count && error > 0; i++) {
        error = connect_once(a, &a->place->at[i]);
        if (error == 0)
            return true;
        hang_up(a);
        first = i == 0 ? error : first; /* of two loopbacks the second is perhaps not there */
    }
    if (error < 0)
        return false;
    if (first != ECONNREFUSED)
        return say(a, strerror(first));
    return say(a, "nobody listens there; a browser does that was started with "
                  "--remote-debugging-port");
}

static bool send_whole(const struct attempt *a, struct str text)
{
    while (text.len > 0) {
        ssize_t n = send(a->fd, text.ptr, text.len, MSG_NOSIGNAL);
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
            if (!await_ready(a, POLLOUT))
                return false;
            continue;
        }
        if (n < 0)
            return say(a, strerror(errno));
        text.ptr += n;
        text.len -= (size_t)n;
    }
    return true;
}

/* Up to `most` bytes more. False: it is said why; *over: there is no more. */
static bool read_more(const struct attempt *a, struct buf *into, size_t most, bool *over)
{
    char bytes[4096];
    for (;;) {
        ssize_t n = recv(a->fd, bytes, most < sizeof bytes ? most : sizeof bytes, 0);
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return say(a, strerror(errno));
        if (n >= 0) {
            *over = n == 0;
            mgi_buf_append(into, bytes, (size_t)n);
            return !into->oom || say(a, "out of memory");
        }
        if (!await_ready(a, POLLIN))
            return false;
    }
}

/* ---- where its WebSocket is ----------------------------------------------------------------- */

static bool ask_version(const struct attempt *a, struct buf *answer, struct str *body)
{
    char request[256];
    bool over = false;
    enum attach_answer state = ATTACH_MORE;
    int n = snprintf(request, sizeof request, "GET /json/version HTTP/1.1\r\nHost: %s\r\n\r\n",
                     a->place->authority);
    if (!send_whole(a, (struct str){ request, (size_t)n }))
        return false;
    while (state == ATTACH_MORE) {
        if (!read_more(a, answer, SIZE_MAX, &over))
            return false;
        state = mgi_attach_answer(mgi_buf_view(answer), over, body, a->why);
    }
    return state == ATTACH_WHOLE;
}

static bool find_path(struct attempt *a, char path[ATTACH_PATH_MOST + 1])
{
    struct buf answer;
    struct arena arena;
    struct str body;
    const char *why = NULL;
    mgi_buf_init(&answer);
    mgi_arena_init(&arena, 16 * ATTACH_BODY_MOST);
    bool found = connect_to_place(a) && ask_version(a, &answer, &body);
    hang_up(a);
    if (found)
        why = mgi_attach_path(&arena, body, path);
    mgi_arena_fini(&arena);
    mgi_buf_fini(&answer);
    return found && (!why || say(a, why));
}

/* ---- the handshake -------------------------------------------------------------------------- */

/* One byte at a time: what follows the head is the socket's. */
static bool read_head(const struct attempt *a, struct buf *head)
{
    bool over = false;
    while (head->len < 4 || memcmp(head->ptr + head->len - 4, "\r\n\r\n", 4) != 0) {
        if (head->len >= ATTACH_HEAD_MOST)
            return say(a, "its answer has no head that ends");
        if (!read_more(a, head, 1, &over))
            return false;
        if (over)
            return say(a, "it closed the connection");
    }
    return true;
}

static bool judge_upgrade(const struct attempt *a, struct str head, const char *key)
{
    struct arena arena;
    struct ws_acceptance answer;
    mgi_arena_init(&arena, 64 * ATTACH_HEAD_MOST);
    bool read = mgi_answer_head_upgrade(&arena, head, &answer);
    const char *wrong =
        read ? mgi_ws_judge_acceptance(&answer, key, NULL) : "The server does not speak HTTP/1.1.";
    if (wrong)
        mgi_buf_printf(a->why, "its WebSocket is none: %s (status %d)", wrong, answer.status);
    mgi_arena_fini(&arena);
    return wrong == NULL;
}

static bool shake_hands(const struct attempt *a, const char *path)
{
    uint8_t random[16];
    char key[WS_KEY_TEXT + 1];
    struct buf text;
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return say(a, "the system has no randomness");
    mgi_ws_key(random, key);
    mgi_buf_init(&text);
    mgi_ws_put_offer(&text, path, a->place->authority, key, NULL, "");
    bool good = !text.oom ? send_whole(a, mgi_buf_view(&text)) : say(a, "out of memory");
    mgi_buf_clear(&text);
    if (good)
        good = read_head(a, &text) && judge_upgrade(a, (struct str){ text.ptr, text.len - 4 }, key);
    mgi_buf_fini(&text);
    return good;
}

bool mgi_attach_open(const struct attach_place *place, const struct talk_patience *patience,
                     struct socket_wire *out, struct buf *why)
{
    char path[ATTACH_PATH_MOST + 1];
    struct attempt a = { .place = place, .patience = patience, .why = why, .fd = -1 };
    memcpy(path, place->path, sizeof path);
    if (!path[0] && !find_path(&a, path))
        return false;
    if (!connect_to_place(&a) || !shake_hands(&a, path)) {
        hang_up(&a);
        return false;
    }
    mgi_socket_begin(out, a.fd);
    return true;
}
