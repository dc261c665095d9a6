/* What comes in: a message is read, its era found, and it becomes a call, an answer to a question,
 * or nothing. */
#include "base/alloc.h"
#include "base/utf8.h"
#include "mcp/server_int.h"

struct mcp_peer *mgi_mcp_peer_new(struct mcp_server *s, const struct mcp_peer_options *options)
{
    struct mcp_peer *p = mgi_calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->server = mgi_mcp_server_ref(s);
    p->o = *options;
    p->level = s->d.level ? s->d.level : MCP_WARNING;
    p->log_second = -1;
    mgi_arena_init(&p->arena, 0);
    return p;
}

/* ---- cancelling ----------------------------------------------------------------------------- */

/* Its handler finishes it, later; nobody else has it, then it is over now. */
static void cancel_call(struct mcp_call *c)
{
    struct buf nothing = { 0 };
    if (c->cancelled)
        return;
    if (c->waiting)
        mgi_mcp_give_up(c);
    c->cancelled = true;
    if (!c->with_handler)
        mgi_mcp_finish(c, &nothing, RPC_FINE);
    else if (c->server && c->server->d.handlers.cancelled)
        c->server->d.handlers.cancelled(c->server->d.context, c);
}

static struct mcp_call *find_id(struct mcp_peer *p, const struct rpc_id *id)
{
    for (struct mcp_call *c = p->calls; c; c = c->next)
        if (mgi_rpc_id_equal(&c->id, id))
            return c;
    return NULL;
}

void mgi_mcp_peer_free(struct mcp_peer *p)
{
    if (!p || p->freed)
        return;
    mgi_mcp_enter(p);
    p->freed = true; /* nothing is sent any more */
    while (p->calls) {
        struct mcp_call *c = p->calls;
        if (c->batch)
            c->batch->gone = true;
        cancel_call(c);
        if (p->calls == c) { /* with its handler, which may take its time */
            p->calls = c->next;
            if (c->next)
                c->next->before = NULL;
            c->next = c->before = NULL;
            c->peer = NULL;
        }
    }
    mgi_mcp_leave(p);
}

/* Nobody hears what belongs to `tag` any more. */
static void leave_calls(struct mcp_peer *p, const void *tag, bool cancels)
{
    mgi_mcp_enter(p);
    for (bool again = true; again;) {
        again = false;
        for (struct mcp_call *c = p->calls; c && !again; c = c->next) {
            if (c->route.tag != tag || c->gone)
                continue;
            c->gone = again = true;
            if (c->batch)
                c->batch->gone = true;
            if (cancels || mgi_mcp_features(c->revision)->modern)
                cancel_call(c);
        }
    }
    mgi_mcp_leave(p);
}

void mgi_mcp_gone(struct mcp_peer *p, void *tag)
{
    leave_calls(p, tag, false);
}

void mgi_mcp_withdraw(struct mcp_peer *p, void *tag)
{
    leave_calls(p, tag, true);
}

/* ---- requests ------------------------------------------------------------------------------- */

static struct str kept_text(struct arena *a, const struct json *object, const char *name)
{
    const struct json *v = object ? mgi_json_get(object, name) : NULL;
    if (!v || v->type != JSON_STRING)
        return (struct str){ "", 0 };
    struct str kept = mgi_arena_str(a, mgi_utf8_prefix(v->string, 256));
    return kept.ptr ? kept : (struct str){ "", 0 };
}

static void read_self(struct arena *a, const struct json *client, struct mcp_self *out)
{
    out->name = kept_text(a, client, "name");
    out->version = kept_text(a, client, "version");
    out->title = kept_text(a, client, "title");
}

static bool is_object(const struct json *v)
{
    return v && v->type == JSON_OBJECT;
}

static void initialize(struct mcp_call *c)
{
    struct mcp_peer *p = c->peer;
    const struct json *version = c->params ? mgi_json_get(c->params, "protocolVersion") : NULL;
    const struct json *can = c->params ? mgi_json_get(c->params, "capabilities") : NULL;
    const struct json *client = c->params ? mgi_json_get(c->params, "clientInfo") : NULL;
    if (p->state != PEER_NEW) {
        mgi_mcp_fail_with(c, RPC_INVALID_REQUEST, "this connection was initialized before");
        return;
    }
    if (!version || version->type != JSON_STRING || !is_object(can) || !is_object(client)) {
        mgi_mcp_fail_with(c, RPC_INVALID_PARAMS,
                          "params needs protocolVersion, capabilities and clientInfo");
        return;
    }
    enum mcp_revision revision = mgi_mcp_offer(version->string);
    struct buf out = { 0 };
    struct json_writer w;
    mgi_rpc_begin_result(&w, &out, &c->id);
    mgi_jw_raw(&w, p->server->greeting[revision]);
    mgi_rpc_end(&w);
    if (!out.oom) { /* who is told that it failed may try again */
        p->revision = revision;
        p->state = PEER_GREETED;
        mgi_mcp_client_can(can, &p->can);
        read_self(&p->arena, client, &p->client);
    }
    mgi_mcp_finish(c, &out, RPC_FINE);
}

