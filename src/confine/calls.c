/* The list of system calls, compiled by libseccomp: a row a call, or a few. What is on no row of
 * the profile fails with EPERM (T-ISO-11), and what Landlock restricts (opening, creating,
 * removing) is on the list of every profile: the private folder needs it.
 *
 * Landlock says nothing of modes, owners, times and attributes, so those are here: only who may
 * write gets them; modes and times also who may start programs, since a linker and git fail without
 * (so a program can change the mode of a file of its user, though not read it). System V's shared
 * memory, semaphores and queues are on no row: they reach whatever process of the user has some. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "confine/confine_int.h"

/* ---- rows --------------------------------------------------------------------------------- */

struct call_row {
    unsigned may;      /* with one of these bits; 0: always */
    const char *names; /* between blanks */
};

static const struct call_row rows[] = {
    /* descriptors and bytes */
    { 0,
      "read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek sendfile" },
    { 0, "splice tee vmsplice copy_file_range close close_range dup dup2 dup3 pipe pipe2 fcntl" },
    { 0, "ioctl flock fadvise64 readahead fallocate ftruncate fsync fdatasync sync_file_range" },
    { 0, "syncfs poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait" },
    { 0, "epoll_pwait epoll_pwait2 eventfd eventfd2 inotify_init inotify_init1 inotify_rm_watch" },
    { 0, "inotify_add_watch memfd_create" },
    /* files: what of them is said by Landlock */
    { 0,
      "open openat openat2 creat access faccessat faccessat2 stat fstat lstat newfstatat statx" },
    { 0, "statfs fstatfs readlink readlinkat getdents getdents64 getcwd chdir fchdir umask mkdir" },
    { 0, "mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat" },
    { 0, "mknod mknodat truncate getxattr lgetxattr fgetxattr listxattr llistxattr" },
    { 0, "flistxattr" },
    { CONFINE_WRITE | CONFINE_SPAWN, "chmod fchmod fchmodat utime utimes utimensat futimesat" },
    { CONFINE_WRITE, "chown fchown lchown fchownat setxattr lsetxattr fsetxattr removexattr" },
    { CONFINE_WRITE, "lremovexattr fremovexattr" },
    /* memory */
    { 0, "mmap munmap mprotect mremap madvise brk mincore msync mlock mlock2 munlock mlockall" },
    { 0, "munlockall membarrier pkey_alloc pkey_free pkey_mprotect mbind get_mempolicy" },
    { 0, "set_mempolicy" },
    /* threads, time, signals of its own */
    { 0,
      "futex futex_waitv set_robust_list get_robust_list set_tid_address gettid rseq arch_prctl" },
    { 0, "sched_yield sched_getaffinity sched_getparam sched_getscheduler sched_getattr getcpu" },
    { 0, "sched_get_priority_max sched_get_priority_min sched_rr_get_interval" },
    { 0, "nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times" },
    { 0, "timer_create timer_settime timer_gettime timer_getoverrun timer_delete timerfd_create" },
    { 0, "timerfd_settime timerfd_gettime getitimer setitimer alarm" },
    { 0, "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait" },
    { 0, "sigaltstack signalfd signalfd4 pause restart_syscall exit exit_group" },
    { 0, "kill tgkill rt_sigqueueinfo rt_tgsigqueueinfo" }, /* to whom: arguments.c */
    /* who it is; what it may lower */
    { 0, "getpid getppid getuid geteuid getgid getegid getgroups getresuid getresgid getpgrp" },
    { 0, "getpgid getsid getpriority ioprio_get getrlimit setrlimit getrusage sysinfo uname" },
    { 0, "capget capset prctl getrandom wait4 waitid setuid setgid setreuid setregid setresuid" },
    { 0, "setresgid setgroups setfsuid setfsgid seccomp landlock_create_ruleset" },
    { 0, "landlock_add_rule landlock_restrict_self" },
    /* sockets that it has, or that are a pair */
    { 0, "sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg shutdown getsockname getpeername" },
    { 0, "getsockopt setsockopt" },
    { 0, "socketpair" }, /* which: arguments.c, as for the next ones */
    { CONFINE_NETWORK, "socket connect bind listen accept accept4" },
    { 0,
      "prlimit64 sched_setaffinity sched_setscheduler sched_setparam sched_setattr setpriority" },
    { 0, "ioprio_set personality clone" },
    /* processes */
    { CONFINE_SPAWN, "fork vfork execve execveat setpgid setsid tkill pidfd_open" },
    { CONFINE_SPAWN, "pidfd_send_signal" },
};

/* Younger than the library may be; the same number everywhere. */
static const struct {
    unsigned may;
    int number;
} young_rows[] = {
    { 0, 449 },                             /* futex_waitv */
    { 0, 451 },                             /* cachestat */
    { CONFINE_WRITE | CONFINE_SPAWN, 452 }, /* fchmodat2 */
    { 0, 453 },                             /* map_shadow_stack */
    { 0, 454 },                             /* futex_wake */
    { 0, 455 },                             /* futex_wait */
    { 0, 456 },                             /* futex_requeue */
    { 0, 462 },                             /* mseal */
    { 0, 464 },                             /* getxattrat */
    { 0, 465 },                             /* listxattrat */
};

