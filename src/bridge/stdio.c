/* One peer of the core, on two descriptors.
 *
 *     reading ──end of input──> finishing (what is under way, for a while) ──> ended
 *        └── output broken, a line too long, nobody reads ──────────────────────┘
 *
 * Pipes and terminals are streams of the loop. What is a file (or /dev/null) is read a chunk at a
 * time when the loop is idle, and written at once: files do not block. */
#include "bridge/stdio.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/lines.h"
#include "base/time.h"
#include "sys/clock.h"

#define READ_BYTES (64 * 1024)
#define POLL_MS    5 /* between two looks at what is under way */

union bridge_handle {
    uv_handle_t handle;
    uv_stream_t stream;
    uv_pipe_t pipe;
    uv_tty_t tty;
    uv_idle_t idle;
};

struct bridge_stdio {
    struct bridge_stdio_options options;
    struct mcp_peer *peer;
    struct lines lines;
    union bridge_handle in, out;
    uv_prepare_t before_waiting;
    uv_timer_t tick, poll;
    bool in_is_file, out_is_file, reading, paused, finishing, over;
    int64_t finished_by_ms;
    unsigned handles; /* of the loop, and not closed */
    char chunk[READ_BYTES];
};

static int64_t now_ms(void *context)
{
    (void)context;
    return mgi_clock_mono_ns() / NS_PER_MS;
}

/* ---- the end ------------------------------------------------------------------------------- */

static void end(struct bridge_stdio *s, const char *why)
{
    if (s->over)
        return;
    s->over = true;
    s->reading = false;
    if (s->in_is_file)
        uv_idle_stop(&s->in.idle);
    else
        uv_read_stop(&s->in.stream);
    uv_timer_stop(&s->poll);
    s->options.ended(s->options.context, why);
}

static bool is_flushed(const struct bridge_stdio *s)
{
    return s->out_is_file || uv_stream_get_write_queue_size(&s->out.stream) == 0;
}

/* Is there anybody who still waits for an answer? */
static void look(uv_timer_t *timer)
{
    struct bridge_stdio *s = timer->data;
    if (mgi_mcp_calls(s->peer) == 0 && is_flushed(s))
        end(s, NULL);
    else if (now_ms(NULL) >= s->finished_by_ms)
        end(s, NULL);
}

static void finish(struct bridge_stdio *s)
{
    if (s->finishing || s->over)
        return;
    s->finishing = true;
    s->reading = false;
    s->finished_by_ms = now_ms(NULL) + (s->options.grace_ms ? s->options.grace_ms : STDIO_GRACE_MS);
    mgi_mcp_drain(s->peer);
    uv_timer_start(&s->poll, look, 0, POLL_MS);
}

/* ---- output -------------------------------------------------------------------------------- */

struct line_write {
    uv_write_t request;
    struct bridge_stdio *stdio;
    char text[];
};

static void read_on(struct bridge_stdio *s);

static void written(uv_write_t *request, int status)
{
    struct line_write *w = (struct line_write *)request;
    struct bridge_stdio *s = w->stdio;
    mgi_free(w);
    if (status < 0)
        end(s, status == UV_EPIPE || status == UV_ECANCELED ? NULL : "output could not be written");
    else if (s->paused && uv_stream_get_write_queue_size(&s->out.stream) < STDIO_WRITE_HIGH / 2)
        read_on(s);
}

