/* One file, created or replaced as a whole: a temporary file beside it is written down to the disk
 * and takes its name. A reader sees the old content or the new one, and so does whoever looks after
 * a power failure.
 *
 * Nothing is overwritten unseen: where a file is replaced the two names are exchanged
 * (RENAME_EXCHANGE), and what then stands under the temporary one is held against what was checked
 * before. If it is another file, or was written since, the two are exchanged back. Where the file
 * system cannot exchange, the check is made just before the rename, and a second name keeps the old
 * file for mgi_fs_store_undo(). */
#include "plugins/fs/fs.h"

#include <errno.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/encode.h"

#define NEW_FILE_PERMISSIONS   0644
#define NEW_FOLDER_PERMISSIONS 0755
#define TEMPORARY_TRIES        16
#define WRITE_CHUNK            ((size_t)1 << 20)

int mgi_fs_rename(const struct action *a, int from_folder, const char *from, int to_folder,
                  const char *to, unsigned flags)
{
    if (mgi_fs_settings(a)->plain && flags) {
        errno = ENOSYS;
        return -1;
    }
    int result = (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
    return result;
}

static bool has_no_flags(int error)
{
    return error == ENOSYS || error == EINVAL || error == EOPNOTSUPP;
}

int mgi_fs_create_temporary(int folder, char name[64])
{
    for (int i = 0; i < TEMPORARY_TRIES; i++) {
        uint8_t bytes[8];
        char text[17];
        if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
            return -1;
        mgi_hex(bytes, sizeof bytes, text);
        snprintf(name, 64, ".manglecp-%s.tmp", text);
        int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

void mgi_fs_store_init(struct fs_store *s)
{
    *s = (struct fs_store){ .permissions = -1, .folder = -1 };
}

/* ---- what is there -------------------------------------------------------------------------- */

static bool read_present(struct action *a, struct fs_store *s, struct str *bytes)
{
    int fd = mgi_fs_open_file(a, s->folder, s->name, PATH_NO_LINKS, &s->before);
    if (fd < 0)
        return false;
    bool ok = mgi_fs_read_all(a, fd, s->path, bytes);
    ok = ok && (fstat(fd, &s->before) == 0 || mgi_fs_fail(a, s->path, errno));
    close(fd);
    return ok;
}

/* The file is there: may it be replaced? A store that would change nothing is done already, so that
 * one that is repeated does no harm. */
static bool check_present(struct action *a, struct fs_store *s)
{
    struct str present;
    char digest[SHA256_TEXT_BYTES];
    s->existed = true;
    if (S_ISLNK(s->before.st_mode))
        return mgi_action_fail(a, "%s: is a symbolic link; write to what it leads to", s->path);
    if (!S_ISREG(s->before.st_mode))
        return mgi_action_fail(a, "%s: is a %s, not a file", s->path,
                               mgi_fs_type(s->before.st_mode));
    if (s->when != FS_CREATE && s->expected.len == 0)
        return true;
    if (!read_present(a, s, &present))
        return false;
    s->unchanged = str_eq(present, s->content);
    if (s->unchanged)
        return true;
    if (s->when == FS_CREATE)
        return mgi_action_fail(a, "%s: is there already, with other content", s->path);
    mgi_sha256_text(present, digest);
    if (!str_is(s->expected, digest))
        return mgi_action_fail(a, "%s: has changed: its sha256 is %s", s->path, digest);
    return true;
}

static bool check_target(struct action *a, struct fs_store *s)
{
    if (fstatat(s->folder, s->name, &s->before, AT_SYMLINK_NOFOLLOW) == 0)
        return check_present(a, s);
    if (errno != ENOENT)
        return mgi_fs_fail(a, s->path, errno);
    if (s->expected.len)
        return mgi_action_fail(a, "%s: not found, and expected_sha256 speaks of its content",
                               s->path);
    if (s->when == FS_REPLACE)
        return mgi_action_fail(a, "%s: not found; to create it say \"mode\": \"create\"", s->path);
    return true;
}

/* ---- the temporary file --------------------------------------------------------------------- */

static int write_all(struct action *a, int fd, struct str bytes)
{
    for (size_t at = 0; at < bytes.len;) {
        size_t want = bytes.len - at < WRITE_CHUNK ? bytes.len - at : WRITE_CHUNK;
        ssize_t n = write(fd, bytes.ptr + at, want);
        if (n < 0 && errno != EINTR)
            return errno;
        at += n > 0 ? (size_t)n : 0;
        if (mgi_action_stops(a))
            return ECANCELED;
    }
    return 0;
}

static mode_t wanted_permissions(const struct fs_store *s)
{
    if (s->permissions >= 0)
        return (mode_t)s->permissions;
    return s->existed ? s->before.st_mode & 0777 : NEW_FILE_PERMISSIONS;
}

static bool write_temporary(struct action *a, struct fs_store *s)
{
    int fd = mgi_fs_create_temporary(s->folder, s->temporary);
    if (fd < 0)
        return mgi_fs_fail(a, s->path, errno);
    s->has_temporary = true;
    int error = write_all(a, fd, s->content);
    struct stat own;
    if (!error && s->existed && fstat(fd, &own) == 0 &&
        (own.st_uid != s->before.st_uid || own.st_gid != s->before.st_gid) &&
        fchown(fd, s->before.st_uid, s->before.st_gid) != 0) {
        /* Only a privileged process may give files away; the content matters more. */
    }
    if (!error && (fchmod(fd, wanted_permissions(s)) != 0 || fsync(fd) != 0))
        error = errno;
    close(fd);
    if (error == ECANCELED)
        return false;
    return error == 0 || mgi_fs_fail(a, s->path, error);
}

bool mgi_fs_store_prepare(struct action *a, int root, struct fs_store *s)
{
    if (strcmp(s->path, ".") == 0)
        return mgi_action_fail(a, "path: the root is no file");
    if (s->content.len > (size_t)mgi_fs_settings(a)->max_bytes)
        return mgi_action_fail(a, "%s: %zu bytes are more than the %lld that are written at once",
                               s->path, s->content.len, (long long)mgi_fs_settings(a)->max_bytes);
    s->folder = mgi_fs_open_parent(a, root, s->path, PATH_FOLLOW, &s->name);
    if (s->folder < 0)
        return errno == ENOENT
                   ? mgi_action_fail(a, "%s: its folder is not there; say \"parents\": true",
                                     s->path)
                   : mgi_fs_fail(a, s->path, errno);
    return check_target(a, s) && (s->unchanged || write_temporary(a, s));
}

/* ---- the exchange --------------------------------------------------------------------------- */

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static bool fail_changed(struct action *a, const struct fs_store *s)
{
    return mgi_action_fail(a, "%s: was changed by somebody else meanwhile; nothing was overwritten",
                           s->path);
}

/* Without flags: a hard link takes the name only if it is free. */
static bool create_plainly(struct action *a, struct fs_store *s)
{
    if (linkat(s->folder, s->temporary, s->folder, s->name, 0) != 0)
        return errno == EEXIST ? fail_changed(a, s) : mgi_fs_fail(a, s->path, errno);
    unlinkat(s->folder, s->temporary, 0);
    s->has_temporary = false;
    return true;
}

static bool commit_new(struct action *a, struct fs_store *s)
{
    if (mgi_fs_rename(a, s->folder, s->temporary, s->folder, s->name, RENAME_NOREPLACE) == 0) {
        s->has_temporary = false;
        return true;
    }
    if (errno == EEXIST)
        return fail_changed(a, s);
    return has_no_flags(errno) ? create_plainly(a, s) : mgi_fs_fail(a, s->path, errno);
}

/* The old file gets a second name, which becomes the temporary one. */
static bool replace_plainly(struct action *a, struct fs_store *s)
{
    struct stat now;
    char kept[sizeof s->temporary + 4];
    snprintf(kept, sizeof kept, "%.55s.old", s->temporary);
    if (fstatat(s->folder, s->name, &now, AT_SYMLINK_NOFOLLOW) != 0 || !is_same(&now, &s->before))
        return fail_changed(a, s);
    if (linkat(s->folder, s->name, s->folder, kept, 0) != 0)
        return mgi_fs_fail(a, s->path, errno);
    if (renameat(s->folder, s->temporary, s->folder, s->name) != 0) {
        int error = errno;
        unlinkat(s->folder, kept, 0);
        return mgi_fs_fail(a, s->path, error);
    }
    memcpy(s->temporary, kept, strlen(kept) + 1);
    return true;
}

static bool commit_replaced(struct action *a, struct fs_store *s)
{
    struct stat replaced;
    if (mgi_fs_rename(a, s->folder, s->temporary, s->folder, s->name, RENAME_EXCHANGE) != 0) {
        if (errno == ENOENT)
            return fail_changed(a, s);
        return has_no_flags(errno) ? replace_plainly(a, s) : mgi_fs_fail(a, s->path, errno);
    }
    if (fstatat(s->folder, s->temporary, &replaced, AT_SYMLINK_NOFOLLOW) == 0 &&
        is_same(&replaced, &s->before))
        return true;
    mgi_fs_rename(a, s->folder, s->temporary, s->folder, s->name, RENAME_EXCHANGE);
    return fail_changed(a, s);
}

bool mgi_fs_store_commit(struct action *a, struct fs_store *s)
{
    if (s->unchanged)
        return true;
    if (!(s->existed ? commit_replaced(a, s) : commit_new(a, s)))
        return false;
    s->committed = true;
    fsync(
        s->folder); /* the name, too; where a folder cannot be synchronised the content still is */
    return true;
}

bool mgi_fs_store_undo(const struct action *a, struct fs_store *s)
{
    if (!s->committed)
        return true;
    s->committed = false;
    if (!s->existed)
        return unlinkat(s->folder, s->name, 0) == 0;
    if (mgi_fs_rename(a, s->folder, s->temporary, s->folder, s->name, RENAME_EXCHANGE) == 0)
        return true;
    if (!has_no_flags(errno) || renameat(s->folder, s->temporary, s->folder, s->name) != 0)
        return false;
    s->has_temporary = false;
    return true;
}

void mgi_fs_store_fini(struct fs_store *s)
{
    if (s->has_temporary)
        unlinkat(s->folder, s->temporary, 0);
    if (s->folder >= 0)
        close(s->folder);
    mgi_fs_store_init(s);
}

/* ---- folders -------------------------------------------------------------------------------- */

/* The worker's mask is 077, and changing permissions afterwards would follow a link that took the
 * name meanwhile. One call runs at a time, so the mask is ours. */
int mgi_fs_mkdirat(int folder, const char *name, mode_t permissions)
{
    mode_t mask = umask(0);
    int error = mkdirat(folder, name, permissions) == 0 ? 0 : errno;
    umask(mask);
    return error;
}

/* One folder, whose parent is there. */
static bool make_folder(struct action *a, int root, const char *path, size_t *made)
{
    const char *name;
    int folder = mgi_fs_open_parent(a, root, path, PATH_FOLLOW, &name);
    if (folder < 0)
        return mgi_fs_fail(a, path, errno);
    int error = mgi_fs_mkdirat(folder, name, NEW_FOLDER_PERMISSIONS);
    *made += error == 0;
    close(folder);
    return error == 0 || error == EEXIST || mgi_fs_fail(a, path, error);
}

bool mgi_fs_make_folders(struct action *a, int root, const char *path, bool parents, size_t *made)
{
    char part[PATH_MOST + 1];
    for (size_t at = 0; path[at];) {
        at += strcspn(path + at, "/");
        memcpy(part, path, at);
        part[at] = '\0';
        bool last = path[at] == '\0';
        if ((parents || last) && !make_folder(a, root, part, made))
            return false;
        at += !last;
    }
    int fd = mgi_fs_open(a, root, path, O_PATH | O_DIRECTORY, PATH_FOLLOW);
    if (fd < 0)
        return errno == ENOTDIR ? mgi_action_fail(a, "%s: is there already, and no folder", path)
                                : mgi_fs_fail(a, path, errno);
    close(fd);
    return true;
}
