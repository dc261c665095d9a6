/* Who is told what has changed: subscriptions of r5, each a call that stays open; and before that,
 * everybody who is ready, and URIs that are watched. */
#include "base/alloc.h"
#include "mcp/server_int.h"

static const struct {
    const char *method;
    unsigned lists;
} changes[] = {
    { "notifications/tools/list_changed", 1u << LIST_TOOLS },
    { "notifications/prompts/list_changed", 1u << LIST_PROMPTS },
    { "notifications/resources/list_changed", 1u << LIST_RESOURCES | 1u << LIST_TEMPLATES },
};
enum { CHANGE_KINDS = sizeof changes / sizeof *changes };

static bool offers(const struct mcp_description *d, size_t kind)
{
    const struct mcp_handlers *h = &d->handlers;
    return kind == 0   ? h->tool && d->tools_change
           : kind == 1 ? h->prompt && d->prompts_change
                       : h->resource && d->resources_change;
}

static bool listens(const struct mcp_call *c, size_t kind)
{
    return kind == 0 ? c->on_tools : kind == 1 ? c->on_prompts : c->on_resources;
}

/* ---- notifications of a subscription -------------------------------------------------------- */

static void begin_told(struct json_writer *w, struct buf *out, const struct mcp_call *c,
                       const char *method)
{
    mgi_rpc_begin(w, out, NULL, method);
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "_meta");
    mgi_jw_begin_object(w);
    mgi_jw_key(w, META_SUBSCRIPTION);
    mgi_rpc_id_write(w, &c->id);
    mgi_jw_end_object(w);
}

static void end_told(struct json_writer *w, struct buf *out, struct mcp_call *c)
{
    mgi_jw_end_object(w);
    mgi_rpc_end(w);
    if (!out->oom)
        mgi_mcp_send_related(c, mgi_buf_view(out));
    mgi_buf_fini(out);
}

static void write_acknowledged(struct buf *out, const struct mcp_call *c)
{
    struct json_writer w;
    begin_told(&w, out, c, "notifications/subscriptions/acknowledged");
    mgi_jw_key(&w, "notifications");
    mgi_jw_begin_object(&w);
    if (c->on_tools)
        mgi_jw_member_bool(&w, "toolsListChanged", true);
    if (c->on_prompts)
        mgi_jw_member_bool(&w, "promptsListChanged", true);
    if (c->on_resources)
        mgi_jw_member_bool(&w, "resourcesListChanged", true);
    if (c->uri_count > 0)
        mgi_jw_member_strs(&w, "resourceSubscriptions", c->uris, c->uri_count);
    mgi_jw_end_object(&w);
    mgi_jw_end_object(&w);
    mgi_rpc_end(&w);
}

/* ---- subscriptions/listen ------------------------------------------------------------------- */

static bool read_flag(const struct json *filter, const char *name, bool *fine)
{
    const struct json *v = mgi_json_get(filter, name);
    if (v && v->type != JSON_BOOL)
        *fine = false;
    return v && v->type == JSON_BOOL && v->boolean;
}

static bool read_uris(struct mcp_call *c, const struct json *list)
{
    const struct mcp_description *d = &c->peer->server->d;
    if (!list)
        return true;
    if (list->type != JSON_ARRAY)
        return false;
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].type != JSON_STRING || list->items[i].string.len > MCP_URI_BYTES)
            return false;
    if (!d->handlers.watchable)
        return true;
    if (list->count > MCP_PEER_URIS)
        return false;
    c->uris = mgi_arena_calloc(&c->arena, list->count + 1, sizeof *c->uris);
    for (uint32_t i = 0; c->uris && i < list->count; i++)
        if (d->handlers.watchable(d->context, list->items[i].string))
            c->uris[c->uri_count++] = list->items[i].string;
    return true;
}

static bool read_filter(struct mcp_call *c)
{
    const struct mcp_description *d = &c->peer->server->d;
    const struct json *filter = mgi_json_get(c->params, "notifications");
    bool fine = filter && filter->type == JSON_OBJECT;
    if (!fine)
        return false;
    c->on_tools = read_flag(filter, "toolsListChanged", &fine) && offers(d, 0);
    c->on_prompts = read_flag(filter, "promptsListChanged", &fine) && offers(d, 1);
    c->on_resources = read_flag(filter, "resourcesListChanged", &fine) && offers(d, 2);
    return fine && read_uris(c, mgi_json_get(filter, "resourceSubscriptions"));
}

void mgi_mcp_end_listening(struct mcp_call *c)
{
    struct buf meta = { 0 };
    struct json_writer w;
    struct answer a;
    mgi_json_writer_init(&w, &meta, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, META_SUBSCRIPTION);
    mgi_rpc_id_write(&w, &c->id);
    mgi_jw_end_object(&w);
    mgi_mcp_begin_answer(&a, c, "complete");
    mgi_mcp_end_answer(&a, meta.oom ? (struct str){ 0 } : mgi_buf_view(&meta));
    mgi_buf_fini(&meta);
}

