/* TOML's keys and values, into JSON text: see toml_int.h. Arrays and inline tables are nested
 * SPLICE_DEPTH deep at most, which bounds the recursion. */
#include <stdlib.h>

#include "base/utf8.h"
#include "splice/toml_int.h"

bool mgi_toml_fail(struct toml_reader *r, size_t at, const char *message)
{
    if (!r->status)
        r->status = message ? mgi_splice_refuse(r->fault, r->text, at, message) : SPLICE_NOMEM;
    return false;
}

struct toml_node *mgi_toml_new(struct toml_reader *r, struct toml_node *parent, struct str key,
                               enum toml_kind kind)
{
    struct toml_node *n = mgi_arena_calloc(r->arena, 1, sizeof *n);
    if (!n) {
        mgi_toml_fail(r, 0, NULL);
        return NULL;
    }
    n->key = key;
    n->kind = kind;
    if (parent->last)
        parent->last->next = n;
    else
        parent->first = n;
    parent->last = n;
    return n;
}

struct toml_node *mgi_toml_child(const struct toml_node *table, struct str key)
{
    struct toml_node *n = table->first;
    while (n && !str_eq(n->key, key))
        n = n->next;
    return n;
}

void mgi_toml_blanks(struct toml_reader *r)
{
    while (toml_peek(r) == ' ' || toml_peek(r) == '\t')
        r->at++;
}

static bool is_control(char c)
{
    unsigned char u = (unsigned char)c;
    return (u < ' ' && u != '\t') || u == 0x7f;
}

static bool is_crlf(const struct toml_reader *r)
{
    return r->at + 1 < r->text.len && r->text.ptr[r->at] == '\r' && r->text.ptr[r->at + 1] == '\n';
}

bool mgi_toml_comment(struct toml_reader *r)
{
    if (toml_peek(r) != '#')
        return true;
    for (; r->at < r->text.len && r->text.ptr[r->at] != '\n' && !is_crlf(r); r->at++)
        if (is_control(r->text.ptr[r->at]))
            return mgi_toml_fail(r, r->at, "a control character in a comment");
    return true;
}

/* ---- strings --------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool read_code(struct toml_reader *r, int digits, struct buf *out)
{
    uint32_t code = 0;
    size_t begin = r->at;
    char bytes[4];
    for (int i = 0; i < digits; i++, r->at++) {
        int digit = hex_digit(toml_peek(r));
        if (digit < 0)
            return mgi_toml_fail(r, r->at, "a hexadecimal digit is missing");
        code = code << 4 | (uint32_t)digit;
    }
    size_t len = mgi_utf8_put(code, bytes);
    if (len == 0)
        return mgi_toml_fail(r, begin, "there is no such character");
    mgi_buf_append(out, bytes, len);
    return true;
}

/* Behind a backslash. */
static bool read_escape(struct toml_reader *r, bool lines, struct buf *out)
{
    static const char from[] = "btnfr\"\\", to[] = "\b\t\n\f\r\"\\";
    char c = toml_peek(r);
    const char *found = c ? strchr(from, c) : NULL;
    size_t at = r->at++;
    if (found) {
        mgi_buf_putc(out, to[found - from]);
        return true;
    }
    if (c == 'u' || c == 'U')
        return read_code(r, c == 'u' ? 4 : 8, out);
    r->at = at;
    mgi_toml_blanks(r);
    if (!lines || (toml_peek(r) != '\n' && !is_crlf(r)))
        return mgi_toml_fail(r, at, "there is no such escape");
    while (toml_peek(r) == ' ' || toml_peek(r) == '\t' || toml_peek(r) == '\n' || is_crlf(r))
        r->at++;
    return true;
}

static bool starts_at(const struct toml_reader *r, const char *what)
{
    struct str rest = { r->text.ptr + r->at, r->text.len - r->at };
    return mgi_str_starts(rest, str_of(what));
}

