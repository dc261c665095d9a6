/* Starting a program: see child.h.
 *
 * vfork(): the worker is small, and a fork that copies nothing costs what posix_spawn() costs,
 * which is made of it. In between, the child has our memory and our stack: it makes system calls,
 * and leaves word of a failure in the one struct that it was given. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine/confine.h"
#include "fence.h"

struct ends {
    int in[2], out[2], err[2]; /* -1: none */
};

struct word_of_child {
    const char *volatile what; /* set: it ended without having become the program */
    volatile int code;
};

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void close_ends(struct ends *e)
{
    for (int i = 0; i < 2; i++) {
        close_end(&e->in[i]);
        close_end(&e->out[i]);
        close_end(&e->err[i]);
    }
}

static bool make_pipe(int ends[2], int ours)
{
    return pipe2(ends, O_CLOEXEC) == 0 && ends[0] > 2 && ends[1] > 2 &&
           fcntl(ends[ours], F_SETFL, O_NONBLOCK) == 0;
}

/* ---- in the child --------------------------------------------------------------------------- */

/* What has a handler is reset by exec; what is ignored stays so, and would surprise a program. A
 * worker begins with none that is, and the host and this plugin ignore these. */
static void reset_signals(void)
{
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
}

/* Where the program is confined to what its own action may: the worker may do what any of its
 * actions may, and this can only take away. System calls alone, as everything here. */
static const char *confine(const struct run_order *order, pid_t parent)
{
    const struct confine_entry entry = { .parent = parent, .will_exec = true };
    return order->plan ? mgi_confine_enter(order->plan, &entry) : NULL;
}

static const char *become(const struct run_order *order, const struct ends *e, pid_t parent)
{
    sigset_t none;
    sigemptyset(&none);
    if (!mgi_fence_lead())
        return "cannot lead a group of processes";
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || getppid() != parent)
        return "cannot follow its worker";
    reset_signals();
    if ((e->in[0] >= 0 && dup2(e->in[0], 0) < 0) || dup2(e->out[1], 1) < 0 ||
        dup2(e->err[1], 2) < 0)
        return "cannot be connected";
    if (chdir(order->folder) != 0)
        return "cannot enter its folder";
    umask(022);
    /* Closed at exec: what confines it is among them. Where this fails, ours close all the same. */
    syscall(SYS_close_range, 3u, ~0u, CLOSE_RANGE_CLOEXEC);
    const char *what = confine(order, parent);
    if (what)
        return what;
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(order->program, order->argv, order->env);
    return "cannot be started";
}

/* Kept apart: what the child does to the stack below this frame does not matter to anybody. */
static __attribute__((noinline)) pid_t start(const struct run_order *order, const struct ends *e,
                                             struct word_of_child *word)
{
    pid_t parent = getpid();
    pid_t pid = vfork();
    if (pid == 0) {
        const char *what = become(order, e, parent);
        word->code = errno;
        word->what = what;
        _exit(127);
    }
    return pid;
}

/* ---- in the worker -------------------------------------------------------------------------- */

const char *mgi_child_start(const struct run_order *order, struct child *out)
{
    struct ends e = { { -1, -1 }, { -1, -1 }, { -1, -1 } };
    struct word_of_child word = { NULL, 0 };
    sigset_t all, before;
    *out = (struct child){ .pid = -1, .in = -1, .out = -1, .err = -1, .ended = -1 };
    bool fed =
        order->input.len > 0; /* else it has the worker's own standard input, which is empty */
    if (!make_pipe(e.out, 0) || !make_pipe(e.err, 0) || (fed && !make_pipe(e.in, 1))) {
        int code = errno;
        close_ends(&e);
        errno = code;
        return "cannot be connected";
    }
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    pid_t pid = start(order, &e, &word);
    int code = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (pid > 0 && word.what) {
        waitpid(pid, NULL, 0);
        code = word.code;
    }
    if (pid < 0 || word.what) {
        close_ends(&e);
        errno = code;
        return word.what ? word.what : "cannot be forked";
    }
    *out = (struct child){ .pid = pid, .in = e.in[1], .out = e.out[0], .err = e.err[0] };
    close_end(&e.in[0]);
    close_end(&e.out[1]);
    close_end(&e.err[1]);
    out->ended = (int)syscall(SYS_pidfd_open, pid, 0u);
    return NULL;
}
