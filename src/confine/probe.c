/* What the kernel at hand has: see confine.h. Asked, never guessed from its version. */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine/confine_int.h"
#include "confine/landlock_calls.h"

static bool has_filter(void)
{
#ifdef CONFINE_ARCH
    uint32_t action = SECCOMP_RET_KILL_PROCESS;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0U, &action) == 0;
#else
    return false;
#endif
}

/* A line of the file whose beginning is `begin`, without it and its line end, in `out`. */
static bool line_of(const char *file, const char *begin, char *out, size_t cap)
{
    FILE *f = fopen(file, "re");
    bool found = false;
    char line[1024];
    while (f && !found && fgets(line, sizeof line, f)) {
        size_t skip = strlen(begin);
        if (strncmp(line, begin, skip) != 0)
            continue;
        line[strcspn(line, "\n")] = '\0';
        found = (size_t)snprintf(out, cap, "%s", line + skip) < cap;
    }
    if (f)
        fclose(f);
    return found;
}

void mgi_confine_probe(struct confine_features *out)
{
    char capabilities[64] = "";
    long abi = ll_abi();
    line_of("/proc/self/status", "CapEff:\t", capabilities, sizeof capabilities);
    *out = (struct confine_features){
        .seccomp = has_filter(),
        .landlock = abi > 0 ? (int)abi : 0,
        .privileged = geteuid() == 0 || strspn(capabilities, "0") != strlen(capabilities),
    };
}

unsigned mgi_confine_lacks(const struct confine_features *f, unsigned may)
{
    unsigned lacks = 0;
    if (!f->seccomp)
        lacks |= CONFINE_LACK_FILTER;
    if (f->landlock < 1)
        lacks |= CONFINE_LACK_FILES;
    if (f->landlock < LL_ABI_SCOPE && (may & CONFINE_SPAWN || !f->seccomp))
        lacks |= CONFINE_LACK_SIGNALS;
    if (f->landlock < LL_ABI_IOCTL && (may & CONFINE_WRITE))
        lacks |= CONFINE_LACK_DEVICES;
    return lacks;
}

const char *mgi_confine_lack_text(enum confine_lack lack)
{
    switch (lack) {
    case CONFINE_LACK_FILTER:
        return "system calls are not filtered: sockets, new programs, tracing and signals are open "
               "to "
               "every action (seccomp is missing)";
    case CONFINE_LACK_FILES:
        return "files outside of what was granted can be opened (Landlock is missing)";
    case CONFINE_LACK_SIGNALS:
        return "an action that may start programs can signal other processes of its user (Landlock "
               "is older than ABI 6)";
    case CONFINE_LACK_DEVICES:
        return "an action that may write can control devices that it opens (Landlock is older than "
               "ABI 5)";
    }
    return NULL;
}
