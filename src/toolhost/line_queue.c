#include "toolhost/line_queue.h"

#include "toolhost/sizes.h"

void mgi_line_queue_init(struct line_queue *q)
{
    *q = (struct line_queue){ 0 };
    mgi_lines_init(&q->lines, MAX_REQUEST_BYTES);
    q->lines.keep_blank = true;
}

void mgi_line_queue_fini(struct line_queue *q)
{
    mgi_lines_fini(&q->lines);
    mgi_buf_fini(&q->bytes);
}

void mgi_line_queue_feed(struct line_queue *q, const char *bytes, size_t len)
{
    if (q->taken == q->bytes.len && !q->bytes.oom) {
        mgi_buf_clear(&q->bytes);
        q->taken = 0;
    }
    mgi_buf_append(&q->bytes, bytes, len);
}

void mgi_line_queue_end(struct line_queue *q)
{
    q->ended = true;
}

enum line_event mgi_line_queue_next(struct line_queue *q, struct str *line)
{
    if (q->bytes.oom)
        return LINE_NOMEM;
    struct str all = mgi_buf_view(&q->bytes);
    struct str rest = { all.ptr + q->taken, all.len - q->taken };
    enum line_event event = mgi_lines_next(&q->lines, &rest, line);
    q->taken = all.len - rest.len;
    if (event != LINE_NONE || !q->ended || q->told_rest)
        return event;
    q->told_rest = true;
    return mgi_lines_end(&q->lines, line);
}
