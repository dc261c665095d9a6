/* Tokens and key sets for which memory is short: said so, and nothing is left behind. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "security/jwt.h"
#include "support/jwt_maker.h"
#include "support/nomem.h"

static void test_a_token_survives_any_failed_allocation(void **state)
{
    (void)state;
    static const struct jwt_rules rules = { .issuer = "i", .audience = "a" };
    struct jwt_maker maker = jwt_maker_new(MAKER_ED25519);
    struct buf set = { 0 }, token = { 0 };
    mgi_buf_puts(&set, "{\"keys\":[");
    jwt_put_jwk(&set, &maker, "k");
    mgi_buf_puts(&set, "]}");
    jwt_put_token(&token, &maker, "{\"alg\":\"EdDSA\"}",
                  "{\"iss\":\"i\",\"aud\":\"a\",\"sub\":\"ann\",\"exp\":9,\"scope\":\"x y\"}");
    for (size_t n = 1;; n++) {
        const char *why = NULL;
        struct principal *who = NULL;
        enum jwt_verdict verdict = JWT_NOMEM;
        nomem_fail_at(n);
        struct jwks *keys = mgi_jwks_new(mgi_buf_view(&set), &why);
        if (keys)
            verdict = mgi_jwt_judge(&rules, keys, mgi_buf_view(&token), 1, &who);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        mgi_jwks_unref(keys);
        if (!failed) {
            assert_int_equal(verdict, JWT_GOOD);
            mgi_principal_unref(who);
            assert_true(n > 5);
            break;
        }
        assert_null(who);
        assert_int_not_equal(verdict, JWT_GOOD);
    }
    mgi_buf_fini(&set);
    mgi_buf_fini(&token);
    jwt_maker_free(&maker);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(
        test_a_token_survives_any_failed_allocation) };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
