/* What comes from a server: answers, notifications, requests, and what is none of these. See
 * client.h. */
#include <stdio.h>

#include "base/utf8.h"
#include "mcp/client_int.h"
#include "mcp/deep.h"
#include "mcp/meta.h"

static struct str text_of(const struct json *v, const char *name)
{
    const struct json *m = mgi_json_get(v, name);
    return m && m->type == JSON_STRING ? m->string : (struct str){ "", 0 };
}

/* ---- opening --------------------------------------------------------------------------------- */

/* The newest of a list that we speak in the modern way. */
static enum mcp_revision modern_of(const struct json *list)
{
    enum mcp_revision found = MCP_NONE;
    for (uint32_t i = 0; list && list->type == JSON_ARRAY && i < list->count; i++) {
        if (list->items[i].type != JSON_STRING)
            continue;
        enum mcp_revision r = mgi_mcp_revision(list->items[i].string);
        if (r != MCP_NONE && mgi_mcp_features(r)->modern && r > found)
            found = r;
    }
    return found;
}

static void keep_identity(struct mcp_client *c, const struct json *info, const struct json *result)
{
    c->name = mgi_arena_str(&c->life, mgi_utf8_prefix(text_of(info, "name"), 1024));
    c->version = mgi_arena_str(&c->life, mgi_utf8_prefix(text_of(info, "version"), 1024));
    c->instructions =
        mgi_arena_str(&c->life, mgi_utf8_prefix(text_of(result, "instructions"), 16384));
    const struct json *tools = mgi_json_get(mgi_json_get(result, "capabilities"), "tools");
    const struct json *changes = mgi_json_get(tools, "listChanged");
    c->has_tools = tools && tools->type == JSON_OBJECT;
    c->tells_changes = changes && changes->type == JSON_BOOL && changes->boolean;
    if (c->life.oom)
        mgi_mcp_client_break(c, NULL);
}

/* X-DISC-1: serverInfo is in _meta; older servers have it in the result itself. */
static void take_discovery(struct mcp_client *c, const struct rpc_message *m)
{
    const struct json *list = m->kind == RPC_RESULT ? mgi_json_get(m->result, "supportedVersions")
                              : m->code == RPC_UNSUPPORTED_VERSION
                                  ? mgi_json_get(m->data, "supported")
                                  : NULL;
    enum mcp_revision revision = modern_of(list);
    if (revision == MCP_NONE) {
        mgi_mcp_client_send_initialize(c);
        return;
    }
    c->has_tools = true; /* an error with versions does not say */
    if (m->kind == RPC_RESULT) {
        const struct json *meta = mgi_json_get(m->result, "_meta");
        const struct json *info = mgi_json_get(meta, META_SERVER);
        keep_identity(c, info ? info : mgi_json_get(m->result, "serverInfo"), m->result);
    }
    mgi_mcp_client_is_open(c, MCP_ERA_MODERN, revision);
}

static void take_handshake(struct mcp_client *c, const struct rpc_message *m)
{
    if (m->kind == RPC_ERROR) {
        if (m->code == RPC_UNSUPPORTED_VERSION && !c->probed_again) { /* X-COMPAT-7 */
            c->probed_again = true;
            c->began_ms = c->alive_ms = 0;
            mgi_mcp_client_send_discover(c);
            return;
        }
        mgi_mcp_client_break(
            c, mgi_mcp_client_quote(c, "the server refused initialize: ", m->message));
        return;
    }
    struct str version = text_of(m->result, "protocolVersion");
    enum mcp_revision revision = mgi_mcp_revision(version);
    if (revision == MCP_NONE || mgi_mcp_features(revision)->modern) { /* X-INIT-7 */
        mgi_mcp_client_break(
            c, mgi_mcp_client_quote(
                   c,
                   "we asked for MCP 2025-11-25, and the server answered with a version "
                   "that is not spoken here: ",
                   version));
        return;
    }
    keep_identity(c, mgi_json_get(m->result, "serverInfo"), m->result);
    mgi_rpc_bare(&c->out, NULL, "notifications/initialized");
    mgi_mcp_client_end_message(c);
    mgi_mcp_client_is_open(c, MCP_ERA_LEGACY, revision);
}

