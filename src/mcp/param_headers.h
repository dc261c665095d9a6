/* Arguments of a tool that its schema wants as headers, too, and headers that say what a body says
 * (X-HTTP-36 to -40): for both ends of the protocol. No I/O, one thread. */
#ifndef MGI_MCP_PARAM_HEADERS_H
#define MGI_MCP_PARAM_HEADERS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"

#define MCP_MOST_RULES 64 /* of a tool; no head has room for more */

/* A property of a tool that is sent as a header, too (X-HTTP-36). */
struct header_rule {
    struct str name; /* without Mcp-Param- */
    const struct str *path;
    size_t depth;
    enum header_type { HEADER_TEXT, HEADER_INT, HEADER_BOOL } type;
};

struct header_rules {
    struct header_rule *items;
    size_t count, cap;
};

/* The rules of a tool's schema, whose names and paths point into it. False: `why` says what is
 * wrong with the keyword, and such a tool is of no use over HTTP (X-HTTP-37); or memory. */
bool mgi_mcp_header_rules(struct arena *a, const struct json *schema, struct header_rules *out,
                          struct buf *why);

/* What a call's arguments have where the rule looks; NULL: nothing, or null. */
const struct json *mgi_mcp_header_argument(const struct json *arguments,
                                           const struct header_rule *rule);

/* Append the value of an argument as a header has it. False: it has none, being a list or so. */
bool mgi_mcp_header_value(struct buf *out, const struct json *value);

/* Append a header's value for a text: plain, or =?base64?…?=. */
void mgi_mcp_header_encode(struct buf *out, struct str value);
/* False: it looks encoded and is not, properly. A plain one is copied. */
bool mgi_mcp_header_decode(struct buf *out, struct str value);

bool mgi_mcp_same_name(struct str a, struct str b); /* letter case does not count */

#endif
