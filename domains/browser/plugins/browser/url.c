/* Addresses and words: what two texts that were written by different people have in common. */
#include "browser.h"

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c)
{
    return lower(c) >= 'a' && lower(c) <= 'z';
}

static bool is_word(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
}

static struct str part(struct str s, size_t from, size_t to)
{
    return to > from ? (struct str){ s.ptr + from, to - from } : (struct str){ "", 0 };
}

/* Behind "scheme://", or 0 when the text does not begin so. */
static size_t authority_start(struct str url)
{
    size_t at = mgi_str_find(url, STR_LIT("://"));
    return at == SIZE_MAX || at > 32 ? 0 : at + 3;
}

struct str mgi_url_origin(struct str url)
{
    size_t at = authority_start(url);
    if (at == 0)
        return STR_LIT("");
    while (at < url.len && url.ptr[at] != '/' && url.ptr[at] != '?' && url.ptr[at] != '#')
        at++;
    return part(url, 0, at);
}

struct str mgi_url_path(struct str url)
{
    size_t from = mgi_url_origin(url).len, to = from;
    while (to < url.len && url.ptr[to] != '?' && url.ptr[to] != '#')
        to++;
    return to > from ? part(url, from, to) : STR_LIT("/");
}

struct str mgi_url_query(struct str url)
{
    const char *mark = memchr(url.ptr, '?', url.len);
    return mark ? part(url, (size_t)(mark - url.ptr) + 1, url.len) : STR_LIT("");
}

struct str mgi_url_file(struct str url)
{
    struct str path = mgi_url_path(url);
    size_t to = path.len;
    while (to > 1 && path.ptr[to - 1] == '/')
        to--;
    size_t from = to;
    while (from > 0 && path.ptr[from - 1] != '/')
        from--;
    return part(path, from, to);
}

struct str mgi_url_shown(const struct capture *capture, struct str url)
{
    struct str origin = mgi_url_origin(url), path = mgi_url_path(url);
    if (origin.len == 0 || str_eq(origin, mgi_url_origin(capture->url)))
        return path;
    return origin.len < url.len && path.ptr == url.ptr + origin.len
               ? part(url, 0, origin.len + path.len)
               : origin;
}

static bool equal_any_case(const char *a, const char *b, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (lower(a[i]) != lower(b[i]))
            return false;
    return true;
}

bool mgi_contains(struct str text, const char *wanted)
{
    size_t len = strlen(wanted);
    char first = lower(*wanted);
    for (size_t i = 0; i + len <= text.len; i++)
        if (len == 0 || (lower(text.ptr[i]) == first && equal_any_case(text.ptr + i, wanted, len)))
            return true;
    return false;
}

bool mgi_has_word(struct str text, struct str word)
{
    for (size_t i = 0; word.len > 0 && i + word.len <= text.len; i++) {
        size_t end = i + word.len;
        if ((i == 0 || !is_word(text.ptr[i - 1])) && (end == text.len || !is_word(text.ptr[end])) &&
            equal_any_case(text.ptr + i, word.ptr, word.len))
            return true;
    }
    return false;
}

/* The next run of letters from *at on, split where a small letter meets a capital one, so that
 * "fetchUserList" gives three words. Empty at the end. */
static struct str next_word(struct str text, size_t *at)
{
    size_t i = *at;
    while (i < text.len && !is_letter(text.ptr[i]))
        i++;
    size_t from = i;
    while (i < text.len && is_letter(text.ptr[i]) &&
           !(i > from && is_upper(text.ptr[i]) && !is_upper(text.ptr[i - 1])))
        i++;
    *at = i;
    return part(text, from, i);
}

/* Words that addresses, scripts and messages share without meaning the same thing. */
static bool says_nothing(struct str word)
{
    static const char *const common[] = {
        "api",      "rest",      "get",       "set",      "list",       "data",      "json",
        "index",    "app",       "main",      "the",      "load",       "fetch",     "request",
        "response", "error",     "static",    "assets",   "src",        "dist",      "bundle",
        "chunk",    "http",      "https",     "www",      "com",        "org",       "localhost",
        "html",     "page",      "render",    "node",     "modules",    "vendor",    "from",
        "with",     "null",      "undefined", "property", "properties", "read",      "reading",
        "cannot",   "type",      "not",       "failed",   "uncaught",   "promise",   "object",
        "function", "map",       "test",      "example",  "item",       "new",       "all",
        "view",     "component", "services",  "service",  "status",     "anonymous", "async",
        "graphql",  "query",     "public",    "for",      "and",        "min",       "script",
        "web",      "site",      "length",    "create",   "update",     "delete",    "handle",
        "handler",  "use",       "code",      "server",   "client",     "message",
    };
    if (word.len < 3)
        return true;
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++)
        if (strlen(common[i]) == word.len && equal_any_case(common[i], word.ptr, word.len))
            return true;
    return false;
}

/* "users" and "user", "categories" and "category" are the same word here. */
static struct str stem(struct str word)
{
    if (word.len > 4 && equal_any_case(word.ptr + word.len - 3, "ies", 3))
        word.len -= 3;
    else if (word.len > 3 && lower(word.ptr[word.len - 1]) == 's')
        word.len -= 1;
    else if (word.len > 4 && lower(word.ptr[word.len - 1]) == 'y')
        word.len -= 1;
    return word;
}

/* Texts from a capture may be long, and this compares each word with each. */
#define COMPARED_BYTES 2048

struct str mgi_shared_word(struct str a, struct str b)
{
    a = mgi_utf8_prefix(a, COMPARED_BYTES);
    b = mgi_utf8_prefix(b, COMPARED_BYTES);
    for (size_t i = 0;;) {
        struct str one = next_word(a, &i);
        if (one.len == 0)
            return STR_LIT("");
        if (says_nothing(one) || says_nothing(stem(one)))
            continue;
        struct str stem_one = stem(one);
        for (size_t j = 0;;) {
            struct str two = next_word(b, &j);
            if (two.len == 0)
                break;
            struct str stem_two = stem(two);
            if (stem_one.len == stem_two.len &&
                equal_any_case(stem_one.ptr, stem_two.ptr, stem_one.len))
                return stem_one;
        }
    }
}
