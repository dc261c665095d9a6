/* A private folder for what foreign code writes: made, emptied and removed by its owner, who never
 * follows what it finds in there. While the owner lives it holds a lock on the folder, so that the
 * next one can tell what was left behind by an owner that was killed.
 *
 * Emptying needs no recursion, however deep the code has nested: a folder's folders that are not
 * empty are first moved up, beside it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "confine/confine_int.h"

#define NAME_BEGIN  "manglecp-confined-"
#define MAX_STEPS   100000
#define MAX_STALE   16
#define MAX_LOOKED  2000 /* names of a large folder: not worth more time of every start */
#define STALE_AFTER 60   /* seconds: one that was made this moment may not be locked yet */

/* ---- emptying ----------------------------------------------------------------------------- */

struct emptying {
    int top;
    size_t steps, moved;
    bool stuck;
};

/* Open a folder for reading its names, whatever mode its maker gave it. */
static DIR *open_names(int at, const char *name)
{
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && errno == EACCES && fchmodat(at, name, 0700, AT_SYMLINK_NOFOLLOW) == 0)
        fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && errno == EACCES) { /* older C libraries cannot change a mode without following */
        int path = openat(at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        char link[40];
        snprintf(link, sizeof link, "/proc/self/fd/%d", path);
        if (path >= 0 && chmod(link, 0700) == 0)
            fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (path >= 0)
            close(path);
    }
    if (fd < 0)
        return NULL;
    (void)!fchmod(fd, 0700); /* or nothing could be removed from it */
    DIR *dir = fdopendir(fd);
    if (!dir)
        close(fd);
    return dir;
}

static const char *next_name(struct emptying *e, DIR *dir)
{
    struct dirent *entry;
    while ((entry = readdir(dir)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            break;
    if (!entry || ++e->steps > MAX_STEPS)
        return NULL;
    return entry->d_name;
}

static bool remove_plainly(int at, const char *name)
{
    return unlinkat(at, name, 0) == 0 || errno == ENOENT || unlinkat(at, name, AT_REMOVEDIR) == 0;
}

/* Its content goes, or moves up; then it goes. */
static void remove_folder(struct emptying *e, const char *name)
{
    DIR *dir = open_names(e->top, name);
    const char *inside;
    while (dir && (inside = next_name(e, dir))) {
        char higher[40];
        snprintf(higher, sizeof higher, ".moved-%zu", e->moved++);
        if (!remove_plainly(dirfd(dir), inside) &&
            renameat(dirfd(dir), inside, e->top, higher) != 0)
            break;
    }
    if (dir)
        closedir(dir);
    e->stuck = unlinkat(e->top, name, AT_REMOVEDIR) != 0 && errno != ENOENT;
}

/* One pass. False: there was nothing. */
static bool empty_once(struct emptying *e)
{
    DIR *dir = open_names(e->top, ".");
    bool any = false;
    const char *name;
    while (dir && !e->stuck && (name = next_name(e, dir))) {
        any = true;
        if (!remove_plainly(e->top, name))
            remove_folder(e, name);
    }
    e->stuck = e->stuck || !dir;
    if (dir)
        closedir(dir);
    return any;
}

static bool empty(int fd)
{
    struct emptying e = { .top = fd };
    while (!e.stuck && e.steps <= MAX_STEPS && empty_once(&e)) {
    }
    return !e.stuck && e.steps <= MAX_STEPS;
}

bool mgi_confine_folder_empty(struct confine_folder *folder)
{
    return folder->path[0] == '\0' || empty(folder->fd);
}

/* ---- stale folders ------------------------------------------------------------------------ */

static int open_folder(int at, const char *name)
{
    return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Ours, old enough, and locked by nobody. */
static bool is_stale(int fd)
{
    struct stat about;
    return fstat(fd, &about) == 0 && about.st_uid == geteuid() &&
           about.st_mtime + STALE_AFTER < time(NULL) && flock(fd, LOCK_EX | LOCK_NB) == 0;
}

static void remove_stale(const char *under)
{
    DIR *dir = opendir(under);
    int removed = 0, looked = 0;
    for (struct dirent *e;
         dir && removed < MAX_STALE && looked++ < MAX_LOOKED && (e = readdir(dir));) {
        if (strncmp(e->d_name, NAME_BEGIN, sizeof NAME_BEGIN - 1) != 0 ||
            strlen(e->d_name) != sizeof NAME_BEGIN - 1 + 6)
            continue;
        int fd = open_folder(dirfd(dir), e->d_name);
        if (fd >= 0 && is_stale(fd) && empty(fd)) {
            unlinkat(dirfd(dir), e->d_name, AT_REMOVEDIR);
            removed++;
        }
        if (fd >= 0)
            close(fd);
    }
    if (dir)
        closedir(dir);
}

/* ---- a folder's life ---------------------------------------------------------------------- */

static bool make(struct confine_folder *f, const char *under)
{
    int len = snprintf(f->path, sizeof f->path, "%s/" NAME_BEGIN "XXXXXX", under);
    if (len < 0 || (size_t)len >= sizeof f->path || !mkdtemp(f->path)) {
        f->path[0] = '\0';
        return false;
    }
    int fd = open_folder(AT_FDCWD, f->path);
    f->fd = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FD);
    if (fd >= 0)
        close(fd);
    if (f->fd >= 0 && flock(f->fd, LOCK_EX | LOCK_NB) == 0)
        return true;
    int failed = errno;
    mgi_confine_folder_remove(f);
    errno = failed;
    return false;
}

bool mgi_confine_folder_make(struct confine_folder *f, const char *under)
{
    *f = (struct confine_folder){ .fd = -1 };
    if (!under || under[0] != '/')
        under = "/tmp";
    remove_stale(under);
    return make(f, under) || (strcmp(under, "/tmp") != 0 && make(f, "/tmp"));
}

void mgi_confine_folder_remove(struct confine_folder *f)
{
    if (f->path[0] == '\0')
        return;
    mgi_confine_folder_empty(f);
    rmdir(f->path);
    if (f->fd >= 0)
        close(f->fd);
    *f = (struct confine_folder){ .fd = -1 };
}
