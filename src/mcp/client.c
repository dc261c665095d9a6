/* The client's state machine: see client.h. */
#include "mcp/client.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "mcp/meta.h"

static const struct mcp_self self = { { "manglecp", 8 }, { "1", 1 }, { "", 0 } };

const char *mgi_mcp_era_name(enum mcp_era era)
{
    return era == MCP_ERA_MODERN ? "modern" : era == MCP_ERA_LEGACY ? "legacy" : "";
}

enum mcp_era mgi_mcp_era(struct str name)
{
    return str_is(name, "modern")   ? MCP_ERA_MODERN
           : str_is(name, "legacy") ? MCP_ERA_LEGACY
                                    : MCP_ERA_UNKNOWN;
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* The server's words have a bound, too: MCP_READ_BYTES of an answer, and of a message. */
static const char no_room[] = "out of memory, or the server says too much at once";

static void break_up(struct mcp_client *c, const char *why)
{
    if (c->state == MCP_BROKEN)
        return;
    c->state = MCP_BROKEN;
    c->why = why ? why : no_room;
    c->operation = MCP_OP_NONE;
}

static void finish(struct mcp_client *c, enum mcp_end end, const char *why)
{
    c->operation = MCP_OP_NONE;
    c->state = MCP_READY;
    c->end = end;
    c->why = end == MCP_DONE ? NULL : why ? why : no_room;
}

/* A text of the server within a reason: one line, cut. */
static const char *quoted(struct mcp_client *c, const char *before, struct str text)
{
    struct buf shown = { 0 };
    mgi_utf8_show(&shown, mgi_utf8_prefix(text, 1024));
    const char *kept =
        shown.oom ? NULL : mgi_arena_printf(&c->answer, "%s%s", before, shown.ptr ? shown.ptr : "");
    mgi_buf_fini(&shown);
    return kept;
}

static struct str text_of(const struct json *v, const char *name)
{
    const struct json *m = mgi_json_get(v, name);
    return m && m->type == JSON_STRING ? m->string : (struct str){ "", 0 };
}

/* ---- sending --------------------------------------------------------------------------------- */

static void end_message(struct mcp_client *c)
{
    mgi_buf_putc(&c->out, '\n');
    if (c->out.oom)
        break_up(c, NULL);
}

static void begin_request(struct mcp_client *c, struct json_writer *w, const char *method)
{
    const struct rpc_id id = { .kind = RPC_ID_INT, .number = ++c->last_id };
    mgi_rpc_begin(w, &c->out, &id, method);
    mgi_jw_begin_object(w);
}

/* The members that every request of this revision has; a call's progress token is its id. */
static void write_meta(struct mcp_client *c, struct json_writer *w, bool progress)
{
    const struct rpc_id token = { .kind = RPC_ID_INT, .number = c->last_id };
    if (c->era != MCP_ERA_MODERN && !progress)
        return;
    mgi_jw_key(w, "_meta");
    mgi_jw_begin_object(w);
    if (c->era == MCP_ERA_MODERN) {
        mgi_mcp_write_envelope(w, &self, STR_LIT("{}"), progress ? &token : NULL);
    } else {
        mgi_jw_key(w, "progressToken");
        mgi_rpc_id_write(w, &token);
    }
    mgi_jw_end_object(w);
}

static void end_request(struct mcp_client *c, struct json_writer *w, enum mcp_operation operation)
{
    mgi_jw_end_object(w);
    mgi_rpc_end(w);
    c->operation = operation;
    end_message(c);
}

static void send_discover(struct mcp_client *c)
{
    struct json_writer w;
    c->state = MCP_PROBING;
    c->era = MCP_ERA_MODERN; /* the request is; the verdict comes */
    begin_request(c, &w, "server/discover");
    write_meta(c, &w, false);
    c->era = MCP_ERA_UNKNOWN;
    end_request(c, &w, MCP_OP_DISCOVER);
}

static void send_initialize(struct mcp_client *c)
{
    struct json_writer w;
    c->state = MCP_OPENING;
    c->era = MCP_ERA_LEGACY;
    begin_request(c, &w, "initialize");
    mgi_jw_member_cstr(&w, "protocolVersion", mgi_mcp_features(MCP_NEWEST_LEGACY)->date);
    mgi_jw_key(&w, "capabilities");
    mgi_jw_begin_object(&w);
    mgi_jw_end_object(&w);
    mgi_jw_key(&w, "clientInfo");
    mgi_mcp_write_self(&w, &self, MCP_R1);
    end_request(c, &w, MCP_OP_INITIALIZE);
}

static void send_list(struct mcp_client *c, struct str cursor)
{
    struct json_writer w;
    begin_request(c, &w, "tools/list");
    if (cursor.ptr)
        mgi_jw_member_str(&w, "cursor", cursor);
    write_meta(c, &w, false);
    end_request(c, &w, MCP_OP_LIST);
}

static void send_call(struct mcp_client *c)
{
    struct json_writer w;
    begin_request(c, &w, "tools/call");
    mgi_jw_member_str(&w, "name", c->call_name);
    mgi_jw_key(&w, "arguments");
    mgi_jw_raw(&w, c->call_arguments);
    if (c->call_state.ptr)
        mgi_jw_member_str(&w, "requestState", c->call_state);
    write_meta(c, &w, true);
    end_request(c, &w, MCP_OP_CALL);
    c->has_progress = false;
    c->again_at_ms = 0;
}

static void answer_request(struct mcp_client *c, const struct rpc_message *m)
{
    struct json_writer w;
    if (c->out.len > MCP_UNREAD_BYTES) {
        break_up(c, "the server asks and does not read the answers");
        return;
    }
    if (str_is(m->method, "ping")) {
        mgi_rpc_begin_result(&w, &c->out, &m->id);
        mgi_jw_begin_object(&w);
        mgi_jw_end_object(&w);
        mgi_rpc_end(&w);
    } else {
        mgi_rpc_error(&c->out, &m->id, RPC_METHOD_NOT_FOUND,
                      STR_LIT("this client offers nothing of the kind"), STR_LIT(""));
    }
    end_message(c);
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
        break_up(c, NULL);
}

static void is_open(struct mcp_client *c, enum mcp_era era, enum mcp_revision revision)
{
    c->era = era;
    c->revision = revision;
    c->operation = MCP_OP_NONE;
    if (c->state != MCP_BROKEN)
        c->state = MCP_READY;
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
        send_initialize(c);
        return;
    }
    c->has_tools = true; /* an error with versions does not say */
    if (m->kind == RPC_RESULT) {
        const struct json *meta = mgi_json_get(m->result, "_meta");
        const struct json *info = mgi_json_get(meta, META_SERVER);
        keep_identity(c, info ? info : mgi_json_get(m->result, "serverInfo"), m->result);
    }
    is_open(c, MCP_ERA_MODERN, revision);
}

