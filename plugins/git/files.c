/* The tracked files at or below a path. */
#include "plugins/git/last_commits.h"
#include "plugins/git/trees.h"

#define FILES_DEFAULT 1000
#define FILES_MOST    20000

struct listed {
    const char *path;
    unsigned mode;
    git_oid id;
    int64_t size;
    bool conflicted;
};

struct files {
    struct git g;
    struct history h;
    const char *revision, *path, *after;
    struct str glob;
    int64_t limit, look;
    bool last_commit;
    git_commit *commit; /* NULL: the index */

    struct listed *items;
    struct last_commit *last; /* beside items, if asked */
    size_t count, cap;
    int64_t total, bytes;
    bool truncated, full; /* more than is shown; no room for more */
};

static bool take_file(void *user, const struct git_file *file)
{
    struct files *f = user;
    struct arena *arena = &f->g.a->arena;
    int64_t size = mgi_git_is_submodule(file->mode) ? -1 : mgi_git_size(&f->g, file->id);
    f->total++;
    f->bytes += size > 0 ? size : 0;
    if (f->after && strcmp(file->path, f->after) <= 0)
        return true;
    if (f->count == (size_t)f->limit) {
        f->truncated = true;
        return true;
    }
    char *path = mgi_arena_strdup(arena, file->path);
    if (!path || !mgi_arena_grow(arena, &f->items, &f->cap, f->count + 1, sizeof *f->items))
        return mgi_action_nomem(f->g.a);
    f->items[f->count] = (struct listed){
        .path = path, .mode = file->mode, .size = size, .conflicted = file->conflicted
    };
    git_oid_cpy(&f->items[f->count++].id, file->id);
    return true;
}

static bool find_last(struct files *f)
{
    struct action *a = f->g.a;
    git_commit *start = f->commit;
    if (!start && !mgi_git_head(&f->g, &start))
        return false;
    f->last = mgi_arena_calloc(&a->arena, f->count + 1, sizeof *f->last);
    if (!f->last)
        return mgi_action_nomem(a);
    for (size_t i = 0; i < f->count; i++)
        f->last[i].path = f->items[i].path;
    if (!start)
        return true;
    struct commit_node *node = mgi_history_node(&f->h, git_commit_id(start));
    return node && mgi_git_last_commits(&f->h, node, f->last, f->count);
}

static bool put_last(struct files *f, const struct commit_node *node)
{
    git_commit *commit = NULL;
    int error = git_commit_lookup(&commit, f->g.repo, &node->id);
    if (error)
        return mgi_git_fail(&f->g, error, "a commit");
    mgi_git_put_id(f->g.a, "last_commit", &node->id);
    mgi_git_put_time(f->g.a, "last_time", node->time);
    mgi_git_put_cut(f->g.a, "last_author", str_of(git_commit_author(commit)->name), 400);
    git_commit_free(commit);
    return true;
}

static bool put_listed(struct files *f, size_t i)
{
    struct action *a = f->g.a;
    const struct listed *l = &f->items[i];
    struct action_mark mark = mgi_action_mark(a);
    mgi_jw_begin_object(&a->out);
    mgi_git_put_path(a, "path", l->path);
    mgi_jw_member_cstr(&a->out, "type", mgi_git_type_word(l->mode));
    mgi_git_put_mode(a, "mode", l->mode);
    mgi_git_put_id(a, "id", &l->id);
    if (l->size >= 0)
        mgi_jw_member_int(&a->out, "size", l->size);
    if (l->conflicted)
        mgi_jw_member_bool(&a->out, "conflicted", true);
    if (f->last && f->last[i].node && !put_last(f, f->last[i].node))
        return false;
    mgi_jw_end_object(&a->out);
    f->full = !mgi_action_fits(a, mark);
    return true;
}

static bool files_arguments(struct action *a, struct files *f)
{
    static const char *const known[] = { "path",  "revision", "glob", "last_commit",
                                         "limit", "after",    "look", NULL };
    *f = (struct files){ .path = ".", .limit = FILES_DEFAULT };
    mgi_arg_known(a, known);
    mgi_git_arg_path(a, "path", true, &f->path);
    mgi_git_arg_path(a, "after", false, &f->after);
    mgi_git_arg_cstr(a, "revision", REVISION_MOST, &f->revision);
    mgi_arg_glob(a, "glob", &f->glob);
    mgi_arg_bool(a, "last_commit", &f->last_commit);
    mgi_arg_int(a, "limit", 1, FILES_MOST, &f->limit);
    mgi_history_arg_look(a, &f->look);
    return a->faults == 0;
}

bool mgi_git_files(struct action *a)
{
    struct files f;
    if (!files_arguments(a, &f) || !mgi_git_open(a, &f.g))
        return false;
    mgi_history_init(&f.h, &f.g, f.look);
    struct git_files files = { .path = f.path, .glob = f.glob, .each = take_file, .user = &f };
    if (f.revision && (!mgi_git_commit(&f.g, "revision", f.revision, &f.commit) ||
                       !mgi_git_tree(&f.g, f.commit, &files.tree)))
        return false;
    if (!mgi_git_each_file(&f.g, &files) || (f.last_commit && !find_last(&f)))
        return false;
    if (f.commit)
        mgi_git_put_id(a, "commit", git_commit_id(f.commit));
    mgi_jw_key(&a->out, "files");
    mgi_jw_begin_array(&a->out);
    for (size_t i = 0; i < f.count && !f.full; i++)
        if (!put_listed(&f, i))
            return false;
    mgi_jw_end_array(&a->out);
    mgi_jw_member_int(&a->out, "total", f.total);
    mgi_jw_member_int(&a->out, "bytes", f.bytes);
    mgi_history_put_bounds(a, &f.h);
    mgi_jw_member_bool(&a->out, "truncated", f.truncated || f.full);
    return true;
}
