/* Configurations of today's MCP clients (X-ACT-1): which servers one names, and how each of them is
 * started or reached. One reading for all that look at such files: the kind "mcp", the importer,
 * the doctor. Claude Code, Claude Desktop, Cursor, VS Code (with its comments), Gemini CLI, Codex
 * (TOML); YAML, too.
 *
 * Nodes live in the context's arena, and so do the texts that are returned. NULL, or a `ptr` of
 * NULL: it is told (a finding with its place), or memory is short: arena->oom. One thread a
 * context. X-ACT-1, X-ACT-2. */
#ifndef MGI_ACTIONS_CLIENT_CONFIG_H
#define MGI_ACTIONS_CLIENT_CONFIG_H

#include "domain/yaml.h"

enum { CLIENT_CONFIG_BYTES = 4 << 20 }; /* ~/.claude.json grows with its user's work */

/* The servers of a file, as a map of names and entries; an empty one where the file names none.
 * Its path decides on the form (.json and .jsonc: JSON, comments and commas at the end allowed;
 * .toml: TOML; all else YAML), and findings name it: it must live as long as the nodes. */
const struct yaml_node *mgi_client_config_read(const struct yaml_context *c, const char *path,
                                               struct str text);

/* The servers in what was read already: below "mcpServers", "servers" or "mcp_servers", or below
 * one of these in "mcp"; else the map itself. */
const struct yaml_node *mgi_client_config_servers(const struct yaml_node *root);

/* `disabled: true` or `enabled: false`. */
bool mgi_client_config_is_off(const struct yaml_node *entry);

enum client_server {
    CLIENT_SERVER_NONE,  /* neither a command nor an address */
    CLIENT_SERVER_BOTH,  /* which one is meant nobody knows */
    CLIENT_SERVER_STDIO, /* command, args, env, envFile, cwd */
    CLIENT_SERVER_HTTP,  /* streamable HTTP: *address; headers */
    CLIENT_SERVER_SSE,   /* the transport of 2024-11-05: type "sse" */
};
/* What an entry, a map, says. *address: its "url" or "httpUrl"; NULL: it has none. */
enum client_server mgi_client_config_kind(const struct yaml_node *entry,
                                          const struct yaml_node **address);

/* Where the variables of a text come from. */
struct client_variables {
    const char *(*get)(const char *name); /* of the environment; NULL: not set */
    const char *workspace;                /* what ${workspaceFolder} is */
};

/* A text of an entry with its variables replaced: ${NAME}, ${env:NAME}, ${NAME:-otherwise},
 * ${workspaceFolder}, ${userHome}; and $NAME in a file of Gemini CLI (below .gemini/), which alone
 * has that form. One that is not set is told at `n` with its name and that of the server
 * (NO_VARIABLE); so is ${input:…}, which nobody is there to answer. */
struct str mgi_client_config_expand(const struct yaml_context *c, const struct yaml_node *n,
                                    struct str server, const struct client_variables *variables);

#endif
