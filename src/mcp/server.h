/* The server's side of MCP, r1 to r5, without I/O: messages in, calls to their owner, messages out.
 *
 *     description ──new──> server (immutable, shared) <── peer (one connection, session or r5
 *                                                          exchange)
 *     text ──receive──> peer ──handlers──> owner of a call ──answer──> peer ──send──> text
 *
 * The core answers by itself whatever the description says: the handshake, discovery, lists, ping,
 * levels, subscriptions; and everything that is wrong with a message. What remains becomes a call:
 * a tool, a prompt, a resource, a completion. Its owner finishes it now or later, *exactly once*,
 * cancelled or not, by one of mgi_mcp_answer_*(), mgi_mcp_fail*(), mgi_mcp_ask() or mgi_mcp_drop();
 * the call is gone then. What is said of a call that was cancelled, or whose peer is gone, is
 * dropped, so the owner need not know.
 *
 * Questions have one form in all revisions, that of r5: mgi_mcp_ask() finishes the call with a
 * question and a state, and the handler is called again, from the beginning, with the answers and
 * that state. In r3 and r4 the core sends the requests and waits; in r5 the client comes back with
 * another request. In r5 the state has been in the client's hands: judge it (X-MRTR-8, -11).
 *
 * `send` may free its peer when it is given an answer, never otherwise.
 *
 * One thread: a server, its peers and calls belong to that of the loop; nothing blocks. Handlers
 * are called from mgi_mcp_receive() and mgi_mcp_tick(), may call everything here but
 * mgi_mcp_peer_free() on their own peer, and `send` is called from everywhere. Every text is UTF-8.
 * Descriptions are copied. Memory that is short ends in -32603 or silence of that one request,
 * never in half a message. */
#ifndef MGI_MCP_SERVER_H
#define MGI_MCP_SERVER_H

#include "mcp/meta.h"

struct mcp_server;
struct mcp_peer;
struct mcp_call;

/* ---- what a server is ----------------------------------------------------------------------- */

#define MCP_PAGE_ITEMS       200                        /* of a list in one answer (X-PAGE-3) */
#define MCP_PEER_CALLS       64                         /* under way on one peer; more are -32603 */
#define MCP_PEER_BYTES       ((size_t)64 * 1024 * 1024) /* of memory that they hold, together */
#define MCP_PEER_QUESTIONS   16                         /* open ones of ours */
#define MCP_PEER_LISTENERS   32                         /* subscriptions/listen */
#define MCP_PEER_URIS        256 /* watched, of all subscriptions of a peer together */
#define MCP_URI_BYTES        2048
#define MCP_STATE_BYTES      2048             /* requestState that is read (X-MRTR-11) */
#define MCP_ANSWER_MS        (10 * 60 * 1000) /* that a person has (X-ELIC-10) */
#define MCP_BEAT_MS          10000            /* between signs of life while a person is asked */
#define MCP_PROGRESS_MS      100              /* between two notifications of a call (X-PROG-5) */
#define MCP_LOG_A_SECOND     20               /* messages of a peer (X-LOG-5) */
#define MCP_COMPLETIONS_MOST 100

enum mcp_scope { MCP_PUBLIC, MCP_PRIVATE };

struct mcp_tool {
    struct str name, title, description; /* title may be empty */
    struct str input_schema;  /* JSON text of an object with type "object" (X-TOOL-2); served as it
                                 is, byte for byte */
    struct str output_schema; /* JSON text; empty: none */
    bool has_annotations;     /* the four of X-TOOL-8 are said; else none is */
    bool read_only, destructive, idempotent, open_world;
    struct str icons, meta; /* JSON text; empty: none */
};

struct mcp_resource {
    struct str uri;                                 /* of a template: uriTemplate */
    struct str name, title, description, mime_type; /* all but name may be empty */
    int64_t size;                                   /* bytes; -1: not said. 0 is said */
    struct str annotations, icons, meta;            /* JSON text; empty: none */
};

struct mcp_argument {
    struct str name, title, description;
    bool required;
};

struct mcp_prompt {
    struct str name, title, description;
    const struct mcp_argument *arguments;
    size_t argument_count;
    struct str icons, meta;
};

/* A method that is not in the core's own table: of an extension (X-SKILL-2). */
struct mcp_method {
    const char *name;
    void (*run)(void *context, struct mcp_call *call); /* params: mgi_mcp_params */
    enum mcp_revision since;                           /* 0: all */
};

