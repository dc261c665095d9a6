/* Which commit brought each line of a file. */
#ifndef PLUGINS_GIT_LINEAGE_H
#define PLUGINS_GIT_LINEAGE_H

#include "plugins/git/history.h"

/* Lines that stand together in the file and came together. */
struct lineage_range {
    size_t first, count;      /* in the file, from 0 */
    size_t there;             /* where the first of them stood in `node`, from 0 */
    struct commit_node *node; /* NULL: they are not committed */
    const char *path;         /* what the file was called there; the arena's */
    bool boundary;            /* they may be older: the history ends there, or look was reached */
};

struct lineage {
    struct lineage_range *items; /* in the order of lines, without gaps; in the arena */
    size_t count, cap;
};

/* Of the lines `first` to `first + count - 1` of the file as it is in `start`. With `content`, of
 * that text, in which lines may be that are not committed. `ignore_space`: a change of space alone
 * is none. False: the call failed. */
bool mgi_git_lineage(struct history *h, struct commit_node *start, const char *path,
                     const struct str *content, size_t first, size_t count, bool ignore_space,
                     struct lineage *out);

#endif
