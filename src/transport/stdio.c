/* The stdio transport: NDJSON on descriptors 0 and 1 (P-STDIO-*, D-60).
 *
 *     start: manifest out ──lines in──> server ──answers out──> … end of input: what is owed, then
 * closed
 *
 * Standard input may be a pipe, a terminal or a file. Pipes and terminals are streams of the loop;
 * a file is read by the loop's thread pool. Output to a pipe or terminal is queued; while more than
 * OUTPUT_HIGH bytes wait for a slow reader, no further input is read. At the end the queue goes out
 * first, for as long as the reader takes some of it. */
#include <errno.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/lines.h"
#include "transport/transport.h"

#define READ_BYTES  (64 * 1024)
#define OUTPUT_HIGH ((size_t)4 * 1024 * 1024)
#define PATIENCE_MS 30000

union stdio_handle {
    uv_handle_t handle;
    uv_stream_t stream;
    uv_pipe_t pipe;
    uv_tty_t tty;
    uv_timer_t timer;
};

struct stdio_transport {
    struct stdio_options options;
    struct peer *peer;
    struct lines lines;
    union stdio_handle in, out;
    uv_timer_t soon;     /* ends the session from the loop once the output is broken */
    uv_timer_t patience; /* at the end, for a reader that takes nothing of what is queued */
    bool in_is_file, out_is_file;
    bool reading, paused, closing, broken;
    bool lost; /* output that somebody may still have waited for */
    uv_fs_t read_request;
    char *chunk;
    unsigned handles; /* open ones of ours, and a file's read under way */
};

/* ---- output ------------------------------------------------------------------------------ */

struct pending_write {
    uv_write_t request;
    struct stdio_transport *t;
    size_t len;
    char text[];
};

static void resume(struct stdio_transport *t);

static void stdio_close(void *connection, const char *why);

static void nobody_listens(uv_timer_t *timer)
{
    stdio_close(timer->data, "the output is closed");
}

/* Nothing can be told any more: the session ends, though not in the middle of a message. */
static void output_broke(struct stdio_transport *t)
{
    if (t->broken || t->closing)
        return;
    t->broken = true;
    uv_timer_start(&t->soon, nobody_listens, 0, 0);
}

static void written(uv_write_t *request, int status)
{
    struct pending_write *w = (struct pending_write *)request;
    struct stdio_transport *t = w->t;
    mgi_free(w);
    if (status < 0 && status != UV_EPIPE && status != UV_ECONNRESET)
        t->lost = true; /* a reader that is gone has not lost anything */
    if (t->closing && status == 0)
        (void)uv_timer_again(&t->patience);
    if (status < 0)
        output_broke(t);
    else if (t->paused && uv_stream_get_write_queue_size(&t->out.stream) < OUTPUT_HIGH / 2)
        resume(t);
}

