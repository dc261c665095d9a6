/* CSV: what is read and written again reads back as the same fields. */
#include <stdint.h>
#include <stdlib.h>

#include "formats/csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_record(struct arena *arena, const struct str *fields, size_t count)
{
    struct buf text = { 0 };
    struct str *again;
    size_t again_count;
    uint32_t lines;
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            mgi_buf_putc(&text, ',');
        mgi_csv_write(&text, fields[i]);
    }
    mgi_buf_putc(&text, '\n');
    struct str rest = mgi_buf_view(&text);
    if (rest.len > 1) { /* one empty field alone is an empty line */
        if (mgi_csv_next(arena, &rest, &again, &again_count, &lines) != CSV_RECORD ||
            again_count != count || rest.len != 0)
            abort();
        for (size_t i = 0; i < count; i++)
            if (!str_eq(fields[i], again[i]))
                abort();
    }
    mgi_buf_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena arena;
    struct str rest = { (const char *)bytes, size };
    struct str *fields;
    size_t count;
    uint32_t lines;
    mgi_arena_init(&arena, 0);
    while (mgi_csv_next(&arena, &rest, &fields, &count, &lines) == CSV_RECORD)
        check_record(&arena, fields, count);
    mgi_arena_fini(&arena);
    return 0;
}
