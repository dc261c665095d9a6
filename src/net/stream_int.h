/* What a kind of stream gives to be one: a table, and a struct that begins with struct stream. A
 * stream over another one (TLS) is the owner of that one, and its user is the owner of it. */
#ifndef MGI_NET_STREAM_INT_H
#define MGI_NET_STREAM_INT_H

#include "net/stream.h"

/* The public functions check nothing but what is said here and call through. */
struct stream_ops { /* a constant; tls and place may be NULL */
    void (*pause)(struct stream *s);
    void (*resume)(struct stream *s);
    bool (*write)(struct stream *s, const struct str *parts, size_t count); /* not after close */
    size_t (*queued)(const struct stream *s);
    void (*shutdown)(struct stream *s);
    void (*close)(struct stream *s); /* called once */
    bool (*peer_gone)(const struct stream *s);
    bool (*has_bytes)(const struct stream *s);
    const struct stream_tls *(*tls)(const struct stream *s);
    void (*place)(const struct stream *s, char out[STREAM_PLACE_BYTES]);
};

struct stream { /* the first member of every kind */
    const struct stream_ops *ops;
    const struct stream_events *events;
    void *owner;
    struct net *net;
    struct net_group *group;
    bool paused;
    bool ended;  /* no bytes come any more: `ended` or `failed` was delivered */
    bool failed; /* `failed` was */
    bool closed; /* close was called: no event but `closed` */
};

/* Deliver, obeying the rules of stream.h: nothing after close, nothing twice, no bytes after the
 * end or while paused (the caller keeps them). */
void mgi_stream_deliver(struct stream *s, struct str bytes);
void mgi_stream_deliver_drained(struct stream *s);
void mgi_stream_deliver_end(struct stream *s);
void mgi_stream_deliver_failure(struct stream *s, enum stream_fault why);
void mgi_stream_deliver_closed(struct stream *s); /* the kind frees itself after it */

/* Whom a stream came from, and who wants to know about its end. */
struct stream_origin {               /* a constant */
    void (*released)(void *context); /* it is being closed: its descriptor is free again */
    void (*gone)(void *context);     /* its owner has heard `closed` */
};

/* Accept the connection that waits at `server` (a listening uv_tcp_t or uv_pipe_t). NULL: *error
 * says why (UV_...); the connection is gone, and `origin` hears nothing. */
struct stream *mgi_stream_accept(struct net_group *group, uv_stream_t *server,
                                 const struct stream_origin *origin, void *context, int *error);

#endif
