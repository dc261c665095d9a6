/* `actions: mcp`: see kinds.h, docs/actions-from-mcp.md. A server is a provider: the plugin "mcp"
 * in a worker of its own, which starts the server or reaches it. What it offers is what was
 * accepted in the lock file; nothing is started while a domain is loaded. */
#include <stdlib.h>
#include <string.h>

#include "actions/mcp_int.h"
#include "base/url.h"

enum { MOST_SERVERS = 64, MOST_HEADERS = 64 };

struct servers {
    struct provider_reader *r;
    bool to_lock;          /* what a server offers is to be asked */
    struct yaml_node *all; /* names and entries, of files and of domain.yaml */
    struct mcp_lock lock;
    struct kind_files files;
};

/* ---- one server's settings ------------------------------------------------------------------- */

static bool write_mcp_run(struct provider_reader *r, const struct yaml_node *entry,
                          struct str server, struct json_writer *w)
{
    const struct yaml_node *command = mgi_yaml_get(entry, "command");
    const struct yaml_node *args = mgi_yaml_get(entry, "args");
    struct str word = { NULL, 0 };
    if (command->kind == YAML_SCALAR && command->text.len > 0)
        word = mgi_mcp_expand(r, command, server);
    else
        mgi_yaml_error(r->yaml, command, "BAD_VALUE", NULL, "server %.*s: \"command\" is a program",
                       STR_ARG(server));
    const char *program = word.ptr ? mgi_provider_program(r, command, word) : NULL;
    bool good = program != NULL;
    if (args && args->kind != YAML_LIST) {
        mgi_yaml_error(r->yaml, args, "BAD_VALUE", NULL, "server %.*s: \"args\" is a list of texts",
                       STR_ARG(server));
        args = NULL;
        good = false;
    }
    mgi_jw_key(w, "run");
    mgi_jw_begin_array(w);
    if (program)
        mgi_jw_cstring(w, program);
    for (size_t i = 0; args && i < args->count; i++)
        good &= mgi_mcp_write_text(r, args->entries[i].value, server, "an element of \"args\"", w);
    mgi_jw_end_array(w);
    return good;
}

static bool write_folder(struct provider_reader *r, const struct yaml_node *entry,
                         struct str server, struct json_writer *w)
{
    const struct yaml_node *cwd = mgi_yaml_get(entry, "cwd");
    struct str text =
        cwd && cwd->kind == YAML_SCALAR ? mgi_mcp_expand(r, cwd, server) : STR_LIT("");
    if (!text.ptr)
        return false;
    mgi_jw_member_cstr(w, "folder", text.len ? mgi_provider_path(r, text) : r->folder);
    return true;
}

static bool write_stdio(struct provider_reader *r, const struct yaml_node *entry, struct str server,
                        struct json_writer *w)
{
    bool good = write_mcp_run(r, entry, server, w);
    good &= write_folder(r, entry, server, w);
    good &= mgi_mcp_write_env(r, entry, server, w);
    return good;
}

/* What is sent beside what the protocol has: no name of its own, no line break in a value
 * (X-AUTH-5). */
