/* The set of a frozen relation's rows is made by whoever asks first, on whatever thread. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>

#include "mangle/run/rel.h"

#define THREADS 4
#define ROWS    20000

struct job {
    const struct rel *rel;
    uint32_t from, wrong;
};

static void *work(void *context)
{
    struct job *job = context;
    for (uint32_t n = 0; n < 200; n++) {
        uint32_t row = (job->from + n * 97) % ROWS;
        job->wrong += mgi_rel_find(job->rel, mgi_rel_row(job->rel, row)) != row;
    }
    return NULL;
}

static void test_threads_find_what_one_of_them_made(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        struct rel rel;
        assert_true(mgi_rel_init(&rel, 3, false, NULL, 0, NULL));
        uint32_t *to = mgi_rel_extend(&rel, ROWS);
        assert_non_null(to);
        for (uint32_t i = 0; i < ROWS * 3; i++)
            to[i] = i / 3 / (1 + i % 3);
        mgi_rel_took(&rel, ROWS);
        assert_true(mgi_rel_freeze(&rel, NULL));
        struct job jobs[THREADS];
        pthread_t threads[THREADS];
        for (uint32_t i = 0; i < THREADS; i++) {
            jobs[i] = (struct job){ .rel = &rel, .from = i * 1000 };
            assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
        }
        for (uint32_t i = 0; i < THREADS; i++) {
            assert_int_equal(pthread_join(threads[i], NULL), 0);
            assert_int_equal(jobs[i].wrong, 0);
        }
        mgi_rel_fini(&rel);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_find_what_one_of_them_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
