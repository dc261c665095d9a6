/* The states of an HTTP connection, over a stream that is only memory: bytes that come in any
 * pieces, answers that come at once or later, a peer that takes nothing or leaves, deadlines that
 * pass, bytes that run out, and streams that are taken over. The input is a list of such events.
 *
 * Held: what goes out is a row of whole heads; nothing is delivered or answered after the end; all
 * is given back. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "net/stream_int.h"
#include "transport/http_int.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

struct world {
    uv_loop_t loop;
    struct net *net;
    struct http_listener *listener;
    struct fake *stream;
    struct http_connection *waiting;
    char *large;
};

struct fake {
    struct stream base;
    struct world *world;
    struct buf out;
    size_t queued;
    bool blocked, shut, left;
};

#define LARGE 20000

/* ---- the stream -------------------------------------------------------------------------- */

static void fake_nothing(struct stream *s)
{
    (void)s;
}

static bool fake_write(struct stream *s, const struct str *parts, size_t count)
{
    struct fake *f = (struct fake *)s;
    if (f->shut)
        abort(); /* nothing is said behind the end */
    for (size_t i = 0; i < count; i++) {
        mgi_buf_str(&f->out, parts[i]);
        f->queued += f->blocked ? parts[i].len : 0;
    }
    return f->queued < 3 * LARGE; /* the budget, as it were */
}

static size_t fake_queued(const struct stream *s)
{
    return ((const struct fake *)s)->queued;
}

static void fake_shutdown(struct stream *s)
{
    ((struct fake *)s)->shut = true;
}

static bool fake_peer_gone(const struct stream *s)
{
    return ((const struct fake *)s)->left;
}

static bool fake_has_bytes(const struct stream *s)
{
    return ((const struct fake *)s)->blocked; /* as good as any other time */
}

static const struct stream_ops fake_ops = {
    .pause = fake_nothing,
    .resume = fake_nothing,
    .write = fake_write,
    .queued = fake_queued,
    .shutdown = fake_shutdown,
    .close = fake_nothing,
    .peer_gone = fake_peer_gone,
    .has_bytes = fake_has_bytes,
};

/* ---- routes ------------------------------------------------------------------------------ */

static void now(void *context, struct http_connection *c)
{
    (void)context;
    struct http_answer a = { .status = 200, .body = mgi_http_body(c), .may_pack = true };
    mgi_http_answer(c, &a);
}

static void large(void *context, struct http_connection *c)
{
    struct world *w = context;
    struct http_answer a = { .status = 200, .body = { w->large, LARGE }, .etag = "\"x\"" };
    mgi_http_answer(c, &a);
}

static void left(void *context)
{
    ((struct world *)context)->waiting = NULL;
}

static void later(void *context, struct http_connection *c)
{
    struct world *w = context;
    if (w->waiting)
        abort(); /* one request at a time */
    w->waiting = c;
    mgi_http_wait(c, left, w);
}

static void taken_bytes(void *owner, struct str bytes)
{
    (void)owner, (void)bytes;
}

static void taken_ended(void *owner)
{
    mgi_stream_close(owner);
}

static void taken_failed(void *owner, enum stream_fault why)
{
    (void)why;
    mgi_stream_close(owner);
}

static void taken_closed(void *owner)
{
    (void)owner;
}

static void take(void *context, struct http_connection *c)
{
    static const struct stream_events events = { taken_bytes, NULL, taken_ended, taken_failed,
                                                 taken_closed };
    struct buf rest;
    (void)context;
    struct stream *s = mgi_http_take_over(c, STR_LIT("Upgrade: x\r\n"), &rest);
    if (!s)
        return;
    mgi_stream_own(s, &events, s);
    mgi_buf_fini(&rest);
}

static const struct http_route rows[] = {
    { .path = "/n", .run = now },
    { .path = "/l", .run = later },
    { .path = "/g", .run = large },
    { .path = "/u", .run = take },
    { .path = "/n", .method = "POST", .max_body = 30000, .run = now },
    { .path = "/l", .method = "POST", .max_body = 30000, .needs_credential = true, .run = later },
    { .path = "/h",
      .method = "POST",
      .max_body = 30000,
      .content_type = "application/json",
      .needs_credential = true,
      .hears_refusals = true,
      .run = now },
};

static const struct principal *who(void *context, const struct http1_request *r,
                                   const struct stream *s, struct wire_error *refusal)
{
    static const struct principal known = { .kind = PRINCIPAL_KNOWN };
    (void)context, (void)s;
    *refusal = (struct wire_error){ WIRE_AUTH_REQUIRED, "Who is it?", { NULL, 0 }, -1 };
    return mgi_http1_find(r, "authorization").len > 0 ? &known : NULL;
}

static int64_t a_day(void)
{
    return INT64_C(784111777) * 1000000000;
}

