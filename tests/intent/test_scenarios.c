/* The scenarios of the unit domain, and the runner itself: a wrong expectation must fail. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "domains/unit.h"
#include "intent/scenario.h"

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

/* ---- a domain made for one test ---------------------------------------------------------------
 */

static void write_file(const char *folder, const char *path, const char *text)
{
    char full[512];
    snprintf(full, sizeof full, "%s/%s", folder, path);
    FILE *f = fopen(full, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static const char wrong[] =
    "scenarios:\n"
    "  - {name: not there, intent: go, expect: {tools: {other: full}}}\n"
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
    "  - {name: a bad key, intent: go, expect: {tolls: {one: any}}}\n";

static void test_every_expectation_can_fail(void **state)
{
    (void)state;
    char folder[] = "/tmp/mangle-scenario-XXXXXX", path[512];
    static const char *const folders[] = { "rules", "rules/domain", "tools", "tests" };
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, folders[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    write_file(folder, "domain.yaml",
               "server: {name: s, version: 1.0.0}\ndomain: {id: d, description: d}\n");
    write_file(folder, "rules/domain/a.mg",
               "mandatory_for_intent(\"go\", \"one\").\n"
               "tool_relevant_to_intent(\"two\", \"go\", 30).\n");
    write_file(folder, "tools/t.yaml",
               "- {tool: one, summary: s, description: d,"
               " input_schema: {type: object, properties: {q: {type: integer}}}}\n"
               "- {tool: two, summary: s, description: d, input_schema: {type: object}}\n");
    write_file(folder, "tests/wrong.yaml", wrong);

    struct snapshot *s = unit_load(folder, NULL);
    struct findings *findings = mgi_findings_new();
    struct scenario_report report;
    struct arena arena;
    assert_non_null(s);
    mgi_arena_init(&arena, 0);
    assert_true(mgi_scenarios_run(s, NULL, findings, &arena, &report));
    assert_int_equal(report.count, 20);
    for (size_t i = 0; i < report.count; i++)
        if (report.items[i].passed)
            fail_msg("passed: %.*s", STR_ARG(report.items[i].name));
    assert_int_equal(mgi_findings_errors(findings), 1); /* the bad key, with its place */
    assert_int_equal(mgi_findings_get(findings, 0)->line, 21);
    mgi_arena_fini(&arena);
    mgi_findings_free(findings);
    mgi_snapshot_unref(s);
    snprintf(path, sizeof path, "rm -r %s", folder);
    assert_int_equal(system(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_scenario_of_the_unit_domain_passes),
        cmocka_unit_test(test_every_expectation_can_fail),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("intent/scenarios", tests, NULL, NULL);
}
