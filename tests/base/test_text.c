/* Strings, buffers, the string map and UTF-8. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/strmap.h"
#include "base/utf8.h"

static void test_strings_compare_unsigned_with_the_prefix_first(void **state)
{
    (void)state;
    assert_true(mgi_str_compare(STR_LIT("a"), STR_LIT("ab")) < 0);
    assert_true(mgi_str_compare(STR_LIT("\xff"), STR_LIT("a")) > 0);
    assert_true(mgi_str_compare(STR_LIT("a\0b"), STR_LIT("a\0a")) > 0);
    assert_int_equal(mgi_str_compare(STR_LIT(""), (struct str){ NULL, 0 }), 0);
}

static void test_trim_takes_the_bytes_of_the_set_off_either_end(void **state)
{
    (void)state;
    assert_true(str_is(mgi_str_trim(STR_LIT(" \t a b\t "), " \t"), "a b"));
    assert_true(str_is(mgi_str_trim(STR_LIT("ab"), " "), "ab"));
    assert_true(str_is(mgi_str_trim(STR_LIT(" ab"), ""), " ab"));
    assert_int_equal(mgi_str_trim(STR_LIT(" \t "), " \t").len, 0);
    assert_int_equal(mgi_str_trim((struct str){ NULL, 0 }, " \t").len, 0);
    /* The NUL that ends the set is not of it. */
    assert_int_equal(mgi_str_trim(STR_LIT(" \0 "), " ").len, 1);
}