static void take_handshake(struct mcp_client *c, const struct rpc_message *m)
{
    if (m->kind == RPC_ERROR) {
        if (m->code == RPC_UNSUPPORTED_VERSION && !c->probed_again) { /* X-COMPAT-7 */
            c->probed_again = true;
            c->began_ms = c->alive_ms = 0;
            send_discover(c);
            return;
        }
        break_up(c, quoted(c, "the server refused initialize: ", m->message));
        return;
    }
    struct str version = text_of(m->result, "protocolVersion");
    enum mcp_revision revision = mgi_mcp_revision(version);
    if (revision == MCP_NONE || mgi_mcp_features(revision)->modern) { /* X-INIT-7 */
        break_up(c, quoted(c,
                           "we asked for MCP 2025-11-25, and the server answered with a version "
                           "that is not spoken here: ",
                           version));
        return;
    }
    keep_identity(c, mgi_json_get(m->result, "serverInfo"), m->result);
    mgi_rpc_bare(&c->out, NULL, "notifications/initialized");
    end_message(c);
    is_open(c, MCP_ERA_LEGACY, revision);
}

/* ---- answers --------------------------------------------------------------------------------- */

static void refused(struct mcp_client *c, const struct rpc_message *m)
{
    c->code = m->code;
    finish(c, MCP_REFUSED, quoted(c, "", m->message));
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
        finish(c, MCP_BAD, "the pages of its tool list lead in a circle");
        return;
    }
    if (cursor.len > MCP_CURSOR_BYTES) {
        finish(c, MCP_BAD, "its tool list has a cursor of more than 16 KiB");
        return;
    }
    if (c->pages >= MCP_MOST_PAGES) {
        finish(c, MCP_BAD, "its tool list has more than 100 pages");
        return;
    }
    struct str kept = mgi_arena_str(&c->answer, cursor);
    if (!kept.ptr || !mgi_arena_grow(&c->answer, &c->cursors, &c->cursor_cap, c->pages + (size_t)1,
                                     sizeof *c->cursors)) {
        finish(c, MCP_BAD, NULL);
        return;
    }
    c->cursors[c->pages++] = kept;
    send_list(c, kept);
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
        finish(c, MCP_BAD, "its tool list has no tools");
        return;
    }
    if (c->tool_count + page->count > MCP_MOST_TOOLS) {
        finish(c, MCP_BAD, "its tool list has more than 10000 tools");
        return;
    }
    const struct json *kept = kept_result(c, page);
    if (!kept || !mgi_arena_grow(&c->answer, &c->tools, &c->tool_cap,
                                 c->tool_count + kept->count + 1, sizeof *c->tools)) {
        finish(c, MCP_BAD, NULL);
        return;
    }
    for (uint32_t i = 0; i < kept->count; i++)
        c->tools[c->tool_count++] = kept->items[i];
    if (next && next->type == JSON_STRING)
        next_page(c, next->string);
    else
        finish(c, MCP_DONE, NULL);
}

