/* Terms and atoms by recursive descent. Depth is bounded by PARSE_MAX_DEPTH, so the C
 * stack is too. While a bracket is open its elements are on `stack`; when it closes they are copied
 * to the arena in one piece. */
#include "mangle/text/parse_int.h"

#include "base/alloc.h"

/* ---- the stack of open brackets ---------------------------------------------------------- */

static bool push_term(struct parser *x, const struct term *t)
{
    if (!mgi_grow(&x->stack, &x->stack_cap, x->stack_count + 1, sizeof *x->stack))
        return mgi_parser_oom(x);
    x->stack[x->stack_count++] = *t;
    return true;
}

/* What was pushed since `from`, as an array of its own. */
static bool pop_to(struct parser *x, size_t from, struct term **out, uint32_t *count)
{
    *count = (uint32_t)(x->stack_count - from);
    *out = mgi_arena_alloc(x->arena, *count * sizeof **out);
    if (!*out)
        return mgi_parser_oom(x);
    if (*count)
        memcpy(*out, x->stack + from, *count * sizeof **out);
    x->stack_count = from;
    return true;
}

static struct term apply_term(struct parser *x, struct str name, uint32_t start)
{
    struct term t = { .kind = TERM_APPLY };
    t.apply.name = name;
    t.span = mgi_parser_span(x, start);
    return t;
}

/* ---- terms ------------------------------------------------------------------------------- */

bool mgi_term_is_atom(const struct term *t)
{
    return t->kind == TERM_APPLY && !mgi_str_starts(t->apply.name, STR_LIT("fn:"));
}

bool mgi_parser_at_term(const struct parser *x)
{
    switch (x->token.kind) {
    case TOKEN_VARIABLE:
    case TOKEN_CONSTANT:
    case TOKEN_NUMBER:
    case TOKEN_FLOAT:
    case TOKEN_STRING:
    case TOKEN_BYTES:
    case TOKEN_LBRACKET:
    case TOKEN_LBRACE:
    case TOKEN_DOTTYPE:
    case TOKEN_NAME:
    case TOKEN_NOW: /* and other words: mgi_parse_term() says what is wrong with them */
    case TOKEN_TEMPORAL:
    case TOKEN_DESCR:
    case TOKEN_INCLUSION:
    case TOKEN_OPT:
    case TOKEN_BOUND:
        return true;
    default:
        return false;
    }
}

bool mgi_parse_value(struct parser *x, struct term *out, uint32_t depth)
{
    if (!mgi_parser_at_term(x))
        return mgi_parser_expected(x, "a value");
    if (!mgi_parse_term(x, out, depth))
        return false;
    return !mgi_term_is_atom(out) || mgi_parser_no_value(x, out);
}

static bool constant(struct parser *x, struct term *out)
{
    const struct token *t = &x->token;
    switch (t->kind) {
    case TOKEN_CONSTANT:
        out->value = mangle_name(x->values, t->text.ptr, t->text.len);
        break;
    case TOKEN_NUMBER:
        out->value = mangle_number(x->values, t->number);
        break;
    case TOKEN_FLOAT:
        out->value = mangle_float(x->values, t->real);
        break;
    case TOKEN_STRING:
        out->value = mangle_string(x->values, t->string.ptr, t->string.len);
        break;
    default:
        out->value = mangle_bytes(x->values, t->string.ptr, t->string.len);
        break;
    }
    if (out->value == MANGLE_NONE)
        return mgi_parser_oom(x);
    out->kind = TERM_CONST;
    out->span = mgi_token_span(x);
    mgi_parser_next(x);
    return !x->oom;
}

/* The elements up to `close`, pushed; a comma may follow the last. */
static bool elements(struct parser *x, enum token_kind close, const char *what, struct span open,
                     uint32_t depth)
{
    while (x->token.kind != close) {
        struct term t;
        if (!mgi_parser_at_term(x))
            return mgi_parser_unclosed(x, "a value", open);
        if (!mgi_parse_value(x, &t, depth) || !push_term(x, &t))
            return false;
        if (x->token.kind != TOKEN_COMMA)
            break;
        mgi_parser_next(x);
    }
    return mgi_parser_close(x, close, what, open);
}

