/* The program's process: see program.h. */
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/utf8.h"
#include "start.h"

#define DEATH_MS 2000 /* for the kernel to end what was killed */

int64_t relay_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void nap(void)
{
    const struct timespec moment = { .tv_nsec = 500000 };
    nanosleep(&moment, NULL);
}

/* ---- starting ------------------------------------------------------------------------------ */

extern char **environ; /* of the worker: what toolhost.md 7.2 lists, and nothing else */

static bool is_said_again(const char *variable, char *const *env)
{
    size_t name = strcspn(variable, "=") + 1;
    for (; *env; env++)
        if (strncmp(*env, variable, name) == 0)
            return true;
    return false;
}

static char **environment(const struct relay_settings *s, struct arena *arena)
{
    size_t count = 0, n = 0;
    while (environ[count])
        count++;
    char **env = mgi_arena_calloc(arena, count + s->env_count + 1, sizeof *env);
    if (!env)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (!is_said_again(environ[i], s->env))
            env[n++] = environ[i];
    for (size_t i = 0; i < s->env_count; i++)
        env[n++] = s->env[i];
    return env;
}

static const char *variable(char *const *env, const char *name)
{
    size_t len = strlen(name);
    for (; *env; env++)
        if (strncmp(*env, name, len) == 0 && (*env)[len] == '=')
            return *env + len + 1;
    return NULL;
}

/* Where a name without '/' is in PATH; NULL: nowhere. */
static const char *found_in_path(const char *name, char *const *env, struct arena *arena)
{
    const char *path = variable(env, "PATH");
    if (!path)
        path = "/usr/local/bin:/usr/bin:/bin";
    while (*path) {
        size_t len = strcspn(path, ":");
        char *at = len ? mgi_arena_printf(arena, "%.*s/%s", (int)len, path, name) : NULL;
        if (at && at[0] == '/' && access(at, X_OK) == 0)
            return at;
        path += len + (path[len] == ':');
    }
    return NULL;
}

struct pipes {
    int in[2], out[2], err[2], report[2];
};

static void close_pair(int pair[2])
{
    for (int i = 0; i < 2; i++)
        if (pair[i] >= 0)
            close(pair[i]);
    pair[0] = pair[1] = -1;
}

static void close_pipes(struct pipes *p)
{
    close_pair(p->in);
    close_pair(p->out);
    close_pair(p->err);
    close_pair(p->report);
}

static bool open_pipes(struct pipes *p)
{
    *p = (struct pipes){ { -1, -1 }, { -1, -1 }, { -1, -1 }, { -1, -1 } };
    if (pipe2(p->in, O_CLOEXEC) == 0 && pipe2(p->out, O_CLOEXEC) == 0 &&
        pipe2(p->err, O_CLOEXEC) == 0 && pipe2(p->report, O_CLOEXEC) == 0)
        return true;
    close_pipes(p);
    return false;
}

static int keep(int *fd)
{
    int kept = *fd;
    *fd = -1;
    int flags = fcntl(kept, F_GETFL);
    fcntl(kept, F_SETFL, flags | O_NONBLOCK);
    return kept;
}

/* Waits until it runs, or could not be started: then errno is its errno. */
static bool has_started(struct pipes *pipes)
{
    int why = 0;
    ssize_t got;
    close(pipes->report[1]);
    pipes->report[1] = -1;
    do {
        got = read(pipes->report[0], &why, sizeof why);
    } while (got < 0 && errno == EINTR);
    errno = got == sizeof why ? why : 0;
    return got == 0;
}

