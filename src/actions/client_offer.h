/* What an MCP server of a client's configuration offers: asked for once, outside of any domain. The
 * server runs confined as for `actions: mcp`, in a tool host of its own, and has ended when the
 * answer is there. */
#ifndef MGI_ACTIONS_CLIENT_OFFER_H
#define MGI_ACTIONS_CLIENT_OFFER_H

#include "actions/client_config.h"
#include "base/json.h"

struct client_server_place {
    const struct yaml_node *entry; /* a map, of mgi_client_config_kind() STDIO or HTTP */
    struct str name;
    const char *program; /* of a command: absolute */
    const char *folder;  /* where it is started: absolute; "cwd" of the entry counts from it */
    const struct client_variables *variables;
};

/* How it is started or reached: what a tool host is told (toolhost --config), with the variables
 * replaced. Two servers with the same text, but for the name in it, are the same. It may hold
 * secrets: never shown. What is wrong is told as findings of `c`, all of it. ptr NULL: that, or
 * memory. Keys of Codex are understood, too: env_vars, http_headers, env_http_headers,
 * bearer_token_env_var. */
struct str mgi_client_server_document(const struct yaml_context *c,
                                      const struct client_server_place *place);

struct client_ask {
    const char *toolhost, *plugin; /* paths */
    int64_t timeout_ms;
    bool (*is_over)(void *context); /* nobody waits any more; any thread. NULL: they do */
    void *context;
};

/* Start it, and ask. Blocks for timeout_ms at most, and until is_over(); any thread.
 *
 *   *offer  an object in `arena`: "era", "revision", "server" {"name", "version"}, "start_ms" until
 *           the handshake was done, "list_ms", "instructions", "noise" (the first line that was no
 *           message), "tools": as the server sent them, not cleaned of anything
 *
 * False: *why, of the server's or the host's words: not cleaned. */
bool mgi_client_server_offer(const struct client_ask *ask, struct str name, struct str document,
                             struct arena *arena, struct json *offer, const char **why);

#endif
