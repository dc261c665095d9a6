/* Confinement: what a process that runs foreign code may do, enforced by the kernel.
 *
 *     host                                        the process that is to run foreign code
 *     mgi_confine_probe()                         (forked, or executed and told the plan)
 *     mgi_confine_plan_init()  -- plan -->        mgi_confine_enter()   everything but executable
 * memory opens the paths, compiles the filter      ... load the code ... mgi_confine_seal()    no
 * executable memory from here on
 *
 * Four layers, each with its own failure:
 *
 * 1. Ordinary limits (setrlimit), a session of its own, no new privileges, no capabilities for user
 *    id 0, not dumpable, a parent-death signal. Every kernel has these.
 * 2. A system-call filter (seccomp). Unlisted calls fail with EPERM; clone3 with ENOSYS, so that
 * the C library falls back; a short list kills: tracing, other processes' memory, mounts,
 * namespaces, modules, kernel replacement, reboot, bpf (T-ISO-11). Calls whose first argument names
 * another process (kill, prlimit, setpriority ...) reach the caller alone.
 * 3. Landlock: which files can be opened, created, removed, executed. Signals, tracing and abstract
 *    sockets do not leave the domain.
 * 4. What can only be said after the code was loaded: no memory becomes executable (T-ISO-10).
 *
 * What the kernel at hand lacks is told as CONFINE_LACK_ bits; the rest is in force all the same.
 * Whether that is good enough is the caller's decision.
 *
 * No function keeps a pointer of its caller, but for a plan, which owns what it holds. Distinct
 * plans may be used by distinct threads. Paths are absolute, texts UTF-8, sizes bytes. */
#ifndef MGI_CONFINE_CONFINE_H
#define MGI_CONFINE_CONFINE_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"

/* ---- what is wanted ----------------------------------------------------------------------- */

/* What the code may do beside computing, in its own memory and its private folder. */
enum confine_may {
    CONFINE_READ = 1 << 0,         /* read files: those listed, or everywhere if none is listed */
    CONFINE_WRITE = 1 << 1,        /* write files: likewise */
    CONFINE_NETWORK = 1 << 2,      /* internet sockets (T-ISO-8) */
    CONFINE_SPAWN = 1 << 3,        /* start programs, and signal what it has started (T-ISO-12) */
    CONFINE_MAKE_CODE = 1 << 4,    /* no second part: for runtimes that translate at run time */
    CONFINE_LOCAL_SOCKETS = 1 << 5 /* sockets of this machine (AF_UNIX), with CONFINE_NETWORK */
};

/* 0: what is inherited stays. Soft and hard limit alike; a hard limit that is lower already is
 * kept. */
struct confine_limits {
    uint64_t memory_bytes; /* address space */
    uint64_t cpu_seconds;
    uint64_t processes; /* of this user, all told: count those that are there (mgi_tasks_of_user) */
    uint64_t descriptors;
    uint64_t file_bytes;
    bool cpu_soft_only; /* the caller raises it as it goes, and enforces it itself */
};

/* All-zero: the tightest there is. Granting a path says more than its kind: a listed path can be
 * read (written) without CONFINE_READ (CONFINE_WRITE), which without a list mean everywhere. What
 * the dynamic loader and the C library need can always be read: /usr, /lib*, a few files of /etc.
 * Never: /proc of whatever process, /sys but for the number of processors, devices. */
struct confinement {
    unsigned may; /* enum confine_may */
    /* Not 0: who enters it is confined already, by a plan of the same features that may this at
     * most. Nothing is done again that is in force: a filter of thousands of steps takes the kernel
     * 90 us, one of the difference five. */
    unsigned within;
    const char *const *read;
    size_t read_count;
    const char *const *write;
    size_t write_count;
    const char *private_folder; /* readable and writable; NULL: none */
    struct confine_limits limits;
};

/* ---- what there is ------------------------------------------------------------------------ */

struct confine_features {
    bool seccomp;    /* filters can be installed, and this machine's calls are known */
    int landlock;    /* ABI version; 0: the kernel has none, or it is off */
    bool privileged; /* user id 0, or capabilities */
};

