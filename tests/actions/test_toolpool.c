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
#include "actions/toolpool_int.h"
#include "domain/provider.h"

#define TOOLHOST MGI_BUILD_DIR "/bin/toolhost"
#define OK       MGI_BUILD_DIR "/test-plugins/ok.so"
#define HOSTILE  MGI_BUILD_DIR "/test-plugins/hostile.so"

struct fixture {
    struct arena arena; /* of the calls */
    struct tool_inputs inputs;
    uv_loop_t loop;
    struct toolpool *pool;
    struct toolsession *session;
    const char *why;
    enum toolsession_refusal refusal;
    bool ready, done, closed;
    enum tool_outcome outcome;
    bool indeterminate;
    char output[256], error[256], delta[512], evidence[512];
    uint32_t step;
};

static void on_ready(void *context, struct toolsession *session, enum toolsession_refusal refusal,
                     const char *why)
{
    struct fixture *f = context;
    f->session = session;
    f->refusal = refusal;
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
    mgi_buf_clear(&text);
    for (size_t i = 0; i < r->evidence_count; i++)
        mgi_json_canonical(&text, &r->evidence[i]);
    snprintf(f->evidence, sizeof f->evidence, "%s", text.ptr ? text.ptr : "");
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

/* Of the pools that are opened; 0: the default. */
static int64_t usual_timeout_ms;
static uint32_t hosts = 1, max_waiting;
static bool ungated;
static struct logger pool_log;

static void open_pool(struct fixture *f, const char *toolhost)
{
    if (access(TOOLHOST, X_OK) != 0 || access(OK, R_OK) != 0 || access(HOSTILE, R_OK) != 0)
        skip();
    memset(f, 0, sizeof *f);
    uv_loop_init(&f->loop);
    mgi_arena_init(&f->arena, 0);
    struct toolpool_options options = { .toolhost = toolhost,
                                        .hosts = hosts,
                                        .max_waiting = max_waiting,
                                        .timeout_ms = usual_timeout_ms,
                                        .log = pool_log.write ? &pool_log : NULL,
                                        .enforce_leases = !ungated };
    f->pool = mgi_toolpool_new(&f->loop, &options);
    assert_non_null(f->pool);
}

/* One provider for each plugin: pools tell them apart by their address. */
static const struct action_provider *provider_of(const char *plugin)
{
    static struct action_provider known[8];
    size_t i = 0;
    while (i < 8 && known[i].plugin.len > 0 && !str_is(known[i].plugin, plugin))
        i++;
    assert_true(i < 8);
    known[i] = (struct action_provider){ .kind = "plugins",
                                         .name = str_of(plugin),
                                         .plugin = str_of(plugin) };
    return &known[i];
}

/* A wish of `owner` that is told to `g`. */
static struct toolticket *wish(struct toolpool *pool, const char *plugin, uint64_t owner,
                               int64_t wait_ms, struct fixture *g)
{
    struct toolwish w = { .provider = provider_of(plugin),
                          .owner = owner,
                          .wait_ms = wait_ms,
                          .ready = on_ready,
                          .context = g };
    g->ready = false;
    g->session = NULL;
    struct toolticket *t = mgi_toolsession_take(pool, &w);
    assert_non_null(t);
    return t;
}

static void take(struct fixture *f, const char *plugin)
{
    wish(f->pool, plugin, 0, 5000, f);
    assert_false(f->ready); /* never from inside */
    run_until(f, &f->ready);
}

static void (*wants_progress)(void *context, double percent, struct str detail);

static void start_call(struct fixture *f, const char *aid, const char *inputs, int tier,
                       int64_t timeout_ms)
{
    assert_true(mgi_tool_inputs(&f->arena, str_of(inputs), tier > 0, &f->inputs));
    struct tool_request r = { .arena = &f->arena,
                              .aid = str_of(aid),
                              .inputs = &f->inputs,
                              .invocation_id = STR_LIT("0123456789abcdef0123456789abcdef"),
                              .step = f->step,
                              .timeout_ms = timeout_ms,
                              .tier = tier,
                              .issuer = "policy",
                              .kept = f->step > 0,
                              .progress = wants_progress };
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
    mgi_arena_fini(&f->arena);
}

static void keep_line(void *context, enum log_level level, const char *line, size_t len)
{
    char *kept = context;
    assert_int_equal(level, LOG_WARN);
    snprintf(kept, 200, "%.*s", (int)len, line);
}

static void test_without_enforcement_nothing_is_gated_and_that_is_said(void **state)
{
    (void)state;
    struct fixture f;
    char said[200] = "";
    pool_log = (struct logger){ LOG_WARN, keep_line, said };
    ungated = true;
    open_pool(&f, TOOLHOST);
    ungated = false;
    assert_non_null(strstr(said, "side effects are not gated")); /* T-MCP-18 */
    take(&f, OK);
    call(&f, "AID.TEST.SPAWN.v1", "{}", 0, 0); /* as tier 0: no lease is asked for */
    assert_int_equal(f.outcome, TOOL_OK);
    call(&f, "AID.TEST.SPAWN.v1", "{}", 2, 0);
    assert_int_equal(f.outcome, TOOL_OK);
    close_pool(&f);
    pool_log.write = NULL;
}

/* Answers with the inputs of a step, but its second call fails. */
static void play(void *context, const struct tool_request *request, struct tool_result *result)
{
    unsigned *calls = context;
    assert_int_equal(result->outcome, TOOL_OK);
    result->output = request->inputs->value;
    if (++*calls != 2)
        return;
    result->outcome = TOOL_TIMEOUT;
    result->error = STR_LIT("played");
    result->indeterminate = true;
}

static void test_a_pool_that_is_played_starts_no_host(void **state)
{
    struct fixture f = { 0 };
    struct toolpool_stats stats;
    unsigned calls = 0;
    (void)state;
    const struct toolpool_options options = {
        .hosts = 1, .enforce_leases = true, .play = play, .play_context = &calls
    };
    uv_loop_init(&f.loop);
    mgi_arena_init(&f.arena, 0);
    f.pool = mgi_toolpool_new(&f.loop, &options);
    assert_non_null(f.pool);
    take(&f, "/there/is/no/such.so");
    assert_non_null(f.session);
    call(&f, "AID.NO.SUCH.v1", "{\"x\":1}", 2, 0); /* told later, and without a lease */
    assert_int_equal(f.outcome, TOOL_OK);
    assert_string_equal(f.output, "{\"x\":1}");
    call(&f, "AID.NO.SUCH.v1", "{}", 0, 0);
    assert_int_equal(f.outcome, TOOL_TIMEOUT);
    assert_string_equal(f.error, "played");
    assert_true(f.indeterminate);
    mgi_toolpool_stats(f.pool, &stats);
    assert_int_equal(stats.started, 0);
    assert_int_equal(stats.hosts, 0);
    assert_int_equal(calls, 2);
    close_pool(&f);
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

static void test_an_invocation_begins_with_an_empty_state(void **state) /* C-182 */
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

static void test_evidence_is_taken_out_of_the_state_too(void **state)
{
    (void)state;
    struct fixture f;
    open_pool(&f, TOOLHOST);
    take(&f, OK);
    call(&f, "AID.TEST.PUT.v1",
         "{\"slot\":3,\"type\":\"manglecp.evidence\",\"content\":\"{\\\"facts\\\":[]}\"}", 0, 0);
    assert_string_equal(f.evidence, "{\"facts\":[]}"); /* T-MCP-32 */
    assert_string_equal(f.delta, "null");
    call(&f, "AID.TEST.FACTS.v1", "{}", 0, 0);
    assert_string_equal(f.evidence, "");
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
        /* T-RSP-10: they ran, and what they did cannot be told */
        { "AID.HOSTILE.OUT_2MB.v1", TOOL_TOO_LARGE, true },
        { "AID.HOSTILE.BADJSON.v1", TOOL_BAD_OUTPUT, true },
        { "AID.HOSTILE.BADUTF8.v1", TOOL_BAD_OUTPUT, true },
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

static void test_an_output_that_is_no_object_is_of_no_use(void **state)
{
    (void)state;
    struct fixture f;
    open_pool(&f, TOOLHOST);
    take(&f, OK);
    call(&f, "AID.TEST.BLOB.v1", "{\"count\":1,\"char\":\"x\"}", 0, 0);
    assert_int_equal(f.outcome, TOOL_BAD_OUTPUT);
    assert_true(f.indeterminate); /* T-RSP-10 */
    close_pool(&f);
}

static char reported[256];

static void on_progress(void *context, double percent, struct str detail)
{
    struct fixture *f = context;
    assert_false(f->done);
    size_t len = strlen(reported);
    snprintf(reported + len, sizeof reported - len, "%g %.*s|", percent, STR_ARG(detail));
}

/* T-MCP-31: what an action reports comes to whoever wants it, and to nobody else. */
static void test_progress_of_an_action_is_passed_on(void **state)
{
    (void)state;
    struct fixture f;
    open_pool(&f, TOOLHOST);
    take(&f, OK);
    reported[0] = '\0';
    call(&f, "AID.TEST.PROGRESS.v1", "{\"ms\":400}", 0, 0);
    assert_string_equal(reported, ""); /* nobody asked */
    wants_progress = on_progress;
    call(&f, "AID.TEST.PROGRESS.v1", "{\"ms\":400,\"unknown\":true}", 0, 0);
    wants_progress = NULL;
    assert_string_equal(reported, "0 at \x1b it|50 at \x1b it|100 at \x1b it|-1 |");
    assert_int_equal(f.outcome, TOOL_OK);
    close_pool(&f);
}

/* Events that a broken host makes up are nobody's. */
static void test_an_event_is_read_with_suspicion(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        double percent; /* -2: it is none */
    } rows[] = {
        { "{\"event\":\"progress\",\"request_id\":\"r\",\"percent\":7,\"detail\":\"d\"}", 7 },
        { "{\"event\":\"progress\",\"request_id\":\"r\",\"percent\":0.5}", 0.5 },
        { "{\"event\":\"progress\",\"request_id\":\"r\",\"percent\":1e300}", 100 },
        { "{\"event\":\"progress\",\"request_id\":\"r\",\"percent\":\"7\",\"detail\":7}", -1 },
        { "{\"event\":\"progress\",\"request_id\":\"r\"}", -1 },
        { "{\"event\":\"progress\",\"request_id\":\"other\",\"percent\":7}", -2 },
        { "{\"event\":\"progress\",\"percent\":7}", -2 },
        { "{\"event\":\"other\",\"request_id\":\"r\",\"percent\":7}", -2 },
        { "{\"event\":\"progress\",\"request_id\":\"r\",", -2 },
        { "{\"event\":7,\"request_id\":\"r\"}", -2 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena arena;
        struct str detail;
        double percent;
        mgi_arena_init(&arena, 0);
        bool is_one =
            mgi_progress_event(&arena, str_of(rows[i].line), STR_LIT("r"), &percent, &detail);
        if (is_one != (rows[i].percent > -2) || (is_one && !(percent == rows[i].percent)))
            fail_msg("%s", rows[i].line);
        mgi_arena_fini(&arena);
    }
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
    wish(f.pool, OK, 0, 50, &g);
    run_until(&f, &g.ready);
    assert_null(g.session); /* one host, and it is out */
    assert_non_null(g.why);
    assert_int_equal(g.refusal, SESSION_BUSY);
    wish(f.pool, OK, 0, 5000, &g);
    struct fixture nobody = { 0 };
    mgi_toolsession_forget(wish(f.pool, OK, 0, 5000, &nobody));
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

/* With two hosts, two calls of one owner that hang keep that owner's third one waiting, and nobody
 * else's first. */
static void test_calls_that_hang_delay_those_who_made_them(void **state)
{
    (void)state;
    struct fixture f, hung[2], third, other, another;
    hosts = 2;
    open_pool(&f, TOOLHOST);
    hosts = 1;
    wish(f.pool, OK, 1, 5000, &hung[0]);
    wish(f.pool, OK, 1, 5000, &hung[1]);
    run_until(&f, &hung[0].ready);
    run_until(&f, &hung[1].ready);
    wish(f.pool, OK, 1, 100, &third);
    wish(f.pool, OK, 2, 5000, &other);
    run_until(&f, &other.ready);
    assert_non_null(other.session);
    assert_false(third.ready);
    run_until(&f, &third.ready);
    assert_null(third.session);
    assert_int_equal(third.refusal, SESSION_BUSY);
    wish(f.pool, OK, 1, 5000, &third); /* it was first, but its owner holds two */
    wish(f.pool, OK, 3, 5000, &another);
    for (int i = 0; i < 5; i++)
        uv_run(&f.loop, UV_RUN_NOWAIT);
    assert_false(another.ready); /* one more than two, and no further */
    mgi_toolsession_release(other.session);
    run_until(&f, &another.ready);
    assert_false(third.ready);
    mgi_toolsession_release(hung[0].session);
    mgi_toolsession_release(another.session);
    run_until(&f, &third.ready);
    mgi_toolsession_release(third.session);
    mgi_toolsession_release(hung[1].session);
    f.session = NULL;
    close_pool(&f);
}

static void test_no_more_than_so_many_wait(void **state)
{
    (void)state;
    struct fixture f, waiting[3];
    max_waiting = 2;
    open_pool(&f, TOOLHOST);
    max_waiting = 0;
    take(&f, OK);
    for (int i = 0; i < 3; i++)
        wish(f.pool, OK, 0, 200, &waiting[i]);
    run_until(&f, &waiting[2].ready);
    assert_int_equal(waiting[2].refusal, SESSION_BUSY);
    assert_false(waiting[0].ready);
    run_until(&f, &waiting[0].ready);
    run_until(&f, &waiting[1].ready);
    close_pool(&f);
}

struct watched {
    char what[64];
    int amiss, mended;
};

static void note_amiss(void *context, struct str provider, const char *why)
{
    struct watched *w = context;
    assert_true(provider.len > 0);
    w->amiss += why != NULL;
    w->mended += why == NULL;
}

static void test_who_watches_is_told_of_hosts_that_do_not_start(void **state)
{
    (void)state;
    struct fixture f;
    struct watched w = { .amiss = 0 };
    struct toolpool_stats stats;
    open_pool(&f, "/nowhere/toolhost");
    mgi_toolpool_watch(f.pool, note_amiss, &w);
    take(&f, OK);
    call(&f, "AID.TEST.ECHO.v1", "{}", 0, 0);
    assert_int_equal(w.amiss, 1);
    mgi_toolpool_stats(f.pool, &stats);
    assert_int_equal(stats.failed, 1);
    close_pool(&f);
    open_pool(&f, TOOLHOST);
    mgi_toolpool_watch(f.pool, note_amiss, &w);
    take(&f, OK);
    call(&f, "AID.TEST.ECHO.v1", "{}", 0, 0);
    assert_int_equal(w.mended, 1);
    mgi_toolpool_stats(f.pool, &stats);
    assert_int_equal(stats.hosts, 1);
    assert_int_equal(stats.busy, 1);
    assert_int_equal(stats.started, 1);
    close_pool(&f);
}

static void test_inputs_are_one_object_in_one_line(void **state)
{
    (void)state;
    struct arena a;
    struct tool_inputs in;
    mgi_arena_init(&a, 0);
    assert_false(mgi_tool_inputs(&a, STR_LIT("[1]"), false, &in));
    assert_false(mgi_tool_inputs(&a, STR_LIT("{\"a\":"), false, &in));
    assert_true(mgi_tool_inputs(&a, STR_LIT("{\"b\": 1,\n \"a\": 2}"), true, &in));
    assert_true(str_is(in.value.text, "{\"b\":1,\"a\":2}"));
    assert_string_equal(in.digest, /* of {"a":2,"b":1} (T-INP-6) */
                        "d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772");
    mgi_arena_fini(&a);
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

/* A host that is a shell script: what ours would never do. `tier` > 0: it is asked for a lease. */
static void broken_at(int tier, const char *script, enum tool_outcome expected, bool indeterminate)
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
        call(&f, "AID.TEST.ECHO.v1", "{}", tier, 300);
        if (f.outcome != expected || f.indeterminate != indeterminate)
            fail_msg("%s: outcome %d (%s)", script, f.outcome, f.error);
    }
    close_pool(&f);
    unlink(path);
}

static void broken_host(const char *script, enum tool_outcome expected, bool indeterminate)
{
    broken_at(0, script, expected, indeterminate);
}

static void test_a_host_that_answers_before_it_is_asked_is_discarded(void **state)
{
    (void)state;
    broken_at(1, "read l <&3; echo rubbish; read m", TOOL_CRASH, false);
    broken_at(1, "read l <&3; echo; read m", TOOL_CRASH, false);
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
    wish(f.pool, OK, 0, 5000, &g);
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
    mgi_arena_fini(&f.arena);
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
    if (!source.list(source.context, NULL, &a, provider_of(OK), &actions, &count, &why))
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
        source.list(source.context, NULL, &a, provider_of("/nowhere.so"), &actions, &count, &why));
    assert_non_null(why);
    source = mgi_toolpool_actions("/nowhere/toolhost");
    assert_false(source.list(source.context, NULL, &a, provider_of(OK), &actions, &count, &why));
    assert_non_null(why);
    mgi_arena_fini(&a);
}

static void expect_effects(const struct action *a, const char *expected)
{
    char text[256] = "";
    for (size_t i = 0; i < a->effect_count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.*s", i ? " " : "",
                 STR_ARG(a->effects[i]));
    assert_string_equal(text, expected);
}

/* 11.4: a category says no more than what is touched, the mark beside it that it is only read. */
static void test_reading_is_told_from_writing(void **state)
{
    static const char list[] =
        "{\"tools\":["
        "{\"aid\":\"AID.A.v1\",\"tier\":0,\"side_effects\":[\"filesystem_read\"]},"
        "{\"aid\":\"AID.B.v1\",\"tier\":1,\"side_effects\":[\"filesystem_write\"]},"
        "{\"aid\":\"AID.C.v1\",\"tier\":1,\"side_effects\":[\"filesystem_read\",\"filesystem_"
        "write\"]},"
        "{\"aid\":\"AID.D.v1\",\"tier\":1,\"side_effects\":[\"filesystem_delete\",\"filesystem_"
        "read\"]},"
        "{\"aid\":\"AID.E.v1\",\"tier\":2,\"side_effects\":[\"database_read\",\"filesystem\"]}]}";
    static const char *const expected[] = { "filesystem x-filesystem-read", "filesystem",
                                            "filesystem", "destructive filesystem",
                                            "database filesystem x-database-read" };
    char path[] = "/tmp/mangle-list-XXXXXX";
    struct arena a;
    struct action *actions = NULL;
    size_t count = 0;
    const char *why = NULL;
    (void)state;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_true(dprintf(fd, "#!/bin/sh\necho '%s'\n", list) > 0);
    assert_int_equal(fchmod(fd, 0700), 0);
    assert_int_equal(close(fd), 0);
    mgi_arena_init(&a, 0);
    struct action_source source = mgi_toolpool_actions(path); /* stands in for the tool host */
    bool listed =
        source.list(source.context, NULL, &a, provider_of("/some.so"), &actions, &count, &why);
    unlink(path);
    if (!listed)
        fail_msg("%s", why);
    assert_int_equal(count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < count; i++)
        expect_effects(&actions[i], expected[i]);
    mgi_arena_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_step_is_answered),
        cmocka_unit_test(test_without_enforcement_nothing_is_gated_and_that_is_said),
        cmocka_unit_test(test_an_invocation_begins_with_an_empty_state),
        cmocka_unit_test(test_facts_of_a_tool_are_taken_out_of_its_state),
        cmocka_unit_test(test_evidence_is_taken_out_of_the_state_too),
        cmocka_unit_test(test_what_acts_needs_a_lease_and_gets_one_for_its_inputs),
        cmocka_unit_test(test_a_tool_that_misbehaves_is_one_failed_step),
        cmocka_unit_test(test_an_output_that_is_no_object_is_of_no_use),
        cmocka_unit_test(test_progress_of_an_action_is_passed_on),
        cmocka_unit_test(test_an_event_is_read_with_suspicion),
        cmocka_unit_test(test_a_call_may_be_allowed_more_time_than_is_usual),
        cmocka_unit_test(test_a_running_step_is_cancelled),
        cmocka_unit_test(test_sessions_are_lent_in_order_and_waiting_ends),
        cmocka_unit_test(test_calls_that_hang_delay_those_who_made_them),
        cmocka_unit_test(test_no_more_than_so_many_wait),
        cmocka_unit_test(test_who_watches_is_told_of_hosts_that_do_not_start),
        cmocka_unit_test(test_inputs_are_one_object_in_one_line),
        cmocka_unit_test(test_without_a_host_the_answer_is_unavailable),
        cmocka_unit_test(test_a_broken_host_is_discarded),
        cmocka_unit_test(test_a_host_that_answers_before_it_is_asked_is_discarded),
        cmocka_unit_test(test_closing_answers_everybody),
        cmocka_unit_test(test_closing_lets_plugins_clean_up),
        cmocka_unit_test(test_a_deaf_host_does_not_stop_the_end),
        cmocka_unit_test(test_a_plugin_is_listed),
        cmocka_unit_test(test_reading_is_told_from_writing),
        cmocka_unit_test(test_a_pool_that_is_played_starts_no_host),
    };
    signal(SIGPIPE, SIG_IGN);                        /* as every program that uses the pool */
    setenv("MACHINA_TOOLHOST_RLIMIT_AS_MB", "0", 0); /* sanitizers reserve address space */
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