static bool write_file(struct str text)
{
    while (text.len > 0) {
        ssize_t n = write(STDOUT_FILENO, text.ptr, text.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text.ptr += n;
        text.len -= (size_t)n;
    }
    return true;
}

static bool stdio_send(void *connection, struct str message, int http_status, bool last,
                       int64_t retry_after_ms)
{
    (void)http_status, (void)last, (void)retry_after_ms;
    struct stdio_transport *t = connection;
    if (t->broken)
        return false;
    if (t->out_is_file) {
        if (!write_file(message) || !write_file(STR_LIT("\n"))) {
            t->lost = true;
            output_broke(t);
        }
        return !t->broken;
    }
    struct pending_write *w = mgi_alloc(sizeof *w + message.len + 1);
    if (!w) {
        t->lost = true;
        output_broke(t);
        return false;
    }
    w->t = t;
    w->len = message.len + 1;
    memcpy(w->text, message.ptr, message.len);
    w->text[message.len] = '\n';
    uv_buf_t buf = uv_buf_init(w->text, (unsigned)w->len);
    if (uv_write(&w->request, &t->out.stream, &buf, 1, written) != 0) {
        mgi_free(w);
        t->lost = true;
        output_broke(t);
        return false;
    }
    if (uv_stream_get_write_queue_size(&t->out.stream) > OUTPUT_HIGH && t->reading) {
        t->paused = true;
        if (!t->in_is_file)
            uv_read_stop(&t->in.stream);
    }
    return true;
}

/* ---- the end ----------------------------------------------------------------------------- */

/* One handle, or the read of a file, is over; the last one ends the session. */
static void release(struct stdio_transport *t)
{
    if (--t->handles > 0)
        return;
    void (*closed)(void *, bool) = t->options.closed;
    void *context = t->options.context;
    bool lost = t->lost;
    mgi_lines_fini(&t->lines);
    mgi_free(t->chunk);
    mgi_free(t);
    closed(context, lost);
}

static void handle_closed(uv_handle_t *handle)
{
    release(handle->data);
}

static void close_output(struct stdio_transport *t)
{
    if (uv_is_closing(&t->out.handle))
        return;
    uv_close(&t->out.handle, handle_closed);
    uv_close((uv_handle_t *)&t->patience, handle_closed);
}

static void output_flushed(uv_shutdown_t *request, int status)
{
    (void)status;
    struct stdio_transport *t = request->data;
    mgi_free(request);
    close_output(t);
}

/* The reader takes nothing: what is queued is dropped. */
static void give_up(uv_timer_t *timer)
{
    struct stdio_transport *t = timer->data;
    t->lost = true;
    close_output(t);
}

/* Close what is open; queued output goes out first. */
static void stdio_close(void *connection, const char *why)
{
    (void)why;
    struct stdio_transport *t = connection;
    if (t->closing)
        return;
    t->closing = true;
    t->reading = false;
    mgi_peer_gone(t->peer);
    uv_close((uv_handle_t *)&t->soon, handle_closed);
    if (!t->in_is_file)
        uv_close(&t->in.handle, handle_closed);
    uv_shutdown_t *flush = t->out_is_file ? NULL : mgi_alloc(sizeof *flush);
    if (flush) {
        flush->data = t;
        (void)uv_timer_start(&t->patience, give_up, PATIENCE_MS, PATIENCE_MS);
        if (uv_shutdown(flush, &t->out.stream, output_flushed) == 0)
            return;
        mgi_free(flush);
    }
    close_output(t);
}

static const struct peer_transport stdio_table = {
    .name = "stdio",
    .session = true,
    .send = stdio_send,
    .close = stdio_close,
};

/* ---- input ------------------------------------------------------------------------------- */

static void line_event(struct stdio_transport *t, enum line_event event, struct str line)
{
    switch (event) {
    case LINE_TEXT:
        mgi_peer_message(t->peer, line, ENDPOINT_SESSION);
        break;
    case LINE_TOO_LONG:
        mgi_peer_fault(t->peer, WIRE_MESSAGE_TOO_LARGE, "", "The line is larger than the limit.");
        break;
    case LINE_NOMEM:
        mgi_peer_fault(t->peer, WIRE_INTERNAL_ERROR, "memory", "The server ran out of memory.");
        break;
    case LINE_NONE:
        break;
    }
}

static void input_arrived(struct stdio_transport *t, struct str bytes)
{
    struct str line;
    while (!t->closing) { /* a message may end the session */
        enum line_event event = mgi_lines_next(&t->lines, &bytes, &line);
        if (event == LINE_NONE)
            return;
        line_event(t, event, line);
    }
}

static void input_ended(struct stdio_transport *t)
{
    struct str line;
    t->reading = false;
    line_event(t, mgi_lines_end(&t->lines, &line), line);
    mgi_peer_end(t->peer);
}

static void give_chunk(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    (void)suggested;
    struct stdio_transport *t = handle->data;
    *buf = uv_buf_init(t->chunk, READ_BYTES);
}

static void stream_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
    struct stdio_transport *t = stream->data;
    if (n > 0) {
        input_arrived(t, (struct str){ buf->base, (size_t)n });
    } else if (n < 0) {
        uv_read_stop(stream);
        input_ended(t);
    }
}

static void read_file(struct stdio_transport *t);

static void file_read(uv_fs_t *request)
{
    struct stdio_transport *t = request->data;
    ssize_t n = request->result;
    uv_fs_req_cleanup(request);
    if (t->closing) {
        release(t);
        return;
    }
    t->handles--; /* this read is over; the output's handle still holds the session */
    if (n > 0) {
        input_arrived(t, (struct str){ t->chunk, (size_t)n });
        if (t->reading && !t->paused)
            read_file(t);
    } else if (t->reading) {
        input_ended(t);
    }
}

static void read_file(struct stdio_transport *t)
{
    uv_buf_t buf = uv_buf_init(t->chunk, READ_BYTES);
    t->read_request.data = t;
    if (uv_fs_read(t->options.loop, &t->read_request, STDIN_FILENO, &buf, 1, -1, file_read) != 0)
        input_ended(t);
    else
        t->handles++;
}

