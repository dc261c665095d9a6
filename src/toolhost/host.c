/* The host's start and end, its pump, and its output: see host.h. */
#include "toolhost/host.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "toolhost/frame.h"

/* ---- start -------------------------------------------------------------------------------- */

/* SIGPIPE would end the host when a reader goes away; SIGCHLD must not be ignored, or dead workers
 * would have no status. The three others are read from a descriptor, in the pump. */
static int take_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGCHLD);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return mgi_fd_out_of_the_way(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

/* A pipe gets a description of its own, so that making it non-blocking does not surprise whoever
 * shares ours. Where that is not possible, writes are kept so small that they cannot block. */
static void choose_output(struct host *h)
{
    struct stat about;
    h->output = STDOUT_FILENO;
    if (fstat(STDOUT_FILENO, &about) != 0)
        return;
    h->output_is_socket = S_ISSOCK(about.st_mode);
    if (!S_ISFIFO(about.st_mode))
        return;
    int fd = mgi_fd_out_of_the_way(open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_CLOEXEC));
    h->output_blocks = fd < 0;
    if (fd >= 0)
        h->output = fd;
}

static bool open_control(struct host *h, int fd)
{
    h->control.fd = -1;
    if (fd < 0)
        return true;
    h->control.fd = mgi_fd_out_of_the_way(fd);
    return h->control.fd >= 0 && fcntl(h->control.fd, F_SETFL, O_NONBLOCK) == 0;
}

static void warn_of_leases(const struct host *h)
{
    const struct settings *s = &h->settings;
    if (s->lease_enforce && s->issuing == ISSUE_CONTROL && h->control.fd < 0)
        mgi_log(&h->log, LOG_WARN,
                "leases are enforced and there is no control channel: tools "
                "above tier 0 are out of reach");
    if (s->lease_enforce && s->issuing == ISSUE_INBAND)
        mgi_log(&h->log, LOG_WARN,
                "leases are enforced, but whoever sends requests may issue them");
}

static const char *start_system(struct host *h, int control_fd)
{
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) /* T-ISO-19 */
        return "cannot make itself unreadable";
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0)
        return "cannot become a subreaper";
    h->signals = take_signals();
    if (h->signals < 0)
        return "cannot receive signals";
    if (!open_control(h, control_fd))
        return "cannot use the control channel";
    if (!mgi_link_init(&h->link))
        return "cannot share a page with workers";
    choose_output(h);
    return NULL;
}

const char *mgi_host_start(struct host *h, const char *plugin_path, int control_fd,
                           char *const env[], int *exit_code)
{
    *h = (struct host){ .log = { LOG_INFO, mgi_diag_write, NULL }, .signals = -1 };
    h->plugin.fd = h->control.fd = -1;
    h->link.socket = h->link.output[0] = h->link.output[1] = h->link.page_fd = -1;
    mgi_arena_init(&h->life, 0);
    mgi_arena_init(&h->request, MAX_REQUEST_ARENA);

    *exit_code = mgi_settings_read(env, &h->log, &h->settings) ? 0 : 2;
    if (*exit_code)
        return NULL;
    const char *why = start_system(h, control_fd);
    h->worker_env = mgi_worker_env(&h->life, env);
    if (!why && !h->worker_env)
        why = "out of memory";
    if (why) {
        mgi_log(&h->log, LOG_ERROR, "%s", why);
        *exit_code = 1;
        return NULL;
    }
    if (getuid() == 0)
        mgi_log(&h->log, LOG_WARN,
                "running as user id 0: the process limit is not enforced, and "
                "plugins can read this process");
    warn_of_leases(h);
    why = mgi_plugin_file_open(&h->life, plugin_path, &h->settings, &h->plugin);
    return why ? why : mgi_host_ready(h, &h->life, h->settings.timeout_ms);
}

/* ---- end ---------------------------------------------------------------------------------- */

