/* What chapter 11 of toolhost.md promises of a chain's inputs, outcomes, events and facts, a
 * statement a test. Actions are played; no process is started. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#define FIXTURE_PLAYED
#include "invoke/chain_int.h"
#include "invoke/invoke_fixture.h"
#include "invoke/scripted_pool.h"

enum { STEPS = 25 };

/* What each step answers: an outcome, an output, and facts. */
struct part {
    enum tool_outcome outcome;
    const char *output, *facts; /* NULL: {}, none */
    int64_t duration_ms;
    uint32_t times_out; /* so many attempts of it */
};

struct stage {
    struct fixture f;
    struct tool *tool;
    struct part parts[STEPS];
    char asked[2000]; /* " step/attempt{inputs}" of each call */
    int64_t timeout_ms[STEPS];
    int64_t closes_after_ns;
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

static void called(void *context, struct toolsession *s)
{
    struct stage *g = context;
    const struct tool_request *r = &s->request;
    g->timeout_ms[r->step] = r->timeout_ms;
    size_t used = strlen(g->asked);
    snprintf(g->asked + used, sizeof g->asked - used, " %u%.*s/%u%.*s", r->step, STR_ARG(r->part),
             r->attempt, STR_ARG(r->inputs->value.text));
}

static void answer(void *context, struct toolsession *s, struct tool_result *result)
{
    struct stage *g = context;
    const struct tool_request *r = &s->request;
    const struct part *p = &g->parts[r->step];
    if (mgi_str_ends(r->part, STR_LIT("-undo")))
        return;
    g->f.clock_ns += g->closes_after_ns;
    result->outcome = r->attempt < p->times_out ? TOOL_TIMEOUT : p->outcome;
    result->duration_ms = p->duration_ms;
    result->error = result->outcome == TOOL_OK ? (struct str){ "", 0 } : STR_LIT("so it says");
    if (p->output)
        result->output = parse(&g->f, p->output);
    if (p->facts)
        result->state_delta = parse(&g->f, p->facts);
}

static struct stage *open_stage(size_t count)
{
    struct stage *g = calloc(1, sizeof *g);
    struct plan plan[STEPS];
    static const char *const ids[STEPS] = { "a", "b", "c", "d", "e", "f", "g", "h", "i",
                                            "j", "k", "l", "m", "n", "o", "p", "q", "r",
                                            "s", "t", "u", "v", "w", "x", "y" };
    for (size_t i = 0; i < count; i++)
        plan[i] = (struct plan){ ids[i], ACT_ECHO, "{}", ON_FAILURE_STOP };
    open_fixture(&g->f);
    g->tool = make_tool(&g->f, "outcomes", plan, count);
    g->tool->result = (struct value_source){ .kind = SOURCE_OBJECT };
    for (size_t i = 0; i < count; i++)
        g->tool->steps[i].action = &reads;
    g->f.pool->called = called;
    g->f.pool->answer = answer;
    g->f.pool->context = g;
    g->f.hurried = true;
    offer_always(&g->f, g->tool, false);
    return g;
}

static void close_stage(struct stage *g)
{
    close_fixture(&g->f);
    free(g);
}

static void play_payload(struct stage *g, const char *payload)
{
    g->asked[0] = 0;
    if (start(&g->f, payload))
        while (!g->f.done && scripted_pool_step(g->f.pool, 0, INT64_MAX)) {
        }
    assert_true(g->f.done);
}

static void play(struct stage *g)
{
    play_payload(g, CALL);
}

/* ---- inputs --------------------------------------------------------------------------------- */

static void test_arguments_that_no_step_mentions_reach_no_action(void **state)
{
    (void)state;
    struct stage *g = open_stage(2);
    static struct source_member only = { { "where", 5 },
                                         { .kind = SOURCE_ARG, .name = { "zone", 4 } } };
    g->tool->steps[1].inputs =
        (struct value_source){ .kind = SOURCE_OBJECT, .members = &only, .member_count = 1 };
    play_payload(g, "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\",\"pct\":7}}");
    assert_int_equal(g->f.code, WIRE_OK);
    assert_string_equal(g->asked, " 0/0{} 1/0{\"where\":\"b\"}"); /* T-MCP-4, C-234 */
    close_stage(g);
}

static void test_text_of_an_output_is_no_reference(void **state)
{
    (void)state;
    struct stage *g = open_stage(2);
    static struct source_member whole = { { "was", 3 }, { .kind = SOURCE_STEP, .step = 0 } };
    static const char text[] = "{\"a\":\"${steps.0.output}\",\"b\":{\"from\":\"args.zone\"},"
                               "\"c\":\"{settings.x} args.zone\"}";
    g->parts[0].output = text;
    g->tool->steps[1].inputs =
        (struct value_source){ .kind = SOURCE_OBJECT, .members = &whole, .member_count = 1 };
    g->tool->result = (struct value_source){ .kind = SOURCE_STEP, .step = 0 };
    play(g);
    char asked[300];
    snprintf(asked, sizeof asked, " 0/0{} 1/0{\"was\":%s}", text);
    assert_string_equal(g->asked, asked); /* T-MCP-3, C-235 */
    assert_text(&g->f, "/result", text);
    close_stage(g);
}

/* ---- outcomes ------------------------------------------------------------------------------- */

static void test_each_outcome_has_its_status_code_and_reason(void **state)
{
    (void)state;
    static const struct {
        enum tool_outcome outcome;
        const char *reason;
        bool ends; /* whatever the step's rule */
    } rows[] = {
        { TOOL_ERROR, "\"tool_error\"", false },
        { TOOL_TIMEOUT, "\"timeout\"", false },
        { TOOL_CRASH, "\"tool_error\"", false },
        { TOOL_BAD_OUTPUT, "\"bad_output\"", false },
        { TOOL_TOO_LARGE, "\"bad_output\"", false },
        { TOOL_UNAVAILABLE, "\"unavailable\"", false },
        { TOOL_BREAKER, "\"unavailable\"", false },
        { TOOL_CANCELLED, "\"timeout\"", true },
        { TOOL_INVALID_PICK, "\"unavailable\"", true },
        { TOOL_LEASE, "\"unavailable\"", true },
        { TOOL_REFUSED, "\"unavailable\"", true },
    };
    struct stage *g = open_stage(3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        g->parts[1].outcome = rows[i].outcome;
        g->tool->steps[1].on_failure = ON_FAILURE_STOP;
        play(g);
        assert_int_equal(g->f.code, WIRE_EXECUTION_FAILED); /* T-MCP-7, C-179 */
        assert_false(mgi_wire_code(g->f.code)->recoverable);
        assert_text(&g->f, "/reason", rows[i].reason);
        assert_text(&g->f, "/failed_step", "1");
        assert_text(&g->f, "/observability/events/0/status", "\"success\""); /* T-MCP-5 */
        assert_text(&g->f, "/observability/events/1/status", "\"failure\"");
        assert_text(&g->f, "/observability/events/2/status", "\"skipped\"");

        g->tool->steps[1].on_failure = ON_FAILURE_CONTINUE;
        play(g);
        if (rows[i].ends) {
            assert_int_equal(g->f.code, WIRE_EXECUTION_FAILED);
            assert_text(&g->f, "/reason", rows[i].reason);
        } else {
            assert_int_equal(g->f.code, WIRE_OK); /* C-180 */
            assert_text(&g->f, "/observability/events/1/status", "\"failure\"");
            assert_text(&g->f, "/observability/events/2/status", "\"success\"");
        }
    }
    g->parts[1].outcome = TOOL_BREAKER;
    g->tool->steps[1].on_failure = ON_FAILURE_SKIP;
    play(g);
    assert_int_equal(g->f.code, WIRE_OK);
    assert_text(&g->f, "/observability/events/1/status", "\"skipped\"");
    assert_text(&g->f, "/observability/events/2/status", "\"success\"");
    close_stage(g);
}

static void test_a_window_that_closes_interrupts_nothing(void **state)
{
    (void)state;
    struct stage *g = open_stage(3);
    offer(&g->f, g->tool, false, NOW, NOW + 2 * NS_PER_SEC);
    g->closes_after_ns = 2 * NS_PER_SEC; /* with the first answer */
    play(g);
    assert_int_equal(g->f.code, WIRE_OK); /* T-MCP-6 */
    assert_string_equal(g->asked, " 0/0{} 1/0{} 2/0{}");
    play(g);
    assert_int_equal(g->f.code, WIRE_MACRO_EXPIRED);
    assert_string_equal(g->asked, ""); /* decided before the first step */
    close_stage(g);
}

static void test_another_attempt_needs_no_other_consent(void **state)
{
    (void)state;
    struct stage *g = open_stage(2);
    g->tool->steps[0].action = &writes;
    g->tool->steps[0].retry.times = 2;
    g->parts[0].times_out = 1;
    offer_always(&g->f, g->tool, true);
    play(g);
    assert_int_equal(g->f.code, WIRE_CONFIRMATION_REQUIRED);
    assert_string_equal(g->asked, ""); /* C-185 T-MCP-6 */
    g->f.approve = true;
    char payload[900];
    snprintf(payload, sizeof payload,
             "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"},\"confirmation_token\":\"%.*s\"}",
             STR_ARG(at(&g->f, "/challenge")->string));
    play_payload(g, payload);
    assert_int_equal(g->f.code, WIRE_OK); /* T-MCP-17 */
    assert_string_equal(g->asked, " 0/0{} 0/1{} 1/0{}");
    play_payload(g, payload);
    assert_int_equal(g->f.code, WIRE_CONFIRMATION_INVALID);
    assert_string_equal(g->asked, "");
    close_stage(g);
}

