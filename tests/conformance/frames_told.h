/* What a server's frames come to, as text; for the tests of conformance/frames.h and its fuzz
 * target. */
#ifndef TEST_CONFORMANCE_FRAMES_TOLD_H
#define TEST_CONFORMANCE_FRAMES_TOLD_H

#include <string.h>

#include "conformance/frames.h"

/* Feed `input` in pieces of `step` bytes, as far as memory lasts; a line for each event. */
static inline void tell_frames(struct frames *f, struct str input, size_t step, struct buf *out)
{
    static const char *const names[] = { "", "message", "ping", "pong", "close", "broken" };
    while (input.len > 0) {
        size_t len = input.len < step ? input.len : step;
        char *room = mgi_frames_room(f, len);
        if (!room)
            return;
        memcpy(room, input.ptr, len);
        mgi_frames_given(f, len);
        input = (struct str){ input.ptr + len, input.len - len };
        for (enum frames_event e; (e = mgi_frames_next(f)) != FRAMES_MORE;) {
            mgi_buf_puts(out, names[e]);
            if (e == FRAMES_MESSAGE)
                mgi_buf_printf(out, " %.*s", STR_ARG(mgi_buf_view(&f->message)));
            else if (e == FRAMES_PING || e == FRAMES_PONG)
                mgi_buf_printf(out, " %.*s", STR_ARG(f->control));
            else if (e == FRAMES_CLOSE)
                mgi_buf_printf(out, " %u", (unsigned)f->close_code);
            else
                mgi_buf_printf(out, ": %s", f->wrong);
            mgi_buf_putc(out, '\n');
            if (e == FRAMES_BROKEN)
                return;
        }
    }
}

#endif
