/* The parser's place in the text: its life, the token at hand, spans, and the variables of the
 * clause at hand. */
#include "mangle/text/parse_int.h"

#include "base/alloc.h"
#include "base/utf8.h"

bool mgi_parser_oom(struct parser *x)
{
    x->oom = x->failed = true;
    return false;
}

void mgi_parser_next(struct parser *x)
{
    x->consumed_start = x->token.start;
    x->consumed_end = x->token.end;
    x->consumed = x->token.kind;
    x->token = mgi_lex_next(&x->lexer);
    if (x->lexer.oom)
        x->oom = x->failed = true;
}

void mgi_parser_skip(struct parser *x, uint32_t end)
{
    x->token = (struct token){ .kind = TOKEN_DOT, .start = end - 1, .end = end };
    x->lexer.at = end;
    mgi_parser_next(x);
}

void mgi_parser_init(struct parser *x, const struct source *source, uint32_t source_index,
                     struct arena *arena, mangle_values *values, mangle_diags *diags)
{
    *x = (struct parser){ .arena = arena,
                          .values = values,
                          .diags = diags,
                          .source = source,
                          .source_index = source_index };
    x->lexer = (struct lexer){ .text = source->text, .arena = arena };
    if (mgi_str_starts(source->text, STR_LIT("\xEF\xBB\xBF")))
        x->lexer.at = 3; /* a byte order mark is no text */
    mgi_strmap_init(&x->var_index);
    mgi_parser_next(x);
}

void mgi_parser_fini(struct parser *x)
{
    mgi_free(x->vars);
    mgi_free(x->stack);
    mgi_strmap_fini(&x->var_index);
}

void mgi_parser_forget(struct parser *x)
{
    if (x->var_count >= 16) {
        mgi_strmap_fini(&x->var_index);
        mgi_strmap_init(&x->var_index);
    }
    x->var_count = 0;
    x->stack_count = 0;
    x->failed = x->oom;
}

bool mgi_parser_at_line_start(const struct parser *x)
{
    return x->token.start == 0 || x->source->text.ptr[x->token.start - 1] == '\n';
}

struct span mgi_token_span(const struct parser *x)
{
    return (struct span){ x->source_index, x->token.start, x->token.end };
}

struct span mgi_parser_span(const struct parser *x, uint32_t start)
{
    return (struct span){ x->source_index, start, x->consumed_end };
}

/* ---- variables --------------------------------------------------------------------------- */

/* Clauses have few variables: a scan finds them. A map is kept from here on. */
#define VARS_SCANNED 16

static bool index_vars(struct parser *x)
{
    size_t from = x->var_count == VARS_SCANNED ? 0 : x->var_count - 1;
    for (size_t i = from; i < x->var_count; i++)
        if (!x->vars[i].wildcard && !mgi_strmap_put(&x->var_index, x->vars[i].name, (uint32_t)i))
            return false;
    return true;
}

static bool lookup_var(const struct parser *x, struct str name, uint32_t *index)
{
    if (x->var_count >= VARS_SCANNED)
        return mgi_strmap_get(&x->var_index, name, index);
    for (size_t i = 0; i < x->var_count; i++) {
        if (!x->vars[i].wildcard && str_eq(x->vars[i].name, name)) {
            *index = (uint32_t)i;
            return true;
        }
    }
    return false;
}

/* The number of the variable at hand; each `_` is a new one. */
bool mgi_parser_take_var(struct parser *x, uint32_t *index)
{
    struct str name = x->token.text;
    bool wildcard = str_is(name, "_");
    if (wildcard || !lookup_var(x, name, index)) {
        if (!mgi_grow(&x->vars, &x->var_cap, x->var_count + 1, sizeof *x->vars))
            return mgi_parser_oom(x);
        *index = (uint32_t)x->var_count;
        x->vars[x->var_count++] =
            (struct var){ .name = name, .wildcard = wildcard, .first = mgi_token_span(x) };
        if (x->var_count >= VARS_SCANNED && !index_vars(x))
            return mgi_parser_oom(x);
    }
    mgi_parser_next(x);
    return true;
}

bool mgi_parser_vars(struct parser *x, struct var **vars, uint32_t *count)
{
    *count = (uint32_t)x->var_count;
    *vars = mgi_arena_alloc(x->arena, x->var_count * sizeof **vars);
    if (!*vars)
        return mgi_parser_oom(x);
    if (x->var_count)
        memcpy(*vars, x->vars, x->var_count * sizeof **vars);
    return true;
}

bool mgi_source_view(struct arena *arena, const struct mangle_source *from, struct source *to)
{
    struct str text = { from->len ? from->text : "", from->len };
    if (!mgi_utf8_valid(text, NULL))
        return mgi_source_copy(arena, from, to);
    to->name = mgi_arena_strdup(arena, from->name ? from->name : "<text>");
    to->text = text;
    return to->name;
}

bool mgi_source_copy(struct arena *arena, const struct mangle_source *from, struct source *to)
{
    struct str text = { from->text, from->len };
    to->name = mgi_arena_strdup(arena, from->name ? from->name : "<text>");
    size_t bad;
    if (mgi_utf8_valid(text, &bad)) {
        to->text = mgi_arena_str(arena, text);
        return to->name && to->text.ptr;
    }
    struct buf clean = { 0 };
    for (size_t at = 0; at < text.len;) {
        size_t start = at;
        if (mgi_utf8_next(text, &at) == UINT32_MAX)
            mgi_buf_puts(&clean, "\xEF\xBF\xBD");
        else
            mgi_buf_append(&clean, text.ptr + start, at - start);
    }
    bool ok = !clean.oom;
    to->text = ok ? mgi_arena_str(arena, mgi_buf_view(&clean)) : (struct str){ NULL, 0 };
    mgi_buf_fini(&clean);
    return ok && to->name && to->text.ptr;
}
