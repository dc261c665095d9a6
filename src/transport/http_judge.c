/* Judging a request when its head is complete: before a byte of its body is kept.
 *
 * The order is that of D-58, with Host and Origin behind the route: route, method, Host, Origin,
 * length, credential, content type and Accept. The first fault is the answer. */
#include <string.h>

#include "transport/http_head.h"
#include "transport/http_int.h"

static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";

/* The fields that are looked at here, from one walk through the head. */
struct fields {
    struct str origin, content_type;
    unsigned origins, content_types, credentials;
    struct http_accept accept;
    bool accepts_gzip;
};

static struct fields read_fields(const struct http1_request *r)
{
    struct fields f = { 0 };
    struct str rest = { NULL, 0 }, name, value;
    while (mgi_http1_field(r, &rest, &name, &value)) {
        if (mgi_http1_same(name, "origin")) {
            f.origin = value;
            f.origins++;
        } else if (mgi_http1_same(name, "content-type")) {
            f.content_type = value;
            f.content_types++;
        } else if (mgi_http1_same(name, "accept")) { /* several lines are one list */
            mgi_http_accept_read(&f.accept, value);
        } else if (mgi_http1_same(name, "accept-encoding")) {
            f.accepts_gzip |= mgi_http_accepts_gzip(value);
        } else if (mgi_http1_same(name, "authorization") || mgi_http1_same(name, HTTP_KEY_FIELD)) {
            f.credentials++;
        }
    }
    return f;
}

static void refuse_http(struct http_connection *c, const char *why)
{
    const struct wire_error e = { WIRE_MALFORMED_MESSAGE, why, STR_LIT("{\"reason\":\"http\"}"),
                                  -1 };
    mgi_http_refuse(c, &e, NULL);
}

static void refuse_plainly(struct http_connection *c, enum wire_code code, const char *why,
                           const char *allow)
{
    const struct wire_error e = { code, why, { NULL, 0 }, -1 };
    mgi_http_refuse(c, &e, allow);
}

/* ---- route and method -------------------------------------------------------------------- */

static const char *method_of(const struct http_route *row)
{
    return row->method ? row->method : "GET";
}

/* HEAD is served by GET. */
static bool serves(const struct http_route *row, struct str method)
{
    const char *own = method_of(row);
    return str_is(method, own) || (str_is(method, "HEAD") && strcmp(own, "GET") == 0);
}

/* The row for path and method, or NULL; *methods gets what the path takes: empty, there is no such
 * path. */
static const struct http_route *find_route(struct http_connection *c, char *methods, size_t cap)
{
    const struct http_listener *l = c->listener;
    const struct http1_request *r = &c->codec.request;
    const struct http_route *found = NULL;
    size_t used = 0;
    methods[0] = '\0';
    for (size_t t = 0; t < l->table_count; t++)
        for (size_t i = 0; i < l->tables[t].count; i++) {
            const struct http_route *row = &l->tables[t].rows[i];
            if (!str_is(r->path, row->path))
                continue;
            const char *own = method_of(row);
            int n = snprintf(methods + used, cap - used, "%s%s%s", used > 0 ? ", " : "", own,
                             strcmp(own, "GET") == 0 ? ", HEAD" : "");
            if (n > 0 && (size_t)n < cap - used)
                used += (size_t)n;
            if (!found && serves(row, r->method)) {
                found = row;
                c->route_context = l->tables[t].context;
            }
        }
    return found;
}

/* ---- Host and Origin --------------------------------------------------------------------- */

static bool host_is_ours(const struct http_listener *l, struct str host)
{
    const struct http_options *o = &l->options;
    if (!host.ptr)
        return false;
    if (mgi_http_host_is_loopback(host) || mgi_http_host_fits(host, l->own_host))
        return true;
    for (size_t i = 0; i < o->host_count; i++)
        if (mgi_http_host_fits(host, o->hosts[i]))
            return true;
    return false;
}

