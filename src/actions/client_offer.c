/* See client_offer.h. */
#include "actions/client_offer.h"

#include <string.h>

#include "actions/kinds.h"
#include "actions/toolpool.h"
#include "base/url.h"

enum { OFFER_SPACE_MB = 16384, OFFER_DESCRIPTORS = 1024 }; /* as of `actions: mcp` */

struct offer_writer {
    const struct yaml_context *c;
    const struct client_server_place *place;
    struct json_writer *w;
    bool good;
};

static void fault_at(struct offer_writer *o, const struct yaml_node *n, const char *what)
{
    mgi_yaml_error(o->c, n, "BAD_VALUE", NULL, "server %.*s: %s", STR_ARG(o->place->name), what);
    o->good = false;
}

/* A text, with its variables; null where it is none (told). */
static void put_expanded(struct offer_writer *o, const struct yaml_node *n)
{
    struct str text = { NULL, 0 };
    if (n->kind != YAML_SCALAR || memchr(n->text.ptr, '\0', n->text.len))
        fault_at(o, n, "a text is expected here");
    else
        text = mgi_client_config_expand(o->c, n, o->place->name, o->place->variables);
    if (text.ptr) {
        mgi_jw_string(o->w, text);
    } else {
        o->good = false;
        mgi_jw_null(o->w);
    }
}

/* The value of a variable by its name. */
static void put_variable(struct offer_writer *o, const struct yaml_node *name, const char *before)
{
    struct arena *a = o->c->arena;
    const char *z =
        name->kind == YAML_SCALAR ? mgi_arena_printf(a, "%.*s", STR_ARG(name->text)) : NULL;
    const char *value = z ? o->place->variables->get(z) : NULL;
    char *text = value ? mgi_arena_printf(a, "%s%s", before, value) : NULL;
    o->good &= text != NULL;
    if (!value && !a->oom) {
        mgi_yaml_error(o->c, name, "NO_VARIABLE",
                       "Set it in the environment that the server is started with.",
                       "server %.*s: ${%s} is not set", STR_ARG(o->place->name), z ? z : "");
    }
    if (text)
        mgi_jw_cstring(o->w, text);
    else
        mgi_jw_null(o->w);
}

static void put_map(struct offer_writer *o, const char *key)
{
    const struct yaml_node *map = mgi_yaml_get(o->place->entry, key);
    if (map && map->kind != YAML_MAP)
        fault_at(o, map, "a map of texts is expected here");
    for (size_t i = 0; map && map->kind == YAML_MAP && i < map->count; i++) {
        mgi_jw_key_str(o->w, map->entries[i].key);
        put_expanded(o, map->entries[i].value);
    }
}

static void put_stdio(struct offer_writer *o)
{
    const struct yaml_node *entry = o->place->entry;
    const struct yaml_node *args = mgi_yaml_get(entry, "args"), *cwd = mgi_yaml_get(entry, "cwd");
    const struct yaml_node *names = mgi_yaml_get(entry, "env_vars");
    struct json_writer *w = o->w;
    mgi_jw_key(w, "run");
    mgi_jw_begin_array(w);
    mgi_jw_cstring(w, o->place->program);
    if (args && args->kind != YAML_LIST)
        fault_at(o, args, "\"args\" is a list of texts");
    for (size_t i = 0; args && args->kind == YAML_LIST && i < args->count; i++)
        put_expanded(o, args->entries[i].value);
    mgi_jw_end_array(w);
    struct str folder = str_of(o->place->folder);
    if (cwd && cwd->kind == YAML_SCALAR && cwd->text.len > 0) {
        folder = mgi_client_config_expand(o->c, cwd, o->place->name, o->place->variables);
        if (folder.ptr && folder.ptr[0] != '/')
            folder =
                str_of(mgi_arena_printf(o->c->arena, "%s/%.*s", o->place->folder, STR_ARG(folder)));
    }
    o->good &= folder.ptr != NULL;
    mgi_jw_member_str(w, "folder", folder.ptr ? folder : STR_LIT("/"));
    mgi_jw_key(w, "env");
    mgi_jw_begin_object(w);
    put_map(o, "env");
    for (size_t i = 0; names && names->kind == YAML_LIST && i < names->count; i++) {
        const struct yaml_node *n = names->entries[i].value;
        if (n->kind != YAML_SCALAR || mgi_yaml_get(mgi_yaml_get(entry, "env"), n->text.ptr))
            continue;
        mgi_jw_key_str(w, n->text);
        put_variable(o, n, "");
    }
    mgi_jw_end_object(w);
}

