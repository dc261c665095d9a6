/* Sessions against real toolhost processes and the fixture plugins: what goes well, and that what a
 * plugin does to its host is one failed step and no more. Skipped where the programs are not built.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "toolpool/toolpool.h"

#define TOOLHOST MGI_BUILD_DIR "/bin/toolhost"
#define OK       MGI_BUILD_DIR "/test-plugins/ok.so"
#define HOSTILE  MGI_BUILD_DIR "/test-plugins/hostile.so"

struct fixture {
    uv_loop_t loop;
    struct toolpool *pool;
    struct toolsession *session;
    const char *why;
    bool ready, done, closed;
    enum tool_outcome outcome;
    bool indeterminate;
    char output[256], error[256], delta[512];
    uint32_t step;
};

static void on_ready(void *context, struct toolsession *session, const char *why)
{
    struct fixture *f = context;
    f->session = session;
    f->why = why;
    f->ready = true;
}

static void on_done(void *context, const struct tool_result *r)
{
    struct fixture *f = context;
    struct buf text = { 0 };
    f->done = true;
    f->outcome = r->outcome;
    f->indeterminate = r->indeterminate;
    snprintf(f->error, sizeof f->error, "%.*s", STR_ARG(r->error));
    mgi_json_canonical(&text, &r->output);
    snprintf(f->output, sizeof f->output, "%s", text.ptr);
    mgi_buf_clear(&text);
    mgi_json_canonical(&text, &r->state_delta);
    snprintf(f->delta, sizeof f->delta, "%s", text.ptr);
    mgi_buf_fini(&text);
}

static void on_closed(void *context)
{
    ((struct fixture *)context)->closed = true;
}

static void run_until(struct fixture *f, const bool *flag)
{
    while (!*flag)
        assert_true(uv_run(&f->loop, UV_RUN_ONCE) != 0 || *flag);
}

static int64_t usual_timeout_ms; /* of the pools that are opened; 0: the default */

static void open_pool(struct fixture *f, const char *toolhost)
{
    if (access(TOOLHOST, X_OK) != 0 || access(OK, R_OK) != 0 || access(HOSTILE, R_OK) != 0)
        skip();
    memset(f, 0, sizeof *f);
    uv_loop_init(&f->loop);
    struct toolpool_options options = {
        .toolhost = toolhost, .hosts = 1, .timeout_ms = usual_timeout_ms, .enforce_leases = true
    };
    f->pool = mgi_toolpool_new(&f->loop, &options);
    assert_non_null(f->pool);
}

static void take(struct fixture *f, const char *plugin)
{
    f->ready = false;
    assert_non_null(mgi_toolsession_take(f->pool, str_of(plugin), 5000, on_ready, f));
    assert_false(f->ready); /* never from inside */
    run_until(f, &f->ready);
}

static void start_call(struct fixture *f, const char *aid, const char *inputs, int tier,
                       int64_t timeout_ms)
{
    struct tool_request r = { .aid = str_of(aid),
                              .inputs = str_of(inputs),
                              .invocation_id = STR_LIT("0123456789abcdef0123456789abcdef"),
                              .step = f->step,
                              .timeout_ms = timeout_ms,
                              .tier = tier,
                              .issuer = "policy",
                              .first = f->step == 0 };
    f->step++;
    f->done = false;
    mgi_toolsession_call(f->session, &r, on_done, f);
    assert_false(f->done);
}

static void call(struct fixture *f, const char *aid, const char *inputs, int tier,
                 int64_t timeout_ms)
{
    start_call(f, aid, inputs, tier, timeout_ms);
    run_until(f, &f->done);
}

static void close_pool(struct fixture *f)
{
    if (f->session)
        mgi_toolsession_release(f->session);
    mgi_toolpool_close(f->pool, on_closed, f);
    run_until(f, &f->closed);
    assert_int_equal(uv_run(&f->loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&f->loop), 0);
}

