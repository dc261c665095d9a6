/* RFC 3339 text, civil fields and durations. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/time.h"

#define DAY (INT64_C(86400) * NS_PER_SEC)

static void expect_time(const char *text, int flags, const char *printed, int64_t ns)
{
    int64_t got = -1;
    enum time_parse code = mgi_time_parse(str_of(text), flags, &got);
    if (code != TIME_OK || got != ns)
        fail_msg("%s: %s, %lld", text, mgi_time_parse_text(code), (long long)got);
    struct buf out = { 0 };
    mgi_time_print(&out, got);
    assert_string_equal(out.ptr, printed);
    mgi_buf_fini(&out);
}

static void expect_refused(const char *text, int flags, enum time_parse code)
{
    int64_t ns = 42;
    enum time_parse got = mgi_time_parse(str_of(text), flags, &ns);
    if (got != code)
        fail_msg("\"%s\": %s instead of %s", text, mgi_time_parse_text(got),
                 mgi_time_parse_text(code));
    assert_int_equal(ns, 42); /* untouched */
}

static void test_times_read_and_print_in_utc(void **state)
{
    (void)state;
    /* M-FUN-55, M-VAL-61 */
    expect_time("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z", 0);
    expect_time("2024-01-15T10:30:00Z", 0, "2024-01-15T10:30:00Z", 1705314600 * NS_PER_SEC);
    expect_time("2024-01-15T10:30:00.1200Z", 0, "2024-01-15T10:30:00.12Z",
                1705314600 * NS_PER_SEC + 120000000);
    expect_time("2024-02-29T23:59:59.123456789+05:30", 0, "2024-02-29T18:29:59.123456789Z",
                1709231399123456789);
    expect_time("2024-01-01T00:00:00.000000001-23:59", 0, "2024-01-01T23:59:00.000000001Z",
                1704153540 * NS_PER_SEC + 1);
    expect_time("1969-12-31T23:59:59.5Z", 0, "1969-12-31T23:59:59.5Z", -500000000);
    expect_time("2000-02-29T00:00:00Z", 0, "2000-02-29T00:00:00Z", 951782400 * NS_PER_SEC);
    /* D-23: -00:00 is UTC */
    expect_time("1970-01-01T00:00:00-00:00", 0, "1970-01-01T00:00:00Z", 0);
}

static void test_fraction_digits_beyond_nine_are_dropped(void **state)
{
    (void)state;
    /* M-FUN-55, D-23 */
    expect_time("1970-01-01T00:00:00.0000000019999999999999999Z", 0,
                "1970-01-01T00:00:00.000000001Z", 1);
    expect_time("1969-12-31T23:59:59.9999999999Z", 0, "1969-12-31T23:59:59.999999999Z", -1);
}

static void test_the_ends_of_the_range_are_exact(void **state)
{
    (void)state;
    expect_time("1677-09-21T00:12:43.145224192Z", 0, "1677-09-21T00:12:43.145224192Z", INT64_MIN);
    expect_time("2262-04-11T23:47:16.854775807Z", 0, "2262-04-11T23:47:16.854775807Z", INT64_MAX);
    expect_time("2262-04-12T00:47:16.854775807+01:00", 0, "2262-04-11T23:47:16.854775807Z",
                INT64_MAX);
    /* M-FUN-55, D-23: refused, not clamped and not wrapped */
    expect_refused("1677-09-21T00:12:43.145224191Z", 0, TIME_OUT_OF_RANGE);
    expect_refused("2262-04-11T23:47:16.854775808Z", 0, TIME_OUT_OF_RANGE);
    expect_refused("2262-04-11T23:47:16.854775807-00:01", 0, TIME_OUT_OF_RANGE);
    expect_refused("9999-12-31T23:59:59Z", 0, TIME_OUT_OF_RANGE);
    expect_refused("0000-01-01T00:00:00Z", 0, TIME_OUT_OF_RANGE);
    expect_refused("1600-02-29T00:00:00Z", 0, TIME_OUT_OF_RANGE);
}