static bool check_mcp_headers(struct provider_reader *r, const struct yaml_node *headers,
                              struct str server)
{
    static const char *const own[] = { "host", "content-length", "content-type", "accept", NULL };
    bool good = !headers || headers->kind != YAML_MAP || headers->count <= MOST_HEADERS;
    for (size_t i = 0; good && headers && headers->kind == YAML_MAP && i < headers->count; i++) {
        struct str name = headers->entries[i].key;
        char small[64];
        good = name.len > 0 && name.len < sizeof small;
        for (size_t k = 0; good && k < name.len; k++) {
            char c = name.ptr[k];
            small[k] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
            good = (small[k] >= 'a' && small[k] <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
                   c == '_';
        }
        struct str lower = { small, name.len };
        for (size_t k = 0; good && own[k]; k++)
            good = !str_is(lower, own[k]);
        good = good && !mgi_str_starts(lower, STR_LIT("mcp-"));
        if (!good)
            mgi_yaml_error(r->yaml, headers->entries[i].value, "BAD_VALUE", NULL,
                           "server %.*s: the header \"%.*s\" cannot be set", STR_ARG(server),
                           STR_ARG(name));
    }
    return good;
}

static bool has_authorization(const struct yaml_node *headers)
{
    for (size_t i = 0; headers && headers->kind == YAML_MAP && i < headers->count; i++) {
        if (mgi_str_same(headers->entries[i].key, STR_LIT("authorization")))
            return true;
    }
    return false;
}

/* `bearer_token_env_var: NAME` is the header of that token. */
static bool write_mcp_bearer(struct provider_reader *r, const struct yaml_node *headers,
                             const struct yaml_node *variable, struct str server,
                             struct json_writer *w)
{
    if (variable->kind != YAML_SCALAR || has_authorization(headers)) {
        mgi_yaml_error(r->yaml, variable, "BAD_VALUE", "Write it as bearer_token_env_var: NAME.",
                       "server %.*s: \"bearer_token_env_var\" is the name of a variable, beside "
                       "no header Authorization",
                       STR_ARG(server));
        return false;
    }
    struct yaml_node whole = *variable;
    const char *text = mgi_arena_printf(r->yaml->arena, "Bearer ${%.*s}", STR_ARG(variable->text));
    if (!text)
        return false;
    whole.text = str_of(text);
    mgi_jw_key(w, "Authorization");
    return mgi_mcp_write_value(r, &whole, server, w);
}

static bool write_mcp_headers(struct provider_reader *r, const struct yaml_node *entry,
                              struct str server, struct json_writer *w)
{
    const struct yaml_node *headers = mgi_yaml_get(entry, "headers");
    const struct yaml_node *bearer = mgi_yaml_get(entry, "bearer_token_env_var");
    if (!check_mcp_headers(r, headers, server))
        return false;
    mgi_jw_key(w, "headers");
    mgi_jw_begin_object(w);
    bool good = mgi_mcp_write_texts(r, headers, server, "headers", w);
    good &= !bearer || write_mcp_bearer(r, headers, bearer, server, w);
    mgi_jw_end_object(w);
    return good;
}

static bool write_http(struct provider_reader *r, const struct yaml_node *entry, struct str server,
                       const struct yaml_node *url, struct json_writer *w)
{
    const struct yaml_node *own = mgi_yaml_get(entry, "private");
    struct str text = url->kind == YAML_SCALAR ? mgi_mcp_expand(r, url, server) : STR_LIT("");
    struct url parts;
    bool is_private = false;
    if (!text.ptr)
        return false;
    if (!mgi_url_read(text, &parts)) {
        mgi_yaml_error(r->yaml, url, "BAD_VALUE", NULL,
                       "server %.*s: \"url\" must be an http or https address", STR_ARG(server));
        return false;
    }
    if (own && !mgi_yaml_bool(own, &is_private))
        mgi_yaml_error(r->yaml, own, "BAD_VALUE", NULL, "server %.*s: \"private\" is true or false",
                       STR_ARG(server));
    mgi_jw_member_str(w, "url", text);
    mgi_jw_member_bool(w, "private", is_private);
    return write_mcp_headers(r, entry, server, w);
}

/* False: told. */
static bool write_transport(struct provider_reader *r, const struct yaml_node *entry,
                            struct str server, struct json_writer *w)
{
    static const char *const both[] = { [CLIENT_SERVER_NONE] = "neither \"command\" nor \"url\"",
                                        [CLIENT_SERVER_BOTH] = "\"command\" and \"url\"" };
    const struct yaml_node *url;
    enum client_server kind = mgi_client_config_kind(entry, &url);
    switch (kind) {
    case CLIENT_SERVER_STDIO:
        return write_stdio(r, entry, server, w);
    case CLIENT_SERVER_HTTP:
    case CLIENT_SERVER_SSE:
        if (kind == CLIENT_SERVER_SSE)
            mgi_jw_member_bool(w, "old", true);
        return write_http(r, entry, server, url, w);
    case CLIENT_SERVER_NONE:
    case CLIENT_SERVER_BOTH:
        break;
    }
    mgi_yaml_error(r->yaml, entry, "MISSING_KEY",
                   "Write it as {command: npx, args: [...]} or {url: \"https://…\"}.",
                   "server %.*s has %s", STR_ARG(server), both[kind]);
    return false;
}

/* ---- the lock -------------------------------------------------------------------------------- */

/* What was accepted of this server; NULL: nothing can be used (told). */
static const struct json *accepted(struct servers *all, const struct yaml_node *entry,
                                   struct str server, const char *hash)
{
    static const char hint[] = "See what it offers, and accept it: manglecp actions DOMAIN --lock.";
    const struct json *locked = mgi_mcp_lock_server(&all->lock, server);
    const struct json *start = mgi_json_get(locked, "start");
    if (all->lock.bad)
        return NULL;
    if (!locked)
        mgi_yaml_error(all->r->yaml, entry, "NOT_LOCKED", hint,
                       "nothing was accepted of the MCP server %.*s: it is not in " MCP_LOCK_FILE,
                       STR_ARG(server));
    else if (!start || start->type != JSON_STRING || !str_is(start->string, hash))
        mgi_yaml_error(all->r->yaml, entry, "NOT_LOCKED", hint,
                       "the MCP server %.*s is started in another way than the one that was "
                       "accepted",
                       STR_ARG(server));
    else
        return locked;
    return NULL;
}

/* Twins within the server (their names differ in what an AID cannot hold) and between servers. */
static void check_tool_twins(struct servers *all, const struct yaml_node *entry, struct str server,
                             const struct json *locked)
{
    struct arena *a = all->r->yaml->arena;
    const struct json *tools = mgi_json_get(locked, "tools");
    uint32_t count = tools && tools->type == JSON_ARRAY ? tools->count : 0;
    const char **aids = mgi_arena_calloc(a, count + (size_t)1, sizeof *aids);
    for (uint32_t i = 0; aids && i < count; i++) {
        const struct json *name = mgi_json_get(&tools->items[i], "name");
        struct str text = name && name->type == JSON_STRING ? name->string : STR_LIT("");
        aids[i] = mgi_mcp_wants(entry, text) ? mgi_mcp_aid(a, server, text) : NULL;
        for (uint32_t k = 0; aids[i] && k < i; k++) {
            const struct json *other = mgi_json_get(&tools->items[k], "name");
            if (!aids[k] || strcmp(aids[i], aids[k]) != 0)
                continue;
            mgi_yaml_error(all->r->yaml, entry, "DUPLICATE",
                           "Take one of them out of " MCP_LOCK_FILE ".",
                           "server %.*s: the tools %.*s and %.*s would both be %s", STR_ARG(server),
                           STR_ARG(other->string), STR_ARG(text), aids[i]);
            break;
        }
    }
}

/* ---- a server -------------------------------------------------------------------------------- */

static void member_copy(struct json_writer *w, const struct json *from, const char *name)
{
    const struct json *v = mgi_json_get(from, name);
    if (v && v->type == JSON_STRING)
        mgi_jw_member_str(w, name, v->string);
}

static bool write_mcp_settings(struct servers *all, const struct yaml_node *entry,
                               struct str server, struct json_writer *w, bool *good)
{
    char hash[MCP_HASH_TEXT];
    if (!mgi_mcp_start_hash(entry, hash))
        return false;
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "server", server);
    *good = write_transport(all->r, entry, server, w);
    *good &= mgi_mcp_write_choice(all->r, entry, server, w);
    if (all->to_lock) {
        mgi_jw_member_cstr(w, "start", hash);
        mgi_jw_member_bool(w, "discover", true);
    } else {
        const struct json *locked = accepted(all, entry, server, hash);
        *good &= locked != NULL;
        member_copy(w, locked, "era");
        mgi_jw_key(w, "tools");
        mgi_jw_begin_array(w);
        if (locked)
            check_tool_twins(all, entry, server, locked);
        if (locked && !mgi_mcp_lock_tools(all->r, entry, server, locked, w))
            return false;
        mgi_jw_end_array(w);
    }
    mgi_jw_end_object(w);
    return !w->out->oom;
}

