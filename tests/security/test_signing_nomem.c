/* Rings of keys survive the failure of any one allocation. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "security/signing.h"
#include "support/nomem.h"

static void test_keys_survive_any_failed_allocation(void **state)
{
    static const uint8_t key[32] = { 7 };
    (void)state;
    for (size_t n = 1;; n++) {
        struct signing_fault fault;
        nomem_fail_at(n);
        struct signing_keys *made = mgi_signing_keys_new(key, sizeof key);
        struct signing_keys *read =
            mgi_signing_keys_read(STR_LIT("AAECAwQFBgcICQoLDA0ODw\n"), &fault);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (!read)
            assert_int_equal(fault.line, 0);
        assert_int_equal(made && read, !failed);
        mgi_signing_keys_free(made);
        mgi_signing_keys_free(read);
        if (!failed)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_survive_any_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
