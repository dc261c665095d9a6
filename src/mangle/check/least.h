/* A minimum behind a recursion is kept inside it.
 *
 *     way(X, 0) :- start(X).
 *     way(Y, D) :- way(X, C), road(X, Y, L), D = fn:plus(C, L), D < 60.
 *     shortest(Y, M) :- way(Y, D) |> do fn:group_by(Y), let M = fn:min(D).
 *
 * derives every length of every way to look for the least. If the host does not read `way`
 * (options.outputs), `shortest` may read a copy of it that keeps the least D of each Y while it is
 * derived (run/best.c), and nothing follows from a length that is beaten:
 *
 *     ?way(X, 0) :- start(X).        ?way: of each first column the least of the second
 *     ?way(Y, D) :- ?way(X, C), road(X, Y, L), D = fn:plus(C, L), D < 60.
 *     shortest(Y, M) :- ?way(Y, D) |> do fn:group_by(Y), let M = fn:min(D).
 *
 * `way` itself is put off: its rules are not run, unless somebody looks at it nevertheless
 * (mgi_eval_complete), or the least has to be given up.
 *
 * Which. P is alone in a recursive component, its rules read stored atoms, built-in predicates and
 * equations, and neither intervals nor `now`; no request adds to it. In one column, the value, of
 * the one atom of P that a rule may have stands a variable V that is nothing but
 *   - compared so that a smaller V passes as well: V < t, V <= t, t > V, t >= V;
 *   - the only value in a sum: D = fn:plus(V, t), D = fn:minus(V, t), at most three terms; of D the
 *     same is asked;
 *   - the head's value column.
 * A rule outside that reads P has V in such comparisons, or `_` there, and if it is a do-rule: its
 * reducers are fn:min and fn:max, of V fn:min alone, and V is no key. For the
 * greatest all of it is the other way round. Everything else runs as it is written.
 *
 * Why it is right. Every fact of ?P is one of P: its rules are those of P. And for each P(k, v)
 * there is a ?P(k, u) with u <= v, by induction over how P(k, v) was derived: where the rule had
 * P(j, w) there is a ?P(j, x) with x <= w, released in some round; with it and the other premises
 * as they were, all tests pass that passed, and the sum is not greater, since nothing wraps around.
 * So the least values are the same, and readers see no more of P than these, or that there is one.
 *
 * Nothing wraps around, because the sums of ?P (mgi_small_plus) refuse terms and results beyond
 * 2^30: a value that P adds up in fewer than 2^32 steps is far from 2^63. What is refused, like any
 * error of a rule of ?P and a value that is no such number, is no error: the least is given up, P
 * is derived by its own rules, with its own errors, and ?P has all of it. A rule that fails for a
 * value that is beaten fails for the best one, too: it fails on kinds alone.
 *
 * What can be told apart: P without end, which ends at the limit of facts, may have a least value
 * that is found; limits and statistics count what was derived; a proof of the minimum shows of its
 * group the facts that were kept. */
#ifndef MGI_MANGLE_LEAST_H
#define MGI_MANGLE_LEAST_H

#include "mangle/program/program.h"

/* Adds copies of predicates and rules, so it comes behind all other stages of check/. */
enum mangle_status mgi_keep_least(mangle_program *p);

/* least_use.c: does `c` use the values of `pred`, which stand in `column`, as is said above?
 * *values, made in `scratch`: the variables that hold them. False also if memory is short
 * (scratch->oom). */
struct value_use {
    mangle_pred pred;
    uint32_t column;
    bool greatest;
    bool outside; /* in a rule of another predicate, where no sum of a value may stand */
    bool *values; /* per variable */
};
bool mgi_uses_values(const struct clause *c, struct arena *scratch, struct value_use *use);
bool mgi_is_value_term(const struct value_use *use, const struct term *t); /* V, or a sum of it */

#endif
