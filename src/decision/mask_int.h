/* Shared inside src/decision: mask.c hides values where they are structured, mask_text.c remembers
 * them and takes them out of free texts. */
#ifndef MGI_DECISION_MASK_INT_H
#define MGI_DECISION_MASK_INT_H

#include "decision/mask.h"

extern const struct str mgi_mask_shown; /* in place of what is hidden */

/* What a value showed: no free text will. */
void mgi_mask_secret(struct mask *m, struct str s);
void mgi_mask_secrets(struct mask *m, const struct json *v);
/* A number that was hidden, or may have been. */
bool mgi_mask_repeats(const struct mask *m, const struct json *v);

#endif
