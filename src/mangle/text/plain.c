/* One pass over the bytes. What is accepted here the lexer and the parser would read alike; every
 * doubt is theirs: a digit before a unit or a point, a name that ends in a dot before a blank, an
 * escape, a comment inside of a fact. */
#include "mangle/text/plain.h"

#define PLAIN_DIGITS 18 /* that fit without looking */

enum plain_class {
    PLAIN_BLANK = 1,
    PLAIN_LOWER = 2,
    PLAIN_WORD = 4,
    PLAIN_PART = 8,
    PLAIN_DIGIT = 16
};

/* clang-format off */
#define LETTER (PLAIN_WORD | PLAIN_PART)
#define TEN(first, is) [first] = (is), [(first) + 1] = (is), [(first) + 2] = (is), [(first) + 3] = (is), \
    [(first) + 4] = (is), [(first) + 5] = (is), [(first) + 6] = (is), [(first) + 7] = (is), \
    [(first) + 8] = (is), [(first) + 9] = (is)
#define ALPHABET(first, is) TEN(first, is), TEN((first) + 10, is), [(first) + 20] = (is), \
    [(first) + 21] = (is), [(first) + 22] = (is), [(first) + 23] = (is), [(first) + 24] = (is), \
    [(first) + 25] = (is)

static const unsigned char classes[256] = {
    [' '] = PLAIN_BLANK, ['\t'] = PLAIN_BLANK, ['\n'] = PLAIN_BLANK, ['\r'] = PLAIN_BLANK,
    ALPHABET('a', PLAIN_LOWER | LETTER), ALPHABET('A', LETTER), TEN('0', LETTER | PLAIN_DIGIT),
    ['_'] = LETTER, ['.'] = PLAIN_PART, ['-'] = PLAIN_PART, ['~'] = PLAIN_PART, ['%'] = PLAIN_PART,
};
/* clang-format on */

static bool plain_is(const char *at, enum plain_class wanted)
{
    return classes[(unsigned char)*at] & wanted;
}

static const char *past(const char *at, const char *end, enum plain_class wanted)
{
    while (at < end && plain_is(at, wanted))
        at++;
    return at;
}

/* Each reads what begins at `at` and returns what is behind it; NULL: no plain one. */
static const char *number_at(const char *at, const char *end, struct plain_arg *out)
{
    bool negative = *at == '-';
    const char *first = at + negative;
    int64_t sum = 0;
    for (at = first; at < end && plain_is(at, PLAIN_DIGIT); at++) {
        if (at - first == PLAIN_DIGITS)
            return NULL;
        sum = sum * 10 + (*at - '0');
    }
    out->kind = MANGLE_NUMBER;
    out->number = negative ? -sum : sum;
    return at == first ? NULL : at;
}

static const char *name_at(const char *at, const char *end, struct plain_arg *out)
{
    const char *first = at;
    while (at < end && *at == '/') {
        const char *part = at + 1;
        at = past(part, end, PLAIN_PART);
        if (at == part)
            return NULL;
    }
    out->kind = MANGLE_NAME;
    out->text = (struct str){ first, (size_t)(at - first) };
    return at[-1] == '.' ? NULL : at;
}

static const char *string_at(const char *at, const char *end, struct plain_arg *out)
{
    const char *first = ++at;
    while (at < end && *at != '"' && *at != '\\' && *at != '\r')
        at++;
    out->kind = MANGLE_STRING;
    out->text = (struct str){ first, (size_t)(at - first) };
    return at < end && *at == '"' ? at + 1 : NULL;
}

static const char *arg_at(const char *at, const char *end, struct plain_arg *out)
{
    if (at == end)
        return NULL;
    if (*at == '"')
        return string_at(at, end, out);
    return *at == '/' ? name_at(at, end, out) : number_at(at, end, out);
}

/* The arguments and the parenthesis behind them. */
static const char *args_at(const char *at, const char *end, struct plain_fact *out)
{
    for (out->count = 0; out->count < PLAIN_MAX_ARGS;) {
        at = arg_at(past(at, end, PLAIN_BLANK), end, &out->args[out->count++]);
        if (!at)
            return NULL;
        at = past(at, end, PLAIN_BLANK);
        if (at == end || (*at != ',' && *at != ')'))
            return NULL;
        if (*at++ == ')')
            return at;
    }
    return NULL;
}

/* What the lexer makes of a dot depends on what follows. */
static bool ends_at(const char *dot, const char *end)
{
    return end - dot > 1 && *dot == '.' &&
           (plain_is(dot + 1, PLAIN_BLANK | PLAIN_LOWER) || dot[1] == '#');
}

bool mgi_plain_fact(struct str text, uint32_t *at, struct plain_fact *out)
{
    const char *end = text.ptr + text.len;
    const char *name = past(text.ptr + *at, end, PLAIN_BLANK), *p = name;
    if (p == end || !plain_is(p, PLAIN_LOWER))
        return false;
    p = past(p, end, PLAIN_WORD);
    out->name = (struct str){ name, (size_t)(p - name) };
    if (p == end || *p != '(')
        return false;
    p = args_at(p + 1, end, out);
    if (!p)
        return false;
    p = past(p, end, PLAIN_BLANK);
    if (!ends_at(p, end))
        return false;
    *at = (uint32_t)(p + 1 - text.ptr);
    return true;
}

bool mgi_plain_value(struct str line, struct plain_arg *out)
{
    const char *end = line.ptr + line.len;
    return arg_at(line.ptr, end, out) == end && line.len > 0;
}