static bool is_server_name(struct str name)
{
    bool good = name.len > 0 && name.len <= 64;
    for (size_t i = 0; good && i < name.len; i++)
        good = name.ptr[i] > ' ' && name.ptr[i] < 0x7f && name.ptr[i] != '"' && name.ptr[i] != '\\';
    return good;
}

static bool read_server(struct servers *all, struct str name, const struct yaml_node *entry)
{
    struct provider_reader *r = all->r;
    struct buf settings = { 0 };
    struct json_writer w;
    bool good = true;
    if (entry->kind != YAML_MAP || !is_server_name(name)) {
        mgi_yaml_error(r->yaml, entry, "BAD_VALUE",
                       "Write it as NAME: {command: npx, args: [...]}, NAME of at most 64 plain "
                       "characters.",
                       "\"%.*s\" is no MCP server", STR_ARG(name));
        mgi_provider_failed(r);
        return true;
    }
    if (mgi_client_config_is_off(entry))
        return true;
    mgi_json_writer_init(&w, &settings, 0);
    bool memory = write_mcp_settings(all, entry, name, &w, &good);
    const char *plugin =
        memory && good ? mgi_provider_plugin(r, entry, STR_LIT("mcp"), true) : NULL;
    if (memory && !good)
        mgi_provider_failed(r);
    if (memory && plugin) {
        struct action_provider p = {
            .kind = "mcp",
            .name = name,
            .plugin = str_of(plugin),
            .document = mgi_provider_document_roomy(r, entry, name, mgi_buf_view(&settings)),
            .files = all->files.paths,
        };
        memory = p.document.ptr && mgi_provider_add(r, entry, &p);
    }
    mgi_buf_wipe(&settings);
    return memory && !r->yaml->arena->oom;
}

