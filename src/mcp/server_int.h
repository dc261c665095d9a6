/* Inside of the server core. From below: server (what is served) <- send (what goes out) <- answer,
 * progress <- question <- listen <- methods <- peer (what comes in). */
#ifndef MGI_MCP_SERVER_INT_H
#define MGI_MCP_SERVER_INT_H

#include "base/strmap.h"
#include "mcp/param_headers.h"
#include "mcp/server.h"

/* ---- what is served ------------------------------------------------------------------------- */

enum mcp_list { LIST_TOOLS, LIST_RESOURCES, LIST_TEMPLATES, LIST_PROMPTS, LIST_KINDS };

struct page {
    struct str text; /* "tools":[…] and maybe ,"nextCursor":"…" : members of a result */
};

struct listing { /* of one kind, in one revision */
    struct page *pages;
    size_t page_count;
    char version[17]; /* of all of it: hexadecimal */
};

struct mcp_server { /* immutable but for its count */
    unsigned refs;
    struct arena arena;
    struct mcp_description d; /* its texts are the arena's */
    struct listing lists[MCP_R5 + 1][LIST_KINDS];
    struct str greeting[MCP_R5 + 1]; /* the result of initialize, whole; r5: members of discover */
    struct str meta;                 /* "io…/serverInfo":{…} */
    struct strmap tools, prompts;    /* names to places */
    struct header_rules *headers;    /* of each tool */
};

/* The members of the page that `cursor` (empty: the first) names; ptr NULL: a bad cursor. */
struct str mgi_mcp_page(const struct mcp_server *s, enum mcp_revision r, enum mcp_list kind,
                        struct str cursor);
const struct mcp_prompt *mgi_mcp_prompt(const struct mcp_server *s, struct str name);

/* Entries (server_lists.c). */
void mgi_mcp_member(struct json_writer *w, const char *name, struct str text); /* unless empty */
void mgi_mcp_write_tool(struct json_writer *w, const struct mcp_tool *t, enum mcp_revision r,
                        bool object_output);
void mgi_mcp_write_resource(struct json_writer *w, const struct mcp_resource *x,
                            enum mcp_revision r, bool is_template);
void mgi_mcp_write_prompt(struct json_writer *w, const struct mcp_prompt *p, enum mcp_revision r);
void mgi_mcp_write_greeting(struct json_writer *w, const struct mcp_description *d,
                            enum mcp_revision r);
void mgi_mcp_write_info(struct json_writer *w, const struct mcp_description *d,
                        enum mcp_revision r);

/* Those of the tool of this name; NULL: no such tool. */
const struct header_rules *mgi_mcp_rules_of(const struct mcp_server *s, struct str tool);

/* ---- peers and calls ------------------------------------------------------------------------ */

struct batch {   /* the answers to one array of messages */
    size_t left; /* answers that have not come, and one for who reads the array */
    bool none;   /* nothing was written yet */
    struct buf text;
    struct mcp_route route;
    bool gone;
};

struct asked { /* a question of a legacy call */
    int64_t id;
    struct str key;
    struct str text; /* the request, until it is sent (X-INIT-2) */
    bool sent, done;
    enum mcp_answered how;
    const struct json *answer;
};

struct row;

struct mcp_call {
    struct mcp_peer *peer;     /* NULL: it is gone */
    struct mcp_server *server; /* whose handler has it: a reference; or NULL */
    struct mcp_call *next, *before;
    struct arena arena;
    size_t held; /* of it, when it came */
    struct rpc_id id;
    struct str method, name;
    const struct json *params, *arguments;
    struct json no_arguments;
    enum mcp_revision revision;
    struct mcp_client_can can;
    struct mcp_self client;
    enum mcp_level level; /* r5; MCP_NO_LEVEL: nothing is logged */
    struct mcp_route route;
    struct batch *batch;
    const struct row *row;
    void (*handler)(void *context, struct mcp_call *call);
    void *mine;
    void (*release)(void *mine);
    bool cancelled, gone, with_handler;

    /* questions */
    struct asked *asked;
    size_t asked_count;
    bool waiting, again;
    int64_t deadline_ms, beat_ms;
    struct str state;
    const struct json *answers; /* r5: inputResponses */

    /* progress */
    struct rpc_id token;
    bool has_progress;
    double progress;         /* the last that was told, or waits */
    struct buf pending;      /* the notification that waits; empty: none */
    int64_t progress_due_ms; /* not before */

    /* a subscription */
    bool listening, on_tools, on_prompts, on_resources;
    struct str *uris;
    size_t uri_count;
};

enum peer_state { PEER_NEW, PEER_GREETED, PEER_READY };

