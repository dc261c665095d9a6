/* Comma-separated values (RFC 4180). One pass over the bytes; a field without a doubled quote is
 * not copied. */
#include "formats/csv.h"

/* The field at the beginning of `rest`, which moves to the comma or line end behind it. */
static enum csv_status read_field(struct arena *a, struct str *rest, struct str *out,
                                  uint32_t *lines)
{
    size_t at = 0;
    bool quoted = rest->len && rest->ptr[0] == '"';
    if (!quoted) {
        while (at < rest->len && rest->ptr[at] != ',' && rest->ptr[at] != '\n') {
            if (rest->ptr[at++] == '"')
                return CSV_STRAY_QUOTE;
        }
        *out = (struct str){ rest->ptr, at };
        if (at < rest->len && rest->ptr[at] == '\n' && at && rest->ptr[at - 1] == '\r')
            out->len--;
        if (at == rest->len && at && rest->ptr[at - 1] == '\r')
            out->len--;
    } else {
        size_t doubled = 0;
        for (at = 1;; at++) {
            if (at >= rest->len)
                return CSV_OPEN_QUOTE;
            *lines += rest->ptr[at] == '\n';
            if (rest->ptr[at] != '"')
                continue;
            if (at + 1 >= rest->len || rest->ptr[at + 1] != '"')
                break;
            doubled++;
            at++;
        }
        *out = (struct str){ rest->ptr + 1, at - 1 };
        at++;
        if (at < rest->len && rest->ptr[at] == '\r')
            at++;
        if (at < rest->len && rest->ptr[at] != ',' && rest->ptr[at] != '\n')
            return CSV_STRAY_QUOTE;
        if (doubled) {
            char *copy = mgi_arena_alloc(a, out->len);
            size_t len = 0;
            if (!copy)
                return CSV_NOMEM;
            for (size_t i = 0; i < out->len; i++) {
                copy[len++] = out->ptr[i];
                i += out->ptr[i] == '"';
            }
            *out = (struct str){ copy, len };
        }
    }
    rest->ptr += at;
    rest->len -= at;
    return CSV_RECORD;
}

enum csv_status mgi_csv_next(struct arena *arena, struct str *rest, struct str **fields,
                             size_t *count, uint32_t *lines)
{
    size_t cap = 0;
    *fields = NULL;
    *count = 0;
    *lines = 0;
    while (rest->len && (rest->ptr[0] == '\n' || rest->ptr[0] == '\r')) {
        *lines += rest->ptr[0] == '\n';
        rest->ptr++;
        rest->len--;
    }
    if (!rest->len)
        return CSV_END;
    for (;;) {
        if (!mgi_arena_grow(arena, fields, &cap, *count + 1, sizeof **fields))
            return CSV_NOMEM;
        enum csv_status status = read_field(arena, rest, &(*fields)[*count], lines);
        if (status != CSV_RECORD)
            return status;
        ++*count;
        bool more = rest->len && rest->ptr[0] == ',';
        bool ended = rest->len && rest->ptr[0] == '\n';
        if (more || ended) {
            rest->ptr++;
            rest->len--;
        }
        if (!more) {
            *lines += 1;
            return CSV_RECORD;
        }
    }
}

const char *mgi_csv_fault(enum csv_status status)
{
    switch (status) {
    case CSV_OPEN_QUOTE:
        return "a quote is not closed";
    case CSV_STRAY_QUOTE:
        return "a quote stands inside a field; quote the field and double it";
    case CSV_BAD_ESCAPE:
        return "a backslash begins \\t, \\n, \\r or \\\\; write \\\\ for one";
    case CSV_NOMEM:
        return "out of memory";
    default:
        return "no fault";
    }
}

void mgi_csv_write(struct buf *out, struct str field)
{
    bool plain = true;
    for (size_t i = 0; i < field.len && plain; i++) {
        char c = field.ptr[i];
        plain = c != '"' && c != ',' && c != '\r' && c != '\n';
    }
    if (plain) {
        mgi_buf_str(out, field);
        return;
    }
    mgi_buf_putc(out, '"');
    for (size_t i = 0; i < field.len; i++) {
        if (field.ptr[i] == '"')
            mgi_buf_putc(out, '"');
        mgi_buf_putc(out, field.ptr[i]);
    }
    mgi_buf_putc(out, '"');
}
