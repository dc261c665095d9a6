/* Lines of a decision log that wait to be written, end to end in pieces of memory, so that many of
 * them are one write.
 *
 * 1. A piece holds whole lines. What the pieces take of memory is bounded: a line beyond that is
 *    lost, and counted.
 * 2. Where lines are missing, the next piece begins with a line that says how many:
 *    {"decision":1,"kind":"lost","records":N}.
 *
 * It has no lock: whoever uses it from several threads guards it (decision/log.c). */
#ifndef MGI_DECISION_BACKLOG_H
#define MGI_DECISION_BACKLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct backlog_piece {
    struct backlog_piece *next;
    uint64_t lost; /* what its first line says; 0: that is a record like the others */
    size_t len, cap;
    char text[];
};

struct backlog {
    struct backlog_piece *first, *last, *spare;
    size_t max_bytes, bytes; /* of memory, what is taken and not yet freed included */
    size_t waiting;          /* bytes of lines in it */
    uint64_t lost, untold;   /* ever; since the last line that was kept */
};

void mgi_backlog_init(struct backlog *b, size_t max_bytes);
void mgi_backlog_fini(struct backlog *b);

/* Keep a copy of a line, which ends in a newline. False: it is lost, and counted. */
bool mgi_backlog_add(struct backlog *b, struct str line);
/* These records are not, or no longer, here, and will not be written. */
void mgi_backlog_lose(struct backlog *b, uint64_t records);

/* All pieces, the caller's until mgi_backlog_free_piece(); they still count as memory. Where the
 * end of what came was lost, a piece says so. NULL: there is nothing, or not even memory to say so
 * (which then waits). */
struct backlog_piece *mgi_backlog_take(struct backlog *b);
void mgi_backlog_free_piece(struct backlog *b, struct backlog_piece *piece);

#endif
