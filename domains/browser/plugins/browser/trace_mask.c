/* Taking credentials out of what a browser tells, before it is kept. Names decide (mgi_is_secret),
 * and a few forms that are credentials whatever they are called: "Bearer ...", JSON Web Tokens. */
#include "trace_int.h"

bool mgi_is_no_value(struct str s)
{
    return s.len == 0 || str_is(s, "undefined") || str_is(s, "null") || str_is(s, "NaN") ||
           str_is(s, "true") || str_is(s, "false") || str_is(s, MGI_MASK);
}

void mgi_mask_value(struct buf *out, struct str value)
{
    if (mgi_is_no_value(value))
        mgi_buf_str(out, value);
    else
        mgi_buf_puts(out, MGI_MASK);
}

static struct str rest_of(struct str s, size_t from)
{
    return from < s.len ? (struct str){ s.ptr + from, s.len - from } : STR_LIT("");
}

/* ---- headers ------------------------------------------------------------------------------- */

static bool header_is(struct str name, const char *wanted)
{
    return name.len == strlen(wanted) && mgi_contains(name, wanted);
}

static void mask_cookies(struct buf *out, struct str value)
{
    while (value.len > 0) {
        const char *end = memchr(value.ptr, ';', value.len);
        struct str one = { value.ptr, end ? (size_t)(end - value.ptr) : value.len };
        size_t eq = mgi_str_find(one, STR_LIT("="));
        mgi_buf_append(out, one.ptr, eq == SIZE_MAX ? one.len : eq + 1);
        if (eq != SIZE_MAX)
            mgi_mask_value(out, rest_of(one, eq + 1));
        if (end)
            mgi_buf_putc(out, ';');
        value = rest_of(value, one.len + 1);
    }
}

void mgi_mask_set_cookie(struct buf *out, struct str lines)
{
    while (lines.len > 0) {
        const char *end = memchr(lines.ptr, '\n', lines.len);
        struct str line = { lines.ptr, end ? (size_t)(end - lines.ptr) : lines.len };
        size_t eq = mgi_str_find(line, STR_LIT("=")), semi = mgi_str_find(line, STR_LIT(";"));
        if (semi == SIZE_MAX)
            semi = line.len;
        if (eq < semi) {
            mgi_buf_append(out, line.ptr, eq + 1);
            mgi_mask_value(out, (struct str){ line.ptr + eq + 1, semi - eq - 1 });
            mgi_buf_str(out, rest_of(line, semi));
        } else {
            mgi_buf_str(out, line);
        }
        if (end)
            mgi_buf_putc(out, '\n');
        lines = rest_of(lines, line.len + 1);
    }
}

void mgi_mask_header(struct buf *out, struct str name, struct str value)
{
    if (header_is(name, "authorization") || header_is(name, "proxy-authorization")) {
        size_t blank = mgi_str_find(value, STR_LIT(" "));
        if (blank != SIZE_MAX)
            mgi_buf_append(out, value.ptr, blank + 1);
        mgi_mask_value(out, blank == SIZE_MAX ? value : rest_of(value, blank + 1));
    } else if (header_is(name, "cookie")) {
        mask_cookies(out, value);
    } else if (header_is(name, "set-cookie")) {
        mgi_mask_set_cookie(out, value);
    } else if (mgi_is_secret(name)) {
        mgi_mask_value(out, value);
    } else if (header_is(name, "location") || header_is(name, "referer")) {
        mgi_mask_url(out, value);
    } else {
        mgi_buf_str(out, value);
    }
}

/* ---- text ---------------------------------------------------------------------------------- */

static bool token_char(char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' ||
           c == '-' || c == '.' || c == '~' || c == '+' || c == '/' || c == '=';
}

static size_t token_length(struct str s)
{
    size_t n = 0;
    while (n < s.len && token_char(s.ptr[n]))
        n++;
    return n;
}

static bool word_char(char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' ||
           c == '-';
}

