/* The one place where a policy process comes into being: everything that confines it is here. */
#ifndef MGI_SELECT_POLICY_LAUNCH_H
#define MGI_SELECT_POLICY_LAUNCH_H

#include <sys/types.h>

#include "confine/confine.h"
#include "select/policy_settings.h"

struct policy_launch {
    const char *path;   /* of the program */
    char *const *argv;  /* ended by NULL */
    char *const *env;   /* ended by NULL */
    const char *folder; /* where it works */
    struct policy_limits limits;
    const struct confine_plan *plan; /* borrowed; NULL: limits alone */
    int out, err;                    /* what it writes to; borrowed */
    int status; /* close-on-exec: a struct policy_launch_fault comes out if there is no exec */
};

struct policy_launch_fault {
    int error; /* errno */
    char what[28];
};

/*
 * Start it. The process has, before the first instruction of the program:
 *
 *   - a session and a process group of its own, whose number is its process id, and which neither
 *     it nor what it starts can leave (a system-call filter refuses setsid and setpgid; on machines
 *     other than x86-64 and arm64 there is none): killing the group ends all of it;
 *   - SIGKILL when the thread that called this ends; no new privileges; no core files; file mode
 *     mask 077; the limits (processes: those that the user has, and that many more; not for user 0,
 *     whom the kernel exempts); default signals;
 *   - /dev/null as standard input, `out` and `err`, and no other descriptor;
 *   - what `plan` enforces: what cannot be is told through `status`, and the program does not
 * begin.
 *
 * Blocks as posix_spawn() does: until the program has begun, whatever the size of this process.
 * Returns the process id, and *pidfd (close-on-exec), which becomes readable when it has ended; or
 * -1 with errno. Whether the program could be started is told through `status`.
 */
pid_t mgi_policy_launch(const struct policy_launch *launch, int *pidfd);

#endif
