/* Keys and tokens of an issuer that exists for a test: made by OpenSSL when the test runs. */
#ifndef TESTS_JWT_MAKER_H
#define TESTS_JWT_MAKER_H

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/encode.h"

enum maker_kind { MAKER_RSA, MAKER_P256, MAKER_ED25519 };

struct jwt_maker {
    enum maker_kind kind;
    EVP_PKEY *pkey;
};

static inline struct jwt_maker jwt_maker_new(enum maker_kind kind)
{
    struct jwt_maker m = { kind, NULL };
    m.pkey = kind == MAKER_RSA    ? EVP_RSA_gen(2048)
             : kind == MAKER_P256 ? EVP_EC_gen("P-256")
                                  : EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    if (!m.pkey)
        abort();
    return m;
}

static inline void jwt_maker_free(struct jwt_maker *m)
{
    EVP_PKEY_free(m->pkey);
    m->pkey = NULL;
}

static inline const char *jwt_maker_alg(const struct jwt_maker *m)
{
    static const char *const names[] = { "RS256", "ES256", "EdDSA" };
    return names[m->kind];
}

static inline void jwt_put_base64(struct buf *out, const void *bytes, size_t len)
{
    char *text = malloc((len + 2) / 3 * 4 + 1);
    mgi_base64url_encode(bytes, len, text);
    mgi_buf_puts(out, text);
    free(text);
}

static inline void jwt_put_number(struct buf *out, const struct jwt_maker *m, const char *param,
                                  int width)
{
    BIGNUM *n = NULL;
    unsigned char bytes[1024];
    if (EVP_PKEY_get_bn_param(m->pkey, param, &n) != 1)
        abort();
    int len = width ? BN_bn2binpad(n, bytes, width) : BN_bn2bin(n, bytes);
    jwt_put_base64(out, bytes, (size_t)len);
    BN_free(n);
}

/* {"kid":…,"kty":…,…}, the public key. */
static inline void jwt_put_jwk(struct buf *out, const struct jwt_maker *m, const char *kid)
{
    unsigned char raw[32];
    size_t len = sizeof raw;
    mgi_buf_printf(out, "{\"kid\":\"%s\",\"use\":\"sig\",\"kty\":", kid);
    if (m->kind == MAKER_RSA) {
        mgi_buf_puts(out, "\"RSA\",\"n\":\"");
        jwt_put_number(out, m, OSSL_PKEY_PARAM_RSA_N, 0);
        mgi_buf_puts(out, "\",\"e\":\"");
        jwt_put_number(out, m, OSSL_PKEY_PARAM_RSA_E, 0);
    } else if (m->kind == MAKER_P256) {
        mgi_buf_puts(out, "\"EC\",\"crv\":\"P-256\",\"x\":\"");
        jwt_put_number(out, m, OSSL_PKEY_PARAM_EC_PUB_X, 32);
        mgi_buf_puts(out, "\",\"y\":\"");
        jwt_put_number(out, m, OSSL_PKEY_PARAM_EC_PUB_Y, 32);
    } else {
        mgi_buf_puts(out, "\"OKP\",\"crv\":\"Ed25519\",\"x\":\"");
        if (EVP_PKEY_get_raw_public_key(m->pkey, raw, &len) != 1)
            abort();
        jwt_put_base64(out, raw, len);
    }
    mgi_buf_puts(out, "\"}");
}

/* The numbers of an ECDSA signature, side by side. */
static inline size_t jwt_raw_signature(unsigned char *signature, size_t len)
{
    const unsigned char *der = signature;
    ECDSA_SIG *s = d2i_ECDSA_SIG(NULL, &der, (long)len);
    unsigned char raw[64];
    if (!s || BN_bn2binpad(ECDSA_SIG_get0_r(s), raw, 32) != 32 ||
        BN_bn2binpad(ECDSA_SIG_get0_s(s), raw + 32, 32) != 32)
        abort();
    ECDSA_SIG_free(s);
    memcpy(signature, raw, sizeof raw);
    return sizeof raw;
}

/* The token with this header and these claims, both JSON. */
static inline void jwt_put_token(struct buf *out, const struct jwt_maker *m, const char *header,
                                 const char *claims)
{
    unsigned char signature[1024];
    size_t len = sizeof signature, start = out->len;
    jwt_put_base64(out, header, strlen(header));
    mgi_buf_putc(out, '.');
    jwt_put_base64(out, claims, strlen(claims));
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (EVP_DigestSignInit(context, NULL, m->kind == MAKER_ED25519 ? NULL : EVP_sha256(), NULL,
                           m->pkey) != 1 ||
        EVP_DigestSign(context, signature, &len, (const unsigned char *)out->ptr + start,
                       out->len - start) != 1)
        abort();
    EVP_MD_CTX_free(context);
    if (m->kind == MAKER_P256)
        len = jwt_raw_signature(signature, len);
    mgi_buf_putc(out, '.');
    jwt_put_base64(out, signature, len);
}

#endif
