/* The scenarios of the unit domain, and the runner itself: a wrong expectation must fail. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <time.h>

#include "made.h"

static int64_t mono(void *context)
{
    struct timespec t;
    (void)context;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void print_failures(const struct scenario_report *r, struct findings *findings)
{
    for (size_t i = 0; i < r->count; i++)
        for (size_t k = 0; k < r->items[i].failure_count; k++)
            print_error("%s:%u: %.*s: %s\n", r->items[i].file, r->items[i].line,
                        STR_ARG(r->items[i].name), r->items[i].failures[k]);
    for (size_t i = 0; i < mgi_findings_count(findings); i++) {
        struct buf text = { 0 };
        mgi_finding_print(&text, mgi_findings_get(findings, i));
        print_error("%s", text.ptr);
        mgi_buf_fini(&text);
    }
}

static void test_every_scenario_of_the_unit_domain_passes(void **state)
{
    (void)state;
    struct snapshot *s = unit_load(UNIT_FOLDER, NULL);
    struct findings *findings = mgi_findings_new();
    struct scenario_options options = { .mono = mono };
    struct scenario_report report;
    struct arena arena;
    assert_non_null(s);
    mgi_arena_init(&arena, 0);
    assert_true(mgi_scenarios_run(s, &options, findings, &arena, &report));
    if (report.passed != report.count || mgi_findings_errors(findings) > 0)
        print_failures(&report, findings);
    assert_true(report.count > 40);
    assert_int_equal(report.passed, report.count);
    assert_int_equal(mgi_findings_errors(findings), 0);
    mgi_arena_fini(&arena);
    mgi_findings_free(findings);
    mgi_snapshot_unref(s);
}

static const char wrong[] =
    "scenarios:\n"
    "  - {name: not there, intent: go, expect: {tools: {act: full}}}\n"
    "  - {name: another level, intent: go, expect: {tools: {one: minimal}}}\n"
    "  - {name: is there, intent: go, expect: {absent: [one]}}\n"
    "  - {name: too many, intent: go, expect: {tools: {}, only: true}}\n"
    "  - {name: another score, intent: go, expect: {score: {one: 1}}}\n"
    "  - {name: another phase, intent: go, expect: {phase: {one: flesh}}}\n"
    "  - {name: other steps, intent: go, expect: {steps: {one: [a]}}}\n"
    "  - {name: other effects, intent: go, expect: {effects: {one: [network]}}}\n"
    "  - {name: confirmation, intent: go, expect: {confirm: {one: true}}}\n"
    "  - {name: bound, intent: go, expect: {bound: {one: {p: 1}}}}\n"
    "  - {name: hidden, intent: go, expect: {hidden: {one: [q]}}}\n"
    "  - {name: values, intent: go, expect: {values: {one: {q: [1]}}}}\n"
    "  - {name: expires, intent: go, expect: {expires: {one: 2026-01-01T00:00:00Z}}}\n"
    "  - {name: instructions, intent: go, expect: {instructions: {one: word}}}\n"
    "  - {name: resources, intent: go, expect: {resources: {one: [x]}}}\n"
    "  - {name: excluded, intent: go, expect: {excluded: {one: conflict}}}\n"
    "  - {name: order, intent: go, expect: {order: [two, one]}}\n"
    "  - {name: an error, intent: go, expect: {error: invalid_facts}}\n"
    "  - {name: no error, intent: go, facts: [{none: [1]}], expect: {tools: {one: any}}}\n"
    "  - {name: a bad key, intent: go, expect: {tolls: {one: any}}}\n"
    "  - {name: another reason, intent: go, expect: {why_not: {act: conflict}}}\n"
    "  - {name: another tool, intent: go, expect: {why_not: {act: {by: one}}}}\n"
    "  - {name: it is there, intent: go, expect: {why_not: {one: candidate}}}\n"
    "  - {name: another change, intent: go, expect: {why_not: {act: {changes: [{add: []}]}}}}\n"
    "  - {name: too many reasons, intent: go, expect: {why_not: {one: x, two: x, act: x, wipe: x,"
    " five: x}}}\n";

static void run_made(struct made *m, const char *scenarios)
{
    make_domain(m, scenarios);
    m->findings = mgi_findings_new();
    mgi_arena_init(&m->arena, 0);
    assert_true(mgi_scenarios_run(m->s, NULL, m->findings, &m->arena, &m->report));
}

static void forget_made(struct made *m)
{
    mgi_arena_fini(&m->arena);
    mgi_findings_free(m->findings);
    remove_domain(m);
}

static void assert_none_passed(const struct made *m)
{
    for (size_t i = 0; i < m->report.count; i++)
        if (m->report.items[i].passed)
            fail_msg("passed: %.*s", STR_ARG(m->report.items[i].name));
}

static void test_every_expectation_can_fail(void **state)
{
    struct made m;
    (void)state;
    run_made(&m, wrong);
    assert_int_equal(m.report.count, 25);
    assert_none_passed(&m);
    assert_int_equal(mgi_findings_errors(m.findings),
                     2); /* the bad key, and a tool, with a place */
    assert_int_equal(mgi_findings_get(m.findings, 0)->line, 21);
    forget_made(&m);
}