static void stop_worker(struct host *h)
{
    struct link *w = &h->link;
    int64_t until = mgi_now_ms() + FINI_LIMIT_MS;
    if (w->pid == 0)
        return;
    mgi_frame_end(&w->out, mgi_frame_begin(&w->out, FRAME_STOP));
    mgi_link_send(w);
    while (w->pid && !w->ended && mgi_now_ms() < until)
        mgi_host_pump(h, 0, until);
    mgi_host_kill_worker(h);
}

void mgi_host_end(struct host *h)
{
    h->calling = true; /* the end of the worker is expected: the pump leaves it to us */
    stop_worker(h);
    mgi_plugin_file_close(&h->plugin);
    mgi_link_fini(&h->link);
    mgi_idem_fini(&h->cache);
    mgi_lease_fini(&h->leases);
    mgi_ds_fini(&h->state);
    mgi_lines_fini(&h->input);
    mgi_lines_fini(&h->control.in);
    mgi_buf_fini(&h->control.out);
    if (h->control.fd >= 0)
        close(h->control.fd);
    if (h->signals >= 0)
        close(h->signals);
    mgi_arena_fini(&h->request);
    mgi_arena_fini(&h->life);
}

/* ---- pump --------------------------------------------------------------------------------- */

static void serve_signals(struct host *h)
{
    struct signalfd_siginfo s;
    while (read(h->signals, &s, sizeof s) == (ssize_t)sizeof s) {
        if (s.ssi_signo == SIGCHLD) {
            mgi_link_check_end(&h->link);
            mgi_link_reap_orphans(&h->link);
        } else {
            h->stop = true;
        }
    }
}

static void close_control(struct host *h)
{
    close(h->control.fd);
    h->control.fd = -1;
    mgi_lines_fini(&h->control.in);
    mgi_buf_fini(&h->control.out);
    h->control.sent = 0;
}

static void send_control(struct host *h)
{
    struct control *c = &h->control;
    while (c->sent < c->out.len) {
        ssize_t n = write(c->fd, c->out.ptr + c->sent, c->out.len - c->sent);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno != EAGAIN) {
            close_control(h);
            return;
        }
        if (n < 0)
            break;
        c->sent += (size_t)n;
    }
    if (c->sent == c->out.len) {
        mgi_buf_clear(&c->out);
        c->sent = 0;
    } else if (c->out.len - c->sent > MAX_CONTROL_BACKLOG) {
        mgi_log(&h->log, LOG_WARN, "the control channel is not read: closed");
        close_control(h);
    }
}

/* Commands are carried out as they come, also while a tool runs (T-REQ-6). */
static void serve_control_lines(struct host *h)
{
    struct control *c = &h->control;
    while (c->fd >= 0) {
        struct str line;
        enum line_event event = mgi_lines_next(&c->in, &line);
        if (event == LINE_NONE)
            return;
        if (event == LINE_END || event == LINE_NOMEM || c->out.oom) {
            close_control(h);
            return;
        }
        if (event == LINE_READY && line.len == 0)
            continue;
        mgi_control_line(h, line, event == LINE_TOO_LONG, &c->out);
        send_control(h);
    }
}

static void serve_control(struct host *h)
{
    char chunk[16384];
    ssize_t n = read(h->control.fd, chunk, sizeof chunk);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n > 0)
        mgi_lines_feed(&h->control.in, chunk, (size_t)n);
    else
        mgi_lines_end(&h->control.in);
    serve_control_lines(h);
}

static void read_stdin(struct host *h)
{
    char chunk[65536];
    ssize_t n = read(STDIN_FILENO, chunk, sizeof chunk);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n > 0)
        mgi_lines_feed(&h->input, chunk, (size_t)n);
    else
        mgi_lines_end(&h->input);
}

/* A worker that ends, or speaks unasked, between calls. The next request starts another (T-ISO-14).
 */
static void mind_idle_worker(struct host *h)
{
    struct link *w = &h->link;
    if (h->calling || w->pid == 0)
        return;
    if (w->ended || w->eof || w->in.len > 0)
        mgi_host_kill_worker(h);
}

enum {
    POLL_SIGNALS,
    POLL_OUTPUT,
    POLL_INPUT,
    POLL_CONTROL,
    POLL_WORKER,
    POLL_PRINTS,
    POLL_COUNT = 7
};