/* `: value`, then more entries up to `close`; the first key is pushed already. */
static bool entries(struct parser *x, enum token_kind close, const char *what, struct span open,
                    uint32_t depth)
{
    for (;;) {
        struct term t;
        if (!mgi_parser_take(x, TOKEN_COLON, "':' after a key") || !mgi_parse_value(x, &t, depth) ||
            !push_term(x, &t))
            return false;
        if (x->token.kind != TOKEN_COMMA)
            break;
        mgi_parser_next(x);
        if (x->token.kind == close)
            break;
        if (!mgi_parse_value(x, &t, depth) || !push_term(x, &t))
            return false;
    }
    return mgi_parser_close(x, close, what, open);
}

/* A bracket or call opens at this depth. */
static bool deep_enough(struct parser *x, uint32_t depth)
{
    return depth <= PARSE_MAX_DEPTH ||
           mgi_parser_fail(x, mgi_token_span(x), NULL, "nested deeper than %d brackets or calls",
                           PARSE_MAX_DEPTH);
}

static bool list_or_map(struct parser *x, struct term *out, uint32_t depth)
{
    uint32_t start = x->token.start;
    size_t from = x->stack_count;
    struct str name = STR_LIT("fn:list");
    struct span open = mgi_token_span(x);
    if (!deep_enough(x, depth))
        return false;
    mgi_parser_next(x);
    if (x->token.kind == TOKEN_RBRACKET) {
        mgi_parser_next(x);
    } else {
        struct term first;
        if (!mgi_parser_at_term(x))
            return mgi_parser_unclosed(x, "a value or ']'", open);
        if (!mgi_parse_value(x, &first, depth) || !push_term(x, &first))
            return false;
        if (x->token.kind == TOKEN_COLON) {
            name = STR_LIT("fn:map");
            if (!entries(x, TOKEN_RBRACKET, "',' or ']'", open, depth))
                return false;
        } else if (x->token.kind == TOKEN_COMMA) {
            mgi_parser_next(x);
            if (!elements(x, TOKEN_RBRACKET, "',' or ']'", open, depth))
                return false;
        } else if (!mgi_parser_close(x, TOKEN_RBRACKET, "',' or ']'", open)) {
            return false;
        }
    }
    *out = apply_term(x, name, start);
    return pop_to(x, from, &out->apply.args, &out->apply.count);
}

static bool structure(struct parser *x, struct term *out, uint32_t depth)
{
    uint32_t start = x->token.start;
    size_t from = x->stack_count;
    struct span open = mgi_token_span(x);
    if (!deep_enough(x, depth))
        return false;
    mgi_parser_next(x);
    if (x->token.kind == TOKEN_RBRACE) {
        mgi_parser_next(x);
    } else {
        struct term key;
        if (!mgi_parse_value(x, &key, depth) || !push_term(x, &key) ||
            !entries(x, TOKEN_RBRACE, "',' or '}'", open, depth))
            return false;
    }
    *out = apply_term(x, STR_LIT("fn:struct"), start);
    return pop_to(x, from, &out->apply.args, &out->apply.count);
}

/* member = term [ ":" term ] | "opt" term ":" term (M-SYN-4) */
static bool type_member(struct parser *x, uint32_t depth)
{
    uint32_t start = x->token.start;
    size_t from = x->stack_count;
    bool optional = x->token.kind == TOKEN_OPT;
    if (optional)
        mgi_parser_next(x);
    struct term t;
    if (!mgi_parse_value(x, &t, depth) || !push_term(x, &t))
        return false;
    if (x->token.kind != TOKEN_COLON)
        return !optional || mgi_parser_expected(x, "':' after an optional label");
    mgi_parser_next(x);
    if (!mgi_parse_value(x, &t, depth) || !push_term(x, &t))
        return false;
    if (!optional)
        return true;
    struct term opt = apply_term(x, STR_LIT("fn:opt"), start);
    return pop_to(x, from, &opt.apply.args, &opt.apply.count) && push_term(x, &opt);
}

