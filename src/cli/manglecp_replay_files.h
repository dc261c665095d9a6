/* The lines of a decision log, oldest first: LOG.9, …, LOG.1, LOG, plain or packed by gzip. */
#ifndef MGI_CLI_MANGLECP_REPLAY_FILES_H
#define MGI_CLI_MANGLECP_REPLAY_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct replay_visitor {
    /* One line. False: enough. */
    bool (*line)(void *context, const char *file, uint64_t number, struct str text);
    /* A line that cannot be given, and why. */
    void (*damaged)(void *context, const char *file, uint64_t number, const char *why);
    void *context;
};

/* `path` and what rotation put beside it; "-" is standard input. False: a message was printed. */
bool mgi_replay_read(const char *path, const struct replay_visitor *v);

#endif