static void test_fields_out_of_range_are_told_from_bad_syntax(void **state)
{
    (void)state;
    /* M-FUN-55 */
    static const char *const fields[] = {
        "2024-00-01T00:00:00Z",      "2024-13-01T00:00:00Z",      "2024-01-00T00:00:00Z",
        "2024-01-32T00:00:00Z",      "2023-02-29T00:00:00Z",      "1900-02-29T00:00:00Z",
        "2024-04-31T00:00:00Z",      "2024-01-01T24:00:00Z",      "2024-01-01T00:60:00Z",
        "2024-01-01T00:00:60Z",      "2024-01-01T00:00:61Z",      "2024-01-01T00:00:00+24:00",
        "2024-01-01T00:00:00+00:60", "2024-01-01T00:00:00-99:99",
    };
    static const char *const syntax[] = {
        "",
        "2024",
        "2024-01-01",
        "2024-01-01T00:00Z",
        "2024-01-01 00:00:00Z",
        "2024-1-01T00:00:00Z",
        "2024-01-01T0:00:00Z",
        "24-01-01T00:00:00Z",
        "12024-01-01T00:00:00Z",
        "+2024-01-01T00:00:00Z",
        "-2024-01-01T00:00:00Z",
        "2024-01-01T00:00:00,5Z",
        "2024-01-01T00:00:00.Z",
        "2024-01-01T00:00:00Zx",
        "2024-01-01T00:00:00Z ",
        " 2024-01-01T00:00:00Z",
        "2024-01-01T00:00:00+1:00",
        "2024-01-01T00:00:00+0100",
        "2024-01-01T00:00:00+01",
        "2024-01-01T00:00:00+24:00x",
        "2024-01-01T00:00:00 Z",
        "2024/01/01T00:00:00Z",
        "now",
        "_",
        "2024-01-01t00:00:00Z",
        "2024-01-01T00:00:00z",
    };
    static const char *const no_offset[] = { "2024-01-01T00:00:00", "2024-01-01T00:00:00.5" };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        expect_refused(fields[i], 0, TIME_FIELD);
    for (size_t i = 0; i < sizeof syntax / sizeof syntax[0]; i++)
        expect_refused(syntax[i], 0, TIME_SYNTAX);
    /* D-23 */
    for (size_t i = 0; i < sizeof no_offset / sizeof no_offset[0]; i++)
        expect_refused(no_offset[i], 0, TIME_NO_OFFSET);
    int64_t ns;
    assert_int_equal(mgi_time_parse((struct str){ "2024-01-01T00:00:00Z\0", 21 }, 0, &ns),
                     TIME_SYNTAX);
}

static void test_every_prefix_and_changed_byte_is_judged_without_reading_further(void **state)
{
    (void)state;
    static const char whole[] = "2024-02-29T23:59:59.123456789+05:30";
    for (size_t cut = 0; cut < sizeof whole - 1; cut++) {
        char text[sizeof whole];
        memcpy(text, whole, cut);
        int64_t ns;
        /* a cut in the fraction or behind it leaves the offset missing or torn */
        enum time_parse code = mgi_time_parse((struct str){ text, cut }, 0, &ns);
        assert_int_not_equal(code, TIME_OK);
        assert_int_equal(code == TIME_NO_OFFSET, cut == 19 || (cut >= 21 && cut <= 29));
    }
}

static void test_lower_case_is_taken_only_on_request(void **state)
{
    (void)state;
    /* D-23 against M-FUN-55 */
    expect_time("1970-01-01t00:00:01z", TIME_LOWER_CASE, "1970-01-01T00:00:01Z", NS_PER_SEC);
    expect_time("1970-01-01T00:00:01Z", TIME_LOWER_CASE, "1970-01-01T00:00:01Z", NS_PER_SEC);
    expect_refused("1970-01-01t00:00:01z", 0, TIME_SYNTAX);
    expect_refused("1970-01-01x00:00:01z", TIME_LOWER_CASE, TIME_SYNTAX);
}

static void test_a_leap_second_is_the_first_instant_of_the_next_day(void **state)
{
    (void)state;
    int64_t start_of_2017 = 1483228800 * NS_PER_SEC;
    expect_time("2016-12-31T23:59:60Z", TIME_LEAP_SECOND, "2017-01-01T00:00:00Z", start_of_2017);
    expect_time("2016-12-31T23:59:60.999Z", TIME_LEAP_SECOND, "2017-01-01T00:00:00Z",
                start_of_2017);
    expect_time("2017-01-01T00:59:60+01:00", TIME_LEAP_SECOND, "2017-01-01T00:00:00Z",
                start_of_2017);
    expect_refused("2016-12-31T23:59:60Z", 0, TIME_FIELD); /* M-FUN-55 */
    expect_refused("2016-12-31T22:59:60Z", TIME_LEAP_SECOND, TIME_FIELD);
    expect_refused("2016-12-31T23:59:60+01:00", TIME_LEAP_SECOND, TIME_FIELD);
    expect_refused("2016-12-31T23:59:61Z", TIME_LEAP_SECOND, TIME_FIELD);
}

