/* Where the lines of a decision log go: a file that is rotated, or a descriptor.
 *
 * A sink belongs to the one thread that writes (decision/log.h), and never holds it up for longer
 * than the disk does. It is given many lines at once. A line is there whole or not at all: what
 * could be written only in part is taken back, or gone on with. */
#ifndef MGI_DECISION_SINK_H
#define MGI_DECISION_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum sink_result {
    SINK_WRITTEN,
    SINK_WAITS, /* nobody reads at the moment: call again with the rest */
    SINK_FAILED /* it may work later, with the rest */
};

#define SINK_WHY_BYTES 160

struct decision_sink_operations {
    /* Write lines, each with its newline; *taken is how many bytes of them, from the first, need
     * not be written again: all, if SINK_WRITTEN. `why` says what went wrong, also beside lines
     * that were written (a rotation that failed); else it is "". */
    enum sink_result (*write)(void *self, struct str lines, size_t *taken,
                              char why[SINK_WHY_BYTES]);
    /* Somebody may have moved the file away: go on with a new one. False: with the old one. */
    bool (*reopen)(void *self, char why[SINK_WHY_BYTES]);
    void (*close)(void *self);
};

struct decision_sink {
    const struct decision_sink_operations *operations; /* NULL: none is open */
    void *self;
};

/*
 * The file at `path`, made with mode 0600 if there is none, appended to if there is; one that
 * others may read is made its owner's alone. What a killed
 * process left of its last line is ended with a newline, so that no line is joined to it.
 *
 *   rotate_bytes  a line that would make it larger begins a new file: PATH becomes PATH.1, that
 *                 PATH.2 …; 0: it grows
 *   keep          how many of these there are; what is older is removed. At least 1
 *
 * Only one sink at a time writes to a file: another one, of this or another process, is a fault.
 * What is no regular file (a pipe, a device) is only written to; a pipe that nobody reads is
 * a fault. False: why.
 */
bool mgi_decision_sink_file(const char *path, int64_t rotate_bytes, int64_t keep,
                            struct decision_sink *out, char why[SINK_WHY_BYTES]);

/* A descriptor, borrowed: standard output. A reader who does not read is waited for. False: memory.
 */
bool mgi_decision_sink_descriptor(int fd, struct decision_sink *out);

#endif