const char *relay_program_start(struct relay_program *p, const struct relay_settings *settings,
                                const char *mode, struct arena *arena)
{
    const char *const name = settings->run[0];
    struct pipes pipes;
    settings->run[settings->run_count] = (char *)(uintptr_t)mode;
    char **env = environment(settings, arena);
    const char *path = strchr(name, '/') ? name : env ? found_in_path(name, env, arena) : NULL;
    const char *failed = "the program cannot be started";
    *p = (struct relay_program){ .in = -1, .out = -1, .err = -1 };
    if (!env)
        return "out of memory";
    if (!path) {
        char *text = mgi_arena_printf(arena, "there is no program %s in PATH", name);
        return text ? text : failed;
    }
    if (!open_pipes(&pipes))
        return "the program cannot be started: no descriptors";
    const struct relay_child child = { path,        settings->run, env,          settings->folder,
                                       pipes.in[0], pipes.out[1],  pipes.err[1], pipes.report[1],
                                       getpid() };
    p->pid = fork();
    if (p->pid == 0)
        relay_child_run(&child);
    int why = errno;
    if (p->pid > 0 && !has_started(&pipes)) {
        why = errno;
        waitpid(p->pid, NULL, 0);
        p->pid = -1;
    }
    if (p->pid < 0) {
        p->pid = 0;
        close_pipes(&pipes);
        char *text =
            why == EACCES && access(path, X_OK) == 0 /* which is asked of the file's modes alone */
                ? mgi_arena_printf(arena,
                                   "%s cannot be started: %s may not be read, or what it needs "
                                   "(add the folder of its installation to \"read\")",
                                   name, path)
                : mgi_arena_printf(arena, "%s cannot be started: %s%s", name, strerror(why),
                                   why == EPERM ? " (is the capability shell granted?)" : "");
        return text ? text : failed;
    }
    p->in = keep(&pipes.in[1]);
    p->out = keep(&pipes.out[0]);
    p->err = keep(&pipes.err[0]);
    close_pipes(&pipes);
    return NULL;
}

/* ---- talking ------------------------------------------------------------------------------- */

void relay_program_wait(const struct relay_program *p, bool writing, int timeout_ms)
{
    struct pollfd fds[] = { { .fd = p->out, .events = POLLIN },
                            { .fd = p->err, .events = POLLIN },
                            { .fd = writing ? p->in : -1, .events = POLLOUT } };
    poll(fds, sizeof fds / sizeof *fds, timeout_ms);
}

