/* Hints that need the program: which predicate, package or word was meant. NULL if there is nothing
 * to say, or memory is short; else the text lives as long as the diags. */
#ifndef MGI_MANGLE_SUGGEST_H
#define MGI_MANGLE_SUGGEST_H

#include "mangle/program/diag.h"

const char *mgi_hint_pred(const mangle_program *p, struct str name, uint32_t arity,
                          mangle_diags *diags); /* `Did you mean "edge/2"?` */
const char *mgi_hint_call(const struct pred *pred, mangle_diags *diags); /* `Write edge(X, Y).` */
/* What a built-in does, and its example: `The sum. For example p(Y) :- n(X), Y = fn:plus(X, 1).` */
const char *mgi_hint_builtin(const char *doc, const char *example, mangle_diags *diags);
const char *mgi_hint_package(const mangle_program *p, struct str name, mangle_diags *diags);
const char *mgi_near_descriptor(struct str name);
const char *mgi_base_type_meant(struct str name); /* "/number" for "/int" */
/* Parts of messages; never NULL. */
const char *mgi_known_arities(const mangle_program *p, struct str name, mangle_diags *diags);
const char *mgi_where(const mangle_program *p, struct span here, struct span there,
                      mangle_diags *diags); /* "in line 3", "in other.mg:3" */

#endif
