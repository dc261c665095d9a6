/* The worker's life: learn what the plugin asks for, restrict itself, load the plugin, say what it
 * offers, call one tool after the other (see worker.h). Every restriction is in force before the
 * first byte of plugin code runs, constructors included (T-ISO-18): see confinement.h.
 *
 * Reading and writing here may block: there is nothing else to do meanwhile, and whoever hangs is
 * killed by the host. */
#include "toolhost/worker.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "confine/confine.h"
#include "toolhost/api.h"
#include "toolhost/frame.h"
#include "toolhost/plugin_load.h"
#include "toolhost/processes.h"
#include "toolhost/sizes.h"
#include "toolhost/state_frame.h"

enum { FRAME_CHUNK = 4096 };

struct worker {
    pid_t pid;
    struct confine_plan plan;
    uint32_t asked; /* TH_CAP_*, by the plugin; counts where it is confined */
    struct buf in, out;
    size_t taken; /* bytes of the latest frame in `in` */
    struct plugin plugin;
    struct th_call call;
    char cwd[PATH_MAX]; /* empty: it had none */
};

/* ---- frames ------------------------------------------------------------------------------- */

/* Some more bytes of the host, up to `room`; a descriptor that comes along is *fd. */
static ssize_t receive_some(char *into, size_t room, int *fd)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr head;
    } rights;
    struct iovec bytes = { into, room };
    struct msghdr message = { .msg_iov = &bytes, .msg_iovlen = 1 };
    if (!fd)
        return recv(WORKER_SOCKET, into, room, 0);
    message.msg_control = rights.bytes;
    message.msg_controllen = sizeof rights.bytes;
    ssize_t n = recvmsg(WORKER_SOCKET, &message, MSG_CMSG_CLOEXEC);
    const struct cmsghdr *came = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (came && came->cmsg_level == SOL_SOCKET && came->cmsg_type == SCM_RIGHTS &&
        came->cmsg_len == CMSG_LEN(sizeof *fd))
        memcpy(fd, CMSG_DATA(came), sizeof *fd);
    return n;
}

/* What is still to come of a frame that has begun; before that, as much as most frames have. */
static size_t room_for_rest(const struct buf *in)
{
    uint32_t len;
    if (in->len < sizeof len)
        return FRAME_CHUNK;
    memcpy(&len, in->ptr, sizeof len);
    size_t whole = sizeof len + (len <= MAX_HOST_FRAME ? len : 0);
    return whole > in->len + FRAME_CHUNK ? whole - in->len : FRAME_CHUNK;
}

/* The next frame, in w->in until the one after it; *fd is a descriptor that came with it, and may
 * be NULL. False: the host is gone, or there is no memory. */
static bool receive_frame(struct worker *w, struct frame *f, int *fd)
{
    struct buf *in = &w->in;
    if (w->taken < in->len) /* seldom: the host waits for an answer */
        memmove(in->ptr, in->ptr + w->taken, in->len - w->taken);
    in->len -= w->taken;
    w->taken = 0;
    for (;;) {
        enum frame_event event = mgi_frame_next(mgi_buf_view(in), MAX_HOST_FRAME, f, &w->taken);
        if (event != FRAME_PARTIAL)
            return event == FRAME_WHOLE;
        if (!mgi_buf_reserve(in, room_for_rest(in)))
            return false;
        ssize_t n = receive_some(in->ptr + in->len, in->cap - in->len - 1, fd);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        in->len += (size_t)n;
        in->ptr[in->len] = '\0';
    }
}

/* A socket that cannot be written is one that a tool has closed or broken. The host sees that too,
 * and decides; ending here would look like the tool's own exit. */
static void send_frame(const struct buf *out)
{
    size_t sent = 0;
    while (sent < out->len) {
        ssize_t n = send(WORKER_SOCKET, out->ptr + sent, out->len - sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        sent += (size_t)n;
    }
    while (sent < out->len)
        pause();
}

static void send_failed(struct buf *out, const char *why)
{
    mgi_buf_clear(out);
    size_t begun = mgi_frame_begin(out, FRAME_FAILED);
    mgi_frame_str(out, str_of(why));
    mgi_frame_end(out, begun);
    send_frame(out);
}

/* ---- restrictions ------------------------------------------------------------------------- */

/* Crashes must end the process by their signal, also where a sanitizer has put handlers in place.
 * Writing beyond the file size limit must fail instead of killing. */
static void set_signals(void)
{
    const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS };
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        signal(crashes[i], SIG_DFL);
    signal(SIGXFSZ, SIG_IGN);
}

