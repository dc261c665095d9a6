/* Texts of a configuration: see mcp_int.h. */
#include <string.h>

#include "actions/mcp_int.h"
#include "base/content_hash.h"
#include "base/encode.h"
#include "sys/secrets.h"

struct str mgi_mcp_expand(struct provider_reader *r, const struct yaml_node *n, struct str server)
{
    const struct client_variables variables = { mgi_secret, r->folder };
    return mgi_client_config_expand(r->yaml, n, server, &variables);
}

bool mgi_mcp_write_text(struct provider_reader *r, const struct yaml_node *n, struct str server,
                        const char *what, struct json_writer *w)
{
    if (n->kind != YAML_SCALAR || memchr(n->text.ptr, '\0', n->text.len)) {
        mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL, "server %.*s: %s must be text, not %s",
                       STR_ARG(server), what, mgi_yaml_kind_name(n));
        return false;
    }
    struct str text = mgi_mcp_expand(r, n, server);
    if (text.ptr)
        mgi_jw_string(w, text);
    return text.ptr != NULL;
}

bool mgi_mcp_write_value(struct provider_reader *r, const struct yaml_node *n, struct str server,
                         struct json_writer *w)
{
    bool good = mgi_mcp_write_text(r, n, server, "a value", w);
    if (!good)
        mgi_jw_null(w);
    return good;
}

bool mgi_mcp_write_texts(struct provider_reader *r, const struct yaml_node *map, struct str server,
                         const char *key, struct json_writer *w)
{
    bool good = true;
    if (!map)
        return true;
    if (map->kind != YAML_MAP) {
        mgi_yaml_error(r->yaml, map, "BAD_VALUE", NULL, "server %.*s: \"%s\" is a map of texts",
                       STR_ARG(server), key);
        return false;
    }
    for (size_t i = 0; i < map->count; i++) {
        const struct yaml_entry *e = &map->entries[i];
        mgi_jw_key_str(w, e->key);
        good &= mgi_mcp_write_value(r, e->value, server, w);
    }
    return good;
}

/* ---- which tools ----------------------------------------------------------------------------- */

static const char *const only_keys[] = { "tools", "includeTools", "enabled_tools", NULL };
static const char *const without_keys[] = { "excludeTools", "disabled_tools", NULL };

static bool lists(const struct yaml_node *list, struct str tool)
{
    for (size_t i = 0; list && list->kind == YAML_LIST && i < list->count; i++) {
        const struct yaml_node *n = list->entries[i].value;
        if (n->kind == YAML_SCALAR && (str_eq(n->text, tool) || str_is(n->text, "*")))
            return true;
    }
    return false;
}

bool mgi_mcp_wants(const struct yaml_node *entry, struct str tool)
{
    bool wanted = true;
    for (size_t i = 0; only_keys[i]; i++) {
        const struct yaml_node *list = mgi_yaml_get(entry, only_keys[i]);
        wanted = wanted && (!list || lists(list, tool));
    }
    for (size_t i = 0; without_keys[i]; i++)
        wanted = wanted && !lists(mgi_yaml_get(entry, without_keys[i]), tool);
    return wanted;
}

/* Each list that is there and does not mean all, as an array of texts. */
static bool write_lists(struct provider_reader *r, const struct yaml_node *entry, struct str server,
                        const char *const *keys, struct json_writer *w)
{
    bool good = true;
    for (size_t i = 0; keys[i]; i++) {
        const struct yaml_node *list = mgi_yaml_get(entry, keys[i]);
        bool names = list && list->kind == YAML_LIST;
        for (size_t k = 0; names && k < list->count; k++)
            names = list->entries[k].value->kind == YAML_SCALAR;
        if (list && !names) {
            mgi_yaml_error(r->yaml, list, "BAD_VALUE", NULL,
                           "server %.*s: \"%s\" is a list of names of tools", STR_ARG(server),
                           keys[i]);
            good = false;
        }
        if (!names)
            continue;
        mgi_jw_begin_array(w);
        for (size_t k = 0; k < list->count; k++)
            mgi_jw_string(w, list->entries[k].value->text);
        mgi_jw_end_array(w);
    }
    return good;
}

bool mgi_mcp_write_choice(struct provider_reader *r, const struct yaml_node *entry,
                          struct str server, struct json_writer *w)
{
    mgi_jw_key(w, "only");
    mgi_jw_begin_array(w);
    bool good = write_lists(r, entry, server, only_keys, w);
    mgi_jw_end_array(w);
    mgi_jw_key(w, "without");
    mgi_jw_begin_array(w);
    good &= write_lists(r, entry, server, without_keys, w);
    mgi_jw_end_array(w);
    return good;
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
    static const char *const more[] = { "envFile", "bearer_token_env_var", NULL };
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
    for (size_t i = 0; more[i]; i++) { /* nothing where they are not: it is the hash of before */
        const struct yaml_node *n = mgi_yaml_get(entry, more[i]);
        if (n)
            mgi_yaml_write_json(&w, n);
    }
    mgi_jw_end_array(&w);
    mgi_content_hash(text.ptr, text.len, hash);
    mgi_hex(hash, sizeof hash, out);
    bool good = !text.oom;
    mgi_buf_fini(&text);
    return good;
}
