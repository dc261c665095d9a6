"""Repairs of negation, and of what is bound when."""
from dataclasses import replace

from rewriting import (bare, binds, components, descriptors, each_body, each_clause, each_premise, fact_of,
                       is_negated, is_timed, names_in, nothing, postponed, symbol, time_term)
from tree import At, Atom, Call, Clause, Equation, Literal, Var


def wildcard_negation(units, _case):
    """Q-40: !r(X, _) becomes !zz(X) with zz(X) :- r(X, _)."""
    def rule(clause, fresh):
        helpers, body = [], []
        for p in clause.body or ():
            if is_negated(p) and not is_timed(p) and Var("_") in p.atom.args:
                kept = [a for a in p.atom.args if a != Var("_")]
                columns = [fresh.var() for _ in kept]
                source = iter(columns)
                atom = replace(p.atom, args=tuple(a if a == Var("_") else next(source)
                                                  for a in p.atom.args))
                helper = fresh.pred()
                helpers.append(Clause(Atom(helper, tuple(columns)), None, (Literal(atom),)))
                p = replace(p, atom=Atom(helper, tuple(kept)))
            body.append(p)
        return (clause if not helpers else replace(clause, body=tuple(body)), *helpers)
    return each_clause(units, rule)


def bound_by_time_only(units, _case):
    """Q-41: after a temporal premise X = X for each variable of a negated atom that it binds."""
    def body(clause, _fresh):
        wanted = set(names_in([p for p in clause.body if is_negated(p)]))
        out, bound = [], set()
        for p in clause.body:
            out.append(p)
            if is_timed(p) and not is_negated(p):
                out.extend(Equation("=", Var(n), Var(n)) for n in names_in(p)
                           if n in wanted and n not in bound)
                bound.update(names_in(p))
            elif isinstance(p, (Literal, Equation)):
                bound.update(binds(p))
        return tuple(out)
    return each_body(units, body)


def late_negation(units, _case):
    """Q-42: negated atoms written where their variables are bound."""
    return each_body(units, lambda c, _f: postponed(c, is_negated))


def late_inequality(units, _case):
    """Q-44: != written where both sides are bound."""
    def movable(p):
        return isinstance(p, Equation) and p.op == "!="
    return each_body(units, lambda c, _f: postponed(c, movable))


def binding(clause, p, names, recursive, given):
    """The premises that bind the names, and what those need, without p. A recursive premise reads what
    we derive instead; if that is not known, it is left out."""
    needed, out = set(names), []
    for q in reversed(clause.body):
        if q is p or not needed & set(binds(q)):
            continue
        if isinstance(q, Literal) and symbol(q.atom) in recursive:
            q = given(q)
        if q is not None:
            out.append(q)
            needed |= set(names_in(q))
    return tuple(reversed(out))


def without_value(positive, needed):
    """The names among them, and those needed, that these premises do not bind."""
    bound = set(names_in([q for q in positive if isinstance(q, Literal)]))
    for _ in positive:
        for q in positive:
            if isinstance(q, Equation):
                bound |= {t.name for t, other in ((q.left, q.right), (q.right, q.left))
                          if isinstance(t, Var) and set(names_in(other)) <= bound}
    return [n for n in dict.fromkeys(list(needed) + names_in(positive)) if n not in bound]


def negated_helper(clause, p, fresh, positive, needed, known):
    """(negated helper, its rule): the helper holds where the literal does. What no premise binds ranges
    over all values that occur in the result."""
    positive = tuple(Literal(Atom(known, (Var(n),)))
                     for n in without_value(positive, needed)) + positive
    elsewhere = set(names_in(clause.head, clause.stages, [q for q in clause.body if q is not p]))
    kept = [n for n in names_in(p) if n in elsewhere]
    helper = Atom(fresh.pred(), tuple(Var(n) for n in kept))
    return (Literal(helper, negated=True),
            Clause(helper, None, positive + (replace(p, negated=False),)))


def negation_by_helper(units, case, wanted, known):
    """wanted(p, clause): the names that p needs bound, or None if it may stay. known: the predicate for
    the values that they may have."""
    recursive, tables = components(units), {}

    def rule(clause, fresh):
        def given(q):
            if case.fails or is_timed(q):
                return None
            table = tables.get(symbol(q.atom)) or tables.setdefault(symbol(q.atom), fresh.pred())
            return replace(q, atom=replace(q.atom, pred=table))

        helpers, body = [], []
        for p in clause.body or ():
            needed = wanted(p, clause) if is_negated(p) else None
            if needed is not None:
                positive = binding(clause, p, needed, recursive[symbol(clause.head)], given)
                p, helper = negated_helper(clause, p, fresh, positive, needed, known)
                helpers.append(helper)
            body.append(p)
        return (clause if not helpers else replace(clause, body=tuple(body)), *helpers)
    units = with_known(each_clause(units, rule), known, case)
    return [replace(u, clauses=u.clauses + facts_of(tables, case)) for u in units] if tables else units