struct mcp_handlers { /* NULL: not offered, not declared, and -32601 */
    void (*tool)(void *context, struct mcp_call *call);
    void (*prompt)(void *context, struct mcp_call *call);
    /* Every URI comes here; not found: mgi_mcp_fail_not_found(). */
    void (*resource)(void *context, struct mcp_call *call);
    void (*complete)(void *context, struct mcp_call *call);
    /* Can this URI be watched? NULL: resources.subscribe is not offered. */
    bool (*watchable)(void *context, struct str uri);
    /* The client does not want an answer any more: stop soon, and finish the call all the same. Not
     * called for one that waits for an answer to its question. NULL: nobody needs to know. */
    void (*cancelled)(void *context, struct mcp_call *call);
    /* What is listed depends on who asks, or takes a moment to be known: each request that reads a
     * list, or a name that stands in one (tools/list, prompts, resources, completions), comes here
     * first, and goes on by mgi_mcp_answer_as(), now or later. NULL: the lists are those of the
     * server. Where it is cancelled before, mgi_mcp_answer_as() ends it all the same. */
    void (*choose)(void *context, struct mcp_call *call);
    const struct mcp_method *methods;
    size_t method_count;
};

struct mcp_description {
    struct mcp_self self;
    struct str self_description, website, icons; /* r4, r5; empty: not said */
    struct str instructions;                     /* empty: none */
    const struct mcp_tool *tools;
    size_t tool_count;
    const struct mcp_resource *resources, *templates;
    size_t resource_count, template_count;
    const struct mcp_prompt *prompts;
    size_t prompt_count;
    struct mcp_handlers handlers; /* copied; `methods` borrowed for the server's life */
    void *context;                /* of all handlers */
    bool logs;                    /* declares logging */
    enum mcp_level level;         /* of legacy clients that have set none; 0: warning */
    bool tools_change, prompts_change, resources_change; /* declares listChanged */
    struct str extensions;     /* JSON text of an object; empty: none. r5, and r4's handshake */
    int64_t list_ttl_ms;       /* of lists and of server/discover (X-CACHE-3) */
    enum mcp_scope list_scope; /* private where a list depends on credentials */
};

/*
 * A server that says what `d` says. All lists are written here, in every revision, once: they are
 * the same bytes ever after (X-TOOL-1).
 *
 *   why  may be NULL; gets a sentence that names the entry: a schema that is no JSON object of type
 *        "object", a name or a URI twice, a header that X-HTTP-36 does not allow
 *
 * One reference is the caller's. NULL: `why`, or memory (`why` is empty then).
 */
struct mcp_server *mgi_mcp_server_new(const struct mcp_description *d, struct buf *why);
struct mcp_server *mgi_mcp_server_ref(struct mcp_server *s);
void mgi_mcp_server_unref(struct mcp_server *s); /* NULL is fine */

/* ---- a peer --------------------------------------------------------------------------------- */

/* Where the answer to a message goes. */
struct mcp_route {
    void *tag;    /* the owner's: of an HTTP exchange; NULL on stdio */
    void *caller; /* the owner's: who asks, kept by the calls (mgi_mcp_caller) */
    bool quiet;   /* nothing but the answer can go there: no questions, progress, log (X-HTTP-6) */
};

enum mcp_sent {
    /* The last thing for `tag`: of a request, or of a batch. Its text is empty if there will be
     * none, because it was cancelled or memory is short: close what waits. */
    MCP_SENT_ANSWER,
    MCP_SENT_RELATED, /* belongs to the request of `tag`, whose answer comes later */
    MCP_SENT_ALONE    /* belongs to none: `tag` is NULL */
};

struct mcp_outgoing {
    enum mcp_sent what;
    void *tag;
    struct str text;      /* one message (or a batch), without a line end; borrowed */
    enum rpc_code code;   /* of an answer that is an error; RPC_FINE */
    bool is_call_failure; /* that error came from a handler: HTTP 200 but for -32021 (X-HTTP-32) */
};

struct mcp_peer_options {
    void *context;
    void (*send)(void *context, const struct mcp_outgoing *m);
    int64_t (*now_ms)(void *context); /* monotonic */
    bool modern_alone;                /* an r5 exchange over HTTP: no handshake, no cancelled */
};

/* Copies `options`, and holds a reference of `s`. NULL: memory. */
struct mcp_peer *mgi_mcp_peer_new(struct mcp_server *s, const struct mcp_peer_options *options);

/* Ends it without a word: calls under way are cancelled (and finished later by their owners, who
 * may outlive it), questions are given up. NULL is fine. */
void mgi_mcp_peer_free(struct mcp_peer *p);

/* One message, or a batch. A request is answered through `send`, in this call or later, but for one
 * that is cancelled; a notification never is.
 *
 * false: nothing of it will ever be answered (a notification, an answer, or nothing that can be):
 * `route->tag` is free. */
bool mgi_mcp_receive(struct mcp_peer *p, struct str text, const struct mcp_route *route);

/* The client closed the stream of `tag`. r5: that cancels (X-HTTP-33). r1-r4: it does not; what
 * belongs to it is dropped from now on (X-CANCEL-3). */
