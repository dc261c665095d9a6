/* Requests of the transport become requests of the endpoint, and its answers theirs.
 *
 * A request waits as a struct that both sides know: the endpoint as its tag, the connection as who
 * is told when the client leaves. It goes with the answer, the end of its stream, or the client.
 * What cannot be written while the endpoint speaks is told to it in the next turn of the loop. */
#include "bridge/web.h"

#include <string.h>

#include "base/alloc.h"
#include "base/time.h"
#include "bridge/web_who.h"
#include "mcp/http.h"
#include "net/net.h"
#include "net/tls_front.h"
#include "sys/clock.h"
#include "sys/digest.h"
#include "sys/random.h"
#include "transport/http.h"

#define ROWS       3
#define NAME_BYTES 136

struct bridge_web {
    struct bridge_web_options options;
    struct auth *auth;
    struct net *net;
    struct tls_front tls;
    struct http_options http_options;
    struct http_listener *listener;
    struct mcp_http *http;
    struct http_route rows[ROWS];
    struct arena arena;
    const char **hosts; /* without ports */
    size_t host_count;
    uv_prepare_t before_waiting;
    uv_timer_t tick;
    unsigned handles;  /* of the loop that are open, the net's counting as one */
    int64_t cancel_ms; /* stopping: what runs is cancelled then, so that its client is told */
    bool stopping, cancelled, ended, freed;
};

struct web_request {
    struct bridge_web *web;
    struct http_connection *c; /* NULL: it has left */
    struct bridge_caller *caller;
    struct net_later later; /* it broke */
    bool broken;
};

static int64_t web_now_ms(void *context)
{
    (void)context;
    return mgi_clock_mono_ns() / NS_PER_MS;
}

static bool web_random(void *context, void *bytes, size_t len)
{
    (void)context;
    return mgi_random(bytes, len);
}

/* ---- a request's end --------------------------------------------------------------------------
 */

static void request_free(struct web_request *x)
{
    mgi_net_later_cancel(&x->later);
    mgi_bridge_caller_unref(x->caller);
    mgi_free(x);
}

/* The client has left. */
static void client_gone(void *context)
{
    struct web_request *x = context;
    mgi_mcp_http_gone(x->web->http, x);
    request_free(x);
}

static void request_broke(struct net_later *later)
{
    struct web_request *x =
        (struct web_request *)((char *)later - offsetof(struct web_request, later));
    mgi_http_abandon(x->c);
    client_gone(x);
}

static void break_later(struct web_request *x)
{
    x->broken = true;
    mgi_net_later(x->web->net, &x->later);
}

/* ---- what the endpoint says ------------------------------------------------------------------ */

static bool is_header(const struct mcp_header *h, const char *name)
{
    return mgi_http1_same(h->name, name);
}

/* The transport has fields of its own for some. `fields` outlives *out. */
static void translate(const struct mcp_response *r, struct buf *fields, struct http_answer *out)
{
    *out = (struct http_answer){ .status = r->status, .body = r->body };
    for (size_t i = 0; i < r->header_count; i++) {
        const struct mcp_header *h = &r->headers[i];
        if (is_header(h, "Content-Type"))
            out->content_type =
                str_is(h->value, "text/event-stream") ? "text/event-stream" : "application/json";
        else if (is_header(h, "Cache-Control"))
            out->cache_control = "no-cache, no-transform";
        else
            mgi_buf_printf(fields, "%.*s: %.*s\r\n", STR_ARG(h->name), STR_ARG(h->value));
    }
    out->fields = mgi_buf_view(fields);
}

static void send_answer(void *context, void *tag, const struct mcp_response *r)
{
    (void)context;
    struct web_request *x = tag;
    struct buf fields = { 0 };
    struct http_answer a;
    translate(r, &fields, &a);
    if (fields.oom)
        mgi_http_abandon(x->c);
    else
        mgi_http_answer(x->c, &a);
    mgi_buf_fini(&fields);
    request_free(x);
}

static void open_stream(void *context, void *tag, const struct mcp_response *r)
{
    (void)context;
    struct web_request *x = tag;
    struct buf fields = { 0 };
    struct http_answer a;
    translate(r, &fields, &a);
    if (fields.oom || !mgi_http_stream_begin(x->c, &a))
        break_later(x);
    mgi_buf_fini(&fields);
}

static void write_piece(void *context, void *tag, struct str bytes)
{
    (void)context;
    struct web_request *x = tag;
    if (!x->broken && !mgi_http_stream_write(x->c, bytes))
        break_later(x);
}

