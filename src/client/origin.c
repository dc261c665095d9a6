/* Addresses and their origins, by libcurl's reading of URLs: the same that then connects. */
#include "client/origin.h"

#include <stdio.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/url.h"
#include "base/utf8.h"

#define WELL_KNOWN "/.well-known/manglecp/manifest.json"
#define WEBSOCKET  "/manglecp/ws"
#define MAX_QUOTED 200
#define MAX_URL    ((size_t)8192)

bool mgi_address_is_websocket(const char *given)
{
    return strncasecmp(given, "ws://", 5) == 0 || strncasecmp(given, "wss://", 6) == 0;
}

bool mgi_address_is_tls(const struct address *a)
{
    return a->url && strncasecmp(a->url, "https:", 6) == 0;
}

enum manglecp_status mgi_address_may_have_token(const char *url, struct buf *why)
{
    if (!mgi_url_fault(url))
        return MANGLECP_OK;
    struct str origin = mgi_url_origin(url);
    mgi_buf_printf(why, "%.*s is not encrypted, so no token goes there", STR_ARG(origin));
    return MANGLECP_ERR_USAGE;
}

void mgi_address_fini(struct address *a)
{
    mgi_free(a->url);
    *a = (struct address){ 0 };
}

/* Quoted for a message: escaped, and not at length. */
static void quote(struct buf *why, struct str text)
{
    mgi_buf_putc(why, '"');
    mgi_utf8_show(why, mgi_utf8_prefix(text, MAX_QUOTED));
    mgi_buf_putc(why, '"');
}

static enum manglecp_status refuse(enum manglecp_status status, struct buf *why, struct str text,
                                   const char *what)
{
    quote(why, text);
    mgi_buf_printf(why, " %s", what);
    return status;
}

/* A part of a URL, the caller's (api->free); NULL if it has none. */
static char *part_of(const struct curl_late *api, CURLU *u, CURLUPart part, unsigned flags)
{
    char *out = NULL;
    return api->url_get(u, part, &out, flags) == CURLUE_OK ? out : NULL;
}

static bool same_part(const struct curl_late *api, CURLU *a, CURLU *b, CURLUPart part)
{
    char *x = part_of(api, a, part, CURLU_DEFAULT_PORT);
    char *y = part_of(api, b, part, CURLU_DEFAULT_PORT);
    bool same = x && y && strcasecmp(x, y) == 0;
    api->free(x);
    api->free(y);
    return same;
}

static bool scheme_is(const struct curl_late *api, CURLU *u, const char *scheme)
{
    char *s = part_of(api, u, CURLUPART_SCHEME, 0);
    bool is = s && strcasecmp(s, scheme) == 0;
    api->free(s);
    return is;
}

static bool has_credentials(const struct curl_late *api, CURLU *u)
{
    char *user = part_of(api, u, CURLUPART_USER, 0);
    char *password = part_of(api, u, CURLUPART_PASSWORD, 0);
    bool has = user || password;
    api->free(user);
    api->free(password);
    return has;
}

static enum manglecp_status keep_url(const struct curl_late *api, CURLU *u, bool trusted,
                                     struct address *out)
{
    api->url_set(u, CURLUPART_FRAGMENT, NULL, 0);
    char *text = part_of(api, u, CURLUPART_URL, 0);
    if (!text)
        return MANGLECP_ERR_NOMEM;
    size_t size = strlen(text) + 1;
    *out = (struct address){ .url = mgi_alloc(size), .trusted = trusted };
    if (out->url)
        memcpy(out->url, text, size);
    api->free(text);
    return out->url ? MANGLECP_OK : MANGLECP_ERR_NOMEM;
}

/* `z` as HTTP has it: ws is http, and wss is https. False: memory. */
static bool as_http(struct buf *out, const char *z)
{
    if (strncasecmp(z, "ws://", 5) == 0)
        mgi_buf_printf(out, "http%s", z + 2);
    else if (strncasecmp(z, "wss://", 6) == 0)
        mgi_buf_printf(out, "https%s", z + 3);
    else
        mgi_buf_puts(out, z);
    return !out->oom;
}

/* The address is not repeated: it may stand on a terminal, or in a log. */
static enum manglecp_status refuse_credentials(struct buf *why)
{
    mgi_buf_puts(why, "the address has credentials in it: they are not taken from there");
    return MANGLECP_ERR_USAGE;
}

/* What a user gave; `path` is where a host alone leads. */
static enum manglecp_status address_of(const struct curl_late *api, const char *given,
                                       const char *path_of_host, const char *complaint,
                                       struct address *out, struct buf *why)
{
    CURLU *u = api->url();
    enum manglecp_status status = MANGLECP_OK;
    struct str text = str_of(given);
    *out = (struct address){ 0 };
    if (!u)
        return MANGLECP_ERR_NOMEM;
    if (text.len > MAX_URL || api->url_set(u, CURLUPART_URL, given, 0) != CURLUE_OK ||
        !(scheme_is(api, u, "http") || scheme_is(api, u, "https")))
        status = refuse(MANGLECP_ERR_USAGE, why, text, complaint);
    else if (has_credentials(api, u))
        status = refuse_credentials(why);
    if (!status) {
        char *path = part_of(api, u, CURLUPART_PATH, 0);
        if (!path || strcmp(path, "/") == 0)
            api->url_set(u, CURLUPART_PATH, path_of_host, 0);
        api->free(path);
        status = keep_url(api, u, true, out);
    }
    api->url_cleanup(u);
    return status;
}

