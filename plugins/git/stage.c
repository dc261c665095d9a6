/* The index: what is staged, taken back, or put as it was. */
#include "plugins/git/change.h"

#define FILES_DEFAULT 10000
#define FILES_MOST    100000
#define ENTRIES_MOST  10000

struct staging {
    struct git g;
    struct git_paths paths;
    bool force, update;
    int64_t most;
    th_str entries; /* ptr NULL: by paths */
    git_index *index;
    int64_t changed;
    bool truncated;
};

/* ---- what the index had --------------------------------------------------------------------- */

static void put_before(struct staging *s, const char *path)
{
    struct action *a = s->g.a;
    const git_index_entry *e = git_index_get_bypath(s->index, path, 0);
    struct action_mark mark = mgi_action_mark(a);
    s->changed++;
    if (s->truncated)
        return;
    mgi_jw_begin_object(&a->out);
    mgi_git_put_path(a, "path", path);
    if (e) {
        mgi_git_put_id(a, "id", &e->id);
        mgi_git_put_mode(a, "mode", e->mode);
    }
    mgi_jw_end_object(&a->out);
    s->truncated = !mgi_action_fits(a, mark);
}

static void begin_before(struct action *a)
{
    mgi_jw_key(&a->out, "before");
    mgi_jw_begin_array(&a->out);
}

/* Everything is known: write the index, which takes the place of the old one in one step. */
static bool finish(struct staging *s, const char *word)
{
    struct action *a = s->g.a;
    mgi_jw_end_array(&a->out);
    mgi_jw_key_str(&a->out, str_of(word));
    mgi_jw_int(&a->out, s->changed);
    mgi_jw_member_bool(&a->out, "truncated", s->truncated);
    if (a->answer.oom || !mgi_action_reserve(a, ANSWER_REST_BYTES))
        return mgi_action_nomem(a);
    if (mgi_action_stops(a))
        return false;
    return s->changed == 0 || mgi_git_write_index(&s->g, s->index);
}

/* ---- by paths ------------------------------------------------------------------------------- */

static bool is_tracked(const struct staging *s, const char *path)
{
    size_t at;
    size_t len = strlen(path);
    if (git_index_get_bypath(s->index, path, 0) || git_index_get_bypath(s->index, path, 1) ||
        git_index_get_bypath(s->index, path, 2) || git_index_get_bypath(s->index, path, 3))
        return true;
    char *folder = mgi_arena_printf(&s->g.a->arena, "%s/", path);
    return folder && git_index_find_prefix(&at, s->index, folder) == 0 && len > 0;
}

/* Each path that is named has to be something: a misspelt one is not passed over. */
static bool check_named(struct staging *s, const git_diff *diff)
{
    for (size_t i = 0; i < s->paths.count && !s->paths.globs; i++) {
        const char *path = s->paths.items[i];
        bool found = is_tracked(s, path);
        int ignored = 0;
        for (size_t k = 0; !found && k < git_diff_num_deltas(diff); k++)
            found = mgi_git_is_below(git_diff_get_delta(diff, k)->new_file.path, path);
        if (found)
            continue;
        if (!s->force && git_ignore_path_is_ignored(&ignored, s->g.repo, path) == 0 && ignored)
            mgi_action_fail(s->g.a, "paths: %s is ignored; say \"force\": true to stage it", path);
        else
            mgi_action_fail(s->g.a, "paths: %s is neither tracked nor there", path);
    }
    return s->g.a->faults == 0;
}

static bool stage_one(struct staging *s, const git_diff_delta *d)
{
    struct git *g = &s->g;
    const char *path = d->new_file.path;
    size_t len = strlen(path);
    if (path[len - 1] == '/') { /* only a repository is not entered */
        if (s->paths.globs)
            return true;
        return mgi_action_fail(g->a, "%s: is a repository of its own, which is not staged here",
                               path);
    }
    bool gone = d->status == GIT_DELTA_DELETED;
    if (d->status == GIT_DELTA_CONFLICTED)
        gone = !(d->new_file.flags & GIT_DIFF_FLAG_EXISTS);
    if (s->changed == s->most)
        return mgi_action_fail(g->a, "more than max_files %lld would change; nothing was changed",
                               (long long)s->most);
    put_before(s, path);
    int error =
        gone ? git_index_remove_bypath(s->index, path) : git_index_add_bypath(s->index, path);
    return !error || mgi_git_fail(g, error, "%s", path);
}

