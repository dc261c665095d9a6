/* One session.
 *
 *     OPEN ──stop──> LEAVING ──all is answered──┐
 *       ├──fault, failed logins, …──────────────┴──our close──> CLOSING ──theirs, or time──> OVER
 *       ├──their close──> (ours) ──> CLOSING
 *       └──the connection breaks────────────────────────────────────────────────────────────> OVER
 *
 * 1. `peer` is NULL from CLOSING on: what still runs for it is cancelled, nothing more is answered.
 * 2. The stream's events and the server's calls may come in turns within each other (a message is
 *    answered while it is handed over). So bytes are taken by one loop at a time (`taking`), what
 *    has to be decided after an event is decided by settle(), at its end, and a connection that
 *    breaks while the server writes is `broken` until the next turn: a peer leaves only when the
 *    server has asked for it, or is not at work.
 * 3. While more than OUTPUT_HIGH bytes wait for a slow reader, nothing of what it sends is looked
 * at: what was read already stays in `rest`, the others in the kernel (a client that
 * pipelines and does not read holds this much, and one chunk).
 * 4. `held` of the budget is what `rest` and the message under way hold.
 *
 * Three deadlines: `life` (a stranger has to log in, an anonymous session may have to give way;
 * later: the peer has to end), `ping` (a ping, or nothing came after the one before), `message`
 * (one that has begun has to end). */
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/encode.h"
#include "net/net.h"
#include "net/stream_tls.h"
#include "net/ws.h"
#include "server/peer.h"
#include "sys/random.h"
#include "transport/ws_int.h"

#define OUTPUT_HIGH        ((size_t)256 * 1024)
#define STRANGER_MAX_BYTES ((size_t)64 * 1024) /* of a message before login (D-55) */
#define SESSION_NAME_BYTES 16
#define TURN_MESSAGES      16 /* then others have a turn */

enum session_state { SESSION_OPEN, SESSION_LEAVING, SESSION_CLOSING, SESSION_OVER };

struct ws_session {
    struct ws_api *api;
    struct ws_session *next, *prev;
    struct stream *stream;
    struct peer *peer;
    struct ws codec;
    enum session_state state;
    bool greeted;  /* a message was sent: the manifest was the first */
    bool stranger; /* a login is required, and there was none */
    bool pinged;   /* and nothing has come since */
    bool broken;   /* writing failed: close from the loop */
    bool taking;   /* bytes are being taken, further up the stack */
    struct deadline life, ping, message;
    struct net_later later;
    struct buf rest; /* bytes that were read and not looked at */
    size_t rest_at;  /* of them, taken */
    size_t held;     /* of the budget */
};

static struct net *net_of(const struct ws_session *s)
{
    return mgi_stream_net(s->stream);
}

static size_t messages_waiting(const struct ws_session *s)
{
    return s->rest.len - s->rest_at;
}

static void log_end(const struct ws_session *s, unsigned code, const char *why)
{
    if (s->api->options.log)
        mgi_log(s->api->options.log, LOG_DEBUG, "websocket: closed with %u: %s", code, why);
}

/* ---- the end ----------------------------------------------------------------------------- */

static void peer_leaves(struct ws_session *s)
{
    struct peer *peer = s->peer;
    s->peer = NULL;
    if (peer)
        mgi_peer_gone(peer);
}

/* Close now; the struct goes when the stream says `closed`. */
static void session_over(struct ws_session *s)
{
    if (s->state == SESSION_OVER)
        return;
    s->state = SESSION_OVER;
    mgi_deadline_clear(&s->life);
    mgi_deadline_clear(&s->ping);
    mgi_deadline_clear(&s->message);
    mgi_net_later_cancel(&s->later);
    peer_leaves(s);
    if (!s->taking) { /* else when that is done */
        mgi_ws_fini(&s->codec);
        mgi_buf_fini(&s->rest);
    }
    s->rest_at = s->rest.len;
    mgi_budget_give(&net_of(s)->budget, s->held);
    s->held = 0;
    mgi_stream_close(s->stream);
}

/* The time for the client's own end begins when it has taken what it was sent: until then the
 * stream's own deadline watches it. */
static void await_their_end(struct ws_session *s)
{
    if (s->state == SESSION_CLOSING && !mgi_deadline_is_set(&s->life) &&
        mgi_stream_queued(s->stream) == 0)
        mgi_net_deadline_set(mgi_stream_group(s->stream), &s->life, DEADLINE_LINGER);
}

