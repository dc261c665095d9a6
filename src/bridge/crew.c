/* One lock for everything that threads share: the queue, the news, and what a job says of itself.
 * News are jobs that have something to tell; the loop takes all of them at once. */
#include "bridge/crew.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/time.h"

struct crew_client {
    manglecp_client *client;     /* NULL: a free place */
    const struct principal *who; /* a reference */
};

struct worker {
    struct crew *crew;
    pthread_t thread;
    struct crew_client clients[CREW_CLIENTS]; /* who was there last stands first */
    struct crew_job *job;                     /* that it runs; under the lock */
};

struct crew {
    struct crew_options options;
    pthread_mutex_t lock;
    pthread_cond_t work, answered;
    uv_async_t *wake;               /* freed when the loop has closed it */
    struct crew_job *first, **last; /* that wait */
    size_t waiting;
    struct crew_job *news, **last_news;
    unsigned asking; /* questions that are open */
    bool ending;
    unsigned count;
    struct worker workers[CREW_THREADS];
};

/* ---- from threads to the loop -------------------------------------------------------------- */

/* The lock is held. */
static void tell(struct crew *c, struct crew_job *job)
{
    if (!job->in_news) {
        job->in_news = true;
        job->next_news = NULL;
        *c->last_news = job;
        c->last_news = &job->next_news;
    }
    (void)uv_async_send(c->wake);
}

static void on_progress(void *context, const char *status, const char *detail, double percent)
{
    struct worker *w = context;
    pthread_mutex_lock(&w->crew->lock);
    struct crew_job *job = w->job;
    if (job && job->progress) {
        snprintf(job->text, sizeof job->text, "%s%s%s", status, detail[0] ? " " : "", detail);
        job->percent = percent;
        job->has_progress = true;
        tell(w->crew, job);
    }
    pthread_mutex_unlock(&w->crew->lock);
}

static bool on_abandon(void *context)
{
    struct worker *w = context;
    return atomic_load(&w->job->cancelled); /* its own job: nobody else changes that */
}

static struct timespec question_ends(const struct crew *c)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    int64_t ns = until.tv_nsec + c->options.question_ms % 1000 * NS_PER_MS;
    until.tv_sec += c->options.question_ms / 1000 + ns / NS_PER_SEC;
    until.tv_nsec = ns % NS_PER_SEC;
    return until;
}

/* The lock is held. */
static void wait_for_answer(struct crew *c, struct crew_job *job)
{
    struct timespec until = question_ends(c);
    c->asking++;
    job->asks = true;
    tell(c, job);
    while (job->answer == CREW_NOT_ASKED && !atomic_load(&job->cancelled) && !c->ending)
        if (pthread_cond_timedwait(&c->answered, &c->lock, &until))
            break;
    if (job->answer == CREW_NOT_ASKED)
        job->answer = CREW_UNANSWERED;
    job->asks = false;
    c->asking--;
}

static bool on_consent(void *context, const struct manglecp_consent *what)
{
    struct worker *w = context;
    struct crew *c = w->crew;
    struct crew_job *job = w->job;
    mgi_buf_clear(&job->question);
    c->options.compose(&job->question, what);
    job->within = what->question != NULL;
    pthread_mutex_lock(&c->lock);
    job->answer = job->ask ? CREW_CROWDED : CREW_NOBODY;
    if (job->ask && !job->question.oom && c->asking + 1 < c->count + (c->count == 1)) {
        job->answer = CREW_NOT_ASKED;
        wait_for_answer(c, job);
    }
    bool agreed = job->answer == CREW_AGREED;
    pthread_mutex_unlock(&c->lock);
    return agreed;
}

/* ---- a worker ------------------------------------------------------------------------------ */

static bool is_for(const struct crew_client *c, const struct principal *who)
{
    return c->client && (who && c->who ? mgi_principal_is(c->who, who) : who == c->who);
}

static void let_client_go(struct crew_client *c)
{
    manglecp_close(c->client);
    mgi_principal_unref(c->who);
    *c = (struct crew_client){ NULL, NULL };
}

static void make_client(struct worker *w, struct crew_client *c, const struct principal *who,
                        struct buf *why)
{
    struct manglecp_options o = {
        .progress = on_progress, .consent = on_consent, .abandon = on_abandon, .context = w
    };
    let_client_go(c);
    c->client = w->crew->options.connect(w->crew->options.context, who, &o, why);
    if (c->client)
        c->who = mgi_principal_ref(who);
}

/* Of `who`; else one that is free, else the last. */
static size_t find_place(const struct worker *w, const struct principal *who)
{
    size_t found = CREW_CLIENTS - 1;
    for (size_t i = CREW_CLIENTS; i-- > 0;) {
        if (is_for(&w->clients[i], who))
            return i;
        if (!w->clients[i].client)
            found = i;
    }
    return found;
}

/* NULL: `why`. */
static manglecp_client *have_client(struct worker *w, const struct principal *who, struct buf *why)
{
    size_t i = find_place(w, who);
    struct crew_client c = w->clients[i];
    if (!is_for(&c, who))
        make_client(w, &c, who, why);
    memmove(&w->clients[1], &w->clients[0], i * sizeof c);
    w->clients[0] = c;
    return c.client;
}

static void run_job(struct worker *w, struct crew_job *job)
{
    struct buf why = { 0 };
    manglecp_client *client = atomic_load(&job->cancelled) ? NULL : have_client(w, job->who, &why);
    job->run(job, client, why.ptr ? why.ptr : "");
    mgi_buf_fini(&why);
}

