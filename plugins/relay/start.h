/* Between fork() and exec(): the one place where what a program may do is settled. The worker that
 * starts it is confined already, and what confines the worker confines its children; whatever is to
 * be tighter for programs than for plugins belongs here. */
#ifndef RELAY_START_H
#define RELAY_START_H

#include <sys/types.h>

struct relay_child {
    const char *path; /* absolute, or from the folder */
    char *const *argv;
    char *const *envp;
    const char *folder;
    int in, out, err; /* what becomes 0, 1 and 2 */
    int report;       /* gets errno as an int if it cannot be started; closed by exec */
    pid_t parent;     /* must still be the parent */
};

/* Does not return. Async-signal-safe. */
_Noreturn void relay_child_run(const struct relay_child *c);

#endif
