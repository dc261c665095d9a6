/* Patterns and paths of the fs plugin, and the helpers of plugins/support. */
#include "plugins/plugin_host.h"

#include "plugins/fs/fs.h"

static void test_patterns_match_what_they_should(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *path;
        bool want;
    } rows[] = {
        { "*.c", "a.c", true },
        { "*.c", "d/e/a.c", true }, /* no slash: the name alone */
        { "*.c", "a.c/b", false },
        { "d/*.c", "d/a.c", true },
        { "d/*.c", "d/e/a.c", false },
        { "d/**", "d/e/a.c", true },
        { "**/a.c", "a.c", true },
        { "**/a.c", "d/e/a.c", true },
        { "d/**/a.c", "d/a.c", true },
        { "d/**/a.c", "d/e/f/a.c", true },
        { "d/**/a.c", "da.c", false },
        { "?", "x", true },
        { "?", "\xe2\x82\xac", true },
        { "?", "xy", false },
        { "[a-c]x", "bx", true },
        { "[!a-c]x", "bx", false },
        { "[!a-c]x", "dx", true },
        { "[]]", "]", true },
        { "[\xc3\xa0-\xc3\xa9]", "\xc3\xa4", true },
        { "[a-]", "-", true },
        { "d/?e", "d//e", false },
        { "*", "", true },
        { "**a**b**", "xaxxbx", true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_null(mgi_glob_fault(str_of(rows[i].pattern)));
        if (mgi_glob(str_of(rows[i].pattern), str_of(rows[i].path)) != rows[i].want)
            fail_msg("%s on %s", rows[i].pattern, rows[i].path);
    }
    assert_non_null(mgi_glob_fault(STR_LIT("a[b")));
    assert_non_null(mgi_glob_fault(STR_LIT("[]")));
}

static void test_no_pattern_is_slow(void **state)
{
    (void)state;
    char pattern[GLOB_MOST], path[PATH_MOST];
    memset(path, 'a', sizeof path);
    for (size_t i = 0; i < sizeof pattern; i += 2)
        memcpy(pattern + i, "*a", 2);
    pattern[sizeof pattern - 1] = 'b';
    int64_t begin = mgi_clock_mono_ns();
    assert_false(
        mgi_glob((struct str){ pattern, sizeof pattern }, (struct str){ path, sizeof path }));
    assert_true(mgi_clock_mono_ns() - begin < INT64_C(1000000000));
}

static void test_base64_is_there_and_back(void **state)
{
    (void)state;
    struct arena arena;
    struct buf text;
    char bytes[100];
    mgi_arena_init(&arena, 0);
    mgi_buf_init(&text);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 37);
    for (size_t len = 0; len < sizeof bytes; len++) {
        struct str back;
        mgi_buf_clear(&text);
        mgi_base64_put(&text, (struct str){ bytes, len });
        assert_true(mgi_base64_read(&arena, mgi_buf_view(&text), &back));
        assert_true(str_eq(back, (struct str){ bytes, len }));
    }
    mgi_buf_fini(&text);
    mgi_arena_fini(&arena);
}

static void test_containers_are_walked_and_texts_decoded(void **state)
{
    (void)state;
    struct arena arena;
    th_str name, value, list = { "[ 1 , \"a\\u0000b\\n\" ,{} ]", 23 };
    size_t at = 0;
    mgi_arena_init(&arena, 0);
    assert_true(mgi_arg_each(list, &at, &name, &value));
    assert_int_equal(value.len, 1);
    assert_true(mgi_arg_each(list, &at, &name, &value));
    assert_true(str_eq(mgi_arg_string(&arena, value), (struct str){ "a\0b\n", 4 }));
    assert_true(mgi_arg_each(list, &at, &name, &value));
    assert_int_equal(value.ptr[0], '{');
    assert_false(mgi_arg_each(list, &at, &name, &value));
    static const char *const broken[] = { "", "[", "[1", "{\"a\"", "{\"a\":", "{1:2}", "7", "[}" };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        at = 0;
        for (int k = 0; k < 4; k++)
            if (!mgi_arg_each((th_str){ broken[i], strlen(broken[i]) }, &at, &name, &value))
                break;
    }
    mgi_arena_fini(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns_match_what_they_should),
        cmocka_unit_test(test_no_pattern_is_slow),
        cmocka_unit_test(test_base64_is_there_and_back),
        cmocka_unit_test(test_containers_are_walked_and_texts_decoded),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
