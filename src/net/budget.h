/* One budget of bytes over all connections of a server: what waits to be written, and what is kept
 * of heads, bodies and messages. Who wants to keep bytes takes them first, and gives them back.
 *
 * The budget is shared, so that many small clients may use all of it, but not evenly: who has not
 * shown a credential reaches a quarter, and what is large three quarters. So neither strangers nor
 * a few large messages can lock out a small request. */
#ifndef MGI_NET_BUDGET_H
#define MGI_NET_BUDGET_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

enum budget_share {
    BUDGET_STRANGER, /* up to a quarter of the budget: before the credential was judged */
    BUDGET_LARGE,    /* up to three quarters: a holder of more than BUDGET_SMALL_BYTES */
    BUDGET_SMALL     /* all of it */
};

#define BUDGET_SMALL_BYTES ((size_t)64 * 1024)

struct budget {
    size_t limit, used; /* bytes; invariant: used <= limit */
};

/* The share of somebody known who will hold `bytes`. */
static inline enum budget_share mgi_budget_share(size_t bytes)
{
    return bytes > BUDGET_SMALL_BYTES ? BUDGET_LARGE : BUDGET_SMALL;
}

static inline bool mgi_budget_fits(const struct budget *b, size_t bytes, enum budget_share share)
{
    size_t quarter = b->limit / 4;
    size_t reach = share == BUDGET_STRANGER ? quarter
                   : share == BUDGET_LARGE  ? b->limit - quarter
                                            : b->limit;
    return b->used <= reach && bytes <= reach - b->used;
}

/* True: `bytes` more are held. False: nothing changed; the caller keeps nothing. */
static inline bool mgi_budget_take(struct budget *b, size_t bytes, enum budget_share share)
{
    if (!mgi_budget_fits(b, bytes, share))
        return false;
    b->used += bytes;
    return true;
}

static inline void mgi_budget_give(struct budget *b, size_t bytes)
{
    assert(bytes <= b->used);
    b->used -= bytes;
}

#endif