static void *work(void *context)
{
    struct worker *w = context;
    struct crew *c = w->crew;
    pthread_mutex_lock(&c->lock);
    while (!c->ending) {
        struct crew_job *job = c->first;
        if (!job) {
            pthread_cond_wait(&c->work, &c->lock);
            continue;
        }
        c->first = job->next;
        if (!c->first)
            c->last = &c->first;
        c->waiting--;
        w->job = job;
        pthread_mutex_unlock(&c->lock);
        run_job(w, job);
        pthread_mutex_lock(&c->lock);
        w->job = NULL;
        job->finished = true;
        tell(c, job);
    }
    pthread_mutex_unlock(&c->lock);
    for (size_t i = 0; i < CREW_CLIENTS; i++)
        let_client_go(&w->clients[i]);
    return NULL;
}

/* ---- the loop's side ----------------------------------------------------------------------- */

struct told { /* what a job has to say, taken out under the lock */
    bool progress, asks, finished;
    double percent;
    char text[CREW_TEXT + 1];
};

static struct crew_job *next_news(struct crew *c, struct told *told)
{
    pthread_mutex_lock(&c->lock);
    struct crew_job *job = c->news;
    if (job) {
        c->news = job->next_news;
        if (!c->news)
            c->last_news = &c->news;
        job->in_news = false;
        *told = (struct told){ .progress = job->has_progress,
                               .asks = job->asks && job->answer == CREW_NOT_ASKED,
                               .finished = job->finished,
                               .percent = job->percent };
        memcpy(told->text, job->text, sizeof told->text);
        job->has_progress = false;
    }
    pthread_mutex_unlock(&c->lock);
    return job;
}

/* Who asks is blocked until it is answered, so the question may be read. */
static void on_wake(uv_async_t *wake)
{
    struct crew *c = wake->data;
    struct crew_job *job;
    struct told told;
    while (c && (job = next_news(c, &told)) != NULL) {
        if (told.progress)
            job->progress(job, told.percent, told.text);
        if (told.asks)
            job->ask(job, job->question.ptr ? job->question.ptr : "");
        if (told.finished)
            job->done(job);
        c = wake->data;
    }
}

bool mgi_crew_hand(struct crew *c, struct crew_job *job)
{
    pthread_mutex_lock(&c->lock);
    bool room = c->waiting < CREW_MAX_WAITING;
    if (room) {
        job->next = NULL;
        *c->last = job;
        c->last = &job->next;
        c->waiting++;
        pthread_cond_signal(&c->work);
    }
    pthread_mutex_unlock(&c->lock);
    return room;
}

void mgi_crew_cancel(struct crew *c, struct crew_job *job)
{
    pthread_mutex_lock(&c->lock);
    atomic_store(&job->cancelled, true);
    pthread_cond_broadcast(&c->answered);
    pthread_mutex_unlock(&c->lock);
}

void mgi_crew_answer(struct crew *c, struct crew_job *job, enum crew_answer answer)
{
    pthread_mutex_lock(&c->lock);
    if (job->asks && job->answer == CREW_NOT_ASKED)
        job->answer = answer;
    pthread_cond_broadcast(&c->answered);
    pthread_mutex_unlock(&c->lock);
}

/* ---- beginning and end --------------------------------------------------------------------- */

static void init_locks(struct crew *c)
{
    pthread_condattr_t by_monotonic;
    pthread_condattr_init(&by_monotonic);
    pthread_condattr_setclock(&by_monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->work, NULL);
    pthread_cond_init(&c->answered, &by_monotonic);
    pthread_condattr_destroy(&by_monotonic);
}

/* With the program's signal mask: a server that a worker starts has it from here. */
static void start_threads(struct crew *c, unsigned wanted)
{
    for (; c->count < wanted; c->count++) {
        struct worker *w = &c->workers[c->count];
        w->crew = c;
        if (pthread_create(&w->thread, NULL, work, w) != 0)
            break;
    }
}

static void free_wake(uv_handle_t *handle)
{
    mgi_free(handle);
}

static void give_back(struct crew *c)
{
    c->wake->data = NULL;
    uv_close((uv_handle_t *)c->wake, free_wake);
    pthread_cond_destroy(&c->work);
    pthread_cond_destroy(&c->answered);
    pthread_mutex_destroy(&c->lock);
    mgi_free(c);
}

struct crew *mgi_crew_new(const struct crew_options *options)
{
    struct crew *c = mgi_calloc(1, sizeof *c);
    uv_async_t *wake = c ? mgi_calloc(1, sizeof *wake) : NULL;
    if (!wake || uv_async_init(options->loop, wake, on_wake) != 0) {
        mgi_free(wake);
        mgi_free(c);
        return NULL;
    }
    wake->data = c;
    c->wake = wake;
    c->options = *options;
    if (!c->options.question_ms)
        c->options.question_ms = CREW_QUESTION_MS;
    c->last = &c->first;
    c->last_news = &c->news;
    init_locks(c);
    start_threads(c, options->threads ? options->threads : CREW_THREADS);
    if (c->count > 0)
        return c;
    give_back(c);
    return NULL;
}

static void end_all(struct crew *c)
{
    pthread_mutex_lock(&c->lock);
    c->ending = true;
    for (unsigned i = 0; i < c->count; i++)
        if (c->workers[i].job)
            atomic_store(&c->workers[i].job->cancelled, true);
    pthread_cond_broadcast(&c->work);
    pthread_cond_broadcast(&c->answered);
    pthread_mutex_unlock(&c->lock);
    for (unsigned i = 0; i < c->count; i++)
        pthread_join(c->workers[i].thread, NULL);
}

void mgi_crew_free(struct crew *c)
{
    struct crew_job *job;
    struct told told;
    if (!c)
        return;
    end_all(c);
    while ((job = next_news(c, &told)) != NULL)
        if (job->finished)
            job->drop(job);
    while ((job = c->first) != NULL) {
        c->first = job->next;
        job->drop(job);
    }
    give_back(c);
}
