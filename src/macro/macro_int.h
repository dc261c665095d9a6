/* Shared inside src/macro. */
#ifndef MGI_MACRO_MACRO_INT_H
#define MGI_MACRO_MACRO_INT_H

#include "macro/macro.h"

/* The member "evidence" of a definition. False: it is not there, or is none, or memory is short. */
void mgi_evidence_write(struct json_writer *w, const struct evidence *items, size_t count);
bool mgi_evidence_read(struct arena *arena, const struct json *root, struct macro *out);

#endif
