/* See enforcement.h. The kernel is asked as a worker's host asks it. */
#include "actions/enforcement.h"

#include "confine/confine.h"
#include "confine/group.h"

enum { ABI_SCOPES = 6 }; /* of Landlock: signals and abstract sockets */

static void tell_group(struct buf *out)
{
    char folder[CONFINE_GROUP_MAX];
    bool delegated;
    mgi_buf_puts(out, "  processes     ");
    if (mgi_confine_group_place(folder, &delegated))
        mgi_buf_printf(out, "found one by one, and by a control group below %s\n", folder);
    else
        mgi_buf_puts(out, "found one by one; no control group can be made\n");
}

void mgi_enforcement_tell(struct buf *out)
{
    struct confine_features f;
    mgi_confine_probe(&f);
    mgi_buf_puts(out, "actions here are confined by\n");
    mgi_buf_printf(out, "  system calls  %s\n",
                   f.seccomp ? "a filter (seccomp)" : "nothing: seccomp is missing");
    if (f.landlock > 0)
        mgi_buf_printf(out, "  files         Landlock, ABI %d\n", f.landlock);
    else
        mgi_buf_puts(out, "  files         nothing: Landlock is missing\n");
    mgi_buf_printf(out, "  signals       %s\n",
                   f.landlock >= ABI_SCOPES ? "Landlock"
                   : f.seccomp              ? "the filter, but not where programs may be started"
                                            : "nothing");
    tell_group(out);
    mgi_buf_puts(out, "  resources     limits of each process\n");
}
