/* Two states beside each other: the comparison itself, and its renames; see changes.h.
 *
 * libgit2 compares; between files it asks whether to stop, and its measure of similarity is wrapped
 * so that it asks, too. */
#include "plugins/git/changes.h"

#include <git2/sys/hashsig.h>

#include "plugins/git/tree_changes.h"

#define CONTEXT_DEFAULT 3
#define CONTEXT_MOST    20
#define LIMIT_DEFAULT   500
#define LIMIT_MOST      5000
#define BYTES_DEFAULT   (256 * 1024)
#define BYTES_MOST      700000

/* New files times deleted ones, as git's diff.renameLimit of 1000 means it. */
#define PAIRS_MOST       1000000
#define SOURCES_PER_FILE 1000

/* Paths that libgit2 is told to look at alone; with more it goes through everything. */
#define PATHS_TOLD_MOST 5000

static const char *const spaces[] = { "none", "eol", "change", "all", NULL };

void mgi_git_arg_changes(struct action *a, struct changes *c)
{
    *c = (struct changes){ .context = CONTEXT_DEFAULT,
                           .renames = true,
                           .limit = LIMIT_DEFAULT,
                           .max_bytes = BYTES_DEFAULT };
    mgi_git_arg_paths(a, "paths", &c->paths);
    mgi_arg_int(a, "context", 0, CONTEXT_MOST, &c->context);
    mgi_arg_bool(a, "stat_only", &c->stat_only);
    mgi_arg_bool(a, "renames", &c->renames);
    mgi_arg_word(a, "ignore_space", spaces, &c->space);
    mgi_arg_int(a, "limit", 1, LIMIT_MOST, &c->limit);
    mgi_arg_int(a, "max_bytes", 0, BYTES_MOST, &c->max_bytes);
}

/* ---- options -------------------------------------------------------------------------------- */

static int between_files(const git_diff *so_far, const char *old_path, const char *new_path,
                         void *payload)
{
    (void)so_far;
    (void)old_path;
    (void)new_path;
    return mgi_git_stop(payload);
}

static uint32_t flags_of(const struct changes *c)
{
    static const uint32_t space_flags[] = { 0, GIT_DIFF_IGNORE_WHITESPACE_EOL,
                                            GIT_DIFF_IGNORE_WHITESPACE_CHANGE,
                                            GIT_DIFF_IGNORE_WHITESPACE };
    uint32_t flags = GIT_DIFF_DISABLE_PATHSPEC_MATCH | GIT_DIFF_INCLUDE_TYPECHANGE |
                     GIT_DIFF_INDENT_HEURISTIC | space_flags[c->space];
    if (c->untracked)
        flags |= GIT_DIFF_INCLUDE_UNTRACKED;
    if (c->each_untracked)
        flags |= GIT_DIFF_RECURSE_UNTRACKED_DIRS | GIT_DIFF_SHOW_UNTRACKED_CONTENT;
    if (c->ignored)
        flags |= GIT_DIFF_INCLUDE_IGNORED;
    if (c->each_ignored)
        flags |= GIT_DIFF_RECURSE_IGNORED_DIRS;
    if (c->reverse)
        flags |= GIT_DIFF_REVERSE;
    return flags;
}

/* The repository's own configuration of prefixes and submodules is not asked. */
static git_diff_options options_of(struct git *g, const struct changes *c)
{
    git_diff_options o;
    git_diff_options_init(&o, GIT_DIFF_OPTIONS_VERSION);
    o.flags = flags_of(c);
    o.context_lines = (uint32_t)c->context;
    o.max_size = mgi_git_settings(g->a)->max_bytes;
    o.ignore_submodules = GIT_SUBMODULE_IGNORE_NONE;
    o.old_prefix = "a/";
    o.new_prefix = "b/";
    o.pathspec.strings = (char **)(uintptr_t)c->paths.items; /* read only */
    o.pathspec.count = c->paths.count;
    o.progress_cb = between_files;
    o.payload = g;
    return o;
}

