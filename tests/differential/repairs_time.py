"""Repairs of temporal facts, premises and heads."""
import itertools
from dataclasses import replace

import values
from rewriting import (binds, each_body, each_clause, each_premise, instant, is_do, is_eternal,
                       is_positive_atom, is_timed, columns_of, columns_with, names_in, stands_in,
                       temporal_preds, time_le, time_term)
from tree import At, Call, Const, Equation, Literal, Now, Open, Span, Var


def now_in_facts(units, case):
    """Q-77: now in the annotation of a fact becomes the evaluation time; a fact that is thereby turned
    round goes away (M-TEMP-14)."""
    def fact(clause, _fresh):
        if clause.body is None and Now() in (clause.annotation or ()):
            clause = replace(clause, annotation=tuple(
                At(case.now) if isinstance(b, Now) else b for b in clause.annotation))
            ends = [b.ns for b in clause.annotation if isinstance(b, At)]
            return () if len(ends) == 2 and ends[0] > ends[1] else (clause,)
        return (clause,)
    return each_clause(units, fact)


def eternal_plain(units, _case):
    """Q-89: @[_, _] of a predicate that is not temporal goes away."""
    temporal = temporal_preds(units)

    def drop(clause, _fresh):
        if is_eternal(clause.annotation) and clause.head.pred not in temporal:
            clause = replace(clause, annotation=None)
        return (clause,)
    return each_clause(units, drop)


def endless(i):
    return values.MAX64 if i else values.MIN64


def fixed_ends(units, case):
    """Q-79: a fixed end next to a free one, or under a window, becomes a free one and a comparison.
    (A variable of the atom itself is fixed; under a window without any free end so is `_`.)"""
    numbers = columns_with(lambda a: isinstance(a, Const) and a.value[0] == "number", units, case) \
        if any(is_timed(p) for u in units for c in u.clauses for p in c.body or ()) else ()

    def as_time(b, clause):
        """Numbers are instants, too (M-TEMP-37)."""
        return Call("fn:time:from_unix_nanos", (b,)) if stands_in(b.name, clause, numbers) else b

    def body(clause, fresh):
        out, bound = [], set()
        for p in clause.body:
            tests = []
            if is_positive_atom(p) and p.annotation is not None:
                ends = p.annotation if len(p.annotation) == 2 else p.annotation * 2

                own = set(names_in(p.atom))

                def fixed(b):
                    return instant(b, case.now) is not None \
                        or isinstance(b, Var) and b.name in bound | own

                free = any(isinstance(b, Var) and not fixed(b) for b in ends)
                unseen = free or own & set(names_in(ends)) - bound
                if p.window and not free or unseen and any(fixed(b) for b in ends):
                    names = []
                    for i, b in enumerate(ends):
                        if fixed(b) or isinstance(b, Open) and not free:
                            var = fresh.var()
                            at = endless(i) if isinstance(b, Open) else instant(b, case.now)
                            value = as_time(b, clause) if at is None else time_term(at)
                            tests.append(time_le(var, value) if i == 0 else time_le(value, var))
                            b = var
                        names.append(b)
                    p = replace(p, annotation=tuple(names))
            out.extend([p, *tests])
            bound.update(binds(p))
        return tuple(out)
    return each_body(units, body)


def turned_ends(units, case):
    """R-2: two fixed ends that may be turned round become free ones and comparisons."""
    def body(clause, fresh):
        out = []
        for p in clause.body:
            ends = p.annotation or () if is_positive_atom(p) and not p.window else ()
            at = [instant(b, case.now) for b in ends]
            if len(ends) == 2 and not any(isinstance(b, Open) for b in ends) and ends[0] != ends[1] \
                    and set(names_in(ends)) <= set(names_in([q for q in out if binds(q)])) \
                    and (None in at or at[0] > at[1]):
                free = (fresh.var(), fresh.var())
                fixed = [b if t is None else time_term(t) for b, t in zip(ends, at)]
                out += [replace(p, annotation=free), time_le(free[0], fixed[0]),
                        time_le(fixed[1], free[1])]
            else:
                out.append(p)
        return tuple(out)
    return each_body(units, body)


def offset(bound, op, now):
    if isinstance(bound, Span):
        return now - bound.ns if op.endswith("-") else now + bound.ns
    return instant(bound, now)


def short_spans(units, case):
    """Q-13: a duration that whole milliseconds cannot express becomes the instant that it means."""
    def change(window):
        return tuple(At(offset(b, window.op, case.now)) if isinstance(b, Span) and b.ns % 10**6 else b
                     for b in window.bounds)
    return each_window(units, change)


