/* What server.c (the whole), peer.c (one connection) and request.c (one request) share. */
#ifndef MGI_SERVER_SERVER_INT_H
#define MGI_SERVER_SERVER_INT_H

#include "intent/intent.h"
#include "server/peer.h"
#include "server/server.h"

struct request;

struct peer {
    struct server *server;
    const struct peer_transport *transport;
    void *connection;
    bool auth_required;
    bool gone;   /* the connection is no more: nothing may be sent */
    bool ending; /* no more input: close when the last answer is out */
    const struct principal *who;
    uint32_t failed_logins;
    struct arena arena; /* of the connection: the refusal */
    struct wire_error refusal;
    struct request *open; /* requests not answered yet */
    size_t open_count;
    struct peer *next, *prev;
};

enum request_state {
    REQUEST_PARSING,    /* on a worker: the text is large */
    REQUEST_WAITING,    /* for a free worker */
    REQUEST_EVALUATING, /* on a worker */
    REQUEST_INVOKING    /* a chain is running */
};

struct request {
    struct server *server;
    struct peer *peer; /* stays valid until the request is answered */
    struct arena arena;
    struct str text;
    enum endpoint endpoint;
    enum request_state state;
    struct envelope envelope;
    bool parsed_ok;
    struct wire_error error;
    struct buf answer; /* payload text */
    volatile int cancel;
    int64_t begun_ns; /* monotonic, for the log */
    uv_work_t work;
    struct intent_worker *worker;
    struct intent_call call;
    struct snapshot *snapshot; /* held from beginning to end */
    struct invocation *invocation;
    struct request *next, *prev; /* in peer.open */
    struct request *queue_next;  /* in server.waiting, server.spare */
};

/* Gate 8: one per principal that has called. Principals are constants or rows of the token table,
 * so there are few, and their addresses identify them. */
struct rate_window {
    const struct principal *who;
    int64_t start_ns, count;
};

struct server {
    struct server_options options;
    struct logger log;
    struct snapshot *snapshot;
    enum server_status status;
    struct peer *peers;
    struct intent_worker **workers; /* idle ones, a stack */
    uint32_t worker_count, idle_count;
    struct request *waiting_first, *waiting_last;
    struct request *spare; /* finished requests with warm arenas */
    uint32_t spare_count;
    size_t open_requests;
    struct rate_window *windows;
    size_t window_count, window_cap;
    void (*drained)(void *context);
    void *drained_context;
    uv_timer_t drain_timer; /* delivers `drained` from the loop, never from inside a call */
};

/* request.c */
void mgi_request_begin(struct peer *peer, struct str text, enum endpoint endpoint);
void mgi_request_cancel(struct request *r, bool connection_lost);
void mgi_request_free(struct request *r);
/* A worker has become free, or a request was queued. */
void mgi_server_dispatch(struct server *s);

/* peer.c: the answer is out; unlink, and close or free the peer if it was the last. */
void mgi_peer_request_done(struct peer *peer, struct request *r);

/* server.c */
void mgi_server_request_done(struct server *s);

#endif