static void put_headers(struct offer_writer *o)
{
    const struct yaml_node *entry = o->place->entry;
    const struct yaml_node *names = mgi_yaml_get(entry, "env_http_headers");
    const struct yaml_node *bearer = mgi_yaml_get(entry, "bearer_token_env_var");
    mgi_jw_key(o->w, "headers");
    mgi_jw_begin_object(o->w);
    put_map(o, "headers");
    put_map(o, "http_headers");
    for (size_t i = 0; names && names->kind == YAML_MAP && i < names->count; i++) {
        mgi_jw_key_str(o->w, names->entries[i].key);
        put_variable(o, names->entries[i].value, "");
    }
    if (bearer) {
        mgi_jw_key(o->w, "Authorization");
        put_variable(o, bearer, "Bearer ");
    }
    mgi_jw_end_object(o->w);
}

static void put_address(struct offer_writer *o, const struct yaml_node *url)
{
    struct url parts;
    struct str text = { NULL, 0 };
    if (url->kind == YAML_SCALAR)
        text = mgi_client_config_expand(o->c, url, o->place->name, o->place->variables);
    o->good &= text.ptr != NULL;
    if (text.ptr && !mgi_url_read(text, &parts))
        fault_at(o, url, "\"url\" must be an http or https address");
    mgi_jw_member_str(o->w, "url", text.ptr ? text : STR_LIT(""));
    mgi_jw_member_bool(o->w, "private", true); /* the client would go there, too */
    put_headers(o);
}

static void put_settings(struct offer_writer *o)
{
    const struct yaml_node *url;
    struct json_writer *w = o->w;
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "server", o->place->name);
    if (mgi_client_config_kind(o->place->entry, &url) == CLIENT_SERVER_STDIO)
        put_stdio(o);
    else
        put_address(o, url);
    mgi_jw_member_cstr(w, "start", "");
    mgi_jw_member_bool(w, "discover", true);
    mgi_jw_member_bool(w, "verbatim", true);
    mgi_jw_end_object(w);
}

struct str mgi_client_server_document(const struct yaml_context *c,
                                      const struct client_server_place *place)
{
    struct buf text = { 0 };
    struct json_writer w;
    struct offer_writer o = { c, place, &w, true };
    struct str kept = { NULL, 0 };
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "name", place->name);
    mgi_jw_member_cstr(&w, "confine", "on");
    mgi_jw_key(&w, "limits");
    mgi_jw_begin_object(&w);
    mgi_jw_member_int(&w, "address_space_mb", OFFER_SPACE_MB);
    mgi_jw_member_int(&w, "descriptors", OFFER_DESCRIPTORS);
    mgi_jw_end_object(&w);
    mgi_jw_key(&w, "settings");
    put_settings(&o);
    mgi_jw_end_object(&w);
    if (o.good && !text.oom)
        kept = mgi_arena_str(c->arena, mgi_buf_view(&text));
    c->arena->oom |= text.oom;
    mgi_buf_wipe(&text);
    return kept;
}

/* The host speaks of its action, and people do not know that there is one. */
static const char *of_server(struct arena *arena, const char *why)
{
    static const char action[] = MCP_DISCOVER_AID ": ", late[] = MCP_DISCOVER_AID " ";
    if (!why)
        return "out of memory";
    if (strncmp(why, action, sizeof action - 1) == 0)
        return why + sizeof action - 1;
    if (strncmp(why, late, sizeof late - 1) != 0)
        return why;
    const char *text = mgi_arena_printf(arena, "the server %s", why + sizeof late - 1);
    return text ? text : "out of memory";
}

bool mgi_client_server_offer(const struct client_ask *ask, struct str name, struct str document,
                             struct arena *arena, struct json *offer, const char **why)
{
    const struct action_provider provider = {
        .kind = "mcp", .name = name, .plugin = str_of(ask->plugin), .document = document
    };
    const struct action action = { .aid = STR_LIT(MCP_DISCOVER_AID), .provider = &provider };
    const struct str nothing = STR_LIT("{}");
    const struct action_question question = { .action = &action,
                                              .inputs = &nothing,
                                              .count = 1,
                                              .timeout_ms = ask->timeout_ms,
                                              .is_over = ask->is_over,
                                              .context = ask->context };
    bool good = mgi_toolhost_ask(ask->toolhost, &question, arena, offer, why);
    if (!good)
        *why = of_server(arena, *why);
    return good;
}
