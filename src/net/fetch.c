/* Fetches; see fetch.h.
 *
 * `waiting` and `over` are lists under the lock. A fetch belongs to the thread that carries it out
 * between the two, but for `told`, which is the loop's: one that is forgotten before a thread has
 * it never happens; of one that is under way nobody is told. */
#include "net/fetch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/time.h"
#include "net/curl_late.h"
#include "sys/clock.h"

#define WHY_BYTES 200

struct fetch {
    struct fetch *next;
    char *url, *ca_file, *basic;
    struct buf form;
    bool posts;
    size_t max_bytes;
    int64_t deadline_ns;
    void (*told)(void *context, const struct fetch_answer *answer); /* NULL: forgotten */
    void *context;

    int status;
    struct buf body;
    int64_t max_age_s;
    char why[WHY_BYTES];
};

struct fetch_pool {
    pthread_mutex_t lock;
    pthread_cond_t wanted;
    struct fetch *waiting, **waiting_end;
    struct fetch *over, **over_end;
    pthread_t threads[FETCH_THREADS];
    unsigned thread_count, idle;
    size_t under_way; /* the loop's */
    atomic_bool ending;
    uv_async_t news;
    struct curl_late api;
    bool has_api;
};

/* ---- one fetch, on a thread ------------------------------------------------------------------ */

struct transfer {
    const struct fetch_pool *pool;
    struct fetch *fetch;
};

static size_t take_answer(char *bytes, size_t one, size_t count, void *context)
{
    struct fetch *f = context;
    size_t len = one * count;
    if (len > f->max_bytes - f->body.len)
        return 0;
    mgi_buf_append(&f->body, bytes, len);
    return f->body.oom ? 0 : len;
}

static size_t take_header(char *bytes, size_t one, size_t count, void *context)
{
    static const char name[] = "cache-control:", age[] = "max-age=";
    struct fetch *f = context;
    size_t len = one * count;
    if (len > sizeof name && strncasecmp(bytes, name, sizeof name - 1) == 0) {
        struct str value = { bytes + sizeof name - 1, len - sizeof name + 1 };
        size_t at = mgi_str_find(value, str_of(age));
        char digits[12] = "";
        if (at != SIZE_MAX) {
            struct str rest = { value.ptr + at + sizeof age - 1, value.len - at - sizeof age + 1 };
            memcpy(digits, rest.ptr, rest.len < 10 ? rest.len : 10);
            f->max_age_s = strtol(digits, NULL, 10);
        }
    }
    return len;
}

/* Asked at least once a second. */
static int wants_end(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    (void)a, (void)b, (void)c, (void)d;
    const struct transfer *t = context;
    return atomic_load(&t->pool->ending);
}

static void set_options(const struct curl_late *api, CURL *c, struct transfer *t, int64_t left_ms)
{
    struct fetch *f = t->fetch;
    api->easy_setopt(c, CURLOPT_URL, f->url);
    api->easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
    api->easy_setopt(c, CURLOPT_PROXY, ""); /* nor one that the environment names */
    api->easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
    api->easy_setopt(c, CURLOPT_QUICK_EXIT, 1L); /* no end waits for a resolver that hangs */
    api->easy_setopt(c, CURLOPT_TIMEOUT_MS, (long)left_ms);
    api->easy_setopt(c, CURLOPT_WRITEFUNCTION, take_answer);
    api->easy_setopt(c, CURLOPT_WRITEDATA, f);
    api->easy_setopt(c, CURLOPT_HEADERFUNCTION, take_header);
    api->easy_setopt(c, CURLOPT_HEADERDATA, f);
    api->easy_setopt(c, CURLOPT_NOPROGRESS, 0L);
    api->easy_setopt(c, CURLOPT_XFERINFOFUNCTION, wants_end);
    api->easy_setopt(c, CURLOPT_XFERINFODATA, t);
    if (f->ca_file)
        api->easy_setopt(c, CURLOPT_CAINFO, f->ca_file);
    if (f->basic) {
        api->easy_setopt(c, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
        api->easy_setopt(c, CURLOPT_USERPWD, f->basic);
    }
    if (f->posts) {
        api->easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)f->form.len);
        api->easy_setopt(c, CURLOPT_POSTFIELDS, mgi_buf_view(&f->form).ptr);
    }
}