enum manglecp_status mgi_address_of_manifest(const struct curl_late *api, const char *given,
                                             struct address *out, struct buf *why)
{
    return address_of(api, given, WELL_KNOWN, "is no http:// or https:// address", out, why);
}

enum manglecp_status mgi_address_of_websocket(const struct curl_late *api, const char *given,
                                              struct address *out, struct buf *why)
{
    struct buf text = { 0 };
    enum manglecp_status status = MANGLECP_ERR_NOMEM;
    if (as_http(&text, given))
        status = address_of(api, text.ptr ? text.ptr : "", WEBSOCKET,
                            "is no ws:// or wss:// address", out, why);
    mgi_buf_fini(&text);
    return status;
}

enum manglecp_status mgi_address_of_target(const struct curl_late *api, const char *given,
                                           struct arena *a, const char **out, struct buf *why)
{
    struct address address = { 0 };
    enum manglecp_status status = mgi_address_is_websocket(given)
                                      ? mgi_address_of_websocket(api, given, &address, why)
                                      : mgi_address_of_manifest(api, given, &address, why);
    if (!status && !(*out = mgi_arena_strdup(a, address.url)))
        status = MANGLECP_ERR_NOMEM;
    mgi_address_fini(&address);
    return status;
}

static char *joined(const char *a, const char *between, const char *b)
{
    size_t size = strlen(a) + strlen(between) + strlen(b) + 1;
    char *out = mgi_alloc(size);
    if (out)
        snprintf(out, size, "%s%s%s", a, between, b);
    return out;
}

bool mgi_address_parts(const struct curl_late *api, const char *url, char **target, char **host)
{
    CURLU *u = api->url();
    *target = *host = NULL;
    if (u && api->url_set(u, CURLUPART_URL, url, 0) == CURLUE_OK) {
        char *path = part_of(api, u, CURLUPART_PATH, 0);
        char *query = part_of(api, u, CURLUPART_QUERY, 0);
        char *name = part_of(api, u, CURLUPART_HOST, 0);
        char *port = part_of(api, u, CURLUPART_PORT, 0);
        if (path)
            *target = joined(path, query ? "?" : "", query ? query : "");
        if (name)
            *host = joined(name, port ? ":" : "", port ? port : "");
        api->free(path);
        api->free(query);
        api->free(name);
        api->free(port);
    }
    api->url_cleanup(u);
    if (*target && *host)
        return true;
    mgi_free(*target);
    mgi_free(*host);
    *target = *host = NULL;
    return false;
}

/* `u` was resolved; `base` is where it was read. */
static enum manglecp_status judge(const struct curl_late *api, CURLU *base, CURLU *u,
                                  struct str reference, struct address *out, struct buf *why)
{
    if (!scheme_is(api, u, "http") && !scheme_is(api, u, "https"))
        return refuse(MANGLECP_ERR_PROTOCOL, why, reference,
                      "is where the manifest leads, and is no http:// or https:// address");
    if (has_credentials(api, u))
        return refuse(MANGLECP_ERR_PROTOCOL, why, reference,
                      "is where the manifest leads, and has credentials in it");
    if (scheme_is(api, base, "https") && !scheme_is(api, u, "https"))
        return refuse(MANGLECP_ERR_PROTOCOL, why, reference,
                      "is where the manifest leads: from https to http, which is not followed");
    bool trusted = same_part(api, base, u, CURLUPART_SCHEME) &&
                   same_part(api, base, u, CURLUPART_HOST) &&
                   same_part(api, base, u, CURLUPART_PORT);
    return keep_url(api, u, trusted, out);
}

enum manglecp_status mgi_address_resolve(const struct curl_late *api, const char *base,
                                         struct str reference, struct address *out, struct buf *why)
{
    CURLU *from = api->url(), *u = api->url();
    struct buf text = { 0 }, http = { 0 };
    enum manglecp_status status = MANGLECP_ERR_NOMEM;
    *out = (struct address){ 0 };
    mgi_buf_str(&text, reference);
    if (from && u && !text.oom && as_http(&http, text.ptr ? text.ptr : "")) {
        const char *z = http.ptr ? http.ptr : "";
        bool no_nul = strlen(text.ptr ? text.ptr : "") == reference.len;
        bool ok = reference.len <= MAX_URL && no_nul &&
                  api->url_set(from, CURLUPART_URL, base, 0) == CURLUE_OK &&
                  api->url_set(u, CURLUPART_URL, base, 0) == CURLUE_OK &&
                  api->url_set(u, CURLUPART_URL, z, 0) == CURLUE_OK;
        status = ok ? judge(api, from, u, reference, out, why)
                    : refuse(MANGLECP_ERR_PROTOCOL, why, reference,
                             "is where the manifest leads, and is no http:// or https:// address");
    }
    mgi_buf_fini(&text);
    mgi_buf_fini(&http);
    api->url_cleanup(from);
    api->url_cleanup(u);
    return status;
}
