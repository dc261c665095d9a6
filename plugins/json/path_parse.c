/* JSONPath as RFC 9535 has it: text to segments and selectors. Recursive descent, as deep as
 * PATH_MOST_DEPTH and no deeper. */
#include "plugins/json/path_int.h"

#include "base/utf8.h"

/* ---- selectors and segments ----------------------------------------------------------------- */

/* An index, or a slice: start : end : step, all of which may be missing. */
static bool read_index(struct path_reader *r, struct path_selector *s)
{
    s->kind = SELECT_INDEX;
    s->step = 1;
    s->has_start = mgi_path_integer(r, &s->start);
    if (r->fault)
        return false;
    size_t behind = r->at;
    mgi_path_space(r);
    if (!mgi_path_take(r, ':')) {
        r->at = behind;
        return s->has_start || mgi_path_fail(r, r->at,
                                             "a selector is expected: a name in quotes, a number, "
                                             "*, a slice or a filter");
    }
    s->kind = SELECT_SLICE;
    mgi_path_space(r);
    s->has_end = mgi_path_integer(r, &s->end);
    if (r->fault)
        return false;
    behind = r->at;
    mgi_path_space(r);
    if (!mgi_path_take(r, ':')) {
        r->at = behind;
        return true;
    }
    mgi_path_space(r);
    mgi_path_integer(r, &s->step);
    return !r->fault;
}

static bool read_selector(struct path_reader *r, struct path_selector *s)
{
    char c = mgi_path_peek(r);
    if (c == '\'' || c == '"') {
        s->kind = SELECT_NAME;
        return mgi_path_string(r, &s->name);
    }
    if (mgi_path_take(r, '*')) {
        s->kind = SELECT_WILDCARD;
        return true;
    }
    if (!mgi_path_take(r, '?'))
        return read_index(r, s);
    s->kind = SELECT_FILTER;
    mgi_path_space(r);
    s->filter = mgi_path_expression(r);
    return s->filter != NULL;
}

/* Behind "[". */
static bool read_brackets(struct path_reader *r, struct path_segment *segment)
{
    struct path_selector **link = &segment->selectors;
    if (!mgi_path_enter(r))
        return false;
    do {
        *link = mgi_path_make(r, sizeof **link);
        if (!*link)
            return false;
        mgi_path_space(r);
        if (!read_selector(r, *link))
            return false;
        link = &(*link)->next;
        mgi_path_space(r);
    } while (mgi_path_take(r, ','));
    r->depth--;
    return mgi_path_take(r, ']') || mgi_path_fail(r, r->at, "] or , is expected");
}

/* Behind "." or "..": a name or *. */
static bool read_shorthand(struct path_reader *r, struct path_segment *segment)
{
    struct path_selector *s = segment->selectors = mgi_path_make(r, sizeof *s);
    if (!s)
        return false;
    if (mgi_path_take(r, '*')) {
        s->kind = SELECT_WILDCARD;
        return true;
    }
    return mgi_path_name(r, &s->name);
}

static bool read_segment(struct path_reader *r, struct path_segment *segment)
{
    if (mgi_path_take(r, '['))
        return read_brackets(r, segment);
    if (mgi_path_take_word(r, "..")) {
        segment->descendant = true;
        return mgi_path_take(r, '[') ? read_brackets(r, segment) : read_shorthand(r, segment);
    }
    return mgi_path_take(r, '.') && read_shorthand(r, segment);
}

static bool is_singular(const struct path_segment *s)
{
    return !s->descendant && !s->selectors->next &&
           (s->selectors->kind == SELECT_NAME || s->selectors->kind == SELECT_INDEX);
}

/* Behind $ or @. */
static bool read_segments(struct path_reader *r, struct path *out)
{
    struct path_segment **link = &out->segments;
    out->singular = true;
    for (;;) {
        size_t behind = r->at;
        mgi_path_space(r);
        if (mgi_path_peek(r) != '[' && mgi_path_peek(r) != '.') {
            r->at = behind;
            return true;
        }
        *link = mgi_path_make(r, sizeof **link);
        if (!*link || !read_segment(r, *link))
            return false;
        out->singular = out->singular && is_singular(*link);
        link = &(*link)->next;
    }
}

bool mgi_path_query(struct path_reader *r, struct path *out)
{
    *out = (struct path){ .relative = mgi_path_peek(r) == '@' };
    r->at++;
    return read_segments(r, out);
}

/* ---- the whole ------------------------------------------------------------------------------ */

bool mgi_path_parse(struct arena *arena, struct str text, struct path *out, struct buf *why)
{
    struct path_reader r = { .arena = arena, .text = text };
    bool ok;
    if (text.len > PATH_MOST_BYTES)
        ok = mgi_path_fail(&r, PATH_MOST_BYTES, "is longer than 4096 bytes");
    else if (!mgi_utf8_valid(text, NULL))
        ok = mgi_path_fail(&r, 0, "is no UTF-8");
    else if (mgi_path_peek(&r) != '$')
        ok = mgi_path_fail(&r, 0, "begins with $, the document");
    else
        ok = mgi_path_query(&r, out);
    if (ok && r.at < text.len)
        ok = mgi_path_fail(&r, r.at, "a . or [ is expected, or the end");
    if (!ok)
        mgi_buf_printf(why, "byte %zu: %s", r.fault_at, r.fault);
    return ok;
}
