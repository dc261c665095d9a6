/* The HTTP/1.1 transport (P-HTTP-*, D-58): http-parser as the codec, the sockets on the loop.
 *
 * One connection answers one request at a time:
 *
 *     READING head and body ──complete──> BUSY (peer exists) ──answer──> WRITING ──flushed──>
 * READING
 *
 * A request is judged in the order route, declared length, credentials, headers, body. What arrives
 * while BUSY or WRITING is kept, up to PENDING_MAX, then reading stops. A connection that ends
 * while BUSY is a cancelled request (P-CONC-9). A listener-wide timer closes connections that send
 * a request too slowly or stay idle too long. */
#include <http_parser.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/time.h"
#include "transport/http_head.h"
#include "transport/transport.h"

#define READ_BYTES         (64 * 1024)
#define HEAD_MAX           (32 * 1024) /* all header bytes of one request */
#define PENDING_MAX        (64 * 1024)
#define SWEEP_MS           1000
#define REQUEST_TIMEOUT_NS (30 * NS_PER_SEC) /* from its first byte to its last */
#define IDLE_TIMEOUT_NS    (75 * NS_PER_SEC)
#define MAX_CONNECTIONS    1024
#define ETAG_HEX           32

enum http_state { HTTP_READING, HTTP_BUSY, HTTP_WRITING, HTTP_CLOSING };

/* The headers we look at. */
enum header {
    H_CONTENT_TYPE,
    H_ACCEPT,
    H_AUTHORIZATION,
    H_IF_NONE_MATCH,
    H_ORIGIN,
    H_HOST,
    H_EXPECT,
    H_COUNT
};
static const char *const header_names[H_COUNT] = { "content-type",  "accept", "authorization",
                                                   "if-none-match", "origin", "host",
                                                   "expect" };

struct http_connection {
    struct http_listener *listener;
    struct http_connection *next, *prev;
    uv_tcp_t socket;
    http_parser parser;
    enum http_state state;
    int64_t since_ns; /* the request's first byte, or the last answer */
    bool in_message;
    bool reading; /* the socket is being read */
    bool keep_alive;

    /* the request */
    struct buf target, field, value, headers[H_COUNT], body;
    bool has_header[H_COUNT];
    size_t head_bytes;
    bool too_large; /* the body is read to its end and dropped, then refused */
    bool hopeless;  /* more than twice the limit is announced: refused at once */
    struct peer *peer;

    struct buf pending; /* bytes behind the request being answered */
    struct buf out;     /* the answer; stays until it is written */
    uv_write_t write;
    char chunk[READ_BYTES];
};

struct http_listener {
    struct http_options options;
    uv_tcp_t socket;
    uv_timer_t sweep;
    struct http_connection *connections;
    uint32_t count;
    bool loopback, closing;
    unsigned handles;
    void (*closed)(void *context);
    void *context;
};

static const struct principal anonymous = { .kind = PRINCIPAL_ANONYMOUS,
                                            .identity = { "", 0 },
                                            .expires_ns = INT64_MAX };
static void read_on(struct http_connection *c);

/* ---- the end of things ------------------------------------------------------------------- */

static void listener_release(struct http_listener *l)
{
    if (--l->handles > 0 || l->connections)
        return;
    void (*closed)(void *) = l->closed;
    void *context = l->context;
    mgi_free(l);
    if (closed)
        closed(context);
}

static void connection_closed(uv_handle_t *handle)
{
    struct http_connection *c = handle->data;
    struct http_listener *l = c->listener;
    if (c->prev)
        c->prev->next = c->next;
    else
        l->connections = c->next;
    if (c->next)
        c->next->prev = c->prev;
    l->count--;
    mgi_buf_fini(&c->target);
    mgi_buf_fini(&c->field);
    mgi_buf_fini(&c->value);
    for (int i = 0; i < H_COUNT; i++)
        mgi_buf_fini(&c->headers[i]);
    mgi_buf_fini(&c->body);
    mgi_buf_fini(&c->pending);
    mgi_buf_fini(&c->out);
    mgi_free(c);
    listener_release(l);
}

static void connection_close(struct http_connection *c)
{
    if (c->state == HTTP_CLOSING)
        return;
    c->state = HTTP_CLOSING;
    struct peer *peer = c->peer;
    c->peer = NULL;
    if (peer)
        mgi_peer_gone(peer);
    uv_close((uv_handle_t *)&c->socket, connection_closed);
}

