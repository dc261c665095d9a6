/* The endpoint: what a request is, which session or exchange it belongs to, and how its answer goes
 * out. An exchange is one HTTP request that has not ended; it lives until its answer. */
#include "mcp/http.h"

#include "base/alloc.h"
#include "base/encode.h"
#include "mcp/http_int.h"
#include "mcp/sse.h"

#define ID_BYTES 16

struct session {
    struct session *next;
    struct mcp_http *h;
    struct mcp_peer *peer;
    struct exchange *get; /* for what belongs to no request; or NULL */
    size_t exchanges;     /* open ones, that one, too */
    int64_t used_ms;
    struct buf principal;
    char id[2 * ID_BYTES + 1];
};

struct exchange {
    struct exchange *next, *before;
    struct mcp_http *h;
    struct session *session; /* legacy */
    struct mcp_peer *peer;   /* r5: its own */
    void *tag;
    bool can_stream, is_open;
    int64_t due_ms; /* a stream, or a comment on it */
};

struct mcp_http {
    struct mcp_server *server;
    struct mcp_http_options o;
    struct session *sessions;
    struct exchange *exchanges;
    size_t session_count, exchange_count;
    bool draining;
};

static int64_t now_of(const struct mcp_http *h)
{
    return h->o.out.now_ms(h->o.out.context);
}

/* ---- answers without an exchange ------------------------------------------------------------ */

static void answer_plain(struct mcp_http *h, void *tag, int status, struct str body,
                         const char *allow)
{
    struct mcp_header headers[2];
    size_t count = 0;
    if (body.len > 0)
        headers[count++] =
            (struct mcp_header){ STR_LIT("Content-Type"), STR_LIT("application/json") };
    if (allow)
        headers[count++] = (struct mcp_header){ STR_LIT("Allow"), str_of(allow) };
    struct mcp_response r = { status, headers, count, body };
    h->o.out.answer(h->o.out.context, tag, &r);
}

static void answer_error(struct mcp_http *h, void *tag, int status, const struct rpc_id *id,
                         enum rpc_code code, const char *message)
{
    struct buf out = { 0 };
    mgi_rpc_error(&out, id, code, str_of(message), (struct str){ 0 });
    answer_plain(h, tag, out.oom ? 500 : status, out.oom ? (struct str){ 0 } : mgi_buf_view(&out),
                 NULL);
    mgi_buf_fini(&out);
}

/* ---- exchanges ------------------------------------------------------------------------------ */

static struct exchange *add_exchange(struct mcp_http *h, const struct mcp_request *r,
                                     struct session *session)
{
    struct exchange *x = mgi_calloc(1, sizeof *x);
    if (!x) {
        answer_plain(h, r->tag, 500, (struct str){ 0 }, NULL);
        return NULL;
    }
    x->h = h;
    x->tag = r->tag;
    x->session = session;
    x->can_stream = mgi_mcp_accepts(r).stream;
    x->due_ms = now_of(h) + MCP_HTTP_LATE_MS;
    x->next = h->exchanges;
    if (h->exchanges)
        h->exchanges->before = x;
    h->exchanges = x;
    h->exchange_count++;
    if (session)
        session->exchanges++;
    return x;
}

/* Without a word to its client. The r5 peer goes with it. */
static void drop_exchange(struct exchange *x)
{
    struct mcp_http *h = x->h;
    if (x->before)
        x->before->next = x->next;
    else
        h->exchanges = x->next;
    if (x->next)
        x->next->before = x->before;
    h->exchange_count--;
    if (x->session) {
        x->session->exchanges--;
        if (x->session->get == x)
            x->session->get = NULL;
    }
    mgi_mcp_peer_free(x->peer);
    mgi_free(x);
}

static void open_stream(struct exchange *x)
{
    struct mcp_header headers[4] = {
        { STR_LIT("Content-Type"), STR_LIT("text/event-stream") },
        { STR_LIT("Cache-Control"), STR_LIT("no-cache, no-transform") },
        { STR_LIT("X-Accel-Buffering"), STR_LIT("no") },
    };
    struct mcp_response r = { .status = 200, .headers = headers, .header_count = 3 };
    struct mcp_http *h = x->h;
    if (x->is_open)
        return;
    if (x->session)
        headers[r.header_count++] =
            (struct mcp_header){ STR_LIT("Mcp-Session-Id"), str_of(x->session->id) };
    x->is_open = true;
    x->due_ms = now_of(h) + MCP_HTTP_ALIVE_MS;
    h->o.out.open(h->o.out.context, x->tag, &r);
}