/* What it wants to know, for people: the first of its questions. */
static const char *question(struct mcp_client *c, const struct json *requests)
{
    const struct json *first = &requests->members[0].value;
    struct str method = text_of(first, "method");
    struct str message = text_of(mgi_json_get(first, "params"), "message");
    return quoted(
        c, "the server asks, and nobody is there to answer: ", message.len ? message : method);
}

/* X-MRTR-4 to -6, X-MRTR-12. */
static void take_question(struct mcp_client *c, const struct json *result, int64_t now_ms)
{
    const struct json *requests = mgi_json_get(result, "inputRequests");
    const struct json *state = mgi_json_get(result, "requestState");
    if (requests && requests->type == JSON_OBJECT && requests->count > 0) {
        finish(c, MCP_ASKED, question(c, requests));
        return;
    }
    if (!state || state->type != JSON_STRING || state->string.len > MCP_STATE_BYTES) {
        finish(c, MCP_BAD, "it wants to be asked again and gives no usable state");
        return;
    }
    if (++c->rounds > MCP_MOST_ROUNDS) {
        finish(c, MCP_BAD, "it wants to be asked again more than 10 times");
        return;
    }
    c->call_state = mgi_arena_str(&c->answer, state->string);
    c->operation = MCP_OP_NONE; /* nothing is under way */
    c->again_at_ms = now_ms + MCP_ROUND_MS;
    if (!c->call_state.ptr)
        finish(c, MCP_BAD, NULL);
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
        finish(c, MCP_BAD,
               quoted(c, "its answer is of a kind that nobody asked for: ",
                      text_of(m->result, "resultType")));
        return;
    }
    if (!complete || task) {
        struct str id = text_of(task ? task : m->result, "taskId");
        finish(c, MCP_BAD, quoted(c, "it answered with a task, which nobody asked for: ", id));
        return;
    }
    c->result = kept_result(c, m->result);
    finish(c, c->result ? MCP_DONE : MCP_BAD, NULL);
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
        finish(c, MCP_DONE, NULL);
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
        break_up(c, "the server writes what is no message, on and on");
}

