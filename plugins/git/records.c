/* What a repository keeps beside its commits: reflogs, stashes, worktrees. */
#include "plugins/git/git_plugin.h"

#include <git2/sys/reflog.h>
#include <limits.h>
#include <stdlib.h>

#define REFLOG_DEFAULT  100
#define REFLOG_MOST     5000
#define STASHES_DEFAULT 100
#define STASHES_MOST    1000
#define WORKTREES_MOST  1000
#define MESSAGE_MOST    400

/* ---- reflog --------------------------------------------------------------------------------- */

/* The full name of a reference; HEAD stays HEAD. */
static bool full_name(struct git *g, const char *text, const char **name)
{
    git_reference *reference = NULL;
    if (strcmp(text, "HEAD") == 0) {
        *name = text;
        return true;
    }
    int error = git_reference_dwim(&reference, g->repo, text);
    if (error == GIT_EINVALIDSPEC)
        return mgi_action_fail(g->a, "reference: \"%s\" cannot be the name of one", text);
    if (error == GIT_ENOTFOUND)
        return mgi_action_fail(g->a, "reference: \"%s\": not found", text);
    if (error)
        return mgi_git_fail(g, error, "reference: \"%s\"", text);
    if (!mgi_git_keep(g, mgi_git_release_reference, reference))
        return false;
    *name = git_reference_name(reference);
    return true;
}

static void release_reflog(void *reflog)
{
    git_reflog_free(reflog);
}

static bool put_reflog_entry(struct action *a, const git_reflog_entry *e)
{
    const char *message = git_reflog_entry_message(e);
    struct action_mark mark = mgi_action_mark(a);
    mgi_jw_begin_object(&a->out);
    mgi_git_put_id(a, "old", git_reflog_entry_id_old(e));
    mgi_git_put_id(a, "new", git_reflog_entry_id_new(e));
    mgi_git_put_person(a, "who", git_reflog_entry_committer(e));
    mgi_git_put_cut(a, "message", str_of(message ? message : ""), MESSAGE_MOST);
    mgi_jw_end_object(&a->out);
    return mgi_action_fits(a, mark);
}

bool mgi_git_reflog(struct action *a)
{
    static const char *const known[] = { "reference", "limit", NULL };
    struct git g;
    const char *text = "HEAD", *name = NULL;
    int64_t limit = REFLOG_DEFAULT;
    git_reflog *reflog = NULL;
    mgi_arg_known(a, known);
    mgi_git_arg_cstr(a, "reference", REVISION_MOST, &text);
    mgi_arg_int(a, "limit", 1, REFLOG_MOST, &limit);
    if (a->faults > 0 || !mgi_git_open(a, &g) || !full_name(&g, text, &name))
        return false;
    int error = git_reflog_read(&reflog, g.repo, name);
    if (error)
        return mgi_git_fail(&g, error, "the reflog of %s", name);
    if (!mgi_git_keep(&g, release_reflog, reflog))
        return false;
    size_t total = git_reflog_entrycount(reflog), shown = 0;
    mgi_jw_member_cstr(&a->out, "reference", name);
    mgi_jw_key(&a->out, "entries");
    mgi_jw_begin_array(&a->out);
    while (shown < total && shown < (size_t)limit &&
           put_reflog_entry(a, git_reflog_entry_byindex(reflog, shown)))
        shown++;
    mgi_jw_end_array(&a->out);
    mgi_jw_member_int(&a->out, "total", (int64_t)total);
    mgi_jw_member_bool(&a->out, "truncated", shown < total);
    return true;
}

/* ---- stashes -------------------------------------------------------------------------------- */

struct stash_list {
    struct git g;
    int64_t limit, total, shown;
    bool full;
};

static int put_stash(size_t index, const char *message, const git_oid *id, void *payload)
{
    struct stash_list *s = payload;
    struct action *a = s->g.a;
    git_commit *commit = NULL;
    s->total++;
    if (s->full || s->shown == s->limit)
        return mgi_git_stop(&s->g);
    int error = git_commit_lookup(&commit, s->g.repo, id);
    if (error)
        return error;
    struct action_mark mark = mgi_action_mark(a);
    mgi_jw_begin_object(&a->out);
    mgi_jw_member_int(&a->out, "index", (int64_t)index);
    mgi_git_put_id(a, "id", id);
    mgi_git_put_id(a, "base",
                   git_commit_parentcount(commit) ? git_commit_parent_id(commit, 0) : id);
    mgi_git_put_time(a, "time", git_commit_time(commit));
    mgi_git_put_cut(a, "message", str_of(message ? message : ""), MESSAGE_MOST);
    mgi_jw_end_object(&a->out);
    s->full = !mgi_action_fits(a, mark);
    s->shown += !s->full;
    git_commit_free(commit);
    return mgi_git_stop(&s->g);
}

