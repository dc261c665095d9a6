/* One request, from its bytes to its one terminal message (P-CONC-10).
 *
 *     begin ─parse─> admit ─┬─> authenticate, cancel: done at once
 *                           ├─> intent: WAITING ─> EVALUATING (worker) ─> answer
 *                           └─> invocation: INVOKING (tool pool) ─> answer
 *
 * admit() is the list of gates of protocol.md §1.3 in their order; the first one that fails
 * answers. Large texts are parsed on a worker, because nothing may block the loop. A request whose
 * peer is gone runs to its end (or its cancellation) and answers nobody. */
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/time.h"
#include "base/utf8.h"
#include "server/server_int.h"

#define PARSE_INLINE_BYTES (64 * 1024) /* parsing this much takes about 0.1 ms */
#define SPARE_REQUESTS     32
#define SPARE_ARENA_BYTES  (1024 * 1024) /* a request that grew beyond is not kept warm */
#define NOT_READY_RETRY_MS 1000
#define MAX_FAILED_LOGINS  3

static const struct str no_id = { NULL, 0 };

/* ---- making and unmaking ----------------------------------------------------------------- */

static struct request *request_new(struct peer *peer)
{
    struct server *s = peer->server;
    struct request *r = s->spare;
    if (r) {
        s->spare = r->queue_next;
        s->spare_count--;
    } else {
        r = mgi_calloc(1, sizeof *r);
        if (!r)
            return NULL;
        mgi_arena_init(&r->arena, 0);
    }
    r->server = s;
    r->peer = peer;
    r->queue_next = NULL;
    r->snapshot = mgi_snapshot_ref(s->snapshot);
    r->begun_ns = (int64_t)uv_hrtime();
    r->next = peer->open;
    if (r->next)
        r->next->prev = r;
    peer->open = r;
    peer->open_count++;
    s->open_requests++;
    return r;
}

void mgi_request_free(struct request *r)
{
    mgi_buf_fini(&r->answer);
    mgi_arena_fini(&r->arena);
    mgi_free(r);
}

/* Back to the spare list, with its arena emptied but warm. */
static void request_recycle(struct server *s, struct request *r)
{
    mgi_snapshot_unref(r->snapshot);
    if (s->spare_count >= SPARE_REQUESTS || r->arena.high_water > SPARE_ARENA_BYTES ||
        r->answer.cap > SPARE_ARENA_BYTES) {
        mgi_request_free(r);
        return;
    }
    struct arena arena = r->arena;
    struct buf answer = r->answer;
    mgi_arena_reset(&arena);
    mgi_buf_clear(&answer);
    *r = (struct request){ .arena = arena, .answer = answer, .queue_next = s->spare };
    s->spare = r;
    s->spare_count++;
}

/* ---- answering --------------------------------------------------------------------------- */

static enum message_type answer_type(enum message_type request)
{
    switch (request) {
    case MSG_INTENT_REQUEST:
        return MSG_INTENT_RESPONSE;
    case MSG_INVOKE_REQUEST:
        return MSG_INVOKE_RESPONSE;
    default:
        return MSG_AUTHENTICATE_RESPONSE;
    }
}

static void log_request(const struct request *r)
{
    char id[80];
    struct buf shown = { 0 };
    mgi_utf8_show(&shown, mgi_utf8_prefix(r->envelope.id, 64));
    snprintf(id, sizeof id, "%.*s", STR_ARG(mgi_buf_view(&shown)));
    mgi_buf_fini(&shown);
    int64_t us = ((int64_t)uv_hrtime() - r->begun_ns) / 1000;
    mgi_log(&r->server->log, LOG_INFO, "%s %s id=%s %s %" PRId64 " us", r->peer->transport->name,
            mgi_message_type_name(r->envelope.type), id[0] ? id : "-",
            r->error.code == WIRE_OK ? "ok" : mgi_wire_code(r->error.code)->name, us);
}

