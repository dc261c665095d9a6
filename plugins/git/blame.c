/* Which commit brought each line of a file, as an answer. */
#include "plugins/git/lineage.h"
#include "plugins/git/trees.h"
#include "plugins/git/worktree_file.h"
#include "plugins/support/content.h"

struct blame {
    struct git g;
    struct history h;
    const char *path, *revision;
    int64_t first_line, last_line, look;
    bool ignore_space, text;

    git_commit *commit; /* as of which; NULL: an empty repository */
    struct str content; /* what the lines are of */
    size_t lines;       /* of it */
    size_t *starts;     /* where each begins; one more for the end */
    struct lineage lineage;
    size_t shown; /* ranges */
    bool truncated;
};

static bool blame_arguments(struct action *a, struct blame *b)
{
    static const char *const known[] = { "path",         "revision", "first_line", "last_line",
                                         "ignore_space", "text",     "look",       NULL };
    *b = (struct blame){ .first_line = 1, .text = true };
    mgi_arg_known(a, known);
    if (mgi_arg_need(a, "path"))
        mgi_git_arg_path(a, "path", false, &b->path);
    mgi_git_arg_cstr(a, "revision", REVISION_MOST, &b->revision);
    mgi_arg_int(a, "first_line", 1, INT64_MAX, &b->first_line);
    mgi_arg_int(a, "last_line", 1, INT64_MAX, &b->last_line);
    mgi_arg_bool(a, "ignore_space", &b->ignore_space);
    mgi_arg_bool(a, "text", &b->text);
    mgi_history_arg_look(a, &b->look);
    if (b->last_line && b->last_line < b->first_line)
        mgi_action_fail(a, "last_line: %lld is before first_line %lld", (long long)b->last_line,
                        (long long)b->first_line);
    return a->faults == 0;
}

/* ---- the text ------------------------------------------------------------------------------- */

static void release_filters(void *filters)
{
    git_filter_list_free(filters);
}

static void release_text(void *text)
{
    git_buf_dispose(text);
}

/* As it would be committed: line ends are what the repository has. libgit2's filters are two of its
 * own and start nothing. */
static bool as_committed(struct blame *b)
{
    git_filter_list *filters = NULL;
    struct git *g = &b->g;
    int error = git_filter_list_load(&filters, g->repo, NULL, b->path, GIT_FILTER_TO_ODB,
                                     GIT_FILTER_ALLOW_UNSAFE);
    if (error)
        return mgi_git_fail(g, error, "%s", b->path);
    if (!filters)
        return true;
    git_buf *out = mgi_arena_calloc(&g->a->arena, 1, sizeof *out);
    if (!out || !mgi_git_keep(g, release_filters, filters))
        return mgi_action_nomem(g->a);
    if (!mgi_git_keep(g, release_text, out))
        return false;
    error = git_filter_list_apply_to_buffer(out, filters, b->content.ptr, b->content.len);
    if (error)
        return mgi_git_fail(g, error, "%s", b->path);
    b->content = (struct str){ out->ptr, out->size };
    return true;
}

static bool read_worktree(struct blame *b)
{
    int root;
    struct git *g = &b->g;
    if (!mgi_worktree_root(g, &root) || !mgi_git_head(g, &b->commit))
        return false;
    switch (mgi_worktree_file(g, root, b->path, &b->content)) {
    case WORKTREE_FILE_READ:
        return as_committed(b);
    case WORKTREE_FILE_LARGE:
        return mgi_action_fail(g->a, "%s: is above the configured max_bytes", b->path);
    case WORKTREE_FILE_ABSENT:
        return mgi_action_fail(g->a, "%s: there is no such file in the worktree", b->path);
    default:
        return false;
    }
}

static bool read_commit(struct blame *b)
{
    git_tree *tree;
    struct tree_entry e;
    struct git *g = &b->g;
    if (!mgi_git_commit(g, "revision", b->revision, &b->commit) ||
        !mgi_git_tree(g, b->commit, &tree) || !mgi_walk_entry(g, git_tree_id(tree), b->path, &e))
        return false;
    if (!e.found || (e.mode & 0170000) == 0040000 || mgi_git_is_submodule(e.mode))
        return mgi_action_fail(g->a, "%s: is %s", b->path,
                               !e.found ? "not in that commit" : "no file there");
    return mgi_git_blob(g, &e.id, b->path, &b->content);
}

