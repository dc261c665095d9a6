/* What steps of a graph do, one idea a test: beside each other, foreach, again, undone, written
 * down. Actions are played; no process is started. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>

#define FIXTURE_PLAYED
#include "invoke/chain_int.h"
#include "invoke/invoke_fixture.h"
#include "invoke/scripted_pool.h"

struct scene {
    struct fixture f;
    struct tool *tool;
    char calls[20000]; /* " step[part]/attempt{inputs}" of each, in order */
    char journal[20000];
    bool with_inputs;
    bool long_outputs;              /* a megabyte each */
    enum tool_outcome outcomes[12]; /* by step; TOOL_OK by default */
    uint32_t times_out[12];         /* so many attempts of it */
    const char *keeps;              /* ids of steps whose compensation knows nothing to undo */
    int fails_item;                 /* of any foreach; -1: none */
    struct toolsession *last;
    /* the journal */
    struct run_journal table;
    run_told *told;
    void *told_context;
    bool refuses;
    int handles;
};

static struct action reads = { .aid = { "AID.READ", 8 },
                               .name = { "read_it", 7 },
                               .provider = &one_provider,
                               .idempotent = true };
static struct action writes = { .aid = { "AID.WRITE", 9 },
                                .name = { "write_it", 8 },
                                .provider = &one_provider,
                                .tier = 1,
                                .idempotent = true };
static struct action takes_back = {
    .aid = { "AID.BACK", 8 }, .name = { "take_it_back", 12 }, .provider = &one_provider, .tier = 1
};
static struct action elsewhere = { .aid = { "AID.ELSE", 8 },
                                   .name = { "elsewhere", 9 },
                                   .provider = &two_provider };

static void add(char *text, size_t cap, const char *format, ...)
{
    size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, cap - used, format, args);
    va_end(args);
}
#define ADD(member, ...) add(member, sizeof member, __VA_ARGS__)

static void called(void *context, struct toolsession *s)
{
    struct scene *c = context;
    const struct tool_request *r = &s->request;
    c->last = s;
    ADD(c->calls, " %.*s%.*s/%u", STR_ARG(c->f.running->runs[r->step].step->id), STR_ARG(r->part),
        r->attempt);
    if (c->with_inputs)
        ADD(c->calls, "%.*s", STR_ARG(r->inputs->value.text));
}

static void answer(void *context, struct toolsession *s, struct tool_result *result)
{
    struct scene *c = context;
    const struct tool_request *r = &s->request;
    bool undo = mgi_str_ends(r->part, STR_LIT("-undo"));
    result->outcome = undo ? TOOL_OK : c->outcomes[r->step];
    if (!undo && r->attempt < c->times_out[r->step])
        result->outcome = TOOL_TIMEOUT;
    const char *item = mgi_arena_printf(r->arena, "-%d", c->fails_item);
    if (c->fails_item >= 0 && str_is(r->part, item))
        result->outcome = TOOL_ERROR;
    result->error = result->outcome == TOOL_OK ? (struct str){ "", 0 } : STR_LIT("so it says");
    result->indeterminate = result->outcome == TOOL_TIMEOUT;
    if (c->long_outputs) {
        char *text = mgi_arena_alloc(r->arena, 1 << 20);
        size_t len = (size_t)snprintf(text, 1 << 20, "{\"id\":[0");
        for (; len < (1 << 20) - 4; len += 2)
            memcpy(text + len, ",0", 2);
        memcpy(text + len, "]}", 3);
        assert_int_equal(mgi_json_parse(r->arena, str_of(text), NULL, &result->output, NULL),
                         JSON_OK);
        return;
    }
    struct str id = c->f.running->runs[r->step].step->id;
    bool keeps = undo && c->keeps && strchr(c->keeps, id.ptr[0]);
    const char *output = mgi_arena_printf(r->arena, "{\"id\":\"%.*s%.*s\"%s}", STR_ARG(id),
                                          STR_ARG(r->part), keeps ? ",\"performed\":false" : "");
    assert_int_equal(mgi_json_parse(r->arena, str_of(output), NULL, &result->output, NULL),
                     JSON_OK);
}

static struct scene *open_scene(const char *const *ids, size_t count)
{
    struct scene *c = calloc(1, sizeof *c);
    struct plan plan[12];
    for (size_t i = 0; i < count; i++)
        plan[i] = (struct plan){ ids[i], ACT_ECHO, "{}", ON_FAILURE_STOP };
    open_fixture(&c->f);
    c->fails_item = -1;
    c->tool = make_tool(&c->f, "graph", plan, count);
    c->tool->result = (struct value_source){ .kind = SOURCE_OBJECT };
    for (size_t i = 0; i < count; i++)
        c->tool->steps[i].action = &reads;
    c->f.pool->hosts = 4;
    c->f.snapshot->settings.hosts = 4;
    c->f.pool->called = called;
    c->f.pool->answer = answer;
    c->f.pool->context = c;
    c->f.hurried = true;
    offer_always(&c->f, c->tool, false);
    return c;
}

static void close_scene(struct scene *c)
{
    close_fixture(&c->f);
    free(c);
}

/* To the end, or as long as anything can be told. */
static void go_on(struct scene *c)
{
    while (!c->f.done && scripted_pool_step(c->f.pool, 0, INT64_MAX))
        ;
}

