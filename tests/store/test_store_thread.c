/* Threads that share a store: each nonce is spent by one of them, each key begun by one. */
#include <pthread.h>
#include <stdatomic.h>

#include "store/store_suite.h"

#define THREADS 4
#define ROUNDS  200

struct share {
    const struct store *store;
    unsigned mine;
    size_t spent, begun;
};

static void *use_it(void *from)
{
    struct share *share = from;
    for (int i = 0; i < ROUNDS; i++) {
        char id[20];
        snprintf(id, sizeof id, "t-%d", i % 50);
        put(share->store, share->mine % 2 ? "ann" : "bob", id, "text", 0, SECONDS(300));
        get(share->store, "ann", id, 1, "text");
        snprintf(id, sizeof id, "n-%d", i);
        share->spent += spend(share->store, id, 0, SECONDS(300));
        if (begin(share->store, "ann", id, "f", 0, "outcome") == ONCE_FRESH) {
            share->begun++;
            end(share->store, "ann", id, "outcome", 0);
        }
    }
    return NULL;
}

static void test_threads_share_it(void **state)
{
    pthread_t threads[THREADS];
    struct share shares[THREADS];
    size_t spent = 0, begun = 0;
    const struct store *s = open_backend(*state, 0);
    for (unsigned i = 0; i < THREADS; i++) {
        shares[i] = (struct share){ .store = s, .mine = i };
        assert_int_equal(pthread_create(&threads[i], NULL, use_it, &shares[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        spent += shares[i].spent;
        begun += shares[i].begun;
    }
    assert_int_equal(spent, ROUNDS); /* D-46 */
    assert_int_equal(begun, ROUNDS);
    close_backend(*state);
}

struct asking {
    const struct store *store;
    atomic_bool ended;
};

/* An outcome that is too large, and who asks why it was not kept, meanwhile. */
static void *end_too_large(void *from)
{
    static const char large[512 * 1024];
    struct asking *a = from;
    const struct store *s = a->store;
    for (int i = 0; i < ROUNDS / 10; i++) {
        char key[20];
        snprintf(key, sizeof key, "k-%d", i);
        assert_int_equal(begin(s, "ann", key, "f", 0, ""), ONCE_FRESH);
        assert_int_not_equal(mgi_store_once_end(s, STR_LIT("ann"), str_of(key),
                                                (struct str){ large, sizeof large }, 0),
                             STORE_OK);
    }
    atomic_store(&a->ended, true);
    return NULL;
}

static void test_threads_may_ask_for_the_fault(void **state)
{
    pthread_t thread;
    struct store *s = open_backend(*state, 256 * 1024);
    struct asking a = { .store = s };
    assert_int_equal(pthread_create(&thread, NULL, end_too_large, &a), 0);
    while (!atomic_load(&a.ended)) {
        struct buf why = { 0 };
        mgi_store_fault(s, &why);
        mgi_buf_fini(&why);
    }
    pthread_join(thread, NULL);
    close_backend(*state);
}

int main(void)
{
    static struct backend memory = { .name = "memory" }, sqlite = { .name = "sqlite" };
    const struct CMUnitTest tests[] = {
        { "test_threads_share_it (memory)", test_threads_share_it, NULL, NULL, &memory },
        { "test_threads_share_it (sqlite)", test_threads_share_it, NULL, NULL, &sqlite },
        { "test_threads_may_ask_for_the_fault (sqlite)", test_threads_may_ask_for_the_fault, NULL,
          NULL, &sqlite },
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
