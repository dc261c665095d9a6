/* Proof that the user consented (P-CONF-3, D-45): the server's challenge, signed with a key that
 * the host program holds and a model never sees; or the bare challenge, once it was approved out of
 * band. */
#include "client/client_int.h"

#include "base/encode.h"
#include "sys/digest.h"

#define MAX_KEY   256 /* bytes */
#define TAG_CHARS 44  /* base64url of 32 bytes, and a NUL */

bool mgi_consent_key_ok(const char *key)
{
    uint8_t bytes[MAX_KEY];
    size_t len = mgi_base64url_decode(str_of(key), bytes, sizeof bytes);
    return len != SIZE_MAX && len > 0;
}

static const char *signed_with(manglecp_client *c, const char *challenge)
{
    uint8_t key[MAX_KEY], mac[SHA256_BYTES];
    char tag[TAG_CHARS];
    size_t len = mgi_base64url_decode(str_of(c->options.confirm_key), key, sizeof key);
    if (len == SIZE_MAX ||
        !mgi_hmac_sha256((struct str){ (const char *)key, len }, challenge, strlen(challenge), mac))
        return NULL;
    mgi_base64url_encode(mac, sizeof mac, tag);
    return mgi_arena_printf(&c->last, "%s.%s", challenge, tag);
}

const char *mgi_consent_token(manglecp_client *c, const char *challenge)
{
    if (c->options.confirm_key)
        return signed_with(c, challenge);
    if (c->options.approve && c->options.approve(c->options.context, challenge))
        return challenge;
    return NULL;
}
