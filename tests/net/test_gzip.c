/* What is compressed reads back, by zlib itself. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <zlib.h>

#include "net/gzip.h"

static void assert_reads_back(struct str text)
{
    struct buf packed = { 0 };
    char *out = malloc(text.len + 1);
    z_stream z = { 0 };
    assert_non_null(out);
    mgi_buf_puts(&packed, "before"); /* it is appended */
    mgi_gzip(text, &packed);
    assert_false(packed.oom);
    assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
    z.next_in = (unsigned char *)packed.ptr + 6;
    z.avail_in = (unsigned)packed.len - 6;
    z.next_out = (unsigned char *)out;
    z.avail_out = (unsigned)text.len + 1;
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    assert_int_equal(z.total_out, text.len);
    assert_int_equal(z.avail_in, 0);
    assert_memory_equal(out, text.ptr, text.len);
    inflateEnd(&z);
    free(out);
    mgi_buf_fini(&packed);
}

static void test_any_text_reads_back(void **state)
{
    char *text = malloc(300000);
    (void)state;
    assert_non_null(text);
    assert_reads_back(STR_LIT(""));
    assert_reads_back(STR_LIT("x"));
    memset(text, 'x', 300000);
    assert_reads_back((struct str){ text, 300000 });
    srand(3);
    for (int i = 0; i < 300000; i++) /* what cannot be made smaller */
        text[i] = (char)rand();
    assert_reads_back((struct str){ text, 300000 });
    free(text);
}

static void test_the_same_text_gives_the_same_bytes(void **state)
{
    struct buf a = { 0 }, b = { 0 };
    (void)state;
    mgi_gzip(STR_LIT("hello hello hello"), &a);
    mgi_gzip(STR_LIT("hello hello hello"), &b);
    assert_true(str_eq(mgi_buf_view(&a), mgi_buf_view(&b)));
    mgi_buf_fini(&a);
    mgi_buf_fini(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_text_reads_back),
        cmocka_unit_test(test_the_same_text_gives_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
