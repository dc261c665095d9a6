/* The host's end of a worker: see link.h. */
#include "toolhost/link.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "toolhost/frame.h"
#include "toolhost/plugin_file.h"
#include "toolhost/sizes.h"

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

enum { MANY_DESCRIPTORS = 65536 };
#define IN_CHILD __attribute__((no_sanitize_address)) /* confine/group.h */

/* ---- page --------------------------------------------------------------------------------- */

bool mgi_link_init(struct link *w)
{
    const int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE;
    *w = (struct link){ .socket = -1, .output = { -1, -1 }, .page_fd = -1, .newest_fd = -1 };
    w->newest_fd = mgi_fd_out_of_the_way(open("/proc/loadavg", O_RDONLY | O_CLOEXEC));
    if (!mgi_children(&w->keep))
        return false;
    w->page_fd = mgi_fd_out_of_the_way(memfd_create("cancel", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (w->page_fd < 0 || ftruncate(w->page_fd, (off_t)sizeof *w->page) != 0)
        return false;
    void *page = mmap(NULL, sizeof *w->page, PROT_READ | PROT_WRITE, MAP_SHARED, w->page_fd, 0);
    if (page == MAP_FAILED)
        return false;
    w->page = page;
    return fcntl(w->page_fd, F_ADD_SEALS, seals) == 0;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void mgi_link_fini(struct link *w)
{
    mgi_buf_fini(&w->in);
    mgi_buf_fini(&w->out);
    mgi_pids_fini(&w->keep);
    if (w->page)
        munmap(w->page, sizeof *w->page);
    close_fd(&w->page_fd);
    close_fd(&w->newest_fd);
}

/* ---- start -------------------------------------------------------------------------------- */

/* The ends that the worker gets; the host's are in struct link. */
struct worker_ends {
    int null, socket, output[2];
};

static bool make_pair(int fds[2], bool as_socket)
{
    int raw[2];
    int rc =
        as_socket ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, raw) : pipe2(raw, O_CLOEXEC);
    if (rc != 0)
        return false;
    fds[0] = mgi_fd_out_of_the_way(raw[0]);
    fds[1] = mgi_fd_out_of_the_way(raw[1]);
    return fds[0] >= 0 && fds[1] >= 0 && fcntl(fds[0], F_SETFL, O_NONBLOCK) == 0;
}

static bool make_ends(struct link *w, struct worker_ends *ends)
{
    int pair[3][2] = { { -1, -1 }, { -1, -1 }, { -1, -1 } };
    bool ok = make_pair(pair[0], true) && make_pair(pair[1], false) && make_pair(pair[2], false);
    w->socket = pair[0][0];
    w->output[0] = pair[1][0];
    w->output[1] = pair[2][0];
    ends->socket = pair[0][1];
    ends->output[0] = pair[1][1];
    ends->output[1] = pair[2][1];
    ends->null = mgi_fd_out_of_the_way(open("/dev/null", O_RDONLY | O_CLOEXEC));
    return ok && ends->null >= 0;
}

static void close_ends(struct worker_ends *ends)
{
    close_fd(&ends->null);
    close_fd(&ends->socket);
    close_fd(&ends->output[0]);
    close_fd(&ends->output[1]);
}

/* What the child needs to know; it reads it, and changes nothing. */
struct becoming {
    int from[WORKER_FIRST_FREE]; /* its descriptors; all are 10 or above, so none is overwritten */
    char *const *env;
};

/* By the kernel's own calls: the C library's, and a sanitizer's before it, keep notes of handlers
 * in memory that is ours as well. */
IN_CHILD static void default_signals(void)
{
    const uint64_t none = 0;
    const struct kernel_action {
        void (*handler)(int);
        unsigned long flags;
        void (*restorer)(void);
        uint64_t mask;
    } plain = { 0 };
    for (int n = 1; n <= 64; n++)
        syscall(SYS_rt_sigaction, n, &plain, NULL, sizeof none);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, sizeof none);
}

/* A session of its own, no signal blocked, none ignored, and no descriptor but its own. */
IN_CHILD static void become(const void *context)
{
    static const char name[] = "toolhost", mode[] = WORKER_MODE;
    char *const argv[] = { (char *)(uintptr_t)name, (char *)(uintptr_t)mode, NULL };
    const struct becoming *b = context;
    for (int to = 0; to < WORKER_FIRST_FREE; to++)
        if (dup2(b->from[to], to) < 0)
            return;
    if (setsid() < 0)
        return;
    if (syscall(SYS_close_range, (unsigned)WORKER_FIRST_FREE, ~0u, 0u) != 0) /* before Linux 5.9 */
        for (int fd = WORKER_FIRST_FREE; fd < MANY_DESCRIPTORS; fd++)
            close(fd);
    default_signals();
    execve("/proc/self/exe", argv, b->env);
}

/* A group counts better: for user id 0, too, for which the kernel does not enforce this, and
 * without what others of the same user start meanwhile. */
static uint64_t process_limit(const struct settings *settings, const struct confine_group *group)
{
    if (settings->nproc == 0 || getuid() == 0 || group->counts_tasks)
        return 0;
    return mgi_tasks_of_user(getuid()) + settings->nproc;
}

/* The filter goes along as the bytes of its program: both ends are this machine. */
static void put_plan(struct buf *out, const struct confine_plan *plan, uint32_t asked)
{
    const struct str filter = { (const char *)plan->filter,
                                plan->filter_len * sizeof *plan->filter };
    mgi_frame_u32(out, !plan->limits_only);
    mgi_frame_u32(out, asked);
    mgi_frame_u32(out, plan->may);
    mgi_frame_u32(out, plan->ruleset >= 0);
    mgi_frame_u32(out, plan->trims_by_filter);
    mgi_frame_str(out, plan->filter ? filter : STR_LIT(""));
}

static void put_setup(struct buf *out, const struct worker_start *start)
{
    const struct settings *settings = start->settings;
    size_t begun = mgi_frame_begin(out, FRAME_SETUP);
    mgi_frame_u32(out, (uint32_t)getpid());
    mgi_frame_u32(out, settings->plugin_caps);
    mgi_frame_str(out, start->config);
    mgi_frame_u32(out, start->ask);
    put_plan(out, start->plan, start->asked);
    mgi_frame_u64(out, settings->as_mb << 20);
    mgi_frame_u64(out, settings->fsize_mb << 20);
    mgi_frame_u64(out, settings->nofile);
    mgi_frame_u64(out, process_limit(settings, start->group));
    mgi_frame_u64(out, settings->cpu_sec);
    mgi_frame_end(out, begun);
}

static bool may_spawn(const struct confine_plan *plan)
{
    return plan->limits_only || plan->may & CONFINE_SPAWN || !plan->filter;
}

static bool spawn(struct link *w, const struct worker_ends *ends, const struct worker_start *start)
{
    const int rules = start->plan->ruleset;
    const struct becoming b = { .from = { ends->null, ends->output[0], ends->output[1],
                                          ends->socket, start->plugin_fd, w->page_fd,
                                          rules >= 0 ? rules : ends->null },
                                .env = start->env };
    w->group = start->group;
    w->pid = mgi_confine_group_start(w->group, become, &b);
    if (w->pid < 0 && w->group->fd >= 0) { /* the kernel is too old, or refuses */
        mgi_confine_group_remove(w->group);
        mgi_buf_clear(&w->out);
        put_setup(&w->out, start); /* its limits are not the group's any more */
        w->pid = mgi_confine_group_start(w->group, become, &b);
    }
    return w->pid > 0;
}

const char *mgi_link_start(struct link *w, const struct worker_start *start)
{
    struct worker_ends ends;
    w->eof = w->ended = w->worn = false;
    w->may_spawn = may_spawn(start->plan);
    w->cpu_end_ms = 0;
    w->swept_to = mgi_newest_process(w->newest_fd);
    w->sent = 0;
    mgi_buf_clear(&w->in);
    mgi_buf_clear(&w->out);
    put_setup(&w->out, start);

    const char *why = NULL;
    if (!make_ends(w, &ends))
        why = "no descriptors left for a worker";
    else if (w->out.oom)
        why = "out of memory";
    else if (!spawn(w, &ends, start))
        why = "could not start a worker process";
    close_ends(&ends);
    if (!why && clock_getcpuclockid(w->pid, &w->cpu_clock) != 0)
        w->cpu_clock = CLOCK_PROCESS_CPUTIME_ID; /* it has ended already, which will be seen */
    if (why) {
        w->pid = 0;
        mgi_link_kill(w);
    }
    return why;
}

/* The worker waits for it and has read all that came before, so there is room. */
const char *mgi_link_send_plan(struct link *w, const struct confine_plan *plan, uint32_t asked)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr head;
    } rights = { { 0 } };
    mgi_buf_clear(&w->out);
    size_t begun = mgi_frame_begin(&w->out, FRAME_PLAN);
    put_plan(&w->out, plan, asked);
    mgi_frame_end(&w->out, begun);
    if (w->out.oom)
        return "out of memory";
    struct iovec bytes = { w->out.ptr, w->out.len };
    struct msghdr message = { .msg_iov = &bytes, .msg_iovlen = 1 };
    if (plan->ruleset >= 0) {
        message.msg_control = rights.bytes;
        message.msg_controllen = sizeof rights.bytes;
        rights.head = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof(int)),
                                        .cmsg_level = SOL_SOCKET,
                                        .cmsg_type = SCM_RIGHTS };
        memcpy(CMSG_DATA(&rights.head), &plan->ruleset, sizeof plan->ruleset);
    }
    ssize_t sent = sendmsg(w->socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    bool whole = sent == (ssize_t)w->out.len;
    mgi_buf_clear(&w->out);
    w->may_spawn = may_spawn(plan);
    return whole ? NULL : "cannot restrict worker: it does not listen";
}

