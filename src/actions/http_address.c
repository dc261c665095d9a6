/* Where a request goes, and where its redirects may lead: see http_int.h. */
#include <unistd.h>

#include "actions/command_int.h"
#include "actions/http_int.h"
#include "base/url.h"

/* The first header of `map` that holds a secret; or NULL. */
static const struct yaml_node *secret_header(const struct yaml_node *map)
{
    for (size_t i = 0; map && map->kind == YAML_MAP && i < map->count; i++) {
        const struct yaml_node *n = map->entries[i].value;
        if (n->kind == YAML_SCALAR && mgi_http_has_secret(n->text))
            return n;
    }
    return NULL;
}

/* A credential that leaves in clear text is everybody's on the way. */
static void check_clear_text(struct provider_reader *r, const struct http_one *one,
                             const char *origin, bool private)
{
    const struct yaml_node *at = mgi_http_said(one, "auth");
    if (private || !mgi_url_fault(origin))
        return;
    if (mgi_http_auth_is_none(at))
        at = secret_header(mgi_yaml_get(one->request, "headers"));
    if (!at)
        at = secret_header(mgi_yaml_get(one->group, "headers"));
    if (!at)
        return;
    mgi_yaml_error(r->yaml, at, "BAD_VALUE", "Use https://.",
                   "the credential would go to %s where everybody on the way can read it", origin);
}

/* A text without arguments, settings put in. ptr NULL: it is none (told), or memory. */
static struct str settled(struct provider_reader *r, const struct yaml_node *at, struct str text)
{
    struct word_part *parts;
    const char *why;
    size_t count, where;
    struct buf out = { 0 };
    if (!mgi_word_parse(r->yaml->arena, text, &parts, &count, &why, &where)) {
        if (why)
            mgi_yaml_error(r->yaml, at, "BAD_TEMPLATE", NULL, "\"%.*s\", at character %zu: %s",
                           STR_ARG(text), where + 1, why);
        return (struct str){ NULL, 0 };
    }
    for (size_t i = 0; i < count; i++) {
        if (parts[i].kind == PART_ARGUMENT)
            mgi_yaml_error(r->yaml, at, "BAD_TEMPLATE", NULL,
                           "the server is named here, and no argument chooses it");
        mgi_buf_str(&out, parts[i].kind == PART_SETTING ? mgi_provider_setting(r, parts[i].text)
                                                        : parts[i].text);
    }
    struct str kept = mgi_arena_str(r->yaml->arena, mgi_buf_view(&out));
    if (out.oom)
        kept.ptr = NULL;
    mgi_buf_fini(&out);
    return kept;
}

