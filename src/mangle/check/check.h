/* The stages between parsing and planning, in order. Each reports all it finds into the diags and
 * returns MANGLE_OK unless memory is short; compile.c stops where errors make the next stage
 * meaningless. */
#ifndef MGI_MANGLE_CHECK_H
#define MGI_MANGLE_CHECK_H

#include "mangle/program/program.h"

/* package.c, section 7: every predicate gets its full name. */
enum mangle_status mgi_packages(mangle_program *p, mangle_diags *diags);

/* declare.c, section 6: the predicates of the host, of declarations and of clause heads, and what
 * each Decl says. Fills p->preds. `options` may be NULL. */
enum mangle_status mgi_declare(mangle_program *p, const struct mangle_compile_options *options,
                               mangle_diags *diags);

/* resolve.c, M-ANA-40 to 45: every atom of a body gets its predicate or built-in, every call its
 * function, where there is one. Reports nothing: what is missing is told by the clause check, at
 * its turn. */
void mgi_resolve(mangle_program *p);

/* rewrite.c, 8.2: premises that test stand behind those that bind what they need; a predicate that
 * reflects a type is replaced by its test. Before that, each rule keeps its text as written.
 * Reports nothing. */
enum mangle_status mgi_order_premises(mangle_program *p);

/* safety.c, 8.3: every variable is bound where it is needed, and names, functions, transforms and
 * times are used as they may be. Marks clauses that are faulty. */
enum mangle_status mgi_check_safety(mangle_program *p, mangle_diags *diags);

/* collect.c, M-ANA-4 and 5: clauses become what is run. Fills p->facts, with their values, and
 * p->rules. Facts that are faulty are left out, rules are not: stratification looks at all. */
enum mangle_status mgi_collect(mangle_program *p, mangle_diags *diags);

/* prefix.c, M-PRED-4: a name in the program that a test of prefixes leaves out, though its text
 * begins so. Warns. */
enum mangle_status mgi_check_prefixes(mangle_program *p, mangle_diags *diags);

/* eternal.c, M-TEMP-31: a premise that wants facts which hold always, where nothing makes one.
 * Warns. */
enum mangle_status mgi_check_eternal(const mangle_program *p, mangle_diags *diags);

/* stratify.c, section 9: negation and groups read closed strata. Fills p->strata. */
enum mangle_status mgi_stratify(mangle_program *p, mangle_diags *diags);
/* Once a stage has put in copies of predicates: they add no cycle that the originals lack, so
 * nothing new is found. */
enum mangle_status mgi_stratify_again(mangle_program *p);

/* recursion.c, 8.5: rules that can run away in time. */
enum mangle_status mgi_check_time(mangle_program *p, mangle_diags *diags);

/* types.c, 5.5: values fit the types of their columns. Only if the host wants to know. */
enum mangle_status mgi_check_bounds(mangle_program *p, mangle_diags *diags);

/* trust.c: rules of privileged predicates read what is vouched for, and nothing else. Adds copies
 * of predicates and rules, so it is the last of the stages. `options` may be NULL. */
enum mangle_status mgi_separate_trust(mangle_program *p,
                                      const struct mangle_compile_options *options,
                                      mangle_diags *diags);

#endif
