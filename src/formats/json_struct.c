/* The pull reader's events build values from the inside out: parts of open containers lie on one
 * stack. Repeated keys are allowed here (the last wins), so the DOM, which refuses them, is no
 * help. */
#include "formats/json_struct.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/utf8.h"

struct open_container {
    size_t first; /* of its parts */
    bool object;
    struct str key; /* of the member at hand; in the arena or the text */
};

struct struct_builder {
    mangle_values *t;
    struct json_reader reader;
    struct arena arena; /* unescaped text */
    struct json_struct_error *error;
    struct open_container open[JSON_MAX_DEPTH];
    uint32_t depth;
    mangle_value *parts, *labels; /* labels[i] belongs to parts[i] in an object */
    size_t count, part_cap, label_cap;
    mangle_value done; /* the document */
};

/* ---- what is wrong ----------------------------------------------------------------------- */

static void tell_path(const struct struct_builder *b)
{
    struct buf path = { 0 }, shown = { 0 };
    for (uint32_t i = 0; i < b->depth; i++) {
        const struct open_container *o = &b->open[i];
        if (o->object)
            mgi_json_pointer_push(&path, o->key);
        else
            mgi_json_pointer_index(&path, (i + 1 < b->depth ? o[1].first : b->count) - o->first);
    }
    mgi_utf8_show(&shown, mgi_buf_view(&path));
    struct str text = mgi_utf8_prefix(mgi_buf_view(&shown), sizeof b->error->path - 1);
    snprintf(b->error->path, sizeof b->error->path, "%.*s", STR_ARG(text));
    mgi_buf_fini(&path);
    mgi_buf_fini(&shown);
}

