/* The shared state of a loop's connections.
 *
 * The timer is set for the earliest deadline at the time of setting, and not moved when that one is
 * cleared: it then goes off once for nothing. So the usual life of a request, which sets and clears
 * several, costs no timer. */
#include "net/net.h"

#include <stddef.h>
#include <string.h>

#include "base/alloc.h"

#define BUDGET_BYTES         ((size_t)64 * 1024 * 1024)
#define IDLE_MS              (75 * 1000)
#define HEAD_MS              (20 * 1000)
#define BODY_MS              (60 * 1000)
#define WRITE_MS             (30 * 1000)
#define LINGER_MS            (5 * 1000)
#define PING_MS              (30 * 1000)
#define PROBE_MS             1000
#define DESCRIPTORS_RESERVED 64
#define GRACE_MS             1000 /* who sends or takes bytes has this long before it gives way */
#define GIVE_WAY_TRIES       16

static void fill_in(struct net_limits *l)
{
    l->budget_bytes = l->budget_bytes ? l->budget_bytes : BUDGET_BYTES;
    l->idle_ms = l->idle_ms ? l->idle_ms : IDLE_MS;
    l->head_ms = l->head_ms ? l->head_ms : HEAD_MS;
    l->body_ms = l->body_ms ? l->body_ms : BODY_MS;
    l->write_ms = l->write_ms ? l->write_ms : WRITE_MS;
    l->linger_ms = l->linger_ms ? l->linger_ms : LINGER_MS;
    l->ping_ms = l->ping_ms ? l->ping_ms : PING_MS;
    l->descriptors_reserved =
        l->descriptors_reserved ? l->descriptors_reserved : DESCRIPTORS_RESERVED;
}

/* ---- deadlines --------------------------------------------------------------------------- */

static void time_passes(uv_timer_t *timer);

static void watch_deadlines(struct net *n)
{
    int64_t next = mgi_deadlines_next_ms(&n->deadlines);
    if (next >= n->timer_at_ms || n->closing)
        return;
    int64_t wait = next - mgi_net_now_ms(n);
    n->timer_at_ms = next;
    uv_timer_start(&n->timer, time_passes, wait > 0 ? (uint64_t)wait : 0, 0);
}

static void time_passes(uv_timer_t *timer)
{
    struct net *n = timer->data;
    struct deadline *d;
    n->timer_at_ms = INT64_MAX;
    while ((d = mgi_deadlines_take(&n->deadlines, mgi_net_now_ms(n))) != NULL)
        d->passed(d);
    watch_deadlines(n);
}

int64_t mgi_net_now_ms(const struct net *n)
{
    return (int64_t)uv_now(n->loop);
}

void mgi_net_deadline_set(struct net *n, struct deadline *d, enum deadline_kind kind)
{
    mgi_deadline_set(&n->deadlines, d, kind, mgi_net_now_ms(n));
    watch_deadlines(n);
}

/* It passes, although its time has not come. */
static void pass_early(struct deadline *d)
{
    mgi_deadline_clear(d);
    d->passed(d);
}

/* The oldest of a kind that has been set for longer than GRACE_MS. */
static struct deadline *stale(struct net *n, enum deadline_kind kind)
{
    struct deadline *d = mgi_deadlines_oldest(&n->deadlines, kind);
    int64_t begun_ms = d ? d->at_ms - n->deadlines.after_ms[kind] : 0;
    return d && mgi_net_now_ms(n) - begun_ms >= GRACE_MS ? d : NULL;
}

static struct deadline *missed_least(struct net *n)
{
    struct deadline *d = mgi_deadlines_oldest(&n->deadlines, DEADLINE_LINGER);
    if (!d)
        d = mgi_deadlines_oldest(&n->deadlines, DEADLINE_IDLE);
    if (!d)
        d = stale(n, DEADLINE_WRITE);
    if (!d)
        d = stale(n, DEADLINE_HEAD);
    if (!d)
        d = stale(n, DEADLINE_STRANGER);
    return d;
}

bool mgi_net_give_way(struct net *n)
{
    uint32_t before = n->connections;
    for (int i = 0; i < GIVE_WAY_TRIES; i++) {
        struct deadline *d = missed_least(n);
        if (!d)
            return false;
        pass_early(d);
        if (n->connections < before) /* it has not only changed its plans */
            return true;
    }
    return false;
}

