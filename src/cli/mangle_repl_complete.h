/* What a word of an interactive session may become. */
#ifndef MGI_CLI_MANGLE_REPL_COMPLETE_H
#define MGI_CLI_MANGLE_REPL_COMPLETE_H

#include "cli/mangle_repl_line.h"
#include "cli/mangle_repl_session.h"

extern const char *const mgi_repl_commands[]; /* "::help", … and NULL */

/* line_complete with a struct repl_session: commands at the start of a line, files after ::load,
 * else predicates, functions and built-in predicates. */
void mgi_repl_complete(void *session, struct str line, struct line_words *out);

#endif
