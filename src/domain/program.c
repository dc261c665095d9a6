/* Programs that a domain names: found once, while it is loaded, so that what is started later is
 * what was looked at, whatever PATH says then. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "domain/domain_int.h"
#include "domain/provider.h"
#include "sys/secrets.h"

#define USUAL_PATH "/usr/local/bin:/usr/bin:/bin"

static bool can_be_run(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* Relative entries of PATH are passed over: where they lead depends on who starts the server. */
static const char *found_in_path(struct provider_reader *r, struct str name)
{
    const char *path = mgi_secret("PATH");
    struct str rest = str_of(path && path[0] ? path : USUAL_PATH);
    while (rest.len > 0) {
        const char *colon = memchr(rest.ptr, ':', rest.len);
        size_t len = colon ? (size_t)(colon - rest.ptr) : rest.len;
        if (len > 0 && rest.ptr[0] == '/') {
            const char *full =
                mgi_arena_printf(r->yaml->arena, "%.*s/%.*s", (int)len, rest.ptr, STR_ARG(name));
            if (full && can_be_run(full))
                return full;
        }
        len += colon != NULL;
        rest = (struct str){ rest.ptr + len, rest.len - len };
    }
    return NULL;
}

static bool leaves_folder(struct provider_reader *r, const char *path)
{
    char real[PATH_MAX], folder[PATH_MAX];
    size_t len;
    if (!realpath(path, real) || !realpath(r->folder, folder))
        return false; /* that it cannot be run is told */
    len = strlen(folder);
    return strncmp(real, folder, len) != 0 || real[len] != '/';
}

static const char *located(struct provider_reader *r, const struct yaml_node *at, struct str name)
{
    bool here = mgi_str_starts(name, STR_LIT("./")), whole = name.ptr[0] == '/';
    const char *path = here || whole ? mgi_provider_path(r, name) : NULL;
    if (!here && !whole && memchr(name.ptr, '/', name.len)) {
        mgi_yaml_error(r->yaml, at, "NO_PROGRAM",
                       mgi_arena_printf(r->yaml->arena, "Write ./%.*s.", STR_ARG(name)),
                       "a program of the domain's folder begins with ./");
    } else if (here && path && can_be_run(path) && leaves_folder(r, path)) {
        mgi_yaml_error(r->yaml, at, "NO_PROGRAM", "Name it by its whole path.",
                       "%.*s leads out of the domain's folder", STR_ARG(name));
    } else if (here || whole) {
        if (path && can_be_run(path))
            return path;
        mgi_yaml_error(r->yaml, at, "NO_PROGRAM",
                       path && access(path, F_OK) == 0 ? "chmod +x it." : NULL,
                       "%.*s is no program that can be run", STR_ARG(name));
    } else {
        path = found_in_path(r, name);
        if (path)
            return path;
        mgi_yaml_error(
            r->yaml, at, "NO_PROGRAM",
            "Install it, write its whole path, or ./NAME for one in the domain's folder.",
            "there is no program %.*s in PATH", STR_ARG(name));
    }
    return NULL;
}

const char *mgi_provider_program(struct provider_reader *r, const struct yaml_node *at,
                                 struct str name)
{
    const char *what;
    char writable[PATH_MAX];
    if (name.len == 0 || memchr(name.ptr, '\0', name.len)) {
        mgi_yaml_error(r->yaml, at, "NO_PROGRAM", NULL, "no program is named");
        return NULL;
    }
    const char *path = located(r, at, name);
    if (path && mgi_open_to_all(path, writable, &what)) {
        mgi_yaml_error(r->yaml, at, "UNSAFE_PROGRAM",
                       mgi_arena_printf(r->yaml->arena, "chmod o-w %s", writable),
                       "%.*s is not started: %s %s can be written by everybody", STR_ARG(name),
                       what, writable);
        return NULL;
    }
    return path;
}
