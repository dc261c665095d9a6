/* What the files of `actions: mcp` share: names, hashes, the lock. */
#ifndef MGI_ACTIONS_MCP_INT_H
#define MGI_ACTIONS_MCP_INT_H

#include "actions/client_config.h"
#include "actions/kinds.h"
#include "base/json.h"

#define MCP_LOCK_FILE "mcp.lock.json"
#define MCP_HASH_TEXT 65 /* 64 hexadecimal digits and a NUL */

/* mgi_client_config_expand() over the server's own environment and the domain's folder. */
struct str mgi_mcp_expand(struct provider_reader *r, const struct yaml_node *n, struct str server);

/* Writes a text, expanded, that is `what` of the server. False: nothing is written; told, or
 * memory. As the value of a key: null then. */
bool mgi_mcp_write_text(struct provider_reader *r, const struct yaml_node *n, struct str server,
                        const char *what, struct json_writer *w);
bool mgi_mcp_write_value(struct provider_reader *r, const struct yaml_node *n, struct str server,
                         struct json_writer *w);
/* Writes each member of a map of texts, expanded; NULL: none. False: told, or memory. */
bool mgi_mcp_write_texts(struct provider_reader *r, const struct yaml_node *map, struct str server,
                         const char *key, struct json_writer *w);

/* Writes the member "env": that of the entry, over what the file of its `envFile` says (NAME=value
 * a line, in the domain's folder). False: told, or memory. */
bool mgi_mcp_write_env(struct provider_reader *r, const struct yaml_node *entry, struct str server,
                       struct json_writer *w);

/* How a server is started, as the lock file pins it: SHA-256 over what its entry says of program or
 * address, with names of variables in place of their values, so that it is the same everywhere and
 * tells nothing secret. False: memory is short. */
bool mgi_mcp_start_hash(const struct yaml_node *entry, char out[MCP_HASH_TEXT]);

/* Which tools of a server are meant, of what its entry says: those of `tools` (includeTools,
 * enabled_tools; "*": all), without those of `excludeTools` (disabled_tools). Others are no
 * actions, and nothing is told of them. */
bool mgi_mcp_wants(const struct yaml_node *entry, struct str tool);
/* The same as members "only" and "without" of the settings: each a list of such lists, a tool is in
 * each list of the first and in none of the second. What is no list of names is told. */
bool mgi_mcp_write_choice(struct provider_reader *r, const struct yaml_node *entry,
                          struct str server, struct json_writer *w);

/* "AID.MCP.<SERVER>.<TOOL>.v1"; NULL: it would be longer than 128 bytes, or memory is short. */
char *mgi_mcp_aid(struct arena *arena, struct str server, struct str tool);

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
