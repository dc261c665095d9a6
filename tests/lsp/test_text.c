/* Byte offsets, the protocol's positions and Mangle's places mean the same characters. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lsp/text.h"

/* Lines end in three ways; characters have one to four bytes. */
static const char sample[] = "a\xC3\xA9\r\n\xE2\x9F\xB8x\n\r\xF0\x9F\x98\x80y\n";

static void test_offsets_and_positions_are_inverse(void **state)
{
    (void)state;
    struct text t = { 0 };
    assert_true(mgi_text_set(&t, str_of(sample)));
    assert_int_equal(t.line_count, 5);
    static const size_t starts[] = { 0, 1, 3, 5, 8, 9, 10, 11, 15, 16, 17 };
    for (int units = UNITS_UTF16; units <= UNITS_UTF32; units++)
        for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
            struct position p = mgi_text_position(&t, starts[i], (enum text_units)units);
            assert_int_equal(mgi_text_offset(&t, p, (enum text_units)units), starts[i]);
            for (size_t j = 0; j < i; j++) {
                struct position known = mgi_text_position(&t, starts[j], (enum text_units)units);
                struct position q = mgi_text_position_after(&t, starts[j], known, starts[i],
                                                            (enum text_units)units);
                assert_int_equal(q.line, p.line);
                assert_int_equal(q.character, p.character);
            }
        }
    mgi_text_fini(&t);
}

static void assert_position(const struct text *t, size_t offset, enum text_units units,
                            uint32_t line, uint32_t character)
{
    struct position p = mgi_text_position(t, offset, units);
    assert_int_equal(p.line, line);
    assert_int_equal(p.character, character);
}

static void test_characters_are_counted_in_the_agreed_units(void **state)
{
    (void)state;
    struct text t = { 0 };
    assert_true(mgi_text_set(&t, str_of(sample)));
    assert_position(&t, 15, UNITS_UTF16, 3, 2);
    assert_position(&t, 15, UNITS_UTF8, 3, 4);
    assert_position(&t, 15, UNITS_UTF32, 3, 1);
    assert_position(&t, 8, UNITS_UTF16, 1, 1);
    assert_position(&t, 99, UNITS_UTF16, 4, 0); /* behind the end */
    /* Behind a line, and within a character. */
    assert_int_equal(mgi_text_offset(&t, (struct position){ 0, 9 }, UNITS_UTF16), 3);
    assert_int_equal(mgi_text_offset(&t, (struct position){ 3, 1 }, UNITS_UTF16), 11);
    assert_int_equal(mgi_text_offset(&t, (struct position){ 9, 0 }, UNITS_UTF16), 17);
    mgi_text_fini(&t);
}

static void test_places_of_mangle_count_code_points_and_newlines(void **state)
{
    (void)state;
    struct text t = { 0 };
    assert_true(mgi_text_set(&t, str_of(sample)));
    assert_int_equal(mgi_text_place(&t, 1, 2), 1);
    assert_int_equal(mgi_text_place(&t, 2, 2), 8);
    assert_int_equal(mgi_text_place(&t, 3, 2), 11); /* \r is no line end to it */
    assert_int_equal(mgi_text_place(&t, 9, 9), 17);
    assert_int_equal(mgi_text_forward(&t, 11, 2), 16);
    mgi_text_fini(&t);
}

static void test_splices_give_the_same_lines_as_the_whole(void **state)
{
    (void)state;
    struct text t = { 0 }, whole = { 0 };
    assert_true(mgi_text_set(&t, STR_LIT("")));
    assert_true(mgi_text_splice(&t, 0, 0, STR_LIT("one\nthree\n")));
    assert_true(mgi_text_splice(&t, 4, 4, STR_LIT("two\r\n")));
    assert_true(mgi_text_splice(&t, 0, 3, STR_LIT("")));
    assert_true(mgi_text_set(&whole, STR_LIT("\ntwo\r\nthree\n")));
    assert_string_equal(t.body.ptr, whole.body.ptr);
    assert_int_equal(t.line_count, whole.line_count);
    assert_memory_equal(t.lines, whole.lines, t.line_count * sizeof *t.lines);
    mgi_text_fini(&t);
    mgi_text_fini(&whole);
}

static void test_ill_formed_bytes_become_replacement_characters(void **state)
{
    (void)state;
    struct text t = { 0 };
    assert_true(mgi_text_set(&t, STR_LIT("a\xFF\xC3.")));
    assert_string_equal(t.body.ptr, "a\xEF\xBF\xBD\xEF\xBF\xBD.");
    mgi_text_fini(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_offsets_and_positions_are_inverse),
        cmocka_unit_test(test_characters_are_counted_in_the_agreed_units),
        cmocka_unit_test(test_places_of_mangle_count_code_points_and_newlines),
        cmocka_unit_test(test_splices_give_the_same_lines_as_the_whole),
        cmocka_unit_test(test_ill_formed_bytes_become_replacement_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
