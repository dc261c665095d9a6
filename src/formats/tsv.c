/* Tab-separated values. A field without a backslash is not copied. */
#include "formats/tsv.h"

#include <string.h>

/* Escapes made characters, in place of *field. */
static enum csv_status unescape(struct arena *a, struct str *field)
{
    static const char names[] = "tnr\\", means[] = "\t\n\r\\";
    if (!field->len || !memchr(field->ptr, '\\', field->len))
        return CSV_RECORD;
    char *copy = mgi_arena_alloc(a, field->len);
    size_t len = 0;
    if (!copy)
        return CSV_NOMEM;
    for (size_t i = 0; i < field->len; i++) {
        copy[len] = field->ptr[i];
        if (field->ptr[i] == '\\') {
            const char *name =
                ++i < field->len ? memchr(names, field->ptr[i], sizeof names - 1) : NULL;
            if (!name)
                return CSV_BAD_ESCAPE;
            copy[len] = means[name - names];
        }
        len++;
    }
    *field = (struct str){ copy, len };
    return CSV_RECORD;
}

/* The line at the beginning of `rest`, which moves behind it. */
static struct str take_line(struct str *rest)
{
    const char *end = memchr(rest->ptr, '\n', rest->len);
    struct str line = { rest->ptr, end ? (size_t)(end - rest->ptr) : rest->len };
    rest->ptr += line.len + (end != NULL);
    rest->len -= line.len + (end != NULL);
    if (line.len && line.ptr[line.len - 1] == '\r')
        line.len--;
    return line;
}

enum csv_status mgi_tsv_next(struct arena *arena, struct str *rest, struct str **fields,
                             size_t *count, uint32_t *lines)
{
    size_t cap = 0;
    enum csv_status status = CSV_RECORD;
    struct str line = { 0 };
    *fields = NULL;
    *count = 0;
    *lines = 0;
    while (rest->len && line.len == 0) {
        line = take_line(rest);
        ++*lines;
    }
    if (line.len == 0)
        return CSV_END;
    for (const char *tab = line.ptr; tab;) {
        tab = line.len ? memchr(line.ptr, '\t', line.len) : NULL;
        struct str field = { line.ptr, tab ? (size_t)(tab - line.ptr) : line.len };
        if (!mgi_arena_grow(arena, fields, &cap, *count + 1, sizeof **fields))
            return CSV_NOMEM;
        line.ptr += field.len + (tab != NULL);
        line.len -= field.len + (tab != NULL);
        enum csv_status said = unescape(arena, &field);
        if (said == CSV_NOMEM)
            return said;
        status = said == CSV_RECORD ? status : said;
        (*fields)[(*count)++] = field;
    }
    return status;
}
