/* Text to tokens: longest match by hand, with the repairs of M-LEX-20 to M-LEX-25 that need a look
 * ahead. The lexer reports nothing; a TOKEN_ERROR says what is wrong and the parser decides whether
 * anybody wants to hear it. */
#include "mangle/text/lex.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "base/time.h"
#include "base/utf8.h"

/* ---- characters (ASCII on purpose: <ctype.h> asks the locale) ---------------------------- */

static bool is_lower(int c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_upper(int c)
{
    return c >= 'A' && c <= 'Z';
}

static bool lex_is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_char(int c)
{
    return is_lower(c) || is_upper(c) || lex_is_digit(c) || c == ':' || c == '_';
}

static bool lex_is_part(int c)
{
    return is_lower(c) || is_upper(c) || lex_is_digit(c) || c == '.' || c == '-' || c == '_' ||
           c == '~' || c == '%';
}

static bool is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static bool is_quote(int c)
{
    return c == '"' || c == '\'' || c == '`';
}

/* The byte at offset `at`, or -1 past the end. */
static int lex_peek(const struct lexer *x, size_t at)
{
    return at < x->text.len ? (unsigned char)x->text.ptr[at] : -1;
}

static size_t lex_skip_digits(const struct lexer *x, size_t at)
{
    while (lex_is_digit(lex_peek(x, at)))
        at++;
    return at;
}

static size_t skip_blanks(const struct lexer *x, size_t at)
{
    for (;;) {
        if (is_blank(lex_peek(x, at))) {
            at++;
        } else if (lex_peek(x, at) == '#') {
            while (at < x->text.len && x->text.ptr[at] != '\n')
                at++;
        } else {
            return at;
        }
    }
}

/* ---- making tokens ----------------------------------------------------------------------- */

static struct token token_to(struct lexer *x, enum token_kind kind, size_t end)
{
    struct token t = { .kind = kind, .start = x->at, .end = (uint32_t)end };
    t.text = (struct str){ x->text.ptr + x->at, end - x->at };
    x->at = (uint32_t)end;
    return t;
}

static struct token fault_to(struct lexer *x, size_t end, const char *fault, const char *hint)
{
    struct token t = token_to(x, TOKEN_ERROR, end);
    t.fault = fault;
    t.hint = hint;
    return t;
}

/* ---- numbers, times, durations ----------------------------------------------------------- */

static bool parse_int64(struct str s, int64_t *out)
{
    bool negative = s.ptr[0] == '-';
    uint64_t most = negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX, n = 0;
    for (size_t i = negative; i < s.len; i++) {
        uint64_t digit = (uint64_t)(s.ptr[i] - '0');
        if (n > (most - digit) / 10)
            return false;
        n = n * 10 + digit;
    }
    *out = negative ? (int64_t)(0 - n) : (int64_t)n;
    return true;
}

/* strtod() asks the locale for its decimal point, so it gets the one it wants. */
static bool parse_double(struct lexer *x, struct str s, double *out)
{
    struct arena_mark mark = mgi_arena_mark(x->arena);
    struct str point = str_of(localeconv()->decimal_point);
    char *text = mgi_arena_alloc(x->arena, s.len + point.len + 1);
    if (!text) {
        x->oom = true;
        return false;
    }
    size_t len = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '.') {
            memcpy(text + len, point.ptr, point.len);
            len += point.len;
        } else {
            text[len++] = s.ptr[i];
        }
    }
    text[len] = 0;
    *out = strtod(text, NULL);
    mgi_arena_rewind(x->arena, mark);
    return isfinite(*out) != 0;
}

static bool digits_at(const struct lexer *x, size_t at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!lex_is_digit(lex_peek(x, at + i)))
            return false;
    return true;
}

