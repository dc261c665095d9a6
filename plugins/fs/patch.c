/* Changing parts of files: by a unified diff, or by exact texts that are replaced. All or nothing:
 * every new content is worked out and written beside its file before the first one takes its name,
 * and if one cannot, those that could are put back. */
#include "plugins/fs/fs.h"

#include <errno.h>
#include <unistd.h>

#include "base/alloc.h"

#define EDITS_MOST 1000
#define FILES_MOST 200

struct patched {
    struct fs_store store;
    struct str content; /* so far; in the arena */
    int64_t pieces;     /* hunks or replacements */
};

struct patch {
    struct patched files[FILES_MOST];
    size_t count;
};

/* ---- files ---------------------------------------------------------------------------------- */

static bool read_before(struct action *a, int root, struct patched *p)
{
    struct stat st;
    int fd = mgi_fs_open_file(a, root, p->store.path, PATH_FOLLOW, &st);
    if (fd < 0)
        return false;
    bool ok = mgi_fs_read_all(a, fd, p->store.path, &p->content);
    close(fd);
    char *digest = ok ? mgi_arena_alloc(&a->arena, SHA256_TEXT_BYTES) : NULL;
    if (ok && !digest)
        return mgi_action_nomem(a);
    if (!ok)
        return false;
    mgi_sha256_text(p->content, digest);
    p->store.when = FS_REPLACE;
    p->store.expected = str_of(digest);
    return true;
}

/* The file of that path, read when it is first named. NULL: the call failed. */
static struct patched *find_patched(struct action *a, int root, struct patch *patch,
                                    const char *path, bool create)
{
    for (size_t i = 0; i < patch->count; i++)
        if (strcmp(patch->files[i].store.path, path) == 0)
            return &patch->files[i];
    if (patch->count >= FILES_MOST) {
        mgi_action_fail(a, "more than %d files", FILES_MOST);
        return NULL;
    }
    struct patched *p = &patch->files[patch->count];
    *p = (struct patched){ .content = STR_LIT("") };
    mgi_fs_store_init(&p->store);
    p->store.path = path;
    if (!create && !read_before(a, root, p))
        return NULL;
    patch->count++;
    return p;
}

/* What the buffer has becomes the file's content; the buffer is finished. */
static bool take_content(struct action *a, struct patched *p, struct buf *text)
{
    struct str kept =
        text->oom ? (struct str){ NULL, 0 } : mgi_arena_str(&a->arena, mgi_buf_view(text));
    mgi_buf_fini(text);
    if (!kept.ptr)
        return mgi_action_nomem(a);
    p->content = kept;
    return true;
}

/* ---- a diff --------------------------------------------------------------------------------- */

static const char *diff_path(struct action *a, const struct diff_file *f)
{
    char *path = mgi_arena_alloc(&a->arena, PATH_MOST + 1);
    struct str name = f->creates ? f->new_name : f->old_name;
    const char *fault = path ? mgi_path_canonical(name, path) : "out of memory";
    if (!fault)
        return path;
    mgi_action_fail(a, "diff: line %zu: \"%.*s\" %s", f->at, (int)(name.len < 200 ? name.len : 200),
                    name.ptr, fault);
    return NULL;
}

static bool apply_file(struct action *a, int root, struct patch *patch, const struct diff_file *f)
{
    struct buf text, why;
    if (f->deletes)
        return mgi_action_fail(
            a,
            "diff: line %zu: a file is not deleted by a patch; there is an action "
            "for that",
            f->at);
    const char *path = diff_path(a, f);
    struct patched *p = path ? find_patched(a, root, patch, path, f->creates) : NULL;
    if (!p)
        return false;
    if (p->pieces > 0)
        return mgi_action_fail(a, "diff: line %zu: %s is named twice", f->at, path);
    mgi_buf_init(&text);
    mgi_buf_init(&why);
    bool ok = mgi_diff_apply(f, p->content, &text, &why);
    if (!ok)
        mgi_action_fail(a, "%s: %.*s", path, STR_ARG(mgi_buf_view(&why)));
    mgi_buf_fini(&why);
    p->pieces = (int64_t)f->count;
    if (ok)
        return take_content(a, p, &text);
    mgi_buf_fini(&text);
    return false;
}

