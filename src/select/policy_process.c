/* A policy process on the loop: see policy_process.h. */
#include "select/policy_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "select/policy_confine.h"
#include "select/policy_launch.h"
#include "sys/write.h"

#define LINGER_MS 200   /* for what is still in the pipes when the process has ended */
#define DEATH_MS  1000  /* between SIGKILL and giving up on it */
#define READ_ONCE 65536 /* bytes of one turn of the loop */

struct policy_pipe {
    uv_poll_t poll;
    int fd; /* -1: closed */
    bool polled;
    struct buf text;
    size_t max; /* bytes that are kept */
};

struct policy_process {
    const struct policy_settings *settings;
    void (*done)(void *context, const struct policy_answer *answer); /* NULL: cancelled */
    void *context;
    char *folder, *file; /* of the payload; NULL: there is none */
    int64_t timeout_ms;
    struct policy_pipe out, err;
    uv_poll_t ended;
    uv_timer_t timer;
    int status_fd; /* -1: closed */
    int pidfd;
    pid_t pid; /* 0: reaped */
    unsigned handles;
    bool told;
    struct policy_answer answer;
};

/* ---- the payload file ----------------------------------------------------------------------- */

static void remove_payload(struct policy_process *p)
{
    if (p->file)
        unlink(p->file);
    if (p->folder)
        rmdir(p->folder);
    mgi_free(p->file);
    mgi_free(p->folder);
    p->file = p->folder = NULL;
}

static char *path_of(const char *folder, const char *name)
{
    struct buf path = { 0 };
    mgi_buf_printf(&path, "%s/%s", folder, name);
    char *kept = mgi_buf_take(&path, NULL);
    mgi_buf_fini(&path);
    return kept;
}

