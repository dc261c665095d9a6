"""Q-21: the reference tells group keys apart by hash alone, and 0, 0.0, [] and [0] have one hash.

The repair needs to know the keys: the reference itself computes the rows of each grouping rule in a
helper, a table gives every value that occurs as a key a number of its own, and the rule groups by value
and number. New values may come of it, so that goes on until there are none.
"""
from dataclasses import replace

from rewriting import Fresh, bare, hoist_body, is_do
from syntax import parse_fact
from tree import Atom, Clause, Const, Literal, show

PASSES = 6


def groups_by_value(units):
    return any(is_do(c) and c.stages[-1].do.args for u in units for c in u.clauses)


def tagged(units, facts):
    """facts(units): the lines that the reference derives, or None."""
    fresh = Fresh(units)
    table, rows, out = fresh.pred(), {}, []
    for unit in units:
        clauses = []
        for clause in unit.clauses:
            if is_do(clause) and clause.stages[-1].do.args:
                filled, clause = hoist_body(clause, fresh)
                rows[filled.head.pred] = [filled.head.args.index(k) for k in clause.stages[-1].do.args]
                clauses.append(filled)
                clause = with_numbers(clause, table, fresh)
            clauses.append(clause)
        out.append(replace(unit, clauses=tuple(clauses)))
    values = {}
    for _ in range(PASSES):
        lines = facts(with_table(out, table, values))
        if lines is None:
            break
        before = len(values)
        for line in lines:
            head = bare(line.split("(", 1)[0])
            if head in rows:
                args = parse_fact(line).head.args
                for column in rows[head]:
                    values.setdefault(show(args[column]), args[column])
        if len(values) == before:
            break
    return with_table(out, table, values)


def with_numbers(clause, table, fresh):
    """The rule that also groups by the numbers of its keys."""
    stage = clause.stages[-1]
    numbers = tuple(fresh.var() for _ in stage.do.args)
    body = clause.body + tuple(Literal(Atom(table, (k, n))) for k, n in zip(stage.do.args, numbers))
    stage = replace(stage, do=replace(stage.do, args=stage.do.args + numbers))
    return replace(clause, body=body, stages=clause.stages[:-1] + (stage,))


def with_table(units, table, values):
    facts = tuple(Clause(Atom(table, (term, Const(("number", at)))))
                  for at, term in enumerate(values.values()))
    first = facts or (Clause(Atom(table, (Const(("number", 0)), Const(("number", 0))))),)
    return [replace(u, clauses=u.clauses + first) for u in units]
