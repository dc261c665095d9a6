/* The bridge: a MangleCP server as an MCP server (X-BRIDGE-1 to -13).
 *
 *     MCP messages ──peers (src/mcp)──> handlers here ──> crew: a client does it ──> answer
 *                                            └── works: what each conversation has come to
 *
 * Bytes are somebody else's: stdio.h, http.h of this room. Everything here belongs to the loop's
 * thread, and nothing in it blocks or evaluates. */
#ifndef MGI_BRIDGE_BRIDGE_H
#define MGI_BRIDGE_BRIDGE_H

#include <uv.h>

#include "bridge/crew.h"
#include "mcp/server.h"

#define BRIDGE_OWNER_CHARS 43

struct bridge_options {
    uv_loop_t *loop;
    /* As of struct crew_options. */
    manglecp_client *(*connect)(void *context, const struct principal *who,
                                struct manglecp_options *o, struct buf *why);
    void *context;
    /* Of a domain that is served in this process: how often it was loaded (0: not yet), and its
     * skills (mgi_catalogue_new()). Any thread. NULL: it is elsewhere, where a skill comes with a
     * tool that needs it alone. */
    uint64_t (*loads)(void *domain);
    void (*skills)(void *domain, struct buf *out);
    void *domain;
    unsigned threads;    /* 0: CREW_THREADS */
    int64_t question_ms; /* 0: CREW_QUESTION_MS */
    int64_t lists_ms;    /* that a list waits for the domain; 0: LISTS_MS, a direct one 30 s */
    bool one_user;       /* of this process: handles of works are short */
    bool text_alone;     /* no structuredContent */
};

/* Who calls: mcp_route.caller, which is NULL on stdio. Counted: calls keep it. */
struct bridge_caller {
    unsigned refs;
    const struct principal *who; /* a reference; NULL: whoever reaches this address */
    uint64_t connection;         /* of a legacy session, never 0 in one */
    char owner[BRIDGE_OWNER_CHARS + 1];
};

/* What tells its works and sessions from those of others. False: no digest could be made. */
bool mgi_bridge_owner(const struct principal *who, char out[BRIDGE_OWNER_CHARS + 1]);

/* One reference. NULL: memory. */
struct bridge_caller *mgi_bridge_caller_new(const struct principal *who, uint64_t connection);
struct bridge_caller *mgi_bridge_caller_ref(struct bridge_caller *c); /* NULL is fine for both */
void mgi_bridge_caller_unref(struct bridge_caller *c);

/* An intent that is declared once, for all who call: its macro-tools are the bridge's tools, in
 * place of the three (X-BRIDGE-10). Borrowed for the bridge's life. */
struct bridge_direct {
    const struct manglecp_intent *intent;
    const manglecp_facts *facts; /* that are known to everybody at first */
    /* Something is wrong with a list, and nobody may have asked for it. NULL: nobody hears. */
    void (*complain)(void *context, const char *what);
    void *context;
};

struct bridge;
struct bridge *mgi_bridge_new(const struct bridge_options *options); /* NULL: memory, no thread */
struct bridge *mgi_bridge_direct_new(const struct bridge_options *options,
                                     const struct bridge_direct *direct); /* the same */

/* For peers; borrowed. */
struct mcp_server *mgi_bridge_server(struct bridge *b);

/* Lists that a client may have read are others now. Each pair is what they were and what they are.
 */
struct bridge_change {
    const char *owner; /* whose they are, as struct bridge_caller has it; NULL: everybody's */
    const struct mcp_server *was, *is;
    const struct mcp_server *was_some, *is_some; /* of who may not use every intent */
};

/* For whoever has the peers: called when lists have changed, until another one (or NULL) is. */
void mgi_bridge_listen(struct bridge *b,
                       void (*changed)(void *context, const struct bridge_change *change),
                       void *context);

/* The domain was loaded again, or may have been: what is listed is looked at again. */
void mgi_bridge_loaded(struct bridge *b);

size_t mgi_bridge_busy(const struct bridge *b); /* calls that are not over */

/* Cancel all. What is over soon is answered. */
void mgi_bridge_cancel(struct bridge *b);

/* Waits for the threads, each of which a call of a client may hold for a bounded time: see
 * mgi_crew_free(). Peers are gone by then. NULL is fine. */
void mgi_bridge_free(struct bridge *b);

#endif
