/* Processes as the kernel shows them: see process.h. */
#include "toolhost/process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "toolhost/sizes.h"
#include "sys/clock.h"

int64_t mgi_now_ms(void)
{
    return mgi_clock_mono_ns() / NS_PER_MS;
}

uint64_t mgi_resident_kb(void)
{
    unsigned long long pages;
    FILE *statm = fopen("/proc/self/statm", "re");
    if (!statm)
        return 0;
    if (fscanf(statm, "%*u %llu", &pages) != 1)
        pages = 0;
    fclose(statm);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
}

void mgi_pids_fini(struct pid_list *l)
{
    mgi_free(l->items);
    *l = (struct pid_list){ 0 };
}

bool mgi_pids_has(const struct pid_list *l, pid_t pid)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->items[i] == pid)
            return true;
    return false;
}

/* ---- /proc -------------------------------------------------------------------------------- */

/* The beginning of /proc/<pid>/<name>, with a NUL. */
static bool proc_read(pid_t pid, const char *name, char *text, size_t cap)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, text, cap - 1);
    close(fd);
    if (n < 0)
        return false;
    text[n] = '\0';
    return true;
}

/* "pid (name) state ppid ...": the name may hold anything, so count from the last parenthesis. */
static pid_t parent_of(pid_t pid)
{
    char text[512];
    if (!proc_read(pid, "stat", text, sizeof text))
        return 0;
    const char *at = strrchr(text, ')');
    char state;
    int parent;
    return at && sscanf(at + 1, " %c %d", &state, &parent) == 2 ? parent : 0;
}

/* Call visit(pid) for every process; false if /proc cannot be read, or as soon as visit says so. */
static bool each_process(bool (*visit)(void *context, pid_t pid), void *context)
{
    DIR *proc = opendir("/proc");
    if (!proc)
        return false;
    bool ok = true;
    for (struct dirent *e; ok && (e = readdir(proc));)
        if (isdigit((unsigned char)e->d_name[0]))
            ok = visit(context, (pid_t)strtol(e->d_name, NULL, 10));
    closedir(proc);
    return ok;
}

static bool add_if_child(void *context, pid_t pid)
{
    struct pid_list *l = context;
    if (parent_of(pid) != getpid())
        return true;
    if (!mgi_grow(&l->items, &l->cap, l->count + 1, sizeof *l->items))
        return false;
    l->items[l->count++] = pid;
    return true;
}

static bool has_no_child(void)
{
    siginfo_t about;
    return waitid(P_ALL, 0, &about, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD;
}

bool mgi_children(struct pid_list *out)
{
    *out = (struct pid_list){ 0 };
    if (has_no_child()) /* the usual case, and much cheaper than a walk through /proc */
        return true;
    if (each_process(add_if_child, out))
        return true;
    mgi_pids_fini(out);
    return false;
}

struct task_count {
    uid_t uid;
    uint64_t tasks;
};

static bool count_tasks(void *context, pid_t pid)
{
    struct task_count *count = context;
    char text[4096];
    unsigned uid, threads;
    if (!proc_read(pid, "status", text, sizeof text))
        return true; /* it has ended meanwhile */
    const char *uid_line = strstr(text, "\nUid:"), *threads_line = strstr(text, "\nThreads:");
    if (uid_line && threads_line && sscanf(uid_line, "\nUid: %u", &uid) == 1 &&
        sscanf(threads_line, "\nThreads: %u", &threads) == 1 && uid == count->uid)
        count->tasks += threads;
    return true;
}

uint64_t mgi_tasks_of_user(uid_t uid)
{
    struct task_count count = { uid, 0 };
    each_process(count_tasks, &count);
    return count.tasks;
}

/* ---- sweep -------------------------------------------------------------------------------- */

/* One round; the number of processes that had to be killed. */
static size_t sweep_once(const struct pid_list *keep)
{
    struct pid_list children;
    size_t strangers = 0;
    if (!mgi_children(&children))
        return 1; /* could not look: try again until time is up */
    for (size_t i = 0; i < children.count; i++) {
        pid_t pid = children.items[i];
        if (mgi_pids_has(keep, pid))
            continue;
        strangers++;
        kill(pid, SIGKILL);
        waitpid(pid, NULL, WNOHANG);
    }
    mgi_pids_fini(&children);
    return strangers;
}

bool mgi_sweep(const struct pid_list *keep)
{
    const struct timespec moment = { .tv_nsec = 300000 };
    int64_t give_up = mgi_now_ms() + SWEEP_LIMIT_MS;
    while (sweep_once(keep) > 0) {
        if (mgi_now_ms() > give_up)
            return false;
        nanosleep(&moment, NULL);
    }
    return true;
}
