/* SHA-256 by OpenSSL, and HMAC with it. Thread-safe. */
#ifndef MGI_SYS_DIGEST_H
#define MGI_SYS_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

#define SHA256_BYTES 32

/* False only when OpenSSL fails. */
bool mgi_sha256(const void *ptr, size_t len, uint8_t out[SHA256_BYTES]);
bool mgi_hmac_sha256(struct str key, const void *ptr, size_t len, uint8_t out[SHA256_BYTES]);

/* Incremental. */
struct sha256;
struct sha256 *mgi_sha256_new(void); /* NULL when memory is short */
void mgi_sha256_add(struct sha256 *h, const void *ptr, size_t len);
bool mgi_sha256_end(struct sha256 *h, uint8_t out[SHA256_BYTES]); /* frees h */

/* Takes the same time wherever the first difference is. */
bool mgi_equal_constant_time(const void *a, const void *b, size_t len);

#endif
