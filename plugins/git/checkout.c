/* Guards before files of the worktree are written; see change.h. */
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "plugins/git/change.h"
#include "plugins/git/open_int.h"
#include "plugins/git/trees.h"
#include "plugins/git/worktree_file.h"

static int take_conflict(git_checkout_notify_t why, const char *path, const git_diff_file *baseline,
                         const git_diff_file *target, const git_diff_file *workdir, void *payload)
{
    struct checkout *c = payload;
    (void)why;
    (void)baseline;
    (void)target;
    (void)workdir;
    mgi_git_name_path(&c->met, path);
    return mgi_git_stop(c->g);
}

void mgi_checkout_init(struct checkout *c, struct git *g)
{
    *c = (struct checkout){ .g = g };
    git_checkout_options_init(&c->options, GIT_CHECKOUT_OPTIONS_VERSION);
    c->options.checkout_strategy = GIT_CHECKOUT_SAFE | GIT_CHECKOUT_DONT_OVERWRITE_IGNORED |
                                   GIT_CHECKOUT_DISABLE_PATHSPEC_MATCH;
    c->options.notify_flags = GIT_CHECKOUT_NOTIFY_CONFLICT;
    c->options.notify_cb = take_conflict;
    c->options.notify_payload = c;
}

void mgi_checkout_fini(struct checkout *c)
{
    mgi_buf_fini(&c->met.text);
}

bool mgi_checkout_fail(struct checkout *c, int error, const char *what)
{
    if (c->met.count == 0)
        return mgi_git_fail(c->g, error, "%s", what);
    return mgi_action_fail(c->g->a,
                           "%s: local changes or untracked files stand in the way, and nothing was "
                           "changed: %.*s",
                           what, STR_ARG(mgi_buf_view(&c->met.text)));
}

/* ---- .gitmodules ---------------------------------------------------------------------------- */

/* libgit2 reads it whenever files of the worktree are written, and would open whatever file of the
 * machine it includes; a branch that was fetched can have such a one. */
static bool check_modules(struct git *g, struct str text)
{
    return !mgi_git_config_includes(text) ||
           mgi_action_fail(g->a, ".gitmodules: has an include, which is not followed here; nothing "
                                 "was changed");
}

bool mgi_checkout_modules(struct git *g)
{
    struct stat st;
    struct str text;
    int root;
    if (!mgi_worktree_root(g, &root))
        return false;
    if (fstatat(root, ".gitmodules", &st, AT_SYMLINK_NOFOLLOW) != 0)
        return true;
    enum worktree_file got = mgi_worktree_file(g, root, ".gitmodules", &text);
    if (got == WORKTREE_FILE_FAILED)
        return false;
    if (got != WORKTREE_FILE_READ)
        return mgi_action_fail(g->a, ".gitmodules: %s; nothing was changed",
                               got == WORKTREE_FILE_LARGE
                                   ? "is larger than max_bytes"
                                   : "is a link, or no file that can be read");
    return check_modules(g, text);
}

bool mgi_checkout_modules_blob(struct git *g, const git_oid *id)
{
    struct str text;
    struct arena_mark mark = mgi_arena_mark(&g->a->arena);
    bool ok = mgi_git_blob(g, id, ".gitmodules", &text) && check_modules(g, text);
    mgi_arena_rewind(&g->a->arena, mark);
    return ok;
}

/* ---- the guard ------------------------------------------------------------------------------ */

struct guard {
    struct git *g;
    const git_diff *diff;
    int root;
    int64_t most; /* bytes of a file */
};

/* True if the path goes with the change: a link there is removed before anything is written. */
static bool goes_away(const struct guard *k, const char *path, size_t len)
{
    for (size_t i = 0; i < git_diff_num_deltas(k->diff); i++) {
        const git_diff_delta *d = git_diff_get_delta(k->diff, i);
        if ((d->status == GIT_DELTA_DELETED || d->status == GIT_DELTA_TYPECHANGE ||
             d->status == GIT_DELTA_RENAMED) &&
            strncmp(d->old_file.path, path, len) == 0 && d->old_file.path[len] == '\0')
            return true;
    }
    return false;
}

