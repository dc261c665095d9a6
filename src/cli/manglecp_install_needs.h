/* What a domain takes from the environment, which a client has to hand on to it. */
#ifndef MGI_CLI_MANGLECP_INSTALL_NEEDS_H
#define MGI_CLI_MANGLECP_INSTALL_NEEDS_H

#include "cli/manglecp_change.h"

/* Says on standard output which variables domain.yaml and mcp.json of `folder` name that the entry
 * does not hand on, and what to do; nothing where there are none. */
void mgi_install_tell_needs(const struct change *c, const char *folder);

#endif