/* ---- answering --------------------------------------------------------------------------- */

static void request_reset(struct http_connection *c)
{
    mgi_buf_clear(&c->target);
    mgi_buf_clear(&c->field);
    mgi_buf_clear(&c->value);
    for (int i = 0; i < H_COUNT; i++) {
        mgi_buf_clear(&c->headers[i]);
        c->has_header[i] = false;
    }
    if (c->body.cap > 1024 * 1024)
        mgi_buf_fini(&c->body);
    else
        mgi_buf_clear(&c->body);
    c->head_bytes = 0;
    c->too_large = c->hopeless = c->in_message = false;
}

static void answer_written(uv_write_t *request, int status)
{
    struct http_connection *c = request->data;
    mgi_buf_clear(&c->out);
    if (c->state == HTTP_CLOSING)
        return;
    if (status < 0 || !c->keep_alive || c->listener->closing) {
        connection_close(c);
        return;
    }
    c->state = HTTP_READING;
    c->since_ns = (int64_t)uv_hrtime();
    request_reset(c);
    read_on(c);
}

struct http_extra { /* headers that only some answers have */
    const char *allow, *etag, *cache_control;
    int64_t retry_after_ms;
};

static void write_cors(struct http_connection *c)
{
    const char *origin = c->listener->options.cors_origin;
    if (origin && c->has_header[H_ORIGIN] && str_is(mgi_buf_view(&c->headers[H_ORIGIN]), origin))
        mgi_buf_printf(&c->out, "Access-Control-Allow-Origin: %s\r\nVary: Origin\r\n", origin);
}

static void respond(struct http_connection *c, int status, struct str body,
                    const struct http_extra *extra)
{
    if (c->state == HTTP_CLOSING)
        return;
    struct buf *out = &c->out;
    mgi_buf_printf(out, "HTTP/1.1 %d %s\r\n", status, mgi_http_reason(status));
    if (status != 304 && status != 204)
        mgi_buf_printf(out, "Content-Type: application/json\r\nContent-Length: %zu\r\n", body.len);
    if (status == 401)
        mgi_buf_puts(out, "WWW-Authenticate: Bearer\r\n");
    if (extra && extra->allow)
        mgi_buf_printf(out, "Allow: %s\r\n", extra->allow);
    if (extra && extra->etag)
        mgi_buf_printf(out, "ETag: %s\r\n", extra->etag);
    mgi_buf_printf(out, "Cache-Control: %s\r\n",
                   extra && extra->cache_control ? extra->cache_control : "no-store");
    if (extra && extra->retry_after_ms >= 0)
        mgi_buf_printf(out, "Retry-After: %" PRId64 "\r\n", (extra->retry_after_ms + 999) / 1000);
    mgi_buf_puts(out, "X-Content-Type-Options: nosniff\r\n");
    write_cors(c);
    if (!c->keep_alive || c->listener->closing)
        mgi_buf_puts(out, "Connection: close\r\n");
    mgi_buf_puts(out, "\r\n");
    if (c->parser.method != HTTP_HEAD && status != 304 && status != 204)
        mgi_buf_str(out, body);
    c->state = HTTP_WRITING;
    c->write.data = c;
    uv_buf_t buf = uv_buf_init(out->ptr, (unsigned)out->len);
    if (out->oom || uv_write(&c->write, (uv_stream_t *)&c->socket, &buf, 1, answer_written) != 0)
        connection_close(c);
}

static void respond_error(struct http_connection *c, enum wire_code code, const char *details,
                          const char *message, const char *allow)
{
    struct buf text = { 0 };
    struct wire_error e = { code, message, str_of(details), -1 };
    mgi_envelope_error(&text, (struct str){ NULL, 0 }, &e);
    struct http_extra extra = { .allow = allow, .retry_after_ms = -1 };
    respond(c, mgi_wire_code(code)->http_status, mgi_buf_view(&text), &extra);
    mgi_buf_fini(&text);
}

/* ---- the server's side of one exchange ----------------------------------------------------- */

static bool http_send(void *connection, struct str message, int http_status, bool last,
                      int64_t retry_after_ms)
{
    (void)last;
    struct http_connection *c = connection;
    if (c->state != HTTP_BUSY)
        return false;
    struct http_extra extra = { .retry_after_ms = retry_after_ms };
    respond(c, http_status, message, &extra);
    return true;
}