static bool read_lines(struct toml_reader *r, char quote, struct buf *out)
{
    const char three[] = { quote, quote, quote, '\0' };
    size_t begin = r->at;
    r->at += 3;
    if (is_crlf(r))
        r->at += 2;
    else if (toml_peek(r) == '\n')
        r->at++;
    while (r->at < r->text.len) {
        char c = r->text.ptr[r->at];
        if (starts_at(r, three)) {
            r->at += 3;
            for (int i = 0; i < 2 && toml_peek(r) == quote; i++, r->at++)
                mgi_buf_putc(out, quote);
            return true;
        }
        if (c == '\\' && quote == '"') {
            r->at++;
            if (!read_escape(r, true, out))
                return false;
            continue;
        }
        if (is_control(c) && c != '\n' && !is_crlf(r))
            return mgi_toml_fail(r, r->at, "a control character in a text");
        mgi_buf_putc(out, c);
        r->at++;
    }
    return mgi_toml_fail(r, begin, "this text has no end");
}

static bool read_line(struct toml_reader *r, char quote, struct buf *out)
{
    size_t begin = r->at++;
    while (r->at < r->text.len) {
        char c = r->text.ptr[r->at];
        if (c == quote) {
            r->at++;
            return true;
        }
        if (is_control(c))
            return mgi_toml_fail(r, c == '\n' || c == '\r' ? begin : r->at,
                                 c == '\n' || c == '\r' ? "this text has no end in its line"
                                                        : "a control character in a text");
        r->at++;
        if (c == '\\' && quote == '"') {
            if (!read_escape(r, false, out))
                return false;
        } else {
            mgi_buf_putc(out, c);
        }
    }
    return mgi_toml_fail(r, begin, "this text has no end");
}

static bool read_text(struct toml_reader *r, bool may_have_lines, struct buf *out)
{
    char quote = toml_peek(r);
    if (may_have_lines && starts_at(r, quote == '"' ? "\"\"\"" : "'''"))
        return read_lines(r, quote, out);
    return read_line(r, quote, out);
}

static bool is_bare(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

bool mgi_toml_key(struct toml_reader *r, struct str *out)
{
    size_t begin = r->at;
    if (toml_peek(r) == '"' || toml_peek(r) == '\'') {
        struct buf text = { 0 };
        bool good = read_text(r, false, &text);
        *out = good && !text.oom ? mgi_arena_str(r->arena, mgi_buf_view(&text))
                                 : (struct str){ NULL, 0 };
        mgi_buf_fini(&text);
        return good && (out->ptr || mgi_toml_fail(r, 0, NULL));
    }
    while (is_bare(toml_peek(r)))
        r->at++;
    *out = (struct str){ r->text.ptr + begin, r->at - begin };
    return r->at > begin || mgi_toml_fail(r, begin, "a key is expected here");
}

/* ---- other values ---------------------------------------------------------------------------- */

static bool keep_json(struct toml_reader *r, struct toml_node *n, const struct buf *json)
{
    n->json = json->oom ? (struct str){ NULL, 0 } : mgi_arena_str(r->arena, mgi_buf_view(json));
    return n->json.ptr || mgi_toml_fail(r, 0, NULL);
}

static bool keep_text(struct toml_reader *r, struct toml_node *n, struct str text)
{
    struct buf json = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &json, 0);
    mgi_jw_string(&w, text);
    bool good = keep_json(r, n, &json);
    mgi_buf_wipe(&json);
    return good;
}

/* Digits of a base, with '_' between two of them; copied without. */
static size_t digits(struct str word, size_t i, int base, struct buf *out)
{
    size_t begin = i;
    for (; i < word.len; i++) {
        int digit = hex_digit(word.ptr[i]);
        bool between = word.ptr[i] == '_' && i > begin && i + 1 < word.len &&
                       word.ptr[i - 1] != '_' && hex_digit(word.ptr[i + 1]) >= 0 &&
                       hex_digit(word.ptr[i + 1]) < base;
        if (!between && (digit < 0 || digit >= base))
            break;
        if (!between)
            mgi_buf_putc(out, word.ptr[i]);
    }
    return i;
}

