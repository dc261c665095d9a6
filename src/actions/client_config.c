/* Configurations of MCP clients: see client_config.h. */
#include "actions/client_config.h"

#include <string.h>

#include "splice/splice.h"

enum { NAME_CHARACTERS = 1000 };

/* ---- servers --------------------------------------------------------------------------------- */

static const struct yaml_node *named_servers(const struct yaml_node *map)
{
    static const char *const keys[] = { "mcpServers", "servers", "mcp_servers", NULL };
    for (size_t i = 0; map && map->kind == YAML_MAP && keys[i]; i++) {
        const struct yaml_node *found = mgi_yaml_get(map, keys[i]);
        if (found)
            return found;
    }
    return NULL;
}

const struct yaml_node *mgi_client_config_servers(const struct yaml_node *root)
{
    const struct yaml_node *found = named_servers(root);
    if (!found && root->kind == YAML_MAP)
        found = named_servers(mgi_yaml_get(root, "mcp"));
    return found ? found : root;
}

static void config_fault(const struct yaml_context *c, const char *path, const char *hint,
                         const char *message)
{
    mgi_findings_add(c->findings, MANGLE_ERROR, "BAD_VALUE", path, 1, 1, hint, "%s", message);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* YAML looks for the colon of a name no further than this many characters from its beginning, and
 * says of one that is longer what nobody understands. The text from its first quote to its last; so
 * that `*at` moves behind it. */
static bool is_long_name(struct str text, size_t *at)
{
    size_t i = *at + 1, characters = 2;
    for (; i < text.len && text.ptr[i] != '"'; i++) {
        i += text.ptr[i] == '\\';
        characters += i < text.len && ((unsigned char)text.ptr[i] & 0xC0) != 0x80;
    }
    *at = i;
    for (i++; i < text.len && is_blank(text.ptr[i]); i++)
        ;
    return characters > NAME_CHARACTERS && i < text.len && text.ptr[i] == ':';
}

/* Is each name of this JSON as short as it has to be? */
static bool has_short_names(const struct yaml_context *c, const char *path, struct str json)
{
    uint32_t line = 1;
    for (size_t i = 0; i < json.len; i++) {
        line += json.ptr[i] == '\n';
        if (json.ptr[i] != '"' || !is_long_name(json, &i))
            continue;
        mgi_findings_add(c->findings, MANGLE_ERROR, "BAD_VALUE", path, line, 1,
                         "Names of servers and of what stands in their entries are short.",
                         "a name in it has more than 1,000 characters");
        return false;
    }
    return true;
}

/* TOML becomes JSON in one line: what is wrong with a server is told of the file. NULL: told, or
 * memory. */
static const struct yaml_node *read_toml(const struct yaml_context *c, const char *path,
                                         struct str text)
{
    struct json root;
    struct splice_fault bad;
    struct buf out = { 0 };
    struct str kept = { NULL, 0 };
    enum splice_status st = mgi_splice_read(SPLICE_TOML, text, c->arena, &root, &bad);
    if (st == SPLICE_REFUSED)
        mgi_findings_add(c->findings, MANGLE_ERROR, "BAD_VALUE", path, bad.line, bad.column,
                         "It is no TOML.", "%s", bad.message);
    if (st)
        return NULL;
    struct json_writer w;
    mgi_json_writer_init(&w, &out, 0);
    mgi_jw_value(&w, &root);
    if (!out.oom)
        kept = mgi_arena_str(c->arena, mgi_buf_view(&out));
    c->arena->oom |= out.oom;
    mgi_buf_wipe(&out);
    return kept.ptr && has_short_names(c, path, kept) ? mgi_yaml_parse(c, path, kept, 0) : NULL;
}

const struct yaml_node *mgi_client_config_read(const struct yaml_context *c, const char *path,
                                               struct str text)
{
    struct str name = str_of(path);
    bool json = mgi_str_ends(name, STR_LIT(".json")) || mgi_str_ends(name, STR_LIT(".jsonc"));
    const struct yaml_node *root = NULL;
    if (text.len > CLIENT_CONFIG_BYTES) {
        config_fault(c, path, "Take what is not about servers out of it.",
                     "it is larger than 4 MiB");
        return NULL;
    }
    if (mgi_str_starts(text, STR_LIT("\xef\xbb\xbf"))) /* Windows' editors */
        text = (struct str){ text.ptr + 3, text.len - 3 };
    if (mgi_str_ends(name, STR_LIT(".toml"))) {
        root = read_toml(c, path, text);
    } else {
        struct str plain =
            json ? mgi_splice_plain_json(c->arena, text) : mgi_arena_str(c->arena, text);
        for (size_t i = 0; json && plain.ptr && i < plain.len; i++)
            if (plain.ptr[i] == '\t') /* which YAML does not have between values */
                ((char *)(uintptr_t)plain.ptr)[i] = ' ';
        if (plain.ptr && (!json || has_short_names(c, path, plain)))
            root = mgi_yaml_parse(c, path, plain, 0);
    }
    return root ? mgi_client_config_servers(root) : NULL;
}

bool mgi_client_config_is_off(const struct yaml_node *entry)
{
    bool off = false, on = true;
    const struct yaml_node *disabled = mgi_yaml_get(entry, "disabled");
    const struct yaml_node *enabled = mgi_yaml_get(entry, "enabled");
    return (disabled && mgi_yaml_bool(disabled, &off) && off) ||
           (enabled && mgi_yaml_bool(enabled, &on) && !on);
}

enum client_server mgi_client_config_kind(const struct yaml_node *entry,
                                          const struct yaml_node **address)
{
    const struct yaml_node *url = mgi_yaml_get(entry, "url");
    const struct yaml_node *type = mgi_yaml_get(entry, "type");
    bool command = mgi_yaml_get(entry, "command") != NULL;
    if (!url)
        url = mgi_yaml_get(entry, "httpUrl");
    *address = url;
    if (command)
        return url ? CLIENT_SERVER_BOTH : CLIENT_SERVER_STDIO;
    if (!url)
        return CLIENT_SERVER_NONE;
    return type && type->kind == YAML_SCALAR && str_is(type->text, "sse") ? CLIENT_SERVER_SSE
                                                                          : CLIENT_SERVER_HTTP;
}

/* ---- variables ------------------------------------------------------------------------------- */

struct expansion {
    const struct yaml_context *c;
    const struct yaml_node *n;
    struct str server;
    const struct client_variables *variables;
};

static const char *not_set(const struct expansion *x, struct str name)
{
    if (mgi_str_starts(name, STR_LIT("input:")))
        mgi_yaml_error(x->c, x->n, "NO_VARIABLE",
                       "Write it as ${NAME} and set NAME in the environment that the server is "
                       "started with.",
                       "server %.*s: ${%.*s} would have to be asked for, and nobody is there",
                       STR_ARG(x->server), STR_ARG(name));
    else
        mgi_yaml_error(x->c, x->n, "NO_VARIABLE",
                       "Set it in the environment that the server is started with.",
                       "server %.*s: ${%.*s} is not set", STR_ARG(x->server), STR_ARG(name));
    return NULL;
}

/* What stands for "${…}"; NULL: it is not there (told), or memory. */
static const char *value_of(const struct expansion *x, struct str inside)
{
    struct arena *a = x->c->arena;
    const struct str env = STR_LIT("env:");
    if (mgi_str_starts(inside, env))
        inside = (struct str){ inside.ptr + env.len, inside.len - env.len };
    size_t dash = mgi_str_find(inside, STR_LIT(":-"));
    struct str name = dash == SIZE_MAX ? inside : (struct str){ inside.ptr, dash };
    if (str_is(name, "workspaceFolder"))
        return x->variables->workspace;
    const char *z = str_is(name, "userHome") ? "HOME" : mgi_arena_printf(a, "%.*s", STR_ARG(name));
    const char *value = z && z[0] ? x->variables->get(z) : NULL;
    if (!z || (value && (value[0] || dash == SIZE_MAX)))
        return value;
    if (dash != SIZE_MAX)
        return mgi_arena_printf(a, "%.*s", (int)(inside.len - dash - 2), inside.ptr + dash + 2);
    return not_set(x, name);
}

static bool is_name_byte(char c, bool first)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           (!first && c >= '0' && c <= '9');
}

