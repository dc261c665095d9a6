/* The wire of a session: a child's standard streams; what a WebSocket does otherwise is in
 * wire_ws.c (wire.h). */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "client/sigpipe.h"
#include "conformance/wire_int.h"
#include "sys/clock.h"

#define CHUNK        65536
#define EXIT_WAIT_MS 5000 /* after the end of input; then it is killed */

extern char **environ;

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static int start_child(struct wire *w, const char *const *command, int in, int out)
{
    posix_spawn_file_actions_t actions;
    pid_t pid = 0;
    int rc = posix_spawn_file_actions_init(&actions);
    if (rc)
        return rc;
    rc = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (!rc)
        rc = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    if (!rc)
        rc = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (!rc)
        rc = posix_spawnp(&pid, command[0], &actions, NULL, (char *const *)command, environ);
    posix_spawn_file_actions_destroy(&actions);
    w->child = pid;
    return rc;
}

static int make_streams(struct wire *w, const char *const *command)
{
    int in[2], out[2] = { -1, -1 };
    if (pipe2(in, O_CLOEXEC) != 0)
        return errno;
    if (pipe2(out, O_CLOEXEC) != 0) {
        close(in[0]);
        close(in[1]);
        return errno;
    }
    int rc = start_child(w, command, in[0], out[1]);
    close(in[0]);
    close(out[1]);
    w->out = in[1];
    w->in = out[0];
    if (!rc && (fcntl(w->out, F_SETFL, O_NONBLOCK) != 0 || fcntl(w->in, F_SETFL, O_NONBLOCK) != 0))
        rc = errno;
    return rc;
}

struct wire *mgi_wire_spawn(const char *const *command, struct buf *why)
{
    struct wire *w = mgi_calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->carrier = OVER_STDIO;
    w->in = w->out = -1;
    int rc = make_streams(w, command);
    if (rc == 0)
        return w;
    mgi_buf_printf(why, "could not start %s: %s", command[0], strerror(rc));
    mgi_wire_close(w);
    return NULL;
}

bool mgi_wire_exited(struct wire *w, int64_t wait_ms, int *status)
{
    int64_t until_ns = mgi_clock_mono_ns() + wait_ms * NS_PER_MS;
    *status = 0;
    while (w->child > 0) {
        if (waitpid((pid_t)w->child, status, WNOHANG) != 0) {
            w->child = 0;
            break;
        }
        if (mgi_clock_mono_ns() >= until_ns)
            return false;
        (void)poll(NULL, 0, 5);
    }
    return true;
}

void mgi_wire_end_input(struct wire *w)
{
    close_end(&w->out);
}

void mgi_wire_close(struct wire *w)
{
    int status;
    if (!w)
        return;
    close_end(&w->out);
    close_end(&w->in); /* before the wait: who writes without end is stopped by it */
    if (w->ws)
        mgi_wire_ws_close(w);
    if (w->child > 0 && !mgi_wire_exited(w, EXIT_WAIT_MS, &status)) {
        kill((pid_t)w->child, SIGKILL);
        waitpid((pid_t)w->child, &status, 0);
    }
    mgi_buf_fini(&w->kept);
    mgi_frames_fini(&w->frames);
    mgi_buf_fini(&w->pong);
    mgi_free(w);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static bool wait_ready(int fd, short events, int64_t until_ns)
{
    int64_t left_ms = (until_ns - mgi_clock_mono_ns() + NS_PER_MS - 1) / NS_PER_MS;
    struct pollfd p = { .fd = fd, .events = events };
    return left_ms > 0 && poll(&p, 1, left_ms > 60000 ? 60000 : (int)left_ms) >= 0;
}

static bool is_full(const struct wire *w)
{
    return w->kept.len - w->read > HEARD_BYTES;
}

/* What the child says while we write is taken in, or both would wait. */
static bool take_output(struct wire *w)
{
    if (w->read > 0) {
        w->kept.len -= w->read;
        memmove(w->kept.ptr, w->kept.ptr + w->read, w->kept.len);
        w->read = 0;
    }
    if (is_full(w) || !mgi_buf_reserve(&w->kept, CHUNK))
        return false;
    ssize_t n = read(w->in, w->kept.ptr + w->kept.len, CHUNK);
    if (n > 0)
        w->kept.len += (size_t)n;
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

static bool write_pipe(struct wire *w, struct str bytes, int64_t until_ns)
{
    struct sigpipe_hold hold;
    while (bytes.len > 0) {
        mgi_sigpipe_hold(&hold);
        ssize_t n = write(w->out, bytes.ptr, bytes.len);
        int fault = errno;
        mgi_sigpipe_release(&hold);
        if (n > 0) {
            bytes.ptr += n;
            bytes.len -= (size_t)n;
            continue;
        }
        if ((fault != EAGAIN && fault != EINTR) || mgi_clock_mono_ns() >= until_ns)
            return false;
        if (!take_output(w))
            return false;
        (void)wait_ready(w->out, POLLOUT, mgi_clock_mono_ns() + 20 * NS_PER_MS);
    }
    return true;
}

bool mgi_wire_send_raw(struct wire *w, struct str bytes, int64_t wait_ms)
{
    int64_t until_ns = mgi_clock_mono_ns() + wait_ms * NS_PER_MS;
    if (w->carrier == OVER_WS)
        return mgi_wire_ws_put(w, bytes, until_ns);
    return w->out >= 0 && write_pipe(w, bytes, until_ns);
}

bool mgi_wire_send(struct wire *w, struct str message, int64_t wait_ms)
{
    struct buf framed = { 0 };
    if (w->carrier == OVER_WS) {
        mgi_wire_put_frame(&framed, message, &(struct frame_shape){ .opcode = 1 });
    } else {
        mgi_buf_str(&framed, message);
        mgi_buf_putc(&framed, '\n');
    }
    bool good = !framed.oom && mgi_wire_send_raw(w, mgi_buf_view(&framed), wait_ms);
    mgi_buf_fini(&framed);
    return good;
}

/* A line out of what was kept. */
static bool cut_line(struct wire *w, struct buf *message)
{
    if (w->kept.len == w->read)
        return false;
    const char *from = w->kept.ptr + w->read;
    const char *end = memchr(from, '\n', w->kept.len - w->read);
    if (!end)
        return false;
    mgi_buf_clear(message);
    mgi_buf_append(message, from, (size_t)(end - from));
    w->read += (size_t)(end - from) + 1;
    return true;
}

const char *mgi_wire_wrong(const struct wire *w)
{
    return w->frames.wrong ? w->frames.wrong : is_full(w) ? "a line of more than 16 MiB" : NULL;
}

enum heard mgi_wire_hear(struct wire *w, int64_t wait_ms, struct buf *message)
{
    int64_t until_ns = mgi_clock_mono_ns() + wait_ms * NS_PER_MS;
    if (w->carrier == OVER_WS)
        return mgi_wire_ws_hear(w, until_ns, message);
    while (!cut_line(w, message)) {
        if (w->in < 0 || is_full(w))
            return HEARD_END;
        if (!wait_ready(w->in, POLLIN, until_ns))
            return HEARD_NOTHING;
        if (!take_output(w))
            return HEARD_END;
    }
    return HEARD_MESSAGE;
}
