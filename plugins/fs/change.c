/* Moving, copying and deleting. Neither move nor copy ever replaces anything, and the root itself
 * is never touched. What goes through many entries is bounded, and says how far it came when it
 * could not go on. */
#include "plugins/fs/fs.h"

#include <errno.h>
#include <linux/fs.h>
#include <stdio.h>
#include <unistd.h>

#define ENTRIES_DEFAULT 1000
#define ENTRIES_MOST    20000
#define COPY_CHUNK      ((size_t)256 * 1024)

static bool named_entry(struct action *a, const char *argument, const char **path)
{
    if (!mgi_arg_need(a, argument) || !mgi_arg_path(a, argument, path))
        return false;
    return strcmp(*path, ".") != 0 ||
           mgi_action_fail(a, "%s: the root itself is left alone", argument);
}

/* ---- move ----------------------------------------------------------------------------------- */

static bool fail_move(struct action *a, const char *from, const char *to, int error)
{
    if (error == EEXIST || error == ENOTEMPTY)
        return mgi_action_fail(a, "%s: is there already; nothing is ever replaced by a move", to);
    if (error == EXDEV)
        return mgi_action_fail(a, "%s: is on another file system; copy it and delete it", to);
    if (error == EINVAL)
        return mgi_action_fail(a, "%s: a folder cannot go into itself", from);
    return mgi_fs_fail(a, from, error);
}

/* Without RENAME_NOREPLACE a file can take a free name by a hard link, and a folder by a rename
 * over an empty one that was made for it. */
static int move_plainly(int from, const char *name, int to, const char *new_name)
{
    struct stat st;
    if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return errno;
    if (S_ISDIR(st.st_mode)) {
        if (mkdirat(to, new_name, 0700) != 0)
            return errno;
        if (renameat(from, name, to, new_name) == 0)
            return 0;
        int error = errno;
        unlinkat(to, new_name, AT_REMOVEDIR);
        return error;
    }
    if (linkat(from, name, to, new_name, 0) != 0)
        return errno;
    return unlinkat(from, name, 0) == 0 ? 0 : errno;
}

static bool move_between(struct action *a, int from, const char *name, int to, const char *new_name,
                         const char *from_path, const char *to_path)
{
    int error = 0;
    if (mgi_fs_rename(a, from, name, to, new_name, RENAME_NOREPLACE) != 0)
        error = errno;
    if (error == ENOSYS || error == EINVAL)
        error = move_plainly(from, name, to, new_name);
    if (error)
        return fail_move(a, from_path, to_path, error);
    fsync(from);
    fsync(to);
    return true;
}

static bool is_below(const char *path, const char *folder)
{
    size_t len = strlen(folder);
    return strncmp(path, folder, len) == 0 && path[len] == '/';
}

bool mgi_fs_move(struct action *a)
{
    static const char *const known[] = { "path", "to", NULL };
    const char *from = NULL, *to = NULL, *name, *new_name;
    mgi_arg_known(a, known);
    if (named_entry(a, "path", &from) + named_entry(a, "to", &to) == 2 && is_below(to, from))
        fail_move(a, from, to, EINVAL);
    int root = a->faults == 0 ? mgi_fs_root(a) : -1;
    if (root < 0)
        return false;
    int source = mgi_fs_open_parent(a, root, from, PATH_FOLLOW, &name);
    if (source < 0)
        return mgi_fs_fail(a, from, errno);
    int target = mgi_fs_open_parent(a, root, to, PATH_FOLLOW, &new_name);
    bool ok = target >= 0 ? move_between(a, source, name, target, new_name, from, to)
                          : mgi_fs_fail(a, to, errno);
    close(source);
    if (target >= 0)
        close(target);
    if (!ok)
        return false;
    mgi_jw_member_cstr(&a->out, "path", from);
    mgi_jw_member_cstr(&a->out, "to", to);
    return true;
}

