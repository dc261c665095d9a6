/* Content-Length framing. States: header lines -> (empty line) -> body or skipped body -> header.
 */
#include "lsp/frame.h"

#include <strings.h>

#define MAX_LINE 4096 /* of a header: the rest is dropped */

void mgi_frame_init(struct frame_reader *f)
{
    *f = (struct frame_reader){ 0 };
}

void mgi_frame_fini(struct frame_reader *f)
{
    mgi_buf_fini(&f->line);
    mgi_buf_fini(&f->message);
}

static void read_header(struct frame_reader *f)
{
    static const char name[] = "content-length:";
    struct str line = mgi_buf_view(&f->line);
    if (line.len < sizeof name - 1 || strncasecmp(line.ptr, name, sizeof name - 1) != 0) {
        return;
    }
    size_t at = sizeof name - 1, n = 0, digits = 0;
    while (at < line.len && (line.ptr[at] == ' ' || line.ptr[at] == '\t'))
        at++;
    for (; at < line.len && line.ptr[at] >= '0' && line.ptr[at] <= '9' && digits < 18; at++) {
        n = n * 10 + (size_t)(line.ptr[at] - '0');
        digits++;
    }
    while (at < line.len && (line.ptr[at] == ' ' || line.ptr[at] == '\t'))
        at++;
    f->has_length = digits > 0 && at == line.len;
    f->length = n;
}

/* An empty line: what follows is the body. */
static enum frame_event end_header(struct frame_reader *f)
{
    bool good = f->has_length;
    f->has_length = f->seen = false;
    if (!good)
        return FRAME_BAD_HEADER;
    if (f->length > FRAME_MAX_BYTES) {
        f->skip = f->length;
        return FRAME_TOO_LONG;
    }
    mgi_buf_clear(&f->message);
    f->in_body = true;
    return FRAME_NONE;
}

static enum frame_event take_header_byte(struct frame_reader *f, char c)
{
    if (c != '\n') {
        if (f->line.len < MAX_LINE)
            mgi_buf_putc(&f->line, c);
        return f->line.oom ? FRAME_NOMEM : FRAME_NONE;
    }
    if (f->line.len && f->line.ptr[f->line.len - 1] == '\r')
        f->line.len--;
    bool ends = f->line.len == 0 && f->seen; /* blank lines between messages mean nothing */
    if (f->line.len)
        read_header(f);
    f->seen |= f->line.len > 0;
    mgi_buf_clear(&f->line);
    return ends ? end_header(f) : FRAME_NONE;
}

enum frame_event mgi_frame_next(struct frame_reader *f, struct str *bytes, struct str *message)
{
    for (;;) {
        if (f->in_body && f->message.len == f->length) {
            f->in_body = false;
            *message = mgi_buf_view(&f->message);
            return FRAME_MESSAGE;
        }
        if (bytes->len == 0)
            return FRAME_NONE;
        if (f->skip || f->in_body) {
            size_t want = f->skip ? f->skip : f->length - f->message.len;
            size_t n = bytes->len < want ? bytes->len : want;
            if (f->skip)
                f->skip -= n;
            else
                mgi_buf_append(&f->message, bytes->ptr, n);
            bytes->ptr += n;
            bytes->len -= n;
            if (f->message.oom)
                return FRAME_NOMEM;
            continue;
        }
        enum frame_event event = take_header_byte(f, *bytes->ptr);
        bytes->ptr++;
        bytes->len--;
        if (event != FRAME_NONE)
            return event;
    }
}
