/* mangle run --out: the facts of whole predicates into a column file. */
#ifndef MGI_CLI_MANGLE_STORE_H
#define MGI_CLI_MANGLE_STORE_H

#include "cli/cli_options.h"
#include "mangle.h"

/* Is this a name for a column file? Says so if not. */
bool mgi_store_named(const char *path);

/* Write what `mangle run` would print: the predicates that `queries` name, or, if there are none,
 * every derived one; those without facts too. Returns an exit status after saying what failed. */
int mgi_store_facts(mangle_overlay *overlay, const mangle_program *program,
                    const struct cli_list *queries, const char *path);

#endif
