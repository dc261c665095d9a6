/* Rings of deadlines, one for each kind. Invariant: along a ring at_ms never falls. */
#include "net/deadline.h"

#include <assert.h>

void mgi_deadlines_init(struct deadlines *all, const int64_t after_ms[DEADLINE_KINDS])
{
    for (int kind = 0; kind < DEADLINE_KINDS; kind++) {
        struct deadline *ring = &all->lists[kind];
        assert(after_ms[kind] > 0);
        all->after_ms[kind] = after_ms[kind];
        *ring = (struct deadline){ .prev = ring, .next = ring };
    }
}

void mgi_deadline_clear(struct deadline *d)
{
    if (!d->next)
        return;
    d->prev->next = d->next;
    d->next->prev = d->prev;
    d->prev = d->next = NULL;
}

void mgi_deadline_set(struct deadlines *all, struct deadline *d, enum deadline_kind kind,
                      int64_t now_ms)
{
    struct deadline *ring = &all->lists[kind];
    mgi_deadline_clear(d);
    d->kind = kind;
    d->at_ms = now_ms + all->after_ms[kind];
    d->prev = ring->prev;
    d->next = ring;
    ring->prev->next = d;
    ring->prev = d;
}

struct deadline *mgi_deadlines_oldest(struct deadlines *all, enum deadline_kind kind)
{
    struct deadline *ring = &all->lists[kind];
    return ring->next == ring ? NULL : ring->next;
}

struct deadline *mgi_deadlines_take(struct deadlines *all, int64_t now_ms)
{
    for (int kind = 0; kind < DEADLINE_KINDS; kind++) {
        struct deadline *d = mgi_deadlines_oldest(all, (enum deadline_kind)kind);
        if (d && d->at_ms <= now_ms) {
            mgi_deadline_clear(d);
            return d;
        }
    }
    return NULL;
}

int64_t mgi_deadlines_next_ms(const struct deadlines *all)
{
    int64_t next = INT64_MAX;
    for (int kind = 0; kind < DEADLINE_KINDS; kind++) {
        const struct deadline *ring = &all->lists[kind];
        if (ring->next != ring && ring->next->at_ms < next)
            next = ring->next->at_ms;
    }
    return next;
}
