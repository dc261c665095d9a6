/* Semantic tokens: what each word is, so that an editor without a grammar can colour it. */
#include "base/utf8.h"
#include "lsp/lsp_int.h"

const char *const mgi_lsp_token_types[] = { "function",  "operator", "method",     "variable",
                                            "namespace", "type",     "enumMember", "decorator",
                                            "keyword",   "string",   "number",     "comment",
                                            NULL };

struct colouring {
    struct lsp *s;
    struct json_writer *w;
    const struct lsp_file *f;
    struct position last;
};

/* One line of a token. */
static void write_token(struct colouring *k, size_t from, size_t to, int type)
{
    struct position a = mgi_lsp_position(k->s, k->f, from);
    struct position b = mgi_lsp_position(k->s, k->f, to);
    if (b.line != a.line || b.character == a.character)
        return;
    mgi_jw_int(k->w, a.line - k->last.line);
    mgi_jw_int(k->w, a.line == k->last.line ? a.character - k->last.character : a.character);
    mgi_jw_int(k->w, b.character - a.character);
    mgi_jw_int(k->w, type);
    mgi_jw_int(k->w, 0);
    k->last = a;
}

/* Strings may go over several lines, tokens may not. */
static void write_lines(struct colouring *k, size_t from, size_t to, int type)
{
    struct str s = mgi_buf_view(&k->f->text.body);
    for (size_t at = from; at < to;) {
        size_t end = at;
        while (end < to && s.ptr[end] != '\n' && s.ptr[end] != '\r')
            end++;
        write_token(k, at, end, type);
        at = end + 1;
    }
}

void mgi_lsp_semantic_tokens(struct lsp *s, const struct json *params, struct json_writer *w)
{
    struct lsp_place place;
    if (!mgi_lsp_place_of(s, params, &place))
        return;
    struct colouring k = { .s = s, .w = w, .f = place.file };
    const mangle_outline *o = place.program->outline;
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "data");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < mangle_outline_count(o); i++) {
        struct mangle_occurrence at = mangle_outline_get(o, i);
        if (at.source == place.unit)
            write_lines(&k, at.start, at.end, (int)at.kind);
    }
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
}
