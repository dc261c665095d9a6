/* Branches: tips, upstreams, and how each lies beside the default branch. */
#include "plugins/git/labels.h"
#include "plugins/git/references.h"
#include "plugins/git/upstream.h"

#define BRANCHES_DEFAULT 200
#define BRANCHES_MOST    2000

struct branches {
    struct git g;
    struct history h;
    size_t kind;
    struct str pattern;
    const char *base_text;
    bool details;
    int64_t limit, look;

    const char *default_name; /* in full */
    const char *base_name;
    struct commit_node *base; /* NULL: nothing to compare with */
    bool labelled;
    struct listed_refs refs;
    int64_t shown, total;
    bool truncated;
};

/* ---- the base ------------------------------------------------------------------------------- */

static bool find_base(struct branches *b)
{
    git_commit *commit;
    struct git *g = &b->g;
    if (!mgi_git_default_branch(g, &b->default_name))
        return false;
    const char *text = b->base_text ? b->base_text : b->default_name;
    if (!text)
        return true;
    b->base_name = b->base_text ? b->base_text : strchr(strchr(text, '/') + 1, '/') + 1;
    if (!mgi_git_commit(g, "base", text, &commit))
        return false;
    b->base = mgi_history_node(&b->h, git_commit_id(commit));
    return b->base != NULL;
}

static void put_base(struct branches *b)
{
    struct action *a = b->g.a;
    mgi_jw_key(&a->out, "base");
    mgi_jw_begin_object(&a->out);
    mgi_git_put_cut(a, "name", str_of(b->base_name), REVISION_MOST);
    mgi_git_put_id(a, "id", &b->base->id);
    mgi_jw_end_object(&a->out);
}

/* ---- one branch ----------------------------------------------------------------------------- */

static void put_moment(struct action *a, const char *name, const struct commit_node *node)
{
    mgi_jw_key_str(&a->out, str_of(name));
    mgi_jw_begin_object(&a->out);
    mgi_git_put_id(a, "id", &node->id);
    mgi_git_put_time(a, "time", node->time);
    mgi_jw_end_object(&a->out);
}

/* Who brought the tip of a branch that is merged, and the oldest that came with it. */
static bool put_merge(struct branches *b, struct commit_node *tip)
{
    struct commit_node *oldest;
    if (!b->labelled && !mgi_history_label(&b->h, b->base))
        return false;
    b->labelled = true;
    if (!mgi_history_oldest_own(&b->h, tip, &oldest))
        return false;
    if (oldest)
        put_moment(b->g.a, "first", oldest);
    if (tip->label)
        put_moment(b->g.a, "merged_by", tip->label);
    return true;
}

static bool put_beside_base(struct branches *b, const struct listed_ref *r)
{
    struct compared c;
    struct action *a = b->g.a;
    struct commit_node *tip = mgi_history_node(&b->h, &r->id);
    if (!tip || !mgi_history_compare(&b->h, tip, &b->base, 1, &c))
        return false;
    mgi_jw_member_int(&a->out, "ahead", c.ahead);
    mgi_jw_member_int(&a->out, "behind", c.behind);
    mgi_jw_member_bool(&a->out, "merged", c.ahead == 0 && c.base_count > 0);
    if (c.oldest_ahead)
        put_moment(a, "first", c.oldest_ahead);
    return c.ahead > 0 || c.base_count == 0 || put_merge(b, tip);
}

/* The path of another worktree that is on the branch. */
static bool put_other_worktree(struct branches *b, const struct listed_ref *r, bool current)
{
    git_strarray names = { NULL, 0 };
    struct git *g = &b->g;
    if (current || git_worktree_list(&names, g->repo) != 0)
        return true;
    for (size_t i = 0; i < names.count; i++) {
        git_reference *head = NULL;
        git_worktree *tree = NULL;
        if (git_repository_head_for_worktree(&head, g->repo, names.strings[i]) == 0 &&
            strcmp(git_reference_name(head), r->name) == 0 &&
            git_worktree_lookup(&tree, g->repo, names.strings[i]) == 0) {
            mgi_git_put_cut(g->a, "checked_out", str_of(git_worktree_path(tree)), PATH_MOST);
            i = names.count;
        }
        git_worktree_free(tree);
        git_reference_free(head);
    }
    git_strarray_dispose(&names);
    return true;
}