/* ---- bytes -------------------------------------------------------------------------------- */

void mgi_link_send(struct link *w)
{
    while (w->socket >= 0 && w->sent < w->out.len) {
        ssize_t n = send(w->socket, w->out.ptr + w->sent, w->out.len - w->sent,
                         MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno != EAGAIN)
            w->eof = true;
        if (n <= 0)
            return;
        w->sent += (size_t)n;
    }
    w->sent = 0;
    mgi_buf_clear(&w->out);
}

void mgi_link_receive(struct link *w)
{
    /* One frame and a bit: a worker that floods is stopped by its own socket. */
    while (w->socket >= 0 && w->in.len <= MAX_WORKER_FRAME + sizeof(uint32_t)) {
        if (!mgi_buf_reserve(&w->in, 65536)) {
            w->eof = true;
            return;
        }
        size_t room = w->in.cap - w->in.len - 1;
        ssize_t n = recv(w->socket, w->in.ptr + w->in.len, room, MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0 || (n < 0 && errno != EAGAIN))
            w->eof = true;
        if (n <= 0)
            return;
        w->in.len += (size_t)n;
        w->in.ptr[w->in.len] = '\0';
        if ((size_t)n < room) /* that was all */
            return;
    }
}

static void take_stream(struct link *w, int stream, struct forward *to)
{
    char chunk[65536];
    /* Bounded: a thread of the plugin may print without end. */
    for (int round = 0; round < 32 && w->output[stream] >= 0; round++) {
        ssize_t n = read(w->output[stream], chunk, sizeof chunk);
        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0 || (n < 0 && errno != EAGAIN))
            close_fd(&w->output[stream]);
        if (n <= 0)
            return;
        mgi_forward_bytes(to, stream, chunk, (size_t)n);
    }
}

