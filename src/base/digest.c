/* SHA-256 and HMAC by OpenSSL; hexadecimal and base64url by hand. */
#include "base/digest.h"

#include <errno.h>
#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/random.h>

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

void mgi_hex(const uint8_t *bytes, size_t len, char *out)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < len; i++) {
        *out++ = digits[bytes[i] >> 4];
        *out++ = digits[bytes[i] & 15];
    }
    *out = '\0';
}

size_t mgi_base64url_encode(const uint8_t *bytes, size_t len, char *out)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    char *to = out;
    uint32_t bits = 0;
    int count = 0; /* of bits not written yet */
    for (size_t i = 0; i < len; i++) {
        bits = bits << 8 | bytes[i];
        count += 8;
        for (; count >= 6; count -= 6)
            *to++ = alphabet[bits >> (count - 6) & 63];
    }
    if (count)
        *to++ = alphabet[bits << (6 - count) & 63];
    *to = '\0';
    return (size_t)(to - out);
}

static int base64url_value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '-' ? 62 : c == '_' ? 63 : -1;
}

size_t mgi_base64url_decode(struct str text, uint8_t *out, size_t cap)
{
    uint32_t bits = 0;
    int count = 0;
    size_t len = 0;
    for (size_t i = 0; i < text.len; i++) {
        int value = base64url_value(text.ptr[i]);
        if (value < 0)
            return SIZE_MAX;
        bits = (bits << 6 | (uint32_t)value) & 0xffffff;
        count += 6;
        if (count < 8)
            continue;
        count -= 8;
        if (len == cap)
            return SIZE_MAX;
        out[len++] = (uint8_t)(bits >> count);
    }
    /* Canonical: no half byte too many, and the bits behind the last byte are zero. */
    if (count == 6 || (bits & ((1u << count) - 1)))
        return SIZE_MAX;
    return len;
}

bool mgi_equal_constant_time(const void *a, const void *b, size_t len)
{
    return len == 0 || CRYPTO_memcmp(a, b, len) == 0;
}

bool mgi_random(void *out, size_t len)
{
    unsigned char *p = out;
    while (len) {
        ssize_t got = getrandom(p, len, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        p += got;
        len -= (size_t)got;
    }
    return true;
}
