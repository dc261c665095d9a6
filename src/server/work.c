/* Threads, two queues, and what is known of how long things take; see work.h.
 *
 * Own threads rather than the loop's pool: that one is shared with files and name resolution, has
 * one queue for everything, and ends the process where a thread cannot be started.
 *
 * Invariants, under the lock:
 *   1. running[lane] is the number of threads whose task is in that lane; at most limit[lane].
 *   2. a queue is sorted by turn; tasks of equal turn stand in the order in which they came.
 *   3. there are limit[QUICK] + limit[SLOW] threads, so a place in a lane is a free thread. */
#include "server/work.h"

#include <assert.h>
#include <pthread.h>
#include <time.h>

#include "base/alloc.h"

#define LANES      2
#define KINDS      512 /* what is remembered; a power of two */
#define LOOK_MS    5   /* between two looks at who has become slow, while somebody waits */
#define OWNS_SHARE 4   /* one owner's share of a queue is a quarter of it */
#define WALL_SHARE 10  /* a task that waits costs a tenth of its time */

/* Stacks are mapped, not used: what evaluates and validates is bounded in depth. */
#define STACK_BYTES ((size_t)2 * 1024 * 1024)

struct lane {
    struct task *first;
    uint32_t limit, waiting, running;
    uint64_t turn; /* of the task that began last */
    uint64_t jobs, waited_ns, ran_ns, refused;
};

struct worker {
    struct work *work;
    uv_thread_t thread;
    clockid_t cpu; /* of the thread, if has_cpu */
    bool has_cpu;
    struct task *task;    /* running */
    int64_t cpu_since_ns; /* what the clock said when it began */
    void *local;
    uint64_t generation;
};

struct kind { /* loop's thread only */
    uint64_t kind;
    int64_t usual_ns; /* of a task's cost */
};

struct work {
    struct work_options options;
    uint32_t share; /* of one owner in a queue */
    uv_mutex_t lock;
    uv_cond_t wanted; /* a task has become ready to run, or it is over */
    struct lane lanes[LANES];
    struct task *over_first, *over_last; /* have run; `done` is due */
    struct worker *workers;
    uint32_t worker_count, idle;
    uint64_t generation; /* mgi_work_refresh() */
    bool ending;
    uv_async_t news; /* over_first is not NULL */
    uv_timer_t look;
    bool looking;
    unsigned handles; /* not closed yet */
    uint32_t out;     /* tasks handed over and not back: they keep the loop running */
    struct kind kinds[KINDS];
};

static int64_t now_ns(void)
{
    return (int64_t)uv_hrtime();
}

