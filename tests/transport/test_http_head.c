/* What the head of an HTTP request asks for. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "transport/http_head.h"

static void test_only_json_in_utf8_is_taken(void **state)
{
    (void)state; /* P-HTTP-5, D-58 */
    assert_null(mgi_http_content_type_fault(STR_LIT("application/json")));
    assert_null(mgi_http_content_type_fault(STR_LIT("Application/JSON; charset=UTF-8")));
    assert_null(mgi_http_content_type_fault(STR_LIT("application/json;charset=\"utf-8\"")));
    assert_null(mgi_http_content_type_fault(STR_LIT("application/manglecp+json")));
    assert_null(mgi_http_content_type_fault(STR_LIT("application/json; x=y")));
    assert_non_null(mgi_http_content_type_fault(STR_LIT("application/json; charset=latin1")));
    assert_non_null(mgi_http_content_type_fault(STR_LIT("text/plain")));
    assert_non_null(mgi_http_content_type_fault(STR_LIT("")));
    assert_non_null(mgi_http_content_type_fault((struct str){ NULL, 0 }));
}

static bool accepts(const char *first, const char *second)
{
    struct http_accept a = { 0 };
    mgi_http_accept_read(&a, str_of(first));
    mgi_http_accept_read(&a, str_of(second));
    return mgi_http_accepts_json(&a);
}

static void test_an_accept_header_must_leave_room_for_json(void **state)
{
    static const struct {
        const char *first, *second; /* lines; NULL: there is none */
        bool wanted;
    } rows[] = {
        { NULL, NULL, true },
        { "", NULL, true },
        { "*/*", NULL, true },
        { "text/html, application/json;q=0.1", NULL, true },
        { "application/*", NULL, true },
        { "application/manglecp+json", NULL, true },
        { "application/json;q=0, application/manglecp+json", NULL, true },
        { "application/json;q=0.001, */*;q=0", NULL, true },
        { "application/*, */*;q=0", NULL, true },
        { "text/html", "application/json", true },
        { "text/html", NULL, false },
        { "application/json;q=0, text/html", NULL, false },
        { "application/json;q=0.000", NULL, false },
        { "application/json;q=0, */*", NULL, false },
        { "*/*, application/json;q=0", NULL, false },
        { "application/*;q=0, */*", NULL, false },
        { "application/json;q=0, application/*", NULL, false },
        { "*/*", "application/json;q=0", false },
        { "", "text/html", false },
    };
    (void)state; /* P-HTTP-6; RFC 9110 12.5.1 */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (accepts(rows[i].first, rows[i].second) != rows[i].wanted)
            fail_msg("row %zu: Accept: %s", i, rows[i].first);
}