/* The plan as the host made it; its fields are in the order in which the host wrote them. False: it
 * is no plan, or there is no memory for it. */
static bool take_plan(struct worker *w, struct frame *f, int ruleset)
{
    struct confine_plan *plan = &w->plan;
    mgi_confine_plan_fini(plan);
    plan->limits_only = !mgi_frame_get_u32(f);
    w->asked = mgi_frame_get_u32(f);
    plan->may = mgi_frame_get_u32(f);
    plan->ruleset = mgi_frame_get_u32(f) ? ruleset : -1;
    plan->trims_by_filter = mgi_frame_get_u32(f);
    struct str filter = mgi_frame_get_str(f);
    plan->filter_len = (uint16_t)(filter.len / sizeof *plan->filter);
    if (filter.len > 0) {
        plan->filter = mgi_alloc(filter.len); /* aligned, and beyond the frame's life */
        if (!plan->filter)
            return false;
        memcpy(plan->filter, filter.ptr, filter.len);
    }
    return !f->bad;
}

static void take_limits(struct worker *w, struct frame *setup)
{
    struct confine_limits *limits = &w->plan.limits;
    limits->memory_bytes = mgi_frame_get_u64(setup);
    limits->file_bytes = mgi_frame_get_u64(setup);
    limits->descriptors = mgi_frame_get_u64(setup);
    limits->processes = mgi_frame_get_u64(setup);
    limits->cpu_seconds = mgi_frame_get_u64(setup);
    limits->cpu_soft_only = true; /* the host raises it before each call, and enforces it itself */
}

/* Ending a thread in the C library's way needs this library, which could not be loaded any more
 * once no memory can become executable. */
static void load_what_threads_need(const struct worker *w)
{
    if (w->plan.filter && !(w->plan.may & (CONFINE_SPAWN | CONFINE_MAKE_CODE)))
        dlopen("libgcc_s.so.1", RTLD_NOW);
}

/* Where it cannot read everywhere, its own folder is its home: programs fail at files of the user
 * that they cannot open. */
static bool choose_home(const struct confine_plan *plan)
{
    const char *folder = getenv("TMPDIR");
    return plan->limits_only || plan->may & CONFINE_READ || !folder ||
           setenv("HOME", folder, 1) == 0;
}

/* Confine this process by its plan. NULL, or what could not be. */
static const char *restrict_self(struct worker *w, pid_t parent)
{
    const struct confine_entry entry = { .parent = parent };
    const char *what = choose_home(&w->plan) ? mgi_confine_enter(&w->plan, &entry) : "memory";
    if (w->plan.ruleset >= 0)
        close(w->plan.ruleset);
    w->plan.ruleset = -1;
    return what;
}

static const struct shared_page *map_page(void)
{
    void *page = mmap(NULL, sizeof(struct shared_page), PROT_READ, MAP_SHARED, WORKER_PAGE, 0);
    close(WORKER_PAGE);
    return page == MAP_FAILED ? NULL : page;
}

/* ---- calls -------------------------------------------------------------------------------- */

/* T-ISO-5: what a tool leaves of these does not reach the next one. Done between them, while the
 * host works on the answer. */
static void restore_surroundings(const struct worker *w)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    umask(077);
    if (w->cwd[0] && chdir(w->cwd) != 0) {
        /* The directory has gone meanwhile: there is nothing to go back to. */
    }
}

static void put_result(struct buf *out, const struct th_call *call, uint64_t number, int32_t status)
{
    size_t begun = mgi_frame_begin(out, FRAME_RESULT);
    mgi_frame_u64(out, number);
    mgi_frame_u32(out, (uint32_t)status);
    mgi_frame_u64(out, call->lost);
    mgi_frame_u32(out, call->lost_how);
    mgi_frame_str(out, mgi_buf_view(&call->output));
    mgi_frame_str(out, mgi_buf_view(&call->error));
    mgi_frame_put_state(out, &call->state);
    mgi_frame_u32(out, mgi_descriptors_run_out());
    mgi_processes_put(out);
    mgi_frame_end(out, begun);
}

static void reset_call(struct th_call *call)
{
    atomic_store(&call->number, 0);
    mgi_arena_reset(&call->memory);
    mgi_arena_reset(&call->scratch);
    mgi_buf_clear(&call->output);
    mgi_buf_clear(&call->error);
    call->lost = 0;
    call->lost_how = 0;
    call->request_id = call->key = STR_LIT("");
}

