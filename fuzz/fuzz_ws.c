/* WebSocket frames: any bytes, fed whole and in pieces, give the same events in both roles, read
 * nothing beyond what was given and hold no more than arrived. The first byte chooses role and
 * pieces. */
#include "net/ws_frames.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void read_all(const struct ws_codec_options *options, struct str input, size_t step,
                     struct buf *out)
{
    struct ws ws;
    mgi_ws_init(&ws, options);
    feed_pieces(&ws, input, step, out);
    if (mgi_ws_held(&ws) > 2 * input.len + 8192)
        abort();
    mgi_ws_fini(&ws);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 2)
        return 0;
    struct ws_codec_options options = {
        .role = bytes[0] & 1 ? WS_SERVER : WS_CLIENT,
        .skip_binary = bytes[0] & 2,
        .max_message = 256,
    };
    struct str input = { (const char *)bytes + 1, size - 1 };
    struct buf whole = { 0 }, pieces = { 0 };
    read_all(&options, input, input.len, &whole);
    read_all(&options, input, 1 + (bytes[0] >> 3), &pieces);
    if (!str_eq(mgi_buf_view(&whole), mgi_buf_view(&pieces)))
        abort();
    mgi_buf_fini(&whole);
    mgi_buf_fini(&pieces);
    return 0;
}
