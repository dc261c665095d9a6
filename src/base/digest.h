/* SHA-256 and HMAC over OpenSSL's EVP. Thread-safe. */
#ifndef MGI_BASE_DIGEST_H
#define MGI_BASE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

#define SHA256_BYTES 32

/* False only when OpenSSL fails (memory). */
bool mgi_sha256(const void *ptr, size_t len, uint8_t out[SHA256_BYTES]);
bool mgi_hmac_sha256(struct str key, const void *ptr, size_t len, uint8_t out[SHA256_BYTES]);

/* Incremental. */
struct sha256;
struct sha256 *mgi_sha256_new(void); /* NULL when memory is short */
void mgi_sha256_add(struct sha256 *h, const void *ptr, size_t len);
bool mgi_sha256_end(struct sha256 *h, uint8_t out[SHA256_BYTES]); /* frees h */

/* Lower-case hexadecimal, 2 * len characters and a NUL. */
void mgi_hex(const uint8_t *bytes, size_t len, char *out);

/* Base64url without padding (RFC 4648 section 5). Encode needs room for (len + 2) / 3 * 4 + 1
 * characters. Decode returns the number of bytes, or SIZE_MAX for anything not canonical. */
size_t mgi_base64url_encode(const uint8_t *bytes, size_t len, char *out);
size_t mgi_base64url_decode(struct str text, uint8_t *out, size_t cap);

bool mgi_equal_constant_time(const void *a, const void *b, size_t len);

/* Cryptographic random bytes from the system. For programs and the server; never in libmangle. */
bool mgi_random(void *out, size_t len);

#endif
