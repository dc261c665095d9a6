/* Workers do each task once, however many threads there are and however much there is to do. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>

#include "sys/workers.h"

#define TASKS 200

struct tally {
    atomic_uint done[TASKS];
    pthread_t caller;
    atomic_uint elsewhere; /* tasks that ran on other threads */
};

static void count(void *argument, uint32_t number)
{
    struct tally *t = argument;
    atomic_fetch_add(&t->done[number], 1);
    if (!pthread_equal(pthread_self(), t->caller))
        atomic_fetch_add(&t->elsewhere, 1);
}

static void test_each_task_is_done_once(void **state)
{
    (void)state;
    for (uint32_t threads = 0; threads <= 5; threads++) {
        struct workers *w = mgi_workers_new(threads);
        assert_non_null(w);
        for (uint32_t tasks = 0; tasks <= TASKS; tasks = tasks * 3 + 1) {
            struct tally t = { .caller = pthread_self() };
            mgi_workers_run(w, count, &t, tasks);
            for (uint32_t i = 0; i < TASKS; i++)
                assert_int_equal(t.done[i], i < tasks);
            if (threads < 2)
                assert_int_equal(t.elsewhere, 0);
        }
        mgi_workers_free(w);
    }
    mgi_workers_free(mgi_workers_new(3)); /* nothing to do at all */
    mgi_workers_free(NULL);
}

struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t all;
    uint32_t here;
};

static void meet(void *argument, uint32_t number)
{
    struct meeting *m = argument;
    (void)number;
    pthread_mutex_lock(&m->lock);
    m->here++;
    pthread_cond_broadcast(&m->all);
    while (m->here < 3)
        pthread_cond_wait(&m->all, &m->lock);
    pthread_mutex_unlock(&m->lock);
}

/* Each of these waits for the others, so it ends only if they run at once. */
static void test_tasks_run_at_once(void **state)
{
    (void)state;
    struct workers *w = mgi_workers_new(3);
    assert_non_null(w);
    for (int i = 0; i < 50; i++) {
        struct meeting m = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 };
        mgi_workers_run(w, meet, &m, 3);
        assert_int_equal(m.here, 3);
    }
    mgi_workers_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_task_is_done_once),
        cmocka_unit_test(test_tasks_run_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
