/* Files below folders; files that are written. */
#ifndef MGI_CLI_FILES_H
#define MGI_CLI_FILES_H

#include <limits.h>
#include <sys/types.h>

#include "cli/cli_options.h"

/* `path` itself, if it is no folder; else every file below it whose name ends in `suffix`, in order
 * of names, without what begins with a dot and without following symbolic links. False: something
 * could not be read; a message was printed. */
bool mgi_cli_each_file(const char *path, const char *suffix,
                       void (*visit)(void *context, const char *path), void *context);

/* Do both lead to one regular file, by symbolic or other links? */
bool mgi_cli_same_file(const char *a, const char *b);

/* Write a whole file in one step: under a name of its own beside it, then renamed, with the mode
 * and the owner it had (one of another owner is written by root alone). Symbolic links stay what
 * they are; what is no file (a pipe, a terminal) is written to. False: errno. */
bool mgi_cli_write_file(const char *path, struct str text);

/* mkdir -p of everything above the last part of `path`, which is changed and changed back. False:
 * errno. */
bool mgi_cli_make_parents(char *path, mode_t mode);

/* The absolute path of a program as a shell would find it: in PATH, or as its path says. False: it
 * is not there, or cannot be run. */
bool mgi_cli_find_program(const char *word, char out[PATH_MAX]);

#endif
