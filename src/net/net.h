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
#define NET_GROUP_SHARE 16 /* connections of a group that no other one takes the place of */

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

/* The connections that share a limit: those of one listener, or those of none. */
struct net_group {
    struct net *net;
    struct net_group *next;
    struct deadlines deadlines;
    uint32_t connections; /* of the listener */
    uint32_t refused;     /* beside them: those that are only told that it is full */
};

/* Work for the next turn of the loop; lives in what it belongs to. */
struct net_later {
    struct net_later *prev, *next; /* NULL: not waiting */
    void (*run)(struct net_later *later);
};

/* Waiting for a turn: work that only a few may do at a time. Lives in what it belongs to. */
struct net_turn {
    struct net_turn *prev, *next;         /* NULL: not waiting */
    bool (*begin)(struct net_turn *turn); /* false: it is over already */
};

struct net {
    uv_loop_t *loop;
    struct net_limits limits; /* with the defaults filled in */
    struct budget budget;
    uint32_t max_connections; /* of all groups: for which there are descriptors */
    uint32_t max_refusals;    /* connections that may be told, at a time, that it is full */
    struct net_group own;     /* of streams that no listener accepted; never full */
    struct net_group *groups; /* all of them, `own` included */
    uv_timer_t timer;
    int64_t timer_at_ms; /* when it goes off; INT64_MAX: it is stopped */
    uv_idle_t idle;      /* runs while `later` is not empty */
    struct net_later later;
    struct net_turn turns; /* who waits for one, in order */
    unsigned busy_turns, max_turns;
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

void mgi_net_deadline_set(struct net_group *g, struct deadline *d, enum deadline_kind kind);

/* Another group, whose storage is the caller's until it is removed. */
void mgi_net_group_add(struct net *n, struct net_group *g);
void mgi_net_group_remove(struct net_group *g);

/* Are there descriptors for one more connection of `g`? Each group has a few that no other one
 * takes (NET_GROUP_SHARE, less if there are few). */
bool mgi_net_has_room(const struct net_group *g);

/* Make the connection that is missed least give way: one that has lingered for a second, else one
 * that has said nothing at all for a quarter of one, else the one that has been idle longest, else
 * the anonymous session that has, else one that has for a second not taken what it was sent, not
 * finished a head, or, a stranger, not finished a body. Its deadline passes early; if it stays all
 * the same, because it has said something that was not looked at, or waits for an answer, the next
 * one is asked, up to sixteen. From an event of the loop. False: everybody is busy.
 *
 *   only   one of this group. NULL: of any that has more than nobody takes from it */
bool mgi_net_give_way(struct net *n, struct net_group *only);

/* The connection of this group that lingers longest ends now. False: none does. */
bool mgi_net_end_linger(struct net_group *g);

/* Bytes are short: end the streams that have taken nothing of what is queued for a second, oldest
 * first, until `share` has room for `bytes` more. False: it still has none. Their bytes are given
 * back now, their owners hear of it in the next turn: no owner is called within this. */
bool mgi_net_relieve(struct net *n, size_t bytes, enum budget_share share);

/* Run it in the next turn, behind the events that wait now. Idempotent. */
void mgi_net_later(struct net *n, struct net_later *later);
void mgi_net_later_cancel(struct net_later *later); /* idempotent */

/* Work for the loop's pool of threads, which files and names share, and for processors that others
 * want: one at a time, two where there are more than two processors. `begin` is called now, or when
 * one that began says that it is over; who waits takes it back with cancel (idempotent). */
void mgi_net_turn(struct net *n, struct net_turn *turn);
void mgi_net_turn_cancel(struct net_turn *turn);
void mgi_net_turn_over(struct net *n);

#endif
