/* The filter of texts from other servers: what stays, what goes, and what is counted. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "mcp/clean.h"

static void cleans(const char *text, size_t len, size_t max, const char *expected, uint64_t removed)
{
    struct buf out = { 0 }, again = { 0 };
    struct clean_counts counts = { 0 }, second = { 0 };
    mgi_clean(&out, (struct str){ text, len }, max, &counts);
    assert_string_equal(out.ptr ? out.ptr : "", expected);
    assert_int_equal(mgi_clean_removed(&counts), removed);
    mgi_clean(&again, mgi_buf_view(&out), max, &second);
    assert_string_equal(again.ptr ? again.ptr : "", expected);
    assert_int_equal(mgi_clean_removed(&second), 0);
    mgi_buf_fini(&out);
    mgi_buf_fini(&again);
}

#define CLEANS(text, expected, removed) cleans(text, sizeof(text) - 1, 0, expected, removed)

/* X-ACT-7 */
static void test_nothing_unseen_stays(void **state)
{
    (void)state;
    CLEANS("a b\tc\nd", "a b\tc\nd", 0);
    CLEANS("", "", 0);
    CLEANS("a\x1b[31mred\r\n\0x\x7f", "a[31mred\nx", 4);
    CLEANS("a\xc2\x85"
           "b\xc2\x9b",
           "ab", 2); /* C1 */
    CLEANS("\xe2\x80\xae"
           "gpj\xe2\x80\xac\xe2\x81\xa6x\xe2\x81\xa9",
           "gpjx", 4);                                     /* bidi */
    CLEANS("hi\xf3\xa0\x81\xa1\xf3\xa0\x81\xa2", "hi", 2); /* tags */
    CLEANS("a\xe2\x80\x8b"
           "b\xef\xbb\xbf"
           "c\xe2\x81\xa0\xc2\xad",
           "abc", 4);
    CLEANS("a\xff\xc3"
           "b",
           "ab", 2);
    CLEANS("a\xef\xb8\x8f\xf3\xa0\x84\x80", "a", 2); /* selectors that choose nothing */
    CLEANS("a\xf0\x93\x90\xb0\xf0\x93\x90\xb8"
           "b\xf0\x9d\x85\x99",
           "ab", 3); /* joiners of hieroglyphs, a note without a head */
}

static void test_counts_are_kept_apart(void **state)
{
    (void)state;
    struct buf out = { 0 };
    struct clean_counts c = { 0 };
    mgi_clean(&out, STR_LIT("\x01\xe2\x80\xae\xf3\xa0\x81\xa1\xe2\x80\x8b\xff"), 0, &c);
    assert_int_equal(c.controls, 1);
    assert_int_equal(c.bidi, 1);
    assert_int_equal(c.tags, 1);
    assert_int_equal(c.invisible, 1);
    assert_int_equal(c.malformed, 1);
    assert_int_equal(out.len, 0);
    mgi_buf_fini(&out);
}

static void test_emoji_sequences_stay_whole(void **state)
{
    (void)state;
    static const char family[] = "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7";
    static const char heart[] = "\xe2\x9d\xa4\xef\xb8\x8f\xe2\x80\x8d\xf0\x9f\x94\xa5";
    static const char keycap[] = "1\xef\xb8\x8f\xe2\x83\xa3";
    static const char waving[] = "\xf0\x9f\x91\x8b\xf0\x9f\x8f\xbd";
    cleans(family, sizeof family - 1, 0, family, 0);
    cleans(heart, sizeof heart - 1, 0, heart, 0);
    cleans(keycap, sizeof keycap - 1, 0, keycap, 0);
    cleans(waving, sizeof waving - 1, 0, waving, 0);
    CLEANS("\xf0\x9f\x91\xa9\xe2\x80\x8d\xe2\x80\x8d", "\xf0\x9f\x91\xa9", 2);
    CLEANS("\xf0\x9f\x91\xa9\xe2\x80\x8d"
           "a",
           "\xf0\x9f\x91\xa9"
           "a",
           1);
    CLEANS("1\xef\xb8\x8f"
           "2",
           "12", 1);
    CLEANS("\xe2\x80\x8d\xf0\x9f\x91\xa9", "\xf0\x9f\x91\xa9", 1);
}

static void test_text_becomes_nfc(void **state)
{
    (void)state;
    CLEANS("e\xcc\x81", "\xc3\xa9", 0);
    CLEANS("\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8", "\xea\xb0\x81", 0); /* Hangul */
    CLEANS("\xe2\x84\xab", "\xc3\x85", 0);                             /* Angstrom */
    CLEANS("a\xcc\x96\xcc\x80", "\xc3\xa0\xcc\x96", 0);
    CLEANS("e\xe2\x80\x8b\xcc\x81", "\xc3\xa9", 1);
}

static void test_marks_on_one_character_are_bounded(void **state)
{
    (void)state;
    struct buf text = { 0 }, out = { 0 };
    struct clean_counts c = { 0 };
    mgi_buf_putc(&text, 'Z');
    for (int i = 0; i < 1000; i++)
        mgi_buf_puts(&text, i % 2 ? "\xcc\x96" : "\xcc\x90");
    mgi_clean(&out, mgi_buf_view(&text), 0, &c);
    assert_int_equal(c.marks, 970);
    assert_int_equal(out.len, 1 + 60);
    mgi_buf_fini(&text);
    mgi_buf_fini(&out);
}

static void test_the_cap_cuts_no_character(void **state)
{
    (void)state;
    cleans("abc", 3, 3, "abc", 0);
    cleans("abcd", 4, 3, "abc", 0);
    cleans("ab\xc3\xa9", 4, 3, "ab", 0);
    cleans("abe\xcc\x81", 5, 3, "ab", 0);
    struct buf out = { 0 };
    struct clean_counts c = { 0 };
    mgi_clean(&out, STR_LIT("abcdefgh"), 3, &c);
    assert_int_equal(c.cut, 5);
    mgi_buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_unseen_stays),
        cmocka_unit_test(test_counts_are_kept_apart),
        cmocka_unit_test(test_emoji_sequences_stay_whole),
        cmocka_unit_test(test_text_becomes_nfc),
        cmocka_unit_test(test_marks_on_one_character_are_bounded),
        cmocka_unit_test(test_the_cap_cuts_no_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