static bool write_whole(int fd, struct str text)
{
    while (text.len > 0) {
        ssize_t n = write(fd, text.ptr, text.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text.ptr += n;
        text.len -= (size_t)n;
    }
    return true;
}

static void write_queued(struct bridge_stdio *s, struct line_write *w, size_t len)
{
    uv_buf_t buf = uv_buf_init(w->text, (unsigned)len);
    w->stdio = s;
    if (uv_write(&w->request, &s->out.stream, &buf, 1, written) != 0) {
        mgi_free(w);
        end(s, "output could not be written");
        return;
    }
    size_t waiting = uv_stream_get_write_queue_size(&s->out.stream);
    if (waiting > STDIO_WRITE_MOST)
        end(s, "nobody reads what is written");
    else if (waiting > STDIO_WRITE_HIGH && s->reading && !s->paused) {
        s->paused = true;
        if (s->in_is_file)
            uv_idle_stop(&s->in.idle);
        else
            uv_read_stop(&s->in.stream);
    }
}

static void send_line(void *context, const struct mcp_outgoing *m)
{
    struct bridge_stdio *s = context;
    if (s->over)
        return;
    struct line_write *w = mgi_alloc(sizeof *w + m->text.len + 1);
    if (!w) {
        end(s, "out of memory");
        return;
    }
    memcpy(w->text, m->text.ptr, m->text.len);
    w->text[m->text.len] = '\n';
    if (!s->out_is_file) {
        write_queued(s, w, m->text.len + 1);
        return;
    }
    if (!write_whole(s->options.out, (struct str){ w->text, m->text.len + 1 }))
        end(s, "output could not be written");
    mgi_free(w);
}

/* ---- input --------------------------------------------------------------------------------- */

static void take_line(struct bridge_stdio *s, enum line_event event, struct str line)
{
    static const struct mcp_route here;
    switch (event) {
    case LINE_TEXT:
        (void)mgi_mcp_receive(s->peer, line, &here);
        break;
    case LINE_TOO_LONG:
        end(s, "a line of input is longer than 10 MiB");
        break;
    case LINE_NOMEM:
        end(s, "out of memory");
        break;
    case LINE_NONE:
        break;
    }
}

static void take_bytes(struct bridge_stdio *s, struct str bytes)
{
    struct str line;
    enum line_event event;
    while (!s->over && (event = mgi_lines_next(&s->lines, &bytes, &line)) != LINE_NONE)
        take_line(s, event, line);
}

static void take_end(struct bridge_stdio *s)
{
    struct str line;
    take_line(s, mgi_lines_end(&s->lines, &line), line);
    finish(s);
}

static void give_chunk(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    (void)suggested;
    struct bridge_stdio *s = handle->data;
    *buf = uv_buf_init(s->chunk, READ_BYTES);
}

static void stream_came(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
    struct bridge_stdio *s = stream->data;
    if (n > 0) {
        take_bytes(s, (struct str){ buf->base, (size_t)n });
    } else if (n < 0) {
        uv_read_stop(stream);
        take_end(s);
    }
}

static void file_came(uv_idle_t *idle)
{
    struct bridge_stdio *s = idle->data;
    ssize_t n = read(s->options.in, s->chunk, READ_BYTES);
    if (n > 0) {
        take_bytes(s, (struct str){ s->chunk, (size_t)n });
    } else if (n == 0 || errno != EINTR) {
        uv_idle_stop(idle);
        take_end(s);
    }
}

static void read_on(struct bridge_stdio *s)
{
    s->paused = false;
    if (!s->reading)
        return;
    if (s->in_is_file)
        uv_idle_start(&s->in.idle, file_came);
    else if (uv_read_start(&s->in.stream, give_chunk, stream_came) != 0)
        take_end(s);
}

/* ---- time ---------------------------------------------------------------------------------- */

static void tick(uv_timer_t *timer)
{
    struct bridge_stdio *s = timer->data;
    if (!s->over)
        mgi_mcp_tick(s->peer);
}

static void before_waiting(uv_prepare_t *prepare)
{
    struct bridge_stdio *s = prepare->data;
    int64_t due_ms = s->over ? INT64_MAX : mgi_mcp_next_tick(s->peer), now = now_ms(NULL);
    if (due_ms == INT64_MAX)
        uv_timer_stop(&s->tick);
    else
        uv_timer_start(&s->tick, tick, due_ms > now ? (uint64_t)(due_ms - now) : 0, 0);
}

/* ---- beginning and freeing ----------------------------------------------------------------- */

static void adopt(struct bridge_stdio *s, uv_handle_t *handle)
{
    handle->data = s;
    s->handles++;
}

static bool open_stream(struct bridge_stdio *s, int fd, union bridge_handle *h, bool *is_file)
{
    *is_file = false;
    switch (uv_guess_handle(fd)) {
    case UV_TTY:
        if (uv_tty_init(s->options.loop, &h->tty, fd, 0) != 0)
            return false;
        adopt(s, &h->handle);
        return true;
    case UV_NAMED_PIPE:
    case UV_TCP:
        if (uv_pipe_init(s->options.loop, &h->pipe, 0) != 0)
            return false;
        adopt(s, &h->handle);
        return uv_pipe_open(&h->pipe, fd) == 0;
    default:
        *is_file = true;
        (void)uv_idle_init(s->options.loop, &h->idle);
        adopt(s, &h->handle);
        return true;
    }
}

static void handle_closed(uv_handle_t *handle)
{
    struct bridge_stdio *s = handle->data;
    if (--s->handles > 0)
        return;
    mgi_lines_fini(&s->lines);
    mgi_free(s);
}

void mgi_bridge_stdio_free(struct bridge_stdio *s)
{
    if (!s)
        return;
    uv_handle_t *handles[] = { &s->in.handle, &s->out.handle, (uv_handle_t *)&s->before_waiting,
                               (uv_handle_t *)&s->tick, (uv_handle_t *)&s->poll };
    s->over = true;
    mgi_mcp_peer_free(s->peer);
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
        if (handles[i]->data == s)
            uv_close(handles[i], handle_closed);
}

struct bridge_stdio *mgi_bridge_stdio_new(const struct bridge_stdio_options *options)
{
    struct bridge_stdio *s = mgi_calloc(1, sizeof *s);
    if (!s)
        return NULL;
    struct mcp_peer_options peer = { .context = s, .send = send_line, .now_ms = now_ms };
    s->options = *options;
    s->peer = mgi_mcp_peer_new(mgi_bridge_server(options->bridge), &peer);
    if (!s->peer) {
        mgi_free(s);
        return NULL;
    }
    mgi_lines_init(&s->lines, MCP_MESSAGE_BYTES);
    (void)uv_prepare_init(options->loop, &s->before_waiting);
    adopt(s, (uv_handle_t *)&s->before_waiting);
    (void)uv_timer_init(options->loop, &s->tick);
    adopt(s, (uv_handle_t *)&s->tick);
    (void)uv_timer_init(options->loop, &s->poll);
    adopt(s, (uv_handle_t *)&s->poll);
    if (!open_stream(s, options->out, &s->out, &s->out_is_file) ||
        !open_stream(s, options->in, &s->in, &s->in_is_file)) {
        mgi_bridge_stdio_free(s);
        return NULL;
    }
    (void)uv_prepare_start(&s->before_waiting, before_waiting);
    s->reading = true;
    read_on(s);
    return s;
}

void mgi_bridge_stdio_stop(struct bridge_stdio *s)
{
    finish(s);
}
