/* A unified difference applied to the worktree, the index, or both. libgit2 reads and applies it;
 * what it would write is checked before. */
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "plugins/git/change.h"
#include "plugins/git/worktree_file.h"
#include "plugins/support/diff.h"

#define DIFF_MOST  2000000
#define FILES_MOST 5000

enum where { WHERE_WORKTREE, WHERE_INDEX, WHERE_BOTH };

struct applying {
    struct git g;
    const char *text;
    size_t where;
    bool dry_run;
    int root;
    git_index *index;
    git_diff *diff;
    const char *at; /* the file that libgit2 is at */
};

/* ---- reading -------------------------------------------------------------------------------- */

static bool has_git_heads(const char *text)
{
    return strncmp(text, "diff --git ", 11) == 0 || strstr(text, "\ndiff --git ");
}

static void put_file(struct buf *out, const struct diff_file *f)
{
    struct str name = f->creates ? f->new_name : f->old_name;
    mgi_buf_printf(out, "diff --git a/%.*s b/%.*s\n", STR_ARG(name), STR_ARG(name));
    mgi_buf_puts(out, f->creates ? "new file mode 100644\n--- /dev/null\n" : "");
    mgi_buf_puts(out, f->deletes ? "deleted file mode 100644\n" : "");
    if (!f->creates)
        mgi_buf_printf(out, "--- a/%.*s\n", STR_ARG(name));
    if (f->deletes)
        mgi_buf_puts(out, "+++ /dev/null\n");
    else
        mgi_buf_printf(out, "+++ b/%.*s\n", STR_ARG(name));
    for (size_t i = 0; i < f->count; i++) {
        const struct diff_hunk *h = &f->hunks[i];
        mgi_buf_printf(out, "@@ -%zu,%zu +%zu,%zu @@\n", h->old_line, h->old_count, h->new_line,
                       h->new_count);
        mgi_buf_str(out, h->body);
    }
}

static void release_text(void *text)
{
    mgi_buf_fini(text);
}

/* libgit2 takes no difference without git's heads: those of others are given them. */
static bool give_heads(struct applying *p)
{
    struct action *a = p->g.a;
    struct diff diff;
    struct buf why, *out = mgi_arena_calloc(&a->arena, 1, sizeof *out);
    if (!out || !mgi_git_keep(&p->g, release_text, out))
        return mgi_action_nomem(a);
    mgi_buf_init(&why);
    bool ok = mgi_diff_parse(&a->arena, str_of(p->text), &diff, &why);
    if (!ok)
        mgi_action_fail(a, "diff: %.*s", STR_ARG(mgi_buf_view(&why)));
    for (size_t i = 0; ok && i < diff.count; i++)
        put_file(out, &diff.files[i]);
    mgi_buf_fini(&why);
    if (ok && out->oom)
        return mgi_action_nomem(a);
    if (ok && out->len > 0)
        p->text = out->ptr;
    return ok;
}

static bool read_diff(struct applying *p)
{
    struct git *g = &p->g;
    if (!has_git_heads(p->text) && !give_heads(p))
        return false;
    int error = git_diff_from_buffer(&p->diff, p->text, strlen(p->text));
    if (error)
        return mgi_git_fail(g, error, "diff");
    if (!mgi_git_keep(g, mgi_git_release_diff, p->diff))
        return false;
    size_t count = git_diff_num_deltas(p->diff);
    if (count == 0)
        return mgi_action_fail(g->a, "diff: names no file");
    return count <= FILES_MOST ||
           mgi_action_fail(g->a, "diff: %zu files are more than %d", count, FILES_MOST);
}

/* ---- checking ------------------------------------------------------------------------------- */

/* A link that the diff itself makes must not be on the way of another file of it. */
static bool check_own_links(struct applying *p, const char *link)
{
    for (size_t i = 0; i < git_diff_num_deltas(p->diff); i++) {
        const char *path = git_diff_get_delta(p->diff, i)->new_file.path;
        if (path && strcmp(path, link) != 0 && mgi_git_is_below(path, link))
            return mgi_action_fail(p->g.a, "diff: %s stands beyond the link %s that it makes", path,
                                   link);
    }
    return true;
}

/* What is new must not be there yet. */
static bool check_new(struct applying *p, const char *path)
{
    struct stat st;
    if (p->where != WHERE_INDEX && fstatat(p->root, path, &st, AT_SYMLINK_NOFOLLOW) == 0)
        return mgi_action_fail(p->g.a, "%s: is there already; nothing was changed", path);
    if (p->where != WHERE_WORKTREE && git_index_get_bypath(p->index, path, 0))
        return mgi_action_fail(p->g.a, "%s: is in the index already; nothing was changed", path);
    return true;
}