static void play(struct scene *c)
{
    c->calls[0] = c->journal[0] = 0;
    assert_true(start(&c->f, CALL));
    go_on(c);
    assert_true(c->f.done);
}

static void needs_nothing(struct step *step)
{
    step->has_needs = true;
}

static struct value_source list_of(struct scene *c, const char *json)
{
    return (struct value_source){ .kind = SOURCE_CONST, .constant = parse(&c->f, json) };
}

static const char *const four[] = { "a", "b", "c", "d" };
static const char *const one[] = { "a" };

/* ---- beside each other --------------------------------------------------------------------- */

static void test_what_needs_nothing_runs_at_once_and_what_needs_it_afterwards(void **state)
{
    (void)state;
    static const uint32_t both[] = { 0, 2 };
    struct scene *c = open_scene(four, 4);
    for (int i = 0; i < 3; i++)
        needs_nothing(&c->tool->steps[i]);
    c->tool->steps[3].has_needs = true;
    c->tool->steps[3].needs = both;
    c->tool->steps[3].need_count = 2;
    assert_true(start(&c->f, CALL));
    for (int i = 0; i < 3; i++)
        assert_true(scripted_pool_step(c->f.pool, 0, -1)); /* nobody answers yet */
    assert_string_equal(c->calls, " a/0 b/0 c/0");
    go_on(c);
    assert_string_equal(c->calls, " a/0 b/0 c/0 d/0");
    assert_int_equal(c->f.code, WIRE_OK);
    close_scene(c);
}

static void test_no_more_run_at_once_than_the_tool_and_the_hosts_allow(void **state)
{
    (void)state;
    struct scene *c = open_scene(four, 4);
    for (int i = 0; i < 4; i++)
        needs_nothing(&c->tool->steps[i]);
    c->tool->parallel = 2;
    play(c);
    assert_int_equal(c->f.pool->most_calling, 2);
    c->tool->parallel = 0; /* as many as there are hosts */
    c->f.snapshot->settings.hosts = 3;
    c->f.pool->most_calling = 0;
    play(c);
    assert_int_equal(c->f.pool->most_calling, 3);
    close_scene(c);
}

static void test_a_list_without_needs_runs_one_after_the_other(void **state)
{
    (void)state;
    struct scene *c = open_scene(four, 4);
    play(c);
    assert_string_equal(c->calls, " a/0 b/0 c/0 d/0"); /* T-MCP-1 */
    assert_int_equal(c->f.pool->most_calling, 1);
    assert_int_equal(c->f.pool->most_out, 1);
    close_scene(c);
}

static void test_who_needs_what_was_left_out_needs_what_that_needs(void **state)
{
    (void)state;
    static const uint32_t chosen[] = { 0, 2 };
    struct scene *c = open_scene(four, 3);
    c->f.chosen = chosen;
    c->f.chosen_count = 2;
    offer_always(&c->f, c->tool, false);
    assert_true(start(&c->f, CALL));
    assert_true(scripted_pool_step(c->f.pool, 0, -1));
    assert_false(scripted_pool_step(c->f.pool, 0, -1)); /* c waits for a, over b */
    go_on(c);
    assert_string_equal(c->calls, " a/0 c/0");
    close_scene(c);
}

/* Sessions that steps beside each other took go back when they are idle, and others come first. */
static void test_a_wide_chain_gives_hosts_back(void **state)
{
    (void)state;
    struct scene *c = open_scene(one, 1);
    struct step *step = &c->tool->steps[0];
    step->has_foreach = true;
    step->items = list_of(c, "[0,1,2,3,4,5,6,7]");
    step->parallel = 4;
    assert_true(start(&c->f, CALL));
    for (int i = 0; i < 4; i++)
        assert_true(scripted_pool_step(c->f.pool, 0, -1));
    assert_int_equal(c->f.pool->out, 4);
    struct toolwish wish = { .provider = reads.provider };
    struct toolticket *other = mgi_toolsession_take(c->f.pool, &wish);
    scripted_pool_answer(c->last);
    assert_int_equal(c->f.pool->out, 3); /* one is free for whoever waits */
    assert_ptr_equal(c->f.pool->tickets, other);
    mgi_toolsession_forget(other);
    go_on(c);
    assert_int_equal(c->f.code, WIRE_OK);
    close_scene(c);
}

/* Two chains that each hold what the other waits for would wait for ever. */
static void test_a_chain_that_waits_holds_nothing(void **state)
{
    (void)state;
    struct scene *c = open_scene(four, 3);
    c->tool->steps[1].action = &elsewhere;
    assert_true(start(&c->f, CALL));
    assert_true(scripted_pool_step(c->f.pool, 0, INT64_MAX)); /* a session for a */
    c->f.pool->hosts = 0;
    assert_true(scripted_pool_step(c->f.pool, 0, INT64_MAX)); /* a is over, b waits */
    assert_int_equal(c->f.pool->out, 0);
    c->f.pool->hosts = 4;
    go_on(c);
    assert_string_equal(c->calls, " a/0 b/0 c/0");
    close_scene(c);
}

/* A host that did not become free in time is no fault of a step that may have one of its chain's.
 */
