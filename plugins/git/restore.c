/* Throwing changes away: files as they are in the index or in a commit. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "plugins/git/change.h"
#include "plugins/git/history.h"
#include "plugins/git/trees.h"
#include "plugins/git/worktree_file.h"

#define FILES_DEFAULT 1000
#define FILES_MOST    100000

struct restoring {
    struct git g;
    struct git_paths paths;
    const char *revision; /* NULL: as in the index */
    bool dry_run;
    int64_t most;
    int root;
    git_index *index;
    git_commit *commit;
    git_tree *tree;
    git_diff *diff;           /* from how it is to how it should be */
    struct git_paths written; /* what a checkout writes */
    struct git_paths deleted; /* what goes */
    int64_t total;
    bool truncated;
};

static bool is_wanted(const struct restoring *r, const git_diff_delta *d)
{
    return d->status != GIT_DELTA_UNMODIFIED &&
           (!r->paths.globs || mgi_git_paths_match(&r->paths, d->new_file.path));
}

/* What differs, without untracked files. */
static bool find_differences(struct restoring *r)
{
    struct changes c = { .no_counts = true, .reverse = true };
    struct git *g = &r->g;
    if (!r->paths.globs)
        c.paths = r->paths;
    if (!r->revision)
        return mgi_git_diff_index_worktree(g, &c, r->index, &r->diff);
    return mgi_git_commit(g, "revision", r->revision, &r->commit) &&
           mgi_git_tree(g, r->commit, &r->tree) &&
           mgi_git_diff_tree_worktree(g, &c, r->tree, &r->diff);
}

static bool plan(struct restoring *r)
{
    struct git *g = &r->g;
    size_t count = git_diff_num_deltas(r->diff);
    r->written.items = mgi_arena_calloc(&g->a->arena, count + 1, sizeof(const char *));
    r->deleted.items = mgi_arena_calloc(&g->a->arena, count + 1, sizeof(const char *));
    if (!r->written.items || !r->deleted.items)
        return mgi_action_nomem(g->a);
    for (size_t i = 0; i < count; i++) {
        const git_diff_delta *d = git_diff_get_delta(r->diff, i);
        if (!is_wanted(r, d))
            continue;
        if (d->status == GIT_DELTA_CONFLICTED)
            return mgi_action_fail(g->a, "%s: is in conflict: resolve it first", d->new_file.path);
        struct git_paths *list = d->status == GIT_DELTA_DELETED ? &r->deleted : &r->written;
        list->items[list->count++] = d->new_file.path;
    }
    r->total = (int64_t)(r->written.count + r->deleted.count);
    return r->total <= r->most ||
           mgi_action_fail(g->a,
                           "%lld files would change, more than max_files %lld; nothing was "
                           "changed",
                           (long long)r->total, (long long)r->most);
}

