/* Findings about a program, for people: as mangle_diag_print() has them, with the code behind the
 * message (`mangle explain-error CODE` has its page), in colours on a terminal. */
#ifndef MGI_CLI_MANGLE_DIAGS_H
#define MGI_CLI_MANGLE_DIAGS_H

#include <stdio.h>

#include "mangle.h"

void mgi_print_diag(FILE *to, const struct mangle_diag *diag);
/* All of them, and how many errors are not listed. */
void mgi_print_diags(FILE *to, const mangle_diags *diags);

#endif
