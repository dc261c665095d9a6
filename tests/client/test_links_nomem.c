/* The links survive the failure of any allocation: nothing is left open, no child is left behind.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <errno.h>
#include <sys/wait.h>
#include <cmocka.h>

#include "fake_link.h"
#include "support/nomem.h"

static const struct manglecp_options options = { .token = "tok",
                                                 .confirm_key = "a2V5",
                                                 .ca_file = "/nowhere/ca.pem",
                                                 .certificate = "/nowhere/me.pem",
                                                 .timeout_ms = 20000 };

static const struct manglecp_options by_login = { .credentials = "/nowhere/credentials.json",
                                                  .timeout_ms = 20000 };

/* Nobody listens at port 1: all that a link does before it has a connection. */
static void fails_at_each(const char *url, const struct manglecp_options *o)
{
    size_t n = 1;
    for (;; n++) {
        char why[200];
        manglecp_client *client;
        nomem_fail_at(n);
        enum manglecp_status status = manglecp_connect(url, o, &client, why, sizeof why);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_null(client);
        assert_true(status == MANGLECP_ERR_TRANSPORT || (failed && status == MANGLECP_ERR_NOMEM));
        assert_true(failed || why[0]);
        if (!failed)
            break;
    }
    assert_true(n > 5);
}

static void test_connecting_survives_the_failure_of_any_allocation(void **state)
{
    (void)state;
    fails_at_each("http://127.0.0.1:1/manifest?x=y", &options);
    fails_at_each("ws://127.0.0.1:1/ws", &options);
    fails_at_each("wss://127.0.0.1:1", &options);
    fails_at_each("http://127.0.0.1:1", &by_login);
    fails_at_each("ws://127.0.0.1:1", &by_login);
}

static void ignore_line(void *context, const char *line, size_t len)
{
    (void)context, (void)line, (void)len;
}

static void keep_line(void *context, const char *line, size_t len)
{
    snprintf(context, 200, "%.*s", (int)len, line);
}

/* A child that answers one intent; the shell is patient enough for that. */
static enum manglecp_status ask_child_with(void (*line)(void *, const char *, size_t),
                                           void *context)
{
    static const char script[] =
        "awk '/^SigBlk/ { printf \"%s \", $2 } /^SigIgn/ { print substr($2, 13, 1) }' "
        "/proc/self/status >&2; echo "
        "'" FAKE_MANIFEST "'; read x; "
        "echo "
        "'{\"type\":\"intent_response\",\"id\":\"c-1\",\"manglecp\":\"2026-02-draft\",\"payload\":"
        "{\"eval_time_used\":\"2026-01-01T00:00:00Z\",\"macro_tools\":[]}}'; read x";
    const char *const words[] = { "sh", "-c", script, NULL };
    struct manglecp_options o = { .timeout_ms = 20000, .child_line = line, .context = context };
    manglecp_client *client;
    manglecp_tools *tools = NULL;
    enum manglecp_status status = manglecp_spawn(words, &o, &client, NULL, 0);
    assert_true((status == MANGLECP_OK) == (client != NULL));
    if (!status)
        status =
            manglecp_evaluate(client, &(struct manglecp_intent){ .name = "work" }, NULL, &tools);
    manglecp_tools_free(tools);
    manglecp_close(client);
    return status;
}

static enum manglecp_status ask_child(void)
{
    return ask_child_with(ignore_line, NULL);
}

static void test_a_childs_signals_are_its_own(void **state)
{
    (void)state;
    char line[200] = "";
    sigset_t some, before;
    sigemptyset(&some);
    sigaddset(&some, SIGTERM);
    sigaddset(&some, SIGPIPE);
    assert_int_equal(pthread_sigmask(SIG_BLOCK, &some, &before), 0);
    void (*was)(int) = signal(SIGPIPE, SIG_IGN);
    enum manglecp_status status = ask_child_with(keep_line, line);
    signal(SIGPIPE, was);
    assert_int_equal(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
    assert_int_equal(status, MANGLECP_OK);
    assert_string_equal(line, "0000000000000000 0");
}

static void test_a_child_is_put_away_whatever_fails(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        nomem_fail_at(n);
        enum manglecp_status status = ask_child();
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(status == MANGLECP_OK || (failed && status == MANGLECP_ERR_NOMEM));
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
        assert_int_equal(errno, ECHILD);
        if (!failed)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_connecting_survives_the_failure_of_any_allocation),
        cmocka_unit_test(test_a_childs_signals_are_its_own),
        cmocka_unit_test(test_a_child_is_put_away_whatever_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
