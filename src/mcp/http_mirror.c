/* What r5 says twice, in the body and in headers, and that both agree (X-HTTP-26 to -39). */
#include "base/utf8.h"
#include "mcp/http_int.h"

/* ---- comparing ------------------------------------------------------------------------------ */

static enum rpc_code mismatch(struct buf *why, struct str name, const char *what)
{
    mgi_buf_printf(why, "the header %.*s %s", STR_ARG(name), what);
    return RPC_HEADER_MISMATCH;
}

/* Where present. */
static enum rpc_code agrees(const struct mcp_request *r, const char *name, struct str expected,
                            struct buf *why)
{
    bool twice;
    struct str value = mgi_mcp_header(r, name, &twice);
    if (twice)
        return mismatch(why, str_of(name), "is there twice");
    if (value.ptr && !str_eq(value, expected))
        return mismatch(why, str_of(name), "says something else than the body");
    return RPC_FINE;
}

static enum rpc_code is_there(const struct mcp_request *r, const char *name, struct buf *why)
{
    return mgi_mcp_header(r, name, NULL).ptr ? RPC_FINE : mismatch(why, str_of(name), "is missing");
}

static bool same_number(struct str text, const struct json *value)
{
    struct arena a;
    struct json v;
    mgi_arena_init(&a, 0);
    bool same =
        mgi_json_parse(&a, text, NULL, &v, NULL) == JSON_OK && mgi_json_equal(&v, value, false);
    mgi_arena_fini(&a);
    return same;
}

static bool same_value(struct str text, const struct json *value)
{
    switch (value->type) {
    case JSON_STRING:
        return str_eq(text, value->string);
    case JSON_BOOL:
        return str_is(text, value->boolean ? "true" : "false");
    case JSON_INT:
    case JSON_FLOAT:
    case JSON_HUGE:
        return same_number(text, value);
    default:
        return true; /* it does not fit its schema, which the handler will say */
    }
}

/* `value` NULL: the body has none. */
static enum rpc_code check_value(const struct mcp_request *r, const char *name,
                                 const struct json *value, struct buf *why)
{
    bool twice;
    struct str text = mgi_mcp_header(r, name, &twice);
    struct buf plain = { 0 };
    enum rpc_code code = RPC_FINE;
    if (twice)
        return mismatch(why, str_of(name), "is there twice");
    if (!text.ptr)
        return value ? mismatch(why, str_of(name), "is missing") : RPC_FINE;
    if (!value)
        return mismatch(why, str_of(name), "is there, and the body has no value for it");
    if (!mgi_mcp_header_decode(&plain, text))
        code = mismatch(why, str_of(name), "is no proper base64 of UTF-8");
    else if (!same_value(mgi_buf_view(&plain), value))
        code = mismatch(why, str_of(name), "says something else than the body");
    mgi_buf_fini(&plain);
    return code;
}

static enum rpc_code check_arguments(const struct mcp_server *s, const struct mcp_request *r,
                                     const struct rpc_message *m, struct buf *why)
{
    const struct json *tool = mgi_json_get(m->params, "name");
    const struct json *arguments = mgi_json_get(m->params, "arguments");
    const struct header_rules *rules =
        tool && tool->type == JSON_STRING ? mgi_mcp_rules_of(s, tool->string) : NULL;
    enum rpc_code code = RPC_FINE;
    for (size_t i = 0; rules && code == RPC_FINE && i < rules->count; i++) {
        struct buf name = { 0 };
        mgi_buf_printf(&name, "Mcp-Param-%.*s", STR_ARG(rules->items[i].name));
        if (!name.oom)
            code =
                check_value(r, name.ptr, mgi_mcp_header_argument(arguments, &rules->items[i]), why);
        mgi_buf_fini(&name);
    }
    return code;
}

static const struct json *named(const struct rpc_message *m)
{
    bool by_uri = str_is(m->method, "resources/read");
    if (!by_uri && !str_is(m->method, "tools/call") && !str_is(m->method, "prompts/get"))
        return NULL;
    const struct json *v = mgi_json_get(m->params, by_uri ? "uri" : "name");
    return v && v->type == JSON_STRING ? v : NULL;
}

enum rpc_code mgi_mcp_check_modern(const struct mcp_server *s, const struct mcp_request *r,
                                   const struct rpc_message *m, const struct mcp_envelope *e,
                                   struct buf *why)
{
    const struct mcp_method *extension;
    const struct json *name = named(m);
    enum rpc_code code = RPC_FINE;
    if (e->claim == MCP_BAD_CLAIM) {
        mgi_buf_puts(why, e->why);
        return RPC_INVALID_PARAMS;
    }
    if (!code)
        code = agrees(r, "MCP-Protocol-Version", e->version, why);
    if (!code)
        code = agrees(r, "Mcp-Method", m->method, why);
    if (!code && mgi_mcp_revision(e->version) != MCP_R5) {
        mgi_buf_puts(why, "this version is not spoken in requests of its own");
        return RPC_UNSUPPORTED_VERSION;
    }
    if (!code)
        code = is_there(r, "MCP-Protocol-Version", why);
    if (!code)
        code = is_there(r, "Mcp-Method", why);
    if (!code && name)
        code = check_value(r, "Mcp-Name", name, why);
    if (code)
        return code;
    const struct row *row = mgi_mcp_method(s, MCP_R5, m->method, &extension);
    struct str shown = mgi_utf8_prefix(m->method, 128);
    if (!row && !extension) {
        mgi_buf_printf(why, "there is no method \"%.*s\" here", STR_ARG(shown));
        return RPC_METHOD_NOT_FOUND;
    }
    return row && str_is(m->method, "tools/call") ? check_arguments(s, r, m, why) : RPC_FINE;
}
