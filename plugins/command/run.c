/* Feeding, reading and ending a program: see run.h. */
#include "run.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"

enum {
    LOOK_MS = 20,   /* how late a stop may be noticed */
    TERM_MS = 100,  /* from SIGTERM to SIGKILL: host and worker have 250 in all */
    GONE_MS = 2000, /* from SIGKILL to the end of the last of its processes */
    CHUNK = 65536,
    PROGRESS_LINE = 1024
};

struct running {
    const struct run_order *order;
    struct run_result *result;
    struct child child;
    size_t fed, errors;       /* bytes written; bytes that came on standard error */
    bool ended;               /* its leader has, and is not yet waited for */
    char line[PROGRESS_LINE]; /* of standard error, while it is not whole */
    size_t line_len;
    bool line_lost; /* it is longer: no line of progress */
};

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* ---- standard error ------------------------------------------------------------------------- */

static void keep_errors(struct run_result *r, const char *bytes, size_t len)
{
    mgi_buf_append(&r->err, bytes, len);
    if (r->err.len > 2 * RUN_KEPT_ERRORS) { /* seldom enough to move little */
        memmove(r->err.ptr, r->err.ptr + r->err.len - RUN_KEPT_ERRORS, RUN_KEPT_ERRORS);
        r->err.len = RUN_KEPT_ERRORS;
        r->err_cut = true;
    }
}

/* "progress 40 copying": the number, then text. False: it is no such line. */
static bool tell_progress(struct running *x)
{
    static const char begin[] = "progress ";
    char *end, *number = x->line + sizeof begin - 1;
    x->line[x->line_len] = '\0';
    if (x->line_lost || strncmp(x->line, begin, sizeof begin - 1) != 0 || *number < '0' ||
        *number > '9')
        return false;
    double percent = (double)strtoul(number, &end, 10);
    if ((*end != '\0' && *end != ' ') || percent > 100)
        return false;
    end += *end == ' ';
    x->order->progress(x->order->context, percent, str_of(end));
    return true;
}

static void end_line(struct running *x, bool whole)
{
    if (!tell_progress(x)) {
        keep_errors(x->result, x->line, x->line_len);
        if (whole)
            keep_errors(x->result, "\n", 1);
    }
    x->line_len = 0;
    x->line_lost = false;
}

static void take_errors(struct running *x, const char *bytes, size_t len)
{
    x->errors += len;
    if (!x->order->progress) {
        keep_errors(x->result, bytes, len);
        return;
    }
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] == '\n') {
            end_line(x, true);
        } else {
            if (x->line_len == sizeof x->line - 1) {
                keep_errors(x->result, x->line, x->line_len);
                x->line_len = 0;
                x->line_lost = true;
            }
            x->line[x->line_len++] = bytes[i];
        }
    }
}

/* ---- feed and read -------------------------------------------------------------------------- */

/* A program that reads no further is no failure: what it makes of its input is its business. */
static void feed(struct running *x)
{
    struct str rest = { x->order->input.ptr + x->fed, x->order->input.len - x->fed };
    ssize_t n = write(x->child.in, rest.ptr, rest.len);
    if (n > 0)
        x->fed += (size_t)n;
    if (x->fed == x->order->input.len || (n < 0 && errno != EAGAIN && errno != EINTR))
        close_fd(&x->child.in);
}

/* False: it is to be ended, for it printed too much, or there is no memory for it. */
static bool take_output(struct running *x)
{
    char chunk[CHUNK];
    ssize_t n = read(x->child.out, chunk, sizeof chunk);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        close_fd(&x->child.out);
    if (n <= 0)
        return true;
    if (x->result->out.len + (size_t)n > x->order->max_output)
        return false;
    mgi_buf_append(&x->result->out, chunk, (size_t)n);
    return !x->result->out.oom;
}

static bool take_error(struct running *x)
{
    char chunk[CHUNK];
    ssize_t n = read(x->child.err, chunk, sizeof chunk);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        close_fd(&x->child.err);
    if (n > 0)
        take_errors(x, chunk, (size_t)n);
    return x->errors <= RUN_MOST_ERRORS;
}