/* The file after it may be as large as both together. */
static bool check_size(struct applying *p, const char *path)
{
    struct stat st;
    struct rlimit limit;
    int64_t size = fstatat(p->root, path, &st, AT_SYMLINK_NOFOLLOW) == 0 ? st.st_size : 0;
    if (size > mgi_git_settings(p->g.a)->max_bytes)
        return mgi_action_fail(p->g.a, "%s: is above the configured max_bytes", path);
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < (rlim_t)INT64_MAX &&
        size + (int64_t)strlen(p->text) > (int64_t)limit.rlim_cur)
        return mgi_action_fail(p->g.a,
                               "%s: might become larger than this process may write; "
                               "nothing was changed",
                               path);
    return true;
}

static bool check_delta(struct applying *p, const git_diff_delta *d)
{
    const char *old_path = d->old_file.path, *new_path = d->new_file.path;
    bool comes = d->status == GIT_DELTA_ADDED ||
                 ((d->status == GIT_DELTA_RENAMED || d->status == GIT_DELTA_COPIED) &&
                  strcmp(old_path, new_path) != 0);
    if (!old_path || !new_path || !mgi_git_is_plain_path(old_path) ||
        !mgi_git_is_plain_path(new_path))
        return mgi_action_fail(p->g.a, "diff: %.200s: is no path that is written here",
                               new_path ? new_path : "a file without a name");
    if (mgi_git_is_submodule(d->old_file.mode) || mgi_git_is_submodule(d->new_file.mode))
        return mgi_action_fail(p->g.a, "diff: %s: is a submodule, which is not changed here",
                               new_path);
    return (!comes || check_new(p, new_path)) && check_size(p, old_path) &&
           ((d->new_file.mode & 0170000) != 0120000 || check_own_links(p, new_path));
}

static bool check_all(struct applying *p)
{
    for (size_t i = 0; i < git_diff_num_deltas(p->diff); i++)
        if (!check_delta(p, git_diff_get_delta(p->diff, i)) || mgi_action_stops(p->g.a))
            return false;
    return p->where == WHERE_INDEX || mgi_checkout_guard(&p->g, p->diff, NULL);
}

/* Which file it is at: libgit2 says only which hunk did not fit. */
static int note_file(const git_diff_delta *d, void *payload)
{
    struct applying *p = payload;
    p->at = d->new_file.path;
    return mgi_git_stop(&p->g);
}

/* Before anything is written it may be stopped. */
static bool run(struct applying *p, uint32_t flags)
{
    static const git_apply_location_t places[] = { GIT_APPLY_LOCATION_WORKDIR,
                                                   GIT_APPLY_LOCATION_INDEX,
                                                   GIT_APPLY_LOCATION_BOTH };
    git_apply_options o;
    git_apply_options_init(&o, GIT_APPLY_OPTIONS_VERSION);
    o.flags = flags;
    o.delta_cb = note_file;
    o.payload = p;
    int error = git_apply(p->g.repo, p->diff, places[p->where], &o);
    return !error ||
           mgi_git_fail(&p->g, error, "the diff does not fit, and nothing was changed: %s",
                        p->at ? p->at : "diff");
}

bool mgi_git_apply(struct action *a)
{
    static const char *const known[] = { "diff", "to", "dry_run", NULL };
    static const char *const places[] = { "worktree", "index", "both", NULL };
    struct applying p = { .text = NULL };
    struct changes c = { .stat_only = true, .limit = FILES_MOST };
    struct change_totals t = { 0 };
    mgi_arg_known(a, known);
    if (mgi_arg_need(a, "diff"))
        mgi_git_arg_cstr(a, "diff", DIFF_MOST, &p.text);
    mgi_arg_word(a, "to", places, &p.where);
    mgi_arg_bool(a, "dry_run", &p.dry_run);
    if (a->faults > 0 || !mgi_git_open_worktree(a, &p.g) || !mgi_git_index(&p.g, &p.index) ||
        !mgi_worktree_root(&p.g, &p.root) || !read_diff(&p) || !check_all(&p) ||
        !run(&p, GIT_APPLY_CHECK))
        return false;
    mgi_jw_key(&a->out, "files");
    mgi_jw_begin_array(&a->out);
    if (!mgi_git_put_changes(&p.g, &c, p.diff, &t))
        return false;
    mgi_jw_end_array(&a->out);
    mgi_jw_member_bool(&a->out, "applied", !p.dry_run);
    if (t.truncated)
        return mgi_action_fail(a, "diff: has more files than an answer can name");
    return mgi_action_reserve(a, ANSWER_REST_BYTES) && !mgi_action_stops(a) &&
           (p.dry_run || run(&p, 0));
}
