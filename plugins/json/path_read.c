/* Reading a JSONPath, letter by letter: names, numbers and strings (RFC 9535, 2.3). */
#include "plugins/json/path_int.h"

#include "base/utf8.h"

/* RFC 7493: the integers that every reader holds exactly. */
#define INTEGER_MOST INT64_C(9007199254740991)

/* The first fault counts. */
bool mgi_path_fail(struct path_reader *r, size_t at, const char *what)
{
    if (!r->fault) {
        r->fault = what;
        r->fault_at = at;
    }
    return false;
}

void *mgi_path_make(struct path_reader *r, size_t size)
{
    void *p = mgi_arena_calloc(r->arena, 1, size);
    if (!p)
        mgi_path_fail(r, r->at, "out of memory");
    return p;
}

char mgi_path_peek(const struct path_reader *r)
{
    return r->at < r->text.len ? r->text.ptr[r->at] : '\0';
}

bool mgi_path_take(struct path_reader *r, char c)
{
    if (r->at >= r->text.len || r->text.ptr[r->at] != c)
        return false;
    r->at++;
    return true;
}

bool mgi_path_take_word(struct path_reader *r, const char *word)
{
    struct str rest = { r->text.ptr + r->at, r->text.len - r->at };
    if (!mgi_str_starts(rest, str_of(word)))
        return false;
    r->at += strlen(word);
    return true;
}

void mgi_path_space(struct path_reader *r)
{
    while (r->at < r->text.len && strchr(" \t\n\r", r->text.ptr[r->at]) && r->text.ptr[r->at])
        r->at++;
}

bool mgi_path_enter(struct path_reader *r)
{
    return ++r->depth <= PATH_MOST_DEPTH || mgi_path_fail(r, r->at, "is nested too deeply");
}

/* ---- names, numbers, strings ---------------------------------------------------------------- */

static bool is_name_first(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

bool mgi_path_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool mgi_path_name(struct path_reader *r, struct str *name)
{
    size_t begin = r->at;
    if (!is_name_first(mgi_path_peek(r)))
        return mgi_path_fail(r, r->at, "a name is expected");
    while (is_name_first(mgi_path_peek(r)) || mgi_path_is_digit(mgi_path_peek(r)))
        r->at++;
    *name = (struct str){ r->text.ptr + begin, r->at - begin };
    return true;
}

/* Without leading zeros, without -0, within 2^53. False: there is none; a wrong one is a fault. */
bool mgi_path_integer(struct path_reader *r, int64_t *out)
{
    size_t begin = r->at;
    bool negative = mgi_path_take(r, '-');
    int64_t n = 0;
    if (!mgi_path_is_digit(mgi_path_peek(r)))
        return negative ? mgi_path_fail(r, begin, "a number is expected behind -") : false;
    size_t digits = r->at;
    while (mgi_path_is_digit(mgi_path_peek(r))) {
        n = n * 10 + (mgi_path_peek(r) - '0');
        r->at++;
        if (n > INTEGER_MOST)
            return mgi_path_fail(r, begin, "the number is beyond 2^53 - 1");
    }
    if (r->text.ptr[digits] == '0' && (r->at - digits > 1 || negative))
        return mgi_path_fail(r, begin, "a number begins with no zero and is no -0");
    *out = negative ? -n : n;
    return true;
}

static int hex_digit(char c)
{
    return mgi_path_is_digit(c)   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool read_four(struct path_reader *r, uint32_t *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(mgi_path_peek(r));
        if (digit < 0)
            return mgi_path_fail(r, r->at, "four hexadecimal digits are expected behind \\u");
        *code = *code * 16 + (uint32_t)digit;
        r->at++;
    }
    return true;
}

static bool read_unicode(struct path_reader *r, char *out, size_t *len)
{
    uint32_t code, low;
    size_t begin = r->at;
    if (!read_four(r, &code))
        return false;
    if (code >= 0xD800 && code < 0xDC00) {
        if (!mgi_path_take_word(r, "\\u") || !read_four(r, &low) || low < 0xDC00 || low > 0xDFFF)
            return mgi_path_fail(r, begin, "half of a surrogate pair");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    size_t count = mgi_utf8_put(code, out + *len);
    *len += count;
    return count > 0 || mgi_path_fail(r, begin, "half of a surrogate pair");
}

static bool read_escape(struct path_reader *r, char quote, char *out, size_t *len)
{
    static const char names[] = "/\\bfnrt", values[] = "/\\\b\f\n\r\t";
    char c = mgi_path_peek(r);
    const char *found = c ? strchr(names, c) : NULL;
    if (c == 'u') {
        r->at++;
        return read_unicode(r, out, len);
    }
    if (!found && c != quote)
        return mgi_path_fail(r, r->at, "no such escape");
    out[(*len)++] = found ? values[found - names] : quote;
    r->at++;
    return true;
}

bool mgi_path_string(struct path_reader *r, struct str *out)
{
    char quote = mgi_path_peek(r);
    size_t begin = r->at++, len = 0;
    char *text = mgi_arena_alloc(r->arena, r->text.len - r->at + 1);
    if (!text)
        return mgi_path_fail(r, begin, "out of memory");
    while (mgi_path_peek(r) != quote) {
        if (r->at >= r->text.len)
            return mgi_path_fail(r, begin, "the string does not end");
        if ((unsigned char)mgi_path_peek(r) < 0x20)
            return mgi_path_fail(r, r->at, "a control character in a string must be escaped");
        if (mgi_path_take(r, '\\')) {
            if (!read_escape(r, quote, text, &len))
                return false;
        } else {
            text[len++] = r->text.ptr[r->at++];
        }
    }
    r->at++;
    text[len] = '\0';
    *out = (struct str){ text, len };
    return true;
}
