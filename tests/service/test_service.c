/* The server as a library: made, run, loaded again, stopped, by any program. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>

#include "service/service_fixture.h"

struct world {
    struct small_domain domain;
    manglecp_service *service;
    int port;
    pthread_t thread;
    enum manglecp_status status; /* of run */
    char message[4096];
    pthread_mutex_t mutex;
    char log[1 << 16];
};

static void keep_log(void *context, const char *line, size_t len)
{
    struct world *w = context;
    pthread_mutex_lock(&w->mutex);
    size_t at = strlen(w->log);
    if (at + len + 2 < sizeof w->log)
        snprintf(w->log + at, sizeof w->log - at, "%.*s\n", (int)len, line);
    pthread_mutex_unlock(&w->mutex);
}

static bool has_logged(struct world *w, const char *text)
{
    pthread_mutex_lock(&w->mutex);
    bool found = strstr(w->log, text) != NULL;
    pthread_mutex_unlock(&w->mutex);
    return found;
}

static void wait_for_log(struct world *w, const char *text)
{
    for (int i = 0; i < 2000 && !has_logged(w, text); i++)
        usleep(10000);
    if (!has_logged(w, text))
        fail_msg("never logged: %s\n%s", text, w->log);
}

static int setup(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    small_make(&w->domain);
    pthread_mutex_init(&w->mutex, NULL);
    *state = w;
    return 0;
}

static int teardown(void **state)
{
    struct world *w = *state;
    small_remove(&w->domain);
    pthread_mutex_destroy(&w->mutex);
    free(w);
    return 0;
}

static void make(struct world *w, const char *config)
{
    struct manglecp_service_options options = { .config = config,
                                                .domain = w->domain.folder,
                                                .token = SERVICE_TOKEN,
                                                .log = keep_log,
                                                .context = w };
    enum manglecp_status status =
        manglecp_service_new(&options, &w->service, w->message, sizeof w->message);
    if (status != MANGLECP_OK)
        fail_msg("%s", w->message);
}

static void listen_on(struct world *w)
{
    if (manglecp_service_listen(w->service, "127.0.0.1:0", &w->port, w->message,
                                sizeof w->message) != MANGLECP_OK)
        fail_msg("%s", w->message);
    assert_true(w->port > 0);
}

static void *run(void *context)
{
    struct world *w = context;
    w->status = manglecp_service_run(w->service, w->message, sizeof w->message);
    return NULL;
}

static void start(struct world *w)
{
    assert_int_equal(pthread_create(&w->thread, NULL, run, w), 0);
}

static void end(struct world *w)
{
    pthread_join(w->thread, NULL);
    manglecp_service_free(w->service);
    w->service = NULL;
}

static void expect_answer(const struct world *w, const char *method, const char *path,
                          const char *body, const char *wanted)
{
    char request[2048], answer[16384];
    http_request(request, sizeof request, method, path, body);
    assert_true(http_ask(w->port, request, answer, sizeof answer));
    if (!strstr(answer, wanted))
        fail_msg("%s %s: no %s in\n%s", method, path, wanted, answer);
}

static void test_a_service_serves_until_it_is_stopped(void **state)
{
    struct world *w = *state;
    make(w, NULL);
    listen_on(w);
    start(w);
    wait_for_log(w, "ready: small");
    expect_answer(w, "GET", "/ready", "", "ready\n");
    expect_answer(w, "POST", "/manglecp/evaluate", INTENT_GO, "\"macro_tools\":[]");
    manglecp_service_stop(w->service);
    end(w);
    assert_int_equal(w->status, MANGLECP_OK);
    assert_string_equal(w->message, "");
}

static void test_clients_may_connect_before_it_runs(void **state)
{
    struct world *w = *state;
    make(w, "listen: [\"127.0.0.1:0\"]");
    listen_on(w); /* one more */
    char line[64];
    snprintf(line, sizeof line, "listening on http://127.0.0.1:%d", w->port);
    assert_true(has_logged(w, line));
    start(w);
    expect_answer(w, "GET", "/health", "", "ok\n");
    manglecp_service_stop(w->service);
    end(w);
}

static void test_reload_is_asked_from_another_thread(void **state)
{
    struct world *w = *state;
    make(w, NULL);
    listen_on(w);
    start(w);
    wait_for_log(w, "ready: small");
    small_write(&w->domain, "rules/domain/broken.mg", "this is no rule");
    manglecp_service_reload(w->service);
    wait_for_log(w, "rules/domain/broken.mg:1:");
    expect_answer(w, "GET", "/ready", "", "ready\n");
    small_write(&w->domain, "rules/domain/broken.mg", "");
    manglecp_service_reload(w->service);
    wait_for_log(w, "loaded again: small");
    manglecp_service_stop(w->service);
    end(w);
    assert_int_equal(w->status, MANGLECP_OK);
}

static void test_two_services_live_in_one_program(void **state)
{
    struct world *w = *state;
    struct world *other;
    setup((void **)&other);
    make(w, NULL);
    make(other, NULL);
    listen_on(w);
    listen_on(other);
    start(w);
    start(other);
    wait_for_log(w, "ready: small");
    wait_for_log(other, "ready: small");
    manglecp_service_stop(w->service);
    end(w);
    expect_answer(other, "GET", "/ready", "", "ready\n");
    manglecp_service_stop(other->service);
    end(other);
    teardown((void **)&other);
}

