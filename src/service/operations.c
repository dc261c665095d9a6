/* The operations pages: /health (this process answers), /ready (requests would be served),
 * /metrics, POST /reload, and POST /confirm, where a person approves what a program asked for.
 *
 * On a loopback listener that no proxy stands in front of, everybody may read the metrics, for they
 * name nobody. Elsewhere they need a credential whose permissions include "operator", and /reload
 * always does. /confirm needs the permission "confirm", and another credential than that which
 * asked. /health and /ready say one word each, to whoever asks where they are served. */
#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"
#include "base/utf8.h"
#include "decision/mask.h"
#include "service/exposition.h"
#include "service/service_int.h"
#include "sys/clock.h"

#define RETRY_MS      1000
#define CONFIRM_BYTES 2048 /* of a body: a challenge, and yes or no */

static void plain_text(struct http_connection *c, int status, const char *text)
{
    struct http_answer a = { .status = status,
                             .content_type = "text/plain; charset=utf-8",
                             .body = str_of(text),
                             .retry_after_ms = status == 503 ? RETRY_MS : 0 };
    mgi_http_answer(c, &a);
}

static void run_health(void *context, struct http_connection *c)
{
    (void)context;
    plain_text(c, 200, "ok\n");
}

static void run_ready(void *context, struct http_connection *c)
{
    struct service_listener *l = context;
    enum server_status status = mgi_server_status(l->service->server);
    char text[32];
    snprintf(text, sizeof text, "%s\n", mgi_server_status_name(status));
    plain_text(c, status == SERVER_READY || status == SERVER_DEGRADED ? 200 : 503, text);
}

/* ---- metrics --------------------------------------------------------------------------------- */

void mgi_service_metrics(manglecp_service *s, struct service_metrics *out)
{
    *out = (struct service_metrics){
        .counts = &s->counts,
        .status = mgi_server_status(s->server),
        .version = MANGLECP_VERSION,
        .rules_version = s->snapshot->rules_version,
        .started_real_ns = s->started_ns,
        .bytes_held = s->net->budget.used,
        .bytes_limit = s->net->budget.limit,
        .reloads = s->reloads,
        .reload_failures = s->reload_failures,
        .reloaded_real_ns = s->loaded_ns,
        .store_bytes = mgi_store_is_open(&s->store) ? mgi_store_bytes(&s->store) : 0,
        .log_lines_lost = atomic_load_explicit(&s->sink.lost_ever, memory_order_relaxed),
    };
    if (s->decisions)
        mgi_decision_log_state(s->decisions, &out->decisions);
    if (s->journal)
        mgi_journal_stats(s->journal, &out->journal);
    mgi_server_metrics(s->server, &out->server);
    for (const struct service_listener *l = s->listeners; l; l = l->next)
        if (l->http) {
            out->connections += mgi_http_connections(l->http);
            out->listeners++;
        }
}

static bool refuse_without(struct http_connection *c, const char *permission)
{
    char details[64], message[96];
    if (mgi_principal_may(mgi_http_who(c), permission))
        return false;
    snprintf(details, sizeof details, "{\"required_permissions\":[\"%s\"]}", permission);
    snprintf(message, sizeof message, "This needs a credential whose permissions include %s.",
             permission);
    mgi_http_error(c, WIRE_AUTH_INSUFFICIENT, details, message);
    return true;
}

static void run_metrics(void *context, struct http_connection *c)
{
    struct service_listener *l = context;
    struct service_metrics m;
    struct buf text = { 0 };
    if (l->operations[2].needs_credential && refuse_without(c, "operator"))
        return;
    mgi_service_metrics(l->service, &m);
    mgi_metrics_print(&text, &m);
    if (text.oom) {
        mgi_http_error(c, WIRE_INTERNAL_ERROR, NULL, "The server ran out of memory.");
    } else {
        struct http_answer a = { .status = 200,
                                 .content_type = EXPOSITION_CONTENT_TYPE,
                                 .body = mgi_buf_view(&text),
                                 .may_pack = true };
        mgi_http_answer(c, &a);
    }
    mgi_buf_fini(&text);
}

/* ---- reload ---------------------------------------------------------------------------------- */

static void waiter_gone(void *context)
{
    struct reload_waiter *w = context;
    w->connection = NULL;
}

