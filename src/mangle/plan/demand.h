/* Demand: overlays derive of inner predicates only what leads to outputs.
 *
 * A predicate is *demanded* if the host does not read it (options.outputs), its rules are monotone
 * and cannot fail, and every rule that reads it knows, from few facts of the request, the values of
 * some of its columns: the same columns everywhere, its *bound* ones. Then what is asked for is a
 * relation of its own, filled by rules that ask, from what stands beside the atom that is read; and
 * each rule of the demanded predicate is guarded by it.
 *
 *     hit(X) :- seen(X), path(X, Y), goal(Y).     ?path(X) :- seen(X).
 *     path(X, Y) :- edge(X, Y).                   path(X, Y) :- edge(X, Y), ?path(X).
 *     path(X, Z) :- edge(X, Y), path(Y, Z).       path(X, Z) :- edge(X, Y), path(Y, Z), ?path(X).
 *                                                 ?path(Y) :- ?path(X), edge(X, Y).
 *
 * A base is evaluated by the rules as they are written, so it has the answers from base facts
 * alone, whatever is asked. Only codes for news are guarded, in overlays.
 *
 * It is right because a solution of a reading rule makes every rule that asks for its sake derive
 * the values it reads: the premises of those are among its own, and complete. So they are never
 * demanded themselves, nor behind what is: first comes all that does not wait for demand, then what
 * is asked for, to its fixpoint, then the rest. What is left out by a reader that could fail on it,
 * or negates it for other values, would show: such readers know nothing of bound columns, and what
 * they read is derived as before. */
#ifndef MGI_MANGLE_DEMAND_H
#define MGI_MANGLE_DEMAND_H

#include "mangle/plan/plan_int.h"

/* demand.c: which predicates are demanded, by which columns; makes plan->demand if there are some.
 * Adds predicates and rules, so it comes before codes are made. */
enum mangle_status mgi_demand(mangle_program *p, struct plan *plan);

/* ---- between demand.c and demand_rules.c ------------------------------------------------------
 */

#define DEMAND_MAX_PREMISES 32 /* of a rule that asks or is guarded: a bit each */

struct demands {
    mangle_program *p;
    struct plan *plan;
    struct arena scratch;
    bool *empty; /* per predicate: a base has none of it, as far as the program says */
    bool *waits; /* per stratum: has demanded predicates, or reads what waits */
    bool hoping; /* demanded predicates, too, may say what is asked for */
};

/* demand_sides.c: which premises of `rule` say what is asked for of premise `read`. */
struct sides {
    uint32_t premises; /* a bit each */
    uint32_t first;    /* of them; NO_PREMISE: what the rule itself is asked for */
    bool asked;        /* what the rule itself is asked for is one of them, too */
    uint64_t columns;  /* of the atom that is read: known then */
};
#define NO_PREMISE UINT32_MAX
bool mgi_demand_is_plain(const mangle_program *p, const struct premise *m); /* a stored atom */
/* Columns 0: nothing does. *s are all premises that may help. False: memory. */
bool mgi_demand_sides(struct demands *d, const struct rule *rule, uint32_t read, struct sides *s);
/* Those of *s that are needed for `columns`, and those that test what is known then. */
bool mgi_demand_needed(struct demands *d, const struct rule *rule, uint32_t read, uint64_t columns,
                       struct sides *s);

/* demand_rules.c: predicates for what is asked for, rules that ask, rules that are guarded. */
enum mangle_status mgi_demand_rules(struct demands *d);

#endif
