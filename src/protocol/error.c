/* Wire errors: one table, one object, one way to write it (protocol.md §2.18, part 4).
 *
 * Every answer that is an error passes through here. Rows are found by their enumerator, which is
 * their index. */
#include "protocol/error.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"

#define SHAPE_MAX_FAULTS 50 /* listed; more are only counted */

static const struct wire_code_row code_rows[] = { { WIRE_OK, "ok", 200, false },
#define WIRE_CODE_ROW(id, name, http, recoverable) { id, name, http, recoverable },
                                                  WIRE_CODES(WIRE_CODE_ROW)
#undef WIRE_CODE_ROW
};

const struct wire_code_row *mgi_wire_code(enum wire_code code)
{
    assert((size_t)code < sizeof code_rows / sizeof *code_rows);
    return &code_rows[code];
}

const struct wire_code_row *mgi_wire_code_by_name(struct str name)
{
    for (size_t i = 1; i < sizeof code_rows / sizeof *code_rows; i++)
        if (str_is(name, code_rows[i].name))
            return &code_rows[i];
    return NULL;
}

static const char *arena_vprintf(struct arena *a, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = len < 0 ? NULL : mgi_arena_alloc(a, (size_t)len + 1);
    if (text)
        vsnprintf(text, (size_t)len + 1, format, args);
    return text;
}

void mgi_wire_error(struct wire_error *e, struct arena *a, enum wire_code code, const char *format,
                    ...)
{
    if (e->code != WIRE_OK)
        return;
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(a, format, args);
    va_end(args);
    *e = (struct wire_error){
        .code = code,
        .message = text ? text : "The server ran out of memory while it described this error.",
        .retry_after_ms = -1,
    };
}

void mgi_wire_details(struct wire_error *e, struct arena *a, const struct buf *json)
{
    assert(e->code != WIRE_OK);
    if (json->oom || json->len == 0)
        return;
    struct str copy = mgi_arena_str(a, mgi_buf_view(json));
    if (copy.ptr)
        e->details = copy;
}

void mgi_wire_error_write(struct json_writer *w, const struct wire_error *e)
{
    const struct wire_code_row *row = mgi_wire_code(e->code);
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "code", row->name);
    mgi_jw_member_cstr(w, "message", e->message ? e->message : row->name);
    mgi_jw_member_bool(w, "recoverable", row->recoverable);
    if (e->details.len > 0) {
        mgi_jw_key(w, "details");
        mgi_jw_raw(w, e->details);
    }
    if (e->retry_after_ms >= 0)
        mgi_jw_member_int(w, "retry_after_ms", e->retry_after_ms);
    mgi_jw_end_object(w);
}

const char *mgi_show(struct arena *a, struct str text, size_t max_bytes)
{
    struct str cut = mgi_utf8_prefix(text, max_bytes);
    struct buf shown;
    mgi_buf_init(&shown);
    mgi_utf8_show(&shown, cut);
    if (cut.len < text.len)
        mgi_buf_puts(&shown, "...");
    const char *copy = shown.oom ? NULL : mgi_arena_strdup(a, mgi_buf_view(&shown).ptr);
    mgi_buf_fini(&shown);
    return copy ? copy : "(text)";
}

/* ---- shape faults ------------------------------------------------------------------------ */

void mgi_shape_init(struct shape *s, struct arena *a)
{
    *s = (struct shape){ .arena = a };
    mgi_buf_init(&s->list);
}

void mgi_shape_fault(struct shape *s, const char *pointer, const char *format, ...)
{
    if (s->count++ >= SHAPE_MAX_FAULTS)
        return;
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(s->arena, format, args);
    va_end(args);
    if (!text)
        text = "is not as it should be";
    if (s->count == 1)
        s->first = mgi_arena_printf(s->arena, "%s %s", *pointer ? pointer : "It", text);

    struct json_writer w;
    if (s->list.len > 0)
        mgi_buf_putc(&s->list, ',');
    mgi_json_writer_init(&w, &s->list, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "path", pointer);
    mgi_jw_member_cstr(&w, "message", text);
    mgi_jw_end_object(&w);
}

/* The faults noted, as malformed_message with `reason`; what is wrong is called `what`. */
bool mgi_shape_failed_as(struct shape *s, struct wire_error *e, const char *reason,
                         const char *what)
{
    if (s->count == 0)
        return false;
    if (s->count == 1)
        mgi_wire_error(e, s->arena, WIRE_MALFORMED_MESSAGE, "The %s is not well formed: %s.", what,
                       s->first ? s->first : "see the details");
    else
        mgi_wire_error(e, s->arena, WIRE_MALFORMED_MESSAGE,
                       "The %s is not well formed in %u places; the first: %s.", what, s->count,
                       s->first ? s->first : "see the details");
    struct buf details;
    mgi_buf_init(&details);
    struct json_writer w;
    mgi_json_writer_init(&w, &details, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "reason", reason);
    mgi_jw_key(&w, "violations");
    mgi_jw_begin_array(&w);
    if (s->list.len > 0 && !s->list.oom)
        mgi_jw_raw(&w, mgi_buf_view(&s->list));
    mgi_jw_end_array(&w);
    mgi_jw_end_object(&w);
    mgi_wire_details(e, s->arena, &details);
    mgi_buf_fini(&details);
    return true;
}

bool mgi_shape_failed(struct shape *s, struct wire_error *e)
{
    return mgi_shape_failed_as(s, e, "payload", "payload");
}

void mgi_shape_fini(struct shape *s)
{
    mgi_buf_fini(&s->list);
}
