/* Tool definitions in memory: whose they are, how long they last, what goes first. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>

#include "base/time.h"
#include "store/macro_store.h"

#define SECONDS(n) ((n)*NS_PER_SEC)

static bool put(struct macro_store *s, const char *who, const char *id, const char *text,
                int64_t now_ns, int64_t until_ns)
{
    struct macro_entry e = { str_of(text), INT64_MIN, until_ns };
    return mgi_macro_store_put(s, str_of(who), str_of(id), &e, now_ns, until_ns);
}

static enum macro_found get(struct macro_store *s, const char *who, const char *id, int64_t now_ns,
                            const char *expected)
{
    struct arena a;
    struct macro_entry e;
    mgi_arena_init(&a, 0);
    enum macro_found found = mgi_macro_store_get(s, str_of(who), str_of(id), now_ns, &a, &e);
    if (found == MACRO_FOUND)
        assert_true(str_is(e.definition, expected));
    mgi_arena_fini(&a);
    return found;
}

static void test_a_definition_belongs_to_its_principal(void **state)
{
    (void)state;
    struct macro_store *s = mgi_macro_store_memory(0);
    assert_true(put(s, "ann", "t-1", "one", 0, SECONDS(300)));
    assert_int_equal(get(s, "ann", "t-1", 1, "one"), MACRO_FOUND);
    assert_int_equal(get(s, "bob", "t-1", 1, ""), MACRO_NOT_FOUND); /* D-42, D-57 */
    assert_int_equal(get(s, "annt", "-1", 1, ""), MACRO_NOT_FOUND);
    assert_int_equal(get(s, "ann", "t-2", 1, ""), MACRO_NOT_FOUND);
    mgi_macro_store_free(s);
}

static void test_after_its_time_a_marker_remains_and_then_nothing(void **state)
{
    (void)state;
    struct macro_store *s = mgi_macro_store_memory(0);
    put(s, "ann", "t-1", "one", 0, SECONDS(300));
    assert_int_equal(get(s, "ann", "t-1", SECONDS(300), "one"), MACRO_FOUND); /* P-CACHE-2 */
    assert_int_equal(get(s, "ann", "t-1", SECONDS(300) + 1, ""), MACRO_EXPIRED);
    put(s, "ann", "t-2", "two", SECONDS(450), SECONDS(500)); /* sweeps */
    assert_int_equal(get(s, "ann", "t-1", SECONDS(600), ""), MACRO_EXPIRED);
    assert_int_equal(get(s, "ann", "t-1", SECONDS(600) + 1, ""), MACRO_NOT_FOUND); /* D-42 */
    mgi_macro_store_free(s);
}

static void test_putting_again_refreshes(void **state)
{
    (void)state;
    struct macro_store *s = mgi_macro_store_memory(0);
    put(s, "ann", "t-1", "one", 0, SECONDS(300));
    put(s, "ann", "t-1", "newer", SECONDS(10), SECONDS(900));
    assert_int_equal(get(s, "ann", "t-1", SECONDS(700), "newer"), MACRO_FOUND); /* D-42 */
    mgi_macro_store_free(s);
}

static void test_the_least_recently_used_go_first(void **state)
{
    (void)state;
    struct macro_store *s = mgi_macro_store_memory(100000);
    char id[20], text[1001];
    memset(text, 'x', 1000);
    text[1000] = 0;
    for (int i = 0; i < 1000; i++) {
        snprintf(id, sizeof id, "t-%d", i);
        put(s, "ann", id, text, 0, SECONDS(300));
        assert_int_equal(get(s, "ann", "t-0", 1, text), MACRO_FOUND); /* used all the time */
    }
    assert_true(mgi_macro_store_bytes(s) <= 100000); /* P-CACHE-4 */
    assert_int_equal(get(s, "ann", "t-999", 1, text), MACRO_FOUND);
    assert_int_equal(get(s, "ann", "t-1", 1, ""), MACRO_NOT_FOUND); /* P-CACHE-5 */
    mgi_macro_store_free(s);
}

static void test_a_nonce_is_spent_once(void **state)
{
    (void)state;
    struct macro_store *s = mgi_macro_store_memory(1000);
    assert_true(mgi_macro_store_spend(s, STR_LIT("n1"), 0, SECONDS(300)));
    assert_false(mgi_macro_store_spend(s, STR_LIT("n1"), 1, SECONDS(300))); /* D-46 */
    for (int i = 0; i < 100; i++) { /* room is never made by forgetting nonces */
        char id[20];
        snprintf(id, sizeof id, "t-%d", i);
        put(s, "ann", id, "a definition of some length", 0, SECONDS(300));
    }
    assert_false(mgi_macro_store_spend(s, STR_LIT("n1"), SECONDS(300), SECONDS(300)));
    assert_true(mgi_macro_store_spend(s, STR_LIT("n1"), SECONDS(400), SECONDS(700)));
    assert_false(mgi_macro_store_spend(s, STR_LIT("n1"), SECONDS(500), SECONDS(700)));
    mgi_macro_store_free(s);
}

static void test_what_is_gone_takes_no_room(void **state)
{
    (void)state;
    struct macro_store *s = mgi_macro_store_memory(0);
    for (int i = 0; i < 5000; i++) {
        char id[20];
        snprintf(id, sizeof id, "t-%d", i);
        put(s, "ann", id, "text", 0, SECONDS(1));
        mgi_macro_store_spend(s, str_of(id), 0, SECONDS(1));
    }
    size_t full = mgi_macro_store_bytes(s);
    put(s, "ann", "last", "text", SECONDS(1000), SECONDS(2000));
    assert_true(mgi_macro_store_bytes(s) * 1000 < full);
    mgi_macro_store_free(s);
}

static struct macro_store *shared;

static void *use_it(void *from)
{
    size_t mine = *(size_t *)from, spent = 0;
    for (int i = 0; i < 2000; i++) {
        char id[20];
        snprintf(id, sizeof id, "t-%d", i % 50);
        put(shared, mine % 2 ? "ann" : "bob", id, "text", 0, SECONDS(300));
        get(shared, "ann", id, 1, "text");
        snprintf(id, sizeof id, "n-%d", i);
        spent += mgi_macro_store_spend(shared, str_of(id), 0, SECONDS(300));
    }
    *(size_t *)from = spent;
    return NULL;
}

static void test_threads_share_it(void **state)
{
    (void)state;
    pthread_t threads[4];
    size_t work[4] = { 0, 1, 2, 3 }, spent = 0;
    shared = mgi_macro_store_memory(4000);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_it, &work[i]), 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        spent += work[i];
    }
    assert_int_equal(spent, 2000); /* each nonce by exactly one of them (D-46) */
    mgi_macro_store_free(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_definition_belongs_to_its_principal),
        cmocka_unit_test(test_after_its_time_a_marker_remains_and_then_nothing),
        cmocka_unit_test(test_putting_again_refreshes),
        cmocka_unit_test(test_the_least_recently_used_go_first),
        cmocka_unit_test(test_a_nonce_is_spent_once),
        cmocka_unit_test(test_what_is_gone_takes_no_room),
        cmocka_unit_test(test_threads_share_it),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
