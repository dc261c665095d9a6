/* Reports of progress on their way from a plugin to the control channel (T-ABI-20, T-MCP-31). */
#include "host_session.h"

#define REPORT(more) ASK_WITH("PROGRESS", "\"progress\":true,\"request_id\":\"p1\"" more)

/* The events that have come, each checked for its form; *last is the percentage of the last one,
 * -1 if it has none. */
static int take_events(struct session *s, double *last)
{
    struct buf line = { 0 };
    int count = 0;
    double before = -1;
    session_wait(s, test_now_ms() + 50);
    while (test_take_line(&s->control_bytes, &line)) {
        struct arena arena;
        struct json v;
        mgi_arena_init(&arena, 0);
        assert_int_equal(mgi_json_parse(&arena, mgi_buf_view(&line), NULL, &v, NULL), JSON_OK);
        const struct json *percent = mgi_json_get(&v, "percent");
        *last = !percent                    ? -1
                : percent->type == JSON_INT ? (double)percent->integer
                                            : percent->number;
        assert_true(!percent || *last >= before || *last == 0); /* C-213: in order */
        before = *last;
        assert_true(str_is(mgi_json_get(&v, "event")->string, "progress"));
        assert_true(str_is(mgi_json_get(&v, "request_id")->string, "p1"));
        assert_true(str_is(mgi_json_get(&v, "aid")->string, "AID.TEST.PROGRESS.v1"));
        assert_non_null(mgi_json_get(&v, "detail"));
        assert_null(mgi_json_get(&v, "ok")); /* T-REQ-6 */
        mgi_arena_fini(&arena);
        count++;
    }
    mgi_buf_fini(&line);
    return count;
}

static void test_reports_come_in_order_and_the_last_one_always(void **state)
{
    (void)state;
    double last = -2;
    struct session s;
    session_start(&s, "ok.so", NULL, WITH_CONTROL);
    check(&s, "C-213", REPORT(",\"inputs\":{\"ms\":400}"), "{\"ok\":true*");
    assert_int_equal(take_events(&s, &last), 3); /* C-213 T-ABI-20 T-MCP-31 */
    assert_true(last == 100);
    check(&s, "C-213: all at once", REPORT(""), "{\"ok\":true*");
    assert_int_equal(take_events(&s, &last), 2); /* the first one, and the last */
    assert_true(last == 100);
    check(&s, "T-ABI-20: unknown", REPORT(",\"inputs\":{\"unknown\":true}"), "{\"ok\":true*");
    assert_int_equal(take_events(&s, &last), 2);
    assert_true(last == -1);
    check(&s, "T-ABI-20: of a call that fails, too", REPORT(",\"inputs\":{\"bad\":1}"),
          "~invalid JSON output");
    assert_int_equal(take_events(&s, &last), 2);
    assert_int_equal(session_end(&s), 0);
}

static void test_a_pending_report_does_not_wait_for_the_end(void **state)
{
    (void)state;
    struct session s;
    session_start(&s, "ok.so", NULL, WITH_CONTROL);
    session_send(&s, REPORT(",\"inputs\":{\"ms\":40,\"middle\":1}"));
    int64_t before = test_now_ms();
    assert_non_null(strstr(control_read(&s), "\"percent\":0,"));
    /* 50 comes 40 ms after the first one, too early; it is passed on when it may be. */
    assert_true(test_matches(control_read(&s), "~\"percent\":"));
    assert_true(test_now_ms() - before < 1000);
    check_text("T-ABI-20", "", session_read(&s), "{\"ok\":true*");
    assert_int_equal(session_end(&s), 0);
}

static void test_ten_reports_a_second_at_most(void **state)
{
    (void)state;
    double last = -2;
    struct session s;
    session_start(&s, "ok.so", NULL, WITH_CONTROL);
    int64_t before = test_now_ms();
    check(&s, "T-ABI-20", REPORT(",\"inputs\":{\"middle\":200000}"), "{\"ok\":true*");
    int64_t took = test_now_ms() - before;
    int count = take_events(&s, &last);
    assert_true(last == 100);
    assert_true(count >= 2 && count <= took / 100 + 2); /* T-ABI-20: the first, and the last */
    assert_int_equal(session_end(&s), 0);
}

/* A flood of reports is no way around the deadline, and costs others nothing. */
static void test_a_flood_of_reports_ends_at_the_deadline(void **state)
{
    (void)state;
    struct session s;
    session_start(&s, "ok.so", NULL, WITH_CONTROL);
    int64_t before = test_now_ms();
    session_send(&s, REPORT(",\"timeout_ms\":400,\"inputs\":{\"middle\":4000000000000}"));
    assert_non_null(strstr(control_read(&s), "\"event\"")); /* it runs */
    test_write(&s, s.control, "{\"aid\":\"_lease.gc\"}\n", 21);
    check_text("T-LIM-4 T-ABI-20", "", session_read(&s),
               "~\"error\":\"tool timed out after 400 ms\"");
    assert_true(test_now_ms() - before < 1400); /* T-LIM-4 */
    session_wait(&s, test_now_ms() + 200);
    assert_non_null(strstr(mgi_buf_view(&s.control_bytes).ptr, "\"active\":0")); /* T-REQ-6 */
    check_alive(&s, "T-LIM-4");
    assert_int_equal(session_end(&s), 0);
}

static void test_a_report_that_nobody_asked_for_goes_nowhere(void **state)
{
    (void)state;
    double last;
    struct session s;
    session_start(&s, "ok.so", NULL, WITH_CONTROL);
    check(&s, "C-213", ASK_WITH("PROGRESS", "\"request_id\":\"p1\""), "{\"ok\":true*");
    check(&s, "C-213", ASK_WITH("PROGRESS", "\"request_id\":\"p1\",\"progress\":false"),
          "{\"ok\":true*");
    assert_int_equal(take_events(&s, &last), 0); /* C-213 */
    assert_int_equal(session_end(&s), 0);

    session_start(&s, "ok.so", NULL, PLAIN); /* and without a channel */
    check(&s, "T-ABI-20", REPORT(""), "{\"ok\":true*");
    assert_int_equal(session_end(&s), 0);
}

static void test_a_channel_that_is_not_read_gets_no_events_and_blocks_nobody(void **state)
{
    (void)state;
    struct session s;
    session_start(&s, "ok.so", NULL, WITH_CONTROL);
    int control = s.control;
    s.control = -1;                /* session_wait() reads it no more */
    for (int i = 0; i < 3000; i++) /* some 400 KB of events */
        check(&s, "T-REQ-8", REPORT(""), "{\"ok\":true*");
    check_alive(&s, "T-REQ-8");
    s.control = control;
    double last = -2;
    int count = 0;
    for (int more = 1; more; count += more)
        more = take_events(&s, &last);
    assert_true(count > 0 && count < 6000); /* T-REQ-8: some were dropped, the channel is open */
    check_control(&s, "T-REQ-8", "{\"aid\":\"_lease.gc\"}", "{\"ok\":true,\"active\":0*");
    assert_int_equal(session_end(&s), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reports_come_in_order_and_the_last_one_always),
        cmocka_unit_test(test_a_pending_report_does_not_wait_for_the_end),
        cmocka_unit_test(test_ten_reports_a_second_at_most),
        cmocka_unit_test(test_a_flood_of_reports_ends_at_the_deadline),
        cmocka_unit_test(test_a_report_that_nobody_asked_for_goes_nowhere),
        cmocka_unit_test(test_a_channel_that_is_not_read_gets_no_events_and_blocks_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