/* As plugins/http compares them. NULL: no address; or memory. */
static const char *origin_of(struct arena *a, struct str url)
{
    struct url u;
    if (!mgi_url_read(url, &u))
        return NULL;
    char *text =
        mgi_arena_printf(a, "%s://%.*s:%u", u.tls ? "https" : "http", STR_ARG(u.host), u.port);
    for (char *c = text; c && *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    return text;
}

/* Where the path begins in an absolute address; 0: it is none. */
static size_t authority_end(struct str url)
{
    size_t at = mgi_str_find(url, STR_LIT("://"));
    if (at == SIZE_MAX || memchr(url.ptr, '/', at))
        return 0;
    at += 3;
    while (at < url.len && !strchr("/?#", url.ptr[at]))
        at++;
    return at;
}

static void check_path(struct provider_reader *r, const struct yaml_node *at, struct str path)
{
    bool odd = false;
    for (size_t i = 0; i < path.len; i++)
        odd = odd || (unsigned char)path.ptr[i] <= ' ' || (unsigned char)path.ptr[i] >= 0x7f ||
              path.ptr[i] == '\\' || path.ptr[i] == '"';
    if (odd)
        mgi_yaml_error(r->yaml, at, "BAD_VALUE", "Write it percent-encoded.",
                       "it has characters that an address cannot have");
    if (memchr(path.ptr, '?', path.len) || memchr(path.ptr, '#', path.len))
        mgi_yaml_error(r->yaml, at, "BAD_VALUE",
                       "What follows ? is written as query: {q: \"{text}\"}.",
                       "an address ends with its path here");
}

/* What settings put in counts, too. */
static void check_settings(struct provider_reader *r, const struct yaml_node *at, struct str path)
{
    struct word_part *parts;
    const char *why;
    size_t count, where;
    if (!mgi_word_parse(r->yaml->arena, path, &parts, &count, &why, &where))
        return; /* told */
    for (size_t i = 0; i < count; i++)
        if (parts[i].kind == PART_SETTING)
            check_path(r, at, mgi_provider_setting(r, parts[i].text));
}

/* `base`: scheme, host and perhaps a path; `path` goes behind it. */
static bool write_address(struct provider_reader *r, const struct http_one *one,
                          const struct yaml_node *at, struct str base, struct str path,
                          struct json_writer *w)
{
    struct url u;
    const struct yaml_node *may = mgi_http_said(one, "private");
    bool private = false;
    if (!mgi_url_read(base, &u) || u.tail.len > 0 || memchr(base.ptr, '{', base.len)) {
        mgi_yaml_error(r->yaml, at, "BAD_VALUE", "Write it as https://api.example.com.",
                       "\"%.*s\" is no address of an HTTP server", STR_ARG(base));
        return true;
    }
    while (u.path.len > 0 && u.path.ptr[u.path.len - 1] == '/')
        u.path.len--;
    const char *origin = origin_of(r->yaml->arena, base);
    char *whole = mgi_arena_printf(r->yaml->arena, "%.*s%.*s", STR_ARG(u.path), STR_ARG(path));
    if (!origin || !whole)
        return false;
    if (may && !mgi_yaml_bool(may, &private))
        mgi_yaml_error(r->yaml, may, "BAD_VALUE", NULL, "private must be true or false");
    check_clear_text(r, one, origin, private);
    check_path(r, at, path);
    check_settings(r, at, path);
    mgi_jw_member_cstr(w, "origin", origin);
    mgi_jw_key(w, "path");
    mgi_command_write_parts(r, *whole ? str_of(whole) : STR_LIT("/"), w);
    mgi_jw_member_bool(w, "private", private);
    return true;
}

static bool write_url(struct provider_reader *r, const struct http_one *one, struct json_writer *w)
{
    const struct yaml_node *url = mgi_yaml_get(one->request, "url");
    const struct yaml_node *server = mgi_http_said(one, "server");
    if (!url || url->kind != YAML_SCALAR || url->text.len == 0) {
        mgi_yaml_error(r->yaml, url ? url : one->request, url ? "BAD_VALUE" : "MISSING_KEY",
                       "Write it as url: /orders/{id}.", "\"url\" is missing");
        return true;
    }
    size_t end = authority_end(url->text);
    struct str path = { url->text.ptr + end, url->text.len - end };
    struct str base = { url->text.ptr, end };
    const struct yaml_node *at = url;
    if (end == 0 && !server) {
        mgi_yaml_error(r->yaml, url, "MISSING_KEY",
                       "Say server: https://api.example.com, or write the whole address.",
                       "\"server\" is missing");
        return true;
    }
    if (end == 0 && url->text.ptr[0] != '/') {
        mgi_yaml_error(r->yaml, url, "BAD_VALUE", NULL,
                       "an address begins with / or with https://");
        return true;
    }
    if (end == 0) {
        at = server;
        base = server->text;
        if (server->kind != YAML_SCALAR) {
            mgi_yaml_error(r->yaml, server, "BAD_VALUE", NULL, "\"server\" must be text, not %s",
                           mgi_yaml_kind_name(server));
            return true;
        }
    }
    base = settled(r, at, base);
    return base.ptr ? write_address(r, one, at, base, path, w) : !r->yaml->arena->oom;
}

static void write_allowed(struct provider_reader *r, const struct yaml_node *n,
                          struct json_writer *w)
{
    struct arena *a = r->yaml->arena;
    struct url u;
    const char *text = NULL, *origin = NULL;
    if (n->kind == YAML_SCALAR && n->text.len > 0)
        text = mgi_str_find(n->text, STR_LIT("://")) == SIZE_MAX
                   ? mgi_arena_printf(a, "https://%.*s", STR_ARG(n->text))
                   : mgi_arena_printf(a, "%.*s", STR_ARG(n->text));
    if (text && mgi_url_read(str_of(text), &u) && u.tail.len == 0 && u.path.len <= 1)
        origin = origin_of(a, str_of(text));
    if (origin)
        mgi_jw_cstring(w, origin);
    else
        mgi_yaml_error(r->yaml, n, "BAD_VALUE",
                       "Write it as files.example.com, or http://files.example.com:8080.",
                       "that is no host");
}

static bool write_reach(struct provider_reader *r, const struct http_one *one,
                        struct json_writer *w)
{
    const struct yaml_node *allow = mgi_http_said(one, "allow"), *ca = mgi_http_said(one, "ca");
    if (allow && allow->kind != YAML_LIST)
        mgi_yaml_error(r->yaml, allow, "BAD_VALUE", NULL,
                       "\"allow\" must be a list of hosts, not %s", mgi_yaml_kind_name(allow));
    mgi_jw_key(w, "allow");
    mgi_jw_begin_array(w);
    for (size_t i = 0; allow && allow->kind == YAML_LIST && i < allow->count; i++)
        write_allowed(r, allow->entries[i].value, w);
    mgi_jw_end_array(w);
    if (ca && ca->kind != YAML_SCALAR)
        mgi_yaml_error(r->yaml, ca, "BAD_VALUE", NULL, "\"ca\" must be text, not %s",
                       mgi_yaml_kind_name(ca));
    if (!ca || ca->kind != YAML_SCALAR)
        return true;
    const char *path = mgi_provider_path(r, ca->text);
    if (!path)
        return false;
    if (access(path, R_OK) != 0)
        mgi_yaml_error(r->yaml, ca, "NO_FILE", NULL, "there is no file %.*s that can be read",
                       STR_ARG(ca->text));
    mgi_jw_member_cstr(w, "ca", path);
    return true;
}

bool mgi_http_write_address(struct provider_reader *r, const struct http_one *one,
                            struct json_writer *w)
{
    return write_url(r, one, w) && write_reach(r, one, w);
}
