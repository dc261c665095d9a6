/* The keys of an issuer: a JSON Web Key Set (RFC 7517) -> public keys.
 *
 * Taken are RSA keys for RS256, P-256 keys for ES256 and Ed25519 keys for EdDSA that are for
 * signatures. A key is for that one algorithm, whatever a token says. Others (for encryption, of
 * other curves, symmetric) are passed over: an issuer may have them for others. */
#ifndef MGI_SECURITY_JWKS_H
#define MGI_SECURITY_JWKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "sys/digest.h"
#include "sys/signature.h"

#define JWKS_MAX_BYTES ((size_t)64 * 1024)
#define JWKS_MAX_KEYS  64

enum jwt_algorithm { JWT_NO_ALGORITHM, JWT_RS256, JWT_ES256, JWT_EDDSA };

/* By its name in a header or a key; anything else, `none` and `HS256` included, is no algorithm. */
enum jwt_algorithm mgi_jwt_algorithm(struct str name);

struct jwk {
    struct str id; /* ptr NULL: it has none */
    enum jwt_algorithm algorithm;
    struct public_key *key;
    uint8_t digest[SHA256_BYTES]; /* of all that: the same for the same */
};

struct jwks; /* counted, and immutable: any thread may ask */

/* With one reference. NULL: *why (static) says what is wrong with it; a set without any key that is
 * taken is wrong, too, and so is one with a private key in it. */
struct jwks *mgi_jwks_new(struct str text, const char **why);
struct jwks *mgi_jwks_ref(struct jwks *keys); /* NULL is fine for both */
void mgi_jwks_unref(struct jwks *keys);

size_t mgi_jwks_count(const struct jwks *keys);
const struct jwk *mgi_jwks_get(const struct jwks *keys, size_t index);

/* Is every key of `older` among `keys`, under the same id? So whatever was good is good still. NULL
 * has none. */
bool mgi_jwks_cover(const struct jwks *keys, const struct jwks *older);

#endif