static void write_event(struct exchange *x, struct str message)
{
    struct buf out = { 0 };
    struct mcp_http *h = x->h;
    mgi_sse_write(&out, NULL, (struct str){ 0 }, message);
    x->due_ms = now_of(h) + MCP_HTTP_ALIVE_MS;
    if (!out.oom)
        h->o.out.write(h->o.out.context, x->tag, mgi_buf_view(&out));
    mgi_buf_fini(&out);
}

static void end_stream(struct exchange *x)
{
    struct mcp_http *h = x->h;
    h->o.out.end(h->o.out.context, x->tag);
    drop_exchange(x);
}

/* X-HTTP-32, and the table of chapter 15. */
static int status_of(const struct mcp_outgoing *m, bool modern)
{
    switch (m->code) {
    case RPC_PARSE:
    case RPC_INVALID_REQUEST:
        return m->is_call_failure ? 200 : 400;
    case RPC_METHOD_NOT_FOUND:
        return modern && !m->is_call_failure ? 404 : 200;
    case RPC_HEADER_MISMATCH:
    case RPC_MISSING_CAPABILITY:
    case RPC_UNSUPPORTED_VERSION:
        return 400;
    default:
        return 200;
    }
}

/* All of an answer as JSON; the exchange is over. */
static void answer_exchange(struct exchange *x, const struct mcp_outgoing *m)
{
    struct mcp_http *h = x->h;
    struct mcp_header headers[2] = { { STR_LIT("Content-Type"), STR_LIT("application/json") } };
    struct mcp_response r = { status_of(m, !x->session), headers, 1, m->text };
    if (x->session && mgi_mcp_peer_revision(x->session->peer) != MCP_NONE)
        headers[r.header_count++] =
            (struct mcp_header){ STR_LIT("Mcp-Session-Id"), str_of(x->session->id) };
    if (m->text.len == 0) { /* cancelled, or no memory for more */
        r.status = 202;
        r.header_count = 0;
    }
    h->o.out.answer(h->o.out.context, x->tag, &r);
    drop_exchange(x);
}

static void deliver(struct exchange *x, const struct mcp_outgoing *m)
{
    if (m->what == MCP_SENT_RELATED) {
        open_stream(x);
        write_event(x, m->text);
    } else if (!x->is_open) {
        answer_exchange(x, m);
    } else {
        if (m->text.len > 0)
            write_event(x, m->text);
        end_stream(x);
    }
}

static void send_modern(void *context, const struct mcp_outgoing *m)
{
    struct exchange *x = context;
    if (m->what != MCP_SENT_ALONE)
        deliver(x, m);
}

static void send_legacy(void *context, const struct mcp_outgoing *m)
{
    struct session *s = context;
    struct exchange *x = m->what == MCP_SENT_ALONE ? s->get : m->tag;
    if (x && m->what == MCP_SENT_ALONE)
        write_event(x, m->text);
    else if (x)
        deliver(x, m);
}

static int64_t now_modern(void *context)
{
    return now_of(((struct exchange *)context)->h);
}

static int64_t now_legacy(void *context)
{
    return now_of(((struct session *)context)->h);
}

/* ---- sessions ------------------------------------------------------------------------------- */

static void drop_session(struct session *s)
{
    struct mcp_http *h = s->h;
    struct session **at = &h->sessions;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    h->session_count--;
    mgi_mcp_peer_free(s->peer);
    mgi_buf_fini(&s->principal);
    mgi_free(s);
}

/* Its streams end, and what waits is told that there is no such session any more. */
static void end_session(struct session *s)
{
    struct mcp_http *h = s->h;
    mgi_mcp_peer_free(s->peer);
    s->peer = NULL;
    for (struct exchange *x = h->exchanges, *next; x; x = next) {
        next = x->next;
        if (x->session != s)
            continue;
        if (x->is_open) {
            end_stream(x);
        } else {
            answer_error(h, x->tag, 404, NULL, RPC_INVALID_REQUEST, "the session has ended");
            drop_exchange(x);
        }
    }
    drop_session(s);
}

/* Only for who opened it: to others it is unknown (X-HTTP-23). */
static struct session *find_session(struct mcp_http *h, struct str id, struct str principal)
{
    for (struct session *s = h->sessions; s; s = s->next)
        if (str_is(id, s->id) && str_eq(mgi_buf_view(&s->principal), principal))
            return s;
    return NULL;
}

