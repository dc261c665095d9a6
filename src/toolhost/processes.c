/* See processes.h. */
#include "toolhost/processes.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "toolhost/process.h"
#include "toolhost/sizes.h"

#define DESCRIPTORS_LEFT 16 /* T-ISO-7 */
#define LOOK_AT_ALL      1024

static struct kept_process kept[MAX_KEPT_PROCESSES]; /* of the worker's one plugin; pid 0: a free
                                                      * place */

static bool is_child(pid_t pid)
{
    siginfo_t about = { 0 };
    return waitid(P_PID, (id_t)pid, &about, WEXITED | WNOHANG | WNOWAIT) == 0;
}

static void forget_the_dead(void)
{
    for (size_t i = 0; i < MAX_KEPT_PROCESSES; i++)
        if (kept[i].pid && !is_child(kept[i].pid))
            kept[i] = (struct kept_process){ 0 };
}

static th_rc keep_process(int64_t pid, bool tree)
{
    if (pid <= 1 || pid > INT32_MAX || !is_child((pid_t)pid))
        return TH_RC_INVALID;
    forget_the_dead();
    struct kept_process *place = NULL;
    for (size_t i = MAX_KEPT_PROCESSES; i-- > 0;)
        if (kept[i].pid == pid || (kept[i].pid == 0 && (!place || place->pid == 0)))
            place = &kept[i];
    if (!place)
        return TH_RC_LIMIT;
    *place = (struct kept_process){ (pid_t)pid, tree };
    return TH_RC_OK;
}

static th_rc keep(int64_t pid)
{
    return keep_process(pid, false);
}

static th_rc keep_tree(int64_t pid)
{
    return keep_process(pid, true);
}

const th_processes_v1 mgi_processes_v1 = { sizeof(th_processes_v1), keep, keep_tree };

void mgi_processes_put(struct buf *out)
{
    uint32_t count = 0;
    for (size_t i = 0; i < MAX_KEPT_PROCESSES; i++)
        count += kept[i].pid != 0;
    mgi_frame_u32(out, count);
    for (size_t i = 0; i < MAX_KEPT_PROCESSES; i++)
        if (kept[i].pid) {
            mgi_frame_u32(out, (uint32_t)kept[i].pid);
            mgi_frame_u32(out, kept[i].tree);
        }
}

static bool is_kept(pid_t pid)
{
    for (size_t i = 0; i < MAX_KEPT_PROCESSES; i++)
        if (kept[i].pid == pid)
            return true;
    return false;
}

/* A helper that has ended hides what ended after it until the plugin has seen it. */
void mgi_processes_reap(void)
{
    for (;;) {
        siginfo_t about = { 0 };
        if (waitid(P_ALL, 0, &about, WEXITED | WNOHANG | WNOWAIT) != 0 || about.si_pid == 0 ||
            is_kept(about.si_pid))
            return;
        waitpid(about.si_pid, NULL, WNOHANG);
    }
}

/* ---- descriptors ------------------------------------------------------------------------------
 */

static rlim_t lowest_free(void)
{
    int fd = fcntl(0, F_DUPFD_CLOEXEC, 0);
    if (fd >= 0)
        close(fd);
    return fd < 0 ? RLIM_INFINITY : (rlim_t)fd;
}

bool mgi_descriptors_run_out(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return false;
    if (limit.rlim_cur > LOOK_AT_ALL && lowest_free() < limit.rlim_cur / 2)
        return false;
    if (limit.rlim_cur > LOOK_AT_ALL)
        return true; /* half of them leaked: no reason to wait for the rest */
    struct pollfd all[LOOK_AT_ALL];
    rlim_t open = 0;
    for (rlim_t i = 0; i < limit.rlim_cur; i++)
        all[i] = (struct pollfd){ .fd = (int)i };
    if (poll(all, (nfds_t)limit.rlim_cur, 0) < 0)
        return false;
    for (rlim_t i = 0; i < limit.rlim_cur; i++)
        open += !(all[i].revents & POLLNVAL);
    return open + DESCRIPTORS_LEFT > limit.rlim_cur;
}