bool mgi_net_relieve(struct net *n, size_t bytes, enum budget_share share)
{
    struct deadline *d;
    n->relieving = true;
    while (!mgi_budget_fits(&n->budget, bytes, share) && (d = stale(n, DEADLINE_WRITE)) != NULL)
        pass_early(d); /* one that took something is set anew, and is not stale any more */
    n->relieving = false;
    return mgi_budget_fits(&n->budget, bytes, share);
}

/* ---- later ------------------------------------------------------------------------------- */

static void run_later(uv_idle_t *idle)
{
    struct net *n = idle->data;
    /* What is put off again while we run waits for the next turn: a mark tells where to stop. */
    struct net_later mark = { .prev = n->later.prev, .next = &n->later };
    n->later.prev->next = &mark;
    n->later.prev = &mark;
    while (n->later.next != &mark) {
        struct net_later *first = n->later.next;
        mgi_net_later_cancel(first);
        first->run(first);
    }
    mgi_net_later_cancel(&mark);
    if (n->later.next == &n->later) {
        uv_idle_stop(idle);
        uv_unref((uv_handle_t *)idle);
    }
}

void mgi_net_later(struct net *n, struct net_later *later)
{
    if (later->next)
        return;
    later->prev = n->later.prev;
    later->next = &n->later;
    n->later.prev->next = later;
    n->later.prev = later;
    if (n->closing)
        return;
    uv_idle_start(&n->idle, run_later);
    uv_ref((uv_handle_t *)&n->idle); /* idempotent; what was put off must be done */
}

void mgi_net_later_cancel(struct net_later *later)
{
    if (!later->next)
        return;
    later->prev->next = later->next;
    later->next->prev = later->prev;
    later->prev = later->next = NULL;
}

/* ---- beginning and end ------------------------------------------------------------------- */

static void net_handle_closed(uv_handle_t *handle)
{
    struct net *n = handle->data;
    if (--n->handles > 0)
        return;
    void (*closed)(void *) = n->closed;
    void *context = n->context;
    mgi_free(n);
    if (closed)
        closed(context);
}

struct net *mgi_net_new(uv_loop_t *loop, const struct net_limits *limits)
{
    struct net *n = mgi_alloc(sizeof *n); /* not calloc: the chunk is written before it is read */
    if (!n)
        return NULL;
    memset(n, 0, offsetof(struct net, chunk));
    n->loop = loop;
    if (limits)
        n->limits = *limits;
    fill_in(&n->limits);
    n->max_connections = UINT32_MAX;
    n->budget.limit = n->limits.budget_bytes;
    const int64_t after_ms[DEADLINE_KINDS] = {
        [DEADLINE_IDLE] = n->limits.idle_ms,     [DEADLINE_HEAD] = n->limits.head_ms,
        [DEADLINE_BODY] = n->limits.body_ms,     [DEADLINE_WRITE] = n->limits.write_ms,
        [DEADLINE_LINGER] = n->limits.linger_ms, [DEADLINE_PROBE] = PROBE_MS,
        [DEADLINE_PING] = n->limits.ping_ms,     [DEADLINE_STRANGER] = n->limits.body_ms,
    };
    mgi_deadlines_init(&n->deadlines, after_ms);
    n->later.prev = n->later.next = &n->later;
    n->timer_at_ms = INT64_MAX;
    (void)uv_timer_init(loop, &n->timer); /* these two cannot fail */
    (void)uv_idle_init(loop, &n->idle);
    n->timer.data = n->idle.data = n;
    n->handles = 2;
    uv_unref((uv_handle_t *)&n->timer);
    uv_unref((uv_handle_t *)&n->idle);
    return n;
}

void mgi_net_close(struct net *n, void (*closed)(void *context), void *context)
{
    assert(n->budget.used == 0);
    n->closing = true;
    n->closed = closed;
    n->context = context;
    uv_close((uv_handle_t *)&n->timer, net_handle_closed);
    uv_close((uv_handle_t *)&n->idle, net_handle_closed);
}
