/* A document's text and the three ways to point into it: byte offsets (ours), lines and characters
 * of the protocol, and Mangle's lines and columns (from 1, in code points).
 *
 * The text is always well-formed UTF-8. Lines end in \n, \r\n or \r, as the protocol has it; Mangle
 * counts \n only. */
#ifndef MGI_LSP_TEXT_H
#define MGI_LSP_TEXT_H

#include <stdint.h>

#include "base/buf.h"

enum text_units { UNITS_UTF16, UNITS_UTF8, UNITS_UTF32 }; /* what "character" counts */

struct position {
    uint32_t line, character; /* from 0 */
};

struct text {
    struct buf body;
    size_t *lines; /* where each begins */
    size_t line_count, line_cap;
};

void mgi_text_fini(struct text *t);
/* Replace all; ill-formed bytes become U+FFFD. False: memory. */
bool mgi_text_set(struct text *t, struct str s);
/* Replace [from, to). */
bool mgi_text_splice(struct text *t, size_t from, size_t to, struct str s);

/* A position behind the line's or text's end is its end; one within a character its beginning. */
size_t mgi_text_offset(const struct text *t, struct position p, enum text_units units);
struct position mgi_text_position(const struct text *t, size_t offset, enum text_units units);
/* The same for an offset behind `known`, whose position is known. */
struct position mgi_text_position_after(const struct text *t, size_t known, struct position p,
                                        size_t offset, enum text_units units);
/* The offset of a place that Mangle names. */
size_t mgi_text_place(const struct text *t, uint32_t line, uint32_t column);
/* `count` code points behind `offset`. */
size_t mgi_text_forward(const struct text *t, size_t offset, uint32_t count);

#endif
