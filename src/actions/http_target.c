/* What a request says beside its address: query, headers, credentials; and what all of it uses: see
 * http_int.h. */
#include <strings.h>

#include "actions/command_int.h"
#include "actions/http_int.h"
#include "sys/secrets.h"

/* ---- secrets -------------------------------------------------------------------------------- */

/* Where "${NAME}" begins in `text`, and how long it is with braces; SIZE_MAX: nowhere. */
static size_t find_variable(struct str text, size_t *len)
{
    size_t at = mgi_str_find(text, STR_LIT("${"));
    const char *end = at == SIZE_MAX ? NULL : memchr(text.ptr + at, '}', text.len - at);
    if (!end)
        return SIZE_MAX;
    *len = (size_t)(end - text.ptr) + 1 - at;
    return at;
}

bool mgi_http_has_secret(struct str text)
{
    size_t len;
    return find_variable(text, &len) != SIZE_MAX;
}

static void write_variable(struct provider_reader *r, const struct yaml_node *n, struct str name,
                           struct json_writer *w)
{
    const char *key = mgi_arena_printf(r->yaml->arena, "%.*s", STR_ARG(name));
    const char *value = key ? mgi_secret(key) : NULL;
    bool sound = true;
    for (const char *c = value; c && *c; c++)
        sound = sound && (unsigned char)*c >= ' ' && *c != 0x7f;
    if (!value || !*value) {
        mgi_yaml_error(r->yaml, n, "NO_VARIABLE",
                       "Set it in the environment that the server is started with.",
                       "${%.*s} is not set", STR_ARG(name));
        return;
    }
    if (!sound)
        mgi_yaml_error(r->yaml, n, "BAD_VALUE", "A line feed at its end is a usual reason.",
                       "the variable %.*s holds a control character, which no request can carry",
                       STR_ARG(name));
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "secret", value);
    mgi_jw_end_object(w);
}

void mgi_http_write_secret(struct provider_reader *r, const struct yaml_node *n, const char *before,
                           bool must, struct json_writer *w)
{
    struct str rest = n->kind == YAML_SCALAR ? n->text : STR_LIT("");
    size_t len = 0, at = find_variable(rest, &len);
    if (n->kind != YAML_SCALAR || rest.len == 0 || (must && at == SIZE_MAX))
        mgi_yaml_error(r->yaml, n, "BAD_VALUE", "Write it as \"${ORDERS_TOKEN}\".",
                       must ? "a credential is taken from the environment of the server, by name"
                            : "it must be text");
    mgi_jw_begin_array(w);
    if (*before)
        mgi_jw_cstring(w, before);
    for (; at != SIZE_MAX; at = find_variable(rest, &len)) {
        if (at > 0)
            mgi_jw_string(w, (struct str){ rest.ptr, at });
        write_variable(r, n, (struct str){ rest.ptr + at + 2, len - 3 }, w);
        rest = (struct str){ rest.ptr + at + len, rest.len - at - len };
    }
    if (rest.len > 0)
        mgi_jw_string(w, rest);
    mgi_jw_end_array(w);
}

/* ---- headers and query ---------------------------------------------------------------------- */

static bool is_header_name(struct str name)
{
    static const char token[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "!#$%&'*+-.^_`|~";
    for (size_t i = 0; i < name.len; i++)
        if (!name.ptr[i] || !strchr(token, name.ptr[i]))
            return false;
    return name.len > 0 && name.len <= 128;
}

/* Those that say where a message ends or who is spoken to are libcurl's. */
static void check_header_name(struct provider_reader *r, const struct yaml_node *at,
                              struct str name)
{
    static const char *const taken[] = { "Host",    "Content-Length", "Transfer-Encoding",
                                         "TE",      "Connection",     "Keep-Alive",
                                         "Trailer", "Upgrade",        "Expect",
                                         NULL };
    if (!is_header_name(name))
        mgi_yaml_error(r->yaml, at, "BAD_NAME", NULL, "\"%.*s\" is no name of a header",
                       STR_ARG(name));
    for (const char *const *one = taken; *one; one++)
        if (name.len == strlen(*one) && strncasecmp(name.ptr, *one, name.len) == 0)
            mgi_yaml_error(r->yaml, at, "BAD_VALUE", NULL,
                           "the header %s follows from the request and is not set", *one);
}

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
    check_header_name(r, e->value, e->key);
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
        if (map->entries[i].key.len == name.len &&
            strncasecmp(map->entries[i].key.ptr, name.ptr, name.len) == 0)
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

static void write_query(struct provider_reader *r, const struct http_one *one,
                        struct json_writer *w)
{
    const struct yaml_node *query = map_of(r, mgi_yaml_get(one->request, "query"), "\"query\"");
    mgi_jw_key(w, "query");
    mgi_jw_begin_array(w);
    for (size_t i = 0; query && i < query->count; i++) {
        const struct yaml_entry *e = &query->entries[i];
        if (!is_text_node(r, e->value, "a value of the query"))
            continue;
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "name", e->key);
        mgi_jw_key(w, "value");
        mgi_command_write_parts(r, e->value->text, w);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

/* ---- credentials ---------------------------------------------------------------------------- */

static void write_pair(struct provider_reader *r, const struct yaml_node *map, const char *kind,
                       struct json_writer *w)
{
    if (map->kind != YAML_MAP || map->count != 1) {
        mgi_yaml_error(r->yaml, map, "BAD_VALUE", "Write it as {X-Api-Key: \"${KEY}\"}.",
                       "the credential's name and value are a map of one entry");
        return;
    }
    if (strcmp(kind, "header") == 0)
        check_header_name(r, map->entries[0].value, map->entries[0].key);
    mgi_jw_key(w, kind);
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "name", map->entries[0].key);
    mgi_jw_key(w, "value");
    mgi_http_write_secret(r, map->entries[0].value, "", true, w);
    mgi_jw_end_object(w);
}

static void write_bearer(struct provider_reader *r, const struct yaml_node *n,
                         struct json_writer *w)
{
    mgi_jw_key(w, "header");
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "name", "Authorization");
    mgi_jw_key(w, "value");
    mgi_http_write_secret(r, n, "Bearer ", true, w);
    mgi_jw_end_object(w);
}

