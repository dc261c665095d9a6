/* What a person is shown before consent, written by the bridge and not by the model (X-BRIDGE-7).
 */
#ifndef MGI_BRIDGE_CONSENT_TEXT_H
#define MGI_BRIDGE_CONSENT_TEXT_H

#include "base/buf.h"
#include "manglecp.h"

#define CONSENT_TEXT_BYTES ((size_t)4 * 1024)

/* Append the question: tool, effects, arguments, what rules filled in. One line each; control and
 * invisible characters escaped; at most CONSENT_TEXT_BYTES, and it says so where it is cut. */
void mgi_consent_text(struct buf *out, const struct manglecp_consent *what);

#endif
