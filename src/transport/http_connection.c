/* One connection: bytes of its stream go through the codec, and each request through the states of
 * http_int.h.
 *
 * Invariants:
 * 1. Between requests a connection holds no memory but its own struct.
 * 2. Bytes behind the request that is being answered are copied once, into `pending`, and taken
 * from there by offset. Beyond LOW_WATER nothing more is read.
 * 3. settle_request() is the only place that starts and stops reading and sets the deadline; every
 * event ends with it.
 * 4. While an answer is owed, the peer's leaving is noticed: by reading, or, when reading has
 * stopped, by asking the kernel each second (P-CONC-9). */
#include <assert.h>

#include "base/alloc.h"
#include "transport/http_int.h"

#define LOW_WATER     ((size_t)16 * 1024)
#define BUSY_DETAILS  "{\"status\":\"ready\"}"
#define TURN_REQUESTS 16 /* of one connection, before others have their turn */

static bool is_reading(const struct http_connection *c)
{
    return c->state == HTTP_IDLE || c->state == HTTP_HEAD || c->state == HTTP_BODY ||
           c->state == HTTP_SKIP;
}

static size_t waiting(const struct http_connection *c)
{
    return c->pending.len - c->pending_at;
}

/* ---- the end ----------------------------------------------------------------------------- */

static void forget_request(struct http_connection *c)
{
    struct http_listener *l = c->listener;
    if (c->who && l->options.release)
        l->options.release(l->options.context, c->who);
    c->who = NULL;
    c->route = NULL;
    c->origin = NULL;
    c->refusal.code = WIRE_OK;
    c->head_only = c->reads_gzip = c->from_page = c->old_client = c->came_late = false;
    c->whole = (struct str){ NULL, 0 };
    mgi_buf_fini(&c->body);
}

/* Nobody waits for whose request it is: its head is gone. */
static void unjudge(struct http_connection *c)
{
    if (c->judging)
        c->listener->options.unjudge(c->listener->options.context, c->judging);
    c->judging = NULL;
}

/* Everything that a connection holds beside its stream. */
void mgi_http_let_go(struct http_connection *c)
{
    void (*gone)(void *) = c->gone;
    c->state = HTTP_GONE;
    c->gone = NULL;
    mgi_deadline_clear(&c->deadline);
    mgi_net_later_cancel(&c->later);
    if (c->job)
        mgi_http_job_forget(c->job);
    c->job = NULL;
    unjudge(c);
    forget_request(c);
    mgi_buf_fini(&c->pending);
    mgi_http1_fini(&c->codec);
    c->pending_at = 0;
    mgi_budget_give(&c->listener->options.net->budget, c->held);
    c->held = 0;
    if (gone)
        gone(c->gone_context);
}

static void connection_free(struct http_connection *c)
{
    struct http_listener *l = c->listener;
    if (c->prev)
        c->prev->next = c->next;
    else
        l->connections = c->next;
    if (c->next)
        c->next->prev = c->prev;
    mgi_free(c);
    l->part_closed(l); /* it may be the last */
}

void mgi_http_connection_close(struct http_connection *c)
{
    if (c->state == HTTP_GONE)
        return;
    mgi_http_let_go(c);
    mgi_stream_close(c->stream);
}

/* Nothing is answered any more. Say the end behind what is queued; if the client may still be
 * `sending`, read until it has said its own, because closing at once would tear down what it has
 * not read yet (RFC 9112 section 9.6). */
static void linger(struct http_connection *c, bool sending)
{
    c->state = HTTP_LINGER;
    c->sending = sending;
    c->dropped = waiting(c);
    c->pending_at = 0;
    mgi_buf_fini(&c->pending);
    mgi_http1_fini(&c->codec);
    mgi_http1_init(&c->codec);
    unjudge(c);
    forget_request(c);
    if (sending)
        mgi_stream_shutdown(c->stream);
}

/* ---- after every event ------------------------------------------------------------------- */

/* Take from the budget what is held now, or give it back. False: there is no room, although others
 * had to end that take nothing of their answers. */