/* After a secret name at `at`: the value that is given to it. In code only what is quoted is a
 * value. False: none is given. */
static bool value_after(struct str s, size_t at, bool code, struct str *value)
{
    bool quoted_name = at < s.len && (s.ptr[at] == '"' || s.ptr[at] == '\'');
    at += quoted_name;
    while (at < s.len && s.ptr[at] == ' ')
        at++;
    if (at >= s.len || (s.ptr[at] != '=' && s.ptr[at] != ':'))
        return false;
    bool blank = at + 1 < s.len && s.ptr[at + 1] == ' ' && s.ptr[at] == '=';
    at++;
    while (at < s.len && s.ptr[at] == ' ')
        at++;
    char quote = at < s.len ? s.ptr[at] : '\0';
    size_t end = at + 1;
    if (quote == '"' || quote == '\'' || quote == '`') {
        while (end < s.len && s.ptr[end] != quote && s.ptr[end] != '\n')
            end++;
        *value = (struct str){ s.ptr + at + 1, end - at - 1 };
        return end < s.len;
    }
    if (code || blank)
        return false;
    *value = (struct str){ s.ptr + at, token_length(rest_of(s, at)) };
    return value->len >= 6;
}

/* <input name="csrf_token" value="...">, <meta name="csrf-token" content="...">: `at` is behind the
 * name; the value is in the same tag. */
static bool attribute_after(struct str s, size_t at, struct str *value)
{
    if (at >= s.len || (s.ptr[at] != '"' && s.ptr[at] != '\''))
        return false;
    for (size_t i = at; i + 9 < s.len && i - at < 300 && s.ptr[i] != '>'; i++) {
        struct str rest = rest_of(s, i);
        size_t skip = mgi_str_starts(rest, STR_LIT("value=\""))     ? 7
                      : mgi_str_starts(rest, STR_LIT("content=\"")) ? 9
                                                                    : 0;
        if (skip == 0)
            continue;
        size_t end = i + skip;
        while (end < s.len && s.ptr[end] != '"')
            end++;
        *value = (struct str){ s.ptr + i + skip, end - i - skip };
        return true;
    }
    return false;
}

/* The next credential from `at` on; false: there is none. */
static bool next_secret(struct str s, size_t at, bool code, struct str *value)
{
    while (at < s.len) {
        size_t end = at;
        while (end < s.len && word_char(s.ptr[end]))
            end++;
        struct str word = { s.ptr + at, end - at };
        if (word.len == 0) {
            at++;
            continue;
        }
        if (word.len == 6 && mgi_contains(word, "bearer") && end < s.len && s.ptr[end] == ' ') {
            *value = (struct str){ s.ptr + end + 1, token_length(rest_of(s, end + 1)) };
            if (value->len >= 8)
                return true;
        }
        if (mgi_str_starts(word, STR_LIT("eyJ")) && token_length(rest_of(s, at)) >= 30) {
            *value = (struct str){ s.ptr + at, token_length(rest_of(s, at)) };
            return true;
        }
        if (word.len < 64 && mgi_is_secret(word) &&
            (value_after(s, end, code, value) || attribute_after(s, end, value)) &&
            !mgi_is_no_value(*value))
            return true;
        at = end;
    }
    return false;
}

static void mask_words(struct buf *out, struct str text, bool code)
{
    size_t at = 0;
    struct str value;
    while (next_secret(text, at, code, &value)) {
        size_t from = (size_t)(value.ptr - text.ptr);
        mgi_buf_append(out, text.ptr + at, from - at);
        mgi_mask_value(out, value);
        at = from + value.len;
    }
    mgi_buf_str(out, rest_of(text, at));
}

void mgi_mask_text(struct buf *out, struct str text)
{
    size_t len, at;
    while (text.len > 0) {
        at = mgi_mask_find_url(text, &len);
        mask_words(out, (struct str){ text.ptr, at }, false);
        mgi_mask_url(out, (struct str){ text.ptr + at, len });
        text = rest_of(text, at + len);
    }
}

