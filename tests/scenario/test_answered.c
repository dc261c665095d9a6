/* Scenarios say what actions answer when rules ask them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "answered.h"

static void run(struct made *m, const char *scenarios)
{
    make_answered(m, scenarios);
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

static void expect_failure(const struct made *m, size_t i, const char *text)
{
    const struct scenario_result *r = &m->report.items[i];
    bool told = false;
    for (size_t k = 0; k < r->failure_count; k++)
        told |= strstr(r->failures[k], text) != NULL;
    if (r->passed || !told)
        fail_msg("%.*s: %s instead of %s", STR_ARG(r->name),
                 r->failure_count ? r->failures[0] : "nothing", text);
}

static void test_rows_of_the_scenario_and_of_its_file_answer(void **state)
{
    (void)state;
    struct made m;
    run(&m, "external: {stock: [[tea, 4, a], [tea, 1, b], [pot, 1, b]]}\n"
            "scenarios:\n"
            "- {name: file, intent: go, facts: [{done: [1]}],"
            " expect: {tools: {one: any, two: any}}}\n"
            "- {name: own, intent: go, facts: [{done: [1]}], external: {stock: [[tea, 3, a]]},"
            " expect: {absent: [one, two]}}\n"
            "- {name: none, intent: go, facts: [{done: [1]}], external: {stock: []},"
            " expect: {absent: [one, two]}}\n"
            "- {name: run, intent: go, facts: [{done: [1]}], invoke: {tool: one, expect: {}},"
            " expect: {why_not: {two: nobody}}, external: {stock: [[tea, 9, a]]}}\n");
    for (size_t i = 0; i < 3; i++)
        if (!m.report.items[i].passed)
            fail_msg("%s", m.report.items[i].failures[0]);
    assert_int_equal(m.report.count, 4);
    end(&m);
}

static void test_failures_are_played_and_what_is_not_played_fails(void **state)
{
    (void)state;
    struct made m;
    run(&m,
        "scenarios:\n"
        "- {name: fails, intent: go, facts: [{done: [1]}],"
        " external: {stock: {fails: The shelves are dark}}, expect: {error: evaluation_failed}}\n"
        "- {name: unplayed, intent: go, facts: [{done: [1]}], expect: {}}\n"
        "- {name: type, intent: go, facts: [{done: [1]}], external: {stock: [[tea, null, a]]},"
        " expect: {error: evaluation_failed}}\n"
        "- {name: unexpected, intent: go, facts: [{done: [1]}],"
        " external: {stock: {fails: The shelves are dark}}, expect: {tools: {one: any}}}\n");
    assert_true(m.report.items[0].passed);
    expect_failure(&m, 1, "stock was asked, and external does not say what it answers");
    assert_true(m.report.items[2].passed);
    expect_failure(&m, 3, "the host cannot answer stock: The shelves are dark");
    end(&m);
}

static void test_faults_of_external_have_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *external, *code, *message;
    } rows[] = {
        { "[1]", "BAD_VALUE", "external is a map from predicate to rows" },
        { "{price: [[tea, 1]]}", "EXTERNAL", "a table answers price, and does so here" },
        { "{stok: []}", "EXTERNAL", "no action answers stok" },
        { "{stock: [[tea, 1]]}", "BAD_VALUE", "a row of stock is a list of its 3 arguments" },
        { "{stock: 3}", "BAD_VALUE", "is answered by a list of rows, or {fails: TEXT}" },
        { "{stock: {fail: x}}", "UNKNOWN_KEY", "unknown key \"fail\"" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct made m;
        char text[300];
        bool found = false;
        snprintf(text, sizeof text,
                 "scenarios:\n- {name: n, intent: go,\n   external: %s, expect: {}}\n",
                 rows[i].external);
        run(&m, text);
        for (size_t k = 0; k < mgi_findings_count(m.findings); k++) {
            const struct finding *f = mgi_findings_get(m.findings, k);
            found |= strcmp(f->code, rows[i].code) == 0 && f->line == 3 &&
                     strstr(f->message, rows[i].message);
        }
        if (!found)
            fail_msg("%s: not %s", rows[i].external, rows[i].message);
        end(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_of_the_scenario_and_of_its_file_answer),
        cmocka_unit_test(test_failures_are_played_and_what_is_not_played_fails),
        cmocka_unit_test(test_faults_of_external_have_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