/* ---- answers --------------------------------------------------------------------------------- */

static void refused(struct mcp_client *c, const struct rpc_message *m)
{
    c->code = m->code;
    mgi_mcp_client_finish(c, MCP_REFUSED, mgi_mcp_client_quote(c, "", m->message));
}

/* The result outlives the message that it came in. */
static const struct json *kept_result(struct mcp_client *c, const struct json *result)
{
    struct json *copy = mgi_arena_calloc(&c->answer, 1, sizeof *copy);
    struct str text = mgi_arena_str(&c->answer, result->text);
    const struct json_options options = { .max_depth = 64 };
    if (!copy || !text.ptr || mgi_json_parse(&c->answer, text, &options, copy, NULL) != JSON_OK)
        return NULL;
    return copy;
}

static bool seen_before(const struct mcp_client *c, struct str cursor)
{
    for (unsigned i = 0; i < c->pages; i++)
        if (c->cursors[i].ptr && str_eq(c->cursors[i], cursor))
            return true;
    return false;
}

static void next_page(struct mcp_client *c, struct str cursor)
{
    if (seen_before(c, cursor)) {
        mgi_mcp_client_finish(c, MCP_BAD, "the pages of its tool list lead in a circle");
        return;
    }
    if (cursor.len > MCP_CURSOR_BYTES) {
        mgi_mcp_client_finish(c, MCP_BAD, "its tool list has a cursor of more than 16 KiB");
        return;
    }
    if (c->pages >= MCP_MOST_PAGES) {
        mgi_mcp_client_finish(c, MCP_BAD, "its tool list has more than 100 pages");
        return;
    }
    struct str kept = mgi_arena_str(&c->answer, cursor);
    if (!kept.ptr || !mgi_arena_grow(&c->answer, &c->cursors, &c->cursor_cap, c->pages + (size_t)1,
                                     sizeof *c->cursors)) {
        mgi_mcp_client_finish(c, MCP_BAD, NULL);
        return;
    }
    c->cursors[c->pages++] = kept;
    mgi_mcp_client_send_list(c, kept);
}

static void take_page(struct mcp_client *c, const struct rpc_message *m)
{
    if (m->kind == RPC_ERROR) {
        refused(c, m);
        return;
    }
    const struct json *page = mgi_json_get(m->result, "tools");
    const struct json *next = mgi_json_get(m->result, "nextCursor");
    if (!page || page->type != JSON_ARRAY) {
        mgi_mcp_client_finish(c, MCP_BAD, "its tool list has no tools");
        return;
    }
    if (c->tool_count + page->count > MCP_MOST_TOOLS) {
        mgi_mcp_client_finish(c, MCP_BAD, "its tool list has more than 10000 tools");
        return;
    }
    const struct json *ttl = mgi_json_get(m->result, "ttlMs");
    if (ttl && ttl->type == JSON_INT && ttl->integer >= 0 &&
        (c->ttl_ms < 0 || ttl->integer < c->ttl_ms))
        c->ttl_ms = ttl->integer;
    const struct json *kept = kept_result(c, page);
    if (!kept || !mgi_arena_grow(&c->answer, &c->tools, &c->tool_cap,
                                 c->tool_count + kept->count + 1, sizeof *c->tools)) {
        mgi_mcp_client_finish(c, MCP_BAD, NULL);
        return;
    }
    for (uint32_t i = 0; i < kept->count; i++)
        c->tools[c->tool_count++] = kept->items[i];
    if (next && next->type == JSON_STRING)
        next_page(c, next->string);
    else
        mgi_mcp_client_finish(c, MCP_DONE, NULL);
}

/* What it wants to know, for people: the first of its questions. */
static const char *question(struct mcp_client *c, const struct json *requests)
{
    const struct json *first = &requests->members[0].value;
    struct str method = text_of(first, "method");
    struct str message = text_of(mgi_json_get(first, "params"), "message");
    return mgi_mcp_client_quote(
        c, "the server asks, and nobody is there to answer: ", message.len ? message : method);
}