void mgi_mcp_gone(struct mcp_peer *p, void *tag);
/* Who asked by `tag` may not any more: that is as gone, and cancels in every revision. */
void mgi_mcp_withdraw(struct mcp_peer *p, void *tag);

/* Say what is due: held back progress, signs of life, questions that nobody answered. */
void mgi_mcp_tick(struct mcp_peer *p);
/* When tick() has something to do, by the clock of now_ms; INT64_MAX: not before something comes.
 */
int64_t mgi_mcp_next_tick(const struct mcp_peer *p);

/* From now on it is served by `s`. Lists that differ are told to who asked for that, and could be
 * told by both servers. */
void mgi_mcp_serve(struct mcp_peer *p, struct mcp_server *s);
/* The resource was changed: told to who watches it. */
void mgi_mcp_updated(struct mcp_peer *p, struct str uri);

/* Good order before the end: subscriptions are answered (X-SUB-5); other calls go on, and what
 * comes new is -32603. */
void mgi_mcp_drain(struct mcp_peer *p);

enum mcp_revision mgi_mcp_peer_revision(const struct mcp_peer *p); /* MCP_NONE: no handshake */
size_t mgi_mcp_calls(const struct mcp_peer *p); /* under way, subscriptions not counted */
size_t mgi_mcp_held(const struct mcp_peer *p);  /* bytes of memory of all that is under way */
void *mgi_mcp_peer_context(const struct mcp_peer *p);

/* Outside of any call, to a legacy peer: at its level and above. `data`: JSON text. */
void mgi_mcp_peer_log(struct mcp_peer *p, enum mcp_level level, struct str logger, struct str data);

/* ---- a call: what it says ------------------------------------------------------------------- */

/* Everything here is the call's until it is finished. */
struct str mgi_mcp_name(const struct mcp_call *c); /* of the tool, prompt; the URI; the method */
/* The arguments of a tool or prompt, an object; never NULL. Those of a prompt are texts, and the
 * required ones are there. Those of a tool are not held against its schema (X-TOOL-14). */
const struct json *mgi_mcp_arguments(const struct mcp_call *c);
const struct json *mgi_mcp_params(const struct mcp_call *c); /* NULL: absent */
struct str mgi_mcp_tool_text(const struct mcp_call *c); /* `arguments` as it came; "{}" if absent */

/* Of a completion. */
struct mcp_completion {
    bool of_prompt; /* else of a resource or template, by its URI */
    struct str ref, argument, value;
    const struct json *chosen; /* an object of texts, or NULL */
};
struct mcp_completion mgi_mcp_completion(const struct mcp_call *c);

struct mcp_peer *mgi_mcp_peer_of(const struct mcp_call *c); /* NULL: it is gone */
void *mgi_mcp_caller(const struct mcp_call *c);             /* of its route */
const struct rpc_id *mgi_mcp_call_id(const struct mcp_call *c);
enum mcp_revision mgi_mcp_call_revision(const struct mcp_call *c);
const struct mcp_client_can *mgi_mcp_call_can(const struct mcp_call *c);
struct mcp_self mgi_mcp_call_client(const struct mcp_call *c); /* for display; may be empty */
bool mgi_mcp_is_cancelled(const struct mcp_call *c);
bool mgi_mcp_wants_progress(const struct mcp_call *c);

/* A pointer of the owner's with the call. `release` (may be NULL) is called when the call is gone,
 * whatever ended it. It is there again when a legacy question was answered; an r5 client comes back
 * with a new call. */
void mgi_mcp_keep(struct mcp_call *c, void *mine, void (*release)(void *mine));
void *mgi_mcp_kept(const struct mcp_call *c);

/* ---- a call: while it runs ------------------------------------------------------------------ */

/* total: 0 means unknown. message may be empty. What does not grow is dropped; what comes too soon
 * waits, the last one is sent before the answer at the latest. */
void mgi_mcp_progress(struct mcp_call *c, double progress, double total, struct str message);

/* Whether anybody would hear it. */
bool mgi_mcp_logs_at(const struct mcp_call *c, enum mcp_level level);
void mgi_mcp_log(struct mcp_call *c, enum mcp_level level, struct str logger, struct str data);

/* ---- a call: its end ------------------------------------------------------------------------ */

struct mcp_block {
    enum mcp_block_kind { MCP_TEXT, MCP_IMAGE, MCP_AUDIO, MCP_EMBEDDED, MCP_LINK } kind;
    struct str text;      /* of MCP_TEXT, and of MCP_EMBEDDED that is text */
    struct str data;      /* base64 with padding: image, audio, MCP_EMBEDDED that is not text */
    struct str mime_type; /* required for image and audio */
    struct str uri;       /* MCP_EMBEDDED, MCP_LINK */
    struct str name, title, description; /* MCP_LINK */
    int64_t size;                        /* MCP_LINK; 0: not said */
    struct str annotations, meta;        /* JSON text; empty: none */
};

