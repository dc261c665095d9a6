/* The macro-tools of one intent as plain MCP tools (X-BRIDGE-10), without I/O: what a list of them
 * says, and which macro-tool a name of it means.
 *
 * Equal answers of a server give equal bytes: tools stand in the order of their names, and a name
 * is the same whatever stands beside it. */
#ifndef MGI_BRIDGE_DIRECT_H
#define MGI_BRIDGE_DIRECT_H

#include "base/arena.h"
#include "manglecp.h"
#include "mcp/server.h"

#define DIRECT_TOOLS        256 /* of a list; the rest is left out, and that is said */
#define DIRECT_LIST_BYTES   ((size_t)512 * 1024) /* of names, texts and schemas, likewise */
#define DIRECT_NAME_CHARS   48   /* hosts put their own before it, and some cut at 60 (X-TOOL-6) */
#define DIRECT_ABOUT_BYTES  1024 /* of what a tool is for */
#define DIRECT_SKILL_TOKENS 600  /* of each skill that a tool needs */
#define DIRECT_MANUAL_BYTES                                                                        \
    3072 /* and of how it is used; each ends in a whole sentence or word                           \
          */

/* For the model, about the server as a whole. */
extern const char mgi_direct_instructions[];

struct direct_name {
    struct str shown;  /* as MCP has it */
    const char *macro; /* as the server has it: a name, or a macro_id where two have one name */
};

struct direct_list {
    struct mcp_server *server;       /* whose tools they are: a reference, and it owns its texts */
    const struct direct_name *names; /* in the order of `shown` */
    size_t count, left_out;
    int64_t expires_at_ns; /* the first of them that is over then; INT64_MAX: none */
    struct arena arena;    /* of the names */
};

/*
 * What `tools` offers, as a server: `face` with these tools, in place of its own. Any thread.
 *
 *   why  gets a sentence: why there is none. Empty: memory
 *
 * NULL: see `why`.
 */
struct direct_list *mgi_direct_list_new(const manglecp_tools *tools,
                                        const struct mcp_description *face, struct buf *why);
void mgi_direct_list_free(struct direct_list *l); /* NULL is fine */

/* NULL: none of that name. `l` may be NULL. */
const struct direct_name *mgi_direct_find(const struct direct_list *l, struct str shown);

/* The name that MCP gets for one that the server has: its own where it may stand there; else what
 * may, with a digest of all of it behind. */
void mgi_direct_spell(struct buf *out, struct str name);

#endif
