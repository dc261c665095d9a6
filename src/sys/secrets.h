/* The environment that the process was started with, by name; and what of it children get.
 *
 * The kernel shows everybody with the same user id the variables that a process began with
 * (/proc/PID/environ), for as long as it lives. A program that is told secrets by its environment
 * therefore takes it at its start, first of all: the values move into its own memory, and the place
 * that the kernel shows is overwritten. A child gets what is clean, and what it was promised. */
#ifndef MGI_SYS_SECRETS_H
#define MGI_SYS_SECRETS_H

#include <stdbool.h>

#include "base/str.h"

/* Move the environment into memory of our own, wipe where it was, and make this process unreadable
 * for others of its user (not dumpable: no core, no tracing, no /proc/PID/environ, mem and fd).
 * `environ` and getenv() go on to work. Once, from main(), while there is one thread. False: memory
 * is short, and the environment is where it was. */
bool mgi_secrets_take(void);

/* Add or replace a variable, after mgi_secrets_take(), while there is one thread: for mgi_secret()
 * and for children. The value is copied. False: memory is short. */
bool mgi_secrets_add(const char *name, struct str value);

/* The value of the variable `name`, as at the start; NULL: it is not set. Valid as long as the
 * process lives. Any thread. */
const char *mgi_secret(const char *name);

/* The environment of a child: what says where and who it is (PATH, HOME, USER, LANG, LC_*, TZ,
 * TMPDIR ...), what sets a tool host (MACHINA_TOOLHOST_*, MACHINA_SECCOMP_* and the like), and the
 * names in `promised`, separated by commas (NULL: none). Nothing of LD_*, whatever was promised.
 * The list ends with NULL and has room for `more` further texts and the NULL behind them; it is the
 * caller's, for mgi_free(), its texts are not. NULL: memory is short. */
char **mgi_secrets_environment(const char *promised, unsigned more);

#endif
