/* Fact objects as programs write them: {"pred":"p","args":[1,"a"]}, with integers and strings
 * without escapes, read in one pass and without a tree. What is more than that is left to the
 * reader of JSON. */
#include "base/utf8.h"
#include "formats/fact_int.h"

#define PLAIN_DIGITS 15 /* an integer of so many is exact in every reader of JSON */

struct cursor {
    const char *at, *end;
};

static void skip_blanks(struct cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\r'))
        c->at++;
}

/* Behind blanks, and the blanks behind it. */
static bool take_char(struct cursor *c, char wanted)
{
    skip_blanks(c);
    if (c->at == c->end || *c->at != wanted)
        return false;
    c->at++;
    skip_blanks(c);
    return true;
}

/* The quote that opens it is taken. */
static bool take_text(struct cursor *c, struct str *out)
{
    const char *first = c->at;
    unsigned char all = 0;
    while (c->at < c->end && *c->at != '"' && *c->at != '\\' && (unsigned char)*c->at >= ' ')
        all |= (unsigned char)*c->at++;
    *out = (struct str){ first, (size_t)(c->at - first) };
    if (c->at == c->end || *c->at != '"' || (all >= 0x80 && !mgi_utf8_valid(*out, NULL)))
        return false;
    c->at++;
    return true;
}

static bool take_key_of(struct cursor *c, struct str wanted)
{
    struct str key;
    skip_blanks(c);
    if (c->at == c->end || *c->at++ != '"' || !take_text(c, &key))
        return false;
    return str_eq(key, wanted) && take_char(c, ':');
}

static bool take_integer(struct cursor *c, int64_t *out)
{
    bool negative = c->at < c->end && *c->at == '-';
    const char *first = c->at += negative;
    int64_t n = 0;
    while (c->at < c->end && *c->at >= '0' && *c->at <= '9' && c->at - first <= PLAIN_DIGITS)
        n = n * 10 + (*c->at++ - '0');
    *out = negative ? -n : n;
    if (c->at == first || c->at - first > PLAIN_DIGITS)
        return false;
    return *first != '0' || (c->at - first == 1 && !negative);
}

static bool take_arg(struct cursor *c, struct plain_json *out)
{
    skip_blanks(c);
    out->is_text = c->at < c->end && *c->at == '"';
    if (!out->is_text)
        return take_integer(c, &out->integer);
    c->at++;
    return take_text(c, &out->text);
}

static bool take_args(struct cursor *c, struct plain_object *out)
{
    if (!take_char(c, '['))
        return false;
    do {
        if (out->count == PLAIN_JSON_ARGS || !take_arg(c, &out->args[out->count++]))
            return false;
    } while (take_char(c, ','));
    return take_char(c, ']');
}

bool mgi_plain_object(struct str line, struct plain_object *out)
{
    struct cursor c = { line.ptr, line.ptr + line.len };
    out->count = 0;
    if (!take_char(&c, '{') || !take_key_of(&c, STR_LIT("pred")) || c.at == c.end ||
        *c.at++ != '"' || !take_text(&c, &out->pred))
        return false;
    return take_char(&c, ',') && take_key_of(&c, STR_LIT("args")) && take_args(&c, out) &&
           take_char(&c, '}') && c.at == c.end;
}
