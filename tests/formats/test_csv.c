/* CSV by RFC 4180: records, quotes, line ends, and what is wrong with a file. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "formats/csv.h"

/* All records as "a|b\n", then a fault if there is one. */
static void read_all(struct str text, struct buf *out, uint32_t *total_lines)
{
    struct arena arena;
    struct str *fields;
    size_t count;
    uint32_t lines;
    enum csv_status status;
    *total_lines = 0;
    mgi_arena_init(&arena, 0);
    while ((status = mgi_csv_next(&arena, &text, &fields, &count, &lines)) == CSV_RECORD) {
        for (size_t i = 0; i < count; i++) {
            if (i)
                mgi_buf_putc(out, '|');
            mgi_buf_str(out, fields[i]);
        }
        mgi_buf_putc(out, '\n');
        *total_lines += lines;
        mgi_arena_reset(&arena);
    }
    if (status != CSV_END)
        mgi_buf_puts(out, mgi_csv_fault(status));
    mgi_buf_puts(out, "");
    mgi_arena_fini(&arena);
}

static const struct {
    const char *text, *want;
    uint32_t lines;
} cases[] = {
    { "a,b\nc,d\n", "a|b\nc|d\n", 2 },
    { "a,b\r\nc,d", "a|b\nc|d\n", 2 },
    { "", "", 0 },
    { "\n\r\n", "", 0 },
    { "a,b\n\n\nc,d\n", "a|b\nc|d\n", 4 },
    { ",\n", "|\n", 1 },
    { "a,", "a|\n", 1 },
    { "\"a,b\",\"c\"\"d\"\n", "a,b|c\"d\n", 1 },
    { "\"a\nb\",c\nd,e", "a\nb|c\nd|e\n", 3 },
    { "\"\",x", "|x\n", 1 },
    { "\"a\"\r\n\"b\"\r\n", "a\nb\n", 2 },
    { " a , b ", " a | b \n", 1 },
    { "a\n\"b", "a\na quote is not closed", 1 },
    { "a\"b", "a quote stands inside a field; quote the field and double it", 0 },
    { "\"a\"b", "a quote stands inside a field; quote the field and double it", 0 },
};

static void test_records_are_cut_as_the_rfc_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf got = { 0 };
        uint32_t lines;
        read_all(str_of(cases[i].text), &got, &lines);
        assert_string_equal(got.ptr ? got.ptr : "", cases[i].want);
        assert_int_equal(lines, cases[i].lines);
        mgi_buf_fini(&got);
    }
}

static void test_any_prefix_is_read_without_running_over(void **state)
{
    (void)state;
    static const char text[] = "a,\"b\"\"c\",\r\n\"d\ne\",f\n,\"\"";
    for (size_t len = 0; len < sizeof text; len++) {
        struct buf got = { 0 };
        uint32_t lines;
        char *copy = malloc(len + 1); /* the sanitiser watches its end */
        memcpy(copy, text, len);
        read_all((struct str){ copy, len }, &got, &lines);
        free(copy);
        mgi_buf_fini(&got);
    }
}

static void test_a_written_field_reads_back(void **state)
{
    (void)state;
    static const char *const fields[] = { "a", "", "a,b", "a\"b", "a\nb", "a\r", "\"", " x " };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct buf text = { 0 };
        struct arena arena;
        struct str *got;
        size_t count;
        uint32_t lines;
        mgi_arena_init(&arena, 0);
        mgi_csv_write(&text, str_of(fields[i]));
        mgi_buf_puts(&text, ",end\n");
        struct str rest = mgi_buf_view(&text);
        assert_int_equal(mgi_csv_next(&arena, &rest, &got, &count, &lines), CSV_RECORD);
        assert_int_equal(count, 2);
        assert_true(str_is(got[0], fields[i]));
        mgi_arena_fini(&arena);
        mgi_buf_fini(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records_are_cut_as_the_rfc_says),
        cmocka_unit_test(test_any_prefix_is_read_without_running_over),
        cmocka_unit_test(test_a_written_field_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
