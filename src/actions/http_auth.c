/* Credentials of a request, and other secrets in it: taken from the environment of the server, by
 * name. See http_int.h. */
#include "actions/http_int.h"
#include "sys/secrets.h"

#define MOST_CREDENTIALS 4 /* of one request */

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
        mgi_http_check_header(r, map->entries[0].value, map->entries[0].key);
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

bool mgi_http_auth_is_none(const struct yaml_node *n)
{
    return !n || (n->kind == YAML_SCALAR && str_is(n->text, "none"));
}

static void write_credential(struct provider_reader *r, const struct yaml_node *n,
                             struct json_writer *w)
{
    static const char *const kinds[] = { "bearer", "header", "basic", "query", NULL };
    if (n->kind == YAML_MAP)
        mgi_yaml_known_keys(r->yaml, n, "auth", kinds);
    if (n->kind != YAML_MAP || n->count != 1) {
        mgi_yaml_error(r->yaml, n, "BAD_VALUE", "Write it as {bearer: \"${ORDERS_TOKEN}\"}.",
                       "auth is one of bearer, header, basic and query, a list of them, or none");
        return;
    }
    const struct yaml_node *value = n->entries[0].value;
    mgi_jw_begin_object(w);
    if (str_is(n->entries[0].key, "bearer"))
        write_bearer(r, value, w);
    else if (str_is(n->entries[0].key, "basic"))
        write_basic(r, value, w);
    else if (str_is(n->entries[0].key, "header") || str_is(n->entries[0].key, "query"))
        write_pair(r, value, str_is(n->entries[0].key, "header") ? "header" : "query", w);
    mgi_jw_end_object(w);
}

void mgi_http_write_auth(struct provider_reader *r, const struct yaml_node *n,
                         struct json_writer *w)
{
    if (mgi_http_auth_is_none(n))
        return;
    if (n->kind == YAML_LIST && n->count > MOST_CREDENTIALS)
        mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL, "auth has at most %d credentials",
                       MOST_CREDENTIALS);
    mgi_jw_key(w, "auth");
    mgi_jw_begin_array(w);
    for (size_t i = 0; n->kind == YAML_LIST && i < n->count; i++)
        write_credential(r, n->entries[i].value, w);
    if (n->kind != YAML_LIST)
        write_credential(r, n, w);
    mgi_jw_end_array(w);
}
