/* `manglecp actions DOMAIN --lock`: asking the MCP servers of a domain what they offer. */
#ifndef MGI_CLI_MANGLECP_LOCK_H
#define MGI_CLI_MANGLECP_LOCK_H

#include "cli/manglecp_host.h"

/* Start each server, confined as for its calls, hold what it offers against mcp.lock.json and tell
 * the differences; with `accept` the file is written anew (through a file beside it, so that it is
 * never half). The exit status: 0 nothing differs or it was accepted, 1 something differs or a
 * server does not answer, 2 memory, or the file cannot be written. */
int mgi_lock_servers(const struct host_options *host, bool accept);

#endif