static void link_call(struct mcp_call *c, struct mcp_peer *p)
{
    c->peer = p;
    c->next = p->calls;
    if (p->calls)
        p->calls->before = c;
    p->calls = c;
    p->call_count++;
    c->held = c->arena.used;
    p->held += c->held;
    if (c->batch)
        c->batch->left++;
}

/* What r5 says with each request. False: it was answered. */
static bool enter_modern(struct mcp_call *c, const struct mcp_envelope *e)
{
    struct buf data = { 0 };
    struct json_writer w;
    c->revision = MCP_R5;
    if (e->claim == MCP_BAD_CLAIM) {
        mgi_mcp_fail_with(c, RPC_INVALID_PARAMS, "%s", e->why);
        return false;
    }
    if (mgi_mcp_revision(e->version) != MCP_R5) {
        mgi_json_writer_init(&w, &data, 0);
        mgi_mcp_write_unsupported(&w, e->version);
        mgi_mcp_finish_error(c, RPC_UNSUPPORTED_VERSION,
                             STR_LIT("this version is not spoken in requests of its own"),
                             data.oom ? (struct str){ 0 } : mgi_buf_view(&data));
        mgi_buf_fini(&data);
        return false;
    }
    mgi_mcp_client_can(e->capabilities, &c->can);
    read_self(&c->arena, e->client, &c->client);
    c->level = e->has_level ? mgi_mcp_level(e->level) : MCP_NO_LEVEL;
    if (e->has_level && c->level == MCP_NO_LEVEL) {
        mgi_mcp_fail_with(c, RPC_INVALID_PARAMS, "params._meta: " META_LOG_LEVEL " is no level");
        return false;
    }
    return true;
}

static bool enter_legacy(struct mcp_call *c)
{
    struct mcp_peer *p = c->peer;
    c->revision = p->state == PEER_NEW ? MCP_NEWEST_LEGACY : p->revision;
    c->can = p->can;
    c->client = p->client;
    if (p->o.modern_alone) {
        mgi_mcp_fail_with(c, RPC_INVALID_PARAMS,
                          "params._meta needs " META_VERSION " and " META_CAPABILITIES);
        return false;
    }
    if (p->state == PEER_NEW && !str_is(c->method, "ping") && !str_is(c->method, "initialize")) {
        mgi_mcp_fail_with(
            c, RPC_INVALID_REQUEST,
            "not initialized: send initialize first, or params._meta with " META_VERSION);
        return false;
    }
    return true;
}

static void choose(struct mcp_call *c)
{
    const struct mcp_description *d = &c->peer->server->d;
    if (!d->handlers.choose) {
        c->row->run(c);
        return;
    }
    c->server = mgi_mcp_server_ref(c->peer->server);
    c->with_handler = true;
    d->handlers.choose(d->context, c);
}

void mgi_mcp_answer_as(struct mcp_call *c, struct mcp_server *s)
{
    struct mcp_peer *p = c->peer;
    if (!p || c->cancelled) {
        mgi_mcp_drop(c);
        return;
    }
    mgi_mcp_server_ref(s);
    mgi_mcp_server_unref(c->server);
    c->server = s;
    c->with_handler = false;
    mgi_mcp_enter(p);
    c->row->run(c);
    mgi_mcp_leave(p);
}

static void dispatch(struct mcp_call *c)
{
    const struct mcp_method *extension;
    bool legacy = !mgi_mcp_features(c->revision)->modern;
    if (legacy && str_is(c->method, "initialize")) {
        initialize(c);
        return;
    }
    c->row = mgi_mcp_method(c->peer->server, c->revision, c->method, &extension);
    if (c->row && c->row->of_lists) {
        choose(c);
    } else if (c->row) {
        c->row->run(c);
    } else if (extension) {
        c->name = c->method;
        c->handler = extension->run;
        mgi_mcp_run(c);
    } else {
        struct str shown = mgi_utf8_prefix(c->method, 128);
        mgi_mcp_fail_with(c, RPC_METHOD_NOT_FOUND, "there is no method \"%.*s\" here",
                          STR_ARG(shown));
    }
}

