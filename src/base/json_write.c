/* Writes JSON text, and canonical JSON text (T-INP-6). */
#include "base/json_int.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/utf8.h"

void mgi_json_writer_init(struct json_writer *w, struct buf *out, uint32_t indent)
{
    *w = (struct json_writer){ .out = out, .indent = indent };
}

static void new_line(struct json_writer *w)
{
    static const char blanks[] = "                                ";
    mgi_buf_putc(w->out, '\n');
    size_t left = (size_t)w->depth * w->indent;
    while (left) {
        size_t some = left < sizeof blanks - 1 ? left : sizeof blanks - 1;
        mgi_buf_append(w->out, blanks, some);
        left -= some;
    }
}

/* What stands before a value or a key. */
static void before(struct json_writer *w)
{
    if (w->after_key) {
        w->after_key = false;
        return;
    }
    if (w->need_comma)
        mgi_buf_putc(w->out, ',');
    if (w->indent && w->depth)
        new_line(w);
}

static void open_bracket(struct json_writer *w, char bracket)
{
    before(w);
    mgi_buf_putc(w->out, bracket);
    w->depth++;
    w->need_comma = false;
}

static void close_bracket(struct json_writer *w, char bracket)
{
    assert(w->depth > 0 && !w->after_key);
    w->depth--;
    if (w->indent && w->need_comma) /* not for an empty one */
        new_line(w);
    mgi_buf_putc(w->out, bracket);
    w->need_comma = true;
}

void mgi_jw_begin_object(struct json_writer *w)
{
    open_bracket(w, '{');
}

void mgi_jw_end_object(struct json_writer *w)
{
    close_bracket(w, '}');
}

void mgi_jw_begin_array(struct json_writer *w)
{
    open_bracket(w, '[');
}

void mgi_jw_end_array(struct json_writer *w)
{
    close_bracket(w, ']');
}

/* ---- strings ------------------------------------------------------------------------------- */

static void write_escape(struct buf *out, unsigned char c)
{
    static const char digits[] = "0123456789abcdef";
    char text[6] = { '\\', 'u', '0', '0', digits[c >> 4], digits[c & 15] };
    static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
    const char *at = c ? strchr(from, c) : NULL;
    if (at) {
        text[1] = to[at - from];
        mgi_buf_append(out, text, 2);
    } else {
        mgi_buf_append(out, text, sizeof text);
    }
}

/* The end of the run from `at` that can be copied as it is. */
static size_t plain_run(struct str s, size_t at)
{
    for (;;) {
        at = (size_t)(mgi_json_skip_plain(s.ptr + at, s.ptr + s.len) - s.ptr);
        size_t next = at;
        if (at == s.len || (unsigned char)s.ptr[at] < 0x80 || mgi_utf8_next(s, &next) == UINT32_MAX)
            return at;
        at = next;
    }
}

static void write_string(struct buf *out, struct str s)
{
    mgi_buf_putc(out, '"');
    for (size_t at = 0; at < s.len;) {
        size_t run = plain_run(s, at);
        mgi_buf_append(out, s.ptr + at, run - at);
        at = run;
        if (at == s.len)
            break;
        unsigned char c = (unsigned char)s.ptr[at++];
        if (c < 0x80)
            write_escape(out, c);
        else
            mgi_buf_puts(out, "\xef\xbf\xbd");
    }
    mgi_buf_putc(out, '"');
}

/* [,]"text"[:] in one piece; `out` says if memory was short. */
static void write_piece(struct json_writer *w, struct str s, bool is_name)
{
    struct buf *out = w->out;
    bool comma = w->need_comma && !w->after_key;
    size_t need = comma + s.len + 2 + is_name;
    bool room = out->cap - out->len > need && !out->limit && !out->oom;
    if (!room && !mgi_buf_reserve(out, need))
        return;
    char *p = out->ptr + out->len;
    if (comma)
        *p++ = ',';
    *p++ = '"';
    if (s.len > 0)
        memcpy(p, s.ptr, s.len);
    p += s.len;
    *p++ = '"';
    if (is_name)
        *p++ = ':';
    *p = '\0';
    out->len = (size_t)(p - out->ptr);
}

/* As nearly all texts and names are. */
static bool is_one_piece(const struct json_writer *w, struct str s)
{
    return !w->indent && (s.len == 0 || plain_run(s, 0) == s.len);
}

/* ---- values -------------------------------------------------------------------------------- */

void mgi_jw_key_str(struct json_writer *w, struct str name)
{
    assert(w->depth > 0 && !w->after_key);
    if (is_one_piece(w, name)) {
        write_piece(w, name, true);
    } else {
        before(w);
        write_string(w->out, name);
        mgi_buf_puts(w->out, w->indent ? ": " : ":");
    }
    w->after_key = true;
}

void mgi_jw_plain_key(struct json_writer *w, struct str name)
{
    assert(plain_run(name, 0) == name.len);
    if (w->indent) {
        mgi_jw_key_str(w, name);
        return;
    }
    assert(w->depth > 0 && !w->after_key);
    write_piece(w, name, true);
    w->after_key = true;
}

