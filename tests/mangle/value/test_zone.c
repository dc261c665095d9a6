/* Time zones: a file made here, byte by byte, the civil functions on it, and files that are wrong.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "mangle/builtin/support_call.h"
#include "mangle/value/zone.h"

/* A zone like central Europe: local mean time until 1900, summer time by rule from 2000 on. */
#define FOOTER "\nCET-1CEST,M3.5.0,M10.5.0/3\n"

static void put_number(struct buf *out, int64_t n, int bytes)
{
    for (int i = bytes - 1; i >= 0; i--)
        mgi_buf_putc(out, (char)((uint64_t)n >> (8 * i)));
}

static void put_header(struct buf *out, int times, int types, int chars)
{
    mgi_buf_puts(out, "TZif2");
    for (int i = 0; i < 15; i++)
        mgi_buf_putc(out, '\0');
    const int counts[] = { 0, 0, 0, times, types, chars };
    for (int i = 0; i < 6; i++)
        put_number(out, counts[i], 4);
}

static void put_zone(struct buf *out, const char *footer)
{
    put_header(out, 0, 1, 1); /* the 32-bit part, which nobody reads */
    put_number(out, 0, 4);
    mgi_buf_append(out, "\0\0\0", 3);
    put_header(out, 2, 2, 8);
    put_number(out, INT64_C(-2208988800), 8); /* 1900-01-01T00:00:00Z */
    put_number(out, INT64_C(946684800), 8);   /* 2000-01-01T00:00:00Z */
    mgi_buf_append(out, "\1\1", 2);
    put_number(out, 3208, 4); /* +00:53:28 */
    mgi_buf_append(out, "\0\0", 2);
    put_number(out, 3600, 4);
    mgi_buf_append(out, "\0\4", 2);
    mgi_buf_append(out, "LMT\0CET\0", 8);
    mgi_buf_puts(out, footer);
}

static mangle_zone *zone_with(const char *footer)
{
    struct buf file = { 0 };
    put_zone(&file, footer);
    mangle_zone *z = mangle_zone_new(file.ptr, file.len);
    mgi_buf_fini(&file);
    return z;
}

static const mangle_zone *find_berlin(void *context, const char *name, size_t len)
{
    return str_is((struct str){ name, len }, "Europe/Berlin") ? context : NULL;
}

static void test_offsets_follow_transitions_and_rule(void **state)
{
    (void)state;
    mangle_zone *z = zone_with(FOOTER);
    assert_non_null(z);
    static const struct {
        int64_t seconds;
        int32_t offset;
    } cases[] = {
        { -2208988801, 3208 }, { -2208988800, 3600 }, { 0, 3600 },
        { 946684800, 3600 },   { 1711846799, 3600 }, /* 2024-03-31T00:59:59Z */
        { 1711846800, 7200 },  { 1729990799, 7200 }, /* 2024-10-27T00:59:59Z */
        { 1729990800, 3600 },  { 4102444800, 3600 }, /* 2100-01-01 */
        { 4118083200, 7200 },                        /* 2100-07-01 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(mgi_zone_offset(z, cases[i].seconds * 1000000000), cases[i].offset);
    assert_int_equal(mgi_zone_offset(z, INT64_C(1711846800000000000) - 1), 3600);
    assert_int_equal(mgi_zone_offset(NULL, 0), 0);
    mangle_zone_free(z);
}

static void test_rules_south_of_the_equator_and_odd_ones(void **state)
{
    (void)state;
    static const struct {
        const char *footer;
        int64_t seconds;
        int32_t offset;
    } cases[] = {
        { "\nAEST-10AEDT,M10.1.0,M4.1.0/3\n", 1704067200, 39600 }, /* January */
        { "\nAEST-10AEDT,M10.1.0,M4.1.0/3\n", 1719792000, 36000 }, /* July */
        { "\n<+0330>-3:30\n", 1719792000, 12600 },
        { "\nEST5EDT,J60,J300\n", 1709276400, -14400 },    /* 1 March 2024, a leap year, 07:00Z */
        { "\nEST5EDT,J60,J300\n", 1709186400, -18000 },    /* 29 February */
        { "\nEST5EDT4,0/0,365/25\n", 1704085200, -14400 }, /* summer time all year */
        { "\n<-02>2<-01>,M3.5.0/-1,M10.5.0/0\n", 1711846800, -3600 },
        { "\n\n", 1719792000, 3600 }, /* nothing said: the last transition stands */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mangle_zone *z = zone_with(cases[i].footer);
        assert_non_null(z);
        if (mgi_zone_offset(z, cases[i].seconds * 1000000000) != cases[i].offset)
            fail_msg("%s: got %d", cases[i].footer,
                     (int)mgi_zone_offset(z, cases[i].seconds * 1000000000));
        mangle_zone_free(z);
    }
}

#define RFC(s) "fn:time:parse_rfc3339(\"" s "\")"

static void test_civil_functions_in_a_zone(void **state)
{
    (void)state;
    mangle_zone *z = zone_with(FOOTER);
    struct mangle_zone_source source = { find_berlin, z };
    call_context.zones = &source;
    mangle_value berlin = S("Europe/Berlin"), summer = T(INT64_C(1718020800500000000));
    GIVES("\"2024-06-10T14:00:00.500+02:00\"", "fn:time:format_civil", summer, berlin,
          NM("/millisecond")); /* M-FUN-58 */
    GIVES("\"2024-06-10\"", "fn:time:format_civil", summer, berlin, NM("/day"));
    GIVES(RFC("2024-06-09T22:00:00Z"), "fn:time:trunc_civil", summer, berlin, NM("/day"));
    GIVES(RFC("2023-12-31T23:00:00Z"), "fn:time:trunc_civil", summer, berlin, NM("/year"));
    GIVES(RFC("2024-06-10T10:00:00Z"), "fn:time:parse_civil", S("2024-06-10T12:00:00"), berlin);
    /* M-FUN-56: 02:30 never was on 31 March, and was twice on 27 October. */
    GIVES(RFC("2024-03-31T01:30:00Z"), "fn:time:parse_civil", S("2024-03-31T02:30:00"), berlin);
    GIVES(RFC("2024-10-27T01:30:00Z"), "fn:time:parse_civil", S("2024-10-27T02:30:00"), berlin);
    REFUSES("a time zone known here", "fn:time:parse_civil", S("2024-06-10T12:00:00"),
            S("Nowhere"));
    REFUSES("a time zone known here", "fn:time:parse_civil", S("2024-06-10T12:00:00"),
            S("../Europe/Berlin")); /* M-FUN-70 */
    mangle_zone_free(z);
}

