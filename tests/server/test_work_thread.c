/* The threads of a server: where things run, who waits for whom, and what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "server/work.h"

#define MS       INT64_C(1000000)
#define COMPUTES INT64_C(-2)

struct job {
    struct task task;
    int64_t busy_ns; /* how long it runs, asleep; -1: until it is told to end; COMPUTES: 15 ms of
                        the processor's time */
    uv_thread_t ran_by;
    int order; /* which of all that ended, from 1 */
    int64_t ended_ns;
    int times_run, times_done;
};

static struct {
    uv_loop_t loop;
    uv_thread_t thread;
    struct work *work;
    struct task_runner runner;
    int ended;
    atomic_bool end_all;
    atomic_int forgotten, made;
} t;

static int64_t now_ns(void)
{
    return (int64_t)uv_hrtime();
}

static struct job *job_of(struct task *task)
{
    return (struct job *)((char *)task - offsetof(struct job, task));
}

static int64_t used_ns(void)
{
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * 1000 * MS + used.tv_nsec;
}

static void compute(void)
{
    int64_t until = used_ns() + 15 * MS;
    while (used_ns() < until)
        ;
}

static void wait_asleep(int64_t busy_ns)
{
    int64_t until = now_ns() + busy_ns;
    while (busy_ns < 0 ? !atomic_load(&t.end_all) : now_ns() < until)
        usleep(200);
}

static void run(struct task *task)
{
    struct job *j = job_of(task);
    j->times_run++;
    j->ran_by = uv_thread_self();
    if (j->busy_ns == COMPUTES)
        compute();
    else
        wait_asleep(j->busy_ns);
}

static void done(struct task *task)
{
    struct job *j = job_of(task);
    uv_thread_t self = uv_thread_self();
    assert_true(uv_thread_equal(&self, &t.thread));
    j->times_done++;
    j->order = ++t.ended;
    j->ended_ns = now_ns();
}

static void forget(void *local)
{
    atomic_fetch_add(&t.forgotten, 1);
    mgi_free(local);
}

static void open_work(uint32_t quick, uint32_t slow, uint32_t max_waiting)
{
    t.ended = 0;
    atomic_store(&t.end_all, false);
    atomic_store(&t.forgotten, 0);
    atomic_store(&t.made, 0);
    uv_loop_init(&t.loop);
    t.thread = uv_thread_self();
    struct work_options options = {
        .loop = &t.loop, .quick = quick, .slow = slow, .max_waiting = max_waiting, .forget = forget
    };
    t.work = mgi_work_new(&options);
    assert_non_null(t.work);
    t.runner = mgi_work_runner(t.work);
}

/* The loop runs as long as something is handed over, by itself. */
static void run_all(void)
{
    uv_run(&t.loop, UV_RUN_DEFAULT);
}

static void close_work(void)
{
    run_all();
    mgi_work_free(t.work);
    assert_int_equal(uv_run(&t.loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&t.loop), 0);
}

static bool hand(struct job *j, int64_t busy_ns, uint64_t owner, uint64_t kind)
{
    *j = (struct job){ .busy_ns = busy_ns };
    j->task = (struct task){ .run = run, .done = done, .owner = owner, .kind = kind };
    return t.runner.hand(t.runner.self, &j->task);
}

static void wait_for(const struct job *j)
{
    while (j->times_done == 0)
        uv_run(&t.loop, UV_RUN_ONCE);
}

static uint32_t running(void)
{
    struct lane_metrics quick, slow;
    mgi_work_metrics(t.work, &quick, &slow);
    return quick.running + slow.running;
}

static void wait_until_running(uint32_t count)
{
    while (running() < count)
        usleep(200);
}

/* ---- where --------------------------------------------------------------------------------- */

static void test_a_task_runs_elsewhere_and_is_done_on_the_loop(void **state)
{
    (void)state;
    struct job j;
    open_work(1, 1, 8);
    assert_true(hand(&j, 2 * MS, 1, 0));
    assert_int_equal(j.times_done, 0); /* never from inside */
    run_all();
    assert_int_equal(j.times_run, 1);
    assert_int_equal(j.times_done, 1);
    assert_false(uv_thread_equal(&j.ran_by, &t.thread));
    assert_true(j.task.ran_ns >= 2 * MS);
    close_work();
}