/* X-MRTR-4 to -6, X-MRTR-12. */
static void take_question(struct mcp_client *c, const struct json *result, int64_t now_ms)
{
    const struct json *requests = mgi_json_get(result, "inputRequests");
    const struct json *state = mgi_json_get(result, "requestState");
    if (requests && requests->type == JSON_OBJECT && requests->count > 0) {
        mgi_mcp_client_finish(c, MCP_ASKED, question(c, requests));
        return;
    }
    if (!state || state->type != JSON_STRING || state->string.len > MCP_MOST_STATE) {
        mgi_mcp_client_finish(c, MCP_BAD, "it wants to be asked again and gives no usable state");
        return;
    }
    if (++c->rounds > MCP_MOST_ROUNDS) {
        mgi_mcp_client_finish(c, MCP_BAD, "it wants to be asked again more than 10 times");
        return;
    }
    c->call_state = mgi_arena_str(&c->answer, state->string);
    c->operation = MCP_OP_NONE; /* nothing is under way */
    c->again_at_ms = now_ms + MCP_ROUND_MS;
    if (!c->call_state.ptr)
        mgi_mcp_client_finish(c, MCP_BAD, NULL);
}

static void take_call(struct mcp_client *c, const struct rpc_message *m, int64_t now_ms)
{
    if (m->kind == RPC_ERROR) {
        refused(c, m);
        return;
    }
    const struct json *type = mgi_json_get(m->result, "resultType");
    bool complete = !type || (type->type == JSON_STRING && str_is(type->string, "complete"));
    if (!complete && type->type == JSON_STRING && str_is(type->string, "input_required") &&
        c->era == MCP_ERA_MODERN) {
        take_question(c, m->result, now_ms);
        return;
    }
    const struct json *task = mgi_json_get(m->result, "task");
    if (!complete && !task && !str_is(text_of(m->result, "resultType"), "task")) {
        mgi_mcp_client_finish(
            c, MCP_BAD,
            mgi_mcp_client_quote(c, "its answer is of a kind that nobody asked for: ",
                                 text_of(m->result, "resultType")));
        return;
    }
    if (!complete || task) {
        struct str id = text_of(task ? task : m->result, "taskId");
        mgi_mcp_client_finish(
            c, MCP_BAD,
            mgi_mcp_client_quote(c, "it answered with a task, which nobody asked for: ", id));
        return;
    }
    c->result = kept_result(c, m->result);
    mgi_mcp_client_finish(c, c->result ? MCP_DONE : MCP_BAD, NULL);
}

static void take_answer(struct mcp_client *c, const struct rpc_message *m, int64_t now_ms)
{
    if (c->operation == MCP_OP_NONE || m->id.kind != RPC_ID_INT || m->id.number != c->last_id)
        return; /* late, or to nothing we asked */
    switch (c->operation) {
    case MCP_OP_DISCOVER:
        take_discovery(c, m);
        break;
    case MCP_OP_INITIALIZE:
        take_handshake(c, m);
        break;
    case MCP_OP_LIST:
        take_page(c, m);
        break;
    case MCP_OP_CALL:
        take_call(c, m, now_ms);
        break;
    case MCP_OP_PING: /* an error is an answer as well */
        mgi_mcp_client_finish(c, MCP_DONE, NULL);
        break;
    case MCP_OP_NONE:
        break;
    }
}

/* ---- notifications --------------------------------------------------------------------------- */

static double number_of(const struct json *v, double otherwise)
{
    if (v && v->type == JSON_INT)
        return (double)v->integer;
    return v && v->type == JSON_FLOAT ? v->number : otherwise;
}

/* Only of the call under way, and only upwards (X-PROG-1, -2). */
static void take_progress(struct mcp_client *c, const struct json *params)
{
    struct rpc_id token;
    const struct json *of = mgi_json_get(params, "progressToken");
    double value = number_of(mgi_json_get(params, "progress"), -1);
    if (c->operation != MCP_OP_CALL || !of || !mgi_rpc_id_read(of, &token) ||
        token.kind != RPC_ID_INT || token.number != c->last_id)
        return;
    if (c->has_progress && value <= c->progress)
        return;
    c->has_progress = true;
    c->progress = value;
    if (c->events.progress)
        c->events.progress(c->events.context, value, number_of(mgi_json_get(params, "total"), -1),
                           text_of(params, "message"));
}