static void end_stream(void *context, void *tag)
{
    (void)context;
    struct web_request *x = tag;
    if (x->broken || !mgi_http_stream_end(x->c))
        mgi_http_abandon(x->c);
    request_free(x);
}

/* ---- a request ------------------------------------------------------------------------------- */

static void read_headers(const struct http1_request *head,
                         struct mcp_header headers[HTTP1_FIELDS_MAX], struct mcp_request *r)
{
    struct str rest = { 0 };
    *r = (struct mcp_request){ .method = head->method, .headers = headers };
    while (r->header_count < HTTP1_FIELDS_MAX &&
           mgi_http1_field(head, &rest, &headers[r->header_count].name,
                           &headers[r->header_count].value))
        r->header_count++;
}

static bool judge_head(void *context, const struct http1_request *head, struct http_answer *answer)
{
    const struct bridge_web *w = context;
    struct mcp_header headers[HTTP1_FIELDS_MAX];
    struct mcp_request r;
    const char *why, *allow;
    read_headers(head, headers, &r);
    answer->status = mgi_mcp_http_judge(w->http, &r, head->length, &why, &allow);
    if (!answer->status)
        return true;
    answer->body = str_of(why);
    answer->allow = allow;
    return false;
}

/* Sessions are told apart by their ids, which are long and random: what is made of one here is good
 * for telling works apart, which are their owner's anyway. */
static uint64_t name_connection(const struct http1_request *head)
{
    struct str id = mgi_http1_find(head, "mcp-session-id");
    return id.ptr ? mgi_hash_bytes(id.ptr, id.len, 0) | 1 : 0;
}

static void run_request(void *context, struct http_connection *c)
{
    struct bridge_web *w = context;
    const struct http1_request *head = mgi_http_request(c);
    struct mcp_header headers[HTTP1_FIELDS_MAX];
    struct mcp_request r;
    struct web_request *x = mgi_calloc(1, sizeof *x);
    if (x)
        x->caller = mgi_bridge_caller_new(mgi_http_who(c), name_connection(head));
    if (!x || !x->caller) {
        mgi_free(x);
        mgi_http_error(c, WIRE_INTERNAL_ERROR, NULL, "The server ran out of memory.");
        return;
    }
    x->web = w;
    x->c = c;
    x->later.run = request_broke;
    mgi_http_wait(c, client_gone, x);
    read_headers(head, headers, &r);
    r.body = mgi_http_body(c);
    r.principal = str_of(x->caller->owner);
    r.caller = x->caller;
    r.tag = x;
    r.until_ms = mgi_bridge_web_until(x->caller->who, web_now_ms(NULL));
    mgi_mcp_http_request(w->http, &r);
}

/* What the transport refuses by itself: the body is JSON-RPC all the same (X-HTTP-6). */
static void write_refusal(void *context, struct buf *out, const struct wire_error *e)
{
    (void)context;
    struct buf reason = { 0 };
    mgi_buf_printf(&reason, "{\"reason\":\"%s\"}", mgi_wire_code(e->code)->name);
    mgi_rpc_error(out, NULL, RPC_INVALID_REQUEST, str_of(e->message), mgi_buf_view(&reason));
    out->oom |= reason.oom;
    mgi_buf_fini(&reason);
}

/* ---- who asks -------------------------------------------------------------------------------- */

static const struct principal *identify(void *context, const struct http1_request *r,
                                        const struct stream *s, struct wire_error *refusal)
{
    const struct bridge_web *w = context;
    return mgi_bridge_web_identify(w->auth, r, s, refusal);
}

static const struct principal *who_of(void *tag)
{
    const struct web_request *x = tag;
    return x->caller->who;
}

static void release_who(void *context, const struct principal *who)
{
    (void)context;
    mgi_principal_unref(who);
}

const char *mgi_bridge_web_fault(const struct listener_config *config,
                                 const struct listen_address *address, const struct auth *auth)
{
    if (mgi_auth_has_tokens(auth))
        return NULL;
    if (auth)
        return "the file of credentials lists none";
    if (!address->is_loopback || config->behind_tls_proxy || config->hosts.count > 0)
        return "others than programs of this machine can reach it: it needs credentials";
    return NULL;
}

/* ---- time ------------------------------------------------------------------------------------ */

