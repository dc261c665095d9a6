/* The pool: who gets a session, and who waits for one (toolhost.md chapter 11).
 *
 *   take ─> waiting ─> ready(session) … release
 *              └──────> ready(none): too long, too many, closing
 *
 * 1. Of one provider no more sessions are out than it may have hosts, and one more for an owner who
 *    holds none of them. So calls that hang delay those who made them.
 * 2. Among those who wait for a provider, whoever holds fewest of its sessions comes first, then
 * who came first.
 * 3. `ready` is never called from inside mgi_toolsession_take(): what is decided is told from the
 *    loop (pool->tick). */
#include "actions/toolpool_int.h"

#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sys/clock.h"
#include "sys/secrets.h"

#define DEFAULT_HOSTS      2     /* seed: session pool per plugin */
#define DEFAULT_TIMEOUT_MS 30000 /* seed */
#define DEFAULT_WAITING    1024

struct toolticket {
    struct toolpool *pool;
    struct toolticket *next;
    uv_timer_t timer;
    bool expired;
    struct toolwish wish;
};

/* ---- the environment of hosts -------------------------------------------------------------- */

/* A host's own limit of 30 s would cut calls that the domain allows longer: every call says its
 * limit. What an operator has set stays. */
static bool has_timeout(const char *variable)
{
    return strncmp(variable, "MACHINA_TOOLHOST_TIMEOUT", 24) == 0;
}

/* What is clean, and what the operator lets plugins have by name. */
char **mgi_host_environment(bool enforce, bool checked)
{
    static char timeout[] = "MACHINA_TOOLHOST_TIMEOUT_MS=86400000";
    static char enforce_on[] = "MACHINA_LEASE_ENFORCE=1";
    static char enforce_off[] = "MACHINA_LEASE_ENFORCE=0";
    static char issue[] = "MACHINA_LEASE_ISSUE=control";
    static char unchecked[] =
        "MACHINA_TOOLHOST_VALIDATE=0"; /* inputs were, before they were sent */
    char **env = mgi_secrets_environment(mgi_secret("MACHINA_TOOLHOST_PASS_ENV"), 4);
    size_t kept = 0;
    bool timed = false;
    while (env && env[kept])
        timed = has_timeout(env[kept++]) || timed;
    if (!env)
        return NULL;
    if (!timed)
        env[kept++] = timeout;
    env[kept++] = enforce ? enforce_on : enforce_off;
    env[kept++] = issue;
    if (checked)
        env[kept] = unchecked;
    return env;
}

/* ---- sessions and tickets ------------------------------------------------------------------ */

/* How many sessions of `provider` are out, and how many of them `owner` holds. */
static uint32_t sessions_of(const struct toolpool *pool, const struct action_provider *provider,
                            uint64_t owner, uint32_t *own)
{
    uint32_t count = 0;
    *own = 0;
    for (const struct toolsession *s = pool->sessions; s; s = s->next)
        if (s->provider == provider) {
            count++;
            *own += s->owner == owner;
        }
    return count;
}

static bool is_free_for(const struct toolpool *pool, const struct toolticket *t, uint32_t *own)
{
    uint32_t out = sessions_of(pool, t->wish.provider, t->wish.owner, own);
    return out < pool->options.hosts || (out == pool->options.hosts && *own == 0);
}

/* The ticket to be served next; NULL: none can be. */
static struct toolticket *next_ticket(const struct toolpool *pool)
{
    struct toolticket *best = NULL;
    uint32_t best_own = UINT32_MAX, own;
    for (struct toolticket *t = pool->waiting; t; t = t->next)
        if (is_free_for(pool, t, &own) && own < best_own) {
            best = t;
            best_own = own;
        }
    return best;
}

static struct toolsession *session_new(struct toolpool *pool, const struct toolwish *wish)
{
    struct toolsession *s = mgi_calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->provider = wish->provider;
    s->pool = pool;
    s->owner = wish->owner;
    s->next = pool->sessions;
    pool->sessions = s;
    return s;
}

static void ticket_freed(uv_handle_t *handle)
{
    struct toolticket *t = handle->data;
    t->pool->open_tickets--;
    mgi_pool_tick_soon(t->pool);
    mgi_free(t);
}

static void ticket_remove(struct toolticket *t)
{
    struct toolticket **link = &t->pool->waiting;
    while (*link != t)
        link = &(*link)->next;
    *link = t->next;
    t->pool->waiting_count--;
    uv_close((uv_handle_t *)&t->timer, ticket_freed);
}

static void ticket_expired(uv_timer_t *timer)
{
    struct toolticket *t = timer->data;
    t->expired = true;
    mgi_pool_tick_soon(t->pool);
}

struct toolticket *mgi_toolsession_take(struct toolpool *pool, const struct toolwish *wish)
{
    struct toolticket *t = mgi_calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->pool = pool;
    t->wish = *wish;
    uv_timer_init(pool->loop, &t->timer);
    t->timer.data = t;
    pool->open_tickets++;
    if (wish->wait_ms >= 0)
        uv_timer_start(&t->timer, ticket_expired, (uint64_t)wish->wait_ms, 0);
    t->expired = pool->waiting_count >= pool->options.max_waiting;
    struct toolticket **last = &pool->waiting;
    while (*last)
        last = &(*last)->next;
    *last = t;
    pool->waiting_count++;
    mgi_pool_tick_soon(pool);
    return t;
}

void mgi_toolsession_forget(struct toolticket *t)
{
    if (t)
        ticket_remove(t);
}

