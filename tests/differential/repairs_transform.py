"""Repairs of let- and do-transforms."""
import re
from dataclasses import replace

from rewriting import (bare, binds, components, descriptors, each_clause, hoist_body, hoist_head, is_do,
                       is_positive_atom, is_timed, names_in, symbol)
from tree import Atom, Call, Clause, Const, Equation, Let, Literal, Stage, Var


def lets_in_the_body(units, wanted):
    """let V = e of a let-transform becomes the premise V = e."""
    def rule(clause, _fresh):
        lets = sum((s.lets for s in clause.stages), ())
        if not clause.stages or is_do(clause) or not wanted(clause, lets):
            return (clause,)
        equations = tuple(Equation("=", let.var, let.term) for let in lets if let.var.name != "_")
        return (replace(clause, body=clause.body + equations, stages=()),)
    return each_clause(units, rule)


def defined(lets):
    return {let.var.name for let in lets}


def computed_heads(units, _case):
    """M-AGG-2: so where an expression of the head needs V."""
    return lets_in_the_body(units, lambda c, lets: defined(lets) & set(
        names_in([a for a in c.head.args if isinstance(a, Call)])))


def computed_intervals(units, _case):
    """M-AGG-3: so where the annotation of the head needs V."""
    return lets_in_the_body(units, lambda c, lets: defined(lets) & set(names_in(c.annotation)))


REDUCER = re.compile(r"fn:(\w+:)?(sum|min|max)$")


def reducers_on_lists(units, _case):
    """Q-48: so where a let after the first has a reducer that takes a list."""
    return lets_in_the_body(units, lambda c, lets: any(
        REDUCER.match(let.term.name) for let in lets[1:]))


def do_rules(units, wanted, hoist):
    def rule(clause, fresh):
        return hoist(clause, fresh) if is_do(clause) and wanted(clause) else (clause,)
    return each_clause(units, rule)


def single_atom_bodies(units, _case):
    """Q-59: a do-body of one atom with a repeated variable, an expression, a deferred or a built-in
    predicate fills a helper first."""
    deferred = descriptors(units, "deferred")

    def wanted(clause):
        if len(clause.body) != 1 or not is_positive_atom(clause.body[0]) or is_timed(clause.body[0]):
            return False
        atom = clause.body[0].atom
        names = [a for a in atom.args if isinstance(a, Var) and a.name != "_"]
        return len(names) > len(set(names)) or any(isinstance(a, Call) for a in atom.args) \
            or bare(atom.pred) in deferred or atom.pred.startswith(":")
    return do_rules(units, wanted, hoist_body)


def timed_bodies(units, _case):
    """Q-60: a do-body with temporal premises fills a helper first."""
    return do_rules(units, lambda c: any(is_timed(p) for p in c.body), hoist_body)


def shared_rows(units, _case):
    """Q-57: do-rules of one predicate whose bodies of several premises have equally many variables
    get a helper each."""
    counts = {}

    def key(clause):
        many = not (len(clause.body) == 1 and is_positive_atom(clause.body[0]))
        return many and (clause.head.pred, len(names_in([p for p in clause.body if binds(p)])))

    for unit in units:
        for clause in unit.clauses:
            if is_do(clause) and key(clause):
                counts[key(clause)] = counts.get(key(clause), 0) + 1
    return do_rules(units, lambda c: counts.get(key(c), 0) > 1, hoist_body)


def recursive_results(units, _case):
    """Q-56: the results of a do-rule whose head is recursive reach it through a helper."""
    recursive = components(units)
    return do_rules(units, lambda c: recursive[symbol(c.head)], hoist_head)


def timed_results(units, _case):
    """Q-91: a do-rule with a head annotation fills a helper first."""
    return do_rules(units, lambda c: c.annotation is not None, hoist_head)


