/* Texts of a configuration: see mcp_int.h. */
#include "actions/mcp_int.h"
#include "base/content_hash.h"
#include "base/encode.h"
#include "sys/secrets.h"

/* ---- variables ------------------------------------------------------------------------------- */

/* What stands for "${…}"; NULL: it is not there (told). */
static const char *value_of(struct provider_reader *r, const struct yaml_node *n, struct str server,
                            struct str inside)
{
    struct arena *a = r->yaml->arena;
    const struct str env = STR_LIT("env:");
    if (mgi_str_starts(inside, env))
        inside = (struct str){ inside.ptr + env.len, inside.len - env.len };
    size_t dash = mgi_str_find(inside, STR_LIT(":-"));
    struct str name = dash == SIZE_MAX ? inside : (struct str){ inside.ptr, dash };
    const char *z = mgi_arena_printf(a, "%.*s", STR_ARG(name));
    if (!z)
        return NULL;
    if (str_is(name, "workspaceFolder"))
        return r->folder;
    const char *value = name.len ? mgi_secret(z) : NULL;
    if (value && (value[0] || dash == SIZE_MAX))
        return value;
    if (dash != SIZE_MAX)
        return mgi_arena_printf(a, "%.*s", (int)(inside.len - dash - 2), inside.ptr + dash + 2);
    if (mgi_str_starts(name, STR_LIT("input:")))
        mgi_yaml_error(r->yaml, n, "NO_VARIABLE",
                       "Write it as ${NAME} and set NAME in the environment that the server is "
                       "started with.",
                       "server %.*s: ${%.*s} would have to be asked for, and nobody is there",
                       STR_ARG(server), STR_ARG(name));
    else
        mgi_yaml_error(r->yaml, n, "NO_VARIABLE",
                       "Set it in the environment that the server is started with.",
                       "server %.*s: ${%.*s} is not set", STR_ARG(server), STR_ARG(name));
    return NULL;
}

struct str mgi_mcp_expand(struct provider_reader *r, const struct yaml_node *n, struct str server)
{
    struct buf out = { 0 };
    struct str rest = n->text, none = { NULL, 0 };
    while (rest.len > 0) {
        size_t at = mgi_str_find(rest, STR_LIT("${"));
        size_t before = at == SIZE_MAX ? rest.len : at;
        mgi_buf_append(&out, rest.ptr, before);
        rest = (struct str){ rest.ptr + before, rest.len - before };
        const char *close = rest.len ? memchr(rest.ptr, '}', rest.len) : NULL;
        if (!close) {
            mgi_buf_str(&out, rest);
            break;
        }
        size_t len = (size_t)(close - rest.ptr) + 1;
        const char *value = value_of(r, n, server, (struct str){ rest.ptr + 2, len - 3 });
        if (!value) {
            mgi_buf_wipe(&out);
            return none;
        }
        mgi_buf_puts(&out, value);
        rest = (struct str){ rest.ptr + len, rest.len - len };
    }
    struct str kept = out.oom ? none : mgi_arena_str(r->yaml->arena, mgi_buf_view(&out));
    mgi_buf_wipe(&out);
    return kept;
}

/* ---- names and hashes ------------------------------------------------------------------------ */

static void append_name(struct buf *out, struct str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        if (c >= 'a' && c <= 'z')
            c = (char)(c - 'a' + 'A');
        bool plain = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
        mgi_buf_putc(out, plain ? c : '_');
    }
}

char *mgi_mcp_aid(struct arena *arena, struct str server, struct str tool)
{
    struct buf text = { 0 };
    mgi_buf_puts(&text, "AID.MCP.");
    append_name(&text, server);
    mgi_buf_putc(&text, '.');
    append_name(&text, tool);
    mgi_buf_puts(&text, ".v1");
    char *kept = text.oom || text.len > 128 || tool.len == 0
                     ? NULL
                     : mgi_arena_printf(arena, "%s", text.ptr);
    mgi_buf_fini(&text);
    return kept;
}

static void write_names(struct json_writer *w, const struct yaml_node *map)
{
    mgi_jw_begin_array(w);
    for (size_t i = 0; map && map->kind == YAML_MAP && i < map->count; i++) {
        mgi_jw_string(w, map->entries[i].key);
        if (map->entries[i].value->kind == YAML_SCALAR)
            mgi_jw_string(w, map->entries[i].value->text); /* as written: "${NAME}" */
    }
    mgi_jw_end_array(w);
}

bool mgi_mcp_start_hash(const struct yaml_node *entry, char out[MCP_HASH_TEXT])
{
    static const char *const values[] = {
        "command", "args", "cwd", "url", "httpUrl", "type", NULL
    };
    struct buf text = { 0 };
    struct json_writer w;
    uint8_t hash[CONTENT_HASH_BYTES];
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_array(&w);
    for (size_t i = 0; values[i]; i++) {
        const struct yaml_node *n = mgi_yaml_get(entry, values[i]);
        if (n)
            mgi_yaml_write_json(&w, n);
        else
            mgi_jw_null(&w);
    }
    write_names(&w, mgi_yaml_get(entry, "env"));
    write_names(&w, mgi_yaml_get(entry, "headers"));
    mgi_jw_end_array(&w);
    mgi_content_hash(text.ptr, text.len, hash);
    mgi_hex(hash, sizeof hash, out);
    bool good = !text.oom;
    mgi_buf_fini(&text);
    return good;
}
