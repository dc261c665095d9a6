/* How many processors this process may use. */
#ifndef MGI_SYS_PROCESSORS_H
#define MGI_SYS_PROCESSORS_H

#include <stdint.h>

/* Those that it may run on (affinity), or fewer where a control group of version 2, its own or one
 * above, has a quota of processor time: a quota of 1.5 is two. At least 1. Asks the machine each
 * time. */
uint32_t mgi_processors(void);

/* What the kernel lets this process run on, whatever the quota. */
uint32_t mgi_processors_by_affinity(void);

/* `most`, or fewer by the quotas of the control groups: `file` says which (/proc/self/cgroup), and
 * they are folders below `root`, which has one for all. What cannot be read says nothing. */
uint32_t mgi_processors_by_quota(const char *file, const char *root, uint32_t most);

#endif