def facts_of(tables, case):
    """What we derive for the predicates, under other names."""
    out = []
    for line in case.lines:
        fact = fact_of(line)
        if symbol(fact.head) in tables:
            out.append(Clause(replace(fact.head, pred=tables[symbol(fact.head)])))
    return (*out, *(nothing(table, arity) for (_, arity), table in tables.items()))


VALUES, TIMES = "zz_0", "zz_00"  # every value in our result, and the times among them


def with_known(units, known, case):
    """The units with facts known(V), if they use that predicate."""
    if "'%s'" % known not in repr(units):
        return units
    values = {time_term(case.now): True}  # so that there is one
    for line in case.lines:
        fact = fact_of(line)
        for term in subterms(fact.head.args):
            values[term] = True
        for bound in fact.annotation or ():
            if isinstance(bound, At):
                values[time_term(bound.ns)] = True
    for term in subterms([a for u in units for c in u.clauses if c.body is None for a in c.head.args]):
        values[term] = True
    facts = tuple(Clause(Atom(known, (v,))) for v in values if known == VALUES
                  or isinstance(v, Call) and v.name.startswith("fn:time:"))
    return [replace(u, clauses=u.clauses + facts) for u in units]


def subterms(terms):
    for term in terms:
        yield term
        if isinstance(term, Call):
            yield from subterms(term.args)


def calls_in(atom):
    return names_in([a for a in atom.args if isinstance(a, Call)])


def negated_time(units, case):
    """Q-11: a negated temporal literal becomes a negated helper."""
    def wanted(p, clause):
        if not is_timed(p):
            return None
        others = names_in([q for q in clause.body if q is not p])
        return [n for n in names_in(p.annotation, p.window) if n in others]
    return negation_by_helper(each_body(units, computed_arguments), case, wanted, TIMES)


def computed_arguments(clause, fresh):
    """Expressions in negated temporal literals computed before these."""
    def computed(p):
        return is_negated(p) and is_timed(p) and calls_in(p.atom)

    if not any(computed(p) for p in clause.body):
        return clause.body
    out = []
    for p in postponed(clause, is_negated):
        if computed(p):
            args = []
            for a in p.atom.args:
                if isinstance(a, Call):
                    out.append(Equation("=", fresh.var(), a))
                    a = out[-1].left
                args.append(a)
            p = replace(p, atom=replace(p.atom, args=tuple(args)))
        out.append(p)
    return tuple(out)


def negated_deferred(units, case):
    """Q-64: a negated deferred predicate becomes a negated helper over the rest of the body."""
    deferred = descriptors(units, "deferred")
    return negation_by_helper(units, case,
                              lambda p, _c: names_in(p) if bare(p.atom.pred) in deferred else None, VALUES)


def negated_prefixes(units, case):
    """Q-72: !:match_prefix(X, /p) becomes a negated helper, where it can be repaired."""
    return negation_by_helper(
        units, case, lambda p, _c: names_in(p) if p.atom.pred == ":match_prefix" else None, VALUES)


def negated_reflecting(units, _case):
    """R-5: !k(X), where k reflects(/p), becomes !:match_prefix(X, /p) (M-DECL-17)."""
    reflecting = descriptors(units, "reflects")

    def premise(p, _fresh):
        if is_negated(p) and bare(p.atom.pred) in reflecting and Var("_") not in p.atom.args:
            prefix = reflecting[bare(p.atom.pred)].args[0]
            p = replace(p, atom=Atom(":match_prefix", p.atom.args + (prefix,)))
        return (p,)
    return each_premise(units, premise)


def modes_bind(units, _case):
    """Q-104: mode(...) of a predicate that is neither deferred nor external goes away."""
    def decl(d):
        names = {a.pred for a in d.descr or ()}
        if names & {"deferred", "external"} or "mode" not in names:
            return d
        return replace(d, descr=tuple(a for a in d.descr if a.pred != "mode"))
    return [replace(u, decls=tuple(decl(d) for d in u.decls)) for u in units]