static void test_zone_names_cannot_leave_the_folder(void **state)
{
    (void)state; /* M-FUN-70 */
    assert_true(mgi_zone_name_ok(STR_LIT("Europe/Berlin")));
    assert_true(mgi_zone_name_ok(STR_LIT("Etc/GMT+5")));
    assert_true(mgi_zone_name_ok(STR_LIT("America/Argentina/Buenos_Aires")));
    const char *bad[] = { "", "/etc/passwd", "..", "../x", "a//b", "a/", "a/../b", "a b", "a.b" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(mgi_zone_name_ok(str_of(bad[i])));
}

static void test_files_that_are_wrong_are_no_zones(void **state)
{
    (void)state;
    static const char *const footers[] = {
        "",
        "\n",
        "\nCET-1",
        "\nC-1\n",
        "\nCET\n",
        "\nCET-1CEST\n",
        "\nCET-1CEST,M13.1.0,M1.1.0\n",
        "\nCET-1CEST,M0.1.0,M1.1.0\n",
        "\nCET-25\n",
        "\nCET-1\n\n",
        "\nCET-1CEST,J0,J1\n",
        "\n<CET-1\n",
        "\nCET-1CEST,M3.5.0/168,M10.5.0\n",
    };
    for (size_t i = 0; i < sizeof footers / sizeof *footers; i++)
        if (zone_with(footers[i]))
            fail_msg("accepted the footer %s", footers[i]);

    struct buf file = { 0 };
    put_zone(&file, FOOTER);
    for (size_t len = 0; len < file.len; len++) /* cut at every byte */
        assert_null(mangle_zone_new(file.ptr, len));
    for (size_t at = 0; at < file.len; at++) /* every byte wrong in turn: no crash */
        for (int bit = 0; bit < 8; bit++) {
            file.ptr[at] = (char)(file.ptr[at] ^ (1 << bit));
            mangle_zone *z = mangle_zone_new(file.ptr, file.len);
            (void)mgi_zone_offset(z, INT64_C(1718020800000000000));
            (void)mgi_zone_offset(z, INT64_MIN);
            (void)mgi_zone_offset(z, INT64_MAX);
            mangle_zone_free(z);
            file.ptr[at] = (char)(file.ptr[at] ^ (1 << bit));
        }
    mgi_buf_fini(&file);
}

/* ---- folders ------------------------------------------------------------------------------- */

static void write_zone(const char *path, const char *footer)
{
    struct buf file = { 0 };
    put_zone(&file, footer);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(file.ptr, 1, file.len, out), file.len);
    fclose(out);
    mgi_buf_fini(&file);
}

static const mangle_zone *find(struct mangle_zone_source s, const char *name)
{
    return s.find(s.context, name, strlen(name));
}

static void test_a_folder_reads_each_zone_once(void **state)
{
    (void)state; /* M-FUN-70 */
    char folder[] = "/tmp/mangle-zones-XXXXXX", inner[64], good[64], bad[64], outside[64];
    assert_non_null(mkdtemp(folder));
    snprintf(inner, sizeof inner, "%s/Europe", folder);
    snprintf(good, sizeof good, "%s/Europe/Berlin", folder);
    snprintf(bad, sizeof bad, "%s/Broken", folder);
    assert_int_equal(mkdir(inner, 0700), 0);
    write_zone(good, FOOTER);
    write_zone(bad, "no footer");
    snprintf(outside, sizeof outside, "%s/Above", folder);
    write_zone(outside, FOOTER);

    mangle_zone_folder *zones = mangle_zone_folder_new(folder);
    assert_non_null(zones);
    struct mangle_zone_source source = mangle_zone_folder_source(zones);
    const mangle_zone *berlin = find(source, "Europe/Berlin");
    assert_int_equal(mgi_zone_offset(berlin, INT64_C(1718020800000000000)), 7200);
    remove(good);
    assert_ptr_equal(find(source, "Europe/Berlin"), berlin);
    assert_null(find(source, "Broken"));
    assert_null(find(source, "Europe")); /* a folder */
    assert_null(find(source, "Europe/Paris"));
    assert_non_null(find(source, "Above"));
    assert_null(find(source, "Europe/../Above"));
    mangle_zone_folder_free(zones);
    remove(bad);
    remove(outside);
    remove(inner);
    remove(folder);
}

int main(void)
{
#define CALL_TEST(f) cmocka_unit_test_setup_teardown(f, call_setup, call_teardown)
    const struct CMUnitTest tests[] = {
        CALL_TEST(test_offsets_follow_transitions_and_rule),
        CALL_TEST(test_rules_south_of_the_equator_and_odd_ones),
        CALL_TEST(test_civil_functions_in_a_zone),
        CALL_TEST(test_zone_names_cannot_leave_the_folder),
        CALL_TEST(test_files_that_are_wrong_are_no_zones),
        CALL_TEST(test_a_folder_reads_each_zone_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
