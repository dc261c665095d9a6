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

/* ---- the end of a call -------------------------------------------------------------------- */

#define MANY_PROCESSES 256
#define MAX_ANCESTORS  64

pid_t mgi_newest_process(int loadavg_fd)
{
    char text[128];
    int newest = 0;
    ssize_t n = loadavg_fd < 0 ? -1 : pread(loadavg_fd, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    /* "0.00 0.01 0.05 1/234 5678": the last number */
    const char *last = strrchr(text, ' ');
    return last && sscanf(last, "%d", &newest) == 1 ? newest : 0;
}

#define PLACES_TRIED 8

/* Where `pid` stands, or has room; SWEEP_PARENTS: nowhere. */
static size_t place_of(const struct parents *all, pid_t pid)
{
    for (size_t i = 0; i < PLACES_TRIED; i++) {
        size_t at = ((size_t)pid + i) % SWEEP_PARENTS;
        if (all->pid[at] == pid || all->pid[at] == 0)
            return at;
    }
    return SWEEP_PARENTS;
}

static void note_parent(struct parents *all, pid_t pid, pid_t parent)
{
    size_t at = place_of(all, pid);
    all->asked++;
    if (at == SWEEP_PARENTS)
        return;
    all->pid[at] = pid;
    all->parent[at] = parent;
}

/* As parent_of(), of this look. */
static pid_t parent_seen(const struct sweep *s, pid_t pid)
{
    size_t at = place_of(s->parents, pid);
    if (at < SWEEP_PARENTS && s->parents->pid[at] == pid)
        return s->parents->parent[at];
    pid_t parent = parent_of(pid);
    note_parent(s->parents, pid, parent);
    return parent;
}

static void look_anew(struct parents *all)
{
    memset(all->pid, 0, sizeof all->pid);
}

struct process {
    pid_t leader, parent;
    bool dead; /* waits to be reaped */
};

static bool process_read(pid_t pid, struct process *p)
{
    char text[1024], state = '?';
    int leader = 0, parent = 0;
    if (!proc_read(pid, "status", text, sizeof text))
        return false;
    const char *state_line = strstr(text, "\nState:"), *leader_line = strstr(text, "\nTgid:");
    const char *parent_line = strstr(text, "\nPPid:");
    if (!state_line || !leader_line || !parent_line ||
        sscanf(state_line, "\nState: %c", &state) != 1 ||
        sscanf(leader_line, "\nTgid: %d", &leader) != 1 ||
        sscanf(parent_line, "\nPPid: %d", &parent) != 1)
        return false;
    *p = (struct process){ leader, parent, state == 'Z' || state == 'X' };
    return true;
}

static bool is_spared(const struct sweep *s, pid_t pid)
{
    for (size_t i = 0; i < s->kept_count; i++)
        if (s->kept[i].pid == pid && parent_seen(s, pid) == s->worker)
            return true;
    return mgi_pids_has(s->keep, pid);
}

/* Whoever has detached itself has another parent, and is no member of a tree any more. */
static bool is_of_kept_tree(const struct sweep *s, pid_t parent)
{
    bool trees = false;
    for (size_t i = 0; i < s->kept_count; i++)
        trees |= s->kept[i].tree;
    for (int i = 0; trees && i < MAX_ANCESTORS && parent > 1; i++) {
        pid_t above = parent_seen(s, parent);
        for (size_t j = 0; j < s->kept_count && above == s->worker; j++)
            if (s->kept[j].pid == parent)
                return s->kept[j].tree;
        parent = above;
    }
    return false;
}

bool mgi_sweep_spares(const struct sweep *s, pid_t pid)
{
    return pid == s->worker || is_spared(s, pid) || is_of_kept_tree(s, parent_seen(s, pid));
}

/* Does the way up from here lead to the worker, or to us, without passing one that is ours to keep?
 */
static bool descends(const struct sweep *s, pid_t parent)
{
    for (int i = 0; i < MAX_ANCESTORS && parent > 1; i++) {
        if (parent == s->worker || parent == getpid())
            return true;
        if (mgi_pids_has(s->keep, parent))
            return false;
        parent = parent_seen(s, parent);
    }
    return false;
}

struct sweep_round {
    const struct sweep *sweep;
    size_t strays;
};

static bool end_if_stray(void *context, pid_t pid)
{
    struct sweep_round *round = context;
    const struct sweep *s = round->sweep;
    struct process p;
    if (pid == s->worker || !process_read(pid, &p) || p.leader != pid)
        return true;
    note_parent(s->parents, pid, p.parent);
    if (is_spared(s, pid) || !descends(s, p.parent) || is_of_kept_tree(s, p.parent))
        return true;
    if (p.parent == getpid())
        waitpid(pid, NULL, WNOHANG);
    if (!p.dead) { /* a dead one of the worker is the worker's to reap */
        round->strays++;
        kill(pid, SIGKILL);
    }
    return true;
}

/* One round over what was started after `from`, up to `to`. The number of strays that lived. */
static size_t sweep_range(const struct sweep *s, pid_t from, pid_t to)
{
    struct sweep_round round = { s, 0 };
    look_anew(s->parents);
    if (from > 0 && to >= from && to - from <= MANY_PROCESSES) {
        for (pid_t pid = from + 1; pid <= to; pid++)
            end_if_stray(&round, pid);
    } else if (!each_process(end_if_stray, &round)) {
        round.strays++; /* could not look: try again until time is up */
    }
    return round.strays;
}

bool mgi_sweep_since(const struct sweep *s, pid_t *from)
{
    const struct timespec moment = { .tv_nsec = 200000 };
    int64_t give_up = mgi_now_ms() + SWEEP_LIMIT_MS;
    for (;;) {
        pid_t to = mgi_newest_process(s->newest_fd);
        size_t strays = sweep_range(s, *from, to);
        if (strays == 0) {
            *from = to;
            if (mgi_newest_process(s->newest_fd) == to)
                return true;
        } /* else one that has just ended may have left a younger one: look again */
        if (mgi_now_ms() > give_up)
            return strays == 0;
        if (strays > 0)
            nanosleep(&moment, NULL);
    }
}
