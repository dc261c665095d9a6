/* A stream over TLS over a stream.
 *
 *     shaking ──> open ──> over (the peer has said the end, or it failed; only closing is left)
 *        └ busy: a worker has the engine, and nobody else touches it
 *
 * 1. What the wire brings is copied into the engine at once, so the chunk that it came in is free
 *    for the plain bytes, and nobody holds a buffer of his own.
 * 2. Plain bytes are delivered until the owner pauses. What is left then stays in the engine, in
 * the account of the budget, and the wire stays paused until it was delivered.
 * 3. Events come from the loop: resuming puts the delivery off to the next turn.
 * 4. The engine is freed when neither the stream below nor a worker has it.
 * 5. No step of a handshake is done on the loop: each costs a signature or a few multiplications on
 *    a curve, a client that has just been told to begin again can ask for it in any of its
 * messages, and hundreds of clients may want one in the same turn. A few run at a time
 * (mgi_net_turn). */
#include "net/stream_tls.h"

#include <stddef.h>

#include "base/alloc.h"
#include "net/net.h"
#include "net/stream_int.h"

#define RECORD_BYTES ((size_t)16 * 1024) /* plain bytes in a full record */

struct secure {
    struct stream base;
    struct stream *under;
    struct tls *engine;
    struct stream_tls shown;
    struct str if_plain_http;
    struct deadline shaking; /* until the handshake is done */
    struct net_later later;  /* deliver what is left */
    struct net_turn turn;    /* to have a step of the handshake done */
    uv_work_t work;
    enum tls_status worked; /* what that step came to */
    size_t held;            /* of the budget: bytes that wait in the engine */
    bool queued;            /* it had to wait for its turn */
    bool stepped;           /* `worked` was not looked at yet */
    bool busy;              /* a worker has the engine, or will have it */
    bool over;
    bool under_is_gone;
};

static struct secure *secure_of(struct stream *s)
{
    return (struct secure *)s; /* its first member */
}

/* Send what the engine has to say. */
static bool flush(struct secure *s)
{
    struct str wire = mgi_tls_output(s->engine);
    bool ok = wire.len == 0 || mgi_stream_write(s->under, &wire, 1);
    mgi_tls_sent(s->engine);
    return ok;
}

/* ---- the end ----------------------------------------------------------------------------- */

static void free_if_gone(struct secure *s)
{
    if (!s->under_is_gone || s->busy)
        return;
    mgi_stream_deliver_closed(&s->base);
    mgi_tls_free(s->engine);
    mgi_free(s);
}

/* Nothing more will come. */
static void hear_no_more(struct secure *s)
{
    s->over = true;
    mgi_deadline_clear(&s->shaking);
    mgi_net_later_cancel(&s->later);
    mgi_stream_pause(s->under);
}

static void secure_end(struct secure *s)
{
    hear_no_more(s);
    mgi_stream_deliver_end(&s->base);
}

static void secure_fail(struct secure *s, enum stream_fault why)
{
    hear_no_more(s);
    mgi_stream_deliver_failure(&s->base, why);
}

static void fail_with_alert(struct secure *s)
{
    (void)flush(s);
    s->shown.why = mgi_tls_why(s->engine);
    secure_fail(s, STREAM_LOST);
}

/* ---- sending ----------------------------------------------------------------------------- */

static bool write_record(struct secure *s, struct str plain)
{
    return mgi_tls_write(s->engine, plain) == TLS_OK && flush(s);
}

/* Small parts share a record: `record` holds what is not full yet. */
static bool secure_write(struct stream *stream, const struct str *parts, size_t count)
{
    struct secure *s = secure_of(stream);
    char record[RECORD_BYTES];
    size_t used = 0;
    if (s->busy || !mgi_tls_is_open(s->engine))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct str rest = parts[i];
        while (rest.len > 0) {
            size_t room = sizeof record - used, len = rest.len < room ? rest.len : room;
            memcpy(record + used, rest.ptr, len);
            used += len;
            rest = (struct str){ rest.ptr + len, rest.len - len };
            if (used == sizeof record) {
                if (!write_record(s, (struct str){ record, used }))
                    return false;
                used = 0;
            }
        }
    }
    return used == 0 || write_record(s, (struct str){ record, used });
}

/* ---- receiving --------------------------------------------------------------------------- */

/* Bring the account of what waits in the engine up to date. False: there is no room for it. */
static bool account(struct secure *s)
{
    struct budget *b = &s->base.net->budget;
    size_t now = mgi_tls_waiting(s->engine);
    mgi_budget_give(b, s->held);
    s->held = 0;
    if (now == 0)
        return true;
    enum budget_share share = mgi_budget_share(now);
    if (!mgi_net_relieve(s->base.net, now, share))
        return false;
    mgi_budget_take(b, now, share);
    s->held = now;
    return true;
}