/* ---- invocations ------------------------------------------------------------------------------
 */

/* A scenario that invokes `act` with x 5; its actions answer well. */
#define ACT(name, expect)                                                                          \
    "  - {name: " name ", intent: act, invoke: {tool: act, args: {x: 5}, actions: "                \
    "{AID.FX.ECHO.v1: [{output: {y: 6}}, {output: {z: 7}}]}, expect: {" expect "}}}\n"

static const char right_outcome[] =
    "scenarios:\n" ACT("all of it",
                       "result: {z: 7}, steps: [a, second], inputs: {a: {x: 5}, second: {y: 6}}, "
                       "asserts: [{done: [5]}], retracts: [{done: [null]}], only: true, "
                       "continuation: [{done: [5]}], suggests: {go: {p: 1}}, "
                       "summary: Ran 2 of 2 actions, effects_complete: true")
        ACT("by name alone", "suggests: [go]") ACT("nothing is asked", "");

static const char wrong_outcome[] = "scenarios:\n" ACT("another result", "result: {z: 8}")
    ACT("more of a result", "result: {z: 7, w: 1}") ACT("other steps", "steps: [a]")
        ACT("another order", "steps: [second, a]") ACT("other inputs", "inputs: {second: {y: 7}}")
            ACT("another assertion", "asserts: [{done: [6]}]")
                ACT("an assertion with a time", "asserts: [{done: [5], at: 2026-01-01T00:00:00Z}]")
                    ACT("another retraction", "retracts: [{done: [5]}]")
                        ACT("more than is expected", "only: true, retracts: [{done: [null]}]")
                            ACT("another continuation", "continuation: [{done: [6]}]")
                                ACT("no continuation",
                                    "continuation: [], only: true, asserts: [{done: [5]}],"
                                    " retracts: [{done: [null]}]")
                                    ACT("another suggestion", "suggests: [stay]")
                                        ACT("no suggestion", "suggests: []")
                                            ACT("other parameters", "suggests: {go: {p: 2}}")
                                                ACT("another summary", "summary: nonsense")
                                                    ACT("not complete", "effects_complete: false")
                                                        ACT("an error", "error: execution_failed")
                                                            ACT("a reason", "reason: timeout");