static void test_gzip_is_sent_only_to_who_wants_it(void **state)
{
    static const struct {
        const char *value;
        bool wanted;
    } rows[] = {
        { "gzip", true },
        { "x-gzip", true },
        { "GZIP", true },
        { "deflate, gzip;q=0.5", true },
        { "gzip;q=1.000", true },
        { "gzip; q=0.001", true },
        { "*", true },
        { "br, *;q=0.1", true },
        { "gzip, identity", true },
        { "gzip;q=0", false },
        { "gzip;q=0.000", false },
        { "*, gzip;q=0", false },
        { "identity", false },
        { "identity, gzip;q=0.9", false },
        { "deflate", false },
        { "gzipped", false },
        { "gzip;q=2", false },
        { "gzip;q=x", false },
        { "gzip;q=0.5.5", false },
        { "", false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (mgi_http_accepts_gzip(str_of(rows[i].value)) != rows[i].wanted)
            fail_msg("Accept-Encoding: %s", rows[i].value);
    assert_false(mgi_http_accepts_gzip((struct str){ NULL, 0 }));
}

static void test_hosts_fit_by_name_and_by_port_if_one_is_meant(void **state)
{
    (void)state;
    assert_true(mgi_http_host_fits(STR_LIT("a.example"), "a.example"));
    assert_true(mgi_http_host_fits(STR_LIT("A.Example:80"), "a.example"));
    assert_true(mgi_http_host_fits(STR_LIT("a.example:80"), "a.example:80"));
    assert_true(mgi_http_host_fits(STR_LIT("[::2]:80"), "[::2]"));
    assert_false(mgi_http_host_fits(STR_LIT("a.example"), "a.example:80"));
    assert_false(mgi_http_host_fits(STR_LIT("a.example:81"), "a.example:80"));
    assert_false(mgi_http_host_fits(STR_LIT("b.a.example"), "a.example"));
    assert_false(mgi_http_host_fits(STR_LIT("a.example@b"), "a.example"));
    assert_false(mgi_http_host_fits(STR_LIT(""), "a.example"));
    assert_true(mgi_http_is_host("a.example:80"));
    assert_false(mgi_http_is_host("http://a.example"));
    assert_false(mgi_http_is_host(""));
}

static void test_origins_are_schemes_and_hosts(void **state)
{
    static const char *const good[] = { "https://a.example", "http://localhost:3000",
                                        "http://[::1]:80", "chrome-extension://abcdef" };
    static const char *const wrong[] = {
        "*",        "null",        "a.example", "https://a.example/",
        "://a",     "https:",      "",          "https://a.example\r\nX: y",
        "https://", "https://u@a", "HTTPS://a", "https://A"
    };
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_null(mgi_http_origin_fault(good[i]));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_non_null(mgi_http_origin_fault(wrong[i]));
    assert_true(mgi_http_origin_is_host(STR_LIT("http://localhost:80"), STR_LIT("localhost:80")));
    assert_true(mgi_http_origin_is_host(STR_LIT("https://a.example"), STR_LIT("A.example")));
    assert_false(mgi_http_origin_is_host(STR_LIT("http://localhost:81"), STR_LIT("localhost:80")));
    assert_false(mgi_http_origin_is_host(STR_LIT("null"), STR_LIT("null")));
    assert_false(mgi_http_origin_is_host(STR_LIT("http://"), STR_LIT("")));
}

static void test_bearer_tokens_are_found(void **state)
{
    struct str token;
    (void)state; /* P-AUTH-3 */
    assert_int_equal(mgi_http_bearer((struct str){ NULL, 0 }, &token), CREDENTIAL_NONE);
    assert_int_equal(mgi_http_bearer(STR_LIT("Bearer abc"), &token), CREDENTIAL_BEARER);
    assert_true(str_is(token, "abc"));
    assert_int_equal(mgi_http_bearer(STR_LIT("bearer   abc "), &token), CREDENTIAL_BEARER);
    assert_true(str_is(token, "abc"));
    assert_int_equal(mgi_http_bearer(STR_LIT("Basic dXNlcg=="), &token), CREDENTIAL_OTHER);
    assert_int_equal(mgi_http_bearer(STR_LIT("Bearer "), &token), CREDENTIAL_OTHER);
    assert_int_equal(mgi_http_bearer(STR_LIT("Bear"), &token), CREDENTIAL_OTHER);
}

static void test_only_names_of_this_machine_are_loopback(void **state)
{
    (void)state;
    assert_true(mgi_http_host_is_loopback(STR_LIT("localhost:8080")));
    assert_true(mgi_http_host_is_loopback(STR_LIT("127.0.0.1")));
    assert_true(mgi_http_host_is_loopback(STR_LIT("[::1]:80")));
    assert_false(mgi_http_host_is_loopback(STR_LIT("127.0.0.1.evil.example")));
    assert_false(mgi_http_host_is_loopback(STR_LIT("127.evil")));
    assert_false(mgi_http_host_is_loopback(STR_LIT("example.com")));
    assert_false(mgi_http_host_is_loopback(STR_LIT("[::1")));
    assert_false(mgi_http_host_is_loopback((struct str){ NULL, 0 }));
}

static void test_entity_tags_are_found_in_lists(void **state)
{
    const struct str tag = STR_LIT("\"abc\"");
    (void)state; /* P-HTTP-22 */
    assert_true(mgi_http_etag_matches(STR_LIT("\"abc\""), tag));
    assert_true(mgi_http_etag_matches(STR_LIT("\"x\", W/\"abc\""), tag));
    assert_true(mgi_http_etag_matches(STR_LIT("*"), tag));
    assert_false(mgi_http_etag_matches(STR_LIT("\"abcd\""), tag));
    assert_false(mgi_http_etag_matches((struct str){ NULL, 0 }, tag));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_json_in_utf8_is_taken),
        cmocka_unit_test(test_an_accept_header_must_leave_room_for_json),
        cmocka_unit_test(test_gzip_is_sent_only_to_who_wants_it),
        cmocka_unit_test(test_hosts_fit_by_name_and_by_port_if_one_is_meant),
        cmocka_unit_test(test_origins_are_schemes_and_hosts),
        cmocka_unit_test(test_bearer_tokens_are_found),
        cmocka_unit_test(test_only_names_of_this_machine_are_loopback),
        cmocka_unit_test(test_entity_tags_are_found_in_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
