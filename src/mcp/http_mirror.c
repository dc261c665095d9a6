/* What r5 says twice, in the body and in headers, and that both agree (X-HTTP-26 to -39). */
#include "base/encode.h"
#include "base/utf8.h"
#include "mcp/http_int.h"

#define MARK     "=?base64?"
#define END_MARK "?="

/* ---- values --------------------------------------------------------------------------------- */

static bool looks_encoded(struct str v)
{
    return v.len >= sizeof MARK - 1 + sizeof END_MARK - 1 && mgi_str_starts(v, STR_LIT(MARK)) &&
           mgi_str_ends(v, STR_LIT(END_MARK));
}

static bool is_plain(struct str v)
{
    for (size_t i = 0; i < v.len; i++)
        if (v.ptr[i] < 0x20 || v.ptr[i] > 0x7E)
            return false;
    return v.len == 0 || (v.ptr[0] != ' ' && v.ptr[v.len - 1] != ' ' && !looks_encoded(v));
}

void mgi_mcp_header_encode(struct buf *out, struct str value)
{
    if (is_plain(value)) {
        mgi_buf_str(out, value);
        return;
    }
    mgi_buf_puts(out, MARK);
    size_t from = out->len;
    if (!mgi_buf_reserve(out, (value.len + 2) / 3 * 4 + 1))
        return;
    out->len += mgi_base64url_encode((const uint8_t *)value.ptr, value.len, out->ptr + from);
    for (size_t i = from; i < out->len; i++)
        out->ptr[i] = (char)(out->ptr[i] == '-' ? '+' : out->ptr[i] == '_' ? '/' : out->ptr[i]);
    while ((out->len - from) % 4 != 0)
        mgi_buf_putc(out, '=');
    mgi_buf_puts(out, END_MARK);
}

/* Standard alphabet, padding, canonical. */
static bool decode_base64(struct buf *out, struct str text)
{
    struct buf url = { 0 };
    bool fine = text.len % 4 == 0;
    for (int i = 0; fine && i < 2 && text.len > 0 && text.ptr[text.len - 1] == '='; i++)
        text.len--;
    for (size_t i = 0; fine && i < text.len; i++) {
        char c = text.ptr[i];
        fine = c != '-' && c != '_' && c != '=';
        mgi_buf_putc(&url, (char)(c == '+' ? '-' : c == '/' ? '_' : c));
    }
    size_t from = out->len;
    if (!fine || url.oom || !mgi_buf_reserve(out, text.len + 1)) {
        out->oom |= url.oom;
        mgi_buf_fini(&url);
        return false;
    }
    size_t n = mgi_base64url_decode(mgi_buf_view(&url), (uint8_t *)out->ptr + from, text.len + 1);
    mgi_buf_fini(&url);
    if (n == SIZE_MAX)
        return false;
    out->len += n;
    out->ptr[out->len] = '\0';
    return mgi_utf8_valid((struct str){ out->ptr + from, n }, NULL);
}

bool mgi_mcp_header_decode(struct buf *out, struct str value)
{
    if (!looks_encoded(value)) {
        mgi_buf_str(out, value);
        return true;
    }
    size_t marks = sizeof MARK - 1 + sizeof END_MARK - 1;
    return decode_base64(out, (struct str){ value.ptr + sizeof MARK - 1, value.len - marks });
}

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

static const struct json *argument_at(const struct json *arguments, const struct header_rule *rule)
{
    const struct json *v = arguments;
    for (size_t i = 0; v && i < rule->depth; i++)
        v = v->type == JSON_OBJECT ? mgi_json_get_str(v, rule->path[i]) : NULL;
    return v && v->type != JSON_NULL ? v : NULL;
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
            code = check_value(r, name.ptr, argument_at(arguments, &rules->items[i]), why);
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
