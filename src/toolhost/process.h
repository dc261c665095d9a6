/* Processes, as the kernel shows them: who our children are, and how to be rid of them.
 *
 * The host is a child subreaper, so whatever a worker leaves behind, however it detached itself,
 * becomes a child of the host and can be found and killed (7.4). Children that the host had when it
 * started are none of its business and are never touched (T-LIM-6). */
#ifndef TOOLHOST_PROCESS_H
#define TOOLHOST_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SWEEP_PARENTS 512 /* a power of two; what finds no place is asked for again */

struct pid_list {
    pid_t *items;
    size_t count, cap;
};

void mgi_pids_fini(struct pid_list *l);
bool mgi_pids_has(const struct pid_list *l, pid_t pid);

/* The processes whose parent is this one. False when memory is short or /proc is not there. */
bool mgi_children(struct pid_list *out);

/* Kill and reap every child that is not in `keep`, and what turns up when they die, until none is
 * left. False if some are, after SWEEP_LIMIT_MS. */
bool mgi_sweep(const struct pid_list *keep);

/* The newest process id of this machine, from an open /proc/loadavg; 0: cannot be told. */
pid_t mgi_newest_process(int loadavg_fd);

/* A helper of the plugin's, a child of the worker, that stays. */
struct kept_process {
    pid_t pid;
    bool tree; /* and so does what descends from it */
};

/* Who is whose child, as one look has found it: most of what a look asks, it asks of the same few
 * processes again. Nothing of it is true for longer than the look. */
struct parents {
    pid_t pid[SWEEP_PARENTS], parent[SWEEP_PARENTS]; /* pid 0: a free place */
    size_t asked;                                    /* files of /proc that were read; counts on */
};

/* The end of a call: which processes are to end. */
struct sweep {
    pid_t worker;                /* its descendants, and those who have become our own children */
    const struct pid_list *keep; /* but not these of ours, */
    const struct kept_process *kept; /* nor these of the worker's */
    size_t kept_count;
    int newest_fd; /* of mgi_newest_process() */
    struct parents *parents;
};

/* Kill what has been started since the process *from was the newest, until nothing new of it is
 * left; *from becomes the newest there is. Few ids are looked at one by one; many, or a count that
 * has begun anew, by a walk through /proc. False: something was left after SWEEP_LIMIT_MS. */
bool mgi_sweep_since(const struct sweep *sweep, pid_t *from);

/* Tasks (processes and their threads) that run under the real user id `uid`, which is what the
 * kernel counts against the process limit. */
uint64_t mgi_tasks_of_user(uid_t uid);

/* Does it stay: the worker, one of `keep`, a helper, or of the tree of one? By sweep->parents. */
bool mgi_sweep_spares(const struct sweep *sweep, pid_t pid);

int64_t mgi_now_ms(void); /* monotonic */

uint64_t mgi_resident_kb(void); /* memory that this process holds; 0: it cannot be told */

#endif
