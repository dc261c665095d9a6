/* A link to a child process over its standard input and output, a line each way. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>

#include "base/alloc.h"
#include "base/time.h"
#include "client/client_int.h"

#define ANSWER_BYTES ((size_t)64 * 1024 * 1024)
#define EXIT_WAIT_MS 2000

struct stdio_link {
    struct link link;
    pid_t child;
    int to, from;
    struct buf kept; /* bytes behind the last line */
};

extern char **environ;

/* Wait until `fd` is ready or the deadline has passed. */
static enum manglecp_status wait_for(int fd, short events, int64_t deadline_ns, struct buf *why)
{
    for (;;) {
        int64_t left_ms = (deadline_ns - mgi_clock_mono_ns()) / NS_PER_MS;
        if (left_ms <= 0) {
            mgi_buf_puts(why, "the server did not answer in time");
            return MANGLECP_ERR_TIMEOUT;
        }
        struct pollfd p = { .fd = fd, .events = events };
        int n = poll(&p, 1, left_ms > 60000 ? 60000 : (int)left_ms);
        if (n > 0)
            return MANGLECP_OK;
        if (n < 0 && errno != EINTR) {
            mgi_buf_printf(why, "poll: %s", strerror(errno));
            return MANGLECP_ERR_TRANSPORT;
        }
    }
}

static bool take_line(struct stdio_link *l, struct buf *answer)
{
    const char *lf = l->kept.len ? memchr(l->kept.ptr, '\n', l->kept.len) : NULL;
    if (!lf)
        return false;
    size_t len = (size_t)(lf - l->kept.ptr);
    mgi_buf_clear(answer);
    mgi_buf_append(answer, l->kept.ptr, len);
    memmove(l->kept.ptr, lf + 1, l->kept.len - len - 1);
    l->kept.len -= len + 1;
    return true;
}

static enum manglecp_status receive_until(struct stdio_link *l, struct buf *answer,
                                          int64_t deadline_ns, struct buf *why)
{
    char chunk[65536];
    l->kept.limit = ANSWER_BYTES;
    while (!take_line(l, answer)) {
        enum manglecp_status status = wait_for(l->from, POLLIN, deadline_ns, why);
        if (status)
            return status;
        ssize_t n = read(l->from, chunk, sizeof chunk);
        if (n == 0) {
            mgi_buf_puts(why, "the server ended without an answer");
            return MANGLECP_ERR_TRANSPORT;
        }
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        if (n < 0) {
            mgi_buf_printf(why, "reading from the server: %s", strerror(errno));
            return MANGLECP_ERR_TRANSPORT;
        }
        mgi_buf_append(&l->kept, chunk, (size_t)n);
        if (l->kept.oom)
            return MANGLECP_ERR_NOMEM;
    }
    return answer->oom ? MANGLECP_ERR_NOMEM : MANGLECP_OK;
}

static enum manglecp_status stdio_receive(struct link *link, struct buf *answer, int64_t timeout_ms,
                                          struct buf *why)
{
    return receive_until((struct stdio_link *)link, answer,
                         mgi_clock_mono_ns() + timeout_ms * NS_PER_MS, why);
}

/* Writing while the server's answers wait to be read must not deadlock: read when it cannot be
 * written. */
static enum manglecp_status write_all(struct stdio_link *l, struct str text, int64_t deadline_ns,
                                      struct buf *why)
{
    char chunk[65536];
    while (text.len > 0) {
        ssize_t n = write(l->to, text.ptr, text.len);
        if (n > 0) {
            text.ptr += n;
            text.len -= (size_t)n;
            continue;
        }
        if (errno != EAGAIN && errno != EINTR) {
            mgi_buf_printf(why, "writing to the server: %s", strerror(errno));
            return MANGLECP_ERR_TRANSPORT;
        }
        struct pollfd p[2] = { { .fd = l->to, .events = POLLOUT },
                               { .fd = l->from, .events = POLLIN } };
        if (mgi_clock_mono_ns() > deadline_ns) {
            mgi_buf_puts(why, "the server does not read");
            return MANGLECP_ERR_TIMEOUT;
        }
        if (poll(p, 2, 1000) > 0 && (p[1].revents & POLLIN)) {
            ssize_t got = read(l->from, chunk, sizeof chunk);
            if (got > 0)
                mgi_buf_append(&l->kept, chunk, (size_t)got);
        }
    }
    return MANGLECP_OK;
}

