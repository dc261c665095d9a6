/* Digests against published vectors (FIPS 180-4 examples, RFC 4231, RFC 4648) and base64url. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "sys/digest.h"
#include "base/encode.h"
#include "sys/random.h"

static void expect_hex(const uint8_t digest[SHA256_BYTES], const char *expected)
{
    char hex[2 * SHA256_BYTES + 1];
    mgi_hex(digest, SHA256_BYTES, hex);
    assert_string_equal(hex, expected);
}

static void test_sha256_gives_the_published_digests(void **state)
{
    (void)state;
    uint8_t out[SHA256_BYTES];
    assert_true(mgi_sha256("", 0, out));
    expect_hex(out, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_true(mgi_sha256(NULL, 0, out));
    expect_hex(out, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_true(mgi_sha256("abc", 3, out));
    expect_hex(out, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

static void test_sha256_in_pieces_is_the_same(void **state)
{
    (void)state;
    char text[200];
    memset(text, 'x', sizeof text);
    uint8_t whole[SHA256_BYTES], pieces[SHA256_BYTES];
    assert_true(mgi_sha256(text, sizeof text, whole));
    for (size_t cut = 0; cut <= sizeof text; cut++) {
        struct sha256 *h = mgi_sha256_new();
        assert_non_null(h);
        mgi_sha256_add(h, text, cut);
        mgi_sha256_add(h, text + cut, sizeof text - cut);
        assert_true(mgi_sha256_end(h, pieces));
        assert_memory_equal(whole, pieces, SHA256_BYTES);
    }
}

static void test_hmac_gives_the_published_codes(void **state)
{
    (void)state;
    uint8_t out[SHA256_BYTES];
    assert_true(mgi_hmac_sha256(STR_LIT("Jefe"), "what do ya want for nothing?", 28, out));
    expect_hex(out, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    assert_true(mgi_hmac_sha256((struct str){ NULL, 0 }, "", 0, out));
    expect_hex(out, "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
    /* RFC 4231, 4.7: a key longer than a block stands for its hash; one of a block for itself. */
    char key[131];
    memset(key, 0xaa, sizeof key);
    struct str text = STR_LIT("Test Using Larger Than Block-Size Key - Hash Key First");
    assert_true(mgi_hmac_sha256((struct str){ key, 131 }, text.ptr, text.len, out));
    expect_hex(out, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    assert_true(mgi_hmac_sha256((struct str){ key, 64 }, text.ptr, text.len, out));
    expect_hex(out, "84332a7580ed3cf75de83c644c8d2c1c262ad90e0190e5c5ae4b82b2102e8e75");
}

static void test_base64url_follows_rfc_4648_without_padding(void **state)
{
    (void)state;
    static const char *const plain[] = { "", "f", "fo", "foo", "foob", "fooba", "foobar" };
    static const char *const coded[] = { "", "Zg", "Zm8", "Zm9v", "Zm9vYg", "Zm9vYmE", "Zm9vYmFy" };
    for (size_t i = 0; i < 7; i++) {
        char text[16];
        uint8_t back[16];
        size_t len = mgi_base64url_encode((const uint8_t *)plain[i], i, text);
        assert_string_equal(text, coded[i]);
        assert_int_equal(len, strlen(coded[i]));
        assert_int_equal(mgi_base64url_decode(str_of(coded[i]), back, sizeof back), i);
        assert_memory_equal(back, plain[i], i);
    }
    char text[8];
    (void)mgi_base64url_encode((const uint8_t[]){ 0xfb, 0xff, 0xfe }, 3, text);
    assert_string_equal(text, "-__-");
}

static void test_base64url_that_is_not_canonical_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = { "Z",     "Zg=",  "Zg==", "Zh",    "Zm9=", "Zm9",
                                       "Zm 9v", "Zm+v", "Zm/v", "Zm9vY", "Zg\n", "\xc3\xa9" };
    uint8_t out[16];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (mgi_base64url_decode(str_of(bad[i]), out, sizeof out) != SIZE_MAX)
            fail_msg("\"%s\" is accepted", bad[i]);
    assert_true(mgi_base64url_decode(STR_LIT("Zm9v"), out, 2) == SIZE_MAX); /* no room */
    assert_true(mgi_base64url_decode(STR_LIT("Zm9v"), out, 3) == 3);
}

static void test_random_bytes_differ(void **state)
{
    (void)state;
    uint8_t a[32] = { 0 }, b[32] = { 0 };
    assert_true(mgi_random(a, sizeof a));
    assert_true(mgi_random(b, sizeof b));
    assert_false(mgi_equal_constant_time(a, b, sizeof a));
    assert_true(mgi_equal_constant_time(a, a, sizeof a));
    assert_true(mgi_equal_constant_time(NULL, NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sha256_gives_the_published_digests),
        cmocka_unit_test(test_sha256_in_pieces_is_the_same),
        cmocka_unit_test(test_hmac_gives_the_published_codes),
        cmocka_unit_test(test_base64url_follows_rfc_4648_without_padding),
        cmocka_unit_test(test_base64url_that_is_not_canonical_is_refused),
        cmocka_unit_test(test_random_bytes_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
