/* Inside of the client. From below: client_send (what it says, and how requests end) <- client (its
 * life, what is asked of it) <- client_take (what comes). */
#ifndef MGI_MCP_CLIENT_INT_H
#define MGI_MCP_CLIENT_INT_H

#include "mcp/client.h"

/* ---- client_send.c --------------------------------------------------------------------------- */

/* `why` lives as long as the client, or NULL: memory is short. The first reason stays. */
void mgi_mcp_client_break(struct mcp_client *c, const char *why);
/* The request under way has ended so; `why` as above, and not of MCP_DONE. */
void mgi_mcp_client_finish(struct mcp_client *c, enum mcp_end end, const char *why);
/* A text of the server within a reason, in one line and cut: for the two above. */
const char *mgi_mcp_client_quote(struct mcp_client *c, const char *before, struct str text);
void mgi_mcp_client_is_open(struct mcp_client *c, enum mcp_era era, enum mcp_revision revision);

void mgi_mcp_client_end_message(struct mcp_client *c);
void mgi_mcp_client_send_discover(struct mcp_client *c);
void mgi_mcp_client_send_initialize(struct mcp_client *c);
void mgi_mcp_client_send_list(struct mcp_client *c,
                              struct str cursor); /* ptr NULL: the first page */
void mgi_mcp_client_send_call(struct mcp_client *c);
void mgi_mcp_client_answer(struct mcp_client *c, const struct rpc_message *m);

#endif
