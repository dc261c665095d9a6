/* A group's life, and the end of its members: see group.h. */
#include "confine/group.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "confine/confine_int.h"

#define NAME_BEGIN "manglecp-confined-"
#define MAX_STALE  16
#define MAX_LOOKED 2000 /* names of a large folder: not worth more time of every start */
#define MAX_MADE   4    /* one that was just made may be taken for a killed maker's */

/* clone3() as the kernel has had it since 5.7: the C library has no function for it, and its
 * headers may be older. */
#define CLONE_INTO_GROUP UINT64_C(0x200000000)
#define CLONE3           435 /* the same number on every machine */
struct clone3_arguments {
    uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
    uint64_t set_tid, set_tid_size, group;
};

/* ---- its files ------------------------------------------------------------------------------ */

static bool write_file(int at, const char *name, const char *text)
{
    int fd = openat(at, name, O_WRONLY | O_CLOEXEC);
    bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0)
        close(fd);
    return done;
}

/* There is no such file where the controller is not ours. */
static bool write_limit(int at, const char *name, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return value > 0 && write_file(at, name, text);
}

void mgi_confine_group_limit(struct confine_group *g, uint64_t tasks, uint64_t memory_bytes)
{
    if (g->fd < 0)
        return;
    g->counts_tasks = write_limit(g->fd, "pids.max", tasks);
    write_limit(g->fd, "memory.max", memory_bytes);
}

/* ---- the end of members --------------------------------------------------------------------- */

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void nap(void)
{
    const struct timespec moment = { .tv_nsec = 200000 };
    nanosleep(&moment, NULL);
}

/* Who is not to be killed. */
struct spared {
    bool (*has)(const void *context, pid_t pid);
    const void *context;
};

struct pids {
    const pid_t *items;
    size_t count;
};

static bool is_in(const void *context, pid_t pid)
{
    const struct pids *list = context;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == pid)
            return true;
    return false;
}

/* Kill the members that are not spared; how many there were. 0 also of a group that is gone. One
 * whose number is 0 here lives in a namespace that we do not see: its makers are members, too. */
static size_t kill_members(const struct confine_group *g, const struct spared *spared)
{
    char chunk[4096];
    size_t found = 0;
    pid_t pid = 0;
    ssize_t n;
    lseek(g->members, 0, SEEK_SET);
    while ((n = read(g->members, chunk, sizeof chunk)) > 0)
        for (ssize_t i = 0; i < n; i++) {
            if (chunk[i] >= '0' && chunk[i] <= '9') {
                pid = pid * 10 + (chunk[i] - '0');
                continue;
            }
            if (pid > 0 && !spared->has(spared->context, pid)) {
                found++;
                kill(pid, SIGKILL);
            }
            pid = 0;
        }
    return found;
}

/* Frozen members can be killed, and start nothing. The kernel's own switch, cgroup.kill, spares
 * nobody, and there are kernels (6.18 is one) on which a group that was ended by it also kills what
 * is started into it later. */
static bool kill_until_none(const struct confine_group *g, const struct spared *spared)
{
    int64_t until = now_ms() + CONFINE_GROUP_PATIENCE_MS;
    while (kill_members(g, spared) > 0) {
        if (now_ms() > until)
            return false;
        nap();
    }
    return true;
}

bool mgi_confine_group_end_but(const struct confine_group *g,
                               bool (*is_spared)(const void *context, pid_t pid),
                               const void *context)
{
    const struct spared spared = { is_spared, context };
    if (g->fd < 0 || kill_members(g, &spared) == 0)
        return true;
    bool frozen = write_file(g->fd, "cgroup.freeze", "1"); /* where not (5.1), it is a race */
    bool gone = kill_until_none(g, &spared);
    if (frozen)
        write_file(g->fd, "cgroup.freeze", "0");
    return gone;
}

bool mgi_confine_group_end(const struct confine_group *g, const pid_t *spared, size_t count)
{
    const struct pids list = { spared, count };
    return mgi_confine_group_end_but(g, is_in, &list);
}

/* ---- its life ------------------------------------------------------------------------------- */

static int open_above(int at, const char *name, int flags)
{
    int fd = openat(at, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags);
    if (fd < 0 || fd >= FIRST_FD)
        return fd;
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FD);
    close(fd);
    return moved;
}

/* The folder is still what its name leads to, and not one that was taken for a killed maker's. */
static bool is_there(const struct confine_group *g)
{
    struct stat open, named;
    return fstat(g->fd, &open) == 0 && stat(g->path, &named) == 0 && open.st_ino == named.st_ino &&
           open.st_dev == named.st_dev;
}

static void close_group(struct confine_group *g)
{
    if (g->fd >= 0)
        close(g->fd);
    if (g->members >= 0)
        close(g->members);
    *g = CONFINE_NO_GROUP;
}

/* A member that is dead and not yet forgotten keeps it for a moment. */
static bool remove_group_folder(int at, const char *name)
{
    int64_t until = now_ms() + CONFINE_GROUP_PATIENCE_MS;
    while (unlinkat(at, name, AT_REMOVEDIR) != 0) {
        if (errno != EBUSY || now_ms() > until)
            return errno == ENOENT;
        nap();
    }
    return true;
}

