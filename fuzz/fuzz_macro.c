/* Any bytes as a definition from the store: refused, or read and written back to the same
 * definition. */
#include <stdlib.h>

#include "macro/macro.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct arena arena;
    struct macro m, again;
    struct buf once = { 0 }, twice = { 0 };
    mgi_arena_init(&arena, 0);
    if (mgi_macro_read(&arena, (struct str){ (const char *)bytes, len }, &m)) {
        mgi_macro_write(&once, &m);
        if (!mgi_macro_read(&arena, mgi_buf_view(&once), &again))
            abort();
        mgi_macro_write(&twice, &again);
        if (!str_eq(mgi_buf_view(&once), mgi_buf_view(&twice)))
            abort();
    }
    mgi_buf_fini(&once);
    mgi_buf_fini(&twice);
    mgi_arena_fini(&arena);
    return 0;
}