/* End of `YYYY-MM-DD[Thh:mm:ss[.f…][Z|±hh:mm]]` at the current place, or 0. */
static size_t timestamp_end(const struct lexer *x, bool *has_time, bool *has_zone)
{
    size_t at = x->at;
    *has_time = *has_zone = false;
    if (!digits_at(x, at, 4) || lex_peek(x, at + 4) != '-' || !digits_at(x, at + 5, 2) ||
        lex_peek(x, at + 7) != '-' || !digits_at(x, at + 8, 2))
        return 0;
    at += 10;
    if (lex_peek(x, at) != 'T' || !digits_at(x, at + 1, 2) || lex_peek(x, at + 3) != ':' ||
        !digits_at(x, at + 4, 2) || lex_peek(x, at + 6) != ':' || !digits_at(x, at + 7, 2))
        return at;
    *has_time = true;
    at += 9;
    if (lex_peek(x, at) == '.' && lex_is_digit(lex_peek(x, at + 1)))
        at = lex_skip_digits(x, at + 1);
    int c = lex_peek(x, at);
    if (c == 'Z') {
        *has_zone = true;
        at++;
    } else if ((c == '+' || c == '-') && digits_at(x, at + 1, 2) && lex_peek(x, at + 3) == ':' &&
               digits_at(x, at + 4, 2)) {
        *has_zone = true;
        at += 6;
    }
    return at;
}

static struct token lex_timestamp(struct lexer *x, size_t end, bool has_time, bool has_zone)
{
    struct token t = token_to(x, TOKEN_TIMESTAMP, end);
    struct buf full = { 0 };
    mgi_buf_str(&full, t.text);
    if (!has_time)
        mgi_buf_puts(&full, "T00:00:00");
    if (!has_zone)
        mgi_buf_putc(&full, 'Z');
    if (full.oom)
        x->oom = true;
    enum time_parse code = full.oom ? TIME_OK : mgi_time_parse(mgi_buf_view(&full), 0, &t.number);
    mgi_buf_fini(&full);
    if (code != TIME_OK) {
        t.kind = TOKEN_ERROR;
        t.fault = code == TIME_OUT_OF_RANGE ? "the time is outside 1677-09-21 to 2262-04-11"
                                            : "there is no such time";
    }
    return t;
}

static size_t unit_len(const struct lexer *x, size_t at)
{
    int c = lex_peek(x, at), d = lex_peek(x, at + 1);
    if ((c == 'm' || c == 'u' || c == 'n') && d == 's')
        return 2;
    return c == 'd' || c == 'h' || c == 'm' || c == 's' ? 1 : 0;
}

/* End of `digits[.digits]unit` repeated, from `at`, or `at` itself. */
static size_t duration_end(const struct lexer *x, size_t at)
{
    for (;;) {
        size_t end = lex_skip_digits(x, at);
        if (end == at)
            return at;
        if (lex_peek(x, end) == '.' && lex_is_digit(lex_peek(x, end + 1)))
            end = lex_skip_digits(x, end + 1);
        size_t unit = unit_len(x, end);
        if (!unit)
            return at;
        at = end + unit;
    }
}

static struct token lex_duration(struct lexer *x, size_t end)
{
    struct token t = token_to(x, TOKEN_DURATION, end);
    if (!mgi_duration_parse(t.text, true, &t.number)) {
        t.kind = TOKEN_ERROR;
        t.fault = "the duration does not fit 64-bit nanoseconds";
        t.hint = "About 292 years are the most.";
    }
    return t;
}

static struct token lex_number(struct lexer *x)
{
    bool has_time, has_zone;
    size_t end = timestamp_end(x, &has_time, &has_zone);
    if (end)
        return lex_timestamp(x, end, has_time, has_zone);
    if ((end = duration_end(x, x->at)) > x->at)
        return lex_duration(x, end);

    end = lex_skip_digits(x, x->at + (lex_peek(x, x->at) == '-'));
    if (lex_peek(x, end) == '.' && lex_is_digit(lex_peek(x, end + 1))) {
        end = lex_skip_digits(x, end + 1);
        if (lex_peek(x, end) == 'e' || lex_peek(x, end) == 'E') {
            size_t exponent = end + 1;
            if (lex_peek(x, exponent) == '+' || lex_peek(x, exponent) == '-')
                exponent++;
            if (lex_is_digit(lex_peek(x, exponent)))
                end = lex_skip_digits(x, exponent);
        }
        struct token t = token_to(x, TOKEN_FLOAT, end);
        if (!parse_double(x, t.text, &t.real)) {
            t.kind = TOKEN_ERROR;
            t.fault = "the number is too large for a float64";
        }
        return t;
    }
    struct token t = token_to(x, TOKEN_NUMBER, end);
    if (!parse_int64(t.text, &t.number)) {
        t.kind = TOKEN_ERROR;
        t.fault = "the number does not fit 64 bits";
        t.hint = "Numbers reach from -9223372036854775808 to 9223372036854775807.";
    }
    return t;
}

