/* Bytes that have come, and the lines that have not been taken out of them yet (toolhost.md 2.2).
 * It does no I/O. Where a line ends, and what becomes of one that is too long, base/lines.h says;
 * blank lines are lines here (T-CLI-14, T-CLI-15), and one longer than MAX_REQUEST_BYTES is told
 * once and not kept (T-CLI-17). */
#ifndef TOOLHOST_LINE_QUEUE_H
#define TOOLHOST_LINE_QUEUE_H

#include "base/lines.h"

struct line_queue {
    struct lines lines;
    struct buf bytes; /* as they came; those before `taken` have gone through `lines` */
    size_t taken;
    bool ended;     /* no more bytes will come */
    bool told_rest; /* so that what follows the last LF is one line and not many */
};

void mgi_line_queue_init(struct line_queue *q);
void mgi_line_queue_fini(struct line_queue *q);

/* Bytes for which there is no memory are told by mgi_line_queue_next. */
void mgi_line_queue_feed(struct line_queue *q, const char *bytes, size_t len);
void mgi_line_queue_end(struct line_queue *q);

/* The next line, without its LF or CR LF, borrowed until the next call of any function here. Bytes
 * after the last LF are a line as soon as the end is known (T-CLI-16). After LINE_NOMEM the stream
 * cannot be continued. LINE_NONE: feed it, or, if it has `ended`, all has been handed out. */
enum line_event mgi_line_queue_next(struct line_queue *q, struct str *line);

#endif
