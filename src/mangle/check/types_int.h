/* What the files of the bounds check share. */
#ifndef MGI_MANGLE_TYPES_INT_H
#define MGI_MANGLE_TYPES_INT_H

#include "mangle/program/diag.h"
#include "mangle/check/type.h"

/* Why a premise, fact or head does not fit: the first argument that fails, over all rows. */
struct mismatch {
    const struct term *arg;   /* as written; NULL: nothing noted */
    const struct term *given; /* its type; NULL: a constant, or no type at all */
    const struct term *wanted;
    const struct term *field; /* the label that `given` lacks, or NULL */
    bool several;             /* rows fail at different arguments */
    bool unproven;            /* some value of the given type would be of the wanted one, too */
};

/* One alternative of what the variables of a clause may be. */
struct infer {
    struct types *k;
    const struct term **vars; /* NULL: nothing known yet */
    struct mismatch *why;     /* or NULL: nobody asks */
};

/* NULL: no type, the expression cannot succeed (M-TYPE-52). */
const struct term *mgi_infer(struct infer *f, const struct term *e);
/* May this argument, a constant, stand where `type` is wanted? If not, that is noted. */
bool mgi_constant_fits(struct infer *f, const struct term *arg, const struct term *type);
/* Meet the argument with `type`; false if nothing is left. */
bool mgi_narrow(struct infer *f, const struct term *arg, const struct term *type);
void mgi_mismatch(struct infer *f, const struct term *arg, const struct term *given,
                  const struct term *wanted);
void mgi_mismatch_field(struct infer *f, const struct term *arg, const struct term *given,
                        const struct term *field);
bool mgi_infer_builtin(struct infer *f, const struct atom *a, bool negated);

/* Reports (types_report.c). */
struct type_report {
    struct types *k;
    const struct var *vars; /* of the clause at hand */
    mangle_diags *diags;
};
void mgi_report_fact(const struct type_report *r, const struct atom *head, uint32_t column,
                     const struct mismatch *why);
void mgi_report_premise(const struct type_report *r, const struct premise *premise,
                        const struct mismatch *why);
void mgi_report_head(const struct type_report *r, enum mangle_severity severity,
                     const struct atom *head, uint32_t column, const struct mismatch *why,
                     struct infer *f);

#endif