bool mgi_git_stashes(struct action *a)
{
    static const char *const known[] = { "limit", NULL };
    struct stash_list s = { .limit = STASHES_DEFAULT };
    mgi_arg_known(a, known);
    mgi_arg_int(a, "limit", 1, STASHES_MOST, &s.limit);
    if (a->faults > 0 || !mgi_git_open(a, &s.g))
        return false;
    mgi_jw_key(&a->out, "stashes");
    mgi_jw_begin_array(&a->out);
    int error = git_stash_foreach(s.g.repo, put_stash, &s);
    if (error)
        return mgi_git_fail(&s.g, error, "the stashes");
    mgi_jw_end_array(&a->out);
    mgi_jw_member_int(&a->out, "total", s.total);
    mgi_jw_member_bool(&a->out, "truncated", s.shown < s.total);
    return true;
}

/* ---- worktrees ------------------------------------------------------------------------------ */

struct tree_place {
    const char *name, *path; /* name NULL: the main one */
    git_reference *head;     /* NULL: none, or no commit */
    bool locked, missing;
    const char *reason;
};

static bool put_worktree(struct git *g, const struct tree_place *t)
{
    struct action *a = g->a;
    char real[PATH_MAX];
    bool there = realpath(t->path, real) != NULL;
    struct action_mark mark = mgi_action_mark(a);
    mgi_jw_begin_object(&a->out);
    if (t->name)
        mgi_git_put_cut(a, "name", str_of(t->name), 400);
    mgi_git_put_cut(a, "path", str_of(there ? real : t->path), PATH_MOST);
    mgi_jw_member_bool(&a->out, "current", there && g->workdir && strcmp(real, g->workdir) == 0);
    if (t->head) {
        const char *name = git_reference_name(t->head);
        git_oid id;
        if (strncmp(name, "refs/heads/", 11) == 0)
            mgi_git_put_cut(a, "branch", str_of(name + 11), 400);
        if (git_reference_name_to_id(&id, g->repo, name) == 0 ||
            (git_reference_target(t->head) && !git_oid_cpy(&id, git_reference_target(t->head))))
            mgi_git_put_id(a, "id", &id);
    }
    mgi_jw_member_bool(&a->out, "locked", t->locked);
    if (t->reason)
        mgi_git_put_cut(a, "lock_reason", mgi_str_trim(str_of(t->reason), "\r\n "), MESSAGE_MOST);
    mgi_jw_member_bool(&a->out, "missing", t->missing || !there);
    mgi_jw_end_object(&a->out);
    return mgi_action_fits(a, mark);
}

/* The main one: where the shared directory is. */
static bool put_main(struct git *g)
{
    git_repository *repo = NULL;
    struct tree_place t = { .path = NULL };
    const char *common = git_repository_commondir(g->repo);
    int error = git_repository_is_worktree(g->repo)
                    ? git_repository_open_ext(&repo, common, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL)
                    : 0;
    git_repository *from = repo ? repo : g->repo;
    if (!error)
        (void)git_repository_head(&t.head, from);
    t.path = !error && git_repository_workdir(from) ? git_repository_workdir(from) : common;
    bool fits = put_worktree(g, &t);
    git_reference_free(t.head);
    git_repository_free(repo);
    return fits;
}

static bool put_linked(struct git *g, const char *name)
{
    git_worktree *tree = NULL;
    git_buf reason = GIT_BUF_INIT;
    if (git_worktree_lookup(&tree, g->repo, name) != 0)
        return true; /* it goes while this is asked */
    struct tree_place t = { .name = name, .path = git_worktree_path(tree) };
    t.missing = git_worktree_validate(tree) != 0;
    t.locked = git_worktree_is_locked(&reason, tree) > 0;
    t.reason = t.locked && reason.size > 0 ? reason.ptr : NULL;
    (void)git_repository_head_for_worktree(&t.head, g->repo, name);
    bool fits = put_worktree(g, &t);
    git_reference_free(t.head);
    git_buf_dispose(&reason);
    git_worktree_free(tree);
    return fits;
}

bool mgi_git_worktrees(struct action *a)
{
    static const char *const known[] = { NULL };
    struct git g;
    git_strarray names = { NULL, 0 };
    mgi_arg_known(a, known);
    if (a->faults > 0 || !mgi_git_open(a, &g))
        return false;
    int error = git_worktree_list(&names, g.repo);
    if (error)
        return mgi_git_fail(&g, error, "the worktrees");
    mgi_jw_key(&a->out, "worktrees");
    mgi_jw_begin_array(&a->out);
    bool fits = put_main(&g);
    size_t shown = 0;
    while (fits && shown < names.count && shown < WORKTREES_MOST && !mgi_action_stops(a)) {
        fits = put_linked(&g, names.strings[shown]);
        shown += fits;
    }
    mgi_jw_end_array(&a->out);
    mgi_jw_member_bool(&a->out, "truncated", !fits || shown < names.count);
    git_strarray_dispose(&names);
    return a->faults == 0;
}
