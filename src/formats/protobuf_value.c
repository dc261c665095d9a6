/* A message as a struct. The records of a message are collected first, by field: the last of a
 * single one counts, those of a repeated one are its elements, and a message that comes in pieces
 * is read as the pieces one after the other, which is how they merge. Nesting is bounded, so
 * messages recurse. */
#include "formats/protobuf_int.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/utf8.h"

#define PIECE_NONE UINT32_MAX

struct piece { /* a record of a field */
    struct proto_record record;
    uint32_t next; /* of the same field */
};

struct pieces { /* of one field */
    uint32_t first, last;
    uint32_t count;
};

struct value_list {
    mangle_value *items, *keys; /* keys of a map */
    size_t count, cap, key_cap;
};

struct proto_decoder {
    const struct proto_set *set;
    mangle_values *t;
    struct arena arena; /* scratch */
    struct buf path;
    struct proto_error *error;
};

/* ---- what is wrong ------------------------------------------------------------------------- */

static bool refuse_message(struct proto_decoder *d, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse_message(struct proto_decoder *d, size_t offset, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(d->error->message, sizeof d->error->message, format, args);
    va_end(args);
    d->error->offset = offset;
    struct buf shown = { 0 };
    mgi_utf8_show(&shown, mgi_buf_view(&d->path));
    struct str text = mgi_utf8_prefix(mgi_buf_view(&shown), sizeof d->error->path - 1);
    snprintf(d->error->path, sizeof d->error->path, "%.*s", STR_ARG(text));
    mgi_buf_fini(&shown);
    return false;
}

static bool message_nomem(struct proto_decoder *d)
{
    d->error->oom = true;
    return refuse_message(d, 0, "out of memory");
}

/* The length of the path before, for leave(). */
static size_t enter(struct proto_decoder *d, struct str name)
{
    size_t before = d->path.len;
    if (before)
        mgi_buf_putc(&d->path, '.');
    mgi_buf_str(&d->path, name);
    return before;
}

static void leave(struct proto_decoder *d, size_t before)
{
    d->path.len = before;
    if (d->path.ptr)
        d->path.ptr[before] = 0;
}

static bool keep_value(struct proto_decoder *d, mangle_value v, mangle_value *out)
{
    *out = v;
    return v != MANGLE_NONE || message_nomem(d);
}

/* ---- scalars ------------------------------------------------------------------------------- */

static const char *unsigned_name(enum proto_type type)
{
    switch (type) {
    case PROTO_UINT32:
        return "uint32";
    case PROTO_UINT64:
        return "uint64";
    case PROTO_FIXED32:
        return "fixed32";
    case PROTO_FIXED64:
        return "fixed64";
    case PROTO_SFIXED32:
        return "sfixed32";
    case PROTO_SFIXED64:
        return "sfixed64";
    case PROTO_GROUP:
        return "group";
    default:
        return NULL;
    }
}

static enum proto_wire wire_of(enum proto_type type)
{
    switch (type) {
    case PROTO_DOUBLE:
        return PROTO_I64;
    case PROTO_FLOAT:
        return PROTO_I32;
    case PROTO_STRING:
    case PROTO_BYTES:
    case PROTO_MESSAGE:
        return PROTO_LEN;
    default:
        return PROTO_VARINT;
    }
}

static int64_t zigzag(uint64_t n)
{
    return (int64_t)(n >> 1 ^ (UINT64_MAX * (n & 1)));
}

static double float_of_bits(uint64_t bits, bool is_double)
{
    double wide;
    float narrow;
    uint32_t low = (uint32_t)bits;
    if (is_double) {
        memcpy(&wide, &bits, sizeof wide);
        return wide;
    }
    memcpy(&narrow, &low, sizeof narrow);
    return (double)narrow;
}

/* /EnumType/VALUE */
static bool enum_value(struct proto_decoder *d, const struct proto_field *f, int32_t number,
                       size_t offset, mangle_value *out)
{
    const struct proto_type_row *row = f->kind;
    for (size_t i = 0; i < row->value_count; i++) {
        if (row->values[i].number != number)
            continue;
        struct str value = row->values[i].name;
        char *name = mgi_arena_alloc(&d->arena, row->name.len + value.len + 2);
        if (!name)
            return message_nomem(d);
        name[0] = name[row->name.len + 1] = '/';
        if (row->name.len)
            memcpy(name + 1, row->name.ptr, row->name.len);
        if (value.len)
            memcpy(name + row->name.len + 2, value.ptr, value.len);
        *out = mangle_name(d->t, name, row->name.len + value.len + 2);
        if (*out != MANGLE_NONE)
            return true;
        return row->name.len && value.len ? message_nomem(d)
                                          : refuse_message(d, offset, "its enum has no name");
    }
    return refuse_message(d, offset, "its enum has no value %d", (int)number);
}

static bool number_value(struct proto_decoder *d, const struct proto_field *f, uint64_t n,
                         size_t offset, mangle_value *out)
{
    switch (f->type) {
    case PROTO_DOUBLE:
    case PROTO_FLOAT:
        return keep_value(d, mangle_float(d->t, float_of_bits(n, f->type == PROTO_DOUBLE)), out);
    case PROTO_INT64:
        return keep_value(d, mangle_number(d->t, (int64_t)n), out);
    case PROTO_INT32:
        return keep_value(d, mangle_number(d->t, (int32_t)n), out);
    case PROTO_SINT64:
        return keep_value(d, mangle_number(d->t, zigzag(n)), out);
    case PROTO_SINT32:
        return keep_value(d, mangle_number(d->t, (int32_t)zigzag((uint32_t)n)), out);
    case PROTO_BOOL:
        return keep_value(d, mangle_bool(d->t, n != 0), out);
    default:
        return enum_value(d, f, (int32_t)n, offset, out);
    }
}

static bool text_value(struct proto_decoder *d, const struct proto_field *f,
                       const struct proto_record *r, mangle_value *out)
{
    size_t bad;
    if (f->type == PROTO_STRING && !mgi_utf8_valid(r->bytes, &bad))
        return refuse_message(d, r->content + bad, "the string is not UTF-8");
    return keep_value(d, mangle_string(d->t, r->bytes.len ? r->bytes.ptr : "", r->bytes.len), out);
}

/* ---- messages ------------------------------------------------------------------------------ */

static bool read_message(struct proto_decoder *d, const struct proto_type_row *row,
                         struct proto_reader at, uint32_t depth, mangle_value *out);
static bool read_map_item(struct proto_decoder *d, const struct proto_type_row *row,
                          struct proto_reader at, uint32_t depth, struct value_list *list);

struct collected {
    struct piece *pieces;
    size_t count, cap;
    struct pieces *fields; /* per field of the type */
};

/* Another member of the same oneof takes its place. */
static void clear_oneof(const struct proto_type_row *row, struct collected *c, size_t kept)
{
    for (size_t i = 0; i < row->field_count; i++)
        if (i != kept && row->fields[i].oneof == row->fields[kept].oneof)
            c->fields[i] = (struct pieces){ PIECE_NONE, PIECE_NONE, 0 };
}

static bool check_record(struct proto_decoder *d, const struct proto_field *f,
                         const struct proto_record *r)
{
    const char *foreign = unsigned_name(f->type);
    size_t before = enter(d, f->name);
    bool packed = f->label == PROTO_REPEATED && r->wire == PROTO_LEN;
    bool good = true;
    if (foreign)
        good = refuse_message(d, r->offset, "a field of type %s has no value in Mangle", foreign);
    else if (r->wire != wire_of(f->type) && !packed)
        good = refuse_message(d, r->offset,
                              "the wire type is %d, but the field's is %d: another message type?",
                              (int)r->wire, (int)wire_of(f->type));
    if (good)
        leave(d, before);
    return good;
}

static bool collect_records(struct proto_decoder *d, const struct proto_type_row *row,
                            struct proto_reader at, struct collected *c)
{
    c->fields = mgi_arena_alloc(&d->arena, (row->field_count + 1) * sizeof *c->fields);
    if (!c->fields)
        return message_nomem(d);
    for (size_t i = 0; i < row->field_count; i++)
        c->fields[i] = (struct pieces){ PIECE_NONE, PIECE_NONE, 0 };
    while (at.rest.len) {
        struct proto_record r;
        const char *wrong = mgi_proto_next(&at, &r);
        if (wrong)
            return refuse_message(d, at.offset, "%s", wrong);
        const struct proto_field *f = mgi_proto_field(row, r.field);
        if (!f)
            continue;
        if (!check_record(d, f, &r))
            return false;
        if (!mgi_arena_grow(&d->arena, &c->pieces, &c->cap, c->count + 1, sizeof *c->pieces))
            return message_nomem(d);
        uint32_t piece = (uint32_t)c->count++;
        struct pieces *of = &c->fields[f - row->fields];
        c->pieces[piece] = (struct piece){ r, PIECE_NONE };
        if (of->last != PIECE_NONE)
            c->pieces[of->last].next = piece;
        else
            of->first = piece;
        of->last = piece;
        of->count++;
        if (f->oneof >= 0)
            clear_oneof(row, c, (size_t)(f - row->fields));
    }
    return true;
}

static bool add_item(struct proto_decoder *d, struct value_list *list, mangle_value v)
{
    if (!mgi_arena_grow(&d->arena, &list->items, &list->cap, list->count + 1, sizeof v))
        return message_nomem(d);
    list->items[list->count++] = v;
    return true;
}

/* Numbers one after the other, without tags. */
static bool read_packed(struct proto_decoder *d, const struct proto_field *f,
                        const struct proto_record *r, struct value_list *list)
{
    struct proto_reader at = { r->bytes, r->content };
    enum proto_wire wire = wire_of(f->type);
    while (at.rest.len) {
        uint64_t n = 0;
        mangle_value v;
        size_t offset = at.offset;
        const char *wrong = wire == PROTO_VARINT
                                ? mgi_proto_varint(&at, &n)
                                : mgi_proto_fixed(&at, wire == PROTO_I64 ? 8 : 4, &n);
        if (wrong)
            return refuse_message(d, offset, "%s", wrong);
        if (!number_value(d, f, n, offset, &v) || !add_item(d, list, v))
            return false;
    }
    return true;
}

static bool read_single(struct proto_decoder *d, const struct proto_field *f,
                        const struct proto_record *r, uint32_t depth, mangle_value *out)
{
    struct proto_reader at = { r->bytes, r->content };
    switch (f->type) {
    case PROTO_STRING:
    case PROTO_BYTES:
        return text_value(d, f, r, out);
    case PROTO_MESSAGE:
        return read_message(d, f->kind, at, depth + 1, out);
    default:
        return number_value(d, f, r->number, r->offset, out);
    }
}

static bool read_repeated(struct proto_decoder *d, const struct proto_field *f,
                          const struct collected *c, const struct pieces *of, uint32_t depth,
                          mangle_value *out)
{
    struct value_list list = { 0 };
    bool map = f->type == PROTO_MESSAGE && f->kind->map_entry;
    for (uint32_t i = of->first; i != PIECE_NONE; i = c->pieces[i].next) {
        const struct proto_record *r = &c->pieces[i].record;
        size_t before = d->path.len;
        mangle_value v;
        mgi_buf_printf(&d->path, "[%zu]", list.count);
        if (map) {
            struct proto_reader at = { r->bytes, r->content };
            if (!read_map_item(d, f->kind, at, depth + 1, &list))
                return false;
        } else if (r->wire == PROTO_LEN && wire_of(f->type) != PROTO_LEN) {
            if (!read_packed(d, f, r, &list))
                return false;
        } else if (!read_single(d, f, r, depth, &v) || !add_item(d, &list, v)) {
            return false;
        }
        leave(d, before);
    }
    *out = MANGLE_NONE; /* packed, of nothing: not populated */
    if (!list.count)
        return true;
    return keep_value(d,
                      map ? mangle_map(d->t, list.keys, list.items, list.count)
                          : mangle_list(d->t, list.items, list.count),
                      out);
}

/* Pieces of one message, in their order, are one message. */
static bool read_merged(struct proto_decoder *d, const struct proto_field *f,
                        const struct collected *c, const struct pieces *of, uint32_t depth,
                        mangle_value *out)
{
    size_t len = 0, filled = 0;
    for (uint32_t i = of->first; i != PIECE_NONE; i = c->pieces[i].next)
        len += c->pieces[i].record.bytes.len;
    char *text = mgi_arena_alloc(&d->arena, len + 1);
    if (!text)
        return message_nomem(d);
    for (uint32_t i = of->first; i != PIECE_NONE; i = c->pieces[i].next) {
        struct str bytes = c->pieces[i].record.bytes;
        if (bytes.len)
            memcpy(text + filled, bytes.ptr, bytes.len);
        filled += bytes.len;
    }
    struct proto_reader at = { { text, len }, c->pieces[of->first].record.content };
    return read_message(d, f->kind, at, depth + 1, out);
}

static bool is_zero(const struct proto_field *f, const struct proto_record *r)
{
    return f->implicit && (r->wire == PROTO_LEN ? r->bytes.len == 0 : r->number == 0);
}

/* *out is MANGLE_NONE for a field that is not populated. */
static bool read_populated(struct proto_decoder *d, const struct proto_field *f,
                           const struct collected *c, const struct pieces *of, uint32_t depth,
                           mangle_value *out)
{
    *out = MANGLE_NONE;
    if (of->count == 0)
        return true;
    const struct proto_record *last = &c->pieces[of->last].record;
    if (f->label == PROTO_REPEATED)
        return read_repeated(d, f, c, of, depth, out);
    if (f->type == PROTO_MESSAGE && of->count > 1)
        return read_merged(d, f, c, of, depth, out);
    return is_zero(f, last) || read_single(d, f, last, depth, out);
}

static bool add_field(struct proto_decoder *d, const struct proto_field *f, mangle_value v,
                      struct value_list *list)
{
    char *name = mgi_arena_alloc(&d->arena, f->name.len + 1);
    if (!name || !mgi_arena_grow(&d->arena, &list->keys, &list->key_cap, list->count + 1, sizeof v))
        return message_nomem(d);
    name[0] = '/';
    if (f->name.len)
        memcpy(name + 1, f->name.ptr, f->name.len);
    list->keys[list->count] = mangle_name(d->t, name, f->name.len + 1);
    if (list->keys[list->count] == MANGLE_NONE)
        return f->name.len ? message_nomem(d) : refuse_message(d, 0, "a field has no name");
    return add_item(d, list, v);
}

static bool read_fields(struct proto_decoder *d, const struct proto_type_row *row,
                        struct proto_reader at, uint32_t depth, mangle_value *out)
{
    struct collected c = { 0 };
    struct value_list list = { 0 };
    if (depth >= PROTO_MAX_DEPTH)
        return refuse_message(d, at.offset, "messages are nested deeper than %d", PROTO_MAX_DEPTH);
    if (!collect_records(d, row, at, &c))
        return false;
    for (size_t i = 0; i < row->field_count; i++) {
        const struct proto_field *f = &row->fields[i];
        size_t before = enter(d, f->name);
        mangle_value v;
        if (f->label == PROTO_REQUIRED && c.fields[i].count == 0)
            return refuse_message(d, at.offset, "the required field is missing");
        if (!read_populated(d, f, &c, &c.fields[i], depth, &v) ||
            (v != MANGLE_NONE && !add_field(d, f, v, &list)))
            return false;
        leave(d, before);
    }
    return keep_value(d, mangle_struct(d->t, list.keys, list.items, list.count), out);
}

static bool read_message(struct proto_decoder *d, const struct proto_type_row *row,
                         struct proto_reader at, uint32_t depth, mangle_value *out)
{
    struct arena_mark mark = mgi_arena_mark(&d->arena);
    bool good = read_fields(d, row, at, depth, out);
    mgi_arena_rewind(&d->arena, mark);
    return good;
}

/* ---- maps ---------------------------------------------------------------------------------- */

/* What a key or value of a map is that the wire leaves out. */
static bool default_value(struct proto_decoder *d, const struct proto_field *f, size_t offset,
                          uint32_t depth, mangle_value *out)
{
    struct proto_record empty = { .wire = wire_of(f->type), .offset = offset, .content = offset };
    const char *foreign = unsigned_name(f->type);
    empty.bytes = (struct str){ "", 0 };
    if (foreign)
        return refuse_message(d, offset, "a field of type %s has no value in Mangle", foreign);
    if (f->type == PROTO_ENUM && f->kind->value_count) /* the first one */
        return number_value(d, f, (uint64_t)(int64_t)f->kind->values[0].number, offset, out);
    return read_single(d, f, &empty, depth, out);
}

static bool map_part(struct proto_decoder *d, const struct proto_type_row *row,
                     const struct collected *c, uint32_t number, struct proto_reader at,
                     uint32_t depth, mangle_value *out)
{
    const struct proto_field *f = mgi_proto_field(row, number);
    if (!f || f->label == PROTO_REPEATED)
        return refuse_message(d, at.offset, "its type is no map");
    if (!read_populated(d, f, c, &c->fields[f - row->fields], depth, out))
        return false;
    return *out != MANGLE_NONE || default_value(d, f, at.offset, depth, out);
}

static bool read_map_item(struct proto_decoder *d, const struct proto_type_row *row,
                          struct proto_reader at, uint32_t depth, struct value_list *list)
{
    struct collected c = { 0 };
    mangle_value key, value;
    if (depth >= PROTO_MAX_DEPTH)
        return refuse_message(d, at.offset, "messages are nested deeper than %d", PROTO_MAX_DEPTH);
    if (!collect_records(d, row, at, &c) || !map_part(d, row, &c, 1, at, depth, &key) ||
        !map_part(d, row, &c, 2, at, depth, &value))
        return false;
    if (!mgi_arena_grow(&d->arena, &list->keys, &list->key_cap, list->count + 1, sizeof key))
        return message_nomem(d);
    list->keys[list->count] = key;
    return add_item(d, list, value);
}

/* ---- the message itself -------------------------------------------------------------------- */

static const struct proto_type_row *named_message(struct proto_decoder *d, struct str name)
{
    struct buf full = { 0 };
    mgi_buf_putc(&full, '.');
    mgi_buf_str(&full, name);
    const struct proto_type_row *row =
        full.oom ? NULL : mgi_proto_type(d->set, mgi_buf_view(&full));
    if (full.oom)
        message_nomem(d);
    else if (!row || row->is_enum)
        refuse_message(d, 0, "the descriptor set has no message type \"%.*s\"",
                       name.len > 100 ? 100 : (int)name.len, name.ptr);
    mgi_buf_fini(&full);
    return row && !row->is_enum ? row : NULL;
}

mangle_value mgi_struct_from_proto(const struct proto_set *set, struct str name, mangle_values *t,
                                   struct str bytes, struct proto_error *error)
{
    struct proto_decoder d = { .set = set, .t = t, .error = error };
    struct proto_reader at = { bytes, 0 };
    mangle_value v = MANGLE_NONE;
    *error = (struct proto_error){ .offset = 0 };
    mgi_arena_init(&d.arena, 0);
    const struct proto_type_row *row = named_message(&d, name);
    bool good = row && read_message(&d, row, at, 0, &v);
    if (good && d.path.oom)
        good = message_nomem(&d);
    mgi_arena_fini(&d.arena);
    mgi_buf_fini(&d.path);
    return good ? v : MANGLE_NONE;
}
