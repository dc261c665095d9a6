/* TLS in front of a listener: dresses each connection that is accepted, with the certificate of the
 * day. Everything happens on the thread of the loop. */
#ifndef MGI_NET_TLS_FRONT_H
#define MGI_NET_TLS_FRONT_H

#include "net/stream_tls.h"

struct tls_front {
    struct tls_context *context; /* a reference of its own */
    int64_t (*clock_ns)(void);   /* real time, to judge clients' certificates */
    /* The first connection that comes at this time or later asks for another context: `renew` sets
     * one, or not, and the time when it is asked for again. 0: never. */
    int64_t renew_at_ns;
    void (*renew)(struct tls_front *front, int64_t now_ns);
};

/* The context for the connections to come; those that are open keep theirs. Takes a reference, and
 * gives back that of the one before; NULL gives it back alone. */
void mgi_tls_front_set(struct tls_front *front, struct tls_context *context);

/* For http_options.dress: a stream over `under`, without an owner; NULL: memory is short, and
 * `under` is closed. `front` is a struct tls_front with a context. */
struct stream *mgi_tls_front_dress(void *front, struct stream *under);

#endif