static size_t sessions_of(const struct mcp_http *h, struct str principal)
{
    size_t count = 0;
    for (const struct session *s = h->sessions; s; s = s->next)
        count += str_eq(mgi_buf_view(&s->principal), principal);
    return count;
}

static struct session *add_session(struct mcp_http *h, const struct mcp_request *r)
{
    uint8_t random[ID_BYTES];
    struct session *s = mgi_calloc(1, sizeof *s);
    if (!s)
        return NULL;
    struct mcp_peer_options o = { .context = s, .send = send_legacy, .now_ms = now_legacy };
    s->h = h;
    s->used_ms = now_of(h);
    mgi_buf_str(&s->principal, r->principal);
    if (!s->principal.oom && h->o.out.random(h->o.out.context, random, sizeof random))
        s->peer = mgi_mcp_peer_new(h->server, &o);
    if (!s->peer) {
        mgi_buf_fini(&s->principal);
        mgi_free(s);
        return NULL;
    }
    mgi_hex(random, sizeof random, s->id);
    s->next = h->sessions;
    h->sessions = s;
    h->session_count++;
    return s;
}

/* The session that a request names; NULL: it was answered (X-HTTP-15, -17). */
static struct session *require_session(struct mcp_http *h, const struct mcp_request *r,
                                       const struct rpc_id *id)
{
    struct str name = mgi_mcp_header(r, "Mcp-Session-Id", NULL);
    struct str version = mgi_mcp_header(r, "MCP-Protocol-Version", NULL);
    if (!name.ptr) {
        answer_error(h, r->tag, 400, id, RPC_INVALID_REQUEST,
                     "the header Mcp-Session-Id is missing: initialize gives one");
        return NULL;
    }
    struct session *s = find_session(h, name, r->principal);
    if (!s) {
        answer_error(h, r->tag, 404, id, RPC_INVALID_REQUEST, "there is no such session");
        return NULL;
    }
    if (version.ptr && mgi_mcp_revision(version) != mgi_mcp_peer_revision(s->peer)) {
        answer_error(h, r->tag, 400, id, RPC_INVALID_REQUEST,
                     "the header MCP-Protocol-Version is not the session's version");
        return NULL;
    }
    s->used_ms = now_of(h);
    return s;
}

/* ---- POST ----------------------------------------------------------------------------------- */

static void receive_legacy(struct mcp_http *h, struct session *s, const struct mcp_request *r,
                           bool is_new)
{
    if (s->exchanges >= MCP_HTTP_SESSION_STREAMS) {
        answer_error(h, r->tag, 429, NULL, RPC_INTERNAL,
                     "too many requests of this session are under way");
        return;
    }
    struct exchange *x = add_exchange(h, r, s);
    if (!x) {
        if (is_new)
            drop_session(s);
        return;
    }
    struct mcp_route route = { .tag = x, .caller = r->caller, .quiet = !x->can_stream };
    if (mgi_mcp_receive(s->peer, r->body, &route))
        return;
    drop_exchange(x);
    answer_plain(h, r->tag, 202, (struct str){ 0 }, NULL);
}

static void open_session(struct mcp_http *h, const struct mcp_request *r, const struct rpc_id *id)
{
    struct str version = mgi_mcp_header(r, "MCP-Protocol-Version", NULL);
    if (version.ptr && mgi_mcp_is_modern(version)) {
        answer_error(h, r->tag, 400, id, RPC_HEADER_MISMATCH,
                     "the header MCP-Protocol-Version is of a revision without initialize");
        return;
    }
    if (mgi_mcp_header(r, "Mcp-Session-Id", NULL).ptr) {
        struct session *s = require_session(h, r, id);
        if (s)
            receive_legacy(h, s, r, false);
        return;
    }
    if (h->draining || h->session_count >= MCP_HTTP_SESSIONS) {
        answer_error(h, r->tag, 503, id, RPC_INTERNAL, "there are too many sessions");
        return;
    }
    if (sessions_of(h, r->principal) >= MCP_HTTP_PRINCIPAL_SESSIONS) {
        answer_error(h, r->tag, 429, id, RPC_INTERNAL, "you have too many sessions");
        return;
    }
    struct session *s = add_session(h, r);
    if (!s) {
        answer_error(h, r->tag, 500, id, RPC_INTERNAL, "no session could be made");
        return;
    }
    receive_legacy(h, s, r, true);
    /* It is answered already. A handshake that failed leaves no session behind. */
    for (struct session *at = h->sessions; at; at = at->next) {
        if (at == s && mgi_mcp_peer_revision(s->peer) == MCP_NONE) {
            end_session(s);
            break;
        }
    }
}

