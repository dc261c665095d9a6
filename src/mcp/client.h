/* The client's end of MCP, without I/O: what is to be sent is in `out`, what came is handed in.
 *
 *   probing --> opening --> ready <--> busy          any --> broken
 *
 * One request at a time. A server is trusted with nothing: whatever else it says than what the
 * protocol allows is dropped, or breaks the connection with a reason; nothing here grows without a
 * bound: MCP_READ_BYTES for one message as it is read, and for all of an answer, a list's pages
 * together. Which revision a server speaks is found by X-COMPAT-5 to -7, or known before (the lock
 * file). Requests of a legacy server are answered at once: ping, and otherwise "not offered"
 * (X-ACT-9, X-ELIC-11, X-ROOTS-2, X-SAMP-3); a modern one has none.
 *
 * One thread. X-INIT-6 to -7, X-DISC, X-COMPAT, X-STDIO-3, X-PAGE-3, X-TOOL-10 to -16, X-MRTR-1 to
 * -12, X-PROG-5, X-CANCEL-3, X-PING. */
#ifndef MGI_MCP_CLIENT_H
#define MGI_MCP_CLIENT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "mcp/revision.h"
#include "mcp/rpc.h"

enum {
    MCP_MOST_PAGES = 100,
    MCP_MOST_TOOLS = 10000,
    MCP_CURSOR_BYTES = 16 << 10,
    MCP_MOST_ROUNDS = 10,        /* of input_required */
    MCP_ROUND_MS = 250,          /* between two of them */
    MCP_MOST_STATE = 64 << 10,   /* of requestState, in bytes */
    MCP_NOISE_LINES = 100,       /* in a row, or */
    MCP_NOISE_BYTES = 64 << 10,  /* so many: what is no message */
    MCP_UNREAD_BYTES = 1 << 20,  /* of answers that the server does not read */
    MCP_MOST_ASKED = 1000,       /* requests of the server in the time of one of ours */
    MCP_PROBE_MS = 10000,        /* for an answer to server/discover, in all */
    MCP_PROBE_SILENCE_MS = 3000, /* and after the first sign of life */
};

enum mcp_era { MCP_ERA_UNKNOWN, MCP_ERA_LEGACY, MCP_ERA_MODERN };
const char *mgi_mcp_era_name(enum mcp_era era); /* "", "legacy", "modern" */
enum mcp_era mgi_mcp_era(struct str name);

enum mcp_client_state {
    MCP_CLOSED,
    MCP_PROBING,
    MCP_OPENING, /* initialize was sent */
    MCP_READY,
    MCP_BUSY,
    MCP_BROKEN /* `why` says; nothing can be done with it any more */
};

/* How the last request ended. */
enum mcp_end {
    MCP_PENDING, /* it did not */
    MCP_DONE,    /* `result`; of a list `tools` */
    MCP_REFUSED, /* an error: `code` and `why` */
    MCP_ASKED,   /* it wants to be told something first, which nobody is there for: `why` */
    MCP_BAD,     /* an answer that is none: `why` */
};

/* What comes beside an answer. Texts are as the server sent them. Any may be NULL. */
struct mcp_client_events {
    void (*progress)(void *context, double progress, double total, struct str message);
    void (*log)(void *context, struct str level, struct str text); /* text: its data as JSON */
    void (*changed)(void *context);                                /* the list of tools */
    void *context;
};

struct mcp_client {
    enum mcp_client_state state;
    enum mcp_era era;
    enum mcp_revision revision; /* from MCP_READY on */
    struct buf out;             /* to be sent: a message a line; the caller takes from its front */
    struct str name, version;   /* of the server, as it says; empty: not known */
    struct str instructions;
    bool has_tools;     /* it says that it has some, */
    bool tells_changes; /* and tells when others are there */

    enum mcp_end end;
    int64_t code;
    const char *why;           /* of MCP_BROKEN and of every end but MCP_DONE; one line */
    const struct json *result; /* in `answer` */
    struct json *tools;        /* of a list, in `answer` */
    size_t tool_count;
    int64_t ttl_ms; /* how long the list is fresh, as it says (X-CACHE-1); -1: it does not say */

    uint64_t noise_lines; /* in all: what was no message */
    char first_noise[200];

    /* private */
    struct mcp_client_events events;
    struct arena life;    /* name, version, instructions, why */
    struct arena answer;  /* of the request under way; ends when the next begins */
    struct arena scratch; /* of one message */
    enum mcp_operation {
        MCP_OP_NONE,
        MCP_OP_DISCOVER,
        MCP_OP_INITIALIZE,
        MCP_OP_LIST,
        MCP_OP_CALL,
        MCP_OP_PING
    } operation;
    int64_t last_id; /* of the request under way; ids go up, so no late answer fits */
    int64_t began_ms, alive_ms, again_at_ms; /* 0: not */
    bool probed_again;
    double progress;
    bool has_progress;
    struct str call_name, call_arguments, call_state;
    unsigned rounds, pages;
    struct str *cursors;
    size_t cursor_cap, tool_cap;
    unsigned asked;
    size_t noise_in_row, noise_bytes;
};

/* Closed. `events` is copied; NULL: none. */
void mgi_mcp_client_init(struct mcp_client *c, const struct mcp_client_events *events);
void mgi_mcp_client_fini(struct mcp_client *c);

/* Begin to talk; MCP_CLOSED before. With MCP_ERA_MODERN it is ready at once. `now_ms`: any clock
 * that only goes forward, from 1. */
void mgi_mcp_client_open(struct mcp_client *c, enum mcp_era era, int64_t now_ms);

/* One line of the server, or one event's data. Whatever it is, the state holds. */
void mgi_mcp_client_take(struct mcp_client *c, struct str line, int64_t now_ms);
/* It has shown a sign of life, on whatever channel. */
void mgi_mcp_client_alive(struct mcp_client *c, int64_t now_ms);
/* Time has passed: a probe that nobody answers ends, a question is asked again. Call it every
 * 50 ms or so while the client is not ready. */
void mgi_mcp_client_tick(struct mcp_client *c, int64_t now_ms);
/* A probe was answered by what is no message, but not by silence (X-COMPAT-8): initialize is next.
 */
void mgi_mcp_client_is_legacy(struct mcp_client *c);
/* It ended, or cannot be reached: broken, with this reason. A probe that ends so says legacy: open
 * another one with MCP_ERA_LEGACY. */
void mgi_mcp_client_lost(struct mcp_client *c, const char *why);

/* Requests; MCP_READY before, MCP_BUSY until `end` is not MCP_PENDING. `arguments` is the text of a
 * JSON object. Both texts are copied. */
void mgi_mcp_client_list(struct mcp_client *c);
void mgi_mcp_client_call(struct mcp_client *c, struct str name, struct str arguments);
void mgi_mcp_client_ping(struct mcp_client *c); /* legacy alone; else it is done at once */
/* The answer is not wanted any more: says so; ready again. What comes late is dropped. */
void mgi_mcp_client_cancel(struct mcp_client *c);

#endif
