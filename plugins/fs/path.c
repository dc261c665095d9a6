/* What is below the root, and what it leads to; see fs.h for the promise. */
#include "plugins/fs/fs.h"

#include <errno.h>
#include <unistd.h>

#include "base/time.h"

#define READ_CHUNK ((size_t)1 << 20)

const char *mgi_fs_join(struct arena *arena, const char *folder, const char *rest)
{
    if (strcmp(folder, ".") == 0)
        return rest;
    if (strcmp(rest, ".") == 0)
        return folder;
    return mgi_arena_printf(arena, "%s/%s", folder, rest);
}

/* ---- opening -------------------------------------------------------------------------------- */

static void close_later(void *fd)
{
    close((int)(intptr_t)fd);
}

int mgi_fs_root(struct action *a)
{
    int fd = open(mgi_fs_settings(a)->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        mgi_fs_fail(a, "the root", errno);
        return -1;
    }
    if (!mgi_arena_defer(&a->arena, close_later, (void *)(intptr_t)fd)) {
        mgi_action_nomem(a);
        return -1;
    }
    return fd;
}

int mgi_fs_open(const struct action *a, int base, const char *path, int flags,
                enum path_links links)
{
    return mgi_open_beneath(base, path, flags, links, mgi_fs_settings(a)->plain);
}

int mgi_fs_open_parent(const struct action *a, int base, const char *path, enum path_links links,
                       const char **name)
{
    char folder[PATH_MOST + 1] = ".";
    const char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    if (slash) {
        memcpy(folder, path, (size_t)(slash - path));
        folder[slash - path] = '\0';
    }
    return mgi_fs_open(a, base, folder, O_RDONLY | O_DIRECTORY, links);
}

static bool fail_type(struct action *a, const char *path, mode_t mode)
{
    return mgi_action_fail(a, "%s: is a %s, not a file", path, mgi_fs_type(mode));
}

int mgi_fs_open_file(struct action *a, int base, const char *path, enum path_links links,
                     struct stat *st)
{
    /* Look first: to open a device or a pipe can do something, even without blocking. */
    int seen = mgi_fs_open(a, base, path, O_PATH, links);
    if (seen < 0 || fstat(seen, st) != 0) {
        mgi_fs_fail(a, path, errno);
        if (seen >= 0)
            close(seen);
        return -1;
    }
    close(seen);
    if (!S_ISREG(st->st_mode)) {
        fail_type(a, path, st->st_mode);
        return -1;
    }
    int fd = mgi_fs_open(a, base, path, O_RDONLY, links);
    if (fd < 0 || fstat(fd, st) != 0) {
        mgi_fs_fail(a, path, errno);
    } else if (!S_ISREG(st->st_mode)) {
        fail_type(a, path, st->st_mode);
    } else {
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

bool mgi_fs_read_all(struct action *a, int fd, const char *path, struct str *bytes)
{
    struct stat st;
    size_t most = (size_t)mgi_fs_settings(a)->max_bytes, len = 0;
    if (fstat(fd, &st) != 0)
        return mgi_fs_fail(a, path, errno);
    if (st.st_size > (off_t)most)
        return mgi_action_fail(a, "%s: has %lld bytes, more than the %zu that are read at once",
                               path, (long long)st.st_size, most);
    size_t room = (size_t)st.st_size + 1; /* one more, to see the end, and for a NUL */
    char *out = mgi_arena_alloc(&a->arena, room);
    if (!out)
        return mgi_action_nomem(a);
    while (len < room - 1) {
        size_t want = room - 1 - len < READ_CHUNK ? room - 1 - len : READ_CHUNK;
        ssize_t n = read(fd, out + len, want);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return mgi_fs_fail(a, path, errno);
        if (n == 0)
            break;
        len += (size_t)n;
        if (mgi_action_stops(a))
            return false;
    }
    out[len] = '\0';
    *bytes = (struct str){ out, len };
    return true;
}

/* ---- words ---------------------------------------------------------------------------------- */

static const struct {
    int error;
    const char *text;
} meanings[] = {
    { ENOENT, "not found" },
    { EXDEV, "leads out of the root" },
    { ELOOP, "a symbolic link stands in the way" },
    { EACCES, "permission denied" },
    { EPERM, "not permitted" },
    { ENOTDIR, "a part of the path is no folder" },
    { EISDIR, "is a folder" },
    { EEXIST, "is there already" },
    { ENOTEMPTY, "the folder is not empty; to delete all that is in it say \"recursive\": true" },
    { ENOSPC, "no space left" },
    { EDQUOT, "no space left for this user" },
    { EROFS, "the file system is read-only" },
    { EFBIG, "more than the process may write" },
    { ENXIO, "nothing is at the other end" },
    { EAGAIN, "is being changed all the time" },
    { EMFILE, "too many open files" },
    { EBUSY, "is in use" },
};

bool mgi_fs_fail(struct action *a, const char *path, int error)
{
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (meanings[i].error == error)
            return mgi_action_fail(a, "%s: %s", path, meanings[i].text);
    return mgi_action_fail(a, "%s: %s", path, strerror(error));
}

const char *mgi_fs_type(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFREG:
        return "file";
    case S_IFDIR:
        return "folder";
    case S_IFLNK:
        return "symlink";
    case S_IFIFO:
        return "fifo";
    case S_IFSOCK:
        return "socket";
    default:
        return "device";
    }
}

int64_t mgi_fs_modified_ns(const struct stat *st)
{
    return (int64_t)st->st_mtim.tv_sec * NS_PER_SEC + st->st_mtim.tv_nsec;
}

void mgi_fs_put_permissions(struct action *a, mode_t mode)
{
    char text[5] = { '0', (char)('0' + (mode >> 6 & 7)), (char)('0' + (mode >> 3 & 7)),
                     (char)('0' + (mode & 7)), '\0' };
    mgi_jw_member_cstr(&a->out, "permissions", text);
}
