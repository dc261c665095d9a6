/* The git plugin: one repository, read and, if the settings allow it, changed, over libgit2.
 *
 * No program runs: not git, no hook, no filter, no pager, whatever .git/config says. What the
 * machine or the user have configured is not read. A repository is opened for each call and checked
 * before anything is told of it (open.c), so no state reaches the next call.
 *
 *   memory  What libgit2 hands out is released with the call (mgi_git_keep_*), or by who made it.
 *           libgit2's own allocations are its own; those of this plugin go through base.
 *   time    History is walked here (history.h) and not by libgit2, whose walks cannot be stopped;
 *           its comparisons are stopped in their callbacks.
 *   text    Names, messages and paths are bytes. Where they are no UTF-8 each ill-formed byte is
 *           shown as U+FFFD, and a path's bytes stand beside it as path_base64. */
#ifndef PLUGINS_GIT_GIT_PLUGIN_H
#define PLUGINS_GIT_GIT_PLUGIN_H

#include <git2.h>

#include "plugins/support/paths.h"

#define GIT_ID_TEXT_BYTES (GIT_OID_HEXSZ + 1)
#define REVISION_MOST     300
#define RANGE_MOST        620
#define SETTINGS_MOST     16 /* entries of `outside` and of `branches` */

struct git_settings {
    char repository[4096];             /* absolute; a folder in a worktree, or a bare repository */
    char worktrees[4096];              /* absolute; empty: no worktree is added or removed */
    char outside[SETTINGS_MOST][4096]; /* absolute: what the repository may lead to besides */
    char branches[SETTINGS_MOST][GLOB_MOST + 1]; /* which may be changed; none: all */
    size_t outside_count, branches_count;
    char author_name[201], author_email[201]; /* empty: the repository's own configuration */
    bool may_write;
    int64_t max_bytes; /* larger content is not looked at */
};

static inline const struct git_settings *mgi_git_settings(const struct action *a)
{
    return a->settings;
}

/* What stands in a tree for another repository. */
static inline bool mgi_git_is_submodule(unsigned mode)
{
    return (mode & 0170000) == GIT_FILEMODE_COMMIT;
}

/* A repository, open until the call ends. */
struct git {
    struct action *a;
    git_repository *repo;
    const char *workdir; /* absolute, without / at its end; NULL: it is bare */
    bool shallow;
};

/* ---- open.c --------------------------------------------------------------------------------- */

/* Find, check and open the configured repository. False: the call failed. */
bool mgi_git_open(struct action *a, struct git *g);

/* The same, and it has to have a worktree. */
bool mgi_git_open_worktree(struct action *a, struct git *g);

/* ---- fail.c --------------------------------------------------------------------------------- */

/* Fails the call with "what: what libgit2 says", unless it has been stopped, which was told
 * already. `error` is what a function of libgit2 returned. Always false. */