/* Deliver plain bytes until there are none or nobody wants them. True: there are none. */
static bool deliver_plain(struct secure *s)
{
    size_t len;
    while (!s->base.paused && !s->base.closed) {
        switch (mgi_tls_read(s->engine, s->base.net->chunk, NET_CHUNK_BYTES, &len)) {
        case TLS_OK:
            mgi_stream_deliver(&s->base, (struct str){ s->base.net->chunk, len });
            break;
        case TLS_AGAIN:
            return true;
        case TLS_ENDED:
            secure_end(s);
            return false;
        default:
            fail_with_alert(s);
            return false;
        }
    }
    return false;
}

/* The handshake is done: say what came of it. */
static void handshake_done(struct secure *s)
{
    mgi_deadline_clear(&s->shaking);
    s->shown.is_open = true;
    s->shown.version = mgi_tls_version(s->engine);
    s->shown.cipher = mgi_tls_cipher(s->engine);
    s->shown.client = mgi_tls_identity(s->engine);
}

static void handshake_failed(struct secure *s)
{
    if (mgi_tls_is_plain_http(s->engine)) {
        mgi_tls_sent(s->engine); /* no alert: who speaks HTTP would show it as garbage */
        if (s->if_plain_http.len > 0)
            (void)mgi_stream_write(s->under, &s->if_plain_http, 1);
        mgi_stream_shutdown(s->under);
    }
    fail_with_alert(s);
}

/* Look at what a step of the handshake came to, or have one done. True: it is done. */
static bool shake(struct secure *s)
{
    if (!s->stepped) {
        s->busy = true; /* the wire is paused until it is done */
        mgi_stream_pause(s->under);
        s->queued = false;
        mgi_net_turn(s->base.net, &s->turn);
        s->queued = s->turn.next != NULL;
        return false;
    }
    s->stepped = false;
    if (s->worked == TLS_OK)
        handshake_done(s);
    else if (s->worked == TLS_ENDED)
        secure_end(s);
    else if (s->worked != TLS_AGAIN)
        handshake_failed(s);
    return s->worked == TLS_OK;
}

/* All that can be done with what the engine has; then listen to the wire again, unless something of
 * it is left. */
static void go_on(struct secure *s)
{
    if (s->busy || s->over || s->base.closed || s->base.paused)
        return;
    bool open = s->shown.is_open || shake(s);
    if (s->busy || s->over)
        return;
    bool empty = open ? deliver_plain(s) : true;
    if (s->over || s->base.closed)
        return;
    if (!flush(s) || !account(s)) {
        secure_fail(s, STREAM_LOST);
        return;
    }
    if (empty && !s->base.paused)
        mgi_stream_resume(s->under);
    else
        mgi_stream_pause(s->under);
}

/* ---- a worker's step --------------------------------------------------------------------- */

static void work_step(uv_work_t *work)
{
    struct secure *s = work->data;
    s->worked = mgi_tls_handshake(s->engine);
}

/* Nobody has the engine any more; its turn was over before, so that others have theirs. */
static void step_over(struct secure *s)
{
    s->busy = false;
    if (s->base.closed) {
        free_if_gone(s);
    } else {
        s->stepped = true;
        mgi_net_later(s->base.net, &s->later);
    }
}

static void work_done(uv_work_t *work, int status)
{
    (void)status;
    struct secure *s = work->data;
    struct net *n = s->base.net;
    step_over(s);
    mgi_net_turn_over(n);
}

static bool begin_step(struct net_turn *turn)
{
    struct secure *s = (struct secure *)((char *)turn - offsetof(struct secure, turn));
    bool left = s->queued && mgi_stream_peer_gone(s->under); /* who has costs nothing */
    s->work.data = s;
    s->worked = left ? TLS_ENDED : TLS_FAILED; /* unless it is done */
    if (!left && uv_queue_work(s->base.net->loop, &s->work, work_step, work_done) == 0)
        return true;
    step_over(s);
    return false;
}

/* ---- what the stream below says ---------------------------------------------------------- */

static void under_bytes(void *owner, struct str bytes)
{
    struct secure *s = owner;
    if (s->over)
        return;
    if (mgi_tls_feed(s->engine, bytes))
        go_on(s);
    else
        secure_fail(s, STREAM_LOST);
}

static void under_drained(void *owner)
{
    struct secure *s = owner;
    mgi_stream_deliver_drained(&s->base);
}