static void http_peer_close(void *connection, const char *why)
{
    (void)why;
    struct http_connection *c = connection;
    struct peer *peer = c->peer;
    c->peer = NULL;
    if (peer)
        mgi_peer_gone(peer);
    if (c->state == HTTP_BUSY) /* it ended without an answer: nothing more can be said */
        connection_close(c);
}

static const struct peer_transport http_table = {
    .name = "http",
    .session = false,
    .send = http_send,
    .close = http_peer_close,
};

static void exchange(struct http_connection *c, enum endpoint endpoint, const struct principal *who,
                     const struct wire_error *refusal)
{
    struct peer_options options = {
        .transport = &http_table,
        .connection = c,
        .auth_required = true,
        .who = who,
        .refusal = refusal,
    };
    c->state = HTTP_BUSY;
    c->peer = mgi_peer_new(c->listener->options.server, &options);
    if (!c->peer) {
        respond_error(c, WIRE_INTERNAL_ERROR, "{}", "The server ran out of memory.", NULL);
        return;
    }
    mgi_peer_message(c->peer, mgi_buf_view(&c->body), endpoint);
    if (c->peer)
        mgi_peer_end(c->peer);
}

/* ---- judging a request --------------------------------------------------------------------- */

static struct str header_of(const struct http_connection *c, enum header h)
{
    return c->has_header[h] ? mgi_buf_view(&c->headers[h]) : (struct str){ NULL, 0 };
}

static void answer_manifest(struct http_connection *c)
{
    struct buf body = { 0 };
    uint8_t digest[SHA256_BYTES];
    char etag[ETAG_HEX + 3], hex[2 * SHA256_BYTES + 1];
    mgi_server_manifest(c->listener->options.server, false, !c->listener->options.open_demo, &body);
    if (body.oom || !mgi_sha256(body.ptr, body.len, digest)) {
        mgi_buf_fini(&body);
        respond_error(c, WIRE_INTERNAL_ERROR, "{}", "The server ran out of memory.", NULL);
        return;
    }
    mgi_hex(digest, sizeof digest, hex);
    snprintf(etag, sizeof etag, "\"%.*s\"", ETAG_HEX, hex);
    bool ready = mgi_server_status(c->listener->options.server) == SERVER_READY;
    struct http_extra extra = {
        .etag = etag,
        .cache_control = ready ? "public, max-age=300" : "no-cache",
        .retry_after_ms = -1,
    };
    bool same = mgi_http_etag_matches(header_of(c, H_IF_NONE_MATCH), str_of(etag));
    respond(c, same ? 304 : 200, mgi_buf_view(&body), &extra);
    mgi_buf_fini(&body);
}

static void answer_preflight(struct http_connection *c, enum http_route route)
{
    mgi_buf_printf(&c->out,
                   "HTTP/1.1 204 No Content\r\nAccess-Control-Allow-Origin: %s\r\n"
                   "Access-Control-Allow-Methods: %s\r\n"
                   "Access-Control-Allow-Headers: authorization, content-type\r\n"
                   "Access-Control-Max-Age: 600\r\nVary: Origin\r\n%s\r\n",
                   c->listener->options.cors_origin, mgi_http_allow(route),
                   c->keep_alive ? "" : "Connection: close\r\n");
    c->state = HTTP_WRITING;
    c->write.data = c;
    uv_buf_t buf = uv_buf_init(c->out.ptr, (unsigned)c->out.len);
    if (c->out.oom || uv_write(&c->write, (uv_stream_t *)&c->socket, &buf, 1, answer_written) != 0)
        connection_close(c);
}

/* Credentials: who it is, or the refusal. `storage` holds the refusal. */
static const struct principal *identify(const struct http_connection *c, struct wire_error *storage,
                                        const struct wire_error **refusal)
{
    const struct http_options *o = &c->listener->options;
    const struct principal *who = NULL;
    struct str token;
    *refusal = NULL;
    *storage =
        (struct wire_error){ WIRE_AUTH_INVALID, "The credentials were not accepted.",
                             STR_LIT("{\"reason\":\"rejected\",\"schemes\":[\"bearer\"]}"), -1 };
    switch (mgi_http_bearer(header_of(c, H_AUTHORIZATION), &token)) {
    case CREDENTIAL_NONE:
        if (o->open_demo)
            return &anonymous;
        *storage = (struct wire_error){ WIRE_AUTH_REQUIRED,
                                        "This server requires a bearer token in the Authorization "
                                        "header.",
                                        STR_LIT("{\"schemes\":[\"bearer\"]}"), -1 };
        break;
    case CREDENTIAL_OTHER:
        storage->details = STR_LIT("{\"reason\":\"scheme\",\"schemes\":[\"bearer\"]}");
        break;
    case CREDENTIAL_BEARER:
        switch (mgi_auth_check(o->auth, token, mgi_server_now_ns(o->server), &who)) {
        case AUTH_GOOD:
            return who;
        case AUTH_EXPIRED:
            storage->details = STR_LIT("{\"reason\":\"expired\",\"schemes\":[\"bearer\"]}");
            break;
        case AUTH_REJECTED:
            break;
        }
        break;
    }
    *refusal = storage;
    return NULL;
}