/* The terminal message: r->error if its code is set, else r->answer as the payload. */
static void answer(struct request *r)
{
    struct peer *peer = r->peer;
    struct server *s = r->server;
    log_request(r);
    if (!peer->gone) {
        struct buf text = { 0 };
        int status = 200;
        if (r->error.code == WIRE_OK) {
            struct json_writer w;
            mgi_json_writer_init(&w, &text, 0);
            mgi_envelope_begin(&w, answer_type(r->envelope.type), r->envelope.id);
            mgi_jw_raw(&w, mgi_buf_view(&r->answer));
            mgi_envelope_end(&w);
        }
        if (r->error.code != WIRE_OK || text.oom || r->answer.oom) {
            static const struct wire_error broken = {
                WIRE_INTERNAL_ERROR, "The server ran out of memory.", { NULL, 0 }, -1
            };
            const struct wire_error *e = r->error.code != WIRE_OK ? &r->error : &broken;
            mgi_buf_clear(&text);
            mgi_envelope_error(&text, r->envelope.id, e);
            status = mgi_wire_code(e->code)->http_status;
        }
        if (!text.oom)
            peer->transport->send(peer->connection, mgi_buf_view(&text), status, true,
                                  r->error.code == WIRE_OK ? -1 : r->error.retry_after_ms);
        mgi_buf_fini(&text);
    }
    mgi_peer_request_done(peer, r); /* may free the peer */
    request_recycle(s, r);
    mgi_server_request_done(s);
}

static void answer_error(struct request *r, enum wire_code code, const char *details,
                         const char *message)
{
    r->error = (struct wire_error){ .retry_after_ms = -1 };
    mgi_wire_error(&r->error, &r->arena, code, "%s", message);
    if (details)
        r->error.details = mgi_arena_str(&r->arena, str_of(details));
    answer(r);
}

/* ---- invocations ------------------------------------------------------------------------- */

static void invocation_progress(void *context, const char *status, struct str detail,
                                double percent)
{
    struct request *r = context;
    if (r->peer->gone)
        return;
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_envelope_begin(&w, MSG_PROGRESS, r->envelope.id);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "status", status);
    if (detail.len > 0)
        mgi_jw_member_str(&w, "detail", detail);
    if (percent >= 0)
        mgi_jw_member_int(&w, "percent", (int64_t)percent);
    mgi_jw_end_object(&w);
    mgi_envelope_end(&w);
    if (!text.oom)
        r->peer->transport->send(r->peer->connection, mgi_buf_view(&text), 200, false, -1);
    mgi_buf_fini(&text);
}

static void invocation_done(void *context, struct str payload, const struct wire_error *e)
{
    struct request *r = context;
    r->invocation = NULL;
    if (e && e->code != WIRE_OK) {
        r->error = *e; /* borrowed during this call, and answered within it */
    } else {
        mgi_buf_str(&r->answer, payload);
    }
    answer(r);
}

static void begin_invocation(struct request *r)
{
    struct server *s = r->server;
    uint8_t random[16];
    char id[33];
    if (!mgi_random(random, sizeof random)) {
        answer_error(r, WIRE_INTERNAL_ERROR, NULL, "The server has no randomness.");
        return;
    }
    mgi_hex(random, sizeof random, id);
    struct invoke_call call = {
        .loop = s->options.loop,
        .snapshot = r->snapshot,
        .who = r->peer->who,
        .payload = r->envelope.payload,
        .request_id = r->envelope.id,
        .clock_ns = mgi_server_now_ns(s),
        .store = s->options.store,
        .keys = s->options.keys,
        .pool = s->options.pool,
        .log = &s->log,
        .invocation_id = { id, 32 },
        .wants_progress = r->peer->transport->session,
        .progress = invocation_progress,
        .done = invocation_done,
        .context = r,
    };
    r->state = REQUEST_INVOKING;
    r->invocation = mgi_invoke_start(&call, &r->arena, &r->error);
    if (!r->invocation)
        answer(r);
}

/* ---- intents ----------------------------------------------------------------------------- */

static int64_t monotonic_ns(void *context)
{
    (void)context;
    return (int64_t)uv_hrtime();
}

static void evaluate(uv_work_t *work)
{
    struct request *r = work->data;
    mgi_intent_evaluate(r->worker, &r->call, &r->arena, &r->answer, &r->error);
}

static void evaluated(uv_work_t *work, int status)
{
    struct request *r = work->data;
    struct server *s = r->server;
    s->workers[s->idle_count++] = r->worker;
    r->worker = NULL;
    if (status != 0 && r->error.code == WIRE_OK)
        mgi_wire_error(&r->error, &r->arena, WIRE_CANCELLED, "The request was cancelled.");
    answer(r);
    mgi_server_dispatch(s);
}