def changed_lets(units, change):
    """change(let, clause, fresh) gives (lets instead of it, premises to add), or None."""
    def rule(clause, fresh):
        if not is_do(clause):
            return (clause,)
        lets, equations = [], []
        for let in clause.stages[-1].lets:
            instead, premises = change(let, clause, fresh) or ((let,), ())
            lets.extend(instead)
            equations.extend(premises)
        stage = replace(clause.stages[-1], lets=tuple(lets))
        if stage == clause.stages[-1]:
            return (clause,)
        clause = replace(clause, stages=clause.stages[:-1] + (stage,))
        if not equations:
            return (clause,)
        filled, reads = hoist_body(clause, fresh)
        helper = replace(filled.head, args=filled.head.args + tuple(e.left for e in equations))
        return (replace(filled, head=helper, body=filled.body + tuple(equations)),
                replace(reads, body=(Literal(helper),)))
    return each_clause(units, rule)


def reduced_expressions(units, _case):
    """Q-67: the expression under a numeric reducer becomes a variable of the body."""
    def change(let, _clause, fresh):
        args = let.term.args
        if not (REDUCER.match(let.term.name) or let.term.name == "fn:avg") or not args \
                or isinstance(args[0], Var):
            return None
        equation = Equation("=", fresh.var(), args[0])
        return (replace(let, term=replace(let.term, args=(equation.left,))),), (equation,)
    return changed_lets(units, change)


def distinct_counts(term, _case):
    """Q-49: fn:count_distinct() becomes fn:count(): no row comes twice."""
    return Call("fn:count", ()) if term == Call("fn:count_distinct", ()) else term


def picked_values(units, _case):
    """Q-49: V = fn:pick_any(X) becomes a key that a helper computes: the first of the group's values
    (with the rows in order, Q-66)."""
    def rule(clause, fresh):
        picks = [t for t in clause.stages[-1].lets if t.term.name == "fn:pick_any"
                 and isinstance(t.term.args[0], Var)] if is_do(clause) else []
        if not picks:
            return (clause,)
        filled, reads = hoist_body(clause, fresh)
        keys, out, body, stage = clause.stages[-1].do.args, [filled], reads.body, clause.stages[-1]
        for let in picks:
            values_, lists = fresh.pred(), fresh.pred()
            x, all_x, first = let.term.args[0], fresh.var(), fresh.var()
            picked = Atom(fresh.pred(), keys + (first,))
            group = Stage(stage.do, (Let(all_x, Call("fn:collect", (x,))),))
            out += [Clause(Atom(values_, (x,) + keys), None, (Literal(filled.head),)),
                    Clause(Atom(lists, keys + (all_x,)), None,
                           (Literal(Atom(values_, (x,) + keys)),), (group,)),
                    Clause(picked, None, (Literal(Atom(lists, keys + (all_x,))), Equation(
                        "=", first, Call("fn:list:get", (all_x, Const(("number", 0)))))))]
            body += (Literal(Atom(picked.pred, keys + (let.var,))),)
        kept = tuple(t for t in stage.lets if t not in picks)
        do = replace(stage.do, args=keys + tuple(t.var for t in picks if t.var != Var("_")))
        return (*out, replace(reads, body=body, stages=clause.stages[:-1] + (Stage(do, kept),)))
    return each_clause(units, rule)


TIMED_REDUCER = re.compile(r"fn:(time|duration):(sum|min|max)$")
AS_NUMBER = {"time": "fn:time:to_unix_nanos", "duration": "fn:duration:nanos"}
FROM_NUMBER = {"time": "fn:time:from_unix_nanos", "duration": "fn:duration:from_nanos"}


def timed_reducers(units, _case):
    """R-1: reducers of times and durations become those of numbers over their nanoseconds."""
    def change(let, _clause, fresh):
        found = TIMED_REDUCER.match(let.term.name)
        if not found:
            return None
        kind, what = found.groups()
        number, result = fresh.var(), fresh.var()
        return ((Let(result, Call("fn:" + what, (number,))),
                 replace(let, term=Call(FROM_NUMBER[kind], (result,)))),
                (Equation("=", number, Call(AS_NUMBER[kind], let.term.args)),))
    return changed_lets(units, change)