#define LEAD_BYTES 80

void mgi_mask_after(struct buf *out, struct str lead, struct str text)
{
    struct buf said, masked;
    if (lead.len > LEAD_BYTES)
        lead = rest_of(lead, lead.len - LEAD_BYTES);
    mgi_buf_init(&said);
    mgi_buf_init(&masked);
    mgi_buf_str(&said, lead);
    mgi_buf_putc(&said, ' ');
    mgi_buf_str(&said, text);
    mgi_mask_text(&masked, mgi_buf_view(&said));
    struct str all = mgi_buf_view(&masked);
    bool told = mgi_str_starts(all, lead) && !mgi_str_ends(all, text);
    if (told)
        mgi_buf_str(out, rest_of(all, lead.len + 1));
    else
        mgi_mask_text(out, text);
    out->oom |= said.oom || masked.oom;
    mgi_buf_fini(&said);
    mgi_buf_fini(&masked);
}

void mgi_mask_code(struct buf *out, struct str text)
{
    mask_words(out, text, true);
}

/* ---- bodies -------------------------------------------------------------------------------- */

/* An address or a token may stand in any string. */
static bool may_hold(struct str text)
{
    return mgi_str_find(text, STR_LIT("://")) != SIZE_MAX ||
           mgi_str_find(text, STR_LIT("eyJ")) != SIZE_MAX;
}

/* Copies JSON and replaces scalars whose member's name is a secret; types stay what they are. What
 * is no JSON from some point on is text from there. */
static void mask_json(struct buf *out, struct str text)
{
    struct json_reader r;
    bool secret[JSON_MAX_DEPTH + 1] = { false }, next = false;
    size_t at = 0;
    mgi_json_reader_init(&r, text, 0);
    for (;;) {
        enum json_event event = mgi_json_reader_next(&r);
        bool inside = r.depth < JSON_MAX_DEPTH && secret[r.depth];
        if (event == JSON_EV_END)
            break;
        if (event == JSON_EV_ERROR) {
            mgi_mask_text(out, rest_of(text, at));
            return;
        }
        if (event == JSON_EV_KEY) {
            next = mgi_is_secret(r.token);
            continue;
        }
        if (event == JSON_EV_ARRAY_BEGIN || event == JSON_EV_OBJECT_BEGIN) {
            if (r.depth <= JSON_MAX_DEPTH)
                secret[r.depth] =
                    event == JSON_EV_ARRAY_BEGIN && (next || (r.depth > 0 && secret[r.depth - 1]));
            next = false;
            continue;
        }
        bool mask = (next || inside) &&
                    (event == JSON_EV_NUMBER || (event == JSON_EV_STRING && r.token.len > 2));
        bool holds = !mask && event == JSON_EV_STRING && may_hold(r.token);
        next = false;
        if (!mask && !holds)
            continue;
        size_t from = (size_t)(r.token.ptr - text.ptr);
        mgi_buf_append(out, text.ptr + at, from - at);
        struct str plain = { r.token.ptr + 1, r.token.len - 2 };
        if (holds)
            mgi_mask_text(out, r.token);
        else if (event == JSON_EV_NUMBER)
            mgi_buf_putc(out, '0');
        else if (mgi_is_no_value(plain))
            mgi_buf_str(out, r.token);
        else
            mgi_buf_puts(out, "\"" MGI_MASK "\"");
        at = from + r.token.len;
    }
    mgi_buf_str(out, rest_of(text, at));
}

static bool is_form(struct str body)
{
    size_t eq = mgi_str_find(body, STR_LIT("="));
    if (eq == SIZE_MAX || eq == 0 || eq > 60)
        return false;
    for (size_t i = 0; i < body.len; i++)
        if (strchr(" \n\t{}()<>;\"", body.ptr[i]))
            return false;
    return true;
}

