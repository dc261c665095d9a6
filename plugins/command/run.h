/* One program, from its start to its end, with all that it started.
 *
 *     start (vfork, exec) ──> feed and read ──> it ends, or is ended ──> its group is killed ──>
 * rest
 *
 * 1. The program leads a process group of its own, which nothing of it can leave: setsid() and
 *    setpgid() fail there (fence.h). So one signal reaches all of it, and when the call is over
 *    nothing of it runs.
 * 2. Standard input is written and both outputs are read at once, none of them waits for another.
 * 3. Everything has a limit: what is kept of the outputs, the time between asking and killing, the
 *    time in which the last bytes may come. */
#ifndef COMMAND_RUN_H
#define COMMAND_RUN_H

#include <stdbool.h>

#include "base/buf.h"

#define RUN_KEPT_ERRORS (64u << 10)  /* the end of standard error */
#define RUN_MOST_ERRORS (256u << 20) /* a program that writes more than that is ended */

enum run_end {
    RUN_EXITED,      /* code: what it exited with */
    RUN_SIGNALLED,   /* code: the signal that ended it, not ours */
    RUN_STOPPED,     /* stop() said so; TERM_MS after SIGTERM it is killed */
    RUN_FLOODED,     /* it printed more than max_output: killed */
    RUN_NOT_STARTED, /* what and code (errno): what could not be done */
    RUN_LEFT         /* something of it could not be ended, or waited for */
};

struct confine_plan;

struct run_order {
    const char *program, *folder;
    char *const *argv, *const *env;
    struct str input;
    const struct confine_plan *plan; /* what it may, if that is less than the worker; or NULL */
    size_t max_output;
    bool (*stop)(void *context); /* asked every LOOK_MS or so */
    void (*progress)(void *context, double percent, struct str text); /* or NULL */
    void *context;
};

struct run_result {
    enum run_end end;
    int code;
    const char *what;    /* static */
    struct buf out, err; /* whole; of err the last RUN_KEPT_ERRORS bytes */
    bool err_cut;
};

/* Blocks until nothing of the program is left. `result` ends with mgi_run_result_fini(). */
void mgi_run(const struct run_order *order, struct run_result *result);
void mgi_run_result_fini(struct run_result *result);

#endif
