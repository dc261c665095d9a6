/* Text read against a program that is there already: one atom of a query, facts for a base, single
 * values. Nothing of the program changes. */
#ifndef MGI_MANGLE_TARGET_H
#define MGI_MANGLE_TARGET_H

#include "mangle/program/diag.h"

struct parse_target {
    const mangle_program *program; /* predicates are resolved against it */
    struct arena *into;            /* may be an overlay's */
    mangle_values *values;         /* where values are made */
    mangle_diags *diags;           /* may be NULL */
};

/* One atom (M-IO-1, M-SYN-16): the head only; its variables are filled in, its predicate perhaps
 * MANGLE_NO_PRED. MANGLE_ERR_PROGRAM after reporting, MANGLE_ERR_NOMEM. */
enum mangle_status mgi_parse_atom(const struct parse_target *target, struct str text,
                                  struct clause *out);

/* The facts of a source, in target->into. MANGLE_ERR_PROGRAM after reporting all that is wrong. */
enum mangle_status mgi_parse_facts(const struct parse_target *target,
                                   const struct mangle_source *source, struct fact **facts,
                                   size_t *count);

struct fact_rows { /* facts of one predicate: their arguments, fact after fact */
    mangle_value *words;
    size_t count, cap; /* of words */
};

/* The same, but facts of predicates that are not temporal, and that do not read `now`, go into
 * `rows`, which has an element per predicate: no memory is taken but for their words, and plain
 * ones (plain.h) need no parser. The caller gives the words back (mgi_free), whatever the result.
 */
enum mangle_status mgi_parse_fact_rows(const struct parse_target *target,
                                       const struct mangle_source *source, struct fact_rows *rows,
                                       struct fact **facts, size_t *count);

/* ---- values, line by line (target_value.c) --------------------------------------------------- */

/* Each line of a text is one value: for a reader of files that has no use for syntax trees. Memory
 * of a line is used again by the next one. */
struct value_reader;

/* `source` and what `target` names are borrowed until mgi_value_reader_free(); target->into is not
 * used. NULL when memory is short. */
struct value_reader *mgi_value_reader_new(const struct parse_target *target,
                                          const struct source *source);
void mgi_value_reader_free(struct value_reader *r);

/* The predicate of facts that are given to the program; MANGLE_NO_PRED after reporting at `span`.
 */
mangle_pred mgi_value_reader_pred(struct value_reader *r, struct str name, uint32_t count,
                                  struct span span);

/* The value that stands at `line` and ends with it; MANGLE_NONE after reporting, or when memory is
 * short (mgi_value_reader_oom()). */
mangle_value mgi_value_reader_line(struct value_reader *r, struct span line);
bool mgi_value_reader_oom(const struct value_reader *r);

#endif
