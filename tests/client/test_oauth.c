/* What a client makes of the texts of a login, and what it writes itself. Who is refused, end to
 * end, is in tests/server/login_refusals.py. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "client/credentials.h"
#include "client/oauth_texts.h"

static struct arena arena;
static struct buf text;

static int begin(void **state)
{
    (void)state;
    mgi_arena_init(&arena, 0);
    return 0;
}

static int end(void **state)
{
    (void)state;
    mgi_arena_fini(&arena);
    mgi_buf_fini(&text);
    return 0;
}

/* ---- WWW-Authenticate -------------------------------------------------------------------------
 */

static bool challenge(const char *header, struct oauth_challenge *out)
{
    mgi_buf_clear(&text);
    return mgi_oauth_challenge_read(&arena, str_of(header), out, &text);
}

static void test_the_first_bearer_challenge_of_a_list_counts(void **state)
{
    (void)state;
    struct oauth_challenge c;
    assert_true(challenge(GOOD_CHALLENGE, &c));
    assert_true(c.bearer);
    assert_string_equal(c.metadata, "https://t.example/m");
    assert_string_equal(c.scope, "a b");
    assert_true(challenge("Bearer", &c) && c.bearer && !c.metadata);
    assert_true(challenge("", &c) && !c.bearer);
    assert_true(challenge(" , Bearer,Basic scope=x,", &c) && c.bearer && !c.scope);
    assert_true(challenge("Bearer error=invalid_token,scope=\"a\\\"\\\\b\"", &c));
    assert_string_equal(c.scope, "a\"\\b");
}

static void test_a_challenge_that_is_cut_or_broken_is_not_read(void **state)
{
    (void)state;
    static const char *const bad[] = { "Bearer x=y, a=",
                                       "Bearer a=\"",
                                       "Bearer a=\"b\\",
                                       "Bearer scope=\"a\", scope=b",
                                       "=x",
                                       "Bearer \x01",
                                       "Bearer a=b c",
                                       "Bearer a=\"b\"c=d",
                                       "Bearer(",
                                       "Bearer a (b" };
    struct oauth_challenge c;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (challenge(bad[i], &c))
            fail_msg("taken: %s", bad[i]);
        assert_true(text.len > 0);
    }
    const char *whole = GOOD_CHALLENGE;
    for (size_t n = 0; n < strlen(whole); n++) { /* cut anywhere */
        mgi_buf_clear(&text);
        (void)mgi_oauth_challenge_read(&arena, (struct str){ whole, n }, &c, &text);
    }
}

/* ---- metadata ---------------------------------------------------------------------------------
 */

static void test_metadata_is_read_as_it_is_meant(void **state)
{
    (void)state;
    struct oauth_resource r;
    struct oauth_issuer i;
    assert_true(mgi_oauth_resource_read(&arena, STR_LIT(GOOD_RESOURCE), "https://t.example/x/y", &r,
                                        &text));
    assert_string_equal(r.issuer, "https://i.example/a");
    assert_false(
        mgi_oauth_resource_read(&arena, STR_LIT(GOOD_RESOURCE), "https://t.example/xy", &r, &text));
    assert_true(
        mgi_oauth_issuer_read(&arena, STR_LIT(GOOD_ISSUER), "https://i.example/a", &i, &text));
    assert_string_equal(i.token, "https://i.example/token");
    assert_true(i.names_itself && !i.registration);
}

static void put_places(const char *issuer)
{
    struct buf one = { 0 };
    mgi_buf_clear(&text);
    for (unsigned n = 0; n < OAUTH_WELL_KNOWN + 1; n++) {
        mgi_buf_clear(&one);
        if (mgi_oauth_put_well_known(&one, issuer, n))
            mgi_buf_printf(&text, "%s\n", one.ptr);
    }
    mgi_buf_fini(&one);
}

static void test_the_places_of_metadata_are_those_of_the_standards(void **state)
{
    (void)state;
    put_places("https://i.example/a/b/");
    assert_string_equal(text.ptr, "https://i.example/.well-known/oauth-authorization-server/a/b\n"
                                  "https://i.example/.well-known/openid-configuration/a/b\n"
                                  "https://i.example/a/b/.well-known/openid-configuration\n");
    put_places("https://i.example:1/");
    assert_string_equal(text.ptr, "https://i.example:1/.well-known/oauth-authorization-server\n"
                                  "https://i.example:1/.well-known/openid-configuration\n");
}

static void test_a_registration_says_that_there_is_no_secret(void **state)
{
    (void)state;
    mgi_buf_clear(&text);
    mgi_oauth_put_registration(&text, "http://127.0.0.1:7/callback", "a b");
    assert_string_equal(text.ptr,
                        "{\"client_name\":\"manglecp\",\"application_type\":\"native\","
                        "\"redirect_uris\":[\"http://127.0.0.1:7/callback\"],\"grant_types\":["
                        "\"authorization_code\",\"refresh_token\"],\"response_types\":[\"code\"],"
                        "\"token_endpoint_auth_method\":\"none\",\"scope\":\"a b\"}");
    assert_string_equal(
        mgi_oauth_registration_read(&arena, 201, STR_LIT("{\"client_id\":\"c\"}"), &text), "c");
}

