/* Starting a policy process: see policy_launch.h.
 *
 * Until its exec the child uses the memory of the parent, as one of posix_spawn() does, on a stack
 * of its own; the thread that started it waits. A fork would copy the page tables: 14 ms of the
 * loop's time for a server of 100 MB, 59 ms for one of 1 GB. So the child writes nothing but its
 * stack, calls the kernel and nothing that allocates or takes a lock, and no handler runs in it:
 * all signals are blocked until none has one. It is not instrumented: what a sanitizer notes of its
 * stack would stay behind in the parent. */
#include "select/policy_launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCH AUDIT_ARCH_AARCH64
#endif
#define X32_BIT     0x40000000u /* of system-call numbers on x86-64 */
#define STACK_BYTES 65536       /* of the child until its exec; it needs about 12 KB */
#define STATUS_FD   3           /* in the child, until its exec */
#define PLAN_FD     4
#define FIRST_FREE  5
#define IN_CHILD    __attribute__((no_sanitize_address))

/* ---- in the child --------------------------------------------------------------------------- */

IN_CHILD static _Noreturn void give_up(const struct policy_launch *l, const char *what)
{
    struct policy_launch_fault fault = { .error = errno };
    strncpy(fault.what, what, sizeof fault.what - 1);
    ssize_t written = write(l->status, &fault, sizeof fault);
    _exit(written < 0 ? 126 : 127);
}

/* How many tasks run under `uid`: the kernel counts them all against the process limit. A task
 * folder has a link for each thread and two of its own. */
IN_CHILD static rlim_t count_user_tasks(uid_t uid)
{
    struct entry {
        uint64_t inode;
        int64_t offset;
        unsigned short len;
        unsigned char type;
        char name[];
    };
    _Alignas(struct entry) char chunk[8192];
    char path[64];
    rlim_t tasks = 0;
    struct stat about;
    int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (long got; proc >= 0 && (got = syscall(SYS_getdents64, proc, chunk, sizeof chunk)) > 0;) {
        for (long at = 0; at < got;) {
            const struct entry *e = (const struct entry *)(const void *)(chunk + at);
            at += e->len;
            size_t len = strlen(e->name);
            if (e->name[0] < '1' || e->name[0] > '9' || len > 20)
                continue;
            memcpy(path, e->name, len);
            memcpy(path + len, "/task", sizeof "/task");
            if (fstatat(proc, path, &about, 0) == 0 && about.st_uid == uid && about.st_nlink > 2)
                tasks += about.st_nlink - 2;
        }
    }
    if (proc >= 0)
        close(proc);
    return tasks;
}

/* A hard limit that is lower already is kept. */
IN_CHILD static bool limit_to(int resource, rlim_t value)
{
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)resource, &limit) != 0)
        return false;
    limit.rlim_max = value < limit.rlim_max ? value : limit.rlim_max;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit((__rlimit_resource_t)resource, &limit) == 0;
}

IN_CHILD static void apply_limits(const struct policy_launch *l)
{
    const struct policy_limits *p = &l->limits;
    if (!limit_to(RLIMIT_CORE, 0))
        give_up(l, "limit of core files");
    if (p->cpu_sec && !limit_to(RLIMIT_CPU, p->cpu_sec))
        give_up(l, "limit of CPU time");
    if (p->as_mb && !limit_to(RLIMIT_AS, p->as_mb << 20))
        give_up(l, "limit of memory");
    if (p->fsize_mb && !limit_to(RLIMIT_FSIZE, p->fsize_mb << 20))
        give_up(l, "limit of file size");
    if (p->nofile && !limit_to(RLIMIT_NOFILE, p->nofile))
        give_up(l, "limit of descriptors");
    if (p->nproc && getuid() != 0 && !limit_to(RLIMIT_NPROC, count_user_tasks(getuid()) + p->nproc))
        give_up(l, "limit of processes");
}

/* Whoever could leave the group would not end with it. */
IN_CHILD static void stay_in_group(const struct policy_launch *l)
{
#ifdef OWN_ARCH
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCH, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_setsid, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_setpgid, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog filter = { sizeof steps / sizeof *steps, steps };
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) != 0 && errno != EINVAL)
        give_up(l, "system-call filter"); /* EINVAL: a kernel without filters */