/* Say why, and wait for the client to say the same. */
static void close_with(struct ws_session *s, uint16_t code, const char *why)
{
    if (s->state >= SESSION_CLOSING)
        return;
    struct buf frame = { 0 };
    log_end(s, code, why);
    s->state = SESSION_CLOSING;
    peer_leaves(s);
    mgi_ws_put_close(&frame, code, why, NULL);
    struct str part = mgi_buf_view(&frame);
    if (frame.oom || !mgi_stream_write(s->stream, &part, 1))
        s->broken = true;
    mgi_buf_fini(&frame);
    mgi_deadline_clear(&s->life);
    mgi_deadline_clear(&s->ping);
    mgi_deadline_clear(&s->message);
    /* A server that stops does not wait as long: a second is enough for who has taken everything.
     */
    if (code == WS_GOING_AWAY)
        mgi_net_deadline_set(mgi_stream_group(s->stream), &s->life,
                             mgi_stream_queued(s->stream) > 0 ? DEADLINE_LINGER : DEADLINE_PROBE);
    await_their_end(s);
    if (s->broken)
        mgi_net_later(net_of(s), &s->later);
}

/* Nothing more is said on either side: the server is the first to end the connection (section
 * 7.1.1). */
static void both_closed(struct ws_session *s)
{
    mgi_stream_shutdown(s->stream);
}

/* ---- sending ----------------------------------------------------------------------------- */

/* The connection is of no use, but a caller up the stack still works with the peer. */
static bool broke(struct ws_session *s)
{
    s->broken = true;
    mgi_net_later(net_of(s), &s->later);
    return false;
}

static bool session_send(void *connection, struct str message, int http_status, bool last,
                         int64_t retry_after_ms)
{
    (void)http_status, (void)last, (void)retry_after_ms;
    struct ws_session *s = connection;
    uint8_t head[WS_HEAD_MAX];
    if (s->state >= SESSION_CLOSING || s->broken)
        return false;
    s->greeted = true;
    size_t len = mgi_ws_head(head, WS_OP_TEXT, message.len, NULL); /* P-WS-3 to -5 */
    struct str parts[] = { { (const char *)head, len }, message };
    if (!mgi_stream_write(s->stream, parts, 2))
        return broke(s);
    if (mgi_stream_queued(s->stream) > OUTPUT_HIGH)
        mgi_stream_pause(s->stream);
    return true;
}

static void send_control(struct ws_session *s, enum ws_opcode opcode, struct str bytes)
{
    uint8_t head[WS_HEAD_MAX];
    size_t len = mgi_ws_head(head, opcode, bytes.len, NULL);
    struct str parts[] = { { (const char *)head, len }, bytes };
    if (s->state < SESSION_CLOSING && !s->broken && !mgi_stream_write(s->stream, parts, 2))
        (void)broke(s);
}

/* The server ends it: all is answered that was owed, or three logins failed. */
static void session_close(void *connection, const char *why)
{
    struct ws_session *s = connection;
    if (s->state == SESSION_LEAVING)
        close_with(s, WS_GOING_AWAY, "the server stops");
    else
        close_with(s, WS_POLICY, why); /* D-55 */
}

static const struct peer_transport ws_table = {
    .name = "websocket",
    .session = true,
    .remote = true,
    .send = session_send,
    .close = session_close,
};

/* ---- receiving --------------------------------------------------------------------------- */

/* An anonymous session has no end of its own, but it gives way: `life` says since when it has said
 * nothing. A login ends that. */
static void watch_guest(struct ws_session *s)
{
    if (s->state >= SESSION_CLOSING || s->stranger)
        return;
    if (mgi_peer_is_anonymous(s->peer))
        mgi_net_deadline_set(mgi_stream_group(s->stream), &s->life, DEADLINE_GUEST);
    else
        mgi_deadline_clear(&s->life);
}

static void fault(struct ws_session *s, enum wire_code code, const char *reason, const char *why)
{
    if (s->peer)
        mgi_peer_fault(s->peer, code, reason, why);
}

static void framing_fault(struct ws_session *s, const struct ws_event *event)
{
    if (event->code == WS_BAD_TEXT) /* bad input 5 */
        fault(s, WIRE_MALFORMED_MESSAGE, "utf8", "The message is not UTF-8.");
    else if (event->code == WS_TOO_BIG) /* bad input 18 */
        fault(s, WIRE_MESSAGE_TOO_LARGE, "", "The message is larger than twice the limit.");
    close_with(s, event->code, event->why);
    both_closed(s); /* what it says from here on is not understood */
}