static void test_a_step_gets_what_is_left_less_a_tenth_of_a_second(void **state)
{
    (void)state;
    struct stage *g = open_stage(3);
    g->f.snapshot->settings.invocation_timeout_ms = 60000;
    g->f.snapshot->settings.action_timeout_ms = 90000;
    struct action quick = reads;
    quick.timeout_ms = 700;
    g->tool->steps[1].action = &quick;
    g->tool->steps[2].timeout_ms = 300;
    play(g);
    assert_in_range(g->timeout_ms[0], 40000, 59900); /* T-MCP-28 */
    assert_int_equal(g->timeout_ms[1], 700);
    assert_int_equal(g->timeout_ms[2], 300);
    close_stage(g);
}

/* ---- events --------------------------------------------------------------------------------- */

static void test_twenty_events_are_told_and_the_failure_among_them(void **state)
{
    (void)state;
    struct stage *g = open_stage(STEPS);
    g->parts[22].outcome = TOOL_ERROR;
    g->tool->steps[22].on_failure = ON_FAILURE_CONTINUE;
    play(g);
    assert_int_equal(g->f.code, WIRE_OK);
    assert_int_equal(at(&g->f, "/observability/events")->count, 20); /* T-MCP-11, C-190 */
    assert_text(&g->f, "/observability/events/19/status", "\"failure\"");
    for (int i = 0; i < 19; i++) {
        char pointer[60];
        snprintf(pointer, sizeof pointer, "/observability/events/%d/status", i);
        assert_text(&g->f, pointer, "\"success\"");
    }
    assert_non_null(
        strstr(at(&g->f, "/observability/summary")->string.ptr, "5 events are left out"));
    close_stage(g);
}

