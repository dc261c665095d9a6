/* Scenarios of tools with menus: they say what policies answer, and what a person is asked. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "menus.h"

static void run(struct made *m, const char *scenarios)
{
    make_menus(m, scenarios);
    m->findings = mgi_findings_new();
    mgi_arena_init(&m->arena, 0);
    assert_true(mgi_scenarios_run(m->s, NULL, m->findings, &m->arena, &m->report));
}

static void end(struct made *m)
{
    mgi_findings_free(m->findings);
    mgi_arena_fini(&m->arena);
    remove_domain(m);
}

/* One scenario, with these lines behind `invoke`. */
static void run_one(struct made *m, const char *invoke)
{
    char text[2000];
    snprintf(text, sizeof text, "scenarios:\n- name: n\n  intent: go\n  invoke:\n%s", invoke);
    run(m, text);
    if (mgi_findings_count(m->findings) > 0)
        fail_msg("%s", mgi_findings_get(m->findings, 0)->message);
}

static void holds(const char *invoke)
{
    struct made m;
    run_one(&m, invoke);
    for (size_t k = 0; k < m.report.items[0].failure_count; k++)
        print_error("%s\n", m.report.items[0].failures[k]);
    assert_true(m.report.items[0].passed);
    end(&m);
}

static void fails(const char *invoke, const char *message)
{
    struct made m;
    bool told = false;
    run_one(&m, invoke);
    const struct scenario_result *r = &m.report.items[0];
    for (size_t k = 0; k < r->failure_count; k++)
        told |= strstr(r->failures[k], message) != NULL;
    if (r->passed || !told)
        fail_msg("%s instead of %s",
                 r->failure_count ? r->failures[r->failure_count - 1] : "nothing", message);
    end(&m);
}

#define ANSWERS "    actions: {AID.FX.ECHO.v1: {output: {y: 6}}, AID.FX.TOUCH.v1: {}}\n"

static void test_what_a_policy_says_is_played(void **state)
{
    (void)state;
    holds("    tool: policy\n" ANSWERS "    selections:\n"
          "      next: [{pick: AID.FX.ECHO.v1, with: {x: 2}}, {pick: AID.FX.TOUCH.v1}, noop]\n"
          "    expect:\n"
          "      steps: [next, next]\n"
          "      picks: {next: [AID.FX.ECHO.v1, AID.FX.TOUCH.v1]}\n"
          "      inputs: {next: [{x: 2}, {x: 2}]}\n"
          "      asks: []\n"
          "      result: {reason: noop}\n");
    fails("    tool: policy\n" ANSWERS "    selections: {next: [{pick: AID.FX.ECHO.v1}, noop]}\n"
          "    expect: {picks: {next: [AID.FX.TOUCH.v1]}}\n",
          "picks of next: expected [\"AID.FX.TOUCH.v1\"], got [\"AID.FX.ECHO.v1\"]");
}

static void test_its_failures_are_played(void **state) /* T-POL-6 */
{
    (void)state;
    static const char *const wrong[] = { "{said: I would rather not.}", "{fails: boom}",
                                         "{said: <PICK><SID0099><END>}", "{said: ''}" };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "    tool: policy\n" ANSWERS "    selections: {next: [%s, noop]}\n"
                 "    expect: {picks: {next: [AID.FX.TOUCH.v1]}, result: {reason: noop}}\n",
                 wrong[i]); /* the rules are its fallback */
        holds(text);
    }
}

static void test_what_it_asks_is_agreed_to_or_not(void **state)
{
    (void)state;
    holds("    tool: policy\n    consent: true\n" ANSWERS
          "    selections: {next: [{pick: AID.FX.ECHO.v1}, ask_sup, noop]}\n"
          "    expect: {picks: {next: [AID.FX.ECHO.v1, AID.FX.TOUCH.v1]}, asks: [What now?]}\n");
    holds("    tool: policy\n" ANSWERS
          "    selections: {next: [{pick: AID.FX.ECHO.v1}, ask_sup, noop]}\n"
          "    expect: {picks: {next: [AID.FX.ECHO.v1]}, asks: [What now?], error: "
          "confirmation_required}\n");
    fails("    tool: policy\n    consent: true\n" ANSWERS
          "    selections: {next: [ask_sup, ask_sup, noop]}\n    expect: {asks: [What now?]}\n",
          "asks: expected [\"What now?\"], got [\"What now?\",\"What now?\"]");
}

