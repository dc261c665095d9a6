/* The JSON scanner: one token at a time, strictly by RFC 8259. The speed of everything above it is
 * decided in two loops: plain string bytes go eight at a time, digits straight into an integer. */
#include "base/json_int.h"

#include <limits.h>
#include <stdio.h>

#include "base/utf8.h"

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

/* The last bytes of [begin, end), fewer than eight of them new, are looked at in one word, too:
 * names and short texts are most of what there is. False: look at each. */
static bool ends_plain(const char *begin, const char *end)
{
    uint64_t word;
    uint32_t low, high;
    if (end - begin >= 8) {
        memcpy(&word, end - 8, 8);
        return !mgi_json_special_bytes(word);
    }
    if (end - begin < 4)
        return false;
    memcpy(&low, begin, 4);
    memcpy(&high, end - 4, 4);
    return !mgi_json_special_bytes((uint64_t)high << 32 | low);
}

const char *mgi_json_skip_plain(const char *p, const char *end)
{
    const char *begin = p;
    while (end - p >= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        uint64_t special = mgi_json_special_bytes(word);
        if (!special) {
            p += 8;
            continue;
        }
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        return p + __builtin_ctzll(special) / 8;
#else
        break;
#endif
    }
    if (ends_plain(begin, end))
        return end;
    while (p < end && is_plain((unsigned char)*p))
        p++;
    return p;
}

static const char *fail_with(struct json_fail *fail, enum json_fault fault, const char *at,
                             const char *message)
{
    *fail = (struct json_fail){ fault, at, message };
    return NULL;
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* The four digits of a \u escape at p, or UINT32_MAX. */
static uint32_t hex4(const char *p, const char *end)
{
    if (end - p < 4)
        return UINT32_MAX;
    uint32_t code = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_value(p[i]);
        if (digit < 0)
            return UINT32_MAX;
        code = code << 4 | (uint32_t)digit;
    }
    return code;
}

static bool is_high_surrogate(uint32_t code)
{
    return code >= 0xd800 && code <= 0xdbff;
}

static bool is_low_surrogate(uint32_t code)
{
    return code >= 0xdc00 && code <= 0xdfff;
}

/* What an escape of one letter stands for; a table, for texts of code have one a line. */
static const char stands_for[UCHAR_MAX + 1] = {
    ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
    ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'
};

/* An escape; p is at the backslash. */
static const char *scan_escape(const char *p, const char *end, struct json_fail *fail)
{
    if (end - p < 2)
        return fail_with(fail, JSON_BAD_SYNTAX, end, "unterminated string");
    if (stands_for[(unsigned char)p[1]])
        return p + 2;
    if (p[1] != 'u')
        return fail_with(fail, JSON_BAD_SYNTAX, p, "unknown escape in a string");
    uint32_t code = hex4(p + 2, end);
    if (code == UINT32_MAX)
        return fail_with(fail, JSON_BAD_SYNTAX, p, "expected four hexadecimal digits after \\u");
    if (is_low_surrogate(code))
        return fail_with(fail, JSON_BAD_UTF8, p, "lone surrogate escape");
    if (!is_high_surrogate(code))
        return p + 6;
    if (end - p < 8 || p[6] != '\\' || p[7] != 'u' || !is_low_surrogate(hex4(p + 8, end)))
        return fail_with(fail, JSON_BAD_UTF8, p, "lone surrogate escape");
    return p + 12;
}

const char *mgi_json_scan_string(const char *p, const char *end, bool *escaped,
                                 struct json_fail *fail)
{
    *escaped = false;
    for (;;) {
        p = mgi_json_skip_plain(p, end);
        if (p == end)
            return fail_with(fail, JSON_BAD_SYNTAX, p, "unterminated string");
        if (*p == '"')
            return p;
        if (*p == '\\') {
            *escaped = true;
            p = scan_escape(p, end, fail);
            if (!p)
                return NULL;
        } else if ((unsigned char)*p < 0x20) {
            return fail_with(fail, JSON_BAD_SYNTAX, p, "control character in a string");
        } else {
            size_t at = 0;
            if (mgi_utf8_next(mgi_str_between(p, end), &at) == UINT32_MAX)
                return fail_with(fail, JSON_BAD_UTF8, p, "ill-formed UTF-8");
            p += at;
        }
    }
}

/* One escape at p, which is known to be good, as UTF-8 into out. */
static size_t unescape_one(const char **p, const char *end, char *out)
{
    char c = (*p)[1];
    if (c != 'u') {
        *out = stands_for[(unsigned char)c];
        *p += 2;
        return 1;
    }
    uint32_t code = hex4(*p + 2, end);
    *p += 6;
    if (is_high_surrogate(code)) {
        code = 0x10000 + ((code - 0xd800) << 10) + (hex4(*p + 2, end) - 0xdc00);
        *p += 6;
    }
    return mgi_utf8_put(code, out);
}

size_t mgi_json_unescape(struct str raw, char *out)
{
    const char *p = raw.ptr, *end = raw.ptr + raw.len;
    char *to = out;
    while (p < end) {
        const char *escape = memchr(p, '\\', (size_t)(end - p));
        size_t plain = (size_t)((escape ? escape : end) - p);
        memmove(to, p, plain);
        to += plain;
        p += plain;
        if (escape)
            to += unescape_one(&p, end, to);
    }
    return (size_t)(to - out);
}

