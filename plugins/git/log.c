/* Commits of a range, with what each changed. */
#include "plugins/git/changes.h"
#include "plugins/git/history.h"

#define COMMITS_DEFAULT  50
#define COMMITS_MOST     1000
#define SKIP_MOST        1000000
#define FILES_PER_COMMIT 300

enum merges { MERGES_INCLUDE, MERGES_EXCLUDE, MERGES_ONLY };

struct log {
    struct git g;
    struct history h;
    struct walk walk;
    const char *range, *author, *message;
    int64_t until, limit, skip, look;
    size_t merges;
    bool all, files, body;
    int64_t passed, shown; /* commits that fit: left out by skip, written */
    bool truncated;
};

/* ---- which ---------------------------------------------------------------------------------- */

static bool fits_text(const struct log *l, const git_commit *commit)
{
    const git_signature *who = git_commit_author(commit);
    if (l->message && !strcasestr(git_commit_message(commit), l->message))
        return false;
    if (!l->author)
        return true;
    struct buf text;
    mgi_buf_init(&text);
    mgi_buf_printf(&text, "%s <%s>", who->name, who->email);
    bool fits = !text.oom && strcasestr(text.ptr, l->author);
    mgi_buf_fini(&text);
    return fits;
}

static bool fits(const struct log *l, const struct commit_node *node, const git_commit *commit)
{
    bool merge = node->parent_count > 1;
    return node->time >= l->walk.since && node->time <= l->until &&
           !(merge && l->merges == MERGES_EXCLUDE) && !(!merge && l->merges == MERGES_ONLY) &&
           fits_text(l, commit);
}

/* ---- what it changed ------------------------------------------------------------------------ */

static bool put_commit_files(struct log *l, const struct commit_node *node, const char *path)
{
    struct git *g = &l->g;
    git_diff *diff;
    bool first = node->parent_count > 0 && (node->parents[0]->flags & HISTORY_LOADED);
    struct change_totals t = { 0 };
    struct changes c = { .stat_only = true, .renames = true, .limit = FILES_PER_COMMIT };
    if (l->walk.path && strcmp(l->walk.path, ".") != 0 && !l->walk.follow) {
        c.paths.items = &path;
        c.paths.count = 1;
    }
    c.only = l->walk.follow ? path : NULL;
    if (!mgi_git_diff_ids(g, &c, first ? &node->parents[0]->tree : NULL, &node->tree, &diff))
        return false;
    mgi_jw_key(&g->a->out, "files");
    mgi_jw_begin_array(&g->a->out);
    if (!mgi_git_put_changes(g, &c, diff, &t))
        return false;
    mgi_jw_end_array(&g->a->out);
    mgi_jw_member_bool(&g->a->out, "files_truncated", t.truncated);
    return true;
}

/* ---- the list ------------------------------------------------------------------------------- */

static bool put_element(struct log *l, const struct commit_node *node, const char *path,
                        const git_commit *commit)
{
    struct action *a = l->g.a;
    struct action_mark written = mgi_action_mark(a);
    struct arena_mark mark = mgi_arena_mark(&a->arena);
    mgi_jw_begin_object(&a->out);
    if (!mgi_git_put_commit(&l->g, commit, l->body))
        return false;
    if (l->walk.follow)
        mgi_git_put_cut(a, "path", str_of(path), PATH_MOST);
    if (l->files && !put_commit_files(l, node, path))
        return false;
    mgi_jw_end_object(&a->out);
    mgi_arena_rewind(&a->arena, mark);
    if (mgi_action_fits(a, written))
        l->shown++;
    else
        l->truncated = true;
    return true;
}

static bool look_at(struct log *l, const struct commit_node *node, const char *path)
{
    git_commit *commit = NULL;
    bool ok = true;
    int error = git_commit_lookup(&commit, l->g.repo, &node->id);
    if (error)
        return mgi_git_fail(&l->g, error, "a commit");
    if (fits(l, node, commit)) {
        if (l->passed < l->skip)
            l->passed++;
        else if (l->shown == l->limit)
            l->truncated = true;
        else
            ok = put_element(l, node, path, commit);
    }
    git_commit_free(commit);
    return ok;
}

static bool put_commits(struct log *l)
{
    struct commit_node *node;
    const char *path;
    while (!l->truncated) {
        if (!mgi_walk_next(&l->walk, &node, &path))
            return false;
        if (!node)
            return true;
        if (!look_at(l, node, path))
            return false;
    }
    return true;
}

static bool log_arguments(struct action *a, struct log *l)
{
    static const char *const known[] = { "range",        "all",     "path",  "follow",
                                         "author",       "message", "since", "until",
                                         "first_parent", "merges",  "files", "body",
                                         "limit",        "skip",    "look",  NULL };
    static const char *const merges[] = { "include", "exclude", "only", NULL };
    *l = (struct log){ .range = "HEAD", .until = INT64_MAX, .limit = COMMITS_DEFAULT };
    l->walk.since = INT64_MIN;
    mgi_arg_known(a, known);
    bool ranged = mgi_git_arg_cstr(a, "range", RANGE_MOST, &l->range);
    mgi_arg_bool(a, "all", &l->all);
    mgi_git_arg_path(a, "path", true, &l->walk.path);
    mgi_arg_bool(a, "follow", &l->walk.follow);
    mgi_git_arg_cstr(a, "author", 300, &l->author);
    mgi_git_arg_cstr(a, "message", 300, &l->message);
    mgi_git_arg_time(a, "since", false, &l->walk.since);
    mgi_git_arg_time(a, "until", true, &l->until);
    mgi_arg_bool(a, "first_parent", &l->walk.first_parent);
    mgi_arg_word(a, "merges", merges, &l->merges);
    mgi_arg_bool(a, "files", &l->files);
    mgi_arg_bool(a, "body", &l->body);
    mgi_arg_int(a, "limit", 1, COMMITS_MOST, &l->limit);
    mgi_arg_int(a, "skip", 0, SKIP_MOST, &l->skip);
    mgi_history_arg_look(a, &l->look);
    if (ranged && l->all)
        mgi_action_fail(a, "all: cannot be combined with range");
    if (l->walk.follow && (!l->walk.path || strcmp(l->walk.path, ".") == 0))
        mgi_action_fail(a, "follow: needs the path of a file");
    return a->faults == 0;
}

bool mgi_git_log(struct action *a)
{
    struct log *l = mgi_arena_alloc(&a->arena, sizeof *l);
    if (!l)
        return mgi_action_nomem(a);
    if (!log_arguments(a, l) || !mgi_git_open(a, &l->g))
        return false;
    mgi_history_init(&l->h, &l->g, l->look);
    if (!mgi_walk_begin(&l->walk, &l->h, l->range, l->all))
        return false;
    mgi_jw_key(&a->out, "commits");
    mgi_jw_begin_array(&a->out);
    if (!put_commits(l))
        return false;
    mgi_jw_end_array(&a->out);
    mgi_jw_member_int(&a->out, "looked_at", l->h.looked);
    mgi_history_put_bounds(a, &l->h);
    mgi_jw_member_bool(&a->out, "truncated", l->truncated);
    if (l->truncated)
        mgi_jw_member_int(&a->out, "next_skip", l->skip + l->shown);
    return true;
}
