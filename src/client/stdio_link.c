/* A link to a child process over its standard streams, a line each way (P-STDIO-*, D-60).
 *
 * The child's standard error is the caller's, or comes line by line to whoever asked for it; it is
 * read whenever something is waited for. A child that is gone is not started again: what it knew is
 * gone with it, and why it went is not ours to know. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/lines.h"
#include "base/time.h"
#include "client/intake.h"
#include "client/links.h"
#include "client/plain_child.h"
#include "client/sigpipe.h"
#include "sys/clock.h"

#define LOG_BYTES    ((size_t)64 * 1024) /* of one line on standard error */
#define EXIT_WAIT_MS 2000                /* after the end of input, and again after SIGTERM */
#define EXIT_LOOK_MS 5
#define LATE_STEPS   1000 /* behind the deadline: what is there already, and no flood */
#define LOG_READS    64   /* at one time: a child that only talks must not keep us from our work */

struct stdio_link {
    struct link link;
    struct manglecp_options options;
    struct arena life;
    const char **argv; /* in `life` */
    pid_t child;
    int to, from, log; /* -1: not open */
    struct lines lines, log_lines;
    struct intake kept; /* what it wrote */
    bool ended;         /* its output */
};

extern char **environ;

/* ---- the child's standard error ---------------------------------------------------------------
 */

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Pass on what is there. */
static void take_log(struct stdio_link *l)
{
    char bytes[4096];
    struct str line;
    for (int reads = 0; l->log >= 0 && reads < LOG_READS; reads++) {
        ssize_t n = read(l->log, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n <= 0) {
            close_fd(&l->log);
            if (mgi_lines_end(&l->log_lines, &line) == LINE_TEXT)
                l->options.child_line(l->options.context, line.ptr, line.len);
            return;
        }
        struct str input = { bytes, (size_t)n };
        for (enum line_event e; (e = mgi_lines_next(&l->log_lines, &input, &line)) != LINE_NONE;)
            if (e == LINE_TEXT)
                l->options.child_line(l->options.context, line.ptr, line.len);
    }
}

/* ---- waiting ----------------------------------------------------------------------------------
 */

/* Wait until the child can be read from (or, with `write`, written to), or the deadline has passed.
 */
static enum manglecp_status wait_for(struct stdio_link *l, bool write, int64_t deadline_ns,
                                     struct buf *why)
{
    for (bool looked = false;; looked = true) {
        int64_t left_ms = (deadline_ns - mgi_clock_mono_ns() + NS_PER_MS - 1) / NS_PER_MS;
        if (left_ms <= 0 && looked) {
            mgi_buf_puts(why,
                         write ? "the server does not read" : "the server did not answer in time");
            return MANGLECP_ERR_TIMEOUT;
        }
        struct pollfd p[3] = { { .fd = l->ended ? -1 : l->from, .events = POLLIN },
                               { .fd = l->log, .events = POLLIN },
                               { .fd = write ? l->to : -1, .events = POLLOUT } };
        int n = poll(p, 3, left_ms <= 0 ? 0 : left_ms > 60000 ? 60000 : (int)left_ms);
        if (n < 0 && errno != EINTR) {
            mgi_buf_printf(why, "poll: %s", strerror(errno));
            return MANGLECP_ERR_TRANSPORT;
        }
        if (n > 0 && p[1].revents)
            take_log(l);
        if (n > 0 && (p[0].revents || p[2].revents))
            return MANGLECP_OK;
    }
}

/* ---- reading ----------------------------------------------------------------------------------
 */

/* The next chunk, if there is one now. */
static enum manglecp_status read_chunk(struct stdio_link *l, struct buf *why)
{
    char *room;
    enum manglecp_status status = mgi_intake_room(&l->kept, &room, why);
    if (status)
        return status;
    ssize_t n = read(l->from, room, INTAKE_CHUNK_BYTES);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return MANGLECP_OK;
    if (n < 0) {
        mgi_buf_printf(why, "reading from the server: %s", strerror(errno));
        return MANGLECP_ERR_TRANSPORT;
    }
    l->ended = n == 0;
    l->kept.bytes.len += (size_t)n;
    return MANGLECP_OK;
}