struct mcp_tool_result {
    const struct mcp_block *blocks;
    size_t block_count;
    struct str structured; /* JSON text; empty: none. Left out where the revision has none */
    bool is_error;
    struct str meta; /* members of `_meta`, JSON text of an object; empty: none */
};
void mgi_mcp_answer_tool(struct mcp_call *c, const struct mcp_tool_result *r);
/* One text block. */
void mgi_mcp_answer_text(struct mcp_call *c, struct str text, bool is_error);

struct mcp_prompt_message {
    bool from_model; /* else from the user */
    struct mcp_block block;
};
void mgi_mcp_answer_prompt(struct mcp_call *c, struct str description,
                           const struct mcp_prompt_message *messages, size_t count);

/* `contents`: of each uri, mime_type, text or data, meta are read (kind: MCP_EMBEDDED). */
void mgi_mcp_answer_resource(struct mcp_call *c, const struct mcp_block *contents, size_t count,
                             int64_t ttl_ms, enum mcp_scope scope);

/* At most 100 are sent. total: -1 means not said. */
void mgi_mcp_answer_completion(struct mcp_call *c, const struct str *values, size_t count,
                               int64_t total, bool has_more);

/* Of a method of one's own. `members`: JSON text of an object, whose members become the result's;
 * ttl_ms: -1 means that the result is not to be kept, and says nothing of it. */
void mgi_mcp_answer_object(struct mcp_call *c, struct str members, int64_t ttl_ms,
                           enum mcp_scope scope);

/* `data`: JSON text, or empty. */
void mgi_mcp_fail(struct mcp_call *c, enum rpc_code code, struct str message, struct str data);
void mgi_mcp_fail_not_found(struct mcp_call *c); /* a resource, by its revision (X-RES-6) */
/* r5: -32021 with `capabilities`, JSON text of an object (X-MRTR-7). Before: -32603. */
void mgi_mcp_fail_capability(struct mcp_call *c, struct str capabilities, struct str message);

/* No answer at all: of a call that was cancelled. One that was not gets -32603. */
void mgi_mcp_drop(struct mcp_call *c);

/* Of a call that `choose` was given: it is answered as if its peer were served by `s`, whose
 * handlers may be called from here. Takes a reference. */
void mgi_mcp_answer_as(struct mcp_call *c, struct mcp_server *s);

/* ---- questions ------------------------------------------------------------------------------ */

enum mcp_question_kind { MCP_ASK_FORM, MCP_ASK_URL, MCP_ASK_SAMPLING, MCP_ASK_ROOTS };

struct mcp_question {
    const char *key; /* of its answer */
    enum mcp_question_kind kind;
    struct str message; /* of a form or URL */
    struct str params;  /* JSON text: a form's requestedSchema; a URL's URL (as a JSON text); of
                           sampling all params; of roots nothing */
};

/* Did the client declare it, does the revision have it, and is there a way? Which methods may be
 * answered with a question: tools/call, prompts/get, resources/read (X-MRTR-3). */
bool mgi_mcp_can_ask(const struct mcp_call *c, enum mcp_question_kind kind);

/*
 * Finish the call with questions. All of them can be asked (mgi_mcp_can_ask; else the call fails
 * with -32603, and the client is not asked), and `state` is text for mgi_mcp_state() when the
 * handler is called again; it may be empty. No question and a state is allowed in r5 alone
 * (X-MRTR-6).
 */
void mgi_mcp_ask(struct mcp_call *c, const struct mcp_question *questions, size_t count,
                 struct str state);

/* Is this call the second, third, ... round: does it bring a state, or answers? Those to the last
 * questions alone: what is to be remembered of earlier ones goes into the state. */
bool mgi_mcp_is_again(const struct mcp_call *c);
struct str mgi_mcp_state(const struct mcp_call *c); /* empty: none */

enum mcp_answered {
    MCP_UNANSWERED, /* not asked, or left out (r5): ask again */
    MCP_ANSWERED,   /* *out: the result, an object, unchecked */
    MCP_REFUSED     /* the client answered with an error, or a legacy person was too slow */
};
enum mcp_answered mgi_mcp_answer_of(const struct mcp_call *c, const char *key,
                                    const struct json **out);

/* Of a form's answer (X-ELIC-3). MCP_NO_ACTION: it is none. *content: an object or NULL. */
enum mcp_action { MCP_NO_ACTION, MCP_ACCEPT, MCP_DECLINE, MCP_CANCEL };
enum mcp_action mgi_mcp_action(const struct json *answer, const struct json **content);

/* What a state is bound to: method, name and canonical arguments, one text that is the same for the
 * retry and for nothing else (X-MRTR-11). */
void mgi_mcp_write_bound(const struct mcp_call *c, struct buf *out);

#endif