static const char *skip_digits(const char *p, const char *end)
{
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return p;
}

/* The digits at p, and what they come to: of more than 19, something else. */
static const char *read_digits(const char *p, const char *end, uint64_t *n)
{
    uint64_t sum = 0;
    for (unsigned digit; p < end && (digit = (unsigned char)*p - (unsigned)'0') < 10; p++)
        sum = sum * 10 + digit;
    *n = sum;
    return p;
}

/* More than 19 digits, or too large a value, is a huge number. */
static void set_integer(struct json *v, bool negative, uint64_t n, ptrdiff_t digits)
{
    v->type = JSON_HUGE;
    if (digits > 19 || n > (uint64_t)INT64_MAX + negative)
        return;
    v->type = JSON_INT;
    v->integer = !negative ? (int64_t)n : n > (uint64_t)INT64_MAX ? INT64_MIN : -(int64_t)n;
}

/* The fraction and the exponent that follow the whole digits. */
static const char *scan_fraction(const char *p, const char *end, struct json_fail *fail)
{
    if (*p == '.') {
        const char *fraction = ++p;
        p = skip_digits(p, end);
        if (p == fraction)
            return mgi_json_unexpected(p, end, "expected a digit after '.'", fail);
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '+' || *p == '-'))
            p++;
        const char *exponent = p;
        p = skip_digits(p, end);
        if (p == exponent)
            return mgi_json_unexpected(p, end, "expected a digit in the exponent", fail);
    }
    return p;
}

const char *mgi_json_scan_number(const char *p, const char *end, struct json *v,
                                 struct json_fail *fail)
{
    const char *start = p;
    bool negative = *p == '-';
    const char *digits = p + negative;
    uint64_t n;
    p = read_digits(digits, end, &n);
    if (p == digits)
        return mgi_json_unexpected(p, end, "expected a digit", fail);
    if (*digits == '0' && p - digits > 1)
        return fail_with(fail, JSON_BAD_SYNTAX, digits, "number with a leading zero");
    if (p == end || (*p != '.' && *p != 'e' && *p != 'E')) {
        set_integer(v, negative, n, p - digits);
        return p;
    }
    p = scan_fraction(p, end, fail);
    if (!p)
        return NULL;
    bool finite = mgi_double_parse(mgi_str_between(start, p), &v->number);
    v->type = finite ? JSON_FLOAT : JSON_HUGE;
    return p;
}

const char *mgi_json_scan_word(const char *p, const char *end, struct json *v,
                               struct json_fail *fail)
{
    struct str rest = mgi_str_between(p, end);
    if (mgi_str_starts(rest, STR_LIT("true"))) {
        v->type = JSON_BOOL;
        v->boolean = true;
        return p + 4;
    }
    if (mgi_str_starts(rest, STR_LIT("false"))) {
        v->type = JSON_BOOL;
        v->boolean = false;
        return p + 5;
    }
    if (mgi_str_starts(rest, STR_LIT("null"))) {
        v->type = JSON_NULL;
        return p + 4;
    }
    return mgi_json_unexpected(p, end, "expected a value", fail);
}

const char *mgi_json_unexpected(const char *p, const char *end, const char *message,
                                struct json_fail *fail)
{
    if (p < end && (unsigned char)*p >= 0x80) {
        size_t at = 0;
        if (mgi_utf8_next(mgi_str_between(p, end), &at) == UINT32_MAX)
            return fail_with(fail, JSON_BAD_UTF8, p, "ill-formed UTF-8");
    }
    return fail_with(fail, JSON_BAD_SYNTAX, p, message);
}

void mgi_json_error_at(struct json_error *error, struct str text, const struct json_fail *fail)
{
    if (!error)
        return;
    size_t offset = text.len ? (size_t)(fail->at - text.ptr) : 0;
    uint32_t line = 1;
    size_t line_start = 0;
    for (size_t i = 0; i < offset; i++) {
        if (text.ptr[i] == '\n') {
            line++;
            line_start = i + 1;
        }
    }
    *error = (struct json_error){ .fault = fail->fault,
                                  .offset = offset,
                                  .line = line,
                                  .column = (uint32_t)(offset - line_start) + 1 };
    const char *cut =
        fail->fault == JSON_BAD_SYNTAX && offset == text.len ? ", but the text ends" : "";
    (void)snprintf(error->message, sizeof error->message, "%s%s", fail->message, cut);
}

const char *mgi_json_fault_reason(enum json_fault fault)
{
    switch (fault) {
    case JSON_OK:
        return "ok";
    case JSON_BAD_SYNTAX:
        return "json";
    case JSON_BAD_UTF8:
        return "utf8";
    case JSON_BAD_BOM:
        return "bom";
    case JSON_DUPLICATE_KEY:
        return "duplicate_key";
    case JSON_TOO_DEEP:
        return "depth";
    case JSON_NOMEM:
        return "memory";
    }
    return "json";
}

uint32_t mgi_json_depth(uint32_t max_depth)
{
    if (max_depth == 0)
        return JSON_DEFAULT_DEPTH;
    return max_depth < JSON_MAX_DEPTH ? max_depth : JSON_MAX_DEPTH;
}

bool mgi_json_has_bom(struct str text)
{
    return mgi_str_starts(text, STR_LIT("\xef\xbb\xbf"));
}
