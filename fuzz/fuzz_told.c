/* Any bytes as what the rules were told, from the store: refused, or read and written back to the
 * same. */
#include <stdlib.h>

#include "base/buf.h"
#include "macro/told.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct arena arena;
    struct told t, again;
    struct buf once = { 0 }, twice = { 0 };
    mgi_arena_init(&arena, 0);
    if (mgi_told_read(&arena, (struct str){ (const char *)bytes, len }, &t)) {
        mgi_told_write(&once, &t);
        if (!mgi_told_read(&arena, mgi_buf_view(&once), &again))
            abort();
        mgi_told_write(&twice, &again);
        if (!str_eq(mgi_buf_view(&once), mgi_buf_view(&twice)))
            abort();
    }
    mgi_buf_fini(&once);
    mgi_buf_fini(&twice);
    mgi_arena_fini(&arena);
    return 0;
}
