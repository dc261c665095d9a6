/* What the head of an HTTP request asks for. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "transport/http_head.h"

static void test_paths_lead_to_routes(void **state)
{
    (void)state;
    assert_int_equal(mgi_http_route(STR_LIT(HTTP_MANIFEST_PATH)), ROUTE_MANIFEST); /* P-HTTP-1 */
    assert_int_equal(mgi_http_route(STR_LIT("/manglecp/evaluate?x=1")), ROUTE_INTENT);
    assert_int_equal(mgi_http_route(STR_LIT("/manglecp/invoke")), ROUTE_INVOKE);
    assert_int_equal(mgi_http_route(STR_LIT("/manglecp/invoke/")), ROUTE_UNKNOWN);
    assert_int_equal(mgi_http_route(STR_LIT("/tools/list")), ROUTE_UNKNOWN); /* P-ENUM-1 */
    assert_int_equal(mgi_http_route(STR_LIT("")), ROUTE_UNKNOWN);
}

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

static void test_an_accept_header_must_leave_room_for_json(void **state)
{
    (void)state; /* P-HTTP-6 */
    assert_true(mgi_http_accepts_json((struct str){ NULL, 0 }));
    assert_true(mgi_http_accepts_json(STR_LIT("*/*")));
    assert_true(mgi_http_accepts_json(STR_LIT("text/html, application/json;q=0.1")));
    assert_true(mgi_http_accepts_json(STR_LIT("application/*")));
    assert_false(mgi_http_accepts_json(STR_LIT("text/html")));
    assert_false(mgi_http_accepts_json(STR_LIT("application/json;q=0, text/html")));
    assert_false(mgi_http_accepts_json(STR_LIT("application/json;q=0.000")));
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
        cmocka_unit_test(test_paths_lead_to_routes),
        cmocka_unit_test(test_only_json_in_utf8_is_taken),
        cmocka_unit_test(test_an_accept_header_must_leave_room_for_json),
        cmocka_unit_test(test_bearer_tokens_are_found),
        cmocka_unit_test(test_only_names_of_this_machine_are_loopback),
        cmocka_unit_test(test_entity_tags_are_found_in_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
