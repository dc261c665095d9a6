/* What changes while the server lives: what it serves, whom it believes, what is amiss, and its
 * end. Whatever changes a manifest is pushed to sessions, at most once a second. */
#include <inttypes.h>
#include <stdio.h>

#include "base/time.h"
#include "server/server_int.h"

#define SECOND_MS 1000

/* ---- manifests pushed ---------------------------------------------------------------------- */

static void push_to(struct server *s, struct peer *p, const struct buf *text)
{
    if (text->oom || p->gone || p->ending)
        return;
    s->metrics.manifests_pushed++;
    p->transport->send(p->connection, mgi_buf_view(text), 200, false, -1);
}

/* A send ends no peer (peer.h), so the list stays as it is. */
static void push_all(struct server *s)
{
    struct buf texts[2] = { { 0 }, { 0 } };
    s->announce_due = false;
    for (struct peer *p = s->peers; p; p = p->next) {
        struct buf *text = &texts[p->auth_required];
        if (!p->greeted)
            continue;
        if (text->len == 0 && !text->oom)
            mgi_server_manifest(s, true, p->auth_required, text);
        push_to(s, p, text);
    }
    mgi_buf_fini(&texts[0]);
    mgi_buf_fini(&texts[1]);
}

static void pause_over(uv_timer_t *timer);

/* Push, and let the next one wait. */
static void push_and_pause(struct server *s)
{
    push_all(s);
    uv_timer_start(&s->pause, pause_over, SECOND_MS, 0);
}

static void pause_over(uv_timer_t *timer)
{
    struct server *s = timer->data;
    if (s->announce_due)
        push_and_pause(s);
}

void mgi_server_announce(struct server *s)
{
    s->epoch++;
    if (!s->announce_due)
        mgi_server_tick_soon(s);
    s->announce_due = true;
}

/* ---- what is served ------------------------------------------------------------------------ */

static void host_amiss(void *context, struct str provider, const char *why)
{
    char what[64];
    snprintf(what, sizeof what, "host:%.*s", STR_ARG(provider));
    mgi_server_amiss(context, what, why);
}

/* What was amiss with the hosts of a pool that is replaced says nothing of the new ones. */
static void forget_hosts(struct server *s)
{
    for (size_t i = s->amiss_count; i-- > 0;)
        if (mgi_str_starts(str_of(s->amiss[i].what), STR_LIT("host:")))
            s->amiss[i] = s->amiss[--s->amiss_count];
}

static void use_pool(struct server *s, struct toolpool *pool)
{
    if (!pool)
        return;
    mgi_toolpool_use(pool, mgi_work_runner(s->work));
    mgi_toolpool_watch(pool, host_amiss, s);
}

bool mgi_server_serve(struct server *s, struct snapshot *snapshot, struct toolpool *pool,
                      void (*retired)(void *context, struct toolpool *pool), void *context)
{
    struct served *before = s->served, *now = mgi_served_new(s, snapshot, pool, before);
    if (!now)
        return false;
    if (before->pool && before->pool != now->pool) {
        before->pool->retired = retired;
        before->pool->context = context;
        mgi_toolpool_watch(before->pool->pool, NULL, NULL);
        forget_hosts(s);
    }
    mgi_parked_lapse_all(s, "unavailable"); /* what they were offered by is not served any more */
    s->served = now;
    s->booting = false;
    use_pool(s, pool);
    mgi_served_unref(s, before);
    mgi_work_refresh(s->work); /* threads let go of the snapshot they last used */
    mgi_server_announce(s);
    return true;
}

void mgi_server_set_auth(struct server *s, struct auth *auth)
{
    struct auth *before = s->auth;
    s->auth = mgi_auth_ref(auth);
    for (struct peer *p = s->peers; p; p = p->next) {
        if (!p->who || p->who->credential.len == 0 || p->who->issuer.len > 0)
            continue; /* what another issuer says holds until it expires */
        const struct principal *now = mgi_auth_renew(auth, p->who);
        const struct principal *was = p->who;
        p->who = mgi_principal_ref(now);
        p->revoked = !now;
        mgi_principal_unref(was);
    }
    mgi_auth_unref(before);
    mgi_server_announce(s);
}

/* ---- amiss --------------------------------------------------------------------------------- */

static struct amiss *find_amiss(struct server *s, const char *what)
{
    for (size_t i = 0; i < s->amiss_count; i++)
        if (strncmp(s->amiss[i].what, what, sizeof s->amiss[i].what - 1) == 0)
            return &s->amiss[i];
    return NULL;
}

static void mended(struct server *s, struct amiss *one)
{
    mgi_log(&s->log, LOG_WARN, "%s is in order again", one->what);
    *one = s->amiss[--s->amiss_count];
    mgi_server_announce(s);
}