static void test_a_step_waits_for_its_own_chain(void **state)
{
    (void)state;
    struct scene *c = open_scene(four, 2);
    for (int i = 0; i < 2; i++)
        needs_nothing(&c->tool->steps[i]);
    assert_true(start(&c->f, CALL));
    assert_true(scripted_pool_step(c->f.pool, 0, -1)); /* a has a session, and runs */
    for (int i = 0; i < 3; i++) {
        c->f.pool->refuse = true;
        assert_true(scripted_pool_step(c->f.pool, 0, -1)); /* b is refused one, and waits on */
        assert_false(c->f.done);
    }
    scripted_pool_answer(c->last);
    go_on(c);
    assert_string_equal(c->calls, " a/0 b/0");
    assert_int_equal(c->f.code, WIRE_OK);

    c->tool->steps[1].action = &elsewhere; /* of that provider the chain has none */
    c->calls[0] = 0;
    assert_true(start(&c->f, CALL));
    assert_true(scripted_pool_step(c->f.pool, 0, -1));
    c->f.pool->refuse = true;
    go_on(c);
    assert_int_equal(c->f.code, WIRE_EXECUTION_FAILED);
    assert_text(&c->f, "/reason", "\"unavailable\"");
    close_scene(c);
}

static void test_what_waited_until_no_time_was_left_is_not_sent(void **state)
{
    (void)state;
    struct scene *c = open_scene(four, 2);
    c->f.snapshot->settings.invocation_timeout_ms = 300;
    assert_true(start(&c->f, CALL));
    usleep(150000);
    go_on(c);
    assert_string_equal(c->calls, "");
    assert_text(&c->f, "/reason", "\"timeout\""); /* T-MCP-28 */
    assert_text(&c->f, "/observability/events/0/detail", "\"no time was left\"");
    close_scene(c);
}

/* Whoever was quicker: of those that ended it the first in the list is told. */
static void test_of_several_failures_the_first_in_the_list_is_told(void **state)
{
    (void)state;
    struct scene *c = open_scene(four, 3);
    for (int i = 0; i < 3; i++)
        needs_nothing(&c->tool->steps[i]);
    c->outcomes[1] = TOOL_TIMEOUT;
    c->outcomes[2] = TOOL_ERROR;
    for (int late_first = 0; late_first < 2; late_first++) {
        c->calls[0] = 0;
        assert_true(start(&c->f, CALL));
        for (int i = 0; i < 3; i++)
            assert_true(scripted_pool_step(c->f.pool, 0, -1));
        if (late_first)
            scripted_pool_answer(c->last);
        go_on(c);
        assert_text(&c->f, "/failed_step", "1");
        assert_text(&c->f, "/reason", "\"timeout\"");
    }
    close_scene(c);
}

/* ---- foreach ------------------------------------------------------------------------------- */

static void use_items(struct scene *c, struct step *step, const char *list)
{
    struct source_member *m = mgi_arena_calloc(&c->f.arena, 2, sizeof *m);
    m[0] =
        (struct source_member){ STR_LIT("v"), { .kind = SOURCE_ITEM, .pointer = STR_LIT("/x") } };
    m[1] = (struct source_member){ STR_LIT("i"), { .kind = SOURCE_INDEX } };
    step->inputs = (struct value_source){ .kind = SOURCE_OBJECT, .members = m, .member_count = 2 };
    step->has_foreach = true;
    step->items = list_of(c, list);
}

static void test_a_foreach_runs_once_per_item_and_returns_all_outputs(void **state)
{
    (void)state;
    struct scene *c = open_scene(one, 1);
    use_items(c, &c->tool->steps[0], "[{\"x\":7},{\"x\":[8]}]");
    static struct source_member all = { { "all", 3 },
                                        { .kind = SOURCE_STEP, .step = 0, .pointer = { "", 0 } } };
    c->tool->result =
        (struct value_source){ .kind = SOURCE_OBJECT, .members = &all, .member_count = 1 };
    c->with_inputs = true;
    play(c);
    assert_string_equal(c->calls, " a-0/0{\"v\":7,\"i\":0} a-1/0{\"v\":[8],\"i\":1}");
    assert_text(&c->f, "/result/all", "[{\"id\":\"a-0\"},{\"id\":\"a-1\"}]");
    assert_int_equal(at(&c->f, "/observability/events")->count, 1); /* T-MCP-10 */
    assert_text(&c->f, "/observability/events/0/detail", "\"2 of 2\"");
    c->tool->steps[0].items = list_of(c, "[]");
    play(c);
    assert_text(&c->f, "/result/all", "[]");
    close_scene(c);
}

static void test_rules_hear_of_each_item(void **state)
{
    (void)state;
    static const char *const each[] = { "each" };
    struct scene *c = open_scene(each, 1);
    use_items(c, &c->tool->steps[0], "[{\"x\":0},{\"x\":1}]");
    c->tool->steps[0].on_failure = ON_FAILURE_CONTINUE;
    play(c);
    assert_int_equal(at(&c->f, "/state_delta/assert")->count, 2);
    assert_text(&c->f, "/state_delta/assert/0/args", "[\"each-0\",1]");
    assert_text(&c->f, "/state_delta/assert/1/args", "[\"each-1\",1]");
    c->fails_item = 0; /* what it said of itself counts, as of any step with that rule */
    play(c);
    assert_int_equal(at(&c->f, "/state_delta/assert")->count, 2);
    close_scene(c);
}