static void answer_check(struct mcp_http *h, const struct mcp_request *r,
                         const struct rpc_message *m, const struct mcp_envelope *e,
                         enum rpc_code code, struct buf *why)
{
    struct buf out = { 0 }, data = { 0 };
    struct json_writer w;
    if (code == RPC_UNSUPPORTED_VERSION) {
        mgi_json_writer_init(&w, &data, 0);
        mgi_mcp_write_unsupported(&w, e->version);
    }
    mgi_rpc_error(&out, &m->id, code, mgi_buf_view(why),
                  data.oom ? (struct str){ 0 } : mgi_buf_view(&data));
    int status = code == RPC_METHOD_NOT_FOUND ? 404 : 400;
    answer_plain(h, r->tag, out.oom ? 500 : status,
                 out.oom ? (struct str){ 0 } : mgi_buf_view(&out), NULL);
    mgi_buf_fini(&out);
    mgi_buf_fini(&data);
}

static void receive_modern(struct mcp_http *h, const struct mcp_request *r,
                           const struct rpc_message *m, const struct mcp_envelope *e)
{
    struct buf why = { 0 };
    enum rpc_code code = mgi_mcp_check_modern(h->server, r, m, e, &why);
    if (code) {
        answer_check(h, r, m, e, code, &why);
        mgi_buf_fini(&why);
        return;
    }
    mgi_buf_fini(&why);
    if (h->draining || h->exchange_count >= MCP_HTTP_EXCHANGES) {
        answer_error(h, r->tag, 503, &m->id, RPC_INTERNAL, "there are too many requests");
        return;
    }
    if (str_is(m->method, "subscriptions/listen") && !mgi_mcp_accepts(r).stream) {
        answer_error(h, r->tag, 406, &m->id, RPC_INVALID_REQUEST,
                     "a subscription needs Accept: text/event-stream");
        return;
    }
    struct exchange *x = add_exchange(h, r, NULL);
    if (!x)
        return;
    struct mcp_peer_options o = {
        .context = x, .send = send_modern, .now_ms = now_modern, .modern_alone = true
    };
    struct mcp_peer *p = x->peer = mgi_mcp_peer_new(h->server, &o);
    if (!p) {
        drop_exchange(x);
        answer_plain(h, r->tag, 500, (struct str){ 0 }, NULL);
        return;
    }
    struct mcp_route route = { .tag = x, .caller = r->caller, .quiet = !x->can_stream };
    mgi_mcp_receive(p, r->body, &route);
}

static void take_legacy(struct mcp_http *h, const struct mcp_request *r, const struct rpc_id *id)
{
    struct session *s = require_session(h, r, id);
    if (s)
        receive_legacy(h, s, r, false);
}

static void take_message(struct mcp_http *h, const struct mcp_request *r,
                         const struct rpc_message *m)
{
    struct mcp_envelope e;
    struct str version = mgi_mcp_header(r, "MCP-Protocol-Version", NULL);
    bool is_modern = version.ptr && mgi_mcp_is_modern(version);
    mgi_mcp_envelope(m->params, &e);
    bool claims = e.claim != MCP_NO_CLAIM;
    bool opens = m->kind == RPC_REQUEST && str_is(m->method, "initialize") &&
                 !(e.claim == MCP_CLAIM && mgi_mcp_is_modern(e.version));
    if (opens)
        open_session(h, r, &m->id);
    else if (m->kind == RPC_REQUEST && claims)
        receive_modern(h, r, m, &e);
    else if (m->kind == RPC_REQUEST && is_modern)
        answer_error(h, r->tag, 400, &m->id, RPC_INVALID_PARAMS,
                     "params._meta needs " META_VERSION " and " META_CAPABILITIES);
    else if (m->kind == RPC_NOTIFICATION && (claims || is_modern))
        answer_plain(h, r->tag, 202, (struct str){ 0 }, NULL); /* X-HTTP-25 */
    else
        take_legacy(h, r, &m->id);
}