/* ---- delete --------------------------------------------------------------------------------- */

/* All entries of the folder `name`, or a fault before anything was changed. */
static int walk_whole(struct action *a, int folder, const char *name, const char *path,
                      int64_t most, struct fs_walk *walk)
{
    int start = mgi_fs_open(a, folder, name, O_RDONLY | O_DIRECTORY, PATH_NO_LINKS);
    *walk = (struct fs_walk){ .depth = FS_DEPTH_MOST, .hidden = true, .most = (size_t)most };
    if (start < 0) {
        mgi_fs_fail(a, path, errno);
        return -1;
    }
    if (!mgi_fs_walk(a, start, walk)) {
        /* told already */
    } else if (walk->incomplete) {
        mgi_action_fail(a, "%s: has more than %lld entries (max_entries); nothing was done", path,
                        (long long)most);
    } else if (walk->deeper || walk->unreadable || walk->unnamed) {
        mgi_action_fail(
            a,
            "%s: cannot be read whole (too deep, unreadable, or names that are no UTF-8); "
            "nothing was done",
            path);
    } else {
        return start;
    }
    close(start);
    return -1;
}

/* Entries last first, so that a folder comes behind all that is in it. */
static bool delete_entries(struct action *a, int start, const struct fs_walk *walk,
                           const char *path, int64_t *deleted)
{
    for (size_t i = walk->count; i-- > 0;) {
        const struct fs_entry *e = &walk->entries[i];
        const char *name;
        int error = 0, folder = mgi_fs_open_parent(a, start, e->path, PATH_NO_LINKS, &name);
        if (folder < 0 || unlinkat(folder, name, S_ISDIR(e->st.st_mode) ? AT_REMOVEDIR : 0) != 0)
            error = errno;
        if (folder >= 0)
            close(folder);
        if (error && error != ENOENT) {
            mgi_fs_fail(a, mgi_fs_join(&a->arena, path, e->path), error);
            return mgi_action_fail(a, "%lld of %zu entries were deleted", (long long)*deleted,
                                   walk->count + 1);
        }
        *deleted += error == 0;
        if (mgi_action_stops(a))
            return mgi_action_fail(a, "%lld of %zu entries were deleted", (long long)*deleted,
                                   walk->count + 1);
    }
    return true;
}

static bool delete_below(struct action *a, int folder, const char *name, const char *path,
                         int64_t most, int64_t *deleted)
{
    struct fs_walk walk;
    int start = walk_whole(a, folder, name, path, most, &walk);
    if (start < 0)
        return false;
    bool ok = delete_entries(a, start, &walk, path, deleted);
    close(start);
    return ok;
}

static bool delete_named(struct action *a, int folder, const char *name, const char *path,
                         bool recursive, int64_t most)
{
    struct stat st;
    int64_t deleted = 0;
    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return mgi_fs_fail(a, path, errno);
    bool is_folder = S_ISDIR(st.st_mode);
    if (is_folder && recursive && !delete_below(a, folder, name, path, most, &deleted))
        return false;
    if (unlinkat(folder, name, is_folder ? AT_REMOVEDIR : 0) != 0)
        return mgi_fs_fail(a, path, errno);
    fsync(folder);
    mgi_jw_member_cstr(&a->out, "path", path);
    mgi_jw_member_cstr(&a->out, "type", mgi_fs_type(st.st_mode));
    mgi_jw_member_int(&a->out, "deleted", deleted + 1);
    return true;
}

bool mgi_fs_delete(struct action *a)
{
    static const char *const known[] = { "path", "recursive", "max_entries", NULL };
    const char *path = NULL, *name;
    bool recursive = false;
    int64_t most = ENTRIES_DEFAULT;
    mgi_arg_known(a, known);
    named_entry(a, "path", &path);
    mgi_arg_bool(a, "recursive", &recursive);
    mgi_arg_int(a, "max_entries", 1, ENTRIES_MOST, &most);
    int root = a->faults == 0 ? mgi_fs_root(a) : -1;
    if (root < 0)
        return false;
    int folder = mgi_fs_open_parent(a, root, path, PATH_FOLLOW, &name);
    if (folder < 0)
        return mgi_fs_fail(a, path, errno);
    bool ok = delete_named(a, folder, name, path, recursive, most);
    close(folder);
    return ok;
}

