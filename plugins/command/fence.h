/* What the programs that we start are kept from, whoever confines them besides: leaving the process
 * group that ends with their call. A filter costs each start 40 us, so there is one, of the worker,
 * which all of them inherit. Who starts them has to make the group all the same: the calls work for
 * whoever knows a key, in halves of their arguments at which the kernel does not look. It is made
 * anew for each worker, and is in no memory but its own. */
#ifndef COMMAND_FENCE_H
#define COMMAND_FENCE_H

#include <stdbool.h>

/* Once, before the first program: from now on setsid() and setpgid() fail with EPERM, here and in
 * all that come of this process, and nothing gains rights by being executed. False: errno. Where
 * the kernel or the machine has no filters, true: the group can be left there. */
bool mgi_fence_raise(void);

/* The calling process leads a group of its own. Only a system call: fine after vfork(). False:
 * errno. */
bool mgi_fence_lead(void);

#endif
