/* How far a chain has come, as its client is told while it runs (T-MCP-30, T-MCP-31), and whether
 * what a step did is known when it failed (T-RSP-10). Skipped where toolhost is not built. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "invoke/invoke_fixture.h"

/* Actions of the fixture plugin that other tests have no use for take the places of three. */
static void open_chain(struct fixture *f, const struct plan *plan, size_t count)
{
    actions[ACT_SLEEP] =
        (struct action){ .aid = STR_LIT("AID.TEST.PROGRESS.v1"), .name = STR_LIT("report_it") };
    actions[ACT_PUT] = (struct action){ .aid = STR_LIT("AID.TEST.PROGRESS.v1"),
                                        .name = STR_LIT("change_it"),
                                        .tier = 1 };
    actions[ACT_FAIL] = (struct action){ .aid = STR_LIT("AID.TEST.BLOB.v1"),
                                         .name = STR_LIT("blob_it"),
                                         .tier = 1 };
    open_fixture(f);
    offer_always(f, make_tool(f, "echo", plan, count), false);
}

static void test_what_a_step_reports_moves_the_whole(void **state)
{
    (void)state;
    static const struct plan one[] = { { "a", ACT_SLEEP, "{\"ms\":400}", ON_FAILURE_STOP } };
    static const struct plan two[] = { { "a", ACT_ECHO, NULL, ON_FAILURE_STOP },
                                       { "b", ACT_SLEEP, "{\"ms\":400}", ON_FAILURE_STOP } };
    struct fixture f;
    open_chain(&f, one, 1);
    run(&f, CALL);
    assert_int_equal(f.code, WIRE_OK);
    /* T-MCP-30 T-MCP-31 D-51: of one step, below 100 until the response; the escape is gone. */
    assert_string_equal(f.progress_told, "started:0:echo|running:0:report_it|running:0:at   it|"
                                         "running:50:at   it|running:99:at   it|finalizing:99:|");
    close_fixture(&f);

    open_chain(&f, two, 2);
    run(&f, CALL);
    assert_string_equal(f.progress_told, "started:0:echo|running:0:echo_it|running:50:report_it|"
                                         "running:50:at   it|running:75:at   it|"
                                         "running:99:at   it|finalizing:99:|");
    close_fixture(&f);
}

static void test_no_more_than_ten_reports_a_second(void **state)
{
    (void)state;
    static const struct plan plan[] = { { "a", ACT_SLEEP, "{}", ON_FAILURE_CONTINUE },
                                        { "b", ACT_SLEEP, "{}", ON_FAILURE_CONTINUE },
                                        { "c", ACT_SLEEP, "{}", ON_FAILURE_CONTINUE },
                                        { "d", ACT_SLEEP, "{}", ON_FAILURE_CONTINUE },
                                        { "e", ACT_SLEEP, "{}", ON_FAILURE_CONTINUE },
                                        { "f", ACT_SLEEP, "{}", ON_FAILURE_CONTINUE } };
    struct fixture f;
    open_chain(&f, plan, 6);
    uint64_t before = uv_hrtime();
    run(&f, CALL);
    uint64_t seconds = (uv_hrtime() - before) / 1000000000;
    unsigned running = 0;
    for (const char *at = f.progress_words; (at = strstr(at, "running")); at++)
        running++;
    assert_true(running >= 6 && running <= 10 * (seconds + 1)); /* T-MCP-30 */
    close_fixture(&f);
}

struct unsure_row {
    const char *label;
    struct plan plan;
    bool indeterminate;
};

static const struct unsure_row unsure_rows[] = {
    { "T-RSP-10: it has effects, and what it says is no JSON",
      { "a", ACT_PUT, "{\"bad\":1}", ON_FAILURE_STOP },
      true },
    { "T-RSP-10: or too large",
      { "a", ACT_FAIL, "{\"count\":400000,\"char\":\"\\\"\"}", ON_FAILURE_STOP },
      true },
    { "T-RSP-10: or no object",
      { "a", ACT_FAIL, "{\"count\":1,\"char\":\"x\"}", ON_FAILURE_STOP },
      true },
    { "T-RSP-10: it has none", { "a", ACT_SLEEP, "{\"bad\":1}", ON_FAILURE_STOP }, false },
};

static void test_an_effect_without_a_report_is_not_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof unsure_rows / sizeof *unsure_rows; i++) {
        const struct unsure_row *row = &unsure_rows[i];
        struct fixture f;
        open_chain(&f, &row->plan, 1);
        run(&f, CALL);
        assert_int_equal(f.code, WIRE_EXECUTION_FAILED);
        if (at(&f, "/indeterminate")->boolean != row->indeterminate)
            fail_msg("%s: %s", row->label, f.payload);
        close_fixture(&f);
    }
}

/* Its output breaks the schema that it promised: it ran all the same. */
static void test_an_output_that_breaks_its_promise(void **state)
{
    (void)state;
    static const struct plan plan[] = { { "a", ACT_PUT, "{}", ON_FAILURE_STOP } };
    static struct schema_issues issues;
    struct fixture f;
    open_chain(&f, plan, 1);
    struct json promise = parse(&f, "{\"required\":[\"done\"]}");
    mgi_schema_issues_init(&issues, &f.arena, 0);
    struct schema *schema = mgi_schema_compile(&promise, 0, &issues);
    assert_non_null(schema);
    actions[ACT_PUT].output_schema = schema;
    run(&f, CALL);
    assert_int_equal(f.code, WIRE_EXECUTION_FAILED);
    assert_true(at(&f, "/indeterminate")->boolean); /* T-RSP-10 */
    close_fixture(&f);
    mgi_schema_free(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_a_step_reports_moves_the_whole),
        cmocka_unit_test(test_no_more_than_ten_reports_a_second),
        cmocka_unit_test(test_an_effect_without_a_report_is_not_known),
        cmocka_unit_test(test_an_output_that_breaks_its_promise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
