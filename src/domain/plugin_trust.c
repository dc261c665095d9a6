/* May this file become code of ours? A plugin runs with the server's rights, so whoever can write
 * it, or put another in its place, has them too. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "domain/domain_int.h"

/* Anybody may write it; in a sticky folder such as /tmp, only add to it. */
static bool all_may_write(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && (st.st_mode & S_IWOTH) &&
           !(S_ISDIR(st.st_mode) && (st.st_mode & S_ISVTX));
}

/* Cut `path` to its folder; it has a slash, for it is absolute or below one. */
static void cut_to_folder(char *path)
{
    char *slash = strrchr(path, '/');
    slash[slash == path] = '\0';
}

bool mgi_open_to_all(const char *path, char writable[PATH_MAX], const char **what)
{
    *what = "the file";
    if (!realpath(path, writable))
        return false;
    if (all_may_write(writable))
        return true;
    cut_to_folder(writable);
    *what = "the folder";
    return all_may_write(writable);
}

static void refuse(const struct loading *l, const struct yaml_node *n, struct str name,
                   const char *path, const char *what)
{
    mgi_yaml_error(
        &l->yaml, n, "UNSAFE_PLUGIN", mgi_arena_printf(l->yaml.arena, "chmod o-w %s", path),
        "plugin %.*s is not loaded: %s %s can be written by everybody", STR_ARG(name), what, path);
}

/* Does `real` lie in `folder` or below it? Both are without links. */
static bool is_below(const char *real, const char *folder)
{
    size_t len = strlen(folder);
    return strncmp(real, folder, len) == 0 && (real[len] == '/' || folder[len - 1] == '/');
}

bool mgi_plugin_trusted(const struct loading *l, const struct yaml_node *n, struct str name,
                        const char *path)
{
    char real[PATH_MAX], folder[PATH_MAX], found_in[PATH_MAX];
    const char *what;
    if (strlen(path) >= sizeof folder || !realpath(path, real))
        return true; /* it cannot be opened either: whoever tries says so */
    strcpy(folder, path);
    cut_to_folder(folder);
    if (realpath(folder, found_in) && !is_below(real, found_in))
        mgi_findings_add(l->yaml.findings, MANGLE_WARNING, "LINKED_PLUGIN", n->origin, n->line,
                         n->column, "Put the file itself there, or name its folder with --plugins.",
                         "plugin %.*s is a link out of its folder, to %s", STR_ARG(name), real);
    if (mgi_open_to_all(real, folder, &what)) {
        refuse(l, n, name, folder, what);
        return false;
    }
    return true;
}