/* ---- the browser ------------------------------------------------------------------------------
 */

static void test_a_browser_is_sent_with_the_challenge_of_the_verifier(void **state)
{
    (void)state;
    mgi_buf_clear(&text);
    mgi_oauth_put_authorization(&text, &good_attempt);
    assert_string_equal(text.ptr,
                        "https://i.example/auth?x=1&response_type=code&client_id=me%20%26%20you&"
                        "redirect_uri=http%3A%2F%2F127.0.0.1%3A7%2Fcallback&scope=a%20b&"
                        "state=sssssssssssssssssssssssssssssssssssssssssss&"
                        "resource=https%3A%2F%2Ft.example%2Fx&"
                        "code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&" /* RFC 7636 */
                        "code_challenge_method=S256");
}

static enum oauth_redirect redirect(const char *target, const char **code)
{
    mgi_buf_clear(&text);
    return mgi_oauth_redirect_read(&arena, &good_attempt, str_of(target), code, &text);
}

static void test_a_redirect_is_judged_by_who_knows_the_state(void **state)
{
    (void)state;
    static const char good[] = GOOD_REDIRECT;
    static const struct {
        const char *target;
        enum oauth_redirect what;
    } rows[] = {
        { "/", OAUTH_ELSEWHERE },
        { "", OAUTH_ELSEWHERE },
        { "/callbac", OAUTH_ELSEWHERE },
        { "/callback/?state=x", OAUTH_ELSEWHERE },
        { "http://127.0.0.1:7/callback", OAUTH_ELSEWHERE },
        { "/callback", OAUTH_STRANGER },
        { "/callback?", OAUTH_STRANGER },
        { "/callback?state=", OAUTH_STRANGER },
        { "/callback?error=x&code=y&iss=z", OAUTH_STRANGER },
        { GOOD_REDIRECT "s", OAUTH_STRANGER },
        { GOOD_REDIRECT "%00", OAUTH_STRANGER },
        { GOOD_REDIRECT "&state=", OAUTH_STRANGER },
        { GOOD_REDIRECT "&code=x", OAUTH_REFUSED },
        { GOOD_REDIRECT "&iss=https://i.example/a", OAUTH_REFUSED },
        { GOOD_REDIRECT "&error=access_denied", OAUTH_REFUSED },
        { GOOD_REDIRECT "&error_description=%zz", OAUTH_REFUSED },
        { GOOD_REDIRECT "&other=%zz&&=&x", OAUTH_CODE },
    };
    const char *code;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        enum oauth_redirect what = redirect(rows[i].target, &code);
        if (what != rows[i].what)
            fail_msg("%s: %d instead of %d", rows[i].target, (int)what, (int)rows[i].what);
        assert_true((what == OAUTH_REFUSED) == (text.len > 0) && (what == OAUTH_CODE) == !!code);
    }
    assert_int_equal(redirect(good, &code), OAUTH_CODE);
    assert_string_equal(code, "c+1");
    for (size_t n = 0; n < sizeof good - 1; n++) { /* cut anywhere, it is of no use */
        mgi_buf_clear(&text);
        assert_int_not_equal(
            mgi_oauth_redirect_read(&arena, &good_attempt, (struct str){ good, n }, &code, &text),
            OAUTH_CODE);
    }
}

/* ---- tokens -----------------------------------------------------------------------------------
 */

static void test_forms_say_all_that_binds_a_token(void **state)
{
    (void)state;
    mgi_buf_clear(&text);
    mgi_oauth_put_exchange(&text, &good_attempt, "c+1");
    assert_string_equal(text.ptr, "grant_type=authorization_code&code=c%2B1&"
                                  "code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk&"
                                  "redirect_uri=http%3A%2F%2F127.0.0.1%3A7%2Fcallback&"
                                  "client_id=me%20%26%20you&resource=https%3A%2F%2Ft.example%2Fx");
    mgi_buf_clear(&text);
    mgi_oauth_put_refresh(&text, "me", "https://t.example/x", "r/t");
    assert_string_equal(text.ptr, "grant_type=refresh_token&refresh_token=r%2Ft&client_id=me&"
                                  "resource=https%3A%2F%2Ft.example%2Fx");
}

static void test_a_token_is_read_with_its_time(void **state)
{
    (void)state;
    struct oauth_token t;
    assert_true(mgi_oauth_token_read(&arena, 200, STR_LIT(GOOD_TOKEN), &t, &text));
    assert_string_equal(t.access, "at");
    assert_string_equal(t.refresh, "rt");
    assert_int_equal(t.lasts_s, 60);
    static const char *const odd[] = { "-1", "1.5", "\"60\"", "1e99", "null" };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        const char *said = mgi_arena_printf(&arena,
                                            "{\"access_token\":\"a\",\"token_type\":\"Bearer\","
                                            "\"expires_in\":%s}",
                                            odd[i]);
        assert_true(mgi_oauth_token_read(&arena, 200, str_of(said), &t, &text));
        assert_int_equal(t.lasts_s, -1);
    }
    const char *huge = "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"expires_in\":"
                       "9223372036854775807}";
    assert_true(mgi_oauth_token_read(&arena, 200, str_of(huge), &t, &text));
    assert_true(t.lasts_s > 0 && t.lasts_s < INT64_C(1) << 32);
}

