/* Bases and overlays from inside: what base.c, overlay.c and query.c share with mangle/proof. */
#ifndef MGI_MANGLE_BASE_H
#define MGI_MANGLE_BASE_H

#include <stdatomic.h>

#include "mangle/run/eval.h"
#include "mangle/run/match_rows.h"

struct mangle_base {
    atomic_uint refs;
    mangle_program *program;
    mangle_values *values; /* grow until the base is closed */
    struct rel *rels;      /* per predicate */
    const struct plan
        *plan; /* what overlays run: the program's, or one for these facts in `arena` */
    struct arena arena;
    bool plan_always;    /* a test: also for few rows */
    struct eval eval;    /* until it is closed */
    int64_t *fired;      /* per rule, once it is closed */
    struct asked *asked; /* of the host, per external predicate */
    uint32_t birth;      /* rounds so far, for proofs */
    int64_t facts_given;
    struct mangle_stats stats; /* once it is closed */
    bool closed, failed;
};

struct fact_list {
    struct mangle_fact *facts; /* in the overlay's arena; NULL: not made yet */
    size_t count;
};

struct mangle_overlay {
    mangle_base *base;
    mangle_values *values; /* above the base's */
    struct rel *rels;      /* above the base's */
    struct arena arena;    /* what was handed out: lists of facts, proofs */
    struct eval eval;
    struct match_rows *matched;
    struct asked *asked;     /* of the host, beside what the base asked */
    struct fact_list *lists; /* per predicate */
    mangle_pred *listed;     /* which lists are there */
    uint32_t listed_count;
    struct arena lasting;         /* what questions share: `changes` */
    struct changes *changes;      /* for mangle_overlay_valid_until(); NULL: not made yet */
    int64_t max_facts, max_bytes; /* of its evaluation */
    bool evaluated, failed;
};

/* After evaluation, before anything but outputs is looked at: `pred`, or, with MANGLE_NO_PRED, all
 * of it is there. */
enum mangle_status mgi_overlay_complete(mangle_overlay *o, mangle_pred pred);

/* Does the fact fit? Fills err. */
enum mangle_status mgi_fact_check(const mangle_program *p, mangle_pred pred,
                                  const mangle_value *args, uint32_t count,
                                  const struct mangle_interval *t, struct mangle_error *err);
/* A fact of the base's owner, who vouches for it. */
enum mangle_status mgi_base_give(mangle_base *base, mangle_pred pred, const mangle_value *args,
                                 struct mangle_interval t);
/* Many that hold always, row after row: the same as one after the other, and cheaper. */
enum mangle_status mgi_base_give_rows(mangle_base *base, mangle_pred pred, const mangle_value *rows,
                                      size_t count);
/* When all that follows is there: plans for overlays, indexes, and the evaluation is over. */
enum mangle_status mgi_base_finish(mangle_base *base);
/* base_plan.c: fills base->plan, whose searches the relations then have, when all that the base
 * derives is there and nothing is frozen yet. */
enum mangle_status mgi_base_plan(mangle_base *base);
int64_t mgi_rel_facts(const struct rel *rel); /* own rows, of a temporal relation own entries */

/* The rows of `pred` that match, base and overlay, sorted by value, in the overlay's arena; NULL if
 * memory is short. pattern NULL: all. */
uint32_t *mgi_overlay_rows(mangle_overlay *o, mangle_pred pred, const mangle_value *pattern,
                           size_t *count);

/* The same in no order, for many small questions; `steps` goes down by the rows looked at. */
const uint32_t *mgi_overlay_matching(mangle_overlay *o, mangle_pred pred,
                                     const mangle_value *pattern, size_t *count, int64_t *steps);

/* The atom of a query text, its predicate perhaps MANGLE_NO_PRED, and what each argument must
 * equal: MANGLE_NONE for variables. Both live in the overlay's arena. (query.c) */
enum mangle_status mgi_query_atom(mangle_overlay *o, struct str text, struct clause *c,
                                  mangle_value **pattern, mangle_diags *diags);

#endif