static bool find_lines(struct blame *b)
{
    struct str all = b->content;
    b->lines = (size_t)mgi_count_lines(all);
    b->starts = mgi_arena_calloc(&b->g.a->arena, b->lines + 2, sizeof *b->starts);
    if (!b->starts)
        return mgi_action_nomem(b->g.a);
    size_t line = 0;
    for (size_t at = 0; at < all.len && line < b->lines; line++) {
        const char *lf = memchr(all.ptr + at, '\n', all.len - at);
        b->starts[line] = at;
        at = lf ? (size_t)(lf - all.ptr) + 1 : all.len;
    }
    b->starts[b->lines] = all.len;
    return true;
}

/* ---- the answer ----------------------------------------------------------------------------- */

static bool put_range(struct blame *b, const struct lineage_range *r)
{
    struct action *a = b->g.a;
    struct action_mark mark = mgi_action_mark(a);
    mgi_jw_begin_object(&a->out);
    mgi_jw_member_int(&a->out, "first_line", (int64_t)r->first + 1);
    mgi_jw_member_int(&a->out, "lines", (int64_t)r->count);
    if (r->node) {
        mgi_git_put_id(a, "commit", &r->node->id);
        mgi_jw_member_int(&a->out, "original_line", (int64_t)r->there + 1);
        mgi_git_put_cut(a, "original_path", str_of(r->path), PATH_MOST);
    }
    if (r->boundary)
        mgi_jw_member_bool(&a->out, "boundary", true);
    if (b->text) {
        size_t begin = b->starts[r->first], end = b->starts[r->first + r->count];
        mgi_jw_member_str(&a->out, "text", (struct str){ b->content.ptr + begin, end - begin });
    }
    mgi_jw_end_object(&a->out);
    /* Room for its commit has to be left, too. */
    bool fits = mgi_action_fits(a, mark);
    if (fits && mgi_action_room(a) < ACTION_TAIL_BYTES + b->shown * 1500) {
        mgi_action_take_back(a, mark);
        fits = false;
    }
    b->shown += fits;
    b->truncated = !fits;
    return true;
}

static bool put_commits(struct blame *b)
{
    struct action *a = b->g.a;
    mgi_jw_key(&a->out, "commits");
    mgi_jw_begin_array(&a->out);
    for (size_t i = 0; i < b->shown; i++) {
        struct commit_node *node = b->lineage.items[i].node;
        git_commit *commit = NULL;
        if (!node || (node->flags & HISTORY_BLAMED))
            continue;
        node->flags |= HISTORY_BLAMED;
        int error = git_commit_lookup(&commit, b->g.repo, &node->id);
        if (error)
            return mgi_git_fail(&b->g, error, "a commit");
        mgi_jw_begin_object(&a->out);
        bool ok = mgi_git_put_brief(&b->g, commit);
        mgi_jw_end_object(&a->out);
        git_commit_free(commit);
        if (!ok)
            return false;
    }
    mgi_jw_end_array(&a->out);
    return true;
}

static bool search_lineage(struct blame *b)
{
    size_t first = (size_t)b->first_line - 1, end = b->lines;
    if (b->last_line && (size_t)b->last_line < end)
        end = (size_t)b->last_line;
    if (first > b->lines || (first == b->lines && b->lines > 0))
        return mgi_action_fail(b->g.a, "first_line: the file has %zu lines", b->lines);
    struct commit_node *start =
        b->commit ? mgi_history_node(&b->h, git_commit_id(b->commit)) : NULL;
    if (b->commit && !start)
        return false;
    return mgi_git_lineage(&b->h, start, b->path, b->revision ? NULL : &b->content, first,
                           end - first, b->ignore_space, &b->lineage);
}

bool mgi_git_blame(struct action *a)
{
    struct blame *b = mgi_arena_alloc(&a->arena, sizeof *b);
    if (!b)
        return mgi_action_nomem(a);
    if (!blame_arguments(a, b))
        return false;
    if (!(b->revision ? mgi_git_open(a, &b->g) && read_commit(b)
                      : mgi_git_open_worktree(a, &b->g) && read_worktree(b)))
        return false;
    mgi_history_init(&b->h, &b->g, b->look);
    if (!find_lines(b) || !search_lineage(b))
        return false;
    mgi_jw_member_cstr(&a->out, "path", b->path);
    if (b->revision)
        mgi_git_put_id(a, "commit", git_commit_id(b->commit));
    mgi_jw_member_int(&a->out, "lines", (int64_t)b->lines);
    mgi_jw_key(&a->out, "hunks");
    mgi_jw_begin_array(&a->out);
    for (size_t i = 0; i < b->lineage.count && !b->truncated; i++)
        put_range(b, &b->lineage.items[i]);
    mgi_jw_end_array(&a->out);
    if (!put_commits(b))
        return false;
    mgi_history_put_bounds(a, &b->h);
    mgi_jw_member_bool(&a->out, "truncated", b->truncated);
    return true;
}
