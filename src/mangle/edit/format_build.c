/* Where a statement may break: the grammar of mangle.md section 2, walked over tokens that the
 * parser has accepted, so nothing here can be an error. Every token is kept as written. */
#include "mangle/edit/format_int.h"

#define TRANSFORM_INDENT 3 /* below the word that follows `|> ` */

struct builder {
    const struct format_text *text;
    struct doc *doc;
    size_t at;        /* the next token */
    size_t commented; /* the comments before it are in the document */
};

static enum token_kind kind_here(const struct builder *b)
{
    return b->text->tokens[b->at].kind;
}

/* The comments before the next token: they come before the groups that begin with it. */
static void comments_here(struct builder *b)
{
    const struct format_token *t = &b->text->tokens[b->at];
    if (b->commented == b->at)
        return;
    b->commented = b->at;
    if (t->comment_count || b->doc->comment_behind)
        mgi_doc_harden(b->doc);
    for (uint32_t i = 0; i < t->comment_count; i++)
        mgi_doc_add(b->doc, DOC_COMMENT, t->comment + i);
}

static void token_here(struct builder *b)
{
    comments_here(b);
    mgi_doc_add(b->doc, DOC_TOKEN, (uint32_t)b->at);
    b->doc->comment_behind = b->text->tokens[b->at].trailing.ptr != NULL;
    if (kind_here(b) != TOKEN_END)
        b->at++;
}

static void group_open(struct builder *b, bool hard)
{
    comments_here(b);
    mgi_doc_open(b->doc, hard);
}

static void node(struct builder *b, enum doc_kind kind)
{
    mgi_doc_add(b->doc, kind, FORMAT_INDENT);
}

/* ---- terms ------------------------------------------------------------------------------- */

static void term(struct builder *b);

static bool closes(enum token_kind kind)
{
    return kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET || kind == TOKEN_RBRACE ||
           kind == TOKEN_GT || kind == TOKEN_END;
}

/* `term`, `key : value` or `opt key : value`: kept together */
static void element(struct builder *b)
{
    group_open(b, false);
    if (kind_here(b) == TOKEN_OPT) {
        token_here(b);
        node(b, DOC_SPACE);
    }
    term(b);
    if (kind_here(b) == TOKEN_COLON) {
        node(b, DOC_SPACE);
        token_here(b);
        node(b, DOC_SPACE);
        term(b);
    }
    mgi_doc_close(b->doc);
}

/* From the opening bracket to the closing one. What does not fit: `each` puts every element on a
 * line of its own, else lines are filled. */
static void bracket(struct builder *b, bool each)
{
    group_open(b, false);
    token_here(b);
    node(b, DOC_ALIGN);
    while (!closes(kind_here(b))) {
        element(b);
        if (kind_here(b) != TOKEN_COMMA)
            break;
        token_here(b);
        if (!closes(kind_here(b)))
            node(b, each ? DOC_BREAK : DOC_FILL);
    }
    token_here(b);
    node(b, DOC_OUTDENT);
    mgi_doc_close(b->doc);
}

/* Does the bracket at hand hold entries, `[k : v]`? */
static bool holds_entries(const struct builder *b)
{
    size_t depth = 0;
    for (size_t i = b->at; b->text->tokens[i].kind != TOKEN_END; i++) {
        enum token_kind kind = b->text->tokens[i].kind;
        if (kind == TOKEN_COLON && depth == 1)
            return true;
        if (kind == TOKEN_COMMA && depth == 1)
            return false;
        if (kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET || kind == TOKEN_LBRACE ||
            kind == TOKEN_LT)
            depth++;
        else if (closes(kind) && --depth == 0)
            return false;
    }
    return false;
}

static void term(struct builder *b)
{
    enum token_kind kind = kind_here(b);
    if (kind == TOKEN_NAME || kind == TOKEN_DOTTYPE) {
        token_here(b);
        enum token_kind next = kind_here(b);
        if (next == (kind == TOKEN_NAME ? TOKEN_LPAREN : TOKEN_LT))
            bracket(b, holds_entries(b));
    } else if (kind == TOKEN_LBRACKET || kind == TOKEN_LBRACE) {
        bracket(b, holds_entries(b));
    } else {
        token_here(b);
    }
}

/* An atom or comparand, with its annotation. */
static void timed_term(struct builder *b)
{
    term(b);
    if (kind_here(b) == TOKEN_AT) {
        token_here(b);
        bracket(b, false);
    }
}

/* ---- rules ------------------------------------------------------------------------------- */

