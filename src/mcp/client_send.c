/* What the client says, and how its requests end: see client_int.h. */
#include "base/utf8.h"
#include "mcp/client_int.h"
#include "mcp/meta.h"

static const struct mcp_self self = { { "manglecp", 8 }, { "1", 1 }, { "", 0 } };

/* ---- ends ------------------------------------------------------------------------------------ */

/* The server's words have a bound, too: MCP_READ_BYTES of an answer, and of a message. */
static const char no_room[] = "out of memory, or the server says too much at once";

void mgi_mcp_client_break(struct mcp_client *c, const char *why)
{
    if (c->state == MCP_BROKEN)
        return;
    c->state = MCP_BROKEN;
    c->why = why ? why : no_room;
    c->operation = MCP_OP_NONE;
}

void mgi_mcp_client_finish(struct mcp_client *c, enum mcp_end end, const char *why)
{
    c->operation = MCP_OP_NONE;
    c->state = MCP_READY;
    c->end = end;
    c->why = end == MCP_DONE ? NULL : why ? why : no_room;
}

/* A text of the server within a reason: one line, cut. */
const char *mgi_mcp_client_quote(struct mcp_client *c, const char *before, struct str text)
{
    struct buf shown = { 0 };
    mgi_utf8_show(&shown, mgi_utf8_prefix(text, 1024));
    const char *kept =
        shown.oom ? NULL : mgi_arena_printf(&c->answer, "%s%s", before, shown.ptr ? shown.ptr : "");
    mgi_buf_fini(&shown);
    return kept;
}

void mgi_mcp_client_is_open(struct mcp_client *c, enum mcp_era era, enum mcp_revision revision)
{
    c->era = era;
    c->revision = revision;
    c->operation = MCP_OP_NONE;
    if (c->state != MCP_BROKEN)
        c->state = MCP_READY;
}

/* ---- sending --------------------------------------------------------------------------------- */

void mgi_mcp_client_end_message(struct mcp_client *c)
{
    mgi_buf_putc(&c->out, '\n');
    if (c->out.oom)
        mgi_mcp_client_break(c, NULL);
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
    mgi_mcp_client_end_message(c);
}

void mgi_mcp_client_send_discover(struct mcp_client *c)
{
    struct json_writer w;
    c->state = MCP_PROBING;
    c->era = MCP_ERA_MODERN; /* the request is; the verdict comes */
    begin_request(c, &w, "server/discover");
    write_meta(c, &w, false);
    c->era = MCP_ERA_UNKNOWN;
    end_request(c, &w, MCP_OP_DISCOVER);
}

void mgi_mcp_client_send_initialize(struct mcp_client *c)
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

void mgi_mcp_client_send_list(struct mcp_client *c, struct str cursor)
{
    struct json_writer w;
    begin_request(c, &w, "tools/list");
    if (cursor.ptr)
        mgi_jw_member_str(&w, "cursor", cursor);
    write_meta(c, &w, false);
    end_request(c, &w, MCP_OP_LIST);
}

void mgi_mcp_client_send_call(struct mcp_client *c)
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

void mgi_mcp_client_answer(struct mcp_client *c, const struct rpc_message *m)
{
    struct json_writer w;
    if (c->out.len > MCP_UNREAD_BYTES) {
        mgi_mcp_client_break(c, "the server asks and does not read the answers");
        return;
    }
    if (++c->asked > MCP_MOST_ASKED) {
        mgi_mcp_client_break(c, "the server asks and asks");
        return;
    }
    if (c->era == MCP_ERA_MODERN) /* there are no such requests in r5, and no answers (X-HTTP-25) */
        return;
    if (str_is(m->method, "ping")) {
        mgi_rpc_begin_result(&w, &c->out, &m->id);
        mgi_jw_begin_object(&w);
        mgi_jw_end_object(&w);
        mgi_rpc_end(&w);
    } else {
        mgi_rpc_error(&c->out, &m->id, RPC_METHOD_NOT_FOUND,
                      STR_LIT("this client offers nothing of the kind"), STR_LIT(""));
    }
    mgi_mcp_client_end_message(c);
}
