/* Filters of a JSONPath: text to expressions. Functions and comparisons are checked for their types
 * while they are read (RFC 9535, 2.4.3), so that evaluating never meets one that makes no sense. */
#include "plugins/json/path_int.h"

static struct path_expression *make_expression(struct path_reader *r, enum expression_kind kind)
{
    struct path_expression *e = mgi_path_make(r, sizeof *e);
    if (e)
        e->kind = kind;
    return e;
}

static bool read_number(struct path_reader *r, struct json *out)
{
    size_t begin = r->at;
    struct json_error fault;
    mgi_path_take(r, '-');
    while (mgi_path_is_digit(mgi_path_peek(r)) ||
           (mgi_path_peek(r) && strchr(".eE+-", mgi_path_peek(r))))
        r->at++;
    struct str text = { r->text.ptr + begin, r->at - begin };
    return mgi_json_parse(r->arena, text, NULL, out, &fault) == JSON_OK ||
           mgi_path_fail(r, begin, "is no number");
}

static bool read_literal(struct path_reader *r, struct json *out)
{
    static const struct {
        const char *word;
        enum json_type type;
        bool value;
    } words[] = { { "true", JSON_BOOL, true },
                  { "false", JSON_BOOL, false },
                  { "null", JSON_NULL, false } };
    char c = mgi_path_peek(r);
    if (c == '\'' || c == '"') {
        out->type = JSON_STRING;
        return mgi_path_string(r, &out->string);
    }
    if (c == '-' || mgi_path_is_digit(c))
        return read_number(r, out);
    for (size_t i = 0; i < 3; i++)
        if (mgi_path_take_word(r, words[i].word)) {
            out->type = words[i].type;
            out->boolean = words[i].value;
            return true;
        }
    return mgi_path_fail(r, r->at, "expected is @, $, a literal, a function, ! or (");
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

static struct path_expression *read_comparable(struct path_reader *r);

static bool read_argument(struct path_reader *r, size_t row, struct path_expression **out)
{
    size_t begin = r->at;
    *out = read_comparable(r);
    if (!*out)
        return false;
    if (functions[row].arguments == TYPE_NODES && (*out)->kind != EXPRESSION_QUERY)
        return mgi_path_fail(r, begin, "this function takes a query");
    if (functions[row].arguments == TYPE_VALUE && !is_value(*out))
        return mgi_path_fail(r, begin,
                             "this function takes a value: a literal, a query for one node, or a "
                             "function that gives one");
    return true;
}

static bool compile_pattern(struct path_reader *r, struct path_expression *e)
{
    const struct path_expression *pattern = e->right;
    if (e->function != FN_MATCH && e->function != FN_SEARCH)
        return true;
    if (pattern->kind == EXPRESSION_LITERAL && pattern->literal.type == JSON_STRING)
        e->regex = mgi_path_regex(r->arena, pattern->literal.string, e->function == FN_MATCH);
    return true; /* what is no pattern matches nothing (2.4.6) */
}

/* Behind the name and "(". */
static struct path_expression *read_arguments(struct path_reader *r, size_t row)
{
    struct path_expression *e = make_expression(r, EXPRESSION_FUNCTION);
    if (!e || !mgi_path_enter(r))
        return NULL;
    e->function = functions[row].function;
    struct path_expression **into[] = { &e->left, &e->right };
    for (size_t i = 0; i < functions[row].count; i++) {
        mgi_path_space(r);
        if (i > 0 && !mgi_path_take(r, ',')) {
            mgi_path_fail(r, r->at, "this function takes two arguments");
            return NULL;
        }
        mgi_path_space(r);
        if (!read_argument(r, row, into[i]))
            return NULL;
    }
    mgi_path_space(r);
    r->depth--;
    if (!mgi_path_take(r, ')')) {
        mgi_path_fail(r, r->at, "a function with these arguments ends with ) here");
        return NULL;
    }
    return compile_pattern(r, e) ? e : NULL;
}

/* NULL without a fault: no function is called here. */
static struct path_expression *read_function(struct path_reader *r)
{
    size_t begin = r->at, end = begin;
    while (end < r->text.len &&
           ((r->text.ptr[end] >= 'a' && r->text.ptr[end] <= 'z') ||
            (end > begin && (mgi_path_is_digit(r->text.ptr[end]) || r->text.ptr[end] == '_'))))
        end++;
    if (end == begin || end >= r->text.len || r->text.ptr[end] != '(')
        return NULL;
    struct str name = { r->text.ptr + begin, end - begin };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (str_is(name, functions[i].name)) {
            r->at = end + 1;
            return read_arguments(r, i);
        }
    mgi_path_fail(r, begin, "no such function; there are length, count, match, search and value");
    return NULL;
}

static struct path_expression *read_comparable(struct path_reader *r)
{
    if (mgi_path_peek(r) == '@' || mgi_path_peek(r) == '$') {
        struct path_expression *e = make_expression(r, EXPRESSION_QUERY);
        return e && mgi_path_query(r, &e->query) ? e : NULL;
    }
    struct path_expression *e = read_function(r);
    if (e || r->fault)
        return e;
    e = make_expression(r, EXPRESSION_LITERAL);
    return e && read_literal(r, &e->literal) ? e : NULL;
}

static bool read_operator(struct path_reader *r, enum comparison *out)
{
    static const char *const words[] = { "==", "!=", "<=", ">=", "<", ">" };
    static const enum comparison meanings[] = { IS_EQUAL,    IS_UNEQUAL, IS_AT_MOST,
                                                IS_AT_LEAST, IS_LESS,    IS_MORE };
    for (size_t i = 0; i < 6; i++)
        if (mgi_path_take_word(r, words[i])) {
            *out = meanings[i];
            return true;
        }
    return false;
}

/* A comparison, or a test: a query that finds something, a function that says yes or no. */
static struct path_expression *read_test(struct path_reader *r)
{
    enum comparison comparison;
    size_t begin = r->at;
    struct path_expression *left = read_comparable(r);
    if (!left)
        return NULL;
    size_t behind = r->at;
    mgi_path_space(r);
    if (!read_operator(r, &comparison)) {
        r->at = behind;
        if (left->kind == EXPRESSION_QUERY)
            left->kind = EXPRESSION_EXISTS;
        else if (left->kind == EXPRESSION_LITERAL || is_value(left))
            mgi_path_fail(r, begin, "a value alone is no test: compare it");
        return r->fault ? NULL : left;
    }
    mgi_path_space(r);
    size_t second = r->at;
    struct path_expression *e = make_expression(r, EXPRESSION_COMPARE);
    if (!e || !(e->right = read_comparable(r)))
        return NULL;
    e->comparison = comparison;
    e->left = left;
    if (!is_value(left) || !is_value(e->right)) {
        mgi_path_fail(
            r, is_value(left) ? second : begin,
            "only values are compared: a query here must select one node at most, by names and "
            "numbers");
        return NULL;
    }
    return e;
}

static struct path_expression *read_basic(struct path_reader *r)
{
    bool negated = mgi_path_take(r, '!');
    struct path_expression *inner;
    mgi_path_space(r);
    if (mgi_path_take(r, '(')) {
        if (!mgi_path_enter(r))
            return NULL;
        mgi_path_space(r);
        inner = mgi_path_expression(r);
        mgi_path_space(r);
        if (inner && !mgi_path_take(r, ')'))
            mgi_path_fail(r, r->at, ") is expected");
        r->depth--;
    } else {
        size_t begin = r->at;
        inner = read_test(r);
        if (inner && negated && inner->kind == EXPRESSION_COMPARE)
            mgi_path_fail(r, begin, "a comparison is negated with ! and brackets: !(...)");
    }
    if (!inner || r->fault || !negated)
        return r->fault ? NULL : inner;
    struct path_expression *e = make_expression(r, EXPRESSION_NOT);
    if (e)
        e->left = inner;
    return e;
}

/* Operands of one operator, from left to right. */
static struct path_expression *read_chain(struct path_reader *r, const char *word,
                                          enum expression_kind kind,
                                          struct path_expression *(*operand)(struct path_reader *))
{
    struct path_expression *left = operand(r);
    while (left) {
        size_t behind = r->at;
        mgi_path_space(r);
        if (!mgi_path_take_word(r, word)) {
            r->at = behind;
            break;
        }
        mgi_path_space(r);
        struct path_expression *e = make_expression(r, kind);
        if (!e || !(e->right = operand(r)))
            return NULL;
        e->left = left;
        left = e;
    }
    return left;
}

static struct path_expression *read_and(struct path_reader *r)
{
    return read_chain(r, "&&", EXPRESSION_AND, read_basic);
}

struct path_expression *mgi_path_expression(struct path_reader *r)
{
    return read_chain(r, "||", EXPRESSION_OR, read_and);
}