static void take_notification(struct mcp_client *c, const struct rpc_message *m)
{
    if (str_is(m->method, "notifications/progress")) {
        take_progress(c, m->params);
    } else if (str_is(m->method, "notifications/message")) {
        const struct json *data = mgi_json_get(m->params, "data");
        if (data && c->events.log)
            c->events.log(c->events.context, text_of(m->params, "level"),
                          data->type == JSON_STRING ? data->string : data->text);
    } else if (str_is(m->method, "notifications/tools/list_changed")) {
        if (c->events.changed)
            c->events.changed(c->events.context);
    }
}

/* ---- messages -------------------------------------------------------------------------------- */

static void take_noise(struct mcp_client *c, struct str line)
{
    struct buf shown = { 0 };
    if (c->noise_lines++ == 0) {
        mgi_utf8_show(&shown, mgi_utf8_prefix(line, 100));
        snprintf(c->first_noise, sizeof c->first_noise, "%s", shown.ptr ? shown.ptr : "");
        mgi_buf_fini(&shown);
    }
    c->noise_bytes += line.len;
    if (++c->noise_in_row > MCP_NOISE_LINES || c->noise_bytes > MCP_NOISE_BYTES)
        mgi_mcp_client_break(c, "the server writes what is no message, on and on");
}

static bool take_value(struct mcp_client *c, const struct json *v, int64_t now_ms)
{
    struct rpc_message m;
    struct rpc_fault fault;
    if (!mgi_rpc_read(v, &m, &fault))
        return false;
    if (m.kind == RPC_REQUEST)
        mgi_mcp_client_answer(c, &m);
    else if (m.kind == RPC_NOTIFICATION)
        take_notification(c, &m);
    else
        take_answer(c, &m, now_ms);
    return true;
}

/* Arrays of messages are in r2 alone (X-RPC-10). */
static bool take_json(struct mcp_client *c, const struct json *v, int64_t now_ms)
{
    struct rpc_fault fault;
    bool good = true;
    if (v->type != JSON_ARRAY)
        return take_value(c, v, now_ms);
    if (c->revision != MCP_R2 || !mgi_rpc_batch(v, &fault))
        return false;
    for (uint32_t i = 0; i < v->count && c->state != MCP_BROKEN; i++)
        good &= take_value(c, &v->items[i], now_ms);
    return good;
}

/* A tool that is nested deeper than is read costs itself, and not the list that it is in: what is
 * too deep of it is cut, and it is still so deep that no one takes it for a tool (MCP_TOOL_DEPTH).
 */
static struct str shallow(struct mcp_client *c, struct str line)
{
    struct buf cut = { 0 };
    if (c->operation != MCP_OP_LIST || mgi_mcp_depth(line) <= MCP_MESSAGE_DEPTH)
        return mgi_arena_str(&c->scratch, line);
    mgi_mcp_cut_deep(&cut, line, MCP_MESSAGE_DEPTH);
    struct str kept = cut.oom ? (struct str){ 0 } : mgi_arena_str(&c->scratch, mgi_buf_view(&cut));
    mgi_buf_fini(&cut);
    return kept;
}

void mgi_mcp_client_take(struct mcp_client *c, struct str line, int64_t now_ms)
{
    struct json v;
    struct rpc_fault fault;
    if (c->state == MCP_CLOSED || c->state == MCP_BROKEN || line.len == 0)
        return;
    mgi_mcp_client_alive(c, now_ms);
    mgi_arena_reset(&c->scratch);
    struct str kept = shallow(c, line);
    if (!kept.ptr) {
        mgi_mcp_client_break(c, NULL);
        return;
    }
    if (!mgi_rpc_parse(&c->scratch, kept, &v, &fault)) {
        if (fault.no_memory)
            mgi_mcp_client_break(c, NULL);
        else
            take_noise(c, line);
    } else if (!take_json(c, &v, now_ms)) {
        take_noise(c, line);
    } else {
        c->noise_in_row = c->noise_bytes = 0;
    }
}
