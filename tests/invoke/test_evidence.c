/* What actions tell the effects rules and nobody else (T-MCP-32): read, judged, told, and gone.
 * Actions are played; no process is started. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

/* What rules make of it: how many there are, the greatest number, since when; and pairs, by going
 * round. */
#define FIXTURE_RULES                                                                              \
    "Decl above(A, B).\n"                                                                          \
    "result_member(\"saw\", C) :- saw(Id, N)@[S, _] |> do fn:group_by(), let C = fn:count().\n"    \
    "result_member(\"most\", M) :- saw(_, N)@[S, _] |> do fn:group_by(), let M = fn:max(N).\n"     \
    "result_member(\"began\", [Id, S]) :- saw(Id, 1)@[S, _].\n"                                    \
    "above(A, B) :- saw(_, A)@[S, _], B = fn:plus(A, 1), saw(_, B)@[U, _].\n"                      \
    "above(A, C) :- above(A, B), above(B, C).\n"                                                   \
    "result_member(\"pairs\", C) :- above(A, _) |> do fn:group_by(), let C = fn:count().\n"
#define FIXTURE_PLAYED
#include "invoke/invoke_fixture.h"
#include "invoke/scripted_pool.h"

enum { STEPS = 3, ARTIFACTS = 2 };

struct stage {
    struct fixture f;
    struct tool *tool;
    const char *told[STEPS][ARTIFACTS]; /* what each step tells; NULL: nothing */
    enum tool_outcome outcomes[STEPS];
    int calls; /* so far */
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

static struct json content_of(struct stage *g, const char *text)
{
    struct json v;
    struct str kept = mgi_arena_str(&g->f.arena, str_of(text));
    if (mgi_json_parse(&g->f.arena, kept, NULL, &v, NULL) != JSON_OK)
        return (struct json){ .type = JSON_STRING }; /* as plugin_answer.c has it */
    return v;
}

static void called(void *context, struct toolsession *s)
{
    (void)s;
    ((struct stage *)context)->calls++;
}

static void answer(void *context, struct toolsession *s, struct tool_result *result)
{
    struct stage *g = context;
    uint32_t step = s->request.step;
    if (mgi_str_ends(s->request.part, STR_LIT("-undo")))
        return;
    result->outcome = g->outcomes[step];
    if (!g->told[step][0])
        return;
    result->evidence = mgi_arena_calloc(&g->f.arena, ARTIFACTS, sizeof *result->evidence);
    for (size_t i = 0; i < ARTIFACTS && g->told[step][i]; i++)
        result->evidence[result->evidence_count++] = content_of(g, g->told[step][i]);
}

static struct stage *open_stage(size_t count)
{
    static const char *const ids[STEPS] = { "x", "y", "z" };
    struct stage *g = calloc(1, sizeof *g);
    struct plan plan[STEPS];
    for (size_t i = 0; i < count; i++)
        plan[i] = (struct plan){ ids[i], ACT_ECHO, "{}", ON_FAILURE_STOP };
    open_fixture(&g->f);
    g->f.snapshot->rules_answer = true; /* as the load finds out */
    g->tool = make_tool(&g->f, "sees", plan, count);
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

static void play(struct stage *g)
{
    g->calls = 0;
    g->f.logged[0] = 0;
    if (start(&g->f, CALL))
        while (!g->f.done && scripted_pool_step(g->f.pool, 0, INT64_MAX)) {
        }
    assert_true(g->f.done);
}

#define SAW(id, n)   "{\"pred\":\"saw\",\"args\":[\"" id "\"," n "]}"
#define FACTS(facts) "{\"facts\":[" facts "]}"

static void test_rules_read_what_actions_saw(void **state)
{
    (void)state;
    struct stage *g = open_stage(2);
    g->told[0][0] = FACTS(SAW("needle", "3") "," SAW("b", "9"));
    g->told[1][0] = FACTS("{\"pred\":\"saw\",\"args\":[\"c\",1],\"t\":{\"start\":1783144000000,"
                          "\"end\":\"_\"},\"category\":\"server\"}");
    play(g);
    assert_int_equal(g->f.code, WIRE_OK);
    assert_text(&g->f, "/result",
                "{\"began\":[\"c\",\"2026-07-04T05:46:40Z\"],\"most\":9,\"saw\":3}"); /* T-MCP-32 */
    close_stage(g);
}

static void test_nobody_else_hears_of_it(void **state)
{
    (void)state;
    struct stage *g = open_stage(2);
    g->told[0][0] = FACTS(SAW("needle", "3"));
    play(g);
    assert_int_equal(g->f.code, WIRE_OK);
    assert_null(strstr(g->f.payload, "needle")); /* delta, events, result */
    assert_text(&g->f, "/state_delta", "{\"assert\":[],\"retract\":[]}");
    assert_null(strstr(g->f.logged, "needle"));
    g->told[0][0] = NULL;
    play(g);
    assert_text(&g->f, "/result", "{}"); /* it was of that invocation alone */
    close_stage(g);
}

static void test_all_artifacts_of_a_step_count(void **state)
{
    (void)state;
    struct stage *g = open_stage(1);
    g->told[0][0] = FACTS(SAW("a", "1") "," SAW("b", "2"));
    g->told[0][1] = FACTS(SAW("c", "3"));
    play(g);
    assert_text(&g->f, "/result/saw", "3");
    g->told[0][1] = FACTS(SAW("c", "3") "," SAW("d", "\"4\""));
    play(g);
    assert_int_equal(g->f.code, WIRE_EXECUTION_FAILED);
    assert_non_null(strstr(g->f.logged, "its evidence is wrong (artifact 2): facts[1] saw: "
                                        "argument 1 must be a number, not a string"));
    close_stage(g);
}

static void test_wrong_evidence_fails_its_step_and_says_which_and_why(void **state)
{
    (void)state;
    static const struct {
        const char *told, *why;
    } rows[] = {
        { FACTS(SAW("a", "1") ",{\"pred\":\"sow\",\"args\":[]}"),
          "facts[1] sow: no Decl with direction(\"evidence\") names it" },
        { FACTS("{\"pred\":\"vent\",\"args\":[\"b\",1]}"), /* which is the clients' */
          "facts[0] vent: no Decl with direction(\"evidence\") names it" },
        { FACTS("{\"pred\":\"disclosure_upgrade\",\"args\":[\"b\"]}"),
          "disclosure_upgrade is no evidence" },
        { FACTS("{\"pred\":\"_manglecp_x\",\"args\":[]}"), "facts[0] _manglecp_x: names that" },
        { FACTS("{\"pred\":\"saw\",\"args\":[\"b\"]}"),
          "facts[0] saw: has 1 argument where 2 are declared" },
        { FACTS(SAW("a", "1.5")), "argument 1 must be an integer, not a float" },
        { FACTS(SAW("a", "null")), "argument 1" },
        { FACTS("{\"pred\":\"saw\",\"args\":[\"a\",1],\"t\":{\"at\":\"noon\"}}"), "facts[0] saw" },
        { FACTS("7"), "facts[0]: a fact is an object" },
        { "{\"facts\":{}}", "it must be an object with a list, facts" },
        { "{}", "it must be an object with a list, facts" },
        { "[]", "it must be an object with a list, facts" },
        { "{", "it must be an object with a list, facts" },
    };
    struct stage *g = open_stage(2);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        g->told[0][0] = rows[i].told;
        play(g);
        assert_int_equal(g->f.code, WIRE_EXECUTION_FAILED);
        assert_text(&g->f, "/reason", "\"bad_output\"");
        assert_int_equal(g->calls, 1); /* the second step did not run */
        if (!strstr(g->f.logged, rows[i].why))
            fail_msg("%s: %s", rows[i].told, g->f.logged);
    }
    close_stage(g);
}

static void test_what_failed_told_nothing(void **state)
{
    (void)state;
    struct stage *g = open_stage(3);
    g->told[0][0] = FACTS(SAW("a", "1"));
    g->told[1][0] = FACTS(SAW("b", "2"));
    g->told[2][0] = FACTS(SAW("c", "3") "," SAW("d", "x")); /* no JSON at all */
    g->outcomes[1] = TOOL_ERROR;
    g->tool->steps[1].on_failure = g->tool->steps[2].on_failure = ON_FAILURE_CONTINUE;
    play(g);
    assert_int_equal(g->f.code, WIRE_OK);
    assert_text(&g->f, "/result/most", "1");

    g->tool->steps[0].action = &writes; /* a chain that is undone has no rules */
    g->tool->steps[0].undo.action = &writes;
    g->tool->steps[0].undo.inputs = (struct value_source){ .kind = SOURCE_OBJECT };
    g->tool->steps[1].on_failure = ON_FAILURE_COMPENSATE;
    play(g);
    assert_text(&g->f, "/compensated", "[\"x\"]");
    assert_null(strstr(g->f.payload, "saw"));
    close_stage(g);
}

static void test_each_item_of_a_foreach_tells(void **state)
{
    (void)state;
    struct stage *g = open_stage(1);
    g->tool->steps[0].has_foreach = true;
    g->tool->steps[0].items =
        (struct value_source){ .kind = SOURCE_CONST, .constant = parse(&g->f, "[1,2,3]") };
    g->told[0][0] = FACTS("{\"pred\":\"saw\",\"args\":[\"a\",1]}");
    play(g);
    assert_int_equal(g->f.code, WIRE_OK);
    assert_text(&g->f, "/result/saw", "1"); /* the same fact three times */
    assert_int_equal(g->calls, 3);
    close_stage(g);
}

/* `count` facts saw("m<i>", first + i * step). */
static char *many(int count, int first, int step)
{
    struct buf text = { 0 };
    mgi_buf_puts(&text, "{\"facts\":[");
    for (int i = 0; i < count; i++)
        mgi_buf_printf(&text, "%s{\"pred\":\"saw\",\"args\":[\"m%d\",%d]}", i ? "," : "", i,
                       first + step * i);
    mgi_buf_puts(&text, "]}");
    char *out = strdup(text.ptr);
    mgi_buf_fini(&text);
    return out;
}

static void test_it_is_bounded(void **state)
{
    (void)state;
    struct stage *g = open_stage(2);
    char *most = many(EVIDENCE_MAX_FACTS, 0, 2), *one = many(1, -1, 2);
    g->f.snapshot->settings.limits.max_derived_facts = 1000000;
    g->told[0][0] = most;
    play(g);
    assert_int_equal(g->f.code, WIRE_OK);
    assert_text(&g->f, "/result/saw", "20000");
    g->told[0][1] = one;
    play(g);
    assert_int_equal(g->f.code, WIRE_EXECUTION_FAILED);
    assert_non_null(strstr(g->f.logged, "its evidence is too long: 20001 facts, with 0 of steps "
                                        "before it; 20000 may be told"));
    g->told[0][1] = NULL;
    g->told[1][0] = one;
    play(g); /* beside each other: a limit that does not depend on which was first */
    assert_int_equal(g->f.code, WIRE_EXECUTION_FAILED);
    assert_non_null(strstr(g->f.logged, "1 facts, with 20000 of steps before it"));

    g->told[1][0] = NULL;
    g->tool->steps[0].has_foreach = true;
    g->tool->steps[0].items =
        (struct value_source){ .kind = SOURCE_CONST, .constant = parse(&g->f, "[1,2]") };
    play(g);
    assert_int_equal(g->f.code, WIRE_OK);
    assert_text(&g->f, "/effects_complete", "false");
    assert_non_null(strstr(g->f.payload, "More was seen than rules can be told."));
    free(most);
    free(one);
    close_stage(g);
}

static void test_a_result_that_lacks_what_rules_could_not_say_tells_why(void **state)
{
    (void)state;
    static const char why[] = "rules could not complete it (Deriving what changed reached a limit "
                              "of the server).";
    struct stage *g = open_stage(1);
    struct schema_issues issues;
    char *some = many(40, 0, 1); /* 780 pairs follow */
    mgi_schema_issues_init(&issues, &g->f.arena, 0);
    struct json text = parse(&g->f, "{\"required\":[\"saw\"]}");
    struct schema *schema = mgi_schema_compile(&text, 0, &issues);
    int64_t most = g->f.snapshot->settings.limits.max_derived_facts;
    g->tool->output = schema;
    g->told[0][0] = some;
    play(g);
    assert_int_equal(g->f.code, WIRE_OK);

    g->f.snapshot->settings.limits.max_derived_facts = 200;
    play(g);
    assert_int_equal(g->f.code, WIRE_EXECUTION_FAILED);
    assert_text(&g->f, "/reason", "\"bad_output\"");
    if (!strstr(g->f.message, why))
        fail_msg("%s", g->f.message);

    g->tool->output = NULL; /* nothing says that it lacks anything */
    play(g);
    assert_int_equal(g->f.code, WIRE_OK);
    assert_text(&g->f, "/effects_complete", "false");

    g->tool->output = schema; /* rules said all that they had to say */
    g->f.snapshot->settings.limits.max_derived_facts = most;
    g->told[0][0] = NULL;
    play(g);
    assert_int_equal(g->f.code, WIRE_EXECUTION_FAILED);
    assert_null(strstr(g->f.message, "rules"));
    g->tool->output = NULL;
    mgi_schema_free(schema);
    free(some);
    close_stage(g);
}

/* As much as a page gives, with a rule that goes round: far from every limit. */
static void test_a_page_full_of_evidence_is_soon_judged(void **state)
{
    (void)state;
    struct stage *g = open_stage(1);
    struct buf text = { 0 };
    mgi_buf_puts(&text, "{\"facts\":[");
    for (int i = 0; i < 1500; i++) /* chains of fifteen links */
        mgi_buf_printf(&text, "%s{\"pred\":\"saw\",\"args\":[\"m%d\",%d]}", i ? "," : "", i,
                       i + i / 15);
    mgi_buf_puts(&text, "]}");
    g->told[0][0] = text.ptr;
    int64_t began_ns = (int64_t)uv_hrtime();
    play(g);
    int64_t took_ms = ((int64_t)uv_hrtime() - began_ns) / NS_PER_MS;
    assert_int_equal(g->f.code, WIRE_OK);
    assert_text(&g->f, "/result/pairs", "10500"); /* a hundred chains of 15: 14 + 13 + ... */
    print_message("# 1,500 facts and 10,500 that follow: %d ms\n", (int)took_ms);
    assert_true(took_ms < 5000); /* the default of max_compute_ms, under ASan */
    mgi_buf_fini(&text);
    close_stage(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_read_what_actions_saw),
        cmocka_unit_test(test_nobody_else_hears_of_it),
        cmocka_unit_test(test_all_artifacts_of_a_step_count),
        cmocka_unit_test(test_wrong_evidence_fails_its_step_and_says_which_and_why),
        cmocka_unit_test(test_what_failed_told_nothing),
        cmocka_unit_test(test_each_item_of_a_foreach_tells),
        cmocka_unit_test(test_it_is_bounded),
        cmocka_unit_test(test_a_result_that_lacks_what_rules_could_not_say_tells_why),
        cmocka_unit_test(test_a_page_full_of_evidence_is_soon_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
