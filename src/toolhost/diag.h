/* The host's standard error: its own lines, and what tools print (toolhost.md 2.4).
 *
 * Nothing here blocks or fails: when standard error is full or closed, text is dropped (T-CLI-28).
 * What a tool prints is cut into lines, each behind a prefix, with control characters replaced, so
 * that no line can pass for one of the host's own (T-CLI-25). */
#ifndef TOOLHOST_DIAG_H
#define TOOLHOST_DIAG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/log.h"
#include "base/str.h"

/* A logger's write function: "toolhost: <level>: <text>\n". */
void mgi_diag_write(void *context, enum log_level level, const char *line, size_t len);

enum { FORWARD_LINE_BYTES = 3584 }; /* a longer line is broken: with its prefix it fits one write */

struct forward_line {
    char text[FORWARD_LINE_BYTES];
    size_t len;
    bool after_c2; /* the byte before was the first of a two-byte character */
};

struct forward {
    char prefix[160]; /* "[tool <aid>] " or "[plugin] " */
    size_t budget;    /* bytes that may still be forwarded */
    size_t dropped;
    struct forward_line line[2]; /* of the worker's standard output and standard error */
};

/* From here on it is `aid` that prints; {NULL, 0}: no tool runs. Finishes what went before. */
void mgi_forward_begin(struct forward *f, struct str aid);
void mgi_forward_bytes(struct forward *f, int stream, const char *bytes, size_t len);
void mgi_forward_end(struct forward *f); /* unfinished lines, and how much was dropped */

#endif
