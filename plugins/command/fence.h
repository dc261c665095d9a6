/* What the programs that we start are kept from, whoever confines them besides: leaving the process
 * group that ends with their call. A filter takes the kernel 40 us, so there is one, of the worker,
 * and not one for each start; all that the worker starts inherit it. Who starts them has to make
 * the group all the same. So setpgid() works for whoever knows a key, which goes along in arguments
 * that the call does not have: the kernel ignores them, and the filter sees them.
 *
 * The key is 128 random bits, made for each worker, and in no memory but the worker's, which is not
 * dumpable: nobody but root outside of confinement can read it. vfork() and exec() leave nothing of
 * it to a program, and a filter can be read by no process that has one itself. A wrong key is
 * refused after the same steps, whichever part of it is wrong. */
#ifndef COMMAND_FENCE_H
#define COMMAND_FENCE_H

#include <stdbool.h>

/* Once, by the one thread there is, before the first program: from now on setsid() and setpgid()
 * fail with EPERM, here and in all that come of this process; nothing gains rights by being
 * executed; and this process is not dumpable. False: errno. Where the kernel or the machine has no
 * filters, true: the group can be left there. */
bool mgi_fence_raise(void);

/* The calling process, this worker or what it has just forked, leads a group of its own. Only a
 * system call: fine after vfork(). False: errno. */
bool mgi_fence_lead(void);

#endif