static void test_the_whole_takes_what_it_took_and_not_the_sum(void **state)
{
    (void)state;
    struct stage *g = open_stage(2);
    g->parts[0].duration_ms = g->parts[1].duration_ms = 600000; /* say their hosts */
    play(g);
    assert_text(&g->f, "/observability/events/0/duration_ms", "600000");
    assert_int_equal(at(&g->f, "/observability/duration_ms")->type, JSON_INT); /* T-MCP-12 */
    assert_in_range(at(&g->f, "/observability/duration_ms")->integer, 0, 600000 - 1);
    close_stage(g);
}

/* ---- facts ---------------------------------------------------------------------------------- */

#define FACT(zone) "{\"pred\":\"vent\",\"args\":[\"" zone "\",1],\"category\":\"server\"}"

static void test_facts_of_a_chain_that_failed_stand_beside_the_error(void **state)
{
    (void)state;
    struct stage *g = open_stage(3);
    g->parts[0].facts = "{\"assert\":[" FACT("x") "]}";
    g->parts[1].facts = "{\"assert\":[" FACT("y") "]}";
    g->parts[1].outcome = TOOL_ERROR;
    play(g);
    assert_int_equal(g->f.code, WIRE_EXECUTION_FAILED);
    assert_int_equal(at(&g->f, "/state_delta/assert")->count, 1); /* T-MCP-27: of details */
    assert_text(&g->f, "/state_delta/assert/0/args", "[\"x\",1]");

    g->tool->steps[1].on_failure = ON_FAILURE_CONTINUE;
    play(g);
    assert_int_equal(g->f.code, WIRE_OK);
    assert_int_equal(at(&g->f, "/state_delta/assert")->count, 1); /* and not of what failed */

    g->tool->steps[0].action = &writes;
    g->tool->steps[0].undo.action = &writes;
    g->tool->steps[0].undo.inputs = (struct value_source){ .kind = SOURCE_OBJECT };
    g->tool->steps[1].on_failure = ON_FAILURE_COMPENSATE;
    play(g);
    assert_text(&g->f, "/compensated", "[\"a\"]");
    assert_int_equal(at(&g->f, "/state_delta/assert")->count, 0); /* nor of what is undone */
    close_stage(g);
}

