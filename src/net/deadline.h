/* Deadlines of many connections, each for one of a few fixed durations.
 *
 * A kind of deadline has one duration, so those of a kind pass in the order in which they were set:
 * each kind is a list, set appends, and the first of each list is all that must be looked at.
 * Setting, clearing and finding the next cost the same for ten connections and ten thousand. The
 * first of the idle list is the connection that has been idle longest, which is the one to give
 * way.
 *
 * No clock: the time comes in as an argument, in milliseconds that never go back. Intrusive: a
 * deadline lives in the connection it belongs to; nothing here allocates. */
#ifndef MGI_NET_DEADLINE_H
#define MGI_NET_DEADLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum deadline_kind {
    DEADLINE_NEW,      /* before the first request, or a login */
    DEADLINE_IDLE,     /* between two requests */
    DEADLINE_HEAD,     /* from the first byte of a head to its last */
    DEADLINE_BODY,     /* from the head's end to the body's */
    DEADLINE_STRANGER, /* the same for a body of somebody who has shown no credential */
    DEADLINE_WRITE,    /* until the peer has taken some of what is queued */
    DEADLINE_LINGER,   /* from the last answer to the peer's end */
    DEADLINE_PROBE,    /* until we look again whether a peer still waits */
    DEADLINE_PING,     /* until a session that says nothing is asked whether it is there */
    DEADLINE_GUEST,    /* never passes: since when an anonymous session has said nothing */
    DEADLINE_KINDS
};

struct deadline {
    struct deadline *prev, *next; /* in the list of its kind; NULL: not set */
    int64_t at_ms;
    enum deadline_kind kind;
    /* It has passed, or its connection has to give way; it is not set any more. May set it again.
     */
    void (*passed)(struct deadline *d);
};

struct deadlines {
    int64_t after_ms[DEADLINE_KINDS];
    struct deadline lists[DEADLINE_KINDS]; /* heads of rings, oldest first */
};

/* `after_ms` is copied; durations are 1 or more. */
void mgi_deadlines_init(struct deadlines *all, const int64_t after_ms[DEADLINE_KINDS]);

/* The deadline is now + the duration of `kind`, whatever it was before. */
void mgi_deadline_set(struct deadlines *all, struct deadline *d, enum deadline_kind kind,
                      int64_t now_ms);
void mgi_deadline_clear(struct deadline *d); /* idempotent */

static inline bool mgi_deadline_is_set(const struct deadline *d)
{
    return d->next != NULL;
}

/* The oldest of a kind, or NULL. */
struct deadline *mgi_deadlines_oldest(struct deadlines *all, enum deadline_kind kind);

/* Take out one that has passed at `now_ms`; NULL: none has. The caller calls d->passed. */
struct deadline *mgi_deadlines_take(struct deadlines *all, int64_t now_ms);

/* When the next one passes; INT64_MAX: none is set. */
int64_t mgi_deadlines_next_ms(const struct deadlines *all);

#endif