/* What the worktree has now: there is something, and the repository has it, too. */
static bool is_kept(struct restoring *r, const char *path, git_oid *id)
{
    git_odb *odb = NULL;
    struct stat st;
    bool found = fstatat(r->root, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
                 st.st_size <= mgi_git_settings(r->g.a)->max_bytes &&
                 git_repository_hashfile(id, r->g.repo, path, GIT_OBJECT_BLOB, path) == 0 &&
                 git_repository_odb(&odb, r->g.repo) == 0 && git_odb_exists(odb, id);
    git_odb_free(odb);
    return found;
}

static void put_file(struct restoring *r, const char *path, const char *change)
{
    struct action *a = r->g.a;
    struct action_mark mark = mgi_action_mark(a);
    git_oid id;
    if (r->truncated)
        return;
    mgi_jw_begin_object(&a->out);
    mgi_git_put_path(a, "path", path);
    mgi_jw_member_cstr(&a->out, "change", change);
    if (is_kept(r, path, &id))
        mgi_git_put_id(a, "lost_id", &id);
    mgi_jw_end_object(&a->out);
    r->truncated = !mgi_action_fits(a, mark);
}

static bool put_plan(struct restoring *r)
{
    struct action *a = r->g.a;
    struct stat st;
    mgi_jw_key(&a->out, "files");
    mgi_jw_begin_array(&a->out);
    for (size_t i = 0; i < r->written.count; i++) {
        const char *path = r->written.items[i];
        bool there = fstatat(r->root, path, &st, AT_SYMLINK_NOFOLLOW) == 0;
        put_file(r, path, there ? "rewritten" : "created");
        if (mgi_action_stops(a))
            return false;
    }
    for (size_t i = 0; i < r->deleted.count; i++)
        put_file(r, r->deleted.items[i], "deleted");
    mgi_jw_end_array(&a->out);
    mgi_jw_member_int(&a->out, "total", r->total);
    mgi_jw_member_bool(&a->out, "restored", !r->dry_run);
    mgi_jw_member_bool(&a->out, "truncated", r->truncated);
    return true;
}

/* What is in the index and not in the commit. */
static bool delete_files(struct restoring *r)
{
    struct git *g = &r->g;
    for (size_t i = 0; i < r->deleted.count; i++) {
        const char *path = r->deleted.items[i];
        int error = mgi_remove_file(r->root, path);
        if (error && error != ENOENT)
            return mgi_action_fail(g->a, "%s: %s", path, strerror(error));
        mgi_remove_empty(r->root, path);
        git_index_remove(r->index, path, 0);
    }
    int error = r->deleted.count > 0 ? git_index_write(r->index) : 0;
    return !error || mgi_git_fail(g, error, "the index");
}

static bool write_files(struct restoring *r)
{
    struct git *g = &r->g;
    struct checkout c;
    if (r->written.count == 0)
        return true;
    mgi_checkout_init(&c, g);
    c.options.checkout_strategy = GIT_CHECKOUT_FORCE | GIT_CHECKOUT_DISABLE_PATHSPEC_MATCH;
    c.options.paths.strings = (char **)(uintptr_t)r->written.items; /* read only */
    c.options.paths.count = r->written.count;
    int error = r->commit ? git_checkout_tree(g->repo, (const git_object *)r->commit, &c.options)
                          : git_checkout_index(g->repo, r->index, &c.options);
    if (error)
        mgi_checkout_fail(&c, error, "restore");
    mgi_checkout_fini(&c);
    return !error;
}

/* Every path that is named is one that git knows, or below which it knows some. */
static bool check_named(struct restoring *r)
{
    struct git *g = &r->g;
    for (size_t i = 0; i < r->paths.count && !r->paths.globs; i++) {
        size_t at;
        struct tree_entry e = { .found = false };
        const char *path = r->paths.items[i];
        char *folder = mgi_arena_printf(&g->a->arena, "%s/", path);
        if (!folder)
            return mgi_action_nomem(g->a);
        bool found = git_index_get_bypath(r->index, path, 0) ||
                     git_index_get_bypath(r->index, path, 2) ||
                     git_index_find_prefix(&at, r->index, folder) == 0;
        if (!found && r->tree && !mgi_walk_entry(g, git_tree_id(r->tree), path, &e))
            return false;
        if (!found && !e.found)
            mgi_action_fail(g->a, "paths: %s is not tracked", path);
    }
    return g->a->faults == 0;
}

bool mgi_git_restore(struct action *a)
{
    static const char *const known[] = {
        "paths", "glob", "revision", "dry_run", "max_files", NULL
    };
    struct restoring r = { .most = FILES_DEFAULT };
    mgi_arg_known(a, known);
    mgi_arg_bool(a, "glob", &r.paths.globs);
    if (mgi_arg_need(a, "paths"))
        mgi_git_arg_paths(a, "paths", &r.paths);
    mgi_git_arg_cstr(a, "revision", REVISION_MOST, &r.revision);
    mgi_arg_bool(a, "dry_run", &r.dry_run);
    mgi_arg_int(a, "max_files", 1, FILES_MOST, &r.most);
    if (a->faults > 0 || !mgi_git_open_worktree(a, &r.g) || !mgi_git_index(&r.g, &r.index) ||
        !mgi_checkout_modules(&r.g) || !mgi_worktree_root(&r.g, &r.root) || !find_differences(&r) ||
        !check_named(&r) || !plan(&r) || !mgi_checkout_guard(&r.g, r.diff, &r.paths) ||
        !put_plan(&r))
        return false;
    if (r.dry_run || r.total == 0)
        return true;
    return mgi_action_reserve(a, ANSWER_REST_BYTES) && !mgi_action_stops(a) && write_files(&r) &&
           delete_files(&r);
}
