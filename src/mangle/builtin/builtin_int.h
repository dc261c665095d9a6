/* What the families of built-ins share: reading arguments, with the error that says what was wrong,
 * and returning values. `function` is always the name as written in programs. */
#ifndef MGI_MANGLE_BUILTIN_INT_H
#define MGI_MANGLE_BUILTIN_INT_H

#include "mangle/builtin/builtin.h"

/* The families, each ended by a row without a name. builtin.c lists them once more, in order. */
extern const struct function mgi_functions_number[];
extern const struct function mgi_functions_string[];
extern const struct function mgi_functions_structure[];
extern const struct function mgi_functions_time[];
extern const struct function mgi_functions_civil[];
extern const struct function mgi_functions_duration[];
extern const struct function mgi_functions_reduce[];
extern const struct builtin_pred mgi_preds_compare[];
extern const struct builtin_pred mgi_preds_match[];
extern const struct builtin_pred mgi_preds_interval[];

static inline bool call_is(const struct call *c, mangle_value v, enum mangle_kind kind)
{
    return mangle_kind_of(c->values, v) == kind;
}

static inline struct str call_text(const struct call *c, mangle_value v)
{
    struct str s;
    s.ptr = mangle_text_of(c->values, v, &s.len);
    return s;
}

/* CALL_OK if `v` is of the kind, else CALL_ERROR: `fn:plus: expected a number, got "a"`. */
enum call_status mgi_call_expect(struct call *c, const char *function, mangle_value v,
                                 enum mangle_kind kind);
/* The same for integers (number, time, duration), with their value. */
enum call_status mgi_call_int(struct call *c, const char *function, mangle_value v,
                              enum mangle_kind kind, int64_t *n);
/* A number or float, as a double. */
enum call_status mgi_call_double(struct call *c, const char *function, mangle_value v, double *d);
/* `fn:plus: expected <wanted>, got <v>` */
enum call_status mgi_call_mismatch(struct call *c, const char *function, const char *wanted,
                                   mangle_value v);

/* Return `v`, just made: MANGLE_NONE becomes CALL_NOMEM, or the error of M-LIM-13. */
enum call_status mgi_call_return(struct call *c, const char *function, mangle_value v,
                                 mangle_value *out);
enum call_status mgi_call_return_number(struct call *c, uint64_t n, mangle_value *out);
enum call_status mgi_call_return_double(struct call *c, double d, mangle_value *out); /* one NaN */
/* The text of `b`, which is finished then. */
enum call_status mgi_call_return_string(struct call *c, struct buf *b, mangle_value *out);

/* The elements of a list, in scratch; NULL when memory is short. */
const mangle_value *mgi_call_items(struct call *c, mangle_value list);

#endif