static bool method_fits(const struct http_connection *c, enum http_route route)
{
    if (route == ROUTE_MANIFEST)
        return c->parser.method == HTTP_GET || c->parser.method == HTTP_HEAD;
    return c->parser.method == HTTP_POST;
}

static const char http_reason_details[] = "{\"reason\":\"http\"}";

static void answer_request(struct http_connection *c)
{
    const struct http_options *o = &c->listener->options;
    enum http_route route = mgi_http_route(mgi_buf_view(&c->target));
    if (route == ROUTE_UNKNOWN) {
        respond_error(c, WIRE_X_NOT_FOUND, "{}", "There is nothing at this path.", NULL);
        return;
    }
    if (c->parser.method == HTTP_OPTIONS && o->cors_origin) {
        answer_preflight(c, route);
        return;
    }
    if (!method_fits(c, route)) {
        respond_error(c, WIRE_X_METHOD_NOT_ALLOWED, "{}", "This path does not take that method.",
                      mgi_http_allow(route));
        return;
    }
    if (c->listener->loopback && !mgi_http_host_is_loopback(header_of(c, H_HOST))) {
        respond_error(c, WIRE_MALFORMED_MESSAGE, http_reason_details,
                      "The Host header does not name this machine.", NULL);
        return;
    }
    if (route == ROUTE_MANIFEST) {
        answer_manifest(c);
        return;
    }
    if (c->too_large) {
        char details[64];
        snprintf(details, sizeof details, "{\"max_message_bytes\":%zu}", o->max_message_bytes);
        respond_error(c, WIRE_MESSAGE_TOO_LARGE, details, "The body is larger than the limit.",
                      NULL);
        return;
    }
    struct wire_error storage;
    const struct wire_error *refusal;
    const struct principal *who = identify(c, &storage, &refusal);
    const char *fault = refusal ? NULL : mgi_http_content_type_fault(header_of(c, H_CONTENT_TYPE));
    if (!refusal && !fault && !mgi_http_accepts_json(header_of(c, H_ACCEPT)))
        fault = "The Accept header must allow application/json.";
    if (fault) {
        respond_error(c, WIRE_MALFORMED_MESSAGE, http_reason_details, fault, NULL);
        return;
    }
    exchange(c, route == ROUTE_INTENT ? ENDPOINT_INTENT : ENDPOINT_INVOKE, who, refusal);
}

/* ---- the parser's events ----------------------------------------------------------------- */

static int on_begin(http_parser *parser)
{
    struct http_connection *c = parser->data;
    request_reset(c);
    c->in_message = true;
    c->since_ns = (int64_t)uv_hrtime();
    return 0;
}

static int on_target(http_parser *parser, const char *at, size_t len)
{
    struct http_connection *c = parser->data;
    c->head_bytes += len;
    if (c->head_bytes > HEAD_MAX)
        return 1;
    mgi_buf_append(&c->target, at, len);
    return 0;
}

/* A header is complete when the next name begins, or the head ends. */
static void header_complete(struct http_connection *c)
{
    for (int i = 0; i < H_COUNT; i++) {
        if (c->field.len != strlen(header_names[i]) ||
            strncasecmp(c->field.ptr, header_names[i], c->field.len) != 0)
            continue;
        if (c->has_header[i]) /* a repeated header continues the list */
            mgi_buf_puts(&c->headers[i], ", ");
        mgi_buf_str(&c->headers[i], mgi_buf_view(&c->value));
        c->has_header[i] = true;
    }
    mgi_buf_clear(&c->field);
    mgi_buf_clear(&c->value);
}

