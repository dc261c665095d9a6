/* Commands that a person can copy: what was just done, in the words of a shell. */
#ifndef MGI_CLI_MANGLECP_REPEAT_H
#define MGI_CLI_MANGLECP_REPEAT_H

#include "cli/manglecp_target.h"

/* This program as a command that works from here: its name if the shell finds it so, else its path,
 * relative to the working directory if it lies below. In `arena`, or static. */
const char *mgi_repeat_program(struct arena *arena);

/* One word, quoted where a shell would read something else. */
void mgi_repeat_word(struct buf *out, const char *word);

/* TARGET and a blank, or nothing for a command; then, at the end of the line, what belongs to the
 * target: settings and clock of a folder, `-- COMMAND...`. Secrets are not among them. */
void mgi_repeat_target(struct buf *out, const struct target *t);
void mgi_repeat_target_end(struct buf *out, const struct target *t);

/* " --option WORD" for each of the list. */
void mgi_repeat_list(struct buf *out, const char *option, const struct cli_list *list);

#endif
