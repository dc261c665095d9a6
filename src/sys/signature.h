/* Public keys and the signatures that they judge, over OpenSSL's EVP. A key is for one algorithm
 * alone, so nothing that a message says can choose another one for it. Keys are immutable, and any
 * thread may use one. */
#ifndef MGI_SYS_SIGNATURE_H
#define MGI_SYS_SIGNATURE_H

#include <stdbool.h>

#include "base/str.h"

struct public_key;

/* Each from its numbers as they are written (big endian); copied. NULL: they make no key that is
 * taken, or memory is short. RSA: modulus of 2048 to 4096 bits, for RSASSA-PKCS1-v1_5 with SHA-256;
 * P-256: a point that lies on the curve, for ECDSA with SHA-256; Ed25519: 32 bytes, for EdDSA. */
struct public_key *mgi_public_key_rsa(struct str modulus, struct str exponent);
struct public_key *mgi_public_key_p256(struct str x, struct str y);
struct public_key *mgi_public_key_ed25519(struct str x);
void mgi_public_key_free(struct public_key *key); /* NULL is fine */

/* Is `signature` (as JWS writes it: of ECDSA, both numbers of 32 bytes) one of `text`? False also
 * when memory is short. */
bool mgi_public_key_verifies(const struct public_key *key, struct str text, struct str signature);

#endif
