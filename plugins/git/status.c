/* Where the repository stands: head, upstream, operation, and what differs. */
#include "plugins/git/changes.h"
#include "plugins/git/upstream.h"

#define ENTRIES_DEFAULT 1000
#define ENTRIES_MOST    10000

enum area { AREA_STAGED, AREA_UNSTAGED, AREA_UNTRACKED, AREA_IGNORED, AREA_CONFLICTED, AREAS };
static const char *const area_words[AREAS] = { "staged", "unstaged", "untracked", "ignored",
                                               "conflicted" };

struct status {
    struct git g;
    const char *path;
    bool untracked, each_untracked, ignored, renames;
    int64_t limit, shown;
    int64_t counts[AREAS];
    bool truncated;
};

/* ---- head and upstream ---------------------------------------------------------------------- */

static void put_head(struct action *a, const char *branch, bool detached, const git_oid *id)
{
    mgi_jw_key(&a->out, "head");
    mgi_jw_begin_object(&a->out);
    mgi_jw_member_bool(&a->out, "unborn", !id);
    mgi_jw_member_bool(&a->out, "detached", detached);
    if (branch)
        mgi_jw_member_cstr(&a->out, "branch", branch);
    if (id)
        mgi_git_put_id(a, "id", id);
    mgi_jw_end_object(&a->out);
}

static bool put_branch(struct git *g)
{
    git_reference *head = NULL;
    git_commit *commit;
    int error = git_reference_lookup(&head, g->repo, "HEAD");
    if (error)
        return mgi_git_fail(g, error, "HEAD");
    if (!mgi_git_keep(g, mgi_git_release_reference, head) || !mgi_git_head(g, &commit))
        return false;
    const char *target = git_reference_symbolic_target(head);
    put_head(g->a, target ? mgi_git_short_name(target) : NULL, target == NULL,
             commit ? git_commit_id(commit) : NULL);
    if (!target || !commit)
        return true;
    struct history h;
    mgi_history_init(&h, g, LOOK_DEFAULT);
    return mgi_git_put_upstream(&h, target, git_commit_id(commit));
}

static const char *operation_of(git_repository *repo)
{
    switch (git_repository_state(repo)) {
    case GIT_REPOSITORY_STATE_NONE:
        return "none";
    case GIT_REPOSITORY_STATE_MERGE:
        return "merge";
    case GIT_REPOSITORY_STATE_REVERT:
    case GIT_REPOSITORY_STATE_REVERT_SEQUENCE:
        return "revert";
    case GIT_REPOSITORY_STATE_CHERRYPICK:
    case GIT_REPOSITORY_STATE_CHERRYPICK_SEQUENCE:
        return "cherry_pick";
    case GIT_REPOSITORY_STATE_BISECT:
        return "bisect";
    case GIT_REPOSITORY_STATE_REBASE:
        return "rebase";
    case GIT_REPOSITORY_STATE_REBASE_INTERACTIVE:
        return "rebase_interactive";
    case GIT_REPOSITORY_STATE_REBASE_MERGE:
        return "rebase_merge";
    default:
        return "apply_mailbox";
    }
}

/* ---- entries -------------------------------------------------------------------------------- */

struct entry {
    enum area area;
    const char *path, *change, *old_path;
    bool submodule;
};

static void put_entry(struct status *s, const struct entry *e)
{
    struct action *a = s->g.a;
    size_t len = strlen(e->path);
    bool folder = len > 1 && e->path[len - 1] == '/';
    s->counts[e->area]++;
    if (s->shown >= s->limit) {
        s->truncated = true;
        return;
    }
    struct action_mark mark = mgi_action_mark(a);
    mgi_jw_begin_object(&a->out);
    mgi_git_put_path(a, "path", e->path);
    mgi_jw_member_cstr(&a->out, "area", area_words[e->area]);
    mgi_jw_member_cstr(&a->out, "change", e->change);
    if (e->old_path)
        mgi_jw_member_cstr(&a->out, "old_path", e->old_path);
    if (folder)
        mgi_jw_member_bool(&a->out, "folder", true);
    if (e->submodule)
        mgi_jw_member_bool(&a->out, "submodule", true);
    mgi_jw_end_object(&a->out);
    if (mgi_action_fits(a, mark))
        s->shown++;
    else
        s->truncated = true;
}

/* A file that is announced (git add -N), of which nothing is staged. */
static bool is_announced(git_index *index, const char *path)
{
    const git_index_entry *e = git_index_get_bypath(index, path, 0);
    return e && (e->flags_extended & GIT_INDEX_ENTRY_INTENT_TO_ADD);
}

/* Of one comparison what belongs to one area. */
static void put_area(struct status *s, git_index *index, const git_diff *diff, enum area area)
{
    for (size_t i = 0; i < git_diff_num_deltas(diff); i++) {
        const git_diff_delta *d = git_diff_get_delta(diff, i);
        enum area its = d->status == GIT_DELTA_UNTRACKED ? AREA_UNTRACKED
                        : d->status == GIT_DELTA_IGNORED ? AREA_IGNORED
                        : area == AREA_STAGED            ? AREA_STAGED
                                                         : AREA_UNSTAGED;
        if (its != area || d->status == GIT_DELTA_UNMODIFIED || d->status == GIT_DELTA_CONFLICTED)
            continue;
        const char *path = d->new_file.path ? d->new_file.path : d->old_file.path;
        bool announced = is_announced(index, path);
        if (announced && its == AREA_STAGED)
            continue;
        struct entry e = { .area = its,
                           .path = path,
                           .change = d->status == GIT_DELTA_UNREADABLE ? "unreadable"
                                     : its > AREA_UNSTAGED || announced
                                         ? "added"
                                         : mgi_git_status_word(d->status) };
        if (d->status == GIT_DELTA_RENAMED)
            e.old_path = d->old_file.path;
        e.submodule =
            mgi_git_is_submodule(d->new_file.mode) || mgi_git_is_submodule(d->old_file.mode);
        put_entry(s, &e);
    }
}