static const char wrong_invocation[] =
    "scenarios:\n"
    "  - {name: no consent, intent: wipe, invoke: {tool: wipe, actions: {AID.FX.WIPE.v1: {}}}}\n"
    "  - {name: not shown, intent: go, invoke: {tool: act}}\n"
    "  - {name: refused, intent: go, facts: [{none: [1]}], expect: {error: unknown_predicate},"
    " invoke: {tool: one}}\n"
    "  - {name: not played, intent: act, invoke: {tool: act, args: {x: 5}, expect: {error: "
    "execution_failed}}}\n"
    "  - {name: played once, intent: act, invoke: {tool: act, args: {x: 5}, actions: "
    "{AID.FX.ECHO.v1: [{output: {y: 6}}]}, expect: {error: execution_failed}}}\n"
    "  - {name: another error, intent: act, invoke: {tool: act, args: {x: 5}, actions: "
    "{AID.FX.ECHO.v1: {fails: so}}, expect: {error: cancelled}}}\n"
    "  - {name: another reason, intent: act, invoke: {tool: act, args: {x: 5}, actions: "
    "{AID.FX.ECHO.v1: {fails: so}}, expect: {error: execution_failed, reason: timeout}}}\n"
    "  - {name: the second of two, intent: act, invoke: [{tool: act, args: {x: 5}, actions: "
    "{AID.FX.ECHO.v1: {output: {y: 6, z: 7}}}, expect: {result: {z: 7}}}, {tool: act, args: {x: "
    "no}}]}\n";

/* What does not exist is never there: to expect it is to expect nothing. */
static void test_a_name_that_does_not_exist_is_a_fault(void **state)
{
    static const char *const expected[][2] = {
        { "the domain has no tool \"oen\"", "Did you mean one?" },
        { "the domain has no tool \"twoo\"", "Did you mean two?" },
        { "the domain has no skill \"nothing\"", NULL },
        { "expect is a map", NULL },
    };
    struct made m;
    (void)state;
    run_made(&m, "scenarios:\n"
                 "  - {name: a level, intent: go, expect: {tools: {oen: any}}}\n"
                 "  - {name: absent, intent: go, expect: {absent: [twoo]}}\n"
                 "  - {name: a skill, intent: go, expect: {skills: [nothing]}}\n"
                 "  - {name: no map, intent: go, expect: tools}\n");
    assert_int_equal(m.report.count, 4);
    assert_none_passed(&m);
    assert_int_equal(mgi_findings_errors(m.findings), 4);
    for (uint32_t i = 0; i < 4; i++) {
        const struct finding *f = mgi_findings_get(m.findings, i);
        assert_int_equal(f->line, i + 2);
        assert_string_equal(f->message, expected[i][0]);
        assert_string_equal(f->hint ? f->hint : "", expected[i][1] ? expected[i][1] : "");
    }
    forget_made(&m);
}

static void test_an_invocation_comes_out_as_expected(void **state)
{
    struct made m;
    (void)state;
    run_made(&m, right_outcome);
    print_failures(&m.report, m.findings);
    assert_int_equal(m.report.count, 3);
    assert_int_equal(m.report.passed, 3);
    assert_int_equal(mgi_findings_errors(m.findings), 0);
    forget_made(&m);
}

/* Each for one reason, or what follows from it. */
static void assert_each_fails(const char *scenarios, size_t count)
{
    struct made m;
    run_made(&m, scenarios);
    assert_int_equal(m.report.count, count);
    assert_none_passed(&m);
    for (size_t i = 0; i < m.report.count; i++)
        assert_in_range(m.report.items[i].failure_count, 1, 2);
    assert_int_equal(mgi_findings_errors(m.findings), 0);
    forget_made(&m);
}

static void test_every_expectation_of_an_invocation_can_fail(void **state)
{
    (void)state;
    assert_each_fails(wrong_outcome, 18);
    assert_each_fails(wrong_invocation, 8);
}

/* The first finding of a file with one faulty invocation: what it says, and what it hints at. */
static void assert_fault(const char *invoke, const char *message, const char *hint)
{
    struct made m;
    char text[1024];
    snprintf(text, sizeof text, "scenarios:\n  - name: faulty\n    intent: act\n    invoke:\n%s",
             invoke);
    run_made(&m, text);
    assert_int_equal(m.report.count, 1);
    assert_none_passed(&m);
    assert_int_equal(mgi_findings_errors(m.findings), 1);
    const struct finding *f = mgi_findings_get(m.findings, 0);
    assert_string_equal(f->file, "tests/wrong.yaml");
    assert_int_equal(f->line, 6);
    assert_string_equal(f->message, message);
    if (hint)
        assert_string_equal(f->hint, hint);
    else
        assert_null(f->hint);
    forget_made(&m);
}