static void test_an_item_that_fails_is_named(void **state)
{
    (void)state;
    struct scene *c = open_scene(four, 2);
    struct step *step = &c->tool->steps[0];
    use_items(c, step, "[{\"x\":0},{\"x\":1},{\"x\":2},{\"x\":3}]");
    step->tells_failure = true;
    c->fails_item = 1;
    play(c);
    assert_int_equal(c->f.code, WIRE_EXECUTION_FAILED);
    assert_text(&c->f, "/observability/events/0/detail", "\"1 of 4; item 1 failed: so it says\"");
    assert_string_equal(c->calls, " a-0/0 a-1/0"); /* no further item begins */

    step->on_failure = ON_FAILURE_CONTINUE;
    static struct source_member all = { { "all", 3 }, { .kind = SOURCE_STEP, .step = 0 } };
    c->tool->result =
        (struct value_source){ .kind = SOURCE_OBJECT, .members = &all, .member_count = 1 };
    play(c);
    assert_int_equal(c->f.code, WIRE_OK);
    assert_text(&c->f, "/observability/events/0/detail", "\"3 of 4; item 1 failed: so it says\"");
    assert_int_equal(at(&c->f, "/result/all")->count, 4); /* what failed is in its place */
    assert_text(&c->f, "/result/all/3/id", "\"a-3\"");
    close_scene(c);
}

static void test_a_foreach_has_limits(void **state)
{
    (void)state;
    struct scene *c = open_scene(one, 1);
    struct step *step = &c->tool->steps[0];
    use_items(c, step, "[1,2,3]");
    step->max_items = 2;
    play(c);
    assert_int_equal(c->f.code, WIRE_EXECUTION_FAILED);
    assert_non_null(strstr(c->f.logged, "foreach goes over 3 items, and max is 2"));
    assert_string_equal(c->calls, "");
    step->items = list_of(c, "{\"a\":1}");
    play(c);
    assert_non_null(strstr(c->f.logged, "what foreach goes over is not an array"));
    step->items = list_of(c, "[{\"x\":1},{}]"); /* the second has no x */
    play(c);
    assert_non_null(strstr(c->f.logged, "item 1, action AID.READ, failed: there is no item at /x"));
    close_scene(c);
}

/* Answers of a megabyte that are half a million values: what is kept has an end, however the items
 * end. */
static void test_a_chain_keeps_so_much_and_no_more(void **state)
{
    (void)state;
    struct scene *c = open_scene(four, 2);
    struct buf items = { 0 };
    mgi_buf_puts(&items, "[0");
    for (int i = 1; i < 100; i++)
        mgi_buf_puts(&items, ",0");
    mgi_buf_puts(&items, "]");
    use_items(c, &c->tool->steps[0], items.ptr);
    c->tool->steps[0].inputs = (struct value_source){ .kind = SOURCE_OBJECT };
    c->long_outputs = true;
    for (int fails = 0; fails < 2; fails++) {
        c->outcomes[0] = fails ? TOOL_ERROR : TOOL_OK;
        c->tool->steps[0].on_failure = ON_FAILURE_CONTINUE;
        play(c);
        assert_int_equal(c->f.code, WIRE_EXECUTION_FAILED);
        size_t calls = 0;
        for (const char *at = c->calls; (at = strstr(at, " a-")) != NULL; at++)
            calls++;
        assert_in_range(calls, 3, 16);
        assert_null(strstr(c->calls, " b/"));
    }
    mgi_buf_fini(&items);
    close_scene(c);
}

/* ---- again --------------------------------------------------------------------------------- */

static void test_what_is_idempotent_is_tried_again_where_that_may_help(void **state)
{
    (void)state;
    struct scene *c = open_scene(one, 1);
    struct step *step = &c->tool->steps[0];
    step->action = &writes;
    step->retry.times = 2;
    c->times_out[0] = 2;
    play(c);
    assert_string_equal(c->calls, " a/0 a/1 a/2"); /* T-MCP-19, T-MCP-21 */
    assert_int_equal(c->f.code, WIRE_OK);
    c->times_out[0] = 9;
    play(c);
    assert_string_equal(c->calls, " a/0 a/1 a/2");
    assert_text(&c->f, "/indeterminate", "true");
    assert_text(&c->f, "/indeterminate_steps", "[\"a\"]");
    c->times_out[0] = 0;
    c->outcomes[0] = TOOL_ERROR; /* it would say so again */
    play(c);
    assert_string_equal(c->calls, " a/0");
    c->outcomes[0] = TOOL_UNAVAILABLE;
    step->action = &takes_back; /* not idempotent, whatever the template says */
    play(c);
    assert_string_equal(c->calls, " a/0");
    close_scene(c);
}

