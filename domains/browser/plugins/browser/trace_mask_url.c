/* Credentials in addresses and forms: "a=b&c=d" in a query, a fragment or a body, and in an address
 * that is a value there, percent-encoded once or twice ("return=https%3A%2F%2Fh%2F%3Fcode%3D1").
 * Names are read as their reader would: decoded. What OAuth and SAML call a code, a state or an
 * assertion counts, and JSON Web Tokens wherever they stand. */
#include "trace_int.h"

#define NAME_BYTES 128 /* longer ones are no names of credentials */
#define LEVELS     3
#define PAIR_BYTES 4096 /* what is in a longer value is looked through for tokens alone */
#define JWT_LEAST  30
#define SHORT_LEAST                                                                                \
    6 /* a "code" and a "state" together may be those of an address of a customer                  \
       */
#define RANDOM_LEAST 16

/* How deep encoded: the same signs. A '?' begins what is an address's query again. */
static const struct signs {
    const char *amp, *eq, *ask, *hash;
} levels[LEVELS] = { { "&", "=", "?", "#" },
                     { "%26", "%3D", "%3F", "%23" },
                     { "%2526", "%253D", "%253F", "%2523" } };

static struct str tail_of(struct str s, size_t from)
{
    return from < s.len ? (struct str){ s.ptr + from, s.len - from } : STR_LIT("");
}

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* In any case of ASCII. Asked at every byte of what a page says, so it ends at the first that
 * differs. */
static bool begins(struct str s, const char *what)
{
    for (size_t i = 0; what[i]; i++)
        if (i >= s.len || small(s.ptr[i]) != small(what[i]))
            return false;
    return true;
}

static size_t find_sign(struct str s, const char *sign)
{
    for (size_t i = 0; i < s.len; i++) {
        const char *next = memchr(s.ptr + i, sign[0], s.len - i);
        if (!next)
            break;
        i = (size_t)(next - s.ptr);
        if (begins(tail_of(s, i), sign))
            return i;
    }
    return SIZE_MAX;
}

/* ---- names ---------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'                     ? c - '0'
           : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                    : -1;
}

static size_t decode_once(char *text, size_t len)
{
    size_t out = 0;
    for (size_t i = 0; i < len; i++) {
        bool two = text[i] == '%' && i + 2 < len;
        int high = two ? hex_digit(text[i + 1]) : -1, low = two ? hex_digit(text[i + 2]) : -1;
        if (high >= 0 && low >= 0) {
            text[out++] = (char)(high << 4 | low);
            i += 2;
        } else {
            text[out++] = text[i];
        }
    }
    return out;
}

static bool is_letter_or_digit(char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Nobody types it: letters and digits by turns, no words. */
static bool looks_random(struct str value)
{
    size_t turns = 0;
    for (size_t i = 1; i < value.len; i++) {
        char a = value.ptr[i - 1], b = value.ptr[i];
        bool both = is_letter_or_digit(a) && is_letter_or_digit(b);
        turns += both && (a <= '9') != (b <= '9');
    }
    return value.len >= RANDOM_LEAST && turns >= 3;
}

static bool is_any_of(struct str name, const char *const *list)
{
    for (; *list; list++)
        if (name.len == strlen(*list) && mgi_contains(name, *list))
            return true;
    return false;
}

/* `least`: oauth_least(), since a "code" may be a country's as well. */
static bool is_credential(struct str name, struct str value, size_t least)
{
    static const char *const always[] = { "samlresponse", "samlrequest",   "samlart",
                                          "assertion",    "code_verifier", "oauth_verifier",
                                          "wresult",      "id_hint",       NULL };
    static const char *const sometimes[] = { "code", "state", "nonce", "ticket", "key", NULL };
    char text[NAME_BYTES];
    if (begins(name, "amp;")) /* as it stands in HTML */
        name = tail_of(name, 4);
    if (name.len == 0)
        return false;
    if (name.len > NAME_BYTES)
        return mgi_is_secret(name);
    memcpy(text, name.ptr, name.len);
    size_t len = name.len, before;
    do { /* until nothing is encoded any more */
        before = len;
        len = decode_once(text, len);
    } while (len < before);
    struct str plain = { text, len };
    return mgi_is_secret(plain) || is_any_of(plain, always) ||
           (is_any_of(plain, sometimes) && (value.len >= least || looks_random(value)));
}

