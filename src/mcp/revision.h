/* The five revisions of MCP and what each of them has, as a table (mcp.md 0, 1.2, 1.3). */
#ifndef MGI_MCP_REVISION_H
#define MGI_MCP_REVISION_H

#include "base/json.h"

/* In the order of time, so `revision >= MCP_R3` is a question that may be asked. */
enum mcp_revision { MCP_NONE, MCP_R1, MCP_R2, MCP_R3, MCP_R4, MCP_R5 };

struct mcp_features {
    const char *date;
    bool modern;           /* self-contained requests; else a handshake */
    bool batches;          /* arrays of messages */
    bool annotations;      /* of tools */
    bool audio;            /* blocks */
    bool completions;      /* is a capability */
    bool progress_message; /* beside the numbers */
    bool titles;           /* title and _meta beside a name */
    bool structured;       /* structuredContent, outputSchema */
    bool any_structured;   /* of any type, not objects alone */
    bool links;            /* resource_link blocks */
    bool elicitation;      /* forms */
    bool elicitation_urls;
    bool form_defaults; /* and choices with titles, and several choices */
    bool icons;
    bool session_requests; /* ping, logging/setLevel, resources/subscribe; requests of the server */
    int not_found;         /* the code for a resource that is not there */
};

#define MCP_NEWEST_LEGACY MCP_R4
#define MCP_MODERN        MCP_R5

const struct mcp_features *mgi_mcp_features(enum mcp_revision r); /* not of MCP_NONE */
enum mcp_revision mgi_mcp_revision(struct str date);              /* MCP_NONE: not one of ours */

/* Not less than the first modern date, by its bytes, so v999 is modern (X-HTTP-29). */
bool mgi_mcp_is_modern(struct str version);

/* What a server answers to `initialize` (X-INIT-3, -4): never a modern one. */
enum mcp_revision mgi_mcp_offer(struct str asked);

/* All that a dual server speaks, newest first, as a JSON array (X-DISC-4). */
void mgi_mcp_write_supported(struct json_writer *w);
/* {"supported":…,"requested":…}, the data of -32022. */
void mgi_mcp_write_unsupported(struct json_writer *w, struct str requested);

#endif