static int on_field(http_parser *parser, const char *at, size_t len)
{
    struct http_connection *c = parser->data;
    if (c->value.len > 0)
        header_complete(c);
    c->head_bytes += len;
    if (c->head_bytes > HEAD_MAX)
        return 1;
    mgi_buf_append(&c->field, at, len);
    return 0;
}

static int on_value(http_parser *parser, const char *at, size_t len)
{
    struct http_connection *c = parser->data;
    c->head_bytes += len;
    if (c->head_bytes > HEAD_MAX)
        return 1;
    mgi_buf_append(&c->value, at, len);
    return 0;
}

static int on_head_complete(http_parser *parser)
{
    struct http_connection *c = parser->data;
    header_complete(c);
    size_t max = c->listener->options.max_message_bytes;
    bool announced = parser->content_length != ULLONG_MAX;
    c->too_large = announced && parser->content_length > max;
    c->hopeless = announced && parser->content_length / 2 > max;
    if (c->has_header[H_EXPECT] && !c->hopeless) {
        static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
        uv_buf_t buf = uv_buf_init((char *)go_on, sizeof go_on - 1);
        uv_try_write((uv_stream_t *)&c->socket, &buf, 1); /* a client goes on without it, too */
    }
    return 0;
}

static int on_body(http_parser *parser, const char *at, size_t len)
{
    struct http_connection *c = parser->data;
    if (c->body.len + len > c->listener->options.max_message_bytes)
        c->too_large = true;
    if (!c->too_large)
        mgi_buf_append(&c->body, at, len);
    return 0;
}

static int on_complete(http_parser *parser)
{
    struct http_connection *c = parser->data;
    c->in_message = false;
    http_parser_pause(parser, 1); /* one request at a time */
    return 0;
}

static const http_parser_settings parser_settings = {
    .on_message_begin = on_begin,
    .on_url = on_target,
    .on_header_field = on_field,
    .on_header_value = on_value,
    .on_headers_complete = on_head_complete,
    .on_body = on_body,
    .on_message_complete = on_complete,
};

/* ---- bytes ------------------------------------------------------------------------------- */

static void stop_reading(struct http_connection *c)
{
    if (c->reading)
        uv_read_stop((uv_stream_t *)&c->socket);
    c->reading = false;
}

static void not_http(struct http_connection *c, enum http_errno fault)
{
    bool head = fault == HPE_HEADER_OVERFLOW || fault == HPE_CB_url ||
                fault == HPE_CB_header_field || fault == HPE_CB_header_value;
    c->keep_alive = false;
    respond_error(c, WIRE_MALFORMED_MESSAGE, http_reason_details,
                  head ? "The head of the request is too large." : "This is not HTTP/1.1.", NULL);
}

/* Parse; answer when a request is complete; keep the rest. */
static void take_bytes(struct http_connection *c, struct str bytes)
{
    size_t n = http_parser_execute(&c->parser, &parser_settings, bytes.ptr, bytes.len);
    enum http_errno fault = HTTP_PARSER_ERRNO(&c->parser);
    if (fault == HPE_PAUSED) {
        http_parser_pause(&c->parser, 0);
        mgi_buf_append(&c->pending, bytes.ptr + n, bytes.len - n);
        c->keep_alive = http_should_keep_alive(&c->parser) != 0;
        answer_request(c);
    } else if (fault != HPE_OK || c->parser.upgrade) {
        not_http(c, fault);
    } else if (c->hopeless) {
        c->keep_alive = false;
        stop_reading(c);
        answer_request(c);
    }
}

static void give_socket_chunk(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    (void)suggested;
    struct http_connection *c = handle->data;
    *buf = uv_buf_init(c->chunk, READ_BYTES);
}

static void socket_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
    struct http_connection *c = stream->data;
    if (n < 0) {
        connection_close(c);
        return;
    }
    struct str bytes = { buf->base, (size_t)n };
    if (c->state == HTTP_READING) {
        take_bytes(c, bytes);
        return;
    }
    mgi_buf_str(&c->pending, bytes);
    if (c->pending.oom)
        connection_close(c);
    else if (c->pending.len > PENDING_MAX)
        stop_reading(c);
}

/* After an answer: what was kept first, then the socket. */
static void read_on(struct http_connection *c)
{
    if (c->pending.len > 0) {
        struct buf kept = c->pending;
        c->pending = (struct buf){ 0 };
        take_bytes(c, mgi_buf_view(&kept));
        mgi_buf_fini(&kept);
    }
    if (c->state == HTTP_CLOSING || c->reading)
        return;
    c->reading = uv_read_start((uv_stream_t *)&c->socket, give_socket_chunk, socket_read) == 0;
    if (!c->reading)
        connection_close(c);
}