static void write_basic(struct provider_reader *r, const struct yaml_node *n, struct json_writer *w)
{
    static const char *const keys[] = { "user", "password", NULL };
    const struct yaml_node *user = mgi_yaml_get(n, "user"), *pass = mgi_yaml_get(n, "password");
    mgi_yaml_known_keys(r->yaml, n, "basic", keys);
    if (!user || !pass) {
        mgi_yaml_error(r->yaml, n, "MISSING_KEY",
                       "Write it as {user: shop, password: \"${PASSWORD}\"}.",
                       "basic has a user and a password");
        return;
    }
    if (user->kind == YAML_SCALAR && memchr(user->text.ptr, ':', user->text.len))
        mgi_yaml_error(r->yaml, user, "BAD_VALUE", NULL, "a user's name cannot hold a colon");
    mgi_jw_key(w, "basic");
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "user");
    mgi_http_write_secret(r, user, "", false, w);
    mgi_jw_key(w, "password");
    mgi_http_write_secret(r, pass, "", true, w);
    mgi_jw_end_object(w);
}

static void write_auth(struct provider_reader *r, const struct yaml_node *n, struct json_writer *w)
{
    static const char *const kinds[] = { "bearer", "header", "basic", "query", NULL };
    if (n->kind == YAML_SCALAR && str_is(n->text, "none"))
        return;
    if (n->kind == YAML_MAP)
        mgi_yaml_known_keys(r->yaml, n, "auth", kinds);
    if (n->kind != YAML_MAP || n->count != 1) {
        mgi_yaml_error(r->yaml, n, "BAD_VALUE", "Write it as {bearer: \"${ORDERS_TOKEN}\"}.",
                       "auth is one of bearer, header, basic and query, or none");
        return;
    }
    const struct yaml_node *value = n->entries[0].value;
    mgi_jw_key(w, "auth");
    mgi_jw_begin_object(w);
    if (str_is(n->entries[0].key, "bearer"))
        write_bearer(r, value, w);
    else if (str_is(n->entries[0].key, "basic"))
        write_basic(r, value, w);
    else if (str_is(n->entries[0].key, "header") || str_is(n->entries[0].key, "query"))
        write_pair(r, value, str_is(n->entries[0].key, "header") ? "header" : "query", w);
    mgi_jw_end_object(w);
}

bool mgi_http_write_target(struct provider_reader *r, const struct http_one *one,
                           struct json_writer *w)
{
    const struct yaml_node *auth = mgi_http_said(one, "auth");
    if (!mgi_http_write_address(r, one, w))
        return false;
    write_query(r, one, w);
    write_headers(r, one, w);
    if (auth)
        write_auth(r, auth, w);
    return true;
}

/* ---- what is used --------------------------------------------------------------------------- */

static bool word_uses(struct provider_reader *r, const struct yaml_node *n, bool always,
                      enum argument_use as, struct command_uses *uses)
{
    return mgi_command_word_uses(r->yaml, r->settings, n, always, as, uses);
}

static bool map_uses(struct provider_reader *r, const struct yaml_node *map, enum argument_use as,
                     struct command_uses *uses)
{
    for (size_t i = 0; map && map->kind == YAML_MAP && i < map->count; i++) {
        const struct yaml_node *n = map->entries[i].value;
        if (n->kind == YAML_SCALAR && !mgi_http_has_secret(n->text) &&
            !word_uses(r, n, false, as, uses))
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
           map_uses(r, mgi_yaml_get(one->request, "query"), described ? USE_ANY : USE_TEXT, uses) &&
           map_uses(r, mgi_yaml_get(one->group, "headers"), USE_TEXT, uses) &&
           map_uses(r, mgi_yaml_get(one->request, "headers"), USE_TEXT, uses);
}
