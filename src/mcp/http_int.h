/* Inside of the HTTP rules: what a head says, and the checks of r5. */
#ifndef MGI_MCP_HTTP_INT_H
#define MGI_MCP_HTTP_INT_H

#include "mcp/http.h"
#include "mcp/server_int.h"

/* The one header of this name, in any case; ptr NULL: none. *twice (may be NULL): there are more.
 */
struct str mgi_mcp_header(const struct mcp_request *r, const char *name, bool *twice);
bool mgi_mcp_same_name(struct str a, struct str b); /* letter case does not count */

bool mgi_mcp_host_is_ours(const struct mcp_http_options *o, struct str host);
bool mgi_mcp_origin_is_ours(const struct mcp_http_options *o, struct str origin);
bool mgi_mcp_is_json(struct str content_type);

struct accepts {
    bool json, stream;
};
struct accepts mgi_mcp_accepts(const struct mcp_request *r);

/* Rows 9 to 14 of X-HTTP-28. RPC_FINE, or the error and, in `why`, its sentence; -32022 gets its
 * data from the version. */
enum rpc_code mgi_mcp_check_modern(const struct mcp_server *s, const struct mcp_request *r,
                                   const struct rpc_message *m, const struct mcp_envelope *e,
                                   struct buf *why);

#endif
