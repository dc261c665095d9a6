/* What a server offers, against what was accepted; and what is told of it for the lock file. */
#ifndef MCP_TOOLS_H
#define MCP_TOOLS_H

#include "base/arena.h"
#include "base/json.h"
#include "mcp/client.h"
#include "mcp/param_headers.h"
#include "toolhost.h"

#define TOOL_HASH_TEXT 65 /* 64 hexadecimal digits and a NUL */

enum tool_standing {
    TOOL_UNSEEN,   /* the server was not asked yet */
    TOOL_ACCEPTED, /* it is what was accepted */
    TOOL_CHANGED,
    TOOL_GONE
};

/* A tool of the lock. */
struct accepted_tool {
    const char *tool;            /* the server's name of it */
    const char *sha256;          /* of what was accepted */
    bool reads;                  /* no side effects: an answer that is lost is no harm */
    struct header_rules headers; /* arguments that are sent as headers, too */
    enum tool_standing standing;
};

/* Which tools are meant at all: those in each of `only` and in none of `without`, which are lists
 * of lists of names ("*": all). NULL: all. Nothing is told of others. */
struct tool_choice {
    const struct json *only, *without;
    bool over_http;
};

/* SHA-256 over what the server says of a tool that decides what it is taken for: name, title,
 * description, schemas, annotations, in canonical form (X-ACT-6). False: memory is short. */
bool tool_hash(const struct json *tool, char out[TOOL_HASH_TEXT]);

/* Compare with what the client has listed. Returns how many tools there are that nobody accepted.
 */
size_t tools_compare(struct accepted_tool *accepted, size_t count, const struct mcp_client *client,
                     struct tool_choice choice);

/* The lock's entry of the server, as one JSON object: texts cleaned and capped, side effects from
 * annotations (X-ACT-3), what is of no use with the reason. */
void tools_describe(struct buf *out, const struct mcp_client *client, const char *start,
                    struct tool_choice choice);

/* What the server is and offers, as one JSON object, for whoever judges it: its texts as they are,
 * not cleaned of anything. Times in milliseconds. */
void tools_verbatim(struct buf *out, const struct mcp_client *client, int64_t start_ms,
                    int64_t list_ms);

#endif
