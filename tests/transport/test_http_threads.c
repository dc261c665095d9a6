/* Answers that workers compress, while their clients stay or leave. Runs under ThreadSanitizer,
 * too. */
#include "transport/http_rig.h"

static void test_compressed_answers_and_clients_that_leave(void **state)
{
    enum { CLIENTS = 24, ROUNDS = 4 };
    struct rig rig;
    char *text = malloc(200 * 1024);
    int answered = 0;
    (void)state;
    assert_non_null(text);
    memset(text, 'x', 200 * 1024);
    rig_begin(&rig, NULL, NULL);
    rig.large = (struct str){ text, 200 * 1024 };
    for (int round = 0; round < ROUNDS; round++) {
        int fds[CLIENTS];
        for (int i = 0; i < CLIENTS; i++) {
            fds[i] = rig_connect(&rig);
            rig_send(&rig, fds[i],
                     "GET /large HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n");
        }
        for (int i = 0; i < CLIENTS; i += 3)
            close(fds[i]);
        for (int i = 0; i < CLIENTS; i++) {
            struct buf out = { 0 };
            if (i % 3 == 0)
                continue;
            assert_true(rig_read_until(&rig, fds[i], &out, "Content-Encoding: gzip"));
            answered++;
            close(fds[i]);
            mgi_buf_fini(&out);
        }
    }
    assert_int_equal(answered, ROUNDS * CLIENTS * 2 / 3);
    rig_end(&rig); /* the listener may close before the last worker is done */
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compressed_answers_and_clients_that_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
