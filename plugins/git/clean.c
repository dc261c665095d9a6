/* Untracked or ignored files, listed, and removed as they were listed.
 *
 * A folder without a tracked file is one candidate, of which the files count that are of the asked
 * kind: what is ignored in an untracked folder stays, and the folder with it. Repositories are
 * named and never touched. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "plugins/git/change.h"
#include "plugins/git/worktree_file.h"

#define LIMIT_DEFAULT   1000
#define LIMIT_MOST      10000
#define ENTRIES_DEFAULT 10000
#define ENTRIES_MOST    200000

struct candidate {
    const char *path;    /* a folder ends with / */
    size_t first, count; /* of `files` */
    int64_t bytes;
    bool repository, wanted;
};

struct cleaning {
    struct git g;
    const char *path;
    bool ignored, removes;
    struct git_paths remove; /* as they were listed */
    int64_t most, limit, expected;
    int root;
    git_index *index;
    const char **files;
    struct candidate *items;
    size_t file_count, file_cap, count, cap;
};

/* ---- what there is -------------------------------------------------------------------------- */

/* The outermost folder above the path that has no tracked file, with its slash; or the path. */
static const char *candidate_of(struct cleaning *c, const char *path)
{
    size_t at;
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        char *folder = mgi_arena_printf(&c->g.a->arena, "%.*s", (int)(slash + 1 - path), path);
        if (!folder || git_index_find_prefix(&at, c->index, folder) != 0)
            return folder;
    }
    return mgi_arena_strdup(&c->g.a->arena, path);
}

static int64_t size_at(const struct cleaning *c, const char *path)
{
    struct stat st;
    return fstatat(c->root, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode)
               ? (int64_t)st.st_size
               : 0;
}

static bool add_path(struct cleaning *c, const char *path)
{
    struct arena *arena = &c->g.a->arena;
    bool repository = path[strlen(path) - 1] == '/';
    const char *of = candidate_of(c, path);
    struct candidate *last = c->count ? &c->items[c->count - 1] : NULL;
    char *copy = mgi_arena_strdup(arena, path);
    if (!of || !copy)
        return mgi_action_nomem(c->g.a);
    if (!last || strcmp(last->path, of) != 0) {
        if (!mgi_arena_grow(arena, &c->items, &c->cap, c->count + 1, sizeof *c->items))
            return mgi_action_nomem(c->g.a);
        last = &c->items[c->count++];
        *last = (struct candidate){ .path = of, .first = c->file_count };
    }
    last->repository |= repository;
    if (repository)
        return true;
    if (!mgi_arena_grow(arena, &c->files, &c->file_cap, c->file_count + 1, sizeof *c->files))
        return mgi_action_nomem(c->g.a);
    c->files[c->file_count++] = copy;
    last->count++;
    last->bytes += size_at(c, path);
    return true;
}

static bool find_candidates(struct cleaning *c)
{
    struct changes how = { .no_counts = true, .untracked = true, .each_untracked = true };
    git_diff *diff;
    how.ignored = how.each_ignored = c->ignored;
    if (!mgi_git_diff_index_worktree(&c->g, &how, c->index, &diff))
        return false;
    for (size_t i = 0; i < git_diff_num_deltas(diff); i++) {
        const git_diff_delta *d = git_diff_get_delta(diff, i);
        bool wanted = d->status == (c->ignored ? GIT_DELTA_IGNORED : GIT_DELTA_UNTRACKED);
        if (wanted && mgi_git_is_below(d->new_file.path, c->path) &&
            (mgi_action_stops(c->g.a) || !add_path(c, d->new_file.path)))
            return false;
    }
    return true;
}

/* ---- the list ------------------------------------------------------------------------------- */

static bool put_candidate(struct action *a, const struct candidate *k)
{
    struct action_mark mark = mgi_action_mark(a);
    mgi_jw_begin_object(&a->out);
    mgi_git_put_path(a, "path", k->path);
    mgi_jw_member_int(&a->out, "files", (int64_t)k->count);
    mgi_jw_member_int(&a->out, "bytes", k->bytes);
    if (k->repository)
        mgi_jw_member_bool(&a->out, "repository", true);
    mgi_jw_end_object(&a->out);
    return mgi_action_fits(a, mark);
}