static bool make_once(struct confine_group *g, const char *under)
{
    *g = CONFINE_NO_GROUP;
    int len = snprintf(g->path, sizeof g->path, "%s/" NAME_BEGIN "XXXXXX", under);
    if (len < 0 || (size_t)len >= sizeof g->path || !mkdtemp(g->path)) {
        close_group(g);
        return false;
    }
    g->fd = open_above(AT_FDCWD, g->path, O_DIRECTORY);
    if (g->fd >= 0 && flock(g->fd, LOCK_EX | LOCK_NB) == 0 && is_there(g)) {
        /* Linux 6.1: what nobody reads costs each change between host and worker half a us. */
        (void)!write_file(g->fd, "cgroup.pressure", "0");
        g->members = open_above(g->fd, "cgroup.procs", 0);
        if (g->members >= 0)
            return true;
    }
    int failed = errno;
    unlinkat(AT_FDCWD, g->path, AT_REMOVEDIR);
    close_group(g);
    errno = failed;
    return false;
}

/* One that its maker has not locked was left by a killed one, or will be missed and made again. */
static bool remove_stale_group(int at, const char *name)
{
    struct stat about;
    struct confine_group left = CONFINE_NO_GROUP;
    bool removed = false;
    left.fd = open_above(at, name, O_DIRECTORY);
    if (left.fd >= 0 && fstat(left.fd, &about) == 0 && about.st_uid == geteuid() &&
        flock(left.fd, LOCK_EX | LOCK_NB) == 0) {
        left.members = open_above(left.fd, "cgroup.procs", 0);
        removed = left.members >= 0 && mgi_confine_group_end(&left, NULL, 0) &&
                  remove_group_folder(at, name);
    }
    close_group(&left);
    return removed;
}

static void remove_all_stale(const char *under)
{
    DIR *dir = opendir(under);
    int removed = 0, looked = 0;
    for (struct dirent *e;
         dir && removed < MAX_STALE && looked++ < MAX_LOOKED && (e = readdir(dir));)
        if (strncmp(e->d_name, NAME_BEGIN, sizeof NAME_BEGIN - 1) == 0 &&
            strlen(e->d_name) == sizeof NAME_BEGIN - 1 + 6)
            removed += remove_stale_group(dirfd(dir), e->d_name);
    if (dir)
        closedir(dir);
}

/* For the groups in there; refused where it has processes. */
static void hand_out_controllers(const char *folder)
{
    int fd = open_above(AT_FDCWD, folder, O_DIRECTORY);
    if (fd < 0)
        return;
    (void)!write_file(fd, "cgroup.subtree_control", "+pids");
    (void)!write_file(fd, "cgroup.subtree_control", "+memory");
    close(fd);
}

bool mgi_confine_group_make(struct confine_group *g)
{
    char under[CONFINE_GROUP_MAX];
    bool delegated;
    *g = CONFINE_NO_GROUP;
    if (!mgi_confine_group_place(under, &delegated))
        return false;
    if (delegated)
        hand_out_controllers(under);
    remove_all_stale(under);
    for (int i = 0; i < MAX_MADE; i++)
        if (make_once(g, under))
            return true;
    return false;
}

/* ---- members -------------------------------------------------------------------------------- */

/* The call itself, in the frame of who makes it: were it a function, the child would return from it
 * first, and what it did to the stack then would be what the parent finds there. -1: this machine
 * is not known. */
static inline __attribute__((always_inline)) long clone3(const struct clone3_arguments *a)
{
#if defined(__x86_64__)
    long rc = CLONE3;
    __asm__ volatile("syscall" : "+a"(rc) : "D"(a), "S"(sizeof *a) : "rcx", "r11", "memory");
    return rc;
#elif defined(__aarch64__)
    register long number __asm__("x8") = CLONE3;
    register long rc __asm__("x0") = (long)a;
    register long size __asm__("x1") = sizeof *a;
    __asm__ volatile("svc #0" : "+r"(rc) : "r"(number), "r"(size) : "memory");
    return rc;
#else
    (void)a;
    return -ENOSYS;
#endif
}

/* Never returns, and is never part of its caller, so that the caller's frame stays as it was. Not
 * instrumented: what a sanitizer notes of the child's stack would stay behind in the parent. */
static __attribute__((noinline, noreturn, no_sanitize_address)) void become(
    void (*child)(const void *context), const void *context)
{
    child(context);
    _exit(CONFINE_GROUP_NOT_STARTED);
}

static __attribute__((noinline)) pid_t start_member(const struct clone3_arguments *arguments,
                                                    void (*child)(const void *context),
                                                    const void *context)
{
    long pid = clone3(arguments);
    if (pid == 0)
        become(child, context);
    if (pid < 0)
        errno = (int)-pid;
    return pid < 0 ? -1 : (pid_t)pid;
}

static __attribute__((noinline)) pid_t start_plainly(void (*child)(const void *context),
                                                     const void *context)
{
    pid_t pid = vfork();
    if (pid == 0)
        become(child, context);
    return pid;
}

pid_t mgi_confine_group_start(const struct confine_group *g, void (*child)(const void *context),
                              const void *context)
{
    const struct clone3_arguments arguments = { .flags = CLONE_INTO_GROUP | CLONE_VM | CLONE_VFORK,
                                                .exit_signal = SIGCHLD,
                                                .group = (uint64_t)g->fd };
    return g->fd >= 0 ? start_member(&arguments, child, context) : start_plainly(child, context);
}

void mgi_confine_group_remove(struct confine_group *g)
{
    if (g->path[0] != '\0')
        remove_group_folder(AT_FDCWD, g->path);
    close_group(g);
}