static void run_reload(void *context, struct http_connection *c)
{
    struct service_listener *l = context;
    manglecp_service *s = l->service;
    if (refuse_without(c, "operator"))
        return;
    if (s->life != LIFE_BOOTING && s->life != LIFE_SERVING) {
        plain_text(c, 503, "the server is stopping\n");
        return;
    }
    for (size_t i = 0; i < RELOAD_WAITERS_MAX; i++) {
        struct reload_waiter *w = &s->waiters[i];
        if (w->connection)
            continue;
        w->connection = c;
        w->asked = false;
        mgi_http_wait(c, waiter_gone, w);
        s->events->reload(s);
        return;
    }
    mgi_http_error(c, WIRE_RATE_LIMITED, NULL, "Too many callers wait for a reload.");
}

void mgi_service_answer_reloads(manglecp_service *s, bool good, struct str text)
{
    struct buf body = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &body, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_bool(&w, "reloaded", good);
    mgi_jw_member_str(&w, "text", text);
    mgi_jw_end_object(&w);
    for (size_t i = 0; i < RELOAD_WAITERS_MAX; i++) {
        struct reload_waiter *waiter = &s->waiters[i];
        struct http_connection *c = waiter->connection;
        if (!c || !waiter->asked)
            continue;
        waiter->connection = NULL;
        struct http_answer a = { .status = good ? 200 : 422, .body = mgi_buf_view(&body) };
        if (body.oom)
            mgi_http_error(c, WIRE_INTERNAL_ERROR, NULL, "The server ran out of memory.");
        else
            mgi_http_answer(c, &a);
    }
    mgi_buf_fini(&body);
}

/* ---- confirm ----------------------------------------------------------------------------------
 */

/* {"challenge": C} asks, {"challenge": C, "approve": true or false} decides. */
struct verdict {
    struct str challenge;
    bool decides, approve;
};

static bool read_decision(struct arena *arena, struct str body, struct verdict *out)
{
    struct json json;
    if (mgi_json_parse(arena, body, NULL, &json, NULL) != JSON_OK)
        return false;
    const struct json *challenge = mgi_json_get(&json, "challenge");
    const struct json *approve = mgi_json_get(&json, "approve");
    if (!challenge || challenge->type != JSON_STRING || (approve && approve->type != JSON_BOOL))
        return false;
    *out = (struct verdict){ challenge->string, approve != NULL, approve && approve->boolean };
    return true;
}

/* v1.<issued>.<id>.<tag>: a challenge has the id of the invocation that asked (invoke/confirm.c).
 */
static struct str asked_as(struct str challenge)
{
    struct str rest = challenge;
    for (int i = 0; i < 2 && rest.len > 0; i++) {
        const char *dot = memchr(rest.ptr, '.', rest.len);
        size_t skipped = dot ? (size_t)(dot - rest.ptr) + 1 : rest.len;
        rest = (struct str){ rest.ptr + skipped, rest.len - skipped };
    }
    const char *end = rest.len > 0 ? memchr(rest.ptr, '.', rest.len) : NULL;
    return (struct str){ rest.ptr, end ? (size_t)(end - rest.ptr) : rest.len };
}

static struct str shown_text(const struct json *shown, const char *name)
{
    const struct json *v = mgi_json_get(shown, name);
    return v && v->type == JSON_STRING ? v->string : STR_LIT("");
}

/* Who agreed to what, and for whom: an auditor asks, and finds it in either log. */
static void note_decision(manglecp_service *s, struct arena *arena, const struct principal *by,
                          const struct verdict *d, struct str shown, bool given)
{
    struct json asked = { .type = JSON_NULL };
    (void)mgi_json_parse(arena, shown, NULL, &asked, NULL); /* without memory less is told */
    struct principal asker = { .identity = shown_text(&asked, "who") };
    struct decision_consent c = { .challenge = asked_as(d->challenge),
                                  .tool = shown_text(&asked, "tool"),
                                  .asker = asker.identity,
                                  .approve = d->approve,
                                  .given = given };
    mgi_log(&s->log, LOG_INFO, "invocation %s: \"%s\" for \"%s\" is %s by \"%s\"",
            mgi_show(arena, c.challenge, 64), mgi_show(arena, c.tool, 128),
            mgi_show(arena, mgi_mask_identity(s->snapshot, &asker), 128),
            given        ? "approved"
            : d->approve ? "approved too late: it was refused before;"
                         : "refused",
            mgi_show(arena, mgi_mask_identity(s->snapshot, by), 128));
    mgi_service_record_consent(s, by, shown_text(&asked, "macro_id"), &c);
}

