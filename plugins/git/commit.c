/* Recording: commits and tags. No hook and no signing program runs. */
#include "plugins/git/change.h"

#define MESSAGE_MOST 100000
#define NAME_MOST    200

/* The argument as git keeps messages: no blank ends, one line break. */
static bool read_message(struct action *a, const char **message)
{
    const char *text;
    if (!mgi_git_arg_cstr(a, "message", MESSAGE_MOST, &text))
        return false;
    struct str trimmed = mgi_str_trim(str_of(text), " \t\r\n");
    if (trimmed.len == 0)
        return mgi_action_fail(a, "message: is blank");
    *message = mgi_arena_printf(&a->arena, "%.*s\n", STR_ARG(trimmed));
    return *message || mgi_action_nomem(a);
}

/* ---- commit --------------------------------------------------------------------------------- */

struct recording {
    struct git g;
    const char *message, *author_name, *author_email, *branch;
    bool allow_empty;
    git_index *index;
    git_commit *parent; /* NULL: the first */
    git_tree *before;
    git_signature *author, *committer;
    size_t files;
};

static bool find_persons(struct recording *r)
{
    if (!mgi_git_committer(&r->g, &r->committer))
        return false;
    r->author = r->committer;
    if (!r->author_name)
        return true;
    int error = git_signature_new(&r->author, r->author_name, r->author_email,
                                  r->committer->when.time, r->committer->when.offset);
    if (error)
        return mgi_git_fail(&r->g, error, "author");
    return mgi_git_keep(&r->g, mgi_git_release_signature, r->author);
}

static bool find_changes(struct recording *r)
{
    struct changes c = { .no_counts = true };
    git_diff *diff;
    if (!mgi_git_head(&r->g, &r->parent) || !mgi_git_tree(&r->g, r->parent, &r->before) ||
        !mgi_git_diff_tree_index(&r->g, &c, r->before, r->index, &diff))
        return false;
    r->files = git_diff_num_deltas(diff);
    return r->files > 0 || r->allow_empty ||
           mgi_action_fail(r->g.a, "nothing is staged; an empty commit needs "
                                   "\"allow_empty\": true");
}

static bool put_known(struct recording *r, const git_oid *tree)
{
    struct action *a = r->g.a;
    char text[GIT_ID_TEXT_BYTES];
    struct str line = str_of(r->message);
    const char *lf = memchr(line.ptr, '\n', line.len);
    mgi_jw_key(&a->out, "parents");
    mgi_jw_begin_array(&a->out);
    if (r->parent)
        mgi_jw_cstring(&a->out, git_oid_tostr(text, sizeof text, git_commit_id(r->parent)));
    mgi_jw_end_array(&a->out);
    mgi_git_put_id(a, "tree", tree);
    if (r->branch)
        mgi_jw_member_cstr(&a->out, "branch", r->branch);
    mgi_jw_member_int(&a->out, "files", (int64_t)r->files);
    mgi_git_put_cut(a, "subject", (struct str){ line.ptr, (size_t)(lf - line.ptr) }, 400);
    return mgi_action_reserve(a, ANSWER_REST_BYTES) && !a->answer.oom;
}

/* The branch moves only if it still is where the parent was found. */
static bool record(struct recording *r)
{
    git_oid tree_id, id;
    git_tree *tree = NULL;
    struct git *g = &r->g;
    const git_commit *parents[1] = { r->parent };
    int error = git_index_write_tree(&tree_id, r->index);
    if (!error)
        error = git_tree_lookup(&tree, g->repo, &tree_id);
    if (error)
        return mgi_git_fail(g, error, "what is staged");
    bool ok = put_known(r, &tree_id) && !mgi_action_stops(g->a);
    if (ok) {
        error = git_commit_create(&id, g->repo, "HEAD", r->author, r->committer, NULL, r->message,
                                  tree, r->parent ? 1 : 0, parents);
        ok = !error || mgi_git_fail(g, error, "the commit");
    }
    git_tree_free(tree);
    if (ok)
        mgi_git_put_id(g->a, "id", &id);
    return ok;
}

