/* MCP servers as a client's configuration says them (docs/reference/mcp.md X-ACT-1), made ready for
 * a domain: names that a domain can have, folders absolute, and no secret in it.
 *
 * A literal that is a secret becomes ${NAME}, and is handed out beside: whoever imports sets the
 * variable for this run, and tells the person to set it for the runs to come. Pure functions; all
 * they give lives in the arena. */
#ifndef MGI_IMPORT_CONFIG_H
#define MGI_IMPORT_CONFIG_H

#include "base/json.h"

#define IMPORT_SERVERS 64

/* A variable that the domain's server needs in its environment. */
struct import_variable {
    struct str name;
    struct str value;  /* the secret that stood there; ptr NULL: the configuration asked for the
                        * variable itself */
    const char *where; /* "env GITHUB_TOKEN", "an argument", … of the server that is named */
    struct str server;
};

struct import_entry {
    struct str original; /* its name in the configuration */
    struct str name;     /* in the domain: [A-Za-z0-9._-]{1,64}, unique, also as part of an AID */
    struct json entry;   /* command, args, env, cwd | url, headers, private: as mcp.json has it */
};

struct import_config {
    struct import_entry *entries;
    size_t count;
    struct import_variable *variables;
    size_t variable_count, variable_cap;
    const char **left_out; /* a line each: servers that are off, or are none, and why */
    size_t left_out_count, left_out_cap;
};

struct import_config_options {
    struct str base;         /* absolute: what paths of the configuration count from */
    const char *const *only; /* names of servers; NULL: all. Ends with NULL */
    /* The value of a variable of the environment, or NULL: a secret is not called what is something
     * else already. */
    const char *(*environment)(const char *name);
    struct str known; /* the mcp.json of an earlier import: names that it has stay; or empty */
};

/* `servers`: names and entries, as a client's file has them. False: *why (there are none that can
 * be used, too many of them), or memory (NULL). */
bool mgi_import_config(struct arena *arena, const struct json *servers,
                       const struct import_config_options *options, struct import_config *out,
                       const char **why);

/* Is it an address of this machine, or of a network that is nobody else's? Whoever writes such an
 * address means it. */
bool mgi_import_is_near(struct str url);

/* The text of mcp.json. */
void mgi_import_config_write(struct buf *out, const struct import_config *config);

#endif