static enum approval decide(manglecp_service *s, struct arena *arena, const struct principal *by,
                            const struct verdict *d, struct buf *shown)
{
    int64_t now_ns = mgi_server_now_ns(s->server);
    enum approval state = mgi_approvals_look(s->approvals, by, d->challenge, now_ns, shown);
    if (!d->decides || state == APPROVAL_UNKNOWN || state == APPROVAL_OWN)
        return state;
    state = mgi_approvals_decide(s->approvals, by, d->challenge, d->approve, now_ns);
    if (state == APPROVAL_GIVEN || state == APPROVAL_REFUSED)
        note_decision(s, arena, by, d, mgi_buf_view(shown), state == APPROVAL_GIVEN);
    return state;
}

static void answer_confirm(struct http_connection *c, enum approval state, struct str shown)
{
    static const char *const names[] = { [APPROVAL_WAITING] = "waiting",
                                         [APPROVAL_GIVEN] = "approved",
                                         [APPROVAL_REFUSED] = "refused" };
    struct buf body = { 0 };
    struct json_writer w;
    if (state == APPROVAL_UNKNOWN) {
        mgi_http_error(c, WIRE_X_NOT_FOUND, NULL,
                       "No such challenge waits here: its time is over, or newer ones took its "
                       "place.");
        return;
    }
    if (state == APPROVAL_OWN) {
        mgi_http_error(c, WIRE_AUTH_INSUFFICIENT, NULL,
                       "The credential that asked for it does not approve it.");
        return;
    }
    mgi_json_writer_init(&w, &body, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "state", names[state]);
    mgi_jw_key(&w, "request");
    mgi_jw_raw(&w, shown);
    mgi_jw_end_object(&w);
    struct http_answer a = { .status = 200, .body = mgi_buf_view(&body) };
    if (body.oom)
        mgi_http_error(c, WIRE_INTERNAL_ERROR, NULL, "The server ran out of memory.");
    else
        mgi_http_answer(c, &a);
    mgi_buf_fini(&body);
}

static void run_confirm(void *context, struct http_connection *c)
{
    struct service_listener *l = context;
    struct verdict d;
    struct arena arena;
    struct buf shown = { 0 };
    if (refuse_without(c, "confirm"))
        return;
    mgi_arena_init(&arena, 0);
    if (!read_decision(&arena, mgi_http_body(c), &d)) {
        mgi_http_error(c, WIRE_MALFORMED_MESSAGE, NULL,
                       "An object is expected: challenge, a string, and perhaps approve, true or "
                       "false.");
    } else {
        enum approval state = decide(l->service, &arena, mgi_http_who(c), &d, &shown);
        if (shown.oom)
            mgi_http_error(c, WIRE_INTERNAL_ERROR, NULL, "The server ran out of memory.");
        else
            answer_confirm(c, state, mgi_buf_view(&shown));
    }
    mgi_buf_fini(&shown);
    mgi_arena_fini(&arena);
}

/* ---- the rows -------------------------------------------------------------------------------- */

#define CONFIRM_ROW                                                                                \
    {                                                                                              \
        .path = "/confirm", .method = "POST", .content_type = "application/json",                  \
        .max_body = CONFIRM_BYTES, .run = run_confirm, .needs_credential = true                    \
    }

bool mgi_service_add_confirm(struct service_listener *l)
{
    l->operations[0] = (struct http_route)CONFIRM_ROW;
    return mgi_http_add(l->http, l->operations, 1, l);
}

bool mgi_service_add_operations(struct service_listener *l)
{
    bool open = l->address.is_loopback && !l->config.behind_tls_proxy;
    const struct http_route rows[] = {
        { .path = "/health", .run = run_health, .any_host = true },
        { .path = "/ready", .run = run_ready, .any_host = true },
        { .path = "/metrics", .run = run_metrics, .needs_credential = !open },
        { .path = "/reload", .method = "POST", .run = run_reload, .needs_credential = true },
        CONFIRM_ROW,
    };
    memcpy(l->operations, rows, sizeof rows);
    return mgi_http_add(l->http, l->operations, sizeof rows / sizeof *rows, l);
}