/* ---- events ------------------------------------------------------------------------------ */

static void stream_is_over(struct world *w)
{
    struct fake *f = w->stream;
    mgi_stream_deliver_closed(&f->base);
    if (f->out.len > 0 && !mgi_str_starts(mgi_buf_view(&f->out), STR_LIT("HTTP/1.1 ")))
        abort();
    mgi_buf_fini(&f->out);
    mgi_free(f);
    w->stream = NULL;
}

/* `piece` is a copy, so that AddressSanitizer sees who looks at it too long. */
static void bytes_come(struct world *w, const uint8_t *bytes, size_t len)
{
    struct stream *s = &w->stream->base;
    if (len == 0 || s->paused || s->ended || s->closed)
        return;
    char *piece = malloc(len);
    if (!piece)
        abort();
    memcpy(piece, bytes, len);
    mgi_stream_deliver(s, (struct str){ piece, len });
    free(piece);
}

static void answer_waiting(struct world *w, bool with_large)
{
    struct http_connection *c = w->waiting;
    if (!c)
        return;
    w->waiting = NULL;
    struct http_answer a = { .status = 200, .body = { w->large, with_large ? LARGE : 10 } };
    mgi_http_answer(c, &a);
}

static void peer_takes(struct world *w)
{
    struct fake *f = w->stream;
    bool some = f->queued > 0;
    f->queued = f->queued > 15000 ? f->queued - 15000 : 0;
    if (some && f->queued <= STREAM_LOW_WATER)
        mgi_stream_deliver_drained(&f->base);
}

static void deadline_passes(struct world *w)
{
    struct deadline *d = mgi_deadlines_take(&w->net->own.deadlines, INT64_MAX);
    if (!d)
        return;
    d->at_ms = 0; /* it is its time, not that it gives way */
    d->passed(d);
}

static void event(struct world *w, uint8_t what, const uint8_t *bytes, size_t len)
{
    struct fake *f = w->stream;
    switch (what % 12) {
    default: /* most often */
        bytes_come(w, bytes, len);
        break;
    case 1:
        uv_run(&w->loop, UV_RUN_NOWAIT);
        break;
    case 2:
        answer_waiting(w, what >= 128);
        break;
    case 3:
        f->blocked = !f->blocked;
        break;
    case 4:
        peer_takes(w);
        break;
    case 5:
        deadline_passes(w);
        break;
    case 6:
        f->left = true;
        if (what >= 128)
            mgi_stream_deliver_failure(&f->base, STREAM_LOST);
        else
            mgi_stream_deliver_end(&f->base);
        break;
    case 7:
        mgi_http_drain(w->listener);
        break;
    case 8:
        w->net->budget.limit = w->net->budget.used + 100;
        break;
    case 9:
        mgi_net_give_way(w->net, &w->net->own);
        break;
    }
}

/* ---- the world --------------------------------------------------------------------------- */

static void is_closed(void *context)
{
    *(bool *)context = true;
}

static void world_begin(struct world *w)
{
    const char *why;
    if (uv_loop_init(&w->loop) != 0)
        abort();
    w->net = mgi_net_new(&w->loop, NULL);
    w->large = calloc(1, LARGE);
    struct http_options options = { .net = w->net, .identify = who, .clock_ns = a_day };
    w->listener = mgi_http_listener_new(&options, &why);
    if (!w->net || !w->large || !w->listener)
        abort();
    mgi_http_add(w->listener, rows, sizeof rows / sizeof *rows, w);
    w->stream = mgi_calloc(1, sizeof *w->stream);
    if (!w->stream)
        abort();
    w->stream->base =
        (struct stream){ .ops = &fake_ops, .net = w->net, .group = &w->net->own, .paused = true };
    w->stream->world = w;
    mgi_http_adopt(w->listener, &w->stream->base, false);
}

static void world_end(struct world *w)
{
    bool closed = false;
    mgi_stream_deliver_failure(&w->stream->base, STREAM_LOST);
    uv_run(&w->loop, UV_RUN_NOWAIT);
    if (!w->stream->base.closed || w->waiting || w->net->budget.used > 0)
        abort();
    stream_is_over(w);
    if (w->listener->connections)
        abort();
    mgi_http_listener_free(w->listener);
    mgi_net_close(w->net, is_closed, &closed);
    uv_run(&w->loop, UV_RUN_DEFAULT);
    if (!closed || uv_loop_close(&w->loop) != 0)
        abort();
    free(w->large);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct world w = { 0 };
    world_begin(&w);
    while (size >= 2) { /* an event, how many bytes come with it, and they */
        size_t len = bytes[1] < size - 2 ? bytes[1] : size - 2;
        event(&w, bytes[0], bytes + 2, len);
        bytes += 2 + len;
        size -= 2 + len;
    }
    world_end(&w);
    return 0;
}