static enum manglecp_status stdio_send(struct link *link, const char *type, struct str message,
                                       struct buf *answer, int64_t timeout_ms, struct buf *why)
{
    (void)type;
    struct stdio_link *l = (struct stdio_link *)link;
    int64_t deadline_ns = mgi_clock_mono_ns() + timeout_ms * NS_PER_MS;
    enum manglecp_status status = write_all(l, message, deadline_ns, why);
    if (!status)
        status = write_all(l, STR_LIT("\n"), deadline_ns, why);
    return status ? status : receive_until(l, answer, deadline_ns, why);
}

/* End of input ends the server (P-STDIO-5); one that does not go is told, then killed. */
static void stdio_close(struct link *link)
{
    struct stdio_link *l = (struct stdio_link *)link;
    static const int signals[] = { 0, SIGTERM, SIGKILL };
    close(l->to);
    close(l->from);
    for (size_t i = 0; i < 3 && l->child > 0; i++) {
        if (signals[i])
            kill(l->child, signals[i]);
        for (int waited = 0; waited < EXIT_WAIT_MS && l->child > 0; waited += 5) {
            if (waitpid(l->child, NULL, WNOHANG) != 0)
                l->child = 0;
            else
                nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
        }
    }
    mgi_buf_fini(&l->kept);
    mgi_free(l);
}

static const struct link_table stdio_table = { stdio_send, stdio_receive, stdio_close };

static int spawn(struct stdio_link *l, const char *const *argv)
{
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0)
        return errno;
    if (pipe2(out, O_CLOEXEC) != 0) {
        int fault = errno;
        close(in[0]);
        close(in[1]);
        return fault;
    }
    posix_spawn_file_actions_t actions;
    int rc = posix_spawn_file_actions_init(&actions);
    if (rc == 0) {
        rc = posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
        if (rc == 0)
            rc = posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
        if (rc == 0)
            rc = posix_spawnp(&l->child, argv[0], &actions, NULL, (char *const *)argv, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(in[0]);
    close(out[1]);
    l->to = in[1];
    l->from = out[0];
    if (rc == 0 &&
        (fcntl(l->to, F_SETFL, O_NONBLOCK) != 0 || fcntl(l->from, F_SETFL, O_NONBLOCK) != 0))
        rc = errno;
    return rc;
}

struct link *mgi_link_stdio(const char *const *argv, int64_t timeout_ms, struct buf *manifest,
                            enum manglecp_status *status, struct buf *why)
{
    struct stdio_link *l = mgi_calloc(1, sizeof *l);
    *status = MANGLECP_ERR_NOMEM;
    if (!l)
        return NULL;
    l->link.table = &stdio_table;
    l->to = l->from = -1;
    int rc = spawn(l, argv);
    if (rc != 0) {
        mgi_buf_printf(why, "could not start %s: %s", argv[0], strerror(rc));
        *status = MANGLECP_ERR_TRANSPORT;
        stdio_close(&l->link);
        return NULL;
    }
    *status = stdio_receive(&l->link, manifest, timeout_ms, why);
    struct arena arena;
    struct envelope e;
    struct wire_error fault = { .retry_after_ms = -1 };
    mgi_arena_init(&arena, 0);
    if (!*status && (!mgi_envelope_parse(&arena, mgi_buf_view(manifest), SIZE_MAX, 0, FROM_SERVER,
                                         &e, &fault) ||
                     e.type != MSG_MANIFEST)) {
        mgi_buf_printf(why, "%s does not begin with a manifest: no MangleCP server", argv[0]);
        *status = MANGLECP_ERR_TRANSPORT;
    }
    mgi_arena_fini(&arena);
    if (*status) {
        stdio_close(&l->link);
        return NULL;
    }
    return &l->link;
}
