/* What an answer took, on standard error: mangle run --stats. */
#ifndef MGI_CLI_MANGLE_STATS_H
#define MGI_CLI_MANGLE_STATS_H

#include "cli/mangle_input.h"

/* Of the predicates in `selection` ("all", or "p,q") their times, and of everything the totals and
 * what each phase took; as one JSON object with the rules and how often each fired, if `json`. */
void mgi_print_stats(const struct input_options *options, const mangle_overlay *overlay,
                     const mangle_program *program, const struct mangle_stats *stats,
                     const char *selection, bool json);

#endif
