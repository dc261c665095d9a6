/* The loop writes runs while workers look things up and ask for figures. */
#include "journal/journal_fixture.h"

#include <pthread.h>
#include <stdatomic.h>

enum { RUNS = 150, WORKERS = 3 };

struct asking {
    struct scene *scene;
    atomic_bool over;
    atomic_size_t found;
};

static const uint8_t key[JOURNAL_KEY_BYTES] = { 5 };

static void *ask(void *context)
{
    struct asking *a = context;
    struct journal *j = a->scene->journal;
    struct arena arena;
    mgi_arena_init(&arena, 0);
    while (!atomic_load(&a->over)) {
        struct journal_record r;
        struct journal_stats stats;
        char witness[JOURNAL_WITNESS_BYTES];
        mgi_arena_reset(&arena);
        if (mgi_journal_find_key(j, key, DAY_NS, &arena, &r) == JOURNAL_FOUND)
            atomic_fetch_add(&a->found, 1);
        mgi_journal_witness(j, STR_LIT(OTHER_HEX), witness);
        if (mgi_journal_find_witness(j, str_of(witness), &arena, &r) != JOURNAL_NONE)
            abort();
        mgi_journal_stats(j, &stats);
    }
    mgi_arena_fini(&arena);
    return NULL;
}

static void test_workers_ask_while_the_loop_writes(void **state)
{
    struct scene s;
    pthread_t workers[WORKERS];
    struct asking a = { .scene = &s };
    (void)state;
    scene_begin(&s);
    scene_open(&s);
    whole_run(&s, 1, key, 1);
    scene_reopen(&s);
    for (int i = 0; i < WORKERS; i++)
        assert_int_equal(pthread_create(&workers[i], NULL, ask, &a), 0);
    for (unsigned n = 2; n < RUNS; n++) {
        struct journal_run *run = begin_run(&s, n, NULL);
        struct answer answers[3] = { 0 };
        end_step(begin_step(run, 0, 0, NULL), JOURNAL_OK);
        for (uint32_t i = 0; i < 3; i++) /* side by side, as independent steps are */
            assert_non_null(begin_step(run, i, 1, &answers[i]));
        for (uint32_t i = 0; i < 3; i++) {
            until_told(&s, &answers[i]);
            end_step(answers[i].step, JOURNAL_OK);
        }
        mgi_journal_run_ends(run, JOURNAL_OK);
    }
    atomic_store(&a.over, true);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    assert_true(atomic_load(&a.found) > 0);
    scene_reopen(&s);
    struct found f = read_file(&s, NULL);
    assert_int_equal(f.runs, RUNS - 1);
    assert_int_equal(f.interrupted, 0);
    scene_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workers_ask_while_the_loop_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
