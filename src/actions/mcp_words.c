/* Texts of a configuration: see mcp_int.h. */
#include "actions/mcp_int.h"
#include "base/content_hash.h"
#include "base/encode.h"
#include "sys/secrets.h"

struct str mgi_mcp_expand(struct provider_reader *r, const struct yaml_node *n, struct str server)
{
    const struct client_variables variables = { mgi_secret, r->folder };
    return mgi_client_config_expand(r->yaml, n, server, &variables);
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
