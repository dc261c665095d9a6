/* Whether to wait awake. Who sleeps until something comes is woken in two microseconds where its
 * processor is busy, and in fifteen or more where that has gone to sleep, too, as those of virtual
 * machines do at once. So a short wait is better spent looking again and again. A long one is not,
 * nor one for somebody who needs this very processor; which it is can only be learned:
 *
 *     awake --it came in time--> awake
 *     awake --it did not--> asleep for 2, 4 ... 32 waits --> awake
 *
 * One wait in 33 is the most that is lost where it never pays. All-zero begins awake. Time is an
 * argument, monotonic. */
#ifndef MGI_BASE_PATIENCE_H
#define MGI_BASE_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

enum { PATIENCE_NS = 50000, PATIENCE_MISSES = 5 };

struct patience {
    unsigned misses; /* in a row */
    unsigned asleep; /* waits to be slept through */
    bool awake;      /* the one that has begun */
    int64_t begun_ns;
};

/* A wait begins. How long to stay awake at most, as a time; 0: not at all. `spare`: there is a
 * processor that nobody else needs (sys/spare.h). */
static inline int64_t mgi_patience_begin(struct patience *p, bool spare, int64_t now_ns)
{
    p->begun_ns = now_ns;
    p->awake = spare && p->asleep == 0;
    if (p->awake)
        return now_ns + PATIENCE_NS;
    if (p->asleep > 0)
        p->asleep--;
    return 0;
}

/* It is over. */
static inline void mgi_patience_end(struct patience *p, int64_t now_ns)
{
    if (!p->awake)
        return;
    bool in_time = now_ns - p->begun_ns <= PATIENCE_NS;
    p->misses = in_time ? 0 : p->misses < PATIENCE_MISSES ? p->misses + 1 : PATIENCE_MISSES;
    p->asleep = in_time ? 0 : 1u << p->misses;
}

#endif