static void test_what_has_not_begun_can_be_taken_back(void **state)
{
    (void)state;
    struct job busy, waits;
    open_work(1, 1, 8);
    assert_true(hand(&busy, -1, 1, 0));
    wait_until_running(1);
    assert_true(hand(&waits, 0, 1, 0));
    assert_true(t.runner.take_back(t.runner.self, &waits.task));
    assert_false(t.runner.take_back(t.runner.self, &waits.task));
    assert_false(t.runner.take_back(t.runner.self, &busy.task)); /* it has begun */
    atomic_store(&t.end_all, true);
    run_all();
    assert_int_equal(waits.times_run + waits.times_done, 0);
    assert_int_equal(busy.times_done, 1);
    close_work();
}

/* ---- quick and slow ------------------------------------------------------------------------ */

static void test_who_turns_out_to_be_slow_makes_room(void **state)
{
    (void)state;
    struct job slow, quick;
    open_work(1, 1, 8);
    assert_true(hand(&slow, 600 * MS, 1, 7));
    wait_until_running(1);
    int64_t began = now_ns();
    assert_true(hand(&quick, 0, 2, 8));
    wait_for(&quick);
    assert_int_equal(slow.times_done, 0);
    assert_true(quick.ended_ns - began < 300 * MS);
    close_work();
}

static void test_what_is_known_to_be_slow_leaves_the_quick_places_alone(void **state)
{
    (void)state;
    struct job first, slow[4], quick[3];
    open_work(1, 1, 16);
    assert_true(hand(&first, 130 * MS, 1, 7));
    run_all(); /* now the kind is known */
    for (int i = 0; i < 4; i++)
        assert_true(hand(&slow[i], -1, 1, 7));
    wait_until_running(1);
    for (int i = 0; i < 3; i++) { /* one of them after the other: no place is lost */
        int64_t began = now_ns();
        assert_true(hand(&quick[i], 0, 2, 8));
        wait_for(&quick[i]);
        assert_true(quick[i].ended_ns - began < 300 * MS);
    }
    struct lane_metrics q, s;
    mgi_work_metrics(t.work, &q, &s);
    assert_int_equal(s.running, 1);
    assert_int_equal(s.waiting, 3);
    assert_int_equal(q.running, 0);
    atomic_store(&t.end_all, true);
    close_work();
}

static void test_what_waits_changes_queues_when_its_kind_is_known(void **state)
{
    (void)state;
    struct job slow[3], quick;
    open_work(1, 1, 16);
    for (int i = 0; i < 3; i++) { /* all of a kind that nobody has seen */
        assert_true(hand(&slow[i], -1, 1, 9));
        wait_until_running(1); /* the second stands before `quick`, and would have the next place */
    }
    assert_true(hand(&quick, 0, 2, 8));
    wait_for(&quick); /* behind them, but only until the first is found to be slow */
    assert_int_equal(slow[0].times_done + slow[1].times_done + slow[2].times_done, 0);
    atomic_store(&t.end_all, true);
    close_work();
}

static void test_a_kind_that_is_quick_again_is_treated_so(void **state)
{
    (void)state;
    struct job j;
    struct lane_metrics q, s;
    open_work(1, 1, 8);
    assert_true(hand(&j, 150 * MS, 1, 7));
    run_all();
    for (int i = 0; i < 8; i++) {
        assert_true(hand(&j, 0, 1, 7));
        run_all();
    }
    mgi_work_metrics(t.work, &q, &s);
    assert_true(s.jobs >= 1 && s.jobs < 8);
    assert_true(hand(&j, 0, 1, 7));
    assert_int_equal(j.task.lane, TASK_QUICK);
    close_work();
}

static void test_a_kind_is_not_slow_because_the_machine_is(void **state)
{
    (void)state;
    struct job j;
    struct lane_metrics q, s;
    open_work(1, 1, 8);
    assert_true(hand(&j, 40 * MS, 1, 7)); /* sleeps, as one does that has not got the processor */
    run_all();
    assert_true(hand(&j, 0, 1, 7));
    assert_int_equal(j.task.lane, TASK_QUICK);
    run_all();
    mgi_work_metrics(t.work, &q, &s);
    assert_int_equal(q.jobs, 2);
    assert_true(hand(&j, COMPUTES, 1, 7));
    run_all();
    assert_true(hand(&j, 0, 1, 7));
    assert_int_equal(j.task.lane, TASK_SLOW);
    close_work();
}

/* ---- turns and bounds ----------------------------------------------------------------------- */

