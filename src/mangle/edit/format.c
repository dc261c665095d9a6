/* Canonical layout of a source. The parser says whether the text is a program; the layout is made
 * from its tokens, so that every spelling stays as it was written, and from the comments and empty
 * lines between them. Kept: all tokens, all comments in their order, one empty line where there
 * were some between statements. Decided here: blanks, line ends, indentation. */
#include "mangle/edit/format_int.h"

#include "base/alloc.h"
#include "base/utf8.h"
#include "mangle/text/parse.h"

/* ---- tokens with their comments ---------------------------------------------------------- */

struct gap {
    size_t comment_column; /* of the last comment that stood behind a token, 0: none */
    size_t lines;          /* line ends since the last token or comment */
};

static bool ends_blank(struct str s)
{
    char c = s.len ? s.ptr[s.len - 1] : '#';
    return c == ' ' || c == '\t' || c == '\r' || c == '\f';
}

static struct str trim_end(struct str s)
{
    while (ends_blank(s))
        s.len--;
    return s;
}

static size_t column_of(struct str text, size_t at)
{
    size_t start = at;
    while (start > 0 && text.ptr[start - 1] != '\n')
        start--;
    return mgi_utf8_count((struct str){ text.ptr + start, at - start });
}

static bool add_comment(struct format_text *f, struct str text, size_t at, struct str comment,
                        struct gap *gap)
{
    if (f->count && gap->lines == 0) { /* behind the last token */
        f->tokens[f->count - 1].trailing = comment;
        gap->comment_column = column_of(text, at);
        return true;
    }
    if (!mgi_grow(&f->comments, &f->comment_cap, f->comment_count + 1, sizeof *f->comments))
        return false;
    if (gap->lines > 1 || column_of(text, at) != gap->comment_column)
        gap->comment_column = 0;
    f->comments[f->comment_count++] = (struct format_comment){ .text = comment,
                                                               .blank_before = gap->lines > 1,
                                                               .aligned = gap->comment_column > 0 };
    gap->lines = 0;
    return true;
}

/* What stands between two tokens: blanks, line ends, comments. */
static bool read_gap(struct format_text *f, struct str text, size_t from, size_t to,
                     struct gap *gap)
{
    *gap = (struct gap){ 0 };
    for (size_t at = from; at < to; at++) {
        if (text.ptr[at] == '\n')
            gap->lines++;
        if (text.ptr[at] != '#')
            continue;
        size_t end = at;
        while (end < to && text.ptr[end] != '\n')
            end++;
        struct str comment = trim_end((struct str){ text.ptr + at, end - at });
        if (!add_comment(f, text, at, comment, gap))
            return false;
        at = end - 1;
    }
    return true;
}

/* `q(X) # why` and then a comma or dot: the comment goes behind that. */
static void pass_punctuation(struct format_text *f)
{
    struct format_token *t = &f->tokens[f->count - 1], *before = f->count > 1 ? t - 1 : NULL;
    bool moves = t->kind == TOKEN_COMMA || t->kind == TOKEN_DOT;
    if (before && moves && before->trailing.ptr && !t->comment_count && !t->trailing.ptr) {
        t->trailing = before->trailing;
        before->trailing = (struct str){ 0 };
    }
}

static uint32_t first_line_width(struct str s)
{
    const char *end = memchr(s.ptr, '\n', s.len);
    return (uint32_t)mgi_utf8_count((struct str){ s.ptr, end ? (size_t)(end - s.ptr) : s.len });
}

bool mgi_format_read(struct format_text *f, struct str text)
{
    struct lexer lexer = { .text = text, .arena = f->arena };
    size_t from = mgi_str_starts(text, STR_LIT("\xEF\xBB\xBF")) ? 3 : 0;
    lexer.at = (uint32_t)from;
    for (;;) {
        struct token t = mgi_lex_next(&lexer);
        struct gap gap;
        bool end = t.kind == TOKEN_END;
        uint32_t first_comment = (uint32_t)f->comment_count;
        if (!read_gap(f, text, from, end ? text.len : t.start, &gap) ||
            !mgi_grow(&f->tokens, &f->cap, f->count + 1, sizeof *f->tokens))
            return false;
        if (f->count)
            pass_punctuation(f);
        struct str written = { text.ptr + t.start, t.end - t.start };
        f->tokens[f->count++] =
            (struct format_token){ .kind = t.kind,
                                   .text = written,
                                   .width = first_line_width(written),
                                   .comment = first_comment,
                                   .comment_count = (uint32_t)f->comment_count - first_comment,
                                   .blank_before = gap.lines > 1 };
        if (lexer.oom)
            return false;
        if (end)
            return true;
        from = t.end;
    }
}

void mgi_format_text_fini(struct format_text *f)
{
    mgi_free(f->tokens);
    mgi_free(f->comments);
    *f = (struct format_text){ 0 };
}

/* ---- the whole text ---------------------------------------------------------------------- */

static void begin_line(struct buf *out, bool blank_before)
{
    if (out->len == 0)
        return;
    mgi_buf_puts(out, blank_before ? "\n\n" : "\n");
}

