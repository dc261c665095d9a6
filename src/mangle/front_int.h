/* What the stages from parsing to planning share among themselves. */
#ifndef MGI_MANGLE_FRONT_INT_H
#define MGI_MANGLE_FRONT_INT_H

#include "mangle/diag.h"
#include "mangle/program.h"

static inline bool mgi_annotation_eternal(const struct annotation *a)
{
    return a->start.kind == BOUND_OPEN && a->end.kind == BOUND_OPEN;
}

void mgi_term_print(struct buf *out, const mangle_values *values, const struct var *vars,
                    const struct term *t);

/* A clause or Decl of this name has a syntax error: what is said about the name may be wrong. */
bool mgi_name_broken(const mangle_program *p, struct str name);

/* Hints (suggest.c); NULL if there is nothing to say, or memory is short. */
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

/* How often the descriptor stands in the declaration. */
uint32_t mgi_decl_says(const struct decl *d, const char *name);

/* Is each type of the `bound` rows well-formed (section 5.2)? Reports. */
void mgi_check_bound_terms(mangle_program *p, const struct decl *d, mangle_diags *diags);
/* String bounds that refer to each other in a circle (DECL_CYCLE) or to nothing. False: memory. */
bool mgi_check_bound_references(mangle_program *p, mangle_diags *diags);

/* ---- checking clauses (safety.c and its neighbours) ---------------------------------------- */

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

bool mgi_rewrite(struct check *k);          /* rewrite.c, 8.2: order of premises; false: memory */
void mgi_resolve_premises(struct check *k); /* resolve.c: predicates */
void mgi_resolve_functions(struct check *k);
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

#endif
