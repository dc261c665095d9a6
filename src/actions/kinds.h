/* The kinds of action beside plugins: each reads its key of `actions:` in domain.yaml (see
 * domain/provider.h, struct action_kind) and makes providers out of a plugin of the product. */
#ifndef MGI_ACTIONS_KINDS_H
#define MGI_ACTIONS_KINDS_H

#include "domain/provider.h"

/* `hosts`: programs that speak the toolhost's lines, relayed to by the plugin "relay".
 *
 *   hosts:
 *     - name: tools
 *       run: [python3, actions.py]     # in the domain's folder, no shell
 *       env: {TOKEN: "${SHOP_TOKEN}"}  # values, or variables of the server's environment
 *       may: [network]                 # capabilities, shell among them; all unless said
 *       read: [data]
 */
bool mgi_read_hosts(struct provider_reader *r, const struct yaml_node *node);

/* `commands`: programs that are started for each call, as YAML files say (domain/command_form.h),
 * by the plugin "command".
 *
 *   commands: actions/git.yaml  # or a list of such; in the domain's folder
 */
bool mgi_read_commands(struct provider_reader *r, const struct yaml_node *node);

/* `http`: operations of HTTP APIs, as YAML files say (docs/actions-over-http.md), by the plugin
 * "http".
 *
 *   http: api/orders.yaml  # or a list of such; in the domain's folder
 */
bool mgi_read_http(struct provider_reader *r, const struct yaml_node *node);

/* `mcp`: tools of MCP servers, as configurations of today's clients say them
 * (docs/actions-from-mcp.md), by the plugin "mcp"; of them those that mcp.lock.json accepts.
 *
 *   mcp: .mcp.json  # in the domain's folder; or {from: .mcp.json, servers: {files: {may: […]}}}
 *   mcp: {files: {command: npx, args: […], may: [file_read], read: [data]}}
 */
bool mgi_read_mcp(struct provider_reader *r, const struct yaml_node *node);

/* The same without looking at the lock: each provider has one action, MCP_DISCOVER_AID, which
 * answers with what the server offers; its settings have "start", the hash for the lock. */
bool mgi_read_mcp_to_lock(struct provider_reader *r, const struct yaml_node *node);
extern const struct action_kind mgi_lock_kinds[]; /* that alone */
#define MCP_DISCOVER_AID "AID.MCP.DISCOVER.v1"

/* "AID.MCP.<SERVER>.<TOOL>.v1"; NULL: it would be longer than 128 bytes, or memory is short. */
char *mgi_mcp_aid(struct arena *arena, struct str server, struct str tool);

/* Parts that several kinds need. */

/* Files that a key names: a path in the domain's folder, one with * in its last part, or a list of
 * both; and maps that name one, if take_entry is there. What is wrong is told. */
struct kind_files {
    const char *key;
    const char *const *suffixes; /* what names end in that * finds; ends with NULL */
    /* What is in one. `path` lives as long as the snapshot; findings may quote `text`. */
    bool (*take)(void *context, const char *path, struct str text);
    bool (*take_entry)(void *context, const struct yaml_node *entry);
    void *context;
    const char **paths; /* absolute; ends with NULL, or is NULL */
    size_t count, cap;
};
bool mgi_kind_files(struct provider_reader *r, const struct yaml_node *node,
                    struct kind_files *files);
/* The one file that `at` names, without *; what is in it goes to take(context, …). */
bool mgi_kind_file(struct provider_reader *r, const struct yaml_node *at, struct kind_files *files,
                   bool (*take)(void *context, const char *path, struct str text), void *context);

/* Writes "aid", "name" and "description" of an action; `what` it is is "a command", … */
void mgi_kind_identity(struct provider_reader *r, const struct yaml_node *entry, const char *what,
                       struct json_writer *w, struct action_place *place);
/* Writes a text or a list of texts as a member; nothing where `n` is NULL. */
void mgi_kind_word_list(struct provider_reader *r, const struct yaml_node *n, const char *key,
                        struct json_writer *w);
/* Writes the member "timeout_ms" of a duration, and `key` of a number of bytes, 1 to `most`; what
 * is none is told (BAD_VALUE). Nothing where `n` is NULL. */
void mgi_kind_timeout(struct provider_reader *r, const struct yaml_node *n, struct json_writer *w);
void mgi_kind_bytes(struct provider_reader *r, const struct yaml_node *n, const char *key, int most,
                    struct json_writer *w);
/* Writes the member "defaults": those of a schema's properties. */
void mgi_kind_defaults(const struct yaml_node *schema, struct json_writer *w);
/* Is it a JSON Schema at all? Where not is told. False: it is none, or memory. */
bool mgi_kind_check_schema(struct provider_reader *r, const struct yaml_node *n, const char *what);

/* Writes the texts of a list as a JSON array; false: it is none, or a member is no text (told). */
bool mgi_kind_texts(struct provider_reader *r, const struct yaml_node *list, const char *what,
                    struct json_writer *w);
/* Writes `env:` of an entry, a map of texts in which "${NAME}" stands for a variable of the
 * server's own environment, as a member "env"; one that is not set is told (NO_VARIABLE). `python`,
 * if it is not NULL, is PYTHONPATH where the entry does not say it. */
void mgi_kind_environment(struct provider_reader *r, const struct yaml_node *entry,
                          const char *python, struct json_writer *w);

#endif
