/* What a revision names. libgit2 reads the words (branches, tags, ids, ~ and ^, @{...}); here it is
 * said precisely what is wrong with one. Searching by message (:/text) is not done: it would go
 * through a whole history with a pattern of somebody else, and cannot be stopped. */
#include "plugins/git/git_plugin.h"

#include "base/utf8.h"

#define CANDIDATES_MOST 8

/* ---- ambiguity ------------------------------------------------------------------------------ */

struct candidates {
    struct git *g;
    const char *prefix;
    size_t len, count;
    struct buf text;
};

static int look_at_id(const git_oid *id, void *payload)
{
    struct candidates *c = payload;
    char text[GIT_ID_TEXT_BYTES];
    git_object_t type;
    size_t size;
    git_odb *odb = NULL;
    git_oid_tostr(text, sizeof text, id);
    if (strncmp(text, c->prefix, c->len) != 0)
        return 0;
    if (mgi_git_stop(c->g))
        return GIT_EUSER;
    if (c->count++ < CANDIDATES_MOST && git_repository_odb(&odb, c->g->repo) == 0 &&
        git_odb_read_header(&size, &type, odb, id) == 0)
        mgi_buf_printf(&c->text, " %s (%s)", text, git_object_type2string(type));
    git_odb_free(odb);
    return 0;
}

static bool fail_short_id(struct git *g, const char *name, const char *text)
{
    struct candidates c = { .g = g, .prefix = text, .len = strspn(text, "0123456789abcdef") };
    git_odb *odb = NULL;
    mgi_buf_init(&c.text);
    if (git_repository_odb(&odb, g->repo) == 0)
        git_odb_foreach(odb, look_at_id, &c);
    git_odb_free(odb);
    mgi_action_fail(g->a, "%s: \"%s\" is ambiguous; objects that begin so:%.*s%s", name, text,
                    STR_ARG(mgi_buf_view(&c.text)), c.count > CANDIDATES_MOST ? " and more" : "");
    mgi_buf_fini(&c.text);
    return false;
}

bool mgi_git_target(struct git *g, const char *refname, git_object_t type, git_oid *id)
{
    git_object *object = NULL;
    git_reference *reference = NULL;
    bool found = git_reference_lookup(&reference, g->repo, refname) == 0 &&
                 git_reference_peel(&object, reference, type) == 0;
    if (found)
        git_oid_cpy(id, git_object_id(object));
    git_object_free(object);
    git_reference_free(reference);
    return found;
}

/* A tag and a branch of one name, which are not the same commit. A full name is what it says, even
 * where there is a branch refs/heads/refs/heads/x. */
static bool is_double_name(struct git *g, const char *text)
{
    git_oid tag_id, branch_id;
    char tag[REVISION_MOST + 16], branch[REVISION_MOST + 16];
    if (strncmp(text, "refs/", 5) == 0)
        return false;
    snprintf(tag, sizeof tag, "refs/tags/%s", text);
    snprintf(branch, sizeof branch, "refs/heads/%s", text);
    return mgi_git_target(g, tag, GIT_OBJECT_ANY, &tag_id) &&
           mgi_git_target(g, branch, GIT_OBJECT_ANY, &branch_id) &&
           !git_oid_equal(&tag_id, &branch_id);
}

/* ---- commits -------------------------------------------------------------------------------- */

static bool check_words(struct git *g, const char *name, const char *text)
{
    if (strstr(text, ":/") || strstr(text, "^{/"))
        return mgi_action_fail(g->a,
                               "%s: \"%s\": commits are not searched by their message here; "
                               "AID.GIT.LOG.v1 does that",
                               name, text);
    if (strstr(text, ".."))
        return mgi_action_fail(g->a, "%s: \"%s\" is a range, not one commit", name, text);
    if (is_double_name(g, text))
        return mgi_action_fail(g->a, "%s: \"%s\" is ambiguous: write refs/heads/%s or refs/tags/%s",
                               name, text, text, text);
    return true;
}

