/* A thread that has nothing to do looks for work some microseconds before it sleeps, and whoever
 * waits for the others does the same: pieces of work follow each other closely, and to be woken
 * takes longer than what lies between them. */
#include "sys/workers.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/alloc.h"

struct workers {
    pthread_mutex_t lock;
    pthread_cond_t work, idle; /* there is some; nobody does any more */
    pthread_t *threads;
    uint32_t wanted, count; /* threads beside the caller's; 0 are there before the first work */
    bool ends;
    atomic_uint turn;  /* goes up with each piece of work, and at the end */
    atomic_bool quiet; /* the work is done */
    void (*task)(void *argument, uint32_t number);
    void *argument;
    uint32_t next, end; /* numbers that nobody has begun */
    uint32_t busy;      /* threads with a task */
};

#define LOOKS 4000 /* about fifty microseconds */

static void pause_a_moment(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

/* With the lock held: tasks until nobody has to begin one. */
static void do_some(struct workers *w)
{
    while (w->next < w->end) {
        uint32_t number = w->next++;
        w->busy++;
        pthread_mutex_unlock(&w->lock);
        w->task(w->argument, number);
        pthread_mutex_lock(&w->lock);
        if (--w->busy == 0 && w->next >= w->end) {
            atomic_store(&w->quiet, true);
            pthread_cond_signal(&w->idle);
        }
    }
}

/* With the lock held, as after it. */
static void await_turn(struct workers *w)
{
    unsigned seen = atomic_load(&w->turn);
    pthread_mutex_unlock(&w->lock);
    for (int i = 0; i < LOOKS && atomic_load(&w->turn) == seen; i++)
        pause_a_moment();
    pthread_mutex_lock(&w->lock);
    while (atomic_load(&w->turn) == seen)
        pthread_cond_wait(&w->work, &w->lock);
}

static void *work_on(void *context)
{
    struct workers *w = context;
    pthread_mutex_lock(&w->lock);
    while (!w->ends) {
        do_some(w);
        await_turn(w);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

struct workers *mgi_workers_new(uint32_t count)
{
    struct workers *w = mgi_calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->wanted = count > 1 ? count - 1 : 0;
    w->threads = mgi_calloc((size_t)w->wanted + 1, sizeof *w->threads);
    if (!w->threads) {
        mgi_free(w);
        return NULL;
    }
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->work, NULL);
    pthread_cond_init(&w->idle, NULL);
    return w;
}

/* They leave signals to the threads of the program. */
static void start_threads(struct workers *w)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (w->count < w->wanted && pthread_create(&w->threads[w->count], NULL, work_on, w) == 0)
        w->count++;
    w->wanted = w->count;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void await_quiet(struct workers *w)
{
    pthread_mutex_unlock(&w->lock);
    for (int i = 0; i < LOOKS && !atomic_load(&w->quiet); i++)
        pause_a_moment();
    pthread_mutex_lock(&w->lock);
}

void mgi_workers_run(void *workers, void (*task)(void *argument, uint32_t number), void *argument,
                     uint32_t count)
{
    struct workers *w = workers;
    if (w->count < w->wanted && count > 1)
        start_threads(w);
    pthread_mutex_lock(&w->lock);
    w->task = task;
    w->argument = argument;
    w->next = 0;
    w->end = count;
    atomic_store(&w->quiet, false);
    atomic_fetch_add(&w->turn, 1);
    pthread_cond_broadcast(&w->work);
    do_some(w);
    if (w->busy > 0)
        await_quiet(w);
    while (w->busy > 0)
        pthread_cond_wait(&w->idle, &w->lock);
    pthread_mutex_unlock(&w->lock);
}

void mgi_workers_free(struct workers *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->ends = true;
    atomic_fetch_add(&w->turn, 1);
    pthread_cond_broadcast(&w->work);
    pthread_mutex_unlock(&w->lock);
    for (uint32_t i = 0; i < w->count; i++)
        pthread_join(w->threads[i], NULL);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->work);
    pthread_cond_destroy(&w->idle);
    mgi_free(w->threads);
    mgi_free(w);
}
