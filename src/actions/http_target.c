/* What a request says beside its address: query and headers; and what all of it uses: see
 * http_int.h. */
#include "actions/command_int.h"
#include "actions/http_int.h"

static const struct yaml_node *map_of(struct provider_reader *r, const struct yaml_node *n,
                                      const char *what)
{
    if (!n || n->kind == YAML_MAP)
        return n;
    mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL, "%s must be a map, not %s", what,
                   mgi_yaml_kind_name(n));
    return NULL;
}

static bool is_text_node(struct provider_reader *r, const struct yaml_node *n, const char *what)
{
    if (n->kind == YAML_SCALAR)
        return true;
    mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL, "%s must be text, not %s", what,
                   mgi_yaml_kind_name(n));
    return false;
}

static void write_header(struct provider_reader *r, const struct yaml_entry *e,
                         struct json_writer *w)
{
    mgi_http_check_header(r, e->value, e->key);
    if (!is_text_node(r, e->value, "a header"))
        return;
    for (size_t i = 0; i < e->value->text.len; i++)
        if ((unsigned char)e->value->text.ptr[i] < ' ' || e->value->text.ptr[i] == 0x7f) {
            mgi_yaml_error(r->yaml, e->value, "BAD_VALUE", NULL,
                           "a header cannot hold control characters");
            return;
        }
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "name", e->key);
    mgi_jw_key(w, "value");
    if (mgi_http_has_secret(e->value->text))
        mgi_http_write_secret(r, e->value, "", true, w);
    else
        mgi_command_write_parts(r, e->value->text, w);
    mgi_jw_end_object(w);
}

static bool has_header(const struct yaml_node *map, struct str name)
{
    for (size_t i = 0; map && map->kind == YAML_MAP && i < map->count; i++)
        if (mgi_str_same(map->entries[i].key, name))
            return true;
    return false;
}

/* Those of the group that the request does not say itself, then its own. */
static void write_headers(struct provider_reader *r, const struct http_one *one,
                          struct json_writer *w)
{
    const struct yaml_node *own = map_of(r, mgi_yaml_get(one->request, "headers"), "\"headers\"");
    const struct yaml_node *shared = mgi_yaml_get(one->group, "headers");
    mgi_jw_key(w, "headers");
    mgi_jw_begin_array(w);
    for (size_t i = 0; shared && shared->kind == YAML_MAP && i < shared->count; i++)
        if (!has_header(own, shared->entries[i].key))
            write_header(r, &shared->entries[i], w);
    for (size_t i = 0; own && i < own->count; i++)
        write_header(r, &own->entries[i], w);
    mgi_jw_end_array(w);
}

/* ---- pairs: the query, and forms ------------------------------------------------------------- */

/* The argument of {join: ids, with: "|"} or {deep: filter}; NULL (told): it names none. */
static const struct yaml_node *argument_of(struct provider_reader *r, const struct yaml_node *n)
{
    static const char *const keys[] = { "join", "with", "deep", NULL };
    const struct yaml_node *join = mgi_yaml_get(n, "join"), *deep = mgi_yaml_get(n, "deep");
    const struct yaml_node *name = join ? join : deep, *with = mgi_yaml_get(n, "with");
    bool good = name && name->kind == YAML_SCALAR && mgi_is_argument_name(name->text) &&
                !(join && deep) && !(with && deep);
    mgi_yaml_known_keys(r->yaml, n, "a value", keys);
    if (!good)
        mgi_yaml_error(r->yaml, n, "BAD_VALUE",
                       "It is \"{text}\", {join: list, with: \"|\"} or {deep: object}.",
                       "it does not say what is sent");
    if (with &&
        (with->kind != YAML_SCALAR || with->text.len != 1 || !strchr(", |", with->text.ptr[0]))) {
        mgi_yaml_error(r->yaml, with, "BAD_VALUE", NULL,
                       "what stands between is a comma, a blank or a |");
        good = false;
    }
    return good ? name : NULL;
}

static void write_shaped(struct provider_reader *r, const struct yaml_node *n,
                         struct json_writer *w)
{
    const struct yaml_node *name = argument_of(r, n), *with = mgi_yaml_get(n, "with");
    mgi_jw_key(w, "value");
    mgi_jw_begin_array(w);
    if (name) {
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "arg", name->text);
        mgi_jw_member_str(w, "join", with ? with->text : STR_LIT(","));
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
    mgi_jw_member_bool(w, "deep", mgi_yaml_get(n, "deep") != NULL);
}