/* Faults in one file do not hide those in the next. */
static bool apply_diff(struct action *a, int root, struct patch *patch)
{
    struct str text;
    struct diff diff;
    struct buf why;
    if (!mgi_arg_text(a, "diff", SIZE_MAX, &text))
        return false;
    mgi_buf_init(&why);
    bool ok = mgi_diff_parse(&a->arena, text, &diff, &why);
    if (!ok)
        mgi_action_fail(a, "diff: %.*s", STR_ARG(mgi_buf_view(&why)));
    mgi_buf_fini(&why);
    for (size_t i = 0; ok && i < diff.count; i++)
        if (apply_file(a, root, patch, &diff.files[i]), mgi_action_stops(a))
            return false;
    return ok && a->faults == 0;
}

/* ---- edits ---------------------------------------------------------------------------------- */

struct edit {
    const char *path;
    struct str old, new;
    int64_t count;
    size_t number;
};

/* One object of `edits`, read as arguments are. */
static bool read_edit(struct action *a, th_str object, struct edit *e)
{
    static const char *const known[] = { "path", "old", "new", "count", NULL };
    th_str whole = a->input;
    size_t before = a->faults;
    a->input = object;
    e->count = 1;
    if (object.ptr[0] != '{') {
        mgi_action_fail(a, "is no object");
    } else {
        mgi_arg_known(a, known);
        if (mgi_arg_need(a, "path"))
            mgi_arg_path(a, "path", &e->path);
        if (mgi_arg_need(a, "old") && mgi_arg_text(a, "old", SIZE_MAX, &e->old) && e->old.len == 0)
            mgi_action_fail(a, "old: is empty");
        if (mgi_arg_need(a, "new"))
            mgi_arg_text(a, "new", SIZE_MAX, &e->new);
        mgi_arg_int(a, "count", 1, 100000, &e->count);
    }
    a->input = whole;
    return a->faults == before || mgi_action_fail(a, "in edit %zu", e->number);
}

static size_t line_of(struct str text, size_t at)
{
    size_t line = 1;
    for (size_t i = 0; i < at; i++)
        line += text.ptr[i] == '\n';
    return line;
}

/* How often it is there, and the lines of the first few. */
static bool fail_count(struct action *a, const struct edit *e, struct str content, int64_t found)
{
    if (found == 0)
        return mgi_action_fail(a, "edit %zu: %s does not have the text \"old\"", e->number,
                               e->path);
    mgi_action_fail(a, "edit %zu: %s has the text \"old\" %lld times, not %lld: lines", e->number,
                    e->path, (long long)found, (long long)e->count);
    size_t at = 0;
    for (int i = 0; i < 10 && i < found; i++, at += e->old.len) {
        at += mgi_str_find((struct str){ content.ptr + at, content.len - at }, e->old);
        mgi_buf_printf(&a->error, "%s %zu", i ? "," : "", line_of(content, at));
    }
    return false;
}

static bool apply_edit(struct action *a, int root, struct patch *patch, const struct edit *e)
{
    struct buf text;
    int64_t found = 0;
    struct patched *p = find_patched(a, root, patch, e->path, false);
    if (!p)
        return false;
    mgi_buf_init(&text);
    const char *at = p->content.ptr, *end = at + p->content.len;
    for (const char *next; (next = memmem(at, (size_t)(end - at), e->old.ptr, e->old.len));
         found++) {
        mgi_buf_append(&text, at, (size_t)(next - at));
        mgi_buf_str(&text, e->new);
        at = next + e->old.len;
    }
    mgi_buf_append(&text, at, (size_t)(end - at));
    if (found == e->count) {
        p->pieces += found;
        return take_content(a, p, &text);
    }
    mgi_buf_fini(&text);
    return fail_count(a, e, p->content, found);
}

