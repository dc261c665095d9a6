/* What an answer took, on standard error: mangle run --stats. */
#ifndef MGI_CLI_MANGLE_STATS_H
#define MGI_CLI_MANGLE_STATS_H

#include "cli/mangle_input.h"

/* Of the predicates in `selection` ("all", or "p,q") their times, then the dearest rules, and of
 * everything the totals and what each phase took. As one JSON object with all rules, if `json` or
 * `selection` is "json"; if that is "folded", as stacks for flame graphs. */
void mgi_print_stats(const struct input_options *options, const mangle_overlay *overlay,
                     const mangle_program *program, const struct mangle_stats *stats,
                     const char *selection, bool json);

/* The same of an evaluation that failed, as far as it came: the rules alone. */
void mgi_print_failed_stats(const struct input_options *options);

#endif