static void test_owners_take_turns(void **state)
{
    (void)state;
    struct job busy, a[4], b, c;
    open_work(1, 1, 64);
    assert_true(hand(&busy, 20 * MS, 9, 0));
    wait_until_running(1);
    for (int i = 0; i < 4; i++)
        assert_true(hand(&a[i], 0, 1, 0));
    assert_true(hand(&b, 0, 2, 0));
    assert_true(hand(&c, 0, 3, 0));
    run_all();
    assert_true(b.order < a[1].order && c.order < a[1].order); /* each before the second of a */
    assert_true(a[0].order < b.order && b.order < c.order);    /* and as they came */
    assert_true(a[1].order < a[2].order && a[2].order < a[3].order);
    close_work();
}

static void test_what_has_begun_goes_on_before_what_has_not(void **state)
{
    (void)state;
    struct job busy, a[2], b, begun[2];
    open_work(1, 1, 64);
    assert_true(hand(&busy, 20 * MS, 9, 0));
    wait_until_running(1);
    assert_true(hand(&a[0], 0, 1, 0));
    assert_true(hand(&b, 0, 2, 0));
    for (int i = 0; i < 2; i++) {
        begun[i] = (struct job){ .task = { .run = run, .done = done, .owner = 1, .begun = true } };
        assert_true(t.runner.hand(t.runner.self, &begun[i].task));
    }
    assert_true(hand(&a[1], 0, 1, 0));
    run_all();
    assert_int_equal(begun[0].order, 2); /* behind the busy one */
    assert_int_equal(begun[1].order, 3);
    assert_int_equal(a[0].order, 4);
    assert_int_equal(b.order, 5); /* turns are as they were */
    assert_int_equal(a[1].order, 6);
    close_work();
}

static void test_a_full_queue_refuses_all_but_what_is_promised(void **state)
{
    (void)state;
    struct job busy, waiting[8], more, promised;
    open_work(1, 1, 8);
    assert_true(hand(&busy, -1, 99, 0));
    wait_until_running(1);
    for (int i = 0; i < 3; i++)
        assert_true(hand(&waiting[i], 0, 1, 0));
    assert_false(hand(&more, 0, 1, 0)); /* of one owner no more than a quarter, and one */
    for (int i = 3; i < 8; i++)
        assert_true(hand(&waiting[i], 0, (uint64_t)i + 10, 0));
    assert_false(hand(&more, 0, 50, 0)); /* full */
    promised = (struct job){ .task = { .run = run, .done = done, .owner = 1, .promised = true } };
    assert_true(t.runner.hand(t.runner.self, &promised.task));
    struct lane_metrics quick, slow;
    mgi_work_metrics(t.work, &quick, &slow);
    assert_int_equal(quick.waiting, 9);
    assert_int_equal(quick.refused, 2);
    atomic_store(&t.end_all, true);
    run_all();
    assert_int_equal(more.times_run + more.times_done, 0);
    assert_int_equal(t.ended, 10);
    close_work();
}

/* ---- what threads keep ---------------------------------------------------------------------- */

static void keep(struct task *task)
{
    if (!*task->local) {
        *task->local = mgi_alloc(16);
        atomic_fetch_add(&t.made, 1);
    }
}

static void test_threads_keep_things_until_they_are_refreshed(void **state)
{
    (void)state;
    struct job j;
    open_work(1, 1, 8);
    for (int i = 0; i < 20; i++) {
        j = (struct job){ .task = { .run = keep, .done = done } };
        assert_true(t.runner.hand(t.runner.self, &j.task));
        run_all();
    }
    assert_true(atomic_load(&t.made) <= 2); /* one for each thread */
    mgi_work_refresh(t.work);
    for (int i = 0; i < 5000 && atomic_load(&t.forgotten) < atomic_load(&t.made); i++)
        usleep(1000);
    assert_int_equal(atomic_load(&t.forgotten), atomic_load(&t.made));
    j = (struct job){ .task = { .run = keep, .done = done } };
    assert_true(t.runner.hand(t.runner.self, &j.task));
    close_work();
    assert_int_equal(atomic_load(&t.forgotten), atomic_load(&t.made)); /* and at the end */
}

static struct job many[400];
static int rounds;

static void again(struct task *task)
{
    if (++rounds < 4000)
        assert_true(t.runner.hand(t.runner.self, task));
}

