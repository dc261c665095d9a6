/* Findings about source text, as stages report them. */
#ifndef MGI_MANGLE_DIAG_H
#define MGI_MANGLE_DIAG_H

#include <stdarg.h>

#include "mangle/program/program.h"

#define DIAG_MAX_ERRORS 100 /* of one compilation; the rest is counted but not kept */

/* Nothing is returned: memory failure is remembered and mgi_diags_status() reports it. `hint` may
 * be NULL. `diags` may be NULL: then only the count of errors is kept, in the program's stage. */
void mgi_diag(mangle_diags *diags, const mangle_program *p, enum mangle_severity severity,
              const char *code, struct span span, const char *hint, const char *format, ...)
    __attribute__((format(printf, 7, 8)));
enum mangle_status mgi_diags_status(const mangle_diags *diags); /* OK, ERR_PROGRAM or ERR_NOMEM */

/* A new compilation reports into `diags`: status, cap and sorting concern what comes from now on.
 */
void mgi_diags_begin(mangle_diags *diags);

/* Until the next one begins, warnings are errors (M-ANA-75). */
void mgi_diags_strict(mangle_diags *diags);

/* What is reported from now on belongs to this clause and is sorted at its place, in the order of
 * reporting: the first error of a clause is the one that M-ANA-53 names. NULL ends it. */
void mgi_diags_anchor(mangle_diags *diags, const struct span *clause);

void mgi_diags_sort(mangle_diags *diags); /* by place, since mgi_diags_begin() */

/* As mgi_diag(), for text that is no source of a program. */
void mgi_diag_at(mangle_diags *diags, const struct source *source, enum mangle_severity severity,
                 const char *code, struct span span, const char *hint, const char *format, ...)
    __attribute__((format(printf, 7, 8)));
void mgi_diag_va(mangle_diags *diags, const struct source *source, enum mangle_severity severity,
                 const char *code, struct span span, const char *hint, const char *format,
                 va_list args);

void mgi_diags_nomem(mangle_diags *diags); /* memory was short while a finding was worded */

/* Since mgi_diags_begin(): was an error reported that is sorted at this clause or Decl? Was one of
 * a class that begins with `prefix`, or are there more than are kept? */
bool mgi_diags_blame(const mangle_diags *diags, struct span clause);
bool mgi_diags_has_class(const mangle_diags *diags, const char *prefix);

/* No further error is kept, or there is nobody to read it: looking for a hint would be in vain. A
 * hint costs as much as the program has names, so without this a file of faults would cost their
 * product. */
bool mgi_diags_full(const mangle_diags *diags);

/* Text that lives as long as the diags, for hints; NULL when memory is short (also remembered). */
const char *mgi_diag_text(mangle_diags *diags, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