static void send_result(struct worker *w, uint64_t number, int32_t status)
{
    mgi_buf_clear(&w->out);
    mgi_call_end_progress(&w->call, &w->out);
    put_result(&w->out, &w->call, number, status);
    if (w->out.oom) { /* the plugin holds all the memory: say so in a few bytes */
        reset_call(&w->call);
        mgi_ds_fini(&w->call.state);
        mgi_buf_puts(&w->call.error, "worker is out of memory");
        w->call.lost_how = TH_LOST_BAD_OUTPUT; /* it has run */
        mgi_buf_clear(&w->out);
        put_result(&w->out, &w->call, number, TH_TOOL_ERROR);
    }
    send_frame(&w->out);
}

static void run_call(struct worker *w, struct frame *f)
{
    struct th_call *call = &w->call;
    uint64_t number = mgi_frame_get_u64(f);
    int64_t deadline_ns = (int64_t)mgi_frame_get_u64(f);
    uint32_t index = mgi_frame_get_u32(f);
    bool wants_progress = mgi_frame_get_u32(f) != 0;
    call->request_id = mgi_frame_get_str(f);
    call->key = mgi_frame_get_str(f);
    bool ok = mgi_frame_get_state(f, &call->scratch, NULL, &call->state);
    struct str input = mgi_frame_get_str(f); /* the last field: the buffer's NUL follows it */

    int32_t status = TH_TOOL_ERROR;
    if (!ok || !mgi_frame_is_done(f) || index >= w->plugin.reg.count) {
        mgi_buf_puts(&call->error, "worker is out of memory");
    } else {
        const struct plugin_tool *tool = &w->plugin.reg.items[index];
        if (!w->plan.filter || w->plan.may & CONFINE_SPAWN)
            mgi_processes_reap();
        atomic_store(&call->deadline_ns, deadline_ns);
        atomic_store(&call->number, number);
        mgi_call_begin_progress(call, wants_progress);
        status = (int32_t)tool->fn(call, (th_str){ input.ptr, input.len }, tool->user);
        if (getpid() != w->pid)
            _exit(0); /* T-ISO-4: the tool forked and came back twice */
    }
    send_result(w, number, status);
    reset_call(call);
    restore_surroundings(w);
}

/* ---- asking ------------------------------------------------------------------------------- */

/* What the plugin asks for, or why it cannot be asked. Whoever wrote it was foreign code. */
struct told {
    uint32_t caps;
    char why[1024];
};

/* In a process that is confined to nothing: load the plugin, and ask it. */
static _Noreturn void be_asked(struct worker *w, uint32_t allowed, pid_t worker, int answer)
{
    struct told told = { 0 };
    close(WORKER_SOCKET);
    close(WORKER_PAGE);
    const char *what = restrict_self(w, worker);
    const char *why =
        what ? "cannot restrict worker: " : mgi_plugin_open(&w->plugin, WORKER_PLUGIN, allowed);
    told.caps = w->plugin.reg.caps;
    if (why)
        snprintf(told.why, sizeof told.why, "%s%s", why, what ? what : "");
    bool whole = write(answer, &told, sizeof told) == (ssize_t)sizeof told;
    _exit(whole ? 0 : 1);
}

/* It ended without a word, or in the middle of one: so does this process, for the host explains how
 * a worker ends. */
