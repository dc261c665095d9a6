"""Programs rewritten so that one known defect of the reference cannot act, and nothing else changes.

A repair is a function (units, case) -> units; `case` has the evaluation time (`now`) and the facts that
we derive (`lines`). Where the pattern of the quirk does not occur, the result equals what went in. Each
stands under the number that the quirk has in section 19 of the reference document, or further down in
README.md; what it looks for and what it writes instead is its comment. REPAIRS lists them in the order
in which they are applied.
"""
from dataclasses import replace

from repairs_builtin import (one_name, left_to_right, membership_tests, output_tests, repeated_outputs,
                             whole_parts, pairs_of_times, times_as_numbers, map_lookups,
                             named_wildcards, every_term, division, modulo, range_of_trunc, clock,
                             negative_first)
from repairs_deferred import lattices, levels, own_names, tested_calls
from repairs_keys import computed_keys, constant_keys
from repairs_negation import (wildcard_negation, bound_by_time_only, late_negation,
                              late_inequality, negated_time, negated_deferred,
                              negated_prefixes, negated_reflecting, modes_bind)
from repairs_time import (now_in_facts, eternal_plain, fixed_ends, short_spans, open_windows,
                          variable_windows, sorted_windows, infinite_ends, reversed_heads,
                          turned_ends)
from repairs_transform import (computed_heads, computed_intervals, reducers_on_lists,
                               single_atom_bodies, timed_bodies, shared_rows, recursive_results,
                               timed_results, reduced_expressions, distinct_counts, picked_values,
                               timed_reducers)
from rewriting import each_premise, is_timed
from tree import Const


def packaged_times(units, _case):
    """Q-39: the predicate of a temporal premise is written with the package that it is in."""
    homes = {}
    for u in units:
        if u.package:
            homes.setdefault(u.package, set()).update(
                [d.atom.pred for d in u.decls] + [c.head.pred for c in u.clauses])
    out = []
    for u in units:
        def premise(p, _fresh, home=u.package):
            if is_timed(p) and p.atom.pred in homes.get(home, ()):
                p = replace(p, atom=replace(p.atom, pred=home + "." + p.atom.pred))
            return (p,)
        out += each_premise([u], premise)
    return out


def bounds_by_predicate(units, _case):
    """Q-30: a bound that names a predicate becomes /any."""
    def decl(d):
        return replace(d, bounds=tuple(
            tuple(Const(("name", "/any")) if isinstance(t, Const) and t.value[0] == "string" else t
                  for t in row) for row in d.bounds))
    return [replace(u, decls=tuple(decl(d) for d in u.decls)) for u in units]


REPAIRS = [
    ("Q-62", lattices), ("Q-30", bounds_by_predicate), ("Q-77", now_in_facts),
    ("Q-89", eternal_plain), ("Q-104", modes_bind), ("Q-11", negated_time), ("Q-64", negated_deferred),
    ("R-5", negated_reflecting), ("Q-72", negated_prefixes), ("R-3", named_wildcards),
    ("Q-63", tested_calls), ("Q-63", levels), ("Q-63", own_names), ("R-1", every_term(modulo)),
    ("Q-40", wildcard_negation), ("Q-43", one_name), ("Q-43", left_to_right), ("Q-46", membership_tests),
    ("M-PRED-20", repeated_outputs), ("M-PRED-21", output_tests), ("Q-72", whole_parts),
    ("Q-71", pairs_of_times), ("Q-71", times_as_numbers), ("M-AGG-2", computed_heads),
    ("M-AGG-3", computed_intervals), ("Q-20", every_term(constant_keys)),
    ("Q-20", computed_keys), ("Q-48", reducers_on_lists), ("Q-79", fixed_ends),
    ("R-2", turned_ends), ("Q-82", variable_windows), ("Q-82", open_windows),
    ("Q-81", sorted_windows), ("Q-13", short_spans), ("Q-49", map_lookups),
    ("Q-49", every_term(distinct_counts)), ("Q-49", picked_values), ("R-1", timed_reducers),
    ("Q-67", reduced_expressions), ("Q-59", single_atom_bodies), ("Q-60", timed_bodies),
    ("Q-57", shared_rows), ("Q-91", timed_results), ("Q-56", recursive_results),
    ("Q-87", infinite_ends), ("Q-86", reversed_heads), ("Q-44", late_inequality),
    ("Q-42", late_negation), ("Q-41", bound_by_time_only), ("Q-39", packaged_times),
    ("Q-68", every_term(division)), ("Q-70", every_term(clock)), ("R-4", every_term(range_of_trunc)),
    ("Q-1", every_term(negative_first)),
]