static void test_every_day_of_the_range_survives_the_calendar(void **state)
{
    (void)state;
    int64_t previous = mgi_days_from_civil(1677, 9, 21) - 1;
    struct civil c = { .year = 1677, .month = 9, .day = 21 };
    while (c.year < 2262 || c.month < 4) {
        int64_t days = mgi_days_from_civil(c.year, c.month, c.day);
        assert_true(days == previous + 1);
        previous = days;
        if (days * 86400 > INT64_MIN / NS_PER_SEC) {
            struct civil back = mgi_civil_of(days * DAY + 1);
            assert_true(back.year == c.year && back.month == c.month && back.day == c.day &&
                        back.hour == 0 && back.nanos == 1);
            int64_t ns;
            assert_true(mgi_civil_to_ns(&c, &ns));
            assert_true(ns == days * DAY);
        }
        if (++c.day > mgi_days_in_month(c.year, c.month)) {
            c.day = 1;
            if (++c.month > 12) {
                c.month = 1;
                c.year++;
            }
        }
    }
    assert_true(mgi_days_from_civil(0, 3, 1) == -719468);
    assert_true(mgi_days_from_civil(-400, 3, 1) == -719468 - 146097);
}

static void test_civil_fields_out_of_range_are_refused(void **state)
{
    (void)state;
    const struct civil good = { .year = 2024,
                                .month = 2,
                                .day = 29,
                                .hour = 23,
                                .minute = 59,
                                .second = 59,
                                .nanos = 999999999 };
    int64_t ns;
    assert_true(mgi_civil_to_ns(&good, &ns));
    struct civil c = good;
    c.year = 2023;
    assert_false(mgi_civil_to_ns(&c, &ns));
    c = good;
    c.month = 0;
    assert_false(mgi_civil_to_ns(&c, &ns));
    c = good;
    c.nanos = NS_PER_SEC;
    assert_false(mgi_civil_to_ns(&c, &ns));
    c = good;
    c.year = INT64_MAX;
    assert_false(mgi_civil_to_ns(&c, &ns));
}

static void expect_duration(const char *text, int64_t ns, const char *printed)
{
    int64_t got = -1;
    if (!mgi_duration_parse(str_of(text), false, &got) || got != ns)
        fail_msg("%s: got %lld", text, (long long)got);
    struct buf out = { 0 };
    mgi_duration_print(&out, got);
    assert_string_equal(out.ptr, printed);
    int64_t again;
    assert_true(mgi_duration_parse(mgi_buf_view(&out), false, &again));
    assert_true(again == ns);
    mgi_buf_fini(&out);
}

static void test_durations_read_and_print(void **state)
{
    (void)state;
    /* M-FUN-67, M-VAL-62 */
    expect_duration("0", 0, "0s");
    expect_duration("-0", 0, "0s");
    expect_duration("0h", 0, "0s");
    expect_duration("1s", NS_PER_SEC, "1s");
    expect_duration("1h30m", 5400 * NS_PER_SEC, "1h30m0s");
    expect_duration("90s", 90 * NS_PER_SEC, "1m30s");
    expect_duration("1h", 3600 * NS_PER_SEC, "1h0m0s");
    expect_duration("26h3m4.5s", 93784 * NS_PER_SEC + NS_PER_SEC / 2, "26h3m4.5s");
    expect_duration("-1.5ms", -1500000, "-1.5ms");
    expect_duration("150ns", 150, "150ns");
    expect_duration("1500ns", 1500, "1.5\xc2\xb5s");
    expect_duration("1.5us", 1500, "1.5\xc2\xb5s");
    expect_duration("1.5\xc2\xb5s", 1500, "1.5\xc2\xb5s");
    expect_duration("1.5\xce\xbcs", 1500, "1.5\xc2\xb5s");
    expect_duration("+1.s", NS_PER_SEC, "1s");
    expect_duration(".5s", NS_PER_SEC / 2, "500ms");
    expect_duration("1.9999999999s", 1999999999, "1.999999999s");
    expect_duration("1.9ns", 1, "1ns");
    expect_duration("0.3333333333333333333333333333h", 1199999999999, "19m59.999999999s");
    expect_duration("1m1h1m", 3720 * NS_PER_SEC, "1h2m0s");
    expect_duration("999999999ns", 999999999, "999.999999ms");
    expect_duration("9223372036854775807ns", INT64_MAX, "2562047h47m16.854775807s");
    expect_duration("-9223372036854775808ns", INT64_MIN, "-2562047h47m16.854775808s");
}

