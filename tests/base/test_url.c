/* Addresses as text. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/url.h"

static void test_an_address_is_read_by_its_parts(void **state)
{
    (void)state;
    struct url u;
    assert_true(mgi_url_read(STR_LIT("HTTPS://A.example:8443/x/y?q=1#f"), &u));
    assert_true(u.tls && u.port == 8443);
    assert_true(str_is(u.host, "A.example") && str_is(u.path, "/x/y") && str_is(u.tail, "?q=1#f"));
    assert_true(mgi_url_read(STR_LIT("http://[::1]"), &u));
    assert_true(!u.tls && u.port == 80 && str_is(u.host, "[::1]") && u.path.len == 0);
    assert_true(mgi_url_read(STR_LIT("http://a?x"), &u));
    assert_true(u.path.len == 0 && str_is(u.tail, "?x"));
}

static void test_what_is_no_address_is_not_read(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",           "http:",      "http://",     "http:///x",     "ftp://a",     "a.example",
        "http://a b", "http://a\\", "http://a:",   "http://a:0",    "http://:80",  "http://a:65536",
        "http://u@a", "http://[",   "http://[::1", "http://[::1]x", "http://a:1x", "http://a:123456"
    };
    struct url u;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(mgi_url_read(str_of(bad[i]), &u));
    assert_false(mgi_url_read((struct str){ "http://a\0b", 10 }, &u));
}

static void test_secrets_go_where_it_is_encrypted_or_near(void **state)
{
    (void)state;
    static const char *const good[] = { "https://a", "https://a:1/x", "http://127.0.0.1:80/x",
                                        "http://[::1]", "http://localhost/x" };
    static const char *const bad[] = { "",
                                       "https://",
                                       "https:///x",
                                       "http://a",
                                       "http://127.0.0.1.evil/",
                                       "ftp://a",
                                       "file:///x",
                                       "https://a b",
                                       "https://a\"b",
                                       "http://localhost.evil/",
                                       "http://127.0.0.1:80@evil/",
                                       "https://user:password@a/" };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_null(mgi_url_fault(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_non_null(mgi_url_fault(bad[i]));
    assert_true(mgi_url_is_loopback("https://LOCALHOST/x") &&
                mgi_url_is_loopback("http://[::1]:8"));
    assert_false(mgi_url_is_loopback("https://a/127.0.0.1") || mgi_url_is_loopback("localhost") ||
                 mgi_url_is_loopback("http://localhost.a"));
}

static void test_an_address_covers_what_is_below_it(void **state)
{
    (void)state;
    static const char *const under[][2] = { { "https://a", "https://a/x" },
                                            { "https://a/", "https://A:443" },
                                            { "https://a/x", "https://a/x" },
                                            { "https://a/x/", "https://a/x/y?z" },
                                            { "http://a:80/x", "http://a/x?y" } };
    static const char *const beside[][2] = {
        { "https://a/x", "https://a/xy" }, { "https://a/x", "https://a" },
        { "https://a", "http://a" },       { "https://a", "https://b" },
        { "https://a", "https://a:444" },  { "https://a", "https://a.evil" },
        { "nothing", "nothing" },          { "https://a", "https://u@a" }
    };
    for (size_t i = 0; i < sizeof under / sizeof *under; i++)
        assert_true(mgi_url_covers(under[i][0], under[i][1]));
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        assert_false(mgi_url_covers(beside[i][0], beside[i][1]));
    assert_true(str_is(mgi_url_origin("https://a:1/x?y"), "https://a:1"));
}

static void test_what_was_escaped_reads_back(void **state)
{
    (void)state;
    struct buf out = { 0 }, back = { 0 };
    char all[256];
    for (size_t i = 0; i < sizeof all; i++)
        all[i] = (char)i;
    mgi_url_escape(&out, (struct str){ all, sizeof all });
    assert_true(mgi_url_unescape(&back, mgi_buf_view(&out)));
    assert_int_equal(back.len, sizeof all);
    assert_memory_equal(back.ptr, all, sizeof all);
    mgi_buf_clear(&back);
    assert_true(mgi_url_unescape(&back, STR_LIT("a+b%2B%c3")));
    assert_true(str_is(mgi_buf_view(&back), "a b+\xc3"));
    assert_false(mgi_url_unescape(&back, STR_LIT("%")));
    assert_false(mgi_url_unescape(&back, STR_LIT("a%2")));
    assert_false(mgi_url_unescape(&back, STR_LIT("%2g")));
    mgi_buf_fini(&out);
    mgi_buf_wipe(&back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_address_is_read_by_its_parts),
        cmocka_unit_test(test_what_is_no_address_is_not_read),
        cmocka_unit_test(test_secrets_go_where_it_is_encrypted_or_near),
        cmocka_unit_test(test_an_address_covers_what_is_below_it),
        cmocka_unit_test(test_what_was_escaped_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
