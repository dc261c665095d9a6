/* The list of system calls, compiled by libseccomp: a row a call, or a few. What is on no row of
 * the profile fails with EPERM (T-ISO-11), and what Landlock restricts (opening, creating,
 * removing) is on the list of every profile: the private folder needs it.
 *
 * Landlock says nothing of modes, owners, times and attributes, so those are here: only who may
 * write gets them; modes and times also who may start programs, since a linker and git fail without
 * (so a program can change the mode of a file of its user, though not read it). System V's shared
 * memory, semaphores and queues are on no row: they reach whatever process of the user has some. */
#include <errno.h>
#include <seccomp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/netlink.h>

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
    { CONFINE_NETWORK, "connect bind listen accept accept4" },
    /* processes */
    { CONFINE_SPAWN, "fork vfork clone execve execveat setpgid setsid tkill pidfd_open" },
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

/* ---- the filter --------------------------------------------------------------------------- */

/* A name or number that this machine does not have is no fault: nobody can call it. */
static bool add(scmp_filter_ctx ctx, uint32_t action, int number)
{
    int rc = seccomp_rule_add(ctx, action, number, 0);
    return rc == 0 || rc == -EEXIST || rc == -EDOM || rc == -EFAULT;
}

static bool add_names(scmp_filter_ctx ctx, uint32_t action, const char *names)
{
    char name[48];
    while (*names) {
        size_t len = strcspn(names, " ");
        if (len >= sizeof name)
            return false;
        memcpy(name, names, len);
        name[len] = '\0';
        int number = seccomp_syscall_resolve_name(name);
        if (number != __NR_SCMP_ERROR && !add(ctx, action, number))
            return false;
        names += len + (names[len] == ' ');
    }
    return true;
}

/* Allow `number` if its arguments are as said. */
static bool add_if(scmp_filter_ctx ctx, int number, unsigned count, const struct scmp_arg_cmp *args)
{
    return seccomp_rule_add_array(ctx, SCMP_ACT_ALLOW, number, count, args) == 0;
}

static bool add_sockets(scmp_filter_ctx ctx, unsigned may)
{
    /* A pair of datagram sockets could be sent from to any other socket of the machine. */
    const int pairs[] = { SOCK_STREAM, SOCK_SEQPACKET };
    const int families[] = { AF_INET, AF_INET6 };
    bool ok = true;
    for (size_t i = 0; i < 2; i++) {
        const struct scmp_arg_cmp args[] = {
            SCMP_A0(SCMP_CMP_EQ, AF_UNIX), SCMP_A1(SCMP_CMP_MASKED_EQ, 0xf, (scmp_datum_t)pairs[i])
        };
        ok = ok && add_if(ctx, SCMP_SYS(socketpair), 2, args);
    }
    for (size_t i = 0; may & CONFINE_NETWORK && i < 2; i++) {
        const struct scmp_arg_cmp arg = SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)families[i]);
        ok = ok && add_if(ctx, SCMP_SYS(socket), 1, &arg);
    }
    if (may & CONFINE_NETWORK) { /* the resolver asks which addresses this machine has */
        const struct scmp_arg_cmp args[] = { SCMP_A0(SCMP_CMP_EQ, AF_NETLINK),
                                             SCMP_A2(SCMP_CMP_EQ, NETLINK_ROUTE) };
        ok = ok && add_if(ctx, SCMP_SYS(socket), 2, args);
    }
    if (may & CONFINE_NETWORK && may & CONFINE_LOCAL_SOCKETS) {
        const struct scmp_arg_cmp arg = SCMP_A0(SCMP_CMP_EQ, AF_UNIX);
        ok = ok && add_if(ctx, SCMP_SYS(socket), 1, &arg);
    }
    return ok;
}

/* Whose first argument is a process or thread: 0, the caller, and no other one. Lowering a limit of
 * another process of the user, or its priority, would end it as surely as a signal. */
