/* What requests have in common: reading parameters, finding what a request points at, writing
 * ranges. */
#include "lsp/lsp_int.h"

struct str mgi_lsp_text_of(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_STRING ? v->string : (struct str){ "", 0 };
}

int64_t mgi_lsp_int_of(const struct json *object, const char *name, int64_t otherwise)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_INT ? v->integer : otherwise;
}

bool mgi_lsp_bool_of(const struct json *object, const char *name, bool otherwise)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_BOOL ? v->boolean : otherwise;
}

static uint32_t unsigned_of(int64_t n)
{
    return n < 0 ? 0 : n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

struct position mgi_lsp_position_of(const struct json *position)
{
    return (struct position){ unsigned_of(mgi_lsp_int_of(position, "line", 0)),
                              unsigned_of(mgi_lsp_int_of(position, "character", 0)) };
}

bool mgi_lsp_place_of(struct lsp *s, const struct json *params, struct lsp_place *out)
{
    *out = (struct lsp_place){ .index = SIZE_MAX };
    out->file = mgi_lsp_file(s, mgi_lsp_text_of(mgi_json_get(params, "textDocument"), "uri"));
    if (!out->file) {
        mgi_lsp_fail(s, LSP_INVALID_PARAMS, "this document is not open");
        return false;
    }
    out->program = mgi_lsp_program(s, out->file);
    if (!out->program) {
        mgi_lsp_fail(s, LSP_INTERNAL_ERROR, "out of memory");
        return false;
    }
    out->unit = mgi_lsp_unit_of(out->program, out->file);
    out->offset = (uint32_t)mgi_text_offset(
        &out->file->text, mgi_lsp_position_of(mgi_json_get(params, "position")), s->units);
    out->index = mangle_outline_find(out->program->outline, out->unit, out->offset);
    if (out->index != SIZE_MAX)
        out->at = mangle_outline_get(out->program->outline, out->index);
    return true;
}

struct position mgi_lsp_position(struct lsp *s, const struct lsp_file *f, size_t offset)
{
    struct position p;
    if (s->cursor.file == f && s->cursor.revision == f->revision)
        p = mgi_text_position_after(&f->text, s->cursor.offset, s->cursor.position, offset,
                                    s->units);
    else
        p = mgi_text_position(&f->text, offset, s->units);
    s->cursor.file = f;
    s->cursor.revision = f->revision;
    s->cursor.offset = offset < f->text.body.len ? offset : f->text.body.len;
    s->cursor.position = p;
    return p;
}

void mgi_lsp_write_position(struct lsp *s, struct json_writer *w, const struct lsp_file *f,
                            size_t offset)
{
    struct position p = mgi_lsp_position(s, f, offset);
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "line", p.line);
    mgi_jw_member_int(w, "character", p.character);
    mgi_jw_end_object(w);
}

void mgi_lsp_write_range(struct lsp *s, struct json_writer *w, const char *key,
                         const struct lsp_file *f, size_t from, size_t to)
{
    mgi_jw_key(w, key);
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "start");
    mgi_lsp_write_position(s, w, f, from);
    mgi_jw_key(w, "end");
    mgi_lsp_write_position(s, w, f, to);
    mgi_jw_end_object(w);
}

void mgi_lsp_write_location(struct lsp *s, struct json_writer *w, const struct lsp_file *f,
                            size_t from, size_t to)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "uri", f->uri);
    mgi_lsp_write_range(s, w, "range", f, from, to);
    mgi_jw_end_object(w);
}

bool mgi_lsp_same_thing(const struct mangle_occurrence *a, const struct mangle_occurrence *b)
{
    if (a->kind != b->kind || strcmp(a->name, b->name) != 0)
        return false;
    if (a->kind == MANGLE_AT_PREDICATE)
        return a->arity == b->arity;
    return a->kind != MANGLE_AT_VARIABLE || a->clause == b->clause;
}