/* ---- copy ----------------------------------------------------------------------------------- */

struct copying {
    int64_t files, folders, bytes, skipped;
};

static int copy_bytes(struct action *a, int from, int to, int64_t *bytes)
{
    char *chunk = mgi_arena_alloc(&a->arena, COPY_CHUNK);
    int64_t left = mgi_fs_settings(a)->max_bytes;
    if (!chunk)
        return ENOMEM;
    for (;;) {
        ssize_t n = read(from, chunk, COPY_CHUNK);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0 ? 0 : errno;
        left -= n;
        if (left < 0)
            return EFBIG;
        for (ssize_t at = 0; at < n;) {
            ssize_t written = write(to, chunk + at, (size_t)(n - at));
            if (written < 0 && errno != EINTR)
                return errno;
            at += written > 0 ? written : 0;
        }
        *bytes += n;
        if (mgi_action_stops(a))
            return ECANCELED;
    }
}

/* The open file into `folder`, under a name that is free. */
static bool copy_open_file(struct action *a, int from, mode_t mode, int folder, const char *name,
                           const char *path, struct copying *c)
{
    char temporary[64];
    struct arena_mark mark = mgi_arena_mark(&a->arena);
    int to = mgi_fs_create_temporary(folder, temporary);
    if (to < 0)
        return mgi_fs_fail(a, path, errno);
    int error = copy_bytes(a, from, to, &c->bytes);
    mgi_arena_rewind(&a->arena, mark);
    if (!error && (fchmod(to, mode & 0777) != 0 || fsync(to) != 0))
        error = errno;
    close(to);
    if (!error && mgi_fs_rename(a, folder, temporary, folder, name, RENAME_NOREPLACE) != 0) {
        error = errno;
        if (error == ENOSYS || error == EINVAL)
            error = move_plainly(folder, temporary, folder, name);
    }
    if (error)
        unlinkat(folder, temporary, 0);
    c->files += error == 0;
    if (error == ECANCELED || error == ENOMEM)
        return error == ENOMEM ? mgi_action_nomem(a) : false;
    return error == 0 || mgi_fs_fail(a, path, error);
}

static bool copy_file(struct action *a, int base, const char *from, enum path_links links,
                      int folder, const char *name, const char *path, struct copying *c)
{
    struct stat st;
    int fd = mgi_fs_open_file(a, base, from, links, &st);
    if (fd < 0)
        return false;
    bool ok =
        st.st_size <= mgi_fs_settings(a)->max_bytes ||
        mgi_action_fail(a, "%s: has %lld bytes, more than the %lld that are copied at once", from,
                        (long long)st.st_size, (long long)mgi_fs_settings(a)->max_bytes);
    ok = ok && copy_open_file(a, fd, st.st_mode, folder, name, path, c);
    close(fd);
    return ok;
}

static bool copy_entry(struct action *a, int from, int to, const struct fs_entry *e,
                       const char *path, struct copying *c)
{
    const char *name;
    if (!S_ISREG(e->st.st_mode) && !S_ISDIR(e->st.st_mode)) {
        c->skipped++;
        return true;
    }
    int folder = mgi_fs_open_parent(a, to, e->path, PATH_NO_LINKS, &name);
    if (folder < 0)
        return mgi_fs_fail(a, path, errno);
    bool ok;
    if (S_ISREG(e->st.st_mode)) {
        ok = copy_file(a, from, e->path, PATH_NO_LINKS, folder, name, path, c);
    } else {
        int error = mgi_fs_mkdirat(folder, name, (e->st.st_mode & 0777) | 0700);
        c->folders += error == 0;
        ok = error == 0 || mgi_fs_fail(a, path, error);
    }
    close(folder);
    return ok;
}

