/* The last commit that changed each of many paths. */
#ifndef PLUGINS_GIT_LAST_COMMITS_H
#define PLUGINS_GIT_LAST_COMMITS_H

#include "plugins/git/history.h"

struct last_commit {
    const char *path;         /* in the arena */
    struct commit_node *node; /* NULL: none did, or `look` was reached */
};

/* `items` is sorted by the bytes of the paths. False: the call failed. */
bool mgi_git_last_commits(struct history *h, struct commit_node *start, struct last_commit *items,
                          size_t count);

#endif