static bool read_based(struct toml_reader *r, struct toml_node *n, struct str word, size_t begin)
{
    char kind = word.ptr[1];
    int base = kind == 'x' ? 16 : kind == 'o' ? 8 : 2;
    struct buf text = { 0 }, json = { 0 };
    bool whole = digits(word, 2, base, &text) == word.len && text.len > 0 && text.len <= 64;
    mgi_buf_putc(&text, '\0');
    char *end = NULL;
    unsigned long long value = whole && !text.oom ? strtoull(text.ptr, &end, base) : 0;
    bool good = whole && !text.oom && value <= INT64_MAX;
    mgi_buf_printf(&json, "%llu", value);
    if (text.oom)
        good = mgi_toml_fail(r, 0, NULL);
    else if (!good)
        mgi_toml_fail(r, begin, "this is no number");
    else
        good = keep_json(r, n, &json);
    mgi_buf_fini(&text);
    mgi_buf_fini(&json);
    return good;
}

/* [+-] digits [. digits] [e [+-] digits], into JSON's spelling. False: it is none. */
static bool spell_number(struct str word, struct buf *out)
{
    size_t i = 0;
    if (i < word.len && (word.ptr[i] == '+' || word.ptr[i] == '-'))
        if (word.ptr[i++] == '-')
            mgi_buf_putc(out, '-');
    size_t whole = i;
    i = digits(word, i, 10, out);
    if (i == whole || (word.ptr[whole] == '0' && i > whole + 1))
        return false;
    if (i < word.len && word.ptr[i] == '.') {
        mgi_buf_putc(out, '.');
        size_t fraction = i + 1;
        i = digits(word, fraction, 10, out);
        if (i == fraction)
            return false;
    }
    if (i < word.len && (word.ptr[i] == 'e' || word.ptr[i] == 'E')) {
        mgi_buf_putc(out, 'e');
        i++;
        if (i < word.len && (word.ptr[i] == '+' || word.ptr[i] == '-'))
            mgi_buf_putc(out, word.ptr[i++]);
        size_t power = i;
        i = digits(word, i, 10, out);
        if (i == power)
            return false;
    }
    return i == word.len;
}

static bool all_digits(struct str word, size_t from, size_t count)
{
    if (from + count > word.len)
        return false;
    for (size_t i = from; i < from + count; i++)
        if (word.ptr[i] < '0' || word.ptr[i] > '9')
            return false;
    return true;
}

static int two_digits(struct str word, size_t at)
{
    return (word.ptr[at] - '0') * 10 + word.ptr[at + 1] - '0';
}

/* hh:mm:ss[.digits] at `i`; where it ends, or 0. */
static size_t time_end(struct str word, size_t i)
{
    if (!all_digits(word, i, 2) || !all_digits(word, i + 3, 2) || !all_digits(word, i + 6, 2) ||
        word.ptr[i + 2] != ':' || word.ptr[i + 5] != ':' || two_digits(word, i) > 23 ||
        two_digits(word, i + 3) > 59 || two_digits(word, i + 6) > 60)
        return 0;
    i += 8;
    if (i < word.len && word.ptr[i] == '.') {
        if (!all_digits(word, ++i, 1))
            return 0;
        while (all_digits(word, i, 1))
            i++;
    }
    return i;
}

static bool is_zone(struct str word, size_t i)
{
    if (i == word.len)
        return true;
    if (word.ptr[i] == 'Z' || word.ptr[i] == 'z')
        return i + 1 == word.len;
    return (word.ptr[i] == '+' || word.ptr[i] == '-') && word.len == i + 6 &&
           all_digits(word, i + 1, 2) && word.ptr[i + 3] == ':' && all_digits(word, i + 4, 2) &&
           two_digits(word, i + 1) < 24 && two_digits(word, i + 4) < 60;
}

