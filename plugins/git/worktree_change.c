/* Worktrees made and removed, below the configured folder. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugins/git/change.h"
#include "plugins/git/trees.h"

#define NAME_MOST       100
#define BRANCH_MOST     200
#define ENTRIES_DEFAULT 50000
#define ENTRIES_MOST    200000

static void close_folder(void *fd)
{
    close((int)(intptr_t)fd);
}

/* The configured folder, open, and its real path. */
static bool open_base(struct git *g, int *fd, char real[PATH_MAX])
{
    const char *path = mgi_git_settings(g->a)->worktrees;
    if (!path[0])
        return mgi_action_fail(g->a, "the setting \"worktrees\" names no folder for worktrees");
    int folder = realpath(path, real) ? open(real, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (folder < 0)
        return mgi_action_fail(g->a, "worktrees: %s: %s", path, strerror(errno));
    *fd = folder;
    return mgi_git_keep(g, close_folder, (void *)(intptr_t)folder);
}

static bool read_name(struct action *a, const char **name)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
    if (!mgi_arg_need(a, "name") || !mgi_git_arg_cstr(a, "name", NAME_MOST, name))
        return false;
    return (strspn(*name, allowed) == strlen(*name) && !strchr(".-", (*name)[0])) ||
           mgi_action_fail(a,
                           "name: \"%s\" has to be letters, digits, _, - and ., and begin with "
                           "neither - nor .",
                           *name);
}

/* ---- add ------------------------------------------------------------------------------------ */

struct adding {
    struct git g;
    const char *name, *branch, *revision;
    int base;
    char real[PATH_MAX], path[PATH_MAX];
    git_reference *reference;
    git_commit *commit;
    bool branch_created;
};

struct to_write {
    struct git *g;
    int64_t most;
};

static bool check_file(void *user, const struct git_file *file)
{
    struct to_write *s = user;
    int64_t size = mgi_git_is_submodule(file->mode) ? 0 : mgi_git_size(s->g, file->id);
    if (size > s->most)
        return mgi_action_fail(s->g->a,
                               "%s: has %lld bytes, more than the %lld that this process may "
                               "write; nothing was changed",
                               file->path, (long long)size, (long long)s->most);
    return strcmp(file->path, ".gitmodules") != 0 || mgi_checkout_modules_blob(s->g, file->id);
}

static bool check_files(struct adding *d)
{
    struct rlimit limit;
    struct to_write s = { .g = &d->g, .most = INT64_MAX };
    struct git_files files = { .path = ".", .each = check_file, .user = &s };
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < (rlim_t)INT64_MAX)
        s.most = (int64_t)limit.rlim_cur;
    return mgi_git_tree(&d->g, d->commit, &files.tree) && mgi_git_each_file(&d->g, &files);
}

/* The branch, or the commit at which it is made. */
static bool find_branch(struct adding *d)
{
    struct git *g = &d->g;
    int valid = 0;
    if (git_branch_name_is_valid(&valid, d->branch) != 0 || !valid)
        return mgi_action_fail(g->a, "branch: \"%s\" cannot be the name of a branch", d->branch);
    if (git_branch_lookup(&d->reference, g->repo, d->branch, GIT_BRANCH_LOCAL) == 0) {
        if (!mgi_git_keep(g, mgi_git_release_reference, d->reference))
            return false;
        if (d->revision)
            return mgi_action_fail(g->a, "revision: the branch %s is there already", d->branch);
        if (git_branch_is_checked_out(d->reference) == 1)
            return mgi_action_fail(g->a, "branch: a worktree is on %s already", d->branch);
        return mgi_git_commit(g, "branch", git_reference_name(d->reference), &d->commit);
    }
    return mgi_git_may_change(g->a, d->branch) &&
           mgi_git_commit(g, "revision", d->revision ? d->revision : "HEAD", &d->commit);
}

static void put_added(struct adding *d)
{
    struct action *a = d->g.a;
    mgi_jw_member_cstr(&a->out, "name", d->name);
    mgi_jw_member_cstr(&a->out, "path", d->path);
    mgi_jw_member_cstr(&a->out, "branch", d->branch);
    mgi_git_put_id(a, "id", git_commit_id(d->commit));
    mgi_jw_member_bool(&a->out, "branch_created", !d->reference);
}

