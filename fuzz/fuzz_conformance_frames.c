/* Frames of a server under test: any bytes, whole and in pieces, come to the same, and no more is
 * held than was given. The first byte says how long the pieces are. */
#include <stdlib.h>

#include "conformance/frames_told.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void read_all(struct str input, size_t step, struct buf *out)
{
    struct frames f = { 0 };
    tell_frames(&f, input, step, out);
    if (f.kept.len + f.message.len > 2 * input.len)
        abort();
    mgi_frames_fini(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct buf whole = { 0 }, pieces = { 0 };
    if (size < 2)
        return 0;
    struct str input = { (const char *)bytes + 1, size - 1 };
    read_all(input, input.len, &whole);
    read_all(input, 1 + bytes[0] % 16, &pieces);
    if (!str_eq(mgi_buf_view(&whole), mgi_buf_view(&pieces)))
        abort();
    mgi_buf_fini(&whole);
    mgi_buf_fini(&pieces);
    return 0;
}