static bool pay(struct http_connection *c)
{
    struct net *n = c->listener->options.net;
    size_t now = c->pending.cap + c->body.cap + mgi_http1_held(&c->codec) +
                 (c->job ? mgi_http_job_held(c->job) : 0);
    if (now <= c->held) {
        mgi_budget_give(&n->budget, c->held - now);
    } else {
        enum budget_share share = c->who ? mgi_budget_share(now) : BUDGET_STRANGER;
        if (!mgi_net_relieve(n, now - c->held, share))
            return false;
        mgi_budget_take(&n->budget, now - c->held, share);
    }
    c->held = now;
    return true;
}

static void refuse_for_want_of_bytes(struct http_connection *c)
{
    const struct wire_error e = { WIRE_SERVER_NOT_READY,
                                  "The server holds as many bytes of requests as it may.",
                                  STR_LIT(BUSY_DETAILS), 1000 };
    c->keep_alive = false;
    if (is_reading(c) && c->state != HTTP_SKIP)
        mgi_http_refuse(c, &e, NULL);
    else
        mgi_http_connection_close(c);
}

static bool is_stranger(const struct http_connection *c)
{
    return !c->who || c->who->kind == PRINCIPAL_ANONYMOUS;
}

/* An answer that is on its way has the stream's own deadline, and no other. */
static int deadline_of(const struct http_connection *c, bool reads)
{
    bool writes = mgi_stream_queued(c->stream) > 0;
    switch (c->state) {
    case HTTP_IDLE:
        return writes ? -1 : c->has_asked ? DEADLINE_IDLE : DEADLINE_NEW;
    case HTTP_HEAD:
        return DEADLINE_HEAD;
    case HTTP_BODY:
    case HTTP_SKIP:
        return is_stranger(c) ? DEADLINE_STRANGER : DEADLINE_BODY;
    case HTTP_LINGER:
        return writes ? -1 : DEADLINE_LINGER;
    case HTTP_BUSY:
    case HTTP_JUDGING:
    case HTTP_PACKING:
        return reads ? -1 : DEADLINE_PROBE;
    default:
        return -1; /* WRITING */
    }
}

static void set_deadline(struct http_connection *c, bool reads)
{
    int kind = deadline_of(c, reads);
    if (kind < 0)
        mgi_deadline_clear(&c->deadline);
    else if (c->renew || !mgi_deadline_is_set(&c->deadline) || (int)c->deadline.kind != kind)
        mgi_net_deadline_set(mgi_stream_group(c->stream), &c->deadline, (enum deadline_kind)kind);
    c->renew = false;
}

/* The peer sends no more. Who waited for an answer has left; who has its answers may take them. */
static void end_with_peer(struct http_connection *c)
{
    if (c->state == HTTP_BUSY || c->state == HTTP_JUDGING || c->state == HTTP_PACKING) {
        mgi_http_connection_close(c);
    } else if (c->state != HTTP_WRITING && waiting(c) == 0) {
        if (c->state != HTTP_LINGER)
            linger(c, false);
        c->sending = false;
    }
}

/* The listener closes. Between requests, also within a head, nothing more is waited for but that
 * the client takes the answers that it has. What it has asked already is answered, with an end. */
static void leave(struct http_connection *c)
{
    bool within = c->state == HTTP_HEAD;
    if (waiting(c) == 0 && (within || c->state == HTTP_IDLE || c->state == HTTP_WRITING))
        linger(c, within && mgi_stream_queued(c->stream) > 0);
}

static void settle_request(struct http_connection *c)
{
    if (c->state == HTTP_GONE)
        return;
    if (!pay(c))
        refuse_for_want_of_bytes(c);
    if (c->eof && c->state != HTTP_GONE)
        end_with_peer(c);
    if (c->listener->closing && c->state != HTTP_GONE)
        leave(c);
    if (c->state == HTTP_LINGER && !c->sending && mgi_stream_queued(c->stream) == 0)
        mgi_http_connection_close(c);
    if (c->state == HTTP_GONE)
        return;
    if (is_reading(c) && (waiting(c) > 0 || c->has_turn))
        mgi_net_later(c->listener->options.net, &c->later);
    bool reads = waiting(c) < LOW_WATER;
    if (reads)
        mgi_stream_resume(c->stream);
    else
        mgi_stream_pause(c->stream);
    set_deadline(c, reads);
}

