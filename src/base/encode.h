/* Bytes as text: hexadecimal and base64url. Pure functions. */
#ifndef MGI_BASE_ENCODE_H
#define MGI_BASE_ENCODE_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* Lower-case hexadecimal, 2 * len characters and a NUL. */
void mgi_hex(const uint8_t *bytes, size_t len, char *out);

/* Base64url without padding (RFC 4648 section 5). Encode needs room for (len + 2) / 3 * 4 + 1
 * characters. Decode returns the number of bytes, or SIZE_MAX for anything not canonical. */
size_t mgi_base64url_encode(const uint8_t *bytes, size_t len, char *out);
size_t mgi_base64url_decode(struct str text, uint8_t *out, size_t cap);

#endif
