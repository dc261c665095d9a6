/* A compiled descriptor set: its messages and enums, by their full names. descriptor.proto itself
 * is what the numbers below come from. */
#include "formats/protobuf_int.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/utf8.h"

struct set_reader {
    struct proto_set *set;
    struct proto_error *error;
    bool proto3; /* the file at hand */
};

static bool refuse_set(struct set_reader *r, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse_set(struct set_reader *r, size_t offset, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(r->error->message, sizeof r->error->message, format, args);
    va_end(args);
    r->error->offset = offset;
    return false;
}

static bool set_nomem(struct set_reader *r)
{
    r->error->oom = true;
    return refuse_set(r, 0, "out of memory");
}

/* The next record of a message; false at its end, and after reporting (*good is false then). */
static bool set_next(struct set_reader *r, struct proto_reader *at, struct proto_record *out,
                     bool *good)
{
    if (at->rest.len == 0)
        return false;
    const char *wrong = mgi_proto_next(at, out);
    if (wrong)
        *good = refuse_set(r, at->offset, "%s", wrong);
    return !wrong;
}

static struct proto_reader inside(const struct proto_record *record)
{
    return (struct proto_reader){ record->bytes, record->content };
}

static bool is_text(const struct proto_record *record, uint32_t field)
{
    return record->field == field && record->wire == PROTO_LEN;
}

static bool is_varint(const struct proto_record *record, uint32_t field)
{
    return record->field == field && record->wire == PROTO_VARINT;
}

/* ---- enums and fields ---------------------------------------------------------------------- */

static bool read_enum_value(struct set_reader *r, struct proto_reader at,
                            struct proto_type_row *row)
{
    struct proto_record record;
    struct proto_enum_value value = { 0 };
    bool good = true;
    while (set_next(r, &at, &record, &good)) {
        if (is_text(&record, 1))
            value.name = record.bytes;
        else if (is_varint(&record, 2))
            value.number = (int32_t)record.number;
    }
    if (!good)
        return false;
    if (!mgi_arena_grow(&r->set->arena, &row->values, &row->value_cap, row->value_count + 1,
                        sizeof value))
        return set_nomem(r);
    row->values[row->value_count++] = value;
    return true;
}

/* Of FieldOptions and MessageOptions one flag each matters: map_entry = 7 of the latter. */
static bool read_map_entry(struct set_reader *r, struct proto_reader at, bool *flag)
{
    struct proto_record record;
    bool good = true;
    while (set_next(r, &at, &record, &good))
        if (is_varint(&record, 7))
            *flag = record.number != 0;
    return good;
}

static bool read_proto_field(struct set_reader *r, struct proto_reader at,
                             struct proto_type_row *row)
{
    struct proto_record record;
    struct proto_field f = { .label = PROTO_OPTIONAL, .oneof = -1, .offset = at.offset };
    uint64_t type = 0, number = 0, label = PROTO_OPTIONAL;
    bool good = true, optional = false;
    while (set_next(r, &at, &record, &good)) {
        if (is_text(&record, 1))
            f.name = record.bytes;
        else if (is_varint(&record, 3))
            number = record.number;
        else if (is_varint(&record, 4))
            label = record.number;
        else if (is_varint(&record, 5))
            type = record.number;
        else if (is_text(&record, 6))
            f.type_name = record.bytes;
        else if (is_varint(&record, 9))
            f.oneof = record.number < INT32_MAX ? (int32_t)record.number : INT32_MAX;
        else if (is_varint(&record, 17))
            optional = record.number != 0;
    }
    if (!good)
        return false;
    if (number == 0 || number >> 29 || type < PROTO_DOUBLE || type > PROTO_SINT64 ||
        label < PROTO_OPTIONAL || label > PROTO_REPEATED)
        return refuse_set(r, f.offset, "this is no description of a field");
    f.number = (uint32_t)number;
    f.type = (enum proto_type)type;
    f.label = (enum proto_label)label;
    f.implicit = r->proto3 && !optional && f.oneof < 0 && f.label == PROTO_OPTIONAL &&
                 f.type != PROTO_MESSAGE;
    if (!mgi_arena_grow(&r->set->arena, &row->fields, &row->field_cap, row->field_count + 1,
                        sizeof f))
        return set_nomem(r);
    row->fields[row->field_count++] = f;
    return true;
}

/* ---- types --------------------------------------------------------------------------------- */

static int compare_fields(const void *left, const void *right)
{
    const struct proto_field *a = left, *b = right;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* The name of a description is needed for what is in it, and may stand anywhere. */
static bool find_type_name(struct set_reader *r, struct proto_reader at, uint32_t field,
                           struct str *name)
{
    struct proto_record record;
    bool good = true;
    *name = (struct str){ "", 0 };
    while (set_next(r, &at, &record, &good))
        if (is_text(&record, field))
            *name = record.bytes;
    return good;
}

static struct proto_type_row *add_type(struct set_reader *r, struct proto_reader at,
                                       struct str scope)
{
    struct proto_set *set = r->set;
    struct str name;
    if (!find_type_name(r, at, 1, &name))
        return NULL;
    struct proto_type_row *row = mgi_arena_calloc(&set->arena, 1, sizeof *row);
    char *full = mgi_arena_alloc(&set->arena, scope.len + 1 + name.len);
    if (!row || !full ||
        !mgi_arena_grow(&set->arena, &set->rows, &set->cap, set->count + 1, sizeof *set->rows)) {
        set_nomem(r);
        return NULL;
    }
    if (scope.len)
        memcpy(full, scope.ptr, scope.len);
    full[scope.len] = '.';
    if (name.len)
        memcpy(full + scope.len + 1, name.ptr, name.len);
    row->name = name;
    row->full_name = (struct str){ full, scope.len + 1 + name.len };
    if (!mgi_strmap_put(&set->index, row->full_name, (uint32_t)set->count)) {
        set_nomem(r);
        return NULL;
    }
    set->rows[set->count++] = row;
    return row;
}

static bool read_enum(struct set_reader *r, struct proto_reader at, struct str scope)
{
    struct proto_type_row *row = add_type(r, at, scope);
    struct proto_record record;
    bool good = row != NULL;
    if (row)
        row->is_enum = true;
    while (good && set_next(r, &at, &record, &good))
        if (is_text(&record, 2))
            good = read_enum_value(r, inside(&record), row);
    return good;
}

static bool read_message_type(struct set_reader *r, struct proto_reader at, struct str scope,
                              uint32_t depth)
{
    struct proto_record record;
    if (depth == PROTO_MAX_DEPTH)
        return refuse_set(r, at.offset, "types are nested too deep");
    struct proto_type_row *row = add_type(r, at, scope);
    bool good = row != NULL;
    while (good && set_next(r, &at, &record, &good)) {
        if (is_text(&record, 2))
            good = read_proto_field(r, inside(&record), row);
        else if (is_text(&record, 3))
            good = read_message_type(r, inside(&record), row->full_name, depth + 1);
        else if (is_text(&record, 4))
            good = read_enum(r, inside(&record), row->full_name);
        else if (is_text(&record, 7))
            good = read_map_entry(r, inside(&record), &row->map_entry);
    }
    if (good && row->field_count)
        qsort(row->fields, row->field_count, sizeof *row->fields, compare_fields);
    return good;
}

static bool read_proto_file(struct set_reader *r, struct proto_reader at)
{
    struct proto_record record;
    struct str package, syntax;
    if (!find_type_name(r, at, 2, &package) || !find_type_name(r, at, 12, &syntax))
        return false;
    r->proto3 = str_is(syntax, "proto3");
    struct str scope = { "", 0 };
    if (package.len) {
        char *text = mgi_arena_alloc(&r->set->arena, package.len + 1);
        if (!text)
            return set_nomem(r);
        text[0] = '.';
        memcpy(text + 1, package.ptr, package.len);
        scope = (struct str){ text, package.len + 1 };
    }
    bool good = true;
    while (good && set_next(r, &at, &record, &good)) {
        if (is_text(&record, 4))
            good = read_message_type(r, inside(&record), scope, 0);
        else if (is_text(&record, 5))
            good = read_enum(r, inside(&record), scope);
    }
    return good;
}

static bool resolve_field_type(struct set_reader *r, struct proto_field *f)
{
    bool is_enum = f->type == PROTO_ENUM;
    if (!is_enum && f->type != PROTO_MESSAGE)
        return true;
    f->kind = mgi_proto_type(r->set, f->type_name);
    if (f->kind && f->kind->is_enum == is_enum)
        return true;
    char shown[80];
    struct buf text = { 0 };
    mgi_utf8_show(&text, mgi_utf8_prefix(f->type_name, 60));
    snprintf(shown, sizeof shown, "%s", text.ptr ? text.ptr : "");
    mgi_buf_fini(&text);
    return refuse_set(r, f->offset, "the type %s is not in the set: protoc --include_imports",
                      shown);
}

const struct proto_type_row *mgi_proto_type(const struct proto_set *set, struct str full_name)
{
    uint32_t at;
    return mgi_strmap_get(&set->index, full_name, &at) ? set->rows[at] : NULL;
}

const struct proto_field *mgi_proto_field(const struct proto_type_row *row, uint32_t number)
{
    struct proto_field wanted = { .number = number };
    return row->field_count ? bsearch(&wanted, row->fields, row->field_count, sizeof *row->fields,
                                      compare_fields)
                            : NULL;
}

struct proto_set *mgi_proto_set_read(struct str bytes, struct proto_error *error)
{
    struct set_reader r = { .set = mgi_calloc(1, sizeof *r.set), .error = error };
    struct proto_reader at = { bytes, 0 };
    struct proto_record record;
    bool good = true;
    *error = (struct proto_error){ .offset = 0 };
    if (!r.set) {
        set_nomem(&r);
        return NULL;
    }
    mgi_arena_init(&r.set->arena, 0);
    mgi_strmap_init(&r.set->index);
    while (good && set_next(&r, &at, &record, &good))
        if (is_text(&record, 1))
            good = read_proto_file(&r, inside(&record));
    for (size_t i = 0; good && i < r.set->count; i++)
        for (size_t f = 0; good && f < r.set->rows[i]->field_count; f++)
            good = resolve_field_type(&r, &r.set->rows[i]->fields[f]);
    if (good)
        return r.set;
    mgi_proto_set_free(r.set);
    return NULL;
}

void mgi_proto_set_free(struct proto_set *set)
{
    if (!set)
        return;
    mgi_strmap_fini(&set->index);
    mgi_arena_fini(&set->arena);
    mgi_free(set);
}
