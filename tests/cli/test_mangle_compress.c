/* Compressed files: there and back, in pieces, cut, and too large when unpacked. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "cli/mangle_compress.h"

static const enum compression both[] = { COMPRESSION_GZIP, COMPRESSION_ZSTD };

/* Bytes that do not compress away, many of them. */
static void fill(struct buf *out, size_t len)
{
    uint32_t x = 1;
    for (size_t i = 0; i < len; i++) {
        x = x * 1664525u + 1013904223u;
        mgi_buf_putc(out, (char)(x >> 28));
    }
}

static void test_what_is_packed_comes_back(void **state)
{
    (void)state;
    static const size_t sizes[] = { 0, 1, 65535, 65536, 1000000 };
    for (int c = 0; c < 2; c++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            struct buf text = { 0 }, packed = { 0 }, again = { 0 };
            char why[80];
            fill(&text, sizes[i]);
            assert_true(mgi_compress(both[c], mgi_buf_view(&text), &packed));
            assert_true(mgi_decompress(both[c], mgi_buf_view(&packed), sizes[i], &again, why));
            assert_true(str_eq(mgi_buf_view(&text), mgi_buf_view(&again)));
            mgi_buf_fini(&text);
            mgi_buf_fini(&packed);
            mgi_buf_fini(&again);
        }
    }
}

static void test_every_cut_is_noticed(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        struct buf text = { 0 }, packed = { 0 }, again = { 0 };
        char why[80];
        fill(&text, 1000);
        assert_true(mgi_compress(both[c], mgi_buf_view(&text), &packed));
        for (size_t len = 0; len < packed.len; len++) {
            mgi_buf_clear(&again);
            assert_false(
                mgi_decompress(both[c], (struct str){ packed.ptr, len }, 1 << 20, &again, why));
        }
        assert_non_null(strstr(why, "ends too early"));
        mgi_buf_putc(&packed, '!'); /* neither is something behind the end */
        mgi_buf_clear(&again);
        assert_false(mgi_decompress(both[c], mgi_buf_view(&packed), 1 << 20, &again, why));
        mgi_buf_fini(&text);
        mgi_buf_fini(&packed);
        mgi_buf_fini(&again);
    }
}

static void test_members_and_frames_are_one_content(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        struct buf packed = { 0 }, again = { 0 };
        char why[80];
        assert_true(mgi_compress(both[c], STR_LIT("one "), &packed));
        assert_true(mgi_compress(both[c], STR_LIT("two"), &packed));
        assert_true(mgi_decompress(both[c], mgi_buf_view(&packed), 7, &again, why));
        assert_true(str_is(mgi_buf_view(&again), "one two"));
        mgi_buf_fini(&packed);
        mgi_buf_fini(&again);
    }
}

/* A small file that says much: unpacking stops at the limit, and the memory is not taken. */
static void test_unpacking_has_a_limit(void **state)
{
    (void)state;
    struct buf zeros = { 0 };
    assert_true(mgi_buf_reserve(&zeros, (size_t)64 << 20));
    memset(zeros.ptr, 0, (size_t)64 << 20);
    zeros.len = (size_t)64 << 20;
    for (int c = 0; c < 2; c++) {
        struct buf packed = { 0 }, again = { 0 };
        char why[80];
        assert_true(mgi_compress(both[c], mgi_buf_view(&zeros), &packed));
        assert_true(packed.len < 200000);
        assert_false(mgi_decompress(both[c], mgi_buf_view(&packed), (size_t)3 << 20, &again, why));
        assert_string_equal(why, "it holds more than 3 MiB when decompressed");
        assert_true(again.cap < (size_t)8 << 20);
        mgi_buf_clear(&again);
        assert_false(mgi_decompress(both[c], mgi_buf_view(&packed), zeros.len - 1, &again, why));
        mgi_buf_clear(&again);
        assert_true(mgi_decompress(both[c], mgi_buf_view(&packed), zeros.len, &again, why));
        mgi_buf_fini(&packed);
        mgi_buf_fini(&again);
    }
    mgi_buf_fini(&zeros);
}

static void test_the_name_says_how(void **state)
{
    (void)state;
    struct str stem;
    assert_int_equal(mgi_compression_named(STR_LIT("a.sc.gz"), &stem), COMPRESSION_GZIP);
    assert_true(str_is(stem, "a.sc"));
    assert_int_equal(mgi_compression_named(STR_LIT("a.sc.zst"), NULL), COMPRESSION_ZSTD);
    assert_int_equal(mgi_compression_named(STR_LIT("a.sc.zstd"), &stem), COMPRESSION_ZSTD);
    assert_true(str_is(stem, "a.sc"));
    assert_int_equal(mgi_compression_named(STR_LIT("a.sc"), &stem), COMPRESSION_NONE);
    assert_true(str_is(stem, "a.sc"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_packed_comes_back),
        cmocka_unit_test(test_every_cut_is_noticed),
        cmocka_unit_test(test_members_and_frames_are_one_content),
        cmocka_unit_test(test_unpacking_has_a_limit),
        cmocka_unit_test(test_the_name_says_how),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
