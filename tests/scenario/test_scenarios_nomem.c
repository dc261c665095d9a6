/* Running scenarios survives the failure of any one allocation: a run that ends well never passes
 * what does not hold. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "answered.h"
#include "menus.h"
#include "support/nomem.h"

/* Where memory is enough, `count` of them are told, and two pass. */
static void run(struct snapshot *s, size_t count, size_t fail_at, bool *failed)
{
    struct findings *findings = mgi_findings_new();
    const struct scenario_options options = { .coverage = true };
    struct scenario_report report;
    struct arena arena;
    assert_non_null(findings);
    mgi_arena_init(&arena, 0);
    nomem_fail_at(fail_at);
    bool ok = mgi_scenarios_run(s, &options, findings, &arena, &report);
    *failed = nomem_failed();
    nomem_fail_at(0);
    assert_true(ok || mgi_findings_nomem(findings)); /* so that nobody takes the blame */
    for (size_t i = 0; ok && i < report.count; i++)
        assert_true(mgi_str_starts(report.items[i].name, STR_LIT("it holds")) ||
                    !report.items[i].passed);
    if (!*failed) {
        assert_true(ok);
        assert_int_equal(report.count, count);
        assert_int_equal(report.passed, 2);
    }
    mgi_arena_fini(&arena);
    mgi_findings_free(findings);
}

static const char scenarios[] =
    "scenarios:\n"
    "  - {name: it holds, intent: go, facts: [{done: [1]}], expect: {tools: {one: full}}}\n"
    "  - {name: it holds with consent, intent: wipe, invoke: {tool: wipe, consent: true, actions: "
    "{AID.FX.WIPE.v1: {output: {}, evidence: []}}, expect: {steps: [w], result: {}}}}\n"
    "  - {name: wrong, intent: act, invoke: {tool: act, args: {x: 5}, actions: {AID.FX.ECHO.v1: "
    "[{output: {y: 6}}, {output: {z: 7}}]}, expect: {asserts: [{done: [6]}]}}}\n"
    "  - {name: wrong suggestion, intent: act, invoke: {tool: act, args: {x: 5}, actions: "
    "{AID.FX.ECHO.v1: {output: {y: 6, z: 7}}}, expect: {suggests: {go: {p: 2}}}}}\n";

static void run_often(struct made *m, size_t count)
{
    bool failed = true;
    run(m->s, count, 0, &failed);
    failed = true;
    for (size_t n = 1; failed; n++)
        run(m->s, count, n, &failed);
    remove_domain(m);
}

static void test_a_run_survives_any_failing_allocation(void **state)
{
    struct made m;
    (void)state;
    make_domain(&m, scenarios);
    run_often(&m, 4);
}

static const char asking[] =
    "external: {stock: [[tea, 4, a], [pot, 1, b]]}\n"
    "scenarios:\n"
    "  - {name: it holds, intent: go, facts: [{done: [1]}], expect: {tools: {one: any, two: "
    "any}}}\n"
    "  - {name: it holds and fails, intent: go, external: {stock: {fails: no}}, facts: [{done: "
    "[1]}],"
    " expect: {error: evaluation_failed}}\n"
    "  - {name: wrong, intent: go, facts: [{done: [1]}], expect: {absent: [one]}}\n";

static void test_so_does_one_that_answers_rules(void **state)
{
    struct made m;
    (void)state;
    make_answered(&m, asking);
    run_often(&m, 3);
}

static const char picking[] =
    "scenarios:\n"
    "  - {name: it holds, intent: go, invoke: {tool: policy, consent: true, actions: "
    "{AID.FX.ECHO.v1: {output: {y: 6}}, AID.FX.TOUCH.v1: {}}, selections: {next: [{pick: "
    "AID.FX.ECHO.v1, with: {x: 2}}, ask_sup, noop]}, expect: {picks: {next: [AID.FX.ECHO.v1, "
    "AID.FX.TOUCH.v1]}, asks: [What now?]}}}\n"
    "  - {name: it holds and asks, intent: go, invoke: {tool: policy, selections: {next: "
    "ask_sup}, expect: {asks: [What now?], error: confirmation_required}}}\n"
    "  - {name: wrong, intent: go, invoke: {tool: policy, selections: {next: noop}, expect: "
    "{asks: [What now?]}}}\n";

static void test_so_does_one_that_plays_policies(void **state)
{
    struct made m;
    (void)state;
    make_menus(&m, picking);
    run_often(&m, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_run_survives_any_failing_allocation),
        cmocka_unit_test(test_so_does_one_that_answers_rules),
        cmocka_unit_test(test_so_does_one_that_plays_policies),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("scenario/nomem", tests, NULL, NULL);
}
