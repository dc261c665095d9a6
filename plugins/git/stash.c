/* Putting changes aside.
 *
 * The commits are made here and not by libgit2's git_stash_save(), which, when untracked files go
 * along, removes folders whole: what is ignored in them is lost, and so is a repository in them.
 * They are what git makes: one of the worktree, whose parents are HEAD, one of the index, and, if
 * asked, one of the untracked files. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "plugins/git/change.h"
#include "plugins/git/worktree_file.h"

#define MESSAGE_MOST 400

struct stashing {
    struct git g;
    const char *message, *branch;
    bool untracked, keep_index;
    int root;
    git_index *index;
    git_commit *head;
    git_tree *head_tree;
    git_signature *who;
    git_diff *tracked, *others; /* HEAD beside the worktree; untracked files */
    char *title;                /* what the commits are called */
};

/* ---- what there is -------------------------------------------------------------------------- */

static bool is_untracked(const git_diff_delta *d)
{
    return d->status == GIT_DELTA_UNTRACKED && d->new_file.path[0] &&
           d->new_file.path[strlen(d->new_file.path) - 1] != '/'; /* a repository stays */
}

static bool find_changes(struct stashing *s)
{
    struct git *g = &s->g;
    struct changes c = { .no_counts = true }, u = { .no_counts = true };
    u.untracked = u.each_untracked = s->untracked;
    return mgi_git_head(g, &s->head) &&
           (s->head || mgi_action_fail(g->a, "HEAD: there is no commit yet")) &&
           mgi_git_tree(g, s->head, &s->head_tree) &&
           mgi_git_diff_tree_worktree(g, &c, s->head_tree, &s->tracked) &&
           mgi_git_diff_index_worktree(g, &u, s->index, &s->others);
}

static bool is_anything(const struct stashing *s)
{
    for (size_t i = 0; i < git_diff_num_deltas(s->others); i++)
        if (git_diff_get_delta(s->others, i)->status != GIT_DELTA_UNTRACKED ||
            is_untracked(git_diff_get_delta(s->others, i)))
            return true;
    return git_diff_num_deltas(s->tracked) > 0;
}

/* What a checkout of HEAD's files will write. */
static bool check_files(struct stashing *s)
{
    struct changes c = { .no_counts = true, .reverse = true };
    git_diff *back;
    return mgi_git_diff_tree_worktree(&s->g, &c, s->head_tree, &back) &&
           mgi_checkout_guard(&s->g, back, NULL);
}

/* ---- commits -------------------------------------------------------------------------------- */

