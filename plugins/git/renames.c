/* Renames and copies of a range of commits. Each commit is compared with its parent; merges bring
 * none of their own and are passed over. */
#include "plugins/git/changes.h"
#include "plugins/git/history.h"
#include "plugins/git/tree_changes.h"

#define RENAMES_DEFAULT   500
#define RENAMES_MOST      5000
#define LOOK_RENAMES      5000
#define LOOK_RENAMES_MOST 100000

struct renames {
    struct git g;
    struct history h;
    struct walk walk;
    struct changes c;
    const char *range, *path;
    int64_t since, until, limit, look;
    int64_t shown, looked_at, skipped;
    bool truncated;
};

static bool is_wanted(const struct renames *r, const git_diff_delta *d)
{
    return (d->status == GIT_DELTA_RENAMED || d->status == GIT_DELTA_COPIED) &&
           (mgi_git_is_below(d->old_file.path, r->path) ||
            mgi_git_is_below(d->new_file.path, r->path));
}

static void put_rename(struct renames *r, const git_diff_delta *d, const struct commit_node *node,
                       const char *author)
{
    struct action *a = r->g.a;
    if (r->shown == r->limit) {
        r->truncated = true;
        return;
    }
    struct action_mark mark = mgi_action_mark(a);
    mgi_jw_begin_object(&a->out);
    mgi_git_put_cut(a, "from", str_of(d->old_file.path), PATH_MOST);
    mgi_git_put_cut(a, "to", str_of(d->new_file.path), PATH_MOST);
    mgi_jw_member_cstr(&a->out, "kind", mgi_git_status_word(d->status));
    mgi_jw_member_int(&a->out, "similarity", d->similarity > 100 ? 100 : d->similarity);
    mgi_git_put_id(a, "commit", &node->id);
    mgi_git_put_time(a, "time", node->time);
    mgi_git_put_cut(a, "author", str_of(author), 400);
    mgi_jw_end_object(&a->out);
    if (mgi_action_fits(a, mark))
        r->shown++;
    else
        r->truncated = true;
}

static bool put_of_commit(struct renames *r, const struct commit_node *node, const git_diff *diff)
{
    git_commit *commit = NULL;
    int error = git_commit_lookup(&commit, r->g.repo, &node->id);
    if (error)
        return mgi_git_fail(&r->g, error, "a commit");
    r->skipped += mgi_git_renames_are_exact(diff);
    for (size_t i = 0; i < git_diff_num_deltas(diff) && !r->truncated; i++)
        if (is_wanted(r, git_diff_get_delta(diff, i)))
            put_rename(r, git_diff_get_delta(diff, i), node, git_commit_author(commit)->name);
    git_commit_free(commit);
    return true;
}

/* Is there anything that could be one? Nothing is, in most commits. */
static bool may_rename(struct renames *r, const struct commit_node *node, bool *may)
{
    struct tree_changes t;
    struct arena *arena = &r->g.a->arena;
    struct arena_mark mark = mgi_arena_mark(arena);
    bool ok = mgi_git_tree_changes(&r->g, &node->parents[0]->tree, &node->tree, SIZE_MAX, &t);
    *may = ok && t.added > 0 && (t.deleted > 0 || r->c.copies);
    mgi_arena_rewind(arena, mark);
    return ok;
}

static bool look_at(struct renames *r, const struct commit_node *node)
{
    struct git *g = &r->g;
    bool may;
    git_diff *diff;
    bool there;
    if (node->parent_count != 1 || node->time < r->since || node->time > r->until)
        return true;
    if (!mgi_history_load(&r->h, node->parents[0], &there) || !there)
        return g->a->faults == 0;
    r->looked_at++;
    if (!may_rename(r, node, &may) || !may)
        return g->a->faults == 0;
    struct arena_mark mark = mgi_arena_mark(&g->a->arena);
    bool ok = mgi_git_diff_ids(g, &r->c, &node->parents[0]->tree, &node->tree, &diff) &&
              put_of_commit(r, node, diff);
    mgi_arena_rewind(&g->a->arena, mark);
    return ok;
}

static bool put_renames(struct renames *r)
{
    struct commit_node *node;
    const char *unused;
    while (!r->truncated) {
        if (!mgi_walk_next(&r->walk, &node, &unused))
            return false;
        if (!node)
            return true;
        if (!look_at(r, node))
            return false;
    }
    return true;
}

static bool renames_arguments(struct action *a, struct renames *r)
{
    static const char *const known[] = { "range", "path",  "copies", "similarity", "since",
                                         "until", "limit", "look",   NULL };
    *r = (struct renames){ .range = "HEAD",
                           .path = ".",
                           .since = INT64_MIN,
                           .until = INT64_MAX,
                           .limit = RENAMES_DEFAULT,
                           .look = LOOK_RENAMES,
                           .c = { .renames = true, .no_counts = true } };
    mgi_arg_known(a, known);
    mgi_git_arg_cstr(a, "range", RANGE_MOST, &r->range);
    mgi_git_arg_path(a, "path", true, &r->path);
    mgi_arg_bool(a, "copies", &r->c.copies);
    mgi_arg_int(a, "similarity", 1, 100, &r->c.similarity);
    mgi_git_arg_time(a, "since", false, &r->since);
    mgi_git_arg_time(a, "until", true, &r->until);
    mgi_arg_int(a, "limit", 1, RENAMES_MOST, &r->limit);
    mgi_arg_int(a, "look", 1, LOOK_RENAMES_MOST, &r->look);
    r->walk.since = r->since;
    return a->faults == 0;
}

bool mgi_git_renames(struct action *a)
{
    struct renames *r = mgi_arena_alloc(&a->arena, sizeof *r);
    if (!r)
        return mgi_action_nomem(a);
    if (!renames_arguments(a, r) || !mgi_git_open(a, &r->g))
        return false;
    mgi_history_init(&r->h, &r->g, r->look);
    if (!mgi_walk_begin(&r->walk, &r->h, r->range, false))
        return false;
    mgi_jw_key(&a->out, "renames");
    mgi_jw_begin_array(&a->out);
    if (!put_renames(r))
        return false;
    mgi_jw_end_array(&a->out);
    mgi_jw_member_int(&a->out, "looked_at", r->looked_at);
    mgi_jw_member_int(&a->out, "skipped_commits", r->skipped);
    mgi_history_put_bounds(a, &r->h);
    mgi_jw_member_bool(&a->out, "truncated", r->truncated);
    return true;
}
