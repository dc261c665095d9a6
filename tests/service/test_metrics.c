/* The numbers of a server as a scraper reads them; docs/serving.md names every one of them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "service/exposition.h"
#include "service/metrics.h"

/* Every number differs from every other. */
static struct service_metrics example(const struct request_counts *counts)
{
    struct service_metrics m = {
        .counts = counts,
        .status = SERVER_DEGRADED,
        .version = "1.2.3",
        .rules_version = STR_LIT("0123abc"),
        .started_real_ns = INT64_C(1001) * 1000000000,
        .listeners = 1002,
        .connections = 1003,
        .bytes_held = 1004,
        .bytes_limit = 1005,
        .reloads = 1006,
        .reload_failures = 1007,
        .reloaded_real_ns = INT64_C(1008) * 1000000000,
        .store_bytes = 1009,
        .log_lines_lost = 1010,
        .server = { .bytes_in = 1011,
                    .bytes_out = 1012,
                    .replays = 1013,
                    .evaluations = 1014,
                    .evaluation_ns = UINT64_C(1015) * 1000000000,
                    .effects = 1016,
                    .effects_ns = UINT64_C(1017) * 1000000000,
                    .effects_failed = 1018,
                    .manifests_pushed = 1019,
                    .peers = 1020,
                    .sessions = 1021,
                    .open_requests = 1022,
                    .oldest_open_ns = INT64_C(1023) * 1000000000,
                    .invocations = 1024,
                    .rate_windows = 1025,
                    .hosts = 1026,
                    .busy_hosts = 1027,
                    .waiting_for_host = 1028,
                    .hosts_started = 1029,
                    .hosts_failed = 1030,
                    .quick = { 1031, 1032, 1033, 1034, UINT64_C(1035) * 1000000000,
                               UINT64_C(1036) * 1000000000, 1037 },
                    .slow = { 1038, 1039, 1040, 1041, UINT64_C(1042) * 1000000000,
                              UINT64_C(1043) * 1000000000, 1044 } },
    };
    m.server.outcomes[WIRE_RATE_LIMITED] = 1045;
    mgi_histogram_add(&m.server.latency[MSG_INTENT_REQUEST], 3000000);
    return m;
}

static void count(struct request_counts *c, const char *transport, const char *type, int times)
{
    const struct access_record r = { .transport = transport, .type = type };
    while (times-- > 0)
        mgi_request_counts_add(c, &r);
}

static double value_in(struct str text, const char *name, const char *label, const char *value)
{
    struct metric_sample s;
    while (mgi_metric_next(&text, &s))
        if (str_is(s.name, name) && (!label || str_is(mgi_metric_label_of(&s, label), value)))
            return s.value;
    return -1;
}

static void test_every_number_is_shown_once(void **state)
{
    (void)state;
    struct request_counts counts = { .transports = { NULL } };
    struct buf out = { 0 };
    struct service_metrics m = example(&counts);
    mgi_metrics_print(&out, &m);
    assert_false(out.oom);
    for (int n = 1001; n <= 1045; n++) {
        struct str text = mgi_buf_view(&out);
        struct metric_sample s;
        int seen = 0;
        while (mgi_metric_next(&text, &s))
            seen += s.value == n;
        if (seen != 1)
            fail_msg("%d is there %d times", n, seen);
    }
    struct str text = mgi_buf_view(&out);
    assert_true(value_in(text, "manglecp_status", "status", "degraded") == 1);
    assert_true(value_in(text, "manglecp_status", "status", "ready") == 0);
    assert_true(value_in(text, "manglecp_build_info", "rules", "0123abc") == 1);
    assert_true(
        value_in(text, "manglecp_request_duration_seconds_count", "type", "intent_request") == 1);
    assert_true(value_in(text, "manglecp_request_duration_seconds_sum", NULL, NULL) > 0.0029);
    mgi_buf_fini(&out);
}

static void test_requests_are_counted_by_transport_and_type(void **state)
{
    (void)state;
    struct request_counts counts = { .transports = { NULL } };
    struct buf out = { 0 };
    char names[METRIC_TRANSPORTS + 3][8];
    count(&counts, "http", "intent_request", 2);
    count(&counts, "stdio", "intent_request", 3);
    count(&counts, "http", "", 4); /* could not be read */
    count(&counts, "http", "nonsense", 1);
    struct service_metrics m = example(&counts);
    mgi_metrics_print(&out, &m);
    assert_non_null(strstr(out.ptr, "{transport=\"http\",type=\"intent_request\"} 2\n"));
    assert_non_null(strstr(out.ptr, "{transport=\"stdio\",type=\"intent_request\"} 3\n"));
    assert_non_null(strstr(out.ptr, "{transport=\"http\",type=\"unreadable\"} 5\n"));
    /* The bound: more transports than there are places share the last one. */
    for (size_t i = 0; i < METRIC_TRANSPORTS + 3; i++) {
        snprintf(names[i], sizeof names[i], "t%zu", i);
        count(&counts, names[i], "cancel", 1);
    }
    uint64_t total = 0;
    for (size_t i = 0; i < METRIC_TRANSPORTS; i++)
        total += counts.requests[i][MSG_CANCEL];
    assert_int_equal(total, METRIC_TRANSPORTS + 3);
    mgi_buf_fini(&out);
}

static void test_each_family_is_introduced_and_documented(void **state)
{
    (void)state;
    static char page[1 << 17];
    struct request_counts counts = { .transports = { NULL } };
    struct buf out = { 0 };
    struct service_metrics m = example(&counts);
    FILE *f = fopen(MGI_SOURCE_DIR "/docs/serving.md", "rb");
    assert_non_null(f);
    size_t len = fread(page, 1, sizeof page - 1, f);
    (void)fclose(f);
    page[len] = '\0';
    count(&counts, "http", "intent_request", 1);
    mgi_metrics_print(&out, &m);
    int families = 0;
    for (const char *at = out.ptr; (at = strstr(at, "# TYPE ")) != NULL; at++, families++) {
        char name[80];
        assert_int_equal(sscanf(at, "# TYPE %79s", name), 1);
        if (!strstr(page, name))
            fail_msg("docs/serving.md does not name %s", name);
        char twice[100];
        snprintf(twice, sizeof twice, "# TYPE %s ", name);
        assert_null(strstr(at + 1, twice));
    }
    assert_true(families > 30);
    mgi_buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_number_is_shown_once),
        cmocka_unit_test(test_requests_are_counted_by_transport_and_type),
        cmocka_unit_test(test_each_family_is_introduced_and_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
