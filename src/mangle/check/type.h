/* Types as terms (mangle.md section 5): a name is a TERM_CONST, a constructor a TERM_APPLY such as
 * fn:List(/number). Type variables and string bounds are gone: mgi_type_of_bound() replaced them.
 */
#ifndef MGI_MANGLE_TYPE_H
#define MGI_MANGLE_TYPE_H

#include "mangle/program/program.h"

struct types {
    const mangle_program *p;
    mangle_values *values; /* of the program, or of an overlay above it */
    bool exact;            /* membership at run time: structs have no other labels */
    struct arena *arena;
    mangle_value any, bot, number, float64, string, bytes, name, time, duration; /* as names */
    const struct term *any_type, *bot_type;
    mangle_value *prefixes; /* name types of the declared bounds, for M-TYPE-41 */
    size_t prefix_count, prefix_cap;
    bool oom;
};

/* For values of `values`; without the prefixes of M-TYPE-41, which inference needs. */
bool mgi_types_open(struct types *k, const mangle_program *p, mangle_values *values,
                    struct arena *arena);
bool mgi_types_init(struct types *k, mangle_program *p, struct arena *arena);

const struct term *mgi_type_name(struct types *k, mangle_value name);
const struct term *mgi_type_apply(struct types *k, const char *name, const struct term *const *args,
                                  uint32_t count);
bool mgi_type_is(const struct term *t, const char *constructor);
bool mgi_type_is_base(const struct types *k, mangle_value name); /* /any, /number, … */

bool mgi_type_conforms(struct types *k, const struct term *s, const struct term *t); /* 5.3 */
bool mgi_type_has(struct types *k, const struct term *t, mangle_value v); /* 5.1, M-TYPE-71 */
/* Does `s` conform to `t`, and does `t` show every label that structs of `s` have? */
bool mgi_type_covers(struct types *k, const struct term *t, const struct term *s);
/* The least type above both, which shows every label of either; the greatest below both, or NULL if
 * that is empty. */
const struct term *mgi_type_join(struct types *k, const struct term *a, const struct term *b);
const struct term *mgi_type_meet(struct types *k, const struct term *a, const struct term *b);
/* The type of field `label` of a struct, union or tagged union, NULL if it has none; any of /any.
 */
const struct term *mgi_type_field(struct types *k, const struct term *t, mangle_value label);
const struct term *mgi_type_of_value(struct types *k, mangle_value v); /* 5.4 */
const struct term *mgi_type_of_bound(struct types *k, const struct term *bound);

/* ---- what the bounds check finds out (types.c) ------------------------------------------------
 */

/* Who wants to know what the bounds check finds out, of a program that may have errors. `blamed`
 * says that a clause or Decl is faulty: nothing is concluded from it. */
struct type_listener {
    bool (*blamed)(void *context, struct span clause);
    /* A rule's variables, NULL where nothing is known; terms live until return. */
    void (*on_rule)(void *context, const struct clause *c, const struct term *const *vars);
    void (*on_column)(void *context, mangle_pred pred, uint32_t column, const struct term *type);
    void *context;
};
enum mangle_status mgi_infer_types(mangle_program *p, const struct type_listener *listener);

#endif
