/* Inside of the bridge: what its handlers share. bridge.c has the tools, offers.c what is offered
 * beside them. */
#ifndef MGI_BRIDGE_BRIDGE_INT_H
#define MGI_BRIDGE_BRIDGE_INT_H

#include "bridge/bridge.h"

#define BRIDGE_CALLS 256 /* that are not over, of all peers together */

struct bridge {
    struct bridge_options options;
    struct crew *crew;
    struct works *works;
    struct mcp_server *server;
    struct bridge_call *calls;
    size_t count; /* calls that are not over, of every kind */
};

/* ---- prompts, resources, completions (X-BRIDGE-11): offers.c -----------------------------------
 */

#define MGI_OFFERED_PROMPTS   1
#define MGI_OFFERED_RESOURCES 1
extern const struct mcp_prompt mgi_offered_prompts[MGI_OFFERED_PROMPTS];
extern const struct mcp_resource mgi_offered_resources[MGI_OFFERED_RESOURCES];

/* Handlers; `context` is a bridge. */
void mgi_offer_prompt(void *context, struct mcp_call *call);
void mgi_offer_resource(void *context, struct mcp_call *call);
void mgi_offer_completion(void *context, struct mcp_call *call);

#endif
