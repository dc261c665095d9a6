/* Findings as SARIF 2.1.0 (OASIS), which code hosts and editors show beside the line. */
#ifndef MGI_CLI_MANGLECP_SARIF_H
#define MGI_CLI_MANGLECP_SARIF_H

#include "cli/manglecp_host.h"

/* One run. `folder` is the domain as it was given: files are told relative to where the caller
 * stands, as "folder/rules/a.mg", or as file:// addresses if it is absolute. Running out of memory
 * shows in out->oom. */
void mgi_sarif_write(struct buf *out, const char *folder, struct findings *findings);

#endif
