/* Where today's MCP clients keep their servers (X-ACT-1): the table that `mcp --install` and
 * `doctor` read. A client more is a row more. */
#ifndef MGI_CLI_MANGLECP_CLIENTS_H
#define MGI_CLI_MANGLECP_CLIENTS_H

#include "base/arena.h"
#include "splice/splice.h"

enum client_scope { CLIENT_USER, CLIENT_PROJECT };

/* How an entry hands on a variable of the environment that its client has. */
enum client_variable {
    CLIENT_VAR_NOT,   /* it cannot */
    CLIENT_VAR_PLAIN, /* "env": {"NAME": "${NAME}"} */
    CLIENT_VAR_ENV,   /* "env": {"NAME": "${env:NAME}"} */
    CLIENT_VAR_NAMES  /* "env_vars": ["NAME"] */
};

struct client_file {
    const char *client, *title; /* "claude-code", "Claude Code" */
    enum client_scope scope;
    const char *path;            /* below the home folder, or the project's */
    const char *variable, *tail; /* or tail below $variable, where that is set; or NULL */
    enum splice_form form;
    const char *section;
    enum client_variable variables;
    bool typed; /* its entries say "type": "stdio" */
};

/* Ends with a row without a client; the rows of a client stand together, the user's first. */
extern const struct client_file mgi_client_files[];

/* The row of a client; NULL: there is none. */
const struct client_file *mgi_client_file(const char *client, enum client_scope scope);

/* Its absolute path. NULL: HOME is not set, or memory is short. */
const char *mgi_client_path(struct arena *arena, const struct client_file *file,
                            const char *project);

/* "claude-code, cursor, …" */
const char *mgi_client_names(struct arena *arena);

/* Is this entry one of ours: manglecp mcp …? */
bool mgi_client_entry_is_ours(const struct json *entry);

#endif
