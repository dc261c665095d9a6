/* Bytes -> lines, for NDJSON (P-STDIO-2, D-60). A decoder: it is given bytes and returns events;
 * somebody else does the I/O.
 *
 * A line ends at LF; one CR before it is dropped; blank lines are skipped, unless they are asked
 * for; what follows the last LF counts as a line when the input ends. A line longer than `max` is
 * not stored: it is reported once, as soon as it is known, and skipped up to its LF. */
#ifndef MGI_BASE_LINES_H
#define MGI_BASE_LINES_H

#include "base/buf.h"

enum line_event {
    LINE_NONE,     /* give it more bytes */
    LINE_TEXT,     /* a line; valid until the next call */
    LINE_TOO_LONG, /* one was skipped */
    LINE_NOMEM     /* one was skipped because memory was short */
};

struct lines {
    struct buf kept; /* the beginning of a line whose end has not come */
    size_t max;      /* may be changed between two calls */
    bool keep_blank; /* blank lines are lines; false at first, set before the first call */
    bool skipping;   /* up to the next LF */
    bool used;       /* `kept` was handed out and is cleared by the next call */
};

void mgi_lines_init(struct lines *l, size_t max);
void mgi_lines_fini(struct lines *l);

/* Take from *input (advancing it) up to the next event. */
enum line_event mgi_lines_next(struct lines *l, struct str *input, struct str *line);

/* The input has ended: the rest, if there is one. */
enum line_event mgi_lines_end(struct lines *l, struct str *line);

#endif
