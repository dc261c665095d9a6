/* Base64 (RFC 4648 section 4), as a selection carries it (toolhost.md T-SEL-4): white space
 * anywhere, padding complete or left out, nothing after it, no stray bits. Pure function. */
#ifndef MGI_BASE_BASE64_H
#define MGI_BASE_BASE64_H

#include "base/str.h"

/* Decode `text` into `out`, which has room for text.len / 4 * 3 + 3 bytes; *len is how many there
 * are. NULL: it is well formed, and not empty. Otherwise what is wrong (static), and *at is the
 * byte of `text` where. */
const char *mgi_base64_decode(struct str text, char *out, size_t *len, size_t *at);

#endif