/* ---- listening --------------------------------------------------------------------------- */

static void accept_connection(uv_stream_t *server, int status)
{
    struct http_listener *l = server->data;
    struct http_connection *c = status == 0 ? mgi_calloc(1, sizeof *c) : NULL;
    if (!c)
        return;
    if (uv_tcp_init(l->options.loop, &c->socket) != 0) {
        mgi_free(c);
        return;
    }
    c->listener = l;
    c->socket.data = c;
    c->next = l->connections;
    if (c->next)
        c->next->prev = c;
    l->connections = c;
    l->count++;
    l->handles++;
    c->since_ns = (int64_t)uv_hrtime();
    http_parser_init(&c->parser, HTTP_REQUEST);
    c->parser.data = c;
    if (uv_accept(server, (uv_stream_t *)&c->socket) != 0 ||
        l->count > l->options.max_connections) {
        connection_close(c);
        return;
    }
    uv_tcp_nodelay(&c->socket, 1);
    read_on(c);
}

static void sweep(uv_timer_t *timer)
{
    struct http_listener *l = timer->data;
    int64_t now = (int64_t)uv_hrtime();
    for (struct http_connection *c = l->connections, *next; c; c = next) {
        next = c->next;
        int64_t age = now - c->since_ns;
        if (c->state == HTTP_READING &&
            age > (c->in_message ? REQUEST_TIMEOUT_NS : IDLE_TIMEOUT_NS))
            connection_close(c);
    }
}

static const char *bind_and_listen(struct http_listener *l, int *port_out)
{
    struct sockaddr_storage address;
    const struct http_options *o = &l->options;
    const char *host = strcmp(o->host, "localhost") == 0 ? "127.0.0.1" : o->host;
    if (uv_ip4_addr(host, o->port, (struct sockaddr_in *)&address) != 0 &&
        uv_ip6_addr(host, o->port, (struct sockaddr_in6 *)&address) != 0)
        return "the host must be an IPv4 or IPv6 address, or localhost";
    int rc = uv_tcp_bind(&l->socket, (struct sockaddr *)&address, 0);
    if (rc == 0)
        rc = uv_listen((uv_stream_t *)&l->socket, 511, accept_connection);
    if (rc != 0)
        return uv_strerror(rc);
    int len = sizeof address;
    rc = uv_tcp_getsockname(&l->socket, (struct sockaddr *)&address, &len);
    if (rc != 0)
        return uv_strerror(rc);
    *port_out = ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                                    : ((struct sockaddr_in *)&address)->sin_port);
    return NULL;
}

static void listener_handle_closed(uv_handle_t *handle)
{
    listener_release(handle->data);
}

struct http_listener *mgi_http_listen(const struct http_options *options, int *port_out,
                                      const char **why)
{
    struct http_listener *l = mgi_calloc(1, sizeof *l);
    *why = "out of memory";
    if (!l)
        return NULL;
    l->options = *options;
    if (l->options.max_connections == 0)
        l->options.max_connections = MAX_CONNECTIONS;
    l->loopback = mgi_http_address_is_loopback(options->host);
    if (uv_tcp_init(options->loop, &l->socket) != 0) {
        mgi_free(l);
        return NULL;
    }
    l->socket.data = l;
    l->handles = 1;
    *why = bind_and_listen(l, port_out);
    if (!*why && uv_timer_init(options->loop, &l->sweep) != 0)
        *why = "the loop takes no timer";
    if (*why) {
        uv_close((uv_handle_t *)&l->socket, listener_handle_closed);
        return NULL;
    }
    l->sweep.data = l;
    l->handles = 2;
    uv_timer_start(&l->sweep, sweep, SWEEP_MS, SWEEP_MS);
    return l;
}

void mgi_http_close(struct http_listener *l, void (*closed)(void *context), void *context)
{
    l->closing = true;
    l->closed = closed;
    l->context = context;
    for (struct http_connection *c = l->connections, *next; c; c = next) {
        next = c->next;
        if (c->state == HTTP_READING)
            connection_close(c);
    }
    uv_close((uv_handle_t *)&l->socket, listener_handle_closed);
    uv_close((uv_handle_t *)&l->sweep, listener_handle_closed);
}
