/* SHA-256 by OpenSSL's functions for it alone, and HMAC (RFC 2104) over them.
 *
 * They are the same code as EVP's, without its start: the first EVP_Digest or HMAC of a process
 * sets up all of libcrypto's providers, names and strings, six million instructions and most of the
 * memory that a server over standard input and output touches of it, and such a server needs no
 * more of libcrypto than this. OpenSSL calls them deprecated, and keeps them. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "sys/digest.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <string.h>

#include "base/alloc.h"

struct sha256 {
    SHA256_CTX context;
};

bool mgi_sha256(const void *ptr, size_t len, uint8_t out[SHA256_BYTES])
{
    SHA256_CTX c;
    bool ok =
        SHA256_Init(&c) == 1 && SHA256_Update(&c, ptr, len) == 1 && SHA256_Final(out, &c) == 1;
    OPENSSL_cleanse(&c, sizeof c);
    return ok;
}

/* One pass of RFC 2104: the hash of the key, each byte of it changed by `pad`, and of ptr[len]. */
static bool keyed_pass(const uint8_t key[SHA256_CBLOCK], uint8_t pad, const void *ptr, size_t len,
                       uint8_t out[SHA256_BYTES])
{
    uint8_t block[SHA256_CBLOCK];
    SHA256_CTX c;
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = key[i] ^ pad;
    bool ok = SHA256_Init(&c) == 1 && SHA256_Update(&c, block, sizeof block) == 1 &&
              SHA256_Update(&c, ptr, len) == 1 && SHA256_Final(out, &c) == 1;
    OPENSSL_cleanse(block, sizeof block);
    OPENSSL_cleanse(&c, sizeof c);
    return ok;
}

bool mgi_hmac_sha256(struct str key, const void *ptr, size_t len, uint8_t out[SHA256_BYTES])
{
    uint8_t block[SHA256_CBLOCK] = { 0 }, inner[SHA256_BYTES];
    bool ok = true;
    if (key.len > sizeof block)
        ok = mgi_sha256(key.ptr, key.len, block);
    else if (key.len > 0)
        memcpy(block, key.ptr, key.len);
    ok = ok && keyed_pass(block, 0x36, ptr, len, inner) &&
         keyed_pass(block, 0x5c, inner, sizeof inner, out);
    OPENSSL_cleanse(block, sizeof block);
    OPENSSL_cleanse(inner, sizeof inner);
    return ok;
}

struct sha256 *mgi_sha256_new(void)
{
    struct sha256 *h = mgi_calloc(1, sizeof *h);
    if (h)
        SHA256_Init(&h->context);
    return h;
}

void mgi_sha256_add(struct sha256 *h, const void *ptr, size_t len)
{
    SHA256_Update(&h->context, ptr, len);
}

bool mgi_sha256_end(struct sha256 *h, uint8_t out[SHA256_BYTES])
{
    bool ok = SHA256_Final(out, &h->context) == 1;
    mgi_free(h);
    return ok;
}

bool mgi_equal_constant_time(const void *a, const void *b, size_t len)
{
    return len == 0 || CRYPTO_memcmp(a, b, len) == 0;
}
