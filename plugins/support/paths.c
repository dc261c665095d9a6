/* Paths below a folder; see paths.h. */
#include "plugins/support/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/utf8.h"

#define NAME_MOST 255 /* bytes of a component, as file systems have it */

/* A link with ".." in it may meet a rename, and the kernel then asks to try again. */
#define OPEN_TRIES 64

/* ---- names ---------------------------------------------------------------------------------- */

const char *mgi_path_canonical(struct str text, char *out)
{
    size_t len = 0;
    if (text.len == 0)
        return "is empty; the root is \".\"";
    if (text.len > PATH_MOST)
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

bool mgi_arg_path(struct action *a, const char *name, const char **path)
{
    struct str text;
    if (!mgi_arg_text(a, name, PATH_MOST, &text))
        return false;
    char *out = mgi_arena_alloc(&a->arena, PATH_MOST + 1);
    if (!out)
        return mgi_action_nomem(a);
    const char *fault = mgi_path_canonical(text, out);
    if (fault)
        return mgi_action_fail(a, "%s: \"%.*s\" %s", name, STR_ARG(mgi_utf8_prefix(text, 200)),
                               fault);
    *path = out;
    return true;
}

/* ---- opening -------------------------------------------------------------------------------- */

static int open_by_kernel(int base, const char *path, int flags, enum path_links links)
{
    struct open_how how = {
        .flags = (uint64_t)(unsigned)flags,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS |
                   (links == PATH_NO_LINKS ? RESOLVE_NO_SYMLINKS : 0),
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
        if (len > NAME_MOST || (len == 2 && memcmp(path, "..", 2) == 0)) { /* not canonical */
            if (at != base)
                close(at);
            errno = len > NAME_MOST ? ENAMETOOLONG : EXDEV;
            return -1;
        }
        memcpy(name, path, len);
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

int mgi_open_beneath(int base, const char *path, int flags, enum path_links links, bool plain)
{
    flags |= O_CLOEXEC;
    if (!(flags & O_PATH))
        flags |= O_NOCTTY | O_NONBLOCK;
    if (!plain) {
        int fd = open_by_kernel(base, path, flags, links);
        if (fd >= 0 || (errno != ENOSYS && errno != EPERM)) /* EPERM: what some filters say */
            return fd;
    }
    return open_by_walking(base, path, flags);
}
