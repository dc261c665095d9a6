/* Files of the worktree, read below its root without following a link. */
#ifndef PLUGINS_GIT_WORKTREE_FILE_H
#define PLUGINS_GIT_WORKTREE_FILE_H

#include "plugins/git/git_plugin.h"

/* The worktree's root, open until the call ends. False: the call failed. */
bool mgi_worktree_root(struct git *g, int *root);

enum worktree_file {
    WORKTREE_FILE_READ,
    WORKTREE_FILE_ABSENT, /* not there, no regular file, or not to be opened */
    WORKTREE_FILE_LARGE,  /* above max_bytes */
    WORKTREE_FILE_FAILED  /* the call failed */
};

/* Its content, in the arena, as it is on the disk. */
enum worktree_file mgi_worktree_file(struct git *g, int root, const char *path, struct str *all);

#endif
