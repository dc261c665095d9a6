/* Starting and ending a browser's program: see pipe.h.
 *
 * The child is to die with us whatever happens: by its parent's death (the kernel's signal), by the
 * end of the pipe (browsers leave then by themselves), by the kill of its session's group, and by
 * the sweep of the tool host over what descends from a worker. */
#include "pipe.h"
#include "talk.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define FIRST_SPARE 10 /* below it, the child puts its own */

struct child {
    int in, out, report, log;
    pid_t parent;
    char *const *argv, *const *envp;
    const char *folder;
};

/* ---- in the child --------------------------------------------------------------------------- */

static int put_descriptors(const struct child *c)
{
    int nowhere = open("/dev/null", O_RDWR);
    if (nowhere < 0)
        return -1;
    int log = c->log >= 0 ? c->log : nowhere;
    if (dup2(nowhere, 0) < 0 || dup2(log, 1) < 0 || dup2(log, 2) < 0 || dup2(c->in, 3) < 0 ||
        dup2(c->out, 4) < 0 || dup3(c->report, 5, O_CLOEXEC) < 0)
        return -1;
#ifdef SYS_close_range
    if (syscall(SYS_close_range, 6, ~0u, 0) == 0)
        return 0;
#endif
    for (int fd = 6; fd < 4096; fd++)
        close(fd);
    return 0;
}

/* SIGXFSZ stays as the worker has it: a write beyond the limit fails instead of killing. The
 * worker's soft limit of processor time moves with its calls; a browser that outlives many has the
 * hard one. */
static void reset_child(void)
{
    sigset_t none;
    struct rlimit limit;
    for (int n = 1; n < NSIG; n++)
        if (n != SIGKILL && n != SIGSTOP && n != SIGXFSZ)
            signal(n, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (getrlimit(RLIMIT_CPU, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_CPU, &limit);
    }
}

static _Noreturn void run_child(const struct child *c)
{
    int why = 0;
    if (setsid() >= 0 && put_descriptors(c) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 &&
        chdir(c->folder) == 0) {
        reset_child();
        if (getppid() != c->parent) /* it died before the signal was asked for */
            _exit(1);
        execve(c->argv[0], c->argv, c->envp);
    }
    why = errno;
    ssize_t n = write(5, &why, sizeof why);
    if (n < 0)
        n = write(c->report, &why, sizeof why);
    (void)n;
    _exit(127);
}

/* ---- in the parent -------------------------------------------------------------------------- */

static void close_pair(int pair[2])
{
    for (int i = 0; i < 2; i++)
        if (pair[i] >= 0)
            close(pair[i]);
}

/* Ends that are out of the way of those that the child has. What we write to is a socket, because
 * writing to one whose reader has gone need not kill the writer. */
static bool make_pair(int pair[2], bool socket)
{
    int made[2];
    if (socket ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, made) != 0
               : pipe2(made, O_CLOEXEC) != 0)
        return false;
    for (int i = 0; i < 2; i++)
        pair[i] = fcntl(made[i], F_DUPFD_CLOEXEC, FIRST_SPARE);
    close_pair(made);
    return pair[0] >= 0 && pair[1] >= 0;
}

/* ---- the wire ------------------------------------------------------------------------------- */

static void put_with_nul(struct wire *wire, struct buf *out, struct str text)
{
    (void)wire;
    if (!mgi_buf_reserve(out, text.len + 1))
        return;
    mgi_buf_str(out, text);
    mgi_buf_append(out, "", 1);
}

static const char *take_frames(struct wire *wire, struct str bytes, const struct wire_ear *ear,
                               struct buf *out)
{
    struct pipe_program *p = (struct pipe_program *)wire;
    (void)out;
    mgi_pipe_frames_take(&p->frames, bytes, ear);
    return NULL;
}

static const struct wire_kind pipe_kind = { put_with_nul, take_frames };

/* ---- its beginning and end ------------------------------------------------------------------ */

static const char *start_with(struct pipe_program *program, struct child *c, int in[2], int out[2],
                              int report[2])
{
    if (!make_pair(in, true) || !make_pair(out, false) || !make_pair(report, false))
        return "no pipe could be made";
    c->in = in[0];
    c->out = out[1];
    c->report = report[1];
    c->parent = getpid();
    pid_t pid = fork();
    if (pid == 0)
        run_child(c);
    if (pid < 0)
        return "no process could be started";
    close(report[1]);
    report[1] = -1;
    int why = 0;
    ssize_t n;
    while ((n = read(report[0], &why, sizeof why)) < 0 && errno == EINTR)
        ;
    if (n > 0) {
        waitpid(pid, NULL, 0);
        return strerror(why);
    }
    *program = (struct pipe_program){ .wire = { &pipe_kind, in[1], out[0] },
                                      .frames = { .most = TALK_MESSAGE_MOST },
                                      .pid = pid };
    in[1] = out[0] = -1;
    fcntl(program->wire.to, F_SETFL, O_NONBLOCK);
    fcntl(program->wire.from, F_SETFL, O_NONBLOCK);
    return NULL;
}

const char *mgi_pipe_program_start(struct pipe_program *program, char *const argv[],
                                   char *const envp[], const char *folder, int log_fd)
{
    struct child c = { .argv = argv, .envp = envp, .folder = folder, .log = log_fd };
    int in[2] = { -1, -1 }, out[2] = { -1, -1 }, report[2] = { -1, -1 };
    *program = (struct pipe_program){ .wire = { .to = -1, .from = -1 } };
    const char *why = start_with(program, &c, in, out, report);
    close_pair(in);
    close_pair(out);
    close_pair(report);
    return why;
}

static bool has_ended(pid_t pid, int64_t wait_ms)
{
    int64_t until = mgi_talk_now_ms() + wait_ms;
    for (;;) {
        pid_t got = waitpid(pid, NULL, WNOHANG);
        if (got == pid || (got < 0 && errno == ECHILD))
            return true;
        if (mgi_talk_now_ms() >= until)
            return false;
        poll(NULL, 0, 5);
    }
}

void mgi_pipe_program_end(struct pipe_program *p, int64_t wait_ms)
{
    if (p->wire.kind) {
        close(p->wire.to);
        close(p->wire.from);
    }
    p->wire = (struct wire){ .to = -1, .from = -1 };
    mgi_pipe_frames_fini(&p->frames);
    if (p->pid <= 0)
        return;
    bool gone = has_ended(p->pid, wait_ms);
    kill(-p->pid, SIGKILL); /* what it started, and it itself if it would not go */
    if (!gone) {
        kill(p->pid, SIGKILL);
        has_ended(p->pid, 1000);
    }
    p->pid = 0;
}