static void take_request(struct mcp_peer *p, struct mcp_call *c, const struct rpc_message *m)
{
    struct mcp_envelope e;
    bool known = find_id(p, &m->id) != NULL;
    c->id = m->id;
    c->method = m->method;
    c->params = m->params;
    link_call(c, p);
    mgi_mcp_envelope(m->params, &e);
    c->token = e.progress_token;
    /* X-COMPAT-1: `initialize` with an envelope that is none, or of no modern version, is legacy.
     */
    bool modern = e.claim != MCP_NO_CLAIM;
    if (str_is(m->method, "initialize") && !(e.claim == MCP_CLAIM && mgi_mcp_is_modern(e.version)))
        modern = false;
    if (modern ? !enter_modern(c, &e) : !enter_legacy(c))
        return;
    if (modern && c->batch)
        mgi_mcp_fail_with(c, RPC_INVALID_REQUEST,
                          "a request of this revision comes alone, not in an array");
    else if (known)
        mgi_mcp_fail_with(c, RPC_INVALID_REQUEST, "a request with this id is under way");
    else if (p->call_count > MCP_PEER_CALLS)
        mgi_mcp_fail_with(c, RPC_INTERNAL, "there are too many requests under way");
    else if (p->held > MCP_PEER_BYTES && p->held > c->held)
        mgi_mcp_fail_with(c, RPC_INTERNAL, "the requests under way are too large together");
    else if (p->draining)
        mgi_mcp_fail_with(c, RPC_INTERNAL, "the server is about to stop");
    else
        dispatch(c);
}

/* ---- notifications -------------------------------------------------------------------------- */

static void hear_notification(struct mcp_peer *p, const struct rpc_message *m)
{
    if (str_is(m->method, "notifications/initialized") && p->state == PEER_GREETED) {
        unsigned changes = p->changes;
        p->state = PEER_READY;
        p->changes = 0;
        mgi_mcp_ask_held_back(p);
        mgi_mcp_tell_changes(p, changes);
        return;
    }
    if (!str_is(m->method, "notifications/cancelled") || p->o.modern_alone)
        return;
    struct rpc_id id;
    const struct json *named = m->params ? mgi_json_get(m->params, "requestId") : NULL;
    struct mcp_call *c = mgi_rpc_id_read(named, &id) ? find_id(p, &id) : NULL;
    if (c)
        cancel_call(c);
}

/* ---- messages ------------------------------------------------------------------------------- */

static void send_fault(struct mcp_peer *p, const struct rpc_fault *f, const struct mcp_route *route,
                       struct batch *b)
{
    struct buf out = { 0 };
    mgi_rpc_error(&out, &f->id, f->code, str_of(f->message), (struct str){ 0 });
    if (b)
        b->left++;
    mgi_mcp_send_answer(p, route, b, out.oom ? (struct str){ 0 } : mgi_buf_view(&out), f->code,
                        false);
    mgi_buf_fini(&out);
}

/* Takes over `c`, which holds the arena that `v` is in. */
static bool take_message(struct mcp_peer *p, struct mcp_call *c, const struct json *v,
                         const struct mcp_route *route, struct batch *b)
{
    struct rpc_message m;
    struct rpc_fault fault;
    if (mgi_rpc_read(v, &m, &fault) && m.kind == RPC_REQUEST) {
        c->route = *route;
        c->batch = b;
        take_request(p, c, &m);
        return true;
    }
    bool answered = fault.code != RPC_FINE && !fault.is_answer;
    if (answered)
        send_fault(p, &fault, route, b);
    else if (fault.code == RPC_FINE && m.kind == RPC_NOTIFICATION)
        hear_notification(p, &m);
    else if (fault.code == RPC_FINE)
        mgi_mcp_take_answer(p, &m);
    mgi_mcp_call_free(c);
    return answered;
}

static bool take_text(struct mcp_peer *p, struct str text, const struct mcp_route *route,
                      struct batch *b);

/* As if each had come alone (X-RPC-10). */
static bool take_batch(struct mcp_peer *p, const struct json *v, const struct mcp_route *route)
{
    struct rpc_fault fault;
    struct batch *b = mgi_calloc(1, sizeof *b);
    if (!b) {
        fault = (struct rpc_fault){ .code = RPC_INTERNAL, .message = "memory is short" };
        send_fault(p, &fault, route, NULL);
        return true;
    }
    b->left = 1;
    b->none = true;
    b->route = *route;
    b->text.limit = MCP_WRITE_BYTES;
    bool answered = false;
    /* An answer to a question of ours may end a call, and that the peer. */
    for (uint32_t i = 0; i < v->count && !p->freed; i++)
        answered = take_text(p, v->items[i].text, route, b) || answered;
    if (!answered)
        b->gone = true; /* nobody waits for it */
    mgi_mcp_batch_done(p, b);
    return answered;
}