/* The comments above a statement, or at the end of the text. `column`: where a comment stands in
 * the line before. */
static void print_comments(const struct format_text *f, const struct format_token *t,
                           struct buf *out)
{
    size_t column = 0;
    for (uint32_t i = 0; i < t->comment_count; i++) {
        const struct format_comment *c = &f->comments[t->comment + i];
        if (i == 0 && c->aligned) { /* below the one behind the statement before */
            size_t behind = out->len - (t - 1)->trailing.len;
            column = column_of(mgi_buf_view(out), behind);
        }
        begin_line(out, c->blank_before);
        for (size_t k = 0; c->aligned && k < column; k++)
            mgi_buf_putc(out, ' ');
        mgi_buf_str(out, c->text);
    }
}

static bool lay_out(const struct format_text *f, struct buf *out)
{
    struct doc doc = { 0 };
    size_t at = 0;
    while (!out->oom && !doc.oom) {
        const struct format_token *t = &f->tokens[at];
        print_comments(f, t, out);
        if (t->kind == TOKEN_END)
            break;
        begin_line(out, t->blank_before);
        at = mgi_format_statement(f, at, &doc);
        if (!doc.oom)
            mgi_doc_print(&doc, f, out);
    }
    if (out->len)
        mgi_buf_putc(out, '\n');
    bool good = !out->oom && !doc.oom;
    mgi_doc_fini(&doc);
    return good;
}

/* ---- the public function ----------------------------------------------------------------- */

/* Is it a program, as far as its syntax goes? Reports. */
static enum mangle_status check_syntax(mangle_program *p, const struct mangle_source *source,
                                       mangle_diags *diags)
{
    size_t bad;
    enum mangle_status st = mgi_parse(p, source, 1, diags);
    if (!st && !mgi_utf8_valid((struct str){ source->text, source->len }, &bad))
        mgi_diag(diags, p, MANGLE_ERROR, "SYNTAX",
                 (struct span){ 0, (uint32_t)bad, (uint32_t)bad + 1 }, "Save the file as UTF-8.",
                 "the text is not UTF-8 here");
    return st ? st : mgi_diags_status(diags);
}

static enum mangle_status format_source(mangle_program *p, const struct mangle_source *source,
                                        char **out, size_t *len, mangle_diags *diags)
{
    struct format_text f = { .arena = &p->arena };
    struct buf text = { 0 };
    enum mangle_status st = check_syntax(p, source, diags);
    if (!st) {
        bool good = mgi_format_read(&f, p->sources[0].text) && lay_out(&f, &text);
        *out = good ? mgi_buf_take(&text, len) : NULL;
        st = *out ? MANGLE_OK : MANGLE_ERR_NOMEM;
    }
    mgi_buf_fini(&text);
    mgi_format_text_fini(&f);
    return st;
}

enum mangle_status mangle_format(const struct mangle_source *source, char **out, size_t *len,
                                 mangle_diags *diags)
{
    *out = NULL;
    *len = 0;
    mangle_diags *own = diags ? NULL : mangle_diags_new();
    mangle_program *p = mgi_program_new();
    enum mangle_status st = MANGLE_ERR_NOMEM;
    if (p && (diags || own)) {
        mgi_diags_begin(diags ? diags : own);
        st = format_source(p, source, out, len, diags ? diags : own);
        mgi_diags_sort(diags ? diags : own);
    }
    mgi_program_free(p);
    mangle_diags_free(own);
    return st;
}

/* ---- invariants -------------------------------------------------------------------------- */

/* The comments in order, a line each. */
static void list_comments(const struct format_text *f, struct buf *out)
{
    for (size_t i = 0; i < f->count; i++) {
        const struct format_token *t = &f->tokens[i];
        for (uint32_t k = 0; k < t->comment_count; k++) {
            mgi_buf_str(out, f->comments[t->comment + k].text);
            mgi_buf_putc(out, '\n');
        }
        if (t->trailing.ptr) {
            mgi_buf_str(out, t->trailing);
            mgi_buf_putc(out, '\n');
        }
    }
}

bool mgi_format_check(struct str before, struct str after)
{
    struct arena arena;
    mgi_arena_init(&arena, 0);
    struct format_text a = { .arena = &arena }, b = { .arena = &arena };
    struct buf said = { 0 }, says = { 0 };
    bool same = mgi_format_read(&a, before) && mgi_format_read(&b, after) && a.count == b.count;
    for (size_t i = 0; same && i < a.count; i++)
        same = a.tokens[i].kind == b.tokens[i].kind && str_eq(a.tokens[i].text, b.tokens[i].text);
    if (same) {
        list_comments(&a, &said);
        list_comments(&b, &says);
        same = str_eq(mgi_buf_view(&said), mgi_buf_view(&says));
    }
    mgi_buf_fini(&said);
    mgi_buf_fini(&says);
    mgi_format_text_fini(&a);
    mgi_format_text_fini(&b);
    mgi_arena_fini(&arena);
    return same;
}