struct mcp_peer {
    struct mcp_server *server;
    struct mcp_peer_options o;
    struct arena arena; /* of the handshake */
    enum peer_state state;
    enum mcp_revision revision;
    struct mcp_client_can can;
    struct mcp_self client;
    enum mcp_level level;
    struct mcp_call *calls; /* newest first; those that listen, too */
    size_t call_count, listen_count, asked_count, held;
    size_t uri_count;    /* watched: by subscriptions, and below */
    struct buf *watched; /* legacy URIs */
    size_t watched_count, watched_cap;
    int64_t last_id;
    unsigned changes; /* list kinds to tell when it is ready */
    int64_t log_second;
    unsigned logged, unlogged;
    bool draining, freed;
    unsigned inside;
};

/* A method: which revisions have it, whether this server does, and what it does. */
struct row {
    const char *name;
    enum mcp_revision since, until;
    bool (*offered)(const struct mcp_description *d);
    void (*run)(struct mcp_call *c);
    bool may_ask;
    bool of_lists; /* it reads one: see `choose` */
};

/* ---- send.c --------------------------------------------------------------------------------- */

void mgi_mcp_enter(struct mcp_peer *p);
void mgi_mcp_leave(struct mcp_peer *p); /* may free it */

/* A message that belongs to the call, or (c NULL) to none. */
void mgi_mcp_send_related(struct mcp_call *c, struct str text);
void mgi_mcp_send_alone(struct mcp_peer *p, struct str text);

/* An answer without a call. `code` RPC_FINE: text empty. */
void mgi_mcp_send_answer(struct mcp_peer *p, const struct mcp_route *route, struct batch *b,
                         struct str text, enum rpc_code code, bool by_handler);
void mgi_mcp_batch_done(struct mcp_peer *p, struct batch *b); /* one less is expected */

/* The call is over: `text` is its answer, which is freed; memory that is short becomes -32603. */
void mgi_mcp_finish(struct mcp_call *c, struct buf *text, enum rpc_code code);
void mgi_mcp_finish_error(struct mcp_call *c, enum rpc_code code, struct str message,
                          struct str data);
void mgi_mcp_fail_with(struct mcp_call *c, enum rpc_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void mgi_mcp_call_free(struct mcp_call *c); /* without an answer; unlinked here */

/* The handler holds it now. */
void mgi_mcp_run(struct mcp_call *c);

/* As whom it is answered. */
struct mcp_server *mgi_mcp_serving(const struct mcp_call *c);

/* JSON of somebody else, on one line. */
void mgi_mcp_put_json(struct json_writer *w, struct str json);

/* ---- answer.c ------------------------------------------------------------------------------- */

struct answer {
    struct mcp_call *call;
    struct buf out;
    struct json_writer w;
};
void mgi_mcp_begin_answer(struct answer *a, struct mcp_call *c, const char *type);
void mgi_mcp_end_answer(struct answer *a, struct str meta); /* finishes the call */
/* `members`: a piece of an object, as the pages are. */
void mgi_mcp_answer_members(struct mcp_call *c, struct str members, int64_t ttl_ms,
                            enum mcp_scope scope);
void mgi_mcp_write_cache(struct json_writer *w, int64_t ttl_ms, enum mcp_scope scope);
void mgi_mcp_put_members(struct json_writer *w, struct str members);

/* ---- question.c ----------------------------------------------------------------------------- */

/* An answer to a question of ours, or to nothing. */
void mgi_mcp_take_answer(struct mcp_peer *p, const struct rpc_message *m);
void mgi_mcp_ask_held_back(struct mcp_peer *p); /* it is ready now */
bool mgi_mcp_read_again(struct mcp_call *c);    /* r5; false: it was answered with an error */
void mgi_mcp_give_up(struct mcp_call *c);       /* tell the client that its answers are unwanted */
void mgi_mcp_tick_questions(struct mcp_call *c, int64_t now_ms);

/* ---- progress.c ----------------------------------------------------------------------------- */

void mgi_mcp_tick_progress(struct mcp_call *c, int64_t now_ms);
void mgi_mcp_beat(struct mcp_call *c);

/* ---- listen.c ------------------------------------------------------------------------------- */

void mgi_mcp_listen(struct mcp_call *c);
void mgi_mcp_watch(struct mcp_call *c);
void mgi_mcp_unwatch(struct mcp_call *c);
void mgi_mcp_tell_changes(struct mcp_peer *p, unsigned kinds);
void mgi_mcp_end_listening(struct mcp_call *c);

/* ---- methods.c ------------------------------------------------------------------------------ */

/* The row of this method in this revision, if the server offers it; or NULL. *extension: the
 * description's own. */
const struct row *mgi_mcp_method(const struct mcp_server *s, enum mcp_revision r, struct str name,
                                 const struct mcp_method **extension);

#endif
