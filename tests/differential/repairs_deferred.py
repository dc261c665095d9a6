"""Repairs of deferred predicates (Q-63): the reference shares the variables of caller and callee, also
between a rule and itself further down; takes what does not match, in a head or in a call, for an error;
and ignores let-transforms."""
from dataclasses import replace

from rewriting import (Fresh, bare, binds, change_terms, components, descriptors, each_body,
                       each_clause, is_do, is_positive_atom, names_in, symbol)
from tree import Clause, Equation, Var

LEVELS = 25  # how deep a recursion may go


def tested_calls(units, _case):
    """A call's outputs are fresh variables, compared afterwards."""
    deferred = descriptors(units, "deferred")
    modes = descriptors(units, "mode")

    def body(clause, fresh):
        out, bound = [], set()
        for p in clause.body:
            tests = []
            pred = bare(p.atom.pred) if is_positive_atom(p) else None
            if pred in deferred and pred in modes:
                args, seen = list(p.atom.args), set()
                signs = [a.value[1] for a in modes[pred].args]
                for i, a in enumerate(args):
                    known = set(names_in(a)) <= bound
                    if signs[i] != "+" and a != Var("_") and (known or a in seen):
                        args[i] = fresh.var()
                        tests.append(Equation("=", args[i], a))
                    elif a != Var("_"):
                        seen.add(a)
                p = replace(p, atom=replace(p.atom, args=tuple(args)))
            out.extend([p, *tests])
            bound.update(binds(p))
        return tuple(out)
    return each_body(units, body)


def levels(units, _case):
    """A recursive deferred predicate becomes a chain of predicates, one for each depth."""
    deferred = descriptors(units, "deferred")
    within = components(units)
    recursive = {s for s, own in within.items() if own and s[0] in deferred}
    if not recursive:
        return units
    fresh = Fresh(units)
    names = {s: [s[0]] + [fresh.pred() for _ in range(LEVELS)] for s in recursive}

    def at(clause, depth):
        def renamed(atom, depth):
            package = atom.pred[:-len(bare(atom.pred))]
            return replace(atom, pred=package + names[symbol(atom)][depth])

        body, own = [], within[symbol(clause.head)]
        for p in clause.body:
            if is_positive_atom(p) and symbol(p.atom) in own:
                if depth == LEVELS:
                    return ()
                p = replace(p, atom=renamed(p.atom, depth + 1))
            body.append(p)
        return (replace(clause, head=renamed(clause.head, depth), body=tuple(body)),)

    def rule(clause, _fresh):
        if clause.body is None or symbol(clause.head) not in recursive:
            return (clause,)
        return sum((at(clause, depth) for depth in range(LEVELS + 1)), ())

    def decls(d):
        chain = names.get(symbol(d.atom), [d.atom.pred])
        return tuple(replace(d, atom=replace(d.atom, pred=name)) for name in chain)

    units = each_clause(units, rule)
    return [replace(u, decls=sum((decls(d) for d in u.decls), ())) for u in units]


def own_names(units, _case):
    """Rules of deferred predicates get variables of their own, variables for the constants of their
    heads, and premises for their let-transforms."""
    deferred = descriptors(units, "deferred")
    fresh_all = Fresh(units)

    def rule(clause, _fresh):
        if clause.head.pred not in deferred or clause.body is None or is_do(clause):
            return (clause,)
        lets = tuple(Equation("=", let.var, let.term) for s in clause.stages for let in s.lets)
        args, tests, seen = [], [], set()
        for a in clause.head.args:
            if not isinstance(a, Var) or a.name in seen:
                args.append(fresh_all.var())
                tests.append(Equation("=", args[-1], a))
            else:
                seen.add(a.name)
                args.append(a)
        clause = Clause(replace(clause.head, args=tuple(args)), clause.annotation,
                        clause.body + lets + tuple(tests))
        names = {n: fresh_all.var() for n in names_in(clause)}
        return (change_terms(clause, lambda t: names.get(t.name, t) if isinstance(t, Var) else t),)
    return each_clause(units, rule)