static struct pollfd poll_entry(int fd, int events)
{
    return (struct pollfd){ .fd = fd, .events = (short)events };
}

/* An entry whose descriptor is -1 is skipped by poll(). */
static void plan_poll(const struct host *h, int want, struct pollfd polls[POLL_COUNT])
{
    const struct link *w = &h->link;
    const struct control *c = &h->control;
    polls[POLL_SIGNALS] = poll_entry(h->signals, POLLIN);
    polls[POLL_OUTPUT] =
        poll_entry(h->reader_lost ? -1 : h->output, want & PUMP_OUTPUT ? POLLOUT : 0);
    polls[POLL_INPUT] = poll_entry(want & PUMP_INPUT ? STDIN_FILENO : -1, POLLIN);
    /* Until the first worker has said what the tools are, no command can be judged. */
    polls[POLL_CONTROL] =
        poll_entry(h->tools.count ? c->fd : -1, POLLIN | (c->out.len > c->sent ? POLLOUT : 0));
    polls[POLL_WORKER] =
        poll_entry(w->eof ? -1 : w->socket, POLLIN | (w->out.len > w->sent ? POLLOUT : 0));
    polls[POLL_PRINTS] = poll_entry(w->output[0], POLLIN);
    polls[POLL_PRINTS + 1] = poll_entry(w->output[1], POLLIN);
}

static int poll_timeout(int64_t until_ms)
{
    if (until_ms < 0)
        return -1;
    int64_t left = until_ms - mgi_now_ms();
    return left <= 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

void mgi_host_pump(struct host *h, int want, int64_t until_ms)
{
    struct pollfd polls[POLL_COUNT];
    plan_poll(h, want, polls);
    if (poll(polls, POLL_COUNT, poll_timeout(until_ms)) < 0)
        return; /* interrupted: the caller looks and comes again */
    if (polls[POLL_SIGNALS].revents)
        serve_signals(h);
    if (polls[POLL_PRINTS].revents || polls[POLL_PRINTS + 1].revents)
        mgi_link_take_output(&h->link, &h->forward);
    if (polls[POLL_WORKER].revents) {
        mgi_link_send(&h->link);
        mgi_link_receive(&h->link);
    }
    if (polls[POLL_CONTROL].revents & POLLOUT)
        send_control(h);
    if (h->control.fd >= 0 && polls[POLL_CONTROL].revents & ~POLLOUT)
        serve_control(h);
    if (polls[POLL_INPUT].revents)
        read_stdin(h);
    else if (polls[POLL_OUTPUT].revents & (POLLERR | POLLHUP | POLLNVAL))
        h->reader_lost = true; /* only if no input, or its end, came with it */
    mind_idle_worker(h);
}

/* ---- output ------------------------------------------------------------------------------- */

/* Like write(), but never blocks longer than the file itself does. */
static ssize_t write_some(const struct host *h, const char *bytes, size_t len)
{
    if (h->output_is_socket)
        return send(h->output, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (!h->output_blocks)
        return write(h->output, bytes, len);
    struct pollfd room = { .fd = h->output, .events = POLLOUT };
    if (poll(&room, 1, 0) != 1) {
        errno = EAGAIN;
        return -1;
    }
    return write(h->output, bytes, len < PIPE_BUF ? len : PIPE_BUF);
}

bool mgi_host_write(struct host *h, struct str bytes)
{
    int64_t give_up = -1; /* a slow reader may take its time, but not once we are to end */
    while (bytes.len > 0) {
        if (h->reader_lost || (give_up >= 0 && mgi_now_ms() >= give_up))
            return false;
        ssize_t n = write_some(h, bytes.ptr, bytes.len);
        if (n > 0) {
            bytes.ptr += n;
            bytes.len -= (size_t)n;
        } else if (n < 0 && errno == EAGAIN) {
            mgi_host_pump(h, PUMP_OUTPUT, give_up);
        } else if (n == 0 || errno != EINTR) {
            h->reader_lost = true;
        }
        if (h->stop && give_up < 0)
            give_up = mgi_now_ms() + 1000;
    }
    return true;
}