static void look_for_end(struct running *x)
{
    siginfo_t about = { 0 };
    if (waitid(P_PID, (id_t)x->child.pid, &about, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        about.si_pid == x->child.pid)
        x->ended = true;
}

/* Wait for something to do, LOOK_MS at most, and do it. False: it printed too much. */
static bool turn(struct running *x, int wait_ms)
{
    struct pollfd p[4] = { { .fd = x->child.out, .events = POLLIN },
                           { .fd = x->child.err, .events = POLLIN },
                           { .fd = x->child.in, .events = POLLOUT },
                           { .fd = x->child.ended, .events = POLLIN } };
    bool silent = x->child.ended < 0; /* nobody tells of its end: look more often */
    if (poll(p, 4, silent && wait_ms > 2 ? 2 : wait_ms) < 0)
        return true;
    bool fits = true;
    if (p[0].revents)
        fits = take_output(x);
    if (p[1].revents && x->child.err >= 0)
        fits = take_error(x) && fits;
    if (p[2].revents && x->child.in >= 0)
        feed(x);
    if (silent || p[3].revents)
        look_for_end(x);
    return fits;
}

/* ---- its end -------------------------------------------------------------------------------- */

static void await_end(struct running *x, int64_t within_ms)
{
    int64_t until = now_ms() + within_ms;
    while (!x->ended && now_ms() < until)
        turn(x, 5);
}

/* Until it has ended by itself, or must. */
static enum run_end follow(struct running *x)
{
    for (;;) {
        bool fits = turn(x, LOOK_MS);
        if (!fits)
            return RUN_FLOODED;
        if (x->ended)
            return RUN_EXITED;
        if (x->order->stop(x->order->context))
            return RUN_STOPPED;
    }
}

/* While its leader, dead or alive, holds the number, nobody else can have it. Members that lost
 * their parents are ours to wait for (we are their subreaper), or the host's. */
static bool end_group(struct running *x)
{
    const struct timespec moment = { .tv_nsec = 200000 };
    int64_t until = now_ms() + GONE_MS;
    int status = 0;
    kill(-x->child.pid, SIGKILL);
    while (waitpid(x->child.pid, &status, WNOHANG) == 0) {
        if (now_ms() > until)
            return false;
        nanosleep(&moment, NULL);
    }
    x->result->code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
    if (x->result->end == RUN_EXITED && WIFSIGNALED(status))
        x->result->end = RUN_SIGNALLED;
    while (waitpid(-x->child.pid, NULL, WNOHANG) > 0 || kill(-x->child.pid, 0) == 0) {
        if (now_ms() > until)
            return false;
        nanosleep(&moment, NULL);
    }
    return true;
}

/* What is left in the pipes. Nobody is left who could write more. */
static void take_rest(struct running *x)
{
    int64_t until = now_ms() + LOOK_MS * 10;
    while ((x->child.out >= 0 || x->child.err >= 0) && now_ms() < until) {
        struct pollfd p[2] = { { .fd = x->child.out, .events = POLLIN },
                               { .fd = x->child.err, .events = POLLIN } };
        if (poll(p, 2, 0) <= 0)
            break;
        if (p[0].revents && !take_output(x)) {
            x->result->end = RUN_FLOODED;
            break;
        }
        if (p[1].revents && !take_error(x))
            break;
    }
    if (x->order->progress && x->line_len > 0)
        end_line(x, false);
}

void mgi_run(const struct run_order *order, struct run_result *result)
{
    struct running x = { .order = order, .result = result };
    *result = (struct run_result){ .end = RUN_NOT_STARTED };
    result->what = mgi_child_start(order, &x.child);
    result->code = errno;
    if (result->what)
        return;
    if (order->input.len > 0)
        feed(&x);
    result->end = follow(&x);
    if (result->end == RUN_STOPPED) {
        kill(-x.child.pid, SIGTERM);
        kill(-x.child.pid, SIGCONT); /* one that is stopped hears nothing */
        await_end(&x, TERM_MS);
    }
    bool gone = end_group(&x);
    take_rest(&x);
    if (!gone)
        result->end = RUN_LEFT;
    close_fd(&x.child.in);
    close_fd(&x.child.out);
    close_fd(&x.child.err);
    close_fd(&x.child.ended);
}

void mgi_run_result_fini(struct run_result *result)
{
    mgi_buf_fini(&result->out);
    mgi_buf_fini(&result->err);
}
