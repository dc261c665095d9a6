/* Signals of a child; see plain_child.h. */
#include "client/plain_child.h"

#include <signal.h>

int mgi_plain_child(posix_spawnattr_t *how, short flags)
{
    sigset_t none, pipe_only;
    sigemptyset(&none);
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    int rc = posix_spawnattr_init(how);
    if (rc)
        return rc;
    rc = posix_spawnattr_setsigmask(how, &none);
    if (!rc)
        rc = posix_spawnattr_setsigdefault(how, &pipe_only);
    if (!rc)
        rc = posix_spawnattr_setflags(
            how, (short)(flags | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
    if (rc)
        posix_spawnattr_destroy(how);
    return rc;
}
