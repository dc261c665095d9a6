/* The filter that every text from a server of somebody else passes before people or models see it
 * (X-ACT-7): NFC, and nothing that is there without being seen.
 *
 * Kept: what is visible, blanks, LF, TAB, and joiners within emoji sequences. Taken out, and
 * counted: other C0 and C1 controls, bidirectional controls, tag characters, zero-width characters,
 * variation selectors that choose nothing, ill-formed bytes, and combining marks beyond 30 on one
 * character. No allocation but that of `out`; linear. */
#ifndef MGI_MCP_CLEAN_H
#define MGI_MCP_CLEAN_H

#include "base/buf.h"

/* Caps of X-ACT-7, in bytes. */
#define CLEAN_NAME_BYTES        128
#define CLEAN_DESCRIPTION_BYTES ((size_t)4 * 1024)
#define CLEAN_SHOWN_BYTES       ((size_t)1024)

/* In characters (ill-formed: bytes); added to, so that one may count over many texts. */
struct clean_counts {
    uint64_t controls, bidi, tags, invisible, marks, malformed;
    uint64_t cut; /* bytes of the input that the cap left out */
};

/* Append at most `max_bytes` of the cleaned text (0: no cap), never half a character. `counts` may
 * be NULL. The same text twice gives the same again. */
void mgi_clean(struct buf *out, struct str text, size_t max_bytes, struct clean_counts *counts);

bool mgi_clean_is_mark(uint32_t code); /* one that combines with what is before it */

uint64_t mgi_clean_removed(const struct clean_counts *counts); /* characters, all kinds */

#endif
