/* Paths below the root, and what they lead to; see fs.h for the promise. */
#include "plugins/fs/fs.h"

#include <errno.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/time.h"
#include "base/utf8.h"

#define NAME_MOST 255 /* bytes of a component, as file systems have it */

/* A link with ".." in it may meet a rename, and the kernel then asks to try again. */
#define OPEN_TRIES 64

#define READ_CHUNK ((size_t)1 << 20)

/* ---- names ---------------------------------------------------------------------------------- */

const char *mgi_fs_canonical(struct str text, char *out)
{
    size_t len = 0;
    if (text.len == 0)
        return "is empty; the root is \".\"";
    if (text.len > FS_PATH_MOST)
        return "is longer than 4000 bytes";
    if (memchr(text.ptr, '\0', text.len))
        return "has a NUL in it";
    if (!mgi_utf8_valid(text, NULL))
        return "is no UTF-8";
    if (text.ptr[0] == '/')
        return "is absolute; paths begin at the root";
    for (size_t at = 0; at < text.len;) {
        const char *slash = memchr(text.ptr + at, '/', text.len - at);
        struct str part = { text.ptr + at,
                            slash ? (size_t)(slash - text.ptr) - at : text.len - at };
        at += part.len + 1;
        if (part.len == 0 || str_is(part, "."))
            continue;
        if (str_is(part, ".."))
            return "has \"..\" in it";
        if (part.len > NAME_MOST)
            return "has a name of more than 255 bytes";
        if (len)
            out[len++] = '/';
        memcpy(out + len, part.ptr, part.len);
        len += part.len;
    }
    if (len == 0)
        out[len++] = '.';
    out[len] = '\0';
    return NULL;
}

bool mgi_fs_arg_path(struct action *a, const char *name, const char **path)
{
    struct str text;
    if (!mgi_arg_text(a, name, FS_PATH_MOST, &text))
        return false;
    char *out = mgi_arena_alloc(&a->arena, FS_PATH_MOST + 1);
    if (!out)
        return mgi_action_nomem(a);
    const char *fault = mgi_fs_canonical(text, out);
    if (fault)
        return mgi_action_fail(a, "%s: \"%.*s\" %s", name, STR_ARG(mgi_utf8_prefix(text, 200)),
                               fault);
    *path = out;
    return true;
}

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

static int open_by_kernel(int base, const char *path, int flags, enum fs_links links)
{
    struct open_how how = {
        .flags = (uint64_t)(unsigned)flags,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS |
                   (links == FS_NO_LINKS ? RESOLVE_NO_SYMLINKS : 0),
    };
    for (int i = 0; i < OPEN_TRIES; i++) {
        int fd = (int)syscall(SYS_openat2, base, path, &how, sizeof how);
        if (fd >= 0 || (errno != EAGAIN && errno != EINTR))
            return fd;
    }
    return -1;
}

/* One component, which must be no link: openat() says ENOTDIR of some, and O_PATH opens one. */
static int open_component(int folder, const char *name, int flags)
{
    struct stat st;
    int fd = openat(folder, name, flags | O_NOFOLLOW);
    if (fd < 0) {
        int error = errno;
        if (error == ENOTDIR && fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISLNK(st.st_mode))
            error = ELOOP;
        errno = error;
        return -1;
    }
    if ((flags & O_PATH) && !(flags & O_NOFOLLOW) && fstat(fd, &st) == 0 && S_ISLNK(st.st_mode)) {
        close(fd);
        errno = ELOOP;
        return -1;
    }
    return fd;
}

/* Each component by itself, following nothing. */
static int open_by_walking(int base, const char *path, int flags)
{
    char name[NAME_MOST + 1];
    int at = base;
    for (;;) {
        size_t len = strcspn(path, "/");
        bool last = path[len] == '\0';
        memcpy(name, path, len); /* canonical: at most NAME_MOST */
        name[len] = '\0';
        int fd = open_component(at, name, last ? flags : O_PATH | O_DIRECTORY | O_CLOEXEC);
        int error = errno;
        if (at != base)
            close(at);
        if (fd < 0 || last) {
            errno = error;
            return fd;
        }
        at = fd;
        path += len + 1;
    }
}

int mgi_fs_open(const struct action *a, int base, const char *path, int flags, enum fs_links links)
{
    flags |= O_CLOEXEC;
    if (!(flags & O_PATH))
        flags |= O_NOCTTY | O_NONBLOCK;
    if (!mgi_fs_settings(a)->plain) {
        int fd = open_by_kernel(base, path, flags, links);
        if (fd >= 0 || (errno != ENOSYS && errno != EPERM)) /* EPERM: what some filters say */
            return fd;
    }
    return open_by_walking(base, path, flags);
}

int mgi_fs_open_parent(const struct action *a, int base, const char *path, enum fs_links links,
                       const char **name)
{
    char folder[FS_PATH_MOST + 1] = ".";
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

int mgi_fs_open_file(struct action *a, int base, const char *path, enum fs_links links,
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

void mgi_fs_put_time(struct action *a, const char *name, int64_t ns)
{
    char text[TIME_TEXT_BYTES];
    mgi_jw_key_str(&a->out, str_of(name));
    mgi_jw_string(&a->out, (struct str){ text, mgi_time_format(text, ns) });
}

void mgi_fs_put_permissions(struct action *a, mode_t mode)
{
    char text[5] = { '0', (char)('0' + (mode >> 6 & 7)), (char)('0' + (mode >> 3 & 7)),
                     (char)('0' + (mode & 7)), '\0' };
    mgi_jw_member_cstr(&a->out, "permissions", text);
}
