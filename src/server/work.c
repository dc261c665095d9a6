/* Threads, two queues, and what is known of how long things take; see work.h.
 *
 * A hand-over costs as little as it can: who hands a task over gives it to a thread by name, the
 * one that went to sleep last, since what it keeps from task to task is warm; a thread takes the
 * lock once a task; and the loop is woken only if it sleeps (server/bell.h).
 *
 * Own threads rather than the loop's pool: that one is shared with files and name resolution, has
 * one queue for everything, and ends the process where a thread cannot be started.
 *
 * Invariants, under the lock:
 *   1. running[lane] is the number of threads whose task is in that lane; at most limit[lane].
 *   2. in a queue what has begun stands first, in the order in which it came; then what has not, by
 *      turn, and tasks of equal turn in the order in which they came.
 *   3. there are limit[QUICK] + limit[SLOW] threads, so a place in a lane is a free thread.
 *   4. a thread that sleeps is in the list `asleep`; whoever takes it out wakes it, once. */
#include "server/work.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "base/alloc.h"
#include "server/bell.h"

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
    struct task *task;    /* running, or given to it while it slept */
    int64_t cpu_since_ns; /* what the clock said when it had ended the one before */
    void *local;
    uint64_t generation;
    uv_sem_t wake;
    struct worker *next; /* in the list `asleep`, or of those to wake */
};

struct kind { /* loop's thread only */
    uint64_t kind;
    int64_t usual_ns; /* of a task's cost */
};

struct work {
    struct work_options options;
    uint32_t share; /* of one owner in a queue */
    uv_mutex_t lock;
    struct lane lanes[LANES];
    struct worker *asleep; /* the last that went to sleep is the first */
    struct worker *workers;
    uint32_t worker_count;
    uint64_t generation; /* mgi_work_refresh() */
    bool ending;
    _Atomic(struct task *) over; /* have run, the last one first; `done` is due */
    struct bell news;            /* of `over` */
    uv_timer_t look;
    bool looking, has_look;
    unsigned parts; /* of news and look, what is not closed yet */
    uint32_t out;   /* tasks handed over and not back: they keep the loop running */
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
    while (*link && (*link)->begun)
        link = &(*link)->next;
    while (!t->begun && *link && (*link)->turn <= t->turn)
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
        if (!t->begun)
            lane->turn = t->turn;
        dequeue(w, &lane->first);
        t->since_ns = now_ns();
        lane->running++;
        lane->jobs++;
        return t;
    }
    return NULL;
}

/* To whoever sleeps what there is a place for. They are woken when the lock is free again: to be
 * woken only to wait for the lock costs as much as the rest of a hand-over. */
static struct worker *give_tasks(struct work *w)
{
    struct worker *woken = NULL;
    while (w->asleep) {
        struct task *t = next_task(w);
        if (!t)
            break;
        struct worker *worker = w->asleep;
        w->asleep = worker->next;
        worker->task = t;
        worker->next = woken;
        woken = worker;
    }
    return woken;
}

/* All who sleep, with nothing to do, so that they look around. */
static struct worker *rouse(struct work *w)
{
    struct worker *all = w->asleep;
    w->asleep = NULL;
    return all;
}

/* Not under the lock. */
static void wake(struct worker *first)
{
    for (struct worker *next; first; first = next) {
        next = first->next; /* before: it may fall asleep again at once */
        uv_sem_post(&first->wake);
    }
}

/* ---- a thread ------------------------------------------------------------------------------ */

enum step { STEP_RUN, STEP_FORGET, STEP_SLEEP, STEP_END };

static void forget_local(struct worker *me)
{
    if (me->local)
        me->work->options.forget(me->local);
    me->local = NULL;
}

static void run_task(struct worker *me, struct task *t)
{
    int64_t began = now_ns();
    t->waited_ns = began - t->handed_ns;
    t->local = &me->local;
    t->run(t);
    t->ran_ns = now_ns() - began;
}

/* Under the lock. */
static void account(struct work *w, const struct task *t)
{
    struct lane *lane = &w->lanes[t->lane];
    lane->running--;
    lane->waited_ns += (uint64_t)t->waited_ns;
    lane->ran_ns += (uint64_t)t->ran_ns;
}

/* Under the lock: what `me` does next. */
static enum step next_step(struct worker *me)
{
    struct work *w = me->work;
    if (me->generation != w->generation) {
        me->generation = w->generation;
        return STEP_FORGET;
    }
    me->task = next_task(w);
    if (me->task)
        return STEP_RUN;
    if (w->ending)
        return STEP_END;
    me->next = w->asleep;
    w->asleep = me;
    return STEP_SLEEP;
}

static void put_over(struct work *w, struct task *t)
{
    t->next = atomic_load_explicit(&w->over, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&w->over, &t->next, t, memory_order_release,
                                                  memory_order_relaxed))
        ;
    mgi_bell_ring(&w->news);
}

