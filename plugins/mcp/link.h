/* One MCP server, a child of the worker or behind an address, and what the client says with it.
 *
 *   down --start--> opening --> ready            any --> down (its end, silence, nonsense)
 *
 * The child lives across calls, in a group of its own, and ends with the worker. A child that ended
 * is started again by the next call: after 1, 2, 4 … 60 s, at most MCP_MOST_STARTS times in
 * MCP_STARTS_MS, and then not any more (X-ACT-8). One thread; nothing blocks longer than `wait`
 * allows. */
#ifndef MCP_LINK_H
#define MCP_LINK_H

#include "base/lines.h"
#include "mcp/client.h"
#include "plugins/relay/program.h"
#include "web.h"

enum {
    MCP_START_MS = 30000,
    MCP_LIST_MS = 30000,
    MCP_SUSPECT_MS = 5000, /* for a server that left a call unanswered */
    MCP_MOST_STARTS = 5,
    MCP_STARTS_MS = 600000,
    MCP_PAUSE_MS = 1000, /* after the first failure; twice as much after each further one, */
    MCP_MOST_PAUSE_MS = 60000,
    MCP_LEAST_FRESH_MS = 60000, /* a list is not looked at again sooner because it says so */
};

/* Who waits: true as long as the wait goes on. Asked every few milliseconds. */
struct link_wait {
    bool (*go_on)(void *context);
    void *context;
};

struct mcp_link {
    struct relay_settings how; /* how it is started */
    struct mcp_web web;        /* where web.url is set: there is no program */
    struct relay_program program;
    struct lines lines;
    struct mcp_client client;
    struct mcp_client_events events;
    enum mcp_era era;                 /* known from the lock, or found out */
    const char *(*keep)(int64_t pid); /* what tells the host that the child stays; or NULL */
    int64_t starts[MCP_MOST_STARTS];  /* of the last ones that failed; 0: none */
    unsigned failures;                /* in a row */
    int64_t not_before_ms;
    int pause_ms;           /* MCP_PAUSE_MS, unless a test says less */
    int64_t fresh_until_ms; /* of the list of its tools, as the server says; 0: it does not */
    int64_t start_until_ms; /* when a server that is starting has to be ready */
    bool patient;           /* it may take as long to start as whoever waits has time */
    bool open;              /* there is a child */
    bool suspect;           /* it left a call unanswered: may be stuck */
    bool stale;             /* the list of its tools may have changed */
    size_t unsent_mark;     /* bytes of `out` before the request; for link_has_sent() */
    bool sent;
    char why[1024];
};

void link_init(struct mcp_link *l, const struct mcp_client_events *events);
void link_fini(struct mcp_link *l, int grace_ms);

/* There is a server that is ready. NULL; or why not (*refused: it is out of order, do not insist),
 * in l->why. */
const char *link_open(struct mcp_link *l, const struct link_wait *wait, bool *refused);

/* After mgi_mcp_client_list(), _call(), _ping(): until it has ended. False: whoever waits has
 * enough; the request is still under way. NULL end and MCP_BROKEN: l->client.why. */
bool link_converse(struct mcp_link *l, const struct link_wait *wait);
/* Its tools were listed, and are not stale now. */
void link_is_fresh(struct mcp_link *l);
bool link_is_stale(const struct mcp_link *l);

/* Some of the request has left: it may be at work. */
bool link_has_sent(const struct mcp_link *l);

/* Send and read while `wait` goes on: no request is under way. */
void link_flush(struct mcp_link *l, const struct link_wait *wait);

/* The server is not talked to any more, for this reason; its whole group is killed. */
void link_down(struct mcp_link *l, const char *why);

#endif