static bool put_list(struct cleaning *c)
{
    struct action *a = c->g.a;
    size_t shown = 0;
    mgi_jw_key(&a->out, "candidates");
    mgi_jw_begin_array(&a->out);
    while (shown < c->count && shown < (size_t)c->limit && put_candidate(a, &c->items[shown]))
        shown++;
    mgi_jw_end_array(&a->out);
    mgi_jw_member_int(&a->out, "total", (int64_t)c->count);
    mgi_jw_member_bool(&a->out, "truncated", shown < c->count);
    return true;
}

/* ---- removing ------------------------------------------------------------------------------- */

/* "build" names the folder "build/", too. */
static struct candidate *find_named(struct cleaning *c, const char *path)
{
    size_t len = strlen(path);
    for (size_t i = 0; i < c->count; i++) {
        const char *of = c->items[i].path;
        if (strncmp(of, path, len) == 0 && (of[len] == '\0' || strcmp(of + len, "/") == 0))
            return &c->items[i];
    }
    return NULL;
}

static bool mark_named(struct cleaning *c)
{
    struct action *a = c->g.a;
    int64_t files = 0;
    for (size_t i = 0; i < c->remove.count; i++) {
        const char *path = c->remove.items[i];
        struct candidate *k = find_named(c, path);
        if (!k)
            mgi_action_fail(a, "remove: %s is not listed: it is not there, or not %s", path,
                            c->ignored ? "ignored" : "untracked");
        else if (k->repository)
            mgi_action_fail(a, "remove: %s is a repository of its own, or has one in it", path);
        else if (!k->wanted)
            files += (int64_t)k->count;
        if (k)
            k->wanted = true;
    }
    if (a->faults == 0 && c->expected >= 0 && files != c->expected)
        mgi_action_fail(a, "expected_files: there are %lld files now; nothing was removed",
                        (long long)files);
    if (a->faults == 0 && files > c->most)
        mgi_action_fail(a, "%lld files are more than max_entries %lld; nothing was removed",
                        (long long)files, (long long)c->most);
    return a->faults == 0;
}

static bool remove_one(struct cleaning *c, const char *path, int64_t *entries)
{
    int error = mgi_remove_file(c->root, path);
    if (error && error != ENOENT)
        return mgi_action_fail(c->g.a, "%s: %s; what was named before it is gone", path,
                               strerror(error));
    *entries += !error;
    *entries += mgi_remove_empty(c->root, path);
    return true;
}

static bool remove_named(struct cleaning *c)
{
    struct action *a = c->g.a;
    int64_t entries = 0;
    if (!mark_named(c))
        return false;
    mgi_jw_key(&a->out, "removed");
    mgi_jw_begin_array(&a->out);
    for (size_t i = 0; i < c->count; i++)
        if (c->items[i].wanted)
            mgi_jw_cstring(&a->out, c->items[i].path);
    mgi_jw_end_array(&a->out);
    mgi_jw_member_bool(&a->out, "truncated", false);
    if (a->answer.oom || !mgi_action_reserve(a, ANSWER_REST_BYTES))
        return mgi_action_nomem(a);
    if (mgi_action_stops(a))
        return false;
    for (size_t i = 0; i < c->count; i++)
        for (size_t k = 0; c->items[i].wanted && k < c->items[i].count; k++)
            if (!remove_one(c, c->files[c->items[i].first + k], &entries))
                return false;
    mgi_jw_member_int(&a->out, "entries", entries);
    return true;
}

bool mgi_git_clean(struct action *a)
{
    static const char *const known[] = { "path",        "ignored", "remove", "expected_files",
                                         "max_entries", "limit",   NULL };
    struct cleaning c = { .path = ".", .most = ENTRIES_DEFAULT, .limit = LIMIT_DEFAULT };
    c.expected = -1;
    mgi_arg_known(a, known);
    mgi_git_arg_path(a, "path", true, &c.path);
    mgi_arg_bool(a, "ignored", &c.ignored);
    c.removes = mgi_arg_given(a, "remove");
    mgi_git_arg_paths(a, "remove", &c.remove);
    mgi_arg_int(a, "expected_files", 0, INT64_MAX, &c.expected);
    mgi_arg_int(a, "max_entries", 1, ENTRIES_MOST, &c.most);
    mgi_arg_int(a, "limit", 1, LIMIT_MOST, &c.limit);
    if (a->faults > 0 || !mgi_git_open_worktree(a, &c.g) || !mgi_git_index(&c.g, &c.index) ||
        !mgi_worktree_root(&c.g, &c.root) || !find_candidates(&c))
        return false;
    return c.removes ? remove_named(&c) : put_list(&c);
}
