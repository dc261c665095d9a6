/* JSON that is nested deeper than is read here: told, and cut, by its text. Pure functions; linear;
 * no memory follows the depth. What is no JSON gives something, and is found out by who parses. */
#ifndef MGI_MCP_DEEP_H
#define MGI_MCP_DEEP_H

#include "base/buf.h"

#define MCP_MESSAGE_DEPTH 64 /* levels of a message that is read */
#define MCP_TOOL_DEPTH                                                                             \
    56 /* of a tool: it is told on in messages of ours, with levels of their own */

/* How many levels of containers; 0 of a scalar. */
size_t mgi_mcp_depth(struct str json);

/* Append `json` with null in place of each container below level `most` (1 is the outermost). */
void mgi_mcp_cut_deep(struct buf *out, struct str json, size_t most);

#endif
