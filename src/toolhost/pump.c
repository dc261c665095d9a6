/* Everything that the host serves while it waits for something, and its output: see host.h. */
#include "toolhost/host.h"

#include "sys/clock.h"
#include "sys/spare.h"
#include "toolhost/events.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

/* Children that are neither the worker's process nor were there before: what tools let loose. */
static size_t count_leaked(const struct link *w)
{
    struct pid_list all;
    size_t leaked = 0;
    if (!mgi_children(&all))
        return 0;
    for (size_t i = 0; i < all.count; i++)
        leaked += all.items[i] != w->pid && !mgi_pids_has(&w->keep, all.items[i]);
    mgi_pids_fini(&all);
    return leaked;
}

void mgi_host_kill_worker(struct host *h)
{
    mgi_link_take_output(&h->link, &h->forward); /* its last words */
    if (h->link.pid && h->audit.on) {
        mgi_link_check_end(&h->link);
        mgi_event_worker_ended(h, count_leaked(&h->link));
    }
    if (!mgi_link_kill(&h->link))
        mgi_log(&h->log, LOG_WARN, "a process that a tool left behind would not die");
    mgi_confine_folder_empty(&h->confinement.folder);
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
    mgi_line_queue_fini(&h->control.in);
    mgi_buf_fini(&h->control.out);
    h->control.sent = 0;
}

void mgi_host_send_control(struct host *h)
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
        enum line_event event = mgi_line_queue_next(&c->in, &line);
        if (event == LINE_NONE && !c->in.ended)
            return;
        if (event == LINE_NONE || event == LINE_NOMEM || c->out.oom) {
            close_control(h);
            return;
        }
        if (event == LINE_TEXT && line.len == 0)
            continue;
        mgi_control_line(h, line, event == LINE_TOO_LONG, &c->out);
        mgi_host_send_control(h);
    }
}

static void serve_control(struct host *h)
{
    char chunk[16384];
    ssize_t n = read(h->control.fd, chunk, sizeof chunk);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n > 0)
        mgi_line_queue_feed(&h->control.in, chunk, (size_t)n);
    else
        mgi_line_queue_end(&h->control.in);
    serve_control_lines(h);
}

static void read_stdin(struct host *h)
{
    char chunk[65536];
    ssize_t n = read(STDIN_FILENO, chunk, sizeof chunk);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n > 0)
        mgi_line_queue_feed(&h->input, chunk, (size_t)n);
    else
        mgi_line_queue_end(&h->input);
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

/* The next request often follows an answer at once. A result is slept for: the worker may need the
 * processor. */
static int wait_for(struct host *h, struct pollfd polls[POLL_COUNT], int want, int timeout_ms)
{
    int ready = 0;
    if (!(want & PUMP_INPUT))
        return poll(polls, POLL_COUNT, timeout_ms);
    int64_t now = mgi_clock_mono_ns();
    bool spare = mgi_spare_processor(&h->spare, h->link.newest_fd, now);
    int64_t until = mgi_patience_begin(&h->patience, spare, now);
    while (ready == 0 && mgi_clock_mono_ns() < until)
        ready = poll(polls, POLL_COUNT, 0);
    if (ready == 0)
        ready = poll(polls, POLL_COUNT, timeout_ms);
    mgi_patience_end(&h->patience, mgi_clock_mono_ns());
    return ready;
}

void mgi_host_pump(struct host *h, int want, int64_t until_ms)
{
    struct pollfd polls[POLL_COUNT];
    plan_poll(h, want, polls);
    if (wait_for(h, polls, want, poll_timeout(until_ms)) < 0)
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
        mgi_host_send_control(h);
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
