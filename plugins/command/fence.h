/* What a program that we start is kept from, whoever confines it besides. */
#ifndef COMMAND_FENCE_H
#define COMMAND_FENCE_H

/* For this process and all that come of it: setsid() and setpgid() fail with EPERM, and nothing
 * gains rights by being executed. Only system calls: fine after vfork(). False: errno. Where the
 * kernel or the machine has no filters, true: the group can be left there. */
bool mgi_fence(void);

#endif