static void take_post(struct mcp_http *h, const struct mcp_request *r)
{
    struct arena a;
    struct json v;
    struct rpc_message m;
    struct rpc_fault fault;
    mgi_arena_init(&a, 0);
    bool fine = mgi_rpc_parse(&a, r->body, &v, &fault);
    if (fine && v.type == JSON_ARRAY && mgi_mcp_header(r, "Mcp-Session-Id", NULL).ptr)
        take_legacy(h, r, NULL);
    else if (fine && mgi_rpc_read(&v, &m, &fault))
        take_message(h, r, &m);
    else
        answer_error(h, r->tag, fault.no_memory ? 500 : 400, &fault.id, fault.code, fault.message);
    mgi_arena_fini(&a);
}

/* ---- GET and DELETE ------------------------------------------------------------------------- */

static void take_get(struct mcp_http *h, const struct mcp_request *r)
{
    struct buf comment = { 0 };
    struct session *s = require_session(h, r, NULL);
    if (!s)
        return;
    if (!mgi_mcp_accepts(r).stream) {
        answer_error(h, r->tag, 406, NULL, RPC_INVALID_REQUEST,
                     "Accept has to name text/event-stream");
        return;
    }
    if (s->get) {
        answer_error(h, r->tag, 409, NULL, RPC_INVALID_REQUEST,
                     "this session has a stream already");
        return;
    }
    struct exchange *x = add_exchange(h, r, s);
    if (!x)
        return;
    s->get = x;
    open_stream(x);
    mgi_sse_comment(&comment);
    if (!comment.oom)
        h->o.out.write(h->o.out.context, x->tag, mgi_buf_view(&comment));
    mgi_buf_fini(&comment);
}

static void take_delete(struct mcp_http *h, const struct mcp_request *r)
{
    struct session *s = require_session(h, r, NULL);
    if (!s)
        return;
    end_session(s);
    answer_plain(h, r->tag, 204, (struct str){ 0 }, NULL);
}

/* ---- a request ------------------------------------------------------------------------------ */

#define REFUSAL(text) "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"" text "\"}}"

int mgi_mcp_http_judge(const struct mcp_http *h, const struct mcp_request *r, uint64_t length,
                       const char **why, const char **allow)
{
    bool hosts, origins;
    struct str host = mgi_mcp_header(r, "Host", &hosts);
    struct str origin = mgi_mcp_header(r, "Origin", &origins);
    struct str version = mgi_mcp_header(r, "MCP-Protocol-Version", NULL);
    bool post = str_is(r->method, "POST");
    *why = *allow = NULL;
    if (hosts || !host.ptr || !mgi_mcp_host_is_ours(&h->o, host)) {
        *why = REFUSAL("the header Host does not name this server");
        return 403;
    }
    if (origins || (origin.ptr && !mgi_mcp_origin_is_ours(&h->o, origin))) {
        *why = REFUSAL("this Origin may not call here");
        return 403;
    }
    if (!post && ((!str_is(r->method, "GET") && !str_is(r->method, "DELETE")) ||
                  (version.ptr && mgi_mcp_is_modern(version)))) {
        *why = REFUSAL("a message comes by POST");
        *allow = "POST";
        return 405;
    }
    if (!post)
        return 0;
    if (!mgi_mcp_is_json(mgi_mcp_header(r, "Content-Type", NULL))) {
        *why = REFUSAL("Content-Type has to be application/json");
        return 415;
    }
    if (length > MCP_MESSAGE_BYTES) {
        *why = REFUSAL("a message has at most 10 MiB");
        return 413;
    }
    if (!mgi_mcp_accepts(r).json) {
        *why = REFUSAL("Accept has to name application/json, and text/event-stream for streams");
        return 406;
    }
    return 0;
}

void mgi_mcp_http_request(struct mcp_http *h, const struct mcp_request *r)
{
    const char *why, *allow;
    int status = mgi_mcp_http_judge(h, r, r->body.len, &why, &allow);
    if (status)
        answer_plain(h, r->tag, status, str_of(why), allow);
    else if (str_is(r->method, "POST"))
        take_post(h, r);
    else if (str_is(r->method, "GET"))
        take_get(h, r);
    else
        take_delete(h, r);
}

void mgi_mcp_http_gone(struct mcp_http *h, void *tag)
{
    struct exchange *x = h->exchanges;
    while (x && x->tag != tag)
        x = x->next;
    if (!x)
        return;
    struct mcp_peer *p = x->session ? x->session->peer : NULL;
    if (p)
        mgi_mcp_gone(p, x);
    drop_exchange(x); /* in r5 its peer goes with it: that cancels */
}

/* ---- time ----------------------------------------------------------------------------------- */