/* Ask the kernel. Changes nothing, in no process. */
void mgi_confine_probe(struct confine_features *out);

/* What is not enforced, and why that matters. */
enum confine_lack {
    CONFINE_LACK_FILTER = 1 << 0,
    CONFINE_LACK_FILES = 1 << 1,
    CONFINE_LACK_SIGNALS = 1 << 2,
    CONFINE_LACK_DEVICES = 1 << 3,
    CONFINE_LACK_LAST = 1 << 3
};

/* What kernels with these features leave open for code that may do `may`. */
unsigned mgi_confine_lacks(const struct confine_features *features, unsigned may);

/* One bit as a clause without a full stop: "files outside of what was granted can be opened
 * (Landlock is missing)". Static. NULL: no such bit. */
const char *mgi_confine_lack_text(enum confine_lack lack);

/* ---- a plan ------------------------------------------------------------------------------- */

struct confine_plan {
    unsigned may;
    struct confine_limits limits;
    int ruleset;                /* Landlock; -1: none */
    struct sock_filter *filter; /* NULL: none */
    uint16_t filter_len;
    bool narrows;         /* by `within`: the rest is in force */
    bool limits_only;     /* the caller's: nothing is confined but by ordinary limits */
    bool trims_by_filter; /* Landlock here does not know truncation: the filter refuses it */
    unsigned lacks;       /* enum confine_lack */
};

/* Everything that can be done beforehand: open the paths, compile the filter.
 *
 *   plan      ends with mgi_confine_plan_fini(), also after a failure
 *   wanted    borrowed until return
 *   features  borrowed; of mgi_confine_probe(), or fewer
 *   arena     gets the text of a failure, and nothing else
 *
 * NULL, or what could not be done: "cannot open \"/x\", which is to be readable: No such file ...".
 * A feature that is absent is no failure: see plan->lacks.  [T-ISO-8 to T-ISO-12] */
const char *mgi_confine_plan_init(struct confine_plan *plan, const struct confinement *wanted,
                                  const struct confine_features *features, struct arena *arena);

void mgi_confine_plan_fini(struct confine_plan *plan);

/* ---- in the process that is confined ------------------------------------------------------- */

struct confine_entry {
    pid_t parent;     /* must still be the parent: else the process ends. 0: not looked at */
    bool own_session; /* setsid(); it must not lead a group already. False: it has one */
    bool will_exec;   /* another program follows: being not dumpable would not outlive that */
};

/* Confine the calling process, which has one thread, for good. In order: session, parent-death
 * signal, limits, capabilities, no new privileges, Landlock, filter. Allocates nothing and may be
 * called between fork() and exec().
 *
 * NULL, or what could not be enforced (static; errno says why): the process must then not run what
 * it was going to. A plan without a filter or ruleset skips that layer.  [T-ISO-6, T-ISO-9,
 * T-ISO-18] */
const char *mgi_confine_enter(const struct confine_plan *plan, const struct confine_entry *entry);

/* The second part, after the code was loaded: no memory of this process becomes executable any
 * more, unless the plan says CONFINE_MAKE_CODE. Where programs may be started only this process's
 * own memory is sealed, since theirs must load libraries. Returns as mgi_confine_enter() does.
 * [T-ISO-10] */
const char *mgi_confine_seal(const struct confine_plan *plan);

/* ---- a private folder ---------------------------------------------------------------------- */

enum { CONFINE_FOLDER_MAX = 256 };

struct confine_folder {
    char path[CONFINE_FOLDER_MAX]; /* empty: there is none */
    int fd;                        /* locked while its owner lives */
};

/* Make `under`/manglecp-confined-XXXXXX, mode 0700; `under` NULL or unusable: /tmp. Folders of
 * owners that ended without removing theirs go, too (at most 16 a time). False: errno. Ends with
 * mgi_confine_folder_remove(), which is fine for one that is not there. */
bool mgi_confine_folder_make(struct confine_folder *folder, const char *under);

/* Remove what is in it, not following links, giving up after 100,000 entries; the folder stays.
 * False: something is left. */
bool mgi_confine_folder_empty(struct confine_folder *folder);

void mgi_confine_folder_remove(struct confine_folder *folder);

#endif
