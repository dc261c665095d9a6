/* What is below a folder. A list that is read while it grows: each folder found is opened anew from
 * the start of the walk, so one descriptor is open at a time, however deep it goes, and a folder
 * that was exchanged for a link meanwhile is not entered. */
#include "plugins/fs/fs.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/utf8.h"

#define ENTRIES_PER_LOOK 64 /* at the clock */

static size_t depth_of(const char *path)
{
    size_t depth = 1;
    for (; (path = strchr(path, '/')); path++)
        depth++;
    return depth;
}

static bool add_entry(struct action *a, struct fs_walk *walk, const char *folder, const char *name,
                      const struct stat *st)
{
    struct fs_entry *e;
    if (!mgi_arena_grow(&a->arena, &walk->entries, &walk->cap, walk->count + 1, sizeof *e))
        return mgi_action_nomem(a);
    const char *kept = mgi_arena_strdup(&a->arena, name);
    const char *path = kept ? mgi_fs_join(&a->arena, folder, kept) : NULL;
    if (!path)
        return mgi_action_nomem(a);
    walk->entries[walk->count++] = (struct fs_entry){ path, *st };
    return true;
}

/* One name of a folder. False: the call failed. */
static bool take_name(struct action *a, struct fs_walk *walk, DIR *dir, const char *folder,
                      const char *name)
{
    struct stat st;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return true;
    if (name[0] == '.' && !walk->hidden) {
        walk->hidden_skipped++;
    } else if (!mgi_utf8_valid(str_of(name), NULL) ||
               strlen(folder) + strlen(name) + 1 > PATH_MOST) {
        walk->unnamed++;
    } else if (walk->count >= walk->most) {
        walk->incomplete = true;
    } else if (fstatat(dirfd(dir), name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
        return add_entry(a, walk, folder, name, &st); /* gone meanwhile: it is not there */
    }
    return walk->count % ENTRIES_PER_LOOK != 0 || !mgi_action_stops(a);
}

static bool read_folder(struct action *a, int start, struct fs_walk *walk, const char *folder)
{
    int fd = mgi_fs_open(a, start, folder, O_RDONLY | O_DIRECTORY, PATH_NO_LINKS);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (!dir) {
        if (fd >= 0)
            close(fd);
        if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
            return mgi_fs_fail(a, folder, errno);
        walk->unreadable++;
        return true;
    }
    bool ok = !mgi_action_stops(a);
    for (struct dirent *e; ok && !walk->incomplete && (e = readdir(dir));)
        ok = take_name(a, walk, dir, folder, e->d_name);
    closedir(dir);
    return ok;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct fs_entry *)a)->path, ((const struct fs_entry *)b)->path);
}

bool mgi_fs_walk(struct action *a, int start, struct fs_walk *walk)
{
    if (walk->most == 0 || walk->most > FS_WALK_MOST)
        walk->most = FS_WALK_MOST;
    if (!read_folder(a, start, walk, "."))
        return false;
    for (size_t i = 0; i < walk->count && !walk->incomplete; i++) {
        const struct fs_entry *e = &walk->entries[i];
        if (!S_ISDIR(e->st.st_mode))
            continue;
        if (depth_of(e->path) >= (size_t)walk->depth)
            walk->deeper = true;
        else if (!read_folder(a, start, walk, e->path))
            return false;
    }
    if (walk->count)
        qsort(walk->entries, walk->count, sizeof *walk->entries, by_path);
    return true;
}
