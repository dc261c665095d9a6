/* What the files of the HTTP transport share: http_listen.c (the address, the end),
 * http_connection.c (the states), http_judge.c (a head), http_answer.c (what is sent). */
#ifndef MGI_TRANSPORT_HTTP_INT_H
#define MGI_TRANSPORT_HTTP_INT_H

#include "net/listener.h"
#include "net/net.h"
#include "transport/http.h"

#define HTTP_TABLES     8
#define HTTP_PACKED_TAG "-gzip\"" /* the end of an entity tag's other form */

/* Of the body of a refused request, what is read over (or kept, to answer with its id) so that its
 * connection can go on. More ends the connection. */
#define REFUSED_BODY_MAX ((size_t)16 * 1024)

/*
 *        ┌────────────────────────────────────────────────┐
 *        v                                                │ answered
 *     IDLE ──> HEAD ──> BODY ──> BUSY ──> PACKING ──> WRITING ──> (last answer) LINGER ──> GONE
 *                │ ^                                      ^
 *                │ └ JUDGING                              │
 *                └──refused, answered──> SKIP ────────────┘
 */
enum http_state {
    HTTP_IDLE,    /* nothing of a request is here */
    HTTP_HEAD,    /* a head has begun */
    HTTP_JUDGING, /* its credential takes time; nothing more is looked at */
    HTTP_BODY,    /* a head was judged and found good; the rest of the request comes */
    HTTP_SKIP,    /* it was answered at its head; the rest is read over */
    HTTP_BUSY,    /* `run` was called, and there is no answer yet */
    HTTP_PACKING, /* the answer is being compressed by a worker */
    HTTP_WRITING, /* the answer is queued, and the peer has to take it first */
    HTTP_LINGER,  /* nothing is answered any more: the peer's end is waited for */
    HTTP_GONE     /* the stream is closed, or somebody else's */
};

struct http_routes {
    const struct http_route *rows;
    size_t count;
    void *context;
};

struct http_connection;
struct http_job; /* http_answer.c: an answer that is being compressed */

/* What http_connection.c does for those below it: where a request goes on. */
struct http_life {
    /* An answer has been written (all of it, or into the stream's queue). */
    void (*answered)(struct http_connection *c);
    /* After a change of state from outside of the connection's own events. */
    void (*settle)(struct http_connection *c);
    void (*close)(struct http_connection *c);
};

struct http_connection {
    const struct http_life *life;
    struct http_listener *listener;
    struct http_connection *next, *prev;
    struct stream *stream;
    struct http1 codec;
    struct deadline deadline;
    struct net_later later;

    struct buf pending; /* bytes behind the request that is answered */
    size_t pending_at;  /* of them, taken */
    struct buf body;    /* what has come of the body, if it came in pieces */
    struct str whole;   /* the body, if it came in one; in the input */
    size_t held;        /* of the budget: pending, body, head */
    size_t body_len;    /* what has come of the body, kept or not */
    size_t dropped;     /* bytes that were read over while lingering */

    const struct http_route *route;
    void *route_context;
    const struct principal *who;
    void *judging;             /* JUDGING: what options.judge returned */
    struct wire_error refusal; /* code WIRE_OK: not refused */
    const char *origin;        /* to be echoed; a configured one */
    struct str *input;         /* what is being processed; NULL: nothing */
    void (*gone)(void *context);
    void *gone_context;
    struct http_job *job;

    enum http_state state;
    bool has_asked;  /* a head has come, of whatever request */
    bool wants_more; /* the client would go on */
    bool keep_alive; /* go on after the answer, if it is given now */
    bool head_only;  /* HEAD: the answer has no body */
    bool reads_gzip; /* the client does */
    bool from_page;  /* it has an Origin: a web page asks */
    bool old_client; /* HTTP/1.0 */
    bool came_late;  /* its body was not there with its head */
    bool eof;        /* the peer sends no more */
    bool sending;    /* LINGER: until the peer has ended; else until what is queued is taken */
    bool renew;      /* the deadline begins anew, also if its kind is the same */
    bool has_turn;   /* judged meanwhile: go on, also where no byte waits */
    bool streams;    /* BUSY: the head of the answer is written, and pieces of it follow */
    bool taken;      /* the stream is somebody else's: free when the stack is unwound */
};

struct http_listener {
    struct http_options options;
    struct listener *listener;
    struct http_routes tables[HTTP_TABLES];
    size_t table_count;
    size_t max_body; /* the largest of all rows */
    struct http_connection *connections;
    char own_host[136]; /* the address that is listened on, as a Host header writes it */
    bool loopback, draining, closing;
    struct buf head;   /* scratch for the head of an answer */
    struct buf packed; /* scratch for its body */
    char date[32];
    int64_t date_ms; /* of the loop's clock, when `date` was written */
    uv_timer_t grace;
    /* What must be over before the end: the grace timer, the listener, each compression, and each
     * connection: one whose handshake is with a worker outlives its socket. */
    unsigned parts;
    void (*part_closed)(struct http_listener *l);
    void (*closed)(void *context);
    void *context;
};

/* http_listen.c: without a socket, for tests and fuzzers as well. */
struct http_listener *mgi_http_listener_new(const struct http_options *options, const char **why);
void mgi_http_listener_free(struct http_listener *l);

/* http_connection.c */
/* The stream is the connection's, also on failure. `too_many`: it is told so, and ended. */
void mgi_http_adopt(struct http_listener *l, struct stream *s, bool too_many);
void mgi_http_connection_close(struct http_connection *c);
/* Give back all but the stream and the struct; who waits for `gone` is told. */
void mgi_http_let_go(struct http_connection *c);

/* http_judge.c: c->codec.request is there. Sets what is known of the request, and c->state to
 * HTTP_BODY, or answers. */
void mgi_http_judge(struct http_connection *c);
/* What the body may have, or what of it is read over. */
size_t mgi_http_body_limit(const struct http_connection *c);
/* The body is larger than that. */
void mgi_http_refuse_body(struct http_connection *c);

/* http_answer.c */
void mgi_http_refuse(struct http_connection *c, const struct wire_error *e, const char *allow);
void mgi_http_refuse_with(struct http_connection *c, const struct http_answer *a);
void mgi_http_allow(struct http_connection *c, const char *methods, bool preflight);
void mgi_http_job_forget(struct http_job *job); /* its connection is gone: not begun, it never is */
size_t mgi_http_job_held(const struct http_job *job);

#endif
