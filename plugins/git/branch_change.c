/* Branches made and deleted. */
#include "plugins/git/change.h"
#include "plugins/git/upstream.h"

#define NAME_MOST 200

static bool read_name(struct action *a, const char **name)
{
    int valid = 0;
    if (!mgi_arg_need(a, "name") || !mgi_git_arg_cstr(a, "name", NAME_MOST, name))
        return false;
    if (git_branch_name_is_valid(&valid, *name) != 0 || !valid)
        return mgi_action_fail(a, "name: \"%s\" cannot be the name of a branch", *name);
    return true;
}

/* ---- create --------------------------------------------------------------------------------- */

/* The full name of a branch that is there. */
static bool find_upstream(struct git *g, const char *name, const char *upstream, struct followed *f)
{
    git_reference *reference = NULL;
    int error = git_branch_lookup(&reference, g->repo, upstream, GIT_BRANCH_REMOTE);
    if (error == GIT_ENOTFOUND)
        error = git_branch_lookup(&reference, g->repo, upstream, GIT_BRANCH_LOCAL);
    if (error)
        return mgi_git_fail(g, error, "upstream: \"%s\"", upstream);
    return mgi_git_keep(g, mgi_git_release_reference, reference) &&
           mgi_git_find_followed(g, name, git_reference_name(reference), f);
}

/* Made whole, or not at all. */
static bool make_branch(struct git *g, const char *name, const git_commit *commit,
                        const struct followed *f)
{
    git_reference *branch = NULL;
    int error = git_branch_create(&branch, g->repo, name, commit, 0);
    if (error)
        return mgi_git_fail(g, error, "name: %s", name);
    error = f->remote ? mgi_git_set_followed(g, f) : 0;
    if (error) {
        mgi_git_fail(g, error, "upstream");
        git_reference_delete(branch);
    }
    git_reference_free(branch);
    return !error;
}

bool mgi_git_create_branch(struct action *a)
{
    static const char *const known[] = { "name", "revision", "upstream", NULL };
    struct git g;
    const char *name = NULL, *revision = "HEAD", *upstream = NULL;
    struct followed f = { .remote = NULL };
    git_commit *commit;
    git_reference *there = NULL;
    mgi_arg_known(a, known);
    read_name(a, &name);
    mgi_git_arg_cstr(a, "revision", REVISION_MOST, &revision);
    mgi_git_arg_cstr(a, "upstream", REVISION_MOST, &upstream);
    if (a->faults > 0 || !mgi_git_may_change(a, name) || !mgi_git_open(a, &g) ||
        !mgi_git_commit(&g, "revision", revision, &commit) ||
        (upstream && !find_upstream(&g, name, upstream, &f)))
        return false;
    if (git_branch_lookup(&there, g.repo, name, GIT_BRANCH_LOCAL) == 0) { /* it is left alone */
        const git_oid *at = git_reference_target(there);
        bool same = at && git_oid_equal(at, git_commit_id(commit));
        git_reference_free(there);
        if (!same)
            return mgi_action_fail(a, "name: there is a branch %s already, at another commit",
                                   name);
    }
    mgi_jw_member_cstr(&a->out, "name", name);
    mgi_git_put_id(a, "id", git_commit_id(commit));
    mgi_jw_member_bool(&a->out, "created", there == NULL);
    if (!mgi_action_reserve(a, ANSWER_REST_BYTES) || mgi_action_stops(a))
        return false;
    return there || make_branch(&g, name, commit, &f);
}

/* ---- delete --------------------------------------------------------------------------------- */

/* Has the reference all that the tip reaches? */
static bool holds(struct history *h, const git_oid *tip, const char *refname, bool *all)
{
    git_oid id;
    struct compared c;
    *all = false;
    if (!mgi_git_target(h->g, refname, GIT_OBJECT_COMMIT, &id))
        return true;
    struct commit_node *one = mgi_history_node(h, tip), *other = mgi_history_node(h, &id);
    if (!one || !other || !mgi_history_compare(h, one, &other, 1, &c))
        return false;
    *all = c.ahead == 0 && !h->incomplete;
    return true;
}

static bool is_merged(struct git *g, const char *refname, const git_oid *tip, const char **upstream,
                      bool *merged)
{
    struct history h;
    mgi_history_init(&h, g, LOOK_MOST);
    *merged = false;
    if (!mgi_git_upstream(g, refname, upstream) ||
        (*upstream && !holds(&h, tip, *upstream, merged)))
        return false;
    return *merged || holds(&h, tip, "HEAD", merged);
}

struct deletion {
    struct git g;
    const char *name, *upstream;
    bool force, merged;
    git_reference *branch;
    git_oid tip;
    struct branch_keys keys;
};

static bool find_branch(struct deletion *d)
{
    struct git *g = &d->g;
    git_oid expected;
    char text[GIT_ID_TEXT_BYTES];
    int error = git_branch_lookup(&d->branch, g->repo, d->name, GIT_BRANCH_LOCAL);
    if (error)
        return mgi_git_fail(g, error, "name: %s", d->name);
    if (!mgi_git_keep(g, mgi_git_release_reference, d->branch))
        return false;
    error = git_reference_name_to_id(&d->tip, g->repo, git_reference_name(d->branch));
    if (error)
        return mgi_git_fail(g, error, "name: %s", d->name);
    if (mgi_git_arg_id(g->a, "expected", &expected) && !git_oid_equal(&expected, &d->tip))
        return mgi_action_fail(g->a, "expected: %s is at %s now; nothing was changed", d->name,
                               git_oid_tostr(text, sizeof text, &d->tip));
    if (git_branch_is_head(d->branch) == 1 || git_branch_is_checked_out(d->branch) == 1)
        return mgi_action_fail(g->a, "name: a worktree is on %s: switch it to another branch first",
                               d->name);
    return g->a->faults == 0;
}

static bool check_merged(struct deletion *d)
{
    if (!is_merged(&d->g, git_reference_name(d->branch), &d->tip, &d->upstream, &d->merged))
        return false;
    return d->merged || d->force ||
           mgi_action_fail(d->g.a,
                           "name: neither HEAD nor what it follows has all of %s; to delete "
                           "it anyhow say \"force\": true",
                           d->name);
}

bool mgi_git_delete_branch(struct action *a)
{
    static const char *const known[] = { "name", "force", "expected", NULL };
    struct deletion d = { .name = NULL };
    git_oid expected;
    mgi_arg_known(a, known);
    read_name(a, &d.name);
    mgi_arg_bool(a, "force", &d.force);
    mgi_git_arg_id(a, "expected", &expected);
    if (a->faults > 0 || !mgi_git_may_change(a, d.name) || !mgi_git_open(a, &d.g) ||
        !find_branch(&d) || !check_merged(&d) || !mgi_git_find_branch_keys(&d.g, d.name, &d.keys))
        return false;
    mgi_jw_member_cstr(&a->out, "name", d.name);
    mgi_git_put_id(a, "id", &d.tip);
    if (d.upstream)
        mgi_git_put_cut(a, "upstream", str_of(mgi_git_short_name(d.upstream)), REVISION_MOST);
    mgi_jw_member_bool(&a->out, "merged", d.merged);
    if (!mgi_action_reserve(a, ANSWER_REST_BYTES) || mgi_action_stops(a))
        return false;
    int error = git_reference_delete(d.branch); /* if it still is where it was found */
    if (error)
        return mgi_git_fail(&d.g, error, "name: %s", d.name);
    mgi_git_forget_branch(&d.g, &d.keys);
    return true;
}
