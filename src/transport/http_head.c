/* Judging a request's head: pure functions over header text. */
#include "transport/http_head.h"

#include <ctype.h>
#include <strings.h>

static struct str trim(struct str s)
{
    while (s.len > 0 && (s.ptr[0] == ' ' || s.ptr[0] == '\t')) {
        s.ptr++;
        s.len--;
    }
    while (s.len > 0 && (s.ptr[s.len - 1] == ' ' || s.ptr[s.len - 1] == '\t'))
        s.len--;
    return s;
}

static bool is_word(struct str s, const char *word)
{
    return s.len == strlen(word) && strncasecmp(s.ptr, word, s.len) == 0;
}

/* Cut the part before `separator` off *rest. False at the end. */
static bool next_part(struct str *rest, char separator, struct str *part)
{
    if (!rest->ptr)
        return false;
    const char *cut = rest->len ? memchr(rest->ptr, separator, rest->len) : NULL;
    part->ptr = rest->ptr;
    part->len = cut ? (size_t)(cut - rest->ptr) : rest->len;
    if (cut) {
        rest->len -= part->len + 1;
        rest->ptr = cut + 1;
    } else {
        *rest = (struct str){ NULL, 0 };
    }
    *part = trim(*part);
    return true;
}

enum http_route mgi_http_route(struct str target)
{
    const char *query = target.len ? memchr(target.ptr, '?', target.len) : NULL;
    if (query)
        target.len = (size_t)(query - target.ptr);
    if (str_is(target, HTTP_MANIFEST_PATH))
        return ROUTE_MANIFEST;
    if (str_is(target, HTTP_INTENT_PATH))
        return ROUTE_INTENT;
    if (str_is(target, HTTP_INVOKE_PATH))
        return ROUTE_INVOKE;
    return ROUTE_UNKNOWN;
}

const char *mgi_http_allow(enum http_route route)
{
    return route == ROUTE_MANIFEST ? "GET, HEAD" : "POST";
}

static bool is_json_type(struct str type)
{
    return is_word(type, "application/json") || is_word(type, "application/manglecp+json");
}

const char *mgi_http_content_type_fault(struct str value)
{
    struct str part, name;
    if (!next_part(&value, ';', &part) || part.len == 0)
        return "The request needs the header Content-Type: application/json.";
    if (!is_json_type(part))
        return "The Content-Type must be application/json.";
    while (next_part(&value, ';', &part)) {
        if (!next_part(&part, '=', &name) || !is_word(name, "charset") || !part.ptr)
            continue;
        struct str charset = trim(part);
        if (charset.len >= 2 && charset.ptr[0] == '"') {
            charset.ptr++;
            charset.len -= 2;
        }
        if (!is_word(charset, "utf-8"))
            return "The charset of the request must be utf-8.";
    }
    return NULL;
}

/* q=0 refuses a type. */
static bool is_refused(struct str parameters)
{
    struct str part;
    while (next_part(&parameters, ';', &part)) {
        if (part.len < 3 || strncasecmp(part.ptr, "q=", 2) != 0)
            continue;
        for (size_t i = 2; i < part.len; i++)
            if (part.ptr[i] != '0' && part.ptr[i] != '.')
                return false;
        return true;
    }
    return false;
}

bool mgi_http_accepts_json(struct str accept)
{
    struct str range, type;
    if (!accept.ptr || trim(accept).len == 0)
        return true;
    while (next_part(&accept, ',', &range)) {
        if (!next_part(&range, ';', &type))
            continue;
        if ((is_json_type(type) || is_word(type, "*/*") || is_word(type, "application/*")) &&
            !is_refused(range))
            return true;
    }
    return false;
}

enum http_credential mgi_http_bearer(struct str authorization, struct str *token)
{
    authorization = trim(authorization);
    if (authorization.len == 0)
        return CREDENTIAL_NONE;
    if (authorization.len < 7 || strncasecmp(authorization.ptr, "Bearer ", 7) != 0)
        return CREDENTIAL_OTHER;
    *token = trim((struct str){ authorization.ptr + 7, authorization.len - 7 });
    return token->len > 0 ? CREDENTIAL_BEARER : CREDENTIAL_OTHER;
}

bool mgi_http_host_is_loopback(struct str host)
{
    host = trim(host);
    if (host.len > 0 && host.ptr[0] == '[') {
        const char *end = memchr(host.ptr, ']', host.len);
        if (!end)
            return false;
        host = (struct str){ host.ptr + 1, (size_t)(end - host.ptr) - 1 };
        return str_is(host, "::1");
    }
    const char *colon = host.len ? memchr(host.ptr, ':', host.len) : NULL;
    if (colon)
        host.len = (size_t)(colon - host.ptr);
    if (is_word(host, "localhost"))
        return true;
    if (host.len < 7 || strncmp(host.ptr, "127.", 4) != 0)
        return false;
    for (size_t i = 0; i < host.len; i++)
        if (host.ptr[i] != '.' && !isdigit((unsigned char)host.ptr[i]))
            return false;
    return true;
}

bool mgi_http_address_is_loopback(const char *host)
{
    return strcmp(host, "::1") == 0 || mgi_http_host_is_loopback(str_of(host));
}

bool mgi_http_etag_matches(struct str if_none_match, struct str etag)
{
    struct str part;
    if (!if_none_match.ptr)
        return false;
    while (next_part(&if_none_match, ',', &part)) {
        if (str_is(part, "*"))
            return true;
        if (mgi_str_starts(part, STR_LIT("W/"))) {
            part.ptr += 2;
            part.len -= 2;
        }
        if (str_eq(part, etag))
            return true;
    }
    return false;
}

const char *mgi_http_reason(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 204:
        return "No Content";
    case 304:
        return "Not Modified";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 408:
        return "Request Timeout";
    case 410:
        return "Gone";
    case 413:
        return "Content Too Large";
    case 429:
        return "Too Many Requests";
    case 431:
        return "Request Header Fields Too Large";
    case 500:
        return "Internal Server Error";
    case 503:
        return "Service Unavailable";
    default:
        return "Status";
    }
}