static bool is_wanted(const struct staging *s, const git_diff_delta *d)
{
    bool tracked = d->status != GIT_DELTA_UNTRACKED && d->status != GIT_DELTA_IGNORED;
    return d->status != GIT_DELTA_UNMODIFIED && (tracked || !s->update) &&
           (!s->paths.globs || mgi_git_paths_match(&s->paths, d->new_file.path));
}

static bool stage_paths(struct staging *s)
{
    git_diff *diff;
    struct changes c = { .no_counts = true };
    c.untracked = c.each_untracked = !s->update;
    c.ignored = c.each_ignored = s->force;
    if (!s->paths.globs)
        c.paths = s->paths;
    if (!mgi_git_diff_index_worktree(&s->g, &c, s->index, &diff) || !check_named(s, diff))
        return false;
    begin_before(s->g.a);
    for (size_t i = 0; i < git_diff_num_deltas(diff); i++)
        if (is_wanted(s, git_diff_get_delta(diff, i)) &&
            (mgi_action_stops(s->g.a) || !stage_one(s, git_diff_get_delta(diff, i))))
            return false;
    return finish(s, "staged");
}

/* ---- by entries ----------------------------------------------------------------------------- */

struct wanted_entry {
    const char *path;
    git_oid id;
    bool present;
    size_t mode;
};

static bool read_entry(struct action *a, th_str value, struct wanted_entry *w)
{
    static const char *const known[] = { "path", "id", "mode", NULL };
    static const char *const modes[] = { "100644", "100755", "120000", NULL };
    th_str all = a->input;
    *w = (struct wanted_entry){ .path = NULL };
    if (value.ptr[0] != '{')
        return mgi_action_fail(a, "entries: has an element that is no object");
    a->input = value;
    mgi_arg_known(a, known);
    if (mgi_arg_need(a, "path"))
        mgi_git_arg_path(a, "path", false, &w->path);
    w->present = mgi_git_arg_id(a, "id", &w->id);
    mgi_arg_word(a, "mode", modes, &w->mode);
    a->input = all;
    return a->faults == 0;
}

static bool put_entry(struct staging *s, const struct wanted_entry *w)
{
    static const uint32_t modes[] = { 0100644, 0100755, 0120000 };
    struct git *g = &s->g;
    git_blob *blob = NULL;
    const git_index_entry *now = git_index_get_bypath(s->index, w->path, 0);
    bool same = now ? w->present && git_oid_equal(&now->id, &w->id) && now->mode == modes[w->mode]
                    : !w->present && !is_tracked(s, w->path);
    if (same)
        return true;
    put_before(s, w->path);
    int error = 0;
    if (!w->present) {
        error = git_index_remove_bypath(s->index, w->path);
    } else {
        git_index_entry e = { .mode = modes[w->mode], .path = w->path };
        git_oid_cpy(&e.id, &w->id);
        error = git_blob_lookup(&blob, g->repo, &w->id);
        git_blob_free(blob);
        if (!error && git_index_conflict_remove(s->index, w->path) != 0)
            git_error_clear(); /* it was in none */
        if (!error)
            error = git_index_add(s->index, &e);
    }
    return !error || mgi_git_fail(g, error, "entries: %s", w->path);
}

static bool stage_entries(struct staging *s)
{
    struct action *a = s->g.a;
    th_str unused, value;
    struct wanted_entry w;
    size_t count = 0;
    begin_before(a);
    for (size_t at = 0; mgi_arg_each(s->entries, &at, &unused, &value);) {
        if (count++ == ENTRIES_MOST)
            return mgi_action_fail(a, "entries: more than %d", ENTRIES_MOST);
        if (!read_entry(a, value, &w) || !put_entry(s, &w) || mgi_action_stops(a))
            return false;
    }
    return finish(s, "staged");
}

