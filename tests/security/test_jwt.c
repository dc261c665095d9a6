/* Tokens of another issuer: which are good, and every way in which one is not. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "base/time.h"
#include "security/jwt.h"
#include "support/jwt_maker.h"
#include "sys/digest.h"

#define NOW      (INT64_C(1000000) * NS_PER_SEC)
#define ISSUER   "https://issuer.example"
#define HERE     "https://tools.example/manglecp"
#define AUDIENCE "\"aud\":\"" HERE "\""
#define GOOD     "\"iss\":\"" ISSUER "\",\"aud\":\"" HERE "\",\"sub\":\"ann\",\"exp\":1000100"

static struct jwt_maker makers[3];
static struct jwks *keys;
static const struct jwt_rules rules = { .issuer = ISSUER,
                                        .audience = HERE,
                                        .skew_ns = 30 * NS_PER_SEC };

static struct jwks *keys_of(const char *text)
{
    const char *why;
    struct jwks *made = mgi_jwks_new(str_of(text), &why);
    if (!made)
        fail_msg("%s", why);
    return made;
}

static int make_issuer(void **state)
{
    (void)state;
    static const char *const ids[] = { "rsa", "p256", "ed" };
    struct buf set = { 0 };
    mgi_buf_puts(&set, "{\"keys\":[{\"kty\":\"oct\",\"k\":\"AAAA\",\"kid\":\"oct\"},");
    for (int i = 0; i < 3; i++) {
        makers[i] = jwt_maker_new((enum maker_kind)i);
        jwt_put_jwk(&set, &makers[i], ids[i]);
        mgi_buf_putc(&set, i < 2 ? ',' : ']');
    }
    mgi_buf_putc(&set, '}');
    keys = keys_of(set.ptr);
    mgi_buf_fini(&set);
    return mgi_jwks_count(keys) == 3 ? 0 : -1;
}

static int end_issuer(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        jwt_maker_free(&makers[i]);
    mgi_jwks_unref(keys);
    return 0;
}

/* The principal of a token so made (the caller's), or NULL; *verdict says what came of it. */
static struct principal *judge_made(int maker, const char *header, const char *claims,
                                    const struct jwt_rules *r, enum jwt_verdict *verdict)
{
    struct buf token = { 0 };
    struct principal *who;
    jwt_put_token(&token, &makers[maker], header, claims);
    *verdict = mgi_jwt_judge(r, keys, mgi_buf_view(&token), NOW, &who);
    mgi_buf_fini(&token);
    return who;
}

static enum jwt_verdict verdict_of(int maker, const char *header, const char *claims)
{
    enum jwt_verdict verdict;
    struct principal *who = judge_made(maker, header, claims, &rules, &verdict);
    assert_true((who != NULL) == (verdict == JWT_GOOD));
    mgi_principal_unref(who);
    return verdict;
}

#define CLAIMS(more)  "{" GOOD more "}"
#define HEADER(more)  "{\"alg\":\"ES256\",\"kid\":\"p256\"" more "}"
#define ES256(claims) verdict_of(MAKER_P256, HEADER(""), claims)

static void test_each_algorithm_identifies(void **state)
{
    (void)state;
    static const char *const headers[] = {
        "{\"alg\":\"RS256\",\"kid\":\"rsa\",\"typ\":\"JWT\"}",
        "{\"alg\":\"ES256\",\"kid\":\"p256\",\"typ\":\"at+jwt\"}",
        "{\"alg\":\"EdDSA\",\"typ\":\"Application/AT+JWT\"}"
    };
    for (int i = 0; i < 3; i++) {
        enum jwt_verdict verdict;
        struct principal *who =
            judge_made(i, headers[i], CLAIMS(",\"scope\":\"intent:* operator\""), &rules, &verdict);
        assert_int_equal(verdict, JWT_GOOD);
        assert_int_equal(who->kind, PRINCIPAL_KNOWN);
        assert_true(str_is(who->identity, ISSUER "#ann"));
        assert_true(str_is(who->issuer, ISSUER));
        assert_int_equal(who->permission_count, 2);
        assert_true(str_is(who->permissions[0], "intent:*"));
        assert_true(str_is(who->permissions[1], "operator"));
        assert_false(who->automated);
        assert_true(who->expires_ns == NOW + 130 * NS_PER_SEC);
        mgi_principal_unref(who);
    }
}

