/* The keys by which tokens of another issuer are judged.
 *
 *     begin ──> fetched ──read by a worker──> used ──stale──> fetched again ──> …
 *                  └─failed──> those there are, for a day ──KEYS_RETRY_NS──> fetched again
 *
 * 1. Keys are fetched once for all who wait for them, and not again for KEYS_PAUSE_NS, so that
 *    tokens with invented key ids cost the issuer nothing.
 * 2. They are fetched again when they are stale, whether anybody asks or not: a key that was
 *    withdrawn stands for nothing from then on. What was remembered goes with it, and what sessions
 *    were begun with is judged anew (logins.withdrawals); a set that still has all the keys of the
 *    one before changes nothing. */
#include "base/time.h"
#include "server/login_int.h"

#define KEYS_PAUSE_NS   (10 * NS_PER_SEC)
#define KEYS_RETRY_NS   (60 * NS_PER_SEC) /* after a failure, where nobody asks */
#define KEYS_LEAST_S    60                /* of what a max-age may say */
#define KEYS_USUAL_S    3600
#define KEYS_MOST_S     86400
#define KEYS_BELIEVED_S 86400 /* when they cannot be fetched again */

/* ---- what is used ---------------------------------------------------------------------------- */

static void fetch_again(uv_timer_t *timer)
{
    if (!mgi_login_fetch_keys(timer->data))
        uv_timer_start(timer, fetch_again, KEYS_RETRY_NS / NS_PER_MS, 0);
}

/* Keys that are given are not fetched. */
static void fetch_in(struct server *s, int64_t ns)
{
    if (s->options.issuer->keys_url && !uv_is_closing((uv_handle_t *)&s->keys_due))
        uv_timer_start(&s->keys_due, fetch_again, (uint64_t)(ns / NS_PER_MS), 0);
}

static void exchange(struct server *s, struct jwks *keys)
{
    struct logins *all = &s->logins;
    if (!mgi_jwks_cover(keys, all->keys)) {
        mgi_login_forget_all(s);
        all->withdrawals++;
    }
    mgi_jwks_unref(all->keys);
    all->keys = keys;
}

static void use_keys(struct server *s, struct jwks *keys, int64_t max_age_s)
{
    struct logins *all = &s->logins;
    int64_t age_s = max_age_s < 0              ? KEYS_USUAL_S
                    : max_age_s < KEYS_LEAST_S ? KEYS_LEAST_S
                    : max_age_s > KEYS_MOST_S  ? KEYS_MOST_S
                                               : max_age_s;
    exchange(s, keys);
    all->failed = false;
    all->useless_ns = mgi_mono_ns() + (age_s + KEYS_BELIEVED_S) * NS_PER_SEC;
    fetch_in(s, age_s * NS_PER_SEC);
}

static void keys_failed(struct server *s, const char *why)
{
    struct logins *all = &s->logins;
    all->failed = true;
    mgi_log(&s->log, LOG_WARN, "the issuer's keys cannot be fetched from %s: %s",
            s->options.issuer->keys_url, why);
    if (all->keys && mgi_mono_ns() >= all->useless_ns)
        exchange(s, NULL);
    fetch_in(s, KEYS_RETRY_NS);
    s->on_keys(s, "the issuer's keys cannot be fetched");
}

void mgi_server_set_issuer_keys(struct server *s, struct jwks *keys)
{
    use_keys(s, mgi_jwks_ref(keys), KEYS_MOST_S);
}

/* ---- fetching -------------------------------------------------------------------------------- */

static void read_on_worker(struct task *t)
{
    struct logins *all = (struct logins *)((char *)t - offsetof(struct logins, task));
    all->read = mgi_jwks_new(mgi_buf_view(&all->fetched), &all->why);
}

static void keys_read(struct task *t)
{
    struct logins *all = (struct logins *)((char *)t - offsetof(struct logins, task));
    struct server *s = (struct server *)((char *)all - offsetof(struct server, logins));
    all->reading = false;
    mgi_buf_fini(&all->fetched);
    if (all->read) {
        use_keys(s, all->read, all->max_age_s);
        s->on_keys(s, NULL);
    } else {
        keys_failed(s, all->why);
    }
    all->read = NULL;
    all->resume(s);
}

static void keys_came(void *context, const struct fetch_answer *answer)
{
    struct server *s = context;
    struct logins *all = &s->logins;
    struct task_runner runner = mgi_work_runner(s->work);
    char why[64];
    all->fetching = NULL;
    if (answer->status != 200) {
        snprintf(why, sizeof why, "it answers %d", answer->status);
        keys_failed(s, answer->status ? why : answer->why);
        all->resume(s);
        return;
    }
    mgi_buf_str(&all->fetched, answer->body);
    all->max_age_s = answer->max_age_s;
    all->task = (struct task){
        .run = read_on_worker, .done = keys_read, .owner = (uintptr_t)s, .promised = true
    };
    all->reading = !all->fetched.oom && runner.hand(runner.self, &all->task);
    if (!all->reading) {
        mgi_buf_fini(&all->fetched);
        keys_failed(s, "out of memory");
        all->resume(s);
    }
}

bool mgi_login_fetch_keys(struct server *s)
{
    struct logins *all = &s->logins;
    const struct issuer *i = s->options.issuer;
    int64_t now_ns = mgi_mono_ns();
    if (all->fetching || all->reading)
        return true;
    if (!i->keys_url || now_ns < all->next_ns)
        return false;
    const struct fetch_order order = { .url = i->keys_url,
                                       .ca_file = i->ca_file,
                                       .max_bytes = JWKS_MAX_BYTES,
                                       .timeout_ms = i->timeout_ms };
    all->fetching = s->options.fetcher.begin(s->options.fetcher.self, &order, keys_came, s);
    if (all->fetching) /* what was not asked costs the issuer nothing */
        all->next_ns = now_ns + KEYS_PAUSE_NS;
    return all->fetching != NULL;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

void mgi_login_keys_begin(struct server *s)
{
    s->logins.keys = mgi_jwks_ref(s->options.issuer_keys);
    s->logins.useless_ns = INT64_MAX;
    if (s->options.issuer->keys_url)
        fetch_again(&s->keys_due);
}

void mgi_login_keys_stop(struct server *s)
{
    struct task_runner runner = mgi_work_runner(s->work);
    struct logins *all = &s->logins;
    if (all->reading)
        (void)runner.take_back(runner.self, &all->task);
    if (all->fetching)
        s->options.fetcher.forget(s->options.fetcher.self, all->fetching);
}

void mgi_login_keys_free(struct server *s)
{
    struct logins *all = &s->logins;
    mgi_buf_fini(&all->fetched);
    mgi_jwks_unref(all->read);
    mgi_jwks_unref(all->keys);
}
