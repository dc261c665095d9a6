/* mcp.lock.json, what was accepted of MCP servers: see mcp_int.h, docs/actions-from-mcp.md. */
#include <stdio.h>

#include "actions/mcp_int.h"
#include "domain/files.h"
#include "protocol/schema.h"

enum { JSON_DEPTH = 128, LOCK_VERSION = 1 };

static struct str lock_text(const struct json *v, const char *name)
{
    const struct json *m = mgi_json_get(v, name);
    return m && m->type == JSON_STRING ? m->string : STR_LIT("");
}

static bool is_lock(const struct json *root)
{
    const struct json *version = mgi_json_get(root, "version");
    const struct json *servers = mgi_json_get(root, "servers");
    return version && version->type == JSON_INT && version->integer == LOCK_VERSION && servers &&
           servers->type == JSON_OBJECT;
}

bool mgi_mcp_lock_read(struct provider_reader *r, struct mcp_lock *out)
{
    const struct json_options options = { .max_depth = JSON_DEPTH };
    const struct yaml_context *c = r->yaml;
    struct json_error error = { 0 };
    struct file file;
    *out = (struct mcp_lock){ .root = { .type = JSON_NULL } };
    if (!mgi_file_read(c, r->folder, MCP_LOCK_FILE, &file, &out->found))
        return false;
    if (!out->found)
        return true;
    if (mgi_json_parse(c->arena, file.text, &options, &out->root, &error) == JSON_OK) {
        if (is_lock(&out->root))
            return true;
        snprintf(error.message, sizeof error.message,
                 "it is no lock file of version %d: {\"version\": 1, \"servers\": {…}}",
                 LOCK_VERSION);
    }
    if (error.fault == JSON_NOMEM)
        return false;
    out->root.type = JSON_NULL;
    out->bad = true;
    mgi_findings_add(c->findings, MANGLE_ERROR, "BAD_LOCK", MCP_LOCK_FILE, error.line, error.column,
                     "Remove it and write it again: manglecp actions DOMAIN --lock.", "%s",
                     error.message);
    return true;
}

const struct json *mgi_mcp_lock_server(const struct mcp_lock *lock, struct str server)
{
    const struct json *servers = mgi_json_get(&lock->root, "servers");
    const struct json *entry = servers ? mgi_json_get_str(servers, server) : NULL;
    return entry && entry->type == JSON_OBJECT ? entry : NULL;
}

/* ---- tools ----------------------------------------------------------------------------------- */

/* Why a schema cannot be used; NULL: it can. */
static const char *schema_fault(struct provider_reader *r, const struct json *schema)
{
    struct schema_issues issues;
    mgi_schema_issues_init(&issues, r->yaml->arena, 1);
    struct schema *compiled = mgi_schema_compile(schema, 0, &issues);
    if (compiled) {
        mgi_schema_free(compiled);
        return NULL;
    }
    if (issues.count == 0)
        return "out of memory";
    return mgi_arena_printf(r->yaml->arena, "\"%s\" at \"%s\": %s", issues.items[0].keyword,
                            issues.items[0].path, issues.items[0].message);
}

/* The schema as text, without the "$schema" at its root: anything is read as 2020-12 (X-TOOL-3). */
static void write_schema(struct json_writer *w, const struct json *schema)
{
    mgi_jw_begin_object(w);
    for (uint32_t i = 0; i < schema->count; i++) {
        if (str_is(schema->members[i].name, "$schema"))
            continue;
        mgi_jw_key_str(w, schema->members[i].name);
        mgi_jw_value(w, &schema->members[i].value);
    }
    mgi_jw_end_object(w);
}

static bool rewritten_schema(struct provider_reader *r, const struct json *schema, struct json *out)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    write_schema(&w, schema);
    return mgi_json_take(r->yaml->arena, &text, out);
}

/* Names of actions are shorter and plainer than those of tools may be. */
static void write_name(struct json_writer *w, struct str name)
{
    char plain[64];
    size_t len = name.len < sizeof plain ? name.len : sizeof plain;
    for (size_t i = 0; i < len; i++) {
        char c = name.ptr[i];
        plain[i] = c > ' ' && c < 0x7f ? c : '_';
    }
    mgi_jw_member_str(w, "name", (struct str){ plain, len });
}

/* Told, and not fatal: the other tools of the server are of use without it. */
static void leave_out(struct provider_reader *r, const struct yaml_node *at, struct str server,
                      struct str tool, const char *why)
{
    mgi_findings_add(r->yaml->findings, MANGLE_WARNING, "MCP_TOOL", at->origin, at->line,
                     at->column, "The other tools of the server can be used.",
                     "server %.*s: its tool %.*s is left out: %s", STR_ARG(server), STR_ARG(tool),
                     why ? why : "out of memory");
}

static bool write_tool(struct provider_reader *r, const struct yaml_node *at, struct str server,
                       const struct json *tool, struct json_writer *w)
{
    struct arena *a = r->yaml->arena;
    struct str name = lock_text(tool, "name");
    const struct json *input = mgi_json_get(tool, "input_schema");
    const struct json *output = mgi_json_get(tool, "output_schema");
    const struct json *effects = mgi_json_get(tool, "side_effects");
    const struct json *idempotent = mgi_json_get(tool, "idempotent");
    struct json schema, result = { .type = JSON_NULL };
    char *aid = mgi_mcp_aid(a, server, name);
    const char *why = NULL;
    if (!aid)
        why = "its name gives no AID of at most 128 bytes";
    else if (lock_text(tool, "sha256").len != 64 || !effects || effects->type != JSON_ARRAY ||
             effects->count == 0)
        why = "the lock file does not say its sha256 and side_effects";
    else if (!input || input->type != JSON_OBJECT)
        why = "it has no input_schema";
    else if (!rewritten_schema(r, input, &schema))
        return false;
    else
        why = schema_fault(r, &schema);
    if (why) {
        leave_out(r, at, server, name, why);
        return !a->oom;
    }
    if (output && output->type == JSON_OBJECT && !rewritten_schema(r, output, &result))
        return false;
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "aid", aid);
    write_name(w, name);
    mgi_jw_member_str(w, "tool", name);
    mgi_jw_member_str(w, "sha256", lock_text(tool, "sha256"));
    mgi_jw_member_str(w, "description", lock_text(tool, "description"));
    mgi_jw_member_bool(w, "idempotent",
                       idempotent && idempotent->type == JSON_BOOL && idempotent->boolean);
    mgi_jw_key(w, "side_effects");
    mgi_jw_value(w, effects);
    mgi_jw_key(w, "input_schema");
    mgi_jw_value(w, &schema);
    if (result.type == JSON_OBJECT && !schema_fault(r, &result)) {
        mgi_jw_key(w, "output_schema");
        mgi_jw_value(w, &result);
    }
    mgi_jw_end_object(w);
    return !a->oom;
}

bool mgi_mcp_lock_tools(struct provider_reader *r, const struct yaml_node *at, struct str server,
                        const struct json *locked, struct json_writer *w)
{
    const struct json *tools = mgi_json_get(locked, "tools");
    for (uint32_t i = 0; tools && tools->type == JSON_ARRAY && i < tools->count; i++)
        if (mgi_mcp_wants(at, lock_text(&tools->items[i], "name")) &&
            !write_tool(r, at, server, &tools->items[i], w))
            return false;
    return true;
}
