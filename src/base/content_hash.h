/* SHA-256 (FIPS 180-4) as the address of a content: the same bytes give the same name everywhere.
 * In plain C, so that the engine needs no library for the ids of its proofs. Not for secrets: those
 * are sys/digest.h's, whose OpenSSL is faster on bulk and hides what it works on. */
#ifndef MGI_BASE_CONTENT_HASH_H
#define MGI_BASE_CONTENT_HASH_H

#include <stddef.h>
#include <stdint.h>

#define CONTENT_HASH_BYTES 32

/* The hash of ptr[len]; `ptr` may be NULL if `len` is 0. Takes no memory, and time as `len`. */
void mgi_content_hash(const void *ptr, size_t len, uint8_t out[CONTENT_HASH_BYTES]);

#endif
