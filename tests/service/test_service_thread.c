/* Under TSan: callers on many threads while the server is loaded again, watched, and stopped. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>

#include "service/service_fixture.h"

/* libuv closes its descriptors by a bare system call, which TSan does not see: a number that is
 * used again by another thread looks to it like one descriptor that two threads share. */
const char *__tsan_default_suppressions(void); /* NOLINT(bugprone-reserved-identifier) */
const char *__tsan_default_suppressions(void)  /* NOLINT(bugprone-reserved-identifier) */
{
    return "race:closedir\nrace:^close$\n";
}

#define CALLERS 12
#define ROUNDS  30

struct world {
    struct small_domain domain;
    manglecp_service *service;
    int port;
    atomic_int answered, lost;
    atomic_bool done;
};

static void *run(void *context)
{
    struct world *w = context;
    char message[1024];
    assert_int_equal(manglecp_service_run(w->service, message, sizeof message), MANGLECP_OK);
    return NULL;
}

static void *call(void *context)
{
    static const char *const paths[] = { "/ready", "/metrics",
                                         "/.well-known/manglecp/manifest.json" };
    struct world *w = context;
    char request[2048], answer[32768];
    for (int i = 0; i < ROUNDS; i++) {
        if (i % 2)
            http_request(request, sizeof request, "POST", "/manglecp/evaluate", INTENT_GO);
        else
            http_request(request, sizeof request, "GET", paths[i / 2 % 3], "");
        if (http_ask(w->port, request, answer, sizeof answer))
            atomic_fetch_add(&w->answered, 1);
        else
            atomic_fetch_add(&w->lost, 1);
    }
    return NULL;
}

static void *load_again(void *context)
{
    struct world *w = context;
    char request[2048], answer[32768];
    http_request(request, sizeof request, "GET", "/ready", "");
    do /* what does not load at the start ends it */
        assert_true(http_ask(w->port, request, answer, sizeof answer));
    while (!strstr(answer, " 200 "));
    http_request(request, sizeof request, "POST", "/reload", "");
    for (int i = 0; !atomic_load(&w->done); i++) {
        small_write(&w->domain, "rules/domain/d.mg", i % 3 ? "" : "this is no rule");
        manglecp_service_reload(w->service);
        if (i % 4 == 0)
            (void)http_ask(w->port, request, answer, sizeof answer);
        usleep(5000);
    }
    return NULL;
}

static void test_callers_reloads_and_the_end_do_not_race(void **state)
{
    (void)state;
    struct world w = { .port = 0 };
    pthread_t server, reloader, callers[CALLERS];
    char message[1024];
    small_make(&w.domain);
    struct manglecp_service_options options = {
        .config = "{watch: true, log: {level: warn}}",
        .domain = w.domain.folder,
        .token = SERVICE_TOKEN,
        .log = no_log,
    };
    assert_int_equal(manglecp_service_new(&options, &w.service, message, sizeof message),
                     MANGLECP_OK);
    assert_int_equal(
        manglecp_service_listen(w.service, "127.0.0.1:0", &w.port, message, sizeof message),
        MANGLECP_OK);
    pthread_create(&server, NULL, run, &w);
    pthread_create(&reloader, NULL, load_again, &w);
    for (int i = 0; i < CALLERS; i++)
        pthread_create(&callers[i], NULL, call, &w);
    for (int i = 0; i < CALLERS; i++)
        pthread_join(callers[i], NULL);
    atomic_store(&w.done, true);
    pthread_join(reloader, NULL);
    manglecp_service_reload(w.service);
    manglecp_service_stop(w.service);
    manglecp_service_stop(w.service);
    pthread_join(server, NULL);
    manglecp_service_free(w.service);
    small_remove(&w.domain);
    assert_int_equal(atomic_load(&w.lost), 0); /* every caller was answered, whatever happened */
    assert_int_equal(atomic_load(&w.answered), CALLERS * ROUNDS);
}

static void test_stopped_while_it_loads(void **state)
{
    (void)state;
    struct world w = { .port = 0 };
    char message[1024];
    small_make(&w.domain);
    for (int i = 0; i < 20; i++) {
        struct manglecp_service_options options = { .domain = w.domain.folder, .log = no_log };
        pthread_t server;
        assert_int_equal(manglecp_service_new(&options, &w.service, message, sizeof message),
                         MANGLECP_OK);
        pthread_create(&server, NULL, run, &w);
        usleep((useconds_t)i * 500);
        manglecp_service_stop(w.service);
        manglecp_service_stop(w.service);
        pthread_join(server, NULL);
        manglecp_service_free(w.service);
    }
    small_remove(&w.domain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_callers_reloads_and_the_end_do_not_race),
        cmocka_unit_test(test_stopped_while_it_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