static _Noreturn void end_alike(int status)
{
    if (WIFSIGNALED(status))
        raise(WTERMSIG(status));
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

static bool read_told(int from, struct told *told)
{
    size_t have = 0;
    while (have < sizeof *told) {
        ssize_t n = read(from, (char *)told + have, sizeof *told - have);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        have += (size_t)n;
    }
    told->why[sizeof told->why - 1] = '\0';
    return true;
}

/* No longer than the host waits for a worker to load its plugin. */
static const char *ask_plugin(struct worker *w, uint32_t allowed, struct told *told)
{
    int ends[2], status = 0;
    pid_t self = getpid();
    if (pipe2(ends, O_CLOEXEC) != 0)
        return "no descriptors left for a worker";
    pid_t asked = fork();
    if (asked == 0)
        be_asked(w, allowed, self, ends[1]);
    close(ends[1]);
    bool good = asked > 0 && read_told(ends[0], told);
    close(ends[0]);
    if (asked < 0)
        return "could not start a worker process";
    if (good) /* it may go on to run, and is not to */
        kill(asked, SIGKILL);
    while (waitpid(asked, &status, 0) < 0 && errno == EINTR)
        ;
    if (!good)
        end_alike(status);
    return told->why[0] ? told->why : NULL;
}

/* The plan at hand is for asking. In its place comes one for what the plugin asks for. */
static const char *learn_plan(struct worker *w, uint32_t allowed)
{
    static struct told told;
    struct frame f;
    int ruleset = -1;
    const char *why = ask_plugin(w, allowed, &told);
    if (why)
        return why;
    mgi_buf_clear(&w->out);
    size_t begun = mgi_frame_begin(&w->out, FRAME_CAPS);
    mgi_frame_u32(&w->out, told.caps);
    mgi_frame_end(&w->out, begun);
    send_frame(&w->out);
    if (!receive_frame(w, &f, &ruleset) || f.type != FRAME_PLAN)
        _exit(0); /* the host ends it */
    return take_plan(w, &f, ruleset) ? NULL : "out of memory";
}

/* ---- life --------------------------------------------------------------------------------- */

static const char *restrict_fully(struct worker *w, pid_t host)
{
    load_what_threads_need(w);
    const char *what = restrict_self(w, host);
    if (!what)
        return NULL;
    const char *why = mgi_arena_printf(&w->call.memory, "cannot restrict worker: %s", what);
    return why ? why : "cannot restrict worker";
}

static const char *load(struct worker *w, struct frame *setup)
{
    pid_t host = (pid_t)mgi_frame_get_u32(setup);
    uint32_t allowed = mgi_frame_get_u32(setup);
    struct str config = mgi_frame_get_str(setup);
    bool ask = mgi_frame_get_u32(setup) != 0;
    umask(077);
    set_signals();
    if (!mgi_api_configure(config) || !take_plan(w, setup, WORKER_RULES))
        return "plugin open failed: out of memory";
    take_limits(w, setup);
    if (w->plan.ruleset < 0)
        close(WORKER_RULES);
    if (!mgi_frame_is_done(setup) || (ask && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0))
        return "cannot restrict worker: setup";
    const char *why = ask ? learn_plan(w, allowed) : NULL;
    if (!why)
        why = restrict_fully(w, host);
    if (why)
        return why;
    w->call.page = map_page();
    if (!w->call.page)
        return "cannot restrict worker: shared page";
    why = mgi_plugin_open(&w->plugin, WORKER_PLUGIN, allowed);
    if (!why && !w->plan.limits_only && w->plugin.reg.caps != w->asked)
        why = "capabilities changed";
    if (!why)
        why = mgi_plugin_init(&w->plugin);
    if (!why && mgi_confine_seal(&w->plan)) /* T-ISO-10 */
        why = "cannot restrict worker: executable memory";
    return why;
}

static void send_ready(struct worker *w)
{
    const struct th_reg *reg = &w->plugin.reg;
    mgi_buf_clear(&w->out);
    size_t begun = mgi_frame_begin(&w->out, FRAME_READY);
    mgi_frame_u32(&w->out, reg->abi);
    mgi_frame_u32(&w->out, reg->caps);
    mgi_frame_u32(&w->out, (uint32_t)reg->count);
    for (size_t i = 0; i < reg->count; i++)
        mgi_tool_encode(&w->out, &reg->items[i].tool);
    mgi_frame_end(&w->out, begun);
    if (w->out.oom)
        send_failed(&w->out, "plugin open failed: out of memory");
    else
        send_frame(&w->out);
}

static void serve(struct worker *w)
{
    struct frame f;
    while (receive_frame(w, &f, NULL)) {
        if (f.type == FRAME_CALL) {
            run_call(w, &f);
        } else if (f.type == FRAME_STOP) {
            if (w->plugin.fini)
                w->plugin.fini();
            _exit(0);
        }
    }
}

static bool started_by_host(void)
{
    int domain;
    socklen_t len = sizeof domain;
    return getsockopt(WORKER_SOCKET, SOL_SOCKET, SO_DOMAIN, &domain, &len) == 0 &&
           domain == AF_UNIX;
}

/* Ends by _exit(): what a plugin registered with atexit() is covered by fini, or by nothing. */
int mgi_worker_main(void)
{
    if (!started_by_host())
        return 2;
    struct worker *w = mgi_calloc(1, sizeof *w);
    struct frame setup;
    if (!w || prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) /* checked when it is confined */
        _exit(1);
    w->pid = getpid();
    w->plan.ruleset = -1;
    pthread_mutex_init(&w->call.reporting, NULL);
    mgi_arena_init(&w->call.memory, 0);
    mgi_arena_init(&w->call.scratch, 0);
    if (!getcwd(w->cwd, sizeof w->cwd))
        w->cwd[0] = '\0';
    if (!receive_frame(w, &setup, NULL) || setup.type != FRAME_SETUP)
        _exit(1);
    const char *why = load(w, &setup);
    if (why)
        send_failed(&w->out, why);
    else
        send_ready(w);
    serve(w);
    _exit(0);
}