static void test_many_tasks_come_and_go(void **state)
{
    (void)state;
    open_work(3, 2, 4096);
    rounds = 0;
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        many[i] = (struct job){ .task = { .run = run, .done = again, .owner = i % 7 } };
        many[i].task.kind = i % 5;
        assert_true(t.runner.hand(t.runner.self, &many[i].task));
    }
    run_all();
    assert_true(rounds >= 4000);
    struct lane_metrics quick, slow;
    mgi_work_metrics(t.work, &quick, &slow);
    assert_int_equal(quick.jobs + slow.jobs, rounds);
    assert_int_equal(quick.waiting + slow.waiting + quick.running + slow.running, 0);
    close_work();
}

/* ---- what a hand-over costs ------------------------------------------------------------------ */

static void test_the_thread_that_slept_last_has_the_next_task(void **state)
{
    (void)state;
    struct job before, j;
    int alike = 0;
    open_work(4, 4, 8);
    assert_true(hand(&before, 0, 1, 0));
    run_all();
    /* What a thread keeps from task to task is warm. At first some may not have slept yet. */
    for (int i = 0; alike < 20 && i < 1000; i++, before = j) {
        assert_true(hand(&j, 0, 1, 0));
        run_all();
        alike = uv_thread_equal(&before.ran_by, &j.ran_by) ? alike + 1 : 0;
    }
    assert_int_equal(alike, 20);
    close_work();
}

static int64_t process_ns(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * 1000 * MS + used.tv_nsec;
}

static void nothing(uv_timer_t *timer)
{
    uv_close((uv_handle_t *)timer, NULL);
}

static void test_nobody_is_busy_while_there_is_nothing_to_do(void **state)
{
    (void)state;
    struct job jobs[16];
    uv_timer_t timer;
    open_work(8, 8, 64);
    for (int i = 0; i < 16; i++)
        assert_true(hand(&jobs[i], 0, 1, 0));
    run_all();
    int64_t began = process_ns();
    uv_timer_init(&t.loop, &timer);
    uv_timer_start(&timer, nothing, 400, 0);
    run_all(); /* 16 threads and a loop wait for 400 ms */
    assert_true(process_ns() - began < 40 * MS);
    struct job waits;
    assert_true(hand(&waits, 400 * MS, 1, 0)); /* it looks at the clock 2,000 times */
    began = process_ns();
    run_all();
    assert_true(process_ns() - began < 200 * MS); /* the loop waits for it asleep */
    close_work();
}

#define BURST 50

static void test_every_task_is_done_once_however_they_come(void **state)
{
    (void)state;
    static struct job jobs[BURST];
    open_work(3, 1, 4 * BURST);
    for (int round = 0; round < 200; round++) {
        int count = round % BURST + 1;
        for (int i = 0; i < count; i++) {
            assert_true(hand(&jobs[i], 0, 1, 0));
            if (i % 7 == round % 7)
                uv_run(&t.loop, UV_RUN_NOWAIT);
        }
        if (round % 10 == 0)
            mgi_work_refresh(t.work);
        run_all();
        for (int i = 0; i < count; i++) {
            assert_int_equal(jobs[i].times_run, 1);
            assert_int_equal(jobs[i].times_done, 1);
        }
    }
    struct lane_metrics quick, slow;
    mgi_work_metrics(t.work, &quick, &slow);
    assert_int_equal(quick.running + slow.running + quick.waiting + slow.waiting, 0);
    close_work();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_task_runs_elsewhere_and_is_done_on_the_loop),
        cmocka_unit_test(test_what_has_not_begun_can_be_taken_back),
        cmocka_unit_test(test_who_turns_out_to_be_slow_makes_room),
        cmocka_unit_test(test_what_is_known_to_be_slow_leaves_the_quick_places_alone),
        cmocka_unit_test(test_what_waits_changes_queues_when_its_kind_is_known),
        cmocka_unit_test(test_a_kind_that_is_quick_again_is_treated_so),
        cmocka_unit_test(test_a_kind_is_not_slow_because_the_machine_is),
        cmocka_unit_test(test_owners_take_turns),
        cmocka_unit_test(test_what_has_begun_goes_on_before_what_has_not),
        cmocka_unit_test(test_a_full_queue_refuses_all_but_what_is_promised),
        cmocka_unit_test(test_threads_keep_things_until_they_are_refreshed),
        cmocka_unit_test(test_many_tasks_come_and_go),
        cmocka_unit_test(test_the_thread_that_slept_last_has_the_next_task),
        cmocka_unit_test(test_nobody_is_busy_while_there_is_nothing_to_do),
        cmocka_unit_test(test_every_task_is_done_once_however_they_come),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