/* A line of what was read, or LINE_NONE. */
static enum line_event next_line(struct stdio_link *l, struct str *line)
{
    struct str rest = mgi_intake_rest(&l->kept);
    enum line_event e = mgi_lines_next(&l->lines, &rest, line);
    mgi_intake_leave(&l->kept, rest);
    return e == LINE_NONE && l->ended ? mgi_lines_end(&l->lines, line) : e;
}

static enum manglecp_status stdio_receive(struct link *link, struct incoming *in,
                                          int64_t deadline_ns, struct buf *why)
{
    struct stdio_link *l = (struct stdio_link *)link;
    struct str line;
    for (int late = 0; late < LATE_STEPS; late += mgi_clock_mono_ns() >= deadline_ns) {
        switch (next_line(l, &line)) {
        case LINE_TEXT:
            mgi_buf_clear(&in->text);
            mgi_buf_str(&in->text, line);
            in->http_status = 0;
            in->retry_after_ms = -1;
            return in->text.oom ? MANGLECP_ERR_NOMEM : MANGLECP_OK;
        case LINE_TOO_LONG:
            mgi_buf_printf(why, "the server sent a message of more than %zu MiB",
                           LINK_ANSWER_BYTES / (1024 * 1024));
            return MANGLECP_ERR_PROTOCOL;
        case LINE_NOMEM:
            return MANGLECP_ERR_NOMEM;
        case LINE_NONE:
            break;
        }
        if (l->ended) {
            take_log(l);
            mgi_buf_puts(why, "the server ended without an answer");
            return MANGLECP_ERR_TRANSPORT;
        }
        enum manglecp_status status = wait_for(l, false, deadline_ns, why);
        if (!status)
            status = read_chunk(l, why);
        if (status)
            return status;
    }
    /* Empty lines, or one line without end: something can always be read, so no wait ends it. */
    mgi_buf_puts(why, "the server did not answer in time, and talks without end");
    return MANGLECP_ERR_TIMEOUT;
}

/* ---- writing ----------------------------------------------------------------------------------
 */

static ssize_t write_some(int fd, struct str text)
{
    struct sigpipe_hold hold;
    mgi_sigpipe_hold(&hold);
    ssize_t n = write(fd, text.ptr, text.len);
    mgi_sigpipe_release(&hold);
    return n;
}

/* While what the server has to say waits to be read, it may not read: take it in. */
static enum manglecp_status write_all(struct stdio_link *l, struct str text, int64_t deadline_ns,
                                      struct buf *why)
{
    while (text.len > 0) {
        ssize_t n = write_some(l->to, text);
        if (n > 0) {
            text.ptr += n;
            text.len -= (size_t)n;
            continue;
        }
        if (errno != EAGAIN && errno != EINTR) {
            mgi_buf_printf(why, "writing to the server: %s", strerror(errno));
            return MANGLECP_ERR_TRANSPORT;
        }
        if (mgi_clock_mono_ns() >= deadline_ns) {
            mgi_buf_puts(why, "the server does not read");
            return MANGLECP_ERR_TIMEOUT;
        }
        enum manglecp_status status = wait_for(l, true, deadline_ns, why);
        if (!status && !l->ended)
            status = read_chunk(l, why);
        if (status)
            return status;
    }
    return MANGLECP_OK;
}

static enum manglecp_status stdio_send(struct link *link, enum link_message what,
                                       struct str message, int64_t deadline_ns, bool *left,
                                       struct buf *why)
{
    (void)what;
    struct stdio_link *l = (struct stdio_link *)link;
    enum manglecp_status status = write_all(l, message, deadline_ns, why);
    *left = !status; /* without its newline it is a message only once our end is closed (D-60) */
    if (!status)
        status = write_all(l, STR_LIT("\n"), deadline_ns, why);
    return status;
}

/* ---- the child ------------------------------------------------------------------------------- */

static int pipe_pair(int ends[2])
{
    ends[0] = ends[1] = -1;
    return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
}

static int set_nonblocking(int fd)
{
    return fd < 0 || fcntl(fd, F_SETFL, O_NONBLOCK) == 0 ? 0 : errno;
}

static int start(struct stdio_link *l, int in, int out, int log)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t how;
    int rc = mgi_plain_child(&how, 0);
    if (rc)
        return rc;
    rc = posix_spawn_file_actions_init(&actions);
    if (rc) {
        posix_spawnattr_destroy(&how);
        return rc;
    }
    rc = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (!rc)
        rc = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    if (!rc && log >= 0)
        rc = posix_spawn_file_actions_adddup2(&actions, log, STDERR_FILENO);
    if (!rc)
        rc = posix_spawnp(&l->child, l->argv[0], &actions, &how, (char *const *)l->argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&how);
    return rc;
}

