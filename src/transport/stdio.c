/* The stdio transport: NDJSON on descriptors 0 and 1 (P-STDIO-*, D-60).
 *
 *     start: manifest out ──lines in──> server ──answers out──> … end of input: what is owed, then
 * closed
 *
 * Output is queued (but to a file); while more than OUTPUT_HIGH bytes wait for a slow reader, no
 * further input is read. At the end the queue goes out
 * first, for as long as the reader takes some of it. */
#include <unistd.h>

#include "base/alloc.h"
#include "base/lines.h"
#include "net/standard.h"
#include "transport/transport.h"

#define OUTPUT_HIGH ((size_t)4 * 1024 * 1024)
#define PATIENCE_MS 30000

struct stdio_transport {
    struct stdio_options options;
    struct peer *peer;
    struct lines lines;
    struct input *in;
    struct output *out;
    uv_timer_t soon;     /* ends the session from the loop once the output is broken */
    uv_timer_t patience; /* at the end, for a reader that takes nothing of what is queued */
    bool reading, paused, closing, broken;
    bool lost;        /* output that somebody may still have waited for */
    unsigned handles; /* of the loop that are open, both ends included */
};

/* ---- output ------------------------------------------------------------------------------ */

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

static void line_written(void *owner, int status)
{
    struct stdio_transport *t = owner;
    if (status < 0 && status != UV_EPIPE && status != UV_ECONNRESET)
        t->lost = true; /* a reader that is gone has not lost anything */
    if (t->closing && status == 0)
        (void)uv_timer_again(&t->patience);
    if (status < 0)
        output_broke(t);
    else if (t->paused && mgi_output_queued(t->out) < OUTPUT_HIGH / 2)
        resume(t);
}

static bool stdio_send(void *connection, struct str message, int http_status, bool last,
                       int64_t retry_after_ms)
{
    (void)http_status, (void)last, (void)retry_after_ms;
    struct stdio_transport *t = connection;
    if (t->broken)
        return false;
    if (!mgi_output_line(t->out, message)) {
        t->lost = true;
        output_broke(t);
        return false;
    }
    if (mgi_output_queued(t->out) > OUTPUT_HIGH && t->reading) {
        t->paused = true;
        mgi_input_pause(t->in);
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
    mgi_free(t);
    closed(context, lost);
}

static void handle_closed(uv_handle_t *handle)
{
    release(handle->data);
}

static void end_closed(void *owner)
{
    release(owner);
}

static void close_output(void *owner)
{
    struct stdio_transport *t = owner;
    if (mgi_output_is_closing(t->out))
        return;
    mgi_output_close(t->out, end_closed);
    uv_close((uv_handle_t *)&t->patience, handle_closed);
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
    mgi_input_close(t->in, end_closed);
    (void)uv_timer_start(&t->patience, give_up, PATIENCE_MS, PATIENCE_MS);
    if (!mgi_output_flush(t->out, close_output))
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

static void input_arrived(void *owner, struct str bytes)
{
    struct stdio_transport *t = owner;
    struct str line;
    while (!t->closing) { /* a message may end the session */
        enum line_event event = mgi_lines_next(&t->lines, &bytes, &line);
        if (event == LINE_NONE)
            return;
        line_event(t, event, line);
    }
}

static void input_ended(void *owner)
{
    struct stdio_transport *t = owner;
    struct str line;
    t->reading = false;
    line_event(t, mgi_lines_end(&t->lines, &line), line);
    mgi_peer_end(t->peer);
}

static void resume(struct stdio_transport *t)
{
    t->paused = false;
    if (t->reading)
        mgi_input_resume(t->in);
}

/* ---- start ------------------------------------------------------------------------------- */

/* A handle that the loop knows: it must be closed, whatever happens next. */
static void adopt(struct stdio_transport *t, uv_handle_t *handle)
{
    handle->data = t;
    t->handles++;
}

static bool open_all(struct stdio_transport *t)
{
    static const struct input_events from = { .bytes = input_arrived, .ended = input_ended };
    static const struct output_events to = { .written = line_written };
    if (uv_timer_init(t->options.loop, &t->soon) != 0)
        return false;
    adopt(t, (uv_handle_t *)&t->soon);
    if (uv_timer_init(t->options.loop, &t->patience) != 0)
        return false;
    adopt(t, (uv_handle_t *)&t->patience);
    t->out = mgi_output_open(t->options.loop, STDOUT_FILENO, &to, t);
    t->handles += t->out != NULL;
    t->in = t->out ? mgi_input_open(t->options.loop, STDIN_FILENO, &from, t) : NULL;
    t->handles += t->in != NULL;
    return t->in != NULL;
}

static void nobody(void *context, bool output_lost)
{
    (void)context, (void)output_lost;
}

/* Starting failed: what the loop already knows is closed, and frees the rest behind it. */
static void abandon(struct stdio_transport *t)
{
    uv_handle_t *handles[] = { (uv_handle_t *)&t->soon, (uv_handle_t *)&t->patience };
    t->options.closed = nobody;
    t->closing = true;
    mgi_peer_gone(t->peer);
    t->handles++; /* ours, until all are on their way */
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
        if (handles[i]->data == t)
            uv_close(handles[i], handle_closed);
    if (t->out)
        mgi_output_close(t->out, end_closed);
    if (t->in)
        mgi_input_close(t->in, end_closed);
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
    t->peer = mgi_peer_new(options->server, &peer);
    if (!t->peer) {
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
    if (mgi_output_is_closing(t->out) || mgi_output_queued(t->out) == 0)
        return; /* nothing is owed: it ends by itself */
    if (grace_ms > 0)
        (void)uv_timer_start(&t->patience, give_up, (uint64_t)grace_ms, 0);
    else
        give_up(&t->patience);
}