static void test_a_domain_that_does_not_load_is_said(void **state)
{
    struct world *w = *state;
    small_write(&w->domain, "rules/domain/broken.mg", "this is no rule");
    make(w, NULL); /* its settings are good */
    listen_on(w);
    start(w);
    end(w);
    assert_int_equal(w->status, MANGLECP_ERR_USAGE);
    assert_non_null(strstr(w->message, "rules/domain/broken.mg:1:"));
}

static void test_what_is_wrong_is_said_and_nothing_is_left(void **state)
{
    struct world *w = *state;
    char bad[128];
    snprintf(bad, sizeof bad, "domain: %s\nlisten: [\"127.0.0.1:0\", \"192.0.2.1:1\"]\nlogg: 1\n",
             w->domain.folder);
    static const struct {
        const char *config, *domain, *token;
        enum manglecp_status status;
        const char *says;
    } cases[] = {
        { "listen: [\"0.0.0.0:0\"]", ".", "t", MANGLECP_ERR_USAGE, "needs TLS" },
        { "listen: [\"127.0.0.1:0\"]", ".", NULL, MANGLECP_ERR_USAGE, "needs credentials" },
        { "logg: 1", ".", "t", MANGLECP_ERR_USAGE, "my.yaml:1:1: error: unknown key \"logg\"" },
        { NULL, NULL, "t", MANGLECP_ERR_USAGE, "there is no domain" },
        { NULL, "/nowhere", "t", MANGLECP_ERR_USAGE, "/nowhere is not a domain folder" },
        { "auth: {file: /nowhere/tokens}", NULL, "t", MANGLECP_ERR_USAGE, "/nowhere/tokens" },
        { "listen: [\"192.0.2.1:1\", systemd]\nauth: {open_demo: true}\n"
          "listen: x",
          NULL, "t", MANGLECP_ERR_USAGE, "given before" },
        { "listen: [{address: \"127.0.0.1:0\", tls: {certificate: /no/cert, key: /no/key}}]", NULL,
          "t", MANGLECP_ERR_USAGE, "/no/cert" },
        { "listen: [systemd]", NULL, "t", MANGLECP_ERR_TRANSPORT, "no socket was passed" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool own = cases[i].config && !cases[i].domain;
        struct manglecp_service_options options = {
            .config = cases[i].config,
            .config_name = "my.yaml",
            .domain = own ? w->domain.folder : cases[i].domain,
            .token = cases[i].token,
            .log = keep_log,
            .context = w,
        };
        if (options.domain && strcmp(options.domain, ".") == 0)
            options.domain = w->domain.folder;
        assert_int_equal(manglecp_service_new(&options, &w->service, w->message, sizeof w->message),
                         cases[i].status);
        assert_null(w->service);
        if (!strstr(w->message, cases[i].says))
            fail_msg("case %zu: no %s in\n%s", i, cases[i].says, w->message);
    }
    char tiny[8];
    struct manglecp_service_options options = { .domain = "/nowhere" };
    assert_int_equal(manglecp_service_new(&options, &w->service, tiny, sizeof tiny),
                     MANGLECP_ERR_USAGE);
    assert_int_equal(strlen(tiny), 7); /* cut, not overrun */
    assert_int_equal(manglecp_service_new(&options, &w->service, NULL, 0), MANGLECP_ERR_USAGE);
}

static void test_an_address_in_use_is_said(void **state)
{
    struct world *w = *state;
    char address[32];
    make(w, NULL);
    listen_on(w);
    snprintf(address, sizeof address, "127.0.0.1:%d", w->port);
    assert_int_equal(
        manglecp_service_listen(w->service, address, NULL, w->message, sizeof w->message),
        MANGLECP_ERR_TRANSPORT);
    assert_non_null(strstr(w->message, "in use"));
    assert_int_equal(
        manglecp_service_listen(w->service, "0.0.0.0:0", NULL, w->message, sizeof w->message),
        MANGLECP_ERR_USAGE);
    manglecp_service_free(w->service); /* never run */
    manglecp_service_free(NULL);
}

static void test_stopped_before_it_runs_it_ends_at_once(void **state)
{
    struct world *w = *state;
    make(w, NULL);
    listen_on(w);
    manglecp_service_stop(w->service);
    start(w);
    end(w);
    assert_int_equal(w->status, MANGLECP_OK);
}

int main(void)
{
#define ONE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        ONE(test_a_service_serves_until_it_is_stopped),
        ONE(test_clients_may_connect_before_it_runs),
        ONE(test_reload_is_asked_from_another_thread),
        ONE(test_two_services_live_in_one_program),
        ONE(test_a_domain_that_does_not_load_is_said),
        ONE(test_what_is_wrong_is_said_and_nothing_is_left),
        ONE(test_an_address_in_use_is_said),
        ONE(test_stopped_before_it_runs_it_ends_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
