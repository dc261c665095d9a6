/* `manglecp mcp --direct`: which intent, and what is known from the start. */
#ifndef MGI_CLI_MANGLECP_MCP_DIRECT_H
#define MGI_CLI_MANGLECP_MCP_DIRECT_H

#include "bridge/bridge.h"
#include "cli/manglecp_request.h"

#define MCP_DIRECT_OPTION_ROWS(o)                                                                  \
    { "--direct", OPTION_TEXT, &(o).name,                                                          \
      NULL,       "INTENT",    "offer the tools of this intent, in place of the three" },          \
        { "--param", OPTION_LIST, &(o).params, NULL, "K=V", "a parameter of that intent" },        \
        { "--facts", OPTION_LIST, &(o).facts_files,                                                \
          NULL,      "FILE",      "facts for it: a JSON array, or an object a line" },             \
    {                                                                                              \
        "--fact", OPTION_LIST, &(o).facts, NULL, "JSON", "one fact object for it"                  \
    }

/* What `o` says, if it names an intent; else out->intent is NULL. `auth`: callers are told apart,
 * which one list for all cannot. False: what is wrong was said; out->facts is NULL then. */
bool mgi_mcp_direct_read(const struct intent_options *o, bool auth, struct bridge_direct *out);

/* On standard error, what its user has to know of bridge_direct.declared(). */
void mgi_mcp_direct_tell(const struct bridge_direct *d, size_t count, const char *why);

#endif