static void test_only_some_answers_end_a_login(void **state)
{
    (void)state;
    assert_true(mgi_oauth_grant_is_over(400, STR_LIT("{\"error\":\"invalid_grant\"}")));
    assert_true(mgi_oauth_grant_is_over(401, STR_LIT("{\"error\":\"invalid_client\"}")));
    assert_false(mgi_oauth_grant_is_over(400, STR_LIT("{\"error\":\"slow_down\"}")));
    assert_false(mgi_oauth_grant_is_over(500, STR_LIT("{\"error\":\"invalid_grant\"}")));
    assert_false(mgi_oauth_grant_is_over(400, STR_LIT("{")));
}

/* ---- what is stored ---------------------------------------------------------------------------
 */

static struct credential entry(const char *target, const char *resource, const char *issuer)
{
    return (struct credential){ target, resource, issuer, "https://i/t", "c", "a", NULL, 0 };
}

static void test_the_login_for_an_address_is_the_nearest(void **state)
{
    (void)state;
    struct credentials *all = calloc(1, sizeof *all);
    const struct credential wide = entry("https://a/m", "https://a", "https://i"),
                            narrow = entry("https://a/x/m", "https://a/x", "https://i"),
                            other = entry("https://a/x/m", "https://a/x", "https://j");
    mgi_credentials_put(all, &narrow);
    mgi_credentials_put(all, &wide);
    assert_string_equal(mgi_credentials_find(all, "https://a/x/y")->resource, "https://a/x");
    assert_string_equal(mgi_credentials_find(all, "https://a/y")->resource, "https://a");
    assert_null(mgi_credentials_find(all, "https://b/x"));
    assert_null(mgi_credentials_find(all, "http://a/x"));
    mgi_credentials_put(all, &other); /* the same target: the newer login counts */
    assert_int_equal(all->count, 2);
    assert_string_equal(mgi_credentials_find(all, "https://a/x")->issuer, "https://j");
    mgi_credentials_drop(all, "https://a/x", "https://i");
    assert_int_equal(all->count, 2);
    mgi_credentials_put(all, &narrow);
    mgi_credentials_drop(all, "https://a/x", "https://i"); /* the wider one stays */
    assert_string_equal(mgi_credentials_find(all, "https://a/x")->resource, "https://a");
    mgi_credentials_put(all, &other);
    assert_int_equal(mgi_credentials_remove(all, "https://a/x/m"), 2);
    assert_int_equal(mgi_credentials_remove(all, "https://a/x/m"), 0);
    free(all);
}

static void test_a_full_file_loses_the_oldest(void **state)
{
    (void)state;
    struct credentials *all = calloc(1, sizeof *all), *back = calloc(1, sizeof *back);
    for (int i = 0; i < CREDENTIALS_MOST + 3; i++) {
        const char *target = mgi_arena_printf(&arena, "https://h%d", i);
        const struct credential e = entry(target, target, "https://i");
        mgi_credentials_put(all, &e);
    }
    assert_int_equal(all->count, CREDENTIALS_MOST);
    assert_null(mgi_credentials_find(all, "https://h2"));
    assert_non_null(mgi_credentials_find(all, "https://h3"));
    mgi_buf_clear(&text);
    mgi_credentials_write(&text, all);
    struct buf why = { 0 };
    assert_true(mgi_credentials_read(&arena, mgi_buf_view(&text), back, &why));
    assert_int_equal(back->count, CREDENTIALS_MOST);
    assert_string_equal(back->items[0].target, all->items[0].target);
    free(all);
    free(back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_bearer_challenge_of_a_list_counts),
        cmocka_unit_test(test_a_challenge_that_is_cut_or_broken_is_not_read),
        cmocka_unit_test(test_metadata_is_read_as_it_is_meant),
        cmocka_unit_test(test_the_places_of_metadata_are_those_of_the_standards),
        cmocka_unit_test(test_a_registration_says_that_there_is_no_secret),
        cmocka_unit_test(test_a_browser_is_sent_with_the_challenge_of_the_verifier),
        cmocka_unit_test(test_a_redirect_is_judged_by_who_knows_the_state),
        cmocka_unit_test(test_forms_say_all_that_binds_a_token),
        cmocka_unit_test(test_a_token_is_read_with_its_time),
        cmocka_unit_test(test_only_some_answers_end_a_login),
        cmocka_unit_test(test_the_login_for_an_address_is_the_nearest),
        cmocka_unit_test(test_a_full_file_loses_the_oldest),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