static void under_ended(void *owner)
{
    struct secure *s = owner;
    if (!s->over)
        secure_end(s);
}

static void under_failed(void *owner, enum stream_fault why)
{
    secure_fail(owner, why);
}

static void under_closed(void *owner)
{
    struct secure *s = owner;
    s->under_is_gone = true;
    free_if_gone(s);
}

static const struct stream_events under_events = {
    .bytes = under_bytes,
    .drained = under_drained,
    .ended = under_ended,
    .failed = under_failed,
    .closed = under_closed,
};

/* ---- what the owner says ----------------------------------------------------------------- */

static void secure_pause(struct stream *stream)
{
    mgi_stream_pause(secure_of(stream)->under);
}

static void deliver_later(struct net_later *later)
{
    go_on((struct secure *)((char *)later - offsetof(struct secure, later)));
}

static void secure_resume(struct stream *stream)
{
    struct secure *s = secure_of(stream);
    if (s->over || s->busy)
        return;
    if (s->stepped || mgi_tls_waiting(s->engine) > 0)
        mgi_net_later(s->base.net, &s->later);
    else
        mgi_stream_resume(s->under);
}

static size_t secure_queued(const struct stream *stream)
{
    return mgi_stream_queued(((const struct secure *)stream)->under);
}

/* The end is said in TLS as well, so that the peer knows that nobody cut it off. */
static void say_end(struct secure *s)
{
    if (s->busy)
        return;
    mgi_tls_close(s->engine);
    (void)flush(s);
}

static void secure_shutdown(struct stream *stream)
{
    struct secure *s = secure_of(stream);
    say_end(s);
    mgi_stream_shutdown(s->under);
}

static void secure_close(struct stream *stream)
{
    struct secure *s = secure_of(stream);
    say_end(s);
    mgi_deadline_clear(&s->shaking);
    mgi_net_later_cancel(&s->later);
    mgi_budget_give(&s->base.net->budget, s->held);
    s->held = 0;
    if (s->turn.next) {
        mgi_net_turn_cancel(&s->turn);
        s->busy = false;
    } else if (s->busy) {
        (void)uv_cancel(
            (uv_req_t *)&s->work); /* if nobody has begun it; its end comes either way */
    }
    mgi_stream_close(s->under);
}

static bool secure_peer_gone(const struct stream *stream)
{
    return mgi_stream_peer_gone(((const struct secure *)stream)->under);
}

static bool secure_has_bytes(const struct stream *stream)
{
    const struct secure *s = (const struct secure *)stream;
    return s->busy || mgi_tls_waiting(s->engine) > 0 || mgi_stream_has_bytes(s->under);
}

static void secure_place(const struct stream *stream, char out[STREAM_PLACE_BYTES])
{
    mgi_stream_place(((const struct secure *)stream)->under, out);
}

static const struct stream_tls *secure_tls(const struct stream *stream)
{
    return &((const struct secure *)stream)->shown;
}

static const struct stream_ops secure_ops = {
    .pause = secure_pause,
    .resume = secure_resume,
    .write = secure_write,
    .queued = secure_queued,
    .shutdown = secure_shutdown,
    .close = secure_close,
    .peer_gone = secure_peer_gone,
    .has_bytes = secure_has_bytes,
    .tls = secure_tls,
    .place = secure_place,
};

/* ---- beginning --------------------------------------------------------------------------- */

static void shaking_passed(struct deadline *d)
{
    struct secure *s = (struct secure *)((char *)d - offsetof(struct secure, shaking));
    s->shown.why = "the TLS handshake took too long";
    secure_fail(s, STREAM_LOST);
}

struct stream *mgi_stream_tls_new(struct stream *under, const struct stream_tls_options *options,
                                  const struct stream_events *events, void *owner)
{
    struct secure *s = mgi_calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->engine = mgi_tls_new(options->context, NULL, options->now_ns);
    if (!s->engine) {
        mgi_free(s);
        return NULL;
    }
    s->base = (struct stream){ .ops = &secure_ops,
                               .events = events,
                               .owner = owner,
                               .net = mgi_stream_net(under),
                               .group = mgi_stream_group(under),
                               .paused = true };
    s->under = under;
    s->if_plain_http = options->if_plain_http;
    s->shaking.passed = shaking_passed;
    s->later.run = deliver_later;
    s->turn.begin = begin_step;
    mgi_stream_own(under, &under_events, s);
    mgi_net_deadline_set(s->base.group, &s->shaking, DEADLINE_HEAD);
    return &s->base;
}
