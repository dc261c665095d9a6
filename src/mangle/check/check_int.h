/* What the files of the clause check share: the clause at hand, and what is known of its variables.
 */
#ifndef MGI_MANGLE_CHECK_INT_H
#define MGI_MANGLE_CHECK_INT_H

#include "mangle/check/check.h"
#include "mangle/program/diag.h"

struct check {
    const mangle_program *p;
    mangle_values *values; /* where constants are made */
    struct arena *arena;   /* what outlives the check */
    mangle_diags *diags;
    const struct source *source; /* of what is checked; NULL: by span, a source of p */
    struct clause *c;
    struct arena scratch;
    /* per variable of c; in scratch */
    bool *bound;     /* by now */
    bool *told;      /* reported already */
    uint32_t *alias; /* union-find over X = Y */
    bool failed;     /* something of this clause was reported */
    bool oom;
};

void mgi_check_error(struct check *k, const char *code, struct span span, const char *hint,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));
bool mgi_check_begin(struct check *k, struct clause *c); /* fresh marks; false: memory */
void mgi_inputs_bind(struct check *k); /* head variables at `+` positions have a value already */

typedef void term_visit(struct check *k, const struct term *var, void *context);
void mgi_each_var(struct check *k, const struct term *t, term_visit *visit, void *context);

bool mgi_var_bound(const struct check *k, uint32_t var); /* itself or an alias */
void mgi_var_bind(struct check *k, uint32_t var);
const char *mgi_hint_var(struct check *k, uint32_t var); /* `Did you mean "Name"?` */
void mgi_var_unify(struct check *k, uint32_t a, uint32_t b);
bool mgi_vars_bound(struct check *k, const struct term *t); /* all of the term */
void mgi_vars_bind(struct check *k, const struct term *t);

/* What a premise binds once it has been evaluated (precise for `=`). */
void mgi_premise_bind(struct check *k, const struct premise *premise);

void mgi_resolve_functions(struct clause *c); /* resolve.c: rows of all calls */
/* Report what mgi_resolve() did not find, and calls of the wrong arity or place. */
void mgi_check_predicates(struct check *k);
void mgi_check_functions(struct check *k);
void mgi_check_redefinitions(struct check *k); /* transform.c: M-ANA-31 */
void mgi_check_transform(struct check *k);     /* M-ANA-32 to 39; fills the group keys */
/* A clause without a body that is no part of the program: variables, functions, time bounds. */
void mgi_check_fact_clause(struct check *k);
/* A checked clause without a body as a fact; its values in `into`. False after reporting. */
bool mgi_fact_from_clause(struct check *k, struct arena *into, const struct clause *c,
                          struct fact *out);
/* The predicate of a fact that is added to the program k->p; MANGLE_NO_PRED after reporting. */
mangle_pred mgi_fact_pred(struct check *k, struct str name, uint32_t count, struct span span);
/* The value of a ground term; MANGLE_NONE after reporting FACT_EVAL. */
mangle_value mgi_term_evaluate(struct check *k, const struct term *t);
bool mgi_term_reads_now(const struct term *t);

/* ---- declarations (bound.c) ----------------------------------------------------------------- */

/* Is each type of the `bound` rows well-formed (section 5.2)? Reports. */
void mgi_check_bound_terms(mangle_program *p, const struct decl *d, mangle_diags *diags);
/* String bounds that refer to each other in a circle (DECL_CYCLE) or to nothing. False: memory. */
bool mgi_check_bound_references(mangle_program *p, mangle_diags *diags);

#endif
