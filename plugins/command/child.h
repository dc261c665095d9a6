/* Between the fork and the program. */
#ifndef COMMAND_CHILD_H
#define COMMAND_CHILD_H

#include <sys/types.h>

#include "run.h"

struct child {
    pid_t pid;        /* and of its group */
    int in, out, err; /* our ends, not blocking; in: -1 if there is nothing to write */
    int ended;        /* readable when it has ended; -1: this kernel cannot tell */
};

/* NULL, or what could not be done (static), with errno. */
const char *mgi_child_start(const struct run_order *order, struct child *out);

#endif