/* Processor time of a thread; 0 where its clock cannot be had. */
static int64_t cpu_ns(const struct worker *worker)
{
    struct timespec t;
    if (!worker->has_cpu || clock_gettime(worker->cpu, &t) != 0)
        return 0;
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* What a task is judged by. Its time on the clock alone says how busy the machine was; its
 * processor time alone would call quick what waits for others. */
static int64_t cost_ns(int64_t used_ns, int64_t ran_ns)
{
    return used_ns > ran_ns / WALL_SHARE ? used_ns : ran_ns / WALL_SHARE;
}

/* ---- queues (under the lock) --------------------------------------------------------------- */

static bool has_place(const struct lane *lane)
{
    return lane->first && lane->running < lane->limit;
}

/* False: the queue, or its owner's share of it, is full. */
static bool enqueue(struct work *w, struct task *t)
{
    struct lane *lane = &w->lanes[t->lane];
    uint32_t own = 0;
    for (const struct task *other = lane->first; other; other = other->next)
        own += other->owner == t->owner;
    if (!t->promised && (lane->waiting >= w->options.max_waiting || own >= w->share))
        return false;
    t->turn = lane->turn + own;
    struct task **link = &lane->first;
    while (*link && (*link)->turn <= t->turn)
        link = &(*link)->next;
    t->next = *link;
    *link = t;
    t->waiting = true;
    lane->waiting++;
    return true;
}

static void dequeue(struct work *w, struct task **link)
{
    struct task *t = *link;
    *link = t->next;
    t->next = NULL;
    t->waiting = false;
    w->lanes[t->lane].waiting--;
}

static struct task **find_waiting(struct work *w, const struct task *t)
{
    struct task **link = &w->lanes[t->lane].first;
    while (*link && *link != t)
        link = &(*link)->next;
    return *link ? link : NULL;
}

static struct task *next_task(struct work *w)
{
    for (int i = 0; i < LANES; i++) {
        struct lane *lane = &w->lanes[i];
        struct task *t = lane->first;
        if (!has_place(lane))
            continue;
        lane->turn = t->turn;
        dequeue(w, &lane->first);
        lane->running++;
        lane->jobs++;
        return t;
    }
    return NULL;
}

/* Is there something to run, and somebody asleep? Who says so wakes one when the lock is free
 * again: to be woken only to wait for the lock costs as much as the rest of a hand-over. */
static bool should_wake(const struct work *w)
{
    return w->idle > 0 && (has_place(&w->lanes[TASK_QUICK]) || has_place(&w->lanes[TASK_SLOW]));
}

/* ---- a thread ------------------------------------------------------------------------------ */

static void forget_local(struct worker *me)
{
    if (me->local)
        me->work->options.forget(me->local);
    me->local = NULL;
}

static void run_task(struct worker *me, struct task *t)
{
    struct work *w = me->work;
    int64_t began = now_ns();
    t->waited_ns = began - t->since_ns;
    t->since_ns = began;
    me->cpu_since_ns = cpu_ns(me);
    me->task = t;
    uv_mutex_unlock(&w->lock);
    t->local = &me->local;
    t->run(t);
    uv_mutex_lock(&w->lock);
    me->task = NULL;
    t->ran_ns = now_ns() - began;
    t->cost_ns = cost_ns(cpu_ns(me) - me->cpu_since_ns, t->ran_ns);
    struct lane *lane = &w->lanes[t->lane];
    lane->running--;
    lane->waited_ns += (uint64_t)t->waited_ns;
    lane->ran_ns += (uint64_t)t->ran_ns;
    bool first = w->over_first == NULL;
    if (first)
        w->over_first = t;
    else
        w->over_last->next = t;
    w->over_last = t;
    uv_mutex_unlock(&w->lock);
    if (first)
        uv_async_send(&w->news);
    uv_mutex_lock(&w->lock);
}

static void work_on(void *argument)
{
    struct worker *me = argument;
    struct work *w = me->work;
    me->has_cpu = pthread_getcpuclockid(pthread_self(), &me->cpu) == 0;
    uv_mutex_lock(&w->lock);
    for (;;) {
        if (me->generation != w->generation) {
            me->generation = w->generation;
            uv_mutex_unlock(&w->lock);
            forget_local(me);
            uv_mutex_lock(&w->lock);
            continue; /* something may have come meanwhile */
        }
        struct task *t = next_task(w);
        if (t) {
            run_task(me, t);
        } else if (w->ending) {
            break;
        } else {
            w->idle++;
            uv_cond_wait(&w->wanted, &w->lock);
            w->idle--;
        }
    }
    uv_mutex_unlock(&w->lock);
    forget_local(me);
}

/* ---- how long things take (loop's thread) --------------------------------------------------- */

static struct kind *kind_of(struct work *w, uint64_t kind)
{
    struct kind *k = &w->kinds[(kind ^ kind >> 32) & (KINDS - 1)];
    if (k->kind != kind)
        *k = (struct kind){ .kind = kind };
    return k;
}

static bool is_slow(struct work *w, uint64_t kind)
{
    return kind != 0 && kind_of(w, kind)->usual_ns > WORK_QUICK_NS;
}

/* A kind is slow as soon as one of it was, and quick again after a few that were. */
static void learn(struct work *w, const struct task *t)
{
    if (t->kind == 0)
        return;
    struct kind *k = kind_of(w, t->kind);
    k->usual_ns = t->cost_ns > k->usual_ns ? t->cost_ns : (k->usual_ns + t->cost_ns) / 2;
}

/* What waits in the quick lane and is of a kind that turned out to be slow changes queues, unless
 * there is no room in the other. */
static void move_slow_ones(struct work *w)
{
    struct task **link = &w->lanes[TASK_QUICK].first;
    while (*link) {
        struct task *t = *link;
        if (!is_slow(w, t->kind)) {
            link = &t->next;
            continue;
        }
        dequeue(w, link);
        t->lane = TASK_SLOW;
        if (!enqueue(w, t)) {
            t->lane = TASK_QUICK;
            t->next = *link;
            *link = t;
            t->waiting = true;
            w->lanes[TASK_QUICK].waiting++;
            link = &t->next;
        }
    }
}

/* Never without its kind: the next of it would take the place that became free, and keep it. */
static void promote(struct work *w, int64_t now)
{
    struct lane *quick = &w->lanes[TASK_QUICK], *slow = &w->lanes[TASK_SLOW];
    for (uint32_t i = 0; i < w->worker_count; i++) {
        const struct worker *worker = &w->workers[i];
        struct task *t = worker->task;
        if (!t || t->lane != TASK_QUICK ||
            cost_ns(cpu_ns(worker) - worker->cpu_since_ns, now - t->since_ns) <= WORK_QUICK_NS)
            continue;
        if (t->kind != 0)
            kind_of(w, t->kind)->usual_ns = 2 * WORK_QUICK_NS; /* more will be known at its end */
        if (slow->running >= slow->limit)
            continue;
        t->lane = TASK_SLOW;
        quick->running--;
        slow->running++;
    }
}

static void look(uv_timer_t *timer)
{
    struct work *w = timer->data;
    uv_mutex_lock(&w->lock);
    promote(w, now_ns());
    move_slow_ones(w);
    bool someone = should_wake(w);
    bool go_on = w->lanes[TASK_QUICK].waiting > 0;
    uv_mutex_unlock(&w->lock);
    if (someone)
        uv_cond_signal(&w->wanted);
    if (go_on)
        return;
    uv_timer_stop(timer);
    w->looking = false;
}

/* ---- the loop's side ----------------------------------------------------------------------- */

static void count_out(struct work *w, bool one_more)
{
    if (one_more && w->out++ == 0)
        uv_ref((uv_handle_t *)&w->news);
    else if (!one_more && --w->out == 0)
        uv_unref((uv_handle_t *)&w->news);
}

static bool hand(void *self, struct task *t)
{
    struct work *w = self;
    t->since_ns = now_ns();
    t->lane = is_slow(w, t->kind) ? TASK_SLOW : TASK_QUICK;
    t->next = NULL;
    uv_mutex_lock(&w->lock);
    struct lane *lane = &w->lanes[t->lane];
    bool taken = enqueue(w, t);
    lane->refused += !taken;
    bool someone = should_wake(w);
    /* Not "all places are taken": the threads may not have been woken yet. */
    bool waits = t->lane == TASK_QUICK && lane->running + lane->waiting > lane->limit;
    uv_mutex_unlock(&w->lock);
    if (someone)
        uv_cond_signal(&w->wanted);
    if (taken)
        count_out(w, true);
    if (taken && waits && !w->looking) {
        w->looking = true;
        uv_timer_start(&w->look, look, LOOK_MS, LOOK_MS);
    }
    return taken;
}

static bool take_back(void *self, struct task *t)
{
    struct work *w = self;
    uv_mutex_lock(&w->lock);
    struct task **link = t->waiting ? find_waiting(w, t) : NULL;
    if (link)
        dequeue(w, link);
    uv_mutex_unlock(&w->lock);
    if (link)
        count_out(w, false);
    return link != NULL;
}

static void deliver(uv_async_t *async)
{
    struct work *w = async->data;
    uv_mutex_lock(&w->lock);
    struct task *t = w->over_first;
    w->over_first = w->over_last = NULL;
    uv_mutex_unlock(&w->lock);
    for (struct task *next; t; t = next) {
        next = t->next;
        learn(w, t);
        count_out(w, false);
        t->done(t); /* may free what `t` is part of */
    }
}

struct task_runner mgi_work_runner(struct work *w)
{
    return (struct task_runner){ hand, take_back, w };
}

void mgi_work_refresh(struct work *w)
{
    uv_mutex_lock(&w->lock);
    w->generation++;
    uv_cond_broadcast(&w->wanted);
    uv_mutex_unlock(&w->lock);
}

static void write_metrics(const struct lane *lane, struct lane_metrics *out)
{
    *out = (struct lane_metrics){ .limit = lane->limit,
                                  .waiting = lane->waiting,
                                  .running = lane->running,
                                  .jobs = lane->jobs,
                                  .waited_ns = lane->waited_ns,
                                  .ran_ns = lane->ran_ns,
                                  .refused = lane->refused };
}

void mgi_work_metrics(struct work *w, struct lane_metrics *quick, struct lane_metrics *slow)
{
    uv_mutex_lock(&w->lock);
    write_metrics(&w->lanes[TASK_QUICK], quick);
    write_metrics(&w->lanes[TASK_SLOW], slow);
    uv_mutex_unlock(&w->lock);
}

/* ---- beginning and end --------------------------------------------------------------------- */

static void release_work(struct work *w)
{
    if (w->handles > 0)
        return;
    uv_cond_destroy(&w->wanted);
    uv_mutex_destroy(&w->lock);
    mgi_free(w->workers);
    mgi_free(w);
}

static void work_handle_closed(uv_handle_t *handle)
{
    struct work *w = handle->data;
    w->handles--;
    release_work(w);
}

static void join_all(struct work *w)
{
    uv_mutex_lock(&w->lock);
    w->ending = true;
    uv_cond_broadcast(&w->wanted);
    uv_mutex_unlock(&w->lock);
    for (uint32_t i = 0; i < w->worker_count; i++)
        uv_thread_join(&w->workers[i].thread);
    w->worker_count = 0;
}

/* With every lane's threads, or with none. */
static bool start_threads(struct work *w, uint32_t count)
{
    uv_thread_options_t options = { .flags = UV_THREAD_HAS_STACK_SIZE, .stack_size = STACK_BYTES };
    w->workers = mgi_calloc(count, sizeof *w->workers);
    if (!w->workers)
        return false;
    while (w->worker_count < count) {
        struct worker *one = &w->workers[w->worker_count];
        one->work = w;
        if (uv_thread_create_ex(&one->thread, &options, work_on, one) != 0)
            break;
        w->worker_count++;
    }
    if (w->worker_count == count)
        return true;
    join_all(w);
    return false;
}

static bool open_handles(struct work *w)
{
    w->news.data = w->look.data = w;
    if (uv_async_init(w->options.loop, &w->news, deliver) != 0)
        return false;
    w->handles++;
    if (uv_timer_init(w->options.loop, &w->look) != 0)
        return false;
    w->handles++;
    /* Threads that wait keep nobody's loop running. */
    uv_unref((uv_handle_t *)&w->news);
    uv_unref((uv_handle_t *)&w->look);
    return true;
}

static void close_handles(struct work *w)
{
    unsigned open = w->handles;
    if (open > 1)
        uv_close((uv_handle_t *)&w->look, work_handle_closed);
    if (open > 0)
        uv_close((uv_handle_t *)&w->news, work_handle_closed);
    if (open == 0)
        release_work(w);
}

struct work *mgi_work_new(const struct work_options *options)
{
    struct work *w = mgi_calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->options = *options;
    w->share = options->max_waiting / OWNS_SHARE + 1;
    w->lanes[TASK_QUICK].limit = options->quick;
    w->lanes[TASK_SLOW].limit = options->slow;
    if (uv_mutex_init(&w->lock) != 0) {
        mgi_free(w);
        return NULL;
    }
    if (uv_cond_init(&w->wanted) != 0) {
        uv_mutex_destroy(&w->lock);
        mgi_free(w);
        return NULL;
    }
    if (open_handles(w) && start_threads(w, options->quick + options->slow))
        return w;
    close_handles(w);
    return NULL;
}

void mgi_work_free(struct work *w)
{
    if (!w)
        return;
    assert(!w->lanes[TASK_QUICK].first && !w->lanes[TASK_SLOW].first);
    join_all(w);
    close_handles(w);
}
