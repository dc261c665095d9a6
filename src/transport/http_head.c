/* Judging the values of header fields: pure functions over text. */
#include "transport/http_head.h"

#include <ctype.h>
#include <strings.h>

#include "net/http1.h"

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
    *part = mgi_str_trim(*part, HTTP1_BLANKS);
    return true;
}

static bool is_json_type(struct str type)
{
    return mgi_str_same(type, STR_LIT("application/json")) ||
           mgi_str_same(type, STR_LIT("application/manglecp+json"));
}

const char *mgi_http_content_type_fault(struct str value)
{
    struct str part, name;
    if (!next_part(&value, ';', &part) || part.len == 0)
        return "The request needs the header Content-Type: application/json.";
    if (!is_json_type(part))
        return "The Content-Type must be application/json.";
    while (next_part(&value, ';', &part)) {
        if (!next_part(&part, '=', &name) || !mgi_str_same(name, STR_LIT("charset")) || !part.ptr)
            continue;
        struct str charset = mgi_str_trim(part, HTTP1_BLANKS);
        if (charset.len >= 2 && charset.ptr[0] == '"') {
            charset.ptr++;
            charset.len -= 2;
        }
        if (!mgi_str_same(charset, STR_LIT("utf-8")))
            return "The charset of the request must be utf-8.";
    }
    return NULL;
}

/* The weight among the parameters of a list's item, in thousandths: "q=0.5" is 500. A weight that
 * is not well formed counts as 0. */
static int weight_of(struct str parameters)
{
    struct str part;
    while (next_part(&parameters, ';', &part)) {
        if (part.len < 3 || strncasecmp(part.ptr, "q=", 2) != 0)
            continue;
        int weight = 0, scale = 1000;
        for (size_t i = 2; i < part.len; i++) {
            char c = part.ptr[i];
            if (i == 3 ? c != '.' : !isdigit((unsigned char)c))
                return 0;
            if (i != 3) {
                weight += (c - '0') * scale;
                scale /= 10;
            }
        }
        return weight <= 1000 ? weight : 0;
    }
    return 1000;
}

static void take_weight(int *named, int weight)
{
    if (*named < 1 + weight)
        *named = 1 + weight;
}

void mgi_http_accept_read(struct http_accept *a, struct str accept)
{
    struct str range, type;
    while (next_part(&accept, ',', &range)) {
        if (!next_part(&range, ';', &type) || type.len == 0)
            continue;
        a->ranges++;
        if (mgi_str_same(type, STR_LIT("application/json")))
            take_weight(&a->json, weight_of(range));
        else if (mgi_str_same(type, STR_LIT("application/manglecp+json")))
            take_weight(&a->manglecp, weight_of(range));
        else if (mgi_str_same(type, STR_LIT("application/*")))
            take_weight(&a->application, weight_of(range));
        else if (mgi_str_same(type, STR_LIT("*/*")))
            take_weight(&a->any, weight_of(range));
    }
}

bool mgi_http_accepts_json(const struct http_accept *a)
{
    int named = a->json ? a->json : a->application ? a->application : a->any;
    return a->ranges == 0 || named > 1 || a->manglecp > 1;
}

bool mgi_http_accepts_gzip(struct str accept_encoding)
{
    struct str item, coding;
    int gzip = -1, any = -1, plain = -1;
    while (next_part(&accept_encoding, ',', &item)) {
        if (!next_part(&item, ';', &coding))
            continue;
        if (mgi_str_same(coding, STR_LIT("gzip")) || mgi_str_same(coding, STR_LIT("x-gzip")))
            gzip = weight_of(item);
        else if (mgi_str_same(coding, STR_LIT("identity")))
            plain = weight_of(item);
        else if (mgi_str_same(coding, STR_LIT("*")))
            any = weight_of(item);
    }
    if (gzip < 0)
        gzip = any;
    return gzip > 0 && gzip >= plain;
}

enum http_credential mgi_http_bearer(struct str authorization, struct str *token)
{
    authorization = mgi_str_trim(authorization, HTTP1_BLANKS);
    if (authorization.len == 0)
        return CREDENTIAL_NONE;
    if (authorization.len < 7 || strncasecmp(authorization.ptr, "Bearer ", 7) != 0)
        return CREDENTIAL_OTHER;
    *token =
        mgi_str_trim((struct str){ authorization.ptr + 7, authorization.len - 7 }, HTTP1_BLANKS);
    return token->len > 0 ? CREDENTIAL_BEARER : CREDENTIAL_OTHER;
}

bool mgi_http_host_is_loopback(struct str host)
{
    struct str name, port;
    if (!mgi_http1_authority(mgi_str_trim(host, HTTP1_BLANKS), &name, &port))
        return false;
    if (mgi_str_same(name, STR_LIT("localhost")) || str_is(name, "[::1]"))
        return true;
    if (name.len < 7 || strncmp(name.ptr, "127.", 4) != 0)
        return false;
    for (size_t i = 0; i < name.len; i++)
        if (name.ptr[i] != '.' && !isdigit((unsigned char)name.ptr[i]))
            return false;
    return true;
}

bool mgi_http_address_is_loopback(const char *host)
{
    return strcmp(host, "::1") == 0 || mgi_http_host_is_loopback(str_of(host));
}

bool mgi_http_is_host(const char *text)
{
    struct str name, port;
    return mgi_http1_authority(str_of(text), &name, &port);
}

bool mgi_http_host_fits(struct str host, const char *allowed)
{
    struct str name, port, allowed_name, allowed_port;
    return mgi_http1_authority(mgi_str_trim(host, HTTP1_BLANKS), &name, &port) &&
           mgi_http1_authority(str_of(allowed), &allowed_name, &allowed_port) &&
           mgi_str_same(name, allowed_name) &&
           (allowed_port.len == 0 || str_eq(port, allowed_port));
}

const char *mgi_http_origin_fault(const char *origin)
{
    struct str text = str_of(origin), name, port;
    size_t scheme = mgi_str_find(text, STR_LIT("://"));
    if (str_is(text, "*"))
        return "every web page would be allowed: name the origins";
    if (scheme == SIZE_MAX || scheme == 0)
        return "an origin is a scheme and a host, such as https://app.example";
    for (size_t i = 0; i < scheme; i++)
        if (!isalnum((unsigned char)text.ptr[i]) && text.ptr[i] != '-' && text.ptr[i] != '+')
            return "the scheme of an origin is letters, digits, - and +";
    struct str host = { text.ptr + scheme + 3, text.len - scheme - 3 };
    if (memchr(host.ptr, '/', host.len))
        return "an origin has no path, and no slash at its end";
    if (!mgi_http1_authority(host, &name, &port))
        return "the host of an origin is a name or an address, and perhaps a port";
    for (size_t i = 0; i < text.len; i++)
        if (isupper((unsigned char)text.ptr[i]))
            return "browsers send origins in small letters";
    return NULL;
}

bool mgi_http_origin_is_host(struct str origin, struct str host)
{
    size_t scheme = mgi_str_find(origin, STR_LIT("://"));
    if (scheme == SIZE_MAX)
        return false;
    struct str rest = { origin.ptr + scheme + 3, origin.len - scheme - 3 };
    return rest.len > 0 && mgi_str_same(rest, host);
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