/* A configured origin that is to be echoed is kept in c->origin. */
static bool origin_is_allowed(struct http_connection *c, const struct fields *f)
{
    const struct http_options *o = &c->listener->options;
    if (f->origins > 1)
        return false;
    for (size_t i = 0; i < o->origin_count; i++)
        if (str_is(f->origin, o->origins[i])) {
            c->origin = o->origins[i];
            return true;
        }
    return f->origins == 0 || mgi_http_origin_is_host(f->origin, c->codec.request.host);
}

static bool judge_names(struct http_connection *c, const struct fields *f, const char *methods)
{
    if (!host_is_ours(c->listener, c->codec.request.host)) {
        refuse_http(c, c->listener->loopback ? "The Host header does not name this machine."
                                             : "The Host header does not name this server.");
        return false;
    }
    if (origin_is_allowed(c, f))
        return true;
    if (!c->route && c->listener->options.origin_count == 0) /* a preflight, and nobody may */
        refuse_plainly(c, WIRE_X_METHOD_NOT_ALLOWED, "This path does not take that method.",
                       methods);
    else
        refuse_plainly(c, WIRE_X_ORIGIN_NOT_ALLOWED, "Pages of this origin may not call here.",
                       NULL);
    return false;
}

/* ---- the rest ---------------------------------------------------------------------------- */

size_t mgi_http_body_limit(const struct http_connection *c)
{
    bool kept = c->state == HTTP_BODY && c->refusal.code == WIRE_OK && c->route->max_body > 0;
    return kept ? c->route->max_body : REFUSED_BODY_MAX;
}

void mgi_http_refuse_body(struct http_connection *c)
{
    struct buf details = { 0 };
    c->keep_alive = false;
    if (c->refusal.code != WIRE_OK) { /* too much to look for its id */
        mgi_http_refuse(c, &c->refusal, NULL);
        return;
    }
    mgi_buf_printf(&details, "{\"max_message_bytes\":%zu}", mgi_http_body_limit(c));
    struct wire_error e = { WIRE_MESSAGE_TOO_LARGE, "The body is larger than the limit.",
                            mgi_buf_view(&details), -1 };
    mgi_http_refuse(c, &e, NULL);
    mgi_buf_fini(&details);
}

static bool judge_length(struct http_connection *c)
{
    if (c->codec.request.length <= mgi_http_body_limit(c))
        return true;
    mgi_http_refuse_body(c);
    return false;
}

/* Is the body of a refused request small enough to look for its id? */
static bool may_be_heard(const struct http_connection *c)
{
    const struct http1_request *r = &c->codec.request;
    return c->route->hears_refusals && r->length <= REFUSED_BODY_MAX && r->expect == EXPECT_NOTHING;
}

/* c->who is known, or c->refusal says why not. */
static bool judge_refusal(struct http_connection *c)
{
    bool may_be_nobody = c->route->hears_credential && c->refusal.code == WIRE_AUTH_REQUIRED;
    if (c->who || may_be_nobody) {
        c->refusal.code = WIRE_OK;
    } else if (!may_be_heard(c)) {
        const struct wire_error e = c->refusal;
        mgi_http_refuse(c, &e, NULL);
        return false;
    }
    return true;
}

/* False: it is refused, or takes time. */
static bool judge_credential(struct http_connection *c, const struct fields *f)
{
    const struct http_options *o = &c->listener->options;
    if (!c->route->needs_credential && !c->route->hears_credential)
        return true;
    if (f->credentials > 1) {
        refuse_http(c, "There must be one credential: one Authorization header, or one "
                       "X-MangleCP-API-Key.");
        return false;
    }
    c->who = o->identify(o->context, &c->codec.request, c->stream, &c->refusal);
    if (!c->who && c->refusal.code == WIRE_OK) {
        c->judging = o->judge(o->context, &c->codec.request, c->stream, c, &c->refusal);
        if (c->judging) {
            c->state = HTTP_JUDGING;
            return false;
        }
    }
    return judge_refusal(c);
}

static bool judge_content(struct http_connection *c, const struct fields *f)
{
    if (!c->route->content_type || c->refusal.code != WIRE_OK)
        return true;
    const char *fault = f->content_types > 1 ? "There must be one Content-Type header."
                                             : mgi_http_content_type_fault(f->content_type);
    if (!fault && !mgi_http_accepts_json(&f->accept))
        fault = "The Accept header must allow application/json.";
    if (fault)
        refuse_http(c, fault);
    return !fault;
}

