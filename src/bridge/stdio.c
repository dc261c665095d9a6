/* One peer of the core, on two descriptors.
 *
 *     reading ──end of input──> finishing (what is under way, for a while) ──> ended
 *        └── output broken, a line too long, nobody reads ──────────────────────┘
 *
 * While much waits for a slow reader, no further input is read. */
#include "bridge/stdio.h"

#include "base/alloc.h"
#include "base/lines.h"
#include "base/time.h"
#include "net/standard.h"
#include "sys/clock.h"

#define POLL_MS 5 /* between two looks at what is under way */

struct bridge_stdio {
    struct bridge_stdio_options options;
    struct mcp_peer *peer;
    struct lines lines;
    struct input *in;
    struct output *out;
    uv_prepare_t before_waiting;
    uv_timer_t tick, poll;
    bool reading, paused, finishing, over;
    int64_t finished_by_ms;
    unsigned handles; /* of the loop, both ends included, that are not closed */
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
    mgi_input_pause(s->in);
    uv_timer_stop(&s->poll);
    s->options.ended(s->options.context, why);
}

/* Is there anybody who still waits for an answer? */
static void look(uv_timer_t *timer)
{
    struct bridge_stdio *s = timer->data;
    if (mgi_mcp_calls(s->peer) == 0 && mgi_output_queued(s->out) == 0)
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

static void read_on(struct bridge_stdio *s);

static void line_went(void *owner, int status)
{
    struct bridge_stdio *s = owner;
    if (status < 0)
        end(s, status == UV_EPIPE || status == UV_ECANCELED ? NULL : "output could not be written");
    else if (s->paused && mgi_output_queued(s->out) < STDIO_WRITE_HIGH / 2)
        read_on(s);
}

static void send_line(void *context, const struct mcp_outgoing *m)
{
    struct bridge_stdio *s = context;
    if (s->over)
        return;
    if (!mgi_output_line(s->out, m->text)) {
        end(s, "output could not be written");
        return;
    }
    size_t waiting = mgi_output_queued(s->out);
    if (waiting > STDIO_WRITE_MOST)
        end(s, "nobody reads what is written");
    else if (waiting > STDIO_WRITE_HIGH && s->reading && !s->paused) {
        s->paused = true;
        mgi_input_pause(s->in);
    }
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

static void take_bytes(void *owner, struct str bytes)
{
    struct bridge_stdio *s = owner;
    struct str line;
    enum line_event event;
    while (!s->over && (event = mgi_lines_next(&s->lines, &bytes, &line)) != LINE_NONE)
        take_line(s, event, line);
}

static void take_end(void *owner)
{
    struct bridge_stdio *s = owner;
    struct str line;
    if (s->over)
        return;
    take_line(s, mgi_lines_end(&s->lines, &line), line);
    finish(s);
}

static void read_on(struct bridge_stdio *s)
{
    s->paused = false;
    if (s->reading)
        mgi_input_resume(s->in);
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

static void part_closed(void *owner)
{
    struct bridge_stdio *s = owner;
    if (--s->handles > 0)
        return;
    mgi_lines_fini(&s->lines);
    mgi_free(s);
}

static void handle_closed(uv_handle_t *handle)
{
    part_closed(handle->data);
}

void mgi_bridge_stdio_free(struct bridge_stdio *s)
{
    if (!s)
        return;
    uv_handle_t *handles[] = { (uv_handle_t *)&s->before_waiting, (uv_handle_t *)&s->tick,
                               (uv_handle_t *)&s->poll };
    s->over = true;
    mgi_mcp_peer_free(s->peer);
    if (s->in)
        mgi_input_close(s->in, part_closed);
    if (s->out)
        mgi_output_close(s->out, part_closed);
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
        uv_close(handles[i], handle_closed);
}

struct bridge_stdio *mgi_bridge_stdio_new(const struct bridge_stdio_options *options)
{
    static const struct input_events from = { .bytes = take_bytes, .ended = take_end };
    static const struct output_events to = { .written = line_went };
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
    s->out = mgi_output_open(options->loop, options->out, &to, s);
    s->handles += s->out != NULL;
    s->in = s->out ? mgi_input_open(options->loop, options->in, &from, s) : NULL;
    s->handles += s->in != NULL;
    if (!s->in) {
        mgi_bridge_stdio_free(s);
        return NULL;
    }
    (void)uv_prepare_start(&s->before_waiting, before_waiting);
    s->reading = true;
    read_on(s);
    return s;
}

void mgi_bridge_stdio_serve(struct bridge_stdio *s, struct mcp_server *server)
{
    if (!s->over)
        mgi_mcp_serve(s->peer, server);
}

void mgi_bridge_stdio_stop(struct bridge_stdio *s)
{
    finish(s);
}