static void request_over(struct http_connection *c)
{
    forget_request(c);
    c->renew = true;
    c->state = mgi_stream_queued(c->stream) > STREAM_LOW_WATER ? HTTP_WRITING : HTTP_IDLE;
}

static void answered(struct http_connection *c)
{
    bool early = c->state != HTTP_BUSY && c->state != HTTP_PACKING; /* more of it is coming */
    c->renew = true;
    c->gone = NULL;
    if (!c->keep_alive)
        linger(c, early || waiting(c) > 0 || (c->input && c->input->len > 0));
    else if (early)
        c->state = HTTP_SKIP;
    else
        request_over(c);
    if (!c->input)
        settle_request(c);
}

/* ---- requests ---------------------------------------------------------------------------- */

static void answer_fault(struct http_connection *c)
{
    static const enum wire_code codes[] = { [HTTP1_MALFORMED] = WIRE_MALFORMED_MESSAGE,
                                            [HTTP1_HEAD_TOO_LARGE] = WIRE_X_HEAD_TOO_LARGE,
                                            [HTTP1_VERSION] = WIRE_X_HTTP_VERSION,
                                            [HTTP1_NO_MEMORY] = WIRE_INTERNAL_ERROR };
    enum http1_fault fault = c->codec.fault;
    struct wire_error e = { codes[fault], c->codec.why, { NULL, 0 }, -1 };
    if (fault == HTTP1_MALFORMED)
        e.details = STR_LIT("{\"reason\":\"http\"}");
    c->keep_alive = false;
    if (c->state == HTTP_SKIP) /* it has its answer */
        linger(c, true);
    else
        mgi_http_refuse(c, &e, NULL);
}

static void refuse_for_want_of_memory(struct http_connection *c)
{
    const struct wire_error e = {
        WIRE_INTERNAL_ERROR, "The server ran out of memory.", { NULL, 0 }, -1
    };
    c->keep_alive = false;
    mgi_http_refuse(c, &e, NULL);
}

/* A piece of the body. One that is all of it is looked at where it lies. */
static void take_body(struct http_connection *c, struct str piece)
{
    size_t limit = mgi_http_body_limit(c); /* it may have fallen below what has come */
    bool within = c->body_len <= limit && piece.len <= limit - c->body_len;
    c->body_len += piece.len;
    if (c->state == HTTP_SKIP) { /* it has its answer */
        if (!within)
            linger(c, true);
    } else if (!within) {
        mgi_http_refuse_body(c);
    } else if (c->body.len == 0 && piece.len == c->codec.request.length) {
        c->whole = piece;
    } else if (c->route->max_body > 0) {
        mgi_buf_str(&c->body, piece);
        if (c->body.oom)
            refuse_for_want_of_memory(c);
    }
}

/* What came late was asked for by whoever sent the head, as far as it still counts: what has been
 * withdrawn meanwhile runs nothing. Who would have to be asked again, an issuer, was asked for the
 * head, and its word lasts a while anyway. */
static void judge_again(struct http_connection *c)
{
    const struct http_options *o = &c->listener->options;
    struct wire_error refusal = { .code = WIRE_OK };
    if (!c->who || !c->came_late || c->who->kind == PRINCIPAL_ANONYMOUS)
        return;
    const struct principal *who = o->identify(o->context, &c->codec.request, c->stream, &refusal);
    if (!who && refusal.code == WIRE_OK)
        return;
    if (o->release)
        o->release(o->context, c->who);
    c->who = who;
    if (who)
        return;
    c->refusal = refusal;
    if (!c->route->hears_refusals)
        mgi_http_refuse(c, &refusal, NULL);
}

