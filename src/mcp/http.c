/* The endpoint: what a request is, and which session or exchange it belongs to. */
#include "mcp/http.h"

#include "base/alloc.h"
#include "mcp/http_int.h"

/* ---- what a request belongs to -------------------------------------------------------------- */

/* The session that a request names; NULL: it was answered (X-HTTP-15, -17). */
static struct session *require_session(struct mcp_http *h, const struct mcp_request *r,
                                       const struct rpc_id *id)
{
    struct str name = mgi_mcp_header(r, "Mcp-Session-Id", NULL);
    struct str version = mgi_mcp_header(r, "MCP-Protocol-Version", NULL);
    if (!name.ptr) {
        mgi_mcp_answer_error(h, r->tag, 400, id, RPC_INVALID_REQUEST,
                             "the header Mcp-Session-Id is missing: initialize gives one");
        return NULL;
    }
    struct session *s = mgi_mcp_find_session(h, name, r->principal);
    if (!s) {
        mgi_mcp_answer_error(h, r->tag, 404, id, RPC_INVALID_REQUEST, "there is no such session");
        return NULL;
    }
    if (version.ptr && mgi_mcp_revision(version) != mgi_mcp_peer_revision(s->peer)) {
        mgi_mcp_answer_error(h, r->tag, 400, id, RPC_INVALID_REQUEST,
                             "the header MCP-Protocol-Version is not the session's version");
        return NULL;
    }
    s->used_ms = mgi_mcp_http_now(h);
    return s;
}

static void send_modern(void *context, const struct mcp_outgoing *m)
{
    struct exchange *x = context;
    if (m->what != MCP_SENT_ALONE)
        mgi_mcp_deliver(x, m);
}

static int64_t now_modern(void *context)
{
    return mgi_mcp_http_now(((struct exchange *)context)->h);
}

/* ---- POST ----------------------------------------------------------------------------------- */

/* `id`: of a request, which may have to wait; NULL: of what never does. */
static void receive_legacy(struct mcp_http *h, struct session *s, const struct mcp_request *r,
                           const struct rpc_id *id)
{
    if (id && s->exchanges >= MCP_HTTP_SESSION_STREAMS) {
        mgi_mcp_answer_error(h, r->tag, 429, id, RPC_INTERNAL,
                             "too many requests of this session are under way");
        return;
    }
    struct exchange *x = mgi_mcp_add_exchange(h, r, s);
    if (!x)
        return;
    struct mcp_route route = { .tag = x, .caller = r->caller, .quiet = !x->can_stream };
    if (mgi_mcp_receive(s->peer, r->body, &route))
        return;
    mgi_mcp_drop_exchange(x);
    mgi_mcp_answer_plain(h, r->tag, 202, (struct str){ 0 }, NULL);
}

