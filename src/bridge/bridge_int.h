/* Inside of the bridge: what its handlers share. bridge.c has the tools, lists.c what is listed and
 * offers.c what is offered beside them. */
#ifndef MGI_BRIDGE_BRIDGE_INT_H
#define MGI_BRIDGE_BRIDGE_INT_H

#include "bridge/bridge.h"
#include "bridge/catalogue.h"

#define BRIDGE_CALLS 256 /* that are not over, of all peers together */

struct bridge {
    struct bridge_options options;
    struct crew *crew;
    struct works *works;
    struct lists *lists;
    struct bridge_direct direct; /* of a direct one: an intent, its server and its work */
    struct mcp_server *server;
    struct bridge_work *shared;
    struct bridge_call *calls;
    size_t count; /* calls that are not over, of every kind */
};

/* ---- what is listed, and for whom: lists.c ------------------------------------------------------
 *
 * Before the domain has loaded nothing is known of its skills, and of `run` only the worst. So the
 * lists wait for it, LISTS_MS at most; after that the answer says that it is good for now alone. */

#define LISTS_MS       10000
#define LISTS_AGAIN_MS 5000 /* after it could not be learnt */

struct lists;
/* `handlers` of all servers. NULL: memory. */
struct lists *mgi_lists_new(struct bridge *b, const struct mcp_handlers *handlers);
void mgi_lists_free(struct lists *l); /* after the crew; NULL is fine */
void mgi_lists_end(struct lists *l);  /* whoever waits is answered now */

/* What peers are served by: what holds of every domain. Borrowed. */
struct mcp_server *mgi_lists_server(const struct lists *l);

/* The handler; `context` is a bridge. */
void mgi_lists_choose(void *context, struct mcp_call *call);

/* What is known. NULL: nothing, or not for who calls. */
const struct catalogue *mgi_lists_of(const struct bridge *b, const struct mcp_call *call);

/* ---- prompts, resources, completions (X-BRIDGE-11): offers.c -----------------------------------
 */

/* Handlers; `context` is a bridge. */
void mgi_offer_prompt(void *context, struct mcp_call *call);
void mgi_offer_resource(void *context, struct mcp_call *call);
void mgi_offer_completion(void *context, struct mcp_call *call);

#endif