void mgi_server_dispatch(struct server *s)
{
    while (s->idle_count > 0 && s->waiting_first) {
        struct request *r = s->waiting_first;
        s->waiting_first = r->queue_next;
        if (!s->waiting_first)
            s->waiting_last = NULL;
        r->queue_next = NULL;
        r->state = REQUEST_EVALUATING;
        r->worker = s->workers[--s->idle_count];
        r->call = (struct intent_call){
            .snapshot = r->snapshot,
            .who = r->peer->who,
            .payload = r->envelope.payload,
            .clock_ns = mgi_server_now_ns(s),
            .mono = monotonic_ns,
            .cancel = &r->cancel,
            .store = s->options.store,
        };
        r->work.data = r;
        if (uv_queue_work(s->options.loop, &r->work, evaluate, evaluated) != 0) {
            s->workers[s->idle_count++] = r->worker;
            answer_error(r, WIRE_INTERNAL_ERROR, NULL, "The server could not start a worker.");
        }
    }
}

static void begin_intent(struct request *r)
{
    struct server *s = r->server;
    r->state = REQUEST_WAITING;
    if (s->waiting_last)
        s->waiting_last->queue_next = r;
    else
        s->waiting_first = r;
    s->waiting_last = r;
    mgi_server_dispatch(s);
}

static bool take_from_queue(struct server *s, struct request *wanted)
{
    struct request *before = NULL;
    for (struct request *r = s->waiting_first; r; before = r, r = r->queue_next) {
        if (r != wanted)
            continue;
        if (before)
            before->queue_next = r->queue_next;
        else
            s->waiting_first = r->queue_next;
        if (s->waiting_last == r)
            s->waiting_last = before;
        r->queue_next = NULL;
        return true;
    }
    return false;
}

/* ---- authenticate, cancel ---------------------------------------------------------------- */

static void write_login(struct buf *out, const struct principal *who)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "status", "authenticated");
    mgi_jw_member_str(&w, "identity", who->identity);
    mgi_jw_key(&w, "permissions");
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < who->permission_count; i++)
        mgi_jw_string(&w, who->permissions[i]);
    mgi_jw_end_array(&w);
    if (who->automated) {
        mgi_jw_member_cstr(&w, "trust_level", "automated");
        mgi_jw_key(&w, "auto_confirm_effects");
        mgi_jw_begin_array(&w);
        for (size_t i = 0; i < who->auto_confirm_count; i++)
            mgi_jw_string(&w, who->auto_confirm[i]);
        mgi_jw_end_array(&w);
    }
    mgi_jw_end_object(&w);
}

static void login_failed(struct request *r, const char *reason)
{
    struct peer *peer = r->peer;
    char details[80];
    snprintf(details, sizeof details, "{\"reason\":\"%s\",\"schemes\":[\"bearer\"]}", reason);
    bool too_often = ++peer->failed_logins >= MAX_FAILED_LOGINS && peer->transport->remote;
    answer_error(r, WIRE_AUTH_INVALID, details, "The credentials were not accepted.");
    if (too_often && !peer->gone)
        peer->transport->close(peer->connection, "too many failed logins");
}

static void authenticate(struct request *r)
{
    struct shape shape;
    mgi_shape_init(&shape, &r->arena);
    const struct json *scheme = mgi_json_get(r->envelope.payload, "scheme");
    const struct json *token = mgi_json_get(r->envelope.payload, "token");
    if (!scheme || scheme->type != JSON_STRING)
        mgi_shape_fault(&shape, "/scheme", "a string is required");
    if (!token || token->type != JSON_STRING || token->string.len == 0)
        mgi_shape_fault(&shape, "/token", "a non-empty string is required");
    bool bad = mgi_shape_failed(&shape, &r->error);
    mgi_shape_fini(&shape);
    if (bad || !scheme || !token) {
        answer(r);
        return;
    }
    if (!str_is(scheme->string, "bearer")) {
        login_failed(r, "scheme");
        return;
    }
    const struct principal *who = NULL;
    switch (mgi_auth_check(r->server->options.auth, token->string, mgi_server_now_ns(r->server),
                           &who)) {
    case AUTH_GOOD:
        r->peer->who = who;
        r->peer->failed_logins = 0;
        write_login(&r->answer, who);
        answer(r);
        return;
    case AUTH_EXPIRED:
        login_failed(r, "expired");
        return;
    case AUTH_REJECTED:
        login_failed(r, "rejected");
        return;
    }
}

