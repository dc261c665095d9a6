/* An address that accepts connections, and how many there may be at a time.
 *
 * A connection beyond the limit makes another one of the same listener give way; one whose
 * descriptor is among the last ones that are reserved for the rest of the program, one of whichever
 * listener has many (mgi_net_give_way). If all are busy, the new one is handed over as `too_many`:
 * its owner may say so, and closes it. Those are beside the limit; if there are very many of them
 * at a time, the oldest ones that linger are closed, and then the new ones without a word. */
#ifndef MGI_NET_LISTENER_H
#define MGI_NET_LISTENER_H

#include "net/stream.h"

struct listener;

struct listener_options {
    struct net *net;  /* borrowed; outlives the listener */
    const char *host; /* an IPv4 or IPv6 address, or "localhost" (127.0.0.1) */
    int port;         /* 0: any that is free */
    /* A socket that listens already (a supervisor opened it), and is the listener's from now on;
     * `host` and `port` are not looked at then. 0: none, open one. */
    int descriptor;
    uint32_t max_connections; /* 0 means 10,000 */
    /* A connection; its stream begins paused, and is the owner's: mgi_stream_own, then resume. */
    void (*accepted)(void *context, struct stream *s, bool too_many);
    void *context;
};

/* *port_out: the port that it listens on. NULL: *why says what failed (a static text). */
struct listener *mgi_listener_new(const struct listener_options *options, int *port_out,
                                  const char **why);

/* Accept nothing any more. The streams stay with their owners; when the last one is closed,
 * `closed` is called from the loop and the listener is gone. */
void mgi_listener_close(struct listener *l, void (*closed)(void *context), void *context);

/* Streams that were accepted and are not closed. */
uint32_t mgi_listener_count(const struct listener *l);

#endif
