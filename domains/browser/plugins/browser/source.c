/* Places and expressions in a script's text. */
#include "source_int.h"

/* ---- places -------------------------------------------------------------------------------- */

/* The byte at which column `units` (UTF-16, from 0) of a line stands. */
static size_t byte_of_column(struct str line, int64_t units)
{
    size_t at = 0;
    while (at < line.len && units > 0) {
        uint32_t code = mgi_utf8_next(line, &at);
        units -= code > 0xffff && code != UINT32_MAX ? 2 : 1;
    }
    return at;
}

static bool place_in(struct str text, int64_t line, int64_t column, struct place *out)
{
    size_t at = 0;
    for (int64_t i = 0; i < line; i++) {
        const char *end = at < text.len ? memchr(text.ptr + at, '\n', text.len - at) : NULL;
        if (!end)
            return false;
        at = (size_t)(end - text.ptr) + 1;
    }
    const char *end = at < text.len ? memchr(text.ptr + at, '\n', text.len - at) : NULL;
    struct str rest = { text.ptr + at, end ? (size_t)(end - text.ptr) - at : text.len - at };
    *out = (struct place){ text, at + byte_of_column(rest, column) };
    return true;
}

/* The text of the whole file says more than lines of it. */
bool mgi_source_place(const struct capture *c, struct str url, int64_t line, int64_t column,
                      struct place *out)
{
    if (url.len == 0 || line < 1)
        return false;
    column = column > 0 ? column - 1 : 0;
    for (size_t i = c->request_count; i-- > 0;) { /* as it came last */
        const struct request *r = &c->requests[i];
        const struct json *content = mgi_json_get(mgi_json_get(r->entry, "response"), "content");
        struct str text = mgi_member_string(content, "text");
        bool code = r->resource == RES_SCRIPT || r->resource == RES_DOCUMENT;
        if (code && text.len > 0 && !mgi_json_get(content, "encoding") && str_eq(r->url, url) &&
            place_in(text, line - 1, column, out))
            return true;
    }
    for (size_t i = 0; i < c->more.sources.count; i++) {
        const struct script *s = &c->more.sources.items[i];
        int64_t cut = s->cut_line == line ? s->cut_columns : 0;
        if (str_eq(s->url, url) && line >= s->first_line && column >= cut &&
            place_in(s->text, line - s->first_line, column - cut, out))
            return true;
    }
    return false;
}

/* ---- expressions --------------------------------------------------------------------------- */

/* Back over a balanced (...) or [...] whose closing bracket is at `at`; SIZE_MAX: there is none. */
static size_t back_over_brackets(struct str text, size_t at)
{
    int depth = 0;
    for (size_t i = at + 1; i-- > 0 && at - i < 400;) {
        char c = text.ptr[i];
        depth += c == ')' || c == ']' || c == '}';
        depth -= c == '(' || c == '[' || c == '{';
        if (depth == 0)
            return i;
    }
    return SIZE_MAX;
}

size_t mgi_chain_start(struct str text, size_t end)
{
    size_t at = end;
    while (at > 0 && end - at < EXPRESSION_BYTES) {
        char c = text.ptr[at - 1];
        if (c == ')' || c == ']') {
            size_t open = back_over_brackets(text, at - 1);
            if (open == SIZE_MAX)
                break;
            at = open;
        } else if (is_name_char(c) || c == '.' || (c == '?' && at < end && text.ptr[at] == '.') ||
                   c == '#') {
            at--;
        } else if ((c == ' ' || c == '\n' || c == '\t' || c == '\r') && at < end &&
                   (text.ptr[at] == '.' || text.ptr[at] == '?')) {
            at--; /* a chain that goes on in the next line */
        } else {
            break;
        }
    }
    return at;
}

/* Where ".property" is, nearest to the place and in its line; SIZE_MAX: nowhere. */
static size_t find_dot(const struct place *p, struct str property)
{
    struct str text = p->text;
    if (p->at > 0 && stands_at(text, p->at, property) && text.ptr[p->at - 1] == '.')
        return p->at - 1;
    for (size_t off = 0; off < 160; off++) {
        size_t ahead = p->at + off;
        if (ahead < text.len && text.ptr[ahead] == '.' && stands_at(text, ahead + 1, property))
            return ahead;
        if (off <= p->at && text.ptr[p->at - off < text.len ? p->at - off : 0] == '.' &&
            stands_at(text, p->at - off + 1, property))
            return p->at - off;
    }
    return SIZE_MAX;
}

struct str mgi_source_expression(const struct place *place, struct str property)
{
    size_t dot = property.len > 0 ? find_dot(place, property) : SIZE_MAX;
    if (dot == SIZE_MAX || dot >= place->text.len)
        return STR_LIT("");
    if (dot > 0 && place->text.ptr[dot - 1] == '?')
        dot--;
    size_t from = mgi_chain_start(place->text, dot);
    return mgi_str_trim((struct str){ place->text.ptr + from, dot - from }, " \t\r\n?.");
}