/* The name of a part of a form, as its head has it: ...; name="x"; filename="y". */
static struct str part_name(struct str head)
{
    for (size_t i = 0; i + 7 < head.len; i++) {
        struct str rest = rest_of(head, i + 1);
        if (!strchr("; \t", head.ptr[i]) || !mgi_str_starts(rest, STR_LIT("name=\"")))
            continue;
        rest = rest_of(rest, 6);
        const char *end = memchr(rest.ptr, '"', rest.len);
        return (struct str){ rest.ptr, end ? (size_t)(end - rest.ptr) : rest.len };
    }
    return STR_LIT("");
}

/* A head, an empty line, a value. */
static void mask_part(struct buf *out, struct str part)
{
    size_t head = mgi_str_find(part, STR_LIT("\r\n\r\n"));
    if (head == SIZE_MAX || !mgi_is_secret(part_name((struct str){ part.ptr, head }))) {
        mask_words(out, part, true);
        return;
    }
    struct str value = rest_of(part, head + 4);
    value.len -= mgi_str_ends(value, STR_LIT("\r\n")) ? 2 : 0;
    mgi_buf_append(out, part.ptr, head + 4);
    mgi_mask_value(out, value);
    mgi_buf_str(out, rest_of(part, head + 4 + value.len));
}

static bool is_multipart(struct str body)
{
    return mgi_str_starts(body, STR_LIT("--")) &&
           mgi_contains(mgi_utf8_prefix(body, 200), "\r\nContent-Disposition: form-data");
}

/* Parts between lines that are the same: the first one, with two dashes at the end. */
static void mask_multipart(struct buf *out, struct str body)
{
    struct str line = { body.ptr, mgi_str_find(body, STR_LIT("\r\n")) };
    while (body.len > 0) {
        size_t begin = line.len < body.len ? line.len : body.len;
        size_t next = mgi_str_find(rest_of(body, begin), line);
        size_t end = next == SIZE_MAX ? body.len : begin + next;
        mgi_buf_append(out, body.ptr, begin);
        mask_part(out, (struct str){ body.ptr + begin, end - begin });
        body = rest_of(body, end);
    }
}

void mgi_mask_body(struct buf *out, struct str body)
{
    struct str begin = mgi_str_trim(body, " \t\r\n");
    if (begin.len > 0 && (begin.ptr[0] == '{' || begin.ptr[0] == '['))
        mask_json(out, body);
    else if (is_form(begin))
        mgi_mask_form(out, body);
    else if (is_multipart(body))
        mask_multipart(out, body);
    else if (begin.len > 0 && begin.ptr[0] != '<')
        mask_words(out, body, true);
    else
        mgi_mask_text(out, body);
}

/* ---- kept ---------------------------------------------------------------------------------- */

/* What `text` became; itself, if it is the same. */
static struct str keep_masked(struct arena *arena, struct str text, struct buf *out)
{
    struct str kept = text;
    if (out->oom || !str_eq(mgi_buf_view(out), text))
        kept = mgi_arena_str(arena, mgi_buf_view(out));
    arena->oom |= out->oom;
    mgi_buf_fini(out);
    return kept.ptr ? kept : STR_LIT("");
}

static struct str kept_masked(struct arena *arena, struct str text,
                              void (*mask)(struct buf *, struct str))
{
    struct buf out;
    mgi_buf_init(&out);
    mask(&out, text);
    return keep_masked(arena, text, &out);
}

struct str mgi_mask_kept_header(struct arena *arena, struct str name, struct str value)
{
    struct buf out;
    mgi_buf_init(&out);
    mgi_mask_header(&out, name, value);
    return keep_masked(arena, value, &out);
}

struct str mgi_mask_kept_url(struct arena *arena, struct str url)
{
    return kept_masked(arena, url, mgi_mask_url);
}

struct str mgi_mask_kept_text(struct arena *arena, struct str text)
{
    return kept_masked(arena, text, mgi_mask_text);
}

struct str mgi_mask_kept_body(struct arena *arena, struct str body)
{
    return kept_masked(arena, body, mgi_mask_body);
}