static int add_file(struct stashing *s, git_index *to, const char *path)
{
    struct stat st;
    git_index_entry e = { .path = path };
    if (fstatat(s->root, path, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return -1;
    e.mode = S_ISLNK(st.st_mode) ? 0120000 : st.st_mode & 0100 ? 0100755 : 0100644;
    int error = git_blob_create_from_workdir(&e.id, s->g.repo, path);
    return error ? error : git_index_add(to, &e);
}

static int commit_of(struct stashing *s, git_index *from, const char *title, size_t count,
                     const git_commit **parents, git_commit **out)
{
    git_oid tree_id, id;
    git_tree *tree = NULL;
    int error = git_index_write_tree_to(&tree_id, from, s->g.repo);
    if (!error)
        error = git_tree_lookup(&tree, s->g.repo, &tree_id);
    if (!error)
        error = git_commit_create(&id, s->g.repo, NULL, s->who, s->who, NULL, title, tree, count,
                                  parents);
    if (!error)
        error = git_commit_lookup(out, s->g.repo, &id);
    git_tree_free(tree);
    return error;
}

/* The index as it is, with the worktree's files. */
static int fill_worktree(struct stashing *s, git_index *to)
{
    int error = 0;
    for (size_t i = 0; !error && i < git_index_entrycount(s->index); i++)
        error = git_index_add(to, git_index_get_byindex(s->index, i));
    for (size_t i = 0; !error && i < git_diff_num_deltas(s->others); i++) {
        const git_diff_delta *d = git_diff_get_delta(s->others, i);
        if (d->status == GIT_DELTA_DELETED)
            error = git_index_remove(to, d->new_file.path, 0);
        else if (d->status != GIT_DELTA_UNTRACKED && d->status != GIT_DELTA_UNMODIFIED)
            error = add_file(s, to, d->new_file.path);
        if (!error)
            error = mgi_git_stop(&s->g);
    }
    return error;
}

static int fill_untracked(struct stashing *s, git_index *to)
{
    int error = 0;
    for (size_t i = 0; !error && i < git_diff_num_deltas(s->others); i++) {
        const git_diff_delta *d = git_diff_get_delta(s->others, i);
        if (is_untracked(d))
            error = add_file(s, to, d->new_file.path);
        if (!error)
            error = mgi_git_stop(&s->g);
    }
    return error;
}

static int filled_commit(struct stashing *s, int (*fill)(struct stashing *s, git_index *to),
                         const char *title, size_t count, const git_commit **parents,
                         git_commit **out)
{
    git_index *index = NULL;
    int error = git_index_new(&index);
    if (!error)
        error = fill(s, index);
    if (!error)
        error = commit_of(s, index, title, count, parents, out);
    git_index_free(index);
    return error;
}

static char *text_of(struct stashing *s, const char *before, const char *text)
{
    return mgi_arena_printf(&s->g.a->arena, "%s%s", before, text);
}

/* "WIP on main: 1234567 subject", as git says it; and with a message "On main: message". */
static bool name_it(struct stashing *s, char **base)
{
    char id[8];
    struct git_message m;
    git_oid_tostr(id, sizeof id, git_commit_id(s->head));
    if (!mgi_git_message(&s->g, s->head, &m))
        return false;
    const char *branch = s->branch ? s->branch : "(no branch)";
    *base = mgi_arena_printf(&s->g.a->arena, "%s: %s %.*s\n", branch, id, STR_ARG(m.subject));
    s->title =
        s->message ? mgi_arena_printf(&s->g.a->arena, "On %s: %s", branch, s->message) : NULL;
    if (!s->message && *base)
        s->title = mgi_arena_printf(&s->g.a->arena, "WIP on %.*s", (int)strlen(*base) - 1, *base);
    return (*base && s->title) || mgi_action_nomem(s->g.a);
}

static bool make_commits(struct stashing *s, git_oid *id)
{
    char *base;
    git_commit *staged = NULL, *untracked = NULL, *whole = NULL;
    const git_commit *parents[3] = { s->head, NULL, NULL };
    if (!name_it(s, &base))
        return false;
    char *staged_title = text_of(s, "index on ", base);
    char *untracked_title = text_of(s, "untracked files on ", base);
    if (!staged_title || !untracked_title)
        return mgi_action_nomem(s->g.a);
    int error = commit_of(s, s->index, staged_title, 1, parents, &staged);
    if (!error && s->untracked)
        error = filled_commit(s, fill_untracked, untracked_title, 0, NULL, &untracked);
    parents[1] = staged;
    parents[2] = untracked;
    if (!error)
        error = filled_commit(s, fill_worktree, s->title, untracked ? 3 : 2, parents, &whole);
    if (!error)
        git_oid_cpy(id, git_commit_id(whole));
    git_commit_free(whole);
    git_commit_free(untracked);
    git_commit_free(staged);
    return !error || mgi_git_fail(&s->g, error, "the stash");
}

/* ---- the worktree --------------------------------------------------------------------------- */

static bool keep_commit(struct stashing *s, const git_oid *id)
{
    git_reference *reference = NULL;
    int error = git_reference_ensure_log(s->g.repo, "refs/stash");
    if (!error)
        error = git_reference_create(&reference, s->g.repo, "refs/stash", id, 1, s->title);
    git_reference_free(reference);
    return !error || mgi_git_fail(&s->g, error, "refs/stash");
}

/* Files as HEAD or the index has them; what was untracked and is kept now goes. */
static bool clean_worktree(struct stashing *s)
{
    struct checkout c;
    struct git *g = &s->g;
    mgi_checkout_init(&c, g);
    c.options.checkout_strategy = GIT_CHECKOUT_FORCE;
    int error = s->keep_index ? git_checkout_index(g->repo, s->index, &c.options)
                              : git_checkout_tree(g->repo, (const git_object *)s->head, &c.options);
    if (error)
        mgi_checkout_fail(&c, error, "the changes are stashed, but the worktree is not clean");
    mgi_checkout_fini(&c);
    for (size_t i = 0; !error && s->untracked && i < git_diff_num_deltas(s->others); i++) {
        const git_diff_delta *d = git_diff_get_delta(s->others, i);
        if (!is_untracked(d))
            continue;
        int why = mgi_remove_file(s->root, d->new_file.path);
        if (why && why != ENOENT)
            mgi_action_fail(g->a, "the changes are stashed, but %s: %s", d->new_file.path,
                            strerror(why));
        mgi_remove_empty(s->root, d->new_file.path);
    }
    return g->a->faults == 0;
}

bool mgi_git_stash(struct action *a)
{
    static const char *const known[] = { "message", "untracked", "keep_index", NULL };
    struct stashing s = { .message = NULL };
    git_oid id;
    mgi_arg_known(a, known);
    mgi_git_arg_cstr(a, "message", MESSAGE_MOST, &s.message);
    mgi_arg_bool(a, "untracked", &s.untracked);
    mgi_arg_bool(a, "keep_index", &s.keep_index);
    if (a->faults > 0 || !mgi_git_open_worktree(a, &s.g) || !mgi_git_index(&s.g, &s.index) ||
        !mgi_checkout_modules(&s.g) || !mgi_worktree_root(&s.g, &s.root) ||
        !mgi_git_expect_quiet(&s.g, s.index) || !mgi_git_expect_whole(&s.g, s.index) ||
        !mgi_git_current_branch(&s.g, &s.branch) || !find_changes(&s))
        return false;
    if (!is_anything(&s)) {
        mgi_jw_member_bool(&a->out, "stashed", false);
        return true;
    }
    if (!mgi_git_committer(&s.g, &s.who) || !check_files(&s) || !make_commits(&s, &id))
        return false;
    mgi_jw_member_bool(&a->out, "stashed", true);
    mgi_git_put_id(a, "id", &id);
    return mgi_action_reserve(a, ANSWER_REST_BYTES) && !mgi_action_stops(a) &&
           keep_commit(&s, &id) && clean_worktree(&s);
}
