/* UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef MGI_BASE_UTF8_H
#define MGI_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

/* The code point at s.ptr[*at], advancing *at past it. UINT32_MAX for an ill-formed sequence, and
 * *at then advances by one byte. Requires *at < s.len. */
uint32_t mgi_utf8_next(struct str s, size_t *at);

/* Bytes written to out[4] (1 to 4); 0 for a surrogate or a value above U+10FFFF. */
size_t mgi_utf8_put(uint32_t code, char out[4]);

/* True if all of s is well formed; otherwise *bad (may be NULL) is the first bad offset. */
bool mgi_utf8_valid(struct str s, size_t *bad);

/* Text that comes in pieces, cut anywhere. A zeroed struct stands before the first byte; `missing`
 * is 0 wherever the text may end. */
struct utf8_stream {
    uint8_t missing;   /* bytes of the character that was begun */
    uint8_t low, high; /* the range of the next of them */
};

/* False as soon as nothing that follows could make the text well formed; the stream is of no use
 * then. */
bool mgi_utf8_feed(struct utf8_stream *u, struct str piece);

size_t mgi_utf8_count(struct str s); /* code points; an ill-formed byte counts as one */

/* The longest prefix of at most max_bytes that does not cut a character. */
struct str mgi_utf8_prefix(struct str s, size_t max_bytes);

/* Append `s` for people: control characters, invisible and bidirectional formatting characters and
 * ill-formed bytes as visible escapes (\n, \u{200f}, \xff). Text from outside goes through this
 * before it reaches a terminal or a log. */
void mgi_utf8_show(struct buf *out, struct str s);

#endif
