/* What the files of `actions: mcp` share: configuration, variables, the lock. */
#ifndef MGI_ACTIONS_MCP_INT_H
#define MGI_ACTIONS_MCP_INT_H

#include "actions/kinds.h"
#include "base/json.h"

#define MCP_LOCK_FILE "mcp.lock.json"
#define MCP_HASH_TEXT 65 /* 64 hexadecimal digits and a NUL */

/* A text of a configuration with its variables replaced: ${NAME}, ${env:NAME}, ${NAME:-other} (of
 * the server's own environment), ${workspaceFolder} (the domain's). ptr NULL: one is not set
 * (told at `n`, with its name and that of the server; NO_VARIABLE), or memory is short. */
struct str mgi_mcp_expand(struct provider_reader *r, const struct yaml_node *n, struct str server);

/* How a server is started, as the lock file pins it: SHA-256 over what its entry says of program or
 * address, with names of variables in place of their values, so that it is the same everywhere and
 * tells nothing secret. False: memory is short. */
bool mgi_mcp_start_hash(const struct yaml_node *entry, char out[MCP_HASH_TEXT]);

/* The lock file of a domain. `root` is JSON_NULL where there is none, or where it is not usable,
 * which is told (BAD_LOCK). False: memory is short. Everything is in the snapshot's arena. */
struct mcp_lock {
    struct json root;
    bool found, bad;
};
bool mgi_mcp_lock_read(struct provider_reader *r, struct mcp_lock *out);
/* The entry of a server; NULL: it has none. */
const struct json *mgi_mcp_lock_server(const struct mcp_lock *lock, struct str server);

/* Appends the tools of a server that were accepted, as elements of the settings' "tools". What
 * cannot be used is told at `at`. False: memory is short. */
bool mgi_mcp_lock_tools(struct provider_reader *r, const struct yaml_node *at, struct str server,
                        const struct json *locked, struct json_writer *w);

#endif
