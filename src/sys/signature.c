/* Signatures by OpenSSL. Its errors are of no use to anybody here: the queue is emptied. */
#include "sys/signature.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include "base/alloc.h"

#define RSA_LEAST_BITS 2048
#define RSA_MOST_BITS  4096 /* what a signature costs to verify grows with it */
#define EXPONENT_BYTES 4
#define P256_BYTES     32
#define DER_MAX        80 /* of a signature by P-256: 72 at most */

struct public_key {
    EVP_PKEY *pkey;
    const EVP_MD *digest; /* NULL: the algorithm brings its own */
    bool is_ecdsa;
};

static struct public_key *wrap(EVP_PKEY *pkey, const EVP_MD *digest, bool is_ecdsa)
{
    struct public_key *key = pkey ? mgi_calloc(1, sizeof *key) : NULL;
    if (key)
        *key = (struct public_key){ pkey, digest, is_ecdsa };
    else
        EVP_PKEY_free(pkey);
    ERR_clear_error();
    return key;
}

/* A public key of this kind; takes the builder. */
static EVP_PKEY *build(const char *kind, OSSL_PARAM_BLD *builder, bool ok)
{
    EVP_PKEY *pkey = NULL;
    OSSL_PARAM *params = ok ? OSSL_PARAM_BLD_to_param(builder) : NULL;
    EVP_PKEY_CTX *context = params ? EVP_PKEY_CTX_new_from_name(NULL, kind, NULL) : NULL;
    if (context && (EVP_PKEY_fromdata_init(context) != 1 ||
                    EVP_PKEY_fromdata(context, &pkey, EVP_PKEY_PUBLIC_KEY, params) != 1))
        pkey = NULL;
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(params);
    OSSL_PARAM_BLD_free(builder);
    return pkey;
}

static bool modulus_is_taken(const BIGNUM *n)
{
    return n && BN_num_bits(n) >= RSA_LEAST_BITS && BN_num_bits(n) <= RSA_MOST_BITS && BN_is_odd(n);
}

struct public_key *mgi_public_key_rsa(struct str modulus, struct str exponent)
{
    if (modulus.len > RSA_MOST_BITS / 8 || exponent.len == 0 || exponent.len > EXPONENT_BYTES)
        return NULL;
    BIGNUM *n = BN_bin2bn((const unsigned char *)modulus.ptr, (int)modulus.len, NULL);
    BIGNUM *e = BN_bin2bn((const unsigned char *)exponent.ptr, (int)exponent.len, NULL);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    bool ok = builder && modulus_is_taken(n) && e && BN_is_odd(e) && !BN_is_one(e) &&
              OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
              OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) == 1;
    EVP_PKEY *pkey = build("RSA", builder, ok);
    BN_free(n);
    BN_free(e);
    return wrap(pkey, EVP_sha256(), false);
}

struct public_key *mgi_public_key_p256(struct str x, struct str y)
{
    unsigned char point[1 + 2 * P256_BYTES] = { 4 }; /* not compressed */
    if (x.len != P256_BYTES || y.len != P256_BYTES)
        return NULL;
    memcpy(point + 1, x.ptr, x.len);
    memcpy(point + 1 + P256_BYTES, y.ptr, y.len);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    bool ok =
        builder &&
        OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point) ==
            1;
    return wrap(build("EC", builder, ok), EVP_sha256(), true);
}

struct public_key *mgi_public_key_ed25519(struct str x)
{
    EVP_PKEY *pkey =
        EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, (const unsigned char *)x.ptr, x.len);
    return wrap(pkey, NULL, false);
}

void mgi_public_key_free(struct public_key *key)
{
    if (!key)
        return;
    EVP_PKEY_free(key->pkey);
    mgi_free(key);
}

/* Two numbers side by side, as OpenSSL wants them. 0: they are none, or memory is short. */
static size_t to_der(struct str raw, unsigned char der[DER_MAX])
{
    if (raw.len != 2 * P256_BYTES)
        return 0;
    const unsigned char *bytes = (const unsigned char *)raw.ptr;
    BIGNUM *r = BN_bin2bn(bytes, P256_BYTES, NULL),
           *s = BN_bin2bn(bytes + P256_BYTES, P256_BYTES, NULL);
    ECDSA_SIG *signature = r && s ? ECDSA_SIG_new() : NULL;
    if (!signature) {
        BN_free(r);
        BN_free(s);
        return 0;
    }
    (void)ECDSA_SIG_set0(signature, r, s); /* takes both */
    int len = i2d_ECDSA_SIG(signature, NULL);
    unsigned char *end = der;
    if (len > 0 && len <= DER_MAX)
        len = i2d_ECDSA_SIG(signature, &end);
    ECDSA_SIG_free(signature);
    return len > 0 && len <= DER_MAX ? (size_t)len : 0;
}

bool mgi_public_key_verifies(const struct public_key *key, struct str text, struct str signature)
{
    unsigned char der[DER_MAX];
    const unsigned char *bytes = (const unsigned char *)signature.ptr;
    size_t len = signature.len;
    if (key->is_ecdsa) {
        len = to_der(signature, der);
        bytes = der;
    }
    if (len == 0)
        return false;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool good =
        context && EVP_DigestVerifyInit(context, NULL, key->digest, NULL, key->pkey) == 1 &&
        EVP_DigestVerify(context, bytes, len, (const unsigned char *)text.ptr, text.len) == 1;
    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return good;
}