static void carry_out(struct fetch_pool *pool, struct fetch *f)
{
    const struct curl_late *api = &pool->api;
    struct transfer t = { pool, f };
    int64_t left_ms = (f->deadline_ns - mgi_clock_mono_ns()) / NS_PER_MS;
    CURL *c = left_ms > 0 ? api->easy_init() : NULL;
    long status = 0;
    if (left_ms <= 0 || !c) {
        snprintf(f->why, sizeof f->why, "%s", left_ms <= 0 ? "too many others wait" : "no memory");
        return;
    }
    set_options(api, c, &t, left_ms);
    CURLcode rc = api->easy_perform(c);
    api->easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status);
    if (rc == CURLE_OK)
        f->status = (int)status;
    else if (rc == CURLE_WRITE_ERROR)
        snprintf(f->why, sizeof f->why, "the answer is too large");
    else
        snprintf(f->why, sizeof f->why, "%s", api->easy_strerror(rc));
    api->easy_cleanup(c);
}

static void append(struct fetch ***end, struct fetch *f)
{
    f->next = NULL;
    **end = f;
    *end = &f->next;
}

static struct fetch *take_first(struct fetch **list, struct fetch ***end)
{
    struct fetch *f = *list;
    if (f && !(*list = f->next))
        *end = list;
    return f;
}

