/* TLS as a stream: over another stream's bytes, and for its user like any other (net/stream.h).
 * Servers only.
 *
 *     under (bytes of the wire) ──> engine (net/tls.h) ──> events of this stream
 *
 * The handshake begins when the stream is first resumed and has the time of a head (net.h:
 * head_ms). Its steps are done by threads of libuv's pool, one or two at a time, those that wait in
 * their order; the stream is paused meanwhile. Nothing can be written before the handshake is done.
 */
#ifndef MGI_NET_STREAM_TLS_H
#define MGI_NET_STREAM_TLS_H

#include "net/stream.h"
#include "net/tls.h"

struct stream_tls { /* what mgi_stream_tls() shows; strings are static or as old as the stream */
    bool is_open;   /* the handshake is done */
    const char *version, *cipher;      /* NULL before */
    const struct tls_identity *client; /* whose certificate was judged good; NULL: none */
    const char *why;                   /* it failed: a line for a log. NULL: it did not */
};

struct stream_tls_options {
    struct tls_context *context; /* the stream takes its own reference */
    int64_t now_ns;              /* when clients' certificates are judged */
    /* What is written, as it is, to a client that speaks HTTP without TLS. Static; may be empty. */
    struct str if_plain_http;
};

/* A stream over `under`, which is paused and from now on its own: closing the one closes the other.
 * It begins paused. NULL when memory is short: `under` is still the caller's. */
struct stream *mgi_stream_tls_new(struct stream *under, const struct stream_tls_options *options,
                                  const struct stream_events *events, void *owner);

#endif
