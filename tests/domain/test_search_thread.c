/* Many threads ask one index of texts at once. */
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/search_domain.h"

static void *ask_often(void *snapshot)
{
    struct buf out = { 0 };
    for (int i = 0; i < 20; i++) {
        search_ask(snapshot, "hit", "deleting a Branch", &out);
        assert_string_equal(out.ptr, "branch 1 merge 2");
    }
    mgi_buf_fini(&out);
    return NULL;
}

static void test_many_threads_ask_at_once(void **state)
{
    (void)state;
    pthread_t threads[4];
    struct temp_domain d;
    search_make(&d, SEARCH_GOOD);
    struct snapshot *s = search_load(&d);
    assert_non_null(s);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_often, s), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    mgi_snapshot_unref(s);
    temp_remove(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_threads_ask_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