/* Days of a month are not counted: it is a text for us. */
static bool is_date_or_time(struct str word)
{
    size_t end = time_end(word, 0);
    if (end)
        return end == word.len;
    if (!all_digits(word, 0, 4) || !all_digits(word, 5, 2) || !all_digits(word, 8, 2) ||
        word.ptr[4] != '-' || word.ptr[7] != '-' || two_digits(word, 5) < 1 ||
        two_digits(word, 5) > 12 || two_digits(word, 8) < 1 || two_digits(word, 8) > 31)
        return false;
    if (word.len == 10)
        return true;
    if (word.ptr[10] != 'T' && word.ptr[10] != 't' && word.ptr[10] != ' ')
        return false;
    end = time_end(word, 11);
    return end && is_zone(word, end);
}

static bool is_word_char(char c)
{
    return is_bare(c) || c == '+' || c == '.' || c == ':';
}

static struct str take_word(struct toml_reader *r)
{
    size_t begin = r->at;
    while (is_word_char(toml_peek(r)))
        r->at++;
    struct str word = { r->text.ptr + begin, r->at - begin };
    struct str rest = { r->text.ptr + r->at, r->text.len - r->at };
    if (word.len == 10 && is_date_or_time(word) && rest.len > 3 && rest.ptr[0] == ' ' &&
        all_digits(rest, 1, 2) && rest.ptr[3] == ':') { /* a blank between date and time */
        r->at++;
        while (is_word_char(toml_peek(r)))
            r->at++;
        word.len = r->at - begin;
    }
    return word;
}

static bool read_word(struct toml_reader *r, struct toml_node *n)
{
    size_t begin = r->at;
    struct str word = take_word(r);
    struct buf json = { 0 };
    bool good;
    if (str_is(word, "true") || str_is(word, "false")) {
        n->json = word;
        return true;
    }
    struct str bare = word;
    if (bare.len > 0 && (bare.ptr[0] == '+' || bare.ptr[0] == '-'))
        bare = (struct str){ bare.ptr + 1, bare.len - 1 };
    if (str_is(bare, "inf") || str_is(bare, "nan")) {
        n->json = STR_LIT("null");
        return true;
    }
    if (word.len > 2 && word.ptr[0] == '0' && strchr("xob", word.ptr[1]))
        return read_based(r, n, word, begin);
    if (word.len > 0 && is_date_or_time(word))
        return keep_text(r, n, word);
    if (spell_number(word, &json))
        good = keep_json(r, n, &json);
    else
        good = mgi_toml_fail(r, begin, word.len ? "this is no value" : "a value is expected here");
    mgi_buf_fini(&json);
    return good;
}

/* ---- what holds values ----------------------------------------------------------------------- */

static bool read_value(struct toml_reader *r, struct toml_node *n);

/* Between the elements of an array. */
static bool skip_lines(struct toml_reader *r)
{
    for (;;) {
        mgi_toml_blanks(r);
        if (toml_peek(r) == '\n')
            r->at++;
        else if (is_crlf(r))
            r->at += 2;
        else if (toml_peek(r) != '#')
            return true;
        else if (!mgi_toml_comment(r))
            return false;
    }
}

static bool read_array(struct toml_reader *r, struct toml_node *n)
{
    size_t begin = r->at++;
    n->kind = TOML_ARRAY;
    n->made = TOML_CLOSED;
    for (;;) {
        if (!skip_lines(r))
            return false;
        if (toml_peek(r) == ']') {
            r->at++;
            return true;
        }
        if (r->at >= r->text.len)
            return mgi_toml_fail(r, begin, "this array has no end");
        struct toml_node *item = mgi_toml_new(r, n, STR_LIT(""), TOML_SCALAR);
        if (!item || !read_value(r, item) || !skip_lines(r))
            return false;
        if (toml_peek(r) == ',')
            r->at++;
        else if (toml_peek(r) != ']' && r->at < r->text.len)
            return mgi_toml_fail(r, r->at, "\",\" or \"]\" is expected here");
    }
}