void mgi_http_write_pairs(struct provider_reader *r, const struct yaml_node *map,
                          struct json_writer *w)
{
    mgi_jw_begin_array(w);
    for (size_t i = 0; map && map->kind == YAML_MAP && i < map->count; i++) {
        const struct yaml_entry *e = &map->entries[i];
        if (e->value->kind != YAML_MAP && !is_text_node(r, e->value, "a value"))
            continue;
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "name", e->key);
        if (e->value->kind == YAML_MAP) {
            write_shaped(r, e->value, w);
        } else {
            mgi_jw_key(w, "value");
            mgi_command_write_parts(r, e->value->text, w);
        }
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

static void write_query(struct provider_reader *r, const struct http_one *one,
                        struct json_writer *w)
{
    const struct yaml_node *query = map_of(r, mgi_yaml_get(one->request, "query"), "\"query\"");
    mgi_jw_key(w, "query");
    mgi_http_write_pairs(r, query, w);
}

bool mgi_http_write_target(struct provider_reader *r, const struct http_one *one,
                           struct json_writer *w)
{
    const struct yaml_node *auth = mgi_http_said(one, "auth");
    if (!mgi_http_write_address(r, one, w))
        return false;
    write_query(r, one, w);
    write_headers(r, one, w);
    mgi_http_write_auth(r, auth, w);
    return true;
}

/* ---- what is used --------------------------------------------------------------------------- */

static bool word_uses(struct provider_reader *r, const struct yaml_node *n, bool always,
                      enum argument_use as, struct command_uses *uses)
{
    return mgi_command_word_uses(r->yaml, r->settings, n, always, as, uses);
}

/* A name that is none is told when it is written. */
static bool shape_uses(struct provider_reader *r, const struct yaml_node *n,
                       struct command_uses *uses)
{
    const struct yaml_node *join = mgi_yaml_get(n, "join"), *deep = mgi_yaml_get(n, "deep");
    const struct yaml_node *name = join ? join : deep;
    return !name || name->kind != YAML_SCALAR || !mgi_is_argument_name(name->text) ||
           mgi_command_name_uses(r->yaml, name, false, join ? USE_LIST : USE_ANY, uses);
}

static bool header_uses(struct provider_reader *r, const struct yaml_node *map,
                        struct command_uses *uses)
{
    for (size_t i = 0; map && map->kind == YAML_MAP && i < map->count; i++) {
        const struct yaml_node *n = map->entries[i].value;
        if (n->kind == YAML_SCALAR && !mgi_http_has_secret(n->text) &&
            !word_uses(r, n, false, USE_TEXT, uses))
            return false;
    }
    return true;
}

bool mgi_http_pairs_use(struct provider_reader *r, const struct yaml_node *map,
                        enum argument_use as, struct command_uses *uses)
{
    for (size_t i = 0; map && map->kind == YAML_MAP && i < map->count; i++) {
        const struct yaml_node *n = map->entries[i].value;
        if (n->kind == YAML_SCALAR && !word_uses(r, n, false, as, uses))
            return false;
        if (n->kind == YAML_MAP && !shape_uses(r, n, uses))
            return false;
    }
    return true;
}

bool mgi_http_target_uses(struct provider_reader *r, const struct http_one *one,
                          struct command_uses *uses)
{
    const struct yaml_node *url = mgi_yaml_get(one->request, "url");
    const struct yaml_node *server = mgi_http_said(one, "server");
    struct command_uses none = { 0 };
    bool described = mgi_yaml_get(one->request, "input") != NULL;
    return (!server || server->kind != YAML_SCALAR ||
            word_uses(r, server, false, USE_TEXT, &none)) &&
           (!url || url->kind != YAML_SCALAR || word_uses(r, url, true, USE_TEXT, uses)) &&
           mgi_http_pairs_use(r, mgi_yaml_get(one->request, "query"),
                              described ? USE_ANY : USE_TEXT, uses) &&
           header_uses(r, mgi_yaml_get(one->group, "headers"), uses) &&
           header_uses(r, mgi_yaml_get(one->request, "headers"), uses);
}