void mgi_jw_string(struct json_writer *w, struct str s)
{
    if (is_one_piece(w, s)) {
        write_piece(w, s, false);
    } else {
        before(w);
        write_string(w->out, s);
    }
    w->after_key = false;
    w->need_comma = true;
}

void mgi_jw_cstring(struct json_writer *w, const char *s)
{
    if (s)
        mgi_jw_string(w, str_of(s));
    else
        mgi_jw_null(w);
}

void mgi_jw_raw(struct json_writer *w, struct str json)
{
    before(w);
    mgi_buf_str(w->out, json);
    w->need_comma = true;
}

void mgi_jw_int(struct json_writer *w, int64_t n)
{
    before(w);
    mgi_buf_int(w->out, n);
    w->need_comma = true;
}

void mgi_jw_float(struct json_writer *w, double d)
{
    if (!isfinite(d)) {
        mgi_jw_null(w);
        return;
    }
    char text[34];
    size_t len = mgi_double_print(d, text);
    if (!memchr(text, '.', len) && !memchr(text, 'e', len)) {
        text[len++] = '.';
        text[len++] = '0';
    }
    mgi_jw_raw(w, (struct str){ text, len });
}

void mgi_jw_bool(struct json_writer *w, bool b)
{
    mgi_jw_raw(w, b ? STR_LIT("true") : STR_LIT("false"));
}

void mgi_jw_null(struct json_writer *w)
{
    mgi_jw_raw(w, STR_LIT("null"));
}

void mgi_jw_member_strs(struct json_writer *w, const char *name, const struct str *items,
                        size_t count)
{
    mgi_jw_key(w, name);
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < count; i++)
        mgi_jw_string(w, items[i]);
    mgi_jw_end_array(w);
}

/* ---- whole DOMs ---------------------------------------------------------------------------- */

struct level {
    const struct json *v;
    const struct json_member **order; /* members in the order to write them; NULL: as they are */
    uint32_t next;
};

static int compare_names(const void *a, const void *b)
{
    const struct json_member *const *x = a, *const *y = b;
    return mgi_str_compare((*x)->name, (*y)->name);
}

static bool names_ascend(const struct json *object)
{
    for (uint32_t i = 1; i < object->count; i++)
        if (mgi_str_compare(object->members[i - 1].name, object->members[i].name) > 0)
            return false;
    return true;
}

/* False when memory is short. */
static bool sort_members(struct level *level)
{
    const struct json *v = level->v;
    if (v->type != JSON_OBJECT || names_ascend(v))
        return true;
    level->order = mgi_calloc(v->count, sizeof(const struct json_member *));
    if (!level->order)
        return false;
    for (uint32_t i = 0; i < v->count; i++)
        level->order[i] = &v->members[i];
    qsort(level->order, v->count, sizeof(const struct json_member *), compare_names);
    return true;
}

static void write_scalar(struct json_writer *w, const struct json *v)
{
    if (v->type == JSON_STRING)
        mgi_jw_string(w, v->string);
    else if (v->type == JSON_NULL)
        mgi_jw_null(w);
    else if (v->type == JSON_BOOL)
        mgi_jw_bool(w, v->boolean);
    else if (v->text.len) /* numbers keep their spelling */
        mgi_jw_raw(w, v->text);
    else if (v->type == JSON_INT) /* made by hand */
        mgi_jw_int(w, v->integer);
    else if (v->type == JSON_FLOAT)
        mgi_jw_float(w, v->number);
    else
        mgi_jw_null(w);
}

static bool enter(struct json_writer *w, struct level *level, bool sorted)
{
    open_bracket(w, level->v->type == JSON_OBJECT ? '{' : '[');
    return !sorted || sort_members(level);
}

static void leave(struct json_writer *w, struct level *level)
{
    mgi_free(level->order);
    close_bracket(w, level->v->type == JSON_OBJECT ? '}' : ']');
}

static const struct json *next_child(struct json_writer *w, struct level *level)
{
    uint32_t i = level->next++;
    if (level->v->type == JSON_ARRAY)
        return &level->v->items[i];
    const struct json_member *m = level->order ? level->order[i] : &level->v->members[i];
    mgi_jw_key_str(w, m->name);
    return &m->value;
}

static void write_tree(struct json_writer *w, const struct json *v, bool sorted)
{
    struct level path[JSON_MAX_DEPTH];
    size_t depth = 0;
    bool ok = true;
    for (;;) {
        if (v->type == JSON_ARRAY || v->type == JSON_OBJECT) {
            assert(depth < JSON_MAX_DEPTH);
            path[depth] = (struct level){ .v = v };
            ok = enter(w, &path[depth++], sorted) && ok;
        } else {
            write_scalar(w, v);
        }
        while (depth && (!ok || path[depth - 1].next == path[depth - 1].v->count))
            leave(w, &path[--depth]);
        if (depth == 0)
            break;
        v = next_child(w, &path[depth - 1]);
    }
    if (!ok)
        w->out->oom = true;
}

void mgi_jw_value(struct json_writer *w, const struct json *v)
{
    write_tree(w, v, false);
}

void mgi_json_canonical(struct buf *out, const struct json *v)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    write_tree(&w, v, true);
}