void mgi_request_cancel(struct request *r, bool connection_lost)
{
    switch (r->state) {
    case REQUEST_PARSING:
    case REQUEST_EVALUATING:
        __atomic_store_n(&r->cancel, 1, __ATOMIC_RELAXED); /* a worker reads it */
        return;
    case REQUEST_WAITING:
        if (take_from_queue(r->server, r)) {
            answer_error(r, WIRE_CANCELLED, NULL, "The request was cancelled.");
            return;
        }
        __atomic_store_n(&r->cancel, 1, __ATOMIC_RELAXED); /* a worker reads it */
        return;
    case REQUEST_INVOKING:
        /* A lost HTTP connection stops only what has no effects (T-MCP-29). */
        if (r->invocation &&
            (!connection_lost || r->peer->transport->session || mgi_invoke_harmless(r->invocation)))
            mgi_invoke_cancel(r->invocation);
        return;
    }
}

/* A cancel has no answer of its own unless its payload is malformed (D-24). */
static void cancel(struct request *r)
{
    const struct json *target = mgi_json_get(r->envelope.payload, "request_id");
    struct peer *peer = r->peer;
    if (!target || target->type != JSON_STRING || target->string.len == 0) {
        r->envelope.id = no_id;
        answer_error(r, WIRE_MALFORMED_MESSAGE,
                     "{\"reason\":\"payload\",\"violations\":[{\"path\":\"/request_id\","
                     "\"message\":\"a non-empty string is required\"}]}",
                     "A cancel message must name the request to cancel in request_id.");
        return;
    }
    struct request *found = NULL;
    for (struct request *other = peer->open; other; other = other->next)
        if (other != r && str_eq(other->envelope.id, target->string))
            found = other;
    struct server *s = r->server;
    if (found)
        mgi_request_cancel(found, false);
    mgi_peer_request_done(peer, r);
    request_recycle(s, r);
    mgi_server_request_done(s);
}

/* ---- the gates --------------------------------------------------------------------------- */

static bool id_is_open(const struct request *r)
{
    for (const struct request *other = r->peer->open; other; other = other->next)
        if (other != r && other->envelope.id.ptr && str_eq(other->envelope.id, r->envelope.id))
            return true;
    return false;
}

/* Gate 5, second half: the type must suit endpoint and transport (D-9). */
static const char *expected_types(const struct request *r)
{
    enum message_type type = r->envelope.type;
    switch (r->endpoint) {
    case ENDPOINT_INTENT:
        return type == MSG_INTENT_REQUEST ? NULL : "[\"intent_request\"]";
    case ENDPOINT_INVOKE:
        return type == MSG_INVOKE_REQUEST ? NULL : "[\"invoke_request\"]";
    case ENDPOINT_SESSION:
        break;
    }
    return NULL;
}

static bool admit_type(struct request *r)
{
    const char *expected = expected_types(r);
    if (!expected)
        return true;
    char details[160];
    snprintf(details, sizeof details, "{\"type\":\"%s\",\"expected\":%s}",
             mgi_message_type_name(r->envelope.type), expected);
    answer_error(r, WIRE_INVALID_TYPE, details,
                 "This endpoint does not take messages of this type.");
    return false;
}

static bool admit_identity(struct request *r)
{
    struct peer *peer = r->peer;
    if (!peer->who) {
        answer_error(r, WIRE_AUTH_REQUIRED, "{\"schemes\":[\"bearer\"]}",
                     "This server requires authentication.");
        return false;
    }
    if (peer->who->expires_ns <= mgi_server_now_ns(r->server)) {
        answer_error(r, WIRE_AUTH_INVALID, "{\"reason\":\"expired\",\"schemes\":[\"bearer\"]}",
                     "The credentials have expired.");
        return false;
    }
    return true;
}

static bool admit_ready(struct request *r)
{
    if (r->server->status == SERVER_READY || r->server->status == SERVER_DEGRADED)
        return true;
    char details[64];
    snprintf(details, sizeof details, "{\"status\":\"%s\"}",
             mgi_server_status_name(r->server->status));
    r->error = (struct wire_error){ .retry_after_ms = -1 };
    mgi_wire_error(&r->error, &r->arena, WIRE_SERVER_NOT_READY,
                   "The server takes no new requests.");
    r->error.details = mgi_arena_str(&r->arena, str_of(details));
    r->error.retry_after_ms = NOT_READY_RETRY_MS;
    answer(r);
    return false;
}

