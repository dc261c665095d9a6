/* Pages of the manual and completions of the shell, out of the tables that --help prints:
 *
 *     PROGRAM help --man            PROGRAM(1), which lists the commands
 *     PROGRAM help --man COMMAND    PROGRAM-COMMAND(1)
 *     PROGRAM help --bash           a script for bash-completion
 *     PROGRAM help --commands       their names, one a line
 *
 * `make install` writes them where manuals and completions are (cmake/manual.cmake). */
#ifndef MGI_CLI_MANUAL_H
#define MGI_CLI_MANUAL_H

#include "cli/cli_options.h"

/* argv[0] is the form, "--man". EXIT_ANSWERED or, after saying so, EXIT_USAGE. */
int mgi_cli_manual(const char *program, const char *version, const char *purpose,
                   const struct cli_command *commands, int argc, char **argv);

#endif
