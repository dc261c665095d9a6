/* What differs, as members of the answer: counts of lines and unified differences, cut between
 * hunks where there is no room for more. */
#include "plugins/git/changes.h"

/* What a difference's text may take of memory before it is cut. */
#define TEXT_MOST (8u * 1024 * 1024)

const char *mgi_git_status_word(git_delta_t status)
{
    switch (status) {
    case GIT_DELTA_ADDED:
        return "added";
    case GIT_DELTA_DELETED:
        return "deleted";
    case GIT_DELTA_RENAMED:
        return "renamed";
    case GIT_DELTA_COPIED:
        return "copied";
    case GIT_DELTA_TYPECHANGE:
        return "type_changed";
    case GIT_DELTA_CONFLICTED:
        return "conflicted";
    case GIT_DELTA_UNTRACKED:
        return "untracked";
    default:
        return "modified";
    }
}

static bool is_submodule(const git_diff_delta *d)
{
    return mgi_git_is_submodule(d->old_file.mode) || mgi_git_is_submodule(d->new_file.mode);
}

static bool is_too_large(struct git *g, const git_diff_delta *d)
{
    git_object_size_t most = (git_object_size_t)mgi_git_settings(g->a)->max_bytes;
    return d->old_file.size > most || d->new_file.size > most;
}

/* ---- one file's text ------------------------------------------------------------------------ */

struct text {
    struct buf buf;
    bool full;
};

static int put_line(const git_diff_delta *delta, const git_diff_hunk *hunk,
                    const git_diff_line *line, void *payload)
{
    struct text *t = payload;
    (void)delta;
    (void)hunk;
    if (t->buf.len + line->content_len + 1 > TEXT_MOST) {
        t->full = true;
        return 1; /* enough */
    }
    if (line->origin == GIT_DIFF_LINE_CONTEXT || line->origin == GIT_DIFF_LINE_ADDITION ||
        line->origin == GIT_DIFF_LINE_DELETION)
        mgi_buf_putc(&t->buf, line->origin);
    mgi_buf_append(&t->buf, line->content, line->content_len);
    return 0;
}

/* Up to `room` bytes of an answer, whole hunks; no hunk at all is no text. */
static struct str whole_hunks(struct str text, size_t room)
{
    size_t fits = mgi_json_fit(text, room);
    if (fits == text.len)
        return text;
    for (size_t at = fits; at > 0; at--) /* a line of a file never begins with @ */
        if (text.ptr[at - 1] == '\n' && at < text.len && text.ptr[at] == '@')
            return memmem(text.ptr, at, "\n@@ ", 4) ? (struct str){ text.ptr, at }
                                                    : (struct str){ text.ptr, 0 };
    return (struct str){ text.ptr, 0 };
}

static bool put_text(struct git *g, git_patch *patch, int64_t *bytes_left, bool *cut)
{
    struct action *a = g->a;
    struct text t = { .full = false };
    mgi_buf_init(&t.buf);
    git_patch_print(patch, put_line, &t);
    if (t.buf.oom) {
        mgi_buf_fini(&t.buf);
        return mgi_action_nomem(a);
    }
    struct str text = mgi_buf_view(&t.buf);
    size_t room = mgi_action_room(a);
    room = room > ACTION_TAIL_BYTES ? room - ACTION_TAIL_BYTES : 0;
    struct str shown = whole_hunks(text, room < (size_t)*bytes_left ? room : (size_t)*bytes_left);
    if (t.full && shown.len == text.len)
        shown.len = 0;
    *cut = shown.len < text.len;
    *bytes_left -= (int64_t)shown.len;
    if (shown.len)
        mgi_jw_member_str(&a->out, "diff", shown);
    if (*cut)
        mgi_jw_member_bool(&a->out, "cut", true);
    mgi_buf_fini(&t.buf);
    return true;
}

/* ---- one file ------------------------------------------------------------------------------- */

static void put_names(struct action *a, const git_diff_delta *d)
{
    bool gone = d->status == GIT_DELTA_DELETED;
    mgi_git_put_path(a, "path", gone ? d->old_file.path : d->new_file.path);
    mgi_jw_member_cstr(&a->out, "status", mgi_git_status_word(d->status));
    if (d->status == GIT_DELTA_RENAMED || d->status == GIT_DELTA_COPIED) {
        mgi_jw_member_cstr(&a->out, "old_path", d->old_file.path);
        mgi_jw_member_int(&a->out, "similarity", d->similarity > 100 ? 100 : d->similarity);
    }
}

static void put_side(struct action *a, const git_diff_file *file, const char *mode, const char *id)
{
    if (file->mode)
        mgi_git_put_mode(a, mode, file->mode);
    if ((file->flags & GIT_DIFF_FLAG_VALID_ID) && !git_oid_is_zero(&file->id) && file->mode)
        mgi_git_put_id(a, id, &file->id);
}

static void put_sides(struct action *a, const git_diff_delta *d)
{
    put_side(a, &d->old_file, "old_mode", "old_id");
    if (d->status != GIT_DELTA_DELETED)
        put_side(a, &d->new_file, "new_mode", "new_id");
    if (is_submodule(d))
        mgi_jw_member_bool(&a->out, "submodule", true);
}

