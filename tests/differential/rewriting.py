"""What repairs are made of: walks over programs, and rules taken apart without changing their meaning.

A helper predicate that a repair adds is called zz_1, zz_2, ...; a fresh variable Zz1, Zz2, ... Whoever
compares facts leaves helpers out (`is_helper`).
"""
import functools
import operator
import re
from dataclasses import fields, replace

from syntax import parse_fact
from tree import (At, Atom, Call, Clause, Const, Decl, Equation, Let, Literal, Now, Open, Span, Stage, Unit,
                  Var, Window)

HELPER = re.compile(r"(?:[a-z0-9_]+\.)*zz_\d+\(")


def is_helper(line):
    return HELPER.match(line) is not None


class Fresh:
    """Names that no part of the program has."""

    def __init__(self, units):
        self.units, self.count = units, None  # counted when the first name is asked for

    def number(self):
        if self.count is None:
            taken = [int(n) for n in re.findall(r"\b(?:zz_|Zz)(\d+)", repr(self.units))]
            self.count = max(taken, default=0)
        self.count += 1
        return self.count

    def pred(self):
        return "zz_%d" % self.number()

    def var(self):
        return Var("Zz%d" % self.number())


FIELDS = {kind: tuple(f.name for f in fields(kind))
          for kind in (At, Atom, Call, Clause, Decl, Equation, Let, Literal, Now, Open, Span, Stage, Unit,
                       Window)}


def names_in(*parts):
    """The named variables of parts of a program, each once, in order of occurrence."""
    out = {}

    def visit(part):
        kind = type(part)
        if kind is Var:
            if part.name != "_":
                out[part.name] = True
        elif kind is tuple or kind is list:
            for p in part:
                visit(p)
        elif kind in FIELDS:
            for name in FIELDS[kind]:
                visit(getattr(part, name))

    visit(parts)
    return list(out)


def change_terms(part, change):
    """The part with each term, innermost first, replaced by change(term); itself if nothing changes."""
    kind = type(part)
    if kind is tuple:
        new = tuple([change_terms(p, change) for p in part])
        return part if all(map(operator.is_, new, part)) else new
    if kind is Var or kind is Const:
        return change(part)
    if kind is Call:
        args = change_terms(part.args, change)
        return change(part if args is part.args else replace(part, args=args))
    if kind in FIELDS:
        parts = {}
        for name in FIELDS[kind]:
            old = getattr(part, name)
            new = change_terms(old, change)
            if new is not old:
                parts[name] = new
        return replace(part, **parts) if parts else part
    return part


def each_clause(units, change):
    """change(clause, fresh) gives a tuple of clauses instead."""
    fresh = Fresh(units)
    out = []
    for unit in units:
        clauses = tuple(new for c in unit.clauses for new in change(c, fresh))
        same = len(clauses) == len(unit.clauses) and all(map(operator.is_, clauses, unit.clauses))
        out.append(unit if same else replace(unit, clauses=clauses))
    return out


def each_body(units, change):
    """change(clause, fresh) gives another body for a rule, with the same rows in the same order (M-AGG-5,
    M-EVAL-31) for a do-transform."""
    def rule(clause, fresh):
        if clause.body is None:
            return (clause,)
        body = change(clause, fresh)
        if is_do(clause) and len(clause.body) == 1 < len(body):  # no longer one atom, but the same rows
            clause = replace(clause, body=row_names(clause.body, fresh))
            body = change(clause, fresh)
        names = names_in(clause.body)
        if is_do(clause) and [n for n in names_in(body) if n in names] != names:
            filled, reads = hoist_body(clause, fresh)
            return (replace(filled, body=change(filled, fresh)), reads)
        return (clause if body == clause.body else replace(clause, body=body),)
    return each_clause(units, rule)


def each_premise(units, change):
    """change(premise, fresh) gives a tuple of premises instead."""
    return each_body(units, lambda c, fresh: sum((change(p, fresh) for p in c.body), ()))


def descriptors(units, name):
    """{predicate: descriptor atom} of the declarations that have such a descriptor."""
    return {d.atom.pred: a for u in units for d in u.decls for a in d.descr or () if a.pred == name}


def is_positive_atom(premise):
    return isinstance(premise, Literal) and not premise.negated


def is_negated(premise):
    return isinstance(premise, Literal) and premise.negated


def is_timed(premise):
    return isinstance(premise, Literal) and (premise.window or premise.annotation) is not None


def is_eternal(annotation):
    return annotation is not None and all(isinstance(b, Open) for b in annotation)


def binds(premise):
    if isinstance(premise, Literal) and premise.negated or \
            isinstance(premise, Equation) and premise.op == "!=":
        return []
    return names_in(premise)


def instant(bound, now):
    """The nanoseconds of a bound that is an instant, or None."""
    return bound.ns if isinstance(bound, At) else now if isinstance(bound, Now) else None


def time_term(ns):
    return Call("fn:time:from_unix_nanos", (Const(("number", ns)),))


