/* What every request begins with: parse and admit. Its text is read, and it passes the gates 3 to 8
 * of protocol.md §1.3 in their order; the first that fails answers. Which list of stages it goes on
 * with is decided here; authenticate and cancel are done at once. */
#include <inttypes.h>
#include <stdio.h>

#include "base/time.h"
#include "server/server_int.h"

#define READ_FACTOR        50 /* a value in two bytes, "1,", takes 40, and 56 more until all are there */
#define NOT_READY_RETRY_MS 1000
#define TOO_MANY_RETRY_MS  100
#define MAX_FAILED_LOGINS  3

static const struct str no_id = { NULL, 0 };

/* ---- parse --------------------------------------------------------------------------------- */

bool mgi_parse_is_brief(const struct request *r)
{
    return r->text.len <= SMALL_REQUEST_BYTES;
}

/* Take what reading may need at most. False: large requests that were read hold all there is. */
static bool take_room(struct request *r)
{
    struct server *s = r->server;
    if (mgi_parse_is_brief(r))
        return true;
    r->read_bytes = READ_FACTOR * r->text.len;
    if (atomic_fetch_add(&s->read_bytes, r->read_bytes) < s->options.max_read_bytes)
        return true;
    atomic_fetch_sub(&s->read_bytes, r->read_bytes);
    r->read_bytes = 0;
    mgi_request_refuse(r);
    return false;
}

/* It is known now what it needed. */
static void give_rest_back(struct request *r, size_t needed)
{
    if (needed >= r->read_bytes)
        return;
    atomic_fetch_sub(&r->server->read_bytes, r->read_bytes - needed);
    r->read_bytes = needed;
}

enum stage_result mgi_stage_parse(struct request *r)
{
    const struct limits *limits = &r->served->snapshot->settings.limits;
    size_t before = r->arena.used;
    if (!take_room(r))
        return STAGE_NEXT; /* told in its turn, as below */
    r->parsed_ok = mgi_envelope_parse(&r->arena, r->text, (size_t)limits->max_message_bytes,
                                      limits->max_depth, FROM_CLIENT, &r->envelope, &r->error);
    if (r->parsed_ok)
        mgi_once_read(r);
    give_rest_back(r, r->arena.used - before);
    return STAGE_NEXT; /* what is wrong is told in its turn: credentials come first */
}

/* ---- authenticate -------------------------------------------------------------------------- */

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

static enum stage_result login_failed(struct request *r, const struct wire_error *why)
{
    bool is_guess = why->code == WIRE_AUTH_INVALID;
    if (is_guess && ++r->peer->failed_logins >= MAX_FAILED_LOGINS && r->peer->transport->remote)
        r->close_why = "too many failed logins"; /* D-55 */
    r->error = *why;
    return STAGE_ANSWER;
}

static enum stage_result login_good(struct request *r, const struct principal *who)
{
    struct peer *peer = r->peer;
    const struct json *token = mgi_json_get(r->envelope.payload, "token");
    bool issued = who->issuer.len > 0 && token;
    if (!mgi_vouch_keep(peer, issued ? token->string : no_id)) {
        const struct wire_error why = mgi_server_refusal(AUTH_UNREACHABLE);
        return login_failed(r, &why);
    }
    mgi_principal_unref(peer->who);
    peer->who = mgi_principal_ref(who);
    peer->who_until_ns = 0; /* it was the end of what it came with */
    peer->revoked = false;
    peer->failed_logins = 0;
    mgi_answer_open(r);
    write_login(&r->answer, who);
    mgi_answer_close(r);
    return STAGE_ANSWER;
}

/* Takes `who`. */
static enum stage_result login_ends(struct request *r, enum auth_result result,
                                    const struct principal *who)
{
    struct wire_error why = mgi_server_refusal(result);
    enum stage_result next = who ? login_good(r, who) : login_failed(r, &why);
    mgi_principal_unref(who);
    return next;
}