static struct mcp_call *new_call(struct str text, struct json **v, struct rpc_fault *fault)
{
    struct mcp_call *c = mgi_calloc(1, sizeof *c);
    *fault = (struct rpc_fault){ .code = RPC_INTERNAL, .message = "memory is short" };
    if (!c)
        return NULL;
    mgi_arena_init(&c->arena, MCP_READ_BYTES);
    c->no_arguments = (struct json){ .type = JSON_OBJECT, .text = STR_LIT("{}") };
    c->arguments = &c->no_arguments;
    struct str kept = mgi_arena_str(&c->arena, text);
    *v = mgi_arena_alloc(&c->arena, sizeof **v);
    if (kept.ptr && *v && mgi_rpc_parse(&c->arena, kept, *v, fault))
        return c;
    mgi_mcp_call_free(c);
    return NULL;
}

static bool take_text(struct mcp_peer *p, struct str text, const struct mcp_route *route,
                      struct batch *b)
{
    struct rpc_fault fault;
    struct json *v;
    struct mcp_call *c = new_call(text, &v, &fault);
    if (!c) {
        send_fault(p, &fault, route, b);
        return true;
    }
    bool may_batch = !b && p->state != PEER_NEW && mgi_mcp_features(p->revision)->batches;
    if (v->type != JSON_ARRAY || !may_batch)
        return take_message(p, c, v, route, b);
    bool answered = true;
    if (mgi_rpc_batch(v, &fault))
        answered = take_batch(p, v, route);
    else
        send_fault(p, &fault, route, NULL);
    mgi_mcp_call_free(c);
    return answered;
}

bool mgi_mcp_receive(struct mcp_peer *p, struct str text, const struct mcp_route *route)
{
    struct rpc_fault fault = { .code = RPC_INVALID_REQUEST,
                               .message = "a message has at most 10 MiB" };
    bool answered = true;
    mgi_mcp_enter(p);
    if (text.len > MCP_MESSAGE_BYTES)
        send_fault(p, &fault, route, NULL);
    else
        answered = take_text(p, text, route, NULL);
    mgi_mcp_leave(p);
    return answered;
}

/* ---- time ----------------------------------------------------------------------------------- */

static int64_t question_due(const struct mcp_call *c)
{
    return c->deadline_ms < c->beat_ms ? c->deadline_ms : c->beat_ms;
}

static struct mcp_call *find_due(struct mcp_peer *p, int64_t now_ms)
{
    for (struct mcp_call *c = p->calls; c; c = c->next)
        if (c->waiting && question_due(c) <= now_ms)
            return c;
    return NULL;
}

void mgi_mcp_tick(struct mcp_peer *p)
{
    int64_t now_ms = p->o.now_ms(p->o.context);
    mgi_mcp_enter(p);
    for (struct mcp_call *c = p->calls; c; c = c->next)
        mgi_mcp_tick_progress(c, now_ms);
    /* From the beginning each time: a handler that is called may end other calls. */
    for (struct mcp_call *c; (c = find_due(p, now_ms)) != NULL;)
        mgi_mcp_tick_questions(c, now_ms);
    mgi_mcp_leave(p);
}

int64_t mgi_mcp_next_tick(const struct mcp_peer *p)
{
    int64_t next = INT64_MAX;
    for (const struct mcp_call *c = p->calls; c; c = c->next) {
        if (c->pending.len > 0 && c->progress_due_ms < next)
            next = c->progress_due_ms;
        if (c->waiting && question_due(c) < next)
            next = question_due(c);
    }
    return next;
}

/* ---- the whole ------------------------------------------------------------------------------ */

void mgi_mcp_serve(struct mcp_peer *p, struct mcp_server *s)
{
    unsigned lists = 0;
    for (int k = 0; k < LIST_KINDS; k++)
        if (strcmp(p->server->lists[MCP_R5][k].version, s->lists[MCP_R5][k].version) != 0)
            lists |= 1u << k;
    mgi_mcp_enter(p);
    mgi_mcp_server_ref(s);
    mgi_mcp_server_unref(p->server);
    p->server = s;
    if (p->state == PEER_GREETED)
        p->changes |= lists;
    mgi_mcp_tell_changes(p, lists);
    mgi_mcp_leave(p);
}

static struct mcp_call *find_listening(struct mcp_peer *p)
{
    struct mcp_call *c = p->calls;
    while (c && !c->listening)
        c = c->next;
    return c;
}

void mgi_mcp_drain(struct mcp_peer *p)
{
    mgi_mcp_enter(p);
    p->draining = true;
    for (struct mcp_call *c; (c = find_listening(p)) != NULL;)
        mgi_mcp_end_listening(c);
    mgi_mcp_leave(p);
}

enum mcp_revision mgi_mcp_peer_revision(const struct mcp_peer *p)
{
    return p->revision;
}

size_t mgi_mcp_calls(const struct mcp_peer *p)
{
    return p->call_count;
}

size_t mgi_mcp_held(const struct mcp_peer *p)
{
    return p->held;
}

void *mgi_mcp_peer_context(const struct mcp_peer *p)
{
    return p->o.context;
}
