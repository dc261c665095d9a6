/* Two states beside each other: what differs, renames, counts of lines, unified differences. */
#ifndef PLUGINS_GIT_CHANGES_H
#define PLUGINS_GIT_CHANGES_H

#include "plugins/git/git_plugin.h"

struct changes {
    struct git_paths paths; /* only these */
    int64_t context;
    bool stat_only; /* no text */
    bool no_counts; /* nor counts of lines: no content is read */
    bool renames, copies;
    int64_t similarity;                                    /* percent; 0: 50 */
    size_t space;                                          /* enum: which space counts */
    bool untracked, each_untracked, ignored, each_ignored; /* of the worktree */
    bool reverse;                                          /* the two exchanged */
    const char *only;  /* of what was found, the file of this name afterwards; NULL: all */
    int64_t limit;     /* files that are shown */
    int64_t max_bytes; /* of all texts together */
};

/* The arguments paths, context, stat_only, renames, ignore_space, limit and max_bytes. */
void mgi_git_arg_changes(struct action *a, struct changes *c);

/* What differs, kept until the call ends, with renames found if they are asked for. A tree, or an
 * id of one, that is NULL is empty. False: the call failed. */
bool mgi_git_diff_trees(struct git *g, const struct changes *c, git_tree *old_tree,
                        git_tree *new_tree, git_diff **diff);
bool mgi_git_diff_ids(struct git *g, const struct changes *c, const git_oid *old_id,
                      const git_oid *new_id, git_diff **diff);
bool mgi_git_diff_tree_index(struct git *g, const struct changes *c, git_tree *old_tree,
                             git_index *index, git_diff **diff);
/* Submodules are not entered: what they have checked out is not compared. */
bool mgi_git_diff_index_worktree(struct git *g, const struct changes *c, git_index *index,
                                 git_diff **diff);
/* The tree beside the worktree, as if everything tracked were staged. */
bool mgi_git_diff_tree_worktree(struct git *g, const struct changes *c, git_tree *old_tree,
                                git_diff **diff);

/* So many new files and deleted ones that only equal ones were taken for renames. */
bool mgi_git_renames_are_exact(const git_diff *diff);

struct change_totals {
    int64_t files, added, deleted;
    bool truncated;
};

/* Elements of the open array: one for each file that differs. */
bool mgi_git_put_changes(struct git *g, const struct changes *c, git_diff *diff,
                         struct change_totals *t);

/* Members files, totals and truncated. */
bool mgi_git_put_files(struct git *g, const struct changes *c, git_diff *diff);

/* Counts of lines of one file that differs; *counted false: it is no text, or too large. */
bool mgi_git_count_lines(struct git *g, git_diff *diff, size_t at, int64_t *added, int64_t *deleted,
                         bool *counted);

/* "added", "modified", ... */
const char *mgi_git_status_word(git_delta_t status);

#endif