static void login_judged(void *context, enum auth_result result, const struct principal *who)
{
    struct request *r = context;
    r->login = NULL;
    mgi_request_resume(r, login_ends(r, result, who));
}

static bool logs_in_already(const struct request *r)
{
    for (const struct request *other = r->peer->open; other; other = other->next)
        if (other != r && other->login)
            return true;
    return false;
}

/* There is room for few logins that have to be judged, for all: a peer has one at a time. */
static enum stage_result login_too_many(struct request *r)
{
    mgi_request_fail(r, WIRE_RATE_LIMITED, "{\"limit\":1}",
                     "Another authenticate message of this session is still being judged.");
    r->error.retry_after_ms = TOO_MANY_RETRY_MS;
    return STAGE_ANSWER;
}

static enum stage_result log_in(struct request *r, struct str scheme, struct str token)
{
    const struct server *s = r->server;
    const struct principal *who = NULL;
    bool is_key = str_is(scheme, "api_key") && mgi_auth_has_keys(s->auth);
    struct wire_error why = mgi_server_refusal(AUTH_REJECTED);
    if (!is_key && !str_is(scheme, "bearer")) {
        why.details = STR_LIT("{\"reason\":\"scheme\",\"schemes\":[\"bearer\"]}");
        return login_failed(r, &why);
    }
    enum auth_result result =
        is_key ? mgi_server_identify_key(s, token, &who) : mgi_server_identify(s, token, &who);
    if (result != AUTH_UNSURE)
        return login_ends(r, result, who);
    if (logs_in_already(r))
        return login_too_many(r);
    r->login = mgi_server_judge(r->server, token, r->peer->place, login_judged, r);
    return r->login ? STAGE_WAIT : login_ends(r, AUTH_UNREACHABLE, NULL);
}

void mgi_cancel_admit(struct request *r)
{
    if (r->vouched)
        mgi_vouch_leave(r);
    else
        mgi_login_forget(r->login);
    r->login = NULL;
    mgi_request_resume(r, STAGE_NEXT); /* which sees that it was cancelled */
}

static enum stage_result authenticate(struct request *r)
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
    if (bad || !scheme || !token)
        return STAGE_ANSWER;
    return log_in(r, scheme->string, token->string);
}

/* ---- cancel -------------------------------------------------------------------------------- */

/* A cancel has no answer of its own unless its payload is malformed (D-24). */
static enum stage_result cancel(struct request *r)
{
    const struct json *target = mgi_json_get(r->envelope.payload, "request_id");
    if (!target || target->type != JSON_STRING || target->string.len == 0) {
        r->envelope.id = no_id;
        return mgi_request_fail(r, WIRE_MALFORMED_MESSAGE,
                                "{\"reason\":\"payload\",\"violations\":[{\"path\":\"/request_id\","
                                "\"message\":\"a non-empty string is required\"}]}",
                                "A cancel message must name the request to cancel in request_id.");
    }
    struct request *found = NULL;
    for (struct request *other = r->peer->open; other; other = other->next)
        if (other != r && !other->parsing && str_eq(other->envelope.id, target->string))
            found = other;
    if (found)
        mgi_request_cancel(found, false);
    return STAGE_OVER;
}

/* ---- the gates --------------------------------------------------------------------------- */

static bool id_is_open(const struct request *r)
{
    for (const struct request *other = r->peer->open; other; other = other->next)
        if (other != r && !other->parsing && other->envelope.id.ptr &&
            str_eq(other->envelope.id, r->envelope.id))
            return true;
    return false;
}

/* Gate 5, second half: the type must suit endpoint and transport (D-9). NULL: it does. */
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

static enum stage_result refuse_type(struct request *r, const char *expected)
{
    char details[160];
    snprintf(details, sizeof details, "{\"type\":\"%s\",\"expected\":%s}",
             mgi_message_type_name(r->envelope.type), expected);
    return mgi_request_fail(r, WIRE_INVALID_TYPE, details,
                            "This endpoint does not take messages of this type.");
}