static bool is_idle(const struct session *s, int64_t now_ms)
{
    return s->exchanges == 0 && now_ms - s->used_ms >= MCP_HTTP_IDLE_MS;
}

static void keep_alive(struct exchange *x, int64_t now_ms)
{
    struct buf comment = { 0 };
    struct mcp_http *h = x->h;
    if (now_ms < x->due_ms)
        return;
    x->due_ms = now_ms + MCP_HTTP_ALIVE_MS;
    if (!x->can_stream)
        return;
    open_stream(x);
    mgi_sse_comment(&comment);
    if (!comment.oom)
        h->o.out.write(h->o.out.context, x->tag, mgi_buf_view(&comment));
    mgi_buf_fini(&comment);
}

/* The peers that have something to do, one after the other, from the beginning each time: what one
 * does may end others. */
static struct mcp_peer *find_due(struct mcp_http *h, int64_t now_ms)
{
    for (struct session *s = h->sessions; s; s = s->next)
        if (mgi_mcp_next_tick(s->peer) <= now_ms)
            return s->peer;
    for (struct exchange *x = h->exchanges; x; x = x->next)
        if (x->peer && mgi_mcp_next_tick(x->peer) <= now_ms)
            return x->peer;
    return NULL;
}

void mgi_mcp_http_tick(struct mcp_http *h)
{
    int64_t now_ms = now_of(h);
    for (struct mcp_peer *p; (p = find_due(h, now_ms)) != NULL;)
        mgi_mcp_tick(p);
    for (struct exchange *x = h->exchanges; x; x = x->next)
        keep_alive(x, now_ms);
    for (struct session *s = h->sessions, *next; s; s = next) {
        next = s->next;
        if (is_idle(s, now_ms))
            end_session(s);
    }
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t mgi_mcp_http_next_tick(const struct mcp_http *h)
{
    int64_t next = INT64_MAX;
    for (const struct exchange *x = h->exchanges; x; x = x->next) {
        next = earlier(next, x->due_ms);
        if (x->peer)
            next = earlier(next, mgi_mcp_next_tick(x->peer));
    }
    for (const struct session *s = h->sessions; s; s = s->next) {
        next = earlier(next, mgi_mcp_next_tick(s->peer));
        if (s->exchanges == 0)
            next = earlier(next, s->used_ms + MCP_HTTP_IDLE_MS);
    }
    return next;
}

/* ---- the whole ------------------------------------------------------------------------------ */

struct mcp_http *mgi_mcp_http_new(struct mcp_server *s, const struct mcp_http_options *options)
{
    struct mcp_http *h = mgi_calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->server = mgi_mcp_server_ref(s);
    h->o = *options;
    return h;
}

void mgi_mcp_http_free(struct mcp_http *h)
{
    if (!h)
        return;
    while (h->exchanges) {
        struct exchange *x = h->exchanges;
        if (x->session)
            mgi_mcp_gone(x->session->peer, x);
        drop_exchange(x);
    }
    while (h->sessions)
        drop_session(h->sessions);
    mgi_mcp_server_unref(h->server);
    mgi_free(h);
}

void mgi_mcp_http_serve(struct mcp_http *h, struct mcp_server *s)
{
    for (struct session *x = h->sessions; x; x = x->next)
        mgi_mcp_serve(x->peer, s);
    for (struct exchange *x = h->exchanges; x; x = x->next)
        if (x->peer)
            mgi_mcp_serve(x->peer, s);
    mgi_mcp_server_ref(s);
    mgi_mcp_server_unref(h->server);
    h->server = s;
}

void mgi_mcp_http_updated(struct mcp_http *h, struct str uri)
{
    for (struct session *x = h->sessions; x; x = x->next)
        mgi_mcp_updated(x->peer, uri);
    for (struct exchange *x = h->exchanges; x; x = x->next)
        if (x->peer)
            mgi_mcp_updated(x->peer, uri);
}

void mgi_mcp_http_drain(struct mcp_http *h)
{
    h->draining = true;
    for (struct exchange *x = h->exchanges, *next; x; x = next) {
        next = x->next;
        if (x->peer)
            mgi_mcp_drain(x->peer);
        else if (x->session && x->session->get == x)
            end_stream(x);
    }
    for (struct session *s = h->sessions; s; s = s->next)
        mgi_mcp_drain(s->peer);
}

size_t mgi_mcp_http_sessions(const struct mcp_http *h)
{
    return h->session_count;
}

size_t mgi_mcp_http_open(const struct mcp_http *h)
{
    return h->exchange_count;
}