static bool apply_edits(struct action *a, int root, struct patch *patch)
{
    th_str list, name, value;
    size_t number = 0;
    if (!mgi_arg_raw(a, "edits", &list) || list.ptr[0] != '[')
        return mgi_action_fail(a, "edits: not a list");
    for (size_t at = 0; mgi_arg_each(list, &at, &name, &value);) {
        struct edit e = { .number = ++number };
        if (number > EDITS_MOST)
            return mgi_action_fail(a, "edits: more than %d", EDITS_MOST);
        if (read_edit(a, value, &e))
            apply_edit(a, root, patch, &e);
        if (mgi_action_stops(a))
            return false;
    }
    if (number == 0)
        mgi_action_fail(a, "edits: is empty");
    return a->faults == 0;
}

/* ---- all or nothing ------------------------------------------------------------------------- */

static bool prepare_all(struct action *a, int root, struct patch *patch)
{
    for (size_t i = 0; i < patch->count; i++) {
        struct patched *p = &patch->files[i];
        p->store.content = p->content;
        if (!mgi_fs_store_prepare(a, root, &p->store))
            return false;
    }
    return !mgi_action_stops(a);
}

static bool reserve_answer(struct action *a, const struct patch *patch)
{
    size_t bytes = 300;
    for (size_t i = 0; i < patch->count; i++)
        bytes += 6 * strlen(patch->files[i].store.path) + 300;
    return mgi_action_reserve(a, bytes);
}

static bool commit_all(struct action *a, struct patch *patch)
{
    size_t done = 0;
    while (done < patch->count && mgi_fs_store_commit(a, &patch->files[done].store))
        done++;
    if (done == patch->count)
        return true;
    while (done > 0)
        if (!mgi_fs_store_undo(a, &patch->files[--done].store))
            mgi_action_fail(a, "%s was changed, and could not be put back",
                            patch->files[done].store.path);
    return false;
}

static void put_patched(struct action *a, const struct patch *patch)
{
    int64_t pieces = 0;
    mgi_jw_key(&a->out, "files");
    mgi_jw_begin_array(&a->out);
    for (size_t i = 0; i < patch->count; i++) {
        const struct patched *p = &patch->files[i];
        char digest[SHA256_TEXT_BYTES];
        mgi_sha256_text(p->content, digest);
        mgi_jw_begin_object(&a->out);
        mgi_jw_member_cstr(&a->out, "path", p->store.path);
        mgi_jw_member_bool(&a->out, "created", !p->store.existed);
        mgi_jw_member_bool(&a->out, "changed", !p->store.unchanged);
        mgi_jw_member_int(&a->out, "size", (int64_t)p->content.len);
        mgi_jw_member_cstr(&a->out, "sha256", digest);
        mgi_jw_member_int(&a->out, "pieces", p->pieces);
        mgi_jw_end_object(&a->out);
        pieces += p->pieces;
    }
    mgi_jw_end_array(&a->out);
    mgi_jw_member_int(&a->out, "pieces", pieces);
}

bool mgi_fs_patch(struct action *a)
{
    static const char *const known[] = { "diff", "edits", "dry_run", NULL };
    bool dry_run = false;
    mgi_arg_known(a, known);
    mgi_arg_bool(a, "dry_run", &dry_run);
    bool by_diff = mgi_arg_given(a, "diff");
    if (by_diff == mgi_arg_given(a, "edits"))
        mgi_action_fail(a, "diff, edits: say one of them");
    int root = a->faults == 0 ? mgi_fs_root(a) : -1;
    struct patch *patch = root >= 0 ? mgi_calloc(1, sizeof *patch) : NULL;
    if (!patch)
        return root >= 0 ? mgi_action_nomem(a) : false;
    bool ok = (by_diff ? apply_diff : apply_edits)(a, root, patch) && prepare_all(a, root, patch) &&
              reserve_answer(a, patch) && (dry_run || commit_all(a, patch));
    if (ok)
        put_patched(a, patch);
    for (size_t i = 0; i < patch->count; i++)
        mgi_fs_store_fini(&patch->files[i].store);
    mgi_free(patch);
    return ok;
}