static bool add_own(scmp_filter_ctx ctx)
{
    const int calls[] = { SCMP_SYS(prlimit64), SCMP_SYS(sched_setaffinity),
                          SCMP_SYS(sched_setscheduler), SCMP_SYS(sched_setparam),
                          SCMP_SYS(sched_setattr) };
    const struct scmp_arg_cmp none = SCMP_A0(SCMP_CMP_EQ, 0);
    const struct scmp_arg_cmp process[] = { SCMP_A0(SCMP_CMP_EQ, 0 /* PRIO_PROCESS */),
                                            SCMP_A1(SCMP_CMP_EQ, 0) };
    const struct scmp_arg_cmp io[] = { SCMP_A0(SCMP_CMP_EQ, 1 /* IOPRIO_WHO_PROCESS */),
                                       SCMP_A1(SCMP_CMP_EQ, 0) };
    bool ok =
        add_if(ctx, SCMP_SYS(setpriority), 2, process) && add_if(ctx, SCMP_SYS(ioprio_set), 2, io);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        ok = ok && add_if(ctx, calls[i], 1, &none);
    return ok;
}

static bool add_rest(scmp_filter_ctx ctx, unsigned may)
{
    const scmp_datum_t thread = 0x10000; /* CLONE_THREAD */
    const scmp_datum_t personalities[] = { 0, 0xffffffff };
    bool ok = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
    if (!(may & CONFINE_SPAWN)) {
        const struct scmp_arg_cmp arg = SCMP_A0(SCMP_CMP_MASKED_EQ, thread, thread);
        ok = ok && add_if(ctx, SCMP_SYS(clone), 1, &arg);
    }
    for (size_t i = 0; i < 2; i++) { /* asking, and the plain one: none that maps all executable */
        const struct scmp_arg_cmp arg = SCMP_A0(SCMP_CMP_EQ, personalities[i]);
        ok = ok && add_if(ctx, SCMP_SYS(personality), 1, &arg);
    }
    return ok;
}

static bool add_all(scmp_filter_ctx ctx, unsigned may)
{
    bool ok = seccomp_attr_set(ctx, SCMP_FLTATR_CTL_OPTIMIZE, 2) == 0 && /* a tree, not a list */
              seccomp_attr_set(ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0;
    for (size_t i = 0; ok && i < sizeof rows / sizeof *rows; i++)
        if (!rows[i].may || rows[i].may & may)
            ok = add_names(ctx, SCMP_ACT_ALLOW, rows[i].names);
    for (size_t i = 0; ok && i < sizeof young_rows / sizeof *young_rows; i++)
        if (!young_rows[i].may || young_rows[i].may & may)
            ok = add(ctx, SCMP_ACT_ALLOW, young_rows[i].number);
    return ok && add_names(ctx, SCMP_ACT_KILL_PROCESS, killers) && add_sockets(ctx, may) &&
           add_own(ctx) && add_rest(ctx, may);
}

/* The library hands programs out through a descriptor only. */
static struct sock_filter *export(scmp_filter_ctx ctx, uint16_t *len)
{
    int fd = memfd_create("filter", MFD_CLOEXEC);
    off_t size = fd >= 0 && seccomp_export_bpf(ctx, fd) == 0 ? lseek(fd, 0, SEEK_END) : -1;
    struct sock_filter *code = NULL;
    if (size > 0 && size / (off_t)sizeof *code <= BPF_MAXINSNS)
        code = mgi_alloc((size_t)size);
    if (code && pread(fd, code, (size_t)size, 0) != (ssize_t)size) {
        mgi_free(code);
        code = NULL;
    }
    if (fd >= 0)
        close(fd);
    *len = code ? (uint16_t)((size_t)size / sizeof *code) : 0;
    return code;
}

struct sock_filter *mgi_confine_calls(unsigned may, uint16_t *len, const char **why)
{
    scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    struct sock_filter *code = NULL;
    *len = 0;
    if (ctx && add_all(ctx, may))
        code = export(ctx, len);
    if (ctx)
        seccomp_release(ctx);
    if (!code)
        *why = "could not compile the system-call filter";
    return code;
}