static bool copy_entries(struct action *a, int from, int to, const struct fs_walk *walk,
                         const char *path, struct copying *c)
{
    for (size_t i = 0; i < walk->count; i++) {
        const char *shown = mgi_fs_join(&a->arena, path, walk->entries[i].path);
        if (!shown)
            return mgi_action_nomem(a);
        if (!copy_entry(a, from, to, &walk->entries[i], shown, c) || mgi_action_stops(a))
            return mgi_action_fail(a, "%s has what was copied: %lld files and %lld folders", path,
                                   (long long)c->files, (long long)c->folders);
    }
    return true;
}

static bool copy_folder(struct action *a, int root, const char *from, int folder, const char *name,
                        const char *path, int64_t most, struct copying *c)
{
    struct fs_walk walk;
    if (is_below(path, from))
        return mgi_action_fail(a, "%s: a folder cannot go into itself", from);
    int start = walk_whole(a, root, from, from, most, &walk);
    if (start < 0)
        return false;
    int error = mgi_fs_mkdirat(folder, name, 0755), to = -1;
    if (!error) {
        c->folders++;
        to = mgi_fs_open(a, folder, name, O_RDONLY | O_DIRECTORY, PATH_NO_LINKS);
        error = to < 0 ? errno : 0;
    }
    bool ok = !error ? copy_entries(a, start, to, &walk, path, c) : mgi_fs_fail(a, path, error);
    close(start);
    if (to >= 0)
        close(to);
    return ok;
}

static bool copy_to(struct action *a, int root, const char *from, const char *to, bool recursive,
                    int64_t most, struct copying *c)
{
    struct stat st;
    const char *name;
    int seen = mgi_fs_open(a, root, from, O_PATH, PATH_FOLLOW);
    if (seen < 0 || fstat(seen, &st) != 0) {
        mgi_fs_fail(a, from, errno);
        if (seen >= 0)
            close(seen);
        return false;
    }
    close(seen);
    if (S_ISDIR(st.st_mode) && !recursive)
        return mgi_action_fail(
            a, "%s: is a folder; to copy all that is in it say \"recursive\": true", from);
    int folder = mgi_fs_open_parent(a, root, to, PATH_FOLLOW, &name);
    if (folder < 0)
        return mgi_fs_fail(a, to, errno);
    bool ok = S_ISDIR(st.st_mode) ? copy_folder(a, root, from, folder, name, to, most, c)
                                  : copy_file(a, root, from, PATH_FOLLOW, folder, name, to, c);
    if (ok)
        fsync(folder);
    close(folder);
    return ok;
}

bool mgi_fs_copy(struct action *a)
{
    static const char *const known[] = { "path", "to", "recursive", "max_entries", NULL };
    const char *from = NULL, *to = NULL;
    bool recursive = false;
    int64_t most = ENTRIES_DEFAULT;
    struct copying c = { 0 };
    mgi_arg_known(a, known);
    named_entry(a, "path", &from);
    named_entry(a, "to", &to);
    mgi_arg_bool(a, "recursive", &recursive);
    mgi_arg_int(a, "max_entries", 1, ENTRIES_MOST, &most);
    int root = a->faults == 0 ? mgi_fs_root(a) : -1;
    if (root < 0 || !copy_to(a, root, from, to, recursive, most, &c))
        return false;
    mgi_jw_member_cstr(&a->out, "path", from);
    mgi_jw_member_cstr(&a->out, "to", to);
    mgi_jw_member_int(&a->out, "files", c.files);
    mgi_jw_member_int(&a->out, "folders", c.folders);
    mgi_jw_member_int(&a->out, "bytes", c.bytes);
    mgi_jw_member_int(&a->out, "skipped", c.skipped);
    return true;
}