/* No folder on the way to the file is a link. */
static bool check_way(const struct guard *k, const char *path)
{
    char folder[PATH_MOST + 1];
    struct stat st;
    if (strlen(path) > PATH_MOST)
        return mgi_action_fail(k->g->a, "%.200s...: is longer than %d bytes", path, PATH_MOST);
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        size_t len = (size_t)(slash - path);
        memcpy(folder, path, len);
        folder[len] = '\0';
        if (fstatat(k->root, folder, &st, AT_SYMLINK_NOFOLLOW) != 0)
            return true; /* not there: it is made */
        if (S_ISLNK(st.st_mode))
            return goes_away(k, path, len) ||
                   mgi_action_fail(k->g->a,
                                   "%s: stands beyond the symbolic link %s; nothing was "
                                   "changed",
                                   path, folder);
    }
    return true;
}

static bool check_size(const struct guard *k, const git_diff_file *file)
{
    int64_t size = (file->flags & GIT_DIFF_FLAG_VALID_ID) && !git_oid_is_zero(&file->id)
                       ? mgi_git_size(k->g, &file->id)
                       : 0;
    return size <= k->most || mgi_action_fail(k->g->a,
                                              "%s: has %lld bytes, more than the %lld "
                                              "that this process may write; nothing was "
                                              "changed",
                                              file->path, (long long)size, (long long)k->most);
}

static bool is_modules(const git_diff_file *file)
{
    return strcmp(file->path, ".gitmodules") == 0 && !git_oid_is_zero(&file->id);
}

static bool check_delta(const struct guard *k, const git_diff_delta *d)
{
    const git_diff_file *file = d->status == GIT_DELTA_DELETED ? &d->old_file : &d->new_file;
    if (!mgi_git_is_plain_path(file->path))
        return mgi_action_fail(k->g->a,
                               "%.200s: is no path that is written here; nothing was "
                               "changed",
                               file->path);
    if (!check_way(k, file->path))
        return false;
    if (d->status == GIT_DELTA_DELETED)
        return true;
    return check_size(k, file) && (!is_modules(file) || mgi_checkout_modules_blob(k->g, &file->id));
}

bool mgi_checkout_guard(struct git *g, const git_diff *diff, const struct git_paths *only)
{
    struct rlimit limit;
    struct guard k = { .g = g, .diff = diff, .most = INT64_MAX };
    if (!mgi_worktree_root(g, &k.root))
        return false;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < (rlim_t)INT64_MAX)
        k.most = (int64_t)limit.rlim_cur;
    for (size_t i = 0; i < git_diff_num_deltas(diff); i++) {
        const git_diff_delta *d = git_diff_get_delta(diff, i);
        if (only && !mgi_git_paths_match(only, d->new_file.path))
            continue;
        if (!check_delta(&k, d) || mgi_action_stops(g->a))
            return false;
    }
    return true;
}

bool mgi_checkout_unstaged(struct git *g, const git_diff *diff, git_tree *head, git_index *index,
                           const char *what)
{
    struct changes c = { .no_counts = true };
    struct path_list met = { .count = 0 };
    git_diff *staged;
    size_t count = git_diff_num_deltas(diff);
    c.paths.items = mgi_arena_calloc(&g->a->arena, 2 * count + 1, sizeof *c.paths.items);
    if (!c.paths.items)
        return mgi_action_nomem(g->a);
    for (size_t i = 0; i < count; i++) {
        const git_diff_delta *d = git_diff_get_delta(diff, i);
        c.paths.items[c.paths.count++] = d->old_file.path;
        c.paths.items[c.paths.count++] = d->new_file.path;
    }
    if (count == 0)
        return true;
    if (!mgi_git_diff_tree_index(g, &c, head, index, &staged))
        return false;
    for (size_t i = 0; i < git_diff_num_deltas(staged); i++)
        mgi_git_name_path(&met, git_diff_get_delta(staged, i)->new_file.path);
    if (met.count > 0)
        mgi_action_fail(g->a, "%s: what is staged stands in the way, and nothing was changed: %.*s",
                        what, STR_ARG(mgi_buf_view(&met.text)));
    mgi_buf_fini(&met.text);
    return met.count == 0;
}