/* As it was before, as far as that can be: the error that led here is the one to tell. */
static void undo(struct adding *d, bool folder_made)
{
    git_worktree *tree = NULL;
    git_worktree_prune_options o;
    struct removal r = { .a = d->g.a, .most = INT64_MAX };
    git_worktree_prune_options_init(&o, GIT_WORKTREE_PRUNE_OPTIONS_VERSION);
    o.flags = GIT_WORKTREE_PRUNE_VALID;
    if (folder_made)
        mgi_removal_run(&r, d->base, d->name);
    if (folder_made && git_worktree_lookup(&tree, d->g.repo, d->name) == 0)
        git_worktree_prune(tree, &o);
    git_worktree_free(tree);
    if (d->branch_created)
        git_reference_delete(d->reference);
}

static bool make_worktree(struct adding *d)
{
    struct git *g = &d->g;
    git_worktree *tree = NULL;
    git_worktree_add_options o;
    git_reference *made = NULL;
    struct stat st;
    git_worktree_add_options_init(&o, GIT_WORKTREE_ADD_OPTIONS_VERSION);
    if (!d->reference) {
        int error = git_branch_create(&made, g->repo, d->branch, d->commit, 0);
        if (error)
            return mgi_git_fail(g, error, "branch: %s", d->branch);
        d->reference = made;
        d->branch_created = true;
    }
    o.ref = d->reference;
    o.checkout_options.checkout_strategy = GIT_CHECKOUT_FORCE;
    int error = git_worktree_add(&tree, g->repo, d->name, d->path, &o);
    if (error) {
        mgi_git_fail(g, error, "name: %s", d->name);
        undo(d, fstatat(d->base, d->name, &st, AT_SYMLINK_NOFOLLOW) == 0);
    }
    git_worktree_free(tree);
    git_reference_free(made);
    return !error;
}

static bool check_place(struct adding *d)
{
    struct git *g = &d->g;
    git_worktree *tree = NULL;
    struct stat st;
    if (!open_base(g, &d->base, d->real))
        return false;
    int len = snprintf(d->path, sizeof d->path, "%s/%s", d->real, d->name);
    if (len < 0 || len >= PATH_MAX)
        return mgi_action_fail(g->a, "name: the path becomes too long");
    if (fstatat(d->base, d->name, &st, AT_SYMLINK_NOFOLLOW) == 0)
        return mgi_action_fail(g->a, "name: %s is there already", d->path);
    if (git_worktree_lookup(&tree, g->repo, d->name) == 0) {
        git_worktree_free(tree);
        return mgi_action_fail(g->a, "name: there is a worktree %s already", d->name);
    }
    return true;
}

bool mgi_git_worktree_add(struct action *a)
{
    static const char *const known[] = { "name", "branch", "revision", NULL };
    struct adding *d = mgi_arena_calloc(&a->arena, 1, sizeof *d);
    if (!d)
        return mgi_action_nomem(a);
    mgi_arg_known(a, known);
    read_name(a, &d->name);
    d->branch = d->name;
    mgi_git_arg_cstr(a, "branch", BRANCH_MOST, &d->branch);
    mgi_git_arg_cstr(a, "revision", REVISION_MOST, &d->revision);
    if (a->faults > 0 || !mgi_git_open(a, &d->g) || !check_place(d) || !find_branch(d) ||
        !check_files(d))
        return false;
    put_added(d);
    return mgi_action_reserve(a, ANSWER_REST_BYTES) && !mgi_action_stops(a) && make_worktree(d);
}

/* ---- remove --------------------------------------------------------------------------------- */

struct removing {
    struct git g;
    const char *name;
    bool force;
    struct removal removal;
    int base;
    char real[PATH_MAX], path[PATH_MAX];
    git_worktree *tree;
};

static void release_worktree(void *tree)
{
    git_worktree_free(tree);
}

static void release_repo(void *repo)
{
    git_repository_free(repo);
}

/* Is it there, below the configured folder, and nobody's present place? */
static bool find_worktree(struct removing *r)
{
    struct git *g = &r->g;
    git_buf reason = GIT_BUF_INIT;
    int error = git_worktree_lookup(&r->tree, g->repo, r->name);
    if (error)
        return mgi_git_fail(g, error, "name: %s", r->name);
    if (!mgi_git_keep(g, release_worktree, r->tree) || !open_base(g, &r->base, r->real))
        return false;
    if (!realpath(git_worktree_path(r->tree), r->path))
        return mgi_action_fail(g->a, "name: its folder %s: %s", git_worktree_path(r->tree),
                               strerror(errno));
    size_t len = strlen(r->real);
    if (strncmp(r->path, r->real, len) != 0 || r->path[len] != '/' ||
        strchr(r->path + len + 1, '/'))
        return mgi_action_fail(g->a, "name: its folder %s is not in the configured %s", r->path,
                               r->real);
    if (g->workdir && strcmp(g->workdir, r->path) == 0)
        return mgi_action_fail(g->a, "name: %s is the configured repository itself", r->name);
    bool locked = git_worktree_is_locked(&reason, r->tree) > 0;
    if (locked)
        mgi_action_fail(g->a, "name: %s is locked: %s", r->name,
                        reason.size > 0 ? reason.ptr : "without a reason");
    git_buf_dispose(&reason);
    return !locked;
}