def each_window(units, change):
    def premise(p, _fresh):
        if isinstance(p, Literal) and p.window:
            p = replace(p, window=replace(p.window, bounds=change(p.window)))
        return (p,)
    return each_premise(units, premise)


def open_windows(units, _case):
    """Q-82: _ in a window becomes the least or the greatest instant, at the outer end."""
    def change(window):
        if not any(isinstance(b, Open) for b in window.bounds):
            return window.bounds
        outer = At(values.MIN64 if window.op[1] == "-" else values.MAX64)
        inner = [b for b in window.bounds if not isinstance(b, Open)]
        other = At(values.MAX64 if window.op[1] == "-" else values.MIN64)  # [_, _] is ever
        return (inner[0] if inner else other, outer)
    return each_window(units, change)


def variable_windows(units, case):
    """Q-82: a window with a variable becomes comparisons with the fact's own interval."""
    columns = columns_of("fn:duration:", units, case) if "Window(" in repr(units) else ()

    def nanos(bound, op, clause):
        if isinstance(bound, Open):
            return Const(("number", values.MIN64 if op[1] == "-" else values.MAX64))
        if isinstance(bound, Var) and stands_in(bound.name, clause, columns):
            back = Call("fn:duration:nanos", (bound,))
            return Call("fn:minus" if op[1] == "-" else "fn:plus", (Const(("number", case.now)), back))
        if isinstance(bound, Var):
            return Call("fn:time:to_unix_nanos", (bound,))
        return Const(("number", offset(bound, op, case.now)))

    def premise(p, clause, fresh, bound):
        if not (is_positive_atom(p) and p.window and names_in(p.window)):
            return (p,)
        ends = p.annotation or (Open(), Open())
        if len(set(ends)) == 1 and names_in(ends) and ends[0].name not in bound.union(names_in(p.atom)):
            ends = (ends[0], Open())  # the start alone (M-TEMP-33)
        free = [e if isinstance(e, Var) else fresh.var() for e in ends]
        if len(set(free)) < 2:
            return (p,)
        both = Call("fn:list", tuple(nanos(b, p.window.op, clause) for b in p.window.bounds))
        low, high = fresh.var(), fresh.var()
        limits = [Equation("=", v, Call("fn:time:from_unix_nanos", (Call(f, (both,)),)))
                  for v, f in ((low, "fn:min"), (high, "fn:max"))]
        start, end = free
        tests = [time_le(start, high), time_le(low, end)] if p.window.op[0] == "<" else \
            [time_le(start, low), time_le(high, end)]
        return (*limits, replace(p, window=None, annotation=tuple(free)), *tests)

    def body(clause, fresh):
        out, bound = [], set()
        for p in clause.body:
            out += premise(p, clause, fresh, bound)
            bound.update(binds(p))
        return tuple(out)
    return each_body(units, body)


def sorted_windows(units, case):
    """Q-81: the ends of a window in the order that the operator expects: nearer to now first."""
    def change(window):
        first, second = (offset(b, window.op, case.now) for b in window.bounds)
        if first is None or second is None:
            return window.bounds
        turned = first < second if window.op[1] == "-" else first > second
        return window.bounds[::-1] if turned else window.bounds
    return each_window(units, change)


def infinite_ends(units, _case):
    """Q-87: a rule whose head interval has a variable is split: into rules for the values that mean
    without end, with `_` there (M-TEMP-3, M-TEMP-12), and one for all others."""
    limits = [time_term(values.MIN64), time_term(values.MAX64)]

    def rule(clause, _fresh):
        names = names_in(clause.annotation)
        if clause.body is None or is_do(clause) or not names:
            return (clause,)
        ends = clause.annotation * (3 - len(clause.annotation))
        out = []
        for case in itertools.product([None] + limits, repeat=len(names)):
            chosen = dict(zip(names, case))
            tests = tuple(Equation("=", Var(n), t) for n, t in chosen.items() if t) + tuple(
                Equation("!=", Var(n), t) for n, c in chosen.items() if not c for t in limits)
            out.append(replace(clause, body=clause.body + tests, annotation=tuple(
                Open() if isinstance(b, Var) and chosen[b.name] else b for b in ends)))
        return tuple(out)
    return each_clause(units, rule)


def reversed_heads(units, case):
    """Q-86: a rule whose head interval may be turned round gets the test start <= end."""
    def body(clause, _fresh):
        ends = clause.annotation or ()
        if len(ends) < 2 or is_do(clause) or any(isinstance(b, Open) for b in ends):
            return clause.body
        at = [instant(b, case.now) for b in ends]
        if None not in at and at[0] <= at[1]:
            return clause.body
        return clause.body + (time_le(*(b if t is None else time_term(t)
                                        for b, t in zip(ends, at))),)
    return each_body(units, body)
