/* Prometheus' text format, written and read back. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "service/exposition.h"

static void test_what_is_written_is_the_format(void **state)
{
    (void)state;
    struct buf out = { 0 };
    const struct metric_label labels[] = { { "type", STR_LIT("a\"b\\c\nd") },
                                           { "transport", STR_LIT("http") },
                                           { 0 } };
    const double bounds[] = { 0.005, 0.1, 1 };
    const uint64_t counts[] = { 2, 0, 3, 1 };
    mgi_metric_family(&out, "m_total", METRIC_COUNTER, "What\nis \\ counted.");
    mgi_metric_int(&out, "m_total", labels, 12);
    mgi_metric_float(&out, "m_total", NULL, 0.25);
    mgi_metric_float(&out, "m_total", NULL, INFINITY);
    mgi_metric_float(&out, "m_total", NULL, -INFINITY);
    mgi_metric_float(&out, "m_total", NULL, NAN);
    mgi_metric_family(&out, "h", METRIC_HISTOGRAM, "x");
    mgi_metric_histogram(&out, "h", NULL, bounds, counts, 3, 4.5);
    mgi_metric_histogram(&out, "h", labels + 1, bounds, counts, 1, 4.5);
    assert_false(out.oom);
    assert_string_equal(out.ptr, "# HELP m_total What\\nis \\\\ counted.\n"
                                 "# TYPE m_total counter\n"
                                 "m_total{type=\"a\\\"b\\\\c\\nd\",transport=\"http\"} 12\n"
                                 "m_total 0.25\n"
                                 "m_total +Inf\n"
                                 "m_total -Inf\n"
                                 "m_total NaN\n"
                                 "# HELP h x\n"
                                 "# TYPE h histogram\n"
                                 "h_bucket{le=\"0.005\"} 2\n"
                                 "h_bucket{le=\"0.1\"} 2\n"
                                 "h_bucket{le=\"1\"} 5\n"
                                 "h_bucket{le=\"+Inf\"} 6\n"
                                 "h_sum 4.5\n"
                                 "h_count 6\n"
                                 "h_bucket{transport=\"http\",le=\"0.005\"} 2\n"
                                 "h_bucket{transport=\"http\",le=\"+Inf\"} 2\n"
                                 "h_sum{transport=\"http\"} 4.5\n"
                                 "h_count{transport=\"http\"} 2\n");
    mgi_buf_fini(&out);
}

static void test_what_was_written_is_read(void **state)
{
    (void)state;
    struct buf out = { 0 };
    const struct metric_label labels[] = { { "a", STR_LIT("x,} \"") },
                                           { "b", STR_LIT("") },
                                           { 0 } };
    mgi_metric_family(&out, "m", METRIC_GAUGE, "m 5");
    mgi_metric_int(&out, "m", labels, INT64_MIN);
    mgi_metric_float(&out, "m", NULL, 1e-7);
    mgi_metric_float(&out, "m", NULL, -INFINITY);
    struct str text = mgi_buf_view(&out);
    struct metric_sample s;
    assert_true(mgi_metric_next(&text, &s));
    assert_true(str_is(s.name, "m"));
    assert_int_equal(s.label_count, 2);
    assert_true(str_is(mgi_metric_label_of(&s, "a"), "x,} \\\""));
    assert_true(str_is(mgi_metric_label_of(&s, "b"), ""));
    assert_true(str_is(mgi_metric_label_of(&s, "c"), ""));
    assert_true(s.value == (double)INT64_MIN);
    assert_true(mgi_metric_next(&text, &s));
    assert_int_equal(s.label_count, 0);
    assert_true(s.value == 1e-7);
    assert_true(mgi_metric_next(&text, &s));
    assert_true(isinf(s.value) && s.value < 0);
    assert_false(mgi_metric_next(&text, &s));
    mgi_buf_fini(&out);
}

static void test_what_others_write_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
        size_t labels;
    } cases[] = {
        { "m 1", 1, 0 },
        { "m\t2.5 1700000000000\n", 2.5, 0 },
        { " m { a = \"1\" , b = \"2\" , } 3\r\n", 3, 2 },
        { "\n# m 7\n\nm{} 4\n", 4, 0 },
        { "garbage\n{} 1\nm{a=\"x} 1\nm{a} 1\nm 0x10\nm 1.\nm 1e\nm -\nm 1e400\nm 5\n", 5, 0 },
        { "m{a=\"1\",b=\"1\",c=\"1\",d=\"1\",e=\"1\",f=\"1\",g=\"1\",h=\"1\",i=\"1\"} +6e0\n", 6,
          8 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str text = str_of(cases[i].text);
        struct metric_sample s;
        assert_true(mgi_metric_next(&text, &s));
        assert_true(str_is(s.name, "m"));
        assert_true(s.value == cases[i].value);
        assert_int_equal(s.label_count, cases[i].labels);
        assert_false(mgi_metric_next(&text, &s));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_written_is_the_format),
        cmocka_unit_test(test_what_was_written_is_read),
        cmocka_unit_test(test_what_others_write_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
