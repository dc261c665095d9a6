/* Files below folders. */
#ifndef MGI_CLI_FILES_H
#define MGI_CLI_FILES_H

#include "cli/cli_options.h"

/* `path` itself, if it is no folder; else every file below it whose name ends in `suffix`, in order
 * of names, without what begins with a dot and without following symbolic links. False: something
 * could not be read; a message was printed. */
bool mgi_cli_each_file(const char *path, const char *suffix,
                       void (*visit)(void *context, const char *path), void *context);

#endif