static bool compares(enum token_kind kind)
{
    return kind >= TOKEN_EQ && kind <= TOKEN_GE;
}

static void premise_here(struct builder *b)
{
    group_open(b, false);
    node(b, DOC_INDENT);
    if (kind_here(b) == TOKEN_BANG)
        token_here(b);
    if (kind_here(b) >= TOKEN_SOME_PAST && kind_here(b) <= TOKEN_ALL_FUTURE) {
        token_here(b);
        bracket(b, false);
        node(b, DOC_SPACE);
    }
    timed_term(b);
    if (compares(kind_here(b))) {
        node(b, DOC_SPACE);
        token_here(b);
        node(b, DOC_SPACE);
        term(b);
    }
    node(b, DOC_OUTDENT);
    mgi_doc_close(b->doc);
}

static void premises(struct builder *b)
{
    node(b, DOC_BREAK);
    for (;;) {
        premise_here(b);
        if (kind_here(b) != TOKEN_COMMA)
            break;
        token_here(b);
        if (kind_here(b) == TOKEN_DOT || kind_here(b) == TOKEN_PIPE)
            break;
        node(b, DOC_BREAK);
    }
}

/* do term, let V = term, … */
static void transform_here(struct builder *b)
{
    node(b, DOC_BREAK);
    group_open(b, false);
    token_here(b);
    node(b, DOC_SPACE);
    mgi_doc_add(b->doc, DOC_INDENT, TRANSFORM_INDENT);
    for (;;) {
        group_open(b, false);
        bool let = kind_here(b) == TOKEN_LET;
        token_here(b);
        node(b, DOC_SPACE);
        term(b);
        if (let) {
            node(b, DOC_SPACE);
            token_here(b);
            node(b, DOC_SPACE);
            term(b);
        }
        mgi_doc_close(b->doc);
        if (kind_here(b) != TOKEN_COMMA)
            break;
        token_here(b);
        node(b, DOC_BREAK);
    }
    node(b, DOC_OUTDENT);
    mgi_doc_close(b->doc);
}

static void clause_here(struct builder *b)
{
    group_open(b, false);
    group_open(b, false);
    timed_term(b);
    if (kind_here(b) == TOKEN_IF) {
        node(b, DOC_SPACE);
        token_here(b);
        premises(b);
    }
    mgi_doc_close(b->doc);
    while (kind_here(b) == TOKEN_PIPE)
        transform_here(b);
    token_here(b); /* the dot */
    mgi_doc_close(b->doc);
}

/* ---- declarations and headers ------------------------------------------------------------ */

static bool decl_part(enum token_kind kind)
{
    return kind == TOKEN_DESCR || kind == TOKEN_BOUND || kind == TOKEN_INCLUSION;
}

static size_t count_parts(const struct builder *b)
{
    size_t parts = 0;
    for (size_t i = b->at; b->text->tokens[i].kind != TOKEN_DOT; i++) {
        if (b->text->tokens[i].kind == TOKEN_END)
            break;
        parts += decl_part(b->text->tokens[i].kind);
    }
    return parts;
}

static void decl_here(struct builder *b)
{
    group_open(b, count_parts(b) > 1);
    token_here(b);
    node(b, DOC_SPACE);
    term(b);
    if (kind_here(b) == TOKEN_TEMPORAL) {
        node(b, DOC_SPACE);
        token_here(b);
    }
    while (decl_part(kind_here(b))) {
        bool each = kind_here(b) == TOKEN_DESCR;
        node(b, DOC_BREAK);
        token_here(b);
        node(b, DOC_SPACE);
        bracket(b, each);
    }
    token_here(b);
    mgi_doc_close(b->doc);
}

/* Package name! Use name[atoms]! */
static void header_here(struct builder *b)
{
    group_open(b, false);
    token_here(b);
    node(b, DOC_SPACE);
    token_here(b);
    if (kind_here(b) == TOKEN_LBRACKET)
        bracket(b, false);
    token_here(b);
    mgi_doc_close(b->doc);
}

size_t mgi_format_statement(const struct format_text *text, size_t at, struct doc *out)
{
    struct builder b = { .text = text, .doc = out, .at = at, .commented = at };
    mgi_doc_clear(out);
    node(&b, DOC_INDENT);
    switch (kind_here(&b)) {
    case TOKEN_PACKAGE:
    case TOKEN_USE:
        header_here(&b);
        break;
    case TOKEN_DECL:
        decl_here(&b);
        break;
    default:
        clause_here(&b);
        break;
    }
    node(&b, DOC_OUTDENT);
    return b.at;
}