void mgi_server_amiss(struct server *s, const char *what, const char *why)
{
    struct amiss *one = find_amiss(s, what);
    if (!why) {
        if (one)
            mended(s, one);
        return;
    }
    if (one && strncmp(one->why, why, sizeof one->why - 1) == 0)
        return;
    if (!one && s->amiss_count == AMISS_MAX) {
        mgi_log(&s->log, LOG_WARN, "degraded: %s: %s (not counted: too much is amiss)", what, why);
        return;
    }
    if (!one)
        one = &s->amiss[s->amiss_count++];
    snprintf(one->what, sizeof one->what, "%s", what);
    snprintf(one->why, sizeof one->why, "%s", why);
    mgi_log(&s->log, LOG_WARN, "degraded: %s: %s", one->what, one->why);
    mgi_server_announce(s);
}

static void store_seen(struct server *s, bool answers)
{
    mgi_server_amiss(s, "store", answers ? NULL : "tools and outcomes cannot be kept or looked up");
}

static void keys_seen(struct server *s, const char *why)
{
    mgi_server_amiss(s, "issuer", why);
}

/* ---- draining ------------------------------------------------------------------------------ */

static struct request *oldest_open(const struct server *s, size_t *invocations)
{
    struct request *oldest = NULL;
    *invocations = 0;
    for (const struct peer *p = s->peers; p; p = p->next)
        for (struct request *r = p->open; r; r = r->next) {
            *invocations += r->chained;
            if (!oldest || r->begun_ns < oldest->begun_ns)
                oldest = r;
        }
    return oldest;
}

static void say_what_for(struct server *s)
{
    size_t invocations;
    const struct request *oldest = oldest_open(s, &invocations);
    if (!oldest)
        return;
    mgi_log(&s->log, LOG_WARN,
            "draining: waiting for %zu request%s, %zu of them running actions; the oldest for "
            "%" PRId64 " s",
            s->open_requests, s->open_requests == 1 ? "" : "s", invocations,
            (mgi_mono_ns() - oldest->begun_ns) / NS_PER_SEC);
}

/* One that has not been asked to end yet. */
static struct request *find_uncancelled(const struct server *s)
{
    for (const struct peer *p = s->peers; p; p = p->next)
        for (struct request *r = p->open; r; r = r->next)
            if (!r->answered && !atomic_load(&r->cancel))
                return r;
    return NULL;
}

/* Cancelling may end requests and peers: look again from the beginning after each. */
static void cancel_all(struct server *s)
{
    size_t count = 0;
    for (struct request *r; (r = find_uncancelled(s)) != NULL; count++)
        mgi_request_cancel(r, false);
    if (count > 0)
        mgi_log(&s->log, LOG_WARN, "draining: the time is over, %zu request%s cancelled", count,
                count == 1 ? " is" : "s are");
}

static void check_deadline(struct server *s)
{
    if (s->draining && mgi_mono_ns() >= s->drain_deadline_ns)
        cancel_all(s);
}

static void each_second(uv_timer_t *timer)
{
    struct server *s = timer->data;
    say_what_for(s);
    check_deadline(s);
}

static void server_quiet(struct server *s)
{
    if (s->draining)
        mgi_server_tick_soon(s);
}

static int64_t deadline_after(int64_t ms)
{
    int64_t now_ns = mgi_mono_ns();
    return ms < 0 || ms > (INT64_MAX - now_ns) / NS_PER_MS ? INT64_MAX : now_ns + ms * NS_PER_MS;
}

void mgi_server_drain(struct server *s, int64_t deadline_ms, void (*drained)(void *context),
                      void *context)
{
    int64_t deadline_ns = deadline_after(deadline_ms);
    if (drained) {
        s->drained = drained;
        s->drained_context = context;
    }
    if (!s->draining) {
        s->draining = true;
        s->drain_deadline_ns = deadline_ns;
        mgi_parked_lapse_all(s, "unavailable");
        mgi_server_announce(s);
    } else if (deadline_ns < s->drain_deadline_ns) {
        s->drain_deadline_ns = deadline_ns;
    }
    int64_t first_ms = deadline_ms >= 0 && deadline_ms < SECOND_MS ? deadline_ms : SECOND_MS;
    uv_timer_start(&s->second, each_second, (uint64_t)first_ms, SECOND_MS);
    mgi_server_tick_soon(s);
}

/* ---- what is told from the loop ------------------------------------------------------------- */

static void tell_drained(struct server *s)
{
    void (*drained)(void *) = s->drained;
    s->drained = NULL;
    if (drained)
        drained(s->drained_context); /* may free the server */
}

static void tell_soon(uv_timer_t *timer)
{
    struct server *s = timer->data;
    mgi_served_tell_retired(s);
    if (s->announce_due && !uv_is_active((uv_handle_t *)&s->pause))
        push_and_pause(s);
    check_deadline(s);
    if (s->draining && s->open_requests == 0) {
        if (s->announce_due) /* the last manifest says so, also where nothing ran (P-READY-8) */
            push_all(s);
        tell_drained(s);
    }
}

void mgi_lifecycle_init(struct server *s)
{
    s->on_soon = tell_soon;
    s->on_quiet = server_quiet;
    s->on_store = store_seen;
    s->on_keys = keys_seen;
    use_pool(s, s->options.pool);
}
