/* `_meta`: the envelope of r5, and what capabilities and hints a peer sent (X-META-*, mcp.md 1.3).
 *
 * Views borrow from the message. What a peer says of itself changes no behaviour (X-META-7) but for
 * its capabilities, which are read anew from each r5 request. */
#ifndef MGI_MCP_META_H
#define MGI_MCP_META_H

#include "mcp/revision.h"
#include "mcp/rpc.h"

#define META_PREFIX       "io.modelcontextprotocol/"
#define META_VERSION      META_PREFIX "protocolVersion"
#define META_CAPABILITIES META_PREFIX "clientCapabilities"
#define META_CLIENT       META_PREFIX "clientInfo"
#define META_SERVER       META_PREFIX "serverInfo"
#define META_LOG_LEVEL    META_PREFIX "logLevel"
#define META_SUBSCRIPTION META_PREFIX "subscriptionId"

/* Rising (X-LOG-1). */
enum mcp_level {
    MCP_NO_LEVEL,
    MCP_DEBUG,
    MCP_INFO,
    MCP_NOTICE,
    MCP_WARNING,
    MCP_LEVEL_ERROR,
    MCP_CRITICAL,
    MCP_ALERT,
    MCP_EMERGENCY
};
const char *mgi_mcp_level_name(enum mcp_level level);
enum mcp_level mgi_mcp_level(struct str name); /* MCP_NO_LEVEL: not one */

/* What a client can do, in any revision. */
struct mcp_client_can {
    bool roots, roots_change;
    bool sampling, sampling_tools;
    bool form, url; /* elicitation; `{}` is form alone (X-ELIC-5) */
    bool tasks;     /* r5: the extension */
};
/* Of a capabilities object; what is odd counts as not there. */
void mgi_mcp_client_can(const struct json *capabilities, struct mcp_client_can *out);

enum mcp_claim {
    MCP_NO_CLAIM, /* not one of r5's requests */
    MCP_CLAIM,    /* complete and well-formed; whether the version is served is another thing */
    MCP_BAD_CLAIM /* -32602 (X-META-5) */
};

struct mcp_envelope {
    enum mcp_claim claim;
    char why[160];                   /* of a bad claim: one sentence */
    struct str version;              /* empty: none was read */
    const struct json *capabilities; /* NULL: none */
    const struct json *client;       /* NULL: none */
    bool has_level;
    struct str level;             /* as sent; it may be none (X-LOG-3) */
    struct rpc_id progress_token; /* in every revision */
};

/* Of a request's params (NULL: absent). */
void mgi_mcp_envelope(const struct json *params, struct mcp_envelope *out);

/* The members of an r5 request's `_meta`, into an object that is open. `capabilities` is JSON text,
 * {} for none; `token` may be NULL. */
struct mcp_self {
    struct str name, version, title;
};
void mgi_mcp_write_self(struct json_writer *w, const struct mcp_self *self,
                        enum mcp_revision r); /* an Implementation */
void mgi_mcp_write_envelope(struct json_writer *w, const struct mcp_self *client,
                            struct str capabilities, const struct rpc_id *token);

#endif
