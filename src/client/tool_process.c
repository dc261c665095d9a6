/* Runs a toolhost once: see tool_process.h.
 *
 * The process leads a session and a group of its own. The group is killed before the leader is
 * waited for, so that the number cannot be anybody else's by then. */
#include "client/tool_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "client/plain_child.h"
#include "client/sigpipe.h"
#include "sys/clock.h"

#define STOP_MS          300 /* from SIGTERM to SIGKILL */
#define DEATH_MS         2000
#define LOOK_MS          20 /* how often its end is looked for while its pipes are open */
#define MAX_ERRORS_BYTES 65536

enum { IN, OUT, ERR, ENDS };

struct process {
    pid_t pid;
    int ends[ENDS]; /* ours: to its input, from its output, from its errors; -1: closed */
    size_t written;
};

static int64_t now_ms(void)
{
    return mgi_clock_mono_ns() / 1000000;
}

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static int open_pipes(int ours[ENDS], int theirs[ENDS])
{
    for (int i = 0; i < ENDS; i++) {
        int pair[2];
        if (pipe2(pair, O_CLOEXEC) != 0)
            return errno;
        ours[i] = pair[i == IN];
        theirs[i] = pair[i != IN];
        if (fcntl(ours[i], F_SETFL, O_NONBLOCK) != 0)
            return errno;
    }
    return 0;
}

static int spawn_with(struct process *p, const struct tool_run *r, const int theirs[ENDS],
                      posix_spawn_file_actions_t *actions, const posix_spawnattr_t *how)
{
    int rc = 0;
    for (int i = 0; !rc && i < ENDS; i++)
        rc = posix_spawn_file_actions_adddup2(actions, theirs[i], i);
    if (!rc && r->folder)
        rc = posix_spawn_file_actions_addchdir_np(actions, r->folder);
    if (!rc)
        rc = posix_spawn(&p->pid, r->path, actions, how, (char *const *)(uintptr_t)r->argv,
                         (char *const *)(uintptr_t)r->env);
    return rc;
}

static int start_process(struct process *p, const struct tool_run *r)
{
    int theirs[ENDS] = { -1, -1, -1 };
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t how;
    int rc = open_pipes(p->ends, theirs);
    if (!rc && (rc = posix_spawn_file_actions_init(&actions)) == 0) {
        if ((rc = mgi_plain_child(&how, POSIX_SPAWN_SETSID)) == 0) {
            rc = spawn_with(p, r, theirs, &actions, &how);
            posix_spawnattr_destroy(&how);
        }
        posix_spawn_file_actions_destroy(&actions);
    }
    for (int i = 0; i < ENDS; i++) {
        close_end(&theirs[i]);
        if (rc)
            close_end(&p->ends[i]);
    }
    return rc;
}

/* Without taking its number back. */
static bool has_ended(const struct process *p)
{
    siginfo_t about = { 0 };
    if (waitid(P_PID, (id_t)p->pid, &about, WEXITED | WNOHANG | WNOWAIT) != 0)
        return true;
    return about.si_pid == p->pid;
}

static void write_input(struct process *p, struct str input)
{
    struct sigpipe_hold hold;
    mgi_sigpipe_hold(&hold);
    while (p->written < input.len) {
        ssize_t n = write(p->ends[IN], input.ptr + p->written, input.len - p->written);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            break;
        /* Who does not read is going to end, and how says more. */
        p->written = n < 0 ? input.len : p->written + (size_t)n;
    }
    mgi_sigpipe_release(&hold);
    if (p->written == input.len)
        close_end(&p->ends[IN]);
}

/* Keeps `max` bytes and reads no more than that at a time; true: there was more than it keeps. */
static bool read_end(int *fd, struct buf *into, size_t max)
{
    char chunk[16384];
    for (size_t moved = 0; *fd >= 0 && moved < 1 << 20;) {
        ssize_t n = read(*fd, chunk, sizeof chunk);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            break;
        if (n <= 0) {
            close_end(fd);
            break;
        }
        size_t room = max - into->len, kept = (size_t)n < room ? (size_t)n : room;
        mgi_buf_append(into, chunk, kept);
        moved += (size_t)n;
        if (kept < (size_t)n)
            return true;
    }
    return false;
}

static void wait_for_news(const struct process *p, int64_t ms)
{
    bool quiet = p->ends[OUT] < 0 && p->ends[ERR] < 0; /* its end is all that is left to come */
    int64_t most = quiet ? 1 : LOOK_MS;
    struct pollfd fds[ENDS];
    for (int i = 0; i < ENDS; i++)
        fds[i] = (struct pollfd){ .fd = p->ends[i], .events = i == IN ? POLLOUT : POLLIN };
    poll(fds, ENDS, (int)(ms < most ? ms : most));
}

static enum tool_end converse(struct process *p, struct tool_run *r, int64_t until)
{
    for (;;) {
        bool ended = has_ended(p); /* looked at first: what it wrote before is there to be read */
        if (p->ends[IN] >= 0)
            write_input(p, r->input);
        read_end(&p->ends[ERR], &r->errors, MAX_ERRORS_BYTES);
        if (read_end(&p->ends[OUT], &r->output, r->max_output))
            return TOOL_END_FLOOD;
        if (ended)
            return TOOL_END_ENDED;
        int64_t left = until - now_ms();
        if (left <= 0)
            return TOOL_END_LATE;
        wait_for_news(p, left);
    }
}

/* So that a host can stop its tool and sweep up (T-DISP-10). */
static void ask_to_end(struct process *p)
{
    const struct timespec moment = { .tv_nsec = 1000000 };
    struct buf ignored = { 0 };
    if (!has_ended(p))
        kill(p->pid, SIGTERM);
    for (int64_t until = now_ms() + STOP_MS; !has_ended(p) && now_ms() < until;) {
        read_end(&p->ends[OUT], &ignored, SIZE_MAX / 2);
        mgi_buf_clear(&ignored);
        nanosleep(&moment, NULL);
    }
    mgi_buf_fini(&ignored);
}

static int finish(struct process *p)
{
    const struct timespec moment = { .tv_nsec = 200000 };
    int status = 0;
    kill(-p->pid, SIGKILL);
    for (int64_t until = now_ms() + DEATH_MS;
         waitpid(p->pid, &status, WNOHANG) == 0 && now_ms() < until;)
        nanosleep(&moment, NULL);
    for (int i = 0; i < ENDS; i++)
        close_end(&p->ends[i]);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

enum tool_end mgi_tool_process(struct tool_run *r)
{
    struct process p = { .ends = { -1, -1, -1 } };
    int64_t until = now_ms() + r->timeout_ms;
    r->error = start_process(&p, r);
    if (r->error)
        return TOOL_END_NOT_STARTED;
    enum tool_end end = converse(&p, r, until);
    if (end == TOOL_END_LATE)
        ask_to_end(&p);
    r->status = finish(&p);
    return end;
}