/* ---- strings ----------------------------------------------------------------------------- */

static int lex_hex(int c)
{
    if (lex_is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Decode the escape whose backslash is at *at; NULL, or what is wrong with it. */
static const char *decode_escape(const struct lexer *x, size_t *at, bool bytes, char *out,
                                 size_t *len)
{
    int c = lex_peek(x, *at + 1);
    static const char plain[] = "n\nt\t\\\\''\"\"\n\n";
    for (size_t i = 0; plain[i]; i += 2) {
        if (c == plain[i]) {
            out[(*len)++] = plain[i + 1];
            *at += 2;
            return NULL;
        }
    }
    if (c == 'x') {
        int high = lex_hex(lex_peek(x, *at + 2)), low = lex_hex(lex_peek(x, *at + 3));
        if (high < 0 || low < 0)
            return "\\x needs two hexadecimal digits";
        if (!bytes && high >= 8)
            return "\\x80 and above are bytes, not characters";
        out[(*len)++] = (char)(high << 4 | low);
        *at += 4;
        return NULL;
    }
    if (c == 'u' && lex_peek(x, *at + 2) == '{') {
        uint32_t code = 0;
        size_t digits = 0, i = *at + 3;
        for (; lex_hex(lex_peek(x, i)) >= 0 && digits < 7; i++, digits++)
            code = code << 4 | (uint32_t)lex_hex(lex_peek(x, i));
        if (digits < 4 || digits > 6 || lex_peek(x, i) != '}')
            return "\\u{...} needs four to six hexadecimal digits";
        if (code > 0x10FFFF)
            return "there is no character above U+10FFFF";
        size_t put = mgi_utf8_put(code, out + *len);
        *len += put ? put : mgi_utf8_put(0xFFFD, out + *len);
        *at = i + 1;
        return NULL;
    }
    return "unknown escape in a string";
}

static struct token lex_string(struct lexer *x, bool bytes)
{
    size_t open = x->at + (bytes ? 1 : 0), at = open + 1;
    char quote = x->text.ptr[open];
    size_t close = at;
    while (close < x->text.len && x->text.ptr[close] != quote)
        close += x->text.ptr[close] == '\\' ? 2 : 1;
    bool spans = x->one_line && close < x->text.len && memchr(x->text.ptr + at, '\n', close - at);
    if (close >= x->text.len || spans) {
        size_t line_end = at; /* go on with the next line: most of the text is still good */
        while (line_end < x->text.len && x->text.ptr[line_end] != '\n')
            line_end++;
        struct token t = fault_to(x, line_end, "the string is not closed", NULL);
        t.end = (uint32_t)open + 1; /* the quote that opens it */
        t.hint = quote == '`'   ? "It ends with the same quote, `."
                 : quote == '"' ? "It ends with the same quote, \"."
                                : "It ends with the same quote, '.";
        return t;
    }
    char *content =
        mgi_arena_alloc(x->arena, close - at + 4); /* no escape is shorter than its text */
    if (!content) {
        x->oom = true;
        return fault_to(x, close + 1, "out of memory", NULL);
    }
    size_t len = 0;
    while (at < close) {
        char c = x->text.ptr[at];
        if (c == '\\') {
            size_t start = at;
            const char *fault = decode_escape(x, &at, bytes, content, &len);
            if (fault) {
                struct token t = fault_to(x, close + 1, fault,
                                          "The escapes are \\n \\t \\\\ \\' \\\" \\xhh \\u{hhhh}; "
                                          "bytes are written b\"...\".");
                t.start = (uint32_t)start;
                t.end = (uint32_t)start + 2;
                return t;
            }
        } else if (c == '\r' && !bytes) {
            content[len++] = '\n';
            at += lex_peek(x, at + 1) == '\n' ? 2 : 1;
        } else {
            content[len++] = c;
            at++;
        }
    }
    struct token t = token_to(x, bytes ? TOKEN_BYTES : TOKEN_STRING, close + 1);
    t.string = (struct str){ content, len };
    return t;
}

/* ---- words ------------------------------------------------------------------------------- */

static const struct {
    const char *word;
    enum token_kind kind;
} reserved[] = {
    { "temporal", TOKEN_TEMPORAL }, { "descr", TOKEN_DESCR }, { "inclusion", TOKEN_INCLUSION },
    { "now", TOKEN_NOW },           { "opt", TOKEN_OPT },     { "bound", TOKEN_BOUND },
    { "let", TOKEN_LET },           { "do", TOKEN_DO },       { "Package", TOKEN_PACKAGE },
    { "Use", TOKEN_USE },           { "Decl", TOKEN_DECL },
};

static bool reserved_kind(struct str word, enum token_kind *kind)
{
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
        if (str_is(word, reserved[i].word)) {
            *kind = reserved[i].kind;
            return true;
        }
    }
    return false;
}

/* End of { namechar | "." namechar } from `at`. */
static size_t word_end(const struct lexer *x, size_t at)
{
    while (is_name_char(lex_peek(x, at)) ||
           (lex_peek(x, at) == '.' && is_name_char(lex_peek(x, at + 1))))
        at++;
    return at;
}

static struct token lex_name(struct lexer *x)
{
    size_t end = word_end(x, x->at);
    if (lex_peek(x, end) == '-' && x->text.ptr[end - 1] == ':' && end - 1 > x->at)
        end--; /* foo:- is a head without parentheses (M-LEX-24) */
    struct token t = token_to(x, TOKEN_NAME, end);
    enum token_kind kind;
    /* A reserved word before '(' is a predicate of the host (M-SYN-57). */
    if (reserved_kind(t.text, &kind) && lex_peek(x, skip_blanks(x, end)) != '(')
        t.kind = kind;
    return t;
}

static struct token lex_upper(struct lexer *x)
{
    size_t end = word_end(x, x->at);
    struct token t = token_to(x, TOKEN_VARIABLE, end);
    enum token_kind kind;
    if (reserved_kind(t.text, &kind)) {
        t.kind = kind;
        return t;
    }
    for (size_t i = 0; i < t.text.len; i++)
        if (t.text.ptr[i] == ':' || t.text.ptr[i] == '_' || t.text.ptr[i] == '.')
            t.kind = TOKEN_TYPENAME;
    return t;
}

static struct token lex_dot(struct lexer *x)
{
    int c = lex_peek(x, x->at + 1);
    if (lex_is_digit(c))
        return lex_number(x);
    if (is_upper(c)) {
        size_t end = word_end(x, x->at + 1);
        struct str word = { x->text.ptr + x->at + 1, end - x->at - 1 };
        enum token_kind kind;
        if (!reserved_kind(word, &kind)) { /* .Decl glued to the clause before it: Q-8 */
            struct token t = token_to(x, TOKEN_DOTTYPE, end);
            t.text = word;
            return t;
        }
    }
    return token_to(x, TOKEN_DOT, x->at + 1);
}

static struct token lex_constant(struct lexer *x)
{
    size_t end = x->at;
    while (lex_peek(x, end) == '/' && lex_is_part(lex_peek(x, end + 1))) {
        end++;
        while (lex_is_part(lex_peek(x, end)))
            end++;
    }
    /* A dot at its end, before a blank, ends the clause (M-LEX-22). */
    int next = lex_peek(x, end);
    if (end > x->at && x->text.ptr[end - 1] == '.' && (next < 0 || is_blank(next) || next == '#'))
        end--;
    if (end == x->at || x->text.ptr[end - 1] == '/')
        return fault_to(x, end > x->at ? end : x->at + 1,
                        "a name needs at least one character after each '/'", NULL);
    if (lex_peek(x, end) == '/')
        return fault_to(x, end + 1, "a name cannot end in '/'", NULL);
    return token_to(x, TOKEN_CONSTANT, end);
}

/* ---- punctuation ------------------------------------------------------------------------- */

/* <-, <+, [- and [+ are operators only before '[' (M-LEX-20, M-LEX-21). */
static bool opens_window(const struct lexer *x)
{
    int sign = lex_peek(x, x->at + 1);
    return (sign == '-' || sign == '+') && lex_peek(x, skip_blanks(x, x->at + 2)) == '[';
}

static struct token lex_stray(struct lexer *x)
{
    size_t start = x->at, end = x->at;
    struct str rest = { x->text.ptr + x->at, x->text.len - x->at };
    if (mgi_utf8_next(x->text, &end) == 0x27F8)
        return token_to(x, TOKEN_IF, end);
    const struct foreign_sign *sign = mgi_foreign_sign(rest);
    if (sign) {
        end = start + strlen(sign->sign);
        while (sign->comment && x->text.ptr[x->at] != '\n' && x->at + 1 < x->text.len)
            x->at++;
    }
    size_t behind = x->at > end ? x->at : end;
    x->at = (uint32_t)start;
    struct token t = fault_to(x, behind, "unexpected", sign ? sign->hint : NULL);
    t.end = (uint32_t)end;
    t.text.len = end - start;
    t.stray = true;
    return t;
}

/* ==, =<, =>, =:=, =\\= of other languages: after '=' comes a value. */
static bool foreign_equals(int next)
{
    return next == '=' || next == '<' || next == '>' || next == ':' || next == '\\';
}

static struct token lex_punctuation(struct lexer *x)
{
    size_t one = (size_t)x->at + 1, two = (size_t)x->at + 2;
    int next = lex_peek(x, one);
    switch (lex_peek(x, x->at)) {
    case '(':
        return token_to(x, TOKEN_LPAREN, one);
    case ')':
        return token_to(x, TOKEN_RPAREN, one);
    case ']':
        return token_to(x, TOKEN_RBRACKET, one);
    case '{':
        return token_to(x, TOKEN_LBRACE, one);
    case '}':
        return token_to(x, TOKEN_RBRACE, one);
    case ',':
        return token_to(x, TOKEN_COMMA, one);
    case '@':
        return token_to(x, TOKEN_AT, one);
    case '=':
        return foreign_equals(next) ? lex_stray(x) : token_to(x, TOKEN_EQ, one);
    case '!':
        return next == '=' ? token_to(x, TOKEN_NE, two) : token_to(x, TOKEN_BANG, one);
    case '>':
        return next == '=' ? token_to(x, TOKEN_GE, two) : token_to(x, TOKEN_GT, one);
    case ':':
        return next == '-' ? token_to(x, TOKEN_IF, two) : token_to(x, TOKEN_COLON, one);
    case '[':
        if (opens_window(x))
            return token_to(x, next == '-' ? TOKEN_ALL_PAST : TOKEN_ALL_FUTURE, two);
        return token_to(x, TOKEN_LBRACKET, one);
    case '<':
        if (opens_window(x))
            return token_to(x, next == '-' ? TOKEN_SOME_PAST : TOKEN_SOME_FUTURE, two);
        return next == '=' ? token_to(x, TOKEN_LE, two) : token_to(x, TOKEN_LT, one);
    case '|':
        return next == '>' ? token_to(x, TOKEN_PIPE, two) : lex_stray(x);
    default:
        return lex_stray(x);
    }
}

struct token mgi_lex_next(struct lexer *x)
{
    uint32_t behind = x->at;
    x->at = (uint32_t)skip_blanks(x, x->at);
    int c = lex_peek(x, x->at), next = lex_peek(x, (size_t)x->at + 1);
    if (c < 0) { /* the place where something is missing is behind the last token */
        struct token t = { .kind = TOKEN_END, .start = behind, .end = behind };
        return t;
    }
    if (is_quote(c))
        return lex_string(x, false);
    if (c == 'b' && is_quote(next))
        return lex_string(x, true);
    if (is_lower(c) || (c == ':' && is_lower(next)))
        return lex_name(x);
    if (is_upper(c))
        return lex_upper(x);
    if (c == '_') {
        size_t end = word_end(x, x->at);
        struct str word = { x->text.ptr + x->at, end - x->at };
        return str_is(word, "__now") ? token_to(x, TOKEN_NAME, end)
                                     : token_to(x, TOKEN_VARIABLE, (size_t)x->at + 1);
    }
    if (c == '.')
        return lex_dot(x);
    if (c == '/')
        return next == '/' || next == '*' ? lex_stray(x) : lex_constant(x);
    if (lex_is_digit(c) ||
        (c == '-' &&
         (lex_is_digit(next) || (next == '.' && lex_is_digit(lex_peek(x, (size_t)x->at + 2))))))
        return lex_number(x);
    return lex_punctuation(x);
}
