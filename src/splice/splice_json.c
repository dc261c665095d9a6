/* JSON: see splice.h.
 *
 * Comments are blanked in a copy of the same length, so the parser's positions are those of the
 * text. A new member stands first in its object: what is behind it is not touched then, whatever
 * stands there. Two ways, by what is between the brace and the first name:
 *
 *   with a line break   {<NL indent "name": value,> …         taken out: from the line break before
 *   without             { <"name": value, >"next": …                     the name, to the comma
 *
 * and in an empty object, so that its inside (W) can be told from what was added:
 *
 *   W blank, one line   {<NL indent "name": value NL outer>W}
 *   else                {<NL indent "name": value NL>W}
 *   of a root that is one line, and not empty      {<"name": value>W} */
#include "splice/splice_int.h"

/* ---- reading --------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t string_end(struct str text, size_t i)
{
    for (i++; i < text.len && text.ptr[i] != '"' && text.ptr[i] != '\n'; i++)
        if (text.ptr[i] == '\\')
            i++;
    return i < text.len ? i + 1 : text.len;
}

/* Past the comment that begins at `i`; `i`: none does; SIZE_MAX: one that has no end. */
static size_t comment_end(struct str text, size_t i)
{
    struct str rest = { text.ptr + i, text.len - i };
    if (mgi_str_starts(rest, STR_LIT("//"))) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        return end ? (size_t)(end - text.ptr) : text.len;
    }
    if (!mgi_str_starts(rest, STR_LIT("/*")))
        return i;
    size_t end = mgi_str_find((struct str){ rest.ptr + 2, rest.len - 2 }, STR_LIT("*/"));
    return end == SIZE_MAX ? SIZE_MAX : i + 2 + end + 2;
}

/* Where a comment without an end begins, or SIZE_MAX. */
static size_t blank_comments(char *out, struct str text)
{
    for (size_t i = 0; i < text.len;) {
        size_t end = text.ptr[i] == '"' ? string_end(text, i) : comment_end(text, i);
        if (end == SIZE_MAX)
            return i;
        for (size_t k = i; text.ptr[i] == '/' && k < end; k++)
            if (out[k] != '\n' && out[k] != '\r')
                out[k] = ' ';
        i = end > i ? end : i + 1;
    }
    return SIZE_MAX;
}

static void blank_last_commas(char *out, struct str bare)
{
    size_t comma = SIZE_MAX;
    bool value = false; /* something stands before the comma */
    for (size_t i = 0; i < bare.len; i++) {
        char c = bare.ptr[i];
        if (is_blank(c))
            continue;
        if (c == ',') {
            comma = value ? i : SIZE_MAX;
            value = false;
            continue;
        }
        if ((c == '}' || c == ']') && comma != SIZE_MAX)
            out[comma] = ' ';
        comma = SIZE_MAX;
        value = c != '{' && c != '[' && c != ':';
        if (c == '"')
            i = string_end(bare, i) - 1;
    }
}

struct str mgi_splice_plain_json(struct arena *arena, struct str text)
{
    struct str bare = mgi_arena_str(arena, text);
    if (bare.ptr)
        (void)blank_comments((char *)(uintptr_t)bare.ptr, text);
    struct str plain = bare.ptr ? mgi_arena_str(arena, bare) : bare;
    if (plain.ptr)
        blank_last_commas((char *)(uintptr_t)plain.ptr, bare);
    return plain;
}

static bool is_empty(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!is_blank(text.ptr[i]))
            return false;
    return true;
}

enum splice_status mgi_splice_parse_json(struct arena *arena, bool comments, struct str text,
                                         struct plain_json *out, struct splice_fault *fault)
{
    const struct json_options options = { .max_depth = SPLICE_DEPTH };
    struct json_error error;
    size_t start = mgi_splice_start(text);
    *out = (struct plain_json){ .text = text,
                                .bare = mgi_arena_str(arena, text),
                                .plain = { NULL, 0 },
                                .root = { .type = JSON_NULL } };
    if (!out->bare.ptr)
        return SPLICE_NOMEM;
    char *bare = (char *)(uintptr_t)out->bare.ptr; /* ours, until it is given out */
    memset(bare, ' ', start);
    size_t open = comments ? blank_comments(bare, text) : SIZE_MAX;
    if (open != SIZE_MAX)
        return mgi_splice_refuse(fault, text, open, "this comment has no end");
    out->plain = mgi_arena_str(arena, out->bare);
    if (!out->plain.ptr)
        return SPLICE_NOMEM;
    if (comments)
        blank_last_commas((char *)(uintptr_t)out->plain.ptr, out->bare);
    if (is_empty(out->plain))
        return SPLICE_DONE;
    if (mgi_json_parse(arena, out->plain, &options, &out->root, &error) != JSON_OK)
        return error.fault == JSON_NOMEM
                   ? SPLICE_NOMEM
                   : mgi_splice_refuse(fault, text, error.offset, error.message);
    if (out->root.type != JSON_OBJECT)
        return mgi_splice_refuse(fault, text, start, "it is no JSON object");
    return SPLICE_DONE;
}