/* The request is complete. */
static void run_route(struct http_connection *c)
{
    c->state = HTTP_BUSY;
    c->route->run(c->route_context, c);
    mgi_buf_fini(&c->body);
    c->whole = (struct str){ NULL, 0 };
    assert(c->state != HTTP_BUSY || c->gone); /* answered, waiting, or taken over */
}

static void request_ends(struct http_connection *c)
{
    if (c->state == HTTP_BODY)
        judge_again(c);
    if (c->state == HTTP_BODY)
        run_route(c);
    else
        request_over(c);
    mgi_http1_forget(&c->codec);
}

/* The input is at its end within a request. */
static void input_is_short(struct http_connection *c)
{
    if (c->state == HTTP_IDLE && mgi_http1_within(&c->codec))
        c->state = HTTP_HEAD;
    else if (c->state == HTTP_BODY && !mgi_http1_keep(&c->codec)) /* `run` will want to see it */
        refuse_for_want_of_memory(c);
    c->came_late |= c->state == HTTP_BODY;
}

/* Take requests from the input until it is at its end, one is not answered at once, or others
 * should have a turn. */
static void take_requests(struct http_connection *c, struct str *input)
{
    struct str piece;
    unsigned requests = 0;
    c->input = input;
    while (is_reading(c) && requests < TURN_REQUESTS) {
        enum http1_event event = mgi_http1_next(&c->codec, input, &piece);
        if (event == HTTP1_HEAD) {
            c->body_len = 0;
            c->has_asked = true;
            mgi_http_judge(c);
            if (c->state == HTTP_JUDGING && !mgi_http1_keep(&c->codec)) /* it is looked at later */
                refuse_for_want_of_memory(c);
        } else if (event == HTTP1_BODY) {
            take_body(c, piece);
        } else if (event == HTTP1_END) {
            request_ends(c);
            requests++;
        } else if (event == HTTP1_FAULT) {
            answer_fault(c);
        } else {
            input_is_short(c);
            break;
        }
    }
    c->input = NULL;
}

/* Somebody took the stream: what is left of the connection goes. True: it did. */
static bool was_taken(struct http_connection *c)
{
    if (!c->taken)
        return false;
    connection_free(c);
    return true;
}

/* ---- events ------------------------------------------------------------------------------ */

static void keep_for_later(struct http_connection *c, struct str bytes)
{
    if (c->pending_at > 0) { /* at most LOW_WATER are left */
        memmove(c->pending.ptr, c->pending.ptr + c->pending_at, waiting(c));
        c->pending.len -= c->pending_at;
        c->pending_at = 0;
    }
    mgi_buf_str(&c->pending, bytes);
    if (c->pending.oom)
        mgi_http_connection_close(c);
}

static void linger_on(struct http_connection *c, size_t len)
{
    size_t most = 2 * c->listener->max_body + 2 * REFUSED_BODY_MAX;
    c->dropped += len;
    if (c->dropped > most)
        mgi_http_connection_close(c);
}

static void connection_bytes(void *owner, struct str bytes)
{
    struct http_connection *c = owner;
    if (c->state == HTTP_LINGER) {
        linger_on(c, bytes.len);
        return;
    }
    if (is_reading(c) && waiting(c) == 0)
        take_requests(c, &bytes);
    if (was_taken(c))
        return;
    if (c->state == HTTP_LINGER)
        c->dropped += bytes.len;
    else if (c->state != HTTP_GONE && bytes.len > 0)
        keep_for_later(c, bytes);
    settle_request(c);
}

/* It is our turn again, and bytes wait. */
static void connection_turn(struct net_later *later)
{
    struct http_connection *c =
        (struct http_connection *)((char *)later - offsetof(struct http_connection, later));
    bool has_turn = c->has_turn;
    c->has_turn = false;
    if (!is_reading(c) || (waiting(c) == 0 && !has_turn))
        return;
    struct str rest = { waiting(c) > 0 ? c->pending.ptr + c->pending_at : "", waiting(c) };
    take_requests(c, &rest);
    if (was_taken(c))
        return;
    if (c->pending.ptr) { /* not given back on the way */
        c->pending_at = c->pending.len - rest.len;
        if (rest.len == 0) {
            mgi_buf_fini(&c->pending);
            c->pending_at = 0;
        }
    }
    settle_request(c);
}

