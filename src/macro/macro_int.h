/* Shared inside src/macro. */
#ifndef MGI_MACRO_MACRO_INT_H
#define MGI_MACRO_MACRO_INT_H

#include "macro/macro.h"

/* The member if it is of this type, or NULL. */
static inline const struct json *mgi_macro_member(const struct json *v, const char *name,
                                                  enum json_type type)
{
    const struct json *m = mgi_json_get(v, name);
    return m && m->type == type ? m : NULL;
}

/* A definition begins with what evaluations of the same tool differ in: evidence and window. What
 * follows in the object is the same as long as the digest is, to the byte, so that merging need not
 * look into it. */
void mgi_macro_begin(struct json_writer *w, const struct macro *m);

/* The member "evidence" of a definition. False: it is not there, or is none, or memory is short. */
bool mgi_evidence_read(struct arena *arena, const struct json *root, struct macro *out);

#endif
