/* `manglecp mcp --direct`: the intent that is declared for all who call, and what is known at
 * first. */
#ifndef MGI_CLI_MANGLECP_MCP_DIRECT_H
#define MGI_CLI_MANGLECP_MCP_DIRECT_H

#include "base/log.h"
#include "bridge/bridge.h"
#include "cli/manglecp_request.h"

struct mcp_direct {
    struct intent_options options; /* name: NULL, the three tools */
    struct manglecp_intent intent;
    manglecp_facts *facts;
    struct bridge_direct bridge; /* of these */
};

#define MCP_DIRECT_OPTION_ROWS(o)                                                                  \
    { "--direct", OPTION_TEXT, &(o).name,                                                          \
      NULL,       "INTENT",    "show the tools of this intent in place of the three" },            \
        DECLARATION_OPTION_ROWS(o)

/* Everything that `d->options` says, judged whole. Complaints of later go to `log`, which has to
 * live as long. False: it was said on standard error. */
bool mgi_mcp_direct_read(struct mcp_direct *d, struct logger *log);
void mgi_mcp_direct_fini(struct mcp_direct *d); /* also after false */

#endif
