/* Positions in text. Finding a line is a table look-up; within it characters are counted. */
#include "lsp/text.h"

#include "base/alloc.h"
#include "base/utf8.h"

void mgi_text_fini(struct text *t)
{
    mgi_buf_fini(&t->body);
    mgi_free(t->lines);
    *t = (struct text){ 0 };
}

static bool add_line(struct text *t, size_t start)
{
    if (!mgi_grow(&t->lines, &t->line_cap, t->line_count + 1, sizeof *t->lines))
        return false;
    t->lines[t->line_count++] = start;
    return true;
}

static bool find_lines(struct text *t)
{
    struct str s = mgi_buf_view(&t->body);
    t->line_count = 0;
    bool ok = !t->body.oom && add_line(t, 0);
    for (size_t i = 0; ok && i < s.len; i++) {
        if (s.ptr[i] == '\r' && i + 1 < s.len && s.ptr[i + 1] == '\n')
            continue;
        if (s.ptr[i] == '\n' || s.ptr[i] == '\r')
            ok = add_line(t, i + 1);
    }
    return ok;
}

bool mgi_text_set(struct text *t, struct str s)
{
    mgi_buf_clear(&t->body);
    if (mgi_utf8_valid(s, NULL)) {
        mgi_buf_str(&t->body, s);
        return find_lines(t);
    }
    for (size_t at = 0; at < s.len;) {
        size_t start = at;
        if (mgi_utf8_next(s, &at) == UINT32_MAX)
            mgi_buf_puts(&t->body, "\xEF\xBF\xBD");
        else
            mgi_buf_append(&t->body, s.ptr + start, at - start);
    }
    return find_lines(t);
}

bool mgi_text_splice(struct text *t, size_t from, size_t to, struct str s)
{
    struct buf *b = &t->body;
    size_t old = b->len, gone = to - from;
    if (s.len > gone && !mgi_buf_reserve(b, s.len - gone))
        return false;
    if (!b->ptr)
        return find_lines(t);
    memmove(b->ptr + from + s.len, b->ptr + to, old - to);
    if (s.len)
        memcpy(b->ptr + from, s.ptr, s.len);
    b->len = old - gone + s.len;
    b->ptr[b->len] = 0;
    return find_lines(t);
}

/* How many units the character at *at is, which moves on. */
static uint32_t character_units(struct str s, size_t *at, enum text_units units)
{
    size_t start = *at;
    uint32_t code = mgi_utf8_next(s, at);
    if (units == UNITS_UTF8)
        return (uint32_t)(*at - start);
    return units == UNITS_UTF16 && code > 0xFFFF && code != UINT32_MAX ? 2 : 1;
}

/* The end of a line without what ends it. */
static size_t line_end(const struct text *t, size_t line)
{
    size_t end = line + 1 < t->line_count ? t->lines[line + 1] : t->body.len;
    if (line + 1 < t->line_count) {
        end--;
        if (t->body.ptr[end] == '\n' && end > t->lines[line] && t->body.ptr[end - 1] == '\r')
            end--;
    }
    return end;
}

size_t mgi_text_offset(const struct text *t, struct position p, enum text_units units)
{
    if (p.line >= t->line_count)
        return t->body.len;
    struct str s = { mgi_buf_view(&t->body).ptr, line_end(t, p.line) };
    size_t at = t->lines[p.line];
    for (uint32_t left = p.character; at < s.len && left > 0;) {
        size_t next = at;
        uint32_t n = character_units(s, &next, units);
        if (n > left)
            break;
        left -= n;
        at = next;
    }
    return at;
}

struct position mgi_text_position(const struct text *t, size_t offset, enum text_units units)
{
    size_t low = 0, high = t->line_count;
    if (offset > t->body.len)
        offset = t->body.len;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (t->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    struct position p = { (uint32_t)low, 0 };
    struct str s = mgi_buf_view(&t->body);
    for (size_t at = t->line_count ? t->lines[low] : 0; at < offset;)
        p.character += character_units(s, &at, units);
    return p;
}

struct position mgi_text_position_after(const struct text *t, size_t known, struct position p,
                                        size_t offset, enum text_units units)
{
    struct str s = mgi_buf_view(&t->body);
    size_t line = p.line;
    if (known > offset || (line + 1 < t->line_count && t->lines[line + 1] <= offset))
        return mgi_text_position(t, offset, units);
    for (size_t at = known; at < offset && at < s.len;)
        p.character += character_units(s, &at, units);
    return p;
}

size_t mgi_text_forward(const struct text *t, size_t offset, uint32_t count)
{
    struct str s = mgi_buf_view(&t->body);
    while (offset < s.len && count-- > 0)
        mgi_utf8_next(s, &offset);
    return offset;
}

size_t mgi_text_place(const struct text *t, uint32_t line, uint32_t column)
{
    struct str s = mgi_buf_view(&t->body);
    size_t at = 0;
    for (uint32_t l = 1; l < line && at < s.len; l++) {
        const char *end = memchr(s.ptr + at, '\n', s.len - at);
        at = end ? (size_t)(end - s.ptr) + 1 : s.len;
    }
    return mgi_text_forward(t, at, column ? column - 1 : 0);
}
