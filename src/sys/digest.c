/* SHA-256 and HMAC by OpenSSL. */
#include "sys/digest.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "base/alloc.h"

bool mgi_sha256(const void *ptr, size_t len, uint8_t out[SHA256_BYTES])
{
    return EVP_Digest(ptr, len, out, NULL, EVP_sha256(), NULL) == 1;
}

bool mgi_hmac_sha256(struct str key, const void *ptr, size_t len, uint8_t out[SHA256_BYTES])
{
    if (key.len > INT_MAX)
        return false;
    const char *bytes = key.len ? key.ptr : ""; /* OpenSSL takes NULL to mean "the previous key" */
    return HMAC(EVP_sha256(), bytes, (int)key.len, ptr, len, out, NULL) != NULL;
}

struct sha256 {
    EVP_MD_CTX *context;
    bool failed; /* reported by the end, so that adding needs no check */
};

struct sha256 *mgi_sha256_new(void)
{
    struct sha256 *h = mgi_calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->context = EVP_MD_CTX_new();
    if (!h->context || EVP_DigestInit_ex(h->context, EVP_sha256(), NULL) != 1) {
        EVP_MD_CTX_free(h->context);
        mgi_free(h);
        return NULL;
    }
    return h;
}

void mgi_sha256_add(struct sha256 *h, const void *ptr, size_t len)
{
    if (EVP_DigestUpdate(h->context, ptr, len) != 1)
        h->failed = true;
}

bool mgi_sha256_end(struct sha256 *h, uint8_t out[SHA256_BYTES])
{
    bool ok = EVP_DigestFinal_ex(h->context, out, NULL) == 1 && !h->failed;
    EVP_MD_CTX_free(h->context);
    mgi_free(h);
    return ok;
}

bool mgi_equal_constant_time(const void *a, const void *b, size_t len)
{
    return len == 0 || CRYPTO_memcmp(a, b, len) == 0;
}
