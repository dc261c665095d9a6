/* What a client's log gets of a call (X-BRIDGE-9, X-LOG): what the server told this caller of its
 * own request, and what a person said to a question. No arguments, no results, nothing of the
 * server's own log: those may hold what is not for everybody.
 *
 * Bounded: TELL_ENTRIES of a call, TELL_TEXT bytes of each foreign text. Entries are made on a
 * worker's thread, and sent on the loop's. */
#ifndef MGI_BRIDGE_TELL_H
#define MGI_BRIDGE_TELL_H

#include "mcp/server.h"

#define TELL_ENTRIES 64
#define TELL_TEXT    300

struct tell_entry {
    enum mcp_level level;
    size_t end; /* of its JSON text, in `text` */
};

struct tell {
    /* MCP_NO_LEVEL: nobody hears, nothing is kept. It may change while entries are made: the client
     * came back with an answer, to a call that just stopped waiting for it. */
    _Atomic(enum mcp_level) least;
    struct buf text; /* JSON objects, one after the other; short memory costs what follows */
    struct tell_entry entries[TELL_ENTRIES];
    size_t count, left_out;
};

/* From now on what this client hears; what was kept stays. */
void mgi_tell_listen(struct tell *t, const struct mcp_call *call);
void mgi_tell_fini(struct tell *t);

/* An envelope that answers an invocation of `tool`, or an error (also of an intent): its events,
 * its summary or its error. What cannot be read is not told. */
void mgi_tell_answer(struct tell *t, const char *tool, struct str envelope);

/* One thing about `tool`: {"tool":…, `what`: `text`}. */
void mgi_tell_one(struct tell *t, enum mcp_level level, const char *tool, const char *what,
                  struct str text);

/* All that was kept, to the client; nothing is kept after. */
void mgi_tell_send(struct tell *t, struct mcp_call *call);

#endif