static bool is_expired(const struct peer *peer)
{
    int64_t now_ns = mgi_server_clock_ns(peer->server);
    return mgi_principal_expired(peer->who, now_ns) ||
           (peer->who_until_ns > 0 && now_ns >= peer->who_until_ns);
}

static bool has_identity(struct request *r)
{
    const struct peer *peer = r->peer;
    if (peer->who && !is_expired(peer))
        return true;
    if (peer->who || peer->revoked)
        mgi_request_fail(r, WIRE_AUTH_INVALID,
                         peer->revoked ? "{\"reason\":\"rejected\",\"schemes\":[\"bearer\"]}"
                                       : "{\"reason\":\"expired\",\"schemes\":[\"bearer\"]}",
                         peer->revoked ? "The credentials are not accepted any more."
                                       : "The credentials have expired.");
    else
        mgi_request_fail(r, WIRE_AUTH_REQUIRED, "{\"schemes\":[\"bearer\"]}",
                         "This server requires authentication.");
    return false;
}

static bool is_ready(struct request *r)
{
    if (!mgi_server_refuses(r->server))
        return true;
    mgi_request_fail(r, WIRE_SERVER_NOT_READY,
                     r->server->draining ? "{\"status\":\"draining\"}" : "{\"status\":\"booting\"}",
                     r->server->draining ? "The server is shutting down and takes no new requests."
                                         : "The server is starting and takes no requests yet.");
    r->error.retry_after_ms = NOT_READY_RETRY_MS;
    return false;
}

static bool refuse_rate(struct request *r, int64_t limit, int64_t window_ms, int64_t retry_ms)
{
    char details[96];
    snprintf(details, sizeof details, "{\"limit\":%" PRId64 ",\"window_ms\":%" PRId64 "}", limit,
             window_ms);
    mgi_request_fail(r, WIRE_RATE_LIMITED, details, "Too many requests.");
    r->error.retry_after_ms = retry_ms;
    return false;
}

static bool is_in_rate(struct request *r)
{
    const struct domain_settings *settings = &r->served->snapshot->settings;
    struct server *s = r->server;
    int64_t retry_ms;
    if (r->peer->open_count > s->options.max_open_requests)
        return refuse_rate(r, s->options.max_open_requests, 0, TOO_MANY_RETRY_MS);
    if (settings->rate_limit <= 0 ||
        mgi_rate_count(s, r->peer->who, settings->rate_limit, settings->rate_window_ms, r->begun_ns,
                       &retry_ms))
        return true;
    return refuse_rate(r, settings->rate_limit, settings->rate_window_ms, retry_ms);
}

static enum stage_result pass_gates(struct request *r)
{
    if (!has_identity(r) || !is_ready(r) || !is_in_rate(r))
        return STAGE_ANSWER;
    r->who = mgi_principal_ref(r->peer->who);
    r->stages =
        r->server->lists[r->envelope.type == MSG_INTENT_REQUEST ? LIST_INTENT : LIST_INVOKE];
    return STAGE_NEXT;
}

enum stage_result mgi_stage_admit(struct request *r)
{
    r->parsing = false;
    if (r->peer->refusal.code != WIRE_OK) { /* HTTP: credentials come before the body */
        r->error = r->peer->refusal;
        return STAGE_ANSWER;
    }
    if (!r->parsed_ok)
        return STAGE_ANSWER;
    if (r->envelope.type != MSG_CANCEL && id_is_open(r)) {
        r->envelope.id = no_id; /* two open requests with one id cannot be told apart (D-3) */
        return mgi_request_fail(r, WIRE_MALFORMED_MESSAGE, "{\"reason\":\"duplicate_id\"}",
                                "A request with this id is still open.");
    }
    const char *expected = expected_types(r);
    if (expected)
        return refuse_type(r, expected);
    if (r->envelope.type == MSG_CANCEL)
        return cancel(r);
    if (r->envelope.type == MSG_AUTHENTICATE)
        return authenticate(r);
    return mgi_vouch(r, pass_gates);
}