/* Nothing in it that would be lost. */
static bool check_clean(struct removing *r, struct git *there)
{
    struct changes c = { .no_counts = true }, w = { .no_counts = true };
    struct path_list met = { .count = 0 };
    git_index *index;
    git_commit *head;
    git_tree *tree;
    git_diff *staged, *unstaged;
    w.untracked = w.ignored = true;
    if (!mgi_git_index(there, &index) || !mgi_git_head(there, &head) ||
        !mgi_git_tree(there, head, &tree) ||
        !mgi_git_diff_tree_index(there, &c, tree, index, &staged) ||
        !mgi_git_diff_index_worktree(there, &w, index, &unstaged))
        return false;
    for (size_t i = 0; i < git_diff_num_deltas(staged); i++)
        mgi_git_name_path(&met, git_diff_get_delta(staged, i)->new_file.path);
    for (size_t i = 0; i < git_diff_num_deltas(unstaged); i++)
        mgi_git_name_path(&met, git_diff_get_delta(unstaged, i)->new_file.path);
    if (met.count > 0)
        mgi_action_fail(r->g.a,
                        "name: %s has changes, untracked or ignored files; to lose them say "
                        "\"force\": true: %.*s",
                        r->name, STR_ARG(mgi_buf_view(&met.text)));
    mgi_buf_fini(&met.text);
    return met.count == 0;
}

static bool look_inside(struct removing *r)
{
    struct git *g = &r->g, there = { .a = g->a, .workdir = r->path, .shallow = g->shallow };
    const char *branch;
    git_commit *head;
    int error = git_repository_open_from_worktree(&there.repo, r->tree);
    if (error)
        return mgi_git_fail(g, error, "name: %s", r->name);
    if (!mgi_git_keep(g, release_repo, there.repo) || (!r->force && !check_clean(r, &there)) ||
        !mgi_git_current_branch(&there, &branch) || !mgi_git_head(&there, &head))
        return false;
    if (branch)
        mgi_git_put_cut(g->a, "branch", str_of(branch), 400);
    if (head)
        mgi_git_put_id(g->a, "id", git_commit_id(head));
    return true;
}

static bool remove_worktree(struct removing *r)
{
    struct git *g = &r->g;
    git_worktree_prune_options o;
    const char *folder = r->path + strlen(r->real) + 1;
    if (!mgi_removal_count(&r->removal, r->base, folder))
        return false;
    mgi_jw_member_cstr(&g->a->out, "name", r->name);
    mgi_jw_member_cstr(&g->a->out, "path", r->path);
    mgi_jw_member_int(&g->a->out, "deleted", r->removal.entries);
    if (!mgi_action_reserve(g->a, ANSWER_REST_BYTES) || mgi_action_stops(g->a) ||
        !mgi_removal_run(&r->removal, r->base, folder))
        return false;
    git_worktree_prune_options_init(&o, GIT_WORKTREE_PRUNE_OPTIONS_VERSION);
    o.flags = GIT_WORKTREE_PRUNE_VALID;
    int error = git_worktree_prune(r->tree, &o);
    return !error ||
           mgi_git_fail(g, error, "its folder is gone, but the repository keeps %s", r->name);
}

bool mgi_git_worktree_remove(struct action *a)
{
    static const char *const known[] = { "name", "force", "max_entries", NULL };
    struct removing *r = mgi_arena_calloc(&a->arena, 1, sizeof *r);
    if (!r)
        return mgi_action_nomem(a);
    r->removal = (struct removal){ .a = a, .most = ENTRIES_DEFAULT };
    mgi_arg_known(a, known);
    read_name(a, &r->name);
    mgi_arg_bool(a, "force", &r->force);
    mgi_arg_int(a, "max_entries", 1, ENTRIES_MOST, &r->removal.most);
    return a->faults == 0 && mgi_git_open(a, &r->g) && find_worktree(r) && look_inside(r) &&
           remove_worktree(r);
}
