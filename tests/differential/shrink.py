"""Smaller programs that still show a difference.

    shrink.smallest(units, differs)   differs(units) -> bool; returns the smallest found
"""
from dataclasses import replace

from syntax import Call, Const, Equation, Literal, Unit, Var

MAX_TRIES = 1500
SMALL = {"number": ("number", 1), "name": ("name", "/a"), "string": ("string", "a")}


def terms_smaller(term):
    """Terms to try in its place."""
    if isinstance(term, Call):
        yield from term.args
        for at, arg in enumerate(term.args):
            yield replace(term, args=term.args[:at] + term.args[at + 1:])
            for new in terms_smaller(arg):
                yield replace(term, args=term.args[:at] + (new,) + term.args[at + 1:])
    elif isinstance(term, Const) and term.value[0] in SMALL and term.value != SMALL[term.value[0]]:
        yield Const(SMALL[term.value[0]])
    elif isinstance(term, Var) and term.name != "_":
        yield Var("_")


def each(items, smaller):
    """Tuples with one item made smaller."""
    for at, item in enumerate(items):
        for new in smaller(item):
            yield items[:at] + (new,) + items[at + 1:]


def without_each(items):
    for at in range(len(items)):
        yield items[:at] + items[at + 1:]


def premises_smaller(premise):
    if isinstance(premise, Equation):
        for left, right in each((premise.left, premise.right), terms_smaller):
            yield replace(premise, left=left, right=right)
        return
    if premise.negated:
        yield replace(premise, negated=False)
    if premise.window:
        yield replace(premise, window=None)
    if premise.annotation:
        yield replace(premise, annotation=None)
        if len(premise.annotation) == 2:
            yield replace(premise, annotation=premise.annotation[:1])
    for args in each(premise.atom.args, terms_smaller):
        yield replace(premise, atom=replace(premise.atom, args=args))


def clauses_smaller(clause):
    if clause.stages:
        yield replace(clause, stages=())
        for at, stage in enumerate(clause.stages):
            for lets in without_each(stage.lets):
                if lets or stage.do:
                    yield replace(clause, stages=(replace(stage, lets=lets),))
            if stage.do:
                for args in without_each(stage.do.args):
                    yield replace(clause, stages=(replace(stage, do=replace(stage.do, args=args)),))
    if clause.body:
        for body in without_each(clause.body):
            yield replace(clause, body=body or None)
        for body in each(clause.body, premises_smaller):
            yield replace(clause, body=body)
    if clause.annotation and len(clause.annotation) == 2:
        yield replace(clause, annotation=clause.annotation[:1])
    for args in each(clause.head.args, terms_smaller):
        yield replace(clause, head=replace(clause.head, args=args))


def columns(units):
    """(predicate, arity, column) of all that are declared or defined."""
    found = {(c.head.pred, len(c.head.args)) for u in units for c in u.clauses}
    return [(name, arity, at) for name, arity in sorted(found) for at in range(arity)]


def without_column(units, name, arity, column):
    def cut(atom):
        if len(atom.args) != arity or atom.pred.split(".")[-1] != name.split(".")[-1]:
            return atom
        return replace(atom, args=atom.args[:column] + atom.args[column + 1:])

    def premise(p):
        return replace(p, atom=cut(p.atom)) if isinstance(p, Literal) else p

    return tuple(replace(
        u, decls=tuple(replace(d, atom=cut(d.atom)) for d in u.decls),
        clauses=tuple(replace(c, head=cut(c.head), body=c.body and tuple(map(premise, c.body)))
                      for c in u.clauses)) for u in units)


def candidates(units):
    """Programs a little smaller, larger steps first."""
    for at, unit in enumerate(units):
        def put(new, at=at):
            return units[:at] + (new,) + units[at + 1:]

        size = len(unit.clauses)
        while size:
            for start in range(0, len(unit.clauses), size):
                yield put(replace(unit, clauses=unit.clauses[:start] + unit.clauses[start + size:]))
            size //= 2
        for decls in without_each(unit.decls):
            yield put(replace(unit, decls=decls))
        for decl in unit.decls:
            if decl.descr and not decl.temporal:
                yield put(replace(unit, decls=tuple(replace(d, descr=None) if d is decl else d
                                                    for d in unit.decls)))
    if len(units) > 1:
        yield (Unit(None, (), sum((u.decls for u in units), ()),
                    sum((u.clauses for u in units), ())),)
    for name, arity, at in columns(units):
        yield without_column(units, name, arity, at)
    for at, unit in enumerate(units):
        for clauses in each(unit.clauses, clauses_smaller):
            yield units[:at] + (replace(unit, clauses=clauses),) + units[at + 1:]


def smallest(units, differs):
    units, tries = tuple(units), 0
    progress = True
    while progress:
        progress = False
        for candidate in candidates(units):
            tries += 1
            if tries > MAX_TRIES:
                return units
            if candidate != units and differs(candidate):
                units, progress = candidate, True
                break
    return units
