/* Walking folders, and writing files in one step. */
#include "cli/cli_files.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/write.h"

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool walk(const char *path, const char *suffix,
                 void (*visit)(void *context, const char *path), void *context)
{
    char *copy = strdup(path), *roots[] = { copy, NULL };
    FTS *tree = copy ? fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name) : NULL;
    bool good = tree != NULL;
    FTSENT *e;
    if (!tree)
        mgi_cli_error("cannot read %s: %s", path, strerror(errno));
    while (tree && (e = fts_read(tree))) {
        struct str name = { e->fts_name, e->fts_namelen };
        if (e->fts_level > 0 && e->fts_name[0] == '.') {
            (void)fts_set(tree, e, FTS_SKIP);
        } else if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR || e->fts_info == FTS_NS) {
            mgi_cli_error("cannot read %s: %s", e->fts_path, strerror(e->fts_errno));
            good = false;
        } else if (e->fts_info == FTS_F && mgi_str_ends(name, str_of(suffix))) {
            visit(context, e->fts_path + (strncmp(e->fts_path, "./", 2) == 0 ? 2 : 0));
        }
    }
    if (tree)
        (void)fts_close(tree);
    free(copy);
    return good;
}

bool mgi_cli_each_file(const char *path, const char *suffix,
                       void (*visit)(void *context, const char *path), void *context)
{
    struct stat st;
    if (strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return walk(path, suffix, visit, context);
    visit(context, path);
    return true;
}

bool mgi_cli_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && S_ISREG(first.st_mode) &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/* ---- writing ----------------------------------------------------------------------------- */

/* Closes fd and takes `temp` away if something failed; errno says what failed first. */
static bool settle_file(int fd, const char *temp, const char *path, bool good)
{
    int saved = errno;
    if (close(fd) != 0 && good) {
        good = false;
        saved = errno;
    }
    if (good && temp && rename(temp, path) != 0) {
        good = false;
        saved = errno;
    }
    if (!good && temp)
        (void)unlink(temp);
    errno = saved;
    return good;
}

static mode_t mode_of_new_files(void)
{
    mode_t mask = umask(0);
    (void)umask(mask);
    return 0666 & ~mask;
}

/* The new file belongs to whom the old one did: root who edits somebody's file leaves it theirs. A
 * group that cannot be kept gets no rights by being another one. */
static bool keep_rights(int fd, const struct stat *was)
{
    struct stat now;
    mode_t mode = was->st_mode & 07777;
    if (fstat(fd, &now) != 0)
        return false;
    if (now.st_uid != was->st_uid && fchown(fd, was->st_uid, (gid_t)-1) != 0)
        return false;
    if (now.st_gid != was->st_gid && fchown(fd, (uid_t)-1, was->st_gid) != 0)
        mode &= ~(mode_t)(S_IRWXG | S_ISGID);
    return fchmod(fd, mode) == 0;
}

bool mgi_cli_write_file(const char *path, struct str text)
{
    struct stat was;
    struct buf temp = { 0 };
    char *real = realpath(path, NULL);
    bool fresh = !real && errno == ENOENT, good = false;
    int fd = -1;
    if ((!real && !fresh) || (real && stat(real, &was) != 0))
        goto out;
    if (real && !S_ISREG(was.st_mode)) {
        fd = open(real, O_WRONLY | O_CLOEXEC);
        good = fd >= 0 && settle_file(fd, NULL, NULL, mgi_write_all(fd, text));
        goto out;
    }
    mgi_buf_printf(&temp, "%s.XXXXXX", fresh ? path : real);
    if (temp.oom) {
        errno = ENOMEM;
        goto out;
    }
    fd = mkstemp(temp.ptr);
    if (fd < 0)
        goto out;
    good = (fresh ? fchmod(fd, mode_of_new_files()) == 0 : keep_rights(fd, &was)) &&
           mgi_write_all(fd, text) && fsync(fd) == 0;
    good = settle_file(fd, temp.ptr, fresh ? path : real, good);
out:
    mgi_buf_fini(&temp);
    free(real);
    return good;
}

bool mgi_cli_make_parents(char *path, mode_t mode)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, mode) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made)
            return false;
    }
    return true;
}

static bool is_program(const char *path)
{
    struct stat s;
    return access(path, X_OK) == 0 && stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

bool mgi_cli_find_program(const char *word, char out[PATH_MAX])
{
    const char *path = getenv("PATH");
    if (strchr(word, '/'))
        return realpath(word, out) && is_program(out);
    while (path && *path) {
        size_t len = strcspn(path, ":");
        int n = snprintf(out, PATH_MAX, "%.*s/%s", (int)len, path, word);
        if (len > 0 && path[0] == '/' && n > 0 && n < PATH_MAX && is_program(out))
            return true;
        path += len + (path[len] == ':');
    }
    return false;
}