static void test_faults_of_an_invocation_have_their_place_and_a_hint(void **state)
{
    (void)state;
    assert_fault("      tool: act\n      action: {}\n", "unknown key \"action\" in invoke",
                 "Did you mean actions?");
    assert_fault("      args: {}\n      tool: atc\n", "the domain has no tool \"atc\"",
                 "Did you mean act?");
    assert_fault("      tool: act\n      actions: {AID.FX.EHCO.v1: {}}\n",
                 "the plugins have no action \"AID.FX.EHCO.v1\"", "Did you mean AID.FX.ECHO.v1?");
    assert_fault("      tool: act\n      actions: {AID.FX.ECHO.v1: {outptu: {}}}\n",
                 "unknown key \"outptu\" in an answer of an action", "Did you mean output?");
    assert_fault("      tool: act\n      actions: {AID.FX.ECHO.v1: [{fails: a, code: timout}]}\n",
                 "\"timout\" is no code of a toolhost", "Did you mean timeout?");
    assert_fault("      tool: act\n      actions: {AID.FX.ECHO.v1: {code: timeout}}\n",
                 "only an action that fails has a code",
                 "Say what failed: {fails: TEXT, code: CODE}.");
    assert_fault("      tool: act\n      actions: {AID.FX.ECHO.v1: {evidence: {facts: []}}}\n",
                 "evidence is a list of facts", NULL);
    assert_fault("      tool: act\n      actions: {AID.FX.ECHO.v1: {fails: no, evidence: []}}\n",
                 "an action that fails tells no evidence", NULL);
    assert_fault("      tool: act\n      actions: {AID.FX.ECHO.v1: 5}\n",
                 "what an action answers is a map", "Write {output: {...}} or {fails: TEXT}.");
    assert_fault("      tool: act\n      actions: {AID.FX.ECHO.v1: {output: [1]}}\n",
                 "output is a map", NULL);
    assert_fault("      tool: act\n      expect: {setps: [a]}\n",
                 "unknown key \"setps\" in expect of invoke", "Did you mean steps?");
    assert_fault("      tool: act\n      expect: {steps: [a, secnod]}\n",
                 "act has no step \"secnod\"", "Did you mean second?");
    assert_fault("      tool: act\n      expect: {inputs: {xyzzy: {}}}\n",
                 "act has no step \"xyzzy\"", NULL);
    assert_fault("      tool: act\n      expect: {asserts: {done: [5]}}\n",
                 "asserts is a list of facts", NULL);
    assert_fault("      tool: act\n      expect: [steps]\n", "expect of invoke is a map", NULL);
    assert_fault("\n      []\n", "invoke names no tool", NULL);
    assert_fault("      tool: act\n      expect: {suggests: go}\n",
                 "suggests is a list or a map of intents",
                 "Write [NAME, ...] or {NAME: {PARAM: VALUE}}.");
    assert_fault("      tool: act\n      expect: {summary: [a]}\n", "summary is a text", NULL);
    assert_fault("      tool: act\n      expect: {only: 1}\n", "only must be true or false", NULL);
    assert_fault("      tool: act\n      consent: perhaps\n", "consent must be true or false",
                 NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_scenario_of_the_unit_domain_passes),
        cmocka_unit_test(test_every_expectation_can_fail),
        cmocka_unit_test(test_a_name_that_does_not_exist_is_a_fault),
        cmocka_unit_test(test_an_invocation_comes_out_as_expected),
        cmocka_unit_test(test_every_expectation_of_an_invocation_can_fail),
        cmocka_unit_test(test_faults_of_an_invocation_have_their_place_and_a_hint),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("scenario/scenarios", tests, NULL, NULL);
}
