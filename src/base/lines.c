/* Lines out of chunks. The common case, a whole line inside one chunk, copies nothing. */
#include "base/lines.h"

void mgi_lines_init(struct lines *l, size_t max)
{
    *l = (struct lines){ .max = max };
}

void mgi_lines_fini(struct lines *l)
{
    mgi_buf_fini(&l->kept);
}

static bool is_blank(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] != ' ' && s.ptr[i] != '\t' && s.ptr[i] != '\r')
            return false;
    return true;
}

static struct str without_cr(struct str s)
{
    if (s.len > 0 && s.ptr[s.len - 1] == '\r')
        s.len--;
    return s;
}

/* A complete line is in `whole`: report it, or say that there is nothing (blank). */
static enum line_event finish(const struct lines *l, struct str whole, struct str *line)
{
    if (whole.len > l->max)
        return LINE_TOO_LONG;
    if (!l->keep_blank && is_blank(whole))
        return LINE_NONE;
    *line = whole;
    return LINE_TEXT;
}

static void forget_used(struct lines *l)
{
    if (!l->used)
        return;
    l->used = false;
    if (l->kept.cap > 1024 * 1024) /* one huge message must not keep its memory for ever */
        mgi_buf_fini(&l->kept);
    else
        mgi_buf_clear(&l->kept);
}

/* Keep a piece whose LF has not come. One byte more than `max` is allowed: it may be the CR. */
static enum line_event keep(struct lines *l, struct str piece)
{
    if (l->skipping)
        return LINE_NONE;
    enum line_event event = LINE_NONE;
    if (l->kept.len + piece.len > l->max + 1)
        event = LINE_TOO_LONG;
    else
        mgi_buf_str(&l->kept, piece);
    if (l->kept.oom)
        event = LINE_NOMEM;
    if (event != LINE_NONE) {
        l->skipping = true;
        mgi_buf_fini(&l->kept);
    }
    return event;
}

enum line_event mgi_lines_next(struct lines *l, struct str *input, struct str *line)
{
    forget_used(l);
    while (input->len > 0) {
        const char *lf = memchr(input->ptr, '\n', input->len);
        struct str piece = { input->ptr, lf ? (size_t)(lf - input->ptr) : input->len };
        size_t taken = piece.len + (lf ? 1 : 0);
        input->ptr += taken;
        input->len -= taken;

        enum line_event event;
        if (!lf) {
            event = keep(l, piece);
        } else if (l->skipping) {
            l->skipping = false;
            event = LINE_NONE;
        } else if (l->kept.len == 0) {
            event = finish(l, without_cr(piece), line);
        } else {
            event = keep(l, piece);
            if (event == LINE_NONE) {
                event = finish(l, without_cr(mgi_buf_view(&l->kept)), line);
                l->used = true;
            } else {
                l->skipping = false; /* its LF was in this very chunk */
            }
        }
        if (event != LINE_NONE)
            return event;
        forget_used(l);
    }
    return LINE_NONE;
}

enum line_event mgi_lines_end(struct lines *l, struct str *line)
{
    forget_used(l);
    if (l->skipping || l->kept.len == 0)
        return LINE_NONE;
    l->used = true;
    return finish(l, mgi_buf_view(&l->kept), line);
}
