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
#define NEWCOMER_MS          250  /* who has just come, and may be about to say something */
#define GIVE_WAY_TRIES       16
#define REFUSALS             32
#define FOREVER_MS           INT64_C(3000000000000) /* a century */

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

static void watch_deadlines(struct net *n, int64_t next)
{
    if (next >= n->timer_at_ms || n->closing)
        return;
    int64_t wait = next - mgi_net_now_ms(n);
    n->timer_at_ms = next;
    uv_timer_start(&n->timer, time_passes, wait > 0 ? (uint64_t)wait : 0, 0);
}

/* Take out one that has passed; NULL: none has. */
static struct deadline *take_passed(struct net *n)
{
    struct deadline *d = NULL;
    for (struct net_group *g = n->groups; g && !d; g = g->next)
        d = mgi_deadlines_take(&g->deadlines, mgi_net_now_ms(n));
    return d;
}

static void time_passes(uv_timer_t *timer)
{
    struct net *n = timer->data;
    struct deadline *d;
    int64_t next = INT64_MAX;
    n->timer_at_ms = INT64_MAX;
    while ((d = take_passed(n)) != NULL)
        d->passed(d);
    for (const struct net_group *g = n->groups; g; g = g->next) {
        int64_t first = mgi_deadlines_next_ms(&g->deadlines);
        next = first < next ? first : next;
    }
    watch_deadlines(n, next);
}

int64_t mgi_net_now_ms(const struct net *n)
{
    return (int64_t)uv_now(n->loop);
}

void mgi_net_deadline_set(struct net_group *g, struct deadline *d, enum deadline_kind kind)
{
    mgi_deadline_set(&g->deadlines, d, kind, mgi_net_now_ms(g->net));
    watch_deadlines(g->net, d->at_ms);
}

/* It passes, although its time has not come. */
static void pass_early(struct deadline *d)
{
    mgi_deadline_clear(d);
    d->passed(d);
}

/* ---- groups ------------------------------------------------------------------------------ */

void mgi_net_group_add(struct net *n, struct net_group *g)
{
    const int64_t after_ms[DEADLINE_KINDS] = {
        [DEADLINE_NEW] = n->limits.idle_ms,      [DEADLINE_IDLE] = n->limits.idle_ms,
        [DEADLINE_HEAD] = n->limits.head_ms,     [DEADLINE_BODY] = n->limits.body_ms,
        [DEADLINE_WRITE] = n->limits.write_ms,   [DEADLINE_STRANGER] = n->limits.body_ms,
        [DEADLINE_LINGER] = n->limits.linger_ms, [DEADLINE_PROBE] = PROBE_MS,
        [DEADLINE_PING] = n->limits.ping_ms,     [DEADLINE_GUEST] = FOREVER_MS,
    };
    *g = (struct net_group){ .net = n, .next = n->groups };
    mgi_deadlines_init(&g->deadlines, after_ms);
    n->groups = g;
}

void mgi_net_group_remove(struct net_group *g)
{
    struct net_group **link = &g->net->groups;
    while (*link != g)
        link = &(*link)->next;
    *link = g->next;
}

/* What a group has that no other one takes: all of these together are at most half of all. */
static uint32_t share_of_group(const struct net *n)
{
    uint32_t groups = 0;
    for (const struct net_group *g = n->groups; g; g = g->next)
        groups += g != &n->own;
    uint32_t share = n->max_connections / (2 * (groups > 0 ? groups : 1));
    return share < NET_GROUP_SHARE ? share : NET_GROUP_SHARE;
}

bool mgi_net_has_room(const struct net_group *asking)
{
    const struct net *n = asking->net;
    uint32_t share = share_of_group(n);
    uint64_t taken = 0;
    for (const struct net_group *g = n->groups; g; g = g->next)
        taken += g == asking || g == &n->own || g->connections > share ? g->connections : share;
    return taken < n->max_connections;
}

/* ---- giving way -------------------------------------------------------------------------- */

/* The oldest of a kind, if it has been set for so long. */
static struct deadline *oldest_of(struct net_group *g, enum deadline_kind kind, int64_t least_ms)
{
    struct deadline *d = mgi_deadlines_oldest(&g->deadlines, kind);
    int64_t begun_ms = d ? d->at_ms - g->deadlines.after_ms[kind] : 0;
    return d && mgi_net_now_ms(g->net) - begun_ms >= least_ms ? d : NULL;
}