static void take_event(struct ws_session *s, const struct ws_event *event)
{
    switch (event->kind) {
    case WS_TEXT:
        if (s->state == SESSION_OPEN)
            mgi_peer_message(s->peer, event->bytes, ENDPOINT_SESSION);
        watch_guest(s);
        break;
    case WS_BINARY: /* bad input 41 */
        fault(s, WIRE_MALFORMED_MESSAGE, "framing", "A message is a text frame, not a binary one.");
        break;
    case WS_TOO_LARGE:
        if (s->stranger)
            fault(s, WIRE_AUTH_REQUIRED, NULL, "So large a message needs a login before it.");
        else
            fault(s, WIRE_MESSAGE_TOO_LARGE, "", "The message is larger than the limit.");
        break;
    case WS_NOMEM:
        fault(s, WIRE_INTERNAL_ERROR, "memory", "The server has no room for the message.");
        break;
    case WS_PING: /* P-WS-9 */
        send_control(s, WS_OP_PONG, event->bytes);
        break;
    case WS_CLOSE: /* P-WS-6 */
        close_with(s, event->code, "");
        both_closed(s);
        break;
    case WS_FAULT:
        framing_fault(s, event);
        break;
    case WS_PONG:
    case WS_NONE:
        break;
    }
}

/* Nothing of what it sends is looked at until it has taken some of what it was sent. */
static bool is_held_up(const struct ws_session *s)
{
    return s->state < SESSION_CLOSING && mgi_stream_queued(s->stream) > OUTPUT_HIGH;
}

/* Somebody known may send more. */
static void look_who_it_is(struct ws_session *s)
{
    if (!s->stranger || !s->peer || !mgi_peer_is_known(s->peer))
        return;
    s->stranger = false;
    watch_guest(s);
    mgi_ws_set_max(&s->codec, s->api->options.max_message_bytes);
}

/* Messages, until the input is at its end, nobody looks at it any more, or others have a turn. */
static void take_messages(struct ws_session *s, struct str *input)
{
    struct ws_event event;
    unsigned messages = 0;
    s->taking = true;
    while (s->state != SESSION_OVER && !s->broken && !is_held_up(s) && messages < TURN_MESSAGES) {
        look_who_it_is(s);
        mgi_ws_next(&s->codec, input, &event);
        if (event.kind == WS_NONE)
            break;
        take_event(s, &event);
        if (event.kind != WS_PONG && mgi_deadline_is_set(&s->ping))
            mgi_net_deadline_set(mgi_stream_group(s->stream), &s->ping, DEADLINE_PING);
        messages++;
    }
    s->taking = false;
    if (s->state == SESSION_OVER) {
        mgi_ws_fini(&s->codec);
        mgi_buf_fini(&s->rest);
        *input = (struct str){ NULL, 0 };
    }
}

/* ---- after every event ------------------------------------------------------------------- */

/* Bring the account of what is held up to date. False: there is no room for it. */
static bool pay_messages(struct ws_session *s)
{
    struct net *n = net_of(s);
    size_t now = mgi_ws_held(&s->codec) + s->rest.cap;
    if (now > s->held) {
        enum budget_share share = s->stranger ? BUDGET_STRANGER : mgi_budget_share(now);
        if (!mgi_net_relieve(n, now - s->held, share) ||
            !mgi_budget_take(&n->budget, now - s->held, share))
            return false;
    } else {
        mgi_budget_give(&n->budget, s->held - now);
    }
    s->held = now;
    return true;
}

/* The message under way is given up first; if that is not enough, the session. */
static void pay_or_give_up(struct ws_session *s)
{
    if (pay_messages(s))
        return;
    mgi_ws_drop(&s->codec);
    if (pay_messages(s))
        return;
    close_with(s, WS_TRY_LATER, "the server has no room for what is sent");
    mgi_buf_fini(&s->rest);
    s->rest_at = 0;
    (void)pay_messages(s);
}

static void watch_message(struct ws_session *s)
{
    bool within = s->state < SESSION_CLOSING && mgi_ws_in_message(&s->codec) &&
                  messages_waiting(s) == 0 && !is_held_up(s);
    if (!within)
        mgi_deadline_clear(&s->message);
    else if (!mgi_deadline_is_set(&s->message))
        mgi_net_deadline_set(mgi_stream_group(s->stream), &s->message, DEADLINE_BODY);
}

static void settle(struct ws_session *s)
{
    if (s->broken)
        session_over(s);
    if (s->state == SESSION_OVER)
        return;
    look_who_it_is(s);
    pay_or_give_up(s);
    watch_message(s);
    await_their_end(s);
    if (is_held_up(s)) {
        mgi_stream_pause(s->stream);
    } else if (messages_waiting(s) > 0) {
        mgi_stream_pause(s->stream);
        mgi_net_later(net_of(s), &s->later);
    } else {
        mgi_stream_resume(s->stream);
    }
}