/* `name` is in small letters. */
static bool has_parameter(struct str text, const char *name)
{
    size_t len = strlen(name);
    for (size_t i = 0; i + len < text.len; i++) {
        if (small(text.ptr[i]) != name[0] || !begins(tail_of(text, i), name))
            continue; /* nearly always */
        bool begin = i == 0 || strchr("&?#;/", text.ptr[i - 1]) ||
                     (i >= 3 &&
                      (begins(tail_of(text, i - 3), "%26") || begins(tail_of(text, i - 3), "%3F") ||
                       begins(tail_of(text, i - 3), "%23")));
        struct str rest = tail_of(text, i + len);
        if (begin && (begins(rest, "=") || begins(rest, "%3D") || begins(rest, "%253D")))
            return true;
    }
    return false;
}

/* From how many bytes on such a value is a credential. */
static size_t oauth_least(struct str text)
{
    static const char *const telling[] = { "client_id",     "redirect_uri",  "response_type",
                                           "grant_type",    "code_verifier", "session_state",
                                           "code_challenge" };
    for (size_t i = 0; i < sizeof telling / sizeof *telling; i++)
        if (has_parameter(text, telling[i]))
            return 1;
    return has_parameter(text, "code") && has_parameter(text, "state") ? SHORT_LEAST : SIZE_MAX;
}

/* ---- what is a credential by itself --------------------------------------------------------- */

static size_t jwt_length(struct str s)
{
    size_t len = 0, dots = 0;
    while (len < s.len && s.ptr[len] &&
           (is_letter_or_digit(s.ptr[len]) || strchr("-_.%", s.ptr[len]))) {
        bool dot = s.ptr[len] == '.' || begins(tail_of(s, len), "%2E");
        if (s.ptr[len] == '%' && !dot)
            break;
        dots += dot;
        len += s.ptr[len] == '%' ? 3 : 1;
    }
    return dots > 0 && len >= JWT_LEAST ? len : 0;
}

void mgi_mask_tokens(struct buf *out, struct str text)
{
    size_t from = 0;
    for (size_t i = 0; i + JWT_LEAST <= text.len;) {
        bool begin =
            text.ptr[i] == 'e' && mgi_str_starts(tail_of(text, i), STR_LIT("eyJ")) &&
            (i == 0 || !is_letter_or_digit(text.ptr[i - 1]) || (i >= 3 && text.ptr[i - 3] == '%'));
        size_t len = begin ? jwt_length(tail_of(text, i)) : 0;
        if (len > 0) {
            mgi_buf_append(out, text.ptr + from, i - from);
            mgi_mask_value(out, (struct str){ text.ptr + i, len });
            from = i + len;
        }
        i += len > 0 ? len : 1;
    }
    mgi_buf_str(out, tail_of(text, from));
}

/* ---- pairs ---------------------------------------------------------------------------------- */

static void mask_level(struct buf *out, struct str text, int level, bool fragments, size_t least);

/* One pair. The recursion goes through the levels, which are three. */
static void mask_pair(struct buf *out, struct str pair, int level, size_t least)
{
    const struct signs *l = &levels[level];
    for (;;) {
        size_t ask = find_sign(pair, l->ask), eq = find_sign(pair, l->eq);
        if (ask < eq && pair.len <= PAIR_BYTES) { /* "path?name=value" */
            size_t begin = ask + strlen(l->ask);
            if (level + 1 < LEVELS)
                mask_level(out, (struct str){ pair.ptr, ask }, level + 1, true, least);
            else
                mgi_mask_tokens(out, (struct str){ pair.ptr, ask });
            mgi_buf_append(out, pair.ptr + ask, begin - ask);
            pair = tail_of(pair, begin);
            continue;
        }
        if (eq == SIZE_MAX)
            break;
        size_t begin = eq + strlen(l->eq);
        struct str name = { pair.ptr, eq }, value = tail_of(pair, begin);
        mgi_buf_append(out, pair.ptr, begin);
        if (is_credential(name, value, least)) {
            mgi_mask_value(out, value);
            return;
        }
        pair = value;
        if (pair.len > PAIR_BYTES || find_sign(pair, l->ask) == SIZE_MAX)
            break;
    }
    if (level + 1 < LEVELS && pair.len <= PAIR_BYTES)
        mask_level(out, pair, level + 1, true, least);
    else
        mgi_mask_tokens(out, pair);
}