static void test_patterns(void **state)
{
    (void)state;
    static const struct {
        const char *text, *pattern;
        bool fits;
    } rows[] = {
        { "", "", true },          { "", "*", true },           { "a", "", false },
        { "a", "a", true },        { "a", "A", false },         { "ab", "a", false },
        { "ab", "a*", true },      { "ab", "*b", true },        { "abcb", "*b", true },
        { "abcb", "a*c*b", true }, { "abcb", "a*c*bb", false }, { "a*b", "a**b", true },
        { "abab", "*ab", true },   { "aba", "*ab", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(mgi_str_fits(str_of(rows[i].text), str_of(rows[i].pattern)), rows[i].fits);
}

static void test_names_are_the_same_in_capitals_and_small(void **state)
{
    (void)state;
    static const char *const words[] = { "Vary", "x-build", NULL };
    assert_true(mgi_str_same(STR_LIT("X-Build"), STR_LIT("x-bUILD")));
    assert_true(mgi_str_same(STR_LIT(""), (struct str){ NULL, 0 }));
    assert_false(mgi_str_same(STR_LIT("X-Build"), STR_LIT("X-Buil")));
    assert_false(mgi_str_same(STR_LIT("@["), STR_LIT("`{"))); /* a bit apart, and no letters */
    assert_false(mgi_str_same(STR_LIT("a\0b"), STR_LIT("a\0c")));
    assert_true(mgi_str_is_any(STR_LIT("x-build"), words));
    assert_false(mgi_str_is_any(STR_LIT("vary"), words));
    assert_true(mgi_str_same_as_any(STR_LIT("vary"), words));
    assert_false(mgi_str_same_as_any(STR_LIT("var"), words));
}

static void test_find_starts_and_ends(void **state)
{
    (void)state;
    assert_int_equal(mgi_str_find(STR_LIT("banana"), STR_LIT("nan")), 2);
    assert_int_equal(mgi_str_find(STR_LIT("banana"), STR_LIT("")), 0);
    assert_int_equal(mgi_str_find(STR_LIT(""), STR_LIT("")), 0);
    assert_true(mgi_str_find(STR_LIT("banana"), STR_LIT("nab")) == SIZE_MAX);
    assert_true(mgi_str_find(STR_LIT("na"), STR_LIT("nana")) == SIZE_MAX);
    assert_true(mgi_str_starts(STR_LIT("banana"), STR_LIT("ban")));
    assert_false(mgi_str_starts(STR_LIT("ba"), STR_LIT("ban")));
    assert_true(mgi_str_ends(STR_LIT("banana"), STR_LIT("ana")));
    assert_false(mgi_str_ends(STR_LIT("banana"), STR_LIT("nab")));
}

static void test_hash_depends_on_every_byte_the_length_and_the_seed(void **state)
{
    (void)state;
    char text[40] = { 0 };
    for (size_t len = 0; len <= sizeof text; len++) {
        uint64_t plain = mgi_hash_bytes(text, len, 1);
        assert_true(plain == mgi_hash_bytes(text, len, 1));
        assert_true(plain != mgi_hash_bytes(text, len, 2));
        if (len)
            assert_true(plain != mgi_hash_bytes(text, len - 1, 1));
        for (size_t i = 0; i < len; i++) {
            text[i] = 1;
            assert_true(plain != mgi_hash_bytes(text, len, 1));
            text[i] = 0;
        }
    }
}

static void test_buffer_collects_and_ends_in_nul(void **state)
{
    (void)state;
    struct buf b = { 0 };
    mgi_buf_puts(&b, "one");
    mgi_buf_putc(&b, ' ');
    mgi_buf_printf(&b, "%d %s", 2, "three");
    mgi_buf_str(&b, (struct str){ NULL, 0 });
    assert_string_equal(b.ptr, "one 2 three");
    for (int i = 0; i < 1000; i++)
        mgi_buf_append(&b, "0123456789", 10);
    assert_int_equal(b.len, 10011);
    assert_int_equal(b.ptr[b.len], 0);
    mgi_buf_clear(&b);
    assert_true(str_is(mgi_buf_view(&b), ""));
    mgi_buf_puts(&b, "taken");
    size_t len;
    char *taken = mgi_buf_take(&b, &len);
    assert_string_equal(taken, "taken");
    assert_int_equal(len, 5);
    assert_null(b.ptr);
    mgi_free(taken);
    taken = mgi_buf_take(&b, &len); /* an empty one is an empty string */
    assert_string_equal(taken, "");
    mgi_free(taken);
}

static void test_whole_numbers_are_written_as_printf_does(void **state)
{
    struct buf b = { 0 };
    char expected[32];
    uint64_t n = 1;
    (void)state;
    for (int i = 0; i < 2000; i++) { /* of all lengths, with either sign, and the ends */
        int64_t v = i < 400 ? i - 200 : i == 400 ? INT64_MIN : i == 401 ? INT64_MAX : (int64_t)n;
        n = (n * UINT64_C(6364136223846793005) + 1442695040888963407u) >> i % 63;
        mgi_buf_clear(&b);
        mgi_buf_int(&b, v);
        snprintf(expected, sizeof expected, "%lld", (long long)v);
        assert_string_equal(b.ptr, expected);
        assert_int_equal(b.len, strlen(expected));
    }
    mgi_buf_fini(&b);
}

static void test_buffer_limit_is_sticky_out_of_memory(void **state)
{
    (void)state;
    struct buf b = { .limit = 5 };
    mgi_buf_puts(&b, "12345");
    assert_false(b.oom);
    mgi_buf_puts(&b, "6");
    assert_true(b.oom);
    mgi_buf_clear(&b);
    mgi_buf_puts(&b, "123456");
    assert_true(b.oom);
    mgi_buf_puts(&b, "1"); /* would fit, but something before it is missing */
    assert_int_equal(b.len, 0);
    size_t len;
    assert_null(mgi_buf_take(&b, &len));
    mgi_buf_fini(&b);
}

static void test_map_finds_what_was_put_and_nothing_else(void **state)
{
    (void)state;
    struct strmap m;
    mgi_strmap_init(&m);
    uint32_t value = 0;
    assert_false(mgi_strmap_get(&m, STR_LIT(""), &value));
    char key[32];
    for (uint32_t i = 0; i < 5000; i++) {
        size_t len = (size_t)snprintf(key, sizeof key, "key%u", i);
        assert_true(mgi_strmap_put(&m, (struct str){ key, len }, i));
    }
    assert_true(mgi_strmap_put(&m, STR_LIT("key17"), 99));
    assert_true(mgi_strmap_put(&m, STR_LIT(""), 100));
    assert_int_equal(m.count, 5001);
    for (uint32_t i = 0; i < 5000; i++) {
        size_t len = (size_t)snprintf(key, sizeof key, "key%u", i);
        assert_true(mgi_strmap_get(&m, (struct str){ key, len }, &value));
        assert_int_equal(value, i == 17 ? 99 : i);
    }
    assert_true(mgi_strmap_get(&m, STR_LIT(""), &value));
    assert_int_equal(value, 100);
    assert_false(mgi_strmap_get(&m, STR_LIT("key5000"), NULL));
    mgi_strmap_fini(&m);
}

static void test_every_code_point_survives_and_surrogates_do_not_exist(void **state)
{
    (void)state;
    char text[4];
    for (uint32_t code = 0; code <= 0x110000; code++) {
        size_t len = mgi_utf8_put(code, text);
        if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
            assert_int_equal(len, 0);
            continue;
        }
        size_t at = 0;
        if (mgi_utf8_next((struct str){ text, len }, &at) != code || at != len)
            fail_msg("U+%04X does not come back", (unsigned)code);
        if (len > 1 && mgi_utf8_valid((struct str){ text, len - 1 }, NULL))
            fail_msg("U+%04X cut by a byte is accepted", (unsigned)code);
    }
}

static void test_ill_formed_sequences_are_found_where_they_begin(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "\x80",
        "\xbf",
        "\xc0\x80",
        "\xc1\xbf",
        "\xe0\x80\x80",
        "\xe0\x9f\xbf",
        "\xed\xa0\x80",
        "\xed\xbf\xbf",
        "\xf0\x80\x80\x80",
        "\xf0\x8f\xbf\xbf",
        "\xf5\x80\x80",
        "\xff",
        "\xf4\x90\x80\x80",
        "\xc3(",
        "\xe2\x82(",
        "\xf0\x9f\x98",
        "\xe2\x82",
        "\xfe",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[40];
        for (size_t before = 0; before < 12; before++) {
            int len = snprintf(text, sizeof text, "%.*s%s", (int)before, "abcdefghijkl", bad[i]);
            size_t at = SIZE_MAX;
            assert_false(mgi_utf8_valid((struct str){ text, (size_t)len }, &at));
            assert_int_equal(at, before);
        }
    }
    size_t at = 0;
    assert_true(mgi_utf8_next(STR_LIT("\xe2\x82("), &at) == UINT32_MAX);
    assert_int_equal(at, 1);
}