static void test_rules_of_menus_pick_and_ask_and_are_answered(void **state)
{
    (void)state;
    holds("    tool: rules\n    consent: true\n" ANSWERS "    expect:\n"
          "      picks: {next: [AID.FX.ECHO.v1, AID.FX.TOUCH.v1]}\n"
          "      inputs: {next: [{x: 4}, {x: 4}]}\n" /* out of what `stock` is said to answer */
          "      asks: [Touch it?]\n");
}

static void test_what_is_not_said_does_not_hold(void **state)
{
    (void)state;
    fails("    {tool: policy}\n",
          "the policy of next was asked in turn 1, and selections do not say what it answers");
    fails("    tool: policy\n" ANSWERS "    selections: {next: [{pick: AID.FX.ECHO.v1}]}\n",
          "the policy of next was asked in turn 2, and selections do not say what it answers");
}

static void test_faults_have_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value, *code, *message, *hint;
    } rows[] = {
        { "selections", "[1]", "BAD_VALUE", "selections is a map from step", "" },
        { "selections", "{nex: noop}", "UNKNOWN_STEP", "has no menu \"nex\"", "next" },
        { "selections", "{next: nop}", "BAD_VALUE", "not what a policy can say", "noop" },
        { "selections", "{next: {pick: AID.FX.TUCH.v1}}", "UNKNOWN_ACTION",
          "the menu has no action \"AID.FX.TUCH.v1\"", "AID.FX.TOUCH.v1" },
        { "selections", "{next: {pick: [1]}}", "BAD_VALUE", "not what a policy can say", "noop" },
        { "selections", "{next: {pick: AID.FX.TOUCH.v1, fails: x}}", "BAD_VALUE",
          "not what a policy can say", "noop" },
        { "selections", "{next: {said: x, with: {a: 1}}}", "BAD_VALUE", "not what a policy can say",
          "noop" },
        { "selections", "{next: [{pik: x}]}", "UNKNOWN_KEY", "unknown key \"pik\"", "pick" },
        { "expect", "{picks: [x]}", "BAD_VALUE", "picks is a map", "STEP" },
        { "expect", "{picks: {nex: [x]}}", "UNKNOWN_STEP", "no step \"nex\"", "next" },
        { "expect", "{asks: x}", "BAD_VALUE", "asks is a list of questions", "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct made m;
        char text[400];
        bool found = false;
        snprintf(text, sizeof text,
                 "scenarios:\n- name: n\n  intent: go\n  invoke: {tool: policy,\n    %s: %s}\n",
                 rows[i].key, rows[i].value);
        run(&m, text);
        for (size_t k = 0; k < mgi_findings_count(m.findings); k++) {
            const struct finding *f = mgi_findings_get(m.findings, k);
            found |= strcmp(f->code, rows[i].code) == 0 && f->line == 6 &&
                     strstr(f->message, rows[i].message) &&
                     strstr(f->hint ? f->hint : "", rows[i].hint);
        }
        if (!found)
            fail_msg("%s: not %s", rows[i].value, rows[i].message);
        end(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_a_policy_says_is_played),
        cmocka_unit_test(test_its_failures_are_played),
        cmocka_unit_test(test_what_it_asks_is_agreed_to_or_not),
        cmocka_unit_test(test_rules_of_menus_pick_and_ask_and_are_answered),
        cmocka_unit_test(test_what_is_not_said_does_not_hold),
        cmocka_unit_test(test_faults_have_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
