/* A host that stays between questions, for an action that is slow to begin with (a model has to be
 * read). It is started by the first question, and again where it has ended. Who finds it busy with
 * others waits, within the question's own patience; who finds it late is told so at once, so that
 * what hangs costs one wait and not one for each question. */
#include <pthread.h>
#include <time.h>
#include <uv.h>

#include "actions/ask_int.h"
#include "actions/toolpool.h"
#include "base/alloc.h"
#include "base/time.h"

#define SLICE_MS 20 /* between looks whether anybody still waits */

struct kept_host {
    pthread_mutex_t lock; /* of `busy` */
    pthread_cond_t idle;
    bool busy;
    struct asked_host *host;     /* of whoever made it busy; NULL: none yet */
    struct farewells *farewells; /* NULL: who frees waits */
};

/* ---- the end -------------------------------------------------------------------------------- */

/* A thread that ends one host. */
struct farewell {
    struct farewells *all;
    struct farewell *next;
    pthread_t thread;
    struct asked_host *host;
    bool done; /* under the lock of all */
};

struct farewells {
    pthread_mutex_t lock;
    struct farewell *first;
};

struct farewells *mgi_farewells_new(void)
{
    struct farewells *f = mgi_calloc(1, sizeof *f);
    if (f)
        pthread_mutex_init(&f->lock, NULL);
    return f;
}

/* Joins those that are done, or all. */
static void join_farewells(struct farewells *f, bool all)
{
    struct farewell *joined = NULL, *next;
    pthread_mutex_lock(&f->lock);
    for (struct farewell **at = &f->first; *at;) {
        struct farewell *one = *at;
        if (!all && !one->done) {
            at = &one->next;
            continue;
        }
        *at = one->next;
        one->next = joined;
        joined = one;
    }
    pthread_mutex_unlock(&f->lock);
    for (; joined; joined = next) {
        next = joined->next;
        pthread_join(joined->thread, NULL);
        mgi_free(joined);
    }
}

void mgi_farewells_free(struct farewells *f)
{
    if (!f)
        return;
    join_farewells(f, true);
    pthread_mutex_destroy(&f->lock);
    mgi_free(f);
}

static void *end_kept(void *context)
{
    struct farewell *one = context;
    mgi_asking_end(one->host);
    pthread_mutex_lock(&one->all->lock);
    one->done = true;
    pthread_mutex_unlock(&one->all->lock);
    return NULL;
}

/* False: nobody will do it. */
static bool say_farewell(struct farewells *f, struct asked_host *host)
{
    struct farewell *one = mgi_calloc(1, sizeof *one);
    if (!one)
        return false;
    join_farewells(f, false);
    *one = (struct farewell){ .all = f, .host = host };
    pthread_mutex_lock(&f->lock);
    bool begun = pthread_create(&one->thread, NULL, end_kept, one) == 0;
    if (begun) {
        one->next = f->first;
        f->first = one;
    }
    pthread_mutex_unlock(&f->lock);
    if (!begun)
        mgi_free(one);
    return begun;
}

struct kept_host *mgi_kept_new(const struct action_source *source)
{
    struct kept_host *k = mgi_calloc(1, sizeof *k);
    pthread_condattr_t monotonic;
    if (!k)
        return NULL;
    k->farewells = source->farewells;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&k->lock, NULL);
    pthread_cond_init(&k->idle, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return k;
}

/* Whoever frees may be a loop, which waits for nobody: the end of the process is a thread's then.
 * It is joined before the program ends, or it would run while what it uses is taken down. */
void mgi_kept_free(struct kept_host *k)
{
    if (!k)
        return;
    if (!k->host || !k->farewells || !say_farewell(k->farewells, k->host))
        mgi_asking_end(k->host);
    pthread_cond_destroy(&k->idle);
    pthread_mutex_destroy(&k->lock);
    mgi_free(k);
}

/* ---- asking --------------------------------------------------------------------------------- */

static bool is_over(const struct action_question *q)
{
    return q->is_over && q->is_over(q->context);
}

/* False: its patience is over. */
static bool take_host(struct kept_host *k, const struct action_question *q, uint64_t until_ns)
{
    pthread_mutex_lock(&k->lock);
    while (k->busy && uv_hrtime() < until_ns && !is_over(q)) {
        uint64_t at = uv_hrtime() + SLICE_MS * NS_PER_MS;
        struct timespec slice = { (time_t)(at / NS_PER_SEC), (long)(at % NS_PER_SEC) };
        pthread_cond_timedwait(&k->idle, &k->lock, &slice);
    }
    bool taken = !k->busy;
    k->busy = true;
    pthread_mutex_unlock(&k->lock);
    return taken;
}

static void give_host_back(struct kept_host *k)
{
    pthread_mutex_lock(&k->lock);
    k->busy = false;
    pthread_cond_signal(&k->idle);
    pthread_mutex_unlock(&k->lock);
}

static bool ask_kept(struct kept_host *k, const char *toolhost,
                     const struct action_question *question, struct arena *arena,
                     struct json *outputs, const char **why)
{
    struct action_question q = *question;
    uint64_t until_ns = uv_hrtime() + (uint64_t)q.timeout_ms * NS_PER_MS;
    *why = mgi_arena_printf(arena, "%.*s was asked by others for all of %lld ms",
                            STR_ARG(q.action->aid), (long long)q.timeout_ms);
    if (!take_host(k, &q, until_ns))
        return false;
    uint64_t now_ns = uv_hrtime();
    q.timeout_ms = now_ns < until_ns ? (int64_t)((until_ns - now_ns) / NS_PER_MS) + 1 : 1;
    *why = "out of memory";
    if (!k->host)
        k->host = mgi_asking_new();
    bool good = k->host && mgi_asking_ask(k->host, toolhost, true, &q, arena, outputs, why);
    give_host_back(k);
    return good;
}

bool mgi_toolhost_ask(const char *toolhost, const struct action_question *question,
                      struct arena *arena, struct json *outputs, const char **why)
{
    if (question->kept)
        return ask_kept(question->kept, toolhost, question, arena, outputs, why);
    struct asked_host *h = mgi_asking_new();
    *why = "out of memory";
    bool good = h && mgi_asking_ask(h, toolhost, false, question, arena, outputs, why);
    mgi_asking_end(h);
    return good;
}
