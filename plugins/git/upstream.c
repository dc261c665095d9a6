/* What a branch follows, and how far the two are apart. */
#include "plugins/git/history.h"

/* The name of what is configured; false: nothing is, or it cannot be named. */
static bool upstream_name(struct git *g, const char *branch, git_buf *name)
{
    return git_branch_upstream_name(name, g->repo, branch) == 0;
}

static const char *short_name(const char *refname)
{
    if (strncmp(refname, "refs/remotes/", 13) == 0)
        return refname + 13;
    return strncmp(refname, "refs/heads/", 11) == 0 ? refname + 11 : refname;
}

static bool put_distance(struct history *h, const git_oid *here, const git_oid *there)
{
    struct compared c;
    struct action *a = h->g->a;
    struct commit_node *one = mgi_history_node(h, here), *other = mgi_history_node(h, there);
    if (!one || !other || !mgi_history_compare(h, one, &other, 1, &c))
        return false;
    mgi_jw_member_int(&a->out, "ahead", c.ahead);
    mgi_jw_member_int(&a->out, "behind", c.behind);
    return true;
}

bool mgi_git_put_upstream(struct history *h, const char *branch, const git_oid *tip)
{
    struct git *g = h->g;
    git_buf name = GIT_BUF_INIT;
    git_oid id;
    if (!upstream_name(g, branch, &name))
        return true;
    git_reference *reference = NULL;
    git_object *object = NULL;
    bool gone = git_reference_lookup(&reference, g->repo, name.ptr) != 0 ||
                git_reference_peel(&object, reference, GIT_OBJECT_COMMIT) != 0;
    if (!gone)
        git_oid_cpy(&id, git_object_id(object));
    git_object_free(object);
    git_reference_free(reference);
    mgi_jw_key(&g->a->out, "upstream");
    mgi_jw_begin_object(&g->a->out);
    mgi_jw_member_cstr(&g->a->out, "name", short_name(name.ptr));
    mgi_jw_member_bool(&g->a->out, "gone", gone);
    if (!gone)
        mgi_git_put_id(g->a, "id", &id);
    bool ok = gone || put_distance(h, tip, &id);
    mgi_jw_end_object(&g->a->out);
    git_buf_dispose(&name);
    return ok;
}
