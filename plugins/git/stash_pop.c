/* Bringing stashed changes back, all or nothing. Everything that could stand in the way is looked
 * for before libgit2 writes the first file. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "plugins/git/change.h"
#include "plugins/git/trees.h"
#include "plugins/git/worktree_file.h"

#define INDEX_MOST 100000

struct popping {
    struct git g;
    int64_t number;
    bool restore_index, keep;
    int root;
    git_index *index;
    git_commit *stash, *head;
    git_tree *head_tree;
    int64_t files;
    struct path_list met;
};

/* ---- which ---------------------------------------------------------------------------------- */

struct wanted {
    size_t number;
    git_oid id;
    bool found;
};

static int look_at(size_t number, const char *message, const git_oid *id, void *payload)
{
    struct wanted *w = payload;
    (void)message;
    if (number != w->number)
        return 0;
    git_oid_cpy(&w->id, id);
    w->found = true;
    return 1; /* enough */
}

static bool find_stash(struct popping *p)
{
    struct git *g = &p->g;
    git_oid expected;
    char text[GIT_ID_TEXT_BYTES];
    struct wanted w = { .number = (size_t)p->number };
    int error = git_stash_foreach(g->repo, look_at, &w);
    if (error && !w.found)
        return mgi_git_fail(g, error, "the stashes");
    if (!w.found)
        return mgi_action_fail(g->a, "index: there is no stash %lld", (long long)p->number);
    if (mgi_git_arg_id(g->a, "expected", &expected) && !git_oid_equal(&expected, &w.id))
        return mgi_action_fail(g->a, "expected: stash %lld is %s now; nothing was changed",
                               (long long)p->number, git_oid_tostr(text, sizeof text, &w.id));
    error = git_commit_lookup(&p->stash, g->repo, &w.id);
    if (error)
        return mgi_git_fail(g, error, "the stash");
    if (!mgi_git_keep(g, mgi_git_release_commit, p->stash))
        return false;
    return git_commit_parentcount(p->stash) >= 2 ||
           mgi_action_fail(g->a, "index: stash %lld is none that git made", (long long)p->number);
}

/* ---- what stands in the way ----------------------------------------------------------------- */

static bool tree_of_parent(struct popping *p, unsigned number, git_tree **tree)
{
    git_commit *parent = NULL;
    int error = git_commit_parent(&parent, p->stash, number);
    if (error)
        return mgi_git_fail(&p->g, error, "the stash");
    bool ok = mgi_git_tree(&p->g, parent, tree);
    git_commit_free(parent);
    return ok;
}

/* Of the tracked files: HEAD with what the stash changed. */
static bool check_tracked(struct popping *p)
{
    struct git *g = &p->g;
    struct changes c = { .no_counts = true };
    git_tree *base, *stashed;
    git_index *merged = NULL;
    git_diff *diff;
    if (!mgi_git_tree(g, p->stash, &stashed) || !tree_of_parent(p, 0, &base))
        return false;
    int error = git_merge_trees(&merged, g->repo, base, p->head_tree, stashed, NULL);
    if (error)
        return mgi_git_fail(g, error, "the stash");
    if (!mgi_git_keep(g, mgi_git_release_index, merged))
        return false;
    mgi_git_name_conflicts(&p->met, merged);
    if (p->met.count > 0)
        return mgi_action_fail(g->a,
                               "the stash meets what was committed since, and nothing was "
                               "changed: %.*s",
                               STR_ARG(mgi_buf_view(&p->met.text)));
    if (!mgi_git_diff_tree_index(g, &c, p->head_tree, merged, &diff) ||
        !mgi_checkout_guard(g, diff, NULL))
        return false;
    p->files += (int64_t)git_diff_num_deltas(diff);
    return true;
}

static bool look_at_untracked(void *user, const struct git_file *file)
{
    struct popping *p = user;
    struct stat st;
    p->files++;
    if (git_index_get_bypath(p->index, file->path, 0) ||
        fstatat(p->root, file->path, &st, AT_SYMLINK_NOFOLLOW) == 0)
        mgi_git_name_path(&p->met, file->path);
    return true;
}