static void test_a_step_is_answered(void **state)
{
    (void)state;
    struct fixture f;
    open_pool(&f, TOOLHOST);
    take(&f, OK);
    call(&f, "AID.TEST.ECHO.v1", "{\"b\":1,\"a\":[true,null]}", 0, 0);
    assert_int_equal(f.outcome, TOOL_OK);
    assert_string_equal(f.output, "{\"a\":[true,null],\"b\":1}");
    call(&f, "AID.TEST.FACTS.v1", "{}", 0, 0); /* T-MCP-19, T-DISP-21 */
    assert_non_null(strstr(f.output, "\"request_id\":\"0123456789abcdef0123456789abcdef.1\""));
    assert_non_null(strstr(f.output, "\"key\":\"0123456789abcdef0123456789abcdef/1/0\""));
    assert_non_null(strstr(f.output, "\"state\":64")); /* what ECHO left in slot 6 */
    call(&f, "AID.TEST.FAIL.v1", "{}", 0, 0);
    assert_int_equal(f.outcome, TOOL_ERROR);
    assert_string_equal(f.error, "boom");
    call(&f, "AID.TEST.STATUS.v1", "{\"status\":1}", 0, 0);
    assert_int_not_equal(f.outcome, TOOL_OK);
    call(&f, "AID.TEST.NONE.v1", "{}", 0, 0);
    assert_int_equal(f.outcome, TOOL_REFUSED);
    close_pool(&f);
}

static void test_an_invocation_begins_with_an_empty_state(void **state)
{
    (void)state;
    struct fixture f;
    open_pool(&f, TOOLHOST);
    take(&f, OK);
    call(&f, "AID.TEST.ECHO.v1", "{}", 0, 0);
    mgi_toolsession_release(f.session);
    f.step = 0;
    take(&f, OK);
    call(&f, "AID.TEST.FACTS.v1", "{}", 0, 0);
    assert_non_null(strstr(f.output, "\"state\":0")); /* T-MCP-2 */
    close_pool(&f);
}

static void test_facts_of_a_tool_are_taken_out_of_its_state(void **state)
{
    (void)state;
    struct fixture f;
    open_pool(&f, TOOLHOST);
    take(&f, OK);
    call(&f, "AID.TEST.PUT.v1",
         "{\"slot\":2,\"type\":\"manglecp.state_delta\",\"content\":\"{\\\"assert\\\":[]}\"}", 0,
         0);
    assert_string_equal(f.delta, "{\"assert\":[]}"); /* T-MCP-24 */
    call(&f, "AID.TEST.FACTS.v1", "{}", 0, 0);
    assert_string_equal(f.delta, "null");
    assert_non_null(strstr(f.output, "\"state\":0")); /* the slot was emptied */
    close_pool(&f);
}

static void test_what_acts_needs_a_lease_and_gets_one_for_its_inputs(void **state)
{
    (void)state;
    struct fixture f;
    char path[] = "/tmp/toolpool-count-XXXXXX";
    int fd = mkstemp(path);
    close(fd);
    setenv("MACHINA_TOOLHOST_PASS_ENV", "MACHINA_TEST_COUNT", 1);
    setenv("MACHINA_TEST_COUNT", path, 1);
    open_pool(&f, TOOLHOST);
    take(&f, OK);
    call(&f, "AID.TEST.COUNT.v1", "{\"ms\":0, \"z\":1.50, \"a\":\"\\u00e9\\/\"}", 1, 0);
    assert_int_equal(f.outcome, TOOL_OK); /* T-MCP-16 */
    assert_string_equal(f.output, "{\"n\":1}");
    call(&f, "AID.TEST.COUNT.v1", "{}", 0, 0); /* as tier 0: no lease is asked for */
    assert_int_equal(f.outcome, TOOL_LEASE);   /* T-MCP-18 */
    assert_false(f.indeterminate);
    close_pool(&f);
    unlink(path);
    unsetenv("MACHINA_TEST_COUNT");
    unsetenv("MACHINA_TOOLHOST_PASS_ENV");
}

