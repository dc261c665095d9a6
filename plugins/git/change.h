/* What the actions that change something share: guards before a checkout, who commits, which
 * branches may be changed.
 *
 * An action finds out everything first, writes its answer as far as that is known, reserves room
 * for the rest, and only then changes something: what is done is not reported as failed for want of
 * memory. libgit2 checks a whole checkout before it writes the first file of it. */
#ifndef PLUGINS_GIT_CHANGE_H
#define PLUGINS_GIT_CHANGE_H

#include "plugins/git/changes.h"

/* Room for what an answer has beside lists, after the change. */
#define ANSWER_REST_BYTES 16384

/* ---- change.c ------------------------------------------------------------------------------- */

/* Fails the call unless HEAD's commit is the one that the argument `name` says; absent: anything.
 */
bool mgi_git_expect_head(struct git *g, const char *name);

/* Fails the call while a merge, a rebase or the like is in progress, or the index has conflicts.
 */
bool mgi_git_expect_quiet(struct git *g, git_index *index);

/* Fails the call if the index has a file that is only announced (git add -N): libgit2 would record
 * it as empty. */
bool mgi_git_expect_whole(struct git *g, git_index *index);

/* Fails the call if the settings do not let the branch (without refs/heads/) be changed. */
bool mgi_git_may_change(struct action *a, const char *branch);

/* Who commits, now: the settings' author or the repository's. Kept. */
bool mgi_git_committer(struct git *g, git_signature **who);

/* HEAD's branch without refs/heads/, in the arena; NULL: none. */
bool mgi_git_current_branch(struct git *g, const char **branch);

/* Write the index, unless another process has done so since it was read: libgit2 would write over
 * that. Between the look and libgit2's lock are microseconds in which it still can. False: the call
 * failed. */
bool mgi_git_write_index(struct git *g, git_index *index);

/* A list of paths for an error: a few of them, and how many. */
struct path_list {
    struct buf text;
    size_t count;
};
void mgi_git_name_path(struct path_list *list, const char *path);
/* The paths that an index has in conflict. */
void mgi_git_name_conflicts(struct path_list *list, git_index *index);

/* ---- checkout.c ----------------------------------------------------------------------------- */

struct checkout {
    struct git *g;
    git_checkout_options options;
    struct path_list met; /* what stands in the way */
};

/* Options that overwrite nothing: neither what was changed, nor what is untracked or ignored. */
void mgi_checkout_init(struct checkout *c, struct git *g);
void mgi_checkout_fini(struct checkout *c);
/* What a checkout returned, as an error of the call. Always false. */
bool mgi_checkout_fail(struct checkout *c, int error, const char *what);

/* What libgit2 reads whenever it writes files of the worktree, .gitmodules, has no include: that of
 * the worktree, which is to be asked before libgit2 is asked for anything but the index; and one
 * that is to be written. False: the call failed. */
bool mgi_checkout_modules(struct git *g);
bool mgi_checkout_modules_blob(struct git *g, const git_oid *id);

/* Before the new side of what differs is written into the worktree: no folder on the way is a
 * symbolic link that stays, no file is larger than this process may write, no path leads into .git,
 * no .gitmodules includes anything.
 * `only`: which paths of them; NULL: all. False: the call failed. */
bool mgi_checkout_guard(struct git *g, const git_diff *diff, const struct git_paths *only);

/* Fails the call if the index has something staged for a path that differs in `diff`. */
bool mgi_checkout_unstaged(struct git *g, const git_diff *diff, git_tree *head, git_index *index,
                           const char *what);

/* ---- removal.c ------------------------------------------------------------------------------ */

struct removal {
    struct action *a;
    int64_t entries, most; /* counted; a removal of more begins with nothing */
};

/* Count a file or a folder with what is in it, below `root`, following no link. False: the call
 * failed, for example because there are more than `most`. */
bool mgi_removal_count(struct removal *r, int root, const char *path);
/* Remove it. It is not stopped once it has begun. False: the call failed, and some of it may be
 * gone. */
bool mgi_removal_run(struct removal *r, int root, const char *path);
/* Remove one file or link; 0 or errno. */
int mgi_remove_file(int root, const char *path);
/* Remove the folders above `path`, from the innermost, as long as they are empty; never the root.
 * How many. */
int64_t mgi_remove_empty(int root, const char *path);

#endif