static bool is_head(struct git *g, const char *name)
{
    git_reference *head = NULL;
    bool is = git_reference_lookup(&head, g->repo, "HEAD") == 0 &&
              git_reference_type(head) == GIT_REFERENCE_SYMBOLIC &&
              strcmp(git_reference_symbolic_target(head), name) == 0;
    git_reference_free(head);
    return is;
}

static bool put_tip(struct branches *b, const struct listed_ref *r)
{
    git_commit *commit = NULL;
    struct git_message m;
    int error = git_commit_lookup(&commit, b->g.repo, &r->id);
    if (error)
        return mgi_git_fail(&b->g, error, "%s", r->shown);
    bool ok = mgi_git_message(&b->g, commit, &m);
    if (ok) {
        mgi_git_put_id(b->g.a, "id", &r->id);
        mgi_git_put_time(b->g.a, "last", r->time);
        mgi_git_put_cut(b->g.a, "author", str_of(git_commit_author(commit)->name), 400);
        mgi_jw_member_str(&b->g.a->out, "subject", m.subject);
    }
    git_commit_free(commit);
    return ok;
}

static bool put_branch(struct branches *b, const struct listed_ref *r)
{
    struct action *a = b->g.a;
    bool local = strncmp(r->name, "refs/heads/", 11) == 0;
    bool current = local && is_head(&b->g, r->name);
    struct action_mark mark = mgi_action_mark(a);
    mgi_jw_begin_object(&a->out);
    mgi_git_put_cut(a, "name", str_of(r->shown), REVISION_MOST);
    mgi_jw_member_cstr(&a->out, "kind", local ? "local" : "remote");
    if (!put_tip(b, r))
        return false;
    mgi_jw_member_bool(&a->out, "current", current);
    mgi_jw_member_bool(&a->out, "default",
                       b->default_name && strcmp(b->default_name, r->name) == 0);
    if (local &&
        (!put_other_worktree(b, r, current) || !mgi_git_put_upstream(&b->h, r->name, &r->id)))
        return false;
    if (b->details && b->base && !put_beside_base(b, r))
        return false;
    mgi_jw_end_object(&a->out);
    b->truncated = !mgi_action_fits(a, mark);
    b->shown += !b->truncated;
    return true;
}

static bool put_branches(struct branches *b)
{
    for (size_t i = 0; i < b->refs.count; i++) {
        const struct listed_ref *r = &b->refs.items[i];
        if (r->broken || r->type != GIT_OBJECT_COMMIT)
            continue;
        b->total++;
        b->truncated |= b->shown == b->limit;
        if (!b->truncated && (!put_branch(b, r) || mgi_action_stops(b->g.a)))
            return false;
    }
    return true;
}

static bool branches_arguments(struct action *a, struct branches *b)
{
    static const char *const known[] = {
        "kind", "pattern", "base", "details", "limit", "look", NULL
    };
    static const char *const kinds[] = { "local", "remote", "all", NULL };
    *b = (struct branches){ .details = true, .limit = BRANCHES_DEFAULT };
    mgi_arg_known(a, known);
    mgi_arg_word(a, "kind", kinds, &b->kind);
    mgi_arg_glob(a, "pattern", &b->pattern);
    mgi_git_arg_cstr(a, "base", REVISION_MOST, &b->base_text);
    mgi_arg_bool(a, "details", &b->details);
    mgi_arg_int(a, "limit", 1, BRANCHES_MOST, &b->limit);
    mgi_history_arg_look(a, &b->look);
    return a->faults == 0;
}

bool mgi_git_branches(struct action *a)
{
    static const char *const folders[][3] = { { "refs/heads/", NULL },
                                              { "refs/remotes/", NULL },
                                              { "refs/heads/", "refs/remotes/", NULL } };
    struct branches b;
    if (!branches_arguments(a, &b) || !mgi_git_open(a, &b.g))
        return false;
    mgi_history_init(&b.h, &b.g, b.look);
    if (!find_base(&b) || !mgi_git_list_refs(&b.g, folders[b.kind], b.pattern, &b.refs))
        return false;
    if (b.base)
        put_base(&b);
    mgi_jw_key(&a->out, "branches");
    mgi_jw_begin_array(&a->out);
    if (!put_branches(&b))
        return false;
    mgi_jw_end_array(&a->out);
    mgi_git_put_broken(a, &b.refs);
    mgi_jw_member_int(&a->out, "total", b.total);
    mgi_history_put_bounds(a, &b.h);
    mgi_jw_member_bool(&a->out, "truncated", b.truncated);
    return true;
}
