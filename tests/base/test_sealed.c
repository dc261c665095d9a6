/* Sealed files: what is written is found, and no damage goes unseen. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/sealed.h"

enum { ORDER_AT = 8, COUNT_AT = 12, LENGTH_AT = 16, KIND_AT = 32, ROWS_AT = 96, ROW_BYTES = 48 };
enum { OFFSET_IN_ROW = 32, LENGTH_IN_ROW = 40 };

static struct sealed_entry entry(uint8_t first, const char *text)
{
    struct sealed_entry e = { .bytes = str_of(text) };
    e.key[0] = first;
    return e;
}

static void make(struct buf *out)
{
    struct sealed_entry entries[] = { entry(7, "seven"), entry(1, "one and more"), entry(9, ""),
                                      entry(7, "seven") };
    mgi_sealed_write(out, "kind", "maker 1", entries, 4);
    assert_false(out->oom);
}

static void expect(const struct buf *file, const char *why)
{
    struct sealed s;
    const char *told = mgi_sealed_open(mgi_buf_view(file), "kind", "maker 1", &s);
    if (why)
        assert_string_equal(told ? told : "it is good", why);
    else
        assert_null(told);
    if (told)
        assert_int_equal(s.count, 0);
    struct str start = { file->ptr, file->len < SEALED_HEAD_BYTES ? file->len : SEALED_HEAD_BYTES };
    const char *looked = mgi_sealed_look(start, file->len);
    if (looked)
        assert_string_equal(looked, why ? why : "it is good");
    else
        assert_false(why && strcmp(why, "it is not whole") == 0);
}

static void test_what_is_written_is_found_by_its_key(void **state)
{
    struct buf file = { 0 };
    struct sealed s;
    struct str found;
    (void)state;
    make(&file);
    assert_null(mgi_sealed_open(mgi_buf_view(&file), "kind", "maker 1", &s));
    assert_int_equal(s.count, 3); /* two of the four had one key */
    for (unsigned k = 0; k < 256; k++) {
        struct sealed_entry e = entry((uint8_t)k, "");
        bool there = mgi_sealed_find(&s, e.key, &found);
        assert_int_equal(there, k == 1 || k == 7 || k == 9);
        if (there)
            assert_true(str_is(found, k == 1 ? "one and more" : k == 7 ? "seven" : ""));
        if (there)
            assert_int_equal((uintptr_t)(found.ptr - file.ptr) % 8, 0);
    }
    mgi_buf_fini(&file);
}

static void test_an_empty_file_holds_nothing(void **state)
{
    struct buf file = { 0 };
    struct sealed s;
    struct str found;
    const struct sealed_entry e = entry(0, "");
    (void)state;
    mgi_sealed_write(&file, "kind", "maker 1", NULL, 0);
    assert_null(mgi_sealed_open(mgi_buf_view(&file), "kind", "maker 1", &s));
    assert_false(mgi_sealed_find(&s, e.key, &found));
    mgi_buf_fini(&file);
}

static void test_no_changed_bit_and_no_missing_byte_goes_unseen(void **state)
{
    struct buf file = { 0 };
    struct sealed s;
    (void)state;
    make(&file);
    for (size_t i = 0; i < file.len * 8; i++) {
        file.ptr[i / 8] ^= (char)(1u << i % 8);
        if (!mgi_sealed_open(mgi_buf_view(&file), "kind", "maker 1", &s))
            fail_msg("bit %zu of byte %zu", i % 8, i / 8);
        file.ptr[i / 8] ^= (char)(1u << i % 8);
    }
    for (size_t len = 0; len < file.len; len++)
        assert_non_null(mgi_sealed_open((struct str){ file.ptr, len }, "kind", "maker 1", &s));
    expect(&file, NULL);
    mgi_buf_fini(&file);
}

static void test_what_it_is_not_is_told(void **state)
{
    struct buf file = { 0 };
    struct sealed s;
    (void)state;
    make(&file);
    assert_string_equal(mgi_sealed_open(mgi_buf_view(&file), "other", "maker 1", &s),
                        "it is of another kind");
    assert_string_equal(mgi_sealed_open(mgi_buf_view(&file), "kind", "maker 2", &s),
                        "another version of the program made it");
    assert_string_equal(mgi_sealed_open(STR_LIT(""), "kind", "maker 1", &s), "it is no such file");
    mgi_buf_append(&file, "\0\0\0\0\0\0\0\0", 8);
    expect(&file, "it is not whole");
    file.len -= 8;
    for (int i = 0; i < 2; i++) { /* 01 02 03 04 -> 04 03 02 01 */
        char swapped = file.ptr[ORDER_AT + i];
        file.ptr[ORDER_AT + i] = file.ptr[ORDER_AT + 3 - i];
        file.ptr[ORDER_AT + 3 - i] = swapped;
    }
    expect(&file, "it was made on a machine with another byte order");
    mgi_buf_fini(&file);
}

static void forge(struct buf *file, size_t at, uint64_t value, size_t len)
{
    memcpy(file->ptr + at, &value, len);
    uint64_t sum = mgi_sealed_checksum(mgi_buf_view(file));
    memcpy(file->ptr + SEALED_CHECKSUM_AT, &sum, sizeof sum);
}

/* Whoever can write the file can make its checksum right. */
static void test_a_right_checksum_does_not_make_a_wrong_table_right(void **state)
{
    (void)state;
    static const struct {
        size_t at, len;
        uint64_t value;
    } forgeries[] = {
        { COUNT_AT, 4, UINT32_MAX },
        { COUNT_AT, 4, 6 },                                      /* rows where bytes are */
        { ROWS_AT + OFFSET_IN_ROW, 8, 8 },                       /* into the header */
        { ROWS_AT + OFFSET_IN_ROW, 8, ROWS_AT + 2 * ROW_BYTES }, /* into the table */
        { ROWS_AT + OFFSET_IN_ROW, 8, UINT64_MAX - 7 },
        { ROWS_AT + OFFSET_IN_ROW, 8, ROWS_AT + 3 * ROW_BYTES + 1 },
        { ROWS_AT + LENGTH_IN_ROW, 8, UINT64_MAX },
        { ROWS_AT + 2 * ROW_BYTES + LENGTH_IN_ROW, 8, 1 }, /* one byte behind the end */
        { ROWS_AT, 1, 7 },                                 /* a key twice */
        { ROWS_AT, 1, 8 },                                 /* out of order */
    };
    for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++) {
        struct buf file = { 0 };
        make(&file);
        forge(&file, forgeries[i].at, forgeries[i].value, forgeries[i].len);
        expect(&file, "it is damaged");
        mgi_buf_fini(&file);
    }
    struct buf file = { 0 };
    make(&file);
    forge(&file, KIND_AT + 15, 0, 1); /* as it was: the forging itself does no harm */
    expect(&file, NULL);
    mgi_buf_fini(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_written_is_found_by_its_key),
        cmocka_unit_test(test_an_empty_file_holds_nothing),
        cmocka_unit_test(test_no_changed_bit_and_no_missing_byte_goes_unseen),
        cmocka_unit_test(test_what_it_is_not_is_told),
        cmocka_unit_test(test_a_right_checksum_does_not_make_a_wrong_table_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