/* A fact without a category is none: the step has failed, whatever its action said. */
static void test_a_fact_without_a_category_fails_its_step(void **state)
{
    (void)state;
    struct stage *g = open_stage(2);
    g->parts[0].facts = "{\"assert\":[{\"pred\":\"vent\",\"args\":[\"x\",1]}," FACT("y") "]}";
    play(g);
    assert_int_equal(g->f.code, WIRE_EXECUTION_FAILED); /* C-189 T-MCP-24 */
    assert_text(&g->f, "/reason", "\"bad_output\"");
    assert_int_equal(at(&g->f, "/state_delta/assert")->count, 0);
    assert_string_equal(g->asked, " 0/0{}");
    close_stage(g);
}

static void test_a_later_retraction_takes_an_earlier_assertion_out(void **state)
{
    (void)state;
    struct stage *g = open_stage(2);
    g->parts[0].facts = "{\"assert\":[" FACT("x") "]}";
    g->parts[1].facts = "{\"retract\":[{\"pred\":\"vent\",\"args\":[\"x\",1]}]}";
    play(g);
    assert_int_equal(at(&g->f, "/state_delta/assert")->count, 0); /* C-188 T-MCP-25 */
    assert_text(&g->f, "/state_delta/retract/0/args", "[\"x\",1]");
    close_stage(g);
}

static void play_so_many(struct stage *g, int facts)
{
    struct buf text = { 0 };
    mgi_buf_puts(&text, "{\"assert\":[");
    for (int i = 0; i < facts; i++)
        mgi_buf_printf(&text, "%s{\"pred\":\"vent\",\"args\":[\"z%d\",1],\"category\":\"server\"}",
                       i ? "," : "", i);
    mgi_buf_puts(&text, "]}");
    g->parts[0].facts = text.ptr;
    play(g);
    assert_int_equal(g->f.code, WIRE_OK);
    mgi_buf_fini(&text);
}

static void test_more_than_a_hundred_facts_become_one(void **state)
{
    (void)state;
    struct stage *g = open_stage(1);
    play_so_many(g, 100);
    assert_int_equal(at(&g->f, "/state_delta/assert")->count, 100);
    play_so_many(g, 101);
    assert_int_equal(at(&g->f, "/state_delta/assert")->count, 1); /* T-MCP-26, C-236 */
    assert_text(&g->f, "/state_delta/assert/0/args", "[\"vent\",101]");
    close_stage(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments_that_no_step_mentions_reach_no_action),
        cmocka_unit_test(test_text_of_an_output_is_no_reference),
        cmocka_unit_test(test_each_outcome_has_its_status_code_and_reason),
        cmocka_unit_test(test_a_window_that_closes_interrupts_nothing),
        cmocka_unit_test(test_another_attempt_needs_no_other_consent),
        cmocka_unit_test(test_a_step_gets_what_is_left_less_a_tenth_of_a_second),
        cmocka_unit_test(test_twenty_events_are_told_and_the_failure_among_them),
        cmocka_unit_test(test_the_whole_takes_what_it_took_and_not_the_sum),
        cmocka_unit_test(test_facts_of_a_chain_that_failed_stand_beside_the_error),
        cmocka_unit_test(test_a_fact_without_a_category_fails_its_step),
        cmocka_unit_test(test_a_later_retraction_takes_an_earlier_assertion_out),
        cmocka_unit_test(test_more_than_a_hundred_facts_become_one),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("invoke/chain_outcomes", tests, NULL, NULL);
}
