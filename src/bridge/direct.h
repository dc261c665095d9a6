/* The tools of one intent as MCP tools, in place of the three (X-BRIDGE-10). */
#ifndef MGI_BRIDGE_DIRECT_H
#define MGI_BRIDGE_DIRECT_H

#include "base/arena.h"
#include "manglecp.h"
#include "mcp/server.h"

#define DIRECT_TEXT_BYTES ((size_t)4 * 1024) /* of a tool's description */

/* For the model, about the server as a whole. */
extern const char mgi_direct_instructions[];

/* Fills in d->tools: each tool by its name, with its schema, what it is for and how to use it, and
 * annotations that are all said; what a server does not tell counts as the worst. In the order of
 * their names, so that equal answers give equal bytes. Texts live in `arena` and in `tools`. False:
 * memory. Any thread. */
bool mgi_direct_tools(const manglecp_tools *tools, struct arena *arena, struct mcp_description *d);

#endif
