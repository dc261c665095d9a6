/* Going to another branch or commit, with the worktree. */
#include "plugins/git/change.h"

struct switching {
    struct git g;
    const char *branch, *revision;
    const char *refname; /* of the branch; NULL: detached */
    const char *before;  /* HEAD's branch; NULL: none */
    git_commit *from, *to;
    git_tree *from_tree, *to_tree;
    git_index *index;
    git_diff *diff;
};

static bool find_target(struct switching *s)
{
    struct git *g = &s->g;
    git_reference *reference = NULL;
    if (!s->branch)
        return mgi_git_commit(g, "revision", s->revision, &s->to);
    int error = git_branch_lookup(&reference, g->repo, s->branch, GIT_BRANCH_LOCAL);
    if (error)
        return mgi_git_fail(g, error, "branch: %s", s->branch);
    if (!mgi_git_keep(g, mgi_git_release_reference, reference))
        return false;
    s->refname = git_reference_name(reference);
    if (git_branch_is_head(reference) != 1 && git_branch_is_checked_out(reference) == 1)
        return mgi_action_fail(g->a, "branch: another worktree is on %s", s->branch);
    return mgi_git_commit(g, "branch", s->refname, &s->to);
}

static bool find_differences(struct switching *s)
{
    struct git *g = &s->g;
    struct changes c = { .no_counts = true };
    return mgi_git_current_branch(g, &s->before) && mgi_git_head(g, &s->from) &&
           mgi_git_tree(g, s->from, &s->from_tree) && mgi_git_tree(g, s->to, &s->to_tree) &&
           mgi_git_diff_trees(g, &c, s->from_tree, s->to_tree, &s->diff) &&
           mgi_checkout_guard(g, s->diff, NULL) &&
           mgi_checkout_unstaged(g, s->diff, s->from_tree, s->index, "switch");
}

static void put_known(struct switching *s)
{
    struct action *a = s->g.a;
    if (s->branch)
        mgi_jw_member_cstr(&a->out, "branch", s->branch);
    mgi_git_put_id(a, "id", git_commit_id(s->to));
    mgi_jw_member_int(&a->out, "changed", (int64_t)git_diff_num_deltas(s->diff));
    mgi_jw_key(&a->out, "previous");
    mgi_jw_begin_object(&a->out);
    if (s->before)
        mgi_git_put_cut(a, "branch", str_of(s->before), 400);
    if (s->from)
        mgi_git_put_id(a, "id", git_commit_id(s->from));
    mgi_jw_end_object(&a->out);
}

/* The files first, then HEAD; if that cannot be moved, the files go back. */
static bool go(struct switching *s)
{
    struct git *g = &s->g;
    struct checkout c;
    mgi_checkout_init(&c, g);
    int error = git_checkout_tree(g->repo, (const git_object *)s->to, &c.options);
    if (error) {
        mgi_checkout_fail(&c, error, "switch");
    } else {
        error = s->refname ? git_repository_set_head(g->repo, s->refname)
                           : git_repository_set_head_detached(g->repo, git_commit_id(s->to));
        if (error) {
            mgi_git_fail(g, error, "HEAD");
            c.options.baseline = s->to_tree;
            if (s->from)
                git_checkout_tree(g->repo, (const git_object *)s->from, &c.options);
        }
    }
    mgi_checkout_fini(&c);
    return !error;
}

bool mgi_git_switch(struct action *a)
{
    static const char *const known[] = { "branch", "revision", "expected", NULL };
    struct switching s = { .branch = NULL };
    git_oid expected;
    mgi_arg_known(a, known);
    bool branch = mgi_git_arg_cstr(a, "branch", 200, &s.branch);
    bool revision = mgi_git_arg_cstr(a, "revision", REVISION_MOST, &s.revision);
    mgi_git_arg_id(a, "expected", &expected);
    if (branch == revision && a->faults == 0)
        mgi_action_fail(a, "branch, revision: one of the two is needed");
    if (a->faults > 0 || !mgi_git_open_worktree(a, &s.g) || !mgi_git_index(&s.g, &s.index) ||
        !mgi_checkout_modules(&s.g) || !mgi_git_expect_head(&s.g, "expected") ||
        !mgi_git_expect_quiet(&s.g, s.index) || !find_target(&s) || !find_differences(&s))
        return false;
    put_known(&s);
    return mgi_action_reserve(a, ANSWER_REST_BYTES) && !mgi_action_stops(a) && go(&s);
}
