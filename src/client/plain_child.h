/* A child's signals are its own: whatever the caller's thread holds back, or does with SIGPIPE, a
 * program that it starts begins with nothing held back, and ended by a SIGPIPE. */
#ifndef MGI_CLIENT_PLAIN_CHILD_H
#define MGI_CLIENT_PLAIN_CHILD_H

#include <spawn.h>

/* Makes `how` with that and `flags` (POSIX_SPAWN_...), to be destroyed by the caller; an errno, and
 * then it is not made. */
int mgi_plain_child(posix_spawnattr_t *how, short flags);

#endif
