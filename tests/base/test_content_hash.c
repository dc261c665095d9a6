/* SHA-256 in plain C: the vectors of FIPS 180-4's examples, and every length around a block against
 * OpenSSL's. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/content_hash.h"
#include "base/encode.h"
#include "sys/digest.h"

static void expect_hash(const void *ptr, size_t len, const char *want)
{
    uint8_t got[CONTENT_HASH_BYTES];
    char hex[2 * CONTENT_HASH_BYTES + 1];
    mgi_content_hash(ptr, len, got);
    mgi_hex(got, sizeof got, hex);
    assert_string_equal(hex, want);
}

static void test_the_published_examples_come_out(void **state)
{
    static const char two_blocks[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    static char million[1000000];
    (void)state;
    memset(million, 'a', sizeof million);
    expect_hash(NULL, 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect_hash("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect_hash(two_blocks, strlen(two_blocks),
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    expect_hash(million, sizeof million,
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void test_every_length_is_as_openssl_has_it(void **state)
{
    uint8_t bytes[300], ours[CONTENT_HASH_BYTES], theirs[SHA256_BYTES];
    uint32_t seed = 1;
    (void)state;
    for (size_t len = 0; len <= sizeof bytes; len++) {
        for (size_t i = 0; i < len; i++) {
            seed = seed * UINT32_C(1664525) + UINT32_C(1013904223);
            bytes[i] = (uint8_t)(seed >> 24);
        }
        mgi_content_hash(bytes, len, ours);
        assert_true(mgi_sha256(bytes, len, theirs));
        assert_memory_equal(ours, theirs, sizeof theirs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_published_examples_come_out),
        cmocka_unit_test(test_every_length_is_as_openssl_has_it),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("base/content_hash", tests, NULL, NULL);
}