/* How much of `rest`, which begins with "$", is a variable; 0: none. *inside: its name and the
 * like. */
static size_t variable(struct str rest, bool bare, struct str *inside)
{
    size_t len = 1;
    if (rest.len > 1 && rest.ptr[1] == '{') {
        const char *close = memchr(rest.ptr, '}', rest.len);
        len = close ? (size_t)(close - rest.ptr) + 1 : 0;
        *inside = (struct str){ rest.ptr + 2, len ? len - 3 : 0 };
        return len;
    }
    while (bare && len < rest.len && is_name_byte(rest.ptr[len], len == 1))
        len++;
    *inside = (struct str){ rest.ptr + 1, len - 1 };
    return len > 1 ? len : 0;
}

static bool is_of_gemini(const struct yaml_node *n)
{
    struct str origin = str_of(n->origin ? n->origin : "");
    return mgi_str_starts(origin, STR_LIT(".gemini/")) ||
           mgi_str_find(origin, STR_LIT("/.gemini/")) != SIZE_MAX;
}

static bool expand_into(struct buf *out, const struct expansion *x)
{
    struct str rest = x->n->text, inside;
    bool bare = is_of_gemini(x->n);
    while (rest.len > 0) {
        const char *dollar = memchr(rest.ptr, '$', rest.len);
        size_t before = dollar ? (size_t)(dollar - rest.ptr) : rest.len;
        mgi_buf_append(out, rest.ptr, before);
        rest = (struct str){ rest.ptr + before, rest.len - before };
        size_t len = rest.len ? variable(rest, bare, &inside) : 0;
        const char *value = len ? value_of(x, inside) : "";
        if (!value)
            return false;
        mgi_buf_puts(out, value);
        if (len == 0 && rest.len > 0) { /* a dollar that is one */
            mgi_buf_putc(out, '$');
            len = 1;
        }
        rest = (struct str){ rest.ptr + len, rest.len - len };
    }
    return !out->oom;
}

struct str mgi_client_config_expand(const struct yaml_context *c, const struct yaml_node *n,
                                    struct str server, const struct client_variables *variables)
{
    struct buf out = { 0 };
    struct str kept = { NULL, 0 };
    const struct expansion x = { c, n, server, variables };
    if (expand_into(&out, &x))
        kept = mgi_arena_str(c->arena, mgi_buf_view(&out));
    mgi_buf_wipe(&out);
    return kept;
}
