/* What a call says to its owner. */
#include "mcp/server_int.h"

struct str mgi_mcp_name(const struct mcp_call *c)
{
    return c->name;
}

const struct json *mgi_mcp_arguments(const struct mcp_call *c)
{
    return c->arguments;
}

const struct json *mgi_mcp_params(const struct mcp_call *c)
{
    return c->params;
}

struct str mgi_mcp_tool_text(const struct mcp_call *c)
{
    return c->arguments->text;
}

struct mcp_peer *mgi_mcp_peer_of(const struct mcp_call *c)
{
    return c->peer;
}

void *mgi_mcp_caller(const struct mcp_call *c)
{
    return c->route.caller;
}

const struct rpc_id *mgi_mcp_call_id(const struct mcp_call *c)
{
    return &c->id;
}

enum mcp_revision mgi_mcp_call_revision(const struct mcp_call *c)
{
    return c->revision;
}

const struct mcp_client_can *mgi_mcp_call_can(const struct mcp_call *c)
{
    return &c->can;
}

struct mcp_self mgi_mcp_call_client(const struct mcp_call *c)
{
    return c->client;
}

bool mgi_mcp_is_cancelled(const struct mcp_call *c)
{
    return c->cancelled || !c->peer;
}

void mgi_mcp_keep(struct mcp_call *c, void *mine, void (*release)(void *mine))
{
    c->mine = mine;
    c->release = release;
}

void *mgi_mcp_kept(const struct mcp_call *c)
{
    return c->mine;
}
