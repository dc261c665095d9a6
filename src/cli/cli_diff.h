/* Two texts compared line by line, for people: the unified form of diff(1). */
#ifndef MGI_CLI_DIFF_H
#define MGI_CLI_DIFF_H

#include "cli/cli_options.h"

/* What makes `after` of `before`, with three lines of context; nothing if they are equal. Names
 * stand in the heading. False when memory is short. */
bool mgi_cli_diff(struct buf *out, const struct cli_style *style, const char *name,
                  struct str before, struct str after);

#endif