static void open_session(struct mcp_http *h, const struct mcp_request *r, const struct rpc_id *id)
{
    struct str version = mgi_mcp_header(r, "MCP-Protocol-Version", NULL);
    if (version.ptr && mgi_mcp_is_modern(version)) {
        mgi_mcp_answer_error(h, r->tag, 400, id, RPC_HEADER_MISMATCH,
                             "the header MCP-Protocol-Version is of a revision without initialize");
        return;
    }
    if (mgi_mcp_header(r, "Mcp-Session-Id", NULL).ptr) {
        struct session *s = require_session(h, r, id);
        if (s)
            receive_legacy(h, s, r, id);
        return;
    }
    if (h->draining || h->session_count >= MCP_HTTP_SESSIONS) {
        mgi_mcp_answer_error(h, r->tag, 503, id, RPC_INTERNAL, "there are too many sessions");
        return;
    }
    if (mgi_mcp_sessions_of(h, r->principal) >= MCP_HTTP_PRINCIPAL_SESSIONS) {
        mgi_mcp_answer_error(h, r->tag, 429, id, RPC_INTERNAL, "you have too many sessions");
        return;
    }
    struct session *s = mgi_mcp_add_session(h, r);
    if (!s) {
        mgi_mcp_answer_error(h, r->tag, 500, id, RPC_INTERNAL, "no session could be made");
        return;
    }
    receive_legacy(h, s, r, id);
    /* It is answered already. A handshake that failed leaves no session behind. */
    if (mgi_mcp_peer_revision(s->peer) == MCP_NONE)
        mgi_mcp_end_session(s);
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
    mgi_mcp_answer_plain(h, r->tag, out.oom ? 500 : status,
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
    if (h->draining || h->modern_count >= MCP_HTTP_EXCHANGES) {
        mgi_mcp_answer_error(h, r->tag, 503, &m->id, RPC_INTERNAL, "there are too many requests");
        return;
    }
    if (mgi_mcp_exchanges_of(h, r->principal) >= MCP_HTTP_PRINCIPAL_EXCHANGES) {
        mgi_mcp_answer_error(h, r->tag, 429, &m->id, RPC_INTERNAL,
                             "you have too many requests under way");
        return;
    }
    if (str_is(m->method, "subscriptions/listen") && !mgi_mcp_accepts(r).stream) {
        mgi_mcp_answer_error(h, r->tag, 406, &m->id, RPC_INVALID_REQUEST,
                             "a subscription needs Accept: text/event-stream");
        return;
    }
    struct exchange *x = mgi_mcp_add_exchange(h, r, NULL);
    if (!x)
        return;
    struct mcp_peer_options o = {
        .context = x, .send = send_modern, .now_ms = now_modern, .modern_alone = true
    };
    struct mcp_peer *p = x->peer = mgi_mcp_peer_new(h->server, &o);
    if (!p) {
        mgi_mcp_drop_exchange(x);
        mgi_mcp_answer_plain(h, r->tag, 500, (struct str){ 0 }, NULL);
        return;
    }
    struct mcp_route route = { .tag = x, .caller = r->caller, .quiet = !x->can_stream };
    mgi_mcp_receive(p, r->body, &route);
}

static void take_legacy(struct mcp_http *h, const struct mcp_request *r, const struct rpc_id *id)
{
    struct session *s = require_session(h, r, id);
    if (s)
        receive_legacy(h, s, r, id);
}

static void take_posted(struct mcp_http *h, const struct mcp_request *r,
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
        mgi_mcp_answer_error(h, r->tag, 400, &m->id, RPC_INVALID_PARAMS,
                             "params._meta needs " META_VERSION " and " META_CAPABILITIES);
    else if (m->kind == RPC_NOTIFICATION && (claims || is_modern))
        mgi_mcp_answer_plain(h, r->tag, 202, (struct str){ 0 }, NULL); /* X-HTTP-25 */
    else
        take_legacy(h, r, m->kind == RPC_REQUEST ? &m->id : NULL);
}

static size_t held_bytes(const struct mcp_http *h)
{
    size_t bytes = 0;
    for (const struct session *s = h->sessions; s; s = s->next)
        bytes += mgi_mcp_held(s->peer);
    for (const struct exchange *x = h->exchanges; x; x = x->next)
        bytes += x->peer ? mgi_mcp_held(x->peer) : 0;
    return bytes;
}

static void take_post(struct mcp_http *h, const struct mcp_request *r)
{
    struct arena a;
    struct json v;
    struct rpc_message m;
    struct rpc_fault fault;
    const struct rpc_id none = { 0 };
    if (r->body.len > MCP_HTTP_SMALL_BYTES && held_bytes(h) + r->body.len > MCP_HTTP_HELD_BYTES) {
        mgi_mcp_answer_error(h, r->tag, 503, NULL, RPC_INTERNAL, "too much is under way");
        return;
    }
    mgi_arena_init(&a, MCP_READ_BYTES);
    bool fine = mgi_rpc_parse(&a, r->body, &v, &fault);
    if (fine && v.type == JSON_ARRAY && mgi_mcp_header(r, "Mcp-Session-Id", NULL).ptr)
        take_legacy(h, r, &none);
    else if (fine && mgi_rpc_read(&v, &m, &fault))
        take_posted(h, r, &m);
    else
        mgi_mcp_answer_error(h, r->tag, fault.no_memory ? 500 : 400, &fault.id, fault.code,
                             fault.message);
    mgi_arena_fini(&a);
}

/* ---- GET and DELETE ------------------------------------------------------------------------- */

static void take_get(struct mcp_http *h, const struct mcp_request *r)
{
    struct session *s = require_session(h, r, NULL);
    if (!s)
        return;
    if (!mgi_mcp_accepts(r).stream) {
        mgi_mcp_answer_error(h, r->tag, 406, NULL, RPC_INVALID_REQUEST,
                             "Accept has to name text/event-stream");
        return;
    }
    if (s->get) {
        mgi_mcp_answer_error(h, r->tag, 409, NULL, RPC_INVALID_REQUEST,
                             "this session has a stream already");
        return;
    }
    struct exchange *x = mgi_mcp_add_exchange(h, r, s);
    if (!x)
        return;
    s->get = x;
    mgi_mcp_open_stream(x);
    mgi_mcp_write_comment(x);
}

static void take_delete(struct mcp_http *h, const struct mcp_request *r)
{
    struct session *s = require_session(h, r, NULL);
    if (!s)
        return;
    mgi_mcp_end_session(s);
    mgi_mcp_answer_plain(h, r->tag, 204, (struct str){ 0 }, NULL);
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
    size_t head = 0;
    *why = *allow = NULL;
    for (size_t i = 0; i < r->header_count; i++)
        head += r->headers[i].name.len + r->headers[i].value.len + 4;
    if (head > MCP_HTTP_HEAD_BYTES) {
        *why = REFUSAL("a head has at most 16 KiB");
        return 431;
    }
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
        mgi_mcp_answer_plain(h, r->tag, status, str_of(why), allow);
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
    mgi_mcp_drop_exchange(x); /* in r5 its peer goes with it: that cancels */
}

void mgi_mcp_http_sift(struct mcp_http *h, const struct mcp_sieve *sieve)
{
    for (struct exchange *x = h->exchanges; x; x = h->next_up) {
        h->next_up = x->next;
        if (!sieve->stays(sieve->context, x->tag))
            mgi_mcp_refuse_exchange(x);
    }
    for (struct session *s = h->sessions, *next; s; s = next) {
        next = s->next;
        if (!sieve->is_known(sieve->context, mgi_buf_view(&s->principal)))
            mgi_mcp_end_session(s);
    }
}

/* ---- time ----------------------------------------------------------------------------------- */

static bool is_idle(const struct session *s, int64_t now_ms)
{
    return s->exchanges == 0 && now_ms - s->used_ms >= MCP_HTTP_IDLE_MS;
}

static void keep_alive(struct exchange *x, int64_t now_ms)
{
    if (now_ms < x->due_ms)
        return;
    x->due_ms = now_ms + MCP_HTTP_ALIVE_MS;
    if (!x->can_stream)
        return;
    mgi_mcp_open_stream(x);
    mgi_mcp_write_comment(x);
}

static void tick_due(struct mcp_peer *p, int64_t now_ms)
{
    if (p && mgi_mcp_next_tick(p) <= now_ms)
        mgi_mcp_tick(p);
}

static void tick_exchange(struct exchange *x, int64_t now_ms)
{
    if (x->until_ms && x->until_ms <= now_ms)
        mgi_mcp_refuse_exchange(x);
    else
        tick_due(x->peer, now_ms);
}

/* What a peer does may end any exchange, but no session. */
static void tick_peers(struct mcp_http *h, int64_t now_ms)
{
    for (struct session *s = h->sessions; s; s = s->next)
        tick_due(s->peer, now_ms);
    for (struct exchange *x = h->exchanges; x; x = h->next_up) {
        h->next_up = x->next;
        tick_exchange(x, now_ms);
    }
}

void mgi_mcp_http_tick(struct mcp_http *h)
{
    int64_t now_ms = mgi_mcp_http_now(h);
    tick_peers(h, now_ms);
    for (struct exchange *x = h->exchanges; x; x = x->next)
        keep_alive(x, now_ms);
    for (struct session *s = h->sessions, *next; s; s = next) {
        next = s->next;
        if (is_idle(s, now_ms))
            mgi_mcp_end_session(s);
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
        if (x->until_ms)
            next = earlier(next, x->until_ms);
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
        mgi_mcp_drop_exchange(x);
    }
    while (h->sessions)
        mgi_mcp_drop_session(h->sessions);
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

void mgi_mcp_http_changed(struct mcp_http *h, struct str principal, const struct mcp_server *was,
                          const struct mcp_server *is)
{
    for (struct session *x = h->sessions; x; x = x->next)
        if (str_eq(mgi_buf_view(&x->principal), principal))
            mgi_mcp_changed(x->peer, was, is);
    for (struct exchange *x = h->exchanges; x; x = x->next)
        if (x->peer && str_eq(mgi_buf_view(&x->principal), principal))
            mgi_mcp_changed(x->peer, was, is);
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
            mgi_mcp_end_stream(x);
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
