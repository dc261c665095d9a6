/* The search for one derivation, and what a rule needs for it: explain_solve.c finds it,
 * explain.c makes proofs of it. */
#ifndef MGI_MANGLE_EXPLAIN_SOLVE_H
#define MGI_MANGLE_EXPLAIN_SOLVE_H

#include "mangle/proof/explain.h"

struct explainer {
    mangle_overlay *o;
    struct arena *arena;
    struct places places;
    struct proof **proofs; /* per place; NULL: being made */
    size_t proofs_cap;
    bool simple;
    uint32_t walks;
    uint32_t limit; /* of an answer of a deferred predicate: when the fact was born that needs it */
};

void *mgi_explain_take(struct explainer *e, size_t count, size_t size); /* zeroed; NULL: memory */

/* One way in which the premises of a rule hold. */
struct solution {
    bool found;
    uint32_t *regs;       /* of the clause's variables */
    struct place *places; /* per premise */
    bool *positive;       /* per premise: places[i] is set */
    uint32_t born;        /* of the fact: its premises came before */
    bool whole;           /* it makes all of the fact's interval */
};

/* The solutions of a rule, one after the other. All zero is the beginning. */
struct series {
    struct solution last;
    bool loose;
};

/* The next solution for this head, the smallest first; out->found is false behind the last. */
enum mangle_status mgi_explain_solution(struct explainer *e, const struct rule *rule,
                                        const struct place *head, const struct series *series,
                                        struct solution *out);

/* The facts behind the group of a do-rule that has these keys: each once, in order. */
struct group_facts {
    struct place *places;
    size_t count;
};
enum mangle_status mgi_explain_group(struct explainer *e, const struct rule *rule,
                                     const struct place *head, const mangle_value *keys,
                                     struct group_facts *out);

#endif
