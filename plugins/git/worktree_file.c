/* Files of the worktree; see worktree_file.h. */
#include "plugins/git/worktree_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static void close_later(void *fd)
{
    close((int)(intptr_t)fd);
}

bool mgi_worktree_root(struct git *g, int *root)
{
    int fd = open(g->workdir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return mgi_action_fail(g->a, "the worktree: %s", strerror(errno));
    *root = fd;
    return mgi_git_keep(g, close_later, (void *)(intptr_t)fd);
}

/* Looked at first: to open a device or a pipe can do something, even without blocking. */
static bool is_file(int root, const char *path, struct stat *st)
{
    int seen = mgi_open_beneath(root, path, O_PATH | O_NOFOLLOW, PATH_NO_LINKS, false);
    if (seen < 0)
        return false;
    bool regular = fstat(seen, st) == 0 && S_ISREG(st->st_mode);
    close(seen);
    return regular;
}

static enum worktree_file read_open(struct git *g, int fd, struct str *all)
{
    struct stat st;
    size_t len = 0;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return WORKTREE_FILE_ABSENT;
    if (st.st_size > mgi_git_settings(g->a)->max_bytes)
        return WORKTREE_FILE_LARGE;
    char *out = mgi_arena_alloc(&g->a->arena, (size_t)st.st_size + 1);
    if (!out) {
        mgi_action_nomem(g->a);
        return WORKTREE_FILE_FAILED;
    }
    while (len < (size_t)st.st_size) {
        ssize_t n = read(fd, out + len, (size_t)st.st_size - len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return WORKTREE_FILE_ABSENT;
        if (n == 0)
            break;
        len += (size_t)n;
    }
    out[len] = '\0';
    *all = (struct str){ out, len };
    return WORKTREE_FILE_READ;
}

enum worktree_file mgi_worktree_file(struct git *g, int root, const char *path, struct str *all)
{
    struct stat st;
    int fd = is_file(root, path, &st) ? mgi_open_beneath(root, path, O_RDONLY, PATH_NO_LINKS, false)
                                      : -1;
    if (fd < 0)
        return WORKTREE_FILE_ABSENT;
    enum worktree_file result = read_open(g, fd, all);
    close(fd);
    return result;
}
