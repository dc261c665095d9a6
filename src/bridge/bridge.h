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

/* In place of the three tools: those that rules prove for one intent and the facts known at the
 * start, as tools of their own (X-BRIDGE-10). All calls share one work. */
struct bridge_direct {
    const char *intent; /* this and params: borrowed for the bridge's life */
    const struct manglecp_member *params;
    size_t param_count;
    manglecp_facts *facts; /* taken over by mgi_bridge_new(), whatever it returns */
    /* What came of mgi_bridge_declare(): there is a list of `count` tools (mgi_bridge_server()),
     * and `why` is NULL; or all is as before, and `why` has the reason. `context` is that of the
     * bridge's options. */
    void (*declared)(void *context, size_t count, const char *why);
};

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
    const struct bridge_direct *direct; /* copied; NULL: the three tools */
    unsigned threads;                   /* 0: CREW_THREADS */
    int64_t question_ms;                /* 0: CREW_QUESTION_MS */
    int64_t lists_ms;                   /* that a list waits for the domain; 0: LISTS_MS */
    bool one_user;                      /* of this process: handles of works are short */
    bool text_alone;                    /* no structuredContent */
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

struct bridge;
struct bridge *mgi_bridge_new(const struct bridge_options *options); /* NULL: memory, no thread */

/* For peers; borrowed. Of a direct one: NULL until it was declared, and another one after each time
 * that it was. */
struct mcp_server *mgi_bridge_server(struct bridge *b);

/* Of a direct one: ask which tools there are, at the start and when the domain was loaded again.
 * False: memory, or too much is under way. */
bool mgi_bridge_declare(struct bridge *b);

size_t mgi_bridge_busy(const struct bridge *b); /* calls that are not over */

/* Cancel all. What is over soon is answered. */
void mgi_bridge_cancel(struct bridge *b);

/* Waits for the threads, each of which a call of a client may hold for a bounded time: see
 * mgi_crew_free(). Peers are gone by then. NULL is fine. */
void mgi_bridge_free(struct bridge *b);

#endif