bool mgi_git_commit_staged(struct action *a)
{
    static const char *const known[] = { "message", "expected_parent", "author", "allow_empty",
                                         NULL };
    struct recording r = { .message = NULL };
    git_oid expected;
    mgi_arg_known(a, known);
    if (mgi_arg_need(a, "message"))
        read_message(a, &r.message);
    mgi_git_arg_id(a, "expected_parent", &expected);
    mgi_git_arg_person(a, "author", &r.author_name, &r.author_email);
    mgi_arg_bool(a, "allow_empty", &r.allow_empty);
    if (a->faults > 0 || !mgi_git_open_worktree(a, &r.g) || !mgi_git_index(&r.g, &r.index))
        return false;
    return mgi_git_expect_head(&r.g, "expected_parent") && mgi_git_expect_quiet(&r.g, r.index) &&
           mgi_git_expect_whole(&r.g, r.index) && mgi_git_current_branch(&r.g, &r.branch) &&
           (!r.branch || mgi_git_may_change(a, r.branch)) && find_persons(&r) && find_changes(&r) &&
           record(&r);
}

/* ---- tag ------------------------------------------------------------------------------------ */

/* A tag of that name: false if there is none. What it names in the end is in *id. */
static bool find_tag(struct git *g, const char *name, git_oid *id)
{
    git_reference *reference = NULL;
    git_object *object = NULL;
    char *full = mgi_arena_printf(&g->a->arena, "refs/tags/%s", name);
    bool found = full && git_reference_lookup(&reference, g->repo, full) == 0;
    if (found && git_reference_peel(&object, reference, GIT_OBJECT_ANY) == 0)
        git_oid_cpy(id, git_object_id(object));
    else
        memset(id, 0, sizeof *id);
    git_object_free(object);
    git_reference_free(reference);
    return found;
}

static bool make_tag(struct git *g, const char *name, const git_commit *commit, const char *message)
{
    git_signature *who = NULL;
    git_oid id;
    const git_object *target = (const git_object *)commit;
    if (message && !mgi_git_committer(g, &who))
        return false;
    if (!mgi_action_reserve(g->a, ANSWER_REST_BYTES) || mgi_action_stops(g->a))
        return false;
    int error = message ? git_tag_create(&id, g->repo, name, target, who, message, 0)
                        : git_tag_create_lightweight(&id, g->repo, name, target, 0);
    if (error)
        return mgi_git_fail(g, error, "name: %s", name);
    if (message)
        mgi_git_put_id(g->a, "tag_id", &id);
    return true;
}

bool mgi_git_tag(struct action *a)
{
    static const char *const known[] = { "name", "revision", "message", NULL };
    struct git g;
    const char *name = NULL, *revision = "HEAD", *message = NULL;
    git_commit *commit;
    git_oid now;
    int valid = 0;
    mgi_arg_known(a, known);
    if (mgi_arg_need(a, "name"))
        mgi_git_arg_cstr(a, "name", NAME_MOST, &name);
    mgi_git_arg_cstr(a, "revision", REVISION_MOST, &revision);
    read_message(a, &message);
    if (a->faults > 0 || !mgi_git_open(a, &g))
        return false;
    if (git_tag_name_is_valid(&valid, name) != 0 || !valid)
        return mgi_action_fail(a, "name: \"%s\" cannot be the name of a tag", name);
    if (!mgi_git_commit(&g, "revision", revision, &commit))
        return false;
    bool there = find_tag(&g, name, &now);
    if (there && !git_oid_equal(&now, git_commit_id(commit)))
        return mgi_action_fail(a, "name: there is a tag %s already, which names something else",
                               name);
    mgi_jw_member_cstr(&a->out, "name", name);
    mgi_git_put_id(a, "id", git_commit_id(commit));
    mgi_jw_member_bool(&a->out, "created", !there);
    return there || make_tag(&g, name, commit, message);
}
