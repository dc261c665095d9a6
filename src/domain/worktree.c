/* `worktree_of`: where the repository of a linked worktree of git is, of which .git is a file.
 *
 * A folder that a stranger made can name any place in that file, and what is found here is granted
 * to actions. So the place has to name the folder back, in its own file gitdir, which nobody but
 * its owner can have written; and the repository is where such a place has it: two folders above.
 *
 *     FOLDER/.git:                        "gitdir: REPOSITORY/worktrees/NAME"
 *     REPOSITORY/worktrees/NAME/gitdir:   "FOLDER/.git" */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "domain/domain_int.h"

#define LINE_MOST (PATH_MAX + 16)

/* The only line of a small file, behind `prefix`. False: it is no such file. */
static bool read_line(const char *path, const char *prefix, char line[LINE_MOST])
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    ssize_t len =
        fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? read(fd, line, LINE_MOST - 1) : -1;
    size_t skip = strlen(prefix);
    if (fd >= 0)
        close(fd);
    if (len < 0 || memchr(line, '\0', (size_t)len))
        return false;
    line[len] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    if (strncmp(line, prefix, skip) != 0)
        return false;
    memmove(line, line + skip, strlen(line + skip) + 1);
    return line[0] != '\0';
}

/* folder/name, or name where that is absolute, without links. */
static bool real_below(const char *folder, const char *name, char out[PATH_MAX])
{
    char path[2 * LINE_MOST];
    int len = name[0] == '/' ? snprintf(path, sizeof path, "%s", name)
                             : snprintf(path, sizeof path, "%s/%s", folder, name);
    return len > 0 && len < PATH_MAX && realpath(path, out);
}

static bool cut_last(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
    return slash && slash > path;
}

static bool names_back(const char *place, const char *dot_git)
{
    char path[PATH_MAX + 8], line[LINE_MOST], real[PATH_MAX];
    snprintf(path, sizeof path, "%s/gitdir", place);
    return read_line(path, "", line) && real_below(place, line, real) && strcmp(real, dot_git) == 0;
}

bool mgi_worktree_repository(struct str folder, char out[PATH_MAX])
{
    char root[PATH_MAX], dot_git[PATH_MAX], line[LINE_MOST];
    if (folder.len >= sizeof root)
        return false;
    snprintf(root, sizeof root, "%.*s", STR_ARG(folder));
    if (!real_below(root, ".git", dot_git) || !read_line(dot_git, "gitdir: ", line) ||
        !real_below(root, line, out) || !names_back(out, dot_git) || !cut_last(out))
        return false;
    const char *last = strrchr(out, '/');
    return last && strcmp(last, "/worktrees") == 0 && cut_last(out);
}
