/* JSONPath as RFC 9535 has it: text to segments and expressions. Recursive descent, as deep as
 * PATH_MOST_DEPTH and no deeper; functions and comparisons are checked for their types while they
 * are read (2.4.3), so that evaluating never meets one that makes no sense. */
#include "plugins/json/json_plugin.h"

#include "base/utf8.h"

/* RFC 7493: the integers that every reader holds exactly. */
#define INTEGER_MOST INT64_C(9007199254740991)

struct reader {
    struct arena *arena;
    struct str text;
    size_t at;
    unsigned depth;
    size_t fault_at;
    const char *fault;
};

static bool read_query(struct reader *r, struct path *out);
static struct path_expression *read_or(struct reader *r);

/* The first fault counts. */
static bool fail(struct reader *r, size_t at, const char *what)
{
    if (!r->fault) {
        r->fault = what;
        r->fault_at = at;
    }
    return false;
}

static void *make(struct reader *r, size_t size)
{
    void *p = mgi_arena_calloc(r->arena, 1, size);
    if (!p)
        fail(r, r->at, "out of memory");
    return p;
}

static char peek(const struct reader *r)
{
    return r->at < r->text.len ? r->text.ptr[r->at] : '\0';
}

static bool take(struct reader *r, char c)
{
    if (r->at >= r->text.len || r->text.ptr[r->at] != c)
        return false;
    r->at++;
    return true;
}

static bool take_word(struct reader *r, const char *word)
{
    struct str rest = { r->text.ptr + r->at, r->text.len - r->at };
    if (!mgi_str_starts(rest, str_of(word)))
        return false;
    r->at += strlen(word);
    return true;
}

static void space(struct reader *r)
{
    while (r->at < r->text.len && strchr(" \t\n\r", r->text.ptr[r->at]) && r->text.ptr[r->at])
        r->at++;
}

static bool enter(struct reader *r)
{
    return ++r->depth <= PATH_MOST_DEPTH || fail(r, r->at, "is nested too deeply");
}

/* ---- names, numbers, strings ---------------------------------------------------------------- */

