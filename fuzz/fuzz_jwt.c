/* Tokens of another issuer, its key sets and its answers: any bytes are refused for a reason, and
 * nobody is identified by what no key has signed. Input: a byte that says what, then its text. */
#include <stdint.h>
#include <stdlib.h>

#include "security/jwt.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char keys_text[] =
    "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"k\","
    "\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}]}"; /* of RFC 8037 */

static const struct jwt_rules rules = { .issuer = "i", .audience = "a", .prefix = "p:" };

static void judge_token(struct str text)
{
    const char *why;
    struct principal *who;
    struct jwks *keys = mgi_jwks_new(STR_LIT(keys_text), &why);
    if (keys && mgi_jwt_judge(&rules, keys, text, 1, &who) == JWT_GOOD)
        abort();
    mgi_jwks_unref(keys);
}

static void judge_answer(struct str text)
{
    struct principal *who;
    bool good = mgi_introspection_judge(&rules, text, 1, &who) == JWT_GOOD;
    if (good != (who != NULL) || (who && who->identity.len == 0))
        abort();
    mgi_principal_unref(who);
}

static void read_keys(struct str text)
{
    const char *why;
    struct jwks *keys = mgi_jwks_new(text, &why);
    if ((keys != NULL) == (why != NULL) || (keys && mgi_jwks_count(keys) == 0))
        abort();
    mgi_jwks_unref(keys);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct str text = { (const char *)bytes + 1, size - 1 };
    if (size == 0)
        return 0;
    switch (bytes[0]) {
    case 't':
        judge_token(text);
        break;
    case 'a':
        judge_answer(text);
        break;
    default:
        read_keys(text);
        break;
    }
    return 0;
}
