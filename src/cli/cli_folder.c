/* Folders as a whole: see cli_folder.h. */
#include "cli/cli_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli_options.h"
#include "sys/write.h"

/* ---- carried over ----------------------------------------------------------------------------
 */

struct carrying {
    size_t from_len;
    const char *to;
    dev_t device;
    folder_keeps *keeps;
    void *context;
    char target[PATH_MAX]; /* of the entry that is looked at */
};

/* As it was owned and may be used. Who is not root owns what it makes. */
static bool take_rights(const char *path, const struct stat *was)
{
    if (geteuid() == 0 && lchown(path, was->st_uid, was->st_gid) != 0)
        return false;
    return chmod(path, was->st_mode & 07777) == 0;
}

static bool copy_bytes(int in, int out)
{
    char bytes[1 << 16];
    for (;;) {
        ssize_t n = read(in, bytes, sizeof bytes);
        if (n == 0)
            return true;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 || !mgi_write_all(out, (struct str){ bytes, (size_t)n }))
            return false;
    }
}

/* Of somebody else's, which may be read and not linked. */
static bool copy_file(const char *from, const char *to, const struct stat *was)
{
    int in = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool good = out >= 0 && copy_bytes(in, out);
    int error = errno;
    if (out >= 0 && close(out) != 0 && good) {
        good = false;
        error = errno;
    }
    if (in >= 0)
        (void)close(in);
    errno = error;
    return good && take_rights(to, was);
}

static bool copy_link(const char *from, const char *to)
{
    char target[PATH_MAX];
    ssize_t n = readlink(from, target, sizeof target - 1);
    if (n < 0)
        return false;
    target[n] = '\0';
    return symlink(target, to) == 0;
}

static bool keep_file(const char *from, const char *to, const struct stat *was)
{
    if (unlink(to) != 0 && errno != ENOENT)
        return false;
    if (S_ISLNK(was->st_mode))
        return copy_link(from, to);
    return link(from, to) == 0 || (S_ISREG(was->st_mode) && copy_file(from, to, was));
}

static bool carry_file(struct carrying *c, const FTSENT *e, const char *path)
{
    struct stat now;
    if (c->keeps(c->context, path))
        return keep_file(e->fts_path, c->target, e->fts_statp);
    bool made =
        lstat(c->target, &now) == 0 && S_ISREG(now.st_mode) && S_ISREG(e->fts_statp->st_mode);
    return !made || take_rights(c->target, e->fts_statp);
}

static bool carry_entry(struct carrying *c, const FTSENT *e)
{
    const char *path = e->fts_path + c->from_len;
    path += *path == '/';
    int n = snprintf(c->target, sizeof c->target, "%s/%s", c->to, path);
    errno = ENAMETOOLONG;
    if (n < 0 || (size_t)n >= sizeof c->target)
        return false;
    switch (e->fts_info) {
    case FTS_D: /* open until all is in it: FTS_DP gives it its mode */
        errno = EXDEV;
        return e->fts_statp->st_dev == c->device &&
               (mkdir(c->target, 0700) == 0 || errno == EEXIST);
    case FTS_DP:
        return take_rights(c->target, e->fts_statp);
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
    case FTS_DC:
        errno = e->fts_errno;
        return false;
    default:
        return carry_file(c, e, path);
    }
}

static int by_name_of_entry(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

bool mgi_cli_carry_over(const char *from, const char *to, folder_keeps *keeps, void *context)
{
    char *copy = strdup(from), *roots[] = { copy, NULL };
    struct carrying c = { .from_len = strlen(from), .to = to, .keeps = keeps, .context = context };
    FTS *tree = copy ? fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name_of_entry) : NULL;
    bool good = tree != NULL;
    FTSENT *e = NULL;
    if (!tree)
        mgi_cli_error("cannot read %s: %s", from, strerror(errno));
    while (good && (errno = 0, e = fts_read(tree))) {
        if (e->fts_level == 0)
            c.device = e->fts_statp->st_dev;
        good = carry_entry(&c, e);
        if (!good)
            mgi_cli_error("%s cannot be kept: %s", e->fts_path, strerror(errno));
    }
    if (good && errno != 0) {
        mgi_cli_error("cannot read %s: %s", from, strerror(errno));
        good = false;
    }
    if (tree)
        (void)fts_close(tree);
    free(copy);
    return good;
}

/* ---- taking its place ------------------------------------------------------------------------
 */

bool mgi_cli_exchange_in_steps(const char *a, const char *b)
{
    char old[PATH_MAX];
    int n = snprintf(old, sizeof old, "%s.old", b);
    errno = ENAMETOOLONG;
    if (n < 0 || (size_t)n >= sizeof old || rename(a, old) != 0)
        return false;
    if (rename(b, a) != 0) {
        int error = errno;
        (void)rename(old, a);
        errno = error;
        return false;
    }
    return rename(old, b) == 0;
}

bool mgi_cli_exchange(const char *a, const char *b)
{
    if (renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE) == 0)
        return true;
    return (errno == EINVAL || errno == ENOSYS) && mgi_cli_exchange_in_steps(a, b);
}

/* ---- going -----------------------------------------------------------------------------------
 */

static int open_up(const char *path, const struct stat *what, int kind, struct FTW *place)
{
    (void)place;
    if (kind == FTW_D || kind == FTW_DNR)
        (void)chmod(path, what->st_mode | S_IRWXU);
    return 0;
}

static int remove_entry(const char *path, const struct stat *what, int kind, struct FTW *place)
{
    (void)what, (void)kind, (void)place;
    (void)remove(path);
    return 0;
}

bool mgi_cli_remove_folder(const char *path)
{
    struct stat left;
    (void)nftw(path, open_up, 16, FTW_PHYS | FTW_MOUNT);
    (void)nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    return lstat(path, &left) != 0 && errno == ENOENT;
}