static void test_waits_grow_and_are_the_same_each_time(void **state)
{
    (void)state;
    int64_t waited[2];
    for (int round = 0; round < 2; round++) {
        struct scene *c = open_scene(one, 1);
        struct step *step = &c->tool->steps[0];
        step->retry.times = 3;
        step->retry.wait_ms = 20;
        step->retry.max_wait_ms = 30;
        c->times_out[0] = 3;
        c->f.hurried = false;
        int64_t begin = (int64_t)uv_hrtime();
        assert_true(start(&c->f, CALL));
        while (!c->f.done)
            if (!scripted_pool_step(c->f.pool, 0, INT64_MAX))
                uv_run(&c->f.loop, UV_RUN_ONCE);
        waited[round] = ((int64_t)uv_hrtime() - begin) / NS_PER_MS;
        assert_int_equal(c->f.code, WIRE_OK);
        assert_in_range(waited[round], 10 + 15 + 15 - 1, 20 + 30 + 30 + 400);
        close_scene(c);
    }
    assert_true(llabs(waited[0] - waited[1]) < 30); /* the same invocation id: the same jitter */
}

static void test_nobody_tries_again_beyond_the_deadline(void **state)
{
    (void)state;
    struct scene *c = open_scene(one, 1);
    c->f.snapshot->settings.invocation_timeout_ms = 400;
    c->tool->steps[0].retry.times = 5;
    c->tool->steps[0].retry.wait_ms = c->tool->steps[0].retry.max_wait_ms = 2000;
    c->times_out[0] = 5;
    c->f.hurried = false;
    play(c);
    assert_string_equal(c->calls, " a/0");
    close_scene(c);
}

static void test_cancelling_ends_the_wait(void **state)
{
    (void)state;
    struct scene *c = open_scene(four, 2);
    c->tool->steps[0].retry.times = 5;
    c->tool->steps[0].retry.wait_ms = c->tool->steps[0].retry.max_wait_ms = 8000;
    c->times_out[0] = 5;
    c->f.hurried = false;
    assert_true(start(&c->f, CALL));
    go_on(c);
    assert_false(c->f.done);
    mgi_invocation_cancel(c->f.running);
    assert_true(c->f.done);
    assert_int_equal(c->f.code, WIRE_CANCELLED);
    assert_text(&c->f, "/observability/events/0/status", "\"failure\"");
    assert_text(&c->f, "/observability/events/1/detail", "\"cancelled\"");
    close_scene(c);
}

/* ---- undone -------------------------------------------------------------------------------- */

static void can_be_undone(struct scene *c, uint32_t i)
{
    struct step *step = &c->tool->steps[i];
    struct source_member *m = mgi_arena_calloc(&c->f.arena, 1, sizeof *m);
    *m = (struct source_member){ STR_LIT("id"),
                                 { .kind = SOURCE_STEP, .step = i, .pointer = STR_LIT("/id") } };
    step->action = &writes;
    step->undo.action = &takes_back;
    step->undo.inputs =
        (struct value_source){ .kind = SOURCE_OBJECT, .members = m, .member_count = 1 };
}

static void test_what_was_done_is_undone_the_last_first(void **state)
{
    (void)state;
    struct scene *c = open_scene(four, 4);
    can_be_undone(c, 0);
    can_be_undone(c, 1);
    c->tool->steps[2].action = &writes; /* nobody says how */
    c->tool->steps[3].on_failure = ON_FAILURE_COMPENSATE;
    c->outcomes[3] = TOOL_ERROR;
    c->with_inputs = true;
    play(c);
    assert_string_equal(c->calls, " a/0{} b/0{} c/0{} d/0{} b-undo/0{\"id\":\"b\"} "
                                  "a-undo/0{\"id\":\"a\"}");
    assert_int_equal(c->f.code, WIRE_EXECUTION_FAILED);
    assert_text(&c->f, "/completed_steps", "[\"a\",\"b\",\"c\"]");
    assert_text(&c->f, "/compensated", "[\"b\",\"a\"]");
    assert_text(&c->f, "/not_compensated", "[{\"reason\":\"no_compensation\",\"step\":\"c\"}]");
    assert_text(&c->f, "/observability/events/4/detail", "\"undoes b\"");
    assert_text(&c->f, "/observability/events/4/action", "\"take_it_back\"");
    assert_non_null(strstr(c->f.message, "Not all that had been done could be undone."));
    close_scene(c);
}