/* ---- layout ---------------------------------------------------------------------------------- */

static size_t offset_of(const struct plain_json *p, const char *at)
{
    return (size_t)(at - p->plain.ptr);
}

static struct span span_of(const struct plain_json *p, const struct json *v)
{
    size_t from = offset_of(p, v->text.ptr);
    return (struct span){ from, from + v->text.len };
}

/* Where the name of a member begins: nothing but blanks and a comma stands before it. */
static size_t name_start(const struct plain_json *p, const struct json *object, uint32_t i)
{
    size_t from = i ? span_of(p, &object->members[i - 1].value).to : span_of(p, object).from + 1;
    const char *quote = memchr(p->plain.ptr + from, '"', p->plain.len - from);
    return offset_of(p, quote);
}

static bool has_break(struct str text, size_t from, size_t to)
{
    return from < to && memchr(text.ptr + from, '\n', to - from) != NULL;
}

/* The blanks that the line of `at` begins with. */
static struct str indent_at(struct str text, size_t at)
{
    size_t begin = at;
    while (begin > 0 && text.ptr[begin - 1] != '\n')
        begin--;
    if (begin == 0)
        begin = mgi_splice_start(text);
    size_t end = begin;
    while (end < text.len && (text.ptr[end] == ' ' || text.ptr[end] == '\t'))
        end++;
    return (struct str){ text.ptr + begin, end - begin };
}

/* Does the first name stand on a line of its own? */
static bool is_tall(const struct plain_json *p, const struct json *object)
{
    return object->count > 0 &&
           has_break(p->text, span_of(p, object).from + 1, name_start(p, object, 0));
}

static struct str unit_of(const struct plain_json *p)
{
    struct str unit = { "  ", 2 };
    if (p->root.type == JSON_OBJECT && is_tall(p, &p->root)) {
        struct str found = indent_at(p->text, name_start(p, &p->root, 0));
        if (found.len > 0 && found.len <= 16)
            unit = found;
    }
    return unit;
}

/* How a member is written. */
struct layout {
    bool tall;   /* over several lines */
    bool spaced; /* one line: a blank behind ':' and ',' */
    struct str line_end, indent, unit;
};

/* The lines of JSON text that is indented by two blanks a level, in this layout. */
static void put_lines(struct buf *out, const struct layout *l, struct str outer, struct str json)
{
    while (json.len > 0) {
        const char *end = memchr(json.ptr, '\n', json.len);
        size_t len = end ? (size_t)(end - json.ptr) : json.len;
        mgi_buf_append(out, json.ptr, len);
        if (!end)
            return;
        json = (struct str){ end + 1, json.len - len - 1 };
        size_t blanks = 0;
        while (blanks < json.len && json.ptr[blanks] == ' ')
            blanks++;
        mgi_buf_str(out, l->line_end);
        mgi_buf_str(out, outer);
        for (size_t i = 0; i < blanks / 2; i++)
            mgi_buf_str(out, l->unit);
        json = (struct str){ json.ptr + blanks, json.len - blanks };
    }
}

/* A value; with `inside` an object that has it under that name. */
static void put_value(struct buf *out, const struct layout *l, struct str inside,
                      const struct json *value)
{
    struct buf json = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &json, l->tall ? 2 : 0);
    if (inside.len > 0) {
        mgi_jw_begin_object(&w);
        mgi_jw_key_str(&w, inside);
    }
    mgi_jw_value(&w, value);
    if (inside.len > 0)
        mgi_jw_end_object(&w);
    put_lines(out, l, l->indent, mgi_buf_view(&json));
    out->oom |= json.oom;
    mgi_buf_fini(&json);
}