static const char *conflict_word(const git_index_entry *ancestor, const git_index_entry *ours,
                                 const git_index_entry *theirs)
{
    if (ours && theirs)
        return ancestor ? "both_modified" : "both_added";
    if (!ours && !theirs)
        return "both_deleted";
    if (ours)
        return ancestor ? "deleted_by_them" : "added_by_us";
    return ancestor ? "deleted_by_us" : "added_by_them";
}

static bool put_conflicts(struct status *s, git_index *index)
{
    const git_index_entry *ancestor, *ours, *theirs;
    git_index_conflict_iterator *it = NULL;
    int error = git_index_conflict_iterator_new(&it, index);
    while (!error && (error = git_index_conflict_next(&ancestor, &ours, &theirs, it)) == 0) {
        const git_index_entry *any = ours ? ours : theirs ? theirs : ancestor;
        struct entry e = { .area = AREA_CONFLICTED,
                           .path = any->path,
                           .change = conflict_word(ancestor, ours, theirs) };
        if (mgi_git_is_below(e.path, s->path))
            put_entry(s, &e);
        error = mgi_git_stop(&s->g);
    }
    git_index_conflict_iterator_free(it);
    return error == GIT_ITEROVER || mgi_git_fail(&s->g, error, "the index");
}

/* With `path` only what is at or below it; a list of one literal path. */
static struct changes changes_of(struct status *s, bool worktree)
{
    struct changes c = { .renames = s->renames && !worktree, .no_counts = true };
    if (strcmp(s->path, ".") != 0) {
        c.paths.items = &s->path;
        c.paths.count = 1;
    }
    if (worktree) {
        c.untracked = s->untracked;
        c.each_untracked = s->untracked && s->each_untracked;
        c.ignored = s->ignored;
    }
    return c;
}

static bool put_differences(struct status *s)
{
    struct git *g = &s->g;
    git_index *index;
    git_commit *head;
    git_tree *tree;
    git_diff *staged, *unstaged;
    struct changes c = changes_of(s, false);
    if (!mgi_git_index(g, &index) || !mgi_git_head(g, &head) || !mgi_git_tree(g, head, &tree) ||
        !mgi_git_diff_tree_index(g, &c, tree, index, &staged))
        return false;
    c = changes_of(s, true);
    if (!mgi_git_diff_index_worktree(g, &c, index, &unstaged))
        return false;
    put_area(s, index, staged, AREA_STAGED);
    put_area(s, index, unstaged, AREA_UNSTAGED);
    put_area(s, index, unstaged, AREA_UNTRACKED);
    put_area(s, index, unstaged, AREA_IGNORED);
    return put_conflicts(s, index);
}

static void put_counts(struct status *s)
{
    struct action *a = s->g.a;
    int64_t matter = 0;
    mgi_jw_key(&a->out, "counts");
    mgi_jw_begin_object(&a->out);
    for (int i = 0; i < AREAS; i++) {
        mgi_jw_key_str(&a->out, str_of(area_words[i]));
        mgi_jw_int(&a->out, s->counts[i]);
        matter += i == AREA_IGNORED ? 0 : s->counts[i];
    }
    mgi_jw_end_object(&a->out);
    mgi_jw_member_bool(&a->out, "clean", matter == 0);
    mgi_jw_member_bool(&a->out, "truncated", s->truncated);
}

bool mgi_git_status(struct action *a)
{
    static const char *const known[] = { "path",    "untracked", "each_untracked",
                                         "ignored", "renames",   "limit",
                                         NULL };
    struct status s = { .path = ".", .untracked = true, .renames = true, .limit = ENTRIES_DEFAULT };
    mgi_arg_known(a, known);
    mgi_git_arg_path(a, "path", true, &s.path);
    mgi_arg_bool(a, "untracked", &s.untracked);
    mgi_arg_bool(a, "each_untracked", &s.each_untracked);
    mgi_arg_bool(a, "ignored", &s.ignored);
    mgi_arg_bool(a, "renames", &s.renames);
    mgi_arg_int(a, "limit", 1, ENTRIES_MOST, &s.limit);
    if (a->faults > 0 || !mgi_git_open(a, &s.g))
        return false;
    if (s.g.workdir)
        mgi_jw_member_cstr(&a->out, "worktree", s.g.workdir);
    mgi_jw_member_bool(&a->out, "bare", !s.g.workdir);
    mgi_jw_member_bool(&a->out, "shallow", s.g.shallow);
    if (!put_branch(&s.g))
        return false;
    mgi_jw_member_cstr(&a->out, "operation", operation_of(s.g.repo));
    mgi_jw_key(&a->out, "entries");
    mgi_jw_begin_array(&a->out);
    if (s.g.workdir && !put_differences(&s))
        return false;
    mgi_jw_end_array(&a->out);
    put_counts(&s);
    return true;
}