/* A body that is refused goes on to come. Where its end is near, the connection goes on behind it.
 */
static bool ends_soon(const struct http1_request *r)
{
    return !r->chunked && r->length <= REFUSED_BODY_MAX &&
           (r->expect == EXPECT_NOTHING || r->length == 0);
}

static void answer_options(struct http_connection *c, const struct fields *f, const char *methods)
{
    char all[96];
    snprintf(all, sizeof all, "%s, OPTIONS", methods);
    mgi_http_allow(c, all, f->origins > 0);
}

/* Bytes that came meanwhile. */
static size_t waiting_bytes(const struct http_connection *c)
{
    return c->input ? 0 : c->pending.len - c->pending_at;
}

/* Behind the credential. */
static void judge_rest(struct http_connection *c, const struct fields *f)
{
    const struct http1_request *r = &c->codec.request;
    if (!judge_content(c, f))
        return;
    c->keep_alive = c->wants_more;
    if (r->expect == EXPECT_CONTINUE && !r->minor_zero && (!c->input || c->input->len == 0) &&
        waiting_bytes(c) == 0 && (r->chunked || r->length > 0) &&
        !mgi_stream_write(c->stream, &STR_LIT(go_on), 1))
        c->life->close(c);
}

/* What the route judges by itself. */
static bool judge_own(struct http_connection *c, const struct fields *f)
{
    struct http_answer a = { 0 };
    (void)origin_is_allowed(c, f); /* to be echoed */
    if (c->route->judge(c->route_context, &c->codec.request, &a))
        return true;
    mgi_http_refuse_with(c, &a);
    return false;
}

/* Nothing but the fields of the request has been looked at. */
static void judge_route(struct http_connection *c, const struct fields *f)
{
    char methods[80];
    const struct http1_request *r = &c->codec.request;
    bool asks_options = str_is(r->method, "OPTIONS");
    c->route = find_route(c, methods, sizeof methods);
    if (asks_options && str_is(r->path, "*"))
        snprintf(methods, sizeof methods, "GET, HEAD, POST");
    if (methods[0] == '\0') {
        refuse_plainly(c, WIRE_X_NOT_FOUND, "There is nothing at this path.", NULL);
        return;
    }
    if (!c->route && !asks_options) {
        refuse_plainly(c, WIRE_X_METHOD_NOT_ALLOWED, "This path does not take that method.",
                       methods);
        return;
    }
    bool any_host = c->route && (c->route->any_host || c->route->judge);
    if (!any_host && !judge_names(c, f, methods))
        return;
    if (!c->route) {
        answer_options(c, f, methods);
        return;
    }
    if (r->expect == EXPECT_OTHER) {
        refuse_plainly(c, WIRE_X_EXPECTATION_FAILED, "This server meets no such expectation.",
                       NULL);
        return;
    }
    if (c->route->judge && !judge_own(c, f))
        return;
    if (judge_length(c) && judge_credential(c, f))
        judge_rest(c, f);
}

void mgi_http_judged(struct http_connection *c, const struct principal *who,
                     const struct wire_error *refusal)
{
    struct fields f = read_fields(&c->codec.request);
    c->judging = NULL;
    c->who = who;
    c->refusal = *refusal;
    c->state = HTTP_BODY;
    c->has_turn = c->renew = true;
    if (judge_refusal(c))
        judge_rest(c, &f);
    c->life->settle(c);
}

void mgi_http_judge(struct http_connection *c)
{
    const struct http1_request *r = &c->codec.request;
    struct fields f = read_fields(r);
    c->state = HTTP_BODY;
    c->head_only = str_is(r->method, "HEAD");
    c->reads_gzip = f.accepts_gzip;
    c->from_page = f.origins > 0;
    c->old_client = r->minor_zero;
    c->wants_more = r->keep_alive;
    c->keep_alive = r->keep_alive && ends_soon(r);
    judge_route(c, &f);
}

/* How much of the body this request may have. */