static bool dotted_type(struct parser *x, struct term *out, uint32_t depth)
{
    uint32_t start = x->token.start;
    size_t from = x->stack_count;
    if (!deep_enough(x, depth))
        return false;
    char *name = mgi_arena_printf(x->arena, "fn:%.*s", STR_ARG(x->token.text));
    if (!name)
        return mgi_parser_oom(x);
    mgi_parser_next(x);
    struct span open = mgi_token_span(x);
    if (!mgi_parser_take(x, TOKEN_LT, "'<' after a type constructor"))
        return false;
    while (x->token.kind != TOKEN_GT) {
        if (!mgi_parser_at_term(x))
            return mgi_parser_unclosed(x, "a type", open);
        if (!type_member(x, depth))
            return false;
        if (x->token.kind != TOKEN_COMMA)
            break;
        mgi_parser_next(x);
    }
    if (!mgi_parser_close(x, TOKEN_GT, "',' or '>'", open))
        return false;
    *out = apply_term(x, str_of(name), start);
    return pop_to(x, from, &out->apply.args, &out->apply.count);
}

/* fn:true and fn:false are the names /true and /false (M-SYN-46). */
static bool truth_value(struct parser *x, struct term *t)
{
    bool truth = str_is(t->apply.name, "fn:true");
    if (!truth && !str_is(t->apply.name, "fn:false"))
        return true;
    struct span span = t->span;
    *t = (struct term){ .kind = TERM_CONST, .span = span, .value = mangle_bool(x->values, truth) };
    return t->value != MANGLE_NONE || mgi_parser_oom(x);
}

/* NAME "(" … ")", or a bare NAME: an atom without arguments (M-SYN-41), fn:time:now (M-SYN-52). */
static bool application(struct parser *x, struct term *out, uint32_t depth)
{
    uint32_t start = x->token.start;
    size_t from = x->stack_count;
    struct str name = x->token.text;
    mgi_parser_next(x);
    bool bare = x->token.kind != TOKEN_LPAREN;
    struct span open = mgi_token_span(x);
    if (!bare) {
        if (!deep_enough(x, depth))
            return false;
        mgi_parser_next(x);
        if (x->token.kind == TOKEN_NAME && str_is(name, "not") &&
            !mgi_str_starts(x->token.text, STR_LIT("fn:")))
            return mgi_parser_not_a_call(
                x, (struct span){ x->source_index, start, start + (uint32_t)name.len });
        if (!elements(x, TOKEN_RPAREN, "',' or ')'", open, depth))
            return false;
    }
    *out = apply_term(x, name, start);
    if (!pop_to(x, from, &out->apply.args, &out->apply.count))
        return false;
    if (out->apply.count == 0 && !truth_value(x, out))
        return false;
    if (bare && out->kind == TERM_APPLY && !mgi_term_is_atom(out) && !str_is(name, "fn:time:now"))
        return mgi_parser_fail(x, out->span,
                               mgi_diag_text(x->diags, "Write %.*s(...).", STR_ARG(name)),
                               "the function \"%.*s\" needs parentheses", STR_ARG(name));
    return true;
}

