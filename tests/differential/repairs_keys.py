"""Q-20: an entry whose key comes again in its map or struct goes away. Which keys are equal is known for
constants; for others the rule is split into one where two of them are equal, and one where they are not."""
from dataclasses import replace

from rewriting import change_terms, each_clause, hoist_body, is_do, names_in
from tree import Atom, Call, Clause, Const, Equation, Literal, Stage, Var

MANY = 5  # keys of one map


def constant_keys(term, _case):
    """Of entries with the same constant key only the last is written."""
    if isinstance(term, Call) and term.name in ("fn:map", "fn:struct") and len(term.args) % 2 == 0:
        last = dict(zip(term.args[::2], term.args[1::2]))
        return replace(term, args=sum(((k, v) for k, v in last.items()), ()))
    return term


def undecided(part, distinct):
    """(call, i, j): keys of a map that may be equal, or None."""
    found = []

    def look(term):
        if isinstance(term, Call) and term.name in ("fn:map", "fn:struct"):
            keys = term.args[::2]
            if len(keys) <= MANY and not found:
                found.extend((term, i, j) for i, a in enumerate(keys) for j, b in enumerate(keys)
                             if i < j and (a, b) not in distinct
                             and not (isinstance(a, Const) and isinstance(b, Const)))
        return term
    change_terms(part, look)
    return found[0] if found else None


def split(clause, distinct, fresh):
    """The clause once for each way in which keys of its maps are equal."""
    parts = list(clause.body) + [clause.head]
    for at, part in enumerate(parts):
        found = undecided(part, distinct)
        if not found:
            continue
        call, i, j = found
        left, right = fresh.var(), fresh.var()
        keys = (Equation("=", left, call.args[2 * i]), Equation("=", right, call.args[2 * j]))

        def case(op, instead, at=at, part=part, call=call, left=left, right=right, keys=keys):
            before = clause.body[:at] + keys + (Equation(op, left, right),)
            part = change_terms(part, lambda t: instead if t == call else t)
            if at == len(clause.body):
                return replace(clause, head=part, body=before)
            return replace(clause, body=before + (part,) + clause.body[at + 1:])

        without = replace(call, args=call.args[:2 * i] + call.args[2 * i + 2:])
        return split(case("=", without), distinct, fresh) + split(
            case("!=", call), distinct | {(call.args[2 * i], call.args[2 * j])}, fresh)
    return (clause,)


def computed_keys(units, _case):
    def rule(clause, fresh):
        if clause.body is None or not undecided(clause, frozenset()):
            return (clause,)
        if is_do(clause):
            return sum((rule(c, fresh) if not is_do(c) else (c,)
                        for c in around_grouping(clause, fresh)), ())
        lets = tuple(Equation("=", t.var, t.term) for s in clause.stages for t in s.lets)
        return split(replace(clause, body=clause.body + lets, stages=()), frozenset(), fresh)
    return each_clause(units, rule)


def around_grouping(clause, fresh):
    """A do-rule as three: what fills the rows, what groups them, and what is computed from the groups."""
    out = []
    if undecided(clause.body, frozenset()):
        filled, clause = hoist_body(clause, fresh)
        out.append(filled)
    stage = clause.stages[-1]
    first = next((i for i, t in enumerate(stage.lets) if undecided(t, frozenset())), len(stage.lets))
    columns = names_in(stage.do.args, tuple(t.var for t in stage.lets[:first]))
    helper = Atom(fresh.pred(), tuple(Var(n) for n in columns))
    grouped = replace(clause, head=helper, annotation=None,
                      stages=(Stage(stage.do, stage.lets[:first]),))
    after = (Stage(None, stage.lets[first:]),) if stage.lets[first:] else ()
    return [*out, grouped, Clause(clause.head, clause.annotation, (Literal(helper),), after)]