static void test_only_what_was_undone_is_said_to_be(void **state)
{
    (void)state;
    static const struct {
        const char *keeps, *compensated, *remains, *says;
        size_t events;
    } rows[] = {
        { "", "[\"b\",\"a\"]", "[]", "What had been done is undone.", 5 },
        { "a", "[\"b\"]", "[{\"reason\":\"no_compensation\",\"step\":\"a\"}]",
          "Not all that had been done could be undone.", 4 },
        { "ab", "[]",
          "[{\"reason\":\"no_compensation\",\"step\":\"b\"},"
          "{\"reason\":\"no_compensation\",\"step\":\"a\"}]",
          "What had been done is not undone.", 3 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct scene *c = open_scene(four, 3);
        can_be_undone(c, 0);
        can_be_undone(c, 1);
        c->tool->steps[2].on_failure = ON_FAILURE_COMPENSATE;
        c->outcomes[2] = TOOL_ERROR;
        c->with_inputs = true;
        c->keeps = rows[i].keeps;
        play(c);
        assert_text(&c->f, "/compensated", rows[i].compensated);
        assert_text(&c->f, "/not_compensated", rows[i].remains);
        assert_int_equal(at(&c->f, "/observability/events")->count, rows[i].events);
        if (!strstr(c->f.message, rows[i].says))
            fail_msg("%s", c->f.message);
        close_scene(c);
    }
}

static void test_where_nothing_had_been_done_nothing_is_undone(void **state)
{
    (void)state;
    struct scene *c = open_scene(four, 2);
    can_be_undone(c, 1);
    c->tool->steps[1].on_failure = ON_FAILURE_COMPENSATE;
    c->outcomes[1] = TOOL_ERROR;
    play(c);
    assert_text(&c->f, "/compensated", "[]");
    assert_non_null(strstr(c->f.message, "Nothing had been done that is to be undone."));
    close_scene(c);
}

static void test_items_are_undone_one_by_one(void **state)
{
    (void)state;
    struct scene *c = open_scene(one, 1);
    can_be_undone(c, 0);
    c->tool->steps[0].has_foreach = true;
    c->tool->steps[0].items = list_of(c, "[1,2,3]");
    c->tool->transaction = true; /* its rule is stop */
    c->fails_item = 2;
    c->with_inputs = true;
    play(c);
    assert_string_equal(c->calls, " a-0/0{} a-1/0{} a-2/0{} a-1-undo/0{\"id\":\"a-1\"} "
                                  "a-0-undo/0{\"id\":\"a-0\"}");
    assert_text(&c->f, "/compensated", "[\"a\"]");
    assert_non_null(strstr(c->f.message, "What had been done is undone."));
    close_scene(c);
}

static void test_a_cancelled_transaction_is_undone_and_nothing_stops_that(void **state)
{
    (void)state;
    struct scene *c = open_scene(four, 3);
    can_be_undone(c, 0);
    c->tool->transaction = true;
    assert_true(start(&c->f, CALL));
    while (!strstr(c->calls, " b/0"))
        assert_true(scripted_pool_step(c->f.pool, 0, INT64_MAX));
    assert_false(mgi_invocation_is_harmless(c->f.running)); /* T-MCP-29: it would undo */
    mgi_invocation_cancel(c->f.running);
    while (!strstr(c->calls, "undo"))
        assert_true(scripted_pool_step(c->f.pool, 0, INT64_MAX));
    mgi_invocation_cancel(c->f.running);
    go_on(c);
    assert_string_equal(c->calls, " a/0 b/0 a-undo/0");
    assert_int_equal(c->f.code, WIRE_CANCELLED);
    assert_text(&c->f, "/compensated", "[\"a\"]");
    assert_string_equal(c->f.message,
                        "The invocation was cancelled. What had been done is undone.");
    c->tool->transaction = false;
    c->calls[0] = 0;
    assert_true(start(&c->f, CALL));
    while (!strstr(c->calls, " b/0"))
        assert_true(scripted_pool_step(c->f.pool, 0, INT64_MAX));
    mgi_invocation_cancel(c->f.running);
    go_on(c);
    assert_null(strstr(c->calls, "undo"));
    close_scene(c);
}

static void test_what_is_not_known_is_not_called_undone(void **state)
{
    (void)state;
    struct scene *c = open_scene(four, 2);
    can_be_undone(c, 0);
    can_be_undone(c, 1);
    c->tool->transaction = true;
    c->outcomes[1] = TOOL_TIMEOUT;
    play(c);
    assert_string_equal(c->calls, " a/0 b/0 a-undo/0");
    assert_text(&c->f, "/compensated", "[\"a\"]");
    assert_text(&c->f, "/not_compensated", "[{\"reason\":\"indeterminate\",\"step\":\"b\"}]");
    assert_text(&c->f, "/indeterminate_steps", "[\"b\"]");
    close_scene(c);
}

/* Cancelled while an item runs that answers nevertheless. */
static void test_a_foreach_that_was_cancelled_in_the_middle_is_undone(void **state)
{
    (void)state;
    struct scene *c = open_scene(one, 1);
    can_be_undone(c, 0);
    c->tool->steps[0].has_foreach = true;
    c->tool->steps[0].items = list_of(c, "[1,2,3]");
    c->tool->transaction = true;
    assert_true(start(&c->f, CALL));
    while (!strstr(c->calls, " a-1/0"))
        assert_true(scripted_pool_step(c->f.pool, 0, INT64_MAX));
    mgi_invocation_cancel(c->f.running);
    c->last->cancelled = false; /* its answer was on the way */
    go_on(c);
    assert_string_equal(c->calls, " a-0/0 a-1/0 a-1-undo/0 a-0-undo/0");
    assert_int_equal(c->f.code, WIRE_CANCELLED);
    assert_text(&c->f, "/compensated", "[\"a\"]");
    close_scene(c);
}

static void test_what_was_cancelled_when_all_had_run_is_a_result(void **state)
{
    (void)state;
    struct scene *c = open_scene(four, 2);
    can_be_undone(c, 1);
    c->tool->transaction = true;
    c->tool->steps[0].has_condition = true; /* false */
    c->tool->steps[0].condition.constant.type = JSON_NULL;
    assert_true(start(&c->f, CALL));
    while (!strstr(c->calls, " b/0"))
        assert_true(scripted_pool_step(c->f.pool, 0, INT64_MAX));
    mgi_invocation_cancel(c->f.running);
    c->last->cancelled = false;
    go_on(c);
    assert_string_equal(c->calls, " b/0");
    assert_int_equal(c->f.code, WIRE_OK);
    close_scene(c);
}

/* ---- the working state --------------------------------------------------------------------- */

static void test_a_plugin_does_not_see_what_another_left_behind(void **state)
{
    (void)state;
    struct scene *c = open_scene(four, 3);
    struct step_run runs[2] = { 0 };
    struct step steps[2] = { { .id = STR_LIT("x"), .action = &reads },
                             { .id = STR_LIT("y"), .action = &elsewhere } };
    uint64_t none = 0, first = 1;
    struct invocation inv = { .runs = runs, .run_count = 2 };
    struct tool_slots out;
    runs[0] = (struct step_run){ .step = &steps[0], .needs = &none, .state = STEP_SUCCESS };
    runs[0].changes.artifact[3] = STR_LIT("{\"t\":1}");
    runs[1] = (struct step_run){ .step = &steps[1], .needs = &first };
    assert_null(mgi_graph_state(&inv, &runs[1], false, elsewhere.provider, &c->f.arena, &out));
    assert_int_equal(out.artifact[3].len, 0);
    steps[1].action = &reads;
    assert_null(mgi_graph_state(&inv, &runs[1], false, reads.provider, &c->f.arena, &out));
    assert_true(str_is(out.artifact[3], "{\"t\":1}")); /* T-MCP-23 */
    runs[0].clashes = 1u << 3;
    assert_string_equal(
        mgi_graph_state(&inv, &runs[1], false, reads.provider, &c->f.arena, &out),
        "items of step \"x\" have changed slot 3 of the working state to different contents");
    close_scene(c);
}

/* ---- written down -------------------------------------------------------------------------- */

static void *run_begins(void *self, const struct run_begun *b)
{
    struct scene *c = self;
    ADD(c->journal, "run %zu%s;", b->step_count, b->has_effects ? "!" : "");
    c->handles++;
    return c;
}

static void *step_begins(void *run, const struct step_begun *b, run_told *told, void *context)
{
    struct scene *c = run;
    ADD(c->journal, " %s%.*s/%u", b->compensation ? "undo " : "", STR_ARG(b->name), b->attempt);
    if (b->item >= 0)
        ADD(c->journal, "#%d", b->item);
    assert_true(b->tier == 0 || b->input_sha256.len > 0);
    if (b->tier > 0) {
        c->told = told;
        c->told_context = context;
    }
    c->handles++;
    return c;
}

static void step_ends(void *step, const struct step_ended *end)
{
    static const char *const words[] = { "ok", "failed", "cancelled", "not_sent" };
    struct scene *c = step;
    ADD(c->journal, "=%s%s", words[end->outcome], end->indeterminate ? "?" : "");
    c->handles--;
}

static void run_ends(void *run, enum run_outcome outcome)
{
    static const char *const words[] = { "ok", "failed", "cancelled", "not_sent" };
    struct scene *c = run;
    ADD(c->journal, "; %s", words[outcome]);
    c->handles--;
}

static struct scene *open_with_journal(void)
{
    struct scene *c = open_scene(four, 3);
    c->tool->steps[1].action = &writes;
    c->table = (struct run_journal){ .self = c,
                                     .run_begins = run_begins,
                                     .step_begins = step_begins,
                                     .step_ends = step_ends,
                                     .run_ends = run_ends };
    c->f.journal = &c->table;
    return c;
}

static void tell(struct scene *c, const char *why)
{
    run_told *told = c->told;
    c->told = NULL;
    assert_non_null(told);
    told(c->told_context, why);
}

static void test_what_has_effects_is_sent_when_it_is_written_down(void **state)
{
    (void)state;
    struct scene *c = open_with_journal();
    assert_true(start(&c->f, CALL));
    go_on(c);
    assert_string_equal(c->calls, " a/0"); /* a was sent at once, b is not */
    assert_string_equal(c->journal, "run 3!; a/0=ok b/0");
    tell(c, NULL);
    go_on(c);
    assert_string_equal(c->calls, " a/0 b/0 c/0");
    assert_string_equal(c->journal, "run 3!; a/0=ok b/0=ok c/0=ok; ok");
    assert_int_equal(c->handles, 0);

    c->calls[0] = c->journal[0] = 0;
    c->f.journal = &c->table;
    assert_true(start(&c->f, CALL));
    go_on(c);
    tell(c, "the disk is full");
    go_on(c);
    assert_string_equal(c->calls, " a/0"); /* nothing with effects happens unseen */
    assert_int_equal(c->f.code, WIRE_EXECUTION_FAILED);
    assert_text(&c->f, "/indeterminate", "false");
    assert_string_equal(c->journal, "run 3!; a/0=ok b/0=not_sent; failed");
    assert_int_equal(c->handles, 0);
    close_scene(c);
}

static void test_cancelled_while_it_is_written_down_is_not_sent(void **state)
{
    (void)state;
    struct scene *c = open_with_journal();
    assert_true(start(&c->f, CALL));
    go_on(c);
    mgi_invocation_cancel(c->f.running);
    assert_false(c->f.done);
    tell(c, NULL);
    assert_true(c->f.done);
    assert_string_equal(c->calls, " a/0");
    assert_string_equal(c->journal, "run 3!; a/0=ok b/0=not_sent; cancelled");
    close_scene(c);
}

static void test_what_ended_while_it_is_written_down_is_not_sent(void **state)
{
    (void)state;
    struct scene *c = open_with_journal();
    needs_nothing(&c->tool->steps[1]);
    needs_nothing(&c->tool->steps[2]);
    c->outcomes[0] = TOOL_ERROR;
    assert_true(start(&c->f, CALL));
    while (!strstr(c->journal, " b/0"))
        assert_true(scripted_pool_step(c->f.pool, 0, INT64_MAX));
    go_on(c);
    assert_non_null(c->told);
    tell(c, NULL);
    go_on(c);
    assert_true(c->f.done);
    assert_null(strstr(c->calls, " b/"));
    assert_non_null(strstr(c->journal, "=not_sent"));
    assert_text(&c->f, "/indeterminate", "false");
    assert_text(&c->f, "/observability/events/1/status", "\"skipped\"");
    close_scene(c);
}

static void test_what_was_written_down_too_late_is_not_sent(void **state)
{
    (void)state;
    struct scene *c = open_with_journal();
    assert_true(start(&c->f, CALL));
    go_on(c);
    c->f.running->deadline_ns = (int64_t)uv_hrtime() + 50 * NS_PER_MS;
    tell(c, NULL);
    go_on(c);
    assert_true(c->f.done);
    assert_string_equal(c->calls, " a/0");
    assert_string_equal(c->journal, "run 3!; a/0=ok b/0=not_sent; failed");
    assert_text(&c->f, "/reason", "\"timeout\"");
    assert_text(&c->f, "/indeterminate", "false");
    close_scene(c);
}

static void test_the_journal_says_what_the_answer_says(void **state)
{
    (void)state;
    struct scene *c = open_with_journal();
    struct schema_issues issues;
    struct json wants = parse(&c->f, "{\"type\":\"object\",\"required\":[\"there\"]}");
    mgi_schema_issues_init(&issues, &c->f.arena, 0);
    struct action picky = writes;
    picky.output_schema = mgi_schema_compile(&wants, 0, &issues);
    c->tool->steps[1].action = &picky;
    assert_true(start(&c->f, CALL));
    go_on(c);
    tell(c, NULL);
    go_on(c);
    assert_text(&c->f, "/reason", "\"bad_output\"");
    assert_text(&c->f, "/indeterminate_steps", "[\"b\"]");
    assert_string_equal(c->journal, "run 3!; a/0=ok b/0=failed?; failed");
    mgi_schema_free((struct schema *)(uintptr_t)picky.output_schema);
    close_scene(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_needs_nothing_runs_at_once_and_what_needs_it_afterwards),
        cmocka_unit_test(test_no_more_run_at_once_than_the_tool_and_the_hosts_allow),
        cmocka_unit_test(test_a_list_without_needs_runs_one_after_the_other),
        cmocka_unit_test(test_who_needs_what_was_left_out_needs_what_that_needs),
        cmocka_unit_test(test_a_wide_chain_gives_hosts_back),
        cmocka_unit_test(test_a_chain_that_waits_holds_nothing),
        cmocka_unit_test(test_a_step_waits_for_its_own_chain),
        cmocka_unit_test(test_what_waited_until_no_time_was_left_is_not_sent),
        cmocka_unit_test(test_of_several_failures_the_first_in_the_list_is_told),
        cmocka_unit_test(test_a_foreach_runs_once_per_item_and_returns_all_outputs),
        cmocka_unit_test(test_rules_hear_of_each_item),
        cmocka_unit_test(test_an_item_that_fails_is_named),
        cmocka_unit_test(test_a_foreach_has_limits),
        cmocka_unit_test(test_a_chain_keeps_so_much_and_no_more),
        cmocka_unit_test(test_what_is_idempotent_is_tried_again_where_that_may_help),
        cmocka_unit_test(test_waits_grow_and_are_the_same_each_time),
        cmocka_unit_test(test_nobody_tries_again_beyond_the_deadline),
        cmocka_unit_test(test_cancelling_ends_the_wait),
        cmocka_unit_test(test_what_was_done_is_undone_the_last_first),
        cmocka_unit_test(test_only_what_was_undone_is_said_to_be),
        cmocka_unit_test(test_where_nothing_had_been_done_nothing_is_undone),
        cmocka_unit_test(test_items_are_undone_one_by_one),
        cmocka_unit_test(test_a_cancelled_transaction_is_undone_and_nothing_stops_that),
        cmocka_unit_test(test_what_is_not_known_is_not_called_undone),
        cmocka_unit_test(test_a_foreach_that_was_cancelled_in_the_middle_is_undone),
        cmocka_unit_test(test_what_was_cancelled_when_all_had_run_is_a_result),
        cmocka_unit_test(test_a_plugin_does_not_see_what_another_left_behind),
        cmocka_unit_test(test_what_has_effects_is_sent_when_it_is_written_down),
        cmocka_unit_test(test_cancelled_while_it_is_written_down_is_not_sent),
        cmocka_unit_test(test_what_ended_while_it_is_written_down_is_not_sent),
        cmocka_unit_test(test_what_was_written_down_too_late_is_not_sent),
        cmocka_unit_test(test_the_journal_says_what_the_answer_says),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("invoke/chain_steps", tests, NULL, NULL);
}
