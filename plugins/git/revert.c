/* Undoing what a commit changed, in index and worktree, all or nothing. */
#include "plugins/git/change.h"

#define PARENTS_MOST 64

struct reverting {
    struct git g;
    const char *revision;
    int64_t mainline;
    bool dry_run;
    git_index *index;
    git_commit *commit, *head;
    git_tree *before, *after;
    git_diff *diff;
};

/* The paths that later commits changed, too. */
static bool fail_conflicts(struct reverting *r, git_index *merged)
{
    struct path_list met = { .count = 0 };
    mgi_git_name_conflicts(&met, merged);
    mgi_action_fail(r->g.a,
                    "revert: it meets what was changed later, and nothing was changed: %.*s",
                    STR_ARG(mgi_buf_view(&met.text)));
    mgi_buf_fini(&met.text);
    return false;
}

static bool find_tree(struct reverting *r)
{
    struct git *g = &r->g;
    git_index *merged = NULL;
    git_oid id;
    int error =
        git_revert_commit(&merged, g->repo, r->commit, r->head, (unsigned)r->mainline, NULL);
    if (error)
        return mgi_git_fail(g, error, "revert");
    bool ok = !git_index_has_conflicts(merged) || fail_conflicts(r, merged);
    if (ok) {
        error = git_index_write_tree_to(&id, merged, g->repo);
        if (!error)
            error = git_tree_lookup(&r->after, g->repo, &id);
        ok = error ? mgi_git_fail(g, error, "revert")
                   : mgi_git_keep(g, mgi_git_release_tree, r->after);
    }
    git_index_free(merged);
    return ok;
}

static bool find_all(struct reverting *r)
{
    struct git *g = &r->g;
    struct changes c = { .renames = true };
    if (!mgi_git_commit(g, "revision", r->revision, &r->commit) || !mgi_git_head(g, &r->head))
        return false;
    if (!r->head)
        return mgi_action_fail(g->a, "HEAD: there is no commit yet");
    unsigned parents = git_commit_parentcount(r->commit);
    if (parents > 1 && r->mainline == 0)
        return mgi_action_fail(g->a,
                               "mainline: the commit is a merge: say beside which of its %u "
                               "parents",
                               parents);
    if (r->mainline > parents || (parents == 1 && r->mainline > 0))
        return mgi_action_fail(g->a, "mainline: the commit has %u parents", parents);
    return find_tree(r) && mgi_git_tree(g, r->head, &r->before) &&
           mgi_git_diff_trees(g, &c, r->before, r->after, &r->diff) &&
           mgi_checkout_guard(g, r->diff, NULL) &&
           mgi_checkout_unstaged(g, r->diff, r->before, r->index, "revert");
}

static bool put_known(struct reverting *r)
{
    struct action *a = r->g.a;
    struct changes c = { .stat_only = true, .limit = 1000 };
    struct change_totals t = { 0 };
    struct git_message m;
    char id[GIT_ID_TEXT_BYTES];
    git_oid_tostr(id, sizeof id, git_commit_id(r->commit));
    if (!mgi_git_message(&r->g, r->commit, &m))
        return false;
    mgi_jw_member_cstr(&a->out, "commit", id);
    mgi_jw_key(&a->out, "files");
    mgi_jw_begin_array(&a->out);
    if (!mgi_git_put_changes(&r->g, &c, r->diff, &t))
        return false;
    mgi_jw_end_array(&a->out);
    char *message = mgi_arena_printf(&a->arena, "Revert \"%.*s\"\n\nThis reverts commit %s.\n",
                                     STR_ARG(m.subject), id);
    if (!message)
        return mgi_action_nomem(a);
    mgi_jw_member_cstr(&a->out, "message", message);
    mgi_jw_member_bool(&a->out, "reverted", !r->dry_run);
    mgi_jw_member_bool(&a->out, "truncated", t.truncated);
    return mgi_action_reserve(a, ANSWER_REST_BYTES) && !mgi_action_stops(a);
}

static bool go(struct reverting *r)
{
    struct checkout c;
    mgi_checkout_init(&c, &r->g);
    if (r->dry_run)
        c.options.checkout_strategy |= GIT_CHECKOUT_DRY_RUN;
    int error = git_checkout_tree(r->g.repo, (const git_object *)r->after, &c.options);
    if (error)
        mgi_checkout_fail(&c, error, "revert");
    mgi_checkout_fini(&c);
    return !error;
}

bool mgi_git_revert(struct action *a)
{
    static const char *const known[] = { "revision", "mainline", "expected", "dry_run", NULL };
    struct reverting r = { .revision = NULL };
    git_oid expected;
    mgi_arg_known(a, known);
    if (mgi_arg_need(a, "revision"))
        mgi_git_arg_cstr(a, "revision", REVISION_MOST, &r.revision);
    mgi_arg_int(a, "mainline", 1, PARENTS_MOST, &r.mainline);
    mgi_git_arg_id(a, "expected", &expected);
    mgi_arg_bool(a, "dry_run", &r.dry_run);
    if (a->faults > 0 || !mgi_git_open_worktree(a, &r.g) || !mgi_git_index(&r.g, &r.index) ||
        !mgi_checkout_modules(&r.g))
        return false;
    return mgi_git_expect_head(&r.g, "expected") && mgi_git_expect_quiet(&r.g, r.index) &&
           find_all(&r) && put_known(&r) && go(&r);
}
