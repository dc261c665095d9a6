/* Rings of keys: what they sign holds, and nothing else. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "security/signing.h"

#define KEY_A "AAECAwQFBgcICQoLDA0ODw"
#define KEY_B "EBESExQVFhcYGRobHB0eHw"

static struct signing_keys *ring(const char *text)
{
    struct signing_fault fault;
    struct signing_keys *keys = mgi_signing_keys_read(str_of(text), &fault);
    if (!keys)
        fail_msg("%u: %s", fault.line, fault.message);
    return keys;
}

static void test_a_signature_holds_for_its_text_alone(void **state)
{
    (void)state;
    struct signing_keys *keys = ring(KEY_A);
    char signature[SIGNATURE_CHARS + 1];
    assert_true(mgi_sign(keys, STR_LIT("the text"), signature));
    assert_int_equal(strlen(signature), SIGNATURE_CHARS);
    assert_int_equal(mgi_signature_check(keys, STR_LIT("the text"), str_of(signature)),
                     SIGNATURE_HOLDS);
    assert_int_equal(mgi_signature_check(keys, STR_LIT("the test"), str_of(signature)),
                     SIGNATURE_FOREIGN);
    for (size_t i = 0; i < SIGNATURE_CHARS; i++) { /* every character counts */
        char other[SIGNATURE_CHARS + 1];
        memcpy(other, signature, sizeof other);
        other[i] = other[i] == 'A' ? 'B' : 'A';
        assert_int_equal(mgi_signature_check(keys, STR_LIT("the text"), str_of(other)),
                         SIGNATURE_FOREIGN);
        assert_int_equal(
            mgi_signature_check(keys, STR_LIT("the text"), (struct str){ signature, i }),
            SIGNATURE_FOREIGN);
    }
    mgi_signing_keys_free(keys);
}

static void test_old_keys_are_known_and_the_first_signs(void **state)
{
    (void)state;
    struct signing_keys *old = ring(KEY_A), *both = ring("# new\n" KEY_B "\n\n" KEY_A "\r\n");
    struct signing_keys *new = ring(KEY_B);
    char before[SIGNATURE_CHARS + 1], after[SIGNATURE_CHARS + 1];
    assert_true(mgi_sign(old, STR_LIT("x"), before) && mgi_sign(both, STR_LIT("x"), after));
    assert_int_equal(mgi_signature_check(both, STR_LIT("x"), str_of(before)), SIGNATURE_HOLDS);
    assert_int_equal(mgi_signature_check(new, STR_LIT("x"), str_of(after)), SIGNATURE_HOLDS);
    assert_int_equal(mgi_signature_check(new, STR_LIT("x"), str_of(before)), SIGNATURE_FOREIGN);
    mgi_signing_keys_free(old);
    mgi_signing_keys_free(both);
    mgi_signing_keys_free(new);
}

static void test_without_keys_nothing_is_signed_or_believed(void **state)
{
    (void)state;
    char signature[SIGNATURE_CHARS + 1] = "";
    assert_false(mgi_sign(NULL, STR_LIT("x"), signature));
    assert_int_equal(mgi_signature_check(NULL, STR_LIT("x"), STR_LIT("")), SIGNATURE_FOREIGN);
}

static void test_a_wrong_file_says_where(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line;
        const char *message;
    } rows[] = {
        { "", 1, "it holds no key" },
        { "# nothing\n\n", 1, "it holds no key" },
        { KEY_A "\nAAECAwQFBgcICQoLDA0O\n", 2, "a key is 16 to 64 bytes" },
        { KEY_A "\n" KEY_B " \n", 2, "a key is 16 to 64 bytes" },
        { "not base64url!", 1, "a key is 16 to 64 bytes" },
        { KEY_A KEY_A KEY_A KEY_A KEY_A KEY_A, 1, "a key is 16 to 64 bytes" },
    };
    struct signing_fault fault;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_null(mgi_signing_keys_read(str_of(rows[i].text), &fault));
        assert_int_equal(fault.line, rows[i].line);
        if (!strstr(fault.message, rows[i].message))
            fail_msg("%zu: %s", i, fault.message);
    }
    struct buf many = { 0 };
    for (int i = 0; i <= SIGNING_KEYS_MOST; i++)
        mgi_buf_puts(&many, KEY_A "\n");
    assert_null(mgi_signing_keys_read(mgi_buf_view(&many), &fault));
    assert_int_equal(fault.line, SIGNING_KEYS_MOST + 1);
    mgi_buf_fini(&many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_signature_holds_for_its_text_alone),
        cmocka_unit_test(test_old_keys_are_known_and_the_first_signs),
        cmocka_unit_test(test_without_keys_nothing_is_signed_or_believed),
        cmocka_unit_test(test_a_wrong_file_says_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