static void web_tick(uv_timer_t *timer)
{
    struct bridge_web *w = timer->data;
    if (w->stopping && !w->cancelled && web_now_ms(NULL) >= w->cancel_ms) {
        w->cancelled = true;
        mgi_bridge_cancel(w->options.bridge);
    }
    mgi_mcp_http_tick(w->http);
}

static void before_web_waits(uv_prepare_t *prepare)
{
    struct bridge_web *w = prepare->data;
    int64_t due_ms = mgi_mcp_http_next_tick(w->http), now_ms = web_now_ms(NULL);
    if (w->stopping && !w->cancelled && w->cancel_ms < due_ms)
        due_ms = w->cancel_ms;
    if (due_ms == INT64_MAX)
        uv_timer_stop(&w->tick);
    else
        uv_timer_start(&w->tick, web_tick, due_ms > now_ms ? (uint64_t)(due_ms - now_ms) : 0, 0);
}

/* ---- TLS ------------------------------------------------------------------------------------- */

static struct tls_context *load_tls(const struct bridge_web *w, struct buf *why)
{
    const struct listener_config *c = w->options.config;
    struct tls_report report = { 0 };
    struct tls_server_files files = { c->certificate, c->key, c->client_ca, c->client_optional };
    struct tls_context *context = mgi_tls_server_load(&files, mgi_clock_real_ns(), &report);
    if (!context && report.errors.len > 0)
        mgi_tls_report_print(&report, why);
    else if (!context)
        mgi_buf_puts(why, "error: out of memory\n");
    else if (report.warnings.len > 0)
        mgi_log(w->options.log, LOG_WARN, "%.*s",
                STR_ARG(mgi_str_trim(mgi_buf_view(&report.warnings), "\n")));
    mgi_tls_report_fini(&report);
    return context;
}

bool mgi_bridge_web_renew(struct bridge_web *w, struct buf *why)
{
    if (!w->options.config->certificate)
        return true;
    struct tls_context *context = load_tls(w, why);
    if (!context)
        return false;
    w->tls.clock_ns = mgi_clock_real_ns;
    mgi_tls_front_set(&w->tls, context);
    mgi_tls_context_unref(context);
    return true;
}

/* ---- beginning ------------------------------------------------------------------------------- */

/* The names that a Host header may have, as the endpoint wants them: without a port. */
static bool name_hosts(struct bridge_web *w)
{
    const struct config_list *list = &w->options.config->hosts;
    const char *own = w->options.address->host;
    w->hosts = mgi_arena_calloc(&w->arena, list->count + 1, sizeof *w->hosts);
    if (!w->hosts)
        return false;
    for (size_t i = 0; i < list->count; i++) {
        struct str name, port;
        if (mgi_http1_authority(str_of(list->items[i]), &name, &port))
            w->hosts[w->host_count++] = mgi_arena_str(&w->arena, name).ptr;
    }
    if (!w->options.address->is_loopback)
        w->hosts[w->host_count++] =
            mgi_arena_printf(&w->arena, strchr(own, ':') ? "[%s]" : "%s", own);
    return !w->arena.oom;
}

static bool open_endpoint(struct bridge_web *w)
{
    const struct listener_config *c = w->options.config;
    struct mcp_http_options o = { .out = { .context = w,
                                           .answer = send_answer,
                                           .open = open_stream,
                                           .write = write_piece,
                                           .end = end_stream,
                                           .now_ms = web_now_ms,
                                           .random = web_random },
                                  .hosts = w->hosts,
                                  .host_count = w->host_count,
                                  .origins = c->origins.items,
                                  .origin_count = c->origins.count };
    w->http = mgi_mcp_http_new(mgi_bridge_server(w->options.bridge), &o);
    return w->http != NULL;
}

static bool open_listener(struct bridge_web *w, int *port, const char **fault)
{
    static const char *const methods[ROWS] = { "POST", "GET", "DELETE" };
    const struct listener_config *c = w->options.config;
    w->http_options = (struct http_options){
        .net = w->net,
        .host = w->options.address->host,
        .port = w->options.address->port,
        .max_connections = (uint32_t)c->max_connections,
        .hosts = c->hosts.items,
        .host_count = c->hosts.count,
        .origins = c->origins.items,
        .origin_count = c->origins.count,
        .identify = identify,
        .release = release_who,
        .write_refusal = write_refusal,
        .context = w,
        .page_sends = ", accept, last-event-id, mcp-method, mcp-name, mcp-protocol-version, "
                      "mcp-session-id",
        .page_reads = ", Mcp-Session-Id",
        .clock_ns = mgi_clock_real_ns,
        .dress = w->tls.context ? mgi_tls_front_dress : NULL,
        .dress_context = &w->tls,
        .log = w->options.log,
    };
    w->listener = mgi_http_listen(&w->http_options, port, fault);
    if (!w->listener)
        return false;
    for (size_t i = 0; i < ROWS; i++)
        w->rows[i] = (struct http_route){ .path = WEB_PATH,
                                          .method = methods[i],
                                          .max_body = MCP_MESSAGE_BYTES,
                                          .needs_credential = w->auth != NULL,
                                          .judge = judge_head,
                                          .run = run_request };
    return mgi_http_add(w->listener, w->rows, ROWS, w);
}