static int spawn(struct stdio_link *l)
{
    int in[2], out[2] = { -1, -1 }, log[2] = { -1, -1 };
    int rc = pipe_pair(in);
    if (!rc)
        rc = pipe_pair(out);
    if (!rc && l->options.child_line)
        rc = pipe_pair(log);
    if (!rc)
        rc = start(l, in[0], out[1], log[1]);
    close_fd(&in[0]);
    close_fd(&out[1]);
    close_fd(&log[1]);
    l->to = in[1];
    l->from = out[0];
    l->log = log[0];
    if (!rc)
        rc = set_nonblocking(l->to);
    if (!rc)
        rc = set_nonblocking(l->from);
    return rc ? rc : set_nonblocking(l->log);
}

static enum manglecp_status stdio_open(struct link *link, struct incoming *first,
                                       int64_t deadline_ns, struct buf *why)
{
    struct stdio_link *l = (struct stdio_link *)link;
    int rc = spawn(l);
    if (rc) {
        mgi_buf_printf(why, "could not start %s: %s", l->argv[0], strerror(rc));
        return MANGLECP_ERR_TRANSPORT;
    }
    return stdio_receive(link, first, deadline_ns, why);
}

/* Wait for its end for so long; its last words are passed on. */
static void await_exit(struct stdio_link *l, int64_t wait_ms)
{
    int64_t until_ns = mgi_clock_mono_ns() + wait_ms * NS_PER_MS;
    while (l->child > 0 && mgi_clock_mono_ns() < until_ns) {
        if (waitpid(l->child, NULL, WNOHANG) != 0)
            l->child = 0;
        else
            (void)poll(&(struct pollfd){ .fd = l->log, .events = POLLIN }, 1, EXIT_LOOK_MS);
        take_log(l);
    }
}

/* End of input ends the server (P-STDIO-5); one that does not go is told, then killed. */
static void stdio_close(struct link *link)
{
    struct stdio_link *l = (struct stdio_link *)link;
    close_fd(&l->to);
    close_fd(&l->from);
    await_exit(l, EXIT_WAIT_MS);
    if (l->child > 0)
        kill(l->child, SIGTERM);
    await_exit(l, EXIT_WAIT_MS);
    if (l->child > 0)
        kill(l->child, SIGKILL);
    await_exit(l, EXIT_WAIT_MS);
    close_fd(&l->log);
    mgi_lines_fini(&l->lines);
    mgi_lines_fini(&l->log_lines);
    mgi_arena_fini(&l->life);
    mgi_intake_fini(&l->kept);
    mgi_free(l);
}

static const struct link_table stdio_table = { .session = true,
                                               .open = stdio_open,
                                               .send = stdio_send,
                                               .receive = stdio_receive,
                                               .close = stdio_close };

static bool copy_words(struct stdio_link *l, const char *const *argv)
{
    size_t count = 0;
    while (argv[count])
        count++;
    l->argv = mgi_arena_calloc(&l->life, count + 1, sizeof *l->argv);
    for (size_t i = 0; l->argv && i < count; i++)
        if (!(l->argv[i] = mgi_arena_strdup(&l->life, argv[i])))
            return false;
    return l->argv != NULL;
}

struct link *mgi_link_stdio(const char *const *argv, const struct manglecp_options *options,
                            enum manglecp_status *status, struct buf *why)
{
    *status = MANGLECP_ERR_NOMEM;
    if (!argv || !argv[0]) {
        *status = MANGLECP_ERR_USAGE;
        mgi_buf_puts(why, "there is no command to start");
        return NULL;
    }
    struct stdio_link *l = mgi_calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->link.table = &stdio_table;
    l->options = *options;
    l->to = l->from = l->log = -1;
    mgi_arena_init(&l->life, 0);
    mgi_lines_init(&l->lines, LINK_ANSWER_BYTES);
    mgi_lines_init(&l->log_lines, LOG_BYTES);
    if (!copy_words(l, argv)) {
        stdio_close(&l->link);
        return NULL;
    }
    *status = MANGLECP_OK;
    return &l->link;
}
