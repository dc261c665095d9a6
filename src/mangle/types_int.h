/* What the files of the bounds check share. */
#ifndef MGI_MANGLE_TYPES_INT_H
#define MGI_MANGLE_TYPES_INT_H

#include "mangle/type.h"

/* One alternative of what the variables of a clause may be. */
struct infer {
    struct types *k;
    const struct term **vars; /* NULL: nothing known yet */
};

/* NULL: no type, the expression cannot succeed (M-TYPE-52). */
const struct term *mgi_infer(struct infer *f, const struct term *e);
/* Meet the argument with `type`; false if nothing is left. */
bool mgi_narrow(struct infer *f, const struct term *arg, const struct term *type);
bool mgi_infer_builtin(struct infer *f, const struct atom *a, bool negated);

#endif