def time_le(left, right):
    return Literal(Atom(":time:le", (left, right)))


# ---- rules taken apart -----------------------------------------------------------------------------


def nothing(pred, arity):
    """A rule that derives no fact, so that the predicate exists."""
    one = Const(("number", 1))
    columns = tuple(Var("Zz%d" % at) for at in range(arity))
    return Clause(Atom(pred, columns), None, (Equation("!=", one, one),) + tuple(
        Equation("=", c, one) for c in columns))


def row_names(body, fresh):
    """Of a body that is one atom each column without a name gets one, because its rows are facts with
    their intervals (M-AGG-5)."""
    if len(body) != 1 or not is_positive_atom(body[0]) or body[0].atom.pred.startswith(":"):
        return body
    p = body[0]
    atom = replace(p.atom, args=tuple(fresh.var() if a == Var("_") else a for a in p.atom.args))
    apart = p.window and p.annotation is None  # each interval is a row
    return (replace(p, atom=atom, annotation=(fresh.var(), fresh.var()) if apart else p.annotation),)


def hoist_body(clause, fresh):
    """(helper filled by the body, the same transform over the helper alone)"""
    body = row_names(clause.body, fresh)
    bound = set(names_in([p for p in body if binds(p)]))
    helper = Atom(fresh.pred(), tuple(Var(n) for n in names_in(body) if n in bound))
    return (Clause(helper, None, body), replace(clause, body=(Literal(helper),)))


def hoist_head(clause, fresh):
    """(helper filled by the do-rule, the head from the helper); expressions are computed before."""
    lets, args = list(clause.stages[-1].lets), []
    columns = names_in(clause.head, clause.annotation)
    helper = Atom(fresh.pred(), tuple(Var(n) for n in columns))
    args = clause.head.args
    return (replace(clause, head=helper, annotation=None,
                    stages=clause.stages[:-1] + (replace(clause.stages[-1], lets=tuple(lets)),)),
            Clause(replace(clause.head, args=args), clause.annotation, (Literal(helper),)))


def is_do(clause):
    return bool(clause.stages) and clause.stages[-1].do is not None


def postponed(clause, movable, bound=()):
    """The body with each movable premise at the first place where its variables are bound."""
    bound, out, waiting = set(bound), [], []
    anywhere = set(names_in([p for p in clause.body if binds(p)])) | bound

    def place(premise):
        out.append(premise)
        bound.update(binds(premise))

    for premise in clause.body:
        if movable(premise) and not set(names_in(premise)) & anywhere <= bound:
            waiting.append(premise)
            continue
        place(premise)
        for ready in [p for p in waiting if set(names_in(p)) & anywhere <= bound]:
            waiting.remove(ready)
            place(ready)
    return tuple(out + waiting)


# ---- who depends on whom ---------------------------------------------------------------------------


def bare(pred):
    """The name without its package."""
    return pred.rsplit(".", 1)[-1]


def symbol(atom):
    return (bare(atom.pred), len(atom.args))


def dependencies(units):
    """{head symbol: symbols its rules read}"""
    out = {}
    for unit in units:
        for clause in unit.clauses:
            if clause.body is not None:
                reads = out.setdefault(symbol(clause.head), set())
                reads.update(symbol(p.atom) for p in clause.body if isinstance(p, Literal))
    return out


def reachable(graph, start):
    seen, todo = set(), [start]
    while todo:
        for node in graph.get(todo.pop(), ()):
            if node not in seen:
                seen.add(node)
                todo.append(node)
    return seen


def components(units):
    """{symbol: the symbols of its component}; a symbol that is not recursive has an empty set."""
    graph = dependencies(units)
    reach = {s: reachable(graph, s) for s in graph}
    return {s: {t for t in reach[s] if s in reach.get(t, ())} for s in graph}


@functools.lru_cache(maxsize=4096)
def fact_of(line):
    return parse_fact(line)


def columns_with(test, units, case):
    """The (symbol, column) pairs of facts, given or derived, where a term stands that passes the test."""
    facts = [c for u in units for c in u.clauses if c.body is None]
    facts += [fact_of(line) for line in case.lines]
    return {(symbol(f.head), at) for f in facts for at, a in enumerate(f.head.args) if test(a)}


def columns_of(prefix, units, case):
    """Those with a function of that prefix."""
    return columns_with(lambda a: isinstance(a, Call) and a.name.startswith(prefix), units, case)


def stands_in(name, clause, columns):
    """Whether a variable stands in one of the columns."""
    return any(a == Var(name) and (symbol(p.atom), at) in columns
               for p in clause.body if is_positive_atom(p) for at, a in enumerate(p.atom.args))


def temporal_preds(units):
    out, seen = {d.atom.pred for u in units for d in u.decls if d.temporal}, set()
    for unit in units:
        for clause in unit.clauses:
            if clause.head.pred not in seen:
                seen.add(clause.head.pred)
                if clause.annotation is not None and not is_eternal(clause.annotation):
                    out.add(clause.head.pred)
    return out