static void resume(struct stdio_transport *t)
{
    t->paused = false;
    if (!t->reading)
        return;
    if (t->in_is_file)
        read_file(t);
    else if (uv_read_start(&t->in.stream, give_chunk, stream_read) != 0)
        input_ended(t);
}

/* ---- start ------------------------------------------------------------------------------- */

/* A handle that the loop knows: it must be closed, whatever happens next. */
static void adopt(struct stdio_transport *t, uv_handle_t *handle)
{
    handle->data = t;
    t->handles++;
}

/* Open descriptor `fd` as a stream of the loop; *is_file if it is none. */
static bool open_stream(struct stdio_transport *t, int fd, union stdio_handle *h, bool *is_file)
{
    *is_file = false;
    switch (uv_guess_handle(fd)) {
    case UV_TTY:
        if (uv_tty_init(t->options.loop, &h->tty, fd, 0) != 0)
            return false;
        adopt(t, &h->handle);
        return true;
    case UV_NAMED_PIPE:
    case UV_TCP:
        if (uv_pipe_init(t->options.loop, &h->pipe, 0) != 0)
            return false;
        adopt(t, &h->handle);
        return uv_pipe_open(&h->pipe, fd) == 0;
    default:
        *is_file = true;
        return true;
    }
}

static bool open_all(struct stdio_transport *t)
{
    if (uv_timer_init(t->options.loop, &t->soon) != 0)
        return false;
    adopt(t, (uv_handle_t *)&t->soon);
    if (uv_timer_init(t->options.loop, &t->patience) != 0)
        return false;
    adopt(t, (uv_handle_t *)&t->patience);
    if (!open_stream(t, STDOUT_FILENO, &t->out, &t->out_is_file) ||
        !open_stream(t, STDIN_FILENO, &t->in, &t->in_is_file))
        return false;
    if (!t->out_is_file)
        return true;
    /* a handle of its own, so that closing has something to wait for */
    if (uv_timer_init(t->options.loop, &t->out.timer) != 0)
        return false;
    adopt(t, &t->out.handle);
    return true;
}

static void nobody(void *context, bool output_lost)
{
    (void)context, (void)output_lost;
}

/* Starting failed: what the loop already knows is closed, and frees the rest behind it. */
static void abandon(struct stdio_transport *t)
{
    uv_handle_t *handles[] = { (uv_handle_t *)&t->soon, (uv_handle_t *)&t->patience, &t->out.handle,
                               &t->in.handle };
    t->options.closed = nobody;
    t->closing = true;
    mgi_peer_gone(t->peer);
    t->handles++; /* ours, until all are on their way */
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
        if (handles[i]->data == t)
            uv_close(handles[i], handle_closed);
    release(t);
}

struct stdio_transport *mgi_stdio_start(const struct stdio_options *options)
{
    static const struct principal local = { .kind = PRINCIPAL_LOCAL,
                                            .identity = { "local", 5 },
                                            .expires_ns = INT64_MAX };
    struct stdio_transport *t = mgi_calloc(1, sizeof *t);
    if (!t)
        return NULL;
    struct peer_options peer = {
        .transport = &stdio_table,
        .connection = t,
        .auth_required = options->token_required,
        .who = options->token_required ? NULL : &local,
    };
    t->options = *options;
    t->chunk = mgi_alloc(READ_BYTES);
    t->peer = t->chunk ? mgi_peer_new(options->server, &peer) : NULL;
    if (!t->peer) {
        mgi_free(t->chunk);
        mgi_free(t);
        return NULL;
    }
    mgi_lines_init(&t->lines, options->max_message_bytes);
    if (!open_all(t)) {
        abandon(t);
        return NULL;
    }
    mgi_peer_greet(t->peer);
    t->reading = true;
    resume(t);
    return t;
}

void mgi_stdio_limit(struct stdio_transport *t, size_t max_message_bytes)
{
    t->lines.max = max_message_bytes;
}

void mgi_stdio_stop(struct stdio_transport *t, int64_t grace_ms)
{
    stdio_close(t, "stopped");
    if (uv_is_closing(&t->out.handle) || uv_stream_get_write_queue_size(&t->out.stream) == 0)
        return; /* nothing is owed: it ends by itself */
    if (grace_ms > 0)
        (void)uv_timer_start(&t->patience, give_up, (uint64_t)grace_ms, 0);
    else
        give_up(&t->patience);
}