/* ---- renames -------------------------------------------------------------------------------- */

static int file_signature(void **out, const git_diff_file *file, const char *path, void *payload)
{
    (void)file;
    git_hashsig_option_t how = GIT_HASHSIG_SMART_WHITESPACE | GIT_HASHSIG_ALLOW_SMALL_FILES;
    int error = mgi_git_stop(payload);
    return error ? error : git_hashsig_create_fromfile((git_hashsig **)out, path, how);
}

static int bytes_signature(void **out, const git_diff_file *file, const char *bytes, size_t len,
                           void *payload)
{
    (void)file;
    git_hashsig_option_t how = GIT_HASHSIG_SMART_WHITESPACE | GIT_HASHSIG_ALLOW_SMALL_FILES;
    int error = mgi_git_stop(payload);
    return error ? error : git_hashsig_create((git_hashsig **)out, bytes, len, how);
}

static void free_signature(void *signature, void *payload)
{
    (void)payload;
    git_hashsig_free(signature);
}

static int compare_signatures(int *score, void *a, void *b, void *payload)
{
    int error = mgi_git_stop(payload);
    if (error)
        return error;
    *score = git_hashsig_compare(a, b);
    return *score < 0 ? *score : 0;
}

struct candidates_count {
    size_t added, deleted, modified;
    bool large; /* one is above max_bytes */
};

static bool is_large(struct git *g, git_odb *odb, const git_diff_file *file)
{
    size_t size = (size_t)file->size;
    git_object_t type;
    if (!(file->flags & GIT_DIFF_FLAG_VALID_ID) || mgi_git_is_submodule(file->mode))
        return size > (size_t)mgi_git_settings(g->a)->max_bytes;
    if (git_odb_read_header(&size, &type, odb, &file->id) != 0)
        return false; /* it is missing: libgit2 passes it over */
    return size > (size_t)mgi_git_settings(g->a)->max_bytes;
}

static struct candidates_count count_candidates(struct git *g, git_odb *odb, const git_diff *diff,
                                                bool copies)
{
    struct candidates_count n = { 0 };
    for (size_t i = 0; i < git_diff_num_deltas(diff); i++) {
        const git_diff_delta *d = git_diff_get_delta(diff, i);
        bool comes = d->status == GIT_DELTA_ADDED || d->status == GIT_DELTA_UNTRACKED;
        bool goes = d->status == GIT_DELTA_DELETED;
        bool stays = copies && d->status == GIT_DELTA_MODIFIED;
        n.added += comes;
        n.deleted += goes;
        n.modified += stays;
        if (!n.large && odb)
            n.large = (comes && is_large(g, odb, &d->new_file)) ||
                      ((goes || stays) && is_large(g, odb, &d->old_file));
    }
    return n;
}

bool mgi_git_renames_are_exact(const git_diff *diff)
{
    struct candidates_count n = count_candidates(NULL, NULL, diff, false);
    return n.added * n.deleted > PAIRS_MOST;
}

static bool find_renames(struct git *g, const struct changes *c, git_diff *diff)
{
    git_odb *odb = NULL;
    git_diff_find_options o;
    git_diff_similarity_metric metric = { file_signature, bytes_signature, free_signature,
                                          compare_signatures, g };
    int error = git_repository_odb(&odb, g->repo);
    if (error)
        return mgi_git_fail(g, error, "the objects");
    struct candidates_count n = count_candidates(g, odb, diff, c->copies);
    git_odb_free(odb);
    if (n.added == 0 || n.deleted + n.modified == 0)
        return true;
    git_diff_find_options_init(&o, GIT_DIFF_FIND_OPTIONS_VERSION);
    o.flags = GIT_DIFF_FIND_RENAMES | (c->copies ? GIT_DIFF_FIND_COPIES : 0);
    o.rename_threshold = o.copy_threshold = (uint16_t)(c->similarity ? c->similarity : 50);
    o.rename_limit = SOURCES_PER_FILE;
    o.metric = &metric;
    bool exact_alone = n.large || n.added * (n.deleted + n.modified) > PAIRS_MOST;
    o.flags |= GIT_DIFF_FIND_EXACT_MATCH_ONLY; /* what is equal first: the rest is compared */
    error = git_diff_find_similar(diff, &o);
    if (!error && !exact_alone && c->similarity < 100) {
        o.flags &= ~(uint32_t)GIT_DIFF_FIND_EXACT_MATCH_ONLY;
        error = git_diff_find_similar(diff, &o);
    }
    return !error || mgi_git_fail(g, error, "renames");
}

