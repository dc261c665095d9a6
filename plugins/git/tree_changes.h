/* Which paths differ between two trees, and nothing more: folders that are equal are not entered.
 */
#ifndef PLUGINS_GIT_TREE_CHANGES_H
#define PLUGINS_GIT_TREE_CHANGES_H

#include "plugins/git/git_plugin.h"

struct tree_changes {
    const char **paths; /* in the order of trees; in the arena */
    size_t count, cap;
    size_t added, deleted; /* of them, on one side alone */
    bool many;             /* more than `most`: the list is of no use */
};

/* An id NULL is an empty tree. False: the call failed. */
bool mgi_git_tree_changes(struct git *g, const git_oid *old_id, const git_oid *new_id, size_t most,
                          struct tree_changes *out);

#endif