/* ---- where servers are said ------------------------------------------------------------------ */

/* Adds the servers of `map`; what one of that name said already stays, where this says nothing. */
static bool add_servers(struct servers *all, const struct yaml_node *map)
{
    struct arena *a = all->r->yaml->arena;
    if (map->kind != YAML_MAP) {
        mgi_yaml_error(all->r->yaml, map, "BAD_VALUE",
                       "Write it as {NAME: {command: npx, args: […]}}.",
                       "MCP servers must be a map of names, not %s", mgi_yaml_kind_name(map));
        return true;
    }
    for (size_t i = 0; i < map->count; i++) {
        const struct yaml_entry *e = &map->entries[i];
        char *name = mgi_arena_printf(a, "%.*s", STR_ARG(e->key));
        struct yaml_node *before = name ? mgi_yaml_get(all->all, name) : NULL;
        if (!name)
            return false;
        if (!before || before->kind != YAML_MAP || e->value->kind != YAML_MAP) {
            if (!mgi_yaml_put(a, all->all, str_of(name), e->value))
                return false;
            continue;
        }
        for (size_t k = 0; k < e->value->count; k++)
            if (!mgi_yaml_put(a, before, e->value->entries[k].key, e->value->entries[k].value))
                return false;
    }
    return true;
}

/* A file of a client. Its nodes stay: they become findings' places. */
static bool take_client_file(void *context, const char *path, struct str text)
{
    struct servers *all = context;
    const struct yaml_node *found = mgi_client_config_read(all->r->yaml, path, text);
    return found ? add_servers(all, found) : !all->r->yaml->arena->oom;
}

