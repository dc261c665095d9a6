/* What came from the store is refused, or read and written back to the same. Before this, a target
 * defines THING, READ_THING and WRITE_THING. */
#ifndef MGI_FUZZ_ROUND_TRIP_H
#define MGI_FUZZ_ROUND_TRIP_H

#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct arena arena;
    THING first, again;
    struct buf once = { 0 }, twice = { 0 };
    mgi_arena_init(&arena, 0);
    if (READ_THING(&arena, (struct str){ (const char *)bytes, len }, &first)) {
        WRITE_THING(&once, &first);
        if (!READ_THING(&arena, mgi_buf_view(&once), &again))
            abort();
        WRITE_THING(&twice, &again);
        if (!str_eq(mgi_buf_view(&once), mgi_buf_view(&twice)))
            abort();
    }
    mgi_buf_fini(&once);
    mgi_buf_fini(&twice);
    mgi_arena_fini(&arena);
    return 0;
}

#endif