static bool refuse_json(struct struct_builder *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* At the token read last. */
static bool refuse_json(struct struct_builder *b, const char *format, ...)
{
    struct json_struct_error *e = b->error;
    const char *text = b->reader.text.ptr;
    const char *at = b->reader.token.ptr ? b->reader.token.ptr : text, *line = text;
    e->line = 1;
    for (const char *p = text; p < at; p++) {
        if (*p == '\n') {
            e->line++;
            line = p + 1;
        }
    }
    e->column = (uint32_t)(at - line) + 1;
    va_list args;
    va_start(args, format);
    vsnprintf(e->message, sizeof e->message, format, args);
    va_end(args);
    tell_path(b);
    return false;
}

static bool struct_nomem(struct struct_builder *b)
{
    b->error->oom = true;
    snprintf(b->error->message, sizeof b->error->message, "out of memory");
    return false;
}

/* ---- parts ------------------------------------------------------------------------------- */

/* A value is complete: the document, an element, or a member. */
static bool add_part(struct struct_builder *b, mangle_value v, mangle_value label)
{
    if (v == MANGLE_NONE)
        return struct_nomem(b);
    if (b->depth == 0) {
        b->done = v;
        return true;
    }
    if (!mgi_grow(&b->parts, &b->part_cap, b->count + 1, sizeof *b->parts) ||
        !mgi_grow(&b->labels, &b->label_cap, b->count + 1, sizeof *b->labels))
        return struct_nomem(b);
    b->labels[b->count] = label;
    b->parts[b->count++] = v;
    return true;
}

/* The label of key `k` is `/k`, if that is a name (M-IO-60). */
static bool label_of_key(struct struct_builder *b, struct str key, mangle_value *label)
{
    const char *wrong = NULL;
    if (key.len == 0)
        wrong = "an empty key";
    else if (memchr(key.ptr, '"', key.len))
        wrong = "a key with a quotation mark";
    else if (key.ptr[0] == '/' || key.ptr[key.len - 1] == '/' ||
             mgi_str_find(key, STR_LIT("//")) != SIZE_MAX)
        wrong = "a key with an empty part between slashes";
    if (wrong)
        return refuse_json(b, "%s makes no label", wrong);
    char *name = mgi_arena_alloc(&b->arena, key.len + 1);
    if (!name)
        return struct_nomem(b);
    name[0] = '/';
    memcpy(name + 1, key.ptr, key.len);
    *label = mangle_name(b->t, name, key.len + 1);
    return *label != MANGLE_NONE || struct_nomem(b);
}

static mangle_value label_at_hand(struct struct_builder *b)
{
    mangle_value label = MANGLE_NONE;
    if (b->depth && b->open[b->depth - 1].object) {
        struct str key = b->open[b->depth - 1].key;
        (void)label_of_key(b, key, &label); /* checked when it was read */
    }
    return label;
}

static bool take_key(struct struct_builder *b)
{
    mangle_value label;
    struct open_container *o = &b->open[b->depth - 1];
    o->key = mgi_json_reader_string(&b->reader, &b->arena);
    if (!o->key.ptr)
        return struct_nomem(b);
    return label_of_key(b, o->key, &label);
}

static bool take_number(struct struct_builder *b)
{
    int64_t integer;
    double d = 0;
    switch (mgi_json_reader_number(&b->reader, &integer, &d)) {
    case JSON_INT:
        d = (double)integer;
        /* -0 is an integer, and a float with a sign */
        if (integer == 0 && b->reader.token.ptr[0] == '-')
            d = -0.0;
        break;
    case JSON_FLOAT:
        break;
    default:
        if (!mgi_double_parse(b->reader.token, &d))
            return refuse_json(b, "the number is beyond a float64");
    }
    return add_part(b, mangle_float(b->t, d), label_at_hand(b));
}

static bool take_string(struct struct_builder *b)
{
    struct str s = mgi_json_reader_string(&b->reader, &b->arena);
    if (!s.ptr)
        return struct_nomem(b);
    return add_part(b, mangle_string(b->t, s.ptr, s.len), label_at_hand(b));
}

static bool take_begin(struct struct_builder *b, bool object)
{
    if (b->depth == JSON_MAX_DEPTH)
        return refuse_json(b, "nested deeper than %d", JSON_MAX_DEPTH);
    b->open[b->depth++] =
        (struct open_container){ .first = b->count, .object = object, .key = { "", 0 } };
    return true;
}

static bool take_end(struct struct_builder *b)
{
    struct open_container o = b->open[--b->depth];
    size_t n = b->count - o.first;
    mangle_value v = n == 0 && o.object ? mangle_struct(b->t, NULL, NULL, 0)
                     : n == 0           ? mangle_list(b->t, NULL, 0)
                     : o.object ? mangle_struct(b->t, b->labels + o.first, b->parts + o.first, n)
                                : mangle_list(b->t, b->parts + o.first, n);
    b->count = o.first;
    return add_part(b, v, label_at_hand(b));
}

/* ---- the document ------------------------------------------------------------------------ */

static bool take_event(struct struct_builder *b, enum json_event event)
{
    if (b->depth == 0 && event != JSON_EV_OBJECT_BEGIN)
        return refuse_json(b, "the document must be an object"); /* M-IO-66 */
    switch (event) {
    case JSON_EV_NULL:
        return refuse_json(b, "null has no value in Mangle"); /* M-IO-65 */
    case JSON_EV_BOOL:
        return add_part(b, mangle_bool(b->t, b->reader.token.ptr[0] == 't'), label_at_hand(b));
    case JSON_EV_NUMBER:
        return take_number(b);
    case JSON_EV_STRING:
        return take_string(b);
    case JSON_EV_KEY:
        return take_key(b);
    case JSON_EV_ARRAY_BEGIN:
    case JSON_EV_OBJECT_BEGIN:
        return take_begin(b, event == JSON_EV_OBJECT_BEGIN);
    default:
        return take_end(b);
    }
}

static void tell_reader_error(struct struct_builder *b)
{
    const struct json_error *e = &b->reader.error;
    b->error->line = e->line;
    b->error->column = e->column;
    snprintf(b->error->message, sizeof b->error->message, "%s", e->message);
}

mangle_value mgi_struct_from_json(mangle_values *t, struct str text,
                                  struct json_struct_error *error)
{
    struct struct_builder b = { .t = t, .error = error, .done = MANGLE_NONE };
    bool good = true;
    *error = (struct json_struct_error){ .line = 1, .column = 1 };
    text.ptr = text.ptr ? text.ptr : "";
    mgi_arena_init(&b.arena, 0);
    mgi_json_reader_init(&b.reader, text, JSON_MAX_DEPTH);
    while (good) {
        enum json_event event = mgi_json_reader_next(&b.reader);
        if (event == JSON_EV_END)
            break;
        if (event == JSON_EV_ERROR) {
            tell_reader_error(&b);
            good = false;
        } else {
            good = take_event(&b, event);
        }
    }
    mgi_arena_fini(&b.arena);
    mgi_free(b.parts);
    mgi_free(b.labels);
    return good ? b.done : MANGLE_NONE;
}
