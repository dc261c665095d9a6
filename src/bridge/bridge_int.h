/* Inside of the bridge: what its handlers share. From below: lists.c has what is listed, offers.c
 * what is offered beside the tools <- bridge.c, what becomes of a call <- direct_calls.c, a bridge
 * that shows the tools of one intent in place of the three. */
#ifndef MGI_BRIDGE_BRIDGE_INT_H
#define MGI_BRIDGE_BRIDGE_INT_H

#include "bridge/bridge.h"
#include "bridge/catalogue.h"
#include "bridge/perform.h"
#include "sys/digest.h"

#define BRIDGE_CALLS 256 /* that are not over, of all peers together */

/* What differs between a bridge of three tools and a direct one. */
struct bridge_face {
    size_t size;           /* of its struct, which begins with a struct bridge */
    int64_t works_idle_ns; /* as of struct works_options */
    bool (*open)(struct bridge *b, const void *context); /* false: memory; close() comes after */
    struct mcp_server *(*server)(struct bridge *b);      /* borrowed */
    void (*loaded)(struct bridge *b);
    void (*end)(struct bridge *b); /* all is cancelled */
    void (*close)(struct bridge *b);
};

struct bridge {
    const struct bridge_face *face;
    struct bridge_options options;
    void (*changed)(void *context, const struct bridge_change *change); /* NULL: nobody hears */
    void *changed_context;
    struct crew *crew;
    struct works *works;
    struct lists *lists;
    struct bridge_direct direct; /* of a direct one: an intent, its server and its work */
    struct mcp_server *server;
    struct bridge_work *shared;
    struct bridge_call *calls;
    size_t count; /* calls that are not over, of every kind */
};

static inline void mgi_bridge_tell(struct bridge *b, const struct bridge_change *change)
{
    if (b->changed)
        b->changed(b->changed_context, change);
}

/* ---- a call: bridge.c ---------------------------------------------------------------------------
 */

#define STATE_CHARS 22

struct bridge_call;

struct bridge_call_kind {
    size_t size; /* of its struct, which begins with a struct bridge_call */
    /* On a worker's thread, inside of the work. */
    void (*perform)(struct bridge_call *c, manglecp_client *client);
    /* All of these may be NULL. It is inside of the work: is there nothing to perform any more? */
    bool (*is_settled)(struct bridge_call *c);
    void (*done)(struct bridge_call *c); /* it was performed, and is not answered yet */
    bool (*answer)(struct bridge_call *c, struct mcp_call *mcp); /* false: not; as that of a tool */
    void (*fini)(struct bridge_call *c);
};

struct bridge_call {
    struct crew_job job;   /* first: a job is its call */
    struct work_turn turn; /* in the queue of `work` */
    const struct bridge_call_kind *kind;
    struct bridge *bridge;
    struct bridge_call *next, **place;
    struct mcp_call *mcp; /* NULL: parked, or gone */
    struct bridge_caller *caller;
    struct bridge_work *work;
    struct arena arena;
    struct ask ask;
    struct performed out;
    bool handed;                /* to the crew: done() will come */
    bool modern, parked, began; /* began: this call made its work */
    double steps;               /* progress of one that does not tell how far it is */
    char state[STATE_CHARS + 1];
    uint8_t bound[SHA256_BYTES]; /* digest of what the state is good for */
};

/* `context` goes to face->open(). */
struct bridge *mgi_bridge_make(const struct bridge_options *options, const struct bridge_face *face,
                               const void *context);

/* `mcp` NULL: nobody asked, and nobody is answered. NULL: memory, or too many calls. */
struct bridge_call *mgi_bridge_call_new(struct bridge *b, struct mcp_call *mcp,
                                        const struct bridge_call_kind *kind);

/* Into its work (the caller's choice, or what its `ask` means), and on from there. */
void mgi_bridge_call_enter(struct bridge_call *c);

/* It is answered with `text`, without having run, and gone. */
void mgi_bridge_call_refuse(struct bridge_call *c, const char *text);

/* The handler of a tool is called again, with answers. */
void mgi_bridge_go_on(struct bridge *b, struct mcp_call *mcp);

/* The handler; `context` is a bridge. */
void mgi_bridge_cancelled(void *context, struct mcp_call *mcp);

/* ---- what is listed, and for whom: lists.c ------------------------------------------------------
 *
 * Before the domain has loaded nothing is known of its skills, and of `run` only the worst. So the
 * lists wait for it, LISTS_MS at most; after that the answer says that it is good for now alone. */

#define LISTS_MS       10000
#define LISTS_AGAIN_MS 5000 /* after it could not be learnt */

struct lists;
/* `handlers` of all servers. NULL: memory. */
struct lists *mgi_lists_new(struct bridge *b, const struct mcp_handlers *handlers);
void mgi_lists_free(struct lists *l); /* after the crew; NULL is fine */
void mgi_lists_end(struct lists *l);  /* whoever waits is answered now */

/* The domain was loaded again: who has read a list is told if it is another one now. */
void mgi_lists_again(struct lists *l);

/* What peers are served by: what holds of every domain. Borrowed. */
struct mcp_server *mgi_lists_server(const struct lists *l);

/* The handler; `context` is a bridge. */
void mgi_lists_choose(void *context, struct mcp_call *call);

/* What is known. NULL: nothing, or not for who calls. */
const struct catalogue *mgi_lists_of(const struct bridge *b, const struct mcp_call *call);

/* ---- prompts, resources, completions (X-BRIDGE-11): offers.c -----------------------------------
 */

/* Handlers; `context` is a bridge. */
void mgi_offer_prompt(void *context, struct mcp_call *call);
void mgi_offer_resource(void *context, struct mcp_call *call);
void mgi_offer_completion(void *context, struct mcp_call *call);

#endif