/* The same of one group, or of all that have more than `share` connections. */
static struct deadline *oldest(struct net *n, struct net_group *only, uint32_t share,
                               enum deadline_kind kind, int64_t least_ms)
{
    struct deadline *found = only ? oldest_of(only, kind, least_ms) : NULL;
    for (struct net_group *g = only ? NULL : n->groups; g; g = g->next) {
        struct deadline *d = g->connections > share ? oldest_of(g, kind, least_ms) : NULL;
        if (d && (!found || d->at_ms < found->at_ms))
            found = d;
    }
    return found;
}

static struct deadline *missed_least(struct net *n, struct net_group *only)
{
    static const struct {
        enum deadline_kind kind;
        int64_t least_ms;
    } order[] = {
        { DEADLINE_LINGER, GRACE_MS },   { DEADLINE_NEW, NEWCOMER_MS }, { DEADLINE_IDLE, 0 },
        { DEADLINE_GUEST, 0 },           { DEADLINE_WRITE, GRACE_MS },  { DEADLINE_HEAD, GRACE_MS },
        { DEADLINE_STRANGER, GRACE_MS },
    };
    uint32_t share = share_of_group(n);
    struct deadline *d = NULL;
    for (size_t i = 0; !d && i < sizeof order / sizeof *order; i++)
        d = oldest(n, only, share, order[i].kind, order[i].least_ms);
    return d;
}

static uint32_t count_open(const struct net *n, const struct net_group *only, bool refused_ones)
{
    uint32_t count = 0;
    for (const struct net_group *g = n->groups; g; g = g->next)
        if (!only || g == only)
            count += g->connections + (refused_ones ? g->refused : 0);
    return count;
}

bool mgi_net_give_way(struct net *n, struct net_group *only)
{
    uint32_t before = count_open(n, only, false);
    for (int stayed = 0; stayed < GIVE_WAY_TRIES;) {
        uint32_t all = count_open(n, only, true);
        struct deadline *d = missed_least(n, only);
        if (!d)
            return false;
        pass_early(d);
        if (count_open(n, only, false) < before)
            return true;
        if (count_open(n, only, true) == all) /* it has only changed its plans */
            stayed++;
    }
    return false;
}

bool mgi_net_end_linger(struct net_group *g)
{
    struct deadline *d = mgi_deadlines_oldest(&g->deadlines, DEADLINE_LINGER);
    if (d)
        pass_early(d);
    return d != NULL;
}

/* Of all groups, those included that nobody takes a connection from: bytes are everybody's. */
static struct deadline *stalled_longest(struct net *n)
{
    struct deadline *found = NULL;
    for (struct net_group *g = n->groups; g; g = g->next) {
        struct deadline *d = oldest_of(g, DEADLINE_WRITE, GRACE_MS);
        if (d && (!found || d->at_ms < found->at_ms))
            found = d;
    }
    return found;
}

bool mgi_net_relieve(struct net *n, size_t bytes, enum budget_share share)
{
    struct deadline *d;
    n->relieving = true;
    while (!mgi_budget_fits(&n->budget, bytes, share) && (d = stalled_longest(n)) != NULL)
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

/* ---- turns ------------------------------------------------------------------------------- */

static void begin_turns(struct net *n)
{
    while (n->busy_turns < n->max_turns && n->turns.next != &n->turns) {
        struct net_turn *first = n->turns.next;
        mgi_net_turn_cancel(first);
        n->busy_turns++; /* before: what begins may look */
        if (!first->begin(first))
            n->busy_turns--;
    }
}

void mgi_net_turn(struct net *n, struct net_turn *turn)
{
    assert(!turn->next);
    turn->prev = n->turns.prev;
    turn->next = &n->turns;
    n->turns.prev->next = turn;
    n->turns.prev = turn;
    begin_turns(n);
}

void mgi_net_turn_cancel(struct net_turn *turn)
{
    if (!turn->next)
        return;
    turn->prev->next = turn->next;
    turn->next->prev = turn->prev;
    turn->prev = turn->next = NULL;
}

void mgi_net_turn_over(struct net *n)
{
    assert(n->busy_turns > 0);
    n->busy_turns--;
    begin_turns(n);
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
    n->max_refusals = REFUSALS;
    n->budget.limit = n->limits.budget_bytes;
    mgi_net_group_add(n, &n->own);
    n->later.prev = n->later.next = &n->later;
    n->turns.prev = n->turns.next = &n->turns;
    n->max_turns = uv_available_parallelism() > 2 ? 2 : 1;
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
