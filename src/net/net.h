/* What all connections of one loop share, whichever listener they came through: the chunk that they
 * read into, the budget of bytes, the deadlines with the one timer that watches them, and work that
 * was put off to the next turn of the loop.
 *
 * Everything happens on the loop's thread. */
#ifndef MGI_NET_NET_H
#define MGI_NET_NET_H

#include <uv.h>

#include "net/budget.h"
#include "net/deadline.h"

#define NET_CHUNK_BYTES (64 * 1024)

struct net_limits {                /* 0 means the default */
    size_t budget_bytes;           /* 64 MiB */
    int64_t idle_ms;               /* 75 s without a request */
    int64_t head_ms;               /* 20 s from a head's first byte to its last */
    int64_t body_ms;               /* 60 s for a body */
    int64_t write_ms;              /* 30 s without taking what is queued */
    int64_t linger_ms;             /* 5 s for what a refused client still sends */
    int64_t ping_ms;               /* 30 s until a WebSocket that is idle is pinged (P-WS-10) */
    uint32_t descriptors_reserved; /* 64: kept free for files and the hosts of plugins */
};

/* Work for the next turn of the loop; lives in what it belongs to. */
struct net_later {
    struct net_later *prev, *next; /* NULL: not waiting */
    void (*run)(struct net_later *later);
};

struct net {
    uv_loop_t *loop;
    struct net_limits limits; /* with the defaults filled in */
    struct budget budget;
    uint32_t connections;     /* that were accepted, by all listeners */
    uint32_t max_connections; /* for which there are descriptors */
    struct deadlines deadlines;
    uv_timer_t timer;
    int64_t timer_at_ms; /* when it goes off; INT64_MAX: it is stopped */
    uv_idle_t idle;      /* runs while `later` is not empty */
    struct net_later later;
    unsigned handles;
    bool relieving; /* somebody is within a call: what passes tells its owner later */
    bool closing;
    void (*closed)(void *context);
    void *context;
    char chunk[NET_CHUNK_BYTES];
};

/* `loop` is borrowed and outlives it, `limits` is copied. NULL when memory is short. Its handles do
 * not keep the loop running. */
struct net *mgi_net_new(uv_loop_t *loop, const struct net_limits *limits);

/* No stream and no listener is left. `closed` (may be NULL) comes from the loop when all is freed.
 */
void mgi_net_close(struct net *n, void (*closed)(void *context), void *context);

int64_t mgi_net_now_ms(const struct net *n); /* the loop's idea of the time; never goes back */

void mgi_net_deadline_set(struct net *n, struct deadline *d, enum deadline_kind kind);

/* Make the connection that is missed least give way: one that only lingers, else the one that has
 * been idle longest, else one that has not taken what it was sent, not finished a head, or, a
 * stranger, not finished a body, for a second. Its deadline passes early; if it stays all the same,
 * the next one is asked, up to sixteen. From an event of the loop. False: everybody is busy. */
bool mgi_net_give_way(struct net *n);

/* Bytes are short: end the streams that have taken nothing of what is queued for a second, oldest
 * first, until `share` has room for `bytes` more. False: it still has none. Their bytes are given
 * back now, their owners hear of it in the next turn: no owner is called within this. */
bool mgi_net_relieve(struct net *n, size_t bytes, enum budget_share share);

/* Run it in the next turn, behind the events that wait now. Idempotent. */
void mgi_net_later(struct net *n, struct net_later *later);
void mgi_net_later_cancel(struct net_later *later); /* idempotent */

#endif