static void test_a_tool_that_misbehaves_is_one_failed_step(void **state)
{
    (void)state;
    static const struct {
        const char *aid;
        enum tool_outcome outcome;
        bool indeterminate;
    } rows[] = {
        { "AID.HOSTILE.SEGV.v1", TOOL_CRASH, true },
        { "AID.HOSTILE.EXIT.v1", TOOL_CRASH, true },
        { "AID.HOSTILE.HANG.v1", TOOL_TIMEOUT, true },
        { "AID.HOSTILE.HANG_SIG.v1", TOOL_TIMEOUT, true },
        { "AID.HOSTILE.PRINT_2MB.v1", TOOL_OK, false },
        { "AID.HOSTILE.OUT_2MB.v1", TOOL_TOO_LARGE, false },
        { "AID.HOSTILE.BADJSON.v1", TOOL_BAD_OUTPUT, false },
        { "AID.HOSTILE.BADUTF8.v1", TOOL_BAD_OUTPUT, false },
    };
    struct fixture f;
    open_pool(&f, TOOLHOST);
    take(&f, HOSTILE);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        call(&f, rows[i].aid, "{}", 0, 300);
        if (f.outcome != rows[i].outcome || f.indeterminate != rows[i].indeterminate)
            fail_msg("%s: outcome %d (%s)", rows[i].aid, f.outcome, f.error);
        call(&f, "AID.HOSTILE.PRINT.v1", "{}", 0, 0);
        if (f.outcome != TOOL_OK)
            fail_msg("after %s: outcome %d (%s)", rows[i].aid, f.outcome, f.error);
    }
    close_pool(&f);
}

static void test_a_call_may_be_allowed_more_time_than_is_usual(void **state)
{
    (void)state;
    struct fixture f;
    usual_timeout_ms = 100;
    open_pool(&f, TOOLHOST);
    usual_timeout_ms = 0;
    take(&f, OK);
    call(&f, "AID.TEST.SLEEP.v1", "{\"ms\":400}", 0, 0);
    assert_int_equal(f.outcome, TOOL_TIMEOUT);
    call(&f, "AID.TEST.SLEEP.v1", "{\"ms\":400}", 0, 3000);
    assert_int_equal(f.outcome, TOOL_OK);
    close_pool(&f);
}

static void test_a_running_step_is_cancelled(void **state)
{
    (void)state;
    struct fixture f;
    open_pool(&f, TOOLHOST);
    take(&f, OK);
    call(&f, "AID.TEST.FACTS.v1", "{}", 0, 0); /* the worker is up */
    uint64_t start = uv_hrtime();
    start_call(&f, "AID.TEST.SLEEP.v1", "{\"ms\":20000,\"poll\":1}", 0, 0);
    for (int i = 0; i < 20; i++) {
        uv_run(&f.loop, UV_RUN_NOWAIT);
        usleep(5000);
    }
    mgi_toolsession_cancel(f.session);
    mgi_toolsession_cancel(f.session); /* twice is once */
    run_until(&f, &f.done);
    assert_int_equal(f.outcome, TOOL_CANCELLED); /* P-CONC-6 */
    assert_true(uv_hrtime() - start < UINT64_C(5000000000));
    call(&f, "AID.TEST.ECHO.v1", "{}", 0, 0);
    assert_int_equal(f.outcome, TOOL_OK);
    start_call(&f, "AID.TEST.ECHO.v1", "{}", 0, 0);
    mgi_toolsession_cancel(f.session); /* at once: perhaps before it began */
    run_until(&f, &f.done);
    assert_true(f.outcome == TOOL_CANCELLED || f.outcome == TOOL_OK);
    close_pool(&f);
}

static void test_sessions_are_lent_in_order_and_waiting_ends(void **state)
{
    (void)state;
    struct fixture f, g = { 0 };
    open_pool(&f, TOOLHOST);
    take(&f, OK);
    assert_non_null(mgi_toolsession_take(f.pool, STR_LIT(OK), 50, on_ready, &g));
    run_until(&f, &g.ready);
    assert_null(g.session); /* one host, and it is out */
    assert_non_null(g.why);
    g.ready = false;
    assert_non_null(mgi_toolsession_take(f.pool, STR_LIT(OK), 5000, on_ready, &g));
    struct toolticket *dropped = mgi_toolsession_take(f.pool, STR_LIT(OK), 5000, on_ready, NULL);
    mgi_toolsession_forget(dropped);
    for (int i = 0; i < 5; i++)
        uv_run(&f.loop, UV_RUN_NOWAIT);
    assert_false(g.ready);
    mgi_toolsession_release(f.session);
    f.session = NULL;
    run_until(&f, &g.ready);
    assert_non_null(g.session);
    mgi_toolsession_release(g.session);
    close_pool(&f);
}

