/* A control group of its own for what a process starts, where one may be made (version 2).
 *
 * A limit of processes and a walk through /proc are two races: whoever breeds faster than it is
 * killed wins them. Members of a group are listed and frozen by the kernel, and can leave it only
 * by writing to its file system, which confined code cannot (confine.h, layer 3). So everything
 * that was started is found, and nothing new is started meanwhile.
 *
 *     mgi_confine_group_make() -> mgi_confine_group_start() ... mgi_confine_group_end() ->
 * _remove() (members; theirs are)         (all, or all but some)
 *
 * Where it may be made: below the group of the calling process, or beside that group where a
 * service manager gave it the one above (systemd's Delegate= with DelegateSubgroup=). An ordinary
 * user may where either was given to it. Where it may not (version 1 alone, a container's read-only
 * view, no rights) there is none, and whoever uses it does without: this is one protection more,
 * never the only one. Nothing here is waited for longer than CONFINE_GROUP_PATIENCE_MS.
 *
 * A group is its maker's. While that lives it holds a lock on the group's folder; what a killed one
 * left is ended and removed by the next one of the same user. */
#ifndef MGI_CONFINE_GROUP_H
#define MGI_CONFINE_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { CONFINE_GROUP_MAX = 512, CONFINE_GROUP_PATIENCE_MS = 500, CONFINE_GROUP_NOT_STARTED = 127 };

struct confine_group {
    char path[CONFINE_GROUP_MAX]; /* empty: there is none */
    int fd;                       /* its folder, locked */
    int members;                  /* its list of processes, for reading */
    bool counts_tasks;            /* root's as well, and nobody else's of the same user */
};

/* What a struct that was never made looks like; _end, _remove and the like are fine for it. */
#define CONFINE_NO_GROUP                                                                           \
    (struct confine_group)                                                                         \
    {                                                                                              \
        .fd = -1, .members = -1                                                                    \
    }

/* Where one could be made, in `folder`: an absolute path. *delegated: beside our own group, where
 * controllers are ours to hand out. False: nowhere. Changes nothing. */
bool mgi_confine_group_place(char folder[CONFINE_GROUP_MAX], bool *delegated);

/* Make one. What killed makers left in the same place goes first (at most 16 a time). False: it
 * cannot be made; *group is CONFINE_NO_GROUP. */
bool mgi_confine_group_make(struct confine_group *group);

/* All members together: tasks (processes and their threads), and bytes of memory; 0: no limit. Each
 * is in force where its controller was given to us; group->counts_tasks says whether tasks are. */
void mgi_confine_group_limit(struct confine_group *group, uint64_t tasks, uint64_t memory_bytes);

/* Start a process that is a member from its first instruction (without a group: one that is none),
 * as vfork() does: child(context) runs in it on our memory while this thread waits. It changes
 * nothing, calls the kernel only, is not instrumented (no_sanitize_address), and ends by execve();
 * if it returns, the process exits with CONFINE_GROUP_NOT_STARTED. Moving a process that runs
 * already would take some milliseconds (it waits for every processor), so there is no call for
 * that. -1: errno; the kernel may be too old (5.7), or refuse this place after all. */
pid_t mgi_confine_group_start(const struct confine_group *group, void (*child)(const void *context),
                              const void *context);

/* Kill all members but `spared`, and wait until they are gone (though perhaps not yet reaped). With
 * something spared the group is frozen as long as that takes. Costs one read where there is nothing
 * to kill. False: something would not die in time. */
bool mgi_confine_group_end(const struct confine_group *group, const pid_t *spared, size_t count);

/* The same for all members but those of which `is_spared` says so. */
bool mgi_confine_group_end_but(const struct confine_group *group,
                               bool (*is_spared)(const void *context, pid_t pid),
                               const void *context);

/* Remove it, which has no members any more. */
void mgi_confine_group_remove(struct confine_group *group);

#endif