/* Of an inline table nothing can be added to later. */
static void close_tables(struct toml_node *n)
{
    n->made = TOML_CLOSED;
    for (struct toml_node *c = n->first; c; c = c->next)
        if (c->kind == TOML_TABLE && c->made != TOML_CLOSED)
            close_tables(c); /* made of dotted keys: as deep as the key is long */
}

static bool read_inline(struct toml_reader *r, struct toml_node *n)
{
    size_t begin = r->at++;
    n->kind = TOML_TABLE;
    n->made = TOML_DOTTED;
    mgi_toml_blanks(r);
    if (toml_peek(r) == '}') {
        r->at++;
        n->made = TOML_CLOSED;
        return true;
    }
    for (;;) {
        mgi_toml_blanks(r);
        if (!mgi_toml_pair(r, n))
            return false;
        mgi_toml_blanks(r);
        char c = toml_peek(r);
        if (c == ',') {
            r->at++;
            continue;
        }
        if (c != '}')
            return mgi_toml_fail(r, r->at < r->text.len ? r->at : begin,
                                 "\",\" or \"}\" is expected in an inline table");
        r->at++;
        close_tables(n);
        return true;
    }
}

static bool read_value(struct toml_reader *r, struct toml_node *n)
{
    char c = toml_peek(r);
    bool good;
    if (c == '"' || c == '\'') {
        struct buf text = { 0 };
        good = read_text(r, true, &text);
        if (good && text.oom)
            good = mgi_toml_fail(r, 0, NULL);
        good = good && keep_text(r, n, mgi_buf_view(&text));
        mgi_buf_wipe(&text);
        return good;
    }
    if (c != '[' && c != '{')
        return read_word(r, n);
    if (r->depth >= SPLICE_DEPTH)
        return mgi_toml_fail(r, r->at, "this is nested too deep");
    r->depth++;
    good = c == '[' ? read_array(r, n) : read_inline(r, n);
    r->depth--;
    return good;
}

/* The table that a dotted key goes on in. */
static struct toml_node *step_into(struct toml_reader *r, struct toml_node *table, struct str key,
                                   size_t at)
{
    struct toml_node *n = mgi_toml_child(table, key);
    if (!n) {
        n = mgi_toml_new(r, table, key, TOML_TABLE);
        if (n)
            n->made = TOML_DOTTED;
        return n;
    }
    if (n->kind == TOML_TABLE && n->made == TOML_DOTTED)
        return n;
    mgi_toml_fail(r, at, "this key was given before, or its table is complete");
    return NULL;
}

bool mgi_toml_pair(struct toml_reader *r, struct toml_node *table)
{
    struct str key;
    size_t begin = r->at;
    if (!mgi_toml_key(r, &key))
        return false;
    mgi_toml_blanks(r);
    for (unsigned parts = 1; toml_peek(r) == '.'; parts++) {
        if (parts >= SPLICE_DEPTH - r->depth)
            return mgi_toml_fail(r, begin, "this key has too many parts");
        table = step_into(r, table, key, begin);
        r->at++;
        mgi_toml_blanks(r);
        if (!table || !mgi_toml_key(r, &key))
            return false;
        mgi_toml_blanks(r);
    }
    if (toml_peek(r) != '=')
        return mgi_toml_fail(r, r->at, "\"=\" is expected behind a key");
    r->at++;
    mgi_toml_blanks(r);
    if (mgi_toml_child(table, key))
        return mgi_toml_fail(r, begin, "this key was given before");
    struct toml_node *n = mgi_toml_new(r, table, key, TOML_SCALAR);
    return n && read_value(r, n);
}