static bool is_name_first(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool read_name(struct reader *r, struct str *name)
{
    size_t begin = r->at;
    if (!is_name_first(peek(r)))
        return fail(r, r->at, "a name is expected");
    while (is_name_first(peek(r)) || is_digit(peek(r)))
        r->at++;
    *name = (struct str){ r->text.ptr + begin, r->at - begin };
    return true;
}

/* Without leading zeros, without -0, within 2^53. False: there is none; a wrong one is a fault. */
static bool read_integer(struct reader *r, int64_t *out)
{
    size_t begin = r->at;
    bool negative = take(r, '-');
    int64_t n = 0;
    if (!is_digit(peek(r)))
        return negative ? fail(r, begin, "a number is expected behind -") : false;
    size_t digits = r->at;
    while (is_digit(peek(r))) {
        n = n * 10 + (peek(r) - '0');
        r->at++;
        if (n > INTEGER_MOST)
            return fail(r, begin, "the number is beyond 2^53 - 1");
    }
    if (r->text.ptr[digits] == '0' && (r->at - digits > 1 || negative))
        return fail(r, begin, "a number begins with no zero and is no -0");
    *out = negative ? -n : n;
    return true;
}

static int hex_digit(char c)
{
    return is_digit(c)            ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool read_four(struct reader *r, uint32_t *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(peek(r));
        if (digit < 0)
            return fail(r, r->at, "four hexadecimal digits are expected behind \\u");
        *code = *code * 16 + (uint32_t)digit;
        r->at++;
    }
    return true;
}

static bool read_unicode(struct reader *r, char *out, size_t *len)
{
    uint32_t code, low;
    size_t begin = r->at;
    if (!read_four(r, &code))
        return false;
    if (code >= 0xD800 && code < 0xDC00) {
        if (!take_word(r, "\\u") || !read_four(r, &low) || low < 0xDC00 || low > 0xDFFF)
            return fail(r, begin, "half of a surrogate pair");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    size_t count = mgi_utf8_put(code, out + *len);
    *len += count;
    return count > 0 || fail(r, begin, "half of a surrogate pair");
}

static bool read_escape(struct reader *r, char quote, char *out, size_t *len)
{
    static const char names[] = "/\\bfnrt", values[] = "/\\\b\f\n\r\t";
    char c = peek(r);
    const char *found = c ? strchr(names, c) : NULL;
    if (c == 'u') {
        r->at++;
        return read_unicode(r, out, len);
    }
    if (!found && c != quote)
        return fail(r, r->at, "no such escape");
    out[(*len)++] = found ? values[found - names] : quote;
    r->at++;
    return true;
}

static bool read_string(struct reader *r, struct str *out)
{
    char quote = peek(r);
    size_t begin = r->at++, len = 0;
    char *text = mgi_arena_alloc(r->arena, r->text.len - r->at + 1);
    if (!text)
        return fail(r, begin, "out of memory");
    while (peek(r) != quote) {
        if (r->at >= r->text.len)
            return fail(r, begin, "the string does not end");
        if ((unsigned char)peek(r) < 0x20)
            return fail(r, r->at, "a control character in a string must be escaped");
        if (take(r, '\\')) {
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

/* ---- selectors and segments ----------------------------------------------------------------- */

/* An index, or a slice: start : end : step, all of which may be missing. */
static bool read_index(struct reader *r, struct path_selector *s)
{
    s->kind = SELECT_INDEX;
    s->step = 1;
    s->has_start = read_integer(r, &s->start);
    if (r->fault)
        return false;
    size_t behind = r->at;
    space(r);
    if (!take(r, ':')) {
        r->at = behind;
        return s->has_start || fail(r, r->at,
                                    "a selector is expected: a name in quotes, a number, "
                                    "*, a slice or a filter");
    }
    s->kind = SELECT_SLICE;
    space(r);
    s->has_end = read_integer(r, &s->end);
    if (r->fault)
        return false;
    behind = r->at;
    space(r);
    if (!take(r, ':')) {
        r->at = behind;
        return true;
    }
    space(r);
    read_integer(r, &s->step);
    return !r->fault;
}

static bool read_selector(struct reader *r, struct path_selector *s)
{
    char c = peek(r);
    if (c == '\'' || c == '"') {
        s->kind = SELECT_NAME;
        return read_string(r, &s->name);
    }
    if (take(r, '*')) {
        s->kind = SELECT_WILDCARD;
        return true;
    }
    if (!take(r, '?'))
        return read_index(r, s);
    s->kind = SELECT_FILTER;
    space(r);
    s->filter = read_or(r);
    return s->filter != NULL;
}

/* Behind "[". */
static bool read_brackets(struct reader *r, struct path_segment *segment)
{
    struct path_selector **link = &segment->selectors;
    if (!enter(r))
        return false;
    do {
        *link = make(r, sizeof **link);
        if (!*link)
            return false;
        space(r);
        if (!read_selector(r, *link))
            return false;
        link = &(*link)->next;
        space(r);
    } while (take(r, ','));
    r->depth--;
    return take(r, ']') || fail(r, r->at, "] or , is expected");
}

/* Behind "." or "..": a name or *. */
static bool read_shorthand(struct reader *r, struct path_segment *segment)
{
    struct path_selector *s = segment->selectors = make(r, sizeof *s);
    if (!s)
        return false;
    if (take(r, '*')) {
        s->kind = SELECT_WILDCARD;
        return true;
    }
    return read_name(r, &s->name);
}

static bool read_segment(struct reader *r, struct path_segment *segment)
{
    if (take(r, '['))
        return read_brackets(r, segment);
    if (take_word(r, "..")) {
        segment->descendant = true;
        return take(r, '[') ? read_brackets(r, segment) : read_shorthand(r, segment);
    }
    return take(r, '.') && read_shorthand(r, segment);
}

static bool is_singular(const struct path_segment *s)
{
    return !s->descendant && !s->selectors->next &&
           (s->selectors->kind == SELECT_NAME || s->selectors->kind == SELECT_INDEX);
}

/* Behind $ or @. */
static bool read_segments(struct reader *r, struct path *out)
{
    struct path_segment **link = &out->segments;
    out->singular = true;
    for (;;) {
        size_t behind = r->at;
        space(r);
        if (peek(r) != '[' && peek(r) != '.') {
            r->at = behind;
            return true;
        }
        *link = make(r, sizeof **link);
        if (!*link || !read_segment(r, *link))
            return false;
        out->singular = out->singular && is_singular(*link);
        link = &(*link)->next;
    }
}

static bool read_query(struct reader *r, struct path *out)
{
    *out = (struct path){ .relative = peek(r) == '@' };
    r->at++;
    return read_segments(r, out);
}

/* ---- expressions ---------------------------------------------------------------------------- */

static struct path_expression *make_expression(struct reader *r, enum expression_kind kind)
{
    struct path_expression *e = make(r, sizeof *e);
    if (e)
        e->kind = kind;
    return e;
}

static bool read_number(struct reader *r, struct json *out)
{
    size_t begin = r->at;
    struct json_error fault;
    take(r, '-');
    while (is_digit(peek(r)) || (peek(r) && strchr(".eE+-", peek(r))))
        r->at++;
    struct str text = { r->text.ptr + begin, r->at - begin };
    return mgi_json_parse(r->arena, text, NULL, out, &fault) == JSON_OK ||
           fail(r, begin, "is no number");
}

static bool read_literal(struct reader *r, struct json *out)
{
    static const struct {
        const char *word;
        enum json_type type;
        bool value;
    } words[] = { { "true", JSON_BOOL, true },
                  { "false", JSON_BOOL, false },
                  { "null", JSON_NULL, false } };
    char c = peek(r);
    if (c == '\'' || c == '"') {
        out->type = JSON_STRING;
        return read_string(r, &out->string);
    }
    if (c == '-' || is_digit(c))
        return read_number(r, out);
    for (size_t i = 0; i < 3; i++)
        if (take_word(r, words[i].word)) {
            out->type = words[i].type;
            out->boolean = words[i].value;
            return true;
        }
    return fail(r, r->at, "expected is @, $, a literal, a function, ! or (");
}

enum value_type { TYPE_VALUE, TYPE_LOGICAL, TYPE_NODES };

static const struct {
    const char *name;
    enum path_function function;
    size_t count;
    enum value_type arguments, result;
} functions[] = {
    { "length", FN_LENGTH, 1, TYPE_VALUE, TYPE_VALUE },
    { "count", FN_COUNT, 1, TYPE_NODES, TYPE_VALUE },
    { "match", FN_MATCH, 2, TYPE_VALUE, TYPE_LOGICAL },
    { "search", FN_SEARCH, 2, TYPE_VALUE, TYPE_LOGICAL },
    { "value", FN_VALUE, 1, TYPE_NODES, TYPE_VALUE },
};

static bool is_value(const struct path_expression *e)
{
    return e->kind == EXPRESSION_LITERAL || (e->kind == EXPRESSION_QUERY && e->query.singular) ||
           (e->kind == EXPRESSION_FUNCTION && functions[e->function].result == TYPE_VALUE);
}

static struct path_expression *read_comparable(struct reader *r);

static bool read_argument(struct reader *r, size_t row, struct path_expression **out)
{
    size_t begin = r->at;
    *out = read_comparable(r);
    if (!*out)
        return false;
    if (functions[row].arguments == TYPE_NODES && (*out)->kind != EXPRESSION_QUERY)
        return fail(r, begin, "this function takes a query");
    if (functions[row].arguments == TYPE_VALUE && !is_value(*out))
        return fail(r, begin,
                    "this function takes a value: a literal, a query for one node, or a "
                    "function that gives one");
    return true;
}

static bool compile_pattern(struct reader *r, struct path_expression *e)
{
    const struct path_expression *pattern = e->right;
    if (e->function != FN_MATCH && e->function != FN_SEARCH)
        return true;
    if (pattern->kind == EXPRESSION_LITERAL && pattern->literal.type == JSON_STRING)
        e->regex = mgi_path_regex(r->arena, pattern->literal.string, e->function == FN_MATCH);
    return true; /* what is no pattern matches nothing (2.4.6) */
}

/* Behind the name and "(". */
static struct path_expression *read_arguments(struct reader *r, size_t row)
{
    struct path_expression *e = make_expression(r, EXPRESSION_FUNCTION);
    if (!e || !enter(r))
        return NULL;
    e->function = functions[row].function;
    struct path_expression **into[] = { &e->left, &e->right };
    for (size_t i = 0; i < functions[row].count; i++) {
        space(r);
        if (i > 0 && !take(r, ',')) {
            fail(r, r->at, "this function takes two arguments");
            return NULL;
        }
        space(r);
        if (!read_argument(r, row, into[i]))
            return NULL;
    }
    space(r);
    r->depth--;
    if (!take(r, ')')) {
        fail(r, r->at, "a function with these arguments ends with ) here");
        return NULL;
    }
    return compile_pattern(r, e) ? e : NULL;
}

/* NULL without a fault: no function is called here. */
static struct path_expression *read_function(struct reader *r)
{
    size_t begin = r->at, end = begin;
    while (end < r->text.len &&
           ((r->text.ptr[end] >= 'a' && r->text.ptr[end] <= 'z') ||
            (end > begin && (is_digit(r->text.ptr[end]) || r->text.ptr[end] == '_'))))
        end++;
    if (end == begin || end >= r->text.len || r->text.ptr[end] != '(')
        return NULL;
    struct str name = { r->text.ptr + begin, end - begin };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (str_is(name, functions[i].name)) {
            r->at = end + 1;
            return read_arguments(r, i);
        }
    fail(r, begin, "no such function; there are length, count, match, search and value");
    return NULL;
}

static struct path_expression *read_comparable(struct reader *r)
{
    if (peek(r) == '@' || peek(r) == '$') {
        struct path_expression *e = make_expression(r, EXPRESSION_QUERY);
        return e && read_query(r, &e->query) ? e : NULL;
    }
    struct path_expression *e = read_function(r);
    if (e || r->fault)
        return e;
    e = make_expression(r, EXPRESSION_LITERAL);
    return e && read_literal(r, &e->literal) ? e : NULL;
}

static bool read_operator(struct reader *r, enum comparison *out)
{
    static const char *const words[] = { "==", "!=", "<=", ">=", "<", ">" };
    static const enum comparison meanings[] = { IS_EQUAL,    IS_UNEQUAL, IS_AT_MOST,
                                                IS_AT_LEAST, IS_LESS,    IS_MORE };
    for (size_t i = 0; i < 6; i++)
        if (take_word(r, words[i])) {
            *out = meanings[i];
            return true;
        }
    return false;
}

/* A comparison, or a test: a query that finds something, a function that says yes or no. */
static struct path_expression *read_test(struct reader *r)
{
    enum comparison comparison;
    size_t begin = r->at;
    struct path_expression *left = read_comparable(r);
    if (!left)
        return NULL;
    size_t behind = r->at;
    space(r);
    if (!read_operator(r, &comparison)) {
        r->at = behind;
        if (left->kind == EXPRESSION_QUERY)
            left->kind = EXPRESSION_EXISTS;
        else if (left->kind == EXPRESSION_LITERAL || is_value(left))
            fail(r, begin, "a value alone is no test: compare it");
        return r->fault ? NULL : left;
    }
    space(r);
    size_t second = r->at;
    struct path_expression *e = make_expression(r, EXPRESSION_COMPARE);
    if (!e || !(e->right = read_comparable(r)))
        return NULL;
    e->comparison = comparison;
    e->left = left;
    if (!is_value(left) || !is_value(e->right)) {
        fail(r, is_value(left) ? second : begin,
             "only values are compared: a query here must select one node at most, by names and "
             "numbers");
        return NULL;
    }
    return e;
}

static struct path_expression *read_basic(struct reader *r)
{
    bool negated = take(r, '!');
    struct path_expression *inner;
    space(r);
    if (take(r, '(')) {
        if (!enter(r))
            return NULL;
        space(r);
        inner = read_or(r);
        space(r);
        if (inner && !take(r, ')'))
            fail(r, r->at, ") is expected");
        r->depth--;
    } else {
        size_t begin = r->at;
        inner = read_test(r);
        if (inner && negated && inner->kind == EXPRESSION_COMPARE)
            fail(r, begin, "a comparison is negated with ! and brackets: !(...)");
    }
    if (!inner || r->fault || !negated)
        return r->fault ? NULL : inner;
    struct path_expression *e = make_expression(r, EXPRESSION_NOT);
    if (e)
        e->left = inner;
    return e;
}

/* Operands of one operator, from left to right. */
static struct path_expression *read_chain(struct reader *r, const char *word,
                                          enum expression_kind kind,
                                          struct path_expression *(*operand)(struct reader *))
{
    struct path_expression *left = operand(r);
    while (left) {
        size_t behind = r->at;
        space(r);
        if (!take_word(r, word)) {
            r->at = behind;
            break;
        }
        space(r);
        struct path_expression *e = make_expression(r, kind);
        if (!e || !(e->right = operand(r)))
            return NULL;
        e->left = left;
        left = e;
    }
    return left;
}

static struct path_expression *read_and(struct reader *r)
{
    return read_chain(r, "&&", EXPRESSION_AND, read_basic);
}

static struct path_expression *read_or(struct reader *r)
{
    return read_chain(r, "||", EXPRESSION_OR, read_and);
}

/* ---- the whole ------------------------------------------------------------------------------ */

bool mgi_path_parse(struct arena *arena, struct str text, struct path *out, struct buf *why)
{
    struct reader r = { .arena = arena, .text = text };
    bool ok;
    if (text.len > PATH_MOST_BYTES)
        ok = fail(&r, PATH_MOST_BYTES, "is longer than 4096 bytes");
    else if (!mgi_utf8_valid(text, NULL))
        ok = fail(&r, 0, "is no UTF-8");
    else if (peek(&r) != '$')
        ok = fail(&r, 0, "begins with $, the document");
    else
        ok = read_query(&r, out);
    if (ok && r.at < text.len)
        ok = fail(&r, r.at, "a . or [ is expected, or the end");
    if (!ok)
        mgi_buf_printf(why, "byte %zu: %s", r.fault_at, r.fault);
    return ok;
}