static void mask_level(struct buf *out, struct str text, int level, bool fragments, size_t least)
{
    const struct signs *l = &levels[level];
    while (text.len > 0) {
        size_t end = find_sign(text, l->amp);
        struct str before = { text.ptr, end == SIZE_MAX ? text.len : end };
        size_t hash = fragments ? find_sign(before, l->hash) : SIZE_MAX;
        const char *sign = hash < end ? l->hash : l->amp;
        end = hash < end ? hash : end;
        size_t len = end == SIZE_MAX ? text.len : end;
        mask_pair(out, (struct str){ text.ptr, len }, level, least);
        if (end != SIZE_MAX)
            mgi_buf_append(out, text.ptr + end, strlen(sign));
        text = tail_of(text, end == SIZE_MAX ? text.len : end + strlen(sign));
    }
}

void mgi_mask_form(struct buf *out, struct str body)
{
    mask_level(out, body, 0, false, oauth_least(body));
}

bool mgi_is_secret_pair(struct str name, struct str value, struct str all)
{
    bool hollow = mgi_is_no_value(value) && !str_is(value, MGI_MASK);
    return !hollow && is_credential(name, value, oauth_least(all));
}

/* ---- addresses ------------------------------------------------------------------------------ */

/* "/a;jsessionid=1/b", and tokens that are a part of it. */
static void mask_path(struct buf *out, struct str path)
{
    while (path.len > 0) {
        size_t end = 0, eq;
        while (end < path.len && (end == 0 || !strchr("/;", path.ptr[end])))
            end++;
        struct str part = { path.ptr, end };
        eq = mgi_str_find(part, STR_LIT("="));
        struct str value = eq == SIZE_MAX ? STR_LIT("") : tail_of(part, eq + 1);
        if (part.ptr[0] == ';' && eq != SIZE_MAX &&
            is_credential((struct str){ part.ptr + 1, eq - 1 }, value, SIZE_MAX)) {
            mgi_buf_append(out, part.ptr, eq + 1);
            mgi_mask_value(out, value);
        } else {
            mgi_mask_tokens(out, part);
        }
        path = tail_of(path, end);
    }
}

void mgi_mask_url(struct buf *out, struct str url)
{
    size_t scheme = mgi_str_find(url, STR_LIT("://")), at = 0, query = 0;
    while (query < url.len && url.ptr[query] != '?' && url.ptr[query] != '#')
        query++;
    if (scheme != SIZE_MAX && scheme < query) {
        size_t host = scheme + 3;
        for (size_t i = host; i < query && url.ptr[i] != '/'; i++)
            if (url.ptr[i] == '@')
                at = i;
        if (at > 0) {
            mgi_buf_append(out, url.ptr, host);
            mgi_mask_value(out, (struct str){ url.ptr + host, at - host });
        }
    }
    mask_path(out, (struct str){ url.ptr + at, query - at });
    if (query < url.len) {
        mgi_buf_putc(out, url.ptr[query]);
        mask_level(out, tail_of(url, query + 1), 0, true, oauth_least(tail_of(url, query)));
    }
}

static size_t url_length(struct str s)
{
    static const char *const schemes[] = { "https://", "http://", "wss://", "ws://" };
    size_t len = 0;
    for (size_t i = 0; len == 0 && i < sizeof schemes / sizeof *schemes; i++)
        len = begins(s, schemes[i]) ? strlen(schemes[i]) : 0;
    while (len > 0 && len < s.len && (unsigned char)s.ptr[len] > ' ' &&
           !strchr("\"'<>`\\){}", s.ptr[len]))
        len++;
    return len;
}

size_t mgi_mask_find_url(struct str text, size_t *len)
{
    for (size_t i = 0; i < text.len; i++) {
        bool may =
            text.ptr[i] == 'h' || text.ptr[i] == 'w' || text.ptr[i] == 'H' || text.ptr[i] == 'W';
        *len = may ? url_length(tail_of(text, i)) : 0;
        if (*len > 0)
            return i;
    }
    *len = 0;
    return text.len;
}