static bool check_untracked(struct popping *p)
{
    struct git *g = &p->g;
    struct changes c = { .no_counts = true };
    struct git_files files = { .path = ".", .each = look_at_untracked, .user = p };
    git_diff *diff;
    if (git_commit_parentcount(p->stash) < 3)
        return true;
    if (!tree_of_parent(p, 2, &files.tree) || !mgi_git_each_file(g, &files) ||
        !mgi_git_diff_trees(g, &c, NULL, files.tree, &diff) || !mgi_checkout_guard(g, diff, NULL))
        return false;
    return p->met.count == 0 ||
           mgi_action_fail(g->a,
                           "untracked files of the stash are there already, and nothing was "
                           "changed: %.*s",
                           STR_ARG(mgi_buf_view(&p->met.text)));
}

static int stop_before_the_end(git_stash_apply_progress_t progress, void *payload)
{
    (void)payload;
    return progress == GIT_STASH_APPLY_PROGRESS_DONE ? GIT_EUSER : 0;
}

/* Once without writing, which finds local changes, then for good. */
static bool apply(struct popping *p)
{
    struct git *g = &p->g;
    struct checkout c;
    git_stash_apply_options o;
    git_stash_apply_options_init(&o, GIT_STASH_APPLY_OPTIONS_VERSION);
    mgi_checkout_init(&c, g);
    o.flags = p->restore_index ? GIT_STASH_APPLY_REINSTATE_INDEX : 0;
    o.checkout_options = c.options;
    o.checkout_options.checkout_strategy |= GIT_CHECKOUT_DRY_RUN;
    o.progress_cb = stop_before_the_end;
    int error = git_stash_apply(g->repo, (size_t)p->number, &o);
    bool ok = error == GIT_EUSER && c.met.count == 0;
    if (ok) {
        o.checkout_options.checkout_strategy = c.options.checkout_strategy;
        o.progress_cb = NULL;
        error = git_index_read(p->index, 1); /* the rehearsal has filled it */
        if (!error)
            error = git_stash_apply(g->repo, (size_t)p->number, &o);
        ok = error == 0;
    }
    if (!ok)
        mgi_checkout_fail(&c, error, "stash_pop");
    mgi_checkout_fini(&c);
    return ok;
}

static bool pop(struct popping *p)
{
    struct action *a = p->g.a;
    if (!mgi_git_head(&p->g, &p->head) || !mgi_git_tree(&p->g, p->head, &p->head_tree) ||
        !check_tracked(p) || !check_untracked(p))
        return false;
    mgi_git_put_id(a, "id", git_commit_id(p->stash));
    mgi_jw_member_int(&a->out, "files", p->files);
    if (!mgi_action_reserve(a, ANSWER_REST_BYTES) || mgi_action_stops(a) || !apply(p))
        return false;
    bool kept = p->keep || git_stash_drop(p->g.repo, (size_t)p->number) != 0;
    mgi_jw_member_bool(&a->out, "kept", kept);
    return true;
}

bool mgi_git_stash_pop(struct action *a)
{
    static const char *const known[] = { "index", "expected", "restore_index", "keep", NULL };
    struct popping p = { .number = 0 };
    git_oid expected;
    mgi_arg_known(a, known);
    mgi_arg_int(a, "index", 0, INDEX_MOST, &p.number);
    mgi_git_arg_id(a, "expected", &expected);
    mgi_arg_bool(a, "restore_index", &p.restore_index);
    mgi_arg_bool(a, "keep", &p.keep);
    if (a->faults > 0 || !mgi_git_open_worktree(a, &p.g) || !mgi_git_index(&p.g, &p.index) ||
        !mgi_checkout_modules(&p.g) || !mgi_worktree_root(&p.g, &p.root) ||
        !mgi_git_expect_quiet(&p.g, p.index) || !find_stash(&p))
        return false;
    bool ok = pop(&p);
    mgi_buf_fini(&p.met.text);
    return ok;
}