/* ---- comparisons ---------------------------------------------------------------------------- */

static bool finish(struct git *g, const struct changes *c, int error, git_diff *diff)
{
    if (error)
        return mgi_git_fail(g, error, "the comparison");
    if (!mgi_git_keep(g, mgi_git_release_diff, diff))
        return false;
    return !c->renames || find_renames(g, c, diff);
}

/* Tell libgit2 what differs, which it would find by going through both trees. */
static bool tell_paths(struct git *g, git_tree *old_tree, git_tree *new_tree, git_diff_options *o,
                       bool *same)
{
    struct tree_changes t;
    if (!mgi_git_tree_changes(g, old_tree ? git_tree_id(old_tree) : NULL,
                              new_tree ? git_tree_id(new_tree) : NULL, PATHS_TOLD_MOST, &t))
        return false;
    *same = !t.many && t.count == 0;
    if (!t.many) {
        o->pathspec.strings = (char **)(uintptr_t)t.paths; /* read only */
        o->pathspec.count = t.count;
    }
    return true;
}

bool mgi_git_diff_trees(struct git *g, const struct changes *c, git_tree *old_tree,
                        git_tree *new_tree, git_diff **diff)
{
    git_diff_options o = options_of(g, c);
    bool same = false;
    if (c->paths.count == 0 && !tell_paths(g, old_tree, new_tree, &o, &same))
        return false;
    int error =
        git_diff_tree_to_tree(diff, g->repo, same ? NULL : old_tree, same ? NULL : new_tree, &o);
    return finish(g, c, error, *diff);
}

bool mgi_git_diff_ids(struct git *g, const struct changes *c, const git_oid *old_id,
                      const git_oid *new_id, git_diff **diff)
{
    git_tree *old_tree = NULL, *new_tree = NULL;
    int error = old_id ? git_tree_lookup(&old_tree, g->repo, old_id) : 0;
    if (!error && new_id)
        error = git_tree_lookup(&new_tree, g->repo, new_id);
    bool ok = error ? mgi_git_fail(g, error, "the tree of a commit")
                    : mgi_git_diff_trees(g, c, old_tree, new_tree, diff);
    git_tree_free(old_tree);
    git_tree_free(new_tree);
    return ok;
}

bool mgi_git_diff_tree_index(struct git *g, const struct changes *c, git_tree *old_tree,
                             git_index *index, git_diff **diff)
{
    git_diff_options o = options_of(g, c);
    int error = git_diff_tree_to_index(diff, g->repo, old_tree, index, &o);
    return finish(g, c, error, *diff);
}

bool mgi_git_diff_index_worktree(struct git *g, const struct changes *c, git_index *index,
                                 git_diff **diff)
{
    git_diff_options o = options_of(g, c);
    o.ignore_submodules = GIT_SUBMODULE_IGNORE_ALL;
    int error = git_diff_index_to_workdir(diff, g->repo, index, &o);
    return finish(g, c, error, *diff);
}

bool mgi_git_diff_tree_worktree(struct git *g, const struct changes *c, git_tree *old_tree,
                                git_diff **diff)
{
    git_diff_options o = options_of(g, c);
    o.ignore_submodules = GIT_SUBMODULE_IGNORE_ALL;
    int error = git_diff_tree_to_workdir_with_index(diff, g->repo, old_tree, &o);
    return finish(g, c, error, *diff);
}
