/* Signatures by which a server knows its own words when they come back: HMAC-SHA256 under a key
 * that nobody else has.
 *
 * A ring of keys: the first signs, all of them are recognised, so that keys can be exchanged
 * without making old words worthless. A signature names its key by a digest of it. What a signature
 * is good for is the caller's: it signs a text, and that has to say of whom, for whom and from
 * when.
 *
 * Immutable once made; any thread may sign and check. Without a key nothing is signed or believed:
 * NULL is a ring like any other. Keys appear in no message. */
#ifndef MGI_SECURITY_SIGNING_H
#define MGI_SECURITY_SIGNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

#define SIGNING_KEYS_MOST       16
#define SIGNING_KEY_BYTES_LEAST 16
#define SIGNING_KEY_BYTES_MOST  64
#define SIGNATURE_CHARS         55 /* "v1." and 8 for the key, '.', 43 for the tag; all base64url */

struct signing_keys;

/* What is wrong with a text of keys; line 0: memory. */
struct signing_fault {
    uint32_t line;
    const char *message; /* static */
};

/* From a text with a key on each line, in base64url of 16 to 64 bytes, the one that signs first;
 * empty lines and those that begin with # do not count. NULL: *fault. */
struct signing_keys *mgi_signing_keys_read(struct str text, struct signing_fault *fault);
/* One key, made by the caller. NULL when memory is short. */
struct signing_keys *mgi_signing_keys_new(const uint8_t *key, size_t len);
void mgi_signing_keys_free(struct signing_keys *keys); /* and wipe them */

/* False without keys, or when memory is short; else `out` is the signature of `text`. */
bool mgi_sign(const struct signing_keys *keys, struct str text, char out[SIGNATURE_CHARS + 1]);

enum signature {
    SIGNATURE_HOLDS,
    SIGNATURE_FOREIGN, /* of another text, by an unknown key, or no signature at all */
    SIGNATURE_NOMEM
};
/* The time it takes says nothing of where a tag differs. */
enum signature mgi_signature_check(const struct signing_keys *keys, struct str text,
                                   struct str signature);

#endif