void mgi_link_take_output(struct link *w, struct forward *to)
{
    take_stream(w, 0, to);
    take_stream(w, 1, to);
}

/* ---- the end of a call -------------------------------------------------------------------- */

static bool sweep_spares(const void *sweep, pid_t pid)
{
    return mgi_sweep_spares(sweep, pid);
}

bool mgi_link_sweep_call(struct link *w, const struct kept_process *kept, size_t kept_count)
{
    if (!w->may_spawn || w->pid == 0)
        return true;
    pid_t newest = mgi_newest_process(w->newest_fd);
    if (newest && newest == w->swept_to)
        return true; /* not one process was started on this machine */
    struct parents parents = { 0 };
    const struct sweep sweep = { .worker = w->pid,
                                 .keep = &w->keep,
                                 .kept = kept,
                                 .kept_count = kept_count,
                                 .newest_fd = w->newest_fd,
                                 .parents = &parents };
    bool gone = mgi_confine_group_end_but(w->group, sweep_spares, &sweep);
    return mgi_sweep_since(&sweep, &w->swept_to) && gone; /* who left the group, too */
}

/* ---- end ---------------------------------------------------------------------------------- */

bool mgi_link_check_end(struct link *w)
{
    siginfo_t about = { 0 };
    if (w->ended || w->pid == 0)
        return w->ended;
    if (waitid(P_PID, (id_t)w->pid, &about, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        about.si_pid != w->pid)
        return false;
    w->ended = true;
    w->by_signal = about.si_code != CLD_EXITED;
    w->end_number = about.si_status;
    return true;
}

void mgi_link_reap_orphans(struct link *w)
{
    siginfo_t about;
    for (;;) {
        about.si_pid = 0;
        if (waitid(P_ALL, 0, &about, WEXITED | WNOHANG | WNOWAIT) != 0 || about.si_pid == 0)
            return;
        if (about.si_pid == w->pid || mgi_pids_has(&w->keep, about.si_pid))
            return; /* the sweep finds what is hidden behind these */
        waitpid(about.si_pid, NULL, WNOHANG);
    }
}

bool mgi_link_allow_cpu(struct link *w, const struct settings *settings, int64_t limit_ms)
{
    struct rlimit limit;
    struct timespec used;
    if (settings->cpu_sec == 0)
        return true;
    uint64_t seconds = settings->cpu_sec, call = (uint64_t)(limit_ms + 999) / 1000;
    if (settings->cpu_by_call && call > seconds)
        seconds = call;
    if (clock_gettime(w->cpu_clock, &used) != 0)
        return false;
    rlim_t soft = (rlim_t)used.tv_sec + 1 + (rlim_t)seconds;
    int64_t end_ms = ((int64_t)soft + 1) * 1000; /* the signal had a second to be obeyed */
    if (end_ms == w->cpu_end_ms)
        return true; /* most calls take less than a second of it */
    if (prlimit(w->pid, RLIMIT_CPU, NULL, &limit) != 0)
        return false;
    limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
    if (prlimit(w->pid, RLIMIT_CPU, &limit, NULL) != 0)
        return false;
    w->cpu_end_ms = end_ms;
    return true;
}

/* The hard limit of the kernel cannot be raised again by an ordinary user, so it cannot follow the
 * calls; the host keeps the time itself. With all processors the worker cannot get there sooner
 * than `again_ms`, so asking costs nothing to speak of. */
bool mgi_link_cpu_exceeded(const struct link *w, int64_t *again_ms)
{
    struct timespec used;
    *again_ms = -1;
    if (w->cpu_end_ms == 0 || clock_gettime(w->cpu_clock, &used) != 0)
        return false;
    int64_t left = w->cpu_end_ms - ((int64_t)used.tv_sec * 1000 + used.tv_nsec / 1000000);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    *again_ms = left <= 0 ? 0 : left / (processors > 0 ? processors : 1) + 1;
    return left <= 0;
}

/* The group first, while the worker, dead or alive, still holds its number (7.4 step 3). */
static bool kill_group(struct link *w)
{
    const struct timespec moment = { .tv_nsec = 300000 };
    int64_t give_up = mgi_now_ms() + DEATH_LIMIT_MS;
    kill(-w->pid, SIGKILL);
    kill(w->pid, SIGKILL);
    while (waitpid(w->pid, NULL, WNOHANG) == 0) {
        if (mgi_now_ms() > give_up)
            return false;
        nanosleep(&moment, NULL);
    }
    return true;
}

bool mgi_link_kill(struct link *w)
{
    bool clean = true;
    if (w->pid) {
        clean = mgi_confine_group_end(w->group, NULL, 0); /* nothing is started any more */
        clean = kill_group(w) && clean;
        clean = mgi_sweep(&w->keep) && clean;
    }
    w->pid = 0;
    close_fd(&w->socket);
    close_fd(&w->output[0]);
    close_fd(&w->output[1]);
    w->sent = 0;
    mgi_buf_clear(&w->in);
    mgi_buf_clear(&w->out);
    return clean;
}