static void test_malformed_and_overflowing_durations_are_refused(void **state)
{
    (void)state;
    /* M-FUN-67 */
    static const char *const bad[] = {
        "",
        "-",
        "+",
        "1",
        "00",
        "1.5",
        "s",
        ".s",
        "1x",
        "1h ",
        " 1h",
        "1h-2m",
        "--1s",
        "1 h",
        "1e3s",
        "1..5s",
        "1d",
        "2d1h",
        "1S",
        "\xc2s",
        "0.",
        "9223372036854775808ns",
        "-9223372036854775809ns",
        "2562047h47m16.854775808s",
        "99999999999999999999ns",
        "2562048h",
        "5000000000000000000ns5000000000000000000ns",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int64_t ns = 7;
        if (mgi_duration_parse(str_of(bad[i]), false, &ns))
            fail_msg("\"%s\" is accepted", bad[i]);
        assert_int_equal(ns, 7);
    }
}

static void test_days_are_for_bounds_only(void **state)
{
    (void)state;
    int64_t ns;
    /* M-SYN-53 */
    assert_true(mgi_duration_parse(STR_LIT("2d"), true, &ns));
    assert_true(ns == 2 * DAY);
    assert_true(mgi_duration_parse(STR_LIT("1d12h"), true, &ns));
    assert_true(ns == DAY + DAY / 2);
    assert_false(mgi_duration_parse(STR_LIT("2d"), false, &ns));
}

static void test_log_times_have_one_width(void **state)
{
    (void)state;
    static const struct {
        int64_t ns;
        const char *text;
    } cases[] = {
        { 0, "1970-01-01T00:00:00.000Z" },         { 120 * NS_PER_MS, "1970-01-01T00:00:00.120Z" },
        { 999999999, "1970-01-01T00:00:00.999Z" }, { -1, "1969-12-31T23:59:59.999Z" },
        { INT64_MAX, "2262-04-11T23:47:16.854Z" }, { INT64_MIN, "1677-09-21T00:12:43.145Z" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf out = { 0 };
        mgi_time_print_ms(&out, cases[i].ns);
        assert_string_equal(out.ptr, cases[i].text);
        mgi_buf_fini(&out);
    }
}

/* Beside the fraction, for which it has no word. */
static void test_times_are_printed_as_the_C_library_would(void **state)
{
    uint64_t x = 88172645463325252u;
    (void)state;
    for (int n = 0; n < 20000; n++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        int64_t ns = n == 0 ? INT64_MIN : n == 1 ? INT64_MAX : n == 2 ? 0 : (int64_t)x;
        int64_t fraction = ns % NS_PER_SEC < 0 ? ns % NS_PER_SEC + NS_PER_SEC : ns % NS_PER_SEC;
        if (n % 4 == 3 && ns > 0) { /* few digits, or none */
            ns -= fraction % 100000000;
            fraction -= fraction % 100000000;
        }
        time_t seconds = (time_t)(ns / NS_PER_SEC - (ns % NS_PER_SEC < 0));
        struct tm tm;
        char wanted[64], text[TIME_TEXT_BYTES], digits[16] = "";
        assert_non_null(gmtime_r(&seconds, &tm));
        if (fraction) {
            snprintf(digits, sizeof digits, ".%09d", (int)fraction);
            for (char *end = strchr(digits, '\0') - 1; *end == '0'; end--)
                *end = '\0';
        }
        snprintf(wanted, sizeof wanted, "%04d-%02d-%02dT%02d:%02d:%02d%sZ", tm.tm_year + 1900,
                 tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, digits);
        size_t len = mgi_time_format(text, ns);
        assert_int_equal(len, strlen(wanted));
        assert_memory_equal(text, wanted, len);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log_times_have_one_width),
        cmocka_unit_test(test_times_read_and_print_in_utc),
        cmocka_unit_test(test_fraction_digits_beyond_nine_are_dropped),
        cmocka_unit_test(test_the_ends_of_the_range_are_exact),
        cmocka_unit_test(test_fields_out_of_range_are_told_from_bad_syntax),
        cmocka_unit_test(test_every_prefix_and_changed_byte_is_judged_without_reading_further),
        cmocka_unit_test(test_lower_case_is_taken_only_on_request),
        cmocka_unit_test(test_a_leap_second_is_the_first_instant_of_the_next_day),
        cmocka_unit_test(test_every_day_of_the_range_survives_the_calendar),
        cmocka_unit_test(test_civil_fields_out_of_range_are_refused),
        cmocka_unit_test(test_durations_read_and_print),
        cmocka_unit_test(test_malformed_and_overflowing_durations_are_refused),
        cmocka_unit_test(test_days_are_for_bounds_only),
        cmocka_unit_test(test_times_are_printed_as_the_C_library_would),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