static void connection_drained(void *owner)
{
    struct http_connection *c = owner;
    if (c->state == HTTP_WRITING)
        c->state = HTTP_IDLE;
    settle_request(c);
}

static void connection_ended(void *owner)
{
    struct http_connection *c = owner;
    assert(!c->eof);
    c->eof = true;
    settle_request(c);
}

static void connection_failed(void *owner, enum stream_fault why)
{
    (void)why;
    mgi_http_connection_close(owner);
}

static void connection_closed(void *owner)
{
    connection_free(owner);
}

static const struct stream_events connection_events = { .bytes = connection_bytes,
                                                        .drained = connection_drained,
                                                        .ended = connection_ended,
                                                        .failed = connection_failed,
                                                        .closed = connection_closed };

static void connection_late(struct deadline *d)
{
    static const struct wire_error slow = {
        WIRE_X_REQUEST_TIMEOUT, "The request did not arrive in time.", { NULL, 0 }, -1
    };
    struct http_connection *c =
        (struct http_connection *)((char *)d - offsetof(struct http_connection, deadline));
    bool gives_way = d->at_ms > mgi_net_now_ms(c->listener->options.net);
    if (c->state == HTTP_IDLE && mgi_stream_has_bytes(c->stream)) { /* they came before its end */
        settle_request(c);
        return;
    }
    switch (gives_way ? HTTP_GONE : c->state) {
    case HTTP_HEAD:
    case HTTP_BODY:
        c->keep_alive = false;
        mgi_http_refuse(c, &slow, NULL);
        break;
    case HTTP_SKIP: /* its answer may still be on its way */
        linger(c, true);
        settle_request(c);
        break;
    case HTTP_BUSY:
    case HTTP_JUDGING:
    case HTTP_PACKING:
        if (mgi_stream_peer_gone(c->stream))
            mgi_http_connection_close(c);
        else
            settle_request(c);
        break;
    default:
        mgi_http_connection_close(c);
        break;
    }
}

/* ---- beginning --------------------------------------------------------------------------- */

static void orphan_closed(void *owner)
{
    (void)owner;
}

static void orphan_bytes(void *owner, struct str bytes)
{
    (void)owner, (void)bytes;
}

static void orphan_ended(void *owner)
{
    (void)owner;
}

static void orphan_failed(void *owner, enum stream_fault why)
{
    (void)owner, (void)why;
}

/* Of a stream for which there is no memory. */
static const struct stream_events orphan_events = {
    .bytes = orphan_bytes, .ended = orphan_ended, .failed = orphan_failed, .closed = orphan_closed
};

static const struct http_life connection_life = {
    .answered = answered,
    .settle = settle_request,
    .close = mgi_http_connection_close,
};

void mgi_http_adopt(struct http_listener *l, struct stream *s, bool too_many)
{
    const struct wire_error full = { WIRE_SERVER_NOT_READY,
                                     "The server has as many connections as it may.",
                                     STR_LIT(BUSY_DETAILS), 1000 };
    struct http_connection *c = mgi_calloc(1, sizeof *c);
    if (!c) {
        mgi_stream_own(s, &orphan_events, NULL);
        mgi_stream_close(s);
        return;
    }
    l->parts++;
    c->life = &connection_life;
    c->listener = l;
    c->stream = s;
    c->next = l->connections;
    if (c->next)
        c->next->prev = c;
    l->connections = c;
    c->deadline.passed = connection_late;
    c->later.run = connection_turn;
    mgi_stream_own(s, &connection_events, c);
    if (too_many)
        mgi_http_refuse(c, &full, NULL);
    else
        settle_request(c);
}