/* RFC 8725: what a header may not do. */
static void test_a_header_chooses_no_algorithm_and_brings_no_key(void **state)
{
    (void)state;
    static const char *const refused[] = {
        "{\"alg\":\"none\",\"kid\":\"p256\"}",
        "{\"alg\":\"None\",\"kid\":\"p256\"}",
        "{\"alg\":\"HS256\",\"kid\":\"p256\"}",
        "{\"alg\":\"HS256\",\"kid\":\"oct\"}",
        "{\"alg\":\"ES384\",\"kid\":\"p256\"}",
        "{\"alg\":\"PS256\",\"kid\":\"rsa\"}",
        "{\"alg\":\"RS256\",\"kid\":\"p256\"}",
        "{\"alg\":\"ES256\",\"kid\":\"rsa\"}",
        "{\"alg\":\"ES256\",\"kid\":\"ed\"}",
        HEADER(",\"crit\":[\"exp\"]"),
        HEADER(",\"jku\":\"https://evil.example/keys\""),
        HEADER(",\"x5u\":\"https://evil.example/keys\""),
        HEADER(",\"jwk\":{\"kty\":\"EC\"}"),
        HEADER(",\"x5c\":[\"AAAA\"]"),
        HEADER(",\"b64\":false"),
        HEADER(",\"typ\":\"id+jwt\""),
        HEADER(",\"typ\":7"),
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (verdict_of(MAKER_P256, refused[i], CLAIMS("")) != JWT_REFUSED)
            fail_msg("%s", refused[i]);
    assert_int_equal(verdict_of(MAKER_P256, "{\"kid\":\"p256\"}", CLAIMS("")), JWT_MALFORMED);
    assert_int_equal(verdict_of(MAKER_P256, "{\"alg\":\"ES256\",\"kid\":7}", CLAIMS("")),
                     JWT_MALFORMED);
}

/* The public key of RS256 as the secret of HS256. */
static void test_a_public_key_is_no_secret(void **state)
{
    (void)state;
    struct buf text = { 0 }, modulus = { 0 };
    uint8_t mac[SHA256_BYTES];
    struct principal *who;
    jwt_put_jwk(&modulus, &makers[MAKER_RSA], "rsa");
    static const char header[] = "{\"alg\":\"HS256\",\"kid\":\"rsa\"}", claims[] = CLAIMS("");
    jwt_put_base64(&text, header, sizeof header - 1);
    mgi_buf_putc(&text, '.');
    jwt_put_base64(&text, claims, sizeof claims - 1);
    assert_true(mgi_hmac_sha256(mgi_buf_view(&modulus), text.ptr, text.len, mac));
    mgi_buf_putc(&text, '.');
    jwt_put_base64(&text, mac, sizeof mac);
    assert_int_equal(mgi_jwt_judge(&rules, keys, mgi_buf_view(&text), NOW, &who), JWT_REFUSED);
    mgi_buf_fini(&text);
    mgi_buf_fini(&modulus);
}

static void test_a_signature_is_of_this_token_and_this_key(void **state)
{
    (void)state;
    struct jwt_maker good = makers[MAKER_P256], other = jwt_maker_new(MAKER_P256);
    makers[MAKER_P256] = other;
    assert_int_equal(ES256(CLAIMS("")), JWT_FORGED);
    assert_int_equal(verdict_of(MAKER_P256, "{\"alg\":\"ES256\"}", CLAIMS("")), JWT_NO_KEY);
    assert_int_equal(verdict_of(MAKER_P256, "{\"alg\":\"ES256\",\"kid\":\"newer\"}", CLAIMS("")),
                     JWT_NO_KEY);
    makers[MAKER_P256] = good;
    jwt_maker_free(&other);
}

/* Each character of a token changed, and a token cut at each: none is good. */
static void test_a_changed_token_is_never_good(void **state)
{
    (void)state;
    struct buf token = { 0 };
    struct principal *who;
    jwt_put_token(&token, &makers[MAKER_P256], HEADER(""), CLAIMS(""));
    for (size_t i = 0; i < token.len; i++) {
        char was = token.ptr[i];
        token.ptr[i] = was == 'A' ? 'B' : 'A';
        assert_int_not_equal(mgi_jwt_judge(&rules, keys, mgi_buf_view(&token), NOW, &who),
                             JWT_GOOD);
        assert_null(who);
        token.ptr[i] = was;
        assert_int_not_equal(mgi_jwt_judge(&rules, keys, (struct str){ token.ptr, i }, NOW, &who),
                             JWT_GOOD);
    }
    assert_int_equal(mgi_jwt_judge(&rules, NULL, mgi_buf_view(&token), NOW, &who), JWT_NO_KEY);
    assert_int_equal(mgi_jwt_judge(&rules, keys, mgi_buf_view(&token), NOW, &who), JWT_GOOD);
    mgi_principal_unref(who);
    mgi_buf_putc(&token, '.');
    assert_int_equal(mgi_jwt_judge(&rules, keys, mgi_buf_view(&token), NOW, &who), JWT_MALFORMED);
    mgi_buf_fini(&token);
}

static void test_issuer_and_audience_are_exactly_these(void **state)
{
    (void)state;
#define PARTIES(iss, aud) "{\"iss\":" iss ",\"aud\":" aud ",\"sub\":\"ann\",\"exp\":1000100}"
    assert_int_equal(ES256(PARTIES("\"" ISSUER "\"", "[\"x\",\"" HERE "\"]")), JWT_GOOD);
    assert_int_equal(ES256(PARTIES("\"" ISSUER "/\"", "\"" HERE "\"")), JWT_FOREIGN);
    assert_int_equal(ES256(PARTIES("[\"" ISSUER "\"]", "\"" HERE "\"")), JWT_FOREIGN);
    assert_int_equal(ES256(PARTIES("\"" ISSUER "\"", "\"" HERE "/\"")), JWT_FOREIGN);
    assert_int_equal(ES256(PARTIES("\"" ISSUER "\"", "[]")), JWT_FOREIGN);
    assert_int_equal(ES256("{\"iss\":\"" ISSUER "\",\"sub\":\"ann\",\"exp\":1000100}"),
                     JWT_FOREIGN);
    assert_int_equal(ES256("{\"aud\":\"" HERE "\",\"sub\":\"ann\",\"exp\":1000100}"), JWT_FOREIGN);
}

static void test_a_token_lives_from_nbf_to_exp_with_the_skew(void **state)
{
    (void)state;
#define FROM "{\"iss\":\"" ISSUER "\",\"aud\":\"" HERE "\",\"sub\":\"ann\""
    assert_int_equal(ES256(FROM ",\"exp\":999971}"), JWT_GOOD);
    assert_int_equal(ES256(FROM ",\"exp\":999970}"), JWT_EXPIRED);
    assert_int_equal(ES256(FROM ",\"exp\":999971.9}"), JWT_GOOD);
    assert_int_equal(ES256(FROM "}"), JWT_MALFORMED);
    assert_int_equal(ES256(FROM ",\"exp\":\"1000100\"}"), JWT_MALFORMED);
    assert_int_equal(ES256(FROM ",\"exp\":-1}"), JWT_MALFORMED);
    assert_int_equal(ES256(FROM ",\"exp\":1e300}"), JWT_GOOD);
    assert_int_equal(ES256(FROM ",\"exp\":9223372036854775807}"), JWT_GOOD);
    assert_int_equal(ES256(CLAIMS(",\"nbf\":1000030")), JWT_GOOD);
    assert_int_equal(ES256(CLAIMS(",\"nbf\":1000031")), JWT_EARLY);
    assert_int_equal(ES256(CLAIMS(",\"nbf\":null")), JWT_MALFORMED);
}

/* RFC 9449, 8705: what its issuer bound to a key or a certificate is no bearer token. */
static void test_a_token_that_is_bound_to_a_key_is_refused(void **state)
{
    (void)state;
    assert_int_equal(ES256(CLAIMS(",\"cnf\":{\"jkt\":\"x\"}")), JWT_BOUND);
    assert_int_equal(ES256(CLAIMS(",\"cnf\":{\"x5t#S256\":\"x\"}")), JWT_BOUND);
    assert_int_equal(ES256(CLAIMS(",\"cnf\":{}")), JWT_BOUND);
    assert_int_equal(ES256(CLAIMS(",\"cnf\":null")), JWT_GOOD);
}

static void test_a_token_says_who_it_stands_for(void **state)
{
    (void)state;
#define NAMED(sub) "{\"iss\":\"" ISSUER "\",\"aud\":\"" HERE "\",\"exp\":1000100,\"sub\":" sub "}"
    assert_int_equal(ES256(NAMED("\"\"")), JWT_NAMELESS);
    assert_int_equal(ES256(NAMED("7")), JWT_NAMELESS);
    assert_int_equal(ES256(NAMED("\"a\\u0001local\"")), JWT_NAMELESS);
    assert_int_equal(ES256(NAMED("\"\\u001f\"")), JWT_NAMELESS);
}

/* An issuer calls anybody what it likes: whom this server knows by other means is somebody else. */
static void test_an_issued_name_is_no_local_one(void **state)
{
    (void)state;
    const struct principal fields = { .kind = PRINCIPAL_KNOWN,
                                      .identity = STR_LIT("ann"),
                                      .expires_ns = INT64_MAX };
    struct principal *local = mgi_principal_new(&fields);
    enum jwt_verdict verdict;
    struct principal *issued = judge_made(MAKER_P256, HEADER(""), CLAIMS(""), &rules, &verdict);
    assert_int_equal(verdict, JWT_GOOD);
    assert_false(str_eq(issued->identity, local->identity));
    assert_false(mgi_principal_is_caller(issued, local));
    mgi_principal_unref(issued);
    mgi_principal_unref(local);
}

static void test_claims_are_read_as_configured(void **state)
{
    (void)state;
    const struct jwt_rules own = { .issuer = ISSUER,
                                   .audience = HERE,
                                   .identity = "email",
                                   .identity_prefix = "corp:",
                                   .permissions = "roles",
                                   .prefix = "mcp:",
                                   .trust = "trust" };
    enum jwt_verdict verdict;
    struct principal *who =
        judge_made(MAKER_P256, HEADER(""),
                   CLAIMS(",\"email\":\"a@b\",\"scope\":\"operator\",\"trust\":\"automated\","
                          "\"roles\":[\"mcp:intent:*\",\"operator\",7,\"mcp:\",\"mcp:a\\u0000b\"]"),
                   &own, &verdict);
    assert_int_equal(verdict, JWT_GOOD);
    assert_true(str_is(who->identity, "corp:a@b"));
    assert_int_equal(who->permission_count, 1);
    assert_true(str_is(who->permissions[0], "intent:*"));
    assert_true(who->automated);
    mgi_principal_unref(who);
    who = judge_made(MAKER_P256, HEADER(""), CLAIMS(",\"email\":\"a@b\",\"roles\":{\"mcp:x\":1}"),
                     &own, &verdict);
    assert_int_equal(verdict, JWT_GOOD);
    assert_int_equal(who->permission_count, 0);
    mgi_principal_unref(who);
}

/* The same client of the same person, with a new token, is no second person (who could approve). */
static void test_a_refreshed_token_is_the_same_credential(void **state)
{
    (void)state;
    enum jwt_verdict verdict;
    struct principal *one = judge_made(MAKER_P256, HEADER(""), CLAIMS(",\"client_id\":\"c\""),
                                       &rules, &verdict),
                     *again =
                         judge_made(MAKER_P256, HEADER(""),
                                    CLAIMS(",\"client_id\":\"c\",\"jti\":\"2\""), &rules, &verdict),
                     *other = judge_made(MAKER_P256, HEADER(""), CLAIMS(",\"client_id\":\"d\""),
                                         &rules, &verdict);
    assert_true(str_eq(one->credential, again->credential));
    assert_false(str_eq(one->credential, other->credential));
    mgi_principal_unref(one);
    mgi_principal_unref(again);
    mgi_principal_unref(other);
}

static void test_a_token_that_is_too_large_is_not_read(void **state)
{
    (void)state;
    struct buf token = { 0 };
    struct principal *who;
    mgi_buf_puts(&token, "e30.");
    while (token.len < JWT_MAX_BYTES)
        mgi_buf_putc(&token, 'A');
    mgi_buf_puts(&token, ".AA");
    assert_false(mgi_jwt_looks_like_one(mgi_buf_view(&token)));
    assert_int_equal(mgi_jwt_judge(&rules, keys, mgi_buf_view(&token), NOW, &who), JWT_MALFORMED);
    mgi_buf_fini(&token);
    assert_false(mgi_jwt_looks_like_one(STR_LIT("swordfish")));
    assert_false(mgi_jwt_looks_like_one(STR_LIT("a.b.")));
    assert_false(mgi_jwt_looks_like_one(STR_LIT("")));
    assert_true(mgi_jwt_looks_like_one(STR_LIT("a.b.c")));
}

static void refuses_set(const char *text, const char *expected)
{
    const char *why;
    assert_null(mgi_jwks_new(str_of(text), &why));
    assert_string_equal(why, expected);
}

static void test_sets_without_a_key_for_us_are_refused(void **state)
{
    (void)state;
    static const char none[] = "no key in it is for RS256, ES256 or EdDSA";
    refuses_set("", "it is no JSON object with an array \"keys\"");
    refuses_set("{\"keys\":{}}", "it is no JSON object with an array \"keys\"");
    refuses_set("{\"keys\":[]}", none);
    refuses_set("{\"keys\":[7,{\"kty\":\"RSA\"},{\"kty\":\"oct\",\"k\":\"AA\"}]}", none);
    refuses_set("{\"keys\":[{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\"}]}", none); /* 24 bits */
    refuses_set("{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AA\",\"y\":\"AA\"}]}", none);
    refuses_set("{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\","
                "\"x\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\","
                "\"y\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}]}",
                none); /* not on the curve */
    refuses_set("{\"keys\":[{\"kty\":\"OKP\",\"d\":\"AA\"}]}",
                "there is a private key in it: publish the public ones alone");
    struct buf set = { 0 };
    mgi_buf_puts(&set, "{\"keys\":[");
    jwt_put_jwk(&set, &makers[MAKER_ED25519], "e");
    set.len--; /* the brace */
    mgi_buf_puts(&set, ",\"key_ops\":[\"sign\"]}]}");
    refuses_set(set.ptr, none);
    mgi_buf_clear(&set);
    while (set.len <= JWKS_MAX_BYTES)
        mgi_buf_putc(&set, ' ');
    refuses_set(set.ptr, "it is larger than 64 KiB");
    mgi_buf_fini(&set);
}

static enum jwt_verdict introspected(const char *answer, const char *identity)
{
    struct principal *who;
    enum jwt_verdict verdict = mgi_introspection_judge(&rules, str_of(answer), NOW, &who);
    if (who)
        assert_true(str_is(who->identity, identity));
    mgi_principal_unref(who);
    return verdict;
}

static void test_an_issuer_says_what_an_opaque_token_is(void **state)
{
    (void)state;
    assert_int_equal(introspected("{\"active\":true,\"sub\":\"ann\",\"scope\":\"a b\"," AUDIENCE
                                  "}",
                                  ISSUER "#ann"),
                     JWT_GOOD);
    assert_int_equal(introspected("{\"active\":true,\"sub\":\"ann\"}", ""),
                     JWT_FOREIGN); /* for whom? */
    assert_int_equal(introspected("{\"active\":true," GOOD "}", ISSUER "#ann"), JWT_GOOD);
    assert_int_equal(introspected("{\"active\":false}", ""), JWT_INACTIVE);
    assert_int_equal(introspected("{\"active\":\"true\",\"sub\":\"ann\"}", ""), JWT_MALFORMED);
    assert_int_equal(introspected("{\"sub\":\"ann\"}", ""), JWT_MALFORMED);
    assert_int_equal(introspected("[]", ""), JWT_MALFORMED);
    assert_int_equal(introspected("{\"active\":true,\"sub\":\"ann\",\"aud\":\"x\"}", ""),
                     JWT_FOREIGN);
    assert_int_equal(
        introspected("{\"active\":true,\"sub\":\"ann\",\"iss\":\"x\"," AUDIENCE "}", ""),
        JWT_FOREIGN);
    assert_int_equal(introspected("{\"active\":true,\"sub\":\"ann\",\"exp\":1," AUDIENCE "}", ""),
                     JWT_EXPIRED);
    assert_int_equal(introspected("{\"active\":true," AUDIENCE "}", ""), JWT_NAMELESS);
    assert_int_equal(introspected("{\"active\":true," GOOD ",\"cnf\":{\"jkt\":\"x\"}}", ""),
                     JWT_BOUND);
}

/* An issuer may have many keys, and name none of them. */
static void test_a_token_that_names_no_key_is_tried_with_many(void **state)
{
    (void)state;
    struct jwt_maker many[JWT_KEYS_TRIED + 1];
    struct buf set = { 0 };
    mgi_buf_puts(&set, "{\"keys\":[");
    for (int i = 0; i <= JWT_KEYS_TRIED; i++) {
        char id[16];
        snprintf(id, sizeof id, "k%d", i);
        many[i] = jwt_maker_new(MAKER_ED25519);
        mgi_buf_puts(&set, i > 0 ? "," : "");
        jwt_put_jwk(&set, &many[i], id);
    }
    mgi_buf_puts(&set, "]}");
    struct jwks *all = keys_of(set.ptr);
    for (int i = 0; i <= JWT_KEYS_TRIED; i++) {
        struct buf token = { 0 };
        struct principal *who;
        jwt_put_token(&token, &many[i], "{\"alg\":\"EdDSA\"}", CLAIMS(""));
        assert_int_equal(mgi_jwt_judge(&rules, all, mgi_buf_view(&token), NOW, &who),
                         i < JWT_KEYS_TRIED ? JWT_GOOD : JWT_NO_KEY);
        mgi_principal_unref(who);
        mgi_buf_fini(&token);
        jwt_maker_free(&many[i]);
    }
    mgi_jwks_unref(all);
    mgi_buf_fini(&set);
}

static struct jwks *set_of(const char *first, const char *second)
{
    struct buf set = { 0 };
    mgi_buf_puts(&set, "{\"keys\":[");
    jwt_put_jwk(&set, &makers[MAKER_P256], first);
    if (second) {
        mgi_buf_putc(&set, ',');
        jwt_put_jwk(&set, &makers[MAKER_ED25519], second);
    }
    mgi_buf_puts(&set, "]}");
    struct jwks *made = keys_of(set.ptr);
    mgi_buf_fini(&set);
    return made;
}

static void test_a_set_covers_another_that_has_nothing_more(void **state)
{
    (void)state;
    struct jwks *a = set_of("a", NULL), *again = set_of("a", NULL), *both = set_of("a", "b"),
                *renamed = set_of("b", "a");
    assert_true(mgi_jwks_cover(a, a) && mgi_jwks_cover(a, again) && mgi_jwks_cover(both, a));
    assert_false(mgi_jwks_cover(a, both));
    assert_false(mgi_jwks_cover(renamed, a));
    assert_true(mgi_jwks_cover(a, NULL) && mgi_jwks_cover(NULL, NULL));
    assert_false(mgi_jwks_cover(NULL, a));
    mgi_jwks_unref(a);
    mgi_jwks_unref(again);
    mgi_jwks_unref(both);
    mgi_jwks_unref(renamed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_algorithm_identifies),
        cmocka_unit_test(test_a_header_chooses_no_algorithm_and_brings_no_key),
        cmocka_unit_test(test_a_public_key_is_no_secret),
        cmocka_unit_test(test_a_signature_is_of_this_token_and_this_key),
        cmocka_unit_test(test_a_changed_token_is_never_good),
        cmocka_unit_test(test_issuer_and_audience_are_exactly_these),
        cmocka_unit_test(test_a_token_lives_from_nbf_to_exp_with_the_skew),
        cmocka_unit_test(test_a_token_that_is_bound_to_a_key_is_refused),
        cmocka_unit_test(test_a_token_says_who_it_stands_for),
        cmocka_unit_test(test_an_issued_name_is_no_local_one),
        cmocka_unit_test(test_claims_are_read_as_configured),
        cmocka_unit_test(test_a_refreshed_token_is_the_same_credential),
        cmocka_unit_test(test_a_token_that_is_too_large_is_not_read),
        cmocka_unit_test(test_sets_without_a_key_for_us_are_refused),
        cmocka_unit_test(test_an_issuer_says_what_an_opaque_token_is),
        cmocka_unit_test(test_a_token_that_names_no_key_is_tried_with_many),
        cmocka_unit_test(test_a_set_covers_another_that_has_nothing_more),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, make_issuer, end_issuer);
}