/* ---- events ------------------------------------------------------------------------------ */

static void session_bytes(void *owner, struct str bytes)
{
    struct ws_session *s = owner;
    s->pinged = false;
    if (messages_waiting(s) == 0)
        take_messages(s, &bytes);
    if (s->state != SESSION_OVER && bytes.len > 0) {
        mgi_buf_str(&s->rest, bytes);
        if (s->rest.oom)
            session_over(s);
    }
    settle(s);
}

/* Our turn again, or an end that had to wait for its caller. */
static void session_turn(struct net_later *later)
{
    struct ws_session *s =
        (struct ws_session *)((char *)later - offsetof(struct ws_session, later));
    struct str rest = { s->rest.ptr ? s->rest.ptr + s->rest_at : NULL, messages_waiting(s) };
    if (!s->broken && rest.len > 0)
        take_messages(s, &rest);
    if (s->state != SESSION_OVER) {
        s->rest_at = s->rest.len - rest.len;
        if (rest.len == 0) {
            mgi_buf_fini(&s->rest);
            s->rest_at = 0;
        }
    }
    settle(s);
}

static void session_drained(void *owner)
{
    settle(owner);
}

/* Nobody is at work up the stack: events of a stream come from the loop. */
static void connection_broke(struct ws_session *s, const char *why)
{
    if (s->state < SESSION_CLOSING)
        log_end(s, 1006, why);
    session_over(s);
}

static void session_ended(void *owner)
{
    connection_broke(owner, "the connection broke");
}

static void session_failed(void *owner, enum stream_fault why)
{
    connection_broke(owner,
                     why == STREAM_STALLED ? "the client takes nothing" : "the connection broke");
}

static void session_closed(void *owner)
{
    struct ws_session *s = owner;
    if (s->prev)
        s->prev->next = s->next;
    else
        s->api->sessions = s->next;
    if (s->next)
        s->next->prev = s->prev;
    s->api->count--;
    mgi_free(s);
}

static const struct stream_events session_events = {
    .bytes = session_bytes,
    .drained = session_drained,
    .ended = session_ended,
    .failed = session_failed,
    .closed = session_closed,
};

/* ---- deadlines --------------------------------------------------------------------------- */

/* It has said something that was not looked at, or waits for an answer. */
static bool is_at_work(const struct ws_session *s)
{
    return s->state < SESSION_CLOSING &&
           (messages_waiting(s) > 0 || (!s->stranger && mgi_ws_in_message(&s->codec)) ||
            mgi_peer_waits(s->peer) || is_held_up(s) || mgi_stream_has_bytes(s->stream));
}

static void life_passed(struct deadline *d)
{
    struct ws_session *s = (struct ws_session *)((char *)d - offsetof(struct ws_session, life));
    bool gives_way = d->at_ms > mgi_net_now_ms(net_of(s));
    if (gives_way && is_at_work(s)) {
        mgi_net_deadline_set(mgi_stream_group(s->stream), d, d->kind);
        return;
    }
    bool now = gives_way || s->state == SESSION_CLOSING;
    if (gives_way)
        close_with(s, WS_TRY_LATER, "the server needs the connection for others");
    else
        close_with(s, WS_POLICY, "nobody logged in");
    if (now)
        session_over(s);
}

static void ping_passed(struct deadline *d)
{
    struct ws_session *s = (struct ws_session *)((char *)d - offsetof(struct ws_session, ping));
    bool deaf = is_held_up(s); /* we do not hear its pongs: the WRITE deadline watches it */
    if (s->pinged && !deaf) {
        log_end(s, 1006, "no answer to a ping");
        session_over(s);
        return;
    }
    if (!deaf) {
        send_control(s, WS_OP_PING, (struct str){ NULL, 0 }); /* P-WS-10 */
        s->pinged = true;
    }
    mgi_net_deadline_set(mgi_stream_group(s->stream), &s->ping, DEADLINE_PING);
}

static void message_passed(struct deadline *d)
{
    struct ws_session *s = (struct ws_session *)((char *)d - offsetof(struct ws_session, message));
    close_with(s, WS_POLICY, "a message did not come to its end in time");
    settle(s);
}

/* ---- beginning and end ------------------------------------------------------------------- */

static void link_session(struct ws_session *s)
{
    struct ws_api *api = s->api;
    s->next = api->sessions;
    if (s->next)
        s->next->prev = s;
    api->sessions = s;
    api->count++;
}

