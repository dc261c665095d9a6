/* One commit with what it changed, and any two states beside each other. */
#include "plugins/git/changes.h"
#include "plugins/git/history.h"

#define REFS_MOST    100
#define PARENTS_MOST 64

/* ---- show ----------------------------------------------------------------------------------- */

/* True if the reference is a branch or tag that names the commit. */
static bool names_commit(git_reference *reference, const git_oid *id)
{
    const char *name = git_reference_name(reference);
    git_object *object = NULL;
    bool wanted = git_reference_is_branch(reference) || git_reference_is_remote(reference) ||
                  strncmp(name, "refs/tags/", 10) == 0;
    bool names = wanted && git_reference_peel(&object, reference, GIT_OBJECT_COMMIT) == 0 &&
                 git_oid_equal(git_object_id(object), id);
    git_object_free(object);
    return names;
}

static bool put_refs(struct git *g, const git_oid *id)
{
    git_reference_iterator *it = NULL;
    git_reference *reference = NULL;
    size_t shown = 0;
    bool stopped = false;
    int error = git_reference_iterator_new(&it, g->repo);
    if (error)
        return mgi_git_fail(g, error, "the references");
    mgi_jw_key(&g->a->out, "refs");
    mgi_jw_begin_array(&g->a->out);
    while (!stopped && shown < REFS_MOST && git_reference_next(&reference, it) == 0) {
        if (names_commit(reference, id)) {
            mgi_jw_cstring(&g->a->out, git_reference_name(reference));
            shown++;
        }
        git_reference_free(reference);
        stopped = mgi_action_stops(g->a);
    }
    mgi_jw_end_array(&g->a->out);
    git_reference_iterator_free(it);
    return !stopped;
}

/* The tree of a parent; NULL for a beginning, and where a shallow clone begins. */
static bool tree_of_parent(struct git *g, const git_commit *commit, int64_t number, bool *cut,
                           git_tree **tree)
{
    git_commit *parent = NULL;
    unsigned count = git_commit_parentcount(commit);
    *tree = NULL;
    *cut = false;
    if (count == 0 && number == 1)
        return true;
    if (number > count)
        return mgi_action_fail(g->a, "parent: %lld: the commit has %u", (long long)number, count);
    int error = git_commit_parent(&parent, commit, (unsigned)number - 1);
    if (error == GIT_ENOTFOUND && g->shallow)
        return *cut = true;
    if (error)
        return mgi_git_fail(g, error, "a parent");
    return mgi_git_keep(g, mgi_git_release_commit, parent) && mgi_git_tree(g, parent, tree);
}

bool mgi_git_show(struct action *a)
{
    static const char *const known[] = { "revision",  "paths",   "parent",       "context",
                                         "stat_only", "renames", "ignore_space", "limit",
                                         "max_bytes", NULL };
    struct git g;
    struct changes c;
    const char *revision = "HEAD";
    int64_t parent = 1;
    git_commit *commit;
    git_tree *before, *after;
    git_diff *diff;
    bool cut;
    mgi_arg_known(a, known);
    mgi_git_arg_cstr(a, "revision", REVISION_MOST, &revision);
    mgi_git_arg_changes(a, &c);
    mgi_arg_int(a, "parent", 1, PARENTS_MOST, &parent);
    if (a->faults > 0 || !mgi_git_open(a, &g) ||
        !mgi_git_commit(&g, "revision", revision, &commit) ||
        !tree_of_parent(&g, commit, parent, &cut, &before) || !mgi_git_tree(&g, commit, &after) ||
        !mgi_git_diff_trees(&g, &c, before, after, &diff))
        return false;
    mgi_jw_key(&a->out, "commit");
    mgi_jw_begin_object(&a->out);
    if (!mgi_git_put_commit(&g, commit, true))
        return false;
    mgi_jw_end_object(&a->out);
    if (!put_refs(&g, git_commit_id(commit)) || !mgi_git_put_files(&g, &c, diff))
        return false;
    mgi_jw_member_bool(&a->out, "shallow", cut);
    return true;
}

/* ---- diff ----------------------------------------------------------------------------------- */

enum side_kind { SIDE_COMMIT, SIDE_INDEX, SIDE_WORKTREE };

struct side {
    const char *text;
    enum side_kind kind;
    git_commit *commit;
    git_tree *tree;
};

struct diff_call {
    struct git g;
    struct changes c;
    struct side from, to;
    bool merge_base;
};

static void read_side(struct action *a, const char *name, const char *otherwise, struct side *s)
{
    s->text = otherwise;
    mgi_git_arg_cstr(a, name, REVISION_MOST, &s->text);
    s->kind = strcmp(s->text, "index") == 0      ? SIDE_INDEX
              : strcmp(s->text, "worktree") == 0 ? SIDE_WORKTREE
                                                 : SIDE_COMMIT;
}

