/* What a peer says beside its message. */
#include "mcp/meta.h"

#include <stdio.h>

static const char *const level_names[] = {
    [MCP_NO_LEVEL] = "",         [MCP_DEBUG] = "debug",     [MCP_INFO] = "info",
    [MCP_NOTICE] = "notice",     [MCP_WARNING] = "warning", [MCP_LEVEL_ERROR] = "error",
    [MCP_CRITICAL] = "critical", [MCP_ALERT] = "alert",     [MCP_EMERGENCY] = "emergency",
};

const char *mgi_mcp_level_name(enum mcp_level level)
{
    return level_names[level];
}

enum mcp_level mgi_mcp_level(struct str name)
{
    for (int i = MCP_DEBUG; i <= MCP_EMERGENCY; i++)
        if (str_is(name, level_names[i]))
            return (enum mcp_level)i;
    return MCP_NO_LEVEL;
}

/* ---- capabilities --------------------------------------------------------------------------- */

static const struct json *object_in(const struct json *v, const char *name)
{
    const struct json *m = v ? mgi_json_get(v, name) : NULL;
    return m && m->type == JSON_OBJECT ? m : NULL;
}

void mgi_mcp_client_can(const struct json *capabilities, struct mcp_client_can *out)
{
    *out = (struct mcp_client_can){ 0 };
    const struct json *roots = object_in(capabilities, "roots");
    const struct json *sampling = object_in(capabilities, "sampling");
    const struct json *asks = object_in(capabilities, "elicitation");
    const struct json *changed = roots ? mgi_json_get(roots, "listChanged") : NULL;
    out->roots = roots != NULL;
    out->roots_change = changed && changed->type == JSON_BOOL && changed->boolean;
    out->sampling = sampling != NULL;
    out->sampling_tools = object_in(sampling, "tools") != NULL;
    out->url = object_in(asks, "url") != NULL;
    out->form = asks && (object_in(asks, "form") || !out->url);
    out->tasks = object_in(object_in(capabilities, "extensions"), META_PREFIX "tasks") != NULL;
}

/* ---- the envelope --------------------------------------------------------------------------- */

static void bad_claim(struct mcp_envelope *e, const char *key, const char *why)
{
    if (e->claim == MCP_BAD_CLAIM)
        return; /* the first is the one that is told */
    e->claim = MCP_BAD_CLAIM;
    snprintf(e->why, sizeof e->why, "params._meta: %s %s", key, why);
}

static void read_client(const struct json *client, struct mcp_envelope *e)
{
    const struct json *name = mgi_json_get(client, "name");
    const struct json *version = mgi_json_get(client, "version");
    if (client->type != JSON_OBJECT || !name || name->type != JSON_STRING || !version ||
        version->type != JSON_STRING)
        bad_claim(e, META_CLIENT, "is no object with name and version");
    else
        e->client = client;
}

static void read_claim(const struct json *meta, const struct json *version, struct mcp_envelope *e)
{
    const struct json *capabilities = mgi_json_get(meta, META_CAPABILITIES);
    const struct json *client = mgi_json_get(meta, META_CLIENT);
    const struct json *level = mgi_json_get(meta, META_LOG_LEVEL);
    e->claim = MCP_CLAIM;
    if (version->type == JSON_STRING)
        e->version = version->string;
    else
        bad_claim(e, META_VERSION, "is no text");
    if (!capabilities)
        bad_claim(e, META_CAPABILITIES, "is missing");
    else if (capabilities->type != JSON_OBJECT)
        bad_claim(e, META_CAPABILITIES, "is no object");
    else
        e->capabilities = capabilities;
    if (client)
        read_client(client, e);
    if (level && level->type != JSON_STRING)
        bad_claim(e, META_LOG_LEVEL, "is no text");
    else if (level) {
        e->has_level = true;
        e->level = level->string;
    }
}

void mgi_mcp_envelope(const struct json *params, struct mcp_envelope *out)
{
    *out = (struct mcp_envelope){ 0 };
    const struct json *meta = params ? mgi_json_get(params, "_meta") : NULL;
    if (!meta || meta->type != JSON_OBJECT)
        return;
    const struct json *version = mgi_json_get(meta, META_VERSION);
    const struct json *token = mgi_json_get(meta, "progressToken");
    if (version)
        read_claim(meta, version, out);
    if (token && !mgi_rpc_id_read(token, &out->progress_token) && version)
        bad_claim(out, "progressToken", "is neither text nor an integer");
}

/* ---- writing -------------------------------------------------------------------------------- */

void mgi_mcp_write_self(struct json_writer *w, const struct mcp_self *self, enum mcp_revision r)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "name", self->name);
    mgi_jw_member_str(w, "version", self->version);
    if (self->title.len > 0 && mgi_mcp_features(r)->titles)
        mgi_jw_member_str(w, "title", self->title);
    mgi_jw_end_object(w);
}

void mgi_mcp_write_envelope(struct json_writer *w, const struct mcp_self *client,
                            struct str capabilities, const struct rpc_id *token)
{
    mgi_jw_member_cstr(w, META_VERSION, mgi_mcp_features(MCP_MODERN)->date);
    mgi_jw_key(w, META_CAPABILITIES);
    mgi_jw_raw(w, capabilities);
    mgi_jw_key(w, META_CLIENT);
    mgi_mcp_write_self(w, client, MCP_MODERN);
    if (token && token->kind != RPC_NO_ID) {
        mgi_jw_key(w, "progressToken");
        mgi_rpc_id_write(w, token);
    }
}