static void test_without_a_host_the_answer_is_unavailable(void **state)
{
    (void)state;
    struct fixture f;
    open_pool(&f, "/nowhere/toolhost");
    take(&f, OK);
    call(&f, "AID.TEST.ECHO.v1", "{}", 0, 0);
    assert_int_equal(f.outcome, TOOL_UNAVAILABLE);
    assert_false(f.indeterminate);
    close_pool(&f);

    open_pool(&f, TOOLHOST);
    take(&f, MGI_BUILD_DIR "/test-plugins/bad_noinit.so");
    call(&f, "AID.TEST.ECHO.v1", "{}", 0, 0);
    assert_int_equal(f.outcome, TOOL_UNAVAILABLE);
    close_pool(&f);
}

/* A host that is a shell script: what ours would never do. */
static void broken_host(const char *script, enum tool_outcome expected, bool indeterminate)
{
    char path[] = "/tmp/toolpool-host-XXXXXX";
    int fd = mkstemp(path);
    dprintf(fd, "#!/bin/sh\n%s\n", script);
    fchmod(fd, 0700);
    close(fd);
    struct fixture f;
    open_pool(&f, path);
    take(&f, OK);
    for (int i = 0; i < 2; i++) { /* the second call gets a host of its own */
        call(&f, "AID.TEST.ECHO.v1", "{}", 0, 300);
        if (f.outcome != expected || f.indeterminate != indeterminate)
            fail_msg("%s: outcome %d (%s)", script, f.outcome, f.error);
    }
    close_pool(&f);
    unlink(path);
}

static void test_a_broken_host_is_discarded(void **state)
{
    (void)state;
    static const char good[] =
        "{\\\"ok\\\":true,\\\"status\\\":\\\"OK\\\",\\\"output_json\\\":"
        "\\\"{}\\\",\\\"error\\\":\\\"\\\",\\\"request_id\\\":\\\"other\\\"}";
    char foreign[300];
    snprintf(foreign, sizeof foreign, "read l; echo \"%s\"; read m", good);
    broken_host("read l; head -c 3000000 /dev/zero | tr '\\0' a; read m", TOOL_CRASH,
                true); /* T-DISP-15 */
    broken_host("read l; echo rubbish; read m", TOOL_CRASH, true);
    broken_host("read l; exit 0", TOOL_CRASH, true);
    broken_host("read l; exec 1>&-; read m", TOOL_CRASH, true);
    broken_host(foreign, TOOL_CRASH, true); /* T-DISP-21 */
    broken_host("exit 3", TOOL_UNAVAILABLE, false);
}

static void test_closing_answers_everybody(void **state)
{
    (void)state;
    struct fixture f, g = { 0 };
    open_pool(&f, TOOLHOST);
    take(&f, OK);
    start_call(&f, "AID.TEST.SLEEP.v1", "{\"ms\":20000}", 0, 0);
    assert_non_null(mgi_toolsession_take(f.pool, STR_LIT(OK), 5000, on_ready, &g));
    mgi_toolpool_close(f.pool, on_closed, &f);
    run_until(&f, &f.done);
    run_until(&f, &g.ready);
    assert_null(g.session);
    assert_int_equal(f.outcome, TOOL_CANCELLED);
    assert_false(f.closed); /* the session is still out */
    mgi_toolsession_release(f.session);
    run_until(&f, &f.closed);
    assert_int_equal(uv_run(&f.loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&f.loop), 0);
}

