/* Bytes of the pipe as messages: see pipe.h. */
#include "pipe.h"

#define LOST_SHOWN 64 /* enough of a message to see whose reply it was */

static void append(struct pipe_frames *f, struct str bytes,
                   void (*lost)(void *context, struct str beginning), void *context)
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
    if (lost)
        lost(context, (struct str){ begun.ptr, begun.len < LOST_SHOWN ? begun.len : LOST_SHOWN });
    mgi_buf_fini(&f->partial);
}

void mgi_pipe_frames_take(struct pipe_frames *f, struct str bytes,
                          void (*message)(void *context, struct str text),
                          void (*lost)(void *context, struct str beginning), void *context)
{
    while (bytes.len > 0) {
        const char *end = memchr(bytes.ptr, '\0', bytes.len);
        size_t len = end ? (size_t)(end - bytes.ptr) : bytes.len;
        struct str piece = { bytes.ptr, len };
        bool whole = end && f->partial.len == 0 && !f->skipping && len <= f->most;
        if (!whole)
            append(f, piece, lost, context);
        if (!end)
            return;
        if (!f->skipping) {
            struct str text = whole ? piece : mgi_buf_view(&f->partial);
            if (text.len > 0)
                message(context, text);
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

static size_t skip_blank(struct str s, size_t at)
{
    while (at < s.len && (s.ptr[at] == ' ' || s.ptr[at] == '\n' || s.ptr[at] == '\t'))
        at++;
    return at;
}

int64_t mgi_pipe_reply_id(struct str s)
{
    size_t at = skip_blank(s, 0);
    if (at >= s.len || s.ptr[at] != '{')
        return 0;
    at = skip_blank(s, at + 1);
    if (s.len - at < 5 || memcmp(s.ptr + at, "\"id\"", 4) != 0)
        return 0;
    at = skip_blank(s, at + 4);
    if (at >= s.len || s.ptr[at] != ':')
        return 0;
    at = skip_blank(s, at + 1);
    int64_t id = 0;
    for (size_t digits = 0; at < s.len && s.ptr[at] >= '0' && s.ptr[at] <= '9'; at++, digits++) {
        if (digits > 17)
            return 0;
        id = id * 10 + (s.ptr[at] - '0');
    }
    return id;
}
