/* The client's life and what is asked of it: see client.h. */
#include "mcp/client_int.h"

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
        mgi_mcp_client_is_open(c, era, MCP_MODERN);
    } else if (era == MCP_ERA_LEGACY) {
        mgi_mcp_client_send_initialize(c);
    } else {
        mgi_mcp_client_send_discover(c);
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
            mgi_mcp_client_send_initialize(c);
    } else if (c->state == MCP_BUSY && c->again_at_ms && now_ms >= c->again_at_ms) {
        mgi_mcp_client_send_call(c);
    }
}

void mgi_mcp_client_is_legacy(struct mcp_client *c)
{
    if (c->state == MCP_PROBING)
        mgi_mcp_client_send_initialize(c);
}

void mgi_mcp_client_lost(struct mcp_client *c, const char *why)
{
    const char *kept = mgi_arena_printf(&c->life, "%s", why);
    mgi_mcp_client_break(c, kept);
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
    c->rounds = c->pages = c->asked = 0;
    c->ttl_ms = -1;
    c->code = 0;
    c->again_at_ms = 0;
    c->call_state = (struct str){ NULL, 0 };
}

void mgi_mcp_client_list(struct mcp_client *c)
{
    begin(c);
    if (c->has_tools)
        mgi_mcp_client_send_list(c, (struct str){ NULL, 0 });
    else
        mgi_mcp_client_finish(c, MCP_DONE, NULL);
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
        mgi_mcp_client_send_call(c);
    else
        mgi_mcp_client_finish(c, MCP_BAD, NULL);
}

void mgi_mcp_client_ping(struct mcp_client *c)
{
    begin(c);
    if (c->era != MCP_ERA_LEGACY) {
        mgi_mcp_client_finish(c, MCP_DONE, NULL);
        return;
    }
    const struct rpc_id id = { .kind = RPC_ID_INT, .number = ++c->last_id };
    mgi_rpc_bare(&c->out, &id, "ping");
    c->operation = MCP_OP_PING;
    mgi_mcp_client_end_message(c);
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
        mgi_mcp_client_end_message(c);
    }
    c->again_at_ms = 0;
    if (c->state == MCP_BUSY)
        mgi_mcp_client_finish(c, MCP_BAD, "cancelled");
}