static bool fail_revision(struct git *g, int error, const char *name, const char *text)
{
    if (error == GIT_EAMBIGUOUS)
        return fail_short_id(g, name, text);
    if (error == GIT_ENOTFOUND && g->shallow)
        return mgi_action_fail(g->a,
                               "%s: \"%s\": not found; the repository is a shallow clone, "
                               "without older history",
                               name, text);
    if (error == GIT_ENOTFOUND)
        return mgi_action_fail(g->a, "%s: \"%s\": not found", name, text);
    return mgi_git_fail(g, error, "%s: \"%s\"", name, text);
}

bool mgi_git_commit(struct git *g, const char *name, const char *text, git_commit **commit)
{
    git_object *object = NULL, *peeled = NULL;
    *commit = NULL;
    if (!mgi_utf8_valid(str_of(text), NULL))
        return mgi_action_fail(g->a, "%s: is no UTF-8", name);
    if (!check_words(g, name, text))
        return false;
    int error = git_revparse_single(&object, g->repo, text);
    if (error)
        return fail_revision(g, error, name, text);
    error = git_object_peel(&peeled, object, GIT_OBJECT_COMMIT);
    git_object_t type = git_object_type(object);
    git_object_free(object);
    if (error == GIT_ENOTFOUND)
        return mgi_git_fail(g, error, "%s: \"%s\"", name, text);
    if (error)
        return mgi_action_fail(g->a, "%s: \"%s\" is a %s, no commit", name, text,
                               git_object_type2string(type));
    *commit = (git_commit *)peeled;
    return mgi_git_keep(g, mgi_git_release_commit, peeled);
}

bool mgi_git_head(struct git *g, git_commit **commit)
{
    git_reference *head = NULL;
    git_object *object = NULL;
    *commit = NULL;
    int error = git_repository_head(&head, g->repo);
    if (error == GIT_EUNBORNBRANCH)
        return true;
    if (!error)
        error = git_reference_peel(&object, head, GIT_OBJECT_COMMIT);
    git_reference_free(head);
    if (error)
        return mgi_git_fail(g, error, "HEAD");
    *commit = (git_commit *)object;
    return mgi_git_keep(g, mgi_git_release_commit, object);
}

bool mgi_git_tree(struct git *g, const git_commit *commit, git_tree **tree)
{
    *tree = NULL;
    if (!commit)
        return true;
    int error = git_commit_tree(tree, commit);
    if (error)
        return mgi_git_fail(g, error, "the tree of a commit");
    return mgi_git_keep(g, mgi_git_release_tree, *tree);
}

bool mgi_git_index(struct git *g, git_index **index)
{
    int error = git_repository_index(index, g->repo);
    if (error)
        return mgi_git_fail(g, error, "the index");
    if (!mgi_git_keep(g, mgi_git_release_index, *index))
        return false;
    error = git_index_read(*index, 0);
    return !error || mgi_git_fail(g, error, "the index");
}

/* ---- the default branch --------------------------------------------------------------------- */

static bool has_reference(struct git *g, const char *name)
{
    git_oid id;
    return git_reference_name_to_id(&id, g->repo, name) == 0;
}

bool mgi_git_default_branch(struct git *g, const char **refname)
{
    static const char *const usual[] = { "refs/heads/main", "refs/heads/master",
                                         "refs/heads/trunk" };
    git_reference *reference = NULL;
    const char *found = NULL, *target = NULL;
    *refname = NULL;
    if (git_reference_lookup(&reference, g->repo, "refs/remotes/origin/HEAD") == 0)
        target = git_reference_symbolic_target(reference);
    if (target && strncmp(target, "refs/remotes/origin/", 20) == 0) {
        found = mgi_arena_printf(&g->a->arena, "refs/heads/%s", target + 20);
        if (found && !has_reference(g, found))
            found = has_reference(g, target) ? mgi_arena_strdup(&g->a->arena, target) : NULL;
    }
    git_reference_free(reference);
    reference = NULL;
    for (size_t i = 0; !found && i < sizeof usual / sizeof *usual; i++)
        if (has_reference(g, usual[i]))
            found = usual[i];
    if (!found && git_repository_head(&reference, g->repo) == 0 &&
        git_reference_is_branch(reference))
        found = mgi_arena_strdup(&g->a->arena, git_reference_name(reference));
    git_reference_free(reference);
    *refname = found;
    return !g->a->arena.oom || mgi_action_nomem(g->a);
}
