/* A program, as the stages hand it on: text/ fills sources, clauses and declarations, check/ the
 * predicates, facts, rules and strata, plan/ the plan; run/ and proof/ only read it. compile.c is
 * the main line. */
#ifndef MGI_MANGLE_PROGRAM_H
#define MGI_MANGLE_PROGRAM_H

#include <stdatomic.h>

#include "base/arena.h"
#include "base/strmap.h"
#include "mangle/program/ast.h"

struct source {
    const char *name;
    struct str text; /* copied into the program's arena */
    uint32_t *lines; /* where each line begins, so that views cost no scan */
    uint32_t line_count;
};

/* Package or Use, at the beginning of a unit. */
struct package_use {
    struct str name; /* empty: none */
    struct span span;
};

/* One source is one compilation unit. */
struct package_unit {
    struct package_use package;
    struct package_use *uses;
    uint32_t use_count;
};

/* descr [name(args)], evaluated; a variable is the string of its name. */
struct descriptor {
    struct str name;
    mangle_value *args;
    uint32_t count;
};

struct pred {
    struct str name; /* after package renaming */
    uint32_t arity;
    bool temporal;
    bool host;       /* known from the host, no Decl and no clause */
    bool derived;    /* IDB: has a rule with a body (M-ANA-5) */
    bool deferred;   /* its rules are run on demand, per call (M-DECL-16) */
    bool assertable; /* overlays may add facts (options.changeable) */
    bool output;     /* the host reads it (options.outputs) */
    bool changeable; /* assertable, or something it is derived from is; filled by mgi_plan */
    const struct decl *decl;                /* or NULL: synthetic */
    struct span first;                      /* Decl or first clause */
    const struct mangle_external *external; /* of program.externals, or NULL */
    struct lattice_decl *lattice;           /* or NULL */
    uint32_t stratum; /* index into program.strata for derived and lattice ones; UINT32_MAX else */
    const char **arg_names; /* or NULL */
    const char *doc;
    const char **bounds; /* per column, see mangle_pred_bound() */
    const struct descriptor *descriptors;
    uint32_t descriptor_count;
    bool private_to_package; /* private() */
    bool *input;             /* per column: `+` in every mode (M-ANA-20); NULL: no modes */
    mangle_value reflects;   /* reflects(/p), or MANGLE_NONE */

    /* trust.c */
    bool privileged;              /* holds only on grounds that are vouched for */
    bool tainted;                 /* may rest on hearsay */
    mangle_pred vouched, claimed; /* its copies, or MANGLE_NO_PRED */
    mangle_pred original;         /* of a copy; else MANGLE_NO_PRED */

    /* least.c: rules read this copy of it, which keeps the best values alone; or MANGLE_NO_PRED. It
     * is put off then: derived only for who looks at it. */
    mangle_pred keeper;
};

enum merging { MERGE_BY_RULES, MERGE_LEAST, MERGE_GREATEST };

struct lattice_decl { /* fundep and merge (M-EVAL-40) */
    uint32_t *source; /* columns */
    uint32_t source_count, target_count;
    uint32_t target;
    mangle_pred merge;
    enum merging merging; /* what its rules come to; filled by mgi_plan */
};

/* A program fact, evaluated (M-ANA-4). */
struct fact {
    mangle_pred pred;
    const mangle_value
        *args; /* NULL if they call fn:time:now: then clause->head.args are evaluated */
    bool temporal;
    struct annotation annotation; /* unresolved: `now` is known only at evaluation (M-TEMP-10) */
    bool reads_now; /* calls fn:time:now or is annotated with now: evaluated per overlay */
    const struct clause *clause;
};

struct stratum { /* one strongly connected component, in evaluation order */
    mangle_pred *preds;
    uint32_t pred_count;
    uint32_t *rules; /* indexes into program.rules, program order */
    uint32_t rule_count;
    bool recursive; /* some rule reads a predicate of this component */
};

struct plan; /* plan.h */

struct mangle_program {
    atomic_uint refs;
    struct arena arena;
    mangle_values *values; /* frozen when compilation ends */
    struct source *sources;
    struct package_unit *units; /* one for each source */
    size_t source_count;

    struct pred *preds;
    size_t pred_count, pred_cap;
    struct strmap pred_index; /* "name/arity" -> index */

    struct decl *decls;
    size_t decl_count, decl_cap;
    struct clause *clauses; /* as parsed: facts and rules */
    size_t clause_count, clause_cap;

    struct strmap
        broken; /* names whose clause or Decl has a syntax error: nobody complains of them */

    struct fact *facts; /* program facts */
    size_t fact_count, fact_cap;
    const struct clause **rules; /* clauses with a body, program order */
    const char **rule_texts;     /* canonical text of each rule */
    mangle_pred **rule_bodies;   /* non-built-in premises of each rule */
    uint32_t *rule_body_counts;
    size_t rule_count;

    /* trust.c and plan/demand.c: the last so many predicates and rules are of no source. */
    size_t copied_preds, copied_rules;
    uint32_t *rule_origins; /* per rule, a copy's is the rule that it copies; NULL: no copies */
    bool *rule_barred;      /* per rule of the sources: it cannot vouch; or NULL */

    struct mangle_external *externals;
    size_t external_count;

    struct stratum *strata;
    size_t stratum_count;
    struct plan *plan;
    bool allow_dangerous, check_bounds, doubt_warns;
    bool puts_off;      /* some predicate has a keeper */
    bool outputs_known; /* what is no pred.output is read by rules alone */
    size_t host_source_count;
    mangle_pred now_marker;          /* __now, or MANGLE_NO_PRED (M-TEMP-90) */
    struct mangle_zone_source zones; /* `find` NULL: none */
};

/* ---- program.c ----------------------------------------------------------------------------- */

mangle_program *mgi_program_new(void);
void mgi_program_free(mangle_program *p); /* whatever stage it has reached */

mangle_pred mgi_pred_add(mangle_program *p, struct str name,
                         uint32_t arity); /* or MANGLE_NO_PRED: memory */
mangle_pred mgi_pred_find(const mangle_program *p, struct str name, uint32_t arity);
/* What callers know a predicate or a rule as: copies of trust.c go by their originals. */
mangle_pred mgi_pred_shown(const mangle_program *p, mangle_pred pred);
size_t mgi_rule_shown(const mangle_program *p, size_t rule);
/* A fact that is vouched for stands in two places: does it stand here for the second time? */
bool mgi_is_vouched_copy(const mangle_program *p, mangle_pred pred);
/* Derived only for who looks at it: rules read its keeper. */
static inline bool mgi_is_put_off(const mangle_program *p, mangle_pred pred)
{
    return p->preds[pred].keeper != MANGLE_NO_PRED;
}
uint32_t mgi_line_at(const mangle_program *p, struct span span); /* of its beginning, from 1 */
/* A clause or Decl of this name has a syntax error: what is said about the name may be wrong. */
bool mgi_name_broken(const mangle_program *p, struct str name);
/* How often the descriptor stands in the declaration. */
uint32_t mgi_decl_says(const struct decl *d, const char *name);

#endif
