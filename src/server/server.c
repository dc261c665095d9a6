/* The server as a whole: its beginning and its end, and what can be asked of it. What changes in
 * between is lifecycle.c; one connection is peer.c, one request is request.c. */
#include "server/server.h"

#include "base/alloc.h"
#include "server/server_int.h"

#define DEFAULT_WORKERS       2
#define DEFAULT_OPEN_REQUESTS 64
#define DEFAULT_WAITING       1024
#define DEFAULT_READ_BYTES    ((size_t)512 * 1024 * 1024)

/* ---- beginning and end --------------------------------------------------------------------- */

static void set_defaults(struct server_options *o)
{
    if (o->workers == 0)
        o->workers = DEFAULT_WORKERS;
    if (o->slow_workers == 0)
        o->slow_workers = o->workers;
    if (o->max_waiting == 0)
        o->max_waiting = DEFAULT_WAITING;
    if (o->max_read_bytes == 0)
        o->max_read_bytes = DEFAULT_READ_BYTES;
    if (o->max_open_requests == 0)
        o->max_open_requests = DEFAULT_OPEN_REQUESTS;
}

static void forget_worker(void *local)
{
    mgi_intent_worker_free(local);
}

static bool make_parts(struct server *s)
{
    const struct server_options *o = &s->options;
    struct work_options work = { .loop = o->loop,
                                 .quick = o->workers,
                                 .slow = o->slow_workers,
                                 .max_waiting = o->max_waiting,
                                 .forget = forget_worker };
    s->windows = mgi_calloc(RATE_SETS, sizeof *s->windows);
    if (o->issuer && !(s->logins.known = mgi_calloc(LOGIN_SETS, sizeof *s->logins.known)))
        return false;
    s->served = s->windows ? mgi_served_new(s, o->snapshot, o->pool, NULL) : NULL;
    s->work = s->served ? mgi_work_new(&work) : NULL;
    return s->work != NULL;
}

static void free_parts(struct server *s)
{
    mgi_requests_drop_spare(s);
    mgi_auth_unref(s->auth);
    mgi_rate_free(s);
    mgi_free(s);
}

static void server_handle_closed(uv_handle_t *handle)
{
    struct server *s = handle->data;
    if (--s->handles == 0)
        free_parts(s);
}

static bool open_timers(struct server *s)
{
    uv_timer_t *const timers[] = { &s->soon,     &s->pause, &s->second,
                                   &s->keys_due, &s->lapse, &s->rest.timer };
    for (; s->handles < sizeof timers / sizeof *timers; s->handles++) {
        timers[s->handles]->data = s;
        if (uv_timer_init(s->options.loop, timers[s->handles]) != 0)
            return false;
    }
    /* They say what others do: a loop that has nothing else to do ends. */
    uv_unref((uv_handle_t *)&s->pause);
    uv_unref((uv_handle_t *)&s->second);
    uv_unref((uv_handle_t *)&s->keys_due);
    uv_unref((uv_handle_t *)&s->lapse);
    uv_unref((uv_handle_t *)&s->rest.timer);
    return true;
}

static void close_timers(struct server *s)
{
    uv_timer_t *const timers[] = { &s->soon,     &s->pause, &s->second,
                                   &s->keys_due, &s->lapse, &s->rest.timer };
    for (unsigned i = s->handles; i-- > 0;)
        uv_close((uv_handle_t *)timers[i], server_handle_closed);
}

static void let_go(struct server *s)
{
    mgi_parked_free(s);
    if (s->work)
        mgi_logins_stop(s);
    mgi_rest_end(s);
    mgi_work_free(s->work);
    s->work = NULL;
    mgi_logins_free(s);
    if (s->served)
        mgi_served_unref(s, s->served);
    mgi_served_tell_retired(s);
    if (s->handles > 0)
        close_timers(s);
    else
        free_parts(s);
}

struct server *mgi_server_new(const struct server_options *options)
{
    struct server *s = mgi_calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->options = *options;
    s->steady_from_ns = mgi_server_clock_ns(s) - mgi_mono_ns();
    set_defaults(&s->options);
    if (options->log)
        s->log = *options->log;
    s->auth = mgi_auth_ref(options->auth);
    s->booting = options->booting;
    s->lists = mgi_stage_lists;
    s->epoch = 1;
    s->drain_deadline_ns = INT64_MAX;
    if (!open_timers(s) || !make_parts(s)) {
        let_go(s);
        return NULL;
    }
    mgi_lifecycle_init(s);
    mgi_parked_init(s);
    mgi_logins_begin(s);
    return s;
}

void mgi_server_free(struct server *s)
{
    if (!s)
        return;
    if (s->served->pool) {
        mgi_toolpool_watch(s->served->pool->pool, NULL, NULL);
        mgi_toolpool_use(s->served->pool->pool, (struct task_runner){ 0 });
    }
    let_go(s);
}

/* ---- questions ----------------------------------------------------------------------------- */

struct task_runner mgi_server_tasks(struct server *s)
{
    return mgi_work_runner(s->work);
}

static void count_open(const struct server *s, struct server_metrics *out)
{
    int64_t now_ns = mgi_mono_ns();
    for (const struct peer *p = s->peers; p; p = p->next) {
        out->peers += !p->gone; /* one that is gone is here for its requests */
        out->sessions += !p->gone && p->transport->session;
        for (const struct request *r = p->open; r; r = r->next) {
            out->invocations += r->chained;
            if (now_ns - r->begun_ns > out->oldest_open_ns)
                out->oldest_open_ns = now_ns - r->begun_ns;
        }
    }
}

void mgi_server_metrics(const struct server *s, struct server_metrics *out)
{
    struct toolpool_stats pool = { 0 };
    *out = s->metrics;
    count_open(s, out);
    out->open_requests = (uint32_t)s->open_requests;
    out->rate_windows = mgi_rate_windows(s);
    if (s->served->pool)
        mgi_toolpool_stats(s->served->pool->pool, &pool);
    out->hosts = pool.hosts;
    out->busy_hosts = pool.busy;
    out->waiting_for_host = pool.waiting;
    out->hosts_started = pool.started;
    out->hosts_failed = pool.failed;
    mgi_work_metrics(s->work, &out->quick, &out->slow);
}