/* One task ends (or none), and the next is taken: the lock is needed once for both. */
static enum step end_task(struct worker *me, struct task *t)
{
    struct work *w = me->work;
    int64_t cpu = cpu_ns(me);
    if (t)
        t->cost_ns = cost_ns(cpu - me->cpu_since_ns, t->ran_ns);
    uv_mutex_lock(&w->lock);
    me->cpu_since_ns = cpu;
    me->task = NULL;
    if (t)
        account(w, t);
    enum step step = next_step(me);
    uv_mutex_unlock(&w->lock);
    if (t)
        put_over(w, t);
    return step;
}

static void work_on(void *argument)
{
    struct worker *me = argument;
    enum step step;
    struct task *ended = NULL;
    me->has_cpu = pthread_getcpuclockid(pthread_self(), &me->cpu) == 0;
    while ((step = end_task(me, ended)) != STEP_END) {
        ended = NULL;
        if (step == STEP_FORGET)
            forget_local(me);
        if (step == STEP_SLEEP)
            uv_sem_wait(&me->wake);
        if (step == STEP_FORGET || !me->task) /* or woken to look around */
            continue;
        ended = me->task;
        run_task(me, ended);
    }
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
    struct worker *woken = give_tasks(w);
    bool go_on = w->lanes[TASK_QUICK].waiting > 0;
    uv_mutex_unlock(&w->lock);
    wake(woken);
    if (go_on)
        return;
    uv_timer_stop(timer);
    w->looking = false;
}

/* ---- the loop's side ----------------------------------------------------------------------- */

static void count_out(struct work *w, bool one_more)
{
    if (one_more && w->out++ == 0)
        mgi_bell_expect(&w->news, true);
    else if (!one_more && --w->out == 0)
        mgi_bell_expect(&w->news, false);
}

static bool hand(void *self, struct task *t)
{
    struct work *w = self;
    t->handed_ns = now_ns();
    t->lane = is_slow(w, t->kind) ? TASK_SLOW : TASK_QUICK;
    t->next = NULL;
    uv_mutex_lock(&w->lock);
    struct lane *lane = &w->lanes[t->lane];
    bool taken = enqueue(w, t);
    lane->refused += !taken;
    struct worker *woken = give_tasks(w);
    bool waits = t->waiting && t->lane == TASK_QUICK;
    uv_mutex_unlock(&w->lock);
    wake(woken);
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

/* As they ended. */
static struct task *take_over(struct work *w)
{
    struct task *last = atomic_exchange_explicit(&w->over, NULL, memory_order_acquire);
    struct task *first = NULL;
    for (struct task *before; last; last = before) {
        before = last->next;
        last->next = first;
        first = last;
    }
    return first;
}

static void deliver(void *context)
{
    struct work *w = context;
    for (struct task *t = take_over(w), *next; t; t = next) {
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
    struct worker *all = rouse(w);
    uv_mutex_unlock(&w->lock);
    wake(all);
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

static void part_closed(struct work *w)
{
    if (--w->parts > 0)
        return;
    uv_mutex_destroy(&w->lock);
    mgi_free(w->workers);
    mgi_free(w);
}

static void look_closed(uv_handle_t *handle)
{
    part_closed(handle->data);
}

static void news_closed(void *context)
{
    part_closed(context);
}

static void join_all(struct work *w)
{
    uv_mutex_lock(&w->lock);
    w->ending = true;
    struct worker *all = rouse(w);
    uv_mutex_unlock(&w->lock);
    wake(all);
    for (uint32_t i = 0; i < w->worker_count; i++) {
        uv_thread_join(&w->workers[i].thread);
        uv_sem_destroy(&w->workers[i].wake);
    }
    w->worker_count = 0;
}

static bool start_thread(struct worker *me, struct work *w)
{
    uv_thread_options_t options = { .flags = UV_THREAD_HAS_STACK_SIZE, .stack_size = STACK_BYTES };
    me->work = w;
    if (uv_sem_init(&me->wake, 0) != 0)
        return false;
    if (uv_thread_create_ex(&me->thread, &options, work_on, me) == 0)
        return true;
    uv_sem_destroy(&me->wake);
    return false;
}

/* With every lane's threads, or with none. */
static bool start_threads(struct work *w, uint32_t count)
{
    w->workers = mgi_calloc(count, sizeof *w->workers);
    if (!w->workers)
        return false;
    while (w->worker_count < count && start_thread(&w->workers[w->worker_count], w))
        w->worker_count++;
    if (w->worker_count == count)
        return true;
    join_all(w);
    return false;
}

static bool open_handles(struct work *w)
{
    w->look.data = w;
    w->parts = 1;
    if (!mgi_bell_open(&w->news, w->options.loop, deliver, w) ||
        uv_timer_init(w->options.loop, &w->look) != 0)
        return false;
    w->has_look = true;
    w->parts = 2;
    uv_unref((uv_handle_t *)&w->look); /* threads that wait keep nobody's loop running */
    return true;
}

static void close_handles(struct work *w)
{
    if (w->has_look)
        uv_close((uv_handle_t *)&w->look, look_closed);
    mgi_bell_close(&w->news, news_closed);
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