bool mgi_git_stage(struct action *a)
{
    static const char *const known[] = { "paths",   "glob",      "force", "update",
                                         "entries", "max_files", NULL };
    struct staging s = { .most = FILES_DEFAULT };
    mgi_arg_known(a, known);
    mgi_arg_bool(a, "glob", &s.paths.globs);
    mgi_git_arg_paths(a, "paths", &s.paths);
    mgi_arg_bool(a, "force", &s.force);
    mgi_arg_bool(a, "update", &s.update);
    mgi_arg_int(a, "max_files", 1, FILES_MOST, &s.most);
    bool by_entries = mgi_arg_raw(a, "entries", &s.entries);
    if (by_entries == mgi_arg_given(a, "paths"))
        mgi_action_fail(a, "paths, entries: one of the two is needed");
    if (by_entries && s.entries.ptr[0] != '[')
        mgi_action_fail(a, "entries: not an array");
    if (a->faults > 0 || !mgi_git_open_worktree(a, &s.g) || !mgi_git_index(&s.g, &s.index))
        return false;
    return by_entries ? stage_entries(&s) : stage_paths(&s);
}

/* ---- unstage -------------------------------------------------------------------------------- */

static bool unstage_one(struct staging *s, const git_diff_delta *d)
{
    struct git *g = &s->g;
    const char *path = d->old_file.path ? d->old_file.path : d->new_file.path;
    bool in_tree = d->old_file.mode != 0 && !git_oid_is_zero(&d->old_file.id);
    put_before(s, path);
    if (git_index_conflict_remove(s->index, path) != 0)
        git_error_clear(); /* it was in none */
    int error;
    if (in_tree) {
        git_index_entry e = { .mode = d->old_file.mode, .path = path };
        git_oid_cpy(&e.id, &d->old_file.id);
        error = git_index_add(s->index, &e);
    } else {
        error = git_index_remove(s->index, path, 0);
        if (error == GIT_ENOTFOUND)
            error = 0; /* only the conflict was there */
    }
    return !error || mgi_git_fail(g, error, "%s", path);
}

bool mgi_git_unstage(struct action *a)
{
    static const char *const known[] = { "paths", "glob", "revision", NULL };
    struct staging s = { .most = FILES_MOST };
    struct changes c = { .no_counts = true };
    const char *revision = NULL;
    git_commit *commit;
    git_tree *tree;
    git_diff *diff;
    mgi_arg_known(a, known);
    mgi_arg_bool(a, "glob", &s.paths.globs);
    if (mgi_arg_need(a, "paths"))
        mgi_git_arg_paths(a, "paths", &s.paths);
    mgi_git_arg_cstr(a, "revision", REVISION_MOST, &revision);
    if (a->faults > 0 || !mgi_git_open_worktree(a, &s.g) || !mgi_git_index(&s.g, &s.index))
        return false;
    if (!(revision ? mgi_git_commit(&s.g, "revision", revision, &commit)
                   : mgi_git_head(&s.g, &commit)) ||
        !mgi_git_tree(&s.g, commit, &tree))
        return false;
    if (!s.paths.globs)
        c.paths = s.paths;
    if (!mgi_git_diff_tree_index(&s.g, &c, tree, s.index, &diff))
        return false;
    begin_before(a);
    for (size_t i = 0; i < git_diff_num_deltas(diff); i++) {
        const git_diff_delta *d = git_diff_get_delta(diff, i);
        if (d->status != GIT_DELTA_UNMODIFIED &&
            (!s.paths.globs || mgi_git_paths_match(&s.paths, d->new_file.path)) &&
            (mgi_action_stops(a) || !unstage_one(&s, d)))
            return false;
    }
    return finish(&s, "unstaged");
}
