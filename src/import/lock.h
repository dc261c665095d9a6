/* mcp.lock.json of an import: what servers offer, with side effects by what tools can do. */
#ifndef MGI_IMPORT_LOCK_H
#define MGI_IMPORT_LOCK_H

#include "import/tool.h"

struct import_offer {
    struct str server;        /* as the domain calls it */
    const struct json *offer; /* its entry, as discovered; NULL: it did not answer */
};

/* The text. Tools that are left out are left out of it, too; `tools` NULL: all of them stand there
 * as they were offered. What `old` (NULL: none) has of a tool that is what it was stays: its side
 * effects may have been set by a person; and so does the entry of a server that did not answer.
 * False: memory. */
bool mgi_import_lock(struct buf *out, const struct import_offer *offers, size_t offer_count,
                     const struct import_tool *tools, size_t tool_count, const struct json *old);

/* The same lock, with the side effects of each of `aids` by its class: what a person has confirmed.
 * `changed` counts tools that are not as they were. False: memory. */
struct import_confirmation {
    struct str server, tool; /* as the lock has them */
    enum import_harm harm;
};
bool mgi_import_relock(struct buf *out, const struct json *old,
                       const struct import_confirmation *confirmed, size_t count, size_t *changed);

/* "readOnlyHint" … of a tool as the lock has it. */
struct import_hints mgi_import_hints(const struct json *tool);

#endif