/* How many lines came and went, if that can be said. */
static bool measure(struct git *g, git_patch *patch, size_t *added, size_t *deleted, bool *binary,
                    bool *large)
{
    const git_diff_delta *d = git_patch_get_delta(patch);
    *added = *deleted = 0;
    *large = is_too_large(g, d);
    *binary = !*large && (d->flags & GIT_DIFF_FLAG_BINARY) != 0;
    int error = *large || *binary ? 0 : git_patch_line_stats(NULL, added, deleted, patch);
    return !error || mgi_git_fail(g, error, "the comparison");
}

static bool make_patch(struct git *g, git_diff *diff, size_t at, git_patch **patch)
{
    int error = git_patch_from_diff(patch, diff, at);
    if (!error)
        return true;
    const git_diff_delta *d = git_diff_get_delta(diff, at);
    return mgi_git_fail(g, error, "%s", d->new_file.path ? d->new_file.path : d->old_file.path);
}

bool mgi_git_count_lines(struct git *g, git_diff *diff, size_t at, int64_t *added, int64_t *deleted,
                         bool *counted)
{
    git_patch *patch = NULL;
    size_t came = 0, went = 0;
    bool binary = false, large = false;
    if (!make_patch(g, diff, at, &patch))
        return false;
    bool ok = !patch || measure(g, patch, &came, &went, &binary, &large);
    git_patch_free(patch);
    *added = (int64_t)came;
    *deleted = (int64_t)went;
    *counted = !binary && !large;
    return ok;
}

struct shown_change {
    struct git *g;
    const struct changes *c;
    struct change_totals *t;
    int64_t bytes_left;
    bool shown; /* this one is written, not counted alone */
};

static bool put_content(struct shown_change *s, git_patch *patch)
{
    struct action *a = s->g->a;
    size_t added, deleted;
    bool binary, large, cut = false;
    if (!measure(s->g, patch, &added, &deleted, &binary, &large))
        return false;
    s->t->added += (int64_t)added;
    s->t->deleted += (int64_t)deleted;
    if (!s->shown)
        return true;
    if (binary)
        mgi_jw_member_bool(&a->out, "binary", true);
    if (large)
        mgi_jw_member_bool(&a->out, "too_large", true);
    if (!binary && !large) {
        mgi_jw_member_int(&a->out, "added", (int64_t)added);
        mgi_jw_member_int(&a->out, "deleted", (int64_t)deleted);
    }
    if (!s->c->stat_only && !put_text(s->g, patch, &s->bytes_left, &cut))
        return false;
    s->t->truncated |= cut;
    return true;
}

static bool put_change(struct shown_change *s, git_diff *diff, size_t at)
{
    struct action *a = s->g->a;
    git_patch *patch = NULL;
    if (!s->c->no_counts && !make_patch(s->g, diff, at, &patch))
        return false;
    struct action_mark mark = mgi_action_mark(a);
    const git_diff_delta *d = git_diff_get_delta(diff, at);
    if (s->shown) {
        mgi_jw_begin_object(&a->out);
        put_names(a, d);
    }
    bool ok = !patch || put_content(s, patch);
    if (ok && s->shown) {
        put_sides(a, d);
        mgi_jw_end_object(&a->out);
        s->t->truncated |= !mgi_action_fits(a, mark);
    }
    git_patch_free(patch);
    return ok;
}

bool mgi_git_put_changes(struct git *g, const struct changes *c, git_diff *diff,
                         struct change_totals *t)
{
    struct shown_change s = { .g = g, .c = c, .t = t, .bytes_left = c->max_bytes };
    for (size_t i = 0; i < git_diff_num_deltas(diff); i++) {
        const git_diff_delta *d = git_diff_get_delta(diff, i);
        if (d->status == GIT_DELTA_UNMODIFIED ||
            (c->only && (!d->new_file.path || strcmp(d->new_file.path, c->only) != 0)))
            continue;
        if (mgi_action_stops(g->a))
            return false;
        t->files++;
        s.shown = t->files <= c->limit && mgi_action_room(g->a) > ACTION_TAIL_BYTES;
        t->truncated |= !s.shown;
        if (!put_change(&s, diff, i))
            return false;
    }
    return true;
}

bool mgi_git_put_files(struct git *g, const struct changes *c, git_diff *diff)
{
    struct action *a = g->a;
    struct change_totals t = { 0 };
    mgi_jw_key(&a->out, "files");
    mgi_jw_begin_array(&a->out);
    if (!mgi_git_put_changes(g, c, diff, &t))
        return false;
    mgi_jw_end_array(&a->out);
    mgi_jw_key(&a->out, "totals");
    mgi_jw_begin_object(&a->out);
    mgi_jw_member_int(&a->out, "files", t.files);
    mgi_jw_member_int(&a->out, "added", t.added);
    mgi_jw_member_int(&a->out, "deleted", t.deleted);
    mgi_jw_end_object(&a->out);
    mgi_jw_member_bool(&a->out, "truncated", t.truncated);
    return true;
}
