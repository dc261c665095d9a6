/* Walking folders. */
#include "cli/cli_files.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
