"""Repairs of lattice relations (Q-62), and of deferred predicates (Q-63): the reference shares the variables
of caller and callee, also between a rule and itself further down; takes what does not match, in a head or in
a call, for an error; and ignores let-transforms."""
from dataclasses import replace

import naive
from rewriting import (Fresh, bare, binds, change_terms, components, dependencies, descriptors, each_body,
                       each_clause, fact_of, is_do, is_positive_atom, names_in, nothing, reachable,
                       symbol)
from tree import Atom, Clause, Equation, Literal, Var

def lattices(units, case):
    """Q-62: a lattice relation is no lattice, and has the facts that we derive for it."""
    merged = descriptors(units, "merge")
    if not merged:
        return units
    own = {s for s in dependencies(units) if s[0] in merged}
    facts = lattice_facts(units, case, own)
    if facts is None:
        return units

    def decl(d):
        return replace(d, descr=None) if d.atom.pred in merged else d

    fresh, out, given = Fresh(units), [], {}
    for unit in units:
        clauses = [c for c in unit.clauses if symbol(c.head) not in own]
        for clause in unit.clauses:
            head = clause.head
            if symbol(head) in own and symbol(head) not in given:
                columns = tuple(fresh.var() for _ in head.args)
                source = given[symbol(head)] = fresh.pred()
                clauses.append(Clause(Atom(head.pred, columns), None, (Literal(Atom(source, columns)),)))
                clauses += [Clause(Atom(source, f.args)) for f in facts if symbol(f) == symbol(head)]
                clauses.append(nothing(source, len(columns)))
        out.append(replace(unit, decls=tuple(map(decl, unit.decls)), clauses=tuple(clauses)))
    return out


def lattice_facts(units, case, own):
    """What we derive for these predicates, though another part of the program may fail; None if they
    do themselves."""
    lines = case.lines
    if case.fails:
        graph = dependencies(units)
        needed = set(own).union(*(reachable(graph, s) for s in own))
        needed |= {s for s in graph if s[0] in {a.args[1].value[1] for a in
                                                descriptors(units, "merge").values()}}
        judged = naive.evaluate([replace(u, clauses=tuple(
            c for c in u.clauses if c.body is None or symbol(c.head) in needed)) for u in units], case.now)
        if judged[0] != "facts":
            return None
        lines = judged[1]
    return [fact.head for fact in map(fact_of, lines) if symbol(fact.head) in own]


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
