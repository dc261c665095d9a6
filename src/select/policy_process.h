/* One call of a policy process on an event loop: its payload file, its pipes, its time, its end.
 *
 *   running ──exit──> ended ──pipes read, or 200 ms──> told ──handles closed──> freed
 *      └──timeout, too much output, cancelled: the group is killed──^
 *
 * Invariants: 1. `done` is called once, from the loop, unless the call was cancelled; by then the
 * process has ended, its group is killed and the payload file is gone. (A process that the kernel
 * does not let die within a second is told without that, and reaped whenever it does.) 2. what it
 * writes is read as it comes and kept up to its limits, so nothing it does with its pipes keeps the
 * loop from other work. 3. its group is killed before it is reaped, so the number cannot be another
 * one's. Uses no other thread, and no signal handler: a process descriptor tells the end. */
#ifndef MGI_SELECT_POLICY_PROCESS_H
#define MGI_SELECT_POLICY_PROCESS_H

#include <uv.h>

#include "select/policy_answer.h"
#include "select/policy_command.h"

struct policy_process;

struct policy_start {
    uv_loop_t *loop;                        /* whose thread alone may use this */
    const struct policy_settings *settings; /* borrowed until `done` */
    struct policy_program program;          /* borrowed until return */
    struct str payload;                     /* borrowed until return */
    int64_t most_ms;                        /* it gets no more time than that; 0: the settings' */
    void (*done)(void *context, const struct policy_answer *answer); /* texts: until it returns */
    void *context;
};

/* Start one. NULL: *error is an errno (ENOMEM; what kept the file, the pipes or the process from
 * being made), nothing is left, and `done` is not called. Never calls `done` itself. */
struct policy_process *mgi_policy_process_start(const struct policy_start *start, int *error);

/* Kill it; `done` will not be called. It frees itself when it has ended. */
void mgi_policy_process_cancel(struct policy_process *p);

#endif
