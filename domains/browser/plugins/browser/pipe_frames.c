/* Bytes of the pipe as messages: see pipe.h. */
#include "pipe.h"

#define LOST_SHOWN 64 /* enough of a message to see whose reply it was */

static void append(struct pipe_frames *f, struct str bytes, const struct wire_ear *ear)
{
    if (f->skipping || bytes.len == 0)
        return;
    if (bytes.len <= f->most && f->partial.len <= f->most - bytes.len)
        mgi_buf_str(&f->partial, bytes);
    else
        f->skipping = true;
    f->skipping |= f->partial.oom;
    if (!f->skipping)
        return;
    f->dropped++;
    struct str begun = f->partial.len > 0 ? mgi_buf_view(&f->partial) : bytes;
    if (ear->lost)
        ear->lost(ear->context,
                  (struct str){ begun.ptr, begun.len < LOST_SHOWN ? begun.len : LOST_SHOWN });
    mgi_buf_fini(&f->partial);
}

void mgi_pipe_frames_take(struct pipe_frames *f, struct str bytes, const struct wire_ear *ear)
{
    while (bytes.len > 0) {
        const char *end = memchr(bytes.ptr, '\0', bytes.len);
        size_t len = end ? (size_t)(end - bytes.ptr) : bytes.len;
        struct str piece = { bytes.ptr, len };
        bool whole = end && f->partial.len == 0 && !f->skipping && len <= f->most;
        if (!whole)
            append(f, piece, ear);
        if (!end)
            return;
        if (!f->skipping) {
            struct str text = whole ? piece : mgi_buf_view(&f->partial);
            if (text.len > 0)
                ear->message(ear->context, text);
        }
        f->skipping = false;
        if (f->partial.cap > (1u << 20))
            mgi_buf_fini(&f->partial); /* one large message is no reason to keep so much */
        else
            mgi_buf_clear(&f->partial);
        bytes = (struct str){ end + 1, bytes.len - len - 1 };
    }
}

void mgi_pipe_frames_fini(struct pipe_frames *f)
{
    mgi_buf_fini(&f->partial);
}