/* A session may outlive the certificate that it was begun with. 0: it was not. */
static int64_t certificate_ends(const struct stream *stream, const struct principal *who)
{
    const struct stream_tls *tls = who && who->by_certificate ? mgi_stream_tls(stream) : NULL;
    return tls && tls->client ? tls->client->expires_ns : 0;
}

/* Whoever has shown nothing has a session, at least: what is found in it is found in no other. A
 * reference; NULL when memory is short. */
static const struct principal *name_stranger(const struct stream *stream)
{
    char place[STREAM_PLACE_BYTES], hex[2 * SESSION_NAME_BYTES + 1];
    uint8_t name[SESSION_NAME_BYTES];
    if (!mgi_random(name, sizeof name))
        return NULL;
    mgi_hex(name, sizeof name, hex);
    mgi_stream_place(stream, place);
    return mgi_principal_stranger(str_of(place), str_of(hex));
}

static struct ws_session *session_new(struct ws_api *api, struct stream *stream,
                                      const struct principal *who, struct str token)
{
    const struct ws_options *o = &api->options;
    char place[STREAM_PLACE_BYTES];
    mgi_stream_place(stream, place);
    struct ws_session *s = mgi_calloc(1, sizeof *s);
    struct peer_options peer = {
        .transport = &ws_table,
        .connection = s,
        .auth_required = o->auth_required,
        .who = who,
        .who_until_ns = certificate_ends(stream, who),
        .token = token,
        .place = place,
    };
    if (!s || !(s->peer = mgi_peer_new(o->server, &peer))) {
        mgi_free(s);
        return NULL;
    }
    s->api = api;
    s->stream = stream;
    s->stranger = o->auth_required && !who;
    mgi_ws_init(&s->codec,
                &(struct ws_codec_options){
                    .role = WS_SERVER,
                    .skip_binary = true,
                    .max_message = s->stranger ? STRANGER_MAX_BYTES : o->max_message_bytes,
                    .max_skipped = 2 * o->max_message_bytes,
                });
    s->life.passed = life_passed;
    s->ping.passed = ping_passed;
    s->message.passed = message_passed;
    s->later.run = session_turn;
    return s;
}

/* Of a stream that nobody has any more. */
static void unheard_bytes(void *owner, struct str bytes)
{
    (void)owner, (void)bytes;
}

static void unheard_end(void *owner)
{
    (void)owner;
}

static void unheard_failure(void *owner, enum stream_fault why)
{
    (void)owner, (void)why;
}

static void unheard_close(void *owner)
{
    (void)owner;
}

static const struct stream_events unheard = {
    .bytes = unheard_bytes, .ended = unheard_end, .failed = unheard_failure, .closed = unheard_close
};

bool mgi_ws_session_begin(struct ws_api *api, struct stream *stream, const struct principal *who,
                          struct str token, struct buf *rest)
{
    bool nameless = who && who->kind == PRINCIPAL_ANONYMOUS;
    const struct principal *self = nameless ? name_stranger(stream) : mgi_principal_ref(who);
    struct ws_session *s = nameless && !self ? NULL : session_new(api, stream, self, token);
    mgi_principal_unref(self);
    if (!s) {
        mgi_stream_own(stream, &unheard, NULL);
        mgi_stream_close(stream);
        return false;
    }
    s->rest = *rest;
    *rest = (struct buf){ 0 };
    link_session(s);
    mgi_stream_own(stream, &session_events, s);
    mgi_net_deadline_set(mgi_stream_group(s->stream), &s->ping, DEADLINE_PING);
    if (s->stranger)
        mgi_net_deadline_set(mgi_stream_group(s->stream), &s->life, DEADLINE_NEW);
    watch_guest(s);
    mgi_peer_greet(s->peer); /* P-WS-1 */
    if (!s->greeted) {       /* who never gets a manifest would wait for ever */
        close_with(s, WS_INTERNAL, "the server ran out of memory");
        both_closed(s);
    }
    settle(s);
    return true;
}

void mgi_ws_session_limit(struct ws_session *s, size_t max_message_bytes)
{
    if (!s->stranger)
        mgi_ws_set_max(&s->codec, max_message_bytes);
    mgi_ws_set_max_skipped(&s->codec, 2 * max_message_bytes);
}

void mgi_ws_session_stop(struct ws_session *s)
{
    if (s->state != SESSION_OPEN)
        return;
    s->state = SESSION_LEAVING;
    mgi_peer_end(s->peer);
    settle(s);
}

void mgi_ws_session_cut(struct ws_session *s)
{
    close_with(s, WS_GOING_AWAY, "the server stops");
    session_over(s);
}

struct ws_session *mgi_ws_session_next(const struct ws_session *s)
{
    return s->next;
}