static void *fetch_on_thread(void *context)
{
    struct fetch_pool *pool = context;
    pthread_mutex_lock(&pool->lock);
    while (!atomic_load(&pool->ending)) {
        struct fetch *f = take_first(&pool->waiting, &pool->waiting_end);
        if (!f) {
            pool->idle++;
            pthread_cond_wait(&pool->wanted, &pool->lock);
            pool->idle--;
            continue;
        }
        pthread_mutex_unlock(&pool->lock);
        carry_out(pool, f);
        pthread_mutex_lock(&pool->lock);
        append(&pool->over_end, f);
        (void)uv_async_send(&pool->news);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* ---- the loop's side ------------------------------------------------------------------------- */

static void free_fetch(struct fetch *f)
{
    if (f->basic)
        explicit_bzero(f->basic, strlen(f->basic));
    mgi_buf_wipe(&f->form); /* it may hold a token */
    mgi_buf_fini(&f->body);
    mgi_free(f->url);
    mgi_free(f->ca_file);
    mgi_free(f->basic);
    mgi_free(f);
}

static void tell(uv_async_t *async)
{
    struct fetch_pool *pool = async->data;
    pthread_mutex_lock(&pool->lock);
    struct fetch *f = pool->over;
    pool->over = NULL;
    pool->over_end = &pool->over;
    pthread_mutex_unlock(&pool->lock);
    for (struct fetch *next; f; f = next) {
        const struct fetch_answer answer = { f->status, mgi_buf_view(&f->body), f->max_age_s,
                                             f->why };
        next = f->next;
        if (--pool->under_way == 0)
            uv_unref((uv_handle_t *)&pool->news);
        if (f->told)
            f->told(f->context, &answer);
        free_fetch(f);
    }
}

static char *copy_text(const char *text, bool *ok)
{
    size_t len = text ? strlen(text) : 0;
    char *copy = text && *ok ? mgi_alloc(len + 1) : NULL;
    if (copy)
        memcpy(copy, text, len + 1);
    *ok = *ok && (copy || !text);
    return copy;
}

static struct fetch *make_fetch(const struct fetch_order *order)
{
    struct fetch *f = mgi_calloc(1, sizeof *f);
    bool ok = true;
    if (!f)
        return NULL;
    f->url = copy_text(order->url, &ok);
    f->ca_file = copy_text(order->ca_file, &ok);
    f->basic = copy_text(order->basic, &ok);
    f->posts = order->form.ptr != NULL;
    mgi_buf_str(&f->form, order->form);
    f->max_bytes = order->max_bytes;
    f->max_age_s = -1;
    f->deadline_ns = mgi_clock_mono_ns() + order->timeout_ms * NS_PER_MS;
    if (ok && !f->form.oom)
        return f;
    free_fetch(f);
    return NULL;
}

/* One more, if none is idle and there may be more. False: there is none at all. */
static bool have_thread(struct fetch_pool *pool)
{
    struct buf why = { 0 };
    if (!pool->has_api)
        pool->has_api = mgi_curl_late_open(&pool->api, &why);
    mgi_buf_fini(&why);
    if (!pool->has_api)
        return false;
    pthread_mutex_lock(&pool->lock);
    bool wanted = pool->idle == 0 && pool->thread_count < FETCH_THREADS;
    pthread_mutex_unlock(&pool->lock);
    if (wanted &&
        pthread_create(&pool->threads[pool->thread_count], NULL, fetch_on_thread, pool) == 0)
        pool->thread_count++;
    return pool->thread_count > 0;
}

static struct fetch *begin_fetch(void *self, const struct fetch_order *order,
                                 void (*told)(void *, const struct fetch_answer *), void *context)
{
    struct fetch_pool *pool = self;
    struct fetch *f = pool->under_way < FETCH_MOST && have_thread(pool) ? make_fetch(order) : NULL;
    if (!f)
        return NULL;
    f->told = told;
    f->context = context;
    if (pool->under_way++ == 0)
        uv_ref((uv_handle_t *)&pool->news);
    pthread_mutex_lock(&pool->lock);
    append(&pool->waiting_end, f);
    pthread_cond_signal(&pool->wanted);
    pthread_mutex_unlock(&pool->lock);
    return f;
}

/* False: it does not wait any more. */
static bool unlink_waiting(struct fetch_pool *pool, struct fetch *f)
{
    pthread_mutex_lock(&pool->lock);
    struct fetch **link = &pool->waiting;
    while (*link && *link != f)
        link = &(*link)->next;
    bool found = *link != NULL;
    if (found && !(*link = f->next))
        pool->waiting_end = link;
    pthread_mutex_unlock(&pool->lock);
    return found;
}

static void forget_fetch(void *self, struct fetch *f)
{
    struct fetch_pool *pool = self;
    f->told = NULL;
    if (!unlink_waiting(pool, f))
        return;
    if (--pool->under_way == 0)
        uv_unref((uv_handle_t *)&pool->news);
    free_fetch(f);
}

struct fetcher mgi_fetch_pool_fetcher(struct fetch_pool *pool)
{
    return (struct fetcher){ begin_fetch, forget_fetch, pool };
}

/* ---- beginning and end ----------------------------------------------------------------------- */

struct fetch_pool *mgi_fetch_pool_new(uv_loop_t *loop)
{
    struct fetch_pool *pool = mgi_calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pool->waiting_end = &pool->waiting;
    pool->over_end = &pool->over;
    pool->news.data = pool;
    if (pthread_mutex_init(&pool->lock, NULL) != 0 || pthread_cond_init(&pool->wanted, NULL) != 0 ||
        uv_async_init(loop, &pool->news, tell) != 0) {
        mgi_free(pool);
        return NULL;
    }
    uv_unref((uv_handle_t *)&pool->news); /* until something is under way */
    return pool;
}

static void free_list(struct fetch *f)
{
    for (struct fetch *next; f; f = next) {
        next = f->next;
        free_fetch(f);
    }
}

static void pool_closed(uv_handle_t *handle)
{
    struct fetch_pool *pool = handle->data;
    pthread_cond_destroy(&pool->wanted);
    pthread_mutex_destroy(&pool->lock);
    mgi_free(pool);
}

void mgi_fetch_pool_free(struct fetch_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->ending, true);
    pthread_cond_broadcast(&pool->wanted);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->thread_count; i++)
        pthread_join(pool->threads[i], NULL);
    free_list(pool->waiting);
    free_list(pool->over);
    uv_close((uv_handle_t *)&pool->news, pool_closed);
}
