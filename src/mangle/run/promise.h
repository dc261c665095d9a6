/* The types that a Decl promises of its arguments, for many facts of one predicate. */
#ifndef MGI_MANGLE_PROMISE_H
#define MGI_MANGLE_PROMISE_H

#include "base/arena.h"
#include "base/buf.h"
#include "mangle/check/type.h"

/* Is `v` of `type`, what `column` (from 0) of a Decl has to be? Else `why` says so. Memory that is
 * short (types->oom) keeps every promise. */
bool mgi_promise_kept(struct types *types, const struct decl *decl, uint32_t column,
                      const struct term *type, mangle_value v, struct buf *why);

struct promise {
    struct arena arena;
    struct types types;
    const struct decl *decl; /* NULL: it promises nothing */
    uint32_t arity;
    const struct term **rows; /* of its bounds, as types */
    struct buf why;           /* of the last fact that does not keep it */
};

/* What the Decl of `pred` says of values of `values`. False: memory; mgi_promise_fini() all the
 * same. */
bool mgi_promise_init(struct promise *p, const mangle_program *program, mangle_values *values,
                      mangle_pred pred);
void mgi_promise_fini(struct promise *p);

/* In some row of the bounds every argument has its type. False: p->why. */
bool mgi_promise_holds(struct promise *p, const mangle_value *args);

#endif
