/* Removing what is below a folder, following no link; see change.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugins/git/change.h"

#define FOLDERS_DEEP_MOST 256

/* The folder that has the last component. */
static int open_parent(int root, const char *path, const char **name)
{
    char folder[PATH_MOST + 1] = ".";
    const char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    if (slash) {
        if ((size_t)(slash - path) > PATH_MOST) {
            errno = ENAMETOOLONG;
            return -1;
        }
        memcpy(folder, path, (size_t)(slash - path));
        folder[slash - path] = '\0';
    }
    return mgi_open_beneath(root, folder, O_RDONLY | O_DIRECTORY, PATH_NO_LINKS, false);
}

/* Folders that are open, from the outermost. */
struct opened {
    DIR *folder;
    char name[256]; /* in the one above */
};

struct trail {
    struct removal *r;
    bool removes;
    size_t depth;
    struct opened at[FOLDERS_DEEP_MOST];
};

static bool fail_entry(const struct trail *t, const char *name, int error)
{
    return mgi_action_fail(t->r->a, "%s: %s", name, strerror(error));
}

static bool push_folder(struct trail *t, int above, const char *name)
{
    int fd = t->depth == FOLDERS_DEEP_MOST
                 ? -1
                 : openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    if (!folder) {
        int error = t->depth == FOLDERS_DEEP_MOST ? ELOOP : errno;
        if (fd >= 0)
            close(fd);
        return fail_entry(t, name, error);
    }
    struct opened *o = &t->at[t->depth++];
    o->folder = folder;
    snprintf(o->name, sizeof o->name, "%s", name);
    return true;
}

static bool count_one(const struct trail *t)
{
    struct removal *r = t->r;
    r->entries++;
    return t->removes || r->entries <= r->most ||
           mgi_action_fail(r->a, "there are more than %lld entries; nothing was removed",
                           (long long)r->most);
}

static bool take_entry(struct trail *t, int folder, const char *name)
{
    struct stat st;
    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT || fail_entry(t, name, errno);
    if (S_ISDIR(st.st_mode))
        return push_folder(t, folder, name);
    if (t->removes && unlinkat(folder, name, 0) != 0 && errno != ENOENT)
        return fail_entry(t, name, errno);
    return count_one(t);
}

static bool pop_folder(struct trail *t, int outermost)
{
    struct opened *o = &t->at[--t->depth];
    closedir(o->folder);
    int above = t->depth > 0 ? dirfd(t->at[t->depth - 1].folder) : outermost;
    if (t->removes && unlinkat(above, o->name, AT_REMOVEDIR) != 0 && errno != ENOENT)
        return fail_entry(t, o->name, errno);
    return count_one(t);
}

static bool follow(struct trail *t, int outermost)
{
    while (t->depth > 0) {
        DIR *folder = t->at[t->depth - 1].folder;
        errno = 0;
        const struct dirent *e = readdir(folder);
        if (!t->removes && mgi_action_stops(t->r->a)) /* a removal that was begun is ended */
            return false;
        if (!e ? !pop_folder(t, outermost)
               : strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
                     !take_entry(t, dirfd(folder), e->d_name))
            return false;
    }
    return true;
}

static bool go_through(struct removal *r, int root, const char *path, bool removes)
{
    const char *name;
    struct trail *t = mgi_arena_alloc(&r->a->arena, sizeof *t);
    if (!t)
        return mgi_action_nomem(r->a);
    *t = (struct trail){ .r = r, .removes = removes };
    int parent = open_parent(root, path, &name);
    if (parent < 0)
        return fail_entry(t, path, errno);
    bool ok = take_entry(t, parent, name) && follow(t, parent);
    while (t->depth > 0)
        closedir(t->at[--t->depth].folder);
    close(parent);
    return ok;
}

bool mgi_removal_count(struct removal *r, int root, const char *path)
{
    return go_through(r, root, path, false);
}

bool mgi_removal_run(struct removal *r, int root, const char *path)
{
    return go_through(r, root, path, true);
}

int mgi_remove_file(int root, const char *path)
{
    const char *name;
    int parent = open_parent(root, path, &name), error = 0;
    if (parent < 0)
        return errno;
    if (unlinkat(parent, name, 0) != 0)
        error = errno;
    close(parent);
    return error;
}

int64_t mgi_remove_empty(int root, const char *path)
{
    char folder[PATH_MOST + 1];
    int64_t removed = 0;
    if (strlen(path) > PATH_MOST)
        return 0;
    strcpy(folder, path);
    for (char *slash; (slash = strrchr(folder, '/')); removed++) {
        const char *name;
        *slash = '\0';
        int parent = open_parent(root, folder, &name);
        bool gone = parent >= 0 && unlinkat(parent, name, AT_REMOVEDIR) == 0;
        if (parent >= 0)
            close(parent);
        if (!gone)
            break;
    }
    return removed;
}
