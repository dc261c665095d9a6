/* What each program may, where that is less than what the worker may, which is what any of them
 * may.
 */
#ifndef COMMAND_RIGHTS_H
#define COMMAND_RIGHTS_H

#include "table.h"

/* Confine this worker to the calls that its commands may make, and make plans for the commands of a
 * table: one for each set of rights, none if all have the same, which are the worker's then, or if
 * nothing is to be confined. `temporary`: a folder of all of them; NULL: none. NULL, or what is
 * wrong (static, or in `arena`, as the plans are). */
const char *mgi_rights_prepare(struct arena *arena, struct command_table *table,
                               const char *temporary);

#endif
