/* Scenarios of chains that are graphs: what is played comes in the order of the list, each time. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/temp_domain.h"
#include "scenario/scenario.h"

static const char tool[] =
    "tool: one\n"
    "summary: s\n"
    "description: d\n"
    "input_schema: {type: object, properties: {list: {type: array}}}\n"
    "transaction: true\n"
    "parallel: 3\n"
    "steps:\n"
    "  - {id: late, action: AID.FX.ECHO.v1, needs: [], retry: {times: 2, wait: 20s}}\n"
    "  - {id: each, action: AID.FX.TOUCH.v1, needs: [], parallel: 2, foreach: {from: args.list},\n"
    "     inputs: {x: {from: item.x}, at: {from: index}},\n"
    "     compensate: {action: AID.FX.STORE.v1, with: {back: {from: steps.each.output.x}}}}\n"
    "  - {id: both, action: AID.FX.WAIT.v1, needs: [each, late],\n"
    "     inputs: {all: {from: steps.each.output}, one: {from: steps.late.output.y}}}\n"
    "result: {all: {from: steps.each.output}, w: {from: steps.both.output.w}}\n";

static const char scenarios[] =
    "scenarios:\n"
    "  - name: all goes well\n"
    "    intent: go\n"
    "    facts: [{seen: [it]}]\n"
    "    invoke:\n"
    "      tool: one\n"
    "      args: {list: [{x: 7}, {x: 8}]}\n"
    "      consent: true\n"
    "      actions:\n"
    "        AID.FX.ECHO.v1: [{fails: away, code: unavailable}, {output: {y: 5}}]\n"
    "        AID.FX.TOUCH.v1: [{output: {x: a}}, {output: {x: b}}]\n"
    "        AID.FX.WAIT.v1: {output: {w: 1}}\n"
    "      expect:\n"
    "        steps: [late, late, each, each, both]\n"
    "        inputs:\n"
    "          each: [{x: 7, at: 0}, {x: 8, at: 1}]\n"
    "          both: {all: [{x: a}, {x: b}], one: 5}\n"
    "        result: {all: [{x: a}, {x: b}], w: 1}\n"
    "  - name: what was done is undone\n"
    "    intent: go\n"
    "    facts: [{seen: [it]}]\n"
    "    invoke:\n"
    "      tool: one\n"
    "      args: {list: [{x: 7}, {x: 8}]}\n"
    "      consent: true\n"
    "      actions:\n"
    "        AID.FX.ECHO.v1: {output: {y: 5}}\n"
    "        AID.FX.TOUCH.v1: [{output: {x: a}}, {output: {x: b}}]\n"
    "        AID.FX.WAIT.v1: {fails: no}\n"
    "        AID.FX.STORE.v1: {}\n"
    "      expect:\n"
    "        error: execution_failed\n"
    "        steps: [late, each, each, both, undo each, undo each]\n"
    "        inputs: {undo each: [{back: b}, {back: a}]}\n";

static void run(const char *text, size_t passed, const char *failure)
{
    struct temp_domain d;
    struct buf found = { 0 };
    struct scenario_options options = { 0 };
    struct scenario_report report;
    struct arena arena;
    temp_make(&d);
    temp_write(&d, "tools/t.yaml", tool);
    temp_write(&d, "tests/t.yaml", text);
    struct snapshot *s = temp_load(&d, NULL, false, &found);
    assert_string_equal(found.ptr ? found.ptr : "", "");
    struct findings *findings = mgi_findings_new();
    mgi_arena_init(&arena, 0);
    for (int again = 0; again < 3; again++) {
        assert_true(mgi_scenarios_run(s, &options, findings, &arena, &report));
        const char *first = NULL;
        for (size_t i = 0; i < report.count; i++)
            for (size_t k = 0; k < report.items[i].failure_count; k++)
                first = first ? first : report.items[i].failures[k];
        if (!failure && first)
            fail_msg("%s", first);
        if (failure && (!first || !strstr(first, failure)))
            fail_msg("not \"%s\": %s", failure, first ? first : "(nothing)");
        assert_int_equal(report.passed, passed);
    }
    for (size_t i = 0; i < mgi_findings_count(findings); i++)
        fail_msg("%s", mgi_findings_get(findings, i)->message);
    mgi_findings_free(findings);
    mgi_arena_fini(&arena);
    mgi_snapshot_unref(s);
    mgi_buf_fini(&found);
    temp_remove(&d);
}

static void test_graphs_are_played_in_the_order_of_the_list(void **state)
{
    (void)state;
    run(scenarios, 2, NULL);
}

static void test_what_comes_out_otherwise_is_told(void **state)
{
    (void)state;
    char other[sizeof scenarios + 100];
    const char *at = strstr(scenarios, "steps: [late, each, each, both");
    assert_non_null(at);
    snprintf(other, sizeof other, "%.*ssteps: [late, each]\n", (int)(at - scenarios), scenarios);
    run(other, 1, "\"late\",\"each\",\"each\",\"both\",\"undo each\",\"undo each\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graphs_are_played_in_the_order_of_the_list),
        cmocka_unit_test(test_what_comes_out_otherwise_is_told),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("scenario/graphs", tests, NULL, NULL);
}