static bool take_value(struct mcp_client *c, const struct json *v, int64_t now_ms)
{
    struct rpc_message m;
    struct rpc_fault fault;
    if (!mgi_rpc_read(v, &m, &fault))
        return false;
    if (m.kind == RPC_REQUEST)
        answer_request(c, &m);
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

void mgi_mcp_client_take(struct mcp_client *c, struct str line, int64_t now_ms)
{
    struct json v;
    struct rpc_fault fault;
    if (c->state == MCP_CLOSED || c->state == MCP_BROKEN || line.len == 0)
        return;
    mgi_mcp_client_alive(c, now_ms);
    mgi_arena_reset(&c->scratch);
    struct str kept = mgi_arena_str(&c->scratch, line);
    if (!kept.ptr) {
        break_up(c, NULL);
        return;
    }
    if (!mgi_rpc_parse(&c->scratch, kept, &v, &fault)) {
        if (fault.no_memory)
            break_up(c, NULL);
        else
            take_noise(c, line);
    } else if (!take_json(c, &v, now_ms)) {
        take_noise(c, line);
    } else {
        c->noise_in_row = c->noise_bytes = 0;
    }
}

/* ---- what the caller does -------------------------------------------------------------------- */

void mgi_mcp_client_init(struct mcp_client *c, const struct mcp_client_events *events)
{
    *c = (struct mcp_client){ .state = MCP_CLOSED };
    if (events)
        c->events = *events;
    mgi_arena_init(&c->life, 0);
    mgi_arena_init(&c->answer, MCP_READ_BYTES);
    mgi_arena_init(&c->scratch, MCP_READ_BYTES);
}

void mgi_mcp_client_fini(struct mcp_client *c)
{
    mgi_buf_wipe(&c->out);
    mgi_arena_fini(&c->scratch);
    mgi_arena_fini(&c->answer);
    mgi_arena_fini(&c->life);
    c->state = MCP_CLOSED;
}

void mgi_mcp_client_open(struct mcp_client *c, enum mcp_era era, int64_t now_ms)
{
    c->began_ms = now_ms;
    if (era == MCP_ERA_MODERN) {
        c->has_tools = true;
        is_open(c, era, MCP_MODERN);
    } else if (era == MCP_ERA_LEGACY) {
        send_initialize(c);
    } else {
        send_discover(c);
    }
}

void mgi_mcp_client_alive(struct mcp_client *c, int64_t now_ms)
{
    if (!c->alive_ms)
        c->alive_ms = now_ms;
}

void mgi_mcp_client_tick(struct mcp_client *c, int64_t now_ms)
{
    if (c->state == MCP_PROBING) {
        if (!c->began_ms)
            c->began_ms = now_ms;
        if (now_ms - c->began_ms >= MCP_PROBE_MS ||
            (c->alive_ms && now_ms - c->alive_ms >= MCP_PROBE_SILENCE_MS))
            send_initialize(c);
    } else if (c->state == MCP_BUSY && c->again_at_ms && now_ms >= c->again_at_ms) {
        send_call(c);
    }
}

void mgi_mcp_client_is_legacy(struct mcp_client *c)
{
    if (c->state == MCP_PROBING)
        send_initialize(c);
}

void mgi_mcp_client_lost(struct mcp_client *c, const char *why)
{
    const char *kept = mgi_arena_printf(&c->life, "%s", why);
    break_up(c, kept);
}

static void begin(struct mcp_client *c)
{
    mgi_arena_reset(&c->answer);
    c->state = MCP_BUSY;
    c->end = MCP_PENDING;
    c->result = NULL;
    c->tools = NULL;
    c->cursors = NULL;
    c->tool_count = c->tool_cap = c->cursor_cap = 0;
    c->rounds = c->pages = 0;
    c->code = 0;
    c->again_at_ms = 0;
    c->call_state = (struct str){ NULL, 0 };
}

void mgi_mcp_client_list(struct mcp_client *c)
{
    begin(c);
    if (c->has_tools)
        send_list(c, (struct str){ NULL, 0 });
    else
        finish(c, MCP_DONE, NULL);
}

void mgi_mcp_client_call(struct mcp_client *c, struct str name, struct str arguments)
{
    begin(c);
    c->call_name = mgi_arena_str(&c->answer, name);
    c->call_arguments = mgi_arena_str(&c->answer, arguments);
    char *text = (char *)(uintptr_t)c->call_arguments.ptr; /* our copy */
    for (size_t i = 0; text && i < c->call_arguments.len; i++)
        if (text[i] == '\n' || text[i] == '\r') /* between values: within texts they are escaped */
            text[i] = ' ';
    if (c->call_name.ptr && text)
        send_call(c);
    else
        finish(c, MCP_BAD, NULL);
}

void mgi_mcp_client_ping(struct mcp_client *c)
{
    begin(c);
    if (c->era != MCP_ERA_LEGACY) {
        finish(c, MCP_DONE, NULL);
        return;
    }
    const struct rpc_id id = { .kind = RPC_ID_INT, .number = ++c->last_id };
    mgi_rpc_bare(&c->out, &id, "ping");
    c->operation = MCP_OP_PING;
    end_message(c);
}

void mgi_mcp_client_cancel(struct mcp_client *c)
{
    struct json_writer w;
    const struct rpc_id id = { .kind = RPC_ID_INT, .number = c->last_id };
    if (c->state != MCP_BUSY)
        return;
    if (c->operation != MCP_OP_NONE) {
        mgi_rpc_begin(&w, &c->out, NULL, "notifications/cancelled");
        mgi_jw_begin_object(&w);
        mgi_jw_key(&w, "requestId");
        mgi_rpc_id_write(&w, &id);
        mgi_jw_member_cstr(&w, "reason", "the answer is not wanted any more");
        mgi_jw_end_object(&w);
        mgi_rpc_end(&w);
        end_message(c);
    }
    c->again_at_ms = 0;
    if (c->state == MCP_BUSY)
        finish(c, MCP_BAD, "cancelled");
}
