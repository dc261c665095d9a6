/* What stands around a place in a clause that is perhaps half written: brackets, the call at hand,
 * the part of a Decl. Reads the text from the beginning of the clause. */
#include "lsp/lsp_int.h"

#define MAX_BRACKETS 64 /* deeper ones are not told apart */

struct opened {
    size_t at; /* the bracket */
    uint32_t commas;
};

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == ':' || c == '.' || c == '/';
}

/* The clause that holds the offset, or that it would go on. */
static uint32_t clause_at(const struct lsp_place *place)
{
    const mangle_outline *o = place->program->outline;
    uint32_t found = MANGLE_NO_CLAUSE;
    struct str body = mgi_buf_view(&place->file->text.body);
    size_t low = 0, high = mangle_outline_clause_count(o);
    while (low < high) { /* the last that begins at or before the offset */
        size_t middle = low + (high - low) / 2;
        struct mangle_outline_clause c = mangle_outline_clause(o, middle);
        if (c.source < place->unit || (c.source == place->unit && c.start <= place->offset)) {
            found = (uint32_t)middle;
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (found == MANGLE_NO_CLAUSE)
        return found;
    struct mangle_outline_clause c = mangle_outline_clause(o, found);
    bool closed = c.end > c.start && c.end <= body.len && body.ptr[c.end - 1] == '.';
    if (c.source != place->unit || (closed && place->offset >= c.end))
        return MANGLE_NO_CLAUSE;
    /* "lib." is no end while its predicate is being written; a new clause may begin elsewhere. */
    return found;
}

static size_t skip_string(struct str s, size_t at, size_t end)
{
    char quote = s.ptr[at++];
    while (at < end && s.ptr[at] != quote)
        at += s.ptr[at] == '\\' ? 2 : 1;
    return at;
}

static void note_word(struct lsp_context *c, struct str word)
{
    if (str_is(word, "Decl"))
        c->declaration = true;
    else if (c->declaration && str_is(word, "descr"))
        c->section = IN_DESCR;
    else if (c->declaration && str_is(word, "bound"))
        c->section = IN_BOUND;
    else if (c->declaration && str_is(word, "inclusion"))
        c->section = IN_INCLUSION;
}

/* The occurrence that ends where its bracket opens. */
static size_t called_at(const struct lsp_place *place, size_t bracket)
{
    struct str body = mgi_buf_view(&place->file->text.body);
    while (bracket > 0 && strchr(" \t\r\n", body.ptr[bracket - 1]))
        bracket--;
    if (bracket == 0 || body.ptr[bracket] == '[')
        return SIZE_MAX;
    size_t index = mangle_outline_find(place->program->outline, place->unit, (uint32_t)bracket - 1);
    if (index == SIZE_MAX)
        return SIZE_MAX;
    struct mangle_occurrence at = mangle_outline_get(place->program->outline, index);
    return at.end == bracket ? index : SIZE_MAX;
}

struct lsp_context mgi_lsp_context(const struct lsp_place *place)
{
    struct lsp_context c = { .call = SIZE_MAX, .clause = clause_at(place), .start = true };
    struct str s = mgi_buf_view(&place->file->text.body);
    struct opened open[MAX_BRACKETS];
    size_t end = place->offset, at = end;
    if (c.clause != MANGLE_NO_CLAUSE) {
        at = mangle_outline_clause(place->program->outline, c.clause).start;
    } else { /* only a comment may be here */
        while (at > 0 && s.ptr[at - 1] != '\n')
            at--;
        for (; at < end && s.ptr[at] != '#'; at++)
            continue;
    }
    while (at < end) {
        char ch = s.ptr[at];
        if (ch == '#') {
            while (at < end && s.ptr[at] != '\n')
                at++;
            c.text = at == end;
        } else if (ch == '"' || ch == '\'' || ch == '`') {
            c.word = at + 1;
            at = skip_string(s, at, end);
            c.text = at >= end;
            c.start = false;
            at++;
        } else if (ch == '(' || ch == '[' || ch == '{') {
            if (c.depth < MAX_BRACKETS)
                open[c.depth] = (struct opened){ at, 0 };
            c.depth++;
            at++;
        } else if (ch == ')' || ch == ']' || ch == '}') {
            c.depth -= c.depth > 0;
            at++;
        } else if (is_word_byte(ch)) {
            size_t start = at;
            while (at < end && is_word_byte(s.ptr[at]))
                at++;
            if (at < end) {
                note_word(&c, (struct str){ s.ptr + start, at - start });
                c.start = false;
            }
        } else {
            if (ch == ',' && c.depth && c.depth <= MAX_BRACKETS)
                open[c.depth - 1].commas++;
            at++;
        }
    }
    if (c.text)
        c.name_string = c.section == IN_BOUND && c.depth > 0;
    if (!c.text)
        for (c.word = end; c.word > 0 && is_word_byte(s.ptr[c.word - 1]);)
            c.word--;
    if (c.depth && c.depth <= MAX_BRACKETS) {
        c.call = called_at(place, open[c.depth - 1].at);
        c.argument = open[c.depth - 1].commas;
    }
    return c;
}
