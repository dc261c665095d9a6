/* Bytes into lines (toolhost.md 2.2). It does no I/O: bytes go in as they come, lines come out.
 *
 * A line longer than MAX_REQUEST_BYTES is told once, and not kept: what follows of it up to its LF
 * is dropped as it arrives (T-CLI-17). */
#ifndef TOOLHOST_LINES_H
#define TOOLHOST_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/str.h"

struct lines {
    struct buf bytes;
    size_t start;   /* of the first line not yet handed out */
    size_t scanned; /* no LF between start and here */
    bool skipping;  /* inside a line that is too long */
    bool told_end;  /* the last, unterminated line has been handed out */
    bool too_long;  /* such a line has ended and is to be told */
    bool end;       /* no more bytes will come */
};

enum line_event {
    LINE_NONE, /* feed more */
    LINE_READY,
    LINE_TOO_LONG,
    LINE_END,  /* after mgi_lines_end(), and all is handed out */
    LINE_NOMEM /* bytes were lost; the stream cannot be continued */
};

void mgi_lines_fini(struct lines *l); /* all zero is a fresh one */
void mgi_lines_feed(struct lines *l, const char *bytes, size_t len);
void mgi_lines_end(struct lines *l);

/* The next line, without its LF or CR LF, borrowed until the next call of any function here. Bytes
 * after the last LF are a line as soon as the end is known (T-CLI-16). */
enum line_event mgi_lines_next(struct lines *l, struct str *line);

#endif