bool mgi_parse_term(struct parser *x, struct term *out, uint32_t depth)
{
    *out = (struct term){ 0 };
    switch (x->token.kind) {
    case TOKEN_VARIABLE:
        if (x->token.end < x->source->text.len && x->source->text.ptr[x->token.end] == '(')
            return mgi_parser_fail(x, mgi_token_span(x),
                                   "Names of predicates begin with a small letter.",
                                   "the variable '%.*s' is no predicate", STR_ARG(x->token.text));
        out->kind = TERM_VAR;
        out->span = mgi_token_span(x);
        return mgi_parser_take_var(x, &out->var);
    case TOKEN_CONSTANT:
    case TOKEN_NUMBER:
    case TOKEN_FLOAT:
    case TOKEN_STRING:
    case TOKEN_BYTES:
        return constant(x, out);
    case TOKEN_LBRACKET:
        return list_or_map(x, out, depth + 1);
    case TOKEN_LBRACE:
        return structure(x, out, depth + 1);
    case TOKEN_DOTTYPE:
        return dotted_type(x, out, depth + 1);
    case TOKEN_NAME:
        return application(x, out, depth + 1);
    case TOKEN_NOW:
        return mgi_parser_fail(x, mgi_token_span(x),
                               "Write fn:time:now() for the evaluation time in a term.",
                               "'now' stands only in @[...] and windows");
    case TOKEN_TEMPORAL:
    case TOKEN_DESCR:
    case TOKEN_INCLUSION:
    case TOKEN_OPT:
    case TOKEN_BOUND:
        return mgi_parser_fail(x, mgi_token_span(x),
                               "As a predicate it needs parentheses after it.",
                               "'%.*s' is a reserved word", STR_ARG(x->token.text));
    default:
        return mgi_parser_expected(x, "a term");
    }
}

/* ---- atoms and lists of them ------------------------------------------------------------- */

bool mgi_term_to_atom(struct parser *x, const struct term *t, struct atom *out)
{
    if (!mgi_term_is_atom(t)) {
        const char *found = t->kind == TERM_VAR     ? "a variable"
                            : t->kind == TERM_CONST ? "a constant"
                                                    : "a function call or literal";
        return mgi_parser_fail(x, t->span, NULL, "expected an atom such as p(X), but found %s",
                               found);
    }
    *out = (struct atom){ .name = t->apply.name,
                          .span = t->span,
                          .pred = MANGLE_NO_PRED,
                          .args = t->apply.args,
                          .count = t->apply.count };
    return true;
}

bool mgi_parse_atom_term(struct parser *x, struct atom *out)
{
    struct term t;
    return mgi_parse_term(x, &t, 0) && mgi_term_to_atom(x, &t, out);
}

bool mgi_parse_terms(struct parser *x, struct term **out, uint32_t *count)
{
    size_t from = x->stack_count;
    struct span open = mgi_token_span(x);
    if (x->token.kind != TOKEN_LBRACKET)
        return mgi_parser_expected_hint(
            x, "'['", "Types stand in square brackets, one for each argument: bound [/string].");
    mgi_parser_next(x);
    return elements(x, TOKEN_RBRACKET, "',' or ']'", open, 1) && pop_to(x, from, out, count);
}

bool mgi_parse_atoms(struct parser *x, struct atom **out, uint32_t *count)
{
    size_t from = x->stack_count;
    struct span open = mgi_token_span(x);
    if (x->token.kind != TOKEN_LBRACKET)
        return mgi_parser_expected_hint(
            x, "'['", "Atoms stand in square brackets: descr [doc(\"...\")], inclusion [p(X)].");
    mgi_parser_next(x);
    while (x->token.kind != TOKEN_RBRACKET) {
        struct term t;
        if (!mgi_parser_at_term(x))
            return mgi_parser_unclosed(x, "an atom", open);
        if (!mgi_parse_term(x, &t, 1) || !push_term(x, &t))
            return false;
        if (x->token.kind != TOKEN_COMMA)
            break;
        mgi_parser_next(x);
    }
    struct term *terms;
    if (!mgi_parser_close(x, TOKEN_RBRACKET, "',' or ']'", open) || !pop_to(x, from, &terms, count))
        return false;
    *out = mgi_arena_calloc(x->arena, *count ? *count : 1, sizeof **out);
    if (!*out)
        return mgi_parser_oom(x);
    for (uint32_t i = 0; i < *count; i++)
        if (!mgi_term_to_atom(x, &terms[i], &(*out)[i]))
            return false;
    return true;
}
