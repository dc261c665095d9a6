/* May this command run as a policy (toolhost.md T-POL-4, T-POL-5)? Looks at the file system,
 * because symbolic links have to be resolved; quick, and starts nothing. */
#ifndef MGI_SELECT_POLICY_COMMAND_H
#define MGI_SELECT_POLICY_COMMAND_H

#include "select/policy_settings.h"

struct policy_program {
    const char *path;  /* of the program: absolute */
    char *const *argv; /* without the payload's path; [0] is `path`; a script's is absolute and
                          resolved */
    size_t argc;
};

enum policy_verdict { POLICY_MAY_RUN, POLICY_VIOLATION, POLICY_CHECK_NOMEM };

/*
 * Judge `settings->words` (there is at least one).
 *
 *   - The program's base name is one of allowed_exe. Given with a path, it lies in /usr/bin, /bin
 * or /usr/local/bin; without one, it is looked for there and nowhere else.
 *   - The first argument of an interpreter is a script, a regular file that lies below the script
 *     root when all symbolic links are resolved; it is what runs then. An option there is refused.
 *   - With allow_unsafe none of that is asked, and a program without a path is looked for in PATH.
 *
 *   into  *out lives there
 *   why   of a violation, in `into`: names the thing and what would be right
 *
 * A program that is nowhere is a violation, too: it cannot have been meant.
 */
enum policy_verdict mgi_policy_check(struct arena *into, const struct policy_settings *settings,
                                     struct policy_program *out, const char **why);

#endif