/* Nothing that runs by mistake asks for these. */
static const char killers[] =
    "ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp mount umount umount2 pivot_root "
    "move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr unshare setns create_module "
    "init_module finit_module delete_module kexec_load kexec_file_load reboot bpf";

/* ---- verdicts ----------------------------------------------------------------------------- */

#define NUMBERS 512 /* beyond which no machine has a call; what lies there is of the future */

enum verdict { REFUSE, ALLOW, KILL, ABSENT };

static uint32_t code_of(uint8_t verdict)
{
    switch (verdict) {
    case ALLOW:
        return SECCOMP_RET_ALLOW;
    case KILL:
        return SECCOMP_RET_KILL_PROCESS;
    case ABSENT:
        return SECCOMP_RET_ERRNO | ENOSYS;
    default:
        return SECCOMP_RET_ERRNO | EPERM;
    }
}

/* A name that this machine does not have is no fault: nobody can call it. */
static void set_names(uint8_t verdicts[NUMBERS], const char *names, enum verdict verdict)
{
    char name[48];
    while (*names) {
        size_t len = strcspn(names, " ");
        memcpy(name, names, len);
        name[len] = '\0';
        int number = seccomp_syscall_resolve_name(name);
        if (number >= 0 && number < NUMBERS)
            verdicts[number] = (uint8_t)verdict;
        names += len + (names[len] == ' ');
    }
}

static void set_verdicts(uint8_t verdicts[NUMBERS], unsigned may)
{
    memset(verdicts, REFUSE, NUMBERS);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!rows[i].may || rows[i].may & may)
            set_names(verdicts, rows[i].names, ALLOW);
    for (size_t i = 0; i < sizeof young_rows / sizeof *young_rows; i++)
        if (!young_rows[i].may || young_rows[i].may & may)
            verdicts[young_rows[i].number] = ALLOW;
    set_names(verdicts, killers, KILL);
    set_names(verdicts, "clone3",
              ABSENT); /* its flags are out of sight; the C library falls back */
    memset(verdicts + CONFINE_YOUNGEST_CALL + 1, ABSENT, NUMBERS - CONFINE_YOUNGEST_CALL - 1);
}

/* ---- the program -------------------------------------------------------------------------- */

struct tree {
    uint16_t begins[NUMBERS]; /* of runs: the first number of each */
    uint8_t verdicts[NUMBERS];
    struct sock_filter *code;
    uint16_t len;
};

static void put_step(struct tree *t, uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
    t->code[t->len++] = (struct sock_filter){ code, yes, no, k };
}

/* The runs from `first` to `last`. As deep as the logarithm of the table above. */
static void put_runs(struct tree *t, size_t first, size_t last)
{
    if (first == last) {
        put_step(t, BPF_RET | BPF_K, code_of(t->verdicts[first]), 0, 0);
        return;
    }
    size_t middle = (first + last + 1) / 2;
    put_step(t, BPF_JMP | BPF_JGE | BPF_K, t->begins[middle], 0, 1);
    uint16_t jump = t->len; /* a conditional jump is too short for the larger half */
    put_step(t, BPF_JMP | BPF_JA, 0, 0, 0);
    put_runs(t, first, middle - 1);
    t->code[jump].k = (uint32_t)(t->len - jump - 1);
    put_runs(t, middle, last);
}

static size_t find_runs(struct tree *t, const uint8_t verdicts[NUMBERS])
{
    size_t count = 0;
    for (uint16_t number = 0; number < NUMBERS; number++) {
        if (count > 0 && verdicts[number] == t->verdicts[count - 1])
            continue;
        t->begins[count] = number;
        t->verdicts[count++] = verdicts[number];
    }
    return count;
}

static struct sock_filter *program_of(const uint8_t verdicts[NUMBERS], uint16_t *len,
                                      const char **why)
{
    struct tree t = { .len = 0 };
    size_t runs = find_runs(&t, verdicts);
    *len = 0;
    t.code = mgi_alloc((4 + 3 * runs) * sizeof *t.code);
    if (!t.code) {
        *why = "out of memory";
        return NULL;
    }
#ifdef CONFINE_ARCH
    put_step(&t, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, arch), 0, 0);
    put_step(&t, BPF_JMP | BPF_JEQ | BPF_K, CONFINE_ARCH, 1, 0);
    put_step(&t, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
#endif
    put_step(&t, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, nr), 0, 0);
    put_runs(&t, 0, runs - 1);
    *len = t.len;
    return t.code;
}

struct sock_filter *mgi_confine_calls(unsigned may, uint16_t *len, const char **why)
{
    uint8_t verdicts[NUMBERS];
    set_verdicts(verdicts, may);
    return program_of(verdicts, len, why);
}

struct sock_filter *mgi_confine_calls_less(unsigned within, unsigned may, uint16_t *len,
                                           const char **why)
{
    uint8_t outer[NUMBERS], verdicts[NUMBERS];
    bool differ = false;
    set_verdicts(outer, within);
    set_verdicts(verdicts, may);
    for (size_t i = 0; i < NUMBERS; i++) {
        if (verdicts[i] == outer[i])
            verdicts[i] = ALLOW;
        differ |= verdicts[i] != ALLOW;
    }
    *len = 0;
    return differ ? program_of(verdicts, len, why) : NULL;
}
