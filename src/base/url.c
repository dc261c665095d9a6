/* Addresses as text; see url.h. */
#include "base/url.h"

#include <strings.h>

#define PORT_DIGITS 5
#define PORT_MOST   65535

static const char unreserved[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

static bool has_odd_character(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.ptr[i] <= ' ' || text.ptr[i] == 0x7f || text.ptr[i] == '"' ||
            text.ptr[i] == '\\')
            return true;
    return false;
}

/* "https://" or "http://", whatever the case: its length, 0: neither. */
static size_t read_scheme(struct str text, bool *tls)
{
    static const char plain[] = "http://", secure[] = "https://";
    *tls = text.len >= sizeof secure - 1 && strncasecmp(text.ptr, secure, sizeof secure - 1) == 0;
    if (*tls)
        return sizeof secure - 1;
    return text.len >= sizeof plain - 1 && strncasecmp(text.ptr, plain, sizeof plain - 1) == 0
               ? sizeof plain - 1
               : 0;
}

/* What stands before one of `ends`. */
static struct str until(struct str text, const char *ends)
{
    size_t len = 0;
    while (len < text.len && !strchr(ends, text.ptr[len]))
        len++;
    return (struct str){ text.ptr, len };
}

static bool read_port(struct str text, unsigned *port)
{
    if (text.len == 0 || text.len > PORT_DIGITS)
        return false;
    *port = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return false;
        *port = *port * 10 + (unsigned)(text.ptr[i] - '0');
    }
    return *port > 0 && *port <= PORT_MOST;
}

/* host, or host:port. A host in brackets is an IPv6 address, and has colons of its own. */
static bool read_authority(struct str text, struct url *out)
{
    bool brackets = text.len > 0 && text.ptr[0] == '[';
    struct str host = until(text, brackets ? "]" : ":");
    if (brackets && host.len++ == text.len)
        return false;
    struct str rest = { text.ptr + host.len, text.len - host.len };
    out->host = host;
    if (memchr(text.ptr, '@', text.len) || host.len == 0 || (brackets && host.len < 4))
        return false;
    if (rest.len == 0)
        return true;
    return rest.ptr[0] == ':' && read_port((struct str){ rest.ptr + 1, rest.len - 1 }, &out->port);
}

bool mgi_url_read(struct str text, struct url *out)
{
    *out = (struct url){ 0 };
    if (text.len == 0 || memchr(text.ptr, '\0', text.len) || has_odd_character(text))
        return false;
    size_t scheme = read_scheme(text, &out->tls);
    struct str rest = { text.ptr + scheme, text.len - scheme };
    struct str authority = until(rest, "/?#");
    out->port = out->tls ? 443 : 80;
    if (scheme == 0 || !read_authority(authority, out))
        return false;
    rest = (struct str){ rest.ptr + authority.len, rest.len - authority.len };
    out->path = until(rest, "?#");
    out->tail = (struct str){ rest.ptr + out->path.len, rest.len - out->path.len };
    return true;
}

bool mgi_url_is_loopback(const char *url)
{
    struct url u;
    return mgi_url_read(str_of(url), &u) &&
           (str_is(u.host, "127.0.0.1") || str_is(u.host, "[::1]") ||
            mgi_str_same(u.host, STR_LIT("localhost")));
}

const char *mgi_url_fault(const char *url)
{
    struct url u;
    if (has_odd_character(str_of(url)))
        return "it has characters that an address cannot have";
    if (mgi_url_is_loopback(url) || (mgi_url_read(str_of(url), &u) && u.tls))
        return NULL;
    return "it must begin with https:// and a host; http:// is for loopback addresses alone";
}

bool mgi_url_covers(const char *base, const char *url)
{
    struct url b, u;
    if (!mgi_url_read(str_of(base), &b) || !mgi_url_read(str_of(url), &u) || b.tls != u.tls ||
        b.port != u.port || !mgi_str_same(b.host, u.host))
        return false;
    while (b.path.len > 0 && b.path.ptr[b.path.len - 1] == '/')
        b.path.len--;
    if (!mgi_str_starts(u.path, b.path))
        return false;
    struct str below = { u.path.ptr + b.path.len, u.path.len - b.path.len };
    return below.len == 0 || mgi_str_starts(below, STR_LIT("/"));
}

struct str mgi_url_origin(const char *url)
{
    struct url u;
    struct str text = str_of(url);
    if (mgi_url_read(text, &u))
        text.len -= u.path.len + u.tail.len;
    return text;
}

void mgi_url_escape(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] && strchr(unreserved, text.ptr[i]))
            mgi_buf_putc(out, text.ptr[i]);
        else
            mgi_buf_printf(out, "%%%02X", (unsigned char)text.ptr[i]);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool mgi_url_unescape(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] != '%') {
            mgi_buf_putc(out, text.ptr[i] == '+' ? ' ' : text.ptr[i]);
            continue;
        }
        int high = i + 2 < text.len ? hex_digit(text.ptr[i + 1]) : -1;
        int low = i + 2 < text.len ? hex_digit(text.ptr[i + 2]) : -1;
        if (high < 0 || low < 0)
            return false;
        mgi_buf_putc(out, (char)(high * 16 + low));
        i += 2;
    }
    return true;
}
