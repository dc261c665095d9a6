/* Paths that come as arguments: relative to a folder, UTF-8, without ".."; patterns of them; and
 * opening what is at one without leaving that folder, whatever links stand in the way. */
#ifndef PLUGINS_SUPPORT_PATHS_H
#define PLUGINS_SUPPORT_PATHS_H

#include "plugins/support/action.h"

#define PATH_MOST 4000 /* bytes of a path below the folder */
#define GLOB_MOST 256  /* bytes of a pattern */

/* ---- paths.c -------------------------------------------------------------------------------- */

/* What is wrong with a path, or NULL. `out` (room PATH_MOST + 1) gets it without "." and doubled
 * slashes; "." is the folder itself. */
const char *mgi_path_canonical(struct str text, char *out);

/* The argument as a canonical path in the arena; absent leaves *path alone. False: it is wrong, and
 * the call failed, or it is absent. */
bool mgi_arg_path(struct action *a, const char *name, const char **path);

enum path_links { PATH_FOLLOW, PATH_NO_LINKS };

/* Open what is at the canonical path below `base`: by the kernel (openat2), or, where that is not
 * there or `plain` is set, each component by itself without following any link. O_CLOEXEC, O_NOCTTY
 * and O_NONBLOCK are added. -1 with errno: EXDEV if it leads out of `base`, ELOOP where a link may
 * not be followed. */
int mgi_open_beneath(int base, const char *path, int flags, enum path_links links, bool plain);

/* ---- glob.c --------------------------------------------------------------------------------- */

/* What is wrong with a pattern: NULL, or a text. `*` and `?` do not match '/', `**` does, [a-z] and
 * [!a-z] are sets. */
const char *mgi_glob_fault(struct str pattern);

/* A pattern without '/' is held against the last component, another one against all of the path.
 * Costs pattern times path, whatever they are. */
bool mgi_glob(struct str pattern, struct str path);

/* The argument as a pattern without fault; absent leaves *pattern alone. */
bool mgi_arg_glob(struct action *a, const char *name, struct str *pattern);

#endif
