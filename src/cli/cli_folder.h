/* A folder that is made beside another one, and takes its place as a whole. */
#ifndef MGI_CLI_FOLDER_H
#define MGI_CLI_FOLDER_H

#include <stdbool.h>

/* Does a file of the old folder stay as it is? `path` is from the folder, as in "rules/own.mg". */
typedef bool folder_keeps(void *context, const char *path);

/* Give `to`, which has the new files, all that `from` has besides: what `keeps` says (in place of
 * what `to` has under that name), folders, modes and owners. Files are linked, so that they cost
 * nothing and stay what they are for who has them open; links stay links. `from` is not changed.
 * False: told. */
bool mgi_cli_carry_over(const char *from, const char *to, folder_keeps *keeps, void *context);

/* What is at `a` is at `b` then, and the other way round: in one step, so that nobody ever sees
 * half of it. Both are there, on one file system. False: errno; nothing has changed. */
bool mgi_cli_exchange(const char *a, const char *b);
/* The same in three steps, for file systems that have not the one: a process that is killed in
 * between leaves `a` beside its place, as `b`.old or at `b`. */
bool mgi_cli_exchange_in_steps(const char *a, const char *b);

/* All of it, whatever its modes; links are not followed. False: something is left. */
bool mgi_cli_remove_folder(const char *path);

#endif
