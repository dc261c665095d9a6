/* TSV: what is read and written again reads back as the same fields. */
#include <stdint.h>
#include <stdlib.h>

#include "formats/tsv.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void write_field(struct buf *out, struct str field)
{
    for (size_t i = 0; i < field.len; i++) {
        char c = field.ptr[i];
        char name = c == '\t' ? 't' : c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\\' ? '\\' : 0;
        if (name)
            mgi_buf_putc(out, '\\');
        mgi_buf_putc(out, name ? name : c);
    }
}

static void check_record(struct arena *arena, const struct str *fields, size_t count)
{
    struct buf text = { 0 };
    struct str *again;
    size_t again_count;
    uint32_t lines;
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            mgi_buf_putc(&text, '\t');
        write_field(&text, fields[i]);
    }
    mgi_buf_putc(&text, '\n');
    struct str rest = mgi_buf_view(&text);
    if (mgi_tsv_next(arena, &rest, &again, &again_count, &lines) != CSV_RECORD || lines != 1 ||
        again_count != count || rest.len != 0)
        abort();
    for (size_t i = 0; i < count; i++)
        if (!str_eq(fields[i], again[i]))
            abort();
    mgi_buf_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena arena;
    struct str rest = { (const char *)bytes, size };
    struct str *fields;
    size_t count;
    uint32_t lines;
    enum csv_status status;
    mgi_arena_init(&arena, 0);
    while ((status = mgi_tsv_next(&arena, &rest, &fields, &count, &lines)) != CSV_END) {
        if (lines == 0 || count == 0)
            abort();
        if (status == CSV_RECORD)
            check_record(&arena, fields, count);
        else if (status != CSV_BAD_ESCAPE)
            abort();
    }
    mgi_arena_fini(&arena);
    return 0;
}