/* Exclusively, mode 0600, in a folder that nobody else may enter (T-POL-1). 0, or errno. */
static int write_payload(struct policy_process *p, struct str payload)
{
    char *folder = path_of(p->settings->temp_dir, "manglecp-policy-XXXXXX");
    if (!folder || !mkdtemp(folder)) {
        int error = folder ? errno : ENOMEM;
        mgi_free(folder);
        return error;
    }
    p->folder = folder;
    p->file = path_of(folder, "menu.json");
    if (!p->file)
        return ENOMEM;
    int fd = open(p->file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return errno;
    int error = fchmod(fd, 0600) == 0 && mgi_write_all(fd, payload) ? 0 : errno;
    if (close(fd) != 0 && error == 0)
        error = errno;
    return error;
}

/* ---- the end -------------------------------------------------------------------------------- */

static void close_descriptor(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void free_process(struct policy_process *p)
{
    remove_payload(p);
    mgi_buf_fini(&p->out.text);
    mgi_buf_fini(&p->err.text);
    mgi_free(p);
}

static void policy_handle_closed(uv_handle_t *handle)
{
    struct policy_process *p = handle->data;
    if (--p->handles == 0)
        free_process(p);
}

static void close_pipe(struct policy_pipe *pipe)
{
    if (pipe->polled)
        uv_close((uv_handle_t *)&pipe->poll, policy_handle_closed);
    pipe->polled = false;
    close_descriptor(&pipe->fd);
}

/* Its own group, and so whatever it started. Only before it is reaped. */
static void kill_group(const struct policy_process *p)
{
    if (p->pid == 0)
        return;
    kill(-p->pid, SIGKILL);
    kill(p->pid, SIGKILL); /* it may not have got as far as having a group */
}

/* What the child had to say of why there was no exec. */
static void read_fault(struct policy_process *p)
{
    struct policy_launch_fault fault;
    if (read(p->status_fd, &fault, sizeof fault) == sizeof fault) {
        p->answer.exit = POLICY_NOT_STARTED;
        p->answer.status = fault.error;
        fault.what[sizeof fault.what - 1] = '\0';
        mgi_buf_puts(&p->err.text, fault.what);
    }
}

static void close_if_over(struct policy_process *p)
{
    if (p->pid != 0 || !p->told)
        return;
    uv_close((uv_handle_t *)&p->ended, policy_handle_closed);
    uv_close((uv_handle_t *)&p->timer, policy_handle_closed);
    close_descriptor(&p->pidfd);
}

static void tell_answer(struct policy_process *p)
{
    if (p->told)
        return;
    p->told = true;
    uv_timer_stop(&p->timer);
    close_pipe(&p->out);
    close_pipe(&p->err);
    close_descriptor(&p->status_fd);
    remove_payload(p);
    if (p->out.text.oom || p->err.text.oom)
        p->answer = (struct policy_answer){ .exit = POLICY_NOT_STARTED, .status = ENOMEM };
    p->answer.out = mgi_buf_view(&p->out.text);
    p->answer.err = mgi_buf_view(&p->err.text);
    if (p->done)
        p->done(p->context, &p->answer);
    close_if_over(p);
}

static void tell_if_read(struct policy_process *p)
{
    if (p->pid == 0 && p->out.fd < 0 && p->err.fd < 0)
        tell_answer(p);
}

static void timer_rang(uv_timer_t *timer)
{
    struct policy_process *p = timer->data;
    bool given_up = p->answer.exit == POLICY_TIMED_OUT || p->answer.exit == POLICY_TOO_MUCH;
    if (p->pid == 0 || given_up) { /* something else holds the pipes, or it does not die */
        tell_answer(p);
        return;
    }
    p->answer.exit = POLICY_TIMED_OUT;
    p->answer.status = p->timeout_ms;
    kill_group(p);
    uv_timer_start(timer, timer_rang, DEATH_MS, 0);
}

static void process_ended(uv_poll_t *poll, int status, int events)
{
    struct policy_process *p = poll->data;
    siginfo_t about = { 0 };
    (void)status, (void)events;
    kill_group(p); /* what it left behind; it is not reaped yet, so the number is still its own */
    if (waitid(P_PIDFD, (id_t)p->pidfd, &about, WEXITED | WNOHANG) == 0 && about.si_pid == 0)
        return;
    p->pid = 0;
    uv_poll_stop(poll);
    if (p->told) {
        close_if_over(p);
        return;
    }
    if (p->answer.exit == POLICY_EXITED) { /* else it is known already why it ended */
        p->answer.exit = about.si_code == CLD_EXITED ? POLICY_EXITED : POLICY_SIGNALLED;
        p->answer.status = about.si_status;
        read_fault(p);
    }
    uv_timer_start(&p->timer, timer_rang, LINGER_MS, 0);
    tell_if_read(p);
}

/* ---- reading -------------------------------------------------------------------------------- */

/* It may have ended before all that it wrote was read. */
static void too_much(struct policy_process *p)
{
    if (p->answer.exit != POLICY_EXITED)
        return;
    p->answer.exit = POLICY_TOO_MUCH;
    p->answer.status = (int64_t)p->settings->stdout_max;
    if (p->pid == 0)
        return;
    kill_group(p);
    uv_timer_start(&p->timer, timer_rang, DEATH_MS, 0);
}

static void keep_bytes(struct policy_process *p, struct policy_pipe *pipe, const char *bytes,
                       size_t len)
{
    size_t room = pipe->max - pipe->text.len;
    mgi_buf_append(&pipe->text, bytes, len < room ? len : room);
    if (len > room && pipe == &p->out)
        too_much(p);
}

static void pipe_readable(uv_poll_t *poll, int status, int events)
{
    struct policy_process *p = poll->data;
    struct policy_pipe *pipe = poll == &p->out.poll ? &p->out : &p->err;
    char chunk[READ_ONCE];
    (void)status, (void)events;
    ssize_t n = read(pipe->fd, chunk, sizeof chunk);
    if (n > 0) {
        keep_bytes(p, pipe, chunk, (size_t)n);
    } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
        close_pipe(pipe);
        tell_if_read(p);
    }
}

/* ---- the beginning -------------------------------------------------------------------------- */

/* ends[0] is ours and does not block. */
static bool make_pipe(int ends[2])
{
    return pipe2(ends, O_CLOEXEC) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
}

/* 0, or errno. */
static int launch_planned(struct policy_process *p, const struct policy_start *start,
                          const struct confine_plan *plan)
{
    int out[2] = { -1, -1 }, err[2] = { -1, -1 }, status[2] = { -1, -1 }, error = 0;
    char **argv = mgi_calloc(start->program.argc + 2, sizeof *argv);
    if (!argv)
        return ENOMEM;
    memcpy(argv, start->program.argv, start->program.argc * sizeof *argv);
    argv[start->program.argc] = p->file;
    if (!make_pipe(out) || !make_pipe(err) || !make_pipe(status)) {
        error = errno;
    } else {
        const struct policy_launch launch = { .path = start->program.path,
                                              .argv = argv,
                                              .env = p->settings->env,
                                              .folder = p->settings->root,
                                              .limits = p->settings->limits,
                                              .plan = plan,
                                              .out = out[1],
                                              .err = err[1],
                                              .status = status[1] };
        p->pid = mgi_policy_launch(&launch, &p->pidfd);
        if (p->pid < 0) {
            error = errno;
            p->pid = 0;
        }
    }
    close_descriptor(&out[1]);
    close_descriptor(&err[1]);
    close_descriptor(&status[1]);
    p->out.fd = out[0];
    p->err.fd = err[0];
    p->status_fd = status[0];
    mgi_free(argv);
    return error;
}

/* 0, or errno. */
static int launch_policy(struct policy_process *p, const struct policy_start *start)
{
    struct confine_plan plan;
    struct arena scratch;
    if (!p->settings->confinement.on)
        return launch_planned(p, start, NULL);
    mgi_arena_init(&scratch, 0);
    errno = 0;
    const char *why = mgi_policy_plan(&scratch, p->settings, &start->program, p->folder, &plan);
    int error = !why ? launch_planned(p, start, &plan) : errno != 0 ? errno : ENOMEM;
    mgi_confine_plan_fini(&plan);
    mgi_arena_fini(&scratch);
    return error;
}

static int poll_pipe(struct policy_process *p, uv_loop_t *loop, struct policy_pipe *pipe)
{
    int error = uv_poll_init(loop, &pipe->poll, pipe->fd);
    if (error != 0)
        return error;
    pipe->polled = true;
    pipe->poll.data = p;
    p->handles++;
    return uv_poll_start(&pipe->poll, UV_READABLE, pipe_readable);
}

/* 0, or errno. The timer is a handle from the first; the descriptor of the process after it. */
static int watch_policy(struct policy_process *p, uv_loop_t *loop)
{
    int error = uv_poll_init(loop, &p->ended, p->pidfd);
    if (error == 0) {
        p->ended.data = p;
        p->handles++;
        uv_timer_init(loop, &p->timer);
        p->timer.data = p;
        p->handles++;
        error = uv_poll_start(&p->ended, UV_READABLE, process_ended);
    }
    if (error == 0)
        error = poll_pipe(p, loop, &p->out);
    if (error == 0)
        error = poll_pipe(p, loop, &p->err);
    if (error == 0)
        uv_timer_start(&p->timer, timer_rang, (uint64_t)p->timeout_ms, 0);
    return -error;
}

/* Whatever had been made before `error`. */
static void undo(struct policy_process *p)
{
    kill_group(p);
    while (p->pid != 0 && waitpid(p->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    p->pid = 0;
    p->told = true;
    p->done = NULL;
    close_pipe(&p->out);
    close_pipe(&p->err);
    close_descriptor(&p->status_fd);
    remove_payload(p);
    if (p->handles == 0) {
        close_descriptor(&p->pidfd);
        free_process(p);
    } else {
        close_if_over(p);
    }
}

struct policy_process *mgi_policy_process_start(const struct policy_start *start, int *error)
{
    struct policy_process *p = mgi_calloc(1, sizeof *p);
    if (!p) {
        *error = ENOMEM;
        return NULL;
    }
    p->settings = start->settings;
    p->timeout_ms = start->settings->timeout_ms;
    if (start->most_ms > 0 && start->most_ms < p->timeout_ms)
        p->timeout_ms = start->most_ms;
    p->done = start->done;
    p->context = start->context;
    p->out.fd = p->err.fd = p->status_fd = p->pidfd = -1;
    p->out.max = start->settings->stdout_max;
    p->err.max = POLICY_STDERR_MAX;
    *error = write_payload(p, start->payload);
    if (*error == 0)
        *error = launch_policy(p, start);
    if (*error == 0)
        *error = watch_policy(p, start->loop);
    if (*error == 0)
        return p;
    undo(p);
    return NULL;
}

void mgi_policy_process_cancel(struct policy_process *p)
{
    p->done = NULL;
    kill_group(p);
    tell_answer(p); /* nobody hears it; pipes and file are given up now */
}