static void test_closing_lets_plugins_clean_up(void **state)
{
    (void)state;
    struct fixture f;
    char folder[] = "/tmp/toolpool-fini-XXXXXX", path[100];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/fini", folder);
    setenv("MACHINA_TOOL_FINI", path, 1);
    open_pool(&f, TOOLHOST);
    take(&f, OK);
    call(&f, "AID.TEST.ECHO.v1", "{}", 0, 0);
    close_pool(&f);
    assert_int_equal(access(path, F_OK), 0); /* T-DISP-16 */
    unlink(path);
    rmdir(folder);
    unsetenv("MACHINA_TOOL_FINI");
}

static void test_a_deaf_host_does_not_stop_the_end(void **state)
{
    (void)state;
    char path[] = "/tmp/toolpool-host-XXXXXX";
    int fd = mkstemp(path);
    dprintf(fd, "#!/bin/sh\ntrap '' TERM\nread l\nwhile :; do sleep 0.1; done\n");
    fchmod(fd, 0700);
    close(fd);
    struct fixture f;
    open_pool(&f, path);
    take(&f, OK);
    start_call(&f, "AID.TEST.ECHO.v1", "{}", 0, 0);
    uint64_t start = uv_hrtime();
    mgi_toolsession_cancel(f.session);
    run_until(&f, &f.done);
    assert_int_equal(f.outcome, TOOL_CANCELLED);
    assert_true(f.indeterminate);
    close_pool(&f);
    assert_true(uv_hrtime() - start < UINT64_C(8000000000));
    unlink(path);
}

static void test_a_plugin_is_listed(void **state)
{
    (void)state;
    if (access(TOOLHOST, X_OK) != 0 || access(OK, R_OK) != 0)
        skip();
    struct arena a;
    struct action *actions = NULL;
    size_t count = 0;
    const char *why = NULL;
    mgi_arena_init(&a, 0);
    struct action_source source = mgi_toolpool_actions(TOOLHOST);
    if (!source.list(source.context, NULL, &a, STR_LIT(OK), &actions, &count, &why))
        fail_msg("%s", why);
    assert_true(count > 5);
    bool found = false;
    for (size_t i = 0; i < count; i++)
        if (str_is(actions[i].aid, "AID.TEST.COUNT.v1")) {
            found = true;
            assert_int_equal(actions[i].tier, 1);
            assert_int_equal(actions[i].effect_count, 1);
            assert_true(str_is(actions[i].effects[0], "filesystem")); /* 11.4 */
            assert_true(str_is(actions[i].name, "count"));
            assert_true(actions[i].deterministic);
        }
    assert_true(found);
    assert_false(
        source.list(source.context, NULL, &a, STR_LIT("/nowhere.so"), &actions, &count, &why));
    assert_non_null(why);
    source = mgi_toolpool_actions("/nowhere/toolhost");
    assert_false(source.list(source.context, NULL, &a, STR_LIT(OK), &actions, &count, &why));
    assert_non_null(why);
    mgi_arena_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_step_is_answered),
        cmocka_unit_test(test_an_invocation_begins_with_an_empty_state),
        cmocka_unit_test(test_facts_of_a_tool_are_taken_out_of_its_state),
        cmocka_unit_test(test_what_acts_needs_a_lease_and_gets_one_for_its_inputs),
        cmocka_unit_test(test_a_tool_that_misbehaves_is_one_failed_step),
        cmocka_unit_test(test_a_call_may_be_allowed_more_time_than_is_usual),
        cmocka_unit_test(test_a_running_step_is_cancelled),
        cmocka_unit_test(test_sessions_are_lent_in_order_and_waiting_ends),
        cmocka_unit_test(test_without_a_host_the_answer_is_unavailable),
        cmocka_unit_test(test_a_broken_host_is_discarded),
        cmocka_unit_test(test_closing_answers_everybody),
        cmocka_unit_test(test_closing_lets_plugins_clean_up),
        cmocka_unit_test(test_a_deaf_host_does_not_stop_the_end),
        cmocka_unit_test(test_a_plugin_is_listed),
    };
    signal(SIGPIPE, SIG_IGN);                        /* as every program that uses the pool */
    setenv("MACHINA_TOOLHOST_RLIMIT_AS_MB", "0", 0); /* sanitizers reserve address space */
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