static void answer_ticket(struct toolticket *t, struct toolsession *s,
                          enum toolsession_refusal refusal, const char *why)
{
    struct toolwish wish = t->wish;
    ticket_remove(t);
    wish.ready(wish.context, s, refusal, why);
}

static struct toolticket *first_expired(const struct toolpool *pool)
{
    struct toolticket *t = pool->waiting;
    while (t && !t->expired)
        t = t->next;
    return t;
}

/* Decide on one ticket about which something can be said. False: there is none. */
static bool serve_ticket(struct toolpool *pool)
{
    struct toolticket *t = pool->closing ? pool->waiting : next_ticket(pool);
    if (t && pool->closing) {
        answer_ticket(t, NULL, SESSION_NEVER, "the server is shutting down");
    } else if (t) {
        struct toolsession *s = session_new(pool, &t->wish);
        answer_ticket(t, s, SESSION_NEVER, s ? NULL : "short of memory");
    } else if ((t = first_expired(pool)) != NULL) {
        answer_ticket(t, NULL, SESSION_BUSY, "no tool host became free in time");
    }
    return t != NULL;
}

void mgi_toolsession_release(struct toolsession *s)
{
    struct toolpool *pool = s->pool;
    assert(s->state == SESSION_FREE);
    struct toolsession **link = &pool->sessions;
    while (*link != s)
        link = &(*link)->next;
    *link = s->next;
    if (s->host) {
        s->host->session = NULL;
        mgi_host_alarm(s->host, -1);
        if (pool->closing)
            mgi_host_end(s->host, true, "shut down");
    }
    mgi_free(s);
    mgi_pool_tick_soon(pool);
}

/* ---- the pool ------------------------------------------------------------------------------ */

static void pool_freed(uv_handle_t *handle)
{
    struct toolpool *pool = handle->data;
    void (*closed)(void *) = pool->closed;
    void *context = pool->context;
    if (pool->loadavg >= 0)
        close(pool->loadavg);
    mgi_free(pool->toolhost);
    mgi_free(pool->env);
    mgi_free(pool);
    if (closed)
        closed(context);
}

static bool tell_one(struct toolpool *pool)
{
    for (struct toolsession *s = pool->sessions; s; s = s->next)
        if (s->state == SESSION_ANSWERED) {
            mgi_session_tell(s);
            return true; /* the list may have changed */
        }
    return false;
}

static void awake_closed(uv_handle_t *handle)
{
    struct toolpool *pool = handle->data;
    uv_close((uv_handle_t *)&pool->tick, pool_freed);
}

static void tick(uv_timer_t *timer)
{
    struct toolpool *pool = timer->data;
    while (tell_one(pool) || serve_ticket(pool))
        ;
    bool over = pool->closing && !pool->hosts && !pool->sessions && pool->open_tickets == 0;
    if (over && !uv_is_closing((uv_handle_t *)&pool->awake))
        uv_close((uv_handle_t *)&pool->awake, awake_closed);
}

struct toolpool *mgi_toolpool_new(uv_loop_t *loop, const struct toolpool_options *options)
{
    struct toolpool *pool = mgi_calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pool->loop = loop;
    pool->options = *options;
    if (pool->options.hosts == 0)
        pool->options.hosts = DEFAULT_HOSTS;
    if (pool->options.max_waiting == 0)
        pool->options.max_waiting = DEFAULT_WAITING;
    if (pool->options.timeout_ms <= 0)
        pool->options.timeout_ms = DEFAULT_TIMEOUT_MS;
    const char *toolhost = options->play ? "" : options->toolhost;
    size_t len = strlen(toolhost);
    pool->toolhost = mgi_alloc(len + 1);
    pool->env = mgi_host_environment(options->enforce_leases, true);
    if (!pool->toolhost || !pool->env) {
        mgi_free(pool->toolhost);
        mgi_free(pool->env);
        mgi_free(pool);
        return NULL;
    }
    memcpy(pool->toolhost, toolhost, len + 1);
    pool->loadavg = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    uv_timer_init(loop, &pool->tick);
    uv_idle_init(loop, &pool->awake);
    pool->tick.data = pool->awake.data = pool;
    pool->on_tick = tick;
    if (!options->enforce_leases)
        mgi_log(options->log, LOG_WARN, "side effects are not gated: lease enforcement is off");
    return pool;
}

void mgi_toolpool_use(struct toolpool *pool, struct task_runner tasks)
{
    pool->tasks = tasks;
}

void mgi_toolpool_watch(struct toolpool *pool,
                        void (*amiss)(void *context, struct str provider, const char *why),
                        void *context)
{
    pool->amiss = amiss;
    pool->amiss_context = context;
}

void mgi_toolpool_stats(const struct toolpool *pool, struct toolpool_stats *out)
{
    *out = (struct toolpool_stats){ .waiting = pool->waiting_count,
                                    .started = pool->started,
                                    .failed = pool->failed };
    for (const struct tool_host *h = pool->hosts; h; h = h->next) {
        out->hosts++;
        out->busy += h->session != NULL;
    }
}

void mgi_toolpool_close(struct toolpool *pool, void (*closed)(void *context), void *context)
{
    pool->closing = true;
    pool->closed = closed;
    pool->context = context;
    for (struct toolsession *s = pool->sessions; s; s = s->next)
        mgi_toolsession_cancel(s);
    for (struct tool_host *h = pool->hosts; h; h = h->next)
        if (!h->session)
            mgi_host_end(h, true, "shut down");
    mgi_pool_tick_soon(pool);
}
