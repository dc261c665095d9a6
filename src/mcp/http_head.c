/* What the head of a request says. */
#include "mcp/http_int.h"

struct str mgi_mcp_header(const struct mcp_request *r, const char *name, bool *twice)
{
    struct str found = { 0 };
    if (twice)
        *twice = false;
    for (size_t i = 0; i < r->header_count; i++) {
        if (!mgi_mcp_same_name(r->headers[i].name, str_of(name)))
            continue;
        if (found.ptr && twice)
            *twice = true;
        if (!found.ptr) {
            found = mgi_str_trim(r->headers[i].value, " \t");
            if (!found.ptr)
                found.ptr = "";
        }
    }
    return found;
}

/* ---- Host and Origin ------------------------------------------------------------------------ */

/* "name" or "name:port", "[::1]:port". ptr NULL: it is neither. */
static struct str host_name(struct str host)
{
    size_t n = 0;
    if (host.len > 0 && host.ptr[0] == '[') {
        while (n < host.len && host.ptr[n] != ']')
            n++;
        n += n < host.len;
    } else {
        while (n < host.len && host.ptr[n] != ':')
            n++;
    }
    if (n == 0 || (n < host.len && host.ptr[n] != ':'))
        return (struct str){ 0 };
    for (size_t i = n + 1; i < host.len; i++)
        if (host.ptr[i] < '0' || host.ptr[i] > '9')
            return (struct str){ 0 };
    return (struct str){ host.ptr, n };
}

bool mgi_mcp_host_is_ours(const struct mcp_http_options *o, struct str host)
{
    static const char *const loopback[] = { "localhost", "127.0.0.1", "[::1]" };
    struct str name = host_name(host);
    if (!name.ptr)
        return false;
    for (size_t i = 0; i < sizeof loopback / sizeof *loopback; i++)
        if (mgi_mcp_same_name(name, str_of(loopback[i])))
            return true;
    for (size_t i = 0; i < o->host_count; i++)
        if (mgi_mcp_same_name(name, str_of(o->hosts[i])))
            return true;
    return false;
}

bool mgi_mcp_origin_is_ours(const struct mcp_http_options *o, struct str origin)
{
    for (size_t i = 0; i < o->origin_count; i++)
        if (mgi_mcp_same_name(origin, str_of(o->origins[i])))
            return true;
    size_t scheme = mgi_str_find(origin, STR_LIT("://"));
    if (scheme == SIZE_MAX)
        return false;
    struct str name = { origin.ptr, scheme };
    if (!mgi_mcp_same_name(name, STR_LIT("http")) && !mgi_mcp_same_name(name, STR_LIT("https")))
        return false;
    return mgi_mcp_host_is_ours(o,
                                (struct str){ origin.ptr + scheme + 3, origin.len - scheme - 3 });
}

/* ---- types ---------------------------------------------------------------------------------- */

static struct str before_semicolon(struct str s)
{
    const char *end = s.len > 0 ? memchr(s.ptr, ';', s.len) : NULL;
    return mgi_str_trim((struct str){ s.ptr, end ? (size_t)(end - s.ptr) : s.len }, " \t");
}

bool mgi_mcp_is_json(struct str content_type)
{
    return mgi_mcp_same_name(before_semicolon(content_type), STR_LIT("application/json"));
}

/* Who says nothing, or everything, reads JSON: programs that are small (X-HTTP-6). */
struct accepts mgi_mcp_accepts(const struct mcp_request *r)
{
    struct accepts a = { 0 };
    bool said = false;
    for (size_t i = 0; i < r->header_count; i++) {
        struct str rest = r->headers[i].value;
        if (!mgi_mcp_same_name(r->headers[i].name, STR_LIT("accept")))
            continue;
        said = true;
        while (rest.len > 0) {
            const char *comma = memchr(rest.ptr, ',', rest.len);
            size_t n = comma ? (size_t)(comma - rest.ptr) : rest.len;
            struct str type = before_semicolon((struct str){ rest.ptr, n });
            a.json |= mgi_mcp_same_name(type, STR_LIT("application/json")) ||
                      mgi_mcp_same_name(type, STR_LIT("application/*")) || str_is(type, "*/*");
            a.stream |= mgi_mcp_same_name(type, STR_LIT("text/event-stream"));
            n += comma != NULL;
            rest = (struct str){ rest.ptr + n, rest.len - n };
        }
    }
    a.json |= !said;
    return a;
}
