/* Reading fields and authorities of heads that are good, and writing heads of responses. */
#include <assert.h>
#include <string.h>

#include "net/http1_int.h"

bool mgi_http1_is_token_char(unsigned char c)
{
    if ((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'))
        return true;
    return c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL;
}

int mgi_http1_hex_digit(unsigned char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool mgi_http1_same(struct str text, const char *word)
{
    return mgi_str_same(text, str_of(word));
}

struct str mgi_http1_cut(struct str *rest, char separator)
{
    const char *end = rest->len ? memchr(rest->ptr, separator, rest->len) : NULL;
    struct str part = { rest->ptr, end ? (size_t)(end - rest->ptr) : rest->len };
    size_t taken = part.len + (end ? 1 : 0);
    rest->ptr += taken;
    rest->len -= taken;
    return part;
}

/* ---- looking at heads -------------------------------------------------------------------- */

bool mgi_http1_field(const struct http1_request *r, struct str *rest, struct str *name,
                     struct str *value)
{
    if (!rest->ptr) { /* the request line is no field */
        *rest = r->head;
        mgi_http1_cut(rest, '\n');
    }
    struct str line = mgi_http1_cut(rest, '\r');
    if (line.len == 0)
        return false;
    mgi_http1_cut(rest, '\n');
    *name = mgi_http1_cut(&line, ':');
    *value = mgi_str_trim(line, HTTP1_BLANKS);
    return true;
}

struct str mgi_http1_find(const struct http1_request *r, const char *wanted)
{
    struct str rest = { NULL, 0 }, name, value;
    while (mgi_http1_field(r, &rest, &name, &value))
        if (mgi_http1_same(name, wanted))
            return value;
    return (struct str){ NULL, 0 };
}

/* Behind the "[" of an IPv6 literal, up to its "]". */
static bool is_literal(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (mgi_http1_hex_digit((unsigned char)s.ptr[i]) < 0 && s.ptr[i] != ':' && s.ptr[i] != '.')
            return false;
    return s.len > 0;
}

static bool is_name(struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (!((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '-' ||
              c == '.' || c == '_'))
            return false;
    }
    return s.len > 0;
}

bool mgi_http1_authority(struct str text, struct str *name, struct str *port)
{
    bool good;
    if (text.len > 0 && text.ptr[0] == '[') {
        const char *end = memchr(text.ptr, ']', text.len);
        size_t len = end ? (size_t)(end - text.ptr) + 1 : 0;
        *name = (struct str){ text.ptr, len };
        good = end && is_literal((struct str){ text.ptr + 1, len - 2 });
    } else {
        const char *colon = text.len ? memchr(text.ptr, ':', text.len) : NULL;
        *name = (struct str){ text.ptr, colon ? (size_t)(colon - text.ptr) : text.len };
        good = is_name(*name);
    }
    if (!good)
        return false;
    *port = (struct str){ text.ptr + name->len, text.len - name->len };
    if (port->len == 0)
        return true;
    if (port->ptr[0] != ':' || port->len > 6)
        return false;
    port->ptr++;
    port->len--;
    for (size_t i = 0; i < port->len; i++)
        if (port->ptr[i] < '0' || port->ptr[i] > '9')
            return false;
    return true;
}

/* ---- heads of responses ------------------------------------------------------------------ */

static const char *reason(int status)
{
    static const struct {
        int status;
        const char *text;
    } rows[] = {
        { 100, "Continue" },
        { 101, "Switching Protocols" },
        { 200, "OK" },
        { 202, "Accepted" },
        { 204, "No Content" },
        { 304, "Not Modified" },
        { 400, "Bad Request" },
        { 401, "Unauthorized" },
        { 403, "Forbidden" },
        { 404, "Not Found" },
        { 405, "Method Not Allowed" },
        { 406, "Not Acceptable" },
        { 408, "Request Timeout" },
        { 409, "Conflict" },
        { 410, "Gone" },
        { 413, "Content Too Large" },
        { 415, "Unsupported Media Type" },
        { 417, "Expectation Failed" },
        { 426, "Upgrade Required" },
        { 429, "Too Many Requests" },
        { 431, "Request Header Fields Too Large" },
        { 499, "Client Closed Request" },
        { 500, "Internal Server Error" },
        { 503, "Service Unavailable" },
        { 505, "HTTP Version Not Supported" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].status == status)
            return rows[i].text;
    return "Status";
}

void mgi_http1_begin(struct buf *out, int status)
{
    mgi_buf_printf(out, "HTTP/1.1 %d %s\r\n", status, reason(status));
}

void mgi_http1_put(struct buf *out, const char *name, struct str value)
{
    assert(value.len == 0 ||
           (!memchr(value.ptr, '\r', value.len) && !memchr(value.ptr, '\n', value.len)));
    mgi_buf_puts(out, name);
    mgi_buf_puts(out, ": ");
    mgi_buf_str(out, value);
    mgi_buf_puts(out, "\r\n");
}

void mgi_http1_done(struct buf *out)
{
    mgi_buf_puts(out, "\r\n");
}