static void test_prefix_never_cuts_a_character(void **state)
{
    (void)state;
    struct str s = STR_LIT("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    static const size_t expected[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10 };
    for (size_t max = 0; max < sizeof expected / sizeof expected[0]; max++)
        assert_int_equal(mgi_utf8_prefix(s, max).len, expected[max]);
    /* bytes that are no characters are cut anywhere */
    assert_int_equal(mgi_utf8_prefix(STR_LIT("\x80\x80\x80\x80\x80\x80"), 5).len, 5);
    assert_int_equal(mgi_utf8_count(s), 4);
    assert_int_equal(mgi_utf8_count(STR_LIT("\xff"
                                            "a\xe2\x82")),
                     4);
}

static void test_what_people_cannot_see_is_shown_as_an_escape(void **state)
{
    (void)state;
    struct buf b = { 0 };
    mgi_utf8_show(&b, STR_LIT("a\n\t\r\x1b[31m\x7f\xe2\x80\x8f\xef\xbb\xbf\xe2\x80\xae\xff\xc2\x85"
                              "\xc3\xa9\xe2\x82\xac\0"));
    assert_string_equal(b.ptr, "a\\n\\t\\r\\u{1b}[31m\\u{7f}\\u{200f}\\u{feff}\\u{202e}\\xff\\u{85}"
                               "\xc3\xa9\xe2\x82\xac\\u{0}");
    mgi_buf_clear(&b);
    mgi_utf8_show(&b, STR_LIT("\xf0\x93\x90\xb0\xf0\x9d\x85\x99"));
    assert_string_equal(b.ptr, "\\u{13430}\\u{1d159}");
    mgi_buf_fini(&b);
}

/* Fed in two pieces, wherever the cut is: 1 for text that may end there, 0 for text that may not
 * yet, -1 for what can never be text. */
static int fed_in_two(struct str s, size_t cut)
{
    struct utf8_stream u = { 0 };
    if (!mgi_utf8_feed(&u, (struct str){ s.ptr, cut }) ||
        !mgi_utf8_feed(&u, (struct str){ s.ptr + cut, s.len - cut }))
        return -1;
    return u.missing == 0;
}

static void test_utf8_in_pieces_is_judged_as_utf8_in_one(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int n = 0; n < 200000; n++) {
        static const unsigned char bytes[] = {
            'a',  0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2,
            0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf3, 0xf4, 0xf5
        };
        char text[12];
        size_t len = 0;
        for (; len < sizeof text && (len == 0 || (seed >> 28) != 0); len++) {
            seed = seed * 1664525 + 1013904223;
            text[len] = (char)bytes[(seed >> 12) % sizeof bytes];
        }
        struct str s = { text, len };
        bool good = mgi_utf8_valid(s, NULL);
        int first = fed_in_two(s, 0);
        assert_int_equal(good, first == 1);
        for (size_t cut = 1; cut <= len; cut++)
            assert_int_equal(fed_in_two(s, cut), first);
    }
}

static void test_utf8_in_pieces_fails_at_the_first_byte_that_cannot_go_on(void **state)
{
    (void)state;
    struct utf8_stream u = { 0 };
    assert_true(mgi_utf8_feed(&u, STR_LIT("a longer text\xed")));
    assert_int_equal(u.missing, 2);
    assert_false(mgi_utf8_feed(&u, STR_LIT("\xa0")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strings_compare_unsigned_with_the_prefix_first),
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_names_are_the_same_in_capitals_and_small),
        cmocka_unit_test(test_find_starts_and_ends),
        cmocka_unit_test(test_trim_takes_the_bytes_of_the_set_off_either_end),
        cmocka_unit_test(test_hash_depends_on_every_byte_the_length_and_the_seed),
        cmocka_unit_test(test_buffer_collects_and_ends_in_nul),
        cmocka_unit_test(test_whole_numbers_are_written_as_printf_does),
        cmocka_unit_test(test_buffer_limit_is_sticky_out_of_memory),
        cmocka_unit_test(test_map_finds_what_was_put_and_nothing_else),
        cmocka_unit_test(test_every_code_point_survives_and_surrogates_do_not_exist),
        cmocka_unit_test(test_ill_formed_sequences_are_found_where_they_begin),
        cmocka_unit_test(test_prefix_never_cuts_a_character),
        cmocka_unit_test(test_what_people_cannot_see_is_shown_as_an_escape),
        cmocka_unit_test(test_utf8_in_pieces_is_judged_as_utf8_in_one),
        cmocka_unit_test(test_utf8_in_pieces_fails_at_the_first_byte_that_cannot_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