static void watch_time(struct bridge_web *w)
{
    (void)uv_prepare_init(w->options.loop, &w->before_waiting);
    (void)uv_timer_init(w->options.loop, &w->tick);
    w->before_waiting.data = w->tick.data = w;
    uv_unref((uv_handle_t *)&w->before_waiting);
    uv_unref((uv_handle_t *)&w->tick);
    (void)uv_prepare_start(&w->before_waiting, before_web_waits);
    w->handles = 3;
}

struct bridge_web *mgi_bridge_web_new(const struct bridge_web_options *options, int *port,
                                      struct buf *why)
{
    const char *fault = "out of memory";
    struct bridge_web *w = mgi_calloc(1, sizeof *w);
    if (!w) {
        mgi_buf_puts(why, "error: out of memory\n");
        return NULL;
    }
    w->options = *options;
    w->auth = mgi_auth_ref(options->auth);
    mgi_arena_init(&w->arena, 0);
    w->net = mgi_net_new(options->loop, NULL);
    if (!w->net) {
        mgi_buf_puts(why, "error: out of memory\n");
        mgi_auth_unref(w->auth);
        mgi_free(w);
        return NULL;
    }
    watch_time(w);
    size_t said = why->len;
    if (name_hosts(w) && open_endpoint(w) && mgi_bridge_web_renew(w, why) &&
        open_listener(w, port, &fault))
        return w;
    if (why->len == said)
        mgi_buf_printf(why, "error: %s: %s\n", options->config->address, fault);
    mgi_bridge_web_free(w);
    return NULL;
}

void mgi_bridge_web_trust(struct bridge_web *w, struct auth *auth)
{
    mgi_auth_ref(auth);
    mgi_auth_unref(w->auth);
    w->auth = auth;
    mgi_bridge_web_sift(w->http, auth, who_of);
}

void mgi_bridge_web_serve(struct bridge_web *w, struct mcp_server *server)
{
    mgi_mcp_http_serve(w->http, server);
}

/* ---- the end --------------------------------------------------------------------------------- */

static void web_release(struct bridge_web *w)
{
    if (--w->handles > 0)
        return;
    mgi_tls_front_set(&w->tls, NULL);
    mgi_auth_unref(w->auth);
    mgi_arena_fini(&w->arena);
    mgi_free(w);
}

static void web_handle_closed(uv_handle_t *handle)
{
    web_release(handle->data);
}

static void net_closed(void *context)
{
    web_release(context);
}

/* No connection is left. What runs of sessions is given up here, so the bridge is still there. */
static void close_rest(struct bridge_web *w)
{
    uv_prepare_stop(&w->before_waiting);
    uv_timer_stop(&w->tick);
    mgi_mcp_http_free(w->http);
    uv_close((uv_handle_t *)&w->before_waiting, web_handle_closed);
    uv_close((uv_handle_t *)&w->tick, web_handle_closed);
    mgi_net_close(w->net, net_closed, w);
}

static void listener_closed(void *context)
{
    struct bridge_web *w = context;
    w->ended = true;
    if (w->freed)
        close_rest(w);
    else
        w->options.ended(w->options.context);
}

void mgi_bridge_web_stop(struct bridge_web *w)
{
    if (w->stopping)
        return;
    w->stopping = true;
    w->cancel_ms = web_now_ms(NULL) + WEB_FINISH_MS;
    mgi_mcp_http_drain(w->http);
    mgi_http_close(w->listener, WEB_GRACE_MS, listener_closed, w);
}

void mgi_bridge_web_free(struct bridge_web *w)
{
    if (!w)
        return;
    w->freed = true;
    if (!w->listener || w->ended) {
        close_rest(w);
    } else if (!w->stopping) {
        w->stopping = true;
        mgi_http_close(w->listener, 0, listener_closed, w);
    }
}