/* SIGPIPE would end the worker, which may not have it ignored: it is taken back if it came. */
ssize_t relay_program_write(struct relay_program *p, struct str bytes)
{
    const struct timespec now = { 0 };
    sigset_t pipe_only, before;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    ssize_t n = write(p->in, bytes.ptr, bytes.len);
    int why = errno;
    if (n < 0 && why == EPIPE && !sigismember(&before, SIGPIPE))
        sigtimedwait(&pipe_only, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (n >= 0)
        return n;
    return why == EAGAIN || why == EINTR ? 0 : -1;
}

static ssize_t read_some(int *fd, void *into, size_t size)
{
    if (*fd < 0)
        return -1;
    ssize_t n = read(*fd, into, size);
    if (n > 0)
        return n;
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    close(*fd);
    *fd = -1;
    return -1;
}

ssize_t relay_program_read(struct relay_program *p, void *into, size_t size)
{
    return read_some(&p->out, into, size);
}

/* The last bytes of what it says are kept, for the error that is told of its end. */
static void remember(struct relay_program *p, const char *bytes, size_t len)
{
    if (len > sizeof p->remarks) {
        bytes += len - sizeof p->remarks;
        len = sizeof p->remarks;
    }
    size_t room = sizeof p->remarks - len;
    if (p->remarks_len > room) {
        memmove(p->remarks, p->remarks + (p->remarks_len - room), room);
        p->remarks_len = room;
    }
    memcpy(p->remarks + p->remarks_len, bytes, len);
    p->remarks_len += len;
}

ssize_t relay_program_read_errors(struct relay_program *p, char *into, size_t size)
{
    ssize_t n = read_some(&p->err, into, size);
    if (n > 0)
        remember(p, into, (size_t)n);
    return n;
}

bool relay_program_is_idle(const struct relay_program *p)
{
    struct pollfd fd = { .fd = p->out, .events = POLLIN };
    return p->out >= 0 && poll(&fd, 1, 0) == 0 && !relay_program_has_ended(p);
}

bool relay_program_has_ended(const struct relay_program *p)
{
    siginfo_t about = { 0 };
    if (waitid(P_PID, (id_t)p->pid, &about, WEXITED | WNOHANG | WNOWAIT) != 0)
        return true;
    return about.si_pid == p->pid;
}

void relay_program_interrupt(const struct relay_program *p)
{
    if (p->pid > 0 && !relay_program_has_ended(p))
        kill(p->pid, SIGINT);
}

/* The host gives the worker so many seconds more than it has used; so does this. Where that is not
 * ours to set (a filter), the hard limit and the deadline remain. */
void relay_program_allow_cpu(const struct relay_program *p)
{
    struct rlimit own, limit;
    struct timespec used, its;
    clockid_t clock;
    if (getrlimit(RLIMIT_CPU, &own) != 0 || own.rlim_cur == RLIM_INFINITY ||
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0 ||
        clock_getcpuclockid(p->pid, &clock) != 0 || clock_gettime(clock, &its) != 0 ||
        prlimit(p->pid, RLIMIT_CPU, NULL, &limit) != 0)
        return;
    rlim_t left = own.rlim_cur > (rlim_t)used.tv_sec ? own.rlim_cur - (rlim_t)used.tv_sec : 1;
    rlim_t soft = (rlim_t)its.tv_sec + left;
    limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
    prlimit(p->pid, RLIMIT_CPU, &limit, NULL);
}

/* ---- ending -------------------------------------------------------------------------------- */

static bool ends_within(struct relay_program *p, int64_t ms)
{
    char chunk[4096];
    bool ended;
    for (int64_t until = relay_now_ms() + ms;; nap()) {
        ended = relay_program_has_ended(p);
        for (int i = 0; i < 64 && relay_program_read_errors(p, chunk, sizeof chunk) > 0; i++)
            ;
        if (ended || relay_now_ms() >= until)
            return ended;
    }
}

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

int relay_program_end(struct relay_program *p, int grace_ms, bool *by_itself)
{
    int status = 0;
    if (by_itself)
        *by_itself = true;
    if (p->pid <= 0)
        return 0;
    close_end(&p->in);
    bool ended = ends_within(p, grace_ms);
    if (by_itself)
        *by_itself = ended;
    kill(-p->pid, SIGKILL); /* also when it has ended: others may be left in its group */
    for (int64_t until = relay_now_ms() + DEATH_MS;
         waitpid(p->pid, &status, WNOHANG) == 0 && relay_now_ms() < until;)
        nap();
    close_end(&p->out);
    close_end(&p->err);
    p->pid = 0;
    return status;
}

static bool names_error(struct str line)
{
    return line.len > 0 && line.ptr[0] != ' ' && line.ptr[0] != '\t' &&
           (mgi_str_find(line, STR_LIT("rror:")) != SIZE_MAX ||
            mgi_str_find(line, STR_LIT("rror [")) != SIZE_MAX);
}

/* The last line that names an error, as most languages do; else the last that says something: Node
 * ends with its version. */
static struct str last_remark(const struct relay_program *p)
{
    struct str text = mgi_str_trim((struct str){ p->remarks, p->remarks_len }, " \t\r\n");
    struct str last = { NULL, 0 };
    for (size_t i = text.len, end = text.len; i-- > 0;) {
        if (i > 0 && text.ptr[i - 1] != '\n')
            continue;
        struct str line = mgi_str_trim((struct str){ text.ptr + i, end - i }, "\r\n");
        if (!last.ptr)
            last = line;
        if (names_error(line))
            return line;
        end = i;
    }
    return last.ptr ? last : text;
}

void relay_program_pass_remarks(const struct relay_program *p)
{
    ssize_t n = p->remarks_len ? write(STDERR_FILENO, p->remarks, p->remarks_len) : 0;
    n = n > 0 && p->remarks[p->remarks_len - 1] != '\n' ? write(STDERR_FILENO, "\n", 1) : n;
    (void)n;
}

const char *relay_program_epitaph(const struct relay_program *p, int status, struct arena *arena)
{
    struct buf shown = { 0 }; /* it may say what a terminal obeys */
    mgi_utf8_show(&shown, last_remark(p));
    struct str said = mgi_buf_view(&shown);
    const char *colon = said.len ? ": " : "";
    char *text;
    if (WIFSIGNALED(status))
        text = mgi_arena_printf(arena, "signal %d (%s)%s%.*s", WTERMSIG(status),
                                strsignal(WTERMSIG(status)), colon, STR_ARG(said));
    else
        text = mgi_arena_printf(arena, "exit code %d%s%.*s", WEXITSTATUS(status), colon,
                                STR_ARG(said));
    mgi_buf_fini(&shown);
    return text ? text : "it ended";
}