static bool read_config(struct servers *all, const struct yaml_node *node)
{
    const struct yaml_node *from = node->kind == YAML_MAP ? mgi_yaml_get(node, "from") : NULL;
    if (node->kind != YAML_MAP)
        return mgi_kind_files(all->r, node, &all->files);
    if (from && from->kind != YAML_MAP) { /* else it is a server of that name */
        const struct yaml_node *more = mgi_client_config_servers(node);
        if (!mgi_kind_files(all->r, from, &all->files))
            return false;
        return more == node || add_servers(all, more);
    }
    return add_servers(all, mgi_client_config_servers(node));
}

static int compare_aid_names(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

/* Two servers whose tools would have the same AIDs. */
static bool check_server_twins(struct servers *all)
{
    struct arena *a = all->r->yaml->arena;
    const char **names = mgi_arena_calloc(a, all->all->count + 1, sizeof *names);
    for (size_t i = 0; names && i < all->all->count; i++) {
        names[i] = mgi_mcp_aid(a, all->all->entries[i].key, STR_LIT("X"));
        if (!names[i])
            names[i] = "";
    }
    if (!names || a->oom)
        return false;
    if (all->all->count > 1)
        qsort(names, all->all->count, sizeof *names, compare_aid_names);
    for (size_t i = 1; i < all->all->count; i++)
        if (names[i][0] && strcmp(names[i], names[i - 1]) == 0)
            mgi_yaml_error(all->r->yaml, all->all, "DUPLICATE", "Rename one of the servers.",
                           "two MCP servers would both give actions like %s", names[i]);
    return true;
}

/* A server looks whether the lock has changed, as it does with files that the domain names. */
static bool watch_lock(struct servers *all)
{
    struct kind_files *f = &all->files;
    const char *path = mgi_provider_path(all->r, STR_LIT(MCP_LOCK_FILE));
    if (!path ||
        !mgi_arena_grow(all->r->yaml->arena, &f->paths, &f->cap, f->count + 2, sizeof *f->paths))
        return false;
    f->paths[f->count++] = path;
    f->paths[f->count] = NULL;
    return true;
}

static bool read_all(struct provider_reader *r, const struct yaml_node *node, bool to_lock)
{
    static const char *const suffixes[] = { ".json", ".jsonc", ".yaml", ".yml", ".toml", NULL };
    struct servers all = { .r = r, .to_lock = to_lock };
    struct yaml_node *map = mgi_arena_calloc(r->yaml->arena, 1, sizeof *map);
    all.files = (struct kind_files){
        .key = "mcp", .suffixes = suffixes, .take = take_client_file, .context = &all
    };
    if (!map)
        return false;
    *map = (struct yaml_node){
        .kind = YAML_MAP, .origin = node->origin, .line = node->line, .column = node->column
    };
    all.all = map;
    size_t errors = mgi_findings_errors(r->yaml->findings);
    if ((!to_lock && !mgi_mcp_lock_read(r, &all.lock)) || !read_config(&all, node) ||
        !watch_lock(&all) || !check_server_twins(&all))
        return false;
    if (map->count > MOST_SERVERS)
        mgi_yaml_error(r->yaml, node, "BAD_VALUE", NULL, "there are %zu MCP servers, of at most %d",
                       map->count, MOST_SERVERS);
    if (mgi_findings_errors(r->yaml->findings) > errors)
        mgi_provider_failed(r);
    for (size_t i = 0; map->count <= MOST_SERVERS && i < map->count; i++)
        if (!read_server(&all, map->entries[i].key, map->entries[i].value))
            return false;
    return true;
}

bool mgi_read_mcp(struct provider_reader *r, const struct yaml_node *node)
{
    return read_all(r, node, false);
}

bool mgi_read_mcp_to_lock(struct provider_reader *r, const struct yaml_node *node)
{
    return read_all(r, node, true);
}
