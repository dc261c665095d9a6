/* One connected byte pipe of the loop: TCP, a pipe, or TLS over another stream. Its user cannot
 * tell which (but for mgi_stream_tls) and knows no socket.
 *
 *     opened ──pause/resume──> bytes* ──> ended ──> mgi_stream_close ──> closed
 *       └───────── failed, at any time ─────────────────┘
 *
 * One *owner* at a time hears the events of a stream; mgi_stream_own changes it, which is how an
 * HTTP connection becomes a WebSocket. What holds everywhere:
 *
 * 1. Everything happens on the thread of the loop.
 * 2. Events come from the loop, never from within a call of the owner. Within an event the owner
 * may call anything, close and own included; after a close the only event is `closed`.
 * 3. A stream begins paused. It delivers nothing while it is paused, except `drained`, and `failed`
 *    for what was written.
 * 4. An idle stream owns no buffer: reads go through one chunk that all streams of a `struct net`
 *    share, writes go straight to the kernel, and only what it does not take is copied. What is
 *    copied counts in the net's byte budget.
 * 5. A peer that takes too little of what is queued for it for too long fails the stream
 *    (STREAM_STALLED, net/deadline.h), at once if others are short of bytes (mgi_net_relieve).
 * 6. `ended`, `failed` and `closed` come at most once each, in this order. */
#ifndef MGI_NET_STREAM_H
#define MGI_NET_STREAM_H

#include <uv.h>

#include "base/str.h"

struct net;
struct net_group;
struct stream;
struct stream_tls; /* net/tls.h: certificate, protocol, what was negotiated */

/* `drained` comes whenever some of what was queued has gone out, and at most this much is left. */
#define STREAM_LOW_WATER ((size_t)16 * 1024)

enum stream_fault {
    STREAM_LOST,   /* reset, unreachable, a write failed, a record that is no TLS */
    STREAM_STALLED /* the peer does not take what is queued */
};

/* A constant. All must be set, `drained` alone may be NULL. */
struct stream_events {
    /* `bytes` is never empty and borrowed until return. */
    void (*bytes)(void *owner, struct str bytes);
    /* There is room again: mgi_stream_queued is at most STREAM_LOW_WATER. May come several times
     * for what was queued, the last time when nothing is left; not for what the kernel took at
     * once. */
    void (*drained)(void *owner);
    /* The peer sends no more. What is written may still arrive. */
    void (*ended)(void *owner);
    /* Nothing comes, and nothing can be written any more: all that is left is mgi_stream_close. */
    void (*failed)(void *owner, enum stream_fault why);
    /* The last event: the stream is gone. The owner may free itself. */
    void (*closed)(void *owner);
};

/*
 * Take over a descriptor that is connected: a TCP socket, a Unix socket or a pipe (open for both
 * directions).
 *
 *   net      borrowed; outlives the stream
 *   fd       the stream's on success; on failure it is still the caller's
 *   events   borrowed, a constant
 *
 * NULL when memory is short or the descriptor is none of these.
 */
struct stream *mgi_stream_open(struct net *net, uv_os_sock_t fd, const struct stream_events *events,
                               void *owner);

/* From now on `owner` hears the events. What was delivered is not delivered again. */
void mgi_stream_own(struct stream *s, const struct stream_events *events, void *owner);

/* Stop and go on delivering bytes. Idempotent; resume after `ended` or `failed` does nothing. Bytes
 * that wait in the kernel meanwhile hold the peer back. */
void mgi_stream_pause(struct stream *s);
void mgi_stream_resume(struct stream *s);

/*
 * Write the parts, in their order, as one run of bytes. They are borrowed until return: what the
 * kernel does not take at once is copied.
 *
 * False when that cannot be (memory or budget is short): nothing more can be written, the owner
 * should close. True does not mean that the peer got it: a failure comes as `failed`.
 */
bool mgi_stream_write(struct stream *s, const struct str *parts, size_t count);

/* Bytes that wait in this process for the peer to take them. */
size_t mgi_stream_queued(const struct stream *s);

/* Write no more: the peer sees the end behind what is queued. Reading goes on. */
void mgi_stream_shutdown(struct stream *s);

/* Close now. What is queued is dropped; `closed` comes from the loop. Idempotent. A peer that is
 * still sending may lose what was written last: shutdown, read to the end, then close, keeps it. */
void mgi_stream_close(struct stream *s);

/* Has the peer gone, although we do not read? Asks the kernel: true if the peer closed or shut down
 * its sending side, also behind bytes that were not read yet. For an owner that has paused while it
 * works and wants to know whether anybody still waits. */
bool mgi_stream_peer_gone(const struct stream *s);

/* Has the peer said something that was not delivered yet, or is it being worked on? Asks the
 * kernel. For who is about to close a stream that seems to be idle. */
bool mgi_stream_has_bytes(const struct stream *s);

#define STREAM_PLACE_BYTES 24

/* Where the peer is, as one who has no other name: its IPv4 address, or the first 64 bits of an
 * IPv6 one, which whoever has one address there has all of ("2001:db8:0:1"). "" on a pipe. */
void mgi_stream_place(const struct stream *s, char out[STREAM_PLACE_BYTES]);

/* What TLS knows of the peer; NULL: the stream is not encrypted. Borrowed, as long as the stream.
 */
const struct stream_tls *mgi_stream_tls(const struct stream *s);

/* The loop's shared state that this stream belongs to, and the listener's part of it. */
struct net *mgi_stream_net(const struct stream *s);
struct net_group *mgi_stream_group(const struct stream *s);

#endif