static void put_member(struct buf *out, const struct layout *l, struct str name, struct str inside,
                       const struct json *value)
{
    struct buf key = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &key, 0);
    mgi_jw_string(&w, name);
    mgi_buf_str(out, mgi_buf_view(&key));
    mgi_buf_puts(out, l->tall || l->spaced ? ": " : ":");
    out->oom |= key.oom;
    mgi_buf_fini(&key);
    put_value(out, l, inside, value);
}

/* ---- putting in ------------------------------------------------------------------------------ */

static void copy(struct buf *out, const struct plain_json *p, size_t from, size_t to)
{
    if (from < to)
        mgi_buf_append(out, p->text.ptr + from, to - from);
}

/* Before the first line break behind the brace, if only a comment stands before that. */
static size_t place_of_lines(const struct plain_json *p, size_t open, size_t next)
{
    size_t i = open;
    while (i < next && (p->text.ptr[i] == ' ' || p->text.ptr[i] == '\t'))
        i++;
    if (next - i < 2 || memcmp(p->text.ptr + i, "//", 2) != 0)
        return open;
    while (p->text.ptr[i] != '\n')
        i++;
    while (p->text.ptr[i - 1] == '\r')
        i--;
    return i;
}

static bool is_blank_span(struct str text, size_t from, size_t to)
{
    return is_empty((struct str){ text.ptr + from, to - from });
}

/* As the first member of `object`; see above. `inside` as of put_value. */
static void insert(struct arena *arena, const struct plain_json *p, const struct json *object,
                   struct str name, struct str inside, const struct json *value, struct buf *out)
{
    struct span s = span_of(p, object);
    size_t open = s.from + 1, close = s.to - 1;
    struct str outer = indent_at(p->text, s.from), unit = unit_of(p);
    struct layout l = { .line_end = mgi_splice_line_end(p->text), .unit = unit };
    size_t first = object->count ? name_start(p, object, 0) : close;
    bool one_line = p->root.count > 0 &&
                    !has_break(p->text, span_of(p, &p->root).from, span_of(p, &p->root).to);
    l.tall = object->count ? is_tall(p, object) : !one_line;
    l.spaced = object->count && object->members[0].value.text.ptr[-1] == ' ';
    const char *deeper = mgi_arena_printf(arena, "%.*s%.*s", STR_ARG(outer), STR_ARG(unit));
    l.indent = l.tall && object->count ? indent_at(p->text, first) : str_of(deeper);
    out->oom |= !deeper;
    size_t at = !l.tall ? first : object->count ? place_of_lines(p, open, first) : open;
    if (object->count == 0)
        at = open;
    copy(out, p, 0, at);
    if (l.tall) {
        mgi_buf_str(out, l.line_end);
        mgi_buf_str(out, l.indent);
    }
    put_member(out, &l, name, inside, value);
    if (object->count) {
        mgi_buf_puts(out, !l.tall && l.spaced ? ", " : ",");
    } else if (l.tall) {
        mgi_buf_str(out, l.line_end);
        if (is_blank_span(p->text, open, close) && !has_break(p->text, open, close))
            mgi_buf_str(out, outer);
    }
    copy(out, p, at, p->text.len);
}

static void replace(const struct plain_json *p, const struct json *section, const struct json *old,
                    const struct json *value, struct buf *out)
{
    struct span s = span_of(p, old);
    struct layout l = { .line_end = mgi_splice_line_end(p->text), .unit = unit_of(p) };
    l.tall = is_tall(p, section);
    l.indent = indent_at(p->text, s.from);
    copy(out, p, 0, s.from);
    put_value(out, &l, STR_LIT(""), value);
    copy(out, p, s.to, p->text.len);
}

static void begin_text(const struct plain_json *p, const struct splice_place *place,
                       const struct json *value, struct buf *out)
{
    struct layout l = { .tall = true,
                        .line_end = mgi_splice_line_end(p->text),
                        .indent = { "  ", 2 },
                        .unit = { "  ", 2 } };
    copy(out, p, 0, p->text.len);
    if (p->text.len > mgi_splice_start(p->text) && p->text.ptr[p->text.len - 1] != '\n')
        mgi_buf_str(out, l.line_end);
    mgi_buf_putc(out, '{');
    mgi_buf_str(out, l.line_end);
    mgi_buf_str(out, l.indent);
    put_member(out, &l, place->section, place->name, value);
    mgi_buf_str(out, l.line_end);
    mgi_buf_putc(out, '}');
    mgi_buf_str(out, l.line_end);
}