void mgi_mcp_listen(struct mcp_call *c)
{
    struct mcp_peer *p = c->peer;
    if (!read_filter(c)) {
        c->uri_count = 0;
        mgi_mcp_fail_with(
            c, RPC_INVALID_PARAMS,
            "notifications is no object of flags and at most %d resourceSubscriptions "
            "of at most %d bytes",
            MCP_PEER_URIS, MCP_URI_BYTES);
        return;
    }
    if (p->listen_count >= MCP_PEER_LISTENERS || p->uri_count + c->uri_count > MCP_PEER_URIS) {
        c->uri_count = 0;
        mgi_mcp_fail_with(c, RPC_INTERNAL, "there are too many subscriptions");
        return;
    }
    struct buf acknowledged = { 0 };
    write_acknowledged(&acknowledged, c);
    if (acknowledged.oom || c->arena.oom) {
        c->uri_count = 0;
        mgi_mcp_fail_with(c, RPC_INTERNAL, "memory is short");
        mgi_buf_fini(&acknowledged);
        return;
    }
    c->listening = true;
    p->call_count--;
    p->listen_count++;
    p->uri_count += c->uri_count;
    mgi_mcp_send_related(c, mgi_buf_view(&acknowledged));
    mgi_buf_fini(&acknowledged);
    bool empty = !c->on_tools && !c->on_prompts && !c->on_resources && c->uri_count == 0;
    if (empty && p->o.modern_alone)
        mgi_mcp_end_listening(c);
}

/* ---- resources/subscribe -------------------------------------------------------------------- */

static size_t find_watched(const struct mcp_peer *p, struct str uri)
{
    size_t i = 0;
    while (i < p->watched_count && !str_eq(mgi_buf_view(&p->watched[i]), uri))
        i++;
    return i;
}

static bool add_watched(struct mcp_peer *p, struct str uri)
{
    struct buf kept = { 0 };
    mgi_buf_str(&kept, uri);
    if (kept.oom ||
        !mgi_grow(&p->watched, &p->watched_cap, p->watched_count + 1, sizeof *p->watched)) {
        mgi_buf_fini(&kept);
        return false;
    }
    p->watched[p->watched_count++] = kept;
    p->uri_count++;
    return true;
}

void mgi_mcp_watch(struct mcp_call *c)
{
    struct mcp_peer *p = c->peer;
    const struct mcp_description *d = &p->server->d;
    if (!d->handlers.watchable(d->context, c->name))
        mgi_mcp_fail_not_found(c);
    else if (find_watched(p, c->name) < p->watched_count)
        mgi_mcp_answer_members(c, (struct str){ 0 }, -1, MCP_PUBLIC);
    else if (p->uri_count >= MCP_PEER_URIS)
        mgi_mcp_fail_with(c, RPC_INTERNAL, "there are too many subscriptions");
    else if (!add_watched(p, c->name))
        mgi_mcp_fail_with(c, RPC_INTERNAL, "memory is short");
    else
        mgi_mcp_answer_members(c, (struct str){ 0 }, -1, MCP_PUBLIC);
}

void mgi_mcp_unwatch(struct mcp_call *c)
{
    struct mcp_peer *p = c->peer;
    size_t at = find_watched(p, c->name);
    if (at < p->watched_count) {
        mgi_buf_fini(&p->watched[at]);
        p->watched[at] = p->watched[--p->watched_count];
        p->uri_count--;
    }
    mgi_mcp_answer_members(c, (struct str){ 0 }, -1, MCP_PUBLIC);
}

/* ---- what has changed ----------------------------------------------------------------------- */

void mgi_mcp_tell_changes(struct mcp_peer *p, unsigned lists)
{
    for (size_t k = 0; k < CHANGE_KINDS; k++) {
        if (!(lists & changes[k].lists) || !offers(&p->server->d, k))
            continue;
        struct buf out = { 0 };
        for (struct mcp_call *c = p->calls; c; c = c->next) {
            struct json_writer w;
            if (!c->listening || !listens(c, k))
                continue;
            begin_told(&w, &out, c, changes[k].method);
            end_told(&w, &out, c);
        }
        if (p->state != PEER_READY)
            continue;
        mgi_rpc_bare(&out, NULL, changes[k].method);
        if (!out.oom)
            mgi_mcp_send_alone(p, mgi_buf_view(&out));
        mgi_buf_fini(&out);
    }
}

/* The resource itself, or a part of what is watched (X-RES-7). */
static bool covers(struct str watched, struct str uri)
{
    return mgi_str_starts(uri, watched) &&
           (uri.len == watched.len || mgi_str_ends(watched, STR_LIT("/")) ||
            uri.ptr[watched.len] == '/');
}

static bool is_watched(const struct mcp_call *c, struct str uri)
{
    for (size_t i = 0; i < c->uri_count; i++)
        if (covers(c->uris[i], uri))
            return true;
    return false;
}

void mgi_mcp_updated(struct mcp_peer *p, struct str uri)
{
    static const char method[] = "notifications/resources/updated";
    struct buf out = { 0 };
    struct json_writer w;
    mgi_mcp_enter(p);
    for (struct mcp_call *c = p->calls; c; c = c->next) {
        if (!c->listening || !is_watched(c, uri))
            continue;
        begin_told(&w, &out, c, method);
        mgi_jw_member_str(&w, "uri", uri);
        end_told(&w, &out, c);
    }
    bool watched = false;
    for (size_t i = 0; i < p->watched_count; i++)
        watched = watched || covers(mgi_buf_view(&p->watched[i]), uri);
    if (watched) {
        mgi_rpc_begin(&w, &out, NULL, method);
        mgi_jw_begin_object(&w);
        mgi_jw_member_str(&w, "uri", uri);
        mgi_jw_end_object(&w);
        mgi_rpc_end(&w);
        if (!out.oom)
            mgi_mcp_send_alone(p, mgi_buf_view(&out));
        mgi_buf_fini(&out);
    }
    mgi_mcp_leave(p);
}