static bool diff_arguments(struct action *a, struct diff_call *d)
{
    static const char *const known[] = { "from",    "to",           "merge_base", "paths",
                                         "context", "stat_only",    "renames",    "untracked",
                                         "limit",   "ignore_space", "max_bytes",  NULL };
    mgi_arg_known(a, known);
    mgi_git_arg_changes(a, &d->c);
    read_side(a, "from", "index", &d->from);
    read_side(a, "to", "worktree", &d->to);
    mgi_arg_bool(a, "merge_base", &d->merge_base);
    mgi_arg_bool(a, "untracked", &d->c.untracked);
    d->c.each_untracked = d->c.untracked;
    if (d->from.kind == SIDE_WORKTREE)
        mgi_action_fail(a, "from: the worktree stands on the other side, in to");
    if (d->from.kind == SIDE_INDEX && d->to.kind == SIDE_INDEX)
        mgi_action_fail(a, "from, to: are both the index");
    if (d->merge_base && (d->from.kind != SIDE_COMMIT || d->to.kind != SIDE_COMMIT))
        mgi_action_fail(a, "merge_base: needs revisions as from and to");
    if (d->c.untracked && d->to.kind != SIDE_WORKTREE)
        mgi_action_fail(a, "untracked: needs the worktree as to");
    return a->faults == 0;
}

static bool find_side(struct git *g, const char *name, struct side *s)
{
    if (s->kind != SIDE_COMMIT)
        return true;
    return mgi_git_commit(g, name, s->text, &s->commit) && mgi_git_tree(g, s->commit, &s->tree);
}

/* Instead of `from` what both have. */
static bool take_merge_base(struct diff_call *d)
{
    struct history h;
    struct compared both;
    char text[GIT_ID_TEXT_BYTES];
    struct git *g = &d->g;
    mgi_history_init(&h, g, LOOK_MOST);
    struct commit_node *one = mgi_history_node(&h, git_commit_id(d->from.commit)),
                       *other = mgi_history_node(&h, git_commit_id(d->to.commit));
    if (!one || !other || !mgi_history_compare(&h, one, &other, 1, &both))
        return false;
    if (both.base_count == 0)
        return mgi_action_fail(g->a, "merge_base: the two have no common ancestor%s",
                               h.incomplete || h.cut ? " within what can be looked at" : "");
    git_oid_tostr(text, sizeof text, &both.bases[0]->id);
    d->from.text = mgi_arena_strdup(&g->a->arena, text);
    return d->from.text ? find_side(g, "from", &d->from) : mgi_action_nomem(g->a);
}

static bool compare_sides(struct diff_call *d, git_diff **diff)
{
    git_index *index = NULL;
    struct git *g = &d->g;
    if ((d->from.kind == SIDE_INDEX || d->to.kind == SIDE_INDEX) && !mgi_git_index(g, &index))
        return false;
    if (d->to.kind == SIDE_WORKTREE && d->from.kind == SIDE_INDEX)
        return mgi_git_diff_index_worktree(g, &d->c, index, diff);
    if (d->to.kind == SIDE_WORKTREE)
        return mgi_git_diff_tree_worktree(g, &d->c, d->from.tree, diff);
    if (d->to.kind == SIDE_INDEX)
        return mgi_git_diff_tree_index(g, &d->c, d->from.tree, index, diff);
    d->c.reverse = d->from.kind == SIDE_INDEX;
    if (d->c.reverse)
        return mgi_git_diff_tree_index(g, &d->c, d->to.tree, index, diff);
    return mgi_git_diff_trees(g, &d->c, d->from.tree, d->to.tree, diff);
}

static void put_side_name(struct action *a, const char *name, const struct side *s)
{
    if (s->commit) {
        mgi_git_put_id(a, name, git_commit_id(s->commit));
    } else {
        mgi_jw_key_str(&a->out, str_of(name));
        mgi_jw_cstring(&a->out, s->text);
    }
}

bool mgi_git_diff(struct action *a)
{
    struct diff_call d = { .merge_base = false };
    git_diff *diff = NULL;
    if (!diff_arguments(a, &d))
        return false;
    bool worktree = d.to.kind == SIDE_WORKTREE;
    if (!(worktree ? mgi_git_open_worktree(a, &d.g) : mgi_git_open(a, &d.g)) ||
        !find_side(&d.g, "from", &d.from) || !find_side(&d.g, "to", &d.to) ||
        (d.merge_base && !take_merge_base(&d)) || !compare_sides(&d, &diff))
        return false;
    put_side_name(a, "from", &d.from);
    put_side_name(a, "to", &d.to);
    return mgi_git_put_files(&d.g, &d.c, diff);
}