static bool refuse_rate(struct request *r, int64_t limit, int64_t window_ms, int64_t retry_ms)
{
    char details[96];
    snprintf(details, sizeof details, "{\"limit\":%" PRId64 ",\"window_ms\":%" PRId64 "}", limit,
             window_ms);
    r->error = (struct wire_error){ .retry_after_ms = -1 };
    mgi_wire_error(&r->error, &r->arena, WIRE_RATE_LIMITED, "Too many requests.");
    r->error.details = mgi_arena_str(&r->arena, str_of(details));
    r->error.retry_after_ms = retry_ms;
    answer(r);
    return false;
}

/* The caller's window, made on first use. NULL when memory is short: then nothing is limited. */
static struct rate_window *window_of(struct server *s, const struct principal *who)
{
    for (size_t i = 0; i < s->window_count; i++)
        if (s->windows[i].who == who)
            return &s->windows[i];
    if (!mgi_grow(&s->windows, &s->window_cap, s->window_count + 1, sizeof *s->windows))
        return NULL;
    struct rate_window *w = &s->windows[s->window_count++];
    *w = (struct rate_window){ .who = who, .start_ns = INT64_MIN / 2 };
    return w;
}

static bool admit_rate(struct request *r)
{
    const struct domain_settings *settings = &r->snapshot->settings;
    if (r->peer->open_count > r->server->options.max_open_requests)
        return refuse_rate(r, r->server->options.max_open_requests, 0, 100);
    if (settings->rate_limit <= 0)
        return true;
    struct rate_window *w = window_of(r->server, r->peer->who);
    if (!w)
        return true;
    int64_t window_ns = settings->rate_window_ms * NS_PER_MS;
    if (r->begun_ns - w->start_ns >= window_ns)
        *w = (struct rate_window){ .who = w->who, .start_ns = r->begun_ns };
    if (++w->count <= settings->rate_limit)
        return true;
    int64_t left_ns = window_ns - (r->begun_ns - w->start_ns);
    return refuse_rate(r, settings->rate_limit, settings->rate_window_ms, left_ns / NS_PER_MS + 1);
}

/* Everything after the text has been parsed. */
static void admit(struct request *r)
{
    if (r->peer->refusal.code != WIRE_OK) { /* HTTP: credentials come before the body */
        r->error = r->peer->refusal;
        answer(r);
        return;
    }
    if (!r->parsed_ok) {
        answer(r);
        return;
    }
    if (r->envelope.type != MSG_CANCEL && id_is_open(r)) {
        r->envelope.id = no_id; /* two open requests with one id cannot be told apart (D-3) */
        answer_error(r, WIRE_MALFORMED_MESSAGE, "{\"reason\":\"duplicate_id\"}",
                     "A request with this id is still open.");
        return;
    }
    if (!admit_type(r))
        return;
    if (r->envelope.type == MSG_CANCEL) {
        cancel(r);
        return;
    }
    if (r->envelope.type == MSG_AUTHENTICATE) {
        authenticate(r);
        return;
    }
    if (!admit_identity(r) || !admit_ready(r) || !admit_rate(r))
        return;
    if (r->envelope.type == MSG_INTENT_REQUEST)
        begin_intent(r);
    else
        begin_invocation(r);
}

static void parse(struct request *r)
{
    const struct limits *limits = &r->snapshot->settings.limits;
    r->parsed_ok = mgi_envelope_parse(&r->arena, r->text, (size_t)limits->max_message_bytes,
                                      limits->max_depth, FROM_CLIENT, &r->envelope, &r->error);
}

static void parse_on_worker(uv_work_t *work)
{
    parse(work->data);
}

static void parsed_on_worker(uv_work_t *work, int status)
{
    struct request *r = work->data;
    if (status == 0 && !r->cancel) {
        admit(r);
        return;
    }
    answer_error(r, WIRE_CANCELLED, NULL, "The request was cancelled.");
}

void mgi_request_begin(struct peer *peer, struct str text, enum endpoint endpoint)
{
    struct request *r = request_new(peer);
    if (!r) {
        mgi_peer_fault(peer, WIRE_INTERNAL_ERROR, "memory", "The server ran out of memory.");
        return;
    }
    r->endpoint = endpoint;
    r->error.retry_after_ms = -1;
    r->state = REQUEST_PARSING;
    r->text = mgi_arena_str(&r->arena, text);
    if (!r->text.ptr) {
        answer_error(r, WIRE_INTERNAL_ERROR, NULL, "The server ran out of memory.");
        return;
    }
    r->work.data = r;
    if (text.len > PARSE_INLINE_BYTES &&
        uv_queue_work(peer->server->options.loop, &r->work, parse_on_worker, parsed_on_worker) == 0)
        return;
    parse(r);
    admit(r);
}
