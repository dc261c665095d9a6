/* The fs plugin: files below one folder, the root, and nothing outside of it.
 *
 * A path is relative to the root, UTF-8, without "..", and is resolved by the kernel
 * (openat2, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS), never by looking first and opening then:
 * symbolic links that stay below the root are followed, one that leads out is an error, whatever is
 * exchanged meanwhile. Where the kernel has no openat2 each component is opened by itself without
 * following any link. What changes something opens the parent folder so, and then names one entry
 * of it, which no *at call follows.
 *
 * Walks over a folder follow no link at all. Every walk, read and answer has a limit. */
#ifndef PLUGINS_FS_FS_H
#define PLUGINS_FS_FS_H

#include <fcntl.h>
#include <sys/stat.h>

#include "plugins/support/diff.h"
#include "plugins/support/paths.h"

#define FS_DEPTH_MOST 64 /* folders below the start of a walk */
#define FS_WALK_MOST  200000

struct fs_settings {
    char root[4096]; /* absolute */
    bool may_write;
    int64_t max_bytes; /* a larger file is not read, written or copied */
    bool plain;        /* as on a kernel without openat2 and exchanging renames; for tests */
};

static inline const struct fs_settings *mgi_fs_settings(const struct action *a)
{
    return a->settings;
}

/* ---- path.c --------------------------------------------------------------------------------- */

/* The root, open until the call ends; -1: the call failed. */
int mgi_fs_root(struct action *a);

/* Open what is at the canonical path below `base`. O_CLOEXEC, O_NOCTTY and O_NONBLOCK are added.
 * -1 with errno: EXDEV if it leads out of `base`, ELOOP where a link may not be followed. */
int mgi_fs_open(const struct action *a, int base, const char *path, int flags,
                enum path_links links);

/* A regular file for reading, never blocking: what else it is fails the call. */
int mgi_fs_open_file(struct action *a, int base, const char *path, enum path_links links,
                     struct stat *st);

/* The folder that has the last component, which *name points at; not for ".". */
int mgi_fs_open_parent(const struct action *a, int base, const char *path, enum path_links links,
                       const char **name);

/* All bytes of the file, at most `most` and settings.max_bytes; in the arena. */
bool mgi_fs_read_all(struct action *a, int fd, const char *path, struct str *bytes);

/* Fails the call: 'path: what errno means here'. Always false. */
bool mgi_fs_fail(struct action *a, const char *path, int error);

/* "file", "folder", "symlink", "fifo", "socket", "device". */
const char *mgi_fs_type(mode_t mode);
int64_t mgi_fs_modified_ns(const struct stat *st);
void mgi_fs_put_permissions(struct action *a, mode_t mode);
const char *mgi_fs_join(struct arena *arena, const char *folder, const char *rest);

/* ---- walk.c --------------------------------------------------------------------------------- */

struct fs_entry {
    const char *path; /* below the start of the walk */
    struct stat st;
};

struct fs_walk {
    int64_t depth;                              /* 1: the entries of the start alone */
    bool hidden;                                /* names that begin with a dot, too */
    size_t most;                                /* entries; 0: FS_WALK_MOST */
    bool incomplete;                            /* `most` was reached */
    bool deeper;                                /* there are folders below `depth` */
    size_t hidden_skipped, unreadable, unnamed; /* unnamed: names that are no UTF-8 */
    struct fs_entry *entries;                   /* sorted by the bytes of their paths */
    size_t count, cap;
};

/* What is below the open folder `start`, in the arena. Follows no link. False: the call failed. */
bool mgi_fs_walk(struct action *a, int start, struct fs_walk *walk);

/* ---- store.c: one file created or replaced, all or nothing ---------------------------------- */

/* Which files may be there before. */
enum fs_when { FS_CREATE, FS_REPLACE, FS_EITHER };

struct fs_store {
    const char *path;
    struct str content;
    enum fs_when when;
    struct str expected; /* SHA-256 that the present content must have; empty: not asked */
    int permissions;     /* -1: those of the file that is replaced, or 0644 */

    int folder; /* -1: nothing is open */
    const char *name;
    char temporary[64];
    bool has_temporary, existed, unchanged, committed;
    struct stat before;
};

void mgi_fs_store_init(struct fs_store *s);
/* Check what is there, and write a temporary file beside it, down to the disk. */
bool mgi_fs_store_prepare(struct action *a, int root, struct fs_store *s);
/* Exchange the two. If what was replaced is not what was checked, it is put back, and the call
 * fails. */
bool mgi_fs_store_commit(struct action *a, struct fs_store *s);
/* After a commit: as it was before. False: it could not be. */
bool mgi_fs_store_undo(const struct action *a, struct fs_store *s);
/* Whatever stage was reached: nothing temporary is left, nothing is open. */
void mgi_fs_store_fini(struct fs_store *s);

/* Create the folder and those above it; *made counts them. */
bool mgi_fs_make_folders(struct action *a, int root, const char *path, bool parents, size_t *made);

/* 0 or errno. The permissions are the folder's whatever the process's mask is. */
int mgi_fs_mkdirat(int folder, const char *name, mode_t permissions);

/* renameat2(); with settings.plain, or where the file system knows no flags, ENOSYS. */
int mgi_fs_rename(const struct action *a, int from_folder, const char *from, int to_folder,
                  const char *to, unsigned flags);

/* A file of that name in `folder` that was not there before, open for writing. -1 with errno. */
int mgi_fs_create_temporary(int folder, char name[64]);

/* ---- the actions ---------------------------------------------------------------------------- */

bool mgi_fs_read(struct action *a);
bool mgi_fs_stat(struct action *a);
bool mgi_fs_list(struct action *a);
bool mgi_fs_search(struct action *a);
bool mgi_fs_write(struct action *a);
bool mgi_fs_patch(struct action *a);
bool mgi_fs_mkdir(struct action *a);
bool mgi_fs_move(struct action *a);
bool mgi_fs_copy(struct action *a);
bool mgi_fs_delete(struct action *a);

#endif