bool mgi_git_fail(struct git *g, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* For callbacks of libgit2: 0, or GIT_EUSER if the call has to stop. */
int mgi_git_stop(struct git *g);

/* Release with the call. False: the call failed, and the thing is released. */
bool mgi_git_keep(struct git *g, void (*release)(void *thing), void *thing);
void mgi_git_release_commit(void *commit);
void mgi_git_release_tree(void *tree);
void mgi_git_release_index(void *index);
void mgi_git_release_diff(void *diff);
void mgi_git_release_reference(void *reference);
void mgi_git_release_object(void *object);
void mgi_git_release_signature(void *signature);

/* ---- arguments.c ---------------------------------------------------------------------------- */

/* A path below the worktree's root. "." is no path unless `root` is allowed; nothing in .git is. */
bool mgi_git_arg_path(struct action *a, const char *name, bool root, const char **path);

struct git_paths {
    const char **items; /* canonical; never "." */
    size_t count;
    bool globs; /* they are patterns */
};

/* An array of such paths; absent: count 0. With `globs` they are patterns. */
void mgi_git_arg_paths(struct action *a, const char *name, struct git_paths *paths);

/* True if `path` is one of them or below one, or there are none; with globs, if one fits. */
bool mgi_git_paths_match(const struct git_paths *paths, const char *path);

/* True if `path` is `root` or below it; everything is below ".". */
bool mgi_git_is_below(const char *path, const char *root);

/* A path as git would have it in a tree: canonical, and nothing in .git. */
bool mgi_git_is_plain_path(const char *path);

/* A text without NUL, with a NUL behind it. */
bool mgi_git_arg_cstr(struct action *a, const char *name, size_t most, const char **text);

/* The argument: an object of name and email, both in the arena. True if it is there and good. */
bool mgi_git_arg_person(struct action *a, const char *argument, const char **name,
                        const char **email);

/* An object's id in full. */
bool mgi_git_arg_id(struct action *a, const char *name, git_oid *id);

/* RFC 3339, or a date: its begin, or with `end` its last second. In seconds. */
bool mgi_git_arg_time(struct action *a, const char *name, bool end, int64_t *seconds);

/* ---- revision.c ----------------------------------------------------------------------------- */

/* The commit that a revision names, kept until the call ends; what is ambiguous, missing, or no
 * commit fails the call, with `name` (the argument's) and the text. */
bool mgi_git_commit(struct git *g, const char *name, const char *text, git_commit **commit);

/* The commit (or, with GIT_OBJECT_ANY, whatever it is) that a reference of that full name leads to.
 * False: there is none; the call has not failed. */
bool mgi_git_target(struct git *g, const char *refname, git_object_t type, git_oid *id);

/* HEAD's commit, kept. *commit NULL: its branch has no commit yet. */
bool mgi_git_head(struct git *g, git_commit **commit);

/* The tree of a commit, kept; of NULL: NULL. */
bool mgi_git_tree(struct git *g, const git_commit *commit, git_tree **tree);

/* The index, kept, as it is on the disk now. */
bool mgi_git_index(struct git *g, git_index **index);

/* The default branch: what origin/HEAD names, as a local branch if there is one, or else main,
 * master, or HEAD's own. NULL: none. In the arena. */
bool mgi_git_default_branch(struct git *g, const char **refname);

/* ---- put.c ---------------------------------------------------------------------------------- */

/* Members of the open object. */
void mgi_git_put_id(struct action *a, const char *name, const git_oid *id);
void mgi_git_put_time(struct action *a, const char *name, int64_t seconds);
void mgi_git_put_mode(struct action *a, const char *name, unsigned mode);
/* `name`, and path_base64 if the bytes are no UTF-8. */
void mgi_git_put_path(struct action *a, const char *name, const char *path);
void mgi_git_put_person(struct action *a, const char *name, const git_signature *who);
/* Text of at most `most` bytes, cut between characters. */
void mgi_git_put_cut(struct action *a, const char *name, struct str text, size_t most);

/* The commit's message as UTF-8 where its encoding is known, split. In the arena, or the commit's.
 */
struct git_message {
    struct str subject, body;
};
bool mgi_git_message(struct git *g, const git_commit *commit, struct git_message *m);

/* id, parents, author, committer, time, subject, and, if asked, body. */
bool mgi_git_put_commit(struct git *g, const git_commit *commit, bool body);
/* id, author, time, subject. */
bool mgi_git_put_brief(struct git *g, const git_commit *commit);

/* ---- the actions ---------------------------------------------------------------------------- */

bool mgi_git_status(struct action *a);
bool mgi_git_log(struct action *a);
bool mgi_git_show(struct action *a);
bool mgi_git_read(struct action *a);
bool mgi_git_diff(struct action *a);
bool mgi_git_blame(struct action *a);
bool mgi_git_grep(struct action *a);
bool mgi_git_branches(struct action *a);
bool mgi_git_tags(struct action *a);
bool mgi_git_files(struct action *a);
bool mgi_git_renames(struct action *a);
bool mgi_git_merge_base(struct action *a);
bool mgi_git_contributors(struct action *a);
bool mgi_git_reflog(struct action *a);
bool mgi_git_worktrees(struct action *a);
bool mgi_git_stashes(struct action *a);

bool mgi_git_stage(struct action *a);
bool mgi_git_unstage(struct action *a);
bool mgi_git_commit_staged(struct action *a);
bool mgi_git_create_branch(struct action *a);
bool mgi_git_delete_branch(struct action *a);
bool mgi_git_switch(struct action *a);
bool mgi_git_restore(struct action *a);
bool mgi_git_stash(struct action *a);
bool mgi_git_stash_pop(struct action *a);
bool mgi_git_revert(struct action *a);
bool mgi_git_tag(struct action *a);
bool mgi_git_worktree_add(struct action *a);
bool mgi_git_worktree_remove(struct action *a);
bool mgi_git_apply(struct action *a);
bool mgi_git_clean(struct action *a);

#endif