#else
    (void)l;
#endif
}

/* By the kernel's own calls: the C library's, and a sanitizer's before it, keep notes of handlers
 * in memory that is the parent's. */
IN_CHILD static void default_signals(void)
{
    const uint64_t none = 0;
    const struct kernel_action {
        void (*handler)(int);
        unsigned long flags;
        void (*restorer)(void);
        uint64_t mask;
    } plain = { 0 };
    for (int n = 1; n <= 64; n++)
        syscall(SYS_rt_sigaction, n, &plain, NULL, sizeof none);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, sizeof none);
}

IN_CHILD static void detach(const struct policy_launch *l, pid_t parent)
{
    if (setsid() < 0)
        give_up(l, "session");
    default_signals();
    umask(077);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || getppid() != parent)
        give_up(l, "end with the parent");
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        give_up(l, "privileges");
}

/* A copy that is above those which are replaced. -1: there is none. */
IN_CHILD static int out_of_the_way(int fd)
{
    return fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FREE);
}

/* To `to`, for the program, or for us until it begins. */
IN_CHILD static bool move_to(int fd, int to, bool ours)
{
    return fd >= 0 && dup2(fd, to) == to && (!ours || fcntl(to, F_SETFD, FD_CLOEXEC) == 0);
}

IN_CHILD static void take_descriptors(struct policy_launch *l)
{
    bool confined = l->plan && l->plan->ruleset >= 0;
    int null = out_of_the_way(open("/dev/null", O_RDONLY | O_CLOEXEC));
    int out = out_of_the_way(l->out), err = out_of_the_way(l->err);
    int plan = confined ? out_of_the_way(l->plan->ruleset) : -1;
    l->status = out_of_the_way(l->status);
    if (!move_to(l->status, STATUS_FD, true))
        give_up(l, "descriptors");
    l->status = STATUS_FD;
    if (!move_to(null, 0, false) || !move_to(out, 1, false) || !move_to(err, 2, false) ||
        (confined && !move_to(plan, PLAN_FD, true)) ||
        syscall(SYS_close_range, confined ? PLAN_FD + 1u : STATUS_FD + 1u, UINT_MAX, 0u) != 0)
        give_up(l, "descriptors");
}

/* Of the parent's memory nothing is written: the plan is a copy, on the child's own stack. */
IN_CHILD static void enter_confinement(const struct policy_launch *l)
{
    const struct confine_entry entry = { .will_exec = true };
    if (!l->plan)
        return;
    struct confine_plan plan = *l->plan;
    if (plan.ruleset >= 0)
        plan.ruleset = PLAN_FD;
    const char *what = mgi_confine_enter(&plan, &entry);
    if (what)
        give_up(l, what);
}

IN_CHILD static _Noreturn void become_policy(struct policy_launch *l, pid_t parent)
{
    detach(l, parent);
    take_descriptors(l);
    if (chdir(l->folder) != 0)
        give_up(l, "working folder");
    apply_limits(l);
    stay_in_group(l);
    enter_confinement(l);
    execve(l->path, l->argv, l->env);
    give_up(l, "exec");
}

/* ---- in the parent -------------------------------------------------------------------------- */

struct newborn {
    struct policy_launch launch; /* its own: it is changed */
    pid_t parent;
};

IN_CHILD static int live(void *context)
{
    struct newborn *n = context;
    become_policy(&n->launch, n->parent);
}

/* Returns when the child has executed its program, or has ended. */
static pid_t clone_policy(struct newborn *n)
{
    sigset_t all, before;
    char *stack = mgi_alloc(STACK_BYTES);
    if (!stack) {
        errno = ENOMEM;
        return -1;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = clone(live, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD, n);
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    mgi_free(stack);
    errno = error;
    return pid;
}

pid_t mgi_policy_launch(const struct policy_launch *launch, int *pidfd)
{
    struct newborn n = { *launch, getpid() };
    pid_t pid = clone_policy(&n);
    if (pid < 0)
        return -1;
    *pidfd = pidfd_open(pid, 0);
    if (*pidfd >= 0)
        return pid;
    int error = errno;
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
    errno = error;
    return -1;
}
