/* Bytes into lines: see lines.h. */
#include "toolhost/lines.h"

#include <string.h>

#include "toolhost/sizes.h"

/* A buffer larger than this is given back when it is empty, so that one long line does not stay in
 * memory for good. */
enum { KEEP_BYTES = 1 << 20 };

void mgi_lines_fini(struct lines *l)
{
    mgi_buf_fini(&l->bytes);
    *l = (struct lines){ 0 };
}

/* Move what is not handed out yet to the front. Only when it is little, or nothing: a long line is
 * not moved again and again. */
static void compact(struct lines *l)
{
    size_t rest = l->bytes.len - l->start;
    if (rest > l->start)
        return;
    if (rest == 0 && l->bytes.cap > KEEP_BYTES) {
        mgi_buf_fini(&l->bytes);
    } else if (rest > 0) {
        memmove(l->bytes.ptr, l->bytes.ptr + l->start, rest);
    }
    l->bytes.len = rest;
    l->scanned -= l->start;
    l->start = 0;
}

void mgi_lines_feed(struct lines *l, const char *bytes, size_t len)
{
    if (l->skipping) {
        const char *lf = memchr(bytes, '\n', len);
        if (!lf)
            return;
        l->skipping = false;
        l->too_long = true;
        len -= (size_t)(lf + 1 - bytes);
        bytes = lf + 1;
    }
    compact(l);
    mgi_buf_append(&l->bytes, bytes, len);
}

void mgi_lines_end(struct lines *l)
{
    l->end = true;
    if (l->skipping) { /* it ended without its LF */
        l->skipping = false;
        l->too_long = true;
    }
}

static bool is_too_long(struct str line)
{
    return line.len > MAX_REQUEST_BYTES;
}

static struct str without_cr(struct str line)
{
    if (line.len && line.ptr[line.len - 1] == '\r')
        line.len--;
    return line;
}

enum line_event mgi_lines_next(struct lines *l, struct str *line)
{
    if (l->bytes.oom)
        return LINE_NOMEM;
    if (l->too_long) {
        l->too_long = false;
        return LINE_TOO_LONG;
    }
    struct str rest = { mgi_buf_view(&l->bytes).ptr + l->start, l->bytes.len - l->start };
    const char *from = mgi_buf_view(&l->bytes).ptr + l->scanned;
    const char *lf =
        l->bytes.len > l->scanned ? memchr(from, '\n', l->bytes.len - l->scanned) : NULL;
    if (lf) {
        *line = without_cr((struct str){ rest.ptr, (size_t)(lf - rest.ptr) });
        l->start = l->scanned = (size_t)(lf + 1 - l->bytes.ptr);
        return is_too_long(*line) ? LINE_TOO_LONG : LINE_READY;
    }
    l->scanned = l->bytes.len;
    if (l->end) {
        if (rest.len == 0 || l->told_end)
            return LINE_END;
        l->told_end = true;
        *line = rest;
        l->start = l->bytes.len;
        return is_too_long(rest) ? LINE_TOO_LONG : LINE_READY;
    }
    if (rest.len > MAX_REQUEST_BYTES + 1) { /* even if a CR and the LF come next */
        mgi_buf_fini(&l->bytes);
        mgi_buf_init(&l->bytes);
        l->start = l->scanned = 0;
        l->skipping = true;
    }
    return LINE_NONE;
}
