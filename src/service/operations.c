/* The operations pages: /health (this process answers), /ready (requests would be served),
 * /metrics, and POST /reload.
 *
 * On a loopback listener that no proxy stands in front of, everybody may read the metrics, for they
 * name nobody. Elsewhere they need a credential whose permissions include "operator", and /reload
 * always does. /health and /ready say one word each, to whoever asks where they are served. */
#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"
#include "service/exposition.h"
#include "service/service_int.h"
#include "sys/clock.h"

#define RETRY_MS 1000

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
    mgi_server_metrics(s->server, &out->server);
    for (const struct service_listener *l = s->listeners; l; l = l->next)
        if (l->http) {
            out->connections += mgi_http_connections(l->http);
            out->listeners++;
        }
}

/* Has the caller this permission? Anonymous callers have none. */
static bool may_operate(const struct http_connection *c)
{
    const struct principal *who = mgi_http_who(c);
    for (size_t i = 0; who && i < who->permission_count; i++)
        if (str_is(who->permissions[i], "operator"))
            return true;
    return false;
}

static bool refuse_stranger(struct http_connection *c)
{
    if (may_operate(c))
        return false;
    mgi_http_error(c, WIRE_AUTH_INSUFFICIENT, "{\"required_permissions\":[\"operator\"]}",
                   "This needs a credential whose permissions include operator.");
    return true;
}

static void run_metrics(void *context, struct http_connection *c)
{
    struct service_listener *l = context;
    struct service_metrics m;
    struct buf text = { 0 };
    if (l->operations[2].needs_credential && refuse_stranger(c))
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
    if (refuse_stranger(c))
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

/* ---- the rows -------------------------------------------------------------------------------- */

bool mgi_service_add_operations(struct service_listener *l)
{
    bool open = l->address.is_loopback && !l->config.behind_tls_proxy;
    const struct http_route rows[] = {
        { .path = "/health", .run = run_health, .any_host = true },
        { .path = "/ready", .run = run_ready, .any_host = true },
        { .path = "/metrics", .run = run_metrics, .needs_credential = !open },
        { .path = "/reload", .method = "POST", .run = run_reload, .needs_credential = true },
    };
    memcpy(l->operations, rows, sizeof rows);
    return mgi_http_add(l->http, l->operations, sizeof rows / sizeof *rows, l);
}