enum splice_status mgi_splice_put_json(struct arena *arena, const struct plain_json *p,
                                       const struct splice_place *place, const struct json *value,
                                       struct buf *out, bool *made_section,
                                       struct splice_fault *fault)
{
    const struct json *section = mgi_json_get_str(&p->root, place->section);
    const struct json *old = mgi_json_get_str(section, place->name);
    *made_section = !section;
    if (section && section->type != JSON_OBJECT)
        return mgi_splice_refuse(fault, p->text, offset_of(p, section->text.ptr),
                                 "the servers are no object");
    if (p->root.type == JSON_NULL)
        begin_text(p, place, value, out);
    else if (!section)
        insert(arena, p, &p->root, place->section, place->name, value, out);
    else if (!old)
        insert(arena, p, section, place->name, STR_LIT(""), value, out);
    else if (mgi_json_equal(old, value, true))
        copy(out, p, 0, p->text.len);
    else
        replace(p, section, old, value, out);
    return out->oom || arena->oom ? SPLICE_NOMEM : SPLICE_DONE;
}

/* ---- taking out ------------------------------------------------------------------------------ */

/* A line break at `i`: its length, or 0. */
static size_t break_at(struct str text, size_t i)
{
    if (i < text.len && text.ptr[i] == '\n')
        return 1;
    return i + 1 < text.len && text.ptr[i] == '\r' && text.ptr[i + 1] == '\n' ? 2 : 0;
}

/* Back over the blanks before a name, and the line break before them. Its place if there is one. */
static size_t line_before(struct str text, size_t at)
{
    size_t i = at;
    while (i > 0 && (text.ptr[i - 1] == ' ' || text.ptr[i - 1] == '\t'))
        i--;
    if (i == 0 || text.ptr[i - 1] != '\n')
        return at;
    i--;
    return i > 0 && text.ptr[i - 1] == '\r' ? i - 1 : i;
}

/* Where the object is empty then: what was put between the member and what was there before. */
static size_t rest_of_only(struct str text, size_t to, size_t close, struct str outer)
{
    size_t breaks = 0, end = to + break_at(text, to);
    for (size_t i = to; i < close; i++)
        breaks += text.ptr[i] == '\n';
    if (breaks == 1 && is_blank_span(text, to, close) && close - end >= outer.len &&
        memcmp(text.ptr + end, outer.ptr, outer.len) == 0)
        end += outer.len;
    return end;
}

static void take_member(const struct plain_json *p, const struct json *object, uint32_t i,
                        struct buf *out)
{
    struct span whole = span_of(p, object), v = span_of(p, &object->members[i].value);
    size_t name = name_start(p, object, i), from = line_before(p->text, name), to = v.to;
    size_t next = v.to, comma_before = from;
    while (is_blank(p->bare.ptr[next]))
        next++;
    bool comma = p->bare.ptr[next] == ',', own_line = from < name;
    if (comma)
        to = next + 1;
    if (comma && !own_line)
        while (p->text.ptr[to] == ' ' && to + 1 < whole.to)
            to++;
    if (!comma && i > 0) {
        comma_before = span_of(p, &object->members[i - 1].value).to;
        while (p->bare.ptr[comma_before] != ',')
            comma_before++;
    }
    if (object->count == 1 && own_line)
        to = rest_of_only(p->text, to, whole.to - 1, indent_at(p->text, whole.from));
    copy(out, p, 0, comma_before);
    if (comma_before < from)
        copy(out, p, comma_before + 1, from);
    copy(out, p, to, p->text.len);
}

static uint32_t index_of(const struct json *object, struct str name)
{
    uint32_t i = 0;
    while (!str_eq(object->members[i].name, name))
        i++;
    return i;
}

enum splice_status mgi_splice_take_json(const struct plain_json *p,
                                        const struct splice_place *place, bool with_section,
                                        struct buf *out)
{
    const struct json *section = mgi_json_get_str(&p->root, place->section);
    if (!mgi_json_get_str(section, place->name))
        return SPLICE_ABSENT;
    if (with_section && section->count == 1)
        take_member(p, &p->root, index_of(&p->root, place->section), out);
    else
        take_member(p, section, index_of(section, place->name), out);
    return out->oom ? SPLICE_NOMEM : SPLICE_DONE;
}
